"""Up: phases, moves as numbers, and the three records."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from simcore.games.up.cards import (
    KINDS,
    MAX_CARDS,
    MAX_WORDS,
    MINUS_TWO,
    SETS_PER_WORD,
    card_number,
    size_of,
    words_of,
)
from simcore.games.up.options import CLAUSE_BIT, METRICS, OPTIONS
from simcore.games.up.turn import has_rare_rules
from simcore.jit import kernel
from simcore.lanes import LANES
from simcore.options import Options
from simcore.records import (
    COMMON_COUNTS,
    FIRST_PHASE,
    MAX_SEATS,
    Dtypes,
    Fields,
    box_dtype,
    option_fields,
    seat_dtype,
    table_dtype,
    write_options,
)

HIDDEN_CARDS = 4
OPEN_CARDS = 4
HAND_CARDS = 5

CUT = FIRST_PHASE
DECLARE = FIRST_PHASE + 1
PLAY = FIRST_PHASE + 2
PHASES = {CUT: "CUT", DECLARE: "DECLARE", PLAY: "PLAY"}

KEEP = 0
RETURN = 1
DIRTY = 1
DOUBLE = 2
"""A `DECLARE` move is the sum of what is announced."""

HAND = 0
OPEN = 1
HIDDEN = 2
SOURCE_STEP = 256
TURN_UP = HIDDEN * SOURCE_STEP
PASS_LEAD = -1

OFF, ALWAYS, FOREHAND = 0, 1, 2
SCORE_POINTS, SCORE_CARDS, SCORE_MATCHES = 0, 1, 2
"""Words of options as TABLE has them: their places among the allowed ones."""

METRIC_INDEX = {
    name: i for i, name in enumerate((*(metric.name for metric in METRICS), *COMMON_COUNTS))
}

ROUNDS = METRIC_INDEX["rounds"]
PLAYS = METRIC_INDEX["plays"]
COLLAPSES = METRIC_INDEX["collapses"]
CLEARS = METRIC_INDEX["clears"]
MINUS_TWOS = METRIC_INDEX["minus_twos"]
BLIND_PLAYS = METRIC_INDEX["blind_plays"]
LARGEST_PICKUP = METRIC_INDEX["largest_pickup"]
BLIND_FINISHES = METRIC_INDEX["blind_minus_two_finishes"]
LEAD_CHANGES = METRIC_INDEX["lead_changes"]
CLAUSES = METRIC_INDEX["clauses"]
DECISIONS = METRIC_INDEX["decisions"]
FORCED = METRIC_INDEX["forced"]

LIMIT_CLAUSE = CLAUSE_BIT["limit"]
DIRTY_CLAUSE = CLAUSE_BIT["dirty_one"]
DOUBLE_CLAUSE = CLAUSE_BIT["double_two"]
MINUS_TWO_CLAUSE = CLAUSE_BIT["minus_two"]
EXTRA_SET_CLAUSE = CLAUSE_BIT["extra_set"]
SCORING_CLAUSE = CLAUSE_BIT["scoring"]
SAME_DEALER_CLAUSE = CLAUSE_BIT["same_dealer"]
LOST_TURN_CLAUSE = CLAUSE_BIT["lost_turn"]
PLAY_CAP_CLAUSE = CLAUSE_BIT["play_cap"]


def word_count(options: Options) -> int:
    """Return how many words a card set has: one for up to four sets of cards, else three."""
    sets = int(options["players"]) + bool(options["extra_set"])  # type: ignore[arg-type]
    return 1 if sets <= SETS_PER_WORD else MAX_WORDS


def table_fields(words: int) -> Fields:
    """Return what lies open, and the options.

    `cap` (0: no tower); whether the double two and the dirty one are in force; the tower, the
    cards just laid, those cleared away, the open cards of every seat, and the cards everybody has
    seen a seat take up, all as card sets; how many cards a seat still has in all, and hidden; bit
    masks of the seats whose first turn is to come and of those who lose their next one; whether
    there are rules of a turn that are not the usual ones.
    """
    return [
        ("cap", "i8"),
        ("double", "u4"),
        ("dirty", "i8"),
        ("tower", "i8", (words,)),
        ("laid", "i8", (words,)),
        ("cleared", "i8", (words,)),
        ("open_cards", "i8", (MAX_SEATS, words)),
        ("known_hand", "i8", (MAX_SEATS, words)),
        ("cards", "i8", (MAX_SEATS,)),
        ("hidden_cards", "i8", (MAX_SEATS,)),
        ("first_turn", "i8"),
        ("lost_turn", "i8"),
        ("plays", "i8"),
        ("passes", "i8"),
        ("plays_at_pass", "i8"),
        ("dealer", "i8"),
        ("forehand", "i8"),
        ("cut_kept", "i8"),
        ("blind_finish", "i8"),
        ("pack_size", "i8"),
        ("rare", "i8"),
        *option_fields(OPTIONS),
        ("forget_last_card", "f8", (MAX_SEATS,)),
    ]


def seat_fields(words: int) -> Fields:
    """Return what a player holds: the hand, and the legal moves of the turn (see `moves`)."""
    return [
        ("hand", "i8", (words,)),
        ("hand_moves", "i8", (words,)),
        ("open_moves", "i8", (words,)),
        ("may_turn_up", "i8"),
    ]


RECORDS = LANES
"""How many matches may be under way at a time."""

BOX_FIELDS: Fields = [
    ("order", "u1", (MAX_CARDS,)),
    ("pack", "u1", (MAX_CARDS,)),
    ("hidden", "u1", (MAX_SEATS, HIDDEN_CARDS)),
]
"""What nobody sees: the pack as it is built up, the shuffled pack, the hidden cards, all as card
numbers."""

MAX_MOVES = 160


@cache
def dtypes(words: int) -> Dtypes:
    """Return the three records for card sets of `words` words."""
    table = table_dtype(len(METRICS), table_fields(words))
    seat = seat_dtype(MAX_MOVES, seat_fields(words))
    return Dtypes(table, seat, box_dtype(seat, BOX_FIELDS))


def record_dtypes(options: Options) -> Dtypes:
    """Return the three records for a game with these options."""
    return dtypes(word_count(options))


def fill_options(table: Any, options: Options) -> None:
    """Write resolved options into a TABLE record (modified in place)."""
    write_options(table, OPTIONS, options)
    table.rare = has_rare_rules(table)
    table.forget_last_card[: table.players] = options["forget_last_card"]


@kernel
def hand_size(table, seat_index):
    """Return how many hand cards a seat has."""
    return (
        table.cards[seat_index]
        - table.hidden_cards[seat_index]
        - size_of(words_of(table.open_cards[seat_index]))
    )


def pack_order(options: Options) -> list[int]:
    """Return the cards of the pack as it is built up before shuffling [R1] [R34] [R35].

    First the numbers and clear cards of all sets, then their "-2", then the extra set: see
    `kernel.shuffle_pack`.
    """
    players = int(options["players"])  # type: ignore[arg-type]
    kinds = range(KINDS - 1)
    order = [card_number(kind, colour) for colour in range(players) for kind in kinds]
    if options["minus_two"]:
        order += [card_number(MINUS_TWO, colour) for colour in range(players)]
    if options["extra_set"]:
        order += [
            card_number(kind, players) for kind in range(KINDS - 1 + bool(options["minus_two"]))
        ]
    return order


def new_records(options: Options) -> tuple[np.recarray, np.recarray]:
    """Return fresh TABLE[1] and BOX[1] arrays with the options filled in."""
    types = record_dtypes(options)
    table = np.zeros(1, types.table).view(np.recarray)
    box = np.zeros(1, types.box).view(np.recarray)
    fill_options(table[0], options)
    order = pack_order(options)
    table[0].pack_size = len(order)
    box[0].order[: len(order)] = order
    return table, box
