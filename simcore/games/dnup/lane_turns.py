"""dnup: a turn in the lanes of vector registers, at random or by a spec; see `lanes`.

It is the turn of the same place in all lanes: one that begins a round waits until its first place
is due, and nothing is done for who is out. The state of a lane is one column of the work space.
What comes back to a hand waits at its place until that is on turn, so that a turn writes one hand.
The functions for what a turn does are those of matches by themselves (`cards`, `moves`, `choice`),
over vectors.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import popcount
from simcore.games.dnup import cards as charts
from simcore.games.dnup import choice, moves
from simcore.games.dnup.cards import CHOOSE, LARGE, PATTERNS, is_large, row_of, value_of
from simcore.games.dnup.deck import MOST_PLAYERS, VALUES
from simcore.games.dnup.moves import NO_SET
from simcore.games.dnup.table import CLAUSE, SECOND_AREA, TURN
from simcore.jit import inline_kernel
from simcore.lanes import first_below, work_dtype
from simcore.vectors import choose, largest, some
from simcore.wide import (
    EIGHT,
    least,
    looked_up,
    lowest_of_each,
    one_of_eight,
    put_sixteen,
    sixteen_at,
    times,
)

UP, DOWN, ACTIVE, TURNED, KNOWN, WORD0, WORD1, CARDS, BIT = range(9)
"""Rows of a place. Of the seat with its number: the hand, as in SEAT, which of it all have seen go
there, and the two words of its stream, or of these one (`UNTIL`) that says before which action of
the round it does not turn its hand again; see `spec.LAST_TURN`. Of the set: its cards, and its bit
in a chart, with `NO_SET` once it has gone home, or is one that the seat took."""

PLACE_ROWS = 9
UNTIL = WORD0

LAID, TURNS, LEAVES, CLAUSES, MATCH = (PLACE_ROWS * MOST_PLAYERS + i for i in range(5))
"""Rows of the whole lane: all sets that lie; actions, or how many places (less than 0) it waits for
its first one; why it must be looked after, which is 0 or more of the bits below; house rules that
came into play; and the number of its match in the block."""

PLAYED, ADDED, TAKEN, BEATEN, LARGEST, PICKS, FORCED = range(MATCH + 1, MATCH + 8)
"""Rows of what is counted in a round."""

LANE_ROWS = MATCH + 8
WORK = work_dtype(LANE_ROWS)

EMPTIED, RETURNED, CAPPED, STUCK = 1, 2, 4, 8
"""The hand was emptied; that sent the own other set back; the cap is reached; the turn cannot be
taken here: a number would be drawn again, or by a spec in a long round, or there are `LARGE` cards
of a value."""

_PICKS = np.array(
    [sum(int(CHOOSE[of, count]) << EIGHT * count for count in range(LARGE)) for of in range(EIGHT)]
)
"""By number of cards: how many subsets of so many of them, eight bits each."""

_MOST_SUBSETS = PATTERNS.shape[2]
_SUBSETS = np.append(PATTERNS.astype(np.int64), np.zeros(EIGHT * _MOST_SUBSETS, np.int64))
"""The subsets, and as many zeros as a lane may look up that is stuck, with more cards."""


@inline_kernel
def take_turn(table, spec, rows, at, place, by_spec):
    """Let a place act in each of sixteen lanes; return whether a lane must be looked after.

    It does so at random, or by its spec (`by_spec`). A lane that is stuck stays as it is at the
    start of the turn.
    """
    seat = place & np.int64(table.seat_mask)
    hand, own, laid = begin_turn(table, rows, at, seat, place)
    words = at_place(rows, at, seat, WORD0), at_place(rows, at, seat, WORD1)
    turns = sixteen_at(rows, TURNS, at)
    plays, adds, takes = moves.action_masks(table, hand[2], own, laid)
    choices = moves.count_actions(table, plays, adds, takes)
    decides = choices > 1
    if by_spec:
        actions = plays, adds, takes
        may_turn = (turns >= words[0]) & (table.may_turn != 0)
        move = choose_by_spec(table, spec, rows, at, seat, hand, actions, may_turn)
        until = choose(decides & (move == TURN), turns + (table.players + 1), words[0])
        later, again = (until, words[1]), turns > choice.patience_of(spec) * table.players
        what, is_play, is_add, is_take = moves.parts_of(move)
    else:
        index, later, again = draw(words, decides, choices)
        what, is_play, is_add, is_take = moves.nth_action(table, plays, adds, takes, index)
    value = value_of(what)
    count = choose(is_play, row_of(what) + 1, choose(is_add, 1, 0))
    cards = charts.cards_of_value(table, hand[0], hand[1], value)
    more = (count > 0) & (popcount(cards) > count)
    picks = more & ~charts.are_alike(table, cards) if table.twins else more
    if not by_spec:
        cards, later, drawn_again = pick(later, cards, picks, count)
        again = again | drawn_again
    elif some(more):
        those = choose(more, cards, 0), value, choose(more, count, 0)
        cards = choose(more, choice.cards_to_lay(table, hand[3], *those), cards)

    acts = (turns >= 0) & ((hand[0] | hand[1]) != 0)
    large = is_large(hand[2] | hand[3]) | (is_add & (row_of(what) == LARGE - 2))
    stuck = acts & (again | large)
    goes = acts & ~stuck
    is_play, is_add, is_take = is_play & goes, is_add & goes, is_take & goes
    is_laid = is_play | is_add
    cards = choose(is_laid, cards, 0)
    left = charts.hand_without(table, hand, cards, value, choose(is_laid, count, 0))
    emptied = is_laid & ((left[0] | left[1]) == 0)
    is_turned = goes & ~(is_laid | is_take) & (table.may_turn != 0)
    new = (hand[0] | hand[1]) & ~held_at(rows, at, seat)
    known = (at_place(rows, at, seat, KNOWN) | new) & (left[0] | left[1])
    put(rows, at, seat, KNOWN, known)
    put(rows, at, seat, UP, choose(is_turned, left[1], left[0]))
    put(rows, at, seat, DOWN, choose(is_turned, left[0], left[1]))
    put(rows, at, seat, ACTIVE, choose(is_turned, left[3], left[2]))
    put(rows, at, seat, TURNED, choose(is_turned, left[2], left[3]))
    put(rows, at, seat, WORD0, choose(goes, later[0], words[0]))
    put(rows, at, seat, WORD1, choose(goes, later[1], words[1]))

    # Of the size that a set grows to [C11]; what is taken is found like what is beaten.
    row = row_of(what) + choose(is_add, 1, 0)
    gone = choose(goes, moves.set_of_row(laid, row), 0)
    grown = choose(is_add, 1 << what, 0)
    bit = choose(is_laid, 1 << (what + choose(is_add, VALUES, 0)), 0)
    note_clauses(table, rows, at, (acts & (laid != own), is_laid, is_take), gone, bit)
    move_sets(table, rows, at, place, (cards, bit, grown, gone), is_take)
    put_sixteen(rows, LAID, at, (laid & ~(gone | grown)) | bit)
    # Who waits for its first turn counts these up, too.
    turns = turns + choose(goes | (turns < 0), 1, 0)
    put_sixteen(rows, TURNS, at, turns)
    add_one(rows, PLAYED, at, is_play)
    add_one(rows, ADDED, at, is_add)
    add_one(rows, TAKEN, at, is_take)
    add_one(rows, BEATEN, at, is_laid & (gone != 0))
    add_one(rows, PICKS, at, goes & picks)
    add_one(rows, FORCED, at, goes & (choices == 1))
    most = largest(sixteen_at(rows, LARGEST, at), choose(is_laid, row + 1, 0))
    put_sixteen(rows, LARGEST, at, most)
    why = choose(emptied, choose((gone & own) != 0, EMPTIED | RETURNED, EMPTIED), 0)
    why = why | choose(goes & (turns >= table.turn_cap), CAPPED, choose(stuck, STUCK, 0))
    put_sixteen(rows, LEAVES, at, why)
    return some(why != 0)


@inline_kernel
def at_place(rows, at, place, row):
    """Return a row of a place."""
    return sixteen_at(rows, PLACE_ROWS * place + row, at)


@inline_kernel
def held_at(rows, at, seat):
    """Return the hand cards of a seat."""
    return at_place(rows, at, seat, UP) | at_place(rows, at, seat, DOWN)


@inline_kernel
def put(rows, at, place, row, numbers):
    """Write a row of a place."""
    put_sixteen(rows, PLACE_ROWS * place + row, at, numbers)


@inline_kernel
def places_of(table):
    """Return how many places are in use."""
    return 2 * SECOND_AREA if table.players == 2 else table.players


@inline_kernel
def begin_turn(table, rows, at, seat, place):
    """Return the hand of the seat on turn, its set in the other area, and the sets that lie.

    Its old set is discarded, as by `play.next_turn`, and what came home it takes up.
    """
    sides = at_place(rows, at, seat, UP), at_place(rows, at, seat, DOWN)
    charts = at_place(rows, at, seat, ACTIVE), at_place(rows, at, seat, TURNED)
    hand = take_up(table, rows, at, (*sides, *charts), place)
    old = lying(at_place(rows, at, place, BIT))
    laid = sixteen_at(rows, LAID, at) & ~old
    own = laid & 0
    if table.players == 2:
        hand = take_up(table, rows, at, hand, place ^ SECOND_AREA)
        own = lying(at_place(rows, at, place ^ SECOND_AREA, BIT))
        put(rows, at, place ^ SECOND_AREA, BIT, own)
    return hand, own, laid


@inline_kernel
def lying(bit):
    """Return the bit of a set, 0 of one that has gone home."""
    return choose(bit < 0, 0, bit)


@inline_kernel
def came_home(table, rows, at, place, held):
    """Return the cards that came home to a place, where who holds these cards is not out [C10].

    And which active value they had.
    """
    bit = at_place(rows, at, place, BIT)
    comes = bit < 0
    if table.players > 2:
        comes = comes & (held != 0)
    value = value_of(popcount((bit & ~NO_SET) - 1))
    return choose(comes, at_place(rows, at, place, CARDS), 0), value


@inline_kernel
def take_up(table, rows, at, hand, place):
    """Return a hand with the cards that came home to a place."""
    cards, value = came_home(table, rows, at, place, hand[0] | hand[1])
    return charts.hand_with(table, hand, cards, value, popcount(cards))[0]


@inline_kernel
def choose_by_spec(table, spec, rows, at, seat, hand, actions, may_turn):
    """Return the actions of a seat that plays by a spec."""
    none = hand[0] & 0
    victim, others_hold = (none, none), (none, none, none)
    if choice.wariness(spec[0]) > 0:
        victim = fewest_of(table, rows, at, seat)
    if choice.counts(spec[0]):
        others_hold = held_by_others(table, rows, at, seat)
    return choice.action_by(table, spec, hand, actions, may_turn, victim, others_hold)


@inline_kernel
def held_by_others(table, rows, at, own):
    """Return what others hold; see `choice.least_threatened`."""
    unknown = sixteen_at(rows, LAID, at) & 0
    up, down = unknown, unknown
    for i in range(places_of(table)):
        seat = i & np.int64(table.seat_mask)
        if seat != own:
            held, known = held_at(rows, at, seat), at_place(rows, at, seat, KNOWN)
            cards, value = came_home(table, rows, at, i, held)
            lower = cards & (charts.word_of(table.low, value) ^ table.keeps_side)
            unknown = unknown | (held & ~known)
            up = up | (at_place(rows, at, seat, UP) & known) | (cards & ~lower)
            down = down | (at_place(rows, at, seat, DOWN) & known) | lower
    return unknown, up, down


@inline_kernel
def fewest_of(table, rows, at, own):
    """Return how many cards the opponent with the fewest has, and its sets; see `choice`."""
    best = sixteen_at(rows, LAID, at) & 0 | choice.NOBODY
    for i in range(table.players):
        cards = held_at(rows, at, i)
        cards = cards | came_home(table, rows, at, i, cards)[0]
        if table.players == 2:
            cards = cards | came_home(table, rows, at, i + SECOND_AREA, cards)[0]
        best = least(best, choice.rank(popcount(cards), i, own))
    sets = best & 0
    for i in range(places_of(table)):
        theirs = best & choice.SEAT_MASK == i & np.int64(table.seat_mask)
        sets = choose(theirs, sets | lying(at_place(rows, at, i, BIT)), sets)
    return best >> choice.SEAT_BITS, sets


@inline_kernel
def draw(words, which, bound):
    """Draw where the mask says so, as `rng.below`, else 0.

    Return also the words of the streams then, and where more would have to be drawn.
    """
    word, next0, next1 = rng.step_signed(words[0], words[1])
    number, again = first_below(word, bound)
    words = choose(which, next0, words[0]), choose(which, next1, words[1])
    return choose(which, number, 0), words, which & again


@inline_kernel
def pick(words, cards, picks, count):
    """Draw which of some cards leave the hand, where there is a choice (`picks`) [C26].

    Return them, the words then, and where more would have to be drawn.
    """
    of = popcount(cards)
    subsets = (one_of_eight(_PICKS, of & (EIGHT - 1)) >> (EIGHT * count)) & ((1 << EIGHT) - 1)
    rank, words, again = draw(words, picks, choose(picks, subsets, 1))
    first = times(times(of & (EIGHT - 1), LARGE) + count, _MOST_SUBSETS)
    return lowest_of_each(looked_up(_SUBSETS, first + rank), cards, LARGE - 1), words, again


@inline_kernel
def move_sets(table, rows, at, place, sets, is_take):
    """Lay cards at the place on turn, or add them to a set, and let one go home, or take it.

    `sets` are the cards, the bit of the set that they come to, that of the set that grows, and of
    the one that goes.
    """
    cards, new, grown, gone = sets
    left = choose(is_take, 0, gone | NO_SET)
    gone, grown = choose(gone == 0, NO_SET, gone), choose(grown == 0, NO_SET, grown)
    for i in range(places_of(table)):
        bit, lies = at_place(rows, at, i, BIT), at_place(rows, at, i, CARDS)
        goes, grows = bit == gone, bit == grown
        cards = choose(goes & is_take, lies, cards)
        put(rows, at, i, BIT, choose(grows, new, choose(goes, left, bit)))
        put(rows, at, i, CARDS, choose(grows, lies | cards, lies))
    put(rows, at, place, BIT, choose(is_take, gone | NO_SET, choose(grown == NO_SET, new, 0)))
    put(rows, at, place, CARDS, cards)


@inline_kernel
def note_clauses(table, rows, at, does, gone, bit):
    """Note which house rules come into play as an action is done; see `play`.

    `does` tells where a set lies that might be taken, and where cards are laid, or a set is taken.
    """
    might_take, is_laid, is_take = does
    clauses = sixteen_at(rows, CLAUSES, at)
    if not table.may_take:
        clauses = clauses | choose(might_take, CLAUSE.no_taking, 0)
    if not table.strictly:
        clauses = clauses | choose(is_laid & (gone == bit), CLAUSE.equal_beaten, 0)
    if table.keeps_side:
        comes = is_take
        for i in range(places_of(table)):
            beaten = is_laid & (gone != 0) & (at_place(rows, at, i, BIT) == gone)
            if table.players > 2:
                beaten = beaten & (held_at(rows, at, i) != 0)
            comes = comes | beaten
        clauses = clauses | choose(comes, CLAUSE.kept_side, 0)
    put_sixteen(rows, CLAUSES, at, clauses)


@inline_kernel
def add_one(rows, row, at, which):
    """Count one where something happened."""
    put_sixteen(rows, row, at, sixteen_at(rows, row, at) + choose(which, 1, 0))
