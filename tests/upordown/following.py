"""The referee follows a match of the kernel, move by move, and both must agree on everything.

The referee (`tests/referee/upordown.py`) is told the start player, the cards as dealt and the
moves; it must find the same legal moves, the same state after every move and the same result.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simcore.batch import Cell
from simcore.game import get_game
from simcore.games.upordown import table as uod
from simcore.games.upordown.colours import load_colours
from simcore.records import FIRST_PHASE, MATCH_OVER, ROUND_OVER
from simcore.replay import Chooser, MatchEnd, Playback, RoundEnd, RoundStart, Step
from tests.referee.upordown import ASCENDING, METRICS, UpOrDownReferee

UPORDOWN = get_game("upordown")
SIDES = {uod.LOWER_SIDE: "lower", uod.UPPER_SIDE: "upper"}
PILES = {uod.FACE_UP: "face_up", uod.FACE_DOWN: "face_down"}
NO_CARD = 127
WORD_CARDS = 63


def cards_of_row(row: int, most: int = 7) -> list[int]:
    """List the cards of a row."""
    cards = [row >> (8 * place) & 255 for place in range(most)]
    return [card for card in cards if card != NO_CARD]


def cards_of_set(words: Any) -> list[int]:
    """List the cards of a card set."""
    return [
        WORD_CARDS * word + bit + 1
        for word, bits in enumerate(words)
        for bit in range(WORD_CARDS)
        if int(bits) >> bit & 1
    ]


def translate(phase: int, move: int) -> tuple[object, ...]:
    """Say a move of the kernel in the referee's terms."""
    if phase == uod.CARD:
        return ("card", move)
    if phase == uod.TAKE:
        return ("take", SIDES[move])
    if phase == uod.DRAW:
        return ("draw", PILES[move])
    if move < uod.NEW_COLUMN:
        assert move % 8 == 7
        return ("append", move // 8)
    return ("new",) if move == uod.NEW_COLUMN else ("give_up", move - uod.GIVE_UP)


def same(kernel: Any, referee: Any, what: str, seat: int | None = None) -> None:
    if kernel != referee:
        place = "" if seat is None else f" of seat {seat}"
        pytest.fail(f"{what}{place}: kernel {kernel!r}, referee {referee!r}")


class Look:
    """What a state holds, as plain numbers and lists (a record's fields are slow to read)."""

    def __init__(self, state: Any) -> None:
        table, box = np.asarray(state.table), np.asarray(state.box)
        self.phase, self.seat = int(table["phase"]), int(table["seat"])
        self.circle = cards_of_row(int(table["circle"]), uod.CIRCLE_CARDS)
        self.laid_card, self.taken_card = int(table["laid_card"]), int(table["taken_card"])
        self.face_up_card = int(table["face_up_card"])
        self.turns_left = int(table["turns_left"])
        self.laid = cards_of_set(table["laid"])
        self.known = [cards_of_set(words) for words in table["known_hand"].tolist()]
        self.hands = [cards_of_row(row) for row in box["seats"]["hand"].tolist()]
        size, deck = int(box["face_up_size"]), box["deck"].tolist()
        face_up, face_down = table["pile_cards"].tolist()
        self.face_up = deck[face_up:0:-1]
        self.face_down = deck[size + face_down : size : -1]
        for name in ("columns_used", "discards", "scores", "leaders"):
            setattr(self, name, table[name].tolist())
        for name in ("floors", "ceilings", "lasts"):
            words = table[name].tolist()
            setattr(self, name, [[w >> (8 * p) & 255 for p in range(6)] for w in words])
        for name in ("lengths", "most", "points", "colour_counts", "column_cards"):
            setattr(self, name, table[name].tolist())

    def __getattr__(self, name: str) -> Any:
        """Only for type checkers: fields are set above."""
        raise AttributeError(name)

    def columns(self, seat: int) -> list[list[int]]:
        """List the cards of a seat's columns by place."""
        return [
            self.column_cards[seat][place][: self.lengths[seat][place]]
            for place in range(self.columns_used[seat])
        ]


class Follower:
    """One match of the kernel with the referee beside it.

    Attributes
    ----------
    referee : UpOrDownReferee
    row : dict
        The columns of the match once `run` is through.
    """

    def __init__(
        self, cell: Cell, match: int, *, rotation: int = 0, choose: Chooser | None = None
    ) -> None:
        self.options = cell.options
        self.players = cell.players
        self.colours = load_colours(str(cell.options["colours"]))
        self.playback = Playback(cell, match, rotation=rotation, choose=choose)
        self.referee: UpOrDownReferee
        self.decisions = 0
        self.forced = 0
        self.seen: set[int] = set()
        self.known: list[set[int]] = [set() for _ in range(self.players)]

    def run(self) -> Follower:
        for event in self.playback:
            match event:
                case RoundStart():
                    self.start(event)
                case Step():
                    self.follow(event)
                case RoundEnd():
                    same(self.referee.phase, "MATCH_OVER", "phase at the end")
                case MatchEnd():
                    self.compare_result(event)
        return self

    def start(self, start: RoundStart) -> None:
        look = Look(start)
        self.referee = UpOrDownReferee(self.options, int(start.table.first_seat), self.colours)
        hands = look.hands[: self.players]
        self.referee.deal(hands, look.circle, look.face_down, look.face_up)
        self.seen = set(look.circle)
        self.compare_state(look)

    def follow(self, step: Step) -> None:
        referee = self.referee
        self.decisions += len(step.moves) > 1
        self.forced += len(step.moves) == 1
        phase = int(step.table.phase)
        same([translate(phase, move) for move in step.moves], referee.legal_moves(), "legal moves")
        top = referee.visible_pile_card()
        self.apply(translate(phase, step.move), step.seat, top)
        self.compare_state(Look(step.after))

    def apply(self, move: tuple[object, ...], seat: int, top: int | None) -> None:
        """Carry out a move; keep in mind what everybody saw."""
        hand = set(self.referee.hands[seat])
        self.referee.apply(move)
        if move[0] == "card":
            self.seen.add(int(str(move[1])))
            self.known[seat].discard(int(str(move[1])))
        self.known[seat] |= {top} & (set(self.referee.hands[seat]) - hand)

    def compare_state(self, look: Look) -> None:
        referee = self.referee
        referee.check()
        over = referee.phase == "MATCH_OVER"
        same(look.phase == ROUND_OVER, over, "round is over")
        if not over:
            same(uod.PHASES[look.phase], referee.phase, "phase")
            same(look.seat, referee.on_turn, "seat on turn")
        laid = [look.laid_card] if look.laid_card else []
        same(sorted(look.circle + laid), referee.circle, "circle")
        same(look.circle, sorted(look.circle), "order of the circle")
        same(look.laid_card, referee.laid or 0, "card laid")
        same(look.taken_card, referee.taken or 0, "card taken")
        same(look.face_up, referee.face_up, "face-up pile")
        same(look.face_down, referee.face_down, "face-down pile")
        same(look.face_up_card, referee.visible_pile_card() or 0, "card that lies face up")
        same(set(look.laid), self.seen, "cards that were in the circle")
        same(look.scores[: self.players], referee.totals, "totals")
        same({s for s in range(10) if look.leaders >> s & 1}, referee.leaders, "leaders")
        total = (24 if self.players < 6 else 20) * self.players
        same(look.turns_left, total - referee.metrics["turns"], "turns left")
        for seat in range(self.players):
            self.compare_seat(look, seat)
        assert sorted(self.cards_of(look)) == referee.full_deck()

    def compare_seat(self, look: Look, seat: int) -> None:
        referee = self.referee
        same(look.hands[seat], sorted(referee.hands[seat]), "hand", seat)
        same(set(look.known[seat]), self.known[seat], "known hand", seat)
        same(look.discards[seat], len(referee.discards[seat]), "discards", seat)
        columns = look.columns(seat)
        same(columns, [column.cards for column in referee.displays[seat]], "columns", seat)
        for place, column in enumerate(referee.displays[seat]):
            cards = column.cards
            of_colour = [[referee.colour(c) for c in cards].count(n) for n in self.names()]
            counts = look.colour_counts[seat][place]
            same([counts >> (5 * i) & 31 for i in range(len(of_colour))], of_colour, "colours")
            same(look.most[seat][place], max(of_colour), "most of a colour", seat)
            same(look.points[seat][place], referee.column_score(cards), "points", seat)
            same(look.lasts[seat][place], cards[-1], "last card", seat)
            fits = range(look.floors[seat][place], look.ceilings[seat][place] + 1)
            if column.direction is None:
                same((fits[0], fits[-1]), (0, 126), "what fits a single card", seat)
            else:
                up = column.direction == ASCENDING
                limits = range(cards[-1] + 1, 127) if up else range(cards[-1])
                same(fits, limits, "what fits a column", seat)

    def names(self) -> list[str]:
        return list(dict.fromkeys(self.colours))

    def cards_of(self, look: Look) -> list[int]:
        """List the cards wherever they are: nothing is lost, nothing is doubled."""
        cards = look.circle + look.face_up + look.face_down
        cards += [card for card in (look.laid_card, look.taken_card) if card]
        for seat in range(self.players):
            cards += look.hands[seat] + sum(look.columns(seat), [])
            cards += self.referee.discards[seat]
        return cards

    def compare_result(self, end: MatchEnd) -> None:
        referee = self.referee
        same(int(end.table.phase), MATCH_OVER, "phase")
        assert MATCH_OVER < FIRST_PHASE
        self.row = self.playback.row()
        same(self.row["aborted"], 0, "aborted")
        same(self.row["first_seat"], referee.first_seat, "first seat")
        winners = {seat for seat in range(self.players) if self.row["winners"] >> seat & 1}
        same(winners, referee.winners, "winners")
        scores = [self.row[f"score_{seat}"] for seat in range(self.players)]
        same(scores, referee.totals, "scores")
        same({name: self.row[name] for name in METRICS}, referee.metrics, "metrics")
        same(self.row["decisions"], self.decisions, "decisions")
        same(self.row["forced"], self.forced, "forced moves")
