"""Rows: each seat has a row face down; cards are looked at, taken, put back and cut."""

from cardlab.rules import *

deck = french_deck()
players = 2, 3


class State:
    stock = hidden(ordered)
    row = hidden(ordered, per=seat)
    spare = own(ordered, many=2)
    hand = own(cards)
    waste = shown(ordered)
    mark = shown(number)


def deal(s):
    bring(all_cards, s.stock)
    shuffle(s.stock)
    for one in seats():
        draw(s.stock, s.row[one], 4)
        draw(s.stock, s.hand[one], 2)
        draw(s.stock, s.spare[one][1], 2)
        look(one, s.row[one], 1)
    draw(s.stock, s.waste)
    s.mark = 0


def legal(s, seat):
    return {0, 1, 2, 3, 4, 5, 6}


def apply(s, seat, way):
    if way == 0:
        cut(s.stock, len(s.stock) // 3)
    elif way == 1 and s.hand[seat]:
        insert(lowest(s.hand[seat]), s.hand[seat], s.row[seat], 2)
    elif way == 2:
        insert(top(s.row[seat], 1), s.row[seat], s.stock, len(s.stock))
        draw(s.stock, s.hand[seat])
    elif way == 3:
        reveal(s.row[seat], 0)
        move(s.hand[seat], s.hand[seat], s.spare[seat][0])
    elif way == 4:
        for k in range(2):
            move(s.spare[seat][k], s.spare[seat][k], s.waste)
    elif way == 5:
        look(seat, s.stock, 0)
        move(top(s.waste), s.waste, s.stock)
        move(bottom(s.stock), s.stock, s.waste)
    else:
        while len(s.waste) > 1:
            draw(s.waste, s.stock)
    s.mark = s.mark * 31 + top(s.stock) + 7 * bottom(s.row[seat]) + 3 * len(s.spare[seat][0])
    s.mark = s.mark * 31 + seen(seat, s.stock, 0) + 5 * seen(after(seat, 1), s.row[seat], 0)
    s.mark = (s.mark * 31 + top(s.stock, len(s.stock) // 2)) % 1_000_003


def ended(s, seat):
    return len(s.stock) < 6 or s.steps > 30 or len(s.row[seat]) < 2


def score(s):
    s.points[s.seat] = s.mark % 1000


@policy
def watcher(s, seat, moves):
    """Takes what it knows to be high."""
    c = seen(seat, s.stock, 0)
    if c != NO_CARD and rank(c) > 4:
        return 2
    if top(s.waste) > 20 and seen(seat, s.row[seat], 0) == NO_CARD:
        return 5
    if s.spare[seat][1] and rank(top(s.spare[seat][1])) > 3:
        return 3
    return nth(moves, below(s, SEAT(seat), len(moves)))
