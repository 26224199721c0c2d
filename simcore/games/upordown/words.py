"""Up or down? in words: cards, moves, and a commentary by a spectator who sees all cards.

`round_in_words`, `step_in_words` and `score_in_words` take the events of `simcore.events` and yield
lines; `names` are the players by seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from simcore.games.upordown.colours import load_colours
from simcore.games.upordown.options import card_count_of
from simcore.games.upordown.rules import *
from simcore.phrases import plural

_STYLES = {
    "red": "red",
    "blue": "blue",
    "green": "green",
    "teal": "cyan",
    "yellow": "yellow",
    "pink": "bright_magenta",
    "purple": "magenta",
}
CARD_COLOURS = tuple((rf"\b{name}\b(?: \d+\b)?", style) for name, style in _STYLES.items())
"""The game's colours as far as a terminal has them; other names, from a colour file, stay plain."""

_DETAIL = "    "
"""Indent of the lines that follow a laid card."""


def colour_of(s: Any, card: int) -> str:
    """Return the name of a card's colour."""
    return load_colours(s.options["colours"])[card - 1]


def card_name(s: Any, card: int) -> str:
    """Return a card's name: red 8."""
    return f"{colour_of(s, card)} {card}"


def printed(card: int, options: Any) -> str:
    """Return the text on a card of the deck."""
    return f"{load_colours(options['colours'])[card - 1]} {card}"


def cards_in_words(s: Any, cards: Iterable[int]) -> str:
    """Return cards as text, in their order."""
    return ", ".join(card_name(s, card) for card in cards) or "nothing"


def column_cards(s: Any, seat: int, place: int) -> list[int]:
    """Return the cards of a column from the first to the last."""
    return sorted(s.column[seat][place], reverse=s.direction[seat][place] == DESCENDING)


def column_in_words(s: Any, seat: int, place: int) -> str:
    """Return a column as text, with its direction: up: red 8, blue 9."""
    direction = ("", "up: ", "down: ")[s.direction[seat][place]]
    return direction + cards_in_words(s, column_cards(s, seat, place))


def _number(place: int) -> str:
    return f"column {place + 1}"


def _pile(s: Any, pile: int) -> str:
    if s.options["open_pile"]:
        return "the face-up pile" if pile == FACE_UP else "the face-down pile"
    return "the first pile" if pile == FACE_UP else "the second pile"


def _neighbour(s: Any, side: int) -> int:
    """Return the card of the circle on one side of the card just laid [C5]."""
    others = [card for card in s.circle if card != s.laid_card]
    above = sum(card < s.laid_card for card in others)
    return int(others[above - 1] if side == LOWER_SIDE else others[above % len(others)])


def move_in_words(s: Any, _seat: int, move: int) -> str:
    """Return a legal move as an imperative: lay red 8."""
    if s.phase == CARD:
        return f"lay {card_name(s, move)}"
    if s.phase == TAKE:
        side = "lower" if move == LOWER_SIDE else "upper"
        return f"take {card_name(s, _neighbour(s, move))} ({side} neighbour)"
    if s.phase == DRAW:
        is_seen = move == FACE_UP and s.face_up_card != 0
        seen = f" ({card_name(s, s.face_up_card)})" if is_seen else ""
        return f"draw from {_pile(s, move)}{seen}"
    taken = card_name(s, s.taken_card)
    if move < NEW_COLUMN:
        verb, to = ("append", "to") if s.options["insert"] == "end" else ("put", "into")
        return f"{verb} {taken} {to} {_number(move // PLACES)}"
    if move == NEW_COLUMN:
        return f"start a column with {taken}"
    return f"give up {_number(move - GIVE_UP)} for {taken}"


def mark_of(s: Any, _seat: int, move: int) -> str:
    """Return the mark of the clause that a legal move carries out."""
    if s.phase != PLACE:
        return {CARD: "[R6]", TAKE: "[R8]", DRAW: "[R15]"}[s.phase]
    if move == NEW_COLUMN:
        return "[R9]"
    if move < NEW_COLUMN:
        return "[R12]" if s.options["insert"] == "end" else "[H4]"
    return "[H6]" if s.options["give_up"] == "forced" else "[R13]"


def round_in_words(start: Any, names: Sequence[str]) -> Iterator[str]:
    """Describe the deal."""
    s = start.s
    in_play = s.stock | s.circle
    for hand in s.hand:
        in_play = in_play | hand
    yield f"The cards 1 to {len(in_play)} are dealt; {names[s.seat]} starts."
    for seat, name in enumerate(names):
        yield f"{name} has {cards_in_words(s, s.hand[seat])}."
    yield f"The circle is {cards_in_words(s, s.circle)}."
    face_up, face_down = s.pile_cards
    if s.options["open_pile"]:
        top = f"{face_up} face up with {card_name(s, s.face_up_card)} on top" if face_up else ""
        yield f"{face_down} cards lie face down, {top or 'none face up'}."
    else:
        yield f"{face_up} and {face_down} cards lie face down in two piles."


def table_in_words(state: Any, names: Sequence[str]) -> Iterator[str]:
    """Draw the circle and the piles, and everybody's hand with the columns below.

    Within a turn the card just laid is marked, and the card just taken until it is placed.
    """
    s = state.s
    face_up, face_down = s.pile_cards
    circle = ", ".join(
        card_name(s, card) + (" (just laid)" if card == s.laid_card else "") for card in s.circle
    )
    seen = f" with {card_name(s, s.face_up_card)} on top" if s.face_up_card else ""
    piles = (
        f"{face_up} face up{seen}, {face_down} face down"
        if s.options["open_pile"]
        else f"{face_up} and {face_down} face down"
    )
    yield f"┌─ circle: {circle}; piles: {piles}"
    width = max(map(len, names))
    hands = [cards_in_words(s, hand) for hand in s.hand]
    longest = max(map(len, hands))
    for seat, name in enumerate(names):
        mark = "▶" if seat == s.seat else " "
        taken = ""
        if seat == s.seat and s.phase == PLACE:
            taken = f", just taken: {card_name(s, s.taken_card)}"
        yield f"│ {mark} {name:<{width}}  {hands[seat]:<{longest}}  ({_total(s, seat)}){taken}"
        for place in range(s.columns_used[seat]):
            yield f"│     {column_in_words(s, seat, place)}"
    yield "└─"


def step_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    """Describe a move and its consequences."""
    s, name = step.s, names[step.seat]
    if s.phase == CARD:
        yield f"{name} {_laid_in_words(step)}."
    elif s.phase == TAKE:
        yield f"{_DETAIL}{name} takes {card_name(s, step.after.s.taken_card)}."
    elif s.phase == DRAW:
        yield f"{_DETAIL}{name} draws {_drawn_in_words(step, step.move)}."
    else:
        yield f"{_DETAIL}{name} {_placed_in_words(step)}."
        for pile in (FACE_UP, FACE_DOWN):
            if step.after.s.pile_cards[pile] < s.pile_cards[pile]:
                yield f"{_DETAIL}{name} draws {_drawn_in_words(step, pile)}, the only one left."


def _laid_in_words(step: Any) -> str:
    """Return where a card was laid: between its neighbours, or where the circle closes."""
    s = step.after.s
    lower, upper = _neighbour(s, LOWER_SIDE), _neighbour(s, 1 - LOWER_SIDE)
    card = s.laid_card
    where = f"between {card_name(s, lower)} and {card_name(s, upper)}"
    if not lower < card < upper:
        where = f"as the {'lowest' if card < upper else 'highest'} card, {where}"
    return f"lays {card_name(s, card)} {where}"


def _placed_in_words(step: Any) -> str:
    """Return where the card taken was placed, and the seat's points after it."""
    s, after, seat, move = step.s, step.after.s, step.seat, step.move
    taken = card_name(s, s.taken_card)
    total = f"{_total(after, seat)} in all"
    if move == NEW_COLUMN:
        return f"starts {_number(s.columns_used[seat])} with {taken}; {total}"
    if move < NEW_COLUMN:
        place = move // PLACES
        column = column_in_words(after, seat, place)
        cards = column_cards(after, seat, place)
        if cards[-1] == s.taken_card:
            return f"appends {taken} to {_number(place)} ({column}); {total}"
        following = card_name(s, cards[cards.index(s.taken_card) + 1])
        return f"puts {taken} before {following} into {_number(place)} ({column}); {total}"
    place = move - GIVE_UP
    given = column_in_words(s, seat, place)
    return f"gives up {_number(place)} ({given}) and starts it anew with {taken}; {total}"


def _total(s: Any, seat: int) -> str:
    return amount(s, s.scores[seat])


def _drawn_in_words(step: Any, pile: int) -> str:
    """Return the card drawn and its pile in words."""
    (card,) = step.after.s.hand[step.seat] - step.s.hand[step.seat]
    return f"{card_name(step.s, card)} from {_pile(step.s, pile)}"


def score_in_words(end: Any, names: Sequence[str]) -> Iterator[str]:
    """Describe the score of every column and of the discards."""
    s = end.s
    turns = card_count_of(s.options) - s.options["circle"] - s.turns_left
    yield f"All hand cards are played, after {plural(turns, 'turn')}."
    for seat, name in enumerate(names):
        yield f"{name} has {_total(s, seat)}:"
        for place in range(s.columns_used[seat]):
            yield f"{_DETAIL}{_scored_in_words(s, seat, place)}"
        discards = len(s.discards[seat])
        if discards:
            points = plural(discards * s.options["discard_points"], "point")
            yield f"{_DETAIL}{plural(discards, 'discarded card')}: {points}"


def _scored_in_words(s: Any, seat: int, place: int) -> str:
    """Return a column and its points: 2 red × 5 cards = 10 points."""
    cards = column_cards(s, seat, place)
    names = list(dict.fromkeys(load_colours(s.options["colours"])))
    colours = [colour_of(s, card) for card in cards]
    # Ties go to the colour that comes first.
    name = max(names, key=colours.count)
    most, length = colours.count(name), len(cards)
    formula, points = {
        "colour_times_length": (f"{most} {name} × {plural(length, 'card')}", most * length),
        "length": (plural(length, "card"), length),
        "colour": (f"{most} {name} × {most}", most * most),
    }[s.options["scoring"]]
    return f"{column_in_words(s, seat, place)}: {formula} = {plural(points, 'point')}"


def amount(_s: Any, number: int) -> str:
    """Return a number of points in words."""
    return plural(number, "point")
