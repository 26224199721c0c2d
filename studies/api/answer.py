"""What a study tells of variants and policies: as JSON, and as frames of one row a number."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from simcore.options import show_all
from studies.api.shown import page

if TYPE_CHECKING:
    import polars as pl

    from studies.compare.results import Comparison

Row = dict[str, Any]
Told = Mapping[str, Any]

_INTERVAL = ("estimate", "low", "high")
_SHARES = ("another_winner", "winners_differ", "aborted_in_one", "in_play", "floor", "independent")
_COUNTED = {
    "another_winner": ("another_winner_count", "decided"),
    "winners_differ": ("winners_differ_count", "matches"),
    "aborted_in_one": ("aborted_in_one_count", "matches"),
    "in_play": ("in_play_count", "matches"),
}
_CHANGES = ("win_share", "win_share_of_all", "score")


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

    Win shares are per seat held and of decided matches, from 0 to 1; changes are with the variant
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
            told = {**dataclasses.asdict(self.comparison), "stops": as_record(stops, goal)}
            self._document = _finite(told)
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
        rows = [row for effect in told["variants"] for row in _variant_rows(effect)]
        return _frame(rows, {**_TABLE, "variant": "str", **_NUMBER, **_TESTED}, "variant")

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
        rows = [row for own in self.to_dict()["interactions"] for row in _interaction_rows(own)]
        columns = {**_ALONE, **_TABLE, **_CONTRAST}
        return _frame(rows, columns, *_ALONE)

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
                **_table_of(own),
                "effect": own["label"],
                "mixed_with": ", ".join(own["mixed_with"]),
                **_contrast(one),
            }
            for own in told["effects"]
            for one in own["outcomes"]
        ]
        named = dict.fromkeys(("effect", "mixed_with"), "str")
        left = {name: kind for name, kind in _CONTRAST.items() if name not in _CHANGED_ALONE}
        return _frame(rows, {**named, **_TABLE, **left}, *named)

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
        rows = [row for table in self.to_dict()["lineups"] for row in _lineup_rows(table)]
        return _frame(rows, {**_TABLE, **_NUMBER, **_TESTED, **_AT_ONCE}, "lineup")

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
        rows = [row for rating in told["ratings"] for row in _rating_rows(rating)]
        return _frame(rows, {**_TABLE, **_NUMBER, **_TESTED, **_AT_ONCE, **_RATED}, "point")

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


_TABLE = {"lineup": "str", "point": "str"}
_NUMBER = {
    "of": "str",
    "who": "str",
    "number": "str",
    **dict.fromkeys(("baseline", *_INTERVAL), "float"),
    "count": "int",
    "matches": "int",
}
_TESTED = {
    "p": "float",
    "p_holm": "float",
    "margin": "float",
    "equivalent": "bool",
    "deals": "int",
}
_AT_ONCE = {
    "against": "str",
    "low_all": "float",
    "high_all": "float",
    "p_family": "float",
    "seats": "int",
}
_RATED = {"players": "int"}
_ALONE = dict.fromkeys(("first", "second", "together"), "str")
_CHANGED_ALONE = ("change_first", "change_second", "change_together")
_CONTRAST = {
    **dict.fromkeys(("of", "who", "number"), "str"),
    **dict.fromkeys(_CHANGED_ALONE, "float"),
    **dict.fromkeys((*_INTERVAL, "low_all", "high_all", "p", "p_family", "p_holm"), "float"),
    "deals": "int",
}
_DROPPED_OF_RATINGS = ("lineup", "baseline", "count", "margin", "equivalent", "p_holm", "p_family")


def _frame(rows: list[Row], columns: Mapping[str, str], *first: str) -> pl.DataFrame:
    """Return rows as a frame: what names them first, then the sweep's values, then numbers."""
    import polars as pl

    kinds = {"str": pl.String, "float": pl.Float64, "int": pl.Int64, "bool": pl.Boolean}
    points = list(dict.fromkeys(name for row in rows for name in row["_point"]))
    flat = [
        {**row, **{_free(name, columns): row["_point"].get(name) for name in points}}
        for row in rows
    ]
    names = [name for name in (*first, "lineup", "point") if name in columns]
    order = [*dict.fromkeys([*names, *(_free(name, columns) for name in points), *columns])]
    if first == ("point",):
        order = [name for name in order if name not in _DROPPED_OF_RATINGS]
    if "against" in order:
        order.remove("against")
        order.insert(order.index("who") + 1, "against")
    if "low_all" in order:
        for name in ("high_all", "low_all"):
            order.remove(name)
            order.insert(order.index("high") + 1, name)
    data = {}
    for name in order:
        values = [row.get(name) for row in flat]
        kind = kinds[columns[name]]() if name in columns else None
        data[name] = pl.Series(name, values, kind, strict=False)
    return pl.DataFrame(data)


def _free(name: str, columns: Mapping[str, str]) -> str:
    """Return the name of a sweep key's column; an option named like a column gets an ending."""
    return f"{name}_option" if name in columns else name


def _table_of(told: Told) -> Row:
    return {
        "lineup": told.get("lineup"),
        "point": show_all(told["point"]),
        "_point": told["point"],
        "deals": told.get("deals"),
    }


def _bounds(interval: Told | None) -> Row:
    return {name: interval[name] for name in _INTERVAL} if interval else {}


def _change(told: Told) -> Row:
    equivalence = told["equivalence"] or {}
    return {
        "baseline": told["baseline"],
        **_bounds(told["change"]),
        "p": told["p"],
        "p_holm": told["p_holm"],
        "margin": equivalence.get("margin"),
        "equivalent": equivalence.get("holds"),
    }


def _variant_rows(effect: Told) -> Iterator[Row]:
    whole = {**_table_of(effect), "variant": effect["variant"], "matches": effect["matches"]}
    for name in _SHARES:
        if effect.get(name) is not None:
            row = {**whole, "of": "match", "number": name, **_bounds(effect[name])}
            if name in _COUNTED:
                count, matches = _COUNTED[name]
                row |= {"count": effect[count], "matches": effect[matches]}
            yield row
    for side, name in enumerate(("aborted_without", "aborted_with")):
        shares = _bounds(effect["aborted_share"][side])
        yield {**whole, "of": "match", "number": name, "count": effect["aborted"][side], **shares}
    for of, key in (("policy", "policies"), ("position", "positions")):
        for own in effect[key]:
            yield from _subject_rows({**whole, "of": of, "who": str(own[of])}, own)
    for name, change in effect["metrics"].items():
        yield {**whole, "of": "metric", "who": name, "number": name, **_change(change)}


def _subject_rows(row: Row, own: Told) -> Iterator[Row]:
    for name in _CHANGES:
        yield {**row, "number": name, **_change(own[name])}
    for name in ("gained", "lost"):
        if own[name] is not None:
            yield {**row, "number": name, "count": own[name], **_bounds(own[f"{name}_share"])}
    if own["among_winners"] is not None:
        p = own["among_winners_p"]
        yield {**row, "number": "among_winners", **_bounds(own["among_winners"]), "p": p}


def _interaction_rows(told: Told) -> Iterator[Row]:
    whole = {**_table_of(told), **{name: told[name] for name in _ALONE}}
    for one in told["outcomes"]:
        changes = zip(_CHANGED_ALONE, _ALONE, strict=True)
        yield {**whole, **_contrast(one), **{name: one[of] for name, of in changes}}


def _contrast(one: Told) -> Row:
    """Return the columns of a contrast of one outcome."""
    names = ("of", "who", "number", "p", "p_family", "p_holm")
    return {**{name: one[name] for name in names}, **_bounds(one["contrast"]), **_at_once(one)}


def _lineup_rows(told: Told) -> Iterator[Row]:
    whole = {**_table_of(told), "matches": told["matches"]}
    aborted = {"number": "aborted", "count": told["aborted"], **_bounds(told["aborted_share"])}
    yield {**whole, "of": "table", **aborted}
    for of, key in (("policy", "policies"), ("position", "positions")):
        for own in told[key]:
            row = {**whole, "of": of, "who": str(own[of]), "seats": own.get("seats", 1)}
            yield {**row, "number": "win_share", **_bounds(own["win_share"]), **_at_once(own)}
            for name in _CHANGES[1:]:
                yield {**row, "number": name, **_bounds(own[name])}
    for gap in told["differences"]:
        equivalence = gap["equivalence"] or {}
        yield {
            **whole,
            "of": "difference",
            "who": gap["first"],
            "against": gap["second"],
            "number": "win_share",
            **_bounds(gap["difference"]),
            **_at_once(gap),
            **{name: gap[name] for name in ("p", "p_family", "p_holm")},
            "margin": equivalence.get("margin"),
            "equivalent": equivalence.get("holds"),
        }
    for name, mean in told["metrics"].items():
        yield {**whole, "of": "metric", "who": name, "number": name, **_bounds(mean)}


def _at_once(told: Told) -> Row:
    bounds = told.get("simultaneous")
    return {"low_all": bounds["low"], "high_all": bounds["high"]} if bounds else {}


def _rating_rows(told: Told) -> Iterator[Row]:
    whole = {**_table_of(told), "players": told["players"]}
    orders = {**whole, "of": "policy", "matches": told["orders"]}
    for own in told["strengths"]:
        bounds = _bounds(own["strength"])
        against = told["reference"]
        yield {**orders, "who": own["policy"], "against": against, "number": "strength", **bounds}
    if told["lead"]:
        first = told["strengths"][0]["policy"]
        bounds = _bounds(told["lead"])
        yield {**orders, "who": first, "against": told["rival"], "number": "lead", **bounds}
    if told["fit_p"] is not None:
        yield {**orders, "of": "all", "number": "fit", "p": told["fit_p"]}
    for own in told["payoffs"]:
        pair = {"who": own["first"], "against": own["second"], "matches": own["matches"]}
        bounds = {**_bounds(own["payoff"]), **_at_once(own)}
        yield {**whole, "of": "pair", **pair, "number": "payoff", **bounds}
    for name in ("cyclic", "transitive"):
        if told[name]:
            p = told["cyclic_p"] if name == "cyclic" else None
            yield {**whole, "of": "all", "number": name, **_bounds(told[name]), "p": p}
    for own in told["cycles"]:
        who = " > ".join(own["policies"])
        yield {**whole, "of": "cycle", "who": who, "number": "cycle", **_bounds(own["strength"])}
    for own in told["nash"]:
        for name, key in (("nash_mass", "mass"), ("nash_payoff", "against")):
            yield {
                **whole,
                "of": "policy",
                "who": own["policy"],
                "number": name,
                **_bounds(own[key]),
            }


def _finite(value: Any) -> Any:
    """Return a value with what JSON has no number for (no interval at one deal) as null."""
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    if isinstance(value, float) and not abs(value) < float("inf"):
        return None
    return value
