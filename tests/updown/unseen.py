"""What a seat cannot see in UP & DOWN, shuffled."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.games.updown.cards import DECK
from simcore.games.updown.table import CARD
from tests.streams import new_stream

VARIANTS: list[dict[str, object]] = [
    {"rounds": 3},
    {"players": 2, "rounds": 3, "tie_round": True},
    {"players": 2, "seating": "adjacent", "rounds": 3},
    {"players": 3, "rounds": 3},
    {"players": 2, "hand_cards": 22, "leader_change": "may", "rounds": 3},
    {"players": 3, "hand_cards": 6, "rounds": 9, "trump": "none", "next_leader": "winner"},
]


def bits_of(cards: int) -> list[int]:
    """List the cards of a card set by number."""
    return [card for card in range(64) if int(cards) >> card & 1]


def shuffle(table: Any, box: Any, looker: int, random: np.random.Generator) -> None:
    """Deal anew the others' hands, the cards they have just chosen and those aside."""
    others = [seat for seat in range(int(table.players)) if seat != looker]
    seen = int(box.seats[looker].hand)
    for seat in range(int(table.players)):
        seen |= int(table.played[seat])
    unseen = random.permutation(bits_of(DECK & ~seen)).tolist()
    left = int(table.hand_size - table.trick)
    for seat in others:
        cards, unseen = unseen[:left], unseen[left:]
        if table.phase == CARD and box.chosen[seat]:
            box.chosen[seat] = 1 << cards.pop()
        box.seats[seat].hand = sum(1 << card for card in cards)
        box.seats[seat].rng[:] = new_stream(random)
    box.deal_rng[:] = new_stream(random)
    box.chance_rng[:] = new_stream(random)


def pool(table: Any, box: Any, looker: int) -> list[int]:
    """List the cards that a seat has not seen."""
    seen = int(box.seats[looker].hand)
    for seat in range(int(table.players)):
        seen |= int(table.played[seat])
    return bits_of(DECK & ~seen)


def groups(table: Any, box: Any, looker: int) -> list[list[int]]:
    """List the cards in each other hand, and those that lie face-down for the trick under way."""
    found = []
    for seat in range(int(table.players)):
        chosen = bits_of(box.chosen[seat])
        assert len(chosen) == int(table.phase == CARD and seat < looker)
        if seat != looker:
            found += [bits_of(box.seats[seat].hand), chosen]
    return found
