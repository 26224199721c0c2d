"""The program as a whole: quick to answer, complete in its help, quiet when nobody listens."""

from __future__ import annotations

import resource

import pytest

from simcore.catalogue import get_game
from simcore.game import game_names
from simcore.options import show
from strategies import policies
from studies.cli.app import COMMANDS
from studies.cli.command import describe, find
from studies.version import VERSION
from tests.patience import PATIENCE
from tests.programs import run_python

HEAVY = {"llvmlite", "matplotlib", "numba", "numpy", "pandas", "polars", "pyarrow", "scipy"}


def test_help_names_every_command(cardlab):
    result = cardlab("--help")
    assert result.status == 0
    for command in COMMANDS:
        assert f" {command} " in result.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(cardlab, command):
    result = cardlab(command, "--help")
    assert result.status == 0
    assert f"cardlab {command}" in result.out


def test_version(cardlab):
    assert cardlab("--version").out == f"cardlab {VERSION}\n"


def test_help_is_quick(start_cardlab):
    def seconds():
        """Return processor time, which a busy machine makes longer, though not by much."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert start_cardlab("--help").communicate(timeout=PATIENCE)[0]
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert any(seconds() < 0.4 for _ in range(5))


def imported(*arguments: str) -> set[str]:
    """Return what a program of this command imports."""
    code = (
        f"import sys; from studies.cli.app import run_app; status = run_app({[*arguments]});"
        "print(*sys.modules, file=sys.stderr); sys.exit(status)"
    )
    run = run_python("-c", code)
    assert run.returncode == 0
    return set(run.stderr.split())


def test_help_imports_no_compiler_no_tables_and_no_operation():
    modules = imported("--help")
    assert not HEAVY & modules
    assert not {name for name in modules if name.startswith("studies.operations.")}


def test_the_list_of_commands_says_what_each_command_says():
    for command in COMMANDS.values():
        assert command.summary == describe(find(command.operation))[0].split("\n\n")[0]


def test_a_warm_start_reads_no_rules_and_imports_little(cardlab):
    arguments = ("simulate", "up", "--matches", "20", "--lineup", "greedy,random")
    assert cardlab(*arguments).status == 0  # compiled from here on
    modules = imported(*arguments)
    assert not HEAVY - {"llvmlite", "numpy", "polars"} & modules
    assert not {"pydantic", "rich", "simcore.compiler.rewrite", "scipy.linalg"} & modules
    assert "scipy.special._ufuncs" in modules  # the functions alone


def test_an_answer_that_was_kept_needs_no_statistics(cardlab, tmp_path):
    file, directory = tmp_path / "study.toml", str(tmp_path / "study")
    file.write_text(
        'game = "up"\nmatches = 20\nvariants.dirty.dirty_one = "always"\n'
        'lineups = [{name = "all", seats = ["greedy"]}]\n'
    )
    run = ("run", str(file), "--out", directory)
    assert cardlab(*run).status == 0  # compiled from here on, and not kept in this process
    modules = {}
    for command in (run, run, ("compare", directory)):  # the first one keeps the answer
        names = modules[command[0]] = imported(*command)
        assert not {"numba", "matplotlib", "pandas", "rich"} & names
        assert "studies.view.terminal" in names
    for names in modules.values():
        assert not HEAVY - {"llvmlite", "numpy", "polars"} & names
        assert "rich" not in names
    assert not {"llvmlite", "studies.answers.frame"} & modules["compare"]


def test_games_lists_all(cardlab):
    result = cardlab("games")
    for name in game_names():
        assert get_game(name).title in result.out


@pytest.mark.parametrize("name", game_names())
def test_one_game_in_full(cardlab, name):
    game, text = get_game(name), cardlab("games", name).out
    words = " ".join(text.split())
    for option in game.options:
        assert f" {option.name} {show(option.default)} " in words
    for described in (*game.metrics, *game.clauses):
        assert described.name in words
    for phrase in (
        game.first_seat_meaning,
        *game.assumptions,
        *(text for _, text in game.assumptions_at),
    ):
        assert " ".join(phrase.split()) in words


def test_games_says_which_score_wins(cardlab):
    assert "The highest score wins; ties" in cardlab("games", "updown").out
    words = " ".join(cardlab("games", "uno").out.split())
    assert "The highest score wins, with scoring = own_cards the lowest one; ties" in words


@pytest.mark.parametrize("name", game_names())
def test_strategies_shows_every_policy_and_parameter(cardlab, name):
    words = cardlab("strategies", name).out.split()
    for policy in policies(get_game(name)):
        assert policy.name in words
        assert {param.name for param in policy.params} <= set(words)


@pytest.mark.whole_but("updown")
@pytest.mark.parametrize("name", game_names())
def test_play_tells_one_match(cardlab, name):
    first = cardlab("play", name, "--match", 7)
    assert first.status == 0
    assert len(first.out.splitlines()) > 10
    assert cardlab("play", name, "--match", 7).out == first.out
    assert cardlab("play", name, "--match", 8).out != first.out


def test_closed_pipe_is_no_error(start_cardlab):
    process = start_cardlab("games", "up")
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=PATIENCE) != 0
    assert "Traceback" not in err
    assert "Exception" not in err
    assert "rror" not in err
