"""Light collapse: of a tower only a few cards are taken up, the lowest; the others are gone."""

from cardlab.rules import *

game = "up"
taken_up = option(5, 1, 200, "cards of a tower that are taken up at most")


def take_up(usual, s, seat, taken: cardset):
    kept = first_of(taken, taken_up)
    move(taken - kept, s.tower, s.cleared)
    usual(s, seat, kept)
