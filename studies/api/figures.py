"""The report's figures, each by a name, for the tables that are asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from simcore.errors import InputError, unknown
from simcore.options import show_all
from studies import plots
from studies.balance import Balance, measure
from studies.balance.duels import turned
from studies.balance.results import Duel, Ladder, TableBalance
from studies.compare.effects import compare
from studies.compare.ratings import rate
from studies.design.study import BASELINE, SUMMARY
from studies.plots import Chart
from studies.plots.paper import to_figure
from studies.store.directory import stored_detail
from studies.store.documents import provenance_document

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from studies.compare.results import Comparison, Rating, VariantEffect


@lru_cache(maxsize=1)
def _measured(directory: Path, stamp: str) -> Balance:
    del stamp
    return measure(directory)


@lru_cache(maxsize=1)
def _compared(directory: Path, stamp: str) -> Comparison:
    del stamp
    return compare(directory)


class _Asked:
    """What is to be shown: a study directory, and which of its tables."""

    def __init__(
        self, directory: Path, variants: Sequence[str], lineup: str | None, at: dict[str, object]
    ) -> None:
        self._directory, self._variants, self._lineup, self._at = directory, variants, lineup, at

    @cached_property
    def balance(self) -> Balance:
        """How each table plays."""
        return _measured(self._directory, self._stamp)

    @cached_property
    def comparison(self) -> Comparison:
        """What variants change, and how policies compare."""
        return _compared(self._directory, self._stamp)

    @property
    def _stamp(self) -> str:
        """What is another one when more has been played."""
        return json.dumps(provenance_document(self._directory), sort_keys=True)

    def is_here(self, lineup: str, point: dict[str, object]) -> bool:
        """Return whether a line-up and sweep point are asked for."""
        at = all(key in point and point[key] == value for key, value in self._at.items())
        return at and self._lineup in (None, lineup)

    def tables(self, variant: str | None = BASELINE, *, alike: bool = False) -> list[TableBalance]:
        """Return the tables asked for: of this variant where none is named, None: of all."""
        wanted = self._variants or ([variant] if variant else [])
        found = [
            table
            for table in self.balance.tables
            if self.is_here(table.lineup, table.point) and (not wanted or table.variant in wanted)
        ]
        like = [table for table in found if table.alike]
        return _some(like if alike and like else found, "table")

    def effects(self) -> list[VariantEffect]:
        """Return the effects of variants, at one point of the sweep."""
        found = [
            effect
            for effect in self.comparison.variants
            if self.is_here(effect.lineup, effect.point)
            and (not self._variants or effect.variant in self._variants)
        ]
        return _at_one_point(_some(found, "variant"))

    def rating(self) -> Rating:
        """Return the ratings of one point of the sweep, restricted play left out."""
        restricted = {one.duel.lineup for one in self.balance.restrictions}
        ratings = self.comparison.ratings or []
        if restricted:
            _, ratings = rate(self._directory, without=restricted)
        found = [one for one in ratings if self.is_here(self._lineup or "", one.point)]
        return _at_one_point(_some(found, "rating"))[0]

    def duels(self) -> list[Duel]:
        """Return the meetings of two policies, at one point of the sweep's options."""
        found = [duel for duel in self.balance.duels if self.is_here(duel.lineup, duel.point)]
        return _some(found, "line-up of two policies")

    def ladder(self) -> Ladder:
        """Return the ladder of one point of the sweep."""
        found = [one for one in self.balance.ladders if self.is_here(self._lineup or "", one.point)]
        return _at_one_point(_some(found, "ladder of policies"))[0]


class _HasPoint(Protocol):
    @property
    def point(self) -> dict[str, object]: ...


Found = TypeVar("Found")
Placed = TypeVar("Placed", bound=_HasPoint)


def _some(found: list[Found], what: str) -> list[Found]:
    if not found:
        raise InputError(f"there is no {what} to show of what is asked for")
    return found


def _at_one_point(found: list[Placed]) -> list[Placed]:
    points = list(dict.fromkeys(show_all(one.point) for one in found))
    if len(points) > 1:
        raise InputError(
            "the figure shows one point of the sweep; allowed: at= one of " + "; ".join(points)
        )
    return found


def _labelled(tables: Sequence[TableBalance]) -> list[tuple[str, TableBalance]]:
    """Return tables by what tells them apart."""
    names = [(table.variant, table.lineup, show_all(table.point)) for table in tables]
    differ = [len(set(column)) > 1 for column in zip(*names, strict=True)]
    return [
        (", ".join(part for part, told in zip(own, differ, strict=True) if told) or own[1], table)
        for own, table in zip(names, tables, strict=True)
    ]


def _gains(asked: _Asked) -> Chart:
    effects = asked.effects()
    lineups = list(dict.fromkeys(effect.lineup for effect in effects))
    if len(lineups) > 1:
        raise InputError(
            f"figure 'gains' shows one line-up; allowed: lineup= one of {', '.join(lineups)}"
        )
    return plots.gains(effects)


def _seats(asked: _Asked) -> Chart:
    tables = _labelled(asked.tables(None, alike=True))
    return plots.seat_map([(label, table.positions) for label, table in tables])


def _length(asked: _Asked) -> Chart:
    tables = _labelled(asked.tables(alike=True))
    return plots.length_curves([(label, table.moves) for label, table in tables], "moves")


def _lead_changes(asked: _Asked) -> Chart:
    rows = [
        (label, table.lead.lead_changes)
        for label, table in _labelled(asked.tables(alike=True))
        if table.lead.lead_changes is not None
    ]
    return plots.lead_changes(_some(rows, "change of lead"))


def _comebacks(asked: _Asked) -> Chart:
    rows = [
        (label, table.lead.comeback)
        for label, table in _labelled(asked.tables(alike=True))
        if table.lead.lead_changes is not None
    ]
    unit, of = "points behind at most", "winners never further behind, %"
    return plots.length_curves(_some(rows, "change of lead"), unit, of=of)


def _luck(asked: _Asked) -> Chart:
    rows = [
        (label, table.luck.win)
        for label, table in _labelled(asked.tables())
        if table.luck is not None
    ]
    return plots.variance_bars(_some(rows, "rotated table of several policies"))


def _duels(asked: _Asked) -> Chart:
    duels = asked.duels()
    names = [f"{duel.first} – {duel.second}" for duel in duels]
    return plots.share_dots(names, {"matches won by the first": [duel.share for duel in duels]})


def _payoffs(asked: _Asked) -> Chart:
    ladder = asked.ladder()
    duels = [duel for duel in asked.duels() if duel.point == ladder.point]
    shares = {(duel.first, duel.second): duel.per_seat for duel in duels}
    shares |= {(duel.second, duel.first): turned(duel).per_seat for duel in duels}
    return plots.payoff_matrix(ladder.order[::-1], shares)


def _strengths(asked: _Asked) -> Chart:
    rating = asked.rating()
    if rating.no_strengths:
        raise InputError(f"there are no strengths to show: {rating.no_strengths}")
    return plots.strengths(rating.strengths, rating.reference)


KINDS: dict[str, Callable[[_Asked], Chart]] = {
    "variants": lambda asked: plots.forest(asked.effects()),
    "gains": _gains,
    "seats": _seats,
    "length": _length,
    "lead_changes": _lead_changes,
    "comebacks": _comebacks,
    "luck": _luck,
    "ladder": lambda asked: plots.ladder_steps(asked.ladder().steps),
    "duels": _duels,
    "payoffs": _payoffs,
    "restrictions": lambda asked: plots.restrictions(
        _some(asked.balance.restrictions, "line-up of a policy against its restricted form")
    ),
    "strengths": _strengths,
    "nash": lambda asked: plots.nash_shares(_some(asked.rating().nash, "Nash average")),
}
"""Each draws from what is asked for."""

OF_MATCHES = {"length", "lead_changes", "comebacks", "luck", "strengths", "nash"}
"""What takes single matches."""


def draw(
    directory: Path, kind: str, variants: Sequence[str], lineup: str | None, at: dict[str, object]
) -> Figure:
    """Draw a figure of a study directory.

    Raises
    ------
    InputError
        If there is no such figure, nothing to show in it, or the directory is refused.
    """
    if kind not in KINDS:
        raise unknown("figure", kind, KINDS)
    if kind in OF_MATCHES and stored_detail(directory) == SUMMARY:
        told = ", ".join(sorted(KINDS.keys() - OF_MATCHES))
        raise InputError(
            f"figure {kind!r} cannot be drawn of {directory}, which keeps sums instead of matches; "
            f"allowed: {told}"
        )
    return to_figure(KINDS[kind](_Asked(directory, variants, lineup, at)))
