"""UP & DOWN: its options, metrics and clauses. The rules stand in RULES.md beside this file."""

from __future__ import annotations

from simcore.errors import InputError
from simcore.game import Clause, Game, Metric
from simcore.options import BoolOption, ChoiceOption, IntOption, Options

SEATINGS = ("opposite", "adjacent")

OPTIONS = (
    IntOption(name="players", default=4, low=2, high=4, meaning="players", rule="R1"),
    IntOption(name="rounds", default=1, low=1, high=1000, meaning="rounds of a match", rule="R19"),
    BoolOption(
        name="tie_round",
        default=False,
        meaning="further rounds of all players until one alone has the most tricks",
        rule="R20",
    ),
    ChoiceOption(
        name="seating",
        default="opposite",
        values=SEATINGS,
        meaning="at which sides of the U&D card two players sit",
        rule="C3",
    ),
)

METRICS = (
    Metric("rounds", "rounds completed"),
    Metric("tricks", "tricks played, with or without a winner"),
    Metric("pots", "tricks without a winner"),
    Metric("lost_tricks", "tricks left in the pot at the end of a round"),
    Metric("largest_pot", "most tricks taken with one win beyond its own"),
    Metric("flips", "times a leader turned the U&D card over"),
    Metric("rotations", "times a leader rotated the U&D card"),
    Metric("rolls", "times a leader rolled for a new trump"),
    Metric("trump_wins", "tricks won by a trump"),
    Metric("lead_changes", "tricks after which other seats are ahead than before"),
)

CLAUSES = (
    Clause("further_rounds", "a second round was played", ("rounds",)),
    Clause("tie_round", "a further round was played because of a tie", ("tie_round",)),
    Clause("adjacent", "two players sat at adjacent sides of the card", ("seating",)),
)


def complete(options: Options, given: frozenset[str]) -> None:
    """Refuse a seating that says nothing about this number of players [C3]."""
    del given
    if options["seating"] != SEATINGS[0] and options["players"] != 2:
        raise InputError(
            f"option seating = {options['seating']!r} is refused with players = "
            f"{options['players']}: only two players can sit in more than one way; "
            "allowed: players = 2, or seating = opposite"
        )


GAME = Game(
    name="updown",
    title="UP & DOWN",
    kind="trick-taking under changing rules, simultaneous choice",
    options=OPTIONS,
    complete=complete,
    metrics=METRICS,
    clauses=CLAUSES,
    first_seat_meaning="the first trick leader",
    best_score="highest",
    assumptions=(
        "values 2 to 12 once in each colour; the order of the colours round the card has no effect",
    ),
    assumptions_at=((2, "two players sit opposite each other unless seating says otherwise"),),
)
