"""dnup: what a seat does that plays by a spec.

A piece of play returns the sets in question as bits of a chart, 0 for none; `action_by` goes
through the pieces in their order. See `spec`.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import highest_bit, lowest_bit, popcount
from simcore.games.dnup import spec as habit
from simcore.games.dnup.cards import (
    COLUMN,
    LARGE,
    ROW,
    ROWS,
    cards_between,
    count_others,
    in_all_rows,
    rank_of,
    row_starts,
    value_of,
)
from simcore.games.dnup.deck import MOST_PLAYERS, VALUES
from simcore.games.dnup.moves import NO_SET, cards_needed, random_move
from simcore.games.dnup.table import ADD, PICK, PLAY, TAKE, TURN
from simcore.games.dnup.unseen import unseen_cards
from simcore.jit import inline_kernel, kernel
from simcore.vectors import (
    choose,
    largest,
    may_need,
    reals,
    some,
)
from simcore.wide import as_reals, times

NOTHING = -1
"""In place of a move."""

USUAL_ROWS = 3
"""Rows that are compared whether or not there are sets: to guess that wrongly takes longer."""

LOWEST_THREAT = 2
"""Cards of this value and of higher ones are counted. What beats a 1 by an equal value is left out:
hardly anything is beaten more often."""

NO_THREAT = 1e9
NOBODY = 1 << 20
SEAT_BITS = 4
SEAT_MASK = (1 << SEAT_BITS) - 1

assert LARGE == 7, "`hardest_to_beat` has six rows"
assert MOST_PLAYERS == 5, "`fewest_of` asks as many"


@inline_kernel
def whole_sets(active, plays):
    """Return the plays that leave no card of their value in the hand."""
    return plays & ~(active >> VALUES)


@inline_kernel
def last_cards(active, whole):
    """Play all hand cards at once; return the set."""
    values = active & ROW
    return choose(values & (values - 1) == 0, whole, 0)


@inline_kernel
def last_card(hand, adds):
    """Add the last hand card; return the smallest set that takes it."""
    return choose(hand & (hand - 1) == 0, adds & (0 - adds), 0)


@inline_kernel
def beat_victim(habits, victim, plays, whole):
    """Send back a set of the opponent with the fewest cards; return the smallest that does so.

    Whole sets of the hand come first.
    """
    if not some(wariness(habits) > 0):
        return plays & 0
    fewest, their_sets = victim
    rows = row_starts(their_sets)
    targets = choose(fewest < wariness(habits), (rows << VALUES) - rows, 0)
    beating = choose(whole & targets != 0, whole, plays) & targets
    return beating & (0 - beating)


@inline_kernel
def wariness(habits):
    """Return with how many cards opponents no longer put a seat on its guard."""
    return (habits >> habit.WARY) & habit.WARY_BITS


@inline_kernel
def patience_of(spec):
    """Return after how many actions for each player a round is long."""
    return (spec[0] >> habit.PATIENCE) & habit.PATIENCE_BITS


@inline_kernel
def turn_for(habits, active, turned, may_turn):
    """Turn the hand when its other side has so many different values fewer; tell if so."""
    saved = popcount(active & ROW) - popcount(turned & ROW)
    return may_turn & (saved >= (habits >> habit.GAIN) & habit.GAIN_BITS)


@inline_kernel
def last_of_value(habits, active, adds):
    """Add a card of which the hand holds no other; return the smallest set that takes one."""
    alone = active & ~(active >> VALUES) & ROW
    last = choose((habits >> habit.LAST_OF_VALUE) & 1 != 0, adds & in_all_rows(alone), 0)
    return last & (0 - last)


@inline_kernel
def hard_to_beat(habits, plays, whole):
    """Play what is hardest to beat; return the sets to choose from."""
    sets = choose((habits >> habit.PARTS) & 1 != 0, plays, whole)
    return sets & (np.int64(-1) << times((habits >> habit.FIRST_ROW) & habit.ROW_BITS, VALUES))


@inline_kernel
def feed(habits, adds):
    """Add a card to the largest set of somebody else that takes one; return all that do."""
    return choose((habits >> habit.FEEDS) & 1 != 0, adds, 0)


@inline_kernel
def play_any(plays, whole):
    """Play the largest set, whole ones first; return those."""
    return choose(whole != 0, whole, plays)


@inline_kernel
def add_any(adds):
    """Add a card, as nothing can be played; return all sets that take one."""
    return adds


@inline_kernel
def turn_or_take(takes, may_turn):
    """Turn the hand, or if it just was take the smallest set, which is returned."""
    return choose(may_turn, 0, takes & (0 - takes))


@inline_kernel
def hardest_to_beat(sets, card):
    """Return the place of the set that is hardest to beat, the first of equals."""
    if not some(card < habit.LARGEST_FIRST):
        return highest_bit(sets)
    if not some(card != habit.HIGHEST_FIRST):
        values = sets | sets >> (3 * VALUES)
        values = values | values >> VALUES | values >> (2 * VALUES)
        return highest_bit(sets & COLUMN << highest_bit(values & ROW))
    worth, place = in_row(sets, card, 0)
    for row in range(1, LARGE - 1):
        if row >= USUAL_ROWS and not some(sets >> (VALUES * row) != 0):
            break
        other_worth, other_place = in_row(sets, card, row)
        place = choose(other_worth > worth, other_place, place)
        worth = largest(worth, other_worth)
    return place


@inline_kernel
def in_row(sets, card, row):
    """Return what the highest set of a row is worth, less than 0 if none, and its place."""
    start = VALUES * row
    those = sets & (ROW << start)
    place = highest_bit(those | (1 << start))
    value = choose(those != 0, place - (start - 1), -VALUES * ROWS)
    return reals(value) + card * row, place


@inline_kernel
def counts(habits):
    """Tell whether a seat counts cards."""
    return (habits >> habit.COUNTS) & 1 != 0


@inline_kernel
def least_threatened(table, others_hold, plays):
    """Return the play, one of each value at most, that others are least likely to beat.

    And how many plays that beat it they may be expected to hold. `others_hold` are cards that may
    show either side, and those known to show the lower value or the higher one: the first are
    counted on both sides by half, and the other players share all at random. Larger sets than
    triples are taken for triples.
    """
    unknown, up, down = others_hold
    others = table.players - 1
    singles = reals(plays & 0)
    pairs, triples, best, least = singles, singles, plays & 0, singles + NO_THREAT
    for value in range(VALUES, 0, -1):
        beating = value + table.strictly
        if LOWEST_THREAT <= beating <= VALUES:
            low, high = table.low[beating], table.high[beating]
            seen = reals(popcount((low & up) | (high & down)))
            share = (
                seen + 0.5 * reals(popcount(low & unknown) + popcount(high & unknown))
            ) / others
            single = others * share
            pair = single * (0.5 * share)
            singles = singles + single
            pairs = pairs + pair
            triples = triples + pair * (0.5 * share)
        column = plays & (COLUMN << (value - 1))
        if may_need(column != 0):
            place = lowest_bit(column | NO_SET)
            threat = threat_to(place, singles, pairs, triples)
            is_less = (column != 0) & (threat < least)
            best, least = choose(is_less, place, best), choose(is_less, threat, least)
    return best, least


@inline_kernel
def threat_to(place, singles, pairs, triples):
    """Return how many plays may be expected that beat the one at a place, by its size."""
    return choose(place < VALUES, singles, choose(place < 2 * VALUES, pairs, triples))


@inline_kernel
def rank(count, seat, own):
    """Return what orders opponents: by cards, then by seat; who is out or on turn comes last."""
    return choose((count > 0) & (seat != own), (count << SEAT_BITS) | seat, NOBODY)


@inline_kernel
def is_stuck(table, seat, patience):
    """Tell whether to leave a move to chance: in a long round at times, and with large sets.

    Sets of `LARGE` or more cards hardly ever come up.
    """
    is_long = table.turns > patience * table.players
    return seat.large or (is_long and rng.uniform(seat.rng) < habit.RESTLESS)


@inline_kernel
def pick_least_useful(table, seat):
    """Pick the cards whose other side is of the least use: values of which the hand has fewest."""
    value = value_of(cards_needed(table.pending)[0])
    cards = cards_to_lay(table, seat.turned, seat.pick_cards, value, seat.pick_count)
    return rank_of(seat.pick_cards, cards)


@kernel
def cards_to_lay(table, turned, cards, value, count):
    """Return which `count` of some cards with an active value are of the least use when turned.

    What is kept makes larger sets then. The fewer cards the other side of the hand, the chart
    `turned`, has of the value on a card's other side, the less useful it is; of the same number,
    the lower this value, and then the lower the card.
    """
    chosen = cards & 0
    values = count_others(table, chosen, cards, value) & ROW
    while some(popcount(chosen) < count):
        # The first bit that is missing in the chart is of the value with the fewest cards.
        missing = in_all_rows(values) & ~turned
        other = value_of(lowest_bit(choose(missing != 0, missing, values | NO_SET)))
        those = cards & ~chosen & cards_between(table, value, other)
        first = those & (0 - those)
        values = values & ~choose(those == first, 1 << (other - 1), 0)
        chosen = chosen | choose(popcount(chosen) < count, first, 0)
    return chosen


@inline_kernel
def action_by(table, spec, hand, actions, may_turn, victim, others_hold):
    """Return the action of a seat that plays by a spec, in a position without large sets.

    All are numbers of one match, or of each lane: the words of the spec; the hand; the sets that
    may be played, added to and taken; whether it may turn its hand again, which again and again
    leads nowhere; `fewest_of` the opponents, which only a wary seat asks for; and what others hold
    (`least_threatened`), for one that counts.
    """
    habits = spec[0]
    up, down, active, turned = hand
    plays, adds, _ = actions
    whole = whole_sets(active, plays)
    move = or_else(plays & 0 | NOTHING, PLAY, last_cards(active, whole))
    if may_need(move < 0):
        move = or_else(move, ADD, last_card(up | down, adds))
    if may_need(move < 0):
        move = or_else(move, PLAY, beat_victim(habits, victim, plays, whole))
    if may_need(move < 0):
        turns = turn_for(habits, active, turned, may_turn)
        if may_need(turns):
            move = choose((move < 0) & turns, TURN, move)
    if may_need(move < 0):
        move = or_else(move, ADD, last_of_value(habits, active, adds))
    if may_need(move < 0):
        sets = hard_to_beat(habits, plays, whole)
        if some(sets != 0):
            if counts(habits):
                place, threat = least_threatened(table, others_hold, sets)
                sets = choose((threat > as_reals(spec[1])) & (adds != 0), 0, sets)
            else:
                place = hardest_to_beat(sets, as_reals(spec[1]))
            move = choose((move < 0) & (sets != 0), PLAY + place, move)
    return get_rid(habits, actions, whole, may_turn, move)


@inline_kernel
def get_rid(habits, actions, whole, may_turn, move):
    """Return the move, or where there is none yet another action; see `action_by`."""
    plays, adds, takes = actions
    if may_need(move < 0):
        move = or_else(move, ADD, feed(habits, adds))
    if may_need(move < 0):
        move = or_else(move, PLAY, play_any(plays, whole))
    if may_need(move < 0):
        move = or_else(move, ADD, add_any(adds))
    if may_need(move < 0):
        move = or_else(move, TAKE, turn_or_take(takes, may_turn))
    return choose(move < 0, TURN, move)


@inline_kernel
def or_else(move, kind, sets):
    """Return the move, or where there is none yet that of a kind with the last of some sets."""
    if not may_need(sets != 0):
        return move
    return choose((move < 0) & (sets != 0), kind + highest_bit(sets), move)


@inline_kernel
def play_by(table, seat, spec):
    """Return the action of a seat that plays by a spec; see `action_by`."""
    recent = table.turns - seat.memory[habit.LAST_TURN] <= table.players
    recent &= seat.memory[habit.LAST_ROUND] == table.round_number
    may_turn = (table.may_turn != 0) & (not recent)
    hand = seat.up, seat.down, seat.active, seat.turned
    actions = seat.plays, seat.adds, seat.takes
    victim = fewest_of(table) if wariness(spec[0]) > 0 else (np.int64(0), np.int64(0))
    others_hold = np.int64(0), np.int64(0), np.int64(0)
    if counts(spec[0]):
        unknown, known = unseen_cards(table, seat)
        others_hold = unknown, known & ~table.known_down, known & table.known_down
    move = action_by(table, spec, hand, actions, may_turn, victim, others_hold)
    if move == TURN:
        seat.memory[habit.LAST_ROUND] = table.round_number
        seat.memory[habit.LAST_TURN] = table.turns
    return move


@inline_kernel
def fewest_of(table):
    """Return how many cards the opponent with the fewest has, and its sets.

    Written out, as the compiler would not unroll the loop; seats that nobody has hold no cards.
    """
    cards, own = table.cards, np.int64(table.seat)
    best = min(rank(cards[0], 0, own), rank(cards[1], 1, own))
    best = min(best, rank(cards[2], 2, own), rank(cards[3], 3, own))
    best = min(best, rank(cards[4], 4, own))
    place = np.uint32(best & SEAT_MASK)
    return best >> SEAT_BITS, table.set_bit[place] | table.set_bit[place ^ table.area_step]


@inline_kernel
def by_spec(table, seat):
    """Return the move of a seat that plays as its spec says."""
    if table.phase == PICK:
        return pick_least_useful(table, seat)
    if is_stuck(table, seat, patience_of(seat.spec)):
        return random_move(table, seat)
    return play_by(table, seat, seat.spec)
