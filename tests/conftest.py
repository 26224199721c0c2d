"""The tier of each test, how property tests are driven, and what tests leave behind.

Profiles of hypothesis, chosen by `--hypothesis-profile`:

- `house` (without the option): the same examples in every run;
- `few`: as many as plain Python has time for;
- `many`: new ones every time, for the tests marked `long`.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase

# As the console script does, before NumPy is loaded: a second thread would mostly wait, busily.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings

from strategies import session
from strategies.registry import keep_session

COLLECTED = pytest.StashKey[list[pytest.Item]]()
"""All tests that a run found, before it left any out."""

ANY_HEALTH = list(HealthCheck)

settings.register_profile(
    "house", max_examples=60, deadline=None, derandomize=True, suppress_health_check=ANY_HEALTH
)
settings.register_profile("few", settings.get_profile("house"), max_examples=3)
settings.register_profile(
    "many", settings.get_profile("house"), max_examples=2500, derandomize=False, database=None
)


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("house")
    cache = getattr(config, "cache", None)  # none with -p no:cacheprovider
    if cache and os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        keep_bytecode(str(cache.mkdir("bytecode")))


def keep_bytecode(folder: str) -> None:
    """Let this process and those that it starts keep bytecode in a folder of pytest's cache.

    README installs packages without, and hundreds of processes would compile them anew each.
    """
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = folder


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage among the ten thousand tests, which stay: two seconds a process."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def is_whole_case(item: pytest.Item) -> bool:
    """Return whether `whole_only` or `whole_but` takes in a case of a parametrized test."""
    case = item.name.partition("[")[2].removesuffix("]")

    def is_named(mark: pytest.Mark) -> bool:
        return any(fnmatchcase(case, pattern) for pattern in mark.args)

    only, but = item.iter_markers("whole_only"), item.iter_markers("whole_but")
    return any(map(is_named, only)) or not all(map(is_named, but))


@pytest.hookimpl(tryfirst=True)  # before marks decide what is played
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if not any(map(item.get_closest_marker, ("long", "speed"))) and is_whole_case(item):
            item.add_marker("whole")
    config.stash[COLLECTED] = list(items)


@pytest.fixture(autouse=True, scope="session")
def _answers_are_computed():
    """Take no answer from the cache, which knows nothing of what a test replaces.

    Programs that tests start keep theirs, and so does `tests/studies/test_kept.py`.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("studies.view.study.kept", lambda _stored, _asked, make: make())
        yield


@pytest.fixture
def in_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play as ordinary Python in this test: some matches take less time than compiling a unit.

    Rows are the same (`contract/test_compiled.py`), so it is for what is not about compiled code.
    """
    monkeypatch.setattr("simcore.batch.IN_PLAIN_PYTHON", True)


@pytest.fixture(autouse=True)
def _session_of_policies():
    """Forget afterwards which policies a test has declared."""
    before = session()
    yield
    keep_session(before)
