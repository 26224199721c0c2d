"""Every test belongs to one tier, and `.ci/run` plays all tiers but `long`, each once."""

from __future__ import annotations

import re
import shlex
import tomllib
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from _pytest.mark.expression import Expression

from tests.tiers import (
    COLLECTED,
    FOLDERS,
    ONE_BY_ONE,
    SECOND,
    WHOLE,
    deciding,
    in_halves,
    is_named,
    is_one_by_one,
    place,
)

ROOT = Path(__file__).parents[2]
TIERS = ("whole", "long", "speed")


@pytest.fixture(scope="module")
def collected(request):
    """All tests that this run found, also those that it leaves out."""
    return request.config.stash[COLLECTED]


@cache
def played_by_default(marks):
    options = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]
    return is_played(options["ini_options"]["addopts"], marks)


def is_played(options, marks):
    """Tell whether pytest with these options plays what has these marks."""
    expression = options[options.index("-m") + 1]
    return Expression.compile(expression).evaluate(lambda name, **_: name in marks)


def test_a_test_has_one_tier(collected):
    assert not [
        item.nodeid for item in collected if sum(map(bool, map(item.get_closest_marker, TIERS))) > 1
    ]


def test_the_dear_ones_wait(collected):
    for item in collected:
        marks = frozenset(mark.name for mark in item.iter_markers())
        waits = is_named(item.nodeid) or bool(marks & set(TIERS))
        assert played_by_default(marks) is not waits, item.nodeid


def test_folders_have_a_place():
    assert {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")} == set(FOLDERS)


@pytest.mark.parametrize("folder", [SECOND, FOLDERS[0], FOLDERS[-2]])
@pytest.mark.parametrize("many", [3, 17])
def test_the_second_worker_begins_with_other_games(folder, many):
    """Whatever there is most of; no test is lost."""
    counts = {FOLDERS[0]: 1, SECOND: 1, folder: many}
    found = sorted(
        (
            SimpleNamespace(nodeid=f"tests/{name}/test_some.py::test_{count}")
            for name in counts
            for count in range(counts[name])
        ),
        key=place,
    )
    ordered = in_halves(found)
    assert sorted(map(found.index, ordered)) == list(range(len(found)))
    assert ordered[len(found) // 2].nodeid.startswith(f"tests/{SECOND}/")


def test_only_the_default_tier_plays_without_lanes(collected):
    off = [item for item in collected if is_one_by_one(item)]
    assert not [item.nodeid for item in off if any(map(item.get_closest_marker, TIERS))]
    assert not [item.nodeid for item in off if "lane" in item.nodeid.partition("::")[0]]


def test_every_tier_but_long_is_played_once():
    text = (ROOT / ".ci/run").read_text("utf-8")
    commands = re.findall(r"^\.venv/bin/python -m pytest (.*)", text, re.MULTILINE)
    for tier in ("", *TIERS):
        played = [played_by_default(frozenset({tier}))]  # README's command
        played += [is_played(shlex.split(options), {tier}) for options in commands]
        assert sum(played) == (tier != "long"), tier


@pytest.mark.parametrize("lines", [WHOLE, ONE_BY_ONE], ids=["whole", "one by one"])
def test_each_line_decides_on_a_test(collected, lines):
    """A line that names nothing any more would let dear tests back, or cheap ones out, unseen."""
    files = {item.nodeid.partition("::")[0] for item in collected}
    here = [line for line in lines if any(deciding_file(line).fullmatch(file) for file in files)]
    used = {deciding(item.nodeid, lines) for item in collected}
    assert not [line for line in here if line not in used]


def deciding_file(line):
    place = line.removeprefix("!").partition("::")[0]
    return re.compile("tests/" + re.escape(place).replace(r"\*", ".*"))
