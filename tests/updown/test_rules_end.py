"""The end of rounds and matches, and what is counted. Tests bear the marks of RULES.md."""

from __future__ import annotations

from simcore.batch import play
from simcore.events import RoundEnd, RoundStart
from simcore.match import Match
from tests.updown.rows import Rows
from tests.updown.test_oracles import cell_of


class TestEnd(Rows):
    rows = """
    [R18] last trick
        ends the round | last R12 R3 | | phase = ROUND_OVER
        its pot is lost | last F12 R3; pot = 2
            | score | scores = 0 0; lost_tricks = 3; largest_pot = 0
        a pot that is won is not | last R12 R3; pot = 2
            | score | scores = 3 0; lost_tricks = 0; largest_pot = 2
    [R19] most tricks
        one round | last R12 R3 F2; scores = (2, 4, 1)
            | score | phase = MATCH_OVER; s.winners = 2; rounds = 1
        several rounds | last R12 R3; scores = (2, 4); rounds = 2 | score | phase = ROUND_OVER
        are noted      | hands R2, R3; rounds = 2; round_number = 2 | | clauses = 1
    [R20] tie | last R12 R3
        a further round     | scores = (3, 4); tie_round = True | score | phase = ROUND_OVER
        not without the option | scores = (3, 4) | score | phase = MATCH_OVER; s.winners = 3
        nor without a tie   | scores = (4, 4); tie_round = True
            | score | phase = MATCH_OVER; s.winners = 1
    [C16] further rounds | last R12 R3; tie_round = True
        fifty               | scores = (3, 4); rounds = 2; round_number = 51
            | score | phase = ROUND_OVER
        at most fifty       | scores = (3, 4); rounds = 2; round_number = 52
            | score | phase = MATCH_OVER; s.aborted = 1; s.winners = 3
        a decision in the last is no abort | scores = (4, 4); round_number = 51
            | score | phase = MATCH_OVER; s.aborted = 0; s.winners = 1
    [C17] lead changes when other seats lead | trick R12 R3 F2
        not by the first trick that is won | | | winner = 0; lead_changes = 0; s.leaders = 1
        the same alone      | scores = (1, 0, 0) | | winner = 0; lead_changes = 0; s.leaders = 1
        no longer shared    | scores = (1, 1, 0) | | winner = 0; lead_changes = 1; s.leaders = 1
        shared now          | scores = (0, 1, 0) | | winner = 0; lead_changes = 1; s.leaders = 3
        two others          | scores = (0, 2, 2) | | winner = 0; lead_changes = 0; s.leaders = 6
        all three           | scores = (1, 2, 2) | | winner = 0; lead_changes = 1; s.leaders = 7
        not without a winner | trick F12 R3 F2; scores = (1, 1, 0)
            | | winner = None; lead_changes = 0; s.leaders = 3
    [C18] nobody has a trick
        all share | last F12 R3 R4; pot = 13
            | score | phase = MATCH_OVER; s.winners = 7; s.aborted = 0
    [C19] counting
        a trump that is also the only card | trick R7 R3 F2  | | trump_wins = 1
        no trump                           | trick R12 R3 F2 | | trump_wins = 0; largest_pot = 0
        no winner                          | trick R7 F7 F2  | | trump_wins = 0
    """


def test_r19_rounds_are_set_up_afresh_and_added_up():
    deals = set()
    before = [0] * 3
    for event in Match(cell_of(3, rounds=4), 0):
        if isinstance(event, RoundStart):
            deals.add(tuple(event.s.hand[seat] for seat in range(3)))
            assert event.s.scores[:3] == before
            assert not any(event.s.played)
        if isinstance(event, RoundEnd):
            before = event.after.s.scores[:3]
    assert len(deals) == 4


def test_c11_no_pot_is_carried_over():
    carried = pot = 0
    for match in range(8):
        for event in Match(cell_of(2, rounds=3), match):
            if isinstance(event, RoundEnd):
                pot = int(event.s.pot)
            if isinstance(event, RoundStart):
                carried += pot > 0
                pot = 0
                assert event.s.pot == 0
    assert carried > 1


def test_c16_further_rounds_only_with_a_tie():
    block = play(cell_of(3, tie_round=True), 0, 3000)
    columns = block.columns()
    assert set(block.winners.tolist()) == {1, 2, 4}
    further = columns["rounds"] > 1
    assert 0.05 < further.mean() < 0.3
    assert ((columns["clauses"] >> 1 & 1) == further).all()
