"""UNO: the effects of a card before the next turn, with the house rules [H13] [H14] [H15].

A draw card is settled or stacked, hands are swapped or passed on, and then other seats may jump in.
"""

from __future__ import annotations

from typing import Any

from simcore.games.uno.state import *
from simcore.language import *

# ---------------------------------------------------------------- whose turn


def next_seat(s, seat: int, steps: int) -> int:
    """Return the seat `steps` seats on in the direction of play [R5] [R11]."""
    return after(seat, -steps if s.backwards else steps)


def begin_turn(s, seat: int) -> None:
    """Begin a seat's turn [C31], or abort the match if the round has reached its cap [C24]."""
    if s.turns >= o.turn_cap:
        note(s, "turn_cap")
        give_up(s)
    else:
        s.turns += 1
        ask(s, seat, PLAY)


def give_up(s) -> None:
    """Abort the match; the turns played still count [C29]."""
    s.count.turns += s.turns
    abort(s)


# ---------------------------------------------------------------- the effect of a card


def take_effect(s, seat: int, kind: int) -> None:
    """Carry out the effect of a coloured card that a seat laid."""
    face = rank(kind)
    steps = 1
    if face == DRAW_TWO:
        make_victim_draw(s, next_seat(s, seat, 1), kind)  # [R10]
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
    """Begin a seat's turn, but first let others jump in on the top card [H14]."""
    if o.jump_in and s.laid and rank(s.top) < WILD_FACE:
        s.following = following
        s.asked = 0
        ask_to_jump(s)
    else:
        begin_turn(s, following)


# ---------------------------------------------------------------- cards to be drawn


def cards_due(kind: int) -> Any:
    """Return how many cards a card makes a player draw [R10] [H5] [R14] [H6]."""
    if kind == DRAW_FOUR:
        return o.draw_four_cards
    return o.draw_two_cards if rank(kind) == DRAW_TWO else 0


@rare
def make_victim_draw(s, victim: int, kind: int) -> None:
    """Carry out a draw card: its victim draws and misses its turn [R10] [R14] [C10].

    By a house rule the victim may stack another draw card instead [H13].
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
    """Make a seat draw the cards due and miss its turn."""
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
    return allowed_by_last_card(s, seat, kinds_of(s.hand[seat]) & fitting)


def allowed_by_last_card(s, seat: int, kinds: cardset) -> Any:
    """Return the kinds that a seat may lay, given that its last card may be restricted [H12]."""
    if o.last_card == "number" and len(s.hand[seat]) == 1:
        note_if(s, "last_card", kinds - NUMBERS)
        return kinds & NUMBERS
    return kinds


# ---------------------------------------------------------------- jumping in


@rare
def ask_to_jump(s) -> None:
    """Ask the next seat that may jump in, or begin the following turn [H14]."""
    while s.asked < o.players - 1:
        s.asked += 1
        seat = next_seat(s, s.following, s.asked)
        if allowed_by_last_card(s, seat, kinds_of(s.hand[seat]) & {s.top}):
            note(s, "jump_in")
            ask(s, seat, JUMP)
            return
    begin_turn(s, s.following)


# ---------------------------------------------------------------- hands that change their holder


@rare
def swap_hands(s, first: int, second: int) -> None:
    """Swap the hands of two seats, and the knowledge about them [H15] [C34]."""
    note_swap(s)
    hand, others = s.hand[first], s.hand[second]
    move(hand, s.hand[first], s.hand[second])
    move(others, s.hand[second], s.hand[first])
    s.drew_on[first], s.drew_on[second] = s.drew_on[second], s.drew_on[first]
    for seat in range(o.players):
        if s.knows[seat] == first:
            s.knows[seat] = second
        elif s.knows[seat] == second:
            s.knows[seat] = first
    show_hand(s, second, first)
    show_hand(s, first, second)


@rare
def pass_hands(s) -> None:
    """Pass all hands on by one seat in the direction of play [H15] [C34]."""
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
    """Count a swap or pass of hands."""
    s.count.swaps += 1
    note(s, "seven_zero")


def show_hand(s, holder: int, seat: int) -> None:
    """Show a hand to a seat, which may remember it for the rest of the round [R15] [C28]."""
    s.knows[seat] = holder
    s.hand_seen[seat] = s.hand[holder]
    s.pile_then[seat] = s.pile
    s.renewals_then[seat] = s.renewals


# ---------------------------------------------------------------- challenges


@rare
def resolve_challenge(s, seat: int, doubts: int) -> None:
    """Accept a wild draw four or challenge it [R15] [C12] [C13]."""
    layer = s.layer
    victim = next_seat(s, layer, 1)
    if not doubts and o.challenge == "any" and next_seat(s, seat, 1) != layer:
        ask(s, next_seat(s, seat, 1), CHALLENGE)  # the next seat may challenge
        return
    s.layer = NOBODY
    if not doubts:
        make_victim_draw(s, victim, DRAW_FOUR)
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
