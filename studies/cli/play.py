"""`cardlab play`: one match in words, decision by decision."""

from __future__ import annotations

from typing import Annotated

import typer

from studies.cli.common import (
    MATCHES_HIGH,
    GameName,
    Lineup,
    Players,
    Rules,
    Seed,
    UserPolicies,
    announce_first_use,
    make_cell,
    whole_number,
)


def play(
    game: GameName,
    players: Players = None,
    rule: Rules = None,
    lineup: Lineup = "random",
    seed: Seed = "1",
    match: Annotated[
        str, typer.Option("--match", metavar="M", help="Number of the match, from 0.")
    ] = "0",
    user_policies: UserPolicies = None,
) -> None:
    """Play one match in words.

    It is the match that simulate, with the same seed and options, has in the row of this number.
    """
    number = whole_number("--match", match, 0, MATCHES_HIGH - 1)
    cell = make_cell(
        game, players=players, rules=rule, lineup=lineup, seed=seed, user_policies=user_policies
    )
    announce_first_use()

    from simcore.replay import replay

    for assumption in cell.game.assumptions:
        print(f"Assumption: {assumption}")
    for line in replay(cell, number):
        print(line)
