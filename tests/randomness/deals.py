"""Is any deal of UNO ever made twice? Deals are really dealt, and compared.

Every round of every match deals from a stream of its own, whose 128 bits of state are computed from
(seed, match, round). Here the rounds of many matches are dealt under neighbouring seeds as UNO's
rules do, card by card from what is left of the deck; each deal (four hands and the first card, in
the order of dealing) is scrambled to a fingerprint of 64 bits, and equal ones are looked for. Among
10⁹ of them 0.027 pairs are equal by chance, so deals with the same fingerprint are dealt again and
compared card by card. Of these deals there are more than 10²⁹, so that a true repetition by chance
has a probability below 10⁻¹¹.

Fingerprints are sorted a share at a time (those with the same top bits), in as many passes over all
keys: `python -m tests.randomness.deals` deals 10⁹ rounds four times and keeps 2.2 GB at a time.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from tests.randomness import compiled as rng
from tests.randomness.compiled import kernel, wrapping

CARDS = 108
WORDS = 4 * 7 + 1
"""A deal: the place of each card dealt among those that are left."""

MARGIN = 1.1
"""More room than a share of the fingerprints should need."""


@dataclass(frozen=True)
class Keys:
    """Rounds from 1, matches from 0, seeds from `seed` on: so many of each."""

    seeds: int
    matches: int
    rounds: int
    seed: int = 1

    def __len__(self) -> int:
        return self.seeds * self.matches * self.rounds


@kernel
def write_deal(seed, match, number, deal):
    """Write the deal of a round to `deal`, int64[WORDS], modified in place."""
    stream = np.empty(2, np.uint64)
    rng.open_stream(stream, np.uint64(seed), rng.match_key(seed, match), number, rng.DEAL)
    for place in range(WORDS):
        deal[place] = rng.below(stream, CARDS - place)


@kernel
@wrapping
def fingerprint(deal):
    """Return 64 bits of a deal."""
    word = np.uint64(0)
    for part in deal:
        word = rng.mix((word ^ np.uint64(part)) + np.uint64(0x9E3779B97F4A7C15))
    return word


@kernel
def collect(seed, first, matches, rounds, share, shares, found, size):
    """Deal rounds and write the fingerprints of one share to `found` from `size` on.

    Return how many there are then, or -1 when `found` is too short.
    """
    deal = np.empty(WORDS, np.int64)
    for match in range(first, first + matches):
        for number in range(1, rounds + 1):
            write_deal(seed, match, number, deal)
            word = fingerprint(deal)
            if (np.int64(word >> np.uint64(32)) * shares) >> 32 == share:
                if size == len(found):
                    return -1
                found[size] = word
                size += 1
    return size


@kernel
def find_keys(seed, first, matches, rounds, wanted, keys):
    """Write the first (match, round) pairs whose fingerprint is in `wanted` (sorted) to `keys`.

    Return how many there are.
    """
    deal = np.empty(WORDS, np.int64)
    count = 0
    for match in range(first, first + matches):
        for number in range(1, rounds + 1):
            write_deal(seed, match, number, deal)
            word = fingerprint(deal)
            place = np.searchsorted(wanted, word)
            if place < len(wanted) and wanted[place] == word and count < len(keys):
                keys[count, 0] = match
                keys[count, 1] = number
                count += 1
    return count


def _repeated_in_share(keys: Keys, share: int, shares: int) -> tuple[int, np.ndarray]:
    """Return how many fingerprints a share has, and those that occur more than once."""
    room = int(len(keys) / shares * MARGIN) + 1000
    found = np.empty(room, dtype=np.uint64)
    size = 0
    for seed in range(keys.seed, keys.seed + keys.seeds):
        size = collect(seed, 0, keys.matches, keys.rounds, share, shares, found, size)
        assert size >= 0, "fingerprints are not uniform"
    found = found[:size]
    found.sort()
    return size, np.unique(found[1:][found[1:] == found[:-1]])


def _deals_with(keys: Keys, wanted: np.ndarray) -> dict[tuple[int, int, int], tuple[int, ...]]:
    """Return the deals with certain fingerprints by (seed, match, round)."""
    deals = {}
    places = np.empty((4 * len(wanted), 2), dtype=np.int64)
    deal = np.empty(WORDS, dtype=np.int64)
    for seed in range(keys.seed, keys.seed + keys.seeds):
        count = find_keys(seed, 0, keys.matches, keys.rounds, wanted, places)
        for match, number in places[:count].tolist():
            write_deal(seed, match, number, deal)
            deals[seed, match, number] = tuple(deal.tolist())
    return deals


@dataclass(frozen=True)
class Found:
    """What `repeated_deals` found.

    Attributes
    ----------
    deals : int
        How many were made.
    candidates : int
        Fingerprints that occurred more than once.
    repeated : dict
        The deals that were really made more than once, with the keys of each.
    """

    deals: int
    candidates: int
    repeated: dict[tuple[int, ...], list[tuple[int, int, int]]]


def repeated_deals(keys: Keys, passes: int = 1, threads: int = 1) -> Found:
    """Deal all rounds of `keys`, `passes` times over, and look for deals made twice."""
    with ThreadPoolExecutor(threads) as pool:
        shares = [pool.submit(_repeated_in_share, keys, share, passes) for share in range(passes)]
        results = [share.result() for share in shares]
    deals = sum(size for size, _ in results)
    wanted = np.sort(np.concatenate([twice for _, twice in results]))
    by_deal: dict[tuple[int, ...], list[tuple[int, int, int]]] = {}
    if len(wanted):
        for key, deal in _deals_with(keys, wanted).items():
            by_deal.setdefault(deal, []).append(key)
    repeated = {deal: places for deal, places in by_deal.items() if len(places) > 1}
    return Found(deals, len(wanted), repeated)


def main() -> None:
    """Deal 10⁹ rounds, or as many as asked for, and say what was found."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--matches", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--passes", type=int, default=4)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    started = time.perf_counter()
    keys = Keys(given.seeds, given.matches, given.rounds)
    found = repeated_deals(keys, given.passes, given.threads)
    print(
        f"{found.deals:,} deals of UNO ({given.seeds} seeds × {given.matches:,} matches × "
        f"{given.rounds} rounds) in {time.perf_counter() - started:.0f} s: "
        f"{found.candidates} equal fingerprints, {len(found.repeated)} deals made more than once"
    )
    for deal, places in found.repeated.items():
        print(f"(seed, match, round) {places}: {deal}")


if __name__ == "__main__":
    main()
