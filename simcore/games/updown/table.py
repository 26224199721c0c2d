"""UP & DOWN: phases, moves as numbers, and the three records."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.games.updown.cards import LANE, SIDES
from simcore.games.updown.options import CLAUSES, HAND_SIZES, METRICS, SEATINGS
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

CHANGE = FIRST_PHASE
CARD = FIRST_PHASE + 1
PHASES = {CHANGE: "CHANGE", CARD: "CARD"}

FLIP = 0
ROLL = 4
KEEP = 8
"""`CHANGE` moves: `FLIP`, 1 to 3 quarter turns, `ROLL`; as a dial `KEEP` [H3], which is as good as
two full turns. A `CARD` move is the card's number."""

CHANGES = 5
"""Moves of a leader by the rule text."""

NO_SEAT = -1

SEATS = 4
MOST_LEADS = 8
"""Tricks of a round that one seat leads at most by the rule text: of two players, every second of
15."""

MAX_HAND = 22
USUAL_HAND = max(HAND_SIZES.values())
"""With more cards a hand is dealt, and played at random, in two parts; see `deal`."""
FURTHER_ROUNDS = 50
"""Most rounds played because of a tie [C16]."""

METRIC = metric_places(METRICS)
CLAUSE = clause_bits(CLAUSES)

TABLE_FIELDS: Fields = [
    *whole_fields("face", "turn", "trump", "leader", "pot", "trick"),
    ("played", "i8", (SEATS,)),
    ("last_cards", "i8", (SEATS,)),
    *whole_fields("last_winner", "change"),
    ("shifts", "i8", (SEATS,)),
    *whole_fields("hand_size", "rounds", "tie_round", "adjacent", "dice", "changes", "keep"),
    *whole_fields("eligible", "winner_leads", "carried", "pots"),
    ("all_changes", "u8"),
    ("set_clauses", "i8"),
]
"""What lies open, and the options.

`face` (`UP`, `DOWN`), `turn` (16 × rotation) and `trump` of the U&D card and the dice; who leads
the trick; tricks in the pot; tricks played in the round; the cards that each seat has played in the
round, and in the last trick, as card sets; who won that (or `NO_SEAT`); the change that the leader
made for this trick (`records.NO_MOVE` before that); the shift of each seat (see `cards`); cards of
a full hand; whether the dice are thrown (without them `trump` is 0, no card's value); how many
moves a leader has, and which of them is `KEEP`, from 0, or -1; whether only cards that could win
cancel each other, winners lead, a round's last pot is carried over; whether there is a pot; the
bound of what is drawn for a seat's changes in a round, all together; the clauses that are in play
by what was agreed. All of it has been seen by everybody and may be remembered [C15].
"""

SEAT_FIELDS: Fields = [("hand", "i8"), ("later", "u8")]
"""What a player holds, as a card set; for uniform random play see `deal.open_seat`."""

RECORDS = 1
"""How many TABLE and BOX records a block needs: lanes keep their own."""

BOX_FIELDS: Fields = [("chosen", "i8", (SEATS,))]
"""What nobody sees: the cards that lie face-down for the trick under way, by seat."""


DTYPES = dtypes_with(METRICS, TABLE_FIELDS, SEAT_FIELDS, MAX_HAND, BOX_FIELDS)


def record_dtypes(_options: Options) -> Dtypes:
    """Return the three records, which are the same under all options."""
    return DTYPES


def sides(players: int, seating: str) -> tuple[int, ...]:
    """Return the side of the U&D card at which each seat sits [R5] [C3] [C4]."""
    if players == 2 and seating == SEATINGS[0]:
        return (0, 2)
    return tuple(range(players))


def fill_options(table: Any, options: Options) -> None:
    """Write resolved options into a TABLE record (modified in place)."""
    players = int(options["players"])  # type: ignore[arg-type]
    table.players = players
    table.hand_size = hand_size(options)
    table.rounds = options["rounds"]
    table.tie_round = options["tie_round"]
    table.adjacent = SEATINGS.index(str(options["seating"]))
    seated = sides(players, str(options["seating"]))
    assert max(seated) < SIDES
    table.shifts[:players] = [LANE * side for side in seated]
    _fill_dials(table, options)


def hand_size(options: Options) -> int:
    """Return how many cards everybody is dealt [R3] [H1]."""
    players = int(options["players"])  # type: ignore[arg-type]
    return int(options["hand_cards"] or HAND_SIZES[players])  # type: ignore[arg-type]


def _fill_dials(table: Any, options: Options) -> None:
    keeps = options["leader_change"] == "may"
    table.dice = options["trump"] == "dice"
    table.changes = CHANGES - (not table.dice) + keeps
    table.keep = table.changes - 1 if keeps else -1
    table.eligible = options["cancelling"] == "eligible"
    table.winner_leads = options["next_leader"] == "winner"
    table.carried = options["last_pot"] == "carried"
    table.pots = options["pot_tricks"]
    leads = -(-int(table.hand_size) // int(table.players))
    leads = table.hand_size if table.winner_leads else max(leads, MOST_LEADS)
    table.all_changes = int(table.changes) ** int(leads)
    in_play = {
        "adjacent": table.adjacent,
        "hand_cards": table.hand_size != HAND_SIZES[int(table.players)],
        "no_trump": not table.dice,
    }
    table.set_clauses = sum(getattr(CLAUSE, name) for name, is_set in in_play.items() if is_set)


def new_records(options: Options) -> tuple[np.recarray, np.recarray]:
    """Return fresh TABLE[1] and BOX[1] arrays with the options filled in."""
    table, box = fresh(DTYPES)
    fill_options(table[0], options)
    return table, box
