"""The answer on one screen, from frames: what is shown, what is named, what is said once."""

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
EMPTY = dict.fromkeys(
    ("baseline", "p", "p_holm", "deals", "matches", "count", "margin", "equivalent")
)


def row(variant, kind, who, number, estimate, half=0.01, against="", *, lineup="one", **more):
    place = (lineup, variant, kind, who, number, against)
    values = (*place, estimate, estimate - half, estimate + half)
    sizes = {"deals": 500, "matches": 1000}
    return {**dict(zip(NAMES, values, strict=True)), **EMPTY, **sizes, **more}


def gap(variant, kind, estimate):
    return row(variant, kind, "policy weak", "win_rate", estimate, against="policy strong")


def table(variant="dirty", lineup="one", aborted=0.0):
    """Return rows of a table of two policies with one variant."""
    rows = [
        row("baseline", "level", "", "turns", 50.0, 1.0),
        row("baseline", "level", "", "aborted", aborted),
        row("baseline", "level", "policy weak", "win_rate", 0.2),
        row("baseline", "level", "policy strong", "win_rate", 0.3),
        row("baseline", "level", "position 0", "win_rate", 0.245),
        gap("baseline", "difference", -0.1),
        row(variant, "change", "", "turns", -5.0, baseline=50.0),
        row(variant, "relative", "", "turns", -0.1, 0.02, baseline=50.0),
        row(variant, "change", "", "aborted", 0.0, baseline=aborted, p_holm=1.0),
        row(variant, "change", "position 0", "win_rate", 0.09, baseline=0.245),
        gap(variant, "change", 0.04),
        row(variant, "level", "", "another_winner", 0.672, 0.005),
        row(variant, "level", "", "unrelated", 0.747, 0.001),
        row(variant, "level", "", "agreement", 0.1),
        row(variant, "change", "", "rounds", 1.0),
        row("baseline", "level", "", "rounds", 3.0),
    ]
    return [{**entry, "lineup": lineup} for entry in rows]


def at(players, rows):
    return [{"players": players, **entry} for entry in rows]


def data_of(*rows, **named):
    return OverviewInput(pl.DataFrame([*rows], infer_schema_length=None), **named)


def screen(*rows, width=80, **named):
    more = {"more": named.pop("more")} if "more" in named else {}
    return shown_text(overview(data_of(*rows, **named), width=width, **more), width)


def words_of(text):
    return " ".join(text.split())


def lines_of(*rows, **named):
    """Return the lines of the only table, by their first word."""
    (only,) = answer_tables(data_of(*rows, **named))
    return {line.split()[0]: line for line in to_text(only, 120).splitlines() if line.strip()}


# ---- the table


def test_a_row_has_the_four_answers():
    lines = lines_of(*table())
    # Levels of the unchanged rules, then changes: length in %, first seat, skill, another winner.
    assert lines["baseline"].split()[1:] == ["50.0", "±1.0", "24.5", "±1.0", "10.0", "±1.0"]
    changes = ["-10.0", "±2.0", "+9.0", "±1.0", "-4.0", "±1.0", "67.2", "±0.5", "74.70", "±0.10"]
    assert lines["dirty"].split()[1:] == [*changes, "10.0", "±1.0"]


def test_whether_another_seat_wins_is_a_table_of_its_own_where_one_is_too_wide():
    rows = table(variant="a_rule_with_a_long_name_that_takes_room")
    narrow, wide = (screen(*rows, width=width) for width in (80, 120))
    assert "Line-up one: how often another seat wins" in narrow
    assert max(map(len, narrow.splitlines())) <= 80
    assert "how often another seat wins\n" not in wide
    for number in ("67.2 ±0.5", "74.70 ±0.10", "+9.0 ±1.0"):
        assert narrow.count(number) == wide.count(number) == 1


ABORTING = [
    *table(aborted=0.02),
    row("baseline", "level", "", "decided_turns", 40.0, 1.0),
    row("dirty", "change", "", "decided_turns", 8.0, baseline=40.0),
    row("dirty", "relative", "", "decided_turns", 0.2, 0.03, baseline=40.0),
]
"""Of a table in which a rule makes many matches end undecided."""


def test_where_matches_are_aborted_the_length_of_decided_ones_is_beside_it():
    assert lines_of(*ABORTING)["dirty"].split()[1:7] == [
        "-10.0",
        "±2.0",
        "+20",
        "±3",
        "0.0",
        "±1.0",
    ]
    for rows, is_there in ((ABORTING, True), (table(), False)):
        headings = [column.title for column in answer_tables(data_of(*rows))[0].columns]
        assert ("of decided ones" in headings) == is_there


def test_a_number_that_is_the_same_in_all_deals_looks_certain():
    same = row("baseline", "level", "", "turns", 11.0, 0.2, constant=True, deals=300)
    assert interval_text(same) == "11 in all 300"
    assert interval_text({**same, "constant": False}) == "11.00 ±0.20"
    (line, *_) = first_lines(EVEN, rows=[same])[1:]
    assert line == "How long is it? 11 turns in all 300 deals."


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
    ends = dict(zip(("estimate", "low", "high"), ends, strict=True))
    assert interval_text(ends, signed=True) == text


def seated(positions):
    """Return the win rates of two policies at positions."""
    return [
        row("baseline", "seating", who, "win_rate", 0.2 + 0.01 * place, 0.01, f"position {place}")
        for who in ("policy weak", "policy strong")
        for place in range(positions)
    ]


def test_a_table_has_the_win_rate_of_each_policy_at_each_position():
    shown = screen(*table(), *seated(3))
    assert "Line-up one: win rate by policy and position, %" in shown
    assert "strong  20.0 ±1.0  21.0 ±1.0  22.0 ±1.0" in shown
    many = screen(*table(), *seated(10))
    assert "position, %, ±1.0 at most" in many
    assert max(map(len, many.splitlines())) <= 80


def test_skill_is_the_widest_gap_the_stronger_policy_first():
    assert widest_pair(table()) == ("strong", "weak")
    assert "strong − weak" in screen(*table())
    # Random play is no partner where others meet.
    gaps = [
        row("baseline", "difference", "policy strong", "win_rate", width, against=f"policy {weak}")
        for weak, width in (("random", 0.3), ("weak", 0.1))
    ]
    assert widest_pair(gaps) == ("strong", "weak")
    assert widest_pair(gaps[:1]) == ("strong", "random")
    # A study of one policy has none.
    text = screen(*(entry for entry in table() if not entry["who"].startswith("policy")))
    assert "skill" not in text
    assert "+9.0 ±1.0" in text


@pytest.mark.parametrize(
    ("ends", "equivalent", "shown"),
    [
        ((-0.05, 0.05), True, "yes"),
        ((-0.05, 0.05), False, "open"),
        ((0.05, 0.15), False, "open"),
        ((-0.15, 0.15), False, "open"),
        ((0.11, 0.15), False, "no"),
        ((-0.15, -0.11), False, "no"),
    ],
)
def test_within_the_margin_is_no_only_where_it_is_shown_to_lie_outside(ends, equivalent, shown):
    low, high = ends
    rows = table()
    for entry in rows:
        if entry["kind"] == "change" and entry["who"] == "position 0":
            entry |= {"low": low, "high": high, "margin": 0.1, "equivalent": equivalent}
    (only,) = answer_tables(data_of(*rows))
    assert only.frame["same"].to_list()[-1] == shown


def test_measures_that_were_asked_for_have_a_column():
    long = [row("baseline", "level", "", "long", 0.4), row("dirty", "change", "", "long", -0.1)]
    lines = lines_of(*table(), *long, measures=("long",))
    assert lines["dirty"].split()[-2:] == ["-0.100", "±0.010"]


# ---- the screen


def test_aborted_matches_are_told_once_and_only_where_they_matter():
    assert aborted_words(data_of(*table(aborted=0.0009))) == []
    (text,) = aborted_words(data_of(*table(aborted=0.02)))
    assert text.startswith("Aborted matches: 2.0 %")
    cruel = row("cruel", "change", "", "aborted", 0.0006, baseline=0.0, p_holm=0.001)
    assert "cruel 0.1 %" in aborted_words(data_of(*table(), cruel))[0]
    assert screen(*table(aborted=0.02)).count("borted") == 1


def test_what_is_not_shown_is_named():
    assert "Not shown: rounds. Elsewhere." in screen(*table(), more="Elsewhere.")
    many = screen(*(entry for number in range(30) for entry in table(lineup=f"table {number}")))
    assert "Line-up table 0: 1,000 matches each" in words_of(many)
    assert "Line-up table 29: 1,000 matches each" not in words_of(many)
    assert "Not shown: line-ups table " in words_of(many)
    assert many.count("\n") <= LINES


def variants(count, **named):
    """Return a table of many variants."""
    tables = [table(f"v{number}", **named) for number in range(count)]
    rest = (entry for rows in tables[1:] for entry in rows if entry["variant"] != "baseline")
    return [*tables[0], *rest]


def test_a_long_first_table_is_cut_and_the_rest_counted():
    text = screen(*variants(80))
    assert text.count("\n") <= LINES
    assert "more rows of the first table" in words_of(text)


@pytest.mark.parametrize("kind", ["factor", "interaction", "population"])
def test_what_is_told_across_variants_has_a_table_of_its_own(kind):
    beside = [
        row("a × b", kind, "", "turns", 2.0),
        row("a × b", kind, "position 0", "win_rate", 0.01),
    ]
    text = words_of(screen(*table(), *beside))
    assert "a × b" in text
    assert "+4.000 ±0.020" in text or kind == "population"


def test_full_tells_every_row():
    data = data_of(*table())
    text = shown_text(full(data), 120)
    for number in data.frame["number"]:
        assert number in text
    assert "What changes on the same deals" in text


def test_deals_are_said_to_be_the_same_only_where_changes_are_paired():
    same = "Changes are on the same deals."
    unpaired = [entry for entry in table() if entry["number"] != "another_winner"]
    alone = [entry for entry in unpaired if entry["variant"] == "baseline"]
    assert same in screen(*table())
    for rows in (unpaired, alone):
        assert "95 % intervals." in screen(*rows)
        assert same not in screen(*rows)
    assert "What changes, on independent deals" in shown_text(full(data_of(*unpaired)), 120)


def test_the_reference_line_up_comes_first():
    rows = [*table(lineup="weak"), *table(lineup="strong")]
    text = screen(*rows, reference="strong")
    assert text.index("Line-up strong:") < text.index("Line-up weak:")
    assert answer_tables(data_of(*rows))[0].title.startswith("Line-up weak:")


def test_all_points_of_the_reference_come_before_another_line_up():
    strong = variants(20, lineup="strong")
    rows = at(4, table(lineup="weak"))
    rows += [entry for players in (4, 2, 6) for entry in at(players, strong)]
    first = screen(*rows, reference="strong").partition("Line-up weak")[0]
    assert "Line-up strong: 1,000 matches each, 4 players" in first
    heading = next(line for line in first.splitlines() if "2 players" in line)
    assert heading.split()[1:] == ["4", "players", "2", "players", "6", "players"]
    lines = [line.split() for line in first.splitlines() if line.startswith("v19 ")]
    assert lines[1][1:] == ["-10.0", "±2.0"] * 3


def turned(*changes):
    """Return what is said of a variant with these changes of the length: line-up, change, p."""
    rows = []
    for lineup, change, p in changes:
        named = {"lineup": lineup, "baseline": 50.0}
        rows += [entry for entry in table(lineup=lineup) if entry["number"] != "turns"]
        rows += [
            row("baseline", "level", "", "turns", 50.0, 1.0, lineup=lineup),
            row("dirty", "change", "", "turns", 50 * change, 1.0, **named, p_holm=p),
            row("dirty", "relative", "", "turns", change, 0.02, **named),
        ]
    return turning_words(data_of(*rows))


def test_a_rule_that_works_both_ways_is_said_to_where_it_is_shown():
    (text,) = turned(("weak", -0.48, 0.001), ("strong", 0.046, 0.001), ("middling", 0.03, 0.01))
    assert text == (
        "dirty makes matches longer with line-up strong (+4.6 ±2.0 %), shorter with line-up weak "
        "(-48.0 ±2.0 %)."
    )
    assert turned(("weak", -0.48, 0.001), ("strong", 0.046, 0.2)) == []
    assert turned(("weak", -0.48, 0.001), ("strong", -0.046, 0.001)) == []


# ---- the first lines


def headline(question, words, verdict="open", point=None, **more):
    ends = {"baseline": None, "estimate": 0.3, "low": 0.28, "high": 0.32}
    place = {"lineup": "one", "variant": "baseline", "who": "position 0", "null": 0.25}
    entry = {**place, **ends, **(point or {}), **more}
    return Headline(question, point or {}, entry["lineup"], verdict, words, entry, [], False)


EVEN = headline("seats", "even")
SHORTER = headline(
    "length",
    "dirty makes matches shorter",
    "less",
    variant="dirty",
    number="turns",
    baseline=50.0,
    estimate=-5.0,
    low=-6.0,
    high=-4.0,
)


def first_lines(*headlines, rows=None, **named):
    named = {"reference": "one", **named}
    headlines = Headlines("seats", headlines, 0.95, 9)
    return headline_words(data_of(*(rows or table()), headlines=headlines, **named))


def test_the_first_lines_are_what_headlines_claim():
    seats = headline("seats", "the first seat wins more than the even share", "uneven")
    lines = first_lines(seats, SHORTER)
    assert lines[:3] == [
        f"Is it fair? Line-up one: {seats.words} (30.0 % (28.0–32.0), even: 25.0 %).",
        "How long is it? 50.0 ±1.0 turns.",
        "Which rule changes the length most? dirty makes matches shorter (-10.0 ±2.0 %).",
    ]
    assert "9 numbers" in lines[3]
    assert first_lines(seats, SHORTER, reference="", numbers=("score",)) == []
    assert first_lines(headline("seats", "…", lineup="of another part"), reference="") == []


def test_first_lines_say_what_a_length_is_of_decided_matches_and_in_minutes():
    _, length, rule, _ = first_lines(EVEN, SHORTER, rows=ABORTING)
    assert length == "How long is it? 50.0 ±1.0 turns (40.0 ±1.0 of decided matches)."
    assert rule.endswith("; of decided matches +20 ±3 %, aborted ones 0.0 ±1.0 points).")
    timed = first_lines(EVEN, seconds=30.0)[1]
    assert timed == "How long is it? 50.0 ±1.0 turns, about 25 minutes at 30 s each."


def test_points_of_one_answer_are_named_together():
    even = "no difference between seats is shown"
    rows = [entry for players in (4, 2, 6) for entry in at(players, table())]
    four, two, six = (headline("seats", even, point={"players": n}) for n in (4, 2, 6))
    words = "seat 2 wins more than the even share"
    uneven = headline("seats", words, "uneven", point={"players": 2})
    (line, length, _) = first_lines(four, six, uneven, rows=rows)
    assert line == (
        f"Is it fair? Line-up one: {even} with 4, 6 players; seat 2 wins more than the even share "
        "with 2 players (30.0 % (28.0–32.0), even: 25.0 %)."
    )
    assert length == (
        "How long is it? 50.0 ±1.0 turns with 4 players, 50.0 ±1.0 with 2 players, 50.0 ±1.0 with "
        "6 players."
    )
    assert f"{even} at every number of players." in first_lines(four, two, six, rows=rows)[0]
