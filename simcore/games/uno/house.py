"""UNO: what a card brings about before the next turn begins, with [H13] [H14] [H15].

A draw card is settled or stacked, hands are swapped or passed on, and then others may jump in.
"""

from __future__ import annotations

from typing import Any

from simcore.games.uno.state import (
    CHALLENGE,
    DRAW_FOUR,
    DRAW_TWO,
    JUMP,
    NOBODY,
    NUMBERS,
    PLAY,
    REVERSE,
    SEVEN,
    SKIP,
    STACK,
    SWAP,
    WILD_FACE,
    ZERO,
    draw_cards,
    kinds_of,
)
from simcore.language import *

# ---------------------------------------------------------------- whose turn


def next_seat(s, seat: int, steps: int) -> int:
    """Return the seat so many steps from a seat in the direction of play [R5] [R11]."""
    return after(seat, -steps if s.backwards else steps)


def begin_turn(s, seat: int) -> None:
    """Begin a seat's turn [C31], or abort the match when the round has had its cap [C24]."""
    if s.turns >= o.turn_cap:
        note(s, "turn_cap")
        give_up(s)
    else:
        s.turns += 1
        ask(s, seat, PLAY)


def give_up(s) -> None:
    """End the match without a winner; what was played counts [C29]."""
    s.count.turns += s.turns
    abort(s)


# ---------------------------------------------------------------- the effect of a card


def take_effect(s, seat: int, kind: int) -> None:
    """Let a coloured card that a seat laid take effect."""
    face = rank(kind)
    steps = 1
    if face == DRAW_TWO:
        press(s, next_seat(s, seat, 1), kind)  # [R10]
        return
    if face == SKIP:
        steps = 2  # [R12]
    if face == REVERSE:
        s.backwards = 1 - s.backwards  # [R11]
        if o.players == 2:
            note(s, "reverse_two")
            if o.reverse_two_players == "skip":
                steps = 2  # [C6]
    following = next_seat(s, seat, steps)
    if o.seven_zero:
        if face == SEVEN and o.players > 2:
            s.following = following
            ask(s, seat, SWAP)
            return
        if face == SEVEN:
            swap_hands(s, seat, 1 - seat)
        if face == ZERO:
            pass_hands(s)
    settle(s, following)


def settle(s, following: int) -> None:
    """Begin a seat's turn, unless somebody may jump in upon the card on top before [H14]."""
    if o.jump_in and s.laid and rank(s.top) < WILD_FACE:
        s.following = following
        s.asked = 0
        ask_to_jump(s)
    else:
        begin_turn(s, following)


# ---------------------------------------------------------------- cards to be drawn


def cards_due(kind: int) -> Any:
    """Return how many cards a card makes the next player draw [R10] [H5] [R14] [H6]."""
    if kind == DRAW_FOUR:
        return o.draw_four_cards
    return o.draw_two_cards if rank(kind) == DRAW_TWO else 0


@rare
def press(s, victim: int, kind: int) -> None:
    """Let a draw card take effect: its victim draws and misses the turn [R10] [R14] [C10].

    Or lays another one on it, if that may be and can [H13].
    """
    note_if(s, "draw_two_cards", kind != DRAW_FOUR and o.draw_two_cards != 2)
    s.due += cards_due(kind)
    s.stack += 1
    if o.stacking != "off" and stackable(s, victim):
        note(s, "stacking")
        ask(s, victim, STACK)
    else:
        settle_debt(s, victim)


def settle_debt(s, victim: int) -> None:
    """Make a seat draw what is due and miss the turn."""
    due = s.due
    s.due = s.stack = 0
    draw_cards(s, victim, due)
    settle(s, next_seat(s, victim, 1))


def stackable(s, seat: int) -> Any:
    """Return the kinds that a seat may lay instead of drawing [H13]."""
    twos, fours = of_rank(DRAW_TWO), {DRAW_FOUR}
    if o.stacking == "same":
        fitting = twos if rank(s.top) == DRAW_TWO else fours
    else:
        fitting = twos | fours if rank(s.top) == DRAW_TWO else fours | twos & of_suit(suit(s.top))
    return that_may_end(s, seat, kinds_of(s.hand[seat]) & fitting)


def that_may_end(s, seat: int, kinds: cardset) -> Any:
    """Leave out what may not be laid as the last card, if it would be [H12]."""
    if o.last_card == "number" and len(s.hand[seat]) == 1:
        note_if(s, "last_card", kinds - NUMBERS)
        return kinds & NUMBERS
    return kinds


# ---------------------------------------------------------------- jumping in


@rare
def ask_to_jump(s) -> None:
    """Ask who may jump in next, or begin the turn of the seat that follows [H14]."""
    while s.asked < o.players - 1:
        s.asked += 1
        seat = next_seat(s, s.following, s.asked)
        if that_may_end(s, seat, kinds_of(s.hand[seat]) & {s.top}):
            note(s, "jump_in")
            ask(s, seat, JUMP)
            return
    begin_turn(s, s.following)


# ---------------------------------------------------------------- hands that change their holder


@rare
def swap_hands(s, one: int, other: int) -> None:
    """Let two seats swap hands, and with them what is known of them [H15] [C34]."""
    note_swap(s)
    hand, others = s.hand[one], s.hand[other]
    move(hand, s.hand[one], s.hand[other])
    move(others, s.hand[other], s.hand[one])
    s.drew_on[one], s.drew_on[other] = s.drew_on[other], s.drew_on[one]
    for seat in range(o.players):
        if s.knows[seat] == one:
            s.knows[seat] = other
        elif s.knows[seat] == other:
            s.knows[seat] = one
    show_hand(s, other, one)
    show_hand(s, one, other)


@rare
def pass_hands(s) -> None:
    """Pass all hands on by one seat, in the direction of play [H15] [C34]."""
    note_swap(s)
    seat, hand, drew_on = 0, s.hand[0], s.drew_on[0]
    for _ in range(o.players):
        receiver = next_seat(s, seat, 1)
        before, drew_before = s.hand[receiver], s.drew_on[receiver]
        move(hand, s.hand[seat], s.hand[receiver])
        s.drew_on[receiver] = drew_on
        seat, hand, drew_on = receiver, before, drew_before
    for giver in range(o.players):
        show_hand(s, next_seat(s, giver, 1), giver)


def note_swap(s) -> None:
    """Count that hands change their holder."""
    s.count.swaps += 1
    note(s, "seven_zero")


def show_hand(s, holder: int, seat: int) -> None:
    """Let a seat see a hand, which it may remember for the rest of the round [R15] [C28]."""
    s.knows[seat] = holder
    s.hand_seen[seat] = s.hand[holder]
    s.pile_then[seat] = s.pile
    s.renewals_then[seat] = s.renewals


# ---------------------------------------------------------------- challenges


@rare
def challenged(s, seat: int, doubts: int) -> None:
    """Accept a wild draw four or challenge it [R15] [C12] [C13]."""
    layer = s.layer
    victim = next_seat(s, layer, 1)
    if not doubts and o.challenge == "any" and next_seat(s, seat, 1) != layer:
        ask(s, next_seat(s, seat, 1), CHALLENGE)  # who else may challenge
        return
    s.layer = NOBODY
    if not doubts:
        press(s, victim, DRAW_FOUR)
        return
    s.count.challenges += 1
    show_hand(s, layer, seat)
    if s.bluff:
        s.count.caught += 1
        draw_cards(s, layer, o.draw_four_cards)
        begin_turn(s, victim)
    else:
        note_if(s, "challenge_penalty", o.challenge_penalty != 2)
        draw_cards(s, seat, o.draw_four_cards + o.challenge_penalty)  # [H6] [H7]
        begin_turn(s, next_seat(s, victim, 1))
