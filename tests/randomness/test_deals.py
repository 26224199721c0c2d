"""No two rounds are dealt alike; a deal made twice would be found."""

from __future__ import annotations

import pytest

from simcore.jit import IN_PLAIN_PYTHON
from tests.randomness import deals
from tests.randomness.deals import Keys, repeated_deals

MATCHES = 10 if IN_PLAIN_PYTHON else 50_000


def test_no_deal_is_made_twice():
    keys = Keys(seeds=5, matches=MATCHES, rounds=8)
    assert repeated_deals(keys) == (len(keys), 0)


def test_shares_are_the_whole():
    keys = Keys(seeds=2, matches=MATCHES // 10, rounds=3)
    assert repeated_deals(keys, passes=3, threads=2) == (len(keys), 0)


@pytest.mark.long
def test_no_deal_of_a_thousand_million_is_made_twice():
    keys = Keys(seeds=10, matches=10_000_000, rounds=10)
    assert repeated_deals(keys, passes=4) == (1_000_000_000, 0)


def test_a_repeated_deal_would_be_found(monkeypatch):
    collect = deals.collect
    monkeypatch.setattr(deals, "collect", lambda _seed, *given: collect(1, *given))
    assert repeated_deals(Keys(seeds=2, matches=10, rounds=3)) == (60, 30)
