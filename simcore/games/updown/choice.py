"""UP & DOWN: what changes of the rules and cards are worth to a seat that plays as its spec says.

All is arithmetic on numbers, or on vectors of them for lanes; see `by_spec`. What nobody needs,
`some` skips. *Able* cards are those that can win under the rules in force: in the own colour, or of
the trump value.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from simcore.bits import highest_bit, lowest_bit, popcount
from simcore.games.updown.cards import (
    DECK,
    HIGHEST,
    IN_ALL_COLOURS,
    LOWEST,
    UP,
    VALUES,
    best_of,
    of_value,
    own_cards,
    own_values,
    values_in,
)
from simcore.games.updown.play import NO_TRUMP, face_after, turn_after
from simcore.games.updown.table import KEEP, ROLL, SEATS
from simcore.jit import inline_kernel
from simcore.vectors import (
    choose,
    largest,
    may_need,
    reals,
    rotated,
    some,
)

TRUMP_WINS = 0.6
"""About how likely a trump wins: it may only be cancelled."""

NO_TRUMPS = np.array([(10 / 11) ** max(players - 1, 0) for players in range(SEATS + 1)])
"""About how likely no opponent has played a card of a trump not known beforehand, by players."""

TRUMP_RANK = HIGHEST
"""One more than the best card of a face; see `rank`."""

LEAST_WORTH = -100.0

_MIDDLE = 7
_UP_TO_MIDDLE = (1 << (_MIDDLE + 1)) - 1
_NEAR = tuple(
    sum(1 << value for value in range(_MIDDLE - far, _MIDDLE + far + 1)) for far in range(6)
)
_ABOVE = IN_ALL_COLOURS << (HIGHEST + 1)
_ALL_BELOW = IN_ALL_COLOURS * ((1 << HIGHEST) - 1)


class View(NamedTuple):
    """What a seat sees that chooses.

    Its number, cards and shift, the shifts of all seats; turn, face, and trump as a bit; the cards
    played in the round; how many players there are, whether only able cards cancel each other.
    """

    seat: Any
    hand: Any
    shift: Any
    shifts: Any
    turn: Any
    face: Any
    trump_bit: Any
    played: Any
    players: Any
    eligible: Any


@inline_kernel
def view_of(table, seat):
    """Return what the seat on turn sees."""
    index = np.int64(table.seat)
    return View(
        index,
        seat.hand,
        table.shifts[index],
        (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3]),
        table.turn,
        table.face,
        np.int64(1) << table.trump,
        table.played[0] | table.played[1] | table.played[2] | table.played[3],
        np.int64(table.players),
        table.eligible != 0,
    )


@inline_kernel
def unseen_by(view):
    """Return the cards that a seat has not seen."""
    return DECK & ~(view.played | view.hand)


@inline_kernel
def others_of(view):
    """Return the cards of the colours that point at the others when the turn is 0."""
    shifts = view.shifts
    cards = own_cards(shifts[0], 0) | own_cards(shifts[1], 0)
    cards = cards | (own_cards(shifts[2], 0) if view.players > 2 else 0)
    cards = cards | (own_cards(shifts[3], 0) if view.players > 3 else 0)
    return cards & ~own_cards(view.shift, 0)


# ------------------------------------------------------------------------------- changing the rules


@inline_kernel
def rank(value_bits, face):
    """Return how good the best value of a value set is with a face: 0 (none) to 11."""
    highest = highest_bit(value_bits | (1 << (LOWEST - 1))) - (LOWEST - 1)
    lowest = HIGHEST + 1 - lowest_bit(value_bits | (1 << (HIGHEST + 1)))
    return choose(face == UP, highest, lowest)


@inline_kernel
def rank_after(change, view):
    """Return how good the best card in the own colour is after a change of the rules."""
    own = own_values(view.hand, view.shift, turn_after(view.turn, change))
    return rank(own, face_after(view.face, change))


@inline_kernel
def change_for_best_card(view):
    """Change the rules so that the best card in the own colour is as good as can be.

    With a trump in hand the face is turned, or whatever else keeps the trump.
    """
    best = view.hand & 0
    for change in range(ROLL):
        # Of equal changes the first is the greatest number.
        best = largest(best, (rank_after(change, view) << 2) + (ROLL - 1 - change))
    return ROLL - 1 - (best & 3)


@inline_kernel
def kept_for_best_card(change, view):
    """Return `KEEP` [H3] if it makes the best card in the own colour better than a change does."""
    changed = rank_after(change, view)
    return choose(rank_after(KEEP, view) > changed, KEEP, change)


@inline_kernel
def values_above(value_bit, face):
    """Return the value set of the values that beat one, trumps apart."""
    return VALUES & choose(face == UP, 0 - (value_bit << 1), value_bit - 1)


@inline_kernel
def worth_by_count(change, view, better):
    """Return the rank of the best card in the own colour after a change, less what beats it.

    `better` is how many ranks each unseen card of the opponents' colours takes off that beats it.
    """
    turn = turn_after(view.turn, change)
    face = face_after(view.face, change)
    best = best_of(own_values(view.hand, view.shift, turn), face, 0)
    above = of_value(values_above(best, face)) & unseen_by(view)
    beaten = popcount(rotated(others_of(view), turn) & above)
    worth = reals(rank(best & VALUES, face)) - better * reals(beaten)
    return choose((best > 1) & (worth > LEAST_WORTH), worth, LEAST_WORTH)


@inline_kernel
def change_by_count(view, better):
    """Change the rules for the best card in the own colour, by rank and by what beats it."""
    best = view.hand & 0
    best_worth = worth_by_count(0, view, better)
    for change in range(1, ROLL):
        worth = worth_by_count(change, view, better)
        best = choose(worth > best_worth, change, best)
        best_worth = largest(worth, best_worth)
    return best


@inline_kernel
def kept_by_count(change, view, better):
    """Return `KEEP` [H3] if the best card in the own colour is worth more than after a change."""
    best = worth_by_count(change, view, better)
    return choose(worth_by_count(KEEP, view, better) > best, KEEP, change)


@inline_kernel
def best_chance(change, view, keen):
    """Return the chance of the likeliest able card in hand after a change of the rules.

    That is the trump or the best card in the own colour, or nearly so; 0 without any. After `ROLL`
    it is that without a trump.
    """
    turn = turn_after(view.turn, change)
    face = face_after(view.face, change)
    trump_bit = view.trump_bit if change != ROLL else (view.trump_bit & 0) + NO_TRUMP
    opponents = opponents_of(view, turn, trump_bit, keen)
    equals = cancelling(view, turn, trump_bit)
    best = best_of(own_values(view.hand, view.shift, turn) & ~trump_bit, face, 0)
    worth = reals(view.hand & 0)
    if may_need(best > 1):
        beating = of_value(values_above(best, face) | trump_bit)
        by_own = chance(best, beating, equals, keen, opponents)
        worth = choose(best > 1, by_own, worth)
    held = view.hand & of_value(trump_bit) != 0
    if may_need(held):
        by_trump = chance(trump_bit, trump_bit & 0, equals, keen, opponents)
        worth = choose(held & (by_trump > worth), by_trump, worth)
    return worth


@inline_kernel
def throws_for(value_bits):
    """Return how many of 36 throws of two dice show a value of a value set."""
    return (
        popcount(value_bits & _NEAR[0])
        + popcount(value_bits & _NEAR[1])
        + popcount(value_bits & _NEAR[2])
        + popcount(value_bits & _NEAR[3])
        + popcount(value_bits & _NEAR[4])
        + popcount(value_bits & _NEAR[5])
    )


@inline_kernel
def worth_of_rolling(without, view):
    """Return about how likely the best card wins after a throw; `without` is without a trump."""
    throws = throws_for(values_in(view.hand) & ~view.trump_bit)
    hit = reals(throws) / (36.0 - reals(throws_for(view.trump_bit)))
    return hit * TRUMP_WINS + (1.0 - hit) * (without * NO_TRUMPS[np.uint32(view.players)])


# ------------------------------------------------------------------------------- looking at chances


@inline_kernel
def opponent_of(view, seat, turn, trump_bit, keen):
    """Return what a seat may play under given rules, as a player thinks of it.

    Every opponent is taken to play one of the unseen cards at random, a card that is able for it
    `keen` times as likely as another. Return whether it is an opponent; the unseen cards that would
    be able; and how likely each of the other cards is, 0 for who is no opponent.
    """
    is_there = (view.seat != seat) & (seat < view.players)
    able = view.hand & 0
    share = reals(able)
    if some(is_there):
        unseen = unseen_by(view)
        able = unseen & (own_cards(view.shifts[seat], turn) | of_value(trump_bit))
        ways = reals(popcount(unseen)) + (keen - 1.0) * reals(popcount(able))
        share = choose(is_there, 1.0 / ways, share)
    return is_there, able, share


@inline_kernel
def opponents_of(view, turn, trump_bit, keen):
    """Return this of all seats."""
    return (
        opponent_of(view, 0, turn, trump_bit, keen),
        opponent_of(view, 1, turn, trump_bit, keen),
        opponent_of(view, 2, turn, trump_bit, keen),
        opponent_of(view, 3, turn, trump_bit, keen),
    )


@inline_kernel
def cancelling(view, turn, trump_bit):
    """Return the unseen cards that would cancel equal ones: all, or those able for others [H4]."""
    unseen = unseen_by(view)
    if view.eligible:
        unseen = unseen & (rotated(others_of(view), turn) | of_value(trump_bit))
    return unseen


@inline_kernel
def _harmless(opponent, equal, equals, beating, keen):
    is_there, able, share = opponent
    harmless = reals(able & 0) + 1.0
    if some(is_there):
        beaters = popcount(able & beating)
        keenly = beaters + popcount(able & equal)
        harmless = 1.0 - (reals(equals + beaters) + (keen - 1.0) * reals(keenly)) * share
    return harmless


@inline_kernel
def chance(value_bit, beating, cancels, keen, opponents):
    """Return about how likely an able card wins.

    Cards that would cancel each other or the beaten are not followed up. `beating` are the cards
    that beat it, without those of its own value; for `cancels` see `cancelling`.
    """
    equal = of_value(value_bit) & cancels
    equals = popcount(equal)
    first = _harmless(opponents[0], equal, equals, beating, keen)
    second = _harmless(opponents[1], equal, equals, beating, keen)
    third = _harmless(opponents[2], equal, equals, beating, keen)
    fourth = _harmless(opponents[3], equal, equals, beating, keen)
    return (first * second) * (third * fourth)


@inline_kernel
def gain_of(value_bit, view, cancels, stake, price, keen, opponents):
    """Return how many tricks are to be expected of an able value, less the price of a trump."""
    is_trump = value_bit == view.trump_bit
    above = of_value(values_above(value_bit, view.face) | view.trump_bit)
    wins = chance(value_bit, choose(is_trump, 0, above), cancels, keen, opponents)
    return wins * reals(stake) - choose(is_trump, price, 0.0)


@inline_kernel
def worth_of_value(value_bit, view, cancels, equal):
    """Return the rank of an able value, less `equal` for each unseen card that cancels it."""
    here = choose(value_bit == view.trump_bit, TRUMP_RANK, rank(value_bit, view.face))
    return reals(here) - equal * reals(popcount(of_value(value_bit) & cancels))


# ----------------------------------------------------------------------------------- choosing cards


@inline_kernel
def able_values(hand, shift, turn, trump_bit):
    """Return the value set of the cards of a hand that can win."""
    held = of_value(trump_bit) & hand != 0
    return own_values(hand, shift, turn) | choose(held, trump_bit, 0)


@inline_kernel
def surest_card(able, face, trump_bit, saves):
    """Return the best of able values, or of those that are no trump; 0 if there is none."""
    return VALUES & best_of(choose(saves, able & ~trump_bit, able), face, trump_bit)


@inline_kernel
def card_of(value_bit, hand, own):
    """Return the card with a value, one in the own colour if possible."""
    cards = hand & of_value(value_bit)
    found = choose(cards & own != 0, cards & own, cards)
    return found & (0 - found)


@inline_kernel
def least_useful(cards):
    """Return of the cards with the value nearest to the middle, of two the lower, the lowest."""
    values = values_in(cards)
    low = 1 << highest_bit((values & _UP_TO_MIDDLE) | 1)
    high = values & ~_UP_TO_MIDDLE
    high = high & (0 - high)
    # As far apart from the middle: their product is that of the middle with itself.
    is_low = (low > 1) & ((high == 0) | (low * high >= 1 << (2 * _MIDDLE)))
    found = cards & of_value(choose(is_low, low, high))
    return found & (0 - found)


@inline_kernel
def best_of_colours(cards, face):
    """Return the best card of each colour in a card set, trumps apart."""
    lowest = cards & ~((cards | _ABOVE) - IN_ALL_COLOURS)
    below = (cards >> 1) & _ALL_BELOW
    below = below | ((below >> 1) & _ALL_BELOW)
    below = below | ((below >> 2) & _ALL_BELOW)
    below = below | ((below >> 4) & _ALL_BELOW)
    below = below | ((below >> 3) & _ALL_BELOW)  # Far enough: from the highest value to the lowest.
    return choose(face == UP, cards & ~below, lowest)


@inline_kernel
def cancel(unable, view):
    """Return a card that cannot win but cancels what others would like to play, 0 if none."""
    wanted = best_of_colours(unseen_by(view), view.face) & rotated(others_of(view), view.turn)
    cards = unable & of_value(values_in(wanted))
    return choose(cards != 0, least_useful(cards), 0)


@inline_kernel
def shed(hand, unable):
    """Return the least useful card, one that cannot win if there is any."""
    return least_useful(choose(unable != 0, unable, hand))
