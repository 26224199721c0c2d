"""UNO: uniform random play, quickly.

Whether a random player lays a card or draws, whether the card drawn goes, whether it is then kept:
no processor can foresee this, and a jump wrongly foreseen costs as much as half a turn. In ordinary
turns all of it is arithmetic here instead. The rules are those of `play`, in the same order and
with the same random numbers; what is out of the ordinary (a special card is laid, a hand is about
to be empty, the stock is to be shuffled) is left to `play` itself. Replays play by `play` alone,
and the tests compare.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import nth_bit, popcount
from simcore.games.uno.cards import (
    ACTIONS,
    DRAW_TWOS,
    PLAYABLE,
    REVERSES,
    WILD_DRAW_FOUR,
    WILDS,
    put,
    put_third,
)
from simcore.games.uno.moves import holds_colour
from simcore.games.uno.play import DRAW_TWO_CARDS, answer_draw_four, lay, name_colour, seat_from
from simcore.games.uno.stock import PIECE, discard, draw_ready_cards, shuffle_some
from simcore.games.uno.table import COLOUR, DECISIONS, DRAW, DRAW_MOVE, FORCED, NO_CARD, PLAY
from simcore.jit import inline_kernel, kernel
from simcore.match import aside_stream
from simcore.records import RANDOM

_32 = np.uint64(32)

LAST_CARDS = 2
"""Who lays one of so many cards is about to finish."""


@kernel
def play_random_turns(table, box):
    """Play turns of random players until it is another's, the round ends, or something rare is due.

    The decisions and forced moves are counted here.
    """
    going = True
    while going and table.phase == PLAY and box.policies[table.seat] == RANDOM:
        if table.stock_size - box.loose <= DRAW_TWO_CARDS:
            shuffle_some(box, min(box.loose, PIECE))
        turns = table.turns
        laid = play_ordinary_turns(table, box)
        going = table.turns > turns or laid != NO_CARD
        if laid != NO_CARD:
            lay(table, box, table.seat, table.top, laid)
            answer_at_random(table, box)


@inline_kernel
def play_ordinary_turns(table, box):
    """Play turns of random players as long as they are ordinary.

    Return the card that the seat on turn is still to lay because it is special, or `NO_CARD`.
    """
    watched = box.watched
    players = table.players
    skips = table.skips
    index = table.seat
    top = table.top
    size = table.stock_size
    reversals = table.reversals
    turns = table.turns
    # Every turn may take one card from the stock, and two more for a draw two.
    left = min(size - box.loose - DRAW_TWO_CARDS, table.turn_cap - turns)
    special = np.int64(NO_CARD)
    counts = np.int64(0)
    while left > 0:
        seat = box.seats[index]
        hand = seat.hand
        doubles = seat.doubles
        playable = PLAYABLE[top]
        found = (hand & playable) | DRAW_MOVE
        count = popcount(found)
        chooses = np.int64(count > 1)
        word, next0, next1 = rng.step(seat.rng[0], seat.rng[1])
        product = (word >> _32) * np.uint64(count)
        move = nth_bit(found, np.int64(product >> _32))
        next0 = next0 if chooses else seat.rng[0]
        next1 = next1 if chooses else seat.rng[1]
        draws = np.int64(move == DRAW)
        kind = np.int64(box.stock[np.uint32(size - 1)])
        goes = draws & (playable >> kind) & 1
        bluff = goes & np.int64(kind == WILD_DRAW_FOUR) & np.int64(holds_colour(seat, top))
        if (product & rng.HALF) < np.uint64(count) or bluff:
            break  # `rng.below` might have to draw again; whether to bluff is decided aside.
        word, after0, after1 = rng.step(next0, next1)
        seat.rng[0] = after0 if goes else next0
        seat.rng[1] = after1 if goes else next1
        lays = (1 - draws) | (goes & (1 - np.int64(word >> np.uint64(63))))
        laid = kind if draws else move
        size -= draws
        counts += chooses + (goes << 32)
        cards = table.cards[index] + draws
        if lays & ((WILDS >> laid) | np.int64(cards <= LAST_CARDS)):
            table.cards[index] = cards
            if draws:
                seat.hand, seat.doubles = put(hand, doubles, kind)
                table.drew_on[index] = top
            special = laid
            break
        table.cards[index] = cards - lays
        # A card is put into the hand (drawn and kept) or taken out of it, or neither.
        bit = (1 - (draws & lays)) << laid
        second = bit & (hand if draws else doubles)
        if bit & hand & doubles & WILDS:
            doubles = put_third(doubles, bit)
        else:
            doubles ^= second
            hand ^= bit ^ second
        seat.doubles = doubles
        seat.hand = hand
        if watched:
            note_turn(table, index, top, draws, lays, laid)
        steps = np.int64(1)
        if lays & (ACTIONS >> laid):
            reversals += (REVERSES >> laid) & 1
            steps += ((skips | DRAW_TWOS) >> laid) & 1
            if (DRAW_TWOS >> laid) & 1:
                victim = seat_from(index, players, reversals, 1)
                size = draw_ready_cards(table, box, victim, DRAW_TWO_CARDS, size)
                left -= DRAW_TWO_CARDS
        top = np.uint32(laid) if lays else top
        index = seat_from(index, players, reversals, steps)
        left -= 1
        turns += 1
        if watched and box.policies[index] != RANDOM:
            break
    table.seat = index
    table.top = top
    table.stock_size = size
    table.reversals = reversals
    chosen = counts & 0xFFFFFFFF
    table.metrics[DECISIONS] += chosen + (counts >> 32)
    table.metrics[FORCED] += turns - table.turns + np.int64(special != NO_CARD) - chosen
    table.turns = turns
    return special


@inline_kernel
def note_turn(table, index, top, draws, lays, laid):
    """Note what everybody sees of an ordinary turn."""
    if draws:
        table.drew_on[index] = top
    if lays:
        table.last_laid[index] = laid
        discard(table, laid)


@inline_kernel
def answer_at_random(table, box):
    """Let random players name a colour and answer a wild draw four."""
    while table.phase > PLAY and box.policies[table.seat] == RANDOM:
        if table.phase == COLOUR:
            name_colour(table, box, rng.below(box.seats[table.seat].rng, 4))
        else:
            answer_draw_four(table, box, rng.below(aside_stream(table, box, table.seat), 2))
        table.metrics[DECISIONS] += 1
