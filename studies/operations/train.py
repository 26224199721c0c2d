"""Train a policy, and write it as a file that any command takes."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from studies.design.document import shorten
from studies.operations.arguments import (
    SEED_HIGH,
    Rules,
    finite_number,
    game_of,
    given_options,
    thread_count,
    whole_number,
)
from studies.operations.user_code import Strategies, given_policies
from studies.render import Column, Page, Shown, Table, number, percent
from studies.run.progress import say, watched

if TYPE_CHECKING:
    import polars as pl

    from simcore.game import Game
    from strategies import Policies
    from studies.learn.features import Function
    from studies.learn.tables import Wins
    from studies.learn.train import Step, Training

MOST_STEPS = 1000
USUAL_BASE = "all_rounder"


class Trained(Shown):
    """A trained policy, from `train`.

    Attributes
    ----------
    policy : str
        Its name, as in line-ups.
    file : str
        The policy file, for `strategies` of any function.
    steps : int
        How many were carried out.
    strength : list of dict
        By table: `seats` that the policy holds, of `players`, and the share of the matches that
        they win together on fresh deals: `estimate`, `low`, `high` (95 %).

    Examples
    --------
    >>> import cardlab
    >>> trained = cardlab.train("updown", steps=2, out="clever.py")  # doctest: +SKIP
    >>> cardlab.simulate("updown", lineup=["clever", "all_rounder"],  # doctest: +SKIP
    ...                  strategies=trained.file, rotate=True)
    """

    def __init__(
        self,
        training: Training,
        wins: Sequence[Wins],
        out: Path,
        record: dict[str, Any],
        *,
        together: bool = False,
    ) -> None:
        self.policy, self.file, self.record = training.name, str(out), record
        self.steps = len(training.steps)
        self.together = together
        self.strength = [
            {
                "seats": at.held,
                "players": at.players,
                "estimate": at.share.estimate,
                "low": at.share.low,
                "high": at.share.high,
            }
            for at in wins
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return what `cardlab train --json` prints."""
        return {"policy": self.policy, "file": self.file, **self.record}

    @property
    def tables(self) -> pl.DataFrame:
        """The strength by table, beside an even share; of all together there is none."""
        import polars as pl

        table = pl.DataFrame(
            {
                "table": f"{at['seats']} of {at['players']} seats",
                "even": percent(at["seats"] / at["players"]),
                "won": percent(at["estimate"], at["low"], at["high"]),
            }
            for at in self.strength
        )
        return table.drop("even") if self.together else table

    def page(self) -> Page:
        """Return the displayed page: the steps and the strength."""
        record = self.record
        kept = sum(step["kept"] for step in record["steps"])
        head = (
            f"{self.policy}: learned from {record['base']} in {self.steps} "
            f"step{'' if self.steps == 1 else 's'}, {kept} of them kept; {record['decisions']:,} "
            "decisions recorded"
        )
        even = () if self.together else (Column("even", "even %"),)
        columns = (Column("table"), *even, Column("won", "won %"))
        who = "the table wins" if self.together else "its seats win together"
        fresh = (
            f"On {record['deals']:,} fresh deals beside {record['beside']}, each in all rotations "
            f"(95 % intervals, by deal): the share of the matches that {who}."
        )
        use = (
            f"cardlab simulate {record['game']} --players {record['players']} "
            f"--strategies {self.file} --lineup {self.policy}"
        )
        return [head, Table(self.tables, columns), fresh, use]


def train(
    game: str,
    *,
    players: int | str | None = None,
    options: Mapping[str, object] | None = None,
    base: str | None = None,
    against: Sequence[str] = (),
    minutes: float | str = 5,
    steps: int | str | None = None,
    seed: int | str = 1,
    out: str | Path | None = None,
    strategies: Strategies = None,
    rules: Rules = None,
    threads: int | str | None = None,
    progress: bool = False,
) -> Trained:
    """Train a policy, and write it to a file that any command takes.

    Every step records what comes of several moves in the same position, fits a small network, and
    keeps it if it wins more on fresh deals, beside the base policy and beside its predecessor. See
    docs/howto/train.md. A training that was stopped goes on when it is started again with the same
    arguments.

    Parameters
    ----------
    game, players, options, seed, strategies, rules, threads, progress
        As in `simulate`.
    base : str, optional
        The policy that it begins with: name or name(param=value,…). Default: all_rounder, or the
        first policy of the game's file, or random.
    against : sequence of str, optional
        Line-up of the other seats, to train for these alone; default: the base policy and all that
        is found, at tables where one seat, half of them, and all but one are its own.
    minutes : float
        How long to go on with whole steps; the last one ends before.
    steps : int, optional
        How many steps, in place of `minutes`: the same seed and steps give the same file.
    out : path, optional
        The policy file; the policy has its name. Default: GAME_trained.py in this folder.

    Examples
    --------
    >>> import cardlab
    >>> trained = cardlab.train("updown", steps=2, out="clever.py")  # doctest: +SKIP
    >>> trained.strength[0]["estimate"] > 0.35  # doctest: +SKIP
    True
    >>> try:
    ...     cardlab.train("updown", base="search")
    ... except cardlab.InputError as refused:
    ...     print(str(refused).partition(";")[0])
    base 'search' is refused
    """
    known = game_of(game, rules)
    resolved = known.resolve(given_options(players, options))
    limit = 60 * finite_number("minutes", minutes, "a number from 0")
    if limit < 0:
        raise InputError(f"minutes {minutes} is refused; allowed: a number from 0")
    count = None if steps is None else whole_number("steps", steps, 1, MOST_STEPS)
    key = whole_number("seed", seed, 0, SEED_HIGH)
    workers = thread_count(threads)
    file = Path(out) if out is not None else Path(f"{_stem(known)}_trained.py")
    policies = given_policies(strategies, game)
    _check_file(file, known, policies)
    marked = _marked(known, policies, file)

    from strategies import parse_lineup, parse_strategy
    from studies.learn.train import Task
    from studies.learn.train import train as carry_out

    first = parse_strategy(known, base or _usual_base(known, policies), policies)
    if first.policy.takes_policy or first.policy.learned is not None:
        raise InputError(
            f"base {str(first)!r} is refused; allowed: a policy that asks no other, as "
            f"{_usual_base(known, policies)}"
        )
    if isinstance(against, str):
        against = (against,)
    others = tuple(parse_lineup(known, lineup, policies) for lineup in against)
    task = Task(known, resolved, first, others, key, workers)
    for lineup in others:
        if len(lineup) >= task.players:
            raise InputError(
                f"against {', '.join(map(str, lineup))!r} is refused; allowed: at most "
                f"{task.players - 1} strategies, for the other seats"
            )
    kept = _Kept(file, task)
    with watched(progress=progress) as (_, _remark):

        def watch(training: Training, step: Step) -> None:
            kept.add(step)
            if progress:
                say(f"step {len(training.steps)}: {_in_words(step)}")

        training = carry_out(
            task,
            kept.folder,
            steps=count,
            seconds=limit,
            marked=marked,
            name=file.stem,
            earlier=kept.steps,
            watch=watch,
        )
        wins = training.strength()
    record = _record(training, wins)
    _write(file, training, record)
    shutil.rmtree(kept.folder)
    return Trained(training, wins, file, record, together=known.teams == 1)


def _stem(game: Game) -> str:
    return re.sub(r"\W+", "_", Path(game.original.name).stem.lower())


def _usual_base(game: Game, policies: Policies) -> str:
    """Return the policy that training begins with unless another is named."""
    known = policies.of(game)
    own = [one.name for one in known.values() if not (one.built_in or one.takes_policy)]
    own = [name for name in own if known[name].learned is None]
    return USUAL_BASE if USUAL_BASE in own else own[0] if own else "random"


def _check_file(file: Path, game: Game, policies: Policies) -> None:
    """Refuse a file that cannot be written, or whose name is no policy's."""
    if file.suffix != ".py" or not re.fullmatch(r"[a-z][a-z0-9_]*", file.stem):
        raise InputError(
            f"out {shorten(repr(str(file)))} is refused; allowed: a file NAME.py, NAME of small "
            "letters, digits and _, which the policy is called by"
        )
    if file.exists():
        raise InputError(f"out {str(file)!r} exists already; allowed: another name, or remove it")
    if not file.parent.is_dir():
        raise InputError(f"out {str(file)!r}: there is no folder {str(file.parent)!r}")
    if file.stem in policies.of(game):
        raise InputError(
            f"out {str(file)!r} is refused: {game.name} has a policy {file.stem!r} already; "
            "allowed: another name"
        )


def _marked(game: Game, policies: Policies, file: Path) -> dict[str, Function]:
    """Return the marked features of a built-in game and of files of policies, by their imports."""
    from simcore.userfiles.loading import loaded_file
    from studies.learn.features import marked_in, marked_of

    marked = dict(marked_of(game))
    for source in policies.files:
        found = marked_in(vars(loaded_file(source).module))
        if found and source.absolute().parent != file.absolute().parent:
            raise InputError(
                f"out {str(file)!r} is refused: it imports features from {source}; allowed: a file "
                f"in the same folder, {source.parent}"
            )
        marked |= {f"from {source.stem} import {name}": one for name, one in found.items()}
    return marked


class _Kept:
    """The steps of a training, in a folder beside its file until it is written."""

    def __init__(self, file: Path, task: Any) -> None:
        from simcore.jit import source_hash
        from studies.learn.train import read_step

        self.folder = file.with_suffix(".train")
        self.file = self.folder / "steps.json"
        self.key = {
            "game": [task.game.name, task.game.digest],
            "options": {name: repr(value) for name, value in task.options.items()},
            "base": str(task.base),
            "against": [list(map(str, lineup)) for lineup in task.against],
            "seed": task.seed,
            "sources": source_hash(),
        }
        self.steps: list[Step] = []
        self.documents: list[Any] = []
        if self.file.exists():
            document = json.loads(self.file.read_text(encoding="utf-8"))
            if document["key"] != self.key:
                raise InputError(
                    f"out {str(file)!r} is refused: {self.folder} holds a training with other "
                    "arguments that was stopped; allowed: the same ones, to go on, another name, "
                    "or remove that folder"
                )
            self.documents = document["steps"]
            self.steps = [read_step(one) for one in self.documents]
        self.folder.mkdir(exist_ok=True)

    def add(self, step: Step) -> None:
        """Keep a step, so that a training that is stopped can go on after it."""
        from studies.learn.train import step_document

        if any(step is known for known in self.steps):
            return
        self.documents.append(step_document(step))
        aside = self.file.with_suffix(".new")
        aside.write_text(json.dumps({"key": self.key, "steps": self.documents}), encoding="utf-8")
        aside.replace(self.file)


def _in_words(step: Step) -> str:
    """Return what came of a step."""
    if step.gain is None:
        return f"{step.rows:,} decisions, which explain nothing yet"
    gain = number(step.gain.estimate, step.gain.low, step.gain.high, scale=100, signed=True)
    end = "kept" if step.is_kept else "not kept"
    return f"{step.rows:,} decisions; {gain} points of the win rate on fresh deals: {end}"


def _record(training: Training, wins: Sequence[Wins]) -> dict[str, Any]:
    """Return how a policy was trained and how strong it is, as JSON values."""
    task = training.task
    usual = task.game.resolve({"players": task.players})
    beside = task.against[0] if task.against else (task.base,)
    return {
        "game": task.game.name,
        "players": task.players,
        "options": {k: v for k, v in task.options.items() if k != "players" and v != usual[k]},
        "base": str(task.base),
        "against": [", ".join(map(str, lineup)) for lineup in task.against],
        "seed": task.seed,
        "decisions": training.decisions,
        "steps": [
            {
                "kept": step.is_kept,
                "decisions": step.rows,
                "gain": None if step.gain is None else _rounded(step.gain),
                "explained": {k: round(one.explained, 4) for k, one in step.networks.items()},
            }
            for step in training.steps
        ],
        "beside": ", ".join(map(str, beside)),
        "deals": len(wins[0].by_deal),
        "strength": {f"{at.held} of {at.players} seats": _rounded(at.share) for at in wins},
    }


def _rounded(interval: Any) -> list[float]:
    return [round(x, 4) for x in (interval.estimate, interval.low, interval.high)]


def _command(training: Training, record: dict[str, Any]) -> str:
    """Return the command that trains a policy like this one."""
    rules = {k: str(v).lower() if isinstance(v, bool) else v for k, v in record["options"].items()}
    given = {
        "--players": [record["players"]],
        "--rule": [f"{name}={value}" for name, value in rules.items()],
        "--rules": [Path(change.path).name for change in training.task.game.changes],
        "--base": [f"'{record['base']}'"],
        "--against": [f"'{lineup}'" for lineup in record["against"]],
        "--seed": [record["seed"]],
        "--steps": [len(training.steps)],
    }
    options = (f"{name} {value}" for name, values in given.items() for value in values)
    return " ".join(["cardlab train", Path(record["game"]).name, *options])


def _write(file: Path, training: Training, record: dict[str, Any]) -> None:
    """Write the policy file, aside and then in place."""
    from studies.learn.policy_file import policy_file

    kept = [step for step in training.steps if step.is_kept]
    strength = ", ".join(
        f"{percent(*interval)} % with {seats}" for seats, interval in record["strength"].items()
    )
    prose = (
        (
            f"`{_command(training, record)}`; steps kept: {len(kept)}, "
            f"{record['decisions']:,} decisions recorded."
        ),
        (
            f"On {record['deals']:,} fresh deals beside {record['beside']} its seats win together "
            f"{strength} (95 % intervals)."
        ),
    )
    game = Path(training.task.game.original.name).name
    parts = training.parts(kept[-1].networks if kept else {})
    idea = f"learned from {record['base']} by cardlab train"
    aside = file.with_suffix(".new")
    text = policy_file(game, file.stem, idea, parts, prose, record=record)
    aside.write_text(text, encoding="utf-8")
    aside.replace(file)
