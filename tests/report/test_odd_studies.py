"""Reports of odd studies: no traceback, no nonsense, and they say when they cannot tell."""

import re

import pyarrow.parquet as pq
import pytest

from simcore.errors import InputError
from studies.report import build, write_html, write_markdown
from studies.report.content import Grid, Picture
from tests.studies.planted import plant, winners_by

LIKE = {"name": "like", "seats": ["greedy"]}
DUEL = {"name": "duel", "seats": ["greedy", "random"], "rotate": True}
DIRTY = {"dirty": {"dirty_one": "always"}}


def fair(cell, columns):
    shape = columns["winners"].shape
    columns["winners"] = winners_by((1 / cell.players,) * cell.players, shape, 1)


def aborted(_, columns):
    columns["aborted"][:] = True


def tied(cell, columns):
    columns["winners"][:] = (1 << cell.players) - 1


ODD = {
    "one cell": (300, fair, {"lineups": [LIKE], "variants": {}}),
    "no like players": (300, fair, {"lineups": [DUEL], "variants": {}}),
    "two players": (
        300,
        fair,
        {"lineups": [LIKE, DUEL], "variants": DIRTY, "options": {"players": 2}},
    ),
    "all aborted": (300, aborted, {"lineups": [LIKE, DUEL], "variants": DIRTY}),
    "all tied": (300, tied, {"lineups": [LIKE, DUEL], "variants": DIRTY}),
    "one match": (1, fair, {"lineups": [LIKE, DUEL], "variants": DIRTY}),
    "few": (12, fair, {"lineups": [LIKE, DUEL], "variants": DIRTY}),
    "a sweep of options and parameters": (
        40,
        fair,
        {
            "lineups": [
                {"name": "like", "seats": ["hoarder"]},
                {"name": "duel", "seats": ["hoarder", "greedy"], "rotate": True},
            ],
            "variants": DIRTY,
            "sweep": {"players": [3, 2], "hoarder.threshold": [0, 3]},
        },
    ),
}


@pytest.fixture(scope="module", params=ODD)
def odd(request, tmp_path_factory):
    """The name of an odd study, and its report."""
    matches, rows, changes = ODD[request.param]
    directory = plant(tmp_path_factory.mktemp("odd") / "study", matches, rows, **changes)
    return request.param, build(directory)


def texts(report):
    yield from report.answer
    for section in report.sections:
        yield from (section.lead, *section.sentences, *section.notes)
        for item in section.items:
            if isinstance(item, Grid):
                yield from (cell for row in item.rows for cell in row)
            else:
                yield getattr(item, "caption", "")
                yield getattr(item, "alt", "")


def test_nothing_is_said_that_is_no_number(odd, tmp_path):
    _, report = odd
    for text in texts(report):
        assert not re.search(r"\b(nan|inf)\b", text), text
        assert not re.search(r"(?<!n = )\b1 (matches|deals|cells|orders)\b", text), text
        assert "1 match are" not in text
        assert "{" not in text
    write_html(report, tmp_path / "odd.html")
    assert (tmp_path / "odd.html").read_text("utf-8").rstrip().endswith("</html>")


SAID = {
    "one cell": ("seats", "cannot be excluded (even: 33.3 %; 300 matches)"),
    "no like players": ("seats", "With three players (greedy and random)"),
    "two players": ("luck", "which is stronger of greedy and random cannot be told"),
    "all aborted": ("drama", "nobody wins any of 300 matches"),
    "all tied": ("luck", "who wins never varies in 300 deals"),
    "one match": ("variants", "1 match is too few to tell"),
    "few": ("drama", "12 matches are too few to tell more closely"),
    "a sweep of options and parameters": ("luck", "with three players, hoarder.threshold=0"),
}


def test_it_says_what_it_can(odd):
    name, report = odd
    section, expected = SAID[name]
    (found,) = [own for own in report.sections if own.name == section]
    assert expected in " ".join(found.sentences)


def test_snippets_run_where_there_are_some(odd):
    name, report = odd
    recipes = [recipe for section in report.sections for recipe in section.recipes]
    assert bool(recipes) == (name != "one match")
    for recipe in recipes:
        if "rank" in recipe.name or "median" in recipe.name:
            exec(recipe.code, {})  # noqa: S102 (what the report prints)


def test_markdown_of_an_odd_study(odd, tmp_path):
    name, report = odd
    if name in ("all aborted", "two players"):
        write_markdown(report, tmp_path / "odd.md")
        assert (tmp_path / "odd.md").read_text("utf-8").startswith("# ")
        assert list((tmp_path / "odd").glob("*.png"))


@pytest.mark.filterwarnings("ignore::studies.seal.SealWarning")
def test_a_study_of_an_older_version_is_refused_with_the_reason(tmp_path):
    directory = plant(tmp_path / "study", 10, fair, lineups=[LIKE], variants={})
    (path,) = directory.rglob("*-10.parquet")
    table = pq.read_table(path, partitioning=None).drop_columns(["comeback"])
    pq.write_table(table, path)
    with pytest.raises(InputError, match=r'"comeback".*another version'):
        build(directory)


def test_where_no_move_is_forced_a_sentence_says_so(tmp_path):
    def rows(_, columns):
        columns["forced"][:] = 0

    def length(report):
        own = next(one for one in report.sections if one.name == "length")
        return own.sentences[0], [one.name for one in own.items if isinstance(one, Picture)]

    said, drawn = length(build(plant(tmp_path / "none", 50, rows, variants={})))
    assert "no move is forced" in said
    assert "forced" not in drawn
    said, drawn = length(build(plant(tmp_path / "some", 50, lambda *_: None, variants={})))
    assert "forced" not in said
    assert "forced" in drawn
