"""What a game offers to a rule, a measure and a policy: `cardlab games GAME --reference`.

Read from the game's sources: fields, constants and decisions as they are declared, functions as
they call each other, and meanings from the docstrings and comments beside them. The pages
docs/reference/rules-*.md show the same screen.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

from simcore.compiler.program import (
    ENGINE_FIELDS,
    KINDS_OF_STEPS,
    STEPS,
    USUAL_ROUNDS,
    Program,
    Routine,
    program_of,
    simple_names,
)
from simcore.language import Decision, Deck, Dial, Field
from simcore.userfiles.rule_overrides import names_of
from studies.operations.arguments import Rules, game_of
from studies.operations.listing import metrics_of
from studies.render import Column, Table, listed

SEEN_BY = {
    "shown": "all",
    "own": "own seat",
    "hidden": "nobody",
    "memory": "own policy",
}

SEATS = {1: "next seat", -1: "seat before"}

ORDER_OF_DECISIONS = """
A match: start_match(s); then rounds; finish_match(s).
A round: deal(s); decisions, as long as a step ends with ask(s, seat, X); score_round(s) after
end_round(s).
A decision X: legal_x(s, seat); the seat's policy, if there are several moves; apply_x(s, seat,
move), with PASS (-1) where there is no move.
"""
ORDER_OF_TURNS = """
A match: rounds, until match_over(s).
A round: deal(s); begin_turn(s, seat); turns; score(s); match_over(s).
A turn: legal(s, seat); the seat's policy, if there are several moves; apply(s, seat, move), if
there is a move; next_seat(s, seat); ended(s, seat); begin_turn(s, seat) of the next seat. Where
apply asks a further decision, next_seat follows after its apply_….
"""
ORDER_OF_HOOKS = """
Functions of a file of rules: @at("deal") after deal, @at("before") and @at("apply") before and
after each apply_…, @at("round") after score_round, @at("end") at the end of the match.
"""
SEEN_IN_WORDS = (
    "seen by: `own seat` is s.NAME[seat] in a policy, with the name `seat`; of all places a policy "
    "may ask how many cards lie there, len(s.NAME)."
)


def reference_document(name: str, rules: Rules = None) -> dict[str, Any]:
    """Return what a game offers, as `cardlab games GAME --reference --json` prints it."""
    game = game_of(name, rules)
    program = program_of(game)
    names = names_of(game.rules())
    order = (ORDER_OF_TURNS if program.is_simple else ORDER_OF_DECISIONS).strip()
    order = f"{order}{ORDER_OF_HOOKS}".strip()
    return {
        "game": game.name,
        "order": re.sub(r"\n(?!A |Functions)", " ", order).splitlines(),  # continued lines joined
        "decisions": list(_decisions(program, names)),
        "fields": list(_fields(program)),
        "common fields": [f"s.{name}{_index(field)}" for name, field in ENGINE_FIELDS.items()],
        "constants": list(_constants(program, names)),
        "functions": list(_functions(program, names)),
        "options": [f"o.{name}" for name in game.option_names],
        "prepared": [
            {"name": f"o.{name}", "holds": f"{_holds(value)} by default"}
            for name, value in program.option_values(game.resolve({})).items()
            if name not in game.option_names
        ],
        "metrics": metrics_of(game),
    }


def reference_page(name: str, rules: Rules = None) -> list[Table | str]:
    """Return the displayed page of what a game offers."""
    import polars as pl

    game, reference = game_of(name, rules), reference_document(name, rules)
    intro = "What files of rules, measures and policies can use; words: docs/reference/language.md."
    if not game.digest:
        module = f"simcore.games.{game.name}.rules"
        intro += " A file of rules has all names; "
        intro += f"a file of policies says from {module} import NAME."

    def table(title: str, part: str, *columns: str) -> Iterator[Table]:
        if reference[part]:
            shown = tuple(Column(column) for column in columns)
            yield Table(pl.DataFrame(reference[part], infer_schema_length=None), shown, title)

    return [
        f"{game.title} ({game.name}). {intro}",
        *table("Decisions", "decisions", "decision", "asked by", "moves", "constants"),
        "\n".join(["Order of calls", *(f"  {line}" for line in reference["order"])]),
        *table(
            "Functions, each below its caller: replace or wrap any of them",
            "functions",
            "function",
            "what it does",
        ),
        *table("State", "fields", "field", "holds", "seen by", "meaning"),
        SEEN_IN_WORDS,
        f"In every game: {', '.join(reference['common fields'])}.",
        *table("Constants", "constants", "constants", "meaning"),
        f"Options (cardlab games {game.name}): {', '.join(reference['options'])}.",
        *table("Prepared from the options", "prepared", "name", "holds"),
        *table("Metrics, counted as s.count.NAME", "metrics", "metric", "meaning"),
    ]


# ------------------------------------------------------------------------------ functions, moves


def _functions(program: Program, names: dict[str, object]) -> Iterator[dict[str, str]]:
    """Yield every function, indented below its caller."""
    seen: set[str] = set()
    first = ["start_match", "deal"]
    of_decisions = [
        f"{kind}_{name.lower()}" for name in program.decisions for kind in KINDS_OF_STEPS
    ]
    last = [step for step in STEPS if step not in first]
    for step in (*first, *of_decisions, *last):
        if step in program.steps:
            yield from _below(program.steps[step], 0, seen)
    modules = {routine.function.__module__ for routine in program.steps.values()}
    for name, value in names.items():
        if isinstance(value, FunctionType) and name not in seen and value.__module__ in modules:
            marked = value.__dict__.keys() & {"policy", "answers", "at"}
            if not marked and name not in ("prepare", "always"):
                yield from _below(program.routine(value), 0, seen)


def _below(routine: Routine, depth: int, seen: set[str]) -> Iterator[dict[str, str]]:
    name, usual = routine.function.__name__, routine.file == USUAL_ROUNDS
    if usual and name not in ("next_seat", "begin_turn", "match_over"):
        below = depth  # what plays the rounds of every game of turns
    else:
        args = routine.function.__code__.co_varnames[: routine.function.__code__.co_argcount]
        summary = "as above" if name in seen else _first_line(routine.function)
        call = f"{'  ' * depth}{name}({', '.join(args)})"
        yield {"function": call, "what it does": summary}
        if name in seen:
            return
        seen.add(name)
        below = depth + 1
    calls = sorted(
        (node.lineno, node.col_offset, text)
        for node in ast.walk(routine.tree)
        if isinstance(node, ast.Name | ast.Attribute)
        and (text := ast.unparse(node)) in routine.calls
    )
    for text in dict.fromkeys(text for _, _, text in calls):
        yield from _below(routine.calls[text], below, seen)


def _first_line(function: FunctionType) -> str:
    lines = (function.__doc__ or "").strip().splitlines()
    return lines[0] if lines else ""


def _decisions(program: Program, names: dict[str, object]) -> Iterator[dict[str, str]]:
    for name in program.decisions:
        steps = {
            kind: program.steps[step]
            for kind in KINDS_OF_STEPS
            if (step := f"{kind}_{name.lower()}") in program.steps
        }
        legal = steps.get("legal") or steps["nth"]
        is_turn = program.is_simple and name == "MOVE"
        apply = program.space["apply"] if is_turn else steps["apply"].function
        read = {
            node.id
            for kind, routine in steps.items()
            if kind not in ("random", "apply")
            for node in ast.walk(routine.tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        named = [group.names for group in _declared(program) if f"`{name}`" in group.meaning]
        used = [
            f"{constant} = {value}"
            for constant, value in names.items()
            if (constant in read or any(constant in group for group in named))
            and type(value) is int
        ]
        move = apply.__code__.co_varnames[2]
        yield {
            "decision": name,
            "asked by": ", ".join(_asking(program, name)) or "every turn",
            "moves": f"{move}: {_first_line(legal.function) or 'as legal says'}",
            "constants": ", ".join(used),
        }


def _asking(program: Program, decision: str) -> Iterator[str]:
    """Yield the functions that ask a decision."""
    for routine in program.routines.values():
        for node in ast.walk(routine.tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "ask":
                names = {part.id for part in ast.walk(node.args[2]) if isinstance(part, ast.Name)}
                if decision in names:
                    yield routine.function.__name__
                    break


# --------------------------------------------------------------------------------- what is declared


class Declared(NamedTuple):
    """Names that stand together in a source, and the words about them."""

    names: tuple[str, ...]
    meaning: str


def _fields(program: Program) -> Iterator[dict[str, str]]:
    meanings = {
        name: declared.meaning
        for path in _files(program)
        for declared in declared_in(path, "State")
        for name in declared.names
    }
    for name, field in program.rules_fields.items():
        if name not in ENGINE_FIELDS:
            yield {
                "field": f"s.{name}{_index(field)}",
                "holds": field.kind.name,
                "seen by": ", ".join(_seen_by(field)),
                "meaning": meanings.get(name, ""),
            }


def _seen_by(declared: Field) -> Iterator[str]:
    if declared.sees != "some":
        yield SEEN_BY[declared.sees]
    for to in declared.to:
        yield to if isinstance(to, str) else SEATS.get(to, f"{to:+} seats")


def _index(declared: Field) -> str:
    seat = "[seat]" if declared.per_seat else ""
    return f"{seat}[0…{declared.many - 1}]" if declared.many else seat


def _files(program: Program) -> list[str]:
    """Return the sources of a game and of the files that change it."""
    package = program.rules.__name__.rpartition(".")[0]
    modules = [program.rules, *(change.module for change in program.game.changes)]
    for value in vars(program.rules).values():
        name = str(getattr(value, "__module__", "") or "")
        if package and name.startswith(f"{package}."):
            modules.append(sys.modules[name])
    if package:
        modules += [
            module for name, module in sys.modules.items() if name.startswith(f"{package}.")
        ]
    return list(dict.fromkeys(str(module.__file__) for module in modules))


def _constants(program: Program, names: dict[str, object]) -> Iterator[dict[str, str]]:
    read = {node.id for routine in program.routines.values() for node in simple_names(routine.tree)}
    for declared in _declared(program):
        known = [
            name
            for name in declared.names
            if name in read & names.keys()
            and name != "players"
            and not isinstance(names[name], FunctionType | Decision | Deck | Dial)
        ]
        read -= set(known)  # another file may import it
        if known:
            values = "\n".join(f"{name} = {_value(names[name])}" for name in known)
            yield {"constants": values, "meaning": declared.meaning}


def _declared(program: Program) -> Iterator[Declared]:
    for path in _files(program):
        yield from declared_in(path)


def _value(value: Any) -> str:
    text = repr(sorted(value)) if isinstance(value, frozenset) else repr(value)
    return text if len(text) <= 40 else _holds(value)


@cache
def declared_in(path: str, within: str = "") -> tuple[Declared, ...]:
    """Return the names that a source, or a class in it, declares, in order.

    Each has the docstring below it, with the names above that it mentions in backticks; else the
    comment at the end of its line.
    """
    source = Path(path).read_text(encoding="utf-8")
    comments = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    body: Sequence[ast.stmt] = ast.parse(source).body
    if within:
        classes = (node for node in body if isinstance(node, ast.ClassDef) and node.name == within)
        body = [statement for node in classes for statement in node.body]
    result: list[Declared] = []
    group: list[tuple[int, Declared]] = []
    for statement in body:
        line, end = statement.lineno, statement.end_lineno or statement.lineno
        if group and group[-1][0] + 1 < line:
            result += (declared for _, declared in group)
            group = []
        if isinstance(statement, ast.Assign):
            names = tuple(
                node.id
                for target in statement.targets
                for node in ast.walk(target)
                if isinstance(node, ast.Name)
            )
            group.append((end, Declared(names, comments.get(end, comments.get(line, "")))))
        elif (
            group
            and isinstance(statement, ast.Expr)
            and isinstance(statement.value, ast.Constant)
            and isinstance(statement.value.value, str)
        ):
            text = " ".join(statement.value.value.split())
            mentioned = [
                declared
                for _, declared in group[:-1]
                if any(f"`{n}`" in text for n in declared.names)
            ]
            result += (declared for _, declared in group[:-1] if declared not in mentioned)
            named = (name for declared in (*mentioned, group[-1][1]) for name in declared.names)
            result.append(Declared(tuple(named), text))
            group = []
    return (*result, *(declared for _, declared in group))


def _holds(value: Any) -> str:
    if isinstance(value, frozenset):
        return f"a set of {len(value)}"
    if not isinstance(value, list | tuple):
        return f"{value}"
    if value and isinstance(value[0], list | tuple):
        return f"{len(value)} rows of {len(value[0])} numbers"
    if value and isinstance(value[0], frozenset):
        return f"{len(value)} sets"
    text = listed(map(str, value), 8) if value else "none"
    return text if len(value) <= 8 and len(text) < 40 else f"{len(value)} numbers"
