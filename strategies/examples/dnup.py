"""A policy of one's own for dnup."""

from strategies import Param, policy
from strategies.dnup_moves import NOTHING, get_by, highest, largest, settle


@policy(
    "dnup",
    idea="plays its largest set while it holds many cards, then its highest value",
    params=[Param("cards", 6, 0, 40, "own cards that are many")],
)
def shrinker(table, seat):
    """Get rid of many cards first."""
    move = settle(table, seat)
    if move == NOTHING and table.cards[table.seat] >= seat.params[0]:
        move = largest(seat.plays)
    if move == NOTHING:
        move = highest(seat.plays)
    return move if move != NOTHING else get_by(table, seat)
