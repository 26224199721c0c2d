"""`cardlab warmup`: compile ahead what the studies of games need."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from simcore.game import game_names, get_game
from studies.cli.completing import offer_games


def warmup(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME…]",
            help="Names of games; all of them without any.",
            autocompletion=offer_games,
        ),
    ] = None,
) -> None:
    """Compile all that the studies of games need, so that nothing is compiled later.

    What is compiled stays in the cache folder, until cardlab's sources change. A second call finds
    it there. Policies of your own are compiled whenever they are used, in about a second.
    """
    from studies.run.warming import warm

    chosen = [get_game(name) for name in dict.fromkeys(games or game_names())]
    for game in chosen:
        started = time.monotonic()
        count = warm(game)
        if count:
            kernels = f"{count} function{'' if count == 1 else 's'} compiled"
            print(f"{game.title}: {kernels} in {time.monotonic() - started:.0f} s", flush=True)
        else:
            print(f"{game.title}: nothing to compile, all is there", flush=True)
