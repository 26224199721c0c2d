"""Up or down?: turns planned as a whole: which hand card, which neighbour, which column.

Each hand card reaches two of the cards of the circle, and a plan is worth what the better one is,
placed at its best. All is reckoned in rows (`rows`), of a single match or of lanes.
"""

from __future__ import annotations

from simcore.games.upordown import rows as at
from simcore.games.upordown.cards import BYTE, card_at
from simcore.games.upordown.dials import rules_by
from simcore.games.upordown.spec import DENY, SPREAD
from simcore.games.upordown.worth import (
    CARDS,
    FRACTION,
    MOVES,
    NUMBERS,
    look_at,
    note_best,
    note_denials,
    rate,
    weigh_columns,
)
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
    circle = rules_by(dials).circle_cards
    for start in range(first, end, EIGHT):
        for number in range(0, circle, abreast(work.rows)):
            look_at(work, start, number, weights, dials)
    if weights[DENY] > 0.0:
        look_at_rival(work, lanes, rival, columns, weights, dials)
    rate_circle(work, lanes, own, columns, True, weights, dials)
    for start in range(first, end, EIGHT):
        plan(work, start, own, hand_cards, weights, dials)


@inline_kernel
def rate_circle(work, lanes, own, columns, plans, weights, dials):
    """Note what the gaps of the circle are worth, whose cards were looked at.

    With moves if it `plans`, else only how much; for the others see `plan_turns`.
    """
    first, end = lanes
    for start in range(first, end, EIGHT):
        weigh_columns(work, start, own, columns, weights, dials)
    for start in range(first, end, EIGHT):
        rate(work, start, own, columns, rules_by(dials).circle_cards, plans, weights, dials)
    for start in range(first, end, EIGHT):
        note_best(work, start, own, columns, plans, weights, dials)
    for start in range(first, end, EIGHT):
        note_gaps(work, start, 1 / NUMBERS if plans else 0.0, weights, dials)


@inline_kernel
def look_again(work, lanes, own, columns, weights, dials):
    """Note what the circle is worth after the turn, before a card is drawn."""
    first, end = lanes
    for start in range(first, end, EIGHT):
        for number in range(0, rules_by(dials).circle_cards, abreast(work.rows)):
            look_at(work, start, number, weights, dials)
    rate_circle(work, lanes, own, columns, False, weights, dials)


@inline_kernel
def look_at_rival(work, lanes, rival, columns, weights, dials):
    """Note what it is worth to keep each card from the next player."""
    first, end = lanes
    hand, circle = rules_by(dials).hand_cards, rules_by(dials).circle_cards
    for start in range(first, end, EIGHT):
        for number in range(circle, circle + hand, abreast(work.rows)):
            look_at(work, start, number, weights, dials)
        weigh_columns(work, start, rival, columns, weights, dials)
    for start in range(first, end, EIGHT):
        rate(work, start, rival, columns, circle + hand, False, weights, dials)
        note_denials(work, start, rival, columns, weights, dials)


@inline_kernel
def plan(work, start, seat, hand_cards, weights, dials):
    """Note the plan that is worth most; of equal ones the first, by hand card and side."""
    hand = one_at(work.rows, seat + at.HAND, start)
    best = worth_of_laying(work, start, hand, 0, hand_cards, weights, dials)
    for number in range(1, hand_cards):
        worth = worth_of_laying(work, start, hand, number, hand_cards, weights, dials)
        best = largest(best, worth)
    put_one(work.rows, at.PLAN, start, wholes((best - floored(best)) * FRACTION))


@inline_kernel
def worth_of_laying(work, start, hand, number, hand_cards, weights, dials):
    """Return what it is worth to lay a card of the hand, with the plan in its fraction."""
    whole_hand, circle = rules_by(dials).hand_cards, rules_by(dials).circle_cards
    card = reals(card_at(hand, BYTE * number))
    worth = at_gap(work, start, card, weights, dials) + (whole_hand - number) * (2 / NUMBERS)
    if weights[DENY] > 0.0:
        worth = worth - one_at(work.worths, at.DENIED + circle + number, start)
    if weights[SPREAD] > 0.0 and hand_cards == whole_hand and whole_hand > 2:
        last = whole_hand - 2 if number == whole_hand - 1 else whole_hand - 1
        upper = card_at(hand, BYTE * last)
        lower = card_at(hand, BYTE if number == 0 else 0)
        worth = worth + truncated(weights[SPREAD] * reals(upper - lower))
    return worth


@inline_kernel
def read_plan(work, start, dials):
    """Return a plan: the hand card's number, the side and the move."""
    fraction = one_at(work.rows, at.PLAN, start)
    number = fraction >> 6
    side = number & 1
    return rules_by(dials).hand_cards - ((number + side) >> 1), side, fraction & (MOVES - 1)


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
    return choose(key < 0.0, key + weights[CARDS], key)


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
    worths = work.worths
    circle = rules_by(dials).circle_cards
    before = one_at(worths, at.KEY + circle - 1, start)
    hidden = (weights[CARDS] - 1.0 - before) * floored(one_at(worths, at.GAP + circle - 1, start))
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
    return shown * (weights[CARDS] - circle * 1.0) >= hidden
