"""Search by simulation: one policy for all games, made of a game's kernel and its heuristics.

For every decision the search deals what its seat cannot see at random among all that is consistent
with what it has seen (`simcore.games.<game>.unseen`), makes each legal move on a copy of that deal,
plays the round out with a heuristic in all seats, and takes the move with the best mean result
(Ginsberg 2001, "GIB: Imperfect information in a computationally challenging game", JAIR 14, for
bridge). All moves are tried on the same deals, with the same random streams, so the noise of a deal
is in none of the differences. Of more than two moves the worse half is dropped after each half of
the deals that are left (sequential halving: Karnin, Koren & Somekh 2013, "Almost optimal
exploration in multi-armed bandits", ICML).

A search is given the TABLE and its own SEAT, like every policy: the real hidden cards are not
within its reach. What it cannot do is plan to find something out, or hide something (strategy
fusion: Frank & Basin 1998, "Search in games with incomplete information", AIJ 100).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore import rng
from simcore.game import get_game
from simcore.jit import chosen_by_record, copy_of, empty_box, kernel
from simcore.records import MAX_PARAMS, ROUND_OVER
from strategies.registry import Param, Policy, game_of

PASS = -1


@dataclass(frozen=True)
class Room:
    """What the search needs of a game, compiled.

    Attributes
    ----------
    deal_unseen, find_moves, nth_move, apply_move, score_round : callable
        Of the game's rooms `unseen` and `kernel`.
    play : callable
        The heuristic of all seats while a round is played out.
    """

    deal_unseen: Any
    find_moves: Any
    nth_move: Any
    apply_move: Any
    score_round: Any
    play: Any


_rooms: dict[str, Room] = {}


def enter(game: str, heuristic: Policy) -> None:
    """Let the search play a game, with a heuristic to play rounds out."""
    rules = get_game(game).room("kernel")
    _rooms[game] = Room(
        deal_unseen=get_game(game).room("unseen").deal_unseen,
        find_moves=rules.find_moves,
        nth_move=rules.nth_move,
        apply_move=rules.apply_move,
        score_round=rules.score_round,
        play=kernel(heuristic.function),
    )


def _of_room(name: str) -> Any:
    return chosen_by_record(lambda table: getattr(_rooms[game_of(table)], name))


deal_unseen = _of_room("deal_unseen")
find_moves = _of_room("find_moves")
nth_move = _of_room("nth_move")
apply_move = _of_room("apply_move")
score_round = _of_room("score_round")
play = _of_room("play")


def search_params(deals: int) -> list[Param]:
    """Return the parameters of a search policy."""
    meaning = "deals of the unseen cards that each decision tries"
    return [Param("deals", deals, 1, 100_000, meaning, tunable=False)]


def values_of(params: tuple[Param, ...]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the default values of a heuristic's parameters as a SEAT holds them."""
    values = np.zeros(MAX_PARAMS)
    values[: len(params)] = [param.default for param in params]
    return values


@kernel
def best_move(table, seat, values, lowest_wins):
    """Return the legal move with the best mean result.

    Parameters
    ----------
    table, seat : record
        As a policy is given them; the moves have been found.
    values : float64[MAX_PARAMS]
        Parameters of the heuristic that plays rounds out.
    lowest_wins : bool
        Whether the lowest score wins.
    """
    count = seat.move_count
    moves = np.empty(count, np.int64)
    for i in range(count):
        moves[i] = nth_move(table, seat, i)
    sums = np.zeros(count)
    dealt = empty_box(seat)
    box = empty_box(seat)
    now = copy_of(table)
    stream = np.empty(2, np.uint64)
    left = count
    deals = np.int64(seat.params[0])
    tried = np.int64(0)
    sign = -1 if lowest_wins else 1
    while tried < deals:
        stage = deals - tried
        if left > 2:
            stage -= stage // 2
        for _ in range(stage):
            open_at(stream, seat.rng)
            dealt[0].seats[seat.index] = seat
            deal_unseen(table, seat, dealt[0], stream)
            make_ready(dealt[0], table.players, values, stream)
            for i in range(left):
                now[0] = table
                box[0] = dealt[0]
                find_moves(now[0], box[0].seats[seat.index])
                apply_move(now[0], box[0], moves[i])
                play_out(now[0], box[0])
                if now[0].phase == ROUND_OVER:
                    score_round(now[0], box[0])
                sums[i] += sign * margin(now[0], seat.index)
        tried += stage
        if left > 2:
            left = keep_better_half(moves, sums, left)
    best = 0
    for i in range(1, left):
        if sums[i] > sums[best]:
            best = i
    return moves[best]


@kernel
def make_ready(box, players, values, stream):
    """Give every seat of a sampled deal its random stream and the heuristic's parameters."""
    for index in range(players):
        seat = box.seats[index]
        seat.index = index
        open_at(seat.rng, stream)
        for i in range(len(values)):
            seat.params[i] = values[i]
        for i in range(len(seat.memory)):
            seat.memory[i] = 0
    open_at(box.deal_rng, stream)
    open_at(box.chance_rng, stream)


@kernel
def open_at(rng_state, stream):
    """Start a random stream at a place drawn from another one."""
    rng_state[0] = rng.next_word(stream)
    rng_state[1] = rng.next_word(stream) | np.uint64(1)


@kernel
def play_out(table, box):
    """Play a round on to its end with one heuristic in all seats."""
    while table.phase > ROUND_OVER:
        seat = box.seats[table.seat]
        count = find_moves(table, seat)
        move = np.int64(PASS)
        if count > 1:
            move = play(table, seat)
        elif count == 1:
            move = nth_move(table, seat, 0)
        apply_move(table, box, move)


@kernel
def margin(table, index):
    """Return a seat's score less the mean of the others'."""
    others = 0
    for seat in range(table.players):
        if seat != index:
            others += table.scores[seat]
    return table.scores[index] - others / (table.players - 1)


@kernel
def keep_better_half(moves, sums, count):
    """Move the better half of the moves to the front; return how many these are."""
    keep = (count + 1) // 2
    for place in range(keep):
        best = place
        for i in range(place + 1, count):
            if sums[i] > sums[best]:
                best = i
        sums[place], sums[best] = sums[best], sums[place]
        moves[place], moves[best] = moves[best], moves[place]
    return keep
