"""What a seat cannot see in Up or down?, shuffled."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from simcore.compiler.state import Cards
from simcore.games.upordown.rules import FACE_DOWN, FACE_UP


def piles(s: Any) -> list[tuple[int, int]]:
    """Return where each pile lies in the order: from, and how many cards."""
    start = len(s.order) and face_up_cards(s)
    return [(1, s.pile_cards[FACE_UP]), (1 + start, s.pile_cards[FACE_DOWN])]


def face_up_cards(s: Any) -> int:
    """Return how many cards the face-up pile had at first."""
    options = s.options
    cards = options["highest_card"] or {2: 54, 3: 78, 4: 102, 5: 126, 6: 126}[options["players"]]
    return int(cards - options["players"] * options["hand_cards"] - options["circle"]) // 2


def pool(s: Any, looker: int) -> list[int]:
    """List the cards that a seat has not seen."""
    return sorted(itertools.chain(*groups(s, looker)))


def groups(s: Any, looker: int) -> list[list[int]]:
    """List the unknown cards of each other hand, and those of both piles but an open top card."""
    places = []
    for seat, hand in enumerate(s.hand):
        if seat != looker:
            assert not s.drawn_openly[seat] - hand
            places.append(sorted(hand - s.drawn_openly[seat]))
    for pile, (start, count) in enumerate(piles(s)):
        cards = list(s.order)[start : start + count]
        if pile == FACE_UP and s.face_up_card:
            assert cards.pop() == s.face_up_card
        places.append(cards)
    return places


def shuffle(s: Any, looker: int, random: np.random.Generator) -> None:
    """Deal anew the others' hands, but for what was drawn openly, and the piles below the top."""
    unseen = iter(random.permutation(pool(s, looker)).tolist())
    stock = []
    for seat, hand in enumerate(s.hand):
        if seat != looker:
            known = s.drawn_openly[seat]
            s.hand[seat] = known | Cards.of(itertools.islice(unseen, len(hand - known)))
    for pile, (start, count) in enumerate(piles(s)):
        hidden = count - (pile == FACE_UP and s.face_up_card != 0)
        for place, card in enumerate(itertools.islice(unseen, hidden), start):
            s.order[place] = card
        stock += list(s.order)[start : start + count]
    s.stock = Cards.of(stock)


VARIANTS: list[dict[str, object]] = [
    {"players": 4},
    {"players": 2, "open_pile": False},
    {"players": 6, "columns": 4},
]
"""Options under which matches are watched."""
