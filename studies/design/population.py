"""Line-ups drawn at random from a population of players.

`[population]` gives policies with weights. Each seat of each table is drawn independently with
these weights, keyed by the study's seed, the table's number and the seat. So table k is the same
however many tables are drawn, more tables extend a study, and a table of three players is the
beginning of the table of four. With `alike = true` one policy is drawn for all seats of a table.
The order of the policies does not matter. Tables are rotated. The same table may be drawn twice.

All tables play the same deals, as all cells of a study do; `studies.answers.population` accounts
for the resulting covariance.
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
    """A table drawn from a population; the first seats are used, one for each player."""

    def held(self, players: int) -> list[str]:
        """Return the strategies of the first seats."""
        return self.seats[:players]


def study_lineups(study: Study, game: Game, policies: Policies | None = None) -> list[Lineup]:
    """Return the line-ups of a study: first those in its file, then the tables drawn."""
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
    """Return the tables drawn from a population, with `seats` seats each."""
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
