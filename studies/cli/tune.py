"""`cardlab tune`: search for good parameters of a policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from studies.api.asked import SEED_HIGH, thread_count, whole_number
from studies.api.tuning import BUDGET_HIGH
from studies.cli.common import (
    AsCsv,
    AsJson,
    GameName,
    Players,
    Rules,
    Seed,
    Threads,
    UserPolicies,
    add_user_policies,
    check_form,
    print_data,
    read_rules,
)
from studies.cli.completing import offer_lineups, offer_policies

if TYPE_CHECKING:
    from simcore.options import Options
    from studies.run.tuning import Tuning


def tune(
    game: GameName,
    policy: Annotated[
        str,
        typer.Argument(
            metavar="POLICY",
            help="name, or name(param=value,…): parameters given stay fixed.",
            autocompletion=offer_policies,
        ),
    ],
    players: Players = None,
    rule: Rules = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="A,B,…",
            autocompletion=offer_lineups,
            show_default="the policy as it is",
            help="Who holds the other seats; repeated round the table.",
        ),
    ] = None,
    budget: Annotated[
        str, typer.Option("--budget", metavar="N", help="Matches in all; 1e6 is understood.")
    ] = "400_000",
    seed: Seed = "1",
    threads: Threads = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    user_policies: UserPolicies = None,
) -> None:
    """Search for good parameters of a policy (CMA-ES), and check them on fresh deals.

    The last line on stdout is the tuned policy as a line-up takes it, if that is clearly better on
    fresh deals; else it says that nothing was found.
    """
    from simcore.game import get_game

    data = check_form(as_json, as_csv)
    known = get_game(game)
    rules = read_rules(known, players, rule)
    known.resolve(rules)
    matches = whole_number("--budget", budget, 1, BUDGET_HIGH)
    seed_number = whole_number("--seed", seed, 0, SEED_HIGH)
    worker_count = thread_count(threads, "--threads")

    from studies.api.tuning import Tuned, search
    from studies.run.progress import ProgressLine

    add_user_policies(user_policies)
    with ProgressLine() as line:
        found = search(known, rules, policy, against, matches, seed_number, worker_count, line)
    if data:
        document = Tuned(found).to_dict()
        print_data(as_csv, document, document["parameters"])
    else:
        print_tuning(found, known.title, known.resolve(rules))


def shown(value: float | str) -> str:
    """Return a parameter's value as text."""
    return value if isinstance(value, str) else f"{value:g}"


def print_tuning(found: Tuning, title: str, options: Options) -> None:
    """Print what was found under these rules, for people."""
    from studies.cli.tables import new_table, print_table
    from studies.show.wording import change, p_value, percent

    against = ", ".join(str(one) for one in found.against)
    print(
        f"{title}: {found.default} at one seat, in every seat in turn, against {against}; "
        f"{found.candidates:,} candidates in {found.generations} generations, "
        f"{found.matches:,} matches"
    )
    name = "tuned" if found.is_clear else "tried"
    table = new_table("parameter", "before", name, "allowed", "meaning")
    before, after = found.default.under(options).values, found.tuned.values
    for param, old, new in zip(found.default.policy.params, before, after, strict=True):
        table.add_row(param.name, shown(old), shown(new), param.allowed, param.meaning)
    print_table(table)
    print(
        f"On {found.deals:,} fresh deals, each in {found.rotations} rotations (95 % intervals, by "
        f"deal): before {percent(found.default_share)}, {name} {percent(found.tuned_share)} of the "
        f"matches won; gain {change(found.gain, 100)} points (p {p_value(found.p)})."
    )
    if found.is_clear:
        print(found.tuned)
    else:
        print(
            f"Nothing clearly better than {found.default} was found: the gain may be zero or a "
            "loss. A larger --budget tells smaller gains."
        )
