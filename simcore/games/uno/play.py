"""UNO: what a move does to hands, piles and direction, and whose turn is next."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.uno.cards import (
    COLOUR_OF,
    DRAW_FOUR_CARD,
    DRAW_FOUR_NAMED,
    DRAW_TWOS,
    WILD_DRAW_FOUR,
    WILD_NAMED,
    WILDS,
    remove,
)
from simcore.games.uno.moves import cards_allowed, holds_colour
from simcore.games.uno.options import usual
from simcore.games.uno.stock import discard, draw_card, draw_cards
from simcore.games.uno.table import (
    CHALLENGE,
    CLAUSE,
    COLOUR,
    DOUBT,
    DRAW,
    DRAWN,
    KEEP,
    METRIC,
    NO_CARD,
    NOBODY,
    PLAY,
    STACK,
    SWAP,
)
from simcore.games.uno.turns import (
    abort,
    ask_to_jump,
    begin_turn,
    cards_due,
    go_on,
    note_dials,
    pass_turn,
    press,
    seat_after,
    settle_debt,
    show_hand,
    swap_hands,
)
from simcore.jit import inline_kernel, kernel
from simcore.records import ROUND_OVER

USUAL_UNO_PENALTY = usual("uno_penalty")


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
    if cards_allowed(table, box.seats[index], top, np.int64(1) << kind):
        return kind
    if table.draw_until:
        return draw_on(table, box, index, top)
    return np.int64(NO_CARD)


@kernel
def draw_on(table, box, index, top):
    """Draw until a card can be played, and return its kind, or `NO_CARD` if none comes [H10]."""
    while True:
        kind = draw_card(table, box, index)
        if kind == NO_CARD:
            return kind
        table.metrics[METRIC.clauses] |= CLAUSE.draw
        if cards_allowed(table, box.seats[index], top, np.int64(1) << kind):
            return kind


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


@kernel
def is_last(table, box, index, card):
    """Tell whether a hand is empty; if so the next player still draws two or four [R17] [C16].

    Who has one card left calls "UNO".
    """
    if table.cards[index] > 0:
        if table.may_forget:
            call_uno(table, box, index)
        return False
    due = table.due + cards_due(card, table.draw_two_cards, table.draw_four_cards)
    if card & DRAW_TWOS:
        note_dials(table, 1, 0, 0)
    if due:
        draw_cards(table, box, seat_after(table, index, 1), due)
    return True


@kernel
def note_wild_draw_four(table, box, index, top):
    """Note who lays a wild draw four, on which colour, and whether it is a bluff [C14].

    The hand is looked at as it is now, before any penalty [C11] [C26].
    """
    table.metrics[METRIC.wild_draw_fours] += 1
    note_dials(table, 0, 1, 0)
    if table.stack:
        return  # On a stack it is always legal [H13].
    table.layer = index
    table.colour_before = COLOUR_OF[top]
    table.laid_before = table.last_laid[index]
    box.bluff = np.int64(holds_colour(box.seats[index], top))
    table.metrics[METRIC.bluffs] += box.bluff
    table.metrics[METRIC.clauses] |= CLAUSE.challenge


@kernel
def call_uno(table, box, index):
    """Call "UNO", or forget to and draw cards if that is noticed [R16] [C15] [C26] [H8]."""
    forget = table.forget_uno[index]
    if forget > 0.0 and rng.uniform(box.chance_rng) < forget:
        table.metrics[METRIC.clauses] |= CLAUSE.forgotten
        if rng.uniform(box.chance_rng) < table.notice_uno:
            table.metrics[METRIC.uno_penalties] += 1
            if table.uno_penalty != USUAL_UNO_PENALTY:
                table.metrics[METRIC.clauses] |= CLAUSE.uno_penalty
            draw_cards(table, box, index, table.uno_penalty)


@kernel
def name_colour(table, box, colour):
    """Name the colour to be laid next [R13] [R14]."""
    index = table.seat
    if table.top != WILD_DRAW_FOUR:
        table.top = np.uint32(WILD_NAMED + colour)
        table.phase = PLAY
        # Who names the colour of a wild card turned up at the start also plays first [C4].
        begin_turn(table, index if table.opening else seat_after(table, index, 1))
        table.opening = 0
        return
    table.top = np.uint32(DRAW_FOUR_NAMED + colour)
    victim = seat_after(table, index, 1)
    if table.layer != NOBODY and table.challenge:
        table.seat = victim  # nobody else may challenge, or before this one [C12]
        table.phase = CHALLENGE
    else:
        table.layer = NOBODY
        press(table, box, victim, np.int64(DRAW_FOUR_CARD))


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
    index = table.seat
    layer = np.uint32(table.layer)
    victim = seat_after(table, layer, 1)
    doubts = -np.int64(move == DOUBT)
    following = seat_after(table, index, 1)
    if not doubts and table.challenge_any and following != layer:
        table.seat = following
        return
    table.layer = NOBODY
    if not doubts:
        press(table, box, victim, np.int64(DRAW_FOUR_CARD))
        return
    caught, count = cards_after_answer(
        doubts, -box.bluff, table.draw_four_cards, table.challenge_penalty
    )
    table.metrics[METRIC.challenges] += 1
    show_hand(table, box, layer, index)
    note_dials(table, 0, 0, ~caught)
    table.phase = PLAY
    if caught:
        table.metrics[METRIC.caught] += 1
        draw_cards(table, box, layer, count)
        begin_turn(table, victim)
    else:
        draw_cards(table, box, index, count)
        begin_turn(table, seat_after(table, victim, 1))


@kernel
def answer_by_card(table, box, move):
    """Lay a draw card on a stack, or the same card out of turn; or do not [H13] [H14]."""
    index = table.seat
    if table.phase == STACK:
        if move == DRAW:
            settle_debt(table, box, index)
            return
        due = cards_due(np.int64(1) << move, table.draw_two_cards, table.draw_four_cards)
        table.metrics[METRIC.stacks] += 1
        table.metrics[METRIC.largest_stack] = max(
            table.metrics[METRIC.largest_stack], due + table.due
        )
    else:
        if move == KEEP:
            ask_to_jump(table, box, seat_after(table, index, 1))
            return
        table.metrics[METRIC.jump_ins] += 1
    table.phase = PLAY
    lay(table, box, index, table.top, move)


@kernel
def answer(table, box, move):
    """Carry out a move that is no turn of its own."""
    if table.phase == COLOUR:
        name_colour(table, box, move)
    elif table.phase == CHALLENGE:
        answer_draw_four(table, box, move)
    elif table.phase == SWAP:
        swap_hands(table, box, table.seat, np.uint32(move))
    else:
        answer_by_card(table, box, move)


@inline_kernel
def go_on_drawn(table, box, kind):
    """Let the card be laid or kept that was drawn, or, if it is none (`NO_CARD`), pass the turn."""
    if kind != NO_CARD:
        box.seats[table.seat].drawn = kind
        table.phase = DRAWN
    elif table.phase == PLAY:
        pass_turn(table, table.seat)


@kernel
def apply_move(table, box, move):
    """Carry out a legal move of the seat on turn; the records are modified in place.

    Afterwards the seat that decides next is on turn, or the phase is `ROUND_OVER` or `MATCH_OVER`.
    """
    index = table.seat
    if table.phase != PLAY and table.phase != DRAWN:
        answer(table, box, move)
    elif move == DRAW:
        go_on_drawn(table, box, draw_for_turn(table, box, index, table.top))
    elif move == KEEP:
        table.phase = PLAY
        pass_turn(table, index)
    else:
        table.phase = PLAY
        lay(table, box, index, table.top, move)
