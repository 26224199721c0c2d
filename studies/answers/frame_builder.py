"""The builder of the long frame, whose rows come from estimates.

An estimate is added with the names of its numbers. Only its summary without groups is kept, and at
the end intervals, corrections and margins are computed for all rows at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from studies.answers.estimate import (
    LEVEL,
    Estimate,
    Known,
    difference_interval,
    difference_p,
    influence_of,
    stack,
)
from studies.answers.families import MOST_AT_ONCE, AtOnce, holm
from studies.answers.table import Place

if TYPE_CHECKING:
    import polars as pl

Array = np.ndarray[Any, Any]
Interval = Callable[[float], tuple[Array, Array]]

COLUMNS = (
    "lineup",
    "variant",
    "kind",
    "who",
    "number",
    "against",
    "baseline",
    "estimate",
    "low",
    "high",
    "p",
    "p_holm",
    "low_all",
    "high_all",
    "deals",
    "matches",
    "count",
    "margin",
    "p_equivalent",
    "equivalent",
    "family",
    "constant",
)
"""Columns after the sweep's keys; a key with the name of a column gets the ending `_option`."""

SEATS, POLICIES, LENGTH, FIRST_SEAT = "seats", "policies", "length", "first_seat"
WON = "won"
"""Questions of the headlines (`studies.answers.headlines`), which claim rows of the frame."""

_AT_ONCE = 1 << 15
"""Values (numbers × groups) to summarise in one batch."""


@dataclass(frozen=True)
class Claim:
    """Rows from which the headline of a question picks.

    Attributes
    ----------
    rows : int64[numbers]
        Their places in the frame.
    null : float
        The tested value.
    interval : callable, optional
        Returns the bounds at a level, of a population, where they are not those of the estimate.
    """

    question: str
    place: Place
    rows: Array
    estimate: Estimate
    null: float = 0.0
    interval: Interval | None = None


@dataclass
class FrameBuilder:
    """Rows of the frame.

    Attributes
    ----------
    margins : dict of str to float
        Number -> change up to which two sets of rules count as equivalent.
    is_brief : bool
        Whether rows are left out that nothing but the frame shows.
    """

    level: float = LEVEL
    margins: Mapping[str, float] = field(default_factory=dict)
    is_brief: bool = False

    def __post_init__(self) -> None:
        self.places: list[tuple[Place, int]] = []
        self.texts: dict[str, list[str]] = {
            name: [] for name in ("variant", "kind", "who", "number", "against", "family")
        }
        self.numbers: dict[str, list[Array]] = {
            name: [] for name in ("baseline", "null", "matches", "count", "margin", "p", "constant")
        }
        self.known: list[Known] = []
        self.claims: list[Claim] = []
        self.rows = 0
        # Estimates to be summarised later, many at once.
        self._waiting: list[Estimate] = []
        self._values_waiting = 0
        self._ends: list[tuple[Array, Array, Array]] = []
        self._unpaired: list[tuple[Array, Known, Known]] = []
        self._pending: dict[str, list[tuple[Array, Estimate]]] = defaultdict(list)

    def add(
        self,
        place: Place,
        variant: str,
        kind: str,
        named: Sequence[tuple[str, str]],
        estimate: Estimate,
        *,
        against: str | Sequence[str] = "",
        family: str | Sequence[str] = "",
        null: float | Array | None = None,
        baseline: Array | float | None = None,
        matches: int | Array | None = None,
        count: Array | None = None,
        simultaneous: bool = False,
        unpaired: tuple[Estimate, Estimate] | None = None,
        ends: tuple[Array, Array] | None = None,
        p: Array | None = None,
        constant: Array | None = None,
    ) -> Array:
        """Add one row for each of `named`, with its estimate; return their places in the frame.

        Parameters
        ----------
        named : sequence of (who, number)
        family : str or sequence of str
            The family of each row's test; "" for no test.
        null : float or array, optional
            The tested value; None for no test, in any family.
        simultaneous : bool
            Whether the family has simultaneous intervals.
        unpaired : (Estimate, Estimate), optional
            For a difference between tables: its two estimates. A side on which nothing happened
            is uncertain, too (`difference_interval`).
        ends, p : arrays, optional
            Ends of the intervals, and p-values, instead of those from the estimate.
        constant : array of bool, optional
            Whether the number has this value in every match; sums by group cannot tell.
        """
        size = len(named)
        if not size or (kind == "prediction" and self.is_brief):
            return np.zeros(0, int)
        families = [family] * size if isinstance(family, str) else list(family)
        # A number that does not exist has no test.
        exists = np.isfinite(estimate.value).tolist()
        families = [
            family_name if known_value and null is not None else ""
            for family_name, known_value in zip(families, exists, strict=True)
        ]
        self.places.append((place, size))
        self.texts["variant"] += [variant] * size
        self.texts["kind"] += [kind] * size
        self.texts["who"] += [who for who, _ in named]
        self.texts["number"] += [number for _, number in named]
        self.texts["against"] += [against] * size if isinstance(against, str) else list(against)
        self.texts["family"] += families
        rows = np.arange(self.rows, self.rows + size)
        tested = np.array([bool(name) for name in families])
        nulls = np.where(tested, np.nan if null is None else null, np.nan)
        if ends is not None:
            self._ends.append((rows, *ends))
        if unpaired is not None and (few := unpaired[0].known.few | unpaired[1].known.few).any():
            self._unpaired.append((rows[few], unpaired[0].known[few], unpaired[1].known[few]))
        if simultaneous:
            self._hold(rows, estimate, families)
        margins = [
            self.margins.get(number, np.nan) if _may_be_equivalent(name) else np.nan
            for (_, number), name in zip(named, families, strict=True)
        ]
        for name, values in (
            ("baseline", baseline),
            ("matches", matches),
            ("count", count),
            ("margin", np.array(margins)),
            ("null", nulls),
            ("p", None if p is None else np.where(tested, p, np.nan)),
            ("constant", constant),
        ):
            filled = np.full(size, np.nan) if values is None else np.broadcast_to(values, (size,))
            self.numbers[name].append(np.asarray(filled, float))
        self.rows += size
        self._waiting.append(estimate)
        self._values_waiting += estimate.influence.size
        if self._values_waiting >= _AT_ONCE:
            self._flush()
        return rows

    def claim(
        self,
        question: str,
        place: Place,
        rows: Array,
        estimate: Estimate,
        *,
        null: float = 0.0,
        interval: Interval | None = None,
    ) -> None:
        """Note rows that were added as those from which a headline picks, where all exist."""
        if rows.size and np.isfinite(estimate.value).all():
            self.claims.append(Claim(question, place, rows, estimate, null, interval))

    def _flush(self) -> None:
        """Summarise the waiting estimates, and release their groups."""
        if not self._waiting:
            return
        self.known.append(stack(self._waiting).known)
        self._waiting, self._values_waiting = [], 0

    def _hold(self, rows: Array, estimate: Estimate, families: Sequence[str]) -> None:
        """Keep the influence of groups for families with simultaneous intervals."""
        for name in dict.fromkeys(filter(None, families)):
            chosen = np.array([family == name for family in families])
            self._pending[name].append((rows[chosen], estimate[chosen]))

    def frame(self) -> pl.DataFrame:
        """Return all rows."""
        import polars as pl

        keys = list(dict.fromkeys(key for place, _ in self.places for key in place.point))
        data: dict[str, Any] = {}
        sizes = [size for _, size in self.places]
        for key in keys:
            name = f"{key}_option" if key in COLUMNS else key
            values = pl.Series(
                name, [place.point.get(key) for place, _ in self.places], strict=False
            )
            data[name] = _repeated(values, sizes)
        lineups = pl.Series("lineup", [place.lineup for place, _ in self.places], dtype=pl.String)
        data["lineup"] = _repeated(lineups, sizes)
        computed = self._computed()
        for name in COLUMNS[1:]:
            if name in self.texts:
                data[name] = pl.Series(name, self.texts[name], dtype=pl.String)
                continue
            values = computed[name]
            dtype = {"deals": pl.Int64, "matches": pl.Int64, "count": pl.Int64}.get(name)
            if name in ("equivalent", "constant"):
                data[name] = pl.Series(name, values, dtype=pl.Boolean)
            else:
                column = pl.Series(name, values, dtype=pl.Float64).fill_nan(None)
                data[name] = column.cast(dtype) if dtype else column
        return pl.DataFrame(data)

    def _computed(self) -> dict[str, Any]:
        """Return the columns that are computed for all rows at once."""
        if not self.rows:
            return {name: [] for name in COLUMNS}
        self._flush()
        known = Known.stacked(self.known)
        columns: dict[str, Any] = {n: np.concatenate(part) for n, part in self.numbers.items()}
        is_constant = known.constant.copy()
        for rows, _, _ in self._ends:  # tables vary, too
            is_constant[rows] = False
        is_constant |= columns["constant"] == 1
        columns |= {"estimate": known.value, "deals": known.deals, "constant": is_constant}
        columns["low"], columns["high"] = self._tests(known, columns["null"], columns["p"])
        families = np.array(self.texts["family"])
        columns["p_holm"] = np.full(self.rows, np.nan)
        for name in dict.fromkeys(filter(None, self.texts["family"])):
            rows = np.flatnonzero(families == name)
            columns["p_holm"][rows] = holm(columns["p"][rows])
        columns["low_all"], columns["high_all"] = self._simultaneous(known, columns)
        limited = np.flatnonzero(np.isfinite(columns["margin"]))
        columns["p_equivalent"] = np.full(self.rows, np.nan)
        columns["equivalent"] = np.full(self.rows, None, dtype=object)
        if limited.size:
            p = holm(known[limited].p_equivalent(columns["margin"][limited]))
            columns["p_equivalent"][limited] = p
            columns["equivalent"][limited] = p <= 1 - self.level
        columns["equivalent"] = columns["equivalent"].tolist()
        return columns

    def _tests(self, known: Known, nulls: Array, p: Array) -> tuple[Array, Array]:
        """Return intervals, and fill in the p-values that are not given."""
        low, high = known.interval(self.level)
        for rows, *ends in self._ends:
            low[rows], high[rows] = ends
        open_ = ~np.isnan(nulls) & np.isnan(p)
        if self._unpaired:
            rows = np.concatenate([part for part, _, _ in self._unpaired])
            first = Known.stacked([part for _, part, _ in self._unpaired])
            second = Known.stacked([part for _, _, part in self._unpaired])
            low[rows], high[rows] = difference_interval(first, second, self.level)
            here = open_[rows]
            p[rows[here]] = difference_p(first[here], second[here])
            open_[rows] = False
        p[open_] = known[open_].p(nulls[open_])
        return low, high

    def _simultaneous(self, known: Known, columns: Mapping[str, Array]) -> tuple[Array, Array]:
        low, high = np.full(self.rows, np.nan), np.full(self.rows, np.nan)
        for members in self._pending.values():
            places = np.concatenate([part for part, _ in members])
            if not 2 <= len(places) <= MOST_AT_ONCE:
                continue
            family = AtOnce.of(influence_of([part for _, part in members]))
            low[places], high[places] = known[places].ends(family.error(1 - self.level) / 2)
            columns["p_holm"][places] = family.corrected(columns["p"][places])
        return low, high


def _may_be_equivalent(family: str) -> bool:
    """Return whether margins apply to a family: changes by variants, and pairs of policies."""
    changes = family.startswith("variants: ") and not family.startswith("variants: gaps")
    return changes or family in ("policies", "policies: score")


def _repeated(values: pl.Series, sizes: Sequence[int]) -> pl.Series:
    return values[np.repeat(np.arange(len(sizes)), sizes).tolist()]
