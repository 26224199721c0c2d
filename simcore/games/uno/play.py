"""UNO: what a move does to hands, piles and direction, and whose turn is next."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.uno.cards import (
    COLOUR_OF,
    DRAW_FOUR_NAMED,
    DRAW_TWOS,
    PLAYABLE,
    REVERSES,
    WILD,
    WILD_DRAW_FOUR,
    WILD_NAMED,
    WILDS,
    take,
    take_wild,
)
from simcore.games.uno.moves import holds_colour, without_bluff
from simcore.games.uno.stock import discard, draw_card, draw_cards
from simcore.games.uno.table import (
    BLUFFS,
    CARDS_DRAWN,
    CAUGHT,
    CHALLENGE,
    CHALLENGE_CLAUSE,
    CHALLENGES,
    CLAUSES,
    COLOUR,
    DOUBT,
    FORGOTTEN_CLAUSE,
    NO_CARD,
    NOBODY,
    PLAY,
    REVERSE_TWO_CLAUSE,
    TURN_CAP_CLAUSE,
    TURNS,
    UNO_PENALTIES,
    WILD_DRAW_FOURS,
)
from simcore.jit import inline_kernel, kernel
from simcore.records import MATCH_OVER, ROUND_OVER

SPECIALS = DRAW_TWOS | WILDS
"""Cards that do more than match, skip and reverse."""

DRAW_TWO_CARDS = 2
DRAW_FOUR_CARDS = 4
LOST_CHALLENGE_CARDS = 6
PENALTY_CARDS = 2


@inline_kernel
def seat_after(table, index, steps):
    """Return the seat so many steps (1 or 2) from a seat in the direction of play [R5] [R11]."""
    return seat_from(index, table.players, table.reversals, steps)


@inline_kernel
def seat_from(index, players, reversals, steps):
    """Return what `seat_after` returns, after so many reversals."""
    seat = np.int64(index) + (players - steps if reversals & 1 else steps)
    return np.uint32(seat - players if seat >= players else seat)


@inline_kernel
def begin_turn(table, index):
    """Begin a seat's turn [C31], or abort the match when the round has had its cap [C24]."""
    table.seat = index
    if table.turns >= table.turn_cap:
        table.metrics[CLAUSES] |= TURN_CAP_CLAUSE
        abort(table)
    else:
        table.turns += 1


@inline_kernel
def pass_turn(table, index):
    """Give the turn to the next seat and return it."""
    following = seat_after(table, index, 1)
    begin_turn(table, following)
    return following


@inline_kernel
def draw_for_turn(table, box, index, top):
    """Draw one card, and no more [R7] [R8] [C7].

    Return its kind if it can be played at once: nothing else can now [C9]. Otherwise `NO_CARD`.
    """
    kind = draw_card(table, box, index)
    if kind == NO_CARD:
        note_idle_turn(table)
        return kind
    table.drew_on[index] = top
    playable = (PLAYABLE[top] >> kind) & 1
    if kind == WILD_DRAW_FOUR and table.challenge == 0:
        bit = np.int64(1) << WILD_DRAW_FOUR
        playable = np.int64(without_bluff(table, box.seats[index], top, bit) != 0)  # [C8]
    return kind if playable else np.int64(NO_CARD)


@kernel
def note_idle_turn(table):
    """Note a turn in which there was nothing to draw; abort after a lap of them [C18]."""
    table.idle_turns = table.idle_turns + 1 if table.last_idle_turn == table.turns - 1 else 1
    table.last_idle_turn = table.turns
    if table.idle_turns >= table.players:
        abort(table)


@inline_kernel
def lay(table, box, index, top, kind):
    """Lay a card from the hand, with all that follows up to the next decision [R6].

    Return the seat on turn then and what lies on top: they are handed from turn to turn because
    the next player's moves wait for nothing else.
    """
    if (SPECIALS >> kind) & 1:
        lay_special(table, box, index, top, kind)
        return table.seat, table.top
    seat = box.seats[index]
    seat.hand, seat.doubles = take(seat.hand, seat.doubles, kind)
    left = cover(table, index, kind)
    if left == 0:
        table.phase = ROUND_OVER  # [R17]; a reverse or skip has no further effect [C16]
        return index, np.uint32(kind)
    if left == 1 and table.may_forget:
        call_uno(table, box, index)
    table.reversals += (REVERSES >> kind) & 1  # [R11]
    following = seat_after(table, index, 1 + ((table.skips >> kind) & 1))  # [R12] [C6]
    begin_turn(table, following)
    return following, np.uint32(kind)


@inline_kernel
def cover(table, index, kind):
    """Put a card that left a hand on the discard pile; return how many the hand has left."""
    discard(table, kind)
    table.top = np.uint32(kind)
    table.last_laid[index] = kind
    left = table.cards[index] - 1
    table.cards[index] = left
    return left


@kernel
def lay_special(table, box, index, top, kind):
    """Lay a draw two [R10], a wild card [R13] or a wild draw four [R14]."""
    seat = box.seats[index]
    if kind < WILD:
        seat.hand, seat.doubles = take(seat.hand, seat.doubles, kind)
    else:
        seat.hand, seat.doubles = take_wild(seat.hand, seat.doubles, kind)
    table.layer = NOBODY
    if kind == WILD_DRAW_FOUR:
        note_wild_draw_four(table, box, index, top)
    left = cover(table, index, kind)
    if left == 0:
        end_with_special(table, box, index, kind)
        return
    if left == 1 and table.may_forget:
        call_uno(table, box, index)
    table.seat = index
    if kind >= WILD:
        table.phase = COLOUR
    else:
        make_draw(table, box, seat_after(table, index, 1), DRAW_TWO_CARDS)


@kernel
def note_wild_draw_four(table, box, index, top):
    """Note who laid a wild draw four, on which colour, and whether it is a bluff [C14].

    The hand is looked at as it is now, without that card and before any penalty [C11] [C26].
    """
    table.layer = index
    table.colour_before = COLOUR_OF[top]
    table.laid_before = table.last_laid[index]
    box.bluff = np.int64(holds_colour(box.seats[index], top))
    table.metrics[WILD_DRAW_FOURS] += 1
    table.metrics[BLUFFS] += box.bluff
    table.metrics[CLAUSES] |= CHALLENGE_CLAUSE


@kernel
def end_with_special(table, box, index, kind):
    """End the round; the next player still draws two or four cards [R17] [C16]."""
    if kind != WILD:
        count = DRAW_FOUR_CARDS if kind == WILD_DRAW_FOUR else DRAW_TWO_CARDS
        draw_cards(table, box, seat_after(table, index, 1), count)
    table.phase = ROUND_OVER


@kernel
def make_draw(table, box, victim, count):
    """Make a seat draw cards and miss this turn; nothing can be stacked [R10] [R14] [C10]."""
    draw_cards(table, box, victim, count)
    table.phase = PLAY
    begin_turn(table, seat_after(table, victim, 1))


@kernel
def call_uno(table, box, index):
    """Call "UNO", or forget to and draw two cards if that is noticed [R16] [C15] [C26]."""
    forget = table.forget_uno[index]
    if forget > 0.0 and rng.uniform(box.chance_rng) < forget:
        table.metrics[CLAUSES] |= FORGOTTEN_CLAUSE
        if rng.uniform(box.chance_rng) < table.notice_uno:
            table.metrics[UNO_PENALTIES] += 1
            draw_cards(table, box, index, PENALTY_CARDS)


@kernel
def name_colour(table, box, colour):
    """Name the colour to be laid next [R13] [R14]."""
    index = table.seat
    if table.layer != NOBODY:
        table.top = np.uint32(DRAW_FOUR_NAMED + colour)
        victim = seat_after(table, index, 1)
        if table.challenge:
            table.seat = victim  # nobody else may challenge [C12]
            table.phase = CHALLENGE
        else:
            table.layer = NOBODY
            make_draw(table, box, victim, DRAW_FOUR_CARDS)
        return
    table.top = np.uint32(WILD_NAMED + colour)
    table.phase = PLAY
    # Who names the colour of a wild card turned up at the start also plays first [C4].
    begin_turn(table, index if table.opening else seat_after(table, index, 1))
    table.opening = 0


@kernel
def answer_draw_four(table, box, move):
    """Accept a wild draw four or challenge it [R15] [C12] [C13]."""
    victim = table.seat
    layer = np.uint32(table.layer)
    table.layer = NOBODY
    if move != DOUBT:
        make_draw(table, box, victim, DRAW_FOUR_CARDS)
        return
    table.metrics[CHALLENGES] += 1
    show_hand(table, box, layer, victim)
    if box.bluff:
        table.metrics[CAUGHT] += 1
        draw_cards(table, box, layer, DRAW_FOUR_CARDS)
        table.phase = PLAY
        begin_turn(table, victim)
    else:
        make_draw(table, box, victim, LOST_CHALLENGE_CARDS)


@kernel
def show_hand(table, box, layer, victim):
    """Show a challenged player's hand to the challenger, who may remember it [R15] [C28]."""
    seat = box.seats[victim]
    shown = box.seats[layer]
    seat.shown_seat = layer
    seat.shown_hand = shown.hand
    seat.shown_doubles = shown.doubles
    seat.shown_discards = table.discards
    seat.shown_discard_doubles = table.discard_doubles
    seat.shown_stocked = table.stocked


@kernel
def abort(table):
    """End the match without a winner [C29]."""
    book_counts(table)
    table.aborted = 1
    table.winners = 0
    table.phase = MATCH_OVER


@kernel
def book_counts(table):
    """Add what was counted in a round, finished or not, to the match's metrics [C25] [C29]."""
    table.metrics[TURNS] += table.turns
    table.metrics[CARDS_DRAWN] += table.stocked - table.stock_size
    if table.players == 2 and table.reversals > table.opening_reversals:
        table.metrics[CLAUSES] |= REVERSE_TWO_CLAUSE
