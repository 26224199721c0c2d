"""Referee for Up or down?: a slow twin of the compiled kernel, for tests.

Written from the German rule text and the options alone, without a look at any kernel. It names
the cards by their numbers, knows every legal move, carries out one move at a time and scores. It
draws no random numbers of its own: the start player and the order of the cards come from the
driver.

Where the house rules leave an order open, the referee takes this one: a card can be put into a
column in at most one way under every `insert`, so that this is one move a column, listed by place
as when cards go to the end only. The second card of a column comes to lie after the first under
every `insert`, and settles the direction.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COLOUR_CYCLE = ("yellow", "red", "blue", "pink", "purple", "teal")
CYCLIC = tuple(COLOUR_CYCLE[(card - 1) % 6] for card in range(1, 127))
HIGHEST_CARD = {2: 54, 3: 78, 4: 102, 5: 126, 6: 126}  # By number of players.

ASCENDING = "ascending"
DESCENDING = "descending"

METRICS = (
    "turns",
    "columns_given_up",
    "cards_discarded",
    "longest_column",
    "best_column",
    "lead_changes",
)

Move = tuple[object, ...]


@dataclass(frozen=True)
class Options:
    """The options of a match, named as on the command line.

    ``colours`` says in the rules file where the colour table comes from. The table itself is
    handed to the referee, so that its source means nothing here, apart from a check.
    """

    players: int = 4
    columns: int = 3
    colours: str = "cyclic"
    open_pile: bool = True
    # House rules and dials, not in the rule text.
    hand_cards: int = 3
    circle: int = 6
    highest_card: int | None = None
    insert: str = "end"
    discard_points: int = 1
    give_up: str = "free"
    scoring: str = "colour_times_length"

    def __post_init__(self) -> None:
        """Refuse values that are not allowed, and those that do not go together."""
        if self.players not in HIGHEST_CARD:
            raise ValueError(f"players is {self.players}, but must be 2 to 6")
        if not 1 <= self.columns <= 6:
            raise ValueError(f"columns is {self.columns}, but must be 1 to 6")
        if not (1 <= self.hand_cards <= 8 and 2 <= self.circle <= 12):
            raise ValueError("hand_cards must be 1 to 8, and circle 2 to 12")
        if not max(12, self.players * self.hand_cards + self.circle) <= self.cards <= 126:
            raise ValueError(f"highest_card is {self.cards}: too few cards to deal, or too many")
        if not -10 <= self.discard_points <= 10:
            raise ValueError(f"discard_points is {self.discard_points}, but must be -10 to 10")
        words = {
            "insert": {"end", "both_ends", "anywhere"},
            "give_up": {"free", "forced"},
            "scoring": {"colour_times_length", "length", "colour"},
        }
        for name, allowed in words.items():
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} is {getattr(self, name)}, but must be one of {allowed}")
        if self.scoring == "length" and self.discard_points == 1:
            raise ValueError("every card counts one, wherever it lies")

    @property
    def cards(self) -> int:
        """Give the number of cards in play, which is the highest of them."""
        return HIGHEST_CARD[self.players] if self.highest_card is None else self.highest_card

    @property
    def draw_cards(self) -> int:
        """Give how many cards the two piles have at first."""
        return self.cards - self.players * self.hand_cards - self.circle


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


class UpOrDownReferee:
    """State of one match of Up or down?, with its legal moves and their effects.

    Parameters
    ----------
    options
        The options with their values; those left out have their defaults.
    first_seat
        Seat of the start player.
    colours
        The colour table: 126 names, entry k - 1 for card k. The cyclic one when None.

    Attributes
    ----------
    phase
        "START" (the cards must be dealt), "CARD", "TAKE", "PLACE", "DRAW" or "MATCH_OVER".
    on_turn
        Seat that decides now; without meaning in "START" and "MATCH_OVER".
    hands
        Hand cards by seat, in the order in which they came.
    circle
        The cards of the circle, ascending; in phase "TAKE" there is one more.
    face_up, face_down
        The draw piles, top card first. The driver may change the order of what lies in them.
    displays
        By seat the columns in use, by place. Places are filled from the lowest on and a column
        given up is replaced at once, so that there are never gaps.
    discards
        By seat the cards of the columns that were given up.
    laid, taken
        The card laid into the circle, until a neighbour is taken ("TAKE"), and the card taken,
        until it lies in a column ("PLACE"); None otherwise.
    totals
        Points by seat, counted as if scored now; at the end the scores of the match.
    leaders
        Seats with the most points after the last completed lap that left not all seats level;
        empty before the first such lap.
    winners
        All seats with the most points, when the match is over.
    aborted
        Always False: a match has a fixed number of turns.
    metrics
        The metrics of the match so far. Those of the columns scored, ``longest_column`` and
        ``best_column``, are 0 until the match is over.
    came_into_play
        House rules and dials, by option, without which the match would have gone otherwise so far.
    """

    def __init__(
        self,
        options: Mapping[str, object],
        first_seat: int,
        colours: Sequence[str] | None = None,
    ) -> None:
        self.options = Options(**cast("dict[str, object]", dict(options)))  # type: ignore[arg-type]
        self.players = self.options.players
        if not 0 <= first_seat < self.players:
            raise ValueError(f"first_seat {first_seat} is not one of {self.players} seats")
        if colours is None and self.options.colours != "cyclic":
            raise ValueError("the colours are not cyclic: hand the referee the colour table")
        self.colours = tuple(CYCLIC if colours is None else colours)
        if len(self.colours) != len(CYCLIC) or not 2 <= len(set(self.colours)) <= 12:
            raise ValueError("a colour table has 126 entries and 2 to 12 different names")
        self.first_seat = first_seat
        self.on_turn = first_seat
        self.phase = "START"
        self.hands: list[list[int]] = [[] for _ in range(self.players)]
        self.circle: list[int] = []
        self.face_up: list[int] = []
        self.face_down: list[int] = []
        self.displays: list[list[Column]] = [[] for _ in range(self.players)]
        self.discards: list[list[int]] = [[] for _ in range(self.players)]
        self.laid: int | None = None
        self.taken: int | None = None
        self.totals = [0] * self.players
        self.leaders: set[int] = set()
        self.history: list[list[int]] = []
        self.winners: set[int] = set()
        self.aborted = False
        self.metrics = dict.fromkeys(METRICS, 0)
        always = ("hand_cards", "circle", "highest_card", "give_up", "scoring")
        given = vars(self.options)
        self.came_into_play = {name for name in always if given[name] != getattr(Options, name)}

    # ------------------------------------------------------------------ set-up

    def full_deck(self) -> list[int]:
        """Return all cards in play, unshuffled."""
        return list(range(1, self.options.cards + 1))

    def pile_sizes(self) -> tuple[int, int]:
        """Return the first sizes of the face-down and the face-up pile."""
        rest = self.options.draw_cards
        return rest - rest // 2, rest // 2

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
        if self.phase != "START":
            raise ValueError(f"the cards cannot be dealt in phase {self.phase}")
        dealt = [card for hand in hands for card in hand]
        if sorted((*dealt, *circle, *face_down, *face_up)) != self.full_deck():
            raise ValueError("the cards dealt are not those of full_deck(), once each")
        if [len(hand) for hand in hands] != [self.options.hand_cards] * self.players:
            raise ValueError("every hand must have hand_cards cards")
        if (
            len(circle) != self.options.circle
            or (len(face_down), len(face_up)) != self.pile_sizes()
        ):
            raise ValueError("the circle or a pile has a wrong number of cards")
        self.hands = [list(hand) for hand in hands]
        self.circle = sorted(circle)
        self.face_down = list(face_down)
        self.face_up = list(face_up)
        self.phase = "CARD"

    # ------------------------------------------------------------------ what is seen

    def colour(self, card: int) -> str:
        """Return the colour of a card (component 2)."""
        return self.colours[card - 1]

    def visible_pile_card(self) -> int | None:
        """Return the card that lies openly on a pile: its top one only, if any."""
        return self.face_up[0] if self.options.open_pile and self.face_up else None

    def neighbours(self) -> tuple[int, int]:
        """Return the cards next to the one just laid: lower side, upper side.

        The circle is closed: its highest card lies next to its lowest.
        """
        place = self.circle.index(cast("int", self.laid))
        return self.circle[place - 1], self.circle[(place + 1) % len(self.circle)]

    # ------------------------------------------------------------------ legality

    def legal_moves(self) -> list[Move]:
        """List the moves of the seat on turn, in the public order."""
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
        card = cast("int", self.taken)
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

    # ------------------------------------------------------------------ course of play

    def apply(self, move: Move) -> None:
        """Carry out a move of the seat on turn, one of ``legal_moves()``."""
        if move not in self.legal_moves():
            raise ValueError(f"{move} is not legal for seat {self.on_turn} in phase {self.phase}")
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
        """Take one of the two neighbours of the card just played."""
        lower, upper = self.neighbours()
        self.taken = lower if side == "lower" else upper
        self.circle.remove(self.taken)
        self.laid = None
        self.phase = "PLACE"

    def _place(self, move: Move) -> None:
        """Add the card taken to the own display."""
        card = cast("int", self.taken)
        display = self.displays[self.on_turn]
        match move:
            case ("append", int(place)):
                cards = display[place].cards
                before = cast("int", display[place].place_of(card, self.options.insert))
                if before < len(cards):
                    self.came_into_play.add("insert")
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
        if self.options.discard_points != Options.discard_points:
            self.came_into_play.add("discard_points")

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
        self.on_turn = (self.on_turn + 1) % self.players
        if self.on_turn == self.first_seat or not any(self.hands):
            self._end_lap()
        self.phase = "CARD" if any(self.hands) else "MATCH_OVER"
        if self.phase == "MATCH_OVER":
            self._end_match()

    def _end_lap(self) -> None:
        """Compare the leaders after a lap of the table with those who led last.

        A lap after which all seats are level is no lead and is passed over.
        """
        self.history.append(list(self.totals))
        if len(set(self.totals)) == 1:
            return
        leaders = self._seats_with_most_points()
        if self.leaders and leaders != self.leaders:
            self.metrics["lead_changes"] += 1
        self.leaders = leaders

    # ------------------------------------------------------------------ scoring

    def column_score(self, cards: Sequence[int]) -> int:
        """Score a column: cards of its most frequent colour times cards, or by a house rule."""
        of_colour = Counter(self.colour(card) for card in cards)
        most = max(of_colour.values(), default=0)
        scores = {
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

    def _seats_with_most_points(self) -> set[int]:
        best = max(self.totals)
        return {seat for seat, points in enumerate(self.totals) if points == best}

    def _end_match(self) -> None:
        """Score the match; the highest total wins, ties are shared."""
        columns = [column.cards for display in self.displays for column in display]
        self.metrics["longest_column"] = max(len(cards) for cards in columns)
        self.metrics["best_column"] = max(self.column_score(cards) for cards in columns)
        self.winners = self._seats_with_most_points()

    # ------------------------------------------------------------------ checks

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
            laps, more = divmod(self.options.draw_cards, self.players)
            laps += self.options.hand_cards
            assert self.metrics["turns"] == laps * self.players + more
            assert self.metrics["turns"] == self.options.cards - self.options.circle
            assert not any(self.hands)
            assert self.winners in (self.leaders, set(range(self.players)))
            for seat, display in enumerate(self.displays):
                in_columns = sum(len(column.cards) for column in display)
                late = (seat - self.first_seat) % self.players
                assert in_columns + len(self.discards[seat]) == laps + (late < more)
