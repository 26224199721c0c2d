"""Gin Rummy (pagat.com/rummy/ginrummy.html): meld sets and runs, and knock with little left."""

from cardlab.rules import *

deck = french_deck()  # each suit has 16 places for 13 ranks, so that no run goes on in the next
players = 2
WORTH = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
STOCK, PILE, NOBODY = 0, 1, -1

DISCARD, KNOCK = decisions("DISCARD", "KNOCK")

hand_size = option(10, 7, 10, "cards dealt")
knock_at = option(10, 0, 20, "points left with which a seat may knock")
gin = option(20, 0, 50, "bonus for nothing left")
undercut = option(10, 0, 50, "bonus of the other who has no more left than who knocks")
target = option(100, 10, 500, "points that end the match")


phrases = {
    "ends": "a player has {target} points",
    "moves": {
        "move": {STOCK: "leave the pile", PILE: "take the top card"},
        "discard": "discard {card}",
        "knock": {0: "go on", 1: "knock"},
    },
    "numbers": {"top": "", "taken": "", "refused": "", "knocker": ""},
}


class State:
    stock = hidden(all_cards)
    hand = own(cards)
    pile = shown(cards)
    top = shown(card)
    taken = shown(cardset)  # from the pile, and not to be laid back in the same turn
    refused = shown(number)  # seats that refused the first card; 3: the first card is history
    knocker = shown(seat)


def deal(s):
    for player in seats():
        draw(s.stock, s.hand[player], hand_size)
    s.top = draw(s.stock, s.pile)
    s.refused, s.knocker = 0, NOBODY


def legal(s, seat):
    return {STOCK} if s.refused == 2 else {STOCK, PILE}


def apply(s, seat, source):
    s.taken = set()
    if source == PILE:
        s.taken = {s.top}
        move(s.top, s.pile, s.hand[seat])
    elif s.refused < 2:
        s.refused += 1
        return
    else:
        draw(s.stock, s.hand[seat])
    s.refused = 3
    ask(s, seat, DISCARD)


def legal_discard(s, seat):
    return s.hand[seat] - s.taken


def apply_discard(s, seat, card):
    move(card, s.hand[seat], s.pile)
    s.top = card
    if left(bits(s.hand[seat])) <= knock_at:
        ask(s, seat, KNOCK)


def legal_knock(s, seat):
    return {0, 1}


def apply_knock(s, seat, yes):
    if yes:
        s.knocker = seat


def ended(s, seat):
    return s.knocker != NOBODY or len(s.stock) <= 2


def left(hand):
    points, _ = melded(hand, 0, 0)
    return points


def melded(hand, runs, sets):
    """Return the fewest points left, and the cards in runs, beside melds on the table; as bits."""
    choice = in_runs(hand | runs) & ~runs
    some, fewest, best = choice, 1000, 0
    while True:
        if in_runs(some | runs) == some | runs:
            rest = hand & ~some
            rest &= ~every_suit(threes(rest) | sets)
            points = sum(WORTH[rank(c)] for c in cards_in(rest))
            if points < fewest:
                fewest, best = points, some
        if some == 0:
            return fewest, best
        some = some - 1 & choice


def in_runs(hand):
    first = hand & shr(hand, 1) & shr(hand, 2)
    return first | first << 1 | first << 2


def threes(hand):
    a, b, c, d = hand, shr(hand, 16), shr(hand, 32), shr(hand, 48)
    return (a & b & (c | d) | c & d & (a | b)) & 0xFFFF


def every_suit(ranks):
    return ranks | ranks << 16 | ranks << 32 | ranks << 48


def score(s):
    if s.knocker == NOBODY:  # the stock ran out
        return
    seat, other = s.knocker, after(s.knocker, 1)
    hand, theirs = bits(s.hand[seat]), bits(s.hand[other])
    own_left, runs = melded(hand, 0, 0)
    if own_left == 0:
        s.points[seat] = left(theirs) + gin
        return
    other_left, _ = melded(theirs, runs, threes(hand & ~runs))  # it may add to the melds
    s.points[seat] = max(other_left - own_left, 0)
    s.points[other] = own_left - other_left + undercut if other_left <= own_left else 0


def match_over(s):
    return max(s.scores[0], s.scores[1]) >= target


@policy
def quick(s, seat, moves):
    """Take from the pile what leaves fewer points; knock as soon as possible."""
    hand = bits(s.hand[seat])
    if s.phase == KNOCK:
        return 1
    if s.phase == DISCARD:
        return min(moves, key=lambda c: left(hand & ~bits({c})) * 16 - rank(c))
    taken = hand | bits({s.top})
    return PILE if min(left(taken & ~bits({c})) for c in s.hand[seat]) < left(hand) else STOCK


@policy
def patient(s, seat, moves):
    """As quick, but knock only with nothing left."""
    if s.phase == KNOCK:
        return 0 if left(bits(s.hand[seat])) else 1
    return quick(s, seat, moves)
