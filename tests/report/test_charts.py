"""Charts: the same marks and words in a page and in a notebook, at places that fit the axes."""

import re

import pytest

from studies.plots import Chart, to_svg
from studies.plots.chart import Axis, Band, Box, Dots, Line, Words, row_chart
from studies.plots.letters import text_width
from studies.plots.paper import to_figure, to_png
from studies.plots.scales import Scale, log_ticks, ticks
from studies.report.charts import shade


@pytest.mark.parametrize(
    ("low", "high", "most", "words"),
    [
        (0, 100, 5, ["0", "20", "40", "60", "80", "100"]),
        (-1.04, 1.04, 5, ["−1.0", "−0.5", "0.0", "0.5", "1.0"]),
        (-0.3, 0.3, 3, ["−0.2", "0.0", "0.2"]),
        (-0.3, 0.3, 5, ["−0.2", "0.0", "0.2"]),
        (160, 1240, 6, ["200", "400", "600", "800", "1,000", "1,200"]),
        (0, 0.003, 4, ["0.000", "0.001", "0.002", "0.003"]),
        (7, 7, 4, ["7"]),
    ],
)
def test_ticks_are_round_numbers(low, high, most, words):
    found = ticks(low, high, most)
    assert [text for _, text in found] == words
    assert all(low <= value <= high for value, _ in found)


def test_ticks_of_counts_are_whole_numbers():
    assert [text for _, text in ticks(-0.3, 3.3, 9, whole=True)] == ["0", "1", "2", "3"]


def test_a_logarithmic_scale_has_its_middle_at_the_geometric_mean():
    scale = Scale(1, 100, 0, 10, log=True)
    assert scale(10) == pytest.approx(5)
    assert [text for _, text in log_ticks(4, 120)] == ["5", "10", "20", "50", "100"]


def test_colours_of_cells_run_from_less_over_even_to_more():
    less, most, even, more = (shade(away) for away in (-2, -1, 0, 1))
    assert less == most
    assert len({most, even, more}) == 3
    assert shade(0.5) not in (even, more)


def test_wide_letters_need_more_room():
    assert text_width("iii", 10) < text_width("aaa", 10) < text_width("WWW", 10)


def told(estimate, low, high):
    return {"estimate": estimate, "low": low, "high": high}


def test_a_mark_stands_where_its_number_belongs():
    chart = row_chart(["one", "two"], narrow=False)
    chart.dots([0, 1], [told(0.25, 0.2, 0.3), told(0.75, 0.7, 0.8)])
    chart.x = Axis("share, %", 0, 100)
    drawn = to_svg(chart, "own", "words")
    tips = [(float(x), float(y)) for x, y in re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', drawn)]
    numbers = {
        text: float(x) for x, text in re.findall(r'<text x="([\d.]+)"[^>]*>(\d+)</text>', drawn)
    }
    assert (tips[0][0] - numbers["0"]) * 4 == pytest.approx(numbers["100"] - numbers["0"], abs=0.5)
    assert (numbers["100"] - tips[1][0]) * 4 == pytest.approx(
        numbers["100"] - numbers["0"], abs=0.5
    )
    assert tips[0][1] < tips[1][1]  # the first row is the upper one


def words_of(drawn):
    return re.findall(r"<text[^>]*>([^<]+)</text>", drawn)


@pytest.mark.parametrize("narrow", [False, True])
def test_a_page_and_a_notebook_show_the_same(built, narrow):
    pictures = [item for own in built.sections for item in own.pictures]
    for picture in pictures:
        chart = picture.draw(narrow)
        page, figure = words_of(to_svg(chart, "own", "")), to_figure(chart)
        (axes,) = figure.axes
        assert {axes.get_xlabel(), axes.get_ylabel()} - {""} <= set(page), picture.name
        legend = axes.get_legend()
        assert (legend is None) == (not chart.named())
        told = [text.get_text() for text in legend.get_texts()] if legend else []
        assert set(told) <= set(page), picture.name
        written = {text.get_text() for text in axes.texts}
        assert written <= set(page), picture.name
        names = {label.get_text() for label in axes.get_yticklabels()} if chart.rows else set()
        assert names <= set(page), picture.name


def test_nothing_is_drawn_beyond_the_figure(built):
    pictures = [item for own in built.sections for item in own.pictures]
    for picture in pictures:
        chart = picture.draw(False)
        for x in re.findall(r"[ML](-?[\d.]+) ", to_svg(chart, "own", "")):
            assert -6 <= float(x) <= chart.width + 1, picture.name


def test_every_kind_of_mark_is_drawn_by_both():
    chart = Chart(200.0, narrow=False, x=Axis("x", 0, 10), y=Axis("y", 0, 10))
    chart.marks = [
        Dots([1], [1], [0.5], [1.5], 0, "dots"),
        Dots([1], [1], [0.5], [1.5], None),
        Line([1, 2, 3], [1, 3, 2], "#0072b2", dashes=(3, 1), steps=True, label="steps"),
        Line([5], [5], "#0072b2", marker="|"),
        Band([1, 2, 3], [0, 1, 1], [2, 4, 3], "#0072b2"),
        Box(1, 1, 2, 3, "#d55e00", "///", edge=True, label="box"),
        Words(4, 4, "words", ground="#fefefe", bold=True),
    ]
    drawn = to_svg(chart, "own", 'a "title" <')
    assert 'aria-label="a &quot;title&quot; &lt;"' in drawn
    assert 'fill="url(#own-hatch-0)"' in drawn
    assert '<pattern id="own-hatch-0"' in drawn
    assert {"dots", "steps", "box", "words", "x", "y"} <= set(words_of(drawn))
    assert "style=" not in drawn
    assert to_png(chart).startswith(b"\x89PNG")
