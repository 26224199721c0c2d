"""Print the tables of docs/results/speed.md.

`python -m tests.speed_table --yardstick DIR --peers PYTHON`: each rival and cardlab play in turn,
uniform random moves on one core. Figures are matches a second of processor time, medians of the
runs; ratios are taken run by run. Without `--yardstick` (a folder with a program a game, none of
them part of this repository) or `--peers` (a Python with `open_spiel` and `rlcard`) that table is
left out.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from simcore.game import game_names

ROOT = Path(__file__).resolve().parent.parent
RUNS = 5
SECONDS = 2.0
"""About how long a run of cardlab lasts."""

OURS = """
import sys, time
from simcore.batch import Cell, play
from simcore.catalogue import get_game
from strategies import parse_lineup, seat_lineup
name, players, seconds, rules = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
game = get_game(name)
options = game.resolve({"players": players, **dict(rule.split("=") for rule in rules)})
cell = Cell(game, options, seat_lineup(parse_lineup(game, "random"), players), 1)
play(cell, 0, 10, threads=1)
done, count, start = 0, 64, time.process_time()
while time.process_time() - start < seconds:
    play(cell, done, count, threads=1)
    done, count = done + count, min(2 * count, 1 << 16)
print(done / (time.process_time() - start))
"""

PEERS = """
import random, sys, time
name, seconds = sys.argv[1], float(sys.argv[2])
if name == "uno":
    import rlcard
    from rlcard.agents import RandomAgent
    env = rlcard.make("uno")
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    play = lambda: env.run(is_training=False)
else:
    import pyspiel
    chance, game = random.Random(1), pyspiel.load_game(name)
    def play():
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes())
                state.apply_action(chance.choices(outcomes, weights)[0])
            else:
                state.apply_action(chance.choice(state.legal_actions()))
play()
done, start = 0, time.process_time()
while time.process_time() - start < seconds:
    play()
    done += 1
print(done / (time.process_time() - start))
"""

MATCHES = {"up": 3_000, "updown": 600_000, "uno": 3_000, "dnup": 60_000, "upordown": 200_000}
"""Of a run of each yardstick."""

RIVALS = {
    "docs/games/eights.py": ("crazy_eights", "OpenSpiel", 5),
    "docs/games/hearts.py": ("hearts", "OpenSpiel", 4, "target=1"),
    "docs/games/gin.py": ("gin_rummy", "OpenSpiel", 2, "target=10"),
    "uno": ("uno", "RLCard", 2, "rounds=1"),
}
"""Our game: the rival's name for it, whose it is, players, options: the rivals play one deal."""


def ours(game: str, players: int, *rules: str) -> float:
    """Return cardlab's matches a second."""
    words = [sys.executable, "-c", OURS, game, str(players), str(SECONDS), *rules]
    return float(subprocess.run(words, cwd=ROOT, capture_output=True, check=True).stdout)


def of_program(program: Path, players: int, *rules: str) -> float:
    """Return a yardstick's matches a second."""
    flags = [word for rule in rules for word in (f"--{rule.split('=')[0]}", "1")]
    matches = MATCHES[program.name]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    words = [str(program), "--matches", str(matches), "--seed", "1", "--players", str(players)]
    subprocess.run([*words, *flags], check=True, stdout=subprocess.DEVNULL)
    return matches / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)


def of_peer(python: str, name: str) -> float:
    """Return a rival's matches a second."""
    words = [python, "-c", PEERS, name, str(SECONDS)]
    return float(subprocess.run(words, capture_output=True, check=True).stdout)


def in_turn(first: Callable[[], float], second: Callable[[], float]) -> tuple[float, float, str]:
    """Return the medians of two speeds, and their ratio with its lowest and highest."""
    pairs = [(first(), second()) for _ in range(RUNS)]
    ratios = sorted(a / b for a, b in pairs)
    of_first, of_second = (median(column) for column in zip(*pairs, strict=True))
    digits = 2 if median(ratios) < 10 else 0
    low, middle, high = (
        f"{ratio:,.{digits}f}" for ratio in (ratios[0], median(ratios), ratios[-1])
    )
    return of_first, of_second, f"{middle} ({low}–{high})"


def main() -> None:
    """Measure, and print Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--yardstick", type=Path)
    parser.add_argument("--peers")
    given = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    if given.yardstick:
        print("| game | players | C program | cardlab | ratio |\n|---|---|---|---|---|")
        for game in game_names():
            for players in (2, 4):
                rules = ("win_on_playing=true",) if (game, players) == ("dnup", 2) else ()
                program = partial(of_program, given.yardstick / game, players, *rules)
                mine, theirs, ratio = in_turn(partial(ours, game, players, *rules), program)
                row = f"| `{game}` | {players} | {theirs:,.0f} | {mine:,.0f} | {ratio} |"
                print(row, flush=True)
    if given.peers:
        print("\n| game | players | | from Python | cardlab | ratio |\n|---|---|---|---|---|---|")
        for game, (name, whose, players, *rules) in RIVALS.items():
            peer = partial(of_peer, given.peers, name)
            mine, theirs, ratio = in_turn(partial(ours, game, players, *rules), peer)
            row = f"| {name} | {players} | {whose} | {theirs:,.0f} | {mine:,.0f} | {ratio} |"
            print(row, flush=True)


if __name__ == "__main__":
    main()
