"""Victims: a move names a seat, and so does what each seat remembers; both are sound."""

from cardlab.rules import *

deck = french_deck()
players = 3, 5
(VICTIM,) = decisions("VICTIM")
harsh = option(False, "points count double")


class State:
    stock = hidden(all_cards)
    hand = own(cards)
    pile = shown(cards)
    top = shown(card)
    beaten_by = shown(number, per=seat)
    lost = shown(number, per=seat)


def deal(s):
    for one in seats():
        draw(s.stock, s.hand[one], 3)
        s.lost[one] = 0
        s.beaten_by[one] = -1


def legal(s, seat):
    return s.hand[seat]


def apply(s, seat, card):
    move(card, s.hand[seat], s.pile)
    s.top = card
    ask(s, seat, VICTIM)


def legal_victim(s, seat):
    return cards_in(all_seats()) - {seat}


def apply_victim(s, seat, victim):
    s.lost[victim] += rank(s.top) * (2 if harsh else 1)
    s.beaten_by[victim] = seat


def ended(s, seat):
    return not s.hand[after(seat, 1)]


def score(s):
    for one in seats():
        s.points[one] = -s.lost[one]
