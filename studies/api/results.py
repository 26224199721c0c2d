"""A study played into a directory, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from studies.api.answer import Answer
from studies.api.answer import compare as compare_directory
from studies.api.asked import MATCHES_HIGH, finite_number, whole_number, worker_count
from studies.api.document import Study, checked, study_of
from studies.api.own import Strategies, functions_of, use_policies
from studies.api.shown import page
from studies.api.watching import Say, watched
from studies.design.overrides import refuse_twice
from studies.stats.intervals import LEVEL

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

    from studies.design.study import Study as Checked
    from studies.run.run import Outcome, Watcher


class Results:
    """What a study directory holds, from `run` or `open`.

    Attributes
    ----------
    directory : Path
        Where it lies: on this machine, or any address of fsspec.

    Examples
    --------
    >>> import cardlab
    >>> results = cardlab.run("quickstart", "tour", matches=20)
    >>> results.title
    'Up, four players: how often does each variant change who wins?'
    """

    def __init__(self, directory: str | Path) -> None:
        from studies.store.cellfile import read_cells
        from studies.store.location import locate

        self.directory = locate(directory)
        first = read_cells(self.directory)[0]
        self._game = str(first["game"])

    @property
    def game(self) -> str:
        """Name of the game.

        Examples
        --------
        >>> import cardlab
        >>> cardlab.open("tour").game
        'up'
        """
        return self._game

    @property
    def title(self) -> str:
        """What the study asks, in its own words; empty where it does not say.

        Examples
        --------
        >>> import cardlab
        >>> cardlab.open("duel").title
        ''
        """
        from studies.store.documents import read_provenance

        return str(read_provenance(self.directory).title)

    @property
    def study(self) -> Study | None:
        """The study as it was run last; None in a directory without a `study.toml`.

        Examples
        --------
        >>> import cardlab
        >>> cardlab.open("tour").study.document["matches"]
        20
        """
        from studies.store.documents import read_study

        found = read_study(self.directory)
        return None if found is None else Study(found.document, name=self.directory.name)

    def cells(self) -> pl.DataFrame:
        """Return one row a cell: names, every option, seats, rotations, seed, coupling.

        Returns
        -------
        polars.DataFrame
            `cell` (the key in `rows` and `seats`), `game`, `variant`, `lineup`, the options,
            `seat_0` …, `rotations`, `seed`, `coupling`, `point` (the sweep's values, JSON).

        Examples
        --------
        >>> import cardlab
        >>> cardlab.open("tour").cells().height
        16
        """
        import polars as pl

        from studies.store.cellfile import read_cells

        return pl.DataFrame(read_cells(self.directory), infer_schema_length=None).drop("options")

    def rows(self) -> pl.LazyFrame:
        """Return one row a match, joined with its cell.

        Returns
        -------
        polars.LazyFrame
            `cell`, the columns of a match (`Simulation.rows`), and the cell's columns. An option
            that is named like a metric gets the ending `_option`; scores of seats that a cell does
            not have are null. Within a cell rows are in the order of (match, rotation).

        Raises
        ------
        InputError
            If the study keeps sums instead of matches, has none yet, or a file is damaged.

        Examples
        --------
        >>> import cardlab, polars as pl
        >>> rows = cardlab.open("tour").rows()
        >>> rows.filter(pl.col("variant") == "baseline").select(pl.len()).collect().item()
        80
        """
        from studies.store.frames import load_matches

        return load_matches(self.directory)

    def seats(self) -> pl.LazyFrame:
        """Return one row a match and seat: who sat there, and how it ended.

        Returns
        -------
        polars.LazyFrame
            `cell`, `match`, `rotation`, `aborted`, the cell's columns without `seat_0` …; then
            `seat`, `position` (0 = who begins the first round, then clockwise), `policy` (with its
            parameters), `score` (final), `rank` (1 = won; ties share places, as 1.5), `won` (1/k
            for each of k winners). `rank` and `won` are null in aborted matches, so that the mean
            of `won` is the win rate of decided ones.

        Raises
        ------
        InputError
            As of `rows`.

        Examples
        --------
        >>> import cardlab, polars as pl
        >>> seats = cardlab.open("tour").seats().filter(pl.col("variant") == "baseline")
        >>> won = seats.group_by("policy").agg(pl.col("won").mean()).collect()
        >>> round(won["won"].sum(), 6)
        1.0
        """
        from studies.api.seats import seats_of
        from studies.store.cellfile import stored_cells

        return seats_of(self.rows(), stored_cells(self.directory))

    def sums(self) -> pl.LazyFrame:
        """Return the exact sums of a study that keeps those (`detail = "summary"`).

        Returns
        -------
        polars.LazyFrame
            One row a cell and sum: `cell`, `name` (`studies/deals/sums.py` tells what each is),
            `value` (Decimal), and the cell's columns.

        Raises
        ------
        InputError
            If the study keeps matches, or a file is damaged.

        Examples
        --------
        >>> import cardlab
        >>> study = cardlab.Study(game="up", matches=10, detail="summary",
        ...                       lineups=[{"name": "all", "seats": ["random"]}])
        >>> sums = cardlab.run(study, "sums").sums().collect()
        >>> sums.columns[:3]
        ['cell', 'name', 'value']
        """
        from studies.store.frames import load_sums

        return load_sums(self.directory)

    def compare(
        self, *, level: float = LEVEL, margin: float | Mapping[str, float] | None = None
    ) -> Answer:
        """Return what each variant changes on the same deals, and how the policies differ.

        Parameters
        ----------
        level : float
            Of every interval, from 0.5 to below 1.
        margin : float or mapping of str to float, optional
            Test whether changes lie within ± margin: of win rate per seat (0.01 is a point), or by
            name, of "win_share", "score" or a metric. Default: the study's.

        Raises
        ------
        InputError
            If level or margin are refused, a margin is asked of a study that keeps sums, or a file
            is damaged.

        Examples
        --------
        >>> import cardlab
        >>> cardlab.open("duel").compare(level=0.9, margin=0.05).level
        0.9
        """
        from studies.design.margins import named_margins

        wanted = finite_number("level", level, "a number from 0.5 to below 1, as in 0.95")
        margins = {
            name: finite_number("margin", own, "a number above 0, or a mapping of name to number")
            for name, own in named_margins(margin).items()
        }
        return compare_directory(self.directory, wanted, margins, "margin")

    def report(self, path: str | Path | None = None, *, progress: bool = False) -> Path:
        """Write the balance report, one page with figures; return where it is.

        Parameters
        ----------
        path : str or Path, optional
            Ends in .html, or in .md for Markdown with pictures beside it; default: report.html in
            the directory.
        progress : bool
            Whether to show remarks on stderr; otherwise they are warnings.

        Raises
        ------
        InputError
            If the study has no matches under the unchanged rules, or the file cannot be written.

        Examples
        --------
        >>> import cardlab
        >>> cardlab.open("duel").report("up.html").name
        'up.html'
        """
        from studies.api.pages import FORMATS, write_report
        from studies.store.location import locate

        out = None if path is None else locate(path)
        form = "html" if out is None else out.suffix.lower().removeprefix(".")
        if form not in FORMATS:
            raise InputError(
                f"path {str(path)!r} is refused; allowed: a name that ends in .html or .md"
            )
        with watched(progress=progress) as (_, remark):
            return write_report(self.directory, out, form, remark)[0]

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
            "variants", "gains", "seats", "length", "lead_changes", "comebacks", "luck", "ladder",
            "duels", "payoffs", "restrictions", "strengths" or "nash".
        variant : str or sequence of str, optional
            Only these; without any, figures of how a table plays show the unchanged rules
            ("baseline"), "seats" shows every variant.
        lineup : str, optional
            Only this one.
        at : mapping, optional
            Only this point of the sweep, as in {"players": 3}.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        InputError
            If there is no such figure, the study has nothing to show in it, or it keeps sums,
            from which "length", "lead_changes", "comebacks", "luck", "strengths" and "nash" cannot
            be drawn.

        Examples
        --------
        >>> import cardlab
        >>> cardlab.open("duel").figure("seats").axes[0].get_xlabel() is not None
        True
        """
        from studies.api.figures import draw

        variants = [variant] if isinstance(variant, str) else list(variant)
        return draw(self.directory, kind, variants, lineup, dict(at or {}))

    def to_pandas(self) -> Any:
        """Return `rows()` as a pandas.DataFrame, read into memory as a whole.

        Examples
        --------
        >>> import cardlab
        >>> len(cardlab.open("tour").to_pandas())
        1280
        """
        return self.rows().collect().to_pandas()

    def __repr__(self) -> str:
        return f"<Results in {self.directory}: {self.title or self.game}>"

    def _repr_html_(self) -> str:
        shown = self.cells().select("variant", "lineup", "players", "rotations", "point")
        return page(f"{self.title or self.game} ({self.directory})", shown._repr_html_())


def open(directory: str | Path) -> Results:  # noqa: A001 (the name that users say)
    """Return the results in a study directory.

    Parameters
    ----------
    directory : str or Path
        As written by `run`; a text may be any address of fsspec.

    Raises
    ------
    InputError
        If it is no study directory.

    Examples
    --------
    >>> import cardlab
    >>> cardlab.open("tour").game
    'up'
    """
    return Results(directory)


def run(
    study: str | Path | Mapping[str, object] | Study,
    directory: str | Path | None = None,
    *,
    matches: int | None = None,
    changes: Mapping[str, object] | None = None,
    strategies: Strategies = None,
    threads: int | None = None,
    scheduler: str | None = None,
    progress: bool = False,
) -> Results:
    """Play what is missing of a study into a directory of Parquet files.

    Running again continues: what is complete is not played again, and a larger `matches` extends
    it. The rows depend neither on threads and machines nor on interruptions.

    Parameters
    ----------
    study : str, Path, mapping or Study
        A name of the library (`cardlab.studies()`), a study file, or a document as in one.
    directory : str or Path, optional
        Default: results/<name of the study>; a text may be any address of fsspec.
    matches : int, optional
        Match numbers a cell, in place of the study's.
    changes : mapping, optional
        By dotted key, as in {"options.players": 3}.
    strategies : path, function, or several of them
        As of `simulate`.
    threads : int, optional
        Default: all cores.
    scheduler : str, optional
        Of a Dask cluster that plays instead: tcp://HOST:PORT, or "local".
    progress : bool
        Whether to show on stderr how far it is, and what is compiled.

    Returns
    -------
    Results

    Raises
    ------
    InputError
        If the study, the directory or a policy is refused; matches finished before stay.
    KeyboardInterrupt
        If it is interrupted: every block that was finished is kept.

    Examples
    --------
    >>> import cardlab
    >>> results = cardlab.run("quickstart", "tour", matches=20)
    >>> results.rows().collect().height
    1280
    """
    from studies.run.run import check_writable, default_directory
    from studies.store.location import locate

    workers = worker_count(threads, scheduler)
    chosen = study_of(study).changed(changes or {})
    if matches is not None:
        count = whole_number("matches", matches, 1, MATCHES_HIGH)
        refuse_twice(changes or (), "matches", f"matches={count} and changes")
        chosen = chosen.changed({"matches": count})
    asked = checked(chosen)
    paths, functions = use_policies(strategies, asked.game)
    where = str(study) if isinstance(study, str | Path) else ""
    place = locate(directory) if directory is not None else default_directory(asked, where)
    check_writable(place)
    with watched(progress=progress) as (line, remark):
        outcome = play_study(
            asked,
            place,
            threads=workers,
            paths=paths,
            functions=functions,
            scheduler=scheduler,
            watcher=line,
            notice=remark,
        )
    if outcome.interrupted:
        raise KeyboardInterrupt
    return Results(place)


def play_study(
    study: Checked,
    directory: Path,
    *,
    threads: int,
    paths: Sequence[Path],
    functions: Mapping[str, str],
    scheduler: str | None,
    watcher: Watcher | None,
    notice: Say,
) -> Outcome:
    """Play the missing matches of a study, on this machine or on a cluster.

    Parameters
    ----------
    paths, functions
        Policies of the user's, as `use_policies` returns them.

    Raises
    ------
    InputError
        If the study, the directory or the scheduler is refused.
    """
    from studies.design.cells import expand
    from studies.run.executors import playable
    from studies.run.run import run_study

    playable.cache_clear()  # a policy may have been defined anew under its name
    cells = expand(study)
    seated = {seat.partition("(")[0] for cell in cells for seat in cell.seats}
    functions = {**functions_of(study.game, seated), **functions}
    with ExitStack() as stack:
        executor = None
        if scheduler is not None:
            from studies.run.cluster import connected

            if functions:
                raise InputError(
                    f"function {next(iter(functions))!r} is refused with a scheduler: functions do "
                    "not travel to a cluster; allowed: policies in files"
                )
            executor = stack.enter_context(connected(scheduler, cells, paths, threads))
        return run_study(
            study,
            directory,
            threads=threads,
            notice=notice,
            watcher=watcher,
            executor=executor,
            strategy_files=paths,
            functions=functions,
        )
