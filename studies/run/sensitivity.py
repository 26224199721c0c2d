"""Play a study's `[sensitivity]`: all points of its design, on the same deals.

Points that are the same (switches have few levels) are played once. With a directory they are kept
(`studies.run.points`), and so is what they tell. What the outcomes tell is in
`studies.stats.sensitivity`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from simcore.errors import InputError, unknown
from simcore.game import Game, get_game
from simcore.options import show_all
from simcore.records import COMMON_COUNTS
from studies.deals.sums import Columns, by_deal, policy_score, policy_shares, seats_of
from studies.design.cells import Point, StudyCell, sweep_points, unchanged_cell
from studies.design.dials import Dial, Sensitivity, dials_of
from studies.design.keys import Lineup
from studies.design.population import study_lineups
from studies.design.study import Study
from studies.run.executors import play_rotations, playable
from studies.run.points import ExecutorOf, columns_kept, play_points
from studies.stats.intervals import LEVEL, Interval, finite
from studies.stats.sensitivity import design, grouped, rounded, sensitivity
from studies.store.directory import SENSITIVITY, Notice
from studies.store.documents import damaged, sealed_document, write_sealed

if TYPE_CHECKING:
    from studies.run.run import Watcher

Array = np.ndarray[Any, Any]

FEWEST_DEALS = 3
MOST_POINTS = 200_000
ANOTHER_WINNER, ABORTED = "another_winner", "aborted"
OF_POLICIES = ("win_share", "score")
RANKINGS = "rankings.json"


@dataclass(frozen=True)
class DialResult:
    """How much of an outcome's variance a dial is responsible for.

    Attributes
    ----------
    levels : str
        In words.
    first, total : Interval
        Shares of the variance: by itself, and with all its interactions. Not cut at 0 and 1.
    above_next : Interval or None
        By how much the total index is above that of the next dial in the ranking.
    changes : bool
        False where not one deal had another outcome when this dial was turned.
    """

    dial: str
    levels: str
    first: Interval
    total: Interval
    above_next: Interval | None
    changes: bool


@dataclass(frozen=True)
class TableResult:
    """One line-up at one point of the sweep.

    Attributes
    ----------
    mean, variance : Interval
        Of the mean outcome over the dials.
    dials : list of DialResult
        The largest total index first, those that change nothing last.
    points, matches : int
        Different points of the design, and matches played there.
    """

    lineup: str
    point: Point
    mean: Interval
    variance: Interval
    dials: list[DialResult]
    points: int
    matches: int


@dataclass(frozen=True)
class SensitivityResult:
    """What `cardlab sensitivity` found."""

    title: str
    game: str
    outcome: str
    level: float
    samples: int
    deals: int
    tables: list[TableResult]


@dataclass(frozen=True)
class _Table:
    """The points of one line-up: which cell each is, and the cells that are to be played."""

    lineup: str
    point: Point
    dials: list[Dial]
    places: Array
    cells: list[StudyCell]
    base: StudyCell

    @property
    def rows_a_deal(self) -> int:
        return sum(cell.rotations for cell in self.cells)


def run_sensitivity(
    study: Study,
    directory: Path | None = None,
    *,
    level: float = LEVEL,
    threads: int = 1,
    notice: Notice = lambda _: None,
    watcher: Watcher | None = None,
    executor_of: ExecutorOf | None = None,
) -> SensitivityResult:
    """Play a study's design and tell which dial matters.

    Parameters
    ----------
    directory : Path, optional
        Where what is played is kept and what is there is not played again; else nothing is kept.
    executor_of : callable, optional
        Gives with a directory what plays the points; default: threads of this process.

    Raises
    ------
    InputError
        If the study has no `[sensitivity]`, or a dial, the outcome or a combination is refused.
    """
    asked = study.sensitivity
    if asked is None:
        raise InputError(
            "study key sensitivity is missing; allowed: a table with outcome, samples, and "
            'option = [low, high] or [levels], "policy.parameter" = [low, high]'
        )
    if study.matches < FEWEST_DEALS:
        raise InputError(
            f"study key matches = {study.matches} is refused; allowed: {FEWEST_DEALS} or more, "
            "for the noise of deals is told from pairs of them"
        )
    game = get_game(study.game)
    tables = list(_tables(study, asked, game))
    measures = [_measure(game, asked.outcome, table.base) for table in tables]
    another = asked.outcome == ANOTHER_WINNER
    columns_of: ColumnsOf
    if directory is None:
        columns_of = _unkept(study, tables, threads, watcher, another=another)
    else:
        points = [cell for one in tables for cell in (*one.cells, *([one.base] if another else []))]
        there = play_points(
            study,
            points,
            directory,
            threads=threads,
            notice=notice,
            watcher=watcher,
            executor_of=executor_of,
        )

        def columns_of(cell: StudyCell) -> Columns:
            return columns_kept(cell, there[cell.id], study.matches)

    results = []
    for table, measure in zip(tables, measures, strict=True):
        outcomes = _outcomes(table, measure, columns_of, another=another)
        results.append(_result(outcomes, table, study.matches * table.rows_a_deal, level))
    title = study.title or study.name or game.title
    samples = rounded(asked.samples)
    result = SensitivityResult(
        title, game.name, asked.outcome, level, samples, study.matches, results
    )
    if directory is not None:
        path = directory / SENSITIVITY / RANKINGS
        write_sealed(path, {**sealed_document(path), asked.outcome: finite(result)})
    return result


def kept_rankings(directory: Path) -> list[SensitivityResult]:
    """Return what a study directory keeps of sensitivity, one result an outcome.

    Raises
    ------
    DataError
        If it is damaged.
    """
    path = directory / SENSITIVITY / RANKINGS
    try:
        return [_KEPT.validate_python(_with_ends(told)) for told in sealed_document(path).values()]
    except ValidationError as error:
        raise damaged(path, str(error.errors(include_url=False)[0]["msg"])) from None


_KEPT = TypeAdapter(SensitivityResult)
_ENDS = {"estimate": math.nan, "low": -math.inf, "high": math.inf}
"""What stands for null in an interval; JSON has no other number for it."""


def _with_ends(told: Any) -> Any:
    """Return what `finite` was given."""
    if isinstance(told, dict):
        ends = _ENDS if told.keys() == _ENDS.keys() else {}
        return {
            name: ends.get(name) if value is None else _with_ends(value)
            for name, value in told.items()
        }
    return [_with_ends(value) for value in told] if isinstance(told, list) else told


def _tables(study: Study, asked: Sensitivity, game: Game) -> Iterable[_Table]:
    taken: dict[str, Collection[str]] = {"options": study.options, "sweep": study.sweep}
    dials = dials_of(asked.ranges, game, taken)
    samples = rounded(asked.samples)
    if (count := samples * (len(dials) + 2)) > MOST_POINTS:
        raise InputError(
            f"sensitivity: {count:,} points (samples × dials + 2) are refused; allowed: at most "
            f"{MOST_POINTS:,}"
        )
    used: set[str] = set()
    for point in sweep_points(study, game):
        for lineup in study_lineups(study, game):
            ends = {dial.name: dial.levels[0] for dial in dials}
            kept = unchanged_cell(study, game, {**point, **ends}, lineup).point
            own = [dial for dial in dials if dial.name in kept]
            used |= {dial.name for dial in own}
            if own:
                yield _table(study, game, lineup, point, own, samples)
    for dial in dials:
        if dial.name not in used:
            raise InputError(
                f"sensitivity: {dial.name!r} changes no seat: no line-up has this policy with "
                'this parameter left open; allowed: "policy.parameter" of a policy that sits in '
                "a line-up, or an option"
            )


def _table(
    study: Study, game: Game, lineup: Lineup, point: Point, dials: list[Dial], samples: int
) -> _Table:
    cube = design(len(dials), samples, study.seed)
    places = np.empty(cube.shape[:2], dtype=np.int64)
    known: dict[tuple[object, ...], int] = {}
    cells: list[StudyCell] = []
    for index in np.ndindex(places.shape):
        values = tuple(dial.at(float(at)) for dial, at in zip(dials, cube[index], strict=True))
        if values not in known:
            known[values] = len(cells)
            turned = {dial.name: value for dial, value in zip(dials, values, strict=True)}
            cells.append(unchanged_cell(study, game, {**point, **turned}, lineup))
        places[index] = known[values]
    base = unchanged_cell(study, game, point, lineup)
    return _Table(lineup.name, point, dials, places, cells, base)


Measure = Callable[[StudyCell, Columns, Array], Array]
"""Gives the outcome of each deal, from its columns and the winners without changes, all of shape
(deals, rotations)."""


def _measure(game: Game, outcome: str, base: StudyCell) -> Measure:
    """Return how an outcome is measured.

    Raises
    ------
    InputError
        If it is unknown, or of a policy that does not sit in the line-up.
    """
    kind, dot, policy = outcome.partition(".")
    metrics = (*game.metric_names, *COMMON_COUNTS[1:])
    if not dot and kind in (*metrics, ABORTED):
        return lambda _, columns, __: columns[kind].mean(axis=1)
    if outcome == ANOTHER_WINNER:
        return lambda _, columns, before: (columns["winners"] != before).mean(axis=1)
    if dot and kind in OF_POLICIES:
        names = list(dict.fromkeys(map(_policy, base.seats)))
        if policy not in names:
            raise unknown(f"policy of sensitivity.outcome = {outcome!r}:", policy, names)
        return lambda cell, columns, _: _of_policy(kind, policy, cell, columns)
    known = (*metrics, ANOTHER_WINNER, ABORTED, *(f"{one}.POLICY" for one in OF_POLICIES))
    raise unknown("sensitivity.outcome", outcome, known)


def _policy(seat: str) -> str:
    return seat.partition("(")[0]


def _of_policy(kind: str, policy: str, cell: StudyCell, columns: Columns) -> Array:
    """Return win rate (of all matches; shared wins in parts) or score, per seat of a policy."""
    tables = seats_of(cell)
    own = [place for place, name in enumerate(tables.policies) if _policy(name) == policy]
    held = sum(tables.held[place] for place in own) * cell.rotations
    if kind == "score":
        total = sum(policy_score(tables.seats[place], columns) for place in own)
        return np.asarray(total / held)
    shares = policy_shares(tables, columns["winners"])
    return np.asarray(sum(shares[place] for place in own) / (held * tables.unit))


ColumnsOf = Callable[[StudyCell], Columns]
"""Gives the columns of a point, of shape (deals, rotations)."""


def _unkept(
    study: Study,
    tables: Collection[_Table],
    threads: int,
    watcher: Watcher | None,
    *,
    another: bool,
) -> ColumnsOf:
    """Return what plays a point when it is asked for."""
    if watcher:
        rows = sum(one.rows_a_deal + another * one.base.rotations for one in tables)
        watcher.begin(rows * study.matches, sum(len(one.cells) for one in tables))

    def columns_of(cell: StudyCell) -> Columns:
        flat, _ = play_rotations(playable(cell), 0, study.matches, cell.rotations, threads=threads)
        if watcher:
            watcher.advance(study.matches * cell.rotations, 0)
        return by_deal(flat, cell.rotations)

    return columns_of


def _outcomes(table: _Table, measure: Measure, columns_of: ColumnsOf, *, another: bool) -> Array:
    """Return the outcomes of the different points: float64[points, deals or groups of deals]."""
    before = columns_of(table.base)["winners"] if another else np.empty(0)
    return np.stack([grouped(measure(cell, columns_of(cell), before)) for cell in table.cells])


def _result(outcomes: Array, table: _Table, matches: int, level: float) -> TableResult:
    by_point = outcomes[table.places]
    found = sensitivity(by_point, level)
    changes = [bool((turned != by_point[0]).any()) for turned in by_point[2:]]
    order = sorted(
        range(len(changes)),
        key=lambda place: (not changes[place], -found.total[place].estimate, place),
    )
    following = dict(itertools.pairwise(order))
    return TableResult(
        lineup=table.lineup,
        point=table.base.point,
        mean=found.mean,
        variance=found.variance,
        dials=[
            DialResult(
                dial=table.dials[place].name,
                levels=table.dials[place].words,
                first=found.first[place],
                total=found.total[place],
                above_next=found.difference(place, following[place])
                if place in following
                else None,
                changes=changes[place],
            )
            for place in order
        ],
        points=len(table.cells),
        matches=matches,
    )


def table_words(table: TableResult) -> str:
    """Return the line-up and the sweep point of a table in words."""
    return f"line-up {table.lineup}" + (f", {show_all(table.point)}" if table.point else "")
