"""Tricks: seven cards, three in each hand and one aside; who takes two of three tricks wins."""

from cardlab.rules import *

deck = numbered(7)
players = 2


class State:
    aside = hidden(all_cards)
    hand = own(cards)
    led = shown(card)  # the card to beat
    gone = shown(cards)
    taken = shown(number, per=seat)
    leader = shown(seat)


def deal(s):
    for player in seats():
        draw(s.aside, s.hand[player], 3)
        s.taken[player] = 0
    s.led = NO_CARD


def legal(s, seat):
    return s.hand[seat]


def apply(s, seat, card):
    if s.led == NO_CARD:
        s.led, s.leader = card, after(seat, 1)
    else:
        s.leader = seat if card > s.led else after(seat, 1)
        s.taken[s.leader] += 1
        s.led = NO_CARD
    move(card, s.hand[seat], s.gone)


def next_seat(s, seat):
    return s.leader


def ended(s, seat):
    return not s.hand[0] and not s.hand[1]


def score(s):
    for player in seats():
        s.points[player] = s.taken[player]


@policy
def highest_first(s, seat, moves):
    """Lay the highest card."""
    return highest(moves)


@policy
def thrifty(s, seat, moves):
    """Beat with the lowest card that can; else lay the lowest."""
    if s.led == NO_CARD:
        return lowest(moves)
    return lowest({card for card in moves if card > s.led} or moves)


@policy
def middle(s, seat, moves):
    """Lead the middle card; beat with the lowest that can."""
    if s.led == NO_CARD:
        return nth(moves, len(moves) // 2)
    return lowest({card for card in moves if card > s.led} or moves)
