"""Up: a round played by the policies, turn by turn."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.up import rules
from simcore.games.up import table as up
from simcore.games.up.by_spec import by_spec, by_spec_otherwise
from simcore.games.up.deal import decide_before_play
from simcore.games.up.moves import (
    find_answers,
    find_play_moves,
    is_aside,
    is_legal,
    nth_play_move,
    random_move,
)
from simcore.games.up.play import apply_play
from simcore.games.up.table import METRIC
from simcore.jit import inline_kernel, kernel, outer_kernel, shared_kernel
from simcore.match import ask_on_turn, choose_move
from simcore.records import NO_MOVE, RANDOM, ROUND_OVER


@inline_kernel
def ask(table, seat, policy):
    """Return the move that a policy chooses, or `NO_MOVE` after noting an illegal one."""
    return choose_move(table, seat, policy, random_move, by_spec, is_legal)


@kernel
def ask_otherwise(table, seat, policy):
    """Return it before the play and in a round of rare rules.

    As a call: what a spec weighs takes room, which turns want.
    """
    return choose_move(table, seat, policy, random_move, by_spec_otherwise, is_legal)


@shared_kernel
def decide_start(table, box):
    """Let a round that was started be cut and declared for; return False after an illegal move."""
    while table.phase > ROUND_OVER and table.phase != up.PLAY:
        table.metrics[METRIC.decisions] += 1
        find_answers(table, box.seats[table.seat])
        move = ask_on_turn(table, box, ask_otherwise, is_aside)
        if move == NO_MOVE:
            return False
        decide_before_play(table, box, move)
    return True


@inline_kernel
def is_usual(table):
    """Tell whether what comes next may be played in lanes, where nobody loses a turn."""
    return table.lost_turn == 0


@shared_kernel
def play_turns(table, box, for_lanes):
    """Play on to the end of a round; return False after an illegal move.

    A policy is asked only where there are two or more moves. `for_lanes`: one turn at least, and
    only up to where lanes may take over (`is_usual`).
    """
    rare = rules.rare_in_round(table)
    if rare == rules.SPECIAL_CARDS:
        return take_turns(table, box, for_lanes, rules.SPECIAL_CARDS)
    if rules.rare_later(table) and not rare & rules.SPECIAL_CARDS:
        return take_turns(table, box, for_lanes, rules.RARE_WITH_USUAL_CARDS)
    return take_turns(table, box, for_lanes, rules.NO_RARE_RULES)


@outer_kernel
def take_turns(table, box, for_lanes, rare):
    """Play on by groups of `rare` rules; by none, every turn is asked for them."""
    decisions = 0
    forced = 0
    cap = table.cap
    while table.phase == up.PLAY:
        seat = box.seats[table.seat]
        count = find_play_moves(table, seat, cap, rare)
        move = np.int64(up.PASS_LEAD)
        if count > 1:
            decisions += 1
            policy = box.policies[table.seat]
            if policy == RANDOM:
                move = nth_play_move(seat, rng.below(seat.rng, count))
            else:
                move = ask_otherwise(table, seat, policy) if rare else ask(table, seat, policy)
                if move == NO_MOVE:
                    return False
        elif count == 1:
            forced += 1
            move = nth_play_move(seat, 0)
        cap = apply_play(table, box, move, cap, rare)
        if for_lanes and is_usual(table):
            break
    table.metrics[METRIC.decisions] += decisions
    table.metrics[METRIC.forced] += forced
    return True


@outer_kernel
def play_round(table, box):
    """Play the round that was started to its end; return False after an illegal move."""
    return decide_start(table, box) and play_turns(table, box, False)
