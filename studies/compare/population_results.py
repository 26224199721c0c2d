"""What tables drawn from a population tell of it: plain data, parts of a `Comparison`."""

from __future__ import annotations

from dataclasses import dataclass

from studies.stats.intervals import Interval


@dataclass(frozen=True)
class PopulationEffect:
    """What a variant changes of an outcome, over the tables of a population at a sweep point.

    Attributes
    ----------
    of, who, number : str
        The outcome, as in `contrast_results.Finding`.
    tables : list of str
        The tables drawn that tell it: of a policy those where it sits with others.
    changes : list of Interval
        At each of them, by itself: cluster-robust over deals.
    mean : Interval
        Over all tables of the population.
    spread : Interval
        Standard deviation of the change between tables, without what chance adds.
    prediction : Interval or None
        Of the change at a table that was not played; None below three tables.
    p : float
        Of "the mean is 0".
    p_holm : float
        Corrected over all such tests of the study.
    """

    variant: str
    point: dict[str, object]
    of: str
    who: str
    number: str
    tables: list[str]
    changes: list[Interval]
    mean: Interval
    spread: Interval
    prediction: Interval | None
    p: float
    p_holm: float


@dataclass(frozen=True)
class Population:
    """A study's population and what its tables tell together.

    Attributes
    ----------
    policies : dict of str to float
        The share of each policy.
    tables : list of str
        The names of the tables drawn, which are line-ups.
    shared_deals : bool
        Whether it is accounted for that tables play the same deals; else errors are taken to be
        independent, since too few blocks tell.
    """

    policies: dict[str, float]
    tables: list[str]
    shared_deals: bool
    effects: list[PopulationEffect]
