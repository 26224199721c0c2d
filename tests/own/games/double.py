"""Double: whoever bids least may double."""

from cardlab.rules import *

game = "bids.py"
(DOUBLE,) = decisions("DOUBLE")


class State:
    doubled = shown(number, named="double")


def apply(usual, s, seat, bid):
    if seat == 0:
        ask(s, 1, DOUBLE)
    usual(s, seat, bid)


def legal_double(s, seat):
    return {0, 1}


def apply_double(s, seat, way):
    s.doubled = way


def name_double(s, way):
    return "redouble" if way else "leave it"
