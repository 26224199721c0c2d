"""The referee of Up (`match.py` says what a referee is).

It is given the pack, the blind card and who forgets.

Readings: with `minus_two_lead` a "-2" that is turned up as the last card of all on an empty table
leads like any other, and counts in `minus_twos`. With `restart_open` open cards may be used for as
long as the turn lasts in which a tower was removed. A match that is aborted after 1000 rounds has
no winner, as one that is aborted by `play_cap`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.referee.match import Move, Referee

MINUS_TWO = "-2"
CLEAR = "clear"
NUMBERS = tuple(str(value) for value in range(1, 12))
HAND_PASSES = 5
REDUCTION = 2
LED_ON = int(max(NUMBERS, key=int))
"""What a "-2" that leads lies on."""
ROW = 4
"""So many equal cards on top take the tower away."""
ROUNDS_AT_MOST = 1000


USUAL = {
    "table_cards": 4,
    "clear_cards": 1,
    "minus_two_points": 20,
    "clear_points": 50,
    "dirty_one_points": 30,
    "out_credit": 10,
    "blind_credit": 80,
}
"""House rules and dials, and what the rule text says."""


class UpReferee(Referee):
    """State of one match of Up, with its legal moves and their effects.

    Parameters
    ----------
    options
        As of every referee.
    first_dealer
        Seat of the first dealer.

    Attributes
    ----------
    phase
        "CUT", "DECLARE" or "PLAY" within a round.
    dealer
        Dealer of the round that was begun last (before the first round: of that round).
    hands, open_cards, hidden
        Cards by seat; ``hidden`` in the order of the deal.
    tower, removed, aside
        The standing tower from its base up, what clear cards took away, and what the deal left.
    cap
        Highest value that may be laid on the tower; None without a tower.
    first_turn, lost_turn
        By seat: has not ended its first turn of the round; loses its next turn.
    tower_went
        In the turn under way a tower collapsed or left the game, so that the seat leads anew.
    """

    usual = USUAL

    def __init__(self, options: Mapping[str, Any], first_dealer: int) -> None:
        super().__init__(options, first_dealer)
        given = self.options
        self.dealer = first_dealer
        self.rounds_completed = 0
        self.minus_twos_of_a_set = given.minus_two_cards if given.minus_two else 0
        # By the rule text a hand has one card fewer without "-2", as without clear cards.
        self.usual_hand = HAND_PASSES - (not self.minus_twos_of_a_set) - (not given.clear_cards)
        self.hand_passes = self.usual_hand if given.hand_cards is None else given.hand_cards
        self._check_options()
        self._clear_table()

    def _clear_table(self) -> None:
        self.pack: list[str] = []
        self.hands: list[Counter[str]] = [Counter() for _ in range(self.players)]
        self.open_cards: list[Counter[str]] = [Counter() for _ in range(self.players)]
        self.hidden: list[list[str]] = [[] for _ in range(self.players)]
        self.tower: list[str] = []
        self.removed: list[str] = []
        self.aside: list[str] = []
        self.cap: int | None = None
        self.dirty = False
        self.double = False
        self.first_turn = [True] * self.players
        self.tower_went = False
        self.lost_turn = [False] * self.players
        self.round_plays = 0

    def _check_options(self) -> None:
        """Make sure that options go together."""
        given = self.options
        assert given.rounds is not None or given.points_limit is not None, "it would never end"
        assert self.minus_twos_of_a_set or given.double_two == "off"
        if given.scoring != "points":
            assert given.dirty_one == "off"
            values = self.usual.keys() - {"table_cards", "clear_cards"}
            assert all(vars(given)[name] == self.usual[name] for name in values), "without points"
        assert given.scoring != "matches" or given.points_limit is None
        dealt = self.players * (self.hand_passes + 2 * given.table_cards)
        assert dealt <= len(self.full_pack())

    def full_pack(self) -> list[str]:
        """Give all cards of the pack, unshuffled."""
        specials = [MINUS_TWO] * self.minus_twos_of_a_set + [CLEAR] * self.options.clear_cards
        return [*NUMBERS, *specials] * (self.players + self.options.extra_set)

    def start_round(self, pack: Sequence[str]) -> None:
        """Begin a round with a shuffled and cut pack, up to the first decision.

        Parameters
        ----------
        pack
            Top card first. The last entry was the bottom card of the lifted packet.
        """
        assert Counter(pack) == Counter(self.full_pack())
        if self.options.deal_passes and self.rounds_completed:
            self.dealer = self.next_seat(self.dealer)
        self._clear_table()
        self.note_unusual("table_cards", "clear_cards")
        self.note(
            hand_cards=self.hand_passes != self.usual_hand,
            minus_two_cards=self.minus_twos_of_a_set > 1,
        )
        self.pack = list(pack)
        if self.pack[-1] in (MINUS_TWO, CLEAR):
            self.phase = "CUT"
            self.on_turn = (self.dealer - 1) % self.players
        else:
            self._deal(passed_over=None)

    def _resolve_cut(self, choice: str) -> None:
        """Keep or return the special card found at the cut."""
        cutter = self.on_turn
        if choice == "keep":
            self.hands[cutter][self.pack.pop()] += 1
        self._deal(passed_over=cutter if choice == "keep" else None)

    def _deal(self, passed_over: int | None) -> None:
        """Deal hidden, open and hand cards; one seat may miss the last pass."""
        undealt = iter(self.pack)
        seats = [(self.dealer + step) % self.players for step in range(1, self.players + 1)]
        for _ in range(self.options.table_cards):
            for seat in seats:
                self.hidden[seat].append(next(undealt))
        for _ in range(self.options.table_cards):
            for seat in seats:
                self.open_cards[seat][next(undealt)] += 1
        for hand_pass in range(1, self.hand_passes + 1):
            for seat in seats:
                if hand_pass < self.hand_passes or seat != passed_over:
                    self.hands[seat][next(undealt)] += 1
        self.aside = list(undealt)
        self.pack = []
        self._prepare_declaration()

    def _prepare_declaration(self) -> None:
        """Let forehand announce the variants that are forehand's to announce."""
        self.on_turn = self.next_seat(self.dealer)
        if "forehand" in (self.options.dirty_one, self.options.double_two):
            self.phase = "DECLARE"
        else:
            self._begin_play(frozenset())

    def _begin_play(self, announced: frozenset[str]) -> None:
        self.dirty = self.options.dirty_one == "always" or "dirty" in announced
        self.double = self.options.double_two == "always" or "double" in announced
        if self.double:
            self._turn_minus_twos_into_twos()
        self.phase = "PLAY"

    def _turn_minus_twos_into_twos(self) -> None:
        """Make every dealt "-2" an ordinary 2."""
        for pile in (*self.hands, *self.open_cards):
            pile["2"] += pile.pop(MINUS_TWO, 0)
            _drop_empty(pile)
        self.hidden = [
            ["2" if card == MINUS_TWO else card for card in cards] for cards in self.hidden
        ]

    def legal_moves(self) -> set[Move]:
        """List the canonical moves of the seat on turn; none if it must pass the lead."""
        if self.phase == "CUT":
            return {("cut", "keep"), ("cut", "return")}
        if self.phase == "DECLARE":
            return {("declare", announced) for announced in self._announcements()}
        if self.phase == "PLAY":
            first_turn = self.first_turn[self.on_turn]
            return self._play_moves(
                self.on_turn,
                hand_only=first_turn and not (self.options.restart_open and self.tower_went),
                singly=first_turn and not self.options.multiples_in_first_lap,
            )
        return set()

    def _announcements(self) -> set[frozenset[str]]:
        dirty = {"dirty"} if self.options.dirty_one == "forehand" else set()
        double = {"double"} if self.options.double_two == "forehand" else set()
        return {frozenset(), frozenset(dirty), frozenset(double), frozenset(dirty | double)}

    def _play_moves(self, seat: int, *, hand_only: bool, singly: bool) -> set[Move]:
        """List the moves of a seat, from the hand only or from the open cards, too."""
        piles = {"hand": self.hands[seat]}
        if not hand_only:
            piles["open"] = self.open_cards[seat]
        moves: set[Move] = {
            ("lay", source, card, count)
            for source, pile in piles.items()
            for card, held in pile.items()
            for count in self._playable_counts(card, 1 if singly else held)
        }
        # Hidden cards are free only when all the open ones are gone.
        if self.hidden[seat] and not self.open_cards[seat]:
            moves.add(("blind",))
        return moves

    def _playable_counts(self, card: str, most: int) -> list[int]:
        """List how many equal cards may be laid: up to all that fit, or one to collapse."""
        if card == CLEAR:
            return [1]
        if card == MINUS_TWO and self._cap_under_minus_two() is None:
            return []  # A "-2" may not open a tower.
        if card == MINUS_TWO and self.cap and self.options.minus_two_collapse == "any":
            return list(range(1, most + 1))
        return [count for count in range(1, most + 1) if self._fits(card, count)] or [1]

    def _cap_under_minus_two(self) -> int | None:
        """Return the cap that a "-2" would lower; None if it may not lie there."""
        if self.cap is None and self.options.minus_two_lead:
            return LED_ON
        return self.cap

    def _fits(self, card: str, count: int) -> bool:
        """Tell whether cards leave their player without a collapse."""
        if card == CLEAR:
            return True
        if card == MINUS_TWO:
            cap = self._cap_under_minus_two()
            return cap is not None and cap - REDUCTION * count > 0
        return self.cap is None or int(card) <= self.cap

    def calls_for_announcement(self, move: Move, position: int | None) -> bool:
        """Tell whether a legal move will leave its seat exactly one card.

        A collapse never does, for it takes up at least two cards; neither does a "-2" turned up
        on an empty table, for it goes to the hand.
        """
        match move:
            case ("lay", _, str(card), int(count)):
                pass
            case ("blind",):
                card, count = self.hidden[self.on_turn][position], 1
            case _:
                return False
        return self._fits(card, count) and self._cards_left(self.on_turn) - count == 1

    def apply(self, move: Move, *, position: int | None = None, forgets: bool = False) -> None:
        """Carry out a move of the seat on turn.

        Parameters
        ----------
        move
            One of ``legal_moves()``.
        position
            For ("blind",): which entry of the seat's ``hidden`` is turned up.
        forgets
            The seat forgets to announce the single card it is left with (`forget_last_card`).
        """
        if forgets:
            self.lost_turn[self.on_turn] = True
        match move:
            case ("cut", str(choice)):
                self._resolve_cut(choice)
            case ("declare", frozenset() as announced):
                self._begin_play(announced)
            case ("lay", str(source), str(card), int(count)):
                pile = (self.hands if source == "hand" else self.open_cards)[self.on_turn]
                self.note(restart_open=source == "open" and self.first_turn[self.on_turn])
                pile[card] -= count
                _drop_empty(pile)
                self._play(card, count)
            case _:
                self._turn_up(position)

    def pass_lead(self) -> None:
        """Hand the lead to the next seat, for want of a card that may open."""
        assert self.phase == "PLAY"
        self._end_turn()

    def _turn_up(self, position: int) -> None:
        """Play a hidden card blind."""
        seat = self.on_turn
        card = self.hidden[seat].pop(position)
        self.metrics["blind_plays"] += 1
        if card != MINUS_TWO:
            self._play(card, 1)
        elif not self._cards_left(seat):
            self._finish_with_minus_two()
        elif self._cap_under_minus_two() is None:
            self.hands[seat][card] += 1
            self._complete_play(leads_again=True)
        else:
            self._play(card, 1)

    def _finish_with_minus_two(self) -> None:
        """End the round with a "-2" as the very last hidden card, fitting or not."""
        if self._cap_under_minus_two() is not None:
            self.metrics["minus_twos"] += 1
            self.note(minus_two_lead=self.cap is None)
        self.metrics["blind_minus_two_finishes"] += 1
        self.tower.append(MINUS_TWO)
        self._complete_play(leads_again=False, credit="blind_credit")

    def _play(self, card: str, count: int) -> None:
        """Put cards that have left their place on the table, with all that follows."""
        if card == CLEAR:
            self._clear_tower()
        elif self._fits(card, count):
            self._build(card, count)
        else:
            self._collapse(card, count)
        self._complete_play(leads_again=self.cap is None)

    def _clear_tower(self) -> None:
        """Take the tower and the clear card out of the game."""
        self.removed += [*self.tower, CLEAR]
        self._remove_tower()
        self.metrics["clears"] += 1

    def _build(self, card: str, count: int) -> None:
        """Lay equal cards on the tower, or open one."""
        self.tower += [card] * count
        if card == MINUS_TWO:
            self.note(minus_two_lead=self.cap is None)
            self.cap = self._cap_under_minus_two() - REDUCTION * count
            self.metrics["minus_twos"] += count
            return
        self.cap = int(card)
        if self.options.four_clear and self.tower[-ROW:] == [card] * ROW:
            self.removed += self.tower
            self._remove_tower()
            self.metrics["four_clears"] += 1
            self.note(four_clear=True)

    def _collapse(self, card: str, count: int) -> None:
        """Let the tower collapse into the hand, with the cards just played."""
        pickup = [*self.tower, *[card] * count]
        self.hands[self.on_turn].update(pickup)
        self._remove_tower()
        self.metrics["collapses"] += 1
        self.note(minus_two_collapse=count > 1)
        self.count_most("largest_pickup", len(pickup))

    def _remove_tower(self) -> None:
        self.tower = []
        self.cap = None
        self.tower_went = True

    def _complete_play(self, *, leads_again: bool, credit: str = "out_credit") -> None:
        """Count the play and see who acts next, or whether the round or the match is over."""
        self.metrics["plays"] += 1
        self.round_plays += 1
        if not self._cards_left(self.on_turn):
            self._end_round(self.on_turn, credit)
        elif self.round_plays >= self.options.play_cap or self._is_deadlocked():
            self.abort()
        elif not leads_again:
            self._end_turn()

    def _is_deadlocked(self) -> bool:
        """Tell whether no seat can ever lead again, also after its first turn."""
        return self.cap is None and not any(
            self._play_moves(seat, hand_only=False, singly=False) for seat in range(self.players)
        )

    def _end_turn(self) -> None:
        """Move on clockwise, using up lost turns on the way."""
        self.first_turn[self.on_turn] = False
        self.tower_went = False
        self.on_turn = self.next_seat(self.on_turn)
        while self.lost_turn[self.on_turn]:
            self.lost_turn[self.on_turn] = False
            self.on_turn = self.next_seat(self.on_turn)

    def _end_round(self, first_out: int, credit: str) -> None:
        """Book the round, count a change of the lead, and end the match if it is due."""
        for seat in range(self.players):
            self.totals[seat] += self._round_score(seat, first_out)
        if self.options.scoring == "points":
            self.note_unusual(credit)
            left = self.totals[first_out] - getattr(self.options, credit)
            self.totals[first_out] = max(0, left)
        self.look_who_leads(lowest=self.options.scoring != "matches")
        self.history.append(list(self.totals))
        self.rounds_completed += 1
        self.metrics["rounds"] += 1
        self.phase = "START"
        if self._is_match_over():
            self.end_match(set(self.leaders))
        elif self.rounds_completed == ROUNDS_AT_MOST:
            self.abort()

    def _round_score(self, seat: int, first_out: int) -> int:
        """Score a seat in this round, before any credit."""
        if self.options.scoring == "matches":
            return int(seat == first_out)
        if self.options.scoring == "cards":
            return self._cards_left(seat)
        return sum(self.card_points(card) for card in self._cards_of(seat))

    def card_points(self, card: str) -> int:
        """Return what a remaining card counts, by the variants in force."""
        dials = {MINUS_TWO: "minus_two_points", CLEAR: "clear_points"}
        if self.dirty:
            dials["1"] = "dirty_one_points"
        if card not in dials:
            return int(card)
        self.note_unusual(dials[card])
        return getattr(self.options, dials[card])

    def _is_match_over(self) -> bool:
        """Tell whether the last round or the limit has been reached."""
        limit = self.options.points_limit
        return self.rounds_completed == self.options.rounds or (
            limit is not None and max(self.totals) > limit
        )

    def _cards_of(self, seat: int) -> Iterable[str]:
        return (
            *self.hands[seat].elements(),
            *self.open_cards[seat].elements(),
            *self.hidden[seat],
        )

    def _cards_left(self, seat: int) -> int:
        return self.hands[seat].total() + self.open_cards[seat].total() + len(self.hidden[seat])

    def cards_in_play_count(self) -> int:
        """Count all cards wherever they lie, the undealt pack and those aside included."""
        piles = (self.pack, self.tower, self.removed, self.aside)
        held = sum(self._cards_left(seat) for seat in range(self.players))
        return held + sum(len(pile) for pile in piles)


def _drop_empty(pile: Counter[str]) -> None:
    """Remove the entries of cards of which none is left, in place."""
    for card in [card for card, held in pile.items() if not held]:
        del pile[card]
