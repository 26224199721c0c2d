"""Aborted matches: what is told of decided ones, and no sentence that its own table contradicts.

Studies are planted: matches aborted with the variant only, without it only, in both, all of them or
none; by chance or as one policy would win; with ties, with an A/A control. Numbers are computed
again match by match, sums must give what the matches give, and every sentence is read and checked
against the JSON's numbers.
"""

import math
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from studies.compare.decided import FEW, Products, change_of_ratios
from studies.compare.effects import compare
from studies.report.sentences import effect_sentence, gain_sentences, range_sentence, seat_changes
from studies.show.sentences import range_sentence as range_over_tables
from studies.show.sentences import sentence
from studies.stats.intervals import Interval, holm
from tests.studies.planted import plant, winners_by
from tests.studies.test_summary import agree

SEATS = ["greedy", "random", "guard"]
ROTATED = {"name": "table", "seats": SEATS, "rotate": True}
KEPT = {"name": "table", "seats": SEATS}
SHARES = (0.5, 0.3, 0.2)
VARIANTS = {
    "dirty": {"dirty_one": "always"},
    "up300": {"points_limit": 300},
    "aa": {},
}
DEALS = 150

CASES = {
    "none": (0.0, 0.0, "chance"),
    "with it": (0.0, 0.3, "chance"),
    "without it": (0.3, 0.0, "chance"),
    "in both": (0.2, 0.3, "chance"),
    "in the same": (0.3, 0.3, "alike"),
    "as one would win": (0.0, 0.6, "seat 0"),
    "nearly all": (0.0, 0.93, "chance"),
    "all with it": (0.0, 1.0, "chance"),
    "all": (1.0, 1.0, "chance"),
}


def rows_of(case, ties):
    before, after, how = CASES[case]

    def rows(cell, columns):
        shape = columns["winners"].shape
        variant = cell.variant
        base = winners_by(SHARES, shape, 1)
        columns["first_seat"][:] = np.random.default_rng(2).integers(0, 3, shape)
        if ties:
            base[:, 0] = np.where(np.arange(len(base)) % 5 == 0, 0b011, base[:, 0])
        columns["winners"] = base.copy()
        changed = np.random.default_rng(3).random(shape) < {"dirty": 0.1, "up300": 0.3}.get(
            variant, 0
        )
        columns["winners"][changed] = winners_by((0.2, 0.3, 0.5), shape, 4)[changed]
        rare = after / 2 if variant == "up300" and after < 1 else after
        share = rare if variant in ("dirty", "up300") else before
        seed = 5 if how == "alike" or variant in ("baseline", "aa") else 6
        lost = np.random.default_rng(seed).random(shape) < share
        if how == "seat 0":
            lost &= columns["winners"] == 1
        columns["aborted"][:] = lost

    return rows


@pytest.fixture(
    scope="module",
    params=[
        *((case, "rotated", False) for case in CASES),
        ("in both", "kept", False),
        ("in both", "rotated", True),
        ("with it", "kept", True),
    ],
    ids=lambda param: " ".join(map(str, param)),
)
def planted(request, tmp_path_factory):
    """A study's directory, and how it was made."""
    case, rotated, ties = request.param
    changes = {"lineups": [ROTATED if rotated == "rotated" else KEPT], "variants": VARIANTS}
    rows, place = rows_of(case, ties), tmp_path_factory.mktemp("aborted")
    plant(place / "rows", DEALS, rows, **changes)
    plant(place / "sums", DEALS, rows, **changes, detail="summary")
    return place


@pytest.fixture(scope="module")
def found(planted):
    return compare(planted / "rows")


@pytest.fixture(scope="module")
def columns(planted):
    """Winners and first seats by variant, arrays of shape (deals, rotations)."""
    from studies import load

    frame = load(planted / "rows").sort("match", "rotation").collect()
    turns = frame["rotation"].n_unique()
    return {
        name: {
            column: own[column].to_numpy().astype(int).reshape(-1, turns)
            for column in ("winners", "first_seat")
        }
        for (name,), own in frame.group_by("variant")
    }


def seats_of(policy, turn):
    return {seat for seat in range(3) if SEATS[(seat + turn) % 3] == policy}


def share_of(columns, who):
    """Return the win rate, of decided matches, of the seats that `who` names."""
    won, decided = Fraction(0), 0
    for deal, masks in enumerate(columns["winners"]):
        for turn, mask in enumerate(masks):
            winners = {seat for seat in range(3) if mask >> seat & 1}
            decided += bool(winners)
            if winners:
                first = columns["first_seat"][deal, turn]
                won += Fraction(len(winners & who(turn, first)), len(winners))
    return float(won / decided) if decided else np.nan


def test_shares_are_those_of_decided_matches(found, columns):
    for effect in found.variants:
        told = [
            (own.win_share, lambda turn, _, name=own.policy: seats_of(name, turn))
            for own in effect.policies
        ]
        told += [
            (own.win_share, lambda _, first, place=own.position: {(first + place) % 3})
            for own in effect.positions
        ]
        for share, who in told:
            old, new = share_of(columns["baseline"], who), share_of(columns[effect.variant], who)
            assert share.baseline == pytest.approx(old, nan_ok=True)
            change = share.change
            assert change.estimate == pytest.approx(new - old, abs=1e-12, nan_ok=True)
            if not np.isnan(old) and change.low <= change.high < np.inf:
                assert change.low <= change.estimate <= change.high
    for own in found.lineups[0].policies:
        share = share_of(columns["baseline"], lambda turn, _, n=own.policy: seats_of(n, turn))
        assert own.win_share.estimate == pytest.approx(share, nan_ok=True)


def credits_of(columns, policy):
    """Return a policy's wins and the decided matches of each deal."""
    wins = np.zeros(columns["winners"].shape)
    for turn, masks in enumerate(columns["winners"].T):
        seats = sum(1 << seat for seat in seats_of(policy, turn))
        wins[:, turn] = np.bitwise_count(masks & seats) / np.maximum(np.bitwise_count(masks), 1)
    return wins.sum(axis=1), (columns["winners"] != 0).sum(axis=1)


def test_variance_is_that_of_both_ratios_linearised_by_deal(found, columns):
    for effect in found.variants:
        for own in effect.policies:
            parts = [credits_of(columns[name], own.policy) for name in ("baseline", effect.variant)]
            (old, was), (new, now) = parts
            alive = [int((was > 0).sum()), int((now > 0).sum())]
            if min(alive) < FEW or effect.control:
                continue
            moved = [(won - won.sum() / whole.sum() * whole) / whole.mean() for won, whole in parts]
            squares = np.square(moved[1] - moved[0]).sum() / len(old) ** 2
            sums, size = Products(4), effect.rotations
            wins = [np.rint(6 * won).astype(int) for won in (old, new)]
            sums.add(len(old), *wins, size - was, size - now)
            baseline, deals = change_of_ratios(sums, size, alive, 6, 1)
            assert baseline == pytest.approx(own.win_share.baseline)
            assert deals.mean == pytest.approx(own.win_share.change.estimate, abs=1e-12)
            assert deals.count == min(alive)
            error = np.sqrt(squares * deals.count / (deals.count - 1))
            assert deals.standard_error == pytest.approx(error)
            if effect.aborted[0] != effect.aborted[1]:
                p = 2 * stats.t.sf(abs(deals.mean) / error, deals.count - 1)
                assert own.win_share.p == pytest.approx(p)


def test_other_winners_are_split(found, columns):
    base = columns["baseline"]["winners"]
    for effect in found.variants:
        own = columns[effect.variant]["winners"]
        both, one = (base != 0) & (own != 0), (base != 0) ^ (own != 0)
        assert effect.decided == both.sum()
        assert effect.another_winner_count == (both & (base != own)).sum()
        assert effect.aborted_in_one_count == one.sum()
        assert effect.another_winner_count + one.sum() == effect.winners_differ_count
        assert effect.aborted == [(base == 0).sum(), (own == 0).sum()]
        assert [share.estimate for share in effect.aborted_share] == pytest.approx(
            [(base == 0).mean(), (own == 0).mean()]
        )
        if both.any():
            share = effect.another_winner
            assert share.estimate == pytest.approx((both & (base != own)).sum() / both.sum())
            assert share.low <= share.estimate <= share.high
        for policy in effect.policies:
            turns = range(base.shape[1])
            bits = [sum(1 << seat for seat in seats_of(policy.policy, turn)) for turn in turns]
            old, new = (base & bits) != 0, (own & bits) != 0
            assert policy.gained == (both & new & ~old).sum()
            assert policy.lost == (both & old & ~new).sum()


def test_where_nothing_is_aborted_shares_are_those_of_all(found):
    for effect in found.variants:
        for own in (*effect.policies, *effect.positions):
            same = own.win_share.change == own.win_share_of_all.change
            assert same or any(effect.aborted)
        if not any(effect.aborted):
            assert effect.another_winner == effect.winners_differ


def test_sums_tell_what_matches_tell(planted, found):
    sums = compare(planted / "sums")
    for one, two in zip(found.variants, sums.variants, strict=True):
        assert agree(one, two) >= 24
    for one, two in zip(found.lineups, sums.lineups, strict=True):
        assert agree(one, two) >= 11


def numbers_in(text):
    return [float(number) for number in re.findall(r"(?<![\w.])[+-]?\d+(?:\.\d+)?(?= ?%)", text)]


def check_effect(effect, text):
    """Check what is said of a variant's winners against its numbers."""
    assert not re.search(r"\b(nan|inf)\b", text), text
    if effect.control:
        assert re.search(rf"(no winner|\b{effect.winners_differ_count}\b)", text)
        return
    if not any(effect.aborted):
        assert "abort" not in text
        return
    assert "aborted" in text
    for count, share, when in zip(
        effect.aborted, effect.aborted_share, ("without it", "with it"), strict=True
    ):
        (told,) = re.findall(
            rf"(none|[\d.]+ ?%(?: \([^)]*\))?) {when}\)?", text.split("aborted:")[1]
        )
        if told == "none":
            assert count == 0
        else:
            assert float(re.match(r"[\d.]+", told)[0]) == pytest.approx(
                100 * share.estimate, abs=0.06
            )
    if not effect.decided:
        assert "no match" in text
        return
    assert f"{effect.decided:,} matches decided both" in text or effect.decided == 1
    if "changes no winner" in text:
        assert effect.another_winner_count == 0
    elif "somewhere" not in text and effect.another_winner_count:
        first = numbers_in(text)[0]
        assert first == pytest.approx(100 * effect.another_winner.estimate, abs=0.06)


def test_no_sentence_on_winners_is_contradicted(found):
    for effect in found.variants:
        check_effect(effect, effect_sentence(effect))
        check_effect(effect, sentence(effect, named=False).replace("%", " %"))


def check_gains(effect, text, level):
    """Check what is said of who gains against the changes of win rate."""
    assert not re.search(r"\b(nan|inf)\b", text), text
    by_policy = {own.policy: own.win_share for own in effect.policies}
    if "favours nobody" in text:
        bound = float(re.search(r"more than ([\d.]+) points", text)[1])
        for share in by_policy.values():
            assert -1.05 * bound <= 100 * share.change.low
            assert 100 * share.change.high <= 1.05 * bound
    elif "favoured nobody" in text:
        assert effect.winners_differ_count == sum(effect.aborted) == 0
    elif match := re.search(r"(favours|costs) (\w+): ([+-][\d.]+) [±(]", text):
        verb, policy, change = match.groups()
        share = by_policy[policy]
        assert share.p_holm <= 1 - level
        assert float(change) == pytest.approx(100 * share.change.estimate, abs=0.6)
        assert (share.change.low > 0) if verb == "favours" else (share.change.high < 0)
    else:
        assert "no policy clearly gains" in text or "do not tell who gains" in text
        clear = [one for one in by_policy.values() if one.p_holm <= 1 - level]
        for share in clear:  # then the interval over all policies still holds 0
            assert share.change.low - 0.3 * (share.change.high - share.change.low) < 0
    if any(effect.aborted):
        assert "of decided matches; aborted:" in text
        assert f"{100 * effect.aborted_share[1].estimate:.1f}" in text or "none with it" in text


def test_no_sentence_on_gains_is_contradicted(found):
    for effect in found.variants:
        texts = list(gain_sentences(effect, found.level))
        assert bool(texts) == (not effect.control)
        for text in texts:
            check_gains(effect, text, found.level)
    for text in seat_changes(found.variants):
        effect = next(one for one in found.variants if text.startswith(f"“{one.variant}”"))
        assert ("decided" in text) == any(effect.aborted)


NOBODY = [(0.001, 0.002, 1.0), (-0.004, 0.003, 0.4), (0.003, 0.004, 1.0)]
HURT = [(0.05, 0.06, 0.3), (-0.139, 0.008, 0.0001), (0.089, 0.1, 0.2)]
HELPED = [(-0.1, 0.02, 0.0001), (0.03, 0.01, 0.001), (0.07, 0.09, 0.4)]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (NOBODY, "it favours nobody: no policy's win rate changes by more than 0.79 points"),
        (HURT, "it strongly costs random: -13.9 ±0.8 points"),
        (HELPED, "it favours random: +3.0 ±1.0 points"),
        ([(0.002, 0.003, 1.0), (-0.02, 0.05, 0.6), (0.01, 0.02, 1.0)], "no policy clearly gains"),
        ([(0.011, 0.01, 0.02), (-0.01, 0.05, 0.6), (0.01, 0.02, 1.0)], "may be chance among"),
        ([(0.03, 0.01, 0.2), (-0.03, 0.01, 0.2), (0.0, 0.01, 1.0)], "may be chance among"),
    ],
)
def test_favours_and_nobody_are_said_over_all_policies_and_signs(found, changes, said):
    effect = found.variants[0]
    shares = [
        replace(own.win_share, change=Interval(middle, middle - half, middle + half), p_holm=p)
        for own, (middle, half, p) in zip(effect.policies, changes, strict=True)
    ]
    policies = [
        replace(own, win_share=share) for own, share in zip(effect.policies, shares, strict=True)
    ]
    (text,) = gain_sentences(replace(effect, policies=policies))
    assert said in text


def test_superlatives_have_the_level_that_is_asked_for(planted, found):
    """Where something can be told: a lower level, a narrower interval of the same difference."""
    for wide, narrow in zip(
        found.superlatives, compare(planted / "rows", 0.5).superlatives, strict=True
    ):
        assert (wide.variant, wide.against) == (narrow.variant, narrow.against)
        if math.isfinite(wide.difference.high) and wide.difference.high > wide.difference.low:
            assert narrow.difference.high < wide.difference.high


def test_a_control_is_no_variant_and_most_often_is_tested(found):
    names = {(one.kind, one.variant, one.against) for one in found.superlatives}
    assert not any("aa" in name for name in names)
    assert [one.p_holm for one in found.superlatives] == holm([one.p for one in found.superlatives])
    text = range_sentence(found.variants, "", found.superlatives, found.level)
    assert "aa" not in re.findall(r"\w+", text)
    known = {one.variant: one for one in found.variants if not one.control and one.decided}
    if not known:
        assert "no match is decided" in text
        return
    most = max(known.values(), key=lambda one: one.another_winner.estimate)
    if len(known) > 1 and "changes who wins most often of" in text:
        assert text.startswith(f"“{most.variant}”")
        (test,) = [one for one in found.superlatives if one.kind == "most"]
        assert test.variant == most.variant
        assert test.p_holm <= 0.05
        assert test.difference.low > 0
        assert "two variants" in text


def test_equally_frequent_changes_are_called_open(tmp_path):
    def rows(cell, columns):
        shape = columns["winners"].shape
        rate = {"dirty": 0.2, "up300": 0.21}.get(cell.variant, 0)
        seed = {"dirty": 1, "up300": 2}.get(cell.variant, 0)
        columns["winners"][np.random.default_rng(seed).random(shape) < rate] = 2

    plant(tmp_path, 400, rows, lineups=[ROTATED], variants=VARIANTS)
    found = compare(tmp_path)
    text = range_sentence(found.variants, "", found.superlatives)
    assert text.startswith("which of two variants changes who wins most often cannot be told")
    assert "aa" not in text


@pytest.mark.parametrize(
    ("rate", "said"), [(0.0, "no match is decided"), (0.5, "decided matches are too few")]
)
def test_range_of_variants_with_aborted_ones(tmp_path, rate, said):
    def rows(_, columns):
        shape = columns["winners"].shape
        columns["winners"][np.random.default_rng(1).random(shape) < 0.4] = 2
        columns["aborted"][:] = np.random.default_rng(2).random(shape) >= rate

    plant(tmp_path, 60, rows, lineups=[KEPT], variants=VARIANTS)
    found = compare(tmp_path)
    assert said in range_sentence(found.variants, "", found.superlatives)


@pytest.mark.parametrize(
    ("with_it", "said"),
    [
        (0.9, "the same matches are aborted with it as without it."),
        (0.5, ") of all are aborted in one of the two, at table ("),
    ],
)
def test_range_over_tables_says_which_matches_are_aborted(tmp_path, with_it, said):
    def rows(cell, columns):
        rate = with_it if cell.variant != "baseline" else 0.9
        shape = columns["winners"].shape
        columns["aborted"][:] = np.random.default_rng(2).random(shape) >= rate
        columns["winners"][:] = np.where(columns["aborted"], 0, 2)
        if cell.variant != "baseline":
            columns["winners"][:30] *= 2

    plant(tmp_path, 60, rows, lineups=[KEPT], variants=VARIANTS)
    text = range_over_tables(compare(tmp_path).variants)
    assert " of matches decided both with and without it at " in text
    assert said in text


def test_range_over_tables_says_that_nothing_changes(tmp_path):
    def rows(_, columns):
        columns["winners"][:], columns["aborted"][:] = 2, False

    plant(tmp_path, 60, rows, lineups=[KEPT], variants=VARIANTS)
    effects = [effect for effect in compare(tmp_path).variants if effect.variant == "dirty"]
    text = range_over_tables(effects)
    assert re.fullmatch(r"dirty: no winner changes in any of the matches \(.+ matches\)\.", text)
