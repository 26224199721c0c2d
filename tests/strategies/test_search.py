"""The search samples what it cannot see, and no better than chance; and it plays well."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simcore.batch import Cell, play
from simcore.game import game_names, get_game
from simcore.replay import Playback
from strategies import parse_lineup, policies, seat_lineup

SEARCHING = [
    name for name in game_names() if any(one.name == "search" for one in policies(get_game(name)))
]


def cell_of(game, lineup, seed=3, **options):
    known = get_game(game)
    resolved = known.resolve(options)
    seats = seat_lineup(parse_lineup(known, lineup), int(resolved["players"]))
    return Cell(known, resolved, seats, seed)


def test_every_game_can_be_searched():
    assert set(SEARCHING) == set(game_names())


@pytest.mark.parametrize("game", SEARCHING)
def test_it_beats_random_play(game):
    cell = cell_of(game, "search(deals=8),random")
    block = play(cell, 0, 40)
    won = sum(
        float(np.sum((block.winners >> seat & 1) / np.maximum(np.bitwise_count(block.winners), 1)))
        for seat in range(0, cell.players, 2)
    )
    assert won / 40 > 0.7


@pytest.mark.parametrize("game", SEARCHING)
def test_it_plays_the_same_again(game):
    cell = cell_of(game, "search(deals=4)")
    one, other = play(cell, 5, 2), play(cell, 5, 2, threads=2)
    assert np.array_equal(one.scores, other.scores)
    assert np.array_equal(one.metrics, other.metrics)


class TestUp:
    """`deal_unseen` of Up."""

    @pytest.mark.parametrize(
        "options", [{}, {"players": 2, "extra_set": True}, {"players": 7, "minus_two": False}]
    )
    def test_sampled_cards_are_possible_and_no_better_than_chance(self, options):
        room = get_game("up").room("unseen")
        table_room = get_game("up").room("table")
        cell = cell_of("up", "all_rounder", **options)
        stream = np.array([1, 3], dtype=np.uint64)
        found = expected = variance = 0.0
        for match in range(12):
            playback = Playback(cell, match)
            for number, step in enumerate(playback):
                if number % 9 or not hasattr(step, "move") or step.table.phase != table_room.PLAY:
                    continue
                table, truth = step.table, step.box
                me = int(table.seat)
                seat = truth.seats[me]
                sample = table_room.new_records(cell.options)[1][0]
                room.deal_unseen(table, seat, sample, stream)
                check_sample(table, truth, sample, me)
                unseen = int(table.pack_size) - seen_cards(table, seat)
                for other in range(cell.players):
                    for i in range(int(table.hidden_cards[other])):
                        found += sample.hidden[other, i] == truth.hidden[other, i]
                        expected += 1 / unseen
                        variance += 1 / unseen
        assert expected > 30
        assert abs(found - expected) < 4 * math.sqrt(variance)


def bits(cards):
    return sum(int(word).bit_count() for word in np.atleast_1d(cards))


def seen_cards(table, seat):
    seen = np.array(table.tower) | table.cleared | seat.hand
    for other in range(int(table.players)):
        seen |= table.open_cards[other]
        if other != int(seat.index):
            seen |= table.known_hand[other]
    return bits(seen)


def check_sample(table, truth, sample, me):
    taken = np.array(table.tower) | table.cleared
    count = bits(taken)
    for seat in range(int(table.players)):
        hand = np.array(sample.seats[seat].hand)
        assert bits(hand) == bits(truth.seats[seat].hand)
        assert not np.any(table.known_hand[seat] & ~hand)
        if seat == me:
            assert np.array_equal(hand, truth.seats[me].hand)
        hidden = sample.hidden[seat, : int(table.hidden_cards[seat])].tolist()
        count += bits(hand) + bits(table.open_cards[seat]) + len(hidden)
        taken = taken | hand | table.open_cards[seat]
        for card in hidden:
            assert not taken[card >> 6] >> (card & 63) & 1
            taken[card >> 6] |= np.int64(1 << (card & 63))
    assert bits(taken) == count
