"""Bad input: one line that names the thing, its value and what is allowed, and status 2."""

from __future__ import annotations

import pytest

from simcore.game import game_names
from tests.patience import PATIENCE

SIMULATE = ("simulate", "up")
PLAN = ("plan", "quickstart")

CASES = {
    "command": (("simulat",), ["'simulat'", "did you mean 'simulate'", "bench"]),
    "option of a command": ((*SIMULATE, "--machtes", "3"), ["--machtes", "mean '--matches'"]),
    "no game": (("simulate",), ["GAME"]),
    "surplus argument": ((*SIMULATE, "down"), ["down"]),
    "no value": ((*SIMULATE, "--seed"), ["--seed"]),
    "game": (("simulate", "upp"), ["'upp'", "mean 'up'"]),
    "game of games": (("games", "upp"), ["'upp'", "mean 'up'"]),
    "game of strategies": (("strategies", "upp"), ["'upp'", "mean 'up'"]),
    "game of play": (("play", "upp"), ["'upp'", "mean 'up'"]),
    "game of bench": (("bench", "upp"), ["'upp'", "mean 'up'"]),
    "rules option": ((*SIMULATE, "--rule", "dirtyone=off"), ["dirtyone", "mean 'dirty_one'"]),
    "rule without value": ((*SIMULATE, "--rule", "rounds"), ["'rounds'", "NAME=VALUE"]),
    "rule without name": ((*SIMULATE, "--rule", "=3"), ["'=3'", "NAME=VALUE"]),
    "rule twice": ((*SIMULATE, "--rule", "rounds=2", "--rule", "rounds=3"), ["rounds", "twice"]),
    "players twice": ((*SIMULATE, "--players", "3", "--rule", "players=4"), ["players", "twice"]),
    "value": ((*SIMULATE, "--rule", "dirty_one=sometimes"), ["dirty_one", "sometimes", "forehand"]),
    "players": ((*SIMULATE, "--players", "11"), ["players", "'11'", "2…10"]),
    "combination": (
        (*SIMULATE, "--rule", "minus_two=false", "--rule", "double_two=always"),
        ["minus_two", "double_two", "allowed"],
    ),
    "list of the wrong length": (
        (*SIMULATE, "--rule", "forget_last_card=0.1,0.2"),
        ["forget_last_card", "2 values", "4 players"],
    ),
    "policy": ((*SIMULATE, "--lineup", "randon"), ["'randon'", "mean 'random'"]),
    "parameter": ((*SIMULATE, "--lineup", "random(depth=3)"), ["depth", "random"]),
    "unclosed parameters": ((*SIMULATE, "--lineup", "random(depth=3"), ["random(depth=3"]),
    "empty line-up": ((*SIMULATE, "--lineup", ""), ["line"]),
    "too long a line-up": ((*SIMULATE, "--lineup", ",".join(["random"] * 5)), ["5", "4"]),
    "no matches": ((*SIMULATE, "--matches", "0"), ["--matches", "'0'", "1…1000000000000"]),
    "too many matches": ((*SIMULATE, "--matches", "1000000000001"), ["--matches"]),
    "matches no number": ((*SIMULATE, "--matches", "many"), ["--matches", "'many'"]),
    "fraction of a match": ((*SIMULATE, "--matches", "1.5"), ["--matches", "'1.5'"]),
    "huge number": ((*SIMULATE, "--matches", "9" * 5000), ["--matches", "whole number"]),
    "negative seed": ((*SIMULATE, "--seed", "-1"), ["--seed", "'-1'", "9223372036854775807"]),
    "large seed": ((*SIMULATE, "--seed", str(2**63)), ["--seed"]),
    "no threads": ((*SIMULATE, "--threads", "0"), ["--threads", "'0'"]),
    "too many threads": ((*SIMULATE, "--threads", "100000"), ["--threads"]),
    "match": (("play", "up", "--match", "-1"), ["--match", "'-1'"]),
    "runs": (("bench", "up", "--runs", "0"), ["--runs", "'0'"]),
    "level": (("compare", "here", "--level", "95"), ["--level", "'95'", "0.5"]),
    "level no number": (("compare", "here", "--level", "high"), ["--level", "'high'"]),
    "margin": (("compare", "here", "--margin", "0"), ["--margin", "'0'", "above 0"]),
    "margin no number": (("compare", "here", "--margin", "score=x"), ["--margin", "'x'"]),
    "margin twice": (("compare", "here", "--margin", "1", "--margin", "2"), ["--margin", "twice"]),
    "blocks without directory": (
        ("check", "--strategies", "mine.py", "--blocks", "3"),
        ["--blocks '3' would do nothing without a study directory; allowed: with DIR"],
    ),
    "scheduler of a dry run": (
        ("run", "quickstart", "--dry-run", "--scheduler", "local"),
        ["--scheduler 'local' would do nothing with --dry-run"],
    ),
    "threads of a cluster": (
        ("run", "quickstart", "--scheduler", "tcp://here:1", "--threads", "3"),
        ["--threads '3' would do nothing with scheduler 'tcp://here:1', whose workers play"],
    ),
    "matches twice": (
        ("run", "quickstart", "--matches", "5", "--set", "matches=7"),
        ["--matches is given twice: matches=5 and set; allowed: once"],
    ),
    "no target": (PLAN, ["--detect and --half-width are both missing"]),
    "two targets": (
        (*PLAN, "--detect", "1", "--half-width", "1"),
        ["--detect and --half-width are both given"],
    ),
    "target no number": (
        (*PLAN, "--detect", "much"),
        ["--detect 'much' is refused; allowed: a number above 0"],
    ),
    "negative target": ((*PLAN, "--detect", "-1"), ["--detect '-1' is refused"]),
    "target of 100 points": ((*PLAN, "--half-width", "100"), ["--half-width '100' is refused"]),
    "name of a target": ((*PLAN, "--detect", "scor=1"), ["did you mean 'score'?"]),
    "target of a width alone": (
        (*PLAN, "--detect", "another_winner=1"),
        ["unknown detect name 'another_winner'"],
    ),
    "power": (
        (*PLAN, "--detect", "1", "--power", "0.3"),
        ["--power '0.3' is refused; allowed: a number from"],
    ),
    "power of a width": (
        (*PLAN, "--half-width", "1", "--power", "0.9"),
        ["--power '0.9' would do nothing with --half-width: a width is reached or not; allowed"],
    ),
    "small pilot": (
        (*PLAN, "--detect", "1", "--pilot", "3"),
        ["--pilot '3' is refused; allowed: a whole number 20"],
    ),
    "threads of a plan": (
        (*PLAN, "--detect", "1", "--threads", "0"),
        ["--threads '0' is refused"],
    ),
    "key of a plan": (
        (*PLAN, "--detect", "1", "--set", "matchs=1"),
        ["did you mean 'matches'?"],
    ),
    "option of a plan": ((*PLAN, "--detekt", "1"), ["did you mean '--detect'?"]),
    "study of a plan": (("plan", "quickstar", "--detect", "1"), ["did you mean 'quickstart'"]),
    "policy to tune": (("tune", "up", "horder"), ["did you mean 'hoarder'"]),
    "nothing to tune": (("tune", "up", "random"), ["no parameter left"]),
    "small budget": (("tune", "up", "shedder", "--budget", "10"), ["too few matches"]),
    "budget no number": (("tune", "up", "shedder", "--budget", "much"), ["--budget"]),
    "game to warm up": (("warmup", "upp"), ["did you mean 'up'"]),
    "nothing to check": (("check",), ["needs a study directory"]),
    "no file of policies": ((*SIMULATE, "--strategies", "no/such.py"), ["no/such.py"]),
}


TWO_FORMS = [
    ("games",),
    ("games", "uno"),
    ("strategies",),
    ("strategies", "up"),
    ("studies",),
    ("compare", "nowhere"),
    (*PLAN, "--detect", "1"),
    ("bench", "up"),
    ("check", "nowhere"),
    ("tune", "up", "greedy"),
    ("exploit", "up", "greedy"),
    SIMULATE,
]
CASES |= {
    f"two forms of {' '.join(command)}": (
        (*command, "--json", "--csv"),
        ["--json and --csv are both given"],
    )
    for command in TWO_FORMS
}


@pytest.mark.parametrize(("arguments", "expected"), CASES.values(), ids=CASES.keys())
def test_refused_with_one_line(refused, arguments, expected):
    message = refused(*arguments)
    for part in expected:
        assert part in message
    assert len(message) < 700


def test_file_of_policies_that_is_no_python(refused, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def policy(:\n")
    assert "mine.py" in refused("simulate", "up", "--strategies", file)


def test_refused_the_same_as_a_program(start_cardlab):
    process = start_cardlab("simulate", "upp")
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (2, "")
    known = ", ".join(game_names())
    assert err == f"cardlab: unknown game 'upp'; did you mean 'up'? known: {known}\n"
