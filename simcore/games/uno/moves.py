"""UNO: which moves are legal, in what order they are counted, and the check of one.

In every phase the legal moves are one word, with a bit for each: a move is the number of its bit.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import nth_bit, popcount
from simcore.games.uno.cards import COLOUR_CARDS, DRAW_FOUR_CARD, PLAYABLE, WILD_DRAW_FOUR
from simcore.games.uno.table import (
    CHALLENGE,
    CHALLENGE_CLAUSE,
    CHALLENGE_MOVES,
    CLAUSES,
    COLOUR,
    COLOUR_MOVES,
    DRAW_MOVE,
    DRAWN,
    KEEP_MOVE,
    PLAY,
)
from simcore.jit import inline_kernel, kernel


@inline_kernel
def find_moves(table, seat):
    """Find the legal moves of the seat on turn and return how many there are.

    They are noted in its record: `found`, `move_count`.
    """
    if table.phase == PLAY:
        found = moves_in_hand(table, seat, table.top)
    elif table.phase == DRAWN:
        found = np.int64(1) << seat.drawn | KEEP_MOVE
    elif table.phase == COLOUR:
        found = np.int64(COLOUR_MOVES)
    else:
        found = np.int64(CHALLENGE_MOVES)
    return note_moves(seat, found)


@inline_kernel
def note_moves(seat, found):
    """Note the legal moves in a seat's record and return how many there are."""
    count = popcount(found)
    seat.found = found
    seat.move_count = count
    return count


@inline_kernel
def kinds_allowed(hand, playable, colour_cards, no_bluffs):
    """Return the kinds that a seat may lay, and a wild draw four that only the hand forbids.

    A wild draw four may be laid also when it is a bluff [C14], unless nobody may challenge [C12]:
    then the whole hand decides, actions included [R14] [C8] [C11].

    Parameters
    ----------
    hand : int
    playable, colour_cards : int
        The kinds that go on what lies on top, and those of the colour asked for.
    no_bluffs : int
        A mask: whether nobody may challenge.
    """
    forbidden = DRAW_FOUR_CARD & no_bluffs & -np.int64((hand & colour_cards) != 0)
    return playable & ~forbidden, forbidden


@inline_kernel
def cards_allowed(table, seat, top, cards):
    """Return those of some cards that a seat may lay."""
    colour_cards = COLOUR_CARDS[top]
    allowed, forbidden = kinds_allowed(seat.hand, PLAYABLE[top], colour_cards, table.challenge - 1)
    if forbidden & cards:
        table.metrics[CLAUSES] |= CHALLENGE_CLAUSE
    return cards & allowed


@inline_kernel
def moves_in_hand(table, seat, top):
    """Return the legal `PLAY` moves: what may be laid, or to draw, always allowed [R7] [R8]."""
    return cards_allowed(table, seat, top, seat.hand) | DRAW_MOVE


@inline_kernel
def holds_colour(seat, top):
    """Tell whether a hand has a card of the colour asked for, actions included [R14] [C11]."""
    return (seat.hand & COLOUR_CARDS[top]) != 0


@inline_kernel
def is_aside(table, seat):
    """Tell whether a decision is there under some options only; see `match.ask_on_turn`.

    The answer to a wild draw four, and whether one just drawn is laid as a bluff [C8] [C12].
    """
    if table.phase == DRAWN:
        return seat.drawn == WILD_DRAW_FOUR and holds_colour(seat, table.top)
    return table.phase == CHALLENGE


@inline_kernel
def nth_move(_table, seat, index):
    """Return the legal move number `index` (0 ≤ index < `move_count`) of the seat on turn.

    Order: by kind of card, then to draw or keep. The moves must have been found.
    """
    return nth_bit(seat.found, index)


@inline_kernel
def random_move(_table, seat):
    """Return one of the legal moves, each with the same probability; draws from the seat's stream.

    This is the policy `random`, built in.
    """
    return nth_bit(seat.found, rng.below(seat.rng, seat.move_count))


@kernel
def legal_moves(table, seat):
    """Write all legal moves of the seat on turn to `seat.moves` and return their number."""
    for index in range(seat.move_count):
        seat.moves[index] = nth_move(table, seat, index)
    return seat.move_count


@inline_kernel
def is_legal(_table, seat, move):
    """Tell whether `move` is among the legal moves of the seat on turn."""
    return 0 <= move <= 63 and (seat.found >> move) & 1 != 0
