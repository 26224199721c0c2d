"""Snippets on what a variant changes, paired with the unchanged rules."""

WINNERS_DIFFER = """\
old, new = (pairs[name].to_numpy() for name in ("winners", "winners_right"))
won = (old != 0) & (new != 0)  # by somebody, with and without the variant: not aborted
answer, low, high = share_of_decided((old != new) & won, won)
"""

WINNERS_DIFFER_ANYTIME = """\
answer, low, high = sequence_of(pairs["winners"] != pairs["winners_right"], 0, 1, 0.3)
"""

IN_PLAY = """\
recorded = ["winners", *(f"score_{seat}" for seat in range(players)), *metrics]
differ = [(pairs[name] != pairs[f"{name}_right"]).to_numpy() for name in recorded]
answer, low, high = share_of(np.any(differ, axis=0))  # matches recorded otherwise
"""

LENGTH_CHANGE = """\
answer, low, high = mean_change(pairs[f"{metric}_right"].cast(int) - pairs[metric].cast(int))
"""

WIN_CHANGE = """\
seats = pairs.select([f"seat_{seat}" for seat in range(players)]).row(0)
turns = pairs["rotation"].to_numpy()[:, None]
held = np.array([name == policy for name in seats])[(np.arange(players) + turns) % players]
old, new = (win_shares(pairs[name], players) for name in ("winners", "winners_right"))
old, new = ((own * held).sum(axis=1) / seats.count(policy) for own in (old, new))
won = [pairs[name].to_numpy() != 0 for name in ("winners", "winners_right")]
answer, low, high = change_of(old, new, *won, most=1 / seats.count(policy))
"""

WIN_CHANGE_ANYTIME = """\
seats = pairs.select([f"seat_{seat}" for seat in range(players)]).row(0)
turns = pairs["rotation"].to_numpy()[:, None]
held = np.array([name == policy for name in seats])[(np.arange(players) + turns) % players]
old, new = (win_shares(pairs[name], players) for name in ("winners", "winners_right"))
most = 1 / seats.count(policy)
answer, low, high = sequence_of(((new - old) * held).sum(axis=1) * most, -most, most, 0)
"""

POSITION_CHANGE = """\
old, new = (
    win_shares(pairs[f"winners{end}"], players)[
        np.arange(len(pairs)),
        (pairs[f"first_seat{end}"].to_numpy().astype(int) + position) % players,
    ]
    for end in ("", "_right")
)
won = [pairs[name].to_numpy() != 0 for name in ("winners", "winners_right")]
answer, low, high = change_of(old, new, *won, most=1)
"""

POSITION_CHANGE_ANYTIME = """\
old, new = (
    win_shares(pairs[f"winners{end}"], players)[
        np.arange(len(pairs)),
        (pairs[f"first_seat{end}"].to_numpy().astype(int) + position) % players,
    ]
    for end in ("", "_right")
)
answer, low, high = sequence_of(new - old, -1, 1, 0)
"""

OTHER_CARDS = """\
# Two matches on other cards: the chance that their winners differ, by rotation.
turns, group = pairs["rotation"].to_numpy().astype(int), pairs["match"].to_numpy() % 1024
old, new = (pairs[name].to_numpy().astype(int) for name in ("winners", "winners_right"))
kinds = max(old.max(), new.max()) + 1
by_group = np.zeros((2, group.max() + 1, rotations * kinds))  # deals in groups, as clusters
for side, masks in enumerate((old, new)):
    np.add.at(by_group[side], (group, turns * kinds + masks), 1)
deals = by_group[0].sum(axis=1, keepdims=True) / rotations
p, q = by_group.sum(axis=1) / deals.sum()
answer = 1 - (p * q).sum() / rotations

# Bounds: groups with normal weights; both terms of the change count, as p and q move together.
count = len(deals)
weights = np.random.default_rng(20_260_802).standard_normal((999, count), dtype=np.float32)
weights = weights * (count / (count - 1)) ** 0.5
dp, dq = (weights @ (own - deals * mean) / deals.sum() for own, mean in zip(by_group, (p, q)))
reach = np.quantile(abs(dp @ q + dq @ p) + abs((dp * dq).sum(axis=1)), level) / rotations
low, high = max(0.0, answer - reach), min(1.0, answer + reach)
"""

P_VALUES = """\
# Tests go over whole families, so that they come from the functions that made the report.
from pathlib import Path

from studies.balance import measure
from studies.compare.effects import compare
from studies.compare.ratings import rate

comparison = compare(Path(directory), level)
lineups, ratings = rate(Path(directory), level, without=restricted)
balance = measure(Path(directory), level)
answer = {
    (effect.variant, effect.lineup, str(effect.point), own.policy): own.win_share.p_holm
    for effect in comparison.variants
    for own in effect.policies
}
"""
