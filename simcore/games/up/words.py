"""Up: cards, moves and the table in words."""

from __future__ import annotations

from typing import Any

from simcore.games.up.cards import CLEAR, KINDS, MINUS_TWO, count_of
from simcore.games.up.moves import find_moves, legal_moves, move_count, move_kind
from simcore.games.up.table import (
    CUT,
    DECLARE,
    DIRTY,
    DOUBLE,
    KEEP,
    OPEN,
    PASS_LEAD,
    SOURCE_STEP,
    TURN_UP,
)

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def card_name(kind: int) -> str:
    """Return what is printed on a card."""
    return {CLEAR: "clear", MINUS_TWO: "-2"}.get(kind, str(kind))


def cards_in_words(cards: Any, double: int) -> str:
    """Return a card set in words, heaviest first: 11 7 7 -2 clear."""
    kinds = [*range(MINUS_TWO - 1, 0, -1), MINUS_TWO, CLEAR]
    assert len(kinds) == KINDS
    names = [card_name(kind) for kind in kinds for _ in range(count_of(cards, kind, double))]
    return " ".join(names) or "nothing"


def move_in_words(table: Any, seat: Any, move: int) -> str:
    """Return what a move of the seat on turn does; call it before the move is applied."""
    if move == PASS_LEAD:
        return "has nothing that may lead and passes the lead"
    if table.phase == CUT:
        return "keeps it" if move == KEEP else "gives it back"
    if table.phase == DECLARE:
        names = [
            name for bit, name in ((DIRTY, "the dirty one"), (DOUBLE, "the double two"))
            if move & bit
        ]
        return "declares " + " and ".join(names) if names else "declares nothing"
    if move == TURN_UP:
        return "turns up a hidden card"
    count = int(move_count(table, seat, move))
    name = card_name(int(move_kind(table, move)))
    cards = name if count == 1 else f"{_NUMBERS[count] if count < len(_NUMBERS) else count} {name}s"
    source = " from the open cards" if move // SOURCE_STEP == OPEN else ""
    return f"lays {cards}{source}"


def legal_moves_in_words(table: Any, box: Any) -> dict[int, str]:
    """Return all legal moves of the seat on turn: number and words."""
    seat = box.seats[table.seat]
    count = find_moves(table, seat)
    legal_moves(table, seat)
    return {int(move): move_in_words(table, seat, int(move)) for move in seat.moves[:count]}
