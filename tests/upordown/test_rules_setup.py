"""Set-up: cards, colours, deal, circle and piles. Tests bear the marks of RULES.md."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from simcore.batch import Cell, play
from simcore.catalogue import get_game
from simcore.errors import InputError
from simcore.games.upordown.colours import CYCLE, cyclic_colours, parse_colours
from simcore.narration.teller import Teller
from tests.players import RANDOM_PLAYER
from tests.upordown.following import UPORDOWN
from tests.upordown.position import Position

words = Teller(get_game("upordown"))
CARDS = {2: 54, 3: 78, 4: 102, 5: 126, 6: 126}


def dealt(players: int, **options: object) -> Position:
    return Position(players, options)


def colour(p: Position, card: int) -> str:
    return words.card(p.s, card).rpartition(" ")[0]


def test_r1_six_colours_equally_many():
    assert Counter(cyclic_colours()) == dict.fromkeys(CYCLE, 21)


@pytest.mark.parametrize("players", CARDS)
def test_r1_equally_many_in_play(players):
    p = dealt(players)
    counts = Counter(colour(p, card) for card in range(1, CARDS[players] + 1))
    assert counts == dict.fromkeys(CYCLE, CARDS[players] // 6)


def test_r1_colours_as_card_sets():
    of_colour = dealt(4).plain.values["of_colour"]
    for number, name in enumerate(CYCLE):
        cards = [card for card in range(1, 127) if cyclic_colours()[card - 1] == name]
        assert sorted(of_colour[number]) == cards


def test_c1_colours_in_turn_from_card_1():
    p = dealt(6)
    for card, name in enumerate(("yellow", "red", "blue", "pink", "purple", "teal"), start=1):
        assert colour(p, card) == colour(p, card + 6) == colour(p, card + 120) == name


def test_c1_colours_from_a_file(tmp_path):
    file = tmp_path / "colours.txt"
    names = ["rot", "grün"] * 60 + ["dark blue"] * 6
    file.write_text("\r\n".join(names) + "\r\n\r\n", encoding="utf-8")
    p = dealt(6, colours=str(file))
    assert len(p.plain.values["of_colour"]) == 3
    assert [colour(p, card) for card in (1, 2, 120, 121)] == ["rot", "grün", "grün", "dark blue"]
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
def test_c1_wrong_files_are_refused_with_line_and_reason(tmp_path, lines, reason):
    file = tmp_path / "colours.txt"
    file.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError) as refusal:
        dealt(2, colours=str(file))
    assert reason in str(refusal.value)
    assert "option colours" in str(refusal.value)


@pytest.mark.parametrize("count", [2, 12])
def test_c1_two_to_twelve_names(count):
    assert len(set(parse_colours("\n".join(f"c{i % count}" for i in range(126))))) == count


@pytest.mark.parametrize("players", CARDS)
def test_r2_all_cards_are_dealt_once(players):
    p = dealt(players)
    assert sorted(list(p.s.order)[1 : CARDS[players] + 1]) == [*range(1, CARDS[players] + 1)]
    assert p.card_count == CARDS[players]


@pytest.mark.parametrize("players", CARDS)
def test_r3_three_cards_each(players):
    assert [len(hand) for hand in dealt(players).s.hand] == [3] * players


def test_r4_six_cards_in_the_circle():
    p = dealt(4)
    assert len(p.s.circle) == 6
    assert p.phase == "CARD"


@pytest.mark.parametrize(
    ("players", "face_up", "face_down"),
    [
        pytest.param(4, 42, 42, id="[R5] two piles"),
        pytest.param(3, 31, 32, id="[C2] the face-down pile gets the card more"),
        (2, 21, 21),
        (5, 52, 53),
        (6, 51, 51),
    ],
)
def test_how_many_cards_the_piles_get(players, face_up, face_down):
    assert list(dealt(players).s.pile_cards) == [face_up, face_down]


def test_r2_every_card_is_as_likely_everywhere():
    p = dealt(2)
    counts = np.zeros((55, 55))
    for match in range(540):
        s = p.plain.start_match(7, match)
        p.plain.start_round(s)
        counts[np.arange(1, 55), list(s.order)[1:55]] += 1
    chi_square = ((counts[1:, 1:] - 10) ** 2 / 10).sum()
    # 53 × 53 degrees of freedom; 5.5 standard deviations.
    assert abs(chi_square - 53 * 53) < 5.5 * (2 * 53 * 53) ** 0.5


def test_r2_the_deal_does_not_depend_on_options():
    decks = [list(dealt(4, **o).s.order) for o in ({}, {"columns": 1}, {"open_pile": False})]
    assert decks[0] == decks[1] == decks[2]


def test_c3_only_the_top_card_of_the_face_up_pile_is_seen():
    p = dealt(4)
    assert p.s.face_up_card == p.s.order[42]


@pytest.mark.parametrize("open_pile", [True, False])
def test_c3_none_is_seen_when_both_piles_lie_face_down(open_pile):
    assert (dealt(4, open_pile=open_pile).s.face_up_card > 0) == open_pile
    resolved = UPORDOWN.resolve({"open_pile": open_pile})
    columns = play(Cell(UPORDOWN, resolved, (RANDOM_PLAYER,) * 4, 1), 0, 5).columns()
    assert (columns["clauses"] >> 2 & 1 == (not open_pile)).all()


@pytest.mark.whole_but("4")
@pytest.mark.parametrize("players", CARDS)
def test_c4_each_player_is_as_likely_to_start(players):
    cell = Cell(UPORDOWN, UPORDOWN.resolve({"players": players}), (RANDOM_PLAYER,) * players, 5)
    counts = np.bincount(play(cell, 0, 6000).first_seat, minlength=players)
    assert len(counts) == players
    expected = 6000 / players
    assert (abs(counts - expected) < 5.5 * expected**0.5).all()
