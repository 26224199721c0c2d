"""dnup in words: cards, moves, and a commentary on a match by a spectator who sees all cards.

Cards in hands and on the table are named with the active value first: 3/4 is a 3 that turns into a
4. `round_in_words`, `step_in_words` and `score_in_words` take the events of `simcore.events`
and yield lines; `names` are the players by seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, islice
from typing import Any

from simcore.compiler.state import ROUND_OVER
from simcore.games.dnup.charts import size_of, value_of
from simcore.games.dnup.deck import Card, load_deck
from simcore.games.dnup.rules import *
from simcore.language import PASS
from simcore.phrases import ahead, plural, spelled

_SIZES = ("", "single card", "pair", "triple")

CARD_COLOURS = (
    (r"\b[789]/[1-9]★?", "cyan"),
    (r"\b[456]/[1-9]★?", "green"),
    (r"\b[123]/[1-9]★?", "yellow"),
)
"""Colours by active value, as the cards have none: high is cold, low is warm."""


@cache
def _deck(name: str) -> tuple[Card, ...]:
    return load_deck(name)


def _printed(s: Any, card: int) -> Card:
    return _deck(str(s.options["deck"]))[card]


def _active(s: Any, card: int) -> int:
    """Return the value that a card shows."""
    printed = _printed(s, card)
    return printed.high if card in s.flipped else printed.low


def card_name(s: Any, card: int, active: int) -> str:
    """Return the name of a card by its active value: 5/1★."""
    printed = _printed(s, card)
    return f"{active}/{printed.low + printed.high - active}" + "★" * printed.star


def printed(card: int, options: Any) -> str:
    """Return the text on a card of the deck."""
    return _deck(str(options["deck"]))[card].name


def set_in_words(s: Any, cards: Iterable[int], value: int) -> str:
    """Return the cards of a set as text: 7/3 7/9."""
    return " ".join(card_name(s, card, value) for card in cards)


def hand_in_words(s: Any, seat: int) -> str:
    """Return a hand, sorted by active values: 2/7 5/1★ 9/4."""

    def key(card: int) -> tuple[int, int]:
        printed, active = _printed(s, card), _active(s, card)
        return active, printed.low + printed.high - active

    held = sorted(s.hand[seat], key=key)
    return " ".join(card_name(s, card, _active(s, card)) for card in held)


def _counted(count: int, value: int) -> str:
    """Return a count and a value in words: an 8, two 7s."""
    if count == 1:
        return f"{'an' if value == 8 else 'a'} {value}"
    return f"{spelled(count)} {value}s"


def _size_name(size: int) -> str:
    if size < len(_SIZES):
        return _SIZES[size]
    return f"set of {spelled(size)}"


def _place_of_size(s: Any, size: int) -> int:
    sizes = [len(cards) for cards in s.lying]
    return sizes.index(size) if size in sizes else NOWHERE


def _owner(s: Any, place: int) -> int:
    return place // 2 if s.players == 2 else place


def _value(s: Any, place: int) -> int:
    return int(value_of(int(s.shape[place]).bit_length() - 1))


def _lying(s: Any, place: int, size: int, seat: int, names: Sequence[str]) -> str:
    """Return a set with its owner and, with two players, its area: Ann's three 7s in area 2."""
    owner = _owner(s, place)
    whose = "its own" if owner == seat else f"{names[owner]}'s"
    value = _value(s, place)
    description = f"{value}" if size == 1 else _counted(size, value)
    return f"{whose} {description}{_area(s, place, ' in')}"


def _mover(s: Any, names: Sequence[str]) -> str:
    """Return the name of the seat on turn, with two players also its area: Ann, for area 2,."""
    area = _area(s, s.place, ", for")
    return f"{names[_owner(s, s.place)]}{area}{',' if area else ''}"


def _area(s: Any, place: int, preposition: str) -> str:
    """Return the area after a preposition with two players, otherwise an empty string."""
    return f"{preposition} area {place % 2 + 1}" if s.players == 2 else ""


def _decode(move: int) -> tuple[int, int]:
    """Return the size and the value of the set in a move."""
    description = move - (TAKE if move >= TAKE else ADD if move >= ADD else PLAY)
    return size_of(description), value_of(description)


def _chosen(s: Any, seat: int, action: int, rank: int) -> tuple[int, ...]:
    """Return the cards of an action A or B for the picked rank."""
    value, count = cards_needed(action)
    held = [card for card in s.hand[seat] if _active(s, card) == value]
    return next(islice(combinations(held, count), rank, None))


def move_in_words(s: Any, seat: int, move: int) -> str:
    """Return a legal move as an imperative: play two 7s."""
    if s.phase == PICK:
        action = int(s.pending)
        cards = _chosen(s, seat, action, move)
        return f"with {set_in_words(s, cards, _decode(action)[1])}"
    if move == TURN:
        return "turn all hand cards"
    size, value = _decode(move)
    if move < TURN:
        return f"play {_counted(size, value)}"
    place = _place_of_size(s, size)
    seats = [f"seat {index}" for index in range(int(s.players))]
    description = _lying(s, place, size, NOWHERE, seats)
    return f"take {description}" if move >= TAKE else f"add {_counted(1, value)} to {description}"


def occasion(s: Any) -> str:
    """Return the area of a move with two players, otherwise an empty string."""
    return _area(s, s.place, ", for")


def mark_of(s: Any, _seat: Any, move: int) -> str:
    """Return the mark of the clause that a legal move carries out."""
    action = int(s.pending) if s.phase == PICK else move
    if action == TURN:
        return "[R12]"
    if action < TURN:
        return "[R9]"
    return "[R11]" if action >= TAKE else "[R10]"


def round_in_words(start: Any, names: Sequence[str]) -> Iterator[str]:
    """Describe the deal and who begins."""
    s = start.s
    count = sum(len(hand) for hand in s.hand)
    yield f"Round {s.round_number}: all {count} cards are dealt (active value first)."
    for seat, name in enumerate(names):
        yield f"{name} has {hand_in_words(s, seat)}."
    area = ", with one action for area 2" if s.players == 2 else ""
    why = "holds the star card 1/5★"
    if s.options["round_start"] == "winner" and s.round_number > 1:
        why = "won the last round" if s.players == 2 else "was out first in the last round"
    yield f"{names[s.seat]} {why} and begins{area}."


def table_in_words(state: Any, names: Sequence[str]) -> Iterator[str]:
    """Draw everybody's sets (with two players both areas) and hand.

    Draw nothing while cards are picked, because nothing has moved since the action was chosen.
    """
    s = state.s
    if s.phase == PICK:
        return
    two = len(names) == 2
    discarded = plural(len(s.discards), "card")
    area = _area(s, s.place, "; move for")
    yield f"┌─ round {s.round_number}, discarded: {discarded}{area}"
    width = max(map(len, names))
    hands = [hand_in_words(s, seat) or "–" for seat in range(len(names))]
    column = max(map(len, hands))
    lying = [
        f"1: {_set_at(s, 2 * seat)} | 2: {_set_at(s, 2 * seat + 1)}" if two else _set_at(s, seat)
        for seat in range(len(names))
    ]
    laid = max(map(len, lying))
    on_turn = _owner(s, s.place)
    for seat, name in enumerate(names):
        mark = "▶" if seat == on_turn else " "
        yield (
            f"│ {mark} {name:<{width}}  lies {lying[seat]:<{laid}}  hand {hands[seat]:<{column}}  "
            f"({amount(s, int(s.scores[seat]))})"
        )
    yield "└─"


def _set_at(s: Any, place: int) -> str:
    return set_in_words(s, s.lying[place], _value(s, place)) or "–"


def step_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    """Describe a move and its consequences."""
    s, after = step.s, step.after.s
    if s.phase != PICK:
        return  # The action is described once its cards are picked.
    mover, seat = _mover(s, names), step.seat
    sets = {place: set(cards) for place, cards in enumerate(s.lying) if cards}
    # A forced pick is recorded as -1; its rank is 0.
    action, rank = int(s.pending), max(step.move, 0)
    if action == PASS:
        yield f"{mover} can do nothing and passes."
    elif action == TURN:
        yield f"{mover} turns all hand cards: {hand_in_words(after, seat)}."
    elif not lays_cards(action):
        yield _take_in_words(step, sets, names)
    else:
        yield _lay_in_words(step, action, _chosen(s, seat, action, rank), sets, names)
    yield from _end_in_words(step, sets, names)


def _lay_in_words(
    step: Any, action: int, laid: Sequence[int], sets: dict[int, set[int]], names: Sequence[str]
) -> str:
    """Describe an action A or B, and update `sets` accordingly."""
    s, after = step.s, step.after.s
    size, value = _decode(action)
    cards = set_in_words(s, laid, value)
    place = int(s.place)
    if action < TURN:
        deed = f"plays {_counted(size, value)} ({cards})"
    else:
        place = _place_of_size(s, size)
        description = _lying(s, place, size, step.seat, names)
        size += 1
        deed = f"adds {_counted(1, value)} ({cards}) to {description}, now {_counted(size, value)}"
    rival = _place_of_size(s, size)
    if rival == NOWHERE:
        reason = f": no other {_size_name(size)} lies"
    else:
        low = _value(s, rival)
        equal = ", of equal value" if low == value else ""
        reason = f", which beats {_lying(s, rival, size, step.seat, names)}{equal}: "
        if rival == s.first_out:
            reason += "discarded"
        else:
            held = _held_in_words(s, sets[rival], low)
            owner = _owner(s, rival)
            whose = "its own" if owner == step.seat else f"{names[owner]}'s"
            reason += f"back to {whose} hand as {held}"
        del sets[rival]
    sets[place] = sets.get(place, set()) | set(laid)
    left = len(after.hand[step.seat])
    return f"{_mover(s, names)} {deed}{reason}; {left or 'no'} card{'s' * (left != 1)} left."


def _take_in_words(step: Any, sets: dict[int, set[int]], names: Sequence[str]) -> str:
    s = step.s
    size, value = _decode(s.pending)
    place = _place_of_size(s, size)
    cards = sets.pop(place)
    held = _held_in_words(s, cards, value)
    how = "turned" if s.options["turn_on_taking"] else "not turned"
    description = _lying(s, place, size, step.seat, names)
    return f"{_mover(s, names)} takes {description} to the hand, {how}: {held}."


def _held_in_words(s: Any, cards: Iterable[int], value: int) -> str:
    """Return the cards of a set as they show once in a hand: 4/3 6/3."""
    turned = s.options["turn_on_taking"]
    names = []
    for card in sorted(cards):
        printed = _printed(s, card)
        names.append(card_name(s, card, printed.low + printed.high - value if turned else value))
    return " ".join(names)


def _end_in_words(step: Any, sets: dict[int, set[int]], names: Sequence[str]) -> Iterator[str]:
    """Describe who is out, what is discarded, or that the match is aborted."""
    s, after = step.s, step.after.s
    name = names[step.seat]
    if after.first_out != s.first_out:
        gain = _markers(int(s.options["first_out_markers"]))
        if after.aborted:
            yield f"{name} is out first."
        else:
            yield f"{name} is out first and gets {gain}, {int(after.scores[step.seat])} in all."
    if after.aborted:
        yield f"After {after.turns} actions the round has reached its cap: the match is aborted."
    if after.phase <= ROUND_OVER:
        return
    places = 4 if s.players == 2 else s.players
    place = (s.place + 1) % places
    if place == after.first_out:
        if place in sets:
            yield (
                f"All others have had a turn since {names[place]} was out: "
                f"{_old_set(s, sets, place)} is discarded."
            )
        place = (place + 1) % places
    if place in sets:
        yield f"{names[_owner(s, place)]} discards {_old_set(s, sets, place)}."


def _markers(count: int) -> str:
    return plural(count, "marker") if count else "no marker"


def _old_set(s: Any, sets: dict[int, set[int]], place: int) -> str:
    cards = sorted(sets[place])
    name = f"the {_size_name(len(cards))} {set_in_words(s, cards, _active(s, cards[0]))}"
    return name + _area(s, place, " from")


def score_in_words(end: Any, names: Sequence[str]) -> Iterator[str]:
    """Describe who ended the round, all totals, and who is ahead."""
    s, after = end.s, end.after.s
    last = names[s.last_out]
    if s.players == 2:
        yield f"{last} has played the last hand card and wins round {s.round_number}."
    else:
        yield (
            f"{last} is out second and gets {_markers(int(s.options['second_out_markers']))}: "
            f"round {s.round_number} is over."
        )
    totals = ", ".join(f"{name} {int(after.scores[seat])}" for seat, name in enumerate(names))
    yield f"{'Rounds won' if s.players == 2 else 'Markers'}: {totals}."
    yield f"{ahead(int(after.leaders), names)}."


def amount(s: Any, number: int) -> str:
    """Return a number of markers in words, with two players of rounds."""
    return plural(number, "round" if s.players == 2 else "marker")
