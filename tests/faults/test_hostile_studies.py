"""Study files, deck files and names that mean harm: refused in a line, or harmless."""

from __future__ import annotations

import os
import time

import pytest

from simcore.errors import InputError
from studies.cli.app import run_app
from studies.design.cells import expand
from studies.design.study import load_study
from tests.patience import PATIENCE

HEAD = 'game = "updown"\nmatches = 3\n'
LINEUP = '[[lineups]]\nname = "one"\nseats = ["random"]\n'


def dotted(table, parts):
    return f"{HEAD}{table}.{'.'.join('a' * parts)} = 1\n{LINEUP}"


DECK = 'game = "dnup"\nmatches = 1\n[options]\ndeck = {}\n' + LINEUP

REFUSED = {
    "huge seed": (f"seed = 1{'0' * 30}\n{HEAD}{LINEUP}", "2^63"),
    "huge matches": (f'game = "updown"\nmatches = 1{"0" * 4000}\n{LINEUP}', "1_000_000_000_000"),
    "too many digits": (f'game = "updown"\nmatches = 1{"0" * 5000}\n{LINEUP}', "no TOML"),
    "NaN matches": (f'game = "updown"\nmatches = nan\n{LINEUP}', "matches = nan"),
    "NaN option": (f"{HEAD}[options]\nrounds = nan\n{LINEUP}", "rounds = nan"),
    "infinite option": (f"{HEAD}[options]\nrounds = 1e999\n{LINEUP}", "rounds = inf"),
    "NaN in a sweep": (f"{HEAD}[sweep]\nrounds = [nan, 1]\n{LINEUP}", "nan"),
    "infinite goal": (f"{HEAD}{LINEUP}[goal]\nhalf_width = inf\n", "half_width = inf"),
    "infinite parameter": (f"{HEAD}{LINEUP}".replace("random", "saver(pot=inf)"), "'inf'"),
    "date": (f"{HEAD}[options]\nrounds = 1979-05-27\n{LINEUP}", "rounds = datetime"),
    "nested key": (dotted("options", 3000), "more than 32 parts"),
    "key of a terabyte": (dotted("options", 400_000), "more than 32 parts"),
    "nested list": (f"{HEAD}[sweep]\nrounds = {'[' * 900}{']' * 900}\n{LINEUP}", "no TOML"),
    "nested table": (f"{HEAD}[options]\nrounds = {'{a=' * 300}1{'}' * 300}\n{LINEUP}", "rounds"),
    "bomb of cells": (
        f"{HEAD}[sweep]\nrounds = {list(range(1, 1001))}\n[variants]\n"
        + "".join(f"v{i} = {{ tie_round = true }}\n" for i in range(200))
        + LINEUP,
        "201,000 cells",
    ),
    "too many seats": (f"{HEAD}{LINEUP}".replace('["random"]', f"{['random'] * 9999}"), "seats"),
    "escape in a variant": (f'{HEAD}[variants]\n"\\u001b[2J" = {{ rounds = 2 }}\n{LINEUP}', "line"),
    "escape in a line-up": (f"{HEAD}{LINEUP}".replace('"one"', '"\\u001b[31m"'), "in one line"),
    "right to left": (f"{HEAD}{LINEUP}".replace('"one"', '"\\u202egnp"'), "in one line"),
    "title of lines": (f'title = "a\\nb"\n{HEAD}{LINEUP}', "in one line"),
    "long name": (f"{HEAD}{LINEUP}".replace("one", "x" * 100_000), "a short name"),
    "path for a game": (f'game = "../up"\nmatches = 1\n{LINEUP}', "did you mean 'up'"),
    "sweep of a path": (f'{HEAD}[sweep]\n"../x.y" = [1]\n{LINEUP}', "changes no seat"),
    "zero byte": (f"{HEAD}{LINEUP}\0", "no TOML"),
    "device for a deck": (DECK.format('"/dev/zero"'), "it is a device"),
    "directory for a deck": (DECK.format('"."'), "it is a directory"),
    "list for a deck": (DECK.format("[1]"), "deck = "),
    "huge number for a deck": (DECK.format("9" * 4000), "deck = "),
    "escape for a deck": (DECK.format('"\\u001b[2J"'), "there is no such file"),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refused_in_one_line_soon(tmp_path, capsys, text, message):
    path = tmp_path / "study.toml"
    path.write_text(text, "utf-8")
    started = time.monotonic()
    assert run_app(["run", str(path), "--out", str(tmp_path / "out"), "--dry-run"]) == 2
    result = capsys.readouterr()
    assert time.monotonic() - started < PATIENCE
    assert message in result.err
    assert result.err.count("\n") == 1
    assert result.err[:-1].isprintable()
    assert len(result.err) < 800
    assert not (tmp_path / "out").exists()


def make(path, kind):
    """Put what is no text file at a path."""
    match kind:
        case "directory":
            path.mkdir()
        case "device":
            path.symlink_to("/dev/zero")
        case "pipe":
            os.mkfifo(path)
        case "loop":
            path.symlink_to(path)
        case "huge":
            with path.open("wb") as file:
                file.truncate(1 << 30)
        case "binary":
            path.write_bytes(bytes(range(256)))
        case "bomb":
            path.write_text("9" * 900_000 + "/2\n")


@pytest.mark.parametrize("kind", ["directory", "device", "pipe", "loop", "huge", "binary"])
def test_what_is_no_study_file(tmp_path, kind):
    path = tmp_path / "study.toml"
    make(path, kind)
    started = time.monotonic()
    with pytest.raises(InputError) as refused:
        load_study(str(path))
    assert time.monotonic() - started < PATIENCE
    assert len(str(refused.value)) < 700


@pytest.mark.parametrize("kind", ["huge", "binary", "loop", "bomb"])
def test_what_is_no_deck(tmp_path, kind):
    deck = tmp_path / "deck.txt"
    make(deck, kind)
    path = tmp_path / "study.toml"
    path.write_text(DECK.format(f'"{deck}"'))
    with pytest.raises(InputError, match="option deck = ") as refused:
        expand(load_study(str(path)))
    assert len(str(refused.value)) < 700


NAMES = [
    "../../x",
    "/etc/passwd",
    "<script>alert(1)</script>",
    "a|b",
    "$x$",
    "$\\\\frac{$",
    "'; --",
    "é💥",
]


@pytest.mark.whole
def test_names_are_labels_and_no_paths(tmp_path, capsys):
    inside = tmp_path / "inside"
    inside.mkdir()
    path = inside / "study.toml"
    variants = "".join(f'"{name}" = {{ rounds = {i + 2} }}\n' for i, name in enumerate(NAMES))
    path.write_text(
        f'title = "<img src=x onerror=alert(2)>"\n{HEAD}[variants]\n{variants}'
        '[[lineups]]\nname = "../<b>up</b>"\nseats = ["random", "saver"]\n',
        "utf-8",
    )
    out = str(inside / "out")
    assert run_app(["run", str(path), "--out", out, "--matches", "30"]) == 0
    assert run_app(["report", out]) == 0
    result = capsys.readouterr()
    assert "<script>alert(1)</script>" in result.out  # the terminal shows names as they are
    page = (inside / "out" / "report.html").read_text("utf-8")
    assert "&lt;script&gt;alert(1)" in page
    for harm in ("<script>alert", "<img src=x", "<b>up"):
        assert harm not in page
    assert sorted(path.name for path in tmp_path.iterdir()) == ["inside"]
    assert sorted(path.name for path in inside.iterdir()) == ["out", "study.toml"]
    cells = {path.name for path in (inside / "out" / "matches").iterdir()}
    assert len(cells) == 1 + len(NAMES)
    assert all(name.startswith("cell=") and name[5:].isalnum() for name in cells)


def test_a_foreign_study_directory_cannot_write_to_the_terminal(tmp_path, capsys):
    import json

    import pyarrow.parquet as pq

    from tests.studies.conftest import name_anew

    path = tmp_path / "study.toml"
    path.write_text(HEAD + LINEUP)
    out = tmp_path / "out"
    assert run_app(["run", str(path), "--out", str(out)]) == 0
    record = json.loads((out / "provenance.json").read_text())
    record["title"] = "\x1b[2Jgone"
    (out / "provenance.json").write_text(json.dumps(record))
    name_anew(out)
    assert run_app(["compare", str(out)]) == 0
    assert "\x1b" not in capsys.readouterr().out
    cells = pq.read_table(out / "cells.parquet")
    changed = cells.set_column(
        cells.schema.get_field_index("lineup"), "lineup", [["\x1b[31mred"] * cells.num_rows]
    )
    pq.write_table(changed.replace_schema_metadata(), out / "cells.parquet")
    name_anew(out)
    for command in ("compare", "report"):
        assert run_app([command, str(out)]) == 2
        result = capsys.readouterr()
        assert "holds control characters" in result.err
        assert "\x1b" not in result.out + result.err
