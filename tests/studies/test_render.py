"""One renderer for every table: text of any width, HTML, CSV, JSON; numbers and intervals."""

import json
import math
import re

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.render import (
    Column,
    Table,
    cells_of,
    counted,
    listed,
    narrowed,
    number,
    percent,
    shown_html,
    shown_text,
    to_csv,
    to_html,
    to_json,
    to_text,
)

FRAME = pl.DataFrame(
    {
        "variant": ["baseline", "no_first_multiples", "a title of several words"],
        "change": [399.2, -15.93, None],
        "low": [398.0, -16.2, None],
        "high": [400.4, -15.7, None],
        "matches": [40_000, 1, 12],
        "idea": ["some words about it that wrap", "short", "<b>markup & co.</b>"],
    }
)
COLUMNS = (
    Column("variant"),
    Column("change", "length, change in %", "change", "low", "high"),
    Column("matches", form="count", drop_priority=1),
    Column("idea", "what it is", drop_priority=2),
)
TABLE = Table(FRAME, COLUMNS, "Title of the table", ("A note below.",))


@given(width=st.integers(20, 130))
def test_lines_fit_words_are_whole_and_what_does_not_fit_is_named(width):
    lines = to_text(TABLE, width).splitlines()
    longest_word = max(len("no_first_multiples") + 2 + len("-15.93 ±0.25"), width)
    assert all(cells_of(line) <= longest_word for line in lines)
    words = set(" ".join(lines).replace("─", "").split())
    assert {"no_first_multiples", "+399.2", "-15.93", "several"} <= words
    text = " ".join(" ".join(lines).split())
    heading, dropped = text.partition("─")[0], text.partition("Too narrow for:")[2]
    assert (" matches" in heading) != ("matches" in dropped)
    assert " what it" in heading or "what it is" in dropped


def test_all_is_shown_where_there_is_room():
    assert to_text(TABLE, 100).splitlines() == [
        "Title of the table",
        "variant                   length, change in %  matches  what it is",
        "─" * 85,
        "baseline                          +399.2 ±1.2   40,000  some words about it that wrap",
        "no_first_multiples               -15.93 ±0.25        1  short",
        "a title of several words                    –       12  <b>markup & co.</b>",
        "A note below.",
    ]
    assert "\x1b[1m" in to_text(TABLE, 100, colour=True)
    assert "\x1b" not in to_text(TABLE, 100)


def test_html_is_escaped_and_sortable():
    page = to_html(TABLE)
    assert "&lt;b&gt;markup &amp; co.&lt;/b&gt;" in page
    assert re.findall(r'data-sort="([^"]+)"', page)[:2] == ["399.2", "40000"]
    assert page.count("<tr>") == 4
    assert "<caption>Title of the table</caption>" in page
    assert "<p>a &lt; b</p>" in shown_html(["a < b", TABLE])


def test_a_page_has_its_tables_apart():
    text = shown_text(["First.", TABLE, "Last."], 100)
    assert text.startswith("First.\n\nTitle of the table\n")
    assert text.endswith("A note below.\n\nLast.")


def test_data_for_programs():
    frame = pl.DataFrame(
        {"a": [1.5, math.nan], "b": [["x", "y"], []], "c": [True, None], "d": [{"e": 1}, None]}
    )
    rows = to_json(frame)
    assert rows[0] == {"a": 1.5, "b": ["x", "y"], "c": True, "d": {"e": 1}}
    assert rows[1]["a"] is None
    json.dumps(rows, allow_nan=False)
    assert to_csv(frame.select("b", "c")) == 'b,c\nx; y,true\n"",\n'


def test_no_text_of_a_csv_is_a_formula_for_a_spreadsheet():
    frame = pl.DataFrame({"name": ["=1+1", "@x", "-2", "plain", None], "number": [-1, 2, 3, 4, 5]})
    lines = ["name,number", "'=1+1,-1", "'@x,2", "-2,3", "plain,4", ",5"]
    assert to_csv(frame).splitlines() == lines


SIGNED, POINTS = {"signed": True}, {"signed": True, "scale": 100}


@pytest.mark.parametrize(
    ("write", "ends", "options", "text"),
    [
        (number, (61.23, 60.9, 61.56), {}, "61.2 ±0.3"),
        (number, (0.52, 0.48, 0.61), {}, "0.52 (0.48…0.61)"),
        (number, (1234.5, 1230.0, 1239.0), {}, "1,234 ±4"),
        (number, (1.00291, 1.00249, 1.00333), {}, "1.0029 ±0.0004"),
        (number, (11.0, 11.0, 11.0), {}, "11"),
        (number, (0.0, 0.0, 0.0), {}, "0"),
        (number, (2.0, None, None), {}, "2"),
        (number, (2.0, -math.inf, math.inf), {}, "2.0 ±?"),
        (number, (None, None, None), {}, "–"),
        (number, (math.nan, 0, 1), {}, "–"),
        (number, (-0.0001, -0.1, 0.0998), {}, "0.00 ±0.10"),
        # Changes have a sign, and of shares are told in points.
        (number, (0.0123, 0.01, 0.0146), POINTS, "+1.23 ±0.23"),
        (number, (-0.2, -0.3, -0.1), SIGNED, "-0.20 ±0.10"),
        (percent, (0.213, 0.209, 0.217), {}, "21.3 (20.9–21.7)"),
        (percent, (0.00001, 0.0, 0.0002), {}, "0.001 (0.000–0.020)"),
        (percent, (0.5, None, None), {}, "50.0"),
        (percent, (0.5, 0.5, 0.5), {}, "50.0"),
        (percent, (-0.001, -0.01, 0.008), {}, "-0.1 (-1.0 to 0.8)"),
        (percent, (None,), {}, "–"),
    ],
)
def test_numbers_and_shares(write, ends, options, text):
    assert write(*ends, **options) == text


@given(
    value=st.floats(-1e6, 1e6),
    below=st.floats(0, 1e6),
    above=st.floats(0, 1e6),
    signed=st.booleans(),
)
def test_a_zero_never_has_a_sign(value, below, above, signed):
    text = number(value, value - below, value + above, signed=signed)
    assert not re.search(r"[+-]0(\.0*)?(?![\d.])", text), text


def test_one_thing_is_not_many():
    assert counted(1, "match") == "1 match"
    assert counted(2_000, "match") == "2,000 matches"
    assert counted(1, "policy", "policies") == "1 policy"
    assert listed(map(str, range(14)), 5) == "0, 1, 2, 3 and 10 more"
    assert narrowed(TABLE, 1, "--csv").notes[0] == "… and 2 more rows: --csv"
