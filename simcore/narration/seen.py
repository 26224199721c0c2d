"""What a seat sees of a state: a copy in which everything else is unknown.

Phrases get such a copy when a match is told to somebody at the table. What a seat does not see is
not in the copy, so no phrase can tell it by mistake: reading it raises `NotSeen`, and the teller
says less instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from simcore.compiler.program import ENGINE_FIELDS, Program
from simcore.compiler.state import Cards, Pile, S


class NotSeen(Exception):  # noqa: N818, RUF100
    """A phrase would tell what its reader does not see."""


class UnseenCards(Cards):
    """Cards of which a seat knows how many they are.

    Attributes
    ----------
    known : tuple of int or None
        Of cards in an order, from the bottom up: those that the seat has seen where they lie.
    """

    __slots__ = ("_count", "known")

    def __init__(self, count: int, known: tuple[int | None, ...] = ()) -> None:
        self._count, self.known = count, known

    def __len__(self) -> int:
        return self._count

    def __bool__(self) -> bool:
        return self._count > 0

    def __iter__(self) -> Iterator[int]:
        raise NotSeen

    @property
    def word(self) -> int:  # type: ignore[override]
        """Refuse to tell which they are."""
        raise NotSeen

    @property
    def order(self) -> tuple[int, ...]:
        """Refuse to tell their order."""
        raise NotSeen

    @property
    def _rows(self) -> tuple[_Known, _Known]:
        """Give words the cards that have been seen where they lie, and refuse the others."""
        return _Known(self.known), _Known(())


class _Known(tuple):  # type: ignore[type-arg]
    """Cards of which some have been seen; the others are None and cannot be read."""

    __slots__ = ()

    def __getitem__(self, at: Any) -> Any:
        card = super().__getitem__(at) if -len(self) <= at < len(self) else None
        if card is None:
            raise NotSeen
        return card


class Unknown:
    """A number that a seat does not see."""

    def _refuse(self, *_: Any) -> NoReturn:
        raise NotSeen

    __bool__ = __int__ = __index__ = __float__ = __str__ = __format__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __getitem__ = __iter__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = _refuse
    __and__ = __rand__ = __or__ = __ror__ = __rshift__ = __lshift__ = __mod__ = _refuse
    __floordiv__ = __getattr__ = __contains__ = __hash__ = _refuse
    __eq__ = __ne__ = _refuse


def is_seen(value: Any) -> bool:
    """Tell whether a value, or all of several, are seen."""
    if isinstance(value, list):
        return all(map(is_seen, value))
    return not isinstance(value, (Unknown, UnseenCards))


def viewers_of(program: Program, name: str, holder: int, players: int) -> int:
    """Return the seats that see a field of a seat, as bits."""
    if name in ENGINE_FIELDS:
        return (1 << players) - 1
    return int(program.seating.viewers(program.fields[name], max(holder, 0), players))


def seen_by(program: Program, s: S, seat: int) -> S:
    """Return a copy of a state with what a seat sees of it; all else raises `NotSeen`."""
    seen = s.copy()
    put = seen.__dict__
    for name, field in program.fields.items():
        if name not in put:
            continue  # what a policy remembers that took its seat later
        held = put[name]
        sees = [
            viewers_of(program, name, holder, s.players) >> seat & 1
            for holder in range(s.players if field.per_seat else 1)
        ]
        if field.per_seat:
            put[name] = [v if sees[holder] else _hidden(v, seat) for holder, v in enumerate(held)]
        elif not sees[0]:
            put[name] = _hidden(held, seat)
    put["streams"] = put["count"] = Unknown()
    put.update(_seed=0, _key=0, match_number=0)
    return seen


def _hidden(value: Any, seat: int) -> Any:
    if isinstance(value, list):
        return [_hidden(part, seat) for part in value]
    if isinstance(value, Pile):
        seen = zip(value.order, value.seen, strict=True)
        known = tuple(card if bits >> seat & 1 else None for card, bits in seen)
        return UnseenCards(len(value), known)
    return UnseenCards(len(value)) if isinstance(value, Cards) else Unknown()
