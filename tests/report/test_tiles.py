"""The first row of a report, and variants by their titles."""

import re
import types

import numpy as np
import pytest

from simcore.errors import InputError
from studies.design.cells import expand
from studies.report import build
from studies.report.sentences import variant_name
from studies.report.tiles import UNCLEAR
from studies.report.titles import speaker
from tests.report.test_claims import DUEL, LIKE, planted
from tests.studies.conftest import study
from tests.studies.planted import plant, winners_by


def tile(report, question):
    return next(own for own in report.tiles if own.question == question)


@pytest.mark.parametrize(
    ("matches", "shares", "word"),
    [
        (200_000, (1 / 3, 1 / 3, 1 / 3), "fair"),
        (200_000, (0.340, 0.330, 0.330), "almost fair"),
        (20_000, (0.36, 0.33, 0.31), "a little unfair"),
        (20_000, (0.45, 0.30, 0.25), "unfair"),
        (60, (0.36, 0.33, 0.31), UNCLEAR),
    ],
)
def test_seats_are_as_fair_as_their_intervals_allow_to_say(tmp_path, matches, shares, word):
    report = build(planted(tmp_path, matches, shares, seed=4))
    assert tile(report, "Fair seats?").word == word


def test_every_tile_has_a_number_with_an_interval_and_leads_to_a_section(built):
    questions = [own.question for own in built.tiles]
    assert questions == [
        "Fair seats?",
        "How long?",
        "What changes it most?",
        "Luck or skill?",
        "How dramatic?",
        "Do choices matter?",
    ]
    sections = {section.name for section in built.sections}
    for own in built.tiles:
        assert re.search(r"\d \(|\d %? ?\(|\(\d|±", own.number), own
        assert own.section in sections


def test_luck_is_told_where_the_sentence_tells_it(tmp_path):
    """Half of the deals are won by a seat, whoever sits there: how much is cards shows late."""

    def rows(_, columns):
        rng = np.random.default_rng(3)
        deals = len(columns["winners"])
        dealt = rng.integers(2, size=(deals, 1)) == 0
        seat = np.where(dealt, rng.integers(2, size=(deals, 1)), rng.integers(2, size=(deals, 2)))
        columns["winners"] = (1 << seat).astype(np.uint16)

    lineups = [{**DUEL, "seats": ["greedy", "random"]}]
    directory = plant(tmp_path, 260, rows, lineups=lineups, variants={}, options={"players": 2})
    report = build(directory)
    assert "260 deals are too few to tell luck from skill" in " ".join(report.answer)
    assert tile(report, "Luck or skill?").word == UNCLEAR


def test_without_a_duel_and_variants_there_are_fewer_tiles(tmp_path):
    report = build(planted(tmp_path, 400, lineups=(LIKE,)))
    questions = [own.question for own in report.tiles]
    assert "What changes it most?" not in questions
    assert "Luck or skill?" not in questions
    assert report.by_skill is None
    alts = [getattr(item, "alt", "") for section in report.sections for item in section.items]
    assert any("for 1 table." in alt for alt in alts)
    assert not any("1 tables" in alt for alt in alts)
    assert tile(report, "Do choices matter?").word == UNCLEAR


def test_weak_and_strong_players_stand_side_by_side(tmp_path):
    def rows(cell, columns):
        first = 0.5 if cell.lineup == "strong" else 0.3
        rest = (1 - first) / 2
        columns["winners"] = winners_by((first, rest, rest), columns["winners"].shape, 5)

    lineups = [
        {"name": "weak", "seats": ["random"]},
        {"name": "strong", "seats": ["greedy"]},
        {**DUEL, "variants": False},
    ]
    report = build(plant(tmp_path, 4000, rows, lineups=lineups, variants={}))
    assert report.by_skill is not None
    _, weakest, strongest, _ = report.by_skill.columns
    assert {weakest, strongest} == {"random", "greedy"}
    begins = report.by_skill.rows[0]
    assert begins[0] == "wins of the seat that begins, %"
    assert begins[-1] == ("more" if strongest == "greedy" else "less")
    assert [own[-1] for own in report.by_skill.rows if own[0] == "winners once behind, %"] == [
        "not clear"
    ]


VARIANTS = {
    "a": {"dirty_one": "always", "title": "Costly ones"},
    "b": {"rounds": 3},
    "c": {"minus_two": False},
}


def test_variants_bear_titles_and_numbers_their_names(tmp_path):
    def rows(cell, columns):
        columns["winners"] = winners_by((0.4, 0.3, 0.3), columns["winners"].shape, len(cell.id))

    report = build(plant(tmp_path, 400, rows, lineups=[LIKE], variants=VARIANTS))
    text = " ".join(report.sections[0].sentences)
    for title in ("“Costly ones”", "“rounds: 3”", "“no minus two”"):
        assert title in text
    told = report.numbers["comparison"]["variants"]
    assert {effect["variant"] for effect in told} == {"a", "b", "c"}


def test_quotes_within_a_title_are_single():
    effect = types.SimpleNamespace(variant="no “-2” cards")
    assert variant_name(effect) == "“no ‘-2’ cards”"


def test_a_title_is_no_option_of_the_variant():
    planned = study(variants=VARIANTS)
    cells = {cell.variant: cell for cell in expand(planned)}
    assert cells["a"].options["dirty_one"] == "always"
    assert planned.titles == {"a": "Costly ones"}
    assert planned.changes["a"] == {"dirty_one": "always"}


@pytest.mark.parametrize("title", ["", "two\nlines", "x" * 81, 3])
def test_a_title_that_cannot_be_shown_is_refused(title):
    with pytest.raises(InputError, match=r"variants\.a\.title = .* is refused .* allowed: a text"):
        study(variants={"a": {"dirty_one": "always", "title": title}})


def test_policies_are_named_in_words():
    spoken = speaker(["all_rounder", "hitter", "random_playable"])
    assert spoken("all_rounder beats hitter") == "all-rounder beats hitter"
    assert spoken("At all_rounder-random_playable, it") == "At all-rounder – random-playable, it"
    assert spoken("only all_rounder, two players") == "only all-rounder, two players"
    assert spoken("my_all_rounder, so-hitter, forget_uno=0.2") == (
        "my_all_rounder, so-hitter, forget_uno=0.2"
    )
    assert speaker([])("all_rounder") == "all_rounder"


def test_a_word_stands_where_the_whole_interval_is_within_it(tmp_path):
    """Of 100 matches a share is known to some 10 points: enough to tell 90 % from 50 %."""

    def rows(share):
        def fill(_, columns):
            columns["comeback"] = np.where(np.arange(100)[:, None] < 100 * share, 10, 0)

        return fill

    for share, word in ((0.9, "dramatic"), (0.38, "lively"), (0.5, UNCLEAR), (0.05, "calm")):
        report = build(plant(tmp_path / word, 100, rows(share), lineups=[LIKE], variants={}))
        assert tile(report, "How dramatic?").word == word


@pytest.mark.parametrize(("part", "told"), [(0.0, "steady"), (0.01, "steady"), (0.2, UNCLEAR)])
def test_length_is_not_judged_where_many_matches_are_aborted(tmp_path, part, told):
    def rows(_, columns):
        columns["aborted"] = np.arange(1000)[:, None] < 1000 * part

    report = build(plant(tmp_path, 1000, rows, lineups=[LIKE], variants={}))
    found = tile(report, "How long?")
    assert found.word == told
    assert ("were aborted" in found.note) == (part > 0)


def test_a_variant_that_changes_nothing_is_not_what_changes_most(tmp_path):
    dirty = {"dirty": {"dirty_one": "always"}}
    report = build(plant(tmp_path, 300, lambda *_: None, lineups=[LIKE], variants=dirty))
    assert tile(report, "What changes it most?").word == "nothing seen"
