"""What the search deals where its seat cannot see is possible, and no better than chance.

A game provides, in `tests/<game>/unseen.py`, beside the options under which matches are watched:

- `pool(table, box, looker)`: all cards that the seat `looker` has not seen, as the rules have it;
- `groups(table, box, looker)`: the cards unknown to it that a BOX has in each place (a hand, a
  pile), in a list of lists; it asserts that what is known lies where it is known to lie.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from simcore.batch import Cell
from simcore.compiler.plain import ROUND_OVER, Match
from simcore.game import SEAT, STOCK, game_names, get_game
from strategies import parse_lineup, seat_lineup
from tests.cases import module_of

GAMES = game_names()
UNSEEN = {name: module_of(name, "unseen", "VARIANTS, pool and groups") for name in GAMES}
CASES = [
    pytest.param(game, options, STOCK, id=f"{game}-{number}")
    for game in GAMES
    for number, options in enumerate(UNSEEN[game].VARIANTS)
]
CASES += [
    pytest.param(game, UNSEEN[game].VARIANTS[0], SEAT, id=f"{game}-{SEAT}")
    for game in GAMES
    if SEAT in get_game(game).couplings
]
MATCHES = 6
EVERY = 7
MOST_STEPS = 300
"""Decisions of a match that are looked at."""

MOST_MOVES = 100_000
IMPROBABLE = 4.9
"""Standard errors: p < 1e-6, two-sided."""


def cell_of(game: str, lineup: str, options: dict[str, object], coupling: str) -> Cell:
    known = get_game(game)
    resolved = known.resolve(options)
    seats = seat_lineup(parse_lineup(known, lineup), resolved["players"])
    return Cell(known, resolved, seats, 3, coupling)


class Samples:
    """Decisions of some matches, each with the truth and one sample of what is unseen."""

    def __init__(self, game: str, options: dict[str, object], coupling: str) -> None:
        self.cell = cell_of(game, "all_rounder", options, coupling)
        self.deal_unseen = get_game(game).room("unseen").deal_unseen
        self.stream = np.array([1, 3], dtype=np.uint64)
        self.first_phase = getattr(UNSEEN[game], "FIRST_SAMPLED_PHASE", 0)

    def __iter__(self) -> Any:
        new_records = self.cell.game.room("table").new_records
        for match in range(MATCHES):
            for number, step in enumerate(Match(self.cell, match)):
                if number > MOST_STEPS:
                    break
                if number % EVERY or not hasattr(step, "move"):
                    continue
                if step.s.phase < self.first_phase:
                    continue
                looker = int(step.s.seat)
                sample = new_records(self.cell.options)[1]
                seat = step.s.seats[looker]
                for index in range(self.cell.players):
                    sample[0].seats[index].index = index
                sample[0].seats[looker] = seat
                self.deal_unseen(step.s, seat, sample[0], self.stream)
                yield step.s, step.s, sample, looker


@pytest.mark.parametrize(("game", "options", "coupling"), CASES)
def test_a_sample_is_possible(game: str, options: dict[str, object], coupling: str) -> None:
    room = UNSEEN[game]
    seen = 0
    for table, truth, sample, looker in Samples(game, options, coupling):
        pool = Counter(room.pool(table, truth, looker))
        true, sampled = (room.groups(table, box, looker) for box in (truth, sample[0]))
        assert [len(group) for group in sampled] == [len(group) for group in true]
        for groups in (true, sampled):
            assert Counter(card for group in groups for card in group) <= pool
        assert sample[0].seats[looker].tobytes() == truth.seats[looker].tobytes()
        seen += 1
    assert seen > 20


@pytest.mark.parametrize(("game", "options", "coupling"), CASES)
def test_a_sample_is_no_better_than_chance(
    game: str, options: dict[str, object], coupling: str
) -> None:
    """Each sampled card is as likely to lie in its true place as any other unseen one."""
    room = UNSEEN[game]
    found = expected = variance = 0.0
    for table, truth, sample, looker in Samples(game, options, coupling):
        pool = room.pool(table, truth, looker)
        true, sampled = (room.groups(table, box, looker) for box in (truth, sample[0]))
        for real, dealt in zip(true, sampled, strict=True):
            there = Counter(real)
            hits = [there[card] for card in pool]
            found += sum(there[card] for card in dealt)
            expected += len(dealt) * float(np.mean(hits, dtype=float)) if dealt else 0
            variance += len(dealt) * float(np.var(hits)) if dealt else 0
    assert variance > 10
    assert abs(found - expected) < IMPROBABLE * math.sqrt(variance)


@pytest.mark.parametrize(("game", "options", "coupling"), CASES)
def test_a_round_can_be_played_on_from_a_sample(
    game: str, options: dict[str, object], coupling: str
) -> None:
    rules = get_game(game).room("kernel")
    random = np.random.default_rng(5)
    for number, (table, _, sample, _) in enumerate(Samples(game, options, coupling)):
        if number % 10:
            continue
        now = np.array([table]).view(np.recarray)[0]
        box = sample[0]
        for index in range(int(now.players)):
            box.seats[index].rng[:] = random.integers(1, 2**63, 2, dtype=np.uint64)
        box.deal_rng[:] = random.integers(1, 2**63, 2, dtype=np.uint64)
        box.chance_rng[:] = random.integers(1, 2**63, 2, dtype=np.uint64)
        for _ in range(MOST_MOVES):
            if now.phase <= ROUND_OVER:
                break
            seat = box.seats[int(now.seat)]
            count = rules.find_moves(now, seat)
            move = rules.nth_move(now, seat, int(random.integers(count))) if count else -1
            assert not count or rules.is_legal(now, seat, move)
            rules.apply_move(now, box, move)
        assert now.phase <= ROUND_OVER


@pytest.mark.parametrize("game", GAMES)
def test_a_peeping_sample_would_be_noticed(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = Samples.__iter__

    def honest_only_in_name(self: Samples) -> Any:
        for table, truth, _, looker in samples(self):
            yield table, truth, np.array([truth]).view(np.recarray), looker

    monkeypatch.setattr(Samples, "__iter__", honest_only_in_name)
    with pytest.raises(AssertionError):
        test_a_sample_is_no_better_than_chance(game, UNSEEN[game].VARIANTS[0], STOCK)
