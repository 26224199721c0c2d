"""What a move did to the cards: which went where, who looked at which, what was shuffled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from simcore.compiler.program import Program
from simcore.compiler.state import Cards, Pile, S
from simcore.narration.seen import UnseenCards, viewers_of


class Spot(NamedTuple):
    """Where cards lie: a field, whose it is, and which of several; -1 where there is one."""

    name: str
    seat: int = -1
    number: int = -1


@dataclass(frozen=True, eq=False)
class Moved:
    """Cards that went from one spot to another; `source` is None of cards brought into play."""

    cards: Cards
    source: Spot | None
    target: Spot

    @property
    def giver(self) -> int:
        """The seat that had them; -1 where it is nobody's place."""
        return self.source.seat if self.source else -1

    def with_more(self, cards: Cards) -> Moved:
        """Return the same with more cards."""
        return Moved(self.cards | cards, self.source, self.target)


@dataclass(frozen=True, eq=False)
class Looked:
    """Cards that a seat, or all of them (-1), got to see where they lie, the highest first."""

    seat: int
    cards: list[int] | UnseenCards
    spot: Spot


@dataclass(frozen=True)
class Shuffled:
    """Cards that lie in another order than before."""

    spot: Spot


def spots_of(program: Program, s: S) -> Iterator[tuple[Spot, Cards]]:
    """Yield all places where cards lie, with the cards."""
    for name, field in program.fields.items():
        if program.is_place(field.kind):
            held = s.__dict__[name]
            for seat, at_seat in enumerate(held) if field.per_seat else [(-1, held)]:
                for number, cards in enumerate(at_seat) if field.many else [(-1, at_seat)]:
                    yield Spot(name, seat, number), cards


def changes(
    program: Program, before: S, after: S, viewer: int | None
) -> tuple[list[Moved], list[Looked | Shuffled]]:
    """Return what a move did to the cards, as a seat sees it, or somebody who sees all (None)."""
    place_of: dict[int, Spot] = {}
    old: dict[Spot, Cards] = {}
    for spot, cards in spots_of(program, before):
        old[spot] = cards
        place_of.update(dict.fromkeys(cards, spot))
    moved: dict[tuple[Spot | None, Spot], list[int]] = {}
    other: list[Looked | Shuffled] = []
    for spot, cards in spots_of(program, after):
        for card in cards.order if isinstance(cards, Pile) else cards:
            if place_of.get(card) != spot:
                moved.setdefault((place_of.get(card), spot), []).append(card)
        was = old[spot]
        if isinstance(cards, Pile) and isinstance(was, Pile):
            other += _in_order(spot, was, cards, viewer)
    found: list[Moved] = []
    for (source, target), numbers in moved.items():
        is_seen = viewer is None or any(
            _sees(program, s, spot, numbers, viewer)
            for s, spot in ((before, source), (after, target))
        )
        known = Cards.of(numbers) if is_seen else UnseenCards(len(numbers))
        found.append(Moved(known, source, target))
    return found, other


def _sees(program: Program, s: S, spot: Spot | None, cards: list[int], viewer: int) -> bool:
    """Tell whether a seat sees cards at a spot."""
    if spot is None:
        return False
    if viewers_of(program, spot.name, spot.seat, s.players) >> viewer & 1:
        return True
    here = dict(spots_of(program, s))[spot]
    if not isinstance(here, Pile):
        return False
    seen = dict(zip(here.order, here.seen, strict=True))
    return all(seen[card] >> viewer & 1 for card in cards)


def _in_order(spot: Spot, was: Pile, now: Pile, viewer: int | None) -> Iterator[Looked | Shuffled]:
    """Yield what was looked at or shuffled among cards that stayed where they were."""
    seen_before = dict(zip(was.order, was.seen, strict=True))
    stayed = [card for card in now.order if card in seen_before]
    if stayed != [card for card in was.order if card in now]:
        yield Shuffled(spot)
        return
    looked: dict[int, list[int]] = {}
    for card, bits in zip(now.order, now.seen, strict=True):
        news = bits & ~seen_before.get(card, bits)
        if news.bit_count() > 1:
            looked.setdefault(-1, []).append(card)
        elif news:
            looked.setdefault(news.bit_length() - 1, []).append(card)
    for seat, cards in looked.items():
        knows = viewer is None or seat in (-1, viewer)
        yield Looked(seat, cards[::-1] if knows else UnseenCards(len(cards)), spot)
