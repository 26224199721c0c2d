"""UNO: which moves are legal, in what order they are counted, and the check of one.

In every phase the legal moves are one word, with a bit for each: a move is the number of its bit.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import nth_bit, popcount
from simcore.games.uno import cards as deck
from simcore.games.uno import table as uno
from simcore.games.uno.cards import any_bits
from simcore.jit import inline_kernel, kernel
from simcore.lanes import blend
from simcore.match import all_seats


@inline_kernel
def find_moves(table, seat):
    """Find the legal moves of the seat on turn and return how many there are.

    They are noted in its record: `found`, `move_count`.
    """
    if table.phase == uno.PLAY:
        found = cards_allowed(table, seat, table.top, seat.hand) | uno.DRAW_MOVE  # [R7] [R8]
        if table.must_play or table.last_card:
            found = note_house_moves(table, seat, found & ~uno.DRAW_MOVE)
    elif table.phase == uno.DRAWN:
        found = moves_with_drawn(table, seat)
    elif table.phase == uno.COLOUR:
        found = np.int64(uno.COLOUR_MOVES)
    elif table.phase == uno.CHALLENGE:
        found = np.int64(uno.CHALLENGE_MOVES)
    elif table.phase == uno.STACK:
        found = stackable_cards(table, seat) | uno.DRAW_MOVE
    elif table.phase == uno.JUMP:
        found = np.int64(1) << np.int64(table.top) | uno.KEEP_MOVE
    else:
        found = all_seats(table.players) & ~(np.int64(1) << seat.index)
    seat.found = found
    seat.move_count = popcount(found)
    return seat.move_count


@inline_kernel
def kinds_allowed(hand, playable, colour_cards, no_bluffs):
    """Return the kinds that a seat may lay, and a wild draw four that only the hand forbids.

    A wild draw four may be laid also when it is a bluff [C14], unless nobody may challenge [C12],
    as the mask `no_bluffs` tells: then the whole hand decides, actions included [R14] [C8] [C11].
    `playable` and `colour_cards` are the kinds that go on what lies on top, and of the colour asked
    for.
    """
    forbidden = deck.DRAW_FOUR_CARD & no_bluffs & -np.int64((hand & colour_cards) != 0)
    return playable & ~forbidden, forbidden


@inline_kernel
def cards_allowed(table, seat, top, cards):
    """Return those of some cards that a seat may lay."""
    colour_cards = deck.COLOUR_CARDS[top]
    no_bluffs = -np.int64(table.challenge == uno.BY_NOBODY)
    allowed, forbidden = kinds_allowed(seat.hand, deck.PLAYABLE[top], colour_cards, no_bluffs)
    if forbidden & cards:
        table.metrics[uno.METRIC.clauses] |= uno.CLAUSE.challenge
    return cards & allowed


@inline_kernel
def last_ones(cards, count, number_last):
    """Return those of some cards that may be laid from a hand of so many [H12]; clauses.

    `number_last` is a mask: whether only a number may be laid as the last one. Here and below
    `clauses` are those that came into play, as bits.
    """
    allowed = cards & (deck.NUMBERS | ~number_last | any_bits(count >> 1))
    return allowed, uno.CLAUSE.last_card & any_bits(cards ^ allowed)


@inline_kernel
def honest(cards, holds):
    """Return those cards that are no bluff; `holds`: a mask, has the hand the colour asked for."""
    return cards & ~(deck.DRAW_FOUR_CARD & holds)


@inline_kernel
def must_lay(cards, holds, must_play):
    """Return a mask: whether one of the cards that may be laid must be [H11]; clauses."""
    must = must_play & any_bits(honest(cards, holds))
    return must, uno.CLAUSE.must_play & must


@inline_kernel
def house_moves(cards, count, holds, number_last, must_play):
    """Return the `PLAY` moves, of a hand of so many cards with some to lay [H11] [H12]; clauses."""
    found, clauses = last_ones(cards, count, number_last)
    must, more = must_lay(found, holds, must_play)
    return found | (uno.DRAW_MOVE & ~must), clauses | more


@kernel
def note_house_moves(table, seat, cards):
    """Return the `PLAY` moves where house rules say more of them."""
    holds = -np.int64(holds_colour(seat, table.top))
    count, number_last = table.cards[seat.index], -table.last_card
    moves, clauses = house_moves(cards, count, holds, number_last, -table.must_play)
    table.metrics[uno.METRIC.clauses] |= clauses
    return moves


@inline_kernel
def moves_with_drawn(table, seat):
    """Return the legal `DRAWN` moves: lay the card or keep it, if it need not be laid [H11]."""
    card = np.int64(1) << seat.drawn
    must = np.int64(0)
    if table.must_play:
        must, clauses = must_lay(card, -np.int64(holds_colour(seat, table.top)), np.int64(-1))
        table.metrics[uno.METRIC.clauses] |= clauses
    return card | (uno.KEEP_MOVE & ~must)


@inline_kernel
def cards_to_stack(hand, count, on_two, colour_cards, same, number_last):
    """Return the cards of a hand, `count` in all, that may be laid on a stack [H13]; clauses.

    Masks tell whether a draw two lies on top, else a wild draw four, whether only the `same` may be
    laid, and only a number as the last one; `colour_cards` are those of the colour asked for.
    """
    on_four = deck.DRAW_FOUR_CARD | (deck.DRAW_TWOS & colour_cards & ~same)
    kinds = blend(on_two, np.int64(deck.DRAW_TWOS), on_four) | (deck.DRAW_FOUR_CARD & ~same)
    return last_ones(hand & kinds, count, number_last)


@kernel
def stackable_cards(table, seat):
    """Return the kinds that a seat may lay instead of drawing [H13]."""
    on_two, same = -np.int64(table.top < deck.WILD), -np.int64(table.stacking == uno.STACK_SAME)
    count, colour_cards = table.cards[seat.index], deck.COLOUR_CARDS[table.top]
    cards, clauses = cards_to_stack(seat.hand, count, on_two, colour_cards, same, -table.last_card)
    table.metrics[uno.METRIC.clauses] |= clauses
    return cards


@inline_kernel
def may_jump(table, seat):
    """Tell whether a seat may lay the same card as the one on top out of turn [H14]."""
    card = seat.hand & (np.int64(1) << np.int64(table.top))
    card, clauses = last_ones(card, table.cards[seat.index], -table.last_card)
    table.metrics[uno.METRIC.clauses] |= clauses
    return card != 0


@inline_kernel
def holds_colour(seat, top):
    """Tell whether a hand has a card of the colour asked for, actions included [R14] [C11]."""
    return (seat.hand & deck.COLOUR_CARDS[top]) != 0


@inline_kernel
def is_aside(table, seat):
    """Tell whether a decision is there under some options only; see `match.ask_on_turn`.

    The answer to a wild draw four, whether one just drawn is laid as a bluff [C8] [C12], and all
    that house rules add.
    """
    if table.phase == uno.DRAWN:
        return seat.drawn == deck.WILD_DRAW_FOUR and holds_colour(seat, table.top)
    return table.phase >= uno.CHALLENGE


@inline_kernel
def nth_move(_table, seat, index):
    """Return the legal move number `index` (0 ≤ index < `move_count`) of the seat on turn.

    Order: by kind of card (seat, colour), then to draw or keep. The moves must have been found.
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
