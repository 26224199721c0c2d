"""Set-up: cards, colours, deal, circle and piles. Test classes bear the marks of RULES.md."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from simcore.batch import Cell, play
from simcore.errors import InputError
from simcore.games.upordown import words
from simcore.games.upordown.colours import CYCLE, cyclic_colours, parse_colours
from tests.players import RANDOM_PLAYER
from tests.upordown.following import UPORDOWN
from tests.upordown.position import Position

CARDS = {2: 54, 3: 78, 4: 102, 5: 126, 6: 126}


def dealt(players, **options):
    return Position(players, options)


def colour(p, card):
    return words.card_name(p.s, card).rpartition(" ")[0]


class TestR1Colours:
    def test_six_colours_equally_many(self):
        assert len(cyclic_colours()) == 126
        assert set(Counter(cyclic_colours()).values()) == {21}

    @pytest.mark.parametrize("players", CARDS)
    def test_equally_many_in_play(self, players):
        p = dealt(players)
        counts = Counter(colour(p, card) for card in range(1, CARDS[players] + 1))
        assert counts == dict.fromkeys(CYCLE, CARDS[players] // 6)

    def test_colours_as_card_sets(self):
        found = dealt(4).plain.values["of_colour"]
        for number, name in enumerate(CYCLE):
            cards = [card for card in range(1, 127) if cyclic_colours()[card - 1] == name]
            assert sorted(found[number]) == cards


class TestC1ColourTable:
    def test_in_turn_from_card_1(self):
        p = dealt(6)
        for card, name in ((1, "yellow"), (2, "red"), (3, "blue"), (4, "pink"), (5, "purple")):
            assert colour(p, card) == colour(p, card + 6) == colour(p, card + 120) == name
        assert colour(p, 6) == colour(p, 126) == "teal"

    def test_from_a_file(self, tmp_path):
        file = tmp_path / "colours.txt"
        names = ["rot", "grün"] * 60 + ["dark blue"] * 6
        file.write_text("\r\n".join(names) + "\r\n\r\n", encoding="utf-8")
        p = dealt(6, colours=str(file))
        assert len(p.plain.values["of_colour"]) == 3
        assert [colour(p, card) for card in (1, 2, 120, 121)] == [
            "rot",
            "grün",
            "grün",
            "dark blue",
        ]
        assert p.clause("colours")

    @pytest.mark.parametrize(
        ("lines", "reason"),
        [
            ([*cyclic_colours()[:125]], "line 126 is missing"),
            ([], "line 1 is missing"),
            ([*cyclic_colours(), "red"], "line 127 is one too many: 'red'"),
            ([*cyclic_colours()[:6], " ", *cyclic_colours()[7:]], "line 7 is empty"),
            (["red"] * 126, "all name 'red'"),
            ([f"c{i % 13}" for i in range(126)], "line 13 names a colour number 13, 'c12'"),
            ([*cyclic_colours()[:125], "x" * 41], "line 126 is longer than 40"),
            ([*cyclic_colours()[:125], "a\tb"], "line 126 holds a character"),
        ],
    )
    def test_wrong_files_are_refused_with_line_and_reason(self, tmp_path, lines, reason):
        file = tmp_path / "colours.txt"
        file.write_text("\n".join(lines), encoding="utf-8")
        with pytest.raises(InputError) as caught:
            dealt(2, colours=str(file))
        assert reason in str(caught.value)
        assert "option colours" in str(caught.value)

    def test_two_to_twelve_names(self):
        for count in (2, 12):
            assert len(set(parse_colours("\n".join(f"c{i % count}" for i in range(126))))) == count


class TestR2CardsInPlay:
    @pytest.mark.parametrize("players", CARDS)
    def test_all_are_dealt_once(self, players):
        p = dealt(players)
        assert sorted(list(p.s.order)[1 : CARDS[players] + 1]) == [*range(1, CARDS[players] + 1)]
        assert p.card_count == CARDS[players]

    def test_two_to_six_players(self):
        for players in (1, 7):
            with pytest.raises(InputError):
                UPORDOWN.resolve({"players": players})

    def test_every_card_is_as_likely_everywhere(self):
        p = dealt(2)
        counts = np.zeros((55, 55))
        for match in range(1080):
            s = p.plain.start_match(7, match)
            p.plain.start_round(s)
            counts[np.arange(1, 55), list(s.order)[1:55]] += 1
        chi_square = ((counts[1:, 1:] - 20) ** 2 / 20).sum()
        # 53 × 53 degrees of freedom; 5.5 standard deviations.
        assert abs(chi_square - 53 * 53) < 5.5 * (2 * 53 * 53) ** 0.5

    def test_the_deal_does_not_depend_on_options(self):
        decks = [list(dealt(4, **o).s.order) for o in ({}, {"columns": 1}, {"open_pile": False})]
        assert decks[0] == decks[1] == decks[2]


class TestR3Hands:
    @pytest.mark.parametrize("players", CARDS)
    def test_three_cards_each(self, players):
        p = dealt(players)
        assert [len(hand) for hand in p.s.hand] == [3] * players


class TestR4Circle:
    def test_six_cards_in_order(self):
        assert len(dealt(4).s.circle) == 6


class TestR5Piles:
    def test_two_piles(self):
        assert list(dealt(4).s.pile_cards) == [42, 42]
        assert dealt(4).phase == "CARD"


class TestC2OddRest:
    @pytest.mark.parametrize(
        ("players", "face_up", "face_down"),
        [(2, 21, 21), (3, 31, 32), (4, 42, 42), (5, 52, 53), (6, 51, 51)],
    )
    def test_the_face_down_pile_gets_the_card_more(self, players, face_up, face_down):
        assert list(dealt(players).s.pile_cards) == [face_up, face_down]


class TestC3FaceUpPile:
    def test_only_the_top_card_is_seen(self):
        p = dealt(4)
        assert p.s.face_up_card == p.s.order[42]

    def test_none_when_both_lie_face_down(self):
        assert dealt(4, open_pile=False).s.face_up_card == 0

    def test_in_the_clauses_of_a_match(self):
        for value, bit in ((True, 0), (False, 1)):
            resolved = UPORDOWN.resolve({"open_pile": value})
            block = play(Cell(UPORDOWN, resolved, (RANDOM_PLAYER,) * 4, 1), 0, 5)
            assert (block.columns()["clauses"] >> 2 & 1 == bit).all()


class TestC4StartPlayer:
    @pytest.mark.whole_but("4")
    @pytest.mark.parametrize("players", CARDS)
    def test_each_as_likely(self, players):
        cell = Cell(UPORDOWN, UPORDOWN.resolve({"players": players}), (RANDOM_PLAYER,) * players, 5)
        block = play(cell, 0, 6000)
        counts = np.bincount(block.first_seat, minlength=players)
        assert len(counts) == players
        expected = 6000 / players
        assert (abs(counts - expected) < 5.5 * expected**0.5).all()
