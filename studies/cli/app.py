"""The command `cardlab`: its subcommands, its messages and exit statuses.

Bad input ends with one line on stderr and status 2, an interruption with 130; there is never a
traceback for either.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from simcore import compiling
from simcore.errors import InputError, unknown
from studies.cli.command import ALONE
from studies.cli.commands import COMMANDS
from studies.cli.process import INTERRUPTED, carry_out, discard_output, end_process
from studies.run.progress import CompileLine, say

HELP = {"help_option_names": ["-h", "--help"]}

FAILED = 1
BAD_INPUT = 2
BROKEN_PIPE = 141


_BAD_PLACES = {
    errno.EACCES,
    errno.EINVAL,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENOENT,
    errno.ENOTDIR,
    errno.EPERM,
    errno.EROFS,
}
"""What the system says of a name that should have been another one."""


_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
"""What the system says of a stream that cannot take more."""


class _AsTyped:
    """Hands on what was typed: all parameters here are words, lists of words, or switches.

    Newer versions of typer import pydantic for that, which takes longer than all else before a
    command begins.
    """

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ARG002 (typer calls it)
        """Return what was typed for a parameter."""
        if param.multiple or param.nargs == -1:
            return list(value or ())
        return value


class _TakesAsTyped:
    """A command or group of typer's whose parameters are handed on as they were typed."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, `--help` included."""
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            if hasattr(param, "_runtime_param"):
                param._runtime_param = _AsTyped()  # noqa: SLF001 (typer makes one where none is)
        return params


class OneCommand(_TakesAsTyped, TyperCommand):
    """A subcommand. An option in `ALONE` may stand without its word: `--why`, `--why all`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments."""
        complete: list[str] = []
        for word in [*args, ""]:
            words = ALONE.get(complete[-1], ()) if complete else ()
            if words:
                complete[-1] += f"={word if word in words else ''}"
            if word not in words:
                complete.append(word)
        return super().parse_args(ctx, complete[:-1])


class Commands(_TakesAsTyped, TyperGroup):
    """The subcommands; an unknown one is refused with the nearest known name."""

    _are_listed = False

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Return the commands in the order in which they are used."""
        return list(COMMANDS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands, for which none of them is made."""
        self._are_listed = True
        super().format_commands(ctx, formatter)
        self._are_listed = False

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Make a command; only its own operation is imported."""
        if cmd_name not in COMMANDS:
            return None
        if self._are_listed:
            return TyperCommand(cmd_name, help=COMMANDS[cmd_name].summary)
        app = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=HELP)
        app.command(cmd_name, cls=OneCommand)(COMMANDS[cmd_name].function(cmd_name))
        return typer.main.get_command(app)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that `args` begin with."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise unknown("command", args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)


def _version(wanted: bool) -> None:
    if wanted:
        from studies.version import VERSION

        print(f"cardlab {VERSION}")
        raise typer.Exit


def describe(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Monte-Carlo laboratory for card games: rule variants, strategies, balance.

    Same seed, same rows: results depend neither on threads nor on block sizes.
    """


def build_app() -> typer.Typer:
    """Return the application with all commands."""
    if "_CARDLAB_COMPLETE" in os.environ:
        # Typer fits the help of what it offers to a screen; a shell takes each line for an offer.
        os.environ["COLUMNS"] = "10000"
    app = typer.Typer(
        name="cardlab",
        cls=Commands,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings=HELP,
    )
    app.callback()(describe)
    return app


def usage_message(error: typer.TyperException) -> str:
    """Return what is wrong with the arguments as one line."""
    context = getattr(error, "ctx", None)
    name = getattr(error, "option_name", None)
    if type(error).__name__ == "NoSuchOption" and context is not None:
        known = [text for param in context.command.params for text in param.opts if text[0] == "-"]
        return str(unknown("option", name, known, f"of {context.command_path}"))
    message = " ".join(error.format_message().split())
    help_hint = f"; try: {context.command_path} --help" if context is not None else ""
    return message.rstrip(".") + help_hint


def run_app(arguments: list[str] | None = None) -> int:
    """Carry out a command line and return the exit status."""
    compiling.watch(CompileLine())
    try:
        status = _carried_out(arguments)
    finally:
        compiling.watch(None)
    cache = sys.modules.get("simcore.cache")
    if cache is not None and cache.refusal:
        say(
            f"compiled code could not be kept in {cache.FOLDER.parent} ({cache.refusal}), so the "
            "next start compiles again; CARDLAB_CACHE names another folder"
        )
        cache.__dict__["refusal"] = ""
    return status


def _carried_out(arguments: list[str] | None) -> int:
    try:
        status = build_app()(arguments, prog_name="cardlab", standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        return _refuse(str(error), BAD_INPUT)
    except typer.TyperException as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # the help has been printed already
            return BAD_INPUT
        return _refuse(usage_message(error), BAD_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        discard_output()
        return BROKEN_PIPE
    except SystemExit as error:
        # Typer ends the program by itself, with another status, where a pipe was closed.
        if not isinstance(error.__context__, BrokenPipeError):
            raise
        discard_output()
        return BROKEN_PIPE
    except OSError as error:
        if error.filename is None:
            discard_output()  # perhaps its disk is full, which must not be reported again
        return _refuse(_said(error), BAD_INPUT if error.errno in _BAD_PLACES else FAILED)
    return status if isinstance(status, int) else 0


def _said(error: OSError) -> str:
    if error.filename is None and error.errno in _FULL:
        return f"standard output cannot be written: {error.strerror or error}"
    if error.filename is None:
        return str(error)
    return f"{str(error.filename)!r} cannot be used: {error.strerror}"


def _refuse(message: str, status: int) -> int:
    say(message)
    return status


def main() -> None:
    """Run the command line of this process, as `studies.cli.start` does."""
    end_process(carry_out(run_app))


if __name__ == "__main__":
    main()
