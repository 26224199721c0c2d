"""UNO: each policy plays by its idea."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from simcore.batch import play
from simcore.games.uno.state import COLOURS
from simcore.rng import opened
from tests.strategies.test_policies import cell
from tests.uno import rows
from tests.uno.position import Position, number_of_top, position

NUMBERS = [f"{colour} {face}" for colour in ("yellow", "green") for face in [*range(10)] * 2]


class Rows(rows.Rows):
    """Seat 0 chooses: "cards = 5, 2" are the numbers of cards that the others have.

    On what a seat had to draw is "drew = {1: 'red 4'}". A challenge is of the "wild draw four" of
    seat 2, laid on red, where "laid red 5" is what seat 2 had laid before.
    """

    def position(
        self,
        cards: tuple[int, ...] | int = (),
        drew: dict[int, str] | None = None,
        laid: str = "",
        **given: Any,
    ) -> Position:
        fillers = iter(NUMBERS)
        counts = cards if isinstance(cards, tuple) else (cards,)
        hands = [", ".join(itertools.islice(fillers, count)) for count in counts]
        players = {"players": 1 + len(hands)} if hands else {}
        p = position(**{"top": "red 7"} | given | players, others=dict(enumerate(hands, start=1)))
        p.s.streams["SEAT", 0] = opened(1, 1, 1, 8)
        if given.get("phase") == "CHALLENGE":
            p.s.layer, p.s.colour_before = 2, COLOURS.index("red")
        for seat, top in (drew or {}).items():
            p.s.drew_on[seat] = number_of_top(top)
        if laid:
            p.s.laid_before = number_of_top(laid)
        return p


class TestPolicies(Rows):
    rows = """
        [random_playable] draws only if nothing goes
            | hand red 1, green 2; stock blue 7, green 1 | draw | choice random_playable = blue 7
        [random_playable] bluffs only if nothing else goes | hand blue 1, wild draw four
            | | choice random_playable = wild draw four
        [dumper] what counts most first
            action cards | hand red 1, red 9, red skip | | choice dumper = red skip
            from 7 on    | hand red 1, red 9, blue 7   | | choice dumper = red 9
            from 4 on    | hand red 1, red 2, red 5, red 3 | | choice dumper = red 5
            wild cards near the end | hand red 1, red 9, wild; cards = 5, 2
                | | choice dumper(cards=2) = wild; choice dumper(cards=1) = red 9
        [majority]
            the richest colour | hand red 9, blue 7, blue 1, blue 1, green 3
                | | choice majority = blue 7
            which may be that on top | hand red 9, red 1, red 2, blue 7, blue 1
                | | choice majority = red 9
            of colours that are equally rich the last | hand blue 7, blue 1, red 9, red 1
                | | choice majority = red 9
            so in naming | hand blue 1, green 2; phase = "COLOUR" | | choice majority = green
            names it | hand red 1, green 2, green 2; phase = "COLOUR" | | choice majority = green
            wilds last | hand red 0, wild, blue 1, blue 2 | | choice majority = red 0
            but rather than draw | hand wild, blue 1, blue 2 | | choice majority = wild
            is honest | hand red 0, wild draw four | | choice majority = red 0
        [saver]
            numbers first | hand red 1, red skip, wild; cards = 5, 5
                | | choice saver(cards=4) = red 1; choice saver(cards=5) = red skip
            any opponent  | hand red 1, wild, blue 2; top red 8; cards = 5, 2
                | | choice saver(cards=2) = wild
        [hitter] when the next player is about to finish
            draws two | hand red 9, red 1, blue 7, blue 1, blue 2, blue 3, red draw two;
                cards = 2, 9, 9
                | | choice hitter(cards=2) = red draw two; choice hitter(cards=1) = blue 7
            skips     | hand red 9, red 1, blue 7, blue 1, blue 2, blue 3, red skip; cards = 2, 9, 9
                | | choice hitter(cards=2) = red skip; choice hitter(cards=1) = blue 7
            reverses  | hand red 9, red 1, blue 7, blue 1, blue 2, blue 3, red reverse;
                cards = 2, 9, 9
                | | choice hitter(cards=2) = red reverse; choice hitter(cards=1) = blue 7
            a wild draw four hits too | hand blue 7, wild draw four, blue 1; cards = 1, 9
                | | choice hitter = wild draw four
        [hitter] the next player only
            | hand red 9, blue 7, blue 1, blue 2, red skip; cards = 9, 9, 1
            clockwise | | | choice hitter = blue 7
            counter-clockwise | counter_clockwise | | choice hitter = red skip
        [watcher] names what the next player lacks | hand red 1, green 2, green 3; phase = "COLOUR"
            not known | | | choice watcher(cards=2) = green
            red | drew = {1: "red 4"}
                | | choice watcher(cards=2) = red; choice watcher(cards=0.5) = green
        [watcher] plays it | hand red 9, blue 7, blue 1
            red   | drew = {1: "wild red"} | | choice watcher(cards=2) = red 9
            green | drew = {1: "green 2"} | | choice watcher(cards=2) = blue 7
        [bluffer] holds the colour | hand red 9, red 1, wild draw four; cards = 2, 9
            | | choice bluffer(rate=1) = wild draw four; choice bluffer(rate=0) = red 9;
                choice bluffer(rate=1,cards=1) = red 9
        [challenge] | hand blue 1, blue 2; top wild draw four green; phase = "CHALLENGE"
            the honest never | cards = 5, 30
                | | choice random_playable = accept; choice majority = accept
            many cards | cards = 5, 6 | | choice challenger(cards=6) = challenge
            few cards  | cards = 5, 5
                | | choice challenger(cards=6) = accept; choice all_rounder = accept
            the colour just laid | cards = 5, 4; laid red 5
                | | choice challenger(cards=6,laid=3) = challenge;
                    choice challenger(cards=6,laid=1) = accept
            another colour laid  | cards = 5, 4; laid blue 5
                | | choice challenger(cards=6,laid=3) = accept
            a draw on the colour | cards = 5, 9; drew = {2: "red 5"}
                | | choice challenger(cards=6) = accept
            a draw on another    | cards = 5, 9; drew = {2: "blue 5"}
                | | choice challenger(cards=6) = challenge
            the all-rounder doubts | cards = 5, 10 | | choice all_rounder = challenge
        [all_rounder]
            hits and bluffs | hand red 9, red skip, wild draw four; cards = 1, 9
                | | choice all_rounder(bluff=1) = wild draw four;
                    choice all_rounder(bluff=0) = red skip
            action cards first with two players
                | hand red 9, blue 7, blue 1, blue 2, red skip; cards = 9
                | | choice all_rounder = red skip
            not with three | hand red 9, blue 7, blue 1, blue 2, red skip; cards = 9, 9
                | | choice all_rounder = blue 7
            what others lack
                | hand red 1, green 2, green 3; drew = {1: "red 4"}; phase = "COLOUR"
                | | choice all_rounder(lack=2) = red; choice all_rounder(lack=0) = green
            wild cards late | hand red 9, wild; cards = 5, 1
                | | choice all_rounder(late=1) = wild; choice all_rounder(late=0) = red 9
    """

    def chosen(self, strategy: str, count: int, **given: Any) -> list[str]:
        """Return what is chosen with different random numbers."""
        p = self.position(**given)
        choices = []
        for chance in range(count):
            p.s.streams["SEAT", 0] = opened(chance, 1, 1, 8)
            choices.append(p.choice(strategy))
        return choices

    def test_random_playable_lays_whatever_goes(self) -> None:
        laid = self.chosen("random_playable", 60, hand="red 1, red 5, blue 7, wild, green 2")
        assert set(laid) == {"red 1", "red 5", "blue 7", "wild"}

    def test_random_playable_does_not_bluff(self) -> None:
        laid = self.chosen("random_playable", 30, hand="red 1, wild draw four")
        assert set(laid) == {"red 1"}
        p = self.position(hand="green 1, green 2", stock="wild draw four, green 1").play("draw")
        p.hold(0, "red 1, wild draw four")
        assert p.choice("random_playable") == "keep"

    def test_bluffer_bluffs_at_a_rate(self) -> None:
        hand = "red 9, red 1, wild draw four"
        laid = self.chosen("bluffer(rate=0.3)", 200, hand=hand, cards=(2, 9))
        assert 30 < laid.count("wild draw four") < 90

    @pytest.mark.whole
    def test_challenging_pays_against_bluffs(self) -> None:
        lineup = "{},bluffer(rate=1,cards=20)"
        doubting = play(cell("uno", lineup.format("challenger(cards=4)"), players=2), 0, 2000)
        trusting = play(cell("uno", lineup.format("majority"), players=2), 0, 2000)
        assert np.mean(doubting.winners == 1) > np.mean(trusting.winners == 1) + 0.02


class TestHouseRules(Rows):
    rows = """
        [swap] for the smallest hand
            | hand blue 1, blue 2; cards = 5, 2, 9; seven_zero = True; phase = "SWAP"
            | | choice random_playable = swap 2; choice majority = swap 2;
                choice all_rounder = swap 2
        [trade] no small hand for a large one | top red 5; seven_zero = True
            nobody swaps a hand of one card for one of nine | hand red 7, red 1; cards = 9, 9
                | | choice majority = red 1
            a large one for two cards | hand red 7, red 1, blue 1, blue 2, blue 3; cards = 2, 9
                | | choice majority = red 7
            rather draws | hand red 7, blue 1; cards = 9, 9 | | choice majority = draw
            a card more costs no more than drawing | hand red 7, blue 1; cards = 2, 9
                | | choice majority = red 7
            nor passes it on | hand red 0, red 1; cards = 9, 9 | | choice majority = red 1
            gets one from the seat before | hand red 0, red 1, blue 1, blue 2, blue 3; cards = 9, 2
                | | choice majority = red 0
            not from the seat after | hand red 0, red 1, red 2, blue 2, blue 3; cards = 2, 9
                | | choice majority = red 2
            who must play lays even a bad seven
                | hand red 7, blue 1, red 7; cards = 9, 9; must_play = True | | moves = red 7
        [jump] in | hand red 5, blue 1; top red 5; cards = 3, 3; jump_in = True; phase = "JUMP"
            | | choice random_playable = red 5; choice majority = red 5; choice all_rounder = red 5
        [jump] with no seven that costs
            | hand red 7, blue 1; cards = 9, 9; jump_in = True; seven_zero = True; phase = "JUMP"
            | | choice all_rounder = decline
        [stack] rather than draw
            | hand red draw two, blue 1; top blue draw two; cards = 3, 3; stacking = "same";
                phase = "STACK"
            | | choice random_playable = red draw two; choice majority = red draw two;
                choice all_rounder = red draw two
    """
