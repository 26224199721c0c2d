"""Follow a match of the rules with a referee, decision by decision; both must agree on everything.

The referee (`tests/referee/<game>.py`) is given what chance decides and the moves; it must find the
same legal moves, the same state after every move and the same result. What differs by game is in
the adapters, `tests/<game>/following.py`.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

from simcore.batch import Cell
from simcore.events import MatchEnd, RoundEnd, RoundStart, Step
from simcore.game import Game
from simcore.match import Chooser, Match
from simcore.rng import next_word
from tests.agreement import same, same_in_play
from tests.referee.leads import comeback, last_lead_change


def seats_in(mask: int, players: int) -> set[int]:
    """Return the seats of a bit mask."""
    return {seat for seat in range(players) if mask >> seat & 1}


def chance_from(stream: list[int]) -> float:
    """Draw a number from 0 to 1 from a stream."""
    return (next_word(stream) >> 11) / (1 << 53)


class Follower:
    """A match of the rules, run as ordinary Python, with the referee beside it.

    Attributes
    ----------
    referee
    row : dict
        The columns of the match once `run` is through.
    """

    game: ClassVar[Game]
    leads: ClassVar[dict[str, bool]] = {}
    """How the game counts changes of the lead, as `last_lead_change` takes it."""

    def __init__(
        self, cell: Cell, match: int, *, rotation: int = 0, choose: Chooser | None = None
    ) -> None:
        self.cell, self.match, self.players = cell, match, cell.players
        self.playback = Match(cell, match, rotation=rotation, choose=choose)
        self.referee: Any = None
        self.row: dict[str, int] = {}
        self.decisions = self.forced = 0
        self.prepare()

    def prepare(self) -> None:
        """Set up what is needed before the first round."""

    def start_round(self, s: Any) -> None:
        """Deal to the referee what the rules dealt."""
        raise NotImplementedError

    def follow(self, step: Step) -> None:
        """Compare legal moves, make the move and compare the states."""
        raise NotImplementedError

    def lowest_wins(self) -> bool:
        """Tell whether the fewest points win."""
        return False

    def run(self) -> Self:
        for event in self.playback:
            match event:
                case RoundStart():
                    self.start_round(event.s)
                case Step():
                    self.decisions += len(event.moves) > 1
                    self.forced += len(event.moves) == 1
                    self.follow(event)
                case RoundEnd():
                    self.end_round(event)
                case MatchEnd():
                    self.compare_result()
        return self

    def end_round(self, end: RoundEnd) -> None:
        self.compare_totals(end.after.s)

    def compare_totals(self, s: Any) -> None:
        same(list(s.scores[: self.players]), self.referee.totals, "totals")
        same(seats_in(s.leaders, self.players), self.referee.leaders, "leaders")

    def compare_result(self) -> None:
        referee, row = self.referee, self.playback.row()
        self.row = row
        same(referee.phase, "MATCH_OVER", "phase")
        same(bool(row["aborted"]), referee.aborted, "aborted")
        winners = seats_in(row["winners"], self.players)
        same(winners, referee.winners, "winners")
        scores = [row[f"score_{seat}"] for seat in range(self.players)]
        same(scores, referee.totals, "scores")
        names = self.game.metric_names
        metrics = {name: referee.metrics[name] for name in names}
        same({name: row[name] for name in names}, metrics, "metrics")
        same_in_play(self.game, row, referee.came_into_play)
        same(row["decisions"], self.decisions, "decisions")
        same(row["forced"], self.forced, "forced moves")
        lowest = self.lowest_wins()
        same(row["comeback"], comeback(referee.history, winners, lowest=lowest), "comeback")
        since = last_lead_change(referee.history, lowest=lowest, **self.leads)
        same(row["last_lead_change"], since, "last lead change")
