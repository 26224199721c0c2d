"""How policies compare, as tables for the command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table

from simcore.options import show_all
from studies.compare.results import LineupResult, Payoff, Rating
from studies.show.layout import new_table
from studies.show.wording import (
    between,
    change,
    mean,
    misfit_words,
    p_value,
    percent,
    spread,
    verdict,
)
from studies.stats.intervals import Interval

_WIDEST_MATRIX = 5


def share_table(results: Sequence[LineupResult]) -> Table:
    """Build the table of policies under the unchanged rules."""
    points = any(result.point for result in results)
    words = [*(["at"] if points else []), "policy"]
    together = any(own.simultaneous for result in results for own in result.policies)
    numbers = ["seats", "win rate %", *(["all at once"] if together else [])]
    numbers += ["even share", "score", "matches"]
    aborted = any(result.aborted for result in results)
    numbers += ["aborted %"] if aborted else []
    table = new_table(*words, *numbers, text=len(words))
    for result in results:
        for own in result.policies:
            first = own is result.policies[0]
            table.add_row(
                *([show_all(result.point) if first else ""] if points else []),
                own.policy,
                str(own.seats),
                mean(own.win_share, 100),
                *([_half(own.simultaneous)] if own.simultaneous else []),
                f"{100 / result.players:.1f}",
                mean(own.score),
                f"{result.matches:,}",
                *([percent(result.aborted_share) if first else ""] if aborted else []),
                end_section=own is result.policies[-1],
            )
    return table


def _half(interval: Interval) -> str:
    half = 50 * (interval.high - interval.low)
    return f"±{half:.2f}" if half < 1000 else "±?"


def position_table(results: Sequence[LineupResult]) -> Table:
    """Build the table of positions under the unchanged rules."""
    points = any(result.point for result in results)
    words = [*(["at"] if points else []), "position"]
    table = new_table(*words, "win rate %", "even share", "score", "matches", text=len(words))
    for result in results:
        for own in result.positions:
            first = own is result.positions[0]
            table.add_row(
                *([show_all(result.point) if first else ""] if points else []),
                str(own.position),
                mean(own.win_share, 100),
                f"{100 / result.players:.1f}",
                mean(own.score),
                f"{result.matches:,}",
                end_section=own is result.positions[-1],
            )
    return table


def difference_table(results: Sequence[LineupResult]) -> Table:
    """Build the table of differences of policies."""
    points = any(result.point for result in results)
    margins = any(gap.equivalence for result in results for gap in result.differences)
    words = [*(["at"] if points else []), "policy", "less"]
    together = any(gap.simultaneous for result in results for gap in result.differences)
    numbers = ["difference", *(["all at once"] if together else [])]
    numbers += [*(["within?"] if margins else []), "p max-T" if together else "p Holm", "deals"]
    table = new_table(*words, *numbers, text=len(words))
    for result in results:
        for gap in result.differences:
            first = gap is result.differences[0]
            table.add_row(
                *([show_all(result.point) if first else ""] if points else []),
                gap.first,
                gap.second,
                change(gap.difference, 100),
                *([change(gap.simultaneous, 100)] if gap.simultaneous else []),
                *([verdict(gap.equivalence, gap.difference)] if margins else []),
                p_value(gap.p_family if together else gap.p_holm),
                f"{result.deals:,}",
                end_section=gap is result.differences[-1],
            )
    return table


def rating_tables(rating: Rating, *, many: bool) -> Iterator[tuple[str, Table]]:
    """Yield headings and tables of a sweep point's rating."""
    at = show_all(rating.point)
    where = f" at {at}" if many and at else ""
    lineups = len(rating.lineups)
    over = f"{lineups} line-up{'' if lineups == 1 else 's'}, unchanged rules"
    if rating.strengths:
        orders = f"{rating.orders:,} finishing orders, {over}"
        heading = (
            f"Strengths{where}: Plackett–Luce log-odds against {rating.reference} ({orders}); "
            f"{_fit(rating)}"
        )
        yield heading, strength_table(rating)
    if rating.no_strengths:
        yield f"Strengths{where}: {rating.no_strengths}", Table(show_header=False, box=None)
    if len(rating.policies) > 2 and rating.payoffs:
        alone = all(own.duels for own in rating.payoffs)
        tables = "tables of two" if alone else "tables with both"
        what = "(w − v) / (w + v) of win rates per seat in %, row from column"
        heading = f"Payoffs{where}: {what}, {tables} ({over}); {_cyclic(rating)}"
        yield heading, payoff_table(rating)


def _fit(rating: Rating) -> str:
    """Say whether one strength a policy fits, and what to believe where not."""
    if rating.fit_p is None:
        return "whether one strength a policy fits cannot be told here"
    if rating.misfits:
        return (
            f"they do not fit (p {p_value(rating.fit_p)}; {misfit_words(rating.misfits[0])}): "
            "believe the payoffs, not the strengths"
        )
    return f"no misfit shows (p {p_value(rating.fit_p)})"


def _cyclic(rating: Rating) -> str:
    """Say what of the payoffs no ranking explains."""
    if not rating.nash:
        return "not every two have met, so that cycles cannot be told"
    parts = []
    if rating.cyclic is not None and rating.transitive is not None:
        out = [name for name in rating.policies if name not in rating.cyclic_among]
        without = f" without {', '.join(out)}" if out else ""
        parts.append(
            f"of the log-odds{without} a ranking explains "
            f"{spread(rating.transitive)} (root mean square), a cyclic part "
            f"{spread(rating.cyclic)}, p {p_value(rating.cyclic_p)}"
        )
    elif not rating.cycles:
        return "at one table of all, or where one side wins throughout, no cyclic part is told"
    text = "; ".join(parts)
    if rating.cycles:
        best = rating.cycles[0]
        text += (
            f"{'; ' if text else ''}{' beats '.join([*best.policies, best.policies[0]])} "
            f"(sum of log-odds {between(best.strength)})"
        )
        if len(rating.cycles) > 1:
            text += f" and {len(rating.cycles) - 1} more (--json)"
    return text


def strength_table(rating: Rating) -> Table:
    """Build the table of strengths, with the Nash average beside them where there is one."""
    nash = {own.policy: own for own in rating.nash}
    numbers = ["strength"]
    if nash:
        numbers += ["Nash mass %", "payoff from Nash %"]
    table = new_table("policy", *numbers, text=1)
    for own in rating.strengths:
        cells = [change(own.strength)]
        if nash:
            mixed = nash[own.policy]
            cells += [percent(mixed.mass), between(mixed.against, 100)]
        table.add_row(own.policy, *cells)
    return table


def payoff_table(rating: Rating) -> Table:
    """Build the matrix of payoffs; as a list where it would be too wide."""
    order = [own.policy for own in rating.strengths] or rating.policies
    found: dict[tuple[str, str], Payoff] = {(own.first, own.second): own for own in rating.payoffs}
    if len(order) > _WIDEST_MATRIX:
        table = new_table("policy", "from", "payoff", "all at once", "matches", text=2)
        for own in rating.payoffs:
            table.add_row(
                own.first,
                own.second,
                between(own.payoff, 100),
                between(own.simultaneous, 100),
                f"{own.matches:,}",
            )
        return table
    table = new_table("", *order, text=1)
    for first in order:
        cells = []
        for second in order:
            if (first, second) in found:
                cells.append(change(found[first, second].payoff, 100))
            elif (second, first) in found:
                cells.append(change(found[second, first].payoff.mirrored(), 100))
            else:
                cells.append("")
        table.add_row(first, *cells)
    return table
