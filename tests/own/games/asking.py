"""Draw or not: who has a card that fits may draw one in its place."""

from cardlab.rules import *

game = "eights.py"
(DRAWING,) = decisions("DRAWING")


def begin_turn(usual, s, seat):
    usual(s, seat)
    if legal(s, seat) and s.stock:
        ask(s, seat, DRAWING)


def legal_drawing(s, seat):
    return {0, 1}


def apply_drawing(s, seat, yes):
    if yes:
        draw(s.stock, s.hand[seat])
    ask(s, seat, MOVE)


@answers(to="drawing")
def never(s, seat, moves):
    return 0
