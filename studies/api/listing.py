"""What there is: games with their options, policies, and the library of studies."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.game import game_names, get_game
from simcore.options import show
from studies.api.own import Strategies, use_policies

if TYPE_CHECKING:
    import polars as pl


def games() -> pl.DataFrame:
    """Return the games, one row each.

    Returns
    -------
    polars.DataFrame
        `game` (its name in calls), `title`, `kind`, `fewest` and `most` players, `usual` number of
        players, `options` and `metrics` (lists of names), `assumptions` (list of text).

    Examples
    --------
    >>> import cardlab
    >>> cardlab.games()["game"].to_list()
    ['up', 'updown', 'uno', 'dnup', 'upordown']
    """
    import polars as pl

    rows = []
    for name in game_names():
        game = get_game(name)
        rows.append(
            {
                "game": name,
                "title": game.title,
                "kind": game.kind,
                "fewest": game.players.low,
                "most": game.players.high,
                "usual": game.players.default,
                "options": list(game.option_names),
                "metrics": list(game.metric_names),
                "assumptions": list(game.assumptions),
            }
        )
    return pl.DataFrame(rows, infer_schema_length=None)


def options(game: str) -> pl.DataFrame:
    """Return the options of a game's rules, one row each.

    Returns
    -------
    polars.DataFrame
        `option`, `default`, `allowed`, `meaning`, `rule` (its mark in the rules), all text.

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
    import polars as pl

    names = ("option", "default", "allowed", "meaning", "rule")
    rows = [
        (one.name, show(one.default), one.allowed, one.meaning, one.rule)
        for one in get_game(game).options
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")


def policies(game: str, *, strategies: Strategies = None) -> pl.DataFrame:
    """Return the policies of a game, one row each.

    Parameters
    ----------
    game : str
    strategies : path, function, or several of them
        Policies of one's own, as of `simulate`.

    Returns
    -------
    polars.DataFrame
        `policy`, `idea`, `source` (where the idea comes from), `parameters` (list of structs of
        `name`, `default`, `allowed`, `meaning`, text), `under` (list of text: other values of
        parameters in place of the defaults, under some rules).

    Raises
    ------
    InputError
        If there is no such game, or a policy is refused.

    Examples
    --------
    >>> import cardlab
    >>> "greedy" in cardlab.policies("up")["policy"]
    True
    """
    import polars as pl

    from strategies import policies as known
    from strategies.params import in_words

    found = get_game(game)
    use_policies(strategies, game)
    inner = pl.Struct(dict.fromkeys(("name", "default", "allowed", "meaning"), pl.String))
    columns: dict[str, Any] = {
        **dict.fromkeys(("policy", "idea", "source"), pl.String),
        "parameters": pl.List(inner),
        "under": pl.List(pl.String),
    }
    rows = [
        {
            "policy": one.name,
            "idea": one.idea,
            "source": one.source,
            "parameters": [
                {
                    "name": param.name,
                    "default": param.default_in_words,
                    "allowed": param.allowed,
                    "meaning": param.meaning,
                }
                for param in one.params
            ],
            "under": [in_words(own) for own in one.under],
        }
        for one in known(found)
    ]
    return pl.DataFrame(rows, schema=columns)


def studies() -> pl.DataFrame:
    """Return the studies of the library, one row each.

    Returns
    -------
    polars.DataFrame
        `study` (its name for `run`), `game`, `asks`, `cells`, `matches` (of all cells), `seconds`
        (about, of one core of the machine that docs/results/speed.md is from, kernels compiled).

    Examples
    --------
    >>> import cardlab
    >>> cardlab.studies().filter(study="quickstart")["matches"].item()
    640000
    """
    import polars as pl

    return pl.DataFrame(library())


def library() -> list[dict[str, Any]]:
    """Return the rows of `studies`."""
    from studies.api.document import Study, checked
    from studies.design.cells import expand
    from studies.design.study import library_names

    rows = []
    for name in library_names():
        study = checked(Study.read(name))
        cells = expand(study)
        rows.append(
            {
                "study": name,
                "game": study.game,
                "asks": study.title,
                "cells": len(cells),
                "matches": sum(cell.rotations for cell in cells) * study.matches,
                "seconds": CORE_SECONDS.get(name),
            }
        )
    return rows


CORE_SECONDS: dict[str, float] = {
    "balance-dnup": 8,
    "balance-uno": 20,
    "balance-up": 13,
    "balance-updown": 1.4,
    "balance-upordown": 3.3,
    "dnup-dials": 17,
    "dnup-tournament": 2,
    "dnup-two-dials": 0.9,
    "dnup-two-variants": 1.6,
    "dnup-variants": 12,
    "quickstart": 4.1,
    "uno-house-rules": 40,
    "uno-stacking": 14,
    "uno-tournament": 5.4,
    "uno-variants": 230,
    "up-dials": 10,
    "up-tournament": 1.7,
    "up-variants": 260,
    "updown-dials": 2,
    "updown-players": 1,
    "updown-tournament": 0.5,
    "updown-variants": 0.6,
    "upordown-dials": 20,
    "upordown-tournament": 1.2,
    "upordown-variants": 9.5,
}
"""What `python -m studies.api.listing` measured, by study."""


def measured(name: str) -> float:
    """Return about how many seconds of one core a study of the library takes here, from trials."""
    from studies.api.document import Study, checked
    from studies.design.cells import expand
    from studies.run.estimate import estimate

    study = checked(Study.read(name))
    return estimate(study, expand(study), Path("results") / name, threads=1).seconds


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a study file, which editors check it by.

    Returns
    -------
    dict
        Draft 2020-12, with the options of every game.

    Examples
    --------
    >>> import cardlab
    >>> cardlab.schema()["required"]
    ['game', 'matches']
    """
    from studies.design.schema import study_schema

    return study_schema()


def main() -> None:
    """Print `CORE_SECONDS` as this machine has them."""
    from studies.design.study import library_names

    for name in library_names():
        measured(name)  # compiles
        sys.stdout.write(f'    "{name}": {measured(name):.2g},\n')


if __name__ == "__main__":
    main()
