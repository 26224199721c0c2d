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
hand, first, left, over, end, table, seat, below, on_turn, told, mark, occasion, printed,
cards_in_words, sees
    Functions, for which see `KEYS`.

Texts are given in quotes, as dictionaries by the value, or as functions in ordinary Python of a
`Scene`, of moves a `Moment`. Everything is told to a reader who sees all, or to a seat, which is
told what it sees alone.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from types import FunctionType
from typing import Any

from simcore.compiler.plain import Plain, RuleError
from simcore.compiler.program import ENGINE_FIELDS, NAMING, program_of
from simcore.compiler.state import Cards, Pile
from simcore.errors import unknown
from simcore.game import Game, game_names
from simcore.narration.moved import Looked, Moved, Shuffled, Spot, spots_of
from simcore.narration.scene import Moment, Scene
from simcore.narration.seen import NotSeen, Unknown, UnseenCards, seen_by
from simcore.phrases import ahead, counted, plural, third_person

KEYS = {
    "moves": "by decision, what a move is, as an order",
    "cards": "by places, what is told of cards that went from one to the other",
    "numbers": "by field, what is told of a number that changed",
    "amount": "what scores are counted in, or (s, number)",
    "deal": "what stands after the number of the round",
    "first": "(scene): sentences of the deal, instead of what each seat has and what lies open",
    "hand": "(scene, seat): what a seat has",
    "told": "(moment): sentences of a move; None for the order as a sentence",
    "over": "(moment): sentences of why a round ends",
    "left": "(moment, seat): what a seat has left and gets",
    "end": "(moment): sentences that follow on the scores",
    "table": "(scene): the head of the drawn table; None: nothing is drawn",
    "seat": "(scene, seat): columns of a seat's row of the table",
    "below": "(scene, seat): lines below it",
    "on_turn": "(scene): the seat that is marked",
    "mark": "(scene): the mark of a move in the rules",
    "occasion": '(scene): what a decision is about, as in ", for area 2"',
    "printed": "(card, options): the name of a card",
    "cards_in_words": "(scene, cards): the names of cards",
    "sees": "(s, seat): fields as a seat sees them beyond what the state declares",
}
"""The keys of a table of phrases, with what they give; those in brackets are functions."""


class Teller:
    """Tells the matches of a game.

    Parameters
    ----------
    game : Game
    viewer : int, optional
        The seat that is told what it sees; none: a reader who sees all cards.
    """

    def __init__(self, game: Game, viewer: int | None = None) -> None:
        self.game, self.viewer = game, viewer
        self._plain: Plain | None = None

    @cached_property
    def program(self) -> Any:
        """The game's rules."""
        return program_of(self.game)

    @cached_property
    def _is_builtin(self) -> bool:
        return self.game.original.name in game_names()

    @cached_property
    def _module(self) -> dict[str, Any]:
        """The names of the file with the phrases."""
        original = self.game.original
        if self._is_builtin:
            return vars(importlib.import_module(f"simcore.games.{original.name}.phrases"))
        return vars(original.rules())

    @cached_property
    def phrases(self) -> dict[str, Any]:
        """The table of phrases, with those of files of rules."""
        table: dict[str, Any] = {}
        for module in (self._module, *(vars(change.module) for change in self.game.changes)):
            for key, value in module.get("phrases", {}).items():
                if key not in KEYS:
                    raise self._refuse(unknown("key", key, KEYS, "in phrases"), module)
                is_section = isinstance(value, dict)
                table[key] = {**table.get(key, {}), **value} if is_section else value
        self._check(table)
        return table

    def _check(self, table: dict[str, Any]) -> None:
        """Refuse phrases for what the game does not have."""
        places = [name for name, f in self.program.fields.items() if self.program.is_place(f.kind)]
        both = [f"{target} from {source}" for target in places for source in (*places, "nowhere")]
        known = {
            "moves": [name.lower() for name in self.program.decisions],
            "numbers": list(self.program.fields),
            "cards": both,
        }
        for section, names in known.items():
            for name in table.get(section, {}):
                if name not in names:
                    raise self._refuse(unknown("name", name, names, f"in phrases[{section!r}]"))

    def _refuse(self, error: Exception, module: dict[str, Any] | None = None) -> RuleError:
        return RuleError(f"{(module or self._module).get('__file__')}: {error}")

    def _section(self, name: str) -> dict[str, Any]:
        return self.phrases.get(name, {})  # type: ignore[no-any-return]

    @cached_property
    def _told_fields(self) -> list[str]:
        """The numbers whose changes are told: of built-in games those in the table alone."""
        known: set[str] = set()
        if self._is_builtin:
            known = set(program_of(self.game.original).fields) - self._section("numbers").keys()
        return [
            name
            for name, field in self.program.fields.items()
            if name not in ENGINE_FIELDS
            and name not in known
            and name != "points"
            and field.sees not in ("hidden", "memory")
            and not self.program.is_place(field.kind)
        ]

    @property
    def CARD_COLOURS(self) -> Sequence[tuple[str, str]]:  # noqa: N802
        """Regular expressions of card names, with the colours in which a terminal shows them."""
        return self._module.get("CARD_COLOURS", ()) if self._is_builtin else ()

    def as_seen(self, s: Any) -> Any:
        """Return a state as the reader sees it."""
        if self.viewer is None:
            return s
        seen, sees = seen_by(self.program, s, self.viewer), self.phrases.get("sees")
        if sees:
            seen.__dict__.update(sees(s, self.viewer))
        return seen

    def is_kept_secret(self, step: Any) -> bool:
        """Tell whether a move of another seat went into numbers that the reader does not see."""
        before, after, is_open, is_hidden = step.s.__dict__, step.after.s.__dict__, False, False
        for name, field in self.program.fields.items():
            if not self.program.is_set(field.kind) and before[name] != after[name]:
                holds = step.move in _numbers_in(after[name])
                is_seen = field.sees == "shown"
                is_open |= holds and is_seen
                is_hidden |= holds and not is_seen and field.sees != "memory"
        return is_hidden and not is_open and not self._is_builtin

    # ------------------------------------------------------------------------------ cards, numbers

    @property
    def printed(self) -> Callable[[int, Any], str]:
        """What is printed on a card, given its number and the options."""
        printed = self.phrases.get("printed")
        return printed or (lambda card, _options: self._deck_name(card))

    def _deck_name(self, card: int) -> str:
        deck = self.program.deck
        return deck.name(card) if deck and card in deck.cards else str(card)

    def card(self, s: Any, card: int) -> str:
        """Return the name of a card."""
        if card < 0:
            return "none"
        return str(self.printed(card, s.options))

    def cards(self, s: Any, cards: Iterable[int]) -> str:
        """Return the names of cards, by suit where names are long: red 4, 7; green 1."""
        if isinstance(cards, UnseenCards) and not any(card is not None for card in cards.known):
            return counted(len(cards), "card") if len(cards) != 1 else "a card"
        if isinstance(cards, UnseenCards):
            shown = ("?" if card is None else self.card(s, card) for card in reversed(cards.known))
            return " ".join(shown)
        named = self.phrases.get("cards_in_words")
        if named:
            return str(named(Scene(self, s, ()), cards)) or "nothing"
        numbers = list(reversed(cards.order) if isinstance(cards, Pile) else cards)
        names = [self.card(s, card) for card in numbers]
        if not any(" " in name for name in names):
            return " ".join(names) or "nothing"
        deck = self.program.deck
        if deck.suits == ("",) or isinstance(cards, Pile):
            return ", ".join(names)
        return _by_suit(deck, zip(numbers, names, strict=True))

    def amount(self, s: Any, number: int) -> str:
        """Return a number of points in words; the phrase `amount` is a word, or a function."""
        thing = self.phrases.get("amount", "point")
        return plural(int(number), thing) if isinstance(thing, str) else str(thing(s, int(number)))

    def are_team(self, winners: int, players: int) -> bool:
        """Tell whether winners are the seats of one team."""
        first = (winners & -winners).bit_length() - 1
        return bool(winners == self.program.seating.team(first, players))

    def rule(self, s: Any, name: str, *args: Any) -> Any:
        """Return what a function of the game's rules says of a state."""
        plain = self._plain_of(s)
        routine = self.program.routine(self.program.space[name])
        function = plain.made(routine)
        return plain.run(function, s, *args) if "s" in routine.params else function(*args)

    def _plain_of(self, s: Any) -> Plain:
        if self._plain is None or self._plain.options is not s.options:
            self._plain = Plain(self.program, s.options)
        return self._plain

    def value(self, s: Any, name: str, value: Any) -> str:
        """Return what a field of the state holds, in words."""
        field = self.program.fields[name]
        if isinstance(value, Unknown):
            return "?"
        if isinstance(value, list):
            parts = [self.value(s, name, part) for part in value]
            return (" | " if self.program.is_set(field.kind) else " ").join(parts)
        if isinstance(value, Cards):
            return self.cards(s, value)
        text = self._named_by_game(s, field.named, value) if field.named else None
        return self._thing(s, field.kind.name, value) if text is None else text

    def _thing(self, s: Any, kind: str, value: int) -> str:
        """Return the name of a card, suit, rank or seat, and of other numbers the digits."""
        deck = self.program.deck
        if value < 0 and kind in ("card", "suit", "rank", "seat"):
            return "nobody" if kind == "seat" else "none"
        if kind == "card":
            return self.card(s, value)
        if kind == "suit" and deck and value < len(deck.suits):
            return str(deck.suits[value])
        if kind == "rank" and deck:
            return str(deck.ranks.get(value, value))
        if kind == "flag":
            return "yes" if value else "no"
        return f"seat {value}" if kind == "seat" else str(value)

    def _named_by_game(self, s: Any, name: str, value: int) -> str | None:
        """Return how the game's file names a move or a number; None where it does not."""
        function = self.program.space.get(f"{NAMING}{name}")
        if not isinstance(function, FunctionType):
            return None
        plain = self._plain_of(s)
        text = plain.run(plain.add(function), s, value)
        if not isinstance(text, str):
            refused = self.program.routine(function).refuse(None, f"it returned {text!r}, no text")
            raise RuleError(str(refused))
        return text

    def _filled(self, key: str, phrase: Any, value: Any, **names: Any) -> str:
        """Return a phrase of the table with its names filled in."""
        if isinstance(phrase, dict):
            phrase = phrase.get(value, "")
        if callable(phrase):
            return str(phrase(names["scene"]))
        try:
            return str(phrase.format(**names))
        except (KeyError, IndexError, AttributeError) as error:
            known = [name for name in names if name != "scene"]
            raise self._refuse(
                unknown("name", str(error.args[0]), known, f"in the phrase of {key!r}")
            ) from error

    # --------------------------------------------------------------------------------------- moves

    def decision(self, phase: int) -> str:
        """Return the name of a decision in small letters."""
        decisions = self.program.decisions
        return next(name.lower() for name, number in decisions.items() if number == phase)

    def _parameter(self, decision: str) -> str:
        """Return what the rules call a move of a decision."""
        is_move = decision == "move" and self.program.is_simple
        step = self.program.space["apply" if is_move else f"apply_{decision}"]
        return str(step.__code__.co_varnames[2])

    def is_card(self, phase: int) -> bool:
        """Return whether the moves of a decision are cards."""
        decision = next((n for n, at in self.program.decisions.items() if at == phase), None)
        return decision is not None and self._parameter(decision.lower()) == "card"

    def move_in_words(self, s: Any, seat: int, move: int) -> str:
        """Return a move as something to do."""
        return self._order(Scene(self, s, _seats(s), seat, move))[0]

    def _order(self, scene: Scene) -> tuple[str, bool]:
        """Return what a move is as something to do, and whether it begins with a verb."""
        s, move, decision = scene.s, scene.move, scene.decision
        if decision in self._section("moves"):
            names = {"move": move, "scene": scene, "card": _Late(self.card, s, move)}
            named = self._parameter(decision)
            if named not in names:
                names[named] = self._thing(s, named, move)
            return self._filled(decision, self._section("moves")[decision], move, **names), True
        text = self._named_by_game(s, decision, move)
        if text is not None:
            return text, False
        verb, named = "play" if decision == "move" else decision, self._parameter(decision)
        if named == "yes":
            return f"{verb}: {'yes' if move else 'no'}", False
        if named in ("card", "suit", "rank", "seat"):
            thing = self._thing(s, named, move)
            if thing.startswith(verb):
                return thing, False
            return f"{verb} {thing}", verb == "play"
        return (f"{named} {move}" if verb == "play" else f"{verb} {move}"), False

    def mark_of(self, s: Any, seat: int, move: int) -> str:
        """Return the mark of the clause that a move carries out; none in games of files."""
        mark = self.phrases.get("mark")
        scene = Scene(self, s, _seats(s), seat, move)
        is_ours = not self._is_builtin or s.phase in self._own_phases
        return str(mark(scene)) if mark and is_ours else ""

    @cached_property
    def _own_phases(self) -> set[int]:
        """The decisions that the game has without files of rules."""
        return set(program_of(self.game.original).decisions.values())

    def occasion(self, s: Any) -> str:
        """Return what a decision is about, where the phrase `occasion` tells; ", for area 2"."""
        occasion = self.phrases.get("occasion")
        return str(occasion(Scene(self, s, _seats(s)))) if occasion else ""

    # ------------------------------------------------------------------------------------- a round

    def round_in_words(self, event: Any, names: Sequence[str]) -> Iterator[str]:
        """Tell the deal: what each seat has, and what lies open.

        The phrase `deal` tells who deals, `first` what follows on the hands, and `hand` what a seat
        has.
        """
        scene = Scene(self, self.as_seen(event.s), names)
        deal = self.phrases.get("deal", "the cards are dealt" if self.program.deck else "")
        text = self._filled("deal", deal, 0, scene=scene)
        begins = f"Round {event.s.round_number}"
        yield text if text.endswith(".") else f"{begins}: {text}." if text else f"{begins}."
        first = self.phrases.get("first")
        yield from first(scene) if first else self._dealt(scene)

    def held(self, scene: Scene, seat: int) -> str:
        """Return what cards a seat has, or how many where they are not seen."""
        try:
            return self._held(scene, seat)
        except NotSeen:
            held = (c for spot, c in spots_of(self.program, scene.s) if spot.seat == seat)
            return counted(sum(map(len, held)), "card")

    def _held(self, scene: Scene, seat: int) -> str:
        """Return what cards a seat has, and where it has them if in several places."""
        hand = self.phrases.get("hand")
        if hand:
            return str(hand(scene, seat))
        parts = [
            (scene.cards(cards), spot)
            for spot, cards in spots_of(self.program, scene.s)
            if spot.seat == seat and cards
        ]
        if len(parts) == 1 and parts[0][1].name == "hand":
            return parts[0][0]
        return ", ".join(f"{text} in {self._place(spot, '')}" for text, spot in parts)

    def _dealt(self, scene: Scene) -> Iterator[str]:
        yield from scene.hands()
        table = [
            f"{self._place(spot, '')}: {scene.cards(cards)}"
            for spot, cards in spots_of(self.program, scene.s)
            if spot.seat < 0 and cards and self._is_open(spot)
        ]
        table += [f"{name}: {text}" for name, text in self._numbers(scene)]
        if table:
            yield f"On the table: {'; '.join(table)}."

    def _is_open(self, spot: Spot) -> bool:
        return self.program.fields[spot.name].sees not in ("hidden", "memory")

    def _numbers(self, scene: Scene) -> Iterator[tuple[str, str]]:
        """Yield the numbers worth telling: those that are not what they are at first, nor 0."""
        for name in self._told_fields:
            field, value = self.program.fields[name], scene.s.__dict__[name]
            usual = (0, field.start, -1 if field.kind.name != "number" else 0)
            if not _all_are(value, usual):
                yield name, self.value(scene.s, name, value)

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
            cells = [text.ljust(size) for text, size in zip(rows[seat], widths, strict=True)]
            total = f"({self.amount(s, s.scores[seat])})"
            yield "  ".join([f"│ {mark} {name:<{width}}", *cells, total])
            yield from (f"│     {line}" for line in below(scene, seat))
        yield "└─"

    def _head(self, scene: Scene) -> str:
        parts = [f"round {scene.s.round_number}"]
        for spot, cards in spots_of(self.program, scene.s):
            if spot.seat < 0 and (cards or not self._is_open(spot)):
                known = isinstance(cards, UnseenCards) and any(c is not None for c in cards.known)
                text = scene.cards(cards) if self._is_open(spot) or known else str(len(cards))
                parts.append(f"{self._place(spot, '')} {text}")
        parts += [
            f"{name} {text}"
            for name, text in self._numbers(scene)
            if not self.program.fields[name].per_seat
        ]
        return "; ".join(parts)

    def _columns(self, scene: Scene, seat: int) -> list[str]:
        found = [
            f"{self._place(spot, '')} {scene.cards(cards) if cards else '–'}"
            for spot, cards in spots_of(self.program, scene.s)
            if spot.seat == seat
        ]
        for name in self._told_fields:
            if self.program.fields[name].per_seat:
                held = scene.s.__dict__[name][seat]
                found.append(f"{name} {self.value(scene.s, name, held)}")
        return found

    # ---------------------------------------------------------------------------- a move, the score

    def step_in_words(self, step: Any, names: Sequence[str]) -> Iterator[str]:
        """Tell a move, and what it changed.

        The phrase `told` yields the sentences of a move, and None for one that the teller is to
        make of the order.
        """
        moment = Moment(self, step, names)
        told = self.phrases.get("told")
        lines: list[str] = []
        if told and (step.s.phase in self._own_phases or not self._is_builtin):
            try:
                for line in told(moment):
                    lines.append(self.plainly(moment) if line is None else line)
            except NotSeen:
                # Told at the table, of what is not seen there: the order, and what moved.
                moment.untold = [*moment.moved] if not lines else moment.untold
                lines = lines or [self.plainly(moment)]
        else:
            lines.append(self.plainly(moment))
        more = list(self._more(moment))
        if self._is_builtin or not lines:
            yield from lines
            yield from (f"{_sentence(who, text, names)}." for who, text in more)
        else:
            *before, last = lines
            yield from before
            clauses = [last.rstrip(".")]
            clauses += [
                text if who == moment.seat else _sentence(who, text, names) for who, text in more
            ]
            yield "; ".join(clauses) + "."

    def plainly(self, moment: Moment) -> str:
        """Return a move as a sentence of its order."""
        if moment.is_secret:
            is_card = self.is_card(moment.s.phase)
            return f"{moment.who} {'chooses a card' if is_card else 'decides'} in secret."
        if moment.move < 0 and not moment.moves:
            return f"{moment.who} has no move."
        order, is_verb = self._order(moment)
        # A card that goes where there are several places, or to somebody, is told with that.
        for change in list(moment.untold):
            if (
                isinstance(change, Moved)
                and self.is_card(moment.s.phase)
                and not isinstance(change.cards, UnseenCards)
                and list(change.cards) == [moment.move]
                and change.target.number < 0
                and change.target.seat in (-1, moment.seat)
            ):
                moment.untold.remove(change)
        if is_verb:
            return f"{moment.who} {third_person(order)}."
        return f"{moment.who}: {order}."

    def _more(self, moment: Moment) -> Iterator[tuple[int, str]]:
        """Yield what else a move changed: who (-1: nobody), and what is said of them."""
        yield from self._exchanged(moment)
        for change in moment.untold:
            told = self._change(moment, change)
            if told is not None:
                yield told
        is_said = not moment.is_secret and moment.move >= 0
        said = self._order(moment)[0] if is_said else ""
        for name in self._told_fields:
            yield from self._changed(moment, name, said)

    def _exchanged(self, moment: Moment) -> Iterator[tuple[int, str]]:
        """Yield who exchanged all their cards with whom, and do not tell their single cards."""
        places = {change.target.name for change in moment.untold if isinstance(change, Moved)}
        for name in places:
            gave: dict[int, int] = {}
            parts = []
            for change in moment.untold:
                if isinstance(change, Moved) and change.source and change.source.name == name:
                    if change.target.name == name and change.target.seat != change.source.seat:
                        # All that a seat still had of its cards went to one other seat.
                        left = sum(
                            len(other.cards)
                            for other in moment.moved
                            if other.source == change.source and other.target.name != name
                        )
                        had = len(moment.s.__dict__[name][change.source.seat])
                        if len(change.cards) == had - left:
                            gave[change.source.seat] = change.target.seat
                            parts.append(change)
            if len(gave) < 2 or set(gave) != set(gave.values()):
                continue
            moment.untold = [change for change in moment.untold if change not in parts]
            pairs = [(one, other) for one, other in gave.items() if gave[other] == one]
            for one, other in pairs:
                if one < other:
                    first, second = (other, one) if other == moment.seat else (one, other)
                    yield -1, f"{moment.names[first]} and {moment.names[second]} swap hands"
            if not pairs:
                steps = {(other - one) % len(moment.names) for one, other in gave.items()}
                way = "clockwise" if steps == {1} else "counter-clockwise"
                yield -1, f"All hands pass on by one seat, {way}"

    def _change(self, moment: Moment, change: Any) -> tuple[int, str] | None:
        """Return whose and what a change of the cards is; None where nothing is told of it."""
        if isinstance(change, Shuffled):
            return -1, f"the {self._place(change.spot)} is shuffled"
        if isinstance(change, Looked):
            where = f"in the {self._place(change.spot)}"
            if change.seat < 0:
                return -1, f"all see {moment.end.cards(change.cards)} {where}"
            return change.seat, f"sees {moment.end.cards(change.cards)} {where}"
        cards, source, target = change.cards, change.source, change.target
        text, several = moment.end.cards(cards), len(cards) != 1
        key = f"{target.name} from {source.name if source else 'nowhere'}"
        if key in self._section("cards"):
            who = target.seat if target.seat >= 0 else source.seat if source else -1
            names = {
                "who": moment.names[who] if who >= 0 else moment.who,
                "cards": text,
                "count": len(cards),
                "place": self._place(target, ""),
                "source": self._place(source, "") if source else "",
                "scene": moment,
            }
            said = self._filled(key, self._section("cards")[key], len(cards), **names)
            return (-1, said.rstrip(".")) if said else None
        is_held = self._is_held(target)
        to = f"to {self._whose(target, moment)}"
        if source is None or not (is_held or self._is_held(source) or self._is_open(source)):
            if target.seat >= 0 and is_held:
                return target.seat, f"draws {text}"
            return -1, f"{text} {'come' if several else 'comes'} {to}"
        if is_held and target.seat >= 0:
            if source.seat == target.seat:
                if not self._is_held(source):
                    return target.seat, f"takes {text} from the {self._place(source)}"
                return target.seat, f"puts {text} to the {self._place(target)}"
            if source.seat >= 0:
                return target.seat, f"gets {text} from {moment.names[source.seat]}"
            return target.seat, f"takes {text} from the {self._place(source)}"
        if source.seat == moment.seat:
            if target.seat == source.seat:
                return source.seat, f"puts {text} to the {self._place(target)}"
            return source.seat, f"puts {text} {to}"
        origin = f"from {self._whose(source, moment)}" if source.seat >= 0 or several else ""
        return -1, f"{text} {'go' if several else 'goes'} {origin} {to}".replace("  ", " ")

    def _is_held(self, spot: Spot) -> bool:
        return self.program.fields[spot.name].sees in ("own", "some")

    def _place(self, spot: Spot, article: str = "") -> str:
        """Return the name of a place: stock, row 2."""
        name = spot.name.replace("_", " ")
        return f"{article}{name} {spot.number + 1}" if spot.number >= 0 else f"{article}{name}"

    def _whose(self, spot: Spot, moment: Moment) -> str:
        """Return a place with whose it is: row 2, seat 1 (greedy)'s heap."""
        place = self._place(spot)
        if spot.seat >= 0:
            return f"{moment.names[spot.seat]}'s {place}"
        return place if spot.number >= 0 else f"the {place}"

    def _changed(self, moment: Moment, name: str, said: str) -> Iterator[tuple[int, str]]:
        """Yield how a number changed, but for what the move itself says."""
        before, after = moment.s.__dict__[name], moment.after.__dict__[name]
        field = self.program.fields[name]
        parts: list[tuple[int, int, Any, Any]] = []
        for seat, (old, new) in (
            enumerate(zip(before, after, strict=True))
            if field.per_seat
            else [(-1, (before, after))]
        ):
            if field.many:
                both = enumerate(zip(old, new, strict=True))
                parts += [(seat, at, one, other) for at, (one, other) in both]
            else:
                parts.append((seat, -1, old, new))
        for seat, at, old, new in parts:
            if isinstance(old, Unknown) or isinstance(new, Unknown) or old == new:
                continue
            text = self.value(moment.after, name, new)
            if name in self._section("numbers"):
                names = {
                    "who": moment.names[seat] if seat >= 0 else moment.who,
                    "old": self.value(moment.s, name, old),
                    "new": text,
                    "place": at + 1,
                    "scene": moment,
                }
                said_of = self._filled(name, self._section("numbers")[name], new, **names)
                if said_of:
                    yield -1, said_of.rstrip(".")
                continue
            if self.program.is_set(field.kind) and (len(new) != 1 or moment.move in new):
                continue  # sets that are no places are notes
            if text == said or (said.endswith(f" {text}") and name in said.split()):
                continue  # the move itself
            # "bid: bid 3" says it twice.
            label = name.replace("_", " ") + (f" {at + 1}" if at >= 0 else "")
            what = text if text.split(" ")[0] == name else f"{label}: {text}"
            yield -1, what if seat < 0 else f"{moment.names[seat]} {what}"

    def score_in_words(self, end: Any, names: Sequence[str]) -> Iterator[str]:
        """Tell the scores.

        The phrase `over` tells why the round ended, `left` what a seat has left and gets, `end`
        what follows on the scores.
        """
        moment = Moment(self, _Ended(end), names)
        s, after = end.s, end.after.s
        over = self.phrases.get("over")
        if over:
            yield from over(moment)
        else:
            yield f"Round {s.round_number} is over."
        left = self.phrases.get("left", self._left)
        for seat in range(len(names)):
            told = left(moment, seat)
            yield from [told] if isinstance(told, str) else told
        tail = self.phrases.get("end")
        if tail:
            yield from tail(moment)
        elif after.leaders:
            yield f"{ahead(after.leaders, names)}."

    def _left(self, moment: Moment, seat: int) -> str:
        gained = moment.after.scores[seat] - moment.s.scores[seat]
        total = f"{self.amount(moment.after, moment.after.scores[seat])} in all"
        if self.program.is_simple and moment.after.round_number > 1:
            return f"{moment.names[seat]} gets {gained} and has {total}."
        return f"{moment.names[seat]} has {total}."


class _Ended:
    """The end of a round, as a step without a move."""

    def __init__(self, end: Any) -> None:
        self.s, self.after, self.move, self.moves = end.s, end.after, -1, ()


class _Late:
    """A text that is made when it is asked for."""

    def __init__(self, make: Callable[..., str], *args: Any) -> None:
        self._make = lambda: make(*args)

    def __format__(self, spec: str) -> str:
        return format(self._make(), spec)


def _seats(s: Any) -> list[str]:
    return [f"seat {seat}" for seat in range(s.players)]


def _sentence(who: int, text: str, names: Sequence[str]) -> str:
    if who >= 0:
        return f"{names[who]} {text}"
    return text if text.startswith(tuple(names)) else text[:1].upper() + text[1:]


def _numbers_in(value: Any) -> list[int]:
    """Return a number, or all of several, as a list."""
    return [n for part in value for n in _numbers_in(part)] if isinstance(value, list) else [value]


def _all_are(value: Any, usual: Sequence[int]) -> bool:
    """Tell whether a number, or all of several, are as at first."""
    if isinstance(value, list):
        return all(_all_are(part, usual) for part in value)
    if isinstance(value, Unknown):
        return True
    return not value if isinstance(value, Cards) else value in usual


def _by_suit(deck: Any, named: Iterable[tuple[int, str]]) -> str:
    """Return names of several words by their first ones: red 4, 7; green 1."""
    groups: dict[str, list[tuple[int, str]]] = {}
    for card, name in named:
        suit = next((suit for suit in deck.suits if name.startswith(f"{suit} ")), "")
        rank = card % 64 & ((1 << deck.shift) - 1) if deck.packs > 1 else card
        groups.setdefault(suit, []).append((rank, name.removeprefix(f"{suit} ")))
    is_long = any(" " in rank for rank in deck.ranks.values())
    within, between = (", ", "; ") if is_long else (" ", ", ")
    order = [suit for suit in (*deck.suits, "") if suit in groups]
    parts = []
    for suit in order:
        ranks = within.join(name for _, name in sorted(groups[suit]))
        parts.append(f"{suit} {ranks}" if suit else ranks)
    return between.join(parts)
