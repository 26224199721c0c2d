"""Stopping by width alone: what ordinary intervals cover at the stop, and what it saves."""

import math

import numpy as np
import pytest

from studies.compare.effects import compare
from studies.report.build import build
from studies.report.render import to_html
from studies.run.goal import looks
from studies.run.run import run_study
from studies.stats.fixed_width import FixedWidthMean
from studies.stats.sequences import BoundedMean
from studies.store.documents import write_provenance
from studies.store.stop_reasons import read_stops
from tests.studies.conftest import cardlab
from tests.studies.test_stopping import goal_study


def wins(share, rotations=1, alike=0.5):
    """Return a source of deals: the rotations of a deal agree with some probability."""

    def draw(rng, count):
        if rotations == 1:
            total = rng.binomial(count, share)
            return total, total
        one = rng.binomial(1, share, count) * rotations
        apart = rng.binomial(rotations, share, count)
        deals = np.where(rng.random(count) < alike, one, apart) / rotations
        return deals.sum(), (deals**2).sum()

    return draw


def steps(up, down, size):
    """Return a source of changes of one size, most of which are none."""

    def draw(rng, count):
        rises, falls, _ = rng.multinomial(count, [up, down, 1 - up - down])
        return size * (rises - falls), size**2 * (rises + falls)

    return draw


SETTINGS = {
    "even": (wins(0.5), 0.5, (0, 1), 0.02),
    "a quarter": (wins(0.25), 0.25, (0, 1), 0.01),
    "one in fifty": (wins(0.02), 0.02, (0, 1), 0.005),
    "one in fifty, soon": (wins(0.02), 0.02, (0, 1), 0.02),
    "one in 200": (wins(0.005), 0.005, (0, 1), 0.002),
    "one in 1000": (wins(0.001), 0.001, (0, 1), 0.001),
    "one in 5000": (wins(0.0002), 0.0002, (0, 1), 0.0005),
    "nearly always": (wins(0.97), 0.97, (0, 1), 0.01),
    "four rotations": (wins(0.2, 4), 0.2, (0, 1), 0.01),
    "four rotations, rare": (wins(0.02, 4), 0.02, (0, 1), 0.01),
    "six rotations": (wins(1 / 6, 6, 0.2), 1 / 6, (0, 1), 0.005),
    "changes": (steps(0.15, 0.1, 0.5), 0.025, (-0.5, 0.5), 0.01),
    "few changes": (steps(0.012, 0.01, 1), 0.002, (-1, 1), 0.003),
    "hardly a change": (steps(0.001, 0.0005, 1), 0.0005, (-1, 1), 0.001),
    "changes one way": (steps(0.02, 0, 1), 0.02, (-1, 1), 0.005),
}


def stop(mean, draw, goal, rng):
    """Play on to the first look at which the goal is met; return the deals."""
    before = 0
    for look in looks(10**7):
        mean.add(look - before, *draw(rng, look - before))
        before = look
        if mean.half_width <= goal:
            break
    return before


def covered(setting, runs):
    """Return the share of runs whose interval at the stop holds the truth, and the mean deals."""
    draw, truth, (low, high), goal = SETTINGS[setting]
    rng = np.random.default_rng(7)
    hits, deals = 0, 0
    for _ in range(runs):
        mean = FixedWidthMean(low, high)
        deals += stop(mean, draw, goal, rng)
        interval = mean.interval
        assert interval.high - interval.low <= 2 * goal
        hits += interval.low <= truth <= interval.high
    return hits / runs, deals / runs


@pytest.mark.parametrize("setting", SETTINGS)
def test_coverage_at_the_stop(setting):
    runs = 300
    share, _ = covered(setting, runs)
    assert share >= 0.94 - 4 * math.sqrt(0.94 * 0.06 / runs)


@pytest.mark.long
@pytest.mark.parametrize("setting", SETTINGS)
def test_coverage_at_the_stop_in_many_runs(setting):
    share, _ = covered(setting, 4_000)
    assert share >= 0.94 - 2.6 * math.sqrt(0.94 * 0.06 / 4_000)


def test_without_the_values_added_rare_events_would_be_missed(monkeypatch):
    """Of what the correction is for: rotated deals, few events."""
    monkeypatch.setattr("studies.stats.fixed_width.ADDED", 0)
    share, deals = covered("four rotations, rare", 1_000)
    monkeypatch.undo()
    mended, more = covered("four rotations, rare", 1_000)
    assert share < 0.93
    assert mended > 0.94
    assert deals < more


@pytest.mark.parametrize("setting", SETTINGS)
def test_two_and_a_half_times_fewer_deals_than_a_confidence_sequence(setting):
    draw, _, (low, high), goal = SETTINGS[setting]
    fixed = [
        stop(FixedWidthMean(low, high), draw, goal, np.random.default_rng(i)) for i in range(6)
    ]
    guess = 0.0 if low else None
    anytime = [
        stop(BoundedMean(low, high, goal, guess=guess), draw, goal, np.random.default_rng(i))
        for i in range(6)
    ]
    assert sum(anytime) >= 2.4 * sum(fixed)  # looks are a quarter apart


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    directory = tmp_path_factory.mktemp("width") / "study"
    return directory, run_study(goal_study(anytime=False), directory, threads=2)


def test_a_study_stops_sooner_and_as_narrow(stopped, tmp_path):
    directory, outcome = stopped
    held = run_study(goal_study(), tmp_path, threads=2)
    assert {one.why for one in outcome.stops.values()} == {"goal"}
    deals = [sum(one.deals for one in each.stops.values()) for each in (held, outcome)]
    assert deals[0] > 2 * deals[1]
    comparison = compare(directory)
    assert not comparison.anytime
    assert "Chow & Robbins" in comparison.remarks[-1]
    for effect in comparison.variants:
        half = (effect.winners_differ.high - effect.winners_differ.low) / 2
        assert half <= 0.05


def test_a_goal_of_the_other_kind_is_another_goal(stopped):
    directory, _ = stopped
    goal, stops = read_stops(directory)
    assert goal == goal_study(anytime=False).goal
    again = run_study(goal_study(anytime=False), directory, threads=1)
    assert (again.played, read_stops(directory)) == (0, (goal, stops))


def test_a_goal_stored_without_its_kind_was_held_by_sequences(tmp_path):
    told = {"stops": {"goal": {"half_width": 0.05}, "cells": {}}}
    write_provenance(tmp_path, told)
    goal, _ = read_stops(tmp_path)
    assert goal is not None
    assert goal.anytime


def test_report_and_table_say_what_the_intervals_are(stopped):
    directory, _ = stopped
    page = to_html(build(directory)).lower()
    assert "hold whenever" not in page
    assert "chow &amp; robbins" in page or "chow & robbins" in page
    found = cardlab("compare", directory)
    assert "Goal: half-widths up to 5 points" in found.stdout
    assert "hold whenever" not in found.stdout


def test_anytime_is_true_or_false():
    found = cardlab("run", "quickstart", "--set", "goal.half_width=0.1", "--set", "goal.anytime=9")
    assert found.returncode == 2
    assert "goal.anytime = 9" in found.stderr
    assert "true" in found.stderr
