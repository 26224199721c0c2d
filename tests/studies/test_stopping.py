"""`[goal] half_width`: where cells stop, that nothing else decides it, and what then holds."""

import json
import math

import numpy as np
import pytest

from studies.answers.plan import goal_state, looks
from studies.answers.totals import totals_of
from studies.design.cells import expand
from studies.design.keys import Goal
from studies.measures import measures_of
from studies.run.goal import Group
from studies.run.progress import ProgressLine
from studies.run.run import run_study
from studies.store.opened import open_study
from studies.store.provenance import INTERRUPTED
from studies.store.totals import block_totals, group_totals
from tests.studies.conftest import parts_there, read_rows, study
from tests.studies.planted import columns_of, flat


def test_looks_are_fixed_numbers_that_grow_by_about_a_quarter():
    assert list(looks(1000)) == [100, 125, 150, 200, 250, 300, 400, 500, 600, 800, 1000]
    assert list(looks(60)) == [60]
    assert list(looks(130)) == [100, 125, 130]
    assert list(looks(10**7))[:-1] == [look for look in looks(10**8) if look < 10**7]


def goal_study(half_width=0.05, **changes):
    changes = {
        "matches": 5000,
        "options": {"players": 3, "rounds": 1},
        "variants": {"two": {"double_two": "always"}, "same": {}},
        "lineups": [
            {"name": "pair", "seats": ["greedy", "random"], "rotate": True},
            {"name": "alike", "seats": ["random"]},
        ],
        "goal": {"half_width": half_width},
        **changes,
    }
    return study(**changes)


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    directory = tmp_path_factory.mktemp("goal") / "study"
    outcome = run_study(goal_study(0.03), directory, threads=2)
    return directory, outcome


def deals_of(directory, asked):
    return {
        cell.id: sum(part.count for part in parts_there(directory, cell)) for cell in expand(asked)
    }


def widest(stored, cell, deals):
    """Return the widest half-width that the goal is about, over the first deals of a cell."""
    found = group_totals(stored.base(cell), [cell], stored.parts, (), 0, deals)
    return goal_state(cell, found[cell.id], 0.03).widest


def test_cells_stop_one_by_one_at_looks(stopped):
    directory, outcome = stopped
    asked = goal_study(0.03)
    deals = deals_of(directory, asked)
    assert set(deals.values()) <= set(looks(5000))
    assert len(set(deals.values())) > 1
    assert max(deals.values()) < 5000
    for cell in expand(asked):
        stop = outcome.stops[cell.id]
        assert (stop.why, stop.deals) == ("goal", deals[cell.id])
        beside = [one.id for one in expand(asked) if one.group == cell.group]
        if cell.variant == "baseline":
            assert deals[cell.id] == max(deals[one] for one in beside)


def test_each_variant_stops_at_the_first_look_at_which_it_is_narrow(stopped):
    stored = open_study(stopped[0])
    late = [
        cell for cell in stored.cells if cell.variant != "baseline" and stored.deals(cell) > 100
    ]
    assert late
    for cell in late:
        deals = stored.deals(cell)
        before = max(look for look in looks(5000) if look < deals)
        assert widest(stored, cell, before) > 0.03 >= widest(stored, cell, deals)


def test_a_change_that_is_wide_is_waited_for():
    """Win rates and other winners are known before the change of a win rate is.

    Two at a table without rotation; three of five matches go to the other, now this way, now that:
    a change lies in [-1, 1], a share in [0, 1].
    """
    planned = study(
        options={"players": 2},
        lineups=[{"name": "two", "seats": ["greedy", "random"]}],
        variants={"dirty": {"dirty_one": "always"}},
        goal={"half_width": 0.05},
    )
    base, cell = expand(planned)
    generator = np.random.default_rng(3)
    drawn = 1 + (generator.random((20_000, 1)) < 0.5).astype(np.uint16)
    moved = np.where(generator.random((20_000, 1)) < 0.6, 3 - drawn, drawn)
    sides = {
        one.id: columns_of(one, 20_000, lambda _, columns, own=own: columns.update(winners=own))
        for one, own in ((base, drawn), (cell, moved))
    }

    def load(_, active, start, stop):
        played = [(one, flat(sides[one.id], start, stop)) for one in active]
        return block_totals(base, flat(sides[base.id], start, stop), played, ())

    group = Group([base, cell], 20_000, Goal(half_width=0.05), load)
    while group.active:
        group.look()
    deals = group.stops[cell.id].deals
    alone = 1.96 * math.sqrt(0.25 / deals)  # of a win rate; another winner is as narrow
    change = 1.96 * math.sqrt(0.6 / deals)
    assert alone < 0.045
    assert 0.035 < change < 0.05


@pytest.mark.whole
@pytest.mark.parametrize(("threads", "block"), [(1, 37), (3, 200)])
def test_what_is_kept_depends_neither_on_threads_nor_on_blocks(stopped, tmp_path, threads, block):
    run_study(goal_study(0.03), tmp_path, threads=threads, block=block)
    assert read_rows(tmp_path) == read_rows(stopped[0])
    assert open_study(tmp_path).stops == open_study(stopped[0]).stops


def test_sums_stop_where_rows_do(stopped, tmp_path):
    run_study(goal_study(0.03, detail="summary"), tmp_path, threads=2)
    sums, rows = open_study(tmp_path), open_study(stopped[0])
    assert sums.stops == rows.stops
    for cell in rows.cells:
        assert sums.totals(cell).to_frame().equals(rows.totals(cell).to_frame())


def test_files_are_the_same_bit_for_bit(stopped, tmp_path):
    run_study(goal_study(0.03), tmp_path, threads=1)

    def contents(directory):
        return {
            str(path.relative_to(directory)): path.read_bytes()
            for folder in ("matches", "totals")
            for path in (directory / folder).rglob("*.parquet")
        }

    assert contents(tmp_path) == contents(stopped[0])


def test_running_again_changes_nothing(stopped):
    before = {path: path.stat().st_mtime_ns for path in stopped[0].rglob("*") if path.is_file()}
    outcome = run_study(goal_study(0.03), stopped[0], threads=1)
    after = {path: path.stat().st_mtime_ns for path in stopped[0].rglob("*") if path.is_file()}
    before.pop(stopped[0] / ".lock")
    after.pop(stopped[0] / ".lock")
    assert (outcome.played, after) == (0, before)


def test_a_narrower_goal_goes_on_from_there(tmp_path):
    run_study(goal_study(0.08), tmp_path / "a", threads=2)
    before = deals_of(tmp_path / "a", goal_study())
    run_study(goal_study(0.04), tmp_path / "a", threads=2)
    run_study(goal_study(0.04), tmp_path / "b", threads=2)
    after = deals_of(tmp_path / "a", goal_study())
    assert read_rows(tmp_path / "a") == read_rows(tmp_path / "b")
    assert open_study(tmp_path / "a").stops == open_study(tmp_path / "b").stops
    assert any(after[name] > before[name] for name in before)


def test_a_goal_out_of_reach_ends_at_the_number_of_matches(tmp_path):
    outcome = run_study(goal_study(0.001, matches=150), tmp_path, threads=2)
    assert {stop.why for stop in outcome.stops.values()} == {"matches"}
    assert set(deals_of(tmp_path, goal_study()).values()) == {150}


class Told(ProgressLine):
    """Adds up what a run tells; ends it after so many blocks."""

    def __init__(self, left=10**9):
        super().__init__()
        self.left, self.wanted, self.spared, self.played = left, 0, 0, 0

    def begin(self, rows, cells):
        super().begin(rows, cells)
        self.wanted = rows

    def advance(self, rows, cells_done):
        super().advance(rows, cells_done)
        self.played += rows
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt

    def spare(self, rows):
        super().spare(rows)
        self.spared += rows


def test_rows_that_a_goal_spares_are_told_with_their_rotations(tmp_path):
    told = Told()
    outcome = run_study(goal_study(0.03), tmp_path, threads=2, watcher=told)
    cells = expand(goal_study())
    assert told.wanted == sum(5000 * cell.rotations for cell in cells)
    assert told.played == outcome.played
    assert told.played + told.spared == told.wanted
    deals = deals_of(tmp_path, goal_study())
    assert told.played == sum(deals[cell.id] * cell.rotations for cell in cells)


def test_a_run_cut_short_is_told_and_goes_on_to_the_same(stopped, tmp_path):
    outcome = run_study(goal_study(0.03), tmp_path, threads=1, watcher=Told(12))
    assert outcome.interrupted
    assert INTERRUPTED in {stop.why for stop in open_study(tmp_path).stops.values()}
    run_study(goal_study(0.03), tmp_path, threads=2)
    assert read_rows(tmp_path) == read_rows(stopped[0])
    assert open_study(tmp_path).stops == open_study(stopped[0]).stops


def test_what_stopped_each_cell_is_in_the_directory(stopped, played):
    told = json.loads((stopped[0] / "provenance.json").read_text())["stops"]
    assert told["goal"]["half_width"] == 0.03
    assert "Chow" in told["goal"]["method"]
    assert {one["why"] for one in told["cells"].values()} == {"goal"}
    assert open_study(stopped[0]).goal == Goal(half_width=0.03)
    told = json.loads((played / "provenance.json").read_text())["stops"]
    assert told["goal"] is None
    assert {one["why"] for one in told["cells"].values()} == {"matches"}


@pytest.mark.parametrize(("share", "half_width"), [(0.5, 0.03), (0.1, 0.02), (0.02, 0.01)])
def test_intervals_cover_where_they_were_stopped_at(share, half_width):
    """Stopping by width alone takes nothing from an interval (Chow & Robbins)."""
    planned = study(
        options={"players": 2},
        lineups=[{"name": "two", "seats": ["greedy", "random"]}],
        variants={},
    )
    (cell,) = expand(planned)
    measures = [one for one in measures_of(cell) if one.name == "win_rate"]
    rng = np.random.default_rng(8)
    runs = missed = 0
    for _ in range(120):
        won = rng.random((20_000, 1)) < share

        def rows(_, columns, won=won):
            columns["winners"] = np.where(won, 1, 2).astype(np.uint16)

        columns = columns_of(cell, 20_000, rows)

        def load(_, active, start, stop, columns=columns):
            return {one.id: totals_of(one, flat(columns, start, stop), measures) for one in active}

        group = Group([cell], 20_000, Goal(half_width=half_width), load)
        while group.active:
            group.look()
        deals = group.stops[cell.id].deals
        assert group.stops[cell.id].why == "goal"
        estimate = won[:deals].mean()
        error = math.sqrt(max(estimate, 1 / deals) * (1 - estimate) / deals)
        missed += abs(estimate - share) > 1.96 * error
        runs += 1
    assert missed / runs <= 0.05 + 2.6 * math.sqrt(0.05 * 0.95 / runs)
