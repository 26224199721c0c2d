"""What a seat cannot see in UNO, shuffled."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.compiler.state import Cards
from simcore.games.uno.state import NOBODY, WILDS, deck
from simcore.language import NO_CARD, PACK

VARIANTS: list[dict[str, object]] = [
    {"players": 4},
    {"players": 2},
    {"players": 3, "challenge": "off", "scoring": "own_cards"},
    {"players": 7, "forget_uno": 0.5},
]
"""Options under which matches are watched."""


def unknown(s: Any, looker: int) -> Cards:
    """Return the cards that a seat has not seen."""
    cards = s.stock
    for seat in range(s.players):
        cards = cards if seat == looker else cards | s.hand[seat]
    return cards


def shuffle(s: Any, looker: int, random: np.random.Generator) -> None:
    """Deal anew the hands of the others and the stock; nobody knows whether a bluff is one."""
    left = random.permutation(list(unknown(s, looker))).tolist()
    for seat in range(s.players):
        if seat != looker:
            count = len(s.hand[seat])
            s.hand[seat], left = Cards.of(left[:count]), left[count:]
            s.drawn[seat] = NO_CARD
            s.hand_seen[seat] = Cards.of(random.permutation(deck.cards)[:5].tolist())
    s.stock = Cards.of(left)
    s.bluff = int(random.integers(2))


def pool(s: Any, looker: int) -> list[int]:
    """List the cards that a seat has not seen, by kind."""
    return kinds(unknown(s, looker))


def groups(s: Any, looker: int) -> list[list[int]]:
    """List the cards of each other hand, and those of the stock."""
    if s.layer != NOBODY:
        held = [card for card in s.hand[s.layer] if card % PACK >> 4 == s.colour_before]
        assert s.bluff == bool(set(held) - WILDS)
    return [kinds(s.hand[seat]) for seat in range(s.players) if seat != looker] + [kinds(s.stock)]


def kinds(cards: Any) -> list[int]:
    """List cards by kind: those of both packs count as the same."""
    return sorted(card % PACK for card in cards)
