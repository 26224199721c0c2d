"""UNO: what a move does to hands, piles and direction, and whose turn is next."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.uno import cards as deck
from simcore.games.uno import table as uno
from simcore.games.uno import turns
from simcore.games.uno.cards import any_bits
from simcore.games.uno.moves import cards_allowed, holds_colour
from simcore.games.uno.stock import discard, draw_card, draw_cards
from simcore.jit import inline_kernel, kernel
from simcore.lanes import blend
from simcore.records import ROUND_OVER


@inline_kernel
def draw_for_turn(table, box, index, top):
    """Draw one card, and no more [R7] [R8] [C7].

    Return its kind if it can be played at once: nothing else can now [C9]. Otherwise `NO_CARD`.
    """
    kind = draw_card(table, box, index)
    if kind == uno.NO_CARD:
        note_idle_turn(table)
        return kind
    table.drew_on[index] = top
    if cards_allowed(table, box.seats[index], top, np.int64(1) << kind):
        return kind
    if table.draw:
        return draw_on(table, box, index, top)
    return np.int64(uno.NO_CARD)


@kernel
def draw_on(table, box, index, top):
    """Draw until a card can be played, and return its kind, or `NO_CARD` if none comes [H10]."""
    while True:
        kind = draw_card(table, box, index)
        if kind == uno.NO_CARD:
            return kind
        table.metrics[uno.METRIC.clauses] |= uno.CLAUSE.draw
        if cards_allowed(table, box.seats[index], top, np.int64(1) << kind):
            return kind


@kernel
def note_idle_turn(table):
    """Note a turn in which there was nothing to draw; abort after a lap of them [C18]."""
    table.idle_turns = idle_turns(table)
    table.last_idle_turn = table.turns
    if table.idle_turns >= table.players:
        turns.abort(table)


@inline_kernel
def idle_turns(table):
    """Return in how many turns in a row, with this one, there was nothing to draw [C18]."""
    return table.idle_turns + 1 if table.last_idle_turn == table.turns - 1 else np.int64(1)


@inline_kernel
def lay(table, box, index, top, kind):
    """Lay a card from the hand, with all that follows up to the next decision [R6]."""
    card = np.int64(1) << kind
    if card & deck.DRAW_FOUR_CARD:
        note_wild_draw_four(table, box, index, top)
    deck.remove(box.seats[index], card)
    discard(table, kind)
    table.top = np.uint32(kind)
    table.last_laid[index] = kind
    left = table.cards[index] - 1
    table.cards[index] = left
    if left <= 1 and is_last(table, box, index, card):
        table.phase = ROUND_OVER  # [R17]; a reverse or skip has no further effect [C16]
    elif card & deck.WILDS:
        table.seat = index
        table.phase = uno.COLOUR
    else:
        turns.go_on(table, box, index, card)


@kernel
def is_last(table, box, index, card):
    """Tell whether a hand is empty; if so the next player still draws two or four [R17] [C16].

    Who has one card left calls "UNO".
    """
    if table.cards[index] > 0:
        if table.may_forget:
            call_uno(table, box, index)
        return False
    due = table.due + turns.cards_due(card, table.draw_two_cards, table.draw_four_cards)
    turns.note_clauses(table, uno.CLAUSE.draw_two_cards & any_bits(card & deck.DRAW_TWOS))
    if due:
        draw_cards(table, box, turns.seat_after(table, index, 1), due)
    return True


@kernel
def note_wild_draw_four(table, box, index, top):
    """Note who lays a wild draw four, on which colour, and whether it is a bluff [C14].

    The hand is looked at as it is now, before any penalty [C11] [C26].
    """
    table.metrics[uno.METRIC.wild_draw_fours] += 1
    turns.note_clauses(table, uno.CLAUSE.draw_four_cards)
    if table.stack:
        return  # On a stack it is always legal [H13].
    table.layer = index
    table.colour_before = deck.COLOUR_OF[top]
    table.laid_before = table.last_laid[index]
    box.bluff = np.int64(holds_colour(box.seats[index], top))
    table.metrics[uno.METRIC.bluffs] += box.bluff
    table.metrics[uno.METRIC.clauses] |= uno.CLAUSE.challenge


@kernel
def call_uno(table, box, index):
    """Call "UNO", or forget to and draw cards if that is noticed [R16] [C15] [C26] [H8]."""
    forget = table.forget_uno[index]
    if forget > 0.0 and rng.uniform(box.chance_rng) < forget:
        table.metrics[uno.METRIC.clauses] |= uno.CLAUSE.forgotten
        if rng.uniform(box.chance_rng) < table.notice_uno:
            table.metrics[uno.METRIC.uno_penalties] += 1
            turns.note_clauses(table, uno.CLAUSE.uno_penalty)
            draw_cards(table, box, index, table.uno_penalty)


@kernel
def name_colour(table, box, colour):
    """Name the colour to be laid next [R13] [R14]."""
    index = table.seat
    if table.top != deck.WILD_DRAW_FOUR:
        table.top = np.uint32(deck.WILD_NAMED + colour)
        table.phase = uno.PLAY
        # Who names the colour of a wild card turned up at the start also plays first [C4].
        turns.begin_turn(table, index if table.opening else turns.seat_after(table, index, 1))
        table.opening = 0
        return
    table.top = np.uint32(deck.DRAW_FOUR_NAMED + colour)
    victim = turns.seat_after(table, index, 1)
    if table.layer != uno.NOBODY and table.challenge != uno.BY_NOBODY:
        table.seat = victim  # nobody else may challenge, or before this one [C12]
        table.phase = uno.CHALLENGE
    else:
        table.layer = uno.NOBODY
        turns.press(table, box, victim, np.int64(deck.DRAW_FOUR_CARD))


@inline_kernel
def cards_after_answer(doubts, bluff, draw_four_cards, challenge_penalty):
    """Return whether the layer of a wild draw four is caught, and who draws how many [R15].

    The first two are masks; the layer draws if it is caught, else who answered, who pays for a
    wrong challenge [H6] [H7].
    """
    caught = doubts & bluff
    return caught, draw_four_cards + (challenge_penalty & doubts & ~caught)


@inline_kernel
def waits_for_next(accepts, following, layer, all_challenge):
    """Return a mask: whether a seat that accepts leaves it to the next one to challenge [C12]."""
    return accepts & all_challenge & -np.int64(following != layer)


@inline_kernel
def drawer_of(doubts, caught, index, victim):
    """Return who draws once seat `index` has answered: a seat, and how many seats after it [R15].

    The victim, who follows the layer, or who doubted in vain, or the layer if it is caught.
    """
    return blend(doubts & ~caught, index, victim), caught


@kernel
def answer_draw_four(table, box, move):
    """Accept a wild draw four or challenge it [R15] [C12] [C13]."""
    index = table.seat
    layer = np.uint32(table.layer)
    victim = turns.seat_after(table, layer, 1)
    doubts = -np.int64(move == uno.DOUBT)
    following = turns.seat_after(table, index, 1)
    if waits_for_next(~doubts, following, layer, -np.int64(table.challenge == uno.BY_ANYBODY)):
        table.seat = following
        return
    table.layer = uno.NOBODY
    if not doubts:
        turns.press(table, box, victim, np.int64(deck.DRAW_FOUR_CARD))
        return
    caught, count = cards_after_answer(
        doubts, -box.bluff, table.draw_four_cards, table.challenge_penalty
    )
    table.metrics[uno.METRIC.challenges] += 1
    table.metrics[uno.METRIC.caught] -= caught
    turns.show_hand(table, box, layer, index)
    turns.note_clauses(table, uno.CLAUSE.challenge_penalty & ~caught)
    table.phase = uno.PLAY
    seat, steps = drawer_of(doubts, caught, np.int64(index), np.int64(victim))
    draw_cards(table, box, turns.seat_after(table, seat, steps), count)
    turns.begin_turn(table, turns.seat_after(table, victim, 1 + caught))


@kernel
def answer_by_card(table, box, move):
    """Lay a draw card on a stack, or the same card out of turn; or do not [H13] [H14]."""
    index = table.seat
    if table.phase == uno.STACK:
        if move == uno.DRAW:
            turns.settle_debt(table, box, index)
            return
        due = turns.cards_due(np.int64(1) << move, table.draw_two_cards, table.draw_four_cards)
        table.metrics[uno.METRIC.stacks] += 1
        table.metrics[uno.METRIC.largest_stack] = max(
            table.metrics[uno.METRIC.largest_stack], due + table.due
        )
    else:
        if move == uno.KEEP:
            turns.ask_to_jump(table, box)
            return
        table.metrics[uno.METRIC.jump_ins] += 1
    table.phase = uno.PLAY
    lay(table, box, index, table.top, move)


@kernel
def answer(table, box, move):
    """Carry out a move that is no turn of its own."""
    if table.phase == uno.COLOUR:
        name_colour(table, box, move)
    elif table.phase == uno.CHALLENGE:
        answer_draw_four(table, box, move)
    elif table.phase == uno.SWAP:
        turns.swap_hands(table, box, table.seat, np.uint32(move))
    else:
        answer_by_card(table, box, move)


@inline_kernel
def go_on_drawn(table, box, kind):
    """Let the card be laid or kept that was drawn, or, if it is none (`NO_CARD`), pass the turn."""
    if kind != uno.NO_CARD:
        box.seats[table.seat].drawn = kind
        table.phase = uno.DRAWN
    elif table.phase == uno.PLAY:
        turns.pass_turn(table, table.seat)


@inline_kernel
def apply_move(table, box, move):
    """Carry out a legal move of the seat on turn; the records are modified in place.

    Afterwards the seat that decides next is on turn, or the phase is `ROUND_OVER` or `MATCH_OVER`.
    """
    index = table.seat
    if table.phase != uno.PLAY and table.phase != uno.DRAWN:
        answer(table, box, move)
    elif move == uno.DRAW:
        go_on_drawn(table, box, draw_for_turn(table, box, index, table.top))
    else:
        table.phase = uno.PLAY
        if move == uno.KEEP:
            turns.pass_turn(table, index)
        else:
            lay(table, box, index, table.top, move)
