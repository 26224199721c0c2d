"""Where the program `cardlab` begins: it imports next to nothing before signals are taken care of.

Ctrl-C while the commands are imported, which takes most of a short command's time, then ends the
program like any later one.
"""

from __future__ import annotations

from studies.cli.signals import carry_out, end_process


def main() -> None:
    """Run the command line of this process; the console script."""
    end_process(carry_out(_program))


def _program() -> int:
    from studies.cli.app import run_prepared

    return run_prepared()
