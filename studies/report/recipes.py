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
import numpy as np

table = rows.filter(pl.col("cell") == {cell!r}).collect()
n, p = {players}, {rotations}
winners = table["winners"].to_numpy().astype(int).reshape(-1, p)
won = winners[..., None] >> np.arange(n) & 1  # deal, rotation, seat
outcome = won / won.sum(axis=2, keepdims=True).clip(1)
seat, policy = np.arange(n)[:, None], np.arange(p)[None, :]
y = outcome[:, (policy - seat) % p, seat]  # deal, seat, policy


def variance(means):
    return means.var(axis=0, ddof=1).mean()


deals = len(y)
cards = variance(y.mean(axis=2))  # deal + deal × seat
deal = variance(y.mean(axis=(1, 2)))
with_policy = variance(y.mean(axis=1)) - deal
rest = variance(y) - cards - with_policy
means = y.mean(axis=0)
places = means.mean(axis=1).var() - (cards - deal) / deals
policies = means.mean(axis=0).var() - with_policy / deals
both = means - means.mean(axis=1)[:, None] - means.mean(axis=0) + means.mean()
mixed = (both**2).mean() - rest / deals
answer = {part} / (cards + places + policies + with_policy + mixed + rest)
"""
