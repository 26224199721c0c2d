"""UP & DOWN: policies, simplest first.

A *value set* is a word with bit v for value v. *Able* cards can win under the rules in force: cards
in the seat's colour, or of the trump value.
"""

from __future__ import annotations

from typing import NamedTuple

from simcore.games.updown.rules import *
from simcore.language import *
from strategies.params import Param
from strategies.search import search_params

VALUES = sum(1 << value for value in range(LOWEST, HIGHEST + 1))
IN_ALL_COLOURS = sum(1 << 16 * colour for colour in range(4))
MIDDLE = 7
WAYS = tuple(max(0, 6 - abs(MIDDLE - value)) for value in range(HIGHEST + 1))
"""Number of the 36 throws of two dice that sum to each value."""

NO_TRUMP = 0
TRUMP_RANK = HIGHEST
"""Rank of a trump: above the best rank of `rank_of`."""

TRUMP_WINS = 0.6
"""Rough probability that a trump wins: it can only be cancelled."""

NO_TRUMPS = tuple((10 / 11) ** max(players - 1, 0) for players in range(5))
"""Rough probability, by players, that no opponent happens to play a newly thrown trump."""

LEAST_WORTH = -100.0
NO_GAIN = -1e9


# ------------------------------------------------------------------------------- reading the table


def values_in(cards: cardset):
    """Return the value set of some cards."""
    # Each colour takes 16 bits of the word; fold the four colours into the lowest 16.
    by_colour = bits(cards)
    half = by_colour | shr(by_colour, 32)
    return (half | half >> 16) & ((1 << 16) - 1)


def of_values(values):
    """Return all cards whose value is in a value set."""
    return cards_in(values * IN_ALL_COLOURS)


def colour_at(other, turn):
    """Return the colour that points at a seat after `turn` quarter turns of the U&D card."""
    return (o.side[other] - turn) & 3


def unseen_by(s, seat):
    """Return the cards that a seat has not seen."""
    cards = all_cards - s.hand[seat]
    for player in seats():
        cards = cards - s.played[player]
    return cards


def of_others(seat, turn):
    """Return the cards in the colours of the other seats."""
    cards = set()
    for other in seats():
        if other != seat:
            cards = cards | of_suit(colour_at(other, turn))
    return cards


def best_of(values, face):
    """Return the best value of a value set under a face, ignoring trumps; 0 if it is empty."""
    if values == 0:
        return 0
    return highest_bit(values) if face == UP else lowest_bit(values)


def values_above(value, face):
    """Return the value set of the values that beat a value, ignoring trumps."""
    return VALUES & ~((2 << value) - 1) if face == UP else VALUES & ((1 << value) - 1)


def rank_of(value, face):
    """Return the rank of a value under a face: 1 to 11, or 0 for no value."""
    if value == 0:
        return 0
    return value - (LOWEST - 1) if face == UP else HIGHEST + 1 - value


def turn_after(s, change):
    """Return the turn of the U&D card after a change of the rules."""
    return (s.turn + change) & 3


def face_after(s, change):
    """Return the face after a change of the rules."""
    return 1 - s.face if change == FLIP else s.face


def own_values(s, seat, turn):
    """Return the value set of the hand cards in a seat's colour."""
    return values_in(s.hand[seat] & of_suit(colour_at(seat, turn)))


# ------------------------------------------------------------------------------- changing the rules


def rank_after(s, seat, change):
    """Return the rank of the best card in the seat's colour after a change of the rules."""
    face = face_after(s, change)
    return rank_of(best_of(own_values(s, seat, turn_after(s, change)), face), face)


def change_for_best_card(s, seat):
    """Change the rules so that the best card in the seat's colour ranks highest."""
    best, best_rank = FLIP, -1
    for change in range(ROLL):
        new_rank = rank_after(s, seat, change)
        weigh(change, new_rank)
        if new_rank > best_rank:
            best, best_rank = change, new_rank
    if o.leader_change == "may" and rank_after(s, seat, KEEP) > best_rank:
        best = KEEP
    because("changes the rules so that the best card in its own colour ranks highest")
    return best


def worth_by_count(s, seat, change, better: float):
    """Return the rank of the best card in the seat's colour after a change, less a penalty.

    The penalty is `better` ranks for each unseen card in the opponents' colours that beats it.
    """
    turn, face = turn_after(s, change), face_after(s, change)
    best = best_of(own_values(s, seat, turn), face)
    if best == 0:
        return LEAST_WORTH
    above = of_values(values_above(best, face)) & unseen_by(s, seat)
    return max(rank_of(best, face) - better * len(of_others(seat, turn) & above), LEAST_WORTH)


def change_by_count(s, seat, better: float):
    """Change the rules for a best card that ranks high and that few unseen cards beat."""
    best, best_worth = FLIP, worth_by_count(s, seat, FLIP, better)
    weigh(FLIP, best_worth)
    for change in range(1, ROLL):
        worth = worth_by_count(s, seat, change, better)
        weigh(change, worth)
        if worth > best_worth:
            best, best_worth = change, worth
    if o.leader_change == "may" and worth_by_count(s, seat, KEEP, better) > best_worth:
        best = KEEP
    because("changes the rules for a good card that few unseen cards beat")
    return best


def change_by_chance(s, seat, moves, keen: float):
    """Change the rules for the best chance of the best card, counting the cards played.

    Rolling is judged by the trumps that it may bring, and preferred to a change that is equal.
    """
    unseen = unseen_by(s, seat)
    best, best_worth = FLIP, NO_GAIN
    for change in moves:
        worth = best_chance(s, seat, unseen, change, keen)
        if change == ROLL:
            worth = worth_of_rolling(s, seat, worth)
        weigh(change, worth)
        if worth > best_worth or (worth == best_worth and change == ROLL):
            best, best_worth = change, worth
    because("changes the rules for the best chance, by the cards played")
    return best


def best_chance(s, seat, unseen: cardset, change, keen: float):
    """Return the highest chance of an able card in hand after a change of the rules."""
    turn, face = turn_after(s, change), face_after(s, change)
    # A roll replaces the trump; `worth_of_rolling` adds the chance of a new one.
    trump = s.trump if change != ROLL else NO_TRUMP
    cancels = cancelling(seat, unseen, turn, trump)
    best = best_of(own_values(s, seat, turn) & ~(1 << trump), face)
    able_0, part_0 = opponent(seat, 0, unseen, turn, trump, keen)
    able_1, part_1 = opponent(seat, 1, unseen, turn, trump, keen)
    able_2, part_2 = opponent(seat, 2, unseen, turn, trump, keen)
    able_3, part_3 = opponent(seat, 3, unseen, turn, trump, keen)
    them = Opponents(able_0, part_0, able_1, part_1, able_2, part_2, able_3, part_3)
    worth = 0.0
    if best != 0:
        beating = of_values(values_above(best, face)) | of_rank(trump)
        worth = chance(best, beating, cancels, keen, them)
    if s.hand[seat] & of_rank(trump):
        by_trump = chance(trump, set(), cancels, keen, them)
        worth = max(worth, by_trump)
    return worth


def worth_of_rolling(s, seat, without: float):
    """Return the rough chance that the best card wins after the dice are rolled.

    `without` is that chance if the best card is no trump then.
    """
    # The dice are thrown until the trump changes [C6], so the present value cannot come up.
    values = values_in(s.hand[seat]) & ~(1 << s.trump)
    throws = sum(WAYS[value] for value in cards_in(values))
    hit = throws / (36.0 - WAYS[s.trump])
    return hit * TRUMP_WINS + (1.0 - hit) * (without * NO_TRUMPS[o.players])


# ------------------------------------------------------------------------------- chances of winning


class Opponents(NamedTuple):
    """By seat: the able unseen cards, and the probability that any one unseen card is played.

    An opponent is assumed to play a random unseen card, an able one `keen` times as likely as
    another. For the seat itself, and for seats not in the game, the probability is 0.
    """

    able_0: cardset
    part_0: float
    able_1: cardset
    part_1: float
    able_2: cardset
    part_2: float
    able_3: cardset
    part_3: float


def opponent(seat, other, unseen: cardset, turn, trump, keen: float):
    """Return the able unseen cards of a seat and the probability of each, as in `Opponents`."""
    able = unseen & (of_suit(colour_at(other, turn)) | of_rank(trump))
    weights = len(unseen) + (keen - 1.0) * len(able)
    part = 1.0 / weights
    return able, 0.0 if other == seat or other >= o.players else part


def cancelling(seat, unseen: cardset, turn, trump):
    """Return the unseen cards that can cancel equal ones: all, or only able ones [H4]."""
    if o.cancelling == "eligible":
        unseen = unseen & (of_others(seat, turn) | of_rank(trump))
    return unseen


def harmless(able: cardset, part: float, equal: cardset, beating: cardset, keen: float):
    """Return the rough probability that an opponent neither beats nor cancels a card."""
    beaters = len(able & beating)
    keenly = beaters + len(able & equal)
    return 1.0 - (len(equal) + beaters + (keen - 1.0) * keenly) * part


def chance(value, beating: cardset, cancels: cardset, keen: float, them: Opponents):
    """Return the rough probability that an able card wins.

    `beating` are the cards that beat it, `cancels` those that can cancel an equal card.
    """
    equal = of_rank(value) & cancels
    first = harmless(them.able_0, them.part_0, equal, beating, keen)
    second = harmless(them.able_1, them.part_1, equal, beating, keen)
    third = harmless(them.able_2, them.part_2, equal, beating, keen)
    fourth = harmless(them.able_3, them.part_3, equal, beating, keen)
    return (first * second) * (third * fourth)


# ----------------------------------------------------------------------------------- choosing cards


def able_values(s, seat):
    """Return the value set of the cards in hand that can win."""
    values = own_values(s, seat, s.turn)
    if s.hand[seat] & of_rank(s.trump):
        values = values | 1 << s.trump
    return values


def surest_value(s, seat, saves):
    """Return the best able value, 0 if there is none; trumps only if `saves` is 0."""
    able = able_values(s, seat)
    if able >> s.trump & 1 and s.trump != NO_TRUMP and saves == 0:
        return s.trump
    return best_of(able & ~(1 << s.trump), s.face)


def card_of(s, seat, value):
    """Return a hand card of a value, in the seat's colour if possible."""
    cards = s.hand[seat] & of_rank(value)
    return lowest(cards & of_suit(colour_at(seat, s.turn)) or cards)


def unable_cards(s, seat):
    """Return the cards in hand that cannot win."""
    return s.hand[seat] - of_suit(colour_at(seat, s.turn)) - of_rank(s.trump)


def least_useful(cards: cardset):
    """Return the lowest card of the value nearest to the middle; ties go to the lower value."""
    values = values_in(cards)
    below, above = values & ((2 << MIDDLE) - 1), values & ~((2 << MIDDLE) - 1)
    value = lowest_bit(above) if above != 0 else 0
    if below != 0 and (above == 0 or highest_bit(below) + value >= 2 * MIDDLE):
        value = highest_bit(below)
    return lowest(cards & of_rank(value))


def canceller(s, seat):
    """Return a card that cannot win but cancels a card an opponent would like to play, or -1."""
    wanted, unseen = 0, unseen_by(s, seat)
    for other in seats():
        cards = unseen & of_suit(colour_at(other, s.turn))
        if other != seat and cards:
            wanted = wanted | 1 << rank(highest(cards) if s.face == UP else lowest(cards))
    cards = unable_cards(s, seat) & of_values(wanted)
    # Cards that cannot win cancel nothing where only those that could win do [H4].
    if o.cancelling == "eligible" or not cards:
        return -1
    because("cancels what an opponent would like to play")
    return least_useful(cards)


def shed(s, seat):
    """Return the least useful card, if possible one that cannot win."""
    because("sheds the least useful card")
    return least_useful(unable_cards(s, seat) or s.hand[seat])


def play_value(s, seat, value):
    """Play a value for the trick, or shed a card if `value` is 0."""
    if value == 0:
        return shed(s, seat)
    because("goes for the trick with its best card")
    return card_of(s, seat, value)


def leads_next(s, seat):
    """Tell whether a seat leads the next trick and tricks can go into a pot until then."""
    following = s.leader + 1 if s.leader + 1 < o.players else 0
    return o.hand_size - s.trick > 1 and o.pot_tricks and following == seat


def best_bet(s, seat, keen: float, price: float):
    """Return the able value (0: none) with the most expected tricks, and that expectation.

    A trump costs `price`.
    """
    unseen, turn, trump = unseen_by(s, seat), s.turn, s.trump
    cancels, stake = cancelling(seat, unseen, turn, trump), s.pot + 1
    able_0, part_0 = opponent(seat, 0, unseen, turn, trump, keen)
    able_1, part_1 = opponent(seat, 1, unseen, turn, trump, keen)
    able_2, part_2 = opponent(seat, 2, unseen, turn, trump, keen)
    able_3, part_3 = opponent(seat, 3, unseen, turn, trump, keen)
    them = Opponents(able_0, part_0, able_1, part_1, able_2, part_2, able_3, part_3)
    best, best_gain = 0, NO_GAIN
    for value in cards_in(able_values(s, seat)):
        beating = of_values(values_above(value, s.face)) | of_rank(trump)
        if value == trump:  # nothing beats a trump; an equal one can only cancel it
            beating = set()
        gain = chance(value, beating, cancels, keen, them) * stake
        if value == trump:
            gain = gain - price
        weigh(card_of(s, seat, value), gain)
        if gain > best_gain:
            best, best_gain = value, gain
    return best, best_gain


def least_cancelled(s, seat, equal: float):
    """Return the able value with the best rank, less `equal` for each unseen card that cancels it.

    The seat's private stream breaks ties, so that nobody can predict the card.
    """
    cancels = cancelling(seat, unseen_by(s, seat), s.turn, s.trump)
    best, best_worth = 0, NO_GAIN
    for value in cards_in(able_values(s, seat)):
        value_rank = TRUMP_RANK if value == s.trump else rank_of(value, s.face)
        worth = value_rank - equal * len(of_rank(value) & cancels)
        weigh(card_of(s, seat, value), worth)
        if worth > best_worth:
            best, best_worth = value, worth
        elif worth == best_worth:
            coin = word(s, SEAT(seat))  # the sign of 64 random bits is a fair coin
            if coin >= 0:
                best = value
    return best


# ----------------------------------------------------------------------------------------- policies


@policy(idea="always plays its best card that can win; leads for the rules that make one best")
def eager(s, seat, moves):
    if s.phase == CHANGE:
        return change_for_best_card(s, seat)
    return play_value(s, seat, surest_value(s, seat, 0))


@policy(
    idea="saves trumps for the pot and the end: before that, its best card in its own colour",
    params=[
        Param("pot", 1, 0, 15, "tricks in the pot for which it plays a trump"),
        Param("late", 8, 0, 15, "cards left from which on it plays trumps for any trick"),
    ],
)
def saver(s, seat, moves, pot, late):
    if s.phase == CHANGE:
        return change_for_best_card(s, seat)
    saves = s.pot < pot and o.hand_size - s.trick > late
    return play_value(s, seat, surest_value(s, seat, 1 if saves else 0))


@policy(
    idea="cancels on purpose: without a card that can win it plays what an opponent would like to"
)
def spoiler(s, seat, moves):
    if s.phase == CHANGE:
        return change_for_best_card(s, seat)
    value = surest_value(s, seat, 0)
    if value == 0:
        card = canceller(s, seat)
        if card >= 0:
            return card
    return play_value(s, seat, value)


@policy(
    idea="changes the rules to suit itself and nobody else: few unseen cards beat its best",
    params=[
        Param("better", 0.5, 0, 12, "ranks that each unseen card takes off that beats its best")
    ],
)
def shaper(s, seat, moves, better):
    if s.phase == CHANGE:
        return change_by_count(s, seat, better)
    return play_value(s, seat, surest_value(s, seat, 0))


@policy(
    idea="counts the cards played, and plays and changes the rules for the best chance by that",
    params=[Param("chance", 0.1, 0, 1, "lowest chance for which it goes for a trick")],
)
def counter(s, seat, moves, chance):
    if s.phase == CHANGE:
        return change_by_chance(s, seat, moves, 1.0)
    value, gain = best_bet(s, seat, 1.0, 0.0)
    return play_value(s, seat, value if gain > chance else 0)


@policy(
    idea="fills the pot before it leads itself: then it cancels what others want",
    params=[Param("chance", 0.5, 0, 1, "chance from which on it goes for the trick all the same")],
)
def banker(s, seat, moves, chance):
    if s.phase == CHANGE:
        return change_by_chance(s, seat, moves, 1.0)
    lead = leads_next(s, seat)
    best, gain = best_bet(s, seat, 1.0, 0.0)
    value = best if gain > (chance * (s.pot + 1) if lead else 0.0) else 0
    if value == 0 and lead:
        card = canceller(s, seat)
        if card >= 0:
            return card
    if value == 0:
        value = surest_value(s, seat, 0)
    return play_value(s, seat, value)


@policy(
    idea="dodges cancelling: a lower card whose equals are gone before a higher one; guesses ties",
    params=[Param("equal", 2, 0, 12, "ranks that each equal card still unseen takes off a card")],
)
def dodger(s, seat, moves, equal):
    if s.phase == CHANGE:
        return change_for_best_card(s, seat)
    return play_value(s, seat, least_cancelled(s, seat, equal))


@policy(
    idea="counts cards, expects keen opponents, saves trumps, and fills the pot before it leads",
    params=[
        # Tuned as one seat of four, keen=77, trump=1.1, chance=0, cancel=1.4 wins 8 points more;
        # but two such players ruin each other's tricks, so the defaults are what it was before.
        Param("keen", 4, 1, 100, "how much likelier opponents play a card that can win"),
        Param("trump", 0.35, 0, 5, "tricks that a trump is worth when kept, with a full hand"),
        Param("chance", 0.7, 0, 1, "chance from which on it goes for a trick before its own lead"),
        Param("cancel", 1, 0, 2, "cancels what others want never, before its own lead, always"),
    ],
)
def all_rounder(s, seat, moves, keen, trump, chance, cancel):
    if s.phase == CHANGE:
        return change_by_chance(s, seat, moves, keen)
    lead = leads_next(s, seat)
    price = trump * (o.hand_size - s.trick - 1) / o.hand_size
    best, gain = best_bet(s, seat, keen, price)
    value = best if gain > (chance * (s.pot + 1) if lead else 0.0) else 0
    if value == 0 and (cancel >= 2.0 or (lead and cancel >= 1.0)):
        card = canceller(s, seat)
        if card >= 0:
            return card
    if value == 0:
        value = best if gain > 0.0 else 0
    return play_value(s, seat, value)


SEARCH = search_params("updown", "all_rounder", rollouts=100, winning=3, sure=0.5)
