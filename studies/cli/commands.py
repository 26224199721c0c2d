"""The commands: each reads its arguments, calls an operation and prints what it returns."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcore.errors import InputError
from studies.cli.completing import (
    offer_games,
    offer_lineups,
    offer_policies,
    offer_rules,
    offer_studies,
)
from studies.cli.printing import check_form, emit, print_page, waiting
from studies.operations.asked import MATCHES_HIGH, SEED_HIGH, core_count, refuse_idle
from studies.operations.watching import say

if TYPE_CHECKING:
    from studies.operations.results import Results

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="Name of a game: cardlab games.", autocompletion=offer_games
    ),
]
Players = Annotated[
    str | None, typer.Option("--players", metavar="N", help="Short for --rule players=N.")
]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="NAME=VALUE",
        help="An option of the game; may be repeated: cardlab games GAME.",
        autocompletion=offer_rules,
    ),
]
RuleFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--rules",
        metavar="FILE.py",
        help="A file that changes the game or counts something in it; may be repeated.",
    ),
]
Lineup = Annotated[
    str,
    typer.Option(
        "--lineup",
        metavar="A,B,…",
        help="Strategies by seat, name or name(param=value,…); repeated round the table.",
        autocompletion=offer_lineups,
    ),
]
Seed = Annotated[
    str, typer.Option("--seed", metavar="S", help=f"Key of all randomness, 0…2^63-1 ({SEED_HIGH}).")
]
Threads = Annotated[
    str | None,
    typer.Option(
        "--threads",
        metavar="T",
        show_default="all cores",
        help="Threads that play; the results do not depend on it.",
    ),
]
UserPolicies = Annotated[
    list[Path] | None,
    typer.Option(
        "--strategies",
        metavar="FILE.py",
        help="A file with policies of your own, a program that is run; may be repeated.",
    ),
]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Set a key of the study: options.players=3."),
]
Level = Annotated[
    str, typer.Option("--level", metavar="L", help="Of every interval, from 0.5 to below 1.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print the rows as CSV on stdout.")]
StudyName = Annotated[
    str,
    typer.Argument(
        metavar="STUDY",
        help="A study file (TOML), or the name of one in the library: cardlab studies.",
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
        typer.Argument(metavar="[GAME]", help="One game in full.", autocompletion=offer_games),
    ] = None,
    rules: RuleFiles = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List the games, or one in full.

    With its options, metrics, clauses and assumptions; as CSV its options.
    """
    from studies.operations import listing
    from studies.render import Column, Table

    form = check_form(as_json, as_csv)
    if game is not None:
        document = listing.game_document(game, rules)
        shown = listing.options(game, rules=rules)
        emit(form, lambda: listing.game_page(game, rules), shown, document)
        return
    refuse_idle("--rules", rules or None, "without a game", "cardlab games GAME --rules FILE.py")
    found = listing.games()
    columns = tuple(Column(name) for name in ("game", "title", "players", "kind"))
    note = "One game in full: cardlab games GAME; its policies: cardlab strategies GAME."
    emit(form, lambda: [Table(found, columns), note], found)


def strategies(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="One game; all without it.", autocompletion=offer_games
        ),
    ] = None,
    user_policies: UserPolicies = None,
    rules: RuleFiles = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List the policies, with their parameters and ideas."""
    from studies.operations import listing

    form = check_form(as_json, as_csv)
    found = listing.strategies(game, strategies=user_policies, rules=rules)
    notes = [
        (
            "These are heuristics, and a search that plays rounds out with one of them: partners "
            "for comparing rules and ideas, well short of best play."
        ),
        "In a line-up: name, or name(param=value,…), as in --lineup 'random,NAME(PARAM=1)'.",
    ]
    emit(form, lambda: [*listing.strategy_tables(found), *notes], found.drop("details"))


def studies(as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """List the studies of the library, and how long each takes."""
    from studies.operations import listing
    from studies.render import Column, Table
    from studies.run.progress import duration

    form = check_form(as_json, as_csv)
    found = listing.studies()
    cores = core_count()

    def time(row: Mapping[str, Any]) -> str:
        seconds = row["seconds"]
        return "–" if seconds is None else f"some {duration(max(1.0, seconds / cores))}"

    columns = (
        Column("study"),
        Column("asks", "what it asks"),
        Column("cells", form="count"),
        Column("matches", form="count"),
        Column("seconds", "time", time),
    )
    note = (
        f"Times: on {cores} core{'' if cores == 1 else 's'} like those of docs/results/speed.md, "
        "all compiled; cardlab run STUDY --dry-run tries it on this machine. cardlab run STUDY "
        "plays it."
    )
    emit(form, lambda: [Table(found, columns), note], found)


def schema() -> None:
    """Print the JSON Schema of a study file.

    It has the options of every game. With it an editor checks and completes a study:
    cardlab schema > study.schema.json, and '#:schema study.schema.json' in the first line of the
    study beside it.
    """
    from studies.operations import listing

    print(json.dumps(listing.schema(), indent=2, ensure_ascii=False))


def new(
    file: Annotated[str, typer.Argument(metavar="GAME.py", help="The file; there is none yet.")],
) -> None:
    """Write the beginning of a game of your own: a small game that runs, with comments.

    Change it as you like; 'cardlab check GAME.py' examines it.
    """
    import shlex

    from studies.operations.new import new as operation

    name = shlex.quote(str(operation(file)))
    print(f"{name} is a small game that runs. To play it, and to examine what you make of it:")
    print(f"  cardlab play {name}")
    print(f"  cardlab check {name}")


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
    """Compile ahead all that the studies of games need.

    What is compiled stays in the cache folder, until cardlab's sources change. A second call finds
    it there. Policies of your own are compiled whenever they are used, in about a second.
    """
    from studies.operations import listing
    from studies.render import counted

    for title, count, seconds in listing.warmup(games or ()):
        if count:
            print(f"{title}: {counted(count, 'function')} compiled in {seconds:.0f} s", flush=True)
        else:
            print(f"{title}: nothing to compile, all is there", flush=True)


# --- Matches ------------------------------------------------------------------------------------


def play(
    game: GameName,
    players: Players = None,
    rule: Rules = None,
    lineup: Lineup = "random",
    seed: Seed = "1",
    match: Annotated[
        str, typer.Option("--match", metavar="M", help="Number of the match, from 0.")
    ] = "0",
    show: Annotated[
        str,
        typer.Option(
            "--show", metavar="moves|table", help="table: also draw the table before each move."
        ),
    ] = "moves",
    why: Annotated[
        bool,
        typer.Option(
            "--why",
            help="Also tell why the policies move as they do: the legal moves, the one chosen with "
            "its mark in RULES.md, what the policy weighed, and the rule that decided. Each rule "
            "of a policy is told when it decides for the first time.",
        ),
    ] = False,
    user_policies: UserPolicies = None,
    rules: RuleFiles = None,
) -> None:
    """Play one match in words.

    It is the match that simulate, with the same seed and options, has in the row of this number.
    In a terminal cards are coloured, unless NO_COLOR is set.
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
        why=why,
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
        str, typer.Option("--matches", metavar="N", help=f"1…{MATCHES_HIGH}; 1e6 is understood.")
    ] = "10000",
    seed: Seed = "1",
    threads: Threads = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write a row for each match into a new file: .parquet, .csv, or .arrow.",
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
    """Simulate matches of one cell and print a summary.

    As CSV its metrics, one a row.
    """
    from studies.operations.simulate import simulate as operation

    form = check_form(as_json, as_csv)
    found = operation(
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
        out=out,
        keep_rows=False,
        progress=True,
    )
    if form == "json":  # on one line, as other programs know it
        print(json.dumps(found.summary, ensure_ascii=False, allow_nan=False))
        return
    emit(form, found.page, found.metrics())


# --- Studies ------------------------------------------------------------------------------------


def plan(
    study: Annotated[
        str,
        typer.Argument(
            metavar="STUDY",
            help="A study file (TOML), a name of the library, or a study directory, whose matches "
            "are then the pilot.",
            autocompletion=offer_studies,
        ),
    ],
    detect: Annotated[
        str | None,
        typer.Option(
            "--detect",
            metavar="[NAME=]D",
            help="The least change to find: points of win rate (0.5 is half a point), or of NAME: "
            "score=5, or a metric.",
        ),
    ] = None,
    half_width: Annotated[
        str | None,
        typer.Option(
            "--half-width",
            metavar="[NAME=]W",
            help="Or how far each interval may reach to both sides; also another_winner=0.5.",
        ),
    ] = None,
    power: Annotated[
        str | None,
        typer.Option(
            "--power",
            metavar="P",
            show_default="0.8",
            help="How often to find what --detect names, 0.5 to below 1.",
        ),
    ] = None,
    pilot: Annotated[
        str | None,
        typer.Option(
            "--pilot",
            metavar="N",
            show_default="400",
            help="Deals of each cell that are tried; not of a study directory.",
        ),
    ] = None,
    changes: Changes = None,
    threads: Threads = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    user_policies: UserPolicies = None,
) -> None:
    """Tell how many matches a study needs.

    From a pilot that is played in memory; nothing is written. A change is found at level 0.05,
    corrected over as many tests as cardlab compare has; without variants, a difference of policies.
    """
    from studies.operations.plan import plan as operation

    form = check_form(as_json, as_csv)
    found = operation(
        study,
        detect=detect,
        half_width=half_width,
        power=power,
        pilot=pilot,
        set=read_changes(changes),
        strategies=user_policies,
        threads=threads,
        progress=True,
    )
    emit(form, found.page, found.cells, found.to_dict())


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
        typer.Option(
            "--matches", metavar="N", help="Match numbers a cell, in place of the study's."
        ),
    ] = None,
    changes: Changes = None,
    threads: Threads = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler",
            metavar="ADDRESS",
            help='Play on a Dask cluster: tcp://HOST:PORT of its scheduler, or "local" for one '
            "with a worker process for each thread.",
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Print cells, matches, time, disk and precision; stop."),
    ] = False,
    user_policies: UserPolicies = None,
    rules: RuleFiles = None,
) -> None:
    """Play a study into a directory, and print its answer.

    Running again continues: a run that was killed loses at most the blocks under way, one that is
    complete does nothing, and a larger --matches extends it. The files depend neither on threads
    and machines nor on interruptions.
    """
    from studies.operations.results import InterruptedRun, with_variants
    from studies.operations.results import run as operation

    given = with_variants(read_changes(changes), rules)
    if dry_run:
        from studies.operations.dry_run import dry_run as operation_dry

        why = "with --dry-run, whose time is that of this machine"
        refuse_idle("--scheduler", scheduler, why, "without --dry-run")
        page = operation_dry(
            study, out, matches=matches, set=given, strategies=user_policies, threads=threads
        )
        print_page(page)
        return
    try:
        results = operation(
            study,
            out,
            matches=matches,
            set=given,
            strategies=user_policies,
            threads=threads,
            scheduler=scheduler,
            progress=True,
        )
    except InterruptedRun:
        again = _command(study, out, matches, changes, scheduler, user_policies, rules)
        say(f"stopped; every block that was finished is kept. To continue: {again}")
        raise typer.Exit(130) from None
    except KeyboardInterrupt:
        say("stopped at once; the blocks under way are lost, run again to continue")
        os._exit(130)  # threads in a kernel cannot be asked to stop
    _print_end(results)


def _command(
    study: str,
    out: str | None,
    matches: str | None,
    changes: Sequence[str] | None,
    scheduler: str | None,
    user_policies: Sequence[Path] | None,
    rules: Sequence[str] | None,
) -> str:
    import shlex

    words = ["cardlab", "run", study]
    named = (("--out", out), ("--matches", matches), ("--scheduler", scheduler))
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
    for line in results.end():
        say(line)
    if results.outcome is None or results.outcome.present + results.outcome.played > SHOWN_AT_ONCE:
        say(f"next: cardlab compare {results.directory}")
        return
    with waiting("compares"):
        answer = results.compare()
    print_page(answer.page())


SHOWN_AT_ONCE = 20_000_000
"""Of a study with more matches the answer is told by `compare`, which takes its time."""


def compare(
    where: Annotated[
        str,
        typer.Argument(
            metavar="DIR",
            help="Study directory, written by cardlab run; or a file of rows that were played "
            "elsewhere: .csv, .parquet, .arrow.",
        ),
    ],
    as_json: AsJson = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print the whole frame as CSV, a row a number.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Print every number, not one screen.")
    ] = False,
    level: Level = "0.95",
    margins: Annotated[
        list[str] | None,
        typer.Option(
            "--margin",
            metavar="[NAME=]M",
            help="Test whether changes lie within ± M: of win rate per seat (0.01 is a point), or "
            "of NAME, score or a metric: score=5. May be repeated. Default: the study's "
            "[compare] margin.",
        ),
    ] = None,
    deal: Annotated[
        str | None,
        typer.Option("--deal", metavar="COLUMN", help="Of rows: which deal; shared ones pair."),
    ] = None,
    match: Annotated[
        str | None,
        typer.Option("--match", metavar="COLUMN", help="Which match of a deal, if there are more."),
    ] = None,
    variant: Annotated[
        str | None, typer.Option("--variant", metavar="COLUMN", help="Which rules were played.")
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy",
            metavar="COLUMN",
            help="Who played; of rows a match a column a seat: 'policy_{seat}', or A,B,…",
        ),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option("--seat", metavar="COLUMN", help="Of a row a match and seat: which seat."),
    ] = None,
    winner: Annotated[
        str | None,
        typer.Option(
            "--winner",
            metavar="COLUMN",
            help="Who won: yes or no (or the share of the win) a seat; of rows a match the seat "
            "or the policy, several with ; between, empty if nobody.",
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            metavar="COLUMN",
            help="A number to compare; 'score_{seat}' for one a seat. May be repeated.",
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", metavar="NAME", help="The variant of unchanged rules."),
    ] = None,
) -> None:
    """Tell what each variant changes, and how policies differ.

    Each variant is compared with the unchanged rules at the same line-up and sweep point. A deal
    with all its rotations is one observation. By default the answer is one screen.
    """
    from studies.operations.compare import compare as operation
    from studies.operations.compare import read_margins

    form = check_form(as_json, as_csv)
    with waiting("compares"):
        answer = operation(
            where,
            level=level,
            margin=read_margins(margins or ()),
            deal=deal,
            match=match,
            variant=variant,
            policy=policy,
            seat=seat,
            winner=winner,
            measure=measure or (),
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
            metavar="DIR", help="Study directory, written by cardlab run, or any fsspec address."
        ),
    ],
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="One page (.html), or Markdown with PNGs (.md). Default: DIR/report.html.",
        ),
    ] = None,
) -> None:
    """Write the balance report of a study.

    What the variants change, seats, length, drama, luck, policies.

    The page needs no network. Every sentence and figure comes from the study's matches.
    """
    from studies.operations.report import report as operation

    with waiting("reads the study") as step:
        path = operation(directory, out, step=step, progress=True)
    say(f"report: {path}")


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
    """Search for good parameters of a policy.

    By CMA-ES; what was found is checked on fresh deals.

    The last line on stdout is the tuned policy as a line-up takes it, if that is clearly better on
    fresh deals; else it says that nothing was found.
    """
    from studies.operations.tune import tune as operation

    form = check_form(as_json, as_csv)
    found = operation(
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
    emit(form, found.page, found.parameters, found.to_dict())


# --- Trust and speed ------------------------------------------------------------------------------


def check(
    directory: Annotated[
        str | None,
        typer.Argument(metavar="[DIR|GAME.py]", help="Study directory, or a game in a file."),
    ] = None,
    blocks: Annotated[
        str | None,
        typer.Option("--blocks", metavar="K", show_default="5", help="How many blocks of DIR."),
    ] = None,
    self_check: Annotated[
        bool, typer.Option("--self", help="Check cardlab itself on this machine, every game.")
    ] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    user_policies: UserPolicies = None,
) -> None:
    """Play stored blocks again and compare every value.

    Random blocks of a study directory.

    Of a game in a file: whether cards are lost, matches end, the best total wins, hidden cards
    stay hidden, and compiled rows are those of plain Python; each failure with a match.

    Without either: examine the policies of the files given with --strategies (legal moves,
    the same again, blind to hidden cards, speed), or with --self cardlab itself. Ends with exit
    status 1 when something fails, with 2 when a file is damaged.
    """
    from studies.operations.check import check as operation

    form = check_form(as_json, as_csv)
    found = operation(
        directory,
        blocks=blocks,
        strategies=user_policies,
        itself=self_check,
        progress=True,
    )
    emit(form, found.page, found.frame, found.to_dict())
    if not found.passed:
        raise typer.Exit(1)


def bench(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME…]", help="Which games; all without.")
    ] = None,
    runs: Annotated[
        str, typer.Option("--runs", metavar="N", help="Runs of which the median is taken.")
    ] = "5",
    players: Players = None,
    rule: Rules = None,
    against: Annotated[
        Path | None,
        typer.Option(
            "--against",
            metavar="PROGRAM",
            help="Compare the kernel of one game with a program that plays the same.",
        ),
    ] = None,
    policies: Annotated[
        bool,
        typer.Option("--policies", help="Compare each policy of one game with random play."),
    ] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Measure kernels, the path to Parquet, and the start.

    Uniform random play, with the default options unless --players or --rule say otherwise.

    With --against the kernel of one game alone, in turn with PROGRAM, by
    processor time; PROGRAM is given --matches N --seed S and every option
    that was named, as --NAME VALUE.

    With --policies the policies of one game, each on every seat, in turn
    with random play.
    """
    from studies.operations.bench import bench as operation

    form = check_form(as_json, as_csv)
    found = operation(
        games,
        runs=runs,
        players=players,
        options=read_rules(rule),
        against=against,
        policies=policies,
        progress=True,
    )
    emit(form, found.page, found.frame, found.to_dict())
