"""What a seat cannot see in Up or down?, shuffled."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from simcore.games.upordown.table import FACE_DOWN, FACE_UP, HELD, UNSEEN
from tests.streams import new_stream
from tests.upordown.following import cards_of_row

EMPTY_ROW = sum(127 << (8 * place) for place in range(8))


def row_of(cards: Any) -> int:
    """Return a row of cards."""
    row = EMPTY_ROW
    for place, card in enumerate(sorted(cards)):
        row ^= (127 ^ int(card)) << (8 * place)
    return row


def shuffle(table: Any, box: Any, looker: int, random: np.random.Generator) -> None:
    """Deal anew the others' hands, but for what was drawn openly, and the piles below the top."""
    face_up, face_down = int(table.pile_cards[FACE_UP]), int(table.pile_cards[FACE_DOWN])
    whereabouts = table.whereabouts.tolist()
    seen = {card for card, place in enumerate(whereabouts) if place != UNSEEN}
    seen |= set(cards_of_row(int(box.seats[looker].hand))) | {int(table.face_up_card)}
    cards = [card for card in range(1, int(table.card_count) + 1) if card not in seen]
    unseen = iter(random.permutation(cards).tolist())
    for seat in range(int(table.players)):
        if seat == looker:
            continue
        hand = cards_of_row(int(box.seats[seat].hand))
        known = [card for card, place in enumerate(whereabouts) if place == HELD + seat]
        assert set(known) <= set(hand)
        known += itertools.islice(unseen, len(hand) - len(known))
        box.seats[seat].hand = row_of(known)
        box.seats[seat].rng[:] = new_stream(random)
        box.seats[seat].coins = new_stream(random)[0]
    hidden_from = face_up - (table.face_up_card != 0)
    box.deck[1 : hidden_from + 1] = list(itertools.islice(unseen, hidden_from))
    start = int(box.face_up_size) + 1
    box.deck[start : start + face_down] = list(unseen)
    # What was drawn from the deck is nowhere to be seen in it.
    box.deck[face_up + 1 : start] = 0
    box.deal_rng[:] = new_stream(random)
    box.chance_rng[:] = new_stream(random)


def pool(table: Any, box: Any, looker: int) -> list[int]:
    """List the cards that a seat has not seen."""
    seen = {card for card, place in enumerate(table.whereabouts.tolist()) if place != UNSEEN}
    seen |= set(cards_of_row(int(box.seats[looker].hand))) | {int(table.face_up_card)}
    return [card for card in range(1, int(table.card_count) + 1) if card not in seen]


def groups(table: Any, box: Any, looker: int) -> list[list[int]]:
    """List the unknown cards of each other hand, and those of both piles but an open top card."""
    found = []
    whereabouts = table.whereabouts.tolist()
    for seat in range(int(table.players)):
        if seat != looker:
            hand = set(cards_of_row(int(box.seats[seat].hand)))
            known = {card for card, place in enumerate(whereabouts) if place == HELD + seat}
            assert known <= hand
            found.append(sorted(hand - known))
    face_up, face_down = int(table.pile_cards[FACE_UP]), int(table.pile_cards[FACE_DOWN])
    if table.face_up_card:
        assert box.deck[face_up] == table.face_up_card
    found.append(box.deck[1 : face_up + (table.face_up_card == 0)].tolist())
    start = int(box.face_up_size) + 1
    found.append(box.deck[start : start + face_down].tolist())
    return found


VARIANTS: list[dict[str, object]] = [
    {"players": 4},
    {"players": 2, "open_pile": False},
    {"players": 6, "columns": 4},
]
"""Options under which matches are watched."""
