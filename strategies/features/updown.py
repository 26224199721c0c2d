"""UP & DOWN: features of a card and of a change of the rules."""

from __future__ import annotations

from simcore.games.updown.rules import *
from simcore.language import *
from strategies.updown import *
from strategies.updown import Opponents

KEEN = 4.0
"""How much likelier an able card is taken to be played than another."""

MIDDLE = 7

# ------------------------------------------------------------------------------------ the position


@feature
def stake(s, seat):
    """Tricks that are at stake."""
    return s.pot + 1


@feature
def tricks_left(s, seat):
    """Tricks of the round that are left."""
    return o.hand_size - s.trick


@feature
def is_leading(s, seat):
    """Whether the seat leads the trick."""
    return s.leader == seat


@feature
def leads_then(s, seat):
    """Whether the seat leads the next trick."""
    return after(s.leader, 1) == seat


@feature
def ahead_of_best(s, seat):
    """Tricks ahead of the best of the others."""
    return s.scores[seat] - max(s.scores[other] for other in others(seat))


@feature
def ahead_of_mean(s, seat):
    """Tricks ahead of the mean of the others, times their number."""
    return (o.players - 1) * s.scores[seat] - sum(s.scores[other] for other in others(seat))


@feature
def unseen_count(s, seat):
    """Cards that the seat has not seen."""
    return len(unseen_by(s, seat))


# ----------------------------------------------------------------------------- what a card is worth


def able_under(s, seat, turn, trump):
    """Return the hand cards that can win under some rules."""
    return s.hand[seat] & (of_suit(colour_at(seat, turn)) | of_rank(trump))


def worth_under(value, face, trump):
    """Return the rank of a value under some rules; a trump's is the highest."""
    if value == trump:
        return HIGHEST + 1
    return value if face == UP else HIGHEST + LOWEST - value


def beating_under(value, face, trump):
    """Return the cards that beat a value under some rules, if they are able."""
    if value == trump:
        return set()
    return of_values(values_above(value, face)) | of_rank(trump)


def chance_under(s, seat, value, turn, face, trump):
    """Return the rough probability that an able card wins under some rules."""
    unseen = unseen_by(s, seat)
    able_0, part_0 = opponent(seat, 0, unseen, turn, trump, KEEN)
    able_1, part_1 = opponent(seat, 1, unseen, turn, trump, KEEN)
    able_2, part_2 = opponent(seat, 2, unseen, turn, trump, KEEN)
    able_3, part_3 = opponent(seat, 3, unseen, turn, trump, KEEN)
    them = Opponents(able_0, part_0, able_1, part_1, able_2, part_2, able_3, part_3)
    cancels = cancelling(seat, unseen, turn, trump)
    return chance(value, beating_under(value, face, trump), cancels, KEEN, them)


def beaters_under(s, seat, value, turn, face, trump):
    """Return how many unseen cards beat a value, each counted for every seat that it may serve."""
    beating = beating_under(value, face, trump) & unseen_by(s, seat)
    total = 0
    for other in others(seat):
        total += len(beating & (of_suit(colour_at(other, turn)) | of_rank(trump)))
    return total


def can_win(s, seat, card):
    """Tell whether a card can win."""
    return card in able_under(s, seat, s.turn, s.trump)


def best_kept(s, seat, card):
    """Return the best chance of the able cards that are kept."""
    best = 0.0
    for other in able_under(s, seat, s.turn, s.trump) - {card}:
        best = max(best, chance_under(s, seat, rank(other), s.turn, s.face, s.trump))
    return best


@feature(to="CARD")
def is_able_card(s, seat, card):
    """Whether the card can win."""
    return can_win(s, seat, card)


@feature(to="CARD")
def is_trump(s, seat, card):
    """Whether the card is a trump."""
    return rank(card) == s.trump


@feature(to="CARD")
def worth_of_able(s, seat, card):
    """The rank of a card that can win."""
    return worth_under(rank(card), s.face, s.trump) if can_win(s, seat, card) else 0


@feature(to="CARD")
def beaters_of_able(s, seat, card):
    """Unseen cards that beat a card that can win."""
    if not can_win(s, seat, card):
        return 0
    return beaters_under(s, seat, rank(card), s.turn, s.face, s.trump)


@feature(to="CARD")
def equal_unseen(s, seat, card):
    """Unseen cards that cancel the card."""
    return len(of_rank(rank(card)) & unseen_by(s, seat))


@feature(to="CARD")
def chance_of_card(s, seat, card):
    """The rough probability that the card wins."""
    if not can_win(s, seat, card):
        return 0.0
    return chance_under(s, seat, rank(card), s.turn, s.face, s.trump)


@feature(to="CARD")
def expected_of_card(s, seat, card):
    """Tricks that the card wins on average."""
    return chance_of_card(s, seat, card) * (s.pot + 1)


@feature(to="CARD")
def stake_of_able(s, seat, card):
    """Tricks that a card that can win may win."""
    return s.pot + 1 if can_win(s, seat, card) else 0


@feature(to="CARD")
def kept_able(s, seat, card):
    """Other cards in hand that can win."""
    return len(able_under(s, seat, s.turn, s.trump) - {card})


@feature(to="CARD")
def kept_trumps(s, seat, card):
    """Other trumps in hand."""
    return len(s.hand[seat] & of_rank(s.trump) - {card})


@feature(to="CARD")
def chance_of_kept(s, seat, card):
    """The best chance of the other cards in hand."""
    return best_kept(s, seat, card)


@feature(to="CARD")
def expected_of_kept(s, seat, card):
    """Tricks that the best of the other cards would win on average."""
    return best_kept(s, seat, card) * (s.pot + 1)


@feature(to="CARD")
def from_middle(s, seat, card):
    """How far the value is from the middle."""
    return abs(rank(card) - MIDDLE)


@feature(to="CARD")
def equal_in_hand(s, seat, card):
    """Cards of the same value in hand."""
    return len(s.hand[seat] & of_rank(rank(card)))


@feature(to="CARD")
def wanted_by(s, seat, card):
    """Other seats whose best unseen card has this value."""
    unseen, total = unseen_by(s, seat), 0
    for other in others(seat):
        values = values_in(unseen & of_suit(colour_at(other, s.turn)))
        if values != 0 and best_of(values, s.face) == rank(card):
            total += 1
    return total


@feature(to="CARD")
def turns_away(s, seat, card):
    """Quarter turns until the card's colour points at the seat."""
    return (suit(card) - colour_at(seat, s.turn)) & 3


@feature(to="CARD")
def of_its_colour(s, seat, card):
    """Cards of the same colour in hand."""
    return len(s.hand[seat] & of_suit(suit(card)))


@feature(to="CARD")
def plain_rank(s, seat, card):
    """The rank of the value, as if it was no trump."""
    return rank_of(rank(card), s.face)


# ------------------------------------------------------------------------- what a change is worth


def turn_of(s, change):
    """Return the turn of the card after a change."""
    return turn_after(s, change) if change < ROLL else s.turn


def trump_of(s, change):
    """Return the trump after a change; none where the dice are to be rolled."""
    return NO_TRUMP if change == ROLL else s.trump


def best_after(s, seat, change, place):
    """Return the value with the best chance after a change, or the one after it."""
    turn, face, trump = turn_of(s, change), face_after(s, change), trump_of(s, change)
    left = able_under(s, seat, turn, trump)
    best = 0
    for _ in range(place + 1):
        most, found = -1.0, NO_CARD
        for card in left:
            hope = chance_under(s, seat, rank(card), turn, face, trump)
            if hope > most:
                most, found = hope, card
        best = 0
        if found != NO_CARD:
            best = rank(found)
            left = left - {found}
    return best


def chance_after(s, seat, change, place):
    """Return the chance of such a value."""
    value = best_after(s, seat, change, place)
    if value == 0:
        return 0.0
    turn, face, trump = turn_of(s, change), face_after(s, change), trump_of(s, change)
    return chance_under(s, seat, value, turn, face, trump)


@feature(to="CHANGE")
def change_itself(s, seat, move):
    """The change."""
    return move


@feature(to="CHANGE")
def best_chance_after(s, seat, move):
    """The best chance of a card after the change."""
    return chance_after(s, seat, move, 0)


@feature(to="CHANGE")
def second_chance_after(s, seat, move):
    """The second best."""
    return chance_after(s, seat, move, 1)


@feature(to="CHANGE")
def third_chance_after(s, seat, move):
    """The third."""
    return chance_after(s, seat, move, 2)


@feature(to="CHANGE")
def expected_after(s, seat, move):
    """Tricks that the best card wins on average."""
    return chance_after(s, seat, move, 0) * (s.pot + 1)


@feature(to="CHANGE")
def worth_after(s, seat, move):
    """The rank of the best card."""
    value = best_after(s, seat, move, 0)
    return 0 if value == 0 else worth_under(value, face_after(s, move), trump_of(s, move))


@feature(to="CHANGE")
def beaters_after(s, seat, move):
    """Unseen cards that beat the best card."""
    value = best_after(s, seat, move, 0)
    if value == 0:
        return 0
    return beaters_under(s, seat, value, turn_of(s, move), face_after(s, move), trump_of(s, move))


@feature(to="CHANGE")
def equal_after(s, seat, move):
    """Unseen cards that cancel the best card."""
    value = best_after(s, seat, move, 0)
    return 0 if value == 0 else len(of_rank(value) & unseen_by(s, seat))


@feature(to="CHANGE")
def able_after(s, seat, move):
    """Cards in hand that can win after the change."""
    return len(able_under(s, seat, turn_of(s, move), trump_of(s, move)))


@feature(to="CHANGE")
def trumps_after(s, seat, move):
    """Trumps in hand after the change."""
    return len(s.hand[seat] & of_rank(trump_of(s, move)))


@feature(to="CHANGE")
def able_against(s, seat, move):
    """Unseen cards that can win for others after the change."""
    unseen, total = unseen_by(s, seat), 0
    for other in others(seat):
        colour = colour_at(other, turn_of(s, move))
        total += len(unseen & (of_suit(colour) | of_rank(trump_of(s, move))))
    return total


@feature(to="CHANGE")
def values_for_roll(s, seat, move):
    """Different values in hand, if the dice are rolled."""
    return popcount(values_in(s.hand[seat])) if move == ROLL else 0
