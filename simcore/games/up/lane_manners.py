"""Up: a turn in the lanes for policies that say how they play (`manners`); see `lanes`.

A policy that is called takes longer than all else in a turn. Here the seats' policies are numbers,
of which the lane looks up those of the seat on turn, and one formula makes all their choices. They
are as the policies' own (`tests/up/test_lane_policies.py`).
"""

from __future__ import annotations

import numpy as np

from simcore.bits import highest_bit
from simcore.games.up.cards import CLEAR, FIELD, MINUS_TWOS
from simcore.games.up.lane_turns import (
    BYTE,
    CARDS,
    HIDDEN_COUNT,
    MANNER,
    NEXT,
    PASSES,
    PLAYS,
    SEAT,
    any_of,
    carry_out,
    fetch,
    find_moves,
    from_source,
    keep,
    see,
    size_of,
)
from simcore.games.up.manners import (
    ABOVE,
    ABOVE_SEATS,
    BOUNDS,
    CAP_PLACE,
    CHOICE,
    COLLAPSE,
    EACH_SEAT,
    LAY_CLEAR,
    LAY_HEAVY,
    LAY_MINUS_TWOS,
    LOWEST_PLACE,
    MOST_OF_OPPONENT,
    MOST_PER_OPEN,
    MOST_PLAYS,
    NO_CAP,
    OPPONENT_PLACE,
    ORDER,
    OWN_PLACE,
    PACKED,
    PER_OPEN_PLACE,
    PLAYS_PLACE,
    SEAT_BITS,
    SORT,
    SORTS,
    TOWER_PLACE,
    TURN_UP,
)
from simcore.jit import inline_kernel, kernel, wrapping
from simcore.lanes import LANES, LINE

CLEAR_CARDS = int(FIELD[0, CLEAR])
LEAST_CAP_FOR_MINUS_TWO = 3


@kernel
def take_mannered_turns(work, column, table):
    """Let all lanes, from `column` on, take turns until one must be looked after."""
    lanes = work.rows
    players = table.players
    play_cap = table.play_cap
    several = len(table.tower) > 1
    opponents = ABOVE_SEATS & ((1 << SEAT_BITS * players) - 1)
    packed = work.packed
    manners = words_of_seats(packed, CHOICE), words_of_seats(packed, BOUNDS)
    leaves = 0
    while leaves == 0:
        for number in range(LANES):
            lane = (column & (LINE - 1)) + number
            seat = lanes[SEAT, lane]
            manner = manner_in(lanes, lane) if several else manner_of(seat, manners)
            leaves |= take_turn(lanes, lane, players, play_cap, opponents, manner, several)
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
        fetch_manner(lanes, lane, work.packed[following])
        lanes[SEAT, lane] = following


@inline_kernel
def fetch_manner(lanes, lane, packed):
    """Write a packed manner to the rows of the seat on turn."""
    for word in range(PACKED):
        lanes[MANNER + word, lane] = packed[word]


@inline_kernel
def manner_in(lanes, lane):
    """Return the manner that stands in a lane."""
    return lanes[MANNER + CHOICE, lane], lanes[MANNER + BOUNDS, lane]


@inline_kernel
def words_of_seats(packed, word):
    """Return a word of the manners of the first four seats."""
    return packed[0, word], packed[1, word], packed[2, word], packed[3, word]


@inline_kernel
def manner_of(seat, manners):
    """Return the manner of one of four seats; `manners` has the words of all of them."""
    return word_of_seat(seat, manners[CHOICE]), word_of_seat(seat, manners[BOUNDS])


@inline_kernel
def word_of_seat(seat, words):
    """Return the word of one of four seats."""
    word = words[1] if seat == 1 else words[0]
    word = words[2] if seat == 2 else word
    return words[3] if seat == 3 else word


@inline_kernel
@wrapping
def take_turn(lanes, lane, players, play_cap, opponents, manner, several):
    """Let the seat on turn in a lane play in its manner; return whether the lane leaves.

    It leaves when its round is over or has had its cap of plays, and when nobody can move any more;
    see `lane_turns.take_turn`. `opponents` has the bits of `ABOVE_SEATS` of all seats.
    """
    sight = see(lanes, lane, several)
    hand_moves, open_moves, may_turn_up, layable = find_moves(sight)
    count = size_of(hand_moves) + size_of(open_moves) + may_turn_up
    orders = manner[CHOICE]
    order = orders >> ORDER if is_within(lanes, lane, sight, manner, opponents) else orders
    per_open = orders >> PER_OPEN_PLACE
    moves = (hand_moves, open_moves, may_turn_up)
    by_hand, blind, card = choose(moves, layable, sight[4], order, per_open, several)
    goes = count > 0
    seat = lanes[SEAT, lane]
    passes = lanes[PASSES, lane]
    passes_lead = (not goes) & (passes < 2 * players)
    lanes[PASSES, lane] = 0 if goes else passes + passes_lead
    choice = (goes, count > 1, by_hand, goes & blind, card, passes_lead)
    leaves, _, own = carry_out(lanes, lane, sight, choice, players, play_cap, several)
    place = SEAT_BITS * seat
    others = lanes[CARDS, lane] & ~(np.int64(MOST_OF_OPPONENT) << place)
    lanes[CARDS, lane] = others | min(own, MOST_OF_OPPONENT) << place
    return leaves


@inline_kernel
def is_within(lanes, lane, sight, manner, opponents):
    """Tell whether all numbers are within the manner's bounds.

    Numbers stand side by side in a word, each below a bit of its own, which is set before the
    bounds are taken away and stays set where they are not greater; so all are compared at once.
    """
    hand, open_cards, hidden, tower, cap = sight
    down = (hidden >> HIDDEN_COUNT) & BYTE
    numbers = (size_of(hand) + size_of(open_cards) + down) << OWN_PLACE
    numbers |= (NO_CAP if cap == 0 else cap) << CAP_PLACE
    numbers |= size_of(tower) << TOWER_PLACE
    numbers |= min(lanes[PLAYS, lane] + 1, MOST_PLAYS) << PLAYS_PLACE
    bounds = manner[BOUNDS]
    within = bounds - numbers & (numbers | ABOVE) - (bounds >> LOWEST_PLACE) & ABOVE
    own_bit = np.int64(MOST_OF_OPPONENT + 1) << (SEAT_BITS * lanes[SEAT, lane])
    near = (
        ((manner[CHOICE] >> OPPONENT_PLACE) * EACH_SEAT - lanes[CARDS, lane]) & opponents & ~own_bit
    )
    return (within == ABOVE) & (near != 0)


@inline_kernel
def choose(moves, layable, cap, order, per_open, several):
    """Return whether cards of the hand are laid, whether a hidden card is turned up, and the card.

    `order` and `per_open` may have more bits above those that count.
    """
    hand_moves, open_moves, may_turn_up = moves
    hand = any_of(hand_moves)
    open_cards = any_of(open_moves)
    cards = hand | open_cards
    bears_minus_two = cap >= LEAST_CAP_FOR_MINUS_TWO
    minus_twos = MINUS_TWOS if bears_minus_two else 0
    too_heavy = ~(layable | CLEAR_CARDS | MINUS_TWOS)
    collapsing = too_heavy if cards & too_heavy else MINUS_TWOS & ~minus_twos

    present = rank(order, LAY_HEAVY) if cards & layable else 0
    present |= rank(order, LAY_MINUS_TWOS) if cards & minus_twos else 0
    present |= rank(order, LAY_CLEAR) if cards & CLEAR_CARDS else 0
    present |= rank(order, TURN_UP) if may_turn_up else 0
    present |= rank(order, COLLAPSE) if cards & collapsing else 0
    first = present & -present
    is_heavy = (rank(order, LAY_HEAVY) & first) != 0
    field = 0 if rank(order, TURN_UP) & first else collapsing
    field = CLEAR_CARDS if rank(order, LAY_CLEAR) & first else field
    field = MINUS_TWOS if rank(order, LAY_MINUS_TWOS) & first else field
    field = layable if is_heavy else field

    hand &= field
    open_cards &= field
    worth = ((highest_bit(open_cards | 1) >> 2) + (per_open & MOST_PER_OPEN)) if is_heavy else 63
    outweighs = (open_cards == 0) | ((highest_bit(hand | 1) >> 2) > worth)
    by_hand = (hand != 0) & outweighs
    blind = (hand | open_cards) == 0
    chosen = from_source(by_hand, hand_moves, open_moves)
    return by_hand, blind, last_card(chosen, hand if by_hand else open_cards, field, several)


@inline_kernel
def rank(order, sort):
    """Return the bit of a sort of moves in an order."""
    return (order >> (SORTS * sort)) & SORT


@inline_kernel
def last_card(moves, found, field, several):
    """Return the last card of the highest kind among `found`, the moves of all words in a field."""
    highest = highest_bit(found | 1)
    if not several:
        return highest
    kind = np.int64(15) << (highest & 60)
    kind &= field
    second = moves[1] & kind
    third = moves[2] & kind
    word = second or moves[0] & kind
    word = third or word
    skipped = 64 if second else 0
    skipped = 128 if third else skipped
    return skipped + highest_bit(word | 1)
