"""The snippets that a report prints compute its numbers from the Parquet files again."""

import json
import re

import pytest

from studies.report.content import Picture


@pytest.fixture(scope="module")
def recipes(built):
    return {recipe.name: recipe for section in built.sections for recipe in section.recipes}


def table(built, lineup):
    return next(
        table
        for table in built.numbers["balance"]["tables"]
        if (table["lineup"], table["variant"], table["point"])
        == (lineup, "baseline", {"players": 3})
    )


def effect(built, variant):
    return next(
        effect
        for effect in built.numbers["comparison"]["variants"]
        if effect["variant"] == variant and effect["lineup"] == "only guard"
    )


EXPECTED = {
    "dirty: matches with other winners": lambda built: effect(built, "dirty")["winners_differ"],
    "dirty: in play": lambda built: effect(built, "dirty")["in_play"],
    "only guard: win share of position 0": lambda built: table(built, "only guard")["positions"][
        "win_share"
    ][0],
    "only guard: median of moves": lambda built: table(built, "only guard")["moves"]["quantiles"][
        "0.5"
    ],
    "only guard: 95th percentile of moves": lambda built: table(built, "only guard")["moves"][
        "quantiles"
    ]["0.95"],
    "only guard: share of forced moves": lambda built: table(built, "only guard")["forced"],
    "only guard: real decisions a match": lambda built: table(built, "only guard")["decisions"],
    "only guard: share of aborted matches": lambda built: table(built, "only guard")["outcomes"][
        "aborted"
    ]["share"],
    "only guard: lead changes a match": lambda built: table(built, "only guard")["drama"][
        "lead_changes"
    ]["mean"],
    "only guard: led throughout": lambda built: table(built, "only guard")["drama"][
        "led_throughout"
    ]["share"],
    "only guard: close matches": lambda built: table(built, "only guard")["drama"]["close"][
        "share"
    ],
    "guard-greedy: share of guard": lambda built: next(
        duel["share"]
        for duel in built.numbers["balance"]["duels"]
        if duel["lineup"] == "guard-greedy" and duel["point"] == {"players": 3}
    ),
    "guard-random: share of cards": None,
    "guard-random: share of policy": None,
}


def test_all_snippets_are_known(recipes):
    names = {name for name in recipes if not name.startswith(("guard-", "greedy-"))}
    assert names == {name for name in EXPECTED if not name.startswith("guard-")}
    assert len(recipes) >= 12


def test_snippets_give_the_numbers_of_the_report(built, recipes):
    compared = 0
    for name, recipe in recipes.items():
        variables = {}
        exec(recipe.code, variables)  # noqa: S102 (what the report prints)
        lineup, _, what = name.partition(": share of ")
        if what in ("cards", "policy"):
            expected = table(built, lineup)["luck"]["win"]["shares"][what]
        else:
            expected = EXPECTED[name](built)
        assert float(variables["answer"]) == pytest.approx(
            expected["estimate"], rel=1e-8, abs=1e-9
        ), name
        compared += 1
    assert compared >= 10


def test_snippets_of_the_page_are_those_that_were_run(page, recipes):
    text = page.read_text("utf-8")
    printed = re.findall(r'<div class="recipe">\s*<h4>(.*?)</h4>', text)
    assert printed == list(recipes)


def test_sentences_hold_the_numbers(built):
    """The estimates that stand in words are those of the numbers."""
    found = table(built, "only guard")
    forced = f"{100 * found['forced']['estimate']:.1f}"
    length = next(section for section in built.sections if section.name == "length")
    assert forced in " ".join(length.sentences)
    assert not any(isinstance(item, Picture) and "nan" in item.caption for item in length.items)
    assert "nan" not in json.dumps([section.sentences for section in built.sections])
