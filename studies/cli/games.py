"""`cardlab games`: what can be played, under which options, and what a match yields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from simcore.game import Game, game_names, get_game
from simcore.options import Option, show
from studies.cli.common import AsCsv, AsJson, check_form, print_data
from studies.cli.completing import offer_games


def games(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="One game in full.", autocompletion=offer_games),
    ] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List the games, or one with its options, metrics and assumptions; as CSV its options."""
    if check_form(as_json, as_csv):
        rows = _game_rows() if game is None else _option_rows(get_game(game).options)
        print_data(as_csv, rows if game is None else _document(get_game(game)), rows)
    elif game is None:
        _list_games()
    else:
        _show_game(get_game(game))


def _game_rows() -> list[dict[str, object]]:
    games = [get_game(name) for name in game_names()]
    return [
        {"game": game.name, "title": game.title, "players": _player_range(game), "kind": game.kind}
        for game in games
    ]


def _option_rows(options: Sequence[Option]) -> list[dict[str, object]]:
    return [
        {
            "option": option.name,
            "default": show(option.default),
            "values": option.allowed,
            "meaning": option.meaning,
            "rule": option.rule,
            "house": option.house,
        }
        for option in options
    ]


def _document(game: Game) -> dict[str, object]:
    """Return all that is told of a game."""
    return {
        "game": game.name,
        "title": game.title,
        "players": _player_range(game),
        "kind": game.kind,
        "options": _option_rows(game.options),
        "metrics": [{"metric": own.name, "meaning": own.meaning} for own in game.metrics],
        "clauses": [
            {"bit": bit, "clause": own.name, "meaning": own.meaning, "options": [*own.options]}
            for bit, own in enumerate(game.clauses)
        ],
        "assumptions": [*game.assumed(range(game.players.low, game.players.high + 1))],
    }


def _list_games() -> None:
    from studies.cli.tables import new_table, print_table

    table = new_table("game", "title", "players", "kind")
    for row in _game_rows():
        table.add_row(*map(str, row.values()))
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
    for row in _option_rows(options):
        table.add_row(*[str(value) for name, value in row.items() if name != "house"])
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
