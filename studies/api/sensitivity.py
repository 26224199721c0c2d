"""Which dial matters, and how that shows itself."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from simcore.options import show_all
from studies.api.asked import MATCHES_HIGH, level_of, whole_number, worker_count
from studies.api.document import Study, checked, study_of
from studies.api.own import Strategies, use_policies
from studies.api.shown import page, table
from studies.api.watching import Say, watched

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

    from studies.design.cells import StudyCell
    from studies.design.study import Study as Checked
    from studies.run.executors import Executor
    from studies.run.run import Watcher
    from studies.run.sensitivity import SensitivityResult
    from studies.stats.intervals import Interval


class Sensitivity:
    """How much of an outcome's variance each dial is responsible for, from `sensitivity`.

    Attributes
    ----------
    outcome : str
    level : float
        Of every interval.

    Examples
    --------
    >>> import cardlab
    >>> found = cardlab.sensitivity({
    ...     "game": "uno", "matches": 5, "options": {"rounds": 1},
    ...     "lineups": [{"name": "four", "seats": ["random"]}],
    ...     "sensitivity": {"outcome": "turns", "samples": 16, "must_play": [False, True],
    ...                     "hand_size": [3, 9]}})
    >>> found.ranking.columns[:4]
    ['lineup', 'point', 'dial', 'levels']
    """

    def __init__(self, result: SensitivityResult) -> None:
        self.result = result
        self.outcome = result.outcome
        self.level = result.level

    @property
    def ranking(self) -> pl.DataFrame:
        """The dials of each line-up and point, the one with the largest total index first.

        Returns
        -------
        polars.DataFrame
            `lineup`, `point` (the sweep's values as text), `dial`, `levels`, `total`, `total_low`,
            `total_high` (share of the variance, with all interactions), `first`, `first_low`,
            `first_high` (by itself), `above_next`, `above_next_low`, `above_next_high` (total less
            that of the next row; null in the last), `changes` (false: turning it changed nothing).

        Examples
        --------
        >>> import cardlab
        >>> study = {"game": "uno", "matches": 5, "options": {"rounds": 1},
        ...     "lineups": [{"name": "four", "seats": ["random"]}],
        ...     "sensitivity": {"outcome": "turns", "samples": 16, "hand_size": [3, 9]}}
        >>> cardlab.sensitivity(study).ranking["levels"].to_list()
        ['3…9']
        """
        import polars as pl

        rows = [
            {
                "lineup": own.lineup,
                "point": show_all(own.point),
                "dial": dial.dial,
                "levels": dial.levels,
                **_bounds("total", dial.total),
                **_bounds("first", dial.first),
                **_bounds("above_next", dial.above_next),
                "changes": dial.changes,
            }
            for own in self.result.tables
            for dial in own.dials
        ]
        return pl.DataFrame(rows)

    def figure(self, *, narrow: bool = False) -> Figure:
        """Return bars of both indices with their intervals, a row a dial.

        Examples
        --------
        >>> import cardlab
        >>> study = {"game": "uno", "matches": 5, "options": {"rounds": 1},
        ...     "lineups": [{"name": "four", "seats": ["random"]}],
        ...     "sensitivity": {"outcome": "turns", "samples": 16, "hand_size": [3, 9]}}
        >>> type(cardlab.sensitivity(study).figure()).__name__
        'Figure'
        """
        from studies.plots import sensitivity_bars
        from studies.plots.paper import to_figure
        from studies.show.sensitivity_tables import bars

        return to_figure(sensitivity_bars(bars(self.result), narrow=narrow))

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data, what `to_json` writes.

        Examples
        --------
        >>> import cardlab
        >>> study = {"game": "uno", "matches": 5, "options": {"rounds": 1},
        ...     "lineups": [{"name": "four", "seats": ["random"]}],
        ...     "sensitivity": {"outcome": "turns", "samples": 16, "hand_size": [3, 9]}}
        >>> cardlab.sensitivity(study).to_dict()["tables"][0]["dials"][0]["dial"]
        'hand_size'
        """
        from studies.stats.intervals import finite

        told: dict[str, Any] = finite(self.result)
        return told

    def to_json(self) -> str:
        """Return all of it as one JSON object, as `cardlab sensitivity --json` prints it.

        An interval without an end has null there.

        Examples
        --------
        >>> import cardlab
        >>> study = {"game": "uno", "matches": 5, "options": {"rounds": 1},
        ...     "lineups": [{"name": "four", "seats": ["random"]}],
        ...     "sensitivity": {"outcome": "turns", "samples": 16, "hand_size": [3, 9]}}
        >>> cardlab.sensitivity(study).to_json()[:1]
        '{'
        """
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False)

    def __repr__(self) -> str:
        return f"<Sensitivity of {self.outcome}: {self._head()}>"

    def _head(self) -> str:
        first = self.result.tables[0]
        return ", ".join(f"{one.dial} {100 * one.total.estimate:.0f} %" for one in first.dials)

    def _repr_html_(self) -> str:
        from studies.show.sensitivity_tables import bars

        rows: list[Sequence[object]] = [("dial", "total index, %", "from", "to")]
        for name, total, _ in bars(self.result):
            values = (total.estimate, total.low, total.high)
            rows.append((name, *(f"{100 * value:.1f}" for value in values)))
        return page(f"Which dial matters for {self.outcome}", table(rows))


def _bounds(name: str, interval: Interval | None) -> dict[str, float | None]:
    ends = dataclasses.asdict(interval) if interval else dict.fromkeys(("estimate", "low", "high"))
    return {name if end == "estimate" else f"{name}_{end}": value for end, value in ends.items()}


def sensitivity(
    study: str | Path | Mapping[str, object] | Study,
    directory: str | Path | None = None,
    *,
    matches: int | None = None,
    level: float = 0.95,
    strategies: Strategies = None,
    threads: int | None = None,
    scheduler: str | None = None,
    progress: bool = False,
) -> Sensitivity:
    """Tell which of a study's options and policy parameters matters for an outcome.

    Parameters
    ----------
    study : str, path, mapping or Study
        As of `run`, with a table `sensitivity`: `outcome`, `samples`, and the dials with their
        ranges. Its variants, factors and goal play no part.
    directory : str or path, optional
        A study directory, or any fsspec address, in which what is played is kept under
        `sensitivity/`: it goes on there when it was stopped, and its `report` shows the ranking. By
        default nothing is kept.
    matches : int, optional
        Deals on which all points are played, in place of the study's.
    level : float
        Of every interval, from 0.5 to below 1.
    strategies, threads, progress
        As of `simulate`.
    scheduler : str, optional
        As of `run`; with a directory.

    Returns
    -------
    Sensitivity

    Raises
    ------
    InputError
        If anything of it is refused.
    KeyboardInterrupt
        If it is interrupted; what had been finished is kept in the directory.

    Examples
    --------
    >>> import cardlab
    >>> study = {"game": "uno", "matches": 5, "options": {"rounds": 1},
    ...     "lineups": [{"name": "four", "seats": ["random"]}],
    ...     "sensitivity": {"outcome": "turns", "samples": 16, "hand_size": [3, 9]}}
    >>> cardlab.sensitivity(study).ranking["dial"].to_list()
    ['hand_size']
    """
    own = study_of(study)
    if matches is not None:
        own = own.changed({"matches": whole_number("matches", matches, 1, MATCHES_HIGH)})
    chosen, workers = level_of(level, "level"), worker_count(threads, scheduler)
    asked = checked(own)
    paths, functions = use_policies(strategies, asked.game)
    if scheduler is not None and (directory is None or functions):
        needed = "a directory" if directory is None else "policies in files, which travel"
        raise InputError(f"scheduler = {scheduler!r} is refused; allowed: with {needed}")

    from studies.store.location import locate

    with watched(progress=progress) as (line, remark):
        return play_sensitivity(
            asked,
            locate(directory) if directory is not None else None,
            level=chosen,
            threads=workers,
            paths=paths,
            scheduler=scheduler,
            watcher=line,
            notice=remark,
        )


def play_sensitivity(
    study: Checked,
    directory: Path | None,
    *,
    level: float,
    threads: int,
    paths: Sequence[Path],
    scheduler: str | None,
    watcher: Watcher | None,
    notice: Say,
) -> Sensitivity:
    """Play a study's design, on this machine or on a cluster; raise as `sensitivity`."""
    from studies.run.executors import playable
    from studies.run.sensitivity import run_sensitivity

    playable.cache_clear()  # a policy may have been defined anew under its name
    with ExitStack() as stack:

        def executor_of(points: Sequence[StudyCell]) -> Executor:
            from studies.run.cluster import connected

            assert scheduler is not None
            return stack.enter_context(connected(scheduler, points, paths, threads))

        return Sensitivity(
            run_sensitivity(
                study,
                directory,
                level=level,
                threads=threads,
                watcher=watcher,
                notice=notice,
                executor_of=executor_of if scheduler is not None else None,
            )
        )
