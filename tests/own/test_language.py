"""Rules run as ordinary Python, and compiled, give the same rows."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simcore.batch import Cell, _in_plain
from simcore.compiler.blocks import Columns, Player
from simcore.compiler.program import Refused, program_of
from simcore.game import get_game
from strategies import parse_strategy

MATCHES = 12


def rows(cell: Cell) -> tuple[Any, ...]:
    out = Columns.of(cell, MATCHES)
    assert Player(cell, 0).play(0, MATCHES, out, 0) == MATCHES
    return out


GAME = '''"""Guess: a game for tests."""
from simcore.language import *

deck = cards_of("AB", range(8))
players = 2, 4
size = option(3, 1, 4, "cards dealt")
PRICES = [3, 1, 4, 1, 5, 9, 2, 6]


class State:
    stock = hidden(all_cards)
    hand = own(cards)
    laid = shown(cards)
    sums = shown(number, per=seat, many=2)
    last = shown(number)


def deal(s):
    for one in seats():
        draw(s.stock, s.hand[one], size)
    s.last = 0
    for one in seats():
        s.sums[one][0] = s.sums[one][1] = 0


def legal(s, seat):
    return s.hand[seat]


def apply(s, seat, card):
    move(card, s.hand[seat], s.laid)
BODY
    s.last = card


def ended(s, seat):
    return len(s.laid) == size * players


def score(s):
    for one in seats():
        s.points[one] = s.sums[one][0] - s.sums[one][1]
'''


DECKS = {1: 'cards_of("AB", range(8))', 3: 'cards_of("ABCDEF", range(20))'}


def expression(chance: random.Random, depth: int) -> str:
    """Return a random whole number's text."""
    if depth == 0 or chance.random() < 0.2:
        return chance.choice(
            [
                "x",
                "y",
                "seat",
                "card",
                "rank(card)",
                "suit(card)",
                "s.last",
                "len(s.hand[seat])",
                "s.sums[seat][suit(card)]",
                "s.sums[after(seat, 1)][0]",
                str(chance.randint(-3, 9)),
            ]
        )
    a, b = expression(chance, depth - 1), expression(chance, depth - 1)
    return chance.choice(
        [
            f"({a} + {b})",
            f"({a} - {b})",
            f"({a} & {b})",
            f"({a} | {b})",
            f"({a} ^ {b})",
            f"min({a}, {b})",
            f"max({a}, {b})",
            f"({a} if {test(chance, 1)} else {b})",
            f"(({a} & 7) * ({b} & 7))",
            f"(({a}) // (({b} & 7) + 1))",
            f"(({a}) % (({b} & 7) + 1))",
            f"({a} and {b})",
            f"({a} or {b})",
            f"({test(chance, 1)} and {b})",
            f"({test(chance, 1)} or {b})",
            "sum(rank(c) for c in s.laid)",
            f"sum(1 for c in s.hand[seat] if rank(c) > {b})",
        ]
    )


def test(chance: random.Random, depth: int) -> str:
    """Return a random test's text."""
    a, b = expression(chance, max(depth - 1, 0)), expression(chance, max(depth - 1, 0))
    drawn = [
        f"({a} > 4 or below(s, DEAL, 3) == 0)",
        f"(x == {b} and below(s, CHANCE, 2) == 1)",
    ]
    return chance.choice(
        [
            *(drawn if depth == 2 else []),
            f"{a} < {b}",
            f"{a} == {b}",
            f"{a} & 1",
            "card in s.laid",
            f"not {a}",
            f"({a} > 2 and {b} < 5)",
        ]
    )


test.__test__ = False  # type: ignore[attr-defined]


def block(chance: random.Random, depth: int, loops: int, indent: str) -> list[str]:
    """Return random statements."""
    lines = []
    for _ in range(chance.randint(1, 3)):
        kind = chance.choice(["set", "set", "sum", "if", "for", "while", "leave", "late"])
        value = expression(chance, 2)
        if kind == "set" or depth == 0:
            lines.append(f"{indent}{chance.choice('xy')} = ({value}) & 1023")
        elif kind == "late":
            sign = chance.choice(["and", "or"])
            lines.append(f"{indent}x = ({value}) & 7 {sign} below(s, CHANCE, 9)")
        elif kind == "sum":
            index = chance.choice(["0", "1", "suit(card)"])
            who = chance.choice(["seat", "after(seat, 1)"])
            lines.append(f"{indent}s.sums[{who}][{index}] += ({value}) & 15")
        elif kind == "if":
            lines.append(f"{indent}if {test(chance, 2)}:")
            lines += block(chance, depth - 1, loops, indent + "    ")
            if chance.random() < 0.5:
                lines.append(f"{indent}else:")
                lines += block(chance, depth - 1, loops, indent + "    ")
        elif kind == "for":
            over = chance.choice(["s.hand[seat]", "seats()", "range(3)", "range(x & 3)"])
            lines.append(f"{indent}for c{depth} in {over}:")
            lines.append(f"{indent}    y = (y + c{depth}) & 1023")
            lines += block(chance, depth - 1, loops + 1, indent + "    ")
        elif kind == "while":
            lines.append(f"{indent}n{depth} = ({value}) & 3")
            lines.append(f"{indent}while n{depth} > 0:")
            lines.append(f"{indent}    n{depth} -= 1")
            lines += block(chance, depth - 1, loops + 1, indent + "    ")
        elif loops:
            lines.append(f"{indent}if {test(chance, 1)}:")
            lines.append(f"{indent}    {chance.choice(['break', 'continue'])}")
        else:
            lines.append(f"{indent}x = ({value}) & 7")
    return lines


@pytest.mark.parametrize(
    "number", [1, *(pytest.param(n, marks=pytest.mark.whole) for n in range(2, 9))]
)
def test_random_programs_agree(number, tmp_path: Path):
    chance = random.Random(number)  # noqa: S311
    body = "\n".join(["    x = y = 0", *block(chance, 3, 0, "    ")])
    check_agreement(tmp_path, body, number)


@pytest.mark.parametrize(
    "line",
    [
        "x = seat or below(s, CHANCE, 5)",
        "x = 3 + seat and below(s, CHANCE, 5)",
        "x = suit(card) or rank(card) & 3 and below(s, CHANCE, 9)",
        "x = s.last or draw(s.stock, s.hand[seat])",
        "x = not (seat or below(s, CHANCE, 2))",
        "legal = x = rank(card)",
        "while True:\n        x = below(s, CHANCE, 9)\n        if x > 2:\n            break",
    ],
)
def test_what_is_done_under_a_condition_has_the_value_that_it_has_in_python(line, tmp_path: Path):
    check_agreement(tmp_path, f"    {line}\n    s.sums[seat][0] += x", 2)


def test_a_parameter_may_be_named_as_a_function_is(tmp_path: Path):
    functions = """


def first(s, low):
    return low + second(s)


def second(s):
    return low(s)


def low(s):
    return len(s.laid)"""
    check_agreement(tmp_path, "    s.sums[seat][0] += first(s, card)", 2, functions)


def check_agreement(
    folder: Path, body: str, number: int, more: str = "", deck: str = DECKS[1]
) -> None:
    """Check that a game plays the same matches both ways."""
    file = folder / f"guess{number}.py"
    file.write_text(GAME.replace(DECKS[1], deck).replace("BODY", body) + more)
    game = get_game(str(file))
    options = game.resolve({"players": 2 + number % 3})
    cell = Cell(game, options, (parse_strategy(game, "random"),) * options["players"], number)
    plain = _in_plain(cell, 0, 0, MATCHES)
    for mine, theirs in zip(plain, rows(cell), strict=True):
        np.testing.assert_array_equal(mine, theirs, err_msg=body)


AS_IN_PYTHON = (Path(__file__).parent / "as_in_python.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [1, 3])
def test_compiled_rules_mean_what_python_means(words, tmp_path: Path):
    cases = re.findall(r"def (case_\w+)", AS_IN_PYTHON)
    line = "    s.sums[seat][1] += {}(s, seat, card) & 1023\n    s.last &= 1023"
    try:
        body = "\n".join(line.format(case) for case in cases)
        check_agreement(tmp_path, body, words, AS_IN_PYTHON, DECKS[words])
    except AssertionError:
        for case in cases:  # which of them is it?
            check_agreement(tmp_path, line.format(case), words, AS_IN_PYTHON, DECKS[words])
        raise


def test_tables_of_two_files_have_their_own_numbers(tmp_path: Path):
    (tmp_path / "tables.py").write_text(
        "PREFIX = [5, 6, 7, 8]\n\n\ndef fourth(k):\n    return PREFIX[k]\n"
    )
    body = "    s.sums[seat][0] += PREFIX[2] + tables.fourth(3) * 10 + PREFIX[0]"
    more = f"\nimport sys\nsys.path.insert(0, {str(tmp_path)!r})\nimport tables\nsys.path.pop(0)\n"
    check_agreement(tmp_path, body, 2, f"{AS_IN_PYTHON}{more}")


MISTAKES = {
    "x = unknown + 1": "unknown name",
    "x = {}": "is not among what rules are written in; a table of numbers is a constant",
    "del card": "`del` is not among what rules are written in",
    "def inner():\n        pass": "; write it beside the other functions",
    "x = 'a'": "numbers and cards only",
    "for c in 5:\n        pass": "a loop goes over a set of cards, seats() or range(…), not 5",
    "apply(s, seat, card)": "calls itself",
    "x = card ** card": "is not compiled",
    "x = card @ card": "is not compiled",
    "x = s.count": "s.count takes the name of a count",
    "s.sums[seat] += 1": "s.sums has two indices",
    "s.sums[seat] = 1": "s.sums has two indices",
    "x = rank(card, seat)": "it is called as rank(card)",
    "x = None": "NO_CARD is no card",
    "x = s.laid or card": "is a set of cards or a number, as it comes",
    "x = card and s.laid": "is a set of cards or a number, as it comes",
    "x = s": "the state is no value",
    'note(s, "kept")': "count with measure(…)",
    "card": "a line that does nothing",
    "x = bump": "is nothing that rules can use",
    "x = nothing(s)": "nothing returns nothing",
    "x = sometimes(card)": "returns a value on one way through it, and none on another",
    "x = 2 ** 70": "1180591620717411303424 is beyond 64 bits",
    "s.last = 2 ** 63": "9223372036854775808 is beyond 64 bits",
    "x = -2**63 // -1": "9223372036854775808 is beyond 64 bits",
    "x = 7 // (3 - 3)": "a division by zero",
    "x = len({70})": "there is no card 70: sets of this game hold numbers from 0 to 63",
    "x = len(FAR)": "there is no card 70: sets of this game hold numbers from 0 to 63",
    "x = HUGE[0]": "HUGE: a table holds numbers of 64 bits",
    "x = LONG[0]": "LONG: a table has 65,536 numbers at most, not 70,000",
    "x = bad_o(card)": "`o` has a meaning already; take another name",
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_told_by_file_and_line(mistake, tmp_path: Path):
    file = tmp_path / "mistake.py"
    more = "LONG = [0] * 70_000\n" if "LONG" in mistake else ""
    file.write_text(GAME.replace("BODY", f"    {mistake}") + AS_IN_PYTHON + more)
    game = get_game(str(file))
    line = next(
        n
        for n, text in enumerate(file.read_text().splitlines(), 1)
        if text.strip() == mistake.splitlines()[0].strip()
    )
    with pytest.raises(Refused) as told:  # noqa: PT012
        options = game.resolve({})
        cell = Cell(game, options, (parse_strategy(game, "random"),) * options["players"], 1)
        Player(cell, 0)
        program_of(game)
    assert MISTAKES[mistake] in str(told.value)
    assert str(file) in str(told.value)
    elsewhere = ("calls itself", "on one way", "`o` has")
    if not any(words in str(told.value) for words in elsewhere):
        assert f"line {line}" in str(told.value)


def test_an_index_outside_reaches_no_memory(tmp_path: Path):
    """The match counts as one that went wrong, which is then told from plain Python."""
    file = tmp_path / "outside.py"
    file.write_text(GAME.replace("BODY", "    s.sums[seat + 1000 * card][0] += 1"))
    game = get_game(str(file))
    options = game.resolve({})
    cell = Cell(game, options, (parse_strategy(game, "random"),) * options["players"], 1)
    out = Columns.of(cell, MATCHES)
    assert Player(cell, 0).play(0, MATCHES, out, 0) == 0
