"""What a seat cannot see in Up, shuffled."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from simcore.games.up.cards import MINUS_TWO
from simcore.games.up.table import PLAY
from tests.streams import new_stream


def bits_of(cards: Any) -> list[int]:
    """List the cards of a card set by number."""
    return [
        64 * word + bit for word in range(len(cards)) for bit in range(64) if cards[word] >> bit & 1
    ]


def shuffle(table: Any, box: Any, looker: int, random: np.random.Generator) -> None:
    """Deal anew the hidden cards, the unknown hand cards of others and what was not dealt."""
    others = [seat for seat in range(int(table.players)) if seat != looker]
    seen = set(bits_of(table.tower)) | set(bits_of(table.cleared))
    seen |= set(bits_of(box.seats[looker].hand))
    for seat in range(int(table.players)):
        seen |= set(bits_of(table.open_cards[seat]))
    for seat in others:
        seen |= set(bits_of(table.known_hand[seat]))
    cards = [card for card in box.order[: table.pack_size].tolist() if card not in seen]
    unseen = iter(random.permutation(cards).tolist())

    for seat in others:
        hand = box.seats[seat].hand
        known = table.known_hand[seat]
        unknown = len(bits_of(hand)) - len(bits_of(known))
        hand[:] = known
        for card in itertools.islice(unseen, unknown):
            hand[card >> 6] |= np.int64(1 << (card & 63))
        box.seats[seat].rng[:] = new_stream(random)
    for seat in range(int(table.players)):
        hidden = int(table.hidden_cards[seat])
        box.hidden[seat, :hidden] = list(itertools.islice(unseen, hidden))
    box.pack[: table.pack_size] = random.permutation(box.pack[: table.pack_size])
    box.deal_rng[:] = new_stream(random)
    box.chance_rng[:] = new_stream(random)


def pool(table: Any, box: Any, looker: int) -> list[int]:
    """List the cards that a seat has not seen."""
    seen = set(bits_of(table.tower)) | set(bits_of(table.cleared))
    seen |= set(bits_of(box.seats[looker].hand))
    for seat in range(int(table.players)):
        seen |= set(bits_of(table.open_cards[seat]))
        if seat != looker:
            seen |= set(bits_of(table.known_hand[seat]))
    sets = int(table.players) + int(table.extra_set)
    kinds = range(13) if table.minus_two else [kind for kind in range(13) if kind != MINUS_TWO]
    cards = {64 * (one // 4) + 4 * kind + one % 4 for one in range(sets) for kind in kinds}
    assert len(cards) == table.pack_size
    return sorted(cards - seen)


def groups(table: Any, box: Any, looker: int) -> list[list[int]]:
    """List the unknown cards of each other hand, and the hidden cards of each seat."""
    found = []
    for seat in range(int(table.players)):
        if seat != looker:
            hand = set(bits_of(box.seats[seat].hand))
            known = set(bits_of(table.known_hand[seat]))
            assert known <= hand
            found.append(sorted(hand - known))
        found.append(box.hidden[seat, : int(table.hidden_cards[seat])].tolist())
    return found


VARIANTS: list[dict[str, object]] = [
    {"players": 4},
    {"players": 2, "extra_set": True},
    {"players": 7, "dirty_one": "forehand", "double_two": "forehand"},
]
"""Options under which matches are watched."""

FIRST_SAMPLED_PHASE = PLAY
"""Before it the pack has not been dealt."""
