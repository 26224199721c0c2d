"""dnup in words: cards, moves, and what a spectator who sees all cards would tell of a match.

A card that is held or lies is named with its active value first: 3/4 is a 3 that becomes a 4 when
turned. `round_in_words`, `step_in_words` and `score_in_words` take the events of `simcore.events`
and yield lines; `names` are the players by seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from simcore.games.dnup.cards import subset, value_in_hand
from simcore.games.dnup.deck import DECK_SIZE, VALUES
from simcore.games.dnup.table import ADD, NO_PLACE, PASS, PICK, PLACES, SECOND_AREA, TAKE, TURN
from simcore.phrases import ahead, numbered, spelled
from simcore.records import ROUND_OVER

_SIZES = ("", "single card", "pair", "triple")

CARD_COLOURS = (
    (r"\b[789]/[1-9]★?", "cyan"),
    (r"\b[456]/[1-9]★?", "green"),
    (r"\b[123]/[1-9]★?", "yellow"),
)
"""By active value, as the cards have no colours: high ones cold, low ones warm."""


def _numbers(cards: Any) -> list[int]:
    return [card for card in range(DECK_SIZE) if int(cards) >> card & 1]


def _values(table: Any, card: int) -> tuple[int, int]:
    low = next(value for value in range(1, VALUES + 1) if int(table.low[value]) >> card & 1)
    return low, int(table.total[card]) - low


def card_name(table: Any, card: int, active: int) -> str:
    """Return the name of a card by its active value: 5/1★."""
    star = "★" if card == table.star else ""
    return f"{active}/{int(table.total[card]) - active}{star}"


def set_in_words(table: Any, cards: Any, value: int) -> str:
    """Return the cards of a set of one active value: 7/3 7/9."""
    return " ".join(card_name(table, card, value) for card in _numbers(cards))


def hand_in_words(table: Any, seat: Any) -> str:
    """Return a hand, sorted by active values: 2/7 5/1★ 9/4."""
    held = [(_values(table, card)[0], card) for card in _numbers(seat.up)]
    held += [(_values(table, card)[1], card) for card in _numbers(seat.down)]
    key = {card: int(table.total[card]) - active for active, card in held}
    return " ".join(
        card_name(table, card, active)
        for active, card in sorted(held, key=lambda one: (one[0], key[one[1]]))
    )


def _counted(count: int, value: int) -> str:
    """Return so many cards of a value: an 8, two 7s."""
    if count == 1:
        return f"{'an' if value == 8 else 'a'} {value}"
    return f"{spelled(count)} {value}s"


def _size_name(size: int) -> str:
    if size < len(_SIZES):
        return _SIZES[size]
    return f"set of {spelled(size)}"


def _place_of_size(table: Any, size: int) -> int:
    sizes = [int(table.set_cards[place]).bit_count() for place in range(PLACES)]
    return sizes.index(size) if size in sizes else NO_PLACE


def _owner(table: Any, place: int) -> int:
    return int(place) & int(table.seat_mask)


def _lying(table: Any, place: int, size: int, seat: int, names: Sequence[str]) -> str:
    """Return whose set it is, and of two players in which area: Ann's three 7s in area 2."""
    owner = _owner(table, place)
    whose = "its own" if owner == seat else f"{names[owner]}'s"
    value = int(table.set_value[place])
    what = f"{value}" if size == 1 else _counted(size, value)
    return f"{whose} {what}{_area(table, place, ' in')}"


def _mover(table: Any, names: Sequence[str]) -> str:
    """Return who is on turn, and of two players for which area: Ann, for area 2,."""
    area = _area(table, table.place, ", for")
    return f"{names[_owner(table, table.place)]}{area}{',' if area else ''}"


def _area(table: Any, place: int, preposition: str) -> str:
    """Return of two players the area, with a preposition; of more nothing."""
    if table.players > 2:
        return ""
    return f"{preposition} area {2 if int(place) & SECOND_AREA else 1}"


def _decode(move: int) -> tuple[int, int]:
    """Return size and value of the set in question."""
    what = move - (TAKE if move >= TAKE else ADD if move >= ADD else 0)
    return what // VALUES + 1, what % VALUES + 1


def _chosen(table: Any, seat: Any, action: int, rank: int) -> int:
    """Return the cards with which an action A or B is carried out, of which `rank` were picked."""
    size, value = _decode(action)
    cards = (int(seat.up) & int(table.low[value])) | (int(seat.down) & int(table.high[value]))
    count = size if action < TURN else 1
    return int(subset(cards, cards.bit_count(), count, rank))


def move_in_words(table: Any, seat: Any, move: int) -> str:
    """Return a legal move of the seat on turn as something to do."""
    if table.phase == PICK:
        action = int(table.pending)
        cards = _chosen(table, seat, action, move)
        return f"with {set_in_words(table, cards, _decode(action)[1])}"
    if move == TURN:
        return "turn all hand cards"
    size, value = _decode(move)
    if move < TURN:
        return f"play {_counted(size, value)}"
    place = _place_of_size(table, size)
    seats = [f"seat {index}" for index in range(int(table.players))]
    what = _lying(table, place, size, NO_PLACE, seats)
    return f"take {what}" if move >= TAKE else f"add {_counted(1, value)} to {what}"


def occasion(table: Any) -> str:
    """Return of two players for which area a move is; of more nothing."""
    return _area(table, table.place, ", for")


def mark_of(table: Any, _seat: Any, move: int) -> str:
    """Return the mark of the clause that a legal move carries out."""
    action = int(table.pending) if table.phase == PICK else move
    if action == TURN:
        return "[R12]"
    if action < TURN:
        return "[R9]"
    return "[R11]" if action >= TAKE else "[R10]"


def round_in_words(start: Any, names: Sequence[str]) -> Iterator[str]:
    """Tell of the deal and of who begins."""
    table, box = start.table, start.box
    yield f"Round {table.round_number}: all {table.deck_size} cards are dealt (active value first)."
    for seat, name in enumerate(names):
        yield f"{name} has {hand_in_words(table, box.seats[seat])}."
    area = ", with one action for area 2" if table.players == 2 else ""
    why = "holds the star card 1/5★"
    if table.winner_starts and table.round_number > 1:
        why = "won the last round" if table.players == 2 else "was out first in the last round"
    yield f"{names[table.seat]} {why} and begins{area}."


def table_in_words(state: Any, names: Sequence[str]) -> Iterator[str]:
    """Draw the sets that lie, in both areas with two players, and what everybody holds.

    Not while the cards of a set are picked: nothing has moved since the set was chosen.
    """
    table, box = state.table, state.box
    if table.phase == PICK:
        return
    two = len(names) == 2
    discarded = numbered(int(table.discards).bit_count(), "card")
    area = _area(table, table.place, "; move for")
    yield f"┌─ round {table.round_number}, discarded: {discarded}{area}"
    width = max(map(len, names))
    hands = [hand_in_words(table, box.seats[seat]) or "–" for seat in range(len(names))]
    column = max(map(len, hands))
    lying = [
        f"1: {_set_at(table, seat)} | 2: {_set_at(table, seat | SECOND_AREA)}"
        if two
        else _set_at(table, seat)
        for seat in range(len(names))
    ]
    laid = max(map(len, lying))
    on_turn = _owner(table, table.place)
    for seat, name in enumerate(names):
        mark = "▶" if seat == on_turn else " "
        yield (
            f"│ {mark} {name:<{width}}  lies {lying[seat]:<{laid}}  hand {hands[seat]:<{column}}  "
            f"({amount(table, int(table.scores[seat]))})"
        )
    yield "└─"


def _set_at(table: Any, place: int) -> str:
    return set_in_words(table, table.set_cards[place], int(table.set_value[place])) or "–"


def step_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    """Tell of a move and all that follows from it."""
    table, after = step.table, step.after.table
    if after.phase == PICK:
        return  # Told once the cards are picked.
    mover, seat = _mover(table, names), step.box.seats[step.seat]
    sets = {place: int(cards) for place, cards in enumerate(table.set_cards) if cards}
    # Without a choice all cards are laid, or as many of some that are alike.
    action, rank = (int(table.pending), step.move) if table.phase == PICK else (step.move, 0)
    if action == PASS:
        yield f"{mover} can do nothing and passes."
    elif action == TURN:
        held = hand_in_words(after, step.after.box.seats[step.seat])
        yield f"{mover} turns all hand cards: {held}."
    elif action >= TAKE:
        yield _take_in_words(step, sets, names)
    else:
        yield _lay_in_words(step, action, _chosen(table, seat, action, rank), sets, names)
    yield from _end_in_words(step, sets, names)


def _lay_in_words(
    step: Any, action: int, laid: int, sets: dict[int, int], names: Sequence[str]
) -> str:
    """Return what an action A or B did, and change `sets` likewise."""
    table, after = step.table, step.after.table
    size, value = _decode(action)
    cards = set_in_words(table, laid, value)
    place = int(table.place)
    if action < TURN:
        deed = f"plays {_counted(size, value)} ({cards})"
    else:
        place = _place_of_size(table, size)
        what = _lying(table, place, size, step.seat, names)
        size += 1
        deed = f"adds {_counted(1, value)} ({cards}) to {what}, now {_counted(size, value)}"
    rival = _place_of_size(table, size)
    if rival == NO_PLACE:
        reason = f": no other {_size_name(size)} lies"
    else:
        low = int(table.set_value[rival])
        equal = ", of equal value" if low == value else ""
        reason = f", which beats {_lying(table, rival, size, step.seat, names)}{equal}: "
        if rival == table.first_out:
            reason += "discarded"
        else:
            held = _held_in_words(table, sets[rival], low)
            owner = _owner(table, rival)
            whose = "its own" if owner == step.seat else f"{names[owner]}'s"
            reason += f"back to {whose} hand as {held}"
        del sets[rival]
    sets[place] = sets.get(place, 0) | laid
    left = int(after.cards[step.seat])
    return f"{_mover(table, names)} {deed}{reason}; {left or 'no'} card{'s' * (left != 1)} left."


def _take_in_words(step: Any, sets: dict[int, int], names: Sequence[str]) -> str:
    table = step.table
    size, value = _decode(step.move)
    place = _place_of_size(table, size)
    cards = sets.pop(place)
    held = _held_in_words(table, cards, value)
    how = "not turned" if table.keeps_side else "turned"
    what = _lying(table, place, size, step.seat, names)
    return f"{_mover(table, names)} takes {what} to the hand, {how}: {held}."


def _held_in_words(table: Any, cards: int, value: int) -> str:
    """Return the cards of a set of some value as they are then in a hand: 4/3 6/3."""
    return " ".join(
        card_name(table, card, int(value_in_hand(table, card, value))) for card in _numbers(cards)
    )


def _end_in_words(step: Any, sets: dict[int, int], names: Sequence[str]) -> Iterator[str]:
    """Tell who is out, what is discarded, or that the match is aborted."""
    table, after = step.table, step.after.table
    name = names[step.seat]
    if after.first_out != table.first_out:
        gain = _markers(int(table.first_out_markers))
        if after.aborted:
            yield f"{name} is out first."
        else:
            yield f"{name} is out first and gets {gain}, {int(after.scores[step.seat])} in all."
    if after.aborted:
        yield f"After {after.turns} actions the round has reached its cap: the match is aborted."
    if after.phase <= ROUND_OVER:
        return
    place = int(table.next_place[table.place])
    if place == after.first_out:
        if place in sets:
            yield (
                f"All others have had a turn since {names[place]} was out: "
                f"{_old_set(table, after, sets, place)} is discarded."
            )
        place = int(table.next_place[place])
    if place in sets:
        yield f"{names[_owner(table, place)]} discards {_old_set(table, after, sets, place)}."


def _markers(count: int) -> str:
    return numbered(count, "marker") if count else "no marker"


def _old_set(table: Any, after: Any, sets: dict[int, int], place: int) -> str:
    value, cards = int(after.set_value[place]), sets[place]
    name = f"the {_size_name(cards.bit_count())} {set_in_words(table, cards, value)}"
    return name + _area(table, place, " from")


def score_in_words(end: Any, names: Sequence[str]) -> Iterator[str]:
    """Tell who ended the round, all totals, and who is ahead."""
    table, after = end.table, end.after.table
    last = names[table.last_out]
    if table.players == 2:
        yield f"{last} has played the last hand card and wins round {table.round_number}."
    else:
        yield (
            f"{last} is out second and gets {_markers(int(table.second_out_markers))}: "
            f"round {table.round_number} is over."
        )
    totals = ", ".join(f"{name} {int(after.scores[seat])}" for seat, name in enumerate(names))
    yield f"{'Rounds won' if table.players == 2 else 'Markers'}: {totals}."
    yield f"{ahead(int(after.leaders), names)}."


def amount(table: Any, number: int) -> str:
    """Return so many rounds of two players, or markers."""
    return numbered(number, "round" if table.players == 2 else "marker")
