"""UNO in words: its table of phrases (`simcore.narration.teller`)."""

from __future__ import annotations

from simcore.compiler.state import MATCH_OVER
from simcore.games.uno.state import *
from simcore.phrases import ahead, counted, spelled

MARKS = {
    "challenge": "[R15]",
    "stack": "[H13]",
    "jump": "[H14]",
    "swap": "[H15]",
    "pair": "[H16]",
}

FACE = r"(?:\d|draw two|reverse|skip)"
CARD_COLOURS = (
    *((rf"\b{colour}\b(?: {FACE}\b(?:, {FACE}\b)*)?", colour) for colour in COLOURS),
    (r"\bwild(?: draw four)?\b", "bold magenta"),
)
"""Colours as printed; wild cards, which show all colours, get a fifth one."""


def printed(card, _options):
    """Return a card's name: red 7, green skip, wild."""
    face = FACES[card & 15]
    return face if card & 15 >= WILD_FACE else f"{COLOURS[card >> 4 & 3]} {face}"


def face_of(kind):
    return kind & 15


def colour_of(kind):
    """Return the colour of a card; for a wild card on top the colour that was named."""
    return COLOURS[kind >> 4 & 3]


def on_top(s):
    """Return the top card in words: the red 7, the wild (blue)."""
    is_named = face_of(s.top) >= WILD_FACE and s.phase != COLOUR
    return f"the {printed(s.top, 0)}" + (f" ({colour_of(s.top)})" if is_named else "")


def way(s):
    return "counter-clockwise" if s.backwards else "clockwise"


def next_to(s, seat):
    """Return the seat that follows on another in the direction of play."""
    return (seat + (-1 if s.backwards else 1)) % s.players


def lay(at):
    """Return a card to lay, or what to do instead, as an order."""
    if at.move == DRAW:
        due = counted(at.s.due, "card")
        instead = {JUMP: "do not jump in", STACK: f"draw {due}", DRAWN: "keep it"}
        return (instead | {PAIR: "lay no second one"}).get(at.s.phase, "draw a card")
    verb = {JUMP: "jump in with a", STACK: "stack a", PAIR: "lay a second"}
    return f"{verb.get(at.s.phase, 'lay a')} {printed(at.move, 0)}"


def mark(at):
    if at.decision == "colour":
        return "[R14]" if face_of(at.s.top) > WILD_FACE else "[R13]"
    if at.decision in MARKS:
        return MARKS[at.decision]
    if at.move == DRAW:
        return "[R7]" if at.decision == "drawn" else "[R8]"
    if at.move in (WILD, DRAW_FOUR):
        return "[R9]" if at.move == WILD else "[R14]"
    return {DRAW_TWO: "[R10]", REVERSE: "[R11]", SKIP: "[R12]"}.get(face_of(at.move), "[R6]")


def first(at):
    """Tell the hands, and the first card with its effect."""
    s, size = at.s, at.options["hand_size"]
    for seat, name in enumerate(at.names):
        more = len(s.hand[seat]) - size
        drew = f" after drawing {spelled(more)}" if more else ""
        yield f"{name} has {at.held(seat)}{drew}."
    left = (s.dealer + 1) % s.players
    name, begins = at.names[left], f"{at.who} begins"
    drawn = counted(len(s.hand[left]) - size, "card")
    effect = {
        WILD_FACE: f": {name} names its colour and begins",
        DRAW_TWO: f": {name} draws {drawn} and is skipped; {begins}",
        SKIP: f": {name} is skipped; {begins}",
        REVERSE: f": {begins}, and play goes counter-clockwise",
    }.get(face_of(s.top), f"; {name} begins")
    yield (
        f"The first card is a {printed(s.top, 0)}{effect}."
        if s.phase != STACK
        else (f"The first card is a {printed(s.top, 0)}: {may_stack(at)}.")
    )


def table(at):
    s, named = at.s, ", its colour not yet named" if at.decision == "colour" else ""
    return (
        f"round {s.round_number}: {on_top(s)} on top{named}, {len(s.stock)} in the stock, {way(s)}"
    )


def told(at):
    """Tell a move and its consequences; of a swap of hands the teller tells."""
    after = at.after
    if at.decision == "challenge":
        yield from answer(at)
    elif at.decision == "colour":
        yield None
        if face_of(at.s.top) > WILD_FACE and after.phase != CHALLENGE:
            yield from debt(at, next_to(at.s, at.seat))
    elif at.decision != "swap":
        yield from (lays_none(at) if at.move == DRAW else lays(at))
    if after.phase == JUMP and at.is_told(after.seat):
        yield f"{at.names[after.seat]} may jump in."
    if after.aborted and after.turns >= after.options["turn_cap"]:
        yield f"After {after.turns} turns the round has reached its cap: the match is aborted."
    elif after.aborted:
        yield "Nobody could draw or would lay a card for a whole lap: the match is aborted."


def lays_none(at):
    """Tell a move that lays no card, and what follows on it."""
    if at.decision == "stack":
        yield from debt(at, at.seat)
    elif at.decision == "drawn":
        card = at.if_seen(lambda: f"the {printed(at.s.drawn[at.seat], 0)}", "it")
        yield f"{at.who} keeps {card}."
    elif at.decision == "play":
        yield f"{at.who} {draws(at)}."
    else:
        if at.is_told(at.seat):  # that a seat is asked tells what it holds
            yield None
        if at.decision == "pair":
            yield from effect(at)


def drawn(at, seat):
    """Return the cards that a seat drew."""
    return at.went("stock pile", "hand", seat=seat)


def renewed(at):
    return " from the discard pile, shuffled anew" if at.after.renewals > at.s.renewals else ""


def debt(at, victim):
    """Tell the effect of a draw card on its victim, who may stack or draws."""
    if at.after.phase == STACK:
        if at.is_told(at.after.seat):
            yield f"{may_stack(at.end)}."
    else:
        cards = at.some(drawn(at, victim))
        yield f"{at.names[victim]} draws {cards}{renewed(at)} and misses the turn."


def may_stack(at):
    return f"{at.who} may stack instead of drawing {counted(at.s.due, 'card')}"


def draws(at):
    """Tell a draw on turn, and whether the seat could have laid a card instead."""
    on, cards = on_top(at.s), drawn(at, at.seat)
    if at.moves is None:
        return f"draws {at.some(cards)}{renewed(at)}"
    chosen, fits = len(at.moves) > 1, at.after.phase == DRAWN
    if not cards:
        why = f"lays no card, although one goes on {on}, and " if chosen else ""
        return f"{why}can draw nothing: all cards are in the players' hands"
    which = f"a {at.cards(cards)}{renewed(at)}"
    if len(cards) > 1:
        last = f"; the last one, a {printed(at.after.drawn[at.seat], 0)}, goes" if fits else ""
        which = f"{at.some(cards)}{renewed(at)}{last or ', none of which goes'}"
    elif not fits:
        which += ", which does not go" + ("" if chosen else " either")
    if chosen:
        return f"chooses to draw, although a card in hand goes on {on}, and draws {which}"
    return f"has no card that goes on {on} and draws {which}"


def lays(at):
    """Tell a card that is laid, whether it is a bluff, and its effect."""
    s, kind = at.s, at.move
    at.went("hand", "pile")
    last = " as the last card" if len(s.hand[at.seat]) == 1 else ""
    if at.decision == "pair":
        yield f"{at.who} lays a second {printed(kind, 0)}{last}."
        yield from effect(at)
        return
    colour, bluff = colour_of(s.top), ""
    if kind == DRAW_FOUR and at.decision != "stack":
        told = f", a bluff: the hand has {colour} cards", f", holding no {colour} card"
        bluff = at.if_seen(lambda: told[not at.after.bluff])
    does = "jumps in and lays" if at.decision == "jump" else "lays"
    yield f"{at.who} {does} a {printed(kind, 0)} on {on_top(s)}{last}{bluff}."
    yield from effect(at)


def effect(at):
    """Tell the effects of a card that was laid."""
    s, after = at.s, at.after
    kind = s.top if at.move == DRAW else at.move
    left = len(s.hand[at.seat]) - (at.move != DRAW)
    if after.phase == PAIR:
        return
    if left == 1:
        yield called(at)
    following = next_to(after, at.seat)
    if not left:
        if kind == DRAW_FOUR or face_of(kind) == DRAW_TWO:
            cards = at.some(drawn(at, following))
            yield f"{at.names[following]} still draws {cards}{renewed(at)}."
        return
    on_turn = after.following if after.phase == JUMP else after.seat
    if face_of(kind) == DRAW_TWO:
        yield from debt(at, following)
    elif face_of(kind) == REVERSE and s.players > 2 and not after.aborted:
        yield f"Play goes {way(after)} now: {at.names[on_turn]} is next."
    elif face_of(kind) == REVERSE and on_turn == at.seat and not after.aborted:
        yield f"{at.who} plays again."
    elif face_of(kind) == SKIP and not after.aborted:
        yield f"{at.names[following]} is skipped."


def called(at):
    """Tell whether "UNO" was called; who is caught draws, which a 0 or 7 may pass on."""
    if not at.after.forgot:
        return f'{at.who} calls "UNO".'
    forgets = f'{at.who} forgets to call "UNO"'
    cards = drawn(at, at.seat) or drawn(at, next_to(at.after, at.seat))
    if not cards:
        return f"{forgets}, but nobody notices."
    return f"{forgets}, is noticed and draws {at.some(cards)}{renewed(at)}."


def answer(at):
    """Tell whether a wild draw four is challenged, and who has to draw."""
    s, after, name, layer = at.s, at.after, at.who, at.names[at.s.layer]
    victim = next_to(s, s.layer)
    if at.move != DOUBT and (at.seat != victim or after.phase in (STACK, CHALLENGE)):
        yield f"{name} does not challenge."
        if after.phase != CHALLENGE:
            yield from debt(at, victim)
    elif at.move != DOUBT:
        cards = at.some(drawn(at, victim))
        yield f"{name} does not challenge, draws {cards}{renewed(at)} and misses the turn."
    else:
        colour = COLOURS[s.colour_before]
        yield f"{name} challenges, and {layer} shows {at.cards(after.hand_seen[at.seat])}."
        if caught := drawn(at, s.layer):
            draws = f"{layer} draws {at.some(caught)}{renewed(at)}"
            yield f"There is {colour} among them: {draws}, and {at.names[victim]} plays on."
        else:
            draws = f"{name} draws {at.some(drawn(at, at.seat))}{renewed(at)}"
            misses = "" if at.seat == victim else f" {at.names[victim]}"
            yield f"There is no {colour} among them: {draws} and{misses} misses the turn."


def left(at, seat):
    """Tell the cards that a seat has left, and the points."""
    s, after, own = at.s, at.after, at.options["scoring"] == "own_cards"
    total = f"{at.amount(after.scores[seat])} in all"
    if s.hand[seat]:
        worth = at.if_seen(lambda: f": {at.amount(at.rule('points_of', s.hand[seat]))}")
        return f"{at.names[seat]} has {at.held(seat)} left{worth}{f', {total}' if own else ''}."
    if own:
        return f"{at.names[seat]} is out, {total}."
    gained = at.amount(after.scores[seat] - s.scores[seat])
    return f"{at.names[seat]} is out and gets {gained}, {total}."


def ends(at):
    rounds = at.options["rounds"]
    if rounds is None:
        return f"a player has {at.options['target']} points"
    return f"{counted(rounds, 'round')} {'is' if rounds == 1 else 'are'} played"


def end(at):
    if at.after.phase == MATCH_OVER:
        return
    best = max(
        at.after.scores[seat] for seat in range(at.s.players) if at.after.leaders >> seat & 1
    )
    yield f"{ahead(at.after.leaders, at.names)} with {at.amount(best)}."


phrases = {
    "printed": printed,
    "moves": {
        **dict.fromkeys(("play", "drawn", "stack", "jump", "pair"), lay),
        "colour": lambda at: f"name {COLOURS[at.move]}",
        "challenge": {ACCEPT: "accept", DOUBT: "challenge"},
        "swap": lambda at: f"swap hands with seat {at.move}",
    },
    "cards": {"stock from pile": ""},
    "mark": mark,
    "deal": lambda at: f"{at.names[at.s.dealer]} deals",
    "ends": ends,
    "first": first,
    "told": told,
    "table": table,
    "seat": lambda at, seat: [at.held(seat)],
    "left": left,
    "end": end,
}
