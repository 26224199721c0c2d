"""The checklists of CONTRIBUTING.md: what an option, a policy and a game need, each in its place.

What is missing is told in a sentence that names the file and what to add. Beside these,
`test_marks.py` asks for clauses, code and tests that go together, `test_games.py`
and `test_referees.py` for options that play alike in every way.
"""

from __future__ import annotations

import re
from dataclasses import replace

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


def lacking_of_option(game, option):
    """Yield a sentence for everything that an option lacks."""
    folder, name = f"simcore/games/{game.name}", option.name
    # What is worked out of it in `prepare` is read under another name.
    read = rf"\b(o|options)\.{name}\b|options\[\"{name}\"\]"
    files = [file for file in (ROOT / folder).glob("*.py") if file.name != "phrases.py"]
    if not any(re.search(read, file.read_text("utf-8")) for file in files):
        yield f"{folder}: no rule reads o.{name}; carry it out in the step that it changes"
    # By its clause studies tell in how many matches it came into play.
    if name != "players" and not any(name in clause.options for clause in game.clauses):
        yield (
            f"{folder}/options.py: no Clause in CLAUSES names the option {name}; add one, or name "
            "it in one that it changes, and set its bit in the rules"
        )
    for mark in option.rule.replace(",", " ").split():
        if f"**[{mark}]**" not in text_of(f"{folder}/RULES.md"):
            yield (
                f"{folder}/RULES.md has no clause [{mark}], which the option {name} names; add it, "
                f"and rows under [{mark}] in tests/{game.name}"
            )
    referee = ROOT.glob(f"tests/referee/{game.name}*.py")
    if not any(re.search(rf"\b{name}\b", file.read_text("utf-8")) for file in referee):
        yield f"tests/referee/{game.name}.py does not know the option {name}; carry it out there"


@pytest.mark.parametrize("name", game_names())
def test_an_option_lacks_nothing(name):
    game = get_game(name)
    found = [text for option in game.options for text in lacking_of_option(game, option)]
    assert not found, "\n".join(found)


def lacking_of_policy(name, policy):
    """Yield a sentence for everything that a policy lacks."""
    place = f"tests/strategies/test_{name}_policies.py"
    elsewhere = {"search": "test_search", "random": "test_policies", "expert": "test_experts"}
    if policy.name in elsewhere:
        place = f"tests/strategies/{elsewhere[policy.name]}.py"
    if not re.search(rf"\b{policy.name}\b", text_of(place)):
        yield f"{place} does not test the policy {policy.name}; add what it does in positions"
    place = f"studies/library/{name}-tournament.toml"
    # docs/results/strength.md tells how strong the others are
    if policy.name not in ("search", "expert") and f'"{policy.name}"' not in text_of(place):
        yield f"{place} has no line-up with {policy.name}; add one against each other policy"


@pytest.mark.parametrize("name", game_names())
def test_a_policy_lacks_nothing(name):
    found = [
        text for policy in policies(get_game(name)) for text in lacking_of_policy(name, policy)
    ]
    assert not found, "\n".join(found)


def test_what_an_option_and_a_policy_lack_is_told():
    game, known = get_game("up"), policies(get_game("up"))[1]
    option = replace(game.options[1], name="tribute", rule="R99")
    told = "\n".join(lacking_of_option(game, option))
    for place in ("no rule reads o.tribute", "names the option tribute", "[R99]", "up.py does not"):
        assert place in told
    assert len(list(lacking_of_policy("up", replace(known, name="miser")))) == 2
