"""Probabilities of "Up or down?" that are known exactly, measured on the kernel."""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest

from tests.exact import SAMPLE, assert_distribution, assert_share, hypergeometric, starts

CARDS = {2: 54, 3: 78, 4: 102, 5: 126, 6: 126}


pytestmark = pytest.mark.whole_but("2")


@pytest.fixture(scope="module", params=CARDS)
def dealt(request):
    """Return how many cards are in play; circles and hands of first rounds, for all tests."""
    players = request.param
    begun = [
        (list(s.circle), [list(hand) for hand in s.hand])
        for s in starts("upordown", {"players": players})
    ]
    assert all(len(circle) == 6 and len(hands) == players for circle, hands in begun)
    return CARDS[players], begun


def test_the_lowest_card_of_the_circle(dealt):
    cards, begun = dealt
    counts = Counter(min(circle) for circle, _ in begun)
    assert_distribution(
        counts, {k: comb(cards - k, 5) / comb(cards, 6) for k in range(1, cards - 4)}
    )


def test_a_hand_card_fits_into_any_of_the_gaps(dealt):
    """It is as likely below all six as above them or between any two: beyond the ends in 2 of 7."""
    gaps: Counter[int] = Counter()
    for number, (circle, hands) in enumerate(dealt[1]):
        looked_at = hands[-1][number % 3]  # Hands are sorted, so the lowest alone would not do.
        gaps[sum(card < looked_at for card in circle)] += 1
    assert_distribution(gaps, dict.fromkeys(range(7), 1 / 7))


def test_the_circle_has_every_colour_once(dealt):
    cards, begun = dealt
    times = sum(len({card % 6 for card in circle}) == 6 for circle, _ in begun)
    assert_share(times, SAMPLE, (cards // 6) ** 6 / comb(cards, 6))


def test_cards_of_a_colour_in_all_hands(dealt):
    cards, begun = dealt
    counts = Counter(sum(card % 6 == 1 for hand in hands for card in hand) for _, hands in begun)
    assert_distribution(counts, hypergeometric(cards, cards // 6, 3 * len(begun[0][1])))
