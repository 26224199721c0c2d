"""What every game keeps to. A new game only registers (`simcore.game`) and is tested here."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter

import numpy as np
import pytest

from simcore.batch import play
from simcore.catalogue import get_game
from simcore.compiler.state import ROUND_OVER
from simcore.errors import InputError, PolicyError
from simcore.events import MatchEnd, Step
from simcore.game import game_names
from simcore.match import Match
from simcore.narration.teller import Teller
from simcore.narration.vocabulary import KEYS
from simcore.records import COMMON_COUNTS
from simcore.replay import replay, steps
from strategies import make_strategy, policies
from tests import side_by_side
from tests.cases import module_of
from tests.players import RANDOM_PLAYER, TestPlayer
from tests.variants import other_values, player_counts, variants, with_short

SEED = 20_260_726
FIRST_SCANNED = -1100
LONGEST_SCAN = 3000


def answer_minus_77(s, seat, moves):
    return -77


BAD_SEAT = TestPlayer("bad", answer_minus_77)


def first_seat(game):
    """A player who is no random one."""
    return make_strategy(policies(game)[1], {})


def cell_of(game, seats=(RANDOM_PLAYER,), **options):
    return side_by_side.cell_of(game, options, *seats, seed=SEED)


def row_of(block):
    """Return the only row of a block."""
    return {name: int(column[0]) for name, column in block.columns().items()}


CASES = tuple(
    pytest.param(get_game(name), options, id=f"{name}-{label}")
    for name in game_names()
    for label, options in variants(get_game(name))
)
SHORT_CASES = tuple(
    pytest.param(case.values[0], with_short(*case.values), id=case.id) for case in CASES
)
"""The same, with matches that are short."""


@pytest.fixture(params=game_names())
def game(request):
    return get_game(request.param)


def same_rows(block, other):
    for name, column in block.columns().items():
        assert np.array_equal(column, other.columns()[name]), name


class TestDescriptor:
    def test_names_are_unique(self, game):
        for things in (game.options, game.metrics, game.clauses):
            names = [thing.name for thing in things]
            assert len(set(names)) == len(names)

    def test_names_clash_with_no_other_column(self, game):
        common = {"match", "rotation", "first_seat", "winners", "aborted", *COMMON_COUNTS}
        assert not common & set(game.metric_names)
        assert not any(name.startswith("score_") for name in game.metric_names)

    def test_players_come_first(self, game):
        assert game.options[0].name == "players"
        assert 2 <= game.players.low <= game.players.high <= 10

    def test_defaults_resolve_to_themselves(self, game):
        resolved = game.resolve({})
        assert set(resolved) == set(game.option_names)
        assert game.resolve(resolved) == resolved

    def test_defaults_are_allowed_values(self, game):
        for option in game.options:
            if option.default is not None:
                assert option.parse(option.default) == option.default

    def test_values_that_are_whole_numbers_in_a_table_differ(self, game):
        for option in game.options:
            values = [option.default, *other_values(option)]
            numbers = [option.number(value) for value in values]
            assert len(set(numbers)) == len(values) or set(numbers) == {None}

    def test_everything_is_explained(self, game):
        for thing in (*game.options, *game.metrics, *game.clauses):
            assert thing.meaning
        assert game.first_seat_meaning

    def test_clauses_belong_to_options(self, game):
        for clause in game.clauses:
            assert set(clause.options) <= set(game.option_names)

    def test_an_unknown_option_is_refused_with_its_neighbour(self, game):
        with pytest.raises(InputError, match="did you mean 'players'"):
            game.resolve({"playerz": 3})

    def test_a_match_is_told_by_a_table_of_phrases(self, game):
        words = Teller(game)
        assert {"moves", "mark", "table"} <= set(words.phrases) <= set(KEYS)
        assert all(len(pair) == 2 for pair in words.card_colours)


class TestRows:
    def test_do_not_depend_on_threads_or_blocks(self, game):
        cell = cell_of(game)
        block = play(cell, 0, 300)
        same_rows(block, play(cell, 0, 300, threads=2))
        same_rows(block, play(cell, 0, 300, threads=3))
        parts = [play(cell, first, count) for first, count in ((0, 1), (1, 120), (121, 179))]
        for name, column in block.columns().items():
            assert np.array_equal(column, np.concatenate([p.columns()[name] for p in parts])), name

    def test_do_not_depend_on_pieces(self, game, monkeypatch):
        cell = cell_of(game)
        block = play(cell, 0, 100)
        monkeypatch.setattr("simcore.batch.MAX_PIECE", 7)
        same_rows(block, play(cell, 0, 100))
        same_rows(block, play(cell, 0, 100, threads=2))

    def test_depend_on_the_seed_and_the_match(self, game):
        cell = cell_of(game)
        block = play(cell, 0, 50)
        for other in (play(dataclasses.replace(cell, seed=SEED + 1), 0, 50), play(cell, 50, 50)):
            assert not np.array_equal(block.scores, other.scores)

    @pytest.mark.whole_only("uno-packs=2")  # code is compiled by the width of sets
    @pytest.mark.parametrize(("game", "variant"), CASES)
    def test_make_sense_and_winners_have_the_best_score(self, game, variant):
        for players in player_counts(game, variant):
            options = {"players": players} | variant
            cell = dataclasses.replace(cell_of(game, **options), general=True)
            block = play(cell, 0, 40)
            columns = block.columns()
            assert set(game.metric_names) | set(COMMON_COUNTS) < set(columns)
            for name, column in columns.items():
                assert (column >= 0).all() or name.startswith("score_"), name
            assert (block.winners < 1 << players).all()
            assert (block.first_seat < players).all()
            assert np.array_equal(block.winners == 0, block.aborted)
            assert (columns["clauses"] < 1 << len(game.clauses)).all()
            assert (columns["decisions"] + columns["forced"] > 0).all()
            lowest = game.best_score_under(cell.options) == "lowest"
            best = block.scores.min(axis=0) if lowest else block.scores.max(axis=0)
            for seat, scores in enumerate(block.scores):
                wins = (block.winners >> seat & 1).astype(bool)
                assert np.array_equal(wins, (scores == best) & ~block.aborted)


def content_of(s):
    return {**vars(s), "count": dict(s.count.numbers)}


class TestReplay:
    @pytest.mark.whole_but("*-defaults")
    @pytest.mark.parametrize(("game", "options"), SHORT_CASES)
    def test_ends_with_the_row_of_the_block(self, game, options):
        for players in player_counts(game, options):
            cell = cell_of(game, **({"players": players} | options))
            playback = Match(cell, 3)
            assert isinstance(list(playback)[-1], MatchEnd)
            assert playback.row() == row_of(play(cell, 3, 1))

    def test_a_whole_match_ends_with_the_row_of_the_block(self, game):
        """Its decisions and forced moves are counted there."""
        cell, numbers = cell_of(game), Counter()
        playback = Match(cell, 3)
        for event in playback.events(copies=False):
            if isinstance(event, Step):
                numbers["decisions"] += event.chosen
                numbers["forced"] += len(event.moves) == 1
        row = playback.row()
        assert row == row_of(play(cell, 3, 1))
        assert row == row | numbers

    @pytest.mark.whole_only("up", "uno")
    def test_plays_the_rotation(self, game):
        seats = (RANDOM_PLAYER, first_seat(game))
        cell = cell_of(game, seats, **with_short(game, {}))
        rows = []
        for rotation in (0, 1):
            playback = Match(cell, 5, rotation=rotation)
            list(playback)
            assert playback.row() == row_of(play(cell, 5, 1, rotation=rotation))
            rows.append(playback.row())
        assert rows[0] | {"rotation": 1} != rows[1]

    def test_steps_are_copies_and_hang_together(self, game):
        previous = None
        for number, step in enumerate(steps(cell_of(game), 1)):
            assert isinstance(step, Step)
            assert step.chosen == (len(step.moves) > 1)
            assert step.move in step.moves or not step.moves
            assert step.s.phase > ROUND_OVER
            if previous is not None and previous.after.s.phase > ROUND_OVER:
                assert step.seat == previous.after.s.seat
            previous = step
            if number == 200:
                break
        first = next(iter(steps(cell_of(game), 1)))
        before = content_of(first.s)
        generator = steps(cell_of(game), 1)
        kept = next(generator)
        for _ in range(20):
            next(generator)
        assert content_of(kept.s) == before

    def test_moves_can_be_chosen_from_outside(self, game):
        chosen = []

        def choose(_table, _box, moves):
            chosen.append(moves[-1])
            return moves[-1]

        playback = Match(cell_of(game, **with_short(game, {})), 0, choose=choose)
        taken = [event.move for event in playback if isinstance(event, Step) and event.chosen]
        assert taken == chosen
        assert playback.row()["decisions"] == len(chosen)

    def test_a_move_from_outside_must_be_legal(self, game):
        with pytest.raises(ValueError, match="is not legal"):
            list(steps(cell_of(game), 0, choose=lambda *_: 10**9))

    @pytest.mark.whole_only("up", "uno")
    def test_in_words(self, game):
        cell = cell_of(game, (RANDOM_PLAYER, first_seat(game)), **with_short(game, {}))
        lines = list(replay(cell, 2))
        explained = list(replay(cell, 2, why=True))
        assert f"seat 0 random, seat 1 {policies(game)[1].name}" in lines[0]
        assert lines[1].startswith("The match ends when ")
        assert all(line.strip() and "\n" not in line for line in explained)
        choices = sum(step.chosen for step in steps(cell, 2))
        assert len(explained) >= len(lines) + 2 * choices
        assert "wins" in lines[-1] or "share the win" in lines[-1] or "Nobody" in lines[-1]


class TestDecisions:
    def test_a_forced_move_asks_nobody(self, game):
        forced, chance = 0, random.Random(1)  # noqa: S311

        def choose(s, _s, moves):
            assert len(moves) > 1
            return chance.choice(moves)

        for players in player_counts(game, {}):
            cell = cell_of(game, **with_short(game, {"players": players}))
            match = Match(cell, 0, choose=choose)
            list(match.events(copies=False))
            forced += match.row()["forced"]
        assert forced > 0

    def test_an_illegal_move_is_reported_with_all_that_helps(self, game):
        cell = cell_of(game, (RANDOM_PLAYER, BAD_SEAT))
        for attempt in (lambda: play(cell, 7, 1), lambda: list(replay(cell, 7))):
            with pytest.raises(PolicyError) as caught:
                attempt()
            message = str(caught.value)
            assert "policy 'bad'" in message
            assert game.name in message
            assert "match 7" in message
            assert f"seed {SEED}" in message
            assert "returned -77, which is no legal move" in message
            seat = int(message.partition("seat ")[2].partition(",")[0])
            assert seat % 2 == 1
            step = next(step for step in steps_until_bad(cell, 7) if step.seat % 2 and step.chosen)
            for move in step.moves:
                assert f"{move} (" in message.split("legal: ")[1]

    def test_the_first_bad_match_is_named_on_threads_too(self, game):
        with pytest.raises(PolicyError, match="'bad'"):
            play(cell_of(game, (BAD_SEAT,)), 0, 100, threads=2)

    @pytest.mark.whole_but("*-defaults")
    @pytest.mark.parametrize(("game", "options"), SHORT_CASES)
    def test_listed_moves_are_exactly_the_legal_ones(self, game, options):
        for players in player_counts(game, options):
            cell = cell_of(game, **({"players": players} | options))
            match = Match(cell, 9)
            for seen, event in enumerate(match):
                if isinstance(event, Step) and seen < 1000 and (seen <= 5 or seen % 30 == 0):
                    assert brute_force(match.plain, event.s) == sorted(event.moves)


def brute_force(plain, s):
    """Return all numbers in reach that the rules say are legal."""
    step = plain.step_name("is_legal", s)
    if step not in plain.functions:
        return sorted(plain.moves(s))
    reach = range(FIRST_SCANNED, FIRST_SCANNED + LONGEST_SCAN)
    return [move for move in reach if plain.call(step, s, s.seat, move)]


def steps_until_bad(cell, match):
    """Play with random moves in place of the bad policy's."""
    good = dataclasses.replace(cell, seats=(RANDOM_PLAYER,) * len(cell.seats))
    yield from steps(good, match)


@pytest.mark.whole
@pytest.mark.parametrize(("game", "variant"), CASES)
def test_the_referee_agrees(game, variant):
    """Under every option; each game's `test_referee.py` follows more matches, options together."""
    follower = module_of(game.name, "following", "what compares kernels and referee").Follower
    for players in player_counts(game, variant):
        options = with_short(game, {"players": players} | variant)
        for match in range(2):
            try:
                follower(cell_of(game, (first_seat(game),), **options), match).run()
            except BaseException as error:
                error.add_note(f"tests/referee/{game.name}.py does not follow {options}")
                raise
