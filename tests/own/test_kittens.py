"""Kittens in docs/games: secret insertion, with a search that deals unseen cards anew."""

from __future__ import annotations

from itertools import islice

import pytest

import cardlab
from simcore.catalogue import get_game
from simcore.events import Step
from simcore.match import Match
from strategies import parse_strategy
from studies.operations.arguments import make_cell
from tests.own.small import GAMES

FILE = str(GAMES / "kittens.py")
BOMB, DEFUSE, SKIP, ATTACK, *_, CAT = range(8)
DRAW = 32


def known(s, seat):
    """Return what a seat has seen of the stock, by how deep it lies."""
    pairs = zip(reversed(s.stock.order), reversed(s.stock.seen), strict=True)
    return {depth: card for depth, (card, seen) in enumerate(pairs) if seen >> seat & 1}


def test_what_is_dealt_anew_might_be_so():
    cell = make_cell(get_game(FILE), {"players": 4}, "careful", seed=3)
    match = Match(cell, 2)
    rank, dealt, told = match.plain.program.deck.shift, set(), 0
    for event in islice((e for e in match if isinstance(e, Step) and e.chosen), 30):
        seat, before = event.seat, event.s
        for words in ([1, 2], [3, 4], [5, 6]):
            s = before.copy()
            match.plain.deal_unseen(s, seat, words)
            told += len(known(before, seat))
            assert known(s, seat) == known(before, seat)
            assert list(map(len, s.hand)) == list(map(len, before.hand))
            assert s.hand[seat] == before.hand[seat]
            assert s.gone == before.gone
            assert not s.pool
            mask = (1 << rank) - 1
            assert all(card & mask != BOMB for hand in s.hand for card in hand)
            cards = [*s.stock, *s.gone, *(card for hand in (*s.hand, *s.drawn) for card in hand)]
            assert len(cards) == len(set(cards))
            dealt.add(tuple(s.stock.order))
    assert told > 10, "somebody had seen something"
    assert len(dealt) > 30


def test_a_search_draws_no_bomb_that_it_has_seen():
    game = get_game(FILE)
    cell = make_cell(game, {"players": 3}, "random", seed=3)
    search = parse_strategy(game, "search(rollouts=16)").seat_policy(cell.options)
    found = 0
    for match in (Match(cell, number) for number in range(40)):
        mask = (1 << match.plain.program.deck.shift) - 1
        for event in match:
            if not isinstance(event, Step) or not event.chosen:
                continue
            s, kinds = event.s, {move & mask for move in event.moves if move != DRAW}
            top, hand = known(s, event.seat).get(0, CAT), {c & mask for c in s.hand[event.seat]}
            if top & mask == BOMB and kinds & {SKIP, ATTACK} and DEFUSE not in hand:
                found += 1
                assert match.plain.searched(search, s.copy()) != DRAW
    assert found > 4


@pytest.mark.whole
def test_a_search_beats_who_always_draws():
    lineup = "search(rollouts=16),drawer,drawer"
    shares = cardlab.simulate(FILE, players=3, lineup=lineup, matches=300).summary
    assert shares["win_share_by_strategy"]["search(rollouts=16)"] > 0.45
