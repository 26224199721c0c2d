"""UNO: ordinary turns of uniform random play, quickly.

Whether a random player lays a card or draws, whether the card drawn goes, whether it is then kept:
no processor can foresee this, and a jump wrongly foreseen costs as much as half a turn. Here all of
it is arithmetic instead. The rules are those of `play`, in the same order and with the same random
numbers; whatever is out of the ordinary (a special card laid, a hand about to be empty, no stock,
the last turn) is left to `kernel.play_round`. Replays play by `play` alone, and the tests compare.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import nth_bit, popcount
from simcore.games.uno.cards import ACTIONS, PLAYABLE, REVERSES, WILDS, put_third
from simcore.games.uno.play import SPECIALS, lay
from simcore.games.uno.stock import discard
from simcore.games.uno.table import DRAW, DRAW_MOVE
from simcore.jit import inline_kernel, kernel
from simcore.records import RANDOM

_32 = np.uint64(32)

LAST_CARDS = 2
"""Who lays one of so many cards is about to finish."""


@inline_kernel
def either(flag, one, other):
    """Return `one` where `flag` is 1 and `other` where it is 0, without a jump."""
    return other ^ ((one ^ other) & -flag)


@inline_kernel
def either_word(flag, one, other):
    """Return what `either` does, for the words of random streams."""
    return other ^ ((one ^ other) & np.uint64(-flag))


@inline_kernel
def flag_of(condition):
    """Return a condition as 0 or 1."""
    return np.int64(condition)


@kernel
def play_ordinary_turns(table, box):
    """Play turns of random players as long as they are ordinary.

    Whose turn it is and what lies on top stand in the table afterwards.

    Returns
    -------
    stuck : bool
        Whether the next turn must be played otherwise.
    decisions, forced : int
        How many decisions there were, and how many forced moves.
    """
    index = table.seat
    top = table.top
    size = table.stock_size
    loose = box.loose
    players = table.players
    reversals = table.reversals
    turns_left = table.turn_cap - table.turns
    decisions = 0
    forced = 0
    laid = np.int64(0)
    stuck = True
    while size > loose and turns_left > 0 and box.policies[index] == RANDOM:
        seat = box.seats[index]
        hand = seat.hand
        doubles = seat.doubles
        playable = PLAYABLE[top]
        found = (hand & playable) | DRAW_MOVE
        count = popcount(found)
        chooses = flag_of(count > 1)
        word, next0, next1 = rng.step(seat.rng[0], seat.rng[1])
        product = (word >> _32) * np.uint64(count)
        if (product & rng.HALF) < np.uint64(count):
            break  # `rng.below` might have to draw again.
        move = nth_bit(found, np.int64(product >> _32))
        next0 = next0 if chooses else seat.rng[0]
        next1 = next1 if chooses else seat.rng[1]
        draws = flag_of(move == DRAW)

        kind = np.int64(box.stock[np.uint32(size - 1)])
        size -= draws
        goes = draws & (playable >> kind) & 1
        word, after0, after1 = rng.step(next0, next1)
        seat.rng[0] = either_word(goes, after0, next0)
        seat.rng[1] = either_word(goes, after1, next1)
        lays = (1 - draws) | (goes & (1 - np.int64(word >> np.uint64(63))))
        laid = either(draws, kind, move)
        decisions += chooses + goes
        forced += 1 - chooses
        if box.watched:
            note_history(table, index, top, draws, lays, laid)

        cards = table.cards[index] + draws
        added = draws << kind
        if lays & (((SPECIALS >> laid) & 1) | flag_of(cards <= LAST_CARDS)):
            table.cards[index] = cards
            if doubles & hand & added:
                seat.doubles = put_third(doubles, added)
            else:
                seat.doubles = doubles | (hand & added)
                seat.hand = hand | added
            stuck = False
            break
        table.cards[index] = cards - lays
        added &= lays - 1
        second = hand & added
        if doubles & second:
            doubles = put_third(doubles, added)
        else:
            doubles |= second
            hand |= added
        taken = (1 - draws) << move
        second = doubles & taken
        seat.doubles = doubles ^ second
        seat.hand = hand ^ taken ^ second
        top = np.uint32(either(lays, laid, np.int64(top)))
        steps = np.int64(1)
        if lays & (ACTIONS >> laid):
            reversals += (REVERSES >> laid) & 1
            steps += (table.skips >> laid) & 1
        following = np.int64(index) + either(reversals & 1, players - steps, steps)
        if following >= players:
            following -= players
        index = np.uint32(following)
        turns_left -= 1
    table.seat = index
    table.top = top
    table.stock_size = size
    table.turns = table.turn_cap - turns_left
    table.reversals = reversals
    if not stuck:
        lay(table, box, index, top, laid)
    return stuck, decisions, forced


@inline_kernel
def note_history(table, index, top, draws, lays, laid):
    """Note what everybody sees of an ordinary turn."""
    if draws:
        table.drew_on[index] = top
    if lays:
        table.last_laid[index] = laid
        discard(table, laid)
