"""The numbers of the long frame computed again from rows: dense, plain, and slow.

Written from DESIGN's definitions without a look at `studies.answers`. Deals are never grouped: each
deal's matches in all rotations are one observation, a number is a ratio of two sums over deals, and
what a deal adds to it is linearised (Cochran 1977, ch. 2 and 6). Nothing is done for few events, so
that intervals are to be compared where many deals tell.
"""

import itertools
from dataclasses import dataclass

import numpy as np
from scipy import stats

from simcore.game import get_game


@dataclass
class Number:
    """A value, what each deal adds to it, and how many deals tell anything at all."""

    value: float
    adds: np.ndarray

    def __add__(self, other):
        return Number(self.value + other.value, self.adds + other.adds)

    def __sub__(self, other):
        return self + other * -1.0

    def __mul__(self, factor):
        return Number(self.value * factor, self.adds * factor)

    def __truediv__(self, other):
        value = self.value / other.value
        return Number(value, (self.adds - value * other.adds) / other.value)

    @property
    def half_width(self):
        """Half the width of a 95 % interval."""
        deals = len(self.adds)
        if deals < 2:
            return np.nan
        variance = deals / (deals - 1) * np.sum((self.adds - self.adds.mean()) ** 2)
        return stats.t.ppf(0.975, deals - 1) * np.sqrt(variance)


def ratio(part, whole):
    """Return a ratio of sums; `part` and `whole` are float[deals, …], summed over the rest."""
    part, whole = (
        np.asarray(one, float).reshape(len(one), -1).sum(axis=1) for one in (part, whole)
    )
    total = whole.sum()
    if total == 0:
        return None
    value = part.sum() / total
    return Number(value, (part - value * whole) / total)


class Cell:
    """Rows of a cell as arrays of shape (deals, rotations)."""

    def __init__(self, described, frame):
        self.cell = described
        frame = frame.sort("match", "rotation")
        self.seats, self.rotations = described.seats, described.rotations
        self.players = len(self.seats)
        shape = (frame.height // self.rotations, self.rotations)
        self.columns = {name: frame[name].to_numpy().reshape(shape) for name in frame.columns}
        self.winners = self.columns["winners"].astype(int)
        self.decided = self.winners > 0
        self.won = np.stack([self.winners >> s & 1 for s in range(self.players)], axis=2)
        self.credit = self.won / np.maximum(self.won.sum(axis=2, keepdims=True), 1)
        self.score = np.stack([self.columns[f"score_{s}"] for s in range(self.players)], axis=2)

    def __getitem__(self, name):
        return self.columns[name].astype(float)

    def policy_at(self):
        """Return who sits at each seat at each rotation: str[rotations, players]."""
        seats = np.array(self.seats)
        return np.stack([np.roll(seats, -rotation) for rotation in range(self.rotations)])

    def holders(self):
        """Yield the name of who is spoken of, and its seats: bool[deals, rotations, players]."""
        at = self.policy_at()
        for policy in dict.fromkeys(self.seats):
            yield f"policy {policy}", np.broadcast_to(at == policy, self.won.shape)
        place = (np.arange(self.players) - self.columns["first_seat"][..., None]) % self.players
        for position in range(self.players):
            yield f"position {position}", place == position

    def numbers(self):
        """Return every level: (who, number) -> Number."""
        found = {}
        for who, seats in self.holders():
            decided = self.decided[..., None] & seats
            found[who, "win_rate"] = ratio(self.credit * seats, decided)
            found[who, "score"] = ratio(self.score * seats, seats)
        every = np.ones_like(self.decided)
        of_all = {"aborted": self.columns["aborted"]}
        for name in get_game(self.cell.game).metric_names:
            of_all[name] = self[name]
        of_all["decisions"] = self["decisions"]
        found["", "forced_share"] = ratio(self["forced"], self["forced"] + self["decisions"])
        found |= {("", name): ratio(values, every) for name, values in of_all.items()}
        margin, distance = self.margins()
        course = self.course()
        of_decided = {
            "shared_win": self.won.sum(axis=2) > 1,
            "led_throughout": self["lead_changes"] == 0,
            "behind": self["comeback"] > 0,
            "comeback": self["comeback"],
            "settled_by_quarter": self["last_lead_change"] <= course / 4,
            "settled_by_half": self["last_lead_change"] <= course / 2,
            "decided_at_the_end": self["last_lead_change"] == course,
            "margin": margin,
        }
        if self.players > 2:
            of_decided["close"] = margin <= distance / 10
            of_decided["runaway"] = (margin >= distance / 2) & (distance > 0)
        length = next(n for n in ("plays", "turns", "tricks", "rounds") if n in self.columns)
        of_decided[f"decided_{length}"] = self[length]
        for name in get_game(self.cell.game).metric_names:
            if "rounds" in self.columns and name != "rounds" and not name.startswith("largest"):
                found["", f"{name}_per_round"] = ratio(self[name], self["rounds"])
        for name, values in of_decided.items():
            found["", name] = ratio(values * self.decided, self.decided)
        return {key: number for key, number in found.items() if number is not None}

    def seatings(self):
        """Yield the win rate of each policy at each position, by who holds a seat there."""
        held = dict(self.holders())
        places = [name for name in held if name.startswith("position")]
        for policy in dict.fromkeys(self.seats):
            for place in places:
                seats = held[f"policy {policy}"] & held[place]
                rate = ratio(self.credit * seats, self.decided[..., None] & seats)
                if rate is not None and len(set(self.seats)) > 1:
                    yield (f"policy {policy}", "win_rate", place), rate

    def margins(self):
        """Return points between the winner and the best other, and between first and last."""
        deals, rotations, players = self.score.shape
        margin = np.zeros((deals, rotations))
        for deal, rotation in np.argwhere(self.won.sum(axis=2) == 1):
            own = self.score[deal, rotation]
            winner = int(np.flatnonzero(self.won[deal, rotation])[0])
            margin[deal, rotation] = min(
                abs(int(own[seat]) - int(own[winner])) for seat in range(players) if seat != winner
            )
        return margin, (self.score.max(axis=2) - self.score.min(axis=2)).astype(float)

    def course(self):
        """Return how many times scores were noted."""
        for name in ("tricks", "rounds"):
            if name in self.columns:
                return self[name]
        return np.ceil(self["turns"] / self.players)


def another_winner(before, after):
    """Return how often other seats win, of matches decided in both."""
    both = before.decided & after.decided
    return ratio((before.winners != after.winners) & both, both)


def unrelated(before, after):
    """Return how often other seats would win if the two matches were of unrelated deals.

    Among decided matches of the same rotation, of all pairs of two different deals.
    """
    both = before.decided & after.decided
    same = pairs = 0.0
    for rotation in range(before.rotations):
        there = both[:, rotation]
        one, two = before.winners[there, rotation], after.winners[there, rotation]
        for mask in np.union1d(one, two):
            same += float(np.sum(one == mask)) * np.sum(two == mask) - np.sum(
                (one == mask) & (two == mask)
            )
        pairs += len(one) * (len(one) - 1.0)
    return 1 - same / pairs if pairs else None


def in_play(before, after):
    """Return how often anything that is recorded of a match's outcome differs."""
    names = ["winners", *get_game(after.cell.game).metric_names]
    names += [f"score_{seat}" for seat in range(after.players)]
    differs = np.zeros_like(before.decided)
    for name in names:
        differs |= before.columns[name] != after.columns[name]
    return ratio(differs, np.ones_like(differs))


class Oracle:
    """All that is told of a study's tables, from a function that gives the rows of a cell."""

    def __init__(self, cells, rows_of):
        self.tables = {}
        for cell in cells:
            rows = rows_of(cell)
            if rows is None or not rows.height:
                continue
            key = (tuple(cell.point.items()), cell.lineup)
            self.tables.setdefault(key, {})[cell.variant] = Cell(cell, rows)

    def answers(self):
        """Return {(point, lineup, variant, kind, who, number, against): Number}."""
        found = {}
        for (point, lineup), members in self.tables.items():
            told = dict(self.of_table(members))
            found |= {(point, lineup, *key): number for key, number in told.items()}
        return found

    def of_table(self, members):  # noqa: C901 (all that a table tells, one thing after the other)
        """Yield what one table tells."""
        base = members["baseline"]
        level = base.numbers()
        for (who, number), value in level.items():
            yield ("baseline", "level", who, number, ""), value
        for key, value in base.seatings():
            yield ("baseline", "seating", *key), value
        for start in ("policy", "position"):
            for number in ("win_rate", "score"):
                for one, two in pairs_of(level, start, number):
                    difference = level[one, number] - level[two, number]
                    yield ("baseline", "difference", one, number, two), difference
        changes, moves = {}, {}
        for variant, cell in members.items():
            if variant == "baseline":
                continue
            after = cell.numbers()
            changes[variant] = {}
            for key in after:
                yield (variant, "after", *key, ""), after[key]
                if key not in level:
                    continue
                change = after[key] - level[key]
                changes[variant][key] = change
                yield (variant, "change", *key, ""), change
                metrics = get_game(cell.cell.game).metric_names
                if key[1].removeprefix("decided_") in metrics and level[key].value > 0:
                    yield (variant, "relative", *key, ""), change / level[key]
            for number in ("win_rate", "score"):
                for one, two in pairs_of(after, "policy", number):
                    gap = after[one, number] - after[two, number]
                    yield (variant, "after", one, number, two), gap
                    if (one, number) not in level:
                        continue
                    moved = gap - (level[one, number] - level[two, number])
                    yield (variant, "change", one, number, two), moved
            if (found := another_winner(base, cell)) is not None:
                moves[variant] = found
                yield (variant, "level", "", "another_winner", ""), found
            if (found := in_play(base, cell)) is not None:
                yield (variant, "level", "", "in_play", ""), found
        shown = [v for v in moves if members[v].cell.options != base.cell.options]
        for one, two in itertools.combinations(shown, 2):
            difference = moves[one] - moves[two]
            yield (one, "difference", "", "another_winner", two), difference
        yield from self.interactions(members, changes)

    def interactions(self, members, changes):
        """Yield what two variants change together less what each changes alone."""
        base = members["baseline"].cell.options
        changed = {
            variant: {
                name: value
                for name, value in members[variant].cell.options.items()
                if base[name] != value
            }
            for variant in changes
        }
        for one, two in itertools.combinations(changes, 2):
            if not changed[one] or not changed[two] or set(changed[one]) & set(changed[two]):
                continue
            for both in changes:
                if changed[both] == changed[one] | changed[two]:
                    for key in changes[both]:
                        together = changes[both][key] - changes[one][key] - changes[two][key]
                        yield (f"{one} × {two}", "interaction", *key, both), together


def pairs_of(level, start, number):
    """Return pairs of policies, or of positions."""
    names = [who for who, told in level if told == number and who.startswith(start)]
    return list(itertools.combinations(names, 2))


def factor_effects(cells, rows_of, factors):
    """Return the effects of factors of two levels, and their interplays, at one table.

    {(name, who, number): Number}; `name` is the factor's, or "a × b".
    """
    found = {}
    told = [(cell, Cell(cell, rows_of(cell)).numbers()) for cell in cells]

    def mean(chosen, key):
        part = [numbers[key] for cell, numbers in told if chosen(cell)]
        total = part[0]
        for one in part[1:]:
            total = total + one
        return total * (1 / len(part))

    high = {name: levels[1] for name, levels in factors.items()}
    for key in told[0][1]:
        for name in factors:
            found[(name, *key)] = mean(lambda c, n=name: c.options[n] == high[n], key) - mean(
                lambda c, n=name: c.options[n] != high[n], key
            )
        for one, two in itertools.combinations(factors, 2):
            parts = {
                (a, b): mean(
                    lambda c, one=one, two=two, a=a, b=b: (
                        (c.options[one] == high[one]) == a and (c.options[two] == high[two]) == b
                    ),
                    key,
                )
                for a in (False, True)
                for b in (False, True)
            }
            found[(f"{one} × {two}", *key)] = (
                parts[True, True] - parts[True, False] - parts[False, True] + parts[False, False]
            )
    return found


def quantile(values, level):
    """Return the least value that at least `level` of the values do not exceed."""
    ordered = np.sort(np.asarray(values).ravel())
    return ordered[max(int(np.ceil(level * len(ordered))) - 1, 0)]
