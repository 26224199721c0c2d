"""Clauses and choices about the deck and the deal."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from simcore.batch import Cell, play
from simcore.errors import InputError
from simcore.events import RoundStart
from simcore.games.dnup.deck import load_deck, parse_deck
from simcore.match import Match
from tests.dnup.decks import DECKS, text_of, uneven, write_decks
from tests.dnup.following import DNUP
from tests.exact import starts_of_rules
from tests.players import RANDOM_PLAYER

NAMED = {(1, 5), (3, 4), (3, 6), (2, 5), (2, 7), (2, 9)}
SIZES = {"a": {2: 18, 3: 27, 4: 36, 5: 40}, "c": {2: 24, 3: 30, 4: 36, 5: 40}}


def cell_of(**options):
    resolved = DNUP.resolve(options)
    return Cell(DNUP, resolved, (RANDOM_PLAYER,) * int(resolved["players"]), 7)


def starts(cell, match=0):
    return [event for event in Match(cell, match) if isinstance(event, RoundStart)]


def first_start(cell, match=0):
    return next(iter(Match(cell, match)))


def in_play(profile, players):
    return [card for card in load_deck(profile) if card.players <= players]


class TestR2Symbols:
    @pytest.mark.parametrize("profile", SIZES)
    @pytest.mark.parametrize("players", [2, 3, 4, 5])
    def test_sizes_of_the_decks(self, profile, players):
        deck = in_play(profile, players)
        assert len(deck) == SIZES[profile][players]
        assert len(deck) % players == 0
        assert sum(card.star for card in deck) == 1
        dealt = first_start(cell_of(players=players, deck=profile)).s.hand
        assert sum(map(len, dealt)) == len(deck)


class TestR3Deal:
    @pytest.mark.parametrize("players", [2, 3, 4, 5])
    def test_all_cards_are_dealt_anew_each_round(self, players):
        seen = set()
        for start in starts(cell_of(players=players), 3):
            hands = [tuple(hand) for hand in start.s.hand]
            assert len({card for hand in hands for card in hand}) == SIZES["a"][players]
            assert {len(hand) for hand in hands} == {SIZES["a"][players] // players}
            seen.add(tuple(hands))
        assert len(seen) > 1

    def test_every_card_goes_everywhere_equally_often(self):
        count = np.zeros((4, 40))
        for _, s in starts_of_rules("dnup", {"players": 4}, 300):
            for seat in range(4):
                count[seat, list(s.hand[seat])] += 1
        dealt = count[:, count.sum(axis=0) > 0]
        assert dealt.shape == (4, 36)
        # 144 cells of about 75 each: six standard deviations.
        assert np.abs(dealt - 75).max() < 6 * np.sqrt(300 * 0.25 * 0.75)


class TestC1Deck:
    def test_profile_a(self):
        deck = load_deck("a")
        pairs = [card[:2] for card in deck]
        once = list(combinations(range(1, 10), 2))
        assert sorted(pairs) == sorted([*once, (1, 9), (2, 8), (3, 7), (4, 6)])
        assert sorted(card[:2] for card in deck if card.players == 5) == [
            *((1, 9), (2, 8), (3, 7), (4, 6)),
        ]
        for players, times in ((2, 4), (3, 6), (4, 8)):
            values = [value for card in in_play("a", players) for value in card[:2]]
            assert [values.count(value) for value in range(1, 10)] == [times] * 9

    @pytest.mark.parametrize("profile", SIZES)
    def test_named_cards_are_always_in(self, profile):
        assert {(1, 5), (3, 4), (3, 6)} <= {card[:2] for card in in_play(profile, 2)}
        assert {card[:2] for card in in_play("a", 2)} >= NAMED

    def test_the_deck_clause(self):
        assert play(cell_of(), 0, 3).columns()["clauses"].max() & 1 == 0
        assert play(cell_of(deck="c"), 0, 3).columns()["clauses"].min() & 1 == 1

    def test_a_file_of_profile_a_in_another_order_is_profile_a(self, tmp_path):
        text = text_of(load_deck("a"))
        path = tmp_path / "mine.txt"
        path.write_text("# mine\n\n" + "\n".join(reversed(text.splitlines())) + " # last\n")
        mine, known = (play(cell_of(deck=deck), 0, 30).columns() for deck in (str(path), "a"))
        for name in ("score_0", "turns", "decisions", "winners"):
            assert np.array_equal(mine[name], known[name])

    @pytest.mark.parametrize("name", DECKS)
    def test_odd_decks_are_played(self, name, tmp_path):
        path = write_decks(tmp_path)[name]
        for players in (2, 3, 4, 5):
            assert not play(cell_of(deck=path, players=players), 0, 30).aborted.all()

    def test_symbols_as_printed(self):
        text = text_of(load_deck("a"))
        printed = text.replace("smile", "🙂").replace("neutral", "😐").replace("frown", "☹️")
        assert parse_deck(printed.replace("*", "★")) == load_deck("a")

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("1/0", "line 1: the value 0 is refused; allowed: 1…9"),
            ("3/10", "line 1: the value 10 is refused"),
            ("3/4/5", "line 1: '/5' is not understood"),
            ("3", "line 1: '3' is no card"),
            ("x/4", "line 1: 'x/4' is no card"),
            ("2/7 frowns", "line 1: 'frowns' is not understood"),
            ("2/7 smile frown", "line 1: 'frown' is not understood"),
            ("2/7 *", "line 1: the star is on 2/7; allowed: on 1/5"),
            ("1/5 * smile", "line 1: the star card has the symbol smile"),
            ("1/5 * *", "line 1: '*' is not understood"),
            ("1/5 *", "line 4: a second star; the first is in line 1"),
            ("", "the file ends after 39 cards, but a deck has 40"),
            ("1/3\n1/3", "line 41: card 41, but a deck has 40"),
        ],
    )
    def test_a_wrong_file_is_refused_with_line_and_reason(self, line, message, tmp_path):
        lines = text_of(load_deck("a")).splitlines()
        path = tmp_path / "deck.txt"
        path.write_text("\n".join([line, *lines[1:]]) + "\n")
        with pytest.raises(InputError) as caught:
            DNUP.resolve({"deck": str(path)})
        assert f"option deck = {str(path)!r} is refused: {message}" in str(caught.value)

    def test_a_star_is_needed_and_cards_for_all(self):
        lines = text_of(load_deck("a")).replace("*", "")
        with pytest.raises(ValueError, match="no card has the star"):
            parse_deck(lines)
        with pytest.raises(ValueError, match="with 2 players 1 cards are in play"):
            parse_deck("1/5 *\n" + "2/3 smile\n1/4 frown\n4/5 smile\n" * 13)
        with pytest.raises(ValueError, match=r"line 34: card 33 with the value 2; allowed: 32"):
            parse_deck("1/5 *\n" + "2/3\n" * 39)


class TestC2Nested:
    @pytest.mark.parametrize("profile", SIZES)
    def test_fewer_players_leave_out_more(self, profile):
        for players in (2, 3, 4):
            assert set(in_play(profile, players)) < set(in_play(profile, players + 1))
        with pytest.raises(ValueError, match="the star card has the symbol"):
            parse_deck(text_of(load_deck(profile)).replace("*", "* frown"))


class TestC4Uneven:
    def test_the_first_seats_get_one_more(self, tmp_path):
        path = write_decks(tmp_path)["uneven"]
        counts = {players: sum(c.players <= players for c in uneven()) for players in (2, 3, 4)}
        dealers = set()
        for players in (2, 3, 4):
            extra = counts[players] % players
            assert extra
            for match in range(12):
                cell = cell_of(deck=path, players=players)
                rounds = [first_start(cell, match)] if match else starts(cell)
                for number, start in enumerate(rounds):
                    dealer = start.s.dealer
                    sizes = [len(hand) for hand in start.s.hand]
                    more = {(dealer + 1 + step) % players for step in range(extra)}
                    least = counts[players] // players
                    assert sizes == [least + (seat in more) for seat in range(players)]
                    assert dealer == (rounds[0].s.dealer + number) % players
                dealers.add((players, rounds[0].s.dealer))
        assert len(dealers) == 2 + 3 + 4


class TestR19Start:
    def test_with_two_players_the_star_holder_begins_in_area_2(self):
        for match in range(20):
            start = first_start(cell_of(players=2), match).s
            star = next(card for card, printed in enumerate(load_deck("a")) if printed.star)
            assert star in start.hand[start.seat]
            assert start.place == 2 * start.seat + 1


class TestOptions:
    """Options of the other table size are refused."""

    @pytest.mark.parametrize(
        "options",
        [
            {"players": 2, "markers_to_win": 4},
            {"players": 3, "rounds_to_win": 2},
            {"players": 5, "win_on_playing": True},
            {"players": 2, "rounds_to_win": None},
            {"players": 4, "markers_to_win": None},
        ],
    )
    def test_refused(self, options):
        with pytest.raises(InputError, match="is refused with players"):
            DNUP.resolve(options)

    def test_those_that_do_not_apply_are_none(self):
        two, four = DNUP.resolve({"players": 2}), DNUP.resolve({})
        assert (two["markers_to_win"], two["rounds_to_win"], two["win_on_playing"]) == (
            *(None, 2, True),
        )
        assert (four["markers_to_win"], four["rounds_to_win"], four["win_on_playing"]) == (
            *(4, None, None),
        )

    def test_the_reconstruction_is_stated(self):
        assert "reconstructed" in DNUP.assumptions[0]
