"""In play are the matches that are recorded otherwise with a variant, and no others."""

import numpy as np
import polars as pl
import pytest

from simcore.game import get_game
from studies import load
from studies.compare.effects import compare
from studies.deals.values import recorded, told_apart
from studies.report import build
from studies.run.run import run_study
from studies.show.sentences import sentence
from studies.show.tables import notes
from studies.stats.intervals import share_at
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


@pytest.fixture(scope="module")
def uno(tmp_path_factory):
    directory = tmp_path_factory.mktemp("in_play") / "study"
    run_study(uno_study(), directory, threads=2)
    return directory


@pytest.fixture(scope="module")
def effects(uno):
    return {(effect.variant, effect.lineup): effect for effect in compare(uno).variants}


def pairs_of(directory, variant, lineup):
    rows = load(directory).filter(pl.col("lineup") == lineup).collect()
    both = [rows.filter(pl.col("variant") == name) for name in ("baseline", variant)]
    return both[0].join(both[1], on=["match", "rotation"], maintain_order="left")


def test_a_challenge_that_nobody_would_make_is_not_in_play(uno, effects):
    """Wild draw fours are laid, and the clause is noted, but nobody bluffs or doubts."""
    pairs = pairs_of(uno, "legal", "honest")
    assert pairs.select("bluffs", "challenges").sum().row(0) == (0, 0)
    bit = [clause.name for clause in get_game("uno").clauses].index("challenge")
    assert (pairs["clauses"].to_numpy() >> bit & 1).mean() > 0.5
    effect = effects["legal", "honest"]
    assert (effect.in_play_count, effect.winners_differ_count) == (0, 0)
    assert effect.in_play == share_at(0, MATCHES)
    assert effect.in_play.high > 0.015  # rule of three, and more
    assert "comes into play in none of 200 matches" in sentence(effect, named=False)


def test_a_bluff_or_a_challenge_is_in_play(uno, effects):
    pairs = pairs_of(uno, "legal", "bluffers")
    noted = ("bluffs", "challenges", "bluffs_right", "challenges_right")
    used = np.any([pairs[name].to_numpy() > 0 for name in noted], axis=0)
    effect = effects["legal", "bluffers"]
    assert effect.in_play_count == used.sum() > effect.winners_differ_count > 0
    assert effect.clauses == ["challenge"]


@pytest.mark.parametrize("lineup", ["bluffers", "honest"])
def test_a_target_that_nobody_is_asked_for_is_not_in_play(uno, effects, lineup):
    """With a number of rounds the target has no meaning, though the clause `end` is noted."""
    assert (pairs_of(uno, "target", lineup)["clauses"].to_numpy() & 1).all()
    assert effects["target", lineup].in_play_count == 0


def test_sums_count_what_matches_count(effects, tmp_path):
    run_study(uno_study(detail="summary"), tmp_path / "sums", threads=2)
    for found in compare(tmp_path / "sums").variants:
        own = effects[found.variant, found.lineup]
        assert found.in_play_count == own.in_play_count
        assert found.in_play.high == pytest.approx(own.in_play.high)


def test_the_snippet_of_a_report_counts_the_same(effects, tmp_path):
    run_study(uno_study(lineups=[BLUFFERS]), tmp_path / "study", threads=2)
    section = next(part for part in build(tmp_path / "study").sections if part.name == "variants")
    recipe = next(one for one in section.recipes if one.name.endswith(" at bluffers: in play"))
    found = {}
    exec(recipe.code, found)  # noqa: S102 (what the report prints)
    share = effects["legal", "bluffers"].in_play
    assert [found[name] for name in ("answer", "low", "high")] == pytest.approx(
        [share.estimate, share.low, share.high]
    )


def test_the_note_says_what_is_counted(uno):
    text = " ".join(notes(compare(uno)))
    assert (
        "the matches that are recorded otherwise with the variant: other winners, another" in text
    )


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
    (effect,) = compare(tmp_path).variants
    assert effect.in_play_count == len(changed)
    assert effect.in_play == share_at(len(changed) / 50, 50)


def test_columns_in_which_a_variant_makes_itself_felt():
    names = recorded(2, ["plays"])
    assert names == ["winners", "score_0", "score_1", "plays"]
    before = {name: np.zeros((2, 2), int) for name in (*names, "clauses")}
    after = {**before, "clauses": np.ones((2, 2), int), "score_1": np.array([[0, 0], [0, 3]])}
    assert told_apart(names, before, after).tolist() == [[False, False], [False, True]]
