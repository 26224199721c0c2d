"""Turns: each card is followed by a decision."""

from cardlab.rules import *

deck = skat_deck()
players = 2
(EXTRA,) = decisions("EXTRA")


class State:
    stock = hidden(all_cards)
    hand = own(cards)
    laid = shown(cards)  # face up
    last = shown(card)


def deal(s):
    for one in seats():
        draw(s.stock, s.hand[one], 2)


def begin_turn(s, seat):
    s.last = NO_CARD


def legal(s, seat):
    return s.hand[seat]


def apply(s, seat, card):
    move(card, s.hand[seat], s.laid)
    s.last = card
    if s.hand[seat]:
        ask(s, seat, EXTRA)


def legal_extra(s, seat):
    return {0, 1}


def apply_extra(s, seat, yes):
    s.count.turns += 0


def next_seat(s, seat):
    return after(seat, 1)


def ended(s, seat):
    return not s.hand[0] and not s.hand[1]


def score(s):
    s.points[0] = 1


def match_over(s):
    return s.round_number == 2
