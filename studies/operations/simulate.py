"""Simulate a study of one cell: its sums, block by block, and optionally its rows.

The summary is made from the frame of that study (`studies.answers.frame`). What it has beyond the
built-in measures, such as the winner's score, are measures of its own; squares of all numbers give
the spread between matches.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.catalogue import get_game
from simcore.gpu.device import CPU, check_device
from simcore.options import show
from studies.operations.arguments import (
    MATCHES_HIGH,
    Rules,
    game_of,
    given_options,
    make_cell,
    thread_count,
    whole_number,
)
from studies.operations.user_code import Strategies, given_policies
from studies.render import Column, Page, Shown, Table, number, percent, plain
from studies.run.progress import SILENT, Watcher, watched

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from simcore.batch import Cell
    from studies.answers.totals import Totals
    from studies.design.cells import StudyCell
    from studies.measures import Measure
    from studies.view.answer import Answer

Columns = Mapping[str, "NDArray[Any]"]

FIRST_BLOCK = 256
LARGEST_BLOCK = 1 << 17
FIRST_ON_DEVICE = 1 << 17
LARGEST_ON_DEVICE = 1 << 22
BLOCK_SECONDS = 0.4
"""Blocks grow until they take about this long: short enough to react to an interruption, and long
enough that the overhead of a block does not matter."""

COUNTS = ("decisions", "forced")
"""Counted in every game: decisions with a choice, and those with one legal move."""


class Simulation(Shown):
    """The matches of one cell, from `simulate`: rows and a summary.

    Attributes
    ----------
    summary : dict
        What `cardlab simulate --json` prints: means and standard deviations per match, win rates
        (0 to 1) by strategy and by position, 95 % intervals, aborted matches, seconds.

    Examples
    --------
    >>> import cardlab
    >>> sim = cardlab.simulate("up", players=3, matches=200, seed=1)
    >>> sim.rows().select("match", "first_seat", "winner_seats").collect().shape
    (200, 3)
    >>> sim.summary["matches"], len(sim.summary["win_share_by_position"])
    (200, 3)
    """

    def __init__(
        self,
        cell: StudyCell,
        matches: pl.LazyFrame | None,
        summary: dict[str, Any],
        seconds_a_turn: float | None = None,
    ) -> None:
        self.cell = cell
        self._seconds_a_turn = seconds_a_turn
        self.summary = summary
        self._matches = matches

    @property
    def matches(self) -> int:
        """Number of matches played, all rotations counted."""
        return int(self.summary["matches"])

    def cells(self) -> pl.DataFrame:
        """Return one row: the cell's names, every option, seats, rotations, seed."""
        from studies.store.cellfile import cell_frame

        return cell_frame([self.cell])

    def rows(self) -> pl.LazyFrame:
        """Return one row per match, joined with its cell, in the order of (match, rotation).

        Returns
        -------
        polars.LazyFrame
            The columns of `Results.rows`.
        """
        from studies.operations.rows import no_rows, with_winner_seats
        from studies.store.cellfile import join_cells

        if self._matches is None:
            raise no_rows("the simulation")
        return with_winner_seats(join_cells(self._matches, [self.cell]))

    def seats(self) -> pl.LazyFrame:
        """Return one row per match and seat, as `Results.seats` does."""
        from studies.operations.rows import seats_of

        return seats_of(self.rows(), [self.cell])

    def compare(self, baseline: Simulation, **named: Any) -> Answer:
        """Compare with another simulation, on the same deals where both have them.

        Parameters
        ----------
        baseline : Simulation
            A simulation of the same game, line-up and seed, with other options.
        **named
            As in `cardlab.compare`.
        """
        from studies.operations.compare import compare

        return compare([baseline, self], **named)

    def matches_frame(self) -> pl.DataFrame:
        """Return the match columns without those of the cell."""
        from studies.operations.rows import no_rows

        if self._matches is None:
            raise no_rows("the simulation")
        return self._matches.drop("cell").collect()

    def metrics(self) -> pl.DataFrame:
        """Return one row per metric: its mean per match, sd, and the interval of the mean."""
        import polars as pl

        bounds = self.summary["metrics_interval"]
        counted_each = {metric.name for metric in get_game(self.cell.game).metrics if metric.per}
        rows = [
            {
                "metric": name,
                **moments,
                **{b: bounds.get(name, _MISSING)[b] for b in ("low", "high")},
            }
            for name, moments in self.summary["metrics"].items()
            if name not in counted_each
        ]
        return pl.DataFrame(rows, infer_schema_length=None)

    def to_pandas(self) -> Any:
        """Return `rows()` as a pandas.DataFrame."""
        return self.rows().collect().to_pandas()

    def page(self) -> Page:
        """Return the displayed page: text, and tables with 95 % intervals."""
        page = _page(self.cell, self.summary, self.metrics())
        return [*page, *self._minutes()]

    def _minutes(self) -> list[str]:
        """Return how long a match takes at a table of people, if it was said how long a turn is."""
        from studies.measures import LENGTHS

        known = self.summary["metrics_interval"]
        length = next((name for name in LENGTHS if name in known), None)
        if self._seconds_a_turn is None or length is None:
            return []
        plays, minutes = known[length], self._seconds_a_turn / 60
        size = number(*(plays[end] and plays[end] * minutes for end in _MISSING))
        return [f"A match takes {size} minutes at {self._seconds_a_turn:g} s each of its {length}."]


def simulate(
    game: str,
    *,
    players: int | str | None = None,
    options: Mapping[str, object] | None = None,
    lineup: str | Sequence[str] = "random",
    matches: int | str = 10_000,
    seed: int | str = 1,
    rotate: bool = False,
    strategies: Strategies = None,
    rules: Rules = None,
    threads: int | str | None = None,
    device: str = CPU,
    out: str | Path | None = None,
    seconds: float | str | None = None,
    keep_rows: bool = True,
    progress: bool = False,
) -> Simulation:
    """Simulate matches with one line-up, and summarize them.

    The same seed gives the same rows with any number of threads. `cardlab play` with the number of
    a row describes that match in words.

    Parameters
    ----------
    game : str
        Name of a game (cardlab games), or a file.
    players : int, optional
        Number of players, short for the game's option of that name.
    options : mapping of str to value, optional
        Options of the game that differ from their defaults (cardlab games GAME lists them).

        In Python `cardlab.options(game)` lists them.
    lineup : str or sequence of str
        Strategies by seat: name or name(param=value,…). A short list is repeated to fill the table.

        A list, or text with commas.
    matches : int
        Number of deals, 1…1000000000000; 1e6 works. With `rotate` each is played several times.
    seed : int
        Random seed, 0…2^63-1 (9223372036854775807).
    rotate : bool
        Play each deal in every rotation of the line-up, so that no policy has the better seats.

        Intervals use the deal as their unit.
    strategies : path, function, or several of them
        Python files with your own policies, which are executed.

        Or functions defined in a notebook.
    rules : path, or several of them
        Files that change the rules or count events.

        See docs/tutorials/own-game.md.
    threads : int, optional
        Number of threads; default: all cores. Results do not depend on it.
    device : str
        cuda: play on the GPUs of this machine. Results do not depend on it.

        See docs/howto/gpu.md.
    out : path, optional
        Write one row per match to a new file: .parquet, .csv or .arrow.
    seconds : float, optional
        How long a turn takes at a table of people (a play, a trick: what the length is counted in),
        to tell the length in minutes.
    keep_rows : bool
        Whether to keep the rows in memory (about 100 bytes each) or only their sums.
    progress : bool
        Whether to show on stderr how far it is, and what is compiled.

    Examples
    --------
    >>> import cardlab
    >>> sim = cardlab.simulate("up", players=3, options={"dirty_one": "always"},
    ...                        lineup=["greedy", "shedder"], matches=300, rotate=True)
    >>> sim.matches
    900
    >>> sorted(sim.summary["win_rate_by_strategy"]["greedy"])
    ['estimate', 'high', 'low']
    """
    from simcore.compiler.machine import expect_compiling

    if device == CPU:
        expect_compiling()
    from studies.operations.compare import read_seconds

    chosen = game_of(game, rules)
    seconds_a_turn = read_seconds(seconds)
    count = whole_number("matches", matches, 1, MATCHES_HIGH)
    workers = thread_count(threads)
    check_device(device)
    cell = make_cell(
        chosen, given_options(players, options), lineup, seed=seed, strategies=strategies
    )
    blocks: list[Columns] = []
    with contextlib.ExitStack() as stack:
        consumers: list[Callable[[Columns], None]] = [blocks.append] if keep_rows else []
        if out is not None:
            from studies.operations.rowfile import row_file

            consumers.append(stack.enter_context(row_file(Path(out), _metadata(cell))).add)
        line, _ = stack.enter_context(watched(progress=progress))
        policies = given_policies(strategies, chosen.name)
        played = replace(_study_cell(cell, rotate=rotate), policies=policies)
        totals, took = run_cell(
            cell, played, count, workers, consumers, watcher=line, device=device
        )
    return Simulation(
        played,
        _frame(blocks) if keep_rows else None,
        _summary(cell, played, totals, took),
        seconds_a_turn,
    )


def play_to_file(cell: Cell, matches: int, path: Path) -> None:
    """Play a cell's matches on one thread into a new file, for benchmarks of the whole path."""
    from studies.operations.rowfile import row_file

    with row_file(path, _metadata(cell)) as file:
        run_cell(cell, _study_cell(cell, rotate=False), matches, 1, [file.add])


def _metadata(cell: Cell) -> dict[str, object]:
    from studies.version import VERSION

    return {
        "game": cell.game.name,
        "options": cell.options,
        "lineup": [str(seat) for seat in cell.seats],
        "seed": cell.seed,
        "version": VERSION,
        "files": cell.game.files(cell.options),
        "assumptions": cell.game.assumed({cell.players}),
    }


def _study_cell(cell: Cell, *, rotate: bool) -> StudyCell:
    from studies.design.cells import StudyCell, period
    from studies.measures import BASELINE

    seats = tuple(str(seat) for seat in cell.seats)
    return StudyCell(
        id="simulation",
        game=cell.game.name,
        variant=BASELINE,
        lineup=", ".join(dict.fromkeys(seats)),
        point={},
        options=cell.options,
        seats=seats,
        rotations=period(seats) if rotate else 1,
        seed=cell.seed,
    )


def summary_measures(cell: StudyCell) -> tuple[Measure, ...]:
    """Return what a summary tells beyond the built-in measures, and squares of all its numbers."""
    from studies.measures import DECIDED, MATCHES, Measure, game_of, is_cooperative, win_unit

    game, players = game_of(cell), len(cell.seats)
    scores = [f"score_{seat}" for seat in range(players)]
    won = " + ".join(f"{score} * _won_{seat}" for seat, score in enumerate(scores))
    unit = win_unit(players)
    of_winner = f"({won}) * ({unit} // IF(_winners > 0, _winners, 1))"
    texts = {name: name for name in (*game.metric_names, *COUNTS)}
    together = is_cooperative(cell)
    texts |= {"score": "score_0"} if together else {"score_sum": " + ".join(scores)}
    own = [(name, text, MATCHES, 1) for name, text in texts.items()]
    if not together:
        own.append(("winner_score", of_winner, DECIDED, unit))
        own.append(("winner_count", "_winners", MATCHES, 1))
    return tuple(
        measure
        for name, text, of, unit in own
        for measure in (
            Measure(f"mean {name}", text, of, unit=unit, low=None, meaning=name),
            Measure(f"square {name}", f"({text}) * ({text})", of, unit=unit * unit, low=None),
        )
    )


def run_cell(
    cell: Cell,
    played: StudyCell,
    matches: int,
    threads: int,
    consumers: Sequence[Callable[[Columns], None]] = (),
    *,
    watcher: Watcher = SILENT,
    device: str = CPU,
) -> tuple[Totals, float]:
    """Play matches 0…`matches` − 1 of a cell; return their sums and the simulation's seconds.

    `consumers` get the columns of every block, in order, from a second thread that also does the
    statistics while the next block is played.
    """
    from simcore.batch import try_out, warm_up
    from studies.answers.totals import Totals, totals_of
    from studies.measures import measures_of
    from studies.run.executors import Task, play_rotations, totals_there

    own = summary_measures(played)
    measures = measures_of(played, own)
    task = Task((played,), played, 0, matches, "", rows=False, measures=own)
    totals, seconds = Totals(played.rotations), 0.0
    warm_up(cell, device)  # before the clock starts
    try_out(cell, matches, device)
    watcher.begin(matches * played.rotations, cells=1)

    def consume(columns: Columns) -> None:
        totals.add(totals_of(played, columns, measures))
        for consumer in consumers:
            consumer(columns)

    size, largest = FIRST_BLOCK * threads, LARGEST_BLOCK
    if device != CPU:
        size, largest = FIRST_ON_DEVICE, LARGEST_ON_DEVICE // played.rotations
    first = 0
    with ThreadPoolExecutor(max_workers=1) as helper:
        under_way: Future[Any] = helper.submit(int)
        while first < matches:
            count = min(size, matches - first)
            there = None
            if device != CPU and not consumers:
                there = totals_there(task, first, count)
            if there is not None:
                under_way.result()
                totals.add(there[0][played.id])
                block_seconds = there[1]
            else:
                columns, block_seconds = play_rotations(
                    cell, first, count, played.rotations, threads=threads, device=device
                )
                under_way.result()
                under_way = helper.submit(consume, columns)
            seconds += block_seconds
            watcher.advance(count * played.rotations, cells_done=0)
            first += count
            growth = min(8.0, BLOCK_SECONDS / max(block_seconds, 1e-6))
            size = min(largest, max(1, int(count * growth)))
        under_way.result()
    return totals, seconds


def _frame(blocks: Sequence[Columns]) -> pl.LazyFrame:
    import polars as pl

    rows = pl.concat([pl.DataFrame(dict(block)) for block in blocks], rechunk=True)
    return rows.lazy().select(pl.lit("simulation").alias("cell"), pl.all())


Bounds = dict[str, float | None]
_MISSING: Bounds = dict.fromkeys(("estimate", "low", "high"))


def _summary(cell: Cell, played: StudyCell, totals: Totals, seconds: float) -> dict[str, Any]:
    """Return what --json prints; the keys are part of the public interface.

    `win_share_by_…` counts all matches, aborted ones included, and sums over the seats of a
    strategy; `win_rate_by_…` is of the decided matches, a seat, as everywhere. Where all win
    together no seat has its own: there is `win_rate_of_table`.
    """
    from studies.answers.frame import levels_frame
    from studies.measures import NOBODY, is_cooperative

    own = summary_measures(played)
    frame = levels_frame(played, totals, measures=own)
    levels: dict[tuple[str, str], Bounds] = {
        (row["who"], row["number"]): {name: row[name] for name in _MISSING}
        for row in plain(frame.to_dicts())
        if row["kind"] == "level"
    }
    seats = [str(seat) for seat in cell.seats]
    means = [measure for measure in own if measure.meaning]
    shares: dict[str, Any] = {}
    if is_cooperative(played):
        rates = {"win_rate_of_table": levels.get(("", "win_rate"), _MISSING)}
    else:
        shares, rates = _wins_by_seat(seats, levels, totals)
    summary: dict[str, Any] = {
        "game": cell.game.name,
        "options": cell.options,
        "lineup": seats,
        "matches": totals.matches,
        "seed": cell.seed,
        "seconds": seconds,
        "metrics": {
            measure.meaning: {
                "mean": levels.get(("", measure.name), _MISSING)["estimate"],
                "sd": _spread(totals, measure),
            }
            for measure in means
        },
        **shares,
        "aborted": totals.total("aborted"),
    }
    counts = dict.fromkeys(
        metric.name.rpartition("_")[0] for metric in cell.game.metrics if metric.per == "seat"
    )
    if counts:
        summary["counts_by_position"] = {
            name: [levels.get((f"position {seat}", name), _MISSING) for seat in range(len(seats))]
            for name in counts
        }
    if ("", NOBODY.name) in levels:
        summary["nobody_share"] = levels["", NOBODY.name]
    if played.rotations > 1:
        summary["rotations"] = played.rotations
    if assumed := cell.game.assumed({cell.players}):
        summary["assumptions"] = assumed
    return {
        **summary,
        "level": 0.95,
        "decided": totals.decided,
        **({"even_share": 1 / len(seats)} if shares else {}),
        "aborted_share": levels.get(("", "aborted"), _MISSING),
        **rates,
        "metrics_interval": {
            measure.meaning: levels.get(("", measure.meaning), levels[("", measure.name)])
            for measure in means
        },
    }


def _wins_by_seat(
    seats: Sequence[str], levels: Mapping[tuple[str, str], Bounds], totals: Totals
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the shares of all matches and the scores; and the rates of decided matches."""
    names = list(dict.fromkeys(seats))
    rates = {name: levels.get((f"policy {name}", "win_rate"), _MISSING) for name in names}
    if len(names) == 1:  # a policy in all seats wins every match
        even = 1 / len(seats) if totals.decided else None
        rates = {names[0]: dict.fromkeys(_MISSING, even)}
    places = [levels.get((f"position {seat}", "win_rate"), _MISSING) for seat in range(len(seats))]
    scores = [levels.get((f"position {seat}", "score"), _MISSING) for seat in range(len(seats))]
    shares = {
        "win_share_by_position": [
            (level["estimate"] or 0.0) * totals.decided / totals.matches for level in places
        ],
        "score_by_position": [level["estimate"] for level in scores],
        "win_share_by_strategy": {
            name: (level["estimate"] or 0.0) * seats.count(name) * totals.decided / totals.matches
            for name, level in rates.items()
        },
    }
    return shares, {
        "win_rate_by_strategy": rates,
        "win_rate_by_position": places,
        "score_by_position_interval": scores,
    }


def _spread(totals: Totals, measure: Measure) -> float | None:
    """Return the sample standard deviation of a number between matches; None with too few."""
    from studies.measures import DECIDED

    count = totals.decided if measure.of == DECIDED else totals.matches
    if count < 2:
        return None
    total, squares = (
        totals.total(f"{kind} {measure.meaning}") for kind in ("mean", "square")
    )  # exact: whole numbers of any size
    return math.sqrt((count * squares - total**2) / (count * (count - 1))) / measure.unit


def _page(cell: StudyCell, summary: Mapping[str, Any], metrics: pl.DataFrame) -> list[str | Table]:
    game = get_game(cell.game)
    changed = [
        f"{option.name}={show(cell.options[option.name])}"
        for option in game.options
        if cell.options[option.name] != option.default or option.name == "players"
    ]
    rate = summary["matches"] / summary["seconds"] if summary["seconds"] > 0 else math.inf
    head = (
        f"{game.title}: {', '.join(changed)}; seed {cell.seed}\n"
        f"{summary['matches']:,} matches in {summary['seconds']:.2f} s ({rate:,.0f} matches/s); "
        f"aborted: {summary['aborted']:,}"
    )
    if summary["aborted"]:
        head += f" ({_share(summary['aborted_share'])})"
    if "nobody_share" in summary:
        head += f"; nobody wins {_share(summary['nobody_share'])}"
    together = "win_rate_of_table" in summary
    decided = f"the {summary['decided']:,} decided matches"
    wins: str | Table = (
        f"Won by the table: {_share(summary['win_rate_of_table'])}."
        if together
        else _seats_table(summary)
    )
    named = (
        Column("metric", "per match"),
        Column("mean", "mean", "number", "low", "high"),
        Column("sd", "sd", "number"),
    )
    unit = f", by deal, each in {cell.rotations} rotations" if cell.rotations > 1 else ""
    end = f"Intervals are {100 * summary['level']:g} %{unit}"
    if together:
        end += "."
    else:
        end += (
            f"; k winners count 1/k each. Position 0 is {game.first_seat_meaning}, then clockwise."
        )
    if summary["aborted"]:
        what = "It is" if together else "Win rates are"
        end += f" {what} of {decided}; scores and metrics count what was played of aborted ones"
        end += "." if together else ", too (winner_score: of decided ones)."
    elif "nobody_share" in summary:
        end += f" Win rates, and winner_score, are of {decided}."
    assumed = [f"Assumption: {text}" for text in game.assumptions]
    return [head, wins, Table(metrics, named), end, *assumed]


def _share(level: Mapping[str, float | None]) -> str:
    return percent(level["estimate"], level["low"], level["high"], " %")


def _seats_table(summary: Mapping[str, Any]) -> Table:
    import polars as pl

    rows = [{"who": name, **rates} for name, rates in summary["win_rate_by_strategy"].items()]
    places = zip(
        summary["win_rate_by_position"], summary["score_by_position_interval"], strict=True
    )
    for place, (rates, score) in enumerate(places):
        scored = {f"score_{name}": value for name, value in score.items()}
        for count, of_seats in summary.get("counts_by_position", {}).items():
            scored |= {f"{count}_{name}": value for name, value in of_seats[place].items()}
        rows.append({"who": f"position {place}", **rates, **scored})
    columns = (
        Column("who"),
        Column("estimate", "win rate %", "percent", "low", "high"),
        Column("score_estimate", "score", "number", "score_low", "score_high"),
        *(
            Column(f"{count}_estimate", count, "number", f"{count}_low", f"{count}_high")
            for count in summary.get("counts_by_position", {})
        ),
    )
    title = f"Win rates a seat; the even share is {100 * summary['even_share']:.1f} %"
    return Table(pl.DataFrame(rows, infer_schema_length=None), columns, title)
