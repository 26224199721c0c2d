"""A million rows: the same estimates as from few rows laid end to end, quick, in little memory."""

import resource
import time

import numpy as np
import polars as pl
import pytest

from studies.answers.frame import answers
from studies.store.opened import open_study
from tests.studies.planted import tile

TIMES = 2000
MEGABYTE = 1024  # in units of ru_maxrss


@pytest.fixture(scope="module")
def tiled(played, tmp_path_factory):
    directory = tmp_path_factory.mktemp("tiled") / "study"
    tile(played, directory, TIMES)
    return directory


def compare(directory):
    stored = open_study(directory)
    return answers(stored.cells, stored.totals, study=stored.study).frame


def test_a_million_rows(played, tiled):
    small = compare(played)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    large = compare(tiled)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    levels = large.filter(kind="level", number="aborted")
    assert levels["matches"].max() * 3 == 3 * 180 * TIMES > 1_000_000
    assert grown < 600 * MEGABYTE
    keys = ["variant", "kind", "who", "number", "against"]
    kinds = pl.col("kind").is_in(["level", "change", "after", "difference", "relative"])
    other_pairs = pl.col("number").is_in(["unrelated", "agreement"])  # of different deals
    plain = kinds & ~other_pairs
    one, two = small.filter(plain), large.filter(plain)
    assert one.select(keys).equals(two.select(keys))
    assert np.allclose(one["estimate"], two["estimate"], atol=1e-12, equal_nan=True)
    assert two["count"].equals(one["count"] * TIMES, null_equal=True)


@pytest.mark.speed
def test_a_million_rows_are_compared_soon(tiled):
    started = time.perf_counter()
    compare(tiled)
    assert time.perf_counter() - started < 20  # under one on an idle machine; 10⁷ rows take 4
