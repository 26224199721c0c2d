"""UNO: its options, metrics and clauses. The rules stand in RULES.md beside this file."""

from __future__ import annotations

from simcore.game import Clause, Game, Metric
from simcore.options import ChoiceOption, IntOption, Options, ProbabilityOption

OPTIONS = (
    IntOption(name="players", default=4, low=2, high=10, meaning="players", rule="C2"),
    IntOption(
        name="target",
        default=500,
        low=1,
        high=100_000,
        meaning="points that end the match",
        rule="R20",
    ),
    IntOption(
        name="rounds",
        default=None,
        low=1,
        high=1000,
        none_allowed=True,
        meaning="a fixed number of rounds instead of the target (1: a single round)",
        rule="C27",
    ),
    ChoiceOption(
        name="scoring",
        default="winner_takes",
        values=("winner_takes", "own_cards"),
        meaning="the winner of a round gets the points of all cards left, "
        "or each is charged its own, and the lowest total wins",
        rule="R21",
    ),
    ChoiceOption(
        name="challenge",
        default="victim",
        values=("victim", "off"),
        meaning="who must draw may challenge a wild draw four, or only legal ones may be laid",
        rule="C12",
    ),
    ChoiceOption(
        name="reverse_two_players",
        default="skip",
        values=("skip", "none"),
        meaning="what a reverse does with two players",
        rule="C6",
    ),
    ProbabilityOption(
        name="forget_uno",
        default=0.0,
        per_seat=True,
        meaning='probability that a seat forgets to call "UNO"',
        rule="C15",
    ),
    ProbabilityOption(
        name="notice_uno",
        default=1.0,
        meaning="probability that a forgotten call is noticed in time",
        rule="C15",
    ),
    IntOption(
        name="turn_cap",
        default=5000,
        low=100,
        high=1_000_000_000,
        meaning="turns in one round that end the match as aborted",
        rule="C24",
    ),
)

METRICS = (
    Metric("rounds", "rounds completed"),
    Metric("turns", "times somebody was on turn"),
    Metric("cards_drawn", "cards drawn from the stock into a hand"),
    Metric("reshuffles", "times the discard pile became the stock"),
    Metric("wild_draw_fours", "wild draw fours laid"),
    Metric("bluffs", "wild draw fours laid illegally"),
    Metric("challenges", "wild draw fours challenged"),
    Metric("caught", "challenges won"),
    Metric("uno_penalties", 'penalties for a forgotten "UNO"'),
    Metric("lead_changes", "rounds after which other seats are ahead than before"),
)

CLAUSES = (
    Clause("end", "the target or the number of rounds ended the match", ("target", "rounds")),
    Clause("scoring", "everybody was charged the own cards", ("scoring",)),
    Clause(
        "challenge",
        "a wild draw four could be challenged, or an illegal one not be laid",
        ("challenge",),
    ),
    Clause("reverse_two", "a reverse was laid with two players", ("reverse_two_players",)),
    Clause("forgotten", 'somebody forgot to call "UNO"', ("forget_uno", "notice_uno")),
    Clause("turn_cap", "a round reached the cap on turns", ("turn_cap",)),
)


def complete(options: Options, given: frozenset[str]) -> None:
    """Accept every combination: with a number of rounds the target has no meaning."""
    del options, given


GAME = Game(
    name="uno",
    title="UNO H2O To Go",
    kind="shedding by matching colour or face, to 500 points",
    options=OPTIONS,
    complete=complete,
    metrics=METRICS,
    clauses=CLAUSES,
    first_seat_meaning="the first dealer's left neighbour",
    best_score="highest",
    best_score_turned=("scoring", "own_cards"),
    one_coupling="",
)
