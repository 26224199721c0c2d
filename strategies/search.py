"""The parameters of search by simulation, one policy for all games; see `simcore.compiler.search`.

It takes for granted that from now on all play like its heuristic, which ends the round as soon as it
does. Where several search, each may put the end off in this belief, again and again. So once a
round is overdue (`is_overdue` in a game's rules) the search plays like its heuristic until it ends.
What it cannot do is plan to find something out, or hide something (strategy fusion: Frank & Basin
1998, "Search in games with incomplete information", AIJ 100).
"""

from __future__ import annotations

from collections.abc import Sequence

from simcore.compiler.race import FEWEST_DEALS
from strategies.params import Param
from strategies.registry import PolicyParam

ROLLOUTS, ROLLOUT, WINNING, SURE, BELIEFS = range(5)
"""Places in a search's parameters; those that say what it believes come last."""


def search_params(
    game: str,
    rollout: str,
    *,
    rollouts: int,
    winning: float,
    sure: float,
    believed: Sequence[Param] = (),
) -> list[Param | PolicyParam]:
    """Return the parameters of a search policy with these defaults, in the order of the places.

    `believed` are those that say what it believes, where the game has `deal_believed`.
    """
    deals = f"most deals of the unseen cards that a decision tries; below {FEWEST_DEALS}: none"
    win = "points that winning the match is worth beside the margin of the round"
    ahead = "standard errors that a move must be ahead of what the heuristic would do"
    return [
        Param("rollouts", rollouts, 1, 100_000, deals, tunable=False),
        PolicyParam("rollout", game, rollout, "who plays the deals out in all seats"),
        Param("winning", winning, 0, 1000, win, tunable=False),
        Param("sure", sure, 0, 10, ahead, tunable=False),
        *believed,
    ]
