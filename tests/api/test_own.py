"""Policies of one's own: files and functions, defined again and again."""

from __future__ import annotations

import json
import linecache

import polars as pl
import pytest

import cardlab
from simcore.language import lowest

SOURCE = """
from simcore.language import nth
from cardlab import policy


@policy("updown", idea="one end of its legal moves")
def one_end(s, seat, moves):
    return nth(moves, {place})
"""
FIRST, LAST = (SOURCE.format(place=place) for place in ("0", "len(moves) - 1"))
ASKED = {"players": 2, "lineup": ["one_end", "random"], "matches": 30}


def define(source, name, file):
    """Run a cell of a notebook, as its text stands."""
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    scope = {"__name__": "__main__"}
    exec(compile(source, file, "exec"), scope)  # noqa: S102
    return scope[name]


def test_a_file_that_was_changed_takes_the_place_of_what_it_was(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(FIRST)
    first = cardlab.simulate("updown", strategies=file, **ASKED).rows().collect()
    assert (
        cardlab.simulate("updown", strategies=[str(file)], **ASKED).rows().collect().equals(first)
    )
    file.write_text(LAST)
    assert not cardlab.simulate("updown", strategies=file, **ASKED).rows().collect().equals(first)
    other = tmp_path / "other.py"
    other.write_text(FIRST)
    assert cardlab.simulate("updown", strategies=other, **ASKED).rows().collect().equals(first)
    with pytest.raises(cardlab.InputError, match="policy name 'one_end' is taken"):
        cardlab.simulate("updown", strategies=[file, other], **ASKED)
    with pytest.raises(cardlab.InputError, match="unknown policy 'one_end'"):
        cardlab.simulate("updown", **ASKED)


@pytest.mark.whole
def test_a_cell_that_is_run_again_replaces_its_policy(tmp_path):
    study = {
        "game": "updown",
        "matches": 20,
        "options": {"players": 2},
        "lineups": [{"name": "all", "seats": ["one_end", "random"]}],
    }
    result = []
    for number, source in enumerate((FIRST, LAST)):
        define(source, "one_end", f"<cell {number}>")
        rows = cardlab.run(study, tmp_path / str(number)).rows()
        result.append(rows.select("score_0", "score_1").collect())
    assert not result[0].equals(result[1])
    text = json.loads((tmp_path / "1" / "provenance.json").read_text())
    assert list(text["runs"][-1]["strategy_files"]) == ["function one_end"]


def test_a_plain_function_plays_under_its_name():
    def first(s, seat, moves):
        """Take the first move."""
        return lowest(moves)

    rows = cardlab.simulate("updown", lineup="first,random", matches=20, strategies=first)
    assert rows.matches == 20
    sim = cardlab.strategies("updown").filter(pl.col("policy") == "first")
    assert sim["idea"].item() == "Take the first move"


def test_two_policies_of_one_name_are_refused():
    def one(s, seat, moves):
        return lowest(moves)

    def other(s, seat, moves):
        return lowest(moves)

    cardlab.policy("up", idea="an idea", name="twice")(one)

    with pytest.raises(cardlab.InputError, match="policy name 'twice' is taken"):
        cardlab.policy("up", idea="another idea", name="twice")(other)
    with pytest.raises(cardlab.InputError, match="policy name 'greedy' is taken"):
        cardlab.policy("up", idea="another idea", name="greedy")(other)


def test_a_function_without_a_source_is_refused():
    scope = {}
    exec("def ghost(s, seat, moves):\n    return 0\n", scope)  # noqa: S102
    message = "the source of function 'ghost' (<string>) cannot be found; allowed: a function that"
    with pytest.raises(cardlab.InputError) as refusal:
        cardlab.policy("up", idea="an idea")(scope["ghost"])
    assert str(refusal.value).startswith(message)
    with pytest.raises(cardlab.InputError) as refusal:
        cardlab.simulate("updown", strategies=[scope["ghost"]], matches=5)
    assert str(refusal.value).startswith(message)


def test_what_a_function_may_not_read_is_told_with_its_line():
    def peeping(s, seat, moves):
        return lowest(s.hand[0])

    with pytest.raises(cardlab.InputError, match=r"test_own\.py, line \d+, in peeping: "):
        cardlab.simulate("up", lineup="peeping", strategies=peeping, matches=5)


def test_a_mistake_in_a_cell_is_told_with_its_line():
    define(FIRST.replace("updown", "up"), "one_end", "<cell 3>")  # whose moves are not listed
    message = "<cell 3>, line 8, in one_end: "
    with pytest.raises(cardlab.InputError, match=message):
        cardlab.simulate("up", lineup="one_end,random", matches=5)


def test_functions_do_not_travel_to_a_cluster(tmp_path):
    define(FIRST, "one_end", "<cell>")
    study = {"game": "updown", "matches": 5, "lineups": [{"name": "all", "seats": ["one_end"]}]}
    with pytest.raises(cardlab.InputError, match="functions do not travel to a cluster"):
        cardlab.run(study, tmp_path / "study", scheduler="local")
