"""Places of cards: in an order, face down and looked at, shown to partners or to neighbours; teams.

`games/rows.py` has all that places in an order can do, `games/pairs.py` all that teams can see.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import cardlab
from simcore.batch import Cell, play
from simcore.events import Step
from simcore.match import Match
from studies.check.gamecheck import check_game
from studies.check.moments import At, exchanged
from tests.own.small import cell_of, write


@pytest.fixture
def rows(tmp_path: Path) -> str:
    return write(tmp_path, "rows.py")


@pytest.fixture
def pairs(tmp_path: Path) -> str:
    return write(tmp_path, "pairs.py")


def steps(cell: Cell, match: int) -> Iterator[Step]:
    return (event for event in Match(cell, match).events() if isinstance(event, Step))


def test_a_place_in_order_is_a_list_with_what_each_seat_has_seen(rows: str):
    plain = Match(cell_of(rows), 0).plain
    s = plain.start_match(1, 0)
    place, word = s._stock, plain.unit.word
    chance = random.Random(3)  # noqa: S311 (no secret)
    model = list[tuple[int, int]]()
    out = list(range(40))
    for _ in range(3000):
        k = chance.randrange(len(model) + 1)
        match chance.choice(["in", "out", "cut", "look"]):
            case "in" if out:
                card, seats = out.pop(chance.randrange(len(out))), chance.randrange(8)
                word("_lay")(s, place, card, seats, k)
                model.insert(k, (card, seats))
            case "out" if model:
                card, seats = model.pop(k % len(model))
                assert word("_taken")(s, plain.o, place, card) == seats
                out.append(card)
            case "cut":
                word("cut")(s, place, k)
                model = model[k:] + model[:k]
            case "look" if model:
                k %= len(model)
                word("look")(s, 1, place, k)
                model[k] = model[k][0], model[k][1] | 2
        assert [word("top")(s, place, k) for k in range(len(model))] == [card for card, _ in model]
        assert list(reversed(s.stock.seen)) == [seats for _, seats in model]


DECK_OF_200 = ("french_deck()", "numbered(200)")
TWO_PACKS = ("french_deck()", "cards_of('abc', range(9), packs=2)")
UNEQUAL = (("teams = 2", "teams = ((0,), (1, 2, 3))"), ("partner(seat)", "seat"))


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "changes", "seats"),
    [
        ("rows.py", (), "passed"),
        ("rows.py", (TWO_PACKS,), "passed"),
        ("rows.py", (DECK_OF_200,), "passed"),
        ("pairs.py", (), "passed"),
        ("pairs.py", UNEQUAL, "not tested"),
    ],
)
def test_a_game_passes_its_check(name, changes, seats, tmp_path: Path):
    verdicts = {verdict.test: verdict for verdict in check_game(write(tmp_path, name, *changes))}
    assert not [verdict for verdict in verdicts.values() if verdict.failed]
    assert verdicts["compiled"].verdict == verdicts["hidden cards"].verdict == "passed"
    assert verdicts["seats"].verdict == seats


@pytest.mark.whole
@pytest.mark.parametrize("deck", [(), (TWO_PACKS,), (DECK_OF_200,)])
def test_scores_of_rows_differ_from_match_to_match(deck, tmp_path: Path):
    block = play(cell_of(write(tmp_path, "rows.py", *deck)), 0, 500)
    assert len(set(block.scores[0])) > 200


def test_a_deal_of_the_unseen_leaves_what_a_seat_has_seen(rows: str):
    match = Match(cell_of(rows, players=2), 2)
    deck = sorted(match.cell.game.rules().deck.cards)
    known = 0
    for event in match.events():
        if not isinstance(event, Step):
            continue
        s, seat = event.s, event.seat
        for word in range(1, 5):
            other = s.copy()
            match.plain.deal_unseen(other, seat, (word, 3))
            for before, after in zip((s.stock, *s.row), (other.stock, *other.row), strict=True):
                assert before.seen == after.seen
                for card, new, seats in zip(before.order, after.order, before.seen, strict=True):
                    assert card == new or not seats >> seat & 1
                    known += seats >> seat & 1
            assert other.spare[seat] == s.spare[seat]
            assert [p.order for p in other.spare[seat]] == [p.order for p in s.spare[seat]]
            spare = (pile for pair in other.spare for pile in pair)
            piles = (other.stock, other.waste, *other.row, *other.hand, *spare)
            assert sorted(card for pile in piles for card in pile) == deck
    assert known > 50


def test_a_deal_of_the_unseen_leaves_what_a_seat_is_shown(pairs: str):
    match = Match(cell_of(pairs), 0)
    changed = set()
    for event in match.events():
        if not isinstance(event, Step):
            continue
        s, seat = event.s, event.seat
        before, after, mate = (seat - 1) % 4, (seat + 1) % 4, (seat + 2) % 4
        for word in range(1, 6):
            other = s.copy()
            match.plain.deal_unseen(other, seat, (word, 1))
            assert (other.hand[seat], other.hand[mate]) == (s.hand[seat], s.hand[mate])
            assert other.peek[before] == s.peek[before]
            assert all(other.brow[k] == s.brow[k] for k in range(4) if k != seat)
            places = {"brow": seat, "peek": after, "hand": after}
            changed |= {
                name for name, k in places.items() if getattr(other, name)[k] != getattr(s, name)[k]
            }
    assert changed == {"brow", "peek", "hand"}


@pytest.mark.whole
@pytest.mark.parametrize(("name", "players"), [("rows.py", 2), ("pairs.py", 4)])
def test_search_decides_by_what_its_seat_sees(name: str, players: int, tmp_path: Path):
    cell = cell_of(write(tmp_path, name), "search(rollouts=8),random", players=players)
    match = Match(cell, 0)
    chance, decisions = random.Random(1), 0  # noqa: S311 (no secret)
    for event in match.events():
        if isinstance(event, Step) and event.chosen and event.seat % 2 == 0:
            other = exchanged(At(None, match, event), chance)
            assert match.ask(event.moves, event.s.copy()) == match.ask(event.moves, other)
            decisions += 1
    assert decisions > 2


@pytest.mark.whole
@pytest.mark.parametrize("guessed", ["top", "partner"])
def test_search_keeps_what_its_seat_has_seen(guessed: str, tmp_path: Path):
    name = write(tmp_path, "seen.py")
    block = play(cell_of(name, "search(rollouts=16)", what=guessed), 0, 60)
    assert (block.scores == 2).all()


@pytest.mark.whole
def test_search_plays_for_its_team(tmp_path: Path):
    name = write(tmp_path, "gifts.py")
    lines = cardlab.play(name, lineup=["search(rollouts=64)", "random"]).lines
    ways = [line for line in lines if re.match(r"\d+\. seat [02]\b", line)]
    assert len(ways) == 6
    assert all(": way 1;" in line for line in ways)


def test_a_transcript_shows_the_order(rows: str):
    lines = cardlab.play(rows, lineup="random", players=2).lines
    (dealt,) = [line for line in lines if line.startswith("seat 0 has ") and "row" in line]
    cell = cell_of(rows, players=2)
    s, deck = next(iter(Match(cell, 0).events())).s, cell.game.rules().deck
    row = " ".join(deck.name(card) for card in reversed(s.row[0].order))  # from the top
    assert dealt.startswith(f"seat 0 has {row} in row")


def test_a_transcript_says_what_comes_to_a_pile_and_what_goes(rows: str):
    cell, changes = cell_of(rows, players=2), 0
    lines = [line for line in cardlab.play(rows, players=2, match=3) if ". seat " in line]
    deck = cell.game.rules().deck
    for step, line in zip(steps(cell, 3), lines, strict=True):
        before, now = (s.waste.order for s in (step.s, step.after.s))
        assert ("the waste" in line) == (before != now)
        for card in {*before} ^ {*now}:
            assert deck.name(card) in line
        changes += before != now
    assert changes > 3


@pytest.mark.whole
def test_partners_win_together_with_one_total(pairs: str):
    block = play(cell_of(pairs, "helper,random"), 0, 2000)
    assert set(block.winners.ravel()) <= {0b0101, 0b1010, 0b1111}
    assert (block.scores[0] == block.scores[2]).all()
    assert (block.scores[0] + block.scores[1] == 3).all()
    last = cardlab.play(pairs, lineup=["helper", "random"]).lines[-1]
    assert " win together with" in last


@pytest.mark.whole
def test_teams_may_be_any_seats(tmp_path: Path):
    block = play(cell_of(write(tmp_path, "pairs.py", *UNEQUAL)), 0, 300)
    assert set(block.winners.ravel()) <= {0b0001, 0b1110, 0b1111}
