"""The words of a game: its table of phrases, and the names of cards, numbers and moves."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from types import FunctionType
from typing import Any

from simcore.compiler.plain import Plain, RuleError
from simcore.compiler.program import ENGINE_FIELDS, NAMING, program_of
from simcore.compiler.state import Cards, Pile
from simcore.errors import unknown
from simcore.game import Game, game_names
from simcore.narration.guarded import guarded
from simcore.narration.moved import Spot, spots_of
from simcore.narration.scene import Scene
from simcore.narration.seen import NotSeen, Unknown, UnseenCards, seen_by
from simcore.phrases import counted, plural

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
    "ends": "when the match ends, as in: a player has {target} points; or (scene)",
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


class Vocabulary:
    """The words of a game, to a reader who sees all or to a seat.

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
    def is_builtin(self) -> bool:
        """Whether the game is one of the built-in ones."""
        return self.game.original.name in game_names()

    @cached_property
    def _module(self) -> dict[str, Any]:
        """The names of the file with the phrases."""
        original = self.game.original
        if self.is_builtin:
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
                is_ours = module is self._module and self.is_builtin
                said = value if is_ours else guarded(value)
                is_section = isinstance(value, dict)
                table[key] = {**table.get(key, {}), **said} if is_section else said
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

    def section(self, name: str) -> dict[str, Any]:
        """Return a section of the table: moves, cards, numbers."""
        return self.phrases.get(name, {})  # type: ignore[no-any-return]

    @cached_property
    def told_fields(self) -> list[str]:
        """The numbers that are told: of built-in games those in the table alone, none with ""."""
        known: set[str] = set()
        if self.is_builtin:
            known = set(program_of(self.game.original).fields) - self.section("numbers").keys()
        return [
            name
            for name, field in self.program.fields.items()
            if name not in ENGINE_FIELDS
            and name not in known
            and name != "points"
            and self.section("numbers").get(name) != ""
            and field.sees not in ("hidden", "memory")
            and not self.program.is_place(field.kind)
        ]

    @property
    def card_colours(self) -> Sequence[tuple[str, str]]:
        """Regular expressions of card names, with the colours in which a terminal shows them."""
        return self._module.get("CARD_COLOURS", ()) if self.is_builtin else ()

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
        return is_hidden and not is_open and not self.is_builtin

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
        deck = self.program.deck
        if deck and deck.counts and not isinstance(cards, Pile):
            many = Counter(names)
            return ", ".join(f"{n} {name}" if n > 1 else name for name, n in many.items())
        if not any(" " in name for name in names):
            return " ".join(names) or "nothing"
        if deck.suits == ("",) or isinstance(cards, Pile):
            return ", ".join(names)
        return _by_suit(deck, zip(numbers, names, strict=True))

    def amount(self, s: Any, number: int) -> str:
        """Return a number of points in words; the phrase `amount` is a word, or a function."""
        thing = self.phrases.get("amount", "point")
        return plural(int(number), thing) if isinstance(thing, str) else str(thing(s, int(number)))

    def ends(self, s: Any) -> str:
        """Return when the match ends, as in: a player has 500 points; empty: nothing tells."""
        scene, phrase = Scene(self, s, _seats(s)), self.phrases.get("ends", "")
        return self.filled("ends", phrase, 0, scene=scene, **s.options)

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
        return ", ".join(f"{text} in {self.place(spot)}" for text, spot in parts)

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

    def filled(self, key: str, phrase: Any, value: Any, **names: Any) -> str:
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

    def decision(self, phase: int) -> str:
        """Return the name of a decision in small letters."""
        decisions = self.program.decisions
        return str(next(name.lower() for name, number in decisions.items() if number == phase))

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
        return self.order(Scene(self, s, _seats(s), seat, move))[0]

    def order(self, scene: Scene) -> tuple[str, bool]:
        """Return what a move is as something to do, and whether it begins with a verb."""
        s, move, decision = scene.s, scene.move, scene.decision
        if decision in self.section("moves"):
            names = {"move": move, "scene": scene, "card": _Late(self.card, s, move)}
            named = self._parameter(decision)
            if named not in names:
                names[named] = self._thing(s, named, move)
            return self.filled(decision, self.section("moves")[decision], move, **names), True
        text = scene.if_seen(lambda: self._named_by_game(s, decision, move) or "")
        if text:
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

    def names_moves(self, scene: Scene) -> bool:
        """Tell whether the game says what the moves of a decision are."""
        named = f"{NAMING}{scene.decision}" in self.program.space
        return named or scene.decision in self.section("moves")

    def says_what_moves_are(self, scene: Scene) -> bool:
        """Tell whether moves have names: of the game, or as cards, seats, yes and no."""
        things = ("card", "suit", "rank", "seat", "yes")
        return self.names_moves(scene) or self._parameter(scene.decision) in things

    def mark_of(self, s: Any, seat: int, move: int) -> str:
        """Return the mark of the clause that a move carries out; none in games of files."""
        mark = self.phrases.get("mark")
        scene = Scene(self, s, _seats(s), seat, move)
        is_ours = not self.is_builtin or s.phase in self.own_phases
        return str(mark(scene)) if mark and is_ours else ""

    @cached_property
    def own_phases(self) -> set[int]:
        """The decisions that the game has without files of rules."""
        return set(program_of(self.game.original).decisions.values())

    def occasion(self, s: Any) -> str:
        """Return what a decision is about, where the phrase `occasion` tells; ", for area 2"."""
        occasion = self.phrases.get("occasion")
        return str(occasion(Scene(self, s, _seats(s)))) if occasion else ""

    def is_open(self, spot: Spot) -> bool:
        """Tell whether a place is not hidden from everybody."""
        return self.program.fields[spot.name].sees not in ("hidden", "memory")

    def is_held(self, spot: Spot) -> bool:
        """Tell whether a place is for the eyes of some seats alone, as a hand."""
        return self.program.fields[spot.name].sees in ("own", "some")

    @staticmethod
    def place(spot: Spot) -> str:
        """Return the name of a place: stock, row 2."""
        name = spot.name.replace("_", " ")
        return f"{name} {spot.number + 1}" if spot.number >= 0 else name


class _Late:
    """A text that is made when it is asked for."""

    def __init__(self, make: Callable[..., str], *args: Any) -> None:
        self._make: Callable[[], str] = lambda: make(*args)

    def __format__(self, spec: str) -> str:
        return format(self._make(), spec)


def _seats(s: Any) -> list[str]:
    return [f"seat {seat}" for seat in range(s.players)]


def _numbers_in(value: Any) -> list[int]:
    """Return a number, or all of several, as a list."""
    return [n for part in value for n in _numbers_in(part)] if isinstance(value, list) else [value]


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
