"""UP & DOWN: each policy plays by its idea."""

from __future__ import annotations

from typing import Any

from tests.games import rows
from tests.updown.position import Position


def choosing(hand: str, **position: object) -> Position:
    """Seat 0 chooses a card; its colour is ROSE, the opponents' hands are as good as unknown."""
    left = len(hand.split())
    filler = ["F2 F3 F4 F5 F6 F8 F9", "M2 M3 M4 M5 M6 M8 M9", "H2 H3 H4 H5 H6 H8 H9"]
    others = [" ".join(cards.split()[:left]) for cards in filler]
    return Position(hand, *others, choosing=True, **position)


class Choosing(rows.Rows):
    """Seat 0 chooses a card; with other hands, it is the leader and changes the rules."""

    def position(self, **given: Any) -> Position:
        hand, others = given.pop("hand"), given.pop("others", {})
        if not others:
            return choosing(hand, **given)
        return Position(hand, *(cards["hand"] for cards in others.values()), **given)


class TestPolicies(Choosing):
    # spoiler: MONOKEL 12 and so on are unseen: somebody would like to play a 12.
    # shaper: ROSE 11 is higher, but three 12s are unseen; nothing beats FEDER 10 once all are out.
    # counter: three 12s may cancel, but nobody has another 11. Nothing beats HUT 9 in the end, and
    # no other 9 is left; without a card of any rank but 7 there is a good chance of a trump 7.
    rows = """
        [eager]
            the best card that can win | hand R9 R11 F12 H7          | | choice eager = H7
            or the best own card       | hand R9 R11 F12             | | choice eager = R11
            the lowest with DOWN       | hand R9 R11 F2; face = "DOWN" | | choice eager = R9
            else the least useful      | hand F12 F5 H2              | | choice eager = F5
            turns over for the best card
                | hand R2 F6 M7 H8; seat 1 hand F2 F3 F4 F5; seat 2 hand M2 M3 M4 M5
                | | choice eager = flip
            rotates by a half for it
                | hand R3 F6 M12 H8; seat 1 hand F2 F3 F4 F5; seat 2 hand M2 M3 M4 M5
                | | choice eager = half
            rotates by three quarters for it
                | hand R6 F12 M7 H8; seat 1 hand F2 F3 F4 F5; seat 2 hand M2 M3 M4 M5
                | | choice eager = three
            rotates by a quarter for the lowest
                | hand R6 F9 M9 H2; face = "DOWN"; seat 1 hand F2 F3 F4 F5; seat 2 hand M2 M3 M4 M5
                | | choice eager = quarter
        [saver]
            saves trumps | hand R9 R3 F12 H7 F5 F6 F8
                | | choice saver(late=3) = R9; choice saver(late=7) = H7
            not from the pot | hand R9 R3 F12 H7 F5 F6 F8; pot = 1
                | | choice saver(late=3) = H7; choice saver(late=3,pot=2) = R9
            nor leaves the own colour to chance | hand F12 H7 F5 F4 | | choice saver(late=3) = F5
        [spoiler]
            cancels what others want | hand F12 H5 M5                | | choice spoiler = F12
            the lowest with DOWN     | hand F12 H5 M2; face = "DOWN" | | choice spoiler = M2
            what they cannot have it need not | hand F12 H5 M11; played R12 M12 H12
                | | choice spoiler = M11
            goes for the trick if it can | hand F12 R5 M5 | | choice spoiler = R5
        [shaper]
            changes for what nobody beats
                | hand R9 F2 M10 H6; played R12 F12 H12 R11 F11 H11;
                    seat 1 hand F3; seat 2 hand M3; seat 3 hand H3
                | | choice shaper = half
            or for what few beat | hand M11 H4 R5 F8; seat 1 hand F3; seat 2 hand M3; seat 3 hand H3
                | | choice shaper(better=0) = half
        [counter]
            the highest card | hand R12 R11 F5 | | choice counter = R12
            a card whose equals are gone | hand R12 R11 F5; played F11 M11 H11
                | | choice counter = R11
            though fewer equals of the other are left | hand R12 R11 F5; played F11 M11 H11 F12 M12
                | | choice counter = R11
            not for a hopeless one | hand R2 F5 H5
                | | choice counter(chance=0.5) = F5; choice counter(chance=0) = R2
            changes by the cards played
                | hand R8 F8 M8 H9; played R9 F9 M9 R10 F10 M10 R11 F11 M11 R12 F12 M12;
                    seat 1 hand F2 F3; seat 2 hand M2 M3; seat 3 hand H2 H3
                | | choice counter = quarter
            rolls when nothing else can win
                | hand R7 F7 M7 H7; trump = 12;
                    seat 1 hand F2 F3 F4 F5; seat 2 hand M2 M3 M4 M5; seat 3 hand H2 H3 H4 H5
                | | choice all_rounder(keen=20) = roll
        [banker]
            fills the pot before it leads | hand R6 F12 M5; leader = 3
                | | choice banker(chance=0.9) = F12; choice banker(chance=0) = R6
            not before others lead | hand R6 F12 M5; leader = 2 | | choice banker(chance=0.9) = R6
        [dodger]
            a card without equals | hand R12 R11 F5; played F11 M11 H11
                | | choice dodger(equal=1) = R11; choice dodger(equal=0) = R12
        [all_rounder]
            saves a trump | hand R12 F7 F5 F6 H5 H6 M5; played F12 M12 H12; leader = 1
                | | choice all_rounder(trump=2) = R12
            not where it is worth nothing | hand F7 F5; leader = 1
                | | choice all_rounder(trump=0) = F7
            where it is worth much | hand F7 F5 F6 H5 H6 M5; leader = 1
                | | choice all_rounder(trump=5) not = F7
            takes the pot with it | hand R3 F7 F5 F6 H5 H6 M5; pot = 4; leader = 1
                | | choice all_rounder = F7
            cancels before its own lead | hand R6 F12 M5; leader = 3
                | | choice all_rounder(cancel=0,chance=1) = R6
                | | choice all_rounder(cancel=1,chance=1) = F12
                | | choice all_rounder(cancel=2,chance=1) = F12
            or always when it cannot win | hand F12 M5; leader = 1
                | | choice all_rounder(cancel=0) = M5; choice all_rounder(cancel=1) = M5
                | | choice all_rounder(cancel=2) = F12
    """

    def test_banker_goes_for_the_last_trick(self) -> None:
        hands = ("R6 F12", "F2 F3", "M2 M3")
        p = Position(*hands, choosing=True, leader=2)
        assert p.choice("banker(chance=0.9)") == "F12"
        p.s.trick = p.plain.values["hand_size"] - 1
        assert p.choice("banker(chance=0.9)") == "R6"
