"""Words of the kernels that add up rows (`studies.answers.device_sums`), for `numba.cuda`.

Under NUMBA_ENABLE_CUDASIM=1, where kernels run as ordinary Python, the same words keep to 64 bits.
"""

from __future__ import annotations

import numpy as np
from numba import config, cuda, float64, int64, uint64

if config.ENABLE_CUDASIM:
    np.seterr(over="ignore", divide="ignore", invalid="ignore")  # as on a device

    def device(function):
        return function

    def at(index):
        return int(index)

    def popcount(word):
        return np.int64((int(word) & (1 << 64) - 1).bit_count())

    def times(a, b):
        return np.float64(a) * np.float64(b)

else:
    from numba.cuda import libdevice

    device = cuda.jit(device=True)

    @device
    def at(index):
        return uint64(index)  # a signed index would be looked at for being negative

    @device
    def popcount(word):
        return int64(cuda.popc(int64(word)))

    @device
    def times(a, b):
        # Rounded by itself: never put together with a sum, which would be rounded once for both.
        return libdevice.dmul_rn(float64(a), float64(b))


@device
def real(x):
    return float64(x)


@device
def higher(a, b):
    return a if a > b else b  # noqa: FURB136 (of two floats a device takes others)


@device
def lower(a, b):
    return a if a < b else b  # noqa: FURB136 (the same)
