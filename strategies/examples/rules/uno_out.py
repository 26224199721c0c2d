"""Out at 25: a player who holds 25 cards when a turn begins is out of the round."""

from cardlab.rules import *

game = "uno"
most = option(25, 10, 100, "cards with which a player is out")


class State:
    out = shown(number)  # seats that are out, as bits


def clear_table(usual, s):
    usual(s)
    s.out = 0


def next_seat(usual, s, seat, steps):
    for _ in range(steps):
        seat = usual(s, seat, 1)
        while s.out >> seat & 1:
            seat = usual(s, seat, 1)
    return seat


def begin_turn(usual, s, seat):
    for other in seats():
        last = popcount(s.out | 1 << other) == players
        if len(s.hand[other]) >= most and not last:
            s.out |= 1 << other
    if s.out >> seat & 1:
        seat = next_seat(s, seat, 1)
    if popcount(s.out) == players - 1:  # the last one wins the round
        move(s.hand[seat], s.hand[seat], s.pile)
        end_round(s)
    else:
        usual(s, seat)
