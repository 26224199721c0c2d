"""UNO: the rules of a match, from the deal to the score; see RULES.md beside this file.

The cards are in `state`; the effects of cards and the house rules are in `house`.
"""

from __future__ import annotations

from typing import Any

from simcore.games.uno.house import *
from simcore.games.uno.state import *
from simcore.games.uno.unseen import *
from simcore.language import *

# ---------------------------------------------------------------- set-up


def start_match(s) -> None:
    """Draw the first dealer [R2] [C1]."""
    s.dealer = below(s, MATCH, o.players)
    s.first_seat = after(s.dealer, 1)
    note_if(s, "scoring", o.scoring == "own_cards")
    note_if(s, "hand_size", o.hand_size != 7)
    note_if(s, "copies", o.other_copies)


@rare
def deal(s) -> None:
    """Pass the deal clockwise [C1], deal [R3] and turn up the first card [R4]."""
    if s.round_number > 1:
        s.dealer = after(s.dealer, 1)
    clear_table(s)
    bring(o.deck, s.stock)
    deal_hands(s)
    while not s.stock - of_rank(DRAW_FOUR_FACE):  # no card could be turned up: deal again [C33]
        for seat in range(o.players):
            move(s.hand[seat], s.hand[seat], s.stock)
        deal_hands(s)
    first = draw(s.stock, s.pile)
    while rank(first) == DRAW_FOUR_FACE:  # put back as often as it is turned up [R14] [C21]
        move(first, s.pile, s.stock)
        first = draw(s.stock, s.pile)
    s.top = kind_of(first)
    begin_round(s, s.top)


def clear_table(s) -> None:
    """Reset the state of the last round; play goes clockwise again [C22]."""
    s.backwards = s.turns = s.naming_first = s.due = s.stack = s.laid = s.renewals = 0
    s.layer = NOBODY
    s.last_idle_turn = -1
    for seat in range(o.players):
        s.drew_on[seat] = s.last_laid[seat] = NEVER
        s.knows[seat] = NOBODY


def deal_hands(s) -> None:
    """Deal the hands, starting with the dealer's left neighbour [R3] [H1] [C23]."""
    for step in range(o.players):
        draw(s.stock, s.hand[after(s.dealer, 1 + step)], o.hand_size)


def begin_round(s, first: int) -> None:
    """Carry out the effect of the first card [R4], and begin [R5]."""
    left = after(s.dealer, 1)
    if first == WILD:
        s.naming_first = 1
        ask(s, left, COLOUR)  # [R13]
    elif rank(first) == REVERSE:
        s.backwards = 1
        begin_turn(s, s.dealer)  # then the right neighbour [R11] [C5]
    elif rank(first) == SKIP:
        begin_turn(s, after(left, 1))  # [R12]
    elif rank(first) == DRAW_TWO:
        make_victim_draw(s, left, first)  # [R10]
    else:
        begin_turn(s, left)


# ---------------------------------------------------------------- a turn


def legal_play(s, seat: int) -> Any:
    """Return the kinds that may be laid [R6], and drawing [R7] [R8] unless [H11] forbids it."""
    playable = allowed_by_last_card(s, seat, playable_kinds(s, seat, kinds_of(s.hand[seat])))
    if must_lay(s, seat, playable):
        return playable
    return playable | {DRAW}


def playable_kinds(s, seat: int, kinds: cardset) -> Any:
    """Return the kinds, out of a hand's, that may be laid on the top card.

    A wild draw four may be a bluff [C14]; if nobody may challenge, it must be legal given the whole
    hand [C12] [R14] [C8].
    """
    playable = kinds & cards_fitting(s.top)
    if o.challenge == "off" and DRAW_FOUR in playable and of_colour_asked(s, seat):
        note(s, "challenge")
        return playable - {DRAW_FOUR}
    return playable


def must_lay(s, seat: int, playable: cardset) -> bool:
    """Tell whether a player with these kinds must lay one, because one is no bluff [H11]."""
    must = bool(o.must_play and honest(s, seat, playable))
    note_if(s, "must_play", must)
    return must


def honest(s, seat: int, kinds: cardset) -> Any:
    """Return the kinds that are no bluff [R14]."""
    return kinds - {DRAW_FOUR} if of_colour_asked(s, seat) else kinds


def apply_play(s, seat: int, chosen: int) -> None:
    """Lay a card or draw one."""
    if chosen == DRAW:
        draw_for_turn(s, seat)
    elif o.pairs:
        lay_first(s, seat, chosen)
    else:
        lay(s, seat, chosen)


def draw_for_turn(s, seat: int) -> None:
    """Draw one card [R7] [C7], or by a house rule until one can be played [H10]."""
    kind = draw_card(s, seat)
    if rarely(kind == NO_CARD):
        pass_idly(s, seat)
        return
    s.drew_on[seat] = s.top
    if o.draw == "until_playable":
        while kind != NO_CARD and not playable_kinds(s, seat, {kind}):
            kind = draw_card(s, seat)
            note_if(s, "draw", kind != NO_CARD)
    if kind != NO_CARD and playable_kinds(s, seat, {kind}):
        s.drawn[seat] = kind
        ask(s, seat, DRAWN)
    else:
        begin_turn(s, next_seat(s, seat, 1))


@rare
def pass_idly(s, seat: int) -> None:
    """Pass a turn without a card to draw; a full lap of idle turns aborts the match [C18]."""
    s.idle_turns = s.idle_turns + 1 if s.last_idle_turn == s.turns - 1 else 1
    s.last_idle_turn = s.turns
    if s.idle_turns >= o.players:
        give_up(s)
    else:
        begin_turn(s, next_seat(s, seat, 1))


def legal_drawn(s, seat: int) -> Any:
    """Return the card just drawn, no other [C9], and keeping it if that is allowed [R7] [H11]."""
    playable = {s.drawn[seat]}
    if must_lay(s, seat, playable):
        return playable
    return playable | {KEEP}


def apply_drawn(s, seat: int, chosen: int) -> None:
    """Lay the card just drawn, or pass the turn."""
    if chosen == KEEP:
        begin_turn(s, next_seat(s, seat, 1))
    else:
        lay(s, seat, chosen)


# ---------------------------------------------------------------- laying a card


def lay(s, seat: int, kind: int) -> None:
    """Lay a card from the hand, and carry out its effects up to the next decision [R6]."""
    put_down(s, seat, kind)
    follow(s, seat, kind)


def put_down(s, seat: int, kind: int) -> None:
    """Put a card from the hand on the discard pile."""
    if kind == DRAW_FOUR:
        note_wild_draw_four(s, seat)
    laid = one_of(s.hand[seat], kind)
    move(laid, s.hand[seat], s.pile)
    s.top = s.last_laid[seat] = kind
    s.laid = 1


def follow(s, seat: int, kind: int) -> None:
    """Carry out the effects of a card just laid, up to the next decision."""
    if not s.hand[seat]:
        go_out(s, seat, kind)
        return
    if o.may_forget and len(s.hand[seat]) == 1:
        call_uno(s, seat)
    if rank(kind) >= WILD_FACE:
        ask(s, seat, COLOUR)
    else:
        take_effect(s, seat, kind)


@rare
def note_wild_draw_four(s, seat: int) -> None:
    """Store what a wild draw four is laid on, and whether it is a bluff [C14] [C11] [C26]."""
    s.count.wild_draw_fours += 1
    note_if(s, "draw_four_cards", o.draw_four_cards != 4)
    if not s.stack:  # on a stack it is always legal [H13]
        s.layer = seat
        s.colour_before = suit(s.top)
        s.laid_before = s.last_laid[seat]
        s.bluff = 1 if of_colour_asked(s, seat) else 0
        s.count.bluffs += s.bluff
        note(s, "challenge")


@rare
def call_uno(s, seat: int) -> None:
    """Call "UNO", or forget it and draw cards if that is noticed [R16] [C15] [C26] [H8]."""
    s.forgot = 0
    if o.forget_uno[seat] > 0 and uniform(s, CHANCE) < o.forget_uno[seat]:
        s.forgot = 1
        note(s, "forgotten")
        if uniform(s, CHANCE) < o.notice_uno:
            s.count.uno_penalties += 1
            note_if(s, "uno_penalty", o.uno_penalty != 2)
            draw_cards(s, seat, o.uno_penalty)


@rare
def go_out(s, seat: int, kind: int) -> None:
    """End the round, after the next player has drawn for a draw card [R17] [C16]."""
    note_if(s, "draw_two_cards", rank(kind) == DRAW_TWO and o.draw_two_cards != 2)
    draw_cards(s, next_seat(s, seat, 1), s.due + cards_due(kind))
    end_round(s)


# ---------------------------------------------------------------- answers


def legal_colour(s, seat: int) -> Any:
    """Return all colours; the current one may be named, too [R13] [R14]."""
    return {0, 1, 2, 3}


def apply_colour(s, seat: int, colour: int) -> None:
    """Name the colour to be laid next."""
    s.top = colour << 4 | rank(s.top)
    victim = next_seat(s, seat, 1)
    if rank(s.top) == WILD_FACE:
        # The player who names the colour of a wild first card also plays first [C4].
        first = s.naming_first
        s.naming_first = 0
        begin_turn(s, seat if first else victim)
    elif s.layer != NOBODY and o.challenge != "off":
        ask(s, victim, CHALLENGE)
    else:
        s.layer = NOBODY
        make_victim_draw(s, victim, DRAW_FOUR)


def legal_challenge(s, seat: int) -> Any:
    """Return the answers to a wild draw four: accept it or challenge it [R15]."""
    return {ACCEPT, DOUBT}


@rare
def apply_challenge(s, seat: int, answer: int) -> None:
    """Accept or challenge."""
    resolve_challenge(s, seat, answer == DOUBT)


@rare
def legal_stack(s, seat: int) -> Any:
    """Return the draw cards that may be stacked, and drawing the cards due [H13]."""
    return stackable(s, seat) | {DRAW}


@rare
def apply_stack(s, seat: int, chosen: int) -> None:
    """Stack or draw."""
    if chosen == DRAW:
        settle_debt(s, seat)
    else:
        s.count.stacks += 1
        s.count.largest_stack = max(s.count.largest_stack, s.due + cards_due(chosen))
        lay(s, seat, chosen)


@rare
def legal_jump(s, seat: int) -> Any:
    """Return the same card, to be laid out of turn, and not jumping in [H14]."""
    return {s.top, KEEP}


@rare
def apply_jump(s, seat: int, chosen: int) -> None:
    """Jump in or do not."""
    if chosen == KEEP:
        ask_to_jump(s)
    else:
        s.count.jump_ins += 1
        lay(s, seat, chosen)


@rare
def lay_first(s, seat: int, kind: int) -> None:
    """Lay a card from the hand, and ask whether to lay an equal card with it [H16]."""
    put_down(s, seat, kind)
    if rank(kind) < WILD_FACE and allowed_by_last_card(s, seat, kinds_of(s.hand[seat]) & {kind}):
        note(s, "pairs")
        ask(s, seat, PAIR)
    else:
        follow(s, seat, kind)


@rare
def legal_pair(s, seat: int) -> Any:
    """Return the equal card, and keeping it [H16]."""
    return {s.top, KEEP}


@rare
def apply_pair(s, seat: int, chosen: int) -> None:
    """Lay the equal card, so that draw twos add up, or keep it; then carry out the effects."""
    if chosen != KEEP:
        s.due += cards_due(chosen)
        put_down(s, seat, chosen)
    follow(s, seat, s.top)


def legal_swap(s, seat: int) -> Any:
    """Return all other seats, to swap hands with [H15]."""
    return cards_in(all_seats()) - {seat}


@rare
def apply_swap(s, seat: int, other: int) -> None:
    """Swap hands."""
    swap_hands(s, seat, other)
    settle(s, s.following)


def is_aside_drawn(s, seat: int) -> bool:
    """Tell whether a drawn card can be laid under some options only, as a bluff [C8] [C12]."""
    return bool(s.drawn[seat] == DRAW_FOUR and of_colour_asked(s, seat))


ASIDE_DECISIONS = (CHALLENGE, STACK, JUMP, SWAP, PAIR)
"""Decisions that arise under some options only: the answer to a wild draw four, and those of house
rules. They draw from a separate stream, so that all other moves draw the same numbers without
them."""


# ---------------------------------------------------------------- scoring


@rare
def score_round(s) -> None:
    """Score the round [R19] [R21] and end the match if it is over [R20] [C19] [C27]."""
    s.count.rounds += 1
    s.count.turns += s.turns
    points_left = out = 0
    for seat in range(o.players):
        points = points_of(s.hand[seat])
        note_points(s, s.hand[seat])
        points_left += points
        if not s.hand[seat]:
            out = seat
        if o.scoring == "own_cards":
            s.scores[seat] += points
    if o.scoring == "winner_takes":
        s.scores[out] += points_left
    note_leaders(s, o.scoring == "own_cards", "lead_changes")  # [C30]
    if is_last_round(s):
        note(s, "end")
        end_match(s, s.leaders)  # [C20]


def points_of(hand: cardset) -> Any:
    """Return the points of a hand [R19] [H9]."""
    points = o.action_points * len(hand & ACTIONS) + o.wild_points * len(hand & WILDS)
    for face in range(1, 10):
        points += face * len(hand & of_rank(face))
    return points


def note_points(s, hand: cardset) -> None:
    """Note the clause of cards left that count other points than usual."""
    note_if(s, "points", o.action_points != 20 and hand & ACTIONS)
    note_if(s, "points", o.wild_points != 50 and hand & WILDS)


def is_last_round(s) -> Any:
    """Tell whether all rounds are played [C27], or a seat has reached the target [C19]."""
    if o.rounds:
        return s.round_number == o.rounds
    highest = s.scores[0]
    for seat in range(1, o.players):
        highest = max(highest, s.scores[seat])
    return highest >= o.target
