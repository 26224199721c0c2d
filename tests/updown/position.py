"""Positions of UP & DOWN built from named cards.

Cards are written with the first letter of the colour: R12 is ROSE 12, F FEDER, M MONOKEL, H HUT.

    p = Position("R12 H3", "R2 H4", face="DOWN", trump=7, choosing=True)
    p.play("R12").play("H4").scores == [1, 0]

Seat s has, with rotation 0, colour number s (two players: 0 and 2, unless adjacent).
"""

from __future__ import annotations

from typing import Any

from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from simcore.compiler.state import MATCH_OVER, ROUND_OVER, Cards
from simcore.game import get_game
from simcore.games.updown import rules as ud
from simcore.games.updown.rules import COLOURS, FACES, deck
from strategies import parse_strategy

UPDOWN = get_game("updown")
LANE = 16
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


class Position:
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
        self.options = UPDOWN.resolve({"players": len(hands)} | options)
        self.plain = Plain(program_of(UPDOWN), self.options)
        s = self.s = self.plain.start_match(1, 0)
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
        for seat, score in enumerate(scores):
            s.scores[seat] = score
        if any(scores):
            s.most = max(scores)
            s.leaders = sum(1 << seat for seat, score in enumerate(scores) if score == s.most)
        if choosing:
            s.phase, s.seat = int(ud.CARD), 0

    @property
    def phase(self) -> str:
        names = {ROUND_OVER: "ROUND_OVER", MATCH_OVER: "MATCH_OVER", 2: "CHANGE", 3: "CARD"}
        return names[self.s.phase]

    @property
    def scores(self) -> list[int]:
        return list(self.s.scores)

    @property
    def winner(self) -> int | None:
        """Who won the last trick."""
        return None if self.s.last_winner == ud.NO_SEAT else self.s.last_winner

    @property
    def moves(self) -> list[str]:
        moves = self.plain.moves(self.s)
        if self.phase == "CARD":
            return [short(move) for move in moves]
        return [next(name for name, n in CHANGES.items() if n == move) for move in moves]

    def colours(self) -> list[str]:
        """Return the colour that points at each seat."""
        return [COLOURS[(side - self.s.turn) % 4] for side in self.plain.values["side"]][
            : self.s.players
        ]

    def metric(self, name: str) -> int:
        return int(getattr(self.s.count, name))

    def hand(self, seat: int) -> str:
        return names_of(self.s.hand[seat])

    def play(self, *moves: str) -> Position:
        for move in moves:
            assert move in self.moves
            self.plain.apply(self.s, CHANGES[move] if move in CHANGES else number(move))
        return self

    def score(self) -> Position:
        self.plain.score_round(self.s)
        if self.s.phase == MATCH_OVER:
            self.plain.finish_match(self.s)
        return self

    def choice(self, strategy: str, seat: int | None = None) -> str:
        """Return what a strategy chooses in place of the seat on turn; it is legal."""
        if seat is not None:
            self.s.seat = seat
        legal = self.moves
        asked = parse_strategy(UPDOWN, strategy).seat_policy(self.options)
        move = self.plain.choice(asked, self.s, self.plain.moves(self.s))
        name = short(move) if self.phase == "CARD" else {n: k for k, n in CHANGES.items()}[move]
        assert name in legal
        return name


def play_trick(cards: str, **position: Any) -> Position:
    """Play a trick of the named cards, seat by seat, after the rules were changed."""
    hands = tuple(
        f"{card} {spare}" for card, spare in zip(cards.split(), _spares(cards), strict=True)
    )
    return Position(*hands, choosing=True, **position).play(*cards.split())


def _spares(cards: str) -> list[str]:
    free = [name for name in names_of(deck.cards).split() if name not in cards.split()]
    return free[: len(cards.split())]
