"""Kittens: draw no bomb; a defused bomb goes back in secret; the last one alive wins.

On a turn a seat plays cards as it likes and then draws one. A bomb takes it out of the game, unless it spends a
defuse card and puts the bomb back into the stock, where it likes and in secret. What search has to be told is
that no hand holds a bomb, and that cards which a seat has seen in the stock stay where they are: `deal_unseen`.
"""

from cardlab.rules import *

BOMB, DEFUSE, SKIP, ATTACK, FUTURE, SHUFFLE, STEAL, CAT = range(8)
NAMES = ("bomb", "defuse", "skip", "attack", "future", "shuffle", "steal", "cat")
deck = cards_of({name: 4 for name in NAMES})
players = 2, 5
DRAW = 32  # the move beside the 32 cards
meant = "defuse, cat are held on turn and never a legal move"

WHERE, VICTIM = decisions("WHERE", "VICTIM")

hand_size = option(4, 1, 4, "cards dealt to each, beside a defuse card")
sight = option(3, 1, 5, "cards that a future card shows")
anywhere = option(True, "a defused bomb goes anywhere; else on the top")


class State:
    stock = hidden(ordered)
    hand = own(cards)
    drawn = own(cards)  # a bomb that its seat holds in secret, until it goes back
    gone = shown(cards)
    alive = shown(flag, per=seat)
    owed = shown(number)  # turns that the seat on turn has to take
    live = shown(number)
    stay = shown(flag)  # the same seat goes on
    pool = hidden(cards)  # in `deal_unseen`: what is to be dealt anew
    owned = hidden(number, per=seat)  # in `deal_unseen`: cards of a hand


def spent(at):
    """What is told of cards of a hand that are gone: those that are played the move names."""
    return f"{at.who} spends a defuse" if at.move == DRAW and at.after.alive[at.seat] else ""


def to_play(at):
    """What a move is, as an order."""
    return "draw" if at.move == DRAW else f"play {at.card(at.move)}"


def turns_to_take(at):
    owed = at.after.owed
    return f"{at.names[at.after.seat]} has {owed} turns to take" if owed > 1 else ""


phrases = {
    "ends": "one player is left",
    "moves": {
        "move": to_play,
        "victim": "take a card of seat {seat_from}",
        "where": {
            0: "put the bomb on the top",
            1: "put the bomb below the top card",
            **{k: f"put the bomb below {k} cards" for k in range(2, 33)},
        },
    },
    "numbers": {
        "alive": {0: "{who} is out"},
        "owed": turns_to_take,
        "live": "",
        "stay": "",
    },
    "cards": {
        "gone from hand": spent,
        "gone from drawn": "",
        "gone from stock": "{who} draws {cards} and has no defuse",
    },
}


def deal(s):
    for player in seats():
        bring(nth(of_rank(DEFUSE), player) if player < 4 else nth(of_rank(CAT), 0), s.hand[player])
        s.alive[player] = 1
    rest = all_cards - of_rank(BOMB) - of_rank(DEFUSE)
    if players == 5:
        rest = rest - {nth(of_rank(CAT), 0)}
    bring(rest, s.stock)
    shuffle(s.stock)
    for player in seats():
        draw(s.stock, s.hand[player], hand_size)
    for k in range(players - 1):
        bring(nth(of_rank(BOMB), k), s.stock)
    shuffle(s.stock)
    s.owed, s.live, s.stay = 1, players, 0


def legal(s, seat):
    hand = s.hand[seat] - of_rank(DEFUSE) - of_rank(CAT)
    if not targets(s, seat):
        hand = hand - of_rank(STEAL)
    return hand | {DRAW}


def targets(s, seat):
    return bits({other for other in others(seat) if s.alive[other] and s.hand[other]})


def apply(s, seat, card):
    s.stay = 1
    if card == DRAW:
        s.stay = 0
        take(s, seat)
        return
    move(card, s.hand[seat], s.gone)
    what = rank(card)
    if what == SKIP:
        s.stay = 0
        turn_over(s)
    elif what == ATTACK:
        s.stay = 0
        s.owed = -(s.owed + 1)
    elif what == FUTURE:
        for k in range(min(sight, len(s.stock))):
            look(seat, s.stock, k)
    elif what == SHUFFLE:
        shuffle(s.stock)
    elif what == STEAL:
        ask(s, seat, VICTIM)


def take(s, seat):
    if rank(top(s.stock)) != BOMB:
        draw(s.stock, s.hand[seat])
        turn_over(s)
        return
    draw(s.stock, s.drawn[seat])
    if s.hand[seat] & of_rank(DEFUSE):
        move(lowest(s.hand[seat] & of_rank(DEFUSE)), s.hand[seat], s.gone)
        ask(s, seat, WHERE)
        return
    move(s.drawn[seat], s.drawn[seat], s.gone)
    move(s.hand[seat], s.hand[seat], s.gone)
    s.alive[seat] = 0
    s.live -= 1
    s.owed = 0


def turn_over(s):
    s.owed -= 1


def legal_where(s, seat):
    return cards_in((1 << len(s.stock) + 1) - 1) if anywhere else {0}


def apply_where(s, seat, depth):
    insert(s.drawn[seat], s.drawn[seat], s.stock, depth)
    turn_over(s)


def legal_victim(s, seat):
    return cards_in(targets(s, seat))


def apply_victim(s, seat, seat_from):
    draw(s.hand[seat_from], s.hand[seat])


def next_seat(s, seat):
    if s.stay or s.owed > 0 and s.alive[seat]:
        return seat
    s.owed = -s.owed if s.owed < 0 else 1
    other = after(seat, 1)
    while not s.alive[other]:
        other = after(other, 1)
    return other


def ended(s, seat):
    return s.live == 1


def score(s):
    for player in seats():
        s.points[player] = s.alive[player]


def deal_unseen(s, seat):
    """Deal the hands of others and the cards of the stock that the seat has not seen anew."""
    for other in others(seat):
        s.owned[other] = len(s.hand[other])
        move(s.hand[other], s.hand[other], s.pool)
    unknown, size = 0, len(s.stock)
    for up in range(size):
        k = size - 1 - up  # from the bottom, so that those above stay where they are
        if seen(seat, s.stock, k) == NO_CARD:
            unknown |= 1 << k
            move(top(s.stock, k), s.stock, s.pool)
    for other in others(seat):
        for _ in range(s.owned[other]):
            move(anyone(s, s.pool - of_rank(BOMB)), s.pool, s.hand[other])
    for k in range(size):
        if unknown >> k & 1:
            insert(anyone(s, s.pool), s.pool, s.stock, k)


def anyone(s, cards_left: cardset):
    return nth(cards_left, below(s, ASIDE, len(cards_left)))


def always(s):
    return len(s.gone & of_rank(BOMB)) == players - s.live


def danger(s, seat):
    """Return 100 times the chance that the top card is a bomb, as far as the seat knows."""
    card = seen(seat, s.stock, 0)
    if card != NO_CARD:
        return 100 if rank(card) == BOMB else 0
    return 100 * (s.live - 1) // max(len(s.stock), 1)


@policy(
    params=[
        Param("fear", 25, 0, 101, "chance of a bomb, in percent, from which on it avoids to draw"),
        Param("deep", 0.0, 0, 1, "where a bomb goes, as a share of the stock"),
    ]
)
def careful(s, seat, moves, fear, deep):
    """Look, then skip, attack or shuffle where a bomb is likely; else draw."""
    if s.phase == WHERE:
        return lowest(higher(moves, int(deep * len(s.stock)) - 1) or moves)
    if s.phase == VICTIM:
        return max(moves, key=lambda other: len(s.hand[other]))
    risk = danger(s, seat)
    because("the chance of a bomb in percent is", risk)
    if risk < fear:
        return DRAW
    if risk < 100 and seen(seat, s.stock, 0) == NO_CARD and moves & of_rank(FUTURE):
        return lowest(moves & of_rank(FUTURE))
    cards = moves & (of_rank(SKIP) | of_rank(ATTACK)) or moves & of_rank(SHUFFLE)
    if cards:
        return highest(cards)
    return lowest(moves & of_rank(STEAL) or {DRAW})


@policy
def drawer(s, seat, moves):
    """Draw always; put a bomb on the top."""
    return DRAW if s.phase == MOVE else lowest(moves)
