"""dnup: phases, moves as numbers, and the three records."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from simcore.games.dnup.cards import ROWS
from simcore.games.dnup.deck import DECK_SIZE, VALUES, load_deck
from simcore.games.dnup.options import CLAUSES, METRICS
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
    whole_fields,
)

ACTION = FIRST_PHASE
PICK = FIRST_PHASE + 1
PHASES = {ACTION: "ACTION", PICK: "PICK"}

PLAY = 0
TURN = 360
ADD = 400
TAKE = 800
"""`ACTION` moves: playing a set, adding to and taking a set are these numbers plus the bit of a
chart, 9 · (size − 1) + value − 1, of the set in question; as no two sets on the table are of a
size [C9], that names the set. `PICK` moves are the ranks of subsets, from 0."""

NO_PLACE = 99
PLACES = 16
SECOND_AREA = 2
"""A *place* is where a set may lie: the number of the seat, with two players plus this for area 2
[R18]."""

PASS = -1
"""In place of a move, of a seat that has none [H4]."""

USUAL_FIRST_OUT, USUAL_SECOND_OUT = 2, 1
"""Markers in the rule text [R13] [R14]."""

METRIC = metric_places(METRICS)
CLAUSE = clause_bits(CLAUSES)

TABLE_FIELDS: Fields = [
    ("place", "u4"),
    ("first_out", "u4"),
    *whole_fields("laid", "discards", "turns", "pending", "last_out"),
    ("set_cards", "i8", (PLACES,)),
    ("set_bit", "i8", (PLACES,)),
    ("set_value", "i8", (PLACES,)),
    ("place_of_row", "u4", (ROWS + 1,)),
    ("cards", "i8", (MAX_SEATS,)),
    ("known", "i8", (MAX_SEATS,)),
    ("known_down", "i8"),
    ("next_place", "u4", (PLACES,)),
    ("seat_mask", "u4"),
    ("area_step", "u4"),
    *whole_fields("dealer", "deck_changed", "goal", "win_on_playing", "turn_cap"),
    *whole_fields("first_out_markers", "second_out_markers", "keeps_side", "may_take", "may_turn"),
    *whole_fields("strictly", "winner_starts", "last_winner", "deck_size", "in_play", "star"),
    *whole_fields("twins", "repeated"),
    ("low", "i8", (VALUES + 1,)),
    ("high", "i8", (VALUES + 1,)),
    ("mates", "i8", (VALUES + 1,)),
    ("partners", "i8", (VALUES + 1,)),
    ("total", "u1", (DECK_SIZE,)),
]
"""What lies open, what everybody remembers, the options and the deck.

- `place` is that of the action under way; `first_out` (`NO_PLACE`: nobody) has played the last
  hand card first of three or more players, `last_out` (-1: nobody) did so and ended the
  round; `turns` counts the round's actions; in `PICK`, `pending` is the action whose cards are
  picked.
- By place, the set that lies there: its cards, its bit in a chart (0 from `LARGE` on), its value.
  `laid` is all these bits together, with the first bit of the last row for a large set;
  `place_of_row` finds a set by its size − 1.
- `discards` are cards that all have seen discarded [C25]; by seat, `cards` is the number of hand
  cards and `known` those that all have seen go there; in `known_down`, of any seat, those of them
  that have the higher value up.
- `next_place` is the order of turns, `seat_mask` leaves the seat of a place, `area_step` is the
  difference to the own other area (with more than two players, to a place that stays empty).
- House rules: the markers of who is out first and second [H1]; all bits or none: cards that come to
  a hand keep their side [H2], sets may be taken [H3]; 1 or 0: the hand may be turned [H4], only a
  higher value beats [H5], who was out first in the last round, `last_winner`, starts the next [H6].
- The deck, sorted: the cards in play and the star card; of cards in play with the same two values
  all but the first, the `twins`; all cards whose two values the next one bears, too, in play or
  not; the cards with a low or high value; those in play that have a value, without twins, and, in
  their order, the other values of these, as bits; by card, the sum of its values.
"""

SEAT_FIELDS: Fields = [
    *whole_fields("up", "down", "active", "turned", "plays", "adds", "takes", "large"),
    *whole_fields("pick_cards", "pick_count"),
]
"""What a player holds: the cards by the side that is up, their chart, and that of the hand once it
is turned; and when they were found the legal moves: bits of charts by action (`large`: there may be
more, on sets of `LARGE` or more cards; see `nth_move`), or the cards of which so many are picked.
"""

MAX_MOVES = comb(12, 6)
"""Enough for the subsets of 12 cards of one value in one hand; of more, only so many are listed."""

RECORDS = LANES

BOX_FIELDS: Fields = [("hand_sizes", "i8", (MAX_SEATS,))]
"""What nobody needs to see: how many cards a seat is dealt, from the dealer's left on."""

DTYPES = dtypes_with(METRICS, TABLE_FIELDS, SEAT_FIELDS, MAX_MOVES, BOX_FIELDS)


def record_dtypes(_options: Options) -> Dtypes:
    """Return the three records, which are the same under all options."""
    return DTYPES


def fill_options(table: Any, options: Options) -> None:
    """Write resolved options into a TABLE record (modified in place)."""
    players = int(options["players"])  # type: ignore[arg-type]
    table.players = players
    table.deck_changed = options["deck"] != "a"
    table.goal = options["rounds_to_win"] if players == 2 else options["markers_to_win"]
    table.win_on_playing = options["win_on_playing"] is not False
    table.turn_cap = options["turn_cap"]
    table.first_out_markers = options["first_out_markers"] or 0
    table.second_out_markers = (
        USUAL_SECOND_OUT if table.players == 2 else options["second_out_markers"]
    )
    table.keeps_side = 0 if options["turn_on_taking"] else -1
    table.may_take = -1 if options["take_up"] else 0
    table.may_turn = options["turn_hand"]
    table.strictly = not options["equal_beats"]
    table.winner_starts = options["round_start"] == "winner"
    # With two players: seat 0 area 1, seat 0 area 2, seat 1 area 1, seat 1 area 2 [R17] [C22].
    order = [0, SECOND_AREA, 1, 1 + SECOND_AREA] if players == 2 else list(range(players))
    for place, following in zip(order, order[1:] + order[:1], strict=True):
        table.next_place[place] = following
    table.seat_mask = 1 if players == 2 else PLACES - 1
    table.area_step = SECOND_AREA if players == 2 else PLACES // 2


def fill_deck(table: Any, box: Any, options: Options) -> None:
    """Write the deck and how it is dealt into the records (modified in place) [R2] [R16] [C1]."""
    players = int(options["players"])  # type: ignore[arg-type]
    deck = load_deck(str(options["deck"]))
    in_play = [card for card, printed in enumerate(deck) if printed.players <= players]
    pairs = [(printed.low, printed.high) for printed in deck]
    table.deck_size = len(in_play)
    table.in_play = sum(1 << card for card in in_play)
    for card, printed in enumerate(deck):
        bit = 1 << card
        table.low[printed.low] |= bit
        table.high[printed.high] |= bit
        table.total[card] = printed.low + printed.high
        if pairs[card] in pairs[card + 1 :]:
            table.repeated |= bit
        if printed.star:
            table.star = card
        if card not in in_play:
            continue
        if pairs[card] in [pairs[other] for other in in_play if other < card]:
            table.twins |= bit
            continue
        for value, other in ((printed.low, printed.high), (printed.high, printed.low)):
            table.mates[value] |= bit
            table.partners[value] |= 1 << (other - 1)
    each, extra = divmod(len(in_play), players)
    box.hand_sizes[:players] = [each + (step < extra) for step in range(players)]


def new_records(options: Options) -> tuple[np.recarray, np.recarray]:
    """Return fresh TABLE[1] and BOX[1] arrays with the options filled in."""
    table, box = fresh(DTYPES)
    fill_options(table[0], options)
    fill_deck(table[0], box[0], options)
    return table, box
