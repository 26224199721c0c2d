"""What must hold whatever is played: cards are kept, one set a size, turning twice is nothing.

Statistical bounds are beyond what a fair game does with p > 1e-7; seeds are fixed.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from simcore import bits as bit_words
from simcore.batch import Cell, play
from simcore.games.dnup import cards as charts
from simcore.games.dnup.deck import VALUES
from simcore.jit import kernel
from simcore.replay import Playback, RoundStart, Step
from tests.dnup.decks import write_decks
from tests.dnup.following import DNUP, bits
from tests.dnup.players import COLLECTOR, HASTY
from tests.players import RANDOM_PLAYER

OPTIONS = (
    *({"players": players} for players in (2, 3, 4, 5)),
    {"players": 2, "win_on_playing": False, "deck": "c"},
    {"players": 3, "deck": "crowded"},
    {"players": 4, "deck": "uneven"},
    {"players": 2, "turn_hand": False, "take_up": False, "equal_beats": True},
    {"players": 4, "turn_on_taking": False, "round_start": "winner", "first_out_markers": 5},
)


def cell_of(options, *, seats=(HASTY,), seed=1):
    resolved = DNUP.resolve(options)
    players = int(resolved["players"])
    return Cell(DNUP, resolved, tuple(seats[seat % len(seats)] for seat in range(players)), seed)


def everything(table, box):
    """Every card in play, wherever it is."""
    cards = bits(table.discards)
    for seat in range(table.players):
        cards += bits(box.seats[seat].up) + bits(box.seats[seat].down)
    for lying in table.set_cards.tolist():
        cards += bits(lying)
    return sorted(cards)


class TestConservation:
    @pytest.mark.parametrize("options", OPTIONS)
    def test_cards_are_neither_lost_nor_doubled(self, options, tmp_path):
        deck = write_decks(tmp_path).get(str(options.get("deck")), options.get("deck", "a"))
        cell = cell_of(options | {"deck": deck}, seats=(HASTY, COLLECTOR))
        for match in range(3):
            for event in Playback(cell, match):
                if isinstance(event, RoundStart | Step):
                    state = event if isinstance(event, RoundStart) else event.after
                    assert everything(state.table, state.box) == bits(state.table.in_play)
                    held = [seat.up & seat.down for seat in state.box.seats]
                    assert not any(held)

    @pytest.mark.parametrize("options", OPTIONS[:4])
    def test_at_most_one_set_of_each_size(self, options):
        cell = cell_of(options)
        for match in range(3):
            for event in Playback(cell, match):
                if isinstance(event, Step):
                    sizes = [cards.bit_count() for cards in event.after.table.set_cards.tolist()]
                    sizes = [size for size in sizes if size]
                    assert len(set(sizes)) == len(sizes)


class TestMetrics:
    @pytest.mark.parametrize("players", [2, 3, 4, 5])
    def test_they_add_up(self, players):
        columns = play(cell_of({"players": players}, seats=(RANDOM_PLAYER,)), 0, 500).columns()
        actions = ("sets_played", "cards_added", "sets_taken", "turns_over")
        assert np.array_equal(sum(columns[name] for name in actions), columns["turns"])
        assert (columns["sets_beaten"] <= columns["sets_played"] + columns["cards_added"]).all()
        total = sum(columns[f"score_{seat}"] for seat in range(players))
        if players == 2:
            assert np.array_equal(total, columns["rounds"])
        else:
            # A round gives three markers; the last one two, three or, if won by a second, three.
            rest = total - 3 * (columns["rounds"] - 1)
            assert set(rest.tolist()) <= {2, 3}

    def test_the_star_decides_who_begins(self):
        first = play(cell_of({"players": 4}, seats=(RANDOM_PLAYER,)), 0, 4000).first_seat
        count = np.bincount(first, minlength=4)
        assert np.abs(count - 1000).max() < 6 * np.sqrt(750)


@pytest.mark.parametrize("options", OPTIONS[:4])
def test_the_deal_is_the_same_under_every_policy(options):
    def deals(seats):
        cell = cell_of(options, seats=seats)
        starts = [event for event in Playback(cell, 1) if isinstance(event, RoundStart)]
        return [everything_held(start) for start in starts[:2]]

    one, other = deals((RANDOM_PLAYER,)), deals((HASTY,))
    assert one[: len(other)] == other[: len(one)]


def everything_held(start):
    return [(int(seat.up), int(seat.down)) for seat in start.box.seats[: start.table.players]]


@pytest.mark.parametrize("of", [1, 2, 3, 5, 6, 7, 9, 12])
def test_subsets_are_counted_in_lexicographic_order(of):
    cards = sum(1 << (3 * place) for place in range(of))
    places = [3 * place for place in range(of)]
    for count in range(1, of + 1):
        for rank, chosen in enumerate(combinations(places, count)):
            found = int(subset(cards, of, count, rank))
            assert found == sum(1 << place for place in chosen)
            assert int(charts.rank_of(cards, found)) == rank
        assert int(charts.CHOOSE[of, count]) == rank + 1


@kernel
def subset(cards, of, count, rank):
    return charts.subset(cards, of, count, rank)


@kernel
def row_starts(chart):
    return charts.row_starts(chart)


@kernel
def deposit(pattern, word):
    return bit_words.deposit(pattern, word)


@kernel
def extract(chosen, word):
    return bit_words.extract(chosen, word)


def test_row_starts_of_every_bit():
    for row in range(charts.ROWS - 1):
        for value in range(VALUES):
            bit = 1 << (VALUES * row + value)
            assert int(row_starts(bit)) == 1 << (VALUES * row)
    assert int(row_starts(0)) == 0


def test_deposit():
    word = 0b1011_0110
    numbers = [place for place in range(8) if word >> place & 1]
    for pattern in range(32):
        expected = sum(1 << place for i, place in enumerate(numbers) if pattern >> i & 1)
        assert int(deposit(pattern, word)) == expected


def test_extract():
    word = 0b1011_0110
    for pattern in range(32):
        assert int(extract(deposit(pattern, word) | ~word, word)) == pattern
