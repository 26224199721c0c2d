"""`cardlab.run`, `open` and what results answer, beside the commands."""

from __future__ import annotations

import json

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import cardlab
from studies.cli.app import run_app
from tests.api.conftest import DUEL


@pytest.fixture(scope="module")
def answer(folder):
    return cardlab.open(folder / "duel").compare(margin={"score": 50})


@pytest.fixture(scope="module")
def sums(folder):
    return cardlab.run({**DUEL, "detail": "summary"}, folder / "sums")


def test_json_is_that_of_the_command(duel, answer, capfd):
    assert run_app(["compare", str(duel.directory), "--json", "--margin", "score=50"]) == 0
    assert capfd.readouterr().out == answer.to_json() + "\n"


def test_frames_hold_the_numbers_of_the_json(answer):
    told = json.loads(answer.to_json())
    (effect,) = told["variants"]
    other = answer.variants.row(by_predicate=pl.col("number") == "another_winner", named=True)
    assert [other[key] for key in ("estimate", "low", "high")] == list(
        effect["another_winner"].values()
    )
    assert (other["count"], other["matches"]) == (
        effect["another_winner_count"],
        effect["decided"],
    )
    own = effect["policies"][0]
    found = answer.variants.filter(of="policy", who=own["policy"], number="score")
    row = found.row(0, named=True)
    assert row["low"] == own["score"]["change"]["low"]
    assert row["p_holm"] == own["score"]["p_holm"]
    assert row["margin"] == 50
    assert row["equivalent"] is own["score"]["equivalence"]["holds"]
    gap = told["lineups"][0]["differences"][0]
    row = answer.policies.row(by_predicate=pl.col("of") == "difference", named=True)
    assert (row["who"], row["against"], row["p_family"]) == (
        gap["first"],
        gap["second"],
        gap["p_family"],
    )
    assert set(answer.ratings["number"]) >= {"strength", "payoff"}


def test_every_number_of_a_row_has_bounds(answer):
    for frame in (answer.variants, answer.policies):
        intervals = frame.filter(pl.col("low").is_not_null())
        # None has bounds where so few deals tell that the interval has no ends.
        assert frame.filter(pl.col("low").is_null() & pl.col("estimate").is_null()).height == 0
        assert intervals.height > 0.8 * frame.height
        assert (intervals["low"] <= intervals["high"]).all()


def test_seats_agree_with_compare(duel, answer):
    seats = duel.seats().filter(pl.col("variant") == "baseline")
    rows = duel.rows().filter(pl.col("variant") == "baseline").collect()
    found = seats.group_by("policy").agg(pl.col("won").mean(), pl.col("score").mean()).collect()
    for name, won, score in found.iter_rows():
        told = answer.policies.filter(of="policy", who=name)
        assert told.filter(number="win_share")["estimate"].item() == pytest.approx(won)
        assert told.filter(number="score")["estimate"].item() == pytest.approx(score)
    assert seats.select(pl.len()).collect().item() == 4 * rows.height
    first = seats.filter(pl.col("position") == 0).collect()
    assert_frame_equal(
        first.select(pl.col("seat").cast(pl.UInt8)).to_series().rename("first_seat").to_frame(),
        rows.select("first_seat"),
    )


def test_seats_of_tables_of_different_size(tmp_path):
    study = {
        "game": "up",
        "matches": 12,
        "sweep": {"players": [2, 3]},
        "lineups": [{"name": "all", "seats": ["greedy", "random"], "rotate": True}],
    }
    results = cardlab.run(study, tmp_path / "study")
    seats = results.seats().collect()
    rows = results.rows().collect()
    assert seats.height == sum(rows["players"])
    one = seats.group_by("cell", "match", "rotation").agg(
        pl.col("won").sum(), pl.col("rank").sum(), pl.col("seat").sort(), pl.len()
    )
    assert (one["won"] == 1).all()
    assert (one["rank"] == one["len"] * (one["len"] + 1) / 2).all()
    assert (one["seat"].list.max() == one["len"] - 1).all()
    (turned,) = seats.filter(pl.col("players") == 3, rotation=1, match=0)["policy"].implode()
    assert list(turned) == ["random", "greedy", "greedy"]


def test_aborted_matches_have_no_winner_and_no_rank(tmp_path):
    study = {
        "game": "up",
        "matches": 20,
        "options": {"play_cap": 100},
        "lineups": [{"name": "all", "seats": ["random"]}],
    }
    results = cardlab.run(study, tmp_path / "study")
    seats = results.seats().filter(pl.col("aborted")).collect()
    assert seats.height > 0
    assert seats["won"].is_null().all()
    assert seats["rank"].is_null().all()
    told = results.compare().policies.filter(number="aborted")
    assert told["count"].item() == seats.height // 4


def test_sums_say_what_they_cannot_tell(sums):
    assert sums.compare().variants.filter(number="another_winner").height == 1
    with pytest.raises(cardlab.InputError, match="keeps sums instead of matches"):
        sums.rows()
    with pytest.raises(cardlab.InputError, match="keeps sums instead of matches"):
        sums.seats()
    with pytest.raises(cardlab.InputError, match="from which no policies are rated"):
        _ = sums.compare().ratings
    with pytest.raises(cardlab.InputError, match="allow no tests of equivalence"):
        sums.compare(margin=0.01)


def test_sums_give_the_numbers_of_the_matches(sums, duel):
    keys = ["variant", "lineup", "of", "who", "number"]
    numbers = ["another_winner", "win_share", "score", "in_play"]
    of_sums = sums.compare().variants.filter(pl.col("number").is_in(numbers))
    of_rows = duel.compare().variants.filter(pl.col("number").is_in(numbers))
    both = of_rows.join(of_sums, on=keys, nulls_equal=True)
    assert both.height == of_sums.height
    assert both["estimate"].to_list() == pytest.approx(both["estimate_right"].to_list())


def test_level_holds_for_sums_too(sums):
    wide, narrow = sums.compare(level=0.99).policies, sums.compare(level=0.5).policies
    assert (wide["high"] - wide["low"]).sum() > (narrow["high"] - narrow["low"]).sum()


def test_running_again_goes_on(tmp_path):
    cardlab.run(DUEL, tmp_path / "study", matches=20)
    longer = cardlab.run(cardlab.Study(DUEL), tmp_path / "study", changes={"matches": 30})
    assert longer.rows().select(pl.len()).collect().item() == 2 * 2 * 30
    with pytest.raises(cardlab.InputError, match="matches is given twice: matches=40 and changes"):
        cardlab.run(DUEL, tmp_path / "study", matches=40, changes={"matches": 50})
    with pytest.raises(cardlab.InputError, match="threads 2 would do nothing with scheduler"):
        cardlab.run(DUEL, tmp_path / "study", threads=2, scheduler="tcp://here:1")


def test_what_is_no_study_directory_is_refused(tmp_path):
    with pytest.raises(cardlab.InputError, match="is no study directory"):
        cardlab.open(tmp_path)
    with pytest.raises(cardlab.InputError, match="unknown study key 'lineup'"):
        cardlab.run({**DUEL, "lineup": []}, tmp_path / "study")
    with pytest.raises(cardlab.InputError, match="level 'high' is refused"):
        cardlab.run(DUEL, tmp_path / "study").compare(level="high")
    with pytest.raises(cardlab.InputError, match="margin 'much' is refused"):
        cardlab.run(DUEL, tmp_path / "study").compare(margin="much")
    with pytest.raises(cardlab.InputError, match="neither a file nor in the library"):
        cardlab.run("quickstar", tmp_path / "study")


def test_reports_are_written_where_they_are_wanted(duel, tmp_path):
    with pytest.raises(cardlab.InputError, match=r"ends in \.html or \.md"):
        duel.report(tmp_path / "up.pdf")
    page = duel.report(tmp_path / "up.html")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("kind", ["variants", "gains", "length", "luck", "ladder", "duels"])
def test_figures(duel, kind):
    assert duel.figure(kind).axes


def test_a_figure_that_cannot_be_drawn_is_refused(duel):
    with pytest.raises(cardlab.InputError, match="did you mean 'seats'"):
        duel.figure("seat")
    with pytest.raises(cardlab.InputError, match="there is no variant to show"):
        duel.figure("variants", variant="clean")


def test_things_show_themselves(duel, answer):
    assert "dirty" in duel._repr_html_()
    assert "another_winner" in answer._repr_html_()
