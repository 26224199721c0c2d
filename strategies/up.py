"""Up: policies, simplest first.

All but the first try sorts of moves in turn: the heaviest value, "-2", a clear card, a hidden card,
a tower made to collapse. They differ in the order, in when they change it, and in which value they
find heaviest.
"""

from __future__ import annotations

from simcore.games.up.pack import CLEAR, HIGHEST, MINUS_TWO
from simcore.games.up.rules import (
    DIRTY,
    DOUBLE,
    FOUR,
    KEEP,
    MOST_TO_LEAD,
    OPEN,
    TURN_UP,
    borne,
    highest_borne,
    kind_of,
    kinds_among,
    of_kind,
)
from simcore.language import because, cardset, highest, lowest, nth, o, seats, weigh
from strategies.params import Param
from strategies.registry import answers, policy
from strategies.search import search_params

NO_MOVE = -1

LAY_HEAVY, LAY_MINUS_TWOS, LAY_CLEAR, TURN_ONE_UP, COLLAPSE = range(5)
"""Sorts of moves: all cards of the heaviest value that the tower bears; every "-2" that it bears;
a clear card; a hidden card; the heaviest value of those that are too heavy, or else a "-2" on a
tower that bears none. An open card goes before one from the hand."""

ORDERS = (
    (LAY_HEAVY, LAY_MINUS_TWOS, LAY_CLEAR, TURN_ONE_UP, COLLAPSE),
    (LAY_HEAVY, TURN_ONE_UP, COLLAPSE, LAY_MINUS_TWOS, LAY_CLEAR),
    (TURN_ONE_UP, LAY_HEAVY, LAY_MINUS_TWOS, LAY_CLEAR, COLLAPSE),
    (COLLAPSE, LAY_HEAVY, LAY_MINUS_TWOS, LAY_CLEAR, TURN_ONE_UP),
    (LAY_CLEAR, LAY_MINUS_TWOS, LAY_HEAVY, TURN_ONE_UP, COLLAPSE),
    (LAY_CLEAR, LAY_HEAVY, LAY_MINUS_TWOS, TURN_ONE_UP, COLLAPSE),
    (LAY_MINUS_TWOS, LAY_HEAVY, LAY_CLEAR, TURN_ONE_UP, COLLAPSE),
)
(
    HEAVY_OR_RESCUE,
    HEAVY_OR_SAVE_SPECIALS,
    TURN_UP_FIRST,
    COLLAPSE_FIRST,
    SPECIAL_FIRST,
    CLEAR_FIRST,
    MINUS_TWOS_FIRST,
) = range(len(ORDERS))
"""Orders of sorts of moves: what is tried in turn."""

VALUE = 64
"""Worths are compared in such parts of a value."""

PATIENCE = 40
"""Plays for each player after which a round is long; most end within half of that."""

NO_CAP = 12
"""What a tower without a cap counts as: it bears more than any other."""

LOW_POINTS = range(6)
"""Of "-2" cards that count so little that nobody needs to be rid of them."""

TUNED = (
    # By `cardlab tune --rule clear_cards=0`; of more players against what it found first, too.
    (
        {"clear_cards": (0,), "players": (2,)},
        {"card": 1.4, "open": 1.6, "low": 2, "light": 6, "cap": 9, "cards": 0},
    ),
    ({"clear_cards": (0,)}, {"card": 0.7, "open": 3.3, "low": 4, "light": 4, "cap": 7, "cards": 1}),
    ({"minus_two_points": LOW_POINTS}, {"cards": 0}),
)
"""How `all_rounder` weighs under rules where its usual weights are worse by a point or more."""


@policy(
    "up",
    idea="lays as many cards as it can at once, and of those what lowers the tower least",
    params=[Param("card", 2, 0, 12, "values of the tower that laying one more card is worth")],
)
def greedy(s, seat, moves, card):
    """Lay many."""
    return first_in_order(s, seat, HEAVY_OR_RESCUE, worth_most(s, seat, card, 0.0))


@policy(
    "up",
    idea="sheds what counts most first: the heaviest value; special cards before it near the end",
    params=[Param("cards", 6, 0, 60, "own cards left from which on special cards go first")],
)
def shedder(s, seat, moves, cards):
    """Shed high first."""
    order = special_first() if s.cards_left[seat] <= cards else HEAVY_OR_RESCUE
    return first_in_order(s, seat, order, heaviest(s, seat, 0))


@policy(
    "up",
    idea="frees its hidden cards: open cards before the hand, then turns up when it is safe",
    params=[Param("cap", 6, 0, 12, "lowest cap at which it turns up a hidden card")],
)
def freer(s, seat, moves, cap):
    """Free the hidden cards."""
    order = TURN_UP_FIRST if cap_of(s) >= cap else HEAVY_OR_RESCUE
    return first_in_order(s, seat, order, heaviest(s, seat, HIGHEST))


@policy(
    "up",
    idea='hoards "-2" and clear cards, and takes towers for it, until it has few cards left',
    params=[
        Param("threshold", 6, 0, 60, "own cards left from which on it plays special cards"),
        Param("tower", 3, 0, 143, "most cards that it takes to save a special card"),
    ],
)
def hoarder(s, seat, moves, threshold, tower):
    """Hoard special cards with many cards left, on small towers."""
    saves = s.cards_left[seat] > threshold and len(s.tower) <= tower
    order = HEAVY_OR_SAVE_SPECIALS if saves else HEAVY_OR_RESCUE
    return first_in_order(s, seat, order, heaviest(s, seat, 0))


@policy(
    "up",
    idea="collapses small low towers on purpose early in the round, to collect low cards and lead",
    params=[
        Param("cards", 2, 0, 20, "most cards it takes"),
        Param("cap", 4, 0, 11, "highest cap of a low tower"),
        Param("laps", 4, 0, 100, "laps of the round in which it does so"),
    ],
)
def collapser(s, seat, moves, cards, cap, laps):
    """Collapse on purpose."""
    is_low = len(s.tower) <= cards and cap_of(s) <= cap
    order = COLLAPSE_FIRST if is_low and s.plays < laps * o.players else HEAVY_OR_RESCUE
    return first_in_order(s, seat, order, heaviest(s, seat, 0))


@policy(
    "up",
    idea="watches for an opponent about to finish: then blocks with low caps and dumps what counts",
    params=[Param("cards", 3, 0, 13, "cards left of an opponent that put it on its guard")],
)
def guard(s, seat, moves, cards):
    """Guard against an opponent about to finish."""
    order = special_first() if is_near(s, seat, cards) else HEAVY_OR_RESCUE
    return first_in_order(s, seat, order, heaviest(s, seat, 0))


@policy(
    "up",
    idea='a bit of all: most cards, open cards, hidden ones; "-2" before low cards and as a guard',
    params=[
        # By `cardlab tune --against all_rounder,guard,greedy --budget 400000`.
        Param("card", 1.6, 0, 12, "values that laying one more card is worth"),
        Param("open", 2.5, 0, 12, "values that each card is worth more if it is an open one"),
        Param("low", 3, 0, 11, 'it lays a "-2" rather than a value up to this'),
        Param("light", 5, 0, 11, "it turns up a hidden card rather than lay a value up to this"),
        Param("cap", 8, 0, 12, "lowest cap at which it does so"),
        Param("cards", 2, 0, 60, "cards left of an opponent that put it on its guard"),
    ],
    under=TUNED,
)
def all_rounder(s, seat, moves, card, open, low, light, cap, cards):  # noqa: A002
    """Weigh cards against values, save low cards, and guard."""
    best = worth_most(s, seat, card, open)
    value = 0 if best == NO_MOVE else kind_of(s, best & (OPEN - 1))
    if not completes_four(s, seat):
        leads_with_twos = o.minus_two_lead and s.cap == 0
        if (value <= low or is_near(s, seat, cards)) and not leads_with_twos:
            twos = minus_twos(s, seat)
            if twos != NO_MOVE:
                because('lay "-2" before a low card, or against an opponent about to finish')
                return twos
        if value <= light and cap_of(s) >= cap and s.may_turn_up[seat]:
            because("turn up a hidden card rather than lay a low one")
            return TURN_UP
    return first_in_order(s, seat, HEAVY_OR_RESCUE, best)


# ---------------------------------------------------------------------------------- before the play


@answers(
    "up", "greedy", "shedder", "freer", "hoarder", "collapser", "guard", "all_rounder", to="CUT"
)
def keep(s, seat, moves):
    """Keep the special card found at the cut."""
    because("keep the special card found at the cut")
    return KEEP


@answers("up", "greedy", "shedder", "freer", "collapser", to="DECLARE")
def announce_nothing(s, seat, moves):
    """Announce nothing."""
    return 0


@answers("up", "hoarder", "guard", to="DECLARE")
def announce_boldly(s, seat, moves):
    """Announce what suits the cards, with one such card."""
    return announcement(s, seat, 1)


@answers("up", "all_rounder", to="DECLARE")
def announce(s, seat, moves):
    """Announce what suits the cards: the double two with two "-2"."""
    return announcement(s, seat, 2)


def announcement(s, seat, twos):
    """Return what suits the cards.

    The dirty one suits whoever has a 1 in sight: it bears on any tower, and so is seldom left over.
    The double two suits whoever has so many "-2" that they are worth more laid together as 2s than
    one by one as what they are.
    """
    mine = s.hand[seat] | s.open_cards[seat]
    way = 0
    if o.dirty_one == "forehand" and mine & o.of_kind[1]:
        because("a 1 in sight is seldom left over")
        way += DIRTY
    if o.double_two == "forehand" and len(mine & o.of_kind[MINUS_TWO]) >= twos:
        because('"-2" are worth more laid together as 2s')
        way += DOUBLE
    return way


# --------------------------------------------------------------------------- what policies look at


def cap_of(s):
    """Return the cap of the tower, where none is more than any."""
    return s.cap if s.cap > 0 else NO_CAP


def is_near(s, seat, cards: float):
    """Tell whether an opponent has no more cards than this."""
    for one in seats():
        if one != seat and s.cards_left[one] <= cards:
            return True
    return False


def special_first():
    """Return the order with special cards first, as far as they count more than heavy ones [H5]."""
    if o.clear_points < HIGHEST:
        return HEAVY_OR_RESCUE if o.minus_two_points < HIGHEST else MINUS_TWOS_FIRST
    return CLEAR_FIRST if o.minus_two_points < HIGHEST else SPECIAL_FIRST


# ------------------------------------------------------------------------------ the sorts of moves


def first_in_order(s, seat, order, heavy):
    """Return a move of the first sort of which there is one; `heavy` is that of `LAY_HEAVY`."""
    for place in range(5):
        sort = ORDERS[order][place]
        way = NO_MOVE
        if sort == LAY_HEAVY:
            way = heavy
        elif sort == LAY_MINUS_TWOS:
            way = minus_twos(s, seat)
        elif sort == LAY_CLEAR:
            way = clear_card(s, seat)
        elif sort == COLLAPSE:
            way = collapse(s, seat)
        elif s.may_turn_up[seat]:
            because("turn up a hidden card")
            way = TURN_UP
        if way != NO_MOVE:
            return way
    return NO_MOVE


def all_of(s, seat, kind, from_hand: bool):
    """Return the move that lays all cards of a kind from a source."""
    if from_hand:
        return highest(s.hand_moves[seat] & of_kind(s, kind))
    return OPEN + highest(s.open_moves[seat] & of_kind(s, kind))


def heaviest(s, seat, per_open):
    """Return the move that lays all cards of the heaviest value that the tower bears.

    Of those of the hand and of the open cards, which count as so much heavier. Four equal cards go
    before all else: they are as good as a clear card, and shed at least as many [H10].
    """
    if completes_four(s, seat):
        return four_equal(s, seat)
    in_hand = highest_value(s, s.hand_moves[seat] & borne(s))
    in_open = highest_value(s, s.open_moves[seat] & borne(s))
    if in_hand == 0 and in_open == 0:
        return NO_MOVE
    because("lay the heaviest value that the tower bears, all its cards")
    if in_open == 0 or in_hand > in_open + per_open:
        return all_of(s, seat, in_hand, True)
    return all_of(s, seat, in_open, False)


def highest_value(s, numbers: cardset):
    """Return the highest value of number cards, 0 if there are none."""
    return o.kind[highest(kinds_among(s, numbers))] if numbers else 0


def worth_most(s, seat, per_card: float, per_open: float):
    """Return the move that lays all cards of the value worth most: itself, and for each card more.

    In a long round cards of the hand count nothing. (Players who lead the same many cards again and
    again, and take them up again and again, would never get rid of their heavy ones.)
    """
    if completes_four(s, seat):
        return four_equal(s, seat)
    is_late = s.plays > PATIENCE * o.players
    hand_weight = 0 if is_late else int(VALUE * per_card)
    open_weight = int(VALUE * per_open) if is_late else int(VALUE * (per_card + per_open))
    best, way = -1, NO_MOVE
    for card in kinds_among(s, (s.hand_moves[seat] | s.open_moves[seat]) & borne(s)):
        kind = o.kind[card]
        by_hand = len(s.hand_moves[seat] & of_kind(s, kind))
        by_open = len(s.open_moves[seat] & of_kind(s, kind))
        from_hand = by_hand * hand_weight > by_open * open_weight
        worth = VALUE * kind + max(by_hand * hand_weight, by_open * open_weight)
        each = all_of(s, seat, kind, from_hand or by_open == 0)
        weigh(each, worth / VALUE)
        if worth >= best:
            best, way = worth, each
    if way != NO_MOVE:
        because("lay all cards of the value, borne by the tower, that is worth most")
    return way


def completes_four(s, seat):
    """Tell whether four equal cards could be completed on the tower [H10]."""
    return bool(o.four_clear) and four_equal(s, seat) != NO_MOVE


def four_equal(s, seat):
    """Return the move that completes four equal cards of the heaviest value, first of the hand."""
    way = NO_MOVE
    for card in kinds_among(s, (s.hand_moves[seat] | s.open_moves[seat]) & borne(s)):
        kind = o.kind[card]
        on_top = s.equal if kind == s.cap else 0
        by_hand = len(s.hand_moves[seat] & of_kind(s, kind))
        by_open = len(s.open_moves[seat] & of_kind(s, kind))
        if by_hand > 0 and by_hand + on_top >= FOUR:
            way = all_of(s, seat, kind, True)
        elif by_open > 0 and by_open + on_top >= FOUR:
            way = all_of(s, seat, kind, False)
    if way != NO_MOVE:
        because("complete four equal cards, which take the tower out of the game")
    return way


def minus_twos(s, seat):
    """Return the move that lays all "-2" that the tower bears, not more [H7]."""
    if s.double:
        return NO_MOVE
    leads = s.cap == 0
    few = (MOST_TO_LEAD if o.minus_two_lead else 0) if leads else (s.cap - 1) // 2
    open_twos = s.open_moves[seat] & o.of_kind[MINUS_TWO]
    hand_twos = s.hand_moves[seat] & o.of_kind[MINUS_TWO]
    if few == 0 or not (open_twos or hand_twos):
        return NO_MOVE
    because('lay all "-2" that the tower bears')
    if open_twos:
        return OPEN + nth(open_twos, min(few, len(open_twos)) - 1)
    return nth(hand_twos, min(few, len(hand_twos)) - 1)


def clear_card(s, seat):
    """Return the move that plays a clear card."""
    if s.open_moves[seat] & o.of_kind[CLEAR]:
        because("lay a clear card")
        return OPEN + highest(s.open_moves[seat] & o.of_kind[CLEAR])
    if s.hand_moves[seat] & o.of_kind[CLEAR]:
        because("lay a clear card")
        return highest(s.hand_moves[seat] & o.of_kind[CLEAR])
    return NO_MOVE


def collapse(s, seat):
    """Return the move that makes the tower collapse, with the heaviest card that does.

    With an open card if possible, which so gets off the table; with a single "-2" only on a tower
    that bears none, and if there is no other card.
    """
    heavier = o.borne[0] - o.borne[s.cap]  # of each value one card stands for all
    open_heavy, hand_heavy = s.open_moves[seat] & heavier, s.hand_moves[seat] & heavier
    in_open = OPEN + highest(open_heavy) if open_heavy else NO_MOVE
    in_hand = highest(hand_heavy) if hand_heavy else NO_MOVE
    none = in_open == NO_MOVE and in_hand == NO_MOVE
    if s.double or (none and 0 < s.cap <= 2):
        # With the double two a "-2" that is too heavy stands for the heaviest kind.
        if s.open_moves[seat] & too_heavy_twos(s):
            in_open = OPEN + lowest(s.open_moves[seat] & too_heavy_twos(s))
        if s.hand_moves[seat] & too_heavy_twos(s):
            in_hand = lowest(s.hand_moves[seat] & too_heavy_twos(s))
    if in_open == NO_MOVE and in_hand == NO_MOVE:
        return NO_MOVE
    because("make the tower collapse, with an open card if possible")
    return in_hand if in_open == NO_MOVE else in_open


def too_heavy_twos(s):
    """Return the "-2", unless the tower bears 2s and they are such."""
    return set() if s.double and highest_borne(s) >= 2 else o.of_kind[MINUS_TWO]


@policy(
    "up",
    idea="deals the unseen cards many times, tries every move, plays on with a heuristic",
    params=search_params("up", "all_rounder", rollouts=100, winning=10, sure=0.5),
    source="Ginsberg 2001; see strategies/search.py",
)
def search(s, seat, moves):
    """Search; at the cut, before anything is dealt, do as the heuristic does."""
