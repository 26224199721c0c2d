"""Up: phases, moves as numbers, and the three records."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from simcore.games.up.cards import (
    CLEAR,
    HIGHEST,
    MINUS_TWO,
    card_number,
    deck_with,
    size_of,
    widths_of,
    words_of,
)
from simcore.games.up.options import CLAUSES, METRICS, MOST_CARDS, OPTIONS, cards_of_hand, whole
from simcore.games.up.rules import rare_rules
from simcore.jit import kernel
from simcore.lanes import LANES
from simcore.options import Options
from simcore.records import (
    FIRST_PHASE,
    MAX_SEATS,
    Dtypes,
    Fields,
    clause_bits,
    dtypes_with,
    fresh,
    metric_places,
    option_fields,
    whole_fields,
    write_options,
)

MOST_HIDDEN = 6

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

METRIC = metric_places(METRICS)
CLAUSE = clause_bits(CLAUSES)


def widths(options: Options) -> tuple[int, int, int]:
    """Return how many words a card set has, and the bits of each for special cards; `widths_of`."""
    return widths_of(
        whole(options["players"]) + bool(options["extra_set"]),
        whole(options["minus_two_cards"]),
        whole(options["clear_cards"]),
    )


def table_fields(words: int) -> Fields:
    """Return what lies open, and the options.

    `cap` (0: no tower); whether the double two and the dirty one are in force; the tower, the
    cards just laid, those cleared away, the open cards of every seat, and the cards everybody has
    seen a seat take up, all as card sets; how many cards a seat still has in all, and hidden; bit
    masks of the seats whose first turn is to come and of those who lose their next one; whether who
    is on turn leads anew, how many equal number cards lie on top (`turn.Sight`), and whether there
    are rules of a turn that are not the usual ones; how many bits of a word special cards have, and
    which (`cards.Deck`); how many cards a hand is dealt.
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
        *whole_fields("first_turn", "lost_turn", "plays", "passes", "plays_at_pass", "dealer"),
        *whole_fields("forehand", "cut_kept", "blind_finish", "pack_size", "anew", "equal", "rare"),
        *whole_fields("minus_two_bits", "clear_bits", "minus_twos", "clears", "dealt_hand"),
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
    ("order", "u1", (MOST_CARDS,)),
    ("pack", "u1", (MOST_CARDS,)),
    ("hidden", "u1", (MAX_SEATS, MOST_HIDDEN)),
]
"""What nobody sees: the pack as it is built up, the shuffled pack, the hidden cards, all as card
numbers."""


@cache
def dtypes(words: int) -> Dtypes:
    """Return the three records for card sets of `words` words."""
    # As many as there are cards, and turning one up.
    moves = 64 * words + 32
    return dtypes_with(METRICS, table_fields(words), seat_fields(words), moves, BOX_FIELDS)


def record_dtypes(options: Options) -> Dtypes:
    """Return the three records for a game with these options."""
    return dtypes(widths(options)[0])


def fill_options(table: Any, options: Options) -> None:
    """Write resolved options into a TABLE record (modified in place)."""
    write_options(table, OPTIONS, options)
    _, table.minus_two_bits, table.clear_bits = widths(options)
    _, table.minus_twos, table.clears, _ = deck_with(table.minus_two_bits, table.clear_bits)
    table.rare = rare_rules(table)
    table.dealt_hand = cards_of_hand(options)
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
    """Return the cards of the pack as it is built up before shuffling [R1] [R34] [R35] [H3] [H4].

    First the numbers and a clear card of all sets, then a "-2" of each, then the extra set, then
    further special cards: see `kernel.shuffle_pack`.
    """
    players = whole(options["players"])
    minus_twos, clears = whole(options["minus_two_cards"]), whole(options["clear_cards"])
    _, *bits = widths(options)
    usual = [CLEAR] * (clears > 0) + list(range(1, HIGHEST + 1))
    twos = [MINUS_TWO] * (minus_twos > 0)
    first, last = range(players), range(players, players + bool(options["extra_set"]))
    order = [card_number(kind, colour, *bits) for colour in first for kind in usual]
    order += [card_number(kind, colour, *bits) for colour in first for kind in twos]
    order += [card_number(kind, colour, *bits) for colour in last for kind in (*usual, *twos)]
    sets = players + len(last)
    for kind, each in ((MINUS_TWO, minus_twos), (CLEAR, clears)):
        order += [card_number(kind, index, *bits) for index in range(sets, sets * each)]
    return order


def new_records(options: Options) -> tuple[np.recarray, np.recarray]:
    """Return fresh TABLE[1] and BOX[1] arrays with the options filled in."""
    table, box = fresh(record_dtypes(options))
    fill_options(table[0], options)
    order = pack_order(options)
    table[0].pack_size = len(order)
    box[0].order[: len(order)] = order
    return table, box
