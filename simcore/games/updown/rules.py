"""UP & DOWN: the rules. Marks in brackets, such as [R9], name the clauses of RULES.md."""

from __future__ import annotations

from typing import Any

from simcore.games.updown.options import CARDS, HAND_SIZES
from simcore.language import *

COLOURS = ("ROSE", "FEDER", "MONOKEL", "HUT")
"""Clockwise on the U&D card, by convention [C1]."""

LOWEST, HIGHEST = 2, 12
deck = cards_of(COLOURS, range(LOWEST, HIGHEST + 1))  # [R2]

CHANGE, CARD = decisions("CHANGE", "CARD")
FLIP, ROLL, KEEP = 0, 4, 8
"""`CHANGE` moves: `FLIP`, 1 to 3 quarter turns, `ROLL`, and under an option `KEEP` [H3]."""

UP, DOWN = 0, 1
FACES = ("UP", "DOWN")
SIDES = 4
NO_TRUMP = 0
NO_SEAT = -1
FURTHER_ROUNDS = 50
"""The most rounds played to break a tie [C16]."""


class State:
    """Game state: the cards, the U&D card, the trump, and the course of the round."""

    stock = hidden(all_cards)  # cards not dealt
    hand = own(cards)  # hand cards of each seat
    chosen = own(cards)  # face down until all have chosen
    played = shown(cards, per=seat)  # cards of a seat in this round, face up [C15]
    last_card = shown(card, per=seat, start=NO_CARD)  # the seat's last card laid in this round
    face = shown(number)  # UP: the highest card takes a trick; DOWN: the lowest
    turn = shown(number)  # quarter turns of the U&D card
    trump = shown(number)  # value that is trump; 0: none
    leader = shown(number)  # the seat that leads the trick
    trick = shown(number)  # tricks of the round so far
    pot = shown(number)  # tricks that nobody has won yet
    last_winner = shown(number, start=NO_SEAT)  # the seat that took the last trick, or NO_SEAT
    most = shown(number)  # tricks of the leaders of the match
    change = shown(number, start=-1)  # the leader's change for this trick; -1: none yet


def prepare(o: Any) -> dict[str, Any]:
    """Return the hand size [R3] [H1] and each seat's side of the card [R5] [C3] [C4]."""
    opposite = o.players == 2 and o.seating == "opposite"
    return {
        "hand_size": o.hand_cards or HAND_SIZES[o.players],
        "side": [0, 2, 0, 0] if opposite else [0, 1, 2, 3],
        "usual_hand": HAND_SIZES[o.players],
        "cards_aside": CARDS - o.players * (o.hand_cards or HAND_SIZES[o.players]),
    }


# ---------------------------------------------------------------------------------------- the round


def deal(s):
    """Set up a new round [R19] [C11]: toss, first trump, deal; only the pot may carry over [H6]."""
    toss = below(s, DEAL, 2 * o.players)
    s.face, s.leader = toss & 1, toss >> 1  # [R4] [R5] [C2]
    s.turn = o.side[s.leader]
    s.trump = throw_dice(s) if o.trump == "dice" else NO_TRUMP  # [R6] [H2]
    for seat in seats():
        if seat == o.players - 1 and o.cards_aside == 0:
            move(s.stock, s.stock, s.hand[seat])
        else:
            draw(s.stock, s.hand[seat], o.hand_size)  # [R3] [C12]
        s.last_card[seat] = NO_CARD
    s.trick = 0
    s.last_winner = NO_SEAT
    if s.round_number == 1:
        s.first_seat = s.leader
    if o.last_pot == "lost":
        s.pot = 0
    note_clauses_of_deal(s)
    s.change = -1
    ask(s, s.leader, CHANGE)


def note_clauses_of_deal(s):
    """Note the clauses that apply from a deal on."""
    note_if(s, "adjacent", o.seating == "adjacent")
    note_if(s, "hand_cards", o.hand_size != o.usual_hand)
    note_if(s, "no_trump", o.trump == "none")
    note_if(s, "further_rounds", s.round_number > 1 and o.rounds > 1)
    note_if(s, "tie_round", s.round_number > o.rounds)
    note_if(s, "carried_pot", s.pot > 0)


def throw_dice(s):
    """Return the sum of two dice [R6]."""
    throw = below(s, CHANCE, 36)
    return throw // 6 + throw % 6 + 2


# --------------------------------------------------------------------------- the leader's change


def legal_change(s, seat):
    """Return the leader's changes [R10] [R11] [C7], before the first trick as well [C5]."""
    moves = {FLIP, 1, 2, 3}
    if o.trump == "dice":
        moves = moves | {ROLL}
    if o.leader_change == "may":
        moves = moves | {KEEP}  # [H3]
    return moves


def apply_change(s, seat, change):
    """Change exactly one of face, turn and trump [R9] [C5], or nothing [H3]."""
    s.change = change
    if change == FLIP:
        s.face = DOWN - s.face
        s.count.flips += 1
    elif change == ROLL:
        roll(s)
        s.count.rolls += 1
    elif change == KEEP:
        note(s, "kept")
        s.count.kept += 1
    else:
        s.turn = (s.turn + change) & 3
        s.count.rotations += 1
    ask(s, 0, CARD)


def roll(s):
    """Throw the dice until the trump changes [R11] [C6]."""
    old = s.trump
    while s.trump == old:
        s.trump = throw_dice(s)


# ----------------------------------------------------------------------------------------- a trick


def legal_card(s, seat):
    """Return the cards that may be chosen: the hand [R9] [C13]."""
    return s.hand[seat]


def apply_card(s, seat, card):
    """Lay a card face down; reveal the trick once all seats have chosen [R9] [C9]."""
    move(card, s.hand[seat], s.chosen[seat])
    if seat + 1 < o.players:
        ask(s, seat + 1, CARD)
    else:
        finish_trick(s)


def own_colour(s, seat):
    """Return the colour that points at a seat [R8]."""
    return (o.side[seat] - s.turn) & 3


def is_able(s, seat, card):
    """Tell whether a card can win [R8]: in the seat's colour, or a trump of any colour."""
    return suit(card) == own_colour(s, seat) or rank(card) == s.trump


def worth(s, card):
    """Return the rank of a card that can win [R7]; trumps rank highest [R13]."""
    if rank(card) == s.trump:
        return HIGHEST + 1
    return rank(card) if s.face == UP else HIGHEST + LOWEST - rank(card)


def finish_trick(s):
    """Reveal the cards, give the trick to its winner or to the pot, and pass the lead."""
    laid, able = set(), set()
    for seat in seats():
        s.last_card[seat] = lowest(s.chosen[seat])
        laid = laid | s.chosen[seat]
        if is_able(s, seat, s.last_card[seat]):
            able = able | s.chosen[seat]
        move(s.chosen[seat], s.chosen[seat], s.played[seat])
    winner = winner_among(s, laid, able)
    if o.cancelling == "eligible":  # [H4]
        usual, winner = winner, winner_among(s, able, able)
        note_if(s, "eligible", winner != usual)
    give_trick(s, winner)
    s.trick += 1
    if s.trick == o.hand_size:
        end_round(s)  # [R18]
    else:
        pass_lead(s, winner)


def winner_among(s, laid, able):
    """Return the winning seat [R14] after equal cards in `laid` cancel each other [R12] [C8]."""
    winner, best = NO_SEAT, 0
    for seat in seats():
        card = s.last_card[seat]
        alone = len(laid & of_rank(rank(card))) == 1
        if card in able and alone and worth(s, card) > best:
            winner, best = seat, worth(s, card)
    return winner


def tricks_at_stake(s):
    """Return how many tricks the current trick counts as, without the pot: the last may be two."""
    is_double = o.last_trick == "double" and s.trick + 1 == o.hand_size  # [H8]
    note_if(s, "doubled", is_double)
    return 2 if is_double else 1


def give_trick(s, winner):
    """Give the winner trick and pot [R16] [C10] [C19], or put the trick into the pot [R15]."""
    stake = tricks_at_stake(s)
    s.last_winner = winner
    s.count.tricks += 1
    if winner == NO_SEAT:
        s.count.pots += 1
        if o.pot_tricks:
            s.pot += stake
        else:  # [H7]
            s.count.lost_tricks += stake
            note(s, "lost_at_once")
        return
    if rank(s.last_card[winner]) == s.trump:
        s.count.trump_wins += 1
    if s.leaders != 0:
        s.deficits[winner] = max(s.deficits[winner], s.most - s.scores[winner])
    s.scores[winner] += stake + s.pot
    s.count.largest_pot = max(s.count.largest_pot, s.pot)
    s.pot = 0
    note_who_leads(s, winner)


def note_who_leads(s, winner):
    """Update the leaders of the match; the first leaders are no change of the lead [C17]."""
    before = s.leaders
    if s.scores[winner] > s.most:
        s.most = s.scores[winner]
        s.leaders = 1 << winner
    elif s.scores[winner] == s.most:
        s.leaders |= 1 << winner
    if s.leaders != before:
        note_lead_change(s, s.count.tricks)
        if before != 0:
            s.count.lead_changes += 1


def pass_lead(s, winner):
    """Pass the lead to the next seat clockwise [R17] [C4], or to the winner [H5]."""
    clockwise = s.leader + 1 if s.leader + 1 < o.players else 0
    s.leader = clockwise
    if o.next_leader == "winner" and winner != NO_SEAT:
        s.leader = winner
        note_if(s, "winner_leads", winner != clockwise)
    s.change = -1
    ask(s, s.leader, CHANGE)


# ---------------------------------------------------------------------------------- the match's end


def score_round(s):
    """Drop the pot [R18] [C11] [H6], and end the match unless another round is due."""
    s.count.rounds += 1
    winners = s.leaders if s.leaders != 0 else all_seats()  # [C18]
    tied = o.tie_round and winners & (winners - 1) != 0
    goes_on = s.round_number < o.rounds or (tied and s.round_number < o.rounds + FURTHER_ROUNDS)
    if not (goes_on and o.last_pot == "carried"):
        s.count.lost_tricks += s.pot
    if not goes_on:  # [R19] [R20] [C16]
        end_match(s, winners)
        if tied:
            s.aborted = 1


# --------------------------------------------------------------------------------- what is unseen


def take_back(s):
    """Return the cards chosen for this trick to the hands; all choose again from seat 0 [C9]."""
    if s.phase == CARD:
        for seat in seats():
            move(s.chosen[seat], s.chosen[seat], s.hand[seat])
        ask(s, 0, CARD)
