"""What variants change on the same deals, and how policies differ."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from simcore.errors import InputError
from simcore.game import get_game
from studies.answers.filters import Filters
from studies.design.document import shorten
from studies.legend import Legend, legend_of, study_legend
from studies.operations.arguments import Names, filters_of, finite_number, from_half, refuse_idle
from studies.render import Column, Page, Shown, Table, plain, screen_width, to_json

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from studies.answers.headlines import Headlines
    from studies.answers.totals import Totals
    from studies.design.cells import StudyCell
    from studies.foreign.tidy import Columns
    from studies.measures import Measure
    from studies.measures import Table as Cell
    from studies.operations.results import Results
    from studies.operations.simulate import Simulation
    from studies.overview import OverviewInput

LEVEL = 0.95
WIN_RATE = "win_rate"
NO_LEGEND = Legend()
Margin = float | Mapping[str, float] | None
"""Of win rate per seat, or by name: "win_rate", "score", a metric or a measure."""

ROWS = (".csv", ".parquet", ".arrow", ".xlsx", ".pgn")


@dataclass(frozen=True, repr=False)
class Answer(Shown):
    """What variants change and how policies differ, from `compare`.

    When printed or shown in a notebook, it displays what `cardlab compare` prints.

    Attributes
    ----------
    frame : polars.DataFrame
        One row per number: the sweep's keys, then `lineup`, `variant`, `kind`, `who` ("" the match,
        "policy NAME", "position K"), `number`, `against`, `baseline`, `estimate`, `low`, `high`,
        `p`, `p_holm`, `low_all`, `high_all`, `deals`, `matches`, `count`, `margin`,
        `p_equivalent`, `equivalent`, `family` (docs/reference/columns.md). Shares are from 0 to 1;
        null means not available.
    level : float
        Confidence level of every interval.
    title : str
    game : str
        Empty for rows from elsewhere.
    notes : tuple of str
        What is missing, and why.
    reference : str
        The line-up that comes first: the one that the study names, or the strongest.
    paired : bool or None
        Whether variants were played on the same deals; None: as the frame shows.
    numbers : tuple of str
        The numbers selected with `number`; empty for all.
    headlines : Headlines or None
        What the first lines claim, with simultaneous bounds: see `studies.answers.headlines`.
    legend : Legend
        What each variant and policy is, a line each.
    seconds : float or None
        How long one unit of the length takes, as the study says.
    cards : polars.DataFrame or None
        With the rules file `cards`: what each card is worth, one row per table, `when` (dealt,
        drawn or played) and card; see `studies.answers.cards`.

    Examples
    --------
    >>> import cardlab
    >>> study = cardlab.Study(game="up", matches=50, variants={"dirty": {"dirty_one": "always"}},
    ...     lineups=[{"name": "both", "seats": ["greedy", "shedder"], "rotate": True}])
    >>> answer = cardlab.run(study, "duel").compare()
    >>> answer.frame.columns[:5]
    ['lineup', 'variant', 'kind', 'who', 'number']
    """

    frame: pl.DataFrame
    level: float = LEVEL
    title: str = ""
    game: str = ""
    notes: tuple[str, ...] = ()
    where: str = ""
    measures: tuple[str, ...] = ()
    lineups: Mapping[str, str] = field(default_factory=dict)
    stops: Sequence[Mapping[str, object]] = ()
    shares: frozenset[str] = frozenset()
    cards: pl.DataFrame | None = None
    reference: str = ""
    paired: bool | None = None
    numbers: tuple[str, ...] = ()
    headlines: Headlines | None = None
    legend: Legend = NO_LEGEND
    seconds: float | None = None

    @property
    def overview_input(self) -> OverviewInput:
        """The answer as input of `studies.overview`."""
        from studies.overview import SHARES, OverviewInput

        shared = {known.name: getattr(self, known.name) for known in fields(OverviewInput)}
        return OverviewInput(**{**shared, "shares": {*SHARES, *self.shares}})

    def only(self, filters: Filters) -> Answer:
        """Return a part of the answer: some players, variants, line-ups or numbers."""
        from studies.answers.reference import reference_among

        frame = filters.of(self.frame)
        cards = self.cards
        for name in ("variant", "lineup"):
            if cards is not None and (chosen := getattr(filters, name)):
                cards = cards.filter(cards[name].is_in(chosen))
        return replace(
            self,
            frame=frame,
            title=f"{self.title} ({filters.words})".lstrip(),
            measures=filters.number or self.measures,
            paired=self.overview_input.is_paired,
            numbers=filters.number,
            cards=cards,
            reference=reference_among(self.reference, frame),
        )

    def page(self, *, full: bool = False) -> Page:
        """Return the displayed page: one screen, or every number with `full`."""
        from studies import overview

        if full:
            return [*overview.full(self.overview_input), *self._card_tables()]
        more = "All of it: .frame, one row per number."
        if self.where.lower().endswith(ROWS):
            more = "All of it: the same with --full, or with --csv."
        elif self.where:
            where = shlex.quote(self.where)
            more = (
                f"More: cardlab compare {where} with --players N, --lineup NAME, --variant "
                "NAME or --number NAME; all of it: --full (or --csv); with figures: cardlab report "
                f"{where}"
            )
        return overview.overview(self.overview_input, width=screen_width(), more=more)

    def _card_tables(self) -> Page:
        """Return which cards are too strong or weak, one table per line-up, variant and `when`."""
        if self.cards is None:
            return []
        page: list[Table | str] = []
        for cards in self.cards.partition_by("lineup", "variant", "when", maintain_order=True):
            row = cards.row(0, named=True)
            title = (
                f"Cards that were {row['when']}: wins of the seats (line-up {row['lineup']}, "
                f"{row['variant']})"
            )
            columns = (
                Column("card"),
                Column("times", form="count"),
                Column("win_rate", "win rate, %", "percent"),
                Column("less_usual", "less the seat's usual", "points", "low", "high"),
                Column("p_holm", "p (Holm)", "p"),
            )
            page.append(Table(cards.sort("less_usual", descending=True), columns, title))
        page.append(
            "Each seat is compared with the win rate of its policy at its position over all deals. "
            "p is corrected for the number of cards in a table (Holm). Whether a card is dealt is "
            "pure chance; whether it is drawn or played also depends on how the match went."
        )
        return page

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, which `to_json` writes."""
        return {
            "title": self.title,
            "game": self.game,
            "level": self.level,
            "notes": list(self.notes),
            "stops": plain(list(self.stops)),
            "rows": to_json(self.frame),
        }

    def to_json(self) -> str:
        """Return everything as one JSON object, as `cardlab compare --json` prints it.

        Missing numbers, such as intervals with one deal, are null.
        """
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False)


def compare(
    data: str | Path | Results | Simulation | Sequence[Simulation] | pl.DataFrame | pl.LazyFrame,
    *,
    level: float | str = LEVEL,
    margin: Margin = None,
    measures: Mapping[str, object] | None = None,
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
    from studies.foreign.files import read_rows
    from studies.foreign.tidy import Columns
    from studies.operations.results import Results

    share = from_half("level", level, "a number from 0.5 to below 1, as in 0.95")
    margins = read_margin(margin)
    if best not in (None, "highest", "lowest"):
        raise InputError(f"best {shorten(repr(best))} is refused; allowed: highest, lowest")
    is_file = isinstance(data, str | Path) and str(data).lower().endswith(ROWS)
    simulations = _simulations_in(data)
    is_elsewhere = is_file or not (simulations or isinstance(data, str | Path | Results))
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
        where = str(data) if is_file else ""
        rows = read_rows(Path(where)) if is_file else as_frame(data)
        answer = _compare_rows(rows, columns, share, margins, measures, where)
    elif simulations:
        _refuse(columns, "with simulations")
        answer = _compare_simulations(simulations, share, margins, measures)
    else:
        given: Any = data
        _refuse(columns, f"with the study directory {str(getattr(data, 'directory', data))!r}")
        results = data if isinstance(data, Results) else Results(given, trust=trust)
        answer = _compare_study(results, share, margins, measures, filters)
    return answer.only(filters) if filters else answer


def _refuse(columns: Columns, why: str) -> None:
    """Refuse columns where there are no rows from elsewhere."""
    for name, column in asdict(columns).items():
        refuse_idle(name, column or None, why, "with rows from elsewhere")


def _simulations_in(data: object) -> list[Simulation]:
    """Return the simulations that are given; empty for anything else."""
    from studies.operations.simulate import Simulation

    if isinstance(data, Simulation):
        return [data]
    several = list(data) if isinstance(data, Sequence) and not isinstance(data, str) else []
    are_simulations = all(isinstance(member, Simulation) for member in several)
    return cast("list[Simulation]", several) if are_simulations else []


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
    by_name = margin if isinstance(margin, Mapping) else {WIN_RATE: margin}
    allowed = "a number above 0, or a mapping of name to number"
    margins = {}
    for name, given in by_name.items():
        if given is None:
            continue
        value = finite_number("margin", given, allowed)
        if value <= 0:
            raise InputError(f"margin {given!r} is refused; allowed: {allowed}")
        margins[name] = value
    return margins


def _compare_study(
    results: Results,
    level: float,
    margins: dict[str, float],
    given: Mapping[str, object] | None,
    filters: Filters,
) -> Answer:
    from studies.answers.cards import study_cards
    from studies.answers.frame import answers
    from studies.answers.headlines import headlines
    from studies.answers.reference import named_reference, reference_among, reference_of
    from studies.design.keys import check_margins, frame_margins
    from studies.measures import parse_measures

    stored = results.stored
    more = parse_measures(given) if given else ()
    measures = (*stored.measures, *more)
    study = stored.study
    margins = margins or frame_margins(study.compare)
    known = {measure.name for measure in measures} | {WIN_RATE}
    of_game = {name: margin for name, margin in margins.items() if name not in known}
    check_margins(study.known_game, of_game)
    answered = answers(
        stored.cells,
        lambda cell: stored.totals(cast("StudyCell", cell), more),
        level=level,
        margins=margins,
        study=study,
        measures=measures,
    )
    reference = reference_of(stored.cells, answered.frame, named_reference(study))
    # Headlines are of what is shown, also where the reference is not.
    reference = reference_among(reference, filters.of(answered.frame))
    return Answer(
        answered.frame,
        level,
        results.title,
        results.game,
        (*answered.notes, *stored.notes, *_stopping_words(results)),
        str(results.directory),
        tuple(measure.name for measure in measures),
        _lineup_words(stored.cells),
        [
            {"cell": cell, "why": stop.why, "deals": stop.deals}
            for cell, stop in stored.stops.items()
        ],
        _shares(stored.cells[0], measures),
        study_cards(stored, level),
        reference,
        headlines=headlines(answered, reference=reference),
        legend=study_legend(stored),
        seconds=study.compare.seconds if study.compare else None,
    )


def _shares(cell: Cell, measures: Sequence[Measure]) -> frozenset[str]:
    """Return the numbers of a cell that are shares, displayed in per cent."""
    from studies.measures import measures_of

    every = measures_of(cell, measures) if cell.game else measures
    return frozenset(measure.name for measure in every if measure.is_share)


def _lineup_words(cells: Iterable[StudyCell]) -> dict[str, str]:
    """Describe each line-up: its policies, and whether it is rotated."""
    described: dict[str, str] = {}
    for cell in cells:
        names = ", ".join(seat.partition("(")[0] for seat in dict.fromkeys(cell.seats))
        words = f"{names}, rotated" if cell.rotations > 1 else names
        described.setdefault(cell.lineup, "" if cell.lineup == names else words)
    return described


def _stopping_words(results: Results) -> list[str]:
    """Say which cells stopped early, at the study's goal."""
    goal, stops = results.stored.study.goal, results.stored.stops.values()
    if goal is None or not stops:
        return []
    reached = sorted(stop.deals for stop in stops if stop.why == "goal")
    text = f"Goal ±{goal.half_width:g}: reached in {len(reached)} of {len(stops)} cells"
    if reached:
        text += f" (at {reached[0]:,} to {reached[-1]:,} deals)"
    return [f"{text}."]


# --- Simulations, and rows in files ---------------------------------------------------------------


def _compare_simulations(
    simulations: Sequence[Simulation],
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
        _lineup_words(cells),
        shares=_shares(cells[0], measures),
        reference=cells[0].lineup,
        headlines=headlines(answered, reference=cells[0].lineup),
        legend=legend_of(cells),
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
        shares=_shares(external.cells[0], external.measures),
        reference=reference,
        headlines=headlines(answered, reference=reference),
    )
