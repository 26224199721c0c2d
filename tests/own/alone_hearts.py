"""Hearts as a program of its own, written from the rules as they are told, for statistics.

Four seats have thirteen cards each; three have seventeen, without the two of diamonds; five have
ten, without the two of clubs either. First each passes three cards, before it sees those it gets:
to the left in the first round, to the right in the second, of four across in the third, not at all
in the next, and so on. The lowest club is led to the first trick. Who can follows suit; the highest
card of the suit that was led, aces best, takes the trick and leads to the next. A seat that has
others lays no card that costs points to the first trick, and leads no heart before one has been
laid. A heart costs a point, the queen of spades 13; who takes all of them has none, and the others
have all of them each. Once somebody has 100 the fewest points win.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

Card = tuple[str, int]
"""Suit and rank from 2 to 14, the ace."""

DECK = [(suit, rank) for suit in "CDHS" for rank in range(2, 15)]
QUEEN = ("S", 12)
WAYS = {
    3: ["left", "right", "nowhere"],
    4: ["left", "right", "across", "nowhere"],
    5: ["left", "right", "nowhere"],
}
SEATS_ON = {"left": 1, "across": 2, "right": -1}
TAKEN_OUT = {3: [("D", 2)], 4: [], 5: [("D", 2), ("C", 2)]}
FIRST_CLUB = {3: ("C", 2), 4: ("C", 2), 5: ("C", 3)}


def costs(card: Card) -> bool:
    """Tell whether a card costs points."""
    return card[0] == "H" or card == QUEEN


def may_play(hand: Sequence[Card], led: str, *, broken: bool, seats: int) -> list[Card]:
    """Return the cards that may be laid; `led` is "" for who leads."""
    if FIRST_CLUB[seats] in hand and not led:
        return [FIRST_CLUB[seats]]
    if not led:
        return [card for card in hand if broken or card[0] != "H"] or list(hand)
    if following := [card for card in hand if card[0] == led]:
        return following
    is_first = len(hand) == 52 // seats
    return [card for card in hand if not (is_first and costs(card))] or list(hand)


def match(
    chance: random.Random, lineup: Sequence[str], options: dict[str, Any]
) -> tuple[list[int], dict[str, int]]:
    """Play a match; return the totals, and what else is counted."""
    ways, totals, rounds = WAYS[len(lineup)], [0] * len(lineup), 0
    while max(totals) < options["target"]:
        direction = ways[rounds % len(ways)] if options["passing"] else "nowhere"
        points = scored(play_round(chance, lineup, direction), options)
        totals = [total + added for total, added in zip(totals, points, strict=True)]
        rounds += 1
    return totals, {"rounds": rounds, "turns": len(lineup) * (52 // len(lineup)) * rounds}


def play_round(chance: random.Random, lineup: Sequence[str], direction: str) -> list[list[Card]]:
    """Return the cards that each seat has taken."""
    seats = len(lineup)
    cards = [card for card in DECK if card not in TAKEN_OUT[seats]]
    chance.shuffle(cards)
    hands = [cards[seat::seats] for seat in range(seats)]
    if direction != "nowhere":
        gifts = [passed(chance, *seat_hand) for seat_hand in zip(lineup, hands, strict=True)]
        for seat, gift in enumerate(gifts):
            hands[seat] = [card for card in hands[seat] if card not in gift]
        for seat, gift in enumerate(gifts):
            hands[(seat + SEATS_ON[direction]) % seats] += gift
    taken: list[list[Card]] = [[] for _ in range(seats)]
    leader = next(seat for seat in range(seats) if FIRST_CLUB[seats] in hands[seat])
    broken = False
    for _ in range(len(hands[0])):
        trick: list[tuple[int, Card]] = []
        for seat in ((leader + step) % seats for step in range(seats)):
            may = may_play(hands[seat], trick[0][1][0] if trick else "", broken=broken, seats=seats)
            card = played(chance, lineup[seat], may, [laid for _, laid in trick])
            hands[seat].remove(card)
            trick.append((seat, card))
            broken = broken or card[0] == "H"
        suit = trick[0][1][0]
        leader = max((card[1], seat) for seat, card in trick if card[0] == suit)[1]
        taken[leader] += [card for _, card in trick]
    return taken


def scored(taken: Sequence[Sequence[Card]], options: dict[str, Any]) -> list[int]:
    """Return the points of a round."""
    points = [
        sum(options["queen"] if card == QUEEN else 1 for card in cards if costs(card))
        for cards in taken
    ]
    if options["moon"] and points.count(0) == len(points) - 1:
        return [0 if taken_points else max(points) for taken_points in points]
    return points


def worst_first(policy: str, card: Card) -> tuple[int, int, str]:
    """Return by what policies order the cards that they want to be rid of."""
    cost = 0
    if policy == "careful":
        cost = -2 if card == QUEEN else -1 if card[0] == "H" else 0
    return cost, -card[1], card[0]


def passed(chance: random.Random, policy: str, hand: Sequence[Card]) -> list[Card]:
    """Return the three cards that a policy passes."""
    if policy == "random":
        return chance.sample(hand, 3)
    return sorted(hand, key=lambda card: worst_first(policy, card))[:3]


def played(chance: random.Random, policy: str, may: Sequence[Card], trick: Sequence[Card]) -> Card:
    """Return the card that a policy lays."""
    if policy == "random":
        return chance.choice(may)
    lowest = min(may, key=lambda card: (card[1], card[0]))
    if not trick:
        return lowest
    suit = trick[0][0]
    if may[0][0] != suit:
        if policy == "careful":
            return min(may, key=lambda card: worst_first(policy, card))
        return lowest
    best = max(card for card in trick if card[0] == suit)
    return max((card for card in may if card < best), default=lowest)
