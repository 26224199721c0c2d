"""Up in words: its table of phrases (`simcore.narration.teller`)."""

from __future__ import annotations

from simcore.games.up.pack import CLEAR, HIGHEST, MINUS_TWO, pack_of
from simcore.games.up.rules import *
from simcore.phrases import counted, plural

HEAVIEST_FIRST = (*range(HIGHEST, 0, -1), MINUS_TWO, CLEAR)

BEFORE, AFTER = (
    r"(?<![\w.=-])(?<!ound )(?<!ter )(?<!of )(?<!has )(?<!tch )(?<!eed )",
    r"(?=s?\b)(?! (?:point|card|play|match|round))",
)
CARD_COLOURS = (
    (r"\bclear\b", "bold magenta"),
    (r"(?<![\w.])-2\b", "bold red"),
    (f"{BEFORE}1[01]{AFTER}", "blue"),
    (f"{BEFORE}[789]{AFTER}", "cyan"),
    (f"{BEFORE}[456]{AFTER}", "green"),
    (f"{BEFORE}[123]{AFTER}", "yellow"),
)
"""Colours by weight, as the printed colours mean nothing [R2]: heavy is cold, light is warm."""


def name_of(kind):
    return {CLEAR: "clear", MINUS_TWO: "-2"}.get(kind, str(kind))


def kinds_in(at, cards):
    """Return the kinds that cards count as, heaviest first [C37] [C46]."""
    return sorted((at.rule("kind_of", card) for card in cards), key=HEAVIEST_FIRST.index)


def some(kind, count):
    """Return a count and a kind in words: an 8, three 7s, two "-2" cards."""
    name = {CLEAR: "clear card", MINUS_TWO: '"-2"'}.get(kind, str(kind))
    if count == 1:
        return f"{'an' if kind in (8, 11) else 'a'} {name}"
    return counted(count, '"-2" card' if kind == MINUS_TWO else name)


def laid_by(at):
    """Return the kind and the number of the cards that a move lays."""
    source = at.s.open_cards if at.move >= OPEN else at.s.hand
    card = at.move % OPEN
    return at.rule("kind_of", card), len(at.rule("cards_laid", source[at.seat], card))


def is_too_heavy(s, kind, count):
    """Tell whether cards laid on the tower make it collapse [R15] [R18]."""
    if not s.cap or kind == CLEAR:
        return False
    return kind > s.cap if kind != MINUS_TWO else 2 * count >= s.cap


def play(at):
    if at.move in (PASS_LEAD, TURN_UP):
        return "pass the lead" if at.move == PASS_LEAD else "turn up a hidden card"
    kind, count = laid_by(at)
    source = " from the open cards" if at.move >= OPEN else ""
    takes = f", too heavy: you take the tower ({at.cards(at.s.tower)})"
    falls = takes if is_too_heavy(at.s, kind, count) else ""
    return f"{'lay' if at.s.cap else 'lead'} {some(kind, count)}{source}{falls}"


def declare(at):
    points = at.options["dirty_one_points"]
    variants = (
        (DIRTY, f"the dirty one (each 1 left over counts {points})"),
        (DOUBLE, 'the double two (each "-2" is a 2)'),
    )
    named = " and ".join(name for bit, name in variants if at.move & bit)
    return f"announce {named or 'nothing'}"


def mark(at):
    if at.decision != "play":
        return "[C3]" if at.decision == "cut" else "[C36]"
    if at.move == TURN_UP:
        return "[R12]"
    kind, count = laid_by(at)
    if kind == CLEAR:
        return "[R21]"
    if is_too_heavy(at.s, kind, count):
        if kind == MINUS_TWO:
            return "[H7]" if count > 1 or at.s.cap > 2 else "[R18]"
        return "[C14]"
    if kind == MINUS_TWO:
        return "[R17]" if at.s.cap else "[H8]"
    if count > 1:
        return "[R11]"
    if not at.s.cap:
        return "[R16]" if at.s.plays else "[R8]"
    return "[R10]" if at.move >= OPEN else "[R9]"


def first(at):
    """Tell the cut and, unless it found a special card, the deal."""
    pack_size = sum(map(len, (at.s.stock, *at.s.hand, *at.s.open_cards, *at.s.lying)))
    cutter = at.names[(at.s.dealer - 1) % at.s.players]
    found = at.if_seen(lambda: some(at.rule("kind_of", at.s.pack[pack_size - 1]), 1), "a card")
    yield f"{cutter} cuts and finds {found}."
    if at.decision != "cut":
        yield from dealt(at)


def dealt(at):
    yield from at.hands()
    if at.s.stock:
        yield f"{len(at.s.stock)} cards lie aside{at.listed(at.s.stock)}."
    if at.options["dirty_one"] == "always":
        yield f"Each 1 left over counts {at.options['dirty_one_points']} (dirty one)."
    if at.options["double_two"] == "always":
        yield 'Each "-2" is a 2 (double two).'


def hand(at, seat):
    """Return the hand, the open and the hidden cards of a seat."""
    places = (at.s.hand, "in hand"), (at.s.open_cards, "open"), (at.s.lying, "hidden")
    held = [(cards[seat], where) for cards, where in places]
    return "; ".join(f"{where}: {at.cards(cards)}" for cards, where in held if cards) or "no cards"


def table(at):
    s = at.s
    if at.decision != "play":
        return f"round {s.round_number}, before the first card"
    cap = f"{on_top(at)} on top" if s.cap else "none"
    under = f" (in it: {at.cards(s.tower)})" if s.tower else ""
    return f"round {s.round_number}, tower: {cap}{under}"


def row(at, seat):
    s, held = at.s, ("", "open ", "hidden ")
    places = s.hand[seat], s.open_cards[seat], s.lying[seat]
    return [f"{w}{at.cards(c) if c else '–'}" for w, c in zip(held, places, strict=True)]


def told(at):
    """Tell a move and its consequences."""
    s, after, who = at.s, at.after, at.who
    if at.decision == "cut":
        yield None
        at.untold.clear()
        yield from dealt(at.end)
    elif at.decision == "declare":
        yield None
    elif at.move == PASS_LEAD:
        yield f"{who} has nothing that may lead and passes the lead."
        yield from skipped(at)
    else:
        yield f"{who} {laid(at)}."
        if is_last(at):
            forgets = "forgets to say it is the last card and will lose a turn"
            yield f"{who} {forgets}." if forgot(at) else f'{who} says "last card".'
        yield from skipped(at)
    if after.aborted and after.plays >= s.options["play_cap"]:
        yield f"After {after.plays} plays the round has reached its cap: the match is aborted."
    elif after.aborted:
        yield "Nobody has a card that may lead: the match is aborted."


def on_top(at):
    """Return the top of the tower in words: the 9, or the "-2" (at most 7)."""
    if MINUS_TWO in kinds_in(at, at.s.laid):
        return f'the "-2" (at most {at.s.cap})'
    return f"the {at.s.cap}"


def laid(at):
    """Return a play and its effect in words: "lays three 7s on the 9"."""
    s = at.s
    for source in ("hand", "open_cards", "lying"):
        for target in ("tower", "cleared", "hand"):
            at.went(source, target)
    found = kinds_in(at, at.after.laid)
    kind, count = found[0], len(found)
    if at.move == TURN_UP:
        deed = f"turns up {some(kind, 1)}{'' if s.cap else ' to lead with'}"
    else:
        source = " from the open cards" if at.move >= OPEN else ""
        deed = f"{'lays' if s.cap else 'leads'} {some(kind, count)}{source}"
    place = f" on {on_top(at)}" if s.cap else ""
    return deed + place + effect(at, kind, count)


def effect(at, kind, count):
    """Return what becomes of the tower."""
    s, after = at.s, at.after
    taken, cleared = at.went("tower", "hand"), at.went("tower", "cleared")
    if kind == CLEAR:
        gone = at.cards(s.tower) if s.tower else "only itself"
        return f", which takes {gone} out of the game"
    if after.blind_finish:
        return " as the very last card, which ends the round"
    if not after.cards_left[at.seat]:
        return " as the last card"
    if is_too_heavy(s, kind, count):
        why = f"would leave {s.cap - 2 * count}" if kind == MINUS_TWO else "is too heavy"
        took = at.cards(taken | after.laid)
        return f", which {why}: the tower collapses, and {at.who} takes {took}"
    if cleared or not after.tower:
        if kind == MINUS_TWO:
            return ", takes it into the hand and must play another card"
        out = at.cards(s.tower | after.laid)
        return f", the fourth {name_of(kind)} or more on top: {out} leave the game"
    return f": the tower now bears at most {after.cap}" if kind == MINUS_TWO else ""


def is_last(at):
    """Tell whether a play left its player with one card [C29]."""
    return at.after.cards_left[at.seat] == 1 and at.s.cards_left[at.seat] > 1


def ends_turn(at):
    return at.move == PASS_LEAD or not at.after.anew


def forgot(at):
    """Tell whether the player forgot to announce, and so has lost a turn or loses it at once.

    It loses the turn at once if all other seats lose theirs, too.
    """
    others = (1 << at.s.players) - 1 & ~(1 << at.seat)
    passed = ends_turn(at) and at.after.seat != at.seat
    all_lost = passed and at.s.lost_turn & others == others
    return at.after.lost_turn >> at.seat & 1 or all_lost


def skipped(at):
    """Tell which seats are skipped as this turn ends, in turn order [R24]."""
    if at.after.phase != PLAY or not ends_turn(at):
        return
    lost = at.s.lost_turn
    if at.move != PASS_LEAD and is_last(at) and forgot(at):
        lost |= 1 << at.seat
    lost &= ~at.after.lost_turn
    for steps in range(1, at.s.players + 1):
        seat = (at.seat + steps) % at.s.players
        if lost >> seat & 1:
            yield f"{at.names[seat]} loses this turn."


def ends(at):
    limit, rounds = at.options["points_limit"], at.options["rounds"]
    ways = []
    if limit is not None:
        ways.append(f"a player has more than {limit} points")
    if rounds is not None:
        ways.append(f"{counted(rounds, 'round')} {'is' if rounds == 1 else 'are'} played")
    return " or ".join(ways)


def left(at, seat):
    """Tell the cards left, and the points."""
    s, after, scoring = at.s, at.after, at.options["scoring"]
    name, total = at.names[seat], f"{at.amount(after.scores[seat])} in all"
    if s.cards_left[seat]:
        gained = f" ({at.amount(after.scores[seat] - s.scores[seat])})"
        booked = "" if scoring == "matches" else gained
        return f"{name} has left {at.held(seat)}{booked}, {total}."
    if scoring == "points":
        credit = at.options["blind_credit" if s.blind_finish else "out_credit"]
        return f"{name} is out with a credit of {credit}, {total}."
    prize = " and gets a matchstick" if scoring == "matches" else ""
    return f"{name} is out{prize}, {total}."


phrases = {
    "printed": lambda card, options: name_of(pack_for(options).kinds[card]),
    "cards_in_words": lambda at, cards: " ".join(map(name_of, kinds_in(at, cards))),
    "moves": {
        "cut": {KEEP: "keep it", RETURN: "give it back"},
        "declare": declare,
        "play": play,
    },
    "mark": mark,
    "deal": lambda at: f"{at.names[at.s.dealer]} deals",
    "ends": ends,
    "first": first,
    "hand": hand,
    "told": told,
    "table": table,
    "seat": row,
    "left": left,
    "amount": lambda s, number: plural(
        number, {"matches": "matchstick", "cards": "card"}.get(s.options["scoring"], "point")
    ),
}


def pack_for(options):
    """Return the pack that options deal."""
    sets = options["players"] + options["extra_set"]
    return pack_of(sets, options["players"], options["minus_two_cards"], options["clear_cards"])
