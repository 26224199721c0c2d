"""UP & DOWN: whole matches of uniform random play, with all that changes in local variables.

The same matches as those that `kernel` plays move by move, bit for bit, but many times faster: no
policy looks at the records, so they need not be kept, and no branch depends on who wins a trick.
Where vectors are wide, `lanes` is quicker still.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import nth_mask
from simcore.games.updown.cards import DOWN, best_value, of_value
from simcore.games.updown.deal import (
    deal_hands,
    draw_random_play,
    open_round,
    open_seat,
    throw_dice,
    toss,
)
from simcore.games.updown.draws import draw
from simcore.games.updown.play import is_lead_change, leaders_after, new_trump, seat_of, turn_after
from simcore.games.updown.score import goes_on, winners_of
from simcore.games.updown.table import (
    ADJACENT_CLAUSE,
    CHANGES,
    CLAUSES,
    DECISIONS,
    FLIP,
    FLIPS,
    FORCED,
    FURTHER_ROUNDS_CLAUSE,
    LARGEST_POT,
    LEAD_CHANGES,
    LOST_TRICKS,
    POTS,
    ROLL,
    ROLLS,
    ROTATIONS,
    ROUNDS,
    SEATS,
    TIE_ROUND_CLAUSE,
    TRICKS,
    TRUMP_WINS,
)
from simcore.jit import inline_kernel, kernel
from simcore.match import note_comeback, note_lead_change

_LANE = 16
_TOTAL = (1 << _LANE) - 1
"""Totals of all seats are kept in one word: at most 1050 rounds of 15 tricks."""


@inline_kernel
def play_card(hand, fraction, left):
    """Return a card drawn from a hand of `left` cards, as a card set, and the fraction left."""
    index, fraction = draw(fraction, left)
    return nth_mask(hand, index), fraction


@kernel
def play_random_match(table, box, seed, match):
    """Play one match of uniform random play; only the results are written to the table."""
    box.seed = np.uint64(seed)
    box.key = rng.match_key(seed, match)
    players = table.players
    hand_size = table.hand_size
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    round_number = np.int64(0)
    first_seat = np.int64(0)
    totals = np.int64(0)
    leaders = np.int64(0)
    # At least 1: nobody leads without a trick. And where nobody wins, seat 0 stands as it did.
    most = np.int64(1)
    pots = np.int64(0)
    lost_tricks = np.int64(0)
    largest_pot = np.int64(0)
    flips = np.int64(0)
    rolls = np.int64(0)
    trump_wins = np.int64(0)
    lead_changes = np.int64(0)
    last_lead_change = np.int64(0)
    deficits = np.int64(0)
    trick = np.int64(0)
    again = True
    while again:
        round_number += 1
        open_round(box, round_number)
        face, leader = toss(players, box.deal_rng)
        first_seat = leader if round_number == 1 else first_seat
        turn = table.shifts[np.uint32(leader)]
        trump = throw_dice(box.chance_rng)
        trump_bit = np.int64(1) << trump
        for index in range(players):
            seat = box.seats[np.uint32(index)]
            open_seat(seat, box, round_number, index)
            draw_random_play(seat, hand_size)
        hand0, hand1, hand2, hand3 = deal_hands(players, hand_size, box.deal_rng)
        order0 = box.seats[0].rng[0]
        order1 = box.seats[1].rng[0]
        order2 = box.seats[2].rng[0]
        order3 = box.seats[3].rng[0]
        card2 = np.int64(0)
        card3 = np.int64(0)
        pot = np.int64(0)
        for left in range(hand_size, 0, -1):
            chooser = box.seats[np.uint32(leader)]
            change, chooser.rng[1] = draw(chooser.rng[1], CHANGES)
            turn = turn_after(turn, change)
            face ^= DOWN * np.int64(change == FLIP)
            flips += np.int64(change == FLIP)
            if change == ROLL:
                rolls += 1
                trump = new_trump(trump, box.chance_rng)
                trump_bit = np.int64(1) << trump
            card0, order0 = play_card(hand0, order0, left)
            hand0 ^= card0
            card1, order1 = play_card(hand1, order1, left)
            hand1 ^= card1
            if players > 2:
                card2, order2 = play_card(hand2, order2, left)
                hand2 ^= card2
            if players > 3:
                card3, order3 = play_card(hand3, order3, left)
                hand3 ^= card3
            cards = (card0, card1, card2, card3)
            best = best_value(cards, shifts, turn, face, trump_bit)
            lane = _LANE * seat_of(cards, of_value(best))
            won = np.int64(best > 1)
            pot += 1
            taken = pot * won
            pot -= taken
            totals += taken << lane
            total = (totals >> lane) & _TOTAL
            before = leaders
            # Nobody has fallen back further since than just before a trick of one's own.
            deficit = (deficits >> lane) & _TOTAL
            behind = (most - total + taken) * np.int64(before != 0)
            deficits += (max(behind, deficit) - deficit) << lane
            leaders = leaders_after(leaders, most, lane >> 4, total)
            most = max(most, total)
            lead_changes += is_lead_change(before, leaders)
            trick += 1
            last_lead_change = trick if before != leaders else last_lead_change
            pots += 1 - won
            largest_pot = max(largest_pot, taken - 1)
            trump_wins += np.int64(best == trump_bit)
            leader = leader + 1 if leader + 1 < players else np.int64(0)
        lost_tricks += pot
        winners = winners_of(leaders, players)
        again = goes_on(round_number, table.rounds, table.tie_round, winners)
    tied = winners & (winners - 1) != 0
    tricks = round_number * hand_size
    table.first_seat = first_seat
    table.winners = winners
    table.aborted = np.int64(table.tie_round != 0 and tied)
    for seat in range(SEATS):
        table.scores[seat] = (totals >> (_LANE * seat)) & _TOTAL
        table.deficits[seat] = (deficits >> (_LANE * seat)) & _TOTAL
    metrics = table.metrics
    metrics[ROUNDS] = round_number
    metrics[TRICKS] = tricks
    metrics[POTS] = pots
    metrics[LOST_TRICKS] = lost_tricks
    metrics[LARGEST_POT] = largest_pot
    metrics[FLIPS] = flips
    metrics[ROTATIONS] = tricks - flips - rolls
    metrics[ROLLS] = rolls
    metrics[TRUMP_WINS] = trump_wins
    metrics[LEAD_CHANGES] = lead_changes
    note_lead_change(table, last_lead_change)
    note_comeback(table)
    metrics[CLAUSES] = (
        ADJACENT_CLAUSE * np.int64(table.adjacent != 0)
        + FURTHER_ROUNDS_CLAUSE * np.int64(table.rounds > 1)
        + TIE_ROUND_CLAUSE * np.int64(round_number > table.rounds)
    )
    metrics[FORCED] = round_number * players
    metrics[DECISIONS] = tricks + players * tricks - metrics[FORCED]
    return True
