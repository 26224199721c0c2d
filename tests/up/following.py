"""Up followed by its referee, which is given the pack, the moves, and who forgets to announce."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from simcore.catalogue import get_game
from simcore.compiler.state import ROUND_OVER
from simcore.events import PASS, Step
from simcore.games.up import rules as up
from simcore.rng import opened
from tests.agreement import same
from tests.games import following
from tests.games.following import chance_from, seats_in
from tests.referee.up import CLEAR, MINUS_TWO, NUMBERS, UpReferee

UP = get_game("up")
PHASES = {int(up.CUT): "CUT", int(up.DECLARE): "DECLARE", int(up.PLAY): "PLAY"}
KIND_NAMES = (CLEAR, *NUMBERS, MINUS_TWO)
CHANCE = 1
"""The stream of forgotten announcements."""


class Names:
    """Names the cards of a pack: what is printed, or a 2 for a "-2" with the double two."""

    def __init__(self, kinds: list[int]) -> None:
        self.kinds = kinds

    def of(self, card: int, double: object) -> str:
        """Name a card by its number."""
        name = KIND_NAMES[self.kinds[card]]
        return "2" if double and name == MINUS_TWO else name

    def count(self, cards: Iterable[int], double: object) -> dict[str, int]:
        """Count cards by names."""
        return dict(Counter(self.of(card, double) for card in cards))


def translate(s: Any, names: Names, moves: tuple[int, ...]) -> list[tuple[object, ...]]:
    """Say legal moves of the rules in the referee's terms, in their order.

    Of a source and a kind the first move lays one card, the second two, and so on.
    """
    if s.phase == up.CUT:
        return [("cut", {up.KEEP: "keep", up.RETURN: "return"}[move]) for move in moves]
    if s.phase == up.DECLARE:
        words = {up.DIRTY: "dirty", up.DOUBLE: "double"}
        return [
            ("declare", frozenset(word for bit, word in words.items() if move & bit))
            for move in moves
        ]
    counts: Counter[tuple[str, str]] = Counter()
    names_of_moves: list[tuple[object, ...]] = []
    for move in moves:
        if move == up.TURN_UP:
            names_of_moves.append(("blind",))
            continue
        source = "open" if move >= up.OPEN else "hand"
        card = names.of(move % up.OPEN, s.double)
        counts[source, card] += 1
        names_of_moves.append(("lay", source, card, counts[source, card]))
    return names_of_moves


def seats_of(flags: list[bool]) -> set[int]:
    return {seat for seat, flag in enumerate(flags) if flag}


class Follower(following.Follower):
    game = UP

    def prepare(self) -> None:
        self.names = Names(self.playback.plain.o.kind)
        forget: Any = self.cell.options["forget_last_card"]
        self.forget = forget if isinstance(forget, list) else [forget] * self.players

    def lowest_wins(self) -> bool:
        return self.referee.options.scoring != "matches"

    def start_round(self, s: Any) -> None:
        if s.round_number == 1:
            self.referee = UpReferee(self.cell.options, s.dealer)
            same(s.first_seat, (s.dealer + 1) % self.players, "first seat")
        self.chance = opened(self.cell.seed, self.match, s.round_number, CHANCE)
        size = self.playback.plain.o.pack_size
        self.referee.start_round([self.names.of(card, False) for card in s.pack[:size]])
        same(s.dealer, self.referee.dealer, "dealer")
        assert not any(s.known_hand)
        self.compare_state(s)

    def follow(self, step: Step) -> None:
        referee = self.referee
        before, after = step.s, step.after.s
        if referee.aborted:
            # The rules notice that nobody can lead when all have passed.
            same((step.move, step.moves), (PASS, ()), "moves when nobody can lead")
            return
        moves = translate(before, self.names, step.moves)
        same(list(step.moves), sorted(set(step.moves)), "order of moves")
        same(set(moves), referee.legal_moves(), "legal moves")
        if step.move == PASS:
            referee.pass_lead()
        else:
            self.apply(before, after, moves[step.moves.index(step.move)])
        self.compare_state(after)
        if before.phase == up.PLAY:
            self.compare_known_hands(before, after)

    def apply(self, before: Any, after: Any, move: tuple[object, ...]) -> None:
        referee = self.referee
        position = len(referee.hidden[before.seat]) - 1 if move == ("blind",) else None
        due = referee.calls_for_announcement(move, position)
        probability = self.forget[before.seat]
        forgets = due and probability > 0 and chance_from(self.chance) < probability
        drawn = after.streams.get(("CHANCE", 0))
        if drawn:
            same(drawn, self.chance, "chance is drawn")
        else:
            assert not (due and probability > 0)
        referee.apply(move, position=position, forgets=forgets)

    def compare_state(self, s: Any) -> None:
        referee = self.referee
        double = referee.double
        if s.phase not in {up.CUT, up.DECLARE}:
            same((s.double, s.dirty), (int(double), referee.dirty), "double two, dirty one")
        for seat in range(self.players):
            hand, laid = s.hand[seat], s.open_cards[seat]
            same(self.names.count(hand, double), dict(referee.hands[seat]), "hand", seat)
            same(self.names.count(laid, double), dict(referee.open_cards[seat]), "open", seat)
            hidden = s.top[seat][: len(s.lying[seat])]
            same(sorted(hidden), list(s.lying[seat]), "hidden cards", seat)
            named = [self.names.of(card, double) for card in hidden]
            same(named, referee.hidden[seat], "hidden", seat)
            if s.phase != up.CUT:
                same(s.hidden_cards[seat], len(hidden), "hidden cards", seat)
                same(s.cards_left[seat], referee._cards_left(seat), "card count", seat)
        if not s.blind_finish:  # The referee lays a "-2" that ends the round on no tower.
            same(self.names.count(s.tower, double), dict(Counter(referee.tower)), "tower")
        same(self.names.count(s.cleared, double), dict(Counter(referee.removed)), "cleared away")
        same(referee.cards_in_play_count(), len(referee.full_pack()), "all cards")
        same(s.plays, referee.round_plays, "plays")
        if s.phase in PHASES and not referee.aborted:
            same(PHASES[s.phase], referee.phase, "phase")
            same(s.seat, referee.on_turn, "seat on turn")
            same(seats_in(s.first_turn, self.players), seats_of(referee.first_turn), "first turns")
            same(seats_in(s.lost_turn, self.players), seats_of(referee.lost_turn), "lost turns")
            if s.phase == up.PLAY:
                same(s.cap, referee.cap or 0, "cap")
        elif s.phase == ROUND_OVER:
            assert referee.phase in {"START", "MATCH_OVER"}

    def compare_known_hands(self, before: Any, after: Any) -> None:
        """Everybody knows the cards that a seat was seen to take up and still holds."""
        for seat in range(self.players):
            hand = after.hand[seat]
            known = before.known_hand[seat] | (hand - before.hand[seat])
            if seat == before.seat and after.count.collapses > before.count.collapses:
                known = known | after.laid
            same(after.known_hand[seat], known & hand, "known hand", seat)
