"""What the first screen may claim: a few answers, corrected for all those they are selected from.

A headline selects: the seat furthest from its share, the best policy, the rule with the largest
change. So its verdict follows from bounds that hold simultaneously for all numbers that headlines
consider (max-T, `studies.answers.families`): in 95 % of studies no headline claims a difference
that does not exist. Whether the seats are fair is one test of all seats, apart from the rest.
A headline has rows and a verdict, no words; what is printed is the row of the frame.

At every point of the sweep headlines consider: at the reference line-up the win rates of all seats
against the even share, and each variant's relative change of the length and its change of the first
seat's win rate; at all line-ups that mix policies, the differences in win rate of all pairs of
policies. Where tables are drawn from a population, seats and rules are considered over all drawn
tables instead of the reference line-up (`studies.answers.population`), with Bonferroni's bounds.

Sources
-------
- P. H. Westfall, S. S. Young (1993), Resampling-Based Multiple Testing: max-T.
- Y. Benjamini, D. Yekutieli (2005), J. Am. Stat. Assoc. 100:71: intervals of selected
  parameters hold only if corrected for the selection; simultaneous ones hold for any selection.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from studies.answers.estimate import Estimate, influence_of, padded, stack
from studies.answers.families import AtOnce
from studies.answers.levels import of_teams, teams_of
from studies.answers.population import ALL_TABLES, Means
from studies.answers.table import by_point
from studies.measures import BASELINE, LENGTHS

if TYPE_CHECKING:
    from studies.answers.frame import Answers
    from studies.answers.table import TableAnswers

Array = np.ndarray[Any, Any]
Row = dict[str, Any]

SEATS, POLICIES, LENGTH, FIRST_SEAT = "seats", "policies", "length", "first_seat"
WON = "won"
EVEN_WITHIN = 0.01
"""Bounds within a percentage point of the even share count as even."""

RANDOM = "random"
"""The policy that is left out of comparisons of skill if there are others."""

MOST_DRAWN = 500
"""The most numbers for max-T; with more, Bonferroni's correction is used."""

_FIRST = "position 0"


@dataclass(frozen=True)
class Headline:
    """A question at a point of the sweep, and its verdict.

    Attributes
    ----------
    question : str
        "seats", "policies", "length", "first_seat" or, where all win together, "won" (which variant
        changes it most).
    verdict : str
        For seats "even", "uneven" or "open"; for policies "best" (one is ahead of all others),
        "ahead" (one is ahead of another) or "open"; for changes "more", "less" or "open".
    row : dict
        The number behind the verdict; of several, the one furthest from no difference.
    rows : list of dict
        All numbers considered: `lineup`, `variant`, `kind`, `who`, `number`, `against`,
        `null`, `estimate`, `error`, `deals`, and simultaneous `low` and `high`.
    """

    question: str
    point: Mapping[str, Any]
    lineup: str
    verdict: str
    row: Row
    rows: list[Row]

    @property
    def shown(self) -> bool:
        """Whether a difference is shown."""
        return self.verdict not in ("open", "even")


@dataclass(frozen=True)
class Headlines:
    """All headlines of a study.

    Attributes
    ----------
    primary : str
        "variants", "policies" or "seats".
    looked : int
        The number of simultaneous bounds, those of the seats apart.
    fair : float or None
        p of "all seats win equally often", one test over all seats and points.
    """

    primary: str
    all: tuple[Headline, ...]
    level: float
    looked: int
    fair: float | None = None

    def of(self, question: str, **point: Any) -> Headline | None:
        """Return the headline of a question at a point of the sweep, or None."""
        for headline in self.all:
            if headline.question == question and all(
                headline.point.get(k) == v for k, v in point.items()
            ):
                return headline
        return None


def headlines(answers: Answers, *, reference: str) -> Headlines:
    """Return the headlines of a study.

    Parameters
    ----------
    reference : str
        The line-up whose seats and length the headlines report.
    """
    drawn = [table for table in answers.tables if table.place.lineup in answers.drawn]
    looks = [
        look
        for table in answers.tables
        for look in _looks(table, about=not drawn and table.place.lineup == reference)
    ]
    for members in by_point(drawn):
        if len(members) > 1:
            looks += [*_seats(members), *_variants(members)]
    fair, _ = _bound([look for look in looks if look.question == SEATS], answers.level)
    _, looked = _bound([look for look in looks if look.question != SEATS], answers.level)
    primary = _primary(looks)
    questions: dict[tuple[str, str], list[_Look]] = {}
    for question in (SEATS, LENGTH, FIRST_SEAT, WON, POLICIES):
        for look in looks:
            if look.question == question:
                point = repr(sorted(look.point.items(), key=str))
                questions.setdefault((question, point), []).append(look)
    all_headlines = tuple(_headline(members) for members in questions.values())
    return Headlines(primary, all_headlines, answers.level, looked, fair)


def _primary(looks: Sequence[_Look]) -> str:
    """Return the primary question: variants, or else policies that meet, or else seats."""
    questions = {look.question for look in looks}
    if questions & {LENGTH, FIRST_SEAT, WON}:
        return "variants"
    return "policies" if POLICIES in questions else "seats"


# ---- the numbers


@dataclass(frozen=True)
class _Look:
    """Numbers of a table that a question considers."""

    question: str
    point: Mapping[str, Any]
    lineup: str
    rows: list[Row]
    estimates: Sequence[Estimate]
    """One; of a population one for each of its tables."""


def _looks(table: TableAnswers, *, about: bool) -> Iterator[_Look]:
    if about:
        yield from _seats([table])
        yield from _variants([table])
    if not table.alone:
        yield from _policies(table)


def _seats(tables: Sequence[TableAnswers]) -> Iterator[_Look]:
    win_rates = [
        _only(table, lambda key: key.number == "win_rate" and key.who.startswith("position "))
        for table in tables
    ]
    if not win_rates[0].keys:  # all win together
        return
    levels = [table.level() for table in win_rates]
    who = [key.who for key in win_rates[0].keys]
    if teams := teams_of(tables[0].base):
        levels = [of_teams(level, win_rates[0].keys, teams) for level in levels]
        who = [f"team {team}" for team in range(teams)]
    values = np.mean([level.value for level in levels], axis=0)
    known = np.flatnonzero(np.isfinite(values))
    if known.size < 2:
        return
    even = 1 / (teams or len(tables[0].base.seats))
    kind = "level" if len(tables) == 1 else "population"
    rows = [
        _row(tables, BASELINE, kind, who[at], "win_rate", value, null=even)
        for at, value in zip(known.tolist(), values[known].tolist(), strict=True)
    ]
    estimates = [level[known] for level in levels]
    yield _Look(SEATS, tables[0].place.point, _lineup(tables), rows, estimates)


def _variants(tables: Sequence[TableAnswers]) -> Iterator[_Look]:
    keys = tables[0].keys
    length = next((n for n in LENGTHS if any(k.number == n and not k.who for k in keys)), "")
    questions = {("", length): LENGTH, (_FIRST, "win_rate"): FIRST_SEAT, ("", "win_rate"): WON}
    restricted = [_only(table, lambda key: (key.who, key.number) in questions) for table in tables]
    changes: dict[str, list[tuple[Row, list[Estimate]]]] = {
        question: [] for question in questions.values()
    }
    for variant in tables[0].variants:
        if not all(variant in table.variants and table.changed(variant) for table in tables):
            continue
        moved = [table.change(variant) for table in restricted]
        for at, key in enumerate(restricted[0].keys):
            question = questions[key.who, key.number]
            estimates = [change[[at]] for change in moved]
            if question == LENGTH:
                # In parts of the length before, as the frame's relative rows: both are uncertain.
                estimates = [
                    change / table.before(table.totals(variant))[[at]]
                    for change, table in zip(estimates, restricted, strict=True)
                ]
            value = float(np.mean([estimate.value for estimate in estimates]))
            if not np.isfinite(value):
                continue
            kind = "change" if len(tables) == 1 else "population"
            kind = "relative" if question == LENGTH else kind
            row = _row(tables, variant, kind, key.who, key.number, value)
            changes[question].append((row, estimates))
    for question, members in changes.items():
        if members:
            rows = [row for row, _ in members]
            by_table = zip(*(estimates for _, estimates in members), strict=True)
            stacked = [stack(estimates) for estimates in by_table]
            yield _Look(question, tables[0].place.point, _lineup(tables), rows, stacked)


def _lineup(tables: Sequence[TableAnswers]) -> str:
    """Return the line-up of a table, or the name of all tables of a population."""
    return tables[0].place.lineup if len(tables) == 1 else ALL_TABLES


def _policies(table: TableAnswers) -> Iterator[_Look]:
    win_rates = _only(table, lambda key: key.number == "win_rate" and key.who.startswith("policy "))
    level = win_rates.level()
    first, second = (np.array(side, int) for side in win_rates.pairs("policy", ("win_rate",)))
    if not first.size:
        return
    gaps = level[first] - level[second]
    # The policy that is ahead comes first.
    turned = np.where(gaps.value < 0, -1.0, 1.0)
    first, second = np.where(turned > 0, first, second), np.where(turned > 0, second, first)
    gaps = level[first] - level[second]
    known = np.flatnonzero(np.isfinite(gaps.value))
    rows = []
    for at in known.tolist():
        who, against = (win_rates.keys[int(place[at])].who for place in (first, second))
        row = _row([table], BASELINE, "difference", who, "win_rate", float(gaps.value[at]))
        rows.append({**row, "against": against})
    if rows:
        yield _Look(POLICIES, table.place.point, table.place.lineup, rows, [gaps[known]])


def _only(table: TableAnswers, wanted: Any) -> TableAnswers:
    """Return a table restricted to some numbers, so that no others are computed."""
    return replace(table, keys=[key for key in table.keys if wanted(key)], _before=None)


def _row(
    tables: Sequence[TableAnswers],
    variant: str,
    kind: str,
    who: str,
    number: str,
    estimate: float,
    *,
    null: float = 0.0,
) -> Row:
    return {
        **tables[0].place.point,
        "lineup": _lineup(tables),
        "variant": variant,
        "kind": kind,
        "who": who,
        "number": number,
        "against": "",
        "null": null,
        "estimate": estimate,
    }


def _bound(looks: Sequence[_Look], level: float) -> tuple[float | None, int]:
    """Give the rows of some questions simultaneous bounds.

    Returns
    -------
    p : float or None
        Of "no number differs from the tested value"; None where max-T is not to be had.
    count : int
        How many bounds there are.
    """
    count = sum(len(look.rows) for look in looks)
    if not count:
        return None, 0
    alone = [look.estimates[0] for look in looks if len(look.estimates) == 1]
    family = AtOnce(count, np.zeros(0), 1.0)
    if len(alone) == len(looks) and count <= MOST_DRAWN:
        family = AtOnce.of(influence_of(alone))
    error = family.error(1 - level)
    for look in looks:
        if len(look.estimates) == 1:
            known = look.estimates[0].known
            ends, errors, deals = known.ends(error / 2), known.error, known.deals
        else:
            ends = _ends_of_population(look.estimates, 1 - error)
            errors = deals = np.full(len(look.rows), np.nan)
        for row, *values in zip(look.rows, *ends, errors, deals, strict=True):
            row["low"], row["high"], row["error"], row["deals"] = (
                None if np.isnan(value) else float(value) for value in values
            )
    if len(alone) != len(looks):
        return None, count
    nulls = [np.array([row["null"] for row in look.rows]) for look in looks]
    p = [estimate.p(null) for estimate, null in zip(alone, nulls, strict=True)]
    return float(family.corrected(np.concatenate(p)).min()), count


def _ends_of_population(estimates: Sequence[Estimate], level: float) -> tuple[Array, Array]:
    groups = max(estimate.influence.shape[1] for estimate in estimates)
    return Means.of([padded(estimate, groups) for estimate in estimates]).interval(level)


# ---- the verdicts


def _headline(looks: Sequence[_Look]) -> Headline:
    question = looks[0].question
    rows = [row for look in looks for row in look.rows]
    verdict, row = {SEATS: _of_seats, POLICIES: _of_policies}.get(question, _of_changes)(rows)
    lineup = str(row["lineup"])
    return Headline(question, looks[0].point, lineup, verdict, row, rows)


def side(row: Mapping[str, Any]) -> int:
    """Return 1 or -1 if a number is shown to lie above or below the tested value, otherwise 0."""
    if row["low"] is not None and row["low"] > row["null"]:
        return 1
    return -1 if row["high"] is not None and row["high"] < row["null"] else 0


def _of_seats(rows: Sequence[Row]) -> tuple[str, Row]:
    far = max(rows, key=lambda row: (side(row) != 0, abs(row["estimate"] - row["null"])))
    if all(
        row["low"] is not None
        and row["high"] is not None
        and max(row["high"] - row["null"], row["null"] - row["low"]) <= EVEN_WITHIN
        for row in rows
    ):
        return "even", far
    return "uneven" if side(far) else "open", far


def _of_policies(rows: Sequence[Row]) -> tuple[str, Row]:
    shown = [row for row in rows if side(row) > 0]
    skilled = [row for row in rows if RANDOM not in (_policy(row["who"]), _policy(row["against"]))]
    if not shown:
        return "open", max(skilled or rows, key=_estimate)
    names = {row[end] for row in rows for end in ("who", "against")}
    beaten = {name: {row["against"] for row in shown if row["who"] == name} for name in names}
    best = [
        name
        for name in names
        if beaten[name] == names - {name} and not any(name in losers for losers in beaten.values())
    ]
    if best:
        # The pair that was hardest to distinguish supports the sentence.
        return "best", min((row for row in shown if row["who"] == best[0]), key=_estimate)
    return "ahead", max([row for row in shown if row in skilled] or shown, key=_estimate)


def _of_changes(rows: Sequence[Row]) -> tuple[str, Row]:
    shown = [row for row in rows if side(row) != 0]
    row = max(shown or rows, key=lambda row: abs(_estimate(row)))
    return ("more" if side(row) > 0 else "less") if shown else "open", row


def _estimate(row: Row) -> float:
    return float(row["estimate"])


def _policy(who: str) -> str:
    return who.removeprefix("policy ")
