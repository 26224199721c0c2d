"""Guess: a game for tests."""

from cardlab.rules import *

deck = cards_of("AB", range(8))
players = 2, 4
size = option(3, 1, 4, "cards dealt")
PRICES = [3, 1, 4, 1, 5, 9, 2, 6]


class State:
    stock = hidden(all_cards)
    hand = own(cards)
    laid = shown(cards)
    sums = shown(number, per=seat, many=2)
    last = shown(number)


def deal(s):
    for one in seats():
        draw(s.stock, s.hand[one], size)
    s.last = 0
    for one in seats():
        s.sums[one][0] = s.sums[one][1] = 0


def legal(s, seat):
    return s.hand[seat]


def apply(s, seat, card):
    move(card, s.hand[seat], s.laid)
    BODY
    s.last = card


def ended(s, seat):
    return len(s.laid) == size * players


def score(s):
    for one in seats():
        s.points[one] = s.sums[one][0] - s.sums[one][1]
