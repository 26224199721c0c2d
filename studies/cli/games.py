"""`cardlab games`: what can be played, under which options, and what a match yields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from simcore.game import Game, game_names, get_game
from simcore.options import Option, show
from studies.cli.completing import offer_games


def games(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="One game in full.", autocompletion=offer_games),
    ] = None,
) -> None:
    """List the games, or one with its options, metrics and assumptions."""
    if game is None:
        _list_games()
    else:
        _show_game(get_game(game))


def _list_games() -> None:
    from studies.cli.tables import new_table, print_table

    table = new_table("game", "title", "players", "kind")
    for name in game_names():
        game = get_game(name)
        table.add_row(name, game.title, _player_range(game), game.kind)
    print_table(table)
    print("\nOne game in full: cardlab games GAME; its policies: cardlab strategies GAME.")


def _player_range(game: Game) -> str:
    return f"{game.players.low}–{game.players.high}"


def _best_score(game: Game) -> str:
    usual = f"The {game.best_score} score wins"
    if game.best_score_turned is None:
        return usual
    name, value = game.best_score_turned
    return f"{usual}, with {name} = {value} the {game.best_score_under({name: value})} one"


def _list_options(title: str, options: Sequence[Option]) -> None:
    from studies.cli.tables import new_table, print_table

    if not options:
        return
    table = new_table("option", "default", "values", "meaning", "rule", title=title)
    for option in options:
        table.add_row(
            option.name, show(option.default), option.allowed, option.meaning, option.rule
        )
    print_table(table)


def _show_game(game: Game) -> None:
    from studies.cli.tables import new_table, print_table

    print(f"{game.title} ({game.name}): {game.kind}; {_player_range(game)} players.")
    print(f"{_best_score(game)}; ties are shared wins.")
    print(f"Position 0 of a result (first_seat) is {game.first_seat_meaning}.")
    if len(game.couplings) > 1:
        words = " or ".join(game.couplings)
        print(f"Cards drawn in play: coupling {words} (study file, --coupling).")

    _list_options("Options", [option for option in game.options if not option.house])
    _list_options(
        "House rules and dials: not in the rule text",
        [option for option in game.options if option.house],
    )

    table = new_table("metric", "meaning", title="Metrics of a match")
    for metric in game.metrics:
        table.add_row(metric.name, metric.meaning)
    print_table(table)

    table = new_table("bit", "clause", "noted when", "options", title="Clauses")
    for bit, clause in enumerate(game.clauses):
        table.add_row(str(bit), clause.name, clause.meaning, ", ".join(clause.options))
    print_table(table)

    if assumed := game.assumed(range(game.players.low, game.players.high + 1)):
        print("\nAssumptions")
        for assumption in assumed:
            print(f"  - {assumption}")
