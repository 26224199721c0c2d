"""Spades (pagat.com/auctionwhist/spades.html): partners bid how many tricks they will take."""

from cardlab.rules import *

deck = french_deck()
players = 4
meant = "s.bags begins each later round as the one before left it"
teams = 2  # partners sit opposite
SPADES, HAND_SIZE, NONE, NIL = 3, 13, -1, 0
ACE, KING = 0, 12
STRENGTH = [13, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
ALL_BIDS = (1 << HAND_SIZE + 1) - 1

(BID,) = decisions("BID")

nil = option(100, 0, 200, "points for no trick as bid, or lost with one")
bag_limit = option(10, 0, 20, "bags that cost 100 points; 0: bags cost nothing")
target = option(500, 50, 1000, "points with which a team wins")
lost = option(500, 50, 1000, "points below zero with which a team loses")


def to_play(at):
    """What a move is, as an order."""
    return f"{'lead' if at.s.led == NONE else 'play'} {at.card(at.move)}"


phrases = {
    "ends": "a team has {target} points, or {lost} below zero",
    "moves": {"move": to_play},
    "cards": {"gone from table": "", "gone from hand": ""},
    "numbers": {"led": "", "best": "", "holder": "", "won": "{who} takes the trick"},
}


class State:
    stock = hidden(all_cards)
    hand = own(cards)
    table = shown(cards)
    gone = shown(cards)
    bid = shown(number, per=seat)
    won = shown(number, per=seat)  # tricks
    bags = shown(number, per=seat)  # of the seat's team
    led = shown(suit)  # -1: the trick begins
    best = shown(card)
    holder = shown(seat)  # would take the trick
    broken = shown(flag)


def deal(s):
    for player in seats():
        draw(s.stock, s.hand[player], HAND_SIZE)
        s.bid[player], s.won[player] = NONE, 0
    s.led = s.best = s.holder = NONE
    s.broken = 0
    ask(s, s.seat, BID)


def legal_bid(s, seat):
    return cards_in(ALL_BIDS)


def apply_bid(s, seat, bid):
    s.bid[seat] = bid
    ask(s, after(seat, 1), BID if s.bid[after(seat, 1)] == NONE else MOVE)


def name_bid(s, bid):
    return "nil" if bid == NIL else f"bid {bid}"


def legal(s, seat):
    hand = s.hand[seat]
    if s.led != NONE:
        return hand & of_suit(s.led) or hand
    return hand if s.broken else hand - of_suit(SPADES) or hand


def apply(s, seat, card):
    if s.led == NONE:
        s.led = suit(card)
    if s.best == NONE or beats(card, s.best):
        s.best, s.holder = card, seat
    if suit(card) == SPADES:
        s.broken = 1
    move(card, s.hand[seat], s.table)


def beats(card, other):
    if suit(card) == suit(other):
        return STRENGTH[rank(card)] > STRENGTH[rank(other)]
    return suit(card) == SPADES


def next_seat(s, seat):
    if len(s.table) < players:
        return after(seat, 1)
    move(s.table, s.table, s.gone)
    s.won[s.holder] += 1
    s.led = s.best = NONE
    return s.holder


def ended(s, seat):
    return len(s.gone) == HAND_SIZE * players


def score(s):
    for first in range(teams):  # points of a team are added up; its first seat gets them
        contract = sum(s.bid[seat] for seat in team(first))
        taken = sum(s.won[seat] for seat in team(first) if s.bid[seat] != NIL)
        bags = max(taken - contract, 0)
        points = 10 * contract if taken >= contract else -10 * contract
        for seat in team(first):
            if s.bid[seat] == NIL:  # tricks of a failed nil are bags
                points += nil if s.won[seat] == 0 else -nil
                bags += s.won[seat]
        s.points[first] = points + bags
        bags += s.bags[first]
        if bag_limit and bags >= bag_limit:
            s.points[first] -= 100 * (bags // bag_limit)
            bags %= bag_limit
        for seat in team(first):
            s.bags[seat] = bags


def match_over(s):
    ours, theirs = s.scores[0], s.scores[1]
    return ours != theirs and (max(ours, theirs) >= target or min(ours, theirs) <= -lost)


def always(s):
    """All tricks of a round go to somebody."""
    return sum(s.won[player] for player in seats()) * players == len(s.gone)


def power(card):
    return STRENGTH[rank(card)] + HAND_SIZE * (suit(card) == SPADES)


def tricks(s, seat):
    """Return how many tricks a hand promises: aces, kings, and spades beyond three."""
    hand = s.hand[seat]
    return len(hand & (of_rank(ACE) | of_rank(KING))) + max(len(hand & of_suit(SPADES)) - 3, 0)


@policy(params=[Param("more", 0, -2, 4, "tricks that it bids beyond those its hand promises")])
def counter(s, seat, moves, more):
    """Bid aces, kings and long spades; take tricks that the partner does not hold."""
    if s.phase == BID:
        return max(1, min(13, tricks(s, seat) + int(more)))
    return play(s, seat, moves)


@policy
def brave(s, seat, moves):
    """As counter, but bid nil with a hand that promises nothing, unless the partner has."""
    if s.phase == BID:
        return NIL if tricks(s, seat) == 0 and s.bid[partner(seat)] != NIL else tricks(s, seat) or 1
    return play(s, seat, moves)


def play(s, seat, moves):
    if s.bid[seat] == NIL and s.won[seat] == 0:
        losing = {c for c in moves if s.best != NONE and not beats(c, s.best)}
        return max(losing, key=power) if losing else min(moves, key=power)
    if s.best == NONE:
        return max(moves, key=power)
    winning = {c for c in moves if beats(c, s.best)}
    if winning and s.holder != partner(seat):
        because("the partner does not hold the trick")
        return min(winning, key=power)
    return min(moves, key=power)
