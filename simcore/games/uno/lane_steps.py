"""UNO: one step of play in many lanes at once, in vector registers.

See `lanes`, which prepares the lanes and looks after those that leave the ordinary. A step is a
turn with the naming of a colour, or the answer to a wild draw four, or one card that a seat is made
to draw. Everything here is arithmetic on words, because a branch would end the vectors: truth
values are masks, words of all or of no bits (so that to subtract one is to count it).
"""

from __future__ import annotations

import numpy as np

from simcore.bits import lowest_bit, popcount
from simcore.games.uno import lane_rows as row
from simcore.games.uno.cards import (
    COLOURED,
    DRAW_FOUR_CARD,
    DRAW_TWOS,
    FACES,
    FIRST_OF_COLOURS,
    KINDS,
    ONE_COLOUR,
    WILDS,
    any_bits,
    goes_on,
    put_any,
    put_more,
    take,
    take_more,
)
from simcore.games.uno.choice import case_of, colour_of, with_count
from simcore.games.uno.lane_cards import (
    find_card,
    look_for_number,
    next_kind,
    search_number,
    take_number_in,
)
from simcore.games.uno.lane_choice import (
    choose,
    choose_ahead,
    chosen_ahead,
    doubts,
    find_moves,
    keep,
    may_draw,
    name,
    take_place,
    ways_of,
)
from simcore.games.uno.lane_house import (
    ask_to_jump,
    find_holders,
    go_on,
    go_on_aside,
    is_due,
    move_hands,
    moves_that_swap,
)
from simcore.games.uno.lane_rows import answers_fours, has_more, leaves_to_chance, prefers
from simcore.games.uno.moves import must_lay
from simcore.games.uno.table import CLAUSE, DRAW_MOVE
from simcore.jit import inline_kernel, outer_kernel, wrapping
from simcore.lanes import LANES, LINE, blend
from simcore.transpose import EIGHT, records_from_rows, rows_from_records

_ALL_KINDS = (1 << KINDS) - 1


@inline_kernel
def take_steps(work, group, rules, dials, told):
    """Take a step in all lanes of a group, up to `end_steps`.

    `work` (see `lanes.WORK`) is modified in place; `group` is the first lane; `told` is one of
    `ANYTHING` … `MIXED`. Return a bit for each lane that needs another coin (see `lane_records`);
    above these one for each that draws, now or next, a card which is not known; above these one for
    each whose turn is out of the ordinary and was not taken; and above these one for each in which
    hands are swapped or passed on.
    """
    lanes = work.lanes
    group &= LANES
    start = (work.column & (LINE - 1)) + group
    leaves = 0
    for lane in range(LANES):
        leaves |= take_step(lanes, start + lane, rules, dials, told) << lane
    return leaves


@inline_kernel
def end_steps(work, boxes, group, leaves, rules, dials, by_seat, told):
    """Give the turn on in all lanes of a group, of which `take_steps` returned `leaves`.

    `boxes` are those of all lanes; `by_seat` tells whether each seat draws along an order of its
    own. Return what is left of `leaves`.
    """
    lanes = work.lanes
    group &= LANES
    start = (work.column & (LINE - 1)) + group
    if not by_seat:
        for lane in range(LANES):
            find_card(lanes, start + lane, boxes[group + lane])
    leaves = change_seats(work, group, start, leaves, rules, dials, told)
    if leaves_to_chance(told):
        for lane in range(LANES):
            choose_ahead(lanes, start + lane, rules, dials, told)
    if by_seat:
        find_numbers(work, boxes, group, start, rules, dials, told)
    if leaves_to_chance(told):
        for lane in range(LANES):
            take_place(lanes, start + lane)
    return leaves


@inline_kernel
def change_seats(work, group, start, leaves, rules, dials, told):
    """Put away what the seats that were on turn have, and write what those have who now are.

    Meanwhile hands are exchanged, and others may jump in. Return what is left of `leaves`.
    """
    lanes = work.lanes
    for lane in range(0, LANES, EIGHT):
        records_from_rows(lanes, row.HAND, row.HELD, start + lane, work.seats, group + lane)
        if has_more(dials):
            records_from_rows(lanes, row.ASIDE0, row.HELD, start + lane, work.more, group + lane)
    if len(dials.swaps):
        move_hands(work, group, (leaves >> 3 * LANES) & ((1 << LANES) - 1), rules, dials)
        leaves &= (1 << 3 * LANES) - 1
    if len(dials.jumps):
        for lane in range(LANES):
            find_holders(lanes, start + lane, dials)
            ask_to_jump(lanes, start + lane, rules.players)
    for lane in range(0, LANES, EIGHT):
        rows_from_records(lanes, row.HAND, row.SEAT, start + lane, work.seats, group + lane)
        if prefers(told):
            rows_from_records(lanes, row.URGENT, row.SEAT, start + lane, work.tactics, 0)
        if len(told) >= len(row.ALL):
            rows_from_records(lanes, row.HITTING, row.SEAT, start + lane, work.more_tactics, 0)
        if has_more(dials):
            rows_from_records(lanes, row.ASIDE0, row.SEAT, start + lane, work.more, group + lane)
    return leaves


@inline_kernel
def find_numbers(work, boxes, group, start, rules, dials, told):
    """Take the cards just drawn out of the stocks, and find the next ones, by the seats' orders.

    Far on in an order it is looked for the card of a seat that may draw.
    """
    lanes = work.lanes
    start &= 2 * LANES - 1
    end = start + (work.width & (2 * LANES - 1))
    for lane in range(start, end):
        take_number_in(lanes, lane)
    for lane in range(0, LANES, EIGHT):
        records_from_rows(lanes, row.DRAW0, row.HELD, start + lane, work.orders, group + lane)
        rows_from_records(lanes, row.DRAW0, row.SEAT, start + lane, work.orders, group + lane)
    missing = 0
    for lane in range(start, end):
        lacks = look_for_number(lanes, lane) & may_draw(lanes, lane, rules, dials, told)
        missing |= lacks << (lane - start)
    while missing:
        lane = lowest_bit(missing)
        missing &= missing - 1
        search_number(lanes, start + lane, boxes[group + lane])


@outer_kernel
@wrapping
def take_step(lanes, lane, rules, dials, told):
    """Take one step in a lane; see `take_steps`."""
    pending, hand = lanes[row.PENDING, lane], lanes[row.HAND, lane]
    kind = next_kind(lanes, lane)
    card = (np.int64(1) << kind) & _ALL_KINDS
    answers = pending >> 63 if answers_fours(told) else np.int64(0)
    forced = -np.int64(pending > 0)
    on = is_due(lanes, lane, row.DRAWS_ON) if len(dials.until) else np.int64(0)

    # What is chosen, drawn and laid.
    found = find_moves(lanes, lane, rules, dials)
    if leaves_to_chance(told):
        choice = chosen_ahead(lanes, lane, told)
    else:
        choice = choose(lanes, lane, found, rules, dials, told)
    plays, aside, allowed = found.plays, found.aside, found.allowed
    cards, holds, move = found.cards, found.holds, choice.move
    at_random, any_move = ways_of(lanes, lane, told)
    ways, words = (at_random, any_move, choice.bluffs), (choice.word0, choice.word1)
    draws = (plays & any_bits(move & DRAW_MOVE)) | on
    adds = aside & any_bits(move & _ALL_KINDS & ~moves_that_swap(lanes, lane, dials))
    forced &= ~adds
    goes = draws & any_bits(card & allowed)
    must = np.int64(0)
    if len(dials.house):
        must = goes & must_lay(card, holds, rules.must_play)[0]
    keeps, tosses, apart, words = keep(
        lanes, lane, (goes, must), card, (holds, cards), ways, words, rules, dials, told
    )
    plays |= on
    lays = (plays & (~draws | (goes & ~keeps))) | adds
    laid = blend(draws, card, move)

    # Whether the step can be taken at all.
    needs, ends = draws | forced, lays & -np.int64(cards - draws <= rules.last)
    late = -np.int64(lanes[row.TURNS, lane] >= rules.turn_cap)
    stuck = (plays | aside) & (ends | choice.again | apart | late)
    dry = needs & ~stuck & -np.int64(kind == row.UNKNOWN)
    acts = ~(stuck | dry)
    chooses = plays & ~on & acts & found.several
    plays, draws, forced, lays = plays & acts, draws & acts, forced & acts, lays & acts
    goes, must, needs, laid = goes & acts, must & acts, needs & acts, laid & lays
    forbidden = lanes[row.PLAYABLE, lane] & ~allowed
    forbidden = any_bits(forbidden & (hand | (card & draws)) & plays)
    lanes[row.SEEN, lane] |= found.seen | (CLAUSE.challenge & forbidden)
    note_drawn(lanes, lane, needs, laid, must, dials)

    came, comes = any_bits(card & draws), card & needs
    moved, colour = (came, forced, lays), (choice.richest, ways[0])
    left = cards - any_bits(comes)
    four, wild, words = show(lanes, lane, laid, moved, left, colour, words, told)
    change_hand(lanes, lane, laid & ~draws, comes & ~lays, words, acts, dials)
    stays = draws_on(lanes, lane, came & ~goes, on & any_bits(comes), rules, dials)
    doubt = doubts(lanes, lane, answers, ways[1], rules, dials, told)
    does, chosen = (plays & ~stays, answers, forced, doubt), (aside & acts, adds & acts, move)
    counted = chooses, goes - must + wild + answers + chosen[0]
    effect, state = (four, holds, adds), (acts, stays, lays)
    hands = follow(lanes, lane, does, chosen, state, laid, effect, counted, rules, dials, told)
    used = ways[1] & ((tosses & acts) | answers | chosen[0])
    return leaving(lanes, lane, used, dry, stuck, hands, dials)


@outer_kernel
def note_drawn(lanes, lane, needs, laid, must, dials):
    """Note a card that is drawn, whether it must be laid, and a draw two that is laid."""
    lanes[row.NEEDS, lane] = needs
    lanes[row.SIZE, lane] += needs
    if len(dials.house):
        lanes[row.COMPELLED, lane] -= must
        two = CLAUSE.draw_two_cards & any_bits(laid & DRAW_TWOS)
        lanes[row.SEEN, lane] |= two | (CLAUSE.must_play & must)


@outer_kernel
def show(lanes, lane, laid, moved, cards, ways, words, told):
    """Put a card that is laid on top, and note what everybody sees."""
    wild, four = any_bits(laid & WILDS), any_bits(laid & DRAW_FOUR_CARD)
    named, words = name(ways[0], ways[1] & wild, words, told)
    note_seen(lanes, lane, cards + moved[2], moved, laid, told)
    if len(told) == 0:  # Elsewhere stocks are seldom renewed.
        note_discard(lanes, lane, moved[2])
    put_on_top(lanes, lane, moved[2], laid, wild, named)
    return four, wild, words


@outer_kernel
def draws_on(lanes, lane, unplayable, drew_on, rules, dials):
    """Return a mask: whether the seat on turn goes on drawing."""
    stays = np.int64(0)
    if len(dials.until):
        stays = rules.until & unplayable
        lanes[row.SEEN, lane] |= CLAUSE.draw & drew_on
    return stays


@outer_kernel
def follow(lanes, lane, does, chosen, state, laid, effect, counted, rules, dials, told):
    """Give the turn on, and count; return a mask: whether hands are exchanged."""
    four, holds, adds = effect
    chooses, others = counted
    bluffs, settled = four & holds & ~adds, rules.no_bluffs | adds
    if not answers_fours(told):
        bluffs, settled = np.int64(0), np.int64(-1)
        others += four & ~rules.no_bluffs  # It is accepted.
    caught, hands = go_on(lanes, lane, does, chosen, state, laid, (bluffs, settled), rules, dials)
    counts = chooses + (others << row.OTHERS) + (four << row.FOURS) + (bluffs << row.BLUFFS)
    lanes[row.COUNTS, lane] -= counts + (does[3] << row.DOUBTS) + (caught << row.CAUGHT)
    return hands


@outer_kernel
def leaving(lanes, lane, used, dry, stuck, hands, dials):
    """Return what of a lane is to be looked after, as the bits of `take_steps`."""
    dry |= will_be_dry(lanes, lane, dials)
    if has_more(dials):
        go_on_aside(lanes, lane, used)
        used = np.int64(0)
    leaves = (used & 1) | (dry & (1 << LANES)) | (stuck & (1 << 2 * LANES))
    return lanes[row.BUSY, lane] & (leaves | (hands & (np.int64(1) << 3 * LANES)))


@inline_kernel
def will_be_dry(lanes, lane, dials):
    """Return a mask: whether a card is drawn next for which the stock must be renewed."""
    dry = -np.int64(lanes[row.PENDING, lane] > 0) & -np.int64(lanes[row.SIZE, lane] == 0)
    if len(dials.stacks):  # Who may yet stack may yet lay a card to be drawn.
        dry &= ~is_due(lanes, lane, row.PRESSED)
    return dry


@inline_kernel
def change_hand(lanes, lane, left, came, words, acts, dials):
    """Note the hand without a card and with another, as bits, and how far its seat has drawn."""
    hand, doubles = lanes[row.HAND, lane], lanes[row.DOUBLES, lane]
    if len(dials.wide):
        pairs = lanes[row.PAIRS, lane]
        fewer, fewer_doubles, fewer_pairs = take_more(hand, doubles, pairs, left)
        more, more_doubles, more_pairs = put_more(hand, doubles, pairs, came)
        lanes[row.PAIRS, lane] = pairs ^ fewer_pairs ^ more_pairs
    else:
        fewer, fewer_doubles = take(hand, doubles, left)
        more, more_doubles = put_any(hand, doubles, came)
    lanes[row.HAND, lane] = hand ^ fewer ^ more  # One of the two is the hand as it was.
    lanes[row.DOUBLES, lane] = doubles ^ fewer_doubles ^ more_doubles
    lanes[row.WORD0, lane] = blend(acts, np.int64(words[0]), lanes[row.WORD0, lane])
    lanes[row.WORD1, lane] = blend(acts, np.int64(words[1]), lanes[row.WORD1, lane])


@inline_kernel
def note_discard(lanes, lane, lays):
    """Note that the card on top will lie under another one, where one is laid."""
    gone, under = lanes[row.GONE, lane], lanes[row.TOP, lane] & lays
    lanes[row.GONE, lane] = gone | under
    lanes[row.GONE_TWICE, lane] |= gone & under


@inline_kernel
def put_on_top(lanes, lane, lays, laid, wild, named):
    """Note what lies on top, and what goes on it, where a card was laid."""
    kind = popcount(laid - 1)
    first = FACES * colour_of(kind)
    same_face = (FIRST_OF_COLOURS << (kind - first)) & ~wild
    same_colour = np.int64(ONE_COLOUR) << blend(wild, named, first)
    lanes[row.COLOUR_CARDS, lane] = blend(lays, same_colour, lanes[row.COLOUR_CARDS, lane])
    playable = goes_on(same_colour, same_face)
    lanes[row.PLAYABLE, lane] = blend(lays, playable, lanes[row.PLAYABLE, lane])
    lanes[row.TOP, lane] = blend(lays, laid, lanes[row.TOP, lane])


@inline_kernel
def note_seen(lanes, lane, cards, done, laid, told):
    """Note what others see of a seat's hand: how many cards, what it lacks, what it laid.

    `cards` are those that it has now; `done` are masks: whether it drew one in its turn, was made
    to draw, or laid one.
    """
    drew, forced, lays = done
    index = lanes[row.SEAT, lane]
    if prefers(told):
        counts = lanes[row.CARDS, lane]
        lanes[row.CARDS, lane] = with_count(counts, index, cards)
    if len(told) < len(row.ALL):
        return
    shift = 4 * index
    asked = np.int64(1) << colour_of(popcount(lanes[row.COLOUR_CARDS, lane] - 1))
    lacks, before = lanes[row.DREW, lane] >> shift, lanes[row.LAID, lane] >> shift
    now = blend(drew, asked, lacks & ~forced) & 0b1111
    lanes[row.DREW, lane] ^= ((lacks ^ now) & 0b1111) << shift
    colour = (np.int64(1) << colour_of(popcount(laid - 1))) & any_bits(laid & COLOURED)
    lanes[row.LAID, lane] ^= ((before ^ colour) & 0b1111 & lays) << shift
    case = case_of(before, now, asked)
    four = any_bits(laid & DRAW_FOUR_CARD)
    lanes[row.EVIDENCE, lane] = blend(four, cards | case << row.CASE, lanes[row.EVIDENCE, lane])
