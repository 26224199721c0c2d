"""Decks: counted names, suits by number, ranks by name."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import cardlab
from simcore.catalogue import get_game
from simcore.described import describe_game, read_description
from simcore.errors import InputError
from simcore.language import cards_of, french_deck, numbered, skat_deck

BOMBS = '''"""Bombs: draw until somebody has a bomb."""

from cardlab.rules import *

deck = cards_of({"bomb": 2, "cat": 11, "dog": 3})
BOMB, CAT = deck.rank("bomb"), deck.rank("cat")
players = 2, 4


class State:
    stock = hidden(all_cards)
    hand = own(cards)
    lost = shown(seat, start=-1)


def deal(s):
    s.lost = -1
    for player in seats():
        draw(s.stock, s.hand[player], 2)


def legal(s, seat):
    return {0}


def apply(s, seat, go):
    if s.stock and rank(draw(s.stock, s.hand[seat])) == BOMB:
        s.lost = seat


def ended(s, seat):
    return s.lost >= 0 or not s.stock


def score(s):
    for player in seats():
        s.points[player] = len(s.hand[player] & of_rank(CAT)) + 100 * (player == s.lost)
'''


@pytest.fixture
def bombs(tmp_path: Path) -> str:
    file = tmp_path / "bombs.py"
    file.write_text(BOMBS, encoding="utf-8")
    return str(file)


def test_a_deck_of_counted_names():
    deck = cards_of({"bomb": 4, "cat": 20, "dog": 1})
    assert Counter(map(deck.name, deck.cards)) == {"bomb": 4, "cat": 20, "dog": 1}
    assert len(set(deck.cards)) == 25
    assert Counter(card & 3 for card in deck.cards) == {0: 4, 1: 20, 2: 1}


@pytest.mark.parametrize("counts", [{}, {"bomb": 0}, {"bomb": -1}, {"bomb": 1.5}, {"bomb": True}])
def test_counts_are_whole_numbers_from_1_on(counts):
    with pytest.raises(InputError, match=r"allowed: how many cards there are of each name"):
        cards_of(counts)


def test_a_deck_of_too_many_cards_is_refused():
    with pytest.raises(InputError, match="places; allowed: 256"):
        cards_of({"bomb": 4, "cat": 200})


def test_matches_are_the_same_compiled_and_every_card_is_where_it_belongs(bombs: str):
    matches = 200
    simulation = cardlab.simulate(bombs, players=3, matches=matches, seed=4)
    rows = simulation.rows().collect()
    for match in range(10):
        text = cardlab.play(bombs, players=3, match=match, seed=4).lines
        told = (re.fullmatch(r"seat \d has (\d+) points?\.", line) for line in text)
        scores = [int(points[1]) for points in told if points]
        assert [rows[f"score_{seat}"][match] for seat in range(3)] == scores


def test_equal_cards_are_told_by_their_number(bombs: str):
    text = str(cardlab.play(bombs, players=4, match=1))
    assert re.search(r"has 2 cat\.", text)
    assert "has no choice; draws cat." in text


def test_a_description_keeps_the_counts(bombs: str):
    game = get_game(bombs)
    told = read_description(describe_game(game))
    assert told.deck.cards == game.deck.cards
    assert [told.deck.name(card) for card in told.deck.cards] == list(
        map(game.deck.name, game.deck.cards)
    )


def test_suits_may_be_numbers():
    deck = cards_of(range(1, 4), ("1", "2"))
    assert [deck.name(card) for card in deck.cards] == ["1-1", "1-2", "2-1", "2-2", "3-1", "3-2"]
    with pytest.raises(InputError, match="allowed: names or numbers"):
        cards_of((1.5, 2), ("a",))


def test_ranks_have_numbers_by_their_names():
    assert french_deck().rank("K") == 12
    assert skat_deck().rank("K") == 6
    assert numbered(5).rank("3") == 3
    with pytest.raises(InputError, match=r"^unknown rank 'k'"):
        french_deck().rank("k")


def test_ranks_must_be_given_with_suits():
    with pytest.raises(InputError, match="has no ranks; allowed"):
        cards_of(("red", "blue"))
