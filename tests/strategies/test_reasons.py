"""`play --why`: what a policy told by `because` and `weigh` while it decided is what is told."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from simcore.catalogue import get_game
from simcore.events import Step
from simcore.game import game_names
from simcore.match import Match
from simcore.narration.teller import Teller
from simcore.replay import replay, steps
from tests.cases import Cases
from tests.players import TestPlayer
from tests.side_by_side import cell_of
from tests.strategies.test_policies import cell, policies_of

SHORT = {"up": {"rounds": 1}, "uno": {"rounds": 1}, "dnup": {"markers_to_win": 2}}
VARIANTS = Cases(
    "tests/strategies/test_reasons.py: VARIANTS",
    "a list of options whose decisions are to be explained, {} first",
    {
        "up": [{}, {"dirty_one": "forehand", "double_two": "forehand"}, {"extra_set": True}],
        "updown": [{}, {"players": 2}],
        "uno": [{}, {"players": 2, "challenge": "off"}],
        "dnup": [{}, {"players": 2, "markers_to_win": None}],
        "upordown": [{}, {"open_pile": False, "columns": 2}],
    },
)
PLAYERS = Cases(
    "tests/strategies/test_reasons.py: PLAYERS",
    "the number of players at whose table decisions are explained",
    {"up": 4, "updown": 3, "uno": 3, "dnup": 3, "upordown": 3},
)
DECISIONS = 24
"""Of a match."""


def table(game, names, options):
    """Return a cell with these policies round a table at which they explain themselves."""
    return cell(game, ",".join(names), **{"players": PLAYERS[game]} | SHORT.get(game, {}) | options)


def heuristics(game):
    return [policy.name for policy in policies_of(game)[1:]]


@pytest.mark.parametrize("game", game_names())
def test_what_is_weighed_is_a_legal_move_and_decisions_have_reasons(game):
    names = heuristics(game)
    explained = dict.fromkeys(names, 0)
    for options in VARIANTS[game]:
        for first in range(0, len(names), 3):
            match = Match(table(game, names[first:] + names[:first], options), 0)
            for step in islice((e for e in match if isinstance(e, Step) and e.chosen), DECISIONS):
                weights = [value for kind, value in match.reasons if kind == "weigh"]
                reasons = [value for kind, value in match.reasons if kind == "because"]
                assert {move for move, _ in weights} <= set(step.moves), match.names[step.seat]
                assert all(isinstance(text, str) and text for text, *_ in reasons)
                explained[match.players[step.seat].name] += bool(weights or reasons)
    assert min(explained.values()) > 0, explained


@pytest.mark.parametrize("game", game_names())
def test_every_legal_move_has_the_mark_of_a_clause(game):
    words = Teller(get_game(game))
    rules = (Path(vars(get_game(game).rules())["__file__"]).parent / "RULES.md").read_text("utf-8")
    marks = set()
    for options in VARIANTS[game]:
        for step in islice(steps(table(game, ["random"], options), 1), 200):
            marks |= {words.mark_of(step.s, step.seat, move) for move in step.moves}
    assert len(marks) >= 3
    assert all(f"**{mark}**" in rules for mark in marks)


@pytest.mark.parametrize("game", game_names())
def test_telling_changes_nothing(game):
    played = table(game, heuristics(game), {})
    told, plain = (
        [line for line in replay(played, 2, why=why) if not line.startswith("    ")]
        for why in (True, False)
    )
    assert told == plain


RATED = """from simcore.language import because, lowest, weigh

def rated(s, seat, moves):
    because("look at all moves")
    for move in moves:
        weigh(move, move / 2)
    because("the lowest will do")
    return lowest(moves)

def silent(s, seat, moves):
    weigh(lowest(moves), 1)
    return lowest(moves)
"""


@pytest.fixture
def written(tmp_path):
    """Functions of a file: `inspect` finds their source."""
    file = tmp_path / "rated.py"
    file.write_text(RATED, encoding="utf-8")
    space = {}
    exec(compile(RATED, str(file), "exec"), space)  # noqa: S102
    return space


def told_by(function):
    player, rules = TestPlayer("mine", function), {"players": 3}
    played = cell_of(get_game("updown"), rules, player, seed=3)
    lines = [line for line in replay(played, 0, why=True) if line.startswith("    ")]
    may = lines.index(next(line for line in lines if " may: " in line))
    return lines[may : may + 3]


def test_weights_and_reasons_are_told_in_order(written):
    may, weighs, decides = told_by(written["rated"])
    moves = may.partition(" may: ")[2].partition(" → ")[0].split("; ")
    listed = weighs.partition(" weighs: ")[2].split("; ")
    assert [line.rpartition(": ")[0] for line in listed] == moves[::-1]
    values = [float(line.rpartition(": ")[2]) for line in listed]
    assert values == sorted(values, reverse=True)
    assert decides.endswith("decides: look at all moves; the lowest will do")


def test_a_single_weight_is_not_told_and_without_a_reason_the_idea_is(written):
    _, decides, _ = told_by(written["silent"])
    assert decides.endswith("decides: a player of the tests")
