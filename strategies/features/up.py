"""Up: features of a play."""

from __future__ import annotations

from simcore.games.up.pack import CLEAR, HIGHEST, MINUS_TWO
from simcore.games.up.rules import *
from simcore.language import *

MANY = 31
"""Where counts end."""

FROM_HAND, FROM_OPEN, TURNED_UP = range(3)

# ------------------------------------------------------------------------------------ the position


@feature(to="PLAY")
def cap_now(s, seat):
    """The highest value that the tower bears; 0: there is none."""
    return s.cap


@feature(to="PLAY")
def tower_cards(s, seat):
    """Cards of the tower."""
    return min(len(s.tower), MANY)


@feature(to="PLAY")
def hand_count(s, seat):
    """Cards in hand."""
    return min(len(s.hand[seat]), MANY)


@feature(to="PLAY")
def open_count(s, seat):
    """Open cards of the seat."""
    return len(s.open_cards[seat])


@feature(to="PLAY")
def hidden_count(s, seat):
    """Hidden cards of the seat."""
    return s.hidden_cards[seat]


@feature(to="PLAY")
def left_of_next(s, seat):
    """Cards of the next seat."""
    return min(s.cards_left[after(seat, 1)], MANY)


@feature(to="PLAY")
def left_of_last(s, seat):
    """Cards of the seat before."""
    return min(s.cards_left[after(seat, -1)], MANY)


@feature(to="PLAY")
def fewest_left(s, seat):
    """The fewest cards of another seat."""
    fewest = min(s.cards_left[other] for other in others(seat))
    return min(fewest, MANY)


@feature(to="PLAY")
def hand_of_next(s, seat):
    """Hand cards of the next seat."""
    return min(len(s.hand[after(seat, 1)]), MANY)


@feature(to="PLAY")
def laps(s, seat):
    """Plays of each seat so far, up to thirty."""
    return min(s.plays // o.players, 30)


@feature(to="PLAY")
def points_behind(s, seat):
    """Points more than the best other seat has."""
    return s.scores[seat] - min(s.scores[other] for other in others(seat))


def in_sight(s, seat):
    """Return the cards in hand and open."""
    return s.hand[seat] | s.open_cards[seat]


@feature(to="PLAY")
def heavier_in_sight(s, seat):
    """Cards in hand and open that the tower does not bear."""
    return min(len(in_sight(s, seat) & (o.borne[0] - o.borne[s.cap])), MANY)


@feature(to="PLAY")
def clears_in_sight(s, seat):
    """Clear cards in hand and open."""
    return min(len(in_sight(s, seat) & o.of_kind[CLEAR]), 6)


@feature(to="PLAY")
def minus_twos_in_sight(s, seat):
    """The same of "-2"."""
    return min(len(in_sight(s, seat) & o.of_kind[MINUS_TWO]), 6)


# --------------------------------------------------------------------------------------- the play


@feature(to="PLAY")
def source_of_play(s, seat, move):
    """From the hand, from the open cards, or turned up."""
    if move == TURN_UP:
        return TURNED_UP
    return FROM_OPEN if move >= OPEN else FROM_HAND


def card_of_play(move):
    """Return the card that a play names; that of no kind where one is turned up."""
    return 0 if move == TURN_UP else move - OPEN if move >= OPEN else move


@feature(to="PLAY")
def kind_of_play(s, seat, move):
    """The kind that is laid."""
    return MINUS_TWO + 1 if move == TURN_UP else o.kind[card_of_play(move)]


def of_the_kind(s, seat, move):
    """Return the cards of the kind at the source of a play."""
    if move == TURN_UP:
        return set()
    cards = s.open_cards[seat] if move >= OPEN else s.hand[seat]
    return cards & o.of_kind[o.kind[card_of_play(move)]]


@feature(to="PLAY")
def count_laid(s, seat, move):
    """How many cards are laid."""
    if move == TURN_UP:
        return 1
    return min(max(len(lower(of_the_kind(s, seat, move), card_of_play(move) + 1)), 1), 12)


@feature(to="PLAY")
def kept_of_kind(s, seat, move):
    """Cards of the kind that stay there."""
    if move == TURN_UP:
        return 0
    return min(len(higher(of_the_kind(s, seat, move), card_of_play(move))), 12)


@feature(to="PLAY")
def kind_elsewhere(s, seat, move):
    """Cards of the kind at the other source."""
    if move == TURN_UP:
        return 0
    cards = s.hand[seat] if move >= OPEN else s.open_cards[seat]
    return min(len(cards & o.of_kind[o.kind[card_of_play(move)]]), 12)


@feature(to="PLAY")
def is_borne(s, seat, move):
    """Whether the tower bears a number card; 2: it is none; 3: turned up."""
    if move == TURN_UP:
        return 3
    if kind_of_play(s, seat, move) == CLEAR or kind_of_play(s, seat, move) == MINUS_TWO:
        return 2
    return 1 if s.cap == 0 or kind_of_play(s, seat, move) <= s.cap else 0


@feature(to="PLAY")
def cap_then(s, seat, move):
    """The cap after the play, as far as it is known."""
    kind = kind_of_play(s, seat, move)
    if kind == CLEAR or move == TURN_UP:
        return 0
    if kind == MINUS_TWO and not s.double:
        return max(s.cap - 2 * count_laid(s, seat, move), 0)
    return min(kind, HIGHEST)


@feature(to="PLAY")
def drop_of_cap(s, seat, move):
    """By how much it falls."""
    return s.cap - cap_then(s, seat, move)


@feature(to="PLAY")
def tower_if_heavy(s, seat, move):
    """Cards of the tower that a card which is too heavy brings into the hand."""
    return min(len(s.tower), MANY) if is_borne(s, seat, move) == 0 else -1


@feature(to="PLAY")
def tower_if_cleared(s, seat, move):
    """Cards of the tower that a clear card takes out."""
    return min(len(s.tower), MANY) if kind_of_play(s, seat, move) == CLEAR else -1


@feature(to="PLAY")
def left_then(s, seat, move):
    """Cards of the seat after the play, without those of the tower."""
    return min(s.cards_left[seat] - count_laid(s, seat, move), MANY)


@feature(to="PLAY")
def is_last_of_stage(s, seat, move):
    """Whether the hand, or the open cards, are gone after the play."""
    laid = count_laid(s, seat, move)
    if move == TURN_UP:
        return 0
    if move >= OPEN:
        return 2 if len(s.open_cards[seat]) == laid else 0
    return 1 if len(s.hand[seat]) == laid else 0


@feature(to="PLAY")
def lighter_kept(s, seat, move):
    """Cards in sight that the tower then bears."""
    cap = cap_then(s, seat, move)
    left = in_sight(s, seat) - of_the_kind(s, seat, move)
    return min(len(left & o.borne[min(max(cap, 0), HIGHEST)]), MANY) if cap > 0 else -1


@feature(to="PLAY")
def heavier_kept(s, seat, move):
    """Cards in sight heavier than what is laid."""
    kind = kind_of_play(s, seat, move)
    if kind == CLEAR or kind >= MINUS_TWO:
        return -1
    return min(len(in_sight(s, seat) & (o.borne[0] - o.borne[kind])), MANY)
