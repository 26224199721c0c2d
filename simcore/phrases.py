"""Phrases shared by all games' words: numbers, lists of names, who is ahead, who wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def spelled(number: int) -> str:
    """Return a number in words up to ten, in digits from there on."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def plural(number: int, thing: str, things: str = "") -> str:
    """Return a number of things in digits: 1 match, 3 matches."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def counted(number: int, thing: str) -> str:
    """Return a number of things in words: no tricks, one trick, three tricks."""
    return f"{spelled(number)} {thing}" + ("" if number == 1 else "s")


_IRREGULAR = {"do": "does", "have": "has", "be": "is"}


def third_person(order: str) -> str:
    """Return an order as what somebody does: "lay a card", lays a card."""
    verb, blank, rest = order.partition(" ")
    if verb in _IRREGULAR:
        verb = _IRREGULAR[verb]
    elif verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        verb += "es"
    else:
        verb = f"{verb[:-1]}ies" if verb[-2:-1] not in "aeiou" and verb[-1:] == "y" else verb + "s"
    return verb + blank + rest


def joined(names: Sequence[str]) -> str:
    """Return a list of names: A, B and C."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def ahead(mask: int, names: Sequence[str]) -> str:
    """Return who is ahead: A and B are ahead; `mask` has a bit for each seat.

    Not "leads", which in these games means to open a tower or a trick.
    """
    seats = _named(mask, names)
    return f"{joined(seats)} {'is' if len(seats) == 1 else 'are'} ahead"


def winning(mask: int, names: Sequence[str], *, are_team: bool = False) -> str:
    """Return who wins: A and B share the win, as a team win; `mask` has a bit for each seat."""
    seats = _named(mask, names)
    several = "win together" if are_team else "share the win"
    return f"{joined(seats)} {'wins' if len(seats) == 1 else several}"


def match_in_words(words: Any, s: Any, names: Sequence[str]) -> str:
    """Return the winners of a finished match and their score; `words` are the game's."""
    winners = [seat for seat in range(len(names)) if s.winners >> seat & 1]
    if not winners:
        is_untold = s.aborted and not words.is_builtin  # the built-in games tell it before
        return f"Nobody wins{': the match is aborted' if is_untold else ''}."
    amount = words.amount(s, max(int(s.scores[seat]) for seat in winners))
    if words.game.best_score_under(s.options) == "lowest":
        amount += ", the fewest"
    are_team = bool(words.are_team(int(s.winners), len(names)))
    if are_team and len(winners) == len(names) > 1:
        return f"All win together with {amount}." if s.scores[0] else "All win together."
    ends = "" if s.aborted else words.ends(s)
    why = f"{ends[0].upper()}{ends[1:]}: " if ends else ""
    won = winning(int(s.winners), names, are_team=are_team)
    return f"{why}{won} with {amount}{_others(words, s, names)}."


def _others(words: Any, s: Any, names: Sequence[str]) -> str:
    """Return the scores of those who do not win, best first; nothing if none has any."""
    seats = [seat for seat in range(len(names)) if not s.winners >> seat & 1]
    if not any(s.scores[seat] for seat in seats):
        return ""
    sign = 1 if words.game.best_score_under(s.options) == "lowest" else -1
    seats.sort(key=lambda seat: (sign * s.scores[seat], seat))
    return f"; {', '.join(f'{names[seat]} has {s.scores[seat]}' for seat in seats)}"


def _named(mask: int, names: Sequence[str]) -> list[str]:
    return [name for seat, name in enumerate(names) if mask >> seat & 1]
