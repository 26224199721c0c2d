"""What must hold whatever is played: the deck, the deal, fairness, points.

Chi-square tests have fixed seeds and bounds beyond which a fair game falls with p < 1e-7.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from simcore.batch import play
from simcore.games.uno import kernel
from simcore.games.uno import table as uno
from simcore.games.uno.cards import DECK, KINDS, WILD, WILD_DRAW_FOUR, points_of
from simcore.replay import Playback, RoundEnd, RoundStart, Step
from tests.players import RANDOM_PLAYER
from tests.uno.following import KIND_NAMES, UNO
from tests.uno.players import HASTY
from tests.uno.position import set_of
from tests.uno.test_referee import cell_of

IMPROBABLE = 1e-7


def points(names):
    cards, doubles, _ = set_of(names)
    return int(points_of(cards, 20, 50) + points_of(doubles, 20, 50))


class TestDeck:
    def test_numbers_actions_wilds(self):
        names = [KIND_NAMES[kind] for kind in DECK.tolist()]
        wilds = [name for name in names if name.startswith("wild")]
        numbers = [name for name in names if name[-1].isdigit()]
        assert (len(names), len(numbers), len(wilds)) == (108, 76, 8)
        assert len(names) - len(numbers) - len(wilds) == 24

    def test_points_of_the_deck(self):
        names = [KIND_NAMES[kind] for kind in DECK.tolist()]
        assert points(", ".join(names)) == 1240
        assert sum(points(name) for name in names) == 1240


@pytest.fixture(scope="module")
def deals():
    """Orders of whole decks, top card first."""
    options = UNO.resolve({"players": 2})
    table, box = uno.new_records(options)
    decks = np.empty((20_000, 15), dtype=np.int64)
    for match in range(len(decks)):
        kernel.start_match(table[0], box[0], 7, match)
        kernel.start_round(table[0], box[0])
        decks[match] = box[0].stock[107:92:-1]
    return decks


class TestDeal:
    """The deal is uniform."""

    def test_first_cards(self, deals):
        first = np.bincount(deals[:, -1], minlength=KINDS)
        # A wild draw four is put back: 76, 8, 8, 8 and 4 of 104.
        assert first[WILD_DRAW_FOUR] == 0
        faces = np.arange(WILD) % 13
        counts = [
            first[:WILD][faces < 10].sum(),
            *(first[:WILD][faces == face].sum() for face in (10, 11, 12)),
            first[WILD],
        ]
        expected = np.array([76, 8, 8, 8, 4]) / 104 * len(deals)
        assert stats.chisquare(counts, expected).pvalue > IMPROBABLE

    def test_every_card_is_everywhere_equally_often(self, deals):
        expected = np.bincount(DECK, minlength=KINDS) / 108 * len(deals)
        for place in range(14):
            counts = np.bincount(deals[:, place], minlength=KINDS)
            assert stats.chisquare(counts, expected).pvalue > IMPROBABLE

    def test_it_does_not_depend_on_what_is_played(self):
        for options in ({}, {"challenge": "off"}, {"scoring": "own_cards"}):
            starts = [
                [
                    (event.box.stock.tolist(), event.box.seats["hand"].tolist())
                    for event in Playback(cell_of(given, seats=(player,)), 5)
                    if isinstance(event, RoundStart)
                ]
                for player, given in (
                    (HASTY, {"rounds": 2}),
                    (RANDOM_PLAYER, {"rounds": 2} | options),
                )
            ]
            assert starts[0] == starts[1]

    def test_nor_does_the_card_that_is_drawn_next(self):
        """The k-th card of the stock is the same whoever draws it."""
        drawn = []
        for player in (HASTY, RANDOM_PLAYER):
            playback = Playback(cell_of({"players": 4}, seats=(player,)), 3)
            list(playback)
            box, table = playback.boxes[0], playback.tables[0]
            assert table.metrics[uno.METRIC.reshuffles] == 0 or player is RANDOM_PLAYER
            drawn.append(box.stock[::-1].tolist()[: 108 - int(box.loose)])
        assert drawn[0][:29] == drawn[1][:29] or len(drawn[1]) != 108


class TestSeats:
    """Seats differ in nothing but their place relative to the dealer."""

    def test_all_seats_win_equally_often(self):
        block = play(cell_of({"players": 4}), 0, 40_000)
        wins = [(block.winners == 1 << seat).sum() for seat in range(4)]
        assert stats.chisquare(wins).pvalue > IMPROBABLE

    def test_colours_are_alike(self):
        options = {"players": 6, "turn_cap": 200}
        left = np.zeros(4)
        for match in range(60):
            for event in Playback(cell_of(options, seats=(RANDOM_PLAYER,)), match):
                if isinstance(event, RoundEnd):
                    for colour in range(4):
                        field = 0x1FFF << 13 * colour
                        left[colour] += sum(
                            (int(seat.hand) & field).bit_count() for seat in event.box.seats[:6]
                        )
        assert abs(left - left.mean()).max() < 5 * np.sqrt(left.mean() * 2)


def test_the_winner_gets_the_points_of_all_cards_left():
    for match in range(20):
        for event in Playback(cell_of({"players": 4, "rounds": 2}), match):
            if isinstance(event, RoundEnd):
                out = [seat for seat in range(4) if event.table.cards[seat] == 0]
                gained = event.after.table.scores[:4] - event.table.scores[:4]
                assert len(out) == 1
                assert gained.sum() == gained[out[0]]
                words = [
                    int(event.box.seats[seat][word])
                    for seat in range(4)
                    for word in ("hand", "doubles")
                ]
                assert gained[out[0]] == sum(int(points_of(word, 20, 50)) for word in words)


def test_both_ways_to_score_charge_the_same_cards():
    one = play(cell_of({"players": 4}), 0, 500)
    other = play(cell_of({"players": 4, "scoring": "own_cards"}), 0, 500)
    assert np.array_equal(one.scores.max(axis=0), other.scores.sum(axis=0))
    assert np.array_equal(one.winners, np.where(one.aborted, 0, one.winners))
    assert ((other.winners & one.winners) == one.winners).all()


class TestBlocks:
    """The quick turns of random players are those of a replay."""

    @pytest.mark.parametrize(
        "options",
        [
            {"players": 2},
            {"players": 3, "forget_uno": 0.5},
            {"players": 4},
            {"players": 4, "challenge": "off"},
            {"players": 10},
            {"players": 2, "reverse_two_players": "none"},
            {"players": 5, "turn_cap": 137},
        ],
    )
    @pytest.mark.parametrize("seats", [(RANDOM_PLAYER,), (RANDOM_PLAYER, HASTY)])
    def test_rows_are_the_same(self, options, seats):
        cell = cell_of({"turn_cap": 600} | options, seats=seats)
        columns = play(cell, 0, 8).columns()
        for match in range(8):
            playback = Playback(cell, match)
            list(playback)
            assert playback.row() == {name: int(column[match]) for name, column in columns.items()}

    def test_also_where_a_third_wild_card_is_drawn_and_kept(self):
        """Rare, and a branch of its own; the test looks for matches in which it happens."""
        cell = cell_of({"players": 2, "turn_cap": 600}, seats=(RANDOM_PLAYER,))
        columns = play(cell, 100, 60).columns()
        seen = 0
        for place in range(60):
            playback = Playback(cell, 100 + place)
            for event in playback:
                if isinstance(event, Step) and event.move == uno.KEEP:
                    kind = int(event.box.seats[event.seat].drawn)
                    doubles = int(event.box.seats[event.seat].doubles)
                    seen += kind >= WILD and doubles >> kind + 2 & 1
            assert playback.row() == {name: int(column[place]) for name, column in columns.items()}
            if seen:
                break
        assert seen


class TestClauses:
    """The bits of the clauses say what came into play."""

    @pytest.mark.parametrize(
        ("options", "name", "share"),
        [
            ({"scoring": "own_cards"}, "scoring", 1.0),
            ({"rounds": None, "target": 1}, "end", 1.0),
            ({"players": 2, "rounds": 9}, "reverse_two", 1.0),
            ({"rounds": 9}, "challenge", 1.0),
            ({"rounds": 9, "challenge": "off"}, "challenge", 1.0),
            ({"forget_uno": 1.0, "turn_cap": 400}, "forgotten", 1.0),
            ({"turn_cap": 100, "rounds": 30}, "turn_cap", 0.5),
        ],
    )
    def test_where_they_did(self, options, name, share):
        bit = [clause.name for clause in UNO.clauses].index(name)
        seats = (RANDOM_PLAYER,) if name == "turn_cap" else (HASTY,)
        column = play(cell_of({"players": 4} | options, seats=seats), 0, 200).columns()["clauses"]
        assert (column >> bit & 1).mean() >= share
        if name not in {"challenge", "end"}:
            column = play(cell_of({"players": 4}), 0, 200).columns()["clauses"]
            assert not (column >> bit & 1).any()
