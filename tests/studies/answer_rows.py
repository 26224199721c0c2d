"""Cells and rows made up by hand, for the tests of answers: no game, no files."""

from dataclasses import dataclass, field

import numpy as np

from studies.answers.totals import totals_of
from studies.measures import measures_of

METRICS = ("turns", "rounds")


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


def columns(winners, first=0, *, first_seat=None, scores=None, **metrics):
    """Return match columns; winners is (deals, rotations) of bit masks, 0 where aborted."""
    winners = np.asarray(winners)
    deals, rotations = winners.shape
    found = {
        "match": np.repeat(np.arange(first, first + deals), rotations),
        "rotation": np.tile(np.arange(rotations), deals).astype(np.int8),
        "first_seat": np.zeros(winners.size, np.uint8)
        if first_seat is None
        else np.asarray(first_seat, np.uint8).ravel(),
        "winners": winners.astype(np.uint16).ravel(),
        "aborted": (winners == 0).ravel(),
    }
    for seat, own in enumerate(scores if scores is not None else ()):
        found[f"score_{seat}"] = np.asarray(own, np.int32).ravel()
    for name, own in metrics.items():
        found[name] = np.asarray(own).ravel()
    return found


def part(rows, chosen):
    """Return some of the rows, by a slice or places."""
    return {name: values[chosen] for name, values in rows.items()}


def measures_for(cell, rows, own=()):
    known = [
        name
        for name in rows
        if name not in ("match", "rotation", "first_seat", "winners", "aborted")
    ]
    return measures_of(cell, own, known)


def totals(cell, rows, own=(), base=None, baseline=None):
    return totals_of(cell, rows, measures_for(cell, rows, own), base, baseline)


class Made:
    """A study in memory: cells with their rows, and its answers."""

    def __init__(self, *, own=(), **said):
        self.own, self.said = own, said
        self.cells, self.totals, self.rows = [], {}, {}

    def add(self, cell, rows):
        base = next(
            (
                one
                for one in self.cells
                if one.variant == "baseline"
                and (one.lineup, one.point) == (cell.lineup, cell.point)
            ),
            None,
        )
        self.cells.append(cell)
        self.rows[cell.id] = rows
        pair = (base, self.rows[base.id]) if base and base.seats == cell.seats else (None, None)
        self.totals[cell.id] = totals(cell, rows, self.own, *pair)
        return self

    def answers(self, **said):
        from studies.answers.frame import answers

        first = self.rows[self.cells[0].id]
        known = [
            name
            for name in first
            if name not in ("match", "rotation", "first_seat", "winners", "aborted")
        ]
        return answers(
            self.cells,
            lambda cell: self.totals[cell.id],
            measures=self.own,
            metrics=known,
            **{**self.said, **said},
        )

    def frame(self, **said):
        return self.answers(**said).frame


def one(frame, **told):
    """Return the only row of a frame with these values, as a dict."""
    found = frame.filter(**told)
    assert len(found) == 1, (told, len(found))
    return found.to_dicts()[0]
