"""Counts that every game's matches have, and the limit on a policy's parameters."""

from __future__ import annotations

MAX_PARAMS = 64
"""The most parameters of a policy, including those of a policy given as a parameter."""

COMMON_COUNTS = ("clauses", "decisions", "forced", "comeback", "last_lead_change")
"""Columns of every game, after its own metrics: bits of the clauses that came into play; decisions
with a choice; decisions with one legal move; the winner's largest deficit; and the round (trick,
lap) of the last change of the lead."""
