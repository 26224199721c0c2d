"""UNO: one step of play in many lanes at once, in vector registers.

See `lanes`, which prepares the lanes and looks after those that leave the ordinary. A step is a
turn with the naming of a colour, or the answer to a wild draw four, or one card that a seat is made
to draw. Everything here is arithmetic on words, because a branch would end the vectors: truth
values are masks, words of all or of no bits (so that to subtract one is to count it).
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import highest_bit, popcount
from simcore.games.uno.cards import (
    COLOURED,
    DRAW_FOUR_CARD,
    DRAW_TWOS,
    FACES,
    FIRST_OF_COLOURS,
    KINDS,
    ONE_COLOUR,
    REVERSES,
    WILDS,
    any_bits,
    goes_on,
    put_any,
    take,
)
from simcore.games.uno.choice import (
    NO_PAIRS,
    colour_of,
    least_doubted,
    next_has,
    preferred,
    richest_cards,
    richest_colour,
    some_opponent_has,
    with_count,
)
from simcore.games.uno.lane_cards import find_card, find_numbers
from simcore.games.uno.lane_rows import (
    ALL,
    BLUFF,
    BLUFFING,
    BLUFFS,
    BUSY,
    CARD,
    CARDS,
    CAUGHT,
    COINS,
    COLOUR_CARDS,
    COMPELLED,
    COUNTS,
    DOUBLES,
    DOUBTING,
    DOUBTS,
    DREW,
    EVIDENCE,
    FOURS,
    HAD_TO_LAY,
    HAND,
    HELD,
    HITTING,
    INNOCENT,
    LACKING,
    LAID,
    LAST_LIKED,
    LIKED,
    NEEDS,
    NEXT_LIKED,
    NOT_LAST,
    NOTHING,
    OTHERS,
    PENDING,
    PLAYABLE,
    REVERSALS,
    SEAT,
    SEEN,
    SIZE,
    TOP,
    TURNS,
    URGENT,
    WORD0,
    WORD1,
)
from simcore.games.uno.moves import kinds_allowed, last_ones, must_lay
from simcore.games.uno.play import cards_after_answer
from simcore.games.uno.table import DRAW, DRAW_MOVE
from simcore.games.uno.turns import (
    USUAL_CHALLENGE_PENALTY,
    USUAL_DRAW_FOUR,
    USUAL_DRAW_TWO,
    cards_due,
    seat_from,
)
from simcore.jit import inline_kernel, wrapping
from simcore.lanes import LANES, LINE, blend, draw_if, nth_bit
from simcore.transpose import EIGHT, records_from_rows, rows_from_records

_ALL_KINDS = (1 << KINDS) - 1
_CASE = 8


@inline_kernel
def take_steps(work, boxes, group, rules, dials, by_seat, told):
    """Take a step in all lanes of a group.

    Parameters
    ----------
    work : record
        See `lanes.WORK`; modified in place.
    boxes : record[2 * LANES]
    group : int
        Its first lane.
    rules : tuple of int
        As in TABLE the players, the cards that skip, a mask, whether nobody may challenge; who lays
        one of how many cards is looked after; the cap on turns; how many cards a draw two makes
        draw, a wild draw four, and a wrong challenge on top of that; masks, whether who can lay
        a card must, and whether only a number may be the last one.
    dials : tuple
        `USUAL` or `HOUSE`.
    by_seat : bool
        Whether each seat draws along an order of its own.
    told : tuple
        `ANYTHING` … `ALL`.

    Returns
    -------
    int
        A bit for each lane that needs another coin (see `lane_records`); above these one for
        each that draws, now or next, a card which is not known; and above these one for each
        whose turn is out of the ordinary and was not taken.
    """
    lanes = work.lanes
    group &= LANES
    start = (work.column & (LINE - 1)) + group
    leaves = 0
    for lane in range(LANES):
        leaves |= take_step(lanes, start + lane, rules, dials, told) << lane
    for lane in range(0, LANES, EIGHT):
        records_from_rows(lanes, HAND, HELD, start + lane, work.seats, group + lane)
        rows_from_records(lanes, HAND, SEAT, start + lane, work.seats, group + lane)
        if len(told) in (1, 2, 4):
            rows_from_records(lanes, URGENT, SEAT, start + lane, work.tactics, 0)
        if len(told) == len(ALL):
            rows_from_records(lanes, HITTING, SEAT, start + lane, work.more_tactics, 0)
    if by_seat:
        find_numbers(work, boxes, group, start)
    else:
        for lane in range(LANES):
            find_card(lanes, start + lane, boxes[group + lane])
    return leaves


@inline_kernel
@wrapping
def take_step(lanes, lane, rules, dials, told):
    """Take one step in a lane; see `take_steps`."""
    no_bluffs, last, turn_cap = rules[2:5]
    pending = lanes[PENDING, lane]
    hand, doubles = lanes[HAND, lane], lanes[DOUBLES, lane]
    colour_cards, kind = lanes[COLOUR_CARDS, lane], lanes[CARD, lane]
    card = (np.int64(1) << kind) & _ALL_KINDS
    answers = pending >> 63 if len(told) in (0, 4) else np.int64(0)
    forced = -pending >> 63
    plays = ~(answers | forced)

    # What is chosen, drawn and laid.
    allowed, forbidden = kinds_allowed(hand, lanes[PLAYABLE, lane], colour_cards, no_bluffs)
    holds = -np.int64((hand & colour_cards) != 0)
    cards = popcount(hand) + popcount(doubles)
    may, seen = moves_of(hand & allowed, cards, holds, rules, dials)
    move, draws, richest, ways, again, words = choose(lanes, lane, plays, may, holds, rules, told)
    goes = draws & any_bits(card & allowed)
    must = rules[8] & goes & must_lay(card, holds) if len(dials) else np.int64(0)
    keeps, aside, apart, words = keep(lanes, lane, (goes, must), card, holds, ways, words, told)
    lays = plays & (~draws | (goes & ~keeps))
    laid = blend(draws, card, move)

    # Whether the step can be taken at all.
    needs = draws | forced
    ends = lays & ((cards - draws - last - 1) >> 63)
    stuck = plays & (ends | again | apart | ((turn_cap - 1 - lanes[TURNS, lane]) >> 63))
    dry = needs & ~stuck & ((NOTHING - kind) >> 63)
    acts = ~(stuck | dry)
    chooses = plays & acts & may[2]
    plays, draws, forced, lays = plays & acts, draws & acts, forced & acts, lays & acts
    goes, must, needs, laid = goes & acts, must & acts, needs & acts, laid & lays
    lanes[SEEN, lane] |= (seen | (forbidden & (hand | (card & draws)))) & plays
    if len(dials):
        lanes[COMPELLED, lane] -= must
        lanes[SEEN, lane] |= (laid & DRAW_TWOS) | (HAD_TO_LAY & must)
    lanes[NEEDS, lane] = needs
    lanes[SIZE, lane] += needs

    # The card on top, the hand, and what everybody sees of them.
    wild, four = any_bits(laid & WILDS), any_bits(laid & DRAW_FOUR_CARD)
    named, words = name(richest, ways[0] & wild, words, told)
    cards -= needs & any_bits(card)
    note_seen(lanes, lane, cards + lays, (draws & any_bits(card), forced, lays), laid, told)
    put_on_top(lanes, lane, lays, laid, wild, named)
    change_hand(lanes, lane, laid & ~draws, card & needs & ~lays, words, acts)

    # What follows.
    doubt = doubts(lanes, lane, answers, ways[1], told)
    others = goes - must + wild + answers
    effect = (four & holds, no_bluffs)
    if len(told) not in (0, 4):
        effect = (np.int64(0), np.int64(-1))
        others += four & ~no_bluffs  # It is accepted.
    caught = go_on(lanes, lane, (plays, answers, forced, doubt), laid, effect, rules, dials)
    counts = chooses + (others << OTHERS) + (four << FOURS) + (effect[0] << BLUFFS)
    lanes[COUNTS, lane] -= counts + (doubt << DOUBTS) + (caught << CAUGHT)
    dry |= (-lanes[PENDING, lane] >> 63) & ((lanes[SIZE, lane] - 1) >> 63)
    used = (aside | (answers & ways[1])) & acts & 1
    return lanes[BUSY, lane] & (used | (dry & (1 << LANES)) | (stuck & (1 << 2 * LANES)))


@inline_kernel
def change_hand(lanes, lane, left, came, words, acts):
    """Note the hand without a card and with another, as bits, and how far its seat has drawn."""
    hand, doubles = lanes[HAND, lane], lanes[DOUBLES, lane]
    fewer, fewer_doubles = take(hand, doubles, left)
    more, more_doubles = put_any(hand, doubles, came)
    lanes[HAND, lane] = hand ^ fewer ^ more  # One of the two is the hand as it was.
    lanes[DOUBLES, lane] = doubles ^ fewer_doubles ^ more_doubles
    lanes[WORD0, lane] = blend(acts, np.int64(words[0]), lanes[WORD0, lane])
    lanes[WORD1, lane] = blend(acts, np.int64(words[1]), lanes[WORD1, lane])


@inline_kernel
def moves_of(cards, count, holds, rules, dials):
    """Return what `choose` is told of the moves, and what is to be noted of them in `SEEN`.

    Of a hand of `count` cards those may be laid, but for house rules, that are in `cards`.
    """
    if len(dials) == 0:
        return (cards, np.int64(DRAW_MOVE), any_bits(cards)), np.int64(0)
    found = last_ones(cards, count, rules[9])
    must = rules[8] & must_lay(found, holds)
    moves = found | (DRAW_MOVE & ~must)
    seen = (HAD_TO_LAY & must) | (NOT_LAST & any_bits(cards ^ found))
    return (found, moves & DRAW_MOVE, any_bits(moves & (moves - 1))), seen


@inline_kernel
@wrapping
def choose(lanes, lane, plays, may, holds, rules, told):
    """Return what the seat on turn does: a card as its bit, or to draw; and more.

    Parameters
    ----------
    lanes, lane, rules, told
        See `take_steps`.
    plays, holds : int
        Masks, whether a turn is played and whether the hand has the colour asked for.
    may : tuple of int
        What may be laid; the move to draw, or 0; a mask, whether there are several moves.

    Returns
    -------
    move, draws, richest : int
        A mask, whether the move is to draw; the colour of which the hand has most, as its first
        kind.
    ways : tuple of int
        Masks: whether the seat lays any card; makes any move; bluffs, if it can.
    again : int
        A mask: whether the random number would have to be drawn again.
    words : tuple of uint64
        The private stream of the seat.
    """
    words = np.uint64(lanes[WORD0, lane]), np.uint64(lanes[WORD1, lane])
    never, always = np.int64(0), np.int64(-1)
    found, draw, asked = may
    honest = found & ~(DRAW_FOUR_CARD & holds)
    none = DRAW_MOVE & ~any_bits(honest)
    move, richest, bluffs = never, never, never
    if len(told) in (1, 2, 4):
        cards, richest, bluffs = prefer_cards(lanes, lane, honest, rules[0], told)
        move = np.int64(1) << highest_bit(cards | none)
    draws = plays & ~any_bits(honest)
    if len(told) == 1:
        return move, draws, richest, (never, never, never), never, words
    at_random = always if len(told) in (0, 3) else lanes[LAST_LIKED, lane] >> 63
    any_move, pool = never, honest
    if len(told) in (0, 4):
        any_move = always if len(told) == 0 else lanes[HITTING, lane] >> 63
        pool = blend(any_move, found | draw, honest)
    count = popcount(pool)
    several = plays & at_random & ((1 - count) >> 63)
    tries = plays & asked & bluffs & any_bits(found & DRAW_FOUR_CARD)
    word, words = draw_if(several | tries, words)
    product = (word >> np.uint64(32)) * np.uint64(count)
    again = several & -np.int64((product & rng.HALF) < np.uint64(count))
    by_chance = np.int64(1) << nth_bit(pool | none, np.int64(product >> np.uint64(32)))
    move = blend(at_random, by_chance, move)
    if len(told) == len(ALL):
        often = np.int64(word >> np.uint64(11)) - lanes[BLUFFING, lane]
        move = blend(tries & (often >> 63), np.int64(DRAW_FOUR_CARD), move)
    if len(told) in (0, 4):
        draws = plays & -(move >> DRAW)
    return move, draws, richest, (at_random, any_move, bluffs), again, words


@inline_kernel
def prefer_cards(lanes, lane, honest, players, told):
    """Return which cards are preferred, the richest colour, and a mask: whether to bluff."""
    hand, doubles, pairs = lanes[HAND, lane], lanes[DOUBLES, lane], NO_PAIRS
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
def keep(lanes, lane, may, card, holds, ways, words, told):
    """Return masks of a card drawn, and `words`; see `choose` for `ways`.

    Whether it is kept, whether that is decided aside, and whether so as it cannot be here. `may`
    are masks: whether the card may be laid, and whether it must be.
    """
    goes, must = may
    four = any_bits(card & DRAW_FOUR_CARD)
    never = np.int64(0)
    if len(told) not in (0, 4):
        return holds & four, never, never, words
    _, any_move, bluffs = ways
    aside = goes & holds & four
    tosses = goes & ~must & ((any_move & ~aside) | (bluffs & four))
    word, words = draw_if(tosses, words)
    coin = (lanes[COINS, lane] << lanes[SEAT, lane]) >> 63
    keeps = blend(any_move, ~must & blend(aside, coin, np.int64(word) >> 63), aside)
    return keeps, aside & any_move, aside & bluffs & ~any_move, words


@inline_kernel
def name(richest, at_random, words, told):
    """Return the colour that is named, as its first kind, and `words`; see `choose`."""
    if len(told) == 1:
        return richest, words
    word, words = draw_if(at_random, words)
    return blend(at_random, FACES * np.int64(word >> np.uint64(62)), richest), words


@inline_kernel
def put_on_top(lanes, lane, lays, laid, wild, named):
    """Note what lies on top, and what goes on it, where a card was laid."""
    kind = popcount(laid - 1)
    first = FACES * colour_of(kind)
    same_face = (FIRST_OF_COLOURS << (kind - first)) & ~wild
    same_colour = np.int64(ONE_COLOUR) << blend(wild, named, first)
    lanes[COLOUR_CARDS, lane] = blend(lays, same_colour, lanes[COLOUR_CARDS, lane])
    playable = goes_on(same_colour, same_face)
    lanes[PLAYABLE, lane] = blend(lays, playable, lanes[PLAYABLE, lane])
    lanes[TOP, lane] = blend(lays, laid, lanes[TOP, lane])


@inline_kernel
def note_seen(lanes, lane, cards, done, laid, told):
    """Note what others see of a seat's hand: how many cards, what it lacks, what it laid.

    `cards` are those that it has now; `done` are masks: whether it drew one in its turn, was made
    to draw, or laid one.
    """
    drew, forced, lays = done
    index = lanes[SEAT, lane]
    if len(told) in (1, 2, 4):
        counts = lanes[CARDS, lane]
        lanes[CARDS, lane] = with_count(counts, index, cards)
    if len(told) < len(ALL):
        return
    shift = 4 * index
    asked = np.int64(1) << colour_of(popcount(lanes[COLOUR_CARDS, lane] - 1))
    lacks, before = lanes[DREW, lane] >> shift, lanes[LAID, lane] >> shift
    now = blend(drew, asked, lacks & ~forced) & 0b1111
    lanes[DREW, lane] ^= ((lacks ^ now) & 0b1111) << shift
    colour = (np.int64(1) << colour_of(popcount(laid - 1))) & any_bits(laid & COLOURED)
    lanes[LAID, lane] ^= ((before ^ colour) & 0b1111 & lays) << shift
    case = (any_bits(before & asked) & 1) | (any_bits(now & asked) & 2)
    four = any_bits(laid & DRAW_FOUR_CARD)
    lanes[EVIDENCE, lane] = blend(four, cards | case << _CASE, lanes[EVIDENCE, lane])


@inline_kernel
def doubts(lanes, lane, answers, any_move, told):
    """Return a mask: whether the seat challenges a wild draw four."""
    if len(told) not in (0, 4):
        return np.int64(0)
    coin = (lanes[COINS, lane] << lanes[SEAT, lane]) >> 63
    if len(told) == 0:
        return answers & coin
    evidence = lanes[EVIDENCE, lane]
    least = least_doubted(lanes[DOUBTING, lane], evidence >> _CASE)
    by_evidence = (least - (evidence & ((1 << _CASE) - 1)) - 1) >> 63
    return answers & blend(any_move, coin, by_evidence)


@inline_kernel
def go_on(lanes, lane, does, laid, four, rules, dials):
    """Give the turn on; return a mask: whether who laid a wild draw four is caught.

    Parameters
    ----------
    lanes, lane, rules, dials
        See `take_steps`.
    does : tuple of int
        Masks: whether the seat plays, answers, or is made to draw a card, and whether it doubts.
    laid : int
        The card laid, as its bit, if any.
    four : tuple of int
        Masks: whether a wild draw four is a bluff, and whether it takes effect at once.
    """
    plays, answers, forced, doubt = does
    players, skips = rules[0], rules[1]
    two = rules[5] if len(dials) else np.int64(USUAL_DRAW_TWO)
    fours = rules[6] if len(dials) else np.int64(USUAL_DRAW_FOUR)
    penalty = rules[7] if len(dials) else np.int64(USUAL_CHALLENGE_PENALTY)
    pending = lanes[PENDING, lane]
    caught, answered = cards_after_answer(doubt, -np.int64(pending == BLUFF), fours, penalty)
    done = forced & -np.int64(pending == 1)
    asked = any_bits(laid & DRAW_FOUR_CARD) & ~four[1]
    skip = any_bits(laid & skips)
    reversals = lanes[REVERSALS, lane] + np.int64((laid & REVERSES) != 0)
    lanes[REVERSALS, lane] = reversals
    pending = blend(answers, answered, pending + forced)
    pending |= blend(asked, INNOCENT + four[0], cards_due(laid, two, fours))
    lanes[PENDING, lane] = pending
    nobody = -np.int64(pending == 0)
    lanes[TURNS, lane] -= (plays | answers | forced) & nobody
    steps = caught - plays - skip - done
    if len(dials):  # If nobody draws who answered plays on at once, or misses the turn.
        nobody &= answers
        steps = blend(nobody, caught + 1, steps + (skip & asked))
    lanes[HELD, lane] = lanes[SEAT, lane]
    lanes[SEAT, lane] = seat_from(lanes[SEAT, lane], steps, reversals, players)
    return caught
