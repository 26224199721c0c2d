"""No policy of any game lets cards it cannot see decide.

A game provides, in `tests/<game>/unseen.py`, options under which matches are watched (`VARIANTS`),
and `shuffle(s, looker, random)`, which deals anew whatever the seat `looker` does not know (the
state is modified in place; `random` is a NumPy generator).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simcore.batch import Cell
from simcore.catalogue import get_game
from simcore.game import game_names
from simcore.jit import IN_PLAIN_PYTHON
from simcore.match import Match
from strategies import policies
from strategies.checks import check_policy
from tests.cases import module_of
from tests.strategies.test_policies import cell

UNSEEN = {name: module_of(name, "unseen", "VARIANTS and shuffle") for name in game_names()}
CASES = [
    pytest.param(game, policy, options, id=f"{game}-{policy.name}-{number}")
    for game in game_names()
    for policy in policies(get_game(game))
    for number, options in enumerate(UNSEEN[game].VARIANTS)
]
EVERY = 3
MOST = 60
"""Decisions of a match that are looked at; of a search, which is compiled, fewer."""


class Watcher:
    """Asks the policy on turn also where what it cannot see was shuffled."""

    def __init__(self, cell: Cell, match: int, disturb: Any) -> None:
        self.random = np.random.default_rng(match)
        self.disturb = disturb
        self.decisions = self.shuffled = self.changed = 0
        self.match = Match(cell, match, choose=self.choose)
        for player in self.match.players:
            self.match.plain.program.remember(player.seat_policy(cell.options))
        self.match = Match(cell, match, choose=self.choose)

    def choose(self, s: Any, _s: Any, moves: tuple[int, ...]) -> int:
        assert len(moves) > 1
        self.decisions += 1
        if self.decisions % EVERY:
            return self.match.ask(moves)
        other = s.copy()
        self.disturb(other, s.seat, self.random)
        before, after = vars(s), vars(other)
        self.shuffled += any(before.get(name) != after.get(name) for name in ("hand", "flipped"))
        elsewhere = self.match.ask(moves, other)
        move = self.match.ask(moves)
        self.changed += elsewhere != move
        return move


def watch(game: str, policy: Any, options: dict[str, object], disturb: Any, match: int) -> Watcher:
    lineup = f"{policy.name}(rollouts=4)" if policy.takes_policy else policy.name
    watcher = Watcher(cell(game, lineup, seed=11, **options), match, disturb)
    for _ in watcher.match.events(copies=False):
        if watcher.decisions > (MOST // 3 if policy.takes_policy else MOST):
            break
    return watcher


@pytest.mark.parametrize("game", game_names())
def test_the_source_reads_nothing_hidden(game: str) -> None:
    for policy in policies(get_game(game)):
        assert policy.game == game
        if not policy.built_in:
            check_policy(policy)


@pytest.mark.whole_but("dnup-*-0", "updown-*-0")
@pytest.mark.whole_only("*-search-*")
@pytest.mark.parametrize(("game", "policy", "options"), CASES)
def test_what_is_hidden_does_not_decide(game: str, policy: Any, options: Any) -> None:
    if policy.takes_policy and IN_PLAIN_PYTHON:
        pytest.skip("the search is compiled")
    watchers = [watch(game, policy, options, UNSEEN[game].shuffle, match) for match in (0, 1)]
    assert sum(watcher.shuffled for watcher in watchers) > 8
    assert not any(watcher.changed for watcher in watchers)


@pytest.mark.parametrize("game", game_names())
def test_it_would_be_noticed(game: str) -> None:
    """A seat's own private stream is seen by it: with another one `random` chooses otherwise."""

    def disturb(s: Any, seat: int, random: np.random.Generator) -> None:
        s.streams["SEAT", seat] = random.integers(1, 2**63, 2).tolist()

    policy, options = policies(get_game(game))[0], UNSEEN[game].VARIANTS[0]
    assert sum(watch(game, policy, options, disturb, match).changed for match in (0, 1)) > 3
