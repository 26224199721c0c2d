"""Up: which moves are legal, in what order they are counted, and the check of one.

A `PLAY` move is a number: the source (`HAND`, `OPEN`) and the card up to which all cards of that
kind are laid; or `TURN_UP`; or `PASS_LEAD`. `CUT` and `DECLARE` moves are numbers from 0.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.up import cards as sets
from simcore.games.up import rules
from simcore.games.up import table as up
from simcore.games.up.table import METRIC
from simcore.games.up.turn import Choice, Moves, Sight, find_turn_moves, nth_choice
from simcore.jit import inline_kernel, kernel, shared_kernel


@inline_kernel
def find_moves(table, seat):
    """Find the legal moves of the seat on turn [C26] and return how many there are.

    They are noted in its record: `hand_moves`, `open_moves`, `may_turn_up`, `move_count`.
    """
    if table.phase == up.PLAY:
        return find_play_moves(table, seat, table.cap, rules.NO_RARE_RULES)
    return find_answers(table, seat)


@inline_kernel
def find_answers(table, seat):
    """Find the legal moves before the play; see `find_moves`."""
    both = table.dirty_one == up.FOREHAND and table.double_two == up.FOREHAND
    seat.move_count = 4 if table.phase == up.DECLARE and both else 2
    return seat.move_count


@inline_kernel
def find_play_moves(table, seat, cap, rare):
    """Find the legal `PLAY` moves on a tower with this cap; see `find_moves`.

    By groups of `rare` rules; by none, whether there are any is asked.
    """
    if not rare and is_rare(table):
        return find_rare_moves(table, seat, cap)
    return find_by_rules(table, seat, cap, rare)


@shared_kernel
def find_rare_moves(table, seat, cap):
    """Find them where `is_rare` tells so."""
    if rules.rare_in_round(table):
        return find_by_rules(table, seat, cap, rules.RARE_RULES)
    return find_by_rules(table, seat, cap, rules.FIRST_TURNS)


@inline_kernel
def is_rare(table):
    """Tell whether the rules of a turn must know more than the usual."""
    return (table.first_turn | rules.rare_later(table)) != 0


@inline_kernel
def find_by_rules(table, seat, cap, rare):
    """Find them by groups of `rare` rules and note them in the seat's record; see `find_moves`."""
    moves = find_turn_moves(sight_of(table, seat, cap, 0, rare), True)
    if moves.clauses:
        table.metrics[METRIC.clauses] |= moves.clauses
    sets.put_words(seat.hand_moves, moves.hand)
    sets.put_words(seat.open_moves, moves.open_cards)
    seat.may_turn_up = np.int64(moves.turn_up)
    count = sets.size_of(moves.hand) + sets.size_of(moves.open_cards) + moves.turn_up
    seat.move_count = count
    return count


@inline_kernel
def sight_of(table, seat, cap, top, rare):
    """Return what the rules of a turn ask for, with the hidden card that is on top."""
    index = table.seat
    return Sight(
        hand=sets.words_of(seat.hand),
        open_cards=sets.words_of(table.open_cards[index]),
        tower=sets.words_of(table.tower),
        own=table.cards[index],
        height=sets.size_of(sets.words_of(table.tower)),
        cap=cap,
        down=table.hidden_cards[index],
        top=np.int64(top),
        first_turn=(table.first_turn >> index) & 1 if rare else np.int64(0),
        anew=table.anew if rare else np.int64(0),
        equal=table.equal if rare else np.int64(0),
        deck=rules.deck_of(table, rare),
        rules=rules.rules_of(table, rare),
    )


@inline_kernel
def is_aside(table, _seat):
    """Tell whether a decision is there under some options only; see `match.ask_on_turn`."""
    return table.phase == up.DECLARE


@inline_kernel
def moves_of(seat):
    """Return the legal `PLAY` moves that were found."""
    return Moves(
        sets.words_of(seat.hand_moves), sets.words_of(seat.open_moves), seat.may_turn_up != 0, 0
    )


@inline_kernel
def nth_move(table, seat, index):
    """Return the legal move number `index` (0 ≤ index < `move_count`) of the seat on turn.

    Order: from the hand by card, from the open cards, turning up a hidden card. The moves must
    have been found.
    """
    if table.phase == up.PLAY:
        return nth_play_move(seat, index)
    # With only the double two to declare the moves are 0 and DOUBLE.
    only_double = table.phase == up.DECLARE and table.dirty_one != up.FOREHAND
    return index * up.DOUBLE if only_double else index


@inline_kernel
def nth_play_move(seat, index):
    """Return the legal `PLAY` move number `index`; see `nth_move`."""
    return number_of(nth_choice(moves_of(seat), index, len(seat.hand), True))


@inline_kernel
def number_of(choice):
    """Return the number of a `PLAY` move."""
    card = choice.card + (0 if choice.by_hand else up.SOURCE_STEP)
    return np.int64(up.TURN_UP) if choice.blind else card


@inline_kernel
def choice_of(move):
    """Return the choice that has a number; see `number_of`."""
    return Choice(
        move < up.SOURCE_STEP, move == up.TURN_UP, move & (up.SOURCE_STEP - 1), sets.NO_CARDS
    )


@inline_kernel
def random_move(table, seat):
    """Return one of the legal moves, each with the same probability; draws from the seat's stream.

    This is the policy `random`, built in.
    """
    return nth_move(table, seat, rng.below(seat.rng, seat.move_count))


@kernel
def legal_moves(table, seat):
    """Write all legal moves of the seat on turn to `seat.moves` and return their number."""
    for index in range(seat.move_count):
        seat.moves[index] = nth_move(table, seat, index)
    return seat.move_count


@inline_kernel
def is_legal(table, seat, move):
    """Tell whether `move` is among the legal moves of the seat on turn."""
    source = move >> 8
    word = (move >> 6) & 3
    if table.phase == up.PLAY and word < len(seat.hand_moves):
        if source == up.HAND:
            return (seat.hand_moves[word] >> (move & 63)) & 1 != 0
        if source == up.OPEN:
            return (seat.open_moves[word] >> (move & 63)) & 1 != 0
    return is_legal_otherwise(table, seat, move)


@kernel
def is_legal_otherwise(table, seat, move):
    """Tell whether a move that lays no cards from hand or open cards is legal."""
    if table.phase == up.PLAY:
        return move == up.TURN_UP and seat.may_turn_up == 1
    for index in range(seat.move_count):
        if nth_move(table, seat, index) == move:
            return True
    return False


@inline_kernel
def move_kind(table, move):
    """Return the kind of the cards that a move lays."""
    return sets.kind_of(move & 255, rules.deck_of(table, rules.RARE_RULES))


@kernel
def move_count(table, seat, move):
    """Return how many cards a move of the seat on turn lays."""
    if move == up.TURN_UP:
        return 1
    moves = sets.words_of(seat.hand_moves if move < up.SOURCE_STEP else seat.open_moves)
    same = sets.in_field(
        moves, sets.field_of(move_kind(table, move), rules.deck_of(table, rules.RARE_RULES))
    )
    return sets.size_of(sets.up_to(same, move & 255, len(seat.hand)))
