import json
import math
import re
import shutil

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gammainc, gammaln

from studies import load
from studies.compare.effects import compare
from studies.deals.sums import win_sums
from studies.design.cells import expand
from studies.design.keys import Goal
from studies.run.goal import Tracker, looks
from studies.run.progress import ProgressLine
from studies.run.run import run_study
from studies.stats.intervals import wilson
from studies.stats.sequences import BoundedMean, boundary, log_mixture, tuned_rho
from studies.store.directory import scan_cell
from studies.store.documents import write_provenance
from studies.store.stop_reasons import read_stops
from tests.studies.conftest import cardlab, read_rows, study


def test_looks_are_fixed_numbers_that_grow_by_about_a_quarter():
    assert list(looks(1000)) == [100, 125, 150, 200, 250, 300, 400, 500, 600, 800, 1000]
    assert list(looks(60)) == [60]
    assert list(looks(130)) == [100, 125, 130]
    assert list(looks(10**7))[:-1] == [look for look in looks(10**8) if look < 10**7]


@pytest.mark.parametrize(
    ("deviation", "spread", "rho"), [(0, 0, 3), (4, 10, 2), (30, 100, 12.5), (-5, 20, 7)]
)
def test_mixture_is_the_integral_it_stands_for(deviation, spread, rho):
    # Howard et al. 2021, Proposition 9: exp(l s - v (-log(1 - l) - l)) over a truncated gamma.
    scale = rho * math.log(rho) - gammaln(rho) - math.log(gammainc(rho, rho))

    def integrand(rate):
        rest = 1 - rate
        density = scale + (rho - 1) * math.log(rest) - rho * rest
        return math.exp(rate * deviation + spread * (math.log(rest) + rate) + density)

    value, _ = quad(integrand, 0, 1, points=[0.5, 0.9])
    assert log_mixture(deviation, spread, rho) == pytest.approx(math.log(value), abs=1e-6)


def test_boundary_is_where_the_mixture_reaches_the_threshold():
    for spread in (0.0, 1.0, 50.0, 1e5):
        reach = boundary(spread, 20.0, 0.95)
        usual, rare = (math.exp(log_mixture(reach, spread, rho)) for rho in (20.0, 1.0))
        assert 0.9 * usual + 0.1 * rare == pytest.approx(40, rel=1e-5)


def test_sequence_of_what_never_happened_is_narrow():
    sequence = BoundedMean(-1, 1, 0.01, guess=0.0)
    sequence.add(1_000, 0, 0)
    assert sequence.interval.high == pytest.approx(-sequence.interval.low)
    # 4 times what a number of deals fixed beforehand would allow; 10.5 points without the part for
    # rare events.
    assert 2 * 3.7 / 1_000 < sequence.interval.high < 8 * 3.7 / 1_000 / 1.8


def test_sequence_is_less_than_twice_as_wide_as_an_interval_where_it_is_tuned():
    # At the goal's half-width, which is what it costs to be allowed to look.
    for share in (0.05, 0.2, 0.5):
        sequence = BoundedMean(0, 1, 0.005)
        rng = np.random.default_rng(3)
        before = 0
        for look in looks(10**7):
            wins = int(rng.binomial(look - before, share))
            sequence.add(look - before, wins, wins)
            before = look
            if sequence.half_width <= 0.005:
                break
        assert sequence.half_width / (1.96 * math.sqrt(share * (1 - share) / look)) < 1.75


def simulate(share, rotations, half_width, runs, seed, matches=200_000):
    """Return how often a sequence missed at some look, missed when stopped; the same of Wilson."""
    rng = np.random.default_rng(seed)
    ever = stopped = wilson_ever = 0
    for _ in range(runs):
        sequence, before, total, squares = BoundedMean(0, 1, half_width), 0, 0, 0
        missed = wilson_missed = False
        for look in looks(matches):
            # The matches of a deal agree half the time: D is spread wider than binomially.
            like = rng.random(look - before) < 0.5
            one = rng.binomial(1, share, look - before) * rotations
            deals = np.where(like, one, rng.binomial(rotations, share, look - before))
            total, squares = int(deals.sum()), int((deals**2).sum())
            sequence.add(look - before, total / rotations, squares / rotations**2)
            before = look
            interval = sequence.interval
            missed |= not interval.low <= share <= interval.high
            plain = wilson(round(interval.estimate * look), look)
            wilson_missed |= not plain.low <= share <= plain.high
            if sequence.half_width <= half_width:
                stopped += not interval.low <= share <= interval.high
                break
        ever += missed
        wilson_ever += wilson_missed
    return ever / runs, stopped / runs, wilson_ever / runs


@pytest.mark.parametrize(
    ("share", "rotations", "half_width"),
    [(0.5, 1, 0.02), (0.25, 1, 0.01), (0.02, 1, 0.005), (0.2, 4, 0.01), (0.001, 1, 0.002)],
)
def test_coverage_at_every_look_and_when_stopped(share, rotations, half_width):
    runs = 400
    ever, stopped, plain = simulate(share, rotations, half_width, runs, seed=11)
    # 0.05 and what chance adds in 400 runs with probability 1e-6.
    assert ever <= 0.05 + 4.75 * math.sqrt(0.05 * 0.95 / runs)
    assert stopped <= ever
    if share > 0.01 and rotations == 1:
        assert plain > 0.12  # what looking again and again does to an ordinary interval


def test_sequence_of_differences_covers():
    rng = np.random.default_rng(5)
    missed = 0
    for _ in range(300):
        sequence, before, out = BoundedMean(-0.5, 0.5, 0.01, guess=0.0), 0, False
        for look in looks(20_000):
            values = rng.choice([-0.5, 0, 0.5], look - before, p=[0.1, 0.75, 0.15])
            sequence.add(look - before, values.sum(), (values**2).sum())
            before = look
            out |= not sequence.interval.low <= 0.025 <= sequence.interval.high
        missed += out
    assert missed / 300 <= 0.05 + 4.75 * math.sqrt(0.05 * 0.95 / 300)


def goal_study(half_width=0.05, *, anytime=True, **changes):
    changes = {
        "matches": 5000,
        "options": {"players": 3, "rounds": 1},
        "variants": {"two": {"double_two": "always"}, "same": {}},
        "lineups": [
            {"name": "pair", "seats": ["greedy", "random"], "rotate": True},
            {"name": "alike", "seats": ["random"]},
        ],
        "goal": {"half_width": half_width, "anytime": anytime},
        **changes,
    }
    return study(**changes)


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    directory = tmp_path_factory.mktemp("goal") / "study"
    outcome = run_study(goal_study(), directory, threads=2)
    return directory, outcome


def deals_of(directory, asked):
    return {cell.id: scan_cell(directory, cell).present(10**9) for cell in expand(asked)}


def test_cells_stop_one_by_one_at_looks(stopped):
    directory, outcome = stopped
    asked = goal_study()
    deals = deals_of(directory, asked)
    assert set(deals.values()) <= set(looks(5000))
    assert len(set(deals.values())) > 1
    assert max(deals.values()) < 5000
    for cell in expand(asked):
        stop = outcome.stops[cell.id]
        assert (stop.why, stop.deals) == ("goal", deals[cell.id])
        interval = stop.intervals["differ" if cell.variant != "baseline" else "position.0"]
        if cell.variant != "baseline":
            assert (interval.high - interval.low) / 2 <= 0.05
        beside = [one.id for one in expand(asked) if one.group == cell.group]
        if cell.variant == "baseline":
            assert deals[cell.id] == max(deals[one] for one in beside)


def test_no_cell_goes_past_the_look_at_which_it_could_stop(stopped, tmp_path):
    late = [cell for cell in expand(goal_study()) if stopped[1].stops[cell.id].deals > 100]
    assert len(late) >= 3
    for cell in late:
        deals = stopped[1].stops[cell.id].reached
        before = max(look for look in looks(5000) if look < deals)
        outcome = run_study(goal_study(matches=before), tmp_path / cell.id, threads=2)
        assert outcome.stops[cell.id].reached is None


def test_no_cell_stops_before_changes_of_win_shares_are_narrow(stopped):
    """Nor those of positions, where one policy holds all seats."""
    directory, outcome = stopped
    comparison = compare(directory)
    assert comparison.anytime
    for cell in expand(goal_study()):
        if cell.variant == "baseline":
            continue
        effect = next(
            one
            for one in comparison.variants
            if (one.variant, one.lineup) == (cell.variant, cell.lineup)
        )
        alone = len(effect.policies) == 1
        intervals = outcome.stops[cell.id].intervals
        for own in effect.positions if alone else effect.policies:
            name = f"position_change.{own.position}" if alone else f"change.{own.policy}"
            assert own.win_share.change == intervals[name]
            assert intervals[name].high - intervals[name].low <= 2 * 0.05
    assert not compare(directory, 0.9).anytime


@pytest.mark.parametrize("anytime", [True, False])
def test_a_change_that_is_wide_is_waited_for(anytime):
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
    before = 1 + (generator.random((20_000, 1)) < 0.5).astype(np.uint16)
    after = np.where(generator.random((20_000, 1)) < 0.6, 3 - before, before)
    reached = {}
    tracker = Tracker(cell, Goal(half_width=0.05, anytime=anytime), paired=True)
    first = np.zeros((20_000, 1), np.uint8)
    seen = 0
    for look in looks(20_000):
        sides = [
            {"first_seat": first[seen:look], "winners": own[seen:look]} for own in (before, after)
        ]
        tracker.add(win_sums(cell, sides[1], sides[0]))
        seen = look
        for name, interval in tracker.intervals.items():
            if interval.high - interval.low <= 0.1:
                reached.setdefault(name, look)
        if tracker.is_narrow:
            break
    assert base.variant == "baseline"
    assert look == max(reached[name] for name in ("differ", "change.greedy", "change.random"))
    assert look > max(reached["differ"], reached["share.greedy"], reached["share.random"])


@pytest.mark.parametrize(("threads", "block"), [(1, 7), (3, 40)])
def test_what_is_kept_depends_neither_on_threads_nor_on_blocks(stopped, tmp_path, threads, block):
    run_study(goal_study(), tmp_path, threads=threads, block=block)
    assert read_rows(tmp_path) == read_rows(stopped[0])
    assert read_stops(tmp_path) == read_stops(stopped[0])


def test_files_are_the_same_bit_for_bit(stopped, tmp_path):
    run_study(goal_study(), tmp_path, threads=1)

    def contents(directory):
        return {
            str(path.relative_to(directory)): path.read_bytes()
            for path in directory.glob("matches/*/*.parquet")
        }

    assert contents(tmp_path) == contents(stopped[0])


def test_running_again_changes_nothing(stopped):
    before = {path: path.stat().st_mtime_ns for path in stopped[0].rglob("*") if path.is_file()}
    outcome = run_study(goal_study(), stopped[0], threads=1)
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
    assert read_stops(tmp_path / "a") == read_stops(tmp_path / "b")
    assert any(after[name] > before[name] for name in before)


def test_a_goal_out_of_reach_ends_at_the_number_of_matches(tmp_path):
    outcome = run_study(goal_study(0.001, matches=150), tmp_path, threads=2)
    assert {stop.why for stop in outcome.stops.values()} == {"matches"}
    assert set(deals_of(tmp_path, goal_study()).values()) == {150}


def test_a_run_cut_short_is_told_and_goes_on_to_the_same(stopped, tmp_path):
    class Cut(ProgressLine):
        left = 12

        def advance(self, rows, cells_done):
            super().advance(rows, cells_done)
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt

    outcome = run_study(goal_study(), tmp_path, threads=1, watcher=Cut())
    assert outcome.interrupted
    _, stops = read_stops(tmp_path)
    assert "interrupted" in {stop.why for stop in stops.values()}
    run_study(goal_study(), tmp_path, threads=2)
    assert read_rows(tmp_path) == read_rows(stopped[0])
    assert read_stops(tmp_path) == read_stops(stopped[0])


def test_what_stopped_each_cell_is_in_the_directory(stopped):
    told = json.loads((stopped[0] / "provenance.json").read_text())["stops"]
    assert told["goal"]["half_width"] == 0.05
    assert "Howard" in told["goal"]["method"]
    assert {one["why"] for one in told["cells"].values()} == {"goal"}


def test_without_a_goal_the_number_of_matches_is_told(played):
    told = json.loads((played / "provenance.json").read_text())["stops"]
    assert told["goal"] is None
    assert {one["why"] for one in told["cells"].values()} == {"matches"}


def test_compare_shows_the_intervals_that_hold(stopped):
    comparison = compare(stopped[0])
    _, stops = read_stops(stopped[0])
    cells = {(cell.variant, cell.lineup): cell.id for cell in expand(goal_study())}
    for effect in comparison.variants:
        own = stops[cells[effect.variant, effect.lineup]]
        assert effect.winners_differ == own.intervals["differ"]
        assert effect.deals == own.deals
        rows = load(stopped[0]).filter(cell=cells[effect.variant, effect.lineup]).collect()
        assert len(rows) == effect.matches
        assert effect.winners_differ.estimate == pytest.approx(
            effect.winners_differ_count / effect.matches
        )
    for result in comparison.lineups:
        own = stops[cells["baseline", result.lineup]]
        for policy in result.policies:
            assert policy.win_share == own.intervals[f"share.{policy.policy}"]
    assert "hold whenever one stops" in comparison.remarks[-1]
    assert "6 reached the goal" in comparison.remarks[-1]


def test_compare_at_another_level_says_what_its_intervals_are(stopped):
    comparison = compare(stopped[0], 0.9)
    assert "number of deals fixed beforehand" in comparison.remarks[-1]
    _, stops = read_stops(stopped[0])
    held = [stop.intervals.get("differ") for stop in stops.values()]
    assert not any(effect.winners_differ in held for effect in comparison.variants)


def test_compare_after_a_killed_run_says_that_nothing_is_known(stopped, tmp_path):
    directory = tmp_path / "copy"
    shutil.copytree(stopped[0], directory)
    told = json.loads((directory / "provenance.json").read_text())
    told.pop("stops")  # as it is while a run goes on
    write_provenance(directory, told)
    assert "the last run was killed" in compare(directory).remarks[-1]
    found = cardlab("compare", directory)
    assert "Goal: half-widths" not in found.stdout
    outcome = run_study(goal_study(), directory, threads=1)
    assert outcome.played == 0
    assert read_stops(directory) == read_stops(stopped[0])


def test_command_line_tells_what_stopped_each_cell(stopped):
    found = cardlab("compare", stopped[0])
    assert found.returncode == 0, found.stderr
    table = found.stdout[found.stdout.index("Goal: half-widths up to 5 points") :]
    assert len(re.findall(r" goal +\d", table)) == 6
    again = cardlab("compare", stopped[0], "--json")
    told = json.loads(again.stdout)["stops"]
    assert told["goal"]["half_width"] == 0.05
    assert len(told["cells"]) == 6


def test_tuning_does_not_depend_on_data():
    assert tuned_rho(0.002, 0.95) > tuned_rho(0.02, 0.95) > tuned_rho(0.9, 0.95) > 0
