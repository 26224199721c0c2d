"""Kittens in docs/games: secret insertion, with a search that deals unseen cards anew."""

from __future__ import annotations

from itertools import islice

import cardlab
from simcore.catalogue import get_game
from simcore.events import Step
from simcore.match import Match
from studies.operations.arguments import make_cell
from tests.own.small import GAMES

FILE = str(GAMES / "kittens.py")
BOMB = 0


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


def test_a_search_beats_who_always_draws():
    lineup = "search(rollouts=16),drawer,drawer"
    shares = cardlab.simulate(FILE, players=3, lineup=lineup, matches=300).summary
    assert shares["win_share_by_strategy"]["search(rollouts=16)"] > 0.45
