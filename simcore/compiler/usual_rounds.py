"""The rounds of a game that says only what a move is, in the language of rules.

`program` puts the game's own steps in the place of those declared here, and its settings in that of
the constants.
"""

from __future__ import annotations

from simcore.language import (
    abort,
    after,
    ask,
    best_seats,
    end_match,
    end_round,
    note_leaders,
    o,
    seats,
    team,
)

NOTHING = -1
"""The phase while a move is carried out that has asked nobody yet."""

ROUND_OVER = 1

TURN_CAP = 2000
LOWEST = 0


def deal_simple(s):
    """Begin a round; the seats take turns at beginning."""
    s.phase = NOTHING
    s.steps = 0
    s.seat = (s.round_number - 1) % o.players
    deal(s)
    if s.phase == NOTHING:
        ask(s, s.seat, 2)
        begin_turn(s, s.seat)


def apply_simple(s, seat, move):
    """Carry a move out, or pass, and let the game go on."""
    s.phase = NOTHING
    if move != -1:
        apply(s, seat, move)
    go_on(s, seat)


def go_on(s, seat):
    """Ask the next seat, unless the move has asked somebody or the round is over."""
    if s.phase == NOTHING:
        who = next_seat(s, seat)
        s.steps += 1
        s.count.turns += 1
        if ended(s, seat):
            if s.phase == NOTHING:
                end_round(s)
        elif s.steps >= TURN_CAP:
            abort(s)
        else:
            ask(s, who, 2)
            begin_turn(s, who)


def score_simple(s):
    """Score a round, and end the match if it is decided."""
    s.count.rounds += 1
    for seat in seats():
        s.points[seat] = 0
    score(s)
    for seat in seats():
        s.scores[seat] += gained(s, seat)
    note_leaders(s, LOWEST)
    if match_over(s) and s.phase == ROUND_OVER:  # the game has not ended the match by itself
        end_match(s, best_seats(s, LOWEST))


def gained(s, seat):
    """Return what a round adds to the total of a seat."""
    return s.points[seat]


def gained_by_team(s, seat):
    """Return the same where seats play in teams: what all of the seat's team gained."""
    return sum(s.points[one] for one in team(seat))


# ---------------------------------------------------------------------- the game's steps


def deal(s):
    """Begin a round."""


def apply(s, seat, move):
    """Carry a move out."""


def next_seat(s, seat):
    """Return the seat that moves next: clockwise."""
    return after(seat, 1)


def begin_turn(s, seat):
    """Begin a turn, in which there is nothing to do before the move."""


def ended(s, seat):
    """Tell whether the round is over."""


def score(s):
    """Give points for a round that is over."""


def match_over(s):
    """Tell whether the match is over: after one round."""
    return True
