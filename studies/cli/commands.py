"""The commands: each calls an operation and prints what it returns.

A page for people is as wide as the terminal, or as COLUMNS says, which counts in a pipe, too.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import shlex
import sys
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcore.errors import InputError
from studies.cli.command import COLUMN, NAMES, Call, Command, Form
from studies.run.progress import say, waiting

if TYPE_CHECKING:
    import polars as pl

    from simcore.batch import Cell
    from simcore.game import Game
    from studies.operations.results import Results
    from studies.render import Page

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object to stdout.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV to stdout.")]

COMMANDS: dict[str, Command] = {}
"""By name, in the order in which they are used."""


def command(operation: str, **forms: Form) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command of an operation; the decorated function prints its result."""

    def decorate(adapter: Callable[..., None]) -> Callable[..., None]:
        COMMANDS[adapter.__name__] = Command(operation, adapter, forms)
        return adapter

    return decorate


# --- Printing -------------------------------------------------------------------------------------


def check_form(as_json: bool, as_csv: bool) -> str:
    """Return in which form data are printed: "json", "csv" or "", a page for people."""
    if as_json and as_csv:
        raise InputError("--json and --csv are both given; allowed: one of them")
    return "json" if as_json else "csv" if as_csv else ""


def emit(form: str, page: Callable[[], Page], frame: pl.DataFrame, document: object = None) -> None:
    """Print the result of an operation."""
    from studies.render import to_csv, to_json

    if form == "csv":
        sys.stdout.write(to_csv(frame))
    elif form == "json":
        print_json(to_json(frame) if document is None else document, indent=1)
    else:
        print_page(page())


def print_json(document: object, indent: int | None = None) -> None:
    """Print JSON, with letters escaped where the encoding of stdout may lack them."""
    escaped = sys.stdout.encoding.lower() != "utf-8"
    print(json.dumps(document, ensure_ascii=escaped, indent=indent, allow_nan=False))


def print_page(page: Page) -> None:
    """Print tables and paragraphs."""
    from studies.render import shown_text

    print(shown_text(page, colour=is_coloured()))


def is_coloured() -> bool:
    """Return whether stdout takes colours.

    NO_COLOR (https://no-color.org): when it is there and not empty, it does not.
    """
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


@cache
def line_writer(game: Game, players: int) -> Callable[[str], None]:
    """Return what writes a line of a transcript: in colour on a terminal, else as it is."""
    from rich.console import Console
    from rich.text import Text

    from simcore.narration.teller import Teller

    console = Console(highlight=False, markup=False, soft_wrap=True)
    colours = Teller(game).card_colours
    names = rf"seat (?:{'|'.join(map(str, range(players)))})(?: \([^()]*(?:\([^()]*\))?\))?"

    def write(line: str) -> None:
        text = Text(line)
        text.highlight_regex(names, "bold")
        # Cards are looked for outside of the players' names alone.
        bare = re.sub(names, lambda match: "\0" * len(match[0]), line)
        for pattern, style in colours:
            for match in re.finditer(pattern, bare):
                text.stylize(style, *match.span())
        if line.startswith("    "):
            text.stylize("dim")
        console.print(text)

    return write


# --- Games, policies, studies ---------------------------------------------------------------------


@command("listing.describe")
def games(
    call: Call,
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
    """--csv prints the options of a game."""
    from studies.operations.arguments import refuse_idle

    game, rules = call.given["game"], call.given["rules"]
    if source:
        from studies.operations.listing import game_source

        refuse_idle("--source", game is None, "without a game", "cardlab games GAME --source")
        typer.echo(game_source(game, rules), nl=False)
        return
    if reference:
        from studies.operations.game_reference import reference_document, reference_page

        refuse_idle("--csv", as_csv, "with --reference", "--json")
        refuse_idle("--reference", game is None, "without a game", "cardlab games GAME --reference")
        if as_json:
            print_json(reference_document(game, rules))
        else:
            print_page(reference_page(game, rules))
        return
    form = check_form(as_json, as_csv)
    listed = call()
    emit(form, lambda: listed.page, listed.frame, listed.document)


@command("listing.strategies")
def strategies(call: Call, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    from studies.operations.listing import strategy_page

    form = check_form(as_json, as_csv)
    rows = call()
    emit(form, lambda: strategy_page(rows), rows.drop("details"))


@command("listing.studies")
def studies(call: Call, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    from studies.operations.listing import study_page

    form = check_form(as_json, as_csv)
    rows = call()
    emit(form, lambda: study_page(rows), rows)


@command("listing.schema")
def schema(call: Call) -> None:
    """To let an editor check and complete a study, run cardlab schema > study.schema.json, and
    write '#:schema study.schema.json' in the first line of a study in the same folder.
    """
    print_json(call(), indent=2)


@command("new.new")
def new(call: Call) -> None:
    """Change it as you like; 'cardlab check GAME.py' tests it."""
    name = shlex.quote(str(call()))
    print(f"{name} is a small game that runs. To play it, and to test it after your changes:")
    print(f"  cardlab play {name}")
    print(f"  cardlab check {name}")


# --- Matches ------------------------------------------------------------------------------------


@command("play.play")
def play(call: Call) -> None:
    """In a terminal cards are coloured, unless NO_COLOR is set."""

    def write(cell: Cell, line: str) -> None:
        (line_writer(cell.game, cell.players) if is_coloured() else print)(line)

    call(write=write, ask=typed)


def typed(prompt: str) -> str | None:
    """Return what is typed after a prompt; from a pipe it is printed, as a terminal shows it."""
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    if not sys.stdin.isatty():
        print(line.rstrip("\n"), flush=True)
    return line.rstrip("\r\n") if line else None


@command("simulate.simulate")
def simulate(call: Call, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """--csv prints the metrics, one per row."""
    form = check_form(as_json, as_csv)
    simulation = call(keep_rows=False)
    if form == "json":  # on one line, as other programs know it
        print_json(simulation.summary)
        return
    emit(form, simulation.page, simulation.metrics())


# --- Studies ------------------------------------------------------------------------------------

OUT = Form("DIR", "--out")


@command("plan.plan", players=Form("N,…"))
def plan(call: Call, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    form = check_form(as_json, as_csv)
    planned = call()
    emit(form, planned.page, planned.cells, planned.to_dict())


@command("results.run", directory=OUT, players=Form("N,…"))
def run(
    call: Call,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only print cells, matches, time, disk and precision."),
    ] = False,
) -> None:
    """The answer is printed at the end."""
    from studies.operations.results import InterruptedRun

    if dry_run:
        print_page(_dry_run(call.given))
        return
    try:
        results = call()
    except InterruptedRun:
        say(f"stopped; all finished blocks are kept. To continue: {call.line}")
        raise typer.Exit(130) from None
    except KeyboardInterrupt:
        say("stopped at once; unfinished blocks are lost, run again to continue")
        os._exit(130)  # threads in a kernel cannot be asked to stop
    _print_end(results)


def _dry_run(given: dict[str, Any]) -> Page:
    from simcore.gpu.device import CPU
    from studies.operations.arguments import refuse_idle
    from studies.operations.dry_run import dry_run

    why = "with --dry-run, whose time is that of this machine"
    device = None if given["device"] == CPU else given["device"]
    refuse_idle("--scheduler", given["scheduler"], why, "without --dry-run")
    refuse_idle("--device", device, why, "without --dry-run")
    known = inspect.signature(dry_run).parameters
    return dry_run(**{name: value for name, value in given.items() if name in known})


def _print_end(results: Results) -> None:
    for line in results.end():
        say(line)
    if results.outcome is None or results.outcome.present + results.outcome.played > SHOWN_AT_ONCE:
        say(f"next: cardlab compare {shlex.quote(str(results.directory))}")
        return
    with waiting("compares"):
        answer = results.compare(complete=False)
    print_page(answer.page())


SHOWN_AT_ONCE = 20_000_000
"""Studies with more matches only name the `compare` command, which may take a while."""

ONLY = {"players": Form("N,…"), "variant": NAMES, "lineup": NAMES, "number": NAMES}
"""Filters of `compare` and `report`."""


@command("compare.compare", **ONLY, match=COLUMN, policy=COLUMN)
def compare(
    call: Call,
    full: Annotated[
        bool, typer.Option("--full", help="Print every number instead of one screen.")
    ] = False,
    as_json: AsJson = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print the whole frame as CSV, one row per number.")
    ] = False,
) -> None:
    """By default the answer fits on one screen."""
    form = check_form(as_json, as_csv)
    with waiting("compares"):
        answer = call(complete=full or bool(form))
    if form == "json":
        print(answer.to_json())
        return
    emit(form, lambda: answer.page(full=full), answer.frame)


@command("report.report", **ONLY)
def report(call: Call) -> None:
    with waiting("reads the study") as step:
        path = call(at_step=step)
    say(f"report: {path}")


@command("tune.tune")
def tune(call: Call, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """If the tuned policy is clearly better on fresh deals, the last line on stdout is that policy,
    in the form that --lineup takes. Otherwise it says that nothing was found.
    """
    form = check_form(as_json, as_csv)
    tuned = call()
    emit(form, tuned.page, tuned.parameters, tuned.to_dict())


@command("train.train", against=Form("A,B,…", repeated=True), out=Form("FILE.py", "--out"))
def train(call: Call, as_json: AsJson = False) -> None:
    """The file holds the weights, how the policy was trained, and how strong it is."""
    trained = call()
    if as_json:
        print_json(trained.to_dict(), indent=1)
    else:
        print_page(trained.page())


@command("exploit.exploit")
def exploit(call: Call, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """--csv prints the candidates."""
    form = check_form(as_json, as_csv)
    exploited = call()
    emit(form, exploited.page, exploited.candidates, exploited.to_dict())


# --- Trust and speed ------------------------------------------------------------------------------


@command("check.check", directory=Form("DIR|GAME.py"))
def check(call: Call, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """The exit status is 1 when a check fails, and 2 when a file is damaged."""
    form = check_form(as_json, as_csv)
    checked = call()
    emit(form, checked.page, checked.frame, checked.to_dict())
    if not checked.passed:
        raise typer.Exit(1)


@command("bench.bench")
def bench(call: Call, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    form = check_form(as_json, as_csv)
    measured = call()
    emit(form, measured.page, measured.frame)


@command("listing.warmup")
def warmup(call: Call) -> None:
    from studies.render import counted

    for title, count, seconds in call():
        if count:
            print(f"{title}: {counted(count, 'function')} compiled in {seconds:.0f} s", flush=True)
        else:
            print(f"{title}: already compiled", flush=True)
