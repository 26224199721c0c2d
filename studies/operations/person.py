"""A person at the table: what the seat sees, its moves by number or name, help and a way back.

Everything is text in 80 columns, so that it works in any terminal and through a pipe. What the seat
does not see is not in the states that are told (`narration.seen`). Policies play the other seats.
"""

from __future__ import annotations

import difflib
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from simcore.batch import Cell
from simcore.compiler.state import MATCH_OVER, ROUND_OVER, no_cards
from simcore.errors import InputError
from simcore.events import RoundEnd, RoundStart, State, Step
from simcore.match import Match
from simcore.narration.moved import changes
from simcore.narration.seen import is_seen, viewers_of
from simcore.narration.teller import Teller
from simcore.phrases import match_in_words
from strategies import Strategy, make_strategy, parse_strategy, policies

YOU = "you"
WIDTH = 80
LONGEST = 200
"""Characters of an answer that are looked at."""

MOST_LINES = 30
"""Moves that are listed on lines of their own."""

COMMANDS = {
    "?": "what each move means and the mark of its rule; '? 2' for one move",
    "hint": "what a policy would do, and why; 'hint POLICY' asks another",
    "undo": "take back your last decision, within your turn and before you saw more",
    "table": "draw the table again",
    "help": "this list",
    "q": "leave the table",
}

Ask = Callable[[str], "str | None"]
"""Returns what is answered to a prompt; None when nothing more will come."""


class Left(Exception):  # noqa: N818, RUF100
    """The person leaves the table."""


class TakenBack(Exception):  # noqa: N818, RUF100
    """The person takes the last decision back."""


@dataclass(frozen=True)
class Person:
    """The person's seat, with the policy that gives hints."""

    adviser: Strategy

    idea = "a person at the table"

    def __str__(self) -> str:
        return YOU

    def seat_policy(self, options: Any) -> Any:
        """Return the adviser's policy."""
        return self.adviser.seat_policy(options)


def seat_person(cell: Cell, seat: int, adviser: Strategy | None = None) -> Cell:
    """Return the cell with a person at a seat.

    Parameters
    ----------
    adviser : Strategy, optional
        Gives hints: by default the first policy at the table that is not random, or of the game.
    """
    known: Sequence[Any] = [player for at, player in enumerate(cell.seats) if at != seat]
    chosen = [player for player in known if not player.policy.built_in]
    first = next((p for p in policies(cell.game) if not p.built_in), None)
    usual = [make_strategy(first, {})] if first else known
    person: Any = Person(adviser or (chosen or usual)[0])
    seats = [*cell.seats[:seat], person, *cell.seats[seat + 1 :]]
    return Cell(cell.game, cell.options, tuple(seats), cell.seed)


class Sitting:
    """A match with a person at the table.

    Parameters
    ----------
    cell : Cell
        With a `Person` among its seats.
    match : int
    ask : callable
        Returns the answer to a prompt, None at the end of the input.
    """

    def __init__(self, cell: Cell, match: int, ask: Ask) -> None:
        self.cell, self.ask = cell, ask
        self.seat = next(at for at, p in enumerate(cell.seats) if isinstance(p, Person))
        self.teller = Teller(cell.game, self.seat)
        self.match = Match(cell, match, choose=self._choose)
        for player in cell.seats:
            self._remember(player, self.match.s)
        self.names = self.match.names
        self._is_drawn = False
        """Whether the table was drawn in this turn of the person."""
        self._before: Any = None
        self._may_undo = "there is no decision of yours to take back"

    def _remember(self, player: Any, s: Any) -> None:
        """Give a state what a policy remembers."""
        program = self.match.plain.program
        program.remember(player.seat_policy(self.cell.options))
        for name, field in program.fields.items():
            if name not in s.__dict__:
                empty = no_cards(field.kind) if program.is_set(field.kind) else field.start
                s.fill(name, field, empty)

    # ------------------------------------------------------------------------------- the match

    def lines(self) -> Iterator[str]:
        """Play, and yield what the person reads, line by line."""
        teller, s = self.teller, self.match.s
        for assumption in self.cell.game.assumed({self.cell.players}):
            yield from in_width(f"Assumption: {assumption}")
        try:
            for event in self._events():
                if isinstance(event, RoundStart):
                    told = teller.round_in_words(event, self.names)
                elif isinstance(event, Step):
                    told = teller.step_in_words(event, self.names)
                elif isinstance(event, RoundEnd):
                    told = teller.score_in_words(event, self.names)
                else:
                    told = iter([str(event)])
                for line in told:
                    yield from in_width(line)
            yield from in_width(match_in_words(teller, s, self.names))
        except Left:
            yield f"You leave the table; match {self.match.match} is not over."

    def _events(self) -> Iterator[Any]:
        """Yield the events of the match, and lines that a decision of the person shows."""
        plain, s = self.match.plain, self.match.s
        while s.phase != MATCH_OVER:
            plain.start_round(s)
            self._forbid_undo("a new round has been dealt since")
            self._is_drawn = False
            yield RoundStart(s.copy())
            while s.phase > ROUND_OVER:
                yield from self._step()
            if s.phase == ROUND_OVER:
                before = s.copy()
                plain.score_round(s)
                yield RoundEnd(before, State(s.copy()))
        plain.finish_match(s)

    def _step(self) -> Iterator[Any]:
        """Play one decision; a person is asked until a move is named."""
        match, s = self.match, self.match.s
        moves = self._unlike(match.plain.moves(s))
        self._move: int | None = None
        before = s.copy()
        if s.seat == self.seat and len(moves) > 1:
            try:
                yield from self._decision(moves)
            except TakenBack:
                s.copy_from(self._before)
                self._forbid_undo("there is no earlier decision of yours to take back")
                yield "Taken back."
                return
        step = match.step()
        self._note(before, step)
        yield step

    def _choose(self, _s: Any, _same: Any, moves: tuple[int, ...]) -> int:
        """Return the person's move, or what the policy of another seat chooses."""
        return self.match.ask(moves) if self._move is None else self._move

    # -------------------------------------------------------------------------------- the way back

    def _forbid_undo(self, why: str) -> None:
        self._before, self._may_undo = None, why

    def _note(self, before: Any, step: Step) -> None:
        """Note whether the last decision of the person can be taken back."""
        if step.seat != self.seat:
            self._is_drawn = False
            self._forbid_undo(f"{self.names[step.seat]} has moved since")
            return
        if step.chosen:
            self._before, self._may_undo = before, ""
        streams = [dict(state.streams) for state in (step.s, step.after.s)]
        drawn = [
            {k: v for k, v in held.items() if k[0] not in ("SEAT", "OTHER")} for held in streams
        ]
        if drawn[0] != drawn[1]:
            self._forbid_undo("chance has decided something since")
        elif self._sees_more(step):
            self._forbid_undo("you have seen a card since")

    def _sees_more(self, step: Step) -> bool:
        """Tell whether a move showed the person a card, or a number, that was hidden."""
        program, seen = self.teller.program, self.teller.as_seen
        moved, looked = changes(program, step.s, step.after.s, self.seat)
        for change in moved:
            source = change.source
            hidden = source is None or not (
                viewers_of(program, source.name, source.seat, step.s.players) >> self.seat & 1
            )
            if hidden and is_seen(change.cards):
                return True
        before, after = seen(step.s).__dict__, seen(step.after.s).__dict__
        fields = [name for name in before if name in program.fields]
        fields = [name for name in fields if not program.is_place(program.fields[name].kind)]
        return bool(looked) or any(
            not is_seen(before[name]) and is_seen(after[name]) for name in fields
        )

    # ------------------------------------------------------------------------------- a decision

    def _unlike(self, moves: tuple[int, ...]) -> tuple[int, ...]:
        """Return moves without cards of the same kind as another, which are one to a person."""
        deck = self.match.plain.program.deck
        if not (deck and deck.counts and self.teller.is_card(self.match.s.phase)):
            return moves
        kinds = {deck.name(m) if m in deck.cards else str(m): m for m in reversed(moves)}
        return tuple(move for move in moves if move in kinds.values())

    def _decision(self, moves: tuple[int, ...]) -> Iterator[str]:
        """Show what the seat sees, and ask until a move is named; it is noted.

        The table is drawn once in a turn: what a decision changed is told.
        """
        if not self._is_drawn:
            yield from self._table()
        self._is_drawn = True
        yield from self._listed(moves)
        while self._move is None:
            answer = self.ask(f"Your move, 1 to {len(moves)} or its words (? hint undo help q): ")
            if answer is None:
                raise Left
            yield from self._answer(answer[:LONGEST].strip(), moves)

    def _table(self) -> Iterator[str]:
        for line in self.teller.table_in_words(State(self.match.s), self.names):
            yield from in_width(line, "│     ")

    def _texts(self, moves: tuple[int, ...]) -> list[str]:
        s = self.teller.as_seen(self.match.s)
        return [self.teller.move_in_words(s, self.seat, move) for move in moves]

    def _listed(self, moves: tuple[int, ...]) -> Iterator[str]:
        texts = [f"{number:>4}  {text}" for number, text in enumerate(self._texts(moves), 1)]
        if len(texts) > MOST_LINES:
            texts = [f"    {'; '.join(' '.join(text.split()) for text in texts)}"]
        for text in texts:
            yield from in_width(text, " " * 6)

    def _answer(self, answer: str, moves: tuple[int, ...]) -> Iterator[str]:
        """Carry out a command, or note the move that is named."""
        word, _, rest = answer.partition(" ")
        if answer.startswith("?") or answer.endswith("?"):
            yield from self._meanings(answer.strip("? "), moves)
        elif word == "hint":
            yield from self._hint(rest.strip(), moves)
        elif answer == "undo":
            if self._may_undo:
                yield f"It cannot be undone: {self._may_undo}."
            else:
                raise TakenBack
        elif answer == "table":
            yield from self._table()
            yield from self._listed(moves)
        elif answer == "help":
            for name, meaning in COMMANDS.items():
                yield from in_width(f"{name:>6}  {meaning}", " " * 8)
        elif answer in ("q", "quit"):
            raise Left
        else:
            found = self._named(answer, moves)
            if isinstance(found, str):
                yield from in_width(found)
            else:
                self._move = found

    def _named(self, answer: str, moves: tuple[int, ...]) -> int | str:
        """Return the move that an answer names by its number or its words, or why it is none."""
        allowed = f"a number from 1 to {len(moves)}, the words of a move, or help"
        shown = answer if answer.isprintable() else repr(answer)
        if not answer:
            return f"Nothing was typed; allowed: {allowed}."
        if re.fullmatch(r"[0-9]{1,9}", answer):
            if 1 <= int(answer) <= len(moves):
                return moves[int(answer) - 1]
            return f"There is no move {answer}; allowed: {allowed}."
        texts = [text.casefold() for text in self._texts(moves)]
        words = " ".join(answer.casefold().split())
        alike = [at for at, text in enumerate(texts) if text == words]
        alike = alike or [at for at, text in enumerate(texts) if text.startswith(words)]
        alike = alike or [
            at for at, text in enumerate(texts) if set(words.split()) <= set(text.split())
        ]
        if len(alike) == 1:
            return moves[alike[0]]
        if alike:
            numbers = ", ".join(str(at + 1) for at in alike[:9])
            return f"{shown!r} may be move {numbers}; allowed: {allowed}."
        near = difflib.get_close_matches(words, [*texts, *COMMANDS], 1)
        meant = f" (did you mean {near[0]!r}?)" if near else ""
        return f"{shown!r} is no move{meant}; allowed: {allowed}."

    # ------------------------------------------------------------------------------------- help

    def _meanings(self, which: str, moves: tuple[int, ...]) -> Iterator[str]:
        """Tell what moves mean, each with the mark of its rule and the rule's text once."""
        chosen = moves
        if which:
            found = self._named(which, moves)
            if isinstance(found, str):
                yield from in_width(found)
                return
            chosen = (found,)
        s, marks = self.teller.as_seen(self.match.s), list[str]()
        for move in chosen:
            text = self.teller.move_in_words(s, self.seat, move)
            mark = self.teller.mark_of(s, self.seat, move)
            marks += [mark] if mark and mark not in marks else []
            number = moves.index(move) + 1
            yield from in_width(f"{number:>4}  {text} {mark}".rstrip(), " " * 6)
        for mark in marks:
            yield from in_width(f"{mark} {self._clauses.get(mark, '')}", " " * 6)
        if not marks:
            for line in self._doc():
                yield from in_width(line)

    @cached_property
    def _clauses(self) -> dict[str, str]:
        """The clauses of the rules by their marks, without emphasis and references."""
        rules = Path(str(self.cell.game.original.rules().__file__)).parent / "RULES.md"
        text = rules.read_text("utf-8") if rules.is_file() else ""
        found = re.findall(
            r"\*\*(\[\w+\])\*\*\s+(.*?)(?=\n\s*\n|\n[-*#]|\n\*\*\[|\Z)", text, re.DOTALL
        )
        return {mark: " ".join(clause.replace("**", "").split()) for mark, clause in found}

    def _doc(self) -> Iterator[str]:
        """Yield what a game's file says of a decision or, failing that, of the game."""
        program, name = self.match.plain.program, self.match.plain.decision_name(self.match.s.phase)
        is_move = name == "move" and program.is_simple
        step = program.space.get("apply" if is_move else f"apply_{name}")
        doc = getattr(step, "__doc__", "") or self.cell.game.original.rules().__doc__ or ""
        said = [" ".join(part.split()) for part in inspect.cleandoc(doc).split("\n\n")]
        yield from said if doc else ["The file of the game does not say what its moves mean."]

    def _hint(self, which: str, moves: tuple[int, ...]) -> Iterator[str]:
        """Tell what a policy would do, and why."""
        match, s = self.match, self.match.s.copy()
        person = self.cell.seats[self.seat]
        assert isinstance(person, Person)
        adviser = person.adviser
        if which:
            try:
                adviser = parse_strategy(self.cell.game, which)
            except InputError as error:
                yield from in_width(f"{error}.")
                return
            self._remember(adviser, s)
        players = list(match.players)
        players[self.seat] = adviser
        kept, match.players = match.players, tuple(players)
        try:
            move = match.ask(moves, s)
        finally:
            match.players = kept
        reasons = [" ".join(map(str, value)) for kind, value in match.reasons if kind == "because"]
        why = "; ".join(dict.fromkeys(reasons)) or adviser.idea
        text = self.teller.move_in_words(self.teller.as_seen(s), self.seat, move)
        why = why.removeprefix("its idea: ").rstrip(".")
        yield from in_width(f"{adviser} would {text}. Why: {why}.", " " * 6)


def in_width(line: str, indent: str = "    ") -> list[str]:
    """Return a line in parts of at most 80 columns; what follows on the first is indented."""
    return textwrap.wrap(
        line,
        WIDTH,
        subsequent_indent=indent,
        drop_whitespace=True,
        break_on_hyphens=False,
        replace_whitespace=False,
    ) or [line]
