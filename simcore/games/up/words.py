"""Up in words: cards, moves, and what a spectator who sees all cards would tell of a match.

`round_in_words`, `step_in_words` and `score_in_words` take the events of `simcore.events` and yield
lines; `names` are the players by seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from simcore.games.up import table as up
from simcore.games.up.cards import CLEAR, HIGHEST, KINDS, MINUS_TWO, Deck, count_of, kind_of
from simcore.games.up.moves import move_count, move_kind
from simcore.games.up.table import METRIC
from simcore.phrases import ahead, counted, numbered

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
"""By weight, as the colours of the cards mean nothing [R2]: heavy ones cold, light ones warm."""


def _deck(table: Any) -> Deck:
    return Deck(int(table.double), int(table.minus_twos), int(table.clears))


def card_name(kind: int) -> str:
    """Return what is printed on a card."""
    return {CLEAR: "clear", MINUS_TWO: "-2"}.get(kind, str(kind))


def cards_in_words(cards: Any, deck: Deck) -> str:
    """Return a card set in words, heaviest first: 11 7 7 -2 clear."""
    names = [
        card_name(kind) for kind in _HEAVIEST_FIRST for _ in range(count_of(cards, kind, deck))
    ]
    return " ".join(names) or "nothing"


def _numbered_cards_in_words(cards: Any, deck: Deck) -> str:
    kinds = sorted((int(kind_of(int(card), deck)) for card in cards), key=_HEAVIEST_FIRST.index)
    return " ".join(card_name(kind) for kind in kinds) or "nothing"


def _some(kind: int, count: int) -> str:
    """Return so many cards of a kind: an 8, three 7s, two "-2" cards."""
    name = {CLEAR: "clear card", MINUS_TWO: '"-2"'}.get(kind, str(kind))
    if count == 1:
        return f"{'an' if kind in (8, 11) else 'a'} {name}"
    return counted(count, '"-2" card' if kind == MINUS_TWO else name)


def move_in_words(table: Any, seat: Any, move: int) -> str:
    """Return a legal move of the seat on turn as something to do; its moves must have been found.

    Call it before the move is applied.
    """
    if move == up.PASS_LEAD:
        return "pass the lead"
    if table.phase == up.CUT:
        return "keep it" if move == up.KEEP else "give it back"
    if table.phase == up.DECLARE:
        return f"announce {_announced(table, move)}"
    if move == up.TURN_UP:
        return "turn up a hidden card"
    source = " from the open cards" if move // up.SOURCE_STEP == up.OPEN else ""
    verb = "lay" if table.cap else "lead"
    kind, count = _laid_by(table, seat, move)
    falls = ", too heavy for the tower" if _makes_collapse(table, kind, count) else ""
    return f"{verb} {_some(kind, count)}{source}{falls}"


def mark_of(table: Any, seat: Any, move: int) -> str:
    """Return the mark of the clause that a legal move carries out; its moves have been found."""
    if table.phase == up.CUT:
        return "[C3]"
    if table.phase == up.DECLARE:
        return "[C36]"
    if move == up.TURN_UP:
        return "[R12]"
    kind, count = _laid_by(table, seat, move)
    if kind == CLEAR:
        return "[R21]"
    if _makes_collapse(table, kind, count):
        if kind == MINUS_TWO:
            return "[H7]" if count > 1 or table.cap > 2 else "[R18]"
        return "[C14]"
    if kind == MINUS_TWO:
        return "[R17]" if table.cap else "[H8]"
    if count > 1:
        return "[R11]"
    if not table.cap:
        return "[R16]" if table.plays else "[R8]"
    return "[R10]" if move // up.SOURCE_STEP == up.OPEN else "[R9]"


def _makes_collapse(table: Any, kind: int, count: int) -> bool:
    """Tell whether the tower cannot bear a card laid on it [R15] [R18]."""
    cap = int(table.cap)
    if not cap or kind == CLEAR:
        return False
    return kind > cap if kind != MINUS_TWO else 2 * count >= cap


def _announced(table: Any, move: int) -> str:
    variants = (
        (up.DIRTY, f"the dirty one (each 1 left over counts {table.dirty_one_points})"),
        (up.DOUBLE, 'the double two (each "-2" is a 2)'),
    )
    return " and ".join(name for bit, name in variants if move & bit) or "nothing"


def round_in_words(start: Any, names: Sequence[str]) -> Iterator[str]:
    """Tell of the deal, or of the special card found at the cut."""
    table, box = start.table, start.box
    yield f"Round {table.round_number}: {names[table.dealer]} deals."
    deck = Deck(0, int(table.minus_twos), int(table.clears))
    found = int(kind_of(int(box.pack[table.pack_size - 1]), deck))
    cutter = names[(table.dealer - 1) % table.players]
    yield f"{cutter} cuts and finds {_some(found, 1)}."
    if table.phase != up.CUT:
        yield from _deal_in_words(table, box, names)


def _deal_in_words(table: Any, box: Any, names: Sequence[str]) -> Iterator[str]:
    deck = _deck(table)
    for seat, name in enumerate(names):
        yield f"{name} has {_held_in_words(table, box, seat)}."
    dealt = int(table.cards[: table.players].sum())
    aside = box.pack[dealt - table.cut_kept : table.pack_size - table.cut_kept]
    if len(aside):
        yield f"{len(aside)} cards lie aside: {_numbered_cards_in_words(aside, deck)}."
    if table.dirty_one == up.ALWAYS:
        yield f"Each 1 left over counts {table.dirty_one_points} (dirty one)."
    if table.double_two == up.ALWAYS:
        yield 'Each "-2" is a 2 (double two).'


def _held(table: Any, box: Any, seat: int) -> tuple[str, str, str]:
    """Return the hand, the open and the hidden cards of a seat in words."""
    deck = _deck(table)
    return (
        cards_in_words(box.seats[seat].hand, deck),
        cards_in_words(table.open_cards[seat], deck),
        _numbered_cards_in_words(box.hidden[seat][: table.hidden_cards[seat]], deck),
    )


def _held_in_words(table: Any, box: Any, seat: int) -> str:
    held = zip(_held(table, box, seat), ("in hand", "open", "hidden"), strict=True)
    return ", ".join(f"{text} {place}" for text, place in held if text != "nothing") or "no cards"


def table_in_words(state: Any, names: Sequence[str]) -> Iterator[str]:
    """Draw the tower, and what everybody holds; the hand, the open and the hidden cards."""
    table, box = state.table, state.box
    deck = _deck(table)
    if table.phase == up.PLAY:
        top = f"{_top_in_words(table)} on top" if table.cap else "none"
        under = cards_in_words(table.tower, deck)
        yield f"┌─ round {table.round_number}, tower: {top}" + (
            f" (in it: {under})" if table.tower.any() else ""
        )
    else:
        yield f"┌─ round {table.round_number}, before the first card"
    width = max(map(len, names))
    held = [_held(table, box, seat) for seat in range(len(names))]
    columns = [max(len(cards[place]) for cards in held) for place in range(3)]
    for seat, name in enumerate(names):
        mark = "▶" if seat == table.seat else " "
        hand, laid, hidden = (
            ("–" if text == "nothing" else text).ljust(columns[place])
            for place, text in enumerate(held[seat])
        )
        total = amount(table, int(table.scores[seat]))
        yield f"│ {mark} {name:<{width}}  {hand}  open {laid}  hidden {hidden}  ({total})"
    yield "└─"


def step_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    """Tell of a move and all that follows from it."""
    table, after = step.table, step.after.table
    name = names[step.seat]
    if table.phase == up.CUT:
        kept = step.move == up.KEEP
        yield f"{name} {'keeps it' if kept else 'gives it back'}."
        yield from _deal_in_words(after, step.after.box, names)
    elif table.phase == up.DECLARE:
        yield f"{name} announces {_announced(table, step.move)}."
    else:
        yield from _play_in_words(step, names)
        if after.aborted and after.plays >= after.play_cap:
            yield f"After {after.plays} plays the round has reached its cap: the match is aborted."
        elif after.aborted:
            yield "Nobody has a card that may lead: the match is aborted."


def _play_in_words(step: Any, names: Sequence[str]) -> Iterator[str]:
    name = names[step.seat]
    if step.move == up.PASS_LEAD:
        yield f"{name} has nothing that may lead and passes the lead."
    else:
        yield f"{name} {_laid_in_words(step, name)}."
        if _is_announcement_due(step):
            if _forgets(step):
                yield f"{name} forgets to say it is the last card and will lose a turn."
            else:
                yield f'{name} says "last card".'
    if step.after.table.phase == up.PLAY and _ends_turn(step):
        for seat in _skipped(step):
            yield f"{names[seat]} loses this turn."


def _laid_in_words(step: Any, name: str) -> str:
    """Return what a play did: "lays three 7s on the 9"."""
    table = step.table
    if step.move == up.TURN_UP:
        card = step.box.hidden[step.seat][table.hidden_cards[step.seat] - 1]
        kind, count = int(kind_of(int(card), _deck(table))), 1
        deed = f"turns up {_some(kind, 1)}{'' if table.cap else ' to lead with'}"
    else:
        kind, count = _laid_by(table, step.box.seats[step.seat], step.move)
        source = " from the open cards" if step.move // up.SOURCE_STEP == up.OPEN else ""
        deed = f"{'lays' if table.cap else 'leads'} {_some(kind, count)}{source}"
    place = f" on {_top_in_words(table)}" if table.cap else ""
    return deed + place + _effect_in_words(step, name, kind, count)


def _laid_by(table: Any, seat: Any, move: int) -> tuple[int, int]:
    """Return the kind of the cards that a move lays, and how many they are."""
    return int(move_kind(table, move)), int(move_count(table, seat, move))


def _top_in_words(table: Any) -> str:
    """Return what the next card is laid on: the 9, or the "-2" (at most 7)."""
    if count_of(table.laid, MINUS_TWO, _deck(table)):
        return f'the "-2" (at most {table.cap})'
    return f"the {table.cap}"


def _effect_in_words(step: Any, name: str, kind: int, count: int) -> str:
    table, after = step.table, step.after.table
    deck = _deck(table)
    if _grew(step, METRIC.collapses):
        taken = cards_in_words(after.laid | table.tower, deck)
        why = f"would leave {table.cap - 2 * count}" if kind == MINUS_TWO else "is too heavy"
        return f", which {why}: the tower collapses, and {name} takes {taken}"
    if kind == CLEAR:
        cleared = cards_in_words(table.tower, deck)
        return f", which takes {cleared if table.tower.any() else 'only itself'} out of the game"
    if after.blind_finish:
        return " as the very last card, which ends the round"
    if _grew(step, METRIC.four_clears):
        out = cards_in_words(after.laid | table.tower, deck)
        return f", the fourth {card_name(kind)} or more on top: {out} leave the game"
    if kind == MINUS_TWO and not table.cap and not after.cap:
        return ", takes it into the hand and must play another card"
    if _grew(step, METRIC.minus_twos):
        return f": the tower now bears at most {after.cap}"
    return ""


def _grew(step: Any, metric: int) -> bool:
    return bool(step.after.table.metrics[metric] > step.table.metrics[metric])


def _is_announcement_due(step: Any) -> bool:
    """Tell whether a play left its player with one card [C29]."""
    return bool(step.after.table.cards[step.seat] == 1 and step.table.cards[step.seat] > 1)


def _ends_turn(step: Any) -> bool:
    return step.move == up.PASS_LEAD or not step.after.table.anew


def _forgets(step: Any) -> bool:
    """Tell whether who announces has lost a turn, or, as all others had, just loses it."""
    others = (1 << int(step.table.players)) - 1 & ~(1 << step.seat)
    passed = _ends_turn(step) and step.after.table.seat != step.seat
    all_lost = passed and step.table.lost_turn & others == others
    return bool(step.after.table.lost_turn >> step.seat & 1 or all_lost)


def _skipped(step: Any) -> list[int]:
    """List the seats that lose a turn as this one ends, in their order [R24]."""
    players = int(step.table.players)
    lost = int(step.table.lost_turn)
    if step.move != up.PASS_LEAD and _is_announcement_due(step):
        lost |= int(_forgets(step)) << step.seat
    lost &= ~int(step.after.table.lost_turn)
    lap = [(step.seat + steps) % players for steps in range(1, players + 1)]
    return [seat for seat in lap if lost >> seat & 1]


def score_in_words(end: Any, names: Sequence[str]) -> Iterator[str]:
    """Tell what everybody has left, the points, and who is ahead."""
    table, box, after = end.table, end.box, end.after.table
    yield f"Round {table.round_number} is over."
    for seat, name in enumerate(names):
        total = f"{amount(after, int(after.scores[seat]))} in all"
        if table.cards[seat]:
            gained = int(after.scores[seat] - table.scores[seat])
            booked = "" if table.scoring == up.SCORE_MATCHES else f": {amount(table, gained)}"
            yield f"{name} has {_held_in_words(table, box, seat)} left{booked}, {total}."
        elif table.scoring == up.SCORE_POINTS:
            credit = table.blind_credit if table.blind_finish else table.out_credit
            yield f"{name} is out with a credit of {credit}, {total}."
        else:
            prize = " and gets a matchstick" if table.scoring == up.SCORE_MATCHES else ""
            yield f"{name} is out{prize}, {total}."
    yield f"{ahead(int(after.leaders), names)}."


def amount(table: Any, number: int) -> str:
    """Return so many points, cards or matchsticks, as they are scored."""
    if table.scoring == up.SCORE_MATCHES:
        return numbered(number, "matchstick")
    return numbered(number, "card" if table.scoring == up.SCORE_CARDS else "point")
