"""dnup: the deck, read from one of two profiles beside this file or from a user's file.

A deck file has one card a line, in any order: its two values, then `*` if it is the star card, and
its removal symbol if it has one, as a word or as printed:

    # a comment; empty lines are skipped
    1/5 *
    2/7
    1/2 smile
    1/3 neutral
    1/9 frown
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

PROFILES = ("a", "c")
DECK_SIZE = 40
VALUES = 9
MOST_OF_A_VALUE = 32
"""The most cards with the same value. Subsets of more cards could not be numbered in the 32 bits
from which a random one is drawn."""

SYMBOLS = ("none", "smile", "neutral", "frown")
"""Removal symbols: cards with them are in play from 2, 3, 4 or 5 players on [R2] [R16] [C2]."""

FEWEST_PLAYERS = 2
MOST_PLAYERS = 5

_STARS = ("*", "★", "star")
_SYMBOL_WORDS = {
    **{word: word for word in SYMBOLS},
    "-": "none",
    "🙂": "smile",
    "😊": "smile",
    "☺": "smile",
    "😐": "neutral",
    "☹": "frown",
}
_EMOJI_STYLE = "\ufe0f"
_CARD = re.compile(r"\s*(\d+)\s*/\s*(\d+)\s*(.*)")


class Card(NamedTuple):
    """A card as printed.

    Attributes
    ----------
    low, high : int
        Its two values, the lower first.
    star : bool
    players : int
        The fewest players with which the card is in play; 2 without a symbol.
    """

    low: int
    high: int
    star: bool
    players: int

    @property
    def name(self) -> str:
        """The card as the rules name it: 1/5★."""
        return f"{self.low}/{self.high}" + "★" * self.star


def load_deck(name: str) -> tuple[Card, ...]:
    """Return the cards of a profile or of a deck file, in canonical order [C1].

    Raises
    ------
    ValueError
        If the file cannot be read, or as in `parse_deck`.
    """
    from simcore.options import read_text

    return _profile(name) if name in PROFILES else parse_deck(read_text(name))


@cache
def _profile(name: str) -> tuple[Card, ...]:
    path = Path(__file__).parent / "decks" / f"{name}.txt"
    return parse_deck(path.read_text(encoding="utf-8"))


@lru_cache(maxsize=16)  # phrases ask for the deck with every card that they name
def parse_deck(text: str) -> tuple[Card, ...]:
    """Return the cards of a deck file, sorted by values, so that the order of lines is irrelevant.

    Raises
    ------
    ValueError
        If the text is not a valid deck; the message names the line and the reason.
    """
    cards: list[Card] = []
    star_line = 0
    values: Counter[int] = Counter()
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.partition("#")[0].strip()
        if not content:
            continue
        card = _parse_card(content, number)
        if card.star and star_line:
            raise ValueError(f"line {number}: a second star; the first is in line {star_line}")
        if card.star:
            star_line = number
        cards.append(card)
        if len(cards) > DECK_SIZE:
            raise ValueError(f"line {number}: card {len(cards)}, but a deck has {DECK_SIZE}")
        for value in {card.low, card.high}:
            values[value] += 1
            if values[value] > MOST_OF_A_VALUE:
                raise ValueError(
                    f"line {number}: card {values[value]} with the value {value}; "
                    f"allowed: {MOST_OF_A_VALUE}"
                )
    if len(cards) < DECK_SIZE:
        raise ValueError(f"the file ends after {len(cards)} cards, but a deck has {DECK_SIZE}")
    if not star_line:
        raise ValueError('no card has the star; allowed: one "1/5 *"')
    _check_deals(cards)
    return tuple(sorted(cards))


def _parse_card(content: str, line: int) -> Card:
    match = _CARD.fullmatch(content)
    if match is None:
        raise ValueError(
            f"line {line}: {content[:40]!r} is no card; allowed: two values such as 2/7, then * "
            "for the star, and smile, neutral or frown"
        )
    low, high = sorted((_value(match[1], line), _value(match[2], line)))
    star = False
    symbols: list[str] = []
    for word in match[3].split():
        plain = word.replace(_EMOJI_STYLE, "").lower()
        if plain in _STARS and not star:
            star = True
        elif plain in _SYMBOL_WORDS and not symbols:
            symbols.append(_SYMBOL_WORDS[plain])
        else:
            raise ValueError(
                f"line {line}: {word[:40]!r} is not understood; allowed after the values: * once, "
                "and one symbol (smile, neutral, frown)"
            )
    symbol = symbols[0] if symbols else "none"
    if star and (low, high) != (1, 5):
        raise ValueError(f"line {line}: the star is on {low}/{high}; allowed: on 1/5")
    if star and symbol != "none":
        raise ValueError(
            f"line {line}: the star card has the symbol {symbol}; allowed: none, as it says who "
            "begins, whatever the number of players"
        )
    return Card(low, high, star, FEWEST_PLAYERS + SYMBOLS.index(symbol))


def _value(text: str, line: int) -> int:
    if not text.isascii() or len(text) > 1 or not 1 <= int(text) <= VALUES:
        raise ValueError(f"line {line}: the value {text[:20]} is refused; allowed: 1…{VALUES}")
    return int(text)


def _check_deals(cards: list[Card]) -> None:
    for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1):
        in_play = sum(card.players <= players for card in cards)
        if in_play < players:
            raise ValueError(
                f"with {players} players {in_play} cards are in play; allowed: one for each or more"
            )
