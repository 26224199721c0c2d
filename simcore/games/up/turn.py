"""Up: the rules of a turn, as functions of numbers.

They are written once for a match by itself (`moves`, `play`) and for many side by side (`lanes`):
arithmetic on numbers and truth values without a branch, of which the compiler makes vectors. What
is known where they are called (`width`: how many words card sets have; `alone`: one match;
`deck` and `rules`, where they are the usual ones) the compiler leaves out.

What options say of a turn stands in `rules`, and what came into play is in `Moves.clauses` and
`Play.clauses`. So both ways to play know an option as soon as a step here does.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from simcore.bits import lowest_bits, popcount
from simcore.games.up import cards as sets
from simcore.games.up.table import CLAUSE, METRIC
from simcore.jit import inline_kernel
from simcore.lanes import needed

FOUR = 4
MOST_TO_LEAD = 5
"""So many "-2" at most leave a cap when they lead [H8]."""

ALL = 62
"""More than there are "-2" in a word."""


class Sight(NamedTuple):
    """What decides the turn of a seat: its cards and the tower, as tuples of words.

    `own` is how many cards the seat has, hidden ones too, `height` how many the tower; `cap` is
    that of the tower (0: there is none), `down` how many hidden cards the seat has, `top` the one
    that it would turn up next; whether its first turn is to come, and whether it leads anew in its
    turn; how many equal number cards lie on top, so far as rules ask for it; the cards of the round
    and the rules of the match.
    """

    hand: Any
    open_cards: Any
    tower: Any
    own: Any
    height: Any
    cap: Any
    down: Any
    top: Any
    first_turn: Any
    anew: Any
    equal: Any
    deck: Any
    rules: Any


class Moves(NamedTuple):
    """The legal moves: cards up to which all of a kind are laid; whether a card may be turned up.

    Of a kind of which one card may be laid the first bit of its field, in the first word, stands
    for it. `clauses` are bits of those that came into play.
    """

    hand: Any
    open_cards: Any
    turn_up: Any
    clauses: Any


class Choice(NamedTuple):
    """One of them: whether it is from the hand, whether it turns a card up, up to which card.

    Where card sets are counted, the bit of the card says but its kind, and there are all `cards`.
    """

    by_hand: Any
    blind: Any
    card: Any
    cards: Any


class End(NamedTuple):
    """What becomes of cards laid; see `Play`.

    They stay and the turn passes (`keeps`), "-2" among them that leave a cap (`lowers`, to
    `lower`); or not. `takes_back`: a "-2" turned up to lead goes to the hand.
    """

    keeps: Any
    lowers: Any
    collapses: Any
    clears: Any
    fours: Any
    takes_back: Any
    finishes_blind: Any
    lower: Any
    equal: Any


class Play(NamedTuple):
    """What a play comes to: what the seat has and the tower, then what happened.

    `laid` are the cards laid, so many as `size` says; `taken` those that go to the hand for all to
    see, `picked` how many, `cleared` those that go out of the game; `height` is how many cards the
    tower has; what became of the cards laid. `lowered` counts "-2" cards laid on a tower that bears
    them. `out`: the seat has no cards left. `equal` as in `Sight`; `clauses` are bits of those that
    came into play.
    """

    hand: Any
    open_cards: Any
    tower: Any
    cap: Any
    left: Any
    laid: Any
    taken: Any
    picked: Any
    cleared: Any
    height: Any
    size: Any
    end: End
    lowered: Any
    out: Any
    equal: Any
    clauses: Any


@inline_kernel
def highest_borne(cap):
    """Return the highest value that a tower bears [R9]."""
    return sets.HIGHEST if cap == 0 else cap


@inline_kernel
def borne(cap, deck):
    """Return the cards of a word of which any number may be laid [R9] [R11]."""
    highest = highest_borne(cap)
    twos = deck.minus_twos if (deck.double != 0) & (highest > 1) else 0
    return ((np.int64(16) << (4 * highest)) - 1) & ~15 | twos


@inline_kernel
def find_turn_moves(sight, alone):
    """Return the legal moves of a turn.

    From the hand, the open cards or, if these are gone, the hidden ones [R13] [C9] [R12] [C10];
    special and hidden cards are free choices [R14] [C13], also to lead after a clear card [C28]. A
    first turn is played from the hand [R10] [C7] [C17] [C48], unless it may be led anew otherwise
    [H9].
    """
    later = (sight.first_turn == 0) | ((sight.rules.restart_open != 0) & (sight.anew != 0))
    open_left = sets.any_of(sight.open_cards) != 0
    open_moves = sets.NO_CARDS
    if needed(alone, open_left):
        open_moves = sets.when(later, moves_from(sight.open_cards, sight, alone))
    hand = moves_from(sight.hand, sight, alone)
    turn_up = later & (not open_left) & (sight.down > 0)
    singles = (sight.first_turn != 0) & (sight.rules.multiples_in_first_lap == 0)
    single = sets.one_of(singles, first_of_each(hand, sight.deck), hand)
    single_open = sets.one_of(singles, first_of_each(open_moves, sight.deck), open_moves)
    drops = sets.any_of(sets.without(hand, single)) | sets.any_of(
        sets.without(open_moves, single_open)
    )
    clauses = CLAUSE.first_turn_multiples if drops else 0
    return Moves(single, single_open, turn_up, clauses)


@inline_kernel
def first_of_each(moves, deck):
    """Return the first move of every kind, in a first turn of single cards [C8] [C47]."""
    if deck.counted:
        return sets.in_one_word(sets.kinds_among(moves[0]))
    first = first_in_word(moves[0], np.int64(0), deck)
    found = kinds_in(first, deck)
    second = first_in_word(moves[1], found, deck)
    found |= kinds_in(second, deck)
    third = first_in_word(moves[2], found, deck)
    found |= kinds_in(third, deck)
    return first, second, third, first_in_word(moves[3], found, deck)


@inline_kernel
def first_in_word(word, found, deck):
    """Return the lowest card of every kind in a word, except for kinds `found` before."""
    twos = word & deck.minus_twos
    word ^= twos
    above = word | ((word & (7 * sets.ONE_OF_EACH)) << 1)
    above |= (above & (3 * sets.ONE_OF_EACH)) << 2
    first = word & ~((above & (7 * sets.ONE_OF_EACH)) << 1) & ~(15 * found)
    goes = (found & sets.MINUS_TWOS == 0) & ((deck.double == 0) | (first & sets.TWOS == 0))
    return first | (sets.lowest_of(twos) if goes else 0)


@inline_kernel
def kinds_in(word, deck):
    """Return a bit, the first of its field, for every kind of which a word holds a card."""
    twos = deck.minus_twos & word
    flags = sets.kinds_among(word ^ twos) & ~sets.MINUS_TWOS
    flags |= sets.ONE_OF_EACH & sets.MINUS_TWOS if twos else 0
    doubled = sets.ONE_OF_EACH & (sets.TWOS | sets.MINUS_TWOS)
    return flags | (doubled if (deck.double != 0) & (flags & doubled != 0) else 0)


@inline_kernel
def moves_from(cards, sight, alone):
    """Return the cards up to which a seat may lay.

    To move is to lay all one's cards of a kind up to a certain one, so a kind has as many moves as
    there are different numbers of it that may be laid. That is any number of values that the tower
    bears [R9] [R11], as many "-2" as `most_minus_twos` says, and one of the clear cards and of
    heavier values [R21] [C14] [C27].
    """
    cap, deck = sight.cap, sight.deck
    layable = borne(cap, deck)
    single = sets.ONE_OF_EACH_BUT_MINUS_TWO & ~layable
    most = most_minus_twos(cap, deck, sight.rules.minus_two_collapse, sight.rules.minus_two_lead)
    twos = first_minus_twos(cards, most, deck, alone)
    present = sets.any_of(cards)
    flags = sets.kinds_among(present) & single
    flags |= 1 if sets.is_wide(deck) & (present & deck.clears != 0) else 0
    # A single 2 is one move, though a "-2" played as a 2 stands for it, too.
    is_two = (deck.double != 0) & (highest_borne(cap) == 1) & (present & deck.minus_twos != 0)
    flags = (flags & ~sets.TWOS) | (sets.ONE_OF_EACH & sets.MINUS_TWOS) if is_two else flags
    return sets.both(sets.both(sets.in_field(cards, layable), twos), sets.in_one_word(flags))


@inline_kernel
def most_minus_twos(cap, deck, any_number, lead):
    """Return how many "-2" may be laid.

    As many as leave a cap, or a single one that makes the tower collapse [R18] [C19], or, if
    so agreed, any number [H7]; none may lead [C21] unless as on a tower of 11 [H8].
    """
    most = 0 if (cap == 0) | (deck.double != 0) else max(1, (cap - 1) >> 1)
    most = ALL if (any_number != 0) & (most > 0) else most
    return MOST_TO_LEAD if (lead != 0) & (cap == 0) & (deck.double == 0) else most


@inline_kernel
def first_minus_twos(cards, most, deck, alone):
    """Return the first "-2" cards, so many at most."""
    if deck.counted:
        return sets.in_one_word(
            min(sets.number_in(cards[0], sets.MINUS_TWO), most) << 4 * sets.MINUS_TWO
        )
    rest = max(0, most - popcount(cards[0] & deck.minus_twos))
    rest2 = max(0, rest - popcount(cards[1] & deck.minus_twos))
    rest3 = max(0, rest2 - popcount(cards[2] & deck.minus_twos))
    return (
        first_in(cards[0], most, deck, alone),
        first_in(cards[1], rest, deck, alone),
        first_in(cards[2], rest2, deck, alone),
        first_in(cards[3], rest3, deck, alone),
    )


@inline_kernel
def first_in(word, most, deck, alone):
    """Return the first "-2" cards of a word, so many at most."""
    cards = word & deck.minus_twos
    if alone:
        return lowest_bits(cards, (np.int64(1) << most) - 1)
    rest = cards
    rest &= rest - 1 if most > 0 else -1
    rest &= rest - 1 if most > 1 else -1
    rest &= rest - 1 if most > 2 else -1
    rest &= rest - 1 if sets.is_wide(deck) & (most > 3) else -1
    rest &= rest - 1 if sets.is_wide(deck) & (most > 4) else -1
    rest = 0 if most > 3 + 2 * sets.is_wide(deck) else rest
    return cards ^ rest


@inline_kernel
def nth_choice(moves, index, width, alone):
    """Return the choice number `index`: the hand's by card, the open cards', turning one up."""
    from_hand = sets.size_of(moves.hand)
    by_hand = index < from_hand
    index = index if by_hand else index - from_hand
    cards = sets.one_of(by_hand, moves.hand, moves.open_cards)
    return Choice(
        by_hand, sets.any_of(cards) == 0, sets.nth_of(cards, index, width, alone), sets.NO_CARDS
    )


@inline_kernel
def laid_by(sight, choice, several_go, goes, width):
    """Return the cards laid [R11] [C11] [C51]; none unless it `goes`.

    All of a kind up to the one chosen; one of what makes the tower collapse [C14] or clears it; or
    the card turned up [R12] [C12].
    """
    laid = choice.cards
    if not sight.deck.counted:
        same = sets.one_of(choice.by_hand, sight.hand, sight.open_cards)
        same = sets.in_field(same, sets.field_of(sets.kind_of(choice.card, sight.deck), sight.deck))
        laid = sets.one_of(several_go, sets.up_to(same, choice.card, width), sets.first_of(same))
    laid = sets.one_of(choice.blind, sets.only(sight.top, width), laid)
    return sets.one_of(goes, laid, sets.NO_CARDS)


@inline_kernel
def stays_on(kind, cap):
    """Tell whether a number card stays on a tower [R9] [R16]."""
    return (kind >= 1) & (kind <= highest_borne(cap))


@inline_kernel
def kind_chosen(sight, choice):
    """Return the kind of the cards that a choice lays."""
    return sets.kind_of(sight.top if choice.blind else choice.card, sight.deck)


@inline_kernel
def carry_out(sight, choice, stays, goes, width):
    """Return what a choice comes to.

    `stays` tells whether it is number cards that the tower bears, see `stays_on`; one match alone
    has two ways here, of which that is the short one. Nothing changes unless it `goes`.
    """
    by_hand, blind = choice.by_hand, choice.blind
    kind = kind_chosen(sight, choice)
    laid = laid_by(sight, choice, stays | (kind == sets.MINUS_TWO), goes, width)
    size = sets.size_of_kind(laid, kind, sight.deck)
    left = sight.down - blind
    end = end_of(sight, (kind, size, stays, goes), blind, left)
    removes = end.clears | end.fours
    stay = not (end.collapses | removes)
    taken = sets.when(end.collapses, sight.tower)
    taken = sets.both(taken, sets.when(end.collapses | end.takes_back, laid))
    hand = sets.both(sets.without(sight.hand, sets.when(by_hand, laid)), taken)
    open_cards = sets.without(sight.open_cards, sets.when((not by_hand) & (not blind), laid))
    cap = (kind if stays else end.lower) if end.keeps else (0 if goes else sight.cap)
    leads = (sight.rules.minus_two_lead != 0) | (sight.cap > 0)
    lowered = size if end.lowers else end.finishes_blind & leads
    # Not by choices: what decides these twice would make a branch, and end the vectors.
    equal = end.equal & -np.int64(end.keeps & stays) | sight.equal & -np.int64(not goes)
    none_left = (sets.any_of(hand) == 0) & (sets.any_of(open_cards) == 0) & (left == 0)
    picked = sight.height & -np.int64(end.collapses)
    picked += size & -np.int64(end.collapses | end.takes_back)
    height = sight.height & -np.int64(stay)
    height += size & -np.int64(end.keeps)
    return Play(
        hand=hand,
        open_cards=open_cards,
        tower=sets.both(sets.when(stay, sight.tower), sets.when(end.keeps, laid)),
        cap=cap,
        left=left,
        laid=laid,
        taken=taken,
        picked=picked,
        cleared=sets.when(removes, sets.both(sight.tower, laid)),
        height=height,
        size=size,
        end=end,
        lowered=lowered,
        out=goes & none_left,  # [R26] [C32]
        equal=equal,
        clauses=clauses_of(sight, choice, end, size, goes),
    )


@inline_kernel
def end_of(sight, laid, blind, left):
    """Return what becomes of cards laid.

    `laid` are their kind, how many they are, and `stays` and `goes` as `carry_out` has them; with
    so many hidden cards `left`.
    """
    kind, size, stays, goes = laid
    cap, rules = sight.cap, sight.rules
    rest = goes & (not stays)
    minus_two = rest & (kind == sets.MINUS_TWO)
    clears = rest & (kind == sets.CLEAR)  # [R21] [R22] [R23] [C25]
    # A "-2" turned up: as the very last card [R20] [C23] [C24] [C45], to lead [R19] [C20] [C44].
    finishes_blind = minus_two & blind & (sets.any_of(sight.hand) == 0) & (left == 0)
    leads = (rules.minus_two_lead != 0) & (cap == 0)  # [H8]
    takes_back = minus_two & blind & (cap == 0) & (not finishes_blind) & (not leads)
    lower = cap + (sets.HIGHEST & -np.int64(leads)) - 2 * size
    lowers = minus_two & (not finishes_blind) & (not takes_back) & (lower >= 1)  # [R17] [C18]
    equal = size + (sight.equal & -np.int64(kind == cap))
    fours = (rules.four_clear != 0) & goes & stays & (equal >= FOUR)  # [H10]
    stops = clears | finishes_blind | takes_back
    return End(
        keeps=goes & stays & (not fours) | lowers,
        lowers=lowers,
        collapses=rest & (not lowers) & (not stops),  # [R15] [R18] [C15] [C16] [C19]
        clears=clears,
        fours=fours,
        takes_back=takes_back,
        finishes_blind=finishes_blind,
        lower=lower,
        equal=equal,
    )


@inline_kernel
def clauses_of(sight, choice, end, size, goes):
    """Return the bits of the clauses that came into play."""
    rules = sight.rules
    first_turn = sight.first_turn != 0
    clauses = CLAUSE.first_turn_multiples if first_turn & (size > 1) else 0  # [C8]
    from_open = goes & (not choice.by_hand) & (not choice.blind)
    anew = (rules.restart_open != 0) & first_turn & from_open
    clauses |= CLAUSE.restart_open if anew else 0
    leads = (rules.minus_two_lead != 0) & (sight.cap == 0)
    clauses |= CLAUSE.minus_two_lead if leads & (end.lowers | end.finishes_blind) else 0
    clauses |= CLAUSE.four_clear if end.fours else 0
    by_twos = kind_chosen(sight, choice) == sets.MINUS_TWO
    beyond = (rules.minus_two_collapse != 0) & end.collapses & by_twos & (not choice.blind)
    return clauses | (CLAUSE.minus_two_collapse if beyond & (size > 1) else 0)


@inline_kernel
def count_play(metrics, choice, play):
    """Count what happened in a play."""
    end = play.end
    pickup = play.picked if end.collapses else 0
    metrics[METRIC.clauses] |= play.clauses
    metrics[METRIC.blind_plays] += choice.blind
    metrics[METRIC.minus_twos] += play.lowered
    metrics[METRIC.collapses] += end.collapses
    metrics[METRIC.clears] += end.clears
    metrics[METRIC.four_clears] += end.fours
    metrics[METRIC.largest_pickup] = max(metrics[METRIC.largest_pickup], pickup)
    metrics[METRIC.blind_minus_two_finishes] += end.finishes_blind


@inline_kernel
def following(seat, players):
    """Return the next seat clockwise."""
    return 0 if seat + 1 == players else seat + 1
