"""What a seat cannot see in dnup, shuffled."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.games.dnup.cards import chart_of


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
        record.active = chart_of(table, record.up, record.down)
        record.rng[:] = new_stream(random)
    assert not unseen
    box.deal_rng[:] = new_stream(random)
    box.chance_rng[:] = new_stream(random)


def new_stream(random: np.random.Generator) -> Any:
    """Return the state of another random stream."""
    return random.integers(1, 2**63, 2, dtype=np.uint64)


VARIANTS: list[dict[str, object]] = [
    {"players": 4, "markers_to_win": 20},
    {"players": 2, "rounds_to_win": 20},
    {"players": 5, "deck": "c", "markers_to_win": 20},
]
"""Options under which matches are watched: long ones."""
