"""Up: policies, simplest first.

Each policy tries the kinds of play in order: the heaviest value, "-2", a clear card, a hidden card,
a collapse of the tower. The policies differ in that order, in when they change it, and in the value
that they call heaviest.
"""

from __future__ import annotations

from simcore.games.up.pack import CLEAR, HIGHEST, MINUS_TWO
from simcore.games.up.rules import *
from simcore.language import *
from strategies.params import Param
from strategies.search import search_params

NO_MOVE = -1

LAY_HEAVY, LAY_MINUS_TWOS, LAY_CLEAR, TURN_ONE_UP, COLLAPSE = range(5)
"""Kinds of play: all cards of the heaviest value that the tower bears; every "-2" that it bears;
a clear card; a hidden card; the heaviest card that is too heavy, or else a "-2" on a tower that
bears none. Open cards go before hand cards."""

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
"""Rows of `ORDERS`: which kinds of play are tried, first to last."""

VALUE = 64
"""Fixed-point scale: worths are compared in 64ths of a card value."""

PATIENCE = 40
"""Plays per player after which a round counts as long; most rounds take less than half as many."""

NO_CAP = 12
"""The cap that an empty tower counts as: it bears more than any other."""

LOW_POINTS = range(6)
"""Points of a "-2" so low that shedding it is not worth a move."""

UNDER = {
    "all_rounder": (
        # By `cardlab tune --rule clear_cards=0`; with 3 or more players also against its first
        # result.
        (
            {"clear_cards": (0,), "players": (2,)},
            {"card": 1.4, "open": 1.6, "low": 2, "light": 6, "cap": 9, "cards": 0},
        ),
        (
            {"clear_cards": (0,)},
            {"card": 0.7, "open": 3.3, "low": 4, "light": 4, "cap": 7, "cards": 1},
        ),
        ({"minus_two_points": LOW_POINTS}, {"cards": 0}),
    )
}
"""Rules, and the weights that apply under them: where the defaults lose a point or more."""


@policy(
    idea="lays as many cards as it can at once, and of those what lowers the tower least",
    params=[Param("card", 2, 0, 12, "values of the tower that laying one more card is worth")],
)
def greedy(s, seat, moves, card):
    return first_in_order(s, seat, HEAVY_OR_RESCUE, worth_most(s, seat, card, 0.0))


@policy(
    idea="sheds what counts most first: the heaviest value; special cards before it near the end",
    params=[Param("cards", 6, 0, 60, "own cards left from which on special cards go first")],
)
def shedder(s, seat, moves, cards):
    order = special_first() if s.cards_left[seat] <= cards else HEAVY_OR_RESCUE
    return first_in_order(s, seat, order, heaviest(s, seat, 0))


@policy(
    idea="frees its hidden cards: open cards before the hand, then turns up when it is safe",
    params=[Param("cap", 6, 0, 12, "lowest cap at which it turns up a hidden card")],
)
def freer(s, seat, moves, cap):
    order = TURN_UP_FIRST if cap_of(s) >= cap else HEAVY_OR_RESCUE
    return first_in_order(s, seat, order, heaviest(s, seat, HIGHEST))


@policy(
    idea='hoards "-2" and clear cards, and takes towers for it, until it has few cards left',
    params=[
        Param("threshold", 6, 0, 60, "own cards left from which on it plays special cards"),
        Param("tower", 3, 0, 143, "most cards that it takes to save a special card"),
    ],
)
def hoarder(s, seat, moves, threshold, tower):
    saves = s.cards_left[seat] > threshold and len(s.tower) <= tower
    order = HEAVY_OR_SAVE_SPECIALS if saves else HEAVY_OR_RESCUE
    return first_in_order(s, seat, order, heaviest(s, seat, 0))


@policy(
    idea="collapses small low towers on purpose early in the round, to collect low cards and lead",
    params=[
        Param("cards", 2, 0, 20, "most cards it takes"),
        Param("cap", 4, 0, 11, "highest cap of a low tower"),
        Param("laps", 4, 0, 100, "laps of the round in which it does so"),
    ],
)
def collapser(s, seat, moves, cards, cap, laps):
    is_low = len(s.tower) <= cards and cap_of(s) <= cap
    order = COLLAPSE_FIRST if is_low and s.plays < laps * o.players else HEAVY_OR_RESCUE
    return first_in_order(s, seat, order, heaviest(s, seat, 0))


@policy(
    idea="watches for an opponent about to finish: then blocks with low caps and dumps what counts",
    params=[Param("cards", 3, 0, 13, "cards left of an opponent that put it on its guard")],
)
def guard(s, seat, moves, cards):
    order = special_first() if is_near(s, seat, cards) else HEAVY_OR_RESCUE
    return first_in_order(s, seat, order, heaviest(s, seat, 0))


@policy(
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
)
def all_rounder(s, seat, moves, card, open, low, light, cap, cards):  # noqa: A002
    best = worth_most(s, seat, card, open)
    value = 0 if best == NO_MOVE else kind_of(s, best & (OPEN - 1))
    # Four equal cards clear the tower, which is worth more than saving a low card.
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


@answers("greedy", "shedder", "freer", "hoarder", "collapser", "guard", "all_rounder", to="CUT")
def keep(s, seat, moves):
    """Keep the special card found at the cut."""
    because("keep the special card found at the cut")
    return KEEP


@answers("greedy", "shedder", "freer", "collapser", to="DECLARE")
def announce_nothing(s, seat, moves):
    """Announce nothing."""
    return 0


@answers("hoarder", "guard", to="DECLARE")
def announce_boldly(s, seat, moves):
    """Announce what suits the cards: the double two with one "-2"."""
    return announcement(s, seat, 1)


@answers("all_rounder", to="DECLARE")
def announce_cautiously(s, seat, moves):
    """Announce what suits the cards: the double two with two "-2"."""
    return announcement(s, seat, 2)


def announcement(s, seat, twos):
    """Return the announcement that suits a seat's cards; it takes `twos` "-2" for the double two.

    The dirty one suits a seat that sees a 1 among its cards: every tower bears a 1, so it is seldom
    left over. The double two suits a seat with enough "-2" to shed them together as 2s.
    """
    mine = s.hand[seat] | s.open_cards[seat]
    announced = 0
    if o.dirty_one == "forehand" and mine & o.of_kind[1]:
        because("a 1 in sight is seldom left over")
        announced += DIRTY
    if o.double_two == "forehand" and len(mine & o.of_kind[MINUS_TWO]) >= twos:
        because('"-2" are worth more laid together as 2s')
        announced += DOUBLE
    return announced


# ------------------------------------------------------------------------------ reading the table


def cap_of(s):
    """Return the cap of the tower; an empty tower counts as `NO_CAP`."""
    return s.cap if s.cap > 0 else NO_CAP


def is_near(s, seat, cards: float):
    """Tell whether an opponent has at most `cards` cards left."""
    for other in seats():
        if other != seat and s.cards_left[other] <= cards:
            return True
    return False


def special_first():
    """Return the order with those special cards first that cost more than heavy ones [H5]."""
    if o.clear_points < HIGHEST:
        return HEAVY_OR_RESCUE if o.minus_two_points < HIGHEST else MINUS_TWOS_FIRST
    return CLEAR_FIRST if o.minus_two_points < HIGHEST else SPECIAL_FIRST


# ------------------------------------------------------------------------------- the kinds of play


def first_in_order(s, seat, order, heavy):
    """Return the first move that exists in an order of `ORDERS`; `heavy` is for `LAY_HEAVY`."""
    for place in range(5):
        sort = ORDERS[order][place]
        move = NO_MOVE
        if sort == LAY_HEAVY:
            move = heavy
        elif sort == LAY_MINUS_TWOS:
            move = minus_twos(s, seat)
        elif sort == LAY_CLEAR:
            move = clear_card(s, seat)
        elif sort == COLLAPSE:
            move = make_collapse(s, seat)
        elif s.may_turn_up[seat]:
            because("turn up a hidden card")
            move = TURN_UP
        if move != NO_MOVE:
            return move
    return NO_MOVE


def all_of(s, seat, kind, from_hand: bool):
    """Return the move that lays all cards of a kind from a source."""
    # A move names the last card to lay of its kind, so the highest one lays all.
    if from_hand:
        return highest(s.hand_moves[seat] & of_kind(s, kind))
    return OPEN + highest(s.open_moves[seat] & of_kind(s, kind))


def heaviest(s, seat, per_open):
    """Return the move that lays all cards of the heaviest value that the tower bears.

    Open cards count as `per_open` heavier. Four equal cards go before all else: they clear the
    tower as a clear card does, and shed at least as many [H10].
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
    """Return the move that lays all cards of the value worth most.

    A value is worth its weight, plus `per_card` for each card (open ones: plus `per_open` as well).
    In a long round the number of hand cards no longer counts: players who keep leading the same
    large set, and keep taking it up again, would never shed their heavy cards.
    """
    if completes_four(s, seat):
        return four_equal(s, seat)
    is_late = s.plays > PATIENCE * o.players
    hand_weight = 0 if is_late else int(VALUE * per_card)
    open_weight = int(VALUE * per_open) if is_late else int(VALUE * (per_card + per_open))
    best, best_move = -1, NO_MOVE
    for card in kinds_among(s, (s.hand_moves[seat] | s.open_moves[seat]) & borne(s)):
        kind = o.kind[card]
        by_hand = len(s.hand_moves[seat] & of_kind(s, kind))
        by_open = len(s.open_moves[seat] & of_kind(s, kind))
        from_hand = by_hand * hand_weight > by_open * open_weight
        worth = VALUE * kind + max(by_hand * hand_weight, by_open * open_weight)
        move = all_of(s, seat, kind, from_hand or by_open == 0)
        weigh(move, worth / VALUE)
        if worth >= best:  # kinds come in ascending order, so ties go to the heavier one
            best, best_move = worth, move
    if best_move != NO_MOVE:
        because("lay all cards of the value, borne by the tower, that is worth most")
    return best_move


def completes_four(s, seat):
    """Tell whether the seat can complete four equal cards on the tower [H10]."""
    return bool(o.four_clear) and four_equal(s, seat) != NO_MOVE


def four_equal(s, seat):
    """Return the move that completes four equal cards of the heaviest value, if any."""
    move = NO_MOVE
    for card in kinds_among(s, (s.hand_moves[seat] | s.open_moves[seat]) & borne(s)):
        kind = o.kind[card]
        on_top = s.equal if kind == s.cap else 0
        by_hand = len(s.hand_moves[seat] & of_kind(s, kind))
        by_open = len(s.open_moves[seat] & of_kind(s, kind))
        if by_hand > 0 and by_hand + on_top >= FOUR:
            move = all_of(s, seat, kind, True)
        elif by_open > 0 and by_open + on_top >= FOUR:
            move = all_of(s, seat, kind, False)
    if move != NO_MOVE:
        because("complete four equal cards, which take the tower out of the game")
    return move


def minus_twos(s, seat):
    """Return the move that lays as many "-2" as the tower bears [H7]."""
    if s.double:  # the "-2" are 2s, which are laid as number cards
        return NO_MOVE
    leads = s.cap == 0
    # Each "-2" lowers the cap by 2, and at least 1 must be left.
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


def make_collapse(s, seat):
    """Return the move that makes the tower collapse, with the heaviest card that does.

    An open card goes first, because it then reaches the hand. A single "-2" is laid only on a tower
    that bears none, and only if no other card is too heavy.
    """
    heavier = o.borne[0] - o.borne[s.cap]
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
    """Return the "-2" that are too heavy: none where they count as 2s that the tower bears."""
    return set() if s.double and highest_borne(s) >= 2 else o.of_kind[MINUS_TWO]


SEARCH = search_params("up", "all_rounder", rollouts=100, winning=10, sure=0.5)
"""At the cut, before anything is dealt, it plays like the heuristic."""
