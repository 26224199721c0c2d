"""The lowest versions that pyproject.toml allows, and whether two answers are the same.

`python -m tests.low_bounds` prints a requirement a line: each dependency at its lowest version.
`python -m tests.low_bounds ONE.csv OTHER.csv` compares what `cardlab compare --csv` wrote: numbers
that are searched for may differ in the ninth digit, as libraries add up in another order.
"""

from __future__ import annotations

import csv
import itertools
import math
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.programs import ROOT

NEAR = {"rel_tol": 1e-6, "abs_tol": 1e-9}


def lowest() -> Iterator[str]:
    """Yield each dependency at its lowest version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for requirement in project["dependencies"]:
        name, version = re.fullmatch(r"([\w-]+)>=([\w.]+)", requirement).groups()
        yield f"{name}=={version}"


def is_same(one: str, other: str) -> bool:
    """Tell whether two texts are the same, or numbers as close as that."""
    try:
        return one == other or math.isclose(float(one), float(other), **NEAR)
    except ValueError:
        return False


def difference(one: Path, other: Path) -> str:
    """Return the first difference of two answers; empty if there is none."""
    tables = [list(csv.reader(path.read_text("utf-8").splitlines())) for path in (one, other)]
    for number, rows in enumerate(itertools.zip_longest(*tables, fillvalue=[]), 1):
        if len(rows[0]) != len(rows[1]) or not all(map(is_same, *rows)):
            return f"line {number}: {rows[0]} and {rows[1]}"
    return ""


def main() -> int:
    """Print the requirements, or compare."""
    if len(sys.argv) == 1:
        sys.stdout.writelines(f"{requirement}\n" for requirement in lowest())
        return 0
    found = difference(*map(Path, sys.argv[1:]))
    sys.stderr.write(found and f"{found}\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
