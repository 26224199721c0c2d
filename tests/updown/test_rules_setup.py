"""Set-up: cards, deal, toss and dice. Tests bear the marks of RULES.md."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest
from scipy import stats

from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from simcore.games.updown import rules as ud
from simcore.games.updown.rules import COLOURS, deck
from tests.exact import starts_of_rules
from tests.updown.following import UPDOWN, named
from tests.updown.position import Position, names_of
from tests.updown.rows import Rows

IMPROBABLE = 1e-7
HAND_SIZES = {2: 15, 3: 14, 4: 11}


@cache
def table_of(players: int) -> Plain:
    return Plain(program_of(UPDOWN), UPDOWN.resolve({"players": players}))


def dealt(players: int, match: int = 0):
    """Return a match as its first round begins."""
    plain = table_of(players)
    s = plain.start_match(1, match)
    plain.start_round(s)
    return s


class TestSeats(Rows):
    rows = """
    [R4] one colour points at each player | hands R2, R3, R4, R5
        as tossed      | rotation = 0 | | colours = ROSE, FEDER, MONOKEL, HUT
        turned by one  | rotation = 1 | | colours = HUT, ROSE, FEDER, MONOKEL
        turned by two  | rotation = 2 | | colours = MONOKEL, HUT, ROSE, FEDER
        turned by three | rotation = 3 | | colours = FEDER, MONOKEL, HUT, ROSE
    [C3] seating | hands R2, R3
        two sit opposite | | | colours = ROSE, MONOKEL
        also when turned | rotation = 1 | | colours = HUT, FEDER
        or adjacent      | seating = "adjacent" | | colours = ROSE, FEDER
    [C4] three players
        one side is empty    | hands R2, R3, R4 | | colours = ROSE, FEDER, MONOKEL
        turns pass over it   | hands R2 H2, R3 H3, R4 H4; leader = 2
            | flip, R2, R3, R4 | s.leader = 0
    """


def test_r2_44_cards():
    assert named(deck.cards) == {(colour, value) for colour in COLOURS for value in range(2, 13)}
    assert len(names_of(deck.cards).split()) == 44


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r3_everybody_is_dealt_a_hand(players):
    for match in range(50):
        hands = list(dealt(players, match).hand)
        cards = [card for hand in hands for card in named(hand)]
        assert [len(named(hand)) for hand in hands] == [HAND_SIZES[players]] * players
        assert len(set(cards)) == len(cards)
        assert set(cards) <= named(deck.cards)


@pytest.mark.whole_but("2-15", "2-8", "2-22", "3-2", "4-9")
@pytest.mark.parametrize(
    ("players", "size"),
    [
        *((2, size) for size in (1, 8, 14, 15, 16, 22)),
        *((3, size) for size in (2, 11, 12, 14)),
        *((4, size) for size in (3, 9, 11)),
    ],
)
def test_r3_every_card_goes_everywhere_equally_often(players, size):
    counts, matches = np.zeros((players, 64)), 150
    for _, s in starts_of_rules("updown", {"players": players, "hand_cards": size}, matches):
        for seat in range(players):
            counts[seat, list(s.hand[seat])] += 1
    # A hand has a fixed number of cards, drawn without replacement.
    share = size / 44
    spread = matches * share * (1 - share) * 44 / 43
    distance = ((counts[:, list(deck.cards)] - matches * share) ** 2 / spread).sum(axis=1)
    assert (stats.chi2.sf(distance, 43) > IMPROBABLE).all()
    assert (stats.chi2.cdf(distance, 43) > IMPROBABLE).all()


def test_r3_pairs_of_cards_are_together_as_often_as_by_chance():
    together = sum(
        named(dealt(4, match).hand[0]) >= {("ROSE", 2), ("ROSE", 3)} for match in range(500)
    )
    assert stats.binomtest(together, 500, 11 * 10 / (44 * 43)).pvalue > IMPROBABLE


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r5_rose_points_at_the_first_leader(players):
    for match in range(30):
        s = dealt(players, match)
        assert table_of(players).values["side"][s.leader] == s.turn
        assert s.seat == s.leader == s.first_seat
        assert s.phase == ud.CHANGE


def test_r6_the_trump_is_the_sum_of_two_dice():
    plain = Plain(program_of(UPDOWN), UPDOWN.resolve({}))
    s = plain.start_match(1, 0)
    throw = plain.add(ud.throw_dice)
    thrown = Counter(throw(s) for _ in range(7_200))
    counts = [thrown[total] for total in range(2, 13)]
    assert sum(counts) == 7_200
    expected = [200 * (6 - abs(total - 7)) for total in range(2, 13)]
    assert stats.chisquare(counts, expected).pvalue > IMPROBABLE


@pytest.mark.parametrize("rotation", range(4))
def test_c1_colours_moved_on_and_the_card_turned_back_by_one_change_nothing(rotation):
    hands = ("R12 F3", "F9 M3", "M4 H4", "H2 R7")
    first = Position(*hands, rotation=rotation, choosing=True).play("R12", "F9", "M4", "H2")
    moved = [hand.translate(str.maketrans("RFMH", "FMHR")) for hand in hands]
    second = Position(*moved, rotation=(rotation + 3) % 4, choosing=True)
    assert second.play("F12", "M9", "H4", "R2").winner == first.winner


@pytest.mark.parametrize(("players", "aside"), [(2, 14), (3, 2), (4, 0)])
def test_c12_cards_put_aside_lie_nowhere_in_the_records(players, aside):
    s = dealt(players)
    assert len(s.stock) == aside
    assert not any(s.chosen)
