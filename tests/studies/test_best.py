"""`[goal] best = true`: contestants that fall behind stop, and who is the best is told."""

import json

import numpy as np
import pytest

import cardlab
from simcore.errors import InputError
from studies.answers.plan import looks
from studies.design.cells import expand
from studies.design.contest import contests
from studies.run.progress import ProgressLine
from studies.run.race import races
from studies.run.run import run_study
from studies.store.opened import open_study
from studies.store.stops import (
    BEHIND,
    GOAL,
    INTERRUPTED,
    REACHED,
    Standing,
    Stop,
    saved,
    verdicts,
)
from tests.studies.conftest import parts_there, read_rows, study

CANDIDATES = ("dumper", "random_playable", "random")


def lineups(*candidates, others=("random", "random")):
    return [{"name": one, "seats": [one, *others], "rotate": True} for one in candidates]


def best_study(half_width=0.05, **changes):
    return study(
        **{
            "game": "uno",
            "matches": 1000,
            "options": {"players": 3},
            "variants": {},
            "lineups": lineups(*CANDIDATES),
            "goal": {"half_width": half_width, "best": True},
            **changes,
        }
    )


def rules_study(**changes):
    return best_study(
        **{
            "variants": {"one": {"hand_size": 5}, "two": {"hand_size": 3}},
            "lineups": lineups("dumper"),
            **changes,
        }
    )


def planted(shares, seed=1):
    """Return a source of winners: in each cell the first seat's policy wins with its share."""
    made = {}

    def winners(cell, start, stop):
        if cell.id not in made:
            rng = np.random.default_rng([seed, len(made)])
            first = shares(cell)
            rest = (1 - first) / (cell.players - 1)
            at = rng.choice(
                cell.players, (20_000, cell.rotations), p=[first, *[rest] * (cell.players - 1)]
            )
            # A seat of the line-up sits elsewhere in each rotation.
            made[cell.id] = 1 << ((at - np.arange(cell.rotations)) % cell.players)
        return {"winners": made[cell.id][start:stop].astype(np.uint16).ravel()}

    return winners


def raced(asked, shares, matches=20_000):
    """Return the stops of a study whose winners are planted."""
    stops = {}
    for group in races(
        contests(asked, expand(asked)), matches, asked.goal, winners := planted(shares)
    ):
        while group.active:
            group.look()
        stops |= group.all_stops()
    return stops, winners


def test_strategies_race_for_the_win_share_of_the_first_seat():
    asked = best_study(0.02)
    truth = {"dumper": 0.5, "random_playable": 0.4, "random": 0.33}
    stops, winners = raced(asked, lambda cell: truth[cell.seats[0]])
    cells = {cell.seats[0]: cell for cell in expand(asked)}
    assert cells["random"].rotations == 1  # one policy in all seats, which wins its third
    by_name = {name: stops[cell.id] for name, cell in cells.items()}
    assert {name: one.why for name, one in by_name.items()} == {
        "dumper": GOAL,
        "random_playable": BEHIND,
        "random": BEHIND,
    }
    (verdict,) = verdicts(stops)
    assert (verdict.where, verdict.best, verdict.open) == ("", "dumper", [])
    assert by_name["dumper"].contest.gap is None
    last = by_name["random_playable"]
    assert (last.contest.leader, last.deals) == ("dumper", by_name["dumper"].deals)

    def share(name):
        deals = winners(cells[name], 0, last.deals)["winners"].reshape(-1, cells[name].rotations)
        seat = (-np.arange(cells[name].rotations)) % 3
        return ((deals >> seat) & 1).mean()

    estimate, low, high = last.contest.gap
    assert estimate == pytest.approx(share("random_playable") - share("dumper"))
    assert low < -0.1 < high < 0
    estimate, _, _ = by_name["random"].contest.gap
    others = winners(cells["dumper"], 0, by_name["random"].deals)["winners"].reshape(-1, 3)
    seat = (-np.arange(3)) % 3
    assert estimate == pytest.approx(1 / 3 - ((others >> seat) & 1).mean())


def test_matches_saved_are_counted_in_rotations():
    asked = best_study(0.02)
    truth = {"dumper": 0.5, "random_playable": 0.4, "random": 0.33}
    stops, _ = raced(asked, lambda cell: truth[cell.seats[0]])
    wanted = {cell.id: 20_000 * cell.rotations for cell in expand(asked)}
    played = sum(stops[cell.id].deals * cell.rotations for cell in expand(asked))
    assert saved(stops) == (
        sum(wanted.values()) - played,
        1 - played / sum(wanted.values()),
    )
    assert saved(stops)[1] > 0.8


def test_a_policy_that_holds_two_seats_counts_by_seat():
    asked = best_study(
        0.01, options={"players": 4}, lineups=lineups("dumper", "saver", others=["random"])
    )
    stops, _ = raced(asked, lambda _: 0.25, matches=400)
    assert {stop.why for stop in stops.values()} == {REACHED}
    (gap,) = [stop.contest.gap for stop in stops.values() if stop.contest.gap]
    _, low, high = gap
    assert low >= -0.5
    assert high <= 0.5
    assert high - low < 0.3


def test_rules_race_within_each_lineup_and_sweep_point():
    asked = rules_study(
        sweep={"players": [3, 4]}, lineups=lineups("dumper", "saver", others=["random"])
    )
    cells = expand(asked)
    found = contests(asked, cells)
    assert [one.where for one in found] == [
        "dumper, players=3",
        "saver, players=3",
        "dumper, players=4",
        "saver, players=4",
    ]
    assert {tuple(one.names) for one in found} == {("baseline", "one", "two")}
    truth = {"baseline": 0.3, "one": 0.45, "two": 0.2}
    stops, _ = raced(asked, lambda cell: truth[cell.variant])
    assert [(one.best, one.stopped_by) for one in verdicts(stops)] == [("one", GOAL)] * 4


def test_the_error_is_split_over_all_contestants():
    """Eight sequences in four contests: the same intervals as at 1 - 0.05 / 8 each."""
    asked = rules_study(sweep={"players": [3, 4, 5, 6]})
    one = rules_study(sweep={"players": [3]})
    wide, narrow = (
        next(
            stop.contest.gap
            for stop in raced(study_, lambda _: 0.25, matches=400)[0].values()
            if stop.contest.gap
        )
        for study_ in (asked, one)
    )
    assert wide[0] == narrow[0]
    assert wide[2] - wide[1] > 1.05 * (narrow[2] - narrow[1])


def test_swept_parameters_are_contestants():
    asked = best_study(
        sweep={"players": [2, 3], "dumper.cards": [1, 2, 3]},
        lineups=lineups("dumper", "saver", others=["random"]),
    )
    found = contests(asked, expand(asked))
    assert [one.where for one in found] == ["players=2", "players=3"]
    assert len(found[0].names) == 4


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"detail": "summary"}, ["goal.best", "sums"]),
        ({"lineups": lineups("dumper")}, ["1 line-ups", "2 to 300 variants"]),
        ({"lineups": [*lineups("dumper"), *lineups("saver", others=["dumper"] * 2)]}, ["seats"]),
        (
            {"lineups": [*lineups("dumper"), {**lineups("saver")[0], "rotate": False}]},
            ["dumper and saver", "rotate"],
        ),
        (
            {"lineups": [*lineups("dumper"), {**lineups("dumper")[0], "name": "again"}]},
            ["dumper", "twice", "again"],
        ),
        ({"lineups": lineups("dumper", "saver", others=())}, ["one policy in all seats"]),
        (
            {"variants": {"one": {"hand_size": 5}}, "lineups": lineups("dumper", others=())},
            ["no rule changes"],
        ),
        (
            {
                "variants": {"one": {"hand_size": 5}},
                "lineups": [{**lineups("dumper")[0], "variants": False}, *lineups("saver")],
            },
            ["1 variants at dumper"],
        ),
    ],
)
def test_studies_that_have_no_best_are_refused_in_one_line(changes, words):
    with pytest.raises(InputError) as refused:
        expand(best_study(**changes))
    assert "\n" not in str(refused.value)
    assert "allowed:" in str(refused.value)
    for word in words:
        assert word in str(refused.value)


def test_verdicts_of_what_is_open():
    def stop(name, why, leader="b", where="players=2"):
        gap = None if name == leader else (-0.1, -0.2, -0.01)
        return Stop(why, 100, Standing(where, name, leader, gap, 5, 10))

    two = {
        name: stop(name, why) for name, why in zip("abc", (REACHED, REACHED, BEHIND), strict=True)
    }
    (verdict,) = verdicts(two)
    assert verdict.told(0.01) == (
        "players=2: open between b, a (the first of them leads); the matches are used up."
    )
    near = {name: stop(name, GOAL) for name in "ab"}
    assert "the rest lie within ±0.01 of it" in verdicts(near)[0].told(0.01)
    cut = {name: stop(name, INTERRUPTED) for name in "ab"}
    assert "interrupted" in verdicts(cut)[0].told(0.01)
    assert saved(two) == (15, 0.5)
    assert verdicts({}) == []


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    directory = tmp_path_factory.mktemp("best") / "study"
    return directory, run_study(best_study(), directory, threads=2)


def test_those_behind_stop_at_a_look_and_the_rest_go_on(run):
    directory, outcome = run
    cells = {cell.seats[0]: cell for cell in expand(best_study())}
    deals = {
        name: sum(part.count for part in parts_there(directory, cell))
        for name, cell in cells.items()
    }
    assert set(deals.values()) <= set(looks(1000))
    assert deals["random"] < deals["dumper"] == deals["random_playable"] < 1000
    assert deals == {name: outcome.stops[cell.id].deals for name, cell in cells.items()}
    (verdict,) = verdicts(outcome.stops)
    assert set(verdict.open) == {"dumper", "random_playable"}


@pytest.mark.parametrize(("threads", "block"), [(1, 7), (3, 40)])
def test_what_is_kept_depends_neither_on_threads_nor_on_blocks(run, tmp_path, threads, block):
    run_study(best_study(), tmp_path, threads=threads, block=block)
    assert read_rows(tmp_path) == read_rows(run[0])
    assert open_study(tmp_path).stops == open_study(run[0]).stops


def test_a_run_cut_short_goes_on_to_the_same(run, tmp_path):
    class Cut(ProgressLine):
        left = 4

        def advance(self, rows, cells_done):
            super().advance(rows, cells_done)
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt

    outcome = run_study(best_study(), tmp_path, threads=1, watcher=Cut())
    assert outcome.interrupted
    stops = open_study(tmp_path).stops
    assert INTERRUPTED in {stop.why for stop in stops.values()}
    assert verdicts(stops)[0].stopped_by == INTERRUPTED
    run_study(best_study(), tmp_path, threads=2)
    assert read_rows(tmp_path) == read_rows(run[0])
    assert open_study(tmp_path).stops == open_study(run[0]).stops


def test_running_again_plays_nothing_and_more_matches_change_nothing(run):
    before = open_study(run[0]).stops
    assert run_study(best_study(), run[0], threads=1).played == 0
    assert open_study(run[0]).stops == before
    assert run_study(best_study(matches=1200), run[0], threads=1).played == 0
    assert run_study(best_study(), run[0], threads=1).played == 0


def test_what_is_kept_tells_who_is_best_and_what_was_saved(run):
    directory, outcome = run
    stored = open_study(directory)
    assert stored.stops == outcome.stops
    assert stored.goal.best
    assert set(stored.verdicts[0].open) == {"dumper", "random_playable"}
    assert saved(stored.stops) == saved(outcome.stops)
    notes = " ".join(cardlab.open(directory).compare().notes)
    assert "Best: open between" in notes
    assert f"saved {saved(stored.stops)[0]:,} matches" in notes
    told = json.loads((directory / "provenance.json").read_text())["stops"]
    assert told["goal"]["best"]
    assert "Maron" in told["goal"]["method"]
    assert {one["why"] for one in told["cells"].values()} == {GOAL, BEHIND}
