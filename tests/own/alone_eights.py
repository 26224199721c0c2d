"""Crazy Eights as a program of its own, written from the rules as they are told, for statistics.

Seven cards each for two players, five for more, and one turned up. In turn a card of the same suit
or rank is laid, or an eight, and whoever lays an eight calls a suit. A seat without a card to lay
draws from the stock, once, and passes if that does not go; the pile below its top card becomes the
stock when there is none. Who is rid of all cards ends the round, and so do passes of all in a row.
A card left costs what it is worth: eights 50, pictures 10. Dials: more draws, twos that make the
next player draw, a rank that skips.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

Card = tuple[str, int]
SUITS = "CDHS"


def worth(card: Card) -> int:
    """Return what a card costs that is left."""
    return 50 if card[1] == 8 else min(card[1], 10)


class Table:
    """What lies on the table, and whose turn it is."""

    def __init__(self, chance: random.Random, players: int, options: dict[str, Any]) -> None:
        self.chance, self.options = chance, options
        self.stock = [(suit, rank) for suit in SUITS for rank in range(1, 14)]
        chance.shuffle(self.stock)
        size = options["hand_size"] or (7 if players == 2 else 5)
        self.hands = [[self.stock.pop() for _ in range(size)] for _ in range(players)]
        self.pile = [self.stock.pop()]
        self.called = self.pile[0][0]
        self.wild = options["wild"] + 1

    def draw(self, seat: int) -> bool:
        """Draw a card if there is any."""
        if not self.stock:
            self.stock, self.pile = self.pile[:-1], self.pile[-1:]
            self.chance.shuffle(self.stock)
        if self.stock:
            self.hands[seat].append(self.stock.pop())
            return True
        return False

    def fitting(self, seat: int) -> list[Card]:
        """Return the cards that a seat may lay."""
        top = self.pile[-1][1]
        return [c for c in self.hands[seat] if c[1] in (top, self.wild) or c[0] == self.called]

    def lay(self, seat: int, policy: str) -> int:
        """Lay a card; return how many seats further on the turn goes."""
        card = chosen(self.chance, policy, self.fitting(seat), self.options)
        self.hands[seat].remove(card)
        self.pile.append(card)
        self.called = card[0]
        if not self.hands[seat]:
            return 1
        for _ in range(self.options["two"] if card[1] == 2 else 0):
            self.draw((seat + 1) % len(self.hands))
        if card[1] == self.wild:
            self.called = suit_called(self.chance, policy, self.hands[seat])
        return 2 if card[1] == self.options["skip"] + 1 else 1


def match(
    chance: random.Random, lineup: Sequence[str], options: dict[str, Any]
) -> tuple[list[int], dict[str, int]]:
    """Play a match of one round; return the totals, and what else is counted."""
    table = Table(chance, len(lineup), options)
    seat = turns = passes = 0
    while True:
        drawn, step = 0, 1
        while drawn < options["draws"] and not table.fitting(seat) and table.draw(seat):
            drawn += 1
        may = bool(table.fitting(seat))
        passes = 0 if drawn or may else passes + 1
        turns += 1
        if may:
            step = table.lay(seat, lineup[seat])
        if not table.hands[seat] or passes == len(lineup):
            break
        seat = (seat + step) % len(lineup)
    return [-sum(map(worth, hand)) for hand in table.hands], {"turns": turns}


def chosen(chance: random.Random, policy: str, may: list[Card], options: dict[str, Any]) -> Card:
    """Return the card that a policy lays."""
    if policy == "random":
        return chance.choice(may)
    kept = [card for card in may if card[1] != options["wild"] + 1] or may
    return max(kept, key=worth)


def suit_called(chance: random.Random, policy: str, hand: list[Card]) -> str:
    """Return the suit that a policy calls."""
    if policy == "random":
        return chance.choice(SUITS)
    held = [card[0] for card in hand]
    return max(SUITS, key=held.count)
