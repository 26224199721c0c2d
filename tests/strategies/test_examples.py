"""A user's own policy: the examples pass, play as fast as built-in ones, and compile no kernel."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from simcore.batch import Cell, play
from simcore.game import game_names, get_game
from strategies import load_strategies, make_strategy, parse_strategy, policies, registry
from studies.check.compliance import examine
from tests.side_by_side import Called, cell_of

EXAMPLES = Path(registry.__file__).parent / "examples"
MATCHES = 10_000
ROUNDS = 25
SPEED = 0.8
MOST_LINES = 12

SAME_IDEA = """
from simcore.games.up.moves import random_move
from strategies import Param, policy, spec_policy
from strategies.up import greedy

WORTH = [Param("card", 2, 0, 12, "worth of a card")]


@policy("up", idea="any legal move")
def own_random(table, seat):
    return random_move(table, seat)


spec_policy("up", idea="greedy once more", params=WORTH, name="own_greedy")(greedy)
"""
PAIRS = {"called": ("own_random", "random"), "in lanes": ("own_greedy", "greedy")}

NEW_PROCESS = """
import sys
from simcore.batch import Cell, play
from simcore.game import get_game
from strategies import load_strategies, parse_strategy
game = get_game("up")
if sys.argv[1:]:
    load_strategies(sys.argv[1])
name = "own_random" if sys.argv[1:] else "greedy"
options = game.resolve({})
play(Cell(game, options, (parse_strategy(game, name),) * options["players"], 1), 0, 2, lanes=False)
print(sum(game.room("kernel").play_block.stats.cache_misses.values()))
"""


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return `load_strategies`; what it registers is forgotten after the test."""
    for name in game_names():
        policies(get_game(name))
        monkeypatch.setitem(registry._policies, name, dict(registry._policies[name]))
    return load_strategies


@pytest.mark.parametrize("game", game_names())
def test_the_example_passes_the_examination(game: str, load: Any) -> None:
    file = EXAMPLES / f"{game}.py"
    (example,) = load(file)
    assert example.game == game
    verdicts = list(examine(example))
    assert len(verdicts) == 4
    assert all(verdict.passed for verdict in verdicts), verdicts
    body = file.read_text(encoding="utf-8").partition("\ndef ")[2]
    assert len(body.splitlines()) <= MOST_LINES


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(SAME_IDEA, encoding="utf-8")
    return path


@pytest.mark.parametrize("pair", PAIRS)
def test_it_plays_like_a_built_in_policy_of_the_same_idea(
    load: Any, own_file: Path, pair: str
) -> None:
    own, built_in = own_and_built_in(load, own_file, pair)
    assert (play(own, 0, MATCHES).scores == play(built_in, 0, MATCHES).scores).all()


@pytest.mark.speed
@pytest.mark.parametrize("pair", PAIRS)
def test_it_is_as_fast_as_a_built_in_policy_of_the_same_idea(
    load: Any, own_file: Path, pair: str
) -> None:
    own, built_in = own_and_built_in(load, own_file, pair)
    seconds: dict[str, list[float]] = {"own": [], "built in": []}
    for _ in range(ROUNDS):
        for name, cell in (("own", own), ("built in", built_in)):
            started = time.process_time()
            play(cell, 0, MATCHES)
            seconds[name].append(time.process_time() - started)
        if min(seconds["built in"]) / min(seconds["own"]) > SPEED:
            return
    pytest.fail(f"too slow: {seconds}")


def own_and_built_in(load: Any, own_file: Path, pair: str) -> tuple[Cell, Cell]:
    game = get_game("up")
    own = {one.name: make_strategy(one, {}) for one in load(own_file)}
    mine, other = own[PAIRS[pair][0]], parse_strategy(game, PAIRS[pair][1])
    built_in = Called(other) if pair == "called" else other
    return cell_of(game, {}, mine), cell_of(game, {}, built_in)


def test_it_compiles_no_kernel(own_file: Path) -> None:
    """A new process finds the kernel on the disk, with a policy that it has never seen."""

    def misses(*arguments: object) -> int:
        command = [sys.executable, "-c", NEW_PROCESS, *map(str, arguments)]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        return int(ran.stdout)

    misses()
    assert misses(own_file) == 0
