"""Estimates from the sums of a cell: levels, and how often a variant moves the win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from studies.answers.estimate import Estimate, ratio, stack
from studies.answers.totals import Totals, seating_sum
from studies.measures import (
    DECIDED,
    MATCHES,
    Measure,
    Table,
    game_of,
    is_cooperative,
    win_unit,
)

Array = np.ndarray[Any, Any]

ANOTHER, UNRELATED, IN_PLAY = "another_winner", "unrelated", "in_play"
AGREEMENT = "agreement"


@dataclass(frozen=True)
class Key:
    """The name of a number.

    Attributes
    ----------
    who : str
        "" (the match), "policy NAME", "position K".
    number : str
    measure : Measure
    """

    who: str
    number: str
    measure: Measure

    @property
    def name(self) -> tuple[str, str]:
        """Who, and the number: what its rows in the frame are called."""
        return self.who, self.number

    @property
    def kind(self) -> str:
        """The kind of number, which decides the family of its test."""
        return self.measure.kind

    @property
    def is_of_seat(self) -> bool:
        """Whether it is the win rate of a position."""
        return self.kind == "win_rate" and self.who.startswith("position")


def keys_of(cell: Table, measures: Sequence[Measure]) -> list[Key]:
    """Return the numbers of a cell, in the order of `levels`."""
    keys = []
    for measure in measures:
        if not measure.seats:
            keys.append(Key("", measure.name, measure))
            continue
        policies = dict.fromkeys(cell.seats)
        keys += [Key(f"policy {policy}", measure.name, measure) for policy in policies]
        keys += [
            Key(f"position {place}", measure.name, measure) for place in range(len(cell.seats))
        ]
    return keys


def levels(totals: Totals, cell: Table, keys: Sequence[Key], groups: int) -> Estimate:
    """Return the estimates of a cell's numbers."""
    size, players = len(keys), len(cell.seats)
    matches = totals.by_group("deals", groups) * totals.rotations
    decided = totals.by_group("decided", groups)
    all_deals, decided_deals = totals.deals, totals.total(f"deals|{DECIDED}")
    numerator, denominator = np.zeros((size, groups)), np.zeros((size, groups))
    deals, low, high = np.zeros(size), np.full(size, -np.inf), np.full(size, np.inf)
    centre, units = np.zeros(size), np.ones(size)
    for row, key in enumerate(keys):
        measure = key.measure
        name = f"{measure.name}|{key.who}" if key.who else measure.name
        held = 1
        if key.who.startswith("policy "):
            held = cell.seats.count(key.who.removeprefix("policy "))
        totals.by_group(str(measure.value) if measure.is_rate else name, groups, numerator[row])
        units[row] = measure.unit
        if measure.is_rate:
            denominator[row] = totals.by_group(str(measure.of), groups)
            deals[row] = all_deals
        elif f"of|{name}" in totals.sums:
            denominator[row] = totals.by_group(f"of|{name}", groups)
            deals[row] = totals.total(f"deals|{name}")
        elif measure.of in (MATCHES, DECIDED):
            denominator[row] = held * (matches if measure.of == MATCHES else decided)
            deals[row] = all_deals if measure.of == MATCHES else decided_deals
        if measure.low is not None:
            low[row] = centre[row] = measure.low
        if measure.high is not None:
            high[row] = measure.high
        if measure.name == "win_rate" and key.who:
            # A seat of a policy wins at most every match divided by the seats that it holds.
            high[row], centre[row] = 1 / held, 1 / players
    numerator /= units[:, None]
    # A declared bound that the data contradict is none.
    least = np.where(np.isfinite(low), low, 0.0)[:, None] * denominator
    low[(numerator < least).any(axis=1)] = -np.inf
    return ratio(numerator, denominator, deals, low=low, high=high, centre=centre)


def teams_of(cell: Table) -> int:
    """Return in how many teams the positions of a cell play, each further on in the next; or 0."""
    return game_of(cell).teams if cell.game and not is_cooperative(cell) else 0


def of_teams(level: Estimate, keys: Sequence[Key], teams: int) -> Estimate:
    """Return the win rates of teams, that of the first seat first: the sums of their positions."""
    places = [
        at for at, key in enumerate(keys) if key.number == "win_rate" and key.who.startswith("pos")
    ]
    sums = []
    for team in range(teams):
        first, *others = (level[[at]] for at in places[team::teams])
        for other in others:
            first = first + other
        sums.append(first)
    together = stack(sums)
    ones = np.ones(teams)
    return replace(together, low=0 * ones, high=ones, centre=ones / teams)


def seatings(
    totals: Totals, cell: Table, groups: int
) -> tuple[list[tuple[str, int]], Array, Estimate]:
    """Return the win rate of each policy at each position.

    Returns
    -------
    names : list of (policy, position)
        Those with a decided match.
    matches : float64[names]
        Decided matches of each.
    rates : Estimate
    """
    players = len(cell.seats)
    names = [
        (policy, position)
        for policy in dict.fromkeys(cell.seats)
        for position in range(players)
        if totals.total(seating_sum(DECIDED, policy, position))
    ]
    numerator, denominator = np.zeros((2, len(names), groups))
    for row, name in enumerate(names):
        totals.by_group(seating_sum("win_rate", *name), groups, numerator[row])
        totals.by_group(seating_sum(DECIDED, *name), groups, denominator[row])
    numerator /= win_unit(players)
    matches = denominator.sum(axis=1)
    # A deal may seat a policy at a position in several matches.
    deals = np.minimum(matches, totals.total(f"deals|{DECIDED}"))
    rates = ratio(numerator, denominator, deals, low=0.0, high=1.0, centre=1 / players)
    return names, matches, rates


FEWEST_SEATED = 10
"""Decided matches of a policy from which on it counts as never having held a position."""


def held(seatings: Sequence[tuple[Totals, Table]]) -> dict[str, Array]:
    """Return the decided matches of each policy at each position, over several tables."""
    most = max(len(cell.seats) for _, cell in seatings)
    matches: dict[str, Array] = {}
    for totals, cell in seatings:
        for policy in dict.fromkeys(cell.seats):
            at = matches.setdefault(policy, np.zeros(most))
            for position in range(len(cell.seats)):
                at[position] += totals.total(seating_sum(DECIDED, policy, position))
    return matches


def never_alike(first: Array, second: Array) -> bool:
    """Return whether two policies never held the same position, so that they cannot be compared.

    What the one wins more than the other may then be its seat.
    """
    enough = min(first.sum(), second.sum()) >= FEWEST_SEATED
    return bool(enough and not np.minimum(first, second).any())


def counts(totals: Totals, keys: Sequence[Key]) -> Array:
    """Return the number of events behind each share of matches; NaN for other numbers."""
    events = np.full(len(keys), np.nan)
    for row, key in enumerate(keys):
        if not key.who and key.measure.is_share and f"of|{key.number}" not in totals.sums:
            events[row] = totals.total(key.number)
    return events


def constants(totals: Totals, keys: Sequence[Key]) -> Array:
    """Return which numbers are the same in every match, by histograms."""
    return np.array([len(totals.histograms.get(key.number, ())) == 1 for key in keys], dtype=bool)


def another(totals: Totals, groups: int) -> Estimate:
    """Return how often a variant moves the win, among matches decided with and without it."""
    numerator, denominator = (
        totals.by_group(f"pair|{name}", groups)[None] for name in ("another", "both")
    )
    return ratio(numerator, denominator, totals.total("deals|both"), low=0.0, high=1.0)


def moved(totals: Totals, groups: int) -> tuple[list[str], Estimate, Array]:
    """Return the levels of a variant paired with its baseline: names, estimates, match counts."""
    names, estimates = [ANOTHER], [another(totals, groups)]
    events = [float(totals.total("pair|another"))]
    other = unrelated(totals, groups)
    if other is not None:
        names += [UNRELATED, AGREEMENT]
        estimates += [other, agreement(estimates[0], other)]
        events += [np.nan, np.nan]
    if "pair|in_play" in totals.sums:
        names.append(IN_PLAY)
        matches = totals.by_group("deals", groups) * totals.rotations
        changed = totals.by_group("pair|in_play", groups)
        estimates.append(ratio(changed[None], matches[None], totals.deals, low=0.0, high=1.0))
        events.append(float(totals.total("pair|in_play")))
    return names, stack(estimates), np.array(events)


def agreement(moved: Estimate, by_chance: Estimate) -> Estimate:
    """Return how far two matches of a deal agree on the winner beyond chance: Cohen's kappa.

    1 - (how often another seat wins) / (how often another seat wins on unrelated deals): 1 if the
    winner never changes, 0 if the rule redraws the winner at random.

    J. Cohen (1960), Educ. Psychol. Meas. 20:37; J. L. Fleiss, J. Cohen, B. S. Everitt (1969),
    Psychol. Bull. 72:323: its standard error by the delta method.
    """
    apart = moved / by_chance
    scale = np.where(by_chance.value > 0, by_chance.value, np.nan)
    ones = np.ones_like(scale)
    return replace(
        apart,
        value=1 - apart.value,
        influence=-apart.influence,
        # If the winner hardly ever changes, only the rate of changes is uncertain.
        contribution=moved.share - moved.contribution / scale[:, None],
        share=moved.share,
        deals=moved.deals,
        low=1 - 1 / scale,
        high=ones,
        centre=ones,
    )


def unrelated(totals: Totals, groups: int) -> Estimate | None:
    """Return how often the winner differs between matches on *different* deals, with and without.

    Over all pairs of decided matches of the same rotation with deals of different groups, hence
    independent (a two-sample U-statistic; its influence is the projection of W. Hoeffding 1948,
    Ann. Math. Stat. 19:293). None with fewer than two groups.
    """
    before = totals.before
    assert before is not None
    names = sorted(n for n in {*totals.sums, *before.sums} if n.startswith("winners|"))
    if not names:
        return None
    without, with_variant = np.zeros((2, len(names), groups))
    for side, filled in ((before, without), (totals, with_variant)):
        for row, name in enumerate(names):
            if (sums := side.sums.get(name)) is not None:
                filled[row, : len(sums)] = sums[:groups]
    rotation = np.array([int(name.split("|")[1]) for name in names])
    turned = (rotation[None, :] == np.arange(totals.rotations)[:, None]).astype(float)
    decided = [
        np.array([winners[rotation == turn].sum(axis=0) for turn in range(totals.rotations)])
        for winners in (without, with_variant)
    ]  # rotations, groups; `@` would wake all threads of a BLAS library for so little

    def pairs(first: Array, second: Array) -> tuple[float, Array]:
        """Return the number of pairs of different groups, and half the pairs of each group."""
        total, other = first.sum(axis=1, keepdims=True), second.sum(axis=1, keepdims=True)
        within = (first * second).sum(axis=0)
        by_group = ((first * other + total * second).sum(axis=0)) / 2 - within
        return float((total * other).sum() - within.sum()), by_group

    same, same_each = pairs(without, with_variant)
    all_pairs, pairs_by_group = pairs(*decided)
    if all_pairs <= 0:
        return None
    value = same / all_pairs
    share = pairs_by_group / pairs_by_group.sum() if pairs_by_group.sum() > 0 else pairs_by_group
    # Each pair has two groups, so that half of a group's share stands for all of its influence.
    influence = -2 * (same_each - value * pairs_by_group) / all_pairs
    influence = _with_second_order(influence, without, with_variant, turned, decided, all_pairs)
    contribution = influence + (1 - value) * share
    as_row = np.array([1 - value])
    return Estimate(
        as_row,
        influence[None, :],
        contribution[None, :],
        share[None, :],
        np.array([float(min(totals.total(f"deals|{DECIDED}"), before.total(f"deals|{DECIDED}")))]),
        np.zeros(1),
        np.ones(1),
        np.full(1, np.nan),
        np.ones(1),
        np.ones(1),
    )


def _with_second_order(
    influence: Array,
    without: Array,
    with_variant: Array,
    turned: Array,
    decided: Sequence[Array],
    all_pairs: float,
) -> Array:
    """Return an influence that reflects chance variation also where the number is flat.

    If all seats win equally often, the number depends on the shares p and q of the two sides only
    through the product of their errors, whose variance follows from the variances of p and q and
    their covariance (L. Isserlis 1918, Biometrika 12:134).
    """
    moved = [
        counts
        - (counts.sum(axis=1) / np.maximum(turned.T @ matches.sum(axis=1), 1.0))[:, None]
        * (turned.T @ matches)
        for counts, matches in zip((without, with_variant), decided, strict=True)
    ]
    linear = float(np.square(influence).sum())
    most = 2 * float(np.prod([np.square(counts).sum() for counts in moved])) / all_pairs**2
    if linear >= most:  # which the product below cannot exceed (Cauchy and Schwarz)
        return influence
    # Not by `@`, which would wake all threads of a BLAS library for so little.
    first, second, both = (
        np.einsum("ig,jg->ij", moved[a], moved[b]) for a, b in ((0, 0), (1, 1), (0, 1))
    )
    product = float((first * second).sum() + (both * both.T).sum()) / all_pairs**2
    if linear >= product:
        return influence
    if linear > 0:
        return np.asarray(influence * np.sqrt(product / linear))
    signs = np.where(np.arange(influence.size) % 2, -1.0, 1.0)
    return np.asarray(signs * np.sqrt(product / influence.size))
