"""UNO: what the seats on turn choose, in many lanes at once (see `lane_steps`)."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import deposit, highest_bit, popcount
from simcore.games.uno import lane_house as house
from simcore.games.uno import lane_rows as row
from simcore.games.uno.cards import COLOURED, DRAW_FOUR_CARD, FACES, KINDS, any_bits, size_of
from simcore.games.uno.choice import (
    cards_called_for,
    is_doubted,
    preferred,
    richest_cards,
    richest_colour,
)
from simcore.games.uno.moves import honest, house_moves, kinds_allowed
from simcore.games.uno.table import DRAW_MOVE
from simcore.games.uno.turns import seat_from
from simcore.jit import inline_kernel, wrapping
from simcore.lanes import blend, draw_if


@inline_kernel
def ways_of(lanes, lane, told):
    """Return masks: whether the seat on turn lays any card; whether it makes any move."""
    at_random = -np.int64(not row.prefers(told))
    if row.prefers(told) and row.leaves_to_chance(told):
        at_random = lanes[row.LAST_LIKED, lane] >> 63
    any_move = -np.int64(len(told) == 0)
    if len(told) == len(row.MIXED):
        any_move = lanes[row.HITTING, lane] >> 63
    return at_random, any_move


@inline_kernel
def find_moves(lanes, lane, rules, dials):
    """Return what the seat on turn may do, as `Moves`."""
    hand, doubles, pairs = house.hand_in(lanes, lane, dials)
    colour_cards, pending = lanes[row.COLOUR_CARDS, lane], lanes[row.PENDING, lane]
    cards = size_of(hand, doubles, pairs)
    aside, moves_aside, later, seen = house.asked_aside(lanes, lane, cards, rules, dials)
    plays = -np.int64(pending == 0) & ~later
    allowed, _ = kinds_allowed(hand, lanes[row.PLAYABLE, lane], colour_cards, rules.no_bluffs)
    holds = -np.int64((hand & colour_cards) != 0)
    found = hand & allowed
    moves, several = found | DRAW_MOVE, any_bits(found)  # To draw is a move by the rule text.
    if len(dials.house):
        moves, more = house_moves(found, cards, holds, rules.number_last, rules.must_play)
        several = any_bits(moves & (moves - 1))
        seen |= more & plays
    return row.Moves(plays, several, moves, holds, aside, moves_aside, allowed, cards, seen)


@inline_kernel
@wrapping
def choose(lanes, lane, found, rules, dials, told):
    """Return what the seat on turn chooses of the moves found, as `Choice`.

    A move at random is told as a place among moves: to find it (`take_place`) is quicker lane by
    lane. So where something is left to chance it is chosen at the end of the step before.
    """
    never = np.int64(0)
    plays, moves, aside, moves_aside = found.plays, found.moves, found.aside, found.moves_aside
    at_random, any_move = ways_of(lanes, lane, told)
    cards = honest(moves & ~DRAW_MOVE, found.holds)
    heeded, by_reason, crowded = cards, never, never
    if row.asks_more(dials) and len(told) >= len(row.ALL):
        asked = aside, moves_aside
        best = house.reasons_aside(lanes, lane, cards, asked, found.cards, rules, dials)
        heeded, by_reason, crowded = blend(at_random, cards, best[0]), best[1], best[2]
    none = DRAW_MOVE & ~any_bits(heeded)
    move, richest, bluffs = never, never, never
    if row.prefers(told):
        liked, richest, bluffs = prefer_cards(lanes, lane, heeded, rules.players, dials, told)
        move = np.int64(1) << highest_bit(liked | none)
    words = np.uint64(lanes[row.WORD0, lane]), np.uint64(lanes[row.WORD1, lane])
    pool = blend(any_move, moves, heeded | none)
    several = plays & at_random & -np.int64(popcount(pool) > 1)
    tries = plays & found.several & bluffs & any_bits(moves & DRAW_FOUR_CARD)
    word, words = draw_if(several | tries, words)
    if len(told) >= len(row.ALL):
        often = np.int64(word >> np.uint64(11)) - lanes[row.BLUFFING, lane]
        move = blend(tries & (often >> 63), np.int64(DRAW_FOUR_CARD), move)
    again, chance = crowded & ~at_random, at_random
    if row.asks_more(dials):
        word = blend(np.uint64(aside), house.word_aside(lanes, lane), word)
        several |= aside & any_move
        move, pool = blend(aside, by_reason, move), blend(aside, moves_aside, pool)
        chance = blend(aside, any_move, at_random)
    place, last = never, any_bits(move & DRAW_MOVE)
    if row.leaves_to_chance(told):
        place, drawn_again = any_place(pool, several, word)
        again |= drawn_again
        # To draw is the last move.
        last = blend(chance, -np.int64(popcount(pool) - 1 <= place), last)
        place = blend(chance, np.int64(1) << place, np.int64(1))
        move = blend(chance, pool, move)
    return row.Choice(move, place, again, words[0], words[1], richest, bluffs, ~plays | last)


@inline_kernel
def choose_ahead(lanes, lane, rules, dials, told):
    """Note what the seat on turn chooses."""
    found = find_moves(lanes, lane, rules, dials)
    choice = choose(lanes, lane, found, rules, dials, told)
    lanes[row.MOVE, lane], lanes[row.PLACE, lane] = choice.move, choice.place
    lanes[row.AGAIN, lane], lanes[row.MAY_DRAW, lane] = choice.again, choice.may_draw
    lanes[row.NEXT0, lane], lanes[row.NEXT1, lane] = np.int64(choice.word0), np.int64(choice.word1)
    if row.prefers(told):
        lanes[row.RICHEST, lane], lanes[row.BLUFFS_NOW, lane] = choice.richest, choice.bluffs


@inline_kernel
def take_place(lanes, lane):
    """Find the move that was chosen at random."""
    lanes[row.MOVE, lane] = deposit(lanes[row.PLACE, lane], lanes[row.MOVE, lane])


@inline_kernel
def chosen_ahead(lanes, lane, told):
    """Return what was noted, as `Choice`."""
    richest = bluffs = np.int64(0)
    if row.prefers(told):
        richest, bluffs = lanes[row.RICHEST, lane], lanes[row.BLUFFS_NOW, lane]
    words = np.uint64(lanes[row.NEXT0, lane]), np.uint64(lanes[row.NEXT1, lane])
    move, again, may_draw = lanes[row.MOVE, lane], lanes[row.AGAIN, lane], lanes[row.MAY_DRAW, lane]
    return row.Choice(move, np.int64(1), again, words[0], words[1], richest, bluffs, may_draw)


@inline_kernel
def may_draw(lanes, lane, rules, dials, told):
    """Return a mask: whether a card may be drawn; said too often rather than too rarely."""
    if row.leaves_to_chance(told):
        return lanes[row.MAY_DRAW, lane]
    found = find_moves(lanes, lane, rules, dials)
    return ~found.plays | ~any_bits(honest(found.moves & ~DRAW_MOVE, found.holds))


@inline_kernel
def any_place(pool, several, word):
    """Return a place among moves by a random word; a mask: whether another word must be drawn."""
    count = popcount(pool)
    product = (word >> np.uint64(32)) * np.uint64(count)
    again = several & -np.int64((product & rng.HALF) < np.uint64(count))
    return np.int64(product >> np.uint64(32)), again


@inline_kernel
def prefer_cards(lanes, lane, cards, players, dials, told):
    """Return which cards are preferred, the richest colour, and a mask: whether to bluff."""
    hand, doubles, pairs = house.hand_in(lanes, lane, dials)
    index = lanes[row.SEAT, lane]
    following = seat_from(index, np.int64(1), lanes[row.REVERSALS, lane], players)
    urgent, liked, counts = lanes[row.URGENT, lane], lanes[row.LIKED, lane], lanes[row.CARDS, lane]
    hits = lanes[row.HITTING, lane] if len(told) >= len(row.ALL) else urgent
    called_for, by_next = cards_called_for(
        counts, (index, following), (liked >> KINDS, urgent >> KINDS), (urgent, hits)
    )
    favour, more, bluffs = np.int64(0), np.int64(0), np.int64(0)
    if len(told) >= len(row.ALL):
        favour = (lanes[row.DREW, lane] >> (4 * following)) & 0b1111
        more = lanes[row.LACKING, lane]
        at_random = lanes[row.LAST_LIKED, lane] >> 63
        bluffs = by_next & any_bits(lanes[row.BLUFFING, lane]) & ~at_random
    cards = preferred(
        cards, called_for, liked, lanes[row.NEXT_LIKED, lane], lanes[row.LAST_LIKED, lane]
    )
    cards = richest_cards(hand, doubles, pairs, cards, favour, more)
    richest = richest_colour(hand, doubles, pairs, np.int64(COLOURED), favour, more)
    return cards, richest, bluffs


@inline_kernel
def keep(lanes, lane, may, card, held, ways, words, rules, dials, told):
    """Return masks of a card drawn, and `words`; see `what_was_chosen` for `ways`.

    Whether it is kept, whether that is decided aside, and whether so as it cannot be here. `may`
    are masks: whether the card may be laid, and whether it must be; `held` is a mask, whether the
    hand has the colour asked for, and its cards.
    """
    goes, must = may
    holds = held[0]
    four = any_bits(card & DRAW_FOUR_CARD)
    never = np.int64(0)
    if not row.answers_fours(told):
        return holds & four, never, never, words
    _, any_move, bluffs = ways
    aside = goes & holds & four
    tosses = goes & ~must & ((any_move & ~aside) | (bluffs & four))
    word, words = draw_if(tosses, words)
    coin = house.coin_aside(lanes, lane, dials)
    rather_not = aside
    if len(dials.swaps) and len(told) >= len(row.ALL):
        rather_not |= ~must & house.declines_drawn(lanes, lane, card, held[1], rules) & ~ways[0]
    keeps = blend(any_move, ~must & blend(aside, coin, np.int64(word) >> 63), rather_not)
    return keeps, aside & any_move, aside & bluffs & ~any_move, words


@inline_kernel
def name(richest, at_random, words, told):
    """Return the colour that is named, as its first kind, and `words`."""
    if not row.leaves_to_chance(told):
        return richest, words
    word, words = draw_if(at_random, words)
    return blend(at_random, FACES * np.int64(word >> np.uint64(62)), richest), words


@inline_kernel
def doubts(lanes, lane, answers, any_move, rules, dials, told):
    """Return a mask: whether the seat challenges a wild draw four."""
    if not row.answers_fours(told):
        return np.int64(0)
    coin = house.coin_aside(lanes, lane, dials)
    if len(told) == 0:
        return answers & coin
    evidence = lanes[row.EVIDENCE, lane]
    cards = evidence & ((1 << row.CASE) - 1)
    by_evidence = is_doubted(lanes[row.DOUBTING, lane], evidence >> row.CASE, cards)
    if len(dials.anyone):
        victim = house.victim_of(lanes, lane, rules.players)
        by_evidence &= -np.int64(lanes[row.SEAT, lane] == victim)
    return answers & blend(any_move, coin, by_evidence)
