"""Set-up: cards, deal, toss and dice. Test classes bear the marks of RULES.md."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest
from scipy import stats

from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from simcore.errors import InputError
from simcore.games.updown import rules as ud
from simcore.games.updown.rules import COLOURS, deck
from tests.updown.following import UPDOWN, named
from tests.updown.position import Position, names_of

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


class TestR1Players:
    def test_two_to_four(self):
        for players in (2, 3, 4):
            assert UPDOWN.resolve({"players": players})["players"] == players
        for players in (1, 5):
            with pytest.raises(InputError):
                UPDOWN.resolve({"players": players})


class TestR2Cards:
    def test_44_cards(self):
        assert named(deck.cards) == {
            (colour, value) for colour in COLOURS for value in range(2, 13)
        }
        assert len(names_of(deck.cards).split()) == 44


class TestR3Deal:
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_hands(self, players):
        for match in range(50):
            hands = list(dealt(players, match).hand)
            cards = [card for hand in hands for card in named(hand)]
            assert [len(named(hand)) for hand in hands] == [HAND_SIZES[players]] * players
            assert len(set(cards)) == len(cards)
            assert set(cards) <= named(deck.cards)

    @pytest.mark.whole_but("2")
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_every_card_goes_everywhere_equally_often(self, players):
        counts = np.zeros((players, 64))
        matches = 500
        for match in range(matches):
            s = dealt(players, match)
            for seat in range(players):
                counts[seat, list(s.hand[seat])] += 1
        cards = list(deck.cards)
        expected = matches * HAND_SIZES[players] / 44
        for seat in range(players):
            # A hand has a fixed number of cards, drawn without replacement.
            spread = expected * (1 - HAND_SIZES[players] / 44) * 44 / 43
            chi_square = ((counts[seat, cards] - expected) ** 2).sum() / spread
            assert stats.chi2.sf(chi_square, 43) > IMPROBABLE
            assert stats.chi2.cdf(chi_square, 43) > IMPROBABLE

    def test_pairs_of_cards_are_together_as_often_as_by_chance(self):
        together = sum(
            named(dealt(4, match).hand[0]) >= {("ROSE", 2), ("ROSE", 3)} for match in range(2000)
        )
        assert stats.binomtest(together, 2000, 11 * 10 / (44 * 43)).pvalue > IMPROBABLE


class TestR4Toss:
    def test_one_colour_points_at_each_player(self):
        for rotation in range(4):
            p = Position("R2", "R3", "R4", "R5", rotation=rotation)
            assert sorted(p.colours()) == sorted(COLOURS)
            p = Position("R2", "R3", "R4", rotation=rotation)
            assert len(set(p.colours())) == 3


class TestR5FirstLeader:
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_rose_points_at_the_first_leader(self, players):
        for match in range(30):
            s = dealt(players, match)
            assert table_of(players).values["side"][s.leader] == s.turn
            assert s.seat == s.leader == s.first_seat
            assert s.phase == ud.CHANGE


class TestR6FirstTrump:
    def test_the_sum_of_two_dice(self):
        plain = Plain(program_of(UPDOWN), UPDOWN.resolve({}))
        s = plain.start_match(1, 0)
        throw = plain.add(ud.throw_dice)
        thrown = Counter(throw(s) for _ in range(36_000))
        expected = [1000 * (6 - abs(total - 7)) for total in range(2, 13)]
        counts = [thrown[total] for total in range(2, 13)]
        assert sum(counts) == 36_000
        assert stats.chisquare(counts, expected).pvalue > IMPROBABLE

    def test_is_thrown_for_every_round(self):
        trumps = Counter(dealt(3, match).trump for match in range(720))
        expected = [20 * (6 - abs(total - 7)) for total in range(2, 13)]
        counts = [trumps[total] for total in range(2, 13)]
        assert stats.chisquare(counts, expected).pvalue > IMPROBABLE


class TestC1OrderOfColours:
    def test_relabelling_changes_nothing(self):
        # Colours moved on by one, and the card turned by one quarter: everybody's cards are as
        # good as before.
        cards = ("R12 F3", "F9 M3", "M4 H4", "H2 R7")
        for rotation in range(4):
            one = Position(*cards, rotation=rotation, choosing=True).play("R12", "F9", "M4", "H2")
            moved = [" ".join("FMHR"["RFMH".index(c[0])] + c[1:] for c in h.split()) for h in cards]
            other = Position(*moved, rotation=(rotation + 3) % 4, choosing=True)
            other.play("F12", "M9", "H4", "R2")
            assert one.winner == other.winner


class TestC2Toss:
    @pytest.mark.whole_but("2")
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_face_and_first_leader_are_uniform(self, players):
        tosses = Counter()
        for match in range(1000):
            s = dealt(players, match)
            tosses[s.face, s.leader] += 1
        assert len(tosses) == 2 * players
        assert stats.chisquare(list(tosses.values())).pvalue > IMPROBABLE


class TestC3Seating:
    def test_two_sit_opposite(self):
        assert Position("R2", "R3").colours() == ["ROSE", "MONOKEL"]
        assert Position("R2", "R3", rotation=1).colours() == ["HUT", "FEDER"]

    def test_or_adjacent(self):
        assert Position("R2", "R3", seating="adjacent").colours() == ["ROSE", "FEDER"]

    @pytest.mark.parametrize("players", [3, 4])
    def test_only_two_can(self, players):
        with pytest.raises(InputError, match="seating = 'adjacent' is refused"):
            UPDOWN.resolve({"players": players, "seating": "adjacent"})


class TestC4ThreePlayers:
    def test_one_side_is_empty(self):
        assert Position("R2", "R3", "R4").colours() == ["ROSE", "FEDER", "MONOKEL"]

    def test_turns_pass_over_it(self):
        p = Position("R2 H2", "R3 H3", "R4 H4", leader=2)
        assert p.play("flip", "R2", "R3", "R4").s.leader == 0


class TestC12CardsAside:
    @pytest.mark.parametrize(("players", "aside"), [(2, 14), (3, 2), (4, 0)])
    def test_lie_nowhere_in_the_records(self, players, aside):
        s = dealt(players)
        assert len(s.stock) == aside
        assert not any(s.chosen)
