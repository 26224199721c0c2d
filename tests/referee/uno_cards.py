"""The cards of UNO H2O To Go for its referee, `uno.py`: what is in the deck, and what goes on what.

Cards have names: "red 7", "wild draw four".
"""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

COLOURS = ("blue", "green", "red", "yellow")
NUMBERS = tuple(str(value) for value in range(10))
DRAW_TWO = "draw two"  # Zieh 2
REVERSE = "reverse"  # Retour
SKIP = "skip"  # Aussetzen
WILD = "wild"  # Farbenwahl
WILD_DRAW_FOUR = "wild draw four"  # Zieh 4-Farbenwahl

ACTIONS = (DRAW_TWO, REVERSE, SKIP)
WILDS = (WILD, WILD_DRAW_FOUR)

FACE_OF = {f"{colour} {face}": face for colour in COLOURS for face in (*NUMBERS, *ACTIONS)} | {
    wild: wild for wild in WILDS
}
COLOUR_OF = {card: None if card in WILDS else card.split()[0] for card in FACE_OF}
CARD_ORDER = {card: position for position, card in enumerate(FACE_OF)}

# What goes on a card, by the colour asked for and that card. A wild
# goes on anything (a Zieh 4 is looked at again); on a wild only the named colour counts.
MATCHING = {
    (colour, top): frozenset(
        card
        for card, face in FACE_OF.items()
        if card in WILDS or COLOUR_OF[card] == colour or face == FACE_OF[top]
    )
    for colour in COLOURS
    for top in FACE_OF
}


USUAL = {
    "zeros": 1,
    "numbers": 2,
    "draw_twos": 2,
    "reverses": 2,
    "skips": 2,
    "wilds": 4,
    "wild_draw_fours": 4,
    "packs": 1,
    "hand_size": 7,
    "draw_two_cards": 2,
    "draw_four_cards": 4,
    "challenge_penalty": 2,
    "uno_penalty": 2,
    "action_points": 20,
    "wild_points": 50,
}
"""Dials, and what the rule text says."""
COPIES = tuple(USUAL)[:8]
"""Those of the deck."""


class Cards:
    """The cards of a match under its options: how many, what they count, what they make draw."""

    def __init__(self, options: SimpleNamespace) -> None:
        self.options = options

    def copies(self, card: str) -> int:
        """Tell how often a card is in the deck; those with a colour count in each colour."""
        options = self.options
        of_face = {
            **dict.fromkeys(NUMBERS, options.numbers),
            "0": options.zeros,
            DRAW_TWO: options.draw_twos,
            REVERSE: options.reverses,
            SKIP: options.skips,
            WILD: options.wilds,
            WILD_DRAW_FOUR: options.wild_draw_fours,
        }
        return options.packs * of_face[FACE_OF[card]]

    def deck(self) -> list[str]:
        """List all cards, unshuffled, in the order of ``FACE_OF``."""
        return [card for card in FACE_OF for _ in range(self.copies(card))]

    def points(self, card: str) -> int:
        """Tell what a card counts at the end of a round."""
        if card in WILDS:
            return self.options.wild_points
        return self.options.action_points if FACE_OF[card] in ACTIONS else int(FACE_OF[card])

    def draw_cards(self, card: str) -> int:
        """Tell how many cards a card laid makes draw."""
        of_face = {
            DRAW_TWO: self.options.draw_two_cards,
            WILD_DRAW_FOUR: self.options.draw_four_cards,
        }
        return of_face.get(FACE_OF[card], 0)


USUAL_CARDS = Cards(SimpleNamespace(**USUAL))
DECK_COUNT = Counter(USUAL_CARDS.deck())
