"""Roles: seat 0 hopes for a low card, seat 1 for a high one; most are high."""

from cardlab.rules import *

deck = numbered(10)
players = 2
roles = True


class State:
    stock = hidden(all_cards)
    table = shown(cards)


def deal(s):
    s.seat = 0


def legal(s, seat):
    return {0}


def apply(s, seat, turn):
    draw(s.stock, s.table)


def ended(s, seat):
    return True


def score(s):
    s.points[0 if lowest(s.table) < 3 else 1] = 1
