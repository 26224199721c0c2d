"""What must hold whatever is played: cards are kept, one set a size, turning twice is nothing.

Statistical bounds are beyond what a fair game does with p > 1e-7; seeds are fixed.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations, islice

import numpy as np
import pytest

from simcore.batch import Cell, play
from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from simcore.events import RoundStart, Step
from simcore.games.dnup import charts, rules
from simcore.games.dnup.charts import VALUES
from simcore.match import Match
from tests.dnup.decks import write_decks
from tests.dnup.following import DNUP
from tests.dnup.players import COLLECTOR, HASTY
from tests.players import RANDOM_PLAYER

OPTIONS = (
    *({"players": players} for players in (2, 3, 4, 5)),
    {"players": 2, "win_on_playing": False, "deck": "c"},
    {"players": 3, "deck": "crowded", "markers_to_win": 1},
    {"players": 4, "deck": "uneven"},
    {"players": 2, "turn_hand": False, "take_up": False, "equal_beats": True},
    {"players": 4, "turn_on_taking": False, "round_start": "winner", "first_out_markers": 5},
)


def cell_of(options, *, seats=(HASTY,), seed=1):
    resolved = DNUP.resolve(options)
    players = int(resolved["players"])
    return Cell(DNUP, resolved, tuple(seats[seat % len(seats)] for seat in range(players)), seed)


def everything(s):
    """Every card in play, wherever it is."""
    return sorted(card for cards in (*s.hand, *s.lying, s.discards) for card in cards)


class TestConservation:
    @pytest.mark.parametrize("options", OPTIONS)
    def test_no_card_is_lost_or_doubled_and_sets_differ_in_size(self, options, tmp_path):
        deck = write_decks(tmp_path).get(str(options.get("deck")), options.get("deck", "a"))
        cell = cell_of(options | {"deck": deck}, seats=(HASTY, COLLECTOR))
        playback, cards = Match(cell, 1), []
        for event in playback:
            if isinstance(event, RoundStart):
                cards = everything(event.s)
                assert len(cards) == len(set(cards)) == playback.plain.o.deck_size
            elif isinstance(event, Step):
                assert everything(event.after.s) == cards
                sizes = [len(lying) for lying in event.after.s.lying if lying]
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


@pytest.mark.parametrize("options", OPTIONS[:4])
def test_the_deal_is_the_same_under_every_policy(options):
    def deals(seats):
        cell = cell_of(options, seats=seats)
        starts = (event for event in Match(cell, 1) if isinstance(event, RoundStart))
        return [everything_held(start) for start in islice(starts, 2)]

    first, other = deals((RANDOM_PLAYER,)), deals((HASTY,))
    assert first[: len(other)] == other[: len(first)]


def everything_held(start):
    return [(tuple(hand), tuple(hand & start.s.flipped)) for hand in start.s.hand]


@pytest.fixture(scope="module")
def words_of_charts():
    """The functions on charts, as ordinary Python."""
    plain = Plain(program_of(DNUP), DNUP.resolve({}))
    functions = (charts.subset, charts.rank_of, charts.row_starts)
    return {function.__name__: partial(plain.run, plain.add(function)) for function in functions}


@pytest.mark.parametrize("of", [1, 2, 3, 5, 6, 7, 9, 12])
def test_subsets_are_counted_in_lexicographic_order(of, words_of_charts):
    cards = sum(1 << (3 * place) for place in range(of))
    places = [3 * place for place in range(of)]
    for count in range(1, of + 1):
        for rank, chosen in enumerate(combinations(places, count)):
            result = words_of_charts["subset"](cards, count, rank)
            assert result == sum(1 << place for place in chosen)
            assert words_of_charts["rank_of"](cards, result) == rank
        assert charts.CHOOSE[of][count] == rank + 1


def test_row_starts_of_every_bit(words_of_charts):
    for row in range(charts.ROWS - 1):
        for value in range(VALUES):
            bit = 1 << (VALUES * row + value)
            assert words_of_charts["row_starts"](bit) == 1 << (VALUES * row)
    assert words_of_charts["row_starts"](0) == 0


@pytest.mark.parametrize("options", OPTIONS)
def test_actions_at_a_glance_are_those_found_by_looking(options, tmp_path):
    """Charts say of all sets at once what `is_legal_action` says of each."""
    deck = write_decks(tmp_path).get(str(options.get("deck")), options.get("deck", "a"))
    playback = Match(cell_of(options | {"deck": deck}, seats=(RANDOM_PLAYER,)), 5)
    is_legal = playback.plain.functions["is_legal_action"]
    for number, event in enumerate(playback):
        if isinstance(event, Step) and event.s.phase == rules.ACTION and number % 25 == 0:
            result = [
                move for move in range(rules.LAST_ACTION) if is_legal(event.s, event.seat, move)
            ]
            assert result == list(event.moves)
