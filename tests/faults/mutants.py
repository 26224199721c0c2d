"""Study files and study directories changed at random, as a slip of the hand might.

Everything follows from a number: the same mutant comes out again.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import shutil
import tomllib

import pyarrow as pa
import pyarrow.parquet as pq
import tomli_w

NUMBERS = [0, 1, -1, 2, 7, 64, 10**6, 10**12, 2**63 - 1, -(2**63), True, False]
FLOATS = [0.5, -0.0, 1e308, 1e-308, math.nan, math.inf, -math.inf]
TEXTS = ["", "x", "random", "greedy", "off", "always", "2", "none", "true", "[1]", "ü💥", "a.b"]
ODD_TEXTS = ["a=b", "up", "random(", "random()", "../x", "x" * 3000, "\t"]
LISTS = [[], [[]], [1], ["a"], [1, "a"], [True, False], [[1], [2]], [1.5, 2], [None]]
TABLES = [{}, {"a": 1}, {"a": {"b": []}}, {"players": 3}, {"margin": 0.1}, [{}], [{"name": "x"}]]
DATES = [dt.date(1979, 5, 27), dt.time(7, 32), dt.datetime(1979, 5, 27, 7, 32, tzinfo=dt.UTC)]
VALUES = [*NUMBERS, *FLOATS, *TEXTS, *ODD_TEXTS, *LISTS, *TABLES, *DATES]
KEYS = [
    *("title", "game", "seed", "matches", "options", "sweep", "variants", "lineups", "goal"),
    *("compare", "detail", "rows", "block", "name", "seats", "rotate", "half_width", "margin"),
    *("players", "rounds", "dirty_one", "baseline", "greedy.x", "a", "", "ü", "x y", "win_share"),
]


def value(choice):
    """Return any value that TOML can write."""
    chosen = choice.choice(VALUES)
    return "null" if chosen == [None] else chosen


def places(node, path=()):
    """Yield the path of every value in a document of tables and lists."""
    entries = node.items() if isinstance(node, dict) else enumerate(node)
    for key, below in entries:
        yield (*path, key)
        if isinstance(below, dict | list):
            yield from places(below, (*path, key))


def change(document, choice, values=value):
    """Change a document in one place, modified in place."""
    path = choice.choice(list(places(document)) or [()])
    if not path:
        document[choice.choice(KEYS)] = values(choice)
        return
    node = document
    for key in path[:-1]:
        node = node[key]
    key = path[-1]
    kind = choice.choice(["value", "value", "value", "drop", "rename", "wrap", "add", "twice"])
    if kind == "value":
        node[key] = values(choice)
    elif kind == "drop":
        del node[key]
    elif kind == "rename" and isinstance(node, dict):
        node[choice.choice(KEYS)] = node.pop(key)
    elif kind == "wrap":
        node[key] = choice.choice([[node[key]], {"a": node[key]}, str(node[key])])
    elif kind == "twice" and isinstance(node, list):
        node.append(node[key])
    elif isinstance(node, dict):
        node[choice.choice(KEYS)] = values(choice)
    else:
        node.insert(key, values(choice))


def changed_text(text, choice):
    """Return a text that was changed in one place, without regard to what it means."""
    lines = text.split("\n")
    place = choice.randrange(len(lines))
    at = choice.randrange(len(text) + 1)
    return choice.choice(
        [
            "\n".join(lines[:place] + lines[place + 1 :]),
            "\n".join(lines[:place] + [lines[place]] * 2 + lines[place + 1 :]),
            "\n".join(choice.sample(lines, len(lines))),
            text[:at],
            text[:at] + choice.choice("[]{}\"'=,.#\\\0\x1b\n9eü💥\ufeff") + text[at:],
            text[:at] + text[at + 1 :],
            "\ufeff" + text,
            text.replace("=", ":", 1),
            text.replace('"', "'"),
            text.replace("\n", "\r\n"),
            text.upper(),
            text * 2,
        ]
    )


def mutated_study(text, choice):
    """Return the bytes of a study file with one change or several."""
    if choice.random() < 0.25:
        return changed_text(text, choice).encode("utf-8", "surrogatepass")
    if choice.random() < 0.05:
        return text.encode(choice.choice(["utf-16", "utf-8-sig", "utf-32"]))
    document = tomllib.loads(text)
    for _ in range(choice.choice([1, 1, 1, 2, 3])):
        change(document, choice)
    return tomli_w.dumps(document).encode()


def tamper(directory, choice):
    """Change a study directory in one place."""
    path = choice.choice(
        [path for path in sorted(directory.rglob("*")) if path.name != ".lock"]
        + 4
        * [
            directory / name
            for name in ("study.toml", "provenance.json", "cells.parquet", "manifest.json")
        ]
    )
    kind = choice.choice(["content", "content", "content", "content", "bytes", "tree"])
    if kind == "content" and path.is_file():
        try:
            _change_content(path, choice)
        except (pa.ArrowException, TypeError, ValueError, OverflowError, KeyError):
            path.write_bytes(b"")  # no such value can be written; an empty file it is
    elif kind == "bytes" and path.is_file():
        _change_bytes(path, choice)
    else:
        _change_tree(path, choice)


def edit(directory, choice):
    """Change what a document says, and the manifest with it, as a forger might."""
    path = directory / choice.choice(["study.toml", "provenance.json", "cells.parquet"])
    try:
        _change_content(path, choice)
    except (pa.ArrowException, TypeError, ValueError, OverflowError, KeyError):
        path.write_bytes(b"")  # no such value can be written; an empty file it is


def _change_content(path, choice):
    if path.suffix == ".json":
        data = json.loads(path.read_text())
        change(data, choice, lambda draw: choice.choice([None, value(draw)]))
        path.write_text(json.dumps(data, default=str))
    elif path.suffix == ".toml":
        path.write_bytes(mutated_study(path.read_text(), choice))
    else:
        pq.write_table(_changed_table(pq.ParquetFile(path).read(), choice), path)


def _changed_table(table, choice):
    place = choice.randrange(table.num_columns)
    name, rows = table.column_names[place], table.num_rows
    kind = choice.choice(["value", "value", "value", "type", "drop", "rename", "rows", "add"])
    if kind == "drop":
        return table.drop_columns([name])
    if kind == "rename":
        names = [choice.choice(KEYS) if item == name else item for item in table.column_names]
        return table.rename_columns(names)
    if kind == "rows":
        order = choice.choice(
            [[], [0] * rows, list(range(rows))[::-1], list(range(rows - 1)), [*range(rows), 0]]
        )
        return table.take(order)
    if kind == "add":
        return table.append_column(choice.choice(KEYS), [[value(choice)] * rows])
    if kind == "type":
        types = [pa.string(), pa.float64(), pa.int8(), pa.large_string(), pa.binary(), pa.uint64()]
        return table.set_column(place, name, table[name].cast(choice.choice(types)))
    values = table[name].to_pylist()
    json_text = json.dumps(value(choice), default=str)
    new = [None, json_text, value(choice), -1, 2**40, "\x1b[2J", values[-1], values[0]]
    values[choice.randrange(rows)] = choice.choice(new)
    try:
        return table.set_column(place, name, pa.array(values, table[name].type))
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return table.set_column(place, name, pa.array([str(item) for item in values]))


def _change_bytes(path, choice):
    content = bytearray(path.read_bytes())
    place = choice.randrange(len(content) + 1)
    path.write_bytes(
        choice.choice(
            [
                content[:place],
                content[place:],
                content * 2,
                content[:place] + b"\0" + content[place:],
                bytes(choice.randbytes(len(content))),
                b"",
                b"\xff\xfe\x00",
            ]
        )
    )


def _change_tree(path, choice):
    folder = path if path.is_dir() else path.parent
    files = [file for file in sorted(folder.rglob("*")) if file.is_file() and file.name != ".lock"]
    kind = choice.choice(["delete", "rename", "swap", "copy", "folder", "foreign", "link"])
    if kind == "delete":
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    elif kind == "rename":
        new = ["0000000000005-25.parquet", "cell=0", "x", "9" * 13 + "-1.parquet", ".x.1.tmp"]
        path.rename(path.with_name(choice.choice(new)))
    elif kind == "swap" and len(files) > 1:
        file, other = choice.sample(files, 2)
        first, second = file.read_bytes(), other.read_bytes()
        file.write_bytes(second)
        other.write_bytes(first)
    elif kind == "copy" and path.is_file():
        name = choice.choice(["0000000000000-25.parquet", "0000000000060-25.parquet", "copy.txt"])
        (path.parent / name).write_bytes(path.read_bytes())
    elif kind == "folder" and path.is_file():
        path.unlink()
        path.mkdir()
    elif kind == "link" and path.is_file():
        path.unlink()
        path.symlink_to(path.name)
    else:
        (folder / choice.choice(["notes.txt", "x.parquet", "cell=x"])).write_text("mine")
