"""The variants: dirty one and double two. Classes bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from simcore.errors import InputError
from tests.up.following import UP
from tests.up.position import Position, before_deal, dealt, pack_of, position, scored

pytestmark = pytest.mark.usefixtures("any_layout")


def declared(**options: object) -> Position:
    """Forehand before announcing."""
    cards = pack_of(Position(3, options))
    return dealt(cards[::-1], dealer=0, players=3, **options)


class TestR32DirtyOne:
    def test_each_one_counts_thirty(self):
        left = {"hand": "1 1", "open": "1", "hidden": "1 2"}
        assert scored(left, dirty_one="always") == [0, 122]
        assert scored(left) == [0, 6]

    def test_it_came_into_play_only_when_a_one_was_left(self):
        for left, counted in (("1", True), ("2", False)):
            p = position(hand="5", others={1: {"hand": left}}, players=2, dirty_one="always")
            assert p.play("5").score().clause("dirty_one") is counted

    @pytest.mark.parametrize("dirty_one", ["always", "forehand"])
    @pytest.mark.parametrize("scoring", ["cards", "matches"])
    def test_refused_where_no_card_counts_its_value(self, dirty_one, scoring):
        with pytest.raises(InputError) as refusal:
            UP.resolve({"dirty_one": dirty_one, "scoring": scoring})
        assert str(refusal.value) == (
            f"option dirty_one = {dirty_one} is refused with scoring = {scoring}: no card "
            "counts its value, so no 1 can count 30; allowed: dirty_one = off, or scoring = points"
        )

    def test_announced_until_the_next_deal(self):
        p = declared(dirty_one="forehand").play("dirty")
        assert p.s.dirty == 1
        p.plain.start_round(p.s)
        assert p.s.dirty == 0


class TestR33DoubleTwo:
    def test_it_counts_two(self):
        left = {"hand": "-2 -2 2", "hidden": "-2"}
        assert scored(left, double_two="always") == [0, 8]

    def test_it_is_announced_until_the_next_deal(self):
        p = declared(double_two="forehand").play("double")
        assert (p.s.double, p.clause("double_two")) == (1, True)
        p.plain.start_round(p.s)
        assert p.s.double == 0

    def test_with_the_dirty_one(self):
        p = declared(double_two="forehand", dirty_one="forehand").play("dirty double")
        assert (p.s.double, p.s.dirty) == (1, 1)


class TestC36Announcing:
    @pytest.mark.parametrize(
        ("dirty_one", "double_two", "moves"),
        [
            ("forehand", "off", {"none", "dirty"}),
            ("off", "forehand", {"none", "double"}),
            ("forehand", "forehand", {"none", "dirty", "double", "dirty double"}),
            ("always", "forehand", {"none", "double"}),
            ("forehand", "always", {"none", "dirty"}),
        ],
    )
    def test_every_combination_that_the_options_allow(self, dirty_one, double_two, moves):
        p = declared(dirty_one=dirty_one, double_two=double_two)
        assert (p.phase, p.seat, p.moves) == ("DECLARE", 1, moves)
        for move in moves:
            q = declared(dirty_one=dirty_one, double_two=double_two).play(move)
            assert q.phase == "PLAY"
            assert q.s.dirty == (dirty_one == "always" or "dirty" in move)
            assert q.s.double == (double_two == "always" or "double" in move)

    def test_after_the_whole_deal(self):
        p = declared(dirty_one="forehand")
        assert [p.count(seat) for seat in range(3)] == [13, 13, 13]

    def test_not_when_agreed_on_or_off(self):
        assert declared(dirty_one="always").phase == "PLAY"
        assert declared().phase == "PLAY"


DOUBLE = {"double_two": "always"}


class TestC37OrdinaryTwo:
    def test_laid_together_with_twos(self):
        p = position(hand="-2 2 -2 5", open="3", tower="9", **DOUBLE)
        assert p.moves == {"2", "2 2", "2 2 2", "5", "open 3"}
        p.play("2 2")
        assert (p.hand(), p.cap, p.tower) == ("5 2", 2, "9 2 2")

    def test_it_may_lead_and_lowers_nothing(self):
        p = position(hand="-2 3", **DOUBLE).play("2")
        assert (p.cap, p.seat, p.metric("minus_twos")) == (2, 1, 0)

    def test_on_a_one_it_is_too_heavy(self):
        p = position(hand="-2 -2 2", open="-2 2", tower="1", **DOUBLE)
        assert p.moves == {"2", "open 2"}
        p.play("2")
        assert (p.hand(), p.seat) == ("2 2 2 1", 0)

    def test_on_a_one_from_the_open_cards(self):
        p = position(hand="5", open="-2", tower="1", **DOUBLE).play("open 2")
        assert (p.hand(), p.open()) == ("5 2 1", "")

    @pytest.mark.parametrize("cards", ["-2 2", "2 2", "-2 -2"])
    def test_singly_in_the_first_turn(self, cards):
        p = position(
            hand=f"{cards} 5", tower="9", first_turn=True, multiples_in_first_lap=False, **DOUBLE
        )
        assert p.moves == {"2", "5"}
        p.play("2")
        assert (p.hand(), p.tower) == ("5 2", "9 2")

    def test_one_kept_at_the_cut(self):
        cards = pack_of(Position(3, DOUBLE))
        cards.remove("-2")
        p = before_deal([*cards, "-2"], dealer=0, players=3, **DOUBLE).play("keep")
        assert "2" in p.hand(2).split()
        assert "-2" not in p.hand(2)

    def test_not_without_minus_two(self):
        for double_two in ("always", "forehand"):
            with pytest.raises(InputError):
                UP.resolve({"minus_two": False, "double_two": double_two})


class TestC46NoMinusTwoAnyMore:
    def test_no_credit_of_eighty(self):
        p = position(hidden="-2", players=2, scores=(100, 0), others={1: {"hand": "4"}}, **DOUBLE)
        p.play("blind").score()
        assert p.scores == [90, 4]
        assert (p.metric("blind_minus_two_finishes"), p.metric("minus_twos")) == (0, 0)

    def test_turned_up_it_leads(self):
        p = position(hand="4", hidden="8 -2", **DOUBLE).play("blind")
        assert (p.seat, p.tower, p.cap, p.hand()) == (1, "2", 2, "4")

    def test_the_last_one_must_fit(self):
        p = position(hidden="-2", tower="1", **DOUBLE).play("blind")
        assert (p.phase, p.hand()) == ("PLAY", "2 1")
