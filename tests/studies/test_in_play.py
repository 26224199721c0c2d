"""In play are the matches that are recorded otherwise with a variant, and no others."""

import numpy as np
import polars as pl
import pytest

from simcore.game import get_game
from studies.answers.frame import answers
from studies.run.run import run_study
from studies.store.opened import open_study
from tests.studies.conftest import study
from tests.studies.planted import plant, winners_by

MATCHES = 200
BLUFFERS = {"name": "bluffers", "seats": ["bluffer", "all_rounder"]}
HONEST = {"name": "honest", "seats": ["saver", "dumper"]}


def uno_study(**changes):
    """Plan single rounds of those who never bluff, and of those who do."""
    return study(
        game="uno",
        options={"players": 4, "rounds": 1},
        matches=MATCHES,
        variants={"legal": {"challenge": "off"}, "target": {"target": 501}},
        **{"lineups": [BLUFFERS, HONEST], **changes},
    )


def in_play(directory):
    """Return the rows by variant and line-up."""
    stored = open_study(directory)
    frame = answers(stored.cells, stored.totals, study=stored.study).frame
    rows = frame.filter(number="in_play").iter_rows(named=True)
    return {(row["variant"], row["lineup"]): row for row in rows}


@pytest.fixture(scope="module")
def uno(tmp_path_factory):
    directory = tmp_path_factory.mktemp("in_play") / "study"
    run_study(uno_study(), directory, threads=2)
    return directory


@pytest.fixture(scope="module")
def found(uno):
    return in_play(uno)


def pairs_of(directory, variant, lineup):
    rows = open_study(directory).rows().filter(pl.col("lineup") == lineup).collect()
    both = [rows.filter(pl.col("variant") == name) for name in ("baseline", variant)]
    return both[0].join(both[1], on=["match", "rotation"], maintain_order="left")


def test_a_challenge_that_nobody_would_make_is_not_in_play(uno, found):
    """Wild draw fours are laid, and the clause is noted, but nobody bluffs or doubts."""
    pairs = pairs_of(uno, "legal", "honest")
    assert pairs.select("bluffs", "challenges").sum().row(0) == (0, 0)
    bit = [clause.name for clause in get_game("uno").clauses].index("challenge")
    assert (pairs["clauses"].to_numpy() >> bit & 1).mean() > 0.5
    row = found["legal", "honest"]
    assert (row["count"], row["estimate"], row["low"]) == (0, 0, 0)
    assert row["high"] > 0.015  # rule of three, and more


def test_a_bluff_or_a_challenge_is_in_play(uno, found):
    pairs = pairs_of(uno, "legal", "bluffers")
    noted = ("bluffs", "challenges", "bluffs_right", "challenges_right")
    used = np.any([pairs[name].to_numpy() > 0 for name in noted], axis=0)
    differ = pairs["winners"] != pairs["winners_right"]
    # Who may bluff tosses a coin, and so plays otherwise later, although nobody did.
    count = found["legal", "bluffers"]["count"]
    assert count == (used | differ.to_numpy()).sum() > differ.sum() > 0
    assert used.sum() > 0.9 * count


@pytest.mark.parametrize("lineup", ["bluffers", "honest"])
def test_a_target_that_nobody_is_asked_for_is_not_in_play(uno, found, lineup):
    """With a number of rounds the target has no meaning, though the clause `end` is noted."""
    assert (pairs_of(uno, "target", lineup)["clauses"].to_numpy() & 1).all()
    assert found["target", lineup]["count"] == 0


def test_never_fewer_than_what_a_variant_changes(tmp_path):
    """Whatever is noted of clauses, and whichever column it is that differs."""
    changed = {"winners": 0, "score_1": 1, "plays": 2}

    def rows(cell, columns):
        shape = columns["winners"].shape
        columns["winners"] = winners_by((1 / 3,) * 3, shape, 1)
        columns["clauses"] = np.zeros(shape, np.int32)
        columns["score_1"] = np.full(shape, 30, np.int32)
        columns["decisions"] = np.full(shape, len(cell.variant), np.int32)
        if cell.variant == "longer":
            for name, match in changed.items():
                columns[name][match] = 7 - columns[name][match]

    variants = {"longer": {"rounds": 3}}  # no bit of a clause tells of more rounds
    plant(tmp_path, 50, rows, lineups=[{"name": "like", "seats": ["greedy"]}], variants=variants)
    row = in_play(tmp_path)["longer", "like"]
    assert row["count"] == len(changed)
    assert row["estimate"] == len(changed) / 50
