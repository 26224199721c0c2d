"""UNO: the cards, the game state with its visibility, and drawing.

Marks in brackets, such as [R9], here and in the other files, name the clauses of RULES.md.

A card's number encodes its colour and its face: `suit` and `rank`. Equal cards differ by the pack
that they come from. Wild cards are numbered once per colour, without meaning. Moves name *kinds* of
card, by the card of the first pack; all wild cards of a face share the last colour's number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.games.uno.options import COLOUR_COUNT, USUAL, copies_of
from simcore.language import *

COLOURS = ("blue", "green", "red", "yellow")
FACES = (*"0123456789", "draw two", "reverse", "skip", "wild", "wild draw four")
ZERO, SEVEN, DRAW_TWO, REVERSE, SKIP, WILD_FACE, DRAW_FOUR_FACE = 0, 7, 10, 11, 12, 13, 14
"""Faces by number: the places in `FACES`."""

deck = cards_of(COLOURS, FACES, packs=4)

WILDS = frozenset(card for card in deck.cards if card & 15 >= WILD_FACE)
ACTIONS = frozenset(card for card in deck.cards if card & 15 in (DRAW_TWO, REVERSE, SKIP))
NUMBERS = frozenset(deck.cards) - WILDS - ACTIONS

PLAY, DRAWN, COLOUR, CHALLENGE, STACK, JUMP, SWAP, PAIR = decisions(
    "PLAY", "DRAWN", "COLOUR", "CHALLENGE", "STACK", "JUMP", "SWAP", "PAIR"
)
"""The decisions: a turn; whether to lay a card just drawn; the colour of a wild card; whether to
challenge a wild draw four; whether to stack a draw card on another; whether to jump in with the
same card out of turn; with whom to swap hands; whether to lay an equal card as well."""

YELLOW = 3 << 4
WILD, DRAW_FOUR = YELLOW | WILD_FACE, YELLOW | DRAW_FOUR_FACE
"""The kinds of wild cards. All other kinds are `colour << 4 | face`."""

DRAW = KEEP = 63
"""The move that lays no card: draw, keep the card just drawn or an equal one, do not jump in. Other
moves are kinds, the answers below, a colour to name, or a seat to swap hands with."""

ACCEPT, DOUBT = 0, 1
NOBODY = NEVER = -1


class State:
    """Game state: what is shown to all, to a seat, or to nobody [C32]."""

    stock = hidden(cards)
    """The cards to draw from."""
    hand = own(cards)
    """The hand of each seat."""
    pile = shown(cards)
    """The discard pile, its top card included."""
    top = shown(card)
    """The kind on top; for a wild card with the colour that was named."""
    dealer = shown(number)
    """The seat that deals."""
    backwards = shown(number)
    """1 while play goes counter-clockwise."""
    turns = shown(number)
    """Turns of this round, including the current one."""
    idle_turns = shown(number)
    """Consecutive turns up to now in which no card could be drawn and none was laid."""
    last_idle_turn = shown(number)
    """The number of the last idle turn."""
    forgot = shown(number)
    """1 if the last call of "UNO" was forgotten."""
    naming_first = shown(number)
    """1 while the colour of a wild card turned up at the start is to be named."""

    drawn = own(card)
    """The kind just drawn that may be laid."""
    drew_on = shown(number, per=seat)
    """The top card when a seat last drew in its turn; `NEVER` once it is made to draw."""
    last_laid = shown(number, per=seat)
    """The kind that a seat laid last."""

    layer = shown(number)
    """The seat whose wild draw four is about to take effect."""
    colour_before = shown(number)
    """The colour on which the wild draw four was laid."""
    laid_before = shown(number)
    """The kind that its layer laid before it."""
    bluff = hidden(number)
    """Whether it was laid illegally."""

    due = shown(number)
    """Cards due for the current stack of draw cards."""
    stack = shown(number)
    """Draw cards in the current stack."""
    following = shown(number)
    """The seat on turn once hands are swapped and nobody jumps in."""
    asked = shown(number)
    """How many seats after it have been asked whether they jump in."""
    laid = shown(number)
    """Whether a card was laid in this round, so that jumping in is possible."""

    knows = own(number)
    """The seat whose hand a seat saw last in this round."""
    hand_seen = own(cardset)
    """The hand seen, as it was."""
    pile_then = own(cardset)
    """The discard pile at that time."""
    renewals_then = own(number)
    """The renewals of the stock at that time."""

    renewals = shown(number)
    """How often the stock was renewed in this round."""
    held = hidden(number, per=seat)
    """The size of each hand, while `deal_unseen` redeals."""


def prepare(options: Any) -> dict[str, Any]:
    """Return the deck and constants derived from the options."""
    copies, usual = copies_of(vars(options)), copies_of(USUAL)
    as_usual = all(count <= most for count, most in zip(copies, usual, strict=True))
    return {
        "places": 128 if as_usual else 256,
        "deck": frozenset(cards_with(copies)),
        "other_copies": copies != usual,
        "may_forget": bool(np.any(options.forget_uno)),
    }


def cards_with(copies: list[int]) -> list[int]:
    """Return the cards of a deck, given the copies of each kind [R1] [C2] [H2] [H3] [H4]."""
    faces = len(FACES) - 2
    result = []
    for place, count in enumerate(copies):
        for copy in range(count):
            if place < COLOUR_COUNT * faces:
                result.append(copy << 6 | place // faces << 4 | place % faces)
            else:
                face = WILD_FACE + place - COLOUR_COUNT * faces
                result.append(copy // COLOUR_COUNT << 6 | copy % COLOUR_COUNT << 4 | face)
    return result


# ---------------------------------------------------------------- kinds


def kinds_of(cards: cardset) -> Any:
    """Return the kinds of a set of cards."""
    result = kinds(cards) - WILDS
    if cards & of_rank(WILD_FACE):
        result |= {WILD}
    if cards & of_rank(DRAW_FOUR_FACE):
        result |= {DRAW_FOUR}
    return result


def one_of(cards: cardset, kind: int) -> int:
    """Return a card of a kind; equal cards are interchangeable."""
    return lowest(cards & of_rank(rank(kind)) & (of_suit(suit(kind)) | WILDS))


def cards_fitting(top: int) -> Any:
    """Return the cards that may be laid on a card: its colour, its face, wilds [R6] [R9] [C3]."""
    return of_suit(suit(top)) | of_rank(rank(top)) | WILDS


def of_colour_asked(s, seat: int) -> Any:
    """Return the hand cards of the colour on top, including actions [R14] [C11]."""
    return s.hand[seat] & of_suit(suit(s.top)) - WILDS


# ---------------------------------------------------------------- drawing


def draw_card(s, seat: int) -> int:
    """Draw a card and return its kind, or `NO_CARD` if there is none [C18] [C25]."""
    if rarely(not s.stock):
        renew_stock(s)
    if rarely(not s.stock):
        return NO_CARD
    drawn = draw(s.stock, s.hand[seat])
    s.count.cards_drawn += 1
    return kind_of(drawn)


def kind_of(drawn: int) -> int:
    """Return the kind of a card."""
    kind = drawn & 63
    return kind | YELLOW if rank(kind) >= WILD_FACE else kind


@rare
def draw_cards(s, seat: int, count: int) -> None:
    """Make a seat draw cards, at most as many as there are [C18]."""
    for _ in range(count):
        draw_card(s, seat)
    if count > 0:
        s.drew_on[seat] = NEVER


@rare
def renew_stock(s) -> None:
    """Turn the discard pile, except its top card, into the stock [R18] [C17]."""
    top = one_of(s.pile, s.top)
    move(s.pile - {top}, s.pile, s.stock)
    s.renewals += 1
    if s.stock:
        s.count.reshuffles += 1
