"""At which tables a game or a policy is checked: numbers of players, options, line-ups.

Every option is played at both of its ends, or with every word, and with the fewest and the most
players; what is given stays as it is.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simcore.batch import Cell
from simcore.errors import InputError
from simcore.game import Game
from simcore.options import (
    BoolOption,
    ChoiceOption,
    IntOption,
    Option,
    ProbabilityOption,
    show,
)
from simcore.phrases import joined
from simcore.userfiles.rule_overrides import parts_of
from strategies import Policies

SEED = 1


@dataclass(frozen=True)
class Table:
    """A table at which matches are played.

    Attributes
    ----------
    cell : Cell
    given : dict
        Its options that are not as by default, `players` among them.
    lineup : sequence of str
    is_usual : bool
        Whether nothing was varied.
    files : sequence of str
        Files of policies, for the command line.
    varied : str
        The option that is at one of its ends; none where only the players are varied.
    """

    cell: Cell
    given: Mapping[str, object]
    lineup: Sequence[str]
    is_usual: bool
    files: Sequence[str] = ()
    varied: str = ""

    @property
    def policies(self) -> str:
        """The policies at the table, each once."""
        return ", ".join(dict.fromkeys(map(str, self.cell.seats)))

    def command(self, match: int) -> str:
        """Return the command that narrates a match of this table."""
        name, *rules = parts_of(self.cell.game.name)
        words = ["cardlab", "play", name, *(w for rule in rules for w in ("--rules", rule))]
        for option, value in self.given.items():
            if option == "players":
                words += ["--players", str(value)]
            else:
                words += ["--rule", f"{option}={show(value)}"]
        words += ["--lineup", ",".join(self.lineup)]
        words += [word for file in self.files for word in ("--strategies", file)]
        return shlex.join([*words, "--seed", str(SEED), "--match", str(match)])

    @property
    def in_words(self) -> str:
        """Number of players, options other than the defaults, and policies."""
        given = {name: value for name, value in self.given.items() if name != "players"}
        options = "".join(f", {name} = {show(value)}" for name, value in given.items())
        return f"{self.cell.players} players{options} ({self.policies})"


def tables(
    game: Game,
    lineups: Sequence[Sequence[str]],
    given: Mapping[str, object],
    policies: Policies | None = None,
) -> list[Table]:
    """Return the tables: each line-up as usual, then the numbers of players and the options.

    Where options are varied, code for any of them plays all tables: it is compiled once.

    Parameters
    ----------
    game : Game
    lineups : sequence of line-ups
        They take turns.
    given : mapping
        Options that stay as they are.
    policies : Policies, optional
        Default: those of the session.
    """
    files = [str(file) for file in policies.files] if policies else []
    kept: list[Table] = []
    fewest, most = game.players.low, game.players.high
    counts = [int(str(given["players"]))] if "players" in given else [fewest, most]
    settings: list[Mapping[str, object]] = [{} for _ in lineups]
    settings += [{"players": players} for players in counts]
    usual = game.original.option_names if game.changes else ("players",)
    varied = [option for option in game.options if option.name not in (*usual, "players", *given)]
    ends = [{option.name: value} for option in varied for value in ends_of(option)]
    settings += [{"players": counts[place % len(counts)], **end} for place, end in enumerate(ends)]
    for place, setting in enumerate(settings):
        lineup = lineups[place % len(lineups)]
        cell = _cell(game, lineup, {**setting, **given}, policies)
        if cell is not None and all(cell != table.cell for table in kept):
            shown, is_usual = lineup[: cell.players], place < len(lineups)
            end = next((name for name in setting if name != "players"), "")
            kept.append(Table(cell, {**setting, **given}, shown, is_usual, files, end))
    general = any(table.varied for table in kept)
    return [replace(table, cell=replace(table.cell, general=general)) for table in kept]


def other_deals(played: Sequence[Table]) -> Iterator[Table]:
    """Yield each option's ends with the numbers of players at which they have not been played.

    Random play sits there: it is the deal that is tried.
    """
    known = [table.cell.options for table in played]
    for table in played:
        for players in dict.fromkeys(other.cell.players for other in played):
            given = {**table.given, "players": players}
            cell = _cell(table.cell.game, ["random"], given, None) if table.varied else None
            if cell is not None and cell.options not in known:
                yield Table(cell, given, ["random"], is_usual=False, varied=table.varied)


def _cell(
    game: Game, lineup: Sequence[str], given: Mapping[str, object], policies: Policies | None
) -> Cell | None:
    from strategies import parse_lineup, seat_lineup

    try:
        options = game.resolve(given)
    except InputError:
        return None  # a combination that the game refuses
    players = options["players"]
    assert isinstance(players, int)
    seats = seat_lineup(parse_lineup(game, list(lineup), policies)[:players], players)
    return Cell(game, options, seats, SEED)


def ends_of(option: Option) -> list[Any]:
    """Return the values of an option at its ends that are not its default."""
    values: list[Any] = []
    if isinstance(option, BoolOption):
        values = [True, False]
    elif isinstance(option, ChoiceOption):
        values = list(option.values)
    elif isinstance(option, IntOption | ProbabilityOption):
        values = [getattr(option, "low", 0), getattr(option, "high", 1)]
    return [value for value in dict.fromkeys(values) if value != option.default]


def played_at(tables: Sequence[Table]) -> str:
    """Describe the tables that were played."""
    counts = sorted({table.cell.players for table in tables})
    policies = dict.fromkeys(str(seat) for table in tables for seat in table.cell.seats)
    options: dict[str, list[str]] = {}
    for table in tables:
        for name, value in table.given.items():
            if name != "players":
                options.setdefault(name, []).append(show(value))
    varied = "; ".join(f"{name} {', '.join(dict.fromkeys(v))}" for name, v in options.items())
    players = joined([str(count) for count in counts])
    return (
        f"{len(tables)} tables: {players} players; {', '.join(policies)}; "
        f"options as by default{f', then {varied}' if varied else ''}"
    )
