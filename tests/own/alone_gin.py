"""Gin Rummy as a program of its own, written from the rules as they are told, for statistics.

Two seats have ten cards, a card is turned up beside the stock. The seat that begins may take it,
else the other may; if neither does, the first one draws. From then on a turn is to take the top of
the pile or of the stock, and to discard, but not the card just taken from the pile. With at most
ten points outside of its melds a seat may knock after discarding. Melds are three or four of a
rank, or three and more of a suit in a row, the ace low; pictures count ten. With nothing left it
scores what the other has left, and 20; else the other adds to its melds what fits, and the
difference is scored, by the other and with 10 more if it has no more left. If two cards are left in
the stock and nobody has knocked, nobody scores. The first with 100 points wins.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

Card = tuple[int, int]
"""Suit and rank from 1."""

DECK = [(suit, rank) for suit in range(4) for rank in range(1, 14)]


def worth(cards: Sequence[Card] | frozenset[Card]) -> int:
    """Return the points of cards outside of melds."""
    return sum(min(rank, 10) for _, rank in cards)


def melds(hand: frozenset[Card]) -> Iterator[frozenset[Card]]:
    """Yield every meld in a hand."""
    for rank in range(1, 14):
        same = [card for card in hand if card[1] == rank]
        if len(same) >= 3:
            yield frozenset(same)
        if len(same) == 4:
            yield from (frozenset(same) - {card} for card in same)
    for suit, rank in hand:
        last = rank
        while (suit, last + 1) in hand:
            last += 1
            if last - rank >= 2:
                yield frozenset((suit, place) for place in range(rank, last + 1))


def arrangements(hand: frozenset[Card]) -> Iterator[list[frozenset[Card]]]:
    """Yield every choice of melds that have no card in common."""
    yield from _arranged(list(melds(hand)), [])


def _arranged(
    others: list[frozenset[Card]], chosen: list[frozenset[Card]]
) -> Iterator[list[frozenset[Card]]]:
    yield chosen
    for place, meld in enumerate(others):
        rest = [other for other in others[place + 1 :] if not other & meld]
        yield from _arranged(rest, [*chosen, meld])


def best_melds(hand: frozenset[Card]) -> list[list[frozenset[Card]]]:
    """Return every choice of melds with which the fewest points are left."""
    known = [(sum(map(worth, chosen)), chosen) for chosen in arrangements(hand)]
    most = max(points for points, _ in known)
    return [chosen for points, chosen in known if points == most]


def left(hand: frozenset[Card]) -> int:
    """Return the fewest points that are left of a hand."""
    return worth(hand) - max(sum(map(worth, chosen)) for chosen in arrangements(hand))


def left_beside(hand: frozenset[Card], table: Sequence[frozenset[Card]]) -> int:
    """Return the fewest points left if cards may also be added to melds on the table."""
    fewest, seen = 1000, set()
    waiting = [(hand.difference(*chosen), tuple(table)) for chosen in arrangements(hand)]
    while waiting:
        position = waiting.pop()
        if position in seen:
            continue
        seen.add(position)
        rest, melded = position
        fewest = min(fewest, worth(rest))
        for place, meld in enumerate(melded):
            suits, ranks = {suit for suit, _ in meld}, {rank for _, rank in meld}
            for suit, rank in rest:
                longer = suits == {suit} and {rank - 1, rank + 1} & ranks
                if longer or ranks == {rank}:
                    grown = (*melded[:place], meld | {(suit, rank)}, *melded[place + 1 :])
                    waiting.append((rest - {(suit, rank)}, grown))
    return fewest


def match(
    chance: random.Random, lineup: Sequence[str], options: dict[str, Any]
) -> tuple[list[int], dict[str, int]]:
    """Play a match; return the totals, and what else is counted."""
    totals, rounds, turns = [0, 0], 0, 0
    while max(totals) < options["target"]:
        points, steps = play_round(chance, lineup, rounds % 2, options)
        totals = [total + gained for total, gained in zip(totals, points, strict=True)]
        rounds += 1
        turns += steps
    return totals, {"rounds": rounds, "turns": turns}


def play_round(
    chance: random.Random, lineup: Sequence[str], first: int, options: dict[str, Any]
) -> tuple[list[int], int]:
    """Return the points of a round, and its turns."""
    cards = DECK.copy()
    chance.shuffle(cards)
    size = options["hand_size"]
    hands = [frozenset(cards[:size]), frozenset(cards[size : 2 * size])]
    pile, stock = [cards[2 * size]], cards[2 * size + 1 :]
    seat, turns, refused = first, 0, 0
    while True:
        turns += 1
        policy, hand = lineup[seat], hands[seat]
        top = pile[-1]
        if refused == 2:
            take = False
        elif policy == "random":
            take = chance.random() < 0.5
        else:
            take = min(left((hand | {top}) - {card}) for card in hand) < left(hand)
        if not take and refused < 2:
            refused += 1
            seat = 1 - seat
            continue
        refused = 3
        hand |= {pile.pop() if take else stock.pop()}
        may = sorted(hand - {top} if take else hand)
        if policy == "random":
            gone = chance.choice(may)
        else:
            gone = min(may, key=lambda card: (left(hand - {card}), -card[1]))
        hand -= {gone}
        pile.append(gone)
        hands[seat] = hand
        left_over = left(hand)
        if left_over <= options["knock_at"]:
            at_once = chance.random() < 0.5 if policy == "random" else policy == "quick"
            if at_once or (policy == "patient" and left_over == 0):
                return next(scored(hands, seat, options)), turns
        if len(stock) <= 2:
            return [0, 0], turns
        seat = 1 - seat


def scored(
    hands: Sequence[frozenset[Card]], seat: int, options: dict[str, Any]
) -> Iterator[list[int]]:
    """Yield the points of the seats after one has knocked, for every choice of its melds."""
    rest = left(hands[seat])
    for chosen in best_melds(hands[seat]):
        points = [0, 0]
        other = left_beside(hands[1 - seat], chosen if rest else [])
        if rest == 0:
            points[seat] = other + options["gin"]
        elif other > rest:
            points[seat] = other - rest
        else:
            points[1 - seat] = rest - other + options["undercut"]
        yield points
