"""Study directories without playing: rows made up, or those of a played study laid end to end."""

import shutil

import numpy as np

from simcore.game import get_game
from studies.design.cells import expand
from studies.store.cellfile import stored_cells, write_cells
from studies.store.directory import cell_folder, scan_cell
from studies.store.documents import write_provenance, write_study
from studies.store.parts import Encoded, encode, part_metadata, read_part, write_part


def tile(played, directory, times, deals_a_part=25_000):
    """Write a study whose cells hold the matches of a played one `times` times over."""
    cells = stored_cells(played)
    directory.mkdir(parents=True)
    for name in ("cells.parquet", "study.toml", "provenance.json"):
        shutil.copy(played / name, directory / name)
    for cell in cells:
        tables = [read_part(part) for part in scan_cell(played, cell).parts]
        names = tables[0].column_names
        once = {
            name: np.concatenate([table[name].to_numpy(zero_copy_only=False) for table in tables])
            for name in names
        }
        deals = len(once["match"]) // cell.rotations
        stop = deals * times
        for first in range(0, stop, deals_a_part):
            count = min(deals_a_part, stop - first)
            match = np.repeat(np.arange(first, first + count), cell.rotations)
            rows = (match % deals) * cell.rotations + np.tile(np.arange(cell.rotations), count)
            columns = {name: values[rows] for name, values in once.items()}
            columns["match"] = match
            write(directory, cell, first, count, columns, "tiled")


def write(directory, cell, first, count, columns, source):
    content = encode(columns, part_metadata(cell, first, count, source))
    write_part(cell_folder(directory, cell.id), Encoded(cell, first, count, content))


def make_up(directory, study, rows):
    """Write a study with made-up matches.

    `rows(cell)` gives winners and first seats, and scores by seat, as arrays of shape (deals,
    rotations); every metric is the number of the deal, every clause in play.
    """
    cells = expand(study)
    directory.mkdir(parents=True)
    write_cells(directory, cells)
    write_study(directory, study.document)
    write_provenance(directory, {})
    game = get_game(study.game)
    for cell in cells:
        winners, first_seat, scores = rows(cell)
        deals, rotations = winners.shape
        assert rotations == cell.rotations
        flat = np.arange(deals * rotations)
        columns = {
            "match": flat // rotations,
            "rotation": (flat % rotations).astype(np.int8),
            "first_seat": first_seat.ravel().astype(np.uint8),
            "winners": winners.ravel().astype(np.uint16),
            "aborted": winners.ravel() == 0,
            **{f"score_{s}": own.ravel().astype(np.int32) for s, own in enumerate(scores)},
            **{name: (flat // rotations).astype(np.int32) for name in game.metric_names},
            "clauses": np.full(len(flat), -1, dtype=np.int32),
        }
        write(directory, cell, 0, deals, columns, "made up")
