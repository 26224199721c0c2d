"""dnup: features of an action."""

from __future__ import annotations

from simcore.games.dnup.charts import *
from simcore.games.dnup.rules import *
from simcore.games.dnup.rules import DECK_SIZE
from simcore.language import *

TO_PLAY, TO_TURN, TO_ADD, TO_TAKE = range(4)

# ------------------------------------------------------------------------------------ the position


@feature(to="ACTION")
def hand_count(s, seat):
    """Cards in hand."""
    return len(s.hand[seat])


@feature(to="ACTION")
def fewest_of_others(s, seat):
    """The fewest cards of an opponent that is still in."""
    fewest = DECK_SIZE
    for other in others(seat):
        if len(s.hand[other]) > 0:
            fewest = min(fewest, len(s.hand[other]))
    return fewest


@feature(to="ACTION")
def cards_of_next(s, seat):
    """Cards of the next seat."""
    return len(s.hand[after(seat, 1)])


@feature(to="ACTION")
def somebody_is_out(s, seat):
    """Whether a seat is out of the round."""
    return s.first_out != NOBODY


@feature(to="ACTION")
def values_in_hand(s, seat):
    """Different values in hand."""
    return popcount(s.chart[seat] & ROW)


@feature(to="ACTION")
def values_if_turned(s, seat):
    """Different values on the other side of the hand."""
    return different_values_turned(s, seat)


@feature(to="ACTION")
def still_to_win(s, seat):
    """Markers to the goal."""
    return o.goal - s.scores[seat]


@feature(to="ACTION")
def best_of_others(s, seat):
    """Markers of the best other seat to the goal."""
    return o.goal - max(s.scores[other] for other in others(seat))


@feature(to="ACTION")
def laps(s, seat):
    """Turns that each seat has had, up to thirty."""
    return min(s.turns // o.players, 30)


# ------------------------------------------------------------------------------------- the action


@feature(to="ACTION")
def kind_of_action(s, seat, move):
    """Play, turn, add or take."""
    if move == TURN:
        return TO_TURN
    return TO_PLAY if move < TURN else TO_ADD if move < TAKE else TO_TAKE


def place_in_chart(move):
    """Return the bit of a set that an action is about; 0 for turning."""
    if move == TURN:
        return 0
    return move if move < TURN else move - ADD if move < TAKE else move - TAKE


@feature(to="ACTION")
def value_of_action(s, seat, move):
    """The value that is played, added or taken."""
    return 0 if move == TURN else value_of(place_in_chart(move))


@feature(to="ACTION")
def size_of_action(s, seat, move):
    """The size of the set that is played, added to or taken."""
    return 0 if move == TURN else min(size_of(place_in_chart(move)), LARGE)


@feature(to="ACTION")
def kind_and_size(s, seat, move):
    """Both at once."""
    return 8 * kind_of_action(s, seat, move) + size_of_action(s, seat, move)


def cards_laid(s, seat, move):
    """Return how many cards leave the hand."""
    kind = kind_of_action(s, seat, move)
    return size_of_action(s, seat, move) if kind == TO_PLAY else 1 if kind == TO_ADD else 0


def cards_of_value(s, seat, value):
    """Return how many hand cards show a value."""
    return len(held(s, seat, value))


@feature(to="ACTION")
def cards_then(s, seat, move):
    """Cards in hand after the action."""
    taken = size_of_action(s, seat, move) if kind_of_action(s, seat, move) == TO_TAKE else 0
    return min(len(s.hand[seat]) - cards_laid(s, seat, move) + taken, 31)


@feature(to="ACTION")
def kept_of_value(s, seat, move):
    """Cards of the value that stay in hand."""
    laid = cards_laid(s, seat, move)
    return cards_of_value(s, seat, value_of_action(s, seat, move)) - laid if laid > 0 else -1


@feature(to="ACTION")
def values_then(s, seat, move):
    """Different values in hand after the action."""
    kind, here = kind_of_action(s, seat, move), popcount(s.chart[seat] & ROW)
    if kind == TO_TURN:
        return different_values_turned(s, seat)
    if kind == TO_TAKE:
        return popcount((s.chart[seat] | values_taken(s, place_in_chart(move))) & ROW)
    return here - 1 if kept_of_value(s, seat, move) == 0 else here


@feature(to="ACTION")
def values_saved(s, seat, move):
    """By how many there are fewer than before."""
    return popcount(s.chart[seat] & ROW) - values_then(s, seat, move)


@feature(to="ACTION")
def goes_out(s, seat, move):
    """Whether no card is left."""
    return cards_laid(s, seat, move) == len(s.hand[seat])


@feature(to="ACTION")
def may_go_out_then(s, seat, move):
    """Whether a single value is left, which can go out at once."""
    return values_then(s, seat, move) == 1


def size_laid(s, seat, move):
    """Return the size of the set that an action makes; 0 if none."""
    kind, size = kind_of_action(s, seat, move), size_of_action(s, seat, move)
    return size if kind == TO_PLAY else size + 1 if kind == TO_ADD else 0


def victim_of(s, seat, move):
    """Return the seat whose set is sent back, or `NOBODY`."""
    size = size_laid(s, seat, move)
    place = place_of_size(s, size) if size > 0 else NOWHERE
    return owner(place) if place != NOWHERE else NOBODY


@feature(to="ACTION")
def cards_of_victim(s, seat, move):
    """Cards of the seat whose set is sent back."""
    victim = victim_of(s, seat, move)
    return min(len(s.hand[victim]), 30) if victim >= 0 else -1


@feature(to="ACTION")
def steps_to_victim(s, seat, move):
    """How far on that seat sits."""
    victim = victim_of(s, seat, move)
    return (victim + o.players - seat) % o.players if victim >= 0 else -1


@feature(to="ACTION")
def steps_to_owner(s, seat, move):
    """How far on the seat sits whose set is added to or taken."""
    if kind_of_action(s, seat, move) < TO_ADD:
        return -1
    place = place_of_size(s, size_of_action(s, seat, move))
    return (owner(place) + o.players - seat) % o.players if place != NOWHERE else -1


@feature(to="ACTION")
def threat(s, seat, move):
    """Plays of others that may beat the set, as they are to be expected."""
    size = size_laid(s, seat, move)
    if size == 0 or kind_of_action(s, seat, move) == TO_ADD:
        return 0.0
    unknown = bits(unseen(s, seat))
    up, down = known_of_others(s, seat)
    total, value = 0.0, value_of_action(s, seat, move)
    for beating in range(value if o.equal_beats else value + 1, VALUES + 1):
        low, high = o.low[beating], o.high[beating]
        seen = popcount((low & up) | (high & down))
        either = popcount(low & unknown) + popcount(high & unknown)
        share = (seen + 0.5 * either) / (o.players - 1)
        chance = (o.players - 1) * share
        for _ in range(min(size, 3) - 1):
            chance = chance * (0.5 * share)
        total += chance
    return total


@feature(to="ACTION")
def largest_then(s, seat, move):
    """Cards of the largest set in hand that stays, of another value."""
    chart, value = s.chart[seat], value_of_action(s, seat, move)
    if kind_of_action(s, seat, move) == TO_TURN:
        chart, value = chart_turned(s, seat), 0
    if value > 0:
        chart = chart & ~(COLUMN << (value - 1))
    return 0 if chart == 0 else highest_bit(chart) // VALUES + 1


@feature(to="ACTION")
def single_values(s, seat, move):
    """Values of which a single card is in hand, afterwards."""
    chart = s.chart[seat]
    if kind_of_action(s, seat, move) == TO_TURN:
        chart = chart_turned(s, seat)
    single = chart & ~(chart >> VALUES) & ROW
    value = value_of_action(s, seat, move)
    if value > 0 and kept_of_value(s, seat, move) == 0:
        single = single & ~(1 << (value - 1))
    return popcount(single)
