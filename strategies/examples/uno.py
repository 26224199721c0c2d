"""A policy of one's own for UNO."""

from simcore.games.uno.cards import ACTIONS, COLOURED, NUMBERS
from simcore.games.uno.spec import play_spec
from simcore.games.uno.table import CHALLENGE, COLOUR
from strategies import Param, policy
from strategies.uno_moves import answer, lay_or_draw
from strategies.uno_sight import fewest_cards, honest_cards, prefer


@policy(
    "uno",
    idea="lays numbers while all is quiet, and action cards once an opponent has few cards",
    params=[Param("cards", 4, 0, 20, "cards of an opponent that are few")],
    spec=lambda params: play_spec(NUMBERS, called_for=ACTIONS, opponents=params[0]),
)
def pacer(table, seat):
    """Keep action cards for later."""
    if table.phase in (CHALLENGE, COLOUR):
        return answer(table, seat)
    hurry = fewest_cards(table, seat) <= seat.params[0]
    cards = prefer(honest_cards(table, seat), COLOURED)
    return lay_or_draw(table, seat, prefer(cards, ACTIONS if hurry else NUMBERS))
