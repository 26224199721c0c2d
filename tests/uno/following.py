"""UNO followed by its referee, which is given the decks, the moves, and who forgets to call "UNO".

The decks are drawn here from the random streams, card by card, apart from the rules.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from simcore.catalogue import get_game
from simcore.events import Step
from simcore.games.uno import state as uno
from simcore.games.uno.state import COLOURS, FACES
from simcore.rng import below as drawn_below
from simcore.rng import opened
from tests.agreement import same
from tests.games import following
from tests.games.following import chance_from
from tests.referee.uno import UnoReferee

UNO = get_game("uno")
DEAL, CHANCE = 0, 1
WILD_DRAW_FOUR = "wild draw four"
KIND_NAMES = (
    *(f"{colour} {face}" for colour in COLOURS for face in FACES[:13]),
    "wild",
    WILD_DRAW_FOUR,
)
DECISIONS = ("PLAY", "DRAWN", "COLOUR", "CHALLENGE", "STACK", "JUMP", "SWAP", "PAIR")
PHASES = {0: "MATCH_OVER", 1: "ROUND_OVER"} | {getattr(uno, name): name for name in DECISIONS}


def name_of(card: int) -> str:
    """Name a card or a kind."""
    face = card & 15
    return FACES[face] if face > 12 else f"{COLOURS[card >> 4 & 3]} {FACES[face]}"


KINDS = {name_of(kind): kind for kind in range(63) if kind & 15 < 13} | {
    "wild": uno.WILD,
    WILD_DRAW_FOUR: uno.DRAW_FOUR,
}


def named(cards: Iterable[int]) -> dict[str, int]:
    """Count cards by names."""
    return dict(Counter(map(name_of, cards)))


def cards_named(counts: Counter[str] | list[str]) -> list[int]:
    """Return cards with these names, each another one, those of the first packs first."""
    found = []
    for name, count in Counter(counts).items():
        if KINDS[name] & 15 < 13:
            found += [copy << 6 | KINDS[name] for copy in range(count)]
        else:
            face = KINDS[name] & 15
            found += [copy // 4 << 6 | copy % 4 << 4 | face for copy in range(count)]
    return found


def open_hand() -> str:
    """Name all cards of the usual deck of which a hand of a few numbers holds none."""
    return ", ".join(name for name in KIND_NAMES if name not in ("blue 1", "blue 2", "green 7"))


def colour_on_top(s: Any) -> str | None:
    """Name the colour asked for; None as long as a wild card has none."""
    if s.top & 15 >= 13 and s.phase == uno.COLOUR:
        return None
    return COLOURS[s.top >> 4]


class Deck:
    """Cards drawn one at a time from what is left, from the round's deal stream."""

    def __init__(self, stream: list[int], cards: Iterable[int]) -> None:
        self.stream = stream
        self.deck = sorted(cards)
        self.cards = list(self.deck)

    def draw(self) -> int:
        return self.cards.pop(drawn_below(self.stream, len(self.cards)))

    def redraw(self, card: int) -> int:
        """Put a card just drawn back and draw another."""
        insort(self.cards, card)
        return self.draw()

    def all(self) -> list[str]:
        return [name_of(self.draw()) for _ in range(len(self.cards))]

    def refill(self, cards: Iterable[int]) -> list[str]:
        """Draw all of other cards."""
        self.cards = sorted(cards)
        return self.all()


def translate(phase: int, moves: tuple[int, ...]) -> list[tuple[Any, ...]]:
    """Say legal moves of the rules in the referee's terms, in their order."""
    if phase == uno.COLOUR:
        return [("colour", COLOURS[move]) for move in moves]
    if phase == uno.CHALLENGE:
        return [({uno.ACCEPT: "accept", uno.DOUBT: "challenge"}[move],) for move in moves]
    if phase == uno.SWAP:
        return [("swap", move) for move in moves]
    none = {uno.DRAWN: "keep", uno.JUMP: "decline", uno.PAIR: "decline"}.get(phase, "draw")
    return [(none,) if move == uno.DRAW else ("play", name_of(move)) for move in moves]


class Follower(following.Follower):
    """A match of the rules with the referee beside it.

    Attributes
    ----------
    opened : list of str
        Cards turned up at the start, those put back included.
    """

    game = UNO

    def prepare(self) -> None:
        self.deck: Deck
        forget: Any = self.cell.options["forget_uno"]
        self.forget = forget if isinstance(forget, list) else [forget] * self.players
        self.opened: list[str] = []

    def lowest_wins(self) -> bool:
        return self.referee.options.scoring == "own_cards"

    def start_round(self, s: Any) -> None:
        number = s.round_number
        if number == 1:
            self.referee = UnoReferee(self.cell.options, s.dealer, self.shuffled)
        self.stream = opened(self.cell.seed, self.match, number, DEAL)
        self.chance = opened(self.cell.seed, self.match, number, CHANCE)
        self.stocked: Sequence[int] = ()
        self.pile: list[int] = []
        self.referee.start_round(self.deal())
        same(s.dealer, self.referee.dealer, "dealer")
        same(s.first_seat, self.referee.first_seat, "first seat")
        self.drew_on = [uno.NEVER] * self.players
        self.last_laid = [uno.NEVER] * self.players
        self.shown = [uno.NOBODY] * self.players
        self.before = s
        self.compare_state(s)

    def deal(self) -> list[str]:
        """Return the whole deck in the order in which the referee deals it."""
        options = self.referee.options
        self.deck = Deck(self.stream, cards_named(self.referee.deck))
        hand = options.hand_size
        dealt = [name_of(self.deck.draw()) for _ in range(hand * self.players)]
        # The rules deal a hand at a time, the referee a card.
        singly = [dealt[hand * step + card] for card in range(hand) for step in range(self.players)]
        left = list(map(name_of, self.deck.cards))
        if set(left) == {WILD_DRAW_FOUR}:
            return [*singly, *left]  # nothing is turned up; all is dealt anew
        return [*singly, *self.turned_up(self.deck.draw())]

    def turned_up(self, first: int) -> list[str]:
        """Return what is turned up first, and the other cards as they are drawn, if it stays."""
        self.opened.append(name_of(first))
        self.first = first
        self.stocked = tuple(self.deck.cards)
        if name_of(first) == WILD_DRAW_FOUR:
            return [WILD_DRAW_FOUR, *map(name_of, self.deck.cards)]
        self.pile = [first]
        return [name_of(first), *self.deck.all()]

    def shuffled(self, cards: list[str]) -> list[str]:
        """Return cards in the order in which the rules will draw them."""
        if self.referee.discards:
            top = self.referee.discards[-1]
            kept = min(card for card in self.pile if name_of(card) == top)
            self.stocked = [card for card in self.pile if card != kept]
            assert Counter(map(name_of, self.stocked)) == Counter(cards)
            self.pile = [kept]
            return self.deck.refill(self.stocked)
        if len(cards) == len(self.deck.deck):
            return self.deal()
        return self.turned_up(self.deck.redraw(self.first))

    def follow(self, step: Step) -> None:
        referee = self.referee
        before, after = step.s, step.after.s
        self.before = after
        moves = translate(before.phase, step.moves)
        same(list(step.moves), sorted(set(step.moves)), "order of moves")
        same(sorted(moves), sorted(referee.legal_moves()), "legal moves")
        move = moves[step.moves.index(step.move)]
        forgets = noticed = False
        if referee.calls_uno(move) and self.forget[before.seat] > 0:
            forgets = chance_from(self.chance) < self.forget[before.seat]
            noticed = forgets and chance_from(self.chance) < float(self.cell.options["notice_uno"])  # type: ignore[arg-type]
        doubted = referee.challenged if move == ("challenge",) else None
        if doubted is not None:
            same(after.hand_seen[before.seat], before.hand[doubted], "hand shown")
            self.shown[before.seat] = doubted
        if move[0] == "play":
            held = [card for card in before.hand[before.seat] if name_of(card) == move[1]]
            self.pile.append(min(held))
        referee.apply(move, forgets=forgets, noticed=noticed)
        self.note_history(before, after, move)
        self.compare_state(after)

    def note_history(self, before: Any, after: Any, move: tuple[Any, ...]) -> None:
        """Note what everybody sees of a move: cards laid, and cards drawn by choice or by force."""
        seat, drew = before.seat, set(self.referee.drew)
        if move[0] == "play":
            if move[1] == WILD_DRAW_FOUR and before.phase != uno.STACK:
                evidence = COLOURS.index(colour_on_top(before) or ""), self.last_laid[seat]
                same((after.colour_before, after.laid_before), evidence, "evidence")
            self.last_laid[seat] = KINDS[move[1]]
        elif before.phase == uno.PLAY:
            if self.referee.drew[seat]:
                self.drew_on[seat] = before.top
            drew.discard(seat)
        for other in drew:
            self.drew_on[other] = uno.NEVER
        givers = self.givers_of(before, after, move)
        if givers:
            self.drew_on = [self.drew_on[giver] for giver in givers]
            # Who gives a hand away knows it.
            self.shown = [
                givers.index(index if givers[index] != index else shown) if shown >= 0 else shown
                for index, shown in enumerate(self.shown)
            ]
            for holder, giver in enumerate(givers):
                if holder != giver:
                    self.shown[giver] = holder

    def givers_of(self, before: Any, after: Any, move: tuple[Any, ...]) -> list[int]:
        """Return whose hand each seat holds since a move, or nothing."""
        seat, seats = before.seat, list(range(self.players))
        face = ""
        lays, pairs = move[0] == "play", before.phase == uno.PAIR
        takes_effect = (lays or pairs) and after.phase not in {uno.PAIR, 1}
        if self.cell.options["seven_zero"] and takes_effect:
            face = move[1][-1] if lays else name_of(before.top)[-1]
        if move[0] == "swap" or (face == "7" and self.players == 2):
            other = move[1] if move[0] == "swap" else 1 - seat
            seats[seat], seats[other] = other, seat
            return seats
        if face == "0":
            return [(one - self.referee.direction) % self.players for one in seats]
        return []

    def compare_state(self, s: Any) -> None:
        referee = self.referee
        if s.phase == 1:  # The referee has scored already.
            assert referee.phase in {"START", "MATCH_OVER"}
        else:
            same(PHASES[s.phase], referee.phase, "phase")
        for seat in range(self.players):
            same(named(s.hand[seat]), dict(Counter(referee.hands[seat])), "hand", seat)
        same(named(s.stock), dict(Counter(referee.stock)), "stock")
        same(named(s.pile), dict(Counter(referee.discards)), "discard pile")
        same(sorted(s.pile), sorted(self.pile), "cards of the discard pile")
        same(name_of(s.top), referee.discards[-1], "top card")
        same(s.turns, referee.round_turns, "turns")
        same(self.drew_on, list(s.drew_on), "drew on")
        same(self.last_laid, list(s.last_laid), "last laid")
        same(self.shown, list(s.knows), "hands seen")
        if s.phase > 1:
            same(s.seat, referee.on_turn, "seat on turn")
            same(colour_on_top(s), referee.colour, "colour")
            if s.layer != uno.NOBODY:
                same((s.layer, bool(s.bluff)), (referee.challenged, referee.bluffed), "bluff")
        if self.players > 2:
            same(1 - 2 * s.backwards, referee.direction, "direction")
