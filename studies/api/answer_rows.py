"""Rows of an answer's frames, from its plain data: one row a number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from simcore.options import show_all

if TYPE_CHECKING:
    import polars as pl

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


TABLE = {"lineup": "str", "point": "str"}
NUMBER = {
    "of": "str",
    "who": "str",
    "number": "str",
    **dict.fromkeys(("baseline", *_INTERVAL), "float"),
    "count": "int",
    "matches": "int",
}
TESTED = {
    "p": "float",
    "p_holm": "float",
    "margin": "float",
    "equivalent": "bool",
    "deals": "int",
}
AT_ONCE = {
    "against": "str",
    "low_all": "float",
    "high_all": "float",
    "p_family": "float",
    "seats": "int",
}
RATED = {"players": "int"}
ALONE = dict.fromkeys(("first", "second", "together"), "str")
CHANGED_ALONE = ("change_first", "change_second", "change_together")
CONTRAST = {
    **dict.fromkeys(("of", "who", "number"), "str"),
    **dict.fromkeys(CHANGED_ALONE, "float"),
    **dict.fromkeys((*_INTERVAL, "low_all", "high_all", "p", "p_family", "p_holm"), "float"),
    "deals": "int",
}
_DROPPED_OF_RATINGS = ("lineup", "baseline", "count", "margin", "equivalent", "p_holm", "p_family")


def frame(rows: list[Row], columns: Mapping[str, str], *first: str) -> pl.DataFrame:
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


def table_of(told: Told) -> Row:
    """Return the columns that name a table."""
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


def variant_rows(effect: Told) -> Iterator[Row]:
    """Yield what a variant changes at a table."""
    whole = {**table_of(effect), "variant": effect["variant"], "matches": effect["matches"]}
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


def interaction_rows(told: Told) -> Iterator[Row]:
    """Yield the outcomes of an interaction."""
    whole = {**table_of(told), **{name: told[name] for name in ALONE}}
    for one in told["outcomes"]:
        changes = zip(CHANGED_ALONE, ALONE, strict=True)
        yield {**whole, **contrast_row(one), **{name: one[of] for name, of in changes}}


def contrast_row(one: Told) -> Row:
    """Return the columns of a contrast of one outcome."""
    names = ("of", "who", "number", "p", "p_family", "p_holm")
    return {**{name: one[name] for name in names}, **_bounds(one["contrast"]), **_at_once(one)}


def lineup_rows(told: Told) -> Iterator[Row]:
    """Yield how policies fare at a table."""
    whole = {**table_of(told), "matches": told["matches"]}
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


def rating_rows(told: Told) -> Iterator[Row]:
    """Yield how policies rate at a point of the sweep."""
    whole = {**table_of(told), "players": told["players"]}
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


def sameness_rows(told: Told) -> Iterator[Row]:
    """Yield one row a test that a change is the same at all tables, and one a trend."""
    of = {name: told[name] for name in ("variant", "over", "of", "who")}
    point = told["point"] or {}
    whole = {**of, "lineup": told["lineup"], "point": show_all(point), "_point": point}
    high, low = told["between"]
    tested = {name: told[name] for name in ("p", "p_holm")}
    between = {"table": high, "against": low, "tables": len(told["tables"])}
    yield {**whole, "number": told["number"], **between, **_bounds(told["largest"]), **tested}
    for trend in told["trends"]:
        way = {"number": told["number"], "key": trend["key"], "direction": trend["direction"]}
        tested = {name: trend[name] for name in ("p", "p_holm")}
        yield {**whole, **way, "tables": len(told["tables"]), **_bounds(trend["slope"]), **tested}


def population_rows(told: Told) -> Iterator[Row]:
    """Yield one row a change over a population of tables."""
    for own in told["effects"]:
        predicted = own["prediction"] or {}
        yield {
            **{name: own[name] for name in ("variant", "of", "who", "number", "p", "p_holm")},
            "point": show_all(own["point"]),
            "_point": own["point"],
            "tables": len(own["tables"]),
            **_bounds(own["mean"]),
            "spread": own["spread"]["estimate"],
            "spread_low": own["spread"]["low"],
            "spread_high": own["spread"]["high"],
            "low_new": predicted.get("low"),
            "high_new": predicted.get("high"),
        }


POPULATION = {
    "point": "str",
    **dict.fromkeys(("of", "who", "number"), "str"),
    "tables": "int",
    **dict.fromkeys((*_INTERVAL, "spread", "spread_low", "spread_high"), "float"),
    **dict.fromkeys(("low_new", "high_new", "p", "p_holm"), "float"),
}
SAMENESS = {
    "over": "str",
    **TABLE,
    **dict.fromkeys(("of", "who", "number", "table", "against", "key", "direction"), "str"),
    "tables": "int",
    **dict.fromkeys((*_INTERVAL, "p", "p_holm"), "float"),
}
