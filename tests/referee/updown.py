"""Referee for UP & DOWN: a slow twin of the compiled kernel, for tests.

Written from the German rule text and the options alone, house rules and dials among them, without
a look at any kernel. It keeps the cards by name, knows every legal move, carries out one move at a
time and scores. It draws no random numbers of its own: the deck, the toss of the U&D card and the
dice come from the driver.

Readings: without a trump the five changes are the same but for the dice. With "may", "keep" comes
after them. A pot that is carried is lost at the end of the match, also of an aborted one. The
leader after the winner of a trick, and the next clockwise after a trick without one, are named
within a round only.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# The order of the colours clockwise on the card is a convention without effect (component 5).
COLOURS = ("ROSE", "FEDER", "MONOKEL", "HUT")
VALUES = tuple(range(2, 13))
UP = "UP"
DOWN = "DOWN"
FACES = (UP, DOWN)
SIDES = 4
HAND_SIZES = {4: 11, 3: 14, 2: 15}
TIE_ROUNDS_AT_MOST = 50
WORDS = {
    "trump": ("dice", "none"),
    "leader_change": ("must", "may"),
    "cancelling": ("all", "eligible"),
    "next_leader": ("clockwise", "winner"),
    "last_pot": ("lost", "carried"),
    "last_trick": ("single", "double"),
}

METRICS = (
    "rounds",
    "tricks",
    "pots",
    "lost_tricks",
    "largest_pot",
    "flips",
    "rotations",
    "rolls",
    "trump_wins",
    "lead_changes",
    "kept",
)

FLIP = ("flip",)
ROLL = ("roll",)
KEEP = ("keep",)
CHANGES = (FLIP, ("rotate", 1), ("rotate", 2), ("rotate", 3), ROLL)

Card = tuple[str, int]
Move = tuple[object, ...]


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


@dataclass(frozen=True)
class Options:
    """The resolved options of a match, named as on the command line."""

    players: int = 4
    rounds: int = 1
    tie_round: bool = False
    seating: str = "opposite"
    hand_cards: int | None = None
    trump: str = "dice"
    leader_change: str = "must"
    cancelling: str = "all"
    next_leader: str = "clockwise"
    last_pot: str = "lost"
    pot_tricks: bool = True
    last_trick: str = "single"

    def __post_init__(self) -> None:
        """Refuse values and combinations that are ruled out."""
        if self.players not in HAND_SIZES:
            raise ValueError(f"players {self.players} is not 2, 3 or 4")
        if not 1 <= self.rounds <= 1000:
            raise ValueError(f"rounds {self.rounds} is not between 1 and 1000")
        if self.seating not in {"opposite", "adjacent"}:
            raise ValueError(f"seating {self.seating!r} is neither 'opposite' nor 'adjacent'")
        if self.seating == "adjacent" and self.players != 2:
            raise ValueError("seating 'adjacent' is for 2 players only")
        self._check_house_rules()

    def _check_house_rules(self) -> None:
        """Refuse house rules that cannot be dealt or played."""
        for name, allowed in WORDS.items():
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} {getattr(self, name)!r} is not among {allowed}")
        if not 1 <= self.hand_size <= len(full_deck()) // self.players:
            raise ValueError(f"hand_cards {self.hand_size} cannot be dealt to {self.players}")
        if self.last_pot == "carried" and not self.pot_tricks:
            raise ValueError("last_pot 'carried' needs pot_tricks")
        if self.last_pot == "carried" and self.rounds == 1 and not self.tie_round:
            raise ValueError("last_pot 'carried' needs a further round")

    @property
    def hand_size(self) -> int:
        """Cards dealt to each player."""
        return HAND_SIZES[self.players] if self.hand_cards is None else self.hand_cards

    def sides(self) -> tuple[int, ...]:
        """Return the side of the U&D card at which each seat sits."""
        if self.players == 2 and self.seating == "opposite":
            return (0, 2)
        return tuple(range(self.players))


class UpdownReferee:
    """State of one match of UP & DOWN, with its legal moves and their effects.

    Parameters
    ----------
    options
        Options by name; one that is left out has its default.

    Attributes
    ----------
    phase
        "START" (a round must be started), "CHANGE", "CARD" or "MATCH_OVER".
    on_turn
        Seat that decides now; without meaning in "START" and "MATCH_OVER".
    leader
        Leader of the trick under way ("Stich-Chef"); None before the first round.
    first_seat
        Leader of the first trick of the match; None before the first round.
    face, rotation, trump
        The trick rules: "UP" or "DOWN"; quarter turns 0-3, so that the colour at side k is number
        (k - rotation) mod 4 of ``COLOURS``; the trump value. None before the first round, and the
        trump throughout when there is none.
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
    round_tricks, totals
        Tricks of each seat in the round and in the match, taken pots included, after every trick.
    rounds_completed, leaders, winners, aborted, metrics
        ``leaders``: seats with the most tricks in the match so far, empty until a trick is won.
    came_into_play
        House rules and dials, by option, without which the match would have gone otherwise so far.
    """

    def __init__(self, options: Mapping[str, object]) -> None:
        self.options = Options(**cast("dict[str, object]", dict(options)))  # type: ignore[arg-type]
        self.players = self.options.players
        self.hand_size = self.options.hand_size
        self.sides = self.options.sides()
        self.phase = "START"
        self.on_turn = 0
        self.leader: int | None = None
        self.first_seat: int | None = None
        self.face: str | None = None
        self.rotation: int | None = None
        self.trump: int | None = None
        self.totals = [0] * self.players
        self.rounds_completed = 0
        self.leaders: set[int] = set()
        self.history: list[list[int]] = []
        self.winners: set[int] = set()
        self.aborted = False
        self.metrics = dict.fromkeys(METRICS, 0)
        self.came_into_play: set[str] = set()
        self.pot = 0
        self._clear_table()

    def _clear_table(self) -> None:
        self.hands: list[set[Card]] = [set() for _ in range(self.players)]
        self.chosen: list[Card | None] = [None] * self.players
        self.played: list[tuple[Card, ...]] = []
        self.trick_winners: list[int | None] = []
        self.aside: list[Card] = []
        if self.options.last_pot == "lost":
            self.pot = 0
        self.round_tricks = [0] * self.players

    # ------------------------------------------------------------------ set-up

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
        if self.phase != "START":
            raise ValueError(f"a round cannot start in phase {self.phase}")
        if sorted(deck) != sorted(full_deck()):
            raise ValueError("the deck is not a permutation of full_deck()")
        if trump not in (VALUES if self.options.trump == "dice" else (None,)):
            raise ValueError(f"trump {trump} does not go with {self.options.trump!r}")
        if face not in FACES:
            raise ValueError(f"face {face!r} is neither 'UP' nor 'DOWN'")
        if rotation not in self.sides:
            raise ValueError(f"with rotation {rotation} ROSE points at no player")
        self._clear_table()
        for seat in range(self.players):
            self.hands[seat] = set(deck[seat * self.hand_size : (seat + 1) * self.hand_size])
        self.aside = list(deck[self.players * self.hand_size :])
        self.trump = trump
        self.face = face
        self.rotation = rotation
        dealt_otherwise = self.hand_size != HAND_SIZES[self.players]
        self._note(hand_cards=dealt_otherwise, trump=trump is None, last_pot=self.pot > 0)
        self._begin_trick(self._seat_of_rose())
        if self.first_seat is None:
            self.first_seat = self.leader

    def _note(self, **house_rules: bool) -> None:
        """Note the house rules that came into play."""
        self.came_into_play |= {option for option, came in house_rules.items() if came}

    def _seat_of_rose(self) -> int:
        """Find the first leader: the seat to which ROSE points."""
        return next(seat for seat in range(self.players) if self.colour_of(seat) == "ROSE")

    def colour_of(self, seat: int) -> str:
        """Return the colour that points at a seat now."""
        return COLOURS[(self.sides[seat] - cast("int", self.rotation)) % SIDES]

    # ------------------------------------------------------------------ legality

    def legal_moves(self) -> list[Move]:
        """List the moves of the seat on turn, in the public order.

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

    # ------------------------------------------------------------------ course of play

    def apply(self, move: Move, throws: Sequence[int] = ()) -> None:
        """Carry out a move of the seat on turn.

        Parameters
        ----------
        move
            One of ``legal_moves()``.
        throws
            For ("roll",), and only then: the sums thrown with both dice, in order. All but the last
            equal the old trump and the last differs from it; throws that were repeated may be left
            out, so that the new trump stands alone.
        """
        moves = self.legal_moves()
        if move not in moves:
            raise ValueError(f"{move} is not legal for seat {self.on_turn} in phase {self.phase}")
        if (move == ROLL) != bool(throws):
            raise ValueError("throws are needed to roll the dice, and only then")
        match move:
            case ("card", str(colour), int(value)):
                self._choose((colour, value))
            case _:
                self._change_rules(move, throws)

    def _begin_trick(self, leader: int) -> None:
        self.leader = leader
        self.on_turn = leader
        self.chosen = [None] * self.players
        self.phase = "CHANGE"

    def _change_rules(self, move: Move, throws: Sequence[int]) -> None:
        """Change exactly one of face, rotation and trump, or keep them all."""
        match move:
            case ("flip",):
                self.face = DOWN if self.face == UP else UP
                self.metrics["flips"] += 1
            case ("rotate", int(quarters)):
                # Clockwise; each of the three gives every player another colour.
                self.rotation = (cast("int", self.rotation) + quarters) % SIDES
                self.metrics["rotations"] += 1
            case ("keep",):
                self.metrics["kept"] += 1
                self._note(leader_change=True)
            case _:
                self.trump = self._new_trump(throws)
                self.metrics["rolls"] += 1
        self.phase = "CARD"
        self.on_turn = 0  # The simultaneous choosers are asked in seat order.

    def _new_trump(self, throws: Sequence[int]) -> int:
        """Throw until the trump is another one; only the last throw counts."""
        *repeated, new_trump = throws
        if new_trump not in VALUES:
            raise ValueError(f"{new_trump} is not the sum of two dice")
        if new_trump == self.trump or any(throw != self.trump for throw in repeated):
            raise ValueError(f"throws {throws} do not end with the first that is not {self.trump}")
        return new_trump

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
        cards = tuple(cast("list[Card]", self.chosen))
        own_colours = [self.colour_of(seat) for seat in range(self.players)]
        rules = (own_colours, self.trump, cast("str", self.face))
        winner = trick_winner(cards, *rules, self.options.cancelling)
        self._note(cancelling=winner != trick_winner(cards, *rules))
        self.metrics["tricks"] += 1
        self.played.append(cards)
        is_double = self.options.last_trick == "double" and len(self.played) == self.hand_size
        self._note(last_trick=is_double)
        worth = 2 if is_double else 1
        self.trick_winners.append(winner)
        self.chosen = [None] * self.players
        if winner is None:
            self.metrics["pots"] += 1
            if self.options.pot_tricks:
                self.pot += worth
            else:
                self.metrics["lost_tricks"] += worth
                self._note(pot_tricks=True)
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
        clockwise = (cast("int", self.leader) + 1) % self.players
        if self.options.next_leader == "clockwise" or winner is None:
            return clockwise
        self._note(next_leader=winner != clockwise)
        return winner

    def _take_trick(self, winner: int, worth: int, *, with_trump: bool) -> None:
        """Book a trick, which is worth one or two, and the pot, in tricks."""
        gain = worth + self.pot
        self.metrics["largest_pot"] = max(self.metrics["largest_pot"], self.pot)
        self.pot = 0
        self.round_tricks[winner] += gain
        self.totals[winner] += gain
        if with_trump:
            self.metrics["trump_wins"] += 1
        leaders = self._seats_with_most()
        if self.leaders and leaders != self.leaders:  # The first won trick does not count.
            self.metrics["lead_changes"] += 1
        self.leaders = leaders

    # ------------------------------------------------------------------ end

    def _seats_with_most(self) -> set[int]:
        most = max(self.totals)
        return {seat for seat, total in enumerate(self.totals) if total == most}

    def _end_round(self) -> None:
        """Give up the pot, or keep it; end the match or have a further round."""
        self.rounds_completed += 1
        self.metrics["rounds"] += 1
        self.phase = "START" if self._goes_on() else "MATCH_OVER"
        if self.phase == "MATCH_OVER":
            self.winners = self._seats_with_most()
        if self.phase == "MATCH_OVER" or self.options.last_pot == "lost":
            self.metrics["lost_tricks"] += self.pot

    def _goes_on(self) -> bool:
        """Tell whether there is a further round, and note when it would be one too many."""
        if self.rounds_completed < self.options.rounds:
            return True
        # With no trick won by anybody all seats have the most, and share or go on.
        if not self.options.tie_round or len(self._seats_with_most()) == 1:
            return False
        # Shared win all the same, as the option tie_round says.
        self.aborted = self.rounds_completed == self.options.rounds + TIE_ROUNDS_AT_MOST
        return not self.aborted

    # ------------------------------------------------------------------ counting

    def cards_in_play(self) -> list[Card]:
        """List all cards wherever they lie: held, chosen, played or aside."""
        return [
            *(card for hand in self.hands for card in hand),
            *(card for card in self.chosen if card is not None),
            *(card for trick in self.played for card in trick),
            *self.aside,
        ]
