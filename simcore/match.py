"""What matches of all games have in common: one follows another, seats are asked, somebody leads.

Kernels assume legal input and never raise; `ask_policy` checks what policies return.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.jit import call_policy, inline_kernel, kernel, outer_kernel
from simcore.records import (
    BY_SPEC,
    FROM_END,
    MATCH_OVER,
    MAX_SEATS,
    MEMORY_WORDS,
    NO_MOVE,
    RANDOM,
    ROUND_OVER,
    write_row,
)

_DECISIONS = FROM_END["decisions"]
_FORCED = FROM_END["forced"]
_COMEBACK = FROM_END["comeback"]
_LAST_LEAD_CHANGE = FROM_END["last_lead_change"]


@outer_kernel
def play_one_by_one(
    table, box, block, start_match, start_round, play_round, score_round, finish_match
):
    """Play a block of matches by a game's functions; return as `batch.BlockKernel` does.

    `block` is what that is told of the block: seed, first match, how many, and where the rows go.
    """
    seed, first, count, out, row = block
    for done in range(count):
        start_match(table, box, seed, first + done)
        while table.phase != MATCH_OVER:
            start_round(table, box)
            if not play_round(table, box):
                return done
            if table.phase == ROUND_OVER:
                score_round(table, box)
        finish_match(table)
        write_row(table, row + done, out)
    return count


@outer_kernel
def play_decisions(table, box, ask, find_moves, nth_move, apply_move):
    """Play a round that was started, move by move; return False after an illegal move.

    A policy is asked (`ask`, of TABLE, SEAT and its address) only where there are two or more
    moves.
    """
    decisions = 0
    forced = 0
    while table.phase > ROUND_OVER:
        index = table.seat
        seat = box.seats[index]
        count = find_moves(table, seat)
        if count > 1:
            decisions += 1
            move = ask(table, seat, box.policies[index])
            if move == NO_MOVE:
                return False
        else:
            forced += count
            move = nth_move(table, seat, 0)
        apply_move(table, box, move)
    table.metrics[len(table.metrics) + _DECISIONS] += decisions
    table.metrics[len(table.metrics) + _FORCED] += forced
    return True


@outer_kernel
def choose_move(table, seat, policy, random_move, by_spec, is_legal):
    """Return the move that a policy chooses, or `NO_MOVE` after noting an illegal one."""
    if policy == RANDOM:
        return random_move(table, seat)
    if policy == BY_SPEC:
        return by_spec(table, seat)
    return ask_policy(table, seat, policy, is_legal)


@inline_kernel
def ask_policy(table, seat, policy, is_legal):
    """Return the move that a policy chooses that is not built in; see `choose_move`."""
    move = call_policy(policy, table, seat)
    if is_legal(table, seat, move):
        return move
    table.illegal_move = move
    return np.int64(NO_MOVE)


@inline_kernel
def ask_on_turn(table, box, ask, is_aside):
    """Return the move that the policy of the seat on turn chooses; see `choose_move`.

    Parameters
    ----------
    table, box : record
        The moves have been found.
    ask : callable
        The game's own, of TABLE, SEAT and the policy's address.
    is_aside : callable
        Tells, of TABLE and SEAT, whether this is a decision that a variant adds or drops (an
        announcement, a challenge). For it the policy is handed another stream, which serves
        nothing else: so the moves of a match draw the same with and without such decisions, and
        the policy need not know.
    """
    seat = box.seats[table.seat]
    policy = box.policies[table.seat]
    if not is_aside(table, seat):
        return ask(table, seat, policy)
    stream = aside_stream(table, box, table.seat)
    word0 = seat.rng[0]
    word1 = seat.rng[1]
    seat.rng[0] = stream[0]
    seat.rng[1] = stream[1]
    move = ask(table, seat, policy)
    stream[0] = seat.rng[0]
    stream[1] = seat.rng[1]
    seat.rng[0] = word0
    seat.rng[1] = word1
    return move


@kernel
def aside_stream(table, box, index):
    """Return the stream of a seat for what it decides aside; see `ask_on_turn`.

    It is opened when it is first asked for in a round; BOX is modified in place.
    """
    if box.aside_round != table.round_number:
        box.aside_round = table.round_number
        box.aside_seats = 0
    stream = box.aside_rng[index]
    if not (box.aside_seats >> index) & 1:
        box.aside_seats |= 1 << index
        purpose = rng.FIRST_SEAT_STREAM + index
        rng.open_stream(stream, box.seed, box.key, rng.ASIDE + table.round_number, purpose)
    return stream


@inline_kernel
def begin_match(table, box, seed, match):
    """Set what all games keep over a match to its start; the records are modified in place."""
    table.match_number = match
    box.seed = np.uint64(seed)
    box.key = rng.match_key(seed, match)
    box.aside_round = 0
    table.round_number = 0
    table.first_seat = 0
    table.winners = 0
    table.leaders = 0
    table.aborted = 0
    table.phase = ROUND_OVER
    for seat in range(MAX_SEATS):
        table.scores[seat] = 0
        table.deficits[seat] = 0
    for i in range(len(table.metrics)):
        table.metrics[i] = 0
    for seat in range(table.players):
        box.seats[seat].index = seat
        for i in range(MEMORY_WORDS):
            box.seats[seat].memory[i] = 0


@inline_kernel
def all_random(table, box):
    """Tell whether uniform random play sits on every seat."""
    for seat in range(table.players):
        if box.policies[seat] != RANDOM:
            return False
    return True


def all_play(table, box, *policies):
    """Tell whether every seat has one of these built-in policies; not compiled."""
    return all(box.policies[seat] in policies for seat in range(table.players))


@inline_kernel
def all_seats(players):
    """Return the bit mask of all seats."""
    return (1 << players) - 1


@inline_kernel
def note_leaders(table, lowest_leads, lead_changes):
    """Note who leads after a round, and how far the others are behind.

    Parameters
    ----------
    table : TABLE
        Modified in place: `leaders`, `deficits` and the counts of changes.
    lowest_leads : bool
        Whether the lowest total leads, not the highest.
    lead_changes : int
        The game's count of changes of the lead in `metrics`; the first to lead are none.
    """
    best = table.scores[0]
    for seat in range(1, table.players):
        score = table.scores[seat]
        best = min(best, score) if lowest_leads else max(best, score)
    leaders = np.int64(0)
    for seat in range(table.players):
        leaders |= np.int64(table.scores[seat] == best) << seat
        table.deficits[seat] = max(table.deficits[seat], abs(best - table.scores[seat]))
    if leaders != table.leaders:
        table.metrics[lead_changes] += table.leaders != 0
        note_lead_change(table, table.round_number)
    table.leaders = leaders


@inline_kernel
def note_lead_change(table, number):
    """Note that since the round (trick, lap) with this number the same seats have led."""
    table.metrics[len(table.metrics) + _LAST_LEAD_CHANGE] = number


@inline_kernel
def note_comeback(table):
    """Note how far behind the winner once was; of several winners, the one furthest behind."""
    most = np.int64(0)
    for seat in range(table.players):
        if table.winners >> seat & 1:
            most = max(most, table.deficits[seat])
    table.metrics[len(table.metrics) + _COMEBACK] = most
