"""A million rows: the same estimates as from few rows laid end to end, quick, in little memory."""

import resource
import time

import pytest

from studies.compare.effects import compare
from tests.studies.synthetic import tile

TIMES = 2000
MEGABYTE = 1024  # in units of ru_maxrss


@pytest.fixture(scope="module")
def tiled(played, tmp_path_factory):
    directory = tmp_path_factory.mktemp("tiled") / "study"
    tile(played, directory, TIMES)
    return directory


def test_a_million_rows(played, tiled):
    small = compare(played)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    large = compare(tiled)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    rows = sum(effect.matches for effect in large.variants) * 3 // 2
    assert rows == 3 * 180 * TIMES > 1_000_000
    assert grown < 600 * MEGABYTE
    for mine, theirs in zip(small.variants, large.variants, strict=True):
        assert theirs.winners_differ_count == TIMES * mine.winners_differ_count
        assert theirs.floor.estimate == pytest.approx(mine.floor.estimate)
        assert theirs.in_play_count == (mine.in_play_count and TIMES * mine.in_play_count)
        for own, other in zip(
            (*mine.policies, *mine.positions), (*theirs.policies, *theirs.positions), strict=True
        ):
            assert (other.gained, other.lost) == (TIMES * own.gained, TIMES * own.lost)
            for one, two in ((own.win_share, other.win_share), (own.score, other.score)):
                assert two.change.estimate == pytest.approx(one.change.estimate)
    for mine, theirs in zip(small.lineups, large.lineups, strict=True):
        for own, other in zip(mine.policies, theirs.policies, strict=True):
            assert other.win_share.estimate == pytest.approx(own.win_share.estimate)


@pytest.mark.speed
def test_a_million_rows_are_compared_soon(tiled):
    started = time.perf_counter()
    compare(tiled)
    assert time.perf_counter() - started < 20  # under one on an idle machine; 10⁷ rows take 4
