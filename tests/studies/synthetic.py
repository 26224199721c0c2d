"""Study directories without playing: rows made up, or those of a played study laid end to end."""

import numpy as np

from simcore.game import get_game
from studies.design.cells import expand
from studies.store.opened import open_study
from studies.store.parts import Encoded, as_array, encode, part_metadata, read_part
from studies.store.writing import writing


def tile(played, directory, times, deals_a_part=25_000):
    """Write a study whose cells hold the matches of a played one `times` times over."""
    stored = open_study(played)
    with writing(directory, stored.study, stored.cells) as writer:
        writer.describe({})
        for cell in stored.cells:
            tables = [read_part(part) for part in stored.parts[cell.id]]
            once = {
                name: np.concatenate([as_array(table[name]) for table in tables])
                for name in tables[0].column_names
            }
            deals = len(once["match"]) // cell.rotations
            stop = deals * times
            for first in range(0, stop, deals_a_part):
                count = min(deals_a_part, stop - first)
                match = np.repeat(np.arange(first, first + count), cell.rotations)
                rows = (match % deals) * cell.rotations + np.tile(np.arange(cell.rotations), count)
                columns = {name: values[rows] for name, values in once.items()}
                columns["match"] = match
                keep(writer, cell, first, count, columns, "tiled")


def keep(writer, cell, first, count, columns, source):
    content = encode(columns, part_metadata(cell, first, count, source))
    writer.keep(Encoded(cell, first, count, content))


def make_up(directory, study, rows):
    """Write a study with made-up matches.

    `rows(cell)` gives winners and first seats, and scores by seat, as arrays of shape (deals,
    rotations); every metric is the number of the deal, every clause in play.
    """
    game = get_game(study.game)
    cells = expand(study)
    with writing(directory, study, cells) as writer:
        writer.describe({})
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
            keep(writer, cell, 0, deals, columns, "made up")
