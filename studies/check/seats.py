"""A test that no seat is favoured: rotating all seats by one must change nothing else.

Which numbers of the state, and which moves, mean a seat, or seats as bits, is not declared. So a
reading is looked for that bears out every position: one that leaves differences is changed number
by number to one with fewer, and if some are left in the end, a seat is favoured.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from simcore.compiler.state import Pile
from simcore.errors import InputError
from studies.check.moments import At, FaultError, Test, leaves
from studies.check.tables import SEED

POSITIONS = 100
"""Positions of each table in which the seats are exchanged."""

FIRST = 24
"""Positions by which a reading is looked for; others are added where it fails."""

MOST_READINGS = 243
"""So many readings are tried one by one where the search finds none."""

STARTS, DEALS = 12, 4
"""Positions of a table from which the next round is dealt, and how often."""

ROUND_OVER = 1

SEAT_FIELDS = {"seat": "seat", "first_seat": "seat", "leaders": "seats", "winners": "seats"}

Reading = dict[str, str]
"""What each number of the state and each decision's moves mean: "number", "seat" or "seats"."""


class Seats(Test):
    """Nothing changes when the seats are exchanged in a circle."""

    name = "seats"
    passed = "nothing changes when the seats are exchanged in a circle"

    def __init__(self) -> None:
        super().__init__()
        self.chance = random.Random(SEED)  # noqa: S311 (no secret)
        self.starts: dict[int, list[At]] = defaultdict(list)
        """By table, positions in which a round is over and another one follows."""
        self.begin: dict[int, set[int]] = defaultdict(set)
        """By number of players, the seats that began a match."""
        self.in_order: dict[int, bool] = {}
        """By decision, whether it was always asked of seat 0, 1, 2 … in a row."""
        self.last_asked = (0, 0)
        self.positions: dict[int, list[At]] = {}
        self.seen: dict[int, int] = {}
        self.values: dict[str, set[tuple[int, int]]] = {}
        """By number, or decision, the values that it had, each with the number of players."""

    def look(self, at: At) -> None:
        """Note the values of numbers, and some of the positions."""
        players = at.match.plain.players
        if type(at.event).__name__ == "RoundStart" and at.event.s.round_number == 1:
            self.begin[players].add(at.event.s.seat)
        if not hasattr(at.event, "after"):
            return
        starts = self.starts[id(at.table)]
        if not at.is_move and len(starts) < STARTS and at.event.after.s.phase == ROUND_OVER:
            starts.append(at)
        for s in (at.event.s, at.event.after.s):
            for name, value in _numbers(at.match.plain, s):
                self.values.setdefault(name, set()).add((value, players))
        if at.is_move:
            s = at.event.s
            follows = s.seat == 0 or self.last_asked == (s.phase, s.seat - 1)
            self.in_order[s.phase] = self.in_order.get(s.phase, True) and follows
            self.last_asked = s.phase, s.seat
            known = self.values.setdefault(_decision(at), set())
            known |= {(move, players) for move in at.event.moves}
        # A sample of the table's positions, each as likely (Vitter's algorithm R).
        table = id(at.table)
        seen = self.seen[table] = self.seen.get(table, 0) + 1
        sample = self.positions.setdefault(table, [])
        if len(sample) < POSITIONS:
            sample.append(at)
        elif (place := self.chance.randrange(seen)) < POSITIONS:
            sample[place] = at

    def end(self) -> None:
        """Rotate the seats in the recorded positions."""
        positions = [at for sample in self.positions.values() for at in sample]
        if positions and not positions[0].match.cell.game.original.digest:
            self.not_tested = "a built-in game's seats are exchanged in cardlab's own tests"
            return
        positions = [at for at in positions if at.match.plain.players > 1]
        if not positions:
            self.not_tested = "there is one seat, or no seat ever moved"
            return
        if not positions[0].match.plain.program.seating.turns:
            self.not_tested = "teams are others when the seats are exchanged in a circle"
            return
        usual, wider = self._candidates(least=2), self._candidates(least=1)
        reading, wrong = find(usual, positions)
        if wrong is not None and wider != usual and find(wider, positions)[1] is None:
            number_name = next(name for name in wider if wider[name] != usual[name])
            self.not_tested = f"{number_name} had one value only, and may or may not mean a seat"
            return
        if wrong is not None:
            ordered = self._asked_in_order(wrong, differences(wrong, reading))
            if ordered:
                self.not_tested = (
                    f"{ordered} is asked from seat 0 on, which is fair if all decide at once"
                )
                return
            raise wrong.fault(differences(wrong, reading)[0][1])
        for sample in self.positions.values():
            self._dealt_alike(sample[0])
        for starts in self.starts.values():
            if starts and starts[0].match.plain.players > 1:
                self._begins_alike(starts, reading)
        alone = [seats == {0} for players, seats in self.begin.items() if players > 1]
        self.passed += (
            "; seat 0 begins every match" if all(alone) else "; which seat begins a match varies"
        )

    def _asked_in_order(self, wrong: At, found: Sequence[tuple[str, str]]) -> str:
        """Return the decision that is asked next, if its order of asking is all that differs."""
        after = wrong.event.after.s
        if {name for name, _ in found} == {"seat"} and self.in_order.get(after.phase):
            return str(wrong.match.plain.decision_name(after.phase)).upper()
        return ""

    def _candidates(self, least: int) -> dict[str, tuple[str, ...]]:
        """Return the possible meanings of each number; a seat needs `least` values or more."""
        meanings = {}
        for name, known in self.values.items():
            kinds = ["number"]
            if len({value for value, _ in known}) >= least:
                if all(-1 <= value < players for value, players in known):
                    kinds.append("seat")
                elif all(0 <= value < 1 << players for value, players in known):
                    kinds.append("seats")
            meanings[name] = tuple(kinds)
        return meanings

    def _begins_alike(self, starts: Sequence[At], reading: Reading) -> None:
        """Refuse a deal that lets one seat begin each round.

        The next round is dealt anew with other cards, from each position as it stands and with all
        seats, and the turn to begin, rotated further and further.
        """
        plain = starts[0].match.plain
        begin: set[int] = set()
        for at in starts:
            if len(begin) > 1:
                return
            s = at.event.after.s
            for steps in range(plain.players):
                rounds = s.round_number + steps
                begin |= {_first_seat(plain, s, rounds, match) for match in range(DEALS)}
                s = turned(plain, s, reading)
        if len(begin) == 1 and len(starts) > plain.players:
            (seat,) = begin
            raise starts[0].fault(f"seat {seat} begins every round, whosever turn it is")

    def _dealt_alike(self, at: At) -> None:
        """Refuse a deal whose hand sizes, in order from the first player, depend on who begins.

        Dealing out a whole deck gives some seats one card more: reported, but no fault.
        """
        plain = at.match.plain
        known: dict[str, tuple[list[list[int]], int]] = {}
        for number in range(plain.players):
            s = plain.start_match(SEED, 0)
            s.round_number = number
            plain.start_round(s)
            sizes = [
                [
                    sum(len(cards) for _, cards in leaves(name, s.__dict__[name][seat]))
                    for name, declared in plain.program.fields.items()
                    if declared.per_seat and plain.program.is_place(declared.kind)
                ]
                for seat in range(plain.players)
            ]
            ordered = sizes[s.seat :] + sizes[: s.seat]
            before, first = known.setdefault(str(sorted(sizes)), (ordered, s.seat))
            if before == ordered:
                continue
            if _in_order(sizes):
                self.passed = (
                    f"{type(self).passed}; but seat 0 is dealt more cards than the last one, "
                    "whoever begins: to deal from the seat that begins, write "
                    "`for k in range(players): one = after(s.seat, k)`"
                )
                return
            why = (
                f"seats are dealt {before} cards, from the seat that begins, where seat {first} "
                f"begins, and {ordered} where seat {s.seat} does (match 0)"
            )
            raise FaultError(why, at.table, 0)


def _first_seat(plain: Any, before: Any, rounds: int, match: int) -> int:
    """Return the seat that begins the round after a position, with another match's cards."""
    s = plain.start_match(SEED, match)
    for name in plain.program.fields:
        if name in before.__dict__:
            s.__dict__[name] = before.copy().__dict__[name]
    s.match_number, s.round_number = match, rounds
    plain.start_round(s)
    seat: int = s.seat
    return seat


def _in_order(sizes: Sequence[Sequence[int]]) -> bool:
    """Return whether a deck is dealt out from seat 0 on: the first seats have one card more."""
    totals = [sum(by_place) for by_place in sizes]
    return totals == sorted(totals, reverse=True) and totals[0] - totals[-1] <= 1


def _numbers(plain: Any, s: Any) -> Iterator[tuple[str, int]]:
    """Yield the numbers of a state that may denote seats, each with the name of its field."""
    for name, held in numbers_by_field(plain, s):
        for _, value in leaves("", held):
            yield f"s.{name}", value


def numbers_by_field(plain: Any, s: Any) -> Iterator[tuple[str, Any]]:
    """Yield the game's own fields that hold numbers, each with what it holds."""
    from simcore.compiler.program import ENGINE_FIELDS

    for name, declared in plain.program.fields.items():
        if declared.kind.name == "number" and name not in ENGINE_FIELDS and name in s.__dict__:
            yield name, s.__dict__[name]


def _decision(at: At) -> str:
    return f"the move of {at.match.plain.decision_name(at.event.s.phase).upper()}"


def find(
    candidates: Mapping[str, Sequence[str]], positions: Sequence[At]
) -> tuple[Reading, At | None]:
    """Return a reading consistent with all positions; otherwise the best, and where it fails."""
    best: tuple[int, Reading, list[At]] | None = None
    for choose in (0, -1):
        reading = {name: kinds[choose] for name, kinds in candidates.items()}
        active = list(positions[:: max(1, len(positions) // FIRST)])
        while True:
            reading, cost = _descend(reading, candidates, active)
            if cost:
                break
            wrong = next((at for at in positions if differences(at, reading)), None)
            if wrong is None:
                return reading, None
            active.append(wrong)
        if best is None or cost < best[0]:
            best = cost, reading, active
    assert best is not None
    _, reading, active = best
    every = list(product(*candidates.values()))
    if len(every) <= MOST_READINGS:
        for kinds in every:
            tried = dict(zip(candidates, kinds, strict=True))
            if not any(differences(at, tried) for at in (*active, *positions)):
                return tried, None
    failing = [at for at in active if differences(at, reading)]
    return reading, min(failing, key=lambda at: len(differences(at, reading)))


def _descend(
    reading: Reading, candidates: Mapping[str, Sequence[str]], positions: Sequence[At]
) -> tuple[Reading, int]:
    """Return a locally best reading: no change of a single number leaves fewer differences."""
    cost = _cost(reading, positions)
    changed = True
    while cost and changed:
        changed = False
        for name, kinds in candidates.items():
            for kind in kinds:
                other = {**reading, name: kind}
                if kind != reading[name] and (less := _cost(other, positions, cost)) < cost:
                    reading, cost, changed = other, less, True
    return reading, cost


def _cost(reading: Reading, positions: Sequence[At], enough: int = 1 << 60) -> int:
    cost = 0
    for at in positions:
        cost += len(differences(at, reading))
        if cost >= enough:
            break
    return cost


def differences(at: At, reading: Reading) -> list[tuple[str, str]]:
    """Return the fields that differ if the seats are rotated before, not after, a move or score."""
    plain, event = at.match.plain, at.event
    other = turned(plain, event.s, reading)
    different: list[tuple[str, str]] = []
    try:
        if at.is_move:
            kind = reading[_decision(at)]
            moves = {_turned_number(move, kind, plain.players) for move in event.moves}
            if set(plain.moves(other)) != moves:
                different.append(("moves", "other moves are legal when the seats are exchanged"))
            plain.apply(other, _turned_number(event.move, kind, plain.players))
        else:
            plain.score_round(other)
    except InputError as error:
        return [*different, ("error", f"with the seats exchanged: {error}")]
    wanted = turned(plain, event.after.s, reading)
    for name in plain.program.rules_fields:  # policies have changed their memory before the move
        was, now = wanted.__dict__[name], other.__dict__[name]
        if name == "points":
            was, now = (_of_teams(plain, points) for points in (was, now))
        if now != was:
            was, now = (_shown(plain, name, value) for value in (was, now))
            message = (
                f"s.{name} is {now} in place of {was} when the seats are exchanged in a circle"
            )
            different.append((name, message))
    return different


def _of_teams(plain: Any, points: Sequence[int]) -> list[int]:
    """Return the points of each seat's team, whichever of its seats they are recorded at."""
    teams = [plain.program.seating.team(seat, plain.players) for seat in range(plain.players)]
    return [
        sum(seat_points for seat, seat_points in enumerate(points) if team >> seat & 1)
        for team in teams
    ]


def _shown(plain: Any, name: str, value: Any) -> str:
    deck, kind = plain.program.deck, plain.program.fields[name].kind.name
    return deck.name(value) if kind == "card" and deck and value in deck.cards else str(value)


def turned(plain: Any, s: Any, reading: Reading) -> Any:
    """Return a state rotated by one seat: each seat gets what the seat before it had."""
    other, players = s.copy(), plain.players
    for name, declared in plain.program.fields.items():
        if name not in other.__dict__:
            continue  # the memory of a policy that was loaded after this position was played
        declared_seat = "seat" if declared.kind.name == "seat" else ""
        kind = SEAT_FIELDS.get(name) or declared_seat or reading.get(f"s.{name}", "number")
        value = _turned(other.__dict__[name], kind, players)
        if declared.per_seat:
            value = type(value)(value[-1:] + value[:-1])
        other.__dict__[name] = value
    return other


def _turned(value: Any, kind: str, players: int) -> Any:
    if isinstance(value, Pile):
        # An ordered place, in which the seats that have seen each card are rotated, too.
        return Pile(value.order, [_turned_number(seats, "seats", players) for seats in value.seen])
    if kind == "number" and not isinstance(value, list):
        return value
    if isinstance(value, list):
        return type(value)(_turned(entry, kind, players) for entry in value)
    return _turned_number(value, kind, players)


def _turned_number(value: int, kind: str, players: int) -> int:
    if kind == "seat" and value >= 0:
        return (value + 1) % players
    if kind == "seats" and value >= 0:
        return (value << 1 | value >> players - 1) & (1 << players) - 1
    return value
