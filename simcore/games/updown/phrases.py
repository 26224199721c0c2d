"""UP & DOWN in words: its table of phrases (`simcore.narration.teller`)."""

from __future__ import annotations

from simcore.compiler.state import MATCH_OVER
from simcore.games.updown.rules import *
from simcore.phrases import counted, joined

ROTATIONS = {1: "by a quarter turn", 2: "by half a turn", 3: "by three quarter turns"}

STYLES = {"ROSE": "red", "FEDER": "cyan", "MONOKEL": "magenta", "HUT": "yellow"}
CARD_COLOURS = (
    *((rf"\b{colour}\b(?: \d+)*\b", style) for colour, style in STYLES.items()),
    (r"\b(?:UP|DOWN)\b", "bold"),
)
"""A display colour for each of the four suits [R2]; those of the real cards are not known."""


def colour_of(card):
    return card >> deck.shift


def value_of(card):
    return card & ((1 << deck.shift) - 1)


def colour_at(at, seat):
    """Return the name of the colour that points at a seat."""
    return COLOURS[at.rule("own_colour", seat)]


def change(at):
    if at.move in ROTATIONS:
        colour = COLOURS[(at.rule("own_colour", at.seat) - at.move) % SIDES]
        return f"rotate the card {ROTATIONS[at.move]}, for {colour} as own colour"
    return {
        FLIP: f"turn the card over to {FACES[1 - at.s.face]}",
        ROLL: "roll the dice for a new trump",
        KEEP: "leave the rules as they are",
    }[at.move]


def mark(at):
    if at.decision == "card":
        return "[R9]"
    return {ROLL: "[R11]", KEEP: "[H3]"}.get(at.move, "[R10]")


def first(at):
    """Tell the hands, the first trump and the toss of the U&D card."""
    yield from at.hands()
    if at.s.stock:
        yield f"{len(at.s.stock)} cards lie aside{at.listed(at.s.stock)}."
    if at.s.pot:
        yield f"The pot holds {at.amount(at.s.pot)} of the round before."
    trump = f"The dice show {at.s.trump}, the first trump" if at.s.trump else "No card is trump"
    yield (
        f"{trump}; the U&D card lands with {FACES[at.s.face]} on top. "
        f"ROSE points at {at.names[at.s.leader]}, who leads first."
    )


def wanted(s):
    return f"{FACES[s.face]} ({'highest' if s.face == UP else 'lowest'} wins)"


def table(at):
    """Give the head of the table; it is not drawn again while cards are chosen secretly."""
    s = at.s
    if s.phase == CARD and s.seat != 0 and at.sees_all:
        return None
    pot = f", pot: {at.amount(s.pot)}" if s.pot else ""
    trump = f"trump {s.trump}" if s.trump else "no trump"
    return f"round {s.round_number}, trick {s.trick + 1}: {wanted(s)}, {trump}{pot}"


def row(at, seat):
    return [f"own colour {colour_at(at, seat):<7}", f"hand {at.cards(at.s.hand[seat])}"]


def told(at):
    """Tell the leader's change, or a chosen card and the trick that it completes."""
    s, after = at.s, at.after
    if s.phase == CARD:
        if at.sees_all:  # and reads the cards as they are revealed
            at.went("hand", "chosen")
        else:
            yield f"  {at.plainly()}"
        if at.went("chosen", "played") or at.seat == s.players - 1:
            at.went("hand", "played")
            yield from trick(at)
        return
    deed = {
        FLIP: f"turns the U&D card over: {FACES[s.face]} becomes {FACES[after.face]}",
        ROLL: f"rolls the dice: the trump changes from {s.trump} to {after.trump}",
        KEEP: "leaves the rules as they are",
    }.get(at.move, f"rotates the U&D card {ROTATIONS.get(at.move)}")
    yield f"Trick {s.trick + 1}: {at.who} leads and {deed}."
    colours = (f"{colour_at(at.end, seat)} for {name}" for seat, name in enumerate(at.names))
    trump = f"the trump is {after.trump}" if after.trump else "there is no trump"
    now = "It stays" if at.move == KEEP else "Now it is"
    yield f"  {now} {wanted(after)}, {trump}; their colours are {', '.join(colours)}."


def trick(at):
    """Tell what all have chosen, and who takes it with what."""
    before, after = at.s, at.after
    cards, winner = list(after.last_card), after.last_winner
    verdicts = [verdict(at, cards, seat) for seat in range(before.players)]
    judged = zip(at.names, map(at.card, cards), verdicts, strict=True)
    yield f"  Revealed: {'; '.join(f'{who} {card} ({why})' for who, card, why in judged)}."
    is_double = after.options["last_trick"] == "double" and not after.hand[at.seat]  # [H8]
    stake = "the trick, which counts double," if is_double else "the trick"
    if winner == NO_SEAT and not before.options["pot_tricks"]:
        yield f"  No card can win: {stake} is lost."
    elif winner == NO_SEAT:
        holds = at.amount(after.pot)
        yield f"  No card can win: {stake} goes into the pot, which now holds {holds}."
    else:
        more = f" and {at.amount(before.pot)} from the pot" if before.pot else ""
        why = "the highest that can win" if before.face == UP else "the lowest that can win"
        if value_of(cards[winner]) == before.trump:
            why = "a trump"
        elif verdicts.count("own colour") == 1:
            why = "the only card that can win"
        card, now = at.card(cards[winner]), at.amount(after.scores[winner])
        yield f"  {at.names[winner]} takes {stake}{more} with {card}, {why}; {now} in all."


def verdict(at, cards, seat):
    """Return the verdict on a card of a trick, by the first rule that applies."""
    s, value = at.s, value_of(cards[seat])
    able = [at.rule("is_able", other, card) for other, card in enumerate(cards)]
    equals = [other for other, card in enumerate(cards) if value_of(card) == value]
    if s.options["cancelling"] == "eligible":  # [H4]
        equals = [other for other in equals if able[other] and able[seat]]
    if len(equals) > 1:
        others = [at.names[other] for other in equals if other != seat]
        return f"cancelled by {joined(others)}"
    if able[seat]:
        return "a trump" if value == s.trump else "own colour"
    colour = f"its own colour {colour_at(at, seat)}"
    return f"neither {colour} nor a trump" if s.trump else f"not {colour}"


def over(at):
    """Tell what becomes of the pot."""
    s, after = at.s, at.after
    if s.round_number > 1 or after.phase != MATCH_OVER:
        yield f"All cards are played: round {s.round_number} is over."
    if s.pot and s.options["last_pot"] == "carried" and after.phase != MATCH_OVER:
        yield f"The pot of {at.amount(s.pot)} goes into the next round."
    elif s.pot:
        yield f"Nobody gets the pot of {at.amount(s.pot)}."


def ends(at):
    rounds = at.options["rounds"]
    further = " and no tie is left" if at.options["tie_round"] else ""
    return f"{counted(rounds, 'round')} {'is' if rounds == 1 else 'are'} played{further}"


def end(at):
    if at.after.phase != MATCH_OVER:
        yield from at.ahead()
    if at.after.aborted:
        yield "The match is aborted: it had all its further rounds."


phrases = {
    "moves": {"change": change, "card": "choose {card}"},
    "mark": mark,
    "deal": "the cards are dealt",
    "ends": ends,
    "first": first,
    "told": told,
    "table": table,
    "seat": row,
    "over": over,
    "end": end,
    "amount": lambda _s, number: counted(number, "trick"),
}
