"""Faults that were seeded into games: `cardlab check` finds each, and shows where."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from simcore.errors import InputError
from studies.check.gamecheck import check_game
from tests.docs.pages import ROOT, blocks_of

GAMES = ROOT / "docs" / "games"
SHOWN = r"\(match \d+[,)]|as match \d+|is never asked|, line \d+: "
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
        "        s.won[seat] = 0\n    draw",
        "        s.won[seat] = 0\n    bring({14}, s.gone)\n    draw",
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
        "        s.points[player] = points(s, player)\n",
        "        s.points[player] = points(s, player) + (points(s, player) == 0)\n",
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
    "an option changes nothing": Fault(
        "            for _ in range(two):\n                draw_one(s, after(seat, 1))\n",
        "            draw_one(s, after(seat, 1))\n",
        "names",
        "nothing reads the option `two`",
    ),
    "a table is too short under an option": Fault(
        "    return POINTS[rank(card)]",
        "    return POINTS[rank(card) + two]",
        "plays",
        "POINTS",
    ),
    "a number is divided by an option that may be 0": Fault(
        "    return POINTS[rank(card)]", "    return 60 // two", "plays", "60 // two"
    ),
    "a loop of a policy has no end": Fault(
        POLICY, POLICY + "    while moves:\n        pass\n", "plays", "a loop that does not end"
    ),
    "a policy draws from the rules' chance": Fault(
        POLICY,
        POLICY + "    if below(s, CHANCE, 2):\n        return lowest(moves)\n",
        "",
        "its own stream",
    ),
    "a policy does what is not legal with many cards drawn": Fault(
        POLICY,
        POLICY + "    if len(s.hand[seat]) > 12:\n        return s.top\n",
        "plays",
        "no legal move",
    ),
    "a policy changes the game": Fault(POLICY, POLICY + "    s.passes = 0\n", "", "its memory"),
    "another seat begins again and again": Fault(
        "    return after(seat, s.step)",
        "    return 0 if s.step == 2 else after(seat, 1)",
        "seats",
        "when the seats are exchanged in a circle",
    ),
    "a policy peeks through a helper": Fault(
        "    hand = bits(s.hand[seat])\n    if s.phase == KNOCK:\n        return 1\n",
        "    hand = bits(held(s, 1 - seat))\n    if s.phase == KNOCK:\n        return 1\n"
        "\n\n"
        "def held(s, who):\n    return s.hand[who]\n",
        "",
        "only its own seat",
        "gin",
    ),
    "what may be done depends on the other hand": Fault(
        "def legal_discard(s, seat):\n    return s.hand[seat] - s.taken\n",
        "def legal_discard(s, seat):\n"
        "    return s.hand[seat] - s.taken if s.hand[1 - seat] & of_suit(2) else s.hand[seat]\n",
        "hidden cards",
        "depends on cards that the seat does not see",
        "gin",
    ),
    "a seat takes all tricks": Fault(
        "move(s.table, s.table, s.taken[s.holder])",
        "move(s.table, s.table, s.taken[0])",
        "seats",
        "when the seats are exchanged in a circle",
        "hearts",
    ),
    "a round ends before the last trick": Fault(
        "return not s.hand[after(seat, 1)] and not s.hand[seat]",
        "return not s.hand[seat]",
        "always",
        "`always` does not hold",
        "hearts",
    ),
    "a card comes in late with some numbers of players": Fault(
        "    move(card, s.hand[seat], s.table)\n",
        "    move(card, s.hand[seat], s.table)\n"
        "    if players == 3 and card == 20:\n        bring({17}, s.stock)\n",
        "cards",
        "52 cards of 51 are there",
        "hearts",
    ),
    "a turn scores for the seat that began": Fault(
        "        s.gained[seat] += s.heap\n",
        "        s.gained[s.first_seat] += s.heap\n        s.gained[1] += s.heap == 500\n",
        "seats",
        "when the seats are exchanged in a circle",
        "farkle",
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


def tier_of(name: str, fault: Fault) -> Any:
    """Return the mark of a fault's test: all tests of gin, which is slow to compile, are long."""
    if fault.game == "gin" and fault.test:
        return pytest.mark.long
    return () if name in TOLD_AT_ONCE else pytest.mark.whole


TOLD_AT_ONCE = ("a policy peeks", "a card comes twice", "a move takes from elsewhere")


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, id=name, marks=tier_of(name, fault)) for name, fault in FAULTS.items()],
)
def test_a_seeded_fault_is_found(tmp_path: Path, fault: Fault):
    found = told(fault.game, tmp_path, fault.old, fault.new)
    assert fault.test in found
    assert fault.told in found[fault.test]
    if fault.test:
        assert re.search(SHOWN, found[fault.test])
    else:
        assert ", line " in found[""]
