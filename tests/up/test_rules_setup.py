"""Set-up: sets, cut and deal. Tests bear the marks of RULES.md."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from tests.exact import starts
from tests.up.following import KIND_NAMES, PHASES, UP, Names
from tests.up.position import Position, before_deal, dealt, in_order, pack_of

pytestmark = pytest.mark.usefixtures("any_layout")

WITHOUT = {"minus_two": False}
EXTRA = {"extra_set": True}
SEATS = range(3)


def pack(players: int = 3, *, last: str = "7", **options: object) -> list[str]:
    """A pack in which the cards are well mixed and the last is as asked for."""
    names = pack_of(Position(players, options))
    mixed = [names[i * 5 % len(names)] for i in range(len(names))]
    assert Counter(mixed) == Counter(names)
    mixed.reverse()
    mixed.remove(last)
    return [*mixed, last]


def cut(choice: str, cards: list[str], dealer: int = 0, players: int = 3, **options: Any) -> Any:
    """Return a position after the cutter's choice."""
    return before_deal(cards, dealer=dealer, players=players, **options).play(choice)


def by_seat(cards: list[str], players: int, first: int, passes: range) -> dict[int, list[str]]:
    """Deal cards singly and clockwise, as the rules tell it."""
    seats = {seat: [] for seat in range(players)}
    for deal_pass in passes:
        for step in range(players):
            seats[(first + step) % players].append(cards[deal_pass * players + step])
    return seats


def piles(p: Position, seat: int) -> list[list[str]]:
    """Return what a seat has in hand, open and hidden."""
    return [pile.split() for pile in (p.hand(seat), p.open(seat), p.hidden(seat))]


def prepared(**options: object) -> Any:
    """Return what follows from options: the pack and its kinds."""
    return Plain(program_of(UP), UP.resolve(options)).o


@pytest.mark.parametrize(
    ("options", "kinds", "sets"),
    [
        *(({"players": players}, KIND_NAMES, players) for players in range(2, 11)),
        pytest.param(WITHOUT, KIND_NAMES[:-1], 4, id="[R34] without -2"),
        pytest.param(EXTRA, KIND_NAMES, 5, id="[R35] an extra set"),
    ],
)
def test_r1_a_set_for_each_player(options, kinds, sets):
    o = prepared(**options)
    order = o.order[: o.pack_size]
    assert Counter(Names(o.kind).of(card, False) for card in order) == dict.fromkeys(kinds, sets)
    assert sorted(o.in_play) == sorted(order)


def test_r2_equal_cards_of_all_colours_are_one_kind():
    for players in (4, 10):
        o = prepared(players=players)
        for card in o.in_play:
            same = {other for other in o.in_play if o.kind[other] == o.kind[card]}
            assert len(same) == players
            assert o.of_kind[o.kind[card]] & o.in_play == same


@pytest.mark.parametrize("dealer", SEATS)
def test_r3_singly_clockwise_beginning_left_of_the_dealer(dealer):
    cards = pack()
    p = dealt(cards, dealer=dealer, players=3)
    for step in range(3):
        assert p.hidden((dealer + 1 + step) % 3).split()[0] == cards[step]
    assert p.hidden(dealer).split() == cards[2:12:3]


@pytest.mark.parametrize(
    ("place", "passes", "options"),
    [
        pytest.param(Position.hidden, range(4), {}, id="[R4] hidden cards"),
        pytest.param(Position.open, range(4, 8), {}, id="[R5] open cards"),
        pytest.param(Position.hand, range(8, 13), {}, id="[R6] hands"),
        pytest.param(Position.hand, range(8, 12), WITHOUT, id="[R34] hands without -2"),
        pytest.param(Position.hand, range(8, 13), EXTRA, id="[R35] hands with an extra set"),
    ],
)
def test_what_is_dealt_in_which_passes(place, passes, options):
    cards = pack(**options)
    p = dealt(cards, dealer=1, players=3, **options)
    for seat, names in by_seat(cards, 3, 2, passes).items():
        assert place(p, seat) == (" ".join(names) if place is Position.hidden else in_order(names))
        assert p.count(seat) == (12 if options == WITHOUT else 13)


def test_r4_no_player_sees_hidden_cards():
    fields = program_of(UP).fields
    assert {fields[name].sees for name in ("lying", "top", "stock", "pack")} == {"hidden"}


@pytest.mark.parametrize("choice", ["keep", "return"])
def test_r6_everybody_has_thirteen_cards(choice):
    p = cut(choice, pack(last="clear"))
    for seat in SEATS:
        assert [len(pile) for pile in piles(p, seat)] == [5, 4, 4]
        assert p.count(seat) == 13


@pytest.mark.parametrize("deal_passes", [True, False])
def test_c1_the_deal_passes_clockwise_or_stays(deal_passes):
    plain = Position(4, {"deal_passes": deal_passes}).plain
    s = plain.start_match(1, 0)
    dealers = []
    for _ in range(6):
        plain.start_round(s)
        dealers.append(s.dealer)
    assert dealers == [(dealers[0] + i * deal_passes) % 4 for i in range(6)]


def test_c2_only_a_special_card_at_the_cut_is_asked_about():
    names, cards = Names(prepared(players=4).kind), set()
    for s in starts("up", {"players": 4}, 100):
        card = names.of(s.pack[51], False)
        cards.add(card)
        assert PHASES[s.phase] == ("CUT" if card in {"clear", "-2"} else "PLAY")
    assert len(cards) == 13


@pytest.mark.parametrize("card", ["-2", "clear"])
def test_c3_the_cut_card_may_be_kept_or_put_back_where_it_was(card):
    cards = pack(last=card)
    p = before_deal(cards, dealer=0, players=3)
    assert (p.seat, p.moves) == (2, {"keep", "return"})
    kept, put_back = cut("keep", cards), cut("return", cards)
    assert (kept.s.cut_kept, put_back.s.cut_kept) == (1, 0)
    assert put_back.hand(0) == in_order(by_seat(cards, 3, 1, range(8, 13))[0])
    assert card in put_back.hand(0).split()


@pytest.mark.parametrize("card", ["-2", "clear"])
def test_c42_the_cut_card_is_the_last_of_the_pack(card):
    assert card in cut("keep", pack(last=card)).hand(2).split()


def test_c6_nobody_knows_which_card_was_kept():
    assert not any(cut("keep", pack(last="-2")).s.known_hand)


@pytest.mark.parametrize(
    ("players", "dealer", "last", "options"),
    [
        pytest.param(4, 1, "-2", {}, id="[C5] only the last card is another"),
        pytest.param(3, 0, "clear", WITHOUT, id="[C38] three cards and the kept one"),
    ],
)
def test_the_cutter_who_keeps_a_card_is_passed_over(players, dealer, last, options):
    cards = pack(players, last=last, **options)
    kept = cut("keep", cards, dealer, players, **options)
    # The cutter sits last but one in a pass; after it only the dealer gets a card.
    passes = range(8, 12 if options else 13)
    hands = by_seat([*cards[:-1], "?"], players, dealer + 1, passes)
    hands[(dealer - 1) % players][-1], hands[dealer][-1] = last, cards[-2]
    for seat in range(players):
        assert kept.hand(seat) == in_order(hands[seat])
        assert kept.count(seat) == passes[-1] + 1


def test_c4_after_keeping_the_pack_comes_out_exactly():
    cards = pack(last="-2")
    p = cut("keep", cards)
    assert Counter(card for seat in SEATS for pile in piles(p, seat) for card in pile) == Counter(
        cards
    )


@pytest.mark.parametrize("choice", ["keep", "return"])
@pytest.mark.parametrize(("minus_two", "left"), [(True, 13), (False, 12)])
def test_c39_what_an_extra_set_leaves_over(choice, minus_two, left):
    options = {"extra_set": True, "minus_two": minus_two}
    cards = pack(last="clear", **options)
    p = cut(choice, cards, **options)
    held = Counter(card for seat in SEATS for pile in piles(p, seat) for card in pile)
    assert held.total() == sum(map(p.count, SEATS)) == len(cards) - left
    aside = cards[-left - 1 : -1] if choice == "keep" else cards[-left:]
    assert Counter(cards) - held == Counter(aside)
