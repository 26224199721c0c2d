"""Hearts in outline: tricks, no passing of cards (pagat.com/reverse/hearts.html)."""

from cardlab.rules import *

deck = french_deck()
players = 4
HEARTS, QUEEN_OF_SPADES, LOW_CLUB, NOBODY = 2, 3 * 16 + 11, 1, -1
STRENGTH = [13, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

moon = option(True, "who takes all 26 points gives them to the others")
queen = option(13, 0, 26, "points of the queen of spades")


class State:
    stock = hidden(all_cards)
    hand = own(cards)
    table = shown(cards)
    taken = shown(cards, per=seat)
    led = shown(number)  # suit; -1: the trick begins
    best = shown(card)
    holder = shown(number)  # seat that would take the trick
    broken = shown(number)


def deal(s):
    for seat in seats():
        draw(s.stock, s.hand[seat], 13)
        if LOW_CLUB in s.hand[seat]:  # the two of clubs leads
            s.seat = seat
    s.led = s.holder = NOBODY
    s.broken = 0


def legal(s, seat):
    if s.led == NOBODY:
        safe = s.hand[seat] - of_suit(HEARTS)
        return s.hand[seat] if s.broken else safe or s.hand[seat]
    return s.hand[seat] & of_suit(s.led) or s.hand[seat]


def apply(s, seat, card):
    move(card, s.hand[seat], s.table)
    if suit(card) == HEARTS:
        s.broken = 1
    if s.led == NOBODY:
        s.led, s.best, s.holder = suit(card), card, seat
    elif suit(card) == s.led and STRENGTH[rank(card)] > STRENGTH[rank(s.best)]:
        s.best, s.holder = card, seat


def next_seat(s, seat):
    if len(s.table) < players:
        return after(seat, 1)
    move(s.table, s.table, s.taken[s.holder])
    s.led = NOBODY
    return s.holder


def ended(s, seat):
    return not s.hand[after(seat, 1)] and not s.hand[seat]


def points(s, seat):
    bad = len(s.taken[seat] & of_suit(HEARTS))
    return bad + queen if QUEEN_OF_SPADES in s.taken[seat] else bad


def score(s):
    for seat in seats():
        s.points[seat] = -points(s, seat)
    for seat in seats():
        if moon and points(s, seat) == 13 + queen:
            for other in seats():
                s.points[other] = 0 if other == seat else -13 - queen


def always(s):
    """All points of a round go to somebody, or three times to all others."""
    total = -sum(s.points[seat] for seat in seats())
    return total in {0, 13 + queen, 3 * (13 + queen)}


@policy
def ducker(s, seat, moves):
    """The highest card that does not take the trick, else the lowest."""
    under = {c for c in moves if suit(c) == s.led and strength(c) < strength(s.best)}
    return max(under, key=strength) if under else min(moves, key=strength)


def strength(card):
    return STRENGTH[rank(card)]
