"""From a study directory to its answer, which every presentation starts from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from studies.answers.cards import study_cards
from studies.answers.filters import EVERYTHING, Filters
from studies.answers.reference import named_reference, reference_among, reference_of
from studies.design.keys import frame_margins
from studies.legend import study_legend
from studies.measures import Measure, Table, identity, measures_of
from studies.store.kept import kept
from studies.view.answer import Answer
from studies.view.answered import LEVEL

if TYPE_CHECKING:
    import polars as pl

    from studies.answers.headlines import Headlines
    from studies.design.cells import StudyCell
    from studies.store.opened import Stored


class Computed(NamedTuple):
    """What is computed from the sums of a study, and takes a while."""

    frame: pl.DataFrame
    notes: tuple[str, ...]
    reference: str
    headlines: Headlines


def study_answer(
    stored: Stored,
    *,
    level: float = LEVEL,
    margins: Mapping[str, float] | None = None,
    measures: Sequence[Measure] = (),
    filters: Filters = EVERYTHING,
    seconds: float | None = None,
    complete: bool = True,
) -> Answer:
    """Return the answer of a study directory, the whole of it.

    Parameters
    ----------
    margins : mapping of str to float
        Default: those of the study.
    measures : sequence of Measure
        Besides the study's own.
    filters : Filters
        What will be shown: headlines are about a line-up that is.
    seconds : float, optional
        How long one unit of the length takes; default: as the study says.
    complete : bool
        Whether rows are made that neither a screen nor a page shows, too.
    """
    study = stored.study
    known = (*stored.measures, *measures)
    margins = margins or frame_margins(study.compare)

    def computed() -> Computed:
        from studies.answers.frame import answers
        from studies.answers.headlines import headlines

        answered = answers(
            stored.cells,
            lambda cell: stored.totals(cast("StudyCell", cell), measures),
            level=level,
            margins=margins,
            study=study,
            measures=known,
            brief=not complete,
        )
        reference = reference_of(stored.cells, answered.frame, named_reference(study))
        # Headlines are of what is shown, also where the reference is not.
        reference = reference_among(reference, filters.of(answered.frame))
        first = headlines(answered, reference=reference)
        return Computed(answered.frame, tuple(answered.notes), reference, first)

    asked = level, margins, identity(known), filters, complete
    answered = kept(stored, asked, computed)
    seats: dict[str, tuple[str, ...]] = {}
    for cell in stored.cells:
        if not filters.players or cell.players in filters.players:
            seats.setdefault(cell.lineup, cell.seats)
    compared = study.compare
    return Answer(
        answered.frame,
        level,
        study.title or "",
        study.game,
        (*answered.notes, *stored.notes, *_stopping_words(stored)),
        str(stored.directory),
        tuple(measure.name for measure in known),
        lineup_words(stored.cells),
        [
            {"cell": cell, "why": stop.why, "deals": stop.deals}
            for cell, stop in stored.stops.items()
        ],
        shares_of(stored.cells[0], known),
        study_cards(stored, level),
        answered.reference,
        headlines=answered.headlines,
        legend=study_legend(stored),
        seconds=seconds or (compared.seconds if compared else None),
        about=tuple(compared.about) if compared else (),
        seats=seats,
        stored=stored,
    )


def shares_of(cell: Table, measures: Sequence[Measure]) -> frozenset[str]:
    """Return the numbers of a cell that are shares, displayed in per cent."""
    every = measures_of(cell, measures) if cell.game else measures
    return frozenset(measure.name for measure in every if measure.is_share)


def lineup_words(cells: Iterable[StudyCell]) -> dict[str, str]:
    """Describe each line-up: its policies, and whether it is rotated."""
    described: dict[str, str] = {}
    for cell in cells:
        names = ", ".join(seat.partition("(")[0] for seat in dict.fromkeys(cell.seats))
        words = f"{names}, rotated" if cell.rotations > 1 else names
        described.setdefault(cell.lineup, "" if cell.lineup == names else words)
    return described


def _stopping_words(stored: Stored) -> list[str]:
    """Say which cells stopped early, at the study's goal."""
    goal, stops = stored.study.goal, stored.stops.values()
    if goal is None or not stops:
        return []
    reached = sorted(stop.deals for stop in stops if stop.why == "goal")
    text = f"Goal ±{goal.half_width:g}: reached in {len(reached)} of {len(stops)} cells"
    if reached:
        text += f" (at {reached[0]:,} to {reached[-1]:,} deals)"
    return [f"{text}."]
