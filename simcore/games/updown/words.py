"""UP & DOWN in words: cards, moves, and a commentary on a match by a spectator who sees all cards.

`round_in_words`, `step_in_words` and `score_in_words` take the events of `simcore.events` and yield
lines; `names` are the players by seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from simcore.compiler.state import MATCH_OVER
from simcore.games.updown.rules import *
from simcore.phrases import ahead, counted

_OWN_COLOUR = "own colour"
_ROTATIONS = {1: "by a quarter turn", 2: "by half a turn", 3: "by three quarter turns"}

_STYLES = {"ROSE": "red", "FEDER": "cyan", "MONOKEL": "magenta", "HUT": "yellow"}
CARD_COLOURS = (
    *((rf"\b{colour}(?: \d+)*\b", style) for colour, style in _STYLES.items()),
    (r"\b(?:UP|DOWN)\b", "bold"),
)
"""A display colour for each of the four suits [R2]; those of the real cards are not known."""
assert tuple(_STYLES) == COLOURS


def card_name(card: int) -> str:
    """Return a card's name: ROSE 12."""
    return deck.name(card)


def cards_in_words(cards: Iterable[int]) -> str:
    """Return a set of cards as text: ROSE 3 12, HUT 7."""
    values: dict[int, list[str]] = {}
    for card in cards:
        values.setdefault(colour_of(card), []).append(str(value_of(card)))
    listed = (f"{COLOURS[colour]} {' '.join(numbers)}" for colour, numbers in values.items())
    return ", ".join(listed) or "nothing"


def colour_of(card: int) -> int:
    """Return the number of a card's colour."""
    return card >> deck.shift


def value_of(card: int) -> int:
    """Return a card's value."""
    return card & ((1 << deck.shift) - 1)


def colour_at(s: Any, seat: int) -> int:
    """Return the number of the colour that points at a seat."""
    side: list[int] = prepare(_Options(s.options))["side"]
    return int(side[seat] - s.turn) % SIDES


class _Options:
    def __init__(self, options: dict[str, Any]) -> None:
        self.__dict__.update(options)


def move_in_words(s: Any, _seat: int, move: int) -> str:
    """Return a legal move as an imperative: choose ROSE 12."""
    if s.phase != CHANGE:
        return f"choose {card_name(move)}"
    if move == FLIP:
        return f"turn the card over to {FACES[1 - s.face]}"
    if move == ROLL:
        return "roll the dice for a new trump"
    if move == KEEP:
        return "leave the rules as they are"
    colour = COLOURS[(colour_at(s, s.seat) - move) % SIDES]
    return f"rotate the card {_ROTATIONS[move]}, for the own colour {colour}"


def mark_of(s: Any, _seat: int, move: int) -> str:
    """Return the mark of the clause that a legal move carries out."""
    if s.phase != CHANGE:
        return "[R9]"
    return {ROLL: "[R11]", KEEP: "[H3]"}.get(move, "[R10]")


def round_in_words(start: Any, names: Sequence[str]) -> Iterator[str]:
    """Describe the deal, the first trump and the toss of the U&D card."""
    s = start.s
    yield f"Round {s.round_number}: the cards are dealt."
    for name, hand in zip(names, s.hand, strict=True):
        yield f"{name} has {cards_in_words(hand)}."
    if s.stock:
        yield f"{len(s.stock)} cards lie aside: {cards_in_words(s.stock)}."
    if s.pot:
        yield f"The pot holds {amount(s, s.pot)} of the round before."
    dice = s.options["trump"] == "dice"
    trump = f"The dice show {s.trump}, the first trump" if dice else "No card is trump"
    yield (
        f"{trump}; the U&D card lands with {FACES[s.face]} on top. "
        f"ROSE points at {names[s.leader]}, who leads first."
    )


def table_in_words(state: Any, names: Sequence[str]) -> Iterator[str]:
    """Draw the U&D card, the trump and the pot, and everybody's colour and hand.

    Only before the first choice of a trick: cards are chosen secretly and simultaneously.
    """
    s = state.s
    if s.phase != CHANGE and s.seat != 0:
        return
    width = max(map(len, names))
    hands = [cards_in_words(hand) for hand in s.hand]
    columns = max(map(len, hands))
    pot = f", pot: {amount(s, s.pot)}" if s.pot else ""
    wanted = "highest" if s.face == UP else "lowest"
    yield (
        f"┌─ round {s.round_number}, trick {s.trick + 1}: {FACES[s.face]} "
        f"({wanted} wins), {_trump(s)}{pot}"
    )
    longest = max(map(len, COLOURS))
    for seat, name in enumerate(names):
        mark = "▶" if seat == s.seat else " "
        colour = f"{COLOURS[colour_at(s, seat)]:<{longest}}"
        held = f"hand {hands[seat]:<{columns}}"
        total = amount(s, s.scores[seat])
        yield f"│ {mark} {name:<{width}}  own colour {colour}  {held}  ({total})"
    yield "└─"


def step_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    """Describe a change of the rules, or a chosen card and the trick that it completes, if any."""
    if step.s.phase == CHANGE:
        yield from _change_in_words(step, names)
        return
    yield f"  {names[step.seat]} chooses {card_name(step.move)}."
    if step.seat == len(names) - 1:
        yield from _trick_in_words(step, names)


def _change_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    before, s = step.s, step.after.s
    if step.move == FLIP:
        deed = f"turns the U&D card over: {FACES[before.face]} becomes {FACES[s.face]}"
    elif step.move == ROLL:
        deed = f"rolls the dice: the trump changes from {before.trump} to {s.trump}"
    elif step.move == KEEP:
        deed = "leaves the rules as they are"
    else:
        deed = f"rotates the U&D card {_ROTATIONS[step.move]}"
    yield f"Trick {before.trick + 1}: {names[step.seat]} leads and {deed}."
    colours = ", ".join(
        f"{COLOURS[colour_at(s, seat)]} for {name}" for seat, name in enumerate(names)
    )
    wanted = "highest" if s.face == UP else "lowest"
    now = "It stays" if step.move == KEEP else "Now it is"
    trump = f"the trump is {s.trump}" if s.options["trump"] == "dice" else "there is no trump"
    yield (f"  {now} {FACES[s.face]} ({wanted} wins), {trump}; the own colours are {colours}.")


def _trick_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    before, after = step.s, step.after.s
    cards = list(after.last_card)
    judged = (
        f"{name} {card_name(cards[seat])} ({_verdict(before, cards, seat)})"
        for seat, name in enumerate(names)
    )
    yield f"  Revealed: {'; '.join(judged)}."
    is_double = after.options["last_trick"] == "double" and not after.hand[0]  # [H8]
    trick = "the trick, which counts double," if is_double else "the trick"
    winner = after.last_winner
    if winner == NO_SEAT and not before.options["pot_tricks"]:
        yield f"  No card can win: {trick} is lost."
        return
    if winner == NO_SEAT:
        holds = amount(after, after.pot)
        yield f"  No card can win: {trick} goes into the pot, which now holds {holds}."
        return
    more = f" and {amount(after, before.pot)} from the pot" if before.pot else ""
    yield f"  {names[winner]} takes {trick}{more} with {_best(before, cards, winner)}."


def _verdict(s: Any, cards: Sequence[int], seat: int) -> str:
    """Return the verdict on a card of a trick, by the first rule that applies."""
    able = [_is_able(s, card, other) for other, card in enumerate(cards)]
    value = value_of(cards[seat])
    equals = [other for other, card in enumerate(cards) if value_of(card) == value]
    if s.options["cancelling"] == "eligible":  # [H4]
        equals = [other for other in equals if able[other] and able[seat]]
    if len(equals) > 1:
        return "cancelled"
    if value == s.trump:
        return "a trump"
    if able[seat]:
        return _OWN_COLOUR
    colour = COLOURS[colour_at(s, seat)]
    return (
        f"neither the own colour {colour} nor a trump"
        if s.options["trump"] == "dice"
        else f"not the own colour {colour}"
    )


def _is_able(s: Any, card: int, seat: int) -> bool:
    return value_of(card) == s.trump or colour_of(card) == colour_at(s, seat)


def _trump(s: Any) -> str:
    return f"trump {s.trump}" if s.options["trump"] == "dice" else "no trump"


def _best(s: Any, cards: Sequence[int], winner: int) -> str:
    name = card_name(cards[winner])
    if value_of(cards[winner]) == s.trump:
        return f"{name}, a trump"
    rivals = sum(_verdict(s, cards, seat) == _OWN_COLOUR for seat in range(len(cards)))
    if rivals == 1:
        return f"{name}, the only card that can win"
    return f"{name}, the {'highest' if s.face == UP else 'lowest'} that can win"


def score_in_words(end: Any, names: Sequence[str]) -> Iterator[str]:
    """Describe the fate of the pot, everybody's tricks, and who is ahead."""
    s, after = end.s, end.after.s
    yield f"Round {s.round_number} is over."
    if s.pot and s.options["last_pot"] == "carried" and after.phase != MATCH_OVER:
        yield f"The pot of {amount(s, s.pot)} goes into the next round."
    elif s.pot:
        yield f"Nobody gets the pot of {amount(s, s.pot)}."
    for seat, name in enumerate(names):
        yield f"{name} has {amount(s, after.scores[seat])} in all."
    if after.leaders:
        yield f"{ahead(after.leaders, names)}."
    if after.aborted:
        yield "The match is aborted: it had all its further rounds."


def amount(_s: Any, number: int) -> str:
    """Return a number of tricks in words."""
    return counted(int(number), "trick")
