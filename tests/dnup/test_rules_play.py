"""Clauses and choices about actions, sets and the ends of round and match."""

from __future__ import annotations

from simcore.games.dnup.deck import load_deck
from tests.dnup.following import bits
from tests.dnup.position import position
from tests.dnup.rows import Rows


class TestR1Cards(Rows):
    rows = """
        a card has two values                 | hand 2/5 7/2 | | moves = 2, 7, turn
        one of them is active, here the other | hand 5/2 2/7 | | moves = 2, 5, turn
    """


class TestR4Set(Rows):
    rows = """
        cards with the same active value are a set | hand 3/1 3/2 3/4 3/6 4/5
            | | moves = 3, 4, 3 3, 3 3 3, 3 3 3 3, turn
    """


class TestR5Clockwise(Rows):
    rows = """
        the turn passes clockwise | hand 2/5 7/2
            | turn | seat = 1 | turn | seat = 2 | turn | seat = 0
    """


class TestR6Discard(Rows):
    rows = """
        the old set goes before the next action | hand 2/5 7/2 4/5
            | 7, turn | lying 0 = 7
            | turn    | seat = 0; lying 0 =; discards = 2/7
    """


class TestR7Actions(Rows):
    rows = """
        one action of four | hand 3/1 3/2 7/4; seat 1 set 3/6; seat 2 set 5/6 5/7
            | | moves = 7, turn, take 3, take 5 5
        turns count actions | hand 3/1 3/2 7/4; seat 1 set 1/6 | 3, 3/1, turn | s.turns = 2
    """


class TestR8GoldenRule(Rows):
    rows = """
        what is taken is turned | hand 8/1; seat 1 set 2/5 2/7 2/9
            | take 2 2 2 | hand = 5/2 7/2 8/1 9/2
        what is beaten is turned
            | hand 5/2 8/1; seat 1 set 3/4; seat 2 set 4/6 4/8; seat 1 hand 9/1
            | 5 | hand 1 = 4/3 9/1
    """


class TestR9Play(Rows):
    rows = """
        three 7s beat three 6s | hand 7/2 7/3 7/4 1/2; seat 1 set 7/1; seat 2 set 6/1 6/2 6/3
            | | may 7 7 7
        some cards may be kept | hand 3/1 3/2 3/4 9/8
            | 3 3, 3/1 3/4 | lying 0 = 3 3; hand = 3/2 9/8
        the lower set goes back | hand 7/2 7/3 8/1; seat 2 set 3/4 3/6; seat 2 hand 9/1
            | 7 7 | lying 0 = 7 7; lying 2 =; hand 2 = 4/3 6/3 9/1; sets_beaten = 1
    """

    def test_the_example_of_the_rules(self):
        """A single 7 and three 6s lie."""
        hand = "7/2 8/1 5/1 5/2 5/3 5/4 1/2 1/3 9/6"
        p = position(hand, {1: "7/1", 2: "6/1 6/2 6/3"})
        plays = {name for name in p.moves if name[0].isdigit()}
        assert plays == {"8", "9", "5 5", "1 1", "5 5 5 5"}


class TestR10Add(Rows):
    rows = """
        no 3 can be added while two 5s lie | hand 3/1 8/2; seat 1 set 3/6; seat 2 set 5/6 5/7
            | | may not add to 3
        a 5 sends two 3s back, which become a 4 and a 6
            | hand 5/1 8/2; seat 2 set 5/6; seat 1 set 3/4 3/6; seat 1 hand 9/1
            | add to 5 | lying 2 = 5 5; hand 1 = 4/3 6/3 9/1; cards_added = 1; sets_beaten = 1
        the value must be that of the set | hand 4/1 6/2; seat 1 set 5/6
            | | moves = 6, turn, take 5
    """


class TestR11Take(Rows):
    rows = """
        a whole set is taken | hand 8/1; seat 1 set 2/5 2/7
            | take 2 2 | lying 1 =; hand = 5/2 7/2 8/1; sets_taken = 1
    """


class TestR12Turn(Rows):
    rows = """
        all hand cards are turned | hand 2/5 7/2 4/5; seat 1 set 1/6
            | turn | hand = 2/7 5/2 5/4; lying 1 =
        twice is as before | hand 2/5 7/2 4/5 | | hand = 2/5 4/5 7/2; known 0 =
            | turn, turn, turn | hand = 2/7 5/2 5/4; known 0 =
            | turn             | hand = 2/5 4/5 7/2; known 0 =
    """


class TestR13FirstOut(Rows):
    rows = """
        two markers and no more turns | hand 2/5; scores = (1, 0, 0)
            | 2          | scores = [3, 0, 0]; phase = ACTION; seat = 1
            | turn, turn | seat = 1
        the set stays until all others had a turn | hand 2/5
            | 2, turn | lying 0 = 2 | turn | lying 0 =; discards = 2/5
    """


class TestR14SecondOut(Rows):
    rows = """
        one marker and the round is over | hand 2/5; seat 1 hand 3/1; players = 4
            | 2, 3 | phase = ROUND_OVER | score | scores = [2, 1, 0, 0]
    """


class TestR15Goal(Rows):
    rows = """
        four markers win | hand 2/5; scores = (2, 3, 3)
            | 2 | phase = MATCH_OVER; s.winners = 1; clause goal
        the second out can win too | hand 2/5; seat 1 hand 3/1; scores = (0, 3, 0)
            | 2, 3, score | phase = MATCH_OVER; s.winners = 2
        another goal | hand 2/5; scores = (2, 0, 0); markers_to_win = 5 | 2 | phase = ACTION
    """


class TestC5StarCard(Rows):
    rows = """
        it need not be played          | hand 1/5* 8/2 | | may 8; may turn; may 1
        nor with the other side active | hand 5/1* 8/2 | | may 8; may turn; may 5
    """


class TestC6WholeSet(Rows):
    rows = """
        nothing when it was taken | hand 2/5 8/1; seat 1 hand 3/7 9/1
            | 2, take 2, turn | discards =
    """

    def test_added_cards_are_discarded_too(self):
        p = position("2/5 8/1", others={1: "2/7 9/1"}).play("2", "add to 2", "turn")
        assert sorted(p.discards.split()) == ["2/5", "2/7"]


class TestC7NoPassing(Rows):
    rows = """
        turning is always possible | hand 2/5; seat 1 set 9/1 | | may turn
    """


class TestC8StrictlyHigher(Rows):
    rows = """
        an equal value does not beat | hand 7/2 7/3; seat 1 set 7/1 | | may not 7
        nor when a set grows | hand 5/1 8/2; seat 1 set 5/6; seat 2 set 5/4 5/7
            | | may not add to 5
    """


class TestC9OneOfASize(Rows):
    rows = """
        no two sets of a size | hand 7/2 8/2; seat 1 set 3/1; seat 2 set 4/1 4/2
            | 7 | lying 0 = 7; lying 1 =; lying 2 = 4 4
    """


class TestC10BeatenWhenOut(Rows):
    rows = """
        it is discarded when beaten by a | hand 7/2 8/2; seat 2 set 3/1; out = 2
            | 7 | discards = 1/3; hand 2 =; sets_beaten = 1
        it is discarded when beaten by b
            | hand 5/2 8/2; seat 3 set 5/6; seat 2 set 3/1 3/2; out = 2; players = 4
            | add to 5 | discards = 1/3 2/3; hand 2 =; sets_beaten = 1
    """


class TestC11Growth(Rows):
    rows = """
        a card is added as it is held | hand 2/5 8/1; seat 1 set 5/6 | | may not add to 5
        the size that becomes free causes nothing
            | hand 5/2 8/2; seat 2 set 5/6; seat 1 set 3/1 3/2 3/4; players = 4; out = 3
            | add to 5 | lying 2 = 5 5; sets_beaten = 0
    """


class TestC12SetOfWhoIsOut(Rows):
    rows = """
        it may grow or be taken | hand 3/2 8/2; seat 2 set 3/1; out = 2; players = 4
            | | may add to 3; may take 3; may 8 | take 3 | hand = 1/3 3/2 8/2
        growing does not prolong its stay | hand 3/2 8/2; seat 2 set 3/1; out = 2; players = 4
            | add to 3, turn | seat = 3; lying 2 =; discards = 1/3 2/3
    """


class TestC13NoLimit:
    def test_a_hand_may_grow(self):
        p = position("8/1 8/2 8/3 8/4 8/5 8/6 8/7", {1: "2/5 2/7 2/9"}).play("take 2 2 2")
        assert len(p.s.hand[0]) == 10


class TestC14AlsoByAdding(Rows):
    rows = """
        the last card may be added | hand 5/2; seat 1 set 5/6 | add to 5 | scores = [2, 0, 0]
        a set beaten later does not undo it | hand 2/5; seat 1 hand 3/1 9/8
            | 2, 3 | scores = [2, 0, 0]; hand =; discards = 2/5
    """


class TestC15WhenExactly(Rows):
    rows = """
        the seat before can still meet it | hand 2/5; seat 2 hand 3/1 9/8
            | 2, turn | may take 2 | turn | seat = 1; may not take 2
    """


class TestC16NothingForOthers(Rows):
    rows = """
        three markers a round | hand 2/5; seat 1 hand 3/1; players = 5
            | 2, 3, score | scores = [2, 1, 0, 0, 0]
    """


class TestC17AtOnce(Rows):
    rows = """
        the match ends in mid round | hand 2/5; seat 1 hand 3/1; scores = (3, 3, 0)
            | 2 | phase = MATCH_OVER; scores = [5, 3, 0]
    """


class TestC19Skipped(Rows):
    rows = """
        who is out has no turn | hand 2/5 8/1; out = 1; players = 4 | turn | seat = 2
    """


class TestC25Known(Rows):
    rows = """
        discards and cards taken are remembered | hand 2/5 7/2 8/1; seat 1 set 3/4 3/6
            | take 3 3            | known 0 = 4/3 6/3
            | turn, turn, turn    | known 0 = 3/4 3/6; known 1 =
            | turn, turn, 3, 3/4  | known 0 = 3/6
        what is beaten is known | hand 5/2 8/1; seat 1 set 3/4 | 5 | known 1 = 4/3
    """


class TestC26Pick(Rows):
    rows = """
        each subset | hand 3/1 3/2 3/4 9/8
            | 3 3 | phase = PICK; listed = ['3/1 3/2', '3/1 3/4', '3/2 3/4']
        also what is added | hand 5/1 5/2 8/1; seat 1 set 5/6 | add to 5 | moves = 5/1, 5/2
        no choice among cards that are alike | hand 1/9 1/9 8/2; players = 5
            | 1 | phase = ACTION; hand = 1/9 8/2
        alike cards count apart when there is another | hand 1/9 1/9 1/4 8/2; players = 5
            | 1 | listed = ['1/4', '1/9', '1/9']
        no choice when all are played | hand 3/1 3/2 9/8 | 3 3 | phase = ACTION
    """


class TestC27Order:
    def test_moves_are_listed_by_action_size_and_value(self):
        p = position("3/1 3/2 5/1 8/1 8/2", {1: "3/4", 2: "5/6 5/7"}, players=4)
        assert p.listed == ["5", "8", "8 8", "turn", "add to 5 5", "take 3", "take 5 5"]
        assert list(p.plain.moves(p.s)) == sorted(p.plain.moves(p.s))


class TestC28Cap(Rows):
    rows = """
        the cap aborts | hand 2/5 8/1; turns = 99; turn_cap = 100
            | turn | phase = MATCH_OVER; s.aborted = 1; clause turn_cap
        not when the action ends the round | hand 2/5; out = 1; turns = 99; turn_cap = 100
            | 2 | phase = ROUND_OVER
    """


class TestC29Aborted(Rows):
    rows = """
        no winner and no markers of the round
            | hand 2/5; scores = (1, 3, 0); turns = 98; turn_cap = 100
            | 2, turn | scores = [1, 3, 0]; s.winners = 0
    """


class TestC30Lead(Rows):
    rows = """
        the first round changes nothing | hand 2/5; seat 1 hand 3/1
            | 2, 3, score | lead_changes = 0; s.leaders = 1
    """

    def test_other_leaders_than_before(self):
        p = position("2/5", others={1: "3/1"}, scores=(0, 1, 0))
        p.s.round_number, p.s.leaders = 2, 2
        p.play("2", "3").score()
        assert p.metric("lead_changes") == 1

    def test_a_round_cut_short_does_not_count(self):
        p = position("2/5", scores=(3, 4, 0), markers_to_win=5)
        p.s.round_number, p.s.leaders = 2, 2
        assert p.play("2").metric("lead_changes") == 0


def test_the_deck_of_tests_is_profile_a():
    assert len(bits((1 << len(load_deck("a"))) - 1)) == 40
