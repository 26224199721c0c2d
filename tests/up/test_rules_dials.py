"""House rules and dials. Classes bear the marks of RULES.md."""

from __future__ import annotations

from collections import Counter

import pytest

from simcore.batch import Cell
from simcore.compiler.plain import Match
from simcore.errors import InputError
from simcore.games.up import rules as up
from simcore.games.up.options import cards_of_hand
from tests.players import RANDOM_PLAYER
from tests.up.following import UP, Names
from tests.up.position import dealt, pack_of, position, scored

any_layout = pytest.mark.usefixtures("any_layout")


def refusal(**options: object) -> str:
    with pytest.raises(InputError) as refused:
        UP.resolve(options)
    return str(refused.value)


def states(options: dict[str, object], moves: int = 1000):
    """Yield the state before and after each of the first moves of a match at random, and names."""
    resolved = UP.resolve({"rounds": 1} | options)
    match = Match(Cell(UP, resolved, (RANDOM_PLAYER,) * resolved["players"], 3), 0)
    names = Names(match.plain.o.kind)
    events = match.events(copies=False)
    for _, _ in zip(range(moves + 1), events, strict=False):
        yield match.s, names


def dealt_cards(**options: object) -> list[tuple[int, int, int]]:
    """Return how many cards each seat has in hand, open and hidden when the play begins."""
    for s, _ in states(options):
        if s.phase == up.PLAY:
            return [
                (len(s.hand[seat]), len(s.open_cards[seat]), s.hidden_cards[seat])
                for seat in range(s.players)
            ]
    raise AssertionError


class TestH1HandCards:
    @pytest.mark.parametrize(
        ("options", "cards"),
        [
            ({"hand_cards": 1}, 1),
            ({"hand_cards": 12, "table_cards": 1, "minus_two_cards": 3}, 12),
            ({"minus_two": False}, 4),
            ({"clear_cards": 0}, 4),
            ({"clear_cards": 0, "minus_two_cards": 0}, 3),
            ({"clear_cards": 0, "hand_cards": 4}, 4),
        ],
    )
    def test_as_many_as_agreed_on(self, options, cards):
        lying = options.get("table_cards", 4)
        assert dealt_cards(**options) == [(cards, lying, lying)] * 4
        assert cards_of_hand(UP.resolve(options)) == cards

    def test_who_kept_a_card_is_dealt_one_fewer(self):
        cards = pack_of(position(players=3, hand_cards=2))
        cards.remove("clear")
        p = dealt([*cards, "clear"], dealer=0, players=3, hand_cards=2)
        kept = dealt([*cards, "clear"], dealer=0, players=3, hand_cards=2, keep=True)
        assert len(p.hand(2).split()) == len(kept.hand(2).split()) == 2
        assert "clear" in kept.hand(2)
        assert p.hand(1) == kept.hand(1)

    def test_refused_without_the_cards(self):
        assert refusal(hand_cards=6) == (
            "option hand_cards = 6 is refused with table_cards = 4: 4 players need 56 cards, "
            "and the pack has 52; allowed: at most 13 for each, or more cards by extra_set, "
            "minus_two_cards or clear_cards"
        )
        assert UP.resolve({"hand_cards": 6, "extra_set": True})["hand_cards"] == 6


class TestH2TableCards:
    @pytest.mark.parametrize("cards", [1, 2, 6])
    def test_as_many_as_agreed_on(self, cards):
        hand = min(5, 13 - 2 * cards)
        assert dealt_cards(table_cards=cards, hand_cards=hand) == [(hand, cards, cards)] * 4

    def test_six_hidden_cards_are_turned_up_and_counted(self):
        p = position(hand="3", hidden="11 10 9 8 7 6", tower="9").play("blind")
        assert (p.tower, p.hidden(), p.cap) == ("9 6", "11 10 9 8 7", 6)
        assert scored({"hidden": "11 10 9 8 7 6"}) == [0, 51]

    def test_refused_without_the_cards(self):
        assert refusal(table_cards=5).startswith("option table_cards = 5 is refused: 4 players")


class TestH3MinusTwoCards:
    @pytest.mark.parametrize("players", [2, 4, 5, 10])
    @pytest.mark.parametrize(("twos", "clears"), [(0, 1), (2, 1), (4, 1), (1, 4), (3, 3), (4, 3)])
    def test_cards_of_each_kind_are_kept(self, players, twos, clears):
        options = {"players": players, "minus_two_cards": twos, "clear_cards": clears}
        each = {str(value): 1 for value in range(1, 12)} | {"-2": twos, "clear": clears}
        pack = Counter({name: count * players for name, count in each.items() if count})
        for s, names in states(options, 60):
            everywhere = (s.tower, s.cleared, *s.hand, *s.open_cards, *s.lying)
            cards = Counter(names.of(card, False) for place in everywhere for card in place)
            if s.phase == up.PLAY:
                assert cards <= pack
                assert pack.total() - cards.total() in {0, players * (11 + twos + clears - 13)}

    def test_none_is_the_game_without_minus_two(self):
        assert UP.resolve({"minus_two_cards": 0})["minus_two"] is False
        assert UP.resolve({"minus_two": False})["minus_two_cards"] == 0

    @pytest.mark.parametrize(("minus_two", "cards"), [(False, 2), (True, 0)])
    def test_refused_where_options_contradict_each_other(self, minus_two, cards):
        told = refusal(minus_two=minus_two, minus_two_cards=cards)
        assert told.startswith(f"option minus_two_cards = {cards} is refused with minus_two = ")

    @pytest.mark.parametrize(
        ("typed", "says"),
        [
            ({"minus_two_cards": 0}, ("minus_two_cards = 0", "minus_two_cards = 1…4")),
            ({"minus_two": False}, ("minus_two = false", "minus_two = true")),
        ],
    )
    def test_the_double_two_is_refused_by_the_option_that_was_typed(self, typed, says):
        told = refusal(double_two="always", **typed)
        assert told.startswith(f"option {says[0]} is refused")
        assert told.endswith(f"double_two = off, or {says[1]}")


class TestH4ClearCards:
    def test_without_them_hands_have_a_card_fewer(self):
        assert dealt_cards(clear_cards=0) == [(4, 4, 4)] * 4

    def test_the_one_pack_that_is_too_large(self):
        large = {"players": 10, "extra_set": True, "minus_two_cards": 4}
        assert "209 cards are more than the records hold" in refusal(**large, clear_cards=4)
        assert UP.resolve(large | {"clear_cards": 3})


@any_layout
class TestH5Points:
    def test_values_in_force_count(self):
        left = {"hand": "-2 1", "hidden": "clear"}
        points = {"minus_two_points": 7, "clear_points": 100}
        assert scored(left, **points) == [0, 108]
        assert scored(left, **points, dirty_one="always", dirty_one_points=3) == [0, 110]
        assert scored(left, **points, double_two="always") == [0, 103]

    @pytest.mark.parametrize(("left", "counted"), [("-2", True), ("clear", False), ("11", False)])
    def test_it_came_into_play_when_such_a_card_was_left(self, left, counted):
        p = position(hand="5", others={1: {"hand": left}}, players=2, minus_two_points=3)
        assert p.play("5").score().clause("points") is counted

    @pytest.mark.parametrize("scoring", ["cards", "matches"])
    @pytest.mark.parametrize(
        "name", ["minus_two_points", "clear_points", "dirty_one_points", "out_credit"]
    )
    def test_refused_where_no_card_counts_its_value(self, scoring, name):
        assert "there are no card values and no credits" in refusal(**{name: 5, "scoring": scoring})
        usual = {option.name: option.default for option in UP.options}[name]
        assert UP.resolve({name: usual, "scoring": scoring})


class TestH6Credits:
    def test_who_is_out_is_credited(self):
        assert scored({"hand": "4"}, scores=(50, 0), out_credit=35) == [15, 4]
        assert scored({"hand": "4"}, scores=(50, 0), out_credit=60) == [0, 4]

    def test_the_second_one_instead(self):
        p = position(hidden="-2", tower="9", scores=(500, 0, 0), blind_credit=123)
        p.play("blind").score()
        assert (p.scores[0], p.clause("credit")) == (377, True)

    @pytest.mark.parametrize(("rounds", "phase"), [(999, "ROUND_OVER"), (1000, "MATCH_OVER")])
    def test_a_match_without_rounds_is_aborted_after_a_thousand(self, rounds, phase):
        p = position(hand="5", players=2, rounds=None, points_limit=10**6)
        p.s.round_number = rounds
        p.play("5").score()
        assert (p.phase, bool(p.s.aborted), p.s.winners) == (phase, rounds == 1000, 0)


@any_layout
class TestH7AnyCollapse:
    ANY = {"minus_two_collapse": "any"}  # noqa: RUF012

    def test_as_many_as_one_likes(self):
        p = position(hand="-2 -2 -2 9", open="-2", tower="5", **self.ANY)
        assert p.moves == {"-2", "-2 -2", "-2 -2 -2", "9", "open -2"}

    def test_all_are_taken_up_with_the_tower(self):
        p = position(hand="-2 -2 -2 9", tower="5", **self.ANY).play("-2 -2 -2")
        assert (p.hand(), p.seat, p.metric("collapses")) == ("9 5 -2 -2 -2", 0, 1)
        assert p.clause("minus_two_collapse")

    def test_what_the_rule_text_lets_be_laid_is_no_house_rule(self):
        assert (
            not position(hand="-2 9", tower="2", **self.ANY).play("-2").clause("minus_two_collapse")
        )

    def test_they_do_not_lead(self):
        assert position(hand="-2 -2 9", **self.ANY).moves == {"9"}


@any_layout
class TestH8MinusTwoLeads:
    LEAD = {"minus_two_lead": True}  # noqa: RUF012

    def test_as_on_a_tower_of_eleven(self):
        p = position(hand="-2 -2 -2 4", **self.LEAD)
        assert p.moves == {"-2", "-2 -2", "-2 -2 -2", "4"}
        p.play("-2 -2")
        assert (p.cap, p.tower, p.seat, p.metric("minus_twos")) == (7, "-2 -2", 1, 2)
        assert p.clause("minus_two_lead")

    def test_a_hidden_one_stays(self):
        p = position(hand="4", hidden="5 -2", **self.LEAD).play("blind")
        assert (p.cap, p.tower, p.hand(), p.seat) == (9, "-2", "4", 1)

    def test_the_very_last_one_ends_the_round_with_its_credit(self):
        p = position(hidden="-2", scores=(100, 0, 0), **self.LEAD).play("blind")
        assert (p.phase, p.metric("minus_twos")) == ("ROUND_OVER", 1)
        assert p.score().scores[0] == 20

    def test_a_last_one_from_the_hand_goes_out(self):
        p = position(hand="-2", scores=(100, 0, 0), **self.LEAD).play("-2").score()
        assert p.scores[0] == 90

    def test_not_by_the_rule_text(self):
        assert position(hand="-2 4").moves == {"4"}


@any_layout
class TestH9RestartOpen:
    OPEN = {"restart_open": True, "first_turn": True}  # noqa: RUF012

    @pytest.mark.parametrize(("tower", "first"), [("2", "9"), ("2", "clear")])
    def test_open_cards_may_lead_anew(self, tower, first):
        p = position(hand="9 clear 3", open="7 7", tower=tower, **self.OPEN)
        assert not any(move.startswith("open") for move in p.moves)
        p.play(first)
        assert {"open 7", "open 7 7"} <= p.moves
        p.play("open 7 7")
        assert (p.open(), p.seat, p.clause("restart_open")) == ("", 1, True)

    def test_not_by_the_rule_text(self):
        p = position(hand="9 clear 3", open="7", tower="2", first_turn=True).play("9")
        assert not any(move.startswith("open") for move in p.moves)

    def test_single_cards_bind_the_whole_turn(self):
        p = position(
            hand="9 3", open="7 7", tower="2", multiples_in_first_lap=False, **self.OPEN
        ).play("9")
        assert {move for move in p.moves if move.startswith("open")} == {"open 7"}

    def test_who_must_lead_without_a_hand_card_passes(self):
        p = position(hand="clear", open="7", tower="2", first_turn=True).play("clear", "pass")
        assert (p.seat, p.phase, p.open()) == (1, "PLAY", "7")
        assert not p.s.first_turn & 1


@any_layout
class TestH10FourClear:
    FOUR = {"four_clear": True}  # noqa: RUF012

    def test_laid_by_several(self):
        p = position(hand="7 7 3", others={1: {"hand": "7 7 2"}}, **self.FOUR)
        p.play("7 7", "7 7")
        assert (p.seat, p.cap, p.tower, p.cleared) == (1, 0, "", "7 7 7 7")
        assert (p.metric("four_clears"), p.metric("clears")) == (1, 0)
        assert p.clause("four_clear")

    def test_a_minus_two_breaks_the_row(self):
        others = {1: {"hand": "-2 2"}, 2: {"hand": "5 5 1"}}
        p = position(hand="7 7 3", tower="7 7 5 5", cap=7, others=others, **self.FOUR)
        p.play("7 7", "-2", "5 5")
        assert (p.metric("four_clears"), p.cap) == (0, 5)

    def test_the_last_cards_end_the_round(self):
        p = position(hand="7 7 7 7", **self.FOUR).play("7 7 7 7")
        assert (p.phase, p.metric("four_clears"), p.cleared) == ("ROUND_OVER", 1, "7 7 7 7")

    def test_with_the_double_two_a_minus_two_is_a_two(self):
        p = position(hand="2 2 -2 -2 3", double_two="always", **self.FOUR).play("2 2 2 2")
        assert (p.metric("four_clears"), p.seat) == (1, 0)

    def test_a_card_that_makes_it_collapse_does_not_count(self):
        p = position(hand="7 2", tower="5 7 7 7", cap=5, **self.FOUR)
        p.s.equal = 3
        p.play("7")
        assert (p.metric("four_clears"), p.metric("collapses")) == (0, 1)

    def test_it_is_announced_and_leads_on(self):
        p = position(hand="7 7 7 7 3", forget_last_card=1.0, **self.FOUR).play("7 7 7 7")
        assert (p.seat, p.lost) == (0, {0})
