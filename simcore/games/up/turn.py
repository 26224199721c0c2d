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
from simcore.games.up.cards import (
    CLEAR,
    HIGHEST,
    MINUS_TWO,
    MINUS_TWOS,
    NO_CARDS,
    ONE_OF_EACH,
    ONE_OF_EACH_BUT_MINUS_TWO,
    TWOS,
    any_of,
    differ,
    field_of,
    first_of,
    in_field,
    is_wide,
    kind_of,
    kinds_among,
    lowest_of,
    nth_of,
    number_in,
    one_of,
    only,
    size_of,
    size_of_kind,
    up_to,
)
from simcore.games.up.table import CLAUSE
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
    tower has. The cards stay and the turn `passes`, or the tower
    `collapses`, or is cleared, by a clear card or by `fours`; `lowered` counts "-2" cards laid on a
    tower that bears them. `out`: the seat has no cards left. `equal` as in `Sight`; `clauses` are
    bits of those that came into play.
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
    passes: Any
    collapses: Any
    clears: Any
    fours: Any
    finishes_blind: Any
    lowered: Any
    out: Any
    equal: Any
    clauses: Any


@inline_kernel
def highest_borne(cap):
    """Return the highest value that a tower bears [R9]."""
    return HIGHEST if cap == 0 else cap


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
    open_left = any_of(sight.open_cards) != 0
    may_open = -np.int64(later)
    moves = (np.int64(0), np.int64(0), np.int64(0), np.int64(0))
    if open_left or not alone:
        moves = in_field(moves_from(sight.open_cards, sight, alone), may_open)
    hand = moves_from(sight.hand, sight, alone)
    singles = (sight.first_turn != 0) & (sight.rules.multiples_in_first_lap == 0)
    turn_up = later & (not open_left) & (sight.down > 0)
    if not needed(alone, singles):
        return Moves(hand, moves, turn_up, 0)
    single = first_of_each(hand, sight.deck)
    single_open = first_of_each(moves, sight.deck)
    drops = differ(single, hand) | differ(single_open, moves)
    clauses = CLAUSE.first_turn_multiples if singles & drops else 0
    return Moves(
        one_of(singles, single, hand), one_of(singles, single_open, moves), turn_up, clauses
    )


@inline_kernel
def first_of_each(moves, deck):
    """Return the first move of every kind, in a first turn of single cards [C8] [C47]."""
    if deck.counted:
        return kinds_among(moves[0]), np.int64(0), np.int64(0), np.int64(0)
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
    above = word | ((word & (7 * ONE_OF_EACH)) << 1)
    above |= (above & (3 * ONE_OF_EACH)) << 2
    first = word & ~((above & (7 * ONE_OF_EACH)) << 1) & ~(15 * found)
    goes = (found & MINUS_TWOS == 0) & ((deck.double == 0) | (first & TWOS == 0))
    return first | (lowest_of(twos) if goes else 0)


@inline_kernel
def kinds_in(word, deck):
    """Return a bit, the first of its field, for every kind of which a word holds a card."""
    twos = deck.minus_twos & word
    flags = kinds_among(word ^ twos) & ~MINUS_TWOS
    flags |= ONE_OF_EACH & MINUS_TWOS if twos else 0
    both = ONE_OF_EACH & (TWOS | MINUS_TWOS)
    return flags | (both if (deck.double != 0) & (flags & both != 0) else 0)


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
    single = ONE_OF_EACH_BUT_MINUS_TWO & ~layable
    most = most_minus_twos(cap, deck, sight.rules.minus_two_collapse, sight.rules.minus_two_lead)
    twos = first_minus_twos(cards, most, deck, alone)
    present = any_of(cards)
    flags = kinds_among(present) & single
    flags |= 1 if is_wide(deck) & (present & deck.clears != 0) else 0
    # A single 2 is one move, though a "-2" played as a 2 stands for it, too.
    is_two = (deck.double != 0) & (highest_borne(cap) == 1) & (present & deck.minus_twos != 0)
    flags = (flags & ~TWOS) | (ONE_OF_EACH & MINUS_TWOS) if is_two else flags
    return (
        (cards[0] & layable) | twos[0] | flags,
        (cards[1] & layable) | twos[1],
        (cards[2] & layable) | twos[2],
        (cards[3] & layable) | twos[3],
    )


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
        few = min(number_in(cards[0], MINUS_TWO), most) << 4 * MINUS_TWO
        return few, np.int64(0), np.int64(0), np.int64(0)
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
    rest &= rest - 1 if is_wide(deck) & (most > 3) else -1
    rest &= rest - 1 if is_wide(deck) & (most > 4) else -1
    rest = 0 if most > 3 + 2 * is_wide(deck) else rest
    return cards ^ rest


@inline_kernel
def nth_choice(moves, index, width, alone):
    """Return the choice number `index`: the hand's by card, the open cards', turning one up."""
    from_hand = size_of(moves.hand)
    by_hand = index < from_hand
    index = index if by_hand else index - from_hand
    cards = one_of(by_hand, moves.hand, moves.open_cards)
    return Choice(by_hand, any_of(cards) == 0, nth_of(cards, index, width, alone), NO_CARDS)


@inline_kernel
def laid_by(sight, choice, several_go, goes, width):
    """Return the cards laid [R11] [C11] [C51]; none unless it `goes`.

    All of a kind up to the one chosen; one of what makes the tower collapse [C14] or clears it; or
    the card turned up [R12] [C12].
    """
    laid = choice.cards
    if not sight.deck.counted:
        same = one_of(choice.by_hand, sight.hand, sight.open_cards)
        same = in_field(same, field_of(kind_of(choice.card, sight.deck), sight.deck))
        laid = one_of(several_go, up_to(same, choice.card, width), first_of(same))
    laid = one_of(choice.blind, only(sight.top, width), laid)
    return one_of(goes, laid, NO_CARDS)


@inline_kernel
def stays_on(kind, cap):
    """Tell whether a number card stays on a tower [R9] [R16]."""
    return (kind >= 1) & (kind <= highest_borne(cap))


@inline_kernel
def kind_chosen(sight, choice):
    """Return the kind of the cards that a choice lays."""
    return kind_of(sight.top if choice.blind else choice.card, sight.deck)


@inline_kernel
def carry_out(sight, choice, stays, goes, width):
    """Return what a choice comes to.

    `stays` tells whether it is number cards that the tower bears, see `stays_on`; one match alone
    has two ways here, of which that is the short one. Nothing changes unless it `goes`.
    """
    by_hand, blind = choice.by_hand, choice.blind
    kind = kind_chosen(sight, choice)
    laid = laid_by(sight, choice, stays | (kind == MINUS_TWO), goes, width)
    size = size_of_kind(laid, kind, sight.deck)
    left = sight.down - blind
    end = end_of(sight, (kind, size, stays, goes), blind, left)
    removes = end.clears | end.fours
    from_open = (not by_hand) & (not blind)
    parts = (by_hand, from_open, end.collapses, end.takes_back, removes, end.keeps)
    changed = (
        move_cards(sight.hand[0], sight.open_cards[0], sight.tower[0], laid[0], parts),
        move_cards(sight.hand[1], sight.open_cards[1], sight.tower[1], laid[1], parts),
        move_cards(sight.hand[2], sight.open_cards[2], sight.tower[2], laid[2], parts),
        move_cards(sight.hand[3], sight.open_cards[3], sight.tower[3], laid[3], parts),
    )
    hand = (changed[0][0], changed[1][0], changed[2][0], changed[3][0])
    open_cards = (changed[0][1], changed[1][1], changed[2][1], changed[3][1])
    cap = (kind if stays else end.lower) if end.keeps else (0 if goes else sight.cap)
    leads = (sight.rules.minus_two_lead != 0) | (sight.cap > 0)
    lowered = size if end.lowers else end.finishes_blind & leads
    # Not by choices: what decides these twice would make a branch, and end the vectors.
    equal = end.equal & -np.int64(end.keeps & stays) | sight.equal & -np.int64(not goes)
    none_left = (any_of(hand) == 0) & (any_of(open_cards) == 0) & (left == 0)
    taken = (changed[0][3], changed[1][3], changed[2][3], changed[3][3])
    picked = size_of(taken)
    if sight.deck.counted:
        picked = sight.height & -np.int64(end.collapses)
        picked += size & -np.int64(end.collapses | end.takes_back)
    height = sight.height & -np.int64(not (end.collapses | removes))
    height += size & -np.int64(end.keeps)
    return Play(
        hand=hand,
        open_cards=open_cards,
        tower=(changed[0][2], changed[1][2], changed[2][2], changed[3][2]),
        cap=cap,
        left=left,
        laid=laid,
        taken=taken,
        picked=picked,
        cleared=(changed[0][4], changed[1][4], changed[2][4], changed[3][4]),
        height=height,
        size=size,
        passes=end.keeps,
        collapses=end.collapses,
        clears=end.clears,
        fours=end.fours,
        finishes_blind=end.finishes_blind,
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
    minus_two = rest & (kind == MINUS_TWO)
    clears = rest & (kind == CLEAR)  # [R21] [R22] [R23] [C25]
    # A "-2" turned up: as the very last card [R20] [C23] [C24] [C45], to lead [R19] [C20] [C44].
    finishes_blind = minus_two & blind & (any_of(sight.hand) == 0) & (left == 0)
    leads = (rules.minus_two_lead != 0) & (cap == 0)  # [H8]
    takes_back = minus_two & blind & (cap == 0) & (not finishes_blind) & (not leads)
    lower = cap + (HIGHEST & -np.int64(leads)) - 2 * size
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
    by_twos = kind_chosen(sight, choice) == MINUS_TWO
    beyond = (rules.minus_two_collapse != 0) & end.collapses & by_twos & (not choice.blind)
    return clauses | (CLAUSE.minus_two_collapse if beyond & (size > 1) else 0)


@inline_kernel
def move_cards(hand, open_cards, tower, laid, parts):
    """Return a word of hand, open cards and tower, and of the cards taken and cleared."""
    from_hand, from_open, collapses, takes_back, clears, keeps = parts
    whole = tower + laid
    taken = whole if collapses else 0
    taken |= laid if takes_back else 0
    hand = hand - (laid if from_hand else 0)
    open_cards = open_cards - (laid if from_open else 0)
    left = 0 if collapses | clears else tower + (laid if keeps else 0)
    return hand + taken, open_cards, left, taken, whole if clears else 0


@inline_kernel
def following(seat, players):
    """Return the next seat clockwise."""
    return 0 if seat + 1 == players else seat + 1
