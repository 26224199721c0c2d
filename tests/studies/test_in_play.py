"""In play are the matches that are recorded otherwise with a variant, and no others."""

import numpy as np
import polars as pl
import pytest

from simcore.catalogue import get_game
from studies.run.run import run_study
from tests.studies.answer_rows import only
from tests.studies.conftest import frame_of, load, study

MATCHES = 200


@pytest.fixture(scope="module")
def uno(tmp_path_factory):
    """Single rounds of those who never bluff, and of those who do."""
    directory = tmp_path_factory.mktemp("in_play") / "study"
    planned = study(
        game="uno",
        options={"players": 4, "rounds": 1},
        matches=MATCHES,
        variants={"legal": {"challenge": "off"}, "target": {"target": 501}},
        lineups=[
            {"name": "bluffers", "seats": ["bluffer", "all_rounder"]},
            {"name": "honest", "seats": ["saver", "dumper"]},
        ],
    )
    run_study(planned, directory, threads=2)
    return directory


@pytest.fixture(scope="module")
def in_play(uno):
    """Return a function that gives the row of a variant at a line-up, and its pairs of matches."""
    frame = frame_of(uno).filter(number="in_play")

    def of(variant, lineup):
        rows = load(uno).filter(pl.col("lineup") == lineup).collect()
        before, after = (rows.filter(variant=name) for name in ("baseline", variant))
        pairs = before.join(after, on=["match", "rotation"], maintain_order="left")
        return only(frame, variant=variant, lineup=lineup), pairs

    return of


def test_a_challenge_that_nobody_would_make_is_not_in_play(in_play):
    """Wild draw fours are laid, and the clause is noted, but nobody bluffs or doubts."""
    row, pairs = in_play("legal", "honest")
    assert pairs.select("bluffs", "challenges").sum().row(0) == (0, 0)
    bit = [clause.name for clause in get_game("uno").clauses].index("challenge")
    assert (pairs["clauses"].to_numpy() >> bit & 1).mean() > 0.5
    assert (row["count"], row["estimate"], row["low"]) == (0, 0, 0)
    assert row["high"] > 0.015  # rule of three, and more


def test_a_bluff_or_a_challenge_is_in_play(in_play):
    row, pairs = in_play("legal", "bluffers")
    noted = ("bluffs", "challenges", "bluffs_right", "challenges_right")
    used = np.any([pairs[name].to_numpy() > 0 for name in noted], axis=0)
    differ = (pairs["winners"] != pairs["winners_right"]).to_numpy()
    # Who may bluff tosses a coin, and so plays otherwise later, although nobody did.
    assert row["count"] == (used | differ).sum() > differ.sum() > 0
    assert used.sum() > 0.9 * row["count"]


@pytest.mark.parametrize("lineup", ["bluffers", "honest"])
def test_a_target_that_nobody_is_asked_for_is_not_in_play(in_play, lineup):
    """With a number of rounds the target has no meaning, though the clause `end` is noted."""
    row, pairs = in_play("target", lineup)
    assert (pairs["clauses"].to_numpy() & 1).all()
    assert row["count"] == 0
