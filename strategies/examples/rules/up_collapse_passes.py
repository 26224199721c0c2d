"""A collapse ends the turn: who takes up the tower does not lead anew."""

from cardlab.rules import *

game = "up"


def collapse(usual, s, seat):
    usual(s, seat)
    return True
