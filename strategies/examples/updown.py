"""An example policy for UP & DOWN; it draws from its seat's private random stream."""

from simcore.games.updown.rules import CHANGE
from simcore.language import SEAT, because, uniform
from strategies import Param, policy
from strategies.updown import change_for_best_card, play_value, shed, surest_value


@policy(
    "updown",
    idea="goes for the trick with its best card most of the time, else throws a useless one away",
    params=[Param("zeal", 0.8, 0, 1, "how often it goes for the trick")],
)
def moody(s, seat, moves, zeal):
    """Go for the trick with probability `zeal`."""
    if s.phase == CHANGE:
        return change_for_best_card(s, seat)
    value = surest_value(s, seat, 0)
    if value != 0 and uniform(s, SEAT(seat)) < zeal:
        return play_value(s, seat, value)
    because("throw a useless card away")
    return shed(s, seat)
