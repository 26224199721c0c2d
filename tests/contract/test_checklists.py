"""The checklists of CONTRIBUTING.md: what an option, a policy and a game need, each in its place.

What is missing is told in a sentence that names the file and what to add. Beside these,
`test_marks.py` asks for clauses, code and tests that go together, `test_games.py`
and `test_referees.py` for options that play alike in every way.
"""

from __future__ import annotations

import re
from importlib.util import find_spec

import pytest

from simcore.catalogue import get_game
from simcore.game import game_names
from strategies import policies
from tests.cli import test_person
from tests.cli.test_play import OTHERS
from tests.playthroughs import cases as playthroughs
from tests.programs import ROOT
from tests.strategies.test_policies import TRIALS
from tests.strategies.test_reasons import PLAYERS, VARIANTS
from tests.variants import SHORT

ASKED_OF_A_GAME = {
    "simcore/games/{}/RULES.md": "the rules in words, each clause with a mark",
    "strategies/{}.py": "its policies, random first",
    "strategies/examples/{}.py": "policies such as a user writes",
    "studies/library/{}-tournament.toml": "a study of its policies",
    "studies/library/{}-variants.toml": "a study of its options",
    "studies/library/balance-{}.toml": "a study for the balance report",
    "tests/referee/{}.py": "its rules a second time, in plain Python, written from RULES.md",
    "tests/{}/following.py": "what compares rules and referee, decision by decision",
    "tests/{}/position.py": "positions by the names of cards",
    "tests/{}/unseen.py": "what a seat cannot see, for tests of blindness",
    "tests/{}/test_exact.py": "probabilities that are known exactly",
    "tests/{}/test_oracles.py": "totals that must hold whatever is played",
    "tests/{}/test_referee.py": "the referee following matches under every option",
    "tests/{}/test_words.py": "moves and events in words",
    "tests/strategies/test_{}_policies.py": "what each policy does in positions",
}
TABLES = (
    playthroughs.LINEUPS,
    playthroughs.OPTIONS,
    SHORT,
    TRIALS,
    VARIANTS,
    PLAYERS,
    test_person.SHORT,
)

OPTIONS = [
    pytest.param(get_game(name), option, id=f"{name}-{option.name}")
    for name in game_names()
    for option in get_game(name).options
]
POLICIES = [
    pytest.param(name, policy, id=f"{name}-{policy.name}")
    for name in game_names()
    if find_spec(f"strategies.{name}")
    for policy in policies(get_game(name))
]


def text_of(place):
    assert (ROOT / place).is_file(), f"{place} is missing"
    return (ROOT / place).read_text("utf-8")


def lacking(name):
    """Yield a sentence for everything that a game lacks."""
    for form, purpose in ASKED_OF_A_GAME.items():
        if not (ROOT / form.format(name)).is_file():
            yield f"{form.format(name)} is missing; add {purpose}"
    for table in TABLES:
        if name not in table:
            yield table.lacks(name)
    if name != "up" and name not in OTHERS:
        yield OTHERS.lacks(name)


@pytest.mark.parametrize("name", game_names())
def test_a_game_is_known_everywhere(name):
    assert not list(lacking(name)), "\n".join(lacking(name))


def test_every_folder_of_a_game_is_registered():
    folders = {path.parent.name for path in (ROOT / "simcore/games").glob("*/options.py")}
    forgotten = ", ".join(sorted(folders - set(game_names())))
    assert not forgotten, f"simcore/game.py does not know {forgotten}; add it to _GAME_NAMES"


def test_what_a_new_game_lacks_is_told():
    sentences = "\n".join(lacking("whist"))
    assert (
        "tests/variants.py: SHORT has no entry 'whist'; add options under which a match is "
        "short, or {}"
    ) in sentences
    assert "strategies/whist.py is missing; add its policies, random first" in sentences
    with pytest.raises(AssertionError, match="LINEUPS has no entry 'whist'; add a line-up of a"):
        playthroughs.LINEUPS["whist"]


@pytest.mark.parametrize(("game", "option"), OPTIONS)
def test_an_option_is_read_by_the_rules(game, option):
    """What is worked out of it in `prepare` is read under another name."""
    sources = (ROOT / f"simcore/games/{game.name}").glob("*.py")
    text = "".join(file.read_text("utf-8") for file in sources if file.name != "phrases.py")
    assert re.search(rf"\b(o|options)\.{option.name}\b|options\[\"{option.name}\"\]", text), (
        f"simcore/games/{game.name}: no rule reads o.{option.name}; carry it out in the step that "
        "it changes"
    )


@pytest.mark.parametrize(("game", "option"), OPTIONS)
def test_an_option_has_a_clause(game, option):
    """By which studies tell in how many matches it came into play."""
    assert option.name == "players" or any(
        option.name in clause.options for clause in game.clauses
    ), (
        f"simcore/games/{game.name}/options.py: no Clause in CLAUSES names the option "
        f"{option.name}; add one, or name it in one that it changes, and set its bit in the rules"
    )


@pytest.mark.parametrize(("game", "option"), OPTIONS)
def test_an_option_has_its_rule_in_words(game, option):
    rules = f"simcore/games/{game.name}/RULES.md"
    text = text_of(rules)
    for mark in option.rule.replace(",", " ").split():
        assert f"**[{mark}]**" in text, (
            f"{rules} has no clause [{mark}], which the option {option.name} names; add it, and "
            f"rows under [{mark}] in tests/{game.name}"
        )


@pytest.mark.parametrize(("game", "option"), OPTIONS)
def test_an_option_is_followed_by_the_referee(game, option):
    place = f"tests/referee/{game.name}.py"
    beside = ROOT.glob(f"tests/referee/{game.name}_*.py")
    known = "".join([text_of(place), *(file.read_text("utf-8") for file in beside)])
    assert re.search(rf"\b{option.name}\b", known), (
        f"{place} does not know the option {option.name}; carry out its rule there"
    )


@pytest.mark.parametrize(("name", "policy"), POLICIES)
def test_a_policy_is_tested_in_positions(name, policy):
    place = f"tests/strategies/test_{name}_policies.py"
    elsewhere = {"search": "test_search", "random": "test_policies", "expert": "test_experts"}
    if policy.name in elsewhere:
        place = f"tests/strategies/{elsewhere[policy.name]}.py"
    assert re.search(rf"\b{policy.name}\b", text_of(place)), (
        f"{place} does not test the policy {policy.name}; add what it does in positions"
    )


@pytest.mark.parametrize(("name", "policy"), POLICIES)
def test_a_policy_plays_in_the_tournament(name, policy):
    place = f"studies/library/{name}-tournament.toml"
    elsewhere = ("search", "expert")  # docs/results/strength.md tells how strong they are
    assert policy.name in elsewhere or f'"{policy.name}"' in text_of(place), (
        f"{place} has no line-up with {policy.name}; add one against each other policy"
    )
