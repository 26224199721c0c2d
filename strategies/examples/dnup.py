"""An example policy for dnup."""

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
    params=[Param("cards", 6, 0, 40, "hand cards from which on it plays its largest set")],
)
def shrinker(s, seat, moves: int, cards):
    """Shed large sets first, then high values."""
    if s.phase == PICK:
        return pick_least_useful(s, seat, moves)
    hand = s.chart[seat]
    if is_stuck(s, seat, hand):
        return at_random(s, seat, moves)
    plays, adds, takes = actions(s, hand)
    whole_values = whole_sets(hand, plays)
    move = go_out(s, seat, hand, whole_values, adds)
    if move == NOTHING and len(s.hand[seat]) >= cards:
        move = play_largest(plays)
    if move == NOTHING:
        move = play_hardest(plays, HIGHEST_FIRST)
    if move == NOTHING:
        move = get_by(s, seat, plays, whole_values, adds, takes)
    return move


__all__ = ["State", "shrinker"]  # `State` declares what the helpers remember
