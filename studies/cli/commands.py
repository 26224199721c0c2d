"""The commands: each reads its arguments, calls an operation and prints what it returns."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcore.device import CPU
from simcore.errors import InputError
from studies.cli.completing import offer_games, offer_studies
from studies.cli.printing import check_form, emit, print_json, print_page
from studies.operations.arguments import MATCHES_HIGH, SEED_HIGH, refuse_idle
from studies.operations.watching import say, waiting

if TYPE_CHECKING:
    from studies.operations.results import Results

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="Name of a game (cardlab games), or a file.",
        autocompletion=offer_games,
    ),
]
Players = Annotated[
    str | None, typer.Option("--players", metavar="N", help="Short for --rule players=N.")
]
StudyPlayers = Annotated[
    str | None,
    typer.Option(
        "--players",
        metavar="N,…",
        help="Numbers of players, in place of the study's: 5, or several as in 2,4.",
    ),
]
OnlyPlayers = Annotated[
    str | None,
    typer.Option("--players", metavar="N,…", help="Only these numbers of players."),
]
OnlyLineups = Annotated[
    list[str] | None,
    typer.Option("--lineup", metavar="NAME", help="Only this line-up; may be repeated."),
]
OnlyNumbers = Annotated[
    list[str] | None,
    typer.Option(
        "--number",
        metavar="NAME",
        help="Only this number, as score or a metric of the game; may be repeated.",
    ),
]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="NAME=VALUE",
        help="Set an option of the game (cardlab games GAME lists them); may be repeated.",
    ),
]
RuleFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--rules",
        metavar="FILE.py",
        help="A file that changes the rules or counts events; may be repeated.",
    ),
]
Lineup = Annotated[
    str,
    typer.Option(
        "--lineup",
        metavar="A,B,…",
        help="Strategies by seat: name or name(param=value,…). A short list is repeated.",
    ),
]
Seed = Annotated[
    str, typer.Option("--seed", metavar="S", help=f"Random seed, 0…2^63-1 ({SEED_HIGH}).")
]
Threads = Annotated[
    str | None,
    typer.Option(
        "--threads",
        metavar="T",
        show_default="all cores",
        help="Number of threads. Results do not depend on it.",
    ),
]
Device = Annotated[
    str,
    typer.Option(
        "--device",
        metavar="cpu|cuda",
        help="cuda: play on the GPUs of this machine. Results do not depend on it.",
    ),
]
UserPolicies = Annotated[
    list[Path] | None,
    typer.Option(
        "--strategies",
        metavar="FILE.py",
        help="A Python file with your own policies, which is executed; may be repeated.",
    ),
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Override a key of the study, such as options.players=3."
    ),
]
Level = Annotated[
    str, typer.Option("--level", metavar="L", help="Confidence level, from 0.5 to below 1.")
]
Trust = Annotated[
    bool,
    typer.Option(
        "--trust",
        help="Run Python files that the study directory carries. Without it they are only data.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object to stdout.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV to stdout.")]
StudyName = Annotated[
    str,
    typer.Argument(
        metavar="STUDY",
        help="A study file (TOML), or the name of a study in the library (cardlab studies).",
        autocompletion=offer_studies,
    ),
]


def read_rules(rules: Sequence[str] | None) -> dict[str, object]:
    """Return the options given as NAME=VALUE, by name; their values are checked by the game."""
    given: dict[str, object] = {}
    for rule in rules or ():
        name, equals, value = (part.strip() for part in rule.partition("="))
        if not equals or not name:
            raise InputError(
                f"--rule {rule[:60]!r} is refused; allowed: NAME=VALUE, names: cardlab games GAME"
            )
        if name in given:
            raise InputError(f"option {name} is given twice by --rule; allowed: once")
        given[name] = value
    return given


def read_changes(changes: Sequence[str] | None) -> dict[str, object]:
    """Return the keys given as KEY=VALUE, values in TOML syntax, bare words allowed."""
    from studies.design.overrides import parse_value, shorten

    given: dict[str, object] = {}
    for change in changes or ():
        key, equals, value = change.partition("=")
        if not equals or not key.strip():
            raise InputError(
                f"--set {shorten(change)!r} is refused; allowed: KEY=VALUE with a dotted key, as "
                "in matches=10_000, options.players=3, variants.dirty_one.dirty_one=forehand"
            )
        given[key.strip()] = parse_value(value)
    return given


# --- What there is ------------------------------------------------------------------------------


def games(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="Describe this game.", autocompletion=offer_games),
    ] = None,
    rules: RuleFiles = None,
    source: Annotated[
        bool,
        typer.Option("--source", help="Print the Python module that is compiled of its rules."),
    ] = False,
    reference: Annotated[
        bool,
        typer.Option(
            "--reference",
            help="What a rule, a measure or a policy can use: decisions, functions, state.",
        ),
    ] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List the games, or describe one.

    The description has the game's options, metrics, clauses and assumptions; --csv prints the
    options.
    """
    from studies.operations import listing
    from studies.render import Column, Table

    if source:
        if game is None:
            refuse_idle("--source", True, "without a game", "cardlab games GAME --source")
        else:
            typer.echo(listing.game_source(game, rules), nl=False)
        return
    if reference:
        print_reference(game, rules, as_json=as_json, as_csv=as_csv)
        return
    form = check_form(as_json, as_csv)
    if game is not None:
        document = listing.game_document(game, rules)
        shown = listing.options(game, rules=rules)
        emit(form, lambda: listing.game_page(game, rules), shown, document)
        return
    refuse_idle("--rules", rules or None, "without a game", "cardlab games GAME --rules FILE.py")
    rows = listing.games()
    columns = tuple(Column(name) for name in ("game", "title", "players", "kind"))
    note = "More about a game: cardlab games GAME; its policies: cardlab strategies GAME."
    emit(form, lambda: [Table(rows, columns), note], rows)


def print_reference(
    game: str | None, rules: list[str] | None, *, as_json: bool, as_csv: bool
) -> None:
    """Print what a game offers to a rule, a measure and a policy."""
    from studies.operations.game_reference import reference_document, reference_page

    refuse_idle("--csv", as_csv, "with --reference", "--json")
    if game is None:
        refuse_idle("--reference", True, "without a game", "cardlab games GAME --reference")
        return
    if as_json:
        print_json(reference_document(game, rules))
    else:
        print_page(reference_page(game, rules))


def strategies(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="Only this game. Default: all.", autocompletion=offer_games
        ),
    ] = None,
    user_policies: UserPolicies = None,
    rules: RuleFiles = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List the policies, with their parameters and what they do."""
    from studies.operations import listing

    form = check_form(as_json, as_csv)
    rows = listing.strategies(game, strategies=user_policies, rules=rules)
    notes = [
        (
            "These are heuristics, and a search that plays rounds out with one of them. They serve "
            "to compare rules and ideas; none of them plays perfectly."
        ),
        "In a line-up: name, or name(param=value,…), as in --lineup 'random,NAME(PARAM=1)'.",
    ]
    emit(form, lambda: [*listing.strategy_tables(rows), *notes], rows.drop("details"))


def studies(as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """List the studies in the library."""
    from studies.operations import listing
    from studies.render import Column, Table

    form = check_form(as_json, as_csv)
    rows = listing.studies()
    columns = (
        Column("study"),
        Column("asks", "what it asks"),
        Column("cells", form="count"),
        Column("matches", form="count"),
    )
    note = (
        "cardlab run STUDY --dry-run estimates the time on this machine, and cardlab run STUDY "
        "plays the study."
    )
    emit(form, lambda: [Table(rows, columns), note], rows)


def schema() -> None:
    """Print the JSON Schema of a study file.

    To let an editor check and complete a study, run cardlab schema > study.schema.json, and write
    '#:schema study.schema.json' in the first line of a study in the same folder.
    """
    from studies.operations import listing

    print_json(listing.schema(), indent=2)


def new(
    file: Annotated[
        str, typer.Argument(metavar="GAME.py", help="The file to write; it must not exist yet.")
    ],
) -> None:
    """Write a template for your own game: a small game that runs, with comments.

    Change it as you like; 'cardlab check GAME.py' tests it.
    """
    import shlex

    from studies.operations.new import new as operation

    name = shlex.quote(str(operation(file)))
    print(f"{name} is a small game that runs. To play it, and to test it after your changes:")
    print(f"  cardlab play {name}")
    print(f"  cardlab check {name}")


def warmup(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME…]",
            help="Names of games. Default: all.",
            autocompletion=offer_games,
        ),
    ] = None,
) -> None:
    """Compile in advance everything that the library's studies need.

    Compiled code stays in the cache folder until cardlab's sources change. Your own policies are
    compiled when they are used, in about a second.
    """
    from studies.operations import listing
    from studies.render import counted

    for title, count, seconds in listing.warmup(games or ()):
        if count:
            print(f"{title}: {counted(count, 'function')} compiled in {seconds:.0f} s", flush=True)
        else:
            print(f"{title}: already compiled", flush=True)


# --- Matches ------------------------------------------------------------------------------------

NEW_REASONS = "new"
"""What `--why` means without a word: reasons that were not given before."""


def play(
    game: GameName,
    players: Players = None,
    rule: Rules = None,
    lineup: Lineup = "random",
    seed: Seed = "1",
    match: Annotated[str, typer.Option("--match", metavar="M", help="Match number, from 0.")] = "0",
    show: Annotated[
        str,
        typer.Option(
            "--show",
            metavar="moves|table",
            help="table: also show the table before each move.",
        ),
    ] = "moves",
    why: Annotated[
        str | None,
        typer.Option(
            "--why",
            metavar="[all]",
            help="Also explain the moves: the legal moves, the chosen one with its mark in "
            "RULES.md, how the policy rated them, and the reason that decided. Each reason of a "
            "policy is given the first time it decides; with the word all, at every decision.",
        ),
    ] = None,
    user_policies: UserPolicies = None,
    rules: RuleFiles = None,
) -> None:
    """Play one match and describe it in words.

    With the same options, line-up and seed, it is the match in the row of this number that
    simulate writes. In a terminal cards are coloured, unless NO_COLOR is set.
    """
    from studies.cli.printing import line_writer
    from studies.operations.play import lines_of

    cell, lines = lines_of(
        game,
        players=players,
        options=read_rules(rule),
        lineup=lineup,
        seed=seed,
        match=match,
        show=show,
        why={None: False, NEW_REASONS: True}.get(why, why),
        strategies=user_policies,
        rules=rules,
    )
    write = line_writer(cell.game, cell.players)
    for line in lines:
        write(line)


def simulate(
    game: GameName,
    players: Players = None,
    rule: Rules = None,
    lineup: Lineup = "random",
    matches: Annotated[
        str,
        typer.Option(
            "--matches", metavar="N", help=f"Number of deals, 1…{MATCHES_HIGH}; 1e6 works."
        ),
    ] = "10000",
    seed: Seed = "1",
    threads: Threads = None,
    device: Device = CPU,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write one row per match to a new file: .parquet, .csv or .arrow.",
        ),
    ] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    rotate: Annotated[
        bool,
        typer.Option("--rotate", help="Play each deal in every rotation of the line-up."),
    ] = False,
    user_policies: UserPolicies = None,
    rules: RuleFiles = None,
) -> None:
    """Simulate matches with one line-up and print a summary.

    --csv prints the metrics, one per row.
    """
    from studies.operations.simulate import simulate as operation

    form = check_form(as_json, as_csv)
    simulation = operation(
        game,
        players=players,
        options=read_rules(rule),
        lineup=lineup,
        matches=matches,
        seed=seed,
        rotate=rotate,
        strategies=user_policies,
        rules=rules,
        threads=threads,
        device=device,
        out=out,
        keep_rows=False,
        progress=True,
    )
    if form == "json":  # on one line, as other programs know it
        print_json(simulation.summary)
        return
    emit(form, simulation.page, simulation.metrics())


# --- Studies ------------------------------------------------------------------------------------


def plan(
    study: Annotated[
        str,
        typer.Argument(
            metavar="STUDY",
            help="A study file (TOML), the name of a study in the library, or a study directory "
            "whose matches serve as the pilot.",
            autocompletion=offer_studies,
        ),
    ],
    detect: Annotated[
        str | None,
        typer.Option(
            "--detect",
            metavar="[NAME=]D",
            help="The smallest change to detect: in points of win rate (0.5 is half a point), or "
            "in the score (score=5) or a metric.",
        ),
    ] = None,
    half_width: Annotated[
        str | None,
        typer.Option(
            "--half-width",
            metavar="[NAME=]W",
            help="Instead, the largest half-width of each interval; another_winner=0.5 works, too.",
        ),
    ] = None,
    power: Annotated[
        str | None,
        typer.Option(
            "--power",
            metavar="P",
            show_default="0.8",
            help="The probability of detecting it, from 0.5 to below 1.",
        ),
    ] = None,
    pilot: Annotated[
        str | None,
        typer.Option(
            "--pilot",
            metavar="N",
            show_default="400",
            help="Deals per cell in the pilot; not with a study directory.",
        ),
    ] = None,
    players: StudyPlayers = None,
    changes: Changes = None,
    threads: Threads = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    user_policies: UserPolicies = None,
    trust: Trust = False,
) -> None:
    """Estimate how many matches a study needs.

    A pilot is played in memory; nothing is written. A change counts as detected at level 0.05,
    corrected for all tests that cardlab compare makes. Without variants, the plan is for
    differences between policies.
    """
    from studies.operations.plan import plan as operation

    form = check_form(as_json, as_csv)
    planned = operation(
        study,
        detect=detect,
        half_width=half_width,
        power=power,
        pilot=pilot,
        players=players,
        set=read_changes(changes),
        strategies=user_policies,
        threads=threads,
        trust=trust,
        progress=True,
    )
    emit(form, planned.page, planned.cells, planned.to_dict())


def run(
    study: StudyName,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            help="Study directory, or any fsspec address. Default: results/<name of the study>.",
        ),
    ] = None,
    matches: Annotated[
        str | None,
        typer.Option("--matches", metavar="N", help="Deals per cell, in place of the study's."),
    ] = None,
    players: StudyPlayers = None,
    changes: Changes = None,
    threads: Threads = None,
    device: Device = CPU,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler",
            metavar="ADDRESS",
            help='Play on a Dask cluster: tcp://HOST:PORT of its scheduler, or "local" for a '
            "cluster on this machine with one worker process per thread.",
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only print cells, matches, time, disk and precision."),
    ] = False,
    user_policies: UserPolicies = None,
    rules: RuleFiles = None,
    trust: Trust = False,
) -> None:
    """Play a study, store its matches in a directory, and print the answer.

    Running it again continues: a killed run loses at most its unfinished blocks, a complete run
    does nothing, and a larger --matches extends it. The results do not depend on threads, machines
    or interruptions.
    """
    from studies.operations.results import InterruptedRun, with_variants
    from studies.operations.results import run as operation

    given = with_variants(read_changes(changes), rules)
    if dry_run:
        from studies.operations.dry_run import dry_run as operation_dry

        why = "with --dry-run, whose time is that of this machine"
        refuse_idle("--scheduler", scheduler, why, "without --dry-run")
        refuse_idle("--device", None if device == CPU else device, why, "without --dry-run")
        page = operation_dry(
            study,
            out,
            matches=matches,
            players=players,
            set=given,
            strategies=user_policies,
            threads=threads,
            trust=trust,
        )
        print_page(page)
        return
    try:
        results = operation(
            study,
            out,
            matches=matches,
            players=players,
            set=given,
            strategies=user_policies,
            threads=threads,
            device=device,
            scheduler=scheduler,
            trust=trust,
            progress=True,
        )
    except InterruptedRun:
        again = _command(study, out, matches, players, changes, scheduler, user_policies, rules)
        again += " --trust" if trust else ""
        say(f"stopped; all finished blocks are kept. To continue: {again}")
        raise typer.Exit(130) from None
    except KeyboardInterrupt:
        say("stopped at once; unfinished blocks are lost, run again to continue")
        os._exit(130)  # threads in a kernel cannot be asked to stop
    _print_end(results)


def _command(
    study: str,
    out: str | None,
    matches: str | None,
    players: str | None,
    changes: Sequence[str] | None,
    scheduler: str | None,
    user_policies: Sequence[Path] | None,
    rules: Sequence[str] | None,
) -> str:
    import shlex

    words = ["cardlab", "run", study]
    named = (
        ("--out", out),
        ("--matches", matches),
        ("--players", players),
        ("--scheduler", scheduler),
    )
    for flag, value in named:
        words += [flag, value] if value else []
    for change in changes or ():
        words += ["--set", change]
    for path in user_policies or ():
        words += ["--strategies", str(path)]
    for file in rules or ():
        words += ["--rules", file]
    return shlex.join(words)


def _print_end(results: Results) -> None:
    import shlex

    for line in results.end():
        say(line)
    if results.outcome is None or results.outcome.present + results.outcome.played > SHOWN_AT_ONCE:
        say(f"next: cardlab compare {shlex.quote(str(results.directory))}")
        return
    with waiting("compares"):
        answer = results.compare()
    print_page(answer.page())


SHOWN_AT_ONCE = 20_000_000
"""Studies with more matches only name the `compare` command, which may take a while."""


def compare(
    where: Annotated[
        str,
        typer.Argument(
            metavar="DIR",
            help="A study directory written by cardlab run, or a file with rows from another "
            "program: .csv, .parquet, .arrow.",
        ),
    ],
    as_json: AsJson = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print the whole frame as CSV, one row per number.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Print every number instead of one screen.")
    ] = False,
    level: Level = "0.95",
    margins: Annotated[
        list[str] | None,
        typer.Option(
            "--margin",
            metavar="[NAME=]M",
            help="Test whether changes lie within ± M: in win rate per seat (0.01 is one point), "
            "or in the score (score=5) or a metric. May be repeated. Default: the study's "
            "[compare] margin.",
        ),
    ] = None,
    players: OnlyPlayers = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            "--variant",
            metavar="NAME",
            help="Only this variant, beside the unchanged rules; may be repeated. With rows from "
            "another program: the column of the rules that were played.",
        ),
    ] = None,
    lineup: OnlyLineups = None,
    number: OnlyNumbers = None,
    deal: Annotated[
        str | None,
        typer.Option("--deal", metavar="COLUMN", help="The deal; rows of one deal are paired."),
    ] = None,
    match: Annotated[
        str | None,
        typer.Option("--match", metavar="COLUMN", help="The match, where a deal has several."),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy",
            metavar="COLUMN",
            help="Who played. With one row per match: one per seat, 'policy_{seat}' or A,B,…",
        ),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option("--seat", metavar="COLUMN", help="The seat, with one row per match and seat."),
    ] = None,
    winner: Annotated[
        str | None,
        typer.Option(
            "--winner",
            metavar="COLUMN",
            help="Who won. With one row per match and seat: yes or no, or the share of the win. "
            "With one row per match: the seat or the policy, several separated by ;, empty if "
            "nobody won.",
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            metavar="COLUMN",
            help="A number to compare; 'score_{seat}' for one per seat. May be repeated.",
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", metavar="NAME", help="The variant with the unchanged rules."),
    ] = None,
    best: Annotated[
        str | None,
        typer.Option(
            "--best",
            metavar="highest|lowest",
            help="Which score wins, where no column tells who won.",
        ),
    ] = None,
    trust: Trust = False,
) -> None:
    """Show what each variant changes, and how policies differ.

    Each variant is compared with the unchanged rules at the same line-up and sweep point. A deal
    with all its rotations is one observation. By default the answer fits on one screen. The options
    that name a COLUMN are for rows from another program.
    """
    from studies.operations.compare import compare as operation
    from studies.operations.compare import read_margins

    form = check_form(as_json, as_csv)
    with waiting("compares"):
        answer = operation(
            where,
            level=level,
            margin=read_margins(margins or ()),
            players=players,
            variant=variant,
            lineup=lineup,
            number=number,
            trust=trust,
            deal=deal,
            match=match,
            policy=policy,
            seat=seat,
            winner=winner,
            measure=measure or (),
            best=best,
            baseline=baseline,
        )
    if form == "json":
        print(answer.to_json())
        return
    emit(form, lambda: answer.page(full=full), answer.frame)


def report(
    directory: Annotated[
        str,
        typer.Argument(
            metavar="DIR", help="A study directory written by cardlab run, or any fsspec address."
        ),
    ],
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="An HTML page (.html), or Markdown with PNGs (.md). Default: DIR/report.html.",
        ),
    ] = None,
    players: OnlyPlayers = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            "--variant",
            metavar="NAME",
            help="Only this variant, beside the unchanged rules; may be repeated.",
        ),
    ] = None,
    lineup: OnlyLineups = None,
    number: Annotated[
        list[str] | None,
        typer.Option(
            "--number",
            metavar="NAME",
            help="A number that the tables of variants have as well; may be repeated.",
        ),
    ] = None,
    trust: Trust = False,
) -> None:
    """Write the balance report of a study.

    It shows what the variants change, fairness of the seats, length, how matches are decided, luck
    and skill, and how the policies compare.

    The page needs no network.
    """
    from studies.operations.report import report as operation

    with waiting("reads the study") as step:
        path = operation(
            directory,
            out,
            players=players,
            variant=variant,
            lineup=lineup,
            number=number,
            trust=trust,
            step=step,
            progress=True,
        )
    say(f"report: {path}")


def tune(
    game: GameName,
    policy: Annotated[
        str,
        typer.Argument(
            metavar="POLICY",
            help="name or name(param=value,…); parameters given here stay fixed.",
        ),
    ],
    players: Players = None,
    rule: Rules = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="A,B,…",
            show_default="the untuned policy",
            help="Strategies in the other seats; a short list is repeated.",
        ),
    ] = None,
    budget: Annotated[
        str, typer.Option("--budget", metavar="N", help="Total number of matches; 1e6 works.")
    ] = "400_000",
    seed: Seed = "1",
    threads: Threads = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    user_policies: UserPolicies = None,
) -> None:
    """Search for good parameters of a policy.

    The search uses CMA-ES; its result is checked on fresh deals.

    If the tuned policy is clearly better on fresh deals, the last line on stdout is that policy, in
    the form that --lineup takes. Otherwise it says that nothing was found.
    """
    from studies.operations.tune import tune as operation

    form = check_form(as_json, as_csv)
    tuned = operation(
        game,
        policy,
        players=players,
        options=read_rules(rule),
        against=against,
        budget=budget,
        seed=seed,
        strategies=user_policies,
        threads=threads,
        progress=True,
    )
    emit(form, tuned.page, tuned.parameters, tuned.to_dict())


# --- Trust and speed ------------------------------------------------------------------------------


def check(
    directory: Annotated[
        str | None,
        typer.Argument(metavar="[DIR|GAME.py]", help="A study directory, or a game in a file."),
    ] = None,
    blocks: Annotated[
        str | None,
        typer.Option("--blocks", metavar="K", show_default="5", help="Blocks of DIR to replay."),
    ] = None,
    self_check: Annotated[
        bool, typer.Option("--self", help="Check cardlab itself on this machine, with every game.")
    ] = False,
    players: Players = None,
    rule: Rules = None,
    lineup: Annotated[
        str | None,
        typer.Option("--lineup", metavar="A,B,…", help="Strategies by seat, of GAME.py."),
    ] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    user_policies: UserPolicies = None,
    trust: Trust = False,
) -> None:
    """Check a study, a game, policies, or cardlab itself.

    A study directory: replay random blocks and compare every value.

    A game in a file: no card is lost, matches end, the best total wins, hidden cards stay hidden,
    all seats are alike, and compiled code plays as plain Python does; with the fewest and the most
    players, and every option at both of its ends. --players, --rule and --lineup keep what they
    name. Each failure comes with the command that tells the match.

    With --strategies alone, the policies in the files: their moves are legal and reproducible, and
    they do not depend on hidden cards, with the fewest and the most players and every option and
    parameter at both of its ends. With --self, cardlab itself. The exit status is 1 when a
    check fails, and 2 when a file is damaged.
    """
    from studies.operations.check import check as operation

    form = check_form(as_json, as_csv)
    checked = operation(
        directory,
        blocks=blocks,
        strategies=user_policies,
        itself=self_check,
        players=players,
        options=read_rules(rule) or None,
        lineup=lineup,
        trust=trust,
        progress=True,
    )
    emit(form, checked.page, checked.frame, checked.to_dict())
    if not checked.passed:
        raise typer.Exit(1)


def bench(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME…]", help="Names of games. Default: all.")
    ] = None,
    runs: Annotated[
        str, typer.Option("--runs", metavar="N", help="Number of runs; the median is reported.")
    ] = "5",
    players: Players = None,
    rule: Rules = None,
    policies: Annotated[
        bool,
        typer.Option("--policies", help="Time each policy of one game against random play."),
    ] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Measure the speed of playing, of writing Parquet, and of starting up.

    The matches are played at random, with the default options unless --players or --rule change
    them.

    With --policies, each policy of one game is measured in all seats, alternating with random play.
    """
    from studies.operations.bench import bench as operation

    form = check_form(as_json, as_csv)
    measured = operation(
        games,
        runs=runs,
        players=players,
        options=read_rules(rule),
        policies=policies,
        progress=True,
    )
    emit(form, measured.page, measured.frame, measured.to_dict())
