"""UP & DOWN: many small draws from one random word, without bias.

A *fraction* is a whole number f below 2^52, read as f / 2^52. Multiplied by n it is a number below
n, which is drawn, and a new fraction, from which the next number is drawn, and so on. Together they
are the digits of one number below the product of all n; a few words are rejected that would make
some of these numbers likelier than others (as Lemire 2019, ACM TOMACS 29(1), does for a single
draw). A whole hand is played at random from one word.

A word has room for a *long* fraction, of 58 bits, by which it is judged whether it is rejected. One
of 52 bits from which the same numbers are drawn takes less: processors multiply such at once.
"""

from __future__ import annotations

from simcore import rng
from simcore.jit import inline_kernel, kernel, wrapping
from simcore.vectors import choose, some
from simcore.wide import PART_BITS, lower_part, upper_part

LONG_BITS = 58
"""Leaves six bits for numbers up to 63."""

MOST = 1 << (2 * PART_BITS - LONG_BITS)
"""The product of the bounds of all that is drawn from a fraction that is not long is below this."""

_MASK = (1 << LONG_BITS) - 1
_PART = (1 << PART_BITS) - 1
_SPARE_BITS = 64 - LONG_BITS
_SPARE = (1 << _SPARE_BITS) - 1
_CUT_BITS = LONG_BITS - PART_BITS


@inline_kernel
def next_fraction(words):
    """Return the long fraction in the next word of a stream, and its two words then."""
    word, word0, word1 = rng.step_signed(words[0], words[1])
    return (word >> _SPARE_BITS) & _MASK, (word0, word1)


@inline_kernel
@wrapping
def long_fraction(words, product):
    """Draw a long fraction for numbers whose bounds multiply to `product` (below 2^58).

    Return it, and the two words of the stream, as int64 or vectors of them.
    """
    fraction, words = next_fraction(words)
    if some(((fraction * product) & _MASK) < product):
        fraction, words = _drawn_again(fraction, words, product)
    return fraction, words


@inline_kernel
@wrapping
def fresh_fraction(words, product):
    """Draw a fraction for numbers whose bounds multiply to `product`, below `MOST`; else alike.

    The same numbers as from a long one: what is cut off does nothing where the rest of the product
    is further than `product` from its ends.
    """
    long, further = next_fraction(words)
    fraction = long >> _CUT_BITS
    if some(((lower_part(fraction, product) + product) & _PART) < 2 * product):
        return _cut_with_care(long, further, product)
    return fraction, further


@kernel
@wrapping
def _cut_with_care(long, words, product):
    """Draw again if need be, and round up where the bits that are cut off reach the next number."""
    long, words = _drawn_again(long, words, product)
    cut = (long & ((1 << _CUT_BITS) - 1)) * product
    return (long >> _CUT_BITS) + choose(((long * product) & _MASK) < cut, 1, 0), words


@kernel
@wrapping
def _drawn_again(fraction, words, product):
    surplus = (_MASK + 1) % product
    rejected = ((fraction * product) & _MASK) < surplus
    while some(rejected):
        other, further = next_fraction(words)
        fraction = choose(rejected, other, fraction)
        words = choose(rejected, further[0], words[0]), choose(rejected, further[1], words[1])
        rejected = ((fraction * product) & _MASK) < surplus
    return fraction, words


@inline_kernel
def lengthened(fraction):
    """Return a long fraction from which the same numbers are drawn."""
    return fraction << _CUT_BITS


@inline_kernel
def draw(fraction, bound):
    """Return a number from 0…bound − 1, bound ≤ 63, and the fraction that is left."""
    return upper_part(fraction, bound), lower_part(fraction, bound)


@inline_kernel
@wrapping
def draw_long(fraction, bound):
    """Do the same with a long fraction."""
    product = fraction * bound
    return (product >> LONG_BITS) & _SPARE, product & _MASK
