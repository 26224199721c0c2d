"""Tables for the terminal: what gives way where it is narrow."""

import pytest
from rich.console import Console

from studies.show.layout import new_table


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (60, ["without_minus_two"]),
        (18, ["without_", "minus_two"]),
        (13, ["without_", "minus_", "two"]),
    ],
)
def test_long_names_break_after_an_underscore(width, shown):
    table = new_table("variant", "n", text=1)
    table.add_row("without_minus_two", "7")
    console = Console(width=width)
    with console.capture() as capture:
        console.print(table)
    lines = [line.replace("7", "").strip() for line in capture.get().splitlines()]
    assert [line for line in lines[3:] if line] == shown
