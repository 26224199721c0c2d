"""The frame against numbers computed again from the rows, for planted and played studies."""

import math

import numpy as np
import polars as pl
import pytest

from simcore.game import get_game
from studies.answers.frame import answers
from studies.store.opened import open_study
from tests.studies.oracle import (
    Oracle,
    another_winner,
    factor_effects,
    quantile,
    unrelated,
)
from tests.studies.planted import FACTORS, PLANTS, planted_as

EXACT = 1e-9
ENOUGH = 200
"""Deals that must tell something before an interval is a matter of the usual formula alone."""


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """Return a function that plants a study of `plants.PLANTS` once."""
    made = {}

    def of(name):
        if name not in made:
            made[name] = planted_as(tmp_path_factory.mktemp("planted") / name, name)
        return open_study(made[name])

    return of


def frame_of(stored, **told):
    return answers(stored.cells, stored.totals, study=stored.study, **told).frame


def keyed(frame, stored):
    """Return the frame's rows by point, line-up, variant, kind, who, number and against."""
    sweep = list(stored.cells[0].point)
    return {
        (
            tuple((key, row[key]) for key in sweep),
            *(row[name] for name in ("lineup", "variant", "kind", "who", "number", "against")),
        ): row
        for row in frame.iter_rows(named=True)
    }


WITHOUT_POINTS = [name for name in PLANTS if name not in ("summary", "summary_aborted", "factors")]
METRICS = get_game("up").metric_names
KINDS = ("level", "seating", "after", "change", "relative", "difference", "interaction")


@pytest.mark.whole_but(
    "many",
    "aborted",
    "all_aborted",
    "one_deal",
    "two_players",
    "ten_rotated",
    "variants",
    "population_rare",
)
@pytest.mark.parametrize("name", WITHOUT_POINTS)
def test_estimates_and_widths(planted, name):
    stored = planted(name)
    frame = keyed(frame_of(stored), stored)
    oracle = Oracle(stored.cells, lambda cell: stored.rows(cell).collect())
    expected = oracle.answers()
    told = {
        key
        for key, row in frame.items()
        if key[3] in KINDS
        and key[5] not in ("unrelated", "agreement")
        and row["estimate"] is not None
    }
    assert told, "nothing is told"
    assert told <= expected.keys(), sorted(told - expected.keys(), key=str)[:5]
    untold = {key for key in expected.keys() - told if not silent(key, stored)}
    assert not untold, sorted(untold, key=str)[:5]
    apart = []
    for key in told:
        row, number = frame[key], expected[key]
        assert row["estimate"] == pytest.approx(number.value, abs=EXACT, rel=EXACT), key
        apart += widths_apart(row, number, key)
    near(apart, name)


def silent(key, stored):
    """Whether a number is left out on purpose: it cannot vary, or a control is never in play."""
    _, lineup, variant, kind, who, number, _ = key
    if kind == "interaction" and number not in (*METRICS, "win_rate", "score"):
        return True
    if number == "in_play" and variant == "same":
        return True
    if number.startswith("decided_"):
        return not any(
            stored.totals(cell).total("aborted")
            for cell in stored.cells
            if cell.lineup == lineup and tuple(cell.point.items()) == key[0]
        )
    seats = next(cell.seats for cell in stored.cells if cell.lineup == lineup)
    return len(set(seats)) == 1 and who.startswith("policy") and number == "win_rate"


def widths_apart(row, number, key):
    """Yield how far a half-width is off where many deals tell; each interval holds its estimate."""
    low, high = row["low"], row["high"]
    if low is None or high is None:
        return
    assert low - EXACT <= row["estimate"] <= high + EXACT, key
    if len(number.adds) < ENOUGH or steps(number.adds) < ENOUGH:
        return
    if key[5] in SHARES and not 0.1 < level_of(row, key) < 0.9:
        return
    yield (high - low) / 2 / number.half_width - 1


def near(apart, name):
    """Check that widths are those by deal: exactly where deals are groups, else by chance.

    A standard error of 1,021 groups scatters by 2 %, of skewed numbers by more.
    """
    off = np.abs(apart)
    if name in ("many", "rare", "rarely_moved"):
        assert len(off) > 10
        assert np.mean(off > 0.06) <= 0.02
        assert off.max() < 0.12
    elif len(off):
        assert off.max() < 0.04


def steps(adds):
    """Return how many equal steps would have this sum and sum of squares."""
    squares = np.sum(adds**2)
    return np.sum(np.abs(adds)) ** 2 / squares if squares else 0


SHARES = {
    "win_rate",
    "another_winner",
    "in_play",
    "aborted",
    "shared_win",
    "led_throughout",
    "behind",
    "settled_by_quarter",
    "settled_by_half",
    "close",
    "runaway",
    "forced_share",
}


def level_of(row, key):
    """Return the level at which a share is, or was before it changed."""
    if key[3] in ("interaction", "factor", "difference") or key[6]:
        return 0.5  # of several levels
    return row["estimate"] if row["baseline"] is None else row["baseline"]


@pytest.mark.whole_only("pair")
@pytest.mark.parametrize("name", ["pair", "aborted", "variants", "ten_rotated"])
def test_unrelated(planted, name):
    stored = planted(name)
    frame = keyed(frame_of(stored), stored)
    oracle = Oracle(stored.cells, lambda cell: stored.rows(cell).collect())
    checked = 0
    for (point, lineup), members in oracle.tables.items():
        for variant, cell in members.items():
            row = frame.get((point, lineup, variant, "level", "", "unrelated", ""))
            if row is not None:
                expected = unrelated(members["baseline"], cell)
                assert row["estimate"] == pytest.approx(expected, abs=2e-3)
                kappa = frame[point, lineup, variant, "level", "", "agreement", ""]
                another = another_winner(members["baseline"], cell).value
                assert kappa["estimate"] == pytest.approx(1 - another / expected, abs=5e-3)
                assert kappa["low"] <= kappa["estimate"] <= kappa["high"] <= 1
                checked += 1
    assert checked


def test_factors(planted):
    stored = planted("factors")
    frame = frame_of(stored).filter(pl.col("kind") == "factor")
    expected = factor_effects(stored.cells, lambda cell: stored.rows(cell).collect(), FACTORS)
    checked = 0
    for row in frame.iter_rows(named=True):
        name = row["variant"].split("=")[0] if "×" not in row["variant"] else row["variant"]
        key = (name, row["who"], row["number"])
        if key not in expected:
            continue
        assert row["estimate"] == pytest.approx(expected[key].value, abs=EXACT), key
        place = ((), "", "", "factor", row["who"], row["number"], "")
        near(list(widths_apart(row, expected[key], place)), "factors")
        checked += 1
    assert checked > 50


@pytest.mark.whole_only("population")
@pytest.mark.parametrize("name", ["population", "population_rare"])
def test_population_means_are_plain_means_over_tables(planted, name):
    stored = planted(name)
    frame = frame_of(stored)
    told = frame.filter(pl.col("kind") == "population")
    assert told.height
    oracle = Oracle(stored.cells, lambda cell: stored.rows(cell).collect()).answers()
    for row in told.iter_rows(named=True):
        kind = "level" if row["variant"] == "baseline" or row["number"] == "another_winner" else ""
        kind = kind or "change"
        tables = [
            number.value
            for (_, lineup, *key), number in oracle.items()
            if key == [row["variant"], kind, row["who"], row["number"], ""]
            and (row["number"] != "win_rate" or mixed(stored, lineup, row["who"]))
            and (not row["who"].startswith("policy") or mixed(stored, lineup, row["who"]))
        ]
        assert row["estimate"] == pytest.approx(np.mean(tables), abs=EXACT), row


def mixed(stored, lineup, who):
    seats = next(cell.seats for cell in stored.cells if cell.lineup == lineup)
    return len(set(seats)) > 1 or not who.startswith("policy")


@pytest.mark.whole_but("aborted", "variants")
@pytest.mark.parametrize("name", ["plain", "aborted", "tied", "variants", "blocks", "sweep"])
def test_sums_tell_what_rows_tell(planted, name, tmp_path):
    stored = planted(name)
    summed = planted_as(tmp_path / "sums", name, detail="summary")
    one = frame_of(stored)
    two = frame_of(open_study(summed))
    assert one.equals(two)


@pytest.mark.whole_only("longer")
@pytest.mark.parametrize("name", ["longer", "aborted", "two_players"])
def test_quantiles(planted, name):
    stored = planted(name)
    frame = frame_of(stored).filter(pl.col("kind") == "quantile")
    assert frame.height
    oracle = Oracle(stored.cells, lambda cell: stored.rows(cell).collect())
    for row in frame.iter_rows(named=True):
        number, _, level = row["number"].rpartition(" q")
        cell = oracle.tables[(), row["lineup"]][row["variant"]]
        if number not in cell.columns:
            continue
        values = cell[number]
        if number == "comeback":
            values = values[cell.decided]
        expected = quantile(values, int(level) / 100)
        assert math.isclose(row["estimate"], expected, abs_tol=1), (row, expected)
        assert row["low"] <= row["estimate"] <= row["high"]
