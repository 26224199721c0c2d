"""What a seat cannot see in UNO, shuffled."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.games.uno.cards import COLOUR_CARDS, WILD_NAMED, put
from simcore.games.uno.table import BY_SEAT, NOBODY
from tests.streams import new_stream
from tests.uno.following import KINDS, hand_of, numbers_left, pile_of


def cards_in(counts: dict[str, int]) -> list[int]:
    """List the kinds of cards that are counted by names."""
    return [KINDS[name] for name, count in counts.items() for _ in range(count)]


def shuffle(table: Any, box: Any, looker: int, random: np.random.Generator) -> None:
    """Deal anew the hands of the others and the stock; nobody knows whether a bluff is one."""
    rest = pool(table, box, looker)
    unseen = iter(random.permutation(rest).tolist())
    for index in range(int(table.players)):
        if index == looker:
            continue
        seat = box.seats[index]
        hand = 0, 0, 0
        for _ in range(int(table.cards[index])):
            hand = put(*hand, 1 << next(unseen))
        seat.hand, seat.doubles, seat.pairs = hand
        seat.drawn = random.integers(len(KINDS))
        seat.shown_hand, seat.shown_doubles = random.integers(1 << 52, size=2)
        seat.rng[:] = new_stream(random)
    left = list(unseen)
    assert len(left) == table.stock_size
    box.stock[: len(left)] = left
    box.loose = random.integers(len(left) + 1)
    box.bluff = random.integers(2)
    box.deal_rng[:] = new_stream(random)
    box.chance_rng[:] = new_stream(random)


def pool(table: Any, box: Any, looker: int) -> list[int]:
    """List the cards that a seat has not seen, by kind."""
    rest: list[int] = table.deck[: int(table.deck_size)].tolist()
    for kind in cards_in(hand_of(box.seats[looker])) + cards_in(pile_of(table)):
        rest.remove(kind)
    return rest


def groups(table: Any, box: Any, looker: int) -> list[list[int]]:
    """List the cards of each other hand, and those of the stock."""
    hands = [
        cards_in(hand_of(box.seats[seat])) for seat in range(int(table.players)) if seat != looker
    ]
    if table.layer != NOBODY:
        layer = box.seats[int(table.layer)]
        colour = COLOUR_CARDS[WILD_NAMED + int(table.colour_before)]
        assert box.bluff == (int(layer.hand) & int(colour) != 0)
    if box.coupling == BY_SEAT:
        return [*hands, list(numbers_left(table, box.left.tolist()).values())]
    return [*hands, box.stock[: int(table.stock_size)].tolist()]


VARIANTS: list[dict[str, object]] = [
    {"players": 4},
    {"players": 2},
    {"players": 3, "challenge": "off", "scoring": "own_cards"},
    {"players": 7, "forget_uno": 0.5},
]
"""Options under which matches are watched."""
