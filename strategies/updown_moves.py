"""UP & DOWN: pieces of play that several policies share."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import highest_bit, lowest_bit, popcount
from simcore.games.updown.cards import DOWN, HIGHEST, LOWEST, UP, best_of, of_value, own_values
from simcore.games.updown.play import turn_after
from simcore.games.updown.table import FLIP, ROLL, SEATS
from simcore.jit import inline_kernel, kernel
from simcore.vectors import choose, first_greatest, highest_bits, lane, popcounts, spread, vector
from strategies.updown_sight import (
    CHANGE_NUMBERS,
    NO_CARD,
    able_card,
    able_values,
    all_better_values,
    best_chances,
    chances,
    colours_of,
    faces_up,
    least_useful,
    look_at_opponents,
    own_best,
    own_shift,
    trump_bit_of,
    trump_chance,
    turns_after,
    unable_cards,
    unseen_cards,
    wanted_by_others,
)

TRUMP_WINS = 0.6
"""About how likely a trump wins: it may only be cancelled."""

NO_TRUMPS = np.array([(10 / 11) ** max(players - 1, 0) for players in range(SEATS + 1)])
"""About how likely no opponent has played a card of a trump not known beforehand, by players."""

LEAST_WORTH = -100.0

TRUMP_RANK = HIGHEST
"""One more than the best card of a face; see `rank`."""


@inline_kernel
def is_late(table, cards):
    """Tell whether at most so many cards are left in each hand."""
    return table.hand_size - table.trick <= cards


@inline_kernel
def leads_next(table):
    """Tell (0 or 1) whether the seat on turn leads the next trick of the round."""
    last = table.trick + 1 == table.hand_size
    return np.int64(not last and (table.leader + 1) % table.players == table.seat)


@inline_kernel
def own_colour_card(table, seat):
    """Return the best card in the own colour that is no trump, or `NO_CARD`."""
    own = own_values(seat.hand, own_shift(table), table.turn) & ~trump_bit_of(table)
    if own == 0:
        return np.int64(NO_CARD)
    best = best_of(own, table.face, np.int64(0))
    return able_card(seat, lowest_bit(best), own_shift(table), table.turn)


@inline_kernel
def cancel(table, seat):
    """Return a card that cannot win but cancels what others would like to play, or `NO_CARD`."""
    wanted = of_value(wanted_by_others(table, unseen_cards(table, seat)))
    cards = unable_cards(table, seat) & wanted
    return least_useful(cards) if cards else np.int64(NO_CARD)


@kernel
def least_cancelled(table, seat, per_equal):
    """Return the able card of the best rank, less `per_equal` for each equal unseen one, or none.

    Of several the seat's private stream decides, so that nobody can foresee it.
    """
    able = able_values(table, seat)
    unseen = unseen_cards(table, seat)
    trump_bit = trump_bit_of(table)
    best = np.int64(0)
    best_worth = -100.0
    while able:
        value_bit = able & -able
        able ^= value_bit
        worth = worth_of_value(table, value_bit, trump_bit, unseen, per_equal)
        if worth > best_worth or (worth == best_worth and rng.below(seat.rng, 2) == 0):
            best = value_bit
            best_worth = worth
    if best == 0:
        return np.int64(NO_CARD)
    return able_card(seat, lowest_bit(best), own_shift(table), table.turn)


@inline_kernel
def worth_of_value(table, value_bit, trump_bit, unseen, per_equal):
    """Return the rank of a value, less `per_equal` for each equal card unseen."""
    here = TRUMP_RANK if value_bit == trump_bit else rank(value_bit, table.face)
    return here - per_equal * popcount(of_value(value_bit) & unseen)


@inline_kernel
def rank(value_bits, face):
    """Return how good the best value of a value set is with a face: 0 (none) to 11."""
    highest = highest_bit(value_bits | (1 << (LOWEST - 1))) - (LOWEST - 1)
    lowest = HIGHEST + 1 - lowest_bit(value_bits | (1 << (HIGHEST + 1)))
    return highest if face == UP else lowest


@inline_kernel
def change_for_best_card(table, seat):
    """Change the rules so that the best card in the own colour is as good as can be.

    With a trump in hand the face is turned, or whatever else keeps the trump.
    """
    shift = own_shift(table)
    # Of equal changes the first is the greatest number.
    best = (rank(own_values(seat.hand, shift, table.turn), table.face ^ DOWN) << 2) + ROLL - 1
    for change in range(FLIP + 1, ROLL):
        here = rank(own_values(seat.hand, shift, turn_after(table.turn, change)), table.face)
        best = max(best, (here << 2) + ROLL - 1 - change)
    return ROLL - 1 - (best & 3)


@inline_kernel
def change_by_count(table, seat, per_better):
    """Change the rules for the best card in the own colour, by rank and by what beats it.

    Each unseen card of the opponents' colours that does takes off `per_better` ranks.
    """
    unseen = unseen_cards(table, seat)
    changes = vector(CHANGE_NUMBERS)
    turns = turns_after(table)
    own, best, better = own_best(table, seat, turns, 0)
    highest = highest_bits(best | 1)
    ranks = choose(faces_up(table), highest - (LOWEST - 1), HIGHEST + 1 - highest)
    others = spread(0)
    for index in range(min(np.int64(SEATS), table.players)):
        if index != table.seat:
            others = others | colours_of(table, index, turns)
    beaten = popcounts(others & of_value(better) & unseen)
    worths = choose((own > 0) & (changes < ROLL), ranks - per_better * beaten, LEAST_WORTH)
    return first_greatest(choose(worths > LEAST_WORTH, worths, LEAST_WORTH))


@kernel
def change_by_chance(table, seat, keen):
    """Change the rules so that one's best card has the best chance, by the cards played.

    A throw of the dice is judged by the trumps that it may bring.
    """
    unseen = unseen_cards(table, seat)
    worths = best_chances(table, seat, unseen, keen)
    best_worth = worth_of_rolling(table, seat, lane(worths, ROLL))
    best = first_greatest(choose(vector(CHANGE_NUMBERS) < ROLL, worths, -1.0))
    return best if lane(worths, best) > best_worth else np.int64(ROLL)


@inline_kernel
def worth_of_rolling(table, seat, without):
    """Return about how likely the best card wins after a throw; `without` is without a trump."""
    hit = trump_chance(table, seat)
    own = without * NO_TRUMPS[np.uint32(table.players)]
    return hit * TRUMP_WINS + (1.0 - hit) * own


@inline_kernel
def lowest_eight(value_bits):
    """Return the eight lowest values of a value set, each as a value set, in a vector.

    And the others. When there are fewer, the last lanes are 0.
    """
    one = value_bits & (value_bits - 1)
    two = one & (one - 1)
    three = two & (two - 1)
    four = three & (three - 1)
    five = four & (four - 1)
    six = five & (five - 1)
    seven = six & (six - 1)
    sets = vector((value_bits, one, two, three, four, five, six, seven))
    return sets & (0 - sets), seven & (seven - 1)


@kernel
def best_bet(table, seat, keen, least, trump_price):
    """Return the able card with the best gain, or `NO_CARD` when none gains more than `least`.

    The gain is the chance times the tricks at stake; of a trump less its price, which falls with
    the cards left.
    """
    able = able_values(table, seat)
    unseen = unseen_cards(table, seat)
    trump_bit = trump_bit_of(table)
    price = trump_price * (table.hand_size - table.trick - 1) / table.hand_size
    opponents = look_at_opponents(table, unseen, table.turn, table.trump, keen)
    best = np.int64(0)
    best_gain = least
    while able:
        values, able = lowest_eight(able)
        is_trump = values == trump_bit
        beating = of_value(all_better_values(values, table.face) | trump_bit)
        beating = choose(is_trump, 0, beating)
        wins = chances(values, unseen, beating, keen, opponents)
        gains = wins * (1 + table.pot) - choose(is_trump, price, 0.0)
        gains = choose(values == 0, -1e9, gains)
        first = first_greatest(gains)
        if lane(gains, first) > best_gain:
            best = lane(values, first)
            best_gain = lane(gains, first)
    if best == 0:
        return np.int64(NO_CARD)
    return able_card(seat, lowest_bit(best), own_shift(table), table.turn)
