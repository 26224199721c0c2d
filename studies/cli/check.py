"""`cardlab check`: replay random blocks and compare them bit for bit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcore.errors import InputError
from studies.api.watching import say
from studies.cli.common import UserPolicies, add_user_policies, say_unsealed

if TYPE_CHECKING:
    from studies.check.stored_blocks import Checked


def check(
    directory: Annotated[
        str | None,
        typer.Argument(metavar="[DIR]", help="Study directory, written by cardlab run."),
    ] = None,
    blocks: Annotated[int, typer.Option("--blocks", min=1, help="How many blocks.")] = 5,
    self_check: Annotated[
        bool, typer.Option("--self", help="Check cardlab itself on this machine, every game.")
    ] = False,
    user_policies: UserPolicies = None,
) -> None:
    """Play random blocks of a study directory again and compare every value with the disk's.

    One match after another, and where a table fits lanes also side by side in lanes.

    Without a directory: examine the policies of the files given with --strategies (legal moves,
    the same again, blind to hidden cards, speed), or with --self cardlab itself. Ends with exit
    status 1 when something fails, with 2 when a file is damaged.
    """
    if self_check:
        _check_self()
        return
    if directory is None:
        if not user_policies:
            raise InputError("check needs a study directory, --strategies FILE.py, or --self")
        _examine(user_policies)
        return
    from studies.check.stored_blocks import DifferenceError, check_blocks
    from studies.store.location import locate

    add_user_policies(user_policies)
    place = locate(directory)
    found = []
    try:
        for checked in check_blocks(place, blocks):
            found.append(checked)
            ways = "in lanes and one by one" if checked.in_lanes else "one by one"
            say(f"same: {checked.part.path} ({checked.cell.label}), {ways}")
    except DifferenceError as error:
        say(str(error))
        raise typer.Exit(1) from None
    say_unsealed(place)
    in_lanes = [one for one in found if one.in_lanes]
    print(f"{_blocks(found)} played again: every value is the same")
    print(f"One match after another: all of them; in lanes as well: {_blocks(in_lanes)}")


def _blocks(found: Sequence[Checked]) -> str:
    matches = sum(one.matches for one in found)
    return f"{len(found)} block{'' if len(found) == 1 else 's'} ({matches:,} matches)"


def _examine(files: list[Path]) -> None:
    """Examine the policies of users' files; exit with status 1 when one fails."""
    from strategies import load_strategies
    from studies.check.compliance import check_compiles, examine

    policies = [policy for file in files for policy in load_strategies(file)]
    for policy in policies:
        check_compiles(policy)
    failures = 0
    for policy in policies:
        print(f"{policy.name} ({policy.game})")
        for verdict in examine(policy):
            failures += not verdict.passed
            print(f"  {'passed' if verdict.passed else 'FAILED'}  {verdict.test}: {verdict.found}")
    count = f"{len(policies)} polic{'y' if len(policies) == 1 else 'ies'} examined"
    print(f"{count}: {f'{failures} failed' if failures else 'all passed'}")
    if failures:
        raise typer.Exit(1)


def _check_self() -> None:
    """Check every game on this machine; exit with status 1 when something differs."""
    from studies.check.selfcheck import check_self
    from studies.cli.tables import new_table, print_table

    table = new_table(
        "game", "matches compared", "in lanes", "differing", "decisions/s", numbers_from=1
    )
    failed = 0
    for found in check_self():
        failed += found.differing > 0
        table.add_row(
            found.game,
            f"{found.matches:,}",
            f"{found.in_lanes:,}",
            f"{found.differing:,}",
            f"{found.decisions_per_second:,.0f}",
        )
        say(f"{found.game}: {'all the same' if found.differing == 0 else 'NOT the same'}")
    print_table(table)
    print(
        "Compared: blocks with replays move by move, on 1 with 2 and 3 threads, and what is played "
        "in lanes with one match after another; the speed is that of uniform random play on one "
        "thread."
    )
    if failed:
        raise typer.Exit(1)
