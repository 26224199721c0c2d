"""`cardlab games GAME --reference`: complete, and true to the order of calls."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from simcore.catalogue import get_game
from simcore.compiler.program import ENGINE_FIELDS, program_of
from simcore.game import game_names
from simcore.match import Match
from strategies import policies
from studies.cli.app import run_app
from studies.operations.game_reference import reference_document, reference_page
from studies.render import shown_text
from tests.docs.pages import ROOT, blocks_of
from tests.own.small import cell_of, write


@pytest.mark.parametrize("game", game_names())
def test_everything_of_a_built_in_game_is_there_and_explained(game: str):
    program = program_of(get_game(game))
    policies(get_game(game))  # whose memory is none of the game's state
    document = reference_document(game)
    fields = {row["field"].partition("[")[0]: row for row in document["fields"]}
    assert fields.keys() == {f"s.{name}" for name in program.rules_fields.keys() - ENGINE_FIELDS}
    assert not [name for name, row in fields.items() if not row["meaning"]]
    assert [row["decision"] for row in document["decisions"]] == list(program.decisions)
    assert all(row["asked by"] != "every turn" for row in document["decisions"])
    rows = [(row["function"].strip().partition("(")[0], row) for row in document["functions"]]
    steps = {step.function.__name__ for step in program.steps.values()}
    assert steps <= {name for name, _ in rows}
    assert not [name for name, row in rows if not row["what it does"]]
    assert {row["metric"] for row in document["metrics"]} == set(get_game(game).metric_names)
    page = (ROOT / "docs" / "reference" / f"rules-{game}.md").read_text()
    assert f"```{{program-output}} cardlab games {game} --reference" in page


def test_a_comment_or_a_docstring_is_of_its_own_name():
    uno = {row["field"]: row["meaning"] for row in reference_document("uno")["fields"]}
    assert uno["s.pile"] == "The discard pile, its top card included."
    assert uno["s.stock"] == "The cards to draw from."
    up = {row["constants"]: row["meaning"] for row in reference_document("up")["constants"]}
    assert up["KEEP = 0\nRETURN = 1"] == "`CUT` moves."
    assert up["FOUR = 4"] == ""
    decisions = {row["decision"]: row["constants"] for row in reference_document("up")["decisions"]}
    assert decisions["CUT"] == "KEEP = 0, RETURN = 1"


def called(game: str) -> str:
    """Return the functions of a game that a match calls, in order."""
    cell = cell_of(game, players=2)
    calls: list[str] = []

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename == game:
            calls.append(frame.f_code.co_name)

    match = Match(cell, 0)
    sys.setprofile(note)
    try:
        for _ in match.events(copies=False):
            pass
    finally:
        sys.setprofile(None)
    return " ".join(calls)


def order_of(game: str) -> str:
    return "\n".join(reference_document(game)["order"])


def test_turns_are_played_in_the_order_that_is_shown(tmp_path: Path):
    game = write(tmp_path, "turns.py")
    turn = r"(legal )+apply ((legal_extra )+apply_extra )?next_seat ended (begin_turn )?"
    of_round = rf"deal begin_turn ({turn})+score match_over "
    assert re.fullmatch(f"({of_round}){{2}}", f"{called(game)} ")
    order = order_of(game)
    assert "deal(s); begin_turn(s, seat); turns; score(s); match_over(s)" in order
    last = order.index("A turn: ")
    places = [order.index(f"{name}(", last) for name in ("legal", "apply", "next_seat", "ended")]
    assert places == sorted(places)


def test_decisions_are_played_in_the_order_that_is_shown(tmp_path: Path):
    page = ROOT / "docs" / "reference" / "language.md"
    (text,) = (block.text for block in blocks_of(page) if "pig.py" in block.all("file"))
    (tmp_path / "pig.py").write_text(text)
    game = str(tmp_path / "pig.py")
    of_match = r"deal ((legal_roll )+apply_roll )+score_round "
    assert re.fullmatch(of_match, f"{called(game)} ")
    assert "A decision X: legal_x(s, seat); the seat's policy" in order_of(game)


def test_a_users_game_and_what_a_file_changes_are_shown(tmp_path: Path):
    game, rules = write(tmp_path, "turns.py"), tmp_path / "more.py"
    rules.write_text(
        "from cardlab.rules import *\n"
        f"game = {game!r}\n\n\n"
        "class State:\n    extras = shown(number)  # extra moves so far\n\n\n"
        'def apply_extra(usual, s, seat, yes):\n    """Count, too."""\n'
        "    usual(s, seat, yes)\n    s.extras += helper(yes)\n\n\n"
        'def helper(yes):\n    """Return one."""\n    return 1\n'
    )
    text = shown_text(reference_page(game, str(rules)), 100)
    assert re.search(r"s\.extras +number +all +extra moves so far", text)
    assert re.search(r"apply_extra\(usual, s, seat, yes\) +Count, too\.", text)
    assert re.search(r"  helper\(yes\) +Return one\.", text)
    assert re.search(r"s\.laid +cards +all +face up", text)


def test_it_is_printed_as_a_page_and_as_json(capsys: pytest.CaptureFixture[str]):
    assert run_app(["games", "updown", "--reference", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == reference_document("updown")
    assert run_app(["games", "updown", "--reference"]) == 0
    assert "Functions, each below its caller" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--reference"], ["up", "--reference", "--csv"]])
def test_what_it_does_not_do_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    assert run_app(["games", *arguments]) == 2
    output = capsys.readouterr()
    assert (output.out, output.err.count("\n")) == ("", 1)
