"""What a seat cannot see in dnup, shuffled."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.games.dnup.cards import chart_hand, chart_of
from tests.streams import new_stream


def bits_of(cards: Any) -> list[int]:
    """List the cards of a card set by number."""
    return [bit for bit in range(40) if int(cards) >> bit & 1]


def shuffle(table: Any, box: Any, looker: int, random: np.random.Generator) -> None:
    """Deal anew, either way up, the cards of others that were not seen to go to a hand."""
    others = [seat for seat in range(int(table.players)) if seat != looker]
    unseen: list[int] = []
    for seat in others:
        record = box.seats[seat]
        unseen += bits_of((record.up | record.down) & ~table.known[seat])
    unseen = random.permutation(unseen).tolist()
    for seat in others:
        record = box.seats[seat]
        known = int(table.known[seat])
        record.up = known & ~int(table.known_down)
        record.down = known & int(table.known_down)
        for _ in range(int(table.cards[seat]) - known.bit_count()):
            bit = 1 << unseen.pop()
            if random.random() < 0.5:
                record.up |= bit
            else:
                record.down |= bit
        chart_hand(table, record)
        record.rng[:] = new_stream(random)
    assert not unseen
    box.deal_rng[:] = new_stream(random)
    box.chance_rng[:] = new_stream(random)


TURNED = 64
"""Added to a card that has its higher value up."""


def pool(table: Any, box: Any, looker: int) -> list[int]:
    """List the cards that a seat has not seen, either way up."""
    own = box.seats[looker]
    seen = int(own.up | own.down | table.discards)
    for cards in table.set_cards:
        seen |= int(cards)
    for seat in range(int(table.players)):
        if seat != looker:
            seen |= int(table.known[seat])
    cards = bits_of(int(table.in_play) & ~seen)
    return cards + [card + TURNED for card in cards]


def groups(table: Any, box: Any, looker: int) -> list[list[int]]:
    """List the unknown cards of each other hand, with the side that is up."""
    found = []
    dealt = 0
    for seat in range(int(table.players)):
        record = box.seats[seat]
        up, down = int(record.up), int(record.down)
        assert up & down == 0
        assert (up | down) & dealt == 0
        assert record.active == chart_of(table, up, down)
        assert record.turned == chart_of(table, down, up)
        dealt |= up | down
        if seat != looker:
            known = int(table.known[seat])
            assert known & ~(up | down) == 0
            assert known & int(table.known_down) == known & down
            found.append(bits_of(up & ~known) + [card + TURNED for card in bits_of(down & ~known)])
    return found


VARIANTS: list[dict[str, object]] = [
    {"players": 4, "markers_to_win": 20},
    {"players": 2, "rounds_to_win": 20},
    {"players": 5, "deck": "c", "markers_to_win": 20},
    {"players": 3, "turn_on_taking": False, "equal_beats": True, "markers_to_win": 20},
]
"""Options under which matches are watched: long ones."""
