"""Tally: say how many tricks you take, follow suit; exact bids score; three rounds."""

from cardlab.rules import *

deck = cards_of(suits=("red", "blue", "green"), ranks=range(1, 13))
players = 3
HAND, ROUNDS, NONE = 8, 3, -1

(BID,) = decisions("BID")


class State:
    stock = hidden(all_cards)
    hand = own(cards)
    table = shown(cards)
    gone = shown(cards)
    bid = shown(number, per=seat, start=-1)
    won = shown(number, per=seat)
    led = shown(suit, start=NONE)
    best = shown(card, start=NO_CARD)
    holder = shown(seat, start=NONE)


def deal(s):
    for player in seats():
        draw(s.stock, s.hand[player], HAND)
        s.bid[player], s.won[player] = NONE, 0
    s.led = s.best = s.holder = NONE
    ask(s, s.seat, BID)


def legal_bid(s, seat):
    return {0, 1, 2, 3, 4, 5, 6, 7, 8}


def apply_bid(s, seat, bid):
    s.bid[seat] = bid
    ask(s, after(seat, 1), BID if s.bid[after(seat, 1)] == NONE else MOVE)


def legal(s, seat):
    hand = s.hand[seat]
    return hand & of_suit(s.led) or hand if s.led != NONE else hand


def apply(s, seat, card):
    if s.led == NONE:
        s.led = suit(card)
    if s.best == NO_CARD or beats(s, card):
        s.best, s.holder = card, seat
    move(card, s.hand[seat], s.table)


def beats(s, card):
    return suit(card) == suit(s.best) and rank(card) > rank(s.best)


def next_seat(s, seat):
    if len(s.table) < players:
        return after(seat, 1)
    move(s.table, s.table, s.gone)
    s.won[s.holder] += 1
    s.led = s.best = NONE
    return s.holder


def ended(s, seat):
    return len(s.gone) == HAND * players


def score(s):
    for player in seats():
        s.points[player] = 10 + s.won[player] if s.won[player] == s.bid[player] else 0


def match_over(s):
    return s.round_number == ROUNDS


def always(s):
    return sum(s.won[player] for player in seats()) * players == len(s.gone)


@policy
def counter(s, seat, moves):
    """Bid its high cards; win while it needs tricks."""
    if s.phase == BID:
        return len({c for c in s.hand[seat] if rank(c) >= 8}) // 2
    wins = {c for c in moves if s.best == NO_CARD or beats(s, c)}
    if s.won[seat] < s.bid[seat] and wins:
        return max(wins, key=rank)
    return min(moves, key=rank)


@policy
def zero(s, seat, moves):
    """Bid nothing, lay the lowest."""
    return 0 if s.phase == BID else min(moves, key=rank)
