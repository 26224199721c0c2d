"""Up: its options, metrics and clauses. The rules stand in RULES.md beside this file."""

from __future__ import annotations

from simcore.errors import InputError
from simcore.game import Clause, Game, Metric
from simcore.options import BoolOption, ChoiceOption, IntOption, Options, ProbabilityOption

_WHEN = ("off", "always", "forehand")

OPTIONS = (
    IntOption(name="players", default=4, low=2, high=10, meaning="players", rule="R1"),
    IntOption(
        name="rounds",
        default=6,
        low=1,
        high=1000,
        none_allowed=True,
        meaning="rounds of a match (none when points_limit is set)",
        rule="C34",
    ),
    IntOption(
        name="points_limit",
        default=None,
        low=1,
        high=1_000_000_000,
        none_allowed=True,
        meaning="the match ends when somebody has more points than this (Up300: 300)",
        rule="R31",
    ),
    ChoiceOption(
        name="dirty_one", default="off", values=_WHEN, meaning="each 1 counts 30", rule="R32"
    ),
    ChoiceOption(
        name="double_two",
        default="off",
        values=_WHEN,
        meaning='each "-2" is an ordinary 2',
        rule="R33",
    ),
    BoolOption(name="minus_two", default=True, meaning='"-2" cards are in the pack', rule="R34"),
    BoolOption(name="extra_set", default=False, meaning="one more set is shuffled in", rule="R35"),
    ChoiceOption(
        name="scoring",
        default="points",
        values=("points", "cards", "matches"),
        meaning="card values, number of cards, or one matchstick a round for the first out",
        rule="R30",
    ),
    BoolOption(
        name="multiples_in_first_lap",
        default=True,
        meaning="equal cards may be laid together in a player's first turn",
        rule="C8",
    ),
    BoolOption(name="deal_passes", default=True, meaning="the deal moves on each round", rule="C1"),
    ProbabilityOption(
        name="forget_last_card",
        default=0.0,
        per_seat=True,
        meaning="probability that a seat forgets to announce its last card",
        rule="C30",
    ),
    IntOption(
        name="play_cap",
        default=2000,
        low=100,
        high=1_000_000,
        meaning="plays in one round that end the match as aborted",
        rule="C40",
    ),
)

METRICS = (
    Metric("rounds", "rounds completed"),
    Metric("plays", "times somebody laid or turned up cards"),
    Metric("collapses", "towers that collapsed"),
    Metric("clears", "clear cards that took effect"),
    Metric("minus_twos", '"-2" cards laid on a tower without collapse'),
    Metric("blind_plays", "hidden cards turned up"),
    Metric("largest_pickup", "most cards taken by one collapse"),
    Metric("blind_minus_two_finishes", 'rounds ended by turning up a "-2" (credit of 80)'),
    Metric("lead_changes", "rounds after which other seats are ahead than before"),
)

CLAUSES = (
    Clause("limit", "the points limit ended the match", ("points_limit", "rounds")),
    Clause("dirty_one", "a 1 was counted as 30", ("dirty_one",)),
    Clause("double_two", 'a round was played with every "-2" as a 2', ("double_two",)),
    Clause("minus_two", 'a "-2" was laid or counted, or there was none', ("minus_two",)),
    Clause("extra_set", "a round was played with the extra set", ("extra_set",)),
    Clause("scoring", "children's scoring was used", ("scoring",)),
    Clause(
        "first_turn_multiples",
        "equal cards were laid together in a first turn, or could not be",
        ("multiples_in_first_lap",),
    ),
    Clause("same_dealer", "the same seat dealt again", ("deal_passes",)),
    Clause("lost_turn", "a turn was lost for a forgotten announcement", ("forget_last_card",)),
    Clause("play_cap", "a round reached the cap on plays", ("play_cap",)),
)
CLAUSE_BIT = {clause.name: 1 << i for i, clause in enumerate(CLAUSES)}


def complete(options: Options, given: frozenset[str]) -> None:
    """Fill in `rounds` and refuse combinations that the rules do not know."""
    if options["points_limit"] is not None and "rounds" not in given:
        options["rounds"] = None
    if options["points_limit"] is None and options["rounds"] is None:
        raise InputError(
            "option rounds = 'none' is refused without points_limit: the match would never end; "
            "allowed: rounds 1…1000, or points_limit"
        )
    if options["minus_two"] is False and options["double_two"] != "off":
        raise InputError(
            f"option minus_two = 'false' is refused with double_two = {options['double_two']!r}: "
            'there is no "-2" to play as a 2; allowed: double_two = off, or minus_two = true'
        )
    if options["dirty_one"] != "off" and options["scoring"] != "points":
        raise InputError(
            f"option dirty_one = {options['dirty_one']!r} is refused with "
            f"scoring = {options['scoring']!r}: no card counts its value, so no 1 can count 30; "
            "allowed: dirty_one = off, or scoring = points"
        )
    if options["scoring"] == "matches" and options["points_limit"] is not None:
        raise InputError(
            f"option points_limit = {options['points_limit']!r} is refused with "
            "scoring = 'matches': there are no points; allowed: none, or another scoring"
        )


GAME = Game(
    name="up",
    title="Up",
    kind="shedding; a tower of falling weights",
    options=OPTIONS,
    complete=complete,
    metrics=METRICS,
    clauses=CLAUSES,
    first_seat_meaning="the first dealer's left neighbour",
    best_score_turned=("scoring", "matches"),
)
