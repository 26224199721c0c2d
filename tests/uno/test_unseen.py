"""What a seat has seen of other hands holds in every deal that a search tries."""

from __future__ import annotations

import numpy as np

from simcore.games.uno import table as uno
from simcore.games.uno.cards import PLAYABLE
from simcore.games.uno.unseen import deal_believed, deal_unseen
from tests.uno.following import KINDS, hand_of
from tests.uno.position import Position, number_of_top, position
from tests.uno.unseen import cards_in, new_stream

DEALS = 200
RED_5, BLUE_9, WILD = KINDS["red 5"], KINDS["blue 9"], KINDS["wild"]
SHOWN = [BLUE_9, RED_5, RED_5, WILD]


def challenged() -> Position:
    """Seat 1 has challenged seat 0, in vain, which showed four cards and is on turn again."""
    p = position(
        hand="red 5, red 5, blue 9, wild, wild draw four",
        top="yellow 2",
        others={1: "green 7, green 8, green 9", 2: "red 1, blue 2, blue 3"},
    )
    return p.play("wild draw four", "red", "challenge")


def hands_of(p: Position, looker: int, index: int, trust: float = 0.0) -> list[list[int]]:
    """Return the hand that a seat has in each of some deals for another one."""
    stream = new_stream(np.random.default_rng(8))
    hands = []
    for _ in range(DEALS):
        box = uno.new_records(p.options)[1][0]
        seat = p.box.seats[looker]
        if trust:
            deal_believed(p.table, seat, box, stream, trust)
        else:
            deal_unseen(p.table, seat, box, stream)
        hands.append(cards_in(hand_of(box.seats[index])))
    return hands


def test_a_hand_shown_is_remembered():
    p = challenged()
    hands = hands_of(p, 1, 0)
    assert all(hand == SHOWN for hand in hands)
    assert len({tuple(hand) for hand in hands_of(p, 2, 0)}) > DEALS // 2


def test_but_for_what_was_discarded_since():
    p = challenged().play("red 1", "red 5")
    assert all(hand == [BLUE_9, RED_5, WILD] for hand in hands_of(p, 1, 0))


def test_with_what_was_drawn_since():
    """What a player draws later nobody knows; what it showed it still has."""
    p = challenged()
    p.hold(0, "red 5, red 5, blue 9, wild, yellow 9, yellow 9")
    hands = hands_of(p, 1, 0)
    for hand in hands:
        rest = list(hand)
        for kind in SHOWN:
            rest.remove(kind)
        assert len(rest) == 2
    assert len({tuple(hand) for hand in hands}) > DEALS // 2


def test_not_after_a_reshuffle():
    p = challenged()
    p.table.stocked += 20
    assert len({tuple(hand) for hand in hands_of(p, 1, 0)}) > DEALS // 2


class TestTrust:
    """Who drew a card is taken to have had none to lay, as far as it is trusted."""

    TOP = "red 7"

    def holds_what_goes(self, trust: float) -> float:
        p = position(hand="blue 1, blue 2", top="green 7", players=3)
        p.table.drew_on[1] = number_of_top(self.TOP)
        goes = int(PLAYABLE[number_of_top(self.TOP)])
        hands = hands_of(p, 0, 1, trust)
        return sum(any(goes >> kind & 1 for kind in hand) for hand in hands) / DEALS

    def test_not_at_all(self):
        assert 0.6 < self.holds_what_goes(0.0) < 0.9

    def test_wholly(self):
        assert self.holds_what_goes(1.0) == 0.0

    def test_half(self):
        assert 0.2 < self.holds_what_goes(0.5) < 0.55
