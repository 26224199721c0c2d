"""`cardlab strategies`: the policies that a line-up can name."""

from __future__ import annotations

from typing import Annotated

import typer

from simcore.game import Game, game_names, get_game
from studies.cli.common import (
    AsCsv,
    AsJson,
    UserPolicies,
    add_user_policies,
    check_form,
    print_data,
)
from studies.cli.completing import offer_games


def strategies(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="One game; all without it.", autocompletion=offer_games
        ),
    ] = None,
    user_policies: UserPolicies = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List the policies with their parameters, bounds, defaults and ideas."""
    chosen = [get_game(name) for name in (game_names() if game is None else (game,))]
    data = check_form(as_json, as_csv)
    add_user_policies(user_policies)
    if data:
        rows = [row for one in chosen for row in _rows(one)]
        print_data(as_csv, rows, rows)
        return
    for one in chosen:
        _show_policies(one)
    print(
        "\nThese are heuristics, and a search that plays rounds out with one of them: partners for"
    )
    print("comparing rules and ideas, well short of best play.")
    print("\nIn a line-up: name, or name(param=value,…), as in --lineup 'random,NAME(PARAM=1)'.")


def _rows(game: Game) -> list[dict[str, object]]:
    from strategies import policies
    from strategies.params import in_words

    return [
        {
            "game": game.name,
            "policy": policy.name,
            "parameters": [f"{param.name}={param.default_in_words}" for param in policy.params],
            "under": [in_words(own) for own in policy.under],
            "idea": policy.idea,
            "source": policy.source,
        }
        for policy in policies(game)
    ]


def _show_policies(game: Game) -> None:
    from strategies import policies
    from strategies.params import in_words
    from studies.cli.tables import new_table, print_table

    table = new_table("policy", "parameters", "idea", title=f"Policies for {game.name}")
    for policy in policies(game):
        lines = [
            f"{param.name} = {param.default_in_words}  ({param.allowed}; {param.meaning})"
            for param in policy.params
        ]
        params = "\n".join([*lines, *(in_words(own) for own in policy.under)])
        idea = f"{policy.idea}\n[{policy.source}]" if policy.source else policy.idea
        table.add_row(policy.name, params or "–", idea)
    print_table(table)
