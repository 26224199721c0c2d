"""Referee for dnup: a slow twin of the compiled kernel, for tests.

Written from the German rule text and the options alone, house rules and dials among them, without
a look at any kernel. It keeps the cards by name, knows every legal move in the listed order,
carries out one move at a time and scores. It draws no random numbers of its own: who is dealt which
card, and which way up, comes from the driver.

Readings: a pass is no decision, and not in the list of moves, which is empty then (`pass_turn`).
With `round_start = winner` the first round is still started by the star card's holder. Without
action D or C the others keep their order.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, cast

from tests.referee.dnup_decks import DECKS, IN_PLAY_FROM, Card, card_names, check_deck
from tests.referee.dnup_options import FIRST_OUT_MARKERS, SECOND_OUT_MARKERS, Options

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

METRICS = (
    "rounds",
    "turns",
    "sets_played",
    "cards_added",
    "sets_taken",
    "turns_over",
    "sets_beaten",
    "largest_set",
    "lead_changes",
    "passes",
)

Move = tuple[object, ...]
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


class DnupReferee:
    """State of one match of dnup, with its legal moves and their effects.

    Parameters
    ----------
    options
        Options; those left out (or None) have their defaults.
    deck
        The 40 cards (two values, symbol, star) when ``options["deck"]`` is neither "a" nor "c".
        Given, they always win over that option.

    Attributes
    ----------
    deck, names
        The cards, and by the same index their names: "2/9", the star card "1/5*", and "1/9'" for
        the second copy of a card.
    in_play
        Names of the cards that stay in with this number of players, in the order of the deck.
    phase
        "START" (a round must be started), "ACTION", "PICK" or "MATCH_OVER".
    on_turn, area
        Seat that acts now, and the area its action is for (always 1 with three or more players);
        without meaning in "START" and "MATCH_OVER".
    pending
        In "PICK" the action whose cards are to be picked, else None.
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
    totals, round_gains
        By seat: markers (2 players: rounds won), those of the round under way included; and
        what the round under way brought of them.
    leaders
        Leading seats after the last completed round.
    came_into_play
        House rules and dials, by option, that came into play in the match so far.
    """

    def __init__(
        self, options: Mapping[str, object], deck: Iterable[Sequence[object]] | None = None
    ) -> None:
        self.options = Options(**cast("dict[str, object]", dict(options)))  # type: ignore[arg-type]
        self.players = self.options.players
        if deck is None and self.options.deck not in DECKS:
            raise ValueError(f"the cards of deck {self.options.deck!r} must be handed in")
        rows = DECKS[self.options.deck] if deck is None else deck
        self.deck = [Card(*row) for row in rows]  # type: ignore[arg-type]
        check_deck(self.deck)
        self.names = card_names(self.deck)
        self._printed = dict(zip(self.names, self.deck, strict=True))
        self.in_play = [
            name
            for name, card in self._printed.items()
            if IN_PLAY_FROM[card.symbol] <= self.players
        ]
        self.star_name = next(name for name, card in self._printed.items() if card.star)
        self.phase = "START"
        self.on_turn = 0
        self.area = 1
        self.first_seat: int | None = None
        self.first_out: int | None = None
        self.totals = [0] * self.players
        self.rounds_completed = 0
        self.leaders: set[int] = set()
        self.history: list[list[int]] = []
        self.aborted = False
        self.winners: set[int] = set()
        self.metrics = dict.fromkeys(METRICS, 0)
        self.came_into_play: set[str] = set()
        self._clear_table()

    def _clear_table(self) -> None:
        self.hands: list[list[Held]] = [[] for _ in range(self.players)]
        self.tables: dict[Place, list[Held]] = {}
        self.discards: list[str] = []
        self.pending: Move | None = None
        self.out: int | None = None
        self.round_turns = 0
        self.round_gains = [0] * self.players

    # ------------------------------------------------------------------ set-up

    def deal(
        self, order: Sequence[str], upright: Sequence[bool], dealer: int = -1
    ) -> list[list[tuple[str, bool]]]:
        """Deal a shuffled pack one card at a time from the dealer's left on.

        Parameters
        ----------
        order, upright
            Card names, top card first, and whether each comes to the hand upright.
        dealer
            Matters only for a pack that does not deal evenly.

        Returns
        -------
        list
            By seat the cards dealt, as ``start_round`` takes them.
        """
        dealt: list[list[tuple[str, bool]]] = [[] for _ in range(self.players)]
        for number, card in enumerate(zip(order, upright, strict=True), start=1):
            dealt[(dealer + number) % self.players].append(card)
        return dealt

    def start_round(self, dealt: Sequence[Sequence[tuple[str, bool]]]) -> None:
        """Begin a round, up to the first decision.

        Parameters
        ----------
        dealt
            By seat, the names of its cards and whether each is upright (first value active).
        """
        if self.phase != "START":
            raise ValueError(f"a round cannot start in phase {self.phase}")
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
        self._note(round_start=self.first_out != holder)
        return self.first_out

    def _note(self, **house_rules: bool) -> None:
        """Note the house rules that came into play."""
        self.came_into_play |= {option for option, came in house_rules.items() if came}

    def _check_deal(self, dealt: Sequence[Sequence[tuple[str, bool]]]) -> None:
        if len(dealt) != self.players:
            raise ValueError(f"cards for {len(dealt)} seats, not {self.players}")
        if Counter(name for cards in dealt for name, _ in cards) != Counter(self.in_play):
            raise ValueError("the cards dealt are not those in play")
        least, extra = divmod(len(self.in_play), self.players)
        # Extra cards go to neighbouring seats, one each.
        sizes = [
            [least + ((seat - first) % self.players < extra) for seat in range(self.players)]
            for first in range(self.players)
        ]
        if [len(cards) for cards in dealt] not in sizes:
            raise ValueError("the cards are not dealt evenly")

    # ------------------------------------------------------------------ legality

    def legal_moves(self) -> list[Move]:
        """List the moves of the seat on turn, in the public order.

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
        raise ValueError(f"{action} lays no cards")

    def _picks(self) -> list[Move]:
        """List the subsets of the cards of the value, physical cards counted apart."""
        value, size = self._needed(cast("Move", self.pending))
        names = [card.name for card in self._held_of_value(value)]
        return [("pick", subset) for subset in combinations(names, size)]

    # ------------------------------------------------------------------ course of play

    def apply(self, move: Move) -> None:
        """Carry out a move of the seat on turn, one of ``legal_moves()``."""
        if move not in self.legal_moves():
            raise ValueError(f"{move} is not legal for seat {self.on_turn} in phase {self.phase}")
        match move:
            case ("pick", names):
                action, self.pending = cast("Move", self.pending), None
                hand = self.hands[self.on_turn]
                self._lay(
                    action, [card for card in hand if card.name in cast("tuple[str, ...]", names)]
                )
            case ("play" | "add", *_):
                self._choose_cards(move)
            case ("take", int(seat), int(area)):
                self._take_up((seat, area))
            case _:
                self._turn_hand()

    def pass_turn(self) -> None:
        """Let the seat on turn act without an action, for want of a legal one."""
        if self.phase != "ACTION" or self.legal_moves():
            raise ValueError("a turn is passed only by a seat on turn without a legal move")
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
        place = (seat, self.area) if action[0] == "play" else cast("Place", action[1:])
        self.metrics["sets_played" if action[0] == "play" else "cards_added"] += 1
        self.hands[seat] = [card for card in self.hands[seat] if card not in cards]
        played_out = not self.hands[seat]
        grown = self.tables.get(place, []) + cards
        rival = self._rival(len(grown))  # Never the set that grows: that one is smaller still.
        self.tables[place] = grown
        self.metrics["largest_set"] = max(self.metrics["largest_set"], len(grown))
        if rival is not None:
            self._note(equal_beats=self.set_value(rival) == grown[0].active)
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
        self._note(turn_on_taking=not turned)
        self.hands[seat] += [card.turned() if turned else card for card in self.tables.pop(place)]

    def _discard(self, place: Place) -> None:
        """Discard the set that lies at a place, if any, cards of others included."""
        self.discards += [card.name for card in self.tables.pop(place, [])]

    def _complete_action(self, *, played_out: bool) -> None:
        """Count the action and see who acts next, or whether the round or the match is over."""
        self.metrics["turns"] += 1
        self.round_turns += 1
        round_goes_on = not (played_out and self._play_out())
        if not round_goes_on:
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
        seat = (self.on_turn + 1) % self.players
        if seat == self.out:
            self._discard((seat, 1))
            seat = (seat + 1) % self.players
        return seat

    def _begin_action(self, seat: int, area: int) -> None:
        """Let a seat begin an action by discarding its old set."""
        self.on_turn = seat
        self.area = area
        self._discard((seat, area))
        self.phase = "ACTION"
        self._note(
            take_up=not self.options.take_up and bool(self._targets()),
            turn_hand=not self.options.turn_hand,
        )

    # ------------------------------------------------------------------ ends

    def _play_out(self) -> bool:
        """Reward a seat that has played its last cards; tell whether the round is over."""
        if self.out is None:
            self.first_out = self.on_turn
        if self.players == 2:
            gain, over = 1, True
        elif self.out is None:
            gain, over = cast("int", self.options.first_out_markers), False
            self._note(first_out_markers=gain != FIRST_OUT_MARKERS)
        else:
            gain, over = cast("int", self.options.second_out_markers), True
            self._note(second_out_markers=gain != SECOND_OUT_MARKERS)
        self.totals[self.on_turn] += gain
        self.round_gains[self.on_turn] += gain
        won = self.totals[self.on_turn] >= self.options.goal
        if not over:
            self.out = self.on_turn
        else:
            self._complete_round()
        if over or won:
            self.history.append(list(self.totals))
        if won:  # At once, also in mid-round, which then is not a completed round.
            self.winners = {self.on_turn}
            self.phase = "MATCH_OVER"
        return over or won

    def _complete_round(self) -> None:
        """Count a change of the lead."""
        best = max(self.totals)
        leaders = {seat for seat, total in enumerate(self.totals) if total == best}
        if self.rounds_completed and leaders != self.leaders:
            self.metrics["lead_changes"] += 1
        self.leaders = leaders
        self.rounds_completed += 1
        self.phase = "START"

    def _abort(self) -> None:
        """End the match without a winner; the round under way gives nothing."""
        self.aborted = True
        self.totals = [
            total - gain for total, gain in zip(self.totals, self.round_gains, strict=True)
        ]
        self.phase = "MATCH_OVER"

    def card_count(self) -> int:
        """Count all cards wherever they lie."""
        on_table = sum(len(cards) for cards in self.tables.values())
        return sum(len(hand) for hand in self.hands) + on_table + len(self.discards)
