"""Contrasts of variants' effects as sentences and tables, for the command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table

from simcore.options import show_all
from studies.compare.contrast_results import Finding, Interaction, InteractionFinding
from studies.compare.results import Comparison
from studies.show.rating_tables import new_table
from studies.show.wording import change, p_value
from studies.stats.intervals import Interval

MOST_ROWS = 40
"""Rows of a table above which only those are printed that are shown to differ from 0."""

_IN_PERCENT = ("another_winner", "win_share")
_NAMES = {"another_winner": "another winner %", "win_share": "win share %", "score": "score"}


def scale_of(finding: Finding) -> float:
    """Return by what an outcome is multiplied where it is written: shares are told in %."""
    return 100 if finding.number in _IN_PERCENT else 1


def outcome_name(finding: Finding) -> str:
    """Name an outcome: win share %, plays."""
    return _NAMES.get(finding.number, finding.number)


def who_of(finding: Finding) -> str:
    """Name the policy or position that an outcome is told of."""
    if finding.of == "position":
        return f"position {finding.who}"
    return finding.who if finding.of == "policy" else ""


def outcome_words(finding: Finding) -> str:
    """Name an outcome in a sentence: win share % of freer."""
    who = who_of(finding)
    return f"{outcome_name(finding)} of {who}" if who else outcome_name(finding)


def _value(value: float, finding: Finding) -> str:
    """Write an estimate beside its contrast, with as many digits."""
    told = change(finding.contrast, scale_of(finding)).split()[0]
    digits = len(told.partition(".")[2])
    text = f"{scale_of(finding) * value:+.{digits}f}"
    return text if float(text) else text.lstrip("+-")


def telling(outcomes: Sequence[Finding], *, positions: bool) -> list[Finding]:
    """Return the outcomes that a table shows: those of positions where one policy sits alone."""
    alone = not any(one.of == "policy" and one.number == "win_share" for one in outcomes)
    return [
        one
        for one in outcomes
        if (positions or alone or one.of != "position") and not _is_nothing(one.contrast)
    ]


def _is_nothing(contrast: Interval) -> bool:
    """Whether an outcome is the same in all matches: nothing was seen of it, and little is said."""
    return contrast.estimate == 0 and contrast.high - contrast.low == float("inf")


def interaction_sentences(comparison: Comparison) -> Iterator[str]:
    """Yield what is shown first of each interaction, at the table that shows it most surely."""
    pairs: dict[tuple[str, str], list[tuple[Interaction, InteractionFinding]]] = {}
    for own in comparison.interactions:
        found = pairs.setdefault((own.first, own.second), [])
        # Shares of other winners hardly ever add up, which says little of the game.
        found += [(own, one) for one in own.outcomes if one.of != "match"]
    for (first, second), found in pairs.items():
        shown = [pair for pair in found if pair[1].corrected <= 1 - comparison.level]
        wins = [pair for pair in shown if pair[1].number == "win_share"] or shown
        if not wins:
            yield f"{first} × {second}: no interaction is shown."
            continue
        own, one = min(wins, key=lambda pair: (pair[1].p_holm, pair[1].p))
        at = f" at {table_name(own)}" if comparison.lineups[1:] else ""
        yield (
            f"{first} × {second}{at}: {outcome_words(one)} {_value(one.first, one)} and "
            f"{_value(one.second, one)} alone, {_value(one.together, one)} together: interaction "
            f"{change(one.contrast, scale_of(one))}."
        )


def table_name(own: Interaction) -> str:
    """Name the table that an interaction is told of."""
    point = show_all(own.point)
    return f"{own.lineup}, {point}" if point else own.lineup


def interaction_table(
    comparison: Comparison, lineup: str, *, full: bool = False
) -> tuple[str, Table] | None:
    """Return the heading and table of a line-up's interactions; None where it has none."""
    own = [one for one in comparison.interactions if one.lineup == lineup]
    if not own:
        return None
    rows = [
        (one, outcome)
        for one in own
        for outcome in telling(one.outcomes, positions=full)
        if isinstance(outcome, InteractionFinding)
    ]
    kept = rows
    if len(rows) > MOST_ROWS and not full:
        kept = [row for row in rows if row[1].corrected <= 1 - comparison.level][:MOST_ROWS]
    points = any(one.point for one in own)
    words = ["variants", *(["at"] if points else []), "outcome", "who"]
    p = "p max-T" if any(row[1].p_family is not None for row in rows) else "p Holm"
    table = new_table(*words, "first", "second", "together", "interaction", p, text=len(words))
    last: tuple[str, str] | None = None
    for one, outcome in kept:
        name = f"{one.first} × {one.second}", show_all(one.point)
        table.add_row(
            "" if last and last[0] == name[0] else name[0],
            *(["" if last == name else name[1]] if points else []),
            outcome_name(outcome),
            who_of(outcome),
            *(
                _value(value, outcome)
                for value in (outcome.first, outcome.second, outcome.together)
            ),
            change(outcome.contrast, scale_of(outcome)),
            p_value(outcome.corrected),
        )
        last = name
    some = "" if len(kept) == len(rows) else f"; {len(kept)} of {len(rows)}, those shown"
    return f"Line-up {lineup}: together and alone (interactions{some})", table
