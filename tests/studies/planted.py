"""Study directories with planted rows: the truth is known, nothing is played."""

import numpy as np

from simcore.game import get_game
from simcore.records import COMMON_COUNTS
from studies.design.cells import expand
from studies.design.study import SUMMARY
from studies.store.parts import Encoded, encode, part_metadata
from studies.store.totals import block_totals, encode_block
from studies.store.writing import writing
from tests.studies.conftest import study

SCORE = 50
"""Of everybody who does not win; a winner has 0."""


def plant(directory, matches, rows, **changes):
    """Write a study of `matches` deals a cell, in matches or (detail="summary") in sums.

    `rows(cell, columns)` fills in the columns of a cell, arrays of shape (deals, rotations) with
    everybody beaten by seat 0; scores follow from the winners afterwards, unless it gives some.
    With `block` there are several parts.
    """
    planned = study(matches=matches, **changes)
    cells = expand(planned)
    bases = {}
    with writing(directory, planned, cells) as writer:
        writer.describe({"title": "Planted"})
        for cell in cells:
            columns = columns_of(cell, matches, rows)
            base, before = bases.setdefault(cell.group, (cell, columns))  # baselines come first
            for start in range(0, matches, planned.block or matches):
                stop = min(start + (planned.block or matches), matches)
                own, old = flat(columns, start, stop), flat(before, start, stop)
                count = stop - start
                if planned.detail == SUMMARY:
                    totals = block_totals(base, old, [(cell, own)], planned.study_measures)
                    content = encode_block(cell, start, count, totals[cell.id], "planted")
                else:
                    content = encode(own, part_metadata(cell, start, count, "planted"))
                writer.keep(Encoded(cell, start, count, content))
    return directory


def columns_of(cell, matches, rows):
    """Return the columns of a cell as `rows` plants them, arrays of shape (deals, rotations)."""
    shape = (matches, cell.rotations)
    columns = {
        "match": np.broadcast_to(np.arange(matches)[:, None], shape).astype(np.int64),
        "rotation": np.broadcast_to(np.arange(cell.rotations), shape).astype(np.int8),
        "first_seat": np.zeros(shape, np.uint8),
        "winners": np.ones(shape, np.uint16),
        "aborted": np.zeros(shape, bool),
    }
    for name in (*get_game(cell.game).metric_names, *COMMON_COUNTS):
        columns[name] = np.full(shape, 10, np.int32)
    rows(cell, columns)
    aborted = columns["aborted"]
    columns["winners"] = np.where(aborted, 0, columns["winners"]).astype(np.uint16)
    for seat in range(cell.players):
        lost = columns["winners"] >> seat & 1 == 0
        columns.setdefault(f"score_{seat}", np.where(lost, SCORE, 0).astype(np.int32))
    return columns


def flat(columns, start, stop):
    """Return deals [start, stop) in the order of (match, rotation)."""
    return {name: np.ascontiguousarray(own[start:stop]).ravel() for name, own in columns.items()}


def winners_by(shares, shape, seed):
    """Return winners drawn with these probabilities by seat."""
    rng = np.random.default_rng(seed)
    seats = rng.choice(len(shares), size=shape, p=shares)
    return (1 << seats).astype(np.uint16)
