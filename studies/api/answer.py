"""What a study tells of variants and policies: as JSON, and as frames of one row a number."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from studies.api.answer_rows import (
    ALONE,
    AT_ONCE,
    CHANGED_ALONE,
    CONTRAST,
    NUMBER,
    POPULATION,
    RATED,
    SAMENESS,
    TABLE,
    TESTED,
    contrast_row,
    frame,
    interaction_rows,
    lineup_rows,
    population_rows,
    rating_rows,
    sameness_rows,
    table_of,
    variant_rows,
)
from studies.api.shown import page
from studies.stats.intervals import finite

if TYPE_CHECKING:
    import polars as pl

    from studies.compare.results import Comparison


def compare(directory: Path, level: float, margins: Mapping[str, float], name: str) -> Answer:
    """Compare the variants and policies of a study directory.

    Parameters
    ----------
    level : float
        Of every interval, from 0.5 to below 1.
    margins : mapping of str to float
        Margins of equivalence, see `studies.design.margins`.
    name : str
        What refusals call the margins.

    Raises
    ------
    InputError
        If the directory is none of a study or damaged, or level or margins are refused.
    """
    from studies.compare.effects import compare as compare_study

    return Answer(compare_study(directory, level, margins, called=name), directory)


class Answer:
    """What the variants of a study change and how its policies differ, from `Results.compare`.

    Win rates are per seat held and of decided matches, from 0 to 1; changes are with the variant
    less without, on the same deals.

    Attributes
    ----------
    level : float
        Of every interval.

    Examples
    --------
    >>> import cardlab
    >>> study = cardlab.Study(game="up", matches=50, variants={"dirty": {"dirty_one": "always"}},
    ...     lineups=[{"name": "both", "seats": ["greedy", "shedder"], "rotate": True}])
    >>> answer = cardlab.run(study, "duel").compare()
    >>> answer.variants.columns[:6]
    ['variant', 'lineup', 'point', 'of', 'who', 'number']
    """

    def __init__(self, comparison: Comparison, directory: Path) -> None:
        self.comparison = comparison
        self.level: float = comparison.level
        self._directory = directory
        self._document: dict[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data, what `to_json` writes.

        Examples
        --------
        >>> import cardlab
        >>> cardlab.open("duel").compare().to_dict()["game"]
        'up'
        """
        if self._document is None:
            from studies.store.stop_reasons import as_record, read_stops

            goal, stops = read_stops(self._directory)
            told: dict[str, Any] = finite(self.comparison)
            self._document = {**told, "stops": finite(as_record(stops, goal))}
        return self._document

    def to_json(self) -> str:
        """Return all of it as one JSON object, as `cardlab compare --json` prints it.

        Numbers that JSON does not know (no interval at one deal) are null.

        Examples
        --------
        >>> import cardlab
        >>> cardlab.open("duel").compare().to_json()[:1]
        '{'
        """
        return json.dumps(self.to_dict(), indent=1)

    @property
    def variants(self) -> pl.DataFrame:
        """What each variant changes, one row a number.

        Returns
        -------
        polars.DataFrame
            `variant`, `lineup`, `point` (the sweep's values as text, which also stand each in a
            column of its own), `of` ("match", "policy", "position" or "metric"), `who` (policy,
            position or metric), `number` (as in the JSON: `another_winner`, `aborted_in_one`,
            `in_play`, `win_share`, `score`, …), `baseline` (without the variant, where it is a
            change), `estimate`, `low`, `high`, `count` of `matches` where it is a share of these,
            `p`, `p_holm` (corrected over its family), `margin`, `equivalent` (whether the change is
            shown to lie within ± the margin), `deals`. Null where there is no such thing.

        Examples
        --------
        >>> import cardlab, polars as pl
        >>> answer = cardlab.open("duel").compare()
        >>> answer.variants.filter(pl.col("number") == "another_winner").height
        1
        """
        told = self.to_dict()
        rows = [row for effect in told["variants"] for row in variant_rows(effect)]
        return frame(rows, {**TABLE, "variant": "str", **NUMBER, **TESTED}, "variant")

    @property
    def interactions(self) -> pl.DataFrame:
        """Variants that stand alone and together, one row an outcome.

        Returns
        -------
        polars.DataFrame
            `first`, `second`, `together` (variants), `lineup`, `point` and the sweep's columns,
            `of`, `who`, `number` (as in `variants`), `change_first`, `change_second`,
            `change_together`, then the interaction, which is the last less the other two:
            `estimate`, `low`, `high`, `low_all`, `high_all` (bounds that hold for all interactions
            of the study at once), `p`, `p_family`, `p_holm`, `deals`.

        Examples
        --------
        >>> import cardlab
        >>> sorted(set(cardlab.open("tour").compare().interactions["together"]))
        ['both_forehand', 'dirty_and_double']
        """
        rows = [row for own in self.to_dict()["interactions"] for row in interaction_rows(own)]
        columns = {**ALONE, **TABLE, **CONTRAST}
        return frame(rows, columns, *ALONE)

    @property
    def factors(self) -> pl.DataFrame:
        """Main effects and interactions of the study's `[factors]`, one row an outcome.

        Returns
        -------
        polars.DataFrame
            `effect` (its factors, joined by " × "), `mixed_with` (other effects that a fraction of
            a design cannot tell it from), `lineup`, `point` and the sweep's columns, `of`, `who`,
            `number` (as in `variants`), `estimate`, `low`, `high`, `low_all`, `high_all` (bounds
            that hold for all effects of the study at once), `p`, `p_family`, `p_holm`, `deals`.
            No rows without factors.

        Examples
        --------
        >>> import cardlab
        >>> study = cardlab.Study(game="up", matches=20, options={"players": 2},
        ...     factors={"dirty_one": ["off", "always"], "extra_set": [False, True]},
        ...     lineups=[{"name": "two", "seats": ["greedy", "shedder"]}])
        >>> factors = cardlab.run(study, "square").compare().factors
        >>> list(factors["effect"].unique(maintain_order=True))
        ['dirty_one', 'extra_set', 'dirty_one × extra_set']
        """
        told = self.to_dict()["factors"] or {"effects": []}
        rows = [
            {
                **table_of(own),
                "effect": own["label"],
                "mixed_with": ", ".join(own["mixed_with"]),
                **contrast_row(one),
            }
            for own in told["effects"]
            for one in own["outcomes"]
        ]
        named = dict.fromkeys(("effect", "mixed_with"), "str")
        left = {name: kind for name, kind in CONTRAST.items() if name not in CHANGED_ALONE}
        return frame(rows, {**named, **TABLE, **left}, *named)

    @property
    def sameness(self) -> pl.DataFrame:
        """Whether each change is the same at all points of the sweep, and for all line-ups.

        Returns
        -------
        polars.DataFrame
            `variant`, `lineup` or `point` (what the tables share; the sweep's columns), `over`
            ("points" or "lineups"), `of`, `who`, `number` (as in `variants`). One row is the test:
            `p` and `p_holm` of "the same at all `tables`", and the largest difference (`estimate`,
            `low`, `high`), of `table` less `against`. One row more for each trend: `key` (of the
            sweep, or "strength"), `direction` ("rising", "falling", "turning", "open"), its slope.

        Examples
        --------
        >>> import cardlab
        >>> study = cardlab.Study(game="up", matches=30, options={"rounds": 1},
        ...     sweep={"players": [2, 3]}, variants={"extra": {"extra_set": True}},
        ...     lineups=[{"name": "all", "seats": ["greedy"]}])
        >>> found = cardlab.run(study, "two-and-three").compare().sameness
        >>> found.filter(number="another_winner")["key"].to_list()
        [None, 'players']
        """
        rows = [row for one in self.to_dict()["sameness"] for row in sameness_rows(one)]
        return frame(rows, {"variant": "str", **SAMENESS}, "variant")

    @property
    def population(self) -> pl.DataFrame:
        """What each variant changes over the study's `[population]`, one row an outcome.

        Returns
        -------
        polars.DataFrame
            `variant`, `point` and the sweep's columns, `of`, `who`, `number` (as in `variants`),
            `tables` (how many of those drawn tell it), the mean change (`estimate`, `low`, `high`),
            `spread`, `spread_low`, `spread_high` (standard deviation between tables), `low_new`,
            `high_new` (the prediction interval of a table that was not played; null below three
            tables), `p` (of "the mean is 0"), `p_holm`. No rows without a population.

        Examples
        --------
        >>> import cardlab
        >>> study = cardlab.Study(game="up", matches=30, options={"players": 2, "rounds": 1},
        ...     variants={"extra": {"extra_set": True}},
        ...     population={"policies": {"greedy": 2, "shedder": 1}, "tables": 3})
        >>> found = cardlab.run(study, "drawn").compare().population
        >>> found.filter(number="another_winner")["tables"].to_list()
        [3]
        """
        told = self.to_dict()["population"] or {"effects": []}
        rows = list(population_rows(told))
        return frame(rows, {"variant": "str", **POPULATION}, "variant")

    @property
    def policies(self) -> pl.DataFrame:
        """How policies and tables fare under the unchanged rules, one row a number.

        Returns
        -------
        polars.DataFrame
            `lineup`, `point` and the sweep's columns, `of` ("policy", "position", "difference",
            "table", "metric"), `who`, `against` (of a difference of
            two policies), `number` (`win_share`, `win_share_of_all`, `score`, `aborted`, …),
            `estimate`, `low`, `high`, `low_all`, `high_all` (bounds that hold for all policies of
            the table, or all differences of the study, at once), `p`, `p_family`, `p_holm`,
            `margin`, `equivalent`, `seats` (held), `count` of `matches`, `deals`.

        Examples
        --------
        >>> import cardlab, polars as pl
        >>> policies = cardlab.open("duel").compare().policies
        >>> policies.filter(pl.col("number") == "win_share", pl.col("of") == "policy").height
        2
        """
        rows = [row for table in self.to_dict()["lineups"] for row in lineup_rows(table)]
        return frame(rows, {**TABLE, **NUMBER, **TESTED, **AT_ONCE}, "lineup")

    @property
    def ratings(self) -> pl.DataFrame:
        """How policies rate over all line-ups of a sweep point, one row a number.

        Returns
        -------
        polars.DataFrame
            `point` and the sweep's columns, `players`, `who`, `against`, `number` (`strength`:
            Plackett–Luce log-odds against the reference, `lead`, `payoff`: -1 … 1, `nash_mass`,
            `nash_payoff`, `cyclic`, `transitive`, `cycle`, `fit`), `estimate`, `low`, `high`,
            `low_all`, `high_all`, `p`, `matches`, `deals`.

        Raises
        ------
        InputError
            If the study keeps sums instead of matches, from which there are no ratings.

        Examples
        --------
        >>> import cardlab, polars as pl
        >>> ratings = cardlab.open("duel").compare().ratings
        >>> ratings.filter(pl.col("number") == "payoff").height
        1
        """
        told = self.to_dict()
        if told["ratings"] is None:
            raise InputError(
                f"{self._directory} keeps sums instead of matches, from which no policies are "
                'rated; allowed: studies with detail = "matches"'
            )
        rows = [row for rating in told["ratings"] for row in rating_rows(rating)]
        return frame(rows, {**TABLE, **NUMBER, **TESTED, **AT_ONCE, **RATED}, "point")

    def __repr__(self) -> str:
        told = self.to_dict()
        return (
            f"<Answer for {told['title'] or told['game']}: {len(told['variants'])} effects of "
            f"variants, {len(told['lineups'])} tables>"
        )

    def _repr_html_(self) -> str:
        told = self.to_dict()
        head = f"{told['title'] or told['game']}: intervals of {100 * self.level:g} %"
        return page(head, self.variants._repr_html_(), self.policies._repr_html_())
