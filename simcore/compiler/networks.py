"""Learned policies and what they learn from, as functions over numbers: a network, a recorder.

A learned policy values each legal move by a small network of features, and takes the best. Features
are functions of the language (`learned` prints their calls); what they return is written into words
of numbers, the same ones that the recorder hands back. What a word means to the network (a set of
cards, one number of several, a measured one) is data, as its weights are, so that another network
of the same features needs no compiling. A move that the base policy would make is one more feature.

The recorder plays matches, picks one decision of each, all with the same probability (reservoir
sampling: Vitter 1985, "Random sampling with a reservoir", ACM TOMS 11), and plays the round on from
there with several moves. The position, the hidden cards, the streams and what policies remember are
the same for all of them (common random numbers), so the luck of the deal is in no difference. What
a policy has remembered of a decision is forgotten where another move is made for it; a move that is
then no longer legal is replaced by the first legal one, as in a search.

These are ordinary functions, compiled with the game, and run as they are in plain Python, like
those of `rollouts`.
"""

# mypy: disable-error-code="name-defined, no-untyped-call, no-untyped-def"

from __future__ import annotations

UNITS = 32
"""Hidden units of a network."""

UNIT_ROW = UNITS + 1
"""Weights of one input: to the units, and straight to the result."""

SCRATCH, BASE_MOVE = 0, 1
"""Where in a network stand the place of its scratch numbers, and the base policy's last move; the
place of a decision's part stands at the decision's number, 0 if it has none."""

MOST_DECISIONS = 64

OF_STATE, OF_MOVE, WEIGHTS, BIAS, OUTPUT, USUAL, CODES = range(7)
"""What a part of a network begins with: how many features of the state and of a move there are;
where the weights of inputs, the bias and the weights of units begin; the input for the base
policy's move; then the codes of the features, those of the state first."""

CODE = 5
"""Numbers of a code: its kind, its first input, the lowest value, how many inputs or the scale."""

CARDS_CODE, ONE_OF_CODE, WHOLE_CODE, REAL_CODE = range(4)

FURTHEST = 4.0
"""Standard deviations from the mean beyond which a measured feature counts as if it was there."""

HEAD = 16
"""Numbers of the recorder that stand before three states: the one before the decision that was
picked, the one after it, and the one in which matches are played."""

RESULTS, MOVE_HEAD = 5, 5
"""Numbers before the features of a decision, and before those of each move that was tried."""


# ---------------------------------------------------------------------------------- the network


def _add_input(reals, into, weights, x):
    """Add the weights of an input to the units."""
    for k in range(UNIT_ROW):
        reals[into + k] = reals[into + k] + x * reals[weights + k]


def _add_features(net, reals, code, count, words, stride, weights, into):
    """Add features from their words, by their codes."""
    for _ in range(count):
        kind = net[code]
        first = weights + net[code + 1] * UNIT_ROW
        if kind == CARDS_CODE:
            for part in range(stride):
                rest = net[words + part]
                while rest != 0:
                    row = 64 * part + lowest_bit(rest)
                    rest = _cleared(rest)
                    if row < net[code + 3]:
                        _add_input(reals, into, first + row * UNIT_ROW, 1.0)
        elif kind == ONE_OF_CODE:
            row = min(max(net[words] - net[code + 2], 0), net[code + 3] - 1)
            _add_input(reals, into, first + row * UNIT_ROW, 1.0)
        else:
            x = reals[words] if kind == REAL_CODE else _float(net[words])
            x = (x - reals[code + 2]) * reals[code + 3]
            _add_input(reals, into, first, min(max(x, 0.0 - FURTHEST), FURTHEST))
        code = code + CODE
        words = words + stride


def _begin_network(net, reals, part, words, stride):
    """Sum up what all moves have in common, behind the scratch words of the features."""
    at = net[SCRATCH]
    for k in range(UNIT_ROW):
        reals[at + k] = reals[net[part + BIAS] + k]
    count = net[part + OF_STATE]
    _add_features(net, reals, part + CODES, count, words, stride, net[part + WEIGHTS], at)


def _worth_of(net, reals, part, words, stride, is_usual):
    """Return what a move is worth, from the words of its features."""
    at = net[SCRATCH] + UNIT_ROW
    for k in range(UNIT_ROW):
        reals[at + k] = reals[at - UNIT_ROW + k]
    weights, code = net[part + WEIGHTS], part + CODES + CODE * net[part + OF_STATE]
    if is_usual:
        _add_input(reals, at, weights + net[part + USUAL] * UNIT_ROW, 1.0)
    _add_features(net, reals, code, net[part + OF_MOVE], words, stride, weights, at)
    worth = reals[at + UNITS]
    output = net[part + OUTPUT]
    for k in range(UNITS):
        worth = worth + max(reals[at + k], 0.0) * reals[output + k]
    return worth


# --------------------------------------------------------------------------------- the recorder


def _consider(s, o, seat, decision):
    """Let a decision that is about to be made be the one that is recorded, perhaps."""
    head = _numbers_behind(s, 0 - 2 * STATE_SIZE - HEAD)
    if head[0] >= 0 and ((head[1] >> seat) & 1) != 0 and ((head[2] >> decision) & 1) != 0:
        head[0] = head[0] + 1
        if below(s, _numbers_behind(s, 0 - 2 * STATE_SIZE - 2), head[0]) == 0:
            _copy_state(_state_behind(s, 0 - 2 * STATE_SIZE), s, o._cleared)
            head[3] = seat
            head[5] = decision
            head[8] = 1


def _plays_on(s):
    """Tell whether a round is played on from the decision that is recorded."""
    return _numbers_behind(s, 0 - 2 * STATE_SIZE - HEAD)[0] < 0


def _note_choice(s, o, seat, choice):
    """Note what was chosen where that decision is to be recorded, and the state then."""
    head = _numbers_behind(s, 0 - 2 * STATE_SIZE - HEAD)
    if head[8] == 0:
        return
    head[8] = 0
    _copy_state(_state_behind(s, 0 - STATE_SIZE), s, o._cleared)
    head[4] = choice
    head[6] = choice
    if ((head[7] >> seat) & 1) != 0:
        net = _numbers_at(_address(o._params[seat * MAX_PARAMS]))
        if net[head[5]] != 0:
            head[6] = net[BASE_MOVE]


def _record(s, o, tries, out, size, of_move):
    """Record the decision that was picked: play the round on with each of up to `tries` moves.

    Its row of `size` numbers begins at `out`: seat, decision, how many moves are legal and tried,
    the base policy's move; the features of the state; for each move tried, `of_move` numbers apart,
    the move, whether the policy chose it, the seat's share of the win, whether the match is over,
    the margin of the seat, and the features of the move. The move that was chosen comes first.
    Return whether all went well.
    """
    head = _numbers_behind(s, 0 - 2 * STATE_SIZE - HEAD)
    stream = _numbers_behind(s, 0 - 2 * STATE_SIZE - 2)
    before = _state_behind(s, 0 - 2 * STATE_SIZE)
    saved = _state_behind(s, 0 - STATE_SIZE)
    seat, choice, decision = head[3], head[4], head[5]
    head[0] = -1
    numbers, reals = _numbers_at(out), _reals_at(out)
    count = _count_moves(saved, o, seat)
    numbers[0] = seat
    numbers[1] = decision
    numbers[2] = count
    numbers[4] = head[6]
    at = size - tries * of_move
    _state_words(saved, o, seat, decision, numbers, reals, RESULTS)
    left, rest, tried = tries - 1, count - 1, 0
    for k in range(-1, count):
        move = choice if k < 0 else _nth_move(saved, o, seat, k)
        is_taken = k < 0
        if k >= 0 and move != choice:
            is_taken = below(s, stream, max(rest, 1)) < left
            left = left - (1 if is_taken else 0)
            rest = rest - 1
        if is_taken:
            _move_words(saved, o, seat, move, decision, numbers, reals, at + MOVE_HEAD)
            _copy_state(s, saved, o._cleared)
            if k >= 0:
                _recall(s, o, seat, before)
            _carry_out(s, o, seat, move)
            is_over = False
            while s.phase > 1 and not is_over:
                is_over = _step(s, o, s.seat)
            if s.phase == 1:
                _score_round(s, o)
            if s.phase < 0 or s._fault != 0:
                return False
            numbers[at] = move
            numbers[at + 1] = 1 if k < 0 else 0
            reals[at + 2] = _win_share(s, seat)
            numbers[at + 3] = 1 if s.phase == 0 else 0
            reals[at + 4] = _margin(s, o, seat)
            at = at + of_move
            tried = tried + 1
    numbers[3] = tried
    return True
