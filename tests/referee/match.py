"""What the referees of all games share: options, who leads, and what came into play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, ClassVar

Move = tuple[Any, ...]


class Referee:
    """One match of a game, followed in plain Python: a slow twin of the compiled kernel.

    It is written from the rule text and the options alone, house rules and dials among them, and
    without a look at any kernel. It keeps the cards by name, knows every legal move, carries out
    one move at a time and scores. It draws no random numbers of its own: what chance decides comes
    from the driver, as do the options, all of them and with values that are allowed.

    Attributes
    ----------
    options
        The options of the match, named as on the command line.
    phase
        "START" (a round must be started), "MATCH_OVER", or a phase of the game.
    on_turn
        Seat that decides or acts now; without meaning in "START" and "MATCH_OVER".
    totals
        Points of each seat so far.
    history
        The totals after every round (trick, lap), and after a match that was won within a round.
    leaders, winners
        Seats in the lead when that was last looked at, none before; who has won.
    aborted
        Whether the match ended before its time.
    metrics
        What is counted, by name.
    came_into_play
        House rules and dials, by option, without which the match would have gone otherwise so far.
    """

    usual: ClassVar[Mapping[str, Any]] = {}
    """What options say by the rule text, where the referee must tell house rules from it."""

    def __init__(self, options: Mapping[str, Any], on_turn: int = 0) -> None:
        self.options = SimpleNamespace(**options)
        self.players: int = self.options.players
        self.phase = "START"
        self.on_turn = on_turn
        self.totals = [0] * self.players
        self.history: list[list[int]] = []
        self.leaders: set[int] = set()
        self.winners: set[int] = set()
        self.aborted = False
        self.metrics: Counter[str] = Counter()
        self.came_into_play: set[str] = set()

    def legal_moves(self) -> Any:
        """Give the moves of the seat on turn; none if it can make none."""
        raise NotImplementedError

    def next_seat(self, seat: int) -> int:
        """Give the next seat clockwise."""
        return (seat + 1) % self.players

    def note(self, **house_rules: bool) -> None:
        """Note the house rules that came into play."""
        self.came_into_play |= {option for option, came in house_rules.items() if came}

    def note_unusual(self, *options: str) -> None:
        """Note options that came into play, if they are others than by the rule text."""
        given = vars(self.options)
        self.note(**{option: given[option] != self.usual[option] for option in options})

    def count_most(self, metric: str, number: int) -> None:
        """Count the largest number of a match."""
        self.metrics[metric] = max(self.metrics[metric], number)

    def seats_ahead(self, *, lowest: bool = False) -> set[int]:
        """Give the seats with the best total."""
        best = min(self.totals) if lowest else max(self.totals)
        return {seat for seat, total in enumerate(self.totals) if total == best}

    def look_who_leads(self, *, lowest: bool = False) -> None:
        """Count a change of the lead; the first leaders are none."""
        leaders = self.seats_ahead(lowest=lowest)
        if self.leaders and leaders != self.leaders:
            self.metrics["lead_changes"] += 1
        self.leaders = leaders

    def end_match(self, winners: set[int]) -> None:
        """End the match in its time."""
        self.phase = "MATCH_OVER"
        self.winners = winners

    def abort(self) -> None:
        """End the match before its time, without a winner."""
        self.phase = "MATCH_OVER"
        self.aborted = True
