"""Populations: which tables are drawn, how a study grows by them, and what they tell together."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize, stats

from simcore.errors import DataError, InputError
from studies.compare.effects import compare
from studies.design.cells import expand
from studies.design.population import study_lineups
from studies.design.study import check_study
from studies.report.build import build
from studies.run.run import run_study
from studies.show.population_tables import population_sentences, population_table
from studies.stats.intervals import Interval
from tests.studies.conftest import document, read_rows
from tests.studies.planted import plant

POLICIES = {"greedy": 2, "shedder": 1, "freer": 1}
DEALS, PLAYERS = 300, 3


def drawing(tables=7, policies=POLICIES, **changes):
    population = {"policies": policies, "tables": tables}
    return check_study(document(**{"lineups": [], "population": population, **changes}))


def tables_of(study):
    """Return the seats of each table at each point, under the unchanged rules."""
    cells = [cell for cell in expand(study) if cell.variant == "baseline"]
    return {(cell.lineup, cell.point_text): cell.seats for cell in cells}


def test_a_table_is_the_same_however_many_are_drawn():
    few, many = tables_of(drawing(3)), tables_of(drawing(30))
    assert len(many) == 30
    assert few == {key: many[key] for key in few}
    assert len(set(many.values())) > 10
    assert tables_of(drawing(3, seed=6)) != few
    assert few == tables_of(drawing(3, dict(reversed(POLICIES.items()))))


def test_policies_sit_as_often_as_they_weigh():
    seats = [seat for table in tables_of(drawing(1000)).values() for seat in table]
    counts = [seats.count(policy) for policy in POLICIES]
    assert stats.chisquare(counts, np.array([0.5, 0.25, 0.25]) * 3000).pvalue > 1e-4


def test_a_larger_table_begins_as_a_smaller_one():
    seats = tables_of(drawing(4, sweep={"players": [2, 5]}))
    for number in range(1, 5):
        five = seats[f"table {number}", "players=5"]
        assert seats[f"table {number}", "players=2"] == five[:2]
        assert len(five) == 5


def test_tables_of_like_players_have_one_policy_each():
    population = {"policies": POLICIES, "tables": 300, "alike": True}
    alike = tables_of(drawing(population=population))
    assert all(len(set(held)) == 1 for held in alike.values())
    first = [held[0] for held in alike.values()]
    assert first == [held[0] for held in tables_of(drawing(300)).values()]
    counts = [first.count(policy) for policy in POLICIES]
    assert stats.chisquare(counts, [150, 75, 75]).pvalue > 1e-4


def test_tables_stand_beside_lineups_and_are_rotated():
    own = {"name": "own", "seats": ["random"]}
    cells = expand(
        drawing(
            2,
            lineups=[own],
            sweep={"hoarder.threshold": [1, 2]},
            policies={"hoarder": 1, "greedy": 1},
        )
    )
    assert list(dict.fromkeys(cell.lineup for cell in cells)) == ["own", "table 1", "table 2"]
    mixed = next(cell for cell in cells if len(set(cell.seats)) > 1)
    assert mixed.rotations == PLAYERS


@pytest.mark.parametrize(
    ("changes", "fragments"),
    [
        ({"population": None}, ["lineups", "[population]"]),
        ({"population": {"policies": {"gredy": 1}, "tables": 2}}, ["did you mean 'greedy'"]),
        ({"population": {"policies": {"greedy": 0}, "tables": 2}}, ["greedy = 0", "weight"]),
        ({"population": {"policies": {"greedy": 1}, "tables": 0}}, ["tables = 0", "1…1_000"]),
        ({"population": {"policies": {"greedy": 1}}}, ["population.tables is missing"]),
        ({"population": {"table": 2}}, ["did you mean 'tables'"]),
        ({"goal": {"half_width": 0.1, "best": True}}, ["goal.best", "line-ups alone"]),
        ({"lineups": [{"name": "table 2", "seats": ["greedy"]}]}, ["'table 2'", "two line-ups"]),
    ],
)
def test_what_is_refused(changes, fragments):
    whole = {**document(lineups=[], population={"policies": POLICIES, "tables": 2}), **changes}
    with pytest.raises(InputError) as refused:
        expand(check_study({key: value for key, value in whole.items() if value is not None}))
    assert all(fragment in str(refused.value) for fragment in fragments)


def test_more_tables_extend_a_study(tmp_path):
    options = {"game": "uno", "options": {"players": 2}, "matches": 4, "variants": {"same": {}}}
    policies = {"dumper": 1, "majority": 1}

    def play(tables, **changes):
        own = drawing(tables, policies, **{**options, **changes})
        run_study(own, tmp_path / "study", threads=1)
        return read_rows(tmp_path / "study")

    two = play(2)
    three = play(3)
    assert len(two) == 4
    assert len(three) == 6
    assert all(three[cell] == rows for cell, rows in two.items())
    with pytest.raises(DataError, match="population"):
        play(2)
    with pytest.raises(DataError, match="another study"):
        play(3, variants={"same": {}, "more": {}})


def planted(directory, tables=7, tau=5.0, **changes):
    """Plant tables with gains spread by tau; return their plays by line-up and variant."""
    plays = {}

    def rows(cell, columns):
        number = int(cell.lineup.split()[1])
        own = np.random.default_rng([number, len(cell.variant)])
        together = np.random.default_rng(5).normal(0, 2, (DEALS, 1))  # by deal, at all tables
        gain = 2 + np.random.default_rng([9, number]).normal(0, tau)
        shape = (DEALS, cell.rotations)
        changed = cell.variant == "double"
        moved = (gain + together) if changed else 0
        columns["plays"] = np.rint(60 + own.normal(0, 1, shape) + moved).astype(np.int32)
        if changed:
            columns["winners"] = (1 << own.integers(0, PLAYERS, shape)).astype(np.uint16)
        plays[cell.lineup, cell.variant] = columns["plays"].mean(axis=1)

    plant(
        directory,
        DEALS,
        rows,
        variants={"double": {"double_two": "always"}, "same": {}},
        lineups=[],
        population={"policies": POLICIES, "tables": tables},
        **changes,
    )
    return plays


def found(comparison, number, who=None):
    (one,) = (
        own
        for own in comparison.population.effects
        if own.number == number and who in (None, own.who)
    )
    return one


def paule_mandel(changes):
    """The summary of columns of changes by deal, with matrices and a root of its own."""
    seen = changes.mean(axis=1)
    covariance = np.cov(changes) / changes.shape[1]
    ones = np.ones(len(seen))

    def at(tau2):
        inverse = np.linalg.inv(covariance + tau2 * np.eye(len(seen)))
        variance = 1 / (ones @ inverse @ ones)
        mean = variance * (ones @ inverse @ seen)
        return mean, variance, (seen - mean) @ inverse @ (seen - mean)

    tau2 = optimize.brentq(lambda own: at(own)[2] - (len(seen) - 1), 0, 1e4)
    return tau2, *at(tau2)[:2]


def test_the_summary_is_that_of_brute_force_by_deal(tmp_path):
    plays = planted(tmp_path / "study")
    comparison = compare(tmp_path / "study")
    one = found(comparison, "plays")
    changes = np.stack([plays[name, "double"] - plays[name, "baseline"] for name in one.tables])
    tau2, mean, variance = paule_mandel(changes)
    assert one.mean.estimate == pytest.approx(mean, rel=1e-4)
    assert one.spread.estimate == pytest.approx(tau2**0.5, rel=1e-4)
    half = stats.t.ppf(0.975, 6) * variance**0.5
    assert one.mean.high - one.mean.estimate == pytest.approx(half, rel=1e-4)
    reach = stats.t.ppf(0.975, 5) * (tau2 + variance) ** 0.5
    assert one.prediction.high - one.mean.estimate == pytest.approx(reach, rel=1e-4)
    assert comparison.population.shared_deals
    # The tables' own intervals say much less of a table that was not played.
    widths = [change.high - change.low for change in one.changes]
    assert one.prediction.high - one.prediction.low > 5 * max(widths)


def test_a_policy_is_told_where_it_sits_with_others(tmp_path):
    planted(tmp_path / "study")
    comparison = compare(tmp_path / "study")
    seats = tables_of(drawing(variants={}))
    for policy in POLICIES:
        where = [name for (name, _), held in seats.items() if policy in held and len(set(held)) > 1]
        for number in ("win_share", "score"):
            assert found(comparison, number, policy).tables == where
    share = found(comparison, "another_winner")
    assert 0 <= share.prediction.low <= share.mean.low <= share.mean.high <= 1
    assert {own.variant for own in comparison.population.effects} == {"double"}
    assert all(own.p_holm >= own.p for own in comparison.population.effects)


def test_sums_tell_the_same_as_matches(tmp_path):
    planted(tmp_path / "rows", tables=4)
    planted(tmp_path / "sums", tables=4, detail="summary", block=15)
    planted(tmp_path / "few", tables=4, detail="summary", block=100)
    rows, sums, few = (compare(tmp_path / name) for name in ("rows", "sums", "few"))
    assert sums.population.shared_deals
    assert not few.population.shared_deals
    one, other = found(rows, "plays"), found(sums, "plays")
    assert other.spread.estimate == pytest.approx(one.spread.estimate, rel=0.02)
    assert other.mean.estimate == pytest.approx(one.mean.estimate, abs=0.1)
    assert found(few, "plays").spread.estimate == pytest.approx(one.spread.estimate, rel=0.05)


def test_it_is_told_in_text_frames_and_the_report(tmp_path, capsys):
    import cardlab
    from studies.cli.app import run_app

    planted(tmp_path / "study", tables=4)
    run_app(["compare", str(tmp_path / "study")])
    text = " ".join(capsys.readouterr().out.split())
    assert re.search(
        r"double, over the population: \S+ ±\S+ % of matches get another winner, \S+ % at a", text
    )
    assert "4 tables drawn of greedy 50.0 %, shedder 25.0 %, freer 25.0 %" in text
    assert "That the tables play the same deals is accounted for." in text
    one = found(compare(tmp_path / "study"), "plays")
    frame = cardlab.open(tmp_path / "study").compare().population
    (row,) = frame.filter(number="plays").to_dicts()
    assert (row["tables"], row["estimate"], row["spread"], row["low_new"]) == (
        4,
        one.mean.estimate,
        one.spread.estimate,
        one.prediction.low,
    )
    report = build(tmp_path / "study")
    assert report.sections[0].name == "population"
    assert "over the population" in report.answer[0]


def test_a_sentence_says_no_more_than_the_tables(tmp_path):
    planted(tmp_path / "study", tables=4)
    comparison = compare(tmp_path / "study")

    def said(**changed):
        effects = [replace(one, **changed) for one in comparison.population.effects]
        population = replace(comparison.population, effects=effects)
        (text,) = population_sentences(replace(comparison, population=population))
        return text

    assert re.search(r"plays change by \S+ ±\S+, \S+…\S+ at a table not played\.$", said())
    assert said(mean=Interval(1e-13, -3e-7, 3e-7)).endswith("; as many plays.")
    nobody_knows = said(mean=Interval(0.0, np.nan, np.nan), prediction=None)
    assert "as many" not in nobody_knows
    assert "at a table not played" not in nobody_knows


def test_of_a_sweep_the_first_point_leads_with_the_largest_changes(tmp_path):
    part = {"little": 0.1, "much": 0.5}

    def rows(cell, columns):
        if cell.variant in part:
            own = np.random.default_rng([len(cell.id), int(cell.lineup.split()[1])])
            other = own.random(columns["winners"].shape) < part[cell.variant]
            columns["winners"] = np.where(other, 2, 1).astype(np.uint16)
            columns["plays"] += other.astype(np.int32)

    plant(
        tmp_path / "study",
        60,
        rows,
        variants={"little": {"double_two": "always"}, "much": {"dirty_one": "always"}},
        lineups=[],
        population={"policies": POLICIES, "tables": 3},
        sweep={"points_limit": [300, 400]},
    )
    comparison = compare(tmp_path / "study")
    said = list(population_sentences(comparison))
    starts = [
        f"{variant} at points_limit=300, over the population: " for variant in ("much", "little")
    ]
    assert [text[: len(start)] for text, start in zip(said, starts, strict=True)] == starts
    section = build(tmp_path / "study").sections[0]
    shown, every = section.items
    assert shown.opened
    assert not every.opened
    assert {row[1] for row in shown.rows} == {"points_limit=300"}
    assert {row[1] for row in every.rows} == {"points_limit=300", "points_limit=400"}
    (_, printed) = population_table(comparison)
    assert printed.row_count == 2 * 2 * 2  # winners and length, of two variants at two points


def test_tables_of_like_players_disagree_more_than_any_one_tells(tmp_path):
    """Double two at seven real tables, as docs/howto/population.md has it."""
    alike = {"policies": POLICIES, "tables": 7, "alike": True}
    asked = drawing(
        population=alike,
        matches=3_000,
        options={"players": 3},
        variants={"double": {"double_two": "always"}},
    )
    run_study(asked, tmp_path / "study", threads=2)
    one = found(compare(tmp_path / "study"), "plays")
    widths = [change.high - change.low for change in one.changes]
    assert len(widths) == 7
    assert one.prediction.high - one.prediction.low >= 5 * max(widths)


def test_a_study_without_a_population_tells_none(tmp_path):
    plant(tmp_path / "study", 20, lambda *_: None)
    assert compare(tmp_path / "study").population is None
    assert len(study_lineups(check_study(document()), None)) == 1
