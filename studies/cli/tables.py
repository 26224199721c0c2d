"""Tables on stdout."""

from __future__ import annotations

from rich import box
from rich.table import Table

from studies.cli.consoles import stdout


def new_table(*columns: str, title: str | None = None, numbers_from: int | None = None) -> Table:
    """Return an empty table.

    Parameters
    ----------
    *columns : str
        The headings.
    title : str, optional
        Written above, to the left.
    numbers_from : int, optional
        Index of the first column that holds numbers: from there on aligned to the right.
    """
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False)
    for index, heading in enumerate(columns):
        is_number = numbers_from is not None and index >= numbers_from
        table.add_column(
            heading,
            justify="right" if is_number else "left",
            no_wrap=is_number or index == 0,
            overflow="fold",
        )
    return table


def print_table(table: Table) -> None:
    """Print a table on stdout after an empty line; cells are text, not markup."""
    console = stdout()
    with console.capture() as capture:
        console.print(table)
    lines = [line.rstrip() for line in capture.get().splitlines()]
    print("", *(line for line in lines if line), sep="\n")
