"""UP & DOWN: many small draws from one random word, without bias.

A *fraction* is a whole number f below 2^58, read as f / 2^58. Multiplied by n it is a number below
n, which is drawn, and a new fraction, from which the next number is drawn, and so on. Together they
are the digits of one number below the product of all n; `fresh_fraction` rejects the few words that
would make some of these numbers likelier than others (as Lemire 2019, ACM TOMACS 29(1), does for a
single draw). A whole hand is played at random from one word.
"""

from __future__ import annotations

from simcore import rng
from simcore.jit import inline_kernel, kernel, wrapping
from simcore.vectors import choose, some

FRACTION_BITS = 58
"""Leaves six bits for numbers up to 63."""

MASK = (1 << FRACTION_BITS) - 1
_SPARE_BITS = 64 - FRACTION_BITS
_SPARE = (1 << _SPARE_BITS) - 1


@inline_kernel
def next_fraction(words):
    """Return the fraction in the next word of a stream, and its two words then."""
    word, word0, word1 = rng.step_signed(words[0], words[1])
    return (word >> _SPARE_BITS) & MASK, (word0, word1)


@inline_kernel
@wrapping
def fresh_fraction(words, product):
    """Draw a fraction for numbers whose bounds multiply to `product` (below 2^58).

    Return it, and the two words of the stream, as int64 or vectors of them.
    """
    fraction, words = next_fraction(words)
    if some(((fraction * product) & MASK) < product):
        fraction, words = _drawn_again(fraction, words, product)
    return fraction, words


@kernel
@wrapping
def _drawn_again(fraction, words, product):
    surplus = (MASK + 1) % product
    rejected = ((fraction * product) & MASK) < surplus
    while some(rejected):
        other, further = next_fraction(words)
        fraction = choose(rejected, other, fraction)
        words = choose(rejected, further[0], words[0]), choose(rejected, further[1], words[1])
        rejected = ((fraction * product) & MASK) < surplus
    return fraction, words


@inline_kernel
@wrapping
def draw(fraction, bound):
    """Return a number from 0…bound − 1, bound ≤ 63, and the fraction that is left."""
    product = fraction * bound
    return (product >> FRACTION_BITS) & _SPARE, product & MASK
