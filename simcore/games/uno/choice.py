"""UNO: what a policy chooses that says in numbers how it plays (`spec`).

The same for one seat (`by_spec`) and for many matches side by side (`lane_steps`), where it is done
without a branch. So truth values are masks here, words of all or of no bits.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import highest_bit, lowest_bit, nth_bit, popcount
from simcore.games.uno import cards as deck
from simcore.games.uno import spec as specs
from simcore.games.uno import table as uno
from simcore.games.uno.cards import any_bits
from simcore.games.uno.moves import holds_colour, honest, random_move
from simcore.games.uno.turns import seat_after
from simcore.jit import inline_kernel, kernel
from simcore.lanes import blend
from simcore.records import MAX_SEATS

NOTHING = -1

NO_PAIRS = np.int64(0)
"""Where a card set needs no third word, so that the compiler leaves it out."""

FIELD = 6
_MOST = 31
"""In a row of counts each seat has a field: how many cards it has, at most so many."""

FEW = _MOST - 2
"""Hands of so many cards, at most, are compared with others by such counts."""

EMPTY_TABLE = sum(_MOST << FIELD * seat for seat in range(MAX_SEATS))
_ONES = sum(1 << FIELD * seat for seat in range(MAX_SEATS))
_GUARDS = _ONES << (FIELD - 1)
_KIND_BITS = 6
_FACES_PER_1024 = 79
"""So that the first kind of a colour times this, divided by 1024, is the colour."""


# ---------------------------------------------------------------- what is seen


@inline_kernel
def colour_of(first):
    """Return a colour by its first kind, or by any."""
    return (first * _FACES_PER_1024) >> 10


@inline_kernel
def with_count(counts, index, cards):
    """Return a row of counts with so many cards in the field of a seat."""
    shift = FIELD * np.int64(index)
    return (counts & ~(np.int64(_MOST) << shift)) | (np.int64(min(cards, _MOST)) << shift)


@inline_kernel
def count_in(counts, index):
    """Return how many cards a seat has in a row of counts."""
    return (counts >> (FIELD * np.int64(index))) & _MOST


@inline_kernel
def smallest_in(counts, index):
    """Return how many cards the smallest hand of the other seats has, and the first such seat."""
    others = counts | (np.int64(_MOST) << (FIELD * index))
    best = np.int64(_MOST << FIELD)
    for seat in range(MAX_SEATS):
        best = min(best, (count_in(others, seat) << FIELD) | seat)
    return best >> FIELD, best & _MOST


@inline_kernel
def counts_of(table):
    """Return the row of counts of a table."""
    counts = np.int64(EMPTY_TABLE)
    for seat in range(table.players):
        counts = with_count(counts, seat, table.cards[seat])
    return counts


@inline_kernel
def some_opponent_has(counts, index, most):
    """Return a mask: whether any seat but this one has at most so many cards."""
    opponents = counts | (np.int64(_MOST) << (FIELD * index))
    return any_bits((most * _ONES + _GUARDS - opponents) & _GUARDS)


@inline_kernel
def next_has(counts, following, most):
    """Return a mask: whether the next seat has at most so many cards."""
    return -np.int64(count_in(counts, following) <= most)


@inline_kernel
def colour_laid(kind):
    """Return the colour of a kind that a seat laid, as a bit; 0 if it has none."""
    return np.int64(1) << colour_of(np.int64(kind)) if kind < deck.WILD else np.int64(0)


@inline_kernel
def colour_drawn_on(table, index):
    """Return the colour on which a seat last had to draw, as a bit; 0 if it did not."""
    top = table.drew_on[index]
    return np.int64(0) if top == uno.NEVER else np.int64(1) << deck.COLOUR_OF[top]


# ---------------------------------------------------------------- what is laid, named, challenged


@inline_kernel
def prefer(some, cards):
    """Return some cards, or others if there are none."""
    return blend(any_bits(some), some, cards)


@inline_kernel
def cards_called_for(counts, seats, few, kinds):
    """Return the kinds that go first because somebody has few cards; a mask: has the next player.

    `seats` are who chooses and the next one; `few` how many cards any opponent, and the next
    player, has at most; `kinds` what then goes first, and what does in the latter case.
    """
    by_any = some_opponent_has(counts, seats[0], few[0])
    by_next = next_has(counts, seats[1], few[1])
    return blend(by_next, kinds[1], kinds[0] & by_any), by_next


@inline_kernel
def liked_kinds(spec, players):
    """Return the three sets of kinds that go before others at a table of so many players."""
    liked = -np.int64(players <= spec[specs.PLAYERS])
    return spec[specs.FIRST] & liked, spec[specs.SECOND] & liked, spec[specs.THIRD] & liked


@inline_kernel
def preferred(cards, called_for, first, second, third):
    """Return those of some cards that go before the others; see `spec`."""
    # Not one after another: what takes longest to know comes last.
    liked = prefer(cards & second, prefer(cards & third, cards))
    liked = prefer(cards & first, liked)
    return prefer(cards & called_for, liked)


@inline_kernel
def weight_of_colour(hand, doubles, pairs, colour, favour, more):
    """Return how many cards of a colour a hand has, in parts of a card.

    A colour in `favour`, as bits, counts `more` parts more.
    """
    field = deck.ONE_COLOUR << (deck.FACES * colour)
    cards = popcount(hand & field) + popcount(doubles & field) + 2 * popcount(pairs & field)
    return cards * specs.COLOUR_STEP + (more & -((favour >> colour) & 1))


@inline_kernel
def richest_colour(hand, doubles, pairs, cards, favour, more):
    """Return the colour in which a hand has most, of those of `cards`; as its first kind."""
    best = np.int64(-1)
    for colour in range(len(deck.COLOURS)):
        first = deck.FACES * colour
        weight = weight_of_colour(hand, doubles, pairs, colour, favour, more)
        weight = weight << _KIND_BITS | first
        best = max(best, weight | (-np.int64((cards & (deck.ONE_COLOUR << first)) == 0)))
    return best & ((1 << _KIND_BITS) - 1)


@inline_kernel
def richest_cards(hand, doubles, pairs, cards, favour, more):
    """Return those of some cards that have the richest colour, or wild ones if none has any."""
    coloured = cards & deck.COLOURED
    best = richest_colour(hand, doubles, pairs, coloured, favour, more)
    best = np.int64(deck.ONE_COLOUR) << best
    return (coloured & best) | (cards & ~any_bits(coloured))


@inline_kernel
def least_doubted(word, case):
    """Return with how many cards its layer is challenged, in a case of `spec.doubts`."""
    return (word >> (specs.DOUBT_BITS * case)) & ((1 << specs.DOUBT_BITS) - 1)


@inline_kernel
def case_of(laid, drew, asked):
    """Return the case of `spec.doubts` by the colours, as bits, that the layer laid and drew on."""
    return (any_bits(laid & asked) & 1) | (any_bits(drew & asked) & 2)


@inline_kernel
def is_doubted(word, case, cards):
    """Return a mask: whether a wild draw four is challenged whose layer has so many cards."""
    return -np.int64(cards >= least_doubted(word, case))


@inline_kernel
def heeded(cards, good, bad, must_play):
    """Return those of some cards that trade the hand for a smaller one, or for no much larger one.

    `good` and `bad` are as `traded_kinds` returns them. Who may draw (`must_play`, a mask, tells
    whether not) rather draws than lays one that trades it for a much larger one.
    """
    kept = cards & ~bad
    kept = blend(any_bits(kept) | ~must_play, kept, cards)
    return prefer(cards & good, kept)


@inline_kernel
def first_aside(moves, bad):
    """Return what is done of the moves when one is asked aside, as its bit.

    One stacks, a draw two rather, and jumps in, unless that trades the hand for a larger one.
    """
    refuses = any_bits(moves & bad) & any_bits(moves & uno.KEEP_MOVE)
    return blend(refuses, np.int64(uno.KEEP_MOVE), moves & -moves)


# ---------------------------------------------------------------- one seat


@inline_kernel
def honest_cards(table, seat):
    """Return the cards that may be laid without a bluff."""
    cards = seat.found & (uno.DRAW_MOVE - 1)
    return honest(cards, -np.int64(holds_colour(seat, table.top)))


@inline_kernel
def lay_none(table):
    """Return the move that lays no card: draw, or keep the card just drawn."""
    return np.int64(uno.KEEP) if table.phase == uno.DRAWN else np.int64(uno.DRAW)


@inline_kernel
def lay_any(seat, cards):
    """Lay one of the cards, each with the same probability."""
    count = popcount(cards)
    return nth_bit(cards, rng.below(seat.rng, count) if count > 1 else 0)


@inline_kernel
def lay_richest(seat, cards, favour):
    """Lay the card that counts most in the colour of which it holds most; without one, a wild."""
    hand = seat.hand, seat.doubles, seat.pairs
    return highest_bit(richest_cards(*hand, cards, favour, seat.spec[specs.LACK]))


@inline_kernel
def name_any(seat):
    """Name any colour, each with the same probability."""
    return rng.below(seat.rng, len(deck.COLOURS))


@inline_kernel
def name_best_colour(seat, favour):
    """Name the colour of which the hand has most."""
    hand = seat.hand, seat.doubles, seat.pairs
    cards = np.int64(deck.COLOURED)
    return colour_of(richest_colour(*hand, cards, favour, seat.spec[specs.LACK]))


@inline_kernel
def bluff(seat):
    """Lay a wild draw four, with the colour in hand or without; -1 if it does not."""
    often = seat.spec[specs.BLUFF]
    if (seat.found >> deck.WILD_DRAW_FOUR) & 1 == 0 or often == 0:
        return np.int64(NOTHING)
    number = np.int64(rng.next_word(seat.rng) >> np.uint64(11))
    return np.int64(deck.WILD_DRAW_FOUR if number < often else NOTHING)


@inline_kernel
def accept():
    """Accept every wild draw four."""
    return np.int64(uno.ACCEPT)


@inline_kernel
def doubt(table, seat):
    """Challenge a wild draw four if its layer has as many cards left as it takes.

    That depends on the card which it laid before, and on what it last had to draw.
    """
    layer = np.uint32(table.layer)
    drew, asked = colour_drawn_on(table, layer), np.int64(1) << table.colour_before
    case = case_of(colour_laid(table.laid_before), drew, asked)
    return is_doubted(seat.spec[specs.DOUBT], case, table.cards[layer]) & uno.DOUBT


@inline_kernel
def stack(seat):
    """Stack, a draw two rather than a wild draw four."""
    return lowest_bit(first_aside(seat.found, np.int64(0)))


@kernel
def smallest_hand(table, seat):
    """Swap for the smallest hand."""
    smallest = np.int64(-1)
    for other in range(table.players):
        if other != seat.index and (smallest < 0 or table.cards[other] < table.cards[smallest]):
            smallest = np.int64(other)
    return smallest


@kernel
def trades(table, seat):
    """Return which cards trade the hand for a smaller one, and which for a much larger one.

    As kinds; by the numbers of cards once one is laid [H15]. The last card ends the round, and a
    card more is what drawing costs.
    """
    left = np.int64(table.cards[seat.index]) - 1
    by_seven = np.int64(table.cards[smallest_hand(table, seat)])
    by_zero = np.int64(table.cards[seat_after(table, seat.index, -1)])
    return traded_kinds(left, by_seven, by_zero)


@inline_kernel
def traded_kinds(left, by_seven, by_zero):
    """Return what `trades` does, by how many cards are left, and come by a 7 and by a 0."""
    some = any_bits(left)
    good = (deck.SEVENS & -np.int64(by_seven < left)) | (deck.ZEROS & -np.int64(by_zero < left))
    bad = (deck.SEVENS & -np.int64(by_seven > left + 1)) | (
        deck.ZEROS & -np.int64(by_zero > left + 1)
    )
    return good & some, bad & some


@kernel
def jump_in(table, seat):
    """Jump in, unless that trades the hand for a larger one."""
    bad = trades(table, seat)[1] if table.seven_zero else np.int64(0)
    return lowest_bit(first_aside(seat.found, bad))


@kernel
def answer_by_spec(table, seat, how):
    """Return what is decided beside one's own turn [H13] [H14] [H15]; see `by_spec`."""
    if table.phase == uno.STACK:
        return stack(seat)
    if table.phase == uno.JUMP:
        return jump_in(table, seat)
    if table.phase == uno.SWAP:
        return smallest_hand(table, seat)
    # Who need not draw has too little to win by a challenge [C12].
    if how == specs.AT_RANDOM or seat.index != seat_after(table, np.uint32(table.layer), 1):
        return accept()
    return doubt(table, seat)


@inline_kernel
def lay_by_spec(table, seat, cards, following):
    """Lay a card that goes without a bluff, or bluff; see `spec`."""
    spec = seat.spec
    called_for = by_next = np.int64(0)
    if spec[specs.OPPONENTS] | spec[specs.NEXT]:
        few = spec[specs.OPPONENTS], spec[specs.NEXT]
        kinds = spec[specs.CALLED_FOR], spec[specs.HITS]
        seats = np.int64(seat.index), np.int64(following)
        called_for, by_next = cards_called_for(counts_of(table), seats, few, kinds)
    move = bluff(seat) if by_next else np.int64(NOTHING)
    if move != NOTHING:
        return move
    if cards == 0:
        return lay_none(table)
    cards = preferred(cards, called_for, *liked_kinds(spec, table.players))
    return lay_richest(seat, cards, colour_drawn_on(table, following))


@inline_kernel
def by_spec(table, seat):
    """Return the move of a policy that says in numbers how it plays: in `seat.spec`."""
    how = seat.spec[specs.HOW]
    if how == specs.ANY_MOVE:
        return random_move(table, seat)
    if table.phase >= uno.CHALLENGE:
        return answer_by_spec(table, seat, how)
    following = seat_after(table, seat.index, 1)
    if table.phase == uno.COLOUR:
        if how == specs.AT_RANDOM:
            return name_any(seat)
        return name_best_colour(seat, colour_drawn_on(table, following))
    cards = honest_cards(table, seat)
    if how == specs.AT_RANDOM:
        return lay_any(seat, cards) if cards else lay_none(table)
    if table.seven_zero:
        good, bad = trades(table, seat)
        cards = heeded(cards, good, bad, -table.must_play)
    return lay_by_spec(table, seat, cards, following)
