"""House rules and dials, and what is refused. Tests bear the marks of RULES.md."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from simcore.batch import play
from simcore.errors import InputError
from simcore.events import RoundEnd, RoundStart, Step
from simcore.games.updown import rules as ud
from simcore.games.updown.rules import deck
from simcore.match import Match
from tests.updown.following import UPDOWN
from tests.updown.position import play_trick
from tests.updown.rows import Rows
from tests.updown.test_oracles import HAND_SIZES, cell_of

MOST = {2: 22, 3: 14, 4: 11}
HANDS = [(players, size) for players, most in MOST.items() for size in range(1, most + 1)]


def columns_of(matches, players, **options):
    return play(cell_of(players, **options), 0, matches).columns()


class TestHouseRules(Rows):
    rows = """
    [H2] no trump | trump = "none"
        the leader cannot roll | hands R2 R3, M4 M5 | | listed = flip, quarter, half, three
        no card is one | trick R2 R7 F2 M2 | | winner = None
    [H3] the leader may keep the rules | leader_change = "may"
        it is listed last | hands R2 R3, M4 M5 | | listed = flip, quarter, half, three, roll, keep
        also without a trump | hands R2 R3, M4 M5; trump = "none"
            | | listed = flip, quarter, half, three, keep
        by the rule text it is no move | hands R2 R3, M4 M5; leader_change = "must"
            | | listed = flip, quarter, half, three, roll
        nothing changes | hands R2 R3, F4 F5, M6 M7; rotation = 3; face = "DOWN"
            | | colours = FEDER, MONOKEL, HUT
            | keep | colours = FEDER, MONOKEL, HUT; s.face = 1; s.turn = 3; s.trump = 7
            |      | phase = CARD; kept = 1; clause kept; flips = 0; rotations = 0; rolls = 0
        another move is no keeping | hands R2 R3, M4 M5
            | half | kept = 0; rotations = 1; no clause kept
    [H4] only cards that could win cancel | cancelling = "eligible"
        by the rule text all do | trick R12 H12 M3 M4; cancelling = "all" | | winner = 2
        one that cannot does not | trick R12 H12 M3 M4 | | winner = 0; clause eligible
        the one that could win does, not another seat | trick H12 F12 H12 H3 | | winner = 1
        two unlike cards              | trick R12 R11 | | winner = 0
        two equal ones, one cannot win | trick R12 H12 | | winner = 0
        own colours cancel each other | trick R12 F12 M3 M4 | | winner = 2; no clause eligible
        trumps cancel each other in any colour | trick R7 M7 M3 M4
            | | winner = 2; no clause eligible
        a trump wins                  | trick R7 H3 | | trump_wins = 1
    [H5] who won leads | next_leader = "winner"
        any seat       | trick R3 F4 M12 R5 | | winner = 2; s.leader = 2; clause winner_leads
        the next clockwise | trick R12 H4 H3 R5; leader = 3
            | | winner = 0; s.leader = 0; no clause winner_leads
        another one    | trick R12 H4 H3 R5; leader = 1 | | s.leader = 0; clause winner_leads
        without a winner the next clockwise | trick F3 R3 R4 R5; leader = 3
            | | winner = None; s.leader = 0
        the last trick names nobody | last R12 R3 | | phase = ROUND_OVER; no clause winner_leads
    [H6] the last pot is carried | last F12 R3; pot = 2; last_pot = "carried"
        into the next round | rounds = 2
            | score | phase = ROUND_OVER; lost_tricks = 0; s.pot = 3
        it is lost at the end of the match | rounds = 2; round_number = 2
            | score | phase = MATCH_OVER; lost_tricks = 3
        does not settle a tie | scores = (4, 4); tie_round = True | score | phase = ROUND_OVER
        nor make one | scores = (4, 5); tie_round = True
            | score | phase = MATCH_OVER; lost_tricks = 3; scores = 4 5
    [H7] no pot | pot_tricks = False
        a trick that is won | trick F12 F3 R4 R5 | | winner = 1
        a trick without a winner is lost at once | trick H12 R3 R4 R5
            | | winner = None; s.pot = 0; pots = 1; lost_tricks = 1; clause lost_at_once
        the next winner gets one trick | hands H12 R12 H5, R3 R4 H2; choosing
            | H12, R3, flip, R12, R4 | scores = 1 0; largest_pot = 0; lost_tricks = 1
    [H8] the last trick counts twice | last_trick = "double"
        as two         | last R12 R3 | | scores = 2 0; tricks = 1; clause doubled
        with the pot   | last R12 R3; pot = 3; scores = (1, 4) | | scores = 6 4; largest_pot = 3
        another trick as one | trick R12 F3 M4 H5 | | scores = 1 0 0 0; no clause doubled
        without a winner two are lost | last F12 R3; pot = 1
            | score | scores = 0 0; pots = 1; lost_tricks = 3
        also at once  | last F12 R3; pot_tricks = False | score | pots = 1; lost_tricks = 2
        or carried    | last F12 R3; pot = 1; rounds = 2; last_pot = "carried" | score | s.pot = 3
    """


@pytest.mark.parametrize(("players", "size"), HANDS)
def test_h1_everybody_has_so_many_cards_and_plays_so_many_tricks(players, size):
    deals = set()
    for match in range(3):
        start = next(iter(Match(cell_of(players, hand_cards=size), match))).s
        hands = [hand.word for hand in start.hand]
        assert [int(hand).bit_count() for hand in hands] == [size] * players
        assert int(np.bitwise_or.reduce(hands)).bit_count() == players * size
        assert not any(hand & ~deck.all_cards for hand in hands)
        deals.add(tuple(hands))
    assert len(deals) == 3 or size * players < 4
    columns = columns_of(50, players, hand_cards=size)
    assert (columns["tricks"] == size).all()
    assert (columns["forced"] == players).all()
    assert (columns["decisions"] == size + players * (size - 1)).all()
    assert (columns["clauses"] == (size != HAND_SIZES[players]) << 3).all()


@pytest.mark.parametrize("players", MOST)
def test_h1_as_many_as_usual_change_nothing(players):
    usual = columns_of(50, players)
    for name, column in columns_of(50, players, hand_cards=HAND_SIZES[players]).items():
        assert np.array_equal(column, usual[name]), name


@pytest.mark.whole
@pytest.mark.parametrize("size", [14, 16, 19, 22])
def test_h1_the_order_of_a_large_hand_is_random(size):
    """Of its cards, in order, each is as likely as another to be played as number 1, 2, …."""
    matches, counts = 300, np.zeros((size, size))
    for match in range(matches):
        trick = 0
        for event in Match(cell_of(2, hand_cards=size), match):
            if isinstance(event, RoundStart):
                cards = list(event.s.hand[0])
            if isinstance(event, Step) and event.s.phase == ud.CARD and event.seat == 0:
                counts[trick, cards.index(event.move)] += 1
                trick += 1
    distance = ((counts - matches / size) ** 2 / (matches / size)).sum()
    assert (counts.sum(axis=0) == matches).all()
    assert stats.chi2.sf(distance, (size - 1) ** 2) > 1e-6


@pytest.mark.parametrize("value", range(3, 13))
def test_h2_without_a_trump_only_the_own_colour_wins(value):
    assert play_trick(f"R2 R{value} F2 M2", trump="none").winner is None


@pytest.mark.parametrize("players", MOST)
def test_h2_no_dice_are_thrown(players):
    assert next(iter(Match(cell_of(players, trump="none"), 0))).s.trump == 0
    assert (columns_of(50, players, trump="none")["clauses"] >> 4 & 1).all()


@pytest.mark.parametrize("players", MOST)
def test_h4_fewer_tricks_have_no_winner(players):
    usual = columns_of(2000, players)["pots"].mean()
    assert columns_of(2000, players, cancelling="eligible")["pots"].mean() < usual - 0.2


def test_h5_rose_names_the_first_leader_whoever_won_the_last_trick():
    leads = set()
    for match in range(12):
        last = None
        for event in Match(cell_of(3, rounds=3, next_leader="winner"), match):
            if isinstance(event, RoundStart) and last is not None:
                assert event.s.turn == event.s.leader
                leads.add((last, int(event.s.leader)))
            if isinstance(event, RoundEnd):
                last = int(event.s.last_winner)
    assert len(leads) > 6


def test_h6_a_round_begins_with_the_pot_of_the_last():
    pots = []
    for match in range(8):
        left = 0
        for event in Match(cell_of(2, rounds=4, last_pot="carried"), match):
            if isinstance(event, RoundStart):
                assert event.s.pot == left
                pots.append(left)
            if isinstance(event, RoundEnd):
                left = int(event.s.pot)
    assert sum(pots) > 5
    carried = columns_of(500, 2, rounds=3, last_pot="carried")["clauses"] >> 8 & 1
    assert 0 < carried.mean() < 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        pytest.param({"players": 1}, "players", id="[R1] two to four"),
        ({"players": 5}, "players"),
        *(({"players": n, "seating": "adjacent"}, "seating = 'adjacent'") for n in (3, 4)),
        ({"players": 2, "hand_cards": 23}, "hand_cards = '?23'? .* a whole number 1…22, or none"),
        ({"players": 3, "hand_cards": 15}, "hand_cards = '?15'? .* 1…14, or none"),
        ({"players": 4, "hand_cards": 12}, "hand_cards = '?12'? .* 1…11, or none"),
        (
            {"last_pot": "carried"},
            "last_pot = 'carried' is refused with .* rounds = 2…1000, or tie_round = true",
        ),
        (
            {"last_pot": "carried", "rounds": 3, "pot_tricks": False},
            "last_pot = 'carried' is refused with .* last_pot = lost, or pot_tricks = true",
        ),
    ],
)
def test_what_is_refused(options, words):
    with pytest.raises(InputError, match=words) as refusal:
        UPDOWN.resolve(options)
    assert "is refused" in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("players", MOST)
def test_two_to_four_players(players):
    assert UPDOWN.resolve({"players": players})["players"] == players
