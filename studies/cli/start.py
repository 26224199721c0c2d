"""The console script.

It imports next to nothing before signals are handled (`studies.cli.process`).
"""

from __future__ import annotations

import gc
import os
import sys
from importlib.util import cache_from_source

from studies.cli.process import carry_out, end_process


def main() -> None:
    """Run the command line of this process; the console script."""
    # Matrices here are small: a second thread of the linear algebra would mostly wait, busily.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # It would look for plug-ins among all packages that are installed.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    # Of what imports make nothing is garbage: looking for it takes a tenth of a short command.
    gc.set_threshold(50_000)
    _keep_bytecode()
    end_process(carry_out(_program))


def _program() -> int:
    from studies.cli.app import run_app

    return run_app()


def _keep_bytecode() -> None:
    """Keep compiled modules in the cache folder where none may be written beside the sources.

    Containers set PYTHONDONTWRITEBYTECODE, and each start would compile all modules anew, which
    takes longer than most commands. Programs started from here do the same.
    """
    if not sys.dont_write_bytecode or os.path.exists(cache_from_source(__file__)):  # noqa: PTH110
        return
    from simcore import cache

    folder = cache.private_folder("bytecode")
    if folder is not None:
        sys.pycache_prefix, sys.dont_write_bytecode = str(folder), False
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
