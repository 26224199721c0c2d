"""How commands print: a page for people, or JSON or CSV for programs, on stdout.

As wide as the terminal, or as COLUMNS says, which counts in a pipe, too.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from simcore.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from simcore.game import Game
    from studies.render import Page

Form = Literal["json", "csv", ""]


def check_form(as_json: bool, as_csv: bool) -> Form:
    """Return in which form data are printed; empty: as a page for people."""
    if as_json and as_csv:
        raise InputError("--json and --csv are both given; allowed: one of them")
    return "json" if as_json else "csv" if as_csv else ""


def emit(
    form: Form, page: Callable[[], Page], frame: pl.DataFrame, document: object = None
) -> None:
    """Print what an operation found."""
    from studies.render import to_csv, to_json

    if form == "csv":
        sys.stdout.write(to_csv(frame))
    elif form == "json":
        content = to_json(frame) if document is None else document
        print_json(content, indent=1)
    else:
        print_page(page())


def print_json(document: object, indent: int | None = None) -> None:
    """Print JSON, with letters escaped where the encoding of stdout may lack them."""
    escaped = sys.stdout.encoding.lower() != "utf-8"
    print(json.dumps(document, ensure_ascii=escaped, indent=indent, allow_nan=False))


def print_page(page: Page) -> None:
    """Print tables and paragraphs."""
    from studies.render import shown_text

    print(shown_text(page, colour=is_coloured()))


def is_coloured() -> bool:
    """Return whether stdout takes colours.

    NO_COLOR (https://no-color.org): when it is there and not empty, it does not.
    """
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def line_writer(game: Game, players: int) -> Callable[[str], None]:
    """Return what writes a line of a transcript: in colour on a terminal, else as it is."""
    if not is_coloured():
        return print
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, markup=False, soft_wrap=True)
    colours = game.words().CARD_COLOURS
    names = rf"seat (?:{'|'.join(map(str, range(players)))})(?: \([^()]*(?:\([^()]*\))?\))?"

    def write(line: str) -> None:
        text = Text(line)
        text.highlight_regex(names, "bold")
        # Cards are looked for outside of the players' names alone.
        bare = re.sub(names, lambda match: "\0" * len(match[0]), line)
        for pattern, style in colours:
            for match in re.finditer(pattern, bare):
                text.stylize(style, *match.span())
        if line.startswith("    "):
            text.stylize("dim")
        console.print(text)

    return write
