"""UNO in words: cards, moves, and a commentary on a match by a spectator who sees all cards.

`round_in_words`, `step_in_words` and `score_in_words` take the events of `simcore.events` and yield
lines; `names` are the players by seat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from simcore.games.uno.options import CLAUSES, COLOUR_COUNT
from simcore.games.uno.state import *
from simcore.phrases import ahead, counted, plural, spelled

_MARKS = {CHALLENGE: "[R15]", STACK: "[H13]", JUMP: "[H14]", SWAP: "[H15]", PAIR: "[H16]"}
_TURN_CAP = 1 << next(bit for bit, clause in enumerate(CLAUSES) if clause.name == "turn_cap")

_FACE = r"(?:\d|draw two|reverse|skip)"
CARD_COLOURS = (
    *((rf"\b{colour}\b(?: {_FACE}\b(?:, {_FACE}\b)*)?", colour) for colour in COLOURS),
    (r"\bwild(?: draw four)?\b", "bold magenta"),
)
"""Colours as printed; wild cards, which show all colours, get a fifth one."""


def face_of(card: int) -> int:
    """Return the face of a card."""
    return card & 15


def colour_of(card: int) -> int:
    """Return the colour of a card; for a wild card on top the colour that was named."""
    return card >> 4 & 3


def card_name(card: int) -> str:
    """Return a card's name: red 7, green skip, wild."""
    face = FACES[face_of(card)]
    return face if face_of(card) >= WILD_FACE else f"{COLOURS[colour_of(card)]} {face}"


def printed(card: int, _options: Any) -> str:
    """Return the text on a card of the deck."""
    return card_name(card)


def _listed(cards: Iterable[int] | Counter[str]) -> str:
    counts = cards if isinstance(cards, Counter) else Counter(map(card_name, cards))
    parts = []
    for colour in COLOURS[:COLOUR_COUNT]:
        faces = [face for face in FACES[:WILD_FACE] for _ in range(counts[f"{colour} {face}"])]
        if faces:
            parts.append(f"{colour} {', '.join(faces)}")
    wilds = [name for name in FACES[WILD_FACE:] for _ in range(counts[name])]
    if wilds:
        parts.append(", ".join(wilds))
    return "; ".join(parts) or "nothing"


def top_in_words(s: Any) -> str:
    """Return the top card in words: the red 7, the wild (blue)."""
    named = face_of(s.top) >= WILD_FACE and s.phase != COLOUR
    return f"the {card_name(s.top)}" + (f" ({COLOURS[colour_of(s.top)]})" if named else "")


def _a(name: str) -> str:
    return f"a {name}"


def move_in_words(s: Any, _seat: Any, move: int) -> str:
    """Return a legal move as an imperative: lay a red 7."""
    if s.phase == COLOUR:
        return f"name {COLOURS[move]}"
    if s.phase == CHALLENGE:
        return "challenge" if move == DOUBT else "accept"
    if s.phase == SWAP:
        return f"swap hands with seat {move}"
    if move != DRAW:
        if s.phase == PAIR:
            return f"lay a second {card_name(move)}"
        does = {JUMP: "jump in with", STACK: "stack"}.get(s.phase, "lay")
        return f"{does} {_a(card_name(move))}"
    due = counted(s.due, "card")
    lays_none = {JUMP: "do not", STACK: f"draw {due}", DRAWN: "keep it", PAIR: "lay no second one"}
    return lays_none.get(s.phase, "draw a card")


def mark_of(s: Any, _seat: Any, move: int) -> str:
    """Return the mark of the clause that a legal move carries out."""
    if s.phase == COLOUR:
        return "[R14]" if face_of(s.top) > WILD_FACE else "[R13]"
    if s.phase in _MARKS:
        return _MARKS[s.phase]
    if move == DRAW:
        return "[R7]" if s.phase == DRAWN else "[R8]"
    if move in (WILD, DRAW_FOUR):
        return "[R9]" if move == WILD else "[R14]"
    return {DRAW_TWO: "[R10]", REVERSE: "[R11]", SKIP: "[R12]"}.get(face_of(move), "[R6]")


def hand_in_words(s: Any, seat: int) -> str:
    """Return a hand as text, by colour: red 4, 7, 7, skip; green 1; wild."""
    return _listed(s.hand[seat])


def round_in_words(start: Any, names: Sequence[str]) -> Iterator[str]:
    """Describe the deal and the first card."""
    s = start.s
    yield f"Round {s.round_number}: {names[s.dealer]} deals."
    for seat, name in enumerate(names):
        more = len(s.hand[seat]) - s.options["hand_size"]
        drew = f" after drawing {spelled(more)}" if more else ""
        yield f"{name} has {hand_in_words(s, seat)}{drew}."
    yield from _first_card_in_words(s, names)


def _first_card_in_words(s: Any, names: Sequence[str]) -> Iterator[str]:
    left = names[(s.dealer + 1) % s.players]
    opened = f"The first card is {_a(card_name(s.top))}"
    face = face_of(s.top)
    if face == WILD_FACE:
        yield f"{opened}: {left} names its colour and begins."
    elif face == DRAW_TWO and s.phase == STACK:
        yield f"{opened}: {_may_stack(s, names)}."
    elif face == DRAW_TWO:
        count = len(s.hand[(s.dealer + 1) % s.players]) - s.options["hand_size"]
        drawn = f"draws {counted(count, 'card')} and is skipped"
        yield f"{opened}: {left} {drawn}; {names[s.seat]} begins."
    elif face == SKIP:
        yield f"{opened}: {left} is skipped; {names[s.seat]} begins."
    elif face == REVERSE:
        yield f"{opened}: {names[s.seat]} begins, and play goes counter-clockwise."
    else:
        yield f"{opened}; {left} begins."


def _way(s: Any) -> str:
    return "counter-clockwise" if s.backwards else "clockwise"


def table_in_words(state: Any, names: Sequence[str]) -> Iterator[str]:
    """Draw the top card, the stock, the direction of play and everybody's hand."""
    s = state.s
    named = ", its colour not yet named" if s.phase == COLOUR else ""
    yield (
        f"┌─ round {s.round_number}: {top_in_words(s)} on top{named}, "
        f"{len(s.stock)} in the stock, {_way(s)}"
    )
    width = max(map(len, names))
    hands = [hand_in_words(s, seat) for seat in range(len(names))]
    column = max(map(len, hands))
    for seat, name in enumerate(names):
        mark = "▶" if seat == s.seat else " "
        yield f"│ {mark} {name:<{width}}  {hands[seat]:<{column}}  ({amount(s, s.scores[seat])})"
    yield "└─"


def step_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    """Describe a move and its consequences."""
    s, after = step.s, step.after.s
    name = names[step.seat]
    if s.phase == COLOUR:
        yield f"{name} names {COLOURS[step.move]}."
        if face_of(s.top) > WILD_FACE and after.phase != CHALLENGE:
            yield from _debt_in_words(step, names, _seat_after(s, step.seat, 1))
    elif s.phase == CHALLENGE:
        yield from _answer_in_words(step, names)
    elif s.phase == SWAP or (s.phase in (STACK, JUMP, PAIR) and step.move == DRAW):
        yield from _house_rule_in_words(step, names)
    elif step.move == DRAW and s.phase == DRAWN:
        yield f"{name} keeps the {card_name(step.s.drawn[step.seat])}."
    elif step.move == DRAW:
        yield f"{name} {_draw_in_words(step)}."
    else:
        yield from _lay_in_words(step, names)
    if after.phase == JUMP:
        yield f"{names[after.seat]} may jump in."
    if after.aborted and after.count.clauses & _TURN_CAP:
        yield f"After {after.turns} turns the round has reached its cap: the match is aborted."
    elif after.aborted:
        yield "Nobody could draw or would lay a card for a whole lap: the match is aborted."


def _house_rule_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    """Describe a swap for a 7, or a playable card that is not laid."""
    if step.s.phase == SWAP:
        yield f"{names[step.seat]} swaps hands with {names[step.move]}."
    elif step.s.phase == STACK:
        yield from _debt_in_words(step, names, step.seat)
    elif step.s.phase == PAIR:
        yield f"{names[step.seat]} lays no second one."
        yield from _effect_in_words(step, names, step.s.top)
    else:
        yield f"{names[step.seat]} does not jump in."


def _may_stack(s: Any, names: Sequence[str]) -> str:
    due = counted(s.due, "card")
    return f"{names[s.seat]} may stack instead of drawing {due}"


def _debt_in_words(step: Any, names: Sequence[str], victim: int) -> Iterator[str]:
    """Describe the effect of a draw card on its victim, who may stack or draws."""
    if step.after.s.phase == STACK:
        yield f"{_may_stack(step.after.s, names)}."
    else:
        yield f"{names[victim]} draws {_drawn_in_words(step, victim)} and misses the turn."


def _draw_in_words(step: Any) -> str:
    """Describe a draw on turn, and whether the seat could have laid a card instead."""
    top = top_in_words(step.s)
    drawn = _drawn(step, step.seat)
    if not drawn:
        why = f"lays no card, although one goes on {top}, and " if step.chosen else ""
        return f"{why}can draw nothing: all cards are in the players' hands"
    several, fits = len(drawn) > 1, step.after.s.phase == DRAWN
    if several:
        last = card_name(step.after.s.drawn[step.seat])
        cards_drawn = _drawn_in_words(step, step.seat)
        cards_drawn += f"; the last one, {_a(last)}, goes" if fits else ", none of which goes"
    else:
        cards_drawn = f"{_a(card_name(drawn[0]))}{_renewed(step)}"
        if not fits:
            cards_drawn += ", which does not go" + ("" if step.chosen else " either")
    if step.chosen:
        draws = ", and draws" if several else ":"
        return f"chooses to draw, although a card in hand goes on {top}{draws} {cards_drawn}"
    return f"has no card that goes on {top} and draws {cards_drawn}"


def _drawn(step: Any, seat: int) -> list[int]:
    """Return the cards that a seat drew during a move."""
    return list(step.after.s.hand[_holder(step, seat)] - step.s.hand[seat])


def _holder(step: Any, seat: int) -> int:
    """Return the holder of a seat's hand after a move; a 0, or a 7 with two players, moves it."""
    s, after = step.s, step.after.s
    if s.phase not in (COLOUR, CHALLENGE, SWAP) and after.count.swaps > s.count.swaps:
        return _seat_after(after, seat, 1)
    return seat


def _drawn_in_words(step: Any, seat: int) -> str:
    """Return the number and names of the cards a seat drew: two cards (red 4; wild)."""
    drawn = _drawn(step, seat)
    which = f" ({_listed(drawn)})" if drawn else ""
    return f"{counted(len(drawn), 'card')}{which}{_renewed(step)}"


def _renewed(step: Any) -> str:
    renewed = step.after.s.count.reshuffles > step.s.count.reshuffles
    return " from the discard pile, shuffled anew" if renewed else ""


def _lay_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    s = step.s
    name, kind = names[step.seat], step.move
    bluff = ""
    if kind == DRAW_FOUR and s.phase != STACK:
        held = COLOURS[colour_of(s.top)]
        if step.after.s.bluff:
            bluff = f", a bluff: the hand has {held} cards"
        else:
            bluff = f", holding no {held} card"
    last = " as the last card" if len(s.hand[step.seat]) == 1 else ""
    if s.phase == PAIR:
        yield f"{name} lays a second {card_name(kind)}{last}."
    else:
        does = "jumps in and lays" if s.phase == JUMP else "lays"
        yield f"{name} {does} {_a(card_name(kind))} on {top_in_words(s)}{last}{bluff}."
    if step.after.s.phase != PAIR:
        yield from _effect_in_words(step, names, kind)


def _effect_in_words(step: Any, names: Sequence[str], kind: int) -> Iterator[str]:
    """Describe the effects of a card that was laid."""
    left = len(step.s.hand[step.seat]) - (step.move != DRAW)
    if left == 1:
        yield from _uno_in_words(step, names)
    if face_of(kind) >= WILD_FACE and left:
        return
    if left == 0:
        yield from _late_draw_in_words(step, names, kind)
    else:
        yield from _action_in_words(step, names, kind)


def _uno_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    s, after, name = step.s, step.after.s, names[step.seat]
    if after.count.uno_penalties > s.count.uno_penalties:
        drawn = _drawn_in_words(step, step.seat)
        yield f'{name} forgets to call "UNO", is noticed and draws {drawn}.'
    elif after.forgot:
        yield f'{name} forgets to call "UNO", but nobody notices.'
    else:
        yield f'{name} calls "UNO".'


def _seat_after(s: Any, seat: int, steps: int) -> int:
    return int((seat + (-steps if s.backwards else steps)) % s.players)


def _late_draw_in_words(step: Any, names: Sequence[str], kind: int) -> Iterator[str]:
    if kind == DRAW_FOUR or (face_of(kind) == DRAW_TWO):
        seat = _seat_after(step.after.s, step.seat, 1)
        yield f"{names[seat]} still draws {_drawn_in_words(step, seat)}."


def _action_in_words(step: Any, names: Sequence[str], kind: int) -> Iterator[str]:
    after = step.after.s
    following = _seat_after(after, step.seat, 1)
    on_turn = after.following if after.phase == JUMP else after.seat
    if face_of(kind) == DRAW_TWO:
        yield from _debt_in_words(step, names, following)
    elif after.count.swaps > step.s.count.swaps:
        direction = _way(after)
        both = f"{names[step.seat]} and {names[following]} swap hands."
        yield f"All hands pass on by one seat, {direction}." if face_of(kind) == ZERO else both
    elif after.aborted:
        return
    elif face_of(kind) == REVERSE and len(names) == 2:
        if on_turn == step.seat:
            yield f"{names[step.seat]} plays again."
    elif face_of(kind) == REVERSE:
        turned = _way(after)
        yield f"Play goes {turned} now: {names[on_turn]} is next."
    elif face_of(kind) == SKIP:
        yield f"{names[following]} is skipped."


def _answer_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    s, after = step.s, step.after.s
    seat, layer = step.seat, s.layer
    victim = _seat_after(s, layer, 1)
    name = names[seat]
    if step.move != DOUBT and after.phase == CHALLENGE:
        yield f"{name} does not challenge."
        return
    if step.move != DOUBT:
        if seat != victim or after.phase == STACK:
            yield f"{name} does not challenge."
            yield from _debt_in_words(step, names, victim)
        else:
            yield f"{name} accepts, draws {_drawn_in_words(step, victim)} and misses the turn."
        return
    colour = COLOURS[s.colour_before]
    shown = hand_in_words(s, layer)
    yield f"{name} challenges, and {names[layer]} shows {shown}."
    if after.count.caught > s.count.caught:
        drawn = _drawn_in_words(step, layer)
        yield (
            f"There is {colour} in it: {names[layer]} draws {drawn}, and {names[victim]} plays on."
        )
    else:
        drawn = _drawn_in_words(step, seat)
        misses = "" if seat == victim else f" {names[victim]}"
        yield f"There is no {colour} in it: {name} draws {drawn} and{misses} misses the turn."


def score_in_words(end: Any, names: Sequence[str]) -> Iterator[str]:
    """Describe the cards left, the points, and who is ahead."""
    s, after = end.s, end.after.s
    options = s.options
    yield f"Round {s.round_number} is over."
    for seat, name in enumerate(names):
        total = f"{amount(s, after.scores[seat])} in all"
        own_cards = options["scoring"] == "own_cards"
        if s.hand[seat]:
            booked = f", {total}" if own_cards else ""
            points = amount(s, sum(_points(options, card) for card in s.hand[seat]))
            yield f"{name} has {hand_in_words(s, seat)} left: {points}{booked}."
        elif own_cards:
            yield f"{name} is out, {total}."
        else:
            won = amount(s, after.scores[seat] - s.scores[seat])
            yield f"{name} is out and gets {won}, {total}."
    best = max(after.scores[seat] for seat in range(len(names)) if after.leaders >> seat & 1)
    yield f"{ahead(after.leaders, names)} with {amount(s, best)}."


def _points(options: Any, card: int) -> int:
    face = face_of(card)
    if face >= WILD_FACE:
        return int(options["wild_points"])
    return int(options["action_points"]) if face >= DRAW_TWO else face


def amount(_s: Any, number: int) -> str:
    """Return a number of points in words."""
    return plural(number, "point")
