"""The state and a policy's memory hold floats, and as many numbers as a small network needs."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardlab
from simcore.batch import play
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


FIELD = ("class State:", "class State:\n    share = shown(float, per=seat, start=1)")
STEP = (
    "    BODY\n",
    "    s.share[seat] = s.share[seat] / 3 + s.last\n    s.last = int(s.share[seat]) & 7\n",
)


def test_fields_hold_floats(tmp_path: Path):
    name = write(tmp_path, "guess.py", FIELD, STEP)
    assert assert_played_alike(cell_of(name), 20) == 20
    assert len(play(cell_of(name), 0, 100)) == 100


def test_a_policy_beside_a_game_remembers_more_than_64_numbers(tmp_path: Path):
    file = tmp_path / "mine.py"
    text = network(units=150, count=20)
    file.write_text(f'from cardlab.rules import *\n\ngame = "updown"\n{text}', encoding="utf-8")
    assert assert_played_alike(cell_of(f"updown+{file}", "network,random", players=3), 10) == 10


def test_too_much_memory_is_refused(tmp_path: Path):
    more = "".join(f"    part_{k} = memory(number, many=4000)\n" for k in range(5))
    text = network(units=5, count=2).replace("    mean = memory", f"{more}    mean = memory")
    text = text.replace("@policy(", '@policy("updown", idea="x", ')
    head = "from cardlab import Param, policy\nfrom cardlab.rules import lowest, memory, number\n"
    file = tmp_path / "mine.py"
    file.write_text(head + text, encoding="utf-8")
    with pytest.raises(Refused, match=r"remembers 20,006 numbers; allowed: 16,384"):
        cardlab.simulate("updown", lineup="network,random", strategies=str(file), matches=2)
