"""A policy of one's own for Up or down?: numbers, see `simcore.games.upordown.spec`."""

from simcore.games.upordown.choice import decide, own_turns_left
from strategies import Param, policy


@policy(
    "upordown",
    idea="small steps are worth much at first, and less and less with every turn",
    params=[Param("price", 0.06, 0, 1, "points that a number skipped costs, for each turn left")],
)
def ripener(table, seat):
    """Care for room while there is time to use it."""
    price = seat.params[0] * own_turns_left(table)
    return decide(table, seat, (1.0, price, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0))
