"""The table of the referee for UNO H2O To Go: hands, stock and discards, dealing and drawing.

What may be done with the cards, and what follows from it, is in `uno.py`, beside this file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.referee.match import Referee
from tests.referee.uno_cards import COLOUR_OF, COPIES, USUAL, USUAL_CARDS, WILD_DRAW_FOUR, Cards


class UnoTable(Referee):
    """What lies on the table of one match of UNO, and how it is dealt, drawn and counted.

    Parameters
    ----------
    options
        As of every referee.
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
        "PLAY", "DRAWN", "COLOUR", "CHALLENGE", "STACK", "JUMP", "SWAP" or "PAIR" within a round.
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
    round_turns, idle_turns
        Turns of this round, and how many of the last ones brought neither play nor draw.
    """

    usual = USUAL

    def __init__(
        self,
        options: Mapping[str, Any],
        first_dealer: int,
        shuffle: Callable[[list[str]], Sequence[str]],
    ) -> None:
        self.first_seat = (first_dealer + 1) % options["players"]
        super().__init__(options, self.first_seat)
        self.cards = Cards(self.options)
        self.deck = self.cards.deck()
        self._check_deck()
        self.points = {card: self.cards.points(card) for card in COLOUR_OF}
        self.shuffle = shuffle
        self.dealer = first_dealer
        self._clear_table()

    def _check_deck(self) -> None:
        """Make sure that options go together."""
        given = self.options
        assert len(self.deck) > self.players * given.hand_size, "nothing could be turned up"
        assert set(self.deck) != {WILD_DRAW_FOUR}
        assert given.last_card == "any" or given.zeros or given.numbers
        assert given.rounds is not None or any(map(self.cards.points, self.deck))

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

    def _deal(self, deck: Sequence[str]) -> None:
        """Deal the hands and turn up the first card, which is no Zieh 4."""
        dealt = self.options.hand_size * self.players
        self.note_unusual("hand_size", *COPIES)
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
        assert sorted(shuffled) == sorted(cards)
        return shuffled

    def _count_cards(self) -> None:
        """Score the round that the seat on turn has ended, and with it perhaps the match."""
        points = [sum(self.points[card] for card in hand) for hand in self.hands]
        left = {card for hand in self.hands for card in hand}
        self.note(action_points=any(self.points[card] != USUAL_CARDS.points(card) for card in left))
        own_cards = self.options.scoring == "own_cards"
        if own_cards:
            self.totals = [total + left for total, left in zip(self.totals, points, strict=True)]
        else:
            self.totals[self.on_turn] += sum(points)
        self.look_who_leads(lowest=own_cards)
        self.history.append(list(self.totals))
        self.metrics["rounds"] += 1
        self.phase = "START"
        if self._is_match_over():
            self.end_match(set(self.leaders))

    def _is_match_over(self) -> bool:
        """Tell whether the fixed rounds are played or the target is reached."""
        if self.options.rounds is not None:
            return self.metrics["rounds"] == self.options.rounds
        return max(self.totals) >= self.options.target

    def _seat_after(self, seat: int) -> int:
        return (seat + self.direction) % self.players

    def cards_in_play(self) -> Counter[str]:
        """Count all cards wherever they lie: the whole deck, from the first round on."""
        return Counter(card for pile in (*self.hands, self.stock, self.discards) for card in pile)
