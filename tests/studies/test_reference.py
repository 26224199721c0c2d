"""Which line-up a study is read by."""

from __future__ import annotations

from types import SimpleNamespace

import polars as pl
import pytest

from simcore.errors import InputError
from studies.answers.reference import named_reference, reference_of
from tests.studies.conftest import study

SEATS = {
    "weak": ("random",) * 2,
    "strong": ("greedy",) * 2,
    "stronger": ("search",) * 2,
    "duel": ("greedy", "random"),
    "match": ("search", "random"),
}
CELLS = [SimpleNamespace(lineup=name, seats=seats) for name, seats in SEATS.items()]


def frame(*changed, lineups=SEATS):
    def row(lineup, kind, number, **more):
        return {
            "players": 2,
            "lineup": lineup,
            "variant": "baseline",
            "kind": kind,
            "who": "",
            "number": number,
            "against": "",
            "estimate": 0.0,
            **more,
        }

    rows = [row(name, "level", "plays") for name in lineups]
    gap = {"against": "policy random", "number": "win_rate"}
    rows += [
        row("duel", "difference", **gap, who="policy greedy", estimate=0.2),
        row("match", "difference", **gap, who="policy search", estimate=0.3),
    ]
    rows += [row(name, "change", "plays", variant="dirty") for name in changed]
    return pl.DataFrame(rows)


def test_it_is_the_strongest_policy_in_all_seats():
    assert reference_of(CELLS, frame()) == "stronger"
    assert reference_of(CELLS, frame(lineups=("weak", "duel"))) == "weak"
    assert reference_of(CELLS, frame(lineups=("duel", "match"))) == "match"


def test_line_ups_with_variants_come_before_others():
    assert reference_of(CELLS, frame("weak", "strong", "match")) == "strong"


def test_a_study_may_name_it():
    assert reference_of(CELLS, frame(), "duel") == "duel"
    assert named_reference(study(compare={"reference": "pair"})) == "pair"
    assert named_reference(study(compare={"margin": 0.01})) == named_reference(study()) == ""
    with pytest.raises(InputError, match=r"unknown line-up 'pare'.*did you mean 'pair'"):
        study(compare={"reference": "pare"})
