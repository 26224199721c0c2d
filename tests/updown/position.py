"""Positions of UP & DOWN built from named cards.

Cards are written with the first letter of the colour: R12 is ROSE 12, F FEDER, M MONOKEL, H HUT.

    p = Position("R12 H3", "R2 H4", face="DOWN", trump=7, choosing=True)
    p.play("R12").play("H4").scores == [1, 0]

Seat s has, with rotation 0, colour number s (two players: 0 and 2, unless adjacent).
"""

from __future__ import annotations

from typing import Any

from simcore.compiler.state import Cards
from simcore.games.updown import rules as ud
from simcore.games.updown.rules import COLOURS, FACES, deck
from tests.games import position
from tests.updown.following import LANE, PHASES, UPDOWN

LETTERS = "".join(colour[0] for colour in COLOURS)
CHANGES = {"flip": 0, "quarter": 1, "half": 2, "three": 3, "roll": 4, "keep": 8}


def number(name: str) -> int:
    """Number a card by its short name."""
    return LANE * LETTERS.index(name[0]) + int(name[1:])


def short(card: int) -> str:
    """Name a card by its number."""
    return f"{LETTERS[card // LANE]}{card % LANE}"


def card_set(names: str) -> Cards:
    """Return a card set from short names."""
    return Cards.of(number(name) for name in names.split())


def names_of(cards: Any) -> str:
    """Return the short names of a card set."""
    return " ".join(short(card) for card in cards)


class Position(position.Position):
    """TABLE and BOX records, in names.

    Parameters
    ----------
    hands
        Of each seat, 2 to 4; all of the same length.
    face, rotation, leader, pot, scores
        As they stand.
    choosing
        Whether the leader has changed the rules already.
    played
        Cards that were played before, by seat 0.
    trump
        Its value, or "none", the option's.
    options
        As `Game.resolve` takes them; `players` follows from the hands.
    """

    game = UPDOWN
    phases = PHASES

    def __init__(
        self,
        *hands: str,
        face: str = "UP",
        rotation: int = 0,
        trump: int | str = 7,
        leader: int = 0,
        pot: int = 0,
        scores: tuple[int, ...] = (),
        choosing: bool = False,
        played: str = "",
        round_number: int = 1,
        **options: object,
    ) -> None:
        if trump == "none":
            options["trump"] = trump
        super().__init__(len(hands), options)
        s = self.s
        s.round_number = round_number - 1
        self.plain.start_round(s)
        for seat, hand in enumerate(hands):
            s.hand[seat] = card_set(hand)
        held = Cards.of(card for hand in hands for card in card_set(hand))
        s.stock = Cards.of(deck.cards) - held - card_set(played)
        s.trick = self.plain.values["hand_size"] - len(hands[0].split())
        s.face, s.turn, s.trump = FACES.index(face), rotation, 0 if trump == "none" else trump
        s.leader = s.seat = leader
        s.pot = pot
        s.played[0] = card_set(played)
        self.give_scores(scores)
        if any(scores):
            s.most = max(scores)
            s.leaders = sum(1 << seat for seat, score in enumerate(scores) if score == s.most)
        if choosing:
            s.phase, s.seat = int(ud.CARD), 0

    @property
    def winner(self) -> int | None:
        """Who won the last trick."""
        return None if self.s.last_winner == ud.NO_SEAT else self.s.last_winner

    def named_moves(self) -> list[tuple[str, int]]:
        changes = {move: name for name, move in CHANGES.items()}
        name = short if self.phase == "CARD" else changes.__getitem__
        return [(name(move), move) for move in self.plain.moves(self.s)]

    def colours(self) -> list[str]:
        """Return the colour that points at each seat."""
        return [COLOURS[(side - self.s.turn) % 4] for side in self.plain.values["side"]][
            : self.s.players
        ]

    def hand(self, seat: int) -> str:
        return names_of(self.s.hand[seat])


def play_trick(cards: str, **position: Any) -> Position:
    """Play a trick of the named cards, seat by seat, after the rules were changed."""
    hands = tuple(
        f"{card} {spare}" for card, spare in zip(cards.split(), _spares(cards), strict=True)
    )
    return Position(*hands, choosing=True, **position).play(*cards.split())


def _spares(cards: str) -> list[str]:
    free = [name for name in names_of(deck.cards).split() if name not in cards.split()]
    return free[: len(cards.split())]
