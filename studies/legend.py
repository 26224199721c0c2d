"""One-line descriptions of rules and policies, from their declarations.

A variant is described by its title, or else by the options that it changes and their meanings; a
policy by its idea.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from simcore.described import DescribedGame
from simcore.options import show

if TYPE_CHECKING:
    from simcore.game import Game
    from strategies.policy import Policy
    from studies.measures import Table
    from studies.store.opened import Stored

T = TypeVar("T")


@dataclass(frozen=True)
class Legend:
    """Lines by name.

    Attributes
    ----------
    rules : mapping of str to str
        Variant or factor -> description.
    policies : mapping of str to str
        Policy, without its parameters -> description.
    looks : callable
        Returns, by policy, at how many things its code looks; reading sources takes a moment.
    """

    rules: Mapping[str, str] = field(default_factory=dict)
    policies: Mapping[str, str] = field(default_factory=dict)
    looks: Callable[[], Mapping[str, int]] = dict


def legend_of(
    cells: Sequence[Table],
    titles: Mapping[str, str] | None = None,
    factors: Mapping[str, Sequence[Any]] | None = None,
) -> Legend:
    """Return the descriptions of the variants and policies of some cells.

    Parameters
    ----------
    titles : mapping of str to str
        Titles of variants.
    factors : mapping of str to sequence
        Options with their levels, in place of the variants that are their combinations.
    """
    from studies.measures import BASELINE, game_of

    if not cells or not cells[0].game:
        return Legend()
    rules: dict[str, str] = {}
    explained: set[str] = set()
    for name, levels in (factors or {}).items():
        meaning = _meaning(game_of(cells[0]), name)
        rules[name] = f"{', '.join(map(show, levels))}: {meaning}"
        explained.add(name)
    bases = {(cell.lineup, show(cell.point)): cell for cell in cells if cell.variant == BASELINE}
    for cell in cells:
        base = bases.get((cell.lineup, show(cell.point)))
        if cell.variant in rules or base is None or cell is base:
            continue
        changed = {k: v for k, v in cell.options.items() if base.options.get(k) != v}
        if factors and set(changed) <= set(factors):
            continue
        given = (titles or {}).get(cell.variant)
        rules[cell.variant] = given or _change_words(game_of(cell), changed, explained)
    return Legend(rules, _ideas(cells), cache(partial(_looks, cells)))


def study_legend(stored: Stored) -> Legend:
    """Return the descriptions of the variants and policies of a stored study."""
    study = stored.study
    return legend_of(stored.cells, study.titles, study.factors.levels if study.factors else None)


def _change_words(game: Game, changed: Mapping[str, Any], explained: set[str]) -> str:
    """Describe the options that a variant sets; those explained in earlier lines by value alone."""
    if not changed:
        return "nothing, a control"
    parts = []
    for name, value in changed.items():
        if value is None and len(changed) > 1:
            continue  # as rounds where a limit of points takes their place
        meaning = _meaning(game, name)
        if name in explained or not meaning:
            parts.append(f"{name} = {show(value)}")
            continue
        explained.add(name)
        # The meaning is that of an option that is on.
        parts.append(f"{name} = {show(value)} ({'off: ' if value is False else ''}{meaning})")
    return ", ".join(parts)


def _meaning(game: Game, name: str) -> str:
    """Return the meaning of an option, without the note in parentheses on its other values."""
    meaning = next((option.meaning for option in game.options if option.name == name), "")
    return re.sub(r" \([^()]*\)$", "", meaning)


def _ideas(cells: Iterable[Table]) -> dict[str, str]:
    """Return the idea of each policy at the tables; unknown policies are left out."""
    found = _of_policies(cells, lambda game: game.ideas, lambda policy, _game: policy.idea)
    return {name: re.sub(r" [\[(][^\[\]()]*[\])]$", "", idea) for name, idea in found.items()}


def _looks(cells: Iterable[Table]) -> dict[str, int]:
    """Return at how many things each policy at the tables looks, where that is known."""

    def count(policy: Policy, game: Game) -> int | None:
        things = policy.looks_at(game)
        return None if things is None else len(things)

    return _of_policies(cells, lambda game: game.looks, count)


def _of_policies(
    cells: Iterable[Table],
    described: Callable[[DescribedGame], Mapping[str, T]],
    of: Callable[[Policy, Game], T | None],
) -> dict[str, T]:
    """Return something of each policy at the tables; unknown policies are left out."""
    from strategies import session
    from studies.measures import game_of

    found: dict[str, T] = {}
    known: dict[str, Mapping[str, Policy]] = {}
    for cell in cells:
        game = game_of(cell)
        if isinstance(game, DescribedGame):  # read from a directory, which runs no code
            told = described(game)
        elif cell.game not in known:
            known[cell.game] = (getattr(cell, "policies", None) or session()).of(game)
        for seat in cell.seats:
            name = seat.partition("(")[0]
            if name in found:
                continue
            if isinstance(game, DescribedGame):
                value = told.get(name)
            else:
                policy = known[cell.game].get(name)
                value = None if policy is None else of(policy, game)
            if value is not None:
                found[name] = value
    return found
