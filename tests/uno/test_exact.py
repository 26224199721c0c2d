"""Probabilities of UNO that are known exactly, measured on the kernel."""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest

from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from simcore.games.uno.state import PLAY, WILD_FACE
from tests.exact import SAMPLE, assert_distribution, assert_share, hypergeometric, starts
from tests.uno.following import UNO

pytestmark = pytest.mark.whole_but("4")
NUMBERS = 10
"""Faces below this are numbers, then draw two, reverse, skip."""


@pytest.fixture(scope="module", params=(2, 4, 10))
def dealt(request):
    """Return a number of players, and the same first rounds for all tests."""
    return request.param, list(starts("uno", {"players": request.param}))


def first_face(s) -> int:
    (card,) = s.pile
    return card & 15


def test_the_first_card(dealt):
    """76, 8, 8, 8 and 4 of 104: a wild draw four is put back."""
    found: Counter[str] = Counter()
    for s in dealt[1]:
        face = first_face(s)
        assert face <= WILD_FACE
        found["wild" if face == WILD_FACE else str(max(NUMBERS - 1, face))] += 1
    chances = {str(NUMBERS - 1): 76 / 104, "10": 8 / 104, "11": 8 / 104, "12": 8 / 104}
    assert_distribution(found, chances | {"wild": 4 / 104})


def test_wild_cards_in_a_hand(dealt):
    found: Counter[int] = Counter()
    for s in dealt[1]:
        # The left neighbour may have drawn two cards more, the dealer has not.
        found[sum(card & 15 >= WILD_FACE for card in s.hand[s.dealer])] += 1
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


def test_the_first_player_cannot_lay_a_card(dealt):
    """A number lies there: draw or lay; who has but one move can only draw."""
    players, begun = dealt
    plain = Plain(program_of(UNO), UNO.resolve({"players": players}))
    chance = 4 * stuck(players, 3) + 72 * stuck(players, 6)
    found = 0
    for s in begun:
        if first_face(s) < NUMBERS and s.phase == PLAY:
            found += len(plain.moves(s)) == 1
    assert_share(found, SAMPLE, chance)


def test_the_first_dealer_is_any_seat(dealt):
    players, begun = dealt
    found = Counter(s.dealer for s in begun)
    assert_distribution(found, dict.fromkeys(range(players), 1 / players))
