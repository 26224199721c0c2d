"""Players for tests, apart from the registry: quick ones, so that many matches fit."""

from __future__ import annotations

from typing import Any

from simcore.compiler.seat_policy import SeatPolicy
from simcore.games.up.pack import CLEAR, MINUS_TWO
from simcore.games.up.rules import OPEN, TURN_UP, cards_laid, kind_of, nth_play
from simcore.language import SEAT, below, nth, uniform
from tests.players import TestPlayer


def hasty(s, seat, moves: int, slip):
    """Shed cards quickly; now and then play anything."""
    if uniform(s, SEAT(seat)) < slip:
        return nth_play(s, seat, below(s, SEAT(seat), moves))
    best = nth_play(s, seat, 0)
    best_worth = -100
    for index in range(moves):
        move = nth_play(s, seat, index)
        worth = worth_of(s, seat, move)
        if worth > best_worth:
            best = move
            best_worth = worth
    return best


def worth_of(s, seat, move):
    """Return how much the player likes a move."""
    if move == TURN_UP:
        return 60
    kind = kind_of(s, move % OPEN)
    count = len(cards_laid(s, s.open_cards[seat] if move >= OPEN else s.hand[seat], move % OPEN))
    if kind == CLEAR:
        return 40
    if kind == MINUS_TWO:
        return 50 - count if s.cap > 2 * count else -50
    if s.cap == 0 or kind <= s.cap:
        return 100 + 20 * count + kind
    return -kind


def anything(s, seat, moves):
    """Decide anyhow before the play."""
    return nth(moves, below(s, SEAT(seat), len(moves)))


class Hasty(TestPlayer):
    """One that thinks only in the play."""

    def seat_policy(self, _options: Any) -> SeatPolicy:
        """Return who is asked."""
        return SeatPolicy(self.name, hasty, {"CUT": anything, "DECLARE": anything}, {"slip": 0.25})


HASTY = Hasty("hasty", hasty)
