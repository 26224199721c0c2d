"""The referee follows a match of the kernel, move by move, and both must agree on everything.

The referee (`tests/referee/dnup.py`) is told the deal and the moves; it must find the same legal
moves, the same state after every move and the same result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from simcore.batch import Cell
from simcore.game import get_game
from simcore.games.dnup import table as dnup
from simcore.games.dnup.cards import LARGE, subset
from simcore.games.dnup.deck import DECK_SIZE, SYMBOLS, VALUES, Card, load_deck
from simcore.records import MATCH_OVER, ROUND_OVER
from simcore.replay import PASS, Chooser, MatchEnd, Playback, RoundEnd, RoundStart, Step
from tests.agreement import same, same_in_play
from tests.referee.dnup import DnupReferee
from tests.referee.leads import comeback, last_lead_change

DNUP = get_game("dnup")


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


TABLE_NUMBERS = (
    *("phase", "seat", "place", "turns", "first_out", "last_out", "discards", "leaders"),
    *("laid", "pending", "known_down"),
)
TABLE_LISTS = (*("set_cards", "set_value", "set_bit", "cards", "scores", "known"),)


class Look:
    """What a state holds, as plain numbers and lists (a record's fields are slow to read)."""

    def __init__(self, state: Any) -> None:
        table, box = np.asarray(state.table), np.asarray(state.box)
        for name in TABLE_NUMBERS:
            setattr(self, name, int(table[name]))
        for name in TABLE_LISTS:
            setattr(self, name, table[name].tolist())
        seats = box["seats"]
        self.up, self.down = seats["up"].tolist(), seats["down"].tolist()
        self.active, self.turned = seats["active"].tolist(), seats["turned"].tolist()

    def __getattr__(self, name: str) -> Any:
        """Only for type checkers: fields are set above."""
        raise AttributeError(name)


class Follower:
    """One match of the kernel with the referee beside it.

    Attributes
    ----------
    referee : DnupReferee
    row : dict
        The columns of the match once `run` is through.
    """

    def __init__(
        self, cell: Cell, match: int, *, rotation: int = 0, choose: Chooser | None = None
    ) -> None:
        self.players = cell.players
        self.playback = Playback(cell, match, rotation=rotation, choose=choose)
        self.deck = load_deck(str(cell.options["deck"]))
        self.names = names_of(self.deck)
        # When all cards are alike nobody chooses which one goes: copies count as the same.
        self.plain = [name.rstrip("'") for name in self.names]
        own = cell.options["deck"] not in {"a", "c"}
        self.referee = DnupReferee(cell.options, rows_of(self.deck) if own else None)
        same(sorted(self.names), sorted(self.referee.names), "deck")
        self.decisions = 0
        self.forced = 0

    def run(self) -> Follower:
        for event in self.playback:
            match event:
                case RoundStart():
                    self.start_round(event)
                case Step():
                    self.follow(event)
                case RoundEnd():
                    self.compare_totals(event.after.table)
                case MatchEnd():
                    self.compare_result()
        return self

    def held(self, look: Look, seat: int) -> dict[str, int]:
        """The cards of a hand by name, with the active values."""
        cards = {self.names[card]: self.deck[card].low for card in bits(look.up[seat])}
        return cards | {self.names[card]: self.deck[card].high for card in bits(look.down[seat])}

    def start_round(self, start: RoundStart) -> None:
        self.look = Look(start)
        hands = [
            [(self.names[card], True) for card in bits(self.look.up[seat])]
            + [(self.names[card], False) for card in bits(self.look.down[seat])]
            for seat in range(self.players)
        ]
        self.referee.start_round(hands)
        same(int(start.table.first_seat), self.referee.first_seat, "first seat")
        self.known: list[dict[str, int]] = [{} for _ in range(self.players)]
        self.compare_state(self.look)

    def follow(self, step: Step) -> None:
        referee = self.referee
        self.decisions += len(step.moves) > 1
        self.forced += len(step.moves) == 1
        same(list(step.moves), sorted(set(step.moves)), "order of moves")
        before, self.look = self.look, Look(step.after)
        said = [self.say(before, move, step) for move in step.moves]
        legal = referee.legal_moves()
        if before.phase == dnup.PICK:
            found = [tuple(sorted(plain(move[1]))) for move in legal]
            picks = [tuple(sorted(plain(move[1]))) for move in said]
            same(Counter(picks), Counter(found), "picks")
            same(len({move[1] for move in said}), len(said), "picks")
            chosen = legal[found.index(picks[step.moves.index(step.move)])]
        else:
            same(said, legal, "legal moves")
            chosen = None if step.move == PASS else said[step.moves.index(step.move)]
        if chosen is None:
            referee.pass_turn()
        else:
            referee.apply(chosen)
        self.compare_state(self.look)
        self.compare_known(before, self.look, step.seat, turned=chosen == ("turn",))

    def say(self, look: Look, move: int, step: Step) -> tuple[Any, ...]:
        """Say a legal move of the kernel in the referee's terms."""
        if look.phase == dnup.PICK:
            seat = step.box.seats[step.seat]
            cards = int(seat.pick_cards)
            chosen = subset(cards, cards.bit_count(), int(seat.pick_count), move)
            return ("pick", tuple(self.names[card] for card in bits(chosen)))
        if move == dnup.TURN:
            return ("turn",)
        if move < dnup.TURN:
            return ("play", move % VALUES + 1, move // VALUES + 1)
        verb, what = ("take", move - dnup.TAKE) if move >= dnup.TAKE else ("add", move - dnup.ADD)
        sizes = [cards.bit_count() for cards in look.set_cards]
        place = sizes.index(what // VALUES + 1)
        same(look.set_value[place], what % VALUES + 1, "value of a target")
        return (verb, *self.seat_and_area(place))

    def seat_and_area(self, place: int) -> tuple[int, int]:
        return (place % 2, place // 2 + 1) if self.players == 2 else (place, 1)

    def compare_state(self, look: Look) -> None:
        referee = self.referee
        for seat in range(self.players):
            cards = sorted((plain([card.name])[0], card.active) for card in referee.hands[seat])
            held = self.held(look, seat)
            hand = sorted((plain([name])[0], active) for name, active in held.items())
            same(hand, cards, "hand", seat)
            same(look.cards[seat], len(cards), "card count", seat)
            values = Counter(card.active for card in referee.hands[seat])
            same(look.active[seat], chart(values), "chart", seat)
            others = Counter(card.other for card in referee.hands[seat])
            same(look.turned[seat], chart(others), "chart of the other side", seat)
        sets = {
            self.seat_and_area(place): (
                sorted(self.plain[card] for card in bits(cards)),
                look.set_value[place],
            )
            for place, cards in enumerate(look.set_cards)
            if cards
        }
        lying = {
            place: (sorted(plain([card.name for card in cards])), referee.set_value(place))
            for place, cards in referee.tables.items()
        }
        same(sets, lying, "sets on the table")
        self.compare_charts(look)
        discards = [self.plain[card] for card in bits(look.discards)]
        same(sorted(discards), sorted(plain(referee.discards)), "discards")
        same(referee.card_count(), len(referee.in_play), "all cards")
        same(look.turns, referee.round_turns, "turns")
        if look.phase in dnup.PHASES:
            same(dnup.PHASES[look.phase], referee.phase, "phase")
            same(self.seat_and_area(look.place), (referee.on_turn, referee.area), "place on turn")
            same(look.seat, referee.on_turn, "seat on turn")
            same(look.scores[: self.players], referee.totals, "totals")
            out = None if look.first_out == dnup.NO_PLACE else look.first_out
            same(out, referee.out, "first out")
        elif look.phase == ROUND_OVER:
            assert referee.phase in {"START", "MATCH_OVER"}
        else:
            assert look.phase == MATCH_OVER
            same(referee.phase, "MATCH_OVER", "phase")

    def compare_charts(self, look: Look) -> None:
        """The words that name all sets at once agree with the sets."""
        laid = 0
        for cards, value, bit in zip(look.set_cards, look.set_value, look.set_bit, strict=True):
            size = cards.bit_count()
            own = 1 << VALUES * (size - 1) + value - 1 if 0 < size < LARGE else 0
            same(bit, own, "bit of a set")
            laid |= own or (1 << VALUES * (LARGE - 1) if size >= LARGE else 0)
        same(look.laid, laid, "chart of the table")

    def compare_known(self, before: Look, after: Look, mover: int, *, turned: bool) -> None:
        """Everybody knows the cards that went to a hand from the table, and which side is up."""
        for seat in range(self.players):
            old, new, known = self.held(before, seat), self.held(after, seat), self.known[seat]
            if turned and seat == mover:
                known = {name: new[name] for name in known}
            known = {name: new[name] for name in known if name in new}
            known |= {name: new[name] for name in new if name not in old}
            self.known[seat] = known
            down = after.known[seat] & after.known_down
            up = after.known[seat] ^ down
            same(up & ~after.up[seat] | down & ~after.down[seat], 0, "known cards", seat)
            kernel = {self.names[card] for card in bits(up | down)}
            same(kernel, set(known), "known cards", seat)

    def compare_totals(self, table: Any) -> None:
        same(table.scores[: self.players].tolist(), self.referee.totals, "totals")
        leaders = {seat for seat in range(self.players) if table.leaders >> seat & 1}
        same(leaders, self.referee.leaders, "leaders")

    def compare_result(self) -> None:
        referee = self.referee
        same(referee.phase, "MATCH_OVER", "phase")
        self.row = self.playback.row()
        same(bool(self.row["aborted"]), referee.aborted, "aborted")
        winners = {seat for seat in range(self.players) if self.row["winners"] >> seat & 1}
        same(winners, referee.winners, "winners")
        scores = [self.row[f"score_{seat}"] for seat in range(self.players)]
        same(scores, referee.totals, "scores")
        metrics = {name: referee.metrics[name] for name in DNUP.metric_names}
        same({name: self.row[name] for name in metrics}, metrics, "metrics")
        same_in_play(DNUP, self.row, referee.came_into_play)
        same(self.row["decisions"], self.decisions, "decisions")
        same(self.row["forced"], self.forced, "forced moves")
        same(self.row["comeback"], comeback(referee.history, winners), "comeback")
        since = last_lead_change(referee.history)
        same(self.row["last_lead_change"], since, "last lead change")


def chart(values: Counter[int]) -> int:
    """The chart of so many cards of each value, written out."""
    return sum(
        1 << (VALUES * (size - 1) + value - 1)
        for value, count in values.items()
        for size in range(1, min(count, LARGE) + 1)
    )
