"""Up or down?: the steps of a turn: lay a card, take a neighbour, place it, draw.

Nothing here branches on what random play decides: a branch that the processor cannot predict costs
as much as a whole step.
"""

from __future__ import annotations

import numpy as np

from simcore.games.upordown.cards import BYTE, CARD_BITS, insert, remove_at, shift_of
from simcore.games.upordown.deal import NO_CEILING, NO_FLOOR
from simcore.games.upordown.score import note_leaders
from simcore.games.upordown.table import (
    CARD,
    CIRCLE_CARDS,
    COLUMNS_GIVEN_UP,
    FACE_DOWN,
    FACE_UP,
    GIVE_UP,
    HELD,
    LAID,
    MOST_OF_A_COLOUR,
    NEW_COLUMN,
    PLACE,
    TAKE,
)
from simcore.jit import inline_kernel
from simcore.records import ROUND_OVER

_CIRCLE_BITS = (1 << (BYTE * CIRCLE_CARDS)) - 1
_LAST_SHIFT = BYTE * (CIRCLE_CARDS - 1)
BEYOND = 127 << (BYTE * CIRCLE_CARDS)


@inline_kernel
def lay_card(table, seat, card):
    """Lay a hand card into the circle [R6]; a neighbour is to be taken."""
    seat.hand = remove_at(seat.hand, shift_of(seat.hand, card))
    table.whereabouts[np.uint32(card)] = LAID
    table.laid_card = card
    table.phase = TAKE


@inline_kernel
def ring_of(circle):
    """Return the circle with its last card before the first and its first after the last."""
    return (circle >> _LAST_SHIFT) | (circle << BYTE) | ((circle & CARD_BITS) << (BYTE * 7))


@inline_kernel
def side_shift(circle, laid, side):
    """Return at which shift of the ring the neighbour of a laid card is [R6] [R7] [C5]."""
    return shift_of(circle | BEYOND, laid) + BYTE * side


@inline_kernel
def neighbour(circle, laid, side):
    """Return the card of the circle on one side of a card laid into it."""
    return (ring_of(circle) >> side_shift(circle, laid, side)) & CARD_BITS


@inline_kernel
def take_card(table, side):
    """Take the card on one side of the card just laid [R8]; it is to be placed."""
    table.circle, table.taken_card = exchange(table.circle, table.laid_card, side)
    table.laid_card = 0
    table.phase = PLACE


@inline_kernel
def exchange(circle, laid, side):
    """Return the circle with a card laid and its neighbour taken, and this card.

    The card laid gets the place of the card taken in the ring. When these are on different sides of
    the seam, the circle begins a place earlier or later than before.
    """
    ring = ring_of(circle)
    shift = side_shift(circle, laid, side)
    taken = (ring >> shift) & CARD_BITS
    ring ^= (taken ^ laid) << shift
    begin = ((shift + 56) & 64) + ((shift + 8) & 64)
    return (ring >> (begin >> 3)) & _CIRCLE_BITS, taken


@inline_kernel
def place_card(table, index, card, move):
    """Append the card taken, start a column with it, or give up a column for it.

    The place is that of the column [R12], the lowest empty one [C7], or the one freed [R14] [C11].
    Points are kept as if scored now.
    """
    used = table.columns_used[index]
    appended = np.int64(move < NEW_COLUMN)
    given_up = np.int64(move > NEW_COLUMN)
    place = move >> 3 if appended else (move - GIVE_UP if given_up else used)
    place = np.uint32(place)
    table.columns_used[index] = used + (1 - appended - given_up)
    length = table.lengths[index, place]
    last = np.int64(table.column_cards[index, place, np.uint32(length)])
    discarded = length & -given_up  # [R13]
    table.discards[index] += discarded
    table.metrics[COLUMNS_GIVEN_UP] += given_up
    length = (length & -appended) + 1
    table.column_cards[index, place, np.uint32(length)] = card
    shift = np.int64(table.colour_shift[np.uint32(card)])
    counts = (table.colour_counts[index, place] & -appended) + (1 << shift)
    most = max(table.most[index, place] & -appended, (counts >> shift) & MOST_OF_A_COLOUR)
    points = most * length  # [R18] [C15]
    table.scores[index] += points - table.points[index, place] + discarded  # [R19] [C17]
    table.lengths[index, place] = length
    table.colour_counts[index, place] = counts
    table.most[index, place] = most
    table.points[index, place] = points
    rising = appended & np.int64(card > last)
    falling = appended & np.int64(card < last)
    table.floors[index], table.ceilings[index] = limits_after(
        table.floors[index],
        table.ceilings[index],
        np.int64(place) * BYTE,
        card,
        rising,
        falling,
    )


@inline_kernel
def limits_after(floors, ceilings, shift, card, rising, falling):
    """Return the floors and ceilings with those of a column after its last card [R11].

    After the second card it goes on only one way. A card can only be appended to a column that runs
    its way, so its way is that of the last step [C8].
    """
    floor = card + 1 if rising else NO_FLOOR
    ceiling = card - 1 if falling else NO_CEILING
    others = ~(CARD_BITS << shift)
    return (floors & others) | (floor << shift), (ceilings & others) | (ceiling << shift)


@inline_kernel
def has_choice_of_piles(table):
    """Tell whether both piles have cards."""
    return table.pile_cards[FACE_UP] > 0 and table.pile_cards[FACE_DOWN] > 0


@inline_kernel
def draw_from_the_rest(table, box, seat):
    """Draw from the only pile that has cards, if any [C13]."""
    if table.pile_cards[FACE_UP] > 0:
        draw_card(table, box, seat, np.int64(FACE_UP))
    elif table.pile_cards[FACE_DOWN] > 0:
        draw_card(table, box, seat, np.int64(FACE_DOWN))


@inline_kernel
def draw_card(table, box, seat, pile):
    """Draw the top card of a pile into the hand [R15]; all see one that lay face up [C21]."""
    left = table.pile_cards[np.uint32(pile)]
    card = np.int64(box.deck[np.uint32(left + pile * box.face_up_size)])
    table.pile_cards[np.uint32(pile)] = left - 1
    seat.hand = insert(seat.hand, card)
    held = HELD + np.int64(table.seat)
    table.whereabouts[np.uint32(card)] = held * (table.open_pile & (pile ^ FACE_DOWN))
    table.face_up_card = box.deck[np.uint32(table.pile_cards[FACE_UP])] * table.open_pile


@inline_kernel
def end_turn(table):
    """Pass the turn on clockwise [R16]."""
    table.turns_left -= 1
    seat = table.seat + np.uint32(1)
    if seat == table.players:
        seat = np.uint32(0)
    table.seat = np.uint32(seat)
    if seat == table.first_seat:
        note_leaders(table)


@inline_kernel
def next_phase(table):
    """Return the phase after a turn: the match ends when no hand card is left [R17] [C14]."""
    return np.int64(CARD if table.turns_left > 0 else ROUND_OVER)
