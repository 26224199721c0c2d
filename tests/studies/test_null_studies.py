"""Small made-up studies in which a variant changes nothing but luck: nobody may claim anything.

A deal makes some seats strong, with and without the variant alike; who wins and what the scores are
is drawn for each match anew. So every difference is luck, and matches of a deal depend on each
other. The policies are alike, too.
"""

import math

import numpy as np
import polars as pl
import pytest

from studies.answers.frame import answers
from studies.answers.headlines import headlines
from studies.answers.totals import totals_of
from studies.design.cells import expand
from studies.measures import columns_of, measures_of
from tests.studies.conftest import study

STUDIES = 120
DEALS = 120
PLAYERS = 3
NULL = {
    "null": {"dirty_one": "always"},
    "aa": {},
    "double": {"double_two": "always"},
    "both": {"dirty_one": "always", "double_two": "always"},
}
LINEUPS = [{"name": "trio", "seats": ["greedy", "shedder", "hoarder"], "rotate": True}]
PLANNED = study(matches=DEALS, options={"players": PLAYERS}, variants=NULL, lineups=LINEUPS)


def columns(cell, seed, gift=0.0):
    """Return the rows of a cell; the control's are the baseline's."""
    deal = np.random.default_rng([seed, 0])
    strength = deal.normal(0, 15, size=(PLAYERS, DEALS, 1))
    first = np.broadcast_to(deal.integers(0, PLAYERS, (DEALS, 1)), (DEALS, PLAYERS))
    place = ["baseline", *NULL].index("baseline" if cell.variant == "aa" else cell.variant)
    own = np.random.default_rng([seed, place, 1])
    scores = np.rint(60 + strength + own.normal(0, 15, size=(PLAYERS, DEALS, PLAYERS)))
    if cell.variant == "null":
        scores[0] -= gift
    winners = ((scores == scores.min(axis=0)) << np.arange(PLAYERS)[:, None, None]).sum(axis=0)
    found = dict.fromkeys(columns_of(cell, measures_of(cell)))
    for name in found:
        found[name] = own.poisson(9, size=DEALS * PLAYERS).astype(np.int32)
    found |= {
        "match": np.repeat(np.arange(DEALS), PLAYERS),
        "rotation": np.tile(np.arange(PLAYERS), DEALS),
        "first_seat": first.ravel().astype(np.uint8),
        "winners": winners.ravel().astype(np.uint16),
        "aborted": np.zeros(winners.size, bool),
        **{f"score_{s}": one.ravel().astype(np.int32) for s, one in enumerate(scores)},
    }
    return found


def told(seed, **changes):
    cells = expand(PLANNED)
    base = cells[0]
    rows = {cell.id: columns(cell, seed, **changes) for cell in cells}
    totals = {
        cell.id: totals_of(
            cell,
            rows[cell.id],
            measures_of(cell),
            *(() if cell is base else (base, rows[base.id])),
        )
        for cell in cells
    }
    return answers(cells, lambda cell: totals[cell.id], study=PLANNED)


@pytest.fixture(scope="module")
def studies():
    return [told(seed) for seed in range(STUDIES)]


@pytest.fixture(scope="module")
def frames(studies):
    return [found.frame for found in studies]


def spread(share):
    return 4 * math.sqrt(share * (1 - share) / STUDIES)


@pytest.mark.whole
def test_no_family_errs_more_often_than_promised(frames):
    """But where a variant does change something: how often others win, and its interactions."""
    erred = {}
    for frame in frames:
        tested = frame.filter(
            pl.col("p_holm").is_not_null() & (pl.col("number") != "another_winner")
        )
        for (family,), rows in tested.group_by("family"):
            erred.setdefault(family, []).append(rows["p_holm"].min() <= 0.05)
    assert {
        "seats",
        "policies",
        "policies: score",
        "seats: pairs",
        "variants: win_rate",
        "variants: score",
        "variants: metric",
        "variants: gaps in win_rate",
        "interactions",
        "ladder",
        "payoffs",
    } <= erred.keys()
    for family, errors in erred.items():
        assert len(errors) == STUDIES
        assert np.mean(errors) < 0.05 + spread(0.05), family


@pytest.mark.whole
@pytest.mark.parametrize(
    "who", ["policy greedy", "policy shedder", *map("position {}".format, range(3))]
)
def test_single_tests_and_intervals_hold_their_level(frames, who):
    for number in ("win_rate", "score"):
        rows = pl.concat(
            frame.filter(kind="change", variant="null", who=who, number=number, against="")
            for frame in frames
        )
        assert rows.height == STUDIES
        erred = (rows["p"] <= 0.05).mean()
        missed = ((rows["low"] > 0) | (rows["high"] < 0)).mean()
        assert erred < 0.05 + spread(0.05)
        assert missed < 0.05 + spread(0.05)


@pytest.mark.whole
def test_families_at_once_hold_their_level(frames):
    """`low_all` … `high_all` of a family hold all its truths together."""
    missed = []
    for frame in frames:
        rows = frame.filter(pl.col("low_all").is_not_null(), kind="difference", variant="baseline")
        assert rows.height
        missed.append(((rows["low_all"] > 0) | (rows["high_all"] < 0)).any())
    assert np.mean(missed) < 0.05 + spread(0.05)


@pytest.mark.whole
def test_headlines_claim_nothing(studies):
    """In a twentieth of the studies any of the headlines may, whatever they pick from."""
    claimed = [
        any(own.shown for own in headlines(found, reference="trio").all) for found in studies
    ]
    assert np.mean(claimed) < 0.05 + spread(0.05)


@pytest.mark.whole
def test_controls_differ_in_nothing_and_test_nothing(frames):
    for frame in frames:
        control = frame.filter(kind="change", variant="aa")
        assert control.height
        assert (control["estimate"] == 0).all()
        assert control["p_holm"].null_count() == control.height
        another = frame.filter(kind="level", variant="aa", number="another_winner")
        assert another["estimate"].to_list() == [0]


def test_a_planted_effect_is_found():
    """Seat 0 gains; over the rotations each policy sits there, and wherever the first seat is."""
    rows = told(1, gift=14.0).frame.filter(
        kind="change", variant="null", number="score", against=""
    )
    assert rows.height == 6
    assert rows["p_holm"].max() < 0.01
    assert (rows["low"] < -4).all()
    assert (rows["high"] > -7).all()
