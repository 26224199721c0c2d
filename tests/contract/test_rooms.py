"""Every game has the rooms of `simcore.rooms`, with the functions and parameters said there.

What is missing is told in a sentence: which file, and what to add there.
"""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path
from types import SimpleNamespace

import pytest

from simcore.game import Game, game_names, get_game
from simcore.rooms import ROOMS, BlockKernel, KernelRoom, TableRoom

ROOT = Path(__file__).parents[2]
FOLDER = Path("simcore/games")


def parameters(function):
    """Return the names of the parameters; one that goes unused may begin with "_"."""
    plain = getattr(function, "py_func", function)
    return [name.lstrip("_") for name in inspect.signature(plain).parameters]


def members(protocol):
    """Yield the name of each member, its parameters (None: no function), and what it is for."""
    for name, function in vars(protocol).items():
        if inspect.isfunction(function) and not name.startswith("_"):
            yield name, parameters(function)[1:], inspect.getdoc(function).splitlines()[0]
    for name, kind in inspect.get_annotations(protocol).items():
        kept = inspect.getdoc(protocol).partition(f"\n{name} : ")[2].splitlines()[1].strip()
        wanted = parameters(BlockKernel.__call__)[1:] if kind == "BlockKernel" else None
        yield name, wanted, kept


def lacks(name, room, found):
    """Yield a sentence for everything that a room of a game lacks."""
    needed, *extras = ROOMS[room]
    place = FOLDER / name / f"{room}.py"
    for protocol in (needed, *extras):
        for member, wanted, purpose in members(protocol):
            what = member if wanted is None else f"{member}({', '.join(wanted)})"
            if not hasattr(found, member):
                if protocol is needed:
                    yield f"{place} lacks {what}: {purpose} See simcore/rooms.py"
            elif wanted is not None and parameters(getattr(found, member)) != wanted:
                given = ", ".join(parameters(getattr(found, member)))
                yield f"{place} has {member}({given}); simcore/rooms.py says {what}: {purpose}"


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("name", game_names())
def test_a_game_has_what_is_asked_of_it(name, room):
    path = FOLDER / name / f"{room}.py"
    assert (ROOT / path).is_file(), f"{path} is missing; simcore/rooms.py says what stands in it"
    found = importlib.import_module(f"simcore.games.{name}.{room}")
    wrong = list(lacks(name, room, found))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", game_names())
def test_a_game_has_a_descriptor_and_rules(name):
    assert isinstance(get_game(name), Game)
    for file in ("options.py", "RULES.md"):
        assert (ROOT / FOLDER / name / file).is_file(), f"{FOLDER / name / file} is missing"


def test_what_is_missing_is_told_in_a_sentence():
    def score_round(_table, _box):
        pass

    def finish_match(table, box):
        pass

    empty = SimpleNamespace(score_round=score_round, finish_match=finish_match)
    told = list(lacks("whist", "kernel", empty))
    assert (
        "simcore/games/whist/kernel.py lacks nth_move(table, seat, index): Return the move number "
        "`index` (from 0) of those found, in the order of `moves`. See simcore/rooms.py"
    ) in told
    assert (
        "simcore/games/whist/kernel.py lacks play_block(tables, boxes, seed, first, count, out, "
        "row): Plays one match after another, whoever plays. See simcore/rooms.py"
    ) in told
    assert (
        "simcore/games/whist/kernel.py has finish_match(table, box); simcore/rooms.py says "
        "finish_match(table): Name the winners, and what is counted of a match once it is over."
    ) in told
    assert not any("score_round" in one or "is_aside" in one for one in told)


def test_extras_must_fit_where_they_are():
    def deal_unseen(table, seat, box, stream):
        pass

    found = SimpleNamespace(deal_unseen=deal_unseen, beliefs=lambda: 0)
    (told,) = lacks("whist", "unseen", found)
    assert "has beliefs(); simcore/rooms.py says beliefs(table)" in told


def test_members_of_a_room_are_functions_and_constants():
    table = {name: wanted for name, wanted, _ in members(TableRoom)}
    assert table["PHASES"] is None
    assert table["new_records"] == ["options"]
    assert {name for name, *_ in members(KernelRoom)} > {"play_block", "start_match"}
