"""UP & DOWN: many small draws from one random word, without bias.

A *fraction* is a whole number f below 2^58, read as f / 2^58. Multiplied by n it is a number below
n, which is drawn, and a new fraction, from which the next number is drawn, and so on. Together they
are the digits of one number below the product of all n; `fresh_fraction` rejects the few words that
would make some of these numbers likelier than others (as Lemire 2019, ACM TOMACS 29(1), does for a
single draw). A whole hand is played at random from one word.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.jit import inline_kernel, kernel, wrapping

FRACTION_BITS = 58
"""Leaves six bits for numbers up to 63."""

MASK = np.uint64((1 << FRACTION_BITS) - 1)

_BITS = np.uint64(FRACTION_BITS)
_SPARE_BITS = np.uint64(64 - FRACTION_BITS)
_ONE = np.uint64(1 << FRACTION_BITS)


@inline_kernel
@wrapping
def fraction_of(word, product):
    """Return the fraction in a random word, and whether it might be one to be drawn again."""
    fraction = word >> _SPARE_BITS
    return fraction, ((fraction * product) & MASK) < product


@inline_kernel
def fresh_fraction(stream, product):
    """Draw a fraction for numbers whose bounds multiply to `product` (uint64, below 2^58)."""
    fraction, again = fraction_of(rng.next_word(stream), product)
    return _checked(stream, product, fraction) if again else fraction


@kernel
@wrapping
def _checked(stream, product, fraction):
    surplus = _ONE % product
    while ((fraction * product) & MASK) < surplus:
        fraction = rng.next_word(stream) >> _SPARE_BITS
    return fraction


@inline_kernel
def draw(fraction, bound):
    """Return a number from 0…bound − 1 (int64), bound ≤ 63, and the fraction that is left."""
    product = (fraction & MASK) * np.uint64(bound)
    return np.int64(product >> _BITS), product & MASK
