"""dnup followed by its referee, which is given the deal and the moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, islice
from typing import Any

from simcore.catalogue import get_game
from simcore.compiler.state import MATCH_OVER, ROUND_OVER
from simcore.events import PASS, Step
from simcore.games.dnup import rules as dnup
from simcore.games.dnup.charts import size_of, value_of
from simcore.games.dnup.deck import DECK_SIZE, SYMBOLS, Card, load_deck
from tests.agreement import same
from tests.games import following
from tests.referee.dnup import DnupReferee

DNUP = get_game("dnup")
PHASES = {int(dnup.ACTION): "ACTION", int(dnup.PICK): "PICK"}


def bits(cards: int) -> list[int]:
    """The numbers of the cards of a card set."""
    return [card for card in range(DECK_SIZE) if int(cards) >> card & 1]


def names_of(deck: tuple[Card, ...]) -> list[str]:
    """Name the cards of a deck by number, as the referee does: "1/5*", "1/9'"."""
    names: list[str] = []
    for card in deck:
        name = f"{card.low}/{card.high}" + "*" * card.star
        while name in names:
            name += "'"
        names.append(name)
    return names


def rows_of(deck: tuple[Card, ...]) -> list[tuple[int, int, str, bool]]:
    """Say a deck in the referee's terms."""
    return [(card.low, card.high, SYMBOLS[card.players - 2], card.star) for card in deck]


def plain(names: Iterable[str]) -> list[str]:
    """Name cards without telling copies apart."""
    return [name.rstrip("'") for name in names]


class Follower(following.Follower):
    game = DNUP

    def prepare(self) -> None:
        options = self.cell.options
        self.deck = load_deck(str(options["deck"]))
        self.names = names_of(self.deck)
        # When all cards are alike nobody chooses which one goes: copies count as the same.
        self.plain = plain(self.names)
        is_file = options["deck"] not in {"a", "c"}
        self.referee = DnupReferee(options, rows_of(self.deck) if is_file else None)
        same(sorted(self.names), sorted(self.referee.names), "deck")

    def held(self, s: Any, seat: int) -> dict[str, int]:
        """The cards of a hand by name, with the active values."""
        return {
            self.names[card]: self.deck[card].high if card in s.flipped else self.deck[card].low
            for card in s.hand[seat]
        }

    def start_round(self, s: Any) -> None:
        self.referee.start_round(
            [
                [(self.names[card], card not in s.flipped) for card in s.hand[seat]]
                for seat in range(self.players)
            ]
        )
        same(s.first_seat, self.referee.first_seat, "first seat")
        self.known: list[dict[str, int]] = [{} for _ in range(self.players)]
        self.compare_state(s)

    def follow(self, step: Step) -> None:
        """Compare what may be done, or picked, and once an action is done all that has changed."""
        referee, s, moves = self.referee, step.s, list(step.moves)
        same(moves, sorted(set(moves)), "order of moves")
        legal = referee.legal_moves()
        if s.phase == dnup.ACTION:
            self.before = s
            actions = [self.say(s, move) for move in moves]
            same(actions, legal, "legal moves")
            self.action = None if step.move == PASS else actions[moves.index(step.move)]
            if self.action is None:
                referee.pass_turn()
            else:
                referee.apply(self.action)
            same(step.after.s.phase, int(dnup.PICK), "phase")
            return
        if moves:
            same(referee.phase, "PICK", "phase")
            cards = [self.picked(s, move) for move in moves]
            held = [tuple(sorted(plain(move[1]))) for move in legal]
            picks = [tuple(sorted(plain(names))) for names in cards]
            same(Counter(picks), Counter(held), "picks")
            same(len(set(cards)), len(cards), "picks")
            referee.apply(legal[held.index(picks[moves.index(step.move)])])
        self.compare_state(step.after.s)
        turned = self.action == ("turn",)
        self.compare_known(self.before, step.after.s, step.seat, turned=turned)

    def picked(self, s: Any, rank: int) -> tuple[str, ...]:
        """Name the cards of a pick."""
        value, count = dnup.cards_needed(s.pending)
        cards = [card for card in s.hand[s.seat] if self.held(s, s.seat)[self.names[card]] == value]
        chosen = next(islice(combinations(cards, count), rank, None))
        return tuple(self.names[card] for card in chosen)

    def say(self, s: Any, move: int) -> tuple[Any, ...]:
        """Say a legal action of the rules in the referee's terms."""
        if move == dnup.TURN:
            return ("turn",)
        if move < dnup.TURN:
            return ("play", value_of(move), size_of(move))
        verb, shape = ("take", move - dnup.TAKE) if move >= dnup.TAKE else ("add", move - dnup.ADD)
        sizes = [len(cards) for cards in s.lying]
        place = sizes.index(size_of(shape))
        same(self.value(s, place), value_of(shape), "value of a target")
        return (verb, *self.seat_and_area(place))

    def value(self, s: Any, place: int) -> int:
        """The value of the set at a place."""
        return value_of(int(s.shape[place]).bit_length() - 1)

    def seat_and_area(self, place: int) -> tuple[int, int]:
        return (place // 2, place % 2 + 1) if self.players == 2 else (place, 1)

    def compare_state(self, s: Any) -> None:
        referee = self.referee
        for seat in range(self.players):
            cards = sorted((plain([card.name])[0], card.active) for card in referee.hands[seat])
            held = self.held(s, seat)
            hand = sorted((plain([name])[0], active) for name, active in held.items())
            same(hand, cards, "hand", seat)
        sets = {
            self.seat_and_area(place): (
                sorted(self.plain[card] for card in cards),
                self.value(s, place),
            )
            for place, cards in enumerate(s.lying)
            if cards
        }
        lying = {
            place: (sorted(plain([card.name for card in cards])), referee.set_value(place))
            for place, cards in referee.tables.items()
        }
        same(sets, lying, "sets on the table")
        for cards, shape in zip(s.lying, s.shape, strict=True):
            same(bool(cards), bool(shape), "shape of a set")
            if cards:
                same(size_of(shape.bit_length() - 1), min(len(cards), 7), "size of a set")
        discards = [self.plain[card] for card in s.discards]
        same(sorted(discards), sorted(plain(referee.discards)), "discards")
        same(referee.card_count(), len(referee.in_play), "all cards")
        same(s.turns, referee.round_turns, "turns")
        if s.phase in PHASES:
            same(PHASES[s.phase], referee.phase, "phase")
            same(self.seat_and_area(s.place), (referee.on_turn, referee.area), "place on turn")
            same(s.seat, referee.on_turn, "seat on turn")
            same(list(s.scores), referee.totals, "totals")
            out = None if s.first_out == dnup.NOBODY else s.first_out
            same(out, referee.out, "first out")
        elif s.phase == ROUND_OVER:
            assert referee.phase in {"START", "MATCH_OVER"}
        else:
            assert s.phase == MATCH_OVER
            same(referee.phase, "MATCH_OVER", "phase")

    def compare_known(self, before: Any, after: Any, mover: int, *, turned: bool) -> None:
        """Everybody knows the cards that went to a hand from the table, and which side is up."""
        for seat in range(self.players):
            old, new, known = self.held(before, seat), self.held(after, seat), self.known[seat]
            if turned and seat == mover:
                known = {name: new[name] for name in known}
            known = {name: new[name] for name in known if name in new}
            known |= {name: new[name] for name in new if name not in old}
            self.known[seat] = known
            same({self.names[card] for card in after.known[seat]}, set(known), "known cards", seat)
