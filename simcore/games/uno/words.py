"""UNO in words: cards, moves, and what a spectator who sees all cards would tell of a match.

`round_in_words`, `step_in_words` and `score_in_words` take the events of `simcore.events` and yield
lines; `names` are the players by seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from simcore import rng
from simcore.games.uno import cards as deck
from simcore.games.uno import table as uno
from simcore.games.uno.score import points_in
from simcore.phrases import ahead, counted, numbered, spelled

_MARKS = {uno.CHALLENGE: "[R15]", uno.STACK: "[H13]", uno.JUMP: "[H14]", uno.SWAP: "[H15]"}
_ACTIONS = {deck.DRAW_TWO: "draw two", deck.REVERSE: "reverse", deck.SKIP: "skip"}

_FACE = r"(?:\d|draw two|reverse|skip)"
_LAYING = (uno.PLAY, uno.DRAWN, uno.STACK, uno.JUMP)
CARD_COLOURS = (
    *((rf"\b{colour}\b(?: {_FACE}\b(?:, {_FACE}\b)*)?", colour) for colour in deck.COLOURS),
    (r"\bwild(?: draw four)?\b", "bold magenta"),
)
"""As printed; wild cards, which have all colours, in one that none has."""


def card_name(kind: int) -> str:
    """Return what a card is called: red 7, green skip, wild."""
    if kind >= deck.WILD:
        return "wild" if kind == deck.WILD else "wild draw four"
    face = kind % deck.FACES
    return f"{deck.COLOURS[kind // deck.FACES]} {_ACTIONS.get(face, str(face))}"


def _held(seat: Any) -> list[int]:
    """Return how many cards of each kind a seat holds."""
    words = int(seat.hand), int(seat.doubles), int(seat.pairs)
    return [int(deck.count_of(*words, kind)) for kind in range(deck.KINDS)]


def _listed(counts: Sequence[int]) -> str:
    parts = []
    for colour, name in enumerate(deck.COLOURS):
        faces = [
            _ACTIONS.get(face, str(face))
            for face in range(deck.FACES)
            for _ in range(counts[deck.FACES * colour + face])
        ]
        if faces:
            parts.append(f"{name} {', '.join(faces)}")
    wilds = [
        card_name(kind) for kind in (deck.WILD, deck.WILD_DRAW_FOUR) for _ in range(counts[kind])
    ]
    if wilds:
        parts.append(", ".join(wilds))
    return "; ".join(parts) or "nothing"


def top_in_words(top: int) -> str:
    """Return what lies on the discard pile: the red 7, the wild (blue)."""
    if top < deck.WILD_NAMED:
        return f"the {card_name(top)}"
    kind = deck.WILD_DRAW_FOUR if top >= deck.DRAW_FOUR_NAMED else deck.WILD
    return f"the {card_name(kind)} ({deck.COLOURS[deck.COLOUR_OF[top]]})"


def _a(name: str) -> str:
    return f"a {name}"


def move_in_words(table: Any, _seat: Any, move: int) -> str:
    """Return a legal move of the seat on turn as something to do."""
    if table.phase == uno.COLOUR:
        return f"name {deck.COLOURS[move]}"
    if table.phase == uno.CHALLENGE:
        return "challenge" if move == uno.DOUBT else "accept"
    if table.phase == uno.SWAP:
        return f"swap hands with seat {move}"
    if table.phase == uno.JUMP:
        return "do not" if move == uno.KEEP else f"jump in with {_a(card_name(move))}"
    if table.phase == uno.STACK:
        due = counted(int(table.due), "card")
        return f"draw {due}" if move == uno.DRAW else f"stack {_a(card_name(move))}"
    if move == uno.DRAW:
        return "draw a card"
    return "keep it" if move == uno.KEEP else f"lay {_a(card_name(move))}"


def mark_of(table: Any, _seat: Any, move: int) -> str:
    """Return the mark of the clause that a legal move carries out."""
    if table.phase == uno.COLOUR:
        return "[R14]" if table.top == deck.WILD_DRAW_FOUR else "[R13]"
    if table.phase in _MARKS:
        return _MARKS[int(table.phase)]
    if move == uno.DRAW:
        return "[R8]"
    if move == uno.KEEP:
        return "[R7]"
    if move >= deck.WILD:
        return "[R9]" if move == deck.WILD else "[R14]"
    return {deck.DRAW_TWO: "[R10]", deck.REVERSE: "[R11]", deck.SKIP: "[R12]"}.get(
        move % deck.FACES, "[R6]"
    )


def hand_in_words(box: Any, seat: int) -> str:
    """Return the hand of a seat, by colour: red 4, 7, 7, skip; green 1; wild."""
    return _listed(_held(box.seats[seat]))


def round_in_words(start: Any, names: Sequence[str]) -> Iterator[str]:
    """Tell of the deal and of the first card."""
    table, box = start.table, start.box
    yield f"Round {table.round_number}: {names[table.dealer]} deals."
    for seat, name in enumerate(names):
        more = int(table.cards[seat] - table.hand_size)
        drew = f" after drawing {spelled(more)}" if more else ""
        yield f"{name} has {hand_in_words(box, seat)}{drew}."
    yield from _first_card_in_words(table, box, names)


def _first_card_in_words(table: Any, box: Any, names: Sequence[str]) -> Iterator[str]:
    kind = int(table.top)
    left = names[(table.dealer + 1) % table.players]
    opened = f"The first card is {_a(card_name(kind))}"
    face = kind % deck.FACES if kind < deck.WILD else None
    if kind == deck.WILD:
        yield f"{opened}: {left} names its colour and begins."
    elif face == deck.DRAW_TWO:
        # Cards drawn stay where they lay, above what is left of the stock.
        size = int(table.stock_size)
        if table.phase == uno.STACK:
            yield f"{opened}: {_may_stack(table, names)}."
            return
        count = int(table.cards[(table.dealer + 1) % table.players] - table.hand_size)
        cards = box.stock[size : size + count].tolist()
        drawn = (
            f" ({_listed([cards.count(other) for other in range(deck.KINDS)])})" if count else ""
        )
        yield (
            f"{opened}: {left} draws {counted(count, 'card')}{drawn} and is skipped; "
            f"{names[table.seat]} begins."
        )
    elif face == deck.SKIP:
        yield f"{opened}: {left} is skipped; {names[table.seat]} begins."
    elif face == deck.REVERSE:
        yield f"{opened}: {names[table.seat]} begins, and play goes counter-clockwise."
    else:
        yield f"{opened}; {left} begins."


def table_in_words(state: Any, names: Sequence[str]) -> Iterator[str]:
    """Draw the top card, the stock and the direction, and what everybody holds."""
    table, box = state.table, state.box
    way = "counter-clockwise" if table.reversals & 1 else "clockwise"
    named = ", its colour not yet named" if table.phase == uno.COLOUR else ""
    yield (
        f"┌─ round {table.round_number}: {top_in_words(int(table.top))} on top{named}, "
        f"{int(table.stock_size)} in the stock, {way}"
    )
    width = max(map(len, names))
    hands = [hand_in_words(box, seat) for seat in range(len(names))]
    column = max(map(len, hands))
    for seat, name in enumerate(names):
        mark = "▶" if seat == table.seat else " "
        points = amount(table, int(table.scores[seat]))
        yield f"│ {mark} {name:<{width}}  {hands[seat]:<{column}}  ({points})"
    yield "└─"


def step_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    """Tell of a move and all that follows from it."""
    table, after = step.table, step.after.table
    name = names[step.seat]
    if table.phase == uno.COLOUR:
        yield f"{name} names {deck.COLOURS[step.move]}."
        if table.top == deck.WILD_DRAW_FOUR and after.phase != uno.CHALLENGE:
            yield from _debt_in_words(step, names, _seat_after(table, step.seat, 1))
    elif table.phase == uno.CHALLENGE:
        yield from _answer_in_words(step, names)
    elif table.phase == uno.SWAP or (table.phase > uno.CHALLENGE and step.move >= deck.KINDS):
        yield from _house_rule_in_words(step, names)
    elif step.move == uno.DRAW:
        yield f"{name} {_draw_in_words(step)}."
    elif step.move == uno.KEEP:
        yield f"{name} keeps the {card_name(int(step.box.seats[step.seat].drawn))}."
    else:
        yield from _lay_in_words(step, names)
    if after.phase == uno.JUMP:
        yield f"{names[after.seat]} may jump in."
    if after.aborted and after.metrics[uno.METRIC.clauses] & uno.CLAUSE.turn_cap:
        yield f"After {after.turns} turns the round has reached its cap: the match is aborted."
    elif after.aborted:
        yield "Nobody could draw or would lay a card for a whole lap: the match is aborted."


def _house_rule_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    """Tell whose hand is taken for a 7, or that somebody does not stack or jump in."""
    if step.table.phase == uno.SWAP:
        yield f"{names[step.seat]} swaps hands with {names[step.move]}."
    elif step.table.phase == uno.STACK:
        yield from _debt_in_words(step, names, step.seat)
    else:
        yield f"{names[step.seat]} does not jump in."


def _may_stack(table: Any, names: Sequence[str]) -> str:
    due = counted(int(table.due), "card")
    return f"{names[table.seat]} may stack instead of drawing {due}"


def _debt_in_words(step: Any, names: Sequence[str], victim: int) -> Iterator[str]:
    """Tell what a draw card does to its victim, who may stack, or draws."""
    if step.after.table.phase == uno.STACK:
        yield f"{_may_stack(step.after.table, names)}."
    else:
        yield f"{names[victim]} draws {_drawn_in_words(step, victim)} and misses the turn."


def _draw_in_words(step: Any) -> str:
    """Return what a seat draws in its turn, and whether it could have laid a card instead."""
    top = top_in_words(int(step.table.top))
    drawn = _drawn(step, step.seat)
    if not any(drawn):
        why = f"lays no card, although one goes on {top}, and " if step.chosen else ""
        return f"{why}can draw nothing: all cards are in the players' hands"
    several, fits = sum(drawn) > 1, step.after.table.phase == uno.DRAWN
    if several:
        last = card_name(int(step.after.box.seats[step.seat].drawn))
        what = _drawn_in_words(step, step.seat)
        what += f"; the last one, {_a(last)}, goes" if fits else ", none of which goes"
    else:
        what = f"{_a(card_name(drawn.index(1)))}{_renewed(step)}"
        if not fits:
            what += ", which does not go" + ("" if step.chosen else " either")
    if step.chosen:
        draws = ", and draws" if several else ":"
        return f"chooses to draw, although a card in hand goes on {top}{draws} {what}"
    return f"has no card that goes on {top} and draws {what}"


def _drawn(step: Any, seat: int) -> list[int]:
    """Return how many cards of each kind a seat drew while a move was carried out."""
    now = step.after.box.seats[_holder(step, seat)]
    counts = _held(step.box.seats[seat])
    if seat == step.seat and step.table.phase in _LAYING and 0 <= step.move < deck.KINDS:
        counts[step.move] -= 1
    return [new - old for new, old in zip(_held(now), counts, strict=True)]


def _holder(step: Any, seat: int) -> int:
    """Return who holds a seat's hand after a move: another one after a 0, or with two a 7."""
    after = step.after.table
    if (
        step.table.phase in _LAYING
        and after.metrics[uno.METRIC.swaps] > step.table.metrics[uno.METRIC.swaps]
    ):
        return _seat_after(after, seat, 1)
    return seat


def _drawn_in_words(step: Any, seat: int) -> str:
    """Return how many cards a seat drew, and which: two cards (red 4; wild)."""
    drawn = _drawn(step, seat)
    which = f" ({_listed(drawn)})" if any(drawn) else ""
    return f"{counted(sum(drawn), 'card')}{which}{_renewed(step)}"


def _renewed(step: Any) -> str:
    renewed = step.after.table.stocked > step.table.stocked
    return " from the discard pile, shuffled anew" if renewed else ""


def _lay_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    table = step.table
    name, kind = names[step.seat], int(step.move)
    bluff = ""
    if kind == deck.WILD_DRAW_FOUR and table.phase != uno.STACK:
        held = deck.COLOURS[deck.COLOUR_OF[int(table.top)]]
        if step.after.box.bluff:
            bluff = f", a bluff: the hand has {held} cards"
        else:
            bluff = f", holding no {held} card"
    left = int(table.cards[step.seat]) - 1
    last = " as the last card" if left == 0 else ""
    does = "jumps in and lays" if table.phase == uno.JUMP else "lays"
    yield f"{name} {does} {_a(card_name(kind))} on {top_in_words(int(table.top))}{last}{bluff}."
    if left == 1:
        yield from _uno_in_words(step, names)
    if kind >= deck.WILD and left:
        return
    if left == 0:
        yield from _late_draw_in_words(step, names, kind)
    else:
        yield from _action_in_words(step, names, kind)


def _uno_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    table, after, name = step.table, step.after.table, names[step.seat]
    if after.metrics[uno.METRIC.uno_penalties] > table.metrics[uno.METRIC.uno_penalties]:
        drawn = _drawn_in_words(step, step.seat)
        yield f'{name} forgets to call "UNO", is noticed and draws {drawn}.'
    elif rng.uniform(step.box.chance_rng.copy()) < table.forget_uno[step.seat]:
        yield f'{name} forgets to call "UNO", but nobody notices.'
    else:
        yield f'{name} calls "UNO".'


def _seat_after(table: Any, seat: int, steps: int) -> int:
    return int((seat + (-steps if table.reversals & 1 else steps)) % table.players)


def _late_draw_in_words(step: Any, names: Sequence[str], kind: int) -> Iterator[str]:
    if kind == deck.WILD_DRAW_FOUR or (kind % deck.FACES == deck.DRAW_TWO and kind < deck.WILD):
        seat = _seat_after(step.after.table, step.seat, 1)
        yield f"{names[seat]} still draws {_drawn_in_words(step, seat)}."


def _action_in_words(step: Any, names: Sequence[str], kind: int) -> Iterator[str]:
    after = step.after.table
    following = _seat_after(after, step.seat, 1)
    on_turn = int(after.following if after.phase == uno.JUMP else after.seat)
    if kind % deck.FACES == deck.DRAW_TWO:
        yield from _debt_in_words(step, names, following)
    elif after.metrics[uno.METRIC.swaps] > step.table.metrics[uno.METRIC.swaps]:
        way = "counter-clockwise" if after.reversals & 1 else "clockwise"
        both = f"{names[step.seat]} and {names[following]} swap hands."
        yield f"All hands pass on by one seat, {way}." if kind % deck.FACES == 0 else both
    elif after.aborted:
        return
    elif kind % deck.FACES == deck.REVERSE and len(names) == 2:
        if on_turn == step.seat:
            yield f"{names[step.seat]} plays again."
    elif kind % deck.FACES == deck.REVERSE:
        turned = "counter-clockwise" if after.reversals & 1 else "clockwise"
        yield f"Play goes {turned} now: {names[on_turn]} is next."
    elif kind % deck.FACES == deck.SKIP:
        yield f"{names[following]} is skipped."


def _answer_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    table, after = step.table, step.after.table
    asked, layer = step.seat, int(table.layer)
    victim = _seat_after(table, layer, 1)
    name = names[asked]
    if step.move != uno.DOUBT and after.phase == uno.CHALLENGE:
        yield f"{name} does not challenge."
        return
    if step.move != uno.DOUBT:
        if asked != victim or after.phase == uno.STACK:
            yield f"{name} does not challenge."
            yield from _debt_in_words(step, names, victim)
        else:
            yield f"{name} accepts, draws {_drawn_in_words(step, victim)} and misses the turn."
        return
    colour = deck.COLOURS[int(table.colour_before)]
    shown = hand_in_words(step.box, layer)
    yield f"{name} challenges, and {names[layer]} shows {shown}."
    if after.metrics[uno.METRIC.caught] > table.metrics[uno.METRIC.caught]:
        drawn = _drawn_in_words(step, layer)
        yield (
            f"There is {colour} in it: {names[layer]} draws {drawn}, and {names[victim]} plays on."
        )
    else:
        drawn = _drawn_in_words(step, asked)
        misses = "" if asked == victim else f" {names[victim]}"
        yield f"There is no {colour} in it: {name} draws {drawn} and{misses} misses the turn."


def score_in_words(end: Any, names: Sequence[str]) -> Iterator[str]:
    """Tell what everybody has left, the points, and who is ahead."""
    table, box, after = end.table, end.box, end.after.table
    yield f"Round {table.round_number} is over."
    for seat, name in enumerate(names):
        total = f"{amount(table, int(after.scores[seat]))} in all"
        if table.cards[seat]:
            holder = box.seats[seat]
            points = int(points_in(after.copy(), holder))
            booked = f", {total}" if table.scoring != uno.WINNER_TAKES else ""
            left = f"{hand_in_words(box, seat)} left: {amount(table, points)}"
            yield f"{name} has {left}{booked}."
        elif table.scoring == uno.WINNER_TAKES:
            won = int(after.scores[seat] - table.scores[seat])
            yield f"{name} is out and gets {amount(table, won)}, {total}."
        else:
            yield f"{name} is out, {total}."
    best = int(max(after.scores[seat] for seat in range(len(names)) if after.leaders >> seat & 1))
    yield f"{ahead(int(after.leaders), names)} with {amount(table, best)}."


def amount(_table: Any, number: int) -> str:
    """Return so many points."""
    return numbered(number, "point")
