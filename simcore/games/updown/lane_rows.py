"""UP & DOWN: what stands where in a lane of the vector registers, and the dials; see `lanes`.

A lane is one column of the work space. `dials` [H1]…[H7] are `Dials`, or None where all are as in
the rule text: what is compiled for None has them as constants, so that a dial costs nothing until
it is set.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from simcore import rng
from simcore.games.updown import table as updown
from simcore.games.updown.options import HAND_SIZES
from simcore.games.updown.table import CHANGES, MAX_HAND, SEATS
from simcore.jit import inline_kernel
from simcore.lanes import work_dtype

LANES = 32
"""More than elsewhere: the loops are short, and there is room for so many in the first cache."""

(MATCH, OVER, KEY, ROUND, AGAIN, STRAYS) = range(6)
"""Which match of the block, or `IDLE`; whether it is over; the key of its streams; the number of
the round; whether it must be played again because a random number would have to be drawn again, or
the throws do not suffice; not 0 where a match goes on or does not follow that of the lane before.
"""

(FIRST_SEAT, TOTALS, LEADERS, MOST, DEFICITS, COUNTS) = range(6, 12)
"""Of the match so far: who led first; of all seats in one word tricks won, and how many a seat was
behind; who has the most, and how many; flips, rolls, tricks won at all and by a trump in one word.
"""

(FACE, LEADER, TURN, THROWS, POT, PLAYED, MADE) = range(12, 19)
"""Of the round: face, first leader (with dials who leads now), turn, the throws that named a trump,
from the last one on, four bits each, and the pot; the cards played, and the change that a leader
makes."""

(CAME, FIRST, ANYWAY) = range(19, 22)
"""The clauses that have come into play in the match; of the seat that is dealt with the values that
`by_spec.rate_values` found."""

HAND = 22
"""Everybody's hand."""

SEAT_CHANGE = HAND + SEATS
CHANGE = SEAT_CHANGE + SEATS
"""The fractions for the changes of the rules, by seat and from the first leader on."""

CARD = CHANGE + SEATS
"""The cards that all seats play, as card sets: those of the first trick, of the second one …"""

RESULT = CARD + SEATS * MAX_HAND
WINNERS, ABORTED, SCORE, FIRST_METRIC = RESULT, RESULT + 1, RESULT + 2, RESULT + 2 + SEATS
METRIC = updown.METRIC._make(FIRST_METRIC + place for place in updown.METRIC)
"""What is written to the columns of the block; `METRIC` are the rows of the metrics by name."""

SEAT_WORD0 = FIRST_METRIC + len(METRIC)
SEAT_WORD1 = SEAT_WORD0 + SEATS
"""The streams of the seats that play by specs."""

PURPOSES_MASK = 15
"""Of the purpose of a stream, so that the compiler sees which rows are its own."""
assert rng.FIRST_SEAT_STREAM + SEATS <= PURPOSES_MASK + 1

ROUND_WORD = SEAT_WORD1 + SEATS
ROUND_MIXED = ROUND_WORD + PURPOSES_MASK + 1
"""The `rng.round_words` of all streams, by purpose."""

WORK = work_dtype(ROUND_MIXED + PURPOSES_MASK + 1, LANES)


class Dials(NamedTuple):
    """What dials say, in fields of TABLE of the same names."""

    changes: Any
    keep: Any
    eligible: Any
    winner_leads: Any
    dice: Any
    pots: Any
    carried: Any
    players: Any
    hand_size: Any


RULE_TEXT = Dials(CHANGES, -1, 0, 0, 1, 1, 0, 0, 0)
"""But for players and cards of a hand, of which only who is handed dials asks."""


@inline_kernel
def dials_of(table):
    """Return the dials of a TABLE."""
    moves = table.changes, table.keep, table.eligible, table.winner_leads
    return Dials(*moves, table.dice, table.pots, table.carried, table.players, table.hand_size)


@inline_kernel
def rules_by(dials):
    """Return what dials say; of None that is the rule text."""
    return RULE_TEXT if dials is None else dials


@inline_kernel
def plays_otherwise(dials):
    """Tell whether a trick is played in another way than by the rule text."""
    rules = rules_by(dials)
    moves = (rules.changes != CHANGES) | (rules.keep >= 0) | (rules.pots == 0)
    return moves | (rules.eligible != 0) | (rules.winner_leads != 0)


def has_dials(table):
    """Tell whether a TABLE is played in another way than by the rule text; not compiled."""
    usual = HAND_SIZES[int(table.players)]
    return plays_otherwise(dials_of(table)) or table.hand_size != usual or table.carried != 0
