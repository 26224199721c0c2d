"""A policy of your own for UNO: which cards it lays first, and when."""

from simcore.games.uno.state import ACTIONS, COLOUR, NUMBERS
from strategies import Param, policy
from strategies.uno import fewest_cards, lay_richest, that_go, usual_answer


@policy(
    "uno",
    idea="lays numbers while all is quiet, and action cards once an opponent has few cards",
    params=[Param("cards", 4, 0, 20, "cards of an opponent that are few")],
)
def pacer(s, seat, moves, cards):
    """Keep action cards for later."""
    if s.phase >= COLOUR:
        return usual_answer(s, seat, moves)
    going = that_go(s, seat, moves)
    first = going & ACTIONS if fewest_cards(s, seat) <= cards else going & NUMBERS
    return lay_richest(s, seat, first or going, 0.0)
