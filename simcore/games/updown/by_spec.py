"""UP & DOWN: what a seat does that plays as its spec says; see `spec` and `choice`.

One source for a seat that is asked, `by_spec`, and for lanes, where numbers are vectors.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from simcore import rng
from simcore.bits import lowest_bit
from simcore.games.updown import choice, spec
from simcore.games.updown.cards import of_value, own_cards
from simcore.games.updown.moves import nth_change
from simcore.games.updown.play import next_leader
from simcore.games.updown.table import CHANGE, ROLL
from simcore.jit import inline_kernel, kernel
from simcore.vectors import choose, may_need, reals, some
from simcore.wide import as_reals

NO_GAIN = -1e9

WAYS_TO_LEAD = BY_RANK, BY_COUNT, BY_CHANCE = range(3)
"""How a leader chooses a change of the rules."""


class Play(NamedTuple):
    """The words of a spec, as numbers; see `spec`."""

    how: Any
    pot: Any
    late: Any
    better: Any
    equal: Any
    keen: Any
    enough: Any
    price: Any


@inline_kernel
def play_of(seat):
    """Return how a seat plays."""
    words = seat.spec
    return Play(
        words[spec.HOW],
        words[spec.POT],
        words[spec.LATE],
        as_reals(words[spec.BETTER]),
        as_reals(words[spec.EQUAL]),
        as_reals(words[spec.KEEN]),
        as_reals(words[spec.ENOUGH]),
        as_reals(words[spec.PRICE]),
    )


# ----------------------------------------------------------------------------- changes of the rules


@inline_kernel
def change_by_chance(view, keen, keep, changes):
    """Change the rules so that one's best card has the best chance, by the cards played.

    A throw of the dice is judged by the trumps that it may bring, and made if no change is better.
    `changes` is how many moves there are, `keep` the number of `KEEP`, which is made only if it is
    better than any change.
    """
    best = view.hand & 0
    best_worth = reals(best) + NO_GAIN
    for index in range(changes):
        change = nth_change(index, keep)
        worth = choice.best_chance(change, view, keen)
        if change == ROLL:
            worth = choice.worth_of_rolling(worth, view)
        takes = (worth > best_worth) | ((worth == best_worth) & (change == ROLL))
        best = choose(takes, change, best)
        best_worth = choose(takes, worth, best_worth)
    return best


@inline_kernel
def way_to_lead(how):
    """Return how a seat chooses a change of the rules, by the first word of its spec."""
    return BY_CHANCE if how & spec.BETS else BY_COUNT if how & spec.COUNTS_BETTER else BY_RANK


@inline_kernel
def change_as(way, view, weight, keep, changes):
    """Return the change that a leader makes; `weight` is `BETTER` of its spec, or `KEEN`."""
    if way == BY_CHANCE:
        return change_by_chance(view, weight, keep, changes)
    if way == BY_COUNT:
        change = choice.change_by_count(view, weight)
        return choice.kept_by_count(change, view, weight) if keep >= 0 else change
    change = choice.change_for_best_card(view)
    return choice.kept_for_best_card(change, view) if keep >= 0 else change


# -------------------------------------------------------------------------------------------- cards


@inline_kernel
def least_cancelled(able, view, cancels, equal, words):
    """Return the able value of the best `worth_of_value`, 0 if there is none.

    Of several the seat's private stream decides, so that nobody can foresee it; return its words
    too.
    """
    best = able & 0
    best_worth = reals(best) + NO_GAIN
    while some(able != 0):
        value_bit = able & (0 - able)
        able = able ^ value_bit
        worth = choice.worth_of_value(value_bit, view, cancels, equal)
        takes = (value_bit != 0) & (worth > best_worth)
        ties = (value_bit != 0) & (worth == best_worth)
        if may_need(ties):
            coin, word0, word1 = rng.step_signed(words[0], words[1])
            takes = takes | (ties & (coin >= 0))
            words = choose(ties, word0, words[0]), choose(ties, word1, words[1])
        best = choose(takes, value_bit, best)
        best_worth = choose(takes, worth, best_worth)
    return best, words


@inline_kernel
def best_bet(able, view, cancels, stake, price, keen, enough):
    """Return the able value from which most is to be expected if that is enough, else 0.

    And this value if anything is to be expected of it, else 0.
    """
    opponents = choice.opponents_of(view, view.turn, view.trump_bit, keen)
    best = able & 0
    best_gain = reals(best) + NO_GAIN
    while some(able != 0):
        value_bit = able & (0 - able)
        able = able ^ value_bit
        gain = choice.gain_of(value_bit, view, cancels, stake, price, keen, opponents)
        takes = (value_bit != 0) & (gain > best_gain)
        best = choose(takes, value_bit, best)
        best_gain = choose(takes, gain, best_gain)
    return choose(best_gain > enough, best, 0), choose(best_gain > 0.0, best, 0)


@inline_kernel
def rate_values(view, play, pot, left, hand_size, lead, words):
    """Rate the able values for a seat that bets or dodges.

    It has `left` of the cards of its hand, and may wait for its `lead` if that is next. Return the
    value with which it goes for the trick, 0 if it does not; that on which it bets in the end, see
    `best_bet`; and the words of its stream.
    """
    able = choice.able_values(view.hand, view.shift, view.turn, view.trump_bit)
    first, anyway = able & 0, able & 0
    cancels = choice.cancelling(view, view.turn, view.trump_bit)
    if play.how & spec.BETS:
        price = play.price * (left - 1) / hand_size
        enough = play.enough * reals(able & 0 | 1)
        if play.how & spec.PATIENT:
            enough = choose(lead, play.enough * reals(pot + 1), 0.0)
        keen = play.keen
        first, anyway = best_bet(able, view, cancels, pot + 1, price, keen, enough)
    elif play.how & spec.DODGES:
        first, words = least_cancelled(able, view, cancels, play.equal, words)
    return first, anyway, words


@inline_kernel
def bet_anyway(rated):
    """Return the value from which most is to be expected, if anything is."""
    return rated[1]


@inline_kernel
def choose_card(view, play, rated, pot, left, lead):
    """Return the card that a seat plays; `rated` are the values that `rate_values` returns."""
    how = play.how
    value = rated[0]
    if not how & (spec.BETS | spec.DODGES):
        able = choice.able_values(view.hand, view.shift, view.turn, view.trump_bit)
        saves = (pot < play.pot) & (left > play.late)
        value = choice.surest_card(able, view.face, view.trump_bit, saves)
    own = own_cards(view.shift, view.turn)
    unable = view.hand & ~(own | of_value(view.trump_bit))
    card = value & 0
    cancels = (value == 0) & (lead | (how & spec.CANCELS != 0))
    # Cards that cannot win cancel nothing where only those that could win do [H4].
    if how & (spec.CANCELS | spec.CANCELS_BEFORE_LEAD) and not view.eligible and may_need(cancels):
        card = choose(cancels, choice.cancel(unable, view), card)
    is_open = (value == 0) & (card == 0)
    if how & spec.BETS_ANYWAY and may_need(is_open):
        value = choose(is_open, bet_anyway(rated), value)
        is_open = is_open & (value == 0)
    if how & spec.PLAYS_BEST and may_need(is_open):
        able = choice.able_values(view.hand, view.shift, view.turn, view.trump_bit)
        value = choose(is_open, choice.surest_card(able, view.face, view.trump_bit, False), value)
    if may_need(value != 0):
        card = choose(value != 0, choice.card_of(value, view.hand, own), card)
    if may_need(card == 0):
        card = choose(card == 0, choice.shed(view.hand, unable), card)
    return card


# ----------------------------------------------------------------------------- a seat that is asked


@kernel
def by_spec(table, seat):
    """Return the move of the seat on turn, as its spec says."""
    play = play_of(seat)
    view = choice.view_of(table, seat)
    if table.phase == CHANGE:
        way = way_to_lead(play.how)
        weight = play.better if way == BY_COUNT else play.keen
        return change_as(way, view, weight, table.keep, table.changes)
    left = table.hand_size - table.trick
    # Without a pot there is nothing to wait for.
    leads_next = next_leader(table.leader, view.players) == view.seat
    lead = (left > 1) & (table.pots != 0) & leads_next
    words = np.int64(seat.rng[0]), np.int64(seat.rng[1])
    first, anyway, words = rate_values(view, play, table.pot, left, table.hand_size, lead, words)
    if play.how & spec.DODGES:
        seat.rng[0], seat.rng[1] = np.uint64(words[0]), np.uint64(words[1])
    return lowest_bit(choose_card(view, play, (first, anyway), table.pot, left, lead))
