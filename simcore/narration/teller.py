"""Tell a match of any game in words: the deal, each move with what it changed, the scores.

A game has a table of phrases, the dictionary `phrases`: a built-in game in its `phrases.py`, a game
in a file in that file. Where the table says nothing, good sentences are made of what the state
declares. Its keys are:

moves
    By decision in small letters (of a game of turns: move), what a move is, as an order: "lay
    {card}". Files may have functions `name_…` instead.
cards
    By "PLACE from PLACE", cards that went from a place to another: "{who} draws {cards}".
numbers
    By field, a change of a number of the state: "{who} is out". An empty text: nothing is told.
deal, amount
    What stands after "Round 1: ", and what scores are counted in: "point".
ends
    When the match ends: "a player has {target} points", with the names of options.
hand, first, left, over, end, table, seat, below, on_turn, told, mark, occasion, printed,
cards_in_words, sees
    Functions, for which see `KEYS`.

Texts are given in quotes, as dictionaries by the value, or as functions in ordinary Python of a
`Scene`, of moves a `Moment`. Everything is told to a reader who sees all, or to a seat, which is
told what it sees alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from simcore.compiler.state import MATCH_OVER, Cards
from simcore.narration.consequences import consequences
from simcore.narration.moved import Moved, spots_of
from simcore.narration.scene import Moment, Scene
from simcore.narration.seen import NotSeen, Unknown, UnseenCards
from simcore.narration.vocabulary import Vocabulary
from simcore.phrases import ahead, third_person


class Teller(Vocabulary):
    """Tells the matches of a game; parameters as of `Vocabulary`."""

    def round_in_words(self, event: Any, names: Sequence[str]) -> Iterator[str]:
        """Tell the deal: what each seat has, and what lies open.

        The phrase `deal` tells who deals, `first` what follows on the hands, and `hand` what a seat
        has.
        """
        scene = Scene(self, self.as_seen(event.s), names)
        deal = self.phrases.get("deal", "the cards are dealt" if self.program.deck else "")
        text = self.filled("deal", deal, 0, scene=scene)
        begins = f"Round {event.s.round_number}"
        yield text if text.endswith(".") else f"{begins}: {text}." if text else f"{begins}."
        first = self.phrases.get("first")
        yield from first(scene) if first else self._dealt(scene)

    def _dealt(self, scene: Scene) -> Iterator[str]:
        yield from scene.hands()
        table = [
            f"{self.place(spot)}: {scene.cards(cards)}"
            for spot, cards in spots_of(self.program, scene.s)
            if spot.seat < 0 and cards and self.is_open(spot)
        ]
        table += [f"{name}: {text}" for name, text in self._numbers(scene)]
        if table:
            yield f"On the table: {'; '.join(table)}."

    def _numbers(self, scene: Scene) -> Iterator[tuple[str, str]]:
        """Yield the numbers worth telling: those that are not what they are at first, nor 0."""
        for name in self.told_fields:
            field, value = self.program.fields[name], scene.s.__dict__[name]
            if _all_are(value, (0, -1, field.start)) or name in self.section("numbers"):
                continue  # of these the game tells the changes, in its own words
            is_alike = field.per_seat and all(part == value[0] for part in value)
            text = self.value(scene.s, name, value[0] if is_alike else value)
            yield name.replace("_", " "), f"{text} for all" if is_alike else text

    def table_in_words(self, event: Any, names: Sequence[str]) -> Iterator[str]:
        """Draw the table: a head, a row for each seat, and what else lies there.

        The phrase `table` gives the head (None: there is nothing to draw), `seat` the columns of a
        seat's row, `below` lines that follow it, `on_turn` the seat that is marked.
        """
        s = self.as_seen(event.s)
        scene = Scene(self, s, names)
        head = self.phrases.get("table", self._head)(scene)
        if head is None:
            return
        yield f"┌─ {head}"
        columns = self.phrases.get("seat", self._columns)
        rows = [list(map(str, columns(scene, seat))) for seat in range(len(names))]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        width, on_turn = max(map(len, names)), self.phrases.get("on_turn", lambda at: at.seat)
        below = self.phrases.get("below", lambda _scene, _seat: ())
        for seat, name in enumerate(names):
            mark = "▶" if seat == on_turn(scene) else " "
            total = f"({self.amount(s, s.scores[seat])})"
            if self.viewer is not None:  # at the table there are 80 columns
                cells = [f"│ {mark} {name} {total}", *map(str.rstrip, rows[seat])]
            else:
                cells = [text.ljust(size) for text, size in zip(rows[seat], widths, strict=True)]
                cells = [f"│ {mark} {name:<{width}}", *cells, total]
            yield "  ".join(cells)
            yield from (f"│     {line}" for line in below(scene, seat))
        yield "└─"

    def _head(self, scene: Scene) -> str:
        parts = [f"round {scene.s.round_number}"]
        for spot, cards in spots_of(self.program, scene.s):
            if spot.seat < 0 and cards:
                known = isinstance(cards, UnseenCards) and any(c is not None for c in cards.known)
                text = scene.cards(cards) if self.is_open(spot) or known else str(len(cards))
                parts.append(f"{self.place(spot)} {text}")
        parts += [
            f"{name} {self.value(scene.s, name, scene.s.__dict__[name])}"
            for name in self.told_fields
            if not self.program.fields[name].per_seat
            and not _all_are(scene.s.__dict__[name], (0, -1, self.program.fields[name].start))
        ]
        return "; ".join(parts)

    def _columns(self, scene: Scene, seat: int) -> list[str]:
        spots = list(spots_of(self.program, scene.s))
        filled = {spot.name for spot, cards in spots if cards}
        found = [
            f"{self.place(spot)} {scene.cards(cards) if cards else '–'}"
            for spot, cards in spots
            if spot.seat == seat and spot.name in filled
        ]
        for name in self.told_fields:
            field = self.program.fields[name]
            if field.per_seat:
                held, title = scene.s.__dict__[name][seat], name.replace("_", " ")
                is_flag = field.kind.name == "flag" and isinstance(held, int)
                usual = f"{title} {self.value(scene.s, name, held)}"
                found.append(("" if held else "not ") + title if is_flag else usual)
        return found

    def step_in_words(self, step: Any, names: Sequence[str]) -> Iterator[str]:
        """Tell a move, and what it changed.

        The phrase `told` yields the sentences of a move, and None for one that the teller is to
        make of the order.
        """
        moment = Moment(self, step, names)
        told = self.phrases.get("told")
        lines: list[str] = []
        if told and (step.s.phase in self.own_phases or not self.is_builtin):
            try:
                lines.extend(
                    self.plainly(moment) if line is None else line for line in told(moment)
                )
            except NotSeen:
                # Told at the table, of what is not seen there: the order, and what moved.
                moment.untold = [*moment.moved] if not lines else moment.untold
                lines = lines or [self.plainly(moment)]
        else:
            lines.append(self.plainly(moment))
        more = list(consequences(self, moment))
        if self.is_builtin or not lines:
            yield from lines
            yield from (f"{_sentence(who, text, names)}." for who, text in more)
        else:
            *before, last = lines
            yield from before
            # By its number `cardlab check` names a move.
            number = f"{step.s.count.decisions + step.s.count.forced + 1}. " if step.moves else ""
            yield f"{number}{'; '.join(_clauses(moment, last, more))}."

    def plainly(self, moment: Moment) -> str:
        """Return a move as a sentence of its order."""
        if moment.is_secret:
            is_card = self.is_card(moment.s.phase)
            return f"{moment.who} {'chooses a card' if is_card else 'decides'} in secret."
        if moment.move < 0 and not moment.moves:
            return f"{moment.who} has no move."
        if moment.moves and len(moment.moves) == 1 and not self.says_what_moves_are(moment):
            return f"{moment.who} has no choice."
        try:
            order, is_verb = self.order(moment)
        except NotSeen:
            return f"{moment.who} decides."
        played = [change for change in moment.untold if self._is_told_by_move(moment, change)]
        moment.untold = [change for change in moment.untold if change not in played]
        if is_verb:
            return f"{moment.who} {third_person(order)}."
        return f"{moment.who}: {order}."

    def _is_told_by_move(self, moment: Moment, change: Moved) -> bool:
        """Tell whether a change is that the card of a move goes where cards usually go.

        Not where there are several places, or to somebody, or with other cards, as a trick.
        """
        is_played = not isinstance(change.cards, UnseenCards) and [*change.cards] == [moment.move]
        alone = sum(other.target == change.target for other in moment.untold) == 1
        is_usual = change.target.number < 0 and change.target.seat in (-1, moment.seat)
        return self.is_card(moment.s.phase) and is_played and is_usual and alone

    def score_in_words(self, end: Any, names: Sequence[str]) -> Iterator[str]:
        """Tell the scores.

        The phrase `over` tells why the round ended, `left` what a seat has left and gets, `end`
        what follows on the scores.
        """
        moment = Moment(self, _Ended(end), names)
        s, after = end.s, end.after.s
        is_last, over = after.phase == MATCH_OVER, self.phrases.get("over")
        if over:
            yield from over(moment)
        elif s.round_number > 1 or not is_last:
            yield f"Round {s.round_number} is over."
        together = self.are_team((1 << len(names)) - 1, len(names))
        left = self.phrases.get("left", self._left)
        if not together or len(names) == 1 or "left" in self.phrases:
            for seat in range(len(names)):
                told = left(moment, seat)
                yield from [told] if isinstance(told, str) else told
        elif after.scores[0]:
            yield f"All together have {self.amount(after, after.scores[0])}."
        tail = self.phrases.get("end")
        if tail:
            yield from tail(moment)
        elif after.leaders and not together and not is_last:  # who wins is told next
            yield f"{ahead(after.leaders, names)}."

    def _left(self, moment: Moment, seat: int) -> str:
        after = moment.after
        gained, total = after.scores[seat] - moment.s.scores[seat], after.scores[seat]
        if after.round_number == 1:
            return f"{moment.names[seat]} has {self.amount(after, total)}."
        gets = f"gets {gained} and " if self.program.is_simple else ""
        return f"{moment.names[seat]} {gets}has {self.amount(after, total)} in all."


class _Ended:
    """The end of a round, as a step without a move."""

    def __init__(self, end: Any) -> None:
        self.s, self.after, self.move, self.moves = end.s, end.after, -1, ()


def _clauses(moment: Moment, said: str, more: Sequence[tuple[int, str]]) -> list[str]:
    """Return a move with what it changed, without the name of who moves before each change."""
    said = said.rstrip(".")
    order = said.removeprefix(f"{moment.who}: ")
    verb = third_person(order) if order != said else said.removeprefix(f"{moment.who} ")
    clauses, about = [said], moment.seat
    for who, text in more:
        name = moment.names[who if who >= 0 else about]
        told = text.removeprefix(f"{name} ") if who < 0 else text
        if len(clauses) == 1 and about == moment.seat and told.startswith(f"{verb} "):
            clauses = [f"{moment.who} {told}"]  # not: draw; draws a card
        elif who < 0 or who == about:
            clauses.append(told)
        else:
            clauses.append(f"{name} {text}")
        about = who if who >= 0 or told == text else about
    return clauses


def _sentence(who: int, text: str, names: Sequence[str]) -> str:
    if who >= 0:
        return f"{names[who]} {text}"
    return text if text.startswith(tuple(names)) else text[:1].upper() + text[1:]


def _all_are(value: Any, usual: Sequence[int]) -> bool:
    """Tell whether a number, or all of several, are as at first."""
    if isinstance(value, list):
        return all(_all_are(part, usual) for part in value)
    if isinstance(value, Unknown):
        return True
    return not value if isinstance(value, Cards) else value in usual
