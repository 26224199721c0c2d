"""Why a policy moves as it does: the piece of play that decided, and what it weighed.

A policy is a ladder of pieces of play, each a function with a docstring. To tell why it moved, it
is run once more at that decision, on copies, in a second copy of the sources that is not compiled
and in which the calls of these pieces, and of what rates moves in them (`strategies.weighing`),
are noted. So what is told is what was computed: no policy is written a second time, and play knows
nothing of it. Where the second run does not come to the same move nothing of it is told.

The search is asked itself, compiled, as it is too slow otherwise. Users' policies are not run
again.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from simcore.jit import second_copy
from simcore.reason import Reason, Weight
from strategies.registry import registered
from strategies.weighing import AT_RANDOM, FOLLOWED, PIECES, RATINGS, Call, Piece, weigh_search

RANDOM = "random"
_NOTHING = -1


@dataclass
class World:
    """A game's policies, not compiled, in which calls are noted.

    Attributes
    ----------
    modules : dict
        `strategies.<game>`, the rooms of its pieces and those of the rules, by their last name.
    calls : list of Call
        The pieces that were called, in their order.
    ratings : list
        What was rated in the piece under way: names, arguments and results.
    """

    modules: dict[str, ModuleType]
    calls: list[Call] = field(default_factory=list)
    ratings: list[tuple[str, tuple[Any, ...], Any]] = field(default_factory=list)
    inside: bool = False
    searches: bool = False
    follows: bool = False

    def search(self, _table: Any, _seat: Any) -> int:
        """Stand for the search."""
        self.searches = True
        return _NOTHING

    def follow(self, _table: Any, _seat: Any) -> int:
        """Stand for the policy that a search plays rounds out with."""
        self.follows = True
        return _NOTHING

    def note_piece(self, name: str, piece: Piece, function: Callable[..., Any]) -> Any:
        """Return a function that does the same, and notes the calls that come from outside."""

        def noted(*args: Any) -> Any:
            if self.inside:
                return function(*args)
            self.ratings = []
            self.inside = True
            try:
                result = function(*args)
            finally:
                self.inside = False
            doc = (function.__doc__ or "").strip().splitlines()[0]
            step = piece.words or doc.partition(";")[0].rstrip(".")
            self.calls.append(Call(name, args, result, self.ratings, step))
            return result

        return noted

    def note_rating(self, name: str, function: Callable[..., Any]) -> Any:
        """Return a function that does the same, and notes what it does within a piece."""

        def noted(*args: Any) -> Any:
            result = function(*args)
            if self.inside:
                self.ratings.append((name, args, result))
            return result

        return noted


@cache
def world_of(game: str) -> World:
    """Return the policies of a game in which calls are noted."""
    with second_copy():
        importlib.import_module(f"strategies.{game}")
        importlib.import_module(f"simcore.games.{game}.kernel")
        modules = {
            name.rpartition(".")[2]: module
            for name, module in sys.modules.items()
            if name.startswith((f"strategies.{game}", f"simcore.games.{game}."))
        }
    world = World(modules)
    vars(modules[game])["best_move"] = world.search
    vars(modules[game])["usual_move"] = world.follow
    for module in modules.values():
        for name, piece in PIECES.get(game, {}).items():
            if name in vars(module):
                setattr(module, name, world.note_piece(name, piece, vars(module)[name]))
        for name in RATINGS.get(game, ()):
            if name in vars(module):
                setattr(module, name, world.note_rating(name, vars(module)[name]))
    return world


def reason_of(
    game: str, policy: str, table: Any, seat: Any, moves: Sequence[int], move: int
) -> Reason | None:
    """Return why one of our own policies made a move; None where that cannot be told.

    Parameters
    ----------
    game, policy : str
    table, seat : record
        Copies of what the policy was given, its moves found; modified in place.
    moves : sequence of int
        The legal ones.
    move : int
        The one that it made.
    """
    if policy == RANDOM:  # which the kernel plays without a call, in some games in its own way
        return Reason(AT_RANDOM.words.format(n=len(moves)))
    world = world_of(game)
    world.calls, world.searches, world.follows = [], False, False
    with np.errstate(over="ignore"):
        if registered(game)[policy].function is None:
            decide = world.modules["kernel"].by_spec
        else:
            decide = getattr(world.modules[game], policy)
        chosen = int(decide(table, seat))
        if world.searches:
            return weigh_search(table, seat, moves, move)
        if world.follows:
            return Reason(FOLLOWED)
        if chosen != move:
            return None
        return _told(game, world, table, seat, moves, move)


def _told(
    game: str, world: World, table: Any, seat: Any, moves: Sequence[int], move: int
) -> Reason | None:
    pieces = PIECES.get(game, {})
    calls = [call for call in world.calls if not pieces[call.name].is_left_out(call)]
    results = [pieces[call.name].move(call.result, table, seat) for call in calls]
    found = [_moves(result) for result in results]
    deciding = [number for number, some in enumerate(found) if move in some]
    if not deciding:
        return None
    # Where all pieces look, each for several moves, the first that finds some decides.
    number = deciding[0 if all(isinstance(result, list) for result in results) else -1]
    last = calls[number]
    vain = [call.step for call, some in zip(calls[:number], found, strict=False) if not some]
    piece = pieces[last.name]
    step = last.step
    if piece.tell is not None:
        step, before = piece.tell(world.modules, last)
        vain += before
    weights: dict[int, float] = {}
    if piece.weigh is not None:
        weights = piece.weigh(world.modules, table, seat, last, moves)
    ranked = sorted(weights.items(), key=lambda one: (-piece.sign * one[1], one[0] != move))
    return Reason(
        step=step.format(n=len(moves)),
        in_vain=tuple(dict.fromkeys(vain)),
        unit=piece.unit if weights else "",
        weights=tuple(Weight(one, value) for one, value in ranked),
    )


def _moves(found: Any) -> Sequence[int]:
    """Return the moves that a piece found: one, `_NOTHING`, or several."""
    if isinstance(found, list):
        return found
    return [] if int(found) == _NOTHING else [int(found)]
