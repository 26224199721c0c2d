"""Answers from a log of plays by people, at tables of changing size, with no deal played twice.

The play is the unit throughout. Plays are not grouped by who sat together, because in a club every
play may have a different set of people:

- *effect of a rule on a number*: least squares on the rule and the size of the table, with errors
  that allow unequal variances (HC3) and t intervals; of plays of the same deal under both rules,
  the mean difference within deals;
- *seats*: the share of plays that a seat wins, beside the share that it would win if all seats of
  its tables were equal; exact binomial intervals, which are conservative for mixed sizes;
- *strengths*: a choice model of who won, with the seat as a covariate where it is known; errors
  from scores summed over plays. Where places are known, the second place is the winner among the
  others, and so on. Partners win together: the strength of a side is the sum of its members'.
  Strengths are shown as the share of plays that a person would win at a table of a usual size
  against average people.

Of 300 simulated clubs of 120 plays (five people, tables of three to five) the 95 % intervals held
94 % (rule) and 96 to 98 % (strengths); of 40 plays 94 % and 97 to 99 %.

Sources
-------
- J. G. MacKinnon, H. White (1985), J. Econometrics 29:305 (HC3).
- C. J. Clopper, E. S. Pearson (1934), Biometrika 26:404.
- R. D. Luce (1959), Individual Choice Behavior; R. L. Plackett (1975), Appl. Stat. 24:193: a
  finishing order as choices among those left; a shared place counts in parts. D. McFadden (1974),
  Conditional logit analysis of qualitative choice behavior. H. White (1982), Econometrica 50:1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl
from scipy import stats

from studies.answers.families import holm
from studies.answers.frame_builder import COLUMNS
from studies.answers.ratings import connected

Array = np.ndarray[Any, Any]
Row = dict[str, Any]
Side = str | tuple[str, ...]
"""A person, or partners."""

FEWEST = 5
"""The fewest plays to estimate anything."""

_STEPS = 100
_NEAR = 1e-10


@dataclass(frozen=True)
class Plays:
    """A log of plays.

    Attributes
    ----------
    variant : list of str
    baseline : str
    people : list of tuple of (str or tuple of str)
        Who plays, by seat, partners together; empty if unknown.
    won : float64[plays, seats]
        Each seat's share of the win; 0 if nobody won, or if unknown.
    numbers : dict of str to float64[plays]
        NaN where a number is missing.
    deals : list or None
        An identifier that plays of the same deal share.
    seated : bool
        Whether the order of people is that of their seats.
    winners : list of str or None
        The winner of each play, if the other players are unknown.
    places : list of tuple of float, or None
        The place of each side, 1 the first, where they are known.
    """

    variant: list[str]
    baseline: str
    people: Sequence[tuple[Side, ...]]
    won: Array
    numbers: dict[str, Array] = field(default_factory=dict)
    deals: list[Any] | None = None
    seated: bool = True
    winners: list[str] | None = None
    places: list[tuple[float, ...]] | None = None

    @property
    def sizes(self) -> Array:
        """Number of sides at each table."""
        return np.array([len(names) for names in self.people])

    @property
    def decided(self) -> Array:
        """Whether each play has a winner."""
        decided: Array = self.won.sum(axis=1) > 0
        return decided


def plays_answers(plays: Plays, level: float) -> tuple[list[Row], list[str]]:
    """Return all estimates, one row each in the form of the answers' frame, and notes."""
    notes: list[str] = []
    rows = [
        *_numbers(plays, level),
        *_effects(plays, level),
        *_seats(plays, level),
        *_winners(plays, level),
        *_strengths(plays, level, notes),
    ]
    return rows, notes


def plays_frame(rows: Sequence[Row], baseline: str) -> pl.DataFrame:
    """Return rows as a frame with the columns of every answer (docs/reference/columns.md)."""
    texts = ("lineup", "variant", "kind", "who", "number", "against", "family")
    counts = ("deals", "matches", "count")
    columns = {}
    for name in COLUMNS:
        dtype: Any = pl.String if name in texts else pl.Int64 if name in counts else pl.Float64
        dtype = pl.Boolean if name == "equivalent" else dtype
        usual = {"variant": baseline, "lineup": "", "family": ""}.get(name)
        values = [row.get(name, row["matches"] if name == "deals" else usual) for row in rows]
        columns[name] = pl.Series(name, values, dtype=dtype)
    return pl.DataFrame(columns)


def _row(kind: str, number: str, plays: int, **given: Any) -> Row:
    return {"kind": kind, "who": "", "number": number, "against": "", "matches": plays} | given


# ---- numbers of a play


def _numbers(plays: Plays, level: float) -> Iterator[Row]:
    """Yield the mean of each number under the unchanged rules."""
    base = np.array(plays.variant) == plays.baseline
    for name, values in plays.numbers.items():
        known = values[base & np.isfinite(values)]
        if len(known) < 2:
            continue
        error = known.std(ddof=1) / np.sqrt(len(known))
        reach = stats.t.ppf((1 + level) / 2, len(known) - 1) * error
        mean = known.mean()
        yield _row(
            "level",
            name,
            len(known),
            variant=plays.baseline,
            estimate=mean,
            low=mean - reach,
            high=mean + reach,
        )


def _effects(plays: Plays, level: float) -> Iterator[Row]:
    """Yield the effect of each variant on each number."""
    variants = [rules for rules in dict.fromkeys(plays.variant) if rules != plays.baseline]
    rows: list[Row] = []
    for name, values in plays.numbers.items():
        for variant in variants:
            row = _paired(plays, variant, values, level) or _pooled(plays, variant, values, level)
            if row is not None:
                rows.append(_row("change", name, variant=variant, family="changes", **row))
    yield from _with_holm(rows)


def _paired(plays: Plays, variant: str, values: Array, level: float) -> Row | None:
    """Return the mean difference within deals; None if fewer than two deals have both rules."""
    if plays.deals is None:
        return None
    sums: dict[Any, dict[str, list[float]]] = {}
    for deal, rules, value in zip(plays.deals, plays.variant, values.tolist(), strict=True):
        if rules in (variant, plays.baseline) and np.isfinite(value):
            sums.setdefault(deal, {}).setdefault(rules, []).append(value)
    left = np.array(
        [
            np.mean(rules[variant]) - np.mean(rules[plays.baseline])
            for rules in sums.values()
            if len(rules) == 2
        ]
    )
    if len(left) < 2:
        return None
    row = _student(left.mean(), left.std(ddof=1) / np.sqrt(len(left)), len(left) - 1, level)
    return {**row, "plays": 2 * len(left), "deals": len(left)}


def _pooled(plays: Plays, variant: str, values: Array, level: float) -> Row | None:
    """Return the difference at tables of the same size, from least squares."""
    names = np.array(plays.variant)
    here = np.isfinite(values) & ((names == variant) | (names == plays.baseline))
    y, sizes = values[here], plays.sizes[here]
    columns = [names[here] == variant, *(sizes == size for size in np.unique(sizes))]
    x = np.array(columns, float).T
    # A table size at which only one of the rules was played says nothing about the difference.
    mixed = [len(set(names[here][sizes == size])) == 2 for size in np.unique(sizes)]
    if len(y) < FEWEST or not any(mixed) or len(y) <= x.shape[1]:
        return None
    bread = np.linalg.pinv(x.T @ x)
    coefficients = bread @ x.T @ y
    leverage = np.einsum("ij,jk,ik->i", x, bread, x)
    # The only play of a table size is fitted exactly and has no weight.
    residual = (y - x @ coefficients) / np.maximum(1 - leverage, 1e-9)
    residual[leverage > 1 - 1e-9] = 0.0
    error = float(np.sqrt((bread @ (x.T * residual**2) @ x @ bread)[0, 0]))
    row = _student(float(coefficients[0]), error, len(y) - x.shape[1], level)
    return {**row, "plays": len(y)}


def _student(value: float, error: float, freedom: int, level: float) -> Row:
    reach = stats.t.ppf((1 + level) / 2, freedom) * error
    p = 2 * stats.t.sf(abs(value) / error, freedom) if error > 0 else float(value == 0)
    return {"estimate": value, "low": value - reach, "high": value + reach, "p": float(p)}


def _with_holm(rows: Sequence[Row]) -> Sequence[Row]:
    if rows:
        for row, p in zip(rows, holm(np.array([row["p"] for row in rows])), strict=True):
            row["p_holm"] = float(p)
    return rows


# ---- shares of wins


def binomial(wins: float, plays: int, even: float, level: float) -> Row:
    """Return a share of wins with its exact interval, and the p-value of an even share.

    p is 1 - the level at which the interval just reaches `even`. Shared wins count for each bound
    in the way that makes the interval wider.
    """
    few, many = np.floor(wins + 1e-9), np.ceil(wins - 1e-9)
    tail = (1 - level) / 2
    low = stats.beta.ppf(tail, few, plays - few + 1) if few > 0 else 0.0
    high = stats.beta.isf(tail, many + 1, plays - many) if many < plays else 1.0
    above, below = stats.binom.sf(few - 1, plays, even), stats.binom.cdf(many, plays, even)
    p = min(1.0, 2 * float(min(above, below)))
    return {"estimate": wins / plays, "low": float(low), "high": float(high), "p": p}


def _seats(plays: Plays, level: float) -> Iterator[Row]:
    if not plays.seated or not plays.decided.any():
        return
    rows = []
    for seat in range(plays.won.shape[1]):
        here = plays.decided & (plays.sizes > seat)
        if not here.any():
            continue
        even = float((1 / plays.sizes[here]).mean())
        wins = float(plays.won[here, seat].sum())
        row = binomial(wins, int(here.sum()), even, level)
        count = int((plays.won[here, seat] > 0).sum())
        named = {"who": f"position {seat}", "baseline": even, "family": "seats"}
        rows.append(_row("seat", "win_rate", int(here.sum()), count=count, **named, **row))
    yield from _with_holm(rows)


def _winners(plays: Plays, level: float) -> Iterator[Row]:
    """Yield how often each winner won, if the other players are unknown."""
    names = [name for name in plays.winners or () if name != "–"]
    known = sorted(set(names), key=lambda name: -names.count(name))
    rows = []
    for name in known:
        row = binomial(names.count(name), len(names), 1 / len(known), level)
        named = {"who": f"policy {name}", "baseline": 1 / len(known), "family": "strengths"}
        row_of_winner = {**named, **row, "count": names.count(name)}
        rows.append(_row("person", "win_rate", len(names), **row_of_winner))
    yield from _with_holm(rows)


# ---- strengths of people


@dataclass(frozen=True)
class _Choice:
    """Who was chosen among sides at a table: the winner, or the next place among the others."""

    play: int
    sides: list[tuple[str, ...]]
    seats: list[int]
    won: Array

    @property
    def chosen(self) -> set[str]:
        """Whoever is on a side that was chosen."""
        return {n for side, won in zip(self.sides, self.won, strict=True) if won > 0 for n in side}

    @property
    def people(self) -> set[str]:
        """Whoever is on a side."""
        return {name for side in self.sides for name in side}

    def among(self, kept: Sequence[int]) -> _Choice:
        """Return the choice among some of the sides; their seats stay theirs."""
        sides, seats = [self.sides[at] for at in kept], [self.seats[at] for at in kept]
        return _Choice(self.play, sides, seats, self.won[list(kept)])


def _choices(plays: Plays) -> Iterator[_Choice]:
    """Yield all choices of plays in which each person sits once, the winner first."""
    for play, (table, won) in enumerate(zip(plays.people, plays.won, strict=True)):
        sides = [(side,) if isinstance(side, str) else side for side in table]
        everybody = [name for side in sides for name in side]
        if len(sides) < 2 or not won.sum() > 0 or len(set(everybody)) < len(everybody):
            continue
        whole = _Choice(play, sides, list(range(len(sides))), won[: len(sides)])
        yield whole
        if plays.places is None or not plays.places[play]:
            continue
        places = np.array(plays.places[play])
        for place in np.unique(places)[1:-1]:
            left = np.flatnonzero(places >= place)
            yield replace(whole, won=(places == place).astype(float)).among(left.tolist())


def _strengths(plays: Plays, level: float, notes: list[str]) -> Iterator[Row]:
    every = list(_choices(plays))
    first = {choice.play: choice for choice in reversed(every)}  # of each play that of the winner
    choices, never = _without_losers(every)
    people = sorted({name for choice in choices for name in choice.people})
    seats = (
        sorted({seat for choice in choices for seat in choice.seats})[1:] if plays.seated else []
    )
    freedom = len({choice.play for choice in choices}) - len(people) - len(seats)
    if never:
        notes.append(f"No strength of {', '.join(never)}, who never won.")
    value = None
    if freedom < FEWEST:
        why = "there are too few plays for so many people"
    elif len(people) < 2 or not _is_connected(choices, people):
        why = "people fall into sets of which one never beat another"
    else:
        why = "a seat that never won leaves them open"
        value, spread, alike = _fit(choices, people, seats)
    raw = list(_raw(list(first.values()), level))
    if value is None:
        if every:
            notes.append(f"Shares of people are as they were, not adjusted for who played: {why}.")
        yield from _with_holm(raw)
        return
    if len(people) == 2:  # the others' mean is the other one
        value, spread = 2 * value, 2 * spread
    size = int(np.bincount([len(choice.sides) for choice in first.values()]).argmax())
    rows = []
    by_name = {row["who"].removeprefix("policy "): row for row in raw}
    for at in np.argsort(-value, kind="stable"):
        strength = _student(float(value[at]), float(spread[at]), freedom, level)
        shown = {
            key: float(1 / (1 + (size - 1) * np.exp(-strength[key])))
            for key in ("estimate", "low", "high")
        }
        rows.append(by_name[people[at]] | {"baseline": 1 / size, **shown, "p": strength["p"]})
    rows += [by_name[name] for name in never]
    yield from _with_holm(rows)
    yield _row("people", "alike", len(first), estimate=None, p=alike, baseline=float(size))


def _raw(choices: Sequence[_Choice], level: float) -> Iterator[Row]:
    """Yield how often each person's side won, against any opponents."""
    tally: dict[str, list[tuple[float, int]]] = {}
    for choice in choices:
        parts = choice.won / choice.won.sum()
        for side, part in zip(choice.sides, parts.tolist(), strict=True):
            for name in side:
                tally.setdefault(name, []).append((part, len(choice.sides)))
    rows = []
    for name, met in sorted(tally.items()):
        even = float(np.mean([1 / size for _, size in met]))
        row = binomial(sum(part for part, _ in met), len(met), even, level)
        count = sum(part > 0 for part, _ in met)
        named = {"who": f"policy {name}", "baseline": even, "family": "strengths"}
        rows.append(_row("person", "win_rate", len(met), count=count, **named, **row))
    yield from sorted(rows, key=lambda row: -row["estimate"])


def _without_losers(choices: list[_Choice]) -> tuple[list[_Choice], list[str]]:
    """Return the choices among those who won at least once, and the others' names.

    The strength of somebody who never won is 0: who is left keeps the odds, and the seat.
    """
    dropped: list[str] = []
    while True:
        people = {name for choice in choices for name in choice.people}
        never = people - {name for choice in choices for name in choice.chosen}
        if not never:
            return choices, sorted(dropped)
        dropped += never
        kept = [
            choice.among([at for at, side in enumerate(choice.sides) if not never & {*side}])
            for choice in choices
        ]
        choices = [choice for choice in kept if len(choice.sides) > 1]


def _is_connected(choices: Sequence[_Choice], people: Sequence[str]) -> bool:
    place = {name: at for at, name in enumerate(people)}
    beaten = np.zeros((len(people), len(people)))
    for choice in choices:
        for name in choice.chosen:
            beaten[place[name], [place[other] for other in choice.people]] = 1
    return connected(beaten)[0] <= 1


def _fit(
    choices: Sequence[_Choice], people: Sequence[str], seats: Sequence[int]
) -> tuple[Array | None, Array, float]:
    """Return strengths about a mean of 0, their standard errors, and the p-value of equality."""
    place = {name: at for at, name in enumerate(people)}
    of_seat = {seat: len(people) + at for at, seat in enumerate(seats)}
    count = len(people) + len(seats)
    designs = []
    for choice in choices:
        x = np.zeros((len(choice.sides), count))
        for at, (side, seat) in enumerate(zip(choice.sides, choice.seats, strict=True)):
            x[at, [place[name] for name in side]] = 1
            if seat in of_seat:
                x[at, of_seat[seat]] = 1
        designs.append((x, choice.won / choice.won.sum()))
    value, height = _newton(designs, count)
    if value is None:
        return None, np.zeros(0), 1.0
    _, flat = _newton([(x[:, len(people) :], won) for x, won in designs], len(seats))
    curvature = np.zeros((count, count))
    scores: dict[int, Array] = {}
    for choice, (x, won) in zip(choices, designs, strict=True):
        chance = _chances(x @ value)
        scores[choice.play] = scores.get(choice.play, 0) + x.T @ (won - chance)
        curvature += x.T @ (np.diag(chance) - np.outer(chance, chance)) @ x
    bread = np.linalg.pinv(curvature)
    inside = np.array(list(scores.values()))
    scale = len(scores) / max(len(scores) - count, 1)
    spread = scale * bread @ inside.T @ inside @ bread
    centre = np.eye(len(people)) - 1 / len(people)
    strengths = value[: len(people)]
    errors = np.sqrt(np.diag(centre @ spread[: len(people), : len(people)] @ centre))
    alike = float(stats.chi2.sf(max(2 * (height - flat), 0.0), len(people) - 1))
    return strengths - strengths.mean(), errors, alike


def _newton(designs: Sequence[tuple[Array, Array]], count: int) -> tuple[Array | None, float]:
    """Return the maximum-likelihood estimate, by Newton's method, and the log-likelihood."""
    value = np.zeros(count)
    for _ in range(_STEPS):
        score, curvature = np.zeros(count), np.zeros((count, count))
        for x, won in designs:
            chance = _chances(x @ value)
            score += x.T @ (won - chance)
            curvature += x.T @ (np.diag(chance) - np.outer(chance, chance)) @ x
        step = np.linalg.pinv(curvature) @ score if count else score
        # Far from the maximum a full step may lead away from it.
        value = value + step * min(1.0, 1.0 / max(float(np.abs(step).max(initial=0.0)), 1e-300))
        if np.abs(step).max(initial=0.0) < _NEAR:
            height = sum(float(won @ np.log(_chances(x @ value))) for x, won in designs)
            return value, height
    return None, 0.0


def _chances(worth: Array) -> Array:
    ahead = np.exp(worth - worth.max())
    chances: Array = ahead / ahead.sum()
    return chances
