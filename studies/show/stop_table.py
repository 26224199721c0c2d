"""What stopped each cell of a study with a goal, as a table."""

from __future__ import annotations

from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from studies.show.wording import change, percent
from studies.stats.intervals import Interval
from studies.store.cellfile import stored_cells
from studies.store.stop_reasons import Stop, read_stops, saved_words, verdicts

_SHOWN = 60


def print_stops(console: Console, directory: Path) -> None:
    """Print why each cell is as long as it is, with the widest interval that the goal is about.

    Nothing is printed of a study without a goal, or of which nothing is known yet.
    """
    goal, stops = read_stops(directory)
    if goal is None or not stops:
        return
    cells = [cell for cell in stored_cells(directory) if cell.id in stops]
    if goal.best:
        _print_contests(console, goal.half_width, {cell.id: stops[cell.id] for cell in cells})
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for name in ("cell", "stopped by"):
        table.add_column(name, overflow="fold")
    for name in ("deals", "goal reached at", "other winners %", "widest win rate %", "change"):
        table.add_column(name, justify="right", no_wrap=True)
    for cell in cells[:_SHOWN]:
        stop = stops[cell.id]
        kind = "share." if len(set(cell.seats)) > 1 else "position."
        widest, shown = _widest(stop, kind)
        _, moved = _widest(stop, "change." if kind == "share." else "position_change.")
        differ = stop.intervals.get("differ")
        who = "" if widest is None else widest if kind == "share." else f"position {widest}"
        table.add_row(
            cell.label,
            stop.why,
            f"{stop.deals:,}",
            "–" if stop.reached is None else f"{stop.reached:,}",
            "–" if differ is None else percent(differ),
            "–" if shown is None else f"{who} {percent(shown)}",
            "–" if moved is None else change(moved, 100),
        )
    console.print(f"Goal: half-widths up to {100 * goal.half_width:g} points", style="bold")
    _print_first(console, table, len(cells))


def _print_contests(console: Console, half_width: float, stops: dict[str, Stop]) -> None:
    """Print who is the best of each contest, and how far the others were behind."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    several = len(verdicts(stops)) > 1
    for name in ("contest", "contestant")[0 if several else 1 :]:
        table.add_column(name, overflow="fold")
    table.add_column("stopped by")
    for name in ("deals", "points to the leader"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("leader", overflow="fold")
    for stop in list(stops.values())[:_SHOWN]:
        own, gap = stop.contest, stop.intervals.get("gap")
        assert own is not None
        table.add_row(
            *([own.where] if several else []),
            own.name,
            stop.why,
            f"{stop.deals:,}",
            "–" if gap is None else change(gap, 100),
            own.leader or "–",
        )
    console.print(f"The best, differences up to {100 * half_width:g} points apart", style="bold")
    _print_first(console, table, len(stops))
    for verdict in verdicts(stops):
        console.print(verdict.told(half_width))
    console.print(saved_words(stops))


def _print_first(console: Console, table: Table, cells: int) -> None:
    console.print(table)
    if cells > _SHOWN:
        console.print(f"{cells - _SHOWN:,} more cells: --json has them.")


def _widest(stop: Stop, kind: str) -> tuple[str | None, Interval | None]:
    """Return what the widest interval of a kind is about, and that interval."""
    own = {name: found for name, found in stop.intervals.items() if name.startswith(kind)}
    name = max(own, key=lambda name: own[name].high - own[name].low, default=None)
    return (None, None) if name is None else (name.removeprefix(kind), own[name])
