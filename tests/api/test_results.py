"""`cardlab.run`, `open` and what results answer, beside the commands."""

from __future__ import annotations

import json

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import cardlab
from studies.cli.app import run_app
from tests.api.conftest import DUEL

KEYS = ["lineup", "variant", "kind", "who", "number", "against"]


@pytest.fixture(scope="module")
def answer(folder):
    return cardlab.open(folder / "duel").compare(margin={"score": 500})


@pytest.fixture(scope="module")
def sums(folder):
    return cardlab.run({**DUEL, "rows": False}, folder / "sums")


def only_row(answer, **named):
    return answer.frame.filter(**named).row(0, named=True)


def test_json_and_csv_are_those_of_the_command(duel, answer, capfd):
    command = ["compare", str(duel.directory), "--margin", "score=500"]
    assert run_app([*command, "--json"]) == 0
    assert capfd.readouterr().out == answer.to_json() + "\n"
    assert json.loads(answer.to_json())["rows"] == answer.to_dict()["rows"]
    assert run_app([*command, "--csv"]) == 0
    data = pl.read_csv(capfd.readouterr().out.encode(), infer_schema_length=None)
    assert data.columns == answer.frame.columns
    assert data.height == answer.frame.height
    assert data["estimate"].to_list() == answer.frame["estimate"].to_list()


def test_what_is_printed_is_what_the_command_prints(duel, answer, capfd):
    assert run_app(["compare", str(duel.directory), "--margin", "score=500"]) == 0
    printed = capfd.readouterr().out
    assert repr(answer) + "\n" == printed
    assert printed.count("\n") <= 55
    assert "another winner" in answer._repr_html_()
    assert '<table class="cardlab">' in answer._repr_html_()


def test_every_number_of_the_frame_has_bounds_or_says_that_it_has_none(answer):
    frame = answer.frame
    assert frame.filter(pl.col("estimate").is_null()).height == 0
    bounded = frame.filter(pl.col("low").is_not_null() & pl.col("high").is_not_null())
    assert bounded.height > 0.8 * frame.height
    assert (bounded["low"] <= bounded["high"]).all()
    assert set(frame.filter(kind="change")["variant"]) == {"dirty"}


def test_margins_are_told(answer):
    row = only_row(answer, kind="change", who="policy greedy", number="score")
    assert row["margin"] == 500
    assert row["equivalent"] is True


def test_seats_agree_with_compare(duel, answer):
    seats = duel.seats().filter(pl.col("variant") == "baseline")
    rows = duel.rows().filter(pl.col("variant") == "baseline").collect()
    rates = seats.group_by("policy").agg(pl.col("won").mean(), pl.col("score").mean()).collect()
    for name, won, score in rates.iter_rows():
        seat = {"kind": "level", "variant": "baseline", "who": f"policy {name}"}
        assert only_row(answer, number="win_rate", **seat)["estimate"] == pytest.approx(won)
        assert only_row(answer, number="score", **seat)["estimate"] == pytest.approx(score)
    assert seats.select(pl.len()).collect().item() == 4 * rows.height
    first = seats.filter(pl.col("position") == 0).collect()
    assert_frame_equal(
        first.select(pl.col("seat").cast(pl.UInt8)).to_series().rename("first_seat").to_frame(),
        rows.select("first_seat"),
    )


def test_winners_stand_beside_the_mask_as_a_list(duel):
    rows = duel.rows().select("winners", "winner_seats").collect()
    masks = rows["winner_seats"].list.eval(
        pl.lit(1).cast(pl.Int64) * 2 ** pl.element().cast(pl.Int64)
    )
    assert masks.list.sum().to_list() == rows["winners"].to_list()


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
    row = seats.group_by("cell", "match", "rotation").agg(
        pl.col("won").sum(), pl.col("rank").sum(), pl.col("seat").sort(), pl.len()
    )
    assert (row["won"] == 1).all()
    assert (row["rank"] == row["len"] * (row["len"] + 1) / 2).all()
    assert (row["seat"].list.max() == row["len"] - 1).all()
    (turned,) = seats.filter(pl.col("players") == 3, rotation=1, match=0)["policy"].implode()
    assert list(turned) == ["random", "greedy", "greedy"]


def test_aborted_matches_have_no_winner_and_no_rank(tmp_path):
    study = {"game": "up", "matches": 20, "options": {"play_cap": 100}}
    results = cardlab.run(study, tmp_path / "study")
    seats = results.seats().filter(pl.col("aborted")).collect()
    assert seats.height > 0
    assert seats["won"].is_null().all()
    assert seats["rank"].is_null().all()
    answer = results.compare()
    assert only_row(answer, number="aborted", kind="level")["count"] == seats.height // 4
    assert repr(answer).count("Aborted matches:") == 1


def test_sums_have_no_rows(sums):
    with pytest.raises(cardlab.InputError, match="keeps sums instead of matches"):
        sums.rows()
    with pytest.raises(cardlab.InputError, match="keeps sums instead of matches"):
        sums.seats()


def test_sums_give_the_numbers_of_the_matches(sums, duel):
    of_sums, of_rows = sums.compare(margin=0.01).frame, duel.compare(margin=0.01).frame
    assert_frame_equal(of_sums, of_rows)
    assert sums.sums().equals(duel.sums())


def test_a_measure_of_ones_own_is_a_number_like_the_others(duel):
    answer = duel.compare(measures={"long": "plays > 150"})
    rows = duel.rows().filter(pl.col("variant") == "baseline").collect()
    level = only_row(answer, kind="level", variant="baseline", number="long")
    assert level["estimate"] == pytest.approx((rows["plays"] > 150).mean())
    assert only_row(answer, kind="change", number="long")["low"] is not None
    assert "long" in repr(answer)


def test_level_is_that_of_every_interval(duel):
    wide, narrow = duel.compare(level=0.99).frame, duel.compare(level=0.5).frame
    assert (wide["high"] - wide["low"]).sum() > (narrow["high"] - narrow["low"]).sum()


def test_running_again_goes_on(tmp_path):
    cardlab.run(DUEL, tmp_path / "study", matches=20)
    longer = cardlab.run(cardlab.Study(DUEL), tmp_path / "study", set={"matches": 30})
    assert longer.rows().select(pl.len()).collect().item() == 2 * 2 * 30
    assert longer.end()[0].startswith("played 40 matches")
    with pytest.raises(cardlab.InputError, match="matches is given twice: matches=40 and set"):
        cardlab.run(DUEL, tmp_path / "study", matches=40, set={"matches": 50})
    with pytest.raises(cardlab.InputError, match="threads 2 would do nothing with scheduler"):
        cardlab.run(DUEL, tmp_path / "study", threads=2, scheduler="tcp://here:1")


def test_what_is_no_study_directory_is_refused(tmp_path):
    with pytest.raises(cardlab.InputError, match="is no study directory"):
        cardlab.open(tmp_path)
    with pytest.raises(cardlab.InputError, match="unknown study key 'lineup'"):
        cardlab.run({**DUEL, "lineup": []}, tmp_path / "study")
    results = cardlab.run(DUEL, tmp_path / "study", matches=5)
    with pytest.raises(cardlab.InputError, match="level 'high' is refused"):
        results.compare(level="high")
    with pytest.raises(cardlab.InputError, match="margin 'much' is refused"):
        results.compare(margin="much")
    with pytest.raises(cardlab.InputError, match="unknown margin 'scor' of up"):
        results.compare(margin={"scor": 3})
    with pytest.raises(cardlab.InputError, match="neither a file nor in the library"):
        cardlab.run("quickstar", tmp_path / "study")
    with pytest.raises(cardlab.InputError, match="deal 'match' would do nothing with the study"):
        cardlab.compare(results, deal="match")


def test_a_report_is_a_page(duel, tmp_path):
    with pytest.raises(cardlab.InputError, match=r"ends in \.html"):
        duel.report(tmp_path / "up.pdf")


def test_things_show_themselves(duel):
    assert "dirty" in duel._repr_html_()
    assert "dirty" in repr(duel)


def test_a_line_up_that_is_not_rotated_is_told(folder):
    study = cardlab.Study(game="up", matches=20, lineups=[
        {"name": "kept", "seats": ["greedy", "random"]},
        {"name": "turned", "seats": ["greedy", "random"], "rotate": True},
        {"name": "alike", "seats": ["random"]},
    ])  # fmt: skip
    lines = cardlab.run(study, folder / "seats").end()
    assert [line.partition(".")[0] for line in lines if "rotated" in line] == ["not rotated: kept"]
