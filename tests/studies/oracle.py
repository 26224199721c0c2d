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

from simcore.catalogue import get_game


@dataclass
class Number:
    """A value, what each deal adds to it, and the sum of which it is a share."""

    value: float
    adds: np.ndarray
    events: float | None = None

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
        np.asarray(side, float).reshape(len(side), -1).sum(axis=1) for side in (part, whole)
    )
    total = whole.sum()
    if total == 0:
        return None
    value = part.sum() / total
    return Number(value, (part - value * whole) / total, part.sum())


class Cell:
    """Rows of a cell as arrays of shape (deals, rotations)."""

    def __init__(self, cell, frame):
        self.cell = cell
        self.metrics = get_game(cell.game).metric_names
        frame = frame.sort("match", "rotation")
        self.seats, self.rotations = cell.seats, cell.rotations
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

    def holders(self):
        """Return who is spoken of, and its seats: bool[deals, rotations, players]."""
        seats = np.array(self.seats)
        policies = np.stack([np.roll(seats, -rotation) for rotation in range(self.rotations)])
        place = (np.arange(self.players) - self.columns["first_seat"][..., None]) % self.players
        return {
            **{
                f"policy {policy}": np.broadcast_to(policies == policy, self.won.shape)
                for policy in dict.fromkeys(self.seats)
            },
            **{f"position {position}": place == position for position in range(self.players)},
        }

    def win_rate(self, seats):
        return ratio(self.credit * seats, self.decided[..., None] & seats)

    def numbers(self):
        """Return every level: (who, number) -> Number."""
        numbers = {}
        for who, seats in self.holders().items():
            numbers[who, "win_rate"] = self.win_rate(seats)
            numbers[who, "score"] = ratio(self.score * seats, seats)
        every = np.ones_like(self.decided)
        for name in ("aborted", "decisions", *self.metrics):
            numbers["", name] = ratio(self.columns[name], every)
        numbers["", "forced_share"] = ratio(self["forced"], self["forced"] + self["decisions"])
        for name in self.metrics:
            if "rounds" in self.columns and name != "rounds" and not name.startswith("largest"):
                numbers["", f"{name}_per_round"] = ratio(self[name], self["rounds"])
        for name, values in self.of_decided().items():
            numbers["", name] = ratio(values * self.decided, self.decided)
        return {key: number for key, number in numbers.items() if number is not None}

    def of_decided(self):
        """Return the values of numbers that are told of decided matches alone."""
        margin, distance = self.margins()
        course = self.course()
        values = {
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
            values["close"] = margin <= distance / 10
            values["runaway"] = (margin >= distance / 2) & (distance > 0)
        length = next(name for name in ("plays", "turns", "tricks", "rounds") if name in self)
        return values | {f"decided_{length}": self[length]}

    def __contains__(self, name):
        return name in self.columns

    def seatings(self):
        """Yield the win rate of each policy at each position, by who holds a seat there."""
        holders = self.holders()
        policies, places = (
            [who for who in holders if who.startswith(start)] for start in ("policy", "position")
        )
        if len(policies) == 1:
            return
        for policy, place in itertools.product(policies, places):
            rate = self.win_rate(holders[policy] & holders[place])
            if rate is not None:
                yield (policy, "win_rate", place), rate

    def margins(self):
        """Return points between the winner and the best other, and between first and last."""
        deals, rotations, players = self.score.shape
        margin = np.zeros((deals, rotations))
        for deal, rotation in np.argwhere(self.won.sum(axis=2) == 1):
            score = self.score[deal, rotation]
            winner = int(np.flatnonzero(self.won[deal, rotation])[0])
            margin[deal, rotation] = min(
                abs(int(score[seat]) - int(score[winner]))
                for seat in range(players)
                if seat != winner
            )
        return margin, (self.score.max(axis=2) - self.score.min(axis=2)).astype(float)

    def course(self):
        """Return how many times scores were noted."""
        for name in ("tricks", "rounds"):
            if name in self:
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
        chosen = both[:, rotation]
        old, new = before.winners[chosen, rotation], after.winners[chosen, rotation]
        for mask in np.union1d(old, new):
            same += float(np.sum(old == mask)) * np.sum(new == mask)
            same -= np.sum((old == mask) & (new == mask))
        pairs += len(old) * (len(old) - 1.0)
    return 1 - same / pairs if pairs else None


def in_play(before, after):
    """Return how often anything that is recorded of a match's outcome differs."""
    scores = [f"score_{seat}" for seat in range(after.players)]
    differs = np.zeros_like(before.decided)
    for name in ("winners", *after.metrics, *scores):
        differs |= before.columns[name] != after.columns[name]
    return ratio(differs, np.ones_like(differs))


class Oracle:
    """All that is told of the tables of a stored study."""

    def __init__(self, stored):
        self.tables = {}
        for cell in stored.cells:
            rows = stored.rows(cell).collect()
            if rows.height:
                key = (tuple(cell.point.items()), cell.lineup)
                self.tables.setdefault(key, {})[cell.variant] = Cell(cell, rows)

    def answers(self):
        """Return {(point, lineup, variant, kind, who, number, against): Number}."""
        return {
            (*place, *key): number
            for place, members in self.tables.items()
            for key, number in self.of_table(members)
        }

    def of_table(self, members):
        """Yield what one table tells."""
        base = members["baseline"]
        level = base.numbers()
        for key, number in level.items():
            yield ("baseline", "level", *key, ""), number
        for key, number in base.seatings():
            yield ("baseline", "seating", *key), number
        for start, name in itertools.product(("policy", "position"), ("win_rate", "score")):
            for first, second in pairs_of(level, start, name):
                gap = level[first, name] - level[second, name]
                yield ("baseline", "difference", first, name, second), gap
        variants = {variant: cell for variant, cell in members.items() if cell is not base}
        changes = {}
        for variant, cell in variants.items():
            after = cell.numbers()
            changes[variant] = {key: after[key] - level[key] for key in after if key in level}
            yield from self.of_variant(variant, level, after, changes[variant])
        yield from self.moves(base, variants)
        yield from self.interactions(members, changes)

    def moves(self, base, variants):
        """Yield how often a variant moves the win, and whatever else is recorded."""
        moves = {name: another_winner(base, cell) for name, cell in variants.items()}
        moves = {name: number for name, number in moves.items() if number is not None}
        for variant, number in moves.items():
            yield (variant, "level", "", "another_winner", ""), number
        for variant, cell in variants.items():
            yield (variant, "level", "", "in_play", ""), in_play(base, cell)
        changing = [v for v in moves if variants[v].cell.options != base.cell.options]
        for first, second in itertools.combinations(changing, 2):
            gap = moves[first] - moves[second]
            yield (first, "difference", "", "another_winner", second), gap

    def of_variant(self, variant, level, after, changes):
        """Yield what a variant tells beside its baseline."""
        for key, number in after.items():
            yield (variant, "after", *key, ""), number
        for key, number in changes.items():
            yield (variant, "change", *key, ""), number
            if key[1].removeprefix("decided_") in METRICS_OF_LENGTH and level[key].value > 0:
                yield (variant, "relative", *key, ""), number / level[key]
        for name in ("win_rate", "score"):
            for first, second in pairs_of(after, "policy", name):
                gap = after[first, name] - after[second, name]
                yield (variant, "after", first, name, second), gap
                if (first, name) in level:
                    before = level[first, name] - level[second, name]
                    yield (variant, "change", first, name, second), gap - before

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
        for first, second in itertools.combinations(changes, 2):
            if not changed[first] or not changed[second]:
                continue
            if set(changed[first]) & set(changed[second]):
                continue
            for both in changes:
                if changed[both] == changed[first] | changed[second]:
                    for key, together in changes[both].items():
                        rest = together - changes[first][key] - changes[second][key]
                        yield (f"{first} × {second}", "interaction", *key, both), rest


METRICS_OF_LENGTH = get_game("up").metric_names
"""Of the game of all planted studies: what changes in per cent, too."""


def pairs_of(level, start, number):
    """Return pairs of policies, or of positions."""
    names = [who for who, name in level if name == number and who.startswith(start)]
    return list(itertools.combinations(names, 2))


def factor_effects(stored, factors):
    """Return the effects of factors of two levels, and their interplays, at one table.

    {(name, who, number): Number}; `name` is the factor's, or "a × b".
    """
    cells = [(cell, Cell(cell, stored.rows(cell).collect()).numbers()) for cell in stored.cells]
    effects = {}

    def mean(key, **is_high):
        """Return the mean of the cells at which factors are high, or are not."""
        part = [
            numbers[key]
            for cell, numbers in cells
            if all((cell.options[f] == factors[f][1]) == high for f, high in is_high.items())
        ]
        return sum(part[1:], start=part[0]) * (1 / len(part))

    for key in cells[0][1]:
        for name in factors:
            effects[(name, *key)] = mean(key, **{name: True}) - mean(key, **{name: False})
        for a, b in itertools.combinations(factors, 2):
            high, low = (
                mean(key, **{a: True, b: level}) - mean(key, **{a: False, b: level})
                for level in (True, False)
            )
            effects[(f"{a} × {b}", *key)] = high - low
    return effects


def quantile(values, level):
    """Return the least value that at least `level` of the values do not exceed."""
    ordered = np.sort(np.asarray(values).ravel())
    return ordered[max(int(np.ceil(level * len(ordered))) - 1, 0)]
