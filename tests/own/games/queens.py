"""Queens again: who lays a queen plays again."""

from cardlab.rules import *

game = "eights.py"
again = option(True, "a laid queen lets the same player play again")


class State:
    laid_queen = shown(number)


def next_seat(usual, s, seat):
    return seat if again and s.laid_queen else usual(s, seat)


def begin_turn(usual, s, seat):
    s.laid_queen = 0
    usual(s, seat)


def apply(usual, s, seat, card):
    usual(s, seat, card)
    s.laid_queen = rank(card) == QUEEN
