"""Hearts (pagat.com/reverse/hearts.html): pass three cards on, and take no points in tricks."""

from cardlab.rules import *

deck = french_deck()
players = 3, 5
best = "lowest"
HEARTS, QUEEN_OF_SPADES, NOBODY = 2, 3 * 16 + 11, -1
TWO_OF_CLUBS, THREE_OF_CLUBS, TWO_OF_DIAMONDS = 1, 2, 17
STRENGTH = [13, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
PASSED = 3
PASS_TO = [0, 1, -1, 2]  # by round: left, right, across, and in the fourth nowhere
PASS_TO_OF_THREE = [0, 1, -1]  # of three and of five nobody sits across

(PASSING,) = decisions("PASSING")

passing = option(True, "three cards are passed: left, right, of four across, not at all, and again")
moon = option(True, "who takes all 26 points gives them to the others")
queen = option(13, 0, 26, "points of the queen of spades")
target = option(100, 1, 500, "points that end the match; 1: after one round")


def to_pass(at):
    """What a move is, as an order: pass a card to whom."""
    return f"pass {at.card(at.move)} to seat {(at.seat + at.rule('pass_to')) % len(at.names)}"


def to_play(at):
    return f"{'lead' if at.s.led == NOBODY else 'play'} {at.card(at.move)}"


phrases = {
    "ends": "a player has {target} points",
    "moves": {"passing": to_pass, "move": to_play},
    "cards": {"taken from table": "{who} takes the trick: {cards}"},
    "numbers": {"led": "", "top": "", "holder": "", "broken": {1: "hearts are broken"}},
}


class State:
    stock = hidden(cards)
    hand = own(cards)
    passed = own(cards)  # face down until all have chosen
    table = shown(cards)
    taken = shown(cards, per=seat)
    led = shown(suit)  # -1: the trick begins
    top = shown(card)
    holder = shown(seat)  # would take the trick
    broken = shown(flag)


def in_play():
    """All cards, but for three players without the two of diamonds, for five of clubs, too."""
    if players == 4:
        return all_cards
    return all_cards - ({TWO_OF_DIAMONDS, TWO_OF_CLUBS} if players == 5 else {TWO_OF_DIAMONDS})


def hand_size():
    return len(in_play()) // players


def low_club():
    return THREE_OF_CLUBS if players == 5 else TWO_OF_CLUBS


def pass_to(s):
    if players == 4:
        return PASS_TO[s.round_number % 4]
    return PASS_TO_OF_THREE[s.round_number % 3]


def deal(s):
    bring(in_play(), s.stock)
    for player in seats():
        draw(s.stock, s.hand[player], hand_size())
    s.led = s.holder = NOBODY
    s.broken = 0
    if passing and pass_to(s):
        ask(s, s.seat, PASSING)
    else:
        ask(s, opener(s), MOVE)


def opener(s):
    first = NOBODY
    for player in seats():
        if low_club() in s.hand[player]:
            first = player
    return first


def legal_passing(s, seat):
    return s.hand[seat]


def apply_passing(s, seat, card):
    move(card, s.hand[seat], s.passed[seat])
    if len(s.passed[seat]) < PASSED:
        ask(s, seat, PASSING)
    elif not s.passed[after(seat, 1)]:
        ask(s, after(seat, 1), PASSING)
    else:  # all have chosen
        for player in seats():
            move(s.passed[player], s.passed[player], s.hand[after(player, pass_to(s))])
        ask(s, opener(s), MOVE)


def legal(s, seat):
    hand = s.hand[seat]
    if s.led != NOBODY:
        clean = hand - worth_points() if len(hand) == hand_size() else hand  # in the first trick
        return hand & of_suit(s.led) or clean or hand
    if low_club() in hand:
        return {low_club()}
    return hand if s.broken else hand - of_suit(HEARTS) or hand


def worth_points():
    return of_suit(HEARTS) | {QUEEN_OF_SPADES}


def apply(s, seat, card):
    move(card, s.hand[seat], s.table)
    if suit(card) == HEARTS:
        s.broken = 1
    if s.led == NOBODY:
        s.led, s.top, s.holder = suit(card), card, seat
    elif suit(card) == s.led and strength(card) > strength(s.top):
        s.top, s.holder = card, seat


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
    for player in seats():
        s.points[player] = points(s, player)
    for player in seats():
        if moon and points(s, player) == 13 + queen:
            for other in seats():
                s.points[other] = 0 if other == player else 13 + queen


def match_over(s):
    return max(s.scores[player] for player in seats()) >= target


def always(s):
    """All points of a round go to somebody, or to each of the others."""
    points = sum(s.points[player] for player in seats())
    return points == 0 or points == 13 + queen or points == (players - 1) * (13 + queen)


def strength(card):
    return STRENGTH[rank(card)]


@policy
def ducker(s, seat, moves):
    """The highest card that does not take the trick, else the lowest; pass the highest."""
    if s.phase == PASSING:
        return max(moves, key=strength)
    under = {c for c in moves if suit(c) == s.led and strength(c) < strength(s.top)}
    return max(under, key=strength) if under else min(moves, key=strength)


@policy
def careful(s, seat, moves):
    """As ducker, but pass and discard the queen of spades, then hearts, then high cards."""
    if s.phase == PASSING or (s.led != NOBODY and not moves & of_suit(s.led)):
        return max(moves, key=harm)
    return ducker(s, seat, moves)


def harm(card):
    return 40 if card == QUEEN_OF_SPADES else strength(card) + 20 * (suit(card) == HEARTS)
