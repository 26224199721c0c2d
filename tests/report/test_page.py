"""The page itself: complete, self-contained, readable on a desktop and on a phone."""

import base64
import hashlib
import html as html_module
import json
import re
import subprocess
from html.parser import HTMLParser

import numpy as np
import pytest
from matplotlib.figure import Figure

from studies.plots import to_svg
from studies.report import build, write_html, write_index, write_markdown
from studies.report.content import Grid, Picture
from studies.report.render import TEMPLATES
from tests.patience import PATIENCE
from tests.report.conftest import CHROMIUM
from tests.studies.planted import plant, winners_by

VOID = {"meta", "link", "br", "img", "hr", "input"}


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
    assert [one.get("type") for one in scripts] == ["application/json", None]


def test_every_section_of_the_report_is_there(built, html):
    names = [section.name for section in built.sections]
    assert names == [
        "variants",
        "seats",
        "length",
        "drama",
        "luck",
        "policies",
        "notable",
        "basis",
    ]
    for name in names:
        assert f'<h2 id="{name}">' in html
        assert f'href="#{name}"' in html


def test_every_figure_has_a_caption_with_n_and_bars_and_an_alternative(built, parsed):
    pictures = [
        item for section in built.sections for item in section.items if isinstance(item, Picture)
    ]
    assert len(pictures) >= 10
    assert len({picture.name for picture in pictures}) == len(pictures)
    for picture in pictures:
        assert re.search(r"\bn = [\d,]+", picture.caption), picture.caption
        assert re.search(r"interval|bars|bands", picture.caption), picture.caption
        assert len(picture.alt) > 20
    labels = [attrs.get("aria-label") for tag, attrs in parsed.tags if tag == "svg"]
    assert len(labels) == 2 * len(pictures)
    assert set(labels) == {picture.alt for picture in pictures}


def test_colours_are_those_of_the_page(html):
    """Light and dark come from CSS variables; only maps of numbers keep their own colours."""
    figure = html[html.index('id="figure-forest"') :]
    figure = figure[: figure.index("</figure>")]
    classes = re.findall(r'class="(s\d+)"', figure)
    styles = " ".join(re.search(rf"\.{name} {{.*}}", html)[0] for name in set(classes))
    assert "var(--series-0)" in styles
    assert not re.search(r"#[0-9a-f]{6}", styles + re.sub(r'"#[^"]*"|url\(#[^)]*\)', "", figure))
    for variable in set(re.findall(r"var\((--[\w-]+)\)", html)):
        assert f"{variable}:" in html


def test_tables_are_even(built):
    for section in built.sections:
        for item in section.items:
            if isinstance(item, Grid):
                assert {len(row) for row in item.rows} == {len(item.columns)}


def test_text_of_the_user_is_escaped(html):
    assert "A &lt;small&gt; study &amp; more" in html
    assert "<small>" not in html


def test_numbers_are_in_the_page(html, built):
    text = html.split('id="numbers">')[1].split("</script>")[0]
    numbers = json.loads(text)
    assert numbers == json.loads(json.dumps(built.numbers))
    assert {effect["variant"] for effect in numbers["comparison"]["variants"]} == {
        "dirty",
        "short",
        "same",
    }


def test_same_study_same_page(built, page, tmp_path):
    write_html(built, tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == page.read_bytes()


def test_markdown_has_its_pictures(built, tmp_path):
    write_markdown(built, tmp_path / "report.md")
    text = (tmp_path / "report.md").read_text("utf-8")
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert len(pictures) >= 10
    for name in pictures:
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")
    for section in built.sections:
        assert f"## {section.title}" in text
    tables = re.findall(r"(?:^\|.*\| *$\n)+", text, re.MULTILINE)
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1


def test_index_leads_to_the_reports(built, tmp_path):
    write_index([("a/report.html", built), ("b c/report.html", built)], tmp_path / "index.html")
    text = (tmp_path / "index.html").read_text("utf-8")
    assert 'href="a/report.html"' in text
    assert 'href="b%20c/report.html"' in text
    assert built.answer[0].split(",")[0] in text


def policy_of(text):
    return re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1]


def digest(text):
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@pytest.mark.parametrize("kind", ["report", "index"])
def test_security_policy_allows_the_own_style_and_nothing_else(built, html, kind, tmp_path):
    """No style attribute, nothing fetched; the style element and the script by their hashes."""
    if kind == "index":
        write_index([("report.html", built)], tmp_path / "index.html")
        html = (tmp_path / "index.html").read_text("utf-8")
    (style,) = re.findall(r"<style\b[^>]*>(.*?)</style>", html, re.DOTALL)
    script = (TEMPLATES / "script.js").read_text("utf-8")
    assert kind == "index" or f"<script>\n{script}</script>" in html
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
    assert len(tables) >= 5
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1
    headings = [line for line in bare.splitlines() if line.startswith("#")]
    assert len(headings) == 2 + len(nasty.sections) + sum(bool(s.recipes) for s in nasty.sections)


def test_names_are_no_markup_in_a_page(nasty, tmp_path):
    write_html(nasty, tmp_path / "nasty.html")
    text = (tmp_path / "nasty.html").read_text("utf-8")
    assert "<img" not in text
    shown = html_module.unescape(text)
    labels = re.findall(r"<text[^>]*>([^<]*<img[^<]*)</text>", shown)
    assert set(labels) == {f"{NASTY[:41]}…"}
    assert NASTY in shown  # whole in the tables, and letter by letter as it was given
    assert f">{SHORT}</text>" in to_svg(named_figure(SHORT), "own", "", {})


SHORT = 'id="x" #0072b2 style="x"'


def named_figure(name):
    figure = Figure()
    figure.text(0, 0, name)
    return figure


LOOK = """
const wide = document.documentElement;
const seen = [...document.querySelectorAll('svg')].filter(e => e.getBoundingClientRect().width);
const faults = [];
if (wide.scrollWidth > innerWidth) faults.push('page is ' + wide.scrollWidth + ' wide');
for (const e of document.querySelectorAll('body *')) {
  if (e.closest('.scroll, pre, svg, details:not([open])')) continue;
  const box = e.getBoundingClientRect();
  if (box.width && box.right > innerWidth + 1) faults.push(e.tagName + ' reaches ' + box.right);
}
for (const svg of seen) {
  const frame = svg.getBoundingClientRect();
  for (const text of svg.querySelectorAll('text')) {
    const box = text.getBoundingClientRect(), matrix = text.getScreenCTM();
    const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(matrix.a, matrix.b);
    const out = box.right > frame.right + 1 || box.left < frame.left - 1
      || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
    if (out) faults.push('cut off: ' + text.textContent);
    if (size < 9) faults.push(size.toFixed(1) + ' px: ' + text.textContent);
  }
}
document.title = JSON.stringify({figures: seen.length, faults});
"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; the page is checked statically")
@pytest.mark.parametrize("width", [1280, 768, 375])
def test_in_a_browser(page, built, tmp_path, width):
    """No error, nothing wider than the screen, every figure's text inside it and large enough.

    Headless Chromium makes no window narrower than 500 pixels, so that the page is looked at in a
    frame of the width of the screen.
    """
    looked = tmp_path / "looked.html"
    look = f"addEventListener('load', () => {{{LOOK}}})"
    text = page.read_text("utf-8").replace("</body>", f"<script>{look}</script></body>")
    # The page allows its own script; that of this test comes on top.
    text = text.replace("script-src '", f"script-src '{digest(look)}' '", 1)
    looked.write_text(text, "utf-8")
    frame = tmp_path / "frame.html"
    frame.write_text(
        f'<iframe src="looked.html" style="width:{width}px;height:800px;border:0"></iframe>'
        "<script>addEventListener('load', () => document.title ="
        " document.querySelector('iframe').contentDocument.title)</script>",
        "utf-8",
    )
    done = subprocess.run(
        [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--allow-file-access-from-files",
            "--enable-logging=stderr",
            f"--user-data-dir={tmp_path / 'profile'}",
            "--window-size=1400,900",
            "--virtual-time-budget=5000",
            "--dump-dom",
            frame.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert "CONSOLE" not in done.stderr, done.stderr
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    assert title, done.stderr[-2000:]
    told = json.loads(title[1].replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">"))
    assert told["faults"] == []
    pictures = sum(
        isinstance(item, Picture) for section in built.sections for item in section.items
    )
    assert told["figures"] == pictures


PLAY = """
const faults = [];
const check = (what, held) => { if (!held) faults.push(what); };
const table = [...document.querySelectorAll('.scroll table')].find(
  (one) => one.tBodies[0].rows.length > 8 && one.dataset.name.startsWith('variants'));
for (let at = table.parentElement; at; at = at.parentElement) {
  if (at.tagName === 'DETAILS') at.open = true;
}
const column = [...table.tHead.rows[0].cells].findIndex((cell) => cell.textContent === 'matches');
const values = () => [...table.tBodies[0].rows].map((row) => number(row.cells[column].textContent));
const press = (place) => table.tHead.rows[0].cells[place].querySelector('button').click();
press(column);
check('sorts upwards', values().every((own, place, all) => !place || all[place - 1] <= own));
press(column);
check('sorts downwards', values().every((own, place, all) => !place || all[place - 1] >= own));
const input = table.closest('details').querySelector('input');
const rows = [...table.tBodies[0].rows];
input.value = 'rounds: 2';
input.dispatchEvent(new Event('input'));
check('filters', rows.some((row) => row.hidden) && rows.some((row) => !row.hidden)
  && rows.every((row) => row.hidden !== row.textContent.includes('rounds: 2')));
check('CSV has what is shown',
  csv(table).trim().split('\\r\\n').length === 1 + rows.filter((row) => !row.hidden).length);
input.value = '';
input.dispatchEvent(new Event('input'));
const select = document.querySelector('#switch-at select');
check('offers the numbers of players', select.options.length === 3);
select.value = select.options[2].value;
select.dispatchEvent(new Event('change'));
const figures = [...document.querySelectorAll('figure[data-at]')];
check('shows the figures of one number of players',
  figures.length > 1 && figures.every((one) => one.hidden === (one.dataset.at !== select.value)));
check('and its rows', [...document.querySelectorAll('tr[data-at]')].every(
  (row) => row.hidden === (row.dataset.at !== select.value)));
check('marks tell their values', document.querySelector('svg title').textContent.includes(' to '));
document.querySelector('figure:not([hidden]) button').click();
document.title = JSON.stringify(faults);
"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; its script is not carried out")
def test_every_control_works(page, tmp_path):
    look = f"addEventListener('load', () => {{{PLAY}}})"
    text = page.read_text("utf-8").replace("</body>", f"<script>{look}</script></body>")
    played = tmp_path / "played.html"
    played.write_text(text.replace("script-src '", f"script-src '{digest(look)}' '", 1), "utf-8")
    done = subprocess.run(
        [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--enable-logging=stderr",
            f"--user-data-dir={tmp_path / 'profile'}",
            "--virtual-time-budget=5000",
            "--dump-dom",
            played.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert "CONSOLE" not in done.stderr, done.stderr
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    assert title, done.stderr[-2000:]
    assert json.loads(html_module.unescape(title[1])) == []


def summary_of(details):
    return re.search(r"<summary>.*?</summary>", details[0], re.DOTALL)[0]


def words_seen(text):
    """Count the words of a page that are seen before anything is unfolded."""
    text = re.sub(r"<(script|style|svg|pre)\b.*?</\1>", " ", text, flags=re.DOTALL)
    inner = re.compile(r"<details[^>]*>((?:(?!<details).)*?)</details>", re.DOTALL)
    while inner.search(text):
        text = inner.sub(summary_of, text)
    return len(re.sub(r"<[^>]+>", " ", text).split())


def test_what_is_seen_at_first_is_short(html):
    assert words_seen(html) <= 1200
