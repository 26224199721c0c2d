"""What stopped each cell of a study with a goal, as a table."""

from __future__ import annotations

from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from studies.cellfile import stored_cells
from studies.stops import read_stops
from studies.wording import percent

_SHOWN = 60


def print_stops(console: Console, directory: Path) -> None:
    """Print why each cell is as long as it is, with the widest interval that the goal is about.

    Nothing is printed of a study without a goal.
    """
    half_width, stops = read_stops(directory)
    if half_width is None:
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for name in ("cell", "stopped by"):
        table.add_column(name, overflow="fold")
    for name in ("deals", "goal reached at", "other winners %", "widest win share %"):
        table.add_column(name, justify="right", no_wrap=True)
    cells = [cell for cell in stored_cells(directory) if cell.id in stops]
    for cell in cells[:_SHOWN]:
        stop = stops[cell.id]
        kind = "share." if len(set(cell.seats)) > 1 else "position."
        shares = {
            name.removeprefix(kind): interval
            for name, interval in stop.intervals.items()
            if name.startswith(kind)
        }
        widest = max(shares, key=lambda name: shares[name].high - shares[name].low, default=None)
        differ = stop.intervals.get("differ")
        who = "" if widest is None else widest if kind == "share." else f"position {widest}"
        table.add_row(
            cell.label,
            stop.why,
            f"{stop.deals:,}",
            "–" if stop.reached is None else f"{stop.reached:,}",
            "–" if differ is None else percent(differ),
            "–" if widest is None else f"{who} {percent(shares[widest])}",
        )
    console.print(f"Goal: half-widths up to {100 * half_width:g} points", style="bold")
    console.print(table)
    if len(cells) > _SHOWN:
        console.print(f"{len(cells) - _SHOWN:,} more cells: --json has them.")
