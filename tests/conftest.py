"""How property tests are driven, and how long a test may last where nothing is compiled.

Profiles of hypothesis (`--hypothesis-profile`):

- `house` (without the option): the same examples in every run;
- `few`: as many as plain Python has time for;
- `many`: new ones every time, for the tests marked `long`.

Coverage is measured with `NUMBA_DISABLE_JIT=1`, where tests on large samples would take hours.
There `--skip-after SECONDS` ends and skips a test after so much time of the processor.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

ANY_HEALTH = list(HealthCheck)

settings.register_profile(
    "house", max_examples=60, deadline=None, derandomize=True, suppress_health_check=ANY_HEALTH
)
settings.register_profile("few", settings.get_profile("house"), max_examples=3)
settings.register_profile(
    "many", settings.get_profile("house"), max_examples=2500, derandomize=False, database=None
)


class TooSlow(BaseException):
    """The time of a test is up; no `except Exception` of the code under test catches it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--skip-after", type=float, metavar="SECONDS", help="skip longer tests")


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("house")


def _limited(item: pytest.Item) -> Iterator[None]:
    seconds = item.config.getoption("--skip-after")
    if seconds is None:
        return (yield)

    def stop(_signal: int, _frame: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        return (yield)
    except TooSlow:
        pytest.skip(f"more than {seconds:g} s")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    return (yield from _limited(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    return (yield from _limited(item))
