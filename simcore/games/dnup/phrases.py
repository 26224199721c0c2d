"""dnup in words: its table of phrases (`simcore.narration.teller`).

Cards in hands and on the table are named with the active value first: 3/4 is a 3 that turns into a
4.
"""

from __future__ import annotations

from itertools import combinations, islice

from simcore.compiler.state import ROUND_OVER, Cards
from simcore.games.dnup.deck import load_deck
from simcore.games.dnup.rules import *
from simcore.phrases import counted, plural, spelled

SIZES = ("", "single card", "pair", "triple")

CARD_COLOURS = (
    (r"\b[789]/[1-9]★?", "cyan"),
    (r"\b[456]/[1-9]★?", "green"),
    (r"\b[123]/[1-9]★?", "yellow"),
)
"""Colours by active value, as the cards have none: high is cold, low is warm."""


def unseen_by(s, seat):
    """Return the cards of which a seat does not see which way up they are."""
    return Cards.of(card for other, hand in enumerate(s.hand) if other != seat for card in hand)


def values_of(s, card, value=0):
    """Return the value that a card shows, or is said to show, and its other value."""
    printed = load_deck(str(s.options["deck"]))[card]
    low = printed.low
    active = value or (printed.high if card in s.flipped else low)
    return active, low + printed.high - active


def named(s, card, value=0):
    """Return a card's name by its active value: 5/1★."""
    star = "★" * load_deck(str(s.options["deck"]))[card].star
    return "{}/{}".format(*values_of(s, card, value)) + star


def in_words(s, cards, value=0):
    """Return cards, sorted by active values: 2/7 5/1★ 9/4."""
    held = sorted(cards, key=lambda card: values_of(s, card, value))
    return " ".join(named(s, card, value) for card in held)


def hand(at, seat):
    """Return a hand; only its holder sees which way up its cards are."""
    return in_words(at.s, at.s.hand[seat])


def some(count, value):
    """Return a count and a value in words: an 8, two 7s."""
    if count == 1:
        return f"{'an' if value == 8 else 'a'} {value}"
    return f"{spelled(count)} {value}s"


def size_name(size):
    return SIZES[size] if size < len(SIZES) else f"set of {spelled(size)}"


def place_of(s, size):
    sizes = [len(cards) for cards in s.lying]
    return sizes.index(size) if size in sizes else NOWHERE


def owner_of(s, place):
    return place // 2 if s.players == 2 else place


def value_at(s, place):
    return value_of(int(s.shape[place]).bit_length() - 1)


def area(s, place, preposition):
    """Return the area after a preposition with two players, otherwise an empty string."""
    return f"{preposition} area {place % 2 + 1}" if s.players == 2 else ""


def whose(at, seat, by):
    return "its own" if seat == by else f"{at.names[seat]}'s"


def lying(at, place, size, by=NOBODY):
    """Return a set with its owner and, with two players, its area: Ann's three 7s in area 2."""
    value = value_at(at.s, place)
    which = f"{value}" if size == 1 else some(size, value)
    return f"{whose(at, owner_of(at.s, place), by)} {which}{area(at.s, place, ' in')}"


def set_of(action):
    """Return the size and the value of the set in a move."""
    described = action - (TAKE if action >= TAKE else ADD if action >= ADD else PLAY)
    return size_of(described), value_of(described)


def picked(at):
    """Return the cards of the pending action by their rank; a forced pick has rank 0."""
    value, count = cards_needed(at.s.pending)
    held = [card for card in at.s.hand[at.seat] if values_of(at.s, card)[0] == value]
    return next(islice(combinations(held, count), max(at.move, 0), None))


def act(at):
    if at.move == TURN:
        return "turn all hand cards"
    size, value = set_of(at.move)
    if at.move < TURN:
        return f"play {some(size, value)}"
    described = lying(at, place_of(at.s, size), size)
    return f"take {described}" if at.move >= TAKE else f"add {some(1, value)} to {described}"


def pick(at):
    return f"use {in_words(at.s, picked(at), set_of(at.s.pending)[1])}"


def mark(at):
    action = at.s.pending if at.decision == "pick" else at.move
    return {TURN: "[R12]"}.get(
        action, "[R9]" if action < TURN else "[R11]" if action >= TAKE else "[R10]"
    )


def deal_in_words(at):
    first = "named by the value that counts, then by that of the turned card"
    return f"all {sum(map(len, at.s.hand))} cards are dealt, {first}"


def star_of(at):
    """Return the star card of the seat on turn, as it lies in its hand."""
    names = (named(at.s, card) for card in at.s.hand[at.seat])
    return "".join(f" {name}" for name in names if name.endswith("★"))


def first(at):
    """Tell the hands and who begins."""
    yield from at.hands()
    why = f"holds the star card{at.if_seen(lambda: star_of(at))}"
    if at.options["round_start"] == "winner" and at.s.round_number > 1:
        why = "won the last round" if at.s.players == 2 else "was out first in the last round"
    then = ", with one action for area 2" if at.s.players == 2 else ""
    yield f"{at.who} {why} and begins{then}."


def table(at):
    """Give the head of the table; nothing has moved while cards are picked."""
    if at.decision == "pick":
        return None
    discarded = plural(len(at.s.discards), "card")
    which = area(at.s, at.s.place, "; move for")
    return f"round {at.s.round_number}, discarded: {discarded}{which}"


def row(at, seat):
    two = at.s.players == 2
    places = (2 * seat, 2 * seat + 1) if two else (seat,)
    sets = [in_words(at.s, at.s.lying[p], value_at(at.s, p)) or "–" for p in places]
    laid = f"1: {sets[0]} | 2: {sets[1]}" if two else sets[0]
    return [f"lies {laid}", f"hand {at.held(seat) or '–'}"]


def told(at):
    """Tell an action once its cards are picked, and what it leads to."""
    s, action = at.s, at.s.pending
    if at.decision != "pick":
        return
    for target in ("hand", "discards"):
        at.went("lying", target)
    which = area(s, s.place, ", for")
    mover = f"{at.names[owner_of(s, s.place)]}{which}{',' if which else ''}"
    sets = {place: set(cards) for place, cards in enumerate(s.lying) if cards}
    if action == PASS:
        yield f"{mover} can do nothing and passes."
    elif action == TURN:
        yield f"{mover} turns all hand cards{at.if_seen(lambda: ': ' + hand(at.end, at.seat))}."
    elif not lays_cards(action):
        size, value = set_of(action)
        place = place_of(s, size)
        how = "turned" if s.options["turn_on_taking"] else "not turned"
        back = taken(s, sets.pop(place), value)
        yield f"{mover} takes {lying(at, place, size, at.seat)} to the hand, {how}: {back}."
    else:
        left = len(at.after.hand[at.seat])
        yield f"{mover} {laid(at, sets)}; {left or 'no'} card{'s' * (left != 1)} left."
    yield from then(at, sets)


def laid(at, sets):
    """Tell an action A or B and what it beats, and update `sets` accordingly."""
    s, by = at.s, at.seat
    size, value = set_of(s.pending)
    moved = set(at.went("hand", "lying") or at.went("hand", "discards"))
    place, cards = int(s.place), in_words(s, moved, value)
    deed = f"plays {some(size, value)} ({cards})"
    if s.pending >= TURN:
        place = place_of(s, size)
        deed = f"adds {some(1, value)} ({cards}) to {lying(at, place, size, by)}"
        size += 1
        deed += f", now {some(size, value)}"
    rival = place_of(s, size)
    if rival == NOWHERE:
        reason = f": there is no other {size_name(size)} on the table"
    else:
        low = value_at(s, rival)
        equal = ", of equal value" if low == value else ""
        back = f"back to {whose(at, owner_of(s, rival), by)} hand as {taken(s, sets[rival], low)}"
        back = "discarded" if rival == s.first_out else back
        reason = f", which beats {lying(at, rival, size, by)}{equal}: {back}"
        del sets[rival]
    sets[place] = sets.get(place, set()) | moved
    return deed + reason


def taken(s, cards, value):
    """Return the cards of a set as they show once in a hand: 4/3 6/3."""
    if not s.options["turn_on_taking"]:
        return " ".join(named(s, card, value) for card in sorted(cards))
    return " ".join(named(s, card, values_of(s, card, value)[1]) for card in sorted(cards))


def then(at, sets):
    """Tell who is out, what is discarded, or that the match is aborted."""
    s, after = at.s, at.after
    if after.first_out != s.first_out:
        gain = markers(s.options["first_out_markers"])
        gets = "" if after.aborted else f" and gets {gain}, {after.scores[at.seat]} in all"
        yield f"{at.who} is out first{gets}."
    if after.aborted:
        yield f"After {after.turns} actions the round has reached its cap: the match is aborted."
    if after.phase <= ROUND_OVER:
        return
    places = 4 if s.players == 2 else s.players
    place = (s.place + 1) % places
    if place == after.first_out:
        if place in sets:
            yield (
                f"All others have had a turn since {at.names[place]} was out: "
                f"{old_set(s, sets, place)} is discarded."
            )
        place = (place + 1) % places
    if place in sets:
        nobody = f"Nobody has beaten {at.names[owner_of(s, place)]}'s"
        yield f"{nobody} {old_set(s, sets, place).removeprefix('the ')}: it is discarded."


def old_set(s, sets, place):
    cards, value = sorted(sets[place]), value_at(s, place)
    named_cards = " ".join(named(s, card, value) for card in cards)
    return f"the {size_name(len(cards))} {named_cards}{area(s, place, ' from')}"


def markers(count):
    return plural(count, "marker") if count else "no marker"


def ends(at):
    if at.s.players == 2:
        return f"a player has won {counted(at.options['rounds_to_win'], 'round')}"
    return f"a player has {counted(at.options['markers_to_win'], 'marker')}"


def over(at):
    last = at.names[at.s.last_out]
    if at.s.players == 2:
        yield f"{last} has played the last hand card and wins round {at.s.round_number}."
    else:
        gain = markers(at.options["second_out_markers"])
        yield f"{last} is out second and gets {gain}: round {at.s.round_number} is over."
    totals = (f"{name} {at.after.scores[seat]}" for seat, name in enumerate(at.names))
    yield f"{'Rounds won' if at.s.players == 2 else 'Markers'}: {', '.join(totals)}."


phrases = {
    "printed": lambda card, options: load_deck(str(options["deck"]))[card].name,
    "moves": {"action": act, "pick": pick},
    "mark": mark,
    "occasion": lambda at: area(at.s, at.s.place, ", for"),
    "deal": deal_in_words,
    "ends": ends,
    "first": first,
    "sees": lambda s, seat: {"flipped": s.flipped - (unseen_by(s, seat))},
    "hand": hand,
    "told": told,
    "table": table,
    "seat": row,
    "on_turn": lambda at: owner_of(at.s, at.s.place),
    "over": over,
    "left": lambda _at, _seat: (),
    "amount": lambda s, number: plural(number, "round" if s.players == 2 else "marker"),
}
