"""Up: the rules of a turn, as functions of numbers.

They are written once for a match by itself (`moves`, `play`) and for many side by side (`lanes`):
arithmetic on numbers and truth values without a branch, of which the compiler makes vectors. What
is known where they are called (`several`: card sets have three words; `alone`: one match; `double`,
where it is 0; `rules`, where they are `USUAL`) the compiler leaves out.

What options say of a turn stands in `Rules`; `rules_of` is the one place where they are read, and
what came into play is in `Moves.clauses` and `Play.clauses`. So both ways to play know an option as
soon as a step here does.
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
    ONE_OF_EACH,
    ONE_OF_EACH_BUT_MINUS_TWO,
    TWOS,
    any_of,
    field_of,
    first_of,
    in_field,
    kind_of,
    nth_of,
    one_of,
    only,
    size_of,
    up_to,
)
from simcore.games.up.options import CLAUSE_BIT
from simcore.jit import inline_kernel

FIRST_TURN_CLAUSE = CLAUSE_BIT["first_turn_multiples"]


class Rules(NamedTuple):
    """What options say of a turn, in fields of TABLE of the same names."""

    multiples_in_first_lap: Any


USUAL = Rules(multiples_in_first_lap=1)
"""The rules where no option is set; what must know more takes more time."""


@inline_kernel
def rules_of(table, rare):
    """Return the rules of a match; the usual ones unless it has `rare` ones."""
    if rare:
        return Rules(multiples_in_first_lap=np.int64(table.multiples_in_first_lap))
    return USUAL


def has_rare_rules(table: Any) -> bool:
    """Tell whether options say anything but the usual of a turn; not compiled."""
    return any(int(table[name]) != usual for name, usual in USUAL._asdict().items())


class Sight(NamedTuple):
    """What decides the turn of a seat: its cards and the tower, as tuples of words.

    `cap` is that of the tower (0: there is none), `down` how many hidden cards the seat has, `top`
    the one that it would turn up next; whether its first turn is to come, the double two, and the
    rules of the match.
    """

    hand: Any
    open_cards: Any
    tower: Any
    cap: Any
    down: Any
    top: Any
    first_turn: Any
    double: Any
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
    """One of them: whether it is from the hand, whether it turns a card up, up to which card."""

    by_hand: Any
    blind: Any
    card: Any


class Play(NamedTuple):
    """What a play comes to: what the seat has and the tower, then what happened.

    `laid` are the cards laid, so many as `size` says; `taken` those that go to the hand for all to
    see, `cleared` those that go out of the game. The cards stay and the turn `passes`, or the tower
    `collapses`, or is cleared; `lowered` counts "-2" cards laid on a tower that bears them. `out`:
    the seat has no cards left. `clauses` are bits of those that came into play.
    """

    hand: Any
    open_cards: Any
    tower: Any
    cap: Any
    left: Any
    laid: Any
    taken: Any
    cleared: Any
    size: Any
    passes: Any
    collapses: Any
    clears: Any
    finishes_blind: Any
    lowered: Any
    out: Any
    clauses: Any


@inline_kernel
def highest_borne(cap):
    """Return the highest value that a tower bears [R9]."""
    return HIGHEST if cap == 0 else cap


@inline_kernel
def borne(cap, double):
    """Return the cards of a word of which any number may be laid [R9] [R11]."""
    highest = highest_borne(cap)
    twos = MINUS_TWOS if (double != 0) & (highest > 1) else 0
    return ((np.int64(16) << (4 * highest)) - 1) & ~15 | twos


@inline_kernel
def find_turn_moves(sight, alone):
    """Return the legal moves of a turn.

    From the hand, the open cards or, if these are gone, the hidden ones [R13] [C9] [R12] [C10];
    special and hidden cards are free choices [R14] [C13], also to lead after a clear card [C28]. A
    first turn is played from the hand [R10] [C7] [C17] [C48].
    """
    later = sight.first_turn == 0
    open_left = any_of(sight.open_cards) != 0
    may_open = -np.int64(later)
    moves = (np.int64(0), np.int64(0), np.int64(0))
    if open_left or not alone:
        moves = moves_from(sight.open_cards, sight.cap, sight.double, alone)
    hand = moves_from(sight.hand, sight.cap, sight.double, alone)
    singles = (not later) & (sight.rules.multiples_in_first_lap == 0)
    single = first_of_each(hand, sight.double)
    clauses = FIRST_TURN_CLAUSE if singles & (any_of(single) != any_of(hand)) else 0
    return Moves(
        one_of(singles, single, hand),
        (moves[0] & may_open, moves[1] & may_open, moves[2] & may_open),
        later & (not open_left) & (sight.down > 0),
        clauses,
    )


@inline_kernel
def first_of_each(moves, double):
    """Return the first move of every kind, in a first turn of single cards [C8] [C47]."""
    first = first_in_word(moves[0], 0, double)
    found = kinds_in(first, double)
    second = first_in_word(moves[1], found, double)
    found |= kinds_in(second, double)
    return first, second, first_in_word(moves[2], found, double)


@inline_kernel
def first_in_word(word, found, double):
    """Return the lowest card of every kind in a word, except for kinds `found` before."""
    above = word | ((word & (7 * ONE_OF_EACH)) << 1)
    above |= (above & (3 * ONE_OF_EACH)) << 2
    first = word & ~((above & (7 * ONE_OF_EACH)) << 1) & ~(15 * found)
    return first & ~(MINUS_TWOS if (double != 0) & (first & TWOS != 0) else 0)


@inline_kernel
def kinds_in(word, double):
    """Return a bit, the first of its field, for every kind of which a word holds a card."""
    flags = word | (word >> 1)
    flags = (flags | (flags >> 2)) & ONE_OF_EACH
    twos = ONE_OF_EACH & (TWOS | MINUS_TWOS)
    return flags | (twos if (double != 0) & (flags & twos != 0) else 0)


@inline_kernel
def moves_from(cards, cap, double, alone):
    """Return the cards up to which a seat may lay.

    To move is to lay all one's cards of a kind up to a certain one, so a kind has as many moves as
    there are different numbers of it that may be laid. That is any number of values that the tower
    bears [R9] [R11], as many "-2" as leave a cap [R18] [C19] [C21] or a single one, and one of the
    clear cards and of heavier values [R21] [C14] [C27].
    """
    highest = highest_borne(cap)
    layable = borne(cap, double)
    single = ONE_OF_EACH_BUT_MINUS_TWO & ~layable
    single |= ONE_OF_EACH & MINUS_TWOS if (double != 0) & (highest == 1) else 0
    most = 0 if (cap == 0) | (double != 0) else max(1, (cap - 1) >> 1)
    rest = max(0, most - popcount(cards[0] & MINUS_TWOS))
    rest2 = max(0, rest - popcount(cards[1] & MINUS_TWOS))
    flags = any_of(cards)
    flags |= flags >> 1
    flags = (flags | (flags >> 2)) & single
    # A single 2 is one move, though a "-2" played as a 2 stands for it, too.
    flags &= ~TWOS if flags & MINUS_TWOS else -1
    return (
        (cards[0] & layable) | first_minus_twos(cards[0], most, alone) | flags,
        (cards[1] & layable) | first_minus_twos(cards[1], rest, alone),
        (cards[2] & layable) | first_minus_twos(cards[2], rest2, alone),
    )


@inline_kernel
def first_minus_twos(word, most, alone):
    """Return the first "-2" cards of a word, so many at most."""
    cards = word & MINUS_TWOS
    if alone:
        return lowest_bits(cards, (np.int64(1) << most) - 1)
    rest = cards
    rest &= rest - 1 if most > 0 else -1
    rest &= rest - 1 if most > 1 else -1
    rest &= rest - 1 if most > 2 else -1
    rest = 0 if most > 3 else rest
    return cards ^ rest


@inline_kernel
def nth_choice(moves, index, several, alone):
    """Return the choice number `index`: the hand's by card, the open cards', turning one up."""
    from_hand = size_of(moves.hand)
    by_hand = index < from_hand
    index = index if by_hand else index - from_hand
    cards = one_of(by_hand, moves.hand, moves.open_cards)
    return Choice(by_hand, any_of(cards) == 0, nth_of(cards, index, several, alone))


@inline_kernel
def laid_by(sight, choice, several_go, goes, several):
    """Return the cards laid [R11] [C11] [C51]; none unless it `goes`.

    All of a kind up to the one chosen; one of what makes the tower collapse [C14] or clears it; or
    the card turned up [R12] [C12].
    """
    same = one_of(choice.by_hand, sight.hand, sight.open_cards)
    same = in_field(same, field_of(kind_of(choice.card, sight.double), sight.double))
    laid = one_of(several_go, up_to(same, choice.card, several), first_of(same))
    laid = one_of(choice.blind, only(sight.top, several), laid)
    return laid[0] if goes else 0, laid[1] if goes else 0, laid[2] if goes else 0


@inline_kernel
def stays_on(kind, cap):
    """Tell whether a number card stays on a tower [R9] [R16]."""
    return (kind >= 1) & (kind <= highest_borne(cap))


@inline_kernel
def kind_chosen(sight, choice):
    """Return the kind of the cards that a choice lays."""
    return kind_of(sight.top if choice.blind else choice.card, sight.double)


@inline_kernel
def carry_out(sight, choice, stays, goes, several):
    """Return what a choice comes to.

    `stays` tells whether it is number cards that the tower bears, see `stays_on`; one match alone
    has two ways here, of which that is the short one. Nothing changes unless it `goes`.
    """
    cap = sight.cap
    by_hand, blind, _ = choice
    kind = kind_chosen(sight, choice)
    laid = laid_by(sight, choice, stays | (kind == MINUS_TWO), goes, several)
    size = size_of(laid)
    left = sight.down - blind

    rest = goes & (not stays)
    minus_two = rest & (kind == MINUS_TWO)
    clears = rest & (kind == CLEAR)  # [R21] [R22] [R23] [C25]
    # A "-2" turned up: as the very last card [R20] [C23] [C24] [C45], to lead [R19] [C20] [C44].
    finishes_blind = minus_two & blind & (any_of(sight.hand) == 0) & (left == 0)
    takes_back = minus_two & blind & (cap == 0) & (not finishes_blind)
    lower = cap - 2 * size
    lowers = minus_two & (not finishes_blind) & (not takes_back) & (lower >= 1)  # [R17] [C18]
    keeps = goes & stays | lowers
    stops = clears | finishes_blind | takes_back
    collapses = rest & (not lowers) & (not stops)  # [R15] [R18] [C15] [C16] [C19]

    parts = (by_hand, (not by_hand) & (not blind), collapses, takes_back, clears, keeps)
    changed = (
        move_cards(sight.hand[0], sight.open_cards[0], sight.tower[0], laid[0], parts),
        move_cards(sight.hand[1], sight.open_cards[1], sight.tower[1], laid[1], parts),
        move_cards(sight.hand[2], sight.open_cards[2], sight.tower[2], laid[2], parts),
    )
    hand = (changed[0][0], changed[1][0], changed[2][0])
    open_cards = (changed[0][1], changed[1][1], changed[2][1])
    cap = (kind if stays else lower) if keeps else (0 if goes else cap)
    lowered = size if lowers else finishes_blind & (sight.cap > 0)
    clauses = FIRST_TURN_CLAUSE if (sight.first_turn != 0) & (size > 1) else 0  # [C8]
    none_left = (any_of(hand) == 0) & (any_of(open_cards) == 0) & (left == 0)
    return Play(
        hand=hand,
        open_cards=open_cards,
        tower=(changed[0][2], changed[1][2], changed[2][2]),
        cap=cap,
        left=left,
        laid=laid,
        taken=(changed[0][3], changed[1][3], changed[2][3]),
        cleared=(changed[0][4], changed[1][4], changed[2][4]),
        size=size,
        passes=keeps,
        collapses=collapses,
        clears=clears,
        finishes_blind=finishes_blind,
        lowered=lowered,
        out=goes & none_left,  # [R26] [C32]
        clauses=clauses,
    )


@inline_kernel
def move_cards(hand, open_cards, tower, laid, parts):
    """Return a word of hand, open cards and tower, and of the cards taken and cleared."""
    from_hand, from_open, collapses, takes_back, clears, keeps = parts
    whole = tower | laid
    taken = whole if collapses else 0
    taken |= laid if takes_back else 0
    hand ^= laid if from_hand else 0
    open_cards ^= laid if from_open else 0
    left = 0 if collapses | clears else tower | (laid if keeps else 0)
    return hand | taken, open_cards, left, taken, whole if clears else 0


@inline_kernel
def following(seat, players):
    """Return the next seat clockwise."""
    return 0 if seat + 1 == players else seat + 1
