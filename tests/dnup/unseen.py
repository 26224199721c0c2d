"""What a seat cannot see in dnup, shuffled."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.compiler.state import Cards

TURNED = 64
"""Added to a card that has its higher value up."""


def unknown(s: Any, seat: int) -> Any:
    """Return the cards of a hand that others have not seen go there."""
    assert not s.known[seat] - s.hand[seat]
    return s.hand[seat] - s.known[seat]


def shuffle(s: Any, looker: int, random: np.random.Generator) -> None:
    """Deal anew, either way up, the cards of others that were not seen to go to a hand."""
    others = [seat for seat in range(s.players) if seat != looker]
    left = random.permutation([card for seat in others for card in unknown(s, seat)]).tolist()
    for seat in others:
        count = len(unknown(s, seat))
        dealt, left = left[:count], left[count:]
        s.hand[seat] = s.known[seat] | Cards.of(dealt)
        s.flipped = s.flipped - Cards.of(dealt)
        s.flipped = s.flipped | Cards.of(card for card in dealt if random.random() < 0.5)
    assert not left


def pool(s: Any, looker: int) -> list[int]:
    """List the cards that a seat has not seen, either way up."""
    cards = [card for seat in range(s.players) if seat != looker for card in unknown(s, seat)]
    return sorted(cards) + sorted(card + TURNED for card in cards)


def groups(s: Any, looker: int) -> list[list[int]]:
    """List the unknown cards of each other hand, with the side that is up."""
    found = []
    for seat in range(s.players):
        if seat != looker:
            cards = unknown(s, seat)
            found.append([*(cards - s.flipped), *(card + TURNED for card in cards & s.flipped)])
    return found


VARIANTS: list[dict[str, object]] = [
    {"players": 4, "markers_to_win": 20},
    {"players": 2, "rounds_to_win": 20},
    {"players": 5, "deck": "c", "markers_to_win": 20},
    {"players": 3, "turn_on_taking": False, "equal_beats": True, "markers_to_win": 20},
]
"""Options under which matches are watched: long ones."""
