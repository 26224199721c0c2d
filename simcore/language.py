"""The words that rules and policies are written in.

A game's rules are ordinary Python over a state `s`: they are run as such, with every index and
move checked (`simcore.compiler.plain`), and compiled (`simcore.compiler`).
docs/reference/language.md says what may be written.

What stands here are declarations (`hidden`, `deck`, `option` …), which do what they say, and words
of rules (`move`, `ask`, `popcount` …), which have a meaning inside of rules only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from simcore import words
from simcore.errors import InputError, unknown
from simcore.words import *

F = TypeVar("F", bound=Callable[..., Any])

PASS = -1
"""The move of a seat on turn that has no legal one."""

PACK = 64
"""Places of a pack, where a deck has several."""

MOST_MANY = 4096
"""The most numbers or sets of a field, to each seat."""

STREAMS = ("DEAL", "CHANCE", "MATCH", "ASIDE")


@dataclass(frozen=True)
class Stream:
    """A stream of random numbers; `seat` is an expression of rules where each seat has its own."""

    name: str


DEAL, CHANCE, MATCH, ASIDE = (Stream(name) for name in STREAMS)


# ------------------------------------------------------------------------------------ declarations


class Deck:
    """The cards of a game: numbers below 256, by suit and rank where they have such.

    Parameters
    ----------
    suits : sequence of str or int
        Names of the suits; none where cards are only numbered.
    ranks : sequence of str, or range
        Names of the ranks, numbered from 0; a range's numbers are the ranks themselves.
    packs : int
        How often there is each card; the first of equal cards is below 64, the second 64 more.
    counts : sequence of int, optional
        How many cards there are of each rank, in a deck without suits: equal cards differ by the
        number of their suit alone, which has no name.
    """

    def __init__(
        self,
        suits: Sequence[str | int],
        ranks: Sequence[str] | range,
        packs: int = 1,
        counts: Sequence[int] = (),
    ) -> None:
        if not all(isinstance(name, str) or type(name) is int for name in suits):
            raise InputError(
                f'deck with suits {suits!r} is refused; allowed: names or numbers, as in "♣♦♥♠", '
                '("red", "blue") or range(1, 6)'
            )
        self.suits, self.packs, self.counts = tuple(map(str, suits)), packs, tuple(counts)
        if isinstance(ranks, range) and min(ranks, default=0) < 0:
            raise InputError(f"deck with ranks {ranks!r} is refused; allowed: ranks from 0 on")
        numbers = list(ranks) if isinstance(ranks, range) else list(range(len(ranks)))
        self.ranks = dict(zip(numbers, map(str, ranks), strict=True))
        self.shift = max(numbers[-1], 1).bit_length()
        first = [
            suit << self.shift | rank
            for suit in range(len(self.suits))
            for rank in numbers
            if not counts or suit < counts[rank]
        ]
        if packs > 1 and first[-1] >= PACK:
            raise InputError(
                f"deck of {packs} packs: one takes {first[-1] + 1} places; allowed: 64"
            )
        self.cards = tuple(pack * PACK + card for pack in range(packs) for card in first)
        self.places = self.cards[-1] + 1
        if self.places > 256:
            raise InputError(
                f"deck of {len(self.suits)} suits and {len(numbers)} ranks: it takes "
                f"{self.places} places; allowed: 256"
            )

    @property
    def words(self) -> int:
        """How many words of 64 bits a set of cards takes."""
        return -(-self.places // 64)

    @cached_property
    def all_cards(self) -> int:
        """All cards, as bits."""
        return sum(1 << card for card in self.cards)

    def name(self, card: int) -> str:
        """Return a card's name."""
        if self.suits == ("",):
            return self.ranks[card]
        card = card % PACK if self.packs > 1 else card
        suit, rank = card >> self.shift, self.ranks[card & ((1 << self.shift) - 1)]
        name = self.suits[suit]
        if not name:
            return rank
        if name.isdecimal():
            return f"{name}-{rank}"
        return f"{rank}{name}" if len(name) == 1 else f"{name} {rank}"

    def rank(self, name: str) -> int:
        """Return the number of a rank by its name: `deck.rank("K")` is 12 of a french deck."""
        numbers = {text: number for number, text in self.ranks.items()}
        if name not in numbers:
            raise unknown("rank", str(name), tuple(numbers))
        return numbers[name]

    def names(self, cards: Any) -> str:
        """Return the names of a set of cards, "nothing" of none."""
        between = ", " if self.names_have_blanks else " "
        return between.join(self.name(card) for card in cards) or "nothing"

    @property
    def names_have_blanks(self) -> bool:
        """Whether names of cards are several words."""
        return any(" " in self.name(card) for card in self.cards)


def cards_of(
    suits: Sequence[str | int] | Mapping[str, int],
    ranks: Sequence[str] | range = (),
    packs: int = 1,
) -> Deck:
    """Return a deck with a card for each suit and rank, or so many of each name.

    `cards_of({"bomb": 4, "cat": 20})` has ranks 0 (bomb) and 1 (cat), and no suits.
    """
    if isinstance(suits, Mapping):
        counts = tuple(suits.values())
        if not counts or not all(type(count) is int and count > 0 for count in counts):
            raise InputError(
                f"deck of {dict(suits)!r} is refused; allowed: how many cards there are of each "
                'name, as in {"bomb": 4, "cat": 20}'
            )
        return Deck([""] * max(counts), tuple(suits), packs, counts)
    if not len(ranks):
        raise InputError(
            f"deck with suits {suits!r} has no ranks; allowed: suits and ranks, or how many cards "
            'there are of each name, as in {"bomb": 4, "cat": 20}'
        )
    return Deck(suits, ranks, packs)


def french_deck() -> Deck:
    """Return the 52 cards of ♣ ♦ ♥ ♠, ranks 0 (ace) to 12 (king)."""
    return Deck("♣♦♥♠", ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"])


def skat_deck() -> Deck:
    """Return the 32 cards of ♦ ♥ ♠ ♣, ranks 0 (seven) to 7 (ace)."""
    return Deck("♦♥♠♣", ["7", "8", "9", "10", "J", "Q", "K", "A"])


def numbered(count: int) -> Deck:
    """Return a deck of cards that are known by their numbers from 0."""
    return Deck(("",), [str(number) for number in range(count)])


@dataclass(frozen=True)
class Kind:
    """What a field of the state holds."""

    name: str


number, card, cards, flag = (Kind(name) for name in ("number", "card", "cards", "flag"))
if TYPE_CHECKING:
    cardset: TypeAlias = Any  # noqa: PYI042 (a kind, and a type of parameters)
else:
    cardset = Kind("cardset")
ordered = Kind("ordered")
FLOAT = Kind("float")
"""What `float` is as a kind."""
all_cards = Kind("all_cards")
"""As a kind: a place that holds the whole deck when a round begins. In rules: all cards."""


@dataclass(frozen=True)
class Field:
    """A part of the state.

    Attributes
    ----------
    kind : Kind
    sees : str
        "shown" to all, "own" to one seat, "some" to those in `to`, "hidden" from everybody; or a
        policy's "memory".
    per_seat : bool
    many : int
        How many of them (to each seat); 0: one, which is not indexed.
    start : int
        Its value when a match starts.
    named : str
        Of a number: what names it in transcripts, the function `name_…`.
    to : tuple
        Who else sees what a seat has: "partners", "others", or the seat so many further on.
    """

    kind: Kind
    sees: str
    per_seat: bool
    many: int = 0
    start: int = 0
    named: str = ""
    to: tuple[int | str, ...] = ()


seat = "seat"
"""Says of a field that there is one for each seat."""


def _declared(
    sees: str, kind: Any, per: Any, many: Any, start: Any, named: Any = "", to: Any = ()
) -> Field:
    if isinstance(many, int) and many > MOST_MANY:
        raise InputError(f"{sees}(…, many={many}) is refused; allowed: 0…{MOST_MANY}")
    kinds_of = {seat: Kind("seat"), suit: Kind("suit"), rank: Kind("rank"), float: FLOAT}
    kind = kinds_of.get(kind, kind)
    numbers = isinstance(many, int) and isinstance(start, int) and many >= 0
    if not (numbers and isinstance(kind, Kind) and per in ("", seat) and isinstance(named, str)):
        raise InputError(
            f"{sees}({getattr(kind, 'name', repr(kind))}, …) is refused; allowed: a kind (number, "
            "float, flag, seat, suit, rank, card, cards, ordered, cardset, all_cards), then "
            'per=seat, many=4, start=1 and named="bid" as needed'
        )
    per_seat = per == seat or sees in ("own", "memory")
    seen = tuple(_relation(sees, relation) for relation in (to if isinstance(to, tuple) else (to,)))
    if seen and not per_seat:
        raise InputError(
            f"{sees}({kind.name}, to=…) is refused: `to` says which seats see what each seat has; "
            "allowed: with per=seat"
        )
    return Field(
        kind, "some" if seen and sees == "shown" else sees, per_seat, many, start, named, seen
    )


def _relation(sees: str, relation: Any) -> int | str:
    """Return who sees a field, as `Field.to` has it."""
    if relation is partners or relation is others:
        return WORDS[relation]
    if type(relation) is int and relation:
        return relation
    raise InputError(
        f"{sees}(…, to={getattr(relation, '__name__', repr(relation))}) is refused; allowed: "
        "partners, others, a number of seats further on (1: the next, -1: the one before), or "
        "several of them, as in to=(1, -1)"
    )


def hidden(kind: Any, per: str = "", many: int = 0, start: int = 0, named: str = "") -> Any:
    """Declare what nobody sees."""
    return _declared("hidden", kind, per, many, start, named)


def shown(
    kind: Any, per: str = "", many: int = 0, start: int = 0, named: str = "", to: Any = ()
) -> Any:
    """Declare what everybody sees; or, of what each seat has, those in `to` only."""
    return _declared("shown", kind, per, many, start, named, to)


def own(kind: Any, many: int = 0, start: int = 0, named: str = "", to: Any = ()) -> Any:
    """Declare what each seat has for itself: only it sees it, and those in `to`."""
    return _declared("own", kind, "", many, start, named, to)


def memory(kind: Any, many: int = 0, start: int = 0) -> Any:
    """Declare what a seat's policy remembers over the match; only it reads and writes it."""
    return _declared("memory", kind, "", many, start)


@dataclass(frozen=True)
class Dial:
    """An option that a game's file declares; see `option`."""

    default: Any
    low: int = 0
    high: int = 1
    meaning: str = ""
    values: tuple[str, ...] = ()


def option(default: Any, *allowed: Any) -> Any:
    """Declare an option, as in `option(7, 1, 10, "cards dealt")`.

    A number with its bounds, `option(True, "…")` for a switch, or for one of a few words
    `option("low", ("low", "high"), "…")`. Rules read it by the name that it is given.
    """
    *bounds, meaning = allowed or ("",)
    if isinstance(default, bool) and not bounds:
        return Dial(default, 0, 1, meaning)
    if isinstance(default, str) and len(bounds) == 1 and default in bounds[0]:
        return Dial(default, 0, len(bounds[0]) - 1, meaning, tuple(bounds[0]))
    if isinstance(default, int) and len(bounds) == 2 and bounds[0] <= default <= bounds[1]:
        return Dial(default, bounds[0], bounds[1], meaning)
    raise InputError(
        f"option({', '.join(map(repr, (default, *allowed)))}) is refused; allowed: a default "
        "within its bounds, as in option(7, 1, 10, meaning), option(True, meaning) or "
        'option("a", ("a", "b"), meaning)'
    )


def decisions(*names: str) -> tuple[int, ...]:
    """Return the numbers of what a seat may have to decide, from 2 on."""
    for name in names:
        if not str(name).isidentifier() or str(name) != str(name).upper():
            raise InputError(
                f"decisions({name!r}) is refused; allowed: names in capital letters, as in "
                '(SUIT,) = decisions("SUIT")'
            )
    return tuple(Decision(2 + index, name) for index, name in enumerate(names))


class Decision(int):
    """The number of a decision, with its name."""

    name: str

    def __new__(cls, value: int, name: str) -> Decision:  # noqa: PYI034
        decision = super().__new__(cls, value)
        decision.name = name
        return decision


def rare(function: F) -> F:
    """Mark a function that is seldom called: it is not inlined into its callers."""
    function.__dict__["rare"] = True
    return function


@dataclass(frozen=True)
class PolicyMark:
    """What a file says of a policy; see `policy`."""

    idea: str = ""
    params: tuple[Any, ...] = ()
    source: str = ""
    name: str = ""


def policy(
    function: Any = None,
    *,
    idea: str = "",
    params: Sequence[Any] = (),
    source: str = "",
    name: str = "",
) -> Any:
    """Mark a function of a game's own file as a policy, as in `@policy` or `@policy(params=[…])`.

    The first line of its docstring is its idea unless `idea` is given. Of each
    `Param(name, default, low, high, meaning)` it takes the value by name, after `s`, `seat` and
    `moves`. `cardlab.policy` is the same for a game that is named.
    """
    if function is not None and not isinstance(function, FunctionType):
        raise InputError(
            f"@policy({function!r}) is refused: cardlab.rules' policy marks policies of the file's "
            "own game, as in @policy or @policy(idea=…, params=[…]); in a file of policies write "
            "`from cardlab import policy` below the words' import, and @policy(game, idea=…)"
        )

    def mark(marked: F) -> F:
        marked.__dict__["policy"] = PolicyMark(idea, tuple(params), source, name)
        return marked

    return mark if function is None else mark(function)


def feature(function: Any = None, *, to: str | Sequence[str] = ()) -> Any:
    """Mark a function as a feature that `cardlab train` learns from, as in `@feature`.

    It is a function of the state and the seat, or of these and a move: `f(s, seat)` or
    `f(s, seat, move)`; where its last parameter is called `card`, it is 0 of moves that are no
    card. It returns a number or a set of cards, and may read what a policy in that seat may. `to`
    names the decisions that it is for; default: all.
    """

    def mark(marked: F) -> F:
        names = (to,) if isinstance(to, str) else tuple(to)
        marked.__dict__["feature"] = tuple(name.upper() for name in names)
        return marked

    return mark if function is None else mark(function)


@dataclass(frozen=True)
class Count:
    """A column that is counted into; see `measure`."""

    meaning: str
    per: str = ""
    many: int = 1


def measure(meaning: str = "", per: Any = "", many: int = 1) -> Any:
    """Declare what is counted in every match, as in `laid = measure("cards laid", per=card)`.

    It is `s.count.laid`, for each card `s.count.laid[card]`, for each seat `s.count.laid[seat]`; of
    several for each seat `s.count.laid[seat * many + k]`.
    """
    if many != 1 and per != seat:
        raise InputError(f"measure(…, many={many!r}) is refused; allowed: with per=seat")
    if per not in ("", card, seat) or not isinstance(meaning, str):
        raise InputError(
            f"measure({meaning!r}, per={per!r}) is refused; allowed: measure(meaning), with "
            "per=card or per=seat where there is a number for each"
        )
    return Count(meaning, "card" if per == card else per, many)


MOMENTS = ("deal", "before", "apply", "round", "end")


def at(moment: str, *decisions: Decision) -> Callable[[F], F]:
    """Call a function at each moment of a kind.

    `deal` after a deal (function of `s`), `before` and `apply` before and after a move is carried
    out (of `s`, `seat`, `move`; of some decisions only where any are named), `round` after a round
    is scored and `end` when a match ends.
    """
    if moment not in MOMENTS:
        raise unknown("moment", str(moment), MOMENTS)
    if decisions and moment not in ("before", "apply"):
        raise InputError(f'at("{moment}") is no decision\'s; allowed: at("before"), at("apply")')
    if not all(isinstance(one, Decision) for one in decisions):
        raise InputError(
            f'at("{moment}", …) is refused; allowed: decisions, as in at("apply", MOVE)'
        )

    def mark(function: F) -> F:
        moments = function.__dict__.setdefault("at", [])
        moments.append((moment, tuple(one.name for one in decisions)))
        return function

    return mark


def answers(*names: str, to: str) -> Callable[[F], F]:
    """Let a function answer one decision for some policies of a game's own file."""

    def mark(function: F) -> F:
        function.__dict__["answers"] = (names, to.upper())
        return function

    return mark


class _Options:
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise RuntimeError("the options, which have a meaning only where rules are played")


o: Any = _Options()
"""The options of the match, and what `prepare` made of them."""


_DECLARATIONS = """
    ASIDE CHANCE DEAL MATCH NO_CARD PASS all_cards answers at card cards cards_of cardset decisions
    feature flag french_deck hidden measure memory number numbered o option ordered own policy rare
    seat shown skat_deck
"""

if not TYPE_CHECKING:
    __all__ = [*_DECLARATIONS.split(), *words.WORDS.values()]  # noqa: PLE0604 (all are texts)
