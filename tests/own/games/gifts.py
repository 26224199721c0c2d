"""Gifts: each seat gives a point, to its partner or to the next seat."""

from cardlab.rules import *

players = 4
teams = 2


class State:
    gifts = shown(number, per=seat)
    given = shown(number)


def deal(s):
    s.given = 0
    for one in seats():
        s.gifts[one] = 0


def legal(s, seat):
    return {0, 1}


def apply(s, seat, way):
    s.gifts[partner(seat) if way else after(seat, 1)] += 1
    s.given += 1


def ended(s, seat):
    return s.given == 12


def score(s):
    for one in seats():
        s.points[one] = s.gifts[one]
