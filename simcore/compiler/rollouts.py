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

These are ordinary functions, compiled with the game (`lookahead` prints what they need of it), and
run as they are in plain Python. Everywhere `moves` is an array of whole numbers, `results` one of
floats, `room` for each move; the first `left` moves and `tried` deals of each are looked at, and
the usual move is the first one until it is dropped.
"""

# mypy: disable-error-code="name-defined, no-untyped-def"

from __future__ import annotations

from math import exp as _exp
from math import sqrt as _sqrt

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


def _search(s, o, seat, at):
    """Return the move that a search chooses; its parameters begin at place `at` of `o._params`.

    As many numbers of a state are copied as are cleared when a match begins (`o._cleared`): all but
    the memory of seats that are not at the table.
    """
    deals = _int(o._params[at])
    winning = o._params[at + 1]
    sure = o._params[at + 2]
    trust = o._params[at + 3]
    s._looker = seat
    dealt = _state_behind(s, STATE_SIZE)
    now = _state_behind(s, 2 * STATE_SIZE)
    before = _state_behind(s, 3 * STATE_SIZE)
    moves = _numbers_behind(s, STATES * STATE_SIZE)
    results = _reals_behind(s, STATES * STATE_SIZE + MOST_MOVES)
    _copy_state(before, s, o._cleared)
    usual = _usual(s, o, seat)
    if deals < FEWEST_DEALS or _overdue(s, o):
        return usual
    size = _count_moves(s, o, seat)
    count = min(size, MOST_MOVES)
    moves[0] = usual
    left = 1
    for k in range(count if SPREAD else size):
        move = _nth_move(s, o, seat, _divided(k * size, count) if SPREAD else k)
        if move != usual and left < count:
            moves[left] = move
            left += 1
    tried = 0
    while tried < deals and left > 1:
        a = _next(s._SEAT[seat])
        b = _next(s._SEAT[seat]) | 1
        _copy_state(dealt, s, o._cleared)
        _open_streams(dealt, o, a, b)
        _deal_unseen(dealt, o, seat, trust)
        _forget_others(dealt, o, seat)
        _take_back(dealt, o)
        while dealt.seat != seat:
            _step(dealt, o, dealt.seat)
        for i in range(left):
            _copy_state(now, dealt, o._cleared)
            if moves[i] != usual:
                _recall(now, o, seat, before)
            _carry_out(now, o, seat, moves[i])
            while now.phase > 1:
                _step(now, o, now.seat)
            if now.phase == 1:
                _score_round(now, o)
            result = _margin(now, o, seat)
            if now.phase == 0:
                result += winning * _win_share(now, seat)
            results[i * deals + tried] = result
        tried += 1
        if tried % HEAT == 0 or tried == deals:
            left = drop_moves(moves, results, deals, left, tried, usual)
    move = moves[clearly_best(moves, results, deals, left, tried, usual, sure)]
    if move != usual:
        _recall(s, o, seat, before)
    return move


def _margin(s, o, seat):
    """Return by how much a seat is better than the mean of the others, or of other teams.

    Where all play together it is the total itself.
    """
    mates = _TEAM[seat] & ((1 << o.players) - 1)
    others = 0
    for one in range(o.players):
        if ((mates >> one) & 1) == 0:
            others = others + s.scores[one]
    result = _float(s.scores[seat]) - _float(others) / _float(max(o.players - popcount(mates), 1))
    return 0.0 - result if o.lowest_wins != 0 else result


def _win_share(s, seat):
    """Return a seat's share of the win."""
    return _float((s.winners >> seat) & 1) / _float(max(popcount(s.winners), 1))


def drop_moves(moves, results, room, left, tried, usual):
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


def clearly_best(moves, results, room, left, tried, usual, errors):
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
    bar = squared_quantile(errors * _sqrt(1.0 + SCEPTIC / tried), tried)
    if total > 0.0 and total * total >= bar * variance * tried:
        return best
    return 0


def best_of(results, room, left, tried):
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


def mean_variance(results, room, left, tried):
    """Return the mean variance of the differences to the first move, of moves that differ."""
    sum_ = 0.0
    count = 0
    for i in range(1, left):
        _, variance = difference(results, room, i, 0, tried)
        if variance > 0.0:
            sum_ += variance
            count += 1
    return sum_ / max(count, 1)


def is_behind(results, room, one, other, tried, errors):
    """Tell whether a move trails another by `errors` standard errors, or in every rollout alike."""
    total, variance = difference(results, room, other, one, tried)
    return total * total >= squared_quantile(errors, tried) * variance * tried


def difference(results, room, one, other, tried):
    """Return the sum of the paired differences of two moves, and their variance."""
    total = 0.0
    squares = 0.0
    for deal in range(tried):
        paired = results[one * room + deal] - results[other * room + deal]
        total += paired
        squares += paired * paired
    return total, max(0.0, squares - total * total / tried) / (tried - 1)


def squared_quantile(errors, tried):
    """Return the squared quantile of Student's t that matches `errors` normal standard errors.

    For three degrees of freedom or more, one less than deals tried, within 3 %.
    """
    free = tried - 1.0
    return free * (_exp(errors * errors * (free - 1.5) / ((free - 1.0) * (free - 1.0))) - 1.0)


def swap(moves, results, room, one, other, tried):
    """Let two moves change places, with their results."""
    if one != other:
        moves[one], moves[other] = moves[other], moves[one]
        for deal in range(tried):
            here, there = one * room + deal, other * room + deal
            results[here], results[there] = results[there], results[here]


# ------------------------------------------------------------------------- dealing anew


def _unseen(place, seat):
    """Return the cards of a place that a seat has not seen there."""
    if not _is_ordered(place):
        return place.cards
    found = _none()
    for at in range(len(place.cards)):
        if ((place.seen[at] >> seat) & 1) == 0:
            found = found | _item(place.order[at])
    return found


def _deal_place(state, place, seat, pool):
    """Deal a place as many other cards as a seat has not seen there; return what is left."""
    left = len(place.cards)
    place.cards = place.cards - _unseen(place, seat)
    if _is_ordered(place):
        for at in range(left):
            if ((place.seen[at] >> seat) & 1) == 0:
                card = _pick(state, pool)
                place.order[at] = card
                place.cards = place.cards | _item(card)
                pool = pool - _item(card)
        return pool
    while left > 0:
        card = _pick(state, pool)
        place.cards = place.cards | _item(card)
        pool = pool - _item(card)
        left = left - 1
    return pool


def _pick(state, pool):
    """Return a random card of those to be dealt."""
    return nth(pool, below(state, state._ASIDE, len(pool)))
