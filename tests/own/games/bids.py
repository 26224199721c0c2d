"""Bids: each seat bids once; the highest bid names the suit that counts."""

from cardlab.rules import *

deck = french_deck()
players = 2
(TRUMP,) = decisions("TRUMP")


class State:
    stock = hidden(all_cards)
    hand = own(cards)
    most = shown(number, named="move")
    holder = shown(seat, start=-1)
    trump = shown(suit)
    best = shown(rank)


def deal(s):
    s.most, s.holder, s.trump = 0, -1, -1
    for one in seats():
        draw(s.stock, s.hand[one], 3)


def legal(s, seat):
    return {0, 1, 2, 3}


def apply(s, seat, bid):
    if bid >= s.most:
        s.most, s.holder = bid, seat
        s.best = rank(lowest(s.hand[seat]))
    if seat == 1:
        ask(s, s.holder, TRUMP)


def legal_trump(s, seat):
    return {0, 1, 2, 3}


def apply_trump(s, seat, suit):
    s.trump = suit


def ended(s, seat):
    return s.trump >= 0


def score(s):
    s.points[s.holder] = s.most


def name_move(s, bid):
    return f"bid {bid}" if bid else "pass"


@policy
def steady(s, seat, moves):
    """Always the third."""
    because("the third is enough")
    return nth(moves, 2)
