"""UNO: what the seats on turn choose, in many lanes at once (see `lane_steps`)."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import deposit, highest_bit, popcount
from simcore.games.uno.cards import (
    COLOURED,
    DRAW_FOUR_CARD,
    FACES,
    KINDS,
    any_bits,
    size_of,
)
from simcore.games.uno.choice import (
    least_doubted,
    next_has,
    preferred,
    richest_cards,
    richest_colour,
    some_opponent_has,
)
from simcore.games.uno.lane_house import (
    coin_aside,
    declines_drawn,
    is_due,
    is_victim,
    reasons_aside,
    third_word,
    word_aside,
)
from simcore.games.uno.lane_rows import (
    AGAIN,
    ALL,
    BLUFFING,
    CARDS,
    CASE,
    COLOUR_CARDS,
    DOUBLES,
    DOUBTING,
    DRAWS_ON,
    DREW,
    EVIDENCE,
    HAD_TO_LAY,
    HAND,
    HITTING,
    LACKING,
    LAST_LIKED,
    LAST_PLACE,
    LIKED,
    MOVE,
    MOVES,
    NEXT0,
    NEXT1,
    NEXT_LIKED,
    NOT_LAST,
    PENDING,
    PLACE,
    PLAYABLE,
    REVERSALS,
    SEAT,
    URGENT,
    WORD0,
    WORD1,
    asks_more,
)
from simcore.games.uno.moves import kinds_allowed, last_ones, must_lay
from simcore.games.uno.table import DRAW, DRAW_MOVE
from simcore.games.uno.turns import seat_from
from simcore.jit import inline_kernel, wrapping
from simcore.lanes import blend, draw_if, nth_bit


@inline_kernel
def moves_of(cards, count, holds, rules, dials):
    """Return what `choose` is told of the moves, and what is to be noted of them in `SEEN`.

    Of a hand of `count` cards those may be laid, but for house rules, that are in `cards`.
    """
    if len(dials.house) == 0:
        return (cards, np.int64(DRAW_MOVE), any_bits(cards)), np.int64(0)
    found = last_ones(cards, count, rules.number_last)
    must = rules.must_play & must_lay(found, holds)
    moves = found | (DRAW_MOVE & ~must)
    seen = (HAD_TO_LAY & must) | (NOT_LAST & any_bits(cards ^ found))
    return (found, moves & DRAW_MOVE, any_bits(moves & (moves - 1))), seen


@inline_kernel
def looks_ahead(told, dials):
    """Tell whether what seats choose at random is so at the end of the step before."""
    return len(told) != 1 and not asks_more(dials)


@inline_kernel
def leaves_to_chance(rules, told, dials):
    """Tell whether there is something to be chosen ahead."""
    return looks_ahead(told, dials) and (len(told) < len(ALL) or rules.chance)


@inline_kernel
def moves_in_lane(lanes, lane, rules, dials):
    """Return what may be laid, and `may` of `choose`, what is to be noted, and `held`.

    That is: the kinds that go, and a wild draw four that only the hand forbids; `may`; of `SEEN`;
    `held` of `choose`.
    """
    hand, doubles, pairs = lanes[HAND, lane], lanes[DOUBLES, lane], third_word(lanes, lane, dials)
    colour_cards = lanes[COLOUR_CARDS, lane]
    cards = size_of(hand, doubles, pairs)
    kinds = kinds_allowed(hand, lanes[PLAYABLE, lane], colour_cards, rules.no_bluffs)
    holds = -np.int64((hand & colour_cards) != 0)
    may, seen = moves_of(hand & kinds[0], cards, holds, rules, dials)
    return kinds, may, seen, (holds, cards)


@inline_kernel
def ways_of(lanes, lane, told):
    """Return masks: whether the seat on turn lays any card; whether it makes any move."""
    at_random = -np.int64(len(told) in (0, 3))
    if len(told) in (2, 4):
        at_random = lanes[LAST_LIKED, lane] >> 63
    any_move = -np.int64(len(told) == 0)
    if len(told) == len(ALL):
        any_move = lanes[HITTING, lane] >> 63
    return at_random, any_move


@inline_kernel
@wrapping
def choose_ahead(lanes, lane, rules, dials, told):
    """Note which move the seat on turn will make if it makes one at random.

    The move is noted as a place among `MOVES`: to find it (`take_place`) is quicker lane by lane.
    """
    _, may, _, held = moves_in_lane(lanes, lane, rules, dials)
    at_random, any_move = ways_of(lanes, lane, told)
    plays = -np.int64(lanes[PENDING, lane] == 0)
    if len(dials.until):
        plays &= ~is_due(lanes, lane, DRAWS_ON)
    honest = may[0] & ~(DRAW_FOUR_CARD & held[0])
    pool = blend(any_move, may[0] | may[1], honest | (DRAW_MOVE & ~must_lay(may[0], held[0])))
    several = plays & at_random & ((1 - popcount(pool)) >> 63)
    words = np.uint64(lanes[WORD0, lane]), np.uint64(lanes[WORD1, lane])
    word, words = draw_if(several, words)
    place, lanes[AGAIN, lane] = any_place(pool, several, word)
    lanes[MOVES, lane], lanes[PLACE, lane] = pool, np.int64(1) << place
    lanes[LAST_PLACE, lane] = (popcount(pool) - 2 - place) >> 63
    if len(told) == 0:
        lanes[NEXT0, lane], lanes[NEXT1, lane] = np.int64(words[0]), np.int64(words[1])


@inline_kernel
def may_draw(lanes, lane, rules, dials, told):
    """Return a mask: whether the seat on turn may draw a card in the next step.

    It says so of a seat that then does not, but hardly ever the other way round.
    """
    if asks_more(dials) or len(dials.until):
        return np.int64(-1)
    pending = lanes[PENDING, lane]
    draws = lanes[LAST_PLACE, lane]  # To draw is the last move.
    if len(told) > 0:
        _, may, _, held = moves_in_lane(lanes, lane, rules, dials)
        draws = blend(ways_of(lanes, lane, told)[1], draws, ~must_lay(may[0], held[0]))
    return blend(-np.int64(pending == 0), draws, -pending >> 63)


@inline_kernel
def take_place(lanes, lane):
    """Find the move that was chosen ahead."""
    lanes[MOVE, lane] = deposit(lanes[PLACE, lane], lanes[MOVES, lane])


@inline_kernel
@wrapping
def choose(lanes, lane, asked, may, held, rules, dials, told):
    """Return what the seat on turn does: a move as its bit, or to draw; and more.

    Parameters
    ----------
    asked, may, held : tuple of int
        Masks, whether a turn is played and whether something is decided aside that house rules
        add, and the moves of that; what may be laid, the move to draw, or 0, and a mask, whether
        there are several moves; a mask, whether the hand has the colour asked for, and its cards.

    Returns
    -------
    move, draws, richest, ways, again, words
        A mask, whether the move is to draw; the colour of which the hand has most, as its first
        kind; masks: whether the seat lays any card; makes any move; bluffs, if it can; whether
        the random number would have to be drawn again; the private stream of the seat.
    """
    never = np.int64(0)
    plays, aside, moves = asked
    at_random, any_move = ways_of(lanes, lane, told)
    if looks_ahead(told, dials) and len(told) == 0:
        words = np.uint64(lanes[NEXT0, lane]), np.uint64(lanes[NEXT1, lane])
        move, ways = lanes[MOVE, lane], (at_random, any_move, never)
        return move, plays & -(move >> DRAW), never, ways, lanes[AGAIN, lane], words
    words = np.uint64(lanes[WORD0, lane]), np.uint64(lanes[WORD1, lane])
    found, draw, several_moves = may
    honest = found & ~(DRAW_FOUR_CARD & held[0])
    heeded, by_reason, crowded = honest, never, never
    if asks_more(dials) and len(told) == len(ALL):
        reasons = reasons_aside(lanes, lane, honest, asked, held[1], rules, dials)
        heeded, by_reason, crowded = blend(at_random, honest, reasons[0]), reasons[1], reasons[2]
    none = DRAW_MOVE & ~any_bits(heeded)
    move, richest, bluffs = never, never, never
    if len(told) in (1, 2, 4):
        cards, richest, bluffs = prefer_cards(lanes, lane, heeded, rules.players, dials, told)
        move = np.int64(1) << highest_bit(cards | none)
    draws = plays & ~any_bits(heeded)
    if len(told) == 1:
        return move, draws, richest, (never, never, never), never, words
    pool = blend(any_move, found | draw, heeded | none)
    if asks_more(dials):
        pool = blend(aside, moves, pool)
    several = plays & at_random & ((1 - popcount(pool)) >> 63)
    tries = plays & several_moves & bluffs & any_bits(found & DRAW_FOUR_CARD)
    word, words = draw_if(several | tries, words)
    if asks_more(dials):
        word = blend(np.uint64(aside), word_aside(lanes, lane), word)
        several |= aside & any_move
        move = blend(aside, by_reason, move)
    by_chance, again = any_of(lanes, lane, pool, several, word, told, dials)
    move = blend(blend(aside, any_move, at_random), by_chance, move)
    if len(told) == len(ALL):
        often = np.int64(word >> np.uint64(11)) - lanes[BLUFFING, lane]
        move = blend(tries & (often >> 63), np.int64(DRAW_FOUR_CARD), move)
        again |= crowded & ~at_random
    if len(told) in (0, 4):
        draws = plays & -(move >> DRAW)
    return move, draws, richest, (at_random, any_move, bluffs), again, words


@inline_kernel
def any_of(lanes, lane, pool, several, word, told, dials):
    """Return a move of a pool by a random word; a mask: whether another word must be drawn."""
    if looks_ahead(told, dials):
        return lanes[MOVE, lane], lanes[AGAIN, lane]
    place, again = any_place(pool, several, word)
    return np.int64(1) << nth_bit(pool, place), again


@inline_kernel
def any_place(pool, several, word):
    """Return a place among moves by a random word; a mask: whether another word must be drawn."""
    count = popcount(pool)
    product = (word >> np.uint64(32)) * np.uint64(count)
    again = several & -np.int64((product & rng.HALF) < np.uint64(count))
    return np.int64(product >> np.uint64(32)), again


@inline_kernel
def prefer_cards(lanes, lane, honest, players, dials, told):
    """Return which cards are preferred, the richest colour, and a mask: whether to bluff."""
    hand, doubles, pairs = lanes[HAND, lane], lanes[DOUBLES, lane], third_word(lanes, lane, dials)
    index = lanes[SEAT, lane]
    following = seat_from(index, np.int64(1), lanes[REVERSALS, lane], players)
    urgent, liked, counts = lanes[URGENT, lane], lanes[LIKED, lane], lanes[CARDS, lane]
    by_next = next_has(counts, following, urgent >> KINDS)
    by_any = some_opponent_has(counts, index, liked >> KINDS)
    called_for = urgent & (by_next | by_any)
    favour, more, bluffs = np.int64(0), np.int64(0), np.int64(0)
    if len(told) == len(ALL):
        called_for = blend(by_next, lanes[HITTING, lane], urgent & by_any)
        favour = (lanes[DREW, lane] >> (4 * following)) & 0b1111
        more = lanes[LACKING, lane]
        bluffs = by_next & any_bits(lanes[BLUFFING, lane]) & ~(lanes[LAST_LIKED, lane] >> 63)
    cards = preferred(honest, called_for, liked, lanes[NEXT_LIKED, lane], lanes[LAST_LIKED, lane])
    cards = richest_cards(hand, doubles, pairs, cards, favour, more)
    richest = richest_colour(hand, doubles, pairs, np.int64(COLOURED), favour, more)
    return cards, richest, bluffs


@inline_kernel
def keep(lanes, lane, may, card, held, ways, words, rules, dials, told):
    """Return masks of a card drawn, and `words`; see `choose` for `held` and `ways`.

    Whether it is kept, whether that is decided aside, and whether so as it cannot be here. `may`
    are masks: whether the card may be laid, and whether it must be.
    """
    goes, must = may
    holds = held[0]
    four = any_bits(card & DRAW_FOUR_CARD)
    never = np.int64(0)
    if len(told) not in (0, 4):
        return holds & four, never, never, words
    _, any_move, bluffs = ways
    aside = goes & holds & four
    tosses = goes & ~must & ((any_move & ~aside) | (bluffs & four))
    word, words = draw_if(tosses, words)
    coin = coin_aside(lanes, lane, dials)
    rather_not = aside
    if len(dials.swaps) and len(told) == len(ALL):
        rather_not |= ~must & declines_drawn(lanes, lane, card, held[1], rules) & ~ways[0]
    keeps = blend(any_move, ~must & blend(aside, coin, np.int64(word) >> 63), rather_not)
    return keeps, aside & any_move, aside & bluffs & ~any_move, words


@inline_kernel
def name(richest, at_random, words, told):
    """Return the colour that is named, as its first kind, and `words`; see `choose`."""
    if len(told) == 1:
        return richest, words
    word, words = draw_if(at_random, words)
    return blend(at_random, FACES * np.int64(word >> np.uint64(62)), richest), words


@inline_kernel
def doubts(lanes, lane, answers, any_move, rules, dials, told):
    """Return a mask: whether the seat challenges a wild draw four."""
    if len(told) not in (0, 4):
        return np.int64(0)
    coin = coin_aside(lanes, lane, dials)
    if len(told) == 0:
        return answers & coin
    evidence = lanes[EVIDENCE, lane]
    least = least_doubted(lanes[DOUBTING, lane], evidence >> CASE)
    by_evidence = (least - (evidence & ((1 << CASE) - 1)) - 1) >> 63
    if len(dials.anyone):
        by_evidence &= is_victim(lanes, lane, rules.players)
    return answers & blend(any_move, coin, by_evidence)
