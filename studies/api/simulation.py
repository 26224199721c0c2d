"""Many matches of one cell: played block by block, added up, and kept as rows where wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from simcore.game import STOCK, get_game
from studies.api.asked import MATCHES_HIGH, given_rules, make_cell, thread_count, whole_number
from studies.api.own import Strategies
from studies.api.shown import page, table
from studies.api.watching import watched

if TYPE_CHECKING:
    import polars as pl

    from simcore.batch import Cell
    from studies.api.tally import Columns, Tally
    from studies.run.run import Watcher

FIRST_BLOCK = 256
LARGEST_BLOCK = 1 << 17
BLOCK_SECONDS = 0.4
"""Blocks grow until they take about this long: an interruption is answered soon, and the cost of
a block does not show."""


class Simulation:
    """Matches of one cell, from `simulate`: their rows, and what they tell.

    Attributes
    ----------
    rows : polars.DataFrame
        One row a match in the order of (match, rotation): `match`, `rotation`, `first_seat`,
        `winners` (bit s: seat s won), `aborted`, `score_0` … of each seat, the game's metrics,
        `clauses`, `decisions`, `forced` and what else `cardlab.games()` names.
    summary : dict
        What `cardlab simulate --json` prints: means and standard deviations a match, win rates
        from 0 to 1 by strategy and by position, 95 % intervals, aborted matches, seconds.

    Examples
    --------
    >>> import cardlab
    >>> sim = cardlab.simulate("up", players=3, matches=200, seed=1)
    >>> sim.rows.select("match", "first_seat", "winners").shape
    (200, 3)
    >>> sim.summary["matches"], len(sim.summary["win_share_by_position"])
    (200, 3)
    """

    def __init__(self, cell: Cell, rows: pl.DataFrame, summary: dict[str, Any]) -> None:
        self.rows = rows
        self.summary = summary
        self._title = cell.game.title

    @property
    def matches(self) -> int:
        """Number of matches played, all rotations counted.

        Examples
        --------
        >>> import cardlab
        >>> cardlab.simulate("up", matches=50, lineup="greedy,random", rotate=True).matches
        100
        """
        return self.rows.height

    def to_pandas(self) -> Any:
        """Return the rows as a pandas.DataFrame, one row a match.

        Examples
        --------
        >>> import cardlab
        >>> len(cardlab.simulate("up", matches=50).to_pandas())
        50
        """
        return self.rows.to_pandas()

    def __repr__(self) -> str:
        lineup = ", ".join(self.summary["lineup"])
        return f"<Simulation of {self._title}: {self.matches:,} matches; {lineup}>"

    def _repr_html_(self) -> str:
        told = self.summary
        seats: list[Sequence[str]] = [("strategy", "win rate per seat, %", "from", "to")]
        seats += [(name, *_percent(own)) for name, own in told["win_share_per_seat"].items()]
        places: list[Sequence[str]] = [("position", "win rate, %", "from", "to", "mean score")]
        pairs = zip(told["win_share_by_position_decided"], told["score_by_position"], strict=True)
        places += [
            (str(place), *_percent(own), f"{score:,.2f}")
            for place, (own, score) in enumerate(pairs)
        ]
        aborted = f", {told['aborted']:,} aborted" if told["aborted"] else ""
        head = f"{self._title}: {self.matches:,} matches{aborted}; seed {told['seed']}"
        return page(head, table(seats), table(places))


def simulate(
    game: str,
    *,
    players: int | None = None,
    rules: Mapping[str, object] | None = None,
    lineup: str | Sequence[str] = "random",
    matches: int = 10_000,
    seed: int = 1,
    rotate: bool = False,
    coupling: str = STOCK,
    strategies: Strategies = None,
    threads: int | None = None,
    progress: bool = False,
) -> Simulation:
    """Play matches of one set of rules with one line-up, and return rows and summary.

    The same seed gives the same rows, whatever the threads; `cardlab.play` with a row's number
    tells that match in words.

    Parameters
    ----------
    game : str
        Name of a game: `cardlab.games()`.
    players : int, optional
        Short for `rules={"players": …}`.
    rules : mapping of str to value, optional
        Options of the game, `cardlab.options(game)`; the others keep their defaults.
    lineup : str or sequence of str
        Strategies by seat, name or name(param=value, …), as a list or one text with commas;
        repeated round the table.
    matches : int
        Match numbers, each one deal; all rows are kept in memory, some 100 bytes each.
    seed : int
        Key of all randomness, 0 … 2⁶³ - 1.
    rotate : bool
        Whether each deal is played in every rotation of the line-up, so that nobody gains by a
        seat; intervals then take the deal as their unit.
    coupling : str
        "stock" or "seat": how matches on the same deal share cards drawn in play.
    strategies : path, function, or several of them
        Files with policies, programs that are run; or functions defined in a notebook.
    threads : int, optional
        Default: all cores. The rows do not depend on it.
    progress : bool
        Whether to show on stderr how far it is, and what is compiled.

    Returns
    -------
    Simulation

    Raises
    ------
    InputError
        If anything of it is refused: the message names it, its value and what is allowed.

    Examples
    --------
    >>> import cardlab
    >>> sim = cardlab.simulate("up", players=3, rules={"dirty_one": "always"},
    ...                        lineup=["greedy", "shedder"], matches=300, rotate=True)
    >>> sim.rows.height
    900
    >>> sorted(sim.summary["win_share_per_seat"]["greedy"])
    ['estimate', 'high', 'low']
    """
    chosen = get_game(game)
    count = whole_number("matches", matches, 1, MATCHES_HIGH)
    workers = thread_count(threads)
    cell = make_cell(
        chosen,
        given_rules(players, rules),
        lineup,
        seed=seed,
        coupling=coupling,
        strategies=strategies,
    )
    blocks: list[Columns] = []
    rotations = rotations_of(cell, rotate=rotate)
    with watched(progress=progress) as (line, _):
        tally, seconds = run_cell(
            cell, count, workers, [blocks.append], rotations=rotations, watcher=line
        )
    return Simulation(cell, _frame(blocks), as_object(cell, tally, seconds))


def run_cell(
    cell: Cell,
    matches: int,
    threads: int,
    consumers: Sequence[Callable[[Columns], None]] = (),
    *,
    rotations: int = 1,
    watcher: Watcher | None = None,
) -> tuple[Tally, float]:
    """Play matches 0…`matches` − 1 of a cell; return their tally and the simulation's seconds.

    Parameters
    ----------
    consumers : sequence of callable
        Each is given the columns of every block, in order; a second Python thread does that, and
        the statistics, while the next block is played.
    rotations : int
        How often each match number is played, the line-up turned by one seat more each time.
    watcher : Watcher, optional
        Is told how far it is.
    """
    from simcore.batch import warm_up
    from studies.api.tally import Tally

    tally = Tally([str(seat) for seat in cell.seats], cell.game.metric_names, rotations)
    seconds = 0.0
    cell = replace(cell, planned=matches)
    warm_up(cell)  # before the clock starts
    if watcher is not None:
        watcher.begin(matches * rotations, cells=1)
    with ThreadPoolExecutor(max_workers=1) as helper:
        under_way: Future[None] | None = None
        blocks = _blocks(cell, matches, threads, rotations)
        for columns, block_seconds in blocks:
            seconds += block_seconds
            if under_way is not None:
                under_way.result()
            under_way = helper.submit(_consume, [tally.add, *consumers], columns)
            if watcher is not None:
                watcher.advance(len(columns["match"]), cells_done=0)
        if under_way is not None:
            under_way.result()
    return tally, seconds


def rotations_of(cell: Cell, *, rotate: bool) -> int:
    """Return how many distinct rotations a cell's line-up has, or 1 if none are wanted."""
    from studies.design.cells import period

    return period(tuple(str(seat) for seat in cell.seats)) if rotate else 1


def _consume(consumers: Sequence[Callable[[Columns], None]], columns: Columns) -> None:
    for consumer in consumers:
        consumer(columns)


def _blocks(
    cell: Cell, matches: int, threads: int, rotations: int
) -> Iterator[tuple[Columns, float]]:
    from studies.run.executors import play_rotations

    first = 0
    size = FIRST_BLOCK * threads
    while first < matches:
        count = min(size, matches - first)
        columns, seconds = play_rotations(cell, first, count, rotations, threads=threads)
        yield columns, seconds
        first += count
        growth = BLOCK_SECONDS / max(seconds, 1e-6)
        size = min(LARGEST_BLOCK, max(1, int(count * min(growth, 8.0))))


def _frame(blocks: Sequence[Columns]) -> pl.DataFrame:
    import polars as pl

    return pl.concat([pl.DataFrame(dict(block)) for block in blocks], rechunk=True)


def _percent(told: Mapping[str, float | None]) -> tuple[str, ...]:
    return tuple(
        "–" if (share := told[key]) is None else f"{100 * share:.2f}"
        for key in ("estimate", "low", "high")
    )


def as_object(cell: Cell, tally: Tally, seconds: float) -> dict[str, Any]:
    """Return what --json prints; the keys are part of the public interface.

    `win_share_by_…` are of all matches, aborted ones in the denominator, and of all seats of a
    strategy; `win_share_per_seat` and `…_decided` are those that the summary prints.
    """
    from studies.api.estimates import as_json

    told: dict[str, Any] = {
        "game": cell.game.name,
        "options": cell.options,
        "lineup": [str(seat) for seat in cell.seats],
        "matches": tally.matches,
        "seed": cell.seed,
        "seconds": seconds,
        "metrics": tally.means(),
        "win_share_by_position": tally.win_share_by_position(),
        "score_by_position": [sums.mean for sums in tally.score_by_position],
        "win_share_by_strategy": tally.win_share_by_strategy(),
        "aborted": tally.aborted,
    }
    if tally.rotations > 1:
        told["rotations"] = tally.rotations
    if cell.coupling != STOCK:
        told["coupling"] = cell.coupling
    if assumed := cell.game.assumed({cell.players}):
        told["assumptions"] = assumed
    return {**told, **as_json(tally)}
