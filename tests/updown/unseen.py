"""What a seat cannot see in UP & DOWN, shuffled."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.compiler.state import Cards
from simcore.games.updown.rules import CARD

VARIANTS: list[dict[str, object]] = [
    {"rounds": 3},
    {"players": 2, "rounds": 3, "tie_round": True},
    {"players": 2, "seating": "adjacent", "rounds": 3},
    {"players": 3, "rounds": 3},
    {"players": 2, "hand_cards": 22, "leader_change": "may", "rounds": 3},
    {"players": 3, "hand_cards": 6, "rounds": 9, "trump": "none", "next_leader": "winner"},
]


def shuffle(s: Any, looker: int, random: np.random.Generator) -> None:
    """Deal anew the others' hands, the cards they have just chosen and those aside."""
    left = random.permutation(pool(s, looker)).tolist()
    for seat in range(s.players):
        if seat != looker:
            for place in (s.hand, s.chosen):
                count = len(place[seat])
                place[seat], left = Cards.of(left[:count]), left[count:]
    s.stock = Cards.of(left)


def pool(s: Any, looker: int) -> list[int]:
    """List the cards that a seat has not seen."""
    cards = [card for seat in range(s.players) if seat != looker for card in s.hand[seat]]
    cards += [card for seat in range(s.players) if seat != looker for card in s.chosen[seat]]
    return sorted([*cards, *s.stock])


def groups(s: Any, looker: int) -> list[list[int]]:
    """List the cards in each other hand, and those that lie face-down for the trick under way."""
    places = []
    for seat in range(s.players):
        chosen = list(s.chosen[seat])
        assert len(chosen) == int(s.phase == CARD and seat < looker)
        if seat != looker:
            places += [list(s.hand[seat]), chosen]
    return places
