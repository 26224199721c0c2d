"""How to compute the numbers of a report from the Parquet files again, one snippet each.

A snippet is plain polars on what `studies.load` gives and ends with `answer`; it uses none of the
code that made the report, except the formulas of intervals. The tests run the snippets of a report
and compare.
"""

from __future__ import annotations

from dataclasses import dataclass

START = """\
import polars as pl
from studies import load

rows = load({directory!r})
"""


@dataclass(frozen=True)
class Recipe:
    """A snippet.

    Attributes
    ----------
    name : str
        What it computes.
    code : str
    """

    name: str
    code: str


def recipe(name: str, body: str, **values: object) -> Recipe:
    """Return a snippet with the values of a study filled in."""
    return Recipe(name, (START + body).format(**values))


WINNERS_DIFFER = """\
keys = ["match", "rotation"]
columns = [*keys, "winners", "clauses"]
before = rows.filter(pl.col("cell") == {base!r}).select(columns)
after = rows.filter(pl.col("cell") == {cell!r}).select(columns)
pairs = before.join(after, on=keys).collect()
answer = (pairs["winners"] != pairs["winners_right"]).mean()
"""

IN_PLAY = """\
keys = ["match", "rotation"]
columns = [*keys, "winners", "clauses"]
before = rows.filter(pl.col("cell") == {base!r}).select(columns)
after = rows.filter(pl.col("cell") == {cell!r}).select(columns)
pairs = before.join(after, on=keys).collect()
clauses = pairs["clauses"] | pairs["clauses_right"]
answer = ((clauses & {bits}) != 0).mean()
"""

POSITION = """\
table = rows.filter(pl.col("cell") == {cell!r}).collect()
seat = (table["first_seat"].to_numpy().astype(int) + {position}) % {players}
winners = table["winners"].to_numpy().astype(int)
number = sum(winners >> other & 1 for other in range({players}))
answer = ((winners >> seat & 1) / number.clip(1)).mean()
"""

ABORTED = """\
answer = rows.filter(pl.col("cell") == {cell!r}).select(pl.col("aborted").mean()).collect().item()
"""

QUANTILE = """\
table = rows.filter(pl.col("cell") == {cell!r}).select("decisions", "forced").collect()
moves = (table["decisions"].cast(int) + table["forced"].cast(int)).sort()
answer = moves[-(-len(moves) * {percent} // 100) - 1]
"""

FORCED = """\
table = rows.filter(pl.col("cell") == {cell!r}).select("decisions", "forced").sum().collect()
answer = table["forced"].item() / (table["forced"] + table["decisions"]).item()
"""

DECISIONS = """\
answer = rows.filter(pl.col("cell") == {cell!r}).select(pl.col("decisions").mean()).collect().item()
"""

LEAD_CHANGES = """\
table = rows.filter(pl.col("cell") == {cell!r})
answer = table.select(pl.col("lead_changes").mean()).collect().item()
"""

LED_THROUGHOUT = """\
table = rows.filter(pl.col("cell") == {cell!r}, pl.col("winners") > 0)
answer = table.select((pl.col("lead_changes") == 0).mean()).collect().item()
"""

CLOSE = """\
table = rows.filter(pl.col("cell") == {cell!r}, pl.col("winners") > 0).collect()
scores = table.select([f"score_{{seat}}" for seat in range({players})]).to_numpy()
winner = [(mask & -mask).bit_length() - 1 for mask in table["winners"].to_list()]
distances = abs(scores - scores[range(len(scores)), winner][:, None])
distances.sort(axis=1)  # the winner's own, 0, comes first
answer = (distances[:, 1] <= 0.1 * (scores.max(axis=1) - scores.min(axis=1))).mean()
"""

DUEL = """\
table = rows.filter(pl.col("cell") == {cell!r}).collect()
seats = table.select([f"seat_{{seat}}" for seat in range({players})]).row(0)
winners, rotation = (table[name].to_numpy().astype(int) for name in ("winners", "rotation"))
number = sum(winners >> seat & 1 for seat in range({players}))
held = [
    [seats[(seat + turn) % {players}] == {first!r} for seat in range({players})]
    for turn in range({rotations})
]
won = sum(
    (winners >> seat & 1) * [held[turn][seat] for turn in rotation] for seat in range({players})
)
answer = (won / number.clip(1)).mean()
"""

VARIANCE = """\
from itertools import permutations

import numpy as np

table = rows.filter(pl.col("cell") == {cell!r}).collect()
n, p = {players}, {rotations}
winners = table["winners"].to_numpy().astype(int).reshape(-1, p)
won = winners[..., None] >> np.arange(n) & 1
y = won / won.sum(axis=2, keepdims=True).clip(1)  # deal, rotation, seat
mean = y.mean(axis=0)
deals, left = len(y), y - mean


def covariance(pairs):
    products = [(left[:, a, i] * left[:, b, j]).sum() / (deals - 1) for a, i, b, j in pairs]
    return np.mean(products)


policy = {{(turn, seat): (seat + turn) % p for turn in range(p) for seat in range(n)}}
pairs = [
    (a, i, b, j) for a, b in permutations(range(p), 2) for i in range(n) for j in range(n)
]
same_policy = [q for q in pairs if policy[q[0], q[1]] == policy[q[2], q[3]]]
neither = [q for q in pairs if q[1] != q[3] and q not in same_policy]
same_seat = [q for q in pairs if q[1] == q[3]]
if neither:
    base = covariance(neither)
    at_seat = (covariance(same_seat) - base) * (n - 1) / n
    with_policy = (covariance(same_policy) - base) * (p - 1) / p
    cards = base + at_seat * n / (n - 1) + with_policy / (p - 1)
else:
    cards = covariance(same_seat)

# Means by policy; what the number of deals adds to their variance is taken off.
by_policy = np.stack(
    [
        np.mean([y[:, turn, seat] for turn, seat in policy if policy[turn, seat] == own], axis=0)
        for own in range(p)
    ],
    axis=1,
)
by_policy -= by_policy.mean(axis=1, keepdims=True)
policies = by_policy.mean(axis=0).var() - by_policy.var(axis=0, ddof=1).mean() / deals
within = (left**2).sum(axis=0).mean() / (deals - 1)
deal = y.mean(axis=(1, 2)).var(ddof=1)
total = within + mean.var() - (within - deal) / deals
answer = {part} / total
"""
