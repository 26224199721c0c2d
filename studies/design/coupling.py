"""What the couplings are called: how two matches on the same deal share the cards drawn in play."""

from __future__ import annotations

from simcore.game import SEAT, STOCK

WORDS = {
    STOCK: (
        "“stock”: same shuffled pack: seed, match and round fix its order, and the k-th card drawn "
        "from it is the same whoever draws it; a variant with other cards in the pack shuffles "
        "those"
    ),
    SEAT: (
        "“seat”: seed, match and round fix the deal and, for each seat, an order of all cards; a "
        "seat draws the first card of its order that is still in the stock, so that one card more "
        "for one seat hardly shifts what the others draw"
    ),
}
"""A sentence's end for each coupling, its name first."""
