"""Which card is too strong: planted cards are found, and nothing where there is nothing."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from simcore.batch import Cell, play
from simcore.catalogue import get_game
from simcore.match import Match
from strategies import parse_strategy, policies
from studies.answers.cards import card_answers, counts_cards

GAMES = Path(__file__).resolve().parents[2] / "docs" / "games"
EIGHTS = f"{GAMES / 'eights.py'}+cards"
SEATS = ("saver", "random", "random")
WORDS = 2
WAYS = ("dealt", "drawn", "played")


def cell_of(game=EIGHTS, seats=SEATS):
    place = {"variant": "baseline", "lineup": "", "point": {}, "options": {}}
    return SimpleNamespace(id="x", game=game, seats=seats, rotations=1, **place)


def game_cell(name, seats, seed=1, **options):
    """Return a cell to be played."""
    game = get_game(name)
    policies(game)
    lineup = tuple(parse_strategy(game, policy) for policy in seats)
    return Cell(game, game.resolve(options), lineup, seed)


def dealt(seed, deals, effect):
    """Return rows in which cards are dealt at random, and who is dealt card 5 wins more often."""
    rng = np.random.default_rng(seed)
    cards = np.array(get_game(EIGHTS).rules().deck.cards)
    first_seat = rng.integers(0, 3, deals).astype(np.uint8)
    order = rng.permuted(np.tile(cards, (deals, 1)), axis=1)[:, :15].reshape(deals, 3, 5)
    chance = np.tile([0.5, 0.3, 0.2], (deals, 1)) + effect * (order == 5).any(axis=2)
    chance /= chance.sum(axis=1, keepdims=True)
    winner = (rng.random((deals, 1)) > np.cumsum(chance, axis=1)).sum(axis=1)
    columns = {
        "match": np.arange(deals),
        "first_seat": first_seat,
        "aborted": np.zeros(deals, bool),
        "winners": (1 << winner).astype(np.uint16),
        **{f"score_{seat}": np.zeros(deals, np.int32) for seat in range(3)},
    }
    for seat, word in np.ndindex(3, WORDS):
        inside = order[:, seat] // 31 == word
        bits = (inside << (order[:, seat] % 31)).sum(axis=1).astype(np.int32)
        columns |= {f"card_{kind}_{seat * WORDS + word}": bits.copy() for kind in WAYS}
    return columns


def less_usual(columns, card, kept=slice(None)):
    """Return what seats win with a card less what each seat wins in all, and how often it came."""
    won = np.stack([columns["winners"] >> seat & 1 for seat in range(3)], axis=1)[kept]
    words = [columns[f"card_dealt_{seat * WORDS + card // 31}"] for seat in range(3)]
    has = np.stack([word >> card % 31 & 1 for word in words], axis=1)[kept]
    first = columns["first_seat"].astype(int)
    place = np.stack([(seat > 0) * 3 + (seat - first) % 3 for seat in range(3)], axis=1)[kept]
    usual = np.array([won[place == k].mean() if (place == k).any() else 0 for k in range(6)])
    return (has * (won - usual[place])).sum() / has.sum(), has.sum()


def test_a_card_that_makes_who_is_dealt_it_win_is_found():
    columns = dealt(1, 20_000, 0.3)
    rows = card_answers(cell_of(), columns).filter(when="dealt")
    strongest = rows.sort("less_usual", descending=True).row(0, named=True)
    assert strongest["card"] == get_game(EIGHTS).rules().deck.name(5)
    assert strongest["p_holm"] < 1e-6
    assert strongest["low"] > 0.05
    assert rows.filter(rows["p_holm"] < 0.01).height == 1
    by_hand, times = less_usual(columns, 5)
    assert strongest["less_usual"] == pytest.approx(by_hand, abs=1e-12)
    assert strongest["times"] == times


def test_the_interval_of_a_card_is_that_of_leaving_deals_out():
    """What seats win in all is estimated, too, from the same deals."""
    deals = 400
    columns = dealt(2, deals, 0.0)
    # Card 3 goes to seat 0 alone, in every other deal, so that it is half of what that seat wins.
    for seat in range(3):
        column = columns[f"card_dealt_{seat * WORDS}"]
        column[:] = column & ~(1 << 3) | (np.arange(deals) % 2 << 3 if seat == 0 else 0)
    rows = card_answers(cell_of(), columns).filter(when="dealt")
    deck = get_game(EIGHTS).rules().deck
    for card in (3, 5, 40):
        left = [less_usual(columns, card, np.arange(deals) != deal)[0] for deal in range(deals)]
        error = np.sqrt((deals - 1) / deals * np.square(left - np.mean(left)).sum())
        row = rows.filter(card=deck.name(card)).row(0, named=True)
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
def test_nothing_is_found_where_no_card_matters(tmp_path):
    file = tmp_path / "nothing.py"
    file.write_text(NOTHING)
    name, seats = f"{file}+cards", ("low", "random", "random")
    false = dict.fromkeys(WAYS, 0)
    for seed in range(STUDIES):
        columns = play(game_cell(name, seats, seed), 0, 800).columns()
        rows = card_answers(cell_of(name, seats), columns)
        assert set(rows["when"]) == set(WAYS), "each card is told in each way"
        for kind in rows.filter(rows["p_holm"] < 0.05)["when"].unique():
            false[kind] += 1
    assert max(false.values()) <= MOST, false


@pytest.mark.usefixtures("in_plain")
def test_cards_are_counted_as_a_replay_shows_them():
    assert counts_cards(cell_of())
    cell = game_cell(EIGHTS, SEATS, players=3)
    columns = play(cell, 0, 25).columns()

    def counted(kind, seat, match):
        words = [int(columns[f"card_{kind}_{seat * WORDS + w}"][match]) for w in range(WORDS)]
        return {31 * w + bit for w in range(WORDS) for bit in range(31) if words[w] >> bit & 1}

    for match in range(20, 25):
        start, played = None, [set() for _ in range(3)]
        for event in Match(cell, match):
            start = start or event.s
            if type(event).__name__ == "Step" and event.s.phase == 2 and event.moves:
                played[event.seat].add(event.move)
        for seat in range(3):
            of_deal, of_stock, laid = (counted(kind, seat, match) for kind in WAYS)
            assert of_deal | of_stock >= set(start.hand[seat])
            assert played[seat] == laid
            assert laid <= of_deal | of_stock
