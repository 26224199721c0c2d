"""Probabilities of "Up or down?" that are known exactly, measured on the kernel."""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest

from tests.exact import SAMPLE, assert_distribution, assert_share, hypergeometric, starts

PLAYERS = (2, 3, 4, 5, 6)
CARDS = {2: 54, 3: 78, 4: 102, 5: 126, 6: 126}


def dealt(players):
    for s in starts("upordown", {"players": players}):
        assert len(s.circle) == 6
        yield list(s.circle), [list(hand) for hand in s.hand]


@pytest.mark.whole_but("2", "6")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_lowest_card_of_the_circle(players):
    cards = CARDS[players]
    counts = Counter(min(circle) for circle, _ in dealt(players))
    assert_distribution(
        counts, {k: comb(cards - k, 5) / comb(cards, 6) for k in range(1, cards - 4)}
    )


@pytest.mark.whole_but("2", "6")
@pytest.mark.parametrize("players", PLAYERS)
def test_a_hand_card_fits_into_any_of_the_gaps(players):
    """It is as likely below all six as above them or between any two: beyond the ends in 2 of 7."""
    gaps: Counter[int] = Counter()
    for number, (circle, hands) in enumerate(dealt(players)):
        looked_at = hands[-1][number % 3]  # Hands are sorted, so the lowest alone would not do.
        gaps[sum(card < looked_at for card in circle)] += 1
    assert_distribution(gaps, dict.fromkeys(range(7), 1 / 7))


@pytest.mark.whole_but("2", "6")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_circle_has_every_colour_once(players):
    of_a_colour = CARDS[players] // 6
    times = sum(len({card % 6 for card in circle}) == 6 for circle, _ in dealt(players))
    assert_share(times, SAMPLE, of_a_colour**6 / comb(CARDS[players], 6))


@pytest.mark.whole_but("2", "6")
@pytest.mark.parametrize("players", PLAYERS)
def test_cards_of_a_colour_in_all_hands(players):
    counts = Counter(
        sum(card % 6 == 1 for hand in hands for card in hand) for _, hands in dealt(players)
    )
    assert_distribution(counts, hypergeometric(CARDS[players], CARDS[players] // 6, 3 * players))
