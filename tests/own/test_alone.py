"""Games in docs/games beside programs of their own, written from the rules: the same statistics."""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from simcore.batch import Cell, play
from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from simcore.events import RoundEnd, Step
from simcore.match import Match
from tests.own import alone_farkle, alone_gin, alone_hearts, alone_spades, small
from tests.own.small import GAMES

FARTHEST = 4.5
"""Standard deviations between two means."""

TABLES: dict[str, tuple[int, dict[str, dict[str, Any]]]] = {
    "eights": (
        6000,
        {
            "saver,random,random,saver": {"draws": 3, "two": 2, "skip": 11},
            "random,saver": {"hand_size": 4, "draws": 52},
            "saver,saver,random": {"wild": 4, "two": 5},
            "random,random,saver": {},
        },
    ),
    "farkle": (
        1000,
        {
            "careful,bold,random": {"target": 3000},
            "bold,careful": {"last_turns": False, "opening": 0, "more": "add"},
            "bold,bold,careful": {"straight": 0, "pairs": 0, "opening": 1000, "target": 5000},
            "random,random": {"target": 1000, "pairs": 800},
        },
    ),
    "gin": (
        500,
        {
            "quick,patient": {"target": 30},
            "quick,quick": {"hand_size": 7, "gin": 5, "undercut": 30, "target": 20},
            "random,quick": {"knock_at": 20, "target": 40},
            "random,random": {"knock_at": 20, "hand_size": 7, "target": 10},
        },
    ),
    "golf": (
        4000,
        {
            "steady,hasty,hasty": {},
            "steady,steady,steady,steady,hasty,steady,random": {"rounds": 2},
            "hasty,steady": {"looks": 0, "penalty": 10, "rounds": 4},
            "random,steady": {"looks": 4, "penalty": 5},
        },
    ),
    "hearts": (
        4000,
        {
            "careful,ducker,random,careful": {},
            "ducker,random,random,careful": {"passing": False, "queen": 5, "target": 30},
            "careful,careful,ducker,ducker": {"moon": False, "target": 60},
            "careful,random,ducker": {"target": 60},
            "ducker,careful,careful,random,random": {"target": 50},
            "random,careful,ducker,random": {"target": 50},
        },
    ),
    "spades": (
        2000,
        {
            "counter,brave,counter,brave": {},
            "brave,random,counter,random": {"nil": 50, "bag_limit": 5, "lost": 1000},
            "counter,brave,random,counter": {"target": 200, "bag_limit": 0},
            "brave,brave,counter,random": {"target": 300},
        },
    ),
}
"""By game: matches of its program, and options by line-up."""

BY_DEFAULT = ("eights", "golf")
"""The games whose last table is played by default; the other ones' rules are, below."""


def cell_of(name: str, lineup: str, options: dict[str, Any]) -> Cell:
    players = lineup.count(",") + 1
    return small.cell_of(str(GAMES / f"{name}.py"), lineup, 3, players=players, **options)


def cases() -> Iterator[Any]:
    """Yield all tables with many matches, for the tier `whole`, and the last of some with few."""
    for name, (matches, tables) in TABLES.items():
        for lineup, options in tables.items():
            case = (name, lineup, options)
            yield pytest.param(*case, matches, marks=pytest.mark.whole, id=f"{name}: {lineup}")
        if name in BY_DEFAULT:
            yield pytest.param(*case, matches // 20, id=f"{name}: few")


@pytest.mark.parametrize(("name", "lineup", "options", "matches"), list(cases()))
def test_statistics_are_those_of_the_program(name, lineup, options, matches):
    cell = cell_of(name, lineup, options)
    seats = range(cell.players)
    block = play(cell, 0, 10 * matches)
    assert not block.aborted.any()
    columns = block.columns() | {f"win_{seat}": block.winners >> seat & 1 for seat in seats}
    program = importlib.import_module(f"tests.own.alone_{name}")
    chance = random.Random(f"{name} {lineup} {options}")  # noqa: S311 (no secret)
    best = min if name in ("golf", "hearts") else max
    rows = []
    for _ in range(matches):
        totals, counts = program.match(chance, lineup.split(","), dict(cell.options))
        scores = {f"score_{seat}": totals[seat] for seat in seats}
        wins = {f"win_{seat}": totals[seat] == best(totals) for seat in seats}
        rows.append(counts | scores | wins)
    for column in rows[0]:
        compiled = np.asarray(columns[column], float)
        alone = np.array([row[column] for row in rows], float)
        error = np.sqrt(compiled.var() / len(compiled) + alone.var() / len(alone))
        off = abs(compiled.mean() - alone.mean()) / max(float(error), 1e-9)
        assert off < FARTHEST, column


@pytest.mark.parametrize("matches", [1, pytest.param(40, marks=pytest.mark.whole)])
def test_spades_offers_and_scores_what_its_rules_say(matches: int):
    cell = cell_of("spades", "brave,random,counter,random", {"bag_limit": 0})

    def named(cards: Any) -> list[tuple[int, int]]:
        return sorted((card >> 4, (card & 15) + 1 if card & 15 else 14) for card in cards)

    for match in range(matches):
        for event in Match(cell, match):
            s = event.s
            if isinstance(event, Step) and s.phase == 2:
                laid = named(s.gone | s.table)
                broken = any(suit == alone_spades.SPADE for suit, _ in laid)
                led = s.led if s.table else -1
                may = alone_spades.may_play(set(named(s.hand[event.seat])), led, broken=broken)
                assert named(event.moves) == may
            if isinstance(event, RoundEnd):
                for side in (0, 1):
                    pair = [(s.bid[seat], s.won[seat]) for seat in (side, side + 2)]
                    points, _ = alone_spades.scored(pair, dict(cell.options))
                    assert event.after.s.points[side] == points


@pytest.mark.parametrize("matches", [1, pytest.param(40, marks=pytest.mark.whole)])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_hearts_passes_and_follows_as_its_rules_say(matches: int, seats: int):
    lineup = ["careful", "random", "ducker", "random", "random"][:seats]
    cell = cell_of("hearts", ",".join(lineup), {})
    ways = {name: step % seats for name, step in alone_hearts.SEATS_ON.items()}

    def named(cards: Any) -> list[tuple[str, int]]:
        return [("CDHS"[card >> 4], (card & 15) + 1 if card & 15 else 14) for card in cards]

    passed: list[set[int]] = [set() for _ in range(seats)]
    for match in range(matches):
        for event in Match(cell, match):
            if not isinstance(event, Step):
                continue
            s, after, seat = event.s, event.after.s, event.seat
            if s.phase == 2:
                led = s.led if s.table else -1
                suit = "" if led == -1 else "CDHS"[led]
                hearts = any(card >> 4 == 2 for pile in (s.table, *s.taken) for card in pile)
                may = alone_hearts.may_play(named(s.hand[seat]), suit, broken=hearts, seats=seats)
                assert sorted(named(event.moves)) == sorted(may)
                continue
            passed[seat].add(event.move)
            if after.phase == 2:
                names = alone_hearts.WAYS[seats]
                step = ways[names[(s.round_number - 1) % len(names)]]
                for giver in range(seats):
                    assert len(passed[giver]) == 3
                    assert passed[giver] <= set(after.hand[(giver + step) % seats])
                passed = [set() for _ in range(seats)]


@pytest.mark.parametrize("hands", [60, pytest.param(3000, marks=pytest.mark.whole)])
def test_melds_of_gin_leave_as_few_points_as_any(hands: int):
    """Hands with many melds, some beside melds of the other seat on the table."""
    cell = cell_of("gin", "random,random", {})
    plain = Plain(program_of(cell.game), cell.options)
    melded = plain.add(vars(cell.game.rules())["melded"])
    threes = plain.add(vars(cell.game.rules())["threes"])
    chance = random.Random(5)  # noqa: S311 (no secret)

    def bits(cards: Any) -> int:
        return sum(1 << 16 * suit + rank - 1 for suit, rank in cards)

    for _ in range(hands):
        ranks = chance.choice([13, 6, 5])  # few ranks: many melds
        deck = [card for card in alone_gin.DECK if card[1] <= ranks]
        cards = chance.sample(deck, min(20, len(deck)))
        hand, other = frozenset(cards[:10]), frozenset(cards[10:])
        fewest, runs = melded(bits(hand), 0, 0)
        assert fewest == alone_gin.left(hand)
        sets = threes(bits(hand) & ~runs)
        table = [meld for meld in alone_gin.melds(hand) if not bits(meld) & ~runs]
        # The longest runs, and whole sets, of what it lays down.
        table = [meld for meld in table if not any(meld < other_meld for other_meld in table)]
        table += [
            frozenset(card for card in hand if card[1] == rank and not runs & bits([card]))
            for rank in range(1, 14)
            if sets >> rank - 1 & 1
        ]
        beside, _ = melded(bits(other), runs, sets)
        assert beside == alone_gin.left_beside(other, table)


@pytest.mark.parametrize("matches", [2, pytest.param(40, marks=pytest.mark.whole)])
@pytest.mark.parametrize("options", [{}, {"straight": 0, "pairs": 300, "more": "add"}])
def test_farkle_offers_what_scores_and_counts_it(matches: int, options: dict[str, Any]):
    cell = cell_of("farkle", "random,random", {"target": 5000, "opening": 0, **options})
    for match in range(matches):
        for event in Match(cell, match):
            if isinstance(event, Step) and not event.s.heap and event.s.phase == 2:
                dice = list(event.s.die)
                places = [k for k in range(6) if dice[k]]
                ways = alone_farkle.ways([dice[k] for k in places], dict(cell.options))
                worths = {sum(1 << places[k] for k in some): worth for worth, some in ways}
                assert set(event.moves) == set(worths)
                assert not event.moves or event.after.s.heap == worths[event.move]


@pytest.mark.parametrize("matches", [4, pytest.param(150, marks=pytest.mark.whole)])
@pytest.mark.parametrize("lineup", ["quick,patient", "quick,random"])
def test_gin_scores_as_its_rules_say(matches: int, lineup: str):
    cell = cell_of("gin", lineup, {"knock_at": 20})
    for match in range(matches):
        for event in Match(cell, match):
            if not isinstance(event, RoundEnd):
                continue
            s = event.s
            hands = [
                frozenset((card >> 4, (card & 15) + 1) for card in s.hand[seat]) for seat in (0, 1)
            ]
            if s.knocker == -1:
                assert len(s.stock) == 2
                assert list(event.after.s.points) == [0, 0]
            else:
                assert alone_gin.left(hands[s.knocker]) <= 20
                scored = list(alone_gin.scored(hands, s.knocker, dict(cell.options)))
                assert list(event.after.s.points) in scored
