"""What is said of planted studies, whose truth is known: the right number, and where it holds."""

import re

import numpy as np
import polars as pl
import pytest

from simcore.catalogue import get_game
from simcore.game import game_names
from studies.answers.filters import Filters
from studies.answers.frame import answers
from studies.answers.headlines import headlines
from studies.design.study import LIBRARY, load_study
from studies.render import Table, shown_text
from studies.store.opened import open_study
from studies.view import claims as said_of
from studies.view.claims import paragraphs
from studies.view.findings import findings
from studies.view.page import to_page
from studies.view.query import View, with_unit
from studies.view.study import study_answer
from studies.view.terminal import LINES
from tests.studies.conftest import table
from tests.studies.planted import ALONE, PAIR, VARIANTS, lively, plant

DIRTY = {"dirty": VARIANTS["dirty"]}
FACTORS = {"dirty_one": ["off", "always"], "double_two": ["off", "always"]}


@pytest.fixture
def answer_of(tmp_path):
    """Return a function that plants a study and gives its answer."""

    def answer(deals, rows, *, filters=None, seconds=None, **changes):
        directory = plant(tmp_path / "planted", deals, rows, **changes)
        whole = study_answer(open_study(directory), seconds=seconds)
        return whole.only(Filters(**filters)) if filters else whole

    return answer


def said(answer):
    """Return all that is claimed, in one line."""
    return " ".join(
        line for finding in findings(View(answer)) for line in paragraphs(finding.claims)
    )


def grid_of(answer, name):
    return next(g for finding in findings(View(answer)) for g in finding.grids if g.name == name)


def column(grid, title):
    return next(cells for heading, cells in grid.columns.items() if heading.title == title)


def lasting(*lengths):
    """Return rows whose length is told by (dirty_one, double_two), with a little noise."""

    def rows(cell, columns):
        lively(moved=0.3, seed=3)(cell, columns)
        place = 2 * (cell.options["dirty_one"] == "always")
        place += cell.options["double_two"] == "always"
        noise = np.random.default_rng([7, place]).integers(-3, 4, columns["match"].shape)
        columns["plays"] = (noise + lengths[place]).astype(np.int32)

    return rows


# ---- rules


def test_a_factor_is_shown_with_its_own_effect_and_not_that_of_a_variant(answer_of):
    """10 plays, 10 with double_two, 20 with dirty_one, 40 with both: +20 and +10 on average."""
    answer = answer_of(150, lasting(10, 10, 20, 40), lineups=ALONE, variants=None, factors=FACTORS)
    effects = column(grid_of(answer, "factors"), "plays, change")
    assert effects["dirty_one"]["estimate"] == pytest.approx(20, abs=0.5)
    assert effects["double_two"]["estimate"] == pytest.approx(10, abs=0.5)
    assert effects["dirty_one × double_two"]["estimate"] == pytest.approx(20, abs=1)
    assert "Which factor changes the length most? dirty_one (+" in said(answer)


def test_a_relative_change_is_the_frames_and_its_headline_is_no_narrower(answer_of):
    """A rule adds 5 plays to matches of 1 to 39: the length before is uncertain, too."""

    def rows(cell, columns):
        lively(moved=0.0, seed=3)(cell, columns)
        deals, rotations = columns["match"].shape
        base = np.repeat(np.random.default_rng(9).integers(1, 40, (deals, 1)), rotations, 1)
        columns["plays"] = (base + 5 * (cell.variant == "dirty")).astype(np.int32)

    answer = answer_of(600, rows, lineups=ALONE, variants=VARIANTS)
    row = View(answer).rows("relative", "plays", variant="dirty")[0]
    assert row["high"] - row["low"] > 0.02
    assert f"makes matches longer ({with_unit(row)})" in said(answer)
    headline = answer.headlines.of("length").row
    assert headline["low"] <= row["low"] < row["high"] <= headline["high"]
    assert "whoever plays" not in said(answer)  # one line-up


def test_where_another_line_up_says_otherwise_it_is_said(answer_of):
    """Here a rule changes nothing; at another table it takes a third of the length."""

    def rows(cell, columns):
        shift = {"dirty": -4} if cell.lineup == "two" else {}
        lively(metric_shift=shift, seed=5)(cell, columns)

    lineups = [table("one", "greedy"), table("two", "hoarder")]
    compared = {"lineups": lineups, "compare": {"reference": "one"}}
    answer = answer_of(300, rows, variants=DIRTY | {"double": VARIANTS["double"]}, **compared)
    words = said(answer)
    assert "no rule is shown to change the length of a match (line-up one)" in words
    assert re.search(r"elsewhere it does: dirty -\d+.* % \(line-up two\)", words)


def test_what_holds_whoever_plays_is_told_apart_from_what_holds_with_some_policies(answer_of):
    """One rule shortens matches of all, another one lengthens those of a policy alone."""
    shifts = {
        "low": {"dirty": -5, "double": 4},
        "middle": {"dirty": -4},
        "top": {"dirty": -2, "double": 4},
        "mixed": {"double": -4},
    }

    def rows(cell, columns):
        lively(metric_shift=shifts[cell.lineup], seed=5)(cell, columns)

    policies = {"low": "random", "middle": "greedy", "top": "hoarder"}
    lineups = [table(name, seats) for name, seats in policies.items()]
    lineups += [table("mixed", "greedy", "hoarder", rotate=True)]
    variants = DIRTY | {"double": VARIANTS["double"]}
    words = said(answer_of(300, rows, lineups=lineups, variants=variants))
    asked = re.search(r"What holds whoever plays \(([^)]*)\)\? (.*?)\. ", words)
    assert set(asked[1].split(", ")) == {"random", "greedy", "hoarder"}
    always, sometimes = asked[2].split("; shown with some of them alone: ")
    assert re.match(r"dirty makes matches shorter \(least with hoarder: -1\d.* %\)", always)
    assert "double" not in always
    assert set(re.match(r"double makes matches longer \((.*)\)", sometimes)[1].split(", ")) == {
        "random",
        "hoarder",
    }


def test_a_rule_that_works_both_ways_is_said_to(answer_of):
    def rows(cell, columns):
        lively(metric_shift={"dirty": -4 if cell.lineup == "two" else 4}, seed=5)(cell, columns)

    lineups = [table("one", "greedy"), table("two", "hoarder")]
    answer = answer_of(300, rows, variants=DIRTY, lineups=lineups)
    assert re.search(
        r"dirty makes matches longer \(line-up one: \+.*\), but shorter \(line-up two: -",
        said(answer),
    )


def test_most_often_is_said_only_as_far_as_it_is_shown(answer_of):
    moved = {"dirty": 0.5, "double": 0.48, "both": 0.1}
    variants = {name: VARIANTS[name] for name in moved}
    words = said(answer_of(400, lively(moved=moved), lineups=PAIR, variants=variants))
    first = words.partition(")")[0]
    assert re.search(r"most\? (dirty|double), not shown to differ from (double|dirty) \(", first)
    assert "of the matches decided with and without it" in first


def test_a_single_variant_has_its_sentence(answer_of):
    shown = answer_of(
        500, lively(moved=0.3), lineups=PAIR, variants=VARIANTS, filters={"variant": ("dirty",)}
    )
    assert re.search(
        r"What does dirty change\? another seat wins in [\d.]+ ±[\d.]+ % of the matches decided "
        r"with and without it; nothing else is shown to change",
        said(shown),
    )


def test_a_reversed_lead_names_both_policies_and_parameters_where_names_are_alike(answer_of):
    strength = {"greedy": 0.5, "random": 0.0}
    reversing = lively(strength=strength, shift={"dirty:greedy": -1.2}, seed=6)
    words = said(answer_of(500, reversing, lineups=PAIR, variants=DIRTY))
    assert re.search(
        r"the lead of greedy over random is reversed, from \+\S+ ±\S+ points to -", words
    )


def test_two_of_one_name_are_told_apart_by_their_parameters(answer_of):
    lineups = [table("alike", "hoarder(threshold=1)", "hoarder(threshold=9)")]
    answer = answer_of(60, lively(), lineups=lineups, variants=DIRTY)
    headings = [heading.title for heading in grid_of(answer, "variants").columns]
    gap = next(title for title in headings if " − " in title)
    assert sorted(gap.split(" − ")) == ["hoarder(threshold=1)", "hoarder(threshold=9)"]


def test_what_a_study_counts_and_asks_about_comes_first(answer_of):
    """In the first sentence, the first column, and so in the first tile and the figure's order."""
    changes = {"lineups": PAIR, "variants": DIRTY | {"double": VARIANTS["double"]}}
    rows = lively(metric_shift={"dirty": 5})
    counting = answer_of(200, rows, measures={"long": "plays > 14"}, **changes)
    assert said(counting).startswith("Which rule changes long most? dirty (+")
    assert next(iter(grid_of(counting, "variants").columns)).title == "long"


def test_a_change_that_is_not_shown_is_no_answer(answer_of):
    """No rule is named; a map of tables has no number where none is shown."""

    def rows(cell, columns):
        lively(metric_shift={"dirty": 5 if cell.lineup == "two" else 0}, seed=5)(cell, columns)

    lineups = [table("one", "greedy"), table("two", "hoarder")]
    counted = {"measures": {"won_late": "winners = 1"}, "compare": {"reference": "one"}}
    variants = DIRTY | {"double": VARIANTS["double"]}
    answer = answer_of(300, rows, lineups=lineups, variants=variants, **counted)
    assert "Which rule changes won_late most? none is shown to change it" in said(answer)
    cells = grid_of(answer, "variants_map").columns
    shown = {heading.name: of_table["dirty"]["shown"] for heading, of_table in cells.items()}
    assert shown == {"one": False, "two": True}


@pytest.mark.usefixtures("undrawn")
def test_intervals_of_rules_that_change_few_matches_are_called_rough(answer_of):
    moved = {"dirty": 0.005, "double": 0.5}
    changes = {"lineups": PAIR, "variants": {name: VARIANTS[name] for name in moved}}
    answer = answer_of(200, lively(moved=moved), **changes)
    counts = answer.frame.filter(kind="level", number="another_winner")
    known = dict(zip(counts["variant"], counts["count"], strict=True))
    assert 0 < known["dirty"] < 10 < known["double"]
    words = "Fewer than 10 matches have another winner with dirty. Intervals of so rare changes"
    for text in (shown_text(answer.page(), 400), to_page(answer), answer._repr_html_()):
        assert words in text


def test_a_study_may_name_what_it_asks_about(answer_of):
    changes = {"lineups": PAIR, "variants": DIRTY | {"double": VARIANTS["double"]}}
    answer = answer_of(60, lively(), compare={"about": ["plays"]}, **changes)
    assert said(answer).startswith("Which rule changes the length most?")
    assert next(iter(grid_of(answer, "variants").columns)).title == "plays, change in %"


# ---- seats, length, policies


def test_an_open_question_says_what_the_data_leave_and_how_many_deals_would_tell(answer_of):
    answer = answer_of(300, lively(strength={}, first=0.0), lineups=ALONE, variants=None)
    found = re.search(
        r"no difference between seats is shown \(up to ([\d.]+) points from the even share are "
        r"possible, and about ([\d,]+) deals would show half of that\)",
        said(answer),
    )
    rows = answer.headlines.of("seats").rows
    left = max(max(row["high"] - row["null"], row["null"] - row["low"]) for row in rows)
    assert float(found[1]) == pytest.approx(100 * left, abs=0.06)
    deals = int(found[2].replace(",", ""))
    # With so many the bound itself lies within half of it, and leaves room for luck.
    widest = max((row["high"] - row["low"]) / 2 for row in rows)
    assert widest * (300 / deals) ** 0.5 < left / 2
    assert "fair" not in shown_text([line for line in answer.page() if "possible" not in str(line)])


def test_an_unfair_seat_at_another_line_up_is_named(answer_of):
    def rows(cell, columns):
        lively(strength={}, first=0.9 if cell.lineup == "two" else 0.0, seed=7)(cell, columns)

    lineups = [
        {"name": name, "seats": [who]} for name, who in (("one", "greedy"), ("two", "guard"))
    ]
    changes = {"lineups": lineups, "variants": None, "compare": {"reference": "one"}}
    words = said(answer_of(400, rows, **changes))
    assert re.search(
        r"no difference between seats is shown \(line-up one; [^;]*\); but line-up two: "
        r"(first seat|position \d) \d+.* % \(even: 33.3 %\)",
        words,
    )


def test_who_wins_here_and_loses_there_is_said_to(answer_of):
    def rows(cell, columns):
        sign = 1 if cell.lineup == "one" else -1
        strength = {"greedy": 0.9 * sign, "hoarder": 0.0, "shedder": 0.0}
        lively(strength=strength, seed=4)(cell, columns)

    lineups = [table(name, "greedy", "hoarder", "shedder") for name in ("one", "two")]
    words = said(answer_of(300, rows, lineups=lineups, variants=None))
    assert re.search(
        r"greedy beats (\w+) \(line-up one; \+.*; the reverse at line-up two: \1 \+", words
    )


def test_a_rule_that_adds_half_to_every_drawn_table_is_shown_to(answer_of):
    """Tables of 8 to 40 plays: the mean of plays tells nothing, that of the tables' parts does."""

    def rows(cell, columns):
        lively(moved=0.0, seed=2)(cell, columns)
        base = 8 * (1 + int(cell.lineup.rpartition(" ")[2]))
        noise = np.random.default_rng([5, base]).integers(-2, 3, columns["match"].shape)
        factor = 1.5 if cell.variant == "dirty" else 1.0
        columns["plays"] = np.round(factor * (base + noise)).astype(np.int32)

    drawn = {"policies": {"greedy": 1, "random": 1}, "tables": 4}
    variants = DIRTY | {"double": VARIANTS["double"]}
    answer = answer_of(80, rows, lineups=None, population=drawn, variants=variants)
    row = answer.frame.filter(
        kind="relative", lineup="population", variant="dirty", number="plays"
    ).to_dicts()[0]
    assert row["estimate"] == pytest.approx(0.5, abs=0.02)
    words = said(answer)
    number = with_unit({**row, "scale": 100, "signed": True})
    assert f"dirty makes matches longer (over the population of tables; {number})" in words
    # Quantiles are those of a table, and named so.
    length = re.search(r"How long is it\? (.*?)\.(?= [A-Z]|$)", words)[1]
    assert length.endswith("(over the population of tables)")
    assert "%" not in length


def test_lengths_are_told_in_minutes_where_a_turn_has_a_time(answer_of):
    answer = answer_of(60, lively(), lineups=PAIR, seconds=30)
    plays = answer.frame.filter(kind="level", variant="baseline", number="plays")["estimate"][0]
    assert f"plays, about {plays / 2:.0f} minutes at 30 s each." in said(answer)


@pytest.mark.parametrize("game", game_names())
def test_studies_of_the_library_have_a_time_for_a_turn(game):
    for path in LIBRARY.glob("*.toml"):
        study = load_study(str(path))
        if study.game == get_game(game).name:
            assert study.compare.seconds > 0, path.name


def test_teams_have_a_row_each_and_their_even_share(monkeypatch, answer_of):
    """Opposite seats win together: six in ten matches the first seat's team."""

    def rows(cell, columns):
        shape = columns["match"].shape
        luck = np.random.default_rng(3)
        starts = np.broadcast_to(luck.integers(0, 4, (shape[0], 1)), shape)
        first = luck.random(shape) < 0.6
        team = np.where((starts % 2 == 0) == first, 0b0101, 0b1010)
        columns["first_seat"], columns["winners"] = starts.astype(np.uint8), team.astype(np.uint16)

    monkeypatch.setattr("studies.answers.frame.teams_of", lambda _: 2)
    answer = answer_of(600, rows, lineups=ALONE, variants=None, options={"players": 4, "rounds": 1})
    rates = column(grid_of(answer, "seats"), "win rate")
    assert list(rates) == ["the first seat's team", "team 1"]
    assert [row["estimate"] for row in rates.values()] == pytest.approx([0.6, 0.4], abs=0.05)
    assert sum(row["estimate"] for row in rates.values()) == pytest.approx(1)
    assert "the first seat's team wins more than the even share, team 1 less" in said(answer)
    assert "even: 50.0 %" in said(answer)


def test_nothing_is_said_of_leads_where_the_score_is_known_once(answer_of):
    """Every winner of such a game has "led throughout"."""

    def rows(cell, columns):
        lively()(cell, columns)
        columns["lead_changes"] = np.zeros_like(columns["lead_changes"])

    answer = answer_of(60, rows, lineups=ALONE, variants=None)
    assert answer.frame.filter(kind="level", number="led_throughout")["estimate"][0] == 1
    assert "led throughout" not in shown_text(answer.page(), 80)


# ---- the screen


@pytest.mark.parametrize(
    "name", ["plain", "variants", "sweep", "population", "duels", "ten_players"]
)
def test_a_screen_has_its_size_and_names_what_it_leaves_out(planted_answer, name):
    answer = planted_answer(name)
    text = shown_text(answer.page(), 80)
    lines = text.splitlines()
    assert len(lines) <= LINES + 2
    assert max(map(len, lines)) <= 80
    assert "Not shown:" in text
    words = " ".join(text.partition("Not shown:")[2].split())
    assert "more" in words
    assert "--full" in words


@pytest.mark.parametrize(
    ("name", "asked", "figures"),
    [
        ("duels", {}, {"variants", "variants_map", "seats", "seats_map", "strengths", "payoffs"}),
        (
            "two_sweeps",
            {"complete": False},
            {"length", "length_map", "length_by_point", "win_rates", "policy_seats"},
        ),
        ("factors", {}, {"factors", "variants", "drama"}),
        ("margins", {}, {"variants", "strengths", "payoffs", "policy_seats"}),
    ],
)
def test_figures_have_their_names(planted_answer, name, asked, figures):
    found = findings(View(planted_answer(name, **asked)))
    names = [grid.name for finding in found for grid in finding.grids if grid.name]
    assert figures <= set(names)
    assert len(names) == len(set(names))


def test_every_number_that_can_be_asked_for_has_a_table(planted_answer):
    answer = planted_answer("variants")
    numbers = [name for name in answer.frame["number"].unique() if name]
    assert {"another_winner", "unrelated", "agreement", "policy"} & set(numbers)
    for number in numbers:
        page = answer.only(Filters(number=(number,))).page()
        tables = [part for part in page if isinstance(part, Table)]
        assert tables, number
        assert number in shown_text(tables, 120) or number.replace("_", " ") in shown_text(tables)


def test_corrected_p_values_are_not_called_holms(planted_answer):
    """Families with simultaneous intervals are corrected by max-T."""
    text = shown_text(planted_answer("plain").page(full=True), 160)
    assert "p, corrected" in text
    assert "Holm" not in text


def test_what_is_shown_is_shown_by_the_corrected_test(planted_answer):
    view = View(planted_answer("plain"))
    assert view.is_shown({"p": 0.2, "p_holm": 0.01})
    assert not view.is_shown({"p": 0.01, "p_holm": 0.2})
    assert not view.is_shown({"p": 0.01, "p_holm": None})
    assert not view.is_shown(None)


def test_margins_are_within_outside_or_open():
    row = {"margin": 0.1, "equivalent": False, "low": -0.05, "high": 0.05}
    assert said_of.sameness([{**row, "equivalent": True}]) == "yes"
    assert said_of.sameness([row]) == "open"
    assert said_of.sameness([{**row, "low": 0.11, "high": 0.2}]) == "no"
    assert said_of.sameness([{**row, "low": -0.2, "high": -0.11}]) == "no"


def test_headlines_pay_for_no_test_of_seats(planted):
    """Whether the seats are fair is one test of all of them, apart from the other questions."""
    stored = planted("plain")
    answered = answers(stored.cells, stored.totals, study=stored.study)
    claims = headlines(answered, reference="trio")
    fewer = [row for one in claims.all if one.question != "seats" for row in one.rows]
    assert claims.looked == len(fewer)
    assert 0 <= claims.fair <= 1
    levels = answered.frame.filter(pl.col("who").str.starts_with("position"), kind="level")
    single = levels.filter(number="win_rate")["p"].min()
    assert claims.fair >= single
