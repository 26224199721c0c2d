"""Up: a turn of uniform random play in the lanes of vector registers; see `lanes`.

What all turns have in common, to see the moves and to carry one out, is here as well.

The state of a lane is one column of the work space. With card sets of one word, seats are counted
from the one on turn: when the turn passes, the rows of the seats move up by one. With card sets of
three words only the seat on turn has rows, and all seats are kept in `seats` (`pass_on`).
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import popcount
from simcore.games.up.cards import CLEAR, HIGHEST, MINUS_TWO, MINUS_TWOS, SETS_PER_WORD
from simcore.games.up.spec import PACKED
from simcore.jit import inline_kernel, kernel, wrapping
from simcore.lanes import LANES, LINE, as_record, blend, nth_bit, work_dtype
from simcore.records import MAX_SEATS

SEATS = SETS_PER_WORD
"""Most seats with card sets of one word."""

HAND, OPEN, HIDDEN, WORD0, WORD1 = (SEATS * i for i in range(5))
"""First of the rows by seat, or by word for the seat on turn: hand and open cards; the hidden
cards, see `HIDDEN_COUNT`; the two words of the private stream."""

(CAP, SEAT, PLAYS, DECISIONS, COLLAPSES, CLEARS, MINUS_TWOS_LAID) = range(20, 27)
BLIND_PLAYS, LARGEST_PICKUP, NOTES, TOWER, LEAVES, MATCH, ONE = (*range(27, 31), 33, 34, 35)
"""Rows of the whole lane: `SEAT` is the one on turn; `TOWER` has three rows; `LEAVES` is 1 when the
lane must be looked after; `MATCH` counts matches from the first of the block, or is `IDLE`."""

NEXT = 36
"""The row of the seat that is on turn next, with card sets of three words."""

PASSES, CARDS, SPEC = 37, 38, 39
"""Rows of lanes whose policies have specs: how often the lead has been passed since the last
play; how many cards the seats have, side by side (`specs.SEAT_BITS`); with card sets of three
words, the packed spec of the seat on turn."""

ROWS = SPEC + PACKED

WORDS = 3
KEPT_HAND, KEPT_OPEN, KEPT_HIDDEN, KEPT_WORD0, KEPT_WORD1 = (0, WORDS, *range(2 * WORDS, 9))
"""Where in `seats` the seats have what the rows above are for."""

KEPT = KEPT_WORD1 + 1

WORK = as_record(
    np.dtype(
        [
            *work_dtype(ROWS).descr,
            ("seats", "i8", (LANES, MAX_SEATS, KEPT)),
            ("specified", "i8"),
            ("refused", "i8"),
            ("packed", "i8", (MAX_SEATS, PACKED)),
        ]
    )
)
"""The work space; whether policies have specs, whether one has returned an illegal move, and the
specs of all seats. Work spaces are handed on as records: of arrays, references are counted."""

HIDDEN_COUNT = 32
"""In `HIDDEN`: a byte for each hidden card, from this bit on their number, and `FIRST_TURN`."""

FIRST_TURN = 1 << 40
SEVERAL_AT_FIRST, BLIND_FINISH = 1, 2
"""In `NOTES`."""

_ONES = sum(1 << 4 * kind for kind in range(MINUS_TWO))
BYTE = 255


@kernel
def take_turns(work, column, table):
    """Let all lanes, from `column` on, take turns until one must be looked after."""
    lanes = work.rows
    players = table.players
    play_cap = table.play_cap
    several = len(table.tower) > 1
    leaves = 0
    while leaves == 0:
        for lane in range(LANES):
            leaves |= take_turn(lanes, (column & (LINE - 1)) + lane, players, play_cap, several)
        if several:
            pass_on(work, column)


@inline_kernel
def pass_on(work, column):
    """Keep what the seats that were on turn have now, and fetch what the next ones have."""
    lanes = work.rows
    seats = work.seats
    for number in range(LANES):
        lane = (column & (LINE - 1)) + number
        seat = np.uint32(lanes[SEAT, lane])
        following = np.uint32(lanes[NEXT, lane])
        keep(lanes, lane, seats[number, seat])
        fetch(lanes, lane, seats[number, following])
        lanes[SEAT, lane] = following


@inline_kernel
def keep(lanes, lane, kept):
    """Keep what stands in the rows of the seat on turn in `kept` (modified in place)."""
    for word in range(WORDS):
        kept[KEPT_HAND + word] = lanes[HAND + word, lane]
        kept[KEPT_OPEN + word] = lanes[OPEN + word, lane]
    kept[KEPT_HIDDEN] = lanes[HIDDEN, lane]
    kept[KEPT_WORD0] = lanes[WORD0, lane]
    kept[KEPT_WORD1] = lanes[WORD1, lane]


@inline_kernel
def fetch(lanes, lane, kept):
    """Write what a seat has to the rows of the one on turn."""
    for word in range(WORDS):
        lanes[HAND + word, lane] = kept[KEPT_HAND + word]
        lanes[OPEN + word, lane] = kept[KEPT_OPEN + word]
    lanes[HIDDEN, lane] = kept[KEPT_HIDDEN]
    lanes[WORD0, lane] = kept[KEPT_WORD0]
    lanes[WORD1, lane] = kept[KEPT_WORD1]


@inline_kernel
@wrapping
def take_turn(lanes, lane, players, play_cap, several):
    """Let the seat on turn in a lane play, at random; return whether the lane leaves.

    It leaves when its round is over or has had its cap of plays; and before a turn without a legal
    move, or one whose random number would have to be drawn again. Everything here is arithmetic on
    numbers and truth values: a branch would end the vectors. `several`, whether card sets have
    three words, is known when this is compiled.
    """
    sight = see(lanes, lane, several)
    hand_moves, open_moves, may_turn_up, _ = find_moves(sight)
    from_hand = size_of(hand_moves)
    count = from_hand + size_of(open_moves) + may_turn_up

    # One of them, as `rng.below` and `moves.nth_play_move` choose it.
    word0 = np.uint64(lanes[WORD0, lane])
    word1 = np.uint64(lanes[WORD1, lane])
    word, next0, next1 = rng.step(word0, word1)
    product = (word >> np.uint64(32)) * np.uint64(count)
    chosen = count > 1
    goes = (count > 0) & ((not chosen) | ((product & rng.HALF) >= np.uint64(count)))
    draws = chosen & goes
    word0 = next0 if draws else word0
    word1 = next1 if draws else word1
    index = np.int64(product >> np.uint64(32)) if chosen else 0
    by_hand = index < from_hand
    index = index if by_hand else index - from_hand
    moves = from_source(by_hand, hand_moves, open_moves)
    blind = goes & (any_of(moves) == 0)
    card = nth_card(moves, index, several)
    card = top_card(sight) if blind else card
    kind = (card & 63) >> 2
    source = from_source(by_hand, sight[0], sight[1])
    all_go = lays_several(kind, sight[4])
    laid = laid_from(source, card, blind, all_go, goes, several)
    choice = (goes, draws, by_hand, blind, False)
    leaves, passes, _ = carry_out(
        lanes, lane, sight, choice, kind, laid, players, play_cap, several
    )
    if several:
        lanes[WORD0, lane] = np.int64(word0)
        lanes[WORD1, lane] = np.int64(word1)
    else:
        three = -np.int64(players > 2)
        four = -np.int64(players > 3)
        pass_turn(lanes, lane, WORD0, np.int64(word0), passes, three, four)
        pass_turn(lanes, lane, WORD1, np.int64(word1), passes, three, four)
    return leaves


@inline_kernel
def see(lanes, lane, several):
    """Return what the seat on turn has and sees: hand, open and hidden cards, tower, cap."""
    hand = words_of(lanes, lane, HAND, several)
    open_cards = words_of(lanes, lane, OPEN, several)
    tower = words_of(lanes, lane, TOWER, several)
    return hand, open_cards, lanes[HIDDEN, lane], tower, lanes[CAP, lane]


@inline_kernel
def highest_borne(cap):
    """Return the highest value that a tower bears."""
    return HIGHEST if cap == 0 else cap


@inline_kernel
def lays_several(kind, cap):
    """Tell whether several cards of a kind are laid at once, which stay on the tower if it can."""
    return ((kind >= 1) & (kind <= highest_borne(cap))) | (kind == MINUS_TWO)


@inline_kernel
def top_card(sight):
    """Return the hidden card that is turned up next."""
    hidden = sight[2]
    down = (hidden >> HIDDEN_COUNT) & BYTE
    return (hidden >> (8 * ((down - 1) & 3))) & BYTE


@inline_kernel
def find_moves(sight):
    """Return the moves from the hand, from the open cards, and whether a card may be turned up.

    As `moves.find_play_moves` finds them. The last number has the cards that the tower bears.
    """
    hand, open_cards, hidden, _, cap = sight
    highest = highest_borne(cap)
    first_turn = (hidden & FIRST_TURN) != 0
    down = (hidden >> HIDDEN_COUNT) & BYTE
    heavier = np.int64(16) << (4 * highest)
    layable = (heavier - 1) & ~15
    single = (_ONES & ~(heavier - 1)) | 1
    minus_twos = 0 if cap == 0 else max(1, (cap - 1) >> 1)
    hand_moves = moves_in_words(hand, layable, single, minus_twos)
    open_moves = moves_in_words(open_cards, layable, single, minus_twos)
    may_open = -np.int64(not first_turn)
    open_moves = (open_moves[0] & may_open, open_moves[1] & may_open, open_moves[2] & may_open)
    may_turn_up = (not first_turn) & (any_of(open_cards) == 0) & (down > 0)
    return hand_moves, open_moves, may_turn_up, layable


@inline_kernel
def carry_out(lanes, lane, sight, choice, kind, laid, players, play_cap, several):
    """Carry out what the seat on turn has chosen, as `play.apply_play` does.

    Parameters
    ----------
    sight : tuple
        See `see`.
    choice : tuple
        Whether the turn goes on in the lane, whether there was a choice, whether cards of the hand
        are laid, whether a hidden card is turned up; and whether, instead, the lead is passed.
    kind : int
    laid : tuple
        The cards laid, as words.

    Returns
    -------
    tuple
        Whether the lane leaves, a mask of whether the turn passes, how many cards the seat has.
    """
    hand, open_cards, hidden, tower, cap = sight
    goes, draws, by_hand, blind, passes_lead = choice
    laid0, laid1, laid2 = laid
    highest = highest_borne(cap)
    first_turn = (hidden & FIRST_TURN) != 0
    down = (hidden >> HIDDEN_COUNT) & BYTE
    stays = goes & (kind >= 1) & (kind <= highest)
    lowers = goes & (kind == MINUS_TWO)
    clears = goes & (kind == CLEAR)
    size = popcount(laid0) + popcount(laid1) + popcount(laid2)
    left = down - blind
    finishes_blind = lowers & blind & (any_of(hand) == 0) & (left == 0)
    takes_back = lowers & blind & (cap == 0) & (not finishes_blind)
    lower = cap - 2 * size
    lowers = lowers & (not finishes_blind) & (not takes_back) & (lower >= 1)
    keeps = stays | lowers
    stops = clears | finishes_blind | takes_back
    collapses = goes & (not keeps) & (not stops)
    changes = (by_hand, (not by_hand) & (not blind), collapses, takes_back, collapses | stops)
    hand0, open0, whole0, left0 = move_cards(hand[0], open_cards[0], tower[0], laid0, changes)
    hand1, open1, whole1, left1 = move_cards(hand[1], open_cards[1], tower[1], laid1, changes)
    hand2, open2, whole2, left2 = move_cards(hand[2], open_cards[2], tower[2], laid2, changes)
    hidden -= np.int64(1) << HIDDEN_COUNT if blind else 0
    hidden &= ~FIRST_TURN if keeps | passes_lead else -1
    out = goes & ((hand0 | hand1 | hand2) == 0) & ((open0 | open1 | open2) == 0) & (left == 0)

    plays = lanes[PLAYS, lane] + goes
    pickup = popcount(whole0) + popcount(whole1) + popcount(whole2) if collapses else 0
    notes = SEVERAL_AT_FIRST if first_turn & (size > 1) else 0
    notes |= BLIND_FINISH if finishes_blind else 0
    lanes[CAP, lane] = (kind if stays else lower) if keeps else (0 if goes else cap)
    lanes[PLAYS, lane] = plays
    lanes[DECISIONS, lane] += draws
    lanes[COLLAPSES, lane] += collapses
    lanes[CLEARS, lane] += clears
    lanes[MINUS_TWOS_LAID, lane] += size if lowers else finishes_blind & (cap > 0)
    lanes[BLIND_PLAYS, lane] += blind
    lanes[LARGEST_PICKUP, lane] = max(lanes[LARGEST_PICKUP, lane], pickup)
    lanes[NOTES, lane] |= notes
    leaves = (lanes[MATCH, lane] >= 0) & (out | (not (goes | passes_lead)) | (plays >= play_cap))
    lanes[LEAVES, lane] = leaves

    passes = mask_of(lanes, lane, keeps | passes_lead)
    seat = lanes[SEAT, lane]
    following = blend(passes, 0 if seat + 1 == players else seat + 1, seat)
    lanes[TOWER, lane] = left0
    if several:
        lanes[NEXT, lane] = following
        lanes[TOWER + 1, lane] = left1
        lanes[TOWER + 2, lane] = left2
        lanes[HAND, lane] = hand0
        lanes[HAND + 1, lane] = hand1
        lanes[HAND + 2, lane] = hand2
        lanes[OPEN, lane] = open0
        lanes[OPEN + 1, lane] = open1
        lanes[OPEN + 2, lane] = open2
        lanes[HIDDEN, lane] = hidden
    else:
        three = -np.int64(players > 2)
        four = -np.int64(players > 3)
        lanes[SEAT, lane] = following
        pass_turn(lanes, lane, HAND, hand0, passes, three, four)
        pass_turn(lanes, lane, OPEN, open0, passes, three, four)
        pass_turn(lanes, lane, HIDDEN, hidden, passes, three, four)
    own = size_of((hand0, hand1, hand2)) + size_of((open0, open1, open2)) + left
    return np.int64(leaves), passes, own


@inline_kernel
def mask_of(lanes, lane, truth):
    """Return all bits, or none; `lanes[ONE]` keeps the compiler from making a truth value of it."""
    return ~(np.int64(truth) - lanes[ONE, lane])


@inline_kernel
def from_source(by_hand, hand, open_cards):
    """Return the words of the hand or of the open cards."""
    return (
        hand[0] if by_hand else open_cards[0],
        hand[1] if by_hand else open_cards[1],
        hand[2] if by_hand else open_cards[2],
    )


@inline_kernel
def words_of(lanes, lane, first, several):
    """Return a card set as three words, of which two are 0 unless it has several."""
    if several:
        return lanes[first, lane], lanes[first + 1, lane], lanes[first + 2, lane]
    return lanes[first, lane], np.int64(0), np.int64(0)


@inline_kernel
def any_of(words):
    """Return 0 if a card set has no cards."""
    return words[0] | words[1] | words[2]


@inline_kernel
def size_of(words):
    """Return how many cards a card set has."""
    return popcount(words[0]) + popcount(words[1]) + popcount(words[2])


@inline_kernel
def nth_card(moves, index, several):
    """Return the card number `index` (from 0) of a card set."""
    if not several:
        return nth_bit(moves[0], index)
    first = popcount(moves[0])
    second = first + popcount(moves[1])
    beyond_first = index >= first
    beyond_second = index >= second
    word = moves[1] if beyond_first else moves[0]
    word = moves[2] if beyond_second else word
    skipped = first if beyond_first else 0
    skipped = second if beyond_second else skipped
    number = np.int64(beyond_first) + np.int64(beyond_second)
    return nth_bit(word, index - skipped) + 64 * number


@inline_kernel
def laid_from(source, card, blind, several_go, goes, several):
    """Return what is laid: all cards of a kind up to a certain one, or the first of this kind.

    `blind` plays lay just this card; nothing is laid unless the turn `goes`.
    """
    bit = np.int64(1) << (card & 63)
    field = np.int64(15) << (card & 60)
    up_to = field & ((bit << 1) - 1)
    word = card >> 6
    same0 = source[0] & field
    if not several:
        same0 = bit if blind else same0
        laid0 = same0 & up_to if several_go else same0 & -same0
        return laid0 if goes else 0, np.int64(0), np.int64(0)
    same1 = source[1] & field
    same2 = source[2] & field
    here1 = word == 1
    here2 = word == 2
    beyond0 = here1 | here2
    all0 = same0 & (field if beyond0 else up_to)
    all1 = same1 & (field if here2 else (up_to if here1 else 0))
    all2 = same2 & (up_to if here2 else 0)
    one0 = same0 & -same0
    one1 = same1 & -same1 if same0 == 0 else 0
    one2 = same2 & -same2 if (same0 | same1) == 0 else 0
    laid0 = all0 if several_go else one0
    laid1 = all1 if several_go else one1
    laid2 = all2 if several_go else one2
    laid0 = (0 if beyond0 else bit) if blind else laid0
    laid1 = (bit if here1 else 0) if blind else laid1
    laid2 = (bit if here2 else 0) if blind else laid2
    return laid0 if goes else 0, laid1 if goes else 0, laid2 if goes else 0


@inline_kernel
def move_cards(hand, open_cards, tower, laid, changes):
    """Return a word of the hand, of the open cards, of the tower with what is laid, and as left."""
    from_hand, from_open, collapses, takes_back, ends = changes
    whole = tower | laid
    hand ^= laid if from_hand else 0
    hand |= whole if collapses else 0
    hand |= laid if takes_back else 0
    open_cards ^= laid if from_open else 0
    return hand, open_cards, whole, 0 if ends else whole


@inline_kernel
def pass_turn(lanes, lane, row, own, passes, three, four):
    """Write what the seat on turn has now to its row, or to the last one when the turn passes.

    `passes` and the last two, whether there are three and four seats, are masks of all bits or of
    none: of truth values the compiler would make masked stores, which the next load waits for.
    """
    second = lanes[row + 1, lane]
    third = lanes[row + 2, lane]
    fourth = lanes[row + 3, lane]
    lanes[row, lane] = blend(passes, second, own)
    lanes[row + 1, lane] = blend(passes, blend(three, third, own), second)
    lanes[row + 2, lane] = blend(passes, blend(four, fourth, own), third)
    lanes[row + 3, lane] = blend(passes, own, fourth)


@inline_kernel
def moves_in_words(cards, layable, single, minus_twos):
    """Return the cards up to which a player may lay, as in `cards.find_moves_in`.

    `minus_twos` is how many "-2" may be laid at most.
    """
    rest = max(0, minus_twos - popcount(cards[0] & MINUS_TWOS))
    rest2 = max(0, rest - popcount(cards[1] & MINUS_TWOS))
    flags = any_of(cards)
    flags |= flags >> 1
    return (
        moves_in(cards[0], layable, minus_twos) | ((flags | (flags >> 2)) & single),
        moves_in(cards[1], layable, rest),
        moves_in(cards[2], layable, rest2),
    )


@inline_kernel
def moves_in(cards, layable, minus_twos):
    """Return the cards of a word up to which several may be laid, and so many "-2" at most."""
    rest = cards & MINUS_TWOS
    lowest = rest
    rest &= rest - 1 if minus_twos > 0 else -1
    rest &= rest - 1 if minus_twos > 1 else -1
    rest &= rest - 1 if minus_twos > 2 else -1
    rest = 0 if minus_twos > 3 else rest
    return (cards & layable) | (lowest ^ rest)
