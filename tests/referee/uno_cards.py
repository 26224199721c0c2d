"""Cards and options of the referee for UNO H2O To Go: what is in the deck, and what goes on what.

The referee itself is `uno.py`, beside this file. Cards have names: "red 7", "wild draw four".
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

COLOURS = ("blue", "green", "red", "yellow")
NUMBERS = tuple(str(value) for value in range(10))
DRAW_TWO = "draw two"  # Zieh 2
REVERSE = "reverse"  # Retour
SKIP = "skip"  # Aussetzen
WILD = "wild"  # Farbenwahl
WILD_DRAW_FOUR = "wild draw four"  # Zieh 4-Farbenwahl

ACTIONS = (DRAW_TWO, REVERSE, SKIP)
COLOURED = ("zeros", "numbers", "draw_twos", "reverses", "skips")
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


@dataclass(frozen=True)
class Options:
    """The options of a match with their defaults, named as on the command line."""

    players: int = 4
    target: int = 500
    rounds: int | None = None
    scoring: str = "winner_takes"
    challenge: str = "victim"
    reverse_two_players: str = "skip"
    forget_uno: float | Sequence[float] = 0.0
    notice_uno: float = 1.0
    turn_cap: int = 5000
    # House rules and dials, not in the rule text.
    hand_size: int = 7
    zeros: int = 1
    numbers: int = 2
    draw_twos: int = 2
    reverses: int = 2
    skips: int = 2
    wilds: int = 4
    wild_draw_fours: int = 4
    draw_two_cards: int = 2
    draw_four_cards: int = 4
    challenge_penalty: int = 2
    uno_penalty: int = 2
    action_points: int = 20
    wild_points: int = 50
    draw: str = "one"
    must_play: bool = False
    last_card: str = "any"
    stacking: str = "off"
    jump_in: bool = False
    seven_zero: bool = False
    pairs: bool = False
    packs: int = 1

    def __post_init__(self) -> None:
        """Refuse values that are not allowed, and a deck that cannot be played."""
        forgetting = [self.forget_probability(seat) for seat in range(self.players)]
        most_of = {
            **dict.fromkeys(COLOURED, 4),
            **dict.fromkeys(("wilds", "wild_draw_fours"), 8),
            **dict.fromkeys(("draw_two_cards", "draw_four_cards"), 10),
            **dict.fromkeys(("challenge_penalty", "uno_penalty"), 10),
            **dict.fromkeys(("action_points", "wild_points"), 1000),
        }
        checks = {
            "players": 2 <= self.players <= 10,
            "target": 1 <= self.target <= 100_000,
            "rounds": self.rounds is None or 1 <= self.rounds <= 1000,
            "scoring": self.scoring in {"winner_takes", "own_cards"},
            "challenge": self.challenge in {"victim", "any", "off"},
            "reverse_two_players": self.reverse_two_players in {"skip", "none"},
            "forget_uno": all(0 <= probability <= 1 for probability in forgetting),
            "notice_uno": 0 <= self.notice_uno <= 1,
            "turn_cap": self.turn_cap >= 100,
            "hand_size": 1 <= self.hand_size <= 20,
            **{name: 0 <= getattr(self, name) <= most for name, most in most_of.items()},
            **{
                name: 0 <= self.packs * getattr(self, name) <= most_of[name]
                for name in (*COLOURED, "wilds", "wild_draw_fours")
            },
            "draw": self.draw in {"one", "until_playable"},
            "packs": self.packs in {1, 2},
            "last_card": self.last_card in {"any", "number"},
            "stacking": self.stacking in {"off", "same", "any"},
        }
        for name, valid in checks.items():
            if not valid:
                raise ValueError(f"{name} = {getattr(self, name)!r} is not allowed")
        self._check_deck()

    def _check_deck(self) -> None:
        deck = self.deck()
        if len(deck) < self.players * self.hand_size + 1:
            raise ValueError(f"{len(deck)} cards are too few to deal and turn one up")
        if set(deck) == {WILD_DRAW_FOUR}:
            raise ValueError("there is no card that could be turned up")
        if self.last_card == "number" and not self.zeros and not self.numbers:
            raise ValueError("there is no number card that could be the last one")
        if self.rounds is None and not any(self.points(card) for card in deck):
            raise ValueError("no card counts, so nobody reaches the target")

    def forget_probability(self, seat: int) -> float:
        """Give the probability that a seat forgets to call "UNO"."""
        if isinstance(self.forget_uno, int | float):
            return self.forget_uno
        if len(self.forget_uno) != self.players:
            raise ValueError("forget_uno needs one number, or one per seat")
        return self.forget_uno[seat]

    def copies(self, card: str) -> int:
        """Tell how often a card is in the deck; those with a colour count in each colour."""
        of_face = {
            **dict.fromkeys(NUMBERS, self.numbers),
            "0": self.zeros,
            DRAW_TWO: self.draw_twos,
            REVERSE: self.reverses,
            SKIP: self.skips,
            WILD: self.wilds,
            WILD_DRAW_FOUR: self.wild_draw_fours,
        }
        return self.packs * of_face[FACE_OF[card]]

    def other_copies(self) -> set[str]:
        """Name the options by which the deck is another than the usual one."""
        names = (*COLOURED, "wilds", "wild_draw_fours", "packs")
        return {name for name in names if getattr(self, name) != getattr(USUAL, name)}

    def deck(self) -> list[str]:
        """List all cards, unshuffled, in the order of ``FACE_OF``."""
        return [card for card in FACE_OF for _ in range(self.copies(card))]

    def points(self, card: str) -> int:
        """Tell what a card counts at the end of a round."""
        if card in WILDS:
            return self.wild_points
        return self.action_points if FACE_OF[card] in ACTIONS else int(FACE_OF[card])

    def draw_cards(self, card: str) -> int:
        """Tell how many cards a card laid makes draw."""
        of_face = {DRAW_TWO: self.draw_two_cards, WILD_DRAW_FOUR: self.draw_four_cards}
        return of_face.get(FACE_OF[card], 0)


USUAL = Options()
DECK_COUNT = Counter(USUAL.deck())
