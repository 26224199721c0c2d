"""Rules and counts of one's own on a game: what they change, what they count, and mistakes."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from simcore.batch import Block, Cell, play
from simcore.compiler.plain import Match
from simcore.compiler.program import program_of
from simcore.errors import InputError
from simcore.game import get_game
from simcore.replay import replay
from strategies import parse_strategy, policies
from studies.design.cells import expand
from studies.design.study import check_study

GAMES = Path(__file__).resolve().parents[2] / "docs" / "games"
EIGHTS = str(GAMES / "eights.py")

QUEENS = '''"""Queens again: who lays a queen plays again."""
from cardlab.rules import *

game = "eights.py"
again = option(True, "a laid queen lets the same player play again")


class State:
    laid_queen = shown(number)


def next_seat(usual, s, seat):
    return seat if again and s.laid_queen else usual(s, seat)


def begin_turn(usual, s, seat):
    s.laid_queen = 0
    usual(s, seat)


def apply(usual, s, seat, card):
    usual(s, seat, card)
    s.laid_queen = rank(card) == QUEEN
'''

COUNTS = '''"""What is laid."""
from cardlab.rules import *

game = "eights.py"
queens = measure("queens laid")
laid = measure("cards laid", per=card)
begun = measure("first cards", per=seat)
empty = measure("rounds that somebody ends without a card")


@at("before", MOVE)
def count_card(s, seat, card):
    s.count.laid[card] += 1
    s.count.queens += rank(card) == QUEEN


@at("deal")
def first(s):
    for one in seats():
        s.count.begun[one] += len(held(s, one))


@at("end")
def ended_empty(s):
    for one in seats():
        if not s.hand[one]:
            s.count.empty += 1
'''

ASKING = '''"""Draw or not: who has a card that fits may draw one in its place."""
from cardlab.rules import *

game = "eights.py"
(DRAWING,) = decisions("DRAWING")


def begin_turn(usual, s, seat):
    usual(s, seat)
    if legal(s, seat) and s.stock:
        ask(s, seat, DRAWING)


def legal_drawing(s, seat):
    return {0, 1}


def apply_drawing(s, seat, yes):
    if yes:
        draw(s.stock, s.hand[seat])
    ask(s, seat, MOVE)


@answers(to="drawing")
def never(s, seat, moves):
    return 0
'''


def changed(folder: Path, *texts: str) -> str:
    names = []
    for number, text in enumerate(texts):
        file = folder / f"rules{number}.py"
        file.write_text(text)
        names.append(str(file))
    return "+".join([EIGHTS, *names])


def cell_of(name: str, lineup: tuple[str, ...] = ("random", "saver"), **options: object) -> Cell:
    game = get_game(name)
    resolved = game.resolve({"players": 3, **options})
    policies(game)
    seats = tuple(parse_strategy(game, lineup[seat % len(lineup)]) for seat in range(3))
    return Cell(game, resolved, seats, seed=1)


def same(one: Block, two: Block) -> bool:
    shared = one.columns().keys() & two.columns().keys()
    return all(np.array_equal(one.columns()[name], two.columns()[name]) for name in shared)


def in_plain(cell: Cell, match: int) -> dict[str, int]:
    found = Match(cell, match)
    for _ in found:
        pass
    return found.row()


def rows_of(block: Block) -> list[dict[str, int]]:
    names = block.columns()
    return [{name: int(names[name][row]) for name in names} for row in range(len(block))]


def test_a_rule_changes_matches_and_off_it_changes_none(tmp_path: Path):
    name = changed(tmp_path, QUEENS)
    usual, off = play(cell_of(EIGHTS), 0, 300), play(cell_of(name, again=False), 0, 300)
    assert same(usual, off)
    assert not same(usual, play(cell_of(name), 0, 300))


def test_a_changed_game_plays_the_same_rows_as_python_and_compiled(tmp_path: Path):
    cell = cell_of(changed(tmp_path, QUEENS, COUNTS))
    block = play(cell, 0, 60)
    assert [in_plain(cell, match) for match in range(40, 60)] == rows_of(block)[40:]


def test_a_count_is_what_a_replay_of_the_match_counts(tmp_path: Path):
    cell = cell_of(changed(tmp_path, COUNTS))
    block = play(cell, 0, 60)
    assert same(block, play(cell_of(EIGHTS), 0, 60)), "counting changes nothing"
    columns = block.columns()
    for match in range(50, 60):
        laid = [
            step.move
            for step in Match(cell, match)
            if type(step).__name__ == "Step" and step.moves and step.s.phase == 2
        ]
        assert columns["queens"][match] == sum(card % 16 == 11 for card in laid)
        for card in range(61):
            assert columns[f"laid_{card}"][match] == laid.count(card)
    assert (columns["begun_0"] == 5).all()
    assert (columns["begun_4"] == 0).all()
    assert columns["empty"].tolist() == [1] * 60


def test_a_rule_may_ask_something_new(tmp_path: Path):
    cell = cell_of(changed(tmp_path, ASKING), ("saver", "random"))
    assert "DRAWING" in program_of(cell.game).decisions
    block = play(cell, 0, 40)
    assert [in_plain(cell, match) for match in range(30, 40)] == rows_of(block)[30:]
    told = "\n".join(replay(cell, 3))
    assert "(random): drawing: yes" in told
    assert "(saver): drawing: no" in told
    assert "(saver): drawing: yes" not in told


def test_the_rule_of_the_readme(tmp_path: Path):
    readme = (GAMES.parents[1] / "README.md").read_text(encoding="utf-8")
    text = readme.partition("## A rule in ten lines")[2].partition("```python\n")[2]
    cell = cell_of(changed(tmp_path, text.partition("```")[0]))
    steps = [one for one in Match(cell, 5) if type(one).__name__ == "Step"]
    pairs = [(one, two) for one, two in itertools.pairwise(steps) if one.s.phase == 2]
    queens = [one.seat == two.seat for one, two in pairs if one.move % 16 == 11]
    others = [one.seat == two.seat for one, two in pairs if one.move % 16 not in (7, 11)]
    assert all(queens)
    assert not any(others)


def test_files_of_rules_in_a_study_are_part_of_what_a_cell_is(tmp_path: Path):
    file = tmp_path / "queens.py"
    file.write_text(QUEENS)
    document = {"game": EIGHTS, "variants": {"queens": {"rules": str(file)}}, "matches": 10}
    base, variant = expand(check_study(document))
    assert (base.game, variant.game) == (EIGHTS, f"{EIGHTS}+{file}")
    assert "rules" not in base.options
    assert variant.options["again"] is True
    file.write_text(QUEENS.replace("QUEEN", "TWO"))
    again, other = expand(check_study(document))
    assert again.id == base.id
    assert other.id != variant.id


def test_a_count_for_the_whole_study_is_in_every_cell(tmp_path: Path):
    files = [tmp_path / "queens.py", tmp_path / "counts.py"]
    for file, text in zip(files, (QUEENS, COUNTS), strict=True):
        file.write_text(text)
    document = {"game": EIGHTS, "rules": str(files[1]), "variants": {"q": {"rules": str(files[0])}}}
    base, variant = expand(check_study(document))
    assert "queens" in get_game(base.game).metric_names
    assert get_game(base.game).metric_names == get_game(variant.game).metric_names


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('game = "eights.py"\n', "", "name no game"),
        ('"eights.py"', '"uno"', "are for uno, not for "),
        ('"eights.py"', '"unno"', "did you mean 'uno'"),
        ("def apply(usual, s, seat, card)", "def apply(usual, s, seat)", "it takes other values"),
        ("again = option", "wild = option", "has a `wild` already"),
        ("laid_queen = shown", "hand = shown", "has a `hand` already"),
        ("option(True,", "option(True, 3,", "option(True, 3, "),
        ("s.laid_queen = 0", "s.laid_quen = 0", "laid_quen"),
        ("== QUEEN", "== QUEN", "QUEN"),
        ("rank(card) == QUEEN", "rank(card == QUEEN", "was never closed"),
    ],
)
def test_a_mistake_is_told_by_file_and_line(tmp_path: Path, old: str, new: str, told: str):
    assert old in QUEENS
    with pytest.raises(InputError) as refused:
        play(cell_of(changed(tmp_path, QUEENS.replace(old, new))), 0, 5)
    assert told in str(refused.value)
    assert "rules0.py" in str(refused.value)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('@at("deal")', '@at("dael")', "unknown moment 'dael'; did you mean 'deal'"),
        ('@at("deal")', '@at("deal", MOVE)', "is no decision's"),
        ("def first(s)", "def first(s, seat)", 'at "deal" a function of (s) is called'),
        ("per=card", 'per="suit"', "is refused; allowed: measure(meaning)"),
        ("s.count.queens +=", "s.count.queen +=", "no count `queen`"),
        ("s.count.laid[card]", "s.count.laid[card + 90]", "counts `laid`"),
    ],
)
def test_a_mistake_in_a_count_is_told(tmp_path: Path, old: str, new: str, told: str):
    assert old in COUNTS
    with pytest.raises(InputError) as refused:
        play(cell_of(changed(tmp_path, COUNTS.replace(old, new))), 0, 5)
    assert told in str(refused.value)
    assert "rules0.py" in str(refused.value)
