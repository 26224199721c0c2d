"""What was computed from a study is kept, and taken only where all is as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from polars.testing import assert_frame_equal

from simcore import cache
from simcore.errors import DataError
from studies.answers.filters import Filters
from studies.store import kept
from studies.store.opened import open_study
from studies.view.study import study_answer


@pytest.fixture
def computed(monkeypatch, tmp_path):
    """Return what was computed so far, by its level; answers are kept in a folder of the test."""
    from studies.answers import frame

    levels = []

    def counted(*arguments, **named):
        levels.append(named["level"])
        return answers(*arguments, **named)

    answers = frame.answers
    monkeypatch.setattr(frame, "answers", counted)
    monkeypatch.setattr("studies.view.study.kept", kept.kept)
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "cache" / "kernels")
    return levels


def answer(directory, **asked):
    return study_answer(open_study(directory), **asked)


def test_what_is_asked_again_is_the_same_and_not_computed(computed, copy):
    first, again = answer(copy), answer(copy)
    assert computed == [0.95]
    assert_frame_equal(first.frame, again.frame)
    for name in ("notes", "reference", "headlines", "level", "lineups"):
        assert getattr(first, name) == getattr(again, name)
    assert str(first) == str(again)


def test_what_is_asked_otherwise_is_computed(computed, copy):
    for asked in (
        {},
        {"level": 0.9},
        {"margins": {"win_rate": 0.07}},
        {"complete": False},
        {"filters": Filters(lineup=("pair",))},
    ):
        before = len(computed)
        answer(copy, **asked)
        assert len(computed) == before + 1, asked
        answer(copy, **asked)
        assert len(computed) == before + 1, asked


def test_other_code_computes_it_again(computed, copy, monkeypatch):
    answer(copy)
    monkeypatch.setattr(kept, "_code", lambda: "another version")
    answer(copy)
    assert len(computed) == 2


def test_damage_is_seen_all_the_same(computed, copy):
    answer(copy)
    part = next(Path(copy).glob("matches/*/*.parquet"))
    content = bytearray(part.read_bytes())
    content[len(content) // 2] ^= 1
    part.write_bytes(content)
    with pytest.raises(DataError):
        answer(copy)


def test_a_damaged_or_large_answer_is_computed_again(computed, copy, monkeypatch):
    answer(copy)
    (file,) = cache.FOLDER.glob("answer-*")
    file.write_bytes(file.read_bytes()[:-9])
    answer(copy)
    assert len(computed) == 2
    file.unlink()
    monkeypatch.setattr(kept, "LARGEST", 100)
    answer(copy)
    assert not list(cache.FOLDER.glob("answer-*"))
    answer(copy)
    assert len(computed) == 4


def test_where_nothing_can_be_kept_nothing_is_said(computed, copy, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "file" / "kernels")
    assert answer(copy).frame.equals(answer(copy).frame)
    assert len(computed) == 2
    assert not cache.refusal
