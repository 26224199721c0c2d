"""Up or down? in words: its table of phrases (`simcore.narration.teller`)."""

from __future__ import annotations

from simcore.games.upordown.colours import load_colours
from simcore.games.upordown.options import card_count_of
from simcore.games.upordown.rules import *
from simcore.phrases import plural

STYLES = {
    "red": "red",
    "blue": "blue",
    "green": "green",
    "teal": "cyan",
    "yellow": "yellow",
    "pink": "bright_magenta",
    "purple": "magenta",
}
CARD_COLOURS = tuple((rf"\b{name}\b(?: \d+\b)?", style) for name, style in STYLES.items())
"""The game's colours as far as a terminal has them; other names, from a colour file, stay plain."""


def colour_of(card, options):
    return load_colours(options["colours"])[card - 1]


def column_cards(s, seat, place):
    """Return the cards of a column from the first to the last."""
    return sorted(s.column[seat][place], reverse=s.direction[seat][place] == DESCENDING)


def column(at, seat, place):
    """Return a column in words, with its direction: up: red 8, blue 9."""
    direction = ("", "up: ", "down: ")[at.s.direction[seat][place]]
    return direction + at.cards(column_cards(at.s, seat, place))


def pile(at, number):
    if at.options["open_pile"]:
        return "the face-up pile" if number == FACE_UP else "the face-down pile"
    return "the first pile" if number == FACE_UP else "the second pile"


def take(at):
    side = "lower" if at.move == LOWER_SIDE else "upper"
    return f"take {at.card(at.rule('neighbour', at.move))} ({side} neighbour)"


def draw_from(at):
    seen = f" ({at.card(at.s.face_up_card)})" if at.move == FACE_UP and at.s.face_up_card else ""
    return f"draw from {pile(at, at.move)}{seen}"


def put(at):
    taken = at.card(at.s.taken_card)
    if at.move == NEW_COLUMN:
        return f"start a column with {taken}"
    if at.move > NEW_COLUMN:
        return f"give up column {at.move - GIVE_UP + 1} for {taken}"
    verb, to = ("append", "to") if at.options["insert"] == "end" else ("put", "into")
    return f"{verb} {taken} {to} column {at.move // PLACES + 1}"


def mark(at):
    if at.decision != "place":
        return {"card": "[R6]", "take": "[R8]", "draw": "[R15]"}[at.decision]
    if at.move == NEW_COLUMN:
        return "[R9]"
    if at.move < NEW_COLUMN:
        return "[R12]" if at.options["insert"] == "end" else "[H4]"
    return "[H6]" if at.options["give_up"] == "forced" else "[R13]"


def deal_in_words(at):
    return f"The cards 1 to {card_count_of(at.options)} are dealt; {at.who} starts."


def piles(at, and_how):
    """Return how many cards lie in the piles, and what is on top."""
    s = at.s
    face_up, face_down = s.pile_cards
    if not at.options["open_pile"]:
        return f"{face_up} and {face_down} {and_how}face down"
    top = f" with {at.card(s.face_up_card)} on top" if s.face_up_card else ""
    return f"{face_down} {and_how}face down, {face_up or 'none'} face up{top}"


def first(at):
    yield from at.hands()
    yield f"The circle is {at.cards(at.s.circle)}."
    yield f"{piles(at, 'cards lie ')}{'' if at.options['open_pile'] else ' in two piles'}."


def table(at):
    """Give the circle, with the card just laid marked, and the piles."""
    laid = at.s.laid_card
    circle = (at.card(card) + " (just laid)" * (card == laid) for card in at.s.circle)
    return f"circle: {', '.join(circle)}; piles: {piles(at, '')}"


def columns_below(at, seat):
    if seat == at.seat and at.s.phase == PLACE:
        yield f"just taken: {at.card(at.s.taken_card)}"
    for place in range(at.s.columns_used[seat]):
        yield column(at, seat, place)


def told(at):
    """Tell a turn: the card laid, and as details what it takes, where it goes and what is drawn."""
    s, after, now = at.s, at.after, at.end
    if s.phase == CARD:
        at.went("hand", "circle")
        lower, upper = (now.rule("neighbour", side) for side in (LOWER_SIDE, UPPER_SIDE))
        card = after.laid_card
        where = f"between {at.card(lower)} and {at.card(upper)}"
        if not lower < card < upper:
            where = f"as the {'lowest' if card < upper else 'highest'} card, {where}"
        yield f"{at.who} lays {at.card(card)} {where}."
    elif s.phase == TAKE:
        at.went("circle", "taken")
        if after.phase != PLACE:  # else it is told with where it goes
            yield f"    {at.who} takes {at.card(after.taken_card)}."
    elif s.phase == DRAW:
        yield f"    {at.who} {drawn(at, at.move)}."
    else:
        yield f"    {at.who} {placed(at)}; {at.amount(after.scores[at.seat])} in all."
        for number in (FACE_UP, FACE_DOWN):
            if after.pile_cards[number] < s.pile_cards[number]:
                yield f"    {at.who} {drawn(at, number)}, the only one left."


def drawn(at, number):
    """Tell the card drawn; of the face-up pile everybody has seen it."""
    drawn = at.went("stock", "hand")
    card = at.s.face_up_card if number == FACE_UP else 0
    return f"draws {at.card(card) if card else at.cards(drawn)} from {pile(at, number)}"


def placed(at):
    """Tell which card was taken, and where it was placed."""
    s, after, seat = at.s, at.after, at.seat
    at.went("taken", "column")
    taken = at.card(s.taken_card)
    if at.move == NEW_COLUMN:
        return f"takes {taken} and starts column {s.columns_used[seat] + 1} with it"
    if at.move > NEW_COLUMN:
        at.went("column", "discards")
        place = at.move - GIVE_UP
        given = f"gives up column {place + 1} ({column(at, seat, place)})"
        return f"takes {taken}, {given} and starts it anew"
    place = at.move // PLACES
    cards, now = column_cards(after, seat, place), column(at.end, seat, place)
    if cards[-1] == s.taken_card:
        return f"takes {taken} and appends it to column {place + 1} ({now})"
    following = at.card(cards[cards.index(s.taken_card) + 1])
    return f"takes {taken} and puts it before {following} into column {place + 1} ({now})"


def over(at):
    turns = card_count_of(at.options) - at.options["circle"] - at.s.turns_left
    yield f"{plural(turns, 'turn')} were played."


def left(at, seat):
    """Tell the points of every column and of the discards."""
    s = at.s
    yield f"{at.names[seat]} has {at.amount(s.scores[seat])}:"
    for place in range(s.columns_used[seat]):
        yield f"    {column(at, seat, place)}: {scored(at, column_cards(s, seat, place))}"
    discards = len(s.discards[seat])
    if discards:
        points = at.amount(discards * s.options["discard_points"])
        yield f"    {plural(discards, 'discarded card')}: {points}"


def scored(at, cards):
    """Return a column's points and how they come about; ties go to the colour that comes first."""
    names = list(dict.fromkeys(load_colours(at.options["colours"])))
    colours = [colour_of(card, at.options) for card in cards]
    name = max(names, key=colours.count)
    most, length = colours.count(name), len(cards)
    formula, points = {
        "colour_times_length": (f"{most} {name} × {plural(length, 'card')}", most * length),
        "length": (plural(length, "card"), length),
        "colour": (f"{most} {name} × {most}", most * most),
    }[at.options["scoring"]]
    return f"{formula} = {at.amount(points)}"


phrases = {
    "printed": lambda card, options: f"{colour_of(card, options)} {card}",
    "moves": {"card": "lay {card}", "take": take, "place": put, "draw": draw_from},
    "mark": mark,
    "deal": deal_in_words,
    "ends": "all hand cards are played",
    "first": first,
    "told": told,
    "table": table,
    "seat": lambda at, seat: [at.cards(at.s.hand[seat])],
    "below": columns_below,
    "over": over,
    "left": left,
    "end": lambda _at: (),
}
