"""Search by simulation: one policy for all games, made of a game's rules and its heuristics.

For every decision the search deals what its seat cannot see at random among all that is consistent
with what it has seen, makes each legal move on a copy of that deal, plays the round out with a
heuristic in all seats, and takes the move with the best mean result (Ginsberg 2001, "GIB: Imperfect
information in a computationally challenging game", JAIR 14, for bridge). Where seats choose in
secret and at the same time, those asked before are let choose again, by the heuristic too.

All moves are tried on the same deals, with the same random streams, so the noise of a deal is in
none of the differences. Moves that have fallen clearly behind are dropped, and the search ends when
one is left: easy decisions cost little. Where no move is clearly ahead of what the heuristic would
do, that is done (`simcore.compiler.rollouts`): so noise does not make the search worse than its
heuristic, however few the deals (rollout policies: Tesauro & Galperin 1996, "On-line policy
improvement using Monte-Carlo search", NIPS 9). What the heuristic would do it is asked in the real
seat, with what it remembers; decisions that the search made otherwise it has not made, and does not
remember.

The rollouts take it that from now on all play like the heuristic, and end the round as soon as it
does. Where several search, each may put the end off in this belief, again and again. So once a
round is overdue (`is_overdue` of the game) the search plays like its heuristic until it ends.

A search sees what its seat sees, like every policy: the real hidden cards are dealt anew before it
plays on. What it cannot do is plan to find something out, or hide something (strategy fusion:
Frank & Basin 1998, "Search in games with incomplete information", AIJ 100). `simcore.compiler`
compiles it (`search`); here are its parameters.
"""

from __future__ import annotations

from collections.abc import Sequence

from simcore.compiler.rollouts import FEWEST_DEALS
from strategies.params import Param
from strategies.registry import PolicyParam


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

    `believed` are those that say what it believes of the others' hands (`deal_believed`).
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
