"""Up or down? followed by its referee, which is given the start player, the deal and the moves."""

from __future__ import annotations

from typing import Any

from simcore.catalogue import get_game
from simcore.events import Step
from simcore.games.upordown import rules as uod
from simcore.games.upordown.colours import load_colours
from simcore.games.upordown.phrases import column_cards
from tests.agreement import same
from tests.games import following
from tests.referee.upordown import ASCENDING, UpOrDownReferee

UPORDOWN = get_game("upordown")
SIDES = {uod.LOWER_SIDE: "lower", uod.UPPER_SIDE: "upper"}
PILES = {uod.FACE_UP: "face_up", uod.FACE_DOWN: "face_down"}
PHASES = {uod.CARD: "CARD", uod.TAKE: "TAKE", uod.PLACE: "PLACE", uod.DRAW: "DRAW"}
CHECK_EVERY = 16


def translate(phase: int, move: int) -> tuple[object, ...]:
    """Say a move of the rules in the referee's terms."""
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


class Follower(following.Follower):
    """A match of the rules with the referee beside it.

    Attributes
    ----------
    states : list
        The state at the start and after every move.
    """

    game = UPORDOWN
    leads = {"level_leads": False}  # noqa: RUF012

    def prepare(self) -> None:
        self.colours = load_colours(str(self.cell.options["colours"]))
        self.known: list[set[int]] = [set() for _ in range(self.players)]
        self.states: list[Any] = []

    def start_round(self, s: Any) -> None:
        self.referee = UpOrDownReferee(self.cell.options, s.first_seat, self.colours)
        face_up, face_down = s.pile_cards
        order, half = list(s.order), self.playback.plain.values["face_up_cards"]
        hands = [sorted(hand) for hand in s.hand]
        # That these are all cards, once each, the referee sees to.
        self.referee.deal(
            hands, sorted(s.circle), order[half + face_down : half : -1], order[face_up:0:-1]
        )
        same((face_up, face_down), self.referee.pile_sizes()[::-1], "size of the piles")
        self.seen = set(s.circle)
        self.compare_table(s)
        for seat in range(self.players):
            self.compare_seat(s, seat)
        self.states.append(s)

    def follow(self, step: Step) -> None:
        referee, seat = self.referee, step.seat
        before, after = step.s, step.after.s
        legal = [translate(before.phase, move) for move in step.moves]
        same(legal, referee.legal_moves(), "legal moves")
        move = translate(before.phase, step.move)
        top = referee.visible_pile_card()
        hand = set(referee.hands[seat])
        referee.apply(move)
        if move[0] == "card":
            (card,) = hand - set(referee.hands[seat])
            self.seen.add(card)
            self.known[seat].discard(card)
        self.known[seat] |= {top} & (set(referee.hands[seat]) - hand)
        self.compare_table(after)
        self.compare_seat(after, seat)
        self.compare_others(before, after, seat)
        if move[0] in {"append", "new", "give_up"}:
            self.compare_columns(after, seat)
        if len(self.states) % CHECK_EVERY == 0:
            referee.check()
        self.states.append(after)

    def compare_others(self, before: Any, after: Any, seat: int) -> None:
        """Compare neighbouring states: a move changes nothing of the other seats."""
        for name in ("hand", "column", "discards", "columns_used", "direction", "most"):
            for other in range(self.players):
                if other != seat:
                    same(getattr(after, name)[other], getattr(before, name)[other], name, other)

    def compare_table(self, s: Any) -> None:
        referee = self.referee
        phase = PHASES.get(s.phase, "MATCH_OVER")
        same(phase, referee.phase, "phase")
        if phase != "MATCH_OVER":
            same(s.seat, referee.on_turn, "seat on turn")
        same(sorted(s.circle), sorted(referee.circle), "circle")
        same(s.laid_card, referee.laid or 0, "card laid")
        same(s.taken_card, referee.taken or 0, "card taken")
        same(s.face_up_card, referee.visible_pile_card() or 0, "face-up card")
        same(list(s.pile_cards), [len(referee.face_up), len(referee.face_down)], "piles")
        same(set(s.laid), self.seen, "cards that were in the circle")
        same([set(cards) for cards in s.drawn_openly], self.known, "cards drawn openly")
        same(list(s.scores[: self.players]), referee.totals, "totals")
        same(s.leaders, sum(1 << seat for seat in referee.leaders), "leaders")
        turns = referee.cards - referee.options.circle
        same(s.turns_left, turns - referee.metrics["turns"], "turns left")

    def compare_seat(self, s: Any, seat: int) -> None:
        referee = self.referee
        same(sorted(s.hand[seat]), sorted(referee.hands[seat]), "hand")
        same(len(s.discards[seat]), len(referee.discards[seat]), "discards")
        same(s.columns_used[seat], len(referee.displays[seat]), "columns in use")

    def compare_columns(self, s: Any, seat: int) -> None:
        plain = self.playback.plain
        for place, column in enumerate(self.referee.displays[seat]):
            cards = list(column.cards)
            same(column_cards(s, seat, place), cards, "column")
            of_column = [self.colours[card - 1] for card in cards]
            most = max(map(of_column.count, of_column))
            same(s.most[seat][place], most, "most of a colour")
            points = plain.run(plain.add(uod.points), s, seat, place)
            same(points, self.referee.column_score(column.cards), "points")
            way = 0 if column.direction is None else 1 if column.direction == ASCENDING else -1
            same(s.direction[seat][place], way, "way of a column")

    def compare_result(self) -> None:
        self.referee.check()
        super().compare_result()
