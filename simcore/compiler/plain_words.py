"""What the words of the language do in plain Python, checked.

Each word is the method of `Words` with its name; `plain` says where calls are rewritten to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from simcore import language, rng
from simcore.compiler.layout import signed
from simcore.compiler.program import Program
from simcore.compiler.refusals import NO_TEAMS
from simcore.compiler.state import MATCH_OVER, ROUND_OVER, Cards, Pile, S, Wrong, within
from simcore.language import NO_CARD, WORDS, Deck, Stream
from simcore.rng import MASK, next_word, opened

MOST_LOOPS = 1_000_000
"""Turns of loops in one step, after which it is taken not to end: about a second. Choosing among
the sets of a deck of DN-UP with many equal values has taken 64,000."""

MOVING = {
    "move": (1, 2),
    "draw": (0, 1),
    "bring": (1,),
    "insert": (1, 2),
    **dict.fromkeys(("top", "bottom", "cut", "shuffle", "reveal"), (0,)),
    **dict.fromkeys(("look", "seen"), (1,)),
}
"""Words that take places of cards, and which of their arguments these are."""

MOST_BOUND = 1 << 32
"""The largest bound of `below`."""

_PURPOSE = {"DEAL": rng.DEAL, "CHANCE": rng.CHANCE, "MATCH": rng.MATCH}

Place = tuple[Any, ...]
"""Where cards lie: the name of a field, then its indices."""


class Words:
    """The rule language's built-in functions (words), for one program and its options.

    Parameters
    ----------
    program : Program
    players : int
    values : mapping
        The options (`Program.option_values`).

    Attributes
    ----------
    seed : int
        Seed of the current match.
    reasons : list
        Reasons that policies gave for their last decision (`because`, `weigh`).
    loops : int
        Loop iterations so far in the current step.
    aside : bool
        Whether a seat's random numbers come from its second stream (`Plain.is_aside`).
    places : int
        Exclusive upper bound of the numbers in a set of cards or moves.
    numbers : int
        Exclusive upper bound of the cards that rules may name; where the deck depends on
        options, cards from `places` on are in no set.
    """

    def __init__(self, program: Program, players: int, values: Mapping[str, Any]) -> None:
        self.program, self.players, self.seed = program, players, 0
        places = int(values.get("places", program.deck.places if program.deck else 64))
        self.places = 64 * -(-places // 64)
        self.numbers = 256 if "places" in values else self.places
        self.clauses = {
            clause.name: 1 << bit for bit, clause in enumerate(self.program.game.clauses)
        }
        self.reasons: list[tuple[str, Any]] = []
        self.loops = 0
        self.aside = False
        self.of_rank, self.of_suit = cache(self._of_rank), cache(self._of_suit)

    def by_name(self) -> dict[str, Any]:
        """Return what stands for the words, and for what `plain` rewrites, by name."""
        rewritten = (name for name in vars(Words) if name.endswith("_") and name[0] != "_")
        named = {name: getattr(self, name) for name in (*WORDS.values(), *rewritten)}
        moving = {f"{name}_": named[name] for name in MOVING}
        return named | moving | {"abs": self.abs_, "sum": self.sum_, "int": self.int_}

    # ---------------------------------------------------------------------- what happens next

    def ask(self, s: S, seat: int, decision: int) -> None:
        if not 0 <= seat < self.players:
            raise Wrong(
                f"seat {seat} of {self.players} is asked; who sits further on is after(seat, 1)"
            )
        if decision not in self.program.decisions.values():
            raise Wrong(f"no decision has the number {int(decision)}")
        s.seat, s.phase = seat, int(decision)

    def end_round(self, s: S) -> None:
        s.phase = ROUND_OVER

    def end_match(self, s: S, winners: int) -> None:
        if not 0 < winners < 1 << self.players:
            raise Wrong(
                f"end_match(s, {winners}): winners are bits of {self.players} seats, as "
                "best_seats(s, False) or 1 << seat"
            )
        for seat in range(self.players):
            team = self.program.seating.team(seat, self.players)
            if winners >> seat & 1 and team & ~winners:
                raise Wrong(
                    f"end_match(s, {winners}): a team wins together, as in bits(team({seat}))"
                )
        s.winners, s.phase = winners, MATCH_OVER

    def abort(self, s: S) -> None:
        s.winners, s.aborted, s.phase = 0, 1, MATCH_OVER

    # ---------------------------------------------------------------------- counts and scores

    def note(self, s: S, clause: str) -> None:
        self.note_if(s, clause, True)

    def note_if(self, s: S, clause: str, condition: Any) -> None:
        if clause not in self.clauses:
            raise Wrong(f"no clause {clause!r}; there are {', '.join(self.clauses)}")
        if condition:
            s.count.clauses |= self.clauses[clause]

    def note_leaders(self, s: S, lowest: Any, changes: str = "lead_changes") -> None:
        leaders = self.best_seats(s, lowest)
        best = min(s.scores) if lowest else max(s.scores)
        for seat in range(self.players):
            s.deficits[seat] = max(s.deficits[seat], abs(best - s.scores[seat]))
        if leaders != s.leaders:
            if s.leaders and changes in self.program.metrics:
                setattr(s.count, changes, getattr(s.count, changes) + 1)
            s.count.last_lead_change = s.round_number
        s.leaders = leaders

    def note_lead_change(self, s: S, number: int) -> None:
        s.count.last_lead_change = number

    def best_seats(self, s: S, lowest: Any) -> int:
        for seat in range(self.players):
            mate = _lowest_bit(self.program.seating.team(seat, self.players))
            if s.scores[seat] != s.scores[mate]:
                raise Wrong(
                    f"seats {mate} and {seat} of a team have {s.scores[mate]} and "
                    f"{s.scores[seat]}: a team has one total, at each of its seats"
                )
        best = min(s.scores) if lowest else max(s.scores)
        return sum(1 << seat for seat in range(self.players) if s.scores[seat] == best)

    def because(self, reason: str, *values: Any) -> None:
        self.reasons.append(("because", (reason, *values)))

    def weigh(self, move: int, worth: Any) -> None:
        self.reasons.append(("weigh", (move, float(worth))))

    # ---------------------------------------------------------------------- seats

    def seats(self) -> range:
        return range(self.players)

    def all_seats(self) -> int:
        return (1 << self.players) - 1

    def after(self, seat: int, steps: int) -> int:
        if not -self.players <= steps <= self.players:
            raise Wrong(
                f"after(seat, {steps}) of {self.players} players: from {-self.players} to "
                f"{self.players}"
            )
        return (seat + steps) % self.players

    def team(self, seat: int) -> Cards:
        if not self.program.seating.has_teams:
            raise Wrong(NO_TEAMS)
        return Cards(self.program.seating.team(self._seat(seat), self.players))

    def partners(self, seat: int) -> Cards:
        return self.team(seat) - Cards.of([seat])

    def partner(self, seat: int) -> int:
        partners = self.partners(seat)
        if len(partners) != 1:
            raise Wrong(f"a seat has {len(partners)} partners here: partners(seat) are all of them")
        return self.lowest(partners)

    def others(self, seat: int) -> Cards:
        return Cards(self.all_seats() & ~(1 << self._seat(seat)))

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.players:
            raise Wrong(f"seat {seat} of {self.players}: from 0 to {self.players - 1}")
        return seat

    # ---------------------------------------------------------------------- random numbers

    def stream(self, s: S, stream: Any) -> list[int]:
        """Return a stream of the match; it is opened when it is first needed."""
        name, index = (stream.name, 0) if isinstance(stream, Stream) else stream
        key: Any = (name, index)
        if name == "SEAT" and self.aside:
            key = ("ASIDE SEAT", index)
        if key not in s.streams:
            number, purpose = s.round_number, _PURPOSE.get(name, 0)
            if name == "MATCH":
                number = 0
            elif name == "SEAT":
                number += rng.ASIDE if self.aside else 0
                purpose = rng.FIRST_SEAT_STREAM + index
            elif name == "ASIDE":
                raise Wrong(
                    f"the stream {name} is not open; rules draw from DEAL and CHANCE, policies "
                    "from SEAT(seat)"
                )
            s.streams[key] = opened(self.seed, s.match_number, number, purpose)
        return s.streams[key]  # type: ignore[no-any-return]

    def SEAT(self, seat: int) -> tuple[str, int]:
        return "SEAT", seat

    def below(self, s: S, stream: Any, bound: int) -> int:
        return rng.below(self.stream(s, stream), _bound(bound))

    def below_from(self, s: S, stream: Any, half: int, bound: int) -> int:
        if not 0 <= half < 1 << 32:
            raise Wrong(f"below_from(s, …, {half}, …): from 0 to {(1 << 32) - 1}")
        return rng.below_from(self.stream(s, stream), half, _bound(bound))

    def word(self, s: S, stream: Any) -> int:
        return signed(next_word(self.stream(s, stream)))

    def uniform(self, s: S, stream: Any) -> float:
        return float(next_word(self.stream(s, stream)) >> 11) * 2.0**-53

    # ---------------------------------------------------------------------- cards that move

    def move(self, s: S, what: Any, source: Place, target: Place) -> None:
        self.insert(s, what, source, target, 0, "move")

    def insert(
        self, s: S, what: Any, source: Place, target: Place, k: int, word: str = "insert"
    ) -> None:
        cards = self._as_set(what)
        here, i = _at(s, source)
        if word == "insert":
            self._pile(s, target)
        if cards - here[i]:
            raise Wrong(
                f"{word}() of {self.named(cards - here[i])}, not in {_text(source)}, which has "
                f"{self.named(here[i])}; it is {word}(what, where it lies, where it goes"
                f"{', k' if word == 'insert' else ''})"
            )
        self._carry(s, cards, source, target, k)

    def draw(self, s: S, source: Place, target: Place, count: int | None = None) -> int:
        holder, i = _at(s, source)
        card = NO_CARD
        for _ in range(1 if count is None else count):
            if not holder[i]:
                raise Wrong(
                    f"draw() from {_text(source)}, which is empty; ask first whether a card is left"
                )
            if isinstance(holder[i], Pile):
                card = holder[i].top(0)
            else:
                card = self.nth(holder[i], self.below(s, language.DEAL, len(holder[i])))
            self._carry(s, Cards.of([card]), source, target)
        return card

    def _carry(self, s: S, cards: Cards, source: Place, target: Place, k: int = 0) -> None:
        """Move cards that lie in a place, one after another where places are ordered."""
        (source_holder, i), (target_holder, j) = _at(s, source), _at(s, target)
        if not isinstance(source_holder[i], Pile) and not isinstance(target_holder[j], Pile):
            source_holder[i] = source_holder[i] - cards
            target_holder[j] = target_holder[j] | cards
            return
        for card in cards:
            seen = self._viewers(source)
            if isinstance(source_holder[i], Pile):
                source_holder[i], before = source_holder[i].without(card)
                seen |= before
            else:
                source_holder[i] = source_holder[i] - Cards.of([card])
            self._lay(target_holder, j, card, k, seen)

    def _lay(self, holder: Any, j: Any, card: int, k: int, seen: int) -> None:
        pile = holder[j]
        is_pile = isinstance(pile, Pile)
        holder[j] = pile.with_card(card, k, seen) if is_pile else pile | Cards.of([card])

    def _viewers(self, place: Place) -> int:
        """Return the seats that see what lies in a place."""
        name, *indices = place
        field = self.program.fields[name]
        holder = indices[0] if field.per_seat else 0
        return self.program.seating.viewers(field, holder, self.players)

    def bring(self, s: S, what: Any, place: Place) -> None:
        cards = self._as_set(what)
        for name in self.program.places:
            for holder, index in s.sets_of(name):
                if holder[index] & cards:
                    raise Wrong(
                        f"bring() of {self.named(holder[index] & cards)}, which lies in "
                        f"s.{name} already; move(what, from, to) moves it"
                    )
        holder, index = _at(s, place)
        for card in cards:
            self._lay(holder, index, card, 0, 0)

    # ---------------------------------------------------------------------- cards in an order

    def _pile(self, s: S, place: Place) -> tuple[Any, Any, Pile]:
        holder, key = _at(s, place)
        if not isinstance(holder[key], Pile):
            raise Wrong(f"{_text(place)} has no order; declare it as in shown(ordered)")
        return holder, key, holder[key]

    def top(self, s: S, place: Place, k: int = 0) -> int:
        return self._pile(s, place)[2].top(k)

    def bottom(self, s: S, place: Place) -> int:
        pile = self._pile(s, place)[2]
        return pile.top(len(pile) - 1)

    def cut(self, s: S, place: Place, k: int) -> None:
        holder, key, pile = self._pile(s, place)
        holder[key] = pile.cut(k)

    def shuffle(self, s: S, place: Place) -> None:
        holder, key, pile = self._pile(s, place)
        order = list(pile.order)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(s, language.DEAL, last + 1)
            order[last], order[other] = order[other], order[last]
        holder[key] = Pile(order)

    def look(self, s: S, seat: int, place: Place, k: int) -> None:
        holder, key, pile = self._pile(s, place)
        holder[key] = pile.with_seen(k, 1 << self._seat(seat))

    def reveal(self, s: S, place: Place, k: int) -> None:
        holder, key, pile = self._pile(s, place)
        holder[key] = pile.with_seen(k, self.all_seats())

    def seen(self, s: S, seat: int, place: Place, k: int) -> int:
        pile = self._pile(s, place)[2]
        if not 0 <= k < len(pile):
            return NO_CARD
        seats = pile.seen[pile.slot(k)] | self._viewers(place)
        return pile.top(k) if seats >> self._seat(seat) & 1 else NO_CARD

    def _as_set(self, cards: Any) -> Cards:
        return cards if isinstance(cards, Cards) else self.set_([cards])

    # ---------------------------------------------------------------------- sets of cards

    @property
    def deck(self) -> Deck:
        """The game's deck."""
        if self.program.deck is None:
            raise Wrong("the game has no deck; write deck = french_deck() or another")
        return self.program.deck

    def named(self, cards: Any) -> str:
        """Return the names of some cards."""
        return self.program.deck.names(cards) if self.program.deck else str(cards)

    def lowest(self, cards: Any) -> int:
        return _lowest_bit(_word_of_some(cards))

    def highest(self, cards: Any) -> int:
        return _word_of_some(cards).bit_length() - 1

    def lower(self, cards: Cards, card: int) -> Cards:
        return Cards(cards.word & ((1 << max(card, 0)) - 1))

    def higher(self, cards: Cards, card: int) -> Cards:
        return Cards(cards.word >> max(card + 1, 0) << max(card + 1, 0))

    def nth(self, cards: Cards, index: int) -> int:
        if not 0 <= index < len(cards):
            raise Wrong(f"nth(cards, {index}) of {len(cards)}: from 0 to {len(cards) - 1}")
        return list(cards)[index]

    def _of_rank(self, rank: int) -> Cards:
        return Cards.of(card for card in self.deck.cards if self.rank(card) == rank)

    def _of_suit(self, suit: int) -> Cards:
        return Cards.of(card for card in self.deck.cards if self.suit(card) == suit)

    def rank(self, card: int) -> int:
        return card & ((1 << self.deck.shift) - 1)

    def suit(self, card: int) -> int:
        return (card % 64 if self.deck.packs > 1 else card) >> self.deck.shift

    def kinds(self, cards: Cards) -> Cards:
        word = cards.word
        return Cards((word | word >> 64 | word >> 128 | word >> 192) & MASK)

    def bits(self, cards: Cards) -> int:
        return signed(cards.word)

    def cards_in(self, word: int) -> Cards:
        return Cards(word & MASK)

    def set_(self, cards: Iterable[int]) -> Cards:
        cards = tuple(cards)
        for card in cards:
            if not 0 <= card < self.numbers:
                raise Wrong(
                    f"there is no card {card}: sets of this game hold numbers from 0 to "
                    f"{self.numbers - 1}, and a set without any is set(); "
                    f"{self.program.instead_of_legal}"
                )
        return Cards.of(card for card in cards if card < self.places)

    # ---------------------------------------------------------------------- bits of a number

    def popcount(self, word: int) -> int:
        return (word & MASK).bit_count()

    def lowest_bit(self, word: int) -> int:
        return self.lowest(Cards(word & MASK))

    def highest_bit(self, word: int) -> int:
        return self.highest(Cards(word & MASK))

    def nth_bit(self, word: int, index: int) -> int:
        return self.nth(Cards(word & MASK), index)

    def deposit(self, pattern: int, word: int) -> int:
        bits = enumerate(Cards(word & MASK))
        return signed(sum(1 << bit for place, bit in bits if pattern >> place & 1))

    def extract(self, word: int, mask: int) -> int:
        return sum((word >> bit & 1) << place for place, bit in enumerate(Cards(mask & MASK)))

    def shr(self, word: int, places: int) -> int:
        if not 0 <= places < 64:
            raise Wrong(f"shr by {places}: from 0 to 63")
        return signed((word & MASK) >> places)

    def rotl(self, word: int, places: int) -> int:
        places &= 63
        return signed((word << places) | ((word & MASK) >> (64 - places)))

    def rarely(self, condition: Any) -> bool:
        return bool(condition)

    # ---------------------------------------------------------------------- Python's own

    def add_(self, a: Any, b: Any) -> Any:
        return within(a + b)

    def sub_(self, a: Any, b: Any) -> Any:
        return within(a - b)

    def mul_(self, a: Any, b: Any) -> Any:
        product = a * b
        if isinstance(product, int) and not -(1 << 63) <= product < 1 << 63:
            raise Wrong(f"{a} × {b} is beyond 64 bits")
        return product

    def floor_(self, a: Any, b: Any) -> Any:
        return within(a // b)

    def shl_(self, a: int, b: int) -> int:
        if not 0 <= b < 64:
            raise Wrong(f"<< {b}: from 0 to 63")
        return signed(a << b)

    def right_(self, a: int, b: int) -> int:
        if b < 0:
            raise Wrong(f">> {b}: from 0 on")
        return a >> b

    def abs_(self, value: Any) -> Any:
        return within(abs(value))

    def int_(self, value: Any) -> int:
        if not -(1 << 63) <= value < 1 << 63:
            raise Wrong(f"int({value}): whole numbers have 64 bits")
        return int(value)

    def sum_(self, values: Iterable[Any]) -> Any:
        """Add one after another; Python's own `sum` of floats corrects rounding errors."""
        total: Any = 0
        for value in values:
            total = within(total + value)
        return total

    def at_(self, holder: Any, index: Any) -> tuple[Any, Any, Any]:
        """Return a place with its value, for `put_`."""
        return holder, index, holder[index]

    def put_(self, place: tuple[Any, Any, Any], operate: Any, value: Any) -> None:
        """Change a place by an operator, as in `s.points[seat] += worth`."""
        holder, index, old = place
        holder[index] = operate(old, value)

    def tick_(self) -> None:
        """Count a turn of a loop."""
        self.loops += 1
        if self.loops > MOST_LOOPS:
            raise Wrong(f"a loop that does not end: {MOST_LOOPS:,} turns of loops in one step")


def _bound(bound: int) -> int:
    if bound > MOST_BOUND:
        raise Wrong(f"below(s, …, {bound}): from 1 to {MOST_BOUND}")
    return bound


def _text(place: Place) -> str:
    return f"s.{place[0]}" + "".join(f"[{index}]" for index in place[1:])


def _at(s: S, place: Place) -> tuple[Any, Any]:
    """Return what holds the set of cards at a place, and its key there."""
    holder: Any = s.__dict__
    for key in place[:-1]:
        holder = holder[key]
    return holder, place[-1]


def _word_of_some(cards: Any) -> int:
    if not cards:
        raise Wrong("the lowest or highest of nothing; ask first whether there is any")
    word: int = cards.word
    return word


def _lowest_bit(word: int) -> int:
    return (word & -word).bit_length() - 1
