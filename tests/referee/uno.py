"""The referee of UNO H2O To Go (`match.py` says what a referee is).

It is given the first dealer, the order of every deck and of every reshuffle, and who forgets or
notices a call of "UNO" (`forget_uno`, `notice_uno`). Its cards are in `uno_cards.py`, what lies on
the table in `uno_table.py`.

Where the rules leave an order open, the referee takes this one:

* the deal goes one card at a time, from the dealer's left neighbour clockwise, and the card after
  the last dealt one is turned up;
* the penalty for a forgotten call is drawn at once when the card has been laid, before a colour
  is named, before hands are swapped and before the next player draws for a Zieh 2 or a Zieh 4;
* who is asked whether to jump in is settled when the card laid has taken effect: as nobody draws
  between the questions, no hand changes. The cap on turns and the lap without a card are looked at
  afterwards, when the next turn begins;
* a drawn card that must be laid (``must_play``) is laid by a move in DRAWN, the only one.

Readings of ours, where house rules meet and no text speaks:

* what can be jumped in upon is the top card when all is settled: of a stack its last card, if that
  has a colour; also one laid on a draw two turned up at the start;
* a seat that must draw for a stack and has nothing to stack is not asked, and misses the turn;
* ``until_playable`` ends with the first card that can be played, a bluff included; with stock and
  discards used up the turn passes, and only one in which no card at all came is an idle one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from tests.referee.match import Move
from tests.referee.uno_cards import (
    CARD_ORDER,
    COLOUR_OF,
    COLOURS,
    DRAW_TWO,
    FACE_OF,
    MATCHING,
    NUMBERS,
    REVERSE,
    SKIP,
    USUAL_CARDS,
    WILD,
    WILD_DRAW_FOUR,
)
from tests.referee.uno_table import UnoTable

DRAW: Move = ("draw",)
KEEP: Move = ("keep",)
ACCEPT: Move = ("accept",)
CHALLENGE: Move = ("challenge",)
DECLINE: Move = ("decline",)
PLAYS: dict[str, Move] = {card: ("play", card) for card in FACE_OF}
NAMINGS: list[Move] = [("colour", colour) for colour in COLOURS]


class UnoReferee(UnoTable):
    """State of one match of UNO (see `UnoTable`), with its legal moves and their effects."""

    def start_round(self, deck: Sequence[str]) -> None:
        """Begin a round with a shuffled deck, up to the first decision.

        Parameters
        ----------
        deck
            All cards in the order in which they are dealt, turned up and drawn.
        """
        assert sorted(deck) == sorted(self.deck)
        if self.metrics["rounds"]:
            self.dealer = self.next_seat(self.dealer)
        self._clear_table()
        self._deal(deck)
        self._apply_turned_up(self.discards[0])
        self._check_cards()

    def _apply_turned_up(self, card: str) -> None:
        """Let the first card of the discard pile take effect."""
        left = self._seat_after(self.dealer)
        face = FACE_OF[card]
        if face == DRAW_TWO:
            self._owe(card)  # perhaps the first of a stack
            self._press(left)
        elif face == SKIP:
            self._begin_turn(self._seat_after(left))
        elif face == REVERSE:
            # The dealer begins, then his right neighbour; with two players too.
            self.direction = -1
            self._begin_turn(self.dealer)
        elif face == WILD:
            self.phase = "COLOUR"
            self.on_turn = left
        else:
            self._begin_turn(left)

    def legal_moves(self) -> list[Move]:
        """List the different moves of the seat on turn; a player may have but one.

        PLAY: ("play", card) in the order of ``FACE_OF``, then ("draw",). DRAWN: ("play", card),
        ("keep",). COLOUR: ("colour", name) in the order of ``COLOURS``. CHALLENGE: ("accept",),
        ("challenge",). STACK: ("play", card) in the order of ``FACE_OF``, then ("draw",). JUMP:
        ("play", card), ("decline",). SWAP: ("swap", seat), ascending. PAIR: as JUMP.
        """
        seat, hand = self.on_turn, self.hands[self.on_turn]
        if self.phase == "PLAY":
            # Any card that goes, or draw, also of one's own free will.
            playable = self._playable(hand)
            plays = [PLAYS[card] for card in sorted(playable, key=CARD_ORDER.__getitem__)]
            return plays if self._must_lay(playable) else [*plays, DRAW]
        if self.phase == "DRAWN":
            card = self.drawn_card
            return [PLAYS[card]] if self._must_lay([card]) else [PLAYS[card], KEEP]
        if self.phase == "STACK":
            stackable = sorted(self._stackable(seat), key=CARD_ORDER.__getitem__)
            return [*(PLAYS[card] for card in stackable), DRAW]
        if self.phase in {"JUMP", "PAIR"}:
            return [PLAYS[self.discards[-1]], DECLINE]
        if self.phase == "SWAP":
            return [("swap", other) for other in range(self.players) if other != seat]
        if self.phase == "COLOUR":
            return list(NAMINGS)
        if self.phase == "CHALLENGE":
            return [ACCEPT, CHALLENGE]
        return []

    def _playable(self, cards: Collection[str]) -> frozenset[str]:
        """Give the different cards among some of the seat on turn that may be laid."""
        playable = MATCHING[self.colour, self.discards[-1]].intersection(cards)
        playable = self._that_may_end(self.on_turn, playable)
        if (
            WILD_DRAW_FOUR in playable
            and self.options.challenge == "off"  # otherwise it may be a bluff
            and self.holds_colour(self.on_turn)
        ):
            return playable - {WILD_DRAW_FOUR}
        return playable

    def _that_may_end(self, seat: int, cards: frozenset[str]) -> frozenset[str]:
        """Leave out what may not be the last card, if it would be."""
        if self.options.last_card == "any" or len(self.hands[seat]) > 1:
            return cards
        ending = frozenset(card for card in cards if FACE_OF[card] in NUMBERS)
        self.note(last_card=ending != cards)
        return ending

    def _must_lay(self, playable: Collection[str]) -> bool:
        """Tell whether a card must be laid, as one of those may be without a bluff."""
        honest = set(playable)
        if self.holds_colour(self.on_turn):
            honest.discard(WILD_DRAW_FOUR)
        self.note(must_play=self.options.must_play and bool(honest))
        return self.options.must_play and bool(honest)

    def _stackable(self, seat: int) -> frozenset[str]:
        """Give the different cards that a seat may lay on the draw card that lies on top.

        The top card is a draw two, or a Zieh 4 whose colour is named.
        """
        if self.options.stacking == "off":
            return frozenset()
        top = self.discards[-1]
        fitting = {card for card, face in FACE_OF.items() if face == FACE_OF[top]}
        if self.options.stacking == "any":
            fitting |= {WILD_DRAW_FOUR, f"{self.colour} {DRAW_TWO}"}
        return self._that_may_end(seat, frozenset(fitting.intersection(self.hands[seat])))

    def holds_colour(self, seat: int) -> bool:
        """Tell whether a hand has a card of the colour asked for, so that a Zieh 4 is illegal.

        Action cards of the colour count; wilds, and matching numbers and actions of another
        colour, do not. A card just drawn is part of the hand.
        """
        return any(COLOUR_OF[card] == self.colour for card in self.hands[seat])

    def calls_uno(self, move: Move) -> bool:
        """Tell whether a legal move will leave its seat one card, and no question of a second."""
        left = list(self.hands[self.on_turn])
        if move[0] == "play":
            left.remove(move[1])
            return len(left) == 1 and not self._may_lay_another(move[1], left)
        return self.phase == "PAIR" and len(left) == 1

    def _may_lay_another(self, card: str, left: Sequence[str]) -> bool:
        """Tell whether an equal card of those left in the hand may be laid with one, in a turn."""
        if self.phase != "PLAY" or not self.options.pairs or COLOUR_OF[card] is None:
            return False
        barred = self.options.last_card == "number" and FACE_OF[card] not in NUMBERS
        if list(left) == [card] and barred:
            self.note(last_card=True)
            return False
        return card in left

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
        self.drew.clear()
        penalised = forgets and noticed
        match move:
            case ("play", str(card)):
                self._play(card, penalised=penalised)
            case ("draw",) if self.phase == "STACK":
                self._settle_debt(self.on_turn)
            case ("draw",):
                self._draw_for_turn()
            case ("keep",):
                self.drawn_card = None
                self._begin_turn(self._seat_after(self.on_turn))
            case ("colour", str(colour)):
                self._name(colour)
            case ("decline",) if self.phase == "PAIR":
                self._follow(self.discards[-1], penalised=penalised)
            case ("decline",):
                self._ask_next_jumper()
            case ("swap", int(other)):
                self._swap_with(other)
            case _:
                self._resolve_wild_draw_four(challenges=move == CHALLENGE)
        self._check_cards()

    def _check_cards(self) -> None:
        assert self.cards_in_play() == Counter(self.deck), "cards were lost or came twice"

    def _begin_turn(self, seat: int) -> None:
        """Give the turn to a seat, unless the match is aborted instead of it.

        The cap is met when that many turns are over and the round is not. A lap in which
        nobody could play or draw, or would play, aborts too.
        """
        self.opening = False
        if self.round_turns >= self.options.turn_cap or self.idle_turns >= self.players:
            self.abort()
            return
        self.on_turn = seat
        self.phase = "PLAY"
        self.round_turns += 1
        self.metrics["turns"] += 1

    def _draw_for_turn(self) -> None:
        """Draw one card, or until one can be played; only the last may be, in this turn."""
        drawn = 0
        while self._draw(self.on_turn, 1):
            drawn += 1
            self.note(draw=drawn > 1)
            self.idle_turns = 0
            card = self.hands[self.on_turn][-1]
            if self._playable([card]):
                self.drawn_card = card
                self.phase = "DRAWN"
                return
            if self.options.draw == "one":
                break
        if not drawn:
            self.idle_turns += 1  # nothing to draw: the turn passes
        self._begin_turn(self._seat_after(self.on_turn))

    def _play(self, card: str, *, penalised: bool) -> None:
        """Lay a card from the hand, with all that follows up to the next decision."""
        seat, hand = self.on_turn, self.hands[self.on_turn]
        stacked = self.phase == "STACK"
        several = stacked or self.phase == "PAIR"
        self.metrics["jump_ins"] += self.phase == "JUMP"
        hand.remove(card)
        self.drawn_card = None
        self.idle_turns = 0
        self.opening = False
        if not several:
            self.due = 0
        self._owe(card)
        if stacked:
            self.metrics["stacks"] += 1
            self.count_most("largest_stack", self.due)
        elif card == WILD_DRAW_FOUR:
            # Legal or not is settled by the other cards and the colour before it.
            self.challenged = seat
            self.bluffed = self.holds_colour(seat)
            self.metrics["bluffs"] += self.bluffed
        self.metrics["wild_draw_fours"] += card == WILD_DRAW_FOUR
        self.discards.append(card)
        self.colour = COLOUR_OF[card]
        if self._may_lay_another(card, hand):
            self.phase = "PAIR"
            self.note(pairs=True)
        else:
            self._follow(card, penalised=penalised)

    def _follow(self, card: str, *, penalised: bool) -> None:
        """Let a card that was laid, or the second of two, take effect."""
        seat = self.on_turn
        if not self.hands[seat]:
            self._finish()
            return
        if penalised:
            self.metrics["uno_penalties"] += 1
            self.note_unusual("uno_penalty")
            self._draw(seat, self.options.uno_penalty)
        if self.colour is None:
            self.phase = "COLOUR"
        else:
            self._take_effect(FACE_OF[card])

    def _take_effect(self, face: str) -> None:
        """Let a coloured card take effect, up to the next decision."""
        following = self._seat_after(self.on_turn)
        if face == DRAW_TWO:
            self._press(following)
        elif face == SKIP:
            self._settle(self._seat_after(following))
        elif face == REVERSE:
            self.direction = -self.direction
            if self.players == 2 and self.options.reverse_two_players == "skip":
                self._settle(self.on_turn)
            else:
                self._settle(self._seat_after(self.on_turn))
        elif face == "7" and self.options.seven_zero:
            if self.players == 2:
                self._swap_with(following)
            else:
                self.phase = "SWAP"
        elif face == "0" and self.options.seven_zero:
            self._pass_hands()
        else:
            self._settle(following)

    def _name(self, colour: str) -> None:
        """Name the colour of a wild."""
        self.colour = colour
        following = self._seat_after(self.on_turn)
        if self.opening:
            self._begin_turn(self.on_turn)  # who named it plays first
        elif self.discards[-1] == WILD:
            self._begin_turn(following)
        elif self.challenged is not None and self.options.challenge != "off":
            self.on_turn = following  # the victim is asked first, or alone
            self.phase = "CHALLENGE"
        else:
            self.challenged = None
            self._press(following)

    def _resolve_wild_draw_four(self, *, challenges: bool) -> None:
        """Let the victim, or the one caught, draw for a Zieh 4; or ask the next challenger."""
        challenger, offender = self.on_turn, self.challenged
        victim, next_challenger = self._seat_after(offender), self._seat_after(challenger)
        if not challenges and self.options.challenge == "any" and next_challenger != offender:
            self.on_turn = next_challenger
            self.note(challenge=True)
            return
        caught = challenges and self.bluffed
        self.challenged = None
        self.bluffed = False
        self.metrics["challenges"] += challenges
        self.metrics["caught"] += caught
        if not challenges:
            self._press(victim)
        elif caught:
            self._draw(offender, self.due)
            self._settle(victim)  # card and colour stand, the turn is normal
        else:
            self.note_unusual("challenge_penalty")
            self._draw(challenger, self.due + self.options.challenge_penalty)
            self._settle(self._seat_after(victim))

    def _owe(self, card: str) -> None:
        """Add what a card makes draw to what is due."""
        self.due += self.cards.draw_cards(card)
        if self.cards.draw_cards(card) != USUAL_CARDS.draw_cards(card):
            two = FACE_OF[card] == DRAW_TWO
            self.note(draw_two_cards=two, draw_four_cards=not two)

    def _press(self, victim: int) -> None:
        """Let a seat draw what is due and miss the turn, unless it may lay a card on the stack."""
        if self._stackable(victim):
            self.on_turn = victim
            self.phase = "STACK"
            self.note(stacking=True)
        else:
            self._settle_debt(victim)

    def _settle_debt(self, victim: int) -> None:
        self._draw(victim, self.due)
        self._settle(self._seat_after(victim))

    def _swap_with(self, other: int) -> None:
        """Swap the hands of the seat on turn, who laid a 7, and of another."""
        hands, seat = self.hands, self.on_turn
        hands[seat], hands[other] = hands[other], hands[seat]
        self.metrics["swaps"] += 1
        self.note(seven_zero=True)
        self._settle(self._seat_after(seat))

    def _pass_hands(self) -> None:
        """Pass all hands on by one seat in the direction of play."""
        self.hands = [
            self.hands[(seat - self.direction) % self.players] for seat in range(self.players)
        ]
        self.metrics["swaps"] += 1
        self.note(seven_zero=True)
        self._settle(self._seat_after(self.on_turn))

    def _settle(self, following: int) -> None:
        """End what a card laid has brought: others may jump in before the next turn begins."""
        top = self.discards[-1]
        self.due = 0
        self.following = following
        self.jumpers = []
        if self.options.jump_in and COLOUR_OF[top] is not None and not self.opening:
            seat = following
            for _ in range(self.players - 1):
                seat = self._seat_after(seat)
                if self._that_may_end(seat, frozenset({top}.intersection(self.hands[seat]))):
                    self.jumpers.append(seat)
        self._ask_next_jumper()

    def _ask_next_jumper(self) -> None:
        if self.jumpers:
            self.on_turn = self.jumpers.pop(0)
            self.phase = "JUMP"
            self.note(jump_in=True)
        else:
            self._begin_turn(self.following)

    def _finish(self) -> None:
        """End the round with a hand emptied; a last Zieh 2 or 4 still bites."""
        self.challenged = None
        self.bluffed = False
        self._draw(self._seat_after(self.on_turn), self.due)
        self.due = 0
        self._count_cards()
