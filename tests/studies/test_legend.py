"""What rules and policies are, in their own words, on the screen."""

import polars as pl
import pytest

import cardlab
from studies.design.cells import expand
from studies.legend import Legend, legend_of, study_legend
from studies.store.opened import open_study
from studies.view.answered import Answered
from studies.view.grid import Grid, Heading
from studies.view.query import View
from studies.view.terminal import legend_words
from tests.studies.conftest import ROOT, study


def rules_of(**changes):
    planned = study(**changes)
    factors = planned.factors.levels if planned.factors else {}
    return legend_of(expand(planned), planned.titles, factors)


def test_a_variant_is_told_by_its_options_each_explained_once_or_by_its_title():
    variants = {
        "dirty": {"dirty_one": "always"},
        "both": {"dirty_one": "always", "double_two": "always"},
        "up300": {"points_limit": 300},
        "same": {},
        "named": {"dirty_one": "always", "title": "ones are dear"},
    }
    lineups = [{"name": "pair", "seats": ["greedy", "hoarder(threshold=3)"]}]
    legend = rules_of(variants=variants, lineups=lineups, options={})
    assert legend.rules == {
        "dirty": "dirty_one = always (each 1 counts 30)",
        "both": 'dirty_one = always, double_two = always (each "-2" is an ordinary 2)',
        "up300": "points_limit = 300 (the match ends when somebody has more points than this)",
        "same": "nothing, a control",
        "named": "ones are dear",
    }
    assert list(legend.policies) == ["greedy", "hoarder"]
    assert legend.policies["hoarder"].startswith('hoards "-2" and clear cards')
    assert legend_of([]) == Legend()


def test_an_option_that_is_off_is_not_told_by_what_it_is_when_on():
    rules = rules_of(variants={"without": {"minus_two": False}}, options={}).rules
    assert rules["without"].startswith('minus_two = false (off: "-2" cards are in the pack)')


def test_factors_are_told_once_and_not_by_their_combinations():
    factors = {"dirty_one": ["off", "always"], "extra_set": [False, True]}
    assert rules_of(variants={}, factors=factors).rules == {
        "dirty_one": "off, always: each 1 counts 30",
        "extra_set": "false, true: one more set is shuffled in",
    }


@pytest.mark.parametrize("variant", ["dirty", "dirty + set", "set × dirty", "dirty=always"])
def test_the_screen_explains_what_its_tables_name(variant):
    frame = pl.DataFrame({"variant": ["baseline", variant], "lineup": ["pair", "pair"]})
    legend = Legend({"dirty": "each 1 counts 30", "other": "…"}, {"greedy": "lays", "hoarder": "…"})
    view = View(Answered(frame, legend=legend))
    cells = dict.fromkeys(("baseline", variant), "…")
    grid = Grid("what changes", {Heading("plays"): cells}, where="line-up pair (greedy, rotated)")
    assert legend_words(view, [grid], 80, 20) == [
        "Rules. dirty: each 1 counts 30.",
        "Policies. greedy: lays.",
    ]


@pytest.mark.usefixtures("in_plain")
def test_a_policy_of_a_users_game_is_explained_without_running_its_file(tmp_path):
    """The directory keeps what policies do; reading it neither runs nor needs the file."""
    game = tmp_path / "eights.py"
    game.write_bytes((ROOT / "docs" / "games" / "eights.py").read_bytes())
    keys = {"game": str(game), "matches": 4, "lineups": [{"name": "s", "seats": ["saver"]}]}
    cardlab.run(keys, tmp_path / "out")
    game.write_text("raise SystemExit('run')")
    policies = study_legend(open_study(tmp_path / "out")).policies
    assert set(policies) == {"saver"}
    assert len(policies["saver"]) > 10
