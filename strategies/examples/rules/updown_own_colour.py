"""Follow suit: a player with cards of the colour that points at the seat must play one of them."""

from cardlab.rules import *

game = "updown"


def legal_card(usual, s, seat):
    return s.hand[seat] & of_suit(own_colour(s, seat)) or usual(s, seat)
