"""Referee for UNO H2O To Go: a slow twin of the compiled kernel, for tests.

Written from the German rule text and the options alone, without a look at any kernel. It keeps the
cards by name, knows every legal move, carries out one move at a time and scores. It draws no
random numbers of its own: the first dealer, the order of every deck and of every reshuffle, and
who forgets or notices a call of "UNO" come from the driver.

Where the rules leave an order open, the referee takes this one:

* the deal goes one card at a time, from the dealer's left neighbour clockwise, and the card after
  the last dealt one is turned up;
* the penalty for a forgotten call is drawn at once when the card has been laid, before a colour
  is named and before the next player draws for a Zieh 2 or a Zieh 4.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping, Sequence

COLOURS = ("blue", "green", "red", "yellow")
NUMBERS = tuple(str(value) for value in range(10))
DRAW_TWO = "draw two"  # Zieh 2
REVERSE = "reverse"  # Retour
SKIP = "skip"  # Aussetzen
WILD = "wild"  # Farbenwahl
WILD_DRAW_FOUR = "wild draw four"  # Zieh 4-Farbenwahl

ACTIONS = (DRAW_TWO, REVERSE, SKIP)
WILDS = (WILD, WILD_DRAW_FOUR)

# Per colour one 0, two each of 1 to 9 and of every action; four of each wild.
FACE_OF = {f"{colour} {face}": face for colour in COLOURS for face in (*NUMBERS, *ACTIONS)} | {
    wild: wild for wild in WILDS
}
COLOUR_OF = {card: None if card in WILDS else card.split()[0] for card in FACE_OF}
COPIES = {card: 4 if card in WILDS else 1 if face == "0" else 2 for card, face in FACE_OF.items()}
DECK = tuple(card for card, copies in COPIES.items() for _ in range(copies))
DECK_COUNT = Counter(DECK)

# What cards count.
POINTS = {
    card: 50 if card in WILDS else 20 if face in ACTIONS else int(face)
    for card, face in FACE_OF.items()
}

# What goes on a card, by the colour asked for and that card. A wild
# goes on anything (a Zieh 4 is looked at again); on a wild only the named colour counts.
MATCHING = {
    (colour, top): frozenset(
        card
        for card, face in FACE_OF.items()
        if card in WILDS or COLOUR_OF[card] == colour or face == FACE_OF[top]
    )
    for colour in COLOURS
    for top in FACE_OF
}

HAND_SIZE = 7
CHALLENGE_EXTRA = 2
UNO_PENALTY = 2

METRICS = (
    "rounds",
    "turns",
    "cards_drawn",
    "reshuffles",
    "wild_draw_fours",
    "bluffs",
    "challenges",
    "caught",
    "uno_penalties",
    "lead_changes",
)

Move = tuple[str, ...]

DRAW: Move = ("draw",)
KEEP: Move = ("keep",)
ACCEPT: Move = ("accept",)
CHALLENGE: Move = ("challenge",)
PLAYS: dict[str, Move] = {card: ("play", card) for card in FACE_OF}
NAMINGS: list[Move] = [("colour", colour) for colour in COLOURS]
CARD_ORDER = {card: position for position, card in enumerate(FACE_OF)}


@dataclass(frozen=True)
class Options:
    """The options of a match with their defaults, named as on the command line."""

    players: int = 4
    target: int = 500
    rounds: int | None = None
    scoring: str = "winner_takes"
    challenge: str = "victim"
    reverse_two_players: str = "skip"
    forget_uno: float | Sequence[float] = 0.0
    notice_uno: float = 1.0
    turn_cap: int = 5000

    def __post_init__(self) -> None:
        """Refuse values that are not allowed."""
        forgetting = [self.forget_probability(seat) for seat in range(self.players)]
        checks = {
            "players": 2 <= self.players <= 10,
            "target": 1 <= self.target <= 100_000,
            "rounds": self.rounds is None or 1 <= self.rounds <= 1000,
            "scoring": self.scoring in {"winner_takes", "own_cards"},
            "challenge": self.challenge in {"victim", "off"},
            "reverse_two_players": self.reverse_two_players in {"skip", "none"},
            "forget_uno": all(0 <= probability <= 1 for probability in forgetting),
            "notice_uno": 0 <= self.notice_uno <= 1,
            "turn_cap": self.turn_cap >= 100,
        }
        for name, valid in checks.items():
            if not valid:
                raise ValueError(f"{name} = {getattr(self, name)!r} is not allowed")

    def forget_probability(self, seat: int) -> float:
        """Give the probability that a seat forgets to call "UNO"."""
        if isinstance(self.forget_uno, int | float):
            return self.forget_uno
        if len(self.forget_uno) != self.players:
            raise ValueError("forget_uno needs one number, or one per seat")
        return self.forget_uno[seat]


class UnoReferee:
    """State of one match of UNO, with its legal moves and their effects.

    Parameters
    ----------
    options
        Options by name; those left out have their defaults.
    first_dealer
        Seat of the first dealer.
    shuffle
        Gets a list of cards and returns them in their new draw order, next card first. Called
        when the discards become the stock and when a Zieh 4 that was turned up at the
        start goes back (the list is then the whole stock, that card included).

    Attributes
    ----------
    phase
        "START" (a round must be started), "PLAY", "DRAWN", "COLOUR", "CHALLENGE", "MATCH_OVER".
    on_turn
        Seat that decides now; without meaning in "START" and "MATCH_OVER".
    dealer, first_seat
        Dealer of the round begun last; left neighbour of the first dealer of the match.
    direction
        1 clockwise (to the left), -1 counter-clockwise.
    hands
        Cards by seat, in the order of their coming.
    stock, discards
        The next card to draw is ``stock[0]``; the top of the discard pile is ``discards[-1]``.
    colour
        The colour to be matched: of the top card, or as named; None until a wild has its colour.
    drawn_card
        The card that may be played or kept in phase "DRAWN"; otherwise None.
    challenged, bluffed
        In "CHALLENGE", and in the "COLOUR" before it: who laid the Zieh 4, and was it illegal.
    opening
        The colour to be named in "COLOUR" is that of a wild turned up at the start.
    round_turns, idle_turns
        Turns of this round, and how many of the last ones brought neither play nor draw.
    totals, leaders, winners, aborted, metrics
        Results so far; ``leaders`` are the seats in the lead after the last completed round.
    """

    def __init__(
        self,
        options: Mapping[str, object],
        first_dealer: int,
        shuffle: Callable[[list[str]], Sequence[str]],
    ) -> None:
        self.options = Options(**cast("dict[str, object]", dict(options)))  # type: ignore[arg-type]
        self.players = self.options.players
        if not 0 <= first_dealer < self.players:
            raise ValueError(f"first_dealer {first_dealer} is not one of {self.players} seats")
        self.shuffle = shuffle
        self.phase = "START"
        self.dealer = first_dealer
        self.first_seat = (first_dealer + 1) % self.players
        self.on_turn = self.first_seat
        self.totals = [0] * self.players
        self.leaders: set[int] = set()
        self.history: list[list[int]] = []
        self.winners: set[int] = set()
        self.aborted = False
        self.metrics = dict.fromkeys(METRICS, 0)
        self._clear_table()

    def _clear_table(self) -> None:
        self.direction = 1
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.stock: list[str] = []
        self.discards: list[str] = []
        self.colour: str | None = None
        self.drawn_card: str | None = None
        self.challenged: int | None = None
        self.bluffed = False
        self.opening = False
        self.round_turns = 0
        self.idle_turns = 0

    # ------------------------------------------------------------------ set-up

    def start_round(self, deck: Sequence[str]) -> None:
        """Begin a round with a shuffled deck, up to the first decision.

        Parameters
        ----------
        deck
            All 108 cards in the order in which they are dealt, turned up and drawn.
        """
        if self.phase != "START":
            raise ValueError(f"a round cannot start in phase {self.phase}")
        if Counter(deck) != DECK_COUNT:
            raise ValueError("the deck is not a permutation of DECK")
        if self.metrics["rounds"]:
            self.dealer = (self.dealer + 1) % self.players
        self._clear_table()
        dealt = HAND_SIZE * self.players
        for step in range(self.players):
            seat = (self.dealer + 1 + step) % self.players
            self.hands[seat] = list(deck[step : dealt : self.players])
        self.stock = list(deck[dealt:])
        while self.stock[0] == WILD_DRAW_FOUR:
            self.stock = self._shuffled(self.stock)
        self.discards = [self.stock.pop(0)]
        self.colour = COLOUR_OF[self.discards[0]]
        self._apply_turned_up(FACE_OF[self.discards[0]])

    def _apply_turned_up(self, face: str) -> None:
        """Let the first card of the discard pile take effect."""
        left = self._seat_after(self.dealer)
        if face == DRAW_TWO:
            self._draw(left, 2)
            self._begin_turn(self._seat_after(left))
        elif face == SKIP:
            self._begin_turn(self._seat_after(left))
        elif face == REVERSE:
            # The dealer begins, then his right neighbour; with two players too.
            self.direction = -1
            self._begin_turn(self.dealer)
        elif face == WILD:
            self.phase = "COLOUR"
            self.on_turn = left
            self.opening = True
        else:
            self._begin_turn(left)

    # ------------------------------------------------------------------ legality

    def legal_moves(self) -> list[Move]:
        """List the different moves of the seat on turn; a player may have but one.

        PLAY: ("play", card) in the order of ``FACE_OF``, then ("draw",). DRAWN: ("play", card),
        ("keep",). COLOUR: ("colour", name) in the order of ``COLOURS``. CHALLENGE: ("accept",),
        ("challenge",).
        """
        if self.phase == "PLAY":
            # Any card that goes, or draw, also of one's own free will.
            playable = self._playable(self.hands[self.on_turn])
            return [PLAYS[card] for card in sorted(playable, key=CARD_ORDER.__getitem__)] + [DRAW]
        if self.phase == "DRAWN":
            return [PLAYS[cast("str", self.drawn_card)], KEEP]
        if self.phase == "COLOUR":
            return list(NAMINGS)
        if self.phase == "CHALLENGE":
            return [ACCEPT, CHALLENGE]
        return []

    def _playable(self, cards: list[str]) -> frozenset[str]:
        """Give the different cards among some of the seat on turn that may be laid."""
        playable = MATCHING[cast("str", self.colour), self.discards[-1]].intersection(cards)
        if (
            WILD_DRAW_FOUR in playable
            and self.options.challenge == "off"  # with "victim" it may be a bluff
            and self.holds_colour(self.on_turn)
        ):
            return playable - {WILD_DRAW_FOUR}
        return playable

    def holds_colour(self, seat: int) -> bool:
        """Tell whether a hand has a card of the colour asked for, so that a Zieh 4 is illegal.

        Action cards of the colour count; wilds, and matching numbers and actions of another
        colour, do not. A card just drawn is part of the hand.
        """
        return any(COLOUR_OF[card] == self.colour for card in self.hands[seat])

    def calls_uno(self, move: Move) -> bool:
        """Tell whether a legal move will leave its seat one card."""
        return move[0] == "play" and len(self.hands[self.on_turn]) == 2

    # ------------------------------------------------------------------ course of play

    def apply(self, move: Move, *, forgets: bool = False, noticed: bool = False) -> None:
        """Carry out a move of the seat on turn.

        Parameters
        ----------
        move
            One of ``legal_moves()``.
        forgets
            The seat forgets to call "UNO"; only with a move for which ``calls_uno`` is true.
        noticed
            The forgotten call is noticed before the next turn.
        """
        if move not in self.legal_moves():
            raise ValueError(f"{move} is not legal for seat {self.on_turn} in phase {self.phase}")
        if forgets and not self.calls_uno(move):
            raise ValueError(f"{move} calls for no UNO that could be forgotten")
        if noticed and not forgets:
            raise ValueError("nothing was forgotten that could be noticed")
        self.carry_out(move, penalised=forgets and noticed)

    def carry_out(self, move: Move, *, penalised: bool = False) -> None:
        """Carry out a move without a look at its legality."""
        action = move[0]
        if action == "play":
            self._play(move[1], penalised=penalised)
        elif action == "draw":
            self._draw_for_turn()
        elif action == "keep":
            self.drawn_card = None
            self._begin_turn(self._seat_after(self.on_turn))
        elif action == "colour":
            self._name(move[1])
        else:
            self._resolve_wild_draw_four(challenges=action == "challenge")

    def _begin_turn(self, seat: int) -> None:
        """Give the turn to a seat, unless the match is aborted instead of it.

        The cap is met when that many turns are over and the round is not. A lap in which
        nobody could play or draw, or would play, aborts too.
        """
        if self.round_turns >= self.options.turn_cap or self.idle_turns >= self.players:
            self.aborted = True
            self.phase = "MATCH_OVER"
            return
        self.on_turn = seat
        self.phase = "PLAY"
        self.round_turns += 1
        self.metrics["turns"] += 1

    def _draw_for_turn(self) -> None:
        """Draw one card, which alone may still be played in this turn."""
        if not self._draw(self.on_turn, 1):
            self.idle_turns += 1  # nothing to draw: the turn passes
            self._begin_turn(self._seat_after(self.on_turn))
            return
        self.idle_turns = 0
        card = self.hands[self.on_turn][-1]
        if self._playable([card]):
            self.drawn_card = card
            self.phase = "DRAWN"
        else:
            self._begin_turn(self._seat_after(self.on_turn))

    def _play(self, card: str, *, penalised: bool) -> None:
        """Lay a card from the hand, with all that follows up to the next decision."""
        seat = self.on_turn
        hand = self.hands[seat]
        hand.remove(card)
        self.drawn_card = None
        self.idle_turns = 0
        if card == WILD_DRAW_FOUR:
            # Legal or not is settled by the other cards and the colour before it.
            self.challenged = seat
            self.bluffed = self.holds_colour(seat)
            self.metrics["wild_draw_fours"] += 1
            self.metrics["bluffs"] += self.bluffed
        self.discards.append(card)
        self.colour = COLOUR_OF[card]
        if not hand:
            self._finish(card)
            return
        if penalised:
            self.metrics["uno_penalties"] += 1
            self._draw(seat, UNO_PENALTY)
        if self.colour is None:
            self.phase = "COLOUR"
        else:
            self._take_effect(FACE_OF[card])

    def _take_effect(self, face: str) -> None:
        """Let a coloured card take effect and begin the next turn."""
        following = self._seat_after(self.on_turn)
        if face == DRAW_TWO:
            self._draw(following, 2)  # and misses the turn; no stacking
            self._begin_turn(self._seat_after(following))
        elif face == SKIP:
            self._begin_turn(self._seat_after(following))
        elif face == REVERSE:
            self.direction = -self.direction
            if self.players == 2 and self.options.reverse_two_players == "skip":
                self._begin_turn(self.on_turn)
            else:
                self._begin_turn(self._seat_after(self.on_turn))
        else:
            self._begin_turn(following)

    def _name(self, colour: str) -> None:
        """Name the colour of a wild."""
        self.colour = colour
        if self.opening:
            self.opening = False
            self._begin_turn(self.on_turn)  # who named it plays first
        elif self.discards[-1] == WILD:
            self._begin_turn(self._seat_after(self.on_turn))
        else:
            self.on_turn = self._seat_after(self.on_turn)  # only the victim may challenge
            if self.options.challenge == "victim":
                self.phase = "CHALLENGE"
            else:
                self._resolve_wild_draw_four(challenges=False)

    def _resolve_wild_draw_four(self, *, challenges: bool) -> None:
        """Let the victim, or the one caught, draw for a Zieh 4."""
        victim = self.on_turn
        offender, caught = cast("int", self.challenged), challenges and self.bluffed
        self.challenged = None
        self.bluffed = False
        self.metrics["challenges"] += challenges
        self.metrics["caught"] += caught
        if caught:
            self._draw(offender, 4)
            self._begin_turn(victim)  # card and colour stand, the turn is normal
        else:
            self._draw(victim, 4 + CHALLENGE_EXTRA * challenges)
            self._begin_turn(self._seat_after(victim))

    def _draw(self, seat: int, count: int) -> int:
        """Let a seat draw as many of some cards as there are, and tell how many."""
        drawn = 0
        while drawn < count and (self.stock or self._renew_stock()):
            self.hands[seat].append(self.stock.pop(0))
            drawn += 1
        self.metrics["cards_drawn"] += drawn
        return drawn

    def _renew_stock(self) -> bool:
        """Make the discards but the top one the stock, if there are any."""
        if len(self.discards) == 1:
            return False
        self.stock = self._shuffled(self.discards[:-1])
        self.discards = self.discards[-1:]
        self.metrics["reshuffles"] += 1
        return True

    def _shuffled(self, cards: list[str]) -> list[str]:
        shuffled = list(self.shuffle(list(cards)))
        if sorted(shuffled) != sorted(cards):
            raise ValueError("shuffle() returned other cards than it got")
        return shuffled

    # ------------------------------------------------------------------ scoring

    def _finish(self, last: str) -> None:
        """End the round with a hand emptied; a last Zieh 2 or 4 still bites."""
        self.challenged = None
        self.bluffed = False
        due = {DRAW_TWO: 2, WILD_DRAW_FOUR: 4}.get(FACE_OF[last], 0)
        self._draw(self._seat_after(self.on_turn), due)
        points = [sum(POINTS[card] for card in hand) for hand in self.hands]
        if self.options.scoring == "own_cards":
            self.totals = [total + own for total, own in zip(self.totals, points, strict=True)]
            best = min(self.totals)
        else:
            self.totals[self.on_turn] += sum(points)
            best = max(self.totals)
        leaders = {seat for seat, total in enumerate(self.totals) if total == best}
        if self.metrics["rounds"] and leaders != self.leaders:
            self.metrics["lead_changes"] += 1
        self.leaders = leaders
        self.history.append(list(self.totals))
        self.metrics["rounds"] += 1
        self.phase = "START"
        if self._is_match_over():
            self.phase = "MATCH_OVER"
            self.winners = set(leaders)

    def _is_match_over(self) -> bool:
        """Tell whether the fixed rounds are played or the target is reached."""
        if self.options.rounds is not None:
            return self.metrics["rounds"] == self.options.rounds
        return max(self.totals) >= self.options.target

    # ------------------------------------------------------------------ counting

    def _seat_after(self, seat: int) -> int:
        return (seat + self.direction) % self.players

    def cards_in_play(self) -> Counter[str]:
        """Count all cards wherever they lie: the whole deck, from the first round on."""
        return Counter(card for pile in (*self.hands, self.stock, self.discards) for card in pile)


def play_random(
    options: Mapping[str, object],
    random_source: random.Random,
    watch: Callable[[UnoReferee], None] | None = None,
) -> dict[str, int]:
    """Play a whole match with uniformly random moves.

    Parameters
    ----------
    options
        Options by name; those left out have their defaults.
    random_source
        Source of the dealer, the decks, the moves, the forgetting and the noticing.
    watch
        Called with the referee after every action, for checks and counts.

    Returns
    -------
    dict
        ``first_seat``, ``winners`` (bit i for seat i, 0 if aborted), ``score_i`` for every seat,
        ``aborted``, every metric, and ``decisions``: those with two or more moves.
    """
    uniform = random_source.random

    def shuffle(cards: list[str]) -> list[str]:
        random_source.shuffle(cards)
        return cards

    first_dealer = random_source.randrange(cast("int", options.get("players", 4)))
    referee = UnoReferee(options, first_dealer, shuffle)
    forget = [referee.options.forget_probability(seat) for seat in range(referee.players)]
    decisions = 0
    while referee.phase != "MATCH_OVER":
        if referee.phase == "START":
            referee.start_round(shuffle(list(DECK)))
        else:
            moves = referee.legal_moves()
            decisions += len(moves) > 1
            move = moves[int(uniform() * len(moves))]
            penalised = (
                referee.calls_uno(move)
                and uniform() < forget[referee.on_turn]
                and uniform() < referee.options.notice_uno
            )
            referee.carry_out(move, penalised=penalised)
        if watch is not None:
            watch(referee)
    return {
        "first_seat": referee.first_seat,
        "winners": sum(1 << seat for seat in referee.winners),
        **{f"score_{seat}": total for seat, total in enumerate(referee.totals)},
        "aborted": int(referee.aborted),
        **referee.metrics,
        "decisions": decisions,
    }
