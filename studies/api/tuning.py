"""A search for good parameters of a policy, and what it found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from simcore.game import get_game
from studies.api.asked import SEED_HIGH, given_rules, thread_count, whole_number
from studies.api.own import Strategies, use_policies
from studies.api.shown import page, table
from studies.api.watching import watched

if TYPE_CHECKING:
    from simcore.game import Game
    from studies.run.run import Watcher
    from studies.run.tuning import Tuning

BUDGET_HIGH = 10**10


class Tuned:
    """What a search for parameters found, from `tune`.

    Attributes
    ----------
    default, found : str
        The strategy that it began with, and the best it found, as line-ups name them.
    is_clear : bool
        Whether what was found is clearly better on fresh deals.
    gain : dict of str to float
        `estimate`, `low`, `high` of the win rate on fresh deals, found less default (95 %).

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
        """Return what `cardlab tune --json` prints; "tuned" is None where the gain is not clear.

        Examples
        --------
        >>> import cardlab
        >>> tuned = cardlab.tune("up", "greedy", against="random", budget=3_000)
        >>> tuned.to_dict()["against"]
        ['random']
        """
        found = self.tuning
        values = zip(
            found.default.policy.params, found.default.values, found.tuned.values, strict=True
        )
        return {
            "default": self.default,
            "tuned": self.found if found.is_clear else None,
            "found": self.found,
            "clear": found.is_clear,
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
            "against": [str(one) for one in found.against],
            "default_share": asdict(found.default_share),
            "tuned_share": asdict(found.tuned_share),
            "gain": asdict(found.gain),
            "p": found.p,
            "deals": found.deals,
            "rotations": found.rotations,
            "generations": found.generations,
            "candidates": found.candidates,
            "matches": found.matches,
        }

    def __repr__(self) -> str:
        return f"<Tuned: {self.found} from {self.default}; {self._words()}>"

    def _words(self) -> str:
        percent = {name: f"{100 * value:+.1f}" for name, value in self.gain.items()}
        gain = f"gain {percent['estimate']} points ({percent['low']} to {percent['high']})"
        return gain if self.is_clear else f"{gain}, not clear"

    def _repr_html_(self) -> str:
        rows: list[Sequence[object]] = [("strategy", "win rate on fresh deals, %", "from", "to")]
        found = self.tuning
        for name, own in (
            (self.default, found.default_share),
            (self.found, found.tuned_share),
        ):
            values = (own.estimate, own.low, own.high)
            rows.append((name, *(f"{100 * value:.1f}" for value in values)))
        return page(self._words(), table(rows))


def tune(
    game: str,
    policy: str,
    *,
    players: int | None = None,
    rules: Mapping[str, object] | None = None,
    against: str | Sequence[str] | None = None,
    budget: int = 400_000,
    seed: int = 1,
    strategies: Strategies = None,
    threads: int | None = None,
    progress: bool = False,
) -> Tuned:
    """Search for good parameters of a policy (CMA-ES), and check them on fresh deals.

    Parameters
    ----------
    game, players, rules, seed, strategies, threads, progress
        As of `simulate`.
    policy : str
        name, or name(param=value, …): parameters given stay fixed.
    against : str or sequence of str, optional
        Who holds the other seats, repeated round the table; default: the policy as it is.
    budget : int
        Matches in all.

    Returns
    -------
    Tuned

    Raises
    ------
    InputError
        If anything of it is refused.

    Examples
    --------
    >>> import cardlab
    >>> cardlab.tune("up", "greedy", against="random", budget=3_000).default
    'greedy'
    """
    known = get_game(game)
    given = given_rules(players, rules)
    matches = whole_number("budget", budget, 1, BUDGET_HIGH)
    number = whole_number("seed", seed, 0, SEED_HIGH)
    workers = thread_count(threads)
    known.resolve(given)
    use_policies(strategies, game)
    with watched(progress=progress) as (line, _):
        return Tuned(search(known, given, policy, against, matches, number, workers, line))


def search(
    game: Game,
    rules: Mapping[str, object],
    policy: str,
    against: str | Sequence[str] | None,
    budget: int,
    seed: int,
    threads: int,
    watcher: Watcher | None,
) -> Tuning:
    """Search as `tune` does, with numbers that are checked and policies that are registered."""
    from strategies import parse_lineup, parse_strategy
    from studies.run.tuning import Bench, free_params
    from studies.run.tuning import tune as search_on

    start = parse_strategy(game, policy)
    free_params(start)
    opponents = (start,) if against is None else parse_lineup(game, against)
    bench = Bench(game, game.resolve(rules), opponents, seed, threads)
    if watcher is None:
        return search_on(bench, start, budget)
    watcher.begin(budget, cells=1)
    return search_on(bench, start, budget, watch=lambda rows: watcher.advance(rows, 0))
