"""Up: a turn in the lanes for policies that say how they play (`specs`); see `lanes`.

A policy that is called takes longer than all else in a turn. Here the seats' policies are numbers,
of which the lane looks up those of the seat on turn, and one formula makes all their choices, of
five sorts of moves the first. They are as the policies' own (`tests/up/test_lane_policies.py`).

Everything is arithmetic on numbers and truth values, in steps that wait for one another as little
as can be. A value that decides twice whether something else is chosen makes the compiler branch,
and then there are no vectors: so `choose` returns whether there are cards, not a kind below 0.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import highest_bit
from simcore.games.up.cards import CLEAR, FIELD, KINDS, MINUS_TWO, MINUS_TWOS
from simcore.games.up.lane_turns import (
    BYTE,
    CARDS,
    HIDDEN_COUNT,
    PASSES,
    PLAYS,
    SEAT,
    SPEC,
    any_of,
    carry_out,
    find_moves,
    from_source,
    lays_several,
    pass_on,
    see,
    size_of,
    top_card,
)
from simcore.games.up.spec import (
    ABOVE,
    ABOVE_SEATS,
    BOUNDS,
    CAP_PLACE,
    CHOICE,
    COLLAPSE,
    EACH_SEAT,
    GUARD,
    HAND_WEIGHT,
    LAPS_TO_LATE,
    LATE_WEIGHT,
    LAY_CLEAR,
    LAY_HEAVY,
    LAY_MINUS_TWOS,
    LEAST_CAP,
    LIGHT_VALUE,
    LOW_VALUE,
    LOWEST_PLACE,
    MOST_OF_OPPONENT,
    MOST_PLAYS,
    NO_CAP,
    OPEN_WEIGHT,
    OPPONENT_PLACE,
    ORDER,
    OWN_PLACE,
    PACKED,
    PER_OPEN_PLACE,
    PLAYS_PLACE,
    RANK_BITS,
    SEAT_BITS,
    TOWER_PLACE,
    TURN_UP,
    VALUE,
    WORTH,
)
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import LANES, LINE

CLEAR_CARDS = int(FIELD[0, CLEAR])
LEAST_CAP_FOR_MINUS_TWO = 3

ALL_CARDS = (1 << 4 * KINDS) - 1
BIAS_PLACE, RANK_PLACE = 4 * KINDS, 4 * KINDS + 4
OPEN_FIRST = 15
BIAS = OPEN_FIRST << BIAS_PLACE
RANKS = (1 << RANK_BITS) - 1 << RANK_PLACE
NO_SORT = 1 << RANK_PLACE + RANK_BITS
SECOND = 1 << RANK_PLACE
EVEN = 1 << BIAS_PLACE
"""A sort of moves as a number: its cards, the bias towards open cards, its rank. Without a bias a
card from the hand goes before an open one of the same value, with `EVEN` after it."""

KINDS_BORNE = tuple(range(1, MINUS_TWO))
PAIRS, NIBBLES = 0x5555555555555, 0x3333333333333


@kernel
def take_turns_by_spec(work, column, table):
    """Let all lanes, from `column` on, take turns until one must be looked after."""
    take_turns(work, column, table, heaviest)


@kernel
def take_weighed_turns(work, column, table):
    """Do the same where a policy may weigh cards against values (`specs.weights`)."""
    take_turns(work, column, table, worth_most)


@outer_kernel
def take_turns(work, column, table, weigh):
    """Take turns, in which `weigh` tells what goes for the heaviest cards that the tower bears."""
    lanes = work.rows
    players = table.players
    play_cap = table.play_cap
    several = len(table.tower) > 1
    opponents = ABOVE_SEATS & ((1 << SEAT_BITS * players) - 1)
    packed = work.packed
    specs = (
        words_of_seats(packed, CHOICE),
        words_of_seats(packed, BOUNDS),
        words_of_seats(packed, WORTH),
    )
    leaves = 0
    while leaves == 0:
        for number in range(LANES):
            lane = (column & (LINE - 1)) + number
            seat = lanes[SEAT, lane]
            spec = spec_in(lanes, lane) if several else spec_of(seat, specs)
            leaves |= take_turn(lanes, lane, players, play_cap, opponents, spec, several, weigh)
        if several:
            pass_on(work, column)
            for number in range(LANES):
                lane = (column & (LINE - 1)) + number
                fetch_spec(lanes, lane, work.packed[np.uint32(lanes[SEAT, lane])])


@inline_kernel
def fetch_spec(lanes, lane, packed):
    """Write a packed spec to the rows of the seat on turn."""
    for word in range(PACKED):
        lanes[SPEC + word, lane] = packed[word]


@inline_kernel
def spec_in(lanes, lane):
    """Return the spec that stands in a lane."""
    return (
        lanes[SPEC + CHOICE, lane],
        lanes[SPEC + BOUNDS, lane],
        lanes[SPEC + WORTH, lane],
    )


@inline_kernel
def words_of_seats(packed, word):
    """Return a word of the specs of the first four seats."""
    return packed[0, word], packed[1, word], packed[2, word], packed[3, word]


@inline_kernel
def spec_of(seat, specs):
    """Return the spec of one of four seats; `specs` has the words of all of them."""
    return (
        word_of_seat(seat, specs[CHOICE]),
        word_of_seat(seat, specs[BOUNDS]),
        word_of_seat(seat, specs[WORTH]),
    )


@inline_kernel
def word_of_seat(seat, words):
    """Return the word of one of four seats."""
    word = words[1] if seat == 1 else words[0]
    word = words[2] if seat == 2 else word
    return words[3] if seat == 3 else word


@outer_kernel
def take_turn(lanes, lane, players, play_cap, opponents, spec, several, weigh):
    """Let the seat on turn in a lane play in its play spec; return whether the lane leaves.

    It leaves when its round is over or has had its cap of plays, and when nobody can move any more;
    see `lane_turns.take_turn`. `opponents` has the bits of `ABOVE_SEATS` of all seats.
    """
    sight = see(lanes, lane, several)
    hand_moves, open_moves, may_turn_up, layable = find_moves(sight)
    count = size_of(hand_moves) + size_of(open_moves) + may_turn_up
    orders = spec[CHOICE]
    others = opponents & ~(np.int64(MOST_OF_OPPONENT + 1) << SEAT_BITS * lanes[SEAT, lane])
    order = orders >> ORDER if is_within(lanes, lane, sight, spec, others) else orders
    moves = (hand_moves, open_moves, may_turn_up)
    heavy, twos_first, turns_first = weigh(lanes, lane, sight, moves, layable, spec, others)
    sort = first_sort(moves, layable, sight[4], order, heavy, twos_first, turns_first)
    by_hand, no_cards, kind = choose(hand_moves, open_moves, sort)
    goes = count > 0
    blind = goes & no_cards
    top = top_card(sight)
    top_kind = (top & 63) >> 2
    kind = top_kind if blind else kind
    chosen = from_source(by_hand, hand_moves, open_moves)
    source = from_source(by_hand, sight[0], sight[1])
    laid = laid_of(chosen, source, kind, lays_several(kind, sight[4]), goes)
    if several:
        laid = blind_words(laid, top, blind)
    else:
        bit = np.int64(1) << (top & 63)
        laid = (bit if blind else laid[0], laid[1], laid[2])
    seat = lanes[SEAT, lane]
    passes = lanes[PASSES, lane]
    passes_lead = (not goes) & (passes < 2 * players)
    lanes[PASSES, lane] = 0 if goes else passes + passes_lead
    choice = (goes, count > 1, by_hand, blind, passes_lead)
    leaves, _, own = carry_out(lanes, lane, sight, choice, kind, laid, players, play_cap, several)
    place = SEAT_BITS * seat
    others = lanes[CARDS, lane] & ~(np.int64(MOST_OF_OPPONENT) << place)
    lanes[CARDS, lane] = others | min(own, MOST_OF_OPPONENT) << place
    return leaves


@inline_kernel
def is_within(lanes, lane, sight, spec, others):
    """Tell whether all numbers are within the spec's bounds.

    Numbers stand side by side in a word, each below a bit of its own, which is set before the
    bounds are taken away and stays set where they are not greater; so all are compared at once.
    """
    hand, open_cards, hidden, tower, cap = sight
    down = (hidden >> HIDDEN_COUNT) & BYTE
    numbers = (size_of(hand) + size_of(open_cards) + down) << OWN_PLACE
    numbers |= (NO_CAP if cap == 0 else cap) << CAP_PLACE
    numbers |= size_of(tower) << TOWER_PLACE
    numbers |= min(lanes[PLAYS, lane] + 1, MOST_PLAYS) << PLAYS_PLACE
    bounds = spec[BOUNDS]
    within = bounds - numbers & (numbers | ABOVE) - (bounds >> LOWEST_PLACE) & ABOVE
    near = is_near(lanes, lane, spec[CHOICE] >> OPPONENT_PLACE, others)
    return (within == ABOVE) & near


@inline_kernel
def is_near(lanes, lane, most, others):
    """Tell whether an opponent has few cards; `most` has the bit above a seat's cards."""
    return ((most * EACH_SEAT - lanes[CARDS, lane]) & others) != 0


@inline_kernel
def heaviest(lanes, lane, sight, moves, layable, spec, others):  # noqa: ARG001
    """Return all cards that the tower bears, with their bias, and whether other sorts go first."""
    per_open = spec[CHOICE] >> PER_OPEN_PLACE & OPEN_FIRST
    return layable | (per_open + 1) << BIAS_PLACE, False, False


@inline_kernel
def worth_most(lanes, lane, sight, moves, layable, spec, others):
    """Return the cards of the value that is worth most, and whether other sorts go first.

    As `strategies.up_moves.lay_best` chooses it: the hand or the open cards, from which more is
    laid that counts, give the cards; the bias tells which.
    """
    plays, cap = lanes[PLAYS, lane], sight[4]
    numbers = spec[WORTH]
    is_late = plays > part(numbers, LAPS_TO_LATE)
    hand_weight = 0 if is_late else part(numbers, HAND_WEIGHT)
    open_weight = part(numbers, LATE_WEIGHT) if is_late else part(numbers, OPEN_WEIGHT)
    open_cards = tally(moves[1]) & layable
    only_open = (spec[CHOICE] >> PER_OPEN_PLACE & OPEN_FIRST != 0) & (open_cards != 0)
    hand = 0 if only_open else tally(moves[0]) & layable

    best = np.int64(0)
    for kind in KINDS_BORNE:
        worth = max(count_of(hand, kind) * hand_weight, count_of(open_cards, kind) * open_weight)
        worth = (worth + VALUE * kind) << 4 | kind
        best = max(best, np.int64(worth if (hand | open_cards) & (15 << 4 * kind) else 0))
    value = best & 15
    hand_first = count_of(hand, value) * hand_weight > count_of(open_cards, value) * open_weight
    heavy = 15 << 4 * value | (0 if hand_first else EVEN)

    guards = is_near(lanes, lane, part(numbers, GUARD), others)
    twos_first = (value < part(numbers, LOW_VALUE)) | guards
    bears = (NO_CAP if cap == 0 else cap) >= part(numbers, LEAST_CAP)
    return heavy, twos_first, (value < part(numbers, LIGHT_VALUE)) & bears


@inline_kernel
def part(numbers, place):
    """Return one of the numbers that `specs.weights` puts into one."""
    return (numbers >> place[0]) & ((1 << place[1]) - 1)


@inline_kernel
def count_of(counts, kind):
    """Return how many cards of a kind a tally has."""
    return (counts >> 4 * kind) & 15


@inline_kernel
def tally(words):
    """Return how many cards of each kind a card set has, a nibble for each kind."""
    return tally_of(words[0]) + tally_of(words[1]) + tally_of(words[2])


@inline_kernel
def tally_of(word):
    """Return the tally of a word."""
    pairs = word - ((word >> 1) & PAIRS)
    return (pairs & NIBBLES) + ((pairs >> 2) & NIBBLES)


@inline_kernel
def first_sort(moves, layable, cap, order, heavy, twos_first, turns_first):
    """Return the sort of moves that goes first: the cards it is about, and above them the bias.

    Whatever sorts of moves there are stand with their rank above all else, so the lowest number is
    that of the first one. `order` may have more bits above those that count. "-2" cards may go
    before all else, then a hidden card.
    """
    hand_moves, open_moves, may_turn_up = moves
    cards = any_of(hand_moves) | any_of(open_moves)
    minus_twos = MINUS_TWOS if cap >= LEAST_CAP_FOR_MINUS_TWO else 0
    too_heavy = ~(layable | CLEAR_CARDS | MINUS_TWOS) & ALL_CARDS
    collapsing = too_heavy if cards & too_heavy else MINUS_TWOS & ~minus_twos

    heavy = ranked(order, LAY_HEAVY, heavy)
    twos = ranked(order, LAY_MINUS_TWOS, MINUS_TWOS | BIAS)
    twos = MINUS_TWOS | BIAS if twos_first else twos
    clear = ranked(order, LAY_CLEAR, CLEAR_CARDS | BIAS)
    collapse = ranked(order, COLLAPSE, collapsing | BIAS)
    turn_up = ranked(order, TURN_UP, 0)
    turn_up = SECOND if turns_first else turn_up
    heavy = heavy if cards & layable else NO_SORT
    twos = twos if cards & minus_twos else NO_SORT
    clear = clear if cards & CLEAR_CARDS else NO_SORT
    collapse = collapse if cards & collapsing else NO_SORT
    turn_up = turn_up if may_turn_up else NO_SORT
    before = min(heavy, twos)
    behind = min(clear, collapse)
    return min(before, behind, turn_up)


@inline_kernel
def ranked(order, sort, cards):
    """Return the cards of a sort with its rank above them."""
    return (order << (RANK_PLACE - RANK_BITS * sort)) & RANKS | cards


@inline_kernel
def choose(hand_moves, open_moves, sort):
    """Return whether cards of the hand are laid, whether no cards are, and else their kind.

    An open card goes before one from the hand that is not heavier by more than the bias.
    """
    hand = any_of(hand_moves) & sort
    open_cards = any_of(open_moves) & sort
    # One more than the kind, and 0 if there is none.
    from_hand = highest_bit(hand << 4 | 1) >> 2
    from_open = highest_bit(open_cards << 4 | 1) >> 2
    biased = from_open + (sort >> BIAS_PLACE & OPEN_FIRST) - 1
    biased = biased if open_cards else 0
    by_hand = from_hand > biased
    return by_hand, (hand | open_cards) == 0, (from_hand if by_hand else from_open) - 1


@inline_kernel
def laid_of(moves, source, kind, all_go, goes):
    """Return what is laid: all moves of a kind, or the first card of this kind from the source."""
    field = np.int64(15) << (4 * kind & 63)
    same = (source[0] & field, source[1] & field, source[2] & field)
    first0 = same[0] & -same[0]
    first1 = same[1] & -same[1] if same[0] == 0 else 0
    first2 = same[2] & -same[2] if (same[0] | same[1]) == 0 else 0
    laid0 = moves[0] & field if all_go else first0
    laid1 = moves[1] & field if all_go else first1
    laid2 = moves[2] & field if all_go else first2
    return laid0 if goes else 0, laid1 if goes else 0, laid2 if goes else 0


@inline_kernel
def blind_words(laid, card, blind):
    """Return what is laid, which is the card turned up if the play is `blind`."""
    bit = np.int64(1) << (card & 63)
    word = card >> 6
    return (
        (bit if word == 0 else 0) if blind else laid[0],
        (bit if word == 1 else 0) if blind else laid[1],
        (bit if word == 2 else 0) if blind else laid[2],
    )
