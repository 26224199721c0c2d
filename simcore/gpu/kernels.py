"""A cell's matches as one module for `numba.cuda`: rules, options, players and policies together.

The rules and each policy are units, as for a processor (`compiler.units`); `cuda_types` makes
functions for a device of their texts. The module has these texts and a kernel. The layouts:

- "split": what there is once in registers, all other numbers in the thread's own memory;
- "strided": these in global memory, number k of thread t at k * threads + t.

Options and the number of players are constants of the module; parameters of policies are read, so
that a sweep over them is compiled once. Users' code is checked as it runs: a wrong index, a move
that is not legal, and loops without an end make a match "given up", and the CPU plays it again.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore.compiler import blocks
from simcore.compiler.program import Refused
from simcore.compiler.rounds import Rounds, add_policy
from simcore.compiler.seat_policy import SeatPolicy, seat_policies
from simcore.compiler.state_layout import Layout
from simcore.compiler.units import Unit

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")
"""Whether kernels run as ordinary Python, where numbers do not wrap around by themselves."""

GIVEN_UP = 2
"""In the column `aborted`: the match must be played by the CPU."""

SPLIT, STRIDED = "split", "strided"
LAYOUTS = {"upordown": STRIDED}
"""The layout a game is quickest with, as measured on an H100; others are split."""

_MODULE = '''"""{title}; written by cardlab."""

from simcore.gpu.cuda_types import FUEL, DeviceUnit, cuda, int64, on_device, same_as, start_of

{policies}
rules = DeviceUnit({rules}, {ask})
state, options = start_of(rules.space["State"]), start_of(rules.space["Options"])
start_match, start_round = rules.start_match, rules.start_round
step, look_after = rules.step, rules.look_after
SINGLES, OTHERS = rules.singles, max({size} + 1 - rules.singles, 1)


@cuda.jit(cache=bool(__file__))
def play(
    seed, first, start, stop, refill, taken, given,
    first_seat, winners, aborted, scores, metrics{room}
):
    singles = cuda.local.array(SINGLES, int64)
{others}
    s = state(singles, others, thread, stride)
    o = options(given, given, int64(0), int64(1))
    i = start + int64(cuda.grid(1))
    over = int64(1)
    while i < stop:
        if over != 0:
            for k in range(SINGLES):
                singles[k] = 0
            for k in range({cleared} + 1 - SINGLES):
                others[thread + k * stride] = 0
{memory}
            s._fuel = FUEL
            start_match(s, o, seed, first + i)
            start_round(s, o)
            over = int64(0)
        if step(s, o, s.seat):
            over = look_after(s, o)
        if s._fault != 0:
            over = int64(2)
        if over != 0:
            first_seat[i] = s.first_seat
            winners[i] = s.winners
            aborted[i] = {given_up} if over == 2 else s.aborted
            for seat in range({players}):
                scores[seat, i] = s.scores[seat]
{metrics}
            if refill != 0:
                i = int64(cuda.atomic.add(taken, 0, 1))
            else:
                i += int64(cuda.gridsize(1))
'''

_OWN_MEMORY = """
    others = cuda.local.array(OTHERS, int64)
    thread, stride = int64(0), int64(1)
"""
_SHARED_MEMORY = """
    others = room
    thread, stride = int64(cuda.grid(1)), int64(cuda.gridsize(1))
"""
_REMEMBERED = """
            for seat in range({players}):
                for k in range({remembered}):
                    others[thread + ({cleared} + 1 - SINGLES + seat * {words} + k) * stride] = 0
"""


@dataclass(frozen=True)
class Made:
    """A module for a device.

    Attributes
    ----------
    text : str
        Its source.
    size : int
        Numbers of the state that stand in global memory, a thread; 0 where none does.
    """

    text: str
    size: int


def module_of(cell: Any, layout: str = "") -> Made:
    """Write the module of a cell, which is the same for all its rotations.

    Raises
    ------
    Refused
        If a policy cannot be played on a device.
    """
    form, policies = cell.form, policies_of(cell)
    program = form.program
    fixed = {name: value for name, value in form.options.items() if name in _numbers(form.layout)}
    lowest = cell.game.best_score_under(cell.options) == "lowest"
    fixed |= {"players": cell.players, "lowest_wins": int(lowest)}
    unit = Unit(form.layout, checked=bool(program.game.digest) or SIMULATED)
    Rounds(unit).play()
    title = f"{program.game.title}, {cell.players} players"
    rules = unit.text(title, fixed)
    numbers = set(option_row(cell, 0)[_policies_at(form.layout)][: cell.players].tolist())
    if len(numbers) == 1:  # who sits where does not change by rotation
        rules = rules.replace("address = o._policy[seat]", f"address = {numbers.pop()}")
    lines, remembered = list[str](), 0
    for number, policy in enumerate(policies, 1):
        memory = policy.memory(program)
        own = Layout(program, form.options, memory, form.layout.memory_words)
        policy_unit = Unit(own, checked=policy.is_foreign or SIMULATED)
        add_policy(policy_unit, policy)
        remembered = max(remembered, own.remembered)
        text = policy_unit.text(f"{title}: {policy.name}", fixed)
        lines.append(f"policy_{number} = DeviceUnit({_quoted(text)})")
    layout = layout or LAYOUTS.get(cell.game.name, SPLIT)
    given = {
        "players": cell.players,
        "cleared": form.layout.room,
        "remembered": remembered,
        "words": form.layout.memory_words,
    }
    text = _MODULE.format(
        title=title,
        policies="\n".join([*lines, *_asking(len(policies), Rounds(unit).widest())]),
        rules=_quoted(rules),
        ask="ask" if policies else "None",
        size=form.layout.size,
        room="" if layout == SPLIT else ", room",
        others=(_OWN_MEMORY if layout == SPLIT else _SHARED_MEMORY).strip("\n"),
        memory=_REMEMBERED.format(**given).strip("\n") if remembered else "",
        metrics="\n".join(
            f"            metrics[{place}, i] = s.count.{name}"
            for place, name in enumerate(program.metrics)
        ),
        given_up=GIVEN_UP,
        **{name: given[name] for name in ("players", "cleared")},
    )
    return Made(text, form.layout.size if layout == STRIDED else 0)


def _numbers(layout: Layout) -> set[str]:
    """Return the options that are single numbers."""
    options = layout.options.items()
    return {name for name, (_, steps, kind, *_) in options if not steps and kind != "s"}


def _policies_at(layout: Layout) -> slice:
    first = layout.options["_policy"][0]
    return slice(first, first + layout.players)


def _quoted(text: str) -> str:
    assert "'''" not in text
    return f"r'''\n{text}'''"


def _asking(policies: int, widest: int) -> Sequence[str]:
    """Return lines with the function that asks a policy by its number."""
    if not policies:
        return []
    moves = ", ".join(f"m{k}" for k in range(widest))
    lines = []
    for k in range(1, policies + 1):
        space = f"policy_{k}.space"
        lines.append(f"s_{k}, o_{k} = (same_as({space}[name]) for name in ('State', 'Options'))")
        lines.append(f"entry_{k} = {space}['entry']")
    lines += ["", "", "@on_device", f"def ask(number, s, o, seat, which, at, {moves}):"]
    for k in range(1, policies + 1):
        call = f"return entry_{k}(s_{k}(s), o_{k}(o), seat, which, at, {moves})"
        lines += [f"    {call}"] if k == policies else [f"    if number == {k}:", f"        {call}"]
    return [*lines, "", ""]


Places = dict[str, tuple[Any, ...]]


def placed(state: Mapping[str, Sequence[Any]], width: int) -> tuple[Places, int, frozenset[str]]:
    """Return where the fields of a state stand on a GPU.

    Parameters
    ----------
    state : dict
        Where they stand for a processor (`state_layout.Layout.state`).
    width : int
        Words of a set of cards.

    Returns
    -------
    fields : dict
        As `state`, but that each of the two arrays is counted from 0.
    count : int
        How many numbers there are once.
    singles : frozenset of str
        The fields of these.
    """
    lists = [name for name, (_, steps, *_) in state.items() if steps]
    parts = re.compile("|".join(rf"{re.escape(name)}_\d+" for name in lists) or "-")
    singles = {name for name in state if name not in lists and not parts.fullmatch(name)}
    fields: Places = {"_fuel": (0, (), "n")}
    count = 1
    for name, place in sorted(state.items(), key=lambda item: item[1][0]):
        first = place[0]
        if name in singles:
            fields[name] = (count, *place[1:])
            count += width if place[2] == "s" else 1
        else:
            fields[name] = (first - count + 1, *place[1:])
    return fields, count, frozenset({"_fuel", *singles})


class Products(ast.NodeTransformer):
    """Spells products out, which a GPU would put together with sums, and round once for both."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Mult):
            return node
        return ast.Call(ast.Name("_times", ast.Load()), [node.left, node.right], [])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Mult):
            return node
        old = ast.parse(ast.unparse(node.target), mode="eval").body
        product = ast.Call(ast.Name("_times", ast.Load()), [old, node.value], [])
        return ast.Assign([node.target], product)


def policies_of(cell: Any) -> tuple[SeatPolicy, ...]:
    """Return the policies of a table, each once; parameter values may be any."""
    policies: dict[Any, SeatPolicy] = {}
    for policy in seat_policies(cell, 0):
        if policy.rollout is not None:
            raise Refused(
                f"a GPU does not play policy {policy.name!r}, which searches; allowed with device "
                "'cuda': policies that decide without playing rounds out"
            )
        if policy.network is not None:
            raise Refused(
                f"a GPU does not play policy {policy.name!r}, which was learned; allowed: device "
                "'cpu'"
            )
        if not policy.is_random:
            policies.setdefault(policy.identity, policy)
    return tuple(policies.values())


def option_row(cell: Any, rotation: int) -> np.ndarray:
    """Return the numbers that the module reads: which policy sits where, with which parameters."""
    numbers = {policy.identity: number for number, policy in enumerate(policies_of(cell), 1)}
    return blocks.option_row(
        cell, rotation, cell.form, lambda policy: numbers.get(policy.identity, 0)
    )
