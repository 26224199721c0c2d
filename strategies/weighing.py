"""Which functions are a policy's pieces of play, and how what they rate is read as weights.

For `strategies.reasons`, which notes their calls. A function here takes the modules of the game's
policies, TABLE and SEAT, the call of a piece with what was rated in it, and the legal moves; it
returns what each move was worth, of those that were looked at. It rates nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from simcore.games.dnup.cards import LARGE_ROW, ROWS
from simcore.games.dnup.spec import (
    FEEDS,
    GAIN,
    GAIN_BITS,
    LARGEST_FIRST,
    LAST_OF_VALUE,
    NO_GAIN,
    WARY,
    WARY_BITS,
)
from simcore.games.dnup.table import ADD, PLAY, TAKE, TURN
from simcore.games.updown.choice import LEAST_WORTH
from simcore.games.updown.table import KEEP, ROLL
from simcore.games.upordown.cards import BYTE, card_at
from simcore.games.upordown.table import CARD, FACE_DOWN, FACE_UP, GIVE_UP, NEW_COLUMN
from simcore.games.upordown.worth import WORTH_UNIT
from simcore.reason import Reason, Weight
from strategies.search import ROLLOUTS, search_moves

Modules = Mapping[str, ModuleType]
Rating = tuple[str, tuple[Any, ...], Any]


FOLLOWED = "Do what the rollout policy would, as nothing is searched here"


@dataclass(frozen=True)
class Call:
    """A call of a piece of play: what was returned and rated, and the piece in words."""

    name: str
    args: tuple[Any, ...]
    result: Any
    ratings: Sequence[Rating]
    step: str

    def rated(self, name: str) -> list[tuple[tuple[Any, ...], Any]]:
        """Return arguments and results of a function that rates."""
        return [(args, result) for one, args, result in self.ratings if one == name]


Weights = dict[int, float]
Weigh = Callable[[Modules, Any, Any, Call, Sequence[int]], Weights]


def _as_it_is(result: Any, _table: Any, _seat: Any) -> Any:
    return result


def _never(_call: Call) -> bool:
    return False


@dataclass(frozen=True)
class Piece:
    """A function that looks for a move.

    Attributes
    ----------
    unit : str
        What its weights are.
    weigh : callable, optional
        Reads the weights.
    sign : int
        1 when the greatest weight is best, -1 when the least is.
    words : str
        In place of the first line of its docstring.
    move : callable
        Returns the move, or -1, or a list of moves, from what the function returned.
    tell : callable, optional
        Returns, of the call, the words in place of these, and what nothing came of.
    is_left_out : callable
        Tells whether the policy has no such piece, though the function was called.
    """

    unit: str = ""
    weigh: Weigh | None = None
    sign: int = 1
    words: str = ""
    move: Callable[[Any, Any, Any], Any] = _as_it_is
    tell: Callable[[Modules, Call], tuple[str, list[str]]] | None = None
    is_left_out: Callable[[Call], bool] = _never


AT_RANDOM = Piece(words="Draw one of the {n} legal moves, each as likely")


# ---------------------------------------------------------------- Up


def _sort(modules: Modules, call: Call) -> tuple[int, list[int]]:
    """Return the sort of moves that went first, and those that would have gone before it."""
    (((_, _, _, order, *_), number),) = call.rated("first_sort")
    spec, rules = modules["spec"], modules["by_spec"]
    rank = int(number) >> rules.RANK_PLACE
    ranks = [int(order) >> spec.RANK_BITS * sort & 7 for sort in range(spec.SORTS)]
    put_first = {0: spec.LAY_MINUS_TWOS, 1: spec.TURN_UP}
    sort = put_first[rank] if rank in put_first else ranks.index(rank)
    before = sorted(range(spec.SORTS), key=ranks.__getitem__)
    return sort, [other for other in before if ranks[other] < rank]


def _sorts(modules: Modules, call: Call) -> tuple[str, list[str]]:
    words = list(modules["spec"].SORTS_IN_WORDS)
    if call.rated("worth_of"):
        words[0] = "Lay all cards of the value, borne by the tower, that is worth most"
    sort, before = _sort(modules, call)
    return words[sort], [words[other] for other in before]


def _kinds(modules: Modules, table: Any, seat: Any, call: Call, _moves: Any) -> Weights:
    rules = modules["by_spec"]
    weights = {}
    if _sort(modules, call)[0] == modules["spec"].LAY_HEAVY:
        for (kinds, *weighed), ratings in call.rated("worth_of"):
            for kind, rating in zip(kinds, ratings, strict=True):
                if rating:
                    sort = rules.sort_of_kind(kind, rules.hand_goes_first(kind, *weighed))
                    weights[int(rules.move_of_sort(table, seat, sort))] = (
                        int(rating) >> 4
                    ) / modules["spec"].VALUE
    return weights


# ---------------------------------------------------------------- UP & DOWN


def _ranks(_modules: Any, _table: Any, _seat: Any, call: Call, _moves: Any) -> Weights:
    return {change: float(rank) for change, (_, rank) in enumerate(call.rated("rank"))}


def _counts(_modules: Any, _table: Any, _seat: Any, call: Call, _moves: Any) -> Weights:
    worths = {args[0]: float(worth) for args, worth in call.rated("worth_by_count")}
    return {change: worth for change, worth in worths.items() if worth > LEAST_WORTH}


def _chances(_modules: Any, _table: Any, _seat: Any, call: Call, _moves: Any) -> Weights:
    chances = {args[0]: float(chance) for args, chance in call.rated("best_chance")}
    for _, rolling in call.rated("worth_of_rolling"):
        chances[ROLL] = float(rolling)
    return chances


_KEEPS = "Keep the rules if that is better than the best change of them"


def _kept_ranks(_modules: Any, _table: Any, _seat: Any, call: Call, _moves: Any) -> Weights:
    (_, changed), (_, kept) = call.rated("rank")
    return {int(call.args[0]): float(changed), KEEP: float(kept)}


def _with_value(value_bit: Any, table: Any, seat: Any) -> int:
    """Return the card in hand with a value, one in the own colour if possible, or -1."""
    value = int(value_bit).bit_length() - 1
    cards = [card for card in range(64) if seat.hand >> card & 1 and card & 15 == value]
    own = (int(table.shifts[table.seat]) - int(table.turn)) % 64 + value
    return own if own in cards else min(cards, default=-1)


def _values(_modules: Any, table: Any, seat: Any, call: Call, _moves: Any) -> Weights:
    return {
        _with_value(args[0], table, seat): float(worth)
        for name in ("gain_of", "worth_of_value")
        for args, worth in call.rated(name)
    }


def _best_value(result: Any, table: Any, seat: Any) -> int:
    return _with_value(result[0], table, seat)


def _lowest(cards: Any, _table: Any, _seat: Any) -> int:
    return int(cards).bit_length() - 1


# ---------------------------------------------------------------- dnup


def _rows(modules: Modules, _table: Any, seat: Any, call: Call, _moves: Any) -> Weights:
    choice = modules["choice"]
    card = np.int64(seat.spec[1]).view(np.float64)
    if seat.spec[0] == 0 or card >= LARGEST_FIRST or choice.counts(seat.spec[0]):
        return {}
    rated = [choice.in_row(int(call.result), card, row) for row in range(ROWS - 1)]
    return {int(place): float(worth) for worth, place in rated if worth >= 0}


def _on_sets(kind: int) -> Callable[[Any, Any, Any], list[int]]:
    """Return what reads bits of a chart as moves of a kind."""

    def read(sets: Any, _table: Any, _seat: Any) -> list[int]:
        return [kind + place for place in range(LARGE_ROW) if int(sets) >> place & 1]

    return read


def _turn_or_take(sets: Any, _table: Any, seat: Any) -> list[int]:
    return _on_sets(TAKE)(int(sets) & int(seat.takes), _table, seat) or [TURN]


def _has(place: int, bits: int, none: int = 0) -> Callable[[Call], bool]:
    """Return what tells whether the habits, the first argument, leave a piece out."""
    return lambda call: int(call.args[0]) >> place & bits == none


def _threats(_modules: Any, _table: Any, _seat: Any, call: Call, _moves: Any) -> Weights:
    return {int(args[0]): float(threat) for args, threat in call.rated("threat_to")}


# ---------------------------------------------------------------- Up or down?


def _plans(_modules: Any, table: Any, seat: Any, call: Call, _moves: Any) -> Weights:
    laid = {
        int(card_at(int(hand), BYTE * number)): np.floor(worth)
        for (_, _, hand, number, *_), worth in call.rated("worth_of_laying")
    }
    if table.phase == CARD:
        return {card: worth / WORTH_UNIT for card, worth in laid.items()}
    # The only card left is laid; its two neighbours are worth what they are in the circle.
    ((card, worth),) = laid.items()
    gap = sum(lower < card for lower in seat.ring[1 : table.circle_cards + 1])
    best = np.floor(seat.rated[gap : gap + 2])
    return {side: (worth + best[side] - max(best)) / WORTH_UNIT for side in range(2)}


def _placings(_modules: Any, _table: Any, _seat: Any, call: Call, moves: Sequence[int]) -> Weights:
    weights = {BYTE * place + BYTE - 1: rating for (_, place), rating in call.rated("with_move")}
    (((fresh, *_), _),) = call.rated("better_of")
    for place, (_, (_, given_up)) in enumerate(call.rated("weigh")):
        if NEW_COLUMN not in moves:
            weights[GIVE_UP + place] = fresh + given_up
    weights[NEW_COLUMN] = fresh
    return {
        move: float(np.floor(np.ravel(worth)[0])) / WORTH_UNIT
        for move, worth in weights.items()
        if move in moves
    }


def _piles(_modules: Any, table: Any, _seat: Any, call: Call, _moves: Any) -> Weights:
    (((shown, hidden, weights, _), _),) = call.rated("is_shown_better")
    others = weights.cards - int(table.circle_cards)
    worths = {FACE_UP: np.floor(shown), FACE_DOWN: hidden / others}
    return {pile: float(worth) / WORTH_UNIT for pile, worth in worths.items()}


def _appends(_modules: Any, call: Call) -> tuple[str, list[str]]:
    """Return how an appender places its card, and what it tried in vain."""
    first = "Append the card to the first column that it fits, else start a column"
    if int(call.result) <= NEW_COLUMN:
        return first, []
    return "Give up the shortest column", [first]


def _planned(result: Any, table: Any, seat: Any) -> Any:
    return result if table.phase == CARD else seat.memory[1]


POINTS = "points, as the policy counts them"

PIECES: dict[str, dict[str, Piece]] = {
    "up": {
        "random_move": AT_RANDOM,
        "announce_by_spec": Piece(),
        "move_by_spec": Piece("the value, and what its cards add", _kinds, tell=_sorts),
    },
    "updown": {
        "random_move": AT_RANDOM,
        "surest_card": Piece(
            words="Play the best card that can win, no trump while it saves them",
            move=_with_value,
        ),
        "shed": Piece(
            words="Shed the least useful card, one that cannot win if there is any", move=_lowest
        ),
        "cancel": Piece(
            words="Play a card that cancels what others would like to play", move=_lowest
        ),
        "least_cancelled": Piece(
            "rank, less what equal unseen cards take off",
            _values,
            words="Play the card that can win of the best rank that is least likely cancelled",
            move=_best_value,
        ),
        "change_for_best_card": Piece("rank of the best own card, 11 the highest", _ranks),
        "kept_for_best_card": Piece(
            "rank of the best own card, 11 the highest", _kept_ranks, words=_KEEPS
        ),
        "change_by_count": Piece("rank of the best own card, less what beats it", _counts),
        "kept_by_count": Piece(
            "rank of the best own card, less what beats it", _counts, words=_KEEPS
        ),
        "change_by_chance": Piece("chance of the best card", _chances),
        "best_bet": Piece(
            "tricks to be expected, less what a trump is worth when kept",
            _values,
            words="Play the card that can win from which most is to be expected, if that is enough",
            move=_best_value,
        ),
        "bet_anyway": Piece(
            words="Play the card from which most is to be expected all the same", move=_with_value
        ),
    },
    "dnup": {
        "random_move": AT_RANDOM,
        "pick_least_useful": Piece(),
        "go_out": Piece(),
        "last_cards": Piece(words="Play all hand cards at once", move=_on_sets(PLAY)),
        "last_card": Piece(words="Add the last hand card", move=_on_sets(ADD)),
        "beat_victim": Piece(
            words="Send back a set of the opponent with the fewest cards",
            move=_on_sets(PLAY),
            is_left_out=_has(WARY, WARY_BITS),
        ),
        "turn_for": Piece(
            words="Turn the hand when its other side has so many different values fewer",
            move=lambda result, _table, _seat: [TURN] if result else [],
            is_left_out=_has(GAIN, GAIN_BITS, NO_GAIN),
        ),
        "last_of_value": Piece(
            words="Add a card of which the hand holds no other",
            move=_on_sets(ADD),
            is_left_out=_has(LAST_OF_VALUE, 1),
        ),
        "hard_to_beat": Piece(
            "the value, and what each further card adds",
            _rows,
            words="Play what is hardest to beat",
            move=_on_sets(PLAY),
        ),
        "feed": Piece(
            words="Add a card to the largest set of somebody else that takes one",
            move=_on_sets(ADD),
            is_left_out=_has(FEEDS, 1),
        ),
        "play_any": Piece(words="Play the largest set, a whole value if any", move=_on_sets(PLAY)),
        "add_any": Piece(words="Add a card to the largest set that takes one", move=_on_sets(ADD)),
        "turn_or_take": Piece(
            words="Turn the hand, or if it just was take the smallest set", move=_turn_or_take
        ),
        "least_threatened": Piece(
            "plays to be expected that beat it, the fewest best",
            _threats,
            sign=-1,
            words="Play what others are least likely to beat",
            move=lambda result, _table, _seat: result[0],
        ),
        "take_fitting": Piece(
            words="Take up the largest set all of whose cards, turned, fit values in the hand"
        ),
    },
    "upordown": {
        "random_move": AT_RANDOM,
        "place_to_append": Piece(tell=_appends),
        "as_planned": Piece(),
        "draw_unseen": Piece(),
        "plan_turn": Piece(
            f"the turn's worth in {POINTS}",
            _plans,
            words="Plan the turn that is worth most: card, neighbour and column",
            move=_planned,
        ),
        "best_placing": Piece(POINTS, _placings, words="Place the card where it is worth most"),
        "best_pile": Piece(
            f"what the card may reach, in {POINTS}",
            _piles,
            words="Draw the face-up card if it reaches more than a hidden one may",
        ),
    },
}
"""By game: the functions that look for a move."""

RATINGS: dict[str, tuple[str, ...]] = {
    "up": ("first_sort", "worth_of"),
    "updown": (
        *("rank", "worth_by_count", "best_chance", "worth_of_rolling"),
        *("gain_of", "worth_of_value"),
    ),
    "dnup": ("threat_to",),
    "upordown": ("worth_of_laying", "with_move", "better_of", "weigh", "is_shown_better"),
}
"""By game: the functions in these that rate."""


def weigh_search(table: Any, seat: Any, moves: Sequence[int], move: int) -> Reason | None:
    """Return why the search made a move: the mean of each move over the deals that it was tried on.

    Parameters
    ----------
    table, seat : record
        Copies; the seat's random stream is modified.
    moves : sequence of int
    move : int
    """
    looked_at = np.empty(len(moves), np.int64)
    results = np.empty((len(moves), int(seat.params[ROLLOUTS])))
    deals = np.zeros(len(moves), np.int64)
    if int(search_moves(table, seat, looked_at, results, deals)) != move:
        return None
    weights = []
    for place, one in enumerate(looked_at.tolist()):
        count = int(deals[place])
        if count == 0:
            continue
        own = results[place, :count]
        error = own.std(ddof=1) / np.sqrt(count) if count > 1 else np.inf
        weights.append(Weight(one, float(own.mean()), f" ± {error:.2g} ({count} deals)"))
    if not weights:
        return Reason(FOLLOWED)
    best = weights[0].move
    step = "Take the move with the best mean result over the deals tried"
    if move != best:
        step = (
            "Do what the rollout policy would, as no other move is clearly ahead of that (by the "
            "parameter sure, and more with few deals)"
        )
    # The first is the best on the deals of those still in the race; others were dropped earlier.
    return Reason(step, unit="mean result ± standard error", weights=tuple(weights))
