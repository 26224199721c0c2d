"""All answers of a study in one long frame, a row per number.

Cells of a line-up and a sweep point are a *table*: the baseline, and variants on the same deals.
Each table has levels, changes and differences; numbers that span variants and tables (interactions,
factors, points, populations, ratings) are arithmetic on the same estimates.

Columns: the sweep's keys, then

- `lineup`, `variant`, `kind`, `who` ("" the match, "policy NAME" per seat held, "position K" with 0
  for `first_seat`, clockwise), `number`, `against`;
- `baseline`: for changes, the level without the variant; `estimate`, `low`, `high`: null without
  an interval; `p`, and `p_holm` over all p of the same `family`; `low_all`, `high_all`:
  simultaneous bounds for the family;
- `deals`, `matches`, `count` (events, of shares of matches); `margin`, `p_equivalent` (corrected
  over all margins of the study), `equivalent`; `constant`: whether every deal has this value.

Kinds: see `KINDS`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from studies.answers.estimate import LEVEL, Estimate, change, stack
from studies.answers.frame_builder import (
    FIRST_SEAT,
    LENGTH,
    POLICIES,
    SEATS,
    WON,
    Claim,
    FrameBuilder,
)
from studies.answers.levels import (
    ANOTHER,
    Key,
    constants,
    counts,
    keys_of,
    levels,
    moved,
    of_teams,
    seatings,
    teams_of,
)
from studies.answers.table import Load, Place, TableAnswers
from studies.answers.totals import Totals
from studies.measures import (
    BASELINE,
    DECIDED_LENGTH,
    LENGTHS,
    NOBODY,
    Measure,
    Table,
    measures_of,
)

if TYPE_CHECKING:
    import polars as pl

Array = np.ndarray[Any, Any]

KINDS = {
    "level": "the baseline's; of a variant another_winner, unrelated, agreement and in_play",
    "after": "a variant's own numbers",
    "change": "a variant's number less the baseline's on the same deals",
    "relative": "the same in parts of the baseline's: after / before - 1",
    "seating": "the win rate of the policy `who` where it sits at the position `against`",
    "difference": "`who` less `against`, under the baseline; of two variants: another_winner",
    "interaction": "what two variants change together less what each changes alone",
    "factor": "a factor's effect, over the levels of the others; or two factors' interplay",
    "point": "a number or a change here less that at `against`, another point of the sweep",
    "population": "the mean over tables drawn from a population",
    "prediction": "where a table not yet drawn would lie",
    "strength": "log-odds of winning against a policy of mean strength; `against`: less that one's",
    "payoff": "win rate of `who` over that of both, where the two meet: 0.5 is even",
    "variance": "what share of the variance of who wins is due to cards, seat, policy, the rest",
    "quantile": "quantiles of lengths and the like, with intervals by deal",
}

MOST_PAIRED = 30
"""The most variants of a table to compare in pairs by how often they move the win."""


@dataclass
class Answers:
    """All answers of a study.

    Attributes
    ----------
    frame : polars.DataFrame
    notes : list of str
        Missing answers, with reasons.
    claims : list of Claim
        The rows from which headlines pick.
    """

    frame: pl.DataFrame
    level: float
    notes: list[str]
    claims: list[Claim]


def answers(
    cells: Sequence[Table],
    totals: Load,
    *,
    level: float = LEVEL,
    margins: Mapping[str, float] | None = None,
    study: Any = None,
    measures: Sequence[Measure] = (),
    metrics: Sequence[str] | None = None,
    brief: bool = False,
) -> Answers:
    """Return all answers of a study.

    Parameters
    ----------
    cells : sequence of Table
        The cells, in order; the variant with the unchanged rules is "baseline".
    totals : callable
        Returns the sums of a cell; None if nothing was played.
    level : float
        Confidence level of every interval.
    margins : mapping of str to float
        Number -> change up to which rules count as equivalent.
    study : Study, optional
        For its `factors` and `population`.
    measures : sequence of Measure
        Users' measures, besides the built-in ones; the totals must include them.
    metrics : sequence of str, optional
        As in `studies.measures.measures_of`, for rows from elsewhere.
    brief : bool
        Without the rows that neither a screen nor a page shows, which take a while: points of a
        sweep against each other, predictions, and numbers under a variant other than lengths.
    """
    from studies.answers import contrasts, distribution, luck, population, ratings

    builder = FrameBuilder(level, margins or {}, is_brief=brief)
    population_of_tables = getattr(study, "population", None)
    drawn = population_of_tables.names if population_of_tables else ()
    notes: list[str] = []
    tables: list[TableAnswers] = []
    for members in tables_of(cells).values():
        base = next((cell for cell in members if cell.variant == BASELINE), None)
        played = {} if base is None else {cell.variant: totals(cell) for cell in members}
        base_totals = played.get(BASELINE)
        if base is None or base_totals is None or not base_totals.deals:
            notes += [f"{_label(cell)}: no matches of the baseline" for cell in members[:1]]
            continue
        keys = _keys_that_vary(base, measures_of(base, measures, metrics), played.values())
        table = TableAnswers(
            Place(base.point, base.lineup),
            base,
            keys,
            totals,
            groups=base_totals.used,
            is_drawn=base.lineup in drawn,
        )
        _add_levels(builder, table, base_totals)
        notes += _not_compared(table)
        tables.append(table)
        moves: dict[str, Estimate] = {}
        for cell in members:
            if cell is not base:
                _add_variant(
                    builder, table, cell, (base_totals, played[cell.variant]), notes, moves
                )
        _pairs_of_variants(builder, table, moves)
        contrasts.add_within(builder, table, study)
        notes += luck.add(builder, table, base_totals)
        distribution.add(builder, table, base_totals)
    groups = max((table.groups for table in tables), default=0)
    for table in tables:
        table.groups = groups
    if not brief:
        contrasts.add_points(builder, tables)
    population.add(builder, tables, study)
    notes += ratings.add(builder, tables)
    return Answers(builder.frame(), level, list(dict.fromkeys(notes)), builder.claims)


def levels_frame(
    cell: Table,
    totals: Totals,
    *,
    level: float = LEVEL,
    measures: Sequence[Measure] = (),
    metrics: Sequence[str] | None = None,
) -> pl.DataFrame:
    """Return the frame of a single cell, for `simulate`."""
    return answers([cell], lambda _: totals, level=level, measures=measures, metrics=metrics).frame


def tables_of(cells: Sequence[Table]) -> dict[str, list[Table]]:
    """Return cells grouped by line-up and sweep point."""
    tables: dict[str, list[Table]] = {}
    for cell in cells:
        key = json.dumps([cell.lineup, cell.point], sort_keys=True, default=str)
        tables.setdefault(key, []).append(cell)
    return tables


def _keys_that_vary(
    base: Table, measures: Sequence[Measure], played: Iterable[Totals | None]
) -> list[Key]:
    """Return the numbers of a table.

    Where one policy holds all seats its win rate is fixed; where no match was aborted the length of
    decided matches is that of all; and how often all lose is left out where they never do.
    """
    alone = len(set(base.seats)) == 1
    sums = [cell_totals for cell_totals in played if cell_totals is not None]
    aborted, lost = (
        any(cell_totals.total(name) for cell_totals in sums) for name in ("aborted", NOBODY.name)
    )
    return [
        key
        for key in keys_of(base, measures)
        # An older version of cardlab kept no sums of it.
        if (
            key.kind != DECIDED_LENGTH
            or (aborted and all(key.number in cell_totals.sums for cell_totals in sums))
        )
        and not (alone and key.kind == "win_rate" and key.who.startswith("policy"))
        and (lost or key.number != NOBODY.name)
    ]


def _label(cell: Table) -> str:
    point = ", ".join(f"{key} = {value}" for key, value in cell.point.items())
    return ", ".join(part for part in (cell.variant, f"line-up {cell.lineup}", point) if part)


def _add_levels(builder: FrameBuilder, table: TableAnswers, totals: Totals) -> None:
    base, keys = table.base, table.keys
    add = partial(builder.add, table.place, BASELINE)
    level = levels(totals, base, keys, totals.used)
    even = 1 / len(base.seats)
    rows = add(
        "level",
        [key.name for key in keys],
        level,
        family=[_level_family(key) for key in keys],
        null=even,
        matches=totals.matches,
        count=counts(totals, keys),
        constant=constants(totals, keys),
    )
    seats = [at for at, key in enumerate(keys) if key.is_of_seat]
    rows, of_each = rows[seats], level[seats]
    if teams := teams_of(base):
        names, even = [(f"team {team}", "win_rate") for team in range(teams)], 1 / teams
        of_each = of_teams(level, keys, teams)
        rows = add("level", names, of_each, family="teams", null=even, matches=totals.matches)
    if not table.is_drawn:
        builder.claim(SEATS, table.place, rows, of_each, null=even)
    places, matches, rates = seatings(totals, base, totals.used)
    names = [(f"policy {policy}", "win_rate") for policy, _ in places]
    positions = [f"position {position}" for _, position in places]
    add("seating", names, rates, against=positions, matches=matches)
    for start, family in (("policy", "policies"), ("position", "seats: pairs")):
        first, second = table.pairs(start)
        gaps = level[first] - level[second]
        rows = add(
            "difference",
            [keys[at].name for at in first],
            gaps,
            against=[keys[at].who for at in second],
            family=[
                family if keys[at].number == "win_rate" else f"{family}: {keys[at].number}"
                for at in first
            ],
            null=0.0,
            matches=totals.matches,
            simultaneous=start == "policy",
        )
        won = [at for at, one in enumerate(first) if keys[one].number == "win_rate"]
        if start == "policy" and not table.alone:
            builder.claim(POLICIES, table.place, rows[won], gaps[won])


def _not_compared(table: TableAnswers) -> list[str]:
    """Say which policies of a table are not compared, because each kept a seat of its own."""
    if not table.apart:
        return []
    pairs = [
        " and ".join(sorted(who.removeprefix("policy ") for who in pair)) for pair in table.apart
    ]
    why = "never held the same position, so what they win is not compared"
    return [f"Line-up {table.place.lineup}: {', '.join(sorted(pairs))} {why} (rotate = true)"]


def _level_family(key: Key) -> str:
    """Return the family of a level's test: win rates are tested against the even share."""
    if key.number != "win_rate" or not key.who:
        return ""
    return "seats" if key.who.startswith("position") else "policies: even share"


def _add_variant(
    builder: FrameBuilder,
    table: TableAnswers,
    cell: Table,
    played: tuple[Totals, Totals | None],
    notes: list[str],
    moves: dict[str, Estimate],
) -> None:
    base, totals = played
    if totals is None or not totals.deals:
        notes.append(f"{_label(cell)}: no matches")
        return
    keys, variant = table.keys, cell.variant
    if cell.seats != table.base.seats or cell.rotations != table.base.rotations:
        notes.append(f"{_label(cell)}: other seats than the baseline, so not compared with it")
        return
    groups = table.groups = max(table.groups, totals.used, base.used)
    after = levels(totals, cell, keys, groups)
    paired = totals.before is not None
    before = table.before(totals)
    moved_by = change(after, before, totals.rotations)
    table.variants[variant] = cell
    # A control changes nothing, so there is nothing to test.
    control = paired and cell.options == table.base.options
    names = [key.name for key in keys]
    add = partial(builder.add, table.place, variant, matches=totals.matches)
    rows = add(
        "change",
        names,
        moved_by,
        family="" if control else [f"variants: {key.kind}" for key in keys],
        null=0.0,
        baseline=before.value,
        # Without shared deals, a side without events is not known exactly.
        unpaired=None if paired else (after, before),
    )
    told = [at for at, key in enumerate(keys) if not builder.is_brief or key.number in LENGTHS]
    add(
        "after",
        [names[at] for at in told],
        after[told],
        count=counts(totals, keys)[told],
        constant=constants(totals, keys)[told],
    )
    lengths = [
        at
        for at, key in enumerate(keys)
        if key.kind in ("metric", DECIDED_LENGTH) and before.value[at] > 0
    ]
    relative = moved_by[lengths] / before[lengths]
    parts = [names[at] for at in lengths]
    relative_rows = add("relative", parts, relative, baseline=before.value[lengths])
    if cell.options != table.base.options and not table.is_drawn:
        at = [at for at, name in enumerate(parts) if name == ("", table.length)]
        builder.claim(LENGTH, table.place, relative_rows[at], relative[at])
        at = [at for at, key in enumerate(keys) if key.is_of_seat][:1]
        builder.claim(FIRST_SEAT, table.place, rows[at], moved_by[at])
        at = [at for at, name in enumerate(names) if name == ("", "win_rate")]
        builder.claim(WON, table.place, rows[at], moved_by[at])
    first, second = table.pairs("policy")
    gaps = [names[at] for at in first]
    against = [keys[at].who for at in second]
    families = [f"variants: gaps in {number}" for _, number in gaps]
    add(
        "change",
        gaps,
        moved_by[first] - moved_by[second],
        against=against,
        family="" if control else families,
        null=0.0,
        baseline=(before[first] - before[second]).value,
    )
    add("after", gaps, after[first] - after[second], against=against)
    if paired:
        levels_of_variant, estimate, events = moved(totals, groups)
        if cell.options != table.base.options:
            moves[variant] = estimate[:1]
        matches = [
            totals.total("pair|both") if name == ANOTHER else totals.matches
            for name in levels_of_variant
        ]
        pairs = [("", name) for name in levels_of_variant]
        add("level", pairs, estimate, matches=np.array(matches), count=events)


def _pairs_of_variants(
    builder: FrameBuilder, table: TableAnswers, moves: Mapping[str, Estimate]
) -> None:
    """Add differences between pairs of variants in how often they move the win."""
    if not 2 <= len(moves) <= MOST_PAIRED:
        return
    names, wide = list(moves), stack(list(moves.values()))
    for start, first in enumerate(names[:-1]):
        others = list(range(start + 1, len(names)))
        builder.add(
            table.place,
            first,
            "difference",
            [("", ANOTHER)] * len(others),
            wide[[start] * len(others)] - wide[others],
            against=[names[at] for at in others],
            family="variants: another_winner",
            null=0.0,
        )
