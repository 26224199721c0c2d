"""The tally against plain arithmetic, whole and in pieces."""

from __future__ import annotations

import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.api.tally import Sums, Tally

INT32 = st.integers(-(2**31), 2**31 - 1)


def columns_of(rows):
    """Rows (first seat, winning seats, scores, plays) of three seats as columns."""
    return {
        "match": np.arange(len(rows)),
        "first_seat": np.array([row[0] for row in rows], np.uint8),
        "winners": np.array([sum(1 << seat for seat in row[1]) for row in rows], np.uint16),
        "aborted": np.array([not row[1] for row in rows]),
        **{
            f"score_{seat}": np.array([row[2][seat] for row in rows], np.int32) for seat in range(3)
        },
        **{
            name: np.array([row[3] for row in rows], np.int32)
            for name in ("plays", "decisions", "forced")
        },
    }


ROWS = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sets(st.integers(0, 2)),
        st.tuples(INT32, INT32, INT32),
        INT32,
    ),
    min_size=2,
    max_size=30,
)


@given(st.lists(INT32, min_size=2, max_size=50))
def test_sums_are_exact_for_every_int32(values):
    sums = Sums()
    sums.add(np.array(values, np.int64))
    assert sums.mean == float(Fraction(sum(values), len(values)))
    assert sums.sd == pytest.approx(statistics.stdev(values), rel=1e-12)


@pytest.mark.parametrize("size", [0, 1])
def test_no_spread_of_fewer_than_two_values(size):
    sums = Sums()
    sums.add(np.ones(size, np.int64))
    assert sums.sd is None
    assert sums.mean == (1.0 if size else None)


@given(ROWS, st.data())
def test_pieces_add_up_to_the_whole(rows, data):
    whole, pieces = (Tally(["a", "b", "a"], ["plays"]) for _ in range(2))
    cut = data.draw(st.integers(0, len(rows)))
    whole.add(columns_of(rows))
    for part in (rows[:cut], rows[cut:]):
        pieces.add(columns_of(part))
    assert pieces.means() == whole.means()
    assert pieces.win_share_by_position() == whole.win_share_by_position()
    assert pieces.win_share_by_strategy() == whole.win_share_by_strategy()


@given(ROWS)
def test_shares_and_scores_against_plain_arithmetic(rows):
    tally = Tally(["a", "b", "a"], ["plays"])
    tally.add(columns_of(rows))
    by_position, scores = [Fraction(0)] * 3, [Fraction(0)] * 3
    by_strategy = {"a": Fraction(0), "b": Fraction(0)}
    winner_scores = []
    for first, winners, score, _ in rows:
        for seat in range(3):
            scores[(seat - first) % 3] += Fraction(score[seat], len(rows))
        for seat in winners:
            share = Fraction(1, len(winners) * len(rows))
            by_position[(seat - first) % 3] += share
            by_strategy["aba"[seat]] += share
        if winners:
            winner_scores.append(Fraction(sum(score[seat] for seat in winners), len(winners)))
    assert tally.win_share_by_position() == [float(share) for share in by_position]
    assert tally.win_share_by_strategy() == {name: float(s) for name, s in by_strategy.items()}
    assert [sums.mean for sums in tally.score_by_position] == [float(score) for score in scores]
    assert tally.aborted == sum(not row[1] for row in rows)
    assert tally.winner_score.mean == (
        float(sum(winner_scores) / len(winner_scores)) if winner_scores else None
    )
    assert tally.winner_count.mean == float(Fraction(sum(len(r[1]) for r in rows), len(rows)))


def test_a_match_without_winner_stays_in_the_denominator():
    tally = Tally(["a", "b", "a"], ["plays"])
    tally.add(columns_of([(0, {1}, (5, 2, 9), 1), (0, set(), (5, 2, 9), 1)]))
    assert tally.win_share_by_strategy() == {"a": 0.0, "b": 0.5}
    assert (tally.winner_score.count, tally.aborted) == (1, 1)
