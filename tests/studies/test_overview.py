"""The answer on one screen, from frames: what is shown, what is named, what is said once."""

from __future__ import annotations

import polars as pl
import pytest

from studies.answers.headlines import Headline, Headlines
from studies.overview import (
    LINES,
    OverviewInput,
    aborted_words,
    answer_tables,
    full,
    headline_words,
    interval_text,
    overview,
    turning_words,
    widest_pair,
)
from studies.render import shown_text, to_text

NAMES = ("lineup", "variant", "kind", "who", "number", "against", "estimate", "low", "high")


def row(variant, kind, who, number, estimate, half=0.01, against="", lineup="one", **more):
    told = (lineup, variant, kind, who, number, against, estimate, estimate - half, estimate + half)
    rest = {
        "baseline": None,
        "p": None,
        "p_holm": None,
        "deals": 500,
        "matches": 1000,
        "count": None,
        "margin": None,
        "equivalent": None,
    }
    return {**dict(zip(NAMES, told, strict=True)), **rest, **more}


def table(variant="dirty", lineup="one", aborted=0.0):
    """Return rows of a table of two policies with one variant."""
    level = {"lineup": lineup, "variant": "baseline", "kind": "level"}
    return [
        row(who="", number="turns", estimate=50.0, half=1.0, **level),
        row(who="", number="aborted", estimate=aborted, **level),
        row(who="policy weak", number="win_rate", estimate=0.2, **level),
        row(who="policy strong", number="win_rate", estimate=0.3, **level),
        row(who="position 0", number="win_rate", estimate=0.245, **level),
        row(
            "baseline",
            "difference",
            "policy weak",
            "win_rate",
            -0.1,
            against="policy strong",
            lineup=lineup,
        ),
        row(variant, "change", "", "turns", -5.0, baseline=50.0, lineup=lineup),
        row(variant, "relative", "", "turns", -0.1, 0.02, baseline=50.0, lineup=lineup),
        row(variant, "change", "", "aborted", 0.0, baseline=aborted, p_holm=1.0, lineup=lineup),
        row(variant, "change", "position 0", "win_rate", 0.09, baseline=0.245, lineup=lineup),
        row(
            variant,
            "change",
            "policy weak",
            "win_rate",
            0.04,
            against="policy strong",
            lineup=lineup,
        ),
        row(variant, "level", "", "another_winner", 0.672, 0.005, lineup=lineup),
        row(variant, "level", "", "unrelated", 0.747, 0.001, lineup=lineup),
        row(variant, "level", "", "agreement", 0.1, lineup=lineup),
        row(variant, "change", "", "rounds", 1.0, lineup=lineup),
        row("baseline", "level", "", "rounds", 3.0, lineup=lineup),
    ]


def told(*rows, **named):
    return OverviewInput(pl.DataFrame([*rows], infer_schema_length=None), **named)


def screen(found, **named):
    return shown_text(overview(found, **named), 80)


def cells(found):
    (only,) = answer_tables(found)
    return {line.split()[0]: line for line in to_text(only, 120).splitlines() if line.strip()}


def test_a_row_has_the_four_answers():
    lines = cells(told(*table()))
    # Levels of the unchanged rules, then changes: length in %, first seat, skill, another winner.
    assert lines["baseline"].split()[1:] == ["50.0", "±1.0", "24.5", "±1.0", "10.0", "±1.0"]
    changes = ["-10.0", "±2.0", "+9.0", "±1.0", "-4.0", "±1.0", "67.2", "±0.5", "74.70", "±0.10"]
    assert lines["dirty"].split()[1:] == [*changes, "10.0", "±1.0"]


def test_whether_another_seat_wins_is_a_table_of_its_own_where_one_is_too_wide():
    found = told(*table(variant="a_rule_with_a_long_name_that_takes_room"))
    shown = screen(found)
    assert "Line-up one: how often another seat wins" in shown
    assert max(map(len, shown.splitlines())) <= 80
    one = shown_text(overview(found, width=120), 120)
    assert "how often another seat wins\n" not in one
    for number in ("67.2 ±0.5", "74.70 ±0.10", "+9.0 ±1.0"):
        assert shown.count(number) == one.count(number) == 1


def headings(found):
    return [column.title for column in answer_tables(found)[0].columns]


def aborting():
    """Return rows of a table in which a rule makes many matches end undecided."""
    return [
        *table(aborted=0.02),
        row("baseline", "level", "", "decided_turns", 40.0, 1.0),
        row("dirty", "change", "", "decided_turns", 8.0, baseline=40.0),
        row("dirty", "relative", "", "decided_turns", 0.2, 0.03, baseline=40.0),
    ]


def test_where_matches_are_aborted_the_length_of_decided_ones_is_beside_it():
    found = told(*aborting())
    assert "of decided ones" in headings(found)
    assert cells(found)["dirty"].split()[1:7] == ["-10.0", "±2.0", "+20", "±3", "0.0", "±1.0"]
    assert "of decided ones" not in headings(told(*table()))


def test_headlines_say_what_a_length_is_of_decided_matches():
    change = row("dirty", "change", "", "turns", -5.0, baseline=50.0)
    found = headline("length", "dirty makes matches shorter", "less", **change)
    seats = headline("seats", "even")
    _, length, rule, _ = first_lines(seats, found, rows=aborting(), reference="one")
    assert length == "How long is it? 50.0 ±1.0 turns (40.0 ±1.0 of decided matches)."
    assert rule.endswith("; of decided matches +20 ±3 %, aborted ones 0.0 ±1.0 points).")


def test_a_number_that_is_the_same_in_all_deals_looks_certain():
    same = row("baseline", "level", "", "turns", 11.0, 0.2, constant=True, deals=300)
    assert interval_text(same) == "11 in all 300"
    assert interval_text({**same, "constant": False}) == "11.00 ±0.20"
    (line, *_) = first_lines(headline("seats", "even"), rows=[same], reference="one")[1:]
    assert line == "How long is it? 11 turns in all 300 deals."


def seated(*positions):
    return [
        row(
            "baseline",
            "seating",
            f"policy {who}",
            "win_rate",
            0.2 + 0.01 * at,
            0.01,
            f"position {at}",
        )
        for who in ("weak", "strong")
        for at in positions
    ]


def test_a_table_has_the_win_rate_of_each_policy_at_each_position():
    shown = screen(told(*table(), *seated(0, 1, 2)))
    assert "Line-up one: win rate by policy and position, %" in shown
    assert "strong  20.0 ±1.0  21.0 ±1.0  22.0 ±1.0" in shown
    many = screen(told(*table(), *seated(*range(10))))
    assert "position, %, ±1.0 at most" in many
    assert max(map(len, many.splitlines())) <= 80


def test_skill_is_the_widest_gap_the_stronger_policy_first():
    assert widest_pair(told(*table()).rows) == ("strong", "weak")
    assert "strong − weak" in screen(told(*table()))


def test_random_play_is_no_partner_where_others_meet():
    gaps = [
        row("baseline", "difference", f"policy {one}", "win_rate", gap, against=f"policy {two}")
        for one, two, gap in [("strong", "random", 0.3), ("strong", "weak", 0.1)]
    ]
    assert widest_pair(gaps) == ("strong", "weak")
    assert widest_pair(gaps[:1]) == ("strong", "random")


@pytest.mark.parametrize(
    ("ends", "text"),
    [
        ((-50.0, -50.0, -50.0), "-50 exactly"),
        ((25.0, None, None), "+25 ±?"),
        ((0.0, 0.0, 0.0), "0"),
        ((0.0, None, None), "0"),
        ((None, None, None), "–"),
        ((5.0, 4.0, 6.0), "+5.0 ±1.0"),
    ],
)
def test_a_number_without_an_interval_does_not_look_like_one(ends, text):
    told_row = dict(zip(("estimate", "low", "high"), ends, strict=True))
    assert interval_text(told_row, signed=True) == text


def test_length_is_told_in_minutes_where_seconds_are_given():
    lines = first_lines(headline("seats", "even"), reference="one", seconds=30.0)
    assert lines[1] == "How long is it? 50.0 ±1.0 turns, about 25 minutes at 30 s each."


def test_a_study_of_one_policy_has_no_skill():
    rows = [own for own in table() if not own["who"].startswith("policy")]
    text = screen(told(*rows))
    assert "skill" not in text
    assert "+9.0 ±1.0" in text


def test_aborted_matches_are_told_once_and_only_where_they_matter():
    assert aborted_words(told(*table(aborted=0.0009))) == []
    (said,) = aborted_words(told(*table(aborted=0.02)))
    assert said.startswith("Aborted matches: 2.0 %")
    differing = [
        *table(),
        row("cruel", "change", "", "aborted", 0.0006, baseline=0.0, p_holm=0.001),
    ]
    assert "cruel 0.1 %" in aborted_words(told(*differing))[0]
    assert screen(told(*table(aborted=0.02))).count("borted") == 1


def test_what_is_not_shown_is_named():
    assert "Not shown: rounds. Elsewhere." in screen(told(*table()), more="Elsewhere.")
    many = [own for number in range(30) for own in table(lineup=f"table {number}")]
    text = " ".join(screen(told(*many)).split())
    assert "Line-up table 0: 1,000 matches each" in text
    assert "Line-up table 29: 1,000 matches each" not in text
    assert "Not shown: line-ups table " in text
    assert screen(told(*many)).count("\n") <= LINES


def test_a_long_first_table_is_cut_and_the_rest_counted():
    rows = [*table()]
    for number in range(80):
        rows += [own for own in table(f"variant_{number}") if own["variant"] != "baseline"]
    text = screen(told(*rows))
    assert text.count("\n") <= LINES
    assert "more rows of the first table" in " ".join(text.split())


def test_a_margin_says_what_is_shown_to_be_small():
    rows = [
        {**own, "margin": 0.2, "equivalent": True} if own["kind"] == "change" else own
        for own in table()
    ]
    (found,) = answer_tables(told(*rows))
    assert found.frame["same"].to_list()[-1] == "yes"
    rows[9] = {**rows[9], "margin": 0.05, "equivalent": False}  # 0.08 … 0.10 lies beyond
    (found,) = answer_tables(told(*rows))
    assert found.frame["same"].to_list()[-1] == "no"


def test_measures_that_were_asked_for_have_a_column():
    rows = [
        *table(),
        row("baseline", "level", "", "long", 0.4),
        row("dirty", "change", "", "long", -0.1),
    ]
    lines = cells(told(*rows, measures=("long",)))
    assert lines["dirty"].split()[-2:] == ["-0.100", "±0.010"]


@pytest.mark.parametrize("kind", ["factor", "interaction", "population"])
def test_what_is_told_across_variants_has_a_table_of_its_own(kind):
    rows = [
        *table(),
        row("a × b", kind, "", "turns", 2.0),
        row("a × b", kind, "position 0", "win_rate", 0.01),
    ]
    text = screen(told(*rows))
    assert "a × b" in text
    assert "+4.000 ±0.020" in " ".join(text.split()) or kind == "population"


def test_full_tells_every_row():
    found = told(*table())
    text = shown_text(full(found), 120)
    for number in found.frame["number"]:
        assert number in text
    assert "What changes on the same deals" in text


ON_THE_SAME = "Changes are on the same deals."


def test_deals_are_said_to_be_the_same_only_where_changes_are_paired():
    paired = table()
    unpaired = [one for one in paired if one["number"] != "another_winner"]
    alone = [one for one in unpaired if one["variant"] == "baseline"]
    assert ON_THE_SAME in screen(told(*paired))
    for rows in (unpaired, alone):
        assert "95 % intervals." in screen(told(*rows))
        assert ON_THE_SAME not in screen(told(*rows))
    assert "What changes, on independent deals" in shown_text(full(told(*unpaired)), 120)


def at(players, rows):
    return [{"players": players, **one} for one in rows]


def test_the_reference_line_up_comes_first():
    rows = [*table(lineup="weak"), *table(lineup="strong")]
    text = screen(told(*rows, reference="strong"))
    assert text.index("Line-up strong:") < text.index("Line-up weak:")
    assert answer_tables(told(*rows))[0].title.startswith("Line-up weak:")


def test_all_points_of_the_reference_come_before_another_line_up():
    variants = [table(f"v{number}", lineup="strong") for number in range(20)]
    mine = [*variants[0], *(one for own in variants[1:] for one in own if one["variant"][0] == "v")]
    rows = [
        *at(4, table(lineup="weak")),
        *(one for players in (4, 2, 6) for one in at(players, mine)),
    ]
    text = screen(told(*rows, reference="strong"))
    first = text.partition("Line-up weak")[0]
    assert "Line-up strong: 1,000 matches each, 4 players" in first
    heading = next(line for line in first.splitlines() if "2 players" in line)
    assert heading.split()[1:] == ["4", "players", "2", "players", "6", "players"]
    lines = [line.split() for line in first.splitlines() if line.startswith("v19 ")]
    assert lines[1][1:] == ["-10.0", "±2.0"] * 3


def turned(*changes):
    """Return tables of a variant with these changes of the length: line-up, change, p."""
    rows = []
    for lineup, change, p in changes:
        own = [one for one in table(lineup=lineup) if one["number"] != "turns"]
        rows += [
            *own,
            row("baseline", "level", "", "turns", 50.0, 1.0, lineup=lineup),
            row("dirty", "change", "", "turns", 50 * change, 1.0, baseline=50.0, lineup=lineup)
            | {"p_holm": p},
            row("dirty", "relative", "", "turns", change, 0.02, baseline=50.0, lineup=lineup),
        ]
    return turning_words(told(*rows))


def test_a_rule_that_works_both_ways_is_said_to_where_it_is_shown():
    (said,) = turned(("weak", -0.48, 0.001), ("strong", 0.046, 0.001), ("middling", 0.03, 0.01))
    assert said == (
        "dirty makes matches longer with line-up strong (+4.6 ±2.0 %), shorter with line-up weak "
        "(-48.0 ±2.0 %)."
    )
    assert turned(("weak", -0.48, 0.001), ("strong", 0.046, 0.2)) == []
    assert turned(("weak", -0.48, 0.001), ("strong", -0.046, 0.001)) == []


def headline(question, words, verdict="open", **more):
    found = {
        "lineup": "one",
        "variant": "baseline",
        "who": "position 0",
        "null": 0.25,
        "baseline": None,
        "estimate": 0.3,
        "low": 0.28,
        "high": 0.32,
    }
    point = more.pop("point", {})
    row = {**found, **point, **more}
    return Headline(question, point, row["lineup"], verdict, words, row, [], False)


def first_lines(*found, rows=None, **named):
    data = told(*(rows or table()), headlines=Headlines("seats", found, 0.95, 9), **named)
    return headline_words(data)


def test_the_first_lines_are_what_headlines_claim():
    seats = headline("seats", "the first seat wins more than the even share", "uneven")
    change = {"baseline": 50.0, "estimate": -5.0, "low": -6.0, "high": -4.0}
    rule = headline("length", "dirty makes matches shorter", "less", variant="dirty", **change)
    lines = first_lines(seats, rule, reference="one")
    assert lines[:3] == [
        f"Is it fair? Line-up one: {seats.words} (30.0 % (28.0–32.0), even: 25.0 %).",
        "How long is it? 50.0 ±1.0 turns.",
        "Which rule changes the length most? dirty makes matches shorter (-10.0 ±2.0 %).",
    ]
    assert "9 numbers" in lines[3]
    assert first_lines(seats, rule, numbers=("score",)) == []
    assert first_lines(headline("seats", "…", lineup="of another part")) == []


def test_points_of_one_answer_are_named_together():
    rows = [one for players in (4, 2, 6) for one in at(players, table())]
    even = "no difference between seats is shown"
    found = [headline("seats", even, point={"players": players}) for players in (4, 6)]
    uneven = headline(
        "seats", "seat 2 wins more than the even share", "uneven", point={"players": 2}
    )
    (line, length, _) = first_lines(*found, uneven, rows=rows, reference="one")
    assert line == (
        f"Is it fair? Line-up one: {even} with 4, 6 players; seat 2 wins more than the even share "
        "with 2 players (30.0 % (28.0–32.0), even: 25.0 %)."
    )
    assert length == (
        "How long is it? 50.0 ±1.0 turns with 4 players, 50.0 ±1.0 with 2 players, 50.0 ±1.0 with "
        "6 players."
    )
    alike = [headline("seats", even, point={"players": players}) for players in (4, 2, 6)]
    assert f"{even} at every number of players." in first_lines(*alike, rows=rows)[0]
