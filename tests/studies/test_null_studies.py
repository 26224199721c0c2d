"""Small made-up studies in which a variant changes nothing but luck: nobody may claim anything.

A deal makes some seats strong, with and without the variant alike; who wins and what the scores are
is drawn for each match anew. So every difference is luck, and matches of a deal depend on each
other. The policies are alike, too.
"""

import math

import numpy as np
import polars as pl
import pytest

from simcore.catalogue import get_game
from simcore.records import COMMON_COUNTS
from studies.answers.frame import answers
from studies.answers.headlines import headlines
from studies.answers.totals import totals_of
from studies.design.cells import expand
from studies.measures import measures_of
from tests.studies.answer_rows import columns
from tests.studies.conftest import study
from tests.studies.planted import TRIO, VARIANTS

STUDIES = 120
DEALS = 120
PLAYERS = 3
PLANNED = study(matches=DEALS, options={"players": PLAYERS}, variants=VARIANTS, lineups=TRIO)


def rows_of(cell, seed, gift=0.0):
    """Return the rows of a cell; the control's are the baseline's."""
    shape = (PLAYERS, DEALS, PLAYERS)
    deal = np.random.default_rng([seed, 0])
    strength = deal.normal(0, 15, size=(PLAYERS, DEALS, 1))
    first = np.broadcast_to(deal.integers(0, PLAYERS, (DEALS, 1)), shape[1:])
    variant = "baseline" if cell.variant == "same" else cell.variant
    luck = np.random.default_rng([seed, ["baseline", *VARIANTS].index(variant), 1])
    scores = np.rint(60 + strength + luck.normal(0, 15, size=shape))
    if cell.variant == "dirty":
        scores[0] -= gift
    winners = ((scores == scores.min(axis=0)) << np.arange(PLAYERS)[:, None, None]).sum(axis=0)
    rows = {
        name: luck.poisson(9, size=winners.size).astype(np.int32)
        for name in (*get_game(cell.game).metric_names, *COMMON_COUNTS)
    }
    return rows | columns(winners, first_seat=first, scores=scores)


def answers_of(seed, **changes):
    cells = expand(PLANNED)
    rows = {cell.id: rows_of(cell, seed, **changes) for cell in cells}
    totals = {
        cell.id: totals_of(
            cell,
            rows[cell.id],
            measures_of(cell),
            *(() if cell is cells[0] else (cells[0], rows[cells[0].id])),
        )
        for cell in cells
    }
    return answers(cells, lambda cell: totals[cell.id], study=PLANNED)


@pytest.fixture(scope="module")
def studies():
    return [answers_of(seed) for seed in range(STUDIES)]


@pytest.fixture(scope="module")
def frames(studies):
    return [study_answers.frame for study_answers in studies]


def assert_as_rare_as_promised(errors, name=""):
    assert len(errors) == STUDIES, name
    assert np.asarray(errors).mean() < 0.05 + 4 * math.sqrt(0.05 * 0.95 / STUDIES), name


@pytest.mark.whole
def test_no_family_errs_more_often_than_promised(frames):
    """But where a variant does change something: how often others win, and its interactions."""
    errors = {}
    for frame in frames:
        tested = frame.filter(
            pl.col("p_holm").is_not_null() & (pl.col("number") != "another_winner")
        )
        for (family,), rows in tested.group_by("family"):
            errors.setdefault(family, []).append(rows["p_holm"].min() <= 0.05)
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
    } <= errors.keys()
    for family, of_family in errors.items():
        assert_as_rare_as_promised(of_family, family)


@pytest.mark.whole
@pytest.mark.parametrize(
    "who", ["policy greedy", "policy hoarder", *map("position {}".format, range(3))]
)
def test_single_tests_and_intervals_hold_their_level(frames, who):
    for number in ("win_rate", "score"):
        rows = pl.concat(
            frame.filter(kind="change", variant="dirty", who=who, number=number, against="")
            for frame in frames
        )
        assert_as_rare_as_promised(rows["p"] <= 0.05)
        assert_as_rare_as_promised((rows["low"] > 0) | (rows["high"] < 0))


@pytest.mark.whole
def test_families_at_once_hold_their_level(frames):
    """`low_all` … `high_all` of a family hold all its truths together."""
    missed = []
    for frame in frames:
        rows = frame.filter(pl.col("low_all").is_not_null(), kind="difference", variant="baseline")
        assert rows.height
        missed.append(((rows["low_all"] > 0) | (rows["high_all"] < 0)).any())
    assert_as_rare_as_promised(missed)


@pytest.mark.whole
def test_headlines_claim_nothing(studies):
    """In a twentieth of the studies any of the headlines may, whatever they pick from."""
    assert_as_rare_as_promised(
        [
            any(headline.shown for headline in headlines(answers, reference="trio").all)
            for answers in studies
        ]
    )


def test_a_planted_effect_is_found():
    """Seat 0 gains; over the rotations each policy sits there, and wherever the first seat is."""
    frame = answers_of(1, gift=14.0).frame
    rows = frame.filter(kind="change", variant="dirty", number="score", against="")
    assert rows.height == 6
    assert rows["p_holm"].max() < 0.01
    assert (rows["low"] < -4).all()
    assert (rows["high"] > -7).all()
