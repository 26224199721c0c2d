"""Up or down?: phases, moves as numbers, and the three records."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.games.upordown.cards import BYTE, WORDS, put
from simcore.games.upordown.colours import (
    CYCLIC,
    HIGHEST_CARD,
    LONGEST_NAME,
    MOST_COLOURS,
    load_colours,
)
from simcore.games.upordown.options import (
    CLAUSES,
    METRICS,
    MOST_CIRCLE_CARDS,
    MOST_COLUMNS,
    MOST_HAND_CARDS,
    MOST_TURNS,
    OPTIONS,
    SEATS,
    card_count_of,
)
from simcore.options import Options
from simcore.records import (
    FIRST_PHASE,
    Dtypes,
    Fields,
    clause_bits,
    dtypes_with,
    fresh,
    metric_places,
    whole_fields,
)
from simcore.vectors import LANES

CARD = FIRST_PHASE
TAKE = FIRST_PHASE + 1
PLACE = FIRST_PHASE + 2
DRAW = FIRST_PHASE + 3
PHASES = {CARD: "CARD", TAKE: "TAKE", PLACE: "PLACE", DRAW: "DRAW"}

NO_FLOOR = 0
NO_CEILING = 126
"""Of a column to which lower, or higher, cards may be appended."""

LOWER_SIDE = 0
UPPER_SIDE = 1

NEW_COLUMN = BYTE * MOST_COLUMNS
GIVE_UP = NEW_COLUMN + 1
"""A `PLACE` move is a bit's number: 8 × place + 7 to append there, `NEW_COLUMN`, or `GIVE_UP` +
place. So the moves found stand in one word in the order in which they are listed."""

FACE_UP = 0
FACE_DOWN = 1
PILES = 2

UNSEEN = 0
LAID = 1
HELD = 2

COUNT_BITS = 6
MOST_OF_A_COLOUR = (1 << COUNT_BITS) - 1
"""In `colour_counts` every printed colour has so many bits; those of a file, see `bits_for`."""

assert MOST_TURNS < MOST_OF_A_COLOUR

METRIC = metric_places(METRICS)
CLAUSE = clause_bits(CLAUSES)

TABLE_FIELDS: Fields = [
    ("circle", "i8"),
    ("wide_circle", "i8", (WORDS,)),
    *whole_fields("laid_card", "taken_card", "face_up_card"),
    ("pile_cards", "i8", (PILES,)),
    *whole_fields("turns_left", "laps"),
    ("whereabouts", "u1", (HIGHEST_CARD + 2,)),
    ("columns_used", "i8", (SEATS,)),
    ("floors", "i8", (SEATS,)),
    ("ceilings", "i8", (SEATS,)),
    ("lengths", "i8", (SEATS, MOST_COLUMNS)),
    ("most", "i8", (SEATS, MOST_COLUMNS)),
    ("points", "i8", (SEATS, MOST_COLUMNS)),
    ("colour_counts", "i8", (SEATS, MOST_COLUMNS)),
    ("column_cards", "u1", (SEATS, MOST_COLUMNS, MOST_TURNS + 1)),
    ("discards", "i8", (SEATS,)),
    *whole_fields("columns", "open_pile", "hand_cards", "circle_cards", "insert", "discard_points"),
    *whole_fields("is_forced", "scoring", "clauses_of_options", "printed_colours", "card_count"),
    *whole_fields("colours", "most_of_a_colour"),
    ("colour_shift", "u1", (HIGHEST_CARD + 2,)),
    ("colour_cards", "i8", (MOST_COLOURS, WORDS)),
    ("colour_names", "u4", (MOST_COLOURS, LONGEST_NAME)),
]
"""What everybody sees, and the options.

The cards of the circle, as a row without `NO_CARD`, or if they are more than `ROW_CIRCLE` as a card
set; the card just laid into it, until a neighbour is taken, and the card taken, until it is placed
(0: none); the card on top of the face-up pile (0: none, or hidden), how many cards each pile has,
how many turns are left, and how often the turn has come round.

What everybody knows of each card from what was seen (`whereabouts`): `UNSEEN`, `LAID` when it is or
has been in the circle, or `HELD` + seat when it was drawn from the face-up pile and not yet laid.

By seat the columns in use. For each place, as bytes of one word: the lowest and the highest card
that may be appended (`floors`, `ceilings`; an unused place has a floor above its ceiling); with
`insert` other than `END` what is above the floor or below the ceiling lies outside the column. By
seat and place: how many cards, how many of the most frequent colour, the points, the number of each
colour (`most_of_a_colour` is the mask of one), and the cards, from index 1 on. How many cards the
discard pile has. `scores` are as if scored now.

The dials (`dials`), and the bits of the options that come into play by being set. `card_count` is
the number of cards in play; then the colours: how many, by card where its count stands in
`colour_counts`, by colour its cards as a card set, and its name.
"""

HELD_PLACE = -(-(MOST_CIRCLE_CARDS + 2) // LANES) * LANES
RING = HELD_PLACE + LANES
assert MOST_HAND_CARDS <= LANES

SEAT_FIELDS: Fields = [
    *whole_fields("hand", "place_moves"),
    ("half", "u8"),
    ("coins", "u8"),
    ("ring", "i8", (RING,)),
    ("shifts", "i8", (LANES,)),
    ("rated", "f8", (RING,)),
]
"""What a player holds: the hand, as a row; the `PLACE` moves found, a bit for each; random bits for
uniform random play, see `moves`; and what it reckons with: the circle as a ring and from
`HELD_PLACE` on cards of a hand, where their colours are counted, and how they are rated."""

BOX_FIELDS: Fields = [("deck", "u1", (HIGHEST_CARD + 2,)), ("face_up_size", "i8")]
"""What nobody sees: the shuffled cards from index 1 on (see `deal`), and how many of them the
face-up pile has at first."""

RECORDS = 1
"""How many TABLE and BOX records a block needs: lanes keep their own."""

MAX_MOVES = 2 * MOST_COLUMNS + 1


DTYPES = dtypes_with(METRICS, TABLE_FIELDS, SEAT_FIELDS, MAX_MOVES, BOX_FIELDS)


def record_dtypes(_options: Options) -> Dtypes:
    """Return the three records, which are the same under all options."""
    return DTYPES


def bits_for(colours: int) -> int:
    """Return how many bits the number of each colour gets; that of more than ten is at most 30."""
    return COUNT_BITS if colours <= 10 else COUNT_BITS - 1


def fill_colours(table: Any, names: tuple[str, ...]) -> None:
    """Write the colours of the cards 1…126 into a TABLE record (modified in place) [R1] [C1].

    Colours are numbered in the order in which they first occur.
    """
    colours = list(dict.fromkeys(names))
    bits = bits_for(len(colours))
    table.colours = len(colours)
    table.most_of_a_colour = (1 << bits) - 1
    table.colour_cards[:] = 0
    table.colour_names[:] = 0
    for card, name in enumerate(names, start=1):
        colour = colours.index(name)
        table.colour_shift[card] = bits * colour
        put(table.colour_cards[colour], card)
    for colour, name in enumerate(colours):
        table.colour_names[colour, : len(name)] = [ord(letter) for letter in name]


def new_records(options: Options) -> tuple[np.recarray, np.recarray]:
    """Return fresh TABLE[1] and BOX[1] arrays with the options filled in.

    Raises
    ------
    ValueError
        If the file of colours is no longer what it was when the options were checked.
    """
    table, box = fresh(DTYPES)
    number = {option.name: option.number(options[option.name]) or 0 for option in OPTIONS}
    names = ("players", "columns", "open_pile", "hand_cards", "insert", "discard_points", "scoring")
    for name in names:
        table[0][name] = number[name]
    table[0].circle_cards = number["circle"]
    table[0].is_forced = number["give_up"]
    table[0].clauses_of_options = clauses_of(options)
    table[0].card_count = card_count_of(options)
    table[0].printed_colours = options["colours"] == CYCLIC
    fill_colours(table[0], load_colours(str(options["colours"])))
    dealt = number["hand_cards"] * number["players"] + number["circle"]
    box[0].face_up_size = (card_count_of(options) - dealt) // 2
    return table, box


def clauses_of(options: Options) -> int:
    """Return the bits of what comes into play by being set, in every match."""
    always = ("colours", "open_pile", "hand_cards", "circle", "highest_card", "give_up", "scoring")
    given = [option for option in OPTIONS if options[option.name] != option.default]
    return sum(getattr(CLAUSE, option.name) for option in given if option.name in always)
