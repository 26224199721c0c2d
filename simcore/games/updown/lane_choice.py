"""UP & DOWN: tricks of seats that play by specs, in the lanes of vector registers; see `spec`.

Each loop over `LANES` is compiled to vector instructions: everything in it is arithmetic on numbers
and truth values; a branch would end the vectors.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import bits_of, highest_bit, popcount
from simcore.games.updown.cards import (
    DECK,
    DOWN,
    HIGHEST,
    IN_ALL_COLOURS,
    LOWEST,
    UP,
    VALUES,
    best_of,
    of_value,
    values_in,
)
from simcore.games.updown.lane_deal import first_below, of_seat, start_of_stream
from simcore.games.updown.lane_rows import (
    ABLE,
    AGAIN,
    BEST,
    CARD,
    FACE,
    HAND,
    LANES,
    LEADER,
    MADE,
    PLAYED,
    POT,
    SEAT_WORD0,
    SEAT_WORD1,
    TRUMP,
    TURN,
    UNSEEN,
    WORD0,
    WORD1,
    WORTH,
)
from simcore.games.updown.lane_turns import change_rules, end_trick, rotate_right
from simcore.games.updown.play import turn_after
from simcore.games.updown.spec import (
    BETTER,
    CANCELS,
    COUNTS_BETTER,
    DODGES,
    EQUAL,
    HOW,
    LATE,
)
from simcore.games.updown.spec import POT as POT_WORD
from simcore.games.updown.table import FLIP, ROLL
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import LINE

_MIDDLE = 7
_UP_TO_MIDDLE = (1 << (_MIDDLE + 1)) - 1
_ABOVE = IN_ALL_COLOURS << (HIGHEST + 1)
_ALL_BELOW = IN_ALL_COLOURS * ((1 << HIGHEST) - 1)
_LEAST_WORTH = -100.0
_LEAST_BITS = bits_of(_LEAST_WORTH)


@outer_kernel
def play_by_spec_trick(work, column, leader, trick, table, box):
    """Play a trick in all lanes, as `lane_turns.play_trick`, with everybody's spec."""
    players = table.players
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    by_count = 0
    for seat in range(players):
        by_count += (box.specs[seat, HOW] & COUNTS_BETTER) != 0
    if by_count < players:
        lead_for_best(work, column, leader, players, shifts)
    if by_count > 0:
        lead_by_count(work, column, leader, players, shifts, prices(box))
    change_all(work, column)
    left = table.hand_size - trick
    for seat in range(players):
        spec = box.specs[seat]
        pot = np.int64(0) if left <= spec[LATE] else spec[POT_WORD]
        if spec[HOW] & DODGES:
            dodge(work, column, seat, shifts[seat], np.int64(spec[EQUAL]).view(np.float64))
        elif spec[HOW] & CANCELS:
            others = colours_of(shifts, players) & ~(VALUES << shifts[seat])
            choose_cards(work, column, seat, shifts[seat], pot, others, (1,))
        else:
            choose_cards(work, column, seat, shifts[seat], pot, 0, ())
    finish_trick(work, column, trick, shifts)


@inline_kernel
def prices(box):
    """Return by seat what a better card takes off, less than 0 for who does not ask."""
    return price(box, 0), price(box, 1), price(box, 2), price(box, 3)


@inline_kernel
def price(box, seat):
    """Return the same of a seat."""
    better = np.int64(box.specs[seat, BETTER]).view(np.float64)
    return better if box.specs[seat, HOW] & COUNTS_BETTER else -1.0


@inline_kernel
def colours_of(shifts, players):
    """Return all cards of the colours that point at somebody when the turn is 0."""
    shift0, shift1, shift2, shift3 = shifts
    colours = (VALUES << shift0) | (VALUES << shift1)
    colours |= (VALUES << shift2) if players > 2 else 0
    return colours | ((VALUES << shift3) if players > 3 else 0)


@inline_kernel
def leader_of(rows, lane, leader, players):
    """Return the seat that leads, by its distance from the first leader."""
    seat = rows[LEADER, lane] + leader
    return seat - (players if seat >= players else 0)


@inline_kernel
def hand_of(rows, lane, seat):
    """Return the hand of a seat."""
    first, second = rows[HAND, lane], rows[HAND + 1, lane]
    return of_seat(seat, first, second, rows[HAND + 2, lane], rows[HAND + 3, lane])


@inline_kernel
def rank(value_bits, face):
    """Return how good the best value of a value set is with a face: 0 (none) to 11."""
    highest = highest_bit(value_bits | (1 << (LOWEST - 1))) - (LOWEST - 1)
    set_bits = value_bits | (1 << (HIGHEST + 1))
    lowest = HIGHEST + 1 - popcount(~set_bits & (set_bits - 1))
    return highest if face == UP else lowest


@kernel
def lead_for_best(work, column, leader, players, shifts):
    """Choose the changes that make the best cards in the own colour as good as can be."""
    rows = work.rows
    shift0, shift1, shift2, shift3 = shifts
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        seat = leader_of(rows, lane, leader, players)
        hand = hand_of(rows, lane, seat)
        shift = of_seat(seat, shift0, shift1, shift2, shift3)
        turn = rows[TURN, lane]
        face = rows[FACE, lane]
        best = np.int64(0)
        for change in range(ROLL):
            own = rotate_right(hand, shift - turn_after(turn, change)) & VALUES
            here = rank(own, face ^ DOWN if change == FLIP else face)
            best = max(best, (here << 2) + ROLL - 1 - change)
        rows[MADE, lane] = ROLL - 1 - (best & 3)


@kernel
def lead_by_count(work, column, leader, players, shifts, better):
    """Choose the changes by rank and by what beats the best cards, where `better` is not below 0.

    Parameters
    ----------
    better : (float, float, float, float)
        By seat.
    """
    rows = work.rows
    shift0, shift1, shift2, shift3 = shifts
    better0, better1, better2, better3 = better
    colours = colours_of(shifts, players)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        seat = leader_of(rows, lane, leader, players)
        hand = hand_of(rows, lane, seat)
        shift = of_seat(seat, shift0, shift1, shift2, shift3)
        less = of_seat(seat, better0, better1, better2, better3)
        unseen = DECK & ~(rows[PLAYED, lane] | hand)
        face = rows[FACE, lane]
        turn = rows[TURN, lane]
        best_worth = -1000.0
        best = np.int64(0)
        for change in range(ROLL):
            new_turn = turn_after(turn, change)
            new_face = face ^ DOWN if change == FLIP else face
            own = rotate_right(hand, shift - new_turn) & VALUES
            high = np.int64(1) << highest_bit(own | 1)
            card = high if new_face == UP else own & -own
            here = rank(card, new_face)
            beaters = VALUES & (-(card << 1) if new_face == UP else card - 1)
            theirs = rotate_right(colours & ~rotate_right(VALUES, -shift), new_turn)
            beaten = popcount(theirs & of_value(beaters) & unseen)
            worth = np.float64(here) - less * np.float64(beaten)
            worth = worth if (own > 0) & (worth > _LEAST_WORTH) else _LEAST_WORTH
            is_best = worth > best_worth
            best = np.int64(change if is_best else best)
            best_worth = worth if is_best else best_worth
        rows[MADE, lane] = best if less >= 0.0 else rows[MADE, lane]


@kernel
def change_all(work, column):
    """Change the rules as the leaders chose."""
    rows = work.rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        change_rules(rows, lane, rows[MADE, lane])


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
def shed_of(hand, colour, trump_bit):
    """Return the cards of a hand that cannot win, and the one to shed."""
    unable = hand & ~(colour | of_value(trump_bit))
    return unable, least_useful(unable if unable != 0 else hand)


@inline_kernel
def own_and_able(hand, shift, turn, trump_bit):
    """Return the values of a hand in the own colour, and those of the cards that can win."""
    own = rotate_right(hand, shift - turn) & VALUES
    return own, own | (trump_bit if hand & of_value(trump_bit) != 0 else 0)


@inline_kernel
def card_of(value_bit, hand, colour):
    """Return the card with a value, one in the own colour if possible."""
    cards = hand & of_value(value_bit)
    own = cards & colour
    found = own if own != 0 else cards
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
    highest = cards & ~below
    return highest if face == UP else lowest


@kernel
def choose_cards(work, column, seat, shift, pot, others, cancels):
    """Let a seat choose its card in all lanes.

    Parameters
    ----------
    shift : int
        Of the seat.
    pot : int
        From how many tricks in the pot on it plays trumps.
    others : int
        The cards of the colours that point at the opponents when the turn is 0.
    cancels : tuple
        Not empty if the seat cancels.
    """
    rows = work.rows
    hand_row = HAND + (seat & 3)
    card_row = CARD + (seat & 3)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        hand = rows[hand_row, lane]
        turn = rows[TURN, lane]
        face = rows[FACE, lane]
        trump_bit = rows[TRUMP, lane]
        colour = rotate_right(VALUES, turn - shift)
        own, able = own_and_able(hand, shift, turn, trump_bit)
        able = able if rows[POT, lane] >= pot else own & ~trump_bit
        found = card_of(best_of(able, face, trump_bit), hand, colour)
        unable, shed = shed_of(hand, colour, trump_bit)
        if len(cancels) > 0:
            unseen = DECK & ~(rows[PLAYED, lane] | hand)
            best = best_of_colours(unseen, face) & rotate_right(others, turn)
            wanted = values_in(best)
            wanted = unable & of_value(wanted)
            shed = least_useful(wanted) if wanted != 0 else shed
        card = found if able != 0 else shed
        rows[card_row, lane] = card
        rows[hand_row, lane] = hand ^ card


@kernel
def open_seats(work, column, seed, seat):
    """Open the private streams of a seat for a round in all lanes."""
    rows = work.rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        word0, word1 = start_of_stream(rows, lane, seed, rng.FIRST_SEAT_STREAM + seat)
        rows[SEAT_WORD0 + (seat & 3), lane] = np.int64(word0)
        rows[SEAT_WORD1 + (seat & 3), lane] = np.int64(word1)


@kernel
def dodge(work, column, seat, shift, equal):
    """Let a seat choose its card in all lanes by rank, less `equal` for each equal one unseen."""
    rows = work.rows
    hand_row = HAND + (seat & 3)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        hand = rows[hand_row, lane]
        _, able = own_and_able(hand, shift, rows[TURN, lane], rows[TRUMP, lane])
        rows[UNSEEN, lane] = DECK & ~(rows[PLAYED, lane] | hand)
        rows[ABLE, lane] = able
        rows[BEST, lane] = 0
        rows[WORTH, lane] = _LEAST_BITS
        rows[WORD0, lane] = rows[SEAT_WORD0 + (seat & 3), lane]
        rows[WORD1, lane] = rows[SEAT_WORD1 + (seat & 3), lane]
    while has_able(work, column):
        look_at_next(work, column, equal)
    card_row = CARD + (seat & 3)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        hand = rows[hand_row, lane]
        best = rows[BEST, lane]
        colour = rotate_right(VALUES, rows[TURN, lane] - shift)
        _, shed = shed_of(hand, colour, rows[TRUMP, lane])
        card = card_of(best, hand, colour) if best != 0 else shed
        rows[card_row, lane] = card
        rows[hand_row, lane] = hand ^ card
        rows[SEAT_WORD0 + (seat & 3), lane] = rows[WORD0, lane]
        rows[SEAT_WORD1 + (seat & 3), lane] = rows[WORD1, lane]


@kernel
def has_able(work, column):
    """Tell whether there is a value to look at in any lane."""
    rows = work.rows
    able = np.int64(0)
    for lane in range(LANES):
        able |= rows[ABLE, column + lane]
    return able != 0


@kernel
def look_at_next(work, column, equal):
    """Look at the lowest value not yet looked at in all lanes, as `strategies.updown_moves`."""
    rows = work.rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        able = rows[ABLE, lane]
        value_bit = able & -able
        rows[ABLE, lane] = able & (able - 1)
        value = popcount(value_bit - 1)
        ranked = value - (LOWEST - 1) if rows[FACE, lane] == UP else HIGHEST + 1 - value
        ranked = HIGHEST if value_bit == rows[TRUMP, lane] else ranked
        equals = popcount(of_value(value_bit) & rows[UNSEEN, lane])
        worth = np.float64(ranked) - equal * np.float64(equals)
        best_worth = np.int64(rows[WORTH, lane]).view(np.float64)
        is_there = value_bit != 0
        ties = is_there & (worth == best_worth)
        word0 = np.uint64(rows[WORD0, lane])
        word1 = np.uint64(rows[WORD1, lane])
        word, next0, next1 = rng.step(word0, word1)
        coin, again = first_below(word, 2)
        rows[WORD0, lane] = np.int64(next0 if ties else word0)
        rows[WORD1, lane] = np.int64(next1 if ties else word1)
        rows[AGAIN, lane] |= np.int64(ties & again)
        takes = (is_there & (worth > best_worth)) | (ties & (coin == 0))
        rows[BEST, lane] = value_bit if takes else rows[BEST, lane]
        rows[WORTH, lane] = np.float64(worth if takes else best_worth).view(np.int64)


@kernel
def finish_trick(work, column, trick, shifts):
    """Reveal the cards and give the trick to its winner in all lanes."""
    rows = work.rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        rules = rows[TURN, lane], rows[FACE, lane], rows[TRUMP, lane]
        end_trick(rows, lane, CARD, rules, trick, shifts)
        cards = rows[CARD, lane] | rows[CARD + 1, lane]
        rows[PLAYED, lane] |= cards | rows[CARD + 2, lane] | rows[CARD + 3, lane]
