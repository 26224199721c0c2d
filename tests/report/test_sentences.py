"""What a report says against the frame, over planted, lopsided studies."""

import re

import numpy as np
import polars as pl
import pytest

from studies.answers.frame import answers
from studies.report import build, write_html, write_markdown
from studies.store.opened import open_study
from tests.studies.planted import PAIR, PLANTS, STRENGTH, TRIO, lively, plant, planted_as

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


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Return a function that gives a plant's report, and its frame."""
    made = {}

    def of(name):
        if name not in made:
            made[name] = both(planted_as(tmp_path_factory.mktemp("said") / name, name))
        return made[name]

    return of


def both(directory):
    stored = open_study(directory)
    return build(directory), answers(stored.cells, stored.totals, study=stored.study).frame


def words(report):
    """Yield every text of a report outside its tables."""
    yield from (report.title, report.subtitle, *report.lead, *report.said)
    for card in report.headline_cards:
        yield f"{card.question} {card.word} {card.number} {card.note}"
    yield from (picture.caption for picture in report.pictures)
    for section in report.sections:
        yield from (section.title, *section.sentences)
        for table in section.tables:
            yield from (table.title, *table.notes)


def section(report, name):
    return " ".join(next((s.sentences for s in report.sections if s.name == name), []))


def shown(frame, **asked):
    return frame.filter(pl.col("p_holm") < 0.05, **asked)


OF_MORE_STUDIES = pytest.mark.whole_only(
    "sweep", "duels", "factors", "population", "summary_aborted"
)


@OF_MORE_STUDIES
@pytest.mark.parametrize("name", SAID)
def test_nothing_is_said_that_is_no_number(told, name):
    report, _ = told(name)
    for text in words(report):
        assert not re.search(r"\b(nan|inf|None|null)\b|[{}]", text), text
        assert not re.search(r"\b1 (matches|deals|cells|line-ups)\b", text), text
        assert not re.search(r"-0 %|-0\.0+ %", text), text
    assert {card.section for card in report.headline_cards} <= {own.name for own in report.sections}


@OF_MORE_STUDIES
@pytest.mark.parametrize("name", SAID)
def test_nothing_is_shown_where_nothing_is(told, name):
    """Of a variant of which the frame shows a change, no sentence says that nothing is shown."""
    report, frame = told(name)
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
@pytest.mark.parametrize("name", SAID)
def test_a_lead_is_reversed_only_where_both_sides_are_shown(told, name):
    report, frame = told(name)
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
@pytest.mark.parametrize("name", SAID)
def test_tiles_say_what_intervals_bear_out(told, name):
    report, frame = told(name)
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
@pytest.mark.parametrize("name", SAID)
def test_who_is_ahead_of_all_is_shown_to_be(told, name):
    report, frame = told(name)
    found = re.search(r"(\w+) is ahead of all others", section(report, "skill"))
    if found:
        gaps = frame.filter(number="win_rate", variant="baseline", kind="difference")
        own = gaps.filter((pl.col("who") == f"policy {found[1]}") & pl.col("p_holm").is_not_null())
        strengths = frame.filter(kind="strength", who=f"policy {found[1]}").filter(
            pl.col("against") != ""
        )
        assert own.height or strengths.height
        ranked = strengths if strengths.height else own
        assert (ranked["p_holm"] < 0.05).all()


def test_planted_effects_are_told(told):
    longer, _ = told("longer")
    assert re.search(r"dirty: [^.]*(longer|more plays|\+\d)", section(longer, "variants"))
    aborted, _ = told("aborted_with_variant")
    assert any("aborted" in text.lower() for text in aborted.said)
    alone, _ = told("alone")
    assert "skill" not in {own.name for own in alone.sections}
    rotated, _ = told("ten_rotated")
    assert "10.0 %" in section(rotated, "seats") or "10 %" in section(rotated, "seats")


def test_sections_of_every_plant_have_names_of_their_own():
    assert set(SAID) <= PLANTS.keys()


@pytest.mark.whole_but("0")
@pytest.mark.parametrize("seed", range(6))
def test_null_variants_are_said_to_change_nothing(tmp_path, seed):
    """Who wins is drawn anew in half of the matches, as likely as before."""
    rows = lively(seed=40 + seed, strength=STRENGTH, moved=0.5)
    report, frame = both(plant(tmp_path / "null", 300, rows, lineups=TRIO))
    if not shown(frame, kind="change").height:
        text = section(report, "variants")
        assert not re.search(r"longer|shorter|revers|favours", text), text


def test_two_groups_that_never_met_are_not_ranked(tmp_path):
    """Nobody of one group is said to be ahead, or behind, of the other."""
    lineups = [
        {"name": "one", "seats": ["greedy", "hoarder"], "rotate": True},
        {"name": "two", "seats": ["shedder", "random"], "rotate": True},
    ]
    options = {"players": 2, "rounds": 2}
    rows = lively(strength=STRENGTH)
    report, frame = both(plant(tmp_path / "apart", 300, rows, lineups=lineups, options=options))
    assert not frame.filter(kind="strength").height
    text = " ".join(words(report))
    assert "of all others" not in text
    assert "have never met" in text


def test_the_seat_tile_uses_the_pairing_by_deal(tmp_path):
    """What `compare` has, and no wider: 51.2 ± 2.3 where the frame has ± 1.0."""

    def rows(_, columns):
        deal = np.random.default_rng(4).integers(1, 3, size=(400, 1))  # cards decide the seat
        columns["winners"] = np.broadcast_to(deal, columns["winners"].shape).astype(np.uint16)
        starts = np.random.default_rng(5).integers(0, 2, size=(400, 1))
        columns["first_seat"] = np.broadcast_to(starts, columns["winners"].shape).astype(np.uint8)

    options = {"players": 2, "rounds": 2}
    report, frame = both(plant(tmp_path / "seats", 400, rows, lineups=PAIR, options=options))
    card = next(one for one in report.headline_cards if one.question == "Is it fair?")
    (row,) = frame.filter(
        kind="level", variant="baseline", number="win_rate", who="position 0"
    ).iter_rows(named=True)
    told_, low, high = (float(one) for one in re.findall(r"\d+\.\d", card.number))
    own = 100 * row["estimate"]
    assert told_ == pytest.approx(max(own, 100 - own), abs=0.051)
    # Both seats are looked at, but two that add up to 1 are one number, which costs nothing.
    assert high - low == pytest.approx(100 * (row["high"] - row["low"]), abs=0.3)


@pytest.mark.parametrize("name", ["all_aborted", "one_deal", "certain", "two_sweeps"])
def test_odd_studies_are_written_as_pages_and_markdown(told, name, tmp_path):
    report, _ = told(name)
    write_html(report, tmp_path / "odd.html")
    assert (tmp_path / "odd.html").read_text("utf-8").rstrip().endswith("</html>")
    write_markdown(report, tmp_path / "odd.md")
    assert (tmp_path / "odd.md").read_text("utf-8").startswith("# ")


def test_a_difference_of_points_is_of_the_line_up_that_is_told(told):
    """Beside the lengths of a table stands the difference of these, not of another line-up's."""
    report, _ = told("sweep")
    text = section(report, "length")
    means = [float(one) for one in re.findall(r"([\d.]+) ±?[^ ]* ?plays a match", text)]
    moved = re.search(r"against [^:]*: ([+-][\d.]+)", text)
    if moved:
        gaps = [one - two for one in means for two in means]
        assert any(abs(gap - float(moved[1])) <= 1 for gap in gaps), text


@pytest.mark.parametrize(("matches", "said"), [(2, False), (60, True)])
def test_nine_of_ten_is_not_said_of_two_matches(matches, said, tmp_path):
    import cardlab
    from studies.report import build

    cardlab.run({"game": "up", "matches": matches}, tmp_path / "study")
    report = build(tmp_path / "study")
    assert ("in nine of ten" in section(report, "length")) == said
