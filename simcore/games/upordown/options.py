"""Up or down?: its options, metrics and clauses. The rules stand in RULES.md beside this file."""

from __future__ import annotations

from simcore.errors import InputError
from simcore.game import Game, Metric, clauses_of
from simcore.games.upordown.colours import (
    CYCLIC,
    FEWEST_COLOURS,
    HIGHEST_CARD,
    MOST_COLOURS,
    load_colours,
    parse_colours,
)
from simcore.options import FileOption, Options, options_of

SEATS = 6
MOST_COLUMNS = 6

HAND_CARDS, MOST_HAND_CARDS = 3, 8
CIRCLE_CARDS, MOST_CIRCLE_CARDS = 6, 12
"""The rule text's numbers [R3] [R4], and the maxima."""

CARDS_IN_PLAY = {2: 54, 3: 78, 4: 102, 5: 126, 6: 126}
"""Cards in play by number of players [R2]."""

MOST_TURNS = (HIGHEST_CARD - 2) // 2
"""The most turns of a seat, and hence the most cards in a column."""

OPTIONS = (
    *options_of(f"""
players | 4 | 2…6 | R2 | players
columns | 3 | 1…{MOST_COLUMNS} | R10 | columns that each display has room for
"""),
    FileOption(
        "colours",
        CYCLIC,
        "the colours of the cards",
        "C1",
        values=(CYCLIC,),
        contents=f"a text file of {HIGHEST_CARD} lines, line k the colour of card k, "
        f"{FEWEST_COLOURS} to {MOST_COLOURS} different names",
        check=parse_colours,
    ),
    *options_of(
        f"""
open_pile | true | true, false | R5 | one draw pile lies face up; otherwise both lie face down
hand_cards | {HAND_CARDS} | 1…{MOST_HAND_CARDS} | H1 | cards that everybody is dealt
circle | {CIRCLE_CARDS} | 2…{MOST_CIRCLE_CARDS} | H2 | open cards in the circle
highest_card | none | 12…{HIGHEST_CARD}, none | H3 | cards in play, from 1 on (none: 54, 78, 102,
    126, 126 for 2 to 6 players)
insert | end | end, both_ends, anywhere | H4 | where a card may be put into a column
discard_points | 1 | -10…10 | H5 | points of each card of a column given up
give_up | free | free, forced | H6 | whether a column may be given up at will, or only if the card
    has no other place
scoring | colour_times_length | colour_times_length, length, colour | H7 | what a column scores:
    cards of its most frequent colour × all its cards, its cards, or the square of the first
"""
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

CLAUSES = clauses_of(
    """
columns | columns | a display was full: no other column would have had a place
colours | colours | cards had other colours than the printed ones
open_pile | open_pile | both draw piles lay face down
hand_cards | hand_cards | hands had another number of cards
circle | circle | the circle had another number of cards
highest_card | highest_card | the highest card was named
insert | insert | a card was put before a column's last card
discard_points | discard_points | cards given up scored other points than 1
give_up | give_up | columns could be given up by force only
scoring | scoring | columns scored otherwise
"""
)


def card_count_of(options: Options) -> int:
    """Return the number of cards in play [R2] [H3]."""
    given = options["highest_card"]
    return _whole(given) if given is not None else CARDS_IN_PLAY[_whole(options["players"])]


def _whole(value: object) -> int:
    assert isinstance(value, int)
    return value


def complete(options: Options, _given: frozenset[str]) -> None:
    """Refuse options that cannot be dealt or counted [H1] [H2] [H3] [H7] [C25].

    Raises
    ------
    InputError
        If there are too few cards, if play cannot affect the scores, or if a file has too many
        colours to count.
    """
    players, hand, circle = (_whole(options[name]) for name in ("players", "hand_cards", "circle"))
    cards, needed = card_count_of(options), players * hand + circle
    if cards < needed:
        most = (cards - circle) // players
        or_fewer = f", or hand_cards 1…{most}" if most > 0 else ""
        raise InputError(
            f"option highest_card = {cards} is refused with players = {players}, "
            f"hand_cards = {hand} and circle = {circle}: {needed} cards are dealt; allowed: "
            f"highest_card {needed}…{HIGHEST_CARD}{or_fewer}"
        )
    if options["scoring"] == "length" and options["discard_points"] == 1:
        raise InputError(
            "option scoring = 'length' is refused with discard_points = 1: every card would count "
            "one, wherever it lies; allowed: another discard_points (-10…0, 2…10), or scoring "
            "colour_times_length, colour"
        )
    _check_colours(options, cards, -(-(cards - circle) // players))


def _check_colours(options: Options, cards: int, turns: int) -> None:
    colours = load_colours(str(options["colours"]))
    counted = max(colours[:cards].count(name) for name in set(colours))
    if len(set(colours)) > 10 and min(counted, turns) > 30:
        raise InputError(
            f"option colours = {options['colours']!r} is refused with {turns} turns of a player: "
            f"a column might have more than 30 of the {counted} cards of a colour, which is more "
            "than is counted of each of 11 or 12 colours; allowed: at most 10 colours, at most 30 "
            "cards of each, or a highest_card for at most 30 turns"
        )


GAME = Game(
    name="upordown",
    title="Up or down?",
    kind="set collection in ascending and descending columns",
    options=OPTIONS,
    complete=complete,
    metrics=METRICS,
    clauses=CLAUSES,
    first_seat_meaning="the start player",
    best_score="highest",
    assumptions=(
        "The colours of the cards are reconstructed: six in turn, as in one guide to the game.",
        "No column errors are made.",
    ),
)
