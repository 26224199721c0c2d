"""Farkle (en.wikipedia.org/wiki/Farkle): set dice aside, and roll on or stop in time."""

from cardlab.rules import *

players = 2, 6
NOBODY = -1
meant = "the same seat begins every round"
ALL_SIX = 63  # dice are numbered from 0; a set of them is a row of bits
ONE_OF_EACH = 0x1111110  # how often each face is there, four bits each

(ROLL,) = decisions("ROLL")

target = option(10_000, 1_000, 20_000, "points that begin the last turns")
opening = option(500, 0, 1_000, "points that the first turn to count must bring")
more = option("double", ("double", "add"), "each die beyond three equal ones doubles, or adds")
straight = option(1_500, 0, 3_000, "points of one die of each face; 0: none")
pairs = option(1_500, 0, 3_000, "points of three different pairs; 0: none")
last_turns = option(True, "all others have a turn after one has reached the target")


phrases = {
    "ends": "a player has reached {target} points",
    "moves": {"roll": {0: "stop", 1: "roll on"}},
    "numbers": {"heap": "{new} points so far", "aside": "", "again": ""},
}


class State:
    die = shown(number, many=6)  # its face; 0: set aside before
    aside = shown(number)
    heap = shown(number)  # points of the turn
    again = shown(flag)  # the same seat rolls on
    gained = shown(number, per=seat)  # in this round, in which each has a turn
    reached = shown(seat)  # the seat that was the first to reach the target


def deal(s):
    s.seat = s.first_seat
    s.again, s.reached = 0, NOBODY
    for player in seats():
        s.gained[player] = 0


def begin_turn(s, seat):
    if not s.again:
        s.heap = s.aside = 0
    if s.aside == ALL_SIX:  # all have scored, and all are rolled again
        s.aside = 0
    s.again = 0
    for k in range(6):
        s.die[k] = 0 if s.aside >> k & 1 else 1 + below(s, CHANCE, 6)


def legal(s, seat):
    moves = set()
    for some in range(1, ALL_SIX + 1):
        if not some & s.aside and worth(s, some):
            moves = moves | {some}
    return moves  # none: the turn is lost


def worth(s, some):
    """Return what dice score that are set aside at once; 0 if one of them adds nothing."""
    faces = points = twos = 0
    for k in range(6):
        if some >> k & 1:
            faces += 1 << 4 * s.die[k]
    if straight and faces == ONE_OF_EACH:
        return straight
    useless = 0
    for face in range(1, 7):
        many = faces >> 4 * face & 7
        own = of_face(face, many)
        points += own
        twos += many == 2
        useless |= many > 0 and own == 0
    if pairs and twos == 3:
        return max(pairs, 0 if useless else points)
    return 0 if useless else points


def of_face(face, many):
    if many >= 3:
        three = 1_000 if face == 1 else 100 * face
        return three << many - 3 if more == "double" else three * (many - 2)
    return 100 * many if face == 1 else 50 * many if face == 5 else 0


def apply(s, seat, aside):
    s.heap += worth(s, aside)
    s.aside |= aside
    ask(s, seat, ROLL)


def legal_roll(s, seat):
    return {0, 1} if s.heap >= opening or total(s, seat) else {1}


def total(s, seat):
    return s.scores[seat] + s.gained[seat]


def apply_roll(s, seat, yes):
    s.again = yes
    if not yes:
        s.gained[seat] += s.heap
        if s.reached == NOBODY and total(s, seat) >= target:
            s.reached = seat


def next_seat(s, seat):
    return seat if s.again else after(seat, 1)


def ended(s, seat):
    if s.reached != NOBODY:
        return not last_turns or not s.again and after(seat, 1) == s.reached
    return not s.again and after(seat, 1) == s.first_seat


def score(s):
    for player in seats():
        s.points[player] = s.gained[player]


def match_over(s):
    return s.reached != NOBODY


def dearest(s, moves):
    best = 0
    for some in moves:
        if worth(s, some) > worth(s, best):
            best = some
    return best


BANK = Param("bank", 300, 0, 2_000, "points of the turn at which it stops")


@policy(params=[BANK])
def careful(s, seat, moves):
    """Set aside all that scores; stop when the turn has brought enough."""
    return dearest(s, moves)


@answers("careful", to="roll")
def careful_roll(s, seat, moves, bank):
    return 1 if s.heap < bank and 1 in moves or 0 not in moves else 0


@policy(params=[BANK, Param("dice", 3, 1, 7, "dice left with which it rolls on all the same")])
def bold(s, seat, moves):
    """Set aside all that scores; with dice enough roll on even so."""
    return dearest(s, moves)


@answers("bold", to="roll")
def bold_roll(s, seat, moves, bank, dice):
    left = 6 - popcount(s.aside) or 6
    return 1 if left >= dice or s.heap < bank or 0 not in moves else 0
