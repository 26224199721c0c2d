"""House rules and dials. Test classes bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from simcore.compiler.state import ROUND_OVER
from simcore.errors import InputError
from tests.upordown.following import UPORDOWN
from tests.upordown.position import Position, placing, position

CIRCLE = "10 20 30 40 50 52"
PILES = {"face_up": "3 4", "face_down": "5 6"}


def refusal(**options):
    """Return with what words options are refused."""
    with pytest.raises(InputError) as told:
        UPORDOWN.resolve(options)
    assert "\n" not in str(told.value)
    return str(told.value)


def all_cards(p):
    """List every card of a position, wherever it is."""
    cards = [int(card) for card in p.circle.split()]
    cards += list(p.s.taken)
    for seat in range(len(p.s.hand)):
        cards += list(p.s.hand[seat])
        cards += [int(card) for column in p.columns(seat) for card in column.split()]
    for pile in range(2):
        cards += p.pile(pile)
    return cards


class TestH1HandCards:
    @pytest.mark.parametrize("hand", [1, 2, 7, 8])
    def test_everybody_is_dealt_so_many(self, hand):
        p = Position(3, {"hand_cards": hand})
        assert [len(p.hand(seat).split()) for seat in range(3)] == [hand] * 3
        assert sum(p.s.pile_cards) == 78 - 6 - 3 * hand
        assert p.clause("hand_cards")

    def test_a_full_hand_is_laid_and_drawn_in_order(self):
        p = position(hand="11 12 13 14 15 16 17 18", hand_cards=8, **PILES)
        assert p.listed == ["11", "12", "13", "14", "15", "16", "17", "18"]
        assert p.copy().play("11").hand() == "12 13 14 15 16 17 18"
        assert p.play("18").hand() == "11 12 13 14 15 16 17"
        last = position(hand="11 12 13 14 15 16 17 18", hand_cards=8, circle=CIRCLE,
                        face_up="53 4", face_down="5 6")  # fmt: skip
        assert last.play("18", "upper", "new", "face up").hand() == "11 12 13 14 15 16 17 53"

    def test_a_single_card_is_laid_without_a_choice(self):
        p = Position(2, {"hand_cards": 1}).finish()
        assert p.metric("turns") == 48
        assert p.hand() == ""

    def test_with_as_many_as_are_dealt_each_plays_the_hand(self):
        p = Position(2, {"hand_cards": 8, "circle": 2, "highest_card": 18})
        assert list(p.s.pile_cards) == [0, 0]
        p.finish()
        assert p.metric("turns") == 16

    def test_refused_if_the_cards_do_not_suffice(self):
        told = refusal(players=4, hand_cards=8, highest_card=30)
        assert "highest_card = 30 is refused" in told
        assert "38 cards are dealt" in told
        assert "allowed: highest_card 38…126, or hand_cards 1…6" in told
        assert UPORDOWN.resolve({"players": 4, "hand_cards": 6, "highest_card": 30})


class TestH2Circle:
    @pytest.mark.parametrize("cards", [2, 5, 7, 12])
    def test_so_many_cards_in_order(self, cards):
        p = Position(4, {"circle": cards})
        circle = [int(card) for card in p.circle.split()]
        assert len(circle) == cards
        assert circle == sorted(circle)
        p.finish()
        assert len(p.circle.split()) == cards
        assert p.metric("turns") == 102 - cards

    @pytest.mark.parametrize(
        ("circle", "card", "side", "taken", "after"),
        [
            ("10 20", 15, "lower", 10, "15 20"),
            ("10 20", 15, "upper", 20, "10 15"),
            ("10 20", 5, "lower", 20, "5 10"),
            ("10 20", 5, "upper", 10, "5 20"),
            ("10 20", 25, "lower", 20, "10 25"),
            ("10 20", 25, "upper", 10, "20 25"),
            ("1 10 20 63 64 65 90", 62, "lower", 20, "1 10 62 63 64 65 90"),
            ("1 10 20 63 64 65 90", 62, "upper", 63, "1 10 20 62 64 65 90"),
            ("1 10 20 62 64 65 90", 63, "lower", 62, "1 10 20 63 64 65 90"),
            ("1 10 20 62 64 65 90", 63, "upper", 64, "1 10 20 62 63 65 90"),
            ("1 10 20 62 63 65 90", 64, "lower", 63, "1 10 20 62 64 65 90"),
            ("2 10 20 62 64 65 90", 1, "lower", 90, "1 2 10 20 62 64 65"),
            ("2 10 20 62 64 65 90", 1, "upper", 2, "1 10 20 62 64 65 90"),
            ("2 10 20 62 64 65 90", 126, "lower", 90, "2 10 20 62 64 65 126"),
            ("2 10 20 62 64 65 90", 126, "upper", 2, "10 20 62 64 65 90 126"),
            ("1 2 3 4 5 6 7 8 9 10 11 12", 40, "upper", 1, "2 3 4 5 6 7 8 9 10 11 12 40"),
        ],
    )
    def test_a_neighbour_is_taken(self, circle, card, side, taken, after):
        p = position(hand=f"{card} 54", circle=circle, players=5, **PILES).play(str(card), side)
        assert p.s.taken_card == taken
        assert p.circle == after

    def test_refused_if_the_cards_do_not_suffice(self):
        told = refusal(players=6, circle=12, highest_card=12)
        assert told.endswith("30 cards are dealt; allowed: highest_card 30…126")


class TestH3HighestCard:
    @pytest.mark.parametrize("highest", [24, 61, 126])
    def test_the_cards_from_1_on_are_in_play(self, highest):
        p = Position(3, {"highest_card": highest})
        assert sorted(all_cards(p)) == list(range(1, highest + 1))
        assert p.clause("highest_card")

    def test_none_is_by_players(self):
        assert [Position(players, {}).card_count for players in range(2, 7)] == [
            *(54, 78, 102),
            *(126, 126),
        ]

    @pytest.mark.parametrize("value", [11, 127, 0])
    def test_refused_beyond_its_bounds(self, value):
        assert "allowed: a whole number 12…126, or none" in refusal(highest_card=value)


class TestH4Insert:
    @pytest.mark.parametrize(
        ("column", "card", "end", "both_ends"),
        [
            ("20 30", 10, False, True),
            ("20 30", 25, False, False),
            ("20 30", 40, True, True),
            ("30 20", 40, False, True),
            ("30 20", 10, True, True),
            ("30 20", 25, False, False),
            ("20", 10, True, True),
            ("20", 40, True, True),
        ],
    )
    def test_where_a_card_fits(self, column, card, end, both_ends):
        for insert, fits in (("end", end), ("both_ends", both_ends), ("anywhere", True)):
            moves = placing(card, column, insert=insert).listed
            assert ("append 1" in moves) == fits, insert
            assert moves.count("append 1") <= 1

    @pytest.mark.parametrize(
        ("insert", "column", "card", "after", "inserted"),
        [
            ("both_ends", "20 30", 10, "10 20 30", True),
            ("both_ends", "20 30", 40, "20 30 40", False),
            ("both_ends", "30 20", 40, "40 30 20", True),
            ("both_ends", "30 20", 10, "30 20 10", False),
            ("both_ends", "20", 10, "20 10", False),
            ("anywhere", "20 30", 25, "20 25 30", True),
            ("anywhere", "30 20", 25, "30 25 20", True),
            ("anywhere", "20 30 40", 10, "10 20 30 40", True),
            ("anywhere", "40 30 20", 45, "45 40 30 20", True),
            ("anywhere", "40 30 20", 35, "40 35 30 20", True),
            ("anywhere", "20 30", 40, "20 30 40", False),
            ("anywhere", "20", 10, "20 10", False),
        ],
    )
    def test_where_it_goes(self, insert, column, card, after, inserted):
        p = placing(card, column, insert=insert).play("append 1")
        assert p.columns() == [after]
        assert p.clause("insert") == inserted

    def test_it_scores_as_ever(self):
        p = placing(1, "7 13", insert="both_ends").play("append 1")
        assert p.scores[0] == 9
        p = placing(8, "7 13", insert="anywhere").play("append 1")
        assert p.scores[0] == 6

    def test_with_both_ends_a_column_goes_on_at_both(self):
        p = placing(10, "20 30", insert="both_ends").play("append 1")
        for card, fits in ((9, True), (11, False), (29, False), (31, True)):
            assert ("append 1" in placing(card, *p.columns(), insert="both_ends").moves) == fits


class TestC24Order:
    def test_the_second_card_lies_after_the_first(self):
        for insert in ("both_ends", "anywhere"):
            assert placing(10, "20", insert=insert).play("append 1").columns() == ["20 10"]

    def test_and_settles_the_way_for_good(self):
        p = placing(25, "20 10", insert="anywhere").play("append 1")
        assert p.columns() == ["25 20 10"]


class TestH5DiscardPoints:
    @pytest.mark.parametrize("points", [-10, 0, 1, 10])
    def test_what_each_card_given_up_scores(self, points):
        p = placing(10, "20 30 40", "5", discard_points=points)
        assert p.scores[0] == 3 + 1
        p.play("give up 1")
        assert p.scores[0] == 3 * points + 1 + 1
        assert p.discards() == 3

    def test_it_comes_into_play_with_a_card_given_up(self):
        for move, happens in (("give up 1", True), ("append 1", False)):
            p = placing(45, "20 30 40", "5", discard_points=0).play(move)
            p.plain.finish_match(p.s)
            assert p.clause("discard_points") == happens

    def test_scores_may_be_negative_and_the_least_negative_leads(self):
        p = Position(2, {"discard_points": -10, "columns": 1}).finish()
        scores = [p.scores[seat] for seat in range(2)]
        best = max(scores)
        assert max(scores) < 0
        assert p.s.winners == sum(1 << s for s in range(2) if scores[s] == best)


class TestH6GiveUp:
    def test_only_by_force(self):
        fits = {"free": ["append 1", "give up 1", "give up 2"], "forced": ["append 1"]}
        for give_up, moves in fits.items():
            assert placing(40, "20 30", "9 8", columns=2, give_up=give_up).listed == moves

    def test_if_it_fits_nowhere_any_column(self):
        p = placing(10, "20 30", "8 7", columns=2, give_up="forced")
        assert p.listed == ["give up 1", "give up 2"]

    def test_not_while_a_place_is_free(self):
        assert placing(10, "20 30", columns=2, give_up="forced").listed == ["new"]
        p = placing(40, "20 30", columns=2, give_up="forced")
        assert p.listed == ["append 1", "new"]

    def test_never_where_every_card_fits(self):
        p = placing(25, "20 30", columns=1, give_up="forced", insert="anywhere")
        assert p.listed == ["append 1"]


class TestH7Scoring:
    @pytest.mark.parametrize(
        ("scoring", "points"), [("colour_times_length", 12), ("length", 4), ("colour", 9)]
    )
    def test_what_a_column_scores(self, scoring, points):
        p = position(display=["1 7 13 14"], scoring=scoring, discard_points=2)
        assert p.scores[0] == points
        assert p.points(0, 0) == points
        p.plain.finish_match(p.s)
        assert p.metric("best_column") == points

    def test_a_column_given_up_loses_them(self):
        p = placing(10, "1 7 13 14", scoring="colour", columns=1).play("give up 1")
        assert p.scores[0] == 4 + 1

    def test_length_is_refused_where_every_card_counts_one(self):
        told = refusal(scoring="length")
        assert "scoring = 'length' is refused with discard_points = 1" in told
        assert "allowed: another discard_points (-10…0, 2…10)" in told
        assert UPORDOWN.resolve({"scoring": "length", "discard_points": 0})


class TestC23TurnsLeftOver:
    @pytest.mark.parametrize(("highest", "turns"), [(24, 18), (25, 19), (26, 20)])
    def test_the_first_seats_have_a_turn_more(self, highest, turns):
        p = Position(3, {"highest_card": highest}).finish()
        assert p.metric("turns") == turns
        for seat in range(3):
            assert p.placed(seat) == 6 + (seat < turns - 18)

    def test_a_lap_cut_short_counts(self):
        p = Position(3, {"highest_card": 25}).finish()
        assert p.s.laps == 7


class TestC25ManyColours:
    def test_a_file_that_cannot_be_counted_is_refused(self, tmp_path):
        file = tmp_path / "colours.txt"
        file.write_text("\n".join(["many"] * 115 + [f"one {n}" for n in range(11)]))
        given = {"colours": str(file), "players": 2, "highest_card": 126, "circle": 2}
        told = refusal(**given)
        assert "with 62 turns of a player" in told
        assert "allowed: at most 10 colours" in told
        assert UPORDOWN.resolve(given | {"players": 5})

    def test_of_twelve_as_many_as_there_may_be(self, tmp_path):
        file = tmp_path / "colours.txt"
        file.write_text("\n".join(["many"] * 30 + [f"one {n % 11}" for n in range(96)]))
        column = " ".join(map(str, range(1, 31)))
        p = position(display=[column, "31 32 33"], colours=str(file))
        assert p.scores[0] == 900 + 3


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2, "circle": 12, "hand_cards": 8, "insert": "anywhere"},
        {"players": 3, "circle": 2, "hand_cards": 1, "insert": "both_ends", "give_up": "forced"},
        {"players": 6, "highest_card": 60, "circle": 7, "discard_points": -3},
    ],
)
def test_cards_are_conserved_after_every_move(options):
    p = Position(int(options["players"]), options)
    cards = p.card_count
    step = 0
    while p.s.phase != ROUND_OVER:
        given_up = sum(map(len, p.s.discards))
        assert len(set(all_cards(p))) == len(all_cards(p)) == cards - given_up
        moves = p.plain.moves(p.s)
        p.plain.apply(p.s, moves[step * 7 % len(moves)])
        step += 1
