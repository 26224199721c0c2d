"""Bad files of policies: one printable line with file, line and what to do, status 2."""

from __future__ import annotations

import re

import pytest

from simcore.jit import JIT_DISABLED
from strategies import load_strategies, registry
from studies.operations.watching import CompileLine
from tests.cli.bad_policies import COMPILED, GOOD, TEXTS, body


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch):
    from simcore.game import game_names, get_game
    from strategies import policies

    # A busy machine takes so long that it would be said.
    monkeypatch.setattr("studies.cli.app.CompileLine", lambda: CompileLine(moment=1000.0))
    for name in game_names():
        policies(get_game(name))
        monkeypatch.setitem(registry._policies, name, dict(registry._policies[name]))


@pytest.fixture
def told(tmp_path, refused):
    """Write a file and return what both commands say of it."""

    def tell(text):
        path = tmp_path / "mine.py"
        content = text if isinstance(text, bytes) else text.encode()
        path.write_bytes(content)
        simulated = refused(
            "simulate", "up", "--matches", 3, "--lineup", "bad", "--strategies", path
        )
        for name in ("bad", "other"):
            registry._policies["up"].pop(name, None)
        assert refused("check", "--strategies", path) == simulated
        assert simulated[:-1].isprintable()
        assert "Traceback" not in simulated
        assert str(path) in simulated
        lines = content.splitlines()
        marked = [number for number, line in enumerate(lines, 1) if line.endswith(b"#!")]
        for number in marked:
            assert re.search(rf"line {number}\b", simulated), simulated
            assert lines[number - 1].decode().strip()[:100].encode().isascii()
            assert lines[number - 1].decode().strip()[:60] in simulated
        return simulated

    return tell


@pytest.mark.parametrize("name", TEXTS)
def test_what_a_file_says_is_refused_before_anything_is_compiled(told, name, monkeypatch):
    from simcore import guard

    monkeypatch.setattr(guard, "compile_foreign", lambda *_: pytest.fail("it was compiled"))
    if JIT_DISABLED and name == "plain helper":
        pytest.skip("plain functions may be called")
    text, words = TEXTS[name]
    assert words in told(text)


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize("name", COMPILED)
def test_what_the_compiler_finds_is_told_in_words(told, name):
    text, words = COMPILED[name]
    message = told(text)
    assert words in message
    assert "policy 'bad' of up (" in message


def test_a_file_that_was_refused_leaves_nothing_behind(told, cardlab):
    told(body("yield 1"))
    told(body("yield 1"))
    assert "bad" not in cardlab("strategies", "up").out


def test_unusual_policies_are_taken(tmp_path):
    from studies.check.compliance import check_compiles

    path = tmp_path / "good.py"
    path.write_text(GOOD)
    policies = load_strategies(path)
    assert len(policies) == 12
    for one in policies:
        check_compiles(one)


@pytest.mark.skipif(not JIT_DISABLED, reason="the compiler finds it")
def test_without_the_compiler_a_fraction_is_refused_when_it_is_returned(tmp_path, cardlab):
    path = tmp_path / "mine.py"
    path.write_text(body("return 1.5"))
    result = cardlab("simulate", "up", "--matches", 1, "--lineup", "bad", "--strategies", path)
    assert (result.status, result.out) == (2, "")
    assert "policy 'bad' returned 1.5: it must return a whole number" in result.err


def test_a_parameter_with_one_value_is_not_tuned(tmp_path):
    from studies.run.tuning import free_params

    path = tmp_path / "good.py"
    path.write_text(GOOD)
    numbered = {one.name: one for one in load_strategies(path)}["numbered"]
    assert [param.name for param in free_params(registry.Strategy(numbered))] == ["p"]
