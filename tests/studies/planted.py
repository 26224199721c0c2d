"""Study directories with planted rows: the truth is known, nothing is played."""

import numpy as np

from simcore.game import get_game
from simcore.records import COMMON_COUNTS
from studies.deals.sums import all_sums
from studies.design.cells import expand
from studies.design.study import SUMMARY
from studies.store.cellfile import write_cells
from studies.store.directory import cell_folder
from studies.store.documents import write_provenance, write_study
from studies.store.parts import Encoded, encode, part_metadata, write_part
from studies.store.summary_parts import encode_sums
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
    directory.mkdir(parents=True, exist_ok=True)
    write_cells(directory, cells)
    write_study(directory, planned.document)
    write_provenance(directory, {"title": "Planted"})
    bases = {}
    for cell in cells:
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
        base, before = bases.setdefault(cell.group, (cell, columns))  # baselines come first
        folder = cell_folder(directory, cell.id, planned.detail)
        for start in range(0, matches, planned.block or matches):
            part = slice(start, min(start + (planned.block or matches), matches))
            own, old = (
                {name: all_[part] for name, all_ in side.items()} for side in (columns, before)
            )
            count = part.stop - start
            if planned.detail == SUMMARY:
                sums = all_sums(cell, own, base, None if cell is base else old)
                content = encode_sums(cell, start, count, sums, "planted")
            else:
                flat = {name: np.ascontiguousarray(values).ravel() for name, values in own.items()}
                content = encode(flat, part_metadata(cell, start, count, "planted"))
            write_part(folder, Encoded(cell, start, count, content))
    return directory


def winners_by(shares, shape, seed):
    """Return winners drawn with these probabilities by seat."""
    rng = np.random.default_rng(seed)
    seats = rng.choice(len(shares), size=shape, p=shares)
    return (1 << seats).astype(np.uint16)
