"""Up or down?: the tastes of the policies of `strategies.upordown`, for the game's lanes.

Each function takes a policy's parameter values and returns its play spec
(`simcore.games.upordown.spec`). It must say just what the policy does;
`tests/upordown/test_lane_policies.py` compares them.
"""

from __future__ import annotations

from collections.abc import Sequence

from simcore.games.upordown.spec import ONLY_POINTS, play_spec


def stepper(params: Sequence[float]) -> tuple[int, ...]:
    """Take small steps."""
    return play_spec((0.0, 1.0, 0.0, 0.0, 1.0, 0.0, params[0], 0.0, 0.0))


def scorer(_params: Sequence[float]) -> tuple[int, ...]:
    """Score at once."""
    return play_spec(ONLY_POINTS)


def collector(params: Sequence[float]) -> tuple[int, ...]:
    """Collect colours."""
    return play_spec((0.0, 1.0, params[0], 0.0, 1.0, 0.0, params[1], 0.0, 0.0))


def finisher(params: Sequence[float]) -> tuple[int, ...]:
    """Build first, score last."""
    return play_spec((0.0, 1.0, params[1], 0.0, 1.0, 0.0, params[2], 0.0, 0.0), params[0])


def trader(params: Sequence[float]) -> tuple[int, ...]:
    """Trade points against room."""
    return play_spec((1.0, params[0], 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0))


def spreader(params: Sequence[float]) -> tuple[int, ...]:
    """Keep the hand spread."""
    return play_spec((1.0, params[0], 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, params[1]))


def planner(params: Sequence[float]) -> tuple[int, ...]:
    """Plan the columns."""
    return play_spec((0.0, 0.0, 0.0, 1.0, params[0], params[1], 0.0, 0.0, 0.0))


def spoiler(params: Sequence[float]) -> tuple[int, ...]:
    """Plan and spoil."""
    return play_spec((0.0, 0.0, 0.0, 1.0, params[1], params[2], 0.0, params[0], 0.0))


def all_rounder(params: Sequence[float]) -> tuple[int, ...]:
    """Weigh it all."""
    stride, match, points, price, deny, far = params
    return play_spec((points, price, 0.0, 1.0, stride, match, 0.0, deny, far))
