"""What else a move changed, told where a game has no phrase for it: cards, looks, numbers."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from typing import Any

from simcore.narration.moved import Looked, Moved, Shuffled, Spot
from simcore.narration.scene import Moment
from simcore.narration.seen import UnseenCards, is_seen
from simcore.narration.vocabulary import Vocabulary


def consequences(words: Vocabulary, moment: Moment) -> Iterator[tuple[int, str]]:
    """Yield what else a move changed: who (-1: nobody), and what is said of them."""
    is_said = not moment.is_secret and moment.move >= 0
    said = moment.if_seen(lambda: words.order(moment)[0]) if is_said else ""
    yield from _exchanged(moment)
    for change in _together(words, moment, said):
        told = _change(words, moment, change)
        if told is not None:
            yield told
    for other in moment.looked:
        yield _looked(words, moment, other)
    for name in words.told_fields:
        yield from _changed(words, moment, name, said)


def _together(words: Vocabulary, moment: Moment, said: str) -> list[Moved]:
    """Return what is still to be told of cards, joined where it reads as one.

    Cards that the game's own words for the move name are told; the card that was played goes with
    those that went to the same place, as in a trick.
    """
    is_card = words.is_card(moment.s.phase) and not moment.is_secret
    played = [moment.move] if is_card else None
    names = set(re.findall(r"[^\s,;:.]+", said)) if words.names_moves(moment) else set()
    joined: dict[Any, Moved] = {}
    unseen: list[Moved] = []
    # The card that was played comes last, so that those which it goes with are known.
    for change in sorted(moment.untold, key=lambda change: _are(change.cards, played)):
        if isinstance(change.cards, UnseenCards):
            unseen.append(change)
            continue
        source = change.source
        is_held = source is not None and words.is_held(source)
        place: Any = change.giver if is_held and change.giver >= 0 else source
        if _are(change.cards, played):
            place = next((at for at, to in joined if to == change.target), place)
        key = place, change.target
        joined[key] = joined[key].with_more(change.cards) if key in joined else change
    told = (
        change
        for change in joined.values()
        if not all(words.card(moment.s, card) in names for card in change.cards)
    )
    return [*told, *unseen]


def _are(cards: Any, played: list[int] | None) -> bool:
    return not isinstance(cards, UnseenCards) and [*cards] == played


def _exchanged(moment: Moment) -> Iterator[tuple[int, str]]:
    """Yield who exchanged all their cards with whom, and do not tell their single cards."""
    for name in dict.fromkeys(change.target.name for change in moment.untold):
        whole = [change for change in moment.untold if _is_all_of(moment, change, name)]
        gave = {change.giver: change.target.seat for change in whole}
        if len(gave) < 2 or set(gave) != set(gave.values()):
            continue
        moment.untold = [change for change in moment.untold if change not in whole]
        pairs = [(one, other) for one, other in gave.items() if gave[other] == one]
        for one, other in pairs:
            if one < other:
                first, second = (other, one) if other == moment.seat else (one, other)
                yield -1, f"{moment.names[first]} and {moment.names[second]} swap hands"
        if not pairs:
            steps = {(other - one) % len(moment.names) for one, other in gave.items()}
            way = "clockwise" if steps == {1} else "counter-clockwise"
            yield -1, f"all hands pass on by one seat, {way}"


def _is_all_of(moment: Moment, change: Moved, name: str) -> bool:
    """Tell whether cards are all that a seat still had, and went to another seat."""
    source, target = change.source, change.target
    if source is None or not source.name == target.name == name or source.seat == target.seat:
        return False
    elsewhere = (
        len(other.cards)
        for other in moment.moved
        if other.source == source and other.target.name != name
    )
    held = moment.s.__dict__[name][source.seat]
    return not isinstance(held, list) and len(change.cards) == len(held) - sum(elsewhere)


def _looked(words: Vocabulary, moment: Moment, change: Looked | Shuffled) -> tuple[int, str]:
    """Return who looked at which cards (-1: all), or what was shuffled."""
    if isinstance(change, Shuffled):
        return -1, f"the {words.place(change.spot)} is shuffled"
    place = f"in the {words.place(change.spot)}"
    if isinstance(change.cards, UnseenCards):
        told = f"{moment.end.cards(change.cards)} {place}"
    elif len(change.cards) == 1:
        told = f"{moment.end.card(change.cards[0])} {place}"
    else:
        told = f"{place}, from the top: {', '.join(map(moment.end.card, change.cards))}"
    return change.seat, f"sees {told}" if change.seat >= 0 else f"all see {told}"


def _change(words: Vocabulary, moment: Moment, change: Moved) -> tuple[int, str] | None:
    """Return whose and what cards are that moved; None where nothing is told of them."""
    source, target = change.source, change.target
    text, holder = moment.end.cards(change.cards), target.seat
    key = f"{target.name} from {source.name if source else 'nowhere'}"
    if key in words.section("cards"):
        who = max(holder, change.giver)
        said = words.filled(
            key,
            words.section("cards")[key],
            len(change.cards),
            who=moment.names[who] if who >= 0 else moment.who,
            cards=text,
            count=len(change.cards),
            place=words.place(target),
            source=words.place(source) if source else "",
            scene=moment,
        )
        return (-1, said.rstrip(".")) if said else None
    is_taken = holder >= 0 and words.is_held(target)
    if source is None or not (words.is_held(source) or words.is_open(source)):
        if is_taken:
            return holder, f"draws {text}"
        goes = "comes" if len(change.cards) == 1 else "come"
        return -1, f"{text} {goes} to {_whose(words, target, moment)}"
    if is_taken and change.giver not in (-1, holder):
        return holder, f"gets {text} from {moment.names[change.giver]}"
    if is_taken:
        return holder, f"takes {text} from the {words.place(source)}"
    if holder >= 0 and change.giver == holder:
        return holder, f"lays {text} ({words.place(target)})"
    if holder >= 0:
        origin = _whose(words, source, moment)
        return holder, f"takes {text} from {origin} ({words.place(target)})"
    whose = f"{moment.names[source.seat]}'s " if source.seat not in (-1, moment.seat) else ""
    origin = f" from {_whose(words, source, moment)}" if source.seat < 0 else ""
    goes = "goes" if len(change.cards) == 1 else "go"
    return -1, f"{whose}{text} {goes}{origin} to {_whose(words, target, moment)}"


def _whose(words: Vocabulary, spot: Spot, moment: Moment) -> str:
    """Return a place with whose it is: row 2, seat 1 (greedy)'s heap."""
    place = words.place(spot)
    if spot.seat >= 0:
        return f"{moment.names[spot.seat]}'s {place}"
    return place if spot.number >= 0 else f"the {place}"


def _changed(words: Vocabulary, moment: Moment, name: str, said: str) -> Iterator[tuple[int, str]]:
    """Yield how a number changed, but for what the move itself says."""
    before, after = moment.s.__dict__[name], moment.after.__dict__[name]
    field = words.program.fields[name]
    parts: list[tuple[int, int, Any, Any]] = []
    for seat, (old, new) in (
        enumerate(zip(before, after, strict=True)) if field.per_seat else [(-1, (before, after))]
    ):
        if not (is_seen(old) and is_seen(new)):
            continue
        if field.many and sum(map(operator.ne, old, new)) <= 2:
            both = enumerate(zip(old, new, strict=True))
            parts += [(seat, at, one, other) for at, (one, other) in both]
        else:
            parts.append((seat, -1, old, new))
    for seat, at, old, new in parts:
        if old == new:
            continue
        text = words.value(moment.after, name, new)
        if name in words.section("numbers"):
            names = {
                "who": moment.names[seat] if seat >= 0 else moment.who,
                "old": words.value(moment.s, name, old),
                "new": text,
                "place": at + 1,
                "scene": moment,
            }
            said_of = words.filled(name, words.section("numbers")[name], new, **names)
            if said_of:
                yield -1, said_of.rstrip(".")
            continue
        if words.program.is_set(field.kind) and (len(new) != 1 or moment.move in new):
            continue  # sets that are no places are notes
        is_thing = field.kind.name in ("card", "suit", "rank")
        if said in (text, f"{name} {text}") or (is_thing and text in said.split()):
            continue  # the move itself
        # "bid: bid 3" says it twice.
        label = name.replace("_", " ") + (f" {at + 1}" if at >= 0 else "")
        what = text if text.split(" ")[0] == name else f"{label}: {text}"
        yield -1, what if seat < 0 else f"{moment.names[seat]} {what}"
