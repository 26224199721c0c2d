"""What a population of tables tells as sentences and a table, for the command line and reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table

from simcore.options import show_all
from studies.compare.population_results import Population, PopulationEffect
from studies.compare.results import Comparison
from studies.show.contrast_tables import outcome_name, scale_of
from studies.show.layout import new_table
from studies.show.wording import count, limits, mean, p_value, share, spread
from studies.stats.intervals import Interval

WORDS = ("variant", "at", "change of", "who")
NUMBERS = ("tables", "mean change", "between tables", "at a table not played", "p Holm")

ROUNDING = 1e-6
"""Changes below are those of floating point."""


def population_words(found: Population) -> str:
    """Say of what population how many tables were drawn."""
    policies = ", ".join(f"{policy} {share(part)} %" for policy, part in found.policies.items())
    return f"{count(len(found.tables), 'table')} drawn of {policies}"


def population_sentences(comparison: Comparison) -> Iterator[str]:
    """Yield what each variant changes of winners and length, those with most other winners first.

    Of a sweep the first point is told; the table has all.
    """
    told: dict[str, list[PopulationEffect]] = {}
    for one in at_first_point(comparison):
        if one.of in ("match", "metric"):
            told.setdefault(one.variant, []).append(one)

    def others(own: list[PopulationEffect]) -> float:
        return max((one.mean.estimate for one in own if one.of == "match"), default=0.0)

    for variant, own in sorted(told.items(), key=lambda one: -others(one[1])):
        point = show_all(own[0].point)
        winners = [one for one in own if one.of == "match"]
        length = [one for one in own if one.of == "metric"][:1]
        parts = [
            f"{_mean(one)} % of matches get another winner{_elsewhere(one, ' %')}"
            for one in winners
        ]
        parts += [
            f"{outcome_name(one)} change by {_mean(one)}{_elsewhere(one)}"
            if _varies(one)
            else f"as many {outcome_name(one)}"
            for one in length
        ]
        at = f" at {point}" if point else ""
        yield f"{variant}{at}, over the population: {'; '.join(parts)}."


def population_table(comparison: Comparison, *, full: bool = False) -> tuple[str, Table] | None:
    """Return the heading and table of a population; None where it tells nothing."""
    if comparison.population is None or not comparison.population.effects:
        return None
    rows = population_rows(_found(comparison), full=full)
    points = any(row[1] for row in rows)
    words = WORDS if points else (WORDS[0], *WORDS[2:])
    table = new_table(*words, *NUMBERS, text=len(words))
    last: list[str] = []
    for row in rows:
        again = row[:2] == last
        shown = ["", "", *row[2:]] if again else row
        table.add_row(*(shown if points else [shown[0], *shown[2:]]))
        last = row[:2]
    return f"Over the population ({population_words(comparison.population)})", table


def at_first_point(comparison: Comparison) -> list[PopulationEffect]:
    """Return what is told of the first point of a sweep; all of a study without one."""
    found = _found(comparison)
    return [one for one in found if one.point == found[0].point]


def population_rows(found: Sequence[PopulationEffect], *, full: bool) -> list[list[str]]:
    """Return the rows of a table of `WORDS` and `NUMBERS`.

    All, or those of winners and length, and where there is no sweep of win rates.
    """
    length = next((one.number for one in found if one.of == "metric"), "")
    several = any(one.point != found[0].point for one in found)
    kept = ("another_winner", length, *(() if several else ("win_share",)))
    return [
        [
            one.variant,
            show_all(one.point),
            outcome_name(one),
            one.who if one.of == "policy" else "",
            str(len(one.tables)),
            _mean(one),
            spread(_scaled(one.spread, scale_of(one))),
            _predicted(one),
            p_value(one.p_holm),
        ]
        for one in found
        if full or one.number in kept
    ]


def population_notes(comparison: Comparison) -> Iterator[str]:
    """Yield what the numbers of a population mean, and what they assume."""
    found = comparison.population
    if found is None:
        return
    if not found.effects:
        yield "No variant has matches at two tables of the population, so that nothing is told."
        return
    yield (
        "Over the population: the mean change over all tables that might be drawn (random effects, "
        "Paule–Mandel; Hartung–Knapp–Sidik–Jonkman), the standard deviation between tables "
        "(Q-profile), and where the change lies at a table that was not played (prediction "
        "interval of Higgins, Thompson and Spiegelhalter; three tables or more). "
        f"p Holm: corrected over {len(found.effects):,}. "
        + (
            "That the tables play the same deals is accounted for."
            if found.shared_deals
            else "Assumed: errors at different tables are independent, though they play the same "
            "deals; too few blocks tell."
        )
    )


def _found(comparison: Comparison) -> Sequence[PopulationEffect]:
    return comparison.population.effects if comparison.population else ()


def _mean(one: PopulationEffect) -> str:
    return mean(one.mean, scale_of(one), _sign(one))


def _predicted(one: PopulationEffect) -> str:
    return "–" if one.prediction is None else limits(one.prediction, scale_of(one), _sign(one))


def _elsewhere(one: PopulationEffect, unit: str = "") -> str:
    """Say where a change lies at a table to come, as far as tables tell."""
    return "" if one.prediction is None else f", {_predicted(one)}{unit} at a table not played"


def _varies(one: PopulationEffect) -> bool:
    """Tell whether there may be a change beyond rounding; so it is where nothing bounds it."""
    return not all(abs(bound) <= ROUNDING for bound in (one.mean.low, one.mean.high))


def _sign(one: PopulationEffect) -> str:
    """Return how numbers are signed: a share of matches with other winners is no change."""
    return "" if one.of == "match" else "+"


def _scaled(interval: Interval, scale: float) -> Interval:
    return Interval(scale * interval.estimate, scale * interval.low, scale * interval.high)
