"""Random wrong things at every command: one line, status 2, never a traceback."""

from __future__ import annotations

import io
import random
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout

import pytest

from studies.cli.app import COMMANDS, run_app
from tests.patience import PATIENCE
from tests.programs import CARDLAB, ROOT

WORDS = [
    "", "-", " ", "\0", "\x1b[31mred\x1b[0m", "\n\n", "é", "💥" * 40, "a" * 100_000, "9" * 5000,
    "-1", "0", "1", "2", "3.5", "1e400", "nan", "inf", "-inf", "1e6e6", "١٢", "²", "true", "none",
    "../../etc/passwd", "/dev/null", "/dev/zero", "/", "~", "*", "[bold]x", "{x}", "%s%n", "'\"",
    "=", "==", "a=b=c", ",", ",,", "(", ")", "random(", "random)", "random()", "greedy", "random",
    "up", "updown", "uno", "upp", "UP", "adir", "empty.toml", "binary.toml", "dir.toml",
    "good.toml", "bad.py", "exit.py", "none.py", "zero.py", "latin.py", "loop", "study",
    "study/cells.parquet", "memory://x", "file:///nowhere", "foo://bar", "--", "--help", "-h",
    "--json", "--all", "--force", "--why", "\udcff\udcfe", "\u202eabc", "players=3", "players=99",
    "rounds=1", "rounds", "dirty_one=always", "deck=adir", "deck=loop", "deck=" + "a" * 5000,
    "matches=2", "options.players=3", "lineups.one.rotate=true", "lineups=3", "sweep.x=[nan]",
    "a.b.c.d=1", "[[[[", "{" * 3000, "[" * 3000, "saver(pot=nan)", "saver(pot=1,pot=2)", "score=1",
    "0.9", "md", "html", "table", "moves", "x.parquet", "nodir/x.parquet", "2026",
]  # fmt: skip
OPTIONS = {
    "games": ("--nope",),
    "strategies": ("--strategies",),
    "studies": ("--json",),
    "schema": ("--nope",),
    "new": ("--nope",),
    "play": ("--players", "--rule", "--lineup", "--seed", "--match", "--show", "--strategies"),
    "simulate": (
        *("--players", "--rule", "--lineup", "--seed", "--threads", "--out", "--rotate"),
        "--strategies",
    ),
    "plan": (
        *("--detect", "--half-width", "--power", "--pilot", "--set", "--threads", "--json"),
        *("--csv", "--strategies"),
    ),
    "run": ("--out", "--set", "--threads", "--dry-run", "--strategies", "--matches"),
    "compare": ("--json", "--full", "--level", "--margin"),
    "report": ("--out", "--format", "--all"),
    "tune": ("--players", "--rule", "--against", "--seed", "--threads", "--strategies"),
    "exploit": ("--players", "--rule", "--candidates", "--seed", "--threads", "--strategies"),
    "train": ("--players", "--rule", "--base", "--against", "--seed", "--out", "--strategies"),
    "check": ("--blocks", "--strategies"),
    "bench": ("--runs",),
    "warmup": ("--nope",),
}
PLACES = {
    "play": ["updown"], "simulate": ["updown"], "plan": ["good.toml"], "run": ["good.toml"],
    "compare": ["study"], "report": ["study"],
    "tune": ["updown", "tune"], "exploit": ["updown", "random"], "train": ["updown"],
    "check": ["study"],
    "bench": ["nogame"], "warmup": ["nogame"],
}  # fmt: skip
LONGEST = 3000


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("place")
    for name in ("adir", "dir.toml"):
        (folder / name).mkdir()
    contents = {
        "empty.toml": b"",
        "binary.toml": bytes(range(256)),
        "good.toml": b'game="updown"\nmatches=3\n[[lineups]]\nname="one"\nseats=["random"]\n',
        "bad.py": b"1/0",
        "exit.py": b"import sys; sys.exit(3)",
        "none.py": b"x = 1",
        "zero.py": b"x = 1\0",
        "latin.py": b"x = '\xff'",
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    (folder / "loop").symlink_to(folder / "loop")
    study = str(folder / "good.toml")
    assert run_app(["run", study, "--out", str(folder / "study")]) == 0
    return folder


def drawn(choice):
    """Return a command with wrong or odd arguments; none that would work for long."""
    command = choice.choice([*COMMANDS])
    arguments = [command, *PLACES.get(command, [])]
    if len(arguments) > 1 and command not in ("bench", "warmup") and choice.random() < 0.25:
        arguments[choice.randrange(1, len(arguments))] = choice.choice(WORDS)
    for _ in range(choice.choice([0, 1, 1, 2, 3])):
        options = (*OPTIONS[command], "--nope")
        arguments.append(choice.choice(options if choice.random() < 0.9 else WORDS))
        if choice.random() < 0.85:
            arguments.append(choice.choice(WORDS))
    if command == "simulate":
        arguments += ["--matches", "2"]
    if command == "plan":
        arguments += ["--half-width", "1", "--pilot", "20"]
    if command == "tune":
        arguments += ["--budget", "4"]
    if command == "exploit":
        arguments += ["--budget", "4", "--minutes", "0", "--candidates", "eager"]
    if command == "train":
        arguments += ["--steps", "0"]  # which is refused: a step takes long
    if choice.random() < 0.1:
        choice.shuffle(arguments)
    return arguments


def is_long(arguments):
    return (
        (arguments[:1] in (["bench"], ["warmup"]) and "nogame" not in arguments)
        # other games would have to be compiled
        or (
            any(word in ("up", "uno") for word in arguments)
            and any(word in ("play", "simulate", "tune", "exploit") for word in arguments)
        )
    )


def try_out(count, seed):
    choice = random.Random(seed)  # noqa: S311 (words, not secrets)
    statuses = set()
    for _ in range(count):
        arguments = drawn(choice)
        if is_long(arguments):
            continue
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        err = io.TextIOWrapper(
            io.BytesIO(), encoding="utf-8", errors="backslashreplace", write_through=True
        )
        started = time.monotonic()
        with redirect_stdout(out), redirect_stderr(err):
            status = run_app(arguments)
        message = err.buffer.getvalue().decode()
        shown = [word if len(word) < 60 else f"{word[:20]}… of {len(word)}" for word in arguments]
        assert status in (0, 2), (shown, message[:500])
        assert time.monotonic() - started < PATIENCE, shown
        assert len(message) < LONGEST, shown
        assert message.replace("\n", "").isprintable(), (shown, message)
        if status == 2:
            last = message.splitlines()[-1] if message else ""
            assert last.startswith("cardlab: "), (shown, message)
        statuses.add(status)
    assert statuses == {0, 2}


@pytest.mark.whole
@pytest.mark.filterwarnings("ignore")
def test_wrong_arguments(place, monkeypatch):
    monkeypatch.chdir(place)
    try_out(250, seed=20_261_120)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_very_many_wrong_arguments(place, monkeypatch):
    monkeypatch.chdir(place)
    try_out(10_000, seed=random.SystemRandom().randrange(2**32))


@pytest.mark.parametrize("word", [b"\xff\xfe", b"\x1b[2J", "\u202e".encode()])
def test_bytes_that_are_no_text_reach_the_program(word):
    result = subprocess.run(
        [sys.executable, *CARDLAB, "games", word],
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"cardlab: unknown game ")
    assert result.stderr.decode("ascii", "replace").count("\n") == 1
    assert word not in result.stderr
