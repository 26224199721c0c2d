"""House rules and dials of Up or down? in positions laid by hand, for the referee alone."""

from __future__ import annotations

import pytest

from tests.referee.upordown import Column, Options, UpOrDownReferee


def placing(card, *columns, **options):
    """Return a referee whose seat 0 has these columns and is about to place a card."""
    referee = UpOrDownReferee(options, 0)
    referee.displays[0] = [Column(list(cards)) for cards in columns]
    referee.taken = card
    referee.phase = "PLACE"
    return referee


def dealt(**options):
    """Return a referee after a deal of the cards in order, seat 1 to start."""
    referee = UpOrDownReferee(options, 1)
    deck, rules = referee.full_deck(), referee.options
    hands = [[deck.pop() for _ in range(rules.hand_cards)] for _ in range(rules.players)]
    circle = [deck.pop() for _ in range(rules.circle)]
    face_down = [deck.pop() for _ in range(referee.pile_sizes()[0])]
    referee.deal(hands, circle, face_down, deck)
    return referee


def display(referee):
    return [column.cards for column in referee.displays[0]]


class TestDeal:
    @pytest.mark.parametrize(
        ("options", "draw_cards", "turns"),
        [
            ({"players": 2}, 42, [24, 24]),
            ({"players": 3, "hand_cards": 2, "circle": 5}, 67, [24, 25, 24]),
            ({"players": 4, "hand_cards": 1, "circle": 8, "highest_card": 12}, 0, [1, 1, 1, 1]),
            ({"players": 3, "hand_cards": 1, "circle": 2, "highest_card": 13}, 8, [3, 4, 4]),
        ],
    )
    def test_who_is_first_has_the_turns_that_do_not_divide(self, options, draw_cards, turns):
        referee = dealt(**options)
        assert referee.options.draw_cards == draw_cards
        had = [0] * referee.players
        while referee.phase != "MATCH_OVER":
            had[referee.on_turn] += referee.phase == "CARD"
            referee.apply(referee.legal_moves()[0])
            referee.check()
        assert had == turns
        assert len(referee.history) == max(turns)

    @pytest.mark.parametrize(
        "options",
        [
            {"players": 6, "hand_cards": 8, "highest_card": 53},
            {"circle": 13},
            {"hand_cards": 0},
            {"scoring": "length"},
            {"scoring": "length", "discard_points": 11},
        ],
    )
    def test_what_cannot_be_dealt_or_scored_is_refused(self, options):
        with pytest.raises(ValueError, match=r"highest_card|circle|wherever|discard_points"):
            Options(**options)


class TestInsert:
    @pytest.mark.parametrize(
        ("insert", "fits"), [("end", [0]), ("both_ends", [0, 3]), ("anywhere", [0, 1, 2, 3])]
    )
    def test_what_fits(self, insert, fits):
        columns = [40], [20, 30, 50], [60, 35, 10], [50, 60]
        referee = placing(45, *columns, insert=insert, columns=4)
        moves = referee.legal_moves()
        assert [move[1] for move in moves if move[0] == "append"] == fits

    @pytest.mark.parametrize(
        ("column", "card", "after"),
        [
            ([40], 45, [40, 45]),
            ([40], 35, [40, 35]),
            ([40, 50], 45, [40, 45, 50]),
            ([40, 50], 35, [35, 40, 50]),
            ([50, 40], 45, [50, 45, 40]),
            ([50, 40], 60, [60, 50, 40]),
            ([50, 40], 30, [50, 40, 30]),
        ],
    )
    def test_where_it_goes(self, column, card, after):
        referee = placing(card, column, insert="anywhere")
        referee.apply(("append", 0))
        assert display(referee) == [after]

    def test_at_the_other_end_the_direction_stands(self):
        referee = placing(35, [40, 50], insert="both_ends")
        referee.apply(("append", 0))
        assert display(referee) == [[35, 40, 50]]


class TestGiveUp:
    @pytest.mark.parametrize(
        ("columns", "card", "moves"),
        [
            ([[40]], 45, [("append", 0), ("new",)]),
            ([[40, 50]], 45, [("new",)]),
            ([[40, 50], [60, 50]], 45, [("append", 1)]),
            ([[40, 50], [60, 70]], 45, [("give_up", 0), ("give_up", 1)]),
        ],
    )
    def test_only_when_there_is_no_other_place(self, columns, card, moves):
        assert placing(card, *columns, columns=2, give_up="forced").legal_moves() == moves


class TestScoring:
    @pytest.mark.parametrize(
        ("options", "points"),
        [
            ({}, 2 * 3 + 1),
            ({"scoring": "length", "discard_points": 0}, 3),
            ({"scoring": "colour"}, 2 * 2 + 1),
            ({"discard_points": -10}, 2 * 3 - 10),
        ],
    )
    def test_a_column_and_a_discard(self, options, points):
        referee = placing(13, [1, 2], **options)
        referee.discards[0] = [30]
        referee.apply(("append", 0))
        assert referee.totals[0] == points
