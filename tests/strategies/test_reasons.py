"""`play --why`: what is told of a decision is what decided it, for every policy of every game."""

from __future__ import annotations

import os
import sys
from itertools import count, islice
from pathlib import Path

import pytest

from simcore.batch import Cell, play
from simcore.compiler.plain import Match
from simcore.events import Step
from simcore.game import game_names, get_game
from simcore.phrases import legal_moves_in_words
from simcore.reason import Reason, Weight
from simcore.replay import replay, steps
from strategies import make_strategy, policies
from strategies.userfile import forget, load_strategies
from strategies.weighing import PIECES, RATINGS
from tests.cases import Cases

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
DECISIONS = 80
"""Of a match."""

WEIGHERS = Cases(
    "tests/strategies/test_reasons.py: WEIGHERS",
    "the names of the policies of which weights must be seen",
    {
        "up": {"greedy", "all_rounder"},
        "updown": {"eager", "shaper", "counter", "banker", "dodger", "all_rounder"},
        "uno": {"majority", "watcher", "challenger", "all_rounder"},
        "dnup": {"exit_keeper", "guard", "counter", "all_rounder"},
        "upordown": {
            "stepper",
            "scorer",
            "collector",
            "trader",
            "planner",
            "spoiler",
            "all_rounder",
        },
    },
)
"""Policies of which weights must be seen; others may have some, too."""


def own(game):
    return [one for one in policies(get_game(game)) if one.name != "search"]


def cell_of(game, names, options, seed=3):
    chosen = {"players": PLAYERS[game]} | SHORT.get(game, {}) | options
    resolved = get_game(game).resolve(chosen)
    known = {one.name: make_strategy(one, {}) for one in policies(get_game(game))}
    seats = tuple(known[names[seat % len(names)]] for seat in range(int(resolved["players"])))
    return Cell(get_game(game), resolved, seats, seed)


def reasons_of(cell, match=0):
    """Yield every decision with its reason."""
    for step in Match(cell, match):
        if isinstance(step, Step) and step.chosen:
            box = step.s.copy()
            seat = box.seats[step.seat]
            player = cell.seats[step.seat]
            yield player, step, player.reason(step.s.copy(), seat, step.moves, step.move)


def check(player, step, reason):
    """A reason is not the mere idea, and of what it weighed the move made is the best."""
    assert not reason.step.startswith("its idea"), player
    assert reason.weights or not reason.unit
    assert not any(mark in reason.step for mark in ("`", "Return", "; see"))
    if not reason.weights:
        return 0
    values = {one.move: one.value for one in reason.weights}
    assert set(values) <= set(step.moves)
    assert reason.weights[0].move == step.move
    ordered = list(values.values())
    assert ordered in (sorted(ordered), sorted(ordered, reverse=True))
    return 1


@pytest.mark.parametrize("game", game_names())
def test_every_decision_has_a_reason_and_the_best_weight_is_that_of_the_move(game):
    names = [one.name for one in own(game)]
    weighed = dict.fromkeys(names, 0)
    asked = dict.fromkeys(names, 0)
    for seed, options in zip(count(1), VARIANTS[game], strict=False):
        for first in range(0, len(names), 2):
            cell = cell_of(game, names[first:] + names[:first], options, seed)
            for number, (player, step, reason) in enumerate(reasons_of(cell)):
                weighed[player.name] += check(player, step, reason)
                asked[player.name] += 1
                if number > DECISIONS:
                    break
    assert min(asked.values()) > 10
    assert {name for name, times in weighed.items() if times} >= WEIGHERS[game]


@pytest.mark.parametrize("game", game_names())
def test_search_tells_the_means_of_its_rollouts(game):
    known = {one.name: one for one in policies(get_game(game))}
    searcher = make_strategy(known["search"], {"rollouts": 8})
    cell = cell_of(game, ["random"], {})
    cell = Cell(cell.game, cell.options, (searcher, *cell.seats[1:]), 5)
    seen = 0
    for player, step, reason in reasons_of(cell):
        if player is not searcher:
            continue
        assert not reason.step.startswith("its idea")
        if reason.unit.startswith("mean result"):
            assert {one.move for one in reason.weights} <= set(step.moves)
            assert step.move in {one.move for one in reason.weights}
            assert all("deals)" in one.note for one in reason.weights)
            by_best = reason.step.startswith("Take the move with the best mean")
            assert by_best == (reason.weights[0].move == step.move)
            seen += 1
        if seen == 4:
            break
    assert seen


@pytest.mark.parametrize("game", game_names())
def test_every_legal_move_has_the_mark_of_a_clause(game):
    words = get_game(game).room("words")
    rules = (Path(words.__file__).parent / "RULES.md").read_text("utf-8")
    marks = set()
    for options in VARIANTS[game]:
        for step in islice(steps(cell_of(game, ["random"], options), 1), 200):
            box = step.s.copy()
            legal_moves_in_words(get_game(game), step.s, box)
            marks |= {words.mark_of(step.s, box.seats[step.seat], move) for move in step.moves}
    assert len(marks) >= 3
    assert all(f"**{mark}**" in rules for mark in marks)


def test_random_says_how_likely_a_move_was():
    cell = cell_of("up", ["random"], {})
    for _, step, reason in reasons_of(cell):
        assert reason == Reason(f"Draw one of the {len(step.moves)} legal moves, each as likely")


@pytest.mark.parametrize("game", game_names())
def test_telling_changes_nothing(game):
    """Neither the row, nor the sources that play, nor the settings of the compiler."""
    cell = cell_of(game, [one.name for one in own(game)], {})
    before = play(cell, 2, 1).columns()
    modules = dict(sys.modules)
    asked = os.environ.get("NUMBA_DISABLE_JIT")
    told = list(replay(cell, 2, why=True))
    assert os.environ.get("NUMBA_DISABLE_JIT") == asked
    assert all(sys.modules[name] is module for name, module in modules.items())
    kept = [line for line in told if not line.startswith("    ")]
    plain = [line for line in replay(cell, 2) if not line.startswith("    ")]
    assert kept == plain
    after = play(cell, 2, 1).columns()
    assert all((before[name] == after[name]).all() for name in before)


@pytest.mark.parametrize("game", game_names())
def test_every_piece_and_rating_is_there(game):
    """A piece that was renamed would never be noted."""
    from strategies.reasons import world_of

    names = {name for module in world_of(game).modules.values() for name in vars(module)}
    assert names >= set(PIECES[game]) | set(RATINGS[game])


def test_a_users_policy_is_told_by_its_idea(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from strategies import policy\n"
        '@policy("up", idea="lays whatever comes first")\n'
        "def first(table, seat):\n"
        "    from_first = seat.move_count * 0\n"
        "    return seat.hand_moves[0] * 0 + from_first\n",
        encoding="utf-8",
    )
    added = load_strategies(file)
    try:
        reason = make_strategy(added[0], {}).reason(None, None, (1, 2), 1)
    finally:
        forget(added)
    assert reason == Reason("its idea: lays whatever comes first")


def test_a_reason_that_would_not_come_to_the_move_is_not_told():
    cell = cell_of("up", ["greedy"], {})
    step = next(one for one in Match(cell, 0) if isinstance(one, Step) and one.chosen)
    other = next(move for move in step.moves if move != step.move)
    seat = step.s.copy().seats[step.seat]
    reason = cell.seats[0].reason(step.s.copy(), seat, step.moves, other)
    assert reason.step.startswith("its idea")


def test_lines():
    reason = Reason("Lay a card", ("Skip",), "points", (Weight(3, 2.5), Weight(1, -1.0, " ± 1")))
    assert list(reason.lines("Ann", {1: "lay a 1", 3: "lay a 3"})) == [
        "    Ann weighs (points): lay a 3: 2.5; lay a 1: -1 ± 1",
        "    Ann decides: Lay a card (nothing came of: Skip)",
    ]
