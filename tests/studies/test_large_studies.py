"""A million rows: the same estimates as from few rows laid end to end, quick, in little memory."""

import resource
import time

import numpy as np
import polars as pl
import pytest

from tests.studies.conftest import frame_of
from tests.studies.planted import tile

TIMES = 2000
MEGABYTE = 1024  # in units of ru_maxrss


@pytest.fixture(scope="module")
def tiled(played, tmp_path_factory):
    directory = tmp_path_factory.mktemp("tiled") / "study"
    tile(played, directory, TIMES)
    return directory


def test_a_million_rows(played, tiled):
    small = frame_of(played)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    large = frame_of(tiled)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    levels = large.filter(kind="level", number="aborted")
    assert levels["matches"].max() * 3 == 3 * 180 * TIMES > 1_000_000
    assert grown < 600 * MEGABYTE
    keys = ["variant", "kind", "who", "number", "against"]
    kinds = pl.col("kind").is_in(["level", "change", "after", "difference", "relative"])
    plain = kinds & ~pl.col("number").is_in(["unrelated", "agreement"])  # of different deals
    few, many = small.filter(plain), large.filter(plain)
    assert few.select(keys).equals(many.select(keys))
    assert np.allclose(few["estimate"], many["estimate"], atol=1e-12, equal_nan=True)
    assert many["count"].equals(few["count"] * TIMES, null_equal=True)


@pytest.mark.speed
def test_a_million_rows_are_compared_soon(tiled):
    started = time.perf_counter()
    frame_of(tiled)
    assert time.perf_counter() - started < 20  # under one on an idle machine; 10⁷ rows take 4
