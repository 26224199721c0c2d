"""UNO: the rows of a lane, and how its steps differ from table to table (see `lane_steps`)."""

from __future__ import annotations

from simcore.games.uno.cards import KINDS

HAND, DOUBLES, WORD0, WORD1 = range(4)
"""Rows of the seat on turn, and what `seats` has of every seat: the hand as a card set, the two
words of the private stream."""

URGENT, LIKED, NEXT_LIKED, LAST_LIKED = range(4, 8)
HITTING, BLUFFING, LACKING, DOUBTING = range(8, 12)
"""Rows of how the seat on turn plays, and what `tactics` and `more_tactics` have of every seat (see
`lanes.write_tactic`)."""

DRAW0, DRAW1, NUMBER = range(12, 15)
"""Rows of the order along which the seat on turn draws, and what `orders` has of every seat; there
is room for one more."""

CARDS, HELD, SEAT, PENDING, TURNS, REVERSALS, SIZE, LOOSE, CARD, NEEDS = range(16, 26)
PLAYABLE, COLOUR_CARDS, TOP, LEFT0, LEFT1 = range(26, 31)
COUNTS, SEEN, BUSY, COINS, DREW, LAID, EVIDENCE, COMPELLED = range(31, 39)
LANE_ROWS = 39
"""Rows of the whole lane.

How many cards each seat has (`choice.with_count`; kept where policies say how they play); the seat
whose rows the first ones are; the seat on turn; how many cards it is still made to draw, `INNOCENT`
or `BLUFF` when it is to answer such a wild draw four, 0 in an ordinary turn; turns and reversals of
the round; how many cards the stock has, how many of them in no order, and the kind of the next one,
or `UNKNOWN` or `NOTHING`; a mask, whether it was drawn. What may be laid, the cards of the colour
asked for, the card on top as its bit; the stock as a set of numbers. Counts (see `COUNT_SHIFTS`);
what came into play: draw twos laid, wild draw fours that could not be laid, `HAD_TO_LAY` and
`NOT_LAST`; a mask, whether the lane has a
match; for every seat that plays at random a bit: what it will decide next of what it decides aside
(`moves.is_aside`), 1 for the second move; seat 0 has the highest bit. For every seat the colours on
which it last had to draw and which it laid last, as one of four bits; what speaks for a bluff: the
layer's cards, and above these the case of `spec.doubts`. How many cards just drawn had to be
laid."""

COUNT_SHIFTS = OTHERS, FOURS, BLUFFS, DOUBTS, CAUGHT = 16, 32, 40, 48, 56
"""Where in `COUNTS` stand other decisions than what to do in a turn, which stand first; wild draw
fours laid, and those illegally; challenges, and those won."""

INNOCENT, BLUFF = -1, -2

UNKNOWN, NOTHING = 63, 62
"""Kinds of a card to draw: the lane must be looked after first; who draws it draws nothing."""

ANYTHING, PREFERRED, SOME_RANDOM, RANDOM_CARDS, ALL = (), (0,), (0,) * 2, (0,) * 3, (0,) * 4
"""How the seats of a table play, of which only the length counts, for the compiler: all make any
move; all prefer some cards, and neither bluff nor doubt nor look at what others lack; the same,
but some lay any card; all lay any card; as each likes."""

USUAL, HOUSE = (), (0,)
"""Whether there are house rules or dials, of which again only the length counts."""

HAD_TO_LAY, NOT_LAST = 1 << KINDS, 2 << KINDS
"""In `SEEN`: somebody had to lay a card, or could not lay one as the last."""
