"""UP & DOWN: what stands where in a lane of the vector registers; see `lanes`.

A lane is one column of the work space.
"""

from __future__ import annotations

from simcore.games.updown import table as updown
from simcore.games.updown.table import MAX_HAND, SEATS
from simcore.lanes import work_dtype

LANES = 32
"""More than elsewhere: the loops are short, and there is room for so many in the first cache."""

(MATCH, OVER, KEY, ROUND, AGAIN, ORDER, STRAYS) = range(7)
"""Which match of the block, or `IDLE`; whether it is over; the key of its streams; the number of
the round; whether it must be played again because a random number would have to be drawn again, or
the throws do not suffice; of the seat that is dealt with, the fraction for the order in which it
plays; not 0 where a match goes on or does not follow that of the lane before."""

(FIRST_SEAT, TOTALS, LEADERS, MOST, DEFICITS, COUNTS) = range(7, 13)
"""Of the match so far: who led first; of all seats in one word tricks won, and how many a seat was
behind; who has the most, and how many; flips, rolls, tricks won at all and by a trump in one word.
"""

(FACE, LEADER, TURN, TRUMP, THROWS, USED, POT, PLAYED, MADE) = range(13, 22)
"""Of the round: face, first leader (with dials who leads now), turn, the trump as a bit, the throws
to come, four bits each, how many bits of these have been used, and the pot; the cards played, and
the change that a leader makes."""

(LATER, CAME, LEFT, FIRST, ANYWAY) = range(22, 27)
"""Of the seat that is dealt with, the fraction for the order of its last cards; the clauses that
have come into play in the match. Of the seat that is dealt with the cards left of a large hand, and
the values that `by_spec.rate_values` found."""

HAND = 27
"""What is drawn from the deck for hands, or to lie aside, as places; then everybody's hand."""

FRACTION = HAND + SEATS
"""Two fractions for each drawing of cards, see `draws`."""

SEAT_CHANGE = FRACTION + 8
CHANGE = SEAT_CHANGE + SEATS
"""The fractions for the changes of the rules, by seat and from the first leader on."""

CARD = CHANGE + SEATS
"""The cards that all seats play, as card sets: those of the first trick, of the second one …"""

TRICKS_MASK = 31
"""Of the number of a trick, so that the compiler sees that its cards stand in no other row."""
assert MAX_HAND <= TRICKS_MASK

RESULT = CARD + SEATS * (TRICKS_MASK + 1)
WINNERS, ABORTED, SCORE, FIRST_METRIC = RESULT, RESULT + 1, RESULT + 2, RESULT + 2 + SEATS
METRIC = updown.METRIC._make(FIRST_METRIC + place for place in updown.METRIC)
"""What is written to the columns of the block; `METRIC` are the rows of the metrics by name."""

SEAT_WORD0 = FIRST_METRIC + len(METRIC)
SEAT_WORD1 = SEAT_WORD0 + SEATS
"""The streams of the seats that play by specs."""

WORK = work_dtype(SEAT_WORD1 + SEATS, LANES)
