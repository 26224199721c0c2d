"""dnup: its options, metrics and clauses. The rules stand in RULES.md beside this file."""

from __future__ import annotations

from simcore.errors import InputError
from simcore.game import Clause, Game, Metric
from simcore.games.dnup.deck import PROFILES, parse_deck
from simcore.options import BoolOption, FileOption, IntOption, Options, show

OPTIONS = (
    IntOption(name="players", default=4, low=2, high=5, meaning="players", rule="R1"),
    FileOption(
        name="deck",
        default="a",
        values=PROFILES,
        contents=(
            'a deck file: 40 lines such as "2/7", "1/5 *" (the star), "1/2 smile", "1/3 neutral", '
            '"1/9 frown"'
        ),
        check=parse_deck,
        meaning="a, c: two reconstructions; or the cards of the real box",
        rule="C1",
    ),
    IntOption(
        name="markers_to_win",
        default=4,
        low=1,
        high=100,
        none_allowed=True,
        meaning="markers that win the match (3 to 5 players)",
        rule="R15",
    ),
    IntOption(
        name="rounds_to_win",
        default=2,
        low=1,
        high=100,
        none_allowed=True,
        meaning="rounds that win the match (2 players)",
        rule="R21",
    ),
    BoolOption(
        name="win_on_playing",
        default=True,
        none_allowed=True,
        meaning="the last card wins the round though the own other set comes back (2 players)",
        rule="C23",
    ),
    IntOption(
        name="turn_cap",
        default=1000,
        low=100,
        high=1_000_000,
        meaning="actions in one round that end the match as aborted",
        rule="C28",
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
)

CLAUSES = (
    Clause("deck", "a deck other than profile a was dealt", ("deck",)),
    Clause("goal", "the goal was reached", ("markers_to_win", "rounds_to_win")),
    Clause(
        "set_returned",
        "the last hand card sent the own other set back",
        ("win_on_playing",),
    ),
    Clause("turn_cap", "a round reached the cap on actions", ("turn_cap",)),
)

_OF_MANY: tuple[str, ...] = ("markers_to_win",)
_OF_TWO: tuple[str, ...] = ("rounds_to_win", "win_on_playing")
_ALLOWED = {
    "markers_to_win": "a whole number 1…100",
    "rounds_to_win": "a whole number 1…100",
    "win_on_playing": "true, false",
}


def complete(options: Options, given: frozenset[str]) -> None:
    """Leave the options of the other table size empty, and refuse them when given."""
    tables = {"3 to 5 players": _OF_MANY, "2 players": _OF_TWO}
    own = tables.pop("2 players" if options["players"] == 2 else "3 to 5 players")
    ((wanted, others),) = tables.items()
    for name in others:
        if name in given and options[name] is not None:
            raise InputError(
                f"option {name} = {show(options[name])!r} is refused with players = "
                f"{options['players']}: it belongs to the game of {wanted}; allowed: none"
            )
        options[name] = None
    for name in own:
        if options[name] is None:
            raise InputError(
                f"option {name} = 'none' is refused with players = {options['players']}; "
                f"allowed: {_ALLOWED[name]}"
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
