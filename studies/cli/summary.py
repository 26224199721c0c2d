"""The summary that `cardlab simulate` prints for people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from simcore.game import STOCK
from simcore.options import show
from studies.cli.tables import new_table, print_table
from studies.cli.tally import Sums, Tally
from studies.intervals import wilson_at

if TYPE_CHECKING:
    from simcore.batch import Cell

NORMAL_95 = 1.959963984540054


def print_summary(cell: Cell, tally: Tally, seconds: float, out: Path | None) -> None:
    """Print win shares, scores and metrics of a cell, with 95 % intervals."""
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
        f"aborted: {tally.aborted:,}"
    )
    _print_strategies(tally)
    _print_positions(cell, tally)
    _print_metrics(tally)
    print("\nIntervals are 95 %: Wilson's for shares (k winners count 1/k each), normal for means.")
    for assumption in cell.game.assumed({cell.players}):
        print(f"Assumption: {assumption}")
    if out is not None:
        print(f"Rows: {out}")


def _print_strategies(tally: Tally) -> None:
    table = new_table("strategy", "seats", "win share", "95 % interval", numbers_from=1)
    for strategy, share in tally.win_share_by_strategy().items():
        seats = [str(seat) for seat, name in enumerate(tally.seats) if name == strategy]
        table.add_row(strategy, ",".join(seats), f"{share:.4f}", _share_interval(share, tally))
    print_table(table)


def _print_positions(cell: Cell, tally: Tally) -> None:
    table = new_table(
        "position",
        "win share",
        "95 % interval",
        "score",
        "95 % interval",
        title=f"By position (0 = {cell.game.first_seat_meaning}, then clockwise)",
        numbers_from=0,
    )
    shares = tally.win_share_by_position()
    for position, (share, score) in enumerate(zip(shares, tally.score_by_position, strict=True)):
        table.add_row(
            str(position),
            f"{share:.4f}",
            _share_interval(share, tally),
            _number(score.mean),
            _mean_interval(score),
        )
    print_table(table)


def _print_metrics(tally: Tally) -> None:
    table = new_table("per match", "mean", "sd", "95 % interval of the mean", numbers_from=1)
    everything = {
        **tally.metrics,
        "score_sum": tally.score_sum,
        "winner_score": tally.winner_score,
        "winner_count": tally.winner_count,
    }
    for name, sums in everything.items():
        table.add_row(name, _number(sums.mean), _number(sums.sd), _mean_interval(sums))
    print_table(table)


def _share_interval(share: float, tally: Tally) -> str:
    # With ties a share's values lie between 0 and 1 and vary at most as much as yes or no would, so
    # Wilson's interval then errs on the wide side.
    interval = wilson_at(share, tally.matches)
    return f"{interval.low:.4f} … {interval.high:.4f}"


def _mean_interval(sums: Sums) -> str:
    if sums.mean is None or sums.standard_error is None:
        return "–"
    half_width = NORMAL_95 * sums.standard_error
    return f"{_number(sums.mean - half_width)} … {_number(sums.mean + half_width)}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.3f}"
