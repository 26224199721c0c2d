"""One match in words, decision by decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from simcore.errors import unknown
from simcore.game import STOCK, get_game
from studies.api.asked import MATCHES_HIGH, given_rules, make_cell, whole_number
from studies.api.own import Strategies
from studies.api.shown import preformatted

if TYPE_CHECKING:
    from simcore.batch import Cell

SHOWN = ("moves", "table")


class Transcript:
    """A match in words, from `play`: print it, or let a notebook show it.

    Attributes
    ----------
    lines : tuple of str
        What is assumed about the rules, then what happens, in order.

    Examples
    --------
    >>> import cardlab
    >>> transcript = cardlab.play("up", players=2, rules={"rounds": 1})
    >>> transcript.lines[0]
    'Round 1: seat 1 (random) deals.'
    >>> len(transcript) == len(str(transcript).splitlines())
    True
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = tuple(lines)

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[str]:
        return iter(self.lines)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return preformatted(self.lines)


def play(
    game: str,
    *,
    players: int | None = None,
    rules: Mapping[str, object] | None = None,
    lineup: str | Sequence[str] = "random",
    seed: int = 1,
    match: int = 0,
    show: str = "moves",
    why: bool = False,
    coupling: str = STOCK,
    strategies: Strategies = None,
) -> Transcript:
    """Play one match and return it in words: row `match` of `simulate` with the same seed.

    Parameters
    ----------
    game, players, rules, lineup, seed, coupling, strategies
        As of `simulate`.
    match : int
        Number of the match, from 0.
    show : str
        "moves", or "table": also draw the table before each move.
    why : bool
        Whether to tell before each choice the legal moves, the one chosen with its mark in the
        rules, what the policy weighed, and which of its rules decided.

    Returns
    -------
    Transcript

    Raises
    ------
    InputError
        If anything of it is refused.

    Examples
    --------
    >>> import cardlab
    >>> print(cardlab.play("up", players=2, rules={"rounds": 1}, seed=3, match=4).lines[0])
    Round 1: seat 0 (random) deals.
    """
    number = whole_number("match", match, 0, MATCHES_HIGH - 1)
    check_shown(show, "show")
    cell = make_cell(
        get_game(game),
        given_rules(players, rules),
        lineup,
        seed=seed,
        coupling=coupling,
        strategies=strategies,
    )
    return Transcript(list(told(cell, number, show=show, why=why)))


def check_shown(show: str, name: str) -> None:
    """Refuse what is not shown."""
    if show not in SHOWN:
        raise unknown(f"word for {name}", show, SHOWN)


def told(cell: Cell, match: int, *, show: str = "moves", why: bool = False) -> Iterator[str]:
    """Yield the lines of a match, what is assumed about the rules first."""
    from simcore.replay import replay

    for assumption in cell.game.assumed({cell.players}):
        yield f"Assumption: {assumption}"
    yield from replay(cell, match, why=why, draw=show == "table")
