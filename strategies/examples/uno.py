"""A policy of one's own for UNO: no more than how it plays, in numbers."""

from simcore.games.uno.cards import ACTIONS, NUMBERS
from simcore.games.uno.spec import play_spec
from strategies import Param, spec_policy


@spec_policy(
    "uno",
    idea="lays numbers while all is quiet, and action cards once an opponent has few cards",
    params=[Param("cards", 4, 0, 20, "cards of an opponent that are few")],
)
def pacer(params):
    """Keep action cards for later."""
    return play_spec(NUMBERS, called_for=ACTIONS, opponents=params[0])
