"""Light collapse: only the lowest few cards of the tower are taken up; the rest leave the game."""

from cardlab.rules import *

game = "up"
taken_up = option(5, 1, 200, "cards of a tower that are taken up at most")


def take_up(usual, s, seat, taken: cardset):
    kept = first_of(taken, taken_up)
    move(taken - kept, s.tower, s.cleared)
    usual(s, seat, kept)
