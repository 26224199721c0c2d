"""What a report says against the frame, over planted, lopsided studies."""

import re

import numpy as np
import polars as pl
import pytest

import cardlab
from studies.report import build, write_html, write_markdown
from tests.studies.conftest import frame_of, table
from tests.studies.planted import PAIR, TRIO, lively, plant, planted_as

SAID = [
    "plain",
    "alone",
    "aborted_with_variant",
    "all_aborted",
    "all_tied",
    "two_deals",
    "one_deal",
    "certain",
    "never_moved",
    "rarely_moved",
    "rare",
    "ten_rotated",
    "reversed",
    "longer",
    "sweep",
    "duels",
    "factors",
    "population",
    "margins",
    "summary_aborted",
]
OF_STUDIES = pytest.mark.parametrize("name", SAID)
OF_MORE_STUDIES = pytest.mark.whole_only(
    "sweep", "duels", "factors", "population", "summary_aborted"
)


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """Return a function that gives a plant's report, and its frame."""
    reports = {}

    def of(name):
        if name not in reports:
            directory = planted_as(tmp_path_factory.mktemp("said") / name, name)
            reports[name] = build(directory), frame_of(directory)
        return reports[name]

    return of


@pytest.fixture
def report_of(tmp_path):
    """Return a function that plants a study and gives its report, and its frame."""

    def of(deals, rows, **changes):
        directory = plant(tmp_path / "planted", deals, rows, **changes)
        return build(directory), frame_of(directory)

    return of


def words(report):
    """Yield every text of a report outside its tables."""
    yield from (report.title, report.subtitle, *report.lead, *report.said)
    for card in report.headline_cards:
        yield f"{card.question} {card.word} {card.number} {card.note}"
    yield from (picture.caption for picture in report.pictures)
    for section in report.sections:
        yield from (section.title, *section.sentences)
        for answer in section.tables:
            yield from (answer.title, *answer.notes)


def section(report, name):
    return " ".join(next((s.sentences for s in report.sections if s.name == name), []))


def shown(frame, **values):
    return frame.filter(pl.col("p_holm") < 0.05, **values)


@OF_MORE_STUDIES
@OF_STUDIES
def test_nothing_is_said_that_is_no_number(reported, name):
    report, _ = reported(name)
    for text in words(report):
        assert not re.search(r"\b(nan|inf|None|null)\b|[{}]", text), text
        assert not re.search(r"\b1 (matches|deals|cells|line-ups)\b", text), text
        assert not re.search(r"-0 %|-0\.0+ %", text), text
    assert {card.section for card in report.headline_cards} <= {
        part.name for part in report.sections
    }


@OF_MORE_STUDIES
@OF_STUDIES
def test_nothing_is_shown_where_nothing_is(reported, name):
    """Of a variant of which the frame shows a change, no sentence says that nothing is shown."""
    report, frame = reported(name)
    here = frame.columns[: frame.columns.index("lineup")]
    first = {key: frame[key][0] for key in here}
    text = section(report, "variants")
    lineup = next(iter(frame.filter(kind="change")["lineup"]), "")
    for listed in re.findall(r"No change is shown for ([^.]*)\.", text):
        for variant in listed.split(", "):
            changes = shown(frame, kind="change", variant=variant, lineup=lineup)
            changes = changes.filter(**first) if first else changes
            assert not changes.height, (variant, changes.select("who", "number", "p_holm").rows())


@OF_MORE_STUDIES
@OF_STUDIES
def test_a_lead_is_reversed_only_where_both_sides_are_shown(reported, name):
    report, frame = reported(name)
    text = section(report, "variants")
    gaps = frame.filter(pl.col("against").str.starts_with("policy"), number="win_rate")
    before = {
        (row["lineup"], row["who"], row["against"]): row
        for row in gaps.filter(kind="difference", variant="baseline").iter_rows(named=True)
    }
    reversals = [
        row
        for row in gaps.filter(kind="after").iter_rows(named=True)
        if (old := before.get((row["lineup"], row["who"], row["against"])))
        and row["low"] is not None
        and (row["low"] > 0 > old["high"] or row["high"] < 0 < old["low"])
    ]
    assert ("revers" in text) <= bool(reversals), text
    if name == "reversed":
        assert "dirty: " in text
        assert "the lead is reversed" in text
        assert "luck decides more" not in text


@OF_MORE_STUDIES
@OF_STUDIES
def test_tiles_say_what_intervals_bear_out(reported, name):
    report, frame = reported(name)
    level = frame.filter(
        pl.col("who").str.starts_with("position"),
        kind="level",
        variant="baseline",
        number="win_rate",
    )
    for card in report.headline_cards:
        if "even share" in card.word:
            assert (level["p"] < 0.05).any(), (card, level)
        if " beats " in card.word:
            stronger, weaker = card.word.lower().split(" beats ")
            gap = frame.filter(kind="difference", variant="baseline", number="win_rate")
            for policy in {stronger, weaker} - {"every other policy"}:
                who = f"policy {policy}"
                gap = gap.filter((pl.col("who") == who) | (pl.col("against") == who))
            assert ((gap["low"] > 0) | (gap["high"] < 0)).any()
        if " makes matches " in card.word:
            variant = card.word.lower().partition(" makes ")[0]
            assert shown(frame, kind="change", variant=variant, who="").height


@OF_MORE_STUDIES
@OF_STUDIES
def test_who_is_ahead_of_all_is_shown_to_be(reported, name):
    report, frame = reported(name)
    leader = re.search(r"(\w+) is ahead of all others", section(report, "skill"))
    if leader:
        gaps = frame.filter(number="win_rate", variant="baseline", kind="difference")
        tested = gaps.filter(
            (pl.col("who") == f"policy {leader[1]}") & pl.col("p_holm").is_not_null()
        )
        strengths = frame.filter(kind="strength", who=f"policy {leader[1]}").filter(
            pl.col("against") != ""
        )
        assert tested.height or strengths.height
        ranked = strengths if strengths.height else tested
        assert (ranked["p_holm"] < 0.05).all()


def test_planted_effects_are_told(reported):
    longer, _ = reported("longer")
    assert re.search(r"dirty: [^.]*(longer|more plays|\+\d)", section(longer, "variants"))
    aborted, _ = reported("aborted_with_variant")
    assert any("aborted" in text.lower() for text in aborted.said)
    alone, _ = reported("alone")
    assert "skill" not in {part.name for part in alone.sections}
    rotated, _ = reported("ten_rotated")
    assert re.search(r"10(\.0)? %", section(rotated, "seats"))


@pytest.mark.whole_but("0")
@pytest.mark.parametrize("seed", range(6))
def test_null_variants_are_said_to_change_nothing(report_of, seed):
    """Who wins is drawn anew in half of the matches, as likely as before."""
    report, frame = report_of(300, lively(seed=40 + seed, moved=0.5), lineups=TRIO)
    if not shown(frame, kind="change").height:
        text = section(report, "variants")
        assert not re.search(r"longer|shorter|revers|favours", text), text


TWO = {"players": 2, "rounds": 2}


def test_two_groups_that_never_met_are_not_ranked(report_of):
    """Nobody of one group is said to be ahead, or behind, of the other."""
    lineups = [table("one", "greedy", "hoarder"), table("two", "shedder", "random")]
    report, frame = report_of(300, lively(), lineups=lineups, options=TWO)
    assert not frame.filter(kind="strength").height
    text = " ".join(words(report))
    assert "of all others" not in text
    assert "have never met" in text


def test_the_seat_tile_uses_the_pairing_by_deal(report_of):
    """What `compare` has, and no wider: 51.2 ± 2.3 where the frame has ± 1.0."""

    def rows(_, columns):
        shape = columns["winners"].shape
        deal = np.random.default_rng(4).integers(1, 3, size=(400, 1))  # cards decide the seat
        columns["winners"] = np.broadcast_to(deal, shape).astype(np.uint16)
        starts = np.random.default_rng(5).integers(0, 2, size=(400, 1))
        columns["first_seat"] = np.broadcast_to(starts, shape).astype(np.uint8)

    report, frame = report_of(400, rows, lineups=PAIR, options=TWO)
    card = next(card for card in report.headline_cards if card.question == "Is it fair?")
    (row,) = frame.filter(
        kind="level", variant="baseline", number="win_rate", who="position 0"
    ).iter_rows(named=True)
    estimate, low, high = (float(number) for number in re.findall(r"\d+\.\d", card.number))
    share = 100 * row["estimate"]
    assert estimate == pytest.approx(max(share, 100 - share), abs=0.051)
    # Both seats are looked at, but two that add up to 1 are one number, which costs nothing.
    assert high - low == pytest.approx(100 * (row["high"] - row["low"]), abs=0.3)


@pytest.mark.parametrize("name", ["all_aborted", "one_deal", "certain", "two_sweeps"])
def test_odd_studies_are_written_as_pages_and_markdown(reported, name, tmp_path):
    report, _ = reported(name)
    write_html(report, tmp_path / "odd.html")
    assert (tmp_path / "odd.html").read_text("utf-8").rstrip().endswith("</html>")
    write_markdown(report, tmp_path / "odd.md")
    assert (tmp_path / "odd.md").read_text("utf-8").startswith("# ")


def test_a_difference_of_points_is_of_the_line_up_that_is_told(reported):
    """Beside the lengths of a table stands the difference of these, not of another line-up's."""
    report, _ = reported("sweep")
    text = section(report, "length")
    means = [float(mean) for mean in re.findall(r"([\d.]+) ±?[^ ]* ?plays a match", text)]
    moved = re.search(r"against [^:]*: ([+-][\d.]+)", text)
    if moved:
        gaps = [first - second for first in means for second in means]
        assert any(abs(gap - float(moved[1])) <= 1 for gap in gaps), text


@pytest.mark.parametrize(("matches", "is_said"), [(2, False), (60, True)])
def test_nine_of_ten_is_not_said_of_two_matches(matches, is_said, tmp_path):
    cardlab.run({"game": "up", "matches": matches}, tmp_path / "study")
    text = section(build(tmp_path / "study"), "length")
    assert ("in nine of ten" in text) == is_said
