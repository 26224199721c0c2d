"""UP & DOWN: what a player sees and may remember, and what it is worth.

Card sets and value sets are those of `simcore.games.updown.cards`. *Able* cards are those that can
win under given rules: in the own colour, or of the trump value.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import lowest_bit, popcount
from simcore.games.updown.cards import (
    DECK,
    HIGHEST,
    LANE,
    LOWEST,
    PLACES,
    UP,
    VALUES,
    best_of,
    of_value,
    own_values,
    values_in,
)
from simcore.games.updown.table import FLIP, ROLL, SEATS
from simcore.jit import inline_kernel
from simcore.vectors import LANES, choose, highest_bits, popcounts, spread, vector

NO_CARD = -1

CHANGE_NUMBERS = tuple(range(LANES))
"""Changes of the rules are looked at together, by their numbers, in the lanes of vectors."""

_MIDDLE = 7

THROWS = np.array([max(0, 6 - abs(value - _MIDDLE)) for value in range(16)])
"""Of 36 throws of two dice, how many show a value."""

WORTH = np.array([3 * abs(value - _MIDDLE) + THROWS[value] for value in range(16)])
"""How useful a card is later on: by its distance from the middle, and as a possible trump."""


def _first_by_worth() -> np.ndarray:
    """Return the least useful value of every value set, by the set shifted to bit 0."""
    order = sorted(range(LOWEST, HIGHEST + 1), key=lambda value: WORTH[value])
    first = np.zeros(1 << (HIGHEST - LOWEST + 1), dtype=np.uint8)
    for values in range(1, len(first)):
        first[values] = next(value for value in order if values << LOWEST >> value & 1)
    return first


LEAST_USEFUL = _first_by_worth()

THROWS_FOR = np.array(
    [
        sum(THROWS[value] for value in range(LOWEST, HIGHEST + 1) if values << LOWEST >> value & 1)
        for values in range(1 << (HIGHEST - LOWEST + 1))
    ],
    dtype=np.uint8,
)
"""Of 36 throws, how many show one of a value set, by the set shifted to bit 0."""


@inline_kernel
def own_shift(table):
    """Return the shift of the seat on turn."""
    return table.shifts[table.seat]


@inline_kernel
def colour_cards(shift, turn):
    """Return all cards of the colour that points at a seat."""
    return np.int64(VALUES) << ((shift - turn) & PLACES)


@inline_kernel
def trump_bit_of(table):
    """Return the trump as a bit of a value set."""
    return np.int64(1) << table.trump


@inline_kernel
def able_values(table, seat):
    """Return the value set of the cards in hand that can win."""
    own = own_values(seat.hand, own_shift(table), table.turn)
    return own | (values_in(seat.hand) & trump_bit_of(table))


@inline_kernel
def unseen_cards(table, seat):
    """Return the cards neither in the own hand nor played: in other hands, or aside [C12]."""
    played = table.played[0] | table.played[1] | table.played[2] | table.played[3]
    return DECK & ~(played | seat.hand)


@inline_kernel
def better_values(value, face):
    """Return the value set of the values that beat a value, trumps apart."""
    if face == UP:
        return VALUES & ~((np.int64(2) << value) - 1)
    return VALUES & ((np.int64(1) << value) - 1)


@inline_kernel
def all_better_values(value_bits, face):
    """Return `better_values` for a vector, of values as value sets."""
    return VALUES & (0 - (value_bits << 1) if face == UP else value_bits - 1)


@inline_kernel
def able_card(seat, value, shift, turn):
    """Return the number of a card of a value in hand, one in the own colour if possible."""
    cards = seat.hand & of_value(np.int64(1) << value)
    own = cards & colour_cards(shift, turn)
    return lowest_bit(own or cards)


@inline_kernel
def surest_card(table, seat):
    """Return the best able card in hand, a trump or the best in the own colour, or `NO_CARD`."""
    able = able_values(table, seat)
    if able == 0:
        return np.int64(NO_CARD)
    best = best_of(able, table.face, trump_bit_of(table))
    return able_card(seat, lowest_bit(best), own_shift(table), table.turn)


@inline_kernel
def least_useful(cards):
    """Return the number of the card of a card set (not empty) that is least useful later on."""
    value = np.int64(LEAST_USEFUL[np.uint32(values_in(cards) >> LOWEST)])
    return lowest_bit(cards & of_value(np.int64(1) << value))


@inline_kernel
def able_cards(table, seat):
    """Return the cards in hand that can win."""
    able = colour_cards(own_shift(table), table.turn) | of_value(trump_bit_of(table))
    return seat.hand & able


@inline_kernel
def unable_cards(table, seat):
    """Return the cards in hand that cannot win."""
    return seat.hand ^ able_cards(table, seat)


@inline_kernel
def shed(table, seat):
    """Return the least useful card, one that cannot win if there is any."""
    cards = unable_cards(table, seat)
    return least_useful(cards or seat.hand)


@inline_kernel
def _opponent(table, index, unseen, turn, trumps, keen):
    able = unseen & (colour_cards(table.shifts[index], turn) | trumps)
    ways = popcount(unseen) + (keen - 1.0) * popcount(able)
    is_there = index < table.players and index != table.seat
    return able, 1.0 / ways if is_there else 0.0


@inline_kernel
def look_at_opponents(table, unseen, turn, trump, keen):
    """Return what each seat may play under given rules, as a player thinks of it.

    Every opponent is taken to play one of the unseen cards at random, a card that is able for it
    `keen` times as likely as another.

    Returns
    -------
    able : tuple of int64[4]
        By seat, the unseen cards that would be able.
    share : tuple of float64[4]
        How likely each of the other cards is; 0 for the seat itself, and where nobody sits.
    """
    trumps = of_value(np.int64(1) << trump)
    able0, share0 = _opponent(table, 0, unseen, turn, trumps, keen)
    able1, share1 = _opponent(table, 1, unseen, turn, trumps, keen)
    able2, share2 = _opponent(table, 2, unseen, turn, trumps, keen)
    able3, share3 = _opponent(table, 3, unseen, turn, trumps, keen)
    return (able0, able1, able2, able3), (share0, share1, share2, share3)


@inline_kernel
def _harmless(able, share, equal, equals, beating, keen):
    beaters = popcounts(able & beating)
    keenly = beaters + popcounts(able & equal)
    return 1.0 - (equals + beaters + (keen - 1.0) * keenly) * share


@inline_kernel
def chances(value_bits, unseen, beating, keen, opponents):
    """Return about how likely eight able cards win.

    Cards that would cancel each other or the beaten are not followed up.

    Parameters
    ----------
    value_bits : vector
        Their values, each as a value set.
    unseen : int
    beating : vector
        What beats each of them, as card sets without the card's own value.
    keen : float
    opponents : tuple
        What `look_at_opponents` returned, or that with a vector for each opponent.
    """
    able, share = opponents
    equal = of_value(value_bits) & unseen
    equals = popcounts(equal)
    first = _harmless(able[0], share[0], equal, equals, beating, keen)
    second = _harmless(able[1], share[1], equal, equals, beating, keen)
    third = _harmless(able[2], share[2], equal, equals, beating, keen)
    fourth = _harmless(able[3], share[3], equal, equals, beating, keen)
    return (first * second) * (third * fourth)


@inline_kernel
def turns_after(table):
    """Return the turn of the U&D card after each change of the rules."""
    return (table.turn + LANE * vector(CHANGE_NUMBERS)) & PLACES


@inline_kernel
def faces_up(table):
    """Tell for each change of the rules whether the face `UP` is in force then."""
    return (vector(CHANGE_NUMBERS) == FLIP) == (table.face != UP)


@inline_kernel
def colours_of(table, index, turns):
    """Return all cards of the colour that points at a seat, for a vector of turns."""
    return spread(np.int64(VALUES)) << ((table.shifts[index] - turns) & PLACES)


@inline_kernel
def own_best(table, seat, turns, trump_bits):
    """Return for each change the values in hand in the own colour, the best, and those better."""
    own = (spread(seat.hand) >> ((own_shift(table) - turns) & PLACES)) & VALUES
    own = own & (VALUES ^ (VALUES & trump_bits))
    face_up = faces_up(table)
    best = choose(face_up, spread(1) << highest_bits(own | 1), own & (0 - own))
    return own, best, VALUES & choose(face_up, 0 - (best << 1), best - 1)


@inline_kernel
def _opponents(table, index, unseen, turns, trumps, keen):
    able = (colours_of(table, index, turns) | trumps) & unseen
    ways = popcount(unseen) + (keen - 1.0) * popcounts(able)
    is_there = index < table.players and index != table.seat
    return able, (1.0 if is_there else 0.0) / ways


@inline_kernel
def best_chances(table, seat, unseen, keen):
    """Return the chance of the likeliest able card in hand after each change of the rules.

    That is the trump or the best card in the own colour, or nearly so; 0 without any. In the lanes
    of the vector are the changes by their numbers; `ROLL` stands for a trump of which nobody has a
    card.
    """
    turns = turns_after(table)
    trump_bits = choose(vector(CHANGE_NUMBERS) == ROLL, 1, trump_bit_of(table))
    trumps = of_value(trump_bits)
    able0, share0 = _opponents(table, 0, unseen, turns, trumps, keen)
    able1, share1 = _opponents(table, 1, unseen, turns, trumps, keen)
    able2, share2 = _opponents(table, 2, unseen, turns, trumps, keen)
    able3, share3 = _opponents(table, 3, unseen, turns, trumps, keen)
    opponents = (able0, able1, able2, able3), (share0, share1, share2, share3)
    own, best, better = own_best(table, seat, turns, trump_bits)
    by_colour = chances(best, unseen, of_value(better | trump_bits), keen, opponents)
    by_colour = choose(own == 0, 0.0, by_colour)
    held = (values_in(seat.hand) & trump_bits) > 0
    by_trump = chances(trump_bits, unseen, spread(0), keen, opponents)
    return choose(held & (by_trump > by_colour), by_trump, by_colour)


@inline_kernel
def trump_chance(table, seat):
    """Return how likely a throw for a new trump brings one of which the hand has a card."""
    values = values_in(seat.hand) & ~trump_bit_of(table)
    throws = np.int64(THROWS_FOR[np.uint32(values >> LOWEST)])
    return throws / (36.0 - THROWS[np.uint32(table.trump)])


@inline_kernel
def wanted_by_others(table, unseen):
    """Return the value set of what the opponents would best like to play.

    Of each the best card in its own colour that is still unseen.
    """
    wanted = np.int64(0)
    for seat in range(min(np.int64(SEATS), table.players)):
        if seat != table.seat:
            values = own_values(unseen, table.shifts[seat], table.turn)
            wanted |= best_of(values, table.face, np.int64(0))
    return wanted & VALUES
