"""Search by simulation: a policy for every game, built from its rules and a heuristic.

For every decision the search deals the unseen cards at random, consistent with what its seat has
seen; makes each legal move on a copy of that deal; plays the round out with a heuristic in all
seats; and takes the move with the best mean result (Ginsberg 2001, "GIB: Imperfect information in a
computationally challenging game", JAIR 14, for bridge). Where seats choose secretly and
simultaneously, the seats that have already chosen choose again, by the heuristic.

All moves are tried on the same deals with the same random streams, so the luck of the deal cancels
in the differences. Moves that have fallen clearly behind are dropped, and the search ends when a
single move is left: easy decisions cost little. Unless some move is clearly ahead of the
heuristic's, the heuristic's move is played (`simcore.compiler.rollouts`), so that noise cannot make
the search worse than its heuristic, however few the deals (rollout policies: Tesauro & Galperin
1996, "On-line policy improvement using Monte-Carlo search", NIPS 9). The heuristic is asked in the
real seat, with its memory; it does not remember decisions in which the search overruled it.

The rollouts assume that from now on everybody plays like the heuristic and ends the round as soon
as it would. If several seats search, each may put off the end in this belief, again and again. So
once a round is overdue (`is_overdue` of the game) the search plays like its heuristic to the end.

A search sees what its seat sees, like every policy: the hidden cards are dealt anew before the
rollouts. It cannot plan to gain or to hide information (strategy fusion: Frank & Basin 1998,
"Search in games with incomplete information", AIJ 100). `simcore.compiler.lookahead` prints
what the search needs of a game; this module declares its parameters.
"""

from __future__ import annotations

from collections.abc import Sequence

from simcore.compiler.rollouts import FEWEST_DEALS
from strategies.params import Param, PolicyParam


def search_params(
    game: str,
    rollout: str,
    *,
    rollouts: int,
    winning: float,
    sure: float,
    believed: Sequence[Param] = (),
) -> list[Param | PolicyParam]:
    """Return the parameters of a search policy, in their fixed order, with these defaults.

    `believed` are a game's parameters for how it deals the other hands (`deal_believed`).
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
