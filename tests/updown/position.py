"""Positions of UP & DOWN built from named cards.

Cards are written with the first letter of the colour: R12 is ROSE 12, F FEDER, M MONOKEL, H HUT.

    p = Position("R12 H3", "R2 H4", face="DOWN", trump=7, choosing=True)
    p.play("R12").play("H4").scores == [1, 0]

Seat s has, with rotation 0, colour number s (two players: 0 and 2, unless adjacent).
"""

from __future__ import annotations

from typing import Any

from simcore.game import get_game
from simcore.games.updown import kernel
from simcore.games.updown import table as ud
from simcore.games.updown.cards import COLOURS, DECK, FACES, LANE
from simcore.records import MATCH_OVER, ROUND_OVER
from strategies import parse_strategy

UPDOWN = get_game("updown")
LETTERS = "".join(colour[0] for colour in COLOURS)
CHANGES = {"flip": 0, "quarter": 1, "half": 2, "three": 3, "roll": 4, "keep": 8}


def number(name: str) -> int:
    """Number a card by its short name."""
    return LANE * LETTERS.index(name[0]) + int(name[1:])


def short(card: int) -> str:
    """Name a card by its number."""
    return f"{LETTERS[card // LANE]}{card % LANE}"


def card_set(names: str) -> int:
    """Return a card set from short names."""
    return sum(1 << number(name) for name in names.split())


def names_of(cards: int) -> str:
    """Return the short names of a card set."""
    return " ".join(short(card) for card in range(64) if int(cards) >> card & 1)


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
        self.tables, self.boxes = ud.new_records(self.options)
        self.table, self.box = self.tables[0], self.boxes[0]
        table, box = self.table, self.box
        kernel.start_match(table, box, 1, 0)
        table.round_number = round_number - 1
        kernel.start_round(table, box)
        for seat, hand in enumerate(hands):
            box.seats[seat].hand = card_set(hand)
        table.trick = table.hand_size - len(hands[0].split())
        table.face = FACES.index(face)
        table.turn = LANE * rotation
        table.trump = 0 if trump == "none" else trump
        table.leader = table.seat = leader
        table.pot = pot
        table.played[0] = card_set(played)
        table.scores[: len(scores)] = scores
        if any(scores):
            best = max(scores)
            table.leaders = sum(1 << seat for seat, score in enumerate(scores) if score == best)
        if choosing:
            table.phase, table.seat = ud.CARD, 0

    @property
    def phase(self) -> str:
        names = {ROUND_OVER: "ROUND_OVER", MATCH_OVER: "MATCH_OVER", **ud.PHASES}
        return names[int(self.table.phase)]

    @property
    def scores(self) -> list[int]:
        return self.table.scores[: self.table.players].tolist()  # type: ignore[no-any-return]

    @property
    def winner(self) -> int | None:
        """Who won the last trick."""
        winner = int(self.table.last_winner)
        return None if winner == ud.NO_SEAT else winner

    @property
    def moves(self) -> list[str]:
        seat = self.box.seats[self.table.seat]
        count = kernel.find_moves(self.table, seat)
        kernel.legal_moves(self.table, seat)
        moves = seat.moves[:count].tolist()
        if self.phase == "CARD":
            return [short(move) for move in moves]
        return [next(name for name, n in CHANGES.items() if n == move) for move in moves]

    def colours(self) -> list[str]:
        """Return the colour that points at each seat."""
        shifts = self.table.shifts[: self.table.players].tolist()
        return [COLOURS[(shift - int(self.table.turn)) % 64 // LANE] for shift in shifts]

    def metric(self, name: str) -> int:
        return int(self.table.metrics[getattr(ud.METRIC, name)])

    def hand(self, seat: int) -> str:
        return names_of(self.box.seats[seat].hand)

    def play(self, *moves: str) -> Position:
        for move in moves:
            assert move in self.moves
            chosen = CHANGES[move] if move in CHANGES else number(move)
            kernel.apply_move(self.table, self.box, chosen)
        return self

    def score(self) -> Position:
        kernel.score_round(self.table, self.box)
        return self

    def choice(self, strategy: str, seat: int | None = None) -> str:
        """Return what a strategy chooses in place of the seat on turn; it is legal."""
        chosen = parse_strategy(UPDOWN, strategy)
        table, box = self.table, self.box
        if seat is not None:
            table.seat = seat
        index = int(table.seat)
        box.policies[index] = chosen.address(ud.record_dtypes(self.options))
        box.seats[index].params[: len(chosen.values)] = chosen.values
        words = chosen.spec(self.options)
        box.seats[index].spec[: len(words)] = words
        legal = self.moves
        move = int(kernel.choose(self.tables, self.boxes))
        assert move >= 0
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
    free = [name for name in names_of(DECK).split() if name not in cards.split()]
    return free[: len(cards.split())]
