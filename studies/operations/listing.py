"""Lists of the games with their options, the policies, and the studies in the library."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from simcore.game import Game, game_names, get_game
from simcore.options import Option, show
from studies.operations.arguments import Rules, game_of, make_cell
from studies.operations.user_code import Strategies, use_policies
from studies.render import Column, Table, plain

if TYPE_CHECKING:
    import polars as pl


def games() -> pl.DataFrame:
    """Return the games, one per row.

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
            "game": one.name,
            "title": one.title,
            "players": _player_range(one),
            "kind": one.kind,
            "fewest": one.players.low,
            "most": one.players.high,
            "usual": one.players.default,
            "options": list(one.option_names),
            "metrics": list(one.metric_names),
            "assumptions": list(one.assumptions),
        }
        for one in map(get_game, game_names())
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def options(game: str, *, rules: Rules = None) -> pl.DataFrame:
    """Return the options of a game, one per row; with `rules`, also those of the files.

    Returns
    -------
    polars.DataFrame
        `option`, `default`, `values` (allowed values), `meaning`, `rule` (its mark in the rules),
        all text; `house` (whether it is a house rule or a dial, not in the rule text).

    Raises
    ------
    InputError
        If there is no such game.

    Examples
    --------
    >>> import cardlab
    >>> cardlab.options("up")["option"][0]
    'players'
    """
    return _option_frame(game_of(game, rules).options)


def _option_frame(found: Sequence[Option]) -> pl.DataFrame:
    import polars as pl

    rows = [
        (one.name, show(one.default), one.allowed, one.meaning, one.rule, one.house)
        for one in found
    ]
    names = dict.fromkeys(("option", "default", "values", "meaning", "rule"), pl.String)
    return pl.DataFrame(rows, schema={**names, "house": pl.Boolean}, orient="row")


def _player_range(game: Game) -> str:
    return f"{game.players.low}–{game.players.high}"


def _best_score(game: Game) -> str:
    usual = f"The {game.best_score} score wins"
    if game.best_score_turned is None:
        return usual
    name, value = game.best_score_turned
    return f"{usual}, with {name} = {value} the {game.best_score_under({name: value})} one"


def game_document(name: str, rules: Rules = None) -> dict[str, Any]:
    """Return the description of a game, as `cardlab games GAME --json` prints it."""
    game = game_of(name, rules)
    return {
        "game": game.name,
        "title": game.title,
        "players": _player_range(game),
        "kind": game.kind,
        "options": _option_frame(game.options).to_dicts(),
        "metrics": metrics_of(game),
        "clauses": [
            {"bit": bit, "clause": own.name, "meaning": own.meaning, "options": [*own.options]}
            for bit, own in enumerate(game.clauses)
        ],
        "assumptions": _assumed(game),
    }


def game_source(name: str, rules: Rules = None) -> str:
    """Return a game's rules as the Python module that is compiled."""
    from simcore.compiler.blocks import printed_module

    return printed_module(make_cell(game_of(name, rules), {}, "random"))


def metrics_of(game: Game) -> list[dict[str, str]]:
    """Return the metrics with their meanings; those per card or seat as one."""
    told = {}
    for own in game.metrics:
        name = f"{own.name.rpartition('_')[0]}_0…" if own.per else own.name
        told[name] = f"{own.meaning}, for each {own.per}" if own.per else own.meaning
    return [{"metric": name, "meaning": meaning} for name, meaning in told.items()]


def _assumed(game: Game) -> list[str]:
    return [*game.assumed(range(game.players.low, game.players.high + 1))]


def game_page(name: str, rules: Rules = None) -> list[Table | str]:
    """Return the displayed description of a game: text, and tables of options, metrics, clauses."""
    import polars as pl

    game = game_of(name, rules)
    told = game_document(name, rules)
    page: list[Table | str] = [
        f"{game.title} ({game.name}): {game.kind}; {_player_range(game)} players.",
        f"{_best_score(game)}; ties are shared wins.",
        f"Position 0 of a result (first_seat) is {game.first_seat_meaning}.",
    ]
    named = tuple(Column(own) for own in ("option", "default", "values", "meaning", "rule"))
    for title, house in (("Options", False), ("House rules and dials: not in the rule text", True)):
        own = _option_frame([one for one in game.options if bool(one.house) == house])
        if own.height:
            page.append(Table(own, named, title))
    page.append(Table(pl.DataFrame(told["metrics"]), title="Metrics of a match"))
    if told["clauses"]:
        clauses = (
            Column("bit", form="count"),
            Column("clause"),
            Column("meaning", "noted when"),
            Column("options"),
        )
        page.append(Table(pl.DataFrame(told["clauses"]), clauses, "Clauses"))
    if assumed := _assumed(game):
        page.append("\n".join(["Assumptions", *(f"  - {one}" for one in assumed)]))
    return page


def strategies(
    game: str | None = None, *, strategies: Strategies = None, rules: Rules = None
) -> pl.DataFrame:
    """Return the policies, one per row.

    Parameters
    ----------
    game : str, optional
        Default: every game.
    strategies : path, function, or several of them
        Your own policies, as in `simulate`.
    rules : path, or several of them
        Files that change the game, as in `simulate`.

    Returns
    -------
    polars.DataFrame
        `game`, `policy`, `parameters` (list of "name=default"), `under` (list of text: other
        defaults under some rules), `idea`, `source` (of the idea), `details` (list of structs of
        text, one per parameter: `name`, `default`, `allowed`, `meaning`).

    Raises
    ------
    InputError
        If there is no such game, or a policy is invalid.

    Examples
    --------
    >>> import cardlab
    >>> "greedy" in cardlab.strategies("up")["policy"]
    True
    """
    import polars as pl

    from strategies import policies as known
    from strategies.params import in_words

    chosen = [game_of(name, rules) for name in (game_names() if game is None else (game,))]
    use_policies(strategies, game or "")
    inner = pl.Struct(dict.fromkeys(("name", "default", "allowed", "meaning"), pl.String))
    columns: dict[str, Any] = {
        **dict.fromkeys(("game", "policy"), pl.String),
        "parameters": pl.List(pl.String),
        "under": pl.List(pl.String),
        **dict.fromkeys(("idea", "source"), pl.String),
        "details": pl.List(inner),
    }
    rows = [
        {
            "game": own.name,
            "policy": one.name,
            "parameters": [f"{param.name}={param.default_in_words}" for param in one.params],
            "under": [in_words(values) for values in one.under],
            "idea": one.idea,
            "source": one.source,
            "details": [
                {
                    "name": param.name,
                    "default": param.default_in_words,
                    "allowed": param.allowed,
                    "meaning": param.meaning,
                }
                for param in one.params
            ],
        }
        for own in chosen
        for one in known(own)
    ]
    return pl.DataFrame(rows, schema=columns)


def strategy_tables(found: pl.DataFrame) -> Iterator[Table]:
    """Yield the displayed tables of policies, one per game, from the frame of `strategies`."""

    def parameters(row: Any) -> str:
        lines = [
            f"{own['name']} = {own['default']}  ({own['allowed']}; {own['meaning']})"
            for own in row["details"]
        ]
        return "\n".join([*lines, *row["under"]]) or "–"

    def idea(row: Any) -> str:
        return f"{row['idea']}\n[{row['source']}]" if row["source"] else str(row["idea"])

    columns = (
        Column("policy"),
        Column("parameters", form=parameters, wraps=True),
        Column("idea", form=idea, wraps=True),
    )
    for own in found.partition_by("game", maintain_order=True):
        yield Table(own, columns, f"Policies for {own['game'][0]}")


def studies() -> pl.DataFrame:
    """Return the studies in the library, one per row.

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


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a study file, for editors.

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
    from studies.design.schema import study_schema

    found: dict[str, Any] = plain(study_schema())
    return found


def warmup(games: Sequence[str] = ()) -> Iterator[tuple[str, int, float]]:
    """Compile in advance what the library's studies need; yield (title, functions, seconds).

    Compiled code stays in the cache folder until cardlab's sources change.

    Parameters
    ----------
    games : sequence of str
        Names of games; default: all.

    Raises
    ------
    InputError
        If a game is unknown; then nothing is compiled.

    Examples
    --------
    >>> import cardlab
    >>> [title for title, _, _ in cardlab.warmup(["updown"])]
    ['UP & DOWN']
    """
    chosen = [get_game(name) for name in dict.fromkeys(games or game_names())]
    return _compiled(chosen)


def _compiled(games: Sequence[Game]) -> Iterator[tuple[str, int, float]]:
    from studies.run.warmup import warm

    for game in games:
        started = time.monotonic()
        count = warm(game)
        yield game.title, count, time.monotonic() - started
