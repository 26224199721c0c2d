"""Cells and rows made up by hand, for the tests of answers: no game, no files."""

import itertools
from dataclasses import dataclass, field

import numpy as np

from studies.answers.frame import answers
from studies.answers.totals import totals_of
from studies.measures import measures_of

RECORD = ("match", "rotation", "first_seat", "winners", "aborted")


@dataclass(frozen=True)
class Cell:
    seats: tuple = ("a", "b")
    rotations: int = 1
    variant: str = "baseline"
    lineup: str = "table"
    point: dict = field(default_factory=dict)
    options: dict = field(default_factory=dict)
    game: str = ""

    @property
    def id(self):
        return f"{self.variant}|{self.lineup}|{self.point}"


VARIANT = Cell(variant="v", options={"x": 1})


def columns(winners, first=0, *, first_seat=None, scores=(), **metrics):
    """Return match columns; winners is (deals, rotations) of bit masks, 0 where aborted."""
    winners = np.asarray(winners)
    deals, rotations = winners.shape
    first_seat = np.zeros(winners.size) if first_seat is None else first_seat
    return {
        "match": np.repeat(np.arange(first, first + deals), rotations),
        "rotation": np.tile(np.arange(rotations), deals).astype(np.int8),
        "first_seat": np.asarray(first_seat, np.uint8).ravel(),
        "winners": winners.astype(np.uint16).ravel(),
        "aborted": (winners == 0).ravel(),
        **{f"score_{at}": np.asarray(of, np.int32).ravel() for at, of in enumerate(scores)},
        **{name: np.asarray(values).ravel() for name, values in metrics.items()},
    }


def contested(
    seats, deals, rotations=1, seed=0, *, strength=None, aborted=0.0, anew=1.0, first=0.0
):
    """Return columns of matches won by strength and chance; a share of them is played anew."""
    shared, luck = np.random.default_rng([9, deals]), np.random.default_rng([seed, 3])
    players, shape = len(seats), (deals, rotations, len(seats))
    chance = shared.normal(size=shape)
    chance = np.where(luck.random(shape[:2])[..., None] < anew, luck.normal(size=shape), chance)
    begins = np.broadcast_to(shared.integers(0, players, (deals, 1)), shape[:2])
    for rotation, seat in itertools.product(range(rotations), range(players)):
        policy = seats[(seat + rotation) % players]
        chance[:, rotation, seat] += (strength or {}).get(policy, 0.0)
        chance[:, rotation, seat] += first * (begins[:, rotation] == seat)
    scores = np.round(chance * 20).astype(int)
    best = scores.max(axis=2, keepdims=True) == scores
    winners = (best << np.arange(players)).sum(axis=2)
    winners[luck.random(shape[:2]) < aborted] = 0
    turns = 40 + np.round(chance.sum(axis=2)).astype(int)
    return columns(winners, first_seat=begins, scores=scores.transpose(2, 0, 1), turns=turns)


def some(rows, chosen):
    """Return some of the rows, by a slice or places."""
    return {name: values[chosen] for name, values in rows.items()}


def measures_for(cell, rows, study_measures=()):
    return measures_of(cell, study_measures, [name for name in rows if name not in RECORD])


def totals(cell, rows, study_measures=(), base=None, base_rows=None):
    measures = measures_for(cell, rows, study_measures)
    return totals_of(cell, rows, measures, base, base_rows)


class Made:
    """A study in memory: cells with their rows, and its answers."""

    def __init__(self, *, measures=(), **options):
        self.measures, self.options = measures, options
        self.cells, self.totals, self.rows = [], {}, {}

    def add(self, cell, rows, *, paired=True):
        """Add a cell; paired with its baseline, where that has the same seats."""
        table = (cell.lineup, cell.point, cell.seats)
        bases = [
            other
            for other in self.cells
            if other.variant == "baseline" and (other.lineup, other.point, other.seats) == table
        ]
        pair = (bases[0], self.rows[bases[0].id]) if bases and paired else ()
        self.cells.append(cell)
        self.rows[cell.id] = rows
        self.totals[cell.id] = totals(cell, rows, self.measures, *pair)
        return self

    def answers(self, **options):
        rows = self.rows[self.cells[0].id]
        return answers(
            self.cells,
            lambda cell: self.totals[cell.id],
            measures=self.measures,
            metrics=[name for name in rows if name not in RECORD],
            **{**self.options, **options},
        )

    def frame(self, **options):
        return self.answers(**options).frame


def only(frame, **values):
    """Return the only row of a frame with these values, as a dict."""
    rows = frame.filter(**values)
    assert len(rows) == 1, (values, len(rows))
    return rows.to_dicts()[0]
