"""Dealt out: from seat 0 on, so that it has one more card with three players."""

from cardlab.rules import *

deck = french_deck()
players = 3, 4


class State:
    stock = hidden(all_cards)
    hand = own(cards)
    pile = shown(cards)
    best = shown(card)
    holder = shown(number)


def deal(s):
    for k in range(52):
        draw(s.stock, s.hand[k % players])
    s.best = NO_CARD


def legal(s, seat):
    return s.hand[seat]


def apply(s, seat, card):
    move(card, s.hand[seat], s.pile)
    if s.best < card:
        s.best, s.holder = card, seat


def ended(s, seat):
    return len(s.pile) >= 48


def score(s):
    s.points[s.holder] = 1
