"""Lists of the games with their options, the policies, and the studies in the library."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from simcore.catalogue import get_game
from simcore.game import Game, game_names
from simcore.options import Option, show
from studies.operations.arguments import Rules, game_of, make_cell, refuse_idle
from studies.operations.user_code import Strategies, given_policies
from studies.render import Column, Page, Table, plain

if TYPE_CHECKING:
    import polars as pl


def games() -> pl.DataFrame:
    """List the games, one per row.

    Returns
    -------
    polars.DataFrame
        `game` (its name), `title`, `players` (as "2–10"), `kind`, `fewest`, `most` and
        `usual` number of players, `options` and `metrics` (lists of names), `assumptions` (list of
        text).

    Examples
    --------
    >>> import cardlab
    >>> cardlab.games()["game"].to_list()
    ['up', 'updown', 'uno', 'dnup', 'upordown']
    """
    import polars as pl

    rows = [
        {
            "game": game.name,
            "title": game.title,
            "players": _player_range(game),
            "kind": game.kind,
            "fewest": game.players.low,
            "most": game.players.high,
            "usual": game.players.default,
            "options": list(game.option_names),
            "metrics": list(game.metric_names),
            "assumptions": list(game.assumptions),
        }
        for game in map(get_game, game_names())
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def options(game: str, *, rules: Rules = None) -> pl.DataFrame:
    """Return the options of a game, one per row; with `rules`, also those of the files.

    Returns
    -------
    polars.DataFrame
        `option`, `default`, `values` (allowed values), `meaning`, `rule` (its mark in the rules),
        all text; `house` (whether it is a house rule or a dial, not in the rule text).

    Examples
    --------
    >>> import cardlab
    >>> cardlab.options("up")["option"][0]
    'players'
    """
    return _option_frame(game_of(game, rules).options)


def _option_frame(options: Sequence[Option]) -> pl.DataFrame:
    import polars as pl

    rows = [
        (
            option.name,
            show(option.default),
            option.allowed,
            option.meaning,
            option.rule,
            bool(option.house),
        )
        for option in options
    ]
    names = dict.fromkeys(("option", "default", "values", "meaning", "rule"), pl.String)
    return pl.DataFrame(rows, schema={**names, "house": pl.Boolean}, orient="row")


def _player_range(game: Game) -> str:
    return f"{game.players.low}–{game.players.high}"


class Listed(NamedTuple):
    """The games, or one of them, as `cardlab games` shows it: a page, a frame, JSON."""

    page: Page
    frame: pl.DataFrame
    document: dict[str, Any] | None = None


def describe(game: str | None = None, *, rules: Rules = None) -> Listed:
    """List the games, or describe one.

    The description has the game's options, metrics, clauses and assumptions.

    Parameters
    ----------
    game : str, optional
        Describe this game.
    rules : path, or several of them
        As in `simulate`.
    """
    if game is not None:
        return _described(game_of(game, rules))
    refuse_idle("rules", rules or None, "without a game", "cardlab games GAME --rules FILE.py")
    columns = tuple(Column(name) for name in ("game", "title", "players", "kind"))
    note = "More about a game: cardlab games GAME; its policies: cardlab strategies GAME."
    return Listed([Table(games(), columns), note], games())


def _described(game: Game) -> Listed:
    import polars as pl

    option_frame = _option_frame(game.options)
    assumptions = [*game.assumed(range(game.players.low, game.players.high + 1))]
    document: dict[str, Any] = {
        "game": game.name,
        "title": game.title,
        "players": _player_range(game),
        "kind": game.kind,
        "options": option_frame.to_dicts(),
        "metrics": metrics_of(game),
        "clauses": [
            {
                "bit": bit,
                "clause": clause.name,
                "meaning": clause.meaning,
                "options": [*clause.options],
            }
            for bit, clause in enumerate(game.clauses)
        ],
        "assumptions": assumptions,
    }
    best = f"The {game.best_score} score wins"
    if game.best_score_turned is not None:
        name, value = game.best_score_turned
        best += f", with {name} = {value} the {game.best_score_under({name: value})} one"
    page: list[Table | str] = [
        f"{game.title} ({game.name}): {game.kind}; {_player_range(game)} players.",
        f"{best}; ties are shared wins.",
        f"Position 0 of a result (first_seat) is {game.first_seat_meaning}.",
    ]
    columns = tuple(Column(name) for name in ("option", "default", "values", "meaning", "rule"))
    for title, house in (("Options", False), ("House rules and dials: not in the rule text", True)):
        shown = option_frame.filter(option_frame["house"] == house)
        if shown.height:
            page.append(Table(shown, columns, title))
    page.append(Table(pl.DataFrame(document["metrics"]), title="Metrics of a match"))
    if document["clauses"]:
        clauses = (
            Column("bit", form="count"),
            Column("clause"),
            Column("meaning", "noted when"),
            Column("options"),
        )
        page.append(Table(pl.DataFrame(document["clauses"]), clauses, "Clauses"))
    if assumptions:
        page.append("\n".join(["Assumptions", *(f"  - {text}" for text in assumptions)]))
    return Listed(page, option_frame, document)


def metrics_of(game: Game) -> list[dict[str, str]]:
    """Return the metrics with their meanings; those per card or seat as one."""
    meanings = {}
    for metric in game.metrics:
        name = f"{metric.name.rpartition('_')[0]}_0…" if metric.per else metric.name
        meanings[name] = (
            f"{metric.meaning}, for each {metric.per}" if metric.per else metric.meaning
        )
    return [{"metric": name, "meaning": meaning} for name, meaning in meanings.items()]


def game_source(game: str, rules: Rules = None) -> str:
    """Return a game's rules as the Python module that is compiled."""
    from simcore.compiler.blocks import printed_module

    return printed_module(make_cell(game_of(game, rules), {}, "random"))


def strategies(
    game: str | None = None, *, strategies: Strategies = None, rules: Rules = None
) -> pl.DataFrame:
    """List the policies, with their parameters and what they do.

    Parameters
    ----------
    game : str, optional
        Only this game; default: all.
    strategies, rules
        As in `simulate`.

    Returns
    -------
    polars.DataFrame
        `game`, `policy`, `parameters` (list of "name=default"), `under` (list of text: other
        defaults under some rules), `idea`, `source` (of the idea), `looks_at` (list of text: the
        places and numbers of the state that its code reads, so how much one has to watch to play
        like it; null of a search, which plays on), `details` (list of structs of text, one per
        parameter: `name`, `default`, `allowed`, `meaning`).

    Examples
    --------
    >>> import cardlab
    >>> "greedy" in cardlab.strategies("up")["policy"]
    True
    """
    import polars as pl

    from strategies.params import in_words

    chosen = [game_of(name, rules) for name in (game_names() if game is None else (game,))]
    policies = given_policies(strategies, game or "")
    inner = pl.Struct(dict.fromkeys(("name", "default", "allowed", "meaning"), pl.String))
    columns: dict[str, Any] = {
        **dict.fromkeys(("game", "policy"), pl.String),
        "parameters": pl.List(pl.String),
        "under": pl.List(pl.String),
        **dict.fromkeys(("idea", "source"), pl.String),
        "looks_at": pl.List(pl.String),
        "details": pl.List(inner),
    }
    rows = [
        {
            "game": known_game.name,
            "policy": policy.name,
            "parameters": [f"{param.name}={param.default_in_words}" for param in policy.params],
            "under": [in_words(values) for values in policy.under],
            "idea": policy.idea,
            "source": policy.source,
            "looks_at": policy.looks_at(known_game),
            "details": [
                {
                    "name": param.name,
                    "default": param.default_in_words,
                    "allowed": param.allowed,
                    "meaning": param.meaning,
                }
                for param in policy.params
            ],
        }
        for known_game in chosen
        for policy in policies.of(known_game).values()
    ]
    return pl.DataFrame(rows, schema=columns)


def strategy_page(rows: pl.DataFrame) -> Page:
    """Return the displayed tables of policies, one per game, from the frame of `strategies`."""

    def parameters(row: Any) -> str:
        lines = [
            f"{param['name']} = {param['default']}  ({param['allowed']}; {param['meaning']})"
            for param in row["details"]
        ]
        return "\n".join([*lines, *row["under"]]) or "–"

    first: dict[tuple[str, ...], str] = {}

    def looks(row: Any) -> str:
        things = row["looks_at"]
        if not things:
            return "–" if things is None else "0"
        same = first.setdefault((row["game"], *things), row["policy"])
        named = ", ".join(thing.replace("_", " ") for thing in things)
        return f"{len(things)}, as {same}" if same != row["policy"] else f"{len(things)}: {named}"

    def idea(row: Any) -> str:
        return f"{row['idea']}\n[{row['source']}]" if row["source"] else str(row["idea"])

    columns = (
        Column("policy"),
        Column("parameters", form=parameters, wraps=True),
        Column("looks_at", "looks at", looks, wraps=True),
        Column("idea", form=idea, wraps=True),
    )
    return [
        *(
            Table(policies, columns, f"Policies for {policies['game'][0]}")
            for policies in rows.partition_by("game", maintain_order=True)
        ),
        (
            "These are heuristics, a search that plays rounds out with one of them, and in some "
            "games a policy that has learned (`expert`). They serve to compare rules and ideas; "
            "none of them plays perfectly."
        ),
        (
            "What a policy looks at are the places and numbers of the state that its code reads, "
            "memory among them: the more there are, the more has to be watched to play like it."
        ),
        "In a line-up: name, or name(param=value,…), as in --lineup 'random,NAME(PARAM=1)'.",
    ]


def studies() -> pl.DataFrame:
    """List the studies in the library.

    Returns
    -------
    polars.DataFrame
        `study` (its name), `game`, `asks`, `cells`, `matches` (of all cells).

    Examples
    --------
    >>> import cardlab
    >>> cardlab.studies().filter(study="quickstart")["matches"].item()
    640000
    """
    import polars as pl

    from studies.design.cells import expand
    from studies.design.study import library_names, load_study

    rows = []
    for name in library_names():
        study = load_study(name)
        cells = expand(study)
        rows.append(
            {
                "study": name,
                "game": study.game,
                "asks": study.title,
                "cells": len(cells),
                "matches": sum(cell.rotations for cell in cells) * study.matches,
            }
        )
    return pl.DataFrame(rows, infer_schema_length=None)


def study_page(rows: pl.DataFrame) -> Page:
    """Return the page that lists the library's studies, from the frame of `studies()`."""
    columns = (
        Column("study"),
        Column("asks", "what it asks"),
        Column("cells", form="count"),
        Column("matches", form="count"),
    )
    note = (
        "cardlab run STUDY --dry-run estimates the time on this machine, and cardlab run STUDY "
        "plays the study."
    )
    return [Table(rows, columns), note]


def schema() -> dict[str, Any]:
    """Give the JSON Schema of a study file, for editors.

    Returns
    -------
    dict
        Draft 2020-12.

    Examples
    --------
    >>> import cardlab
    >>> cardlab.schema()["required"]
    ['game']
    """
    from studies.design.study import study_schema

    document: dict[str, Any] = plain(study_schema())
    return document


def warmup(games: Sequence[str] = (), *, clear: bool = False) -> Iterator[tuple[str, int, float]]:
    """Compile in advance everything that the library's studies need.

    Compiled code stays in the cache folder until cardlab's sources change; beyond 256 MB what was
    not used for longest is removed. Your own policies are compiled when they are used, in about a
    second.

    Parameters
    ----------
    games : sequence of str
        Names of games; default: all.
    clear : bool
        Empty the cache first, of compiled code and of answers; games are compiled only where they
        are named.

    Yields
    ------
    tuple of str, int and float
        Title of a game, number of functions compiled, seconds.

    Examples
    --------
    >>> import cardlab
    >>> [title for title, _, _ in cardlab.warmup(["updown"])]
    ['UP & DOWN']
    """
    from simcore import cache
    from studies.run.warmup import warm

    named = games or (() if clear else game_names())
    chosen = [get_game(name) for name in dict.fromkeys(named)]
    if clear:
        cache.clear()

    def compiled() -> Iterator[tuple[str, int, float]]:
        for game in chosen:
            started = time.monotonic()
            count = warm(game)
            yield game.title, count, time.monotonic() - started

    return compiled()
