"""Up or down?: the steps of a turn: lay a card, take a neighbour, place it, draw.

Functions of records carry a step out on a TABLE. What it comes to they ask functions of numbers,
which lanes ask, too, with vectors (`simcore.vectors`). These do not branch: a branch that the
processor cannot predict costs as much as a whole step.
"""

from __future__ import annotations

import numpy as np

from simcore.games.upordown import table as uod
from simcore.games.upordown.cards import (
    BYTE,
    CARD_BITS,
    NO_CARD,
    card_at,
    exchange_in_set,
    insert,
    remove_at,
    shift_of,
)
from simcore.games.upordown.colours import CYCLE
from simcore.games.upordown.dials import END, ROW_CIRCLE, dials_of
from simcore.games.upordown.score import note_leaders, points_of
from simcore.jit import inline_kernel
from simcore.records import ROUND_OVER
from simcore.vectors import choose, largest

SIXTH = (1 << 16) // len(CYCLE) + 1


@inline_kernel
def lay_card(table, seat, card):
    """Lay a hand card into the circle [R6]; a neighbour is to be taken."""
    seat.hand = remove_at(seat.hand, shift_of(seat.hand, card))
    table.whereabouts[np.uint32(card)] = uod.LAID
    table.laid_card = card
    table.phase = uod.TAKE


@inline_kernel
def neighbour(table, side):
    """Return the card of the circle on one side of the card laid into it."""
    return exchanged(table.circle, table.wide_circle, table.circle_cards, table.laid_card, side)[3]


@inline_kernel
def take_card(table, side):
    """Take the card on one side of the card just laid [R8]; it is to be placed."""
    circle, low, high, table.taken_card = exchanged(
        table.circle, table.wide_circle, table.circle_cards, table.laid_card, np.int64(side)
    )
    table.circle, table.wide_circle[0], table.wide_circle[1] = circle, low, high
    table.laid_card = 0
    table.phase = uod.PLACE


@inline_kernel
def exchanged(circle, wide, cards, laid, side):
    """Return the circle with a card laid and its neighbour taken, and this card.

    First as a row, then as the words of a card set, of which one serves.
    """
    if cards > ROW_CIRCLE:
        return circle, *exchange_in_set(wide[0], wide[1], laid, side)
    circle, taken = exchange(circle, cards, laid, side)
    return circle, wide[0], wide[1], taken


@inline_kernel
def exchange(circle, cards, laid, side):
    """Return a row, the circle, with a card laid and its neighbour taken, and this card.

    The card laid gets the place of the card taken in the ring. When these are on different sides of
    the seam, the circle begins a place earlier or later than before.
    """
    ring = ring_of(circle, cards)
    shift = place_in(circle, cards, laid) + BYTE * side
    taken = (ring >> shift) & CARD_BITS
    ring = ring ^ ((taken ^ laid) << shift)
    begin = ((shift + 56) & 64) + ((shift + (56 - BYTE * cards)) & 64)
    return (ring >> (begin >> 3)) & ((1 << (BYTE * cards)) - 1), taken


@inline_kernel
def ring_of(circle, cards):
    """Return the circle, a row, with the last card before the first, and the first after the last.

    So a card laid finds its neighbours there [R7] [C5].
    """
    ring = (circle >> (BYTE * cards - BYTE)) | (circle << BYTE)
    return ring | ((circle & CARD_BITS) << (BYTE * cards + BYTE))


@inline_kernel
def place_in(circle, cards, card):
    """Return 8 × the number of cards of the circle, a row, lower than `card`."""
    return shift_of(circle | (NO_CARD << (BYTE * cards)), card)


@inline_kernel
def place_card(table, index, card, move):
    """Append the card taken, start a column with it, or give up a column for it.

    Points are kept as if scored now.
    """
    used = table.columns_used[index]
    how = place_of(move, used)
    where, _, given_up = how
    place = np.uint32(where)
    length = table.lengths[index, place]
    last = np.int64(table.column_cards[index, place, np.uint32(length)])
    table.columns_used[index] = used + np.int64(move == uod.NEW_COLUMN)
    table.discards[index] += choose(given_up, length, 0)  # [R13]
    table.metrics[uod.METRIC.columns_given_up] += given_up
    (length, most, counts), gained, inserted, limits = placed(
        card,
        how,
        (length, table.most[index, place], table.colour_counts[index, place], last),
        (table.floors[index], table.ceilings[index]),
        shift_of_colour(card, table.colour_shift),
        table.most_of_a_colour,
        dials_of(table),
    )
    table.scores[index] += gained
    table.lengths[index, place] = length
    table.colour_counts[index, place] = counts
    table.most[index, place] = most
    table.points[index, place] = points_of(length, most, table.scoring)
    if inserted:
        table.metrics[uod.METRIC.clauses] |= uod.CLAUSE.insert
        put_between(table.column_cards[index, place], length, card)
    else:
        table.column_cards[index, place, np.uint32(length)] = card
    table.floors[index], table.ceilings[index] = limits


@inline_kernel
def place_of(move, used):
    """Return where a move places a card, whether it appends it, and whether it gives up a column.

    The place is that of the column [R12], the lowest empty one [C7], or the one freed [R14] [C11].
    """
    appended = move < uod.NEW_COLUMN
    given_up = move > uod.NEW_COLUMN
    place = choose(appended, move >> 3, choose(given_up, move - uod.GIVE_UP, used))
    return place, appended, given_up


@inline_kernel
def placed(card, how, column, limits, shift, mask, rules):
    """Return what becomes of a column when a card is placed on it.

    Parameters
    ----------
    card : int
    how : tuple
        As `place_of` returns it.
    column : tuple
        How many cards it has, most cards of a colour, how many of each, and the last one.
    limits : tuple
        Floors and ceilings of the display.
    shift, mask : int
        Where the card's colour is counted, and the mask of one such number.
    rules : Dials

    Returns
    -------
    tuple
        The column without its last card; what the seat's score gains; whether the card was put
        before the last one; and the limits.
    """
    place, appended, given_up = how
    length, most, counts, last = column
    floors, ceilings = limits
    gained = choose(given_up, length * rules.discard_points, 0)  # [R13] [R19] [C17] [H5]
    gained = gained - points_of(length, most, rules.scoring)
    counts = choose(appended, counts, 0) + (1 << shift)
    most = largest(choose(appended, most, 0), (counts >> shift) & mask)  # [C15]
    length = choose(appended, length, 0) + 1
    gained = gained + points_of(length, most, rules.scoring)
    inserted = appended & given_up  # never
    if rules.insert != END:
        inserted = is_inserted(floors, place << 3, card, length, last)
    limits = limits_after(floors, ceilings, place << 3, card, appended, last, rules.insert)
    return (length, most, counts), gained, inserted, limits


@inline_kernel
def shift_of_colour(card, colours):
    """Return where the colour of a card is counted: in TABLE's list, or of the printed ones."""
    if colours is not None:
        return np.int64(colours[np.uint32(card)])
    part = ((card - 1) * SIXTH) & 0xFFFF  # of a turn of the colours: exact below 128.
    return (part * (uod.COUNT_BITS * len(CYCLE))) >> 16


@inline_kernel
def limits_after(floors, ceilings, shift, card, appended, last, insert):
    """Return the floors and ceilings with those of a column after the card put there [R11].

    After the second card it goes on only one way. A card can only be appended to a column that runs
    its way, so its way is that of the step from the card that was the `last` [C8]. Where cards may
    go elsewhere, too, the limits are those of all its cards [H4].
    """
    if insert == END:
        floor = choose(appended & (card > last), card + 1, uod.NO_FLOOR)
        ceiling = choose(appended & (card < last), card - 1, uod.NO_CEILING)
    else:
        was_floor, was_ceiling = card_at(floors, shift), card_at(ceilings, shift)
        floor = choose(appended & (card < was_floor), was_floor, card + 1)
        ceiling = choose(appended & (card > was_ceiling), was_ceiling, card - 1)
    others = (CARD_BITS << shift) ^ -1
    return (floors & others) | (floor << shift), (ceilings & others) | (ceiling << shift)


@inline_kernel
def is_inserted(floors, shift, card, length, last):
    """Tell whether a card goes before the `last` of a column, which has `length` cards then [H4].

    It does not in the column's way, which ascends if the last card is the highest [C24].
    """
    ascends = last + 1 == card_at(floors, shift)
    return (length > 2) & ((card > last) ^ ascends)


@inline_kernel
def put_between(column, length, card):
    """Put a card where it keeps the order of a column (modified in place), `length` cards then."""
    ascends = column[length - 1] > column[1]
    place = length
    while place > 1 and (column[place - 1] > card) == ascends:
        column[place] = column[place - 1]
        place -= 1
    column[place] = card


@inline_kernel
def has_choice_of_piles(table):
    """Tell whether both piles have cards."""
    return table.pile_cards[uod.FACE_UP] > 0 and table.pile_cards[uod.FACE_DOWN] > 0


@inline_kernel
def draw_from_the_rest(table, box, seat):
    """Draw from the only pile that has cards, if any [C13]."""
    pile = uod.FACE_UP if table.pile_cards[uod.FACE_UP] > 0 else uod.FACE_DOWN
    if table.pile_cards[pile] > 0:
        draw_card(table, box, seat, np.int64(pile))


@inline_kernel
def draw_card(table, box, seat, pile):
    """Draw the top card of a pile into the hand [R15]; all see one that lay face up [C21]."""
    left = table.pile_cards[np.uint32(pile)]
    card = np.int64(box.deck[np.uint32(left + pile * box.face_up_size)])
    table.pile_cards[np.uint32(pile)] = left - 1
    seat.hand = insert(seat.hand, card)
    held = uod.HELD + np.int64(table.seat)
    table.whereabouts[np.uint32(card)] = held * (table.open_pile & (pile ^ uod.FACE_DOWN))
    table.face_up_card = box.deck[np.uint32(table.pile_cards[uod.FACE_UP])] * table.open_pile


@inline_kernel
def end_turn(table):
    """Pass the turn on clockwise [R16]; the match ends when no hand card is left [R17] [C14]."""
    table.turns_left -= 1
    seat = np.int64(table.seat) + 1  # Beside unsigned numbers signed ones become floats.
    if seat == table.players:
        seat = np.int64(0)
    table.seat = np.uint32(seat)
    if seat == table.first_seat or table.turns_left == 0:
        note_leaders(table)
    table.phase = np.int64(uod.CARD if table.turns_left > 0 else ROUND_OVER)
