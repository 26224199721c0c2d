"""What `check --strategies` says where hidden cards count, and where nothing is hidden."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simcore.catalogue import get_game
from simcore.compiler.visibility import Visibility
from strategies import load_strategies, policies
from studies.check.compliance import HiddenCards, examine, policy_tables
from studies.check.moments import FaultError

PEEKER = """
from cardlab import Param, policy
from simcore.language import after, lowest, highest


@policy("updown", idea="looks", params=[Param("much", 0.5, 0, 1, "how much it looks")])
def peeker(s, seat, moves, much):
    return lowest(moves) if len(s.hand[after(seat, 1)] & moves) * much else highest(moves)


@policy("updown", idea="lowest")
def honest(s, seat, moves):
    return lowest(moves)
"""
PEEKS = "lowest(moves) if lowest(s.hand[after(seat, 1)]) & 1 else highest(moves)"

OPEN = '''
"""Open: nothing is hidden."""

from cardlab.rules import *

players = 2


class State:
    left = shown(number)


def deal(s):
    s.left = 7


def legal(s, seat):
    return {1, 2}


def apply(s, seat, count):
    s.left -= count


def ended(s, seat):
    return s.left <= 0


def score(s):
    s.points[s.seat] = 1


@policy
def taker(s, seat, moves):
    """Two."""
    return 2
'''


@pytest.fixture
def load(tmp_path: Path) -> Any:
    """Write a file and return its policies, and all that there are beside them."""

    def write(text: str) -> Any:
        path = tmp_path / "mine.py"
        path.write_text(text)
        loaded = load_strategies(path)
        return *loaded.declared, loaded

    return write


def test_a_choice_that_hidden_cards_change_is_found(load: Any, monkeypatch: pytest.MonkeyPatch):
    text = PEEKER.replace(
        "len(s.hand[after(seat, 1)] & moves) * much", "0 < lowest(s.hand[after(seat, 1)]) & 1"
    )
    monkeypatch.setattr(
        Visibility, "check", lambda *_: None
    )  # else it is refused when it is loaded
    peeker, honest, known = load(text)
    played = policy_tables(peeker, policies=known)
    with pytest.raises(FaultError, match=r"hidden cards were dealt anew.*\(match 0, round 1, move"):
        HiddenCards(played).look(played[0])
    played = policy_tables(honest, policies=known)
    hidden = HiddenCards(played)
    for table in played:
        hidden.look(table)
    assert hidden.asked > 100
    assert not hidden.not_tested


def test_parameters_are_at_both_ends(load: Any):
    peeker, _, known = load(PEEKER.replace("after(seat, 1)", "seat"))
    seats = {str(table.cell.seats[0]) for table in policy_tables(peeker, policies=known)}
    assert seats == {"peeker", "peeker(much=0)", "peeker(much=1)"}


@pytest.mark.whole
def test_where_nothing_is_hidden_it_is_not_tested(tmp_path: Path):
    game = tmp_path / "open.py"
    game.write_text(OPEN)
    taker = next(known for known in policies(get_game(str(game))) if known.name == "taker")
    verdicts = {verdict.test: verdict for verdict in examine(policy_tables(taker))}
    verdict = verdicts["does not depend on what it cannot see"]
    assert verdict.verdict == "not tested"
    assert verdict.found.startswith("because nothing is hidden")
