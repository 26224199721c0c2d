"""The page itself: complete, self-contained, readable on a desktop and on a phone."""

import base64
import hashlib
import html as html_module
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from simcore.errors import InputError
from studies.plots import charts
from studies.plots.figure import to_svg
from studies.report import build, write_html, write_markdown
from studies.report.figures import draw
from studies.report.page import TEMPLATES
from tests.studies.planted import plant, winners_by

VOID = {"meta", "link", "br", "img", "hr", "input", "wbr"}


class Reader(HTMLParser):
    """Collects ids, links and sources; checks that elements are closed in order."""

    def __init__(self):
        super().__init__()
        self.ids, self.references, self.open, self.tags = [], [], [], []
        self.faults = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src", "xlink:href", "srcset", "action"):
                self.references.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"{tag} at {self.getpos()}")


@pytest.fixture(scope="module")
def html(page):
    return page.read_text("utf-8")


@pytest.fixture(scope="module")
def parsed(html):
    reader = Reader()
    reader.feed(html)
    return reader


def test_is_well_formed_and_ids_are_unique(parsed):
    assert parsed.faults == []
    assert parsed.open == []
    assert len(parsed.ids) == len(set(parsed.ids))


def test_fetches_nothing(html, parsed):
    """Links and pictures lead to the page itself; namespaces are names and no addresses."""
    for reference in parsed.references:
        assert reference.startswith("#") or reference == "data:,"
        assert reference == "data:,"[:6] or reference[1:] in parsed.ids
    bare = re.sub(r'xmlns(:\w+)?="[^"]*"|http-equiv=', "", html)
    assert "http" not in re.sub(r"<(text|tspan|code|p|li)\b.*?</\1>", "", bare, flags=re.DOTALL)
    assert "@import" not in html
    assert not re.search(r"url\((?!#)", html)
    scripts = [attrs for tag, attrs in parsed.tags if tag == "script"]
    assert [script.get("type") for script in scripts] == [None]


def test_every_section_of_the_report_is_there(built, html):
    names = [section.name for section in built.sections]
    assert len(names) == len(set(names))
    assert {"variants", "seats", "length", "skill", "basis"} <= set(names)
    for name in names:
        assert re.search(rf'id="{name}"', html), name
        assert f'href="#{name}"' in html


def test_every_figure_has_a_caption_and_an_alternative(built, parsed):
    pictures = built.pictures
    assert len(pictures) >= 7
    assert len({picture.name for picture in pictures}) == len(pictures)
    for picture in pictures:
        assert len(picture.caption) > 20
    labels = [attrs.get("aria-label") for tag, attrs in parsed.tags if tag == "svg"]
    assert len(labels) == 2 * len(pictures)
    assert all(label and len(label) > 20 for label in labels)


def test_colours_are_those_of_the_page(html):
    """Light and dark come from CSS variables; only maps of numbers keep their own colours."""
    figure = html[html.index("<svg") :]
    figure = figure[: figure.index("</svg>")]
    assert "var(--series-0)" in figure
    assert not re.search(r"#[0-9a-f]{6}", figure)
    for variable in set(re.findall(r"var\((--[\w-]+)\)", html)):
        assert f"{variable}:" in html


def test_text_of_the_user_is_escaped(html):
    assert "A &lt;small&gt; study &amp; more" in html
    assert "<small>" not in html


def test_same_study_same_page(built, page, tmp_path):
    write_html(built, tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == page.read_bytes()


def test_markdown_has_its_pictures(built, tmp_path):
    write_markdown(built, tmp_path / "report.md")
    text = (tmp_path / "report.md").read_text("utf-8")
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert len(pictures) >= 7
    for name in pictures:
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")
    for section in built.sections:
        assert f"## {section.title}" in text
    tables = re.findall(r"(?:^\|.*\| *$\n)+", text, re.MULTILINE)
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1


def policy_of(text):
    return re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1]


def digest(text):
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def test_security_policy_allows_the_own_style_and_nothing_else(html):
    """No style attribute, nothing fetched; the style element and the script by their hashes."""
    (style,) = re.findall(r"<style\b[^>]*>(.*?)</style>", html, re.DOTALL)
    script = (TEMPLATES / "script.js").read_text("utf-8")
    assert f"<script>\n{script}</script>" in html
    assert policy_of(html).split("; ") == [
        "default-src 'none'",
        f"style-src '{digest(style)}'",
        f"script-src '{digest(chr(10) + script)}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    reader = Reader()
    reader.feed(html)
    assert html.index("Content-Security-Policy") < html.index("<title>")
    for tag, attrs in reader.tags:
        assert not any(name == "style" or name.startswith("on") for name in attrs), (tag, attrs)


NASTY = 'a|b <img src=x onerror=f()> `c` [d](http://e.f) *g* _h_ id="x" #0072b2 $i$'


@pytest.fixture(scope="module")
def nasty(tmp_path_factory):
    """The report of a study whose names are markup."""

    def rows(cell, columns):
        shape = columns["winners"].shape
        columns["winners"] = winners_by((1 / 3,) * 3, shape, len(cell.variant))
        columns["clauses"] = np.ones(shape, np.int32)

    directory = plant(
        tmp_path_factory.mktemp("nasty") / "a `dir`",
        200,
        rows,
        title=f"# {NASTY}",
        lineups=[{"name": NASTY, "seats": ["greedy", "random"], "rotate": True}],
        variants={NASTY: {"dirty_one": "always"}},
    )
    return build(directory)


def test_names_are_no_markup_in_markdown(nasty, tmp_path):
    write_markdown(nasty, tmp_path / "nasty (1).md")
    text = (tmp_path / "nasty (1).md").read_text("utf-8")
    prose = re.sub(r"^ *(`{3,})\w*\n.*?^ *\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    bare = re.sub(r"\\.", "", prose)  # what is left has its meaning as markup
    for mark in ("<", "`", "](http", "_h_", "$", "www."):
        assert mark not in bare, mark
    assert re.findall(r"\]\(([^)]*)\)", bare)
    assert all(link.startswith("nasty%20%281%29/") for link in re.findall(r"\]\(([^)]*)\)", bare))
    tables = re.findall(r"(?:^\|.*\| *$\n)+", bare, re.MULTILINE)
    assert len(tables) >= 3
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1
    headings = [line for line in bare.splitlines() if line.startswith("#")]
    assert len(headings) >= 1 + len(nasty.sections)


def test_names_are_no_markup_in_a_page(nasty, tmp_path):
    write_html(nasty, tmp_path / "nasty.html")
    text = (tmp_path / "nasty.html").read_text("utf-8")
    assert "<img" not in text
    shown = html_module.unescape(text)
    assert NASTY in shown  # whole in the tables, and letter by letter as it was given
    row = {"estimate": 0.1, "low": 0.0, "high": 0.2}
    drawn = html_module.unescape(to_svg(charts.dots({"": {NASTY: row}}, "x"), "own", ""))
    labels = re.findall(r"<text[^>]*>([^<]*<img[^<]*)</text>", drawn)
    assert labels == [f"{NASTY[:41]}…"]
    named = charts.cells([SHORT], ["column"], {(SHORT, "column"): (SHORT, 0.0)})
    assert to_svg(named, "own", "").count(f">{SHORT}</text>") == 2


SHORT = 'id="x" #0072b2 style="x"'


def test_a_figure_that_cannot_be_drawn_says_what_it_needs(small):
    with pytest.raises(InputError, match=r"figure 'factors': it needs \[factors\]"):
        draw(small, "factors")
    assert draw(small, "variants").axes


def test_a_sweep_has_a_row_for_each_point_on_the_first_screen(built):
    points, variants, *_ = built.answer
    assert points.frame["players"].to_list() == [3, 2]
    assert set(points.frame.columns) >= {"estimate", "first"}
    assert variants.title.startswith("Line-up only guard:")
    assert built.lead == []


def test_positions_are_counted_from_zero_in_words_and_figures(built):
    words = " ".join(text for section in built.sections for text in section.sentences)
    assert not re.search(r"\bseat \d", words)
    seats = next(section for section in built.sections if section.name == "seats")
    assert "position 0 begins" in seats.pictures[0].caption
