"""Up in words: cards, moves, and a commentary on a match by a spectator who sees all cards.

`round_in_words`, `step_in_words` and `score_in_words` take the events of `simcore.events` and yield
lines; `names` are the players by seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from simcore.games.up.pack import CLEAR, HIGHEST, KINDS, MINUS_TWO, Pack, pack_of
from simcore.games.up.rules import *
from simcore.phrases import ahead, counted, plural

_HEAVIEST_FIRST = (*range(HIGHEST, 0, -1), MINUS_TWO, CLEAR)
assert len(_HEAVIEST_FIRST) == KINDS


_BEFORE, _AFTER = (
    r"(?<![\w.-])(?<!ound )(?<!ter )(?<!of )",
    r"(?=s?\b)(?! (?:point|card|play|match|round))",
)
CARD_COLOURS = (
    (r"\bclear\b", "bold magenta"),
    (r"(?<![\w.])-2\b", "bold red"),
    (f"{_BEFORE}1[01]{_AFTER}", "blue"),
    (f"{_BEFORE}[789]{_AFTER}", "cyan"),
    (f"{_BEFORE}[456]{_AFTER}", "green"),
    (f"{_BEFORE}[123]{_AFTER}", "yellow"),
)
"""Colours by weight, as the printed colours mean nothing [R2]: heavy is cold, light is warm."""


def _pack(options: Any) -> Pack:
    sets = options["players"] + options["extra_set"]
    return pack_of(sets, options["players"], options["minus_two_cards"], options["clear_cards"])


def _kind(s: Any, card: int) -> int:
    """Return the kind a card counts as [C37] [C46]."""
    kind = _pack(s.options).kinds[card]
    return 2 if s.double and kind == MINUS_TWO else kind


def card_name(kind: int) -> str:
    """Return the text on a card of a kind."""
    return {CLEAR: "clear", MINUS_TWO: "-2"}.get(kind, str(kind))


def printed(card: int, options: Any) -> str:
    """Return the text on a card of the pack."""
    return card_name(_pack(options).kinds[card])


def cards_in_words(s: Any, cards: Iterable[int]) -> str:
    """Return cards in words, heaviest first: 11 7 7 -2 clear."""
    kinds = sorted((_kind(s, card) for card in cards), key=_HEAVIEST_FIRST.index)
    return " ".join(card_name(kind) for kind in kinds) or "nothing"


def _some(kind: int, count: int) -> str:
    """Return a count and a kind in words: an 8, three 7s, two "-2" cards."""
    name = {CLEAR: "clear card", MINUS_TWO: '"-2"'}.get(kind, str(kind))
    if count == 1:
        return f"{'an' if kind in (8, 11) else 'a'} {name}"
    return counted(count, '"-2" card' if kind == MINUS_TWO else name)


def move_in_words(s: Any, seat: int, move: int) -> str:
    """Return a legal move as an imperative: lay three 7s."""
    if move == PASS_LEAD:
        return "pass the lead"
    if s.phase == CUT:
        return "keep it" if move == KEEP else "give it back"
    if s.phase == DECLARE:
        return f"announce {_announced(s, move)}"
    if move == TURN_UP:
        return "turn up a hidden card"
    source = " from the open cards" if move >= OPEN else ""
    verb = "lay" if s.cap else "lead"
    kind, count = _laid_by(s, seat, move)
    falls = ", too heavy for the tower" if _makes_collapse(s, kind, count) else ""
    return f"{verb} {_some(kind, count)}{source}{falls}"


def mark_of(s: Any, seat: int, move: int) -> str:
    """Return the mark of the clause that a legal move carries out."""
    if s.phase == CUT:
        return "[C3]"
    if s.phase == DECLARE:
        return "[C36]"
    if move == TURN_UP:
        return "[R12]"
    kind, count = _laid_by(s, seat, move)
    if kind == CLEAR:
        return "[R21]"
    if _makes_collapse(s, kind, count):
        if kind == MINUS_TWO:
            return "[H7]" if count > 1 or s.cap > 2 else "[R18]"
        return "[C14]"
    if kind == MINUS_TWO:
        return "[R17]" if s.cap else "[H8]"
    if count > 1:
        return "[R11]"
    if not s.cap:
        return "[R16]" if s.plays else "[R8]"
    return "[R10]" if move >= OPEN else "[R9]"


def _makes_collapse(s: Any, kind: int, count: int) -> bool:
    """Tell whether cards laid on the tower make it collapse [R15] [R18]."""
    if not s.cap or kind == CLEAR:
        return False
    return bool(kind > s.cap if kind != MINUS_TWO else 2 * count >= s.cap)


def _laid_by(s: Any, seat: int, move: int) -> tuple[int, int]:
    """Return the kind and the number of the cards that a move lays."""
    card = move % OPEN
    kind = _kind(s, card)
    if kind != MINUS_TWO and not 1 <= kind <= (s.cap or HIGHEST):
        return kind, 1
    source = s.open_cards[seat] if move >= OPEN else s.hand[seat]
    return kind, sum(_kind(s, other) == kind and other <= card for other in source)


def _announced(s: Any, move: int) -> str:
    points = s.options["dirty_one_points"]
    variants = (
        (DIRTY, f"the dirty one (each 1 left over counts {points})"),
        (DOUBLE, 'the double two (each "-2" is a 2)'),
    )
    return " and ".join(name for bit, name in variants if move & bit) or "nothing"


def round_in_words(start: Any, names: Sequence[str]) -> Iterator[str]:
    """Describe the cut and, unless it found a special card, the deal."""
    s = start.s
    yield f"Round {s.round_number}: {names[s.dealer]} deals."
    pack = _pack(s.options)
    bottom_kind = pack.kinds[s.pack[len(pack.cards) - 1]]
    yield f"{names[(s.dealer - 1) % len(names)]} cuts and finds {_some(bottom_kind, 1)}."
    if s.phase != CUT:
        yield from _deal_in_words(s, names)


def _deal_in_words(s: Any, names: Sequence[str]) -> Iterator[str]:
    for seat, name in enumerate(names):
        yield f"{name} has {_held_in_words(s, seat)}."
    if s.stock:
        yield f"{len(s.stock)} cards lie aside: {cards_in_words(s, s.stock)}."
    if s.options["dirty_one"] == "always":
        yield f"Each 1 left over counts {s.options['dirty_one_points']} (dirty one)."
    if s.options["double_two"] == "always":
        yield 'Each "-2" is a 2 (double two).'


def _held(s: Any, seat: int) -> tuple[str, str, str]:
    """Return the hand, the open and the hidden cards of a seat in words."""
    return (
        cards_in_words(s, s.hand[seat]),
        cards_in_words(s, s.open_cards[seat]),
        cards_in_words(s, s.lying[seat]),
    )


def _held_in_words(s: Any, seat: int) -> str:
    held = zip(_held(s, seat), ("in hand", "open", "hidden"), strict=True)
    return ", ".join(f"{text} {place}" for text, place in held if text != "nothing") or "no cards"


def table_in_words(state: Any, names: Sequence[str]) -> Iterator[str]:
    """Draw the tower and everybody's hand, open and hidden cards."""
    s = state.s
    if s.phase == PLAY:
        top = f"{_top_in_words(s)} on top" if s.cap else "none"
        under = f" (in it: {cards_in_words(s, s.tower)})" if s.tower else ""
        yield f"┌─ round {s.round_number}, tower: {top}{under}"
    else:
        yield f"┌─ round {s.round_number}, before the first card"
    width = max(map(len, names))
    held = [_held(s, seat) for seat in range(len(names))]
    columns = [max(len(cards[place]) for cards in held) for place in range(3)]
    for seat, name in enumerate(names):
        mark = "▶" if seat == s.seat else " "
        hand, laid, hidden = (
            ("–" if text == "nothing" else text).ljust(columns[place])
            for place, text in enumerate(held[seat])
        )
        total = amount(s, s.scores[seat])
        yield f"│ {mark} {name:<{width}}  {hand}  open {laid}  hidden {hidden}  ({total})"
    yield "└─"


def step_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    """Describe a move and its consequences."""
    s, after = step.s, step.after.s
    name = names[step.seat]
    if s.phase == CUT:
        kept = step.move == KEEP
        yield f"{name} {'keeps it' if kept else 'gives it back'}."
        yield from _deal_in_words(after, names)
    elif s.phase == DECLARE:
        yield f"{name} announces {_announced(s, step.move)}."
    else:
        yield from _play_in_words(step, names)
        if after.aborted and after.plays >= s.options["play_cap"]:
            yield f"After {after.plays} plays the round has reached its cap: the match is aborted."
        elif after.aborted:
            yield "Nobody has a card that may lead: the match is aborted."


def _play_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    name = names[step.seat]
    if step.move == PASS_LEAD:
        yield f"{name} has nothing that may lead and passes the lead."
    else:
        yield f"{name} {_laid_in_words(step, name)}."
        if _is_announcement_due(step):
            if _forgets(step):
                yield f"{name} forgets to say it is the last card and will lose a turn."
            else:
                yield f'{name} says "last card".'
    if step.after.s.phase == PLAY and _ends_turn(step):
        for seat in _skipped(step):
            yield f"{names[seat]} loses this turn."


def _laid_in_words(step: Any, name: str) -> str:
    """Return a play and its effect in words: "lays three 7s on the 9"."""
    s = step.s
    if step.move == TURN_UP:
        kind, count = _kind(s, s.top[step.seat][s.hidden_cards[step.seat] - 1]), 1
        deed = f"turns up {_some(kind, 1)}{'' if s.cap else ' to lead with'}"
    else:
        kind, count = _laid_by(s, step.seat, step.move)
        source = " from the open cards" if step.move >= OPEN else ""
        deed = f"{'lays' if s.cap else 'leads'} {_some(kind, count)}{source}"
    place = f" on {_top_in_words(s)}" if s.cap else ""
    return deed + place + _effect_in_words(step, name, kind, count)


def _top_in_words(s: Any) -> str:
    """Return the top of the tower in words: the 9, or the "-2" (at most 7)."""
    if any(_kind(s, card) == MINUS_TWO for card in s.laid):
        return f'the "-2" (at most {s.cap})'
    return f"the {s.cap}"


def _effect_in_words(step: Any, name: str, kind: int, count: int) -> str:
    s, after = step.s, step.after.s
    if _grew(step, "collapses"):
        taken = cards_in_words(s, after.laid | s.tower)
        why = f"would leave {s.cap - 2 * count}" if kind == MINUS_TWO else "is too heavy"
        return f", which {why}: the tower collapses, and {name} takes {taken}"
    if kind == CLEAR:
        cleared = cards_in_words(s, s.tower) if s.tower else "only itself"
        return f", which takes {cleared} out of the game"
    if after.blind_finish:
        return " as the very last card, which ends the round"
    if _grew(step, "four_clears"):
        out = cards_in_words(s, after.laid | s.tower)
        return f", the fourth {card_name(kind)} or more on top: {out} leave the game"
    if kind == MINUS_TWO and not s.cap and not after.cap:
        return ", takes it into the hand and must play another card"
    if _grew(step, "minus_twos"):
        return f": the tower now bears at most {after.cap}"
    return ""


def _grew(step: Any, metric: str) -> bool:
    return bool(getattr(step.after.s.count, metric) > getattr(step.s.count, metric))


def _is_announcement_due(step: Any) -> bool:
    """Tell whether a play left its player with one card [C29]."""
    return bool(step.after.s.cards_left[step.seat] == 1 and step.s.cards_left[step.seat] > 1)


def _ends_turn(step: Any) -> bool:
    return step.move == PASS_LEAD or not step.after.s.anew


def _forgets(step: Any) -> bool:
    """Tell whether the player forgot to announce, and so has lost a turn or loses it at once.

    It loses the turn at once if all other seats lose theirs, too.
    """
    others = (1 << len(step.s.scores)) - 1 & ~(1 << step.seat)
    passed = _ends_turn(step) and step.after.s.seat != step.seat
    all_lost = passed and step.s.lost_turn & others == others
    return bool(step.after.s.lost_turn >> step.seat & 1 or all_lost)


def _skipped(step: Any) -> list[int]:
    """List the seats that are skipped as this turn ends, in turn order [R24]."""
    players = len(step.s.scores)
    lost = step.s.lost_turn
    if step.move != PASS_LEAD and _is_announcement_due(step):
        lost |= int(_forgets(step)) << step.seat
    lost &= ~step.after.s.lost_turn
    lap = [(step.seat + steps) % players for steps in range(1, players + 1)]
    return [seat for seat in lap if lost >> seat & 1]


def score_in_words(end: Any, names: Sequence[str]) -> Iterator[str]:
    """Describe the cards left, the points, and who is ahead."""
    s, after = end.s, end.after.s
    scoring = s.options["scoring"]
    yield f"Round {s.round_number} is over."
    for seat, name in enumerate(names):
        total = f"{amount(after, after.scores[seat])} in all"
        if s.cards_left[seat]:
            gained = after.scores[seat] - s.scores[seat]
            booked = "" if scoring == "matches" else f": {amount(s, gained)}"
            yield f"{name} has {_held_in_words(s, seat)} left{booked}, {total}."
        elif scoring == "points":
            credit = s.options["blind_credit" if s.blind_finish else "out_credit"]
            yield f"{name} is out with a credit of {credit}, {total}."
        else:
            prize = " and gets a matchstick" if scoring == "matches" else ""
            yield f"{name} is out{prize}, {total}."
    yield f"{ahead(after.leaders, names)}."


def amount(s: Any, number: int) -> str:
    """Return a number of points, cards or matchsticks, by the scoring in force."""
    thing = {"matches": "matchstick", "cards": "card"}.get(s.options["scoring"], "point")
    return plural(number, thing)
