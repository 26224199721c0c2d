"""UNO: one step of play in many lanes at once, in vector registers.

See `lanes`, which prepares the lanes and looks after those that leave the ordinary. A step is a
turn with the naming of a colour, or the answer to a wild draw four, or one card that a seat is made
to draw. Everything here is arithmetic on words, because a branch would end the vectors: truth
values are masks, words of all or of no bits (so that to subtract one is to count it).
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import popcount
from simcore.games.uno import table as uno
from simcore.games.uno.cards import (
    DRAW_TWOS,
    FACES,
    FIRST_OF_COLOURS,
    KINDS,
    ONE_COLOUR,
    REVERSES,
    WILD_DRAW_FOUR,
    WILDS,
)
from simcore.games.uno.lane_choice import any_bits, choose_as_told, with_count
from simcore.games.uno.play import DRAW_FOUR_CARDS, DRAW_TWO_CARDS, LOST_CHALLENGE_CARDS
from simcore.games.uno.table import DRAW, DRAW_MOVE
from simcore.jit import inline_kernel, kernel, wrapping
from simcore.lanes import LANES, LINE, blend, nth_bit
from simcore.match import aside_stream
from simcore.records import RANDOM
from simcore.transpose import EIGHT, WORDS, records_from_rows, rows_from_records

HAND, DOUBLES, WORD0, WORD1 = range(4)
"""Rows of the seat on turn, and what `seats` has of every seat: the hand as a card set, the two
words of the private stream."""

TACTICS = 4
"""First of the rows of what `tactics` has of the seat on turn (see `lane_choice`)."""

CARDS, HELD, SEAT, PENDING, TURNS, REVERSALS, SIZE, CARD = range(8, 16)
PLAYABLE, COLOUR_CARDS, TOP, DISCARDS, DISCARD_DOUBLES = range(16, 21)
COUNTS, BLOCKED, BUSY, COINS = range(21, 25)
LANE_ROWS = 25
"""Rows of the whole lane.

How many cards each seat has (`lane_choice.with_count`; kept where policies are told how to play);
the seat whose rows the first ones are; the seat on turn; how many cards it is still made to draw,
`INNOCENT` or `BLUFF` when it is to answer such a wild draw four, 0 in an ordinary turn; turns and
reversals of the round; how many cards the stock has in order, and the kind of the next. What may be
laid, the cards of the colour asked for, the card on top as its bit, and those below as a card set.
Counts (see `COUNT_SHIFTS`); the wild draw fours that could not be laid; a mask, whether the lane
has a match; at random tables, for every seat a bit: what it will decide next of what it decides
aside (`moves.is_aside`), 1 for the second move; seat 0 has the highest bit."""

COUNT_SHIFTS = OTHERS, FOURS, BLUFFS, DOUBTS, CAUGHT = 16, 32, 40, 48, 56
"""Where in `COUNTS` stand other decisions than what to do in a turn, which stand first; wild draw
fours laid, and those illegally; challenges, and those won."""

INNOCENT, BLUFF = -1, -2

BLANK = 63
"""In a stock, instead of a kind: who draws it draws nothing."""

_FIRST_COIN = np.uint64(1 << 63)
_ALL_KINDS = (1 << KINDS) - 1
_DRAW_FOUR = 1 << WILD_DRAW_FOUR
_FACES_PER_1024 = 79
"""So that a kind below 64 times this, divided by 1024, is divided by `FACES`."""


@kernel
def take_steps(work, column, group, players, skips, no_bluffs, last, turn_cap, told):
    """Take a step in all lanes of a group.

    Parameters
    ----------
    work : record
        See `lanes.WORK`; modified in place.
    column, group : int
        The first column of all lanes, and the first lane of the group.
    players, skips, turn_cap : int
        As in TABLE.
    no_bluffs : int
        A mask: whether a wild draw four may be laid only when it is legal.
    last : int
        Who lays one of so many cards is looked after.
    told : tuple
        Only its length counts: 0 if all seats are the policy `random`, 1 if they play as they are
        told in `tactics`, 2 if some of these lay cards at random, 3 if all do.

    Returns
    -------
    int
        A bit for each lane that needs another coin (see `toss_again`); above these one for each
        that drew no card because there was none, or that is to draw and there is none; and above
        these one for each whose turn is out of the ordinary and was not taken.
    """
    lanes = work.lanes
    start = (column & (LINE - 1)) + (group & LANES)
    leaves = 0
    for lane in range(LANES):
        why = take_step(lanes, start + lane, players, skips, no_bluffs, last, turn_cap, told)
        leaves |= why << lane
    for lane in range(0, LANES, EIGHT):
        records_from_rows(lanes, HAND, HELD, start + lane, work.seats, (group & LANES) + lane)
    for lane in range(0, LANES, EIGHT):
        rows_from_records(lanes, HAND, SEAT, start + lane, work.seats, (group & LANES) + lane)
        if 0 < len(told) < 3:
            rows_from_records(lanes, TACTICS, SEAT, start + lane, work.tactics, 0)
    stocks = work.stocks
    for lane in range(LANES):
        size = np.uint32(lanes[SIZE, start + lane])
        lanes[CARD, start + lane] = stocks[(group & LANES) + lane, size]
    return leaves


@inline_kernel
def fetch(work, lane):
    """Write what the seat on turn has to its rows, and the next card of the stock."""
    lanes = work.lanes
    at = work.column + lane
    seat = np.uint32(lanes[SEAT, at])
    for word in range(WORDS):
        lanes[word, at] = work.seats[lane, seat, word]
        lanes[TACTICS + word, at] = work.tactics[seat, word]
    lanes[CARD, at] = work.stocks[lane, np.uint32(lanes[SIZE, at])]


@inline_kernel
def toss(table, box, work, lane):
    """Toss a coin for every seat's next decision aside, where a round is put into a lane."""
    coins = np.int64(0)
    if table.challenge and box.policies[table.seat] == RANDOM:
        for seat in range(table.players):
            coins |= coin_of(aside_stream(table, box, seat), seat)
    work.lanes[COINS, work.column + lane] = coins


@inline_kernel
def toss_again(table, box, work, lane):
    """Toss another coin for the seat that used its one in the last step."""
    at = work.column + lane
    seat = work.lanes[HELD, at]
    stream = aside_stream(table, box, seat)
    rng.next_word(stream)
    coins = work.lanes[COINS, at] & ~np.int64(_FIRST_COIN >> np.uint64(seat))
    work.lanes[COINS, at] = coins | coin_of(stream, seat)


@inline_kernel
def coin_of(stream, seat):
    """Return what `rng.below(stream, 2)` will be, as the seat's bit; nothing is drawn yet."""
    coin = rng.step(stream[0], stream[1])[0] >> np.uint64(63)
    return np.int64(coin << np.uint64(63 - seat))


@inline_kernel
def book(table, work, lane):
    """Add what was counted in a lane to the metrics of the match."""
    lanes = work.lanes
    at = work.column + lane
    counts = np.uint64(lanes[COUNTS, at])
    lanes[COUNTS, at] = 0
    chosen = np.int64(counts & np.uint64(0xFFFF))
    others = np.int64((counts >> np.uint64(OTHERS)) & np.uint64(0xFFFF))
    fours = np.int64((counts >> np.uint64(FOURS)) & np.uint64(0xFF))
    table.metrics[uno.DECISIONS] += chosen + others
    table.metrics[uno.FORCED] -= chosen  # All turns are added when the lane is unloaded.
    table.metrics[uno.WILD_DRAW_FOURS] += fours
    table.metrics[uno.BLUFFS] += np.int64((counts >> np.uint64(BLUFFS)) & np.uint64(0xFF))
    table.metrics[uno.CHALLENGES] += np.int64((counts >> np.uint64(DOUBTS)) & np.uint64(0xFF))
    table.metrics[uno.CAUGHT] += np.int64(counts >> np.uint64(CAUGHT))
    if fours | lanes[BLOCKED, at]:
        table.metrics[uno.CLAUSES] |= uno.CHALLENGE_CLAUSE


@inline_kernel
@wrapping
def take_step(lanes, lane, players, skips, no_bluffs, last, turn_cap, told):
    """Take one step in a lane; see `take_steps`."""
    index = lanes[SEAT, lane]
    lanes[HELD, lane] = index
    pending = lanes[PENDING, lane]
    turns = lanes[TURNS, lane]
    size = lanes[SIZE, lane]
    card = (np.int64(1) << lanes[CARD, lane]) & _ALL_KINDS
    colour_cards = lanes[COLOUR_CARDS, lane]
    playable = lanes[PLAYABLE, lane]
    top = lanes[TOP, lane]
    hand = lanes[HAND, lane]
    doubles = lanes[DOUBLES, lane]
    first0 = word0 = np.uint64(lanes[WORD0, lane])
    first1 = word1 = np.uint64(lanes[WORD1, lane])
    answers = pending >> 63 if len(told) == 0 else np.int64(0)
    forced = -pending >> 63
    plays = ~(answers | forced)

    # What may be laid, as in `moves.playable_cards`, and which of it is chosen.
    holds = -np.int64((hand & colour_cards) != 0)
    blocked = _DRAW_FOUR & holds & no_bluffs
    may = playable & ~blocked
    found = (hand & may) | DRAW_MOVE
    count = popcount(found)
    chooses = plays & ((1 - count) >> 63)
    if len(told) > 0:
        tactic = (
            lanes[TACTICS, lane],
            lanes[TACTICS + 1, lane],
            lanes[TACTICS + 2, lane],
            lanes[TACTICS + 3, lane],
        )
        following = seat_in_turn(index, 1, lanes[REVERSALS, lane], players)
        honest = hand & may & ~(_DRAW_FOUR & holds)
        move, richest, at_random, again, words = choose_as_told(
            tactic,
            lanes[CARDS, lane],
            index,
            following,
            hand,
            doubles,
            honest,
            (word0, word1),
            told,
        )
        word0 = blend(np.uint64(plays), words[0], word0)
        word1 = blend(np.uint64(plays), words[1], word1)
        doubt = np.int64(0)
        draws = plays & ~any_bits(honest)
    else:
        richest = np.int64(0)
        at_random = np.int64(-1)
        word, next0, next1 = rng.step(word0, word1)
        product = (word >> np.uint64(32)) * np.uint64(count)
        again = -np.int64((product & rng.HALF) < np.uint64(count))  # It might be drawn again.
        move = np.int64(1) << nth_bit(found, np.int64(product >> np.uint64(32)))
        coin = (lanes[COINS, lane] << index) >> 63
        doubt = answers & coin
        word0 = blend(np.uint64(chooses), next0, word0)
        word1 = blend(np.uint64(chooses), next1, word1)
        draws = plays & -(move >> DRAW)

    # Whether the card drawn is laid.
    goes = draws & -np.int64((card & may) != 0)
    if len(told) > 0:
        lays = plays & (~draws | goes)  # Who draws has no card of the colour: nothing is a bluff.
        aside = np.int64(0)
    else:
        word, next0, next1 = rng.step(word0, word1)
        aside = goes & holds & ((card << (63 - WILD_DRAW_FOUR)) >> 63)
        keeps = blend(aside, coin, np.int64(word) >> 63)
        lays = plays & (~draws | (goes & ~keeps))
        word0 = blend(np.uint64(goes & ~aside), next0, word0)
        word1 = blend(np.uint64(goes & ~aside), next1, word1)

    # Whether the step can be taken at all.
    needs = draws | forced
    cards = popcount(hand) + popcount(doubles) - draws
    ends = lays & ((cards - last - 1) >> 63)
    stuck = plays & (ends | again | ((turn_cap - 1 - turns) >> 63))
    dry = needs & ~stuck & ((size - 1) >> 63)
    acts = ~(stuck | dry)
    plays &= acts
    needs &= acts
    lays &= acts
    goes &= acts
    chooses &= acts
    forced &= acts
    shut = blocked & plays & (hand | (card & draws))
    laid = blend(draws, card, move)

    # What lies on top then, with the colour named.
    wild = lays & -np.int64((laid & WILDS) != 0)
    word, next0, next1 = rng.step(word0, word1)
    word0 = blend(np.uint64(wild & at_random), next0, word0)
    word1 = blend(np.uint64(wild & at_random), next1, word1)
    kind = popcount(laid - 1)
    first = FACES * ((kind * _FACES_PER_1024) >> 10)
    same_face = (FIRST_OF_COLOURS << (kind - first)) & ~wild
    named = blend(at_random, FACES * np.int64(word >> np.uint64(62)), richest)
    same_colour = np.int64(ONE_COLOUR) << blend(wild, named, first)
    lanes[COLOUR_CARDS, lane] = blend(lays, same_colour, colour_cards)
    lanes[PLAYABLE, lane] = blend(lays, same_colour | same_face | WILDS, playable)
    lanes[TOP, lane] = blend(lays, laid, top)
    pile, pile_doubles = put_bit(lanes[DISCARDS, lane], lanes[DISCARD_DOUBLES, lane], top & lays)
    lanes[DISCARDS, lane] = pile
    lanes[DISCARD_DOUBLES, lane] = pile_doubles

    # The seat.
    leaving = lays & ~draws
    coming = needs & ~lays
    fewer, fewer_doubles = take_bit(hand, doubles, move & leaving)
    more, more_doubles = put_bit(hand, doubles, card & coming)
    hand ^= fewer ^ more  # One of the two is the hand as it was.
    doubles ^= fewer_doubles ^ more_doubles
    if 0 < len(told) < 3:
        cards += draws + leaving - coming
        lanes[CARDS, lane] = with_count(lanes[CARDS, lane], index, cards)
    lanes[HAND, lane] = hand
    lanes[DOUBLES, lane] = doubles
    lanes[WORD0, lane] = np.int64(blend(np.uint64(acts), word0, first0))
    lanes[WORD1, lane] = np.int64(blend(np.uint64(acts), word1, first1))
    lanes[SIZE, lane] = size + needs

    # What the card does, or the answer, and who is next.
    skip = lays & -np.int64((laid & skips) != 0)
    two = lays & -np.int64((laid & DRAW_TWOS) != 0)
    four = lays & -np.int64((laid & _DRAW_FOUR) != 0)
    bluff = four & holds if len(told) == 0 else np.int64(0)
    caught = doubt & -np.int64(pending == BLUFF)
    done = forced & -np.int64(pending == 1)
    reversals = lanes[REVERSALS, lane] + np.int64((lays & laid & REVERSES) != 0)
    lanes[REVERSALS, lane] = reversals
    victim_draws = blend(doubt & ~caught, np.int64(LOST_CHALLENGE_CARDS), DRAW_FOUR_CARDS)
    pending = blend(answers, victim_draws, pending + forced)
    pending |= two & DRAW_TWO_CARDS
    accepted = four & ~no_bluffs if len(told) > 0 else np.int64(0)
    at_once = no_bluffs | accepted
    pending |= four & blend(at_once, np.int64(DRAW_FOUR_CARDS), INNOCENT + bluff)
    lanes[PENDING, lane] = pending
    lanes[TURNS, lane] = turns - (acts & -np.int64(pending == 0))
    steps = caught - plays - skip - done
    lanes[SEAT, lane] = seat_in_turn(index, steps, reversals, players)

    others = (goes + wild + answers + accepted) << OTHERS
    fours = (four << FOURS) + (bluff << BLUFFS)
    lanes[COUNTS, lane] -= chooses + others + fours + (doubt << DOUBTS) + (caught << CAUGHT)
    lanes[BLOCKED, lane] |= shut
    dry |= (-pending >> 63) & ((size + needs - 1) >> 63)
    used = (answers | aside) & acts & 1
    return lanes[BUSY, lane] & (used | (dry & (1 << LANES)) | (stuck & (1 << 2 * LANES)))


@inline_kernel
def seat_in_turn(index, steps, reversals, players):
    """Return the seat so many steps (−1, 0, 1, 2) from a seat, after so many reversals."""
    back = -(reversals & 1)
    index += (steps ^ back) - back
    index += players & (index >> 63)
    return index - (players & ~((index - players) >> 63))


@inline_kernel
def put_bit(cards, doubles, bit):
    """Return a card set with one more card, or none, as `cards.put`."""
    second = cards & bit
    third = (second & doubles) << 2
    fourth = (third & doubles) << 2
    return cards | bit, doubles | second | third | fourth


@inline_kernel
def take_bit(cards, doubles, bit):
    """Return a card set without one of its cards, or as it is; as `cards.take` and `take_wild`."""
    wild = bit & WILDS
    more = doubles & (bit | (wild << 2) | (wild << 4))
    return cards & ~(bit & ~more), doubles & ~(more & ~(more >> 2))
