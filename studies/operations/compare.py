"""What variants change on the same deals, and how policies differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from simcore.catalogue import get_game
from simcore.errors import InputError
from studies.answers.filters import Filters
from studies.design.document import shorten
from studies.legend import legend_of
from studies.operations.arguments import Names, filters_of, finite_number, from_half, refuse_idle
from studies.view.answer import Answer
from studies.view.answered import LEVEL, ROWS

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from studies.answers.totals import Totals
    from studies.design.cells import StudyCell
    from studies.foreign.tidy import Columns
    from studies.store.opened import Stored


@runtime_checkable
class OpenStudy(Protocol):
    """The results of a study, as `cardlab.open` returns them."""

    @property
    def stored(self) -> Stored:
        """The content of its directory."""
        ...


@runtime_checkable
class Played(Protocol):
    """A simulation, as `cardlab.simulate` returns it."""

    cell: StudyCell

    def matches_frame(self) -> pl.DataFrame:
        """Return a row a match."""
        ...


WIN_RATE = "win_rate"
Margin = float | Mapping[str, float] | None
"""Of win rate per seat, or by name: "win_rate", "score", a metric or a measure."""


def compare(
    data: str | Path | OpenStudy | Played | Sequence[Played] | pl.DataFrame | pl.LazyFrame,
    *,
    level: float | str = LEVEL,
    margin: Margin = None,
    measures: Mapping[str, object] | None = None,
    seconds: float | str | None = None,
    players: int | str | Sequence[int] | None = None,
    variant: Names = None,
    lineup: Names = None,
    number: Names = None,
    trust: bool = False,
    deal: str | None = None,
    match: str | None = None,
    policy: str | None = None,
    seat: str | None = None,
    winner: str | None = None,
    measure: str | Sequence[str] = (),
    baseline: str | None = None,
    best: str | None = None,
    complete: bool = True,
) -> Answer:
    """Estimate what each variant changes, and how policies differ.

    Each variant is compared with the unchanged rules at the same line-up and sweep point, on the
    same deals. A deal with all its rotations is one observation. Parameters that name a column are
    for rows from another program; columns of the same name need not be given.

    Parameters
    ----------
    data : path, Results, Simulation, sequence of Simulation, or polars.DataFrame
        A study directory written by cardlab run, or a file with rows from another program: .csv,
        .parquet, .arrow.

        Or such rows as a frame; or simulations of the same game and line-up, the first of which is
        the baseline.
    level : float
        Confidence level of every interval, from 0.5 to below 1.
    margin : float or mapping of str to float, optional
        Test whether changes lie within ± this: in win rate per seat (0.01 is one point), or in the
        score (score=5) or a metric. Default: the study's [compare] margin.

        By name as a mapping: {"win_rate": 0.01, "score": 5}.
    measures : mapping of str to expression or function, optional
        Your own measures, as in `[measures]` of a study file: {"long": "turns > 60"}.
    seconds : float, optional
        How long a turn takes at a table of people (a play, a trick: what the length is counted in),
        to tell lengths in minutes. Default: the study's.
    players : int or sequence of int, optional
        Only these numbers of players. Intervals and corrections stay those of the whole study.
    variant : str or sequence of str, optional
        Only this variant, beside the unchanged rules. With rows from another program: the column of
        the rules that were played.
    lineup : str or sequence of str, optional
        Only this line-up.
    number : str or sequence of str, optional
        Only this number, such as score or a metric of the game.
    trust : bool
        As in `cardlab.open`.
    deal : str, optional
        The deal; rows of one deal have the same cards and are paired.
    match : str, optional
        The match, where a deal has several.
    policy : str, optional
        Who played. With one row per match: one column per seat, policy_{seat} or A,B,…
    seat : str, optional
        The seat, with one row per match and seat.
    winner : str, optional
        Who won. With one row per match and seat: yes or no, or the share of the win. With one row
        per match: the seat or the policy, several separated by ;, empty if nobody won.
    measure : str or sequence of str
        A number to compare; score_{seat} for one per seat.
    baseline : str, optional
        The variant with the unchanged rules.
    best : str, optional
        Which score wins, highest or lowest, where no column tells who won.
    complete : bool
        Whether the frame has the rows that nothing but the frame shows (points, predictions), too;
        of many cells they take a while.

    Examples
    --------
    >>> import cardlab, polars as pl
    >>> rows = pl.DataFrame({"game_night": [1, 1, 2, 2], "rules": ["house", "book"] * 2,
    ...                      "white": ["Ada", "Ada", "Ben", "Ben"],
    ...                      "black": ["Ben", "Ben", "Ada", "Ada"], "won": ["Ada", "Ben"] * 2})
    >>> answer = cardlab.compare(rows, deal="game_night", variant="rules", policy="white,black",
    ...                          winner="won", baseline="book")
    >>> answer.frame.filter(number="another_winner")["estimate"].to_list()
    [1.0]
    """
    from studies.foreign.tidy import Columns
    from studies.store.files import locate
    from studies.store.opened import open_study

    share = from_half("level", level, "a number from 0.5 to below 1, as in 0.95")
    margins = read_margin(margin)
    seconds = read_seconds(seconds)
    if best not in (None, "highest", "lowest"):
        raise InputError(f"best {shorten(repr(best))} is refused; allowed: highest, lowest")
    is_file = isinstance(data, str | Path) and str(data).lower().endswith(ROWS)
    simulations = _simulations_in(data)
    is_elsewhere = is_file or not (simulations or isinstance(data, str | Path | OpenStudy))
    filters = filters_of(players, None if is_elsewhere else variant, lineup, number)
    columns = Columns(
        deal,
        match,
        _column_of(variant) if is_elsewhere else None,
        policy,
        seat,
        winner,
        (measure,) if isinstance(measure, str) else tuple(measure),
        baseline,
        best,
    )
    if is_elsewhere:
        from studies.foreign.files import read_rows

        where = str(data) if is_file else ""
        rows = read_rows(Path(where)) if is_file else as_frame(data)
        answer = _compare_rows(rows, columns, share, margins, measures, where)
    elif simulations:
        _refuse(columns, "with simulations")
        answer = _compare_simulations(simulations, share, margins, measures)
    else:
        _refuse(columns, f"with the study directory {str(getattr(data, 'directory', data))!r}")
        if isinstance(data, OpenStudy):
            stored = data.stored
        else:
            stored = open_study(locate(cast("str | Path", data)), trust=trust)
        answer = _compare_study(
            stored, share, margins, measures, filters, seconds, complete=complete
        )
    return answer.only(filters) if filters else answer


def _refuse(columns: Columns, why: str) -> None:
    """Refuse columns where there are no rows from elsewhere."""
    for name, column in asdict(columns).items():
        refuse_idle(name, column or None, why, "with rows from elsewhere")


def _simulations_in(data: object) -> list[Played]:
    """Return the simulations that are given; empty for anything else."""
    if isinstance(data, Played):
        return [data]
    several = list(data) if isinstance(data, Sequence) and not isinstance(data, str) else []
    return several if all(isinstance(member, Played) for member in several) else []


def _column_of(variant: Names) -> str | None:
    """Return the column of rows from elsewhere that names the variant."""
    if variant is None or isinstance(variant, str):
        return variant
    if len(variant) > 1:
        raise InputError(
            f"variant {shorten(list(variant))} is refused with rows from elsewhere, where it names "
            "the column of the variants; allowed: one name"
        )
    return variant[0] if variant else None


def as_frame(rows: object) -> pl.DataFrame:
    """Return rows as a polars frame."""
    import polars as pl

    if isinstance(rows, pl.LazyFrame):
        return rows.collect()
    if isinstance(rows, pl.DataFrame):
        return rows
    if type(rows).__module__.partition(".")[0] in ("pandas", "pyarrow"):
        frame = pl.from_dataframe(rows)  # type: ignore[arg-type]
        assert isinstance(frame, pl.DataFrame)
        return frame
    raise InputError(
        f"{shorten(repr(rows))} cannot be compared; allowed: a study directory, Results, "
        "simulations, or rows: a frame, or a file that ends in .csv, .parquet or .arrow"
    )


def read_margin(margin: Margin) -> dict[str, float]:
    """Return margins of equivalence by name."""
    from studies.design.keys import named_margins

    allowed = "a number above 0, or a mapping of name to number"
    margins = {}
    for name, given in named_margins(margin).items():
        value = finite_number("margin", given, allowed)
        if value <= 0:
            raise InputError(f"margin {given!r} is refused; allowed: {allowed}")
        margins[name] = value
    return margins


def read_seconds(given: float | str | None) -> float | None:
    """Return how many seconds a turn takes, or None."""
    if given is None:
        return None
    allowed = "a number above 0, as in 15"
    seconds = finite_number("seconds", given, allowed)
    if seconds <= 0:
        raise InputError(f"seconds {given!r} is refused; allowed: {allowed}")
    return seconds


def _compare_study(
    stored: Stored,
    level: float,
    margins: dict[str, float],
    given: Mapping[str, object] | None,
    filters: Filters,
    seconds: float | None,
    *,
    complete: bool,
) -> Answer:
    from studies.design.keys import check_margins, frame_margins
    from studies.measures import parse_measures
    from studies.view.study import study_answer

    more = parse_measures(given) if given else ()
    margins = margins or frame_margins(stored.study.compare)
    known = {measure.name for measure in (*stored.measures, *more)} | {WIN_RATE}
    of_game = {name: margin for name, margin in margins.items() if name not in known}
    check_margins(stored.study.known_game, of_game)
    return study_answer(
        stored,
        level=level,
        margins=margins,
        measures=more,
        filters=filters,
        seconds=seconds,
        complete=complete,
    )


# --- Simulations, and rows in files ---------------------------------------------------------------


def _compare_simulations(
    simulations: Sequence[Played],
    level: float,
    margins: dict[str, float],
    measures: Mapping[str, object] | None,
) -> Answer:
    """Compare simulations with the first one, on the deals that both have."""
    from studies.measures import BASELINE

    first = simulations[0].cell
    cells: list[StudyCell] = []
    rows = {}
    for place, simulation in enumerate(simulations):
        cell = simulation.cell
        alike = get_game(cell.game).original.name == get_game(first.game).original.name
        if not alike or (cell.seats, cell.rotations) != (first.seats, first.rotations):
            raise InputError(
                f"simulations of {_words(first)} and of {_words(cell)} cannot be compared; "
                "allowed: the same game and line-up, all rotated or none"
            )
        if place and cell.seed != first.seed:
            raise InputError(
                f"simulations of seed {first.seed} and {cell.seed} share no deals; allowed: the "
                "same seed"
            )
        changed = [
            f"{name}={value}"
            for name, value in cell.options.items()
            if value != first.options.get(name)
        ]
        variant = (", ".join(changed) or "again") if place else BASELINE
        if place and variant in {other.variant for other in cells}:
            variant = f"{variant} ({place})"
        cell = replace(cell, id=f"simulation {place}", variant=variant, lineup=first.lineup)
        cells.append(cell)
        rows[cell.id] = simulation.matches_frame()
    return _compare_cells(cells, rows, level, margins, measures)


def _words(cell: StudyCell) -> str:
    rotated = ", rotated" if cell.rotations > 1 else ""
    return f"{cell.game} ({', '.join(cell.seats)}{rotated})"


def _compare_cells(
    cells: Sequence[StudyCell],
    rows: Mapping[str, pl.DataFrame],
    level: float,
    margins: dict[str, float],
    given: Mapping[str, object] | None,
    where: str = "",
) -> Answer:
    """Answer from match rows in cardlab's own columns, by cell."""
    from studies.answers.frame import answers
    from studies.answers.headlines import headlines
    from studies.answers.totals import totals_of
    from studies.measures import BASELINE, measures_of, parse_measures
    from studies.view.study import lineup_words, shares_of

    columns = next(iter(rows.values())).columns
    measures = parse_measures(given, columns) if given else ()
    bases = {cell.group: cell for cell in cells if cell.variant == BASELINE}

    def totals(table: Any) -> Totals | None:
        cell: StudyCell = table
        all_measures = measures_of(cell, measures)
        base = bases.get(cell.group)
        if base is None or base is cell or base.seats != cell.seats:
            return totals_of(cell, _arrays(rows[cell.id]), all_measures)
        keys = ["match", "rotation"]
        shared = rows[cell.id].join(rows[base.id].select(keys), on=keys, how="semi")
        usual = rows[base.id].join(shared.select(keys), on=keys, how="semi")
        if not shared.height:
            return None
        return totals_of(cell, _arrays(shared), all_measures, base, _arrays(usual))

    answered = answers(cells, totals, level=level, margins=margins, measures=measures)
    return Answer(
        answered.frame,
        level,
        get_game(cells[0].game).title,
        cells[0].game,
        tuple(answered.notes),
        where,
        tuple(measure.name for measure in measures),
        lineup_words(cells),
        shares=shares_of(cells[0], measures),
        reference=cells[0].lineup,
        headlines=headlines(answered, reference=cells[0].lineup),
        legend=legend_of(cells),
        seats={cell.lineup: cell.seats for cell in cells},
    )


def _arrays(rows: pl.DataFrame) -> Mapping[str, NDArray[np.generic]]:
    ordered = rows.sort("match", "rotation")
    return {name: ordered[name].to_numpy() for name in ordered.columns}


def _compare_rows(
    frame: pl.DataFrame,
    columns: Columns,
    level: float,
    margins: dict[str, float],
    measures: Mapping[str, object] | None,
    where: str,
) -> Answer:
    """Answer from rows of a file or frame: cardlab's own, or others with named columns."""
    from studies.answers.frame import answers
    from studies.answers.headlines import headlines
    from studies.answers.reference import reference_of
    from studies.foreign.cells import cells_of_rows, is_from_cardlab, read_plays, understand
    from studies.foreign.files import typed
    from studies.foreign.tidy import Columns, tidied
    from studies.operations.plays import compare_plays
    from studies.view.study import shares_of

    if columns == Columns() and is_from_cardlab(frame):
        cells, rows = cells_of_rows(typed(frame))
        return _compare_cells(cells, rows, level, margins, measures, where)
    if measures:
        raise InputError(
            "measures are for studies and simulations; of rows from elsewhere measure= names the "
            "columns of numbers"
        )
    tidy = tidied(frame, columns)
    read = "; ".join(tidy.guessed)
    title = ", read as: ".join(filter(None, (f"Rows of {where}" if where else "Rows", read)))
    plays = read_plays(tidy)
    if plays is not None:
        return compare_plays(plays, tidy.notes, level, title, where)
    external = understand(tidy)
    answered = answers(
        external.cells,
        lambda cell: external.totals[cell.id],
        level=level,
        margins=margins,
        measures=external.measures,
        metrics=(),
    )
    reference = reference_of(external.cells, answered.frame)
    return Answer(
        answered.frame.drop_nulls("estimate"),  # of unpaired samples: in_play
        level,
        title,
        "",
        (*external.notes, *answered.notes),
        where,
        tuple(measure.name for measure in external.measures if not measure.seats),
        shares=shares_of(external.cells[0], external.measures),
        reference=reference,
        headlines=headlines(answered, reference=reference),
        seats={cell.lineup: cell.seats for cell in external.cells},
    )
