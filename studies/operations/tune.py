"""Search for good parameters of a policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from simcore.catalogue import get_game
from studies.operations.arguments import SEED_HIGH, given_options, thread_count, whole_number
from studies.operations.user_code import Strategies, given_policies
from studies.render import Column, Page, Shown, Table, number, p_value, percent
from studies.run.progress import watched

if TYPE_CHECKING:
    import polars as pl

    from studies.run.tuning import Tuning

BUDGET_HIGH = 10**10


class Tuned(Shown):
    """The result of a search for parameters, from `tune`.

    Attributes
    ----------
    default, found : str
        The initial strategy, and the best one found, as in line-ups.
    is_clear : bool
        Whether the best one is clearly better on fresh deals.
    gain : dict of str to float
        `estimate`, `low`, `high` of the gain in win rate on fresh deals (95 %).

    Examples
    --------
    >>> import cardlab
    >>> tuned = cardlab.tune("up", "greedy", against="random", budget=3_000)
    >>> tuned.default, sorted(tuned.gain)
    ('greedy', ['estimate', 'high', 'low'])
    """

    def __init__(self, tuning: Tuning) -> None:
        self.tuning = tuning
        self.default = str(tuning.default)
        self.found = str(tuning.tuned)
        self.is_clear = tuning.is_clear
        self.gain = asdict(tuning.gain)

    def to_dict(self) -> dict[str, Any]:
        """Return what `cardlab tune --json` prints; "tuned" is None if the gain is not clear."""
        tuning = self.tuning
        values = zip(
            tuning.default.policy.params, tuning.default.values, tuning.tuned.values, strict=True
        )
        return {
            "default": self.default,
            "tuned": self.found if tuning.is_clear else None,
            "found": self.found,
            "clear": tuning.is_clear,
            "parameters": [
                {
                    "parameter": param.name,
                    "before": before,
                    "found": after,
                    "allowed": param.allowed,
                    "meaning": param.meaning,
                }
                for param, before, after in values
            ],
            "against": [str(strategy) for strategy in tuning.against],
            "default_share": asdict(tuning.default_share),
            "tuned_share": asdict(tuning.tuned_share),
            "gain": asdict(tuning.gain),
            "p": tuning.p,
            "deals": tuning.deals,
            "rotations": tuning.rotations,
            "generations": tuning.generations,
            "candidates": tuning.candidates,
            "matches": tuning.matches,
        }

    @property
    def parameters(self) -> pl.DataFrame:
        """Each parameter before and after the search, with its range and meaning."""
        import polars as pl

        return pl.DataFrame(self.to_dict()["parameters"], strict=False)

    def page(self) -> Page:
        """Return the displayed page: the parameters before and after, and the gain."""
        import polars as pl

        tuning = self.tuning
        word = "tuned" if self.is_clear else "tried"
        rows = [
            {**row, "before": _shown(row["before"]), "found": _shown(row["found"])}
            for row in self.to_dict()["parameters"]
        ]
        columns = (
            Column("parameter"),
            Column("before"),
            Column("found", word),
            Column("allowed"),
            Column("meaning", drop_priority=1),
        )
        names = (("before", tuning.default_share), (word, tuning.tuned_share))
        shares = ", ".join(
            f"{name} {percent(share.estimate, share.low, share.high)}" for name, share in names
        )
        gain = tuning.gain
        points = number(gain.estimate, gain.low, gain.high, scale=100, signed=True)
        against = ", ".join(str(strategy) for strategy in tuning.against)
        head = (
            f"{self.default} at one seat, in every seat in turn, against {against}; "
            f"{tuning.candidates:,} candidates in {tuning.generations} generations, "
            f"{tuning.matches:,} matches"
        )
        check = (
            f"On {tuning.deals:,} fresh deals, each in {tuning.rotations} rotations (95 % "
            f"intervals, by deal): {shares} % of the matches won; gain {points} points "
            f"(p {p_value(tuning.p)})."
        )
        nothing = (
            f"Nothing clearly better than {self.default} was found: the gain may be zero or a "
            "loss. A larger budget tells smaller gains."
        )
        end = self.found if self.is_clear else nothing
        return [head, Table(pl.DataFrame(rows), columns), check, end]


def _shown(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def tune(
    game: str,
    policy: str,
    *,
    players: int | str | None = None,
    options: Mapping[str, object] | None = None,
    against: str | Sequence[str] | None = None,
    budget: int | str = 400_000,
    seed: int | str = 1,
    strategies: Strategies = None,
    threads: int | str | None = None,
    progress: bool = False,
) -> Tuned:
    """Search for good parameters of a policy.

    The search uses CMA-ES; its result is checked on fresh deals.

    Parameters
    ----------
    game, players, options, seed, strategies, threads, progress
        As in `simulate`.
    policy : str
        name or name(param=value,…); parameters given here stay fixed.
    against : str or sequence of str, optional
        Strategies in the other seats; a short list is repeated. Default: the untuned policy.
    budget : int
        Total number of matches; 1e6 works.

    Examples
    --------
    >>> import cardlab
    >>> cardlab.tune("up", "greedy", against="random", budget=3_000).default
    'greedy'
    """
    known = get_game(game)
    given = given_options(players, options)
    matches = whole_number("budget", budget, 1, BUDGET_HIGH)
    key = whole_number("seed", seed, 0, SEED_HIGH)
    workers = thread_count(threads)
    known.resolve(given)
    policies = given_policies(strategies, game)
    from strategies import parse_lineup, parse_strategy
    from studies.run import tuning

    with watched(progress=progress) as (line, _):
        start = parse_strategy(known, policy, policies)
        tuning.free_params(start)  # refused before the opponents are read
        opponents = (start,) if against is None else parse_lineup(known, against, policies)
        bench = tuning.Bench(known, known.resolve(given), opponents, key, workers)
        line.begin(matches, cells=1)
        return Tuned(tuning.tune(bench, start, matches, watch=lambda rows: line.advance(rows, 0)))
