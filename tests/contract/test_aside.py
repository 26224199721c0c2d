"""What a variant adds or drops is decided aside: with and without it the moves draw the same.

Announcements and challenges draw from streams of their own (`match.ask_on_turn`), for every policy
that draws.
"""

from __future__ import annotations

from collections import Counter

import pytest

from simcore.batch import Cell
from simcore.catalogue import get_game
from simcore.events import Step
from simcore.games.uno.rules import honest as honest_cards
from simcore.games.uno.state import ACCEPT, CHALLENGE, COLOUR, DRAW
from simcore.games.up import rules as up_rules
from simcore.language import SEAT, below, cardset, lowest, nth, uniform, word
from simcore.match import Match
from tests.players import RANDOM_PLAYER, TestPlayer
from tests.side_by_side import cell_of

UP, UNO = get_game("up"), get_game("uno")


def honest(s, seat: int, moves: cardset) -> int:
    """Play at random, but never bluff; think about challenges for long and accept."""
    if s.phase == CHALLENGE:
        uniform(s, SEAT(seat))
        uniform(s, SEAT(seat))
        return ACCEPT
    if s.phase == COLOUR:
        return nth(moves, below(s, SEAT(seat), 4))
    cards = honest_cards(s, seat, moves - {DRAW})
    coin = word(s, SEAT(seat))
    if cards and coin & 7:
        return lowest(cards)
    return DRAW


HONEST = TestPlayer("honest", honest)


def choices(cell, matches=1):
    """Yield what was decided with a choice: whether aside, and the step."""
    for number in range(matches):
        match = Match(cell, number)
        for event in match:
            if isinstance(event, Step) and event.chosen:
                yield match.plain.is_aside(event.s), event


def words_of(s, key):
    return s.streams.get(key)


@pytest.mark.parametrize(
    ("game", "options", "player", "phases"),
    [
        (UP, {"dirty_one": "forehand", "rounds": 2}, RANDOM_PLAYER, {int(up_rules.DECLARE)}),
        (UNO, {"rounds": 1, "turn_cap": 200}, RANDOM_PLAYER, {3, int(CHALLENGE)}),
        (UNO, {"rounds": 4}, HONEST, {int(CHALLENGE)}),
    ],
)
def test_what_is_decided_aside_leaves_the_stream_of_the_moves(game, options, player, phases):
    decided: Counter[int] = Counter()
    for aside, step in choices(cell_of(game, options, player), 2):
        stream, other = ("SEAT", step.seat), ("OTHER", step.seat)
        before, after = step.s, step.after.s
        if aside:
            decided[int(before.phase)] += 1
            assert words_of(before, stream) == words_of(after, stream)
            assert words_of(before, other) != words_of(after, other)
        else:
            assert words_of(before, other) == words_of(after, other)
    assert phases <= set(decided)


def test_challenges_change_nothing_where_nobody_bluffs():
    """A player who draws at every decision, and who never bluffs nor challenges."""
    fours = 0
    for number in range(4):
        rows = []
        for value in ("victim", "off"):
            options = UNO.resolve({"rounds": 2, "challenge": value})
            match = Match(Cell(UNO, options, (HONEST,) * 4, 5), number)
            for _ in match.events(copies=False):
                pass
            rows.append(match.row())
        on, off = rows
        assert on["bluffs"] == 0
        fours += on["wild_draw_fours"]
        for name in set(on) - {"decisions", "forced", "clauses"}:
            assert on[name] == off[name], name
    assert fours
