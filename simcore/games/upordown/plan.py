"""Up or down?: turns planned as a whole: which hand card, which neighbour, which column.

Each hand card reaches two of the cards of the circle, and a plan is worth what the better one is,
placed at its best. All is reckoned in rows (`rows`), of a single match or of lanes.
"""

from __future__ import annotations

from simcore.games.upordown import rows as at
from simcore.games.upordown import worth
from simcore.games.upordown.cards import BYTE, card_at
from simcore.games.upordown.dials import rules_by
from simcore.jit import inline_kernel
from simcore.vectors import LANES as EIGHT
from simcore.vectors import (
    abreast,
    choose,
    eight_at,
    floored,
    largest,
    one_at,
    put_eight,
    put_one,
    reals,
    truncated,
    wholes,
)


@inline_kernel
def plan_turns(work, lanes, seats, hand_cards, columns, weights, dials):
    """Note the best plans of the seat on turn.

    So that there is always something to reckon, one half of the lanes does a step while the other
    half waits for the numbers of its own.

    The cards of the circle were put among those rated, and where something is denied those of the
    hand. `lanes` are the first and the end; `seats` where the rows of the seat on turn begin and
    those of the next; `columns` are as many as anybody can have.
    """
    own, rival = seats
    first, end = lanes
    rated = rules_by(dials).circle_cards
    if weights.deny > 0.0:
        rated = rated + rules_by(dials).hand_cards
        look_at_all(work, lanes, rival, columns, rated, weights, dials)
        for start in range(first, end, EIGHT):
            worth.rate(worth.rate_all, work, start, rival, columns, rated, False, weights, dials)
            worth.note_denials(work, start, rival, columns, weights, dials)
            worth.weigh_columns(work, start, own, columns, weights, dials)
    else:
        look_at_all(work, lanes, own, columns, rated, weights, dials)
    rate_circle(work, lanes, own, columns, True, weights, dials)
    for start in range(first, end, EIGHT):
        plan(work, start, own, hand_cards, weights, dials)


@inline_kernel
def look_at_all(work, lanes, seat, columns, count, weights, dials):
    """Look at the columns of a seat, and at so many of the cards that were put among those rated.

    For the others see `plan_turns`.
    """
    first, end = lanes
    for start in range(first, end, EIGHT):
        for number in range(0, count, abreast(work.rows)):
            worth.look_at(work, start, number, weights, dials)
        worth.weigh_columns(work, start, seat, columns, weights, dials)


@inline_kernel
def rate_circle(work, lanes, own, columns, plans, weights, dials):
    """Note what the cards of the circle are worth, which were looked at; see `note_best`."""
    first, end = lanes
    circle = rules_by(dials).circle_cards
    for start in range(first, end, EIGHT):
        worth.rate(worth.rate_all, work, start, own, columns, circle, True, weights, dials)
    for start in range(first, end, EIGHT):
        worth.note_best(work, start, own, columns, plans, circle, weights, dials)


@inline_kernel
def look_again(work, lanes, own, columns, weights, dials):
    """Note what the circle is worth after the turn planned, before a card is drawn.

    Only the card laid is new, which comes after the others, and the column placed on.
    """
    first, end = lanes
    circle = rules_by(dials).circle_cards
    for start in range(first, end, EIGHT):
        worth.weigh_placed(work, start, own, columns, weights, dials)
        worth.look_at(work, start, circle, weights, dials)
    for start in range(first, end, EIGHT):
        worth.rate(worth.rate_again, work, start, own, columns, circle + 1, False, weights, dials)
    for start in range(first, end, EIGHT):
        worth.note_best(work, start, own, columns, False, circle + 1, weights, dials)


@inline_kernel
def plan(work, start, seat, hand_cards, weights, dials):
    """Note the plan that is worth most; of equal ones the first, by hand card and side."""
    note_gaps(work, start, 1 / worth.NUMBERS, weights, dials)
    hand = one_at(work.rows, seat + at.HAND, start)
    best = worth_of_laying(work, start, hand, 0, hand_cards, weights, dials)
    for number in range(1, hand_cards):
        value = worth_of_laying(work, start, hand, number, hand_cards, weights, dials)
        best = largest(best, value)
    put_one(work.rows, at.PLAN, start, wholes((best - floored(best)) * worth.FRACTION))


@inline_kernel
def worth_of_laying(work, start, hand, number, hand_cards, weights, dials):
    """Return what it is worth to lay a card of the hand, with the plan in its fraction."""
    whole_hand, circle = rules_by(dials).hand_cards, rules_by(dials).circle_cards
    card = reals(card_at(hand, BYTE * number))
    value = at_gap(work, start, card, weights, dials) + (whole_hand - number) * (2 / worth.NUMBERS)
    if weights.deny > 0.0:
        value = value - one_at(work.worths, at.DENIED + circle + number, start)
    if weights.spread > 0.0 and hand_cards == whole_hand and whole_hand > 2:
        last = whole_hand - 2 if number == whole_hand - 1 else whole_hand - 1
        upper = card_at(hand, BYTE * last)
        lower = card_at(hand, BYTE if number == 0 else 0)
        value = value + truncated(weights.spread * reals(upper - lower))
    return value


@inline_kernel
def read_plan(work, start, dials):
    """Return a plan: the hand card's number, the side and the move."""
    fraction = one_at(work.rows, at.PLAN, start)
    number = fraction >> 6
    side = number & 1
    return rules_by(dials).hand_cards - ((number + side) >> 1), side, fraction & (worth.MOVES - 1)


@inline_kernel
def note_gaps(work, start, less, weights, dials):
    """Note what the better neighbour is worth by gap of the circle, the upper one `less`."""
    worths = work.worths
    circle = rules_by(dials).circle_cards
    first = one_at(worths, at.CARD, start)
    for number in range(0, circle, abreast(work.rows)):
        card = eight_at(worths, at.CARD + number, start)
        put_eight(worths, at.KEY + number, start, key_of(card, first, weights))
    for number in range(circle):
        following = number + 1 if number < circle - 1 else 0
        upper = one_at(worths, at.BEST + following, start)
        lower = one_at(worths, at.BEST + number, start)
        put_one(worths, at.GAP + number, start, largest(lower, upper - less))


@inline_kernel
def key_of(card, first, weights):
    """Return how far a card is from the first one of the circle, see `rows.KEY`."""
    key = card - first
    return choose(key < 0.0, key + weights.cards, key)


@inline_kernel
def at_gap(work, start, card, weights, dials):
    """Return what was noted of the gap of the circle in which a card belongs."""
    circle = rules_by(dials).circle_cards
    key = key_of(card, one_at(work.worths, at.CARD, start), weights)
    found = one_at(work.worths, at.GAP, start)
    for number in range(1, circle):
        is_above = key > one_at(work.worths, at.KEY + number, start)
        found = choose(is_above, one_at(work.worths, at.GAP + number, start), found)
    return found


@inline_kernel
def worths_of_piles(work, start, weights, dials):
    """Return what the face-up card reaches, and what all others reach together, by gap.

    A hidden card falls into each gap of the circle as often as the gap is wide, and reaches the
    better of its two neighbours there.
    """
    note_gaps(work, start, 0.0, weights, dials)
    worths = work.worths
    circle = rules_by(dials).circle_cards
    before = one_at(worths, at.KEY + circle - 1, start)
    hidden = (weights.cards - 1.0 - before) * floored(one_at(worths, at.GAP + circle - 1, start))
    key = before - before
    for number in range(circle - 1):
        upper = one_at(worths, at.KEY + number + 1, start)
        hidden = hidden + (upper - key - 1.0) * floored(one_at(worths, at.GAP + number, start))
        key = upper
    shown = at_gap(work, start, reals(one_at(work.rows, at.SHOWN, start)), weights, dials)
    return floored(shown), hidden


@inline_kernel
def is_shown_better(shown, hidden, weights, dials):
    """Tell whether the face-up card is worth more than any other: `hidden` is all their worth."""
    circle = rules_by(dials).circle_cards
    return shown * (weights.cards - circle * 1.0) >= hidden
