"""UNO: the rows of a lane, and how its steps differ from table to table (see `lane_steps`)."""

from __future__ import annotations

from collections import namedtuple

from simcore.jit import inline_kernel

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
ASIDE0, ASIDE1, PAIRS = range(39, 42)
"""Rows of the seat on turn, and what `more` has of every seat: the two words of the stream for what
it decides aside, and the third word of its hand; there is room for one more."""

STATE, FOLLOWING, ASKED, ASKS, LAYER, PARTNER, HOLDERS, EXTRAS, LARGEST = range(43, 52)
HANDS = 52
MOVE, PLACE, AGAIN, NEXT0, NEXT1, RICHEST, BLUFFS_NOW, MAY_DRAW = range(62, 70)
GONE, GONE_TWICE = 70, 71
LANE_ROWS = 72
"""Rows of the whole lane; those from `STATE` on for house rules, see below.

How many cards each seat has (`choice.with_count`; kept where policies say how they play); the seat
whose rows the first ones are; the seat on turn; how many cards it is still made to draw, `INNOCENT`
or `BLUFF` when it is to answer such a wild draw four, 0 in an ordinary turn; turns and reversals of
the round; how many cards the stock has, how many of them in no order, and the kind of the next one,
or `UNKNOWN` or `NOTHING`; a mask, whether it was drawn. What may be laid, the cards of the colour
asked for, the card on top as its bit; the stock as a set of numbers. Counts (see `COUNT_SHIFTS`);
which clauses came into play, but for what the counts tell; a mask, whether the lane has a match;
for every seat that plays at random a bit: what it will decide next of what it decides aside
(`moves.is_aside`), 1 for the second move; seat 0 has the highest bit. For every seat the colours on
which it last had to draw and which it laid last, as one of four bits; what speaks for a bluff: the
layer's cards, and above these the case of `spec.doubts`. How many cards just drawn had to be laid.

Which decision is due but for `PENDING` (`ORDINARY` … `WRONG`); whose turn begins once nobody jumps
in, and who may yet do so, in bits; a mask, whether this is to be asked; who laid the last wild draw
four; with whom hands are swapped, or `ALL_OF_THEM`; who holds the card on top, in bits; counts (see
`EXTRA_SHIFTS`) and the largest stack. From `HANDS` on the first word of each seat's hand.

What was chosen ahead: see `Choice`, of which these are all.

`GONE` are the kinds of the discards under the top card, `GONE_TWICE` those of which there are two
or more: what the next stock is made of. Where a wild card is among the latter, or discards are not
noted (`lanes.WORK`), the stock is made of all that is in no hand instead.
"""

COUNT_SHIFTS = OTHERS, FOURS, BLUFFS, DOUBTS, CAUGHT = 16, 32, 40, 48, 56
"""Where in `COUNTS` stand other decisions than what to do in a turn, which stand first; wild draw
fours laid, and those illegally; challenges, and those won."""

CASE = 8
"""Where the case stands in `EVIDENCE`."""

INNOCENT, BLUFF = -1, -2

UNKNOWN, NOTHING = 63, 62
"""Kinds of a card to draw: the lane must be looked after first; who draws it draws nothing."""

ALL_KNOWN = -1
"""In `LOOSE`: `CARD` says whether the next card is known (each seat draws along its own order)."""

ANYTHING, RANDOM_CARDS, PREFERRED, SOME_RANDOM, ALL, MIXED = ((0,) * length for length in range(6))
"""How the seats of a table play, of which only the length counts, for the compiler: all make any
move; all lay any card; all prefer some cards, and neither bluff nor doubt nor look at what others
lack; the same, but some lay any card; all prefer some, each as it likes; each as it likes."""


@inline_kernel
def leaves_to_chance(told):
    """Tell whether some seat lays any card, or makes any move."""
    return len(told) not in (len(PREFERRED), len(ALL))


@inline_kernel
def prefers(told):
    """Tell whether some seat may prefer some cards."""
    return len(told) >= len(PREFERRED)


@inline_kernel
def answers_fours(told):
    """Tell whether some seat may challenge a wild draw four."""
    return len(told) == 0 or len(told) >= len(ALL)


ORDINARY, DRAWS_ON, PRESSED, JUMPS, SWAPS, WRONG = range(6)
"""In `STATE`: `PENDING` says it all; the seat on turn draws until a card can be played; it may lay
a card on a stack instead of drawing; it may jump in; it swaps hands; it draws for another one's
wild draw four, which it challenged."""

ALL_OF_THEM = -1

EXTRA_SHIFTS = JUMPED, SWAPPED = 16, 32
"""Where in `EXTRAS` stand the cards laid out of turn, and hands swapped or passed on; first stand
those laid on a stack."""


Dials = namedtuple("Dials", "house until stacks anyone jumps swaps wide")  # noqa: PYI024
"""How the steps of a table differ from those of the rule text.

Of each only the length counts, for the compiler: how many cards are drawn, `must_play`,
`last_card`; `draw`; `stacking`; `challenge = "any"`; `jump_in`, with how many seats; `seven_zero`;
a third word of a hand. All of them cost time, so there is a kernel for each alone, and one for all.
"""

USUAL = Dials(*[()] * 7)


@inline_kernel
def asks_more(dials):
    """Tell whether seats decide more than by the rule text, or others."""
    return len(dials.stacks) + len(dials.anyone) + len(dials.jumps) + len(dials.swaps) > 0


@inline_kernel
def has_more(dials):
    """Tell whether each seat has one more record."""
    return asks_more(dials) or len(dials.wide) > 0


Rules = namedtuple(  # noqa: PYI024
    "Rules",
    "players skips no_bluffs last turn_cap draw_two draw_four penalty must_play number_last until "
    "stacks same all_challenge jumps swaps",
)
"""What options say of a step.

As in TABLE the players, the cards that skip, a mask, whether nobody may challenge; who lays one of
how many cards is looked after; the cap on turns; how many cards a draw two makes draw, a wild draw
four, and a wrong challenge on top of that; and masks: whether who can lay a card must, whether only
a number may be the last one, whether one draws until a card can be played, whether draw cards are
stacked, and only like ones, whether all may challenge, jump in, and whether hands are swapped.
"""

Moves = namedtuple("Moves", "plays several moves holds aside moves_aside allowed cards seen")  # noqa: PYI024
"""What the seat on turn may do in a step: masks, whether a turn is taken, and whether there are
several moves; these, in bits; masks, whether the hand has the colour asked for, and whether
something is decided aside; the moves of that; the kinds that may be laid; how many cards the hand
has; what is to be noted in `SEEN`."""

Choice = namedtuple("Choice", "move place again word0 word1 richest bluffs may_draw")  # noqa: PYI024
"""What it does: the move as its bit, or first those of which it makes any, and the place of that
one among them, as a bit; a mask, whether another random number must be drawn; the stream
afterwards; the colour of which the hand has most, as its first kind; masks, whether it bluffs, if
it can, and whether a card may be drawn (which is said too often rather than too rarely)."""
