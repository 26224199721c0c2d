"""The referee follows a match of the kernel, move by move, and both must agree on everything.

The referee (`tests/referee/uno.py`) is told the decks, the moves, and who forgets to call "UNO"; it
must find the same legal moves, the same state after every move and the same result. The decks are
drawn here from the random streams, card by card, apart from the kernel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from simcore import rng
from simcore.batch import Cell
from simcore.game import SEAT, get_game
from simcore.games.uno import table as uno
from simcore.games.uno.cards import (
    COLOURS,
    DECK,
    DECK_SIZE,
    DRAW_FOUR_NAMED,
    FACES,
    LARGEST_DECK,
    WILD,
    WILD_DRAW_FOUR,
    WILD_NAMED,
)
from simcore.games.uno.options import USUAL, copies_of
from simcore.games.uno.orders import is_left, is_left_of_many, kind_of_many
from simcore.records import MATCH_OVER, ROUND_OVER
from simcore.replay import Chooser, MatchEnd, Playback, RoundEnd, RoundStart, Step
from tests.agreement import same, same_in_play
from tests.referee.leads import comeback, last_lead_change
from tests.referee.uno import UnoReferee

UNO = get_game("uno")
FACE_NAMES = (*(str(number) for number in range(10)), "draw two", "reverse", "skip")
KIND_NAMES = (
    *(f"{colour} {face}" for colour in COLOURS for face in FACE_NAMES),
    "wild",
    "wild draw four",
)
KINDS = {name: kind for kind, name in enumerate(KIND_NAMES)}
PHASES = {**uno.PHASES, MATCH_OVER: "MATCH_OVER"}
assert len(FACE_NAMES) == FACES


@lru_cache(maxsize=1 << 16)
def named(cards: int, doubles: int, pairs: int = 0) -> dict[str, int]:
    """Count a card set by names."""
    counts: dict[str, int] = {}
    for kind, name in enumerate(KIND_NAMES):
        bits = (cards >> kind & 1) + (doubles >> kind & 1) + 2 * (pairs >> kind & 1)
        if kind >= WILD:
            bits += (doubles >> kind + 2 & 1) + (doubles >> kind + 4 & 1)
            bits += 2 * (pairs >> kind + 2 & 1)
        if bits:
            counts[name] = bits
    return counts


def hand_of(seat: Any) -> dict[str, int]:
    """Count the cards that a SEAT record holds by names."""
    return named(int(seat.hand), int(seat.doubles), int(seat.pairs))


def pile_of(table: Any) -> dict[str, int]:
    """Count the discards of a TABLE record by names."""
    return named(int(table.discards), int(table.discard_doubles), int(table.discard_pairs))


def numbers_left(table: Any, left: Sequence[int]) -> dict[int, int]:
    """Return the kinds of the cards in a stock that is a set of numbers, by number."""
    if table["order_size"] == DECK_SIZE:
        return {number: int(kind) for number, kind in enumerate(DECK) if is_left(number, *left[:2])}
    numbers = range(int(table["order_size"]))
    return {
        number: int(kind_of_many(number)) for number in numbers if is_left_of_many(number, left)
    }


def card_on_top(top: int) -> str:
    """Name the card on the discard pile."""
    if top >= WILD_NAMED:
        top = WILD_DRAW_FOUR if top >= DRAW_FOUR_NAMED else WILD
    return KIND_NAMES[top]


def colour_on_top(top: int) -> str | None:
    """Name the colour asked for; None as long as a wild card has none."""
    if top < WILD:
        return COLOURS[top // FACES]
    return COLOURS[top & 3] if top >= WILD_NAMED else None


def open_stream(seed: int, match: int, number: int, purpose: int) -> Any:
    """Return the start of a random stream of a round."""
    stream = np.zeros(2, dtype=np.uint64)
    key = np.uint64(rng.match_key(np.uint64(seed), match))
    rng.open_stream(stream, np.uint64(seed), key, number, purpose)
    return stream


class Deck:
    """Cards drawn one at a time from what is left, from the round's deal stream."""

    def __init__(self, stream: Any, cards: list[str]) -> None:
        self.stream = stream
        self.deck = sorted(KINDS[name] for name in cards)
        self.copies = Counter(self.deck)
        self.cards = list(self.deck)

    def draw(self) -> int:
        place = int(rng.below(self.stream, len(self.cards)))
        kind = self.cards[place]
        self.cards[place] = self.cards[-1]
        self.cards.pop()
        return kind

    def redraw(self, kind: int) -> int:
        """Put a card just drawn back and draw another."""
        self.cards.append(kind)
        return self.draw()

    def all(self) -> list[str]:
        return [KIND_NAMES[self.draw()] for _ in range(len(self.cards))]

    def refill(self, cards: list[str]) -> list[str]:
        """Draw all of other cards, which lie as the kernel puts them before they are shuffled."""
        counts = Counter(KINDS[name] for name in cards)
        coloured = sorted(kind for kind in counts if kind < WILD)
        # First one card of the kinds of which nobody holds any, then of those of which nobody
        # holds more than one, and so on.
        self.cards = [
            kind
            for held in range(max(self.copies.values()))
            for kind in coloured
            if self.copies[kind] > held >= self.copies[kind] - counts[kind]
        ]
        self.cards += [WILD] * counts[WILD] + [WILD_DRAW_FOUR] * counts[WILD_DRAW_FOUR]
        return self.all()


class OwnOrders(UnoReferee):
    """A referee whose seats draw each along a permutation of the deck.

    The permutations come from the random streams, apart from the kernel. Of two equal cards with a
    colour the second is in the stock when there is one; wild cards have their lowest numbers.
    """

    def __init__(self, cell: Cell, match: int, *args: Any) -> None:
        super().__init__(*args)
        self.key = cell.seed, match
        self.orders: dict[int, list[int]] = {}
        self.numbers: dict[int, str] | None = None
        self.copies = copies_of(cell.options)
        pairs = zip(self.copies, copies_of(USUAL), strict=True)
        self.usual = all(count <= most for count, most in pairs)
        self.renewals = 0

    def start_round(self, deck: Sequence[str]) -> None:
        self.renewals = 0
        self.numbers = None
        super().start_round(deck)

    def order(self, seat: int) -> list[int]:
        """Return a seat's order: numbers of cards as they first appear in its stream."""
        if seat not in self.orders:
            key = self.metrics["rounds"] + 1 + (self.renewals << 32)
            stream = open_stream(*self.key, key, rng.FIRST_SEAT_DRAWS + seat)
            found: dict[int, None] = {}
            size = DECK_SIZE if self.usual else LARGEST_DECK
            while len(found) < size:
                found[int(rng.below(stream, size))] = None
            self.orders[seat] = list(found)
        return self.orders[seat]

    def number_of(self, kind: int, copy: int) -> int:
        """Return the number of a card: of which kind, and the how manieth of it (from 0)."""
        if self.usual:
            return DECK.tolist().index(kind) + copy
        place = kind if kind < WILD else WILD + 2 * (kind - WILD) + copy // 4
        return place + LARGEST_DECK // 4 * (copy % 4)

    def _number_cards(self) -> None:
        counts = Counter(self.stock)
        self.orders = {}
        self.numbers = {}
        for kind, name in enumerate(KIND_NAMES):
            copies = range(counts[name])
            if kind < WILD:
                copies = range(self.copies[kind] - counts[name], self.copies[kind])
            self.numbers |= {self.number_of(kind, copy): name for copy in copies}

    def _draw(self, seat: int, count: int) -> int:
        if count:
            self.drew[seat] += 0
        return sum(self._draw_one(seat) for _ in range(count))

    def _draw_one(self, seat: int) -> int:
        if self.numbers is None:
            self._number_cards()
        if not self.stock:
            self.renewals += 1  # Even if there is no card, and nobody draws along it.
            if self._renew_stock():
                self._number_cards()
        if self.stock:
            number = next(one for one in self.order(seat) if one in self.numbers)
            place = self.stock.index(self.numbers.pop(number))
            self.stock.insert(0, self.stock.pop(place))
        return super()._draw(seat, 1) if self.stock else 0


class Look:
    """What a state holds, as plain numbers and lists (a record's fields are slow to read)."""

    def __init__(self, state: Any) -> None:
        table, box = np.asarray(state.table), np.asarray(state.box)
        self.phase, self.seat = int(table["phase"]), int(table["seat"])
        self.top, self.turns = int(table["top"]), int(table["turns"])
        self.reversals, self.layer = int(table["reversals"]), int(table["layer"])
        self.size, self.loose = int(table["stock_size"]), int(box["loose"])
        self.cards = table["cards"].tolist()
        self.discards = pile_of(state.table)
        self.drew_on, self.last_laid = table["drew_on"].tolist(), table["last_laid"].tolist()
        self.stock = box["stock"].tolist()[: self.size]
        if box["coupling"] == uno.BY_SEAT:
            assert self.loose == self.size
            self.stock = list(numbers_left(table, box["left"].tolist()).values())
        seats = box["seats"]
        words = [seats[word].tolist() for word in ("hand", "doubles", "pairs")]
        self.hands = [named(*hand) for hand in zip(*words, strict=True)]
        self.shown = seats["shown_seat"].tolist()
        self.shown_hands = seats["shown_hand"].tolist()
        self.shown_doubles = seats["shown_doubles"].tolist()
        self.shown_pairs = seats["shown_pairs"].tolist()
        self.bluff = int(box["bluff"])
        self.evidence = int(table["colour_before"]), int(table["laid_before"])


def translate(phase: int, moves: tuple[int, ...]) -> list[tuple[Any, ...]]:
    """Say legal moves of the kernel in the referee's terms, in their order."""
    if phase == uno.COLOUR:
        return [("colour", COLOURS[move]) for move in moves]
    if phase == uno.CHALLENGE:
        return [({uno.ACCEPT: "accept", uno.DOUBT: "challenge"}[move],) for move in moves]
    if phase == uno.SWAP:
        return [("swap", move) for move in moves]
    words = {uno.DRAW: ("draw",), uno.KEEP: ("decline",) if phase == uno.JUMP else ("keep",)}
    return [words.get(move) or ("play", KIND_NAMES[move]) for move in moves]


class Follower:
    """One match of the kernel with the referee beside it.

    Attributes
    ----------
    referee : UnoReferee
    row : dict
        The columns of the match once `run` is through.
    opened : list of str
        Cards turned up at the start, those put back included.
    """

    def __init__(
        self, cell: Cell, match: int, *, rotation: int = 0, choose: Chooser | None = None
    ) -> None:
        self.cell, self.match = cell, match
        self.players = cell.players
        self.playback = Playback(cell, match, rotation=rotation, choose=choose)
        self.referee: UnoReferee
        self.deck: Deck
        forget = cell.options["forget_uno"]
        self.forget = forget if isinstance(forget, list) else [forget] * self.players
        self.opened: list[str] = []
        self.decisions = self.forced = 0

    def run(self) -> Follower:
        for event in self.playback:
            match event:
                case RoundStart():
                    self.start_round(event)
                case Step():
                    self.follow(event)
                case RoundEnd():
                    table = event.after.table
                    same(table.scores[: self.players].tolist(), self.referee.totals, "totals")
                    leaders = {seat for seat in range(self.players) if table.leaders >> seat & 1}
                    same(leaders, self.referee.leaders, "leaders")
                case MatchEnd():
                    self.compare_result()
        return self

    def start_round(self, start: RoundStart) -> None:
        table = start.table
        number = int(table.round_number)
        if number == 1:
            told = self.cell.options, int(table.dealer), self.shuffled
            if self.cell.coupling == SEAT:
                self.referee = OwnOrders(self.cell, self.match, *told)
            else:
                self.referee = UnoReferee(*told)
        self.stream = open_stream(self.cell.seed, self.match, number, rng.DEAL)
        self.chance = open_stream(self.cell.seed, self.match, number, rng.CHANCE)
        self.referee.start_round(self.deal())
        same(int(table.dealer), self.referee.dealer, "dealer")
        same(int(table.first_seat), self.referee.first_seat, "first seat")
        self.drew_on = [uno.NEVER] * self.players
        self.last_laid = [uno.NEVER] * self.players
        self.shown = [uno.NOBODY] * self.players
        self.look = Look(start)
        self.compare_state(self.look)

    def deal(self) -> list[str]:
        """Return the whole deck in the order in which the referee deals it."""
        options = self.referee.options
        self.deck = Deck(self.stream, options.deck())
        hand = options.hand_size
        dealt = [self.deck.draw() for _ in range(hand * self.players)]
        # The kernel deals a hand at a time, the referee a card.
        singly = [dealt[hand * step + card] for card in range(hand) for step in range(self.players)]
        first = self.deck.draw()
        self.opened.append(KIND_NAMES[first])
        if first != WILD_DRAW_FOUR:
            rest = self.deck.all()
        else:
            rest = [KIND_NAMES[kind] for kind in self.deck.cards]
        return [KIND_NAMES[kind] for kind in [*singly, first]] + rest

    def shuffled(self, cards: list[str]) -> list[str]:
        """Return cards in the order in which the kernel will draw them."""
        if self.referee.discards:
            return self.deck.refill(cards)
        if len(cards) == len(self.deck.deck):
            return self.deal()
        kind = self.deck.redraw(WILD_DRAW_FOUR)
        self.opened.append(KIND_NAMES[kind])
        if kind == WILD_DRAW_FOUR:
            return [KIND_NAMES[kind], *(KIND_NAMES[other] for other in self.deck.cards)]
        return [KIND_NAMES[kind], *self.deck.all()]

    def follow(self, step: Step) -> None:
        referee = self.referee
        before, self.look = self.look, Look(step.after)
        after = self.look
        self.decisions += len(step.moves) > 1
        self.forced += len(step.moves) == 1
        moves = translate(before.phase, step.moves)
        same(list(step.moves), sorted(set(step.moves)), "order of moves")
        same(sorted(moves), sorted(referee.legal_moves()), "legal moves")
        move = moves[step.moves.index(step.move)]
        forgets = noticed = False
        if referee.calls_uno(move) and self.forget[before.seat] > 0:
            forgets = bool(rng.uniform(self.chance) < self.forget[before.seat])
            noticed = forgets and bool(rng.uniform(self.chance) < self.cell.options["notice_uno"])
        doubted = referee.challenged if move == ("challenge",) else None
        if doubted is not None:
            shown = step.box.seats[doubted]
            same(after.shown_hands[before.seat], int(shown.hand), "hand shown")
            same(after.shown_doubles[before.seat], int(shown.doubles), "doubles shown")
            same(after.shown_pairs[before.seat], int(shown.pairs), "pairs shown")
            self.shown[before.seat] = doubted
        referee.apply(move, forgets=forgets, noticed=noticed)
        self.note_history(before, move)
        self.compare_state(after)

    def note_history(self, before: Look, move: tuple[Any, ...]) -> None:
        """Note what everybody sees of a move: cards laid, and cards drawn by choice or by force."""
        seat, drew = before.seat, set(self.referee.drew)
        if move[0] == "play":
            if KINDS[move[1]] == WILD_DRAW_FOUR and before.phase != uno.STACK:
                colour = COLOURS.index(colour_on_top(before.top) or "")
                same(self.look.evidence, (colour, self.last_laid[seat]), "evidence")
            self.last_laid[seat] = KINDS[move[1]]
        elif before.phase == uno.PLAY:
            if self.referee.drew[seat]:
                self.drew_on[seat] = before.top
            drew.discard(seat)
        for other in drew:
            self.drew_on[other] = uno.NEVER
        givers = self.givers_of(before, move)
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

    def givers_of(self, before: Look, move: tuple[Any, ...]) -> list[int]:
        """Return whose hand each seat holds since a move, or nothing."""
        seat, seats = before.seat, list(range(self.players))
        face = ""
        if self.cell.options["seven_zero"] and move[0] == "play" and before.cards[seat] > 1:
            face = move[1][-1]
        if move[0] == "swap" or (face == "7" and self.players == 2):
            other = move[1] if move[0] == "swap" else 1 - seat
            seats[seat], seats[other] = other, seat
            return seats
        if face == "0":
            return [(one - self.referee.direction) % self.players for one in seats]
        return []

    def compare_state(self, look: Look) -> None:
        referee = self.referee
        if look.phase == ROUND_OVER:  # The referee has scored already.
            assert referee.phase in {"START", "MATCH_OVER"}
        else:
            same(PHASES[look.phase], referee.phase, "phase")
        for seat in range(self.players):
            same(look.hands[seat], dict(Counter(referee.hands[seat])), "hand", seat)
            same(look.cards[seat], len(referee.hands[seat]), "card count", seat)
        assert look.loose <= look.size
        same(Counter(KIND_NAMES[kind] for kind in look.stock), Counter(referee.stock), "stock")
        ordered = [KIND_NAMES[kind] for kind in look.stock[look.loose :]][::-1]
        same(ordered, referee.stock[: len(ordered)], "order of the stock")
        same(look.discards, dict(Counter(referee.discards)), "discard pile")
        everywhere = sum(look.cards[: self.players]) + look.size + sum(look.discards.values())
        assert everywhere == len(self.deck.deck)
        same(card_on_top(look.top), referee.discards[-1], "top card")
        same(look.turns, referee.round_turns, "turns")
        same(self.drew_on, look.drew_on[: self.players], "drew on")
        same(self.last_laid, look.last_laid[: self.players], "last laid")
        same(self.shown, look.shown[: self.players], "hands shown")
        if look.phase in uno.PHASES:
            same(look.seat, referee.on_turn, "seat on turn")
            same(colour_on_top(look.top), referee.colour, "colour")
            if look.layer != uno.NOBODY:
                same((look.layer, bool(look.bluff)), (referee.challenged, referee.bluffed), "bluff")
        if self.players > 2:
            same(1 - 2 * (look.reversals & 1), referee.direction, "direction")

    def compare_result(self) -> None:
        referee = self.referee
        same(referee.phase, "MATCH_OVER", "phase")
        self.row = self.playback.row()
        same(bool(self.row["aborted"]), referee.aborted, "aborted")
        winners = {seat for seat in range(self.players) if self.row["winners"] >> seat & 1}
        same(winners, referee.winners, "winners")
        scores = [self.row[f"score_{seat}"] for seat in range(self.players)]
        same(scores, referee.totals, "scores")
        counted = UNO.metric_names
        metrics = {name: referee.metrics[name] for name in counted}
        same({name: self.row[name] for name in counted}, metrics, "metrics")
        same_in_play(UNO, self.row, referee.in_play)
        same(self.row["decisions"], self.decisions, "decisions")
        same(self.row["forced"], self.forced, "forced moves")
        lowest = referee.options.scoring == "own_cards"
        same(self.row["comeback"], comeback(referee.history, winners, lowest=lowest), "comeback")
        same(
            self.row["last_lead_change"],
            last_lead_change(referee.history, lowest=lowest),
            "last lead change",
        )
