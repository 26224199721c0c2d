"""Up or down?: policies, simplest first.

All but the first two play alike: a turn is planned as a whole, by what each card of the circle is
worth in the columns, and they differ in what they find worth how much (`Weights`). They play by the
dials in force: what a column scores, where a card may be put, what a card given up is worth, and
when a column may be given up. Where cards may go anywhere in a column no number is skipped, so all
steps are alike; where only length scores no colour is worth anything.
"""

from __future__ import annotations

from typing import NamedTuple

from simcore.games.upordown.options import MOST_CIRCLE_CARDS, MOST_COLUMNS, MOST_HAND_CARDS
from simcore.games.upordown.rules import (
    ASCENDING,
    CARD,
    DESCENDING,
    DRAW,
    FACE_DOWN,
    FACE_UP,
    GIVE_UP,
    LOWER_SIDE,
    NEW_COLUMN,
    PLACE,
    TAKE,
    UPPER_SIDE,
    appended_to,
    beside,
    fits,
    random_card,
    toss,
)
from simcore.language import (
    after,
    because,
    cardset,
    higher,
    highest,
    lower,
    lowest,
    memory,
    number,
    o,
    weigh,
)
from strategies.params import Param
from strategies.registry import policy
from strategies.search import search_params

LEAST = -(1 << 60)
"""Less than any worth."""

PARTS = 1024.0
"""Worths are compared in such parts of a point: what is worth the same is found the same."""

FINE = float(1 << 22)
"""What a column is worth as it stands is rounded to such parts of these parts."""


class State:
    """What a policy remembers of a turn that it planned, and of cards that it rated."""

    planned_for = memory(number)  # `turns_left` of the turn
    planned_side = memory(number)
    planned_place = memory(number)
    standing = memory(number, many=MOST_COLUMNS)  # what columns are worth, see `standing_of`
    rated = memory(number, many=MOST_CIRCLE_CARDS)  # what the best use of each card is worth
    use = memory(number, many=MOST_CIRCLE_CARDS)  # and this use, a `PLACE` move
    denied = memory(number, many=MOST_CIRCLE_CARDS + MOST_HAND_CARDS)  # to the next player


class Weights(NamedTuple):
    """What a policy finds worth how much, in points."""

    points: float = 0.0
    """A point at once."""
    step: float = 0.0
    """A number that is not skipped."""
    colour: float = 0.0
    """A card of the column's most frequent colour."""
    hope: float = 0.0
    """A point that a column may still come to."""
    stride: float = 1.0
    """Numbers of a column's room that a card to come takes, for `hope`."""
    match: float = 0.0
    """How many of the cards to come are of the column's colour, for `hope`."""
    patience: float = 0.0
    """Not giving up a column, for each of its cards."""
    deny: float = 0.0
    """A point of what a card is worth to the next player."""
    spread: float = 0.0
    """A number between the lowest and the highest of the hand cards kept."""
    turns: float = 0.0
    """How many own turns are left for each column."""


# ------------------------------------------------------------------------------------- the policies


@policy(
    "upordown",
    idea="appends whenever it can, else starts a column, else gives up the shortest",
)
def appender(s, seat, moves):
    """Append whatever comes, to the first column that it fits; all else is played at random."""
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
MATCH = Param("match", 1, 0, 1, "how many of the cards to come are of a column's colour")


@policy(
    "upordown",
    idea="takes the smallest steps: the card nearest to a column's last, starts near the extremes "
    "(with insert = anywhere there are no steps: it takes whatever fits)",
    params=[PATIENCE],
)
def stepper(s, seat, moves, patience):
    """Take small steps."""
    return by_weights(s, seat, Weights(step=1.0, patience=patience))


@policy("upordown", idea="takes what scores most points at once")
def scorer(s, seat, moves):
    """Score at once."""
    return by_weights(s, seat, Weights(points=1.0))


@policy(
    "upordown",
    idea="collects colours: goes further for a card of a column's most frequent colour (with "
    "scoring = length colours are worth nothing: it is a stepper)",
    params=[
        Param("colour", 14, 0, 126, "numbers that it skips for a card of the colour"),
        PATIENCE,
    ],
)
def collector(s, seat, moves, colour, patience):
    """Collect colours."""
    return by_weights(s, seat, Weights(step=1.0, colour=colour, patience=patience))


@policy(
    "upordown",
    idea="takes small steps as a collector does, and in its last turns what scores most at once",
    params=[
        Param("turns", 4, 0, 24, "own turns left from which on only points count"),
        Param("colour", 14, 0, 126, "numbers that it skips for a card of the colour before"),
        PATIENCE,
    ],
)
def finisher(s, seat, moves, turns, colour, patience):
    """Build first, score last."""
    if own_turns_left(s) < turns:
        return by_weights(s, seat, Weights(points=1.0))
    return by_weights(s, seat, Weights(step=1.0, colour=colour, patience=patience))


@policy(
    "upordown",
    idea="trades points against room: a step costs more for each number skipped",
    params=[PRICE],
)
def trader(s, seat, moves, price):
    """Trade points against room."""
    return by_weights(s, seat, Weights(points=1.0, step=price))


@policy(
    "upordown",
    idea="trades points against room, and keeps hand cards far apart, to reach all of the circle",
    params=[
        PRICE,
        Param("spread", 0.02, 0, 10, "points that a number between the hand cards kept is worth"),
    ],
)
def spreader(s, seat, moves, price, spread):
    """Keep the hand spread."""
    return by_weights(s, seat, Weights(points=1.0, step=price, spread=spread))


@policy(
    "upordown",
    idea="plans: what every column may come to with its room and the turns left",
    params=[STRIDE, MATCH],
)
def planner(s, seat, moves, stride, match):
    """Plan the columns."""
    return by_weights(s, seat, Weights(hope=1.0, stride=stride, match=match))


@policy(
    "upordown",
    idea="plans, and spoils: takes what suits the next player, and lays what does not",
    params=[
        Param("deny", 0.1, 0, 2, "share of its worth to the next player that a card counts"),
        STRIDE,
        MATCH,
    ],
)
def spoiler(s, seat, moves, deny, stride, match):
    """Plan and spoil."""
    return by_weights(s, seat, Weights(hope=1.0, stride=stride, match=match, deny=deny))


@policy(
    "upordown",
    idea="a bit of all: plans, counts points at once and steps, spreads its hand, spoils a little",
    params=[
        STRIDE,
        MATCH,
        Param("points", 0.5, 0, 10, "what a point at once is worth beside one hoped for"),
        Param("price", 0.15, 0, 10, "points that a number skipped costs"),
        Param("deny", 0.05, 0, 2, "share of its worth to the next player that a card counts"),
        Param("spread", 0.005, 0, 10, "points that a number between the hand cards kept is worth"),
    ],
    under=[
        # By `cardlab tune --rule scoring=length --rule discard_points=0`: room is worth little.
        (
            {"scoring": ("length",), "discard_points": (0,)},
            {"stride": 1.2, "match": 0.45, "points": 8, "price": 0.35, "deny": 0.1, "spread": 0.02},
        ),
    ],
)
def all_rounder(s, seat, moves, stride, match, points, price, deny, spread):
    """Weigh it all."""
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


# ----------------------------------------------------------------------------------- a turn planned


def by_weights(s, seat, w: Weights):
    """Return the move of a policy that plans its turns."""
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
    """Plan a turn with one of some hand cards: note side and place, return the card.

    A hand card reaches two cards of the circle, and is worth what the better one is, of equal ones
    the lower; of equal plans the first is carried out.
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
    """Return the two cards of a ring that a card lies between [R7] [C5]."""
    return highest(lower(ring, card) or ring), lowest(higher(ring, card) or ring)


def best_pile(s, seat, w: Weights):
    """Return the pile to draw from: the face-up card if it reaches more than a hidden one may.

    A card falls into each gap of the circle as often as the gap is wide.
    """
    if s.face_up_card == 0:
        because("no card can be seen on either pile")
        return FACE_DOWN
    rate(s, seat, s.circle, w)
    hidden, at = 0, 0
    last, previous = o.circle - 1, highest(s.circle) - o.card_count
    for card in s.circle:
        hidden += (card - previous - 1) * max(s.rated[seat][last], s.rated[seat][at])
        previous, last = card, at
        at += 1
    below, above = beside(s.circle, s.face_up_card)
    shown = max(s.rated[seat][below], s.rated[seat][above])
    others = o.card_count - o.circle
    weigh(FACE_UP, shown / PARTS)
    weigh(FACE_DOWN, hidden / (PARTS * others))
    because("draw the face-up card if it reaches more than a hidden one may")
    return FACE_UP if shown * others >= hidden else FACE_DOWN


def note_denials(s, seat, some: cardset, hand: cardset, w: Weights):
    """Note what keeping cards from the next player is worth: of the circle, and of the hand."""
    who = after(seat, 1)
    freed, otherwise = note_columns(s, seat, who, w)
    at = 0
    for card in some:
        worth, _ = best_use(s, seat, who, card, freed, otherwise, w)
        s.denied[seat][at] = int(w.deny * worth)
        at += 1
    at = MOST_CIRCLE_CARDS
    for card in hand:
        worth, _ = best_use(s, seat, who, card, freed, otherwise, w)
        s.denied[seat][at] = int(w.deny * worth)
        at += 1


# --------------------------------------------------------------------- what a card is worth to whom


def rate(s, seat, some: cardset, w: Weights):
    """Note the best use of each of some cards, and what it is worth."""
    freed, otherwise = note_columns(s, seat, seat, w)
    at = 0
    for card in some:
        s.rated[seat][at], s.use[seat][at] = best_use(s, seat, seat, card, freed, otherwise, w)
        at += 1


def note_columns(s, seat, who, w: Weights):
    """Note what the columns of a seat, the own one or the next, are worth as they stand.

    Return how a card is placed that is not appended, and what that is worth apart from the card.
    """
    freed, otherwise = LEAST, GIVE_UP
    for place in range(s.columns_used[who]):
        s.standing[seat][place] = standing_of(s, who, place, w)
        given_up = int(PARTS * worth_of_giving_up(s, who, place, w))
        if given_up >= freed:
            freed, otherwise = given_up, GIVE_UP + place
    if s.columns_used[who] < o.columns:
        freed, otherwise = 0, NEW_COLUMN
    return freed, otherwise


def best_use(s, seat, who, card, freed, otherwise, w: Weights):
    """Return what the best use of a card is worth to a seat, and this use, a `PLACE` move.

    Of moves that are worth the same the greatest. `freed` and `otherwise` are of `note_columns`.
    """
    above, below = more_cards(o.card_count - card, w), more_cards(card - 1, w)
    best, use = LEAST, -1
    for place in range(s.columns_used[who]):
        standing = s.standing[seat][place] / (FINE * PARTS)
        # Reckoned in any case: no processor can guess whether a card fits.
        worth = worth_in_column(s, who, place, card, above, below, w)
        appended = int(PARTS * (worth - standing))
        if fits(s, who, place, card) & (appended >= best):
            best, use = appended, appended_to(place)
    if o.give_up == "free" or otherwise == NEW_COLUMN or use < 0:
        alone = int(PARTS * worth_alone(card, above, below, w)) + freed
        if alone >= best:
            best, use = alone, otherwise
    return best, use


def worth_alone(card, above: float, below: float, w: Weights):
    """Return what a card is worth in a column of its own."""
    room = most_room(card)
    worth = w.points - w.step * (o.card_count - 1.0 - room)
    if w.hope > 0.0:
        more = max(above, below) if o.insert == "end" else more_cards(room, w)
        worth = worth + hoped(1.0, 1.0, more, w)
    return worth


def most_room(card):
    """Return how many numbers are left for a column that begins with a card."""
    if o.insert == "end":
        return max(o.card_count - card, card - 1)
    return o.card_count - 1


def worth_in_column(s, who, place, card, above: float, below: float, w: Weights):
    """Return what a column is worth with a card that it fits.

    `above` and `below` are the cards that may come above and below the card.
    """
    column = s.column[who][place]
    length = len(column)
    most = s.most[who][place]
    same = len(column & o.of_colour[o.colour[card]]) + 1
    room = room_with(s, who, place, card)
    kept = room if o.insert == "anywhere" else room + 1  # the card itself is not skipped
    worth = w.points * scored(max(same, most), length + 1.0) + w.step * kept
    # A second card of the colour of a single one is a step towards a colour, another is none.
    step_towards = same > (most - 1 if length > 1 else most) and o.scoring != "length"
    if w.colour > 0.0 and step_towards:
        worth = worth + w.colour
    if w.hope > 0.0:
        more = more_cards(room, w)
        if o.insert == "end":
            more = above if card > highest(column) else below
        worth = worth + hoped(max(same, most), length + 1.0, more, w)
    return worth


def standing_of(s, who, place, w: Weights):
    """Return what a column is worth as it stands, in fine parts of parts of a point."""
    length, most = len(s.column[who][place]), s.most[who][place]
    room = room_of(s, who, place)
    standing = w.points * scored(most, length) + w.step * room
    if w.hope > 0.0:
        standing = standing + hoped(most, length, more_cards(room, w), w)
    return int(standing * PARTS * FINE)


def worth_of_giving_up(s, who, place, w: Weights):
    """Return what it is worth to give a column up: its points and hopes go, its cards stay."""
    length, most = len(s.column[who][place]), s.most[who][place]
    left = length * o.discard_points
    worth = w.points * (left - scored(most, length)) - w.patience * length
    if w.hope > 0.0:
        hopes = hoped(most, length, more_cards(room_of(s, who, place), w), w)
        worth = worth + (w.hope * left - hopes)
    return worth


def room_of(s, who, place):
    """Return how many numbers are left for a column [R12] [H4]."""
    if o.insert == "anywhere":
        return o.card_count - 1
    top, bottom = highest(s.column[who][place]), lowest(s.column[who][place])
    if o.insert == "both_ends":
        return o.card_count - top + bottom - 1
    up = o.card_count - top if s.way[who][place] != DESCENDING else 0
    down = bottom - 1 if s.way[who][place] != ASCENDING else 0
    return max(up, down)


def room_with(s, who, place, card):
    """Return how many numbers are left for a column with a card that it fits."""
    if o.insert == "anywhere":
        return o.card_count - 1
    top, bottom = highest(s.column[who][place]), lowest(s.column[who][place])
    if o.insert == "both_ends":
        return o.card_count - max(top, card) + min(bottom, card) - 1
    return o.card_count - card if card > top else card - 1


def more_cards(room, w: Weights):
    """Return how many cards may come to a column with so much room.

    Each takes `stride` numbers of it, where it cannot go between others [H4].
    """
    return w.turns if o.insert == "anywhere" else min(room / w.stride, w.turns)


def hoped(most: float, length: float, more: float, w: Weights):
    """Return what is hoped of a column to which so many cards may come."""
    return w.hope * scored(most + w.match * more, length + more)


def scored(most: float, length: float):
    """Return the points of a column, also of as many cards as are hoped for [R18] [H7]."""
    if o.scoring == "length":
        return length
    return most * most if o.scoring == "colour" else length * most


@policy(
    "upordown",
    idea="deals the unseen cards many times, tries every move, plays on with a heuristic",
    params=search_params("upordown", "all_rounder", rollouts=50, winning=10, sure=0.5),
    source="Ginsberg 2001; see strategies/search.py",
)
def search(s, seat, moves):
    """Search; see `strategies.search`."""
