"""UNO: phases, moves as numbers, and the three records."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.games.uno.cards import (
    DECK_SIZE,
    DRAW_TWOS,
    LARGEST_DECK,
    LEVELS,
    REVERSES,
    SKIPS,
    deck_of,
    levels_of,
)
from simcore.games.uno.options import CLAUSES, METRICS, OPTIONS, USUAL, copies_of
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

_PHASES = "PLAY", "DRAWN", "COLOUR", "CHALLENGE", "STACK", "JUMP", "SWAP"
PHASES = dict(enumerate(_PHASES, FIRST_PHASE))
PLAY, DRAWN, COLOUR, CHALLENGE, STACK, JUMP, SWAP = PHASES

DRAW = 54
"""The `PLAY` or `STACK` move that lays no card; the others are kinds of cards."""

KEEP = 55
"""The `DRAWN` move that does not lay the card just drawn, and the `JUMP` move that does not lay the
same card; the other is its kind."""

ACCEPT = 0
DOUBT = 1
"""The `CHALLENGE` moves; a `COLOUR` move is a colour, a `SWAP` move a seat."""

DRAW_MOVE = 1 << DRAW
KEEP_MOVE = 1 << KEEP
COLOUR_MOVES = 0b1111
CHALLENGE_MOVES = 1 << ACCEPT | 1 << DOUBT

NO_CARD = -1
NOBODY = -1
NEVER = 255
"""In `drew_on` and `last_laid`: it has not happened."""

BY_STOCK, BY_SEAT = 0, 1
"""Couplings, as numbers: places in `game.COUPLINGS`."""

WINNER_TAKES, OWN_CARDS = range(2)
BY_VICTIM, BY_NOBODY, BY_ANYBODY = range(3)
STACK_OFF, STACK_SAME, STACK_ANY = range(3)
"""In `scoring`, `challenge` and `stacking`: the places of the words that these options have."""

METRIC = metric_places(METRICS)
CLAUSE = clause_bits(CLAUSES)

AMOUNTS = ("draw_two_cards", "draw_four_cards", "challenge_penalty", "uno_penalty")
"""Options whose clauses come into play only where they are not as usual."""

TABLE_FIELDS: Fields = [
    ("top", "u4"),
    *whole_fields("stock_size", "stocked", "turns", "reversals"),
    ("cards", "i8", (MAX_SEATS,)),
    *whole_fields("discards", "discard_doubles", "discard_pairs"),
    ("drew_on", "u1", (MAX_SEATS,)),
    ("last_laid", "u1", (MAX_SEATS,)),
    *whole_fields("dealer", "opening", "opening_reversals", "layer", "colour_before"),
    *whole_fields("laid_before", "idle_turns", "last_idle_turn", "skipping", "may_forget"),
    ("forget_uno", "f8", (MAX_SEATS,)),
    ("notice_uno", "f8"),
    ("levels", "i8", (LEVELS,)),
    *whole_fields("order_size", "deck_size"),
    ("deck", "u1", (LARGEST_DECK,)),
    *whole_fields("sure_clauses", "notable", "special"),
    *whole_fields("due", "stack", "following", "asked", "laid"),
    *option_fields(OPTIONS),
]
"""What everybody sees or may remember [C32], and the options.

`top` is what lies on the discard pile (see `cards`), with the colour asked for; `stock_size` how
many cards the stock has, `stocked` how many it ever had in this round; `turns` how many turns this
round has had, with the present one; `reversals` how often the direction was turned round: play goes
clockwise while it is even; `cards` how many cards each seat holds. `discards`, `discard_doubles`
and `discard_pairs` are the discard pile as a card set, its top card included.

`drew_on` is what lay on top when a seat last drew in its own turn, until it is made to draw more
cards; `last_laid` the kind of card that it laid last; `NEVER` before.

While a colour is named `opening` tells whether a wild card was turned up at the start. `layer` is
the seat whose wild draw four is to take effect, or `NOBODY`; `colour_before` the colour on which it
was laid, and `laid_before` the kind that this seat laid before it. `idle_turns` are the last turns
in which nothing could be drawn and nothing was laid, `last_idle_turn` the number of the last of
them. `skipping` are the kinds that skip a seat.

`deck` are the kinds of all cards, in order, `deck_size` of them; `levels` the coloured ones by how
many there are of a kind (`cards.levels_of`); `order_size` among how many numbers a seat draws that
has an order of its own (see `orders`). `sure_clauses` are those that come into play whatever
happens, as bits, `notable` all but those of amounts that are as usual.

Options that are a number, a switch or a word have fields of their names: as 0 or 1, and as the
place of the word. `special` tells whether a coloured card may do more than by the rule text
(`stacking`, `jump_in`, `seven_zero`). Of draw cards laid one on the other `stack` are there, and
`due` are the cards to be drawn; `following` is the seat on turn once hands are swapped and nobody
jumps in, `asked` are those that may yet be asked to, in bits; `laid` tells whether a coloured card
was laid in this round.
"""

SEAT_FIELDS: Fields = [
    *whole_fields("hand", "doubles", "pairs", "found", "drawn"),
    *whole_fields("shown_seat", "shown_hand", "shown_doubles", "shown_pairs", "shown_stocked"),
    *whole_fields("shown_discards", "shown_discard_doubles", "shown_discard_pairs"),
]
"""What a player holds and knows.

`hand`, `doubles` and `pairs` are the hand as a card set; `found` the legal moves as bits; `drawn`
the card just drawn, in the phase `DRAWN`. `shown_seat` is the seat whose hand was last shown for a
challenge in this round, or `NOBODY`, and `shown_hand`, `shown_doubles`, `shown_pairs` that hand;
`shown_discards`, `shown_discard_doubles`, `shown_discard_pairs` and `shown_stocked` are the discard
pile and `stocked` at that time.
"""

SPARE = 8
"""So many wild cards are put into the stock at once, of which there may be fewer."""

STOCK_PLACES = 256
"""Places in the stock: a power of two, and room after any card for what is put there with it."""

RECORDS = 2 * LANES
"""How many TABLE and BOX records a block needs: two groups of lanes (see `lanes`)."""

BOX_FIELDS: Fields = [
    ("stock", "u1", (STOCK_PLACES,)),
    *whole_fields("loose", "bluff", "coupling", "renewals"),
    ("left", "i8", (LEVELS,)),
    ("numbers", "i8", (MAX_SEATS,)),
    ("draw_rng", "u8", (MAX_SEATS, 2)),
]
"""What nobody sees: the kinds in the stock and how many of them lie in no order yet (see `stock`),
and whether the wild draw four to take effect is a bluff.

With `coupling` `BY_SEAT` each seat draws along an order of its own (see `orders`); then `renewals`
are those of the stock in this round, `left` is the stock as a set of numbers, `draw_rng` are the
seats' sequences and `numbers` the one that each has come to."""

MAX_MOVES = 64

DTYPES = dtypes_with(METRICS, TABLE_FIELDS, SEAT_FIELDS, MAX_MOVES, BOX_FIELDS)


def record_dtypes(_options: Options) -> Dtypes:
    """Return the three records, which are the same under all options."""
    return DTYPES


def fill_options(table: Any, options: Options) -> None:
    """Write resolved options into a TABLE record (modified in place)."""
    write_options(table, OPTIONS, options)
    table.special = bool(table.stacking or table.jump_in or table.seven_zero)
    table.skipping = skipping_cards(options)
    table.forget_uno[: table.players] = options["forget_uno"]
    table.may_forget = bool(np.any(table.forget_uno > 0))
    table.notice_uno = options["notice_uno"]
    fill_deck(table, options)
    table.sure_clauses = CLAUSE.scoring if table.scoring else 0
    table.sure_clauses |= CLAUSE.hand_size if table.hand_size != USUAL["hand_size"] else 0
    table.notable = sum(CLAUSE) - sum(
        getattr(CLAUSE, name) for name in AMOUNTS if options[name] == USUAL[name]
    )
    table.sure_clauses |= CLAUSE.copies if copies_of(options) != copies_of(USUAL) else 0


def skipping_cards(options: Options) -> int:
    """Return the kinds that skip a seat: so does a draw two that makes nobody draw [H5]."""
    cards = SKIPS
    # With two players a reverse acts as a skip [C6].
    if options["players"] == 2 and options["reverse_two_players"] == "skip":
        cards |= REVERSES
    return cards if options["draw_two_cards"] else cards | DRAW_TWOS


def fill_deck(table: Any, options: Options) -> None:
    """Write which cards there are into a TABLE record [H2] [H3] [H4]."""
    copies = copies_of(options)
    deck = deck_of(copies)
    table.deck[: len(deck)] = deck
    table.deck_size = len(deck)
    table.levels[:] = levels_of(copies)
    usual = all(count <= most for count, most in zip(copies, copies_of(USUAL), strict=True))
    table.order_size = DECK_SIZE if usual else LARGEST_DECK


def new_records(options: Options) -> tuple[np.recarray, np.recarray]:
    """Return fresh TABLE[1] and BOX[1] arrays with the options filled in."""
    table, box = fresh(DTYPES)
    fill_options(table[0], options)
    return table, box
