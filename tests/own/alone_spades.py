"""Spades as a program of its own, written from the rules as they are told, for statistics.

Partners sit opposite. Each of the four, from the one who leads on, says how many of the thirteen
tricks it will take; nought is nil. Suit is followed; spades are trumps, and led only after one was
played, or by who has nothing else. A side whose bids are reached scores ten for each trick bid and
one for each beyond, a bag; else it loses ten for each bid. Ten bags cost a hundred. Nil brings a
hundred if its bidder takes nothing and costs a hundred if not; such tricks are bags, and do not
help the partner's bid. The first side with 500 wins, or the one less far down if one has lost 500.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

Card = tuple[int, int]
"""Suit (spades are 3) and rank, 2 to 14."""

SPADE = 3
DECK = [(suit, rank) for suit in range(4) for rank in range(2, 15)]


def by_power(card: Card) -> tuple[int, int]:
    """Return a card's power, of equal ones that of the lower suit first; trumps above all."""
    suit, rank = card
    return rank + 13 * (suit == SPADE), -suit


def beats(card: Card, other: Card) -> bool:
    """Tell whether a card wins over the best one so far."""
    return card[1] > other[1] if card[0] == other[0] else card[0] == SPADE


def match(
    chance: random.Random, lineup: Sequence[str], options: dict[str, Any]
) -> tuple[list[int], dict[str, int]]:
    """Play a match; return the totals, and what else is counted."""
    totals, bags, rounds = [0, 0], [0, 0], 0
    while True:
        bids, won = play_round(chance, lineup, rounds % 4)
        rounds += 1
        for side in (0, 1):
            points, more = scored([(bids[seat], won[seat]) for seat in (side, side + 2)], options)
            bags[side] += more
            if options["bag_limit"]:
                while bags[side] >= options["bag_limit"]:
                    bags[side] -= options["bag_limit"]
                    points -= 100
            totals[side] += points
        over = max(totals) >= options["target"] or min(totals) <= -options["lost"]
        if over and totals[0] != totals[1]:
            return 2 * totals, {"rounds": rounds, "turns": 52 * rounds}


def scored(side: list[tuple[int, int]], options: dict[str, Any]) -> tuple[int, int]:
    """Return the points of a side without its old bags, and its new ones."""
    wanted = sum(bid for bid, _ in side)
    taken = sum(tricks for bid, tricks in side if bid)
    points, bags = (10 * wanted, taken - wanted) if taken >= wanted else (-10 * wanted, 0)
    for bid, tricks in side:
        if bid == 0:
            points += options["nil"] if tricks == 0 else -options["nil"]
            bags += tricks
    return points + bags, bags


def play_round(
    chance: random.Random, lineup: Sequence[str], first: int
) -> tuple[list[int], list[int]]:
    """Return what the seats bid in a round, and their tricks."""
    cards = DECK.copy()
    chance.shuffle(cards)
    hands = [set(cards[13 * seat : 13 * seat + 13]) for seat in range(4)]
    bids = [-1] * 4
    for step in range(4):
        seat = (first + step) % 4
        bids[seat] = bid_of(chance, lineup[seat], hands[seat], bids[(seat + 2) % 4])
    won, broken, leader = [0] * 4, False, first
    for _ in range(13):
        trick: list[tuple[int, Card]] = []
        for step in range(4):
            seat = (leader + step) % 4
            may = may_play(hands[seat], trick[0][1][0] if trick else -1, broken=broken)
            card = card_of(chance, lineup[seat], may, trick, seat, bids[seat] == 0 == won[seat])
            hands[seat].remove(card)
            trick.append((seat, card))
            broken = broken or card[0] == SPADE
        leader, _ = best_of(trick)
        won[leader] += 1
    return bids, won


def may_play(hand: set[Card], led: int, *, broken: bool) -> list[Card]:
    """Return the cards that may be played; -1: nothing was led."""
    if led == -1:
        return sorted(card for card in hand if broken or card[0] != SPADE) or sorted(hand)
    return sorted(card for card in hand if card[0] == led) or sorted(hand)


def best_of(trick: list[tuple[int, Card]]) -> tuple[int, Card]:
    """Return who takes a trick, and its card."""
    best = trick[0]
    for play in trick[1:]:
        if beats(play[1], best[1]):
            best = play
    return best


def bid_of(chance: random.Random, policy: str, hand: set[Card], of_partner: int) -> int:
    """Return what a policy bids."""
    if policy == "random":
        return chance.randrange(14)
    promised = sum(rank >= 13 for _, rank in hand)
    promised += max(sum(suit == SPADE for suit, _ in hand) - 3, 0)
    if policy == "brave" and promised == 0 and of_partner != 0:
        return 0
    return min(max(promised, 1), 13)


def card_of(
    chance: random.Random,
    policy: str,
    may: list[Card],
    trick: list[tuple[int, Card]],
    seat: int,
    is_nil: bool,
) -> Card:
    """Return the card that a policy plays."""
    if policy == "random":
        return chance.choice(may)
    low = min(may, key=lambda card: (by_power(card)[0], card[0]))
    if not trick:
        return low if is_nil else max(may, key=by_power)
    holder, best = best_of(trick)
    winning = [card for card in may if beats(card, best)]
    losing = [card for card in may if card not in winning]
    if is_nil:
        return max(losing, key=by_power) if losing else low
    if winning and holder != (seat + 2) % 4:
        return min(winning, key=lambda card: (by_power(card)[0], card[0]))
    return low
