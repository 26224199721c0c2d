"""UNO: dealing anew what a seat cannot see, consistently with all that it has seen."""

from __future__ import annotations

from typing import Any

from simcore.games.uno.state import (
    NEVER,
    NOBODY,
    WILDS,
    goes_on,
    kinds_of,
)
from simcore.language import *

REDRAWS = 8
"""How often a card is drawn again that a player is taken not to hold; there may be no other."""


def deal_unseen(s, seat: int) -> None:
    """Deal the hidden cards anew, each way that a seat holds possible with the same probability.

    What it knows: its own hand, the discard pile, how many cards everybody has, and of a hand that
    it has seen the cards that must still be there.
    """
    deal_believed(s, seat, 0.0)


@rare
def deal_believed(s, seat: int, trust: float) -> None:
    """Deal the hidden cards anew as a seat holds likely; see `deal_unseen`.

    Who draws could have laid a card all the same [R8], but as a rule could not. With probability
    `trust` it is taken for granted of a player who drew, and has not been made to draw since, that
    nothing it holds would have gone on what lay on top then.
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
                while trusted and redraws < REDRAWS and drawn in goes_on(s.drew_on[other]):
                    drawn = nth(s.stock, below(s, ASIDE, len(s.stock)))
                    redraws += 1
                move(drawn, s.stock, s.hand[other])
    if s.layer != NOBODY:
        held = s.hand[s.layer] & of_suit(s.colour_before) - WILDS
        s.bluff = 1 if held else 0


def give_seen(s, seat: int, holder: int) -> None:
    """Give a player the cards that it must still hold since a seat saw its hand.

    Of each kind as many as it had less those discarded since, by whomever: equal cards cannot be
    told apart. Once the discards have become the stock nobody can tell any more.
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
