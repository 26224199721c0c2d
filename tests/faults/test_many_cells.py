"""Thousands of cells with few matches each: no step takes longer than in proportion."""

from __future__ import annotations

import resource
import time

import pytest

from studies.cli.app import run_app
from studies.design.cells import expand
from studies.design.study import check_study
from studies.run.estimate import estimate
from studies.run.plan import Plan
from studies.run.run import run_study
from tests.patience import PATIENCE
from tests.studies.conftest import load


def sweep(keen, trump):
    return check_study(
        {
            "game": "updown",
            "seed": 3,
            "matches": 4,
            "options": {"players": 2},
            "sweep": {
                "all_rounder.keen": [1 + i for i in range(keen)],
                "all_rounder.trump": [i / 10 for i in range(trump)],
            },
            "variants": {"adjacent": {"seating": "adjacent"}},
            "lineups": [{"name": "pair", "seats": ["all_rounder", "saver"]}],
        },
        name="many",
    )


def seconds_of(work, *arguments, **options):
    started = time.perf_counter()
    result = work(*arguments, **options)
    return result, time.perf_counter() - started


def whole_way(study, directory):
    """Return what each step takes, in seconds."""
    took = {}
    cells, took["plan"] = seconds_of(expand, study)
    guess, took["dry run"] = seconds_of(estimate, study, cells, directory, 2)
    assert guess.rows_left == 4 * len(cells)
    outcome, took["run"] = seconds_of(run_study, study, directory, threads=2)
    assert outcome.played == 4 * len(cells)
    outcome, took["run again"] = seconds_of(run_study, study, directory, threads=2)
    assert outcome.played == 0
    frame, took["load"] = seconds_of(lambda: load(directory).collect())
    assert frame.height == 4 * len(cells)
    status, took["compare"] = seconds_of(run_app, ["compare", str(directory)])
    assert status == 0
    status, took["report"] = seconds_of(run_app, ["report", str(directory)])
    assert status == 0
    return took


@pytest.mark.whole
def test_two_hundred_cells_go_the_whole_way(tmp_path, capsys):
    whole_way(sweep(10, 10), tmp_path / "many")
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.whole
def test_planning_ten_thousand_cells(tmp_path):
    study = sweep(100, 50)
    cells, took = expand_and_book(study, tmp_path)
    assert len(cells) == 10_000
    assert max(took.values()) < PATIENCE, took


@pytest.mark.speed
def test_ten_thousand_cells_are_planned_soon(tmp_path):
    _, took = expand_and_book(sweep(100, 50), tmp_path)
    assert took["expand"] < 30  # 2 on an idle machine
    assert took["book"] < 10  # a count of cells for each task took 20


def expand_and_book(study, tmp_path):
    cells, expanding = seconds_of(expand, study)
    parts = {cell.id: [] for cell in cells}
    plan = Plan(study, cells, parts, tmp_path, "source", block=4)
    started = time.perf_counter()
    line = 0
    while (task := plan.take()) is not None:
        from studies.run.executors import Done

        plan.record(Done(task, 0.0))
        line += 1
        assert plan.cells_done == line
    assert plan.cells_left == 0
    return cells, {"expand": expanding, "book": time.perf_counter() - started}


@pytest.mark.speed
def test_two_hundred_cells_go_the_whole_way_soon(tmp_path):
    took = whole_way(sweep(10, 10), tmp_path / "many")
    assert max(took.values()) < 60, took


@pytest.mark.long
def test_ten_thousand_cells(tmp_path):
    took = whole_way(sweep(100, 50), tmp_path / "many")
    assert max(took.values()) < 600, took
    assert took["load"] < 60, took  # a frame for each cell took 20 minutes on a busy machine
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 3_000_000
