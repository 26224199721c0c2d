"""The documents, and what is to be done with the code in them.

Marks stand in comments directly above a fence:

- `file: NAME`: the block is the file NAME, for the blocks below it;
- `small: MANY -> FEW`: in the tests FEW stands for MANY;
- `before: COMMAND`: runs first, in the tests only;
- `not run: REASON`;
- `example GAME`: the block is the file of `strategies/examples`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.programs import ROOT

PAGES = sorted((ROOT / "docs").rglob("*.md"))

FENCE = re.compile(r"((?:^<!-- [^\n]+ -->\n)*)^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"<!-- (file|small|before|not run|example)(?::| ) ?(.+?) -->")


@dataclass(frozen=True)
class Block:
    """One fence of a page.

    Attributes
    ----------
    language : str
        `sh`, `python`, `toml`; empty: output, which nobody runs.
    text : str
        As in the page, with few matches for many.
    marks : list of (str, str)
        As above.
    """

    language: str
    text: str
    marks: list[tuple[str, str]]

    def all(self, kind: str) -> list[str]:
        return [value for name, value in self.marks if name == kind]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks_of(page: Path) -> list[Block]:
    blocks = []
    for found in FENCE.finditer(page.read_text(encoding="utf-8")):
        marks = MARK.findall(found[1])
        text = found[3]
        for many, few in (value.split(" -> ") for name, value in marks if name == "small"):
            assert many in text, f"{name_of(page)}: no {many!r} to make small"
            text = text.replace(many, few)
        blocks.append(Block(found[2], text, marks))
    return blocks
