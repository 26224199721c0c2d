"""Up or down?: policies, simplest first.

All but `appender` and `search` share one method: they plan a whole turn by what each card of the
circle is worth in their columns, and differ only in their `Weights`. They respect the options in
force: what a column scores, where a card may be put, what a discarded card is worth, and when a
column may be given up. Where cards may go anywhere in a column no number is skipped, so all steps
cost the same; where only length scores, colours are worth nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from simcore.games.upordown.options import MOST_CIRCLE_CARDS, MOST_COLUMNS, MOST_HAND_CARDS
from simcore.games.upordown.rules import *
from simcore.language import *
from strategies.params import Param
from strategies.search import search_params

LEAST = -(1 << 60)
"""A worth below all others."""

PARTS = 1024.0
"""Fixed-point scale: worths are compared in 1024ths of a point, so that equal worths tie."""

FINE = float(1 << 22)
"""Finer scale, in parts of `PARTS`, to which the worth of a standing column is rounded."""


class State:  # type: ignore[no-redef] # not the rules, but what policies remember
    """A policy's memory: the turn that it planned and the cards that it rated."""

    planned_for = memory(number)  # `turns_left` of the turn
    planned_side = memory(number)
    planned_place = memory(number)
    standing = memory(number, many=MOST_COLUMNS)  # worth of each column, see `standing_of`
    rated = memory(number, many=MOST_CIRCLE_CARDS)  # worth of the best use of each card
    use = memory(number, many=MOST_CIRCLE_CARDS)  # the best use itself, a `PLACE` move
    denied = memory(number, many=MOST_CIRCLE_CARDS + MOST_HAND_CARDS)  # worth to the next player


class Weights(NamedTuple):
    """What each unit is worth to a policy, in points."""

    points: float = 0.0
    """Point scored at once."""
    step: float = 0.0
    """Number that is not skipped."""
    colour: float = 0.0
    """Card of the column's most frequent colour."""
    hope: float = 0.0
    """Point that a column may still score."""
    stride: float = 1.0
    """(For `hope`:) numbers of a column's room that each future card uses up."""
    match: float = 0.0
    """(For `hope`:) share of future cards in the column's colour."""
    patience: float = 0.0
    """Card of a column that is not given up."""
    deny: float = 0.0
    """Point that a card would be worth to the next player."""
    spread: float = 0.0
    """Number between the lowest and the highest hand card kept."""
    turns: float = 0.0
    """(Set by `by_weights`:) the seat's remaining turns per column."""


# ------------------------------------------------------------------------------------- the policies


@policy(idea="appends whenever it can, else starts a column, else gives up the shortest")
def appender(s, seat, moves):
    if s.phase != PLACE:
        because("any of them, each as likely")
        return random_card(s, seat, moves) if s.phase == CARD else toss(s, seat)
    if lowest(moves) <= NEW_COLUMN:
        because("append, or else start a column")
        return lowest(moves)
    because("give up the shortest column")
    shortest = 0
    for place in range(s.columns_used[seat]):
        if len(s.column[seat][place]) < len(s.column[seat][shortest]):
            shortest = place
    return GIVE_UP + shortest


PATIENCE = Param(
    "patience", 10, 0, 100, "numbers to skip before it gives up a column, for each card"
)
PRICE = Param("price", 0.35, 0, 10, "points that a number skipped costs")
# `stride` and `match` by `cardlab tune --against all_rounder,spreader,planner`.
STRIDE = Param("stride", 44, 1, 126, "numbers that a card to come takes of a column's room")
MATCHING = Param("match", 1, 0, 1, "how many of the cards to come are of a column's colour")


UNDER = {
    "all_rounder": (
        # By `cardlab tune --rule scoring=length --rule discard_points=0`: room is worth little.
        (
            {"scoring": ("length",), "discard_points": (0,)},
            {"stride": 1.2, "match": 0.45, "points": 8, "price": 0.35, "deny": 0.1, "spread": 0.02},
        ),
    )
}
"""Rules, and the weights that apply under them."""


@policy(
    idea="takes the smallest steps: the card nearest to a column's last, starts near the extremes "
    "(with insert = anywhere there are no steps: it takes whatever fits)",
    params=[PATIENCE],
)
def stepper(s, seat, moves, patience):
    return by_weights(s, seat, Weights(step=1.0, patience=patience))


@policy(idea="takes what scores most points at once")
def scorer(s, seat, moves):
    return by_weights(s, seat, Weights(points=1.0))


@policy(
    idea="collects colours: goes further for a card of a column's most frequent colour (with "
    "scoring = length colours are worth nothing: it is a stepper)",
    params=[
        Param("colour", 14, 0, 126, "numbers that it skips for a card of the colour"),
        PATIENCE,
    ],
)
def collector(s, seat, moves, colour, patience):
    return by_weights(s, seat, Weights(step=1.0, colour=colour, patience=patience))


@policy(
    idea="takes small steps as a collector does, and in its last turns what scores most at once",
    params=[
        Param("turns", 4, 0, 24, "own turns left from which on only points count"),
        Param("colour", 14, 0, 126, "numbers that it skips for a card of the colour before"),
        PATIENCE,
    ],
)
def finisher(s, seat, moves, turns, colour, patience):
    if own_turns_left(s) < turns:
        return by_weights(s, seat, Weights(points=1.0))
    return by_weights(s, seat, Weights(step=1.0, colour=colour, patience=patience))


@policy(
    idea="trades points against room: a step costs more for each number skipped", params=[PRICE]
)
def trader(s, seat, moves, price):
    return by_weights(s, seat, Weights(points=1.0, step=price))


@policy(
    idea="trades points against room, and keeps hand cards far apart, to reach all of the circle",
    params=[
        PRICE,
        Param("spread", 0.02, 0, 10, "points that a number between the hand cards kept is worth"),
    ],
)
def spreader(s, seat, moves, price, spread):
    return by_weights(s, seat, Weights(points=1.0, step=price, spread=spread))


@policy(
    idea="plans: what every column may come to with its room and the turns left",
    params=[STRIDE, MATCHING],
)
def planner(s, seat, moves, stride, match):
    return by_weights(s, seat, Weights(hope=1.0, stride=stride, match=match))


@policy(
    idea="plans, and spoils: takes what suits the next player, and lays what does not",
    params=[
        Param("deny", 0.1, 0, 2, "share of its worth to the next player that a card counts"),
        STRIDE,
        MATCHING,
    ],
)
def spoiler(s, seat, moves, deny, stride, match):
    return by_weights(s, seat, Weights(hope=1.0, stride=stride, match=match, deny=deny))


@policy(
    idea="a bit of all: plans, counts points at once and steps, spreads its hand, spoils a little",
    params=[
        STRIDE,
        MATCHING,
        Param("points", 0.5, 0, 10, "what a point at once is worth beside one hoped for"),
        Param("price", 0.15, 0, 10, "points that a number skipped costs"),
        Param("deny", 0.05, 0, 2, "share of its worth to the next player that a card counts"),
        Param("spread", 0.005, 0, 10, "points that a number between the hand cards kept is worth"),
    ],
)
def all_rounder(s, seat, moves, stride, match, points, price, deny, spread):
    w = Weights(
        points=points,
        step=price,
        hope=1.0,
        stride=stride,
        match=match,
        deny=deny,
        spread=spread,
    )
    return by_weights(s, seat, w)


# ---------------------------------------------------------------------------------- planning a turn


def by_weights(s, seat, w: Weights):
    """Return the move of a policy that plans its turns by weights."""
    w = w._replace(turns=own_turns_left(s) / o.columns)
    if s.phase == DRAW:
        return best_pile(s, seat, w)
    if s.phase == CARD:
        return planned_card(s, seat, s.hand[seat], w)
    if s.planned_for[seat] != s.turns_left:  # only one card could be laid
        if s.phase == PLACE:
            rate(s, seat, {s.taken_card}, w)
            return s.use[seat][0]
        planned_card(s, seat, {s.laid_card}, w)
    because("as planned when the card was laid")
    return s.planned_side[seat] if s.phase == TAKE else s.planned_place[seat]


def own_turns_left(s):
    """Return how many turns the seat on turn still has after this one."""
    return (s.turns_left - 1) // o.players


def planned_card(s, seat, hand: cardset, w: Weights):
    """Plan a turn: return the best hand card to lay, and store the side to take and its place.

    A hand card reaches two cards of the circle and is worth as much as the better of them; ties go
    to the lower side, and between hand cards to the first.
    """
    ring, reached = s.circle - {s.laid_card}, set()
    for card in hand:
        below, above = cards_beside(ring, card)
        reached = reached | {below, above}
    if w.deny > 0.0:
        note_denials(s, seat, reached, hand, w)
    rate(s, seat, reached, w)
    best, best_card = LEAST, 0
    held = MOST_CIRCLE_CARDS
    for card in hand:
        below, above = cards_beside(ring, card)
        at_below, at_above = len(lower(reached, below)), len(lower(reached, above))
        worth_below, worth_above = s.rated[seat][at_below], s.rated[seat][at_above]
        if w.deny > 0.0:
            worth_below += s.denied[seat][at_below]
            worth_above += s.denied[seat][at_above]
        side = LOWER_SIDE if worth_below >= worth_above else UPPER_SIDE
        worth = max(worth_below, worth_above)
        if w.deny > 0.0:
            worth -= s.denied[seat][held]
        held += 1
        # Only full hands: at the end they are no longer refilled, and spread is worth nothing.
        if w.spread > 0.0 and len(hand) == o.hand_cards and o.hand_cards > 2:
            kept = hand - {card}
            worth += int(w.spread * PARTS * (highest(kept) - lowest(kept)))
        weigh(card, worth / PARTS)
        if worth > best:
            best, best_card = worth, card
            s.planned_side[seat] = side
            s.planned_place[seat] = s.use[seat][at_below if side == LOWER_SIDE else at_above]
    s.planned_for[seat] = s.turns_left
    because("lay the card that reaches most, placed at its best")
    return best_card


def cards_beside(ring: cardset, card):
    """Return a card's two neighbours in a ring of cards [R7] [C5]."""
    return highest(lower(ring, card) or ring), lowest(higher(ring, card) or ring)


def best_pile(s, seat, w: Weights):
    """Return the pile to draw from: face up if that card reaches more than a hidden one on average.

    A hidden card falls into each gap of the circle with a probability proportional to its width.
    """
    if s.face_up_card == 0:
        because("no card can be seen on either pile")
        return FACE_DOWN
    rate(s, seat, s.circle, w)
    hidden, index = 0, 0
    last, previous = o.circle - 1, highest(s.circle) - o.card_count
    for card in s.circle:
        hidden += (card - previous - 1) * max(s.rated[seat][last], s.rated[seat][index])
        previous, last = card, index
        index += 1
    below, above = beside(s.circle, s.face_up_card)
    shown = max(s.rated[seat][below], s.rated[seat][above])
    others = o.card_count - o.circle
    weigh(FACE_UP, shown / PARTS)
    weigh(FACE_DOWN, hidden / (PARTS * others))
    because("draw the face-up card if it reaches more than a hidden one may")
    return FACE_UP if shown * others >= hidden else FACE_DOWN


def note_denials(s, seat, cards: cardset, hand: cardset, w: Weights):
    """Store the worth of denying the next player each card: of the circle, then of the hand."""
    owner = after(seat, 1)
    freed, otherwise = note_columns(s, seat, owner, w)
    index = 0
    for card in cards:
        worth, _ = best_use(s, seat, owner, card, freed, otherwise, w)
        s.denied[seat][index] = int(w.deny * worth)
        index += 1
    index = MOST_CIRCLE_CARDS
    for card in hand:
        worth, _ = best_use(s, seat, owner, card, freed, otherwise, w)
        s.denied[seat][index] = int(w.deny * worth)
        index += 1


# --------------------------------------------------------------------------- the worth of a card


def rate(s, seat, cards: cardset, w: Weights):
    """Store the best use of each of some cards, and its worth."""
    freed, otherwise = note_columns(s, seat, seat, w)
    index = 0
    for card in cards:
        s.rated[seat][index], s.use[seat][index] = best_use(
            s, seat, seat, card, freed, otherwise, w
        )
        index += 1


def note_columns(s, seat, owner, w: Weights):
    """Store the worth of each column of a seat (this seat or the next).

    Return the worth, without the card, of placing a card other than by appending it, and that
    `PLACE` move: a new column if there is room, or else giving up the column of least worth.
    """
    freed, otherwise = LEAST, GIVE_UP
    for place in range(s.columns_used[owner]):
        s.standing[seat][place] = standing_of(s, owner, place, w)
        given_up = int(PARTS * worth_of_giving_up(s, owner, place, w))
        if given_up >= freed:
            freed, otherwise = given_up, GIVE_UP + place
    if s.columns_used[owner] < o.columns:
        freed, otherwise = 0, NEW_COLUMN
    return freed, otherwise


def best_use(s, seat, owner, card, freed, otherwise, w: Weights):
    """Return the worth to a seat of the best use of a card, and that use, a `PLACE` move.

    Ties go to the greatest move. `freed` and `otherwise` come from `note_columns`.
    """
    above, below = more_cards(o.card_count - card, w), more_cards(card - 1, w)
    best, use = LEAST, -1
    for place in range(s.columns_used[owner]):
        standing = s.standing[seat][place] / (FINE * PARTS)
        # Computed even if the card does not fit: a branch here would be mispredicted too often.
        worth = worth_in_column(s, owner, place, card, above, below, w)
        appended = int(PARTS * (worth - standing))
        if fits(s, owner, place, card) & (appended >= best):
            best, use = appended, appended_to(place)
    if o.give_up == "free" or otherwise == NEW_COLUMN or use < 0:
        alone = int(PARTS * worth_alone(card, above, below, w)) + freed
        if alone >= best:
            best, use = alone, otherwise
    return best, use


def worth_alone(card, above: float, below: float, w: Weights):
    """Return the worth of a card in a new column."""
    room = most_room(card)
    worth = w.points - w.step * (o.card_count - 1.0 - room)
    if w.hope > 0.0:
        more = max(above, below) if o.insert == "end" else more_cards(room, w)
        worth = worth + hoped(1.0, 1.0, more, w)
    return worth


def most_room(card):
    """Return the room of a new column: how many numbers are left for it after its first card."""
    if o.insert == "end":
        return max(o.card_count - card, card - 1)
    return o.card_count - 1


def worth_in_column(s, owner, place, card, above: float, below: float, w: Weights):
    """Return the worth of a column after a card that fits it is added.

    `above` and `below` are the expected numbers of future cards above and below the card.
    """
    column = s.column[owner][place]
    length = len(column)
    most = s.most[owner][place]
    same = len(column & o.of_colour[o.colour[card]]) + 1
    room = room_with(s, owner, place, card)
    kept = room if o.insert == "anywhere" else room + 1  # the card itself is not skipped
    worth = w.points * scored(max(same, most), length + 1.0) + w.step * kept
    # In a column of a single card only a second card of its colour makes progress.
    step_towards = same > (most - 1 if length > 1 else most) and o.scoring != "length"
    if w.colour > 0.0 and step_towards:
        worth = worth + w.colour
    if w.hope > 0.0:
        more = more_cards(room, w)
        if o.insert == "end":
            more = above if card > highest(column) else below
        worth = worth + hoped(max(same, most), length + 1.0, more, w)
    return worth


def standing_of(s, owner, place, w: Weights):
    """Return the worth of a column as it stands, in units of 1 / (`PARTS` · `FINE`) points."""
    length, most = len(s.column[owner][place]), s.most[owner][place]
    room = room_of(s, owner, place)
    standing = w.points * scored(most, length) + w.step * room
    if w.hope > 0.0:
        standing = standing + hoped(most, length, more_cards(room, w), w)
    return int(standing * PARTS * FINE)


def worth_of_giving_up(s, owner, place, w: Weights):
    """Return the worth of giving a column up, whose cards then score as discards."""
    length, most = len(s.column[owner][place]), s.most[owner][place]
    left = length * o.discard_points
    worth = w.points * (left - scored(most, length)) - w.patience * length
    if w.hope > 0.0:
        hopes = hoped(most, length, more_cards(room_of(s, owner, place), w), w)
        worth = worth + (w.hope * left - hopes)
    return worth


def room_of(s, owner, place):
    """Return the room of a column: how many numbers are left for it [R12] [H4]."""
    if o.insert == "anywhere":
        return o.card_count - 1
    top, bottom = highest(s.column[owner][place]), lowest(s.column[owner][place])
    if o.insert == "both_ends":
        return o.card_count - top + bottom - 1
    up = o.card_count - top if s.direction[owner][place] != DESCENDING else 0
    down = bottom - 1 if s.direction[owner][place] != ASCENDING else 0
    return max(up, down)


def room_with(s, owner, place, card):
    """Return the room of a column after a card that fits it is added."""
    if o.insert == "anywhere":
        return o.card_count - 1
    top, bottom = highest(s.column[owner][place]), lowest(s.column[owner][place])
    if o.insert == "both_ends":
        return o.card_count - max(top, card) + min(bottom, card) - 1
    return o.card_count - card if card > top else card - 1


def more_cards(room, w: Weights):
    """Return how many more cards to expect in a column with this much room.

    Each takes up `stride` numbers, unless cards may be put between others [H4].
    """
    return w.turns if o.insert == "anywhere" else min(room / w.stride, w.turns)


def hoped(most: float, length: float, more: float, w: Weights):
    """Return the worth of the points that a column may reach with `more` further cards."""
    return w.hope * scored(most + w.match * more, length + more)


def scored(most: float, length: float):
    """Return the points of a column, also for expected, fractional card counts [R18] [H7]."""
    if o.scoring == "length":
        return length
    return most * most if o.scoring == "colour" else length * most


SEARCH = search_params("upordown", "all_rounder", rollouts=50, winning=10, sure=0.5)
