"""Up or down?: turns planned as a whole: which hand card, which neighbour, which column.

Each hand card reaches two of the cards of the circle, and a plan is worth what the better one is,
placed at its best. All is reckoned in rows (`rows`) of lanes, but for what a single match asks,
too; see `choice`.
"""

from __future__ import annotations

from simcore.games.upordown import rows as at
from simcore.games.upordown import worth
from simcore.games.upordown.cards import BYTE, card_at, lowest_of, without_lowest
from simcore.games.upordown.dials import END, ROW_CIRCLE, rules_by
from simcore.games.upordown.play import shift_of_colour
from simcore.games.upordown.rows import limits_at, one_of, parts_of, put_where
from simcore.jit import inline_kernel, outer_kernel
from simcore.vectors import LANES as EIGHT
from simcore.vectors import choose, floored, largest, one_at, put_one, reals, truncated, wholes


@inline_kernel
def put_card(work, start, number, card):
    """Put a card to a place among those rated."""
    put_one(work.worths, at.CARD + number, start, reals(card))
    put_one(work.rows, at.SHIFT + number, start, shift_of_colour(card, None))


@inline_kernel
def lay_out_circle(work, start, circle, wide, dials):
    """Put the cards of the circle, a row or a card set, among those rated."""
    circle_cards = rules_by(dials).circle_cards
    low, high = wide
    for number in range(circle_cards):
        if circle_cards > ROW_CIRCLE:
            card = lowest_of(low, high)
            low, high = without_lowest(low, high)
        else:
            card = card_at(circle, BYTE * number)
        put_card(work, start, number, card)


@inline_kernel
def lay_out_hand(work, start, hand, dials):
    """Put the cards of a hand, to be denied, after those of the circle."""
    for number in range(rules_by(dials).hand_cards):
        card = card_at(hand, BYTE * number)
        put_card(work, start, rules_by(dials).circle_cards + number, card)


@inline_kernel
def look_at(work, start, number, weights, dials):
    """Note what there is to know of a card at a place among those rated."""
    worths = work.worths
    card = one_at(worths, at.CARD + number, start)
    _, (upwards, downwards), (more_up, more_down), fresh = worth.look_at(card, weights, dials)
    if rules_by(dials).insert == END:
        put_one(worths, at.UPWARDS + number, start, upwards)
        put_one(worths, at.DOWNWARDS + number, start, downwards)
        if weights.hope > 0.0:
            put_one(worths, at.MORE_UP + number, start, more_up)
            put_one(worths, at.MORE_DOWN + number, start, more_down)
    put_one(worths, at.FRESH + number, start, fresh)


@inline_kernel
def looked_at(work, start, number):
    """Return what was noted of a card."""
    worths = work.worths
    steps = (
        one_at(worths, at.UPWARDS + number, start),
        one_at(worths, at.DOWNWARDS + number, start),
    )
    more = one_at(worths, at.MORE_UP + number, start), one_at(worths, at.MORE_DOWN + number, start)
    card = one_at(worths, at.CARD + number, start)
    return card, steps, more, one_at(worths, at.FRESH + number, start)


@inline_kernel
def rating_of(work, start, number, column, weights, terms, dials):
    """Return the rating of a card that was looked at; see `worth.rating_of`."""
    shift = one_at(work.rows, at.SHIFT + number, start)
    looked = looked_at(work, start, number)
    return worth.rating_of(looked, shift, column, weights, terms, dials)


@inline_kernel
def ends_at(work, start, seat, place):
    """Return the lowest and the highest card that may be appended to a column."""
    floors, ceilings, _ = limits_at(work.rows, start, seat)
    return card_at(floors, place << 3), card_at(ceilings, place << 3)


@inline_kernel
def weigh_columns(work, start, seat, columns, weights, dials):
    """Note what the columns of a seat are worth as they stand.

    `seat` is where its rows begin.
    """
    for place in range(columns):
        parts = parts_of(one_at(work.rows, seat + at.COLUMN + place, start))
        limits = ends_at(work, start, seat, place)
        (up, down), given_up = worth.weigh(parts, place, limits, weights, dials)
        put_one(work.worths, at.UP + place, start, up)
        put_one(work.worths, at.DOWN + place, start, down)
        put_one(work.worths, at.GIVEN + place, start, given_up)


@inline_kernel
def weigh_placed(work, start, seat, columns, weights, dials):
    """Note what the column placed on is worth."""
    placed = one_at(work.rows, at.PLACED, start)
    word, _ = one_of(work.rows, seat + at.COLUMN, seat + at.COUNTS, start, columns, placed)
    limits = ends_at(work, start, seat, placed)
    (up, down), given_up = worth.weigh(parts_of(word), placed, limits, weights, dials)
    for place in range(columns):
        put_where(work.worths, at.UP + place, start, placed == place, up)
        put_where(work.worths, at.DOWN + place, start, placed == place, down)
        put_where(work.worths, at.GIVEN + place, start, placed == place, given_up)


@inline_kernel
def rate(rate_some, work, start, seat, columns, count, moves, weights, dials):
    """Rate cards looked at in the columns of a seat, as `rate_all` or `rate_again` does.

    Where `moves` are not asked for, ratings are left as they are: with fractions, without a move.
    """
    # Nothing is asked again for each card.
    if weights.hope == 0.0:
        rate_some(work, start, seat, columns, count, moves, weights, worth.NO_HOPES, dials)
    elif weights.points + weights.step + weights.colour > 0.0:
        rate_some(work, start, seat, columns, count, moves, weights, worth.WITH_HOPES, dials)
    else:
        rate_some(work, start, seat, columns, count, moves, weights, worth.ONLY_HOPES, dials)


@inline_kernel
def rate_all(work, start, seat, columns, count, moves, weights, terms, dials):
    """Rate the first `count` cards in each column; for `terms` see `rating_of`."""
    for place in range(columns):
        column = column_at(work, start, seat, place, weights, dials)
        for number in range(count):
            rating = rating_of(work, start, number, column, weights, terms, dials)
            if moves:
                rating = worth.with_move(rating, place)
            put_one(work.worths, at.RATINGS + at.EACH * place + number, start, rating)


@inline_kernel
def rate_again(work, start, seat, columns, count, _moves, weights, terms, dials):
    """Rate `count` cards after a turn: the last, which is new, and all in the column placed on."""
    worths = work.worths
    placed = one_at(work.rows, at.PLACED, start)
    word, counts = one_of(work.rows, seat + at.COLUMN, seat + at.COUNTS, start, columns, placed)
    standings = one_of(worths, at.UP, at.DOWN, start, columns, placed)
    limits = ends_at(work, start, seat, placed)
    changed = worth.column_of(parts_of(word), counts, limits, standings, weights, dials)
    for number in range(count):
        rating = truncated(rating_of(work, start, number, changed, weights, terms, dials))
        put_one(worths, at.BEST + number, start, rating)
    for place in range(columns):
        column = column_at(work, start, seat, place, weights, dials)
        rating = truncated(rating_of(work, start, count - 1, column, weights, terms, dials))
        ratings = at.RATINGS + at.EACH * place
        put_one(worths, ratings + count - 1, start, rating)
        for number in range(count - 1):
            rating = one_at(worths, at.BEST + number, start)
            put_where(worths, ratings + number, start, placed == place, rating)


@inline_kernel
def column_at(work, start, seat, place, weights, dials):
    """Return what `worth.rating_of` takes of a column of a seat, which was weighed."""
    word = one_at(work.rows, seat + at.COLUMN + place, start)
    counts = one_at(work.rows, seat + at.COUNTS + place, start)
    limits = ends_at(work, start, seat, place)
    standings = (
        one_at(work.worths, at.UP + place, start),
        one_at(work.worths, at.DOWN + place, start),
    )
    return worth.column_of(parts_of(word), counts, limits, standings, weights, dials)


@inline_kernel
def best_otherwise(work, start, seat, columns, weights):
    """Return what else may be done with a card; see `worth.otherwise_of`."""
    given_up = one_at(work.worths, at.GIVEN, start)
    for place in range(1, columns):
        given_up = largest(given_up, one_at(work.worths, at.GIVEN + place, start))
    return worth.otherwise_of(given_up, one_at(work.rows, seat + at.USED, start), weights)


@inline_kernel
def best_appended(work, start, number, columns):
    """Return the best rating of one of the cards in the columns."""
    best = one_at(work.worths, at.RATINGS + number, start)
    for place in range(1, columns):
        best = largest(best, one_at(work.worths, at.RATINGS + at.EACH * place + number, start))
    return best


@inline_kernel
def note_denials(work, start, rival, columns, weights, dials):
    """Note what it is worth to keep the cards looked at, which were rated, from the next player."""
    otherwise = best_otherwise(work, start, rival, columns, weights)
    for number in range(rules_by(dials).circle_cards + rules_by(dials).hand_cards):
        best = truncated(best_appended(work, start, number, columns))
        fresh = one_at(work.worths, at.FRESH + number, start)
        best = worth.better_of(fresh, best, otherwise, dials)
        put_one(work.worths, at.DENIED + number, start, worth.denial_of(best, weights))


@inline_kernel
def note_best(work, start, seat, columns, plans, count, weights, dials):
    """Note the best ratings of so many cards looked at, of which those of the circle come first.

    If `plans`, with what it is worth to keep them from the next player.
    """
    otherwise = best_otherwise(work, start, seat, columns, weights)
    for number in range(count):
        best = best_appended(work, start, number, columns)
        fresh = one_at(work.worths, at.FRESH + number, start)
        best = worth.better_of(fresh, best, otherwise, dials)
        if plans and weights.deny > 0.0:
            best = best + one_at(work.worths, at.DENIED + number, start)
        put_one(work.worths, at.BEST + number, start, best)


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
            rate(rate_all, work, start, rival, columns, rated, False, weights, dials)
            note_denials(work, start, rival, columns, weights, dials)
            weigh_columns(work, start, own, columns, weights, dials)
    else:
        look_at_all(work, lanes, own, columns, rated, weights, dials)
    rate_circle(work, lanes, own, columns, True, weights, dials)
    for start in range(first, end, EIGHT):
        note_gaps(work, start, worth.UPPER_SIDE, weights, dials)
        hand = one_at(work.rows, own + at.HAND, start)
        plan = best_plan((work, start), of_laying, hand, hand_cards, weights, dials)
        put_one(work.rows, at.PLAN, start, plan)


@inline_kernel
def look_at_all(work, lanes, seat, columns, count, weights, dials):
    """Look at the columns of a seat, and at so many of the cards that were put among those rated.

    For the others see `plan_turns`.
    """
    first, end = lanes
    for start in range(first, end, EIGHT):
        for number in range(count):
            look_at(work, start, number, weights, dials)
        weigh_columns(work, start, seat, columns, weights, dials)


@inline_kernel
def rate_circle(work, lanes, own, columns, plans, weights, dials):
    """Note what the cards of the circle are worth, which were looked at; see `note_best`."""
    first, end = lanes
    circle = rules_by(dials).circle_cards
    for start in range(first, end, EIGHT):
        rate(rate_all, work, start, own, columns, circle, True, weights, dials)
    for start in range(first, end, EIGHT):
        note_best(work, start, own, columns, plans, circle, weights, dials)


@inline_kernel
def look_again(work, lanes, own, columns, weights, dials):
    """Note what the circle is worth after the turn planned, before a card is drawn.

    Only the card laid is new, which comes after the others, and the column placed on.
    """
    first, end = lanes
    circle = rules_by(dials).circle_cards
    for start in range(first, end, EIGHT):
        weigh_placed(work, start, own, columns, weights, dials)
        look_at(work, start, circle, weights, dials)
    for start in range(first, end, EIGHT):
        rate(rate_again, work, start, own, columns, circle + 1, False, weights, dials)
    for start in range(first, end, EIGHT):
        note_best(work, start, own, columns, False, circle + 1, weights, dials)


@inline_kernel
def of_laying(state, number, card, weights, dials):
    """Return what there is to be said for laying a hand card, see `best_plan`."""
    work, start = state
    denied = one_at(work.worths, at.DENIED + rules_by(dials).circle_cards + number, start)
    return at_gap(work, start, reals(card), weights, dials), denied


@outer_kernel
def best_plan(state, of_laying, hand, hand_cards, weights, dials):
    """Return the plan that is worth most; of equal ones the first, by hand card and side.

    `of_laying` says of a hand card what it reaches, with the rest of the plan in its fraction, and
    what it is worth to keep it from the next player.
    """
    best = reals(hand & 0) + worth.LEAST
    for number in range(hand_cards):
        reached, denied = of_laying(state, number, card_at(hand, BYTE * number), weights, dials)
        value = worth_of_laying(reached, denied, hand, number, hand_cards, weights, dials)
        best = largest(best, value)
    return wholes((best - floored(best)) * worth.FRACTION)


@inline_kernel
def worth_of_laying(reached, denied, hand, number, hand_cards, weights, dials):
    """Return what it is worth to lay a card of the hand, with the plan in its fraction."""
    whole_hand = rules_by(dials).hand_cards
    value = reached + (whole_hand - number) * (2 / worth.NUMBERS)
    if weights.deny > 0.0:
        value = value - denied
    if weights.spread > 0.0 and hand_cards == whole_hand and whole_hand > 2:
        last = whole_hand - 2 if number == whole_hand - 1 else whole_hand - 1
        upper = card_at(hand, BYTE * last)
        lower = card_at(hand, BYTE if number == 0 else 0)
        value = value + truncated(weights.spread * reals(upper - lower))
    return value


@inline_kernel
def read_plan(fraction, dials):
    """Return a plan: the hand card's number, the side and the move."""
    number = fraction >> 6
    side = number & 1
    return rules_by(dials).hand_cards - ((number + side) >> 1), side, fraction & (worth.MOVES - 1)


@inline_kernel
def note_gaps(work, start, less, weights, dials):
    """Note what the better neighbour is worth by gap of the circle, the upper one `less`."""
    worths = work.worths
    circle = rules_by(dials).circle_cards
    first = one_at(worths, at.CARD, start)
    for number in range(circle):
        card = one_at(worths, at.CARD + number, start)
        put_one(worths, at.KEY + number, start, key_of(card, first, weights))
        following = number + 1 if number < circle - 1 else 0
        upper = one_at(worths, at.BEST + following, start)
        lower = one_at(worths, at.BEST + number, start)
        put_one(worths, at.GAP + number, start, largest(lower, upper - less))


@inline_kernel
def key_of(card, first, weights):
    """Return how far a card is from another, upwards and round the circle."""
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
def gap_below(state, number, circle):
    """Return the key of a card of the circle, and what was noted of the gap below it."""
    work, start = state
    gap = number - 1 if number > 0 else circle - 1
    return one_at(work.worths, at.KEY + number, start), one_at(work.worths, at.GAP + gap, start)


@outer_kernel
def worth_of_hidden(state, gap_below, weights, dials):
    """Return what all hidden cards reach together, by gap.

    A card falls into each gap of the circle as often as the gap is wide, and reaches the better of
    its two neighbours there. `gap_below` says of a card of the circle where it is, and what the
    better one is worth.
    """
    circle = rules_by(dials).circle_cards
    before = gap_below(state, circle - 1, circle)[0] - weights.cards
    hidden = before - before
    for number in range(circle):
        card, better = gap_below(state, number, circle)
        hidden = hidden + (card - before - 1) * floored(better)
        before = card
    return hidden


@inline_kernel
def is_shown_better(shown, hidden, weights, dials):
    """Tell whether the face-up card reaches more than any other: `hidden` is all their worth."""
    circle = rules_by(dials).circle_cards
    return floored(shown) * (weights.cards - circle * 1.0) >= hidden
