"""Probabilities of Up that are known exactly, measured on the rules."""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest

from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from simcore.games.up import rules as up
from tests.exact import SAMPLE, assert_distribution, assert_share, hypergeometric, starts
from tests.up.following import UP, Names

pytestmark = pytest.mark.whole_but("4")


def rules_for(players: int) -> Plain:
    return Plain(program_of(UP), UP.resolve({"players": players}))


@pytest.fixture(scope="module", params=(2, 3, 4, 7))
def begun(request):
    """Return a number of players, and the same first rounds for all tests."""
    return request.param, list(starts("up", {"players": request.param}))


def dealt(begun, move):
    """Start rounds, where a cutter makes this move; yield how to count special cards, too."""
    players, at_the_cut = begun
    plain = rules_for(players)
    names = Names(plain.o.kind)
    for s in at_the_cut:
        if s.phase == up.CUT:
            s = s.copy()  # noqa: PLW2901
            plain.apply(s, move)
        yield s, lambda cards: sum(names.of(card, False) in {"clear", "-2"} for card in cards)


def test_the_cutter_is_asked_in_2_of_13(begun):
    times = sum(s.phase == up.CUT for s in begun[1])
    assert_share(times, SAMPLE, 2 / 13)


def special_hands(players: int) -> dict[int, float]:
    """Return the chances of so many special cards in the hand of a cutter who keeps what he finds.

    With 2/13 he has one and four others. Else the last card, which the dealer gets, is none, and
    he has five of the others.
    """
    cards, special = 13 * players - 1, 2 * players
    chances = dict.fromkeys(range(6), 0.0)
    for more, chance in hypergeometric(cards, special - 1, 4).items():
        chances[more + 1] += 2 / 13 * chance
    for number, chance in hypergeometric(cards, special, 5).items():
        chances[number] += 11 / 13 * chance
    return {number: chance for number, chance in chances.items() if chance}


def test_special_cards_of_a_cutter_who_keeps_them(begun):
    players = begun[0]
    counts = Counter(
        specials(s.hand[(s.dealer + players - 1) % players])
        for s, specials in dealt(begun, up.KEEP)
    )
    assert_distribution(counts, special_hands(players))


def test_special_cards_that_lie_open_when_the_cut_card_is_returned(begun):
    players = begun[0]
    counts = Counter(sum(map(specials, s.open_cards)) for s, specials in dealt(begun, up.RETURN))
    assert_distribution(counts, hypergeometric(13 * players, 2 * players, 4 * players))


def test_forehand_has_as_many_moves_as_cards_that_can_lead(begun):
    """Of equal cards any number may be laid; of clear cards one; no "-2"."""
    players, chances = begun[0], dict[int, float]()
    plain, cards = rules_for(players), 13 * players
    for twos in range(min(players, 5) + 1):
        for clears in range(min(players, 5 - twos) + 1):
            chance = comb(players, twos) * comb(players, clears)
            chance *= comb(11 * players, 5 - twos - clears)
            moves = 5 - twos - clears + (clears > 0)
            chances[moves] = chances.get(moves, 0.0) + chance / comb(cards, 5)
    counts = Counter(len(plain.moves(s)) for s, _ in dealt(begun, up.RETURN))
    assert_distribution(counts, chances)
