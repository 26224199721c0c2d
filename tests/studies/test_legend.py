"""What rules and policies are, in their own words, on the screen."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from studies.design.cells import expand
from studies.legend import Legend, legend_of, study_legend
from studies.overview import OverviewInput, legend_words
from studies.render import Table
from studies.store.opened import open_study
from tests.studies.conftest import study

ROOT = Path(__file__).parents[2]


def test_a_variant_is_told_by_its_options_each_explained_once():
    variants = {
        "dirty": {"dirty_one": "always"},
        "both": {"dirty_one": "always", "double_two": "always"},
        "up300": {"points_limit": 300},
        "same": {},
    }
    lineups = [{"name": "pair", "seats": ["greedy", "hoarder(threshold=3)"]}]
    found = legend_of(expand(study(variants=variants, lineups=lineups, options={})))
    assert found.rules == {
        "dirty": "dirty_one = always (each 1 counts 30)",
        "both": 'double_two = always (each "-2" is an ordinary 2)',
        "up300": "points_limit = 300 (the match ends when somebody has more points than this)",
        "same": "nothing, a control",
    }
    assert list(found.policies) == ["greedy", "hoarder"]
    assert found.policies["hoarder"].startswith('hoards "-2" and clear cards')


def test_a_title_stands_for_the_options():
    named = {"dirty": {"dirty_one": "always", "title": "ones are dear"}}
    asked = study(variants=named)
    assert legend_of(expand(asked), asked.titles).rules == {"dirty": "ones are dear"}


def test_factors_are_told_once_and_not_by_their_combinations():
    levels = {"dirty_one": ["off", "always"], "extra_set": [False, True]}
    asked = study(variants={}, factors=levels)
    assert legend_of(expand(asked), {}, asked.factors.levels).rules == {
        "dirty_one": "off, always: each 1 counts 30",
        "extra_set": "false, true: one more set is shuffled in",
    }


def test_rows_of_no_game_have_none():
    assert legend_of([]) == Legend()


@pytest.mark.parametrize("variant", ["dirty", "dirty + set", "set × dirty", "dirty=always"])
def test_the_screen_explains_what_its_tables_name(variant):
    frame = pl.DataFrame({"variant": ["baseline", variant], "lineup": ["pair", "pair"]})
    legend = Legend({"dirty": "each 1 counts 30", "other": "…"}, {"greedy": "lays", "hoarder": "…"})
    data = OverviewInput(frame, lineups={"pair": "greedy, rotated"}, legend=legend)
    assert legend_words(data, [Table(frame, title="Line-up pair: 5 matches each")]) == [
        "Rules. dirty: each 1 counts 30.",
        "Policies. greedy: lays.",
    ]


def test_a_policy_of_a_users_game_is_explained_without_running_its_file(tmp_path):
    """The directory keeps what policies do; reading it neither runs nor needs the file."""
    import cardlab

    game = tmp_path / "eights.py"
    game.write_bytes((ROOT / "docs" / "games" / "eights.py").read_bytes())
    study = {"game": str(game), "matches": 4, "lineups": [{"name": "s", "seats": ["saver"]}]}
    cardlab.run(study, tmp_path / "out")
    game.write_text("raise SystemExit('run')")
    legend = study_legend(open_study(tmp_path / "out"))
    assert set(legend.policies) == {"saver"}
    assert len(legend.policies["saver"]) > 10
