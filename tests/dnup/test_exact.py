"""Probabilities of dnup that are known exactly, measured on the rules."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from simcore.games.dnup.deck import load_deck
from tests.dnup.following import DNUP
from tests.exact import (
    IMPROBABLE,
    SAMPLE,
    assert_distribution,
    assert_share,
    hypergeometric,
    starts,
)

pytestmark = pytest.mark.whole_but("2", "5")
DECK = load_deck("a")


@pytest.fixture(scope="module", params=(2, 3, 4, 5))
def dealt(request):
    """Return a number of players, and the same first rounds for all tests."""
    return request.param, list(starts("dnup", {"players": request.param}))


def sides(s, seat) -> list[int]:
    """The active values of a hand."""
    return [DECK[card].high if card in s.flipped else DECK[card].low for card in s.hand[seat]]


def test_equal_pairs_in_a_hand(dealt):
    """The mean number of pairs of cards that show the same value.

    Each card shows either value with 1/2, so a value that two cards share is shown by both with
    1/4: a sum over all pairs of cards in play, any of which is as likely in a hand as any other.
    """
    players, begun = dealt
    cards = [card for card in DECK if card.players <= players]
    pairs = list(combinations(cards, 2))
    shared = sum(len({a.low, a.high} & {b.low, b.high}) for a, b in pairs)
    chance = Fraction(shared, 4 * len(pairs))
    counts = []
    for s in begun:
        shown = Counter(sides(s, 1))
        counts.append(sum(n * (n - 1) // 2 for n in shown.values()))
    size = len(s.hand[1])
    expected = float(chance * size * (size - 1) / 2)
    error = np.std(counts) / len(counts) ** 0.5
    assert abs(np.mean(counts) - expected) < stats.norm.isf(IMPROBABLE / 2) * error


def test_c3_cards_with_the_higher_value_up(dealt):
    players, begun = dealt
    counts = Counter(len(s.hand[0] - s.flipped) for s in begun)
    size = {2: 9, 3: 9, 4: 9, 5: 8}[players]
    binomial = {k: float(stats.binom.pmf(k, size, 0.5)) for k in range(size + 1)}
    assert_distribution(counts, binomial)


def test_cards_with_a_nine_in_a_hand(dealt):
    players, begun = dealt
    in_play = [card for card in DECK if card.players <= players]
    nines = sum(card.high == 9 for card in in_play)
    counts = Counter(sum(DECK[card].high == 9 for card in s.hand[1]) for s in begun)
    size = len(in_play) // players
    assert_distribution(counts, hypergeometric(len(in_play), nines, size))


def test_the_star_makes_any_seat_begin(dealt):
    players, begun = dealt
    counts = Counter(s.first_seat for s in begun)
    assert_distribution(counts, dict.fromkeys(range(players), 1 / players))


def test_on_an_empty_table_there_is_a_move_for_every_card_and_one_to_turn(dealt):
    """Of k equal values 1 to k cards may be laid."""
    players, begun = dealt
    plain = Plain(program_of(DNUP), DNUP.resolve({"players": players}))
    for s in begun[:60]:
        assert len(plain.moves(s)) == len(s.hand[s.seat]) + 1


def test_the_star_card_lies_either_way_up(dealt):
    star = next(card for card, printed in enumerate(DECK) if printed.star)
    up = sum(star not in s.flipped for s in dealt[1])
    assert_share(up, SAMPLE, 0.5)
