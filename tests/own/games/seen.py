"""Guess: each seat has looked at the top card, sees its partner's, and guesses."""

from cardlab.rules import *

deck = cards_of(("red", "blue"), range(1, 11))
players = 4
teams = 2
what = option("top", ("top", "partner"), "whose suit is guessed")


class State:
    stock = hidden(ordered)
    hand = own(cards, to=partners)
    right = shown(number, per=seat)


def deal(s):
    bring(all_cards, s.stock)
    shuffle(s.stock)
    for one in seats():
        draw(s.stock, s.hand[one])
        s.right[one] = 0
    for one in seats():
        look(one, s.stock, 0)


def legal(s, seat):
    return {0, 1}


def apply(s, seat, suit_now):
    card = top(s.stock) if what == "top" else lowest(s.hand[partner(seat)])
    s.right[seat] = suit(card) == suit_now


def ended(s, seat):
    return s.steps == players


def score(s):
    for one in seats():
        s.points[one] = s.right[one]
