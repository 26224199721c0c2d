"""Up or down?: a turn in the lanes of vector registers, at random or as an appender; see `lanes`.

The state of a lane is one column of the work space. Seats are counted from the start player; as
every match has the same turns in the same order, all lanes have the same seat on turn. What such
play needs of a column of cards stands in one word, see `COUNTS`.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import popcount
from simcore.games.upordown.cards import BYTE
from simcore.games.upordown.colours import CYCLE
from simcore.games.upordown.moves import appends_within
from simcore.games.upordown.play import exchange, limits_after
from simcore.games.upordown.table import COUNT_BITS, MOST_OF_A_COLOUR, SEATS
from simcore.jit import inline_kernel, kernel, wrapping
from simcore.lanes import LANES, LINE
from simcore.match import all_seats

COLUMNS = 3
"""Most columns of a display in a lane."""

(CIRCLE, UP_LEFT, DOWN_LEFT, DRAWN_FROM) = range(4)
(GIVEN_UP, FORCED, ONE_PILE, LEADERS, LEAD_CHANGES, LAST_LEAD_CHANGE, AGAIN) = range(4, 11)
"""Rows of the whole lane: the circle; how many cards each pile has, and which card of the deck was
drawn last; how often a column was given up, there was one place for the card taken, and no choice
of piles; as bits who led after the last lap, how often that changed and in which lap last; whether
the match must be played again because a random number would have to be drawn again."""

FIRST_SEAT_ROW = 11
(WORD0, WORD1, COINS, LOWER, HIGHER, DRAWN, FLOORS, CEILINGS, USED, SCORE, DEFICIT) = range(11)
COLUMN = 11
SEAT_ROWS = COLUMN + COLUMNS
"""Rows of a seat: its stream and coins; two cards of the hand in order, and the third, the last one
drawn (each may be `NO_CARD`); as in `table` the limits and number of its columns; its score, how
far it was behind at most, and its columns."""

LANE_ROWS = FIRST_SEAT_ROW + SEATS * SEAT_ROWS

LENGTH, MOST, LAST, COUNTS = 0, 8, 16, 24
"""Of a column, from which bit on its word has: how many cards, how many of the most frequent
colour, the last card, and the number of each colour (`COUNT_BITS` each)."""

_FIELD = 255
COLOURS = len(CYCLE)
assert COLOURS == 6


@inline_kernel
def row_of(seat, what):
    """Return the row of a seat for something."""
    return FIRST_SEAT_ROW + SEAT_ROWS * seat + what


@kernel
def take_turns(work, column, seat, hand_cards, columns, face_up_size, appends):
    """Let a seat take its turn in all lanes, from `column` on, with so many cards in hand.

    `appends` is a tuple of which only the length counts: 0 for random play, 1 for appenders. What
    the other needs is not even compiled.
    """
    lanes = work[0].rows
    first = row_of(seat & 7, 0)
    hand_cards = np.uint64(hand_cards)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        take_turn(lanes, lane, first, hand_cards, columns, face_up_size, appends)


@inline_kernel
@wrapping
def take_turn(lanes, lane, seat, hand_cards, columns, face_up_size, appends):
    """Let the seat whose rows begin at `seat` play in a lane.

    It lays a card, takes a neighbour, places it and says which card of the deck it draws. Does what
    `rounds.play_random_turn` does, or `rounds.play_turn` with an appender; everything here is
    arithmetic on numbers and truth values: a branch would end the vectors.
    """
    word, word0, word1 = rng.step(
        np.uint64(lanes[seat + WORD0, lane]), np.uint64(lanes[seat + WORD1, lane])
    )
    lanes[seat + WORD0, lane] = np.int64(word0)
    lanes[seat + WORD1, lane] = np.int64(word1)
    upper_half = word >> np.uint64(32)
    # With the last card there is no choice, and the whole word is there for its place.
    half = upper_half if hand_cards == 1 else word & rng.HALF

    # A card of the hand.
    product = upper_half * hand_cards
    again = (hand_cards > 1) & ((product & rng.HALF) < hand_cards)
    pick = np.int64(product >> np.uint64(32))
    drawn = lanes[seat + DRAWN, lane]
    between = max(lanes[seat + LOWER, lane], drawn)
    lowest = min(lanes[seat + LOWER, lane], drawn)
    middle = min(lanes[seat + HIGHER, lane], between)
    highest = max(lanes[seat + HIGHER, lane], between)
    laid = middle if pick == 1 else lowest
    laid = highest if pick == 2 else laid
    lanes[seat + LOWER, lane] = middle if pick == 0 else lowest
    lanes[seat + HIGHER, lane] = middle if pick == 2 else highest

    # Its neighbour.
    coins = np.uint64(lanes[seat + COINS, lane])
    side = np.int64(coins & np.uint64(1))
    coins >>= np.uint64(1)
    lanes[CIRCLE, lane], card = exchange(lanes[CIRCLE, lane], laid, side)

    # The places for it, as in `moves.place_moves`, and one of them.
    used = lanes[seat + USED, lane]
    floors = lanes[seat + FLOORS, lane]
    ceilings = lanes[seat + CEILINGS, lane]
    old0 = lanes[seat + COLUMN, lane]
    old1 = lanes[seat + COLUMN + 1, lane]
    old2 = lanes[seat + COLUMN + 2, lane]
    fits = appends_within(card, floors, ceilings)
    all_fits = popcount(fits)
    has_room = np.int64(used < columns)
    choices = np.uint64(all_fits + has_room + used)
    if len(appends) > 0:
        appended = fits != 0
        given_up = (not appended) & (has_room == 0)
        pick = np.int64(0)
        to_give_up = shortest_of(used, old0, old1, old2)
    else:
        product = half * choices
        again |= (choices > 1) & ((product & rng.HALF) < choices)
        pick = np.int64(product >> np.uint64(32))
        appended = pick < all_fits
        to_give_up = pick - all_fits - has_room
        given_up = to_give_up >= 0
    first_fit = (fits >> 7) & 1
    two_fits = first_fit + ((fits >> 15) & 1)
    place = np.int64(pick >= first_fit) + np.int64(pick >= two_fits)
    place = place if appended else (to_give_up if given_up else used)
    lanes[FORCED, lane] += np.int64(choices == 1)
    lanes[GIVEN_UP, lane] += np.int64(given_up)
    lanes[seat + USED, lane] = used + np.int64((not appended) & (not given_up))

    # What becomes of the column, as in `play.place_card`.
    old = old1 if place == 1 else old0
    old = old2 if place == 2 else old
    length = field_of(old, LENGTH)
    most = field_of(old, MOST)
    last = field_of(old, LAST)
    score = lanes[seat + SCORE, lane] - length * most + (length if given_up else 0)
    kept = old if appended else 0
    turn = ((card - 1) * 43) >> 8  # By the number of colours: exact below 128.
    colour = COUNT_BITS * (card - 1 - COLOURS * turn)
    counts = (kept >> COUNTS) + (1 << colour)
    most = max(field_of(kept, MOST), (counts >> colour) & MOST_OF_A_COLOUR)
    length = field_of(kept, LENGTH) + 1
    lanes[seat + SCORE, lane] = score + length * most
    new = (counts << COUNTS) | (card << LAST) | (most << MOST) | length
    lanes[seat + COLUMN, lane] = new if place == 0 else old0
    lanes[seat + COLUMN + 1, lane] = new if place == 1 else old1
    lanes[seat + COLUMN + 2, lane] = new if place == 2 else old2
    lanes[seat + FLOORS, lane], lanes[seat + CEILINGS, lane] = limits_after(
        floors, ceilings, BYTE * place, card, appended & (card > last), appended & (card < last)
    )

    # The pile to draw from.
    up_left = lanes[UP_LEFT, lane]
    down_left = lanes[DOWN_LEFT, lane]
    has_choice = (up_left > 0) & (down_left > 0)
    from_down = ((coins & np.uint64(1)) != 0) if has_choice else up_left == 0
    lanes[seat + COINS, lane] = np.int64(coins >> np.uint64(1) if has_choice else coins)
    lanes[ONE_PILE, lane] += np.int64(not has_choice)
    lanes[DRAWN_FROM, lane] = down_left + face_up_size if from_down else up_left
    lanes[UP_LEFT, lane] = up_left - np.int64(not from_down)
    lanes[DOWN_LEFT, lane] = down_left - np.int64(from_down & (down_left > 0))
    lanes[AGAIN, lane] |= np.int64(again)


@inline_kernel
def shortest_of(used, column0, column1, column2):
    """Return the first place of a column, of the `used` ones, that has the fewest cards."""
    fewest = field_of(column0, LENGTH)
    length = field_of(column1, LENGTH)
    second = (used > 1) & (length < fewest)
    fewest = length if second else fewest
    third = (used > 2) & (field_of(column2, LENGTH) < fewest)
    return np.int64(2) if third else np.int64(second)


@inline_kernel
def field_of(word, first_bit):
    """Return a number below 256 that stands in a word of a column from some bit on."""
    return (word >> first_bit) & _FIELD


@kernel
def note_leaders(work, column, players, lap):
    """Note who leads after a lap in all lanes, as `score.note_leaders` does."""
    lanes = work[0].rows
    level = all_seats(players)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        best = np.int64(0)
        for seat in range(SEATS):
            best = max(best, lanes[row_of(seat, SCORE), lane])
        leaders = np.int64(0)
        for seat in range(SEATS):
            behind = best - lanes[row_of(seat, SCORE), lane]
            leaders |= np.int64(behind == 0) << seat
            deficit = lanes[row_of(seat, DEFICIT), lane]
            lanes[row_of(seat, DEFICIT), lane] = max(deficit, behind)
        before = lanes[LEADERS, lane]
        last = lanes[LAST_LEAD_CHANGE, lane]
        others = (leaders != before) & (leaders != level)
        lanes[LAST_LEAD_CHANGE, lane] = lap if others else last
        lanes[LEAD_CHANGES, lane] += np.int64((before != 0) & others)
        lanes[LEADERS, lane] = leaders if others else before
