"""dnup: its options, metrics and clauses. The rules stand in RULES.md beside this file."""

from __future__ import annotations

from simcore.errors import InputError
from simcore.game import Clause, Game, Metric
from simcore.games.dnup.deck import PROFILES, parse_deck
from simcore.options import BoolOption, ChoiceOption, FileOption, IntOption, Options, show

OPTIONS = (
    IntOption("players", 4, "players", "R1", low=2, high=5),
    FileOption(
        "deck",
        "a",
        "a, c: two reconstructions; or the cards of the real box",
        "C1",
        values=PROFILES,
        contents=(
            'a deck file: 40 lines such as "2/7", "1/5 *" (the star), "1/2 smile", "1/3 neutral", '
            '"1/9 frown"'
        ),
        check=parse_deck,
    ),
    IntOption(
        "markers_to_win",
        4,
        "markers that win the match (3 to 5 players)",
        "R15",
        low=1,
        high=100,
        none_allowed=True,
    ),
    IntOption(
        "rounds_to_win",
        2,
        "rounds that win the match (2 players)",
        "R21",
        low=1,
        high=100,
        none_allowed=True,
    ),
    BoolOption(
        "win_on_playing",
        True,
        "the last card wins the round though the own other set comes back (2 players)",
        "C23",
        none_allowed=True,
    ),
    IntOption(
        "turn_cap",
        1000,
        "actions in one round that end the match as aborted",
        "C28",
        low=100,
        high=1_000_000,
    ),
    IntOption(
        "first_out_markers",
        2,
        "markers of who is out first (3 to 5 players)",
        "H1",
        high=10,
        none_allowed=True,
    ),
    IntOption(
        "second_out_markers",
        1,
        "markers of who is out second (3 to 5 players)",
        "H1",
        high=10,
        none_allowed=True,
    ),
    BoolOption("turn_on_taking", True, "cards that go from the table to a hand are turned", "H2"),
    BoolOption("take_up", True, "action C, to take up a set, is allowed", "H3"),
    BoolOption(
        "turn_hand",
        True,
        "action D, to turn the hand, is allowed; who then can do nothing passes",
        "H4",
    ),
    BoolOption("equal_beats", False, "a set of equal value beats, too", "H5"),
    ChoiceOption(
        "round_start",
        "star",
        "later rounds start with the star card's holder, or who was out first in the last",
        "H6",
        values=("star", "winner"),
    ),
)

METRICS = (
    Metric("rounds", "rounds begun"),
    Metric("turns", "actions"),
    Metric("sets_played", "actions A: sets played"),
    Metric("cards_added", "actions B: cards added to the sets of others"),
    Metric("sets_taken", "actions C: sets taken up"),
    Metric("turns_over", "actions D: hands turned"),
    Metric("sets_beaten", "sets sent back or discarded by a higher one"),
    Metric("largest_set", "cards of the largest set"),
    Metric("lead_changes", "completed rounds after which other seats are ahead than before"),
    Metric("passes", "turns (with 2 players moves) of a seat without a legal action"),
)

CLAUSES = (
    Clause("deck", "a deck other than profile a was dealt", ("deck",)),
    Clause("goal", "the goal was reached", ("markers_to_win", "rounds_to_win")),
    Clause("set_returned", "the last hand card sent the own other set back", ("win_on_playing",)),
    Clause("turn_cap", "a round reached the cap on actions", ("turn_cap",)),
    Clause(
        "other_markers",
        "who was out first or second got other markers than 2 or 1",
        ("first_out_markers", "second_out_markers"),
    ),
    Clause("kept_side", "cards came to a hand without being turned", ("turn_on_taking",)),
    Clause("no_taking", "a set lay that nobody could take up", ("take_up",)),
    Clause("no_turning", "no hand could be turned", ("turn_hand",)),
    Clause("equal_beaten", "a set was beaten by one of equal value", ("equal_beats",)),
    Clause(
        "winner_started",
        "a round began with another seat than the star card's holder",
        ("round_start",),
    ),
)

_OWN = {
    "3 to 5 players": {
        "markers_to_win": "a whole number 1…100",
        "first_out_markers": "a whole number 0…10",
        "second_out_markers": "a whole number 0…10",
    },
    "2 players": {"rounds_to_win": "a whole number 1…100", "win_on_playing": "true, false"},
}
"""Options that exist at one table size only, with their allowed values."""


def complete(options: Options, given: frozenset[str]) -> None:
    """Set the options of the other table size to none, and refuse them if given."""
    many, two = _OWN
    here, wanted = (two, many) if options["players"] == 2 else (many, two)
    for name in _OWN[wanted]:
        if name in given and options[name] is not None:
            raise InputError(
                f"option {name} = {show(options[name])} is refused with players = "
                f"{options['players']}: it belongs to the game of {wanted}; allowed: none"
            )
        options[name] = None
    for name, allowed in _OWN[here].items():
        if options[name] is None:
            raise InputError(
                f"option {name} = none is refused with players = {options['players']}; "
                f"allowed: {allowed}"
            )
    if options["first_out_markers"] == options["second_out_markers"] == 0:
        raise InputError(
            "options first_out_markers = 0 and second_out_markers = 0 are refused together: nobody "
            "would ever win; allowed: 1…10 for one of them or both"
        )


GAME = Game(
    name="dnup",
    title="dnup",
    kind="shedding; sets of two-way cards that beat each other",
    options=OPTIONS,
    complete=complete,
    metrics=METRICS,
    clauses=CLAUSES,
    first_seat_meaning="who holds the star card in the first round",
    best_score="highest",
    assumptions=(
        (
            "the deck is reconstructed, as the 40 cards are published nowhere: 4 players depend on "
            "every pair of values being there once, 5 also on which four come twice; results for 2 "
            "and 3 players are the least certain (compare deck = a with deck = c)"
        ),
        "each card is dealt either way up with probability 1/2",
    ),
)
