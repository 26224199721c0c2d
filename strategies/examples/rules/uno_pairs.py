"""Pairs: a player who lays a number card may lay an equal card with it."""

from cardlab.rules import *

game = "uno"
(BOTH,) = decisions("BOTH")


class State:
    pair = shown(number)  # the card that is being laid
    offered = shown(flag)


def lay(usual, s, seat, kind):
    equal = s.hand[seat] & {kind, kind + 64, kind + 128, kind + 192}
    if s.offered or rank(kind) > 9 or len(equal) < 2:
        s.offered = 0
        usual(s, seat, kind)
    else:
        s.pair = kind
        ask(s, seat, BOTH)


def legal_both(s, seat):
    return {0, 1}


def apply_both(s, seat, both):
    if both:
        move(one_of(s.hand[seat], s.pair), s.hand[seat], s.pile)
    s.offered = 1
    lay(s, seat, s.pair)


@answers(to="BOTH")
def both_at_once(s, seat, moves):
    return 1
