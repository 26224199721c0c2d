"""The summary that `cardlab simulate` prints for people."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from simcore.game import STOCK
from simcore.options import show
from studies.api.estimates import aborted, by_position, means, per_seat, scores
from studies.api.tally import Tally
from studies.cli.tables import new_table, print_table
from studies.show.wording import percent
from studies.stats.intervals import Interval

if TYPE_CHECKING:
    from simcore.batch import Cell


def print_summary(cell: Cell, tally: Tally, seconds: float, out: Path | None) -> None:
    """Print win rates per seat, scores and metrics of a cell, with 95 % intervals."""
    changed = [
        f"{option.name}={show(cell.options[option.name])}"
        for option in cell.game.options
        if cell.options[option.name] != option.default or option.name == "players"
    ]
    rate = tally.matches / seconds if seconds > 0 else float("inf")
    changed += [f"coupling={cell.coupling}"] if cell.coupling != STOCK else []
    print(f"{cell.game.title}: {', '.join(changed)}; seed {cell.seed}")
    print(
        f"{tally.matches:,} matches in {seconds:.2f} s ({rate:,.0f} matches/s); "
        f"aborted: {tally.aborted:,}{_aborted_share(tally)}"
    )
    _print_strategies(tally)
    _print_positions(cell, tally)
    _print_metrics(tally)
    if tally.rotations > 1:
        print(
            f"\nEach deal was played in {tally.rotations} rotations (seats: in the first). "
            "Intervals are 95 %\nand take the deal as their unit; k winners count 1/k each."
        )
    else:
        print(
            "\nIntervals are 95 %: Wilson's for shares (k winners count 1/k each), "
            "normal for means."
        )
    if tally.aborted:
        print(
            f"Win rates are of the {tally.decided:,} decided matches; scores and metrics count "
            "what was played of aborted ones, too (winner_score: of decided ones)."
        )
    for assumption in cell.game.assumptions:
        print(f"Assumption: {assumption}")
    if out is not None:
        print(f"Rows: {out}")


def _aborted_share(tally: Tally) -> str:
    return f" ({percent(aborted(tally), ' %')})" if tally.aborted else ""


def _print_strategies(tally: Tally) -> None:
    table = new_table(
        "strategy", "seats", "win rate %", "95 % interval", "even share", numbers_from=1
    )
    even = f"{100 / len(tally.seats):.1f}"
    for strategy, share in per_seat(tally).items():
        seats = [str(seat) for seat, name in enumerate(tally.seats) if name == strategy]
        table.add_row(strategy, ",".join(seats), *_share(share), even)
    print_table(table)


def _print_positions(cell: Cell, tally: Tally) -> None:
    table = new_table(
        "position",
        "win rate %",
        "95 % interval",
        "score",
        "95 % interval",
        title=f"By position (0 = {cell.game.first_seat_meaning}, then clockwise)",
        numbers_from=0,
    )
    shares = by_position(tally)
    for position, (share, score) in enumerate(zip(shares, scores(tally), strict=True)):
        table.add_row(str(position), *_share(share), _number(_middle(score)), _mean_interval(score))
    print_table(table)


def _print_metrics(tally: Tally) -> None:
    table = new_table("per match", "mean", "sd", "95 % interval of the mean", numbers_from=1)
    intervals = means(tally)
    for name, sums in tally.all_sums().items():
        interval = _mean_interval(intervals[name])
        table.add_row(name, _number(sums.mean), _number(sums.sd), interval)
    print_table(table)


def _share(share: Interval) -> tuple[str, str]:
    """Write a share and its interval; "–" where nothing was decided, and where nothing varies."""
    if math.isnan(share.estimate):
        return "–", "–"
    if share.low == share.high:
        return f"{100 * share.estimate:.2f}", "–"
    return f"{100 * share.estimate:.2f}", f"{100 * share.low:.2f} … {100 * share.high:.2f}"


def _middle(found: Interval | None) -> float | None:
    return None if found is None else found.estimate


def _mean_interval(found: Interval | None) -> str:
    if found is None or not math.isfinite(found.low):
        return "–"
    return f"{_number(found.low)} … {_number(found.high)}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.3f}"
