"""Clocks that are wrong, stand still or run backwards: nothing depends on dates."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from studies.run.run import run_study
from tests.studies.conftest import load, read_rows, study

DATES = (0.0, 4_000_000_000.0, 1_000_000_000.0)  # 1970, 2096, 2001


class Backwards(datetime):
    """A clock that is set back by a year whenever somebody looks."""

    year_now = 2030

    @classmethod
    def now(cls, tz=None):
        cls.year_now -= 1
        return datetime(cls.year_now, 1, 1, tzinfo=tz)


def test_a_study_goes_on_whatever_the_dates_of_its_files(tmp_path, monkeypatch):
    monkeypatch.setattr("studies.store.provenance.datetime", Backwards)
    directory = tmp_path / "out"
    run_study(study(matches=20), directory, threads=1, block=10)
    for place, path in enumerate(sorted(directory.rglob("*"))):
        os.utime(path, (DATES[place % 3],) * 2)
    outcome = run_study(study(), directory, threads=1, block=10)
    assert outcome.present == 20 * 3 * 3
    assert outcome.played == 40 * 3 * 3
    run_study(study(), tmp_path / "whole", threads=1, block=10)
    assert read_rows(directory) == read_rows(tmp_path / "whole")
    assert load(directory).collect().height == 60 * 3 * 3
    assert Backwards.year_now < 2029
    assert datetime.now(UTC).year > 2020
