"""Words of compiled rules for `numba.cuda`: numbers of 64 bits that wrap around, sets of cards.

Under NUMBA_ENABLE_CUDASIM=1, where kernels run as ordinary Python, the same words keep to 64 bits.
"""

from __future__ import annotations

import numpy as np
from numba import config, cuda, float64, int64, uint64

SIMULATED = bool(config.ENABLE_CUDASIM)
MANY = 64

if SIMULATED:
    np.seterr(over="ignore", divide="ignore", invalid="ignore")  # as on a device
    _MASK = (1 << 64) - 1

    def device(function):
        return function

    def at(index):
        return int(index)

    def popcount(word):
        return np.int64((int(word) & _MASK).bit_count())

    def lowest_bit(word):
        word = int(word) & _MASK
        return np.int64((word & -word).bit_length() - 1)

    def highest_bit(word):
        return np.int64((int(word) & _MASK).bit_length() - 1)

    def as_real(word):
        return np.int64(word).view(np.float64)

    def times(a, b):
        return np.float64(a) * np.float64(b)

    def root(x):
        return np.sqrt(np.float64(x))

else:
    from numba.cuda import libdevice

    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a small block is played, too
    device = cuda.jit(device=True)

    @device
    def at(index):
        return uint64(index)  # a signed index would be looked at for being negative

    @device
    def popcount(word):
        return int64(cuda.popc(int64(word)))

    @device
    def lowest_bit(word):
        return int64(cuda.ffs(int64(word))) - 1

    @device
    def highest_bit(word):
        return 63 - int64(cuda.clz(int64(word)))

    @device
    def as_real(word):
        return libdevice.longlong_as_double(int64(word))

    @device
    def times(a, b):
        # Rounded by itself: never put together with a sum, which would be rounded once for both.
        return libdevice.dmul_rn(float64(a), float64(b))

    @device
    def root(x):
        return libdevice.dsqrt_rn(float64(x))


@device
def whole(x):
    return int64(x)


@device
def real(x):
    return float64(x)


@device
def cut(x):
    return int64(x)


@device
def shr(word, by):
    return int64(uint64(int64(word)) >> uint64(by))


@device
def wadd(a, b):
    return int64(a) + int64(b)


@device
def wmul(a, b):
    return int64(a) * int64(b)


@device
def rotl(word, by):
    bits = uint64(int64(word))
    return int64((bits << uint64(by)) | (bits >> uint64(64 - by)))


@device
def bit_of(place):
    return int64(1) << (place & 63)


@device
def cleared(word):
    return int64(word) & (int64(word) - 1)


@device
def rarely(test):
    return test


@device
def higher(a, b):
    return a if a > b else b  # noqa: FURB136 (of two floats a device takes others)


@device
def lower(a, b):
    return a if a < b else b  # noqa: FURB136 (the same)


@device
def has_bit(word, place):
    return (shr(word, place & 63) & 1) if (place >= 0 and place < MANY) else whole(0)


@device
def below_bit(word, count):
    if count <= 0:
        return whole(0)
    if count >= MANY:
        return whole(word)
    return whole(word) & ~(whole(-1) << count)


@device
def nth_bit(word, index):
    """Return the place of a bit of a word, counted from the lowest, by halves."""
    rest = whole(word)
    left = whole(index)
    base = whole(0)
    for width in (32, 16, 8, 4, 2, 1):
        low = popcount(rest & ((1 << width) - 1))
        if left >= low:
            left = left - low
            rest = shr(rest, width)
            base = base + width
    return base


@device
def deposit(pattern, word):
    rest, more, chosen = whole(pattern), whole(word), whole(0)
    while rest != 0 and more != 0:
        if (rest & 1) != 0:
            chosen = chosen | (more & -more)
        more = cleared(more)
        rest = shr(rest, 1)
    return chosen


@device
def extract(chosen, mask):
    rest, pattern, bit = whole(mask), whole(0), whole(1)
    while rest != 0:
        if (chosen & rest & -rest) != 0:
            pattern = pattern | bit
        rest = cleared(rest)
        bit = bit << 1
    return pattern


@device
def divided_by(a, b):
    return whole(a) // (b if b != 0 else 1)


@device
def modulo(a, b):
    return whole(a) % (b if b != 0 else 1)
