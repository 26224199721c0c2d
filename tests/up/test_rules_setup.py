"""Set-up: sets, cut and deal. Test classes bear the marks of RULES.md."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from simcore.errors import InputError
from tests.exact import starts
from tests.up.following import KIND_NAMES, PHASES, UP, Names
from tests.up.position import Position, before_deal, dealt, in_order, pack_of

pytestmark = pytest.mark.usefixtures("any_layout")


def pack(players: int, *, last: str = "7", **options: object) -> list[str]:
    """A pack in which the cards are well mixed and the last is as asked for."""
    names = pack_of(Position(players, options))
    mixed = [names[i * 5 % len(names)] for i in range(len(names))]
    assert Counter(mixed) == Counter(names)
    mixed.reverse()
    mixed.remove(last)
    return [*mixed, last]


def by_seat(cards: list[str], players: int, first: int, passes: range) -> dict[int, list[str]]:
    """Deal cards singly and clockwise, as the rules tell it."""
    seats = {seat: [] for seat in range(players)}
    for deal_pass in passes:
        for step in range(players):
            seats[(first + step) % players].append(cards[deal_pass * players + step])
    return seats


def prepared(**options: object) -> Any:
    """Return what follows from options: the pack and its kinds."""
    return Plain(program_of(UP), UP.resolve(options)).o


def order_of(**options: object) -> list[str]:
    """Name the cards of a pack, unshuffled."""
    o = prepared(**options)
    return [Names(o.kind).of(card, False) for card in o.order[: o.pack_size]]


class TestR1Sets:
    @pytest.mark.parametrize("players", range(2, 11))
    def test_a_set_of_thirteen_for_each_player(self, players):
        order = order_of(players=players)
        assert Counter(order) == dict.fromkeys(KIND_NAMES, players)
        o = prepared(players=players)
        assert sorted(o.in_play) == sorted(o.order[: o.pack_size])
        assert len(o.in_play) == 13 * players

    def test_two_to_ten_players(self):
        for players in (1, 11):
            with pytest.raises(InputError):
                UP.resolve({"players": players})


class TestR2Colours:
    def test_equal_cards_of_all_colours_are_one_kind(self):
        for players in (4, 10):
            o = prepared(players=players)
            for card in o.in_play:
                same = {other for other in o.in_play if o.kind[other] == o.kind[card]}
                assert len(same) == players
                assert o.of_kind[o.kind[card]] & o.in_play == same


class TestR3Deal:
    @pytest.mark.parametrize("dealer", range(3))
    def test_singly_clockwise_beginning_left_of_the_dealer(self, dealer):
        cards = pack(3)
        p = dealt(cards, dealer=dealer, players=3)
        for step in range(3):
            seat = (dealer + 1 + step) % 3
            assert p.hidden(seat).split()[0] == cards[step]
        assert p.hidden(dealer).split() == cards[2:12:3]


class TestR4HiddenCards:
    def test_the_first_four_passes(self):
        cards = pack(3)
        p = dealt(cards, dealer=1, players=3)
        for seat, names in by_seat(cards, 3, 2, range(4)).items():
            assert p.hidden(seat).split() == names

    def test_no_player_sees_them(self):
        fields = program_of(UP).fields
        assert {fields[name].sees for name in ("lying", "top", "stock", "pack")} == {"hidden"}


class TestR5OpenCards:
    def test_the_next_four_passes(self):
        cards = pack(3)
        p = dealt(cards, dealer=1, players=3)
        for seat, names in by_seat(cards, 3, 2, range(4, 8)).items():
            assert p.open(seat) == in_order(names)


class TestR6Hands:
    def test_the_last_five_passes(self):
        cards = pack(3)
        p = dealt(cards, dealer=1, players=3)
        for seat, names in by_seat(cards, 3, 2, range(8, 13)).items():
            assert p.hand(seat) == in_order(names)

    @pytest.mark.parametrize("choice", ["keep", "return"])
    def test_everybody_has_thirteen_cards(self, choice):
        p = before_deal(pack(3, last="clear"), dealer=0, players=3).play(choice)
        for seat in range(3):
            piles = (p.hand(seat), p.open(seat), p.hidden(seat))
            assert [len(pile.split()) for pile in piles] == [5, 4, 4]
            assert p.count(seat) == 13


class TestC1FirstDealer:
    def play_rounds(self, **options: object) -> list[int]:
        plain = Position(4, options).plain
        s = plain.start_match(1, 0)
        dealers = []
        for _ in range(6):
            plain.start_round(s)
            dealers.append(s.dealer)
        return dealers

    def test_the_deal_passes_clockwise(self):
        dealers = self.play_rounds()
        assert dealers == [(dealers[0] + i) % 4 for i in range(6)]

    def test_or_stays(self):
        assert len(set(self.play_rounds(deal_passes=False))) == 1


class TestC2Cut:
    def test_only_a_special_card_at_the_cut_is_asked_about(self):
        names, found = Names(prepared(players=4).kind), set()
        for s in starts("up", {"players": 4}, 100):
            found.add(names.of(s.pack[51], False))
            asked = names.of(s.pack[51], False) in {"clear", "-2"}
            assert PHASES[s.phase] == ("CUT" if asked else "PLAY")
        assert len(found) == 13


class TestC3KeptCard:
    @pytest.mark.parametrize("card", ["-2", "clear"])
    def test_keep(self, card):
        p = before_deal(pack(3, last=card), dealer=0, players=3)
        assert (p.seat, p.moves) == (2, {"keep", "return"})
        p.play("keep")
        assert card in p.hand(2).split()
        assert p.s.cut_kept == 1

    @pytest.mark.parametrize("card", ["-2", "clear"])
    def test_return_puts_it_back_where_it_was(self, card):
        cards = pack(3, last=card)
        p = before_deal(cards, dealer=0, players=3).play("return")
        assert p.hand(0) == in_order(by_seat(cards, 3, 1, range(8, 13))[0])
        assert card in p.hand(0).split()
        assert p.s.cut_kept == 0


class TestC4CountAfterKeeping:
    def test_the_pack_comes_out_exactly(self):
        cards = pack(3, last="-2")
        p = before_deal(cards, dealer=0, players=3).play("keep")
        everything = [p.hand(seat) for seat in range(3)]
        everything += [p.open(seat) for seat in range(3)] + [p.hidden(seat) for seat in range(3)]
        assert Counter(" ".join(everything).split()) == Counter(cards)


class TestC5PassedOver:
    def test_only_the_cutters_last_card_is_another(self):
        cards = pack(4, last="-2")
        kept = before_deal(cards, dealer=1, players=4).play("keep")
        # The cutter, seat 0, sits last but one in a pass; after it only the dealer gets a card.
        dealt_cards = by_seat([*cards[:-1], "?"], 4, 2, range(8, 13))
        for seat in (2, 3):
            assert kept.hand(seat) == in_order(dealt_cards[seat])
        assert kept.hand(0) == in_order([*dealt_cards[0][:4], "-2"])
        assert kept.hand(1) == in_order([*dealt_cards[1][:4], cards[-2]])


class TestC6KeptCardIsNotShown:
    def test_nobody_knows_which(self):
        p = before_deal(pack(3, last="-2"), dealer=0, players=3).play("keep")
        assert not any(p.s.known_hand)


class TestR34WithoutMinusTwo:
    def test_hands_of_four(self):
        cards = pack(3, minus_two=False)
        assert "-2" not in cards
        p = dealt(cards, dealer=0, players=3, minus_two=False)
        for seat, names in by_seat(cards, 3, 1, range(8, 12)).items():
            assert p.hand(seat) == in_order(names)
            assert p.count(seat) == 12

    def test_the_pack(self):
        assert Counter(order_of(minus_two=False)) == dict.fromkeys(KIND_NAMES[:-1], 4)


class TestC38CutterWithoutMinusTwo:
    def test_three_cards_and_the_kept_one(self):
        cards = pack(3, last="clear", minus_two=False)
        p = before_deal(cards, dealer=0, players=3, minus_two=False).play("keep")
        names = by_seat([*cards[:-1], "?"], 3, 1, range(8, 12))[2]
        assert p.hand(2) == in_order([*names[:3], "clear"])
        assert [p.count(seat) for seat in range(3)] == [12, 12, 12]


class TestR35ExtraSet:
    def test_one_more_set_in_the_pack(self):
        assert Counter(order_of(players=3, extra_set=True)) == dict.fromkeys(KIND_NAMES, 4)

    def test_the_usual_deal(self):
        cards = pack(3, extra_set=True)
        p = dealt(cards, dealer=0, players=3, extra_set=True)
        for seat, names in by_seat(cards, 3, 1, range(8, 13)).items():
            assert p.hand(seat) == in_order(names)


class TestC39LeftOver:
    @pytest.mark.parametrize("choice", ["keep", "return"])
    @pytest.mark.parametrize(("minus_two", "left"), [(True, 13), (False, 12)])
    def test_how_many(self, choice, minus_two, left):
        options = {"extra_set": True, "minus_two": minus_two}
        cards = pack(3, last="clear", **options)
        p = before_deal(cards, dealer=0, players=3, **options).play(choice)
        assert sum(p.count(seat) for seat in range(3)) == len(cards) - left
        held = Counter(
            " ".join(
                p.hand(seat) + " " + p.open(seat) + " " + p.hidden(seat) for seat in range(3)
            ).split()
        )
        aside = cards[-left - 1 : -1] if choice == "keep" else cards[-left:]
        assert Counter(cards) - held == Counter(aside)


class TestC42CutCard:
    def test_it_is_the_last_card_of_the_pack(self):
        first = before_deal(pack(3, last="clear"), dealer=0, players=3).play("keep")
        second = before_deal(pack(3, last="-2"), dealer=0, players=3).play("keep")
        assert "clear" in first.hand(2)
        assert "-2" in second.hand(2)
