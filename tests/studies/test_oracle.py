"""The frame against numbers computed again from the rows, for planted and played studies."""

import math

import numpy as np
import pytest

from simcore.catalogue import get_game
from studies.answers.population import ALL_TABLES
from tests.studies.conftest import frame_of
from tests.studies.oracle import Oracle, another_winner, factor_effects, quantile, unrelated
from tests.studies.planted import FACTORS, PLANTS, planted_as

EXACT = 1e-9
ENOUGH = 200
"""Deals that must tell something before an interval is a matter of the usual formula alone."""

METRICS = get_game("up").metric_names
KINDS = ("level", "seating", "after", "change", "relative", "difference", "interaction")
WITH_ROWS = [name for name in PLANTS if name not in ("summary", "summary_aborted", "factors")]


def keyed(stored, frame):
    """Return a frame's rows by point, line-up, variant, kind, who, number and against."""
    names = ("lineup", "variant", "kind", "who", "number", "against")
    point = list(stored.cells[0].point)
    return {
        (tuple((key, row[key]) for key in point), *(row[name] for name in names)): row
        for row in frame.iter_rows(named=True)
    }


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
@pytest.mark.parametrize("name", WITH_ROWS)
def test_estimates_counts_and_widths(planted, planted_frame, name):
    stored = planted(name)
    frame = keyed(stored, planted_frame(name))
    expected = Oracle(stored).answers()
    keys = {
        key
        for key, row in frame.items()
        if key[3] in KINDS
        and key[1] != ALL_TABLES
        and key[5] not in ("unrelated", "agreement")
        and row["estimate"] is not None
    }
    assert keys, "nothing is told"
    uncounted = sorted({key[5] for key in keys - expected.keys()})
    assert not uncounted, f"tests/studies/oracle.py does not count {', '.join(uncounted)}; add them"
    untold = {key for key in expected.keys() - keys if not is_left_out(key, stored)}
    assert not untold, sorted(untold, key=str)[:5]
    apart = []
    for key in keys:
        row, number = frame[key], expected[key]
        assert row["estimate"] == pytest.approx(number.value, abs=EXACT, rel=EXACT), key
        assert row["count"] in (None, number.events), key
        apart += widths_apart(row, number, key)
    assert_near(apart, name)


def is_left_out(key, stored):
    """Whether a number is left out on purpose: it cannot vary, or a control is never in play."""
    point, lineup, variant, kind, who, number, _ = key
    if kind == "interaction" and number not in (*METRICS, "win_rate", "score"):
        return True
    if number == "in_play" and variant == "same":
        return True
    cells = [cell for cell in stored.cells if cell.lineup == lineup]
    if number.startswith("decided_"):
        cells = [cell for cell in cells if tuple(cell.point.items()) == point]
        return not any(stored.totals(cell).total("aborted") for cell in cells)
    return len(set(cells[0].seats)) == 1 and who.startswith("policy") and number == "win_rate"


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


def assert_near(apart, name):
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
def test_unrelated_matches_and_agreement(planted, planted_frame, name):
    stored = planted(name)
    frame = keyed(stored, planted_frame(name))
    checked = 0
    for (point, lineup), members in Oracle(stored).tables.items():
        for variant, cell in members.items():
            place = (point, lineup, variant, "level", "")
            if (*place, "unrelated", "") not in frame:
                continue
            row, kappa = (frame[*place, name, ""] for name in ("unrelated", "agreement"))
            expected = unrelated(members["baseline"], cell)
            another = another_winner(members["baseline"], cell).value
            assert row["estimate"] == pytest.approx(expected, abs=2e-3)
            assert kappa["estimate"] == pytest.approx(1 - another / expected, abs=5e-3)
            assert kappa["low"] <= kappa["estimate"] <= kappa["high"] <= 1
            checked += 1
    assert checked


def test_factors(planted, planted_frame):
    stored = planted("factors")
    expected = factor_effects(stored, FACTORS)
    checked = 0
    for row in planted_frame("factors").filter(kind="factor").iter_rows(named=True):
        name = row["variant"].split("=")[0] if "×" not in row["variant"] else row["variant"]
        number = expected.get((name, row["who"], row["number"]))
        if number is None:
            continue
        assert row["estimate"] == pytest.approx(number.value, abs=EXACT), row
        place = ((), "", "", "factor", row["who"], row["number"], "")
        assert_near(list(widths_apart(row, number, place)), "factors")
        checked += 1
    assert checked > 50


@pytest.mark.whole_only("population")
@pytest.mark.parametrize("name", ["population", "population_rare"])
def test_population_means_are_plain_means_over_tables(planted, planted_frame, name):
    stored = planted(name)
    rows = planted_frame(name).filter(kind="population")
    assert rows.height
    seats = {cell.lineup: cell.seats for cell in stored.cells}
    numbers = Oracle(stored).answers()
    for row in rows.iter_rows(named=True):
        is_level = row["variant"] == "baseline" or row["number"] == "another_winner"
        of_policy = row["who"].startswith("policy")
        tables = [
            number.value
            for (_, lineup, *key), number in numbers.items()
            if key
            == [
                row["variant"],
                "level" if is_level else "change",
                row["who"],
                row["number"],
                "",
            ]
            and (not of_policy or len(set(seats[lineup])) > 1)
        ]
        assert row["estimate"] == pytest.approx(np.mean(tables), abs=EXACT), row


@pytest.mark.whole_but("aborted", "variants")
@pytest.mark.parametrize("name", ["plain", "aborted", "tied", "variants", "blocks", "sweep"])
def test_sums_tell_what_rows_tell(planted_frame, name, tmp_path):
    summed = planted_as(tmp_path / "sums", name, detail="summary")
    assert planted_frame(name).equals(frame_of(summed))


@pytest.mark.whole_only("longer")
@pytest.mark.parametrize("name", ["longer", "aborted", "two_players"])
def test_quantiles(planted, planted_frame, name):
    stored = planted(name)
    frame = planted_frame(name).filter(kind="quantile")
    assert frame.height
    oracle = Oracle(stored)
    for row in frame.iter_rows(named=True):
        number, _, level = row["number"].rpartition(" q")
        cell = oracle.tables[(), row["lineup"]][row["variant"]]
        if number not in cell:
            continue
        values = cell[number][cell.decided] if number == "comeback" else cell[number]
        expected = quantile(values, int(level) / 100)
        assert math.isclose(row["estimate"], expected, abs_tol=1), (row, expected)
        assert row["low"] <= row["estimate"] <= row["high"]
