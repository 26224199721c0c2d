"""Pieces that several snippets share: reading, and the formulas of intervals.

The formulas are written again here, apart from `studies.intervals` and `studies.balance`, where
their sources stand.
"""

START = """\
import numpy as np
import polars as pl
from scipy.stats import binom, norm, t

from studies import load

"""

ROWS = """\
rows = load(directory)
"""

TABLE = """\
table = load(directory).filter(pl.col("cell") == cell).collect()  # deal by deal
rotations = table["rotation"].n_unique()
"""

PAIRS = """\
rows = load(directory)
keys = ["match", "rotation"]
before = rows.filter(pl.col("cell") == base)
after = rows.filter(pl.col("cell") == cell)
pairs = before.join(after, on=keys, maintain_order="left").collect()  # the same deals
rotations = pairs["rotation"].n_unique()
"""

SHARE = '''

def wilson(share, size, level=level):
    z2 = norm.ppf(0.5 + level / 2) ** 2
    centre = (share + z2 / (2 * size)) / (1 + z2 / size)
    half = (z2 * (share * (1 - share) + z2 / (4 * size)) / size) ** 0.5 / (1 + z2 / size)
    return max(0.0, centre - half), min(1.0, centre + half)


def share_of(values, level=level):
    """Share of matches: Wilson at the effective number, from the spread between deals."""
    deals = np.asarray(values, dtype=float).reshape(-1, rotations).mean(axis=1)
    share, error = deals.mean(), deals.std(ddof=1) / len(deals) ** 0.5
    size = len(deals)
    if rotations > 1 and error > 0:
        size = min(max(share * (1 - share) / error**2, size), size * rotations)
    return share, *wilson(share, size, level)

'''

MEAN = '''

def mean_of(values, level=level, most=None):
    """Mean over matches: t interval from one value a deal."""
    deals = np.asarray(values, dtype=float).reshape(-1, rotations).mean(axis=1)
    half = t.ppf(0.5 + level / 2, len(deals) - 1) * deals.std(ddof=1) / len(deals) ** 0.5
    if most is not None and not deals.any():  # no change in any deal: what that can exclude
        z2 = norm.ppf(0.5 + level / 2) ** 2
        half = most * z2 / (len(deals) + z2)
    return deals.mean(), deals.mean() - half, deals.mean() + half

'''

RATIO = '''

def ratio_of(part, whole):
    """Total of one over total of another: interval of a ratio, from one pair a deal."""
    part, whole = (np.reshape(own, (-1, rotations)).sum(axis=1) for own in (part, whole))
    ratio = part.sum() / whole.sum()
    error = (part - ratio * whole).std(ddof=1) / whole.mean() / len(part) ** 0.5
    half = t.ppf(0.5 + level / 2, len(part) - 1) * error
    return ratio, ratio - half, ratio + half

'''

SHARE_OF_DECIDED = '''

def share_of_decided(part, won, level=level):
    """Share of the decided matches: Wilson at the effective number, from a ratio's spread."""
    if won.all():
        return share_of(part, level)
    part, won = (np.reshape(own, (-1, rotations)).sum(axis=1) * 1.0 for own in (part * won, won))
    if not won.any():
        return np.nan, 0.0, 1.0
    share, known, whole = part.sum() / won.sum(), (won > 0).sum(), won.sum()
    size = whole
    if whole > known:
        error = ((part - share * won) ** 2).sum() ** 0.5 / won.sum()
        error *= (known / max(known - 1, 1)) ** 0.5
        size = min(max(share * (1 - share) / error**2, known), whole) if error > 1e-12 else known
    return share, *wilson(share, size, level)

'''

CHANGE_OF_DECIDED = '''

def change_of(old, new, old_won, new_won, most):
    """Change of a share of decided matches: t interval, from one value a deal."""
    if old_won.all() and new_won.all():
        return mean_of(new - old, most=most)
    sides = []
    for part, won in ((old, old_won), (new, new_won)):
        whole, parts = (np.reshape(own, (-1, rotations)).sum(axis=1) for own in (won, part))
        share = parts.sum() / whole.sum() if whole.any() else np.nan
        sides.append((share, (parts - share * whole) / whole.mean(), (whole > 0).sum()))
    change, moved = sides[1][0] - sides[0][0], sides[1][1] - sides[0][1]
    known = min(sides[0][2], sides[1][2])  # deals with a decided match, on the side with fewer
    if known < 2:
        return change, -np.inf, np.inf
    error = (moved**2).sum() ** 0.5 / len(moved) * (known / (known - 1)) ** 0.5
    if abs(moved).max() < 1e-12 and abs(change) < 1e-12:
        half = most * norm.ppf(0.5 + level / 2) ** 2
        half /= known + norm.ppf(0.5 + level / 2) ** 2
        return 0.0, -half, half
    if known < 30:  # too few for a spread: Newcombe's interval of two shares, unpaired
        both = ((old, old_won), (new, new_won))
        found = [share_of_decided(part / most, won, 0.95) for part, won in both]
        reach = most * np.hypot(*(max(high - own, own - low) for own, low, high in found))
        error = max(error, reach / t.ppf(0.975, known - 1))
    half = t.ppf(0.5 + level / 2, known - 1) * error
    return change, change - half, change + half

'''

QUANTILE = '''

def quantile_of(values, q, deals):
    """Quantile, between two order statistics whose ranks are binomial."""
    values = np.sort(values)

    def at(share):
        return float(values[max(int(np.ceil(share * len(values) - 1e-9)) - 1, 0)])

    lower = binom.ppf((1 - level) / 2, deals, q)
    upper = binom.ppf((1 + level) / 2, deals, q) + 1
    low = at(lower / deals) if lower >= 1 else -np.inf
    return at(q), low, at(upper / deals) if upper <= deals else np.inf

'''

WINNERS = '''

def bits(masks, players):
    """Whether each seat is among the winners, of shape (matches, seats)."""
    return masks.to_numpy().astype(int)[:, None] >> np.arange(players) & 1


def win_shares(masks, players):
    """What each seat gets of a win: one over the number of winners."""
    won = bits(masks, players)
    return won / won.sum(axis=1, keepdims=True).clip(1)

'''

DISTANCES = """\
scores = table.select([f"score_{seat}" for seat in range(players)]).to_numpy().astype(int)
won = bits(table["winners"], players) == 1
decided = won.any(axis=1)
best = scores[np.arange(len(scores)), won.argmax(axis=1)]
behind = abs(scores - best[:, None])  # points behind the winner, whichever way the game counts
margin = np.where(won, behind.max() + 1, behind).min(axis=1)
margin[won.sum(axis=1) != 1] = 0
span = scores.max(axis=1) - scores.min(axis=1)
"""
