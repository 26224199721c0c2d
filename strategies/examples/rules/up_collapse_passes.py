"""A collapse ends the turn: the player who takes up the tower does not lead again."""

from cardlab.rules import *

game = "up"


def collapse(usual, s, seat):
    usual(s, seat)
    return True
