"""Up or down?: the colours of the cards, as printed or from a user's file [R1] [C1].

Plain Python, because the options check a colour file before anything is compiled.
"""

from __future__ import annotations

from functools import cache

from simcore.options import read_text

HIGHEST_CARD = 126
FEWEST_COLOURS = 2
MOST_COLOURS = 12
LONGEST_NAME = 40

CYCLIC = "cyclic"
CYCLE = ("yellow", "red", "blue", "pink", "purple", "teal")


def parse_colours(text: str) -> tuple[str, ...]:
    """Return the colour names of the cards 1…126 from the text of a file.

    Line k names the colour of card k; surrounding spaces and trailing empty lines are ignored.

    Raises
    ------
    ValueError
        If the text is not a valid table; the message names the line and the reason.
    """
    names = [line.strip() for line in text.split("\n")]
    while names and not names[-1]:
        names.pop()
    for number, name in enumerate(names[:HIGHEST_CARD], start=1):
        _check_name(number, name, names[: number - 1])
    if len(names) < HIGHEST_CARD:
        raise ValueError(
            f"line {len(names) + 1} is missing: there must be {HIGHEST_CARD}, one for each card"
        )
    if len(names) > HIGHEST_CARD:
        raise ValueError(f"line {HIGHEST_CARD + 1} is one too many: {names[HIGHEST_CARD]!r}")
    if len(set(names)) < FEWEST_COLOURS:
        raise ValueError(
            f"lines 1…{HIGHEST_CARD} all name {names[0]!r}: "
            f"there must be at least {FEWEST_COLOURS} colours"
        )
    return tuple(names)


def _check_name(number: int, name: str, before: list[str]) -> None:
    if not name:
        raise ValueError(f"line {number} is empty: the name of the colour of card {number} belongs")
    if not name.isprintable():
        raise ValueError(f"line {number} holds a character that cannot be printed: {name!r}")
    if len(name) > LONGEST_NAME:
        raise ValueError(
            f"line {number} is longer than {LONGEST_NAME} characters: {name[:LONGEST_NAME]!r}…"
        )
    if name not in before and len(set(before)) == MOST_COLOURS:
        raise ValueError(
            f"line {number} names a colour number {MOST_COLOURS + 1}, {name!r}: "
            f"there may be at most {MOST_COLOURS}"
        )


@cache
def cyclic_colours() -> tuple[str, ...]:
    """Return the printed colour names of the cards 1…126, six in turn [R1]."""
    return tuple(CYCLE[card % len(CYCLE)] for card in range(HIGHEST_CARD))


def load_colours(value: str) -> tuple[str, ...]:
    """Return the colour names of the cards 1…126 for a value of the option `colours`.

    Raises
    ------
    ValueError
        If the file cannot be read or is not a valid table.
    """
    return cyclic_colours() if value == CYCLIC else parse_colours(read_text(value))
