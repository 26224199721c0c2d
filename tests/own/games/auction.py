"""Auction: bid up to 100 for a prize of unknown worth."""

from cardlab.rules import *

players = 2, 5


class State:
    bid = own(number)
    worth = hidden(number)


def deal(s):
    s.worth = below(s, CHANCE, 200)
    for one in seats():
        s.bid[one] = -1


def count_move(s, seat):
    return 101


def nth_move(s, seat, k):
    return k


def apply(s, seat, bid):
    s.bid[seat] = bid


def ended(s, seat):
    return s.bid[after(seat, 1)] >= 0


def score(s):
    most = max(s.bid[one] for one in seats())
    for one in seats():
        s.points[one] = s.worth - most if s.bid[one] == most else 0


def deal_unseen(s, seat):
    s.worth = below(s, ASIDE, 200)


@policy
def highest_of(s, seat, moves):
    """The highest bid there is."""
    return moves - 1
