"""Figures: marks at the places of their numbers, in a page and as PNG, inside the figure."""

import io
import re

import pytest

from simcore.errors import InputError
from studies.plots import charts
from studies.plots.charts import shade
from studies.plots.figure import save, to_svg
from studies.view.figures import draw
from studies.view.grid import Grid, Heading
from studies.view.named import figure
from tests.studies.planted import ALONE, PAIR, lively, plant


def estimate(value, low, high):
    return {"estimate": value, "low": low, "high": high, "text": f"{value} of all"}


def dots(rows, label):
    return charts.forest([charts.Panel({"": rows}, label)])


def words_of(drawn):
    return re.findall(r"<text[^>]*>([^<]+)</text>", drawn)


def marks_of(drawn):
    tips = re.findall(r'cx="([\d.]+)" cy="([\d.]+)"[^>]*><title>([^<]*)</title>', drawn)
    return [(float(x), float(y), text) for x, y, text in tips]


def test_colours_of_cells_run_from_less_over_even_to_more():
    less, most, even, more = (shade(away) for away in (-2, -1, 0, 1))
    assert less == most
    assert len({most, even, more}) == 3
    assert shade(0.5) not in (even, more)


def test_a_mark_stands_where_its_number_belongs():
    rows = {"lower": estimate(25, 20, 30), "upper": estimate(75, 70, 80)}
    drawn = to_svg(dots(rows, "share, %"), "own", 'a "title" <')
    assert 'aria-label="a &quot;title&quot; &lt;"' in drawn
    (x, y, text), (x_upper, y_upper, _) = marks_of(drawn)
    assert text == "25 of all"
    assert y < y_upper  # the first row is the upper one
    ticks = {
        float(number): float(place)
        for place, number in re.findall(r'<text [^>]*x="([\d.]+)"[^>]*>(\d+)</text>', drawn)
    }
    (low, place), (high, end) = min(ticks.items()), max(ticks.items())
    scale = (end - place) / (high - low)
    assert x == pytest.approx(place + scale * (25 - low), abs=0.6)
    assert x_upper == pytest.approx(place + scale * (75 - low), abs=0.6)


def test_a_row_without_an_interval_has_a_mark_and_no_bar():
    chart = dots({"known": estimate(50, 40, 60), "few": estimate(20, None, None)}, "x")
    (axes,) = chart.axes
    (bars,) = axes.containers
    low, high = bars.lines[2][0].get_segments()[1][:, 0]
    assert low == high == 20


def test_panels_share_their_rows_and_name_series_once():
    rows = {"a": estimate(0.1, 0.0, 0.2), "b": estimate(0.2, 0.1, 0.3)}
    panels = [charts.Panel({"first": rows, "second": rows}, label) for label in ("x", "y", "z")]
    for narrow in (False, True):
        words = words_of(to_svg(charts.forest(panels, narrow=narrow), "own", ""))
        assert words.count("first") == words.count("second") == words.count("a") == 1
        assert {"x", "y", "z"} <= set(words)


def test_a_histogram_has_equal_bins_of_whole_numbers_and_marks_the_mean():
    chart = charts.histograms({"one": {10: 1, 20: 1}, "two": {10: 3, 20: 1}}, "plays")
    means = [x for _, x, _, _ in chart.tips]
    assert means == [15, 12.5]
    areas = [axes.patches[0].get_data().values.sum() for axes in chart.axes]
    assert areas == pytest.approx([100, 100])


def test_every_figure_of_a_report_is_whole_and_its_own(figures):
    assert len(figures) >= 18
    assert {chart.narrow for _, chart, _ in figures} == {False, True}
    for name, chart, drawn in figures:
        words = set(words_of(drawn))
        for axes in chart.axes:
            labels = f"{axes.get_xlabel()}\n{axes.get_ylabel()}".split("\n")
            assert set(labels) - {""} <= words, name
        assert "style=" not in drawn
        assert "xlink" not in drawn
        ids = re.findall(r' id="([^"]+)"', drawn)
        assert len(ids) == len(set(ids))
        assert all(found.startswith(f"{name}-") for found in ids)
        for used in re.findall(r'(?:href="#|url\(#)([^")]+)', drawn):
            assert used in ids, name
        width = 72 * chart.get_figwidth()
        for x, _, _ in marks_of(drawn):
            assert -1 <= x <= width + 1, name


def test_a_map_has_numbers_only_where_a_change_is_shown():
    """What is not shown to differ from no change is “0?”, and has no colour."""
    row = {"scale": 100, "signed": True, "estimate": 0.2, "low": 0.1, "high": 0.3}
    cells = {"x": {**row, "shown": True}, "y": {**row, "shown": False}}
    grid = Grid("t", {Heading("one"): cells}, chart="map", middle=0.0)
    assert {"+20.0", "0?"} <= set(words_of(to_svg(draw(grid), "own", "")))


def test_a_figure_by_name_has_its_title_and_others_say_what_they_need(tmp_path):
    sweep = {"options": {"rounds": 2}, "sweep": {"players": [2, 3]}}
    small = plant(tmp_path / "study", 60, lively(), lineups=PAIR + ALONE, **sweep)
    chart = figure(small, "variants")
    assert "line-up alone" in chart.get_suptitle()
    picture = io.BytesIO()
    save(chart, picture, "png")
    assert picture.getvalue().startswith(b"\x89PNG")
    with pytest.raises(InputError, match=r"figure 'factors': it needs \[factors\]"):
        figure(small, "factors")
    with pytest.raises(InputError, match="unknown figure 'seat'; did you mean 'seats'"):
        figure(small, "seat")
    part = figure(small, "seats", lineup="alone", at={"players": 2})
    assert "line-up alone" not in part.get_suptitle()
