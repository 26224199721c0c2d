"""Search by simulation: one policy for all games, made of a game's kernel and its heuristics.

For every decision the search deals what its seat cannot see at random among all that is consistent
with what it has seen (`simcore.games.<game>.unseen`), makes each legal move on a copy of that deal,
plays the round out with a heuristic in all seats, and takes the move with the best mean result
(Ginsberg 2001, "GIB: Imperfect information in a computationally challenging game", JAIR 14, for
bridge). Where seats choose in secret and at the same time, those asked before are let choose again,
by the heuristic too.

All moves are tried on the same deals, with the same random streams, so the noise of a deal is in
none of the differences. A move that has fallen clearly behind the best one on the same deals is
dropped, and the search ends when one is left (a race with blocking: Moore & Lee 1994, "Efficient
algorithms for minimizing cross validation error", ICML): easy decisions cost little. Where no move
is clearly ahead of what the heuristic would do, that is done: so noise does not make the search
worse than its heuristic (rollout policies: Tesauro & Galperin 1996, "On-line policy improvement
using Monte-Carlo search", NIPS 9).

A search is given the TABLE and its own SEAT, like every policy: the real hidden cards are not
within its reach. What it cannot do is plan to find something out, or hide something (strategy
fusion: Frank & Basin 1998, "Search in games with incomplete information", AIJ 100).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore import rng
from simcore.game import get_game
from simcore.jit import call_policy, chosen_by_record, copy_box, copy_of, empty_box, kernel
from simcore.records import MATCH_OVER, MAX_PARAMS, ROUND_OVER
from strategies.registry import Param, PolicyParam, game_of

PASS = -1

ROLLOUTS, ROLLOUT, WINNING, SURE, BELIEFS = range(5)
"""Places in a search's parameters; `Room.beliefs` of them say what it believes, and those of the
policy that plays rounds out follow."""

HEAT = 8
"""Deals between two looks at which moves have fallen behind."""

MOST_MOVES = 64
"""Moves that are looked at, the first ones; there may be hundreds of ways to pick equal cards."""

BEHIND = 2.5
"""Standard errors of the paired difference by which a move must be behind to be dropped."""


@dataclass(frozen=True)
class Room:
    """What the search needs of a game, compiled.

    Attributes
    ----------
    deal_unseen, find_moves, is_legal, nth_move, apply_move, score_round : callable
        Of the game's rooms `unseen` and `kernel`.
    deal_believed, beliefs : callable
        Of the room `unseen`, in games where what others did is evidence of what they hold: deals
        what is likely rather than possible, by one more parameter; how many of them there are.
    take_back : callable
        Of the room `unseen`, in games with secret choices: takes back those of the other seats
        and puts the first of them on turn.
    sign : callable
        Returns 1 when the highest score wins, -1 when the lowest does: `score_sign` of the room
        `unseen`, in games where an option decides that.
    """

    deal_unseen: Any
    deal_believed: Any
    beliefs: Any
    take_back: Any
    find_moves: Any
    is_legal: Any
    nth_move: Any
    apply_move: Any
    score_round: Any
    sign: Any


@kernel
def nothing_secret(table, box):
    """Take back no choices: all are seen by everybody."""


@kernel
def believe_nothing(table, seat, box, stream, trust):  # noqa: ARG001
    """Deal what a seat cannot see, each possible deal with the same probability."""
    deal_unseen(table, seat, box, stream)


@kernel
def no_beliefs(table):  # noqa: ARG001
    """Return how many parameters say what a search believes."""
    return 0


@kernel
def highest(table):  # noqa: ARG001
    """Return the sign of a score in a game that the highest wins."""
    return 1.0


@kernel
def lowest(table):  # noqa: ARG001
    """Return the sign of a score in a game that the lowest wins."""
    return -1.0


_rooms: dict[str, Room] = {}


def _room(name: str) -> Room:
    if name not in _rooms:
        game = get_game(name)
        rules, unseen = game.room("kernel"), game.room("unseen")
        _rooms[name] = Room(
            deal_unseen=unseen.deal_unseen,
            deal_believed=getattr(unseen, "deal_believed", believe_nothing),
            beliefs=getattr(unseen, "beliefs", no_beliefs),
            take_back=getattr(unseen, "take_back", nothing_secret),
            find_moves=rules.find_moves,
            is_legal=rules.is_legal,
            nth_move=rules.nth_move,
            apply_move=rules.apply_move,
            score_round=rules.score_round,
            sign=getattr(unseen, "score_sign", highest if game.best_score == "highest" else lowest),
        )
    return _rooms[name]


def _of_room(name: str) -> Any:
    return chosen_by_record(lambda table: getattr(_room(game_of(table)), name))


deal_unseen = _of_room("deal_unseen")
deal_believed = _of_room("deal_believed")
beliefs = _of_room("beliefs")
take_back = _of_room("take_back")
find_moves = _of_room("find_moves")
is_legal = _of_room("is_legal")
nth_move = _of_room("nth_move")
apply_move = _of_room("apply_move")
score_round = _of_room("score_round")
sign = _of_room("sign")


def search_params(
    game: str,
    rollout: str,
    *,
    rollouts: int,
    winning: float,
    sure: float,
    believed: Sequence[Param] = (),
) -> list[Param | PolicyParam]:
    """Return the parameters of a search policy with these defaults, in the order of the places.

    `believed` are those that say what it believes, see `Room.beliefs`.
    """
    deals = "most deals of the unseen cards that a decision tries"
    win = "points that winning the match is worth beside the margin of the round"
    ahead = "standard errors that a move must be ahead of what the heuristic would do"
    return [
        Param("rollouts", rollouts, 1, 100_000, deals, tunable=False),
        PolicyParam("rollout", game, rollout, "who plays the deals out in all seats"),
        Param("winning", winning, 0, 1000, win, tunable=False),
        Param("sure", sure, 0, 10, ahead, tunable=False),
        *believed,
    ]


@kernel
def best_move(table, seat):
    """Return the legal move with the best mean result.

    Parameters
    ----------
    table, seat : record
        As a policy is given them; the moves have been found.
    """
    count = np.int64(min(seat.move_count, MOST_MOVES))
    results = np.empty((count, np.int64(seat.params[ROLLOUTS])))
    deals = np.zeros(count, np.int64)
    return search_moves(table, seat, np.empty(count, np.int64), results, deals)


@kernel
def search_moves(table, seat, moves, results, deals):
    """Return the legal move with the best mean result, and note what was found of each.

    Parameters
    ----------
    table, seat : record
    moves : int64[n]
        Modified in place: the moves looked at, the best one first.
    results : float64[n, rollouts]
        Modified in place: their results, deal by deal.
    deals : int64[n]
        Modified in place: on how many deals each was tried.
    """
    left = np.int64(min(seat.move_count, len(moves)))
    rollouts = results.shape[1]
    for i in range(left):
        moves[i] = nth_move(table, seat, i)
    dealt = empty_box(seat)
    box = empty_box(seat)
    start = copy_of(table)
    now = copy_of(table)
    stream = np.empty(2, np.uint64)
    tried = np.int64(0)
    usual = np.int64(PASS)
    while tried < rollouts and left > 1:
        open_at(stream, seat.rng)
        start[0] = table
        sample(start[0], seat, dealt[0], stream)
        if tried == 0:
            usual = usual_move(start[0], dealt[0], seat)
        for i in range(left):
            now[0] = start[0]
            copy_box(box[0], dealt[0], table.players)
            results[i, tried] = result_of(now[0], box[0], moves[i], seat)
        tried += 1
        if tried % HEAT == 0 or tried == rollouts:
            kept = drop_moves(moves, results, left, tried)
            deals[kept:left] = tried
            left = kept
    deals[:left] = tried
    for i in range(1, left):
        if moves[i] == usual and not is_ahead(results, i, tried, seat.params[SURE]):
            return usual
    return moves[0]


@kernel
def usual_move(table, box, looker):
    """Return what the heuristic would do, which sees as much as the search."""
    seat = box.seats[looker.index]
    find_moves(table, seat)
    return call_policy(np.int64(looker.params[ROLLOUT]), table, seat)


@kernel
def sample(table, seat, box, stream):
    """Deal what a seat cannot see, and let those choose who have chosen before it in secret.

    TABLE and BOX are modified in place: they are then as they may be in fact.
    """
    box.seats[seat.index] = seat
    used = BELIEFS + beliefs(table)
    deal_believed(table, seat, box, stream, seat.params[BELIEFS])
    make_ready(box, table.players, seat.params, used, stream)
    take_back(table, box)
    address = np.int64(seat.params[ROLLOUT])
    while table.seat != seat.index:
        step(table, box, address)


@kernel
def make_ready(box, players, params, used, stream):
    """Give every seat of a sampled deal its random stream and the heuristic's parameters.

    They stand in `params` after the first `used`.
    """
    for index in range(players):
        seat = box.seats[index]
        seat.index = index
        open_at(seat.rng, stream)
        for i in range(MAX_PARAMS - used):
            seat.params[i] = params[used + i]
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
def result_of(table, box, move, looker):
    """Return what a move comes to: the margin of the round, and more where it wins the match."""
    find_moves(table, box.seats[table.seat])
    apply_move(table, box, move)
    address = np.int64(looker.params[ROLLOUT])
    while table.phase > ROUND_OVER:
        step(table, box, address)
    if table.phase == ROUND_OVER:
        score_round(table, box)
    result = sign(table) * margin(table, looker.index)
    if table.phase == MATCH_OVER:
        result += looker.params[WINNING] * win_share(table, looker.index)
    return result


@kernel
def step(table, box, address):
    """Let the seat on turn make the move of the policy at an address, or its only one.

    Instead of a move that is not legal it makes its first one; a kernel cannot complain.
    """
    seat = box.seats[table.seat]
    count = find_moves(table, seat)
    move = np.int64(PASS)
    if count > 1:
        move = call_policy(address, table, seat)
    if count == 1 or (count > 1 and not is_legal(table, seat, move)):
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
def win_share(table, index):
    """Return a seat's share of the win of a match that is over."""
    winners = 0
    for seat in range(table.players):
        winners += (table.winners >> seat) & 1
    return ((table.winners >> index) & 1) / max(winners, 1)


@kernel
def drop_moves(moves, results, left, tried):
    """Move the best move to the front and drop those clearly behind it; return how many are left.

    `moves` and `results`, float64[moves, deals] of which `tried` are filled in, are modified in
    place. A move that has always come to the same as the best one is dropped too.
    """
    best = 0
    best_sum = results[0, :tried].sum()
    for i in range(1, left):
        total = results[i, :tried].sum()
        if total > best_sum:
            best = i
            best_sum = total
    swap(moves, results, 0, best, tried)
    kept = 1
    for i in range(1, left):
        if not is_ahead(results, i, tried, BEHIND):
            swap(moves, results, kept, i, tried)
            kept += 1
    return kept


@kernel
def is_ahead(results, other, tried, errors):
    """Tell whether the first move is ahead of another one by so many standard errors.

    By their paired difference; also when they have always come to the same.
    """
    total = 0.0
    squares = 0.0
    for deal in range(tried):
        difference = results[0, deal] - results[other, deal]
        total += difference
        squares += difference * difference
    return total * total >= errors * errors * (squares - total * total / tried)


@kernel
def swap(moves, results, one, other, tried):
    """Let two moves change places, with their results."""
    moves[one], moves[other] = moves[other], moves[one]
    for deal in range(tried):
        results[one, deal], results[other, deal] = results[other, deal], results[one, deal]
