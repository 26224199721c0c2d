"""The report of a study that keeps sums: what they tell is what the matches tell, and no more."""

import dataclasses
import math
import re

import numpy as np
import pytest

from simcore.errors import InputError
from studies.api.figures import KINDS, OF_MATCHES, draw
from studies.balance import measure
from studies.report import build, write_html, write_markdown
from tests.report.test_claims import DUEL, LIKE
from tests.studies.planted import plant, winners_by

TELLS = 'detail = "matches" keeps what tells it'


def rows(cell, columns):
    """Fill in wins, some shared, lengths, and at one table of two kinds aborted matches."""
    rng = np.random.default_rng([cell.rotations, cell.variant != "baseline"])
    shape = columns["winners"].shape
    columns["winners"] = winners_by((0.4, 0.35, 0.25), shape, 3 + (cell.variant != "baseline"))
    columns["winners"][rng.random(shape) < 0.1] = 0b011
    for name, mean in (("plays", 60), ("decisions", 40), ("forced", 12)):
        columns[name] = rng.normal(mean, 5, shape).astype(columns[name].dtype)
    if cell.lineup == DUEL["name"]:
        columns["aborted"] = rng.random(shape) < 0.15
        columns["winners"][columns["aborted"]] = 0


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The same planted study as matches and as sums, in blocks."""
    folder = tmp_path_factory.mktemp("both")
    asked = {"lineups": [LIKE, DUEL], "variants": {"dirty": {"dirty_one": "always"}}, "block": 50}
    plant(folder / "matches", 400, rows, **asked)
    plant(folder / "sums", 400, rows, detail="summary", **asked)
    return folder / "matches", folder / "sums"


def close(one, other):
    """Whether two intervals are the same, or the other one's ends are not known."""
    wanted = dataclasses.astuple(one)
    found = dataclasses.astuple(other)
    known = slice(None) if math.isfinite(other.high) else slice(1)
    return found[known] == pytest.approx(wanted[known], rel=1e-9, abs=1e-12)


def test_what_sums_tell_is_what_the_matches_tell(both):
    known, found = map(measure, both)
    ended = []
    for one, other in zip(known.tables, found.tables, strict=True):
        assert (one.cell, one.matches, one.decided) == (other.cell, other.matches, other.decided)
        assert all(map(close, one.positions.win_share, other.positions.win_share))
        assert other.positions.p == pytest.approx(one.positions.p)
        for kind in ("single", "shared", "aborted"):
            ends, sums = getattr(one.outcomes, kind), getattr(other.outcomes, kind)
            assert (ends.count, close(ends.share, sums.share)) == (sums.count, True)
            ended.append(math.isfinite(sums.share.high))
        lengths = zip((*one.lengths, one.moves), (*other.lengths, other.moves), strict=True)
        assert all(close(own.mean, sums.mean) for own, sums in lengths)
        assert close(one.decisions, other.decisions)
        assert close(one.forced, other.forced)
        assert (other.drama, other.luck, other.positions.rank) == (None, None, None)
    assert not all(ended)  # in rotated tables nobody kept how deals agree
    assert any(ended)
    (duel,), (summed,) = known.duels, found.duels
    assert close(duel.share, summed.share)
    assert summed.p == pytest.approx(duel.p)
    assert (summed.matches, summed.aborted) == (duel.matches, duel.aborted)
    assert summed.aborted > 0


def test_the_page_has_every_section_and_says_what_it_cannot_tell(both, tmp_path):
    known, found = map(build, both)
    assert [own.name for own in found.sections] == [own.name for own in known.sections]
    silent = {own.name for own in found.sections if TELLS in " ".join(own.sentences)}
    assert silent == {"length", "drama", "luck", "policies", "notable"}
    tiles = {own.question: own for own in found.tiles}
    for tile in known.tiles:
        if tile.question not in ("How long?", "Luck or skill?", "How dramatic?"):
            assert tiles.pop(tile.question) == tile
    assert list(tiles) == ["How long?"]
    assert TELLS.partition(" keeps")[0] in tiles["How long?"].note
    assert not any(own.recipes for own in found.sections)
    assert "as often as other cards would" in " ".join(found.answer)
    assert "(?)" not in " ".join(found.answer)
    tables = found.numbers["balance"]["tables"]
    assert {table["drama"] for table in tables} == {None}
    write_html(found, tmp_path / "page.html")
    write_markdown(found, tmp_path / "page.md")
    for page in ("page.html", "page.md"):
        assert not re.search(r"\bnan\b", (tmp_path / page).read_text("utf-8"))


def test_figures_that_take_matches_are_refused(both):
    _, sums = both
    assert KINDS.keys() > OF_MATCHES
    with pytest.raises(InputError, match=r"'length' cannot be drawn of .* allowed: duels, gains"):
        draw(sums, "length", [], None, {})
    for kind in ("seats", "variants", "duels", "ladder"):
        assert draw(sums, kind, [], None, {}) is not None


def test_where_all_is_aborted_sums_say_so(tmp_path):
    def nobody(_, columns):
        columns["winners"][:] = 0
        columns["aborted"][:] = True

    lineups = [LIKE, DUEL]
    report = build(plant(tmp_path, 30, nobody, detail="summary", variants={}, lineups=lineups))
    assert "nobody wins any of 30 matches: all are aborted" in " ".join(report.answer)
    write_html(report, tmp_path / "page.html")


def test_one_deal_of_sums_is_a_report(tmp_path):
    directory = plant(tmp_path, 1, rows, detail="summary", lineups=[LIKE, DUEL])
    report = build(directory)
    assert "1 match is too few to tell" in " ".join(report.answer)
    write_html(report, tmp_path / "page.html")
