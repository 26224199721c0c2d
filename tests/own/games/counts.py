"""What is laid."""

from cardlab.rules import *

game = "eights.py"
queens = measure("queens laid")
laid = measure("cards laid", per=card)
begun = measure("first cards", per=seat)
empty = measure("rounds that somebody ends without a card")


@at("before", MOVE)
def count_card(s, seat, card):
    s.count.laid[card] += 1
    s.count.queens += rank(card) == QUEEN


@at("deal")
def first(s):
    for one in seats():
        s.count.begun[one] += len(held(s, one))


@at("end")
def ended_empty(s):
    for one in seats():
        if not s.hand[one]:
            s.count.empty += 1
