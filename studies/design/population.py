"""Tables drawn from a population of players: a study's line-ups where who plays is left to chance.

`[population]` gives policies with weights. Each seat of each table is drawn by itself, by these
weights, from the study's seed, the number of the table and that of the seat: table k is the same
however many tables are drawn, so that more of them extend a study, and a table of three players is
the beginning of that of four. With `alike = true` one policy is drawn for all seats of a table. The
order in which the policies are written does not matter. Tables are rotated. A small population may
draw the same table twice, as it would be met twice.

All tables play the same deals, as all cells of a study do; what ties their results together is
taken into account where they are put together (`studies.answers.population`).
"""

from __future__ import annotations

import hashlib
import itertools

from simcore.errors import InputError
from simcore.game import Game
from simcore.options import IntOption
from strategies import Policies, parse_lineup
from studies.design.keys import Lineup, Population
from studies.design.study import Study

PLAYERS = "players"


class DrawnLineup(Lineup):
    """A table of a population: of its seats as many are taken as there are players."""


def study_lineups(study: Study, game: Game, policies: Policies | None = None) -> list[Lineup]:
    """Return the line-ups of a study: those in its file, then the tables that it draws."""
    if study.population is None:
        return study.lineups or [Lineup(name="random", seats=["random"])]
    for policy in study.population.policies:
        try:
            parse_lineup(game, [policy], policies)
        except InputError as error:
            raise InputError(f"population: {error}") from None
    players = next(option for option in game.options if option.name == PLAYERS)
    assert isinstance(players, IntOption)
    return [*study.lineups, *drawn(study.population, study.seed, players.high)]


def drawn(population: Population, seed: int, seats: int) -> list[Lineup]:
    """Return the tables of a population, with so many seats each."""
    return [
        DrawnLineup(
            name=name,
            seats=[
                _policy(population, f"{seed} {name} seat {0 if population.alike else seat}")
                for seat in range(seats)
            ],
            rotate=True,
        )
        for name in population.names
    ]


def _policy(population: Population, key: str) -> str:
    policies = sorted(population.policies)
    steps = list(itertools.accumulate(population.policies[policy] for policy in policies))
    draw = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest())
    at = draw / 2**64 * steps[-1]
    return next(
        (policy for policy, step in zip(policies, steps, strict=True) if at < step), policies[-1]
    )
