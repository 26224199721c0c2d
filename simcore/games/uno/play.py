"""UNO: what a move does to hands, piles and direction, and whose turn is next."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.uno.cards import (
    COLOUR_OF,
    DRAW_FOUR_CARD,
    DRAW_FOUR_NAMED,
    DRAW_TWOS,
    REVERSES,
    WILD_NAMED,
    WILDS,
    remove,
)
from simcore.games.uno.moves import cards_allowed, holds_colour
from simcore.games.uno.options import usual
from simcore.games.uno.stock import discard, draw_card, draw_cards
from simcore.games.uno.table import (
    BLUFFS,
    CARDS_DRAWN,
    CAUGHT,
    CHALLENGE,
    CHALLENGE_CLAUSE,
    CHALLENGE_PENALTY_CLAUSE,
    CHALLENGES,
    CLAUSES,
    COLOUR,
    DOUBT,
    DRAW_FOUR_CLAUSE,
    DRAW_TWO_CLAUSE,
    FORGOTTEN_CLAUSE,
    NO_CARD,
    NOBODY,
    PLAY,
    REVERSE_TWO_CLAUSE,
    TURN_CAP_CLAUSE,
    TURNS,
    UNO_PENALTIES,
    UNO_PENALTY_CLAUSE,
    WILD_DRAW_FOURS,
)
from simcore.jit import inline_kernel, kernel
from simcore.records import MATCH_OVER, ROUND_OVER

USUAL_DRAW_TWO = usual("draw_two_cards")
USUAL_DRAW_FOUR = usual("draw_four_cards")
USUAL_CHALLENGE_PENALTY = usual("challenge_penalty")
USUAL_UNO_PENALTY = usual("uno_penalty")


@inline_kernel
def seat_from(index, steps, reversals, players):
    """Return the seat so many steps (−1…2) from a seat in the direction of play [R5] [R11]."""
    back = -(reversals & 1)
    index += (steps ^ back) - back
    index += players & (index >> 63)
    return index - (players & ~((index - players) >> 63))


@inline_kernel
def seat_after(table, index, steps):
    """Return the seat so many steps from a seat, as `seat_from`."""
    return np.uint32(seat_from(np.int64(index), steps, table.reversals, table.players))


@inline_kernel
def cards_due(card, draw_two_cards, draw_four_cards):
    """Return how many cards a card, as its bit, makes the next player draw [R10] [R14].

    So many are they of a draw two [H5] and of a wild draw four [H6].
    """
    two = draw_two_cards & -np.int64((card & DRAW_TWOS) != 0)
    return two | (draw_four_cards & -np.int64((card & DRAW_FOUR_CARD) != 0))


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
    """Give the turn to the next seat."""
    begin_turn(table, seat_after(table, index, 1))


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
    goes = cards_allowed(table, box.seats[index], top, np.int64(1) << kind)
    return kind if goes else np.int64(NO_CARD)


@kernel
def note_idle_turn(table):
    """Note a turn in which there was nothing to draw; abort after a lap of them [C18]."""
    table.idle_turns = table.idle_turns + 1 if table.last_idle_turn == table.turns - 1 else 1
    table.last_idle_turn = table.turns
    if table.idle_turns >= table.players:
        abort(table)


@inline_kernel
def lay(table, box, index, top, kind):
    """Lay a card from the hand, with all that follows up to the next decision [R6]."""
    card = np.int64(1) << kind
    if card & DRAW_FOUR_CARD:
        note_wild_draw_four(table, box, index, top)
    remove(box.seats[index], card)
    discard(table, kind)
    table.top = np.uint32(kind)
    table.last_laid[index] = kind
    left = table.cards[index] - 1
    table.cards[index] = left
    if left <= 1 and is_last(table, box, index, card):
        table.phase = ROUND_OVER  # [R17]; a reverse or skip has no further effect [C16]
    elif card & WILDS:
        table.seat = index
        table.phase = COLOUR
    else:
        go_on(table, box, index, card)


@inline_kernel
def go_on(table, box, index, card):
    """Give the turn to the seat that it passes to after a card."""
    table.reversals += np.int64((card & REVERSES) != 0)  # [R11]
    if card & DRAW_TWOS:
        note_dials(table, 1, 0, 0)
        make_draw(table, box, seat_after(table, index, 1), table.draw_two_cards)
    else:
        skipped = np.int64((card & table.skips) != 0)  # [R12] [C6]
        begin_turn(table, seat_after(table, index, 1 + skipped))


@kernel
def is_last(table, box, index, card):
    """Tell whether a hand is empty; if so the next player still draws two or four [R17] [C16].

    Who has one card left calls "UNO".
    """
    if table.cards[index] > 0:
        if table.may_forget:
            call_uno(table, box, index)
        return False
    due = cards_due(card, table.draw_two_cards, table.draw_four_cards)
    if card & DRAW_TWOS:
        note_dials(table, 1, 0, 0)
    if due:
        draw_cards(table, box, seat_after(table, index, 1), due)
    return True


@inline_kernel
def note_dials(table, two, four, wrong):
    """Note what came into play of the cards that somebody must draw.

    That is a draw two [H5], a wild draw four [H6] or a wrong challenge [H7]; 0 where it did not.
    """
    if two and table.draw_two_cards != USUAL_DRAW_TWO:
        table.metrics[CLAUSES] |= DRAW_TWO_CLAUSE
    if four and table.draw_four_cards != USUAL_DRAW_FOUR:
        table.metrics[CLAUSES] |= DRAW_FOUR_CLAUSE
    if wrong and table.challenge_penalty != USUAL_CHALLENGE_PENALTY:
        table.metrics[CLAUSES] |= CHALLENGE_PENALTY_CLAUSE


@kernel
def note_wild_draw_four(table, box, index, top):
    """Note who lays a wild draw four, on which colour, and whether it is a bluff [C14].

    The hand is looked at as it is now, before any penalty [C11] [C26].
    """
    table.layer = index
    table.colour_before = COLOUR_OF[top]
    table.laid_before = table.last_laid[index]
    box.bluff = np.int64(holds_colour(box.seats[index], top))
    table.metrics[WILD_DRAW_FOURS] += 1
    table.metrics[BLUFFS] += box.bluff
    table.metrics[CLAUSES] |= CHALLENGE_CLAUSE
    note_dials(table, 0, 1, 0)


@kernel
def make_draw(table, box, victim, count):
    """Make a seat draw cards and miss this turn; nothing can be stacked [R10] [R14] [C10]."""
    draw_cards(table, box, victim, count)
    table.phase = PLAY
    begin_turn(table, seat_after(table, victim, 1))


@kernel
def call_uno(table, box, index):
    """Call "UNO", or forget to and draw cards if that is noticed [R16] [C15] [C26] [H8]."""
    forget = table.forget_uno[index]
    if forget > 0.0 and rng.uniform(box.chance_rng) < forget:
        table.metrics[CLAUSES] |= FORGOTTEN_CLAUSE
        if rng.uniform(box.chance_rng) < table.notice_uno:
            table.metrics[UNO_PENALTIES] += 1
            if table.uno_penalty != USUAL_UNO_PENALTY:
                table.metrics[CLAUSES] |= UNO_PENALTY_CLAUSE
            draw_cards(table, box, index, table.uno_penalty)


@kernel
def name_colour(table, box, colour):
    """Name the colour to be laid next [R13] [R14]."""
    index = table.seat
    if table.layer == NOBODY:
        table.top = np.uint32(WILD_NAMED + colour)
        table.phase = PLAY
        # Who names the colour of a wild card turned up at the start also plays first [C4].
        begin_turn(table, index if table.opening else seat_after(table, index, 1))
        table.opening = 0
        return
    table.top = np.uint32(DRAW_FOUR_NAMED + colour)
    if table.challenge:
        table.seat = seat_after(table, index, 1)  # nobody else may challenge [C12]
        table.phase = CHALLENGE
    else:
        table.layer = NOBODY
        make_draw(table, box, seat_after(table, index, 1), table.draw_four_cards)


@inline_kernel
def cards_after_answer(doubts, bluff, draw_four_cards, challenge_penalty):
    """Return whether the layer of a wild draw four is caught, and who draws how many [R15].

    The first two are masks; the layer draws if it is caught, else who answered, who pays for a
    wrong challenge [H6] [H7].
    """
    caught = doubts & bluff
    return caught, draw_four_cards + (challenge_penalty & doubts & ~caught)


@kernel
def answer_draw_four(table, box, move):
    """Accept a wild draw four or challenge it [R15] [C12] [C13]."""
    victim = table.seat
    layer = np.uint32(table.layer)
    table.layer = NOBODY
    doubts = -np.int64(move == DOUBT)
    caught, count = cards_after_answer(
        doubts, -box.bluff, table.draw_four_cards, table.challenge_penalty
    )
    if doubts:
        table.metrics[CHALLENGES] += 1
        show_hand(table, box, layer, victim)
        note_dials(table, 0, 0, ~caught)
    if caught:
        table.metrics[CAUGHT] += 1
        draw_cards(table, box, layer, count)
        table.phase = PLAY
        begin_turn(table, victim)
    else:
        make_draw(table, box, victim, count)


@kernel
def show_hand(table, box, layer, victim):
    """Show a challenged player's hand to the challenger, who may remember it [R15] [C28]."""
    seat = box.seats[victim]
    shown = box.seats[layer]
    seat.shown_seat = layer
    seat.shown_hand = shown.hand
    seat.shown_doubles = shown.doubles
    seat.shown_pairs = shown.pairs
    seat.shown_discards = table.discards
    seat.shown_discard_doubles = table.discard_doubles
    seat.shown_discard_pairs = table.discard_pairs
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
