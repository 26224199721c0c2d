"""The page itself: complete, self-contained, readable on a desktop and on a phone."""

import base64
import hashlib
import html as html_module
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from studies.plots import charts
from studies.plots.figure import to_svg
from studies.store.opened import open_study
from studies.view.findings import findings
from studies.view.page import TEMPLATES, to_page, write_page
from studies.view.query import View
from studies.view.study import study_answer
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


def test_every_question_has_its_section_and_its_link(html):
    for name in ("rules", "seats", "length", "policies", "drama", "basis"):
        assert re.search(rf'<h2 id="{name}">', html), name
        assert f'href="#{name}"' in html


def test_every_figure_has_a_caption_and_an_alternative(html, parsed):
    figures = re.findall(r'<figure id="figure-([^"]+)" data-title="([^"]+)">', html)
    captions = re.findall(r"<figcaption>([^<]+)</figcaption>", html)
    assert len(figures) == len(dict(figures)) == len(captions) >= 9
    assert all(len(caption) > 20 for caption in captions)
    labels = [attrs.get("aria-label") for tag, attrs in parsed.tags if tag == "svg"]
    assert len(labels) == 2 * len(figures)
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


def test_same_study_same_page(answer, html, figures, monkeypatch):
    """Every third figure is drawn again; those between are taken as they are."""
    known = enumerate(figures)

    def drawn_again(chart, name, title):
        place, (same, _, drawn) = next(known)
        assert name == same
        return to_svg(chart, name, title) if place % 3 == 0 else drawn

    monkeypatch.setattr("studies.view.page.to_svg", drawn_again)
    assert to_page(answer) == html


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
    return study_answer(open_study(directory))


@pytest.mark.usefixtures("undrawn")
def test_names_are_no_markup_in_a_page(nasty, tmp_path):
    write_page(nasty, tmp_path / "nasty.html")
    text = (tmp_path / "nasty.html").read_text("utf-8")
    assert "<img" not in text
    shown = html_module.unescape(text)
    assert NASTY in shown  # whole in the tables, and letter by letter as it was given
    row = {"estimate": 0.1, "low": 0.0, "high": 0.2, "text": NASTY}
    chart = charts.forest([charts.Panel({"": {NASTY: row}}, "x")])
    drawn = html_module.unescape(to_svg(chart, "own", ""))
    labels = re.findall(r"<text[^>]*>([^<]*<img[^<]*)</text>", drawn)
    assert labels == [f"{NASTY[:41]}…"]
    named = charts.cells([SHORT], ["column"], {(SHORT, "column"): (SHORT, 0.0)})
    assert to_svg(named, "own", "").count(f">{SHORT}</text>") == 2


SHORT = 'id="x" #0072b2 style="x"'


def test_a_notebook_shows_the_same_answer_as_the_screen(answer):
    """Its first table is seen; all others are folded, and names are no markup."""
    shown = answer._repr_html_()
    reader = Reader()
    reader.feed(shown)
    assert reader.faults == []
    assert shown.index("<table") < shown.index("<details>")
    assert shown.count("<table") > 5
    for claim in (claim for finding in findings(View(answer)) for claim in finding.claims):
        assert html_module.escape(claim.words) in shown


def test_positions_are_named_alike_in_words_tables_and_figures(html):
    words = re.sub(r"<[^>]*>", " ", html)
    assert "first seat" in words
    assert not re.search(r"position 0|seat \d|the first seat", words.partition("</style>")[2])
