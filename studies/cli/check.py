"""`cardlab check`: replay random blocks and compare them bit for bit."""

from __future__ import annotations

from typing import Annotated

import typer

from simcore.errors import DataError
from studies.cli.common import UserPolicies, add_user_policies, announce_first_use, say


def check(
    directory: Annotated[
        str, typer.Argument(metavar="DIR", help="Study directory, written by cardlab run.")
    ],
    blocks: Annotated[int, typer.Option("--blocks", min=1, help="How many blocks.")] = 5,
    user_policies: UserPolicies = None,
) -> None:
    """Play random blocks of a study directory again and compare every value with the disk's.

    Ends with exit status 1 when a block is damaged or does not come out again.
    """
    from studies.checking import check_blocks
    from studies.location import locate

    announce_first_use()
    add_user_policies(user_policies)
    count = matches = 0
    try:
        for checked in check_blocks(locate(directory), blocks):
            count += 1
            matches += checked.part.count * checked.cell.rotations
            say(f"same: {checked.part.path} ({checked.cell.label})")
    except DataError as error:
        say(str(error))
        raise typer.Exit(1) from None
    typer.echo(
        f"{count} block{'' if count == 1 else 's'} ({matches:,} matches) played again: every value "
        "is the same"
    )
