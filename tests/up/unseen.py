"""What a seat cannot see in Up, shuffled."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.compiler.state import Cards
from simcore.games.up.rules import PLAY


def unknown(s: Any, seat: int) -> Any:
    """Return the cards of a hand that others have not seen taken up."""
    assert not s.known_hand[seat] - s.hand[seat]
    return s.hand[seat] - s.known_hand[seat]


def shuffle(s: Any, looker: int, random: np.random.Generator) -> None:
    """Deal anew the hidden cards, the unknown hand cards of others and what was not dealt."""
    others = [seat for seat in range(s.players) if seat != looker]
    left = random.permutation(pool(s, looker)).tolist()
    for seat in others:
        count = len(unknown(s, seat))
        s.hand[seat] = s.known_hand[seat] | Cards.of(left[:count])
        left = left[count:]
    for seat in range(s.players):
        count = s.hidden_cards[seat]
        for place, card in enumerate(left[:count]):
            s.top[seat][place] = card
        s.lying[seat] = Cards.of(left[:count])
        left = left[count:]
    s.stock = Cards.of(left)


def pool(s: Any, looker: int) -> list[int]:
    """List the cards that a seat has not seen."""
    places = [s.stock, *s.lying]
    places += [unknown(s, seat) for seat in range(s.players) if seat != looker]
    return sorted(card for place in places for card in place)


def groups(s: Any, looker: int) -> list[list[int]]:
    """List the unknown cards of each other hand, and the hidden cards of each seat."""
    unknown_cards = []
    for seat in range(s.players):
        if seat != looker:
            unknown_cards.append(list(unknown(s, seat)))
        unknown_cards.append(list(s.top[seat][: s.hidden_cards[seat]]))
    return unknown_cards


VARIANTS: list[dict[str, object]] = [
    {"players": 4},
    {"players": 2, "extra_set": True},
    {"players": 7, "dirty_one": "forehand", "double_two": "forehand"},
]
"""Options under which matches are watched."""

FIRST_SAMPLED_PHASE = PLAY
"""Before it the pack has not been dealt."""
