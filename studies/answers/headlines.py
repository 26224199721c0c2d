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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from studies.answers.estimate import influence_of, stack
from studies.answers.families import AtOnce
from studies.answers.frame_builder import FIRST_SEAT, LENGTH, POLICIES, SEATS, WON, Claim
from studies.answers.population import ALL_TABLES
from studies.answers.table import by_point

if TYPE_CHECKING:
    from studies.answers.frame import Answers

Row = dict[str, Any]

EVEN_WITHIN = 0.01
"""Bounds within a percentage point of the even share count as even."""

RANDOM = "random"
"""The policy that is left out of comparisons of skill if there are others."""

MOST_DRAWN = 500
"""The most numbers for max-T; with more, Bonferroni's correction is used."""


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
        All numbers considered, as the frame has them, but `low` and `high` simultaneous; with
        `null` (the tested value) and `error`. Of two policies the one that is ahead comes first.
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
    is_drawn = any(claim.place.lineup == ALL_TABLES for claim in answers.claims)
    about = ALL_TABLES if is_drawn else reference
    claims = {question: list[Claim]() for question in (SEATS, LENGTH, FIRST_SEAT, WON, POLICIES)}
    for claim in answers.claims:
        if claim.question == POLICIES or claim.place.lineup == about:
            claims[claim.question].append(claim)
    fair, seats = _bounded(answers, claims[SEATS])
    _, others = _bounded(answers, [c for name in claims if name != SEATS for c in claims[name]])
    rows = {**seats, **others}
    all_headlines = tuple(
        _headline(at_point[0], [row for claim in at_point for row in rows[id(claim)]])
        for members in claims.values()
        for at_point in by_point(members)
    )
    looked = sum(map(len, others.values()))
    primary = POLICIES if claims[POLICIES] else SEATS
    if claims[LENGTH] or claims[FIRST_SEAT] or claims[WON]:
        primary = "variants"
    return Headlines(primary, all_headlines, answers.level, looked, fair)


def _bounded(
    answers: Answers, claims: Sequence[Claim]
) -> tuple[float | None, dict[int, list[Row]]]:
    """Return the rows of some claims with simultaneous bounds.

    Returns
    -------
    p : float or None
        Of "no number differs from the tested value"; None where max-T is not to be had.
    rows : dict of int to list of dict
        By the `id` of the claim.
    """
    if not claims:
        return None, {}
    places = np.concatenate([claim.rows for claim in claims])
    nulls = np.repeat([claim.null for claim in claims], [len(claim.rows) for claim in claims])
    numbers = stack([claim.estimate for claim in claims])
    known, count = numbers.known, len(places)
    p, errors, deals = None, known.error, known.deals
    if any(claim.interval for claim in claims):
        error = AtOnce(count, np.zeros(0), 1.0).error(1 - answers.level)
        bounds = [
            claim.interval(1 - error) if claim.interval else claim.estimate.known.ends(error / 2)
            for claim in claims
        ]
        ends: np.ndarray[Any, Any] = np.concatenate(bounds, axis=1)
        errors = deals = np.full(count, np.nan)
    else:
        family = AtOnce(count, np.zeros(0), 1.0)
        if count <= MOST_DRAWN:
            family = AtOnce.of(influence_of([numbers]))
        ends = np.array(known.ends(family.error(1 - answers.level) / 2))
        p = float(family.corrected(known.p(nulls)).min())
    bounded = np.stack([nulls, *ends, errors, deals], axis=1).tolist()
    names = ("null", "low", "high", "error", "deals")
    rows = [
        _ahead(row | {n: None if np.isnan(v) else v for n, v in zip(names, values, strict=True)})
        for row, values in zip(answers.frame[places.tolist()].to_dicts(), bounded, strict=True)
    ]
    last = np.cumsum([len(claim.rows) for claim in claims]).tolist()
    return p, {
        id(claim): rows[end - len(claim.rows) : end]
        for claim, end in zip(claims, last, strict=True)
    }


def _ahead(row: Row) -> Row:
    """Return the difference of two policies with the one that is ahead first."""
    if not row["against"] or row["estimate"] >= 0 or not row["who"].startswith("policy "):
        return row
    low, high = (None if row[end] is None else -row[end] for end in ("high", "low"))
    names = {"who": row["against"], "against": row["who"]}
    return {**row, **names, "estimate": -row["estimate"], "low": low, "high": high}


# ---- the verdicts


def _headline(claim: Claim, rows: list[Row]) -> Headline:
    tell = {SEATS: _of_seats, POLICIES: _of_policies}.get(claim.question, _of_changes)
    verdict, row = tell(rows)
    return Headline(claim.question, claim.place.point, str(row["lineup"]), verdict, row, rows)


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
