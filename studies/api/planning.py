"""How many matches a study needs: `plan`, and what it found."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.game import get_game
from studies.api.asked import thread_count
from studies.api.document import Study, checked, study_of
from studies.api.own import Strategies, use_policies
from studies.api.plan_asked import (
    Amount,
    pilot_deals,
    read_target,
    refuse_changes,
    stored_study,
)
from studies.api.results import Results
from studies.api.shown import page, table
from studies.api.watching import watched

if TYPE_CHECKING:
    import polars as pl

    from studies.design.study import Study as Checked
    from studies.run.pairings import Pairing
    from studies.run.planning import StudyNeed, Target
    from studies.run.run import Watcher
    from studies.stats.intervals import Interval


class Planned:
    """How many matches a study needs, from `plan`.

    Attributes
    ----------
    matches : int
        Match numbers a cell, as `matches` in a study file: those of the cell that needs most.
    between : (float, float)
        95 % bounds that the pilot leaves to that number; they may be infinite.
    seconds, bytes : float
        About what all cells take with so many, on this machine.

    Examples
    --------
    >>> import cardlab
    >>> planned = cardlab.plan("tour", half_width=2)
    >>> planned.between[0] < planned.matches < planned.between[1]
    True
    """

    def __init__(self, need: StudyNeed) -> None:
        self.need = need
        self.matches = int(need.deals.estimate)
        self.between = (need.deals.low, need.deals.high)
        self.seconds, self.bytes = need.cost.seconds, need.cost.bytes

    @property
    def cells(self) -> pl.DataFrame:
        """What each cell needs, one row a cell.

        Baselines that variants are compared with need as many deals as these, and A/A controls
        none: neither has a row.

        Returns
        -------
        polars.DataFrame
            `cell`, `variant`, `lineup`, `point` (the sweep's values as text), `of` (whose outcome
            needs most deals), `rotations`, `tests` (over which the test is corrected), `variance`
            (of one value a deal, shares as 0 … 1), `deals`, `deals_low`, `deals_high` (needed, with
            95 % bounds; null where the pilot tells none), `matches` (`deals` in all rotations),
            `half_width`, `power` (at the deals that the study has; shares in points), `seconds`,
            `bytes` (at `Planned.matches`).

        Examples
        --------
        >>> import cardlab
        >>> cardlab.plan("duel", half_width=2).cells["variant"].to_list()
        ['dirty']
        """
        import polars as pl

        return pl.DataFrame(self._rows(), infer_schema_length=None)

    @property
    def pairings(self) -> pl.DataFrame:
        """What pairing saves, one row a way of it.

        Returns
        -------
        polars.DataFrame
            `pairing`, `used` (by the study), `ratio` (matches for the same precision, with over
            without it), `low`, `high` (95 %; null where it is a count or few deals tell), `cells`,
            `meaning`.

        Examples
        --------
        >>> import cardlab
        >>> cardlab.plan("duel", half_width=2).pairings["pairing"][0]
        'same deals'
        """
        import polars as pl

        rows = [_pairing_row(one) for one in self.need.pairings]
        return pl.DataFrame(rows, infer_schema_length=None)

    def _rows(self) -> list[dict[str, Any]]:
        from studies.stats.intervals import finite

        need = self.need
        scale = 100 if need.target.is_share else 1
        return [
            {
                "cell": one.cell.id,
                "variant": one.cell.variant,
                "lineup": one.cell.lineup,
                "point": one.cell.point_text,
                "of": one.of,
                "rotations": one.cell.rotations,
                "tests": one.family,
                "variance": one.spread.variance.estimate,
                "deals": _whole(one.deals.estimate),
                "deals_low": _whole(one.deals.low),
                "deals_high": _whole(one.deals.high),
                "matches": _whole(one.deals.estimate * one.cell.rotations),
                "half_width": finite(scale * one.half_width),
                "power": finite(one.power),
                "seconds": need.cost.seconds_of[one.cell.id],
                "bytes": need.cost.bytes_a_row * self.matches * one.cell.rotations,
            }
            for one in need.cells
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data, what `to_json` writes.

        Examples
        --------
        >>> import cardlab
        >>> cardlab.plan("duel", detect=5).to_dict()["power"]
        0.8
        """
        need, target = self.need, self.need.target
        scale = 100 if target.is_share else 1
        return {
            "game": need.study.game,
            "number": target.number,
            "detect" if target.detect else "half_width": scale * target.amount,
            "power": target.power if target.detect else None,
            "level": target.level,
            "matches": self.matches,
            "matches_low": _whole(self.between[0]),
            "matches_high": _whole(self.between[1]),
            "pilot_deals": need.pilot,
            "pilot_from_rows": need.from_rows,
            "matches_to_play": need.cost.rows_left,
            "threads": need.cost.threads,
            "seconds": self.seconds,
            "bytes": self.bytes,
            "cells": self._rows(),
            "pairings": [_pairing_row(one) for one in need.pairings],
        }

    def to_json(self) -> str:
        """Return all of it as one JSON object, as `cardlab plan --json` prints it.

        Examples
        --------
        >>> import cardlab
        >>> cardlab.plan("duel", detect=5).to_json()[:1]
        '{'
        """
        return json.dumps(self.to_dict(), indent=1)

    def __repr__(self) -> str:
        return f"<Planned: {self.words()}>"

    def words(self) -> str:
        """Return the answer in a sentence.

        Examples
        --------
        >>> import cardlab
        >>> cardlab.plan("duel", half_width=2).words().partition(" deals a cell")[1]
        ' deals a cell'
        """
        need = self.need
        return (
            f"{self.matches:,} deals a cell ({between(need.deals)} by a pilot of {need.pilot:,}), "
            f"{need.cost.rows_wanted:,} matches in all, {aim(need.target)}"
        )

    def _repr_html_(self) -> str:
        rows: list[Sequence[object]] = [("variant", "line-up", "at", "of", "deals", "from", "to")]
        rows += [
            (
                one.cell.variant,
                one.cell.lineup,
                one.cell.point_text,
                one.of,
                *(number(value) for value in (one.deals.estimate, one.deals.low, one.deals.high)),
            )
            for one in self.need.cells
        ]
        saved: list[Sequence[object]] = [("pairing", "used", "matches, with over without", "from")]
        saved += [
            (one.name, "yes" if one.used else "no", ratio(one.ratio), one.meaning)
            for one in self.need.pairings
        ]
        return page(self.words(), table(rows), table(saved))


def aim(target: Target) -> str:
    """Say what a target is: "to find a change of 0.5 points … (power 0.8, level 0.05)"."""
    scale, unit = (100, " points") if target.is_share else (1, "")
    amount = f"{scale * target.amount:g}{unit} of {target.number}"
    if target.detect:
        error = f"{1 - target.level:.3g}"
        return f"to find {amount} with power {target.power:g} at level {error}"
    return f"for {100 * target.level:g} % intervals of ±{amount}"


def number(value: float) -> str:
    """Write a number of deals; "?" where none is told."""
    return f"{value:,.0f}" if math.isfinite(value) else "?"


def between(found: Interval) -> str:
    """Write the bounds of a number of deals."""
    return f"{number(found.low)} to {number(found.high)}"


def ratio(found: Interval) -> str:
    """Write a ratio: 0.62 (0.55–0.70); a count alone; "–" where nothing tells."""
    if math.isnan(found.estimate):
        return "–"
    if math.isnan(found.low):
        return f"{found.estimate:.2f} (?)"
    if found.low == found.high:
        return f"{found.estimate:.2f}"
    return f"{found.estimate:.2f} ({found.low:.2f}–{found.high:.2f})"


def _pairing_row(one: Pairing) -> dict[str, Any]:
    from studies.stats.intervals import finite

    counted = one.ratio.low == one.ratio.high
    return {
        "pairing": one.name,
        "used": one.used,
        "ratio": finite(one.ratio.estimate),
        "low": None if counted else finite(one.ratio.low),
        "high": None if counted else finite(one.ratio.high),
        "cells": one.cells,
        "meaning": one.meaning,
    }


def _whole(value: float) -> int | None:
    return int(value) if math.isfinite(value) else None


def plan(
    study: str | Path | Mapping[str, object] | Study | Results,
    *,
    detect: Amount | None = None,
    half_width: Amount | None = None,
    power: float | None = None,
    pilot: int | None = None,
    changes: Mapping[str, object] | None = None,
    strategies: Strategies = None,
    threads: int | None = None,
    progress: bool = False,
) -> Planned:
    """Return how many matches a study needs, what they cost, and what pairing saves.

    A few deals of each cell are played in memory, or those of a study directory are read. Give one
    of `detect` and `half_width`.

    Parameters
    ----------
    study : str, Path, mapping, Study or Results
        As of `run`, or a study directory, whose rows are then the pilot (5,000 deals at most).
    detect : float, str or mapping, optional
        The least change that shall be found: points of win rate per seat (0.5 is half a point), or
        {"turns": 3}, "turns=3": of "win_share" (points), "score" or a metric. Without variants,
        differences of policies. Corrected over as many tests as `Results.compare` has.
    half_width : float, str or mapping, optional
        How far each interval may reach to both sides: the same; also of "another_winner" (points).
    power : float, optional
        How often `detect` shall be found, from 0.5 to below 1; default: 0.8.
    pilot : int, optional
        Deals of each cell, from 20 on; default: 400. Not of a directory, whose rows are taken.
    changes, strategies, threads, progress
        As of `run`; `changes` not of a directory.

    Returns
    -------
    Planned

    Raises
    ------
    InputError
        If anything of it is refused, or the pilot tells nothing.

    Examples
    --------
    >>> import cardlab
    >>> planned = cardlab.plan("quickstart", detect=3, pilot=20)
    >>> planned.matches > 100
    True
    """
    rows, chosen = _meant(study, changes)
    use_policies(strategies, chosen.game)
    target = read_target(get_game(chosen.game), detect, half_width, power)
    deals = pilot_deals(pilot, rows, "pilot")
    with watched(progress=progress) as (line, _):
        return Planned(needed(chosen, target, deals, thread_count(threads), rows, line))


def needed(
    study: Checked,
    target: Target,
    deals: int,
    threads: int,
    rows: Path | None,
    watcher: Watcher | None,
) -> StudyNeed:
    """Plan as `plan` does, with numbers that are checked and policies that are registered."""
    from studies.design.cells import expand
    from studies.run.executors import playable
    from studies.run.planning import needs
    from studies.store.cellfile import stored_cells

    playable.cache_clear()  # a policy may have been defined anew under its name
    cells = expand(study) if rows is None else stored_cells(rows)
    return needs(study, cells, target, deals=deals, threads=threads, rows=rows, watcher=watcher)


def _meant(
    study: str | Path | Mapping[str, object] | Study | Results,
    changes: Mapping[str, object] | None,
) -> tuple[Path | None, Checked]:
    """Return the directory with the pilot's rows, if there is one, and the study."""
    if isinstance(study, Results):
        study = study.directory
    if isinstance(study, str | Path) and (stored := stored_study(study)):
        refuse_changes(study, changes or (), "changes")
        return stored
    return None, checked(study_of(study).changed(changes or {}))
