"""The referee of Up or down? (`match.py` says what a referee is).

It names cards by their numbers, and is given the start player and the order of the cards. It lists
moves in the public order.

Where the house rules leave an order open, the referee takes this one: a card can be put into a
column in at most one way under every `insert`, so that this is one move a column, listed by place
as when cards go to the end only. The second card of a column comes to lie after the first under
every `insert`, and settles the direction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from tests.referee.match import Move, Referee

HIGHEST_CARD = {2: 54, 3: 78, 4: 102, 5: 126, 6: 126}  # By number of players.

ASCENDING = "ascending"
DESCENDING = "descending"


USUAL = {
    "hand_cards": 3,
    "circle": 6,
    "highest_card": None,
    "discard_points": 1,
    "give_up": "free",
    "scoring": "colour_times_length",
}
"""House rules and dials, and what the rule text says."""


@dataclass
class Column:
    """A column of a display, from its first card to its last."""

    cards: list[int] = field(default_factory=list)

    @property
    def direction(self) -> str | None:
        """Give the direction that the second card has fixed for good."""
        if len(self.cards) < 2:
            return None
        return ASCENDING if self.cards[1] > self.cards[0] else DESCENDING

    def place_of(self, card: int, insert: str) -> int | None:
        """Tell how many cards of the column come before a card put into it; None: none may."""
        after = len(self.cards)
        if self.direction is None:
            return after
        if self.direction == ASCENDING:
            before = sum(other < card for other in self.cards)
        else:
            before = sum(other > card for other in self.cards)
        places = {"end": {after}, "both_ends": {0, after}, "anywhere": {before}}
        return before if before in places[insert] else None


class UpOrDownReferee(Referee):
    """State of one match of Up or down?, with its legal moves and their effects.

    Parameters
    ----------
    options
        As of every referee.
    first_seat
        Seat of the start player.
    colours
        The colour table: 126 names, entry k - 1 for card k.

    Attributes
    ----------
    phase
        "CARD", "TAKE", "PLACE" or "DRAW" when the cards are dealt.
    cards
        How many are in play, which is the highest of them.
    draw_cards
        How many the two piles have at first.
    hands
        Hand cards by seat, in the order in which they came.
    circle
        The cards of the circle, ascending; in phase "TAKE" there is one more.
    face_up, face_down
        The draw piles, top card first.
    displays
        By seat the columns in use, by place. Places are filled from the lowest on and a column
        given up is replaced at once, so that there are never gaps.
    discards
        By seat the cards of the columns that were given up.
    laid, taken
        The card laid into the circle, until a neighbour is taken ("TAKE"), and the card taken,
        until it lies in a column ("PLACE"); None otherwise.
    totals
        As if the match were scored now.
    leaders
        After the last completed lap that left not all seats level.
    """

    usual = USUAL

    def __init__(self, options: Mapping[str, Any], first_seat: int, colours: Sequence[str]) -> None:
        super().__init__(options, first_seat)
        given = self.options
        usual_cards = HIGHEST_CARD[self.players]
        self.cards: int = usual_cards if given.highest_card is None else given.highest_card
        self.draw_cards = self.cards - self.players * given.hand_cards - given.circle
        assert self.draw_cards >= 0, "too few cards to deal"
        assert given.scoring != "length" or given.discard_points != 1, "every card would count one"
        self.colours = colours
        self.first_seat = first_seat
        self.hands: list[list[int]] = [[] for _ in range(self.players)]
        self.circle: list[int] = []
        self.face_up: list[int] = []
        self.face_down: list[int] = []
        self.displays: list[list[Column]] = [[] for _ in range(self.players)]
        self.discards: list[list[int]] = [[] for _ in range(self.players)]
        self.laid: int | None = None
        self.taken: int | None = None
        self.note_unusual("hand_cards", "circle", "highest_card", "give_up", "scoring")

    def full_deck(self) -> list[int]:
        """Return all cards in play, unshuffled."""
        return list(range(1, self.cards + 1))

    def pile_sizes(self) -> tuple[int, int]:
        """Return the first sizes of the face-down and the face-up pile."""
        return self.draw_cards - self.draw_cards // 2, self.draw_cards // 2

    def deal(
        self,
        hands: Sequence[Sequence[int]],
        circle: Sequence[int],
        face_down: Sequence[int],
        face_up: Sequence[int],
    ) -> None:
        """Begin the match with these cards.

        Parameters
        ----------
        hands
            By seat, ``hand_cards`` each.
        circle
            The cards of the circle, in any order.
        face_down, face_up
            The piles, top card first.
        """
        dealt = [card for hand in hands for card in hand]
        assert sorted((*dealt, *circle, *face_down, *face_up)) == self.full_deck()
        assert [len(hand) for hand in hands] == [self.options.hand_cards] * self.players
        assert len(circle) == self.options.circle
        assert (len(face_down), len(face_up)) == self.pile_sizes()
        self.hands = [list(hand) for hand in hands]
        self.circle = sorted(circle)
        self.face_down = list(face_down)
        self.face_up = list(face_up)
        self.phase = "CARD"

    def colour(self, card: int) -> str:
        """Return the colour of a card (component 2)."""
        return self.colours[card - 1]

    def visible_pile_card(self) -> int | None:
        """Return the card that lies openly on a pile: its top one only, if any."""
        return self.face_up[0] if self.options.open_pile and self.face_up else None

    def legal_moves(self) -> list[Move]:
        """List the moves of the seat on turn."""
        if self.phase == "CARD":  # Any hand card: each has exactly one gap.
            return [("card", card) for card in sorted(self.hands[self.on_turn])]
        if self.phase == "TAKE":  # Compulsory, and not the card just played.
            return [("take", "lower"), ("take", "upper")]
        if self.phase == "PLACE":
            return self._place_moves()
        if self.phase == "DRAW":  # Only if both piles have cards.
            return [("draw", "face_up"), ("draw", "face_down")]
        return []

    def _place_moves(self) -> list[Move]:
        """List where the card taken may go."""
        card = self.taken
        display = self.displays[self.on_turn]
        moves: list[Move] = [
            ("append", place)
            for place, column in enumerate(display)
            if column.place_of(card, self.options.insert) is not None
        ]
        if len(display) < self.options.columns:  # Also if it fits elsewhere.
            moves.append(("new",))
        if self.options.give_up == "free" or not moves:
            # Else voluntarily, with a place still free, and with a single card too.
            moves += [("give_up", place) for place in range(len(display))]
        return moves

    def apply(self, move: Move) -> None:
        """Carry out a move of the seat on turn, one of ``legal_moves()``."""
        match move:
            case ("card", int(card)):
                self._play(card)
            case ("take", str(side)):
                self._take(side)
            case ("draw", str(pile)):
                self._draw(self.face_up if pile == "face_up" else self.face_down)
            case _:
                self._place(move)

    def _play(self, card: int) -> None:
        """Play a hand card into the circle.

        Ascending order puts a card beyond either end between the lowest and the highest one.
        """
        self.hands[self.on_turn].remove(card)
        self.circle = sorted([*self.circle, card])
        self.laid = card
        self.phase = "TAKE"

    def _take(self, side: str) -> None:
        """Take one of the two neighbours of the card just played.

        The circle is closed: its highest card lies next to its lowest.
        """
        place = self.circle.index(self.laid)
        self.taken = self.circle[(place + (1 if side == "upper" else -1)) % len(self.circle)]
        self.circle.remove(self.taken)
        self.laid = None
        self.phase = "PLACE"

    def _place(self, move: Move) -> None:
        """Add the card taken to the own display."""
        card = self.taken
        display = self.displays[self.on_turn]
        match move:
            case ("append", int(place)):
                cards = display[place].cards
                before = display[place].place_of(card, self.options.insert)
                self.note(insert=before < len(cards))
                cards.insert(before, card)
            case ("give_up", int(place)):
                self._give_up(place)
                display[place] = Column([card])  # The card starts the new column.
            case _:
                display.append(Column([card]))
        self.taken = None
        self.totals[self.on_turn] = self.score(self.on_turn)
        self._prepare_draw()

    def _give_up(self, place: int) -> None:
        """Put a column on the own discard pile."""
        column = self.displays[self.on_turn][place]
        self.discards[self.on_turn] += column.cards
        self.metrics["columns_given_up"] += 1
        self.metrics["cards_discarded"] += len(column.cards)
        self.note_unusual("discard_points")

    def _prepare_draw(self) -> None:
        """Ask for a pile if both have cards; draw from the only one left, if any."""
        if self.face_up and self.face_down:
            self.phase = "DRAW"
        elif self.face_up or self.face_down:
            self._draw(self.face_up or self.face_down)
        else:
            self._end_turn()

    def _draw(self, pile: list[int]) -> None:
        """Draw the top card of a pile into the hand."""
        self.hands[self.on_turn].append(pile.pop(0))
        self._end_turn()

    def _end_turn(self) -> None:
        """Pass the turn on, until all hand cards are played.

        If the draw cards did not divide evenly, that cuts the last lap short, which counts as one.
        """
        self.metrics["turns"] += 1
        self.on_turn = self.next_seat(self.on_turn)
        if self.on_turn == self.first_seat or not any(self.hands):
            self._end_lap()
        self.phase = "CARD"
        if not any(self.hands):
            self._end_match()

    def _end_lap(self) -> None:
        """Compare the leaders after a lap of the table with those who led last.

        A lap after which all seats are level is no lead and is passed over.
        """
        self.history.append(list(self.totals))
        if len(set(self.totals)) > 1:
            self.look_who_leads()

    def column_score(self, cards: Sequence[int]) -> int:
        """Score a column: cards of its most frequent colour times cards, or by a house rule."""
        of_colour = Counter(self.colour(card) for card in cards)
        most = max(of_colour.values(), default=0)
        scores: dict[str, int] = {
            "colour_times_length": most * len(cards),
            "length": len(cards),
            "colour": most * most,
        }
        return scores[self.options.scoring]

    def score(self, seat: int) -> int:
        """Score a seat as if the match ended now: columns, and points for each discard.

        The cards of the circle and of the hand score nothing.
        """
        columns = sum(self.column_score(column.cards) for column in self.displays[seat])
        return columns + self.options.discard_points * len(self.discards[seat])

    def _end_match(self) -> None:
        """Score the match; the highest total wins, ties are shared."""
        columns = [column.cards for display in self.displays for column in display]
        self.metrics["longest_column"] = max(len(cards) for cards in columns)
        self.metrics["best_column"] = max(self.column_score(cards) for cards in columns)
        self.end_match(self.seats_ahead())

    def check(self) -> None:
        """Assert what must hold after every move, for debug runs of the driver."""
        held = [card for cards in (*self.hands, *self.discards) for card in cards]
        shown = [card for display in self.displays for column in display for card in column.cards]
        moving = [] if self.taken is None else [self.taken]
        piles = (*self.circle, *self.face_up, *self.face_down)
        if self.phase != "START":  # Every card lies in exactly one place.
            assert sorted((*held, *shown, *moving, *piles)) == self.full_deck()
            assert len(self.circle) == self.options.circle + (self.phase == "TAKE")
        assert self.circle == sorted(self.circle)
        for seat, display in enumerate(self.displays):
            assert len(display) <= self.options.columns
            assert self.totals[seat] == self.score(seat)
            for column in display:
                rises = {upper > lower for lower, upper in pairwise(column.cards)}
                assert len(rises) <= 1
                assert rises <= {column.direction == ASCENDING}
        if self.phase == "MATCH_OVER":  # The oracles.
            laps, more = divmod(self.draw_cards, self.players)
            laps += self.options.hand_cards
            assert self.metrics["turns"] == laps * self.players + more
            assert self.metrics["turns"] == self.cards - self.options.circle
            assert not any(self.hands)
            assert self.winners in (self.leaders, set(range(self.players)))
            for seat, display in enumerate(self.displays):
                in_columns = sum(len(column.cards) for column in display)
                late = (seat - self.first_seat) % self.players
                assert in_columns + len(self.discards[seat]) == laps + (late < more)
