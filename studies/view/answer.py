"""An answer, which shows itself: as text, as HTML in a notebook, as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from studies.answers.filters import Filters
from studies.render import Page, Shown, plain, screen_width, shown_html, to_json
from studies.view.answered import Answered


@dataclass(frozen=True, repr=False)
class Answer(Answered, Shown):
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
    measures : tuple of str
        The study's own measures, and those that were given.
    about : tuple of str
        The numbers that the study asks about first, besides its measures.
    seats : mapping of str to tuple of str
        The policies of each line-up, one a seat.
    reference : str
        The line-up that comes first: the one that the study names, or the strongest.
    paired : bool or None
        Whether variants were played on the same deals; None: as the frame shows.
    numbers : tuple of str
        The numbers selected with `number`; empty for all.
    headlines : Headlines or None
        What the first lines may claim, by simultaneous bounds: see `studies.answers.headlines`.
    legend : Legend
        What each variant and policy is, a line each.
    seconds : float or None
        How long one unit of the length takes, to tell lengths in minutes.
    cards : polars.DataFrame or None
        With the rules file `cards`: what each card is worth, one row per table, `when` (dealt,
        drawn or played) and card; see `studies.answers.cards`.
    stored : Stored or None
        The study directory, for distributions and commands.

    Examples
    --------
    >>> import cardlab
    >>> study = cardlab.Study(game="up", matches=50, variants={"dirty": {"dirty_one": "always"}},
    ...     lineups=[{"name": "both", "seats": ["greedy", "shedder"], "rotate": True}])
    >>> answer = cardlab.run(study, "duel").compare()
    >>> answer.frame.columns[:5]
    ['lineup', 'variant', 'kind', 'who', 'number']
    """

    def only(self, filters: Filters, *, keep_numbers: bool = False) -> Answer:
        """Return a part of the answer: some players, variants, line-ups or numbers.

        With `keep_numbers` the numbers are columns beside all others.
        """
        from studies.answers.reference import reference_among

        frame, cards = filters.of(self.frame), self.cards
        if keep_numbers:
            frame = replace(filters, number=()).of(self.frame)
        for name in ("variant", "lineup"):
            if cards is not None and (chosen := getattr(filters, name)):
                cards = cards.filter(cards[name].is_in(chosen))
        return replace(
            self,
            frame=frame,
            title=f"{self.title} ({filters.words})".lstrip(),
            measures=tuple(dict.fromkeys((*filters.number, *self.measures))),
            paired=self.is_paired,
            numbers=() if keep_numbers else filters.number,
            cards=cards,
            reference=reference_among(self.reference, frame),
        )

    def page(self, *, full: bool = False) -> Page:
        """Return the displayed page: one screen, or every number with `full`."""
        from studies.view.terminal import every_number, screen

        return every_number(self) if full else screen(self, screen_width())

    def _repr_html_(self) -> str:
        from studies.view.page import fragment

        # A subclass with a page of its own shows that.
        own = type(self).page is not Answer.page
        return shown_html(self.page()) if own else fragment(self)

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
