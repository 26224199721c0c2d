"""UNO: one step of play in many lanes at once, in vector registers.

See `lanes`, which prepares the lanes and looks after those that leave the ordinary. A step is a
turn with the naming of a colour, or the answer to a wild draw four, or one card that a seat is made
to draw. Everything here is arithmetic on words, because a branch would end the vectors: truth
values are masks, words of all or of no bits (so that to subtract one is to count it).
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import highest_bit, lowest_bit, popcount
from simcore.games.uno.cards import (
    COLOURED,
    DECK,
    DECK_SIZE,
    DRAW_FOUR_CARD,
    DRAW_TWOS,
    FACES,
    FIRST_OF_COLOURS,
    KINDS,
    ONE_COLOUR,
    REVERSES,
    WILDS,
    goes_on,
    put_any,
    take,
)
from simcore.games.uno.choice import (
    NO_PAIRS,
    any_bits,
    colour_of,
    least_doubted,
    next_has,
    preferred,
    richest_cards,
    richest_colour,
    some_opponent_has,
    with_count,
)
from simcore.games.uno.moves import kinds_allowed
from simcore.games.uno.orders import is_left, next_number, without_number
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

HAND, DOUBLES, WORD0, WORD1 = range(4)
"""Rows of the seat on turn, and what `seats` has of every seat: the hand as a card set, the two
words of the private stream."""

URGENT, LIKED, NEXT_LIKED, LAST_LIKED = range(4, 8)
HITTING, BLUFFING, LACKING, DOUBTING = range(8, 12)
"""Rows of how the seat on turn plays, and what `tactics` and `more_tactics` have of every seat (see
`lanes.write_tactic`)."""

DRAW0, DRAW1, NUMBER = range(12, 15)
"""Rows of the order along which the seat on turn draws, and what `orders` has of every seat; there
is room for one more."""

CARDS, HELD, SEAT, PENDING, TURNS, REVERSALS, SIZE, LOOSE, CARD, NEEDS = range(16, 26)
PLAYABLE, COLOUR_CARDS, TOP, LEFT0, LEFT1 = range(26, 31)
COUNTS, SEEN, BUSY, COINS, DREW, LAID, EVIDENCE = range(31, 38)
LANE_ROWS = 38
"""Rows of the whole lane.

How many cards each seat has (`choice.with_count`; kept where policies say how they play); the seat
whose rows the first ones are; the seat on turn; how many cards it is still made to draw, `INNOCENT`
or `BLUFF` when it is to answer such a wild draw four, 0 in an ordinary turn; turns and reversals of
the round; how many cards the stock has, how many of them in no order, and the kind of the next one,
or `UNKNOWN` or `NOTHING`; a mask, whether it was drawn. What may be laid, the cards of the colour
asked for, the card on top as its bit; the stock as a set of numbers. Counts (see `COUNT_SHIFTS`);
the draw twos laid, and the wild draw fours that could not be laid; a mask, whether the lane has a
match; for every seat that plays at random a bit: what it will decide next of what it decides aside
(`moves.is_aside`), 1 for the second move; seat 0 has the highest bit. For every seat the colours on
which it last had to draw and which it laid last, as one of four bits; what speaks for a bluff: the
layer's cards, and above these the case of `spec.doubts`."""

COUNT_SHIFTS = OTHERS, FOURS, BLUFFS, DOUBTS, CAUGHT = 16, 32, 40, 48, 56
"""Where in `COUNTS` stand other decisions than what to do in a turn, which stand first; wild draw
fours laid, and those illegally; challenges, and those won."""

INNOCENT, BLUFF = -1, -2

UNKNOWN, NOTHING = 63, 62
"""Kinds of a card to draw: the lane must be looked after first; who draws it draws nothing."""

ANYTHING, PREFERRED, SOME_RANDOM, RANDOM_CARDS, ALL = (), (0,), (0,) * 2, (0,) * 3, (0,) * 4
"""How the seats of a table play, of which only the length counts, for the compiler: all make any
move; all prefer some cards, and neither bluff nor doubt nor look at what others lack; the same,
but some lay any card; all lay any card; as each likes."""

USUAL, HOUSE = (), (0,)
"""Whether there are house rules or dials, of which again only the length counts."""

TRIES = 3
"""So many numbers of an order are looked at together, whether a card is needed or not."""

_ALL_KINDS = (1 << KINDS) - 1
_CASE = 8
_KIND_OF = np.array([*DECK.tolist(), UNKNOWN], dtype=np.int64)


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
        draw, a wild draw four, and a wrong challenge on top of that.
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
def find_numbers(work, boxes, group, start):
    """Take the cards just drawn out of the stocks, and find the next ones, by the seats' orders."""
    lanes = work.lanes
    width = work.width & (2 * LANES - 1)
    for lane in range(width):
        take_number_in(lanes, start + lane)
    for lane in range(0, LANES, EIGHT):
        records_from_rows(lanes, DRAW0, HELD, start + lane, work.orders, group + lane)
        rows_from_records(lanes, DRAW0, SEAT, start + lane, work.orders, group + lane)
    missing = 0
    for lane in range(width):
        missing |= look_for_number(lanes, start + lane) << lane
    while missing:
        lane = lowest_bit(missing)
        missing &= missing - 1
        search_number(lanes, start + lane, boxes[group + lane])


@inline_kernel
def find_card(lanes, lane, box):
    """Note the kind of the next card of a stock that lies in order."""
    size = lanes[SIZE, lane]
    kind = np.int64(box.stock[np.uint32(max(size, 1) - 1)])
    lanes[CARD, lane] = kind if size > lanes[LOOSE, lane] else UNKNOWN


@inline_kernel
def take_number_in(lanes, lane):
    """Take the card just drawn out of the set of numbers."""
    left0, left1 = lanes[LEFT0, lane], lanes[LEFT1, lane]
    less0, less1 = without_number(lanes[NUMBER, lane], left0, left1)
    lanes[LEFT0, lane] = blend(lanes[NEEDS, lane], less0, left0)
    lanes[LEFT1, lane] = blend(lanes[NEEDS, lane], less1, left1)


@inline_kernel
@wrapping
def look_for_number(lanes, lane):
    """Look whether the next card of the seat on turn is among the next of its order.

    Return 1 if it is not, although there is one.
    """
    left0, left1 = lanes[LEFT0, lane], lanes[LEFT1, lane]
    number = lanes[NUMBER, lane]
    word0, word1 = np.uint64(lanes[DRAW0, lane]), np.uint64(lanes[DRAW1, lane])
    for _ in range(TRIES):
        word, next0, next1 = rng.step(word0, word1)
        product = (word >> np.uint64(32)) * np.uint64(DECK_SIZE)
        # Where the number might have to be drawn again, `search_number` goes on.
        sure = (np.int64(DECK_SIZE - 1) - np.int64(product & rng.HALF)) >> 63
        looks = sure & ~is_left(number, left0, left1)
        number = blend(looks, np.int64(product >> np.uint64(32)), number)
        word0 = blend(np.uint64(looks), next0, word0)
        word1 = blend(np.uint64(looks), next1, word1)
    lanes[NUMBER, lane] = number
    lanes[DRAW0, lane], lanes[DRAW1, lane] = np.int64(word0), np.int64(word1)
    found = is_left(number, left0, left1)
    lanes[CARD, lane] = blend(found, _KIND_OF[np.uint64(number)], UNKNOWN)
    return ~found & any_bits(left0 | left1) & 1


@inline_kernel
def search_number(lanes, lane, box):
    """Find the next card of the seat on turn, however far on in its order it is."""
    place = lanes[NUMBER, lane], np.uint64(lanes[DRAW0, lane]), np.uint64(lanes[DRAW1, lane])
    stream = box.draw_rng[0]
    number, word0, word1 = next_number(stream, place, lanes[LEFT0, lane], lanes[LEFT1, lane])
    lanes[NUMBER, lane], lanes[CARD, lane] = number, _KIND_OF[np.uint64(number)]
    lanes[DRAW0, lane], lanes[DRAW1, lane] = np.int64(word0), np.int64(word1)


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
    found = hand & allowed
    move, draws, richest, ways, again, words = choose(lanes, lane, plays, found, holds, rules, told)
    goes = draws & any_bits(card & allowed)
    keeps, aside, words = keep(lanes, lane, goes, card, holds, ways, words, told)
    lays = plays & (~draws | (goes & ~keeps))
    laid = blend(draws, card, move)

    # Whether the step can be taken at all.
    needs = draws | forced
    cards = popcount(hand) + popcount(doubles)
    ends = lays & ((cards - draws - last - 1) >> 63)
    stuck = plays & (ends | again | ((turn_cap - 1 - lanes[TURNS, lane]) >> 63))
    dry = needs & ~stuck & ((NOTHING - kind) >> 63)
    acts = ~(stuck | dry)
    chooses = plays & acts & any_bits(found)
    plays, draws, forced, lays = plays & acts, draws & acts, forced & acts, lays & acts
    goes, needs, laid = goes & acts, needs & acts, laid & lays
    lanes[SEEN, lane] |= forbidden & plays & (hand | (card & draws))
    if len(dials):
        lanes[SEEN, lane] |= laid & DRAW_TWOS
    lanes[NEEDS, lane] = needs
    lanes[SIZE, lane] += needs

    # The card on top, the hand, and what everybody sees of them.
    wild = any_bits(laid & WILDS)
    named, words = name(richest, ways[0] & wild, words, told)
    cards -= needs & any_bits(card)
    note_seen(lanes, lane, cards + lays, (draws & any_bits(card), forced, lays), laid, told)
    put_on_top(lanes, lane, lays, laid, wild, named)
    fewer, fewer_doubles = take(hand, doubles, laid & ~draws)
    more, more_doubles = put_any(hand, doubles, card & needs & ~lays)
    lanes[HAND, lane] = hand ^ fewer ^ more  # One of the two is the hand as it was.
    lanes[DOUBLES, lane] = doubles ^ fewer_doubles ^ more_doubles
    lanes[WORD0, lane] = blend(acts, np.int64(words[0]), lanes[WORD0, lane])
    lanes[WORD1, lane] = blend(acts, np.int64(words[1]), lanes[WORD1, lane])

    # What follows.
    doubt = doubts(lanes, lane, answers, ways[1], told)
    four = any_bits(laid & DRAW_FOUR_CARD)
    bluff = four & holds if len(told) in (0, 4) else np.int64(0)
    counts = chooses + ((goes + wild + answers) << OTHERS) + (four << FOURS) + (bluff << BLUFFS)
    at_once = no_bluffs if len(told) in (0, 4) else np.int64(-1)
    if len(told) not in (0, 4):
        counts += (four & ~no_bluffs) << OTHERS  # It is accepted.
    caught = go_on(
        lanes, lane, (plays, answers, forced, doubt), laid, (bluff, at_once), rules, dials
    )
    lanes[COUNTS, lane] -= counts + (doubt << DOUBTS) + (caught << CAUGHT)
    dry |= (-lanes[PENDING, lane] >> 63) & ((lanes[SIZE, lane] - 1) >> 63)
    used = (aside | (answers & ways[1])) & acts & 1
    return lanes[BUSY, lane] & (used | (dry & (1 << LANES)) | (stuck & (1 << 2 * LANES)))


@inline_kernel
@wrapping
def choose(lanes, lane, plays, found, holds, rules, told):
    """Return what the seat on turn does: a card as its bit, or to draw; and more.

    Parameters
    ----------
    lanes, lane, rules, told
        See `take_steps`.
    plays, holds, found : int
        Masks, whether a turn is played and whether the hand has the colour asked for; what may be
        laid.

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
        pool = blend(any_move, found | DRAW_MOVE, honest)
    count = popcount(pool)
    several = plays & at_random & ((1 - count) >> 63)
    tries = plays & bluffs & any_bits(found & DRAW_FOUR_CARD)
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
def keep(lanes, lane, goes, card, holds, ways, words, told):
    """Return masks, whether the card drawn is kept and whether that is decided aside; and `words`.

    See `choose` for `ways`; `goes` is a mask, whether the card may be laid.
    """
    if len(told) not in (0, 4):
        return np.int64(0), np.int64(0), words
    _, any_move, bluffs = ways
    four = any_bits(card & DRAW_FOUR_CARD)
    aside = goes & any_move & holds & four
    word, words = draw_if(goes & ((any_move & ~aside) | (bluffs & four)), words)
    coin = (lanes[COINS, lane] << lanes[SEAT, lane]) >> 63
    return any_move & blend(aside, coin, np.int64(word) >> 63), aside, words


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
