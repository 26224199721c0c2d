"""A policy of your own for dnup."""

from simcore.games.dnup.rules import PICK, actions
from strategies import Param, policy
from strategies.dnup import (
    HIGHEST_FIRST,
    NOTHING,
    State,
    at_random,
    get_by,
    go_out,
    is_stuck,
    pick_least_useful,
    play_hardest,
    play_largest,
    whole_sets,
)


@policy(
    "dnup",
    idea="plays its largest set while it holds many cards, then its highest value",
    params=[Param("cards", 6, 0, 40, "own cards that are many")],
)
def shrinker(s, seat, moves: int, cards):
    """Get rid of many cards first."""
    if s.phase == PICK:
        return pick_least_useful(s, seat, moves)
    hand = s.chart[seat]
    if is_stuck(s, seat, hand):
        return at_random(s, seat, moves)
    plays, adds, takes = actions(s, hand)
    whole = whole_sets(hand, plays)
    move = go_out(s, seat, hand, whole, adds)
    if move == NOTHING and len(s.hand[seat]) >= cards:
        move = play_largest(plays)
    if move == NOTHING:
        move = play_hardest(plays, HIGHEST_FIRST)
    if move == NOTHING:
        move = get_by(s, seat, plays, whole, adds, takes)
    return move


__all__ = ["State", "shrinker"]  # `State` declares what the helpers remember
