"""The referee follows a match of the kernel, move by move, and both must agree on everything.

The referee (`tests/referee/up.py`) is told the pack, the moves, and who forgets an announcement; it
must find the same legal moves, the same state after every move and the same result.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from simcore import rng
from simcore.batch import Cell
from simcore.game import get_game
from simcore.games.up import table as up
from simcore.games.up.cards import USUAL_DECK, Deck
from simcore.records import ROUND_OVER
from simcore.replay import PASS, Chooser, MatchEnd, Playback, RoundEnd, RoundStart, Step
from tests.agreement import same, same_in_play
from tests.referee.leads import comeback, last_lead_change
from tests.referee.up import UpReferee
from tests.referee.up_options import CLEAR, MINUS_TWO, NUMBERS

UP = get_game("up")
PHASES = {up.CUT: "CUT", up.DECLARE: "DECLARE", up.PLAY: "PLAY"}
KIND_NAMES = (CLEAR, *NUMBERS, MINUS_TWO)


def deck_of(table: Any, double: int | None = None) -> Deck:
    """Return which cards a TABLE has as special ones; with another double two if it is given."""
    in_force = int(table["double"]) if double is None else double
    return Deck(in_force, int(table["minus_twos"]), int(table["clears"]))


def name_of(card: int, deck: Deck = USUAL_DECK) -> str:
    """Name a card by its number."""
    name = KIND_NAMES[min((card & 63) >> 2, 12)]
    if card & 63 not in range(4, 48):
        name = MINUS_TWO if deck.minus_twos >> (card & 63) & 1 else CLEAR
    return "2" if deck.double and name == MINUS_TWO else name


@lru_cache(maxsize=1 << 16)
def named(deck: Deck, *words: int) -> dict[str, int]:
    """Count a card set by names."""
    counts: dict[str, int] = {}
    for word, bits in enumerate(words):
        for bit in range(64):
            if bits >> bit & 1:
                name = name_of(64 * word + bit, deck)
                counts[name] = counts.get(name, 0) + 1
    return counts


TABLE_NUMBERS = (
    *("phase", "seat", "cap", "double", "dirty", "plays", "first_turn", "lost_turn"),
    *("blind_finish", "dealer", "leaders"),
)
TABLE_LISTS = (
    *("cards", "hidden_cards", "scores", "tower", "cleared", "laid", "open_cards", "known_hand"),
)


class Look:
    """What a state holds, as plain numbers and lists (a record's fields are slow to read)."""

    def __init__(self, state: Any) -> None:
        table, box = np.asarray(state.table), np.asarray(state.box)
        for name in TABLE_NUMBERS:
            setattr(self, name, int(table[name]))
        for name in TABLE_LISTS:
            setattr(self, name, table[name].tolist())
        self.deck = deck_of(table)
        self.hand = box["seats"]["hand"].tolist()
        self.hidden = box["hidden"].tolist()
        self.collapses = int(table["metrics"][up.METRIC.collapses])
        self.chance = box["chance_rng"].tolist()

    def __getattr__(self, name: str) -> Any:
        """Only for type checkers: fields are set above."""
        raise AttributeError(name)


def counted(names: list[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return counts


def seats_in(mask: int, players: int) -> list[bool]:
    return [bool(mask >> seat & 1) for seat in range(players)]


def translate(phase: int, deck: Deck, moves: tuple[int, ...]) -> list[tuple[object, ...]]:
    """Say legal moves of the kernel in the referee's terms, in their order.

    Of a source and a kind the first move lays one card, the second two, and so on.
    """
    if phase == up.CUT:
        return [("cut", {up.KEEP: "keep", up.RETURN: "return"}[move]) for move in moves]
    if phase == up.DECLARE:
        words = {up.DIRTY: "dirty", up.DOUBLE: "double"}
        return [
            ("declare", frozenset(word for bit, word in words.items() if move & bit))
            for move in moves
        ]
    counts: dict[tuple[str, str], int] = {}
    said: list[tuple[object, ...]] = []
    for move in sorted(moves):
        if move == up.TURN_UP:
            said.append(("blind",))
            continue
        source = {up.HAND: "hand", up.OPEN: "open"}[move // up.SOURCE_STEP]
        card = name_of(move % up.SOURCE_STEP, deck)
        counts[source, card] = counts.get((source, card), 0) + 1
        said.append(("lay", source, card, counts[source, card]))
    return said


class Follower:
    """One match of the kernel with the referee beside it.

    Attributes
    ----------
    referee : UpReferee
    row : dict
        The columns of the match once `run` is through.
    """

    def __init__(
        self, cell: Cell, match: int, *, rotation: int = 0, choose: Chooser | None = None
    ) -> None:
        self.options = cell.options
        self.players = cell.players
        self.playback = Playback(cell, match, rotation=rotation, choose=choose)
        self.referee: UpReferee
        forget = cell.options["forget_last_card"]
        self.forget = forget if isinstance(forget, list) else [forget] * self.players
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

    def start_round(self, start: RoundStart) -> None:
        table, box = start.table, start.box
        if table.round_number == 1:
            self.referee = UpReferee(self.options, int(table.dealer))
            same(int(table.first_seat), (int(table.dealer) + 1) % self.players, "first seat")
        deck = deck_of(table, 0)
        self.referee.start_round([name_of(int(card), deck) for card in box.pack[: table.pack_size]])
        same(int(table.dealer), self.referee.dealer, "dealer")
        assert not table.known_hand.any()
        self.look = Look(start)
        self.compare_state(self.look)

    def follow(self, step: Step) -> None:
        referee = self.referee
        self.decisions += len(step.moves) > 1
        self.forced += len(step.moves) == 1
        if referee.aborted:
            # The kernel notices that nobody can lead when all have passed.
            same((step.move, step.moves), (PASS, ()), "moves when nobody can lead")
            return
        before, self.look = self.look, Look(step.after)
        moves = translate(before.phase, before.deck, step.moves)
        same(list(step.moves), sorted(set(step.moves)), "order of moves")
        same(set(moves), referee.legal_moves(), "legal moves")
        if step.move == PASS:
            referee.pass_lead()
        else:
            self.apply(before, moves[step.moves.index(step.move)])
        self.compare_state(self.look)
        if before.phase == up.PLAY:
            self.compare_known_hands(before, self.look)

    def apply(self, before: Look, move: tuple[object, ...]) -> None:
        referee = self.referee
        position = len(referee.hidden[before.seat]) - 1 if move == ("blind",) else None
        due = referee.calls_for_announcement(move, position)
        probability = self.forget[before.seat]
        stream = np.array(before.chance, dtype=np.uint64)
        forgets = due and probability > 0 and bool(rng.uniform(stream) < probability)
        drawn = before.chance != self.look.chance
        same(drawn, bool(due and probability > 0), "chance is drawn")
        referee.apply(move, position=position, forgets=forgets)

    def compare_state(self, look: Look) -> None:
        referee, double = self.referee, int(self.referee.double)
        deck = look.deck._replace(double=double)
        if look.phase not in {up.CUT, up.DECLARE}:
            same((look.double, look.dirty), (double, referee.dirty), "double two, dirty one")
        for seat in range(self.players):
            hidden = look.hidden[seat][: look.hidden_cards[seat]]
            same(named(deck, *look.hand[seat]), dict(referee.hands[seat]), "hand", seat)
            same(named(deck, *look.open_cards[seat]), dict(referee.open_cards[seat]), "open", seat)
            same([name_of(card, deck) for card in hidden], referee.hidden[seat], "hidden", seat)
            if look.phase != up.CUT:
                same(look.cards[seat], referee._cards_left(seat), "card count", seat)
        if not look.blind_finish:  # A "-2" that ends the round lies on no tower of the kernel.
            same(named(deck, *look.tower), counted(referee.tower), "tower")
        same(named(deck, *look.cleared), counted(referee.removed), "cards cleared away")
        same(referee.cards_in_play_count(), len(referee.full_pack()), "all cards")
        same(look.plays, referee.round_plays, "plays")
        if look.phase in PHASES and not referee.aborted:
            same(PHASES[look.phase], referee.phase, "phase")
            same(look.seat, referee.on_turn, "seat on turn")
            same(seats_in(look.first_turn, self.players), referee.first_turn, "first turns")
            same(seats_in(look.lost_turn, self.players), referee.lost_turn, "lost turns")
            if look.phase == up.PLAY:
                same(look.cap, referee.cap or 0, "cap")
        elif look.phase == ROUND_OVER:
            assert referee.phase in {"START", "MATCH_OVER"}

    def compare_known_hands(self, before: Look, after: Look) -> None:
        """Everybody knows the cards that a seat was seen to take up and still holds."""
        for seat in range(self.players):
            collapsed = seat == before.seat and after.collapses > before.collapses
            for word, hand in enumerate(after.hand[seat]):
                known = before.known_hand[seat][word] | (hand & ~before.hand[seat][word])
                if collapsed:
                    known |= after.laid[word]
                same(after.known_hand[seat][word], known & hand, "known hand", seat)

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
        metrics = {name: referee.metrics[name] for name in UP.metric_names}
        same({name: self.row[name] for name in metrics}, metrics, "metrics")
        same_in_play(UP, self.row, referee.came_into_play)
        same(self.row["decisions"], self.decisions, "decisions")
        same(self.row["forced"], self.forced, "forced moves")
        lowest = referee.options.scoring != "matches"
        same(self.row["comeback"], comeback(referee.history, winners, lowest=lowest), "comeback")
        same(
            self.row["last_lead_change"],
            last_lead_change(referee.history, lowest=lowest),
            "last lead change",
        )
