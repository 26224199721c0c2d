"""Up or down?: the turn of a seat in lanes, at random, appending or planned; see `lanes`.

Eight matches at a time take it, in vectors (`simcore.vectors`). What is the same in all of them may
branch: how many cards a hand has, or whether the seat on turn denies. What a step comes to, `play`
and `moves` are asked.
"""

from __future__ import annotations

from simcore.bits import popcount
from simcore.games.upordown import plan
from simcore.games.upordown import rows as at
from simcore.games.upordown.cards import card_at, insert, remove_at
from simcore.games.upordown.dials import END, rules_by
from simcore.games.upordown.lane_deal import (
    COINS_LEFT,
    HALF,
    coins_at,
    draw_half,
    draw_word,
    pick_below,
)
from simcore.games.upordown.moves import nth_placing, place_to_append, placings
from simcore.games.upordown.play import exchanged, place_of, placed, shift_of_colour
from simcore.games.upordown.rows import add_one, limits_at, one_of, parts_of, put_where, row_of
from simcore.games.upordown.score import is_new_lead, most_points
from simcore.games.upordown.spec import numbers_at
from simcore.games.upordown.table import CLAUSE, MOST_OF_A_COLOUR, NEW_COLUMN
from simcore.games.upordown.worth import weights_of
from simcore.jit import inline_kernel, kernel
from simcore.lanes import LANES
from simcore.vectors import LANES as EIGHT
from simcore.vectors import choose, largest, one_at, put_one, reals, spread


@kernel
def take_simple_turn(work, column, turn, game, appends, dials):
    """Let a seat take its turn at random, or where it `appends` place its card as appenders do.

    Does what `moves.random_move` and `choice.append` do, in one go. For the others and `turn` see
    `take_planned_turn`; as there the halves of the lanes take turns.
    """
    index, left, _ = turn
    _, columns, _, size, _, scarce = game
    seat = row_of(index, 0)
    rows = work.rows
    hand_cards = min(left + 1, rules_by(dials).hand_cards)
    # With the last card there is no choice, and a word is drawn for its place alone.
    draws_word = hand_cards > 1
    draws_card = left >= rules_by(dials).hand_cards
    end = column + LANES
    for start in range(column, end, EIGHT):
        take_up(rows, start, seat, turn, dials)
        number = spread(0)
        if draws_word:
            word = draw_word(rows, start, seat)
            put_one(rows, at.HALF_WORD, start, word & HALF)
            number = pick_below(rows, start, seat, (word >> 32) & HALF, spread(hand_cards))
        coins = coins_at(rows, start, seat, True, scarce)
        put_one(rows, seat + at.COINS, start, (coins >> 1) & COINS_LEFT)
        lay_card(rows, start, seat, number, coins & 1, dials)
    for start in range(column, end, EIGHT):
        moves = find_placings(rows, start, seat, columns, dials)
        if appends:
            move = place_to_append(moves, (rows, start, seat), length_at, columns)
        else:
            if not draws_word:
                draw_half(rows, start, seat, moves)
            half = one_at(rows, at.HALF_WORD, start)
            move = nth_placing(moves, pick_below(rows, start, seat, half, popcount(moves)))
        put_one(rows, at.PLAN, start, move)
    for start in range(column, end, EIGHT):
        place_card(rows, start, seat, one_at(rows, at.PLAN, start), columns, dials)
    if not draws_card:
        return
    for start in range(column, end, EIGHT):
        has_choice = (one_at(rows, at.UP_LEFT, start) > 0) & (one_at(rows, at.DOWN_LEFT, start) > 0)
        coins = coins_at(rows, start, seat, has_choice, scarce)
        draw_from(rows, start, (coins & 1) == 0, size)
        put_one(rows, seat + at.COINS, start, choose(has_choice, (coins >> 1) & COINS_LEFT, coins))


@kernel
def take_planned_turn(work, column, turn, game, spec, is_laid_out, dials):
    """Let a seat take the turn that is best by its spec; then the circle is laid out.

    `turn`: the seat on turn, counted from the start player; how many turns it has after this one;
    how many it had. `game`: players, columns, cards in play, cards of the face-up pile, whether
    this lies open, whether somebody may need more coins than there are at first. `is_laid_out`:
    whether the cards of the circle are among those rated.
    """
    rows = work.rows
    index, left, lap = turn
    players, columns, cards, size, is_open, _ = game
    seat = row_of(index, 0)
    rival = row_of(index + 1 if index + 1 < players else 0, 0)
    weights = weights_of(numbers_at(spec, left), left, columns, cards, MOST_OF_A_COLOUR, dials)
    reach = min(columns, lap + 1)  # Nobody has more columns than turns.
    lanes = column, column + LANES
    hand_cards = rules_by(dials).hand_cards
    for start in range(column, column + LANES, EIGHT):
        take_up(rows, start, seat, turn, dials)
        if not is_laid_out:
            circle = one_at(rows, at.CIRCLE, start)
            plan.lay_out_circle(work, start, circle, wide_at(rows, start), dials)
        if weights.deny > 0.0:
            plan.lay_out_hand(work, start, one_at(rows, seat + at.HAND, start), dials)
    plan.plan_turns(work, lanes, (seat, rival), min(left + 1, hand_cards), reach, weights, dials)
    for start in range(column, column + LANES, EIGHT):
        number, side, _ = plan.read_plan(one_at(rows, at.PLAN, start), dials)
        laid = lay_card(rows, start, seat, number, side, dials)
        plan.put_card(work, start, rules_by(dials).circle_cards, laid)
    for start in range(column, column + LANES, EIGHT):
        find_placings(rows, start, seat, columns, dials)
        _, _, move = plan.read_plan(one_at(rows, at.PLAN, start), dials)
        place_card(rows, start, seat, move, columns, dials)
    draws_card = left >= hand_cards
    if draws_card and is_open:
        plan.look_again(work, lanes, seat, reach, weights, dials)
    for start in range(column, column + LANES, EIGHT):
        exchange_rated(work, start, dials)
    if draws_card:
        draw_planned(work, column, is_open, size, weights, dials)


@inline_kernel
def draw_planned(work, column, is_open, size, weights, dials):
    """Draw the card that is best by what was noted of the circle."""
    for start in range(column, column + LANES, EIGHT):
        from_up = spread(0) > 0
        if is_open:
            plan.note_gaps(work, start, 0.0, weights, dials)
            hidden = plan.worth_of_hidden((work, start), plan.gap_below, weights, dials)
            card = reals(one_at(work.rows, at.SHOWN, start))
            shown = plan.at_gap(work, start, card, weights, dials)
            from_up = plan.is_shown_better(shown, hidden, weights, dials)
        draw_from(work.rows, start, from_up, size)


@inline_kernel
def exchange_rated(work, start, dials):
    """Put the card laid, the last one, in the place of the one taken among those rated."""
    circle_cards = rules_by(dials).circle_cards
    taken = reals(one_at(work.rows, at.TAKEN, start))
    card = one_at(work.worths, at.CARD + circle_cards, start)
    best = one_at(work.worths, at.BEST + circle_cards, start)
    shift = one_at(work.rows, at.SHIFT + circle_cards, start)
    for number in range(circle_cards):
        is_taken = one_at(work.worths, at.CARD + number, start) == taken
        put_where(work.worths, at.CARD + number, start, is_taken, card)
        put_where(work.worths, at.BEST + number, start, is_taken, best)
        put_where(work.rows, at.SHIFT + number, start, is_taken, shift)


@inline_kernel
def take_up(rows, start, seat, turn, dials):
    """Put the card drawn after its last turn into a seat's hand; so nobody waits for it there."""
    _, left, lap = turn
    if rules_by(dials).hand_cards <= left + 1 and lap > 0:
        hand = insert(one_at(rows, seat + at.HAND, start), one_at(rows, seat + at.DRAWN, start))
        put_one(rows, seat + at.HAND, start, hand)


@inline_kernel
def lay_card(rows, start, seat, number, side, dials):
    """Lay a hand card, which is returned, and take its neighbour on a side."""
    hand = one_at(rows, seat + at.HAND, start)
    laid = card_at(hand, number << 3)
    put_one(rows, seat + at.HAND, start, remove_at(hand, number << 3))
    circle, circle_cards = one_at(rows, at.CIRCLE, start), rules_by(dials).circle_cards
    circle, low, high, card = exchanged(circle, wide_at(rows, start), circle_cards, laid, side)
    put_one(rows, at.CIRCLE, start, circle)
    put_one(rows, at.WIDE_LOW, start, low)
    put_one(rows, at.WIDE_HIGH, start, high)
    put_one(rows, at.TAKEN, start, card)
    return laid


@inline_kernel
def wide_at(rows, start):
    """Return the words of the circle as a card set."""
    return one_at(rows, at.WIDE_LOW, start), one_at(rows, at.WIDE_HIGH, start)


@inline_kernel
def find_placings(rows, start, seat, columns, dials):
    """Return where the card taken may be placed, and count if there is only one move."""
    display = limits_at(rows, start, seat)
    moves = placings(one_at(rows, at.TAKEN, start), display, columns, dials)
    add_one(rows, at.METRIC.forced, start, (moves & (moves - 1)) == 0)
    return moves


@inline_kernel
def length_at(state, place):
    """Return how many cards a column of a seat has."""
    rows, start, seat = state
    return parts_of(one_at(rows, seat + at.COLUMN + place, start))[0]


@inline_kernel
def place_card(rows, start, seat, move, columns, dials):
    """Place the card taken, as `play.place_card` does."""
    card = one_at(rows, at.TAKEN, start)
    floors, ceilings, used = limits_at(rows, start, seat)
    place, appended, given_up = place_of(move, used)
    word, counts = one_of(rows, seat + at.COLUMN, seat + at.COUNTS, start, columns, place)
    length, most, last = parts_of(word)
    (length, most, counts), gained, inserted, (floors, ceilings) = placed(
        card,
        (place, appended, given_up),
        (length, most, counts, last),
        (floors, ceilings),
        shift_of_colour(card, None),
        MOST_OF_A_COLOUR,
        rules_by(dials),
    )
    if rules_by(dials).insert != END:
        clauses = one_at(rows, at.METRIC.clauses, start) | choose(inserted, CLAUSE.insert, 0)
        put_one(rows, at.METRIC.clauses, start, clauses)
    last = choose(inserted, last, card)
    word = (length << at.LENGTH) | (most << at.MOST) | (last << at.LAST)
    put_one(rows, at.PLACED, start, place)
    put_one(rows, seat + at.SCORE, start, one_at(rows, seat + at.SCORE, start) + gained)
    for other in range(columns):
        put_where(rows, seat + at.COLUMN + other, start, place == other, word)
        put_where(rows, seat + at.COUNTS + other, start, place == other, counts)
    put_one(rows, seat + at.FLOORS, start, floors)
    put_one(rows, seat + at.CEILINGS, start, ceilings)
    put_one(rows, seat + at.USED, start, used + choose(move == NEW_COLUMN, 1, 0))
    add_one(rows, at.METRIC.columns_given_up, start, given_up)


@inline_kernel
def draw_from(rows, start, from_up, size):
    """Note which card of the deck is drawn [C13]; some pile has cards."""
    up_left, down_left = one_at(rows, at.UP_LEFT, start), one_at(rows, at.DOWN_LEFT, start)
    is_up = (up_left > 0) & (from_up | (down_left == 0))
    add_one(rows, at.ONE_PILE, start, (up_left == 0) | (down_left == 0))
    put_one(rows, at.DRAWN_FROM, start, choose(is_up, up_left, down_left + size))
    put_one(rows, at.UP_LEFT, start, up_left - choose(is_up, 1, 0))
    put_one(rows, at.DOWN_LEFT, start, down_left - choose(is_up, 0, 1))


@kernel
def note_leaders(work, column, players, lap):
    """Note who leads after a lap in all lanes, as `score.note_leaders` does."""
    rows = work.rows
    for start in range(column, column + LANES, EIGHT):
        best, leaders = most_points((rows, start), score_at, players)
        for seat in range(players):
            behind = best - one_at(rows, row_of(seat, at.SCORE), start)
            deficit = one_at(rows, row_of(seat, at.DEFICIT), start)
            put_one(rows, row_of(seat, at.DEFICIT), start, largest(deficit, behind))
        before = one_at(rows, at.LEADERS, start)
        others = is_new_lead(leaders, before, players)
        put_where(rows, at.METRIC.last_lead_change, start, others, lap)
        add_one(rows, at.METRIC.lead_changes, start, others & (before != 0))
        put_where(rows, at.LEADERS, start, others, leaders)


@inline_kernel
def score_at(state, seat):
    """Return the points of a seat in lanes; see `score.most_points`."""
    rows, start = state
    return one_at(rows, row_of(seat, at.SCORE), start)
