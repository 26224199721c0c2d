"""What a report consists of, before it is written as HTML or Markdown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from studies.plots import Chart
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
    draw : callable
        Is called with `narrow`, for a phone.
    folded : bool
        Whether it waits behind its caption.
    """

    name: str
    caption: str
    draw: Callable[[bool], Chart]
    folded: bool = False


@dataclass(frozen=True)
class Tile:
    """One answer of the first row.

    Attributes
    ----------
    word : str
        The answer in a few words, which its interval bears out.
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
class Section:
    """A part of the report: what it says, then what it shows; its tables are folded."""

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
    lead : list of str
        The answer in words: what is shown to change most.
    answer, folded : list of Table
        Points of a sweep × fairness, length, largest changes; variants × length, first seat, skill,
        another winner: what is seen, and what is folded.
    said : list of str
        What stands below it: what the columns mean, what is aborted, what is not told.
    """

    title: str
    subtitle: str
    tiles: list[Tile]
    lead: list[str]
    answer: list[Table]
    folded: list[Table]
    said: list[str]
    sections: list[Section]
    version: str
