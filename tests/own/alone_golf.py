"""Four-Card Golf as a program of its own, written from the rules as they are told, for statistics.

Four cards lie face down before each player, who looks at two of them once. A card is turned up
beside the stock. A turn is to take the card that lies open and to put it in the place of one of
one's own, or to draw one from the stock, and to do the same with it or to lay it open; what was
replaced is laid open. Or one knocks instead: then each of the others has one more turn. An ace
counts 1, other cards their number, jacks and queens 10, kings nothing; the fewest points after nine
rounds win. If the stock runs out, what lies open is shuffled, but for the last card.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

GUESS = 6
"""What the policies take an unknown card for."""


@dataclass
class Row:
    """The cards before a player, and which of them it knows."""

    cards: list[int]  # what they count
    known: list[bool]

    def guess(self, place: int) -> int:
        """Return what a card counts, as far as the player knows."""
        return self.cards[place] if self.known[place] else GUESS

    def worst(self) -> int:
        """Return the first place with the most points, as far as the player knows."""
        return max(range(4), key=lambda place: (self.guess(place), -place))


def points(rank: int) -> int:
    """Return what a card counts: ranks are 1 to 13."""
    return 0 if rank == 13 else min(rank, 10)


def match(
    chance: random.Random, lineup: Sequence[str], options: dict[str, Any]
) -> tuple[list[int], dict[str, int]]:
    """Play a match; return the totals, and what else is counted."""
    totals, turns = [0] * len(lineup), 0
    for number in range(options["rounds"]):
        rows, knocker, made = play_round(chance, lineup, number % len(lineup), options)
        sums = [sum(row.cards) for row in rows]
        if sums[knocker] > min(sums):
            sums[knocker] += options["penalty"]
        totals = [total + added for total, added in zip(totals, sums, strict=True)]
        turns += made
    return totals, {"rounds": options["rounds"], "turns": turns}


def play_round(
    chance: random.Random, lineup: Sequence[str], first: int, options: dict[str, Any]
) -> tuple[list[Row], int, int]:
    """Return the rows at the end of a round, who has knocked, and the turns."""
    stock = [points(rank) for rank in range(1, 14)] * 4
    chance.shuffle(stock)
    rows = []
    for _ in lineup:
        looked = [place < options["looks"] for place in range(4)]
        rows.append(Row([stock.pop() for _ in range(4)], looked))
    pile, seat, knocker, turns = [stock.pop()], first, -1, 0
    while True:
        policy, row = lineup[seat], rows[seat]
        ways = ["stock", "pile"] + ["knock"] * (knocker == -1)
        action = choose(chance, policy, row, pile[-1], ways, turns, len(lineup))
        turns += 1
        if action == "knock":
            knocker = seat
        else:
            if action == "stock" and not stock:
                stock, pile = pile[:-1], pile[-1:]
                chance.shuffle(stock)
            card = stock.pop() if action == "stock" else pile.pop()
            place = choose_place(chance, policy, row, card, may_throw=action == "stock")
            if place == -1:
                pile.append(card)
            else:
                pile.append(row.cards[place])
                row.cards[place], row.known[place] = card, True
        seat = (seat + 1) % len(lineup)
        if seat == knocker:
            return rows, knocker, turns


def choose(
    chance: random.Random,
    policy: str,
    row: Row,
    shown: int,
    ways: list[str],
    turns: int,
    players: int,
) -> str:
    """Return what a policy does in its turn."""
    if policy == "random":
        return chance.choice(ways)
    if policy == "hasty":
        return "knock" if "knock" in ways and turns >= 2 * players else "stock"
    few = sum(row.guess(place) for place in range(4)) <= 10
    if "knock" in ways and (few or turns >= 12 * players):
        return "knock"
    return "pile" if row.guess(row.worst()) - shown > 2 else "stock"


def choose_place(
    chance: random.Random, policy: str, row: Row, card: int, *, may_throw: bool
) -> int:
    """Return the place where a policy puts a card; -1: it lays it open."""
    if policy == "random":
        return chance.randrange(-1 if may_throw else 0, 4)
    worst = row.worst()
    if policy == "hasty" or not may_throw:
        return worst
    return worst if card < row.guess(worst) else -1
