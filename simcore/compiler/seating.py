"""Who sits with whom, and who sees what a seat has: teams, and fields shown to some seats."""

from __future__ import annotations

from collections.abc import Sequence

from simcore.errors import InputError
from simcore.language import Field

Teams = int | Sequence[Sequence[int]] | None


class Seating:
    """The seats at tables of a game.

    Parameters
    ----------
    teams : int, sequence of sequences of int, or None
        So many teams, of which each seat further on is in the next, 1 if all win together; or the
        seats of each team.
    fewest, most : int
        Players.

    Attributes
    ----------
    tables : tuple of int
        Numbers of players that fall into the teams.

    Raises
    ------
    InputError
        If the seats do not fall into these teams.
    """

    def __init__(self, teams: Teams, fewest: int, most: int) -> None:
        self.fewest, self.most = fewest, most
        self.tables = tuple(range(fewest, most + 1))
        self.has_teams = teams is not None
        if isinstance(teams, int):
            self._check_number(teams)
            self._team_of = [seat % teams for seat in range(most)]
        elif teams is not None:
            self._check_seats(teams)
            team_of = {seat: place for place, team in enumerate(teams) for seat in team}
            self._team_of = [team_of[seat] for seat in range(most)]
        else:
            self._team_of = list(range(most))

    def _check_number(self, teams: int) -> None:
        if isinstance(teams, bool) or teams < 1:
            raise InputError(
                f"teams = {teams!r} is refused; allowed: 2 or more teams, or 1 if all win together"
            )
        for players in (self.fewest, self.most):
            if players % teams:
                raise InputError(
                    f"teams = {teams} is refused: {players} players do not fall into {teams} "
                    "equal teams; allowed: fewest and most players that do, or the seats of each "
                    "team, as in teams = ((0, 2), (1, 3))"
                )
        self.tables = tuple(n for n in self.tables if n % teams == 0)

    def _check_seats(self, teams: Sequence[Sequence[int]]) -> None:
        seats = [seat for team in teams for seat in team] if _is_seats(teams) else []
        if self.fewest != self.most or sorted(seats) != list(range(self.most)) or len(teams) < 2:
            raise InputError(
                f"teams = {teams!r} is refused; allowed: a number of teams, or for one number of "
                "players the seats of each team, every seat once, as in teams = ((0, 2), (1, 3))"
            )

    def team(self, seat: int, players: int | None = None) -> int:
        """Return the seats of a seat's team, as bits; of as many players as there may be."""
        team = self._team_of[seat]
        seats = range(self.most if players is None else players)
        return sum(1 << member for member in seats if self._team_of[member] == team)

    @property
    def are_pairs(self) -> bool:
        """Whether every seat has one partner, whatever the number of players."""
        return self.has_teams and all(
            self.team(seat, players).bit_count() == 2
            for players in self.tables
            for seat in range(players)
        )

    @property
    def in_turn(self) -> int:
        """The number of teams, if each seat further on is in the next; otherwise 0."""
        count = len(set(self._team_of))
        first = self._team_of[:count]
        is_in_turn = all(team == first[seat % count] for seat, team in enumerate(self._team_of))
        return count if self.has_teams and is_in_turn else 0

    @property
    def turns(self) -> bool:
        """Whether teams stay teams when every seat is exchanged for the next."""
        return all(
            (self.team(first, players) == self.team(second, players))
            == (
                self.team((first + 1) % players, players)
                == self.team((second + 1) % players, players)
            )
            for players in self.tables
            for first in range(players)
            for second in range(players)
        )

    def viewers(self, field: Field, holder: int, players: int) -> int:
        """Return the seats that see what a seat has in a field, as bits.

        Parameters
        ----------
        holder : int
            Of a field without seats it does not count.
        """
        everybody, holder_bit = (1 << players) - 1, 1 << holder
        if field.sees in ("shown", "hidden"):
            return everybody if field.sees == "shown" else 0
        seen = 0 if field.sees == "some" else holder_bit
        for relation in field.to:
            if relation == "partners":
                seen |= self.team(holder, players) & ~holder_bit
            elif relation == "others":
                seen |= everybody & ~holder_bit
            else:
                seen |= 1 << (holder + int(relation)) % players
        return seen


def _is_seats(teams: object) -> bool:
    return isinstance(teams, (tuple, list)) and all(
        isinstance(team, (tuple, list)) and all(type(seat) is int for seat in team)
        for team in teams
    )
