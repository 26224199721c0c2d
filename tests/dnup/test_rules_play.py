"""Actions, sets, and the ends of round and match. Rows bear the marks of RULES.md."""

from __future__ import annotations

from simcore.games.dnup.deck import load_deck
from tests.dnup.following import bits
from tests.dnup.position import position
from tests.dnup.rows import Rows


class TestActions(Rows):
    rows = """
    [R1] cards
        a card has two values                 | hand 2/5 7/2 | | moves = 2, 7, turn
        one of them is active, here the other | hand 5/2 2/7 | | moves = 2, 5, turn
    [R4] cards with the same active value are a set
        of one to four | hand 3/1 3/2 3/4 3/6 4/5
            | | moves = 3, 4, 3 3, 3 3 3, 3 3 3 3, turn
    [R5] clockwise
        the turn passes | hand 2/5 7/2 | turn | seat = 1 | turn | seat = 2 | turn | seat = 0
    [R6] discard
        the old set goes before the next action | hand 2/5 7/2 4/5
            | 7, turn | lying 0 = 7 | turn | seat = 0; lying 0 =; discards = 2/7
    [R7] one action of four
        the moves | hand 3/1 3/2 7/4; seat 1 set 3/6; seat 2 set 5/6 5/7
            | | moves = 7, turn, take 3, take 5 5
        turns count actions | hand 3/1 3/2 7/4; seat 1 set 1/6 | 3, 3/1, turn | s.turns = 2
    [R8] golden rule
        what is taken is turned | hand 8/1; seat 1 set 2/5 2/7 2/9
            | take 2 2 2 | hand = 5/2 7/2 8/1 9/2
        what is beaten is turned
            | hand 5/2 8/1; seat 1 set 3/4; seat 2 set 4/6 4/8; seat 1 hand 9/1
            | 5 | hand 1 = 4/3 9/1
    [R9] play
        three 7s beat three 6s | hand 7/2 7/3 7/4 1/2; seat 1 set 7/1; seat 2 set 6/1 6/2 6/3
            | | may 7 7 7
        some cards may be kept | hand 3/1 3/2 3/4 9/8
            | 3 3, 3/1 3/4 | lying 0 = 3 3; hand = 3/2 9/8
        the lower set goes back | hand 7/2 7/3 8/1; seat 2 set 3/4 3/6; seat 2 hand 9/1
            | 7 7 | lying 0 = 7 7; lying 2 =; hand 2 = 4/3 6/3 9/1; sets_beaten = 1
        the example of the rules: a single 7 and three 6s lie
            | hand 7/2 8/1 5/1 5/2 5/3 5/4 1/2 1/3 9/6; seat 1 set 7/1; seat 2 set 6/1 6/2 6/3
            | | plays = 1 1, 5 5, 5 5 5 5, 8, 9
    [R10] add
        no 3 while two 5s lie | hand 3/1 8/2; seat 1 set 3/6; seat 2 set 5/6 5/7
            | | may not add to 3
        a 5 sends two 3s back, which become a 4 and a 6
            | hand 5/1 8/2; seat 2 set 5/6; seat 1 set 3/4 3/6; seat 1 hand 9/1
            | add to 5 | lying 2 = 5 5; hand 1 = 4/3 6/3 9/1; cards_added = 1; sets_beaten = 1
        the value must be that of the set | hand 4/1 6/2; seat 1 set 5/6
            | | moves = 6, turn, take 5
    [R11] take
        a whole set is taken | hand 8/1; seat 1 set 2/5 2/7
            | take 2 2 | lying 1 =; hand = 5/2 7/2 8/1; sets_taken = 1
    [R12] turn
        all hand cards are turned | hand 2/5 7/2 4/5; seat 1 set 1/6
            | turn | hand = 2/7 5/2 5/4; lying 1 =
        twice is as before | hand 2/5 7/2 4/5 | | hand = 2/5 4/5 7/2; known 0 =
            | turn, turn, turn | hand = 2/7 5/2 5/4; known 0 =
            | turn             | hand = 2/5 4/5 7/2; known 0 =
    [C5] star card
        it need not be played          | hand 1/5* 8/2 | | may 8; may turn; may 1
        nor with the other side active | hand 5/1* 8/2 | | may 8; may turn; may 5
    [C6] the set is discarded as it lies
        nothing when it was taken | hand 2/5 8/1; seat 1 hand 3/7 9/1
            | 2, take 2, turn | discards =
        added cards too | hand 2/5 8/1; seat 1 hand 2/7 9/1 | 2, add to 2, turn | discards = 2/5 2/7
    [C7] no passing
        turning is always possible | hand 2/5; seat 1 set 9/1 | | may turn
    [C8] strictly higher
        an equal value does not beat | hand 7/2 7/3; seat 1 set 7/1 | | may not 7
        nor when a set grows | hand 5/1 8/2; seat 1 set 5/6; seat 2 set 5/4 5/7
            | | may not add to 5
    [C9] one set of a size
        no two | hand 7/2 8/2; seat 1 set 3/1; seat 2 set 4/1 4/2
            | 7 | lying 0 = 7; lying 1 =; lying 2 = 4 4
    [C10] the set of a player who is out
        it is discarded when beaten by a | hand 7/2 8/2; seat 2 set 3/1; out = 2
            | 7 | discards = 1/3; hand 2 =; sets_beaten = 1
        it is discarded when beaten by b
            | hand 5/2 8/2; seat 3 set 5/6; seat 2 set 3/1 3/2; out = 2; players = 4
            | add to 5 | discards = 1/3 2/3; hand 2 =; sets_beaten = 1
    [C11] growth
        a card is added as it is held | hand 2/5 8/1; seat 1 set 5/6 | | may not add to 5
        the size that becomes free causes nothing
            | hand 5/2 8/2; seat 2 set 5/6; seat 1 set 3/1 3/2 3/4; players = 4; out = 3
            | add to 5 | lying 2 = 5 5; sets_beaten = 0
    [C12] the set of a player who is out
        it may grow or be taken | hand 3/2 8/2; seat 2 set 3/1; out = 2; players = 4
            | | may add to 3; may take 3; may 8 | take 3 | hand = 1/3 3/2 8/2
        growing does not prolong its stay | hand 3/2 8/2; seat 2 set 3/1; out = 2; players = 4
            | add to 3, turn | seat = 3; lying 2 =; discards = 1/3 2/3
    [C13] no limit
        a hand may grow | hand 8/1 8/2 8/3 8/4 8/5 8/6 8/7; seat 1 set 2/5 2/7 2/9
            | take 2 2 2 | hand = 5/2 7/2 8/1 8/2 8/3 8/4 8/5 8/6 8/7 9/2
    [C25] known cards
        discards and cards taken are remembered | hand 2/5 7/2 8/1; seat 1 set 3/4 3/6
            | take 3 3            | known 0 = 4/3 6/3
            | turn, turn, turn    | known 0 = 3/4 3/6; known 1 =
            | turn, turn, 3, 3/4  | known 0 = 3/6
        what is beaten is known | hand 5/2 8/1; seat 1 set 3/4 | 5 | known 1 = 4/3
    [C26] picking the cards
        each subset | hand 3/1 3/2 3/4 9/8
            | 3 3 | phase = PICK; listed = 3/1 3/2, 3/1 3/4, 3/2 3/4
        also what is added | hand 5/1 5/2 8/1; seat 1 set 5/6 | add to 5 | moves = 5/1, 5/2
        no choice among cards that are alike | hand 1/9 1/9 8/2; players = 5
            | 1 | phase = ACTION; hand = 1/9 8/2
        alike cards count apart when there is another | hand 1/9 1/9 1/4 8/2; players = 5
            | 1 | listed = 1/4, 1/9, 1/9
        no choice when all are played | hand 3/1 3/2 9/8 | 3 3 | phase = ACTION
    [C27] order of moves
        by action, size and value
            | hand 3/1 3/2 5/1 8/1 8/2; seat 1 set 3/4; seat 2 set 5/6 5/7; players = 4
            | | listed = 5, 8, 8 8, turn, add to 5 5, take 3, take 5 5; is_sorted = True
    """


class TestEnds(Rows):
    rows = """
    [R13] first out
        two markers and no more turns | hand 2/5; scores = (1, 0, 0)
            | 2          | scores = 3 0 0; phase = ACTION; seat = 1
            | turn, turn | seat = 1
        the set stays until all others had a turn | hand 2/5
            | 2, turn | lying 0 = 2 | turn | lying 0 =; discards = 2/5
    [R14] second out
        one marker and the round is over | hand 2/5; seat 1 hand 3/1; players = 4
            | 2, 3 | phase = ROUND_OVER | score | scores = 2 1 0 0
    [R15] goal
        four markers win | hand 2/5; scores = (2, 3, 3)
            | 2 | phase = MATCH_OVER; s.winners = 1; clause goal
        the second out can win too | hand 2/5; seat 1 hand 3/1; scores = (0, 3, 0)
            | 2, 3, score | phase = MATCH_OVER; s.winners = 2
        another goal | hand 2/5; scores = (2, 0, 0); markers_to_win = 5 | 2 | phase = ACTION
    [C14] also by adding
        the last card may be added | hand 5/2; seat 1 set 5/6 | add to 5 | scores = 2 0 0
        a set beaten later does not undo it | hand 2/5; seat 1 hand 3/1 9/8
            | 2, 3 | scores = 2 0 0; hand =; discards = 2/5
    [C15] when exactly
        the seat before can still meet it | hand 2/5; seat 2 hand 3/1 9/8
            | 2, turn | may take 2 | turn | seat = 1; may not take 2
    [C16] nothing for others
        three markers a round | hand 2/5; seat 1 hand 3/1; players = 5
            | 2, 3, score | scores = 2 1 0 0 0
    [C17] at once
        the match ends in mid round | hand 2/5; seat 1 hand 3/1; scores = (3, 3, 0)
            | 2 | phase = MATCH_OVER; scores = 5 3 0
    [C19] a player who is out
        has no turn | hand 2/5 8/1; out = 1; players = 4 | turn | seat = 2
    [C28] cap
        it aborts | hand 2/5 8/1; turns = 99; turn_cap = 100
            | turn | phase = MATCH_OVER; s.aborted = 1; clause turn_cap
        not when the action ends the round | hand 2/5; out = 1; turns = 99; turn_cap = 100
            | 2 | phase = ROUND_OVER
    [C29] aborted
        no winner and no markers of the round
            | hand 2/5; scores = (1, 3, 0); turns = 98; turn_cap = 100
            | 2, turn | scores = 1 3 0; s.winners = 0
    [C30] lead
        the first round changes nothing | hand 2/5; seat 1 hand 3/1
            | 2, 3, score | lead_changes = 0; s.leaders = 1
        other leaders than before | hand 2/5; seat 1 hand 3/1; scores = (0, 1, 0);
            round_number = 2; leaders = 2 | 2, 3, score | lead_changes = 1
        a round cut short does not count
            | hand 2/5; scores = (3, 4, 0); markers_to_win = 5; round_number = 2; leaders = 2
            | 2 | lead_changes = 0
    """


class TestTwoPlayers(Rows):
    rows = """
    [R17] area 1, then area 2 | players = 2
        both moves of each | hand 2/5 7/2 4/8
            | | seat = 0; area = 1 | turn | seat = 0; area = 2 | turn | seat = 1; area = 1
            | turn | seat = 1; area = 2 | turn | seat = 0; area = 1
        each discards its own area | hand 2/5 7/2 4/8; seat 0 set2 3/4 3/6; seat 1 set 1/4
            | | lying 1 = 3 3 | turn | lying 1 =; discards = 3/4 3/6
    [R18] two sets | players = 2
        a player may have both | hand 2/5 7/6 7/9 4/8 | 2, 7 7 | lying 0 = 2; lying 1 = 7 7
    [R20] last card | players = 2
        it wins the round | hand 2/5 | 2 | phase = ROUND_OVER | score | scores = 1 0
    [R21] two rounds | players = 2; scores = (1, 1)
        they win | hand 2/5 | 2, score | phase = MATCH_OVER; s.winners = 1; clause goal
        another goal | hand 2/5; rounds_to_win = 3 | 2, score | phase = ROUND_OVER
    [C20] own set | players = 2; area = 2
        it must be beaten and comes back | hand 7/2 3/8 4/8; seat 0 set 6/1 | | moves = 7, turn
            | 7 | lying 0 =; lying 1 = 7; hand = 1/6 3/8 4/8
    [C21] sets of others only | players = 2; area = 2
        one's own is no target | hand 6/7 3/8; seat 0 set 6/1; seat 1 set2 4/1 4/8
            | | moves = turn, take 4 4
    [C22] order | players = 2
        after the start the other makes two | hand 7/2 3/8; area = 2
            | turn | seat = 1; area = 1 | turn | seat = 1; area = 2
        a set lies in the area of the move | hand 7/2 3/8 4/8; area = 2 | 7 | lying 0 =; lying 1 = 7
        the area stays empty after other actions | hand 4/9 3/8; seat 1 set 4/1
            | add to 4 | lying 0 =; lying 2 = 4 4
    [C23] own set returns | players = 2
        the last card wins all the same | hand 7/2; seat 0 set 6/1; area = 2
            | 7 | phase = ROUND_OVER; hand = 1/6; clause set_returned; sets_beaten = 1
        or the collision comes first | hand 7/2; seat 0 set 6/1; area = 2; win_on_playing = False
            | 7 | phase = ACTION; seat = 1; hand = 1/6
        otherwise it is won | hand 7/2; seat 1 set 6/1; area = 2; win_on_playing = False
            | 7 | phase = ROUND_OVER; no clause set_returned
    [C24] rounds | players = 2
        the score is rounds won | hand 2/5; seat 1 hand 9/2 | 2, score | scores = 1 0
    """


def test_r16_two_players_have_only_cards_without_symbol():
    p = position("2/5", players=2)
    assert {p.deck[card].players for card in range(40) if p.plain.o.in_play >> card & 1} == {2}
    assert p.plain.o.deck_size == 18


def test_the_deck_of_tests_is_profile_a():
    assert len(bits((1 << len(load_deck("a"))) - 1)) == 40
