"""UP & DOWN: how a seat chooses that plays as its spec says; see `spec`.

All is arithmetic on numbers, for one seat that is asked or for a lane; see `lanes`. *Able* cards
are those that can win under the rules in force: in the own colour, or of the trump value.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import highest_bit, popcount
from simcore.games.updown.cards import (
    HIGHEST,
    IN_ALL_COLOURS,
    LOWEST,
    UP,
    VALUES,
    best_of,
    of_value,
    own_cards,
    own_values,
    rotate_right,
    values_in,
)
from simcore.games.updown.play import face_after, turn_after
from simcore.games.updown.spec import (
    BETS_ANYWAY,
    CANCELS,
    CANCELS_BEFORE_LEAD,
    PATIENT,
    PLAYS_BEST,
    PRICE,
)
from simcore.games.updown.table import KEEP, ROLL, SEATS
from simcore.jit import inline_kernel
from simcore.lanes import needed

TRUMP_WINS = 0.6
"""About how likely a trump wins: it may only be cancelled."""

NO_TRUMPS = np.array([(10 / 11) ** max(players - 1, 0) for players in range(SEATS + 1)])
"""About how likely no opponent has played a card of a trump not known beforehand, by players."""

TRUMP_RANK = HIGHEST
"""One more than the best card of a face; see `rank`."""

LEAST_WORTH = -100.0
NO_GAIN = -1e9

_NO_TRUMP = 1
_MIDDLE = 7
_UP_TO_MIDDLE = (1 << (_MIDDLE + 1)) - 1
_NEAR = tuple(
    sum(1 << value for value in range(_MIDDLE - far, _MIDDLE + far + 1)) for far in range(6)
)
_ABOVE = IN_ALL_COLOURS << (HIGHEST + 1)
_ALL_BELOW = IN_ALL_COLOURS * ((1 << HIGHEST) - 1)


# ------------------------------------------------------------------------------- changing the rules


@inline_kernel
def rank(value_bits, face):
    """Return how good the best value of a value set is with a face: 0 (none) to 11."""
    highest = highest_bit(value_bits | (1 << (LOWEST - 1))) - (LOWEST - 1)
    set_bits = value_bits | (1 << (HIGHEST + 1))
    lowest = HIGHEST + 1 - popcount(~set_bits & (set_bits - 1))
    return highest if face == UP else lowest


@inline_kernel
def change_for_best_card(hand, shift, turn, face):
    """Change the rules so that the best card in the own colour is as good as can be.

    With a trump in hand the face is turned, or whatever else keeps the trump.
    """
    best = np.int64(0)
    for change in range(ROLL):
        here = rank(own_values(hand, shift, turn_after(turn, change)), face_after(face, change))
        # Of equal changes the first is the greatest number.
        best = max(best, (here << 2) + ROLL - 1 - change)
    return ROLL - 1 - (best & 3)


@inline_kernel
def kept_for_best_card(change, hand, shift, turn, face):
    """Return `KEEP` [H3] if it makes the best card in the own colour better than a change does."""
    turned = turn_after(turn, change)
    best = rank(own_values(hand, shift, turned), face_after(face, change))
    return np.int64(KEEP if rank(own_values(hand, shift, turn), face) > best else change)


@inline_kernel
def values_above(value_bit, face):
    """Return the value set of the values that beat one, trumps apart."""
    return VALUES & (-(value_bit << 1) if face == UP else value_bit - 1)


@inline_kernel
def worth_by_count(change, hand, shift, turn, face, unseen, others, better):
    """Return the rank of the best card in the own colour after a change, less what beats it."""
    turn = turn_after(turn, change)
    face = face_after(face, change)
    own = own_values(hand, shift, turn)
    best = best_of(own, face, 0)
    beaten = popcount(rotate_right(others, turn) & of_value(values_above(best, face)) & unseen)
    worth = np.float64(rank(best & VALUES, face)) - better * np.float64(beaten)
    return worth if (best > 1) & (worth > LEAST_WORTH) else LEAST_WORTH


@inline_kernel
def change_by_count(hand, shift, turn, face, unseen, others, better):
    """Change the rules for the best card in the own colour, by rank and by what beats it.

    Parameters
    ----------
    others : int
        The cards of the colours that point at the opponents when the turn is 0.
    better : float
        How many ranks each unseen card of the opponents' colours takes off that beats it.
    """
    best = np.int64(0)
    best_worth = NO_GAIN
    for change in range(ROLL):
        worth = worth_by_count(change, hand, shift, turn, face, unseen, others, better)
        is_better = worth > best_worth
        best = np.int64(change if is_better else best)
        best_worth = worth if is_better else best_worth
    return best


@inline_kernel
def kept_by_count(change, hand, shift, turn, face, unseen, others, better):
    """Return `KEEP` [H3] if the best card in the own colour is worth more than after a change."""
    best = worth_by_count(change, hand, shift, turn, face, unseen, others, better)
    now = worth_by_count(KEEP, hand, shift, turn, face, unseen, others, better)
    return np.int64(KEEP if now > best else change)


@inline_kernel
def best_chance(change, alone, hand, shift, shifts, rules, unseen, rivals, keen, here):
    """Return the chance of the likeliest able card in hand after a change of the rules.

    That is the trump or the best card in the own colour, or nearly so; 0 without any. After `ROLL`
    it is that without a trump. `shifts` are those of all seats, for `rivals` see `cancelling`, for
    `here` see `opponents_of`.
    """
    turn = turn_after(rules[0], change)
    face = face_after(rules[1], change)
    trump_bit = _NO_TRUMP if change == ROLL else rules[2]
    opponents = opponents_of(alone, shifts, turn, trump_bit, unseen, keen, here)
    own = own_values(hand, shift, turn) & ~trump_bit
    best = best_of(own, face, 0)
    beating = of_value(values_above(best, face) | trump_bit)
    equals = cancelling(unseen, rivals, turn, trump_bit)
    worth = 0.0
    if needed(alone, best > 1):
        worth = chance(alone, best, beating, equals, keen, opponents) if best > 1 else 0.0
    held = hand & of_value(trump_bit) != 0
    if needed(alone, held):
        by_trump = chance(alone, trump_bit, np.int64(0), equals, keen, opponents)
        worth = by_trump if held & (by_trump > worth) else worth
    return worth


@inline_kernel
def is_better_change(change, worth, best_worth):
    """Tell whether a change beats those before it; `ROLL` also an equal one."""
    return (worth > best_worth) | ((change == ROLL) & (worth == best_worth))


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
def worth_of_rolling(without, hand, trump_bit, players):
    """Return about how likely the best card wins after a throw; `without` is without a trump."""
    throws = throws_for(values_in(hand) & ~trump_bit)
    hit = np.float64(throws) / (36.0 - np.float64(throws_for(trump_bit)))
    return hit * TRUMP_WINS + (1.0 - hit) * (without * NO_TRUMPS[np.uint32(players)])


# ------------------------------------------------------------------------------- looking at chances


@inline_kernel
def opponent_of(alone, shift, turn, trump_bit, unseen, keen, is_there):
    """Return what a seat may play under given rules, as a player thinks of it.

    Every opponent is taken to play one of the unseen cards at random, a card that is able for it
    `keen` times as likely as another.

    Returns
    -------
    able : int64
        The unseen cards that would be able.
    share : float64
        How likely each of the other cards is; 0 for who is no opponent.
    """
    able = np.int64(0)
    share = 0.0
    if needed(alone, is_there):
        able = unseen & (own_cards(shift, turn) | of_value(trump_bit))
        ways = np.float64(popcount(unseen)) + (keen - 1.0) * np.float64(popcount(able))
        share = 1.0 / ways if is_there else 0.0
    return able, share


@inline_kernel
def opponents_of(alone, shifts, turn, trump_bit, unseen, keen, here):
    """Return this of all seats, first the cards, then the shares; `here` masks the opponents."""
    able0, share0 = opponent_of(alone, shifts[0], turn, trump_bit, unseen, keen, here & 1 != 0)
    able1, share1 = opponent_of(alone, shifts[1], turn, trump_bit, unseen, keen, here & 2 != 0)
    able2, share2 = opponent_of(alone, shifts[2], turn, trump_bit, unseen, keen, here & 4 != 0)
    able3, share3 = opponent_of(alone, shifts[3], turn, trump_bit, unseen, keen, here & 8 != 0)
    return (able0, able1, able2, able3), (share0, share1, share2, share3)


@inline_kernel
def cancelling(unseen, rivals, turn, trump_bit):
    """Return the unseen cards that would cancel equal ones; for `rivals` see `rivals_of`."""
    return unseen & (rotate_right(rivals, turn) | of_value(trump_bit))


@inline_kernel
def _harmless(alone, able, share, equal, equals, beating, keen):
    harmless = 1.0
    if needed(alone, share > 0.0):
        beaters = popcount(able & beating)
        keenly = beaters + popcount(able & equal)
        harmless -= (np.float64(equals + beaters) + (keen - 1.0) * np.float64(keenly)) * share
    return harmless


@inline_kernel
def chance(alone, value_bit, beating, cancels, keen, opponents):
    """Return about how likely an able card wins.

    Cards that would cancel each other or the beaten are not followed up. `beating` are the cards
    that beat it, without those of its own value; for `cancels` see `cancelling`.
    """
    able, share = opponents
    equal = of_value(value_bit) & cancels
    equals = popcount(equal)
    first = _harmless(alone, able[0], share[0], equal, equals, beating, keen)
    second = _harmless(alone, able[1], share[1], equal, equals, beating, keen)
    third = _harmless(alone, able[2], share[2], equal, equals, beating, keen)
    fourth = _harmless(alone, able[3], share[3], equal, equals, beating, keen)
    return (first * second) * (third * fourth)


@inline_kernel
def gain_of(value_bit, alone, face, trump_bit, cancels, stake, price, keen, opponents):
    """Return how many tricks are to be expected of an able value, less the price of a trump."""
    is_trump = value_bit == trump_bit
    beating = 0 if is_trump else of_value(values_above(value_bit, face) | trump_bit)
    wins = chance(alone, value_bit, beating, cancels, keen, opponents)
    return wins * np.float64(stake) - (price if is_trump else 0.0)


@inline_kernel
def worth_of_value(value_bit, face, trump_bit, cancels, equal):
    """Return the rank of an able value, less `equal` for each unseen card that cancels it."""
    here = TRUMP_RANK if value_bit == trump_bit else rank(value_bit, face)
    return np.float64(here) - equal * np.float64(popcount(of_value(value_bit) & cancels))


# ----------------------------------------------------------------------------------- choosing cards


@inline_kernel
def able_values(hand, shift, turn, trump_bit):
    """Return the value set of the cards of a hand that can win."""
    held = of_value(trump_bit) & hand != 0
    return own_values(hand, shift, turn) | (trump_bit if held else 0)


@inline_kernel
def surest_card(able, face, trump_bit, saves):
    """Return the best of able values, or of those that are no trump; 0 if there is none."""
    return VALUES & best_of(able & ~trump_bit if saves else able, face, trump_bit)


@inline_kernel
def bet_if_enough(best, gain, enough):
    """Return the value on which a seat bets, 0 if not enough is to be expected of it."""
    return best if gain > enough else 0


@inline_kernel
def card_of(value_bit, hand, own):
    """Return the card with a value, one in the own colour if possible."""
    cards = hand & of_value(value_bit)
    found = cards & own if cards & own != 0 else cards
    return found & -found


@inline_kernel
def least_useful(cards):
    """Return of the cards with the value nearest to the middle, of two the lower, the lowest."""
    values = values_in(cards)
    low = values & _UP_TO_MIDDLE
    high = values & ~_UP_TO_MIDDLE
    low = np.int64(1) << highest_bit(low | 1)
    high &= -high
    # As far apart from the middle: their product is that of the middle with itself.
    is_low = (low > 1) & ((high == 0) | (low * high >= 1 << (2 * _MIDDLE)))
    found = cards & of_value(low if is_low else high)
    return found & -found


@inline_kernel
def best_of_colours(cards, face):
    """Return the best card of each colour in a card set, trumps apart."""
    lowest = cards & ~((cards | _ABOVE) - IN_ALL_COLOURS)
    below = (cards >> 1) & _ALL_BELOW
    below |= (below >> 1) & _ALL_BELOW
    below |= (below >> 2) & _ALL_BELOW
    below |= (below >> 4) & _ALL_BELOW
    below |= (below >> 3) & _ALL_BELOW  # Far enough: from the highest value to the lowest.
    return cards & ~below if face == UP else lowest


@inline_kernel
def cancel(unable, face, turn, unseen, others):
    """Return a card that cannot win but cancels what others would like to play, 0 if none.

    For `others` see `change_by_count`.
    """
    wanted = values_in(best_of_colours(unseen, face) & rotate_right(others, turn))
    cards = unable & of_value(wanted)
    return least_useful(cards) if cards != 0 else np.int64(0)


@inline_kernel
def shed(hand, unable):
    """Return the least useful card, one that cannot win if there is any."""
    return least_useful(unable if unable != 0 else hand)


@inline_kernel
def card_to_play(alone, how, first, bet, hand, shift, rules, unseen, others, lead):
    """Return the card that a seat plays.

    Parameters
    ----------
    alone : bool
        Whether one seat is asked; see `needed`.
    how : int
        Word of the spec.
    first : int
        The value with which it goes for the trick, 0 if it does not.
    bet : (int64, float64)
        The value from which most is to be expected, and how much.
    rules : (int, int, int)
        Turn, face, and trump as a bit.
    others : int
        See `change_by_count`.
    lead : bool
        Whether it leads next.
    """
    turn, face, trump_bit = rules
    own = own_cards(shift, turn)
    unable = hand & ~(own | of_value(trump_bit))
    card = np.int64(0)
    cancels = (how & CANCELS != 0) | ((how & CANCELS_BEFORE_LEAD != 0) & lead)
    if needed(alone, (first == 0) & cancels):
        card = cancel(unable, face, turn, unseen, others) if (first == 0) & cancels else card
    value = first
    if needed(alone, (value == 0) & (card == 0) & (how & BETS_ANYWAY != 0)):
        anyway = bet_if_enough(bet[0], bet[1], 0.0)
        value = anyway if (value == 0) & (card == 0) & (how & BETS_ANYWAY != 0) else value
    if needed(alone, (value == 0) & (card == 0) & (how & PLAYS_BEST != 0)):
        able = able_values(hand, shift, turn, trump_bit)
        best = surest_card(able, face, trump_bit, False)
        value = best if (value == 0) & (card == 0) & (how & PLAYS_BEST != 0) else value
    if needed(alone, value != 0):
        card = card_of(value, hand, own) if value != 0 else card
    if needed(alone, card == 0):
        card = shed(hand, unable) if card == 0 else card
    return card


# ----------------------------------------------------------------------------- a seat that is asked


@inline_kernel
def float_of(word):
    """Return the float whose bits are a word of a spec."""
    return np.int64(word).view(np.float64)


@inline_kernel
def others_of(shifts, players, shift):
    """Return the cards of the colours that point at the others of a seat when the turn is 0."""
    cards = own_cards(shifts[0], 0) | own_cards(shifts[1], 0)
    cards |= own_cards(shifts[2], 0) if players > 2 else 0
    cards |= own_cards(shifts[3], 0) if players > 3 else 0
    return cards & ~own_cards(shift, 0)


@inline_kernel
def rivals_of(others, eligible):
    """Return the cards that cancel equal ones, beside trumps, as when the turn is 0.

    All of them, or those of the colours that point at the others [H4], see `others_of`.
    """
    return others if eligible else np.int64(-1)


@inline_kernel
def ways_of(how, eligible):
    """Return the word `HOW` of a spec less what has no effect.

    Cards that cannot win cancel nothing where only those that could win do [H4].
    """
    return how & ~(CANCELS | CANCELS_BEFORE_LEAD) if eligible else how


@inline_kernel
def price_of(spec, left, hand_size):
    """Return the price of a trump with as many cards left, see `PRICE`."""
    return float_of(spec[PRICE]) * (left - 1) / hand_size


@inline_kernel
def enough_of(how, enough, stake, lead):
    """Return what must be expected of a bet, see `ENOUGH`."""
    patient = enough * np.float64(stake) if lead else 0.0
    return patient if how & PATIENT != 0 else enough
