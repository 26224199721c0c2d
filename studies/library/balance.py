"""The balance study of a game, made from its descriptor and the registry of its policies.

`python -m studies.library.balance GAME > studies/library/balance-GAME.toml` writes the study that
ships. Options give the variants (every switch turned, every other word of a choice), the registry
the policies; what a game has beyond that stands in `EXTRAS`.
"""

from __future__ import annotations

import itertools
import sys
from dataclasses import dataclass, field

import tomli_w

from simcore.catalogue import get_game
from simcore.game import Game
from simcore.options import BoolOption, ChoiceOption, Value
from strategies import policies

MATCHES = 5_000
RUNGS = 5
MOST_PLAYERS = 6
SEED = 2026
TRAINED = "expert"
"""The policy that has learned, the last rung where there is one."""


@dataclass(frozen=True)
class Extras:
    """What is worth asking of a game besides what its descriptor tells.

    Attributes
    ----------
    rungs : tuple of str
        Policies, weakest first; empty: evenly spaced from the registry.
    variants : dict
        Added to those from the options.
    left_out : tuple of str
        Options that are no question of balance, or not with these players.
    players : tuple of int
        Numbers of players, the one that the report is about first; empty: the default number, the
        fewest and (almost) the most.
    titles : dict
        Variant -> what it is in words, where what it sets does not say so.
    restricted : dict
        Name -> (strategy, the same with one thing forbidden).
    seconds : float
        How long a play, trick or turn takes people, at a guess; 0: lengths are not told in minutes.
    """

    rungs: tuple[str, ...] = ()
    variants: dict[str, dict[str, Value]] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    players: tuple[int, ...] = ()
    titles: dict[str, str] = field(default_factory=dict)
    restricted: dict[str, tuple[str, str]] = field(default_factory=dict)
    seconds: float = 0


EXTRAS = {
    "up": Extras(
        seconds=4,
        rungs=("random", "greedy", "guard", "all_rounder", "expert"),
        variants={"up300": {"points_limit": 300}, "forgetting": {"forget_last_card": 0.2}},
        titles={
            "dirty_one_always": "each 1 counts 30",
            "dirty_one_forehand": "forehand may declare the dirty one",
            "double_two_always": "“-2” is an ordinary 2",
            "double_two_forehand": "forehand may make “-2” an ordinary 2",
            "without_minus_two": "no “-2” cards",
            "extra_set": "one more set of cards",
            "scoring_cards": "each card left counts one",
            "scoring_matches": "a matchstick for the first out",
            "without_multiples_in_first_lap": "single cards in the first turn",
            "without_deal_passes": "the deal does not move on",
            "up300": "play to 300 points",
            "forgetting": "one last card in five not called",
        },
        restricted={
            "no early turning up": ("all_rounder", "all_rounder(light=0)"),
            "open cards not preferred": ("all_rounder", "all_rounder(open=0)"),
        },
    ),
    "updown": Extras(
        seconds=20,
        rungs=("random", "counter", "banker", "all_rounder", "expert"),
        left_out=("seating",),
        variants={"four_rounds": {"rounds": 4}},
        titles={"tie_round": "one more round after a tie", "four_rounds": "four rounds"},
        restricted={
            "never cancels": ("all_rounder", "all_rounder(cancel=0)"),
            "keeps no trumps": ("all_rounder", "all_rounder(trump=0)"),
        },
    ),
    "uno": Extras(
        seconds=6,
        rungs=("random_playable", "saver", "majority", "hitter", "all_rounder"),
        left_out=("reverse_two_players",),
        variants={
            "target_200": {"target": 200},
            "single_round": {"rounds": 1},
            "forgetting": {"forget_uno": 0.2},
        },
        titles={
            "scoring_own_cards": "everybody is charged the cards left",
            "challenge_off": "wild draw four only when legal",
            "challenge_any": "anybody may challenge",
            "target_200": "play to 200 points",
            "single_round": "a single round",
            "forgetting": "one “UNO” in five forgotten",
        },
        restricted={
            "never bluffs": ("all_rounder", "all_rounder(bluff=0)"),
            "never challenges": ("all_rounder", "all_rounder(doubt=40)"),
        },
    ),
    "dnup": Extras(
        seconds=8,
        rungs=("random", "turner", "counter", "all_rounder", "expert"),
        left_out=("win_on_playing",),
        players=(4, 3, 5),
        variants={
            "deck_c": {"deck": "c"},
            "two_markers": {"markers_to_win": 2},
            "seven_markers": {"markers_to_win": 7},
        },
        titles={
            "deck_c": "another reconstruction of the deck",
            "two_markers": "two markers win",
            "seven_markers": "seven markers win",
        },
        restricted={
            "never turns its hand": ("all_rounder", "all_rounder(gain=9)"),
            "never on its guard": ("all_rounder", "all_rounder(cards=0)"),
        },
    ),
    "upordown": Extras(
        seconds=10,
        rungs=("random", "appender", "collector", "planner", "all_rounder"),
        variants={"two_columns": {"columns": 2}, "four_columns": {"columns": 4}},
        titles={
            "without_open_pile": "both draw piles face down",
            "two_columns": "two columns",
            "four_columns": "four columns",
        },
        restricted={
            "never spoils": ("all_rounder", "all_rounder(deny=0)"),
            "looks at plans alone": ("all_rounder", "all_rounder(points=0)"),
        },
    ),
}


def balance_document(game: Game) -> dict[str, object]:
    """Return the balance study of a game as a study document."""
    extras = EXTRAS.get(game.name, Extras())
    rungs = list(extras.rungs) or _evenly([known.name for known in policies(game)], RUNGS)
    heuristics = [name for name in rungs if name != TRAINED]
    compared = [heuristics[0], heuristics[-1], *rungs[len(heuristics) :]]
    lineups: list[dict[str, object]] = [
        {"name": f"only {name}", "seats": [name], "variants": name in compared}
        for name in (compared if TRAINED in rungs else _evenly(rungs, 3))
    ]
    pairs = list(itertools.combinations(reversed(rungs), 2))
    lineups += [
        {
            "name": "-".join(pair),
            "seats": list(pair),
            "rotate": True,
            "variants": pair == pairs[0],
        }
        for pair in pairs
    ]
    lineups += [
        {"name": name, "seats": list(seats), "rotate": True, "variants": False}
        for name, seats in extras.restricted.items()
    ]
    return {
        "title": f"How does {quoted(game.title)} play?",
        "game": game.name,
        "seed": SEED,
        "matches": MATCHES,
        "sweep": {"players": list(extras.players) or _player_counts(game)},
        "variants": {
            name: {"title": extras.titles[name], **changed} if name in extras.titles else changed
            for name, changed in {**_switches(game, extras.left_out), **extras.variants}.items()
        },
        "lineups": lineups,
        **({"compare": {"seconds": extras.seconds}} if extras.seconds else {}),
    }


def quoted(title: str) -> str:
    """Return a title that may stand within a question."""
    return f"“{title}”" if title.endswith("?") else title


def _evenly(names: list[str], number: int) -> list[str]:
    if len(names) <= number:
        return names
    return [names[round(step * (len(names) - 1) / (number - 1))] for step in range(number)]


def _player_counts(game: Game) -> list[int]:
    """Return the default number of players, the fewest and (almost) the most."""
    players = game.players
    assert isinstance(players.default, int)
    most = min(players.high, MOST_PLAYERS)
    counts = {players.low, players.default, most}
    if len(counts) < 3:
        counts.add((players.low + most) // 2)
    # The default comes first: it is what the report is about.
    return [players.default, *sorted(counts - {players.default})]


def _switches(game: Game, left_out: tuple[str, ...]) -> dict[str, dict[str, Value]]:
    """Return a variant for every switch and every other word of a choice in the rule text."""
    variants: dict[str, dict[str, Value]] = {}
    for option in game.options[1:]:
        if option.name in left_out or option.house:
            continue
        if isinstance(option, BoolOption):
            name = f"without_{option.name}" if option.default else option.name
            variants[name] = {option.name: not option.default}
        elif isinstance(option, ChoiceOption):
            for value in option.values:
                if value != option.default:
                    variants[f"{option.name}_{value}"] = {option.name: value}
    return variants


def main() -> None:
    """Print the study of the game that is named."""
    game = get_game(sys.argv[1])
    sys.stdout.write(
        f"# How {game.title} plays, with weak and strong policies at several tables: for\n"
        f"# `cardlab report`. Made by `python -m studies.library.balance {game.name}`.\n"
        + tomli_w.dumps(balance_document(game))
    )


if __name__ == "__main__":
    main()
