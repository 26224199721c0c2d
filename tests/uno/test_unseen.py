"""What a seat has seen of other hands holds in every deal that a search tries."""

from __future__ import annotations

from collections import Counter

from simcore.rng import opened
from tests.uno.following import named, open_hand
from tests.uno.position import Position, number_of_top, position

DEALS = 100
SHOWN = Counter({"blue 9": 1, "red 5": 2, "wild": 1})


def challenged() -> Position:
    """Seat 1 has challenged seat 0, in vain, which showed four cards and is on turn again."""
    p = position(
        hand="red 5, red 5, blue 9, wild, wild draw four",
        top="yellow 2",
        others={1: "green 7, green 8, green 9", 2: "red 1, blue 2, blue 3"},
    )
    return p.play("wild draw four", "red", "challenge")


def hands_of(p: Position, looker: int, index: int, trust: float = 0.0) -> list[Counter[str]]:
    """Return the hand that a seat has in each of some deals for another one."""
    hands = []
    for number in range(DEALS):
        s = p.s.copy()
        s.streams["ASIDE", 0] = opened(8, number, 1, 0)
        before = [len(hand) for hand in s.hand]
        if trust:
            p.plain.call("deal_believed", s, looker, trust)
        else:
            p.plain.call("deal_unseen", s, looker)
        assert [len(hand) for hand in s.hand] == before
        assert (s.hand[looker], s.pile) == (p.s.hand[looker], p.s.pile)
        everything = (*p.s.hand, p.s.stock, p.s.pile)
        assert sorted(c for place in (*s.hand, s.stock, s.pile) for c in place) == sorted(
            c for place in everything for c in place
        )
        hands.append(Counter(named(s.hand[index])))
    return hands


def different(hands: list[Counter[str]]) -> int:
    return len({tuple(sorted(hand.items())) for hand in hands})


def test_a_hand_shown_is_remembered():
    p = challenged()
    assert all(hand == SHOWN for hand in hands_of(p, 1, 0))
    assert different(hands_of(p, 2, 0)) > DEALS // 2


def test_but_for_what_was_discarded_since():
    p = challenged().play("red 1", "red 5")
    assert all(hand == SHOWN - Counter(["red 5"]) for hand in hands_of(p, 1, 0))


def test_with_what_was_drawn_since():
    """What a player draws later nobody knows; what it showed it still has."""
    p = challenged()
    p.hold(0, "red 5, red 5, blue 9, wild, yellow 9, yellow 9")
    hands = hands_of(p, 1, 0)
    assert all(not SHOWN - hand for hand in hands)
    assert different(hands) > 5


def test_not_after_a_reshuffle():
    p = challenged()
    p.s.renewals += 1
    assert different(hands_of(p, 1, 0)) > DEALS // 2


def test_whether_a_bluff_is_one_follows_from_the_hand_dealt():
    p = position("wild draw four, blue 1, red 1", "red 7", stock="red 2, blue 2, green 3, green 4")
    p.play("wild draw four", "green")
    bluffs = set()
    for number in range(40):
        s = p.s.copy()
        s.streams["ASIDE", 0] = opened(9, number, 1, 0)
        p.plain.call("deal_unseen", s, 1)
        assert s.bluff == any(name.startswith("red") for name in named(s.hand[0]))
        bluffs.add(s.bluff)
    assert bluffs == {0, 1}


class TestTrust:
    """Who drew a card is taken to have had none to lay, as far as it is trusted."""

    TOP = "red 7"

    def holds_what_goes(self, trust: float) -> float:
        p = position(hand="blue 1, blue 2", top="green 7", players=3, stock=open_hand())
        p.s.drew_on[1] = number_of_top(self.TOP)
        hands = hands_of(p, 0, 1, trust)
        return sum(any(_goes(name) for name in hand) for hand in hands) / DEALS

    def test_not_at_all(self):
        assert 0.5 < self.holds_what_goes(0.0) < 0.95

    def test_wholly(self):
        assert self.holds_what_goes(1.0) == 0.0

    def test_half(self):
        assert 0.15 < self.holds_what_goes(0.5) < 0.6


def _goes(name: str) -> bool:
    return name.startswith(("red", "wild")) or name.endswith(" 7")
