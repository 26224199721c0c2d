"""Up: a turn in the lanes of vector registers; see `lanes`.

The state of a lane is one column of the work space. With card sets of one word, seats are counted
from the one on turn: when the turn passes, the rows of the seats move up by one. With card sets of
several words, and with counted ones, only the seat on turn has rows, and all seats are kept in
records (`pass_on`).

What the rules say is in `turn`, how specs choose in `by_spec`. Everything here is arithmetic on
numbers and truth values, too: a branch would end the vectors.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from simcore import rng
from simcore.bits import product
from simcore.games.up import cards as sets
from simcore.games.up.by_spec import choose, with_cards
from simcore.games.up.rules import HOUSE_RULES, TEXT_VARIANTS, deck_of, rules_of
from simcore.games.up.spec import MOST_OF_OPPONENT, SEAT_BITS
from simcore.games.up.table import METRIC
from simcore.games.up.turn import (
    Choice,
    Sight,
    carry_out,
    count_play,
    find_turn_moves,
    following,
    kind_chosen,
    nth_choice,
    stays_on,
)
from simcore.jit import inline_kernel, outer_kernel, wrapping
from simcore.lanes import LANES, LINE, as_record, blend, lanes_from, work_dtype
from simcore.records import MAX_SEATS
from simcore.transpose import EIGHT, records_from_rows, rows_from_records
from simcore.transpose import WORDS as RECORD

SEATS = sets.SETS_PER_WORD
"""Most seats with card sets of one word."""

HAND, OPEN, HIDDEN, WORD0, WORD1 = (SEATS * i for i in range(5))
"""First of the rows by seat: hand and open cards; the hidden cards, see `HIDDEN_COUNT`; the two
words of the private stream. With card sets of several words the seat on turn has them in the rows
of some records instead, see `Places`."""

(CAP, SEAT, PLAYS, LEAVES, MATCH, ONE, ANNOUNCES, NEXT, CARDS, DOUBLE, EQUAL) = range(20, 31)
"""Rows of the whole lane: `SEAT` is the one on turn, after which `NEXT` is, with card sets not of
one word; `LEAVES` is 1 when the lane must be looked after; `MATCH` counts matches from the first of
the block, or is `IDLE`; `ANNOUNCES` is the seat that had one card left when it had laid some, and
1 more, or 0; how many cards the seats have, side by side (`spec.SEAT_BITS`); the double two; how
many equal cards lie on top (`turn.Sight`)."""

TOWER, SPEC, COUNTS = 31, 34, 34 + RECORD
"""First of the rows of the tower; with card sets not of one word, of the spec of the seat on turn,
as a record; and of `metrics` of TABLE."""

ROWS = COUNTS + len(METRIC)

HEIGHT = TOWER + 1
"""Of counted cards, how many the tower has."""

MOST_WORDS = 3
"""Most words of a card set."""

RECORDS = 3

WORK = as_record(
    np.dtype(
        [
            *work_dtype(ROWS).descr,
            ("records", "i8", (RECORDS, LANES, MAX_SEATS, RECORD)),
            ("draws", "i8"),
            ("forgets", "i8"),
            ("specs", "i8", (MAX_SEATS, RECORD)),
        ]
    )
)
"""The work space; what the seats of each lane have; whether a seat draws random numbers
and one may forget to announce its last card, and the specs of all seats
(`by_spec.play_of`). Work spaces are handed on as records: of arrays, references are counted."""

HIDDEN_COUNT = 48
"""In `HIDDEN`: a byte for each hidden card, from this bit on their number; `FIRST_TURN` and, when
who has it leads anew in it, `ANEW`."""

FIRST_TURN = 1 << 56
ANEW = 1 << 57
OPEN_TWOS = 58
"""In `HIDDEN`, from this bit on, if cards are counted and the double two is in force: of the open
cards that count as 2s, in the order in which they go, whether it is a "-2"."""

BYTE = 255

ONE_OF_EACH_OR_TURN_UP = sets.ONE_OF_EACH | 1 << 60


class Knows(NamedTuple):
    """What a turn must know, all of which takes time.

    How many words card sets have; random play; specs; that these may weigh cards against values;
    groups of `rules`; that a last card may be forgotten to be announced.
    """

    width: int
    random: int
    specs: int
    weights: int
    rare: Any
    forgets: int


@outer_kernel
def take_turns(work, column, table, knows):
    """Let all lanes, from `column` on, take turns until one must be looked after."""
    lanes = work.rows
    special = (deck_of(table, knows.rare), rules_of(table, knows.rare))
    facts = (table.players, table.play_cap, work.forgets != 0, special)
    width = knows.width
    four = work.specs[0], work.specs[1], work.specs[2], work.specs[3]
    specs = (
        sets.words_of(four[0]),
        sets.words_of(four[1]),
        sets.words_of(four[2]),
        sets.words_of(four[3]),
    )
    leaves = 0
    while leaves == 0:
        for lane in lanes_from(column, LANES):
            seat = lanes[SEAT, lane]
            spec = spec_of(seat, specs) if width == 1 else words_in(lanes, lane, SPEC, 3)
            leaves |= take_turn(lanes, lane, facts, spec, knows)
        if width != 1:
            pass_on(work, column & (LINE - 1), knows)


@inline_kernel
def spec_of(seat, specs):
    """Return the spec of one of four seats."""
    spec = sets.one_of(seat == 1, specs[1], specs[0])
    return sets.one_of(seat == 3, specs[3], sets.one_of(seat == 2, specs[2], spec))


class Places(NamedTuple):
    """In which rows the seat on turn has its cards and its stream, and how many records they take.

    Of counted cards, `own` is how many it has.
    """

    hand: int
    open_cards: int
    hidden: int
    own: int
    word0: int
    word1: int
    records: int


@inline_kernel
def places_of(width, draws):
    """Return the places with card sets of so many words; whether somebody draws random numbers."""
    if width == sets.COUNTED:
        return Places(0, 1, 2, 3, 0, 0, 1)
    if width == 1:
        return Places(HAND, OPEN, HIDDEN, 0, WORD0, WORD1, 0)
    if width == 2:
        return Places(0, 2, 4, 0, 5, 6, 2)
    return Places(0, 4, 3, 0, 8, 9, 3 if draws else 2)


@inline_kernel
def pass_on(work, column, knows):
    """Keep what the seats that were on turn have now, and fetch what the next ones have."""
    lanes = work.rows
    places = places_of(knows.width, knows.random)
    for first in range(0, LANES, EIGHT):
        lane = column + first
        for number in range(places.records):
            records_from_rows(lanes, RECORD * number, SEAT, lane, work.records[number], first)
            rows_from_records(lanes, RECORD * number, NEXT, lane, work.records[number], first)
        if knows.specs:
            rows_from_records(lanes, SPEC, NEXT, lane, work.specs, 0)
    for lane in lanes_from(column, LANES):
        lanes[SEAT, lane] = lanes[NEXT, lane]


@inline_kernel
def fetch(work, lane, place, seat):
    """Write what the seat on turn has to its rows, with card sets not of one word."""
    lanes = work.rows
    for number in range(len(work.records)):
        for word in range(RECORD):
            lanes[RECORD * number + word, place] = work.records[number, lane, seat, word]
    for word in range(RECORD):
        lanes[SPEC + word, place] = work.specs[seat, word]


@inline_kernel
def keep(work, where, row, width, number):
    """Write a number that a seat has; `where`: lane, column, the seat, and in how many turns it is.

    With card sets not of one word the rows of the seat on turn are not written, see `fetch`.
    """
    lane, place, seat, distance = where
    if width == 1:
        work.rows[row + distance, place] = number
    else:
        work.records[row // RECORD, lane, seat, row % RECORD] = number


@inline_kernel
def kept(work, where, row, width):
    """Return a number that a seat has; see `keep`."""
    lane, place, seat, distance = where
    if width == 1:
        return work.rows[row + distance, place]
    return work.records[row // RECORD, lane, seat, row % RECORD]


@inline_kernel
@wrapping
def take_turn(lanes, lane, facts, spec, knows):
    """Let the seat on turn in a lane play; return whether the lane leaves.

    It leaves when its round is over or has had its cap of plays, and when a last card is announced
    and may be forgotten; and before a turn without a legal move, or one whose random
    number would have to be drawn again. What it `knows` is known when this is compiled.
    """
    players, play_cap, forgets, special = facts
    width, rare = knows.width, knows.rare
    places = places_of(width, knows.random)
    sight = see(lanes, lane, places, width, special, rare)
    moves = find_turn_moves(sight, False)
    count = sets.size_of(moves.hand) + sets.size_of(moves.open_cards) + moves.turn_up
    goes, several = count > 0, count > 1
    if width == sets.COUNTED:
        moves_left = moves.hand[0] + moves.open_cards[0] | np.int64(moves.turn_up) << 60
        goes = moves_left > 0
        first = sets.lowest_of(moves_left)
        several = (moves_left ^ first | first & ~ONE_OF_EACH_OR_TURN_UP) != 0
    seat = lanes[SEAT, lane]
    word0, word1 = np.uint64(0), np.uint64(0)
    choice = Choice(False, False, np.int64(0), sets.NO_CARDS)
    if knows.specs:
        others = lanes[CARDS, lane] | np.int64(MOST_OF_OPPONENT) << SEAT_BITS * seat
        counts = (lanes[PLAYS, lane], others)
        plain = width == 1 and not rare
        choice = choose(sight, moves, counts, spec, knows.weights, plain, False)
        if width == sets.COUNTED and rare & TEXT_VARIANTS:
            choice = with_next_two(lanes, lane, places.hidden, sight, choice)
    if knows.random:
        is_random = spec[0] == 0 if knows.specs else True
        goes, word0, word1, drawn = draw(lanes, lane, moves, count, is_random, places, width)
        by_hand = drawn.by_hand if is_random else choice.by_hand
        blind = drawn.blind if is_random else choice.blind
        choice = Choice(by_hand, blind, drawn.card if is_random else choice.card, sets.NO_CARDS)
    choice = Choice(choice.by_hand, goes & choice.blind, choice.card, choice.cards)
    play = carry_out(sight, choice, stays_on(kind_chosen(sight, choice), sight.cap), goes, width)
    counts = lanes[COUNTS:, lane]
    counts[METRIC.clauses] |= moves.clauses
    counts[METRIC.decisions] += goes & several
    count_play(counts, choice, play)
    lanes[PLAYS, lane] += goes
    out_of_plays = lanes[PLAYS, lane] >= play_cap
    leaves = (lanes[MATCH, lane] >= 0) & (play.out | (not goes) | out_of_plays)
    if knows.specs or knows.forgets:
        own = sight.own - play.size + play.picked
        if width == sets.COUNTED:
            lanes[places.own, lane] = own
        if knows.specs:
            lanes[CARDS, lane] = with_cards(others, seat, own)
        last = forgets & (own == 1) & goes
        lanes[ANNOUNCES, lane] = seat + 1 if last else 0
        leaves |= last
    lanes[LEAVES, lane] = leaves
    write_turn(lanes, lane, sight, play, (goes, players, (word0, word1)), knows)
    return np.int64(leaves)


@inline_kernel
def write_turn(lanes, lane, sight, play, facts, knows):
    """Write what the seat on turn and the tower are left with, and who is on turn next.

    `facts`: whether the turn goes on in the lane, the number of players, the words of the stream.
    """
    goes, players, words = facts
    width, seat, passes = knows.width, lanes[SEAT, lane], play.end.keeps
    places = places_of(width, knows.random)
    lanes[CAP, lane] = play.cap
    if knows.rare & HOUSE_RULES:
        lanes[EQUAL, lane] = play.equal
    if width == sets.COUNTED:
        lanes[HEIGHT, lane] = play.height
    hidden = lanes[places.hidden, lane] - ((sight.down - play.left) << HIDDEN_COUNT)
    hidden |= ANEW if goes & (sight.rules.restart_open != 0) else 0
    hidden &= ~(FIRST_TURN | ANEW) if passes else -1
    # `ONE` keeps the compiler from making truth values of these masks.
    turn = (~(np.int64(passes) - lanes[ONE, lane]), players, width)
    lanes[SEAT if width == 1 else NEXT, lane] = blend(turn[0], following(seat, players), seat)
    leave_words(lanes, lane, places.hand, play.hand, turn)
    leave_words(lanes, lane, places.open_cards, play.open_cards, turn)
    lanes[TOWER, lane] = play.tower[0]
    if width > 1:
        lanes[TOWER + 1, lane] = play.tower[1]
    if width > 2:
        lanes[TOWER + 2, lane] = play.tower[2]
    leave(lanes, lane, places.hidden, hidden, turn)
    if knows.random:
        leave(lanes, lane, places.word0, np.int64(words[0]), turn)
        leave(lanes, lane, places.word1, np.int64(words[1]), turn)


@inline_kernel
def see(lanes, lane, places, width, special, rare):
    """Return what the seat on turn has and sees."""
    hidden = lanes[places.hidden, lane]
    down = (hidden >> HIDDEN_COUNT) & BYTE
    deck, rules = special
    double = lanes[DOUBLE, lane] if rare & TEXT_VARIANTS else np.int64(0)
    hand = words_in(lanes, lane, places.hand, width)
    open_cards = words_in(lanes, lane, places.open_cards, width)
    tower = words_in(lanes, lane, TOWER, width)
    counted = width == sets.COUNTED
    own = (
        lanes[places.own, lane] if counted else sets.size_of(hand) + sets.size_of(open_cards) + down
    )
    height = lanes[HEIGHT, lane] if counted else sets.size_of(tower)
    return Sight(
        hand=hand,
        open_cards=open_cards,
        tower=tower,
        own=own,
        height=height,
        cap=lanes[CAP, lane],
        down=down,
        top=(hidden >> (8 * ((down - 1) & 7))) & BYTE,
        first_turn=hidden & FIRST_TURN,
        anew=hidden & ANEW if rare & HOUSE_RULES else np.int64(0),
        equal=lanes[EQUAL, lane] if rare & HOUSE_RULES else np.int64(0),
        deck=sets.Deck(double, deck.minus_twos, deck.clears, np.int64(counted)),
        rules=rules,
    )


@inline_kernel
def words_in(lanes, lane, first, width):
    """Return a card set as four words, of which those that it does not have are 0."""
    return (
        lanes[first, lane],
        lanes[first + 1, lane] if width > 1 else np.int64(0),
        lanes[first + 2, lane] if width > 2 else np.int64(0),
        np.int64(0),
    )


@inline_kernel
def with_next_two(lanes, lane, row, sight, choice):
    """Return the choice; a single open card that counts as a 2 is the next one in `OPEN_TWOS`."""
    cards = choice.cards[0]
    by_place = (
        (sight.deck.double != 0) & (sight.cap == 1) & (cards & (sets.TWOS | sets.MINUS_TWOS) != 0)
    )
    by_place &= (not choice.by_hand) & (not choice.blind)
    hidden = lanes[row, lane]
    others = hidden >> OPEN_TWOS
    after = (others >> 1 if by_place else others) << OPEN_TWOS
    lanes[row, lane] = after | hidden & (1 << OPEN_TWOS) - 1
    cards = 1 << 4 * 2 if by_place & (others & 1 == 0) else cards
    return Choice(choice.by_hand, choice.blind, choice.card, sets.in_one_word(cards))


@inline_kernel
def draw(lanes, lane, moves, count, is_random, places, width):
    """Choose as `rng.below` and `moves.nth_play_move` do, if it is done at random.

    Return whether the turn goes on in the lane, the words of the stream afterwards, the choice.
    """
    word0 = np.uint64(lanes[places.word0, lane])
    word1 = np.uint64(lanes[places.word1, lane])
    word, next0, next1 = rng.step(word0, word1)
    drawn_from = product(word >> np.uint64(32), np.uint64(count))
    chosen = (count > 1) & is_random
    goes = (count > 0) & ((not chosen) | ((drawn_from & rng.HALF) >= np.uint64(count)))
    draws = chosen & goes
    index = np.int64(drawn_from >> np.uint64(32)) if chosen else 0
    drawn = nth_choice(moves, index, width, False)
    return goes, next0 if draws else word0, next1 if draws else word1, drawn


@inline_kernel
def leave_words(lanes, lane, row, words, turn):
    """Leave a card set; a loop over its words would be a switch, which ends the vectors."""
    width = turn[2]
    leave(lanes, lane, row, words[0], turn)
    if width > 1:
        leave(lanes, lane, row + 1, words[1], turn)
    if width > 2:
        leave(lanes, lane, row + 2, words[2], turn)


@inline_kernel
def leave(lanes, lane, row, own, turn):
    """Write what the seat on turn has now to its row, or to the last one when the turn passes.

    `turn`: whether it passes, of how many players; with card sets of how many words: only with one
    the rows move. That, and whether there are three and four seats, are masks of all bits or of
    none: of truth values the compiler would make masked stores, which the next load waits for.
    """
    passes, players, width = turn
    if width != 1:
        lanes[row, lane] = own
        return
    three = -np.int64(players > 2)
    four = -np.int64(players > 3)
    second = lanes[row + 1, lane]
    third = lanes[row + 2, lane]
    fourth = lanes[row + 3, lane]
    lanes[row, lane] = blend(passes, second, own)
    lanes[row + 1, lane] = blend(passes, blend(three, third, own), second)
    lanes[row + 2, lane] = blend(passes, blend(four, fourth, own), third)
    lanes[row + 3, lane] = blend(passes, own, fourth)
