"""A policy of one's own for UP & DOWN; it draws from its seat's private random stream."""

from simcore import rng
from simcore.games.updown.table import CHANGE
from strategies import Param, policy
from strategies.updown_moves import NO_CARD, change_for_best_card, shed, surest_card


@policy(
    "updown",
    idea="goes for the trick with its best card most of the time, else throws a useless one away",
    params=[Param("zeal", 0.8, 0, 1, "how often it goes for the trick")],
)
def moody(table, seat):
    """Go for most tricks."""
    if table.phase == CHANGE:
        return change_for_best_card(table, seat)
    card = surest_card(table, seat)
    if card == NO_CARD or rng.uniform(seat.rng) >= seat.params[0]:
        card = shed(table, seat)
    return card
