"""The decks of dnup as its referee reads them: cards by name, and who plays with which."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

NO_SYMBOL, SMILE, NEUTRAL, FROWN = "none", "smile", "neutral", "frown"
# Fewest players with whom a card of this symbol is in play.
IN_PLAY_FROM = {NO_SYMBOL: 2, SMILE: 3, NEUTRAL: 4, FROWN: 5}
DECK_SIZE = 40


class Card(NamedTuple):
    """A card as printed: upright, ``first`` is its active value."""

    first: int
    second: int
    symbol: str = NO_SYMBOL
    star: bool = False


def _profile(smile: str, neutral: str) -> list[Card]:
    """Build a deck: every pair of values once (P1), and four second copies with a frown (P2)."""
    symbols = dict.fromkeys(smile.split(), SMILE) | dict.fromkeys(neutral.split(), NEUTRAL)
    pairs = [
        Card(low, high, symbols.get(f"{low}/{high}", NO_SYMBOL), (low, high) == (1, 5))
        for low, high in combinations(range(1, 10), 2)
    ]
    return pairs + [Card(low, 10 - low, FROWN) for low in range(1, 5)]


DECKS = {
    "a": _profile(
        smile="1/2 1/8 2/6 3/5 3/9 4/5 4/7 6/9 7/8",
        neutral="1/3 1/9 2/4 2/8 3/7 4/6 5/6 5/7 8/9",
    ),
    "c": _profile(smile="1/7 2/3 2/8 3/9 4/6 7/9", neutral="1/4 2/6 3/5 4/9 5/7 6/8"),
}


def check_deck(deck: Sequence[Card]) -> None:
    """Make sure that a deck can be played."""
    assert len(deck) == DECK_SIZE
    assert {card.symbol for card in deck} <= IN_PLAY_FROM.keys()
    (star,) = [card for card in deck if card.star]
    assert {star.first, star.second} == {1, 5}
    assert star.symbol == NO_SYMBOL, "the star card stays with every number of players"


def card_names(deck: Iterable[Card]) -> list[str]:
    """Name cards by their values, with a star or, for later copies, with strokes."""
    names: list[str] = []
    for card in deck:
        name = f"{card.first}/{card.second}" + "*" * card.star
        while name in names:
            name += "'"
        names.append(name)
    return names
