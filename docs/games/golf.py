"""Four-Card Golf (pagat.com/draw/golf.html): a row of four cards face down; the lowest row wins."""

from cardlab.rules import *

deck = french_deck()
players = 2, 7
best = "lowest"
STOCK, PILE, KNOCK = 0, 1, 2
ROW, THROW = 4, 4  # a card is placed in the row, at 0 to 3, or thrown on the pile
POINTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 0]
MEAN = 6  # of a card that nobody has seen, about

(PLACE,) = decisions("PLACE")

rounds = option(9, 1, 18, "rounds of a match")
looks = option(2, 0, 4, "cards of its row that each seat looks at first")
penalty = option(0, 0, 20, "points of who knocks and has not the lowest row")


phrases = {"ends": "round {rounds} is over"}


class State:
    stock = hidden(ordered)
    row = hidden(ordered, per=seat)  # a seat knows what it has seen of it
    drawn = own(cards)  # from the stock, until it is placed
    pile = shown(ordered)
    knocker = shown(seat)


def deal(s):
    bring(all_cards, s.stock)
    shuffle(s.stock)
    for player in seats():
        draw(s.stock, s.row[player], ROW)
        for k in range(looks):
            look(player, s.row[player], k)
    draw(s.stock, s.pile)
    s.knocker = -1


def legal(s, seat):
    return {STOCK, PILE, KNOCK} if s.knocker == -1 else {STOCK, PILE}


def apply(s, seat, source):
    if source == KNOCK:
        s.knocker = seat
        return
    if source == STOCK:
        if not s.stock:
            move(s.pile - {top(s.pile)}, s.pile, s.stock)
            shuffle(s.stock)
        draw(s.stock, s.drawn[seat])
    ask(s, seat, PLACE)


def legal_place(s, seat):
    return {0, 1, 2, 3, THROW} if s.drawn[seat] else {0, 1, 2, 3}


def apply_place(s, seat, place):
    if place == THROW:
        move(s.drawn[seat], s.drawn[seat], s.pile)
        return
    old = top(s.row[seat], place)
    if s.drawn[seat]:
        insert(s.drawn[seat], s.drawn[seat], s.row[seat], place)
    else:  # all have seen this card
        insert(top(s.pile), s.pile, s.row[seat], place)
    move(old, s.row[seat], s.pile)


def ended(s, seat):
    return s.knocker != -1 and after(seat, 1) == s.knocker


def worth(card):
    return POINTS[rank(card)]


def row_of(s, seat):
    return sum(worth(card) for card in s.row[seat])


def score(s):
    for player in seats():
        s.points[player] = row_of(s, player)
    if row_of(s, s.knocker) > min(row_of(s, player) for player in seats()):
        s.points[s.knocker] += penalty


def match_over(s):
    return s.round_number == rounds


def name_move(s, source):
    if source == PILE:
        return f"take {deck.name(top(s.pile))} from the pile"
    return "knock" if source == KNOCK else "draw from the stock"


def name_place(s, place):
    card = lowest(s.drawn[s.seat]) if s.drawn[s.seat] else top(s.pile)
    if place == THROW:
        return f"throw {deck.name(card)} away"
    return f"put {deck.name(card)} in place of {deck.name(top(s.row[s.seat], place))}"


def believed(s, seat, k):
    """Return what a card of its row is worth, as far as the seat knows."""
    card = seen(seat, s.row[seat], k)
    return MEAN if card == NO_CARD else worth(card)


def worst(s, seat):
    """Return the place with the most points, as far as the seat knows."""
    found = 0
    for k in range(1, ROW):
        if believed(s, seat, k) > believed(s, seat, found):
            found = k
    return found


@policy(params=[Param("most", 10, 0, 40, "points of the row, as believed, with which it knocks")])
def steady(s, seat, moves, most):
    """Replace the worst card by a better one; knock with few points, or after twelve turns."""
    few = sum(believed(s, seat, k) for k in range(ROW)) <= most
    if KNOCK in moves and (few or s.steps >= 12 * players):
        return KNOCK
    gain = believed(s, seat, worst(s, seat)) - worth(top(s.pile))
    because("the pile's card is better by", gain)
    return PILE if gain > 2 else STOCK


@answers("steady", to="place")
def steady_place(s, seat, moves):
    card = lowest(s.drawn[seat]) if s.drawn[seat] else top(s.pile)
    place = worst(s, seat)
    return place if THROW not in moves or worth(card) < believed(s, seat, place) else THROW


@policy
def hasty(s, seat, moves):
    """Draw, replace the worst card whatever comes, and knock in the third turn."""
    if s.phase == PLACE:
        return worst(s, seat)
    return KNOCK if KNOCK in moves and s.steps >= 2 * players else STOCK
