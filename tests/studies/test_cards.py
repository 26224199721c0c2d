"""Which card is too strong: planted cards are found, and nothing where there is nothing."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from simcore.batch import Cell, play
from simcore.compiler.plain import Match
from simcore.game import get_game
from strategies import parse_strategy, policies
from studies.answers.cards import card_answers, counts_cards

GAMES = Path(__file__).resolve().parents[2] / "docs" / "games"
NAME = f"{GAMES / 'eights.py'}+cards"
SEATS = ("saver", "random", "random")
WORDS = 2


def cell_of(seats: tuple[str, ...] = SEATS) -> Any:
    names: dict[str, Any] = {"id": "x", "game": NAME, "seats": seats, "rotations": 1}
    return SimpleNamespace(**names, variant="baseline", lineup="", point={}, options={})


def dealt(seed: int, deals: int, effect: float, card: int = 5) -> dict[str, Any]:
    """Return rows in which cards are dealt at random, and who is dealt one wins more often."""
    rng = np.random.default_rng(seed)
    cards = np.array(get_game(NAME).rules().deck.cards)
    columns: dict[str, Any] = {
        "match": np.arange(deals),
        "first_seat": rng.integers(0, 3, deals).astype(np.uint8),
        "aborted": np.zeros(deals, bool),
    }
    order = rng.permuted(np.tile(cards, (deals, 1)), axis=1)[:, :15].reshape(deals, 3, 5)
    chance = np.tile([0.5, 0.3, 0.2], (deals, 1)) + effect * (order == card).any(axis=2)
    chance /= chance.sum(axis=1, keepdims=True)
    winner = (rng.random((deals, 1)) > np.cumsum(chance, axis=1)).sum(axis=1)
    columns["winners"] = (1 << winner).astype(np.uint16)
    for seat in range(3):
        columns[f"score_{seat}"] = np.zeros(deals, np.int32)
        for word in range(WORDS):
            inside = order[:, seat] // 31 == word
            bits = (inside << (order[:, seat] % 31)).sum(axis=1)
            for name in ("card_dealt", "card_drawn", "card_played"):
                columns[f"{name}_{seat * WORDS + word}"] = bits.astype(np.int32)
    return columns


def test_a_card_that_makes_who_is_dealt_it_win_is_found():
    columns = dealt(1, 20_000, 0.3)
    found = card_answers(cell_of(), columns).filter(when="dealt")
    strongest = found.sort("less_usual", descending=True)
    name = get_game(NAME).rules().deck.name(5)
    assert strongest["card"][0] == name
    assert strongest["p_holm"][0] < 1e-6
    assert strongest["low"][0] > 0.05
    assert found.filter(found["p_holm"] < 0.01).height == 1
    # By hand: what seats win with the card, less what each seat wins in all.
    won = np.stack([columns["winners"] >> seat & 1 for seat in range(3)], axis=1)
    has = np.stack([columns[f"card_dealt_{seat * WORDS}"] >> 5 & 1 for seat in range(3)], axis=1)
    key = np.stack(
        [(seat > 0) * 3 + (seat - columns["first_seat"].astype(int)) % 3 for seat in range(3)],
        axis=1,
    )
    usual = np.array([won[key == k].mean() if (key == k).any() else 0 for k in range(6)])
    by_hand = (has * (won - usual[key])).sum() / has.sum()
    assert strongest["less_usual"][0] == pytest.approx(by_hand, abs=1e-12)
    assert strongest["times"][0] == has.sum()


def test_the_interval_of_a_card_is_that_of_leaving_deals_out():
    """What seats win in all is estimated, too, from the same deals."""
    deals = 400
    columns = dealt(2, deals, 0.0)
    # Card 3 goes to seat 0 alone, in every other deal, so that it is half of what that seat wins.
    for seat in range(3):
        column = columns[f"card_dealt_{seat * WORDS}"]
        column[:] = column & ~(1 << 3) | (np.arange(deals) % 2 << 3 if seat == 0 else 0)
    found = card_answers(cell_of(), columns).filter(when="dealt")
    won = np.stack([columns["winners"] >> seat & 1 for seat in range(3)], axis=1)
    first = columns["first_seat"].astype(int)
    key = np.stack([(seat > 0) * 3 + (seat - first) % 3 for seat in range(3)], axis=1)
    deck = get_game(NAME).rules().deck
    for card in (3, 5, 40):
        words = [columns[f"card_dealt_{seat * WORDS + card // 31}"] for seat in range(3)]
        has = np.stack([word >> card % 31 & 1 for word in words], axis=1)

        def less_usual(kept, has=has):
            usual = [won[kept][key[kept] == k].mean() for k in range(6) if (key[kept] == k).any()]
            every = np.zeros(6)
            every[[k for k in range(6) if (key[kept] == k).any()]] = usual
            return (has[kept] * (won[kept] - every[key[kept]])).sum() / has[kept].sum()

        left = np.array([less_usual(np.arange(deals) != deal) for deal in range(deals)])
        error = np.sqrt((deals - 1) / deals * np.square(left - left.mean()).sum())
        row = found.filter(card=deck.name(card)).to_dicts()[0]
        assert (row["high"] - row["low"]) / 2 == pytest.approx(1.966 * error, rel=0.02)


NOTHING = '''"""Nothing: cards are dealt, drawn and laid, and chance decides who wins."""

from cardlab.rules import *

deck = cards_of(suits=("red", "blue"), ranks=range(10))
players = 3


class State:
    stock = hidden(all_cards)
    hand = own(cards)
    gone = shown(cards)


def deal(s):
    for one in seats():
        draw(s.stock, s.hand[one], 3)


def legal(s, seat):
    return s.hand[seat]


def apply(s, seat, card):
    move(card, s.hand[seat], s.gone)
    if s.stock and below(s, CHANCE, 2):
        draw(s.stock, s.hand[seat])


def ended(s, seat):
    return len(s.gone) == 9


def score(s):
    lucky = below(s, CHANCE, 4)
    s.points[lucky % players] = 1


@policy
def low(s, seat, moves):
    return lowest(moves)
'''
STUDIES = 200
MOST = 23
"""Of 200, 5 % and what chance adds with a probability of 1 in 10,000."""


@pytest.mark.whole
def test_nothing_is_found_where_no_card_matters(tmp_path: Path):
    file = tmp_path / "nothing.py"
    file.write_text(NOTHING)
    name = f"{file}+cards"
    game = get_game(name)
    policies(game)
    seats = ("low", "random", "random")
    table = SimpleNamespace(**{**vars(cell_of(seats)), "game": name})
    lineup = tuple(parse_strategy(game, one) for one in seats)
    false = dict.fromkeys(("dealt", "drawn", "played"), 0)
    for seed in range(STUDIES):
        block = play(Cell(game, game.resolve({}), lineup, seed), 0, 800)
        found = card_answers(table, block.columns())
        assert set(found["when"]) == set(false), "each card is told in each way"
        for when in found.filter(found["p_holm"] < 0.05)["when"].unique():
            false[when] += 1
    assert max(false.values()) <= MOST, false


def test_cards_are_counted_as_a_replay_shows_them():
    game = get_game(NAME)
    options = game.resolve({"players": 3})
    policies(game)
    cell = Cell(game, options, tuple(parse_strategy(game, name) for name in SEATS), seed=1)
    columns = play(cell, 0, 25).columns()
    assert counts_cards(cell_of())
    for match in range(20, 25):
        start, played = None, [set() for _ in range(3)]
        for event in Match(cell, match):
            start = start or event.s
            if type(event).__name__ == "Step" and event.s.phase == 2 and event.moves:
                played[event.seat].add(event.move)
        for seat in range(3):
            told = [
                {
                    31 * word + bit
                    for word in range(WORDS)
                    for bit in range(31)
                    if int(columns[f"{name}_{seat * WORDS + word}"][match]) >> bit & 1
                }
                for name in ("card_dealt", "card_drawn", "card_played")
            ]
            had = set(start.hand[seat])
            assert told[0] | told[1] >= had
            assert played[seat] == told[2]
            assert told[2] <= told[0] | told[1]
