"""What phrases are given: a state, or a move with the states before and after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from simcore.compiler.state import Cards
from simcore.narration.moved import changes
from simcore.narration.seen import NotSeen, UnseenCards, is_seen
from simcore.phrases import ahead, counted


class Scene:
    """A state as it is told to somebody.

    Attributes
    ----------
    words : vocabulary.Vocabulary
    s
        The state; to a seat, with what it sees alone (`seen.seen_by`).
    names : sequence of str
        The players by seat.
    seat : int
        The seat on turn.
    move : int
        The move that is named.
    """

    def __init__(
        self, words: Any, s: Any, names: Sequence[str], seat: int = -1, move: int = -1
    ) -> None:
        self.words, self.s, self.names = words, s, names
        self.seat, self.move = int(s.seat) if seat < 0 else seat, move

    @property
    def options(self) -> dict[str, Any]:
        """The options of the match."""
        return self.s.options  # type: ignore[no-any-return]

    @property
    def who(self) -> str:
        """The name of the seat on turn."""
        return self.names[self.seat]

    @property
    def decision(self) -> str:
        """What is decided, in small letters."""
        return str(self.words.decision(self.s.phase))

    @property
    def sees_all(self) -> bool:
        """Whether the reader sees all cards."""
        return self.words.viewer is None

    def is_told(self, seat: int) -> bool:
        """Tell whether the reader may know what a seat could have done."""
        return self.words.viewer in (None, seat)

    def rule(self, name: str, *args: Any) -> Any:
        """Return what a function of the game's rules says of the state."""
        return self.words.rule(self.s, name, *args)

    def card(self, card: int) -> str:
        """Return a card's name."""
        return str(self.words.card(self.s, card))

    def cards(self, cards: Iterable[int]) -> str:
        """Return the names of cards, or how many they are where they are not seen."""
        return str(self.words.cards(self.s, cards))

    def some(self, cards: Cards) -> str:
        """Return how many cards they are, and which where they are seen: two cards (3 5)."""
        number = "a card" if len(cards) == 1 else counted(len(cards), "card")
        try:
            return f"{number} ({self.words.cards(self.s, list(cards))})" if cards else number
        except NotSeen:
            return number

    def held(self, seat: int) -> str:
        """Return what a seat has, or how many cards where they are not seen."""
        return str(self.words.held(self, seat))

    def hands(self) -> Iterator[str]:
        """Tell what each seat has."""
        for seat, name in enumerate(self.names):
            if held := self.held(seat):
                yield f"{name} has {held}."

    def listed(self, cards: Cards) -> str:
        """Return cards after a colon, where they are seen."""
        return self.if_seen(lambda: f": {self.words.cards(self.s, list(cards))}")

    def if_seen(self, text: Callable[[], str], otherwise: str = "") -> str:
        """Return a text, or another where the reader does not see what it tells."""
        try:
            return text()
        except NotSeen:
            return otherwise

    def amount(self, number: int) -> str:
        """Return a number of points in words."""
        return str(self.words.amount(self.s, number))


class Moment(Scene):
    """A move with the states before (`s`) and after it, as it is told to somebody.

    What a phrase asks for (`went`) it is taken to tell; what is left the teller tells by itself.

    Attributes
    ----------
    after
        The state after the move.
    moves : tuple of int or None
        The legal moves; None where the reader does not know them.
    """

    def __init__(self, teller: Any, step: Any, names: Sequence[str]) -> None:
        seat, viewer = int(step.s.seat), teller.viewer
        self._teller, self._step, self.is_secret = teller, step, False
        super().__init__(teller, teller.as_seen(step.s), names, seat, step.move)
        self.after = teller.as_seen(step.after.s)
        self.moves = step.moves if viewer in (None, seat) else None
        self.moved, self.looked = changes(teller.program, step.s, step.after.s, viewer)
        self.untold = list(self.moved)
        self.is_secret = viewer not in (None, seat) and self._is_secret()
        if self.is_secret:
            self.untold = [c for c in self.moved if c.giver != seat or is_seen(c.cards)]

    def _is_secret(self) -> bool:
        """Tell whether a move put cards, or itself, where others do not see them."""
        if self.words.is_builtin and not self.words.is_card(self.s.phase):
            return False
        return self.words.is_kept_secret(self._step) or any(
            isinstance(change.cards, UnseenCards)
            and change.source is not None
            and change.source.seat == self.seat
            and self.words.is_held(change.source)
            and change.target.seat in (-1, self.seat)
            for change in self.moved
        )

    @property
    def move(self) -> int:
        """The move; what another seat did in secret is not seen."""
        if self.is_secret:
            raise NotSeen
        return self._move

    @move.setter
    def move(self, move: int) -> None:
        self._move = move

    @property
    def end(self) -> Scene:
        """The state after the move, to tell of it."""
        return Scene(self.words, self.after, self.names)

    def plainly(self) -> str:
        """Return the move as a sentence of its order."""
        return str(self._teller.plainly(self))

    def ahead(self) -> Iterator[str]:
        """Tell who is ahead."""
        if self.after.leaders:
            yield f"{ahead(self.after.leaders, self.names)}."

    def went(self, source: str, target: str, *, seat: int | None = None) -> Cards:
        """Return the cards that went from one of some fields to another.

        `seat` is whose the target is or, where it is nobody's, the source; by default anybody's.
        """
        found = [
            change
            for change in self.moved
            if change.source is not None
            and change.source.name in source.split()
            and change.target.name == target
            and seat in (None, change.target.seat if change.target.seat >= 0 else change.giver)
        ]
        self.untold = [change for change in self.untold if change not in found]
        if any(isinstance(change.cards, UnseenCards) for change in found):
            return UnseenCards(sum(len(change.cards) for change in found))
        return Cards.of(card for change in found for card in change.cards)
