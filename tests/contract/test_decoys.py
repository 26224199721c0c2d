"""What a seat is told does not depend on cards that it does not see.

Two cards that a seat sees neither before a move nor after it are exchanged, as decoys, wherever
they lie: what is told of the position and of the move, and the moves to choose from, stay the same.
"""

from __future__ import annotations

import itertools
import operator
import random

import pytest

from simcore.catalogue import get_game
from simcore.compiler.state import Cards, Pile
from simcore.events import RoundEnd, RoundStart, State, Step
from simcore.game import game_names
from simcore.match import Match
from simcore.narration.moved import spots_of
from simcore.narration.seen import NotSeen, seen_by, viewers_of
from simcore.narration.teller import Teller
from studies.operations.arguments import make_cell
from tests.variants import with_short

KITTENS = "docs/games/kittens.py"
HOUSE = {
    "uno": {"rounds": 1, "seven_zero": True, "jump_in": True, "pairs": True, "stacking": "any"},
    "up": {"rounds": 1, "four_clear": True, "restart_open": True},
}
EVENTS = 80
"""Of a match, at most."""


def visible(program, s, seat):
    """Return the cards that a seat sees: where they lie, or in a note of the last play."""
    seen = set()
    for name, field in program.fields.items():
        if not program.is_set(field.kind):
            continue
        value = s.__dict__[name]
        for holder, sets in enumerate(value) if field.per_seat else [(0, value)]:
            sees = viewers_of(program, name, holder, s.players) >> seat & 1
            for cards in sets if isinstance(sets, list) else [sets]:
                if sees:
                    seen |= set(cards)
                elif isinstance(cards, Pile):
                    pairs = zip(cards.order, cards.seen, strict=True)
                    seen |= {card for card, bits in pairs if bits >> seat & 1}
    return seen


def held(program, s):
    return {card for _, cards in spots_of(program, s) for card in cards}


def exchanged(program, s, one, other):
    """Return a state in which two cards have changed places, in notes of what is hidden too."""
    twin = s.copy()

    def turned(value):
        if isinstance(value, list):
            return [turned(part) for part in value]
        swap = {one: other, other: one}
        if isinstance(value, Pile):
            return Pile([swap.get(card, card) for card in value.order], value.seen)
        if isinstance(value, Cards):
            return Cards.of(swap.get(card, card) for card in value)
        return value

    for name, field in program.fields.items():
        if name in twin.__dict__ and program.is_set(field.kind):
            twin.__dict__[name] = turned(twin.__dict__[name])
    return twin


def told(teller, names, event, moves):
    """Return all that is told at an event."""
    if isinstance(event, RoundStart):
        return list(teller.round_in_words(event, names))
    if isinstance(event, RoundEnd):
        return list(teller.score_in_words(event, names))
    lines = list(teller.step_in_words(event, names))
    if event.s.seat == teller.viewer:
        s = teller.as_seen(event.s)
        lines += [teller.move_in_words(s, teller.viewer, move) for move in moves]
        lines += [teller.mark_of(s, teller.viewer, move) for move in moves]
        lines += list(teller.table_in_words(event, names))
    return lines


def cases():
    for name in (*game_names(), KITTENS):
        yield pytest.param(name, {}, id=name)
    for name, options in HOUSE.items():
        yield pytest.param(name, options, id=f"{name}-house")


@pytest.mark.parametrize(("name", "options"), list(cases()))
def test_what_is_told_does_not_depend_on_decoys(name, options):
    game = get_game(name)
    if not options and name != KITTENS:
        options = with_short(game, {})
    cell = make_cell(game, {"players": 3, **options}, "random", seed=11)
    match, chance, compared, differing = Match(cell, 1), random.Random(5), 0, 0  # noqa: S311
    spectator, tellers = Teller(game), [Teller(game, seat) for seat in range(3)]
    program, names = spectator.program, match.names
    for number, event in enumerate(itertools.islice(match, EVENTS)):
        if not isinstance(event, (RoundStart, RoundEnd, Step)):
            continue
        after = getattr(event, "after", event).s
        # The seat that moves is told most; of the others one looks on.
        for seat in {event.s.seat, number % 3}:
            seen = visible(program, event.s, seat) | visible(program, after, seat)
            hidden = sorted((held(program, event.s) & held(program, after)) - seen)
            if len(hidden) < 2:
                continue
            of_others = [card for card in hidden if any(card in hand for hand in event.s.hand)]
            one, other = chance.choice(of_others or hidden), chance.choice(hidden)
            before, then = (exchanged(program, s, one, other) for s in (event.s, after))
            twin = (
                Step(before, event.moves, event.move, State(then))
                if isinstance(event, Step)
                else RoundEnd(before, State(then))
                if isinstance(event, RoundEnd)
                else RoundStart(before)
            )
            moves = event.moves if isinstance(event, Step) else ()
            if isinstance(event, Step) and event.s.seat != seat and event.move in (one, other):
                continue  # the card that the move names is a decoy here, and no legal move there
            teller = tellers[seat]
            assert told(teller, names, event, moves) == told(teller, names, twin, moves)
            compared += 1
            if differing <= 3:
                drawn = (list(spectator.table_in_words(at, names)) for at in (event, twin))
                differing += operator.ne(*drawn)
    assert compared > 30
    assert differing > 3, "the decoys are told to a reader who sees all"


@pytest.mark.parametrize("name", [*game_names(), KITTENS])
def test_what_a_seat_does_not_see_cannot_be_read(name):
    game = get_game(name)
    cell = make_cell(game, {"players": 3}, "random", seed=11)
    event = next(iter(Match(cell, 1)))
    s = seen_by(Teller(game).program, event.s, 0)
    assert len(s.hand[1]) == len(event.s.hand[1]) > 0
    for read in (
        lambda: list(s.hand[1]),
        lambda: 3 in s.hand[1],
        lambda: s.hand[1] & s.hand[0],
        lambda: s.hand[1] == s.hand[0],
        lambda: s.hand[1].word,
        lambda: s.count.decisions,
        lambda: s.streams["DEAL", 0],
    ):
        with pytest.raises(NotSeen):
            read()
    assert list(s.hand[0]) == list(event.s.hand[0])
