"""Farkle as a program of its own, written from the rules as they are told, for statistics.

On a turn all six dice are rolled. After every roll at least one die that scores is set aside, and
no die that does not; then the seat stops, or rolls those that are left, and all six again when all
have been set aside. A roll in which nothing scores ends the turn and loses what it has brought. A
one is worth 100, a five 50, three equal ones 1,000, three others 100 times their face, and more
than three twice as much for each (or as much again). One of each is worth 1,500, and so are three
different pairs. Nobody writes anything down below 500 points. After somebody has 10,000, all others
have one more turn.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any


def points_of(dice: Sequence[int], options: dict[str, Any]) -> int:
    """Return what dice are worth that are set aside at once; 0 if some may not."""
    counts = Counter(dice)
    if options["straight"] and sorted(dice) == [1, 2, 3, 4, 5, 6]:
        return int(options["straight"])
    worths = []
    for face, many in counts.items():
        single = {1: 100, 5: 50}.get(face, 0)
        if many < 3:
            worths.append(single * many)
            continue
        worth = 1000 if face == 1 else face * 100
        for _ in range(many - 3):
            worth = worth * 2 if options["more"] == "double" else worth
        if options["more"] == "add":
            worth *= many - 2
        worths.append(worth)
    total = 0 if 0 in worths else sum(worths)
    if options["pairs"] and list(counts.values()) == [2, 2, 2]:
        return max(int(options["pairs"]), total)
    return total


def ways(dice: Sequence[int], options: dict[str, Any]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield what may be set aside: its worth, and the places of the dice."""
    for many in range(1, len(dice) + 1):
        for places in combinations(range(len(dice)), many):
            worth = points_of([dice[place] for place in places], options)
            if worth:
                yield worth, places


def match(
    chance: random.Random, lineup: Sequence[str], options: dict[str, Any]
) -> tuple[list[int], dict[str, int]]:
    """Play a match; return the totals, and what else is counted."""
    totals, rounds, turns = [0] * len(lineup), 0, 0
    reached = None
    while reached is None:
        rounds += 1
        order = list(range(len(lineup)))
        while order:
            seat = order.pop(0)
            won, rolls = turn(chance, lineup[seat], totals[seat], options)
            totals[seat] += won
            turns += rolls
            if reached is None and totals[seat] >= options["target"]:
                reached = seat
                order += range(seat)
                if not options["last_turns"]:
                    break
    return totals, {"rounds": rounds, "turns": turns}


def turn(
    chance: random.Random, policy: str, before: int, options: dict[str, Any]
) -> tuple[int, int]:
    """Return what a turn brings, and how often was rolled."""
    won, dice, rolls = 0, 6, 0
    while True:
        rolls += 1
        rolled = [chance.randint(1, 6) for _ in range(dice)]
        choices = list(ways(rolled, options))
        if not choices:
            return 0, rolls
        worth, places = chance.choice(choices) if policy == "random" else max(choices)
        won += worth
        dice = dice - len(places) or 6
        if before == 0 and won < options["opening"]:
            continue
        if policy == "random":
            again = chance.random() < 0.5
        elif policy == "careful":
            again = won < 300
        else:
            again = dice >= 3 or won < 300
        if not again:
            return won, rolls
