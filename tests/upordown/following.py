"""The referee follows a match of the kernel, move by move, and both must agree on everything.

The referee (`tests/referee/upordown.py`) is told the start player, the cards as dealt and the
moves; it must find the same legal moves, the same state after every move and the same result.
"""

from __future__ import annotations

import numpy as np

from simcore.batch import Cell
from simcore.game import get_game
from simcore.games.upordown import table as uod
from simcore.games.upordown.colours import load_colours
from simcore.games.upordown.dials import END
from simcore.games.upordown.words import circle_cards
from simcore.records import MATCH_OVER
from tests.agreement import same, same_in_play
from tests.referee.leads import comeback, last_lead_change
from tests.referee.upordown import ASCENDING, METRICS, UpOrDownReferee
from tests.upordown.players import record

UPORDOWN = get_game("upordown")
SIDES = {uod.LOWER_SIDE: "lower", uod.UPPER_SIDE: "upper"}
PILES = {uod.FACE_UP: "face_up", uod.FACE_DOWN: "face_down"}
NO_CARD = 127
CHECK_EVERY = 16


def cards_of_row(row: int, most: int = 8) -> list[int]:
    """List the cards of a row."""
    cards = [row >> (8 * place) & 255 for place in range(most)]
    return [card for card in cards if card != NO_CARD]


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


TABLE_FIELDS = (
    *("phase", "seat", "laid_card", "taken_card", "face_up_card", "pile_cards"),
    *("turns_left", "leaders", "scores"),
)
SEAT_FIELDS = ("columns_used", "discards", "floors", "ceilings")
PLACE_FIELDS = ("lengths", "most", "points", "colour_counts", "column_cards")


class Follower:
    """One match of the kernel with the referee beside it.

    Attributes
    ----------
    referee : UpOrDownReferee
    recording : Recording
    """

    def __init__(self, cell: Cell, match: int, *, rotation: int = 0) -> None:
        self.players = cell.players
        self.colours = load_colours(str(cell.options["colours"]))
        self.names = list(dict.fromkeys(self.colours))
        self.recording = record(cell, match, rotation)
        states = self.recording.states
        # A record's fields are slow to read one by one.
        self.fields = {name: states[name].tolist() for name in TABLE_FIELDS + SEAT_FIELDS}
        self.whereabouts = [
            {card: place for card, place in enumerate(row) if place != uod.UNSEEN}
            for row in states["whereabouts"].tolist()
        ]
        self.circles = [circle_cards(state) for state in states]
        self.hands = self.recording.hands.tolist()
        first_seat = int(self.recording.table.first_seat)
        self.referee = UpOrDownReferee(cell.options, first_seat, self.colours)
        self.known: list[set[int]] = [set() for _ in range(cell.players)]

    def run(self) -> Follower:
        self.start()
        self.compare_others()
        seats, phases = self.fields["seat"], self.fields["phase"]
        listed = self.recording.listed.tolist()
        for step, move in enumerate(self.recording.moves.tolist()):
            legal = [translate(phases[step], m) for m in listed[step] if m >= 0]
            same(legal, self.referee.legal_moves(), "legal moves")
            self.follow(step + 1, seats[step], translate(phases[step], move))
        self.compare_result()
        return self

    def start(self) -> None:
        box, referee = self.recording.box, self.referee
        deck, size = box.deck.tolist(), int(box.face_up_size)
        face_up, face_down = self.fields["pile_cards"][0]
        hands = [cards_of_row(row) for row in self.hands[0]]
        circle = self.circles[0]
        # That these are all cards, once each, the referee sees to.
        referee.deal(hands, circle, deck[size + face_down : size : -1], deck[face_up:0:-1])
        same((face_up, face_down), referee.pile_sizes()[::-1], "size of the piles")
        self.seen = set(circle)
        self.compare_table(0)
        for seat in range(self.players):
            self.compare_seat(0, seat)

    def compare_others(self) -> None:
        """Compare neighbouring states: a move changes nothing of the other seats."""
        states, hands = self.recording.states, self.recording.hands
        seats = self.fields["seat"][:-1]
        kept = np.arange(self.players)[None, :] != np.array(seats)[:, None]
        for name in (*SEAT_FIELDS, *PLACE_FIELDS):
            values = states[name][:, : self.players]
            changed = values[1:] != values[:-1]
            assert not changed.reshape(*kept.shape, -1).any(axis=2)[kept].any(), name
        assert not (hands[1:] != hands[:-1])[kept].any()

    def follow(self, state: int, seat: int, move: tuple[object, ...]) -> None:
        referee = self.referee
        top = referee.visible_pile_card()
        hand = set(referee.hands[seat])
        referee.apply(move)
        if move[0] == "card":
            card = next(iter(hand - set(referee.hands[seat])))
            self.seen.add(card)
            self.known[seat].discard(card)
        self.known[seat] |= {top} & (set(referee.hands[seat]) - hand)
        self.compare_table(state)
        self.compare_seat(state, seat)
        if move[0] in {"append", "new", "give_up"}:
            self.compare_columns(state, seat)
        if state % CHECK_EVERY == 0:
            referee.check()

    def compare_table(self, state: int) -> None:
        referee, fields = self.referee, self.fields
        phase = uod.PHASES.get(fields["phase"][state], "MATCH_OVER")
        same(phase, referee.phase, "phase")
        if phase != "MATCH_OVER":
            same(fields["seat"][state], referee.on_turn, "seat on turn")
        laid = fields["laid_card"][state]
        same(self.circles[state], [card for card in referee.circle if card != laid], "circle")
        same(laid, referee.laid or 0, "card laid")
        same(fields["taken_card"][state], referee.taken or 0, "card taken")
        same(fields["face_up_card"][state], referee.visible_pile_card() or 0, "face-up card")
        piles = [len(referee.face_up), len(referee.face_down)]
        same(fields["pile_cards"][state], piles, "cards of the piles")
        seen = {card: uod.HELD + s for s in range(self.players) for card in self.known[s]}
        seen |= dict.fromkeys(self.seen, uod.LAID)
        same(self.whereabouts[state], seen, "cards seen")
        same(fields["scores"][state][: self.players], referee.totals, "totals")
        leaders = sum(1 << seat for seat in referee.leaders)
        same(fields["leaders"][state], leaders, "leaders")
        turns = referee.options.cards - referee.options.circle
        same(fields["turns_left"][state], turns - referee.metrics["turns"], "turns left")

    def compare_seat(self, state: int, seat: int) -> None:
        referee, fields = self.referee, self.fields
        same(cards_of_row(self.hands[state][seat]), sorted(referee.hands[seat]), "hand")
        same(fields["discards"][state][seat], len(referee.discards[seat]), "discards")
        same(fields["columns_used"][state][seat], len(referee.displays[seat]), "columns in use")

    def compare_columns(self, state: int, seat: int) -> None:
        words = {name: self.fields[name][state][seat] for name in ("floors", "ceilings")}
        of_places = {
            name: self.recording.states[name][state, seat].tolist() for name in PLACE_FIELDS
        }
        for place, column in enumerate(self.referee.displays[seat]):
            cards = column.cards
            length = of_places["lengths"][place]
            same(of_places["column_cards"][place][: length + 1], [0, *cards], "column")
            of_colour = [[self.colours[c - 1] for c in cards].count(n) for n in self.names]
            counts = of_places["colour_counts"][place]
            bits = uod.bits_for(len(self.names))
            mask = (1 << bits) - 1
            told = [counts >> (bits * i) & mask for i in range(len(of_colour))]
            same(told, of_colour, "colours")
            same(of_places["most"][place], max(of_colour), "most of a colour")
            same(of_places["points"][place], self.referee.column_score(cards), "points")
            floor, ceiling = (words[name] >> (8 * place) & 255 for name in ("floors", "ceilings"))
            if self.recording.table.insert != END:
                limits = (max(cards) + 1, min(cards) - 1)
                same((floor, ceiling), limits, "what lies outside a column")
            elif column.direction is None:
                same((floor, ceiling), (0, 126), "what fits a single card")
            else:
                up = column.direction == ASCENDING
                limits = (cards[-1] + 1, 126) if up else (0, cards[-1] - 1)
                same((floor, ceiling), limits, "what fits a column")

    def compare_result(self) -> None:
        table, referee = self.recording.table, self.referee
        referee.check()
        same(referee.phase, "MATCH_OVER", "phase")
        same(int(table.phase), MATCH_OVER, "phase")
        same(int(table.aborted), 0, "aborted")
        winners = {seat for seat in range(self.players) if table.winners >> seat & 1}
        same(winners, referee.winners, "winners")
        same(table.scores[: self.players].tolist(), referee.totals, "scores")
        metrics = dict(zip(METRICS, table.metrics.tolist(), strict=False))
        same(metrics, referee.metrics, "metrics")
        same_in_play(UPORDOWN, {"clauses": int(table.metrics[uod.METRIC.clauses])}, referee.in_play)
        behind, led_since = table.metrics[-2:].tolist()
        same(behind, comeback(referee.history, winners), "comeback")
        same(led_since, last_lead_change(referee.history, level_leads=False), "last lead change")
