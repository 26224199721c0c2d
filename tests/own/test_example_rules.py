"""The rules of strategies/examples/rules, beside a referee with the same rule, or by states."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simcore.batch import Cell, play
from simcore.catalogue import get_game
from simcore.compiler.program import program_of
from simcore.events import Step
from simcore.match import Match
from strategies import parse_strategy, policies
from tests.referee.uno import KEEP, UnoReferee
from tests.referee.updown import UpdownReferee
from tests.uno import following as uno_following
from tests.updown import following as updown_following

RULES = Path(__file__).resolve().parents[2] / "strategies" / "examples" / "rules"
NAMES = sorted(path.stem for path in RULES.glob("*.py"))
HAND = 7


def cell_of(name: str, **options: object) -> Cell:
    game = get_game(f"{name.partition('_')[0]}+{RULES / name}.py")
    resolved = game.resolve(options)
    policies(game)
    players = int(resolved["players"])  # type: ignore[call-overload]
    return Cell(game, resolved, (parse_strategy(game, "random"),) * players, seed=7)


def steps(cell: Cell, matches: int) -> Iterator[Step]:
    for match in range(matches):
        for event in Match(cell, match):
            if isinstance(event, Step):
                yield event


def without(options: Any, *names: str) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in ("rules", *names)}


# ---- UP & DOWN


class LastTrickTwice(UpdownReferee):
    def _take_trick(self, winner: int, worth: int, *, with_trump: bool) -> None:
        last = len(self.played) == self.hand_size
        super()._take_trick(winner, worth + last, with_trump=with_trump)


class OwnColourFirst(UpdownReferee):
    def legal_moves(self) -> list[tuple[object, ...]]:
        moves = super().legal_moves()
        matching = [move for move in moves if move[1:2] == (self.colour_of(self.on_turn),)]
        return matching if self.phase == "CARD" and matching else moves


@pytest.mark.parametrize(
    ("name", "referee"),
    [("updown_last_trick", LastTrickTwice), ("updown_own_colour", OwnColourFirst)],
)
@pytest.mark.parametrize("players", [2, 4])
def test_updown_beside_the_referee(
    monkeypatch: pytest.MonkeyPatch, name: str, referee: type[UpdownReferee], players: int
):
    monkeypatch.setattr(
        updown_following, "UpdownReferee", lambda options: referee(without(options))
    )
    cell = cell_of(name, players=players, rounds=2)
    scored = 0
    for match in range(3):
        row = updown_following.Follower(cell, match).run().row
        scored += sum(row[f"score_{seat}"] for seat in range(players)) + row["lost_tricks"]
        scored -= row["tricks"]
    assert scored == 0 if name == "updown_own_colour" else scored > 0


# ---- UNO


class DrawAndPass(UnoReferee):
    def legal_moves(self) -> list[tuple[Any, ...]]:
        return [KEEP] if self.phase == "DRAWN" else super().legal_moves()


class OutAtSome(UnoReferee):
    """Whoever holds so many cards when a turn begins is passed over for the rest of the round."""

    most = 12

    def start_round(self, deck: Any) -> None:
        self.out: set[int] = set()
        self.laid_down = False
        super().start_round(deck)

    def _seat_after(self, seat: int) -> int:
        following = super()._seat_after(seat)
        return self._seat_after(following) if following in self.out else following

    def _begin_turn(self, seat: int) -> None:
        for holder in range(self.players):
            if len(self.hands[holder]) >= self.most and len(self.out | {holder}) < self.players:
                self.out.add(holder)
        seat = self._seat_after(seat) if seat in self.out else seat
        if len(self.out) == self.players - 1:
            self.on_turn = seat
            self.discards[:0] = self.hands[seat]
            self.hands[seat].clear()
            self.laid_down = True
            self._finish()
        else:
            super()._begin_turn(seat)


class Following(uno_following.Follower):
    """Follows the pile, too, when the last one lays the hand down."""

    def compare_state(self, s: Any) -> None:
        if getattr(self.referee, "laid_down", False):
            self.pile = list(s.pile)
        super().compare_state(s)


@pytest.mark.parametrize(
    ("name", "referee", "options"),
    [("uno_draw_and_pass", DrawAndPass, {}), ("uno_out", OutAtSome, {"most": OutAtSome.most})],
)
@pytest.mark.parametrize("players", [2, 4])
def test_uno_beside_the_referee(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    referee: type[UnoReferee],
    options: dict[str, int],
    players: int,
):
    def made(given: Any, *more: Any) -> UnoReferee:
        return referee(without(given, *options), *more)

    monkeypatch.setattr(uno_following, "UnoReferee", made)
    cell = cell_of(name, players=players, rounds=2, turn_cap=400, **options)
    for match in range(2):
        Following(cell, match).run()


def test_two_equal_cards_are_laid_at_once():
    cell = cell_of("uno_pairs", players=3, rounds=1)
    both = single = 0
    for step in steps(cell, 2):
        s, after, seat = step.s, step.after.s, step.seat
        if s.phase != program_of(cell.game).decisions["BOTH"]:
            continue
        kind, laid = s.pair, len(s.hand[seat]) - len(after.hand[seat])
        assert step.moves == (0, 1)
        assert kind % 16 <= 9
        assert sum(card % 64 == kind for card in s.hand[seat]) >= 2
        assert laid == 1 + step.move
        assert after.top == kind
        assert all(card % 64 == kind for card in s.hand[seat] - after.hand[seat])
        both += step.move
        single += not step.move
    assert both
    assert single


# ---- Up


def test_a_collapse_ends_the_turn():
    collapses = 0
    for step in steps(cell_of("up_collapse_passes", players=3, rounds=1), 1):
        before, after = step.s, step.after.s
        if after.count.collapses > before.count.collapses and after.phase == before.phase:
            collapses += 1
            assert after.seat == (step.seat + 1) % 3
            assert after.cap == 0
    assert collapses


def test_a_tower_is_taken_up_in_part():
    cell = cell_of("up_light_collapse", players=3, rounds=1, taken_up=2)
    few = many = 0
    for step in steps(cell, 1):
        before, after, seat = step.s, step.after.s, step.seat
        if after.count.collapses == before.count.collapses:
            continue
        tower = len(before.tower) + len(after.laid)
        taken = min(tower, 2)
        assert len(after.cleared) - len(before.cleared) == tower - taken
        assert after.cards_left[seat] == before.cards_left[seat] - len(after.laid) + taken
        few += tower <= 2
        many += tower > 2
    assert few
    assert many


@pytest.mark.whole
@pytest.mark.parametrize("name", NAMES)
def test_a_rule_gives_the_same_rows_compiled_as_in_python(name: str):
    cell = cell_of(name)
    block = play(cell, 0, 24).columns()
    playback = Match(cell, 23)
    for _ in playback:
        pass
    assert playback.row() == {column: int(block[column][23]) for column in block}
