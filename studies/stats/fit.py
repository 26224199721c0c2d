"""Whether one strength a policy fits the finishing orders: a score test over groups of deals.

The model is set against one in which every table has strengths of its own, and who wins follows
others than who comes next: every pairing, and every place, for itself. Under the model the scores
in these directions, what was seen of a policy at a table less what its strength lets expect, are 0
but for chance. They are tested as they stand (a generalized score test: D. D. Boos 1992, Am. Stat.
46:327), less what estimating the strengths takes of them, by the sums over groups of deals, whose
matches may depend on each other. Their number is large and the deals few, so that the largest
studentised one is judged, with random signs of the groups (step-down max-T; see
`studies.stats.simultaneous`). What is to be expected fewer than ten times, or all but fewer than
ten times, is too one-sided to be told by its spread and is left out (a rule of W. G. Cochran 1954,
Biometrics 10:417, who allows five).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from studies.stats.simultaneous import step_down_p

Array = np.ndarray[Any, Any]

FEWEST_EXPECTED = 10.0
_NOTHING = 1e-6


@dataclass(frozen=True)
class Block:
    """Stages that a strength of its own could have: of one table, winning or coming next.

    Attributes
    ----------
    table : int
    winning : bool
        Whether all seats are still in, so that what comes next is the winner.
    scores : array of shape (groups, policies)
        Derivatives of the log-likelihood.
    curvature : array of shape (policies, policies)
        Minus the derivatives of their sum.
    seen : array of shape (policies,)
        How often each came next.
    stages : float
        In how many stages.
    """

    table: int
    winning: bool
    scores: Array
    curvature: Array
    seen: Array
    stages: float


@dataclass(frozen=True)
class Deviation:
    """How often a policy came next at a table's stages, and how often its strength says it would.

    Attributes
    ----------
    seen, expected : float
        Shares of the stages.
    p : float
        Corrected over all that were tested.
    """

    table: int
    winning: bool
    policy: int
    seen: float
    expected: float
    p: float


@dataclass(frozen=True)
class FitTest:
    """Of "one strength a policy fits": the least corrected p-value, and all deviations by it."""

    p: float
    deviations: list[Deviation]


def fit_test(blocks: Sequence[Block], inverse: Array) -> FitTest | None:
    """Test the strengths that were estimated; None where nothing could deviate from them.

    Parameters
    ----------
    blocks : sequence of Block
        Of the same groups of deals, at the estimate.
    inverse : array of shape (policies, policies)
        Of the curvature of the whole log-likelihood.
    """
    used = np.sum([np.abs(block.scores).sum(axis=1) for block in blocks], axis=0) > 0
    whole = np.sum([block.scores for block in blocks], axis=0)
    columns: list[Array] = []
    told: list[tuple[Block, int]] = []
    for block in blocks:
        # A change of the scores moves the estimate, which takes part of the change back.
        own = block.scores - whole @ (block.curvature @ inverse).T
        present = np.flatnonzero(np.abs(block.scores).sum(axis=0) > 0)
        for policy in present[: 1 if len(present) == 2 else None]:
            expected = block.seen[policy] - block.scores[:, policy].sum()
            rest = block.seen.sum() - expected
            varies = np.linalg.norm(own[:, policy]) > _NOTHING * np.linalg.norm(
                block.scores[:, policy]
            )
            if varies and min(expected, rest) >= FEWEST_EXPECTED:
                columns.append(own[:, policy])
                told.append((block, int(policy)))
    if not columns:
        return None
    p_values = step_down_p(np.stack(columns, axis=1)[used])
    deviations = [
        Deviation(
            table=block.table,
            winning=block.winning,
            policy=policy,
            seen=float(block.seen[policy] / block.stages),
            expected=float((block.seen[policy] - block.scores[:, policy].sum()) / block.stages),
            p=p,
        )
        for (block, policy), p in zip(told, p_values, strict=True)
    ]
    deviations.sort(key=lambda own: (own.p, -abs(own.seen - own.expected)))
    return FitTest(min(p_values), deviations)
