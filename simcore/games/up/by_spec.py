"""Up: play by a play spec (`spec`), for a match by itself and for many side by side.

A formula without a branch makes all choices; see `turn` on how it is used. A value that decides
twice whether something else is chosen would make the compiler branch, and then there are no
vectors: so `choose` tells whether there are cards, not by a kind below 0.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import highest_bit
from simcore.games.up import cards as sets
from simcore.games.up import rules
from simcore.games.up import spec as specs
from simcore.games.up import table as up
from simcore.games.up.moves import moves_of, number_of, random_move, sight_of
from simcore.games.up.turn import FOUR, Choice, Moves, borne, first_minus_twos, most_minus_twos
from simcore.jit import inline_kernel, kernel, shared_kernel
from simcore.lanes import needed
from simcore.vectors import greatest, largest, vector

OPEN_FIRST = 15
BIAS_PLACE, RANK_PLACE = 4 * sets.KINDS, 4 * sets.KINDS + 4
BIAS = OPEN_FIRST << BIAS_PLACE
RANKS = (1 << specs.RANK_BITS) - 1 << RANK_PLACE
NO_SORT = 1 << RANK_PLACE + specs.RANK_BITS
SECOND = 1 << RANK_PLACE
EVEN = 1 << BIAS_PLACE
"""A sort of moves as a number: its cards, the bias towards open cards, its rank. Without a bias a
card from the hand goes before an open one of the same value, with `EVEN` after it."""

EACH_OTHER = sum(1 << specs.RANK_BITS * sort for sort in range(1, specs.SORTS))
"""The lowest bit of the rank of every sort but `LAY_HEAVY`."""

KINDS_BORNE = tuple(range(1, sets.MINUS_TWO))
LOW_KINDS, HIGH_KINDS = tuple(range(8)), tuple(range(8, 16))


@inline_kernel
def by_spec(table, seat):
    """Return the move that the words in SEAT's `spec` say; its moves must have been found."""
    special = table.phase != up.PLAY or seat.spec[specs.CHOICE] == 0
    if special or rules.rare_later(table):
        return by_spec_otherwise(table, seat)
    return move_by_spec(table, seat, rules.NO_RARE_RULES)


@shared_kernel
def by_spec_otherwise(table, seat):
    """Return it before the play and under rare rules; words of 0 say any move."""
    if seat.spec[specs.CHOICE] == 0:
        return random_move(table, seat)
    if table.phase != up.PLAY:
        return announce_by_spec(table, seat)
    rare = rules.rare_in_round(table)
    if rare == rules.TEXT_VARIANTS:
        return move_by_spec(table, seat, rules.TEXT_VARIANTS)
    if rare == rules.SPECIAL_CARDS:
        return move_by_spec(table, seat, rules.SPECIAL_CARDS)
    if rare == rules.HOUSE_RULES:
        return move_by_spec(table, seat, rules.HOUSE_RULES)
    return move_by_spec(table, seat, rules.RARE_RULES)


@kernel
def announce_by_spec(table, seat):
    """Answer before the play: keep the special card found at the cut, declare what suits the cards.

    The dirty one suits whoever has a 1 in sight: it bears on any tower, and so is seldom left over.
    The double two suits whoever has so many "-2" that they are worth more laid together as 2s than
    one by one as what they are.
    """
    if table.phase == up.CUT:
        return np.int64(up.KEEP)
    deck = sets.Deck(0, table.minus_twos, table.clears, 0)
    own = sets.tally(sets.words_of(seat.hand), deck) + sets.tally(
        sets.words_of(table.open_cards[table.seat]), deck
    )
    ones = seat.spec[specs.ANNOUNCE] & specs.MOST_OF_OPPONENT
    minus_twos = seat.spec[specs.ANNOUNCE] >> specs.SEAT_BITS
    move = np.int64(0)
    if table.dirty_one == up.FOREHAND and ones and sets.number_in(own, 1) >= ones:
        move += up.DIRTY
    if (
        table.double_two == up.FOREHAND
        and minus_twos
        and sets.number_in(own, sets.MINUS_TWO) >= minus_twos
    ):
        move += up.DOUBLE
    return move


@inline_kernel
def play_of(seat):
    """Return what a seat's spec says of the play: choice, bounds, worth."""
    return seat.spec[specs.CHOICE], seat.spec[specs.BOUNDS], seat.spec[specs.WORTH]


@inline_kernel
def move_by_spec(table, seat, rare):
    """Return the `PLAY` move that a spec says."""
    spec = play_of(seat)
    weighs = seat.spec[specs.WORTH] != specs.NO_WEIGHTS
    others = np.int64(specs.ALL_FAR)
    if weighs or spec[0] >> specs.OPPONENT_PLACE != specs.ANY_NEAR:
        for other in range(table.players):
            if other != table.seat:
                others = with_cards(others, other, table.cards[other])
    counts = (table.plays, others)
    sight = sight_of(table, seat, table.cap, 0, rare)
    plain = len(seat.hand) == 1 and not rare
    return number_of(choose(sight, moves_of(seat), counts, spec, weighs, plain, True))


def move_of_sort(table, seat, sort):
    """Return the move of a sort for which there are cards; not compiled."""
    moves = moves_of(seat)
    deck = rules.deck_of(table, rules.RARE_RULES)
    twos = sets.MINUS_TWOS * (deck.double != 0)
    hand, open_cards = (as_values(sets.any_of(words), twos, deck) for words in moves[:2])
    return number_of(choice_of_sort(moves, hand, open_cards, sort, deck, False))


@inline_kernel
def with_cards(others, seat, cards):
    """Return the numbers of cards of the seats with that of one of them, put in for a greater."""
    less = specs.MOST_OF_OPPONENT - min(cards, specs.MOST_OF_OPPONENT)
    return others & ~(np.int64(less) << specs.SEAT_BITS * seat)


@inline_kernel
def choose(sight, moves, counts, spec, weighs, plain, alone):
    """Return what a spec chooses, as `play_of` returns it; whether it `weighs` is known.

    `counts` are the plays in this round, and the cards of the opponents, side by side, with those
    of the own seat as if it had most. `plain`: card sets have one word, and rules and cards are the
    usual ones; `alone`: this is for one match, which need not go into vectors with others.
    """
    plays, others = counts
    choice, worth = spec[0], spec[2]
    deck = sight.deck
    layable = borne(sight.cap, sets.Deck(deck.double, sets.MINUS_TWOS, sets.CLEAR_CARDS, 0))
    hand = as_values(sets.any_of(moves.hand), layable, deck)
    open_cards = as_values(sets.any_of(moves.open_cards), layable, deck)
    order = choice
    if needed(alone, has_two_orders(choice)):
        order = choice >> specs.ORDER if is_within(sight, counts, spec) else choice
    heavy = layable | ((order >> specs.PER_OPEN_PLACE & OPEN_FIRST) + 1) << BIAS_PLACE
    first = (False, False)
    if weighs:
        value, best = worth_most(moves, layable, plays, worth, deck, alone)
        heavy = best if worth & specs.WEIGHS else heavy
        bears = (specs.NO_CAP if sight.cap == 0 else sight.cap) >= part(worth, specs.LEAST_CAP)
        first = (
            (value < part(worth, specs.LOW_VALUE)) | is_near(part(worth, specs.GUARD), others),
            (value < part(worth, specs.LIGHT_VALUE)) & bears,
        )
    four = heaviest_four(moves, layable, sight)
    heavy = four or heavy
    first = (first[0] & (four == 0), first[1] & (four == 0))
    hand_moves = without_excess(moves.hand, sight)
    moves = Moves(hand_moves, without_excess(moves.open_cards, sight), moves.turn_up, 0)
    sort = first_sort(hand | open_cards, moves.turn_up, sight, order, heavy, first, alone)
    return choice_of_sort(moves, hand, open_cards, sort, deck, plain)


@inline_kernel
def heaviest_four(moves, layable, sight):
    """Return the sort of moves that makes four equal cards of the heaviest value, 0 if none does.

    It is as good as a clear card, and sheds at least as many [H10].
    """
    hand = kinds_to_four(sets.tally(moves.hand, sight.deck) & layable, sight)
    fours = hand | kinds_to_four(sets.tally(moves.open_cards, sight.deck) & layable, sight)
    kind = highest_bit(fours | 1) >> 2
    sort = sort_of_kind(kind, (hand >> 4 * kind) & 1 != 0)
    return sort if (sight.rules.four_clear != 0) & (fours != 0) else 0


@inline_kernel
def kinds_to_four(counts, sight):
    """Return a bit for each kind of which there are enough, with those that lie on top."""
    kinds = ((counts | counts >> 1) >> 2) & sets.ONE_OF_EACH
    here = sets.number_in(counts, sight.cap)
    more = (sight.cap > 0) & (here > 0) & (here + sight.equal >= FOUR)
    return kinds | (np.int64(1) << 4 * sight.cap if more else 0)


@inline_kernel
def without_excess(words, sight):
    """Return moves of a source without those that lay more "-2" than by the rule text."""
    excess = (sight.rules.minus_two_collapse != 0) & (sight.deck.double == 0)
    few = most_minus_twos(sight.cap, sight.deck, 0, sight.rules.minus_two_lead) if excess else 0
    rest = sets.in_field(words, ~(sight.deck.minus_twos if excess else 0))
    return sets.both(rest, first_minus_twos(words, few, sight.deck, False))


@inline_kernel
def as_values(cards, layable, deck):
    """Return cards of a word in their usual bits, "-2" among the 2s if they may be laid as such."""
    special = sets.MINUS_TWOS if cards & deck.minus_twos else 0
    special |= sets.CLEAR_CARDS if cards & deck.clears else 0
    cards = cards & sets.NUMBERS | special if sets.is_wide(deck) else cards
    twos = cards & layable & sets.MINUS_TWOS
    return cards ^ twos | twos >> 4 * (sets.MINUS_TWO - 2)


@inline_kernel
def is_within(sight, counts, spec):
    """Tell whether all numbers are within the spec's bounds.

    Numbers stand side by side in a word, each below a bit of its own, which is set before the
    bounds are taken away and stays set where they are not greater; so all are compared at once.
    """
    plays, others = counts
    choice, bounds = spec[0], spec[1]
    numbers = sight.own << specs.OWN_PLACE
    numbers |= (specs.NO_CAP if sight.cap == 0 else sight.cap) << specs.CAP_PLACE
    numbers |= sight.height << specs.TOWER_PLACE
    numbers |= min(plays + 1, specs.MOST_PLAYS) << specs.PLAYS_PLACE
    within = (
        bounds - numbers & (numbers | specs.ABOVE) - (bounds >> specs.LOWEST_PLACE) & specs.ABOVE
    )
    return (within == specs.ABOVE) & is_near(choice >> specs.OPPONENT_PLACE, others)


@inline_kernel
def has_two_orders(choice):
    """Tell whether there is another order within bounds."""
    return (choice ^ choice >> specs.ORDER) & (1 << specs.ORDER) - 1 != 0


@inline_kernel
def is_near(most, others):
    """Tell whether an opponent has few cards; for `most` see `spec.nearer_than`."""
    bounds = most * specs.EACH_PAIR
    near = (bounds - (others & specs.OTHER_SEATS)) | (
        bounds - (others >> specs.SEAT_BITS & specs.OTHER_SEATS)
    )
    return near & (specs.EACH_PAIR << specs.SEAT_BITS) != 0


@inline_kernel
def worth_most(moves, layable, plays, worth, deck, alone):
    """Return the value that is worth most to lay, 0 if there is none, and the sort of moves.

    It is worth itself, and what its cards count. The hand or the open cards, from which more is
    laid that counts, give the cards; the bias tells which.
    """
    is_late = plays > part(worth, specs.LAPS_TO_LATE)
    hand_weight = 0 if is_late else part(worth, specs.HAND_WEIGHT)
    open_weight = part(worth, specs.LATE_WEIGHT) if is_late else part(worth, specs.OPEN_WEIGHT)
    hand = sets.tally(moves.hand, deck) & layable
    open_cards = sets.tally(moves.open_cards, deck) & layable
    weighed = (hand, open_cards, hand_weight, open_weight)
    if alone:
        low = worth_of(vector(LOW_KINDS), *weighed)
        best = greatest(largest(low, worth_of(vector(HIGH_KINDS), *weighed)))
    else:
        best = np.int64(0)
        for kind in KINDS_BORNE:
            best = max(best, np.int64(worth_of(kind, *weighed)))
    kind = best & 15
    return kind, sort_of_kind(kind, hand_goes_first(kind, *weighed))


@inline_kernel
def sort_of_kind(kind, hand_first):
    """Return the sort of moves that lays all cards of a kind, from the hand or the open cards."""
    return 15 << 4 * kind | (0 if hand_first else EVEN)


@inline_kernel
def hand_goes_first(kind, hand, open_cards, hand_weight, open_weight):
    """Tell whether cards of a kind count more in the hand than among the open cards."""
    from_open = sets.number_in(open_cards, kind) * open_weight
    return sets.number_in(hand, kind) * hand_weight > from_open


@inline_kernel
def worth_of(kind, hand, open_cards, hand_weight, open_weight):
    """Return what all cards of a kind are worth, and below that the kind; of eight at once, too."""
    from_hand = sets.number_in(hand, kind) * hand_weight
    from_open = sets.number_in(open_cards, kind) * open_weight
    more = (from_hand > from_open) * (from_hand - from_open) + from_open
    return (sets.number_in(hand | open_cards, kind) > 0) * ((more + specs.VALUE * kind) << 4 | kind)


@inline_kernel
def part(worth, place):
    """Return one of the numbers that `spec.weights` puts into one."""
    return (worth >> place[0]) & ((1 << place[1]) - 1)


@inline_kernel
def first_sort(cards, may_turn_up, sight, order, heavy, first, alone):
    """Return the sort of moves that goes first: the cards it is about, and above them the bias.

    Whatever sorts of moves there are stand with their rank above all else, so the lowest number is
    that of the first one. `order` may have more bits above those that count. "-2" cards may go
    before all else, then a hidden card. One match, `alone`, looks no further where nothing can go
    before the heaviest value.
    """
    cap, double = sight.cap, sight.deck.double
    layable = borne(cap, sets.Deck(double, sets.MINUS_TWOS, sets.CLEAR_CARDS, 0))
    leads = (sight.rules.minus_two_lead != 0) & (cap == 0)
    twos_first, turns_first = first
    twos_first = twos_first & (not leads)
    may_lay = cards & layable != 0
    heavy = ranked(order, specs.LAY_HEAVY, heavy) if may_lay else NO_SORT
    if alone and may_lay and heavy_goes_first(order) and not (twos_first or turns_first):
        return heavy
    minus_twos = 0 if double else sets.MINUS_TWOS
    lowering = minus_twos if (cap > 2) | leads else 0
    too_heavy = sets.ALL_CARDS & ~(layable | sets.CLEAR_CARDS | minus_twos)
    collapsing = too_heavy if cards & too_heavy else minus_twos & ~lowering

    twos = sets.MINUS_TWOS | BIAS
    twos = twos if twos_first else ranked(order, specs.LAY_MINUS_TWOS, twos)
    turn_up = SECOND if turns_first else ranked(order, specs.TURN_UP, 0)
    twos = twos if cards & lowering else NO_SORT
    clear = (
        ranked(order, specs.LAY_CLEAR, sets.CLEAR_CARDS | BIAS)
        if cards & sets.CLEAR_CARDS
        else NO_SORT
    )
    collapse = ranked(order, specs.COLLAPSE, collapsing | BIAS) if cards & collapsing else NO_SORT
    turn_up = turn_up if may_turn_up else NO_SORT
    return min(heavy, twos, clear, collapse, turn_up)


@inline_kernel
def heavy_goes_first(order):
    """Tell whether `LAY_HEAVY` has a rank below 3, and no other sort has."""
    others = (order >> 2 | order >> 1 & order) & EACH_OTHER
    return (others == EACH_OTHER) & (order & (1 << specs.RANK_BITS) - 1 < 3)


@inline_kernel
def ranked(order, sort, cards):
    """Return the cards of a sort with its rank above them."""
    return (order << (RANK_PLACE - specs.RANK_BITS * sort)) & RANKS | cards


@inline_kernel
def choice_of_sort(moves, hand, open_cards, sort, deck, plain):
    """Return the choice of a sort of moves: the last card of the heaviest kind that it is about.

    An open card goes before one from the hand that is not heavier by more than the bias.
    """
    hand &= sort
    open_cards &= sort
    # Four more than the bit, and 0 if there is none.
    from_hand = highest_bit(hand << 4 | 1)
    from_open = highest_bit(open_cards << 4 | 1)
    biased = (from_open >> 2) + (sort >> BIAS_PLACE & OPEN_FIRST) - 1
    biased = biased if open_cards else 0
    by_hand = from_hand >> 2 > biased
    card = (from_hand if by_hand else from_open) - 4
    blind = (hand | open_cards) == 0
    if plain:
        return Choice(by_hand, blind, card, sets.NO_CARDS)
    field = sets.field_of(
        sets.kind_of(card, sets.Deck(deck.double, sets.MINUS_TWOS, sets.CLEAR_CARDS, 0)), deck
    )
    cards = sets.in_field(sets.one_of(by_hand, moves.hand, moves.open_cards), field)
    return Choice(by_hand, blind, sets.last_of(cards), cards)
