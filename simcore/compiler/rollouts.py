"""Search by simulation as functions over numbers: the loop over deals, and which moves are dropped.

For every decision the search deals what its seat cannot see at random among all that is consistent
with what it has seen, makes each legal move on a copy of that deal, plays the round out with
another policy in all seats, and takes the move with the best mean result (Ginsberg 2001, "GIB:
Imperfect information in a computationally challenging game", JAIR 14, for bridge). Where seats
choose in secret and at the same time, those asked before are let choose again, too.

All moves are tried on the same deals, with the same random streams, so the noise of a deal is in
none of the differences. A move that has fallen clearly behind the best on the same deals is dropped
(a race with blocking: Moore & Lee 1994, "Efficient algorithms for minimizing cross validation
error", ICML). One of them, the usual one, is what is done without a search, and it is left only for
a move that is clearly better: so what noise there is does not make a search worse than what it
starts from (Bertsekas, Tsitsiklis & Wu 1997, "Rollout algorithms for combinatorial optimization",
Journal of Heuristics 3; Thomas, Theocharous & Ghavamzadeh 2015, "High confidence policy
improvement", ICML).

Clear is a paired difference of so many standard errors, after four corrections for few deals.

- The standard error is estimated from these deals: a quantile of Student's t has the place of the
  normal one, by the formula of Gaver & Kafadar 1984, "A retrievable recipe for inverse t", The
  American Statistician 38.
- Where a rare loss has not shown up yet, the differences of a move scatter too little. So their
  variance is drawn towards the mean one of all moves (Smyth 2004, "Linear models and empirical
  Bayes methods for assessing differential expression", Statistical Applications in Genetics and
  Molecular Biology 3).
- Few deals find large differences only by chance, if most moves differ little: the bar is higher
  for them (`SCEPTIC`), as it would be by any prior that the usual move is good.
- Fewer than `FEWEST_DEALS` tell nothing.

There is no correction for the number of moves: with many deals it costs more than it saves.

`search` reads these functions and compiles them with the game; what depends on the game is declared
at the end, and printed by `search`. As ordinary Python they run once those are replaced, as tests
do. Everywhere `moves` is an array of whole numbers, `results` one of floats, `room` for each move;
the first `left` moves and `tried` deals of each are looked at, and the usual move is the first one
until it is dropped.
"""

# mypy: disable-error-code="empty-body"
# What `search` prints for each game has no body here.

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:  # the words of compiled code
    from simcore.compiler.numba_code import (  # noqa: TC004
        as_real,
        copy_state,
        cut,
        divided_by,
        modulo,
        option,
        popcount,
        real,
        reals_at,
        state_after,
        words_at,
    )

STATES = 4
"""One behind the other: the match, a deal of what is unseen, the rollout under way, and the match
as it was when the decision began; behind them is room for the results."""

STATE_SIZE = 0
"""Numbers of a state, known when a game is compiled."""

HEAT = 8
"""Deals between two looks at which moves have fallen behind."""

MOST_MOVES = 64
"""Moves that are looked at."""

SPREAD = False
"""Whether they lie at equal distances, known when a game is compiled. They do in users' games, as
of bids to 100; of the built-in games' hundreds of ways to pick equal cards the first are taken."""

FEWEST_DEALS = 4

BEHIND = 2.5
"""Standard errors by which a move must be behind the best one to be dropped."""

FAR_BEHIND = 4.0
"""The same for the usual move."""

BORROWED = 4.0
"""Deals that the mean variance of all moves counts for, beside those tried."""

SCEPTIC = 64.0
"""With so many deals a move must be √2 times as many standard errors ahead as with very many; with
fewer, more. In UNO, where the moves differ least, a bar of one standard error for any number of
deals costs more than half of the wins with 4 rollouts, and a quarter with 16."""

State: TypeAlias = Any
Options: TypeAlias = Any
Words: TypeAlias = Any
"""An array of whole numbers."""

Reals: TypeAlias = Any
"""An array of floats."""


def choose(s: State, o: Options, seat: int, at: int) -> int:
    """Return the move that a search chooses; its parameters are the options from place `at` on.

    As many numbers of a state are copied as are cleared when a match begins (`o.cleared`): all but
    the memory of seats that are not at the table.
    """
    rollouts = cut(as_real(option(o, at)))
    winning = as_real(option(o, at + 1))
    sure = as_real(option(o, at + 2))
    trust = as_real(option(o, at + 3))
    dealt = state_after(s, 1)
    now = state_after(s, 2)
    before = state_after(s, 3)
    moves = words_at(s, STATES * STATE_SIZE)
    results = reals_at(s, STATES * STATE_SIZE + MOST_MOVES)
    copy_state(before, s, o.cleared)
    usual = usual_(s, o, seat, seat)
    if rollouts < FEWEST_DEALS or is_overdue_(s, o):
        return usual
    size = count_moves_(s, o, seat)
    count = min(size, MOST_MOVES)
    moves[0] = usual
    left = 1
    for k in range(count if SPREAD else size):
        move = nth_move_(s, o, seat, divided_by(k * size, count) if SPREAD else k)
        if move != usual and left < count:
            moves[left] = move
            left += 1
    tried = 0
    while tried < rollouts and left > 1:
        a = next_SEAT(s, o, seat)
        b = next_SEAT(s, o, seat) | 1
        copy_state(dealt, s, o.cleared)
        open_streams_(dealt, o, a, b)
        deal_unseen_(dealt, o, seat, trust)
        forget_others_(dealt, o, seat)
        take_back_(dealt, o)
        while dealt.seat != seat:
            roll_(dealt, o, dealt.seat, seat)
        for i in range(left):
            copy_state(now, dealt, o.cleared)
            if moves[i] != usual:
                recall_(now, o, seat, before)
            carry_out_(now, o, seat, moves[i])
            while now.phase > 1:
                roll_(now, o, now.seat, seat)
            if now.phase == 1:
                score_round_(now, o)
            result = margin_(now, o, seat)
            if now.phase == 0:
                result += winning * win_share_(now, o, seat)
            results[i * rollouts + tried] = result
        tried += 1
        if modulo(tried, HEAT) == 0 or tried == rollouts:
            left = drop_moves(moves, results, rollouts, left, tried, usual)
    move = moves[clearly_best(moves, results, rollouts, left, tried, usual, sure)]
    if move != usual:
        recall_(s, o, seat, before)
    return move


def margin_(s: State, o: Options, seat: int) -> float:
    """Return by how much a seat is better than the mean of the others, or of other teams."""
    team = team_(s, o, seat)
    others = 0
    for one in range(o.players):
        if ((team >> one) & 1) == 0:
            others = others + s.scores[one]
    result = real(s.scores[seat]) - real(others) / real(max(o.players - popcount(team), 1))
    return 0.0 - result if o.lowest_wins != 0 else result


def win_share_(s: State, o: Options, seat: int) -> float:
    """Return a seat's share of the win."""
    return real((s.winners >> seat) & 1) / real(max(popcount(s.winners), 1))


def drop_moves(moves: Words, results: Reals, room: int, left: int, tried: int, usual: int) -> int:
    """Drop the moves that are clearly behind the best one, or the same; return how many are left.

    Those left come first: `moves` and `results` are modified in place.
    """
    best = best_of(results, room, left, tried)
    first = 0
    if moves[0] == usual and (
        best == 0 or not is_behind(results, room, 0, best, tried, FAR_BEHIND)
    ):
        first = 1
    kept = first
    for i in range(first, left):
        if i == best or not is_behind(results, room, i, best, tried, BEHIND):
            if i == best:
                best = kept
            swap(moves, results, room, kept, i, tried)
            kept += 1
    return kept


def clearly_best(
    moves: Words, results: Reals, room: int, left: int, tried: int, usual: int, errors: float
) -> int:
    """Return the place of the best move, or of the usual one if the best is not clearly ahead.

    `errors` are the standard errors that it must be ahead with very many deals; see the module for
    what is corrected.
    """
    best = best_of(results, room, left, tried)
    if best == 0 or moves[0] != usual:
        return best
    total, variance = difference(results, room, best, 0, tried)
    free = tried - 1.0
    mean = mean_variance(results, room, left, tried)
    variance = (free * variance + BORROWED * mean) / (free + BORROWED)
    bar = squared_quantile(errors * sqrt(1.0 + SCEPTIC / tried), tried)
    if total > 0.0 and total * total >= bar * variance * tried:
        return best
    return 0


def best_of(results: Reals, room: int, left: int, tried: int) -> int:
    """Return the place of the move with the best mean result, the first of several."""
    best = 0
    most = 0.0
    for i in range(left):
        total = 0.0
        for deal in range(tried):
            total += results[i * room + deal]
        if i == 0 or total > most:
            best = i
            most = total
    return best


def mean_variance(results: Reals, room: int, left: int, tried: int) -> float:
    """Return the mean variance of the differences to the first move, of moves that differ."""
    sum_ = 0.0
    count = 0
    for i in range(1, left):
        _, variance = difference(results, room, i, 0, tried)
        if variance > 0.0:
            sum_ += variance
            count += 1
    return sum_ / max(count, 1)


def is_behind(results: Reals, room: int, one: int, other: int, tried: int, errors: float) -> bool:
    """Tell whether a move trails another by `errors` standard errors, or in every rollout alike."""
    total, variance = difference(results, room, other, one, tried)
    return total * total >= squared_quantile(errors, tried) * variance * tried


def difference(results: Reals, room: int, one: int, other: int, tried: int) -> tuple[float, float]:
    """Return the sum of the paired differences of two moves, and their variance."""
    total = 0.0
    squares = 0.0
    for deal in range(tried):
        paired = results[one * room + deal] - results[other * room + deal]
        total += paired
        squares += paired * paired
    return total, max(0.0, squares - total * total / tried) / (tried - 1)


def squared_quantile(errors: float, tried: int) -> float:
    """Return the squared quantile of Student's t that matches `errors` normal standard errors.

    For three degrees of freedom or more, one less than deals tried, within 3 %.
    """
    free = tried - 1.0
    return free * (exp(errors * errors * (free - 1.5) / ((free - 1.0) * (free - 1.0))) - 1.0)


def swap(moves: Words, results: Reals, room: int, one: int, other: int, tried: int) -> None:
    """Let two moves change places, with their results."""
    if one != other:
        moves[one], moves[other] = moves[other], moves[one]
        for deal in range(tried):
            here, there = one * room + deal, other * room + deal
            results[here], results[there] = results[there], results[here]


# -------------------------------------------------------------- what `search` prints for each game


def team_(s: State, o: Options, seat: int) -> int:
    """Return the seats that a seat plays for, as bits: itself, or its team."""


def usual_(s: State, o: Options, seat: int, looker: int) -> int:
    """Return the legal move of the policy that plays rounds out for a seat that looks ahead."""


def roll_(s: State, o: Options, seat: int, looker: int) -> None:
    """Let a seat decide in a rollout, and carry that out."""


def carry_out_(s: State, o: Options, seat: int, choice: int) -> None:
    """Carry a move out."""


def count_moves_(s: State, o: Options, seat: int) -> int:
    """Return how many legal moves there are."""


def nth_move_(s: State, o: Options, seat: int, index: int) -> int:
    """Return a legal move by its place."""


def next_SEAT(s: State, o: Options, seat: int) -> int:
    """Draw 64 bits from a seat's own stream."""


def open_streams_(s: State, o: Options, a: int, b: int) -> None:
    """Let all streams begin anew, by two random words."""


def deal_unseen_(s: State, o: Options, seat: int, trust: float) -> None:
    """Deal what a seat does not see anew."""


def forget_others_(s: State, o: Options, seat: int) -> None:
    """Clear what the other seats remember."""


def recall_(s: State, o: Options, seat: int, before: State) -> None:
    """Restore a seat's memory from an earlier state."""


def take_back_(s: State, o: Options) -> None:
    """Take back what seats have chosen in secret."""


def score_round_(s: State, o: Options) -> None:
    """Score a round that is over."""


def is_overdue_(s: State, o: Options) -> bool:
    """Tell whether the match is about to be aborted, so that no search is worth its time."""
