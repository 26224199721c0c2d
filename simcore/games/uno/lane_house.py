"""UNO: what house rules add to a step in lanes: who is asked beside his own turn, and what follows.

See `lane_steps`. Who may stack, jump in or swaps hands decides in a step of its own, or in that in
which it draws the first card. For these decisions and for a third word of the hands each seat has
one more record (`lane_rows.ASIDE0`). Hands are exchanged lane by lane (`move_hands`).
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import lowest_bit, popcount
from simcore.games.uno import choice, turns
from simcore.games.uno import lane_rows as row
from simcore.games.uno.cards import COLOURED, DRAW_FOUR_CARD, any_bits
from simcore.games.uno.moves import cards_to_stack
from simcore.games.uno.play import cards_after_answer, drawer_of, waits_for_next
from simcore.games.uno.table import CLAUSE, DRAW_MOVE, KEEP_MOVE
from simcore.jit import inline_kernel
from simcore.lanes import blend, draw_if
from simcore.match import all_seats

# ---------------------------------------------------------------- what a step is told


@inline_kernel
def hand_in(lanes, lane, dials):
    """Return the hand of the seat on turn as a card set, its three words."""
    pairs = lanes[row.PAIRS, lane] if len(dials.wide) else choice.NO_PAIRS
    return lanes[row.HAND, lane], lanes[row.DOUBLES, lane], pairs


@inline_kernel
def cards_to_draw(rules, dials):
    """Return how many cards a draw two, a wild draw four, and a wrong challenge make draw."""
    if len(dials.house):
        return rules.draw_two, rules.draw_four, rules.penalty
    return (
        np.int64(turns.USUAL_DRAW_TWO),
        np.int64(turns.USUAL_DRAW_FOUR),
        np.int64(turns.USUAL_CHALLENGE_PENALTY),
    )


@inline_kernel
def is_due(lanes, lane, state):
    """Return a mask: whether a lane is in a state."""
    return -np.int64(lanes[row.STATE, lane] == state)


@inline_kernel
def asked_aside(lanes, lane, cards, rules, dials):
    """Return what is due but for an ordinary turn; `cards` is how many the hand has.

    Returns
    -------
    aside, moves, later, seen : int
        A mask, whether the seat stacks, jumps in or swaps as it decides; the moves of that; a mask,
        whether this is no turn although nobody must draw; what is to be noted in `SEEN`.
    """
    aside = moves = later = seen = np.int64(0)
    if len(dials.until):
        later = is_due(lanes, lane, row.DRAWS_ON)
    if len(dials.stacks):
        on_two = any_bits(lanes[row.TOP, lane] & COLOURED)
        hand, colour_cards = lanes[row.HAND, lane], lanes[row.COLOUR_CARDS, lane]
        last = rules.number_last if len(dials.house) else np.int64(0)
        found, clauses = cards_to_stack(hand, cards, on_two, colour_cards, rules.same, last)
        pressed = is_due(lanes, lane, row.PRESSED)
        aside = pressed & any_bits(found)
        seen = (clauses & pressed) | (CLAUSE.stacking & aside)
        moves = aside & (found | DRAW_MOVE)
    if len(dials.jumps):
        jumps = is_due(lanes, lane, row.JUMPS)
        moves |= jumps & (lanes[row.TOP, lane] | KEEP_MOVE)
        aside |= jumps
        later |= jumps
    if len(dials.swaps):
        swaps = is_due(lanes, lane, row.SWAPS)
        moves |= swaps & all_seats(rules.players) & ~(np.int64(1) << lanes[row.SEAT, lane])
        aside |= swaps
        later |= swaps
    return aside, moves, later, seen


@inline_kernel
def moves_that_swap(lanes, lane, dials):
    """Return a mask: whether moves are seats."""
    return is_due(lanes, lane, row.SWAPS) if len(dials.swaps) else np.int64(0)


@inline_kernel
def word_aside(lanes, lane):
    """Return the next random bits for what is decided aside."""
    return rng.step(np.uint64(lanes[row.ASIDE0, lane]), np.uint64(lanes[row.ASIDE1, lane]))[0]


@inline_kernel
def coin_aside(lanes, lane, dials):
    """Return a mask: what a seat decides aside that makes any move, of two moves the second."""
    if row.has_more(dials):
        return np.int64(word_aside(lanes, lane)) >> 63
    return (lanes[row.COINS, lane] << lanes[row.SEAT, lane]) >> 63


@inline_kernel
def go_on_aside(lanes, lane, used):
    """Go on in the stream for what is decided aside, where the mask says so."""
    words = np.uint64(lanes[row.ASIDE0, lane]), np.uint64(lanes[row.ASIDE1, lane])
    _, words = draw_if(used, words)
    lanes[row.ASIDE0, lane], lanes[row.ASIDE1, lane] = np.int64(words[0]), np.int64(words[1])


# ---------------------------------------------------------------- how policies decide


@inline_kernel
def traded(lanes, lane, left, rules):
    """Do what `choice.trades` does, as long as the hand has few cards."""
    index, counts = lanes[row.SEAT, lane], lanes[row.CARDS, lane]
    before = turns.seat_from(index, np.int64(-1), lanes[row.REVERSALS, lane], rules.players)
    good, bad = choice.traded_kinds(
        left, choice.smallest_in(counts, index)[0], choice.count_in(counts, before)
    )
    return good & rules.swaps, bad & rules.swaps


@inline_kernel
def reasons_aside(lanes, lane, honest, asked, cards, rules, dials):
    """Return how who plays as it says decides, but for what `choose` knows.

    Which of the honest cards it lays that trade its hand for a good one, or for none too bad; what
    it does when it is asked aside, as its bit; a mask, whether there are more cards than can be
    compared.
    """
    aside, moves = asked
    if len(dials.swaps) == 0:
        return honest, choice.first_aside(moves, np.int64(0)), np.int64(0)
    good, bad = traded(lanes, lane, cards - 1, rules)
    fewest, smallest = choice.smallest_in(lanes[row.CARDS, lane], lanes[row.SEAT, lane])
    swaps = aside & moves_that_swap(lanes, lane, dials)
    by_reason = blend(swaps, np.int64(1) << smallest, choice.first_aside(moves, bad))
    crowded = -np.int64(cards > choice.FEW) | (swaps & -np.int64(fewest > choice.FEW))
    return choice.heeded(honest, good, bad, rules.must_play), by_reason, rules.swaps & crowded


@inline_kernel
def declines_drawn(lanes, lane, card, cards, rules):
    """Return a mask: whether a card just drawn is not laid because of the hand that it brings."""
    good, bad = traded(lanes, lane, cards, rules)
    return ~any_bits(choice.heeded(card, good, bad, rules.must_play))


@inline_kernel
def victim_of(lanes, lane, players):
    """Return the victim of a wild draw four, where all may challenge one."""
    layer, reversals = lanes[row.LAYER, lane], lanes[row.REVERSALS, lane]
    return turns.seat_from(layer, np.int64(1), reversals, players)


# ---------------------------------------------------------------- what follows


@inline_kernel
def go_on(lanes, lane, does, chosen, done, laid, four, rules, dials):
    """Give the turn on, and note which decision is due.

    Parameters
    ----------
    lanes, lane, rules, dials
        See `lane_steps.take_steps`.
    does : tuple of int
        Masks: whether the seat ends its turn, answers, is made to draw a card, or doubts.
    chosen : tuple of int
        Masks, whether something was decided aside, and whether so that a card is laid; the move.
    done : tuple of int
        Masks: whether a step was taken, whether the seat draws on, and whether it laid a card.
    laid : int
        The card laid, as its bit, if any.
    four : tuple of int
        Masks: whether a wild draw four is a bluff, and whether it takes effect at once.

    Return masks: whether who laid a wild draw four is caught, and whether hands are exchanged.
    """
    ends, answers, forced, doubt = does
    acts, stays, lays = done
    players, state = rules.players, lanes[row.STATE, lane]
    two, fours, penalty = cards_to_draw(rules, dials)
    index, before = lanes[row.SEAT, lane], lanes[row.PENDING, lane]
    caught, answered = cards_after_answer(doubt, -np.int64(before == row.BLUFF), fours, penalty)
    asked = any_bits(laid & DRAW_FOUR_CARD) & ~four[1]
    steps, reversals = turns.after_card(laid & ~asked, rules.skips, lanes[row.REVERSALS, lane])
    lanes[row.REVERSALS, lane] = reversals
    last = forced & -np.int64(before == 1)
    picks, choosing, hands = moved_hands(lanes, lane, chosen, state, laid, rules, dials)
    moved = ((ends | chosen[1] | picks) & ~choosing) | last
    victim, waits, due = index, np.int64(0), row.DRAWS_ON & stays
    if len(dials.anyone):
        victim, waits, wrong = asked_in_turn(lanes, lane, does, caught, last, rules)
        due |= row.WRONG & wrong
        lanes[row.LAYER, lane] = blend(asked, index, lanes[row.LAYER, lane])
    start, on = drawer_of(doubt, caught, index, victim)
    steps = on + (steps & moved) - waits
    owed = turns.cards_due(laid, two, fours)
    pending = blend(answers & ~waits, answered, before + forced)
    pending = blend(asked, row.INNOCENT + four[0], pending + owed)
    lanes[row.PENDING, lane] = pending
    nobody = -np.int64(pending == 0)
    if len(dials.house):  # If nobody draws who answered plays on at once, or misses the turn.
        steps = blend(nobody & answers, caught + 1, steps)
    lanes[row.HELD, lane] = index
    lanes[row.SEAT, lane] = turns.seat_from(start, steps, reversals, players)
    if len(dials.stacks):
        presses = (answers & ~doubt & ~waits) | (any_bits(owed) & ~asked)
        due |= row.PRESSED & rules.stacks & presses
    settled = nobody & (moved | forced | answers)
    if row.asks_more(dials):
        due |= row.SWAPS & choosing
        acted = lays | last | picks
        settled = count_asked(lanes, lane, settled, acted, chosen, hands, laid, rules, dials)
    lanes[row.TURNS, lane] -= settled
    if row.asks_more(dials) or len(dials.until):
        lanes[row.STATE, lane] = blend(acts, due, state)
    return caught, hands


@inline_kernel
def count_asked(lanes, lane, settled, acted, chosen, hands, laid, rules, dials):
    """Return a mask, whether a turn begins, which it does not while somebody may jump in before.

    And count what house rules add. `settled` and `acted` are masks: whether it would begin
    otherwise, and whether somebody did something upon which others may jump in.
    """
    aside, adds, _ = chosen
    jumps = asks = np.int64(0)
    if len(dials.jumps):
        jumps = aside & is_due(lanes, lane, row.JUMPS)
        declines = jumps & ~adds
        settled |= declines
        asks = rules.jumps & settled & (acted | declines)
        lanes[row.ASKS, lane] = asks
        lanes[row.ASKED, lane] |= ~declines
        lanes[row.SEAT, lane] = blend(declines, lanes[row.FOLLOWING, lane], lanes[row.SEAT, lane])
    stacked = adds & ~jumps
    lanes[row.EXTRAS, lane] -= stacked + ((adds & jumps) << row.JUMPED) + (hands << row.SWAPPED)
    if len(dials.stacks):
        stack = lanes[row.PENDING, lane] & stacked
        lanes[row.LARGEST, lane] = max(lanes[row.LARGEST, lane], stack)
        lanes[row.SEEN, lane] |= CLAUSE.challenge & any_bits(laid & DRAW_FOUR_CARD) & ~adds
    return settled & ~asks


@inline_kernel
def asked_in_turn(lanes, lane, does, caught, last, rules):
    """Return the victim, if it is next now where all may challenge a wild draw four [C12].

    Else who is on turn; and masks: whether another one is asked first, and whether a wrong
    challenger goes on drawing. `does`, `caught` and `last` are as in `go_on`.
    """
    _, answers, forced, doubt = does
    index, layer = lanes[row.SEAT, lane], lanes[row.LAYER, lane]
    following = turns.seat_from(index, np.int64(1), lanes[row.REVERSALS, lane], rules.players)
    waits = waits_for_next(answers & ~doubt, following, layer, rules.all_challenge)
    wrong = forced & is_due(lanes, lane, row.WRONG)
    settled = (answers & ~waits) | (wrong & last)
    victim = blend(settled, victim_of(lanes, lane, rules.players), index)
    return victim, waits, (doubt & ~caught) | (wrong & ~last)


@inline_kernel
def moved_hands(lanes, lane, chosen, state, laid, rules, dials):
    """Return masks of hands that are swapped or passed on, and note with whom.

    Whether somebody has chosen with whom to swap, is to choose, and whether hands are exchanged.
    """
    never = np.int64(0)
    if len(dials.swaps) == 0:
        return never, never, never
    aside, _, move = chosen
    picks = aside & -np.int64(state == row.SWAPS)
    choosing, swaps, passes = turns.hands_moved(laid, rules.swaps, rules.players)
    partner = blend(picks, popcount(move - 1), 1 - lanes[row.SEAT, lane])
    lanes[row.PARTNER, lane] = blend(passes, np.int64(row.ALL_OF_THEM), partner)
    return picks, choosing, picks | swaps | passes


# ---------------------------------------------------------------- jumping in


@inline_kernel
def find_holders(lanes, lane, dials):
    """Note the hand of who just played, and who holds the card on top if it has a colour.

    Of all seats that there could be: the compiler makes no vectors where it does not know how many.
    """
    index, hand, top = lanes[row.HELD, lane], lanes[row.HAND, lane], lanes[row.TOP, lane] & COLOURED
    holders = np.int64(0)
    for seat in range(len(dials.jumps)):
        held = blend(-np.int64(index == seat), hand, lanes[row.HANDS + seat, lane])
        lanes[row.HANDS + seat, lane] = held
        holders |= -any_bits(held & top) << seat
    lanes[row.HOLDERS, lane] = holders


@inline_kernel
def ask_to_jump(lanes, lane, players):
    """Ask who may jump in next, or begin the turn of the seat that follows; see `turns`."""
    asks, following = lanes[row.ASKS, lane], lanes[row.SEAT, lane]
    left = asks & lanes[row.ASKED, lane] & lanes[row.HOLDERS, lane] & ~(np.int64(1) << following)
    open_to = any_bits(left)
    first = turns.first_of(left, following, lanes[row.REVERSALS, lane], players)
    lanes[row.FOLLOWING, lane] = blend(open_to, following, lanes[row.FOLLOWING, lane])
    lanes[row.SEAT, lane] = blend(open_to, first, following)
    lanes[row.ASKED, lane] = left & ~(np.int64(1) << first)
    lanes[row.STATE, lane] |= row.JUMPS & open_to
    lanes[row.SEEN, lane] |= CLAUSE.jump_in & open_to
    lanes[row.TURNS, lane] -= asks & ~open_to


# ---------------------------------------------------------------- hands that move


@inline_kernel
def move_hands(work, group, moving, rules, dials):
    """Swap two hands or pass all on [H15] in some lanes of a group, in bits."""
    while moving:
        move_hands_in(work, group + lowest_bit(moving), rules, dials)
        moving &= moving - 1


@inline_kernel
def move_hands_in(work, lane, rules, dials):
    """Swap two hands or pass all on, in one lane."""
    lanes, at = work.lanes, work.column + lane
    held = lanes[row.HELD, at]
    partner = lanes[row.PARTNER, at]
    records = work, lane, dials
    if partner == row.ALL_OF_THEM:
        turns.pass_all(exchange, records, lanes[row.REVERSALS, at], rules.players)
    else:
        exchange(records, held, partner)
    lanes[row.HAND, at] = work.seats[lane, held, row.HAND]


@inline_kernel
def exchange(records, one, other):
    """Exchange two hands, and with them what is known of them; see `turns.exchange`."""
    work, lane, dials = records
    lanes = work.lanes
    at = work.column + lane
    for word in range(row.HAND, row.DOUBLES + 1):
        swap_words(work.seats, lane, one, other, word)
    if len(dials.wide):
        swap_words(work.more, lane, one, other, row.PAIRS - row.ASIDE0)
    if len(dials.jumps):
        for seat in (one, other):
            lanes[row.HANDS + seat, at] = work.seats[lane, seat, row.HAND]
    counts = lanes[row.CARDS, at]
    counts = choice.with_count(counts, one, choice.count_in(lanes[row.CARDS, at], other))
    lanes[row.CARDS, at] = choice.with_count(
        counts, other, choice.count_in(lanes[row.CARDS, at], one)
    )
    differ = ((lanes[row.DREW, at] >> 4 * one) ^ (lanes[row.DREW, at] >> 4 * other)) & 0b1111
    lanes[row.DREW, at] ^= (differ << 4 * one) | (differ << 4 * other)


@inline_kernel
def swap_words(records, lane, one, other, word):
    """Exchange a word of two seats."""
    held = records[lane, one, word]
    records[lane, one, word] = records[lane, other, word]
    records[lane, other, word] = held
