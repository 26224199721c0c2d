"""Every policy of every game: legal moves, also at its bounds, the same rows again, better play."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from simcore.batch import Cell, play
from simcore.catalogue import get_game
from simcore.errors import PolicyError
from simcore.game import game_names
from simcore.match import Match
from strategies import Policy, Strategy, make_strategy, parse_lineup, policies
from tests.cases import Cases
from tests.dnup.decks import DECKS, write_decks

Options = dict[str, Any]


@dataclass(frozen=True)
class Rivals:
    """Who is beaten, how often in `matches`, by all policies but the first few."""

    lineup: str
    share: float
    matches: int
    options: Options = field(default_factory=dict)
    but: int = 1


@dataclass(frozen=True)
class Trial:
    """How the policies of a game are tried.

    Attributes
    ----------
    options, players
        Under which all policies together make legal moves, in a match as ordinary Python.
    bounds
        Options, with as many matches, in which each policy is played at the bounds of its
        parameters; in ordinary Python under the last ones.
    equals
        Numbers of players, matches, and the share of them that may be aborted among equals.
    partner
        Beside whom a policy is played twice, in so many matches.
    rivals
        Who is beaten, first of all in a few matches as ordinary Python.
    """

    options: tuple[Options, ...]
    players: tuple[int, ...]
    bounds: tuple[tuple[Options, int], ...] = ()
    equals: tuple[tuple[int, ...], int, float] = ((), 0, 0)
    partner: tuple[str, int] = ("", 50)
    rivals: tuple[Rivals, ...] = ()


THREE_AT_RANDOM = "random,random,random"
FEW = 5
"""Matches that are played as ordinary Python."""


def few(options: Options, but: int = 1) -> Rivals:
    """Return three at random, who win one of a few such matches at most."""
    return Rivals(THREE_AT_RANDOM, 0.5, FEW, options, but)


DNUP_HOUSE_RULES: tuple[Options, ...] = (
    {"turn_on_taking": False},
    {"take_up": False},
    {"turn_hand": False},
    {"equal_beats": True},
    {"equal_beats": True, "turn_hand": False, "turn_on_taking": False, "round_start": "winner"},
)
PLAY_OR_PASS: Options = {"turn_hand": False, "take_up": False}

TRIALS = Cases(
    "tests/strategies/test_policies.py: TRIALS",
    "how its policies are tried",
    {
        "up": Trial(
            options=(
                {"rounds": 1},
                {"points_limit": 300},
                {"rounds": 1, "dirty_one": "always"},
                {"rounds": 1, "dirty_one": "forehand"},
                {"rounds": 1, "double_two": "always"},
                {"rounds": 1, "double_two": "forehand"},
                {"rounds": 1, "dirty_one": "forehand", "double_two": "forehand"},
                {"rounds": 1, "minus_two": False},
                {"rounds": 1, "extra_set": True},
                {"rounds": 1, "scoring": "cards"},
                {"rounds": 1, "scoring": "matches"},
                {"rounds": 1, "multiples_in_first_lap": False},
                {"multiples_in_first_lap": False, "double_two": "always", "extra_set": True},
                {"rounds": 1, "deal_passes": False},
                {"rounds": 1, "forget_last_card": 0.5},
                {"rounds": 1, "play_cap": 100},
                {"minus_two_cards": 4, "minus_two_collapse": "any", "minus_two_lead": True},
                {"clear_cards": 3, "four_clear": True, "restart_open": True, "hand_cards": 2},
                {"rounds": 1, "minus_two_points": 0, "clear_points": 0, "table_cards": 1},
            ),
            players=(3, 8),
            bounds=(({"players": 3, "rounds": 1, "dirty_one": "forehand"}, 40),),
            equals=((4,), 2000, 0.005),
            partner=("greedy", 50),
            rivals=(few({"rounds": 1}), Rivals(THREE_AT_RANDOM, 0.9, 500)),
        ),
        "updown": Trial(
            options=(
                {},
                {"rounds": 3},
                {"tie_round": True},
                {"players": 2, "seating": "adjacent"},
            ),
            players=(2, 3, 4),
            bounds=tuple(({"players": players}, 300) for players in (2, 3, 4)),
            partner=("eager", 50),
            rivals=(
                few({"players": 4}),
                Rivals(THREE_AT_RANDOM, 0.65, 2000),
                Rivals("random", 0.95, 2000, {"players": 2}),
            ),
        ),
        "uno": Trial(
            options=(
                {},
                {"target": 200},
                {"rounds": 2},
                {"scoring": "own_cards"},
                {"challenge": "off"},
                {"reverse_two_players": "none"},
                {"forget_uno": 0.5},
                {"forget_uno": 0.5, "notice_uno": 0.5, "challenge": "off"},
                {"turn_cap": 100},
                {"stacking": "same", "draw": "until_playable"},
                {"stacking": "any", "jump_in": True, "seven_zero": True},
                {"seven_zero": True, "must_play": True, "challenge": "any"},
                {"last_card": "number", "jump_in": True, "hand_size": 3, "draw_four_cards": 6},
            ),
            players=(3,),
            bounds=(({"players": 2, "turn_cap": 200, "rounds": 1}, 40),),
            equals=((4,), 1000, 0),
            partner=("random_playable", 50),
            rivals=(
                few({"rounds": 1, "turn_cap": 200}, but=2),
                Rivals(THREE_AT_RANDOM, 0.9, 300, {"turn_cap": 1000}),
                Rivals("random_playable", 0.75, 1000, {"turn_cap": 1000, "players": 2}, but=2),
            ),
        ),
        "dnup": Trial(
            options=tuple({"deck": deck} for deck in ("a", "c", "crowded", "uneven")),
            players=(2, 3, 4, 5),
            bounds=(({"players": 2}, 60), ({"players": 4}, 60)),
            equals=((2, 3, 4, 5), 1000, 0.002),
            partner=("greedy", 50),
            rivals=(
                few({"players": 4}),
                Rivals("random", 0.9, 400, {"players": 2}),
                Rivals("random", 0.9, 400, {"players": 4}),
                *(
                    Rivals("random", 0.75, 400, {"players": players} | rules)
                    for players in (2, 4)
                    for rules in DNUP_HOUSE_RULES
                ),
            ),
        ),
        "upordown": Trial(
            options=(
                {},
                {"columns": 1},
                {"columns": 6},
                {"open_pile": False},
                {"hand_cards": 8, "circle": 12, "insert": "both_ends", "give_up": "forced"},
                {"hand_cards": 1, "circle": 2, "highest_card": 60, "insert": "anywhere"},
                {"scoring": "length", "discard_points": -5, "give_up": "forced"},
                {"scoring": "colour", "discard_points": 10},
            ),
            players=(2, 3, 4, 5, 6),
            bounds=(({"players": 3}, 10), ({"players": 3, "highest_card": 60}, 10)),
            partner=("appender", 20),
            rivals=(
                few({"highest_card": 60}),
                Rivals(THREE_AT_RANDOM, 0.8, 300),
                Rivals("appender,appender,appender", 0.6, 300, but=2),
            ),
        ),
    },
)


def policies_of(name: str) -> list[Policy]:
    """Return the policies of a game but those that take another; the first is random."""
    return [policy for policy in policies(get_game(name)) if not policy.takes_policy]


def cell(name: str, lineup: str, seed: int = 3, **options: object) -> Cell:
    """Return a cell in which a line-up is repeated around the table."""
    game = get_game(name)
    resolved = game.resolve(options)
    seats = itertools.cycle(parse_lineup(game, lineup))
    seated = tuple(itertools.islice(seats, int(resolved["players"])))
    return Cell(game, resolved, seated, seed, general=True)  # a policy is compiled once


def corners(policy: Policy) -> list[Strategy]:
    """Return the policy with defaults, and with each parameter at its bounds."""
    changes = [{p.name: bound} for p in policy.params for bound in (p.low, p.high)]
    return [make_strategy(policy, change) for change in ({}, *changes)]


def case(name: str, policy: Policy, *more: Any, ends: object = "", whole: bool) -> Any:
    """Return a case of a test of each policy; `whole` tells of which tier."""
    marks = [pytest.mark.whole] if whole else []
    return pytest.param(name, policy, *more, id=f"{name}-{policy.name}{ends}", marks=marks)


POLICIES = [case(name, it, whole=False) for name in game_names() for it in policies_of(name)]
COMPILED = [
    case(name, policy, whole=place != 1)  # the first that is not random, which others compile, too
    for name in game_names()
    for place, policy in enumerate(policies_of(name))
]
EQUALS = [
    case(name, policy, players, ends=f"-{players}", whole=place != 1)
    for name in game_names()
    for place, policy in enumerate(policies_of(name))
    if place or name == "dnup"
    for players in TRIALS[name].equals[0]
]
BEATEN = [
    case(name, policy, it, ends=f"-{it.lineup}-{it.options}", whole=it.matches > FEW)
    for name in game_names()
    for it in TRIALS[name].rivals
    for policy in policies_of(name)[it.but :]
]
TOGETHER = [
    pytest.param(
        name,
        {"players": players} | options,
        id=f"{name}-{players}-{options}",
        # By default all options, and all numbers of players, but not each with each.
        marks=() if (turn - seats) % len(TRIALS[name].players) == 0 else pytest.mark.whole,
    )
    for name in game_names()
    for seats, players in enumerate(TRIALS[name].players)
    for turn, options in enumerate(TRIALS[name].options)
]


def play_in_plain(cell: Cell, number: int, events: int = 100) -> None:
    """Play a match, or its beginning; an illegal move is an error that names it."""
    for _ in itertools.islice(Match(cell, number).events(copies=False), events):
        pass


@pytest.mark.parametrize(("name", "options"), TOGETHER)
def test_all_policies_are_legal(name, options, tmp_path):
    if options.get("deck") in DECKS:
        options = options | {"deck": write_decks(tmp_path)[options["deck"]]}
    names = [policy.name for policy in policies_of(name)]
    players = options["players"]
    for first in range(0, len(names), players):
        lineup = ",".join((names[first:] + names[:first])[:players])
        play_in_plain(cell(name, lineup, **options), first)


@pytest.mark.whole
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("rules", [*DNUP_HOUSE_RULES, PLAY_OR_PASS], ids=str)
def test_all_policies_of_dnup_are_legal_under_house_rules(rules, players):
    names = [policy.name for policy in policies_of("dnup")]
    for first in range(len(names)):
        lineup = ",".join((names[first:] + names[:first])[:players])
        assert not play(cell("dnup", lineup, players=players, **rules), 0, 40).aborted.all()
    play(cell("dnup", "search(rollouts=4),greedy", players=players, **rules), 0, 2)


@pytest.mark.parametrize(("name", "policy"), POLICIES)
def test_a_policy_is_legal_at_every_bound(name, policy):
    """Each of its bounds has a seat."""
    game, strategies = get_game(name), corners(policy)
    resolved = game.resolve(TRIALS[name].bounds[-1][0])
    players, seats = int(resolved["players"]), itertools.cycle(strategies)
    for first in range(0, len(strategies), players):
        seated = tuple(itertools.islice(seats, players))
        play_in_plain(Cell(game, resolved, seated, 8), first, 200)


@pytest.mark.whole
@pytest.mark.parametrize(("name", "policy"), POLICIES)
def test_a_policy_is_legal_where_all_are_at_a_bound(name, policy):
    game = get_game(name)
    for strategy, (options, matches) in itertools.product(corners(policy), TRIALS[name].bounds):
        resolved = game.resolve(options)
        seated = (strategy,) * int(resolved["players"])
        play(Cell(game, resolved, seated, 8, general=True), 0, matches)


@pytest.mark.parametrize(("name", "policy", "players"), EQUALS)
def test_matches_of_equals_end(name, policy, players):
    _, matches, share = TRIALS[name].equals
    options = {"turn_cap": 1000} if name == "uno" else {}
    block = play(cell(name, policy.name, players=players, **options), 0, matches)
    assert block.aborted.mean() <= share


@pytest.mark.parametrize(("name", "policy"), COMPILED)
def test_same_seed_same_rows(name, policy):
    partner, matches = TRIALS[name].partner
    lineup = f"{policy.name},{partner}"
    cells = (cell(name, lineup, seed) for seed in (6, 6, 7))
    once, again, other = (play(table, 0, matches).columns() for table in cells)
    assert all(np.array_equal(column, again[title]) for title, column in once.items())
    assert any(not np.array_equal(column, other[title]) for title, column in once.items())


@pytest.mark.parametrize(("name", "policy", "rivals"), BEATEN)
def test_better_than(name, policy, rivals, request):
    """Matches count in which it wins and nobody else does."""
    if rivals.matches == FEW:
        request.getfixturevalue("in_plain")
    lineup = f"{policy.name},{rivals.lineup}"
    block = play(cell(name, lineup, **rivals.options), 0, rivals.matches)
    every, players = len(lineup.split(",")), block.scores.shape[0]
    others = sum(1 << seat for seat in range(players) if seat % every)
    alone = (block.winners > 0) & (block.winners & others == 0)
    assert np.mean(alone) > rivals.share


@pytest.mark.whole_but("*-eager")
@pytest.mark.parametrize("policy", policies_of("updown"), ids=lambda policy: policy.name)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_colours_of_updown_do_not_matter(policy, players):
    """With all seats alike nobody has an advantage but the first leader."""
    block = play(cell("updown", policy.name, players=players), 0, 20_000)
    assert np.ptp(block.scores.mean(axis=1)) < 0.12


def test_there_are_enough_ideas_for_uno():
    ideas = [policy.idea for policy in policies_of("uno")]
    assert len(set(ideas)) == len(ideas) >= 8


def always_60(s, seat, moves):
    return 60


def always_63(s, seat, moves):
    return 63


def always_511(s, seat, moves):
    return 511


@pytest.mark.parametrize(
    ("name", "stubborn", "move"),
    [("uno", always_60, 60), ("updown", always_63, 63), ("up", always_511, 511)],
)
def test_an_illegal_move_names_policy_and_place(name, stubborn, move):
    game = get_game(name)
    strategy = Strategy(Policy(name, "stubborn", "", stubborn, ()))
    seats = (strategy, *parse_lineup(game, THREE_AT_RANDOM))
    with pytest.raises(PolicyError, match=rf"stubborn.*{move}"):
        play(Cell(game, game.resolve({}), seats, 1), 0, 10)
