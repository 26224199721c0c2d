"""Crazy Eights (pagat.com/eights/crazy8s.html): be the first to lay all your cards."""

from cardlab.rules import *

deck = french_deck()  # 52 cards, rank 0 (ace) to 12 (king), four suits
players = 2, 7
ACE, TWO, EIGHT, QUEEN = 0, 1, 7, 11
POINTS = [1, 2, 3, 4, 5, 6, 7, 50, 9, 10, 10, 10, 10]

(SUIT,) = decisions("SUIT")

hand_size = option(0, 0, 7, "cards dealt; 0: seven to two players, else five")
wild = option(EIGHT, -1, 12, "rank that fits everywhere; -1: none")
draws = option(1, 1, 52, "cards that are drawn at most before passing")
two = option(0, 0, 5, "cards that the next player draws for a laid two")
skip = option(-1, -1, 12, "rank that skips the next player; -1: none")


class State:
    stock = hidden(all_cards)
    hand = own(cards)  # one for each seat
    pile = shown(cards)
    top = shown(card)
    suit_now = shown(number)  # the suit called for
    passes = shown(number)  # in a row
    step = shown(number)


def deal(s):
    for seat in seats():
        draw(s.stock, s.hand[seat], hand_size or (7 if players == 2 else 5))
    s.top = draw(s.stock, s.pile)
    s.suit_now, s.passes = suit(s.top), 0


def legal(s, seat):
    return s.hand[seat] & (of_suit(s.suit_now) | of_rank(rank(s.top)) | of_rank(wild))


def begin_turn(s, seat):
    drawn = 0
    while not legal(s, seat) and drawn < draws and draw_one(s, seat):
        drawn += 1
    s.step = 1
    if drawn > 0 or legal(s, seat):
        s.passes = 0
    else:
        s.passes += 1


def draw_one(s, seat):
    if not s.stock:
        move(s.pile - {s.top}, s.pile, s.stock)
    if not s.stock:
        return False
    draw(s.stock, s.hand[seat])
    return True


def apply(s, seat, card):
    move(card, s.hand[seat], s.pile)
    s.top, s.suit_now = card, suit(card)
    if s.hand[seat]:
        if rank(card) == skip:
            s.step = 2
        if rank(card) == TWO:
            for _ in range(two):
                draw_one(s, after(seat, 1))
        if rank(card) == wild:
            ask(s, seat, SUIT)


def legal_suit(s, seat):
    return {0, 1, 2, 3}


def apply_suit(s, seat, suit):
    s.suit_now = suit


def next_seat(s, seat):
    return after(seat, s.step)


def ended(s, seat):
    return not s.hand[seat] or s.passes == players


def score(s):
    for seat in seats():
        s.points[seat] = -sum(worth(card) for card in s.hand[seat])


def worth(card):
    return POINTS[rank(card)]


@policy
def saver(s, seat, moves):
    """Lay the dearest card, wild ones last."""
    return max(moves - of_rank(wild) or moves, key=worth)


@answers("saver", to="suit")
def longest(s, seat, moves):
    best = 0
    for x in moves:
        if len(s.hand[seat] & of_suit(x)) > len(s.hand[seat] & of_suit(best)):
            best = x
    return best
