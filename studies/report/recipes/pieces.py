"""Pieces that several snippets share: reading, and the formulas of intervals.

The formulas are written again here, apart from `studies.stats.intervals` and `studies.balance`,
where their sources stand.
"""

START = """\
import numpy as np
import polars as pl
from scipy.optimize import brentq
from scipy.stats import beta, binom, norm, t

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

def share_at(share, size, level=level):
    """Wilson's interval; Clopper and Pearson's where fewer than ten had the event, or had not."""
    if min(share, 1 - share) * size < 10:
        seen, tail = share * size, (1 - level) / 2
        low = beta.ppf(tail, seen, size - seen + 1) if seen > 0 else 0.0
        high = beta.ppf(1 - tail, seen + 1, size - seen) if seen < size else 1.0
        return low, high
    z2 = norm.ppf(0.5 + level / 2) ** 2
    centre = (share + z2 / (2 * size)) / (1 + z2 / size)
    half = (z2 * (share * (1 - share) + z2 / (4 * size)) / size) ** 0.5 / (1 + z2 / size)
    return max(0.0, centre - half), min(1.0, centre + half)


def share_of(values, level=level):
    """Share of matches: interval at the effective number, from the spread between deals."""
    deals = np.asarray(values, dtype=float).reshape(-1, rotations).mean(axis=1)
    share, error = deals.mean(), deals.std(ddof=1) / len(deals) ** 0.5
    size = len(deals)
    if rotations > 1 and error > 0:
        size = min(max(share * (1 - share) / error**2, size), size * rotations)
    return share, *share_at(share, size, level)

'''

MEAN = '''

def mean_of(values, level=level):
    """Mean over matches: t interval from one value a deal."""
    deals = np.asarray(values, dtype=float).reshape(-1, rotations).mean(axis=1)
    half = t.ppf(0.5 + level / 2, len(deals) - 1) * deals.std(ddof=1) / len(deals) ** 0.5
    return deals.mean(), deals.mean() - half, deals.mean() + half

'''

CHANGE = '''

def limits_of(steps, deals):
    """Mid-P limits of a share: half of the chance of what was seen counts."""

    def at_least(share):
        as_many = beta.cdf(share, steps, deals - steps + 1) if steps > 0 else 1.0
        return (as_many + beta.cdf(share, steps + 1, deals - steps)) / 2

    tail = (1 - level) / 2
    low = brentq(lambda share: at_least(share) - tail, 0, 1, xtol=1e-15) if steps > 0 else 0.0
    return low, brentq(lambda share: at_least(share) - (1 - tail), 0, 1, xtol=1e-15)


def steps_around(change, sizes, squares, n, most):
    """Interval of a mean change that few deals show: none where they are many.

    `most` is the largest possible change of a deal. The changes are counted as steps up and down
    of one size, which have the same sum of sizes and of squares.
    """
    if not squares > 0:  # what so many deals without a change can exclude
        reach = np.inf if most is None else most * beta.ppf(0.5 + level / 2, 1, n)
        return change, change - reach, change + reach
    step = squares / sizes
    if sizes / step >= min(100, n / 2):
        return None
    # The limits of the two numbers are combined into those of the difference (Newcombe 1998).
    signed = (max(sizes + sign * n * change, 0) for sign in (1, -1))
    up, down = (round(own / 2 / step, 9) for own in signed)
    (up_low, up_high), (down_low, down_high) = limits_of(up, n), limits_of(down, n)
    if most is None:  # sizes to come are not known
        freedom = max(up + down - 1, 1)
        step *= max(1, t.ppf(0.5 + level / 2, freedom) / norm.ppf(0.5 + level / 2))
    up, down = up / n, down / n
    spread = (up * (1 - up) * down * (1 - down)) ** 0.5
    together = -up * down / spread if spread > 0 else 0.0

    def combined(one, other):
        return step * (one**2 - 2 * together * one * other + other**2) ** 0.5

    low, high = combined(up - up_low, down_high - down), combined(up_high - up, down - down_low)
    return change, change - low, change + high


def mean_change(values, most=None):
    """Mean change: from steps where few deals change, else the t interval over deals."""
    deals = np.asarray(values, dtype=float).reshape(-1, rotations).mean(axis=1)
    deals = deals[abs(deals) > 1e-12]
    n, changed = len(values) // rotations, len(deals)
    if changed > 256:
        return mean_of(values)
    if most is None and changed < 6:
        return deals.sum() / n, -np.inf, np.inf
    sums = deals.sum() / n, abs(deals).sum(), (deals**2).sum()
    return steps_around(*sums, n, most) or mean_of(values)

'''

SEQUENCE = '''
from scipy.special import gammainc, gammaln


def sequence_of(values, least, most, guess):
    """Confidence sequence: an interval that holds at whatever look a cell stopped."""
    deals = np.asarray(values, dtype=float).reshape(-1, rotations).mean(axis=1)[:stopped]
    width, tail = most - least, -np.log(1 - level)
    usual = max(10, (2.9 * 0.1 * width / goal) ** 2) / (2 * tail + np.log1p(2 * tail))
    steps = (100, 125, 150, 200, 250, 300, 400, 500, 600, 800)
    looks = sorted({min(step * 10**power, stopped) for step in steps for power in range(8)})
    spread, start = 0.0, 0
    for look in looks:  # around what was known at the look before
        spread += ((deals[start:look] - guess) ** 2).sum() / width**2
        start, guess = look, min(max(deals[:look].mean(), least), most)

    def log_mixture(sum_, rho):
        def part(shape, at):
            return gammaln(shape) + np.log(gammainc(shape, at)) - shape * np.log(at)

        return part(spread + rho, sum_ + spread + rho) - part(rho, rho) + sum_ + spread

    def excess(sum_):
        both = log_mixture(sum_, usual) + np.log(0.9), log_mixture(sum_, 1.0) + np.log(0.1)
        return np.logaddexp(*both) - np.log(2 / (1 - level))

    limit = np.log(2 / (1 - level))
    reach = brentq(excess, 0, 10 * (limit + ((spread + usual) * limit) ** 0.5))
    reach *= width / stopped
    return deals.mean(), max(least, deals.mean() - reach), min(most, deals.mean() + reach)

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
    """Share of the decided matches: interval at the effective number, from a ratio's spread."""
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
    return share, *share_at(share, size, level)

'''

CHANGE_OF_DECIDED = '''

def change_of(old, new, old_won, new_won, most):
    """Change of a share of decided matches, from one value a deal."""
    if old_won.all() and new_won.all():
        return mean_change(new - old, most)
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
    same = abs(moved).max() < 1e-12 and abs(change) < 1e-12
    if known < 30 and not same:  # too few for a spread: Newcombe's interval of two shares, unpaired
        both = ((old, old_won), (new, new_won))
        found = [share_of_decided(part / most, won, 0.95) for part, won in both]
        reach = most * np.hypot(*(max(high - own, own - low) for own, low, high in found))
        error = max(error, reach / t.ppf(0.975, known - 1))
    if np.count_nonzero(np.reshape(new - old, (-1, rotations)).sum(axis=1).round(9)) <= 256:
        # Where few deals change, in steps as large and so as few as can be.
        squares = 0.0 if same else error**2 * known * (known - 1) + known * change**2
        sizes = max(squares / most, known * abs(change))
        if found := steps_around(change, sizes, squares, known, most):
            return found
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
