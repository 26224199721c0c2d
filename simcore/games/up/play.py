"""Up: what a play does to the records, and whose turn is next."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.up import table as up
from simcore.games.up.cards import NO_CARDS, both, common, put_words, without, words_of
from simcore.games.up.moves import choice_of, is_rare, sight_of
from simcore.games.up.rules import FIRST_TURNS, RARE_RULES, rare_in_round
from simcore.games.up.table import CLAUSE, METRIC
from simcore.games.up.turn import Choice, carry_out, count_play, following, kind_chosen, stays_on
from simcore.jit import inline_kernel, kernel, shared_kernel
from simcore.records import MATCH_OVER, ROUND_OVER


@inline_kernel
def apply_play(table, box, move, cap, rare):
    """Carry out a legal `PLAY` move and return the cap of the tower; see `apply_move`.

    `cap` is handed from play to play because the next player's moves wait for nothing else. For
    `rare` see `moves.find_play_moves`.
    """
    if move == up.PASS_LEAD or move == up.TURN_UP or (not rare and is_rare(table)):
        return apply_rare(table, box, move, cap)
    by_hand, _, card, _ = choice_of(move)
    return apply_by_rules(table, box, Choice(by_hand, False, card, NO_CARDS), cap, 0, rare)


@shared_kernel
def apply_rare(table, box, move, cap):
    """Do so where `is_rare` tells so, and where a card is turned up or none laid."""
    if move == up.PASS_LEAD:
        pass_lead(table)
        return np.int64(0)
    index = table.seat
    top = box.hidden[index, max(table.hidden_cards[index] - 1, 0)]
    if rare_in_round(table):
        return apply_by_rules(table, box, choice_of(move), cap, top, RARE_RULES)
    return apply_by_rules(table, box, choice_of(move), cap, top, FIRST_TURNS)


@inline_kernel
def apply_by_rules(table, box, choice, cap, top, rare):
    """Carry out a choice in one of two ways: the cards stay, or all else, which takes longer."""
    sight = sight_of(table, box.seats[table.seat], cap, top, rare)
    if stays_on(kind_chosen(sight, choice), cap):
        return apply_choice(table, box, sight, choice, True)
    return apply_choice(table, box, sight, choice, False)


@inline_kernel
def apply_choice(table, box, sight, choice, stays):
    """Carry out a choice, and give the turn to whoever is next; return the cap."""
    index = table.seat
    seat = box.seats[index]
    play = carry_out(sight, choice, stays, True, len(seat.hand))
    write_play(table, seat, play)
    if sight.rules.four_clear:
        table.equal = play.equal
    count_play(table.metrics, choice, play)
    table.plays += 1
    table.blind_finish |= play.end.finishes_blind
    if play.out:
        end_play(table)
        return play.cap
    if table.cards[index] == 1:
        announce(table, box, index)
    check_play_cap(table)
    if play.end.keeps:
        next_turn(table)
    return play.cap


@inline_kernel
def write_play(table, seat, play):
    """Write what the seat on turn and the tower are left with; what it took up, all have seen."""
    index = table.seat
    put_words(seat.hand, play.hand)
    put_words(table.open_cards[index], play.open_cards)
    put_words(table.tower, play.tower)
    put_words(table.laid, play.laid)
    known = words_of(table.known_hand[index])
    unlaid = without(known, common(known, play.laid))
    put_words(table.known_hand[index], both(unlaid, play.taken))
    put_words(table.cleared, both(words_of(table.cleared), play.cleared))
    table.hidden_cards[index] = play.left
    table.cards[index] += play.picked - play.size
    table.cap = play.cap
    table.anew = np.int64(not play.end.keeps)


@kernel
def announce(table, box, index):
    """Announce the last card, or forget to and lose the next turn [R24] [C29] [C30].

    Who had several and has none left need not have announced anything [R25] [C31].
    """
    forget = table.forget_last_card[index]
    if forget > 0.0 and rng.uniform(box.chance_rng) < forget:
        table.lost_turn |= 1 << index


@inline_kernel
def next_turn(table):
    """Give the turn to the next seat clockwise that has not lost it [R9] [R24]."""
    table.anew = 0
    if table.first_turn:
        table.first_turn &= ~(1 << table.seat)
    table.seat = following(np.int64(table.seat), table.players)
    while (table.lost_turn >> table.seat) & 1:  # each loses one [C30]
        table.lost_turn &= ~(1 << table.seat)
        table.metrics[METRIC.clauses] |= CLAUSE.lost_turn
        table.seat = following(np.int64(table.seat), table.players)


@kernel
def pass_lead(table):
    """Pass the lead to the next seat, for want of a card that may lead [C22].

    Once every seat has passed with its first turn behind it, nobody can ever move again and the
    match is aborted [C49].
    """
    if table.plays > table.plays_at_pass:
        table.plays_at_pass = table.plays
        table.passes = 0
    table.passes += 1
    if table.passes > 2 * table.players:
        abort(table)
    else:
        check_play_cap(table)
        next_turn(table)


@inline_kernel
def check_play_cap(table):
    """Abort the match when the round has had its cap of plays [C40]."""
    if table.plays >= table.play_cap:
        table.metrics[METRIC.clauses] |= CLAUSE.play_cap
        abort(table)


@kernel
def abort(table):
    """End the match without a winner [C50]."""
    table.metrics[METRIC.plays] += table.plays
    table.aborted = 1
    table.winners = 0
    table.phase = MATCH_OVER


@kernel
def end_play(table):
    """End the play of a round: the seat on turn has no cards left [R26] [C32]."""
    table.metrics[METRIC.plays] += table.plays
    table.phase = ROUND_OVER
