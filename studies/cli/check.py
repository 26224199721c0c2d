"""`cardlab check`: replay random blocks and compare them bit for bit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcore.errors import InputError
from studies.api.asked import refuse_idle
from studies.api.watching import say
from studies.cli.common import (
    AsCsv,
    AsJson,
    UserPolicies,
    add_user_policies,
    check_form,
    print_data,
    say_unsealed,
)

if TYPE_CHECKING:
    from studies.check.stored_blocks import Checked


BLOCKS = 5


def check(
    directory: Annotated[
        str | None,
        typer.Argument(metavar="[DIR]", help="Study directory, written by cardlab run."),
    ] = None,
    blocks: Annotated[
        int | None,
        typer.Option("--blocks", min=1, show_default=str(BLOCKS), help="How many blocks of DIR."),
    ] = None,
    self_check: Annotated[
        bool, typer.Option("--self", help="Check cardlab itself on this machine, every game.")
    ] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    user_policies: UserPolicies = None,
) -> None:
    """Play random blocks of a study directory again and compare every value with the disk's.

    One match after another, and where a table fits lanes also side by side in lanes.

    Without a directory: examine the policies of the files given with --strategies (legal moves,
    the same again, blind to hidden cards, speed), or with --self cardlab itself. Ends with exit
    status 1 when something fails, with 2 when a file is damaged.
    """
    data = check_form(as_json, as_csv)
    if self_check:
        why = "with --self, which checks cardlab itself"
        refuse_idle("DIR", directory, why, "without --self")
        refuse_idle("--strategies", bool(user_policies), why, "without --self")
    if directory is None:
        refuse_idle("--blocks", blocks, "without a study directory", "with DIR")
    if self_check:
        _check_self(data=data, as_csv=as_csv)
        return
    if directory is None:
        if not user_policies:
            raise InputError("check needs a study directory, --strategies FILE.py, or --self")
        _examine(user_policies, data=data, as_csv=as_csv)
        return
    from studies.check.stored_blocks import DifferenceError, check_blocks
    from studies.store.location import locate

    add_user_policies(user_policies)
    place = locate(directory)
    found = []
    try:
        for checked in check_blocks(place, BLOCKS if blocks is None else blocks):
            found.append(checked)
            ways = "in lanes and one by one" if checked.in_lanes else "one by one"
            say(f"same: {checked.part.path} ({checked.cell.label}), {ways}")
    except DifferenceError as error:
        say(str(error))
        if data:
            _print_blocks(found, str(error), as_csv=as_csv)
        raise typer.Exit(1) from None
    say_unsealed(place)
    if data:
        _print_blocks(found, None, as_csv=as_csv)
        return
    in_lanes = [one for one in found if one.in_lanes]
    print(f"{_blocks(found)} played again: every value is the same")
    print(f"One match after another: all of them; in lanes as well: {_blocks(in_lanes)}")


def _blocks(found: Sequence[Checked]) -> str:
    matches = sum(one.matches for one in found)
    return f"{len(found)} block{'' if len(found) == 1 else 's'} ({matches:,} matches)"


def _print_blocks(found: Sequence[Checked], difference: str | None, *, as_csv: bool) -> None:
    """Print the blocks that came out again as data; JSON says what did not, too."""
    rows = [
        {
            "part": str(one.part.path),
            "cell": one.cell.id,
            "matches": one.matches,
            "in_lanes": one.in_lanes,
        }
        for one in found
    ]
    same = difference is None
    print_data(as_csv, {"same": same, "difference": difference, "blocks": rows}, rows)


def _examine(files: list[Path], *, data: bool, as_csv: bool) -> None:
    """Examine the policies of users' files; exit with status 1 when one fails."""
    from strategies import load_strategies
    from studies.check.compliance import check_compiles, examine

    policies = [policy for file in files for policy in load_strategies(file)]
    for policy in policies:
        check_compiles(policy)
    rows: list[Mapping[str, Any]] = []
    for policy in policies:
        if not data:
            print(f"{policy.name} ({policy.game})")
        for verdict in examine(policy):
            rows.append(asdict(verdict))
            if not data:
                word = "passed" if verdict.passed else "FAILED"
                print(f"  {word}  {verdict.test}: {verdict.found}")
    failures = sum(not row["passed"] for row in rows)
    if data:
        print_data(as_csv, {"failed": failures, "tests": rows}, rows)
    else:
        count = f"{len(policies)} polic{'y' if len(policies) == 1 else 'ies'} examined"
        print(f"{count}: {f'{failures} failed' if failures else 'all passed'}")
    if failures:
        raise typer.Exit(1)


def _check_self(*, data: bool, as_csv: bool) -> None:
    """Check every game on this machine; exit with status 1 when something differs."""
    from studies.check.selfcheck import check_self
    from studies.cli.tables import new_table, print_table

    table = new_table(
        "game", "matches compared", "in lanes", "differing", "decisions/s", numbers_from=1
    )
    rows = []
    for found in check_self():
        rows.append(asdict(found))
        table.add_row(
            found.game,
            f"{found.matches:,}",
            f"{found.in_lanes:,}",
            f"{found.differing:,}",
            f"{found.decisions_per_second:,.0f}",
        )
        say(f"{found.game}: {'all the same' if found.differing == 0 else 'NOT the same'}")
    failed = sum(row["differing"] > 0 for row in rows)
    if data:
        print_data(as_csv, {"failed": failed, "games": rows}, rows)
    else:
        print_table(table)
        print(
            "Compared: blocks with replays move by move, on 1 with 2 and 3 threads, and what is "
            "played in lanes with one match after another; the speed is that of uniform random "
            "play on one thread."
        )
    if failed:
        raise typer.Exit(1)
