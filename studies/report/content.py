"""The content of a report, before it is written as HTML or Markdown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from studies.plots.figure import Chart
from studies.render import Table


@dataclass(frozen=True)
class Picture:
    """A figure.

    Attributes
    ----------
    name : str
        Letters, digits and "-"; its own on the page.
    caption : str
        What is plotted, and what the bars are.
    chart : callable
        Draws it, given `narrow`: True for a phone.
    folded : bool
        Whether it is folded behind its caption.
    """

    name: str
    caption: str
    chart: Callable[..., Chart]
    folded: bool = False

    def draw(self, narrow: bool) -> Chart:
        """Return the figure, for a phone or for a wide screen."""
        return self.chart(narrow=narrow)


@dataclass(frozen=True)
class HeadlineCard:
    """One answer of the first row.

    Attributes
    ----------
    word : str
        The answer in a few words, supported by its interval.
    number : str
        The number behind it, with its interval.
    note : str
        What the number is of.
    section : str
        Name of the section with details.
    """

    question: str
    word: str
    number: str
    note: str
    section: str


@dataclass(frozen=True)
class Section:
    """A section of the report: sentences, pictures, and folded tables."""

    name: str
    title: str
    sentences: list[str] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    commands: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Report:
    """A whole report.

    Attributes
    ----------
    main : Picture, optional
        The figure that answers the question of the title; it is shown first.
    lead : list of str
        The answer in words: what is shown to change most.
    answer, folded : list of Table
        Points of a sweep × fairness, length, largest changes; variants × length, first seat, skill,
        another winner: what is seen, and what is folded.
    said : list of str
        Notes below it: the meaning of columns, aborted matches, what is missing.
    """

    title: str
    subtitle: str
    headline_cards: list[HeadlineCard]
    lead: list[str]
    answer: list[Table]
    folded: list[Table]
    said: list[str]
    sections: list[Section]
    main: Picture | None
    version: str

    @property
    def pictures(self) -> list[Picture]:
        """All figures, in the order of the page."""
        first = [] if self.main is None else [self.main]
        return first + [picture for section in self.sections for picture in section.pictures]
