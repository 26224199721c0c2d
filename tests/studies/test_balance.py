"""The balance measures: against brute force over real rows, and against planted truths."""

import math
from collections import Counter
from statistics import mean

import numpy as np
import pytest

from simcore.game import get_game
from studies import load
from studies.balance import measure
from studies.balance.counts import quantiles
from studies.balance.duels import split_restrictions
from studies.balance.notable import replay_command
from studies.balance.vectors import (
    Vectors,
    decided_ratio,
    ratio,
    score_p,
    share_p,
    sidak,
    sidak_p,
)
from studies.run.run import run_study
from studies.stats.intervals import Moments, clustered_share, share_at
from studies.store import reading
from tests.studies.conftest import study
from tests.studies.planted import plant, winners_by


@pytest.fixture(scope="module")
def found(played):
    return measure(played)


@pytest.fixture(scope="module")
def table(found):
    return next(table for table in found.tables if table.variant == "baseline")


@pytest.fixture(scope="module")
def rows(played):
    return load(played).collect().filter(variant="baseline").to_dicts()


def winners(row, players=3):
    return [seat for seat in range(players) if row["winners"] >> seat & 1]


def by_deal(rows, value):
    deals = {}
    for row in rows:
        deals.setdefault(row["match"], []).append(value(row))
    return [mean(values) for values in deals.values()]


@pytest.mark.parametrize("position", range(3))
def test_position_by_brute_force(table, rows, position):
    def share(row):
        seat = (row["first_seat"] + position) % 3
        return (seat in winners(row)) / max(len(winners(row)), 1)

    expected = clustered_share(Moments.of(by_deal(rows, share)), 3, sidak(0.95, 3))
    own = table.positions.win_share[position]
    assert own.estimate == pytest.approx(expected.estimate)
    assert own.low == pytest.approx(expected.low)


def test_ranks_by_brute_force(table, rows):
    def rank(row):
        scores = [row[f"score_{seat}"] for seat in range(3)]
        own = scores[(row["first_seat"] + 1) % 3]
        return 1 + sum(score < own for score in scores) + (scores.count(own) - 1) / 2

    assert table.positions.rank[1].estimate == pytest.approx(mean(by_deal(rows, rank)))
    assert sum(rank.estimate for rank in table.positions.rank) == pytest.approx(6)


def test_outcomes_lengths_and_decisions_by_brute_force(table, rows):
    assert table.outcomes.single.count == sum(len(winners(row)) == 1 for row in rows)
    assert table.outcomes.shared.count == sum(len(winners(row)) > 1 for row in rows)
    assert table.outcomes.aborted.count == sum(row["aborted"] for row in rows)
    assert table.moves.counts == Counter(row["decisions"] + row["forced"] for row in rows)
    plays = next(own for own in table.lengths if own.name == "plays")
    assert plays.mean.estimate == pytest.approx(mean(row["plays"] for row in rows))
    moves = sorted(row["plays"] for row in rows)
    assert plays.quantiles[0.5].estimate == moves[len(moves) // 2 - 1]
    forced = sum(row["forced"] for row in rows)
    asked = sum(row["decisions"] for row in rows)
    assert table.forced.estimate == pytest.approx(forced / (forced + asked))
    assert table.decisions.estimate == pytest.approx(asked / len(rows))


def test_drama_by_brute_force(table, rows):
    won = [row for row in rows if row["winners"]]
    led = sum(row["lead_changes"] == 0 for row in won)
    assert table.drama.led_throughout.count == led > 0
    margins = []
    close = runaway = 0
    for row in won:
        scores = sorted(row[f"score_{seat}"] for seat in range(3))
        margin, distance = scores[1] - scores[0], scores[2] - scores[0]
        margins.append(margin)
        close += margin <= 0.1 * distance
        runaway += margin >= 0.5 * distance > 0
    assert table.drama.margin.counts == Counter(margins)
    assert table.drama.close.count == close
    assert table.drama.runaway.count == runaway


def test_chunks_do_not_matter(played, found, monkeypatch):
    from studies.balance import table_sums

    monkeypatch.setattr(reading, "CHUNK_ROWS", 21)
    monkeypatch.setattr(table_sums, "ROWS_AT_ONCE", 9)
    again = measure(played)
    for one, other in zip(found.tables, again.tables, strict=True):
        assert one.notable == other.notable
        assert one.moves.counts == other.moves.counts
        assert other.forced.low == pytest.approx(one.forced.low)
        for mine, theirs in zip(one.positions.win_share, other.positions.win_share, strict=True):
            assert theirs.low == pytest.approx(mine.low)


def test_aborted_matches_are_an_outcome_of_their_own(tmp_path):
    def rows(_, columns):
        columns["aborted"][::4] = True

    table = measure(plant(tmp_path, 400, rows)).tables[0]
    assert table.outcomes.aborted.share.estimate == pytest.approx(0.25)
    assert table.outcomes.single.share.estimate == pytest.approx(0.75)
    assert sum(own.estimate for own in table.positions.win_share) == pytest.approx(1)
    assert table.drama.margin.matches == 300 * table.rotations
    assert [one.match for one in table.notable if one.kind == "aborted"] == [0]
    # A share of decided matches that none, or all of them, had is not known to be 0 or 1.
    shares = [table.drama.close.share, table.drama.runaway.share]
    for share in shares:
        assert share.estimate in (0, 1)
        assert 0.005 < share.high - share.low < 0.02


def test_without_any_winner_nothing_is_claimed(tmp_path):
    def rows(_, columns):
        columns["aborted"][:] = True

    table = measure(plant(tmp_path, 20, rows)).tables[0]
    assert math.isnan(table.drama.close.share.estimate)
    assert math.isnan(table.drama.margin.quantiles[0.5].estimate)
    assert math.isnan(table.positions.p)
    assert {one.kind for one in table.notable} == {"aborted"}


LIKE = [{"name": "like", "seats": ["greedy"]}]


def test_planted_seat_advantage(tmp_path):
    shares = (0.42, 0.32, 0.26)

    def rows(_, columns):
        shape = columns["winners"].shape
        seat = np.random.default_rng(2).integers(3, size=shape)
        place = np.log2(winners_by(shares, shape, 1)).astype(int)
        columns["first_seat"] = seat.astype(np.uint8)
        columns["winners"] = (1 << ((seat + place) % 3)).astype(np.uint16)

    own = measure(plant(tmp_path, 20_000, rows, lineups=LIKE, variants={})).tables[0].positions
    assert own.p < 1e-6
    for interval, share in zip(own.win_share, shares, strict=True):
        assert interval.low < share < interval.high
    assert own.win_share[0].low > own.even > own.win_share[2].high


def test_simultaneous_intervals_and_test_hold_their_level():
    """2,000 studies of 400 fair matches at three seats, two rotations a deal, some ties."""
    rng = np.random.default_rng(3)
    missed = significant = 0
    for _ in range(2000):
        own = rng.random((400, 2, 3)) + rng.random((400, 1, 3))  # deals count twice
        best = own == own.max(axis=2, keepdims=True)
        tie = rng.random((400, 2, 1)) < 0.1
        best = np.where(tie, own >= np.sort(own, axis=2)[..., 1:2], best)
        won = (best / best.sum(axis=2, keepdims=True)).sum(axis=1)
        vectors = Vectors(4)
        vectors.add(np.concatenate([won, np.full((400, 1), 2.0)], axis=1))
        pairs = [decided_ratio(vectors.with_last(seat)) for seat in range(3)]
        intervals = [own.share(sidak(0.95, 3)) for own in pairs]
        missed += any(not one.low < 1 / 3 < one.high for one in intervals)
        p = sidak_p([share_p(own, 1 / 3) for own in pairs])
        significant += p < 0.05
        assert (p < 0.05) == any(not one.low <= 1 / 3 <= one.high for one in intervals)
    error = 4 * math.sqrt(0.05 * 0.95 / 2000)
    assert 0.03 < missed / 2000 < 0.05 + error
    assert missed == significant


@pytest.mark.parametrize("aborted", [0.3, 0.9])
@pytest.mark.parametrize("share", [0.02, 0.4])
@pytest.mark.parametrize("rotations", [1, 3])
def test_shares_of_decided_matches_hold_their_level(aborted, share, rotations):
    """Deals differ in how often they are decided and won; 1,000 studies of 300 deals."""
    rng = np.random.default_rng(17)
    held = 0
    for _ in range(1000):
        lasts = rng.random((300, rotations)) < rng.beta(2 * aborted, 2 * (1 - aborted), (300, 1))
        event = rng.random((300, rotations)) < rng.beta(3 * share, 3 * (1 - share), (300, 1))
        vectors = Vectors(2)
        counts = (event & ~lasts).sum(axis=1), (~lasts).sum(axis=1)
        vectors.add(np.stack(counts, axis=1) * 1.0)
        own = decided_ratio(vectors).share()
        held += own.low <= share <= own.high
    assert held / 1000 > 0.925


@pytest.mark.parametrize("trials", [6, 40, 900.5])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_p_is_below_where_the_interval_leaves_a_share_out(trials, level):
    """Just inside and just outside of both bounds, few events or many."""
    for share in (0.0, 0.01, 0.2, 0.5, 0.97, 1.0):
        own = share_at(share, trials, level)
        for bound, inward in ((own.low, 1e-6), (own.high, -1e-6)):
            if 1e-6 < bound < 1 - 1e-6:
                assert score_p(share, trials, bound + inward) > 1 - level
                assert score_p(share, trials, bound - inward) < 1 - level


def test_no_event_among_decided_matches_is_no_share_of_nothing():
    vectors = Vectors(2)
    vectors.add(np.array([[0.0, 2.0], [0.0, 1.0], [0.0, 0.0]] * 20))
    own = decided_ratio(vectors).share()
    assert own.estimate == own.low == 0
    assert own.high == pytest.approx(clustered_share(Moments.of([0.0] * 40), 1).high)


def test_quantile_intervals_hold_their_level():
    rng = np.random.default_rng(4)
    held = Counter()
    for _ in range(2000):
        values = Counter(rng.integers(0, 10_000, size=150).tolist())
        for q in (0.05, 0.5, 0.95):
            own = quantiles(dict(sorted(values.items())), [q], 150)[0]
            held[q] += own.low <= 10_000 * q <= own.high
    for q, count in held.items():
        assert 0.95 - 4 * math.sqrt(0.05 * 0.95 / 2000) < count / 2000 < 0.985, q


def test_quantile_without_enough_observations_has_no_bound():
    (own,) = quantiles(dict.fromkeys(range(20), 1), [0.99], 20)
    assert own.high == math.inf
    assert own.low <= own.estimate == 19


def test_ratio_holds_its_level():
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(2000):
        size = rng.integers(10, 90, size=200)
        vectors = Vectors(2)
        vectors.add(np.stack([rng.binomial(size, 0.3), size], axis=1) * 1.0)
        own = ratio(vectors)
        held += own.low <= 0.3 <= own.high
    assert abs(held / 2000 - 0.95) < 4 * math.sqrt(0.05 * 0.95 / 2000)


def planted_duels(tmp_path, strength, lineups, matches=2000):
    """Play lots drawn in proportion to the strength of each seat's strategy."""

    def rows(cell, columns):
        for rotation in range(cell.rotations):
            seats = [cell.seats[(seat + rotation) % 3] for seat in range(3)]
            weights = np.array([strength[name] for name in seats])
            seed = sum(map(ord, cell.lineup)) + rotation
            won = winners_by(weights / weights.sum(), (matches,), seed)
            columns["winners"][:, rotation] = won

    names = [{"name": "-".join(pair), "seats": list(pair), "rotate": True} for pair in lineups]
    return measure(plant(tmp_path, matches, rows, lineups=names, variants={}))


def test_ladder_orders_by_strength(tmp_path):
    strength = {"random": 1, "greedy": 2, "guard": 4}
    pairs = [("guard", "random"), ("random", "greedy"), ("greedy", "guard")]
    found = planted_duels(tmp_path, strength, pairs)
    (ladder,) = found.ladders
    assert ladder.order == ["random", "greedy", "guard"]
    assert [(step.first, step.second) for step in ladder.steps] == [
        ("greedy", "random"),
        ("guard", "greedy"),
    ]
    # Over the three rotations each seats twice in one, once in another way.
    for step in ladder.steps:
        assert step.advantage.low > 0
        assert step.share.estimate + step.other_share.estimate == pytest.approx(1)
        assert step.even == pytest.approx(2 / 3 if step.lineup.startswith(step.first) else 1 / 3)


def test_restricted_play_is_told_from_duels(tmp_path):
    strength = {"guard": 3, "guard(cards=0)": 2, "random": 1}
    pairs = [("guard(cards=0)", "guard"), ("guard", "random")]
    found = planted_duels(tmp_path, strength, pairs)
    assert [(duel.first, duel.second) for duel in found.duels] == [("guard", "random")]
    (one,) = found.restrictions
    assert (one.full, one.restricted) == ("guard", "guard(cards=0)")
    assert one.changed == {"cards": [3, 0]}
    assert one.duel.first == "guard"
    assert one.duel.advantage.low > 0


def test_restriction_of_a_policy_whose_file_is_gone():
    from dataclasses import replace

    from studies.balance.results import Duel
    from studies.stats.intervals import Interval

    half = Interval(0.5, 0.4, 0.6)
    duel = Duel("x", {}, "mine(a=1)", "mine", half, half, 0.5, Interval(0, -0.1, 0.1), 1, 9, 18)
    others, (one,) = split_restrictions("up", [duel, replace(duel, second="theirs")])
    assert (one.full, one.restricted, one.changed) == ("mine", "mine(a=1)", {"a": [None, 1.0]})
    assert [other.second for other in others] == ["theirs"]


def test_replay_command_names_the_very_match(tmp_path):
    """Options, rotation and parameters: what the command plays is the row of the study."""
    planned = study(
        options={"players": 3, "rounds": 3, "scoring": "matches"},
        variants={"up": {"scoring": "points", "points_limit": 90}},
        lineups=[{"name": "x", "seats": ["guard(cards=2)", "random", "greedy"], "rotate": True}],
        matches=8,
    )
    run_study(planned, tmp_path, threads=1)
    game = get_game("up")
    frame = load(tmp_path).collect()
    seen = set()
    for table in measure(tmp_path).tables:
        for one in table.notable:
            words = replay_command(game, table, one).split()
            assert words[:3] == ["cardlab", "play", "up"]
            row = frame.filter(
                variant=table.variant, match=one.match, rotation=one.rotation
            ).to_dicts()[0]
            seen.add(one.rotation)
            assert play_row(game, words) == {name: row[name] for name in play_row(game, words)}
    assert len(seen) > 1


def play_row(game, words):
    """Return the row of the match that a command line plays."""
    from simcore.batch import Cell
    from strategies import parse_lineup, seat_lineup

    given = dict(zip(words[3::2], words[4::2], strict=True))
    rules = dict(
        rule.split("=", 1)
        for name, rule in zip(words[3::2], words[4::2], strict=True)
        if name == "--rule"
    )
    options = game.resolve({"players": given.get("--players", 4), **rules})
    lineup = given["--lineup"].strip("'")
    seats = seat_lineup(parse_lineup(game, lineup), options["players"])
    cell = Cell(game=game, options=options, seats=seats, seed=int(given["--seed"]))
    from simcore.replay import Playback

    playback = Playback(cell, int(given["--match"]))
    for _ in playback:
        pass
    row = playback.row()
    return {name: row[name] for name in row if name != "rotation"}
