"""How many matches a study needs, from a pilot or from stored matches."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.catalogue import get_game
from simcore.errors import InputError, unknown
from studies.design.document import shorten
from studies.operations.arguments import (
    finite_number,
    from_half,
    refuse_idle,
    thread_count,
    whole_number,
)
from studies.operations.compare import WIN_RATE
from studies.operations.results import Results
from studies.operations.study import Players, Study, checked_study
from studies.operations.user_code import Strategies, given_policies
from studies.render import Column, Page, Shown, Table, counted, narrowed, plain
from studies.run.progress import watched

if TYPE_CHECKING:
    import polars as pl

    from studies.answers.plan import Need
    from studies.design.cells import StudyCell
    from studies.design.study import Study as Checked
    from studies.run.estimate import Estimate

PILOT = 400
PILOT_LOW, PILOT_HIGH = 20, 1_000_000
POWER = 0.8
LEVEL = 0.95
ANOTHER_WINNER = "another_winner"
POINTS = (WIN_RATE, ANOTHER_WINNER)
"""Numbers given in points, hundredths."""

AMOUNT = "a number above 0 (points of win rate, below 100), or NAME=number: score=5"
MOST_ROWS = 25

Amount = float | str | Mapping[str, float]
"""Points of win rate, "NAME=AMOUNT", or {NAME: AMOUNT}."""


@dataclass(frozen=True)
class Target:
    """What the study should achieve.

    Attributes
    ----------
    number : str
    amount : float
        Smallest change to detect, or half-width; shares from 0 to 1.
    detect : bool
        Whether a change should be detected, or an interval should be narrow.
    power : float
    """

    number: str
    amount: float
    detect: bool
    power: float

    @property
    def scale(self) -> int:
        """Factor that converts shares to points."""
        return 100 if self.number in POINTS else 1

    def __str__(self) -> str:
        unit = " points" if self.number in POINTS else ""
        amount = f"{self.scale * self.amount:g}{unit} of {self.number}"
        if self.detect:
            error = f"{1 - LEVEL:.3g}"
            return f"to find {amount} with power {self.power:g} at level {error}"
        return f"for {100 * LEVEL:g} % intervals of ±{amount}"


@dataclass(frozen=True, repr=False)
class Planned(Shown):
    """How many matches a study needs, from `plan`.

    Attributes
    ----------
    needs : list of Need
        One per cell: the outcome that needs most deals, and how many.
    pilot : int
        Deals in the pilot.

    Examples
    --------
    >>> import cardlab
    >>> planned = cardlab.plan("tour", half_width=2)
    >>> planned.between[0] < planned.matches < planned.between[1]
    True
    """

    study: Checked
    target: Target
    needs: Sequence[Need]
    pilot: int
    from_rows: bool
    cost: Estimate
    where: str = "STUDY"

    @property
    def most(self) -> Need:
        """The cell that needs most deals."""
        return max(self.needs, key=lambda need: need.deals)

    @property
    def matches(self) -> int:
        """Deals per cell, as `matches` in a study file: those of the cell that needs most."""
        deals: float = self.most.deals
        return math.ceil(deals)

    @property
    def between(self) -> tuple[float, float]:
        """95 % bounds for that number from the pilot; they may be infinite."""
        return self.most.low, self.most.high

    @property
    def cells(self) -> pl.DataFrame:
        """What each cell needs, one row per cell.

        Baselines need as many deals as the variants compared with them, and A/A controls need
        none; neither has a row.

        Returns
        -------
        polars.DataFrame
            `cell`, `variant`, `lineup`, `point` (the sweep's values as text), `of` (whose outcome
            needs most deals), `rotations`, `tests` (over which the test is corrected), `deals`,
            `deals_low`, `deals_high` (needed, with 95 % bounds; null where the pilot tells none),
            `matches` (`deals` in all rotations), `half_width`, `power` (at the deals that the study
            has; shares in points), `seconds` (of what is still to be played of all cells' deals).
        """
        import polars as pl

        rows = []
        for need in sorted(self.needs, key=lambda need: -need.deals):
            cell: Any = need.cell
            rows.append(
                {
                    "cell": cell.id,
                    "variant": cell.variant,
                    "lineup": cell.lineup,
                    "point": cell.point_text,
                    "of": need.of,
                    "rotations": cell.rotations,
                    "tests": need.family,
                    "deals": _whole(need.deals),
                    "deals_low": _whole(need.low),
                    "deals_high": _whole(need.high),
                    "matches": _whole(need.deals * cell.rotations),
                    "half_width": plain(self.target.scale * need.half_width),
                    "power": plain(need.power),
                    "seconds": self.cost.seconds_of.get(cell.id),
                }
            )
        return pl.DataFrame(rows, infer_schema_length=None)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, which `to_json` writes."""
        target = self.target
        return {
            "game": self.study.game,
            "number": target.number,
            "detect" if target.detect else "half_width": target.scale * target.amount,
            "power": target.power if target.detect else None,
            "level": LEVEL,
            "matches": self.matches,
            "matches_low": _whole(self.between[0]),
            "matches_high": _whole(self.between[1]),
            "pilot_deals": self.pilot,
            "pilot_from_rows": self.from_rows,
            "matches_to_play": self.cost.rows_left,
            "threads": self.cost.threads,
            "seconds": self.cost.seconds,
            "bytes": self.cost.bytes,
            "cells": self.cells.to_dicts(),
        }

    def to_json(self) -> str:
        """Return everything as one JSON object, as `cardlab plan --json` prints it."""
        return json.dumps(self.to_dict(), indent=1)

    def page(self) -> Page:
        """Return what people read."""
        from studies.run.progress import duration, size

        now = Column("half_width", "± now", lambda row: _number(row["half_width"]))
        if self.target.detect:
            now = Column("power", "power now, %", lambda row: _number(row["power"], 100))
        columns = (
            Column("variant"),
            Column("lineup", "line-up"),
            *([Column("point", "at")] if any(need.cell.point for need in self.needs) else []),
            Column("of", drop_priority=1),
            Column("deals", form="count"),
            Column("deals_low", "from", "count"),
            Column("deals_high", "to", "count"),
            now,
        )
        source = (
            f"the first {counted(self.pilot, 'deal')} of each cell"
            if self.from_rows
            else f"{counted(self.pilot, 'deal')} of each cell, played"
        )
        notes = [
            (
                f"Pilot: {source}. From … to: the 95 % bounds that its variance leaves. “Now” is "
                f"at the {self.study.matches:,} deals that the study has."
            )
        ]
        if self.target.detect:
            tests = " or ".join(
                f"{count:,}" for count in sorted({need.family for need in self.needs})
            )
            notes.append(
                f"Tests are corrected over the {tests} that compare has of them, as if by "
                "Bonferroni: Holm's method, which it uses, finds no less."
            )
        present = f", {self.cost.rows_present:,} of them there" if self.cost.rows_present else ""
        notes.append(
            f"All cells with {self.matches:,} deals: {self.cost.rows_wanted:,} matches{present}; "
            f"about {duration(self.cost.seconds)} on {counted(self.cost.threads, 'thread')} (from "
            f"short trials) and {size(self.cost.bytes)} of disk."
        )
        if self.study.goal:
            notes.append("Cells that reach the study's [goal] before that stop there.")
        table = narrowed(Table(self.cells, columns, f"Needed {self.target}"), MOST_ROWS, "--csv")
        return [table, *notes, f"cardlab run {self.where} --matches {self.matches}"]


def _whole(value: float) -> int | None:
    return math.ceil(value) if math.isfinite(value) else None


def _number(value: float | None, scale: float = 1) -> str:
    return "?" if value is None else f"{scale * value:.3g}"


def plan(
    study: str | Path | Mapping[str, object] | Study | Results,
    *,
    detect: Amount | None = None,
    half_width: Amount | None = None,
    power: float | str | None = None,
    pilot: int | str | None = None,
    players: Players = None,
    set: Mapping[str, object] | None = None,
    strategies: Strategies = None,
    threads: int | str | None = None,
    trust: bool = False,
    progress: bool = False,
) -> Planned:
    """Estimate how many matches a study needs, and how long they take.

    A pilot is played in memory; nothing is written. Give either `detect` or `half_width`. A change
    counts as detected at level 0.05, corrected for all tests that `cardlab compare` makes. Without
    variants, the plan is for differences between policies.

    Parameters
    ----------
    study : str, Path, mapping, Study or Results
        A study file (TOML), the name of a study in the library, or a study directory whose matches
        serve as the pilot.

        Or a study as a mapping or as an object, or results.
    detect : float, str or mapping, optional
        The smallest change to detect: in points of win rate per seat (0.5 is half a point), or in
        the score (score=5), a metric or a measure.

        By name also as a mapping: {"turns": 3}; "win_rate" is in points, too.
    half_width : float, str or mapping, optional
        Instead, the largest half-width of each interval; another_winner=0.5 works, too.
    power : float, optional
        The probability of detecting it, from 0.5 to below 1; default: 0.8.
    pilot : int, optional
        Deals per cell in the pilot, at least 20; default: 400. Not with a study directory.
    players, set, strategies, threads, trust, progress
        As in `run`; `players` and `set` not with a directory.

    Examples
    --------
    >>> import cardlab
    >>> planned = cardlab.plan("quickstart", detect=3, pilot=20)
    >>> planned.matches > 100
    True
    """
    from studies.answers.plan import needs
    from studies.design.cells import expand
    from studies.run.estimate import estimate, pilot_totals

    workers = thread_count(threads)
    stored = _stored(study, trust=trust)
    if stored is not None and (set or players is not None):
        raise InputError(
            f"{'set' if set else 'players'} is refused for the study directory "
            f"{shorten(str(stored.directory))!r}: its matches are of the study as it was run; "
            "allowed: with a study file, or a name of the library"
        )
    if stored is not None:
        why = f"for the study directory {shorten(str(stored.directory))!r}, which is the pilot"
        refuse_idle("pilot", pilot, why, "with a study file, or a name of the library")
    deals = whole_number("pilot", PILOT if pilot is None else pilot, PILOT_LOW, PILOT_HIGH)
    parsed: Checked
    if stored is not None:
        parsed = stored.stored.study
    else:
        assert not isinstance(study, Results)
        parsed, _ = checked_study(study, players=players, set=set, trust=trust)
    policies = given_policies(strategies, parsed.game)
    measures = parsed.study_measures
    known = [measure.name for measure in measures]
    target = read_target(parsed.game, detect, half_width, power, known)
    with watched(progress=progress) as (line, _):
        cells: Sequence[StudyCell]
        if stored is not None:
            cells = [replace(cell, policies=policies) for cell in stored.stored.cells]
            totals_of: Any = stored.stored.totals
            deals = min((stored.stored.deals(cell) for cell in cells), default=0)
        else:
            cells = expand(parsed, policies)
            pilot_sums = pilot_totals(cells, deals, workers, line, measures)
            totals_of = lambda cell: pilot_sums.get(cell.id)  # noqa: E731
        wanted = needs(
            cells,
            totals_of,
            target.number,
            half_width=None if target.detect else target.amount,
            detect=target.amount if target.detect else None,
            power=target.power,
            level=LEVEL,
            deals=parsed.matches,
            measures=measures,
        )
    if not wanted:
        raise InputError(f"the pilot tells nothing of {target.number}; allowed: a larger pilot")
    most = max(need.deals for need in wanted)
    if not math.isfinite(most):
        raise InputError(
            f"a pilot of {counted(deals, 'deal')} does not tell how many are needed {target}; "
            "allowed: a larger pilot"
        )
    larger = parsed.model_copy(update={"matches": math.ceil(most)})
    place = None if stored is None else stored.directory
    cost = estimate(larger, cells, place, workers)
    where = str(study) if isinstance(study, str | Path) else "STUDY"
    if stored is not None:
        where = f"{stored.directory}/study.toml --out {stored.directory}"
    return Planned(parsed, target, wanted, deals, stored is not None, cost, where)


def _stored(study: object, *, trust: bool) -> Results | None:
    """Return the results of a study directory; None if `study` is not one."""
    from studies.design.study import library_names
    from studies.manifest import NAME
    from studies.store.files import locate
    from studies.store.opened import prepare_files

    if isinstance(study, Results):
        prepare_files(study.directory, "a plan", trust=trust or study.trust)
        return Results(study.directory, trust=True)
    if not isinstance(study, str | Path) or str(study) in library_names():
        return None
    try:
        is_directory = (locate(study) / NAME).is_file()
    except (OSError, ValueError):
        return None
    if not is_directory:
        return None
    # How long matches take is told by playing some.
    prepare_files(locate(study), "a plan", trust=trust)
    return Results(study, trust=True)


def read_target(
    game: str,
    detect: Amount | None,
    half_width: Amount | None,
    power: object,
    measures: Sequence[str] = (),
) -> Target:
    """Return the target."""
    named = (("detect", detect), ("half_width", half_width))
    given = [(name, amount_given) for name, amount_given in named if amount_given is not None]
    if len(given) != 1:
        raise InputError(
            f"detect and half_width are both {'given' if given else 'missing'}; allowed: one of "
            "them, as in 0.5 (points of win rate) or score=5"
        )
    called, value = given[0]
    wanted, amount = _read_amount(called, value)
    known = [WIN_RATE, "score", *get_game(game).metric_names, *measures]
    if detect is None:
        known.insert(1, ANOTHER_WINNER)
        why = "with half_width: a width is reached or not"
        refuse_idle("power", power, why, "with detect")
    if wanted not in known:
        raise unknown(f"{called} name", wanted, known, f"of {game}")
    allowed = "a number from 0.5 to below 1, as in 0.8"
    share = from_half("power", POWER if power is None else power, allowed)
    points = wanted in POINTS
    if amount <= 0 or (points and amount >= 100):
        raise InputError(f"{called} {shorten(repr(value))} is refused; allowed: {AMOUNT}")
    return Target(wanted, amount / 100 if points else amount, detect is not None, share)


def _read_amount(called: str, value: Amount) -> tuple[str, float]:
    """Read AMOUNT, NAME=AMOUNT or {NAME: AMOUNT}."""
    if isinstance(value, Mapping):
        if len(value) != 1:
            raise InputError(
                f"{called} {shorten(repr(value))} is refused; allowed: one name with its amount, "
                'as in {"score": 5}'
            )
        name, amount = next(iter(value.items()))
        return str(name), finite_number(called, amount, AMOUNT)
    if isinstance(value, str):
        name, equals, text = value.rpartition("=")
        return (name.strip() if equals else WIN_RATE), finite_number(called, text, AMOUNT)
    return WIN_RATE, finite_number(called, value, AMOUNT)
