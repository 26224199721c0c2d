"""Where the program `cardlab` begins: it imports next to nothing before signals are taken care of.

Ctrl-C while the commands are imported, which takes most of a short command's time, then ends the
program like any later one.
"""

from __future__ import annotations

import os

from studies.cli.signals import carry_out, end_process


def main() -> None:
    """Run the command line of this process; the console script."""
    # Matrices here are small: a second thread of the linear algebra would mostly wait, busily.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    end_process(carry_out(_program))


def _program() -> int:
    from studies.cli.app import run_prepared

    return run_prepared()
