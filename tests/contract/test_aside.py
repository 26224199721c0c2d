"""What a variant adds or drops is decided aside: with and without it the moves draw the same.

Announcements and challenges draw from streams of their own (`match.ask_on_turn`), for every policy
that draws, in the loops and lanes of random play too.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from simcore import rng
from simcore.batch import Cell, play
from simcore.game import game_names, get_game
from simcore.games.uno.choice import honest_cards
from simcore.games.uno.moves import random_move as random_move_of_uno
from simcore.games.uno.table import ACCEPT, CHALLENGE, COLOUR, DRAWN, KEEP
from simcore.games.up.moves import random_move as random_move_of_up
from simcore.games.up.table import DECLARE
from simcore.jit import JIT_DISABLED
from simcore.options import IntOption
from simcore.replay import Playback, Step
from strategies import parse_lineup, policies
from tests.contract.test_games import is_allowed, player_counts, variants
from tests.players import RANDOM_PLAYER, TestPlayer
from tests.side_by_side import cell_of

MATCHES = 40 if JIT_DISABLED else 400
OFTEN = 2
SHORT = {"up": {"rounds": 2}, "uno": {"rounds": 2}}
UP, UNO = get_game("up"), get_game("uno")


def draws_thrice_in_up(table, seat):
    """Play at random; think about announcements for long."""
    if table.phase == DECLARE:
        rng.uniform(seat.rng)
        rng.uniform(seat.rng)
    return random_move_of_up(table, seat)


def honest(table, seat):
    """Play at random, but never bluff; think about challenges for long and accept."""
    if table.phase == CHALLENGE:
        rng.uniform(seat.rng)
        rng.uniform(seat.rng)
        return np.int64(ACCEPT)
    if table.phase == COLOUR:
        return random_move_of_uno(table, seat)
    word = rng.next_word(seat.rng)
    cards = honest_cards(table, seat)
    if cards and word & np.uint64(7):
        for kind in range(54):
            if (cards >> kind) & 1:
                return np.int64(kind)
    return np.int64(KEEP) if table.phase == DRAWN else np.int64(54)


DRAWS_THRICE = TestPlayer("draws thrice", draws_thrice_in_up)
HONEST = TestPlayer("honest", honest)


def is_aside(game, table, seat):
    """Tell whether a game decides something aside."""
    decide = getattr(game.room("kernel"), "is_aside", None)
    return decide is not None and bool(decide(table, seat))


def choices(cell, matches=1):
    """Yield what was decided with a choice: its phase, whether aside, and the step."""
    room = cell.game.room("table")
    for match in range(matches):
        for event in Playback(cell, match):
            if isinstance(event, Step) and event.chosen:
                phase = room.PHASES[int(event.table.phase)]
                seat = event.box.seats[event.seat]
                yield phase, is_aside(cell.game, event.table, seat), event


def phases_of(game, variant):
    """Count the phases in which there is a choice that is not decided aside."""
    players = player_counts(game, variant)[0]
    options = {"players": players} | variant
    for name, value in SHORT.get(game.name, {}).items():
        if is_allowed(game, {name: value} | options):
            options = {name: value} | options
    (heuristic,) = parse_lineup(game, policies(game)[1].name)  # Whose matches are short.
    cell = cell_of(game, options, heuristic)
    return Counter(phase for phase, aside, _ in choices(cell, 2) if not aside)


def only_forces(game, variant):
    """Whether other cards are dealt, or choices become moves that must be made."""
    numbers = {own.name for own in game.options if own.house and isinstance(own, IntOption)}
    return bool(numbers & set(variant)) or "must_play" in variant


@pytest.mark.parametrize("name", game_names())
def test_phases_that_a_variant_adds_or_drops_are_decided_aside(name):
    """Where there are some such decisions in a few rounds, and else none."""
    game = get_game(name)
    seen = {}
    for variant in variants(game):
        if only_forces(game, variant):
            continue
        players = player_counts(game, variant)
        if players:
            usual = seen.setdefault(players[0], phases_of(game, {"players": players[0]}))
            other = phases_of(game, variant)
            often = {phase for phase, count in (usual + other).items() if count >= OFTEN}
            assert often <= set(usual) & set(other), variant


@pytest.mark.parametrize(
    ("game", "options", "player"),
    [
        (UP, {"dirty_one": "forehand", "rounds": 2}, RANDOM_PLAYER),
        (UP, {"double_two": "forehand", "rounds": 2}, DRAWS_THRICE),
        (UNO, {"rounds": 1}, RANDOM_PLAYER),
        (UNO, {"rounds": 4}, HONEST),
    ],
)
def test_what_is_decided_aside_leaves_the_stream_of_the_moves(game, options, player):
    decided = set()
    for phase, aside, step in choices(cell_of(game, options, player), 3):
        index = step.seat
        before, after = (box.seats[index].rng for box in (step.box, step.after.box))
        decided.add((phase, aside))
        if aside:
            assert (before == after).all()
            assert not (step.box.aside_rng[index] == step.after.box.aside_rng[index]).all()
        else:
            assert not (before == after).all()
            assert (step.box.aside_rng == step.after.box.aside_rng).all()
    announced = {"DECLARE"} if game is UP else {"CHALLENGE", "DRAWN"}
    assert {phase for phase, aside in decided if aside} == announced


def test_streams_aside_go_on_within_a_round_and_begin_anew_in_the_next():
    states = []
    for _, aside, step in choices(cell_of(UNO, {"rounds": 3}, RANDOM_PLAYER), 4):
        if aside:
            box, table = step.after.box, step.table
            states.append((int(table.match_number), int(table.round_number), step.seat))
            start = rng.start_of(
                int(box.seed), box.key, rng.ASIDE + states[-1][1], rng.FIRST_SEAT_STREAM + step.seat
            )
            stream = np.array(start, dtype=np.uint64)
            for _ in range(states.count(states[-1])):
                word = rng.next_word(stream)
            assert (stream == box.aside_rng[step.seat]).all()
            assert step.move == step.moves[int(word >> np.uint64(63))]
    assert max(Counter(states).values()) > 1
    assert any(one[:2] != other[:2] and one[2] == other[2] for one, other in pairwise(states))


@pytest.mark.parametrize("player", [RANDOM_PLAYER, DRAWS_THRICE], ids=str)
def test_announcements_change_no_move_of_up(player):
    """The dirty one is counted only, and so is its announcement."""
    columns = [
        play(cell_of(UP, {"dirty_one": when, "rounds": 2}, player), 0, MATCHES).columns()
        for when in ("off", "always", "forehand")
    ]
    assert (columns[2]["decisions"] == columns[0]["decisions"] + 2).all()
    for name in ("first_seat", "forced", "plays", "collapses", "blind_plays", "largest_pickup"):
        for other in columns[1:]:
            assert (columns[0][name] == other[name]).all(), name
    scores = [block["score_0"] for block in columns]
    assert (scores[0] != scores[2]).any()
    assert (scores[1] != scores[2]).any()
    assert all((scores[2] == scores[0]) | (scores[2] >= scores[0]))


@pytest.mark.parametrize("coupling", ["stock", "seat"])
def test_challenges_change_nothing_where_nobody_bluffs(coupling):
    """A player who draws at every decision, and who never bluffs nor challenges."""
    seats = (HONEST,) * 4
    on, off = (
        play(
            Cell(UNO, UNO.resolve({"rounds": 2, "challenge": value}), seats, 5, coupling),
            0,
            MATCHES // 4,
        ).columns()
        for value in ("victim", "off")
    )
    assert (on["bluffs"] == 0).all()
    assert (on["wild_draw_fours"] > 0).any()
    assert (on["decisions"] > off["decisions"]).any()
    for name, column in on.items():
        if name not in {"decisions", "forced", "clauses"}:
            assert (column == off[name]).all(), name


@pytest.mark.parametrize(
    ("game", "options", "player"),
    [
        (UP, {"dirty_one": "forehand", "double_two": "forehand"}, RANDOM_PLAYER),
        (UP, {"dirty_one": "forehand"}, DRAWS_THRICE),
        (UNO, {"rounds": 2}, RANDOM_PLAYER),
        (UNO, {"rounds": 2}, HONEST),
    ],
)
def test_blocks_and_replays_decide_alike(game, options, player):
    cell = cell_of(game, options, player)
    columns = play(cell, 0, 3).columns()
    for match in range(3):
        playback = Playback(cell, match)
        list(playback)
        assert playback.row() == {name: int(column[match]) for name, column in columns.items()}
