"""Cards: which of them each seat was dealt, drew and gave away, in any round of a match."""

from cardlab.rules import *

PLACES = 64 if deck.packs > 1 else deck.places  # equal cards of several packs are one
WORDS = -(-PLACES // 31)

card_dealt = measure("cards dealt to a seat, as bits", per=seat, many=WORDS)
card_drawn = measure("cards that came to a seat's hand later, as bits", per=seat, many=WORDS)
card_played = measure("cards that left a seat's hand, as bits", per=seat, many=WORDS)


class State:
    had = hidden(cardset, per=seat)


@at("deal")
def note_deal(s):
    for one in seats():
        s.had[one] = held(s, one)
        for c in s.had[one]:
            s.count.card_dealt[one * WORDS + c % PLACES // 31] |= 1 << c % PLACES % 31


@at("before")
@at("apply")
def note_changes(s, seat, move):
    look(s)


@at("round")
def note_round(s):
    look(s)


def look(s):
    for one in seats():
        now = held(s, one)
        for c in now - s.had[one]:
            s.count.card_drawn[one * WORDS + c % PLACES // 31] |= 1 << c % PLACES % 31
        for c in s.had[one] - now:
            s.count.card_played[one * WORDS + c % PLACES // 31] |= 1 << c % PLACES % 31
        s.had[one] = now
