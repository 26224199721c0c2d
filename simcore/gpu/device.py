"""Devices that matches are played on: the CPU, or GPUs (`simcore.gpu.launch`)."""

from __future__ import annotations

import importlib.util

from simcore.errors import InputError, unknown
from simcore.jit import IN_PLAIN_PYTHON

CPU, CUDA = "cpu", "cuda"
DEVICES = (CPU, CUDA)


def check_device(device: str) -> None:
    """Refuse a device that is not available.

    Raises
    ------
    InputError
        If the name is unknown, numba-cuda is not installed, or no GPU is found.
    """
    if device not in DEVICES:
        raise unknown("device", device, DEVICES)
    if device == CPU:
        return
    if IN_PLAIN_PYTHON:
        raise InputError(
            f"device {device!r} is refused with CARDLAB_PLAIN=1, which plays as ordinary Python; "
            "allowed: one of the two"
        )
    if importlib.util.find_spec("numba_cuda") is None:
        raise InputError(
            f"device {device!r} is refused: numba-cuda is not installed; allowed: {CPU!r}, or "
            "install cardlab[cuda]"
        )
    from numba import cuda

    if not cuda.is_available():
        raise InputError(
            f"device {device!r} is refused: no NVIDIA GPU with its driver is within reach; allowed "
            f"here: {CPU!r}"
        )
