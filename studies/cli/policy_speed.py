"""`cardlab bench --policies`: the speed of each policy beside that of uniform random play.

Each sits on every seat. Both are measured by the processor time that they use and run in turn, so
that a machine that slows down slows both.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simcore.batch import Cell

RUN_SECONDS = 0.25
"""About the least processor time of a run."""

NOTE = (
    "Decisions with a choice, by processor time of one thread, the same policy on every seat; in "
    "brackets the lowest and highest ratio of {runs} runs in turn. Policies that look ahead are "
    "left out."
)


def policy_names(cell: Cell) -> list[str]:
    """Return the policies that are measured: those that do not look ahead, but for random play."""
    from strategies import policies

    return [one.name for one in policies(cell.game) if not (one.built_in or one.takes_policy)]


def measure_policies(
    cell_of: Callable[[str], Cell], names: list[str], runs: int, say: Callable[[str], None]
) -> dict[str, Any]:
    """Return the speed of policies and of random play, in decisions a second.

    Parameters
    ----------
    cell_of : callable
        Takes a policy, returns the cell in which it sits on every seat.
    names : list of str
    runs : int
    say : callable
        Is told what is measured next.

    Returns
    -------
    dict
        `random_decisions_per_second`, and in `policies` for each its name, `decisions_per_second`
        (medians of the runs), `ratio` (of these), `lowest_ratio` and `highest_ratio` (of a run and
        the next one of random play).
    """
    base = _Run(cell_of("random"))
    own: list[dict[str, Any]] = []
    base_rates: list[float] = []
    for name in names:
        say(f"{name}: {runs} runs")
        run = _Run(cell_of(name))
        pairs = [(run.rate(), base.rate()) for _ in range(runs)]
        base_rates += [pair[1] for pair in pairs]
        ratios = [rate / random_rate for rate, random_rate in pairs]
        rate = median(pair[0] for pair in pairs)
        own.append(
            {
                "policy": name,
                "decisions_per_second": rate,
                "ratio": rate / median(pair[1] for pair in pairs),
                "lowest_ratio": min(ratios),
                "highest_ratio": max(ratios),
            }
        )
    return {"random_decisions_per_second": median(base_rates), "policies": own}


class _Run:
    """Plays the same block again and again."""

    def __init__(self, cell: Cell) -> None:
        from simcore.batch import play

        self._cell = cell
        self._matches = 16
        play(cell, 0, 1)
        while self._play()[1] < RUN_SECONDS:
            self._matches *= 2

    def _play(self) -> tuple[int, float]:
        from studies.check.speed import play_through

        started = time.process_time()
        decisions = play_through(self._cell, self._matches)
        return decisions, time.process_time() - started

    def rate(self) -> float:
        """Return the decisions a second of processor time of another run."""
        decisions, used = self._play()
        return decisions / used
