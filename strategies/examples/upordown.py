"""An example policy for Up or down?: its weights change from turn to turn."""

from strategies import Param, policy
from strategies.upordown import State, Weights, by_weights, own_turns_left


@policy(
    "upordown",
    idea="small steps are worth much at first, and less and less with every turn",
    params=[Param("price", 0.06, 0, 1, "points that a number skipped costs, for each turn left")],
)
def ripener(s, seat, moves, price):
    """Save room in the columns while there are turns left to use it."""
    return by_weights(s, seat, Weights(points=1.0, step=price * own_turns_left(s)))


__all__ = ["State", "ripener"]  # `State` declares what `by_weights` remembers of a turn planned
