"""Tell a match of a user's game, or of a game that files of rules change, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from types import FunctionType
from typing import Any

from simcore.compiler.plain import Plain, RuleError
from simcore.compiler.program import ENGINE_FIELDS, NAMING, program_of
from simcore.game import Game
from simcore.language import ordered
from simcore.phrases import ahead, plural


class Narration:
    """Tells a match of any game in the language by what its state declares."""

    CARD_COLOURS: Sequence[tuple[str, str]] = ()

    def __init__(self, game: Game) -> None:
        self.game = game
        self._plain: Any = None

    @cached_property
    def _program(self) -> Any:
        return program_of(self.game)

    @cached_property
    def _between(self) -> str:
        """The separator of card names: a comma if names contain spaces, otherwise a space."""
        deck = self._program.deck
        return ", " if deck and deck.names_have_blanks else " "

    def _card(self, number: int) -> str:
        deck = self._program.deck
        return deck.name(number) if deck and number in deck.cards else str(number)

    def _value(self, s: Any, name: str, value: Any) -> str:
        declared = self._program.fields[name]
        if isinstance(value, list):
            return " ".join(self._value(s, name, part) for part in value)
        if self._program.is_set(declared.kind):
            cards = reversed(value.order) if declared.kind is ordered else value
            return self._between.join(map(self._card, cards)) or "nothing"
        text = self._named_by_game(s, declared.named, value) if declared.named else None
        return self._thing(declared.kind.name, value) if text is None else text

    def _thing(self, kind: str, value: int) -> str:
        """Return the name of a card, suit, rank or seat, and of other numbers the digits."""
        deck = self._program.deck
        if value < 0 and kind in ("card", "suit", "rank", "seat"):
            return "nobody" if kind == "seat" else "none"
        if kind == "card":
            return self._card(value)
        if kind == "suit" and deck and value < len(deck.suits):
            return str(deck.suits[value])
        if kind == "rank" and deck:
            return str(deck.ranks.get(value, value))
        return f"seat {value}" if kind == "seat" else str(value)

    def _named_by_game(self, s: Any, name: str, value: int) -> str | None:
        """Return how the game's file names a move or a number; None where it does not."""
        function = self._program.space.get(f"{NAMING}{name}")
        if not isinstance(function, FunctionType):
            return None
        if self._plain is None or self._plain.options is not s.options:
            self._plain = Plain(self._program, s.options)
        text = self._plain.run(self._plain.add(function), s, value)
        if not isinstance(text, str):
            refused = self._program.routine(function).refuse(None, f"it returned {text!r}, no text")
            raise RuleError(str(refused))
        return text

    def round_in_words(self, event: Any, names: Sequence[str]) -> Iterator[str]:
        """Tell the deal: what each seat has, and what lies open."""
        dealt = ": the cards are dealt" if self._program.deck else ""
        yield f"Round {event.s.round_number}{dealt}."
        yield from self.table_in_words(event, names)

    def table_in_words(self, event: Any, names: Sequence[str]) -> Iterator[str]:
        """Tell what lies where."""
        for name, declared in self._shown():
            value = event.s.__dict__[name]
            text = self._value(event.s, name, value)
            if declared.per_seat:
                seats = zip(names, value, strict=True)
                text = "; ".join(f"{who} {self._value(event.s, name, v)}" for who, v in seats)
            order = " (from the top)" if declared.kind is ordered else ""
            yield f"    {name}{order}: {text}"

    def _shown(self) -> Iterator[tuple[str, Any]]:
        """Yield the fields that a spectator is told of."""
        for name, declared in self._program.fields.items():
            is_row = declared.kind is ordered and declared.per_seat  # as of cards face down
            is_seen = declared.sees not in ("hidden", "memory") or is_row
            if is_seen and name not in ENGINE_FIELDS and name != "points":
                yield name, declared

    def _named(self, phase: int) -> tuple[str, str]:
        """Return the decision of a phase, and what its `apply` calls a move."""
        decision = next(n for n, number in self._program.decisions.items() if number == phase)
        is_move = decision == "MOVE" and self._program.is_simple
        step = self._program.space["apply" if is_move else f"apply_{decision.lower()}"]
        return "play" if is_move else decision.lower(), step.__code__.co_varnames[2]

    def is_card(self, phase: int) -> bool:
        """Return whether the moves of a decision are cards."""
        return phase in self._program.decisions.values() and self._named(phase)[1] == "card"

    def move_in_words(self, s: Any, _seat: int, move: int) -> str:
        """Return a move as something to do: as the game names it, or by what `apply` calls it."""
        verb, named = self._named(s.phase)
        text = self._named_by_game(s, "move" if verb == "play" else verb, move)
        if text is not None:
            return text
        if named == "yes":
            return f"{verb}: {'yes' if move else 'no'}"
        if named in ("card", "suit", "rank", "seat"):
            thing = self._thing(named, move)
            return thing if thing.startswith(verb) else f"{verb} {thing}"
        return f"{named} {move}" if verb == "play" else f"{verb} {move}"

    def mark_of(self, _s: Any, _seat: int, _move: int) -> str:
        """Return no mark: the file's rules have none."""
        return ""

    def step_in_words(self, step: Any, names: Sequence[str]) -> Iterator[str]:
        """Tell a move with its number, and what it changed that all see."""
        who = names[step.seat]
        changes = "".join(f"; {change}" for change in self._changes(step))
        if not step.moves:
            yield f"  {who} has no move{changes}."
            return
        number = step.s.count.decisions + step.s.count.forced + 1
        move = self.move_in_words(step.s, step.seat, step.move)
        yield f"  {number}. {who}: {move}{changes}."

    def _changes(self, step: Any) -> Iterator[str]:
        """Yield what has changed of what all see: numbers, and cards that lie on top or alone."""
        s, after = step.s, step.after.s
        played = step.move if self.is_card(s.phase) else -1
        for name, declared in self._shown():
            if declared.sees != "shown":
                continue
            before, now = s.__dict__[name], after.__dict__[name]
            parts = [("", before, now)]
            if declared.per_seat:
                pairs = enumerate(zip(before, now, strict=True))
                parts = [(f" of seat {seat}:", old, new) for seat, (old, new) in pairs]
            for where, old, new in parts:
                text = self._change(after, name, old, new, played)
                if text:
                    yield f"{name}{where} {text}"

    def _change(self, s: Any, name: str, old: Any, new: Any, played: int) -> str:
        """Return what is told of a change; nothing of the card that was played."""
        kind = self._program.fields[name].kind
        if not self._program.is_set(kind):
            return self._value(s, name, new) if old != new else ""
        if isinstance(new, list):
            return ""
        if kind is ordered:
            top = new.order[-1:]
            if old.order[-1:] == top or played in top:
                return ""
            return f"{self._card(top[0])} on top" if top else "empty"
        is_alone = new != old and len(new) == 1 and played not in new
        return self._value(s, name, new) if is_alone else ""

    def score_in_words(self, end: Any, names: Sequence[str]) -> Iterator[str]:
        """Tell the scores."""
        after = end.after.s
        for seat, name in enumerate(names):
            yield f"{name} has {self.amount(after, after.scores[seat])} in all."
        if after.leaders:
            yield f"{ahead(after.leaders, names)}."

    def are_team(self, winners: int, players: int) -> bool:
        """Tell whether winners are the seats of one team."""
        first = (winners & -winners).bit_length() - 1
        return bool(winners == self._program.seating.team(first, players))

    def amount(self, _s: Any, number: int) -> str:
        """Return a number of points in words: "1 point", "5 points"."""
        return plural(int(number), "point")


class ChangedNarration:
    """Tells a match of a changed built-in game: as the game does, and the files' own decisions."""

    def __init__(self, game: Game) -> None:
        self._words = game.original.words()
        self._plainly = Narration(game)
        decisions = program_of(game).decisions
        known = program_of(game.original).decisions
        self._added = {number: name for name, number in decisions.items() if name not in known}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._words, name)

    def move_in_words(self, s: Any, seat: int, move: int) -> str:
        """Return a move as something to do."""
        if s.phase in self._added:
            return self._plainly.move_in_words(s, seat, move)
        return str(self._words.move_in_words(s, seat, move))

    def mark_of(self, s: Any, seat: int, move: int) -> str:
        """Return the mark of a move in the rules; none where a file asks."""
        return "" if s.phase in self._added else str(self._words.mark_of(s, seat, move))

    def step_in_words(self, step: Any, names: Sequence[str]) -> Iterator[str]:
        """Tell a move."""
        if step.s.phase in self._added:
            if step.moves:
                yield f"  {names[step.seat]}: {self.move_in_words(step.s, step.seat, step.move)}."
        else:
            yield from self._words.step_in_words(step, names)
