"""The page in a real Chromium: every size and colour scheme, its words, its controls, its access.

One browser and one report serve all tests.
"""

import importlib.util
import json
import os
import re
from pathlib import Path

import pytest

from tests.view.browser import CHROMIUM, Browser

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium here; the page is checked statically"
)

MOST_WORDS = 1000
SIZES = {"desktop": (1280, 800), "tablet": (768, 1024), "phone": (375, 812)}


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    started = Browser(tmp_path_factory.mktemp("profile"))
    yield started
    started.close()


# Nothing is wider than the screen; every figure's text lies inside it and is large enough.
LOOK = """(() => {
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
return {figures: seen.length, faults};
})()"""


@pytest.mark.parametrize(
    ("size", "looks"),
    [
        *((size, {}) for size in SIZES),
        ("phone", {"dark": True}),
        ("phone", {"scripts": False}),
        ("desktop", {"printed": True}),
    ],
)
def test_fits_the_screen(page, browser, size, looks):
    width, height = SIZES[size]
    browser.open(page, width=width, height=height, **looks)
    seen = browser.run(LOOK)
    if "printed" not in looks:  # there what is folded is shown
        assert seen["faults"] == []
    assert seen["figures"] >= 5
    assert browser.complaints == []


PLAY = """(() => {
const faults = [];
const check = (what, held) => { if (!held) faults.push(what); };
const table = [...document.querySelectorAll('.scroll table')].find(
  (one) => one.tBodies[0].rows.length > 8);
for (let at = table.parentElement; at; at = at.parentElement) {
  if (at.tagName === 'DETAILS') at.open = true;
}
const numbers = (column) => [...table.tBodies[0].rows].map((row) => value(row.cells[column]));
const column = [...table.tHead.rows[0].cells].findIndex(
  (_, place) => new Set(numbers(place).filter((one) => !isNaN(one))).size > 2);
check('has a column of numbers', column >= 0);
const values = () => numbers(column).filter((one) => !isNaN(one));
const press = (place) => table.tHead.rows[0].cells[place].querySelector('button').click();
press(column);
check('sorts upwards', values().every((own, place, all) => !place || all[place - 1] <= own));
press(column);
check('sorts downwards', values().every((own, place, all) => !place || all[place - 1] >= own));
const input = table.closest('.scroll').nextElementSibling.querySelector('input');
const rows = [...table.tBodies[0].rows];
input.value = rows[0].cells[0].textContent.trim() + '';
input.dispatchEvent(new Event('input'));
check('filters', rows.some((row) => !row.hidden)
  && rows.every((row) => row.hidden
    !== row.textContent.toLowerCase().includes(input.value.toLowerCase())));
check('CSV has what is shown',
  csv(table).trim().split('\\r\\n').length === 1 + rows.filter((row) => !row.hidden).length);
input.value = 'nothing of the kind';
input.dispatchEvent(new Event('input'));
check('hides what does not fit', rows.every((row) => row.hidden));
input.value = '';
input.dispatchEvent(new Event('input'));
check('marks tell their values', document.querySelector('svg title').textContent.includes('±'));
document.querySelector('figure button').click();
return faults;
})()"""


def test_every_control_works(page, browser):
    browser.open(page)
    assert browser.run(PLAY) == []
    assert browser.complaints == []


# Text that is seen: neither folded, nor a picture's.
WORDS = """(() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let words = 0;
  while (walk.nextNode()) {
    const at = walk.currentNode.parentElement;
    if (!at.checkVisibility() || at.closest('script, style, svg, pre')) continue;
    if (walk.currentNode.previousSibling?.tagName === 'WBR') continue;  // the rest of a long name
    words += walk.currentNode.textContent.split(/\\s+/).filter(Boolean).length;
  }
  return words;
})()"""


@pytest.mark.parametrize("scripts", [True, False])
def test_what_is_seen_at_first_is_short(page, browser, scripts):
    browser.open(page, scripts=scripts)
    seen = browser.run(WORDS)
    assert 200 < seen <= MOST_WORDS
    browser.run("for (const one of document.querySelectorAll('details')) one.open = true")
    assert browser.run(WORDS) > 1.5 * seen  # the count knows what is folded


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_first_screen_answers_what_is_asked_first(page, browser, size):
    """What the rules do: word and number of each without scrolling."""
    width, height = SIZES[size]
    browser.open(page, width=width, height=height)
    below = browser.run(
        "[...document.querySelectorAll('.tile')].slice(0, 3).flatMap(tile => "
        "[tile.querySelector('strong'), tile.querySelector('.number')])"
        ".filter(one => one.getBoundingClientRect().bottom > innerHeight).length"
    )
    assert below == 0
    questions = browser.run(
        "[...document.querySelectorAll('.tile .question')].map(one => one.textContent)"
    )
    assert questions[:3] == [
        "Which rule changes who wins most?",
        "Which rule changes the length most?",
        "Which rule changes the first seat most?",
    ]


# Where a pointer rests on the middle of a tip, the browser shows this tip's text or a nearer one's.
OPENED = "for (const one of document.querySelectorAll('details')) one.open = true"

TIPS = """(() => {
  const told = {}, hidden = [];
  for (const figure of document.querySelectorAll('figure')) {
    const tips = [...figure.querySelectorAll('.wide circle > title')];
    told[figure.id] = tips.map(one => one.textContent);
    figure.scrollIntoView({behavior: 'instant'});
    const own = tips[0]?.parentElement, box = own?.getBoundingClientRect();
    if (!box) continue;
    const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (found?.tagName !== 'circle') hidden.push(figure.id);
  }
  return {told, hidden};
})()"""


def test_marks_and_curves_tell_their_values(page, browser):
    browser.open(page, height=1200)
    browser.run(OPENED)  # some figures are folded
    tips_of = browser.run(TIPS)
    assert tips_of["hidden"] == []
    tips = tips_of["told"]
    maps = ("seats_map", "payoffs", "variants_map", "policy_seats")
    untold = {f"figure-{name}" for name in maps}  # written in their cells
    assert {name for name, texts in tips.items() if not texts} <= untold
    assert any(re.search(r"\d ±\d", tip) for texts in tips.values() for tip in texts)


def axe():
    """Return the source of axe-core, where it is: named by AXE_CORE, or in a package of Python."""
    named = os.environ.get("AXE_CORE")
    if named:
        return Path(named)
    package = importlib.util.find_spec("axe_core_python")
    places = package.submodule_search_locations if package else []
    return next((Path(place) / "axe.min.js" for place in places or []), None)


@pytest.mark.skipif(axe() is None, reason="no axe-core here (AXE_CORE=…/axe.min.js)")
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_axe_finds_nothing(page, browser, size, dark):
    width, height = SIZES[size]
    browser.open(page, width=width, height=height, dark=dark)
    browser.run(OPENED)
    browser.run(f"{axe().read_text('utf-8')};1")
    violations = browser.run(
        "axe.run(document).then(found => found.violations.map(one => "
        "[one.id, one.impact, one.nodes.slice(0, 3).map(node => node.html.slice(0, 200))]))"
    )
    assert violations == [], json.dumps(violations, indent=1)


# What of axe matters most here, where it is not installed: WCAG 2.1, 1.3.1, 1.4.3, 2.4.6, 3.1.1,
# 4.1.2.
ACCESS = """(() => {
  const faults = [];
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (parts) => parts.slice(0, 3).map(one => one / 255)
    .map(one => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
    .reduce((sum, one, place) => sum + one * [0.2126, 0.7152, 0.0722][place], 0);
  const behind = (at) => {
    for (; at; at = at.parentElement) {
      const parts = rgb(getComputedStyle(at).backgroundColor);
      if (parts.length === 3 || parts[3] === 1) return parts;
    }
    return [255, 255, 255];
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const at = walk.currentNode.parentElement;
    const seen = walk.currentNode.textContent.trim() && at.checkVisibility() && !at.closest('svg');
    if (!seen) continue;
    const [a, b] = [light(rgb(getComputedStyle(at).color)), light(behind(at))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) faults.push(`contrast ${ratio.toFixed(1)}: ${at.textContent.slice(0, 40)}`);
  }
  if (!document.documentElement.lang) faults.push('no language');
  let level = 0;
  for (const one of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const own = Number(one.tagName[1]);
    if (own > level + 1) faults.push(`heading ${one.textContent} skips a level`);
    level = own;
  }
  for (const one of document.querySelectorAll('button, a, summary, svg[role], select, input')) {
    const name = one.ariaLabel || (one.closest('label') ?? one).textContent.trim();
    if (!name) faults.push(`no name: ${one.outerHTML.slice(0, 80)}`);
  }
  for (const one of document.querySelectorAll('th')) {
    if (!one.scope || !one.textContent.trim()) faults.push(`header: ${one.outerHTML.slice(0, 80)}`);
  }
  return faults;
})()"""


@pytest.mark.parametrize("dark", [False, True])
def test_everybody_can_read_and_use_it(page, browser, dark):
    browser.open(page, dark=dark)
    browser.run(OPENED)
    assert browser.run(ACCESS) == []


def test_the_browser_tells_of_errors(browser, tmp_path):
    """What the other tests rest on: an error in a page does not pass unseen."""
    bad = tmp_path / "bad.html"
    bad.write_text("<!DOCTYPE html><title>x</title><script>console.error('seen')</script>", "utf-8")
    browser.open(bad)
    assert browser.complaints
