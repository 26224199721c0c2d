"""UP & DOWN in words: cards, moves, and what a spectator who sees all cards would tell of a match.

`round_in_words`, `step_in_words` and `score_in_words` take the events of `simcore.events` and yield
lines; `names` are the players by seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from simcore.games.updown.cards import COLOURS, DECK, FACES, LANE, PLACES, SIDES, UP
from simcore.games.updown.table import CHANGE, FLIP, KEEP, NO_SEAT, ROLL
from simcore.phrases import ahead, counted
from simcore.records import MATCH_OVER

_OWN_COLOUR = "own colour"
_ROTATIONS = {1: "by a quarter turn", 2: "by half a turn", 3: "by three quarter turns"}

_STYLES = {"ROSE": "red", "FEDER": "cyan", "MONOKEL": "magenta", "HUT": "yellow"}
CARD_COLOURS = (
    *((rf"\b{colour}(?: \d+)*\b", style) for colour, style in _STYLES.items()),
    (r"\b(?:UP|DOWN)\b", "bold"),
)
"""A colour of its own for each of the four [R2]; which the real cards have is not known."""
assert tuple(_STYLES) == COLOURS


def card_name(card: int) -> str:
    """Return colour and value of a card by its number: ROSE 12."""
    return f"{COLOURS[card // LANE]} {card % LANE}"


def cards_in(cards: int) -> list[int]:
    """List the cards of a card set by number."""
    return [card for card in range(LANE * len(COLOURS)) if int(cards) >> card & 1]


def cards_in_words(cards: int) -> str:
    """Return a card set in words: ROSE 3 12, HUT 7."""
    values: dict[int, list[str]] = {}
    for card in cards_in(cards):
        values.setdefault(card // LANE, []).append(str(card % LANE))
    listed = (f"{COLOURS[colour]} {' '.join(numbers)}" for colour, numbers in values.items())
    return ", ".join(listed) or "nothing"


def colour_at(table: Any, seat: int) -> int:
    """Return the number of the colour that points at a seat."""
    return ((int(table.shifts[seat]) - int(table.turn)) & PLACES) // LANE


def move_in_words(table: Any, _seat: Any, move: int) -> str:
    """Return a legal move of the seat on turn as something to do."""
    if table.phase != CHANGE:
        return f"choose {card_name(move)}"
    if move == FLIP:
        return f"turn the card over to {FACES[1 - int(table.face)]}"
    if move == ROLL:
        return "roll the dice for a new trump"
    if move == KEEP:
        return "leave the rules as they are"
    colour = COLOURS[(colour_at(table, int(table.seat)) - move) % SIDES]
    return f"rotate the card {_ROTATIONS[move]}, for the own colour {colour}"


def mark_of(table: Any, _seat: Any, move: int) -> str:
    """Return the mark of the clause that a legal move carries out."""
    if table.phase != CHANGE:
        return "[R9]"
    return {ROLL: "[R11]", KEEP: "[H3]"}.get(move, "[R10]")


def round_in_words(start: Any, names: Sequence[str]) -> Iterator[str]:
    """Tell of the deal, the first trump and the toss of the U&D card."""
    table, box = start.table, start.box
    yield f"Round {table.round_number}: the cards are dealt."
    aside = DECK
    for seat, name in enumerate(names):
        hand = int(box.seats[seat].hand)
        aside ^= hand
        yield f"{name} has {cards_in_words(hand)}."
    if aside:
        yield f"{len(cards_in(aside))} cards lie aside: {cards_in_words(aside)}."
    if table.pot:
        yield f"The pot holds {amount(table, table.pot)} of the round before."
    trump = f"The dice show {table.trump}, the first trump" if table.dice else "No card is trump"
    yield (
        f"{trump}; the U&D card lands with {FACES[table.face]} on top. "
        f"ROSE points at {names[table.leader]}, who leads first."
    )


def table_in_words(state: Any, names: Sequence[str]) -> Iterator[str]:
    """Draw the U&D card, the trump and the pot; everybody's own colour and hand, cards chosen.

    Cards are chosen in secret and at the same time, so they are drawn before the first choice only.
    """
    table, box = state.table, state.box
    if table.phase != CHANGE and table.seat != 0:
        return
    width = max(map(len, names))
    hands = [cards_in_words(int(box.seats[seat].hand)) for seat in range(len(names))]
    columns = max(map(len, hands))
    pot = f", pot: {amount(table, table.pot)}" if table.pot else ""
    wanted = "highest" if table.face == UP else "lowest"
    yield (
        f"┌─ round {table.round_number}, trick {int(table.trick) + 1}: {FACES[table.face]} "
        f"({wanted} wins), {_trump(table)}{pot}"
    )
    longest = max(map(len, COLOURS))
    for seat, name in enumerate(names):
        mark = "▶" if seat == table.seat else " "
        own = f"{COLOURS[colour_at(table, seat)]:<{longest}}"
        held = f"hand {hands[seat]:<{columns}}"
        total = amount(table, table.scores[seat])
        yield f"│ {mark} {name:<{width}}  own colour {own}  {held}  ({total})"
    yield "└─"


def step_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    """Tell of a change of the rules, or of a card chosen and perhaps of the trick it completes."""
    if step.table.phase == CHANGE:
        yield from _change_in_words(step, names)
        return
    yield f"  {names[step.seat]} chooses {card_name(step.move)}."
    if step.seat == len(names) - 1:
        yield from _trick_in_words(step, names)


def _change_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    before, table = step.table, step.after.table
    if step.move == FLIP:
        deed = f"turns the U&D card over: {FACES[before.face]} becomes {FACES[table.face]}"
    elif step.move == ROLL:
        deed = f"rolls the dice: the trump changes from {before.trump} to {table.trump}"
    elif step.move == KEEP:
        deed = "leaves the rules as they are"
    else:
        deed = f"rotates the U&D card {_ROTATIONS[step.move]}"
    yield f"Trick {before.trick + 1}: {names[step.seat]} leads and {deed}."
    colours = ", ".join(
        f"{COLOURS[colour_at(table, seat)]} for {name}" for seat, name in enumerate(names)
    )
    wanted = "highest" if table.face == UP else "lowest"
    now = "It stays" if step.move == KEEP else "Now it is"
    trump = f"the trump is {table.trump}" if table.dice else "there is no trump"
    yield (f"  {now} {FACES[table.face]} ({wanted} wins), {trump}; the own colours are {colours}.")


def _trick_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    before, after = step.table, step.after.table
    cards = [cards_in(after.last_cards[seat])[0] for seat in range(len(names))]
    judged = (
        f"{name} {card_name(cards[seat])} ({_verdict(before, cards, seat)})"
        for seat, name in enumerate(names)
    )
    yield f"  Revealed: {'; '.join(judged)}."
    pot = int(before.pot)
    winner = int(after.last_winner)
    if winner == NO_SEAT and not before.pots:
        yield "  No card can win: the trick is lost."
        return
    if winner == NO_SEAT:
        holds = amount(after, pot + 1)
        yield f"  No card can win: the trick goes into the pot, which now holds {holds}."
        return
    more = f" and {amount(after, pot)} from the pot" if pot else ""
    yield f"  {names[winner]} takes the trick{more} with {_best(before, cards, winner)}."


def _verdict(table: Any, cards: Sequence[int], seat: int) -> str:
    """Return what a card of a trick is worth, by the first rule that speaks of it."""
    able = [_is_able(table, card, other) for other, card in enumerate(cards)]
    value = cards[seat] % LANE
    equals = [other for other, card in enumerate(cards) if card % LANE == value]
    if table.eligible:  # [H4]
        equals = [other for other in equals if able[other] and able[seat]]
    if len(equals) > 1:
        return "cancelled"
    if value == table.trump:
        return "a trump"
    if able[seat]:
        return _OWN_COLOUR
    own = COLOURS[colour_at(table, seat)]
    return (
        f"neither the own colour {own} nor a trump" if table.dice else f"not the own colour {own}"
    )


def _is_able(table: Any, card: int, seat: int) -> bool:
    return card % LANE == table.trump or card // LANE == colour_at(table, seat)


def _trump(table: Any) -> str:
    return f"trump {table.trump}" if table.dice else "no trump"


def _best(table: Any, cards: Sequence[int], winner: int) -> str:
    name = card_name(cards[winner])
    if cards[winner] % LANE == table.trump:
        return f"{name}, a trump"
    rivals = sum(_verdict(table, cards, seat) == _OWN_COLOUR for seat in range(len(cards)))
    if rivals == 1:
        return f"{name}, the only card that can win"
    return f"{name}, the {'highest' if table.face == UP else 'lowest'} that can win"


def score_in_words(end: Any, names: Sequence[str]) -> Iterator[str]:
    """Tell what became of the pot, who has how many tricks, and who is ahead."""
    table, after = end.table, end.after.table
    yield f"Round {table.round_number} is over."
    if table.pot and table.carried and after.phase != MATCH_OVER:
        yield f"The pot of {amount(table, table.pot)} goes into the next round."
    elif table.pot:
        yield f"Nobody gets the pot of {amount(table, table.pot)}."
    for seat, name in enumerate(names):
        yield f"{name} has {amount(table, after.scores[seat])} in all."
    if after.leaders:
        yield f"{ahead(int(after.leaders), names)}."
    if after.aborted:
        yield "The match is aborted: it had all its further rounds."


def amount(_table: Any, number: int) -> str:
    """Return so many tricks."""
    return counted(int(number), "trick")
