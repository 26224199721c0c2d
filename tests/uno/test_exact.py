"""Probabilities of UNO that are known exactly, measured on the kernel."""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest

from simcore.games.uno import kernel
from simcore.games.uno.cards import FACES, WILD, WILD_DRAW_FOUR, count_of
from simcore.games.uno.table import PLAY
from tests.exact import SAMPLE, assert_distribution, assert_share, hypergeometric, starts

NUMBERS = 10
"""Faces below this are numbers, then draw two, reverse, skip."""


def first_card(table) -> int:
    return int(table.discards).bit_length() - 1


def test_the_first_card():
    """76, 8, 8, 8 and 4 of 104: a wild draw four is put back."""
    found: Counter[str] = Counter()
    for table, _ in starts("uno", {"players": 4}):
        card = first_card(table)
        assert card != WILD_DRAW_FOUR
        face = "wild" if card == WILD else str(max(NUMBERS - 1, card % FACES))
        found[face] += 1
    chances = {str(NUMBERS - 1): 76 / 104, "10": 8 / 104, "11": 8 / 104, "12": 8 / 104}
    assert_distribution(found, chances | {"wild": 4 / 104})


@pytest.mark.parametrize("players", [2, 4, 10])
def test_wild_cards_in_a_hand(players):
    found: Counter[int] = Counter()
    for table, box in starts("uno", {"players": players}):
        # The left neighbour may have drawn two cards more, the dealer has not.
        seat = box.seats[table.dealer]
        hand = seat.hand, seat.doubles, seat.pairs
        wilds = [int(count_of(*hand, kind)) for kind in (WILD, WILD_DRAW_FOUR)]
        found[sum(wilds)] += 1
    assert_distribution(found, hypergeometric(108, 8, 7))


def stuck(players: int, same_number: int) -> float:
    """Return the chance that a certain number card is turned up and the first hand has no move.

    Of the other 107 cards 24 have its colour, `same_number` its number, and 8 are wild. When the
    hands hold i wild draw fours of the four, the first card is one of the 76 + i others beneath
    the 4 − i, since it is drawn until it is none. A hand without a move holds none of them.
    """
    others = 7 * (players - 1)
    useless = 107 - 24 - same_number - 8
    plain = 108 - 7 - 1 - 4  # neither in the hand, nor the first card, nor a wild draw four
    ways = comb(108, 7) * comb(101, others)
    rest = 108 - 7 * players
    return sum(
        comb(useless, 7) * comb(4, held) * comb(plain, others - held) / ways / (rest - 4 + held)
        for held in range(5)
    )


@pytest.mark.parametrize("players", [2, 4, 10])
def test_the_first_player_cannot_lay_a_card(players):
    """A number lies there: draw or lay; who has but one move can only draw."""
    chance = 4 * stuck(players, 3) + 72 * stuck(players, 6)
    found = 0
    for table, box in starts("uno", {"players": players}):
        number = first_card(table) % FACES < NUMBERS and first_card(table) < WILD
        if number and table.phase == PLAY:
            found += int(kernel.find_moves(table, box.seats[table.seat])) == 1
    assert_share(found, SAMPLE, chance)


def test_the_first_dealer_is_any_seat():
    found = Counter(int(table.dealer) for table, _ in starts("uno", {"players": 7}))
    assert_distribution(found, dict.fromkeys(range(7), 1 / 7))
