"""House rules and dials, one class each. Test classes bear the marks of RULES.md."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from simcore.batch import Cell, play
from simcore.compiler.plain import Match
from simcore.errors import InputError
from simcore.events import RoundEnd, RoundStart, Step
from simcore.games.updown import rules as ud
from simcore.games.updown.rules import deck
from tests.exact import starts_of_rules
from tests.players import RANDOM_PLAYER
from tests.updown.following import UPDOWN
from tests.updown.position import Position, play_trick

MOST = {2: 22, 3: 14, 4: 11}
USUAL = {2: 15, 3: 14, 4: 11}
HANDS = [(players, size) for players, most in MOST.items() for size in range(1, most + 1)]
MUST = ["flip", "quarter", "half", "three", "roll"]


def cell_of(**options):
    resolved = UPDOWN.resolve(options)
    return Cell(UPDOWN, resolved, (RANDOM_PLAYER,) * int(resolved["players"]), 1)


def columns_of(matches, **options):
    return play(cell_of(**options), 0, matches).columns()


def last_trick(*cards, **position):
    return Position(*cards, choosing=True, **position).play(*cards)


def bits(cards):
    return int(cards).bit_count()


class TestH1HandCards:
    @pytest.mark.parametrize(("players", "size"), HANDS)
    def test_everybody_has_so_many(self, players, size):
        deals = set()
        for match in range(3):
            playback = iter(Match(cell_of(players=players, hand_cards=size), match))
            box = next(event for event in playback if isinstance(event, RoundStart)).s
            hands = [hand.word for hand in box.hand]
            assert [bits(hand) for hand in hands] == [size] * players
            assert bits(np.bitwise_or.reduce(hands)) == players * size
            assert not any(hand & ~deck.all_cards for hand in hands)
            deals.add(tuple(hands))
        assert len(deals) == 3 or size * players < 4

    @pytest.mark.parametrize(("players", "size"), HANDS)
    def test_so_many_tricks_are_played(self, players, size):
        columns = columns_of(50, players=players, hand_cards=size)
        assert (columns["tricks"] == size).all()
        assert (columns["forced"] == players).all()
        assert (columns["decisions"] == size + players * (size - 1)).all()
        assert (columns["clauses"] == (size != USUAL[players]) << 3).all()

    @pytest.mark.parametrize("players", MOST)
    def test_as_many_as_usual(self, players):
        usual = columns_of(50, players=players)
        for name, column in columns_of(50, players=players, hand_cards=USUAL[players]).items():
            assert np.array_equal(column, usual[name]), name

    @pytest.mark.parametrize(
        ("players", "size"),
        [(2, 1), (2, 8), (2, 14), (2, 16), (2, 22), (3, 2), (3, 11), (3, 12), (4, 3), (4, 9)],
    )
    def test_every_card_is_as_likely_in_every_seat(self, players, size):
        matches = 200
        found = np.zeros((players, 64))
        for _, s in starts_of_rules("updown", {"players": players, "hand_cards": size}, matches):
            for seat in range(players):
                found[seat, list(s.hand[seat])] += 1
        found = found[:, list(deck.cards)]
        share = size / 44
        if size < 44:
            spread = matches * share * (1 - share) * 44 / 43
            distance = ((found - matches * share) ** 2 / spread).sum(axis=1)
            assert (stats.chi2.sf(distance, 43) > 1e-6).all()

    @pytest.mark.whole
    @pytest.mark.parametrize("size", [14, 16, 19, 22])
    def test_the_order_of_a_large_hand_is_random(self, size):
        """Of its cards, in order, each is as likely as another to be played as number 1, 2, …."""
        matches = 300
        found = np.zeros((size, size))
        for match in range(matches):
            trick = 0
            for event in Match(cell_of(players=2, hand_cards=size), match):
                if isinstance(event, RoundStart):
                    hand = event.s.hand[0]
                    cards = [card for card in range(64) if card in hand]
                if isinstance(event, Step) and event.s.phase == ud.CARD and event.seat == 0:
                    found[trick, cards.index(event.move)] += 1
                    trick += 1
        expected = matches / size
        distance = ((found - expected) ** 2 / expected).sum()
        assert (found.sum(axis=0) == matches).all()
        assert stats.chi2.sf(distance, (size - 1) ** 2) > 1e-6

    @pytest.mark.parametrize(
        ("players", "size", "allowed"),
        [
            (2, 23, "a whole number 1…22, or none"),
            (3, 15, "1…14, or none"),
            (4, 12, "1…11, or none"),
        ],
    )
    def test_more_than_there_are(self, players, size, allowed):
        with pytest.raises(InputError, match=rf"hand_cards = '?{size}'? is refused") as told:
            UPDOWN.resolve({"players": players, "hand_cards": size})
        assert allowed in str(told.value)


class TestH2Trump:
    def test_the_leader_cannot_roll(self):
        assert Position("R2 R3", "M4 M5", trump="none").listed == MUST[:4]

    @pytest.mark.parametrize("players", MOST)
    def test_no_dice_are_thrown(self, players):
        start = next(iter(Match(cell_of(players=players, trump="none"), 0)))
        assert start.s.trump == 0

    def test_only_the_own_colour_wins(self):
        for value in range(3, 13):
            assert play_trick(f"R2 R{value} F2 M2", trump="none").winner is None

    @pytest.mark.parametrize("players", MOST)
    def test_of_four_moves_each_is_as_likely(self, players):
        columns = columns_of(400, players=players, trump="none")
        assert not columns["rolls"].any()
        assert not columns["trump_wins"].any()
        tricks = columns["tricks"].sum()
        found = columns["flips"].sum()
        assert columns["rotations"].sum() == tricks - found
        assert stats.binomtest(int(found), int(tricks), 0.25).pvalue > 1e-6
        assert (columns["clauses"] >> 4 & 1).all()


class TestH3Keep:
    def test_is_listed_last(self):
        options = {"leader_change": "may"}
        assert Position("R2 R3", "M4 M5", **options).listed == [*MUST, "keep"]
        assert Position("R2 R3", "M4 M5", trump="none", **options).listed == [*MUST[:4], "keep"]
        assert Position("R2 R3", "M4 M5").listed == MUST

    def test_leaves_the_rules_as_they_are(self):
        p = Position("R2 R3", "F4 F5", "M6 M7", rotation=3, face="DOWN", leader_change="may")
        colours = p.colours()
        p.play("keep")
        assert p.colours() == colours
        assert (p.s.face, p.s.turn, p.s.trump) == (1, 3, 7)
        assert (p.phase, p.metric("kept"), p.clause("kept")) == ("CARD", 1, True)
        assert not any(p.metric(name) for name in ("flips", "rotations", "rolls"))

    def test_another_move_is_no_keeping(self):
        p = Position("R2 R3", "M4 M5", leader_change="may").play("half")
        assert (p.metric("kept"), p.metric("rotations"), p.clause("kept")) == (0, 1, False)

    @pytest.mark.parametrize("trump", ["dice", "none"])
    @pytest.mark.parametrize("players", MOST)
    def test_every_move_is_as_likely(self, players, trump):
        columns = columns_of(400, players=players, leader_change="may", trump=trump)
        tricks = int(columns["tricks"].sum())
        moves = 6 if trump == "dice" else 5
        names = ("flips", "kept", "rolls", "rotations")
        found = {name: int(columns[name].sum()) for name in names}
        assert sum(found.values()) == tricks
        shares = {"flips": 1, "kept": 1, "rolls": moves - 5, "rotations": 3}
        for name, share in shares.items():
            assert stats.binomtest(found[name], tricks, share / moves).pvalue > 1e-6, name


class TestH4Cancelling:
    """Rotation 0: ROSE points at seat 0, FEDER at seat 1 and so on."""

    def test_a_card_that_cannot_win_cancels_nothing(self):
        cards = "R12 H12 M3 M4"
        assert play_trick(cards, trump=7).winner == 2
        p = play_trick(cards, trump=7, cancelling="eligible")
        assert (p.winner, p.clause("eligible")) == (0, True)

    def test_the_one_that_could_win_does(self):
        """Not the other card of the same value, whose seat comes later."""
        p = play_trick("H12 F12 H12 H3", trump=7, cancelling="eligible")
        assert p.winner == 1
        assert play_trick("R12 R11", trump=7, cancelling="eligible").winner == 0
        assert play_trick("R12 H12", trump=7, cancelling="eligible").winner == 0

    def test_own_colours_cancel_each_other(self):
        p = play_trick("R12 F12 M3 M4", trump=7, cancelling="eligible")
        assert (p.winner, p.clause("eligible")) == (2, False)

    def test_trumps_cancel_each_other_in_any_colour(self):
        p = play_trick("R7 M7 M3 M4", trump=7, cancelling="eligible")
        assert (p.winner, p.clause("eligible")) == (2, False)
        assert play_trick("R7 H3", trump=7, cancelling="eligible").metric("trump_wins") == 1

    @pytest.mark.parametrize("players", MOST)
    def test_fewer_tricks_have_no_winner(self, players):
        usual = columns_of(2000, players=players)["pots"].mean()
        assert columns_of(2000, players=players, cancelling="eligible")["pots"].mean() < usual - 0.2


class TestH5NextLeader:
    def test_who_won_leads(self):
        p = play_trick("R3 F4 M12 R5", trump=7, next_leader="winner")
        assert (p.winner, int(p.s.leader), p.clause("winner_leads")) == (2, 2, True)
        p = play_trick("R12 H4 H3 R5", trump=7, leader=3, next_leader="winner")
        assert (p.winner, int(p.s.leader), p.clause("winner_leads")) == (0, 0, False)
        p = play_trick("R12 H4 H3 R5", trump=7, leader=1, next_leader="winner")
        assert (int(p.s.leader), p.clause("winner_leads")) == (0, True)

    def test_without_a_winner_the_next_clockwise(self):
        p = play_trick("F3 R3 R4 R5", trump=7, leader=3, next_leader="winner")
        assert (p.winner, int(p.s.leader)) == (None, 0)

    def test_rose_names_the_first_leader_of_a_round(self):
        """Whoever won the last trick of the round before."""
        leads = set()
        for match in range(20):
            last = None
            for event in Match(cell_of(players=3, rounds=3, next_leader="winner"), match):
                if isinstance(event, RoundStart) and last is not None:
                    assert event.s.turn == event.s.leader
                    leads.add((last, int(event.s.leader)))
                if isinstance(event, RoundEnd):
                    last = int(event.s.last_winner)
        assert len(leads) > 6

    def test_the_last_trick_names_nobody(self):
        p = last_trick("R12", "R3", leader=0, next_leader="winner")
        assert (p.phase, p.clause("winner_leads")) == ("ROUND_OVER", False)


class TestH6LastPot:
    def test_goes_into_the_next_round(self):
        p = last_trick("F12", "R3", pot=2, rounds=2, last_pot="carried").score()
        assert (p.phase, p.metric("lost_tricks"), int(p.s.pot)) == ("ROUND_OVER", 0, 3)
        pots = []
        for match in range(20):
            left = 0
            for event in Match(cell_of(players=2, rounds=4, last_pot="carried"), match):
                if isinstance(event, RoundStart):
                    assert event.s.pot == left
                    pots.append(left)
                if isinstance(event, RoundEnd):
                    left = int(event.s.pot)
        assert sum(pots) > 20

    def test_is_lost_at_the_end_of_the_match(self):
        options = {"rounds": 2, "last_pot": "carried", "round_number": 2}
        p = last_trick("F12", "R3", pot=2, **options).score()
        assert (p.phase, p.metric("lost_tricks")) == ("MATCH_OVER", 3)

    def test_does_not_decide_whether_there_is_a_tie(self):
        p = last_trick("F12", "R3", pot=2, scores=(4, 4), tie_round=True, last_pot="carried")
        assert p.score().phase == "ROUND_OVER"
        p = last_trick("F12", "R3", pot=2, scores=(4, 5), tie_round=True, last_pot="carried")
        p.score()
        assert (p.phase, p.metric("lost_tricks"), p.scores) == ("MATCH_OVER", 3, [4, 5])

    @pytest.mark.parametrize("players", MOST)
    def test_all_tricks_are_won_or_lost(self, players):
        columns = columns_of(500, players=players, rounds=3, last_pot="carried")
        won = sum(columns[f"score_{seat}"] for seat in range(players))
        assert np.array_equal(won + columns["lost_tricks"], columns["tricks"])
        assert (columns["lost_tricks"] <= columns["pots"]).all()
        carried = columns["clauses"] >> 8 & 1
        assert 0 < carried.mean() < 1

    @pytest.mark.parametrize(
        ("options", "allowed"),
        [
            ({}, r"rounds = 2…1000, or tie_round = true"),
            ({"rounds": 3, "pot_tricks": False}, "last_pot = lost, or pot_tricks = true"),
        ],
    )
    def test_needs_a_pot_and_a_round_to_follow(self, options, allowed):
        with pytest.raises(InputError, match="last_pot = 'carried' is refused with") as told:
            UPDOWN.resolve({"last_pot": "carried"} | options)
        assert allowed in str(told.value)
        assert "\n" not in str(told.value)


class TestH7PotTricks:
    def test_a_trick_without_a_winner_is_lost_at_once(self):
        p = play_trick("F12 F3 R4 R5", trump=7, pot_tricks=False)
        assert p.winner == 1
        p = play_trick("H12 R3 R4 R5", trump=7, pot_tricks=False)
        assert (p.winner, int(p.s.pot)) == (None, 0)
        assert (p.metric("pots"), p.metric("lost_tricks")) == (1, 1)
        assert p.clause("lost_at_once")

    def test_the_next_winner_gets_one_trick(self):
        p = Position("H12 R12 H5", "R3 R4 H2", choosing=True, pot_tricks=False)
        p.play("H12", "R3").play("flip", "R12", "R4")
        assert (p.scores, p.metric("largest_pot"), p.metric("lost_tricks")) == ([1, 0], 0, 1)

    @pytest.mark.parametrize("players", MOST)
    def test_what_is_counted(self, players):
        columns = columns_of(500, players=players, rounds=2, pot_tricks=False)
        assert np.array_equal(columns["lost_tricks"], columns["pots"])
        assert not columns["largest_pot"].any()
        won = sum(columns[f"score_{seat}"] for seat in range(players))
        assert np.array_equal(won + columns["pots"], columns["tricks"])


class TestH8LastTrick:
    def test_counts_as_two(self):
        p = last_trick("R12", "R3", last_trick="double")
        assert (p.scores, p.metric("tricks"), p.clause("doubled")) == ([2, 0], 1, True)
        p = last_trick("R12", "R3", pot=3, scores=(1, 4), last_trick="double")
        assert (p.scores, p.metric("largest_pot")) == ([6, 4], 3)

    def test_another_trick_counts_as_one(self):
        p = play_trick("R12 F3 M4 H5", trump=7, last_trick="double")
        assert (p.scores, p.clause("doubled")) == ([1, 0, 0, 0], False)

    def test_without_a_winner_two_are_lost(self):
        p = last_trick("F12", "R3", pot=1, last_trick="double").score()
        assert (p.scores, p.metric("pots"), p.metric("lost_tricks")) == ([0, 0], 1, 3)
        p = last_trick("F12", "R3", pot_tricks=False, last_trick="double").score()
        assert (p.metric("pots"), p.metric("lost_tricks")) == (1, 2)

    def test_without_a_winner_two_are_carried(self):
        options = {"rounds": 2, "last_pot": "carried", "last_trick": "double"}
        assert int(last_trick("F12", "R3", pot=1, **options).score().s.pot) == 3

    @pytest.mark.parametrize("players", MOST)
    def test_what_is_counted(self, players):
        columns = columns_of(500, players=players, rounds=2, last_trick="double")
        won = sum(columns[f"score_{seat}"] for seat in range(players))
        assert np.array_equal(won + columns["lost_tricks"], columns["tricks"] + columns["rounds"])
