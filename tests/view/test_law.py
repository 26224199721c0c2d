"""Every printed number with an interval is a row of the frame, at the level that the row has.

So it is on the screen, with --full, on the page and in its figures, in all planted studies.
"""

import html
import math
import re

import polars as pl
import pytest

import cardlab
from studies.render import interval_text, number, shown_text
from studies.store.opened import open_study
from studies.view.page import to_page
from studies.view.study import study_answer
from tests.studies.planted import PLANTS

VALUE = r"[+-]?\d[\d,]*(?:\.\d+)?"
PRINTED = re.compile(rf"(?<![\w.,]){VALUE} (?:±[\d.,?]+|\({VALUE}(?:…|–| to ){VALUE}\))")
HIDDEN = re.compile(r"<style.*?</style>|<script.*?</script>|<text.*?</text>|<[^>]*>", re.DOTALL)
"""Of a page; what a pointer shows in a figure is seen."""


UNDRAWN = ("aborted", "duels", "margins", "one_deal", "population", "unrotated", "variants")
"""Studies whose figures are alike to those of others: what a pointer shows there is read alone."""


def printed(text):
    """Return the numbers with intervals in a text."""
    text = " ".join(text.replace("\u2212", "-").split())
    return [found[0] for found in PRINTED.finditer(text)]


def sides(row):
    """Yield a row as it is, turned round, and as wins of 100."""
    ends = {name: row[name] for name in ("estimate", "low", "high")}
    yield ends
    turned = {"estimate": "estimate", "low": "high", "high": "low"}
    yield {name: None if ends[end] is None else 0.0 - ends[end] for name, end in turned.items()}
    if row["kind"] == "strength":
        yield {
            name: None if value is None else 1 / (1 + math.exp(-value))
            for name, value in ends.items()
        }


def written(frame):
    """Return all ways in which the rows of a frame may be written."""
    return {
        text
        for row in frame.drop_nulls("estimate").iter_rows(named=True)
        for ends in sides(row)
        for scale in (1, 100)
        for signed in (False, True)
        for text in (
            interval_text({**row, **ends}, scale, signed=signed),
            number(*ends.values(), scale=scale, signed=signed),
        )
    }


def rows_of(answer):
    """Return the rows that may be printed: of the frame, and of cards."""
    columns = ["kind", "estimate", "low", "high", "deals", "constant"]
    frame = answer.frame.select(columns)
    if answer.cards is not None:
        cards = answer.cards.select(
            pl.lit("change").alias("kind"), pl.col("less_usual").alias("estimate"), "low", "high"
        )
        frame = pl.concat([frame, cards], how="diagonal")
    return frame


def assert_law(answer, fewest=10):
    """Check screen, --full, page and figures of an answer."""
    texts = written(rows_of(answer))
    page = html.unescape(HIDDEN.sub(" ", to_page(answer)))
    screens = (shown_text(answer.page(full=full), 200 if full else 80) for full in (False, True))
    numbers = [found for seen in (page, *screens) for found in printed(seen)]
    assert len(numbers) > fewest
    assert {found for found in numbers if found not in texts} == set()


def assert_headlines_are_no_narrower(answer):
    """Check that a simultaneous interval is never narrower than the single one."""
    frame = answer.frame
    both = frame.drop_nulls(["low_all", "low"])
    assert (both["low_all"] <= both["low"] + 1e-12).all()
    assert (both["high_all"] >= both["high"] - 1e-12).all()
    keys = ("lineup", "variant", "kind", "who", "number", "against")
    rows = {
        tuple(row[key] for key in (*frame.columns[: frame.columns.index("lineup")], *keys)): row
        for row in frame.iter_rows(named=True)
    }
    for headline in answer.headlines.all:
        for row in headline.rows:
            point = (row.get(key) for key in frame.columns[: frame.columns.index("lineup")])
            known = rows.get((*point, *(row[key] for key in keys)))
            if known is None or row["against"] or row["kind"] == "population":
                continue  # the pair the other way round
            assert row["estimate"] == pytest.approx(known["estimate"], abs=1e-9)
            for end, way in (("low", -1), ("high", 1)):
                if None not in (row[end], known[end]):
                    assert way * (row[end] - known[end]) >= -1e-12, (row, known)


@pytest.mark.whole_but(
    *("aborted", "one_deal", "duels", "variants", "population", "factors", "margins", "unrotated")
)
@pytest.mark.parametrize("name", PLANTS)
def test_every_number_with_an_interval_is_a_row_of_the_frame(planted_answer, name, request):
    if name in UNDRAWN:
        request.getfixturevalue("undrawn")
    answer = planted_answer(name)
    assert_law(answer, 0 if name in ("one_deal", "all_tied") else 10)
    assert_headlines_are_no_narrower(answer)


@pytest.mark.whole
@pytest.mark.parametrize(
    "name",
    [
        "quickstart",
        "balance-dnup",
        "dnup-two-variants",
        "uno-stacking",
        "up-dials",
        "up-tournament",
        "updown-dials",
        "updown-players",
        "updown-variants",
        "upordown-tournament",
    ],
)
def test_so_it_is_in_studies_of_the_library(tmp_path, name):
    cardlab.run(name, tmp_path / name, matches=30)
    assert_law(study_answer(open_study(tmp_path / name)))
