"""Every test belongs to one tier, and `.ci/run` plays all tiers but `long`, each once."""

from __future__ import annotations

import fnmatch
import re
import shlex
import tomllib
from collections import defaultdict
from functools import cache

import pytest
from _pytest.mark.expression import Expression

from tests.conftest import COLLECTED
from tests.programs import ROOT

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


def test_every_tier_but_long_is_played_once():
    text = (ROOT / ".ci/run").read_text("utf-8")
    commands = re.findall(r"^\.venv/bin/python -m pytest (.*)", text, re.MULTILINE)
    for tier in ("", *TIERS):
        played = [played_by_default(frozenset({tier}))]  # README's command
        played += [is_played(shlex.split(options), {tier}) for options in commands]
        assert sum(played) == (tier != "long"), tier


def test_each_pattern_names_a_case(collected):
    """A pattern that no case matches would let long tests back, or short ones out, unseen."""
    cases = defaultdict(list)
    for item in collected:
        for mark in (*item.iter_markers("whole_only"), *item.iter_markers("whole_but")):
            for pattern in mark.args:
                cases[item.nodeid.partition("[")[0], pattern].append(item.callspec.id)
    for (test, pattern), ids in cases.items():
        assert fnmatch.filter(ids, pattern), (test, pattern)
