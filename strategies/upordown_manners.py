"""Up or down?: the tastes of the policies of `strategies.upordown`, for the game's lanes.

Each function takes a policy's parameter values and returns its manner
(`simcore.games.upordown.manner`). It must say just what the policy does;
`tests/upordown/test_lane_policies.py` compares them.
"""

from __future__ import annotations

from collections.abc import Sequence

from simcore.games.upordown.manner import ONLY_POINTS, manner


def stepper(params: Sequence[float]) -> tuple[int, ...]:
    """Take small steps."""
    return manner((0.0, 1.0, 0.0, 0.0, 1.0, 0.0, params[0], 0.0, 0.0))


def scorer(_params: Sequence[float]) -> tuple[int, ...]:
    """Score at once."""
    return manner(ONLY_POINTS)


def collector(params: Sequence[float]) -> tuple[int, ...]:
    """Collect colours."""
    return manner((0.0, 1.0, params[0], 0.0, 1.0, 0.0, params[1], 0.0, 0.0))


def finisher(params: Sequence[float]) -> tuple[int, ...]:
    """Build first, score last."""
    return manner((0.0, 1.0, params[1], 0.0, 1.0, 0.0, params[2], 0.0, 0.0), params[0])


def trader(params: Sequence[float]) -> tuple[int, ...]:
    """Trade points against room."""
    return manner((1.0, params[0], 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0))


def spreader(params: Sequence[float]) -> tuple[int, ...]:
    """Keep the hand spread."""
    return manner((1.0, params[0], 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, params[1]))


def planner(params: Sequence[float]) -> tuple[int, ...]:
    """Plan the columns."""
    return manner((0.0, 0.0, 0.0, 1.0, params[0], params[1], 0.0, 0.0, 0.0))


def spoiler(params: Sequence[float]) -> tuple[int, ...]:
    """Plan and spoil."""
    return manner((0.0, 0.0, 0.0, 1.0, params[1], params[2], 0.0, params[0], 0.0))


def all_rounder(params: Sequence[float]) -> tuple[int, ...]:
    """Weigh it all."""
    stride, match, points, price, deny, far = params
    return manner((points, price, 0.0, 1.0, stride, match, 0.0, deny, far))
