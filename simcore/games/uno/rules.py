"""UNO: a match, from the deal to the score; see RULES.md beside this file.

The cards are in `state`, what a card brings about, with the house rules, in `house`.
"""

from __future__ import annotations

from typing import Any

from simcore.games.uno.house import (
    ask_to_jump,
    begin_turn,
    cards_due,
    challenged,
    give_up,
    next_seat,
    press,
    settle,
    settle_debt,
    stackable,
    swap_hands,
    take_effect,
    that_may_end,
)
from simcore.games.uno.state import (
    ACCEPT,
    ACTIONS,
    CHALLENGE,
    COLOUR,
    DOUBT,
    DRAW,
    DRAW_FOUR,
    DRAW_FOUR_FACE,
    DRAW_TWO,
    DRAWN,
    JUMP,
    KEEP,
    NEVER,
    NOBODY,
    PAIR,
    PLAY,
    REVERSE,
    SKIP,
    STACK,
    SWAP,
    WILD,
    WILD_FACE,
    WILDS,
    State,
    deck,
    draw_card,
    draw_cards,
    goes_on,
    kind_of,
    kinds_of,
    of_colour_asked,
    one_of,
    prepare,
)
from simcore.games.uno.unseen import deal_believed, deal_unseen
from simcore.language import *

# ---------------------------------------------------------------- set-up


def start_match(s) -> None:
    """Draw who deals first [R2] [C1]."""
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
    while not s.stock - of_rank(DRAW_FOUR_FACE):  # nothing to turn up [C33]
        for seat in range(o.players):
            move(s.hand[seat], s.hand[seat], s.stock)
        deal_hands(s)
    first = draw(s.stock, s.pile)
    while rank(first) == DRAW_FOUR_FACE:  # goes back, as often as it is turned up [R14] [C21]
        move(first, s.pile, s.stock)
        first = draw(s.stock, s.pile)
    s.top = kind_of(first)
    begin_round(s, s.top)


def clear_table(s) -> None:
    """Forget the round before; play goes clockwise again [C22]."""
    s.backwards = s.turns = s.naming_first = s.due = s.stack = s.laid = s.renewals = 0
    s.layer = NOBODY
    s.last_idle_turn = -1
    for seat in range(o.players):
        s.drew_on[seat] = s.last_laid[seat] = NEVER
        s.knows[seat] = NOBODY


def deal_hands(s) -> None:
    """Deal to each player, the dealer's left neighbour first [R3] [H1] [C23]."""
    for step in range(o.players):
        draw(s.stock, s.hand[after(s.dealer, 1 + step)], o.hand_size)


def begin_round(s, first: int) -> None:
    """Carry out what the first card does [R4], and begin [R5]."""
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
        press(s, left, first)  # [R10]
    else:
        begin_turn(s, left)


# ---------------------------------------------------------------- a turn


def legal_play(s, seat: int) -> Any:
    """Lay a card that goes [R6], or draw, also by choice [R7] [R8]."""
    found = that_may_end(s, seat, that_may_be_laid(s, seat, kinds_of(s.hand[seat])))
    if must_lay(s, seat, found):
        return found
    return found | {DRAW}


def that_may_be_laid(s, seat: int, kinds: cardset) -> Any:
    """Return those of some kinds in a hand that go on the top card.

    A wild draw four also if it is a bluff [C14], unless nobody may challenge [C12]; then the whole
    hand decides [R14] [C8].
    """
    found = kinds & goes_on(s.top)
    if o.challenge == "off" and DRAW_FOUR in found and of_colour_asked(s, seat):
        note(s, "challenge")
        return found - {DRAW_FOUR}
    return found


def must_lay(s, seat: int, found: cardset) -> bool:
    """Tell whether nobody may draw who holds these, as one may be laid without a bluff [H11]."""
    must = bool(o.must_play and honest(s, seat, found))
    note_if(s, "must_play", must)
    return must


def honest(s, seat: int, kinds: cardset) -> Any:
    """Return those of some kinds that are no bluff [R14]."""
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
    """Draw one card, and no more [R7] [C7]; or until one can be played [H10]."""
    kind = draw_card(s, seat)
    if rarely(kind == NO_CARD):
        pass_idly(s, seat)
        return
    s.drew_on[seat] = s.top
    if o.draw == "until_playable":
        while kind != NO_CARD and not that_may_be_laid(s, seat, {kind}):
            kind = draw_card(s, seat)
            note_if(s, "draw", kind != NO_CARD)
    if kind != NO_CARD and that_may_be_laid(s, seat, {kind}):
        s.drawn[seat] = kind
        ask(s, seat, DRAWN)
    else:
        begin_turn(s, next_seat(s, seat, 1))


@rare
def pass_idly(s, seat: int) -> None:
    """Pass a turn in which there was nothing to draw; a lap of them aborts the match [C18]."""
    s.idle_turns = s.idle_turns + 1 if s.last_idle_turn == s.turns - 1 else 1
    s.last_idle_turn = s.turns
    if s.idle_turns >= o.players:
        give_up(s)
    else:
        begin_turn(s, next_seat(s, seat, 1))


def legal_drawn(s, seat: int) -> Any:
    """Lay the card just drawn, no other [C9], or keep it if it need not be laid [R7] [H11]."""
    found = {s.drawn[seat]}
    if must_lay(s, seat, found):
        return found
    return found | {KEEP}


def apply_drawn(s, seat: int, chosen: int) -> None:
    """Lay the card just drawn, or pass the turn."""
    if chosen == KEEP:
        begin_turn(s, next_seat(s, seat, 1))
    else:
        lay(s, seat, chosen)


# ---------------------------------------------------------------- laying a card


def lay(s, seat: int, kind: int) -> None:
    """Lay a card from the hand, with all that follows up to the next decision [R6]."""
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
    """Carry out what a card just laid brings about, up to the next decision."""
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
    """Note on what a wild draw four is laid, and whether it is a bluff [C14] [C11] [C26]."""
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
    """Call "UNO", or forget to, and draw if that is noticed [R16] [C15] [C26] [H8]."""
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
    """End the round; the next player still draws for a draw card [R17] [C16]."""
    note_if(s, "draw_two_cards", rank(kind) == DRAW_TWO and o.draw_two_cards != 2)
    draw_cards(s, next_seat(s, seat, 1), s.due + cards_due(kind))
    end_round(s)


# ---------------------------------------------------------------- answers


def legal_colour(s, seat: int) -> Any:
    """Name any colour, the present one, too [R13] [R14]."""
    return {0, 1, 2, 3}


def apply_colour(s, seat: int, colour: int) -> None:
    """Name the colour to be laid next."""
    s.top = colour << 4 | rank(s.top)
    victim = next_seat(s, seat, 1)
    if rank(s.top) == WILD_FACE:
        # Who names the colour of a wild card turned up at the start also plays first [C4].
        first = s.naming_first
        s.naming_first = 0
        begin_turn(s, seat if first else victim)
    elif s.layer != NOBODY and o.challenge != "off":
        ask(s, victim, CHALLENGE)
    else:
        s.layer = NOBODY
        press(s, victim, DRAW_FOUR)


def legal_challenge(s, seat: int) -> Any:
    """Accept a wild draw four or challenge it [R15]."""
    return {ACCEPT, DOUBT}


@rare
def apply_challenge(s, seat: int, answer: int) -> None:
    """Accept or challenge."""
    challenged(s, seat, answer == DOUBT)


@rare
def legal_stack(s, seat: int) -> Any:
    """Lay a draw card on another, or draw what is due [H13]."""
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
    """Lay the same card out of turn, or do not [H14]."""
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
    """Lay a card from the hand, and ask whether an equal one is laid with it [H16]."""
    put_down(s, seat, kind)
    if rank(kind) < WILD_FACE and that_may_end(s, seat, kinds_of(s.hand[seat]) & {kind}):
        note(s, "pairs")
        ask(s, seat, PAIR)
    else:
        follow(s, seat, kind)


@rare
def legal_pair(s, seat: int) -> Any:
    """Lay the equal card, too, or keep it [H16]."""
    return {s.top, KEEP}


@rare
def apply_pair(s, seat: int, chosen: int) -> None:
    """Lay the equal card, too, so that draw twos add up, or keep it; then let them take effect."""
    if chosen != KEEP:
        s.due += cards_due(chosen)
        put_down(s, seat, chosen)
    follow(s, seat, s.top)


def legal_swap(s, seat: int) -> Any:
    """Swap hands with any other seat [H15]."""
    return cards_in(all_seats()) - {seat}


@rare
def apply_swap(s, seat: int, other: int) -> None:
    """Swap hands."""
    swap_hands(s, seat, other)
    settle(s, s.following)


def is_aside_drawn(s, seat: int) -> bool:
    """Tell whether a card just drawn can be laid under some options only: as a bluff [C8] [C12]."""
    return bool(s.drawn[seat] == DRAW_FOUR and of_colour_asked(s, seat))


ASIDE_DECISIONS = (CHALLENGE, STACK, JUMP, SWAP, PAIR)
"""The answer to a wild draw four and all that house rules add are asked under some options only;
so they have a stream of their own, and the moves draw the same with and without them."""


# ---------------------------------------------------------------- scoring


@rare
def score_round(s) -> None:
    """Book the round just ended [R19] [R21] and see whether the match is over [R20] [C19] [C27]."""
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
    """Note that a card left has other points than usual."""
    note_if(s, "points", o.action_points != 20 and hand & ACTIONS)
    note_if(s, "points", o.wild_points != 50 and hand & WILDS)


def is_last_round(s) -> Any:
    """Tell whether the rounds are played [C27], or somebody has reached the target [C19]."""
    if o.rounds:
        return s.round_number == o.rounds
    highest = s.scores[0]
    for seat in range(1, o.players):
        highest = max(highest, s.scores[seat])
    return highest >= o.target


__all__ = ["DRAWN", "PLAY", "State", "deal_believed", "deal_unseen", "deck", "prepare"]
