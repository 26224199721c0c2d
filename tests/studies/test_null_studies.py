"""200 small made-up studies in which a variant changes nothing but luck, through `compare`.

A deal makes some seats strong, with and without the variant alike; who wins and what the scores are
is drawn for each match anew. So every difference is luck, and matches of a deal depend on each
other. The policies are alike, too.
"""

import math

import numpy as np
import pytest

from studies.compare.effects import compare
from studies.design.study import check_study
from tests.studies.synthetic import make_up

STUDIES = 200
DEALS = 120
PLAYERS = 3
PLAYED = ("baseline", "null", "double", "both")
"""Variants with rows of their own."""


def null_study():
    return check_study(
        {
            "game": "up",
            "matches": DEALS,
            "options": {"players": PLAYERS},
            "variants": {
                "null": {"dirty_one": "always"},
                "aa": {},
                "double": {"double_two": "always"},
                "both": {"dirty_one": "always", "double_two": "always"},
            },
            "lineups": [{"name": "pair", "seats": ["greedy", "shedder"], "rotate": True}],
        }
    )


def rows_of(seed):
    """Return what makes the rows of a cell; the control gets those of the baseline."""

    def rows(cell):
        deal = np.random.default_rng([seed, 0])
        strength = deal.normal(0, 15, size=(PLAYERS, DEALS, 1))
        first = np.broadcast_to(deal.integers(0, PLAYERS, (DEALS, 1)), (DEALS, PLAYERS))
        own = np.random.default_rng(
            [seed, PLAYED.index(cell.variant) if cell.variant in PLAYED else 0, 1]
        )
        scores = np.rint(60 + strength + own.normal(0, 15, size=(PLAYERS, DEALS, PLAYERS)))
        best = scores == scores.min(axis=0)
        winners = (best << np.arange(PLAYERS)[:, None, None]).sum(axis=0)
        return winners, first, scores

    return rows


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("null")
    study = null_study()
    found = []
    for seed in range(STUDIES):
        make_up(folder / str(seed), study, rows_of(seed))
        found.append(compare(folder / str(seed)))
    return found


def spread(share, count):
    return 4 * math.sqrt(share * (1 - share) / count)


def effects(answer):
    return next(effect for effect in answer.variants if effect.variant == "null")


def test_no_family_errs_more_often_than_promised(answers):
    for family in ("win_share", "score"):
        erred = 0
        for answer in answers:
            null = effects(answer)
            changes = [getattr(own, family) for own in (*null.policies, *null.positions)]
            erred += min(change.p_holm for change in changes) <= 0.05
        assert erred / STUDIES < 0.05 + spread(0.05, STUDIES)
    erred = 0
    for answer in answers:
        (interaction,) = answer.interactions
        # Shares of other winners do not add up, whatever else does.
        own = [one.corrected for one in interaction.outcomes if one.of != "match"]
        erred += min(own) <= 0.05
    assert erred / STUDIES < 0.05 + spread(0.05, STUDIES)
    erred = sum(answer.lineups[0].differences[0].p_family <= 0.05 for answer in answers)
    assert erred / STUDIES < 0.05 + spread(0.05, STUDIES)


@pytest.mark.parametrize("place", range(5))
def test_single_tests_and_intervals_hold_their_level(answers, place):
    for family in ("win_share", "score"):
        found = []
        for answer in answers:
            null = effects(answer)
            found.append(getattr([*null.policies, *null.positions][place], family))
        erred = sum(change.p <= 0.05 for change in found) / STUDIES
        missed = sum(not change.change.low <= 0 <= change.change.high for change in found)
        for share in (erred, missed / STUDIES):
            assert abs(share - 0.05) < spread(0.05, STUDIES)


def test_gains_and_losses_are_alike(answers):
    gained, lost = (
        sum(getattr(own, side) for answer in answers for own in effects(answer).positions)
        for side in ("gained", "lost")
    )
    assert gained > 10_000
    assert abs(gained - lost) < 5 * math.sqrt(gained + lost)


def test_controls_differ_in_nothing(answers):
    for answer in answers:
        control = next(effect for effect in answer.variants if effect.variant == "aa")
        assert control.control
        assert control.winners_differ_count == 0
        for own in (*control.policies, *control.positions):
            assert (own.win_share.p, own.win_share.p_holm) == (1, None)
            assert (own.gained, own.lost) == (0, 0)


def test_a_planted_effect_is_found(tmp_path):
    def rows(cell):
        winners, first, scores = rows_of(1)(cell)
        if cell.variant == "null":
            scores[0] -= 14
            best = scores == scores.min(axis=0)
            winners = (best << np.arange(PLAYERS)[:, None, None]).sum(axis=0)
        return winners, first, scores

    make_up(tmp_path / "study", null_study(), rows)
    null = effects(compare(tmp_path / "study", 0.999))
    # Seat 0 gains; over the rotations each policy sits there, and wherever the first seat is.
    scores = [own.score for own in (*null.policies, *null.positions)]
    assert max(change.p_holm for change in scores) < 0.01
    for change in scores:
        assert change.change.low < -4 < change.change.high
