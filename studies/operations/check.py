"""Check that stored blocks are reproducible, and that games and policies keep the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from simcore.game import game_names
from simcore.phrases import joined
from studies.operations.arguments import given_options, refuse_idle, whole_number
from studies.operations.user_code import Strategies, given_policies, policies_of
from studies.render import Column, Page, Shown, Table, counted
from studies.run.progress import Say, watched

if TYPE_CHECKING:
    import polars as pl

    from strategies import Policies

NOT_TRIED = (
    "Not tried: other combinations of options, secrets that rules copy into numbers which all see, "
    "and whether the rules are the ones that you mean (read a match with `cardlab play`)."
)
"""What a check of a game leaves to its author."""

BLOCKS = 5
BLOCKS_HIGH = 10**9


@dataclass(frozen=True, repr=False)
class Checked(Shown):
    """The result of a check, from `check`.

    Attributes
    ----------
    of : str
        "blocks" of a study directory, "tests" of policies, or "tests of the game" in a file.
    rows : sequence of dict
        One per block or test.
    difference : str
        For blocks: the first difference; empty if there is none.

    Examples
    --------
    >>> import cardlab
    >>> cardlab.check("duel", blocks=1).passed
    True
    """

    of: str
    rows: Sequence[dict[str, Any]]
    difference: str = ""
    notes: Sequence[str] = field(default=())

    @property
    def failed(self) -> int:
        """Number of rows that failed."""
        failed = sum(row.get("verdict") == "failed" for row in self.rows)
        return int(failed + bool(self.difference))

    @property
    def not_tested(self) -> int:
        """Number of tests that found nothing to test."""
        return sum(row.get("verdict") == "not tested" for row in self.rows)

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not self.failed

    @property
    def frame(self) -> pl.DataFrame:
        """The rows as a polars.DataFrame."""
        import polars as pl

        return pl.DataFrame(list(self.rows), infer_schema_length=None)

    def to_dict(self) -> dict[str, Any]:
        """Return what `cardlab check --json` prints."""
        if self.of == "blocks":
            same = not self.difference
            return {"same": same, "difference": self.difference or None, "blocks": self.rows}
        return {"failed": self.failed, self.of: self.rows, "notes": list(self.notes)}

    def page(self) -> Page:
        """Return the displayed page."""
        if self.of == "blocks":
            matches = sum(row["matches"] for row in self.rows)
            blocks = f"{counted(len(self.rows), 'block')} ({counted(matches, 'match')})"
            same = f"{blocks} played again: every value is the same"
            return [self.difference] if self.difference else [same, *self.notes]
        of_policies = () if self.of == "tests of the game" else (Column("policy"), Column("game"))
        verdict = Column("verdict", form=_shown_verdict)
        found = Column("found")
        table = Table(self.frame, (*of_policies, Column("test"), verdict, found))
        shown = [f"{row['test']}: {row['show']}" for row in self.rows if row["show"]]
        how = ["\n".join(["The matches that show it:", *shown])] if shown else []
        policies = len({(row["game"], row["policy"]) for row in self.rows}) if of_policies else 0
        examined = f"{counted(policies, 'policy', 'policies')} examined: " if policies else ""
        return [f"{examined}{self._verdict()}", table, *how, *self.notes]

    def _verdict(self) -> str:
        """Return the verdict, which is the first line."""
        by_verdict: dict[str, list[str]] = {"failed": [], "not tested": [], "remark": []}
        for row in self.rows:
            by_verdict.setdefault(row["verdict"], []).append(row["test"])
        failed, not_tested = (
            list(dict.fromkeys(by_verdict[verdict])) for verdict in ("failed", "not tested")
        )
        said = [f"FAILED: {joined(failed)}" if failed else "Nothing failed"]
        if not_tested:
            said.append(f"not tested: {joined(not_tested)}")
        if by_verdict["remark"]:
            said.append(f"{counted(len(by_verdict['remark']), 'remark')} to read")
        return "; ".join(said)


def _shown_verdict(row: Any) -> str:
    return "FAILED" if row["verdict"] == "failed" else str(row["verdict"])


def check(
    directory: str | Path | None = None,
    *,
    blocks: int | str | None = None,
    strategies: Strategies = None,
    trust: bool = False,
    players: int | str | None = None,
    options: Mapping[str, object] | None = None,
    lineup: str | Sequence[str] | None = None,
    progress: bool = False,
) -> Checked:
    """Check a study, a game, or policies.

    A study directory: replay random blocks and compare every value with the stored one.

    A game: no card is lost, matches end, the best total wins, hidden cards stay hidden, all seats
    are alike, and compiled code plays as plain Python does; with the fewest and the most
    players, and every option at both of its ends. `players`, `options` and `lineup` keep what they
    name. Each failure comes with the command that tells the match.

    With `strategies` alone, the policies in the files: their moves are legal and reproducible, and
    they do not depend on hidden cards, with the fewest and the most players and every option and
    parameter at both of its ends.

    Parameters
    ----------
    directory : str or Path, optional
        A study directory, or a game.
    blocks : int, optional
        Number of blocks of a study directory to replay; default: 5, or all if there are fewer.
    strategies : path or several of them
        As in `run`.
    trust : bool
        As in `run`.
    players, options
        As in `simulate`.
    lineup : str or sequence of str, optional
        Strategies by seat, of a game.
    progress : bool
        Whether to show progress on stderr.

    Examples
    --------
    >>> import cardlab
    >>> cardlab.check("duel", blocks=1).failed
    0
    """
    from studies.store.files import locate

    if directory is None:
        refuse_idle("blocks", blocks, "without a study directory", "with DIR")
    is_game = str(directory).endswith((".py", "+cards")) or (
        directory in game_names() and not Path(str(directory)).is_dir()
    )
    if not is_game:
        varied = (
            {} if directory is None and strategies else {"players": players, "options": options}
        )
        for name, value in {**varied, "lineup": lineup}.items():
            refuse_idle(name, value, "without a game", "with GAME")
    with watched(progress=progress) as (_, remark):
        notice: Say = remark if progress else lambda _: None
        if is_game:
            refuse_idle("blocks", blocks, "with a game", "with a study directory")
            policies = given_policies(strategies, str(directory))
            given = given_options(players, options)
            return _check_game(str(directory), given, lineup or (), policies, notice)
        if directory is None:
            if not strategies:
                raise InputError("check needs a study directory, a game, or --strategies FILE.py")
            return _check_policies(strategies, given_options(players, options), notice)
        count = BLOCKS if blocks is None else whole_number("blocks", blocks, 1, BLOCKS_HIGH)
        policies = given_policies(strategies)
        return _check_blocks(locate(directory), count, policies, notice, trust=trust)


def _check_blocks(
    directory: Path, blocks: int, policies: Policies, notice: Say, *, trust: bool
) -> Checked:
    from studies.check.stored_blocks import DifferenceError, check_blocks
    from studies.store.opened import open_study, prepare_files

    prepare_files(directory, "replaying matches", trust=trust)
    rows: list[dict[str, Any]] = []
    try:
        for block in check_blocks(directory, blocks, policies=policies):
            notice(f"same: {block.part.path} ({block.cell.label})")
            part = str(block.part.path)
            rows.append({"part": part, "cell": block.cell.id, "matches": block.matches})
    except DifferenceError as error:
        return Checked("blocks", rows, str(error))
    return Checked("blocks", rows, notes=open_study(directory, trust=True).notes)


def _check_policies(strategies: Strategies, options: Mapping[str, object], notice: Say) -> Checked:
    from studies.check.compliance import examine, policy_tables
    from studies.check.tables import played_at

    policies, given = policies_of(strategies)
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    for policy in given:
        tables = policy_tables(policy, options, policies)
        notes.append(f"{policy.name} played at {played_at(tables)}.")
        for verdict in examine(tables):
            rows.append({"policy": policy.name, "game": policy.game, **asdict(verdict)})
            notice(f"{policy.name}: {verdict.test}: {verdict.verdict}")
    return Checked("tests", rows, notes=notes)


def _check_game(
    game: str,
    options: Mapping[str, object],
    lineup: str | Sequence[str],
    policies: Policies,
    notice: Say,
) -> Checked:
    from studies.check.gamecheck import check_tables, game_tables, seen_in_words
    from studies.check.tables import played_at

    tables = game_tables(game, options, lineup, policies)
    rows: list[dict[str, Any]] = []
    for verdict in check_tables(tables, is_restricted=bool(options or lineup)):
        rows.append(asdict(verdict))
        notice(f"{verdict.test}: {verdict.verdict}")
    seen = seen_in_words(tables[0].cell.game)
    notes = [f"Played at {played_at(tables)}.", *([seen] if seen else []), NOT_TRIED]
    return Checked("tests of the game", rows, notes=notes)
