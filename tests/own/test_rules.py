"""Rules and counts of one's own on a game: what they change, and what they count."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

from simcore.batch import Block, Cell, play
from simcore.catalogue import get_game
from simcore.compiler.program import program_of
from simcore.events import Step
from simcore.match import Match
from simcore.replay import replay
from studies.design.cells import expand
from studies.design.study import check_study
from tests.own.small import EIGHTS, ROOT, cell_of, row_in_plain, rows_of, write


def cell_with(folder: Path, *rules: str, lineup: str = "random,saver", **options: object) -> Cell:
    """Return a cell of Crazy Eights with files of rules."""
    name = "+".join([EIGHTS, *(write(folder, file) for file in rules)])
    return cell_of(name, lineup, players=3, **options)


def same(block: Block, other: Block) -> bool:
    """Tell whether the columns that both have are equal."""
    columns, others = block.columns(), other.columns()
    return all(np.array_equal(columns[name], others[name]) for name in columns.keys() & others)


@pytest.mark.usefixtures("in_plain")
def test_a_rule_changes_matches_and_off_it_changes_none(tmp_path: Path):
    usual = play(cell_of(EIGHTS, "random,saver", players=3), 0, 15)
    assert same(usual, play(cell_with(tmp_path, "queens.py", again=False), 0, 15))
    assert not same(usual, play(cell_with(tmp_path, "queens.py"), 0, 15))


def test_a_changed_game_plays_the_same_rows_as_python_and_compiled(tmp_path: Path):
    files = "asking.py", "queens.py", "counts.py"
    cell = cell_with(tmp_path, *files, lineup="saver,random,saver")
    late = range(40, 50)
    assert [row_in_plain(cell, match) for match in late] == rows_of(play(cell, 0, 50), late)


@pytest.mark.usefixtures("in_plain")
def test_a_count_is_what_a_replay_of_the_match_counts(tmp_path: Path):
    cell = cell_with(tmp_path, "counts.py")
    block = play(cell, 0, 20)
    usual = play(cell_of(EIGHTS, "random,saver", players=3), 0, 20)
    assert same(block, usual), "counting changes nothing"
    columns = block.columns()
    for match in range(10, 20):
        steps = [event for event in Match(cell, match) if isinstance(event, Step)]
        laid = [step.move for step in steps if step.moves and step.s.phase == 2]
        assert columns["queens"][match] == sum(card % 16 == 11 for card in laid)
        for card in range(61):
            assert columns[f"laid_{card}"][match] == laid.count(card)
    assert (columns["begun_0"] == 5).all()
    assert (columns["begun_4"] == 0).all()
    assert columns["empty"].tolist() == [1] * 20


def test_a_rule_may_ask_something_new(tmp_path: Path):
    cell = cell_with(tmp_path, "asking.py", lineup="saver,random,saver")
    assert "DRAWING" in program_of(cell.game).decisions
    lines = "\n".join(replay(cell, 3))
    assert "seat 1: drawing: yes" in lines  # random
    assert re.search(r"seat [02]: drawing: no", lines)
    assert not re.search(r"seat [02]: drawing: yes", lines)


def test_the_rule_of_the_readme(tmp_path: Path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    text = readme.partition("## A rule in ten lines")[2].partition("```python\n")[2]
    (tmp_path / "readme.py").write_text(text.partition("```")[0])
    cell = cell_of(f"{EIGHTS}+{tmp_path / 'readme.py'}", "random,saver", players=3)
    steps = [event for event in Match(cell, 5) if isinstance(event, Step)]
    for step, following in itertools.pairwise(steps):
        if step.s.phase == 2 and step.move % 16 != 7:
            assert (step.seat == following.seat) == (step.move % 16 == 11)
    assert any(step.s.phase == 2 and step.move % 16 == 11 for step in steps[:-1])


def test_files_of_rules_in_a_study_are_part_of_what_a_cell_is(tmp_path: Path):
    queens = write(tmp_path, "queens.py")
    document = {"game": EIGHTS, "variants": {"queens": {"rules": queens}}, "matches": 10}
    base, variant = expand(check_study(document))
    assert (base.game, variant.game) == (EIGHTS, f"{EIGHTS}+{queens}")
    assert "rules" not in base.options
    assert variant.options["again"] is True
    write(tmp_path, "queens.py", ("== QUEEN", "== TWO"))
    again, other = expand(check_study(document))
    assert again.id == base.id
    assert other.id != variant.id


def test_a_count_for_the_whole_study_is_in_every_cell(tmp_path: Path):
    queens, counts = write(tmp_path, "queens.py"), write(tmp_path, "counts.py")
    document = {"game": EIGHTS, "rules": counts, "variants": {"q": {"rules": queens}}}
    base, variant = expand(check_study(document))
    assert "queens" in get_game(base.game).metric_names
    assert get_game(base.game).metric_names == get_game(variant.game).metric_names
