"""Faults that were seeded into games: `cardlab check` finds each, and shows where."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from simcore.errors import InputError
from studies.check.gamecheck import check_game
from tests.docs.pages import ROOT, blocks_of

GAMES = ROOT / "docs" / "games"
SHOWN = r"\(match \d+[,)]|as match \d+|is never asked"
"""How a position begins, or the match, that shows a fault."""


class Fault(NamedTuple):
    """A piece of a game that is changed, and what is told: the test that fails, and its words."""

    old: str
    new: str
    test: str
    told: str
    game: str = "eights"


POLICY = "@policy\ndef saver(s, seat, moves):\n"
FAULTS = {
    "a card comes twice": Fault(
        "    move(card, s.hand[seat], s.pile)\n",
        "    move(card, s.hand[seat], s.pile)\n    bring({card}, s.stock)\n",
        "plays",
        "lies in s.pile already",
    ),
    "a card comes late": Fault(
        "    stock = hidden(all_cards)", "    stock = hidden(cards)", "plays", "which is empty"
    ),
    "a card is none of the deck": Fault(
        "        s.won[one] = 0\n    draw",
        "        s.won[one] = 0\n    bring({14}, s.gone)\n    draw",
        "cards",
        "s.gone has a card that the deck lacks",
        "goofspiel",
    ),
    "a move takes from elsewhere": Fault(
        "move(card, s.hand[seat], s.pile)",
        "move(card, s.hand[after(seat, 1)], s.pile)",
        "plays",
        "not in s.hand",
    ),
    "a policy peeks": Fault(
        POLICY, POLICY + "    return lowest(moves - s.hand[after(seat, 1)])\n", "", "only its own"
    ),
    "rules look into another hand": Fault(
        "return s.hand[seat] & (",
        "return s.hand[seat] & (of_rank(len(s.hand[after(seat, 1)] & of_suit(0))) | ",
        "hidden cards",
        "depends on cards that the seat does not see",
    ),
    "a card is never offered": Fault(
        "    return s.hand[seat] & (",
        "    return (s.hand[seat] - {7}) & (",
        "moves",
        "8♣ is in hand",
    ),
    "a decision is never asked": Fault(
        "        if rank(card) == wild:\n            ask(s, seat, SUIT)\n",
        "",
        "moves",
        "SUIT is never",
    ),
    "a round has no end": Fault(
        "return not s.hand[seat] or s.passes == players", "return False", "end", "have no end"
    ),
    "a match has no end": Fault(
        "def worth(card):",
        "def match_over(s):\n    return s.scores[0] > 0\n\n\ndef worth(card):",
        "end",
        "a match does not end",
    ),
    "a loop has no end": Fault(
        "    while not legal(s, seat) and drawn < draws and draw_one(s, seat):\n",
        "    while not legal(s, seat) and s.passes < 9:\n",
        "plays",
        "a loop that does not end",
    ),
    "a seat is favoured by the score": Fault(
        "        s.points[seat] = -sum(worth(card) for card in s.hand[seat])",
        "        s.points[seat] = (seat == 2) - sum(worth(card) for card in s.hand[seat])",
        "seats",
        "when the seats are exchanged in a circle",
    ),
    "a seat is favoured by the deal": Fault(
        "hand_size or (7 if players == 2 else 5))",
        "hand_size or (7 if players == 2 else 5) - (seat == 1))",
        "seats",
        "seats are dealt",
    ),
    "a seat is left out": Fault(
        "    return after(seat, s.step)",
        "    return after(seat, 2 if seat == 1 else s.step)",
        "seats",
        "",
    ),
    "a seat may do more": Fault(
        "    return s.hand[seat] & (",
        "    return s.hand[seat] if seat == 0 else s.hand[seat] & (",
        "seats",
        "other moves are legal",
    ),
    "a score does not add up": Fault(
        "        s.points[one] = points(s, one)\n",
        "        s.points[one] = points(s, one) + (points(s, one) == 0)\n",
        "always",
        "`always` does not hold",
        "hearts",
    ),
    "another wins than the best": Fault(
        "end_match(s, best_seats(s, False))",
        "end_match(s, 1)",
        "scores",
        "the best total is",
        "pig",
    ),
    "a policy keeps a secret in a global": Fault(
        POLICY,
        "SEEN = [0, 0]\n\n\n" + POLICY + "    SEEN[0] = lowest(s.hand[seat])\n",
        "",
        "SEEN",
    ),
    "a policy does what is not legal": Fault(
        POLICY,
        POLICY + "    if len(s.hand[seat]) == 3:\n        return 5\n",
        "plays",
        "no legal move",
    ),
}


def source(game: str) -> str:
    """Return a game's text, from its file or from the page that shows it."""
    if (GAMES / f"{game}.py").exists():
        return (GAMES / f"{game}.py").read_text()
    pages = [*(ROOT / "docs").glob("*/*.md")]
    blocks = [block for page in pages for block in blocks_of(page)]
    return next(block.text for block in blocks if f"{game}.py" in block.all("file"))


def told(game: str, folder: Path, old: str = "", new: str = "") -> dict[str, str]:
    """Return what `check` says of a changed game, by the tests that failed."""
    text = source(game)
    assert old in text
    file = folder / f"{game}.py"
    file.write_text(text.replace(old, new, 1))
    try:
        return {verdict.test: verdict.found for verdict in check_game(str(file)) if verdict.failed}
    except InputError as error:
        return {"": str(error)}


@pytest.mark.whole
@pytest.mark.parametrize(
    "game",
    ["eights", "hearts", "farkle", "gin", "golf", "spades", "goofspiel", "pig", "high"],
)
def test_nothing_is_found_where_nothing_is(tmp_path: Path, game: str):
    assert told(game, tmp_path) == {}


TOLD_AT_ONCE = ("a policy peeks", "a card comes twice", "a move takes from elsewhere")


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(fault, id=name, marks=() if name in TOLD_AT_ONCE else pytest.mark.whole)
        for name, fault in FAULTS.items()
    ],
)
def test_a_seeded_fault_is_found(tmp_path: Path, fault: Fault):
    found = told(fault.game, tmp_path, fault.old, fault.new)
    assert fault.test in found
    assert fault.told in found[fault.test]
    if fault.test:
        assert re.search(SHOWN, found[fault.test])
    else:
        assert ", line " in found[""]
