"""dnup: what a seat does that plays by a spec.

A piece of play returns the sets in question as bits of a chart, 0 for none; `play_by` goes through
the pieces in their order. See `spec`.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import highest_bit, lowest_bit, lowest_bits, popcount
from simcore.games.dnup.cards import (
    COLUMN,
    LARGE,
    ROW,
    ROWS,
    cards_between,
    count_others,
    rank_of,
    row_starts,
    value_of,
)
from simcore.games.dnup.deck import MOST_PLAYERS, VALUES
from simcore.games.dnup.moves import cards_needed, random_move
from simcore.games.dnup.spec import (
    FEEDS,
    FIRST_ROW,
    GAIN,
    GAIN_BITS,
    HIGHEST_FIRST,
    LARGEST_FIRST,
    LAST_OF_VALUE,
    LAST_ROUND,
    LAST_TURN,
    NO_GAIN,
    PARTS,
    PATIENCE,
    PATIENCE_BITS,
    RESTLESS,
    ROW_BITS,
    WARY,
    WARY_BITS,
)
from simcore.games.dnup.table import ADD, PICK, PLAY, TAKE, TURN
from simcore.jit import inline_kernel, kernel

NOTHING = -1
"""In place of a move."""

USUAL_ROWS = 3
"""Rows that are compared whether or not there are sets: to guess that wrongly takes longer."""

_NOBODY = 1 << 20
_SEAT_BITS = 4
_SEAT = (1 << _SEAT_BITS) - 1

assert LARGE == 7, "`hardest_to_beat` and `values_of` have six rows"
assert MOST_PLAYERS == 5, "`fewest_of` asks as many"


@inline_kernel
def whole_sets(active, plays):
    """Return the plays that leave no card of their value in the hand."""
    return plays & ~(active >> VALUES)


@inline_kernel
def last_cards(active, whole):
    """Play all hand cards at once; return the set."""
    values = active & ROW
    return whole & -np.int64((values & (values - 1)) == 0)


@inline_kernel
def last_card(hand, adds):
    """Add the last hand card; return the smallest set that takes it."""
    return adds & -adds & -np.int64((hand & (hand - 1)) == 0)


@inline_kernel
def beat_victim(habits, table, plays, whole):
    """Send back a set of the opponent with the fewest cards; return the smallest that does so.

    Whole sets of the hand come first.
    """
    few = (habits >> WARY) & WARY_BITS
    if few == 0:
        return np.int64(0)
    fewest, their_sets = fewest_of(table)
    if fewest >= few:
        return np.int64(0)
    rows = row_starts(their_sets)
    targets = (rows << VALUES) - rows
    beating = whole & targets if whole & targets != 0 else plays & targets
    return beating & -beating


@inline_kernel
def turn_for(habits, seat, may_turn):
    """Turn the hand when its other side has so many different values fewer; return -1 if so."""
    gain = (habits >> GAIN) & GAIN_BITS
    if gain == NO_GAIN:
        return np.int64(0)
    return -np.int64(may_turn & (saved_by_turning(seat) >= gain))


@inline_kernel
def last_of_value(habits, active, adds):
    """Add a card of which the hand holds no other; return the smallest set that takes one."""
    alone = active & ~(active >> VALUES) & ROW
    last = adds & (alone * COLUMN) & -((habits >> LAST_OF_VALUE) & 1)
    return last & -last


@inline_kernel
def hard_to_beat(habits, plays, whole):
    """Play what is hardest to beat; return the sets to choose from."""
    sets = whole | (plays & -((habits >> PARTS) & 1))
    return sets & (np.int64(-1) << (VALUES * ((habits >> FIRST_ROW) & ROW_BITS)))


@inline_kernel
def feed(habits, adds):
    """Add a card to the largest set of somebody else that takes one; return all that do."""
    return adds & -((habits >> FEEDS) & 1)


@inline_kernel
def play_any(plays, whole):
    """Play the largest set, whole ones first; return those."""
    return whole if whole != 0 else plays


@inline_kernel
def add_any(adds):
    """Add a card, as nothing can be played; return all sets that take one."""
    return adds


@inline_kernel
def turn_or_take(takes, may_turn):
    """Turn the hand, or if it just was take the smallest set, which is returned."""
    return takes & -takes & -np.int64(not may_turn)


@inline_kernel
def hardest_to_beat(sets, card):
    """Return the place of the set that is hardest to beat, the first of equals."""
    if card >= LARGEST_FIRST:
        return np.int64(highest_bit(sets))
    if card == HIGHEST_FIRST:
        return np.int64(highest_bit(sets & (COLUMN << highest_bit(values_of(sets)))))
    worth, place = in_row(sets, card, 0)
    for row in range(1, LARGE - 1):
        if row >= USUAL_ROWS and sets >> (VALUES * row) == 0:
            break
        worth, place = harder((worth, place), in_row(sets, card, row))
    return place


@inline_kernel
def values_of(sets):
    """Return the values of some sets, as bits of the first row."""
    values = sets | (sets >> (3 * VALUES))
    return (values | (values >> VALUES) | (values >> (2 * VALUES))) & ROW


@inline_kernel
def in_row(sets, card, row):
    """Return what the highest set of a row is worth, less than 0 if none, and its place."""
    start = VALUES * row
    place = highest_bit((sets & (ROW << start)) | (1 << start))
    value = place - (start - 1) if sets & (ROW << start) != 0 else np.int64(-VALUES * ROWS)
    return np.float64(value) + card * np.float64(row), place


@inline_kernel
def harder(one, other):
    """Return of two sets, as `in_row` does, the one that is worth more; the first, if neither."""
    worth, place = one
    other_worth, other_place = other
    is_worth_more = other_worth > worth
    return other_worth if is_worth_more else worth, other_place if is_worth_more else place


@inline_kernel
def saved_by_turning(seat):
    """Return how many different values fewer the other side of a seat's hand has."""
    return popcount(seat.active & ROW) - popcount(seat.turned & ROW)


@inline_kernel
def rank(table, seat):
    """Return what orders opponents: by cards, then by seat; who is out or on turn comes last."""
    count = table.cards[seat]
    return ((count << _SEAT_BITS) | seat) if (count > 0) & (seat != table.seat) else _NOBODY


@inline_kernel
def settle_after(table, seat, patience):
    """Answer what all policies answer alike: what to pick, how to go out, what to do when stuck.

    Return the move, or `NOTHING`.
    """
    if table.phase == PICK:
        return pick_least_useful(table, seat)
    return random_move(table, seat) if is_stuck(table, seat, patience) else go_out(seat)


@inline_kernel
def is_stuck(table, seat, patience):
    """Tell whether to leave a move to chance: in a long round at times, and with large sets.

    Sets of `LARGE` or more cards hardly ever come up.
    """
    is_long = table.turns > patience * table.players
    return seat.large or (is_long and rng.uniform(seat.rng) < RESTLESS)


@inline_kernel
def pick_least_useful(table, seat):
    """Pick the cards whose other side is of the least use: values of which the hand has fewest."""
    value = value_of(cards_needed(table.pending)[0])
    cards = cards_to_lay(table, seat, seat.pick_cards, value, seat.pick_count)
    return rank_of(seat.pick_cards, cards)


@kernel
def cards_to_lay(table, seat, cards, value, count):
    """Return which `count` of some cards with an active value are of the least use when turned.

    What is kept makes larger sets then. The fewer cards the other side of the hand has of the value
    on a card's other side, the less useful it is; of the same number, the lower this value, and
    then the lower the card.
    """
    chosen = np.int64(0)
    values = count_others(table, np.int64(0), cards, value) & ROW
    for row in range(ROWS):
        level = values & ~(seat.turned >> (VALUES * (row + 1)))
        values ^= level
        while level:
            those = cards & ~chosen & cards_between(table, value, lowest_bit(level) + 1)
            chosen |= lowest_bits(those, (np.int64(1) << (count - popcount(chosen))) - 1)
            level &= level - 1
        if popcount(chosen) == count:
            break
    return chosen


@inline_kernel
def go_out(seat):
    """Play or add all hand cards at once."""
    play = last_cards(seat.active, whole_sets(seat.active, seat.plays))
    if play:
        return PLAY + highest_bit(play)
    add = last_card(seat.up | seat.down, seat.adds)
    return ADD + highest_bit(add) if add else np.int64(NOTHING)


@inline_kernel
def play_by(table, seat, spec):
    """Return the action of a seat that plays by a spec, in a position without large sets."""
    habits = spec[0]
    plays, adds = seat.plays, seat.adds
    whole = whole_sets(seat.active, plays)
    play = last_cards(seat.active, whole)
    if play:
        return PLAY + highest_bit(play)
    add = last_card(seat.up | seat.down, adds)
    if add:
        return ADD + highest_bit(add)
    play = beat_victim(habits, table, plays, whole)
    if play:
        return PLAY + highest_bit(play)
    # Turning the hand again and again leads nowhere.
    recent = table.turns - seat.memory[LAST_TURN] <= table.players
    recent &= seat.memory[LAST_ROUND] == table.round_number
    may_turn = (table.may_turn != 0) & (not recent)
    if turn_for(habits, seat, may_turn):
        return turn_and_note(table, seat)
    add = last_of_value(habits, seat.active, adds)
    if add:
        return ADD + highest_bit(add)
    play = hard_to_beat(habits, plays, whole)
    if play:
        return PLAY + hardest_to_beat(play, np.int64(spec[1]).view(np.float64))
    return get_rid(table, seat, habits, whole, may_turn)


@inline_kernel
def get_rid(table, seat, habits, whole, may_turn):
    """Return the action of a seat that has no set that is hard to beat; see `play_by`."""
    add = feed(habits, seat.adds)
    if add:
        return ADD + highest_bit(add)
    play = play_any(seat.plays, whole)
    if play:
        return PLAY + highest_bit(play)
    add = add_any(seat.adds)
    if add:
        return ADD + highest_bit(add)
    take = turn_or_take(seat.takes, may_turn)
    if take:
        return TAKE + highest_bit(take)
    return turn_and_note(table, seat)


@inline_kernel
def turn_and_note(table, seat):
    """Turn the hand, and remember when."""
    seat.memory[LAST_ROUND] = table.round_number
    seat.memory[LAST_TURN] = table.turns
    return np.int64(TURN)


@inline_kernel
def fewest_of(table):
    """Return how many cards the opponent with the fewest has, and its sets.

    Written out, as the compiler would not unroll the loop; seats that nobody has hold no cards.
    """
    best = min(rank(table, 0), rank(table, 1))
    best = min(best, rank(table, 2), rank(table, 3))
    best = min(best, rank(table, 4))
    place = np.uint32(best & _SEAT)
    return best >> _SEAT_BITS, table.set_bit[place] | table.set_bit[place ^ table.area_step]


@inline_kernel
def by_spec(table, seat):
    """Return the move of a seat that plays as its spec says."""
    if table.phase == PICK:
        return pick_least_useful(table, seat)
    if is_stuck(table, seat, (seat.spec[0] >> PATIENCE) & PATIENCE_BITS):
        return random_move(table, seat)
    return play_by(table, seat, seat.spec)
