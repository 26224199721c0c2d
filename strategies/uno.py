"""UNO: policies, simplest first.

Each policy decides which card is laid; they share the answers to all other decisions below.
"""

from __future__ import annotations

from typing import Any

from simcore.games.uno.house import next_seat
from simcore.games.uno.rules import honest
from simcore.games.uno.state import *
from simcore.language import *
from strategies.params import Param
from strategies.search import search_params

SEVEN_AND_MORE = frozenset(card for card in NUMBERS if card & 15 >= 7)
FOUR_AND_MORE = frozenset(card for card in NUMBERS if card & 15 >= 4)
HITS = ACTIONS | frozenset(card for card in deck.cards if card & 15 > WILD_FACE)
"""Cards that cost the next player a turn."""


# ---------------------------------------------------------------- policies


@policy(idea="any card that goes, each with the same probability; no bluff, no challenge")
def random_playable(s, seat: int, moves: cardset) -> int:
    playable = honest(s, seat, moves - {DRAW})
    if not playable:
        because("Lay no card: draw, or keep the card just drawn")
        return DRAW
    because("Lay any card that goes")
    if len(playable) > 1:
        return nth(playable, below(s, SEAT(seat), len(playable)))
    return lowest(playable)


@policy(
    idea="sheds what counts most first: action cards, high numbers, near the end wild cards",
    params=[Param("cards", 2, 0, 20, "cards left of an opponent at which wild cards go first")],
)
def dumper(s, seat: int, moves: cardset, cards: float) -> int:
    playable = playable_cards(s, seat, moves)
    if fewest_cards(s, seat) <= cards:
        playable = playable & WILDS or playable
    playable = (
        playable & ACTIONS or playable & SEVEN_AND_MORE or playable & FOUR_AND_MORE or playable
    )
    return lay_richest(s, seat, playable, 0.0)


@policy(idea="lays in the colour of which it holds most, so that it can go on; wilds last")
def majority(s, seat: int, moves: cardset) -> int:
    return lay_richest(s, seat, playable_cards(s, seat, moves), 0.0)


@policy(
    idea="keeps action and wild cards until an opponent has few cards left, then lays them first",
    params=[
        # By `cardlab tune --against all_rounder,hitter,watcher`.
        Param("cards", 2, 0, 20, "cards left of an opponent that end the saving")
    ],
)
def saver(s, seat: int, moves: cardset, cards: float) -> int:
    playable = playable_cards(s, seat, moves)
    if fewest_cards(s, seat) <= cards:
        playable = playable - NUMBERS or playable
    return lay_richest(s, seat, playable & NUMBERS or playable, 0.0)


@policy(
    idea="hits the next player when that one is about to finish: draw, skip or reverse first",
    params=[Param("cards", 3, 0, 20, "cards left of the next player that make it hit")],
)
def hitter(s, seat: int, moves: cardset, cards: float) -> int:
    playable = playable_cards(s, seat, moves)
    if cards_of_next(s, seat) <= cards:
        playable = playable & HITS or playable
    return lay_richest(s, seat, playable, 0.0)


@policy(
    idea="remembers on which colour the next player had to draw, and plays and names that one",
    params=[Param("cards", 0.5, 0, 20, "own cards that this is worth")],
)
def watcher(s, seat: int, moves: cardset, cards: float) -> int:
    return lay_richest(s, seat, playable_cards(s, seat, moves), cards)


@policy(
    idea="bluffs now and then: a wild draw four although it holds the colour",
    params=[
        Param("rate", 0.5, 0, 1, "probability of a bluff when one is possible"),
        Param("cards", 2, 0, 20, "cards left of the next player from which on it bluffs"),
    ],
)
def bluffer(s, seat: int, moves: cardset, rate: float, cards: float) -> int:
    if cards_of_next(s, seat) <= cards and bluffs(s, seat, moves, rate):
        return DRAW_FOUR
    return lay_richest(s, seat, playable_cards(s, seat, moves), 0.0)


@policy(
    idea="challenges a wild draw four on evidence: many cards left, the colour just laid, no draw",
    params=[
        Param("cards", 10, 0, 40, "cards left of the layer that make it challenge"),
        Param("laid", 3, 0, 40, "cards that the evidence of the last card's colour is worth"),
        Param("drew", 20, 0, 40, "cards that a draw on that colour weighs against it"),
    ],
)
def challenger(s, seat: int, moves: cardset) -> int:
    # `doubt_on_evidence` decides on challenges.
    return lay_richest(s, seat, playable_cards(s, seat, moves), 0.0)


@policy(
    idea="a bit of all: richest colour, hits and bluffs, what others lack, doubts on evidence",
    params=[
        Param("hit", 1, 0, 20, "cards left of the next player that make it hit"),
        Param("bluff", 1, 0, 1, "probability that it then bluffs if it can"),
        Param("late", 1, 0, 20, "cards left of any opponent at which wild cards go first"),
        Param("actions", 2, 0, 10, "most players with whom it lays action cards first"),
        Param("lack", 0.5, 0, 20, "own cards that a colour is worth that the next player lacks"),
        Param("doubt", 10, 0, 40, "cards left of the layer that make it challenge"),
    ],
)
def all_rounder(
    s,
    seat: int,
    moves: cardset,
    hit: float,
    bluff: float,
    late: float,
    actions: float,
    lack: float,
) -> int:
    playable = playable_cards(s, seat, moves)
    if cards_of_next(s, seat) <= hit:
        if bluffs(s, seat, moves, bluff):
            return DRAW_FOUR
        playable = playable & HITS or playable
    elif fewest_cards(s, seat) <= late:
        playable = playable & WILDS or playable
    if o.players <= actions:
        playable = playable & ACTIONS or playable
    return lay_richest(s, seat, playable, lack)


# ---------------------------------------------------------------- which card is laid


def playable_cards(s, seat: int, moves: cardset) -> Any:
    """Return the cards that may be laid without a bluff or a bad trade of hands."""
    playable = honest(s, seat, moves - {DRAW})
    if o.seven_zero:
        good, bad = trades(s, seat)
        kept = playable - bad
        if o.must_play:  # then a bad trade is legal while drawing is not
            kept = kept or playable
        playable = playable & good or kept
    return playable


def lay_richest(s, seat: int, playable: cardset, lack: float) -> int:
    """Lay the costliest card in the hand's most frequent colour, or else a wild card.

    The colour on which the next player last had to draw counts as `lack` more cards.
    """
    if not playable:
        because("Lay no card: draw, or keep the card just drawn")
        return DRAW
    because("Lay in the colour of which it holds most the card that counts most, else a wild")
    coloured = playable - WILDS
    if coloured:
        playable = coloured & of_suit(richest_colour(s, seat, coloured, lack))
    return highest(playable)


def richest_colour(s, seat: int, cards: cardset, lack: float) -> int:
    """Return, of the colours of some cards, the most frequent one in the hand."""
    best, most = 0, -1.0
    lacked = colour_of(s.drew_on[next_seat(s, seat, 1)])
    for colour in range(len(COLOURS)):
        worth = float(len(s.hand[seat] & of_suit(colour) - WILDS))
        if colour == lacked:
            worth += lack
        if cards & of_suit(colour):
            weigh(colour if s.phase == COLOUR else highest(cards & of_suit(colour)), worth)
            if worth >= most:
                best, most = colour, worth
    return best


def colour_of(kind: int) -> int:
    """Return the colour of a card kind, or `NEVER` for none."""
    return suit(kind) if kind != NEVER else NEVER


def fewest_cards(s, seat: int) -> int:
    """Return the size of the smallest hand of another seat."""
    fewest = 1000
    for other in range(o.players):
        if other != seat:
            fewest = min(fewest, len(s.hand[other]))
    return fewest


def cards_of_next(s, seat: int) -> int:
    """Return the size of the next player's hand."""
    return len(s.hand[next_seat(s, seat, 1)])


def bluffs(s, seat: int, moves: cardset, rate: float) -> bool:
    """Tell whether to lay a wild draw four, legally or as a bluff."""
    if DRAW_FOUR in moves and rate > 0 and uniform(s, SEAT(seat)) < rate:
        because("Lay a wild draw four, be it a bluff")
        return True
    return False


def trades(s, seat: int) -> tuple[Any, Any]:
    """Return the 7s and 0s that bring a smaller hand, and those that bring a much larger one [H15].

    Hands are compared as they are after the card is laid. A hand one card larger is not much larger
    because drawing would cost a card, too. Laying the last card ends the round, without a trade.
    """
    left = len(s.hand[seat]) - 1
    good, bad = set(), set()
    if left > 0:
        by_seven = len(s.hand[smallest_hand(s, seat)])
        by_zero = len(s.hand[next_seat(s, seat, -1)])
        if by_seven < left:
            good |= of_rank(SEVEN)
        if by_zero < left:
            good |= of_rank(ZERO)
        if by_seven > left + 1:
            bad |= of_rank(SEVEN)
        if by_zero > left + 1:
            bad |= of_rank(ZERO)
    return good, bad


def smallest_hand(s, seat: int) -> int:
    """Return the opponent with the fewest cards."""
    best, fewest = 0, 1000
    for other in range(o.players):
        if other != seat and len(s.hand[other]) < fewest:
            best, fewest = other, len(s.hand[other])
    return best


# ---------------------------------------------------------------- answers

BY_COLOUR = ("dumper", "majority", "saver", "hitter", "bluffer", "challenger")
ALL = ("random_playable", *BY_COLOUR, "watcher", "all_rounder")


@answers("random_playable", to="COLOUR")
def name_any(s, seat: int, moves: cardset) -> int:
    """Name a colour at random."""
    because("Name any colour")
    return below(s, SEAT(seat), len(COLOURS))


@answers(*BY_COLOUR, to="COLOUR")
def name_richest(s, seat: int, moves: cardset) -> int:
    """Name the hand's most frequent colour."""
    because("Name the colour of which it holds most")
    return richest_colour(s, seat, all_cards, 0.0)


@answers("watcher", to="COLOUR")
def name_lacked(s, seat: int, moves: cardset, cards: float) -> int:
    """Name the hand's most frequent colour, with a bonus for one that the next player lacks."""
    because("Name the colour of which it holds most")
    return richest_colour(s, seat, all_cards, cards)


@answers("all_rounder", to="COLOUR")
def name_best(s, seat: int, moves: cardset, lack: float) -> int:
    """Name the hand's most frequent colour, with a bonus for one that the next player lacks."""
    because("Name the colour of which it holds most")
    return richest_colour(s, seat, all_cards, lack)


@answers("random_playable", *BY_COLOUR[:-1], "watcher", to="CHALLENGE")
def accept(s, seat: int, moves: cardset) -> int:
    """Accept every wild draw four."""
    because("Accept every wild draw four")
    return ACCEPT


@answers("challenger", to="CHALLENGE")
def doubt_on_evidence(s, seat: int, moves: cardset, cards: float, laid: float, drew: float) -> int:
    """Challenge when the evidence for a bluff suffices."""
    return challenge_from(s, seat, cards, laid, drew)


@answers("all_rounder", to="CHALLENGE")
def doubt_in_general(s, seat: int, moves: cardset, doubt: float) -> int:
    """Challenge on evidence with the default weights of `challenger`."""
    return challenge_from(s, seat, doubt, 3.0, 20.0)


def challenge_from(s, seat: int, cards: float, laid: float, drew: float) -> int:
    """Challenge a wild draw four whose layer has many cards left.

    Having just laid the colour in question is evidence for a bluff, having drawn on it evidence
    against one. Only the seat that must draw gains enough by a challenge to risk it [C12].
    """
    if seat != next_seat(s, s.layer, 1):
        because("Leave it to others to challenge")
        return ACCEPT
    evidence = float(len(s.hand[s.layer]))
    before = s.laid_before
    if before != NEVER and rank(before) < WILD_FACE and suit(before) == s.colour_before:
        evidence += laid
    if colour_of(s.drew_on[s.layer]) == s.colour_before:
        evidence -= drew
    because("Challenge when who laid it has as many cards left as the evidence needs")
    weigh(DOUBT, evidence)
    weigh(ACCEPT, cards)
    return DOUBT if evidence >= cards else ACCEPT


@answers(*ALL, to="STACK")
def stack(s, seat: int, moves: cardset) -> int:
    """Stack, with a draw two rather than a wild draw four."""
    because("Stack, a draw two rather than a wild draw four")
    return lowest(moves)


@answers(*ALL, to="PAIR")
def lay_both(s, seat: int, moves: cardset) -> int:
    """Lay the equal card as well."""
    because("Lay both equal cards")
    return lowest(moves)


@answers(*ALL, to="JUMP")
def jump_in(s, seat: int, moves: cardset) -> int:
    """Jump in, unless that trades the hand for a larger one."""
    if o.seven_zero:
        _, bad = trades(s, seat)
        if moves & bad:
            because("Do not jump in, which would trade the hand for a larger one")
            return KEEP
    because("Jump in")
    return lowest(moves)


@answers(*ALL, to="SWAP")
def swap(s, seat: int, moves: cardset) -> int:
    """Swap for the smallest hand."""
    because("Swap for the smallest hand")
    return smallest_hand(s, seat)


def usual_answer(s, seat: int, moves: cardset) -> int:
    """Return the usual answer where no card is laid on turn; for users' policies."""
    if s.phase == COLOUR:
        return richest_colour(s, seat, all_cards, 0.0)
    if s.phase == CHALLENGE:
        return ACCEPT
    if s.phase in (STACK, PAIR):
        return lowest(moves)
    return jump_in(s, seat, moves) if s.phase == JUMP else smallest_hand(s, seat)


SEARCH = search_params(
    "uno",
    "all_rounder",
    rollouts=400,
    winning=100,
    sure=1,
    believed=[Param("trust", 1, 0, 1, "probability that who drew a card had none to lay")],
)
"""Challenges are left to the heuristic: the hands dealt say nothing about who would bluff."""
