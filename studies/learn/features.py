"""Features of a game: functions that somebody marked, and those made from its declared state.

What is made is source in the language: sets of cards that a seat sees, sizes of those that it does
not, numbers, and relations of a move to what lies there. Functions of the rules that read no more
than a seat may are features, too. All are held to what the seat sees by the proof that holds for
policies, and are tried in plain matches, where those that fail or never differ are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from inspect import isfunction
from itertools import product
from pathlib import Path
from typing import Any

from simcore.batch import Cell
from simcore.compiler.learned import OF_CARDS
from simcore.compiler.program import (
    ENGINE_FIELDS,
    KINDS_OF_STEPS,
    SIMPLE_STEPS,
    STEPS,
    Program,
    program_of,
)
from simcore.compiler.seat_policy import asks_of_move
from simcore.compiler.state import Cards
from simcore.errors import InputError
from simcore.game import Game, game_names
from simcore.language import Field, ordered
from simcore.match import Match
from simcore.userfiles.loading import load_user_file

TRIED, MOST_TRIED = 200, 1000
"""Decisions of a match at which features are tried as ordinary Python, and of all matches."""

MOST_MATCHES = 40
NEAR = 12
"""Ranks by which cards differ at most, where each difference is an input of its own."""

MOST_OF_MANY = 12
"""Places of one field beyond which its places are no features."""

Function = Callable[..., Any]

OF_SEAT, OF_SUIT = "of_seat_", "of_suit_"
"""Begin the names of features that take a move for a seat, or for a suit."""

HEADER = "from simcore.language import *\n"


@dataclass(frozen=True)
class Feature:
    """A feature of a decision.

    Attributes
    ----------
    name : str
    function : callable
    kind : str
        "cards", "whole" or "real": what it returns.
    source : str
        How a policy file has it: the text of the function, or an import; or empty, where the name
        is that of a function of the game.
    is_marked : bool
        Whether somebody marked it.
    """

    name: str
    function: Function
    kind: str
    source: str
    is_marked: bool


def features_of(
    cell: Cell, folder: Path, marked: Mapping[str, Function]
) -> dict[str, list[Feature]]:
    """Return the features of each decision of a game at one table.

    Parameters
    ----------
    cell : Cell
        Matches of which are tried.
    folder : Path
        Where the functions that are made are written.
    marked : mapping of callable
        What a policy file says to import them, and the marked functions beside those of the game.
    """
    program = program_of(cell.game.original)
    made = dict(_made(program, cell.players))
    file = folder / "features.py"
    text = HEADER + "".join(f"\n\n{source}" for source in made.values())
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")
    space = vars(load_user_file("features", file).module)
    candidates = [Feature(name, space[name], "", source, False) for name, source in made.items()]
    candidates += [
        Feature(name, function, "", "", "feature" in function.__dict__)
        for name, function in program.space.items()
        if isfunction(function) and ("feature" in function.__dict__ or _is_of_rules(program, name))
    ]
    candidates += [
        Feature(source.split()[-1], function, "", source, True)
        for source, function in marked.items()
    ]
    trial = _Trial(cell, program, [one for one in candidates if _is_allowed(program, one)])
    trial.run()
    found = {decision: trial.features(decision) for decision in program.decisions}
    return {
        decision: features
        for decision, features in found.items()
        if any(asks_of_move(one.function) for one in features)
    }


def marked_of(game: Game) -> dict[str, Function]:
    """Return the marked features of a built-in game, by what imports them."""
    if game.original.name not in game_names():
        return {}
    name = f"strategies.features.{game.original.name}"
    try:
        space = vars(import_module(name))
    except ModuleNotFoundError:
        return {}
    return {f"from {name} import {title}": one for title, one in marked_in(space).items()}


def marked_in(space: Mapping[str, Any]) -> dict[str, Function]:
    """Return the marked features among what a module names."""
    return {
        name: value
        for name, value in space.items()
        if isfunction(value) and "feature" in value.__dict__
    }


# --------------------------------------------------------------------------- which are candidates


def _is_of_rules(program: Program, name: str) -> bool:
    """Tell whether a function of the rules may be a feature, by its name and parameters."""
    function = program.space[name]
    is_step = name in (*STEPS, *SIMPLE_STEPS, "prepare") or name.startswith(
        tuple(f"{kind}_" for kind in (*KINDS_OF_STEPS, "name"))
    )
    code, space = function.__code__, vars(program.rules)
    params = code.co_varnames[: code.co_argcount]
    of_cards = any(param in params[-1:] for param in OF_CARDS)
    allowed = (
        ("s", "seat"),
        ("s", "seat", "card"),
        ("s", "card"),
        ("card",),
        ("s", "seat", "move"),
    )
    is_own = space.get(name) is function and function.__module__ == program.rules.__name__
    is_policy = "policy" in function.__dict__ or "answers" in function.__dict__
    return (
        is_own
        and not is_step
        and not is_policy
        and (params in allowed)
        and (of_cards or "seat" in params)
    )


def _is_allowed(program: Program, feature: Feature) -> bool:
    """Tell whether a feature reads only what its seat may; refuse a marked one that does not."""
    from strategies.checks import check_feature

    try:
        check_feature(program.game, feature.function)
    except InputError:
        if feature.is_marked:
            raise
        return False
    return True


class _Trial:
    """Asks features at positions of plain matches, and notes what they return."""

    def __init__(self, cell: Cell, program: Program, candidates: list[Feature]) -> None:
        self.cell, self.program, self.candidates = cell, program, candidates
        self.values: dict[tuple[str, int], list[Any]] = {}
        self.failed: set[int] = set()
        self.decisions = 0
        self.most: dict[str, int] = {}
        self.plain: Any = None
        self.functions: list[Function] = []

    def run(self) -> None:
        """Play matches until there were enough decisions."""
        for number in range(MOST_MATCHES):
            match = Match(self.cell, number, choose=self._choose)
            self.plain = match.plain
            self.functions = [self.plain.add(one.function) for one in self.candidates]
            before = self.decisions
            for _ in match.events(copies=False):
                if self.decisions >= before + TRIED:
                    break
            if self.decisions >= MOST_TRIED:
                return

    def _choose(self, s: Any, _s: Any, moves: tuple[int, ...]) -> int:
        """Ask all features at a position; choose some move."""
        decision = self.plain.decision_name(s.phase).upper()
        self.decisions += 1
        self.most[decision] = max(self.most.get(decision, 0), *moves)
        for place, one in enumerate(self.candidates):
            if place in self.failed or not _is_for(one, decision):
                continue
            try:
                found = list(_asked(self.program, self.plain, one, self.functions[place], s, moves))
            except InputError:
                if one.is_marked:
                    raise
                self.failed.add(place)
            else:
                self.values.setdefault((decision, place), []).extend(found)
        return moves[(7 * self.decisions) % len(moves)]

    def features(self, decision: str) -> list[Feature]:
        """Return the features of a decision that could be asked and differ, with their kinds."""
        found = []
        for place, one in enumerate(self.candidates):
            seen = self.values.get((decision, place), [])
            kinds = {type(value) for value in seen}
            is_one_kind = kinds == {Cards} or kinds <= {int, bool, float}
            differs = len({value.word if type(value) is Cards else value for value in seen}) > 1
            if not seen or not is_one_kind or place in self.failed:
                continue
            if one.is_marked or (differs and self._fits(one, decision)):
                whole = "whole" if kinds <= {int, bool} else "real"
                found.append(replace(one, kind="cards" if kinds == {Cards} else whole))
        return sorted(found, key=lambda one: asks_of_move(one.function))

    def _fits(self, feature: Feature, decision: str) -> bool:
        """Tell whether what a feature takes its move for may be meant, by the highest one."""
        suits = len(self.program.deck.suits) if self.program.deck else 0
        most = self.most.get(decision, 0)
        if feature.name.startswith(OF_SEAT):
            return most < self.cell.players
        if feature.name.startswith(OF_SUIT):
            return most < suits
        is_listed = f"legal_{decision.lower()}" in self.program.steps
        of_card = set(feature.function.__code__.co_varnames) & set(OF_CARDS)
        return not of_card or (most >= suits and is_listed)


def _is_for(feature: Feature, decision: str) -> bool:
    decisions = feature.function.__dict__.get("feature", ())
    return not decisions or decision in decisions


def _asked(
    program: Program, plain: Any, feature: Feature, function: Function, s: Any, moves: Any
) -> Iterator[Any]:
    """Yield the values of a feature at a position."""
    params = program.routine(feature.function).params
    given = {"s": s, "seat": s.seat}
    if not asks_of_move(feature.function):
        asked = partial(function, *(given[param] for param in params))
        yield plain.run(lambda _, asked=asked: asked(), s)
        return
    cards = program.deck.cards if program.deck else ()
    for move in moves:
        if set(params) & set(OF_CARDS) and move not in cards:
            continue
        asked = partial(function, *(given.get(param, move) for param in params))
        yield plain.run(lambda _, asked=asked: asked(), s)


# ----------------------------------------------------------------------- made of the declared state


def _made(program: Program, players: int) -> Iterator[tuple[str, str]]:
    """Yield the names of functions made of the declared state, each with its source."""
    sets, numbers, cards = list[tuple[str, str]](), list[tuple[str, str]](), list[tuple[str, str]]()
    for name, declared in program.rules_fields.items():
        if name not in ENGINE_FIELDS and name != "points":
            _sort(program, players, name, declared, sets, numbers, cards)
    for step in range(1, players):
        numbers.append((f"ahead_{step}", f"s.scores[seat] - s.scores[after(seat, {step})]"))
    for name, text in (*sets, *numbers):
        yield name, f"def {name}(s, seat):\n    return {text}\n"
    yield "move_", "def move_(s, seat, move):\n    return move\n"
    for name, declared in program.rules_fields.items():
        if (
            declared.per_seat
            and not declared.many
            and (
                program.is_place(declared.kind)
                or (declared.sees, declared.kind.name) == ("shown", "number")
            )
        ):
            text = f"s.{name}[move]"
            value = f"len({text})" if program.is_place(declared.kind) else text
            yield f"{OF_SEAT}{name}", _if_below(f"{OF_SEAT}{name}", value, players)
    if program.deck is not None:
        yield from _of_cards(program, sets, cards)


def _sort(
    program: Program,
    players: int,
    name: str,
    declared: Field,
    sets: list[tuple[str, str]],
    numbers: list[tuple[str, str]],
    cards: list[tuple[str, str]],
) -> None:
    """Add what a seat sees of one field to the sets, the numbers and the single cards."""
    if declared.sees == "memory" or declared.many > MOST_OF_MANY:
        return
    for step, place in product(
        range(players if declared.per_seat else 1), range(declared.many or 1)
    ):
        holder = (
            "" if not declared.per_seat else "[seat]" if step == 0 else f"[after(seat, {step})]"
        )
        index = f"[{place}]" if declared.many else ""
        title = name + (f"_of_{step}" if step else "") + (f"_{place}" if index else "")
        text = f"s.{name}{holder}{index}"
        if not (declared.sees == "shown" or (declared.sees == "own" and step == 0)):
            if program.is_place(declared.kind):
                numbers.append((f"size_{title}", f"len({text})"))
        elif program.is_set(declared.kind):
            sets.append((title, text))
            if declared.kind is ordered and declared.sees == "shown":
                cards.append((f"top_{title}", f"top({text}) if {text} else NO_CARD"))
        else:
            numbers.append((title, _relative(declared, text, players)))
            if declared.kind.name in ("card", "suit", "rank"):
                cards.append((title, text))


def _relative(declared: Field, text: str, players: int) -> str:
    """Return a number as the seat sees it: a seat by how far on it sits."""
    if declared.kind.name != "seat":
        return text
    return f"({text} + {players} - seat) % {players} if {text} >= 0 else -1"


def _of_cards(
    program: Program, sets: list[tuple[str, str]], cards: list[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """Yield features of a move that is a card: what it has in common with what lies there."""
    kinds = {title: program.rules_fields.get(title) for title, _ in cards}
    own = [text for _, text in sets if "[seat]" in text]
    hand = dict(sets).get("hand", own[0] if own else "set()")
    seen = "".join(f" - {text}" for _, text in sets)
    pools = {"kept": f"({hand}) - {{card}}", "unseen": f"all_cards{seen} - {{card}}"}
    for pool, text in pools.items():
        ways = {
            "alike": "len(pool & of_rank(rank(card)))",
            "of_suit": "len(pool & of_suit(suit(card)))",
            "above": "len(higher(pool & of_suit(suit(card)), card))",
        }
        for way, value in ways.items():
            name = f"{pool}_{way}"
            yield name, f"def {name}(s, seat, card):\n    pool = {text}\n    return {value}\n"
        name, count = f"{OF_SUIT}{pool}", len(program.deck.suits)  # type: ignore[union-attr]
        pool_of_all = text.removesuffix(" - {card}")
        yield name, _if_below(name, f"len(({pool_of_all}) & of_suit(move))", count)
    for name, value in (("rank_", "rank(card)"), ("suit_", "suit(card)")):
        yield name, f"def {name}(s, seat, card):\n    return {value}\n"
    for title, text in cards:
        declared = kinds[title]
        kind = declared.kind.name if declared else "card"
        name = f"fits_{title}"
        if kind == "card":
            same = (
                "(1 if suit(there) == suit(card) else 0) + (2 if rank(there) == rank(card) else 0)"
            )
            yield name, _about(name, text, f"{same} if there >= 0 else 4")
            far = "rank(card) - rank(there)"
            near = f"max(-{NEAR}, min({NEAR}, {far}))"
            for name, value in ((f"near_{title}", near), (f"beyond_{title}", far)):
                yield name, _about(name, text, f"{value} if there >= 0 else 0")
        else:
            yield name, _about(name, text, f"1 if {kind}(card) == there else 0")


def _about(name: str, there: str, value: str) -> str:
    return f"def {name}(s, seat, card):\n    there = {there}\n    return {value}\n"


def _if_below(name: str, value: str, count: int) -> str:
    test = f"move >= 0 and move < {count}"
    return f"def {name}(s, seat, move):\n    return {value} if {test} else 0\n"
