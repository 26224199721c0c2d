"""Search by simulation: one policy for all games, made of a game's kernel and its heuristics.

For every decision the search deals what its seat cannot see at random among all that is consistent
with what it has seen (`simcore.games.<game>.unseen`), makes each legal move on a copy of that deal,
plays the round out with a heuristic in all seats, and takes the move with the best mean result
(Ginsberg 2001, "GIB: Imperfect information in a computationally challenging game", JAIR 14, for
bridge). Where seats choose in secret and at the same time, those asked before are let choose again,
by the heuristic too.

All moves are tried on the same deals, with the same random streams, so the noise of a deal is in
none of the differences. Moves that have fallen clearly behind are dropped, and the search ends when
one is left: easy decisions cost little. Where no move is clearly ahead of what the heuristic would
do, that is done (`strategies.race`): so noise does not make the search worse than its heuristic,
however few the deals (rollout policies: Tesauro & Galperin 1996, "On-line policy improvement using
Monte-Carlo search", NIPS 9). What the heuristic would do it is asked in the real seat, with what it
remembers; decisions that the search made otherwise it has not made, and does not remember.

The rollouts take it that from now on all play like the heuristic, and end the round as soon as it
does. Where several search, each may put the end off in this belief, again and again. So once a
round is overdue (`Room.is_overdue`) the search plays like its heuristic until the round ends.

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
from simcore.compiler.race import FEWEST_DEALS, best_of, chosen, drop_moves, swap
from simcore.game import get_game
from simcore.jit import (
    call_policy,
    chosen_by_record,
    copy_box,
    copy_of,
    empty_box,
    inline_kernel,
    kernel,
)
from simcore.records import MATCH_OVER, MAX_PARAMS, MEMORY_WORDS, ROUND_OVER, SPEC_WORDS
from strategies.params import Param
from strategies.registry import PolicyParam, game_of

PASS = -1

ROLLOUTS, ROLLOUT, WINNING, SURE, BELIEFS = range(5)
"""Places in a search's parameters; `Room.beliefs` of them say what it believes, and those of the
policy that plays rounds out follow."""

HEAT = 8
"""Deals between two looks at which moves have fallen behind."""

MOST_MOVES = 64
"""Moves that are looked at, the first ones; there may be hundreds of ways to pick equal cards."""


@dataclass(frozen=True)
class Room:
    """What the search needs of a game, compiled: of its rooms `kernel` and `unseen`.

    What not every game has (`rooms.UnseenExtras`) is one of the functions below. `sign` is
    `score_sign`, or what `Game.best_score` says.
    """

    deal_unseen: Any
    deal_believed: Any
    beliefs: Any
    take_back: Any
    is_overdue: Any
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
def believe_nothing(table, seat, box, stream, trust):
    """Deal what a seat cannot see, each possible deal with the same probability."""
    deal_unseen(table, seat, box, stream)


@kernel
def no_beliefs(table):
    """Return how many parameters say what a search believes."""
    return 0


@kernel
def never(table):
    """Tell that no round lasts too long: each has as many turns as any other."""
    return False


@kernel
def highest(table):
    """Return the sign of a score in a game that the highest wins."""
    return 1.0


@kernel
def lowest(table):
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
            is_overdue=getattr(unseen, "is_overdue", never),
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
is_overdue = _of_room("is_overdue")
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
    deals = f"most deals of the unseen cards that a decision tries; below {FEWEST_DEALS}: none"
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
    """Return the legal move with the best mean result, or the usual one.

    Parameters
    ----------
    table, seat : record
        As a policy is given them; the moves have been found. The heuristic's memory in SEAT is
        modified in place, where its move is made.
    """
    count = np.int64(min(seat.move_count, MOST_MOVES))
    results = np.empty((count, np.int64(seat.params[ROLLOUTS])))
    deals = np.zeros(count, np.int64)
    return search_moves(table, seat, np.empty(count, np.int64), results, deals)


@kernel
def search_moves(table, seat, moves, results, deals):
    """Return the move that `best_move` does, and note what was found of each.

    Parameters
    ----------
    table, seat : record
    moves : int64[n]
        Modified in place: the moves looked at, the best one first.
    results : float64[n, rollouts]
        Modified in place: their results, deal by deal.
    deals : int64[n]
        Modified in place: on how many deals each was tried; none where it was not searched.
    """
    rollouts = results.shape[1]
    before = copy_of_memory(seat)
    usual = usual_move(table, seat)
    if rollouts < FEWEST_DEALS or is_overdue(table):
        return usual
    left = find_others(table, seat, usual, moves)
    dealt = empty_box(seat)
    box = empty_box(seat)
    start = copy_of(table)
    now = copy_of(table)
    stream = np.empty(2, np.uint64)
    tried = np.int64(0)
    while tried < rollouts and left > 1:
        open_at(stream, seat.rng)
        start[0] = table
        sample(start[0], seat, dealt[0], stream)
        for i in range(left):
            now[0] = start[0]
            copy_box(box[0], dealt[0], table.players)
            if moves[i] != usual:
                recall(box[0].seats[seat.index], before)
            results[i, tried] = result_of(now[0], box[0], moves[i], seat)
        tried += 1
        if tried % HEAT == 0 or tried == rollouts:
            kept = drop_moves(moves, results, left, tried, usual)
            deals[kept:left] = tried
            left = kept
    deals[:left] = tried
    move = moves[chosen(moves, results, left, tried, usual, seat.params[SURE])]
    swap(moves, results, 0, best_of(results, left, tried), tried)
    if move != usual:
        recall(seat, before)
    return move


@kernel
def usual_move(table, seat):
    """Return what the heuristic would do in a seat of which it sees as much as the search.

    Its random numbers come from SEAT's stream, and it may write to SEAT's memory. Instead of a move
    that is not legal it makes its first one, see `step`.
    """
    used = BELIEFS + beliefs(table)
    own = np.empty(MAX_PARAMS)
    for i in range(MAX_PARAMS):
        own[i] = seat.params[i]
    hand_on(seat, own, used)
    move = call_policy(np.int64(own[ROLLOUT]), table, seat)
    for i in range(MAX_PARAMS):
        seat.params[i] = own[i]
    if is_legal(table, seat, move):
        return move
    return np.int64(nth_move(table, seat, 0))


@kernel
def find_others(table, seat, usual, moves):
    """Write the usual move and after it other legal ones to `moves`; return how many they are."""
    moves[0] = usual
    count = 1
    for i in range(seat.move_count):
        move = nth_move(table, seat, i)
        if move != usual and count < len(moves):
            moves[count] = move
            count += 1
    return count


@kernel
def copy_of_memory(seat):
    """Return what a seat remembers, int64[MEMORY_WORDS]."""
    words = np.empty(MEMORY_WORDS, np.int64)
    for i in range(MEMORY_WORDS):
        words[i] = seat.memory[i]
    return words


@inline_kernel
def recall(seat, words):
    """Let a seat remember what it did before a decision."""
    for i in range(MEMORY_WORDS):
        seat.memory[i] = words[i]


@inline_kernel
def hand_on(seat, params, used):
    """Give a seat the heuristic's parameters: those after the first `used` of a search's."""
    for i in range(MAX_PARAMS - used):
        seat.params[i] = params[used + i]


@kernel
def sample(table, seat, box, stream):
    """Deal what a seat cannot see, and let those choose who have chosen before it in secret.

    TABLE and BOX are modified in place: they are then as they may be in fact.
    """
    box.seats[seat.index] = seat
    used = BELIEFS + beliefs(table)
    deal_believed(table, seat, box, stream, seat.params[BELIEFS])
    make_ready(table, box, seat, used, stream)
    take_back(table, box)
    address = np.int64(seat.params[ROLLOUT])
    while table.seat != seat.index:
        step(table, box, address)


@kernel
def make_ready(table, box, looker, used, stream):
    """Give every seat of a sampled deal its random stream and the heuristic's parameters.

    They stand in the looker's after the first `used`. What the others remember is not known.
    """
    for index in range(table.players):
        seat = box.seats[index]
        seat.index = index
        open_at(seat.rng, stream)
        hand_on(seat, looker.params, used)
        for i in range(SPEC_WORDS):
            seat.spec[i] = looker.spec[i]
        if index != looker.index:
            for i in range(MEMORY_WORDS):
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
