"""Is any deal of UNO ever made twice? Deals are really dealt, and compared.

Every round of every match deals from a stream of its own, whose 128 bits of state are computed from
(seed, match, round). Here the rounds of many matches are dealt under neighbouring seeds as UNO's
rules do, card by card from what is left of the deck; each deal (four hands and the first card, in
the order of dealing) is scrambled to a fingerprint of 64 bits, and equal ones are looked for. Of
deals there are more than 10²⁹; among 10⁹ fingerprints 0.027 pairs would be equal by chance, and
none is.

Fingerprints are sorted a share at a time (those with the same top bits), in as many passes over all
keys: four passes over 10⁹ rounds keep 2.2 GB at a time and take 435 s of one core.
"""

from __future__ import annotations

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
@wrapping
def fingerprint(seed, match, number):
    """Deal a round; return 64 bits of the deal."""
    stream = np.empty(2, np.uint64)
    rng.open_stream(stream, np.uint64(seed), rng.match_key(seed, match), number, rng.DEAL)
    word = np.uint64(0)
    for place in range(WORDS):
        card = np.uint64(rng.below(stream, CARDS - place))
        word = rng.mix((word ^ card) + np.uint64(0x9E3779B97F4A7C15))
    return word


@kernel
def collect(seed, matches, rounds, share, shares, words, size):
    """Deal rounds and write the fingerprints of one share to `words` from `size` on.

    Return how many there are then, or -1 when `words` is too short.
    """
    for match in range(matches):
        for number in range(1, rounds + 1):
            word = fingerprint(seed, match, number)
            if (np.int64(word >> np.uint64(32)) * shares) >> 32 == share:
                if size == len(words):
                    return -1
                words[size] = word
                size += 1
    return size


def _share(keys: Keys, share: int, shares: int) -> tuple[int, int]:
    """Return how many fingerprints a share has, and how many of them are there already."""
    words = np.empty(int(len(keys) / shares * MARGIN) + 1000, dtype=np.uint64)
    size = 0
    for seed in range(keys.seed, keys.seed + keys.seeds):
        size = collect(seed, keys.matches, keys.rounds, share, shares, words, size)
        assert size >= 0, "fingerprints are not uniform"
    words = words[:size]
    words.sort()
    return size, int((words[1:] == words[:-1]).sum())


def repeated_deals(keys: Keys, passes: int = 1, threads: int = 1) -> tuple[int, int]:
    """Deal all rounds of `keys`, `passes` times over; return how many deals, and repetitions."""
    with ThreadPoolExecutor(threads) as pool:
        shares = [pool.submit(_share, keys, share, passes) for share in range(passes)]
        deals, repeated = np.array([share.result() for share in shares]).sum(axis=0).tolist()
    return deals, repeated
