"""What a match counts in every game, and how much a policy takes."""

from __future__ import annotations

MAX_PARAMS = 16
"""Parameters of a policy, with those of the policy that it takes."""

COMMON_COUNTS = ("clauses", "decisions", "forced", "comeback", "last_lead_change")
"""Counted in every game, after its own metrics: bits of the clauses that came into play; decisions
with a choice; decisions with one legal move; by how many points the winner once was behind whoever
led; since which round (trick, lap) the same seats have led to the end."""
