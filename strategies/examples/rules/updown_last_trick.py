"""The last trick of a round counts double."""

from cardlab.rules import *

game = "updown"


def note_who_leads(usual, s, winner):
    if s.trick == o.hand_size - 1:
        s.scores[winner] += 1
    usual(s, winner)
