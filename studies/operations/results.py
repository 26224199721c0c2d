"""Run studies into directories, and open the results."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from simcore.gpu.device import CPU, check_device
from simcore.options import show_all
from studies.operations.arguments import Rules, refuse_idle, worker_count
from studies.operations.compare import compare
from studies.operations.report import report
from studies.operations.study import Players, Study, checked_study
from studies.operations.user_code import Strategies, functions_of, given_policies
from studies.render import Column, Page, Shown, Table
from studies.run.progress import watched
from studies.view.answer import Answer

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

    from strategies import Policies
    from studies.run.run import Outcome
    from studies.store.opened import Stored


class Results(Shown):
    """The results in a study directory, from `run` or `open`.

    Attributes
    ----------
    directory : Path
        A local or mounted folder.
    outcome : Outcome or None
        What the run did: matches played and found, and why cells stopped. None from `open`.

    Examples
    --------
    >>> import cardlab
    >>> results = cardlab.run("quickstart", "tour", matches=20)
    >>> results.title
    'Up, four players: how often does each variant change who wins?'
    """

    def __init__(
        self,
        directory: str | Path,
        outcome: Outcome | None = None,
        *,
        trust: bool = False,
        policies: Policies | None = None,
    ) -> None:
        from studies.store.files import locate

        self.directory = locate(directory)
        self.outcome, self.trust, self._policies = outcome, trust, policies
        _ = self.stored  # refuses anything but a study directory

    @cached_property
    def stored(self) -> Stored:
        """The directory's content: cells, sums, why each cell stopped."""
        from studies.store.opened import open_study

        return open_study(self.directory, trust=self.trust, policies=self._policies)

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.stored.cells[0].game

    @property
    def title(self) -> str:
        """Title of the study; may be empty."""
        return str(self.stored.study.title)

    @property
    def study(self) -> Study:
        """The study as of the last run."""
        return Study(self.stored.study.document, name=self.directory.name)

    def cells(self) -> pl.DataFrame:
        """Return one row per cell: names, every option, seats, rotations, seed.

        Returns
        -------
        polars.DataFrame
            `cell` (the key in `rows` and `seats`), `game`, `variant`, `lineup`, the options,
            `seat_0` …, `rotations`, `seed`, `point` (the sweep's values, JSON).
        """
        from studies.store.cellfile import cell_frame

        return cell_frame(self.stored.cells)

    def rows(self) -> pl.LazyFrame:
        """Return one row per match, joined with its cell.

        Returns
        -------
        polars.LazyFrame
            `cell`, the columns of a match (docs/reference/columns.md), among them `winners` (bit s:
            seat s won) and the same as a list, `winner_seats`; then the cell's columns. An option
            with the name of a metric gets the suffix `_option`. Scores of seats that a cell does
            not have are null. Within a cell, rows are ordered by (match, rotation).
        """
        from studies.operations.rows import with_winner_seats

        return with_winner_seats(self.stored.rows())

    def seats(self) -> pl.LazyFrame:
        """Return one row per match and seat: who sat there, and the outcome.

        Returns
        -------
        polars.LazyFrame
            `cell`, `match`, `rotation`, `aborted`, the cell's columns without `seat_0` …; then
            `seat`, `position` (0 begins the first round, then clockwise), `policy` (with its
            parameters), `score` (final), `rank` (1 = won; ties share ranks, as 1.5), `won` (1/k for
            each of k winners). `rank` and `won` are null in aborted matches, so that the mean of
            `won` is the win rate in decided ones; where all lose `rank` is null and `won` 0.
        """
        from studies.operations.rows import seats_of

        return seats_of(self.rows(), self.stored.cells)

    def sums(self) -> pl.DataFrame:
        """Return the exact sums of every cell by group of deals, the basis of all answers.

        Returns
        -------
        polars.DataFrame
            `cell`, `name` (of the sum), `at` (group of deals, or value of a histogram), `value`.
        """
        import polars as pl

        pairs = [(cell, self.stored.totals(cell)) for cell in self.stored.cells]
        frames = [
            totals.to_frame().select(pl.lit(cell.id).alias("cell"), pl.all())
            for cell, totals in pairs
            if totals is not None
        ]
        return pl.concat(frames)

    def compare(self, **named: Any) -> Answer:
        """Return what each variant changes on the same deals, and how the policies differ.

        Parameters
        ----------
        **named
            level, margin, measures, players, variant, lineup, number: as in `cardlab.compare`.
        """
        return compare(self, **named)

    def report(self, path: str | Path | None = None, **named: Any) -> Path:
        """Write the balance report, a page with figures; return its path.

        Parameters
        ----------
        path : str or Path, optional
            As `out` in `cardlab.report`.
        **named
            players, variant, lineup, number, progress: as in `cardlab.report`.
        """
        return report(self.directory, path, trust=self.trust, **named)

    def figure(
        self,
        kind: str,
        *,
        variant: str | Sequence[str] = (),
        lineup: str | None = None,
        at: Mapping[str, object] | None = None,
    ) -> Figure:
        """Draw one of the report's figures.

        Parameters
        ----------
        kind : str
            variants, first_seat, another_winner, seats, length, length_by_point, strengths,
            win_rates, payoffs, factors, drama or luck.
        variant : str or sequence of str, optional
            Show only these variants.
        lineup : str, optional
            Show only this line-up.
        at : mapping, optional
            Show only this point of the sweep, such as {"players": 3}.
        """
        from studies.view.named import figure

        variants = [variant] if isinstance(variant, str) else list(variant)
        return figure(self.directory, kind, variants, lineup, dict(at or {}), trust=self.trust)

    def to_pandas(self) -> Any:
        """Return `rows()` as a pandas.DataFrame, all in memory."""
        return self.rows().collect().to_pandas()

    def end(self) -> list[str]:
        """Describe what the run did."""
        from studies.run.progress import duration

        outcome = self.outcome
        if outcome is None:
            return []
        if outcome.played:
            summary = (
                f"played {outcome.played:,} matches in {duration(outcome.seconds)} "
                f"({outcome.played / max(outcome.seconds, 1e-9):,.0f} a second); "
                f"{outcome.played + outcome.present:,} in {outcome.cells} cells"
            )
            if outcome.compile_seconds:
                summary += f"; compiling took {duration(outcome.compile_seconds)} before it"
            if outcome.trial_seconds >= 1:
                tried = duration(outcome.trial_seconds)
                summary += f"; trying users' code as ordinary Python {tried}"
        else:
            summary = f"nothing to do: all {outcome.present:,} matches are stored already"
        kept = dict.fromkeys(
            cell.lineup
            for cell in self.stored.cells
            if cell.rotations == 1 and len(set(cell.seats)) > 1
        )
        if kept and self.stored.study.population is None:
            summary += (
                f"\nnot rotated: {', '.join(kept)}. Each policy keeps its seats, so that what it "
                "wins may be its seat's; rotate = true lets each hold every seat"
            )
        return [*summary.split("\n"), f"results: {self.directory}"]

    def page(self) -> Page:
        """Return the displayed page: the title, and a table of the cells."""
        columns = (
            Column("variant"),
            Column("lineup", "line-up"),
            Column("players", form="count"),
            Column("rotations", form="count"),
            Column("point", "at", form=lambda row: show_all(json.loads(row["point"])), wraps=True),
        )
        return [f"{self.title or self.game} ({self.directory})", Table(self.cells(), columns)]


class InterruptedRun(KeyboardInterrupt):
    """A run was interrupted and ended cleanly: all finished blocks are kept."""


def open(directory: str | Path, *, trust: bool = False) -> Results:
    """Return the results in a study directory.

    Parameters
    ----------
    directory : str or Path
        A study directory written by `cardlab run`.
    trust : bool
        Run Python files that the study directory names or carries. Without it they are only data.

        Reading results needs it only for measures whose sums are not stored.

    Examples
    --------
    >>> import cardlab
    >>> cardlab.open("tour").game
    'up'
    """
    return Results(directory, trust=trust)


def run(
    study: str | Path | Mapping[str, object] | Study,
    directory: str | Path | None = None,
    *,
    matches: int | str | None = None,
    players: Players = None,
    set: Mapping[str, object] | None = None,
    strategies: Strategies = None,
    rules: Rules = None,
    threads: int | str | None = None,
    device: str = CPU,
    scheduler: str | None = None,
    trust: bool = False,
    progress: bool = False,
) -> Results:
    """Play a study, and store its matches in a directory.

    Running it again continues: a killed run loses at most its unfinished blocks, a complete run
    does nothing, and a larger `matches` extends it. The results do not depend on threads, machines
    or interruptions.

    Parameters
    ----------
    study : str, Path, mapping or Study
        A study file (TOML), or the name of a study in the library (cardlab studies).

        Or its content as a mapping.
    directory : str or Path, optional
        Study directory; default: results/<name of the study>.
    matches : int, optional
        Deals per cell, in place of the study's.
    players : int or sequence of int, optional
        Numbers of players, in place of the study's: 5, or several as in 2,4.
    set : mapping, optional
        Override a key of the study, such as options.players=3.

        Values by key: {"options.players": 3}.
    strategies : path, function, or several of them
        As in `simulate`.
    rules : path, or several of them
        Files of rules; each becomes a variant with the name of the file.
    threads : int, optional
        As in `simulate`.
    device : str
        As in `simulate`.
    scheduler : str, optional
        Play on a Dask cluster: tcp://HOST:PORT of its scheduler, or "local" for a cluster on this
        machine with one worker process per thread.
    trust : bool
        Run Python files that the study directory carries. Without it they are only data.

        Of the `study.toml` of a study directory: run the files of games and rules that it keeps
        where the original ones are gone.
    progress : bool
        Whether to show on stderr how far it is, and what is compiled.

    Raises
    ------
    InputError
        If the study, the directory or a policy is invalid; matches stored before are kept.
    KeyboardInterrupt
        If it is interrupted; all finished blocks are kept.

    Examples
    --------
    >>> import cardlab
    >>> results = cardlab.run("quickstart", "tour", matches=20)
    >>> results.rows().collect().height
    1280
    """
    from simcore.compiler.machine import expect_compiling

    workers = worker_count(threads, scheduler)
    check_device(device)
    if device == CPU and scheduler is None:
        expect_compiling()
    from studies.design.cells import expand
    from studies.run.executors import playable
    from studies.run.run import check_writable, run_study

    if scheduler is not None and device != CPU:
        refuse_idle("device", device, "with a scheduler, whose workers play", "without one")
    parsed, place = checked_study(
        study,
        directory,
        matches=matches,
        players=players,
        set=set,
        rules=rules,
        trust=trust,
    )
    policies = given_policies(strategies, parsed.game)
    check_writable(place)
    with ExitStack() as stack:
        line, remark = stack.enter_context(watched(progress=progress))
        cells = expand(parsed, policies)
        if device != CPU:
            from simcore.gpu.kernels import policies_of

            for cell in cells:
                policies_of(playable(cell))  # one that searches is refused before it writes
        seated = {seat.partition("(")[0] for cell in cells for seat in cell.seats}
        functions = functions_of(policies, parsed.game, seated)
        executor = None
        if scheduler is not None:
            from studies.run.cluster import connected

            if functions:
                raise InputError(
                    f"function {next(iter(functions))!r} is refused with a scheduler: functions do "
                    "not travel to a cluster; allowed: policies in files"
                )
            executor = stack.enter_context(connected(scheduler, cells, policies.files, workers))
        outcome = run_study(
            parsed,
            place,
            threads=workers,
            notice=remark,
            watcher=line,
            executor=executor,
            device=device,
            policies=policies,
            functions=functions,
            cells=cells,
        )
    if outcome.interrupted:
        raise InterruptedRun
    return Results(place, outcome, policies=policies)
