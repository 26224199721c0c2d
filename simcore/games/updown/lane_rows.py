"""UP & DOWN: what stands where in a lane of the vector registers; see `lanes`.

A lane is one column of the work space.
"""

from __future__ import annotations

from simcore.games.updown.options import METRICS
from simcore.games.updown.table import MAX_HAND, SEATS
from simcore.lanes import work_dtype
from simcore.records import COMMON_COUNTS

(MATCH, KEY, ROUND, AGAIN, OVER) = range(5)
"""Which match of the block, or `IDLE`; the key of its streams; the number of the round; whether it
must be played again because a random number would have to be drawn again, or the throws do not
suffice; whether it is over."""

(FIRST_SEAT, TOTALS, LEADERS, MOST, DEFICITS, POTS, LOST, LARGEST) = range(5, 13)
(FLIPS, ROLLS, TRUMP_WINS, LEAD_CHANGES, LAST_CHANGE) = range(13, 18)
"""Of the match so far, as in `random_play`."""

(FACE, LEADER, TURN, TRUMP, THROWS, POT) = range(18, 24)
"""Of the round: face, first leader, turn, the trump as a bit, the throws to come, four bits each,
and the pot."""

HAND = 24
REST = HAND + SEATS - 1
"""The cards that are drawn from the deck for a hand, or to lie aside; those that are left then."""

FRACTION = REST + 1
"""Two fractions for each drawing of cards, see `draws`."""

(ORDER, VALUE_LIST, COLOUR_LIST, UNLISTED) = range(FRACTION + 6, FRACTION + 10)
"""Of the seat that is looked at: the fraction for the order in which it plays its hand, and this
hand, four bits for each card, as `lane_deal.list_cards` makes it."""

SEAT_CHANGE = UNLISTED + 1
CHANGE = SEAT_CHANGE + SEATS
"""The fractions for the changes of the rules, by seat and from the first leader on."""

WORD0, WORD1 = CHANGE + SEATS, CHANGE + SEATS + 1
"""The stream of the dice."""

CARD = WORD1 + 1
"""The cards that all seats play, as card sets: those of the first trick, of the second one …"""

RESULT = CARD + SEATS * (MAX_HAND + 1)
WINNERS, ABORTED, SCORE, METRIC = RESULT, RESULT + 1, RESULT + 2, RESULT + 2 + SEATS
"""What is written to the columns of the block."""

LANE_ROWS = METRIC + len(METRICS) + len(COMMON_COUNTS)
WORK = work_dtype(LANE_ROWS)
