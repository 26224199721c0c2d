"""`[goal] half_width`: where cells stop, that nothing else decides it, and what then holds."""

import json
import math

import numpy as np
import pytest

from studies.answers.plan import goal_state, looks
from studies.answers.totals import totals_of as sums_of
from studies.design.cells import expand
from studies.design.keys import Goal
from studies.measures import measures_of
from studies.run.plan import Group
from studies.run.progress import ProgressLine
from studies.run.run import run_study
from studies.store.opened import open_study
from studies.store.provenance import INTERRUPTED
from studies.store.totals import block_totals, group_totals
from tests.studies.conftest import (
    contents,
    everything,
    goal_study,
    read_rows,
    study,
    table,
    totals_of,
)
from tests.studies.planted import columns_of, flat


class Counting(ProgressLine):
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


HALF_WIDTH = 0.05
COUNTED = Counting()


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    directory = tmp_path_factory.mktemp("goal") / "study"
    outcome = run_study(goal_study(HALF_WIDTH), directory, threads=2, watcher=COUNTED)
    return directory, outcome


def deals_of(directory):
    """Return the deals that are stored of each cell."""
    stored = open_study(directory)
    return {cell.id: sum(part.count for part in stored.parts[cell.id]) for cell in stored.cells}


def assert_same_study(directory, other):
    assert read_rows(directory) == read_rows(other)
    assert open_study(directory).stops == open_study(other).stops


def test_looks_are_fixed_numbers_that_grow_by_about_a_quarter():
    assert list(looks(1234)) == [100, 125, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1234]
    assert list(looks(60)) == [60]
    assert list(looks(130)) == [100, 125, 130]
    assert list(looks(10**7))[:-1] == [look for look in looks(10**8) if look < 10**7]


def test_cells_stop_one_by_one_at_looks(stopped):
    directory, outcome = stopped
    deals = deals_of(directory)
    assert set(deals.values()) <= set(looks(5000))
    assert len(set(deals.values())) > 1
    assert max(deals.values()) < 5000
    cells = expand(goal_study(HALF_WIDTH))
    for cell in cells:
        stop = outcome.stops[cell.id]
        assert (stop.why, stop.deals) == ("goal", deals[cell.id])
        if cell.variant == "baseline":
            beside = [deals[other.id] for other in cells if other.group == cell.group]
            assert deals[cell.id] == max(beside)


def test_each_variant_stops_at_the_first_look_at_which_it_is_narrow(stopped):
    stored = open_study(stopped[0])

    def widest(cell, deals):
        sums = group_totals(stored.base(cell), [cell], stored.parts, (), 0, deals)
        return goal_state(cell, sums[cell.id], HALF_WIDTH).widest

    late = [
        cell for cell in stored.cells if cell.variant != "baseline" and stored.deals(cell) > 100
    ]
    assert late
    for cell in late:
        deals = stored.deals(cell)
        before = max(look for look in looks(5000) if look < deals)
        assert widest(cell, before) > HALF_WIDTH >= widest(cell, deals)


def stops_of(cells, matches, half_width, load):
    """Return where the cells of a group stop; `load` gives their sums of deals."""
    group = Group(cells, matches, Goal(half_width=half_width), load)
    while group.active:
        group.look()
    return group.stops


TWO = {"options": {"players": 2}, "lineups": [table("two", "greedy", "random", rotate=False)]}


def test_a_change_that_is_wide_is_waited_for():
    """Win rates and other winners are known before the change of a win rate is.

    Two at a table without rotation; three of five matches go to the other, now this way, now that:
    a change lies in [-1, 1], a share in [0, 1].
    """
    base, cell = expand(study(**TWO, variants={"dirty": {"dirty_one": "always"}}))
    generator = np.random.default_rng(3)
    before = 1 + (generator.random((20_000, 1)) < 0.5).astype(np.uint16)
    after = np.where(generator.random((20_000, 1)) < 0.6, 3 - before, before)
    sides = {
        side.id: columns_of(side, 20_000, lambda _, columns, won=won: columns.update(winners=won))
        for side, won in ((base, before), (cell, after))
    }

    def load(_, active, start, stop):
        played = [(side, flat(sides[side.id], start, stop)) for side in active]
        return block_totals(base, flat(sides[base.id], start, stop), played, ())

    deals = stops_of([base, cell], 20_000, 0.05, load)[cell.id].deals
    alone = 1.96 * math.sqrt(0.25 / deals)  # of a win rate; another winner is as narrow
    change = 1.96 * math.sqrt(0.6 / deals)
    assert alone < 0.045
    assert 0.035 < change < 0.05


MOST = 4_000


@pytest.mark.whole_but("0.1-*")
@pytest.mark.parametrize(("share", "half_width"), [(0.5, 0.03), (0.1, 0.04), (0.02, 0.01)])
def test_intervals_cover_where_they_were_stopped_at(share, half_width):
    """Stopping by width alone takes nothing from an interval (Chow & Robbins)."""
    (cell,) = expand(study(**TWO, variants={}))
    measures = [measure for measure in measures_of(cell) if measure.name == "win_rate"]
    rng = np.random.default_rng(8)
    runs, missed = 80, 0
    for _ in range(runs):
        won = rng.random((MOST, 1)) < share
        columns = columns_of(
            cell,
            MOST,
            lambda _, columns, won=won: columns.update(winners=np.where(won, 1, 2)),
        )

        def load(_, active, start, stop, columns=columns):
            return {c.id: sums_of(c, flat(columns, start, stop), measures) for c in active}

        stop = stops_of([cell], MOST, half_width, load)[cell.id]
        assert stop.why == "goal"
        estimate = won[: stop.deals].mean()
        error = math.sqrt(max(estimate, 1 / stop.deals) * (1 - estimate) / stop.deals)
        missed += abs(estimate - share) > 1.96 * error
    assert missed / runs <= 0.05 + 2.6 * math.sqrt(0.05 * 0.95 / runs)


@pytest.mark.whole
@pytest.mark.parametrize(("threads", "block"), [(1, None), (1, 37), (3, 200)])
def test_what_is_kept_depends_neither_on_threads_nor_on_blocks(stopped, tmp_path, threads, block):
    run_study(goal_study(HALF_WIDTH), tmp_path, threads=threads, block=block)
    assert_same_study(tmp_path, stopped[0])
    if block is None:  # bit for bit
        assert contents(tmp_path) == contents(stopped[0])


def test_sums_stop_where_rows_do(stopped, tmp_path):
    run_study(goal_study(HALF_WIDTH, rows=False), tmp_path, threads=2)
    assert open_study(tmp_path).stops == open_study(stopped[0]).stops
    assert [rows for _, rows in totals_of(tmp_path)] == [rows for _, rows in totals_of(stopped[0])]


def test_running_again_changes_nothing(stopped):
    before = everything(stopped[0])
    assert run_study(goal_study(HALF_WIDTH), stopped[0], threads=1).played == 0
    assert everything(stopped[0]) == before


def test_a_narrower_goal_goes_on_from_there(stopped, tmp_path):
    run_study(goal_study(0.08), tmp_path, threads=2)
    before = deals_of(tmp_path)
    run_study(goal_study(HALF_WIDTH), tmp_path, threads=2)
    assert_same_study(tmp_path, stopped[0])
    after = deals_of(tmp_path)
    assert any(after[name] > before[name] for name in before)


def test_a_goal_out_of_reach_ends_at_the_number_of_matches(tmp_path):
    outcome = run_study(goal_study(0.001, matches=150), tmp_path, threads=2)
    assert {stop.why for stop in outcome.stops.values()} == {"matches"}
    assert set(deals_of(tmp_path).values()) == {150}


def test_rows_that_a_goal_spares_are_told_with_their_rotations(stopped):
    rotations = {cell.id: cell.rotations for cell in expand(goal_study())}
    assert COUNTED.wanted == 5000 * sum(rotations.values())
    assert COUNTED.played == stopped[1].played
    assert COUNTED.played + COUNTED.spared == COUNTED.wanted
    deals = deals_of(stopped[0])
    assert COUNTED.played == sum(deals[name] * times for name, times in rotations.items())


def test_a_run_cut_short_is_told_and_goes_on_to_the_same(stopped, tmp_path):
    outcome = run_study(goal_study(HALF_WIDTH), tmp_path, threads=1, watcher=Counting(12))
    assert outcome.interrupted
    assert INTERRUPTED in {stop.why for stop in open_study(tmp_path).stops.values()}
    run_study(goal_study(HALF_WIDTH), tmp_path, threads=1)
    assert_same_study(tmp_path, stopped[0])


def test_what_stopped_each_cell_is_in_the_directory(stopped, played):
    stops = json.loads((stopped[0] / "provenance.json").read_text())["stops"]
    assert stops["goal"]["half_width"] == HALF_WIDTH
    assert "Chow" in stops["goal"]["method"]
    assert {cell["why"] for cell in stops["cells"].values()} == {"goal"}
    assert open_study(stopped[0]).goal == Goal(half_width=HALF_WIDTH)
    stops = json.loads((played / "provenance.json").read_text())["stops"]
    assert stops["goal"] is None
    assert {cell["why"] for cell in stops["cells"].values()} == {"matches"}
