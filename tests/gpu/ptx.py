"""Compile kernels for a GPU to PTX, its assembly, without a GPU: `python -m tests.gpu.ptx CASE…`.

A case is GAME:LINE-UP; what is printed is a line of JSON a case: [case, lines of PTX, calls left].
"""

from __future__ import annotations

import json
import re
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

COMPUTE_CAPABILITY = (9, 0)
"""That of an H100."""


def kernel_types(made: Any) -> list[Any]:
    """Return the types of a kernel's arguments, as `launch` gives them."""
    from numba.cuda import types

    def array(kind: Any, axes: int) -> Any:
        return types.Array(kind, axes, "C")

    numbers = [types.int64] * 5
    lists = [array(kind, 1) for kind in (types.int64,) * 2]
    columns = [array(kind, 1) for kind in (types.uint8, types.uint16, types.uint8)]
    room = [array(types.int64, 1)] if made.size else []
    return [*numbers, *lists, *columns, *[array(types.int32, 2)] * 2, *room]


def ptx_of(game: str, lineup: str) -> str:
    """Return the PTX of the kernel of a game, of three players."""
    import _numba_cuda_redirector  # noqa: F401 (where no `.pth` is read)
    from numba import cuda
    from numba.cuda import dispatcher, types

    from simcore.gpu import kernels
    from studies.operations.arguments import game_of, make_cell

    # Functions for a device ask which one it is.
    device = SimpleNamespace(compute_capability=COMPUTE_CAPABILITY)
    dispatcher.get_current_device = lambda: device
    made = kernels.module_of(make_cell(game_of(game, None), {"players": 3}, lineup))
    module = ModuleType("kernel")
    module.__file__ = ""
    exec(compile(made.text, "<kernel>", "exec"), module.__dict__)  # noqa: S102 (written by kernels)
    signature = types.void(*kernel_types(made))
    play = module.__dict__["play"].py_func
    text, _ = cuda.compile(play, signature, device=False, cc=COMPUTE_CAPABILITY, abi="numba")
    return str(text)


def calls_in(text: str) -> list[str]:
    """Return the calls that are left in PTX: what was not written into the kernel."""
    return re.findall(r"^\s*(?:@\S+\s+)?call(?:\.uni)?\b.*", text, re.MULTILINE)


if __name__ == "__main__":
    for case in sys.argv[1:]:
        game, _, lineup = case.rpartition(":")
        text = ptx_of(game, lineup)
        print(json.dumps([case, len(text.splitlines()), calls_in(text)]), flush=True)
