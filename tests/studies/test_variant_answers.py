"""Which of many variants make matches longer and help the stronger player: with planted truths."""

import numpy as np

from studies.compare.effects import compare
from studies.report.build import build
from studies.show.sentences import sentences
from studies.show.variant_answers import strength_answer
from tests.studies.planted import plant

LONGER = {"long": 6, "longer": 9, "longest": 12, "long_too": 5, "short": -7, "as_before": 0}
WINS = {"baseline": 0.6, "short": 0.75, "longest": 0.45}
VARIANTS = {
    "long": {"extra_set": True},
    "longer": {"double_two": "always"},
    "longest": {"dirty_one": "always"},
    "long_too": {"deal_passes": False},
    "short": {"points_limit": 300},
    "as_before": {"multiples_in_first_lap": False},
    "aa": {},
}


def planted(directory, deals=1000):
    def rows(cell, columns):
        own = np.random.default_rng([3, len(cell.variant)])
        shape = columns["winners"].shape
        seat = np.where(own.random(shape) < WINS.get(cell.variant, 0.6), 0, 1)
        # The first policy sits in seat `rotation`.
        columns["winners"] = (1 << (seat + np.arange(cell.rotations)) % 2).astype(np.uint16)
        noise = own.normal(0, 2, shape)
        columns["plays"] = np.rint(100 + LONGER.get(cell.variant, 0) + noise).astype(np.int32)

    return plant(
        directory,
        deals,
        rows,
        options={"players": 2, "rounds": 2},
        variants=VARIANTS,
        lineups=[{"name": "two", "seats": ["greedy", "hoarder"], "rotate": True}],
    )


def test_they_are_named_by_size_and_the_rest_is_counted(tmp_path):
    comparison = compare(planted(tmp_path / "study"))
    length, strength = list(sentences(comparison))[:2]
    order = ["Longer matches: “longest” (+", "“longer” (+", "“long” (+", "and 1 more"]
    places = [length.index(text) for text in order]
    assert places == sorted(places)
    assert ", +12 %)" in length
    assert "Shorter ones: “short” (-" in length
    assert length.endswith("Nothing is shown of 1 variant.")
    assert strength.startswith("More wins for the stronger player (greedy at two): “short” (+1")
    assert "Fewer, so that luck decides more: “longest” (-1" in strength
    assert strength.endswith("Nothing is shown of 4 variants.")


def test_few_matches_show_nothing(tmp_path):
    strength = strength_answer(compare(planted(tmp_path / "study", 20)).variants, 0.95)
    assert strength is not None
    assert strength == (
        "More or fewer wins for the stronger player (greedy at two): nothing is shown of 6 "
        "variants."
    )


def test_the_table_is_that_of_the_section_and_named_among_several(tmp_path):
    """Tables of one policy that never met: the report is about the one that has an aim."""

    def rows(cell, columns):
        longer = 5 if cell.variant != "baseline" else 0
        columns["plays"][:] = (60 if cell.lineup == "lot" else 40) + longer

    lineups = [{"name": "able", "seats": ["greedy"]}, {"name": "lot", "seats": ["random"]}]
    directory = plant(tmp_path, 200, rows, lineups=lineups, variants=VARIANTS)
    assert next(iter(sentences(compare(directory)))).startswith("Longer matches at able: “")
    report = build(directory)
    section = next(own for own in report.sections if own.name == "variants")
    assert "greedy in every seat" in report.tiles_of
    assert section.sentences[0].startswith("Longer matches at able: “")
    lineups.reverse()
    directory = plant(tmp_path / "turned", 200, rows, lineups=lineups, variants=VARIANTS)
    assert next(iter(sentences(compare(directory)))).startswith("Longer matches at lot: “")
    section = next(own for own in build(directory).sections if own.name == "variants")
    assert section.sentences[0].startswith("Longer matches at able: “")


def test_a_report_begins_its_section_with_them(tmp_path):
    section = next(
        own for own in build(planted(tmp_path / "study")).sections if own.name == "variants"
    )
    assert section.sentences[0].startswith("Longer matches: “dirty one: always” (+")
    assert "More wins for the stronger player (greedy at two): “" in section.sentences[0]
