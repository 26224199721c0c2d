"""No two rounds are dealt alike; a deal made twice would be found."""

from __future__ import annotations

import pytest

from simcore.jit import IN_PLAIN_PYTHON
from tests.randomness import deals
from tests.randomness.deals import Keys, repeated_deals

MATCHES = 10 if IN_PLAIN_PYTHON else 50_000


def test_no_deal_is_made_twice():
    keys = Keys(seeds=5, matches=MATCHES, rounds=8)
    found = repeated_deals(keys)
    assert found.deals == len(keys)
    assert not found.repeated


def test_shares_are_the_whole():
    keys = Keys(seeds=2, matches=MATCHES // 10, rounds=3)
    assert repeated_deals(keys, passes=3, threads=2).deals == len(keys)


@pytest.mark.long
def test_no_deal_of_a_thousand_million_is_made_twice():
    keys = Keys(seeds=10, matches=10_000_000, rounds=10)
    found = repeated_deals(keys, passes=4)
    assert found.deals == 1_000_000_000
    assert not found.repeated


def test_a_repeated_deal_would_be_found(monkeypatch):
    """With few bits of fingerprint many are equal; with a seed twice all deals are."""
    original = deals.collect

    def coarse(seed, first, matches, rounds, share, shares, found, size):
        size = original(seed, first, matches, rounds, share, shares, found, size)
        if size >= 2:
            found[1] = found[0]  # as if another deal had the first one's fingerprint
        return size

    keys = Keys(seeds=1, matches=10, rounds=3)
    monkeypatch.setattr(deals, "collect", coarse)
    found = repeated_deals(keys)
    assert (found.candidates, found.repeated) == (1, {})
    monkeypatch.setattr(deals, "collect", original)

    dealt_again = deals.collect

    def twice(_seed, *rest):
        return dealt_again(1, *rest)

    monkeypatch.setattr(deals, "collect", twice)
    found_keys, found_deal = deals.find_keys, deals.write_deal
    monkeypatch.setattr(deals, "find_keys", lambda _seed, *rest: found_keys(1, *rest))
    monkeypatch.setattr(deals, "write_deal", lambda _seed, *rest: found_deal(1, *rest))
    found = repeated_deals(Keys(seeds=2, matches=10, rounds=3))
    assert found.candidates == len(found.repeated) == 30
    assert all(len(places) == 2 for places in found.repeated.values())
