"""Up or down? in words: cards, moves, and what a spectator who sees all cards would tell.

`round_in_words`, `step_in_words` and `score_in_words` take the events of `simcore.events` and yield
lines; `names` are the players by seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from simcore.games.upordown import table as uod
from simcore.games.upordown.cards import BYTE, NO_CARD, SET_BITS, card_at
from simcore.games.upordown.dials import COLOUR_ALONE, END, LENGTH_ALONE, ROW_CIRCLE
from simcore.games.upordown.options import MOST_HAND_CARDS
from simcore.games.upordown.play import neighbour
from simcore.phrases import numbered

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
"""As in the game, as far as a terminal goes; other names, of a file of colours, stay plain."""

_DETAIL = "    "
"""Before what follows from the card laid."""


def colour_name(table: Any, colour: int) -> str:
    """Return the name of a colour by its number."""
    return "".join(chr(code) for code in table.colour_names[colour] if code)


def card_name(table: Any, card: int) -> str:
    """Return a card as players call it: red 8."""
    colour = int(table.colour_shift[int(card)]) // uod.bits_for(int(table.colours))
    return f"{colour_name(table, colour)} {int(card)}"


def cards_in_words(table: Any, cards: Sequence[int]) -> str:
    """Return cards in words, in their order."""
    return ", ".join(card_name(table, card) for card in cards) or "nothing"


def row_cards(row: int, most: int) -> list[int]:
    """Return the cards of a row."""
    cards = (int(card_at(int(row), BYTE * place)) for place in range(most))
    return [card for card in cards if card != NO_CARD]


def circle_cards(table: Any) -> list[int]:
    """Return the cards of the circle, in ascending order."""
    count = int(table.circle_cards)
    if count <= ROW_CIRCLE:
        return row_cards(table.circle, count)
    words = (int(word) for word in table.wide_circle)
    cards = sum(word << SET_BITS * place for place, word in enumerate(words))
    return [card for card in range(1, int(table.card_count) + 1) if cards >> (card - 1) & 1]


def column_cards(table: Any, seat: int, place: int) -> list[int]:
    """Return the cards of a column from the first to the last."""
    length = int(table.lengths[seat, place])
    return [int(card) for card in table.column_cards[seat, place, 1 : length + 1]]


def column_in_words(table: Any, seat: int, place: int) -> str:
    """Return a column in words, with its way: up: red 8, blue 9."""
    cards = column_cards(table, seat, place)
    way = "" if len(cards) < 2 else "up: " if cards[1] > cards[0] else "down: "
    return way + cards_in_words(table, cards)


def _number(place: int) -> str:
    return f"column {place + 1}"


def _pile(table: Any, pile: int) -> str:
    if table.open_pile:
        return "the face-up pile" if pile == uod.FACE_UP else "the face-down pile"
    return "the first pile" if pile == uod.FACE_UP else "the second pile"


def move_in_words(table: Any, _seat: Any, move: int) -> str:
    """Return a legal move of the seat on turn as something to do."""
    if table.phase == uod.CARD:
        return f"lay {card_name(table, move)}"
    if table.phase == uod.TAKE:
        side = "lower" if move == uod.LOWER_SIDE else "upper"
        return f"take {card_name(table, neighbour(table, move))} ({side} neighbour)"
    if table.phase == uod.DRAW:
        seen = f" ({card_name(table, table.face_up_card)})" if table.face_up_card else ""
        return f"draw from {_pile(table, move)}{seen if move == uod.FACE_UP else ''}"
    taken = card_name(table, table.taken_card)
    if move < uod.NEW_COLUMN:
        verb, to = ("append", "to") if table.insert == END else ("put", "into")
        return f"{verb} {taken} {to} {_number(move // BYTE)}"
    if move == uod.NEW_COLUMN:
        return f"start a column with {taken}"
    return f"give up {_number(move - uod.GIVE_UP)} for {taken}"


def mark_of(table: Any, _seat: Any, move: int) -> str:
    """Return the mark of the clause that a legal move carries out."""
    if table.phase != uod.PLACE:
        return {uod.CARD: "[R6]", uod.TAKE: "[R8]", uod.DRAW: "[R15]"}[int(table.phase)]
    if move == uod.NEW_COLUMN:
        return "[R9]"
    if move < uod.NEW_COLUMN:
        return "[R12]" if table.insert == END else "[H4]"
    return "[H6]" if table.is_forced else "[R13]"


def round_in_words(start: Any, names: Sequence[str]) -> Iterator[str]:
    """Tell of the deal."""
    table, box = start.table, start.box
    yield f"The cards 1 to {table.card_count} are dealt; {names[table.seat]} starts."
    for seat, name in enumerate(names):
        yield f"{name} has {_hand_in_words(table, box, seat)}."
    yield f"The circle is {cards_in_words(table, circle_cards(table))}."
    face_up, face_down = (int(count) for count in table.pile_cards)
    if table.open_pile:
        top = card_name(table, table.face_up_card)
        shown = f"{face_up} face up with {top} on top" if face_up else "none face up"
        yield f"{face_down} cards lie face down, {shown}."
    else:
        yield f"{face_up} and {face_down} cards lie face down in two piles."


def _hand_in_words(table: Any, box: Any, seat: int) -> str:
    return cards_in_words(table, row_cards(box.seats[seat].hand, MOST_HAND_CARDS))


def table_in_words(state: Any, names: Sequence[str]) -> Iterator[str]:
    """Draw the circle and the piles; below everybody's hand the columns.

    Within a turn also the card just laid, and the one just taken until it is in a column.
    """
    table, box = state.table, state.box
    face_up, face_down = (int(count) for count in table.pile_cards)
    circle = _circle_in_words(table)
    seen = f" with {card_name(table, table.face_up_card)} on top" if table.face_up_card else ""
    piles = (
        f"{face_up} face up{seen}, {face_down} face down"
        if table.open_pile
        else f"{face_up} and {face_down} face down"
    )
    yield f"┌─ circle: {circle}; piles: {piles}"
    width = max(map(len, names))
    hands = [_hand_in_words(table, box, seat) for seat in range(len(names))]
    longest = max(map(len, hands))
    for seat, name in enumerate(names):
        mark = "▶" if seat == table.seat else " "
        taken = ""
        if seat == table.seat and table.phase == uod.PLACE:
            taken = f", just taken: {card_name(table, table.taken_card)}"
        yield f"│ {mark} {name:<{width}}  {hands[seat]:<{longest}}  ({_total(table, seat)}){taken}"
        for place in range(int(table.columns_used[seat])):
            yield f"│     {column_in_words(table, seat, place)}"
    yield "└─"


def _circle_in_words(table: Any) -> str:
    """Return the circle; a card just laid stands in it, too, until one is taken."""
    cards = circle_cards(table)
    if table.phase != uod.TAKE:
        return cards_in_words(table, cards)
    laid = int(table.laid_card)
    return ", ".join(
        card_name(table, card) + (" (just laid)" if card == laid else "")
        for card in sorted({*cards, laid})
    )


def step_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    """Tell of a move and all that follows from it."""
    table, name = step.table, names[step.seat]
    if table.phase == uod.CARD:
        yield f"{name} {_laid_in_words(step)}."
    elif table.phase == uod.TAKE:
        yield f"{_DETAIL}{name} takes {card_name(table, step.after.table.taken_card)}."
    elif table.phase == uod.DRAW:
        yield f"{_DETAIL}{name} draws {_drawn_in_words(step, step.move)}."
    else:
        yield f"{_DETAIL}{name} {_placed_in_words(step)}."
        left = step.table.pile_cards - step.after.table.pile_cards
        if left.any():
            pile = uod.FACE_UP if left[uod.FACE_UP] else uod.FACE_DOWN
            yield f"{_DETAIL}{name} draws {_drawn_in_words(step, pile)}, the only one left."


def _laid_in_words(step: Any) -> str:
    """Return where a card was laid: between its neighbours, or at the seam of the circle."""
    after = step.after.table
    lower, upper = (int(neighbour(after, side)) for side in (uod.LOWER_SIDE, uod.UPPER_SIDE))
    card = int(after.laid_card)
    where = f"between {card_name(after, lower)} and {card_name(after, upper)}"
    if not lower < card < upper:
        where = f"as the {'lowest' if card < upper else 'highest'} card, {where}"
    return f"lays {card_name(after, card)} {where}"


def _placed_in_words(step: Any) -> str:
    """Return where the card taken went, and the points of the whole display then."""
    table, after, seat, move = step.table, step.after.table, step.seat, step.move
    taken = card_name(table, table.taken_card)
    total = f"{_total(after, seat)} in all"
    if move == uod.NEW_COLUMN:
        return f"starts {_number(int(table.columns_used[seat]))} with {taken}; {total}"
    if move < uod.NEW_COLUMN:
        place = move // BYTE
        column = column_in_words(after, seat, place)
        cards = column_cards(after, seat, place)
        if cards[-1] == table.taken_card:
            return f"appends {taken} to {_number(place)} ({column}); {total}"
        following = card_name(table, cards[cards.index(int(table.taken_card)) + 1])
        return f"puts {taken} before {following} into {_number(place)} ({column}); {total}"
    place = move - uod.GIVE_UP
    given = column_in_words(table, seat, place)
    return f"gives up {_number(place)} ({given}) and starts it anew with {taken}; {total}"


def _total(table: Any, seat: int) -> str:
    return amount(table, int(table.scores[seat]))


def _drawn_in_words(step: Any, pile: int) -> str:
    """Return the card that came to the hand, and from where."""
    before = row_cards(step.box.seats[step.seat].hand, MOST_HAND_CARDS)
    after = row_cards(step.after.box.seats[step.seat].hand, MOST_HAND_CARDS)
    (card,) = set(after) - set(before)
    return f"{card_name(step.table, card)} from {_pile(step.table, pile)}"


def score_in_words(end: Any, names: Sequence[str]) -> Iterator[str]:
    """Tell what every column and the discards score."""
    table = end.table
    turns = int(table.card_count) - int(table.circle_cards) - int(table.turns_left)
    yield f"All hand cards are played, after {numbered(turns, 'turn')}."
    for seat, name in enumerate(names):
        yield f"{name} has {_total(table, seat)}:"
        for place in range(int(table.columns_used[seat])):
            yield f"{_DETAIL}{_scored_in_words(table, seat, place)}"
        discards = int(table.discards[seat])
        if discards:
            points = numbered(discards * int(table.discard_points), "point")
            yield f"{_DETAIL}{numbered(discards, 'discarded card')}: {points}"


def _scored_in_words(table: Any, seat: int, place: int) -> str:
    """Return a column and its points: 2 red × 5 cards = 10 points."""
    counts, colours = int(table.colour_counts[seat, place]), int(table.colours)
    bits, mask = uod.bits_for(colours), int(table.most_of_a_colour)
    of_colour = [counts >> (bits * colour) & mask for colour in range(colours)]
    most = max(of_colour)
    colour = f"{most} {colour_name(table, of_colour.index(most))}"
    length = numbered(int(table.lengths[seat, place]), "card")
    factors = {LENGTH_ALONE: length, COLOUR_ALONE: f"{colour} × {most}"}
    told = factors.get(int(table.scoring), f"{colour} × {length}")
    points = numbered(int(table.points[seat, place]), "point")
    return f"{column_in_words(table, seat, place)}: {told} = {points}"


def amount(_table: Any, number: int) -> str:
    """Return so many points."""
    return numbered(number, "point")
