"""Deck files for tests: uneven, crowded and odd ones."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from simcore.games.dnup.deck import Card, load_deck

SYMBOL = {2: "", 3: "smile", 4: "neutral", 5: "frown"}


def text_of(cards):
    """Write (low, high, star, players) as a deck file."""
    return "".join(
        f"{low}/{high} {'*' if star else ''} {SYMBOL[players]}\n"
        for low, high, star, players in cards
    )


def uneven():
    """Profile a, but 17, 25, 38 and 40 cards are in play."""
    cards = list(load_deck("a"))
    frowns = [number for number, card in enumerate(cards) if card.players == 5]
    for number in (4, 6, *frowns[:2]):
        cards[number] = cards[number]._replace(players=4)
    return cards


def crowded():
    """A dozen cards with a 1 and a dozen with a 2, many alike, and cards with twice the same value.

    Hands may hold all twelve, beyond the rows of a chart and as many as `MAX_MOVES` can list.
    """
    cards = [(1, 5, True, 2)] + [(1, 2, False, 2)] * 6 + [(1, 3, False, 2)] * 3
    cards += [(1, 1, False, 2)] * 2 + [(2, 3, False, 2)] * 4 + [(2, 9, False, 2)] * 2
    cards += [(4, 4, False, 2)] * 3 + [(3, 5, False, 3)] * 4 + [(4, 9, False, 2)] * 6
    return cards + [(6, 7, False, 2)] * 5 + [(6, 8, False, 5)] * 4


def heaped():
    """The same, but no card has the same value twice."""
    return [
        card._replace(high=9) if card[0] == card[1] else card
        for card in (Card(*card) for card in crowded())
    ]


def turned():
    """Profile b: eight cards with each symbol, each line with the higher value first."""
    pairs = [(high, low) for low, high in combinations(range(1, 10), 2) if (low, high) != (1, 5)]
    pairs += [(9, 1), (8, 2), (7, 3), (6, 4)]
    cards = [(5, 1, True, 2)]
    return cards + [
        (high, low, False, 2 + max(0, number - 7) // 8) for number, (high, low) in enumerate(pairs)
    ]


DECKS = {"uneven": uneven, "crowded": crowded, "heaped": heaped, "turned": turned}


def write_decks(folder: Path) -> dict[str, str]:
    """Write all decks; return their paths by name."""
    for name, make in DECKS.items():
        (folder / f"{name}.txt").write_text(text_of(make()))
    return {name: str(folder / f"{name}.txt") for name in DECKS}
