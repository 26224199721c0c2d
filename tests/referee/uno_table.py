"""The table of the referee for UNO H2O To Go: hands, stock and discards, dealing and drawing.

What may be done with the cards, and what follows from it, is in `uno.py`, beside this file.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, cast

from tests.referee.uno_cards import COLOUR_OF, USUAL, WILD_DRAW_FOUR, Options

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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
    "stacks",
    "largest_stack",
    "jump_ins",
    "swaps",
)


class UnoTable:
    """What lies on the table of one match of UNO, and how it is dealt, drawn and counted.

    Parameters
    ----------
    options
        Options by name; those left out have their defaults.
    first_dealer
        Seat of the first dealer.
    shuffle
        Gets a list of cards and returns them in their new draw order, next card first. Called
        when the discards become the stock, when a Zieh 4 that was turned up at the
        start goes back (the list is then the whole stock, that card included), and when nothing
        but those is left to turn up (the list is then the whole deck, which is dealt anew).

    Attributes
    ----------
    phase
        "START" (a round must be started), "PLAY", "DRAWN", "COLOUR", "CHALLENGE", "STACK",
        "JUMP", "SWAP", "PAIR", "MATCH_OVER".
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
        In "CHALLENGE", and in the "COLOUR" before it: who laid the Zieh 4, and was it illegal;
        None for one laid on a stack, which is always legal.
    due
        How many cards the top card, or the stack below it, makes draw, until it is settled.
    jumpers, following
        In "JUMP": seats that may still jump in, next first, and the seat on turn if none does.
    opening
        What takes effect is the card turned up at the start: nobody jumps in upon it, and who
        names its colour plays first.
    drew
        How many cards each seat drew by the last move (or before the first, by what was turned
        up); 0 where none was left for who had to, and only those that had to or would.
    came_into_play
        House rules and dials, by option, without which the match would have gone otherwise so far.
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
        self.deck_count = Counter(self.options.deck())
        self.points = {card: self.options.points(card) for card in COLOUR_OF}
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
        self.came_into_play: set[str] = set()
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
        self.due = 0
        self.jumpers: list[int] = []
        self.following = 0
        self.opening = True
        self.drew = Counter[int]()
        self.round_turns = 0
        self.idle_turns = 0

    def _note(self, **in_play: bool) -> None:
        """Note the house rules that came into play."""
        self.came_into_play |= {option for option, came in in_play.items() if came}

    # ------------------------------------------------------------------ dealing and drawing

    def _deal(self, deck: Sequence[str]) -> None:
        """Deal the hands and turn up the first card, which is no Zieh 4."""
        dealt = self.options.hand_size * self.players
        self._note(hand_size=self.options.hand_size != USUAL.hand_size)
        self.came_into_play |= self.options.other_copies()
        while set(deck[dealt:]) == {WILD_DRAW_FOUR}:
            deck = self._shuffled(deck)
        for step in range(self.players):
            seat = (self.dealer + 1 + step) % self.players
            self.hands[seat] = list(deck[step : dealt : self.players])
        self.stock = list(deck[dealt:])
        while self.stock[0] == WILD_DRAW_FOUR:
            self.stock = self._shuffled(self.stock)
        self.discards = [self.stock.pop(0)]
        self.colour = COLOUR_OF[self.discards[0]]

    def _draw(self, seat: int, count: int) -> int:
        """Let a seat draw as many of some cards as there are, and tell how many."""
        drawn = 0
        while drawn < count and (self.stock or self._renew_stock()):
            self.hands[seat].append(self.stock.pop(0))
            drawn += 1
        if count:
            self.drew[seat] += drawn
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

    def _shuffled(self, cards: Sequence[str]) -> list[str]:
        shuffled = list(self.shuffle(list(cards)))
        if sorted(shuffled) != sorted(cards):
            raise ValueError("shuffle() returned other cards than it got")
        return shuffled

    # ------------------------------------------------------------------ scoring

    def _count_cards(self) -> None:
        """Score the round that the seat on turn has ended, and with it perhaps the match."""
        points = [sum(self.points[card] for card in hand) for hand in self.hands]
        left = {card for hand in self.hands for card in hand}
        self._note(action_points=any(self.points[card] != USUAL.points(card) for card in left))
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
