"""Policies of the five games, and the registry that finds them by name.

A policy sees what is shown to all and to its own seat, nothing else. A user's file adds policies
with the decorator `policy`, and `answers` for single decisions.
"""

from strategies.params import Param, PolicyParam
from strategies.policy import Policy, Strategy
from strategies.registry import (
    Policies,
    answers,
    make_strategy,
    parse_lineup,
    parse_strategy,
    policies,
    policy,
    seat_lineup,
    session,
)
from strategies.userfile import load_strategies

__all__ = [
    "Param",
    "Policies",
    "Policy",
    "PolicyParam",
    "Strategy",
    "answers",
    "load_strategies",
    "make_strategy",
    "parse_lineup",
    "parse_strategy",
    "policies",
    "policy",
    "seat_lineup",
    "session",
]
