"""The snippets that a report prints compute its numbers, bounds and ratings from the Parquet files.

The `small` study has two sweep points and a policy that loses always, `rated` has finishing orders
with ties, strengths, and more deals than the ratings have groups.
"""

import json
import re
from dataclasses import replace

import pytest

from studies.report import build
from studies.report.content import Picture
from studies.run.run import run_study
from studies.stats.intervals import Interval
from tests.studies.conftest import study

RATINGS = {
    "strengths of all policies": ("strength", 1e-4),
    "payoffs of all pairs": ("payoff", 1e-9),
    "the Nash average": ("mass", 1e-6),
}
P_VALUES = "p-values, and all other numbers as data"


@pytest.fixture(scope="module")
def rated(tmp_path_factory):
    """The report of a study with finishing orders that tie."""
    directory = tmp_path_factory.mktemp("rated") / "study"
    planned = study(
        options={"players": 3, "rounds": 2, "scoring": "matches"},
        matches=1300,
        variants={"no_passes": {"deal_passes": False}},
        lineups=[
            {"name": "only guard", "seats": ["guard"]},
            {"name": "guard-greedy", "seats": ["guard", "greedy"], "rotate": True},
            *(
                {"name": "-".join(pair), "seats": [*pair], "rotate": True, "variants": False}
                for pair in (("guard", "collapser"), ("greedy", "collapser"))
            ),
        ],
    )
    run_study(planned, directory, threads=2)
    return build(directory)


def all_recipes(report):
    return {recipe.name: recipe for section in report.sections for recipe in section.recipes}


def run_all(recipes):
    """Return what each snippet leaves behind, run as it is printed."""
    found = {}
    for name, recipe in recipes.items():
        found[name] = {}
        exec(recipe.code, found[name])  # noqa: S102 (what the report prints)
    return found


@pytest.fixture(scope="module", params=["small", "rated"])
def report(request, built, rated):
    return built if request.param == "small" else rated


@pytest.fixture(scope="module")
def recipes(report):
    return all_recipes(report)


@pytest.fixture(scope="module")
def answers(recipes):
    return run_all(recipes)


def test_of_a_study_with_a_goal(tmp_path):
    """Other winners and changes of win rates are confidence sequences, and said to be."""
    planned = study(
        options={"players": 3, "rounds": 1},
        matches=3000,
        variants={"two": {"double_two": "always"}},
        lineups=[
            {"name": "pair", "seats": ["greedy", "shedder"], "rotate": True},
            {"name": "alike", "seats": ["random"]},
        ],
        goal={"half_width": 0.08, "anytime": True},
    )
    run_study(planned, tmp_path / "study", threads=2)
    found = build(tmp_path / "study")
    made = {
        name: one
        for name, one in all_recipes(found).items()
        if name.startswith("double two: always at")
    }
    names = [name for name, one in made.items() if "sequence_of" in one.code]
    assert [name.rpartition(": ")[2] for name in names] == [
        "matches with other winners",
        "change of the win rate of position 0",
        "change of the win rate of greedy",
    ]
    for name, variables in run_all(made).items():
        for key, own in triples(made[name].shows).items():
            assert given(variables, made[name].shows)[key] == pytest.approx(own, abs=1e-7), name
    pictures = [
        part
        for section in found.sections
        for part in section.items
        if isinstance(part, Picture) and part.name in ("forest", "gains")
    ]
    assert all("confidence sequences" in picture.caption for picture in pictures)
    assert pictures


def test_what_can_be_computed_again(rated):
    names = [re.sub(r"^.*: ", "", name) for name in all_recipes(rated)]
    assert names == [
        "matches with other winners",
        "other winners on other cards",
        "in play",
        "change of plays",
        "change of the win rate of position 0",
        "change of the win rate of guard",
        "win rate of position 0",
        "mean rank of position 0",
        "median of moves",
        "95th percentile of moves",
        "real decisions a match",
        "share of forced moves",
        "share of aborted matches",
        "share of shared wins",
        "mean of plays",
        "99th percentile of plays",
        "came from behind",
        "95th percentile of comebacks",
        "settled by half",
        "median margin",
        "lead changes a match",
        "led throughout",
        "close matches",
        "runaway matches",
        "shares of the variance of who wins",
        "share of guard",
        "strengths of all policies",
        "payoffs of all pairs",
        "what is cyclic",
        "the Nash average",
        P_VALUES,
    ]


def triples(shows):
    """Return estimates with bounds by what they are of."""
    if isinstance(shows, Interval):
        shows = {"": shows}
    return {key: (own.estimate, own.low, own.high) for key, own in shows.items()}


def given(variables, shows):
    """Return what a snippet found, in the same form."""
    if isinstance(shows, Interval):
        return {"": (variables["answer"], variables["low"], variables["high"])}
    return variables["answer"]


def test_snippets_give_estimates_and_bounds_of_the_report(recipes, answers):
    compared = bounded = 0
    for name, recipe in recipes.items():
        tolerance = RATINGS.get(name, ("", 1e-8))[1]
        found = given(answers[name], recipe.shows)
        for key, expected in triples(recipe.shows).items():
            assert found[key] == pytest.approx(expected, rel=tolerance, abs=1e-9), (name, key)
            compared += 1
            bounded += expected[1] < expected[0] < expected[2]
    assert compared >= 35
    assert bounded >= 20


def test_snippets_are_about_the_numbers_of_the_report(report, recipes):
    """What a recipe says it shows stands in the report's numbers, at the tables it names."""

    def plain(found):
        if isinstance(found, list):
            for one in found:
                yield from plain(one)
        elif isinstance(found, dict):
            if found.keys() == {"estimate", "low", "high"}:
                yield tuple(found.values())
            for one in found.values():
                yield from plain(one)

    known = set(plain(report.numbers))
    for name, recipe in recipes.items():
        for key, triple in triples(recipe.shows).items():
            rounded = tuple(
                float(f"{own:.10g}") if abs(own) < float("inf") else None for own in triple
            )
            assert rounded in known, (name, key)


@pytest.mark.parametrize("name", RATINGS)
def test_ratings_come_for_every_policy(rated, name):
    recipes = all_recipes(rated)
    (rating,) = rated.numbers["ratings"]
    field, _ = RATINGS[name]
    listed = {"strength": "strengths", "payoff": "payoffs", "mass": "nash"}[field]
    assert len(recipes[name].shows) == len(rating[listed]) == 3
    assert sorted(own.estimate for own in recipes[name].shows.values()) == pytest.approx(
        sorted(own[field]["estimate"] for own in rating[listed])
    )


def test_p_values_are_those_of_the_report(report, answers):
    found = answers[P_VALUES]["answer"]
    expected = {
        (effect["variant"], effect["lineup"], str(effect["point"]), own["policy"]): own[
            "win_share"
        ]["p_holm"]
        for effect in report.numbers["comparison"]["variants"]
        for own in effect["policies"]
    }
    assert found == pytest.approx(expected)
    assert len(found) >= 2


def test_a_wrong_bound_would_be_seen(recipes, answers):
    """The comparison above is sharp: a bound a thousandth off is none of the report's."""
    name = next(name for name in recipes if name.endswith("share of forced moves"))
    shows = recipes[name].shows
    moved = replace(shows, high=shows.high * 1.001)
    assert given(answers[name], moved)[""] != pytest.approx(triples(moved)[""], rel=1e-8)


def test_snippets_of_the_page_are_those_that_were_run(page, built):
    text = page.read_text("utf-8")
    printed = re.findall(r'<div class="recipe">\s*<h3>(.*?)</h3>', text)
    assert printed == list(all_recipes(built))


def test_sentences_hold_the_numbers(rated):
    """The estimates that stand in words are those of the numbers."""
    found = next(
        table
        for table in rated.numbers["balance"]["tables"]
        if (table["lineup"], table["variant"], table["point"]) == ("only guard", "baseline", {})
    )
    said = {section.name: " ".join(section.sentences) for section in rated.sections}
    assert f"{100 * found['forced']['estimate']:.1f}" in said["length"]
    drama = found["drama"]
    assert f"behind in {100 * drama['behind']['share']['estimate']:.1f} %" in said["drama"]
    assert f"half of them in {100 * drama['by_half']['share']['estimate']:.1f} %" in said["drama"]
    pictures = [
        item for section in rated.sections for item in section.items if isinstance(item, Picture)
    ]
    assert not any("nan" in item.caption for item in pictures)
    assert "nan" not in json.dumps(said)
