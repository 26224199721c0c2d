"""dnup: policies, simplest first.

Each policy is a sequence of tactics. A tactic looks for a move of its kind and returns that move,
or `NOTHING`. Sets are bits of charts (`simcore.games.dnup.charts`): `plays`, `adds` and `takes` are
the sets that may be played, added to and taken, and `whole_values` the plays that leave no card of
their value in the hand. Sets of seven or more cards, which hardly ever occur, are played at random.
"""

from __future__ import annotations

from simcore.games.dnup.charts import *
from simcore.games.dnup.deck import DECK_SIZE
from simcore.games.dnup.rules import *
from simcore.language import *
from strategies.params import Param
from strategies.search import search_params

NOTHING = -1

PATIENCE = 25
"""Actions per player after which a round counts as long; most rounds need less than half."""

RESTLESS = 0.25
"""Probability of a random move in a long round, which breaks cycles of players who repeat moves."""

GUARD_CARD = 4.0
"""Worth of one more card in a set to `guard`, in card values."""

HIGHEST_FIRST = 1 / 64
"""Worth of one more card so small that the set hardest to beat is the one of the highest value."""

COLLECTOR_GAIN = 2.0


HEURISTICS = (
    *("greedy", "high", "feeder", "turner", "exit_keeper", "collector", "guard", "counter"),
    "all_rounder",
)


class State:  # type: ignore[no-redef] # not the rules, but what policies remember
    """A seat's memory of when it last chose to turn its hand."""

    turned_in = memory(number)  # the round
    turned_at = memory(number)  # the number of actions before it


# ------------------------------------------------------------------------------------ policies


@policy(idea="plays as many cards as it can at once, of those the highest value")
def greedy(s, seat, moves: int):
    move, plays, whole_values, adds, takes = opening(s, seat, moves)
    move = move if move != NOTHING else play_largest(plays)
    return move if move != NOTHING else get_by(s, seat, plays, whole_values, adds, takes)


@policy(idea="plays the highest value first, as many cards of it as it can")
def high(s, seat, moves: int):
    move, plays, whole_values, adds, takes = opening(s, seat, moves)
    move = move if move != NOTHING else play_hardest(plays, HIGHEST_FIRST)
    return move if move != NOTHING else get_by(s, seat, plays, whole_values, adds, takes)


@policy(
    idea="feeds the sets of others: what is added there never comes back; else the largest set",
    params=[Param("size", 2, 1, 7, "it adds unless it can play more cards than this at once")],
)
def feeder(s, seat, moves: int, size):
    move, plays, whole_values, adds, takes = opening(s, seat, moves)
    move = move if move != NOTHING else play_largest(whole_values & (-1 << VALUES * int(size)))
    move = move if move != NOTHING else feed(adds)
    return move if move != NOTHING else get_by(s, seat, plays, whole_values, adds, takes)


@policy(
    idea="turns its hand when the other side has fewer different values, so fewer turns to go",
    params=[Param("gain", 2, 1, 9, "different values that turning must save")],
)
def turner(s, seat, moves: int, gain):
    move, plays, whole_values, adds, takes = opening(s, seat, moves)
    move = move if move != NOTHING else turn_for(s, seat, s.chart[seat], gain)
    move = move if move != NOTHING else play_largest(plays)
    return move if move != NOTHING else get_by(s, seat, plays, whole_values, adds, takes)


@policy(
    idea="keeps an exit: plays whole values, the hardest to beat first, and the weakest last",
    params=[Param("card", 4, 0, 10, "values that one more card in a set is worth")],
)
def exit_keeper(s, seat, moves: int, card):
    move, plays, whole_values, adds, takes = opening(s, seat, moves)
    move = move if move != NOTHING else play_hardest(whole_values, card)
    move = move if move != NOTHING else feed(adds)
    return move if move != NOTHING else get_by(s, seat, plays, whole_values, adds, takes)


@policy(
    idea="takes up sets that, turned, all fit values it holds, while it could only play small ones",
    params=[
        Param("fit", 2, 1, 9, "cards of the set at least"),
        Param("size", 1, 0, 7, "most cards of its own largest set"),
        Param("values", 3, 0, 9, "it takes nothing with so few different values"),
    ],
)
def collector(s, seat, moves: int, fit, size, values):
    move, plays, whole_values, adds, takes = opening(s, seat, moves)
    if move == NOTHING:
        small = whole_values == 0 or size_of(highest_bit(whole_values)) <= size
        if small and popcount(s.chart[seat] & ROW) > values:
            move = take_fitting(s, s.chart[seat], takes, fit)
    move = move if move != NOTHING else turn_for(s, seat, s.chart[seat], COLLECTOR_GAIN)
    move = move if move != NOTHING else play_largest(whole_values)
    return move if move != NOTHING else get_by(s, seat, plays, whole_values, adds, takes)


@policy(
    idea="guards against who is about to finish: sends their sets back; else it keeps an exit",
    params=[Param("cards", 3, 0, 40, "hand cards of an opponent that put it on its guard")],
)
def guard(s, seat, moves: int, cards):
    move, plays, whole_values, adds, takes = opening(s, seat, moves)
    move = move if move != NOTHING else beat_victim(s, seat, plays, whole_values, cards)
    move = move if move != NOTHING else add_last_of_value(s.chart[seat], adds)
    move = move if move != NOTHING else play_hardest(whole_values, GUARD_CARD)
    return move if move != NOTHING else get_by(s, seat, plays, whole_values, adds, takes)


@policy(
    idea="counts cards: plays what those still out are least likely to beat, and turns in between",
    params=[
        Param("risk", 2, 0, 50, "expected beating plays from which it rather adds a card"),
        Param("gain", 2, 1, 9, "different values that turning must save"),
    ],
)
def counter(s, seat, moves: int, risk, gain):
    move, plays, whole_values, adds, takes = opening(s, seat, moves)
    move = move if move != NOTHING else turn_for(s, seat, s.chart[seat], gain)
    move = move if move != NOTHING else play_least_threatened(s, seat, whole_values, adds, risk)
    move = move if move != NOTHING else feed(adds)
    return move if move != NOTHING else get_by(s, seat, plays, whole_values, adds, takes)


@policy(
    idea="a bit of all: turns to the better side, feeds what stands alone, keeps an exit, guards",
    params=[
        # `gain` and `card` by `cardlab tune --against all_rounder,counter,exit_keeper`.
        Param("gain", 1, 1, 9, "different values that turning must save"),
        Param("card", 6, 0, 10, "values that one more card in a set is worth"),
        Param("cards", 1, 0, 40, "hand cards of an opponent that put it on its guard"),
    ],
)
def all_rounder(s, seat, moves: int, gain, card, cards):
    move, plays, whole_values, adds, takes = opening(s, seat, moves)
    move = move if move != NOTHING else beat_victim(s, seat, plays, whole_values, cards)
    move = move if move != NOTHING else turn_for(s, seat, s.chart[seat], gain)
    move = move if move != NOTHING else add_last_of_value(s.chart[seat], adds)
    move = move if move != NOTHING else play_hardest(whole_values, card)
    move = move if move != NOTHING else feed(adds)
    return move if move != NOTHING else get_by(s, seat, plays, whole_values, adds, takes)


@answers(*HEURISTICS, to="PICK")
def pick_least_useful(s, seat, moves: int):
    """Pick the cards whose other side is least useful, so that the cards kept turn into large sets.

    A card is the less useful the fewer cards the turned hand has of the value on its other side;
    ties go to the lower value, then to the lower card.
    """
    because("Pick the cards whose other side is of the least use")
    value, count = cards_needed(s.pending)
    candidates, turned = bits(held(s, seat, value)), chart_turned(s, seat)
    chosen, values = 0, 0
    for other in range(1, VALUES + 1):
        if candidates & cards_between(value, other) != 0:
            values |= 1 << (other - 1)
    while popcount(chosen) < count:
        # The first bit missing from the chart belongs to the value with the fewest cards.
        missing = in_all_rows(values) & ~turned
        other = value_of(lowest_bit(missing if missing != 0 else values))
        left = candidates & ~chosen & cards_between(value, other)
        chosen |= lowest_of(left)
        if left & (left - 1) == 0:
            values &= ~(1 << (other - 1))
    return rank_of(candidates, chosen)


# ----------------------------------------------------------------------------------------- tactics


def opening(s, seat, moves: int):
    """Return what every policy does first, a move at random or going out, if it does; and charts.

    The charts are those of `charts_of`; they are empty where it moves at random.
    """
    hand = s.chart[seat]
    if is_stuck(s, seat, hand):
        return at_random(s, seat, moves), 0, 0, 0, 0
    plays, whole_values, adds, takes = charts_of(s, hand)
    return finish(s, seat, hand, whole_values, adds), plays, whole_values, adds, takes


def is_stuck(s, seat, hand):
    """Tell whether to move at random: always with large sets, now and then in a long round."""
    if has_large_sets(s, hand):
        return True
    return s.turns > PATIENCE * o.players and uniform(s, SEAT(seat)) < RESTLESS


def at_random(s, seat, moves: int):
    """Choose a legal move at random."""
    because("Choose one of the legal moves at random")
    return nth_action(s, seat, below(s, SEAT(seat), moves))


def charts_of(s, hand):
    """Return four charts: the plays, those that leave no card of their value, adds and takes."""
    plays, adds, takes = actions(s, hand)
    return plays, whole_sets(hand, plays), adds, takes


def whole_sets(hand, plays):
    """Return the plays that leave no card of their value in the hand."""
    return plays & ~(hand >> VALUES)


def finish(s, seat, hand, whole_values, adds):
    """Play all hand cards at once, or add the last one."""
    values = hand & ROW
    # A hand of a single value can go out at once.
    if values & (values - 1) == 0 and whole_values != 0:
        because("Play all hand cards at once")
        return PLAY + highest_bit(whole_values)
    if len(s.hand[seat]) == 1 and adds != 0:
        because("Add the last hand card")
        return ADD + lowest_bit(adds)
    return NOTHING


def beat_victim(s, seat, plays, whole_values, most: float):
    """Send back a set of the opponent with the fewest cards, if they are at most `most`.

    The smallest set that beats it is played, a whole value of the hand if possible.
    """
    fewest, victim = DECK_SIZE + 1, seat
    for other in seats():
        count = len(s.hand[other])
        if other != seat and 0 < count < fewest:
            fewest, victim = count, other
    if fewest > most:
        return NOTHING
    rows = row_starts(sets_of(s, victim))
    # Any set in the row of a victim's set has its size, and a legal play beats it.
    targets = (rows << VALUES) - rows
    beating = (whole_values if whole_values & targets != 0 else plays) & targets
    if beating == 0:
        return NOTHING
    because("Send back a set of the opponent with the fewest cards")
    return PLAY + lowest_bit(beating)


def may_turn(s, seat):
    """Tell whether the hand may be turned: not again within a lap, so as not to turn to and fro."""
    recent = s.turned_in[seat] == s.round_number and s.turns - s.turned_at[seat] <= o.players
    return o.turn_hand and not recent


def turn_hand(s, seat):
    """Turn the hand, and remember when."""
    s.turned_in[seat] = s.round_number
    s.turned_at[seat] = s.turns
    return TURN


def turn_for(s, seat, hand, gain: float):
    """Turn the hand when its other side has at least `gain` fewer different values."""
    if not may_turn(s, seat):
        return NOTHING
    if popcount(hand & ROW) - different_values_turned(s, seat) < gain:
        return NOTHING
    because("Turn the hand when its other side has so many different values fewer")
    return turn_hand(s, seat)


def add_last_of_value(hand, adds):
    """Add the only hand card of its value, to the smallest set that takes one."""
    last = adds & in_all_rows(hand & ~(hand >> VALUES) & ROW)
    if last == 0:
        return NOTHING
    because("Add a card of which the hand holds no other")
    return ADD + lowest_bit(last)


def play_largest(sets):
    """Play the largest set; of several, the highest."""
    if sets == 0:
        return NOTHING
    because("Play the largest set")
    return PLAY + highest_bit(sets)


def play_hardest(sets, card: float):
    """Play the set hardest to beat, where one more card is worth `card` values."""
    if sets == 0:
        return NOTHING
    best, place, left = -1.0, NOTHING, sets
    while left != 0:
        here = highest_bit(left)
        row = here // VALUES
        worth = value_of(here) + card * row
        weigh(PLAY + here, worth)
        if worth >= best:  # from the largest on
            best, place = worth, PLAY + here
        left &= (1 << VALUES * row) - 1
    because("Play what is hardest to beat: the value, and what each further card adds")
    return place


def play_least_threatened(s, seat, whole_values, adds, risk: float):
    """Play the set least likely to be beaten, unless it is at risk and a card can be added.

    The threat is the expected number of plays that beat the set: unseen cards count half for each
    of their two values and are spread evenly over the opponents. Two simplifications: plays that
    beat a 1 by an equal value are ignored, and sets larger than triples count as triples.
    """
    unknown = bits(unseen(s, seat))
    up, down = known_of_others(s, seat)
    others = o.players - 1
    singles, pairs, triples = 0.0, 0.0, 0.0
    best, least = NOTHING, 1e9
    for step in range(VALUES):
        value = VALUES - step
        beating = value if o.equal_beats else value + 1
        if 2 <= beating <= VALUES:
            low, high = o.low[beating], o.high[beating]
            seen = popcount((low & up) | (high & down))
            either = popcount(low & unknown) + popcount(high & unknown)
            share = (seen + 0.5 * either) / others
            single = others * share
            pair = single * (0.5 * share)
            singles += single
            pairs += pair
            triples += pair * (0.5 * share)
        column = whole_values & (COLUMN << (value - 1))
        if column != 0:
            place = lowest_bit(column)
            threat = triples
            if place < VALUES:
                threat = singles
            elif place < 2 * VALUES:
                threat = pairs
            weigh(PLAY + place, -threat)
            if threat < least:
                best, least = PLAY + place, threat
    if best == NOTHING or (least > risk and adds != 0):
        return NOTHING
    because("Play what others are least likely to beat, by the plays to be expected")
    return best


def take_fitting(s, hand, takes, least: float):
    """Take up the largest set of at least `least` cards all of which fit the hand.

    A card fits if the hand already has its value, as it will show after it is taken.
    """
    best = NOTHING
    while takes != 0:
        place = lowest_bit(takes)
        fits = values_taken(s, place) & ROW & ~hand == 0
        if size_of(place) >= least and fits:
            best = TAKE + place
        takes &= takes - 1
    if best != NOTHING:
        because("Take up the largest set all of whose cards, turned, fit values in the hand")
    return best


def feed(adds):
    """Add a card to the largest set of another player that takes one."""
    if adds == 0:
        return NOTHING
    because("Add a card to the largest set of somebody else that takes one")
    return ADD + highest_bit(adds)


def get_by(s, seat, plays, whole_values, adds, takes):
    """Play the largest set, or else add a card, turn the hand, or take the smallest set."""
    if plays != 0:
        because("Play the largest set, a whole value if any")
        return PLAY + highest_bit(whole_values if whole_values != 0 else plays)
    if adds != 0:
        because("Add a card to the largest set that takes one")
        return ADD + highest_bit(adds)
    because("Turn the hand, or if it just was take the smallest set")
    if not may_turn(s, seat) and takes != 0:
        return TAKE + lowest_bit(takes)
    return turn_hand(s, seat)


SEARCH = search_params("dnup", "all_rounder", rollouts=50, winning=3, sure=0.5)
