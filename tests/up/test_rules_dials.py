"""House rules and dials, and what is refused. Rows bear the marks of RULES.md."""

from __future__ import annotations

from collections import Counter

import pytest

from simcore.batch import Cell
from simcore.errors import InputError
from simcore.games.up import rules as up
from simcore.games.up.options import cards_of_hand
from simcore.match import Match
from tests.players import RANDOM_PLAYER
from tests.up.following import UP, Names
from tests.up.position import dealt, pack_of, position
from tests.up.rows import Rows

DOUBLE = {"double_two": "always"}
LARGE = {"players": 10, "extra_set": True, "minus_two_cards": 4}


def states(options: dict[str, object], moves: int = 1000):
    """Yield the state before and after each of the first moves of a match at random, and names."""
    resolved = UP.resolve({"rounds": 1} | options)
    match = Match(Cell(UP, resolved, (RANDOM_PLAYER,) * resolved["players"], 3), 0)
    names = Names(match.plain.o.kind)
    for _, _ in zip(range(moves + 1), match.events(copies=False), strict=False):
        yield match.s, names


@pytest.mark.usefixtures("any_layout")
class TestHouseRules(Rows):
    rows = """
    [H2] six hidden cards
        are turned up | hand 3; hidden 11 10 9 8 7 6; tower 9
            | blind | tower = 9 6; hidden = 11 10 9 8 7; cap = 6
        and counted | hand 5; seat 1 hidden 11 10 9 8 7 6; players = 2 | 5, score | scores = 0 51
    [H5] points in force | hand 5; seat 1 hand -2 1; seat 1 hidden clear; players = 2;
            minus_two_points = 7; clear_points = 100
        they count          | | 5, score | scores = 0 108; clause points
        with the dirty one  | dirty_one = "always"; dirty_one_points = 3 | 5, score | scores = 0 110
        with the double two | double_two = "always" | 5, score | scores = 0 103
    [H5] points came into play when such a card was left | hand 5; minus_two_points = 3
        a minus two  | seat 1 hand -2    | 5, score | clause points
        a clear card | seat 1 hand clear | 5, score | no clause points
        a number     | seat 1 hand 11    | 5, score | no clause points
    [H6] credits | hand 5; seat 1 hand 4; players = 2; scores = (50, 0)
        who is out is credited | out_credit = 35 | 5, score | scores = 15 4
        at most to nothing     | out_credit = 60 | 5, score | scores = 0 4
    [H6] the second credit and an aborted match
        the second one instead | hidden -2; tower 9; scores = (500, 0, 0); blind_credit = 123
            | blind, score | scores 0 = 377; clause credit
        a match without rounds goes on
            | hand 5; players = 2; rounds = None; points_limit = 1000000; round_number = 999
            | 5, score | phase = ROUND_OVER; s.aborted = 0; s.winners = 0
        but a thousand
            | hand 5; players = 2; rounds = None; points_limit = 1000000; round_number = 1000
            | 5, score | phase = MATCH_OVER; s.aborted = 1; s.winners = 0
    [H7] any number of minus twos may collapse | minus_two_collapse = "any"
        as many as one likes | hand -2 -2 -2 9; open -2; tower 5
            | | moves = -2, -2 -2, -2 -2 -2, 9, open -2
        all are taken up with the tower | hand -2 -2 -2 9; tower 5
            | -2 -2 -2 | hand = 9 5 -2 -2 -2; seat = 0; collapses = 1; clause minus_two_collapse
        what the rule text lets be laid is no house rule | hand -2 9; tower 2
            | -2 | no clause minus_two_collapse
        they do not lead | hand -2 -2 9 | | moves = 9
    [H8] minus two leads | minus_two_lead = True
        as on a tower of eleven | hand -2 -2 -2 4 | | moves = -2, -2 -2, -2 -2 -2, 4
            | -2 -2 | cap = 7; tower = -2 -2; seat = 1; minus_twos = 2; clause minus_two_lead
        a hidden one stays | hand 4; hidden 5 -2 | blind | cap = 9; tower = -2; hand = 4; seat = 1
        the very last one ends the round with its credit | hidden -2; scores = (100, 0, 0)
            | blind | phase = ROUND_OVER; minus_twos = 1 | score | scores 0 = 20
        a last one from the hand goes out | hand -2; scores = (100, 0, 0)
            | -2, score | scores 0 = 90
        not by the rule text | hand -2 4; minus_two_lead = False | | moves = 4
    [H9] open cards may lead anew | restart_open = True; first_turn
        after a collapse | hand 9 clear 3; open 7 7; tower 2 | | may not open 7
            | 9        | may open 7; may open 7 7
            | open 7 7 | open =; seat = 1; clause restart_open
        after a clear card | hand 9 clear 3; open 7 7; tower 2 | | may not open 7
            | clear    | may open 7; may open 7 7
            | open 7 7 | open =; seat = 1; clause restart_open
        not by the rule text | hand 9 clear 3; open 7; tower 2; restart_open = False
            | 9 | may not open 7
        single cards bind the whole turn
            | hand 9 3; open 7 7; tower 2; multiples_in_first_lap = False
            | 9 | may open 7; may not open 7 7
        who must lead without a hand card passes | hand clear; open 7; tower 2; restart_open = False
            | clear, pass | seat = 1; phase = PLAY; open = 7; s.first_turn = 6
    [H10] four equal cards clear | four_clear = True
        laid by several | hand 7 7 3; seat 1 hand 7 7 2
            | 7 7, 7 7 | seat = 1; cap = 0; tower =; cleared = 7 7 7 7; four_clears = 1; clears = 0
            |          | clause four_clear
        a minus two breaks the row
            | hand 7 7 3; tower 7 7 5 5; cap = 7; seat 1 hand -2 2; seat 2 hand 5 5 1
            | 7 7, -2, 5 5 | four_clears = 0; cap = 5
        the last cards end the round | hand 7 7 7 7
            | 7 7 7 7 | phase = ROUND_OVER; four_clears = 1; cleared = 7 7 7 7
        with the double two a minus two is a two | hand 2 2 -2 -2 3; double_two = "always"
            | 2 2 2 2 | four_clears = 1; seat = 0
        a card that makes it collapse does not count | hand 7 2; tower 5 7 7 7; cap = 5; equal = 3
            | 7 | four_clears = 0; collapses = 1
        it is announced and leads on | hand 7 7 7 7 3; forget_last_card = 1.0
            | 7 7 7 7 | seat = 0; lost = 0
    """


@pytest.mark.parametrize(
    ("options", "hand", "lying"),
    [
        pytest.param({"hand_cards": 1}, 1, 4, id="[H1] as many as agreed on"),
        ({"hand_cards": 12, "table_cards": 1, "minus_two_cards": 3}, 12, 1),
        ({"minus_two": False}, 4, 4),
        pytest.param({"clear_cards": 0}, 4, 4, id="[H4] a card fewer without clear cards"),
        ({"clear_cards": 0, "minus_two_cards": 0}, 3, 4),
        ({"clear_cards": 0, "hand_cards": 4}, 4, 4),
        pytest.param({"table_cards": 1}, 5, 1, id="[H2] as many on the table as agreed on"),
        ({"table_cards": 2}, 5, 2),
        ({"table_cards": 6, "hand_cards": 1}, 1, 6),
    ],
)
def test_how_many_cards_are_dealt(options, hand, lying):
    s = next(s for s, _ in states(options) if s.phase == up.PLAY)
    for seat in range(4):
        assert len(s.hand[seat]) == hand
        assert len(s.open_cards[seat]) == s.hidden_cards[seat] == lying
    assert cards_of_hand(UP.resolve(options)) == hand


def test_h1_who_kept_a_card_is_dealt_one_fewer():
    cards = pack_of(position(players=3, hand_cards=2))
    cards.remove("clear")
    p = dealt([*cards, "clear"], dealer=0, players=3, hand_cards=2)
    kept = dealt([*cards, "clear"], dealer=0, players=3, hand_cards=2, keep=True)
    assert len(p.hand(2).split()) == len(kept.hand(2).split()) == 2
    assert "clear" in kept.hand(2)
    assert p.hand(1) == kept.hand(1)


@pytest.mark.parametrize("players", [2, 4, 5, 10])
@pytest.mark.parametrize(("twos", "clears"), [(0, 1), (2, 1), (4, 1), (1, 4), (3, 3), (4, 3)])
def test_h3_cards_of_each_kind_are_kept(players, twos, clears):
    options = {"players": players, "minus_two_cards": twos, "clear_cards": clears}
    of_a_set = {str(value): 1 for value in range(1, 12)} | {"-2": twos, "clear": clears}
    pack = Counter({name: count * players for name, count in of_a_set.items() if count})
    for s, names in states(options, 25):
        everywhere = (s.tower, s.cleared, *s.hand, *s.open_cards, *s.lying)
        cards = Counter(names.of(card, False) for place in everywhere for card in place)
        if s.phase == up.PLAY:
            assert cards <= pack
            assert pack.total() - cards.total() in {0, players * (11 + twos + clears - 13)}


def test_h3_no_minus_two_cards_is_the_game_without_them():
    assert UP.resolve({"minus_two_cards": 0})["minus_two"] is False
    assert UP.resolve({"minus_two": False})["minus_two_cards"] == 0


DIRTY = (
    "option dirty_one = {} is refused with scoring = {}: no card counts its value, so no 1 can "
    "count 30; allowed: dirty_one = off, or scoring = points"
)
TOO_FEW = (
    "option hand_cards = 6 is refused with table_cards = 4: 4 players need 56 cards, and the pack "
    "has 52; allowed: at most 13 for each, or more cards by extra_set, minus_two_cards or "
    "clear_cards"
)
NO_VALUES = "there are no card values and no credits"
REFUSED = [
    ({"players": 1}, "players"),
    ({"players": 11}, "players"),
    ({"scoring": "matches", "points_limit": 300}, "points_limit"),
    ({"rounds": None}, "rounds"),
    ({"minus_two": False, "double_two": "forehand"}, "double_two"),
    *(
        (
            {"dirty_one": dirty_one, "scoring": scoring},
            DIRTY.format(dirty_one, scoring),
        )
        for dirty_one in ("always", "forehand")
        for scoring in ("cards", "matches")
    ),
    ({"hand_cards": 6}, TOO_FEW),
    ({"table_cards": 5}, "option table_cards = 5 is refused: 4 players"),
    (
        {"minus_two": False, "minus_two_cards": 2},
        "option minus_two_cards = 2 is refused with minus_two = ",
    ),
    (
        {"minus_two": True, "minus_two_cards": 0},
        "option minus_two_cards = 0 is refused with minus_two = ",
    ),
    # The double two is refused by the option that was typed.
    (DOUBLE | {"minus_two_cards": 0}, "option minus_two_cards = 0 is refused"),
    (DOUBLE | {"minus_two_cards": 0}, "double_two = off, or minus_two_cards = 1…4"),
    (DOUBLE | {"minus_two": False}, "option minus_two = false is refused"),
    (DOUBLE | {"minus_two": False}, "double_two = off, or minus_two = true"),
    (LARGE | {"clear_cards": 4}, "209 cards are more than the records hold"),
    *(
        ({name: 5, "scoring": scoring}, NO_VALUES)
        for name in ("minus_two_points", "clear_points", "dirty_one_points", "out_credit")
        for scoring in ("cards", "matches")
    ),
]


@pytest.mark.parametrize(("options", "words"), REFUSED)
def test_what_is_refused(options, words):
    with pytest.raises(InputError) as refusal:
        UP.resolve(options)
    assert words in str(refusal.value)


@pytest.mark.parametrize(
    "options",
    [
        {"hand_cards": 6, "extra_set": True},
        LARGE | {"clear_cards": 3},
        {"minus_two_points": 20, "clear_points": 50, "dirty_one_points": 30, "scoring": "cards"},
        {"out_credit": 10, "scoring": "matches"},
    ],
)
def test_what_is_allowed(options):
    resolved = UP.resolve(options)
    assert all(resolved[name] == value for name, value in options.items())
