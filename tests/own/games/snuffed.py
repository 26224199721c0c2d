"""Snuffed: roll for forty; the first one on the die blows all candles out, and all lose."""

from cardlab.rules import *

players = 2, 4
sides = option(20, 2, 100, "sides of the die")


class State:
    total = shown(number, per=seat)


def deal(s):
    for p in seats():
        s.total[p] = 0


def legal(s, seat):
    return {0, 1}


def apply(s, seat, move):
    rolled = below(s, CHANCE, sides)
    s.total[seat] += rolled
    if rolled == 0:
        end_match(s, 0)


def ended(s, seat):
    return s.total[seat] >= 40


def score(s):
    for p in seats():
        s.points[p] = s.total[p]
