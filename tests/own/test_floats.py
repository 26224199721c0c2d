"""A policy's memory holds floats, and as many numbers as a small network needs."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardlab
from simcore.compiler.program import Refused
from tests.own.small import assert_played_alike, cell_of, write

NETWORK = """


class State:
    units = memory(float, many={units})
    mean = memory(float)


@policy(params=[{params}])
def network(s, seat, moves, {names}):
    \"\"\"A network of one layer.\"\"\"
    best, most = lowest(moves), -1.0
    for card in moves:
        total = 0.0
        for k in range({units}):
            s.units[seat][k] = w0 * card + w1 / (k + 1)
            total += s.units[seat][k] * w{last}
        s.mean[seat] = s.mean[seat] * 0.9 + total
        if total > most:
            best, most = card, total
    return best
"""


def network(units: int, count: int) -> str:
    """Return the text of a policy with so many units and parameters."""
    names = [f"w{k}" for k in range(count)]
    params = ", ".join(
        f'Param("{name}", {k + 1}, -9, 99, "weight")' for k, name in enumerate(names)
    )
    return NETWORK.format(units=units, params=params, names=", ".join(names), last=count - 1)


BUMP = """

def bump(s, seat):
    s.kept[seat] += 1
"""
COUNTS = """

@policy
def counts(s, seat, moves):
    bump(s, seat)
    return lowest(moves) if s.kept[seat] & 1 else highest(moves)
"""


def test_policies_of_a_file_of_rules_remember_more_than_64_numbers(tmp_path: Path, monkeypatch):
    """Floats, and what a file beside it declares."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "guess.py", ("    BODY\n", ""))
    state, mark, policies = network(units=150, count=20).partition("\n\n\n@policy")
    head = "from cardlab.rules import *\n"
    declared = f"{head}{state}\n    kept = memory(number)\n{BUMP}"
    Path("helper_of_memory.py").write_text(declared)
    head += 'from helper_of_memory import *\n\ngame = "guess.py"'
    Path("mine.py").write_text(head + mark + policies + COUNTS)
    cell = cell_of("guess.py+mine.py", "network,counts,random", players=3)
    assert assert_played_alike(cell, 10) == 10


def test_too_much_memory_is_refused(tmp_path: Path):
    more = "".join(f"    part_{k} = memory(number, many=4000)\n" for k in range(5))
    text = network(units=5, count=2).replace("    mean = memory", f"{more}    mean = memory")
    text = text.replace("@policy(", '@policy("updown", idea="x", ')
    head = "from cardlab import Param, policy\nfrom cardlab.rules import lowest, memory, number\n"
    file = tmp_path / "mine.py"
    file.write_text(head + text, encoding="utf-8")
    with pytest.raises(Refused, match=r"remembers 20,006 numbers; allowed: 16,384"):
        cardlab.simulate("updown", lineup="network,random", strategies=str(file), matches=2)
