"""What the search deals where its seat cannot see is possible, and no better than chance.

A game provides, in `tests/<game>/unseen.py`, beside the options under which matches are watched:

- `pool(s, looker)`: all cards that the seat `looker` has not seen, as the rules have it;
- `groups(s, looker)`: the cards unknown to it that a state has in each place (a hand, a pile), in a
  list of lists; it asserts that what is known lies where it is known to lie.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from simcore.catalogue import get_game
from simcore.compiler.state import ROUND_OVER
from simcore.events import PASS, Step
from simcore.game import game_names
from simcore.match import Match
from strategies import policies
from tests.cases import module_of
from tests.strategies.test_policies import cell

GAMES = game_names()
UNSEEN = {name: module_of(name, "unseen", "VARIANTS, pool and groups") for name in GAMES}
CASES = [
    pytest.param(game, options, id=f"{game}-{number}")
    for game in GAMES
    for number, options in enumerate(UNSEEN[game].VARIANTS)
]
MATCHES = 4
EVERY = 7
MOST_STEPS = 300
"""Decisions of a match that are looked at."""

MOST_MOVES = 100_000
IMPROBABLE = 4.9
"""Standard errors: p < 1e-6, two-sided."""


class Samples:
    """Decisions of some matches: the truth, and one sample of what is unseen."""

    def __init__(self, game: str, options: dict[str, object]) -> None:
        self.cell = cell(game, policies(get_game(game))[1].name, **options)
        self.chance = random.Random(1)  # noqa: S311
        self.first_phase = getattr(UNSEEN[game], "FIRST_SAMPLED_PHASE", 0)

    def __iter__(self) -> Iterator[tuple[Any, Any, Any, int]]:
        """Yield what plays on, the state, the sample, and the seat that looks."""
        for number in range(MATCHES):
            match = Match(self.cell, number)
            for place, step in enumerate(match):
                if place > MOST_STEPS:
                    break
                if place % EVERY or not isinstance(step, Step) or step.s.phase < self.first_phase:
                    continue
                sample = step.s.copy()
                words = [self.chance.getrandbits(64) for _ in range(2)]
                match.plain.deal_unseen(sample, step.seat, words)
                yield match.plain, step.s, sample, step.seat


def own_of(s: Any, plain: Any, looker: int) -> dict[str, Any]:
    """Return what a seat sees: what is shown, and its own."""
    fields = plain.program.fields
    seen = {name: vars(s)[name] for name, field in fields.items() if field.sees == "shown"}
    return seen | {
        name: vars(s)[name][looker] for name, field in fields.items() if field.sees == "own"
    }


@pytest.mark.whole_but("updown-0", "dnup-0")
@pytest.mark.parametrize(("game", "options"), CASES)
def test_a_sample_is_possible_and_a_round_is_played_on_from_it(
    game: str, options: dict[str, object]
) -> None:
    room = UNSEEN[game]
    seen = 0
    for plain, truth, sample, looker in Samples(game, options):
        pool = Counter(room.pool(truth, looker))
        true, sampled = (room.groups(s, looker) for s in (truth, sample))
        assert [len(group) for group in sampled] == [len(group) for group in true]
        for groups in (true, sampled):
            assert Counter(card for group in groups for card in group) <= pool
        assert own_of(sample, plain, looker) == own_of(truth, plain, looker)
        if seen % 10 == 0:
            play_round_on(plain, sample)
        seen += 1
    assert seen > 20


def play_round_on(plain: Any, s: Any) -> None:
    """Play a round at random from a sample to its end."""
    for _ in range(MOST_MOVES):
        if s.phase <= ROUND_OVER:
            return
        moves = plain.moves(s)
        plain.apply(s, plain.random_move(s, moves) if moves else PASS)
    raise AssertionError("a round that does not end")


@pytest.mark.whole_but("updown-0", "dnup-0")
@pytest.mark.parametrize(("game", "options"), CASES)
def test_a_sample_is_no_better_than_chance(game: str, options: dict[str, object]) -> None:
    """Each sampled card is as likely to lie in its true place as any other unseen one."""
    room = UNSEEN[game]
    matching = expected = variance = 0.0
    for _, truth, sample, looker in Samples(game, options):
        pool = room.pool(truth, looker)
        true, sampled = (room.groups(s, looker) for s in (truth, sample))
        for real, dealt in zip(true, sampled, strict=True):
            here = Counter(real)
            hits = [here[card] for card in pool]
            matching += sum(here[card] for card in dealt)
            expected += len(dealt) * float(np.mean(hits, dtype=float)) if dealt else 0
            variance += len(dealt) * float(np.var(hits)) if dealt else 0
    assert variance > 10
    assert abs(matching - expected) < IMPROBABLE * math.sqrt(variance)


@pytest.mark.whole
@pytest.mark.parametrize("game", GAMES)
def test_a_peeping_sample_would_be_noticed(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = Samples.__iter__

    def honest_only_in_name(self: Samples) -> Any:
        for plain, truth, _, looker in samples(self):
            yield plain, truth, truth.copy(), looker

    monkeypatch.setattr(Samples, "__iter__", honest_only_in_name)
    with pytest.raises(AssertionError):
        test_a_sample_is_no_better_than_chance(game, UNSEEN[game].VARIANTS[0])
