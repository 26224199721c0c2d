"""The referee of UP & DOWN (`match.py` says what a referee is).

It is given the deck, the toss of the U&D card and the dice. It lists moves in the public order.

Readings: without a trump the five changes are the same but for the dice. With "may", "keep" comes
after them. A pot that is carried is lost at the end of the match, also of an aborted one. The
leader after the winner of a trick, and the next clockwise after a trick without one, are named
within a round only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tests.referee.match import Move, Referee

# The order of the colours clockwise on the card is a convention without effect (component 5).
COLOURS = ("ROSE", "FEDER", "MONOKEL", "HUT")
VALUES = tuple(range(2, 13))
UP = "UP"
DOWN = "DOWN"
SIDES = 4
HAND_SIZES = {4: 11, 3: 14, 2: 15}
TIE_ROUNDS_AT_MOST = 50
FLIP = ("flip",)
ROLL = ("roll",)
KEEP = ("keep",)
CHANGES = (FLIP, ("rotate", 1), ("rotate", 2), ("rotate", 3), ROLL)

Card = tuple[str, int]


def full_deck() -> list[Card]:
    """Return the 44 cards by colour, then value (components 1 and 2)."""
    return [(colour, value) for colour in COLOURS for value in VALUES]


def trick_winner(
    cards: Sequence[Card],
    own_colours: Sequence[str],
    trump: int | None,
    face: str,
    cancelling: str = "all",
) -> int | None:
    """Find who wins a trick.

    Parameters
    ----------
    cards
        The card played by each seat.
    own_colours
        The colour that points at each seat.
    trump
        The trump value; None when there is none.
    face
        "UP" or "DOWN".
    cancelling
        The option: whether "all" cards of equal value cancel each other, or the "eligible" ones.

    Returns
    -------
    int or None
        The winning seat; None when there is no best card.
    """
    can_win = [
        seat
        for seat, (colour, value) in enumerate(cards)
        if colour == own_colours[seat] or value == trump
    ]
    # (a) Equal values cancel, eligible or not, trumps too, two pairs both.
    cancelled = range(len(cards)) if cancelling == "all" else can_win
    times = Counter(cards[seat][1] for seat in cancelled)
    # (b) Of the rest only the own colour or the trump value can win.
    eligible = [seat for seat in can_win if times[cards[seat][1]] == 1]
    if not eligible:
        return None
    # (c) The one trump that can be left beats every other card, UP and DOWN.
    for seat in eligible:
        if cards[seat][1] == trump:
            return seat
    best = max if face == UP else min
    return best(eligible, key=lambda seat: cards[seat][1])


class UpdownReferee(Referee):
    """State of one match of UP & DOWN, with its legal moves and their effects.

    Attributes
    ----------
    phase
        "CHANGE" or "CARD" within a round.
    sides
        The side of the U&D card at which each seat sits.
    leader
        Leader of the trick under way ("Stich-Chef").
    first_seat
        Leader of the first trick of the match.
    face, rotation, trump
        The trick rules: "UP" or "DOWN"; quarter turns 0-3, so that the colour at side k is number
        (k - rotation) mod 4 of ``COLOURS``; the trump value, None when there is none.
    hands
        The cards of each seat.
    chosen
        By seat: the card that lies face-down for the trick under way, or None.
    played
        The tricks of the round so far, each a tuple of the cards by seat.
    trick_winners
        By trick of the round so far: who won it, or None.
    aside
        The cards that the deal left, unseen.
    pot
        Tricks in the pot: of the round, and those carried over into it.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        given = self.options
        usual_size = HAND_SIZES[self.players]
        self.hand_size: int = usual_size if given.hand_cards is None else given.hand_cards
        self.sides = list(range(self.players))
        if self.players == 2 and given.seating == "opposite":
            self.sides = [0, 2]
        self._check_options()
        self.leader = -1
        self.first_seat: int | None = None
        self.face = UP
        self.rotation = 0
        self.trump: int | None = None
        self.rounds_completed = 0
        self.pot = 0
        self._clear_table()

    def _check_options(self) -> None:
        """Make sure that options go together."""
        given = self.options
        assert given.seating == "opposite" or self.players == 2
        assert self.players * self.hand_size <= len(full_deck())
        if given.last_pot == "carried":
            assert given.pot_tricks
            assert given.rounds > 1 or given.tie_round, "there is no further round"

    def _clear_table(self) -> None:
        self.hands: list[set[Card]] = [set() for _ in range(self.players)]
        self.chosen: list[Card | None] = [None] * self.players
        self.played: list[tuple[Card, ...]] = []
        self.trick_winners: list[int | None] = []
        self.aside: list[Card] = []
        if self.options.last_pot == "lost":
            self.pot = 0

    def start_round(
        self, deck: Sequence[Card], trump: int | None, face: str, rotation: int
    ) -> None:
        """Begin a round, the whole set-up afresh, up to the leader's first change.

        Parameters
        ----------
        deck
            All 44 cards. Seat 0 gets the first cards, as many as a hand has, seat 1 the next, and
            so on; what is left goes aside.
        trump
            Sum of the two dice: a plain throw, it may equal that of the round before; None when no
            dice are thrown.
        face, rotation
            How the tossed card lies. ROSE must point at a player: the driver
            tosses again until it does, which makes all seats equally likely to lead.
        """
        assert sorted(deck) == sorted(full_deck())
        assert trump in (VALUES if self.options.trump == "dice" else (None,))
        assert face in (UP, DOWN)
        assert rotation in self.sides, "ROSE points at no player"
        self._clear_table()
        for seat in range(self.players):
            self.hands[seat] = set(deck[seat * self.hand_size : (seat + 1) * self.hand_size])
        self.aside = list(deck[self.players * self.hand_size :])
        self.trump = trump
        self.face = face
        self.rotation = rotation
        dealt_otherwise = self.hand_size != HAND_SIZES[self.players]
        self.note(hand_cards=dealt_otherwise, trump=trump is None, last_pot=self.pot > 0)
        self._begin_trick(self._seat_of_rose())
        if self.first_seat is None:
            self.first_seat = self.leader

    def _seat_of_rose(self) -> int:
        """Find the first leader: the seat to which ROSE points."""
        return next(seat for seat in range(self.players) if self.colour_of(seat) == "ROSE")

    def colour_of(self, seat: int) -> str:
        """Return the colour that points at a seat now."""
        return COLOURS[(self.sides[seat] - self.rotation) % SIDES]

    def legal_moves(self) -> list[Move]:
        """List the moves of the seat on turn.

        In "CHANGE" these are always the same, before the first trick too; in "CARD" every card of
        the own hand.
        """
        if self.phase == "CHANGE":
            changes = [move for move in CHANGES if self.options.trump == "dice" or move != ROLL]
            return [*changes, KEEP] if self.options.leader_change == "may" else changes
        if self.phase == "CARD":
            held = self.hands[self.on_turn]
            return [("card", *card) for card in full_deck() if card in held]
        return []

    def apply(self, move: Move, trump: int | None = None) -> None:
        """Carry out a move of the seat on turn; for ("roll",) with the trump that the dice show."""
        match move:
            case ("card", str(colour), int(value)):
                self._choose((colour, value))
            case _:
                self._change_rules(move, trump)

    def _begin_trick(self, leader: int) -> None:
        self.leader = leader
        self.on_turn = leader
        self.chosen = [None] * self.players
        self.phase = "CHANGE"

    def _change_rules(self, move: Move, trump: int | None) -> None:
        """Change exactly one of face, rotation and trump, or keep them all."""
        match move:
            case ("flip",):
                self.face = DOWN if self.face == UP else UP
                self.metrics["flips"] += 1
            case ("rotate", int(quarters)):
                # Clockwise; each of the three gives every player another colour.
                self.rotation = (self.rotation + quarters) % SIDES
                self.metrics["rotations"] += 1
            case ("keep",):
                self.metrics["kept"] += 1
                self.note(leader_change=True)
            case _:
                # Thrown until the trump is another one; only the last throw counts.
                assert trump in set(VALUES) - {self.trump}
                self.trump = trump
                self.metrics["rolls"] += 1
        self.phase = "CARD"
        self.on_turn = 0  # The simultaneous choosers are asked in seat order.

    def _choose(self, card: Card) -> None:
        """Lay a card face-down; when all have done so, reveal them."""
        self.hands[self.on_turn].remove(card)
        self.chosen[self.on_turn] = card
        if self.on_turn + 1 < self.players:
            self.on_turn += 1
        else:
            self._evaluate_trick()

    def _evaluate_trick(self) -> None:
        """Give the trick to its winner or to the pot, and go on."""
        cards = tuple(card for card in self.chosen if card)
        own_colours = [self.colour_of(seat) for seat in range(self.players)]
        rules = (own_colours, self.trump, self.face)
        winner = trick_winner(cards, *rules, self.options.cancelling)
        self.note(cancelling=winner != trick_winner(cards, *rules))
        self.metrics["tricks"] += 1
        self.played.append(cards)
        is_double = self.options.last_trick == "double" and len(self.played) == self.hand_size
        self.note(last_trick=is_double)
        worth = 2 if is_double else 1
        self.trick_winners.append(winner)
        self.chosen = [None] * self.players
        if winner is None:
            self.metrics["pots"] += 1
            if self.options.pot_tricks:
                self.pot += worth
            else:
                self.metrics["lost_tricks"] += worth
                self.note(pot_tricks=True)
        else:
            self._take_trick(winner, worth, with_trump=cards[winner][1] == self.trump)
        self.history.append(list(self.totals))
        if len(self.played) == self.hand_size:
            self._end_round()
        else:
            self._begin_trick(self._next_leader(winner))

    def _next_leader(self, winner: int | None) -> int:
        """Name who leads the next trick of the round."""
        # The lead goes round clockwise, whoever won; an empty side is passed over.
        clockwise = self.next_seat(self.leader)
        if self.options.next_leader == "clockwise" or winner is None:
            return clockwise
        self.note(next_leader=winner != clockwise)
        return winner

    def _take_trick(self, winner: int, worth: int, *, with_trump: bool) -> None:
        """Book a trick, which is worth one or two, and the pot, in tricks."""
        self.totals[winner] += worth + self.pot
        self.count_most("largest_pot", self.pot)
        self.pot = 0
        self.metrics["trump_wins"] += with_trump
        self.look_who_leads()

    def _end_round(self) -> None:
        """Give up the pot, or keep it; end the match or have a further round."""
        self.rounds_completed += 1
        self.metrics["rounds"] += 1
        self.phase = "START"
        if not self._goes_on():
            self.end_match(self.seats_ahead())
        if self.phase == "MATCH_OVER" or self.options.last_pot == "lost":
            self.metrics["lost_tricks"] += self.pot

    def _goes_on(self) -> bool:
        """Tell whether there is a further round, and note when it would be one too many."""
        if self.rounds_completed < self.options.rounds:
            return True
        # With no trick won by anybody all seats have the most, and share or go on.
        if not self.options.tie_round or len(self.seats_ahead()) == 1:
            return False
        # Shared win all the same, as the option tie_round says.
        self.aborted = self.rounds_completed == self.options.rounds + TIE_ROUNDS_AT_MOST
        return not self.aborted

    def cards_in_play(self) -> list[Card]:
        """List all cards wherever they lie: held, chosen, played or aside."""
        return [
            *(card for hand in self.hands for card in hand),
            *(card for card in self.chosen if card is not None),
            *(card for trick in self.played for card in trick),
            *self.aside,
        ]
