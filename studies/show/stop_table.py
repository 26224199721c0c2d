"""What stopped each cell of a study with a goal, as a table."""

from __future__ import annotations

from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from studies.show.wording import change, percent
from studies.stats.intervals import Interval
from studies.store.cellfile import stored_cells
from studies.store.stop_reasons import Stop, read_stops

_SHOWN = 60


def print_stops(console: Console, directory: Path) -> None:
    """Print why each cell is as long as it is, with the widest interval that the goal is about.

    Nothing is printed of a study without a goal, or of which nothing is known yet.
    """
    goal, stops = read_stops(directory)
    if goal is None or not stops:
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for name in ("cell", "stopped by"):
        table.add_column(name, overflow="fold")
    for name in ("deals", "goal reached at", "other winners %", "widest win share %", "change"):
        table.add_column(name, justify="right", no_wrap=True)
    cells = [cell for cell in stored_cells(directory) if cell.id in stops]
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
    console.print(table)
    if len(cells) > _SHOWN:
        console.print(f"{len(cells) - _SHOWN:,} more cells: --json has them.")


def _widest(stop: Stop, kind: str) -> tuple[str | None, Interval | None]:
    """Return what the widest interval of a kind is about, and that interval."""
    own = {name: found for name, found in stop.intervals.items() if name.startswith(kind)}
    name = max(own, key=lambda name: own[name].high - own[name].low, default=None)
    return (None, None) if name is None else (name.removeprefix(kind), own[name])
