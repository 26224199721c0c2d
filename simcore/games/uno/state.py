"""UNO: the cards, where they lie and who sees what, and how they are drawn.

Marks in brackets, here and in the other files, name clauses and choices of RULES.md.

A card's number tells its colour and its face: `suit` and `rank`. Equal cards differ by the pack
that they come from; a wild card is printed once for each colour, which means nothing. What can be
laid, the *kinds*, are the cards of the first pack; of the wild ones the last stand for all.
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
"""What is decided: a turn; whether a card just drawn is laid; the colour of a wild card; whether a
wild draw four is challenged; whether a draw card is stacked on another; whether the same card is
laid out of turn; with whom hands are swapped; whether an equal card is laid, too."""

YELLOW = 3 << 4
WILD, DRAW_FOUR = YELLOW | WILD_FACE, YELLOW | DRAW_FOUR_FACE
"""The kinds of the wild cards; of the others they are `colour << 4 | face`."""

DRAW = KEEP = 63
"""The move that lays no card: to draw, to keep the card just drawn or an equal one, not to jump in.
The others are kinds, or what follows, or a colour to be named, or a seat to swap hands with."""

ACCEPT, DOUBT = 0, 1
NOBODY = NEVER = -1


class State:
    """What lies where, and what everybody, a seat, or nobody sees [C32]."""

    stock = hidden(cards)
    """The cards to draw from."""
    hand = own(cards)
    """The hand of each seat."""
    pile = shown(cards)
    """The discard pile, its top card included."""
    top = shown(card)
    """The kind on top; of a wild card in the colour that was named."""
    dealer = shown(number)
    """The seat that deals."""
    backwards = shown(number)
    """1 while play goes counter-clockwise."""
    turns = shown(number)
    """Turns of this round, the present one included."""
    idle_turns = shown(number)
    """The last turns in a row in which no card could be drawn and none was laid, and"""
    last_idle_turn = shown(number)
    """the number of the last of them."""
    forgot = shown(number)
    """1 if the last call of "UNO" was forgotten."""
    naming_first = shown(number)
    """1 while the colour of a wild card turned up at the start is to be named."""

    drawn = own(card)
    """The kind just drawn that may be laid."""
    drew_on = shown(number, per=seat)
    """What lay on top when a seat last drew in its own turn, until it is made to draw."""
    last_laid = shown(number, per=seat)
    """The kind that a seat laid last."""

    layer = shown(number)
    """Whose wild draw four is to take effect,"""
    colour_before = shown(number)
    """the colour on which it was laid,"""
    laid_before = shown(number)
    """the kind that this seat laid before,"""
    bluff = hidden(number)
    """and whether it was laid illegally."""

    due = shown(number)
    """Cards to be drawn for the draw cards that were laid one on the other,"""
    stack = shown(number)
    """and how many these are."""
    following = shown(number)
    """Who is on turn once hands are swapped and nobody jumps in,"""
    asked = shown(number)
    """how many seats further on were asked whether they jump in, and"""
    laid = shown(number)
    """whether a card was laid in this round, so that anybody may."""

    knows = own(number)
    """Whose hand a seat saw last in this round,"""
    hand_seen = own(cardset)
    """that hand,"""
    pile_then = own(cardset)
    """and the discard pile"""
    renewals_then = own(number)
    """and the renewals of the stock at that time."""

    renewals = shown(number)
    """How often the stock of this round was used up."""
    held = hidden(number, per=seat)
    """How many cards each seat has, while they are dealt anew."""


def prepare(options: Any) -> dict[str, Any]:
    """Return what follows from the options alone: which cards there are, and in what order."""
    copies, usual = copies_of(vars(options)), copies_of(USUAL)
    as_usual = all(count <= most for count, most in zip(copies, usual, strict=True))
    return {
        "places": 128 if as_usual else 256,
        "deck": frozenset(cards_with(copies)),
        "other_copies": copies != usual,
        "may_forget": bool(np.any(options.forget_uno)),
    }


def cards_with(copies: list[int]) -> list[int]:
    """Return the cards of a deck with so many copies of each kind [R1] [C2] [H2] [H3] [H4]."""
    faces = len(FACES) - 2
    found = []
    for place, count in enumerate(copies):
        for copy in range(count):
            if place < COLOUR_COUNT * faces:
                found.append(copy << 6 | place // faces << 4 | place % faces)
            else:
                face = WILD_FACE + place - COLOUR_COUNT * faces
                found.append(copy // COLOUR_COUNT << 6 | copy % COLOUR_COUNT << 4 | face)
    return found


# ---------------------------------------------------------------- kinds


def kinds_of(some: cardset) -> Any:
    """Return the kinds of some cards."""
    found = kinds(some) - WILDS
    if some & of_rank(WILD_FACE):
        found |= {WILD}
    if some & of_rank(DRAW_FOUR_FACE):
        found |= {DRAW_FOUR}
    return found


def one_of(some: cardset, kind: int) -> int:
    """Return a card of a kind; which one of equal cards is no matter."""
    return lowest(some & of_rank(rank(kind)) & (of_suit(suit(kind)) | WILDS))


def goes_on(top: int) -> Any:
    """Return what goes on a card: its colour, its face, wild cards [R6] [R9] [C3]."""
    return of_suit(suit(top)) | of_rank(rank(top)) | WILDS


def of_colour_asked(s, seat: int) -> Any:
    """Return the cards of a hand with the colour asked for, actions included [R14] [C11]."""
    return s.hand[seat] & of_suit(suit(s.top)) - WILDS


# ---------------------------------------------------------------- drawing


def draw_card(s, seat: int) -> int:
    """Draw a card; return its kind, or `NO_CARD` when there is none [C18] [C25]."""
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
    """Make a seat draw some cards, or as many as there are [C18]."""
    for _ in range(count):
        draw_card(s, seat)
    if count > 0:
        s.drew_on[seat] = NEVER


@rare
def renew_stock(s) -> None:
    """Make the discards but the top card the stock [R18] [C17]; wilds are colourless again."""
    top = one_of(s.pile, s.top)
    move(s.pile - {top}, s.pile, s.stock)
    s.renewals += 1
    if s.stock:
        s.count.reshuffles += 1
