"""Random play side by side in lanes gives the rows that matches one by one give."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.batch import _Columns, play, records
from simcore.games.updown.kernel import block_kernel, play_block
from simcore.games.updown.lanes import play_dials_in_lanes, play_in_lanes
from simcore.lanes import FOUR_AT_ONCE, LANES
from tests.players import RANDOM_PLAYER, TestPlayer
from tests.side_by_side import cell_of
from tests.updown.following import UPDOWN
from tests.updown.variants import VARIANTS, has_dials

pytestmark = pytest.mark.skipif(not FOUR_AT_ONCE, reason="lanes need wide vectors")

DIALS = [
    {"trump": "none"},
    {"leader_change": "may"},
    {"cancelling": "eligible"},
    {"next_leader": "winner"},
    {"last_pot": "carried", "rounds": 3},
    {"pot_tricks": False},
    *({"hand_cards": cards} for cards in (1, 3, 4, 5, 6, 7, 8, 9, 12)),
]
OPTIONS = [
    *VARIANTS,
    {"players": 2, "rounds": 2},
    {"players": 4, "tie_round": True},
    *({"players": 3, **dial} for dial in DIALS),
]


def kernel_of(options, *players):
    return block_kernel(*(array[0] for array in records(cell_of(UPDOWN, options, *players))))


def lanes_for(options):
    return play_dials_in_lanes if has_dials(options) else play_in_lanes


def assert_rows_are_the_same(options, first, count, **given):
    cell = cell_of(UPDOWN, options, RANDOM_PLAYER)
    rows = play(cell, first, count, **given)
    expected = _Columns(cell, count)
    play_block(*records(cell), cell.seed, first, count, expected.all(), 0)
    for name in ("first_seat", "winners", "aborted", "scores", "metrics"):
        assert np.array_equal(getattr(rows, name), getattr(expected, name)), name


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_rows_are_the_same(options):
    assert kernel_of(options, RANDOM_PLAYER) is lanes_for(options)
    assert_rows_are_the_same(options, 7, 60_000)


def test_long_matches():
    """In some of so many rounds the throws that a lane has do not suffice."""
    assert_rows_are_the_same({"players": 2, "rounds": 1000}, 3, 200)


# Found among a thousand million matches: without another draw their rows are different.
@pytest.mark.parametrize(
    ("match", "players"), [(696393589, 4), (1202077892, 3)], ids=["first trump", "toss"]
)
def test_a_random_number_is_drawn_again(match, players):
    assert_rows_are_the_same({"players": players}, match, 1)


@pytest.mark.parametrize("tie_round", [False, True])
@pytest.mark.parametrize("count", [1, LANES - 1, LANES, LANES + 1, 5 * LANES + 3])
def test_blocks_of_any_size(count, tie_round):
    assert_rows_are_the_same({"tie_round": tie_round}, 2, count)


def test_pieces_on_several_threads():
    assert_rows_are_the_same({"tie_round": True}, 5, 1000, threads=3)


def test_others_are_played_one_by_one():
    first = TestPlayer("first", lambda _table, _seat: 0)
    assert kernel_of({}, first) is play_block
    assert kernel_of({}, RANDOM_PLAYER, first) is play_block
