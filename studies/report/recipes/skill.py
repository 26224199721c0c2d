"""Snippets on luck against skill and on policies: variance, duels, strengths, payoffs, Nash."""

DUEL = """\
seats = table.select([f"seat_{seat}" for seat in range(players)]).row(0)
turns = table["rotation"].to_numpy()[:, None]
held = np.array([name == policy for name in seats])[(np.arange(players) + turns) % players]
won = (win_shares(table["winners"], players) * held).sum(axis=1).reshape(-1, rotations)
decided = (table["winners"].to_numpy() > 0).reshape(-1, rotations)
won, number = won.sum(axis=1), decided.sum(axis=1)
answer = won.sum() / number.sum()
known = (number > 0).sum()  # deals with a decided match
error = ((won - answer * number) ** 2).sum() ** 0.5 / number.sum() * (known / (known - 1)) ** 0.5
wider = t.ppf(0.5 + level / 2, known - 1) / norm.ppf(0.5 + level / 2)
# The effective number of matches; where all deals agree that of the deals.
size = answer * (1 - answer) / (error * wider) ** 2 if error > 1e-12 else known
low, high = share_at(answer, max(size, 1))
"""

VARIANCE = '''\
y = win_shares(table["winners"], players).reshape(-1, rotations, players)  # deal, rotation, seat
whole = (table["winners"].to_numpy() > 0).reshape(-1, rotations).all(axis=1)
y = y[whole]  # deals that were decided in every rotation
turn, seat = np.divmod(np.arange(rotations * players), players)
policy = (seat + turn) % rotations  # places of the line-up before it repeats
other = turn[:, None] != turn  # only pairs from two matches of a deal
same_seat = other & (seat[:, None] == seat)
same_policy = other & (policy[:, None] == policy)
neither = other & ~same_seat & ~same_policy


def chance(values):
    """What the number of deals adds to the mean square of the means of columns."""
    return values.var(axis=0, ddof=1).mean() / len(values)


def beyond_chance(values):
    """Mean square of the means of columns, without that."""
    return (values.mean(axis=0) ** 2).mean() - chance(values)


def shares_of_variance(y):
    n, p = players, rotations
    flat = y.reshape(len(y), -1)
    covariances = np.cov(flat, rowvar=False)
    if neither.any():
        base = covariances[neither].mean()
        at_seat = (covariances[same_seat].mean() - base) * (n - 1) / n
        with_policy = (covariances[same_policy].mean() - base) * (p - 1) / p
        cards = base + at_seat * n / (n - 1) + with_policy / (p - 1)
    else:
        cards, with_policy = covariances[same_seat].mean(), 0.0
    grand = flat.mean(axis=1, keepdims=True)
    by_seat = np.stack([flat[:, seat == own].mean(axis=1) for own in range(n)], axis=1) - grand
    by_policy = np.stack([flat[:, policy == own].mean(axis=1) for own in range(p)], axis=1) - grand
    left = flat - grand - by_seat[:, seat] - by_policy[:, policy]
    parts = {
        "cards": cards,
        "seat": beyond_chance(by_seat),
        "policy": beyond_chance(by_policy),
        "policy and cards": with_policy,
        "policy and seat": beyond_chance(left),
        "rest": covariances.diagonal().mean() - cards - with_policy,
    }
    scatter = {  # of what is not there: chi-square, which a jackknife does not see
        "seat": chance(by_seat) * (2 / (n - 1)) ** 0.5,
        "policy": chance(by_policy) * (2 / (p - 1)) ** 0.5,
        "policy and seat": chance(left) * (2 / (n - 1) / (p - 1)) ** 0.5,
    }
    total = sum(parts.values())
    around = np.array([scatter.get(name, 0.0) for name in parts])
    return np.array(list(parts.values())) / total, around / total, list(parts)


shares, around, names = shares_of_variance(y)
# Jackknife: without one group of deals after the other.
group = table["match"].to_numpy()[::rotations][whole] % 40
without = np.array([shares_of_variance(y[group != own])[0] for own in range(40)])
error = (39 / 40 * ((without - without.mean(axis=0)) ** 2).sum(axis=0) + around**2) ** 0.5
half = t.ppf(0.5 + level / 2, 39) * error
seats = table.select([f"seat_{seat}" for seat in range(players)]).row(0)
at = np.array([seats[(own + turn_) % players] for turn_, own in zip(turn, seat)])
if len(set(at[y.reshape(len(y), -1).any(axis=0)])) == 1:  # one policy won all that was decided
    z2 = norm.ppf(0.5 + level / 2) ** 2
    half = np.maximum(half, 4 * z2 / (len(y) + z2))  # what so many deals can exclude
answer = {
    name: (share, share - reach, share + reach)
    for name, share, reach in zip(names, shares, half)
}
'''

STRENGTHS = '''\
from collections import Counter
from itertools import permutations
from math import prod

from scipy.optimize import minimize

orders = {}  # finishing order, as sets of policies that tie -> matches by group of deals
for cell, seats in tables.items():
    table = rows.filter(pl.col("cell") == cell, pl.col("winners") > 0).collect()
    scores = table.select([f"score_{seat}" for seat in range(players)]).to_numpy().astype(int)
    won = bits(table["winners"], players) == 1
    best = scores[np.arange(len(scores)), won.argmax(axis=1)]
    behind = np.where(won, -1, abs(scores - best[:, None]))
    ahead = (behind[:, None, :] < behind[:, :, None]).sum(axis=2)
    kinds = Counter(zip(map(tuple, ahead), table["rotation"], table["match"] % 1024))
    for (ranks, turn, group), matches in kinds.items():
        names = [seats[(seat + turn) % players] for seat in range(players)]
        order = tuple(
            tuple(sorted(name for name, own in zip(names, ranks) if own == rank))
            for rank in sorted(set(ranks))
        )
        orders.setdefault(order, np.zeros(1024))[group] += matches
counts = np.stack(list(orders.values()), axis=1)


def log_chance(order, worth):
    """Plackett–Luce; of a tie all orders within it count."""
    total = 0
    for place, tied in enumerate(order[:-1]):
        rest = sum(worth[name] for later in order[place + 1 :] for name in later)
        own = [worth[name] for name in tied]
        total += np.log(
            sum(
                prod(one[i] / (sum(one[i:]) + rest) for i in range(len(one)))
                for one in permutations(own)
            )
        )
    return total


def slopes(strengths):
    """Log-chance of each order and its derivatives, by complex steps."""
    found = []
    for own in range(len(policies)):
        moved = strengths + 1e-20j * (np.arange(len(policies)) == own)
        worth = dict(zip(policies, np.exp(moved)))
        found.append([log_chance(order, worth) for order in orders])
    return np.real(found[0]), np.imag(found).T / 1e-20


def loss(strengths):
    values, gradients = slopes(strengths)
    every, mean = counts.sum(axis=0) / counts.sum(), strengths.mean()  # held near a mean of 0
    return mean**2 - every @ values, 2 * mean / len(policies) - every @ gradients


found = minimize(loss, np.zeros(len(policies)), jac=True, options={"gtol": 1e-9}).x
# Sandwich: the slopes of each group of deals between two inverses of the curvature.
used = counts[counts.sum(axis=1) > 0]
scores = used @ slopes(found)[1]
curvature = np.array(
    [
        used.sum(axis=0) @ (slopes(found - step)[1] - slopes(found + step)[1]) / 2e-5
        for step in 1e-5 * np.eye(len(policies))
    ]
)
inverse = np.linalg.pinv((curvature + curvature.T) / 2, rcond=1e-9, hermitian=True)
covariance = inverse @ scores.T @ scores @ inverse * len(used) / (len(used) - 1)
answer = {}
for own, policy in enumerate(policies):
    against = (np.arange(len(policies)) == own) * 1 - np.array([p == reference for p in policies])
    half = t.ppf(0.5 + level / 2, len(used) - 1) * (against @ covariance @ against) ** 0.5
    answer[policy] = against @ found, against @ found - half, against @ found + half
'''

_RESAMPLE = """\
from itertools import combinations

wins = {}  # (policy, its table) -> win rate per seat, summed over groups of deals
number = {}
for cell, seats in tables.items():
    table = rows.filter(pl.col("cell") == cell).collect()
    turns = table["rotation"].to_numpy()[:, None]
    group, rotations = table["match"].to_numpy() % 1024, table["rotation"].n_unique()
    shares = win_shares(table["winners"], players)
    number[cell] = len(table) // rotations, rotations
    for policy in set(seats):
        held = np.array([name == policy for name in seats])[(np.arange(players) + turns) % players]
        own = (shares * held).sum(axis=1) / seats.count(policy) / rotations
        wins[policy, cell] = np.bincount(group, own, minlength=1024)
groups = min(1024, max(deals for deals, _ in number.values()))
# Deals are drawn with replacement, in groups; the first row is what was seen.
drawn = np.random.default_rng(20_260_803).multinomial(groups, np.full(groups, 1 / groups), 1999)
weights = np.concatenate([np.ones((1, groups)), drawn])
payoffs, odds = (np.zeros((2000, len(policies), len(policies))) for _ in range(2))
pair_deals = {}
for i, j in combinations(range(len(policies)), 2):
    pair = {policies[i], policies[j]}
    both = [cell for cell, seats in tables.items() if pair <= set(seats)]
    used = [cell for cell in both if len(set(tables[cell])) == 2] or both
    if not used:
        continue  # these two never met
    one, other = (
        weights @ sum(wins[policies[own], cell] for cell in used)[:groups] for own in (i, j)
    )
    pair_deals[i, j] = sum(number[cell][0] for cell in used)
    either = one + other
    payoffs[:, i, j] = np.where(either > 0, (one - other) / np.where(either > 0, either, 1), 0)
    half = 0.5 / number[used[0]][1]
    odds[:, i, j] = np.log((one + half) / (other + half))
payoffs -= payoffs.transpose(0, 2, 1)
odds -= odds.transpose(0, 2, 1)
"""

PAYOFFS = (
    _RESAMPLE
    + """
seen, drawn = payoffs[0], payoffs[1:]
error = drawn.std(axis=0)
met = list(pair_deals)
moved = [abs(drawn[:, i, j] - seen[i, j]) / error[i, j] for i, j in met if error[i, j] > 0]
critical = np.quantile(np.max(moved, axis=0), level) if moved else 0.0
answer, at_once = {}, {}
for i, j in met:
    names = policies[i], policies[j]
    if error[i, j] > 0:
        own = np.quantile(drawn[:, i, j], [0.5 - level / 2, 0.5 + level / 2])
        together = seen[i, j] + critical * error[i, j] * np.array([-1, 1])
    else:  # all wins to one side
        sides = level, 1 - (1 - level) / len(met)
        own, together = (
            seen[i, j] + 2 * share_at(0, pair_deals[i, j], side)[1] * np.array([-1, 1])
            for side in sides
        )
    answer[names] = seen[i, j], *np.clip(own, -1, 1)
    at_once[names] = seen[i, j], *np.clip(together, -1, 1)
"""
)

CYCLIC = (
    _RESAMPLE
    + """

known = [policies.index(policy) for policy in among]  # that have won and lost against each
odds = odds[:, known][:, :, known]


def size(matrices):
    count = len(known)
    return ((matrices**2).sum(axis=(-2, -1)) / (count * (count - 1))) ** 0.5


ranking = odds.mean(axis=2)
transitive = ranking[:, :, None] - ranking[:, None, :]
cyclic = odds - transitive
answer = {}
for name, part in (("transitive", transitive), ("cyclic", cyclic)):
    seen, reach = size(part[0]), np.quantile(size(part[1:] - part[0]), level)
    answer[name] = seen, max(0.0, seen - reach), seen + reach
"""
)

NASH = (
    _RESAMPLE
    + '''
from scipy.optimize import linprog, minimize


def mixture_of(game):
    """A mixture against which no policy gains; of several such, the most even one."""
    count = len(game)
    limits = {"A_ub": game, "b_ub": np.zeros(count), "A_eq": np.ones((1, count)), "b_eq": [1]}
    found = linprog(np.zeros(count), **limits).x
    if (abs(game @ found)[found < 1e-9] > 1e-9).all():
        return found  # every other policy loses against it: there is no other
    corners = [linprog(-row, **limits).x for row in np.eye(count)]
    if np.ptp(corners, axis=0).max() < 1e-9:
        return found
    even = minimize(
        lambda p: p @ np.log(np.maximum(p, 1e-12)),
        np.mean(corners, axis=0),
        jac=lambda p: np.log(np.maximum(p, 1e-12)) + 1,
        bounds=[(0, 1)] * count,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "ineq", "fun": lambda p: -game @ p},
        ],
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    return even.x if even.success else np.mean(corners, axis=0)


mixtures = np.array([mixture_of(game) for game in payoffs])
against = np.einsum("gij,gj->gi", payoffs, mixtures)
answer, payoff_from_nash = {}, {}
for told, found in ((answer, mixtures), (payoff_from_nash, against)):
    for own, policy in enumerate(policies):
        low, high = np.quantile(found[1:, own], [0.5 - level / 2, 0.5 + level / 2])
        told[policy] = found[0, own], min(low, found[0, own]), max(high, found[0, own])
'''
)
