"""UP & DOWN followed by its referee, which is given the deal, the dice, the toss and the moves."""

from __future__ import annotations

from typing import Any

from simcore.catalogue import get_game
from simcore.compiler.state import MATCH_OVER, ROUND_OVER
from simcore.events import RoundEnd, Step
from simcore.games.updown import rules as ud
from simcore.games.updown.rules import COLOURS as KERNEL_COLOURS
from simcore.games.updown.rules import FACES
from tests.agreement import same
from tests.games import following
from tests.games.following import seats_in
from tests.referee.updown import COLOURS, FLIP, KEEP, ROLL, UpdownReferee, full_deck

UPDOWN = get_game("updown")
assert KERNEL_COLOURS == COLOURS
LANE = 16
PHASES = {int(ud.CHANGE): "CHANGE", int(ud.CARD): "CARD"}


def card_of(number: int) -> tuple[str, int]:
    """Name a card by its number."""
    return COLOURS[number // LANE], number % LANE


def named(cards: Any) -> frozenset[tuple[str, int]]:
    """Name the cards of a card set."""
    return frozenset(card_of(number) for number in cards)


def translate(phase: int, moves: tuple[int, ...]) -> list[tuple[object, ...]]:
    """Say legal moves of the kernel in the referee's terms, in their order."""
    if phase == ud.CHANGE:
        rotations = {quarters: ("rotate", quarters) for quarters in (1, 2, 3)}
        names_of_moves = {ud.FLIP: FLIP, ud.ROLL: ROLL} | rotations
        return [names_of_moves.get(move, KEEP) for move in moves]
    return [("card", *card_of(move)) for move in moves]


class Follower(following.Follower):
    game = UPDOWN
    leads = {"from_nought": False}  # noqa: RUF012

    def prepare(self) -> None:
        self.referee = UpdownReferee(self.cell.options)
        self.thrown = self.referee.options.trump == "dice"

    def start_round(self, look: Any) -> None:
        hands = [named(hand) for hand in look.hand[: self.players]]
        dealt = [card for hand in hands for card in hand]
        deck = [*dealt, *(set(full_deck()) - set(dealt))]
        trump = look.trump if self.thrown else None
        self.referee.start_round(deck, trump, FACES[look.face], look.turn)
        same(look.first_seat, self.referee.first_seat, "first seat")
        same(look.change, -1, "change before the first trick")
        self.compare_state(look)

    def follow(self, step: Step) -> None:
        referee = self.referee
        phase, trump = int(step.s.phase), int(step.s.trump)
        moves = translate(phase, step.moves)
        same(moves, referee.legal_moves(), "legal moves")
        move = moves[step.moves.index(step.move)]
        after = step.after.s
        referee.apply(move, after.trump if move == ROLL else None)
        if move != ROLL:
            same(after.trump, trump, "trump without a throw")
        if phase == ud.CHANGE:
            same(int(step.after.s.change), step.move, "change")
        self.compare_state(after)

    def compare_state(self, look: Any) -> None:
        referee = self.referee
        same(FACES[look.face], referee.face, "face")
        same(look.turn, referee.rotation, "turn")
        if self.thrown:
            same(look.trump, referee.trump, "trump")
        for seat in range(self.players):
            same(named(look.hand[seat]), referee.hands[seat], "hand", seat)
            chosen = referee.chosen[seat]
            same(named(look.chosen[seat]), {chosen} if chosen else set(), "chosen", seat)
            played = {trick[seat] for trick in referee.played}
            same(named(look.played[seat]), played, "cards played", seat)
            last = {referee.played[-1][seat]} if referee.played else set()
            same(
                {card_of(look.last_card[seat])} if look.last_card[seat] >= 0 else set(),
                last,
                "last card",
                seat,
            )
        assert len(referee.cards_in_play()) == len(set(referee.cards_in_play())) == 44
        same(look.pot, referee.pot, "pot")
        same(look.trick, len(referee.played), "tricks played")
        same(list(look.scores), referee.totals, "totals")
        same(seats_in(look.leaders, self.players), referee.leaders, "leaders")
        if look.phase == ROUND_OVER:
            assert referee.phase in {"START", "MATCH_OVER"}
        else:
            same(PHASES[look.phase], referee.phase, "phase")
            same(look.seat, referee.on_turn, "seat on turn")
            same(look.leader, referee.leader, "leader")

    def end_round(self, end: RoundEnd) -> None:
        super().end_round(end)
        over = int(end.after.s.phase) == MATCH_OVER
        same(over, self.referee.phase == "MATCH_OVER", "end of the match")
        last = self.referee.trick_winners[-1]
        same(int(end.s.last_winner), ud.NO_SEAT if last is None else last, "last winner")
