"""Pairs: partners see each other's hands, all others the card on a brow."""

from cardlab.rules import *

deck = cards_of(suits=("red", "blue"), ranks=range(1, 14))
players = 4
teams = 2


class State:
    stock = hidden(all_cards)
    hand = own(cards, to=partners)
    brow = shown(cards, per=seat, to=others)
    peek = own(cards, to=1)
    laid = shown(cards)
    gone = shown(cards)
    best = shown(card, start=NO_CARD)
    holder = shown(seat)
    taken = shown(number, per=seat)


def deal(s):
    for one in seats():
        draw(s.stock, s.hand[one], 3)
        draw(s.stock, s.brow[one])
        draw(s.stock, s.peek[one])
        s.taken[one] = 0


def legal(s, seat):
    return s.hand[seat]


def apply(s, seat, card):
    move(card, s.hand[seat], s.laid)
    if s.best == NO_CARD or rank(card) > rank(s.best):
        s.best, s.holder = card, seat
    if len(s.laid) == players:
        s.taken[s.holder] += 1
        move(s.laid, s.laid, s.gone)
        s.best = NO_CARD


def next_seat(s, seat):
    return after(seat, 1) if s.laid else s.holder


def ended(s, seat):
    return len(s.gone) == 3 * players


def score(s):
    for one in seats():
        s.points[one] = s.taken[one]


@policy
def helper(s, seat, moves):
    """High, unless the partner can do better, or the cards on brows are high."""
    best = highest(moves)
    if any(rank(c) > rank(best) for c in s.hand[partner(seat)]):
        return lowest(moves)
    for one in others(seat):
        if s.brow[one] and rank(highest(s.brow[one])) > rank(best):
            best = lowest(moves)
    return best if rank(lowest(s.peek[after(seat, -1)])) > 3 else lowest(moves)
