"""What a report consists of, before it is written as HTML or Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from simcore.options import show_all
from studies.balance.results import Balance, Ladder, TableBalance
from studies.compare.results import Comparison, Rating, VariantEffect
from studies.design.study import BASELINE, SUMMARY
from studies.plots import Chart
from studies.report.recipes import Recipe
from studies.report.sentences.words import at_point, plays_at_random
from studies.run.sensitivity import SensitivityResult
from studies.store.documents import Provenance, StoredGoal


@dataclass(frozen=True)
class Picture:
    """A figure with all that must stand beside it.

    Attributes
    ----------
    name : str
        Letters, digits and "-"; its own on the page.
    alt : str
        What there is to see, for those who cannot see it.
    caption : str
        What is plotted, n, and what the bars are.
    draw : callable
        Is called with `narrow`.
    at : str
        The sweep point that it shows, in words; empty: no one point.
    """

    name: str
    alt: str
    caption: str
    draw: Callable[[bool], Chart]
    at: str = ""

    @property
    def shows(self) -> str:
        """What is plotted: the beginning of the caption."""
        return self.caption.partition("; ")[0].rstrip(".") + "."

    @property
    def made(self) -> str:
        """How many matches, and what the bars are: the rest of the caption."""
        text = self.caption.partition("; ")[2]
        return text[:1].upper() + text[1:]


@dataclass(frozen=True)
class Tile:
    """One answer of the first row.

    Attributes
    ----------
    word : str
        The answer in a word or two.
    number : str
        The number behind it, with its interval.
    note : str
        What the number is of.
    section : str
        Name of the section that tells more.
    """

    question: str
    word: str
    number: str
    note: str
    section: str


@dataclass(frozen=True)
class Grid:
    """A table of numbers.

    Attributes
    ----------
    words : int
        The first so many columns hold words, the others numbers.
    opened : bool
        Whether it is shown at once; else it waits behind its caption.
    """

    caption: str
    columns: list[str]
    rows: list[list[str]]
    words: int = 1
    opened: bool = False


@dataclass(frozen=True)
class Commands:
    """Things to look at, each with the command that shows it."""

    rows: list[tuple[str, str]]


Item = Picture | Grid | Commands


@dataclass(frozen=True)
class Section:
    """A part of the report: what it says, then what it shows.

    Attributes
    ----------
    lead : str
        What holds for all sentences: who plays, what words mean.
    """

    name: str
    title: str
    sentences: list[str]
    items: list[Item] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    recipes: list[Recipe] = field(default_factory=list)
    lead: str = ""


@dataclass(frozen=True)
class Report:
    """A whole report.

    Attributes
    ----------
    tiles : list of Tile
        The main findings, at a glance.
    tiles_of : str
        Who plays there.
    by_skill : Grid or None
        The same with weaker and stronger players; None where only one policy holds all seats.
    answer : list of str
        The main findings, in sentences.
    assumptions : list of str
        What of the game is not known but assumed.
    policies : list of str
        Names of the policies that play.
    places : dict
        Name of a table of players -> its sweep point in words, and its line-up.
    numbers : dict
        All numbers, for programs.
    """

    title: str
    subtitle: str
    game: str
    tiles: list[Tile]
    tiles_of: str
    by_skill: Grid | None
    answer: list[str]
    assumptions: list[str]
    policies: list[str]
    places: dict[str, tuple[str, str]]
    sections: list[Section]
    numbers: dict[str, object]
    version: str


@dataclass(frozen=True)
class Material:
    """What a report is made from, and which of its tables stand in front.

    The first sweep point of the study is the main one. Tables are named by their line-up, and by
    their sweep point where it is another one.

    Attributes
    ----------
    variants : dict
        Title of a variant, by which balance and comparison name it -> its name in the study.
    rankings : list
        What `cardlab sensitivity` has told, by outcome.
    """

    directory: str
    balance: Balance
    comparison: Comparison
    ratings: list[Rating]
    provenance: Provenance
    variants: dict[str, str]
    rankings: list[SensitivityResult]

    @property
    def of_sums(self) -> bool:
        """Whether the study keeps sums, which tell nothing of single matches."""
        return self.comparison.detail == SUMMARY

    @property
    def goal(self) -> StoredGoal | None:
        """The goal at which cells may have stopped."""
        return self.provenance.stops.goal if self.provenance.stops else None

    @property
    def main_point(self) -> dict[str, object]:
        """The sweep point that the report is about."""
        return self.balance.tables[0].point

    @property
    def baseline(self) -> list[TableBalance]:
        """Tables with the unchanged rules, those at the main point first."""
        tables = [table for table in self.balance.tables if table.variant == BASELINE]
        return sorted(tables, key=lambda table: table.point != self.main_point)

    @property
    def main(self) -> list[TableBalance]:
        """Tables with the unchanged rules at the main point."""
        return [table for table in self.baseline if table.point == self.main_point]

    @property
    def ladder(self) -> Ladder | None:
        """The skill ladder of the main point."""
        ladders = self.balance.ladders
        return next((own for own in ladders if own.point == self.main_point), None)

    def order(self, strategy: str) -> int:
        """Return the rung of a strategy on the ladder of the main point; -1 when it is on none."""
        order = self.ladder.order if self.ladder else []
        return order.index(strategy) if strategy in order else -1

    @property
    def alike(self) -> list[TableBalance]:
        """Tables with one policy in all seats at the main point, weakest first.

        Of those that never met, one that plays at random counts as weakest.
        """
        tables = [(table.strategies[0], table) for table in self.main if table.alike]
        tables.sort(key=lambda own: (self.order(own[0]), not plays_at_random(own[0])))
        return [table for _, table in tables]

    @property
    def populations(self) -> list[TableBalance]:
        """The tables whose course is shown: with one policy in all seats, or all without such."""
        return self.alike or self.main[:4]

    @property
    def reference(self) -> TableBalance:
        """The table of which most is said: the strongest policy in all seats, at the main point."""
        return self.populations[-1]

    def everywhere(self, table: TableBalance) -> list[TableBalance]:
        """Return the tables of the same line-up at all sweep points."""
        return [other for other in self.baseline if other.lineup == table.lineup]

    @property
    def points(self) -> list[dict[str, object]]:
        """The sweep points, the main one first."""
        found = {show_all(table.point): table.point for table in self.baseline}
        return list(found.values())

    def effects(self, lineup: str | None = None) -> list[VariantEffect]:
        """Return the variants' effects at the main point, of one line-up or of all."""
        return [
            effect
            for effect in self.comparison.variants
            if effect.point == self.main_point and lineup in (None, effect.lineup)
        ]

    def name(self, table: TableBalance | VariantEffect) -> str:
        """Name a table."""
        if table.point == self.main_point:
            return table.lineup
        return f"{table.lineup}, {at_point(table.point).removeprefix('with ')}"


def matches_of(counts: list[int]) -> str:
    """Write how many matches each of several tables has: "5,000" or "5,000–10,000"."""
    low, high = min(counts), max(counts)
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"


def aborted_of(tables: Sequence[TableBalance]) -> str:
    """Write what share of the matches of some tables was aborted; nothing where none was."""
    shares = [100 * table.outcomes.aborted.share.estimate for table in tables]
    low, high = min(shares), max(shares)
    if high == 0:
        return ""
    span = f"{low:.1f}" if f"{low:.1f}" == f"{high:.1f}" else f"{low:.1f}–{high:.1f}"
    return f" ({span} % of all were aborted)"
