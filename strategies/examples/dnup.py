"""An example policy for dnup."""

from simcore.games.dnup.rules import PICK
from strategies import Param, policy
from strategies.dnup import (
    HIGHEST_FIRST,
    NOTHING,
    State,
    get_by,
    opening,
    pick_least_useful,
    play_hardest,
    play_largest,
)


@policy(
    "dnup",
    idea="plays its largest set while it holds many cards, then its highest value",
    params=[Param("cards", 6, 0, 40, "hand cards from which on it plays its largest set")],
)
def shrinker(s, seat, moves: int, cards):
    """Shed large sets first, then high values."""
    if s.phase == PICK:
        return pick_least_useful(s, seat, moves)
    move, plays, whole_values, adds, takes = opening(s, seat, moves)
    if move == NOTHING and len(s.hand[seat]) >= cards:
        move = play_largest(plays)
    move = move if move != NOTHING else play_hardest(plays, HIGHEST_FIRST)
    return move if move != NOTHING else get_by(s, seat, plays, whole_values, adds, takes)


__all__ = ["State", "shrinker"]  # `State` declares what the helpers remember
