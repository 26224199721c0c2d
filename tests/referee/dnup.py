"""The referee of dnup (`match.py` says what a referee is).

It is given who is dealt which card, and which way up. It lists moves in the public order.

Readings: a pass is no decision, and not in the list of moves, which is empty then (`pass_turn`).
With `round_start = winner` the first round is still started by the star card's holder. Without
action D or C the others keep their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from tests.referee.dnup_decks import DECKS, IN_PLAY_FROM, Card, card_names, check_deck
from tests.referee.match import Move, Referee

Place = tuple[int, int]
"""A seat and one of its areas, 1 or 2; with three or more players always 1."""


class Held(NamedTuple):
    """A card as it is held or lies: its name and its two values, the active one first."""

    name: str
    active: int
    other: int

    def turned(self) -> Held:
        """Give the card turned by 180 degrees."""
        return Held(self.name, self.other, self.active)


USUAL = {"first_out_markers": 2, "second_out_markers": 1}
"""House rules and dials, and what the rule text says."""


class DnupReferee(Referee):
    """State of one match of dnup, with its legal moves and their effects.

    Parameters
    ----------
    options
        As of every referee.
    deck
        The 40 cards (two values, symbol, star) when the option `deck` is neither "a" nor "c".

    Attributes
    ----------
    deck, names
        The cards, and by the same index their names: "2/9", the star card "1/5*", and "1/9'" for
        the second copy of a card.
    in_play
        Names of the cards that stay in with this number of players, in the order of the deck.
    phase
        "ACTION" or "PICK" within a round.
    area
        The area that the action of the seat on turn is for (always 1 with three or more players).
    pending
        In "PICK" the action whose cards are to be picked.
    hands
        By seat, in the order in which the cards came to it.
    tables
        The sets that lie on the table, by place, in the order in which their cards were laid.
    discards
        Names of the cards discarded in this round.
    out
        Seat that has played its last card in this round (3 to 5 players), or None.
    first_out
        Seat that was the first to do so in the last round that somebody went out of, or None.
    round_turns
        Actions in this round.
    round_gains
        By seat: markers (2 players: rounds won) that the round under way brought.
    """

    usual = USUAL

    def __init__(
        self, options: Mapping[str, Any], deck: Iterable[Sequence[Any]] | None = None
    ) -> None:
        super().__init__(options)
        given = self.options
        self.goal: int = given.rounds_to_win if self.players == 2 else given.markers_to_win
        assert self.players == 2 or given.first_out_markers or given.second_out_markers
        rows = DECKS[given.deck] if deck is None else deck
        self.deck = [Card(*row) for row in rows]
        check_deck(self.deck)
        self.names = card_names(self.deck)
        self._printed = dict(zip(self.names, self.deck, strict=True))
        self.in_play = [
            name
            for name, card in self._printed.items()
            if IN_PLAY_FROM[card.symbol] <= self.players
        ]
        self.star_name = next(name for name, card in self._printed.items() if card.star)
        self.area = 1
        self.first_seat: int | None = None
        self.first_out: int | None = None
        self._clear_table()

    def _clear_table(self) -> None:
        self.hands: list[list[Held]] = [[] for _ in range(self.players)]
        self.tables: dict[Place, list[Held]] = {}
        self.discards: list[str] = []
        self.pending: Move = ()
        self.out: int | None = None
        self.round_turns = 0
        self.round_gains = [0] * self.players

    def start_round(self, dealt: Sequence[Sequence[tuple[str, bool]]]) -> None:
        """Begin a round, up to the first decision.

        Parameters
        ----------
        dealt
            By seat, the names of its cards and whether each is upright (first value active).
        """
        self._check_deal(dealt)
        self._clear_table()
        for hand, cards in zip(self.hands, dealt, strict=True):
            for name, upright in cards:
                card = Held(name, self._printed[name].first, self._printed[name].second)
                hand.append(card if upright else card.turned())
        self.metrics["rounds"] += 1
        starter = self._starter()
        if self.first_seat is None:
            self.first_seat = starter
        self._begin_action(starter, area=2 if self.players == 2 else 1)

    def _starter(self) -> int:
        """Find who begins the round; with 2 players that is for area 2."""
        # The star holder begins, whichever way up.
        holder = next(
            seat
            for seat, hand in enumerate(self.hands)
            if any(card.name == self.star_name for card in hand)
        )
        if self.options.round_start == "star" or self.first_out is None:
            return holder
        self.note(round_start=self.first_out != holder)
        return self.first_out

    def _check_deal(self, dealt: Sequence[Sequence[tuple[str, bool]]]) -> None:
        names = Counter(name for cards in dealt for name, _ in cards)
        assert names == Counter(self.in_play), "the cards dealt are not those in play"
        least, extra = divmod(len(self.in_play), self.players)
        # Extra cards go to neighbouring seats, one each.
        sizes = [
            [least + ((seat - first) % self.players < extra) for seat in range(self.players)]
            for first in range(self.players)
        ]
        assert [len(cards) for cards in dealt] in sizes, "the cards are not dealt evenly"

    def legal_moves(self) -> list[Move]:
        """List the moves of the seat on turn.

        ("play", value, size): action A; ("turn",): D; ("add", seat, area): B; ("take", seat,
        area): C; and in "PICK" ("pick", names), the names in the order of the hand. None if the
        seat on turn must pass.
        """
        if self.phase == "PICK":
            return self._picks()
        if self.phase == "ACTION":
            turns: list[Move] = [("turn",)] if self.options.turn_hand else []
            takes = self._takes() if self.options.take_up else []
            return [*self._plays(), *turns, *self._adds(), *takes]
        return []

    def _plays(self) -> list[Move]:
        """List the sets that may be laid, by size, then value."""
        counts = Counter(card.active for card in self.hands[self.on_turn])
        return [
            ("play", value, size)
            for size in range(1, max(counts.values()) + 1)
            for value in sorted(counts)
            if counts[value] >= size and self._may_stand(value, size)
        ]

    def _adds(self) -> list[Move]:
        """List the sets of others to which a card of the hand may be added."""
        values = {card.active for card in self.hands[self.on_turn]}
        return [
            ("add", *place)
            for place in self._targets()
            if self.set_value(place) in values
            and self._may_stand(self.set_value(place), len(self.tables[place]) + 1)
        ]

    def _takes(self) -> list[Move]:
        """List the sets of others, any of which may be taken up."""
        return [("take", *place) for place in self._targets()]

    def _targets(self) -> list[Place]:
        """List the sets before other persons by size; no two are of a size.

        A set of a player who is out counts, the own other area does not.
        """
        places = [place for place in self.tables if place[0] != self.on_turn]
        return sorted(places, key=lambda place: len(self.tables[place]))

    def _may_stand(self, value: int, size: int) -> bool:
        """Tell whether a set may come to the table: strictly above its rival, or level with it.

        The rival is any set of that size, with 2 players the own other one too;
        with more players there is no own set now.
        """
        rival = self._rival(size)
        if rival is None:
            return True
        least = self.set_value(rival) + (not self.options.equal_beats)
        return value >= least

    def _rival(self, size: int) -> Place | None:
        return next((place for place, cards in self.tables.items() if len(cards) == size), None)

    def set_value(self, place: Place) -> int:
        """Return the value of a set on the table."""
        return self.tables[place][0].active

    def _held_of_value(self, value: int) -> list[Held]:
        return [card for card in self.hands[self.on_turn] if card.active == value]

    def _needed(self, action: Move) -> tuple[int, int]:
        """Return of which value, and how many, cards leave the hand with an action A or B."""
        match action:
            case ("play", int(value), int(size)):
                return value, size
            case ("add", int(seat), int(area)):
                return self.set_value((seat, area)), 1
        raise ValueError(action)

    def _picks(self) -> list[Move]:
        """List the subsets of the cards of the value, physical cards counted apart."""
        value, size = self._needed(self.pending)
        names = [card.name for card in self._held_of_value(value)]
        return [("pick", subset) for subset in combinations(names, size)]

    def apply(self, move: Move) -> None:
        """Carry out a move of the seat on turn, one of ``legal_moves()``."""
        match move:
            case ("pick", names):
                action, self.pending = self.pending, ()
                hand = self.hands[self.on_turn]
                self._lay(action, [card for card in hand if card.name in names])
            case ("play" | "add", *_):
                self._choose_cards(move)
            case ("take", int(seat), int(area)):
                self._take_up((seat, area))
            case _:
                self._turn_hand()

    def pass_turn(self) -> None:
        """Let the seat on turn act without an action, for want of a legal one."""
        assert self.phase == "ACTION"
        self.metrics["passes"] += 1
        self._complete_action(played_out=False)

    def _choose_cards(self, action: Move) -> None:
        """Lay the cards of an action A or B, unless there is a choice among unlike cards."""
        value, size = self._needed(action)
        held = self._held_of_value(value)
        if size < len(held) and len({card.other for card in held}) > 1:
            self.pending = action
            self.phase = "PICK"
        else:
            self._lay(action, held[:size])

    def _lay(self, action: Move, cards: list[Held]) -> None:
        """Carry out action A or B with cards of the hand."""
        seat = self.on_turn
        place = (seat, self.area) if action[0] == "play" else action[1:]
        self.metrics["sets_played" if action[0] == "play" else "cards_added"] += 1
        self.hands[seat] = [card for card in self.hands[seat] if card not in cards]
        played_out = not self.hands[seat]
        grown = self.tables.get(place, []) + cards
        rival = self._rival(len(grown))  # Never the set that grows: that one is smaller still.
        self.tables[place] = grown
        self.count_most("largest_set", len(grown))
        if rival is not None:
            self.note(equal_beats=self.set_value(rival) == grown[0].active)
            self._beat(rival)
        if self.players == 2 and not self.options.win_on_playing:
            played_out = not self.hands[seat]  # The collision comes first.
        self._complete_action(played_out=played_out)

    def _beat(self, place: Place) -> None:
        """Send a beaten set back to its owner's hand, turned, or to the discards."""
        self.metrics["sets_beaten"] += 1
        if place[0] == self.out:
            self._discard(place)
        else:
            self._to_hand(place, place[0])

    def _take_up(self, place: Place) -> None:
        """Carry out action C; there is no hand limit."""
        self.metrics["sets_taken"] += 1
        self._to_hand(place, self.on_turn)
        self._complete_action(played_out=False)

    def _turn_hand(self) -> None:
        """Carry out action D."""
        self.metrics["turns_over"] += 1
        self.hands[self.on_turn] = [card.turned() for card in self.hands[self.on_turn]]
        self._complete_action(played_out=False)

    def _to_hand(self, place: Place, seat: int) -> None:
        """Move a set from the table to a hand: the golden rule, if it is in force."""
        turned = self.options.turn_on_taking
        self.note(turn_on_taking=not turned)
        self.hands[seat] += [card.turned() if turned else card for card in self.tables.pop(place)]

    def _discard(self, place: Place) -> None:
        """Discard the set that lies at a place, if any, cards of others included."""
        self.discards += [card.name for card in self.tables.pop(place, [])]

    def _complete_action(self, *, played_out: bool) -> None:
        """Count the action and see who acts next, or whether the round or the match is over."""
        self.metrics["turns"] += 1
        self.round_turns += 1
        if played_out and self._play_out():
            return
        if self.round_turns >= self.options.turn_cap:
            self._abort()
        elif self.players == 2 and self.area == 1:
            self._begin_action(self.on_turn, area=2)
        else:
            self._begin_action(self._next_seat(), area=1)

    def _next_seat(self) -> int:
        """Find who is on turn next, clockwise.

        A seat that is out is skipped; all others have had a turn then: its set goes.
        """
        seat = self.next_seat(self.on_turn)
        if seat == self.out:
            self._discard((seat, 1))
            seat = self.next_seat(seat)
        return seat

    def _begin_action(self, seat: int, area: int) -> None:
        """Let a seat begin an action by discarding its old set."""
        self.on_turn = seat
        self.area = area
        self._discard((seat, area))
        self.phase = "ACTION"
        self.note(
            take_up=not self.options.take_up and bool(self._targets()),
            turn_hand=not self.options.turn_hand,
        )

    def _play_out(self) -> bool:
        """Reward a seat that has played its last cards; tell whether the round is over."""
        if self.out is None:
            self.first_out = self.on_turn
        if self.players == 2:
            gain, over = 1, True
        elif self.out is None:
            gain, over = self.options.first_out_markers, False
            self.note_unusual("first_out_markers")
        else:
            gain, over = self.options.second_out_markers, True
            self.note_unusual("second_out_markers")
        self.totals[self.on_turn] += gain
        self.round_gains[self.on_turn] += gain
        won = self.totals[self.on_turn] >= self.goal
        if over:
            self.look_who_leads()
            self.phase = "START"
        else:
            self.out = self.on_turn
        if over or won:
            self.history.append(list(self.totals))
        if won:  # At once, also in mid-round, which then is not a completed round.
            self.end_match({self.on_turn})
        return over or won

    def _abort(self) -> None:
        """End the match without a winner; the round under way gives nothing."""
        self.abort()
        self.totals = [
            total - gain for total, gain in zip(self.totals, self.round_gains, strict=True)
        ]

    def card_count(self) -> int:
        """Count all cards wherever they lie."""
        on_table = sum(len(cards) for cards in self.tables.values())
        return sum(len(hand) for hand in self.hands) + on_table + len(self.discards)
