"""Up or down?: its options, metrics and clauses. The rules stand in RULES.md beside this file."""

from __future__ import annotations

from simcore.game import Clause, Game, Metric
from simcore.games.upordown.colours import (
    CYCLIC,
    FEWEST_COLOURS,
    HIGHEST_CARD,
    MOST_COLOURS,
    parse_colours,
)
from simcore.options import BoolOption, FileOption, IntOption, Options

SEATS = 6
HAND_CARDS = 3
CIRCLE_CARDS = 6
MOST_COLUMNS = 6

OPTIONS = (
    IntOption(name="players", default=4, low=2, high=6, meaning="players", rule="R2"),
    IntOption(
        name="columns",
        default=3,
        low=1,
        high=MOST_COLUMNS,
        meaning="columns that each display has room for",
        rule="R10",
    ),
    FileOption(
        name="colours",
        default=CYCLIC,
        values=(CYCLIC,),
        contents=(
            f"a text file of {HIGHEST_CARD} lines, line k the colour of card k, "
            f"{FEWEST_COLOURS} to {MOST_COLOURS} different names"
        ),
        check=parse_colours,
        meaning="the colours of the cards",
        rule="C1",
    ),
    BoolOption(
        name="open_pile",
        default=True,
        meaning="one draw pile lies face up; otherwise both lie face down",
        rule="R5",
    ),
)

METRICS = (
    Metric("turns", "turns"),
    Metric("columns_given_up", "columns given up"),
    Metric("cards_discarded", "cards of columns given up"),
    Metric("longest_column", "most cards in a column scored at the end"),
    Metric("best_column", "most points of a column scored at the end"),
    Metric(
        "lead_changes", "laps after which other seats are ahead than before (all level is no lead)"
    ),
)

CLAUSES = (
    Clause("columns", "a display had no place left for another column", ("columns",)),
    Clause("colours", "cards had other colours than the printed ones", ("colours",)),
    Clause("open_pile", "both draw piles lay face down", ("open_pile",)),
)


def complete(_options: Options, _given: frozenset[str]) -> None:
    """Leave the options as they are: every combination is played."""


GAME = Game(
    name="upordown",
    title="Up or down?",
    kind="set collection in ascending and descending columns",
    options=OPTIONS,
    complete=complete,
    metrics=METRICS,
    clauses=CLAUSES,
    first_seat_meaning="the start player",
    one_coupling="everybody draws one card a turn, from piles whose next card may lie open to all",
    best_score="highest",
    assumptions=(
        "The colours of the cards are reconstructed: six in turn, as in one guide to the game.",
        "No column errors are made.",
    ),
)
