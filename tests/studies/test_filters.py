"""A part of a study: what filters keep, refuse, and leave as it is."""

import re

import polars as pl
import pytest

import cardlab
from studies.cli.app import run_app
from studies.render import shown_text
from tests.studies.conftest import table


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    keys = {
        "title": "Parts",
        "game": "up",
        "matches": 40,
        "options": {"rounds": 1},
        "sweep": {"players": [3, 2]},
        "variants": {"dirty": {"dirty_one": "always"}, "cards": {"scoring": "cards"}},
        "lineups": [{"name": "weak", "seats": ["random"]}, table("pair", "greedy", "random")],
    }
    return cardlab.run(keys, tmp_path_factory.mktemp("parts") / "study")


def screen(results, **part):
    return shown_text(results.compare(complete=False, **part).page(), 80)


def test_a_filter_keeps_rows_as_they_are(results):
    every = results.compare().frame
    part = results.compare(players=2, variant="dirty", lineup="pair").frame
    chosen = pl.col("variant").is_in(["baseline", "dirty"]) & (pl.col("lineup") == "pair")
    assert part.equals(every.filter(chosen, players=2))
    assert part["variant"].unique().sort().to_list() == ["baseline", "dirty"]
    numbers = results.compare(number=["score", "plays"], lineup="weak").frame
    assert set(numbers["number"]) == {"score", "plays"}
    assert set(numbers["players"]) == {2, 3}


def test_a_number_is_shown_alone(results):
    text = screen(results, number="collapses", players=3)
    assert "Parts (3 players, number collapses)" in text
    heading = next(line for line in text.splitlines() if line.startswith("variant"))
    assert heading.split() == ["variant", "collapses"]
    assert "policies" not in text
    score = screen(results, number="score", players=3, lineup="pair")
    assert re.search(r"^greedy +score +\d+", score, re.MULTILINE)
    assert "on independent deals" not in score


def test_a_number_of_the_match_is_shown_without_variants(tmp_path):
    results = cardlab.run({"game": "updown", "matches": 20}, tmp_path / "study")
    assert re.search(r"^pots +\d+", screen(results, number="pots"), re.MULTILINE)


def test_the_screen_of_a_line_up_begins_with_it(results):
    text = screen(results, lineup="weak", variant="cards")
    assert "Parts (variant cards, line-up weak)" in text
    assert "What changes: line-up weak (random), 3 players, 40 matches a row" in text
    assert "dirty" not in text


@pytest.mark.parametrize("lineup", ["weak", "pair"])
def test_headlines_are_of_the_line_up_that_is_shown(results, lineup):
    part = {"lineup": lineup, "players": 3}
    text = " ".join(screen(results, **part).split())
    assert "Is it fair?" in text
    assert "Which rule changes the length most?" in text
    assert f"line-up {lineup}" in text.partition("What changes")[2]
    frame = results.compare(**part).frame
    level = frame.filter(kind="level", variant="baseline", number="plays")
    assert f"How long is it? {level['estimate'][0]:.3g}" in text


@pytest.mark.parametrize(
    ("part", "refusal"),
    [
        ({"players": 4}, "players 4 is refused: the study has none at this number; known: 3, 2"),
        ({"players": "x"}, "players 'x' is refused"),
        ({"variant": "dirt"}, "unknown variant 'dirt' of the study; did you mean 'dirty'"),
        ({"lineup": "par"}, "unknown line-up 'par' of the study; did you mean 'pair'"),
        ({"number": "scor"}, "unknown number 'scor' of the study; did you mean 'score'"),
    ],
    ids=str,
)
def test_what_a_study_has_not_is_refused(results, part, refusal):
    with pytest.raises(cardlab.InputError, match=refusal):
        results.compare(complete=False, **part)
    if "number" in part:
        with pytest.raises(cardlab.InputError, match=refusal):
            results.report(**part)


@pytest.mark.usefixtures("undrawn")
def test_a_report_of_a_part_has_that_part_alone(results, tmp_path, capsys):
    part = {"players": 2, "lineup": "weak", "variant": "dirty"}
    page = results.report(tmp_path / "part.html", **part, number="collapses").read_text()
    page = re.sub(r"<style.*?</style>|<script.*?</script>", "", page, flags=re.DOTALL)
    assert "Parts (2 players, variant dirty, line-up weak, number collapses)" in page
    assert "<td data-label" in page or "collapses" in page
    for other in ("3 players", "ine-up pair", "cards:"):
        assert other not in page
    options = [word for name, value in part.items() for word in (f"--{name}", str(value))]
    assert run_app(["compare", str(results.directory), *options]) == 0
    assert capsys.readouterr().out.startswith("Parts (2 players, variant dirty, line-up weak)")
