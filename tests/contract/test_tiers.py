"""Every test belongs to one tier, and `.ci/run` plays all tiers but `long`, each once."""

from __future__ import annotations

import re
import shlex
import tomllib
from functools import cache
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression

from tests.tiers import COLLECTED, WHOLE, deciding, is_named

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


def test_every_tier_but_long_is_played_once():
    text = (ROOT / ".ci/run").read_text("utf-8")
    commands = re.findall(r"^\.venv/bin/python -m pytest (.*)", text, re.MULTILINE)
    for tier in ("", *TIERS):
        played = [played_by_default(frozenset({tier}))]  # README's command
        played += [is_played(shlex.split(options), {tier}) for options in commands]
        assert sum(played) == (tier != "long"), tier


def test_each_line_decides_on_a_test(collected):
    """A line that names nothing any more would let dear tests back, or cheap ones out, unseen."""
    files = {item.nodeid.partition("::")[0] for item in collected}
    here = [line for line in WHOLE if any(deciding_file(line).fullmatch(file) for file in files)]
    used = {deciding(item.nodeid) for item in collected}
    assert not [line for line in here if line not in used]


def deciding_file(line):
    place = line.removeprefix("!").partition("::")[0]
    return re.compile("tests/" + re.escape(place).replace(r"\*", ".*"))
