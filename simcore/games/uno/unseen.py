"""UNO: random deals of the cards that a seat cannot see, consistent with what it has seen."""

from __future__ import annotations

from typing import Any

from simcore.games.uno.state import *
from simcore.language import *

REDRAWS = 8
"""The most redraws of a card that a player is believed not to hold; it may be the only one left."""


def deal_unseen(s, seat: int) -> None:
    """Redeal the hidden cards, every deal consistent with a seat's knowledge equally likely.

    The seat knows its hand, the discard pile, the sizes of all hands, and the cards that must still
    be in a hand that it has seen.
    """
    deal_believed(s, seat, 0.0)


@rare
def deal_believed(s, seat: int, trust: float) -> None:
    """Redeal the hidden cards, weighted by beliefs about players who drew; see `deal_unseen`.

    A player who draws usually has no card to lay, although drawing is allowed anyway [R8]. So a
    player who drew, and has not been made to draw since, is assumed with probability `trust` to
    hold no card that fitted the top card of that time.
    """
    for other in range(o.players):
        if other != seat:
            s.held[other] = len(s.hand[other])
            move(s.hand[other], s.hand[other], s.stock)
    if s.knows[seat] != NOBODY and s.knows[seat] != seat:
        give_seen(s, seat, s.knows[seat])
    for other in range(o.players):
        if other != seat:
            trusted = s.drew_on[other] != NEVER and trust > 0.0
            if trusted and uniform(s, ASIDE) >= trust:
                trusted = False
            for _ in range(s.held[other] - len(s.hand[other])):
                drawn = nth(s.stock, below(s, ASIDE, len(s.stock)))
                redraws = 0
                while trusted and redraws < REDRAWS and drawn in cards_fitting(s.drew_on[other]):
                    drawn = nth(s.stock, below(s, ASIDE, len(s.stock)))
                    redraws += 1
                move(drawn, s.stock, s.hand[other])
    if s.layer != NOBODY:
        held = s.hand[s.layer] & of_suit(s.colour_before) - WILDS
        s.bluff = 1 if held else 0


def give_seen(s, seat: int, holder: int) -> None:
    """Give a player the cards that it must still hold since a seat saw its hand.

    For each kind: as many as it had, less those discarded since by anybody, as equal cards are
    indistinguishable. Once the discards have become the stock, nothing is certain any more.
    """
    if s.renewals != s.renewals_then[seat]:
        return
    for kind in kinds_of(s.hand_seen[seat]):
        equal = like(kind)
        left = len(s.hand_seen[seat] & equal)
        left -= len(s.pile & equal) - len(s.pile_then[seat] & equal)
        for _ in range(left):
            if s.stock & equal:
                move(nth(s.stock & equal, 0), s.stock, s.hand[holder])


def like(kind: int) -> Any:
    """Return all cards of a kind."""
    return of_rank(rank(kind)) & (of_suit(suit(kind)) | WILDS)
