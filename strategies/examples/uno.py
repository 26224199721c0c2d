"""An example policy for UNO: which cards it lays first, and when."""

from simcore.games.uno.state import ACTIONS, COLOUR, NUMBERS
from strategies import Param, policy
from strategies.uno import fewest_cards, lay_richest, playable_cards, usual_answer


@policy(
    "uno",
    idea="lays numbers while all is quiet, and action cards once an opponent has few cards",
    params=[Param("cards", 4, 0, 20, "cards of an opponent that are few")],
)
def pacer(s, seat, moves, cards):
    """Keep action cards for later."""
    if s.phase >= COLOUR:
        return usual_answer(s, seat, moves)
    playable = playable_cards(s, seat, moves)
    first = playable & ACTIONS if fewest_cards(s, seat) <= cards else playable & NUMBERS
    return lay_richest(s, seat, first or playable, 0.0)
