"""Train a policy: record decisions, fit a network, try it on fresh deals, keep it if it is better.

Each step records decisions of the policy that is best so far, at tables where it holds one seat,
half of them, all but one, and all; the other seats are held in turn by the base policy and by all
that was found before. Rows of all steps are fitted together. Trained against one policy alone it
would be a specialist, which loses where its own like sits beside it. A network is kept only if it
is shown to win more than its predecessor on fresh deals, at three tables (`tables`) beside the base
policy and beside its predecessor.

Everything follows from the seed and the number of steps: the clock decides at most how many whole
steps there are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from simcore.batch import Cell, play
from simcore.compiler.program import program_of
from simcore.compiler.seat_policy import Network, SeatPolicy, asks_of_move
from simcore.game import Game
from simcore.options import Options
from simcore.recording import record
from strategies import Policy, Strategy
from strategies.learned import Learned, Weights
from strategies.registry import at_random
from studies.learn.features import Feature, Function, features_of
from studies.learn.fit import (
    FEWEST_ROWS,
    MOST_MOVES,
    MOST_VALUES,
    Fitted,
    Job,
    Rows,
    Shape,
    columns_of,
    fit_all,
    joined,
    packed,
    results_of,
    worth_of_a_point,
)
from studies.learn.tables import TRIAL_DEALS, Wins, gain, tables, wins_at_tables
from studies.run.tuning import FRESH_DEALS, Bench, Interval

MOST_ROWS, FEWEST_MATCHES = 1_000_000, 2_000
"""Matches of which a step records a decision."""

TO_CHOOSE = 100_000
"""Matches of which decisions are recorded to choose features."""

AT_ONCE = 50_000
"""Matches whose decisions are recorded before they are packed, to save room."""

WORK, LEARNED_COST = 1.5e9, 15
"""Decisions that a step plays at most to record, where that leaves `FEWEST_MATCHES`, and how many
of them one counts as where learned policies play."""

TRIES = 5
"""Moves with which a position is played on."""

TRIAL, STRENGTH = 4_000, 10_000
"""Deals of a trial, and of the strength that is told at the end."""

TRIAL_WORK = 4e7
"""Decisions that a trial plays at most, where that leaves `FEWEST_TRIAL` deals."""

FEWEST_TRIAL = 400
POOLED = 4
"""The last steps whose rows are fitted."""

CHOICE = 1000
"""Number of the step that chooses features; no other one has it."""

BETWEEN_STEPS, BETWEEN_TABLES = 1 << 28, 1 << 20
"""Numbers between the first matches of two steps, and of two tables of one."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class Task:
    """What is trained for.

    Attributes
    ----------
    game : Game
    options : dict
    base : Strategy
        With which it begins, and which it asks for a first opinion.
    against : tuple of line-ups
        Who holds the other seats; none: the base policy and what is found.
    seed, threads : int
    """

    game: Game
    options: Options
    base: Strategy
    against: tuple[tuple[Strategy, ...], ...]
    seed: int
    threads: int

    @property
    def players(self) -> int:
        """The number of seats."""
        players = self.options["players"]
        assert isinstance(players, int)
        return players

    @property
    def held(self) -> tuple[int, ...]:
        """How many seats the policy holds in trials, table by table."""
        return (1,) if self.against else tables(self.players)


@dataclass(frozen=True)
class Step:
    """What came of a step.

    Attributes
    ----------
    networks : dict of Fitted
        By decision.
    gain : Interval or None
        Of the trial, in win rate a seat; None where nothing could be fitted.
    rows : int
    seconds : float
    """

    networks: Mapping[str, Fitted]
    gain: Interval | None
    rows: int
    seconds: float = field(compare=False)

    @property
    def is_kept(self) -> bool:
        """Whether it was shown to be better."""
        return self.gain is not None and self.gain.low > 0


class Training:
    """A training under way.

    Parameters
    ----------
    task : Task
    folder : Path
        For the functions of features.
    marked : mapping of callable
        As for `features_of`.
    name : str
        Of the policy.

    Attributes
    ----------
    found : list of Strategy
        The base policy and what was kept, the best last.
    steps : list of Step
    decisions : int
        That were recorded in steps.
    """

    def __init__(
        self, task: Task, folder: Path, marked: Mapping[str, Function], name: str = "trained"
    ) -> None:
        self.task, self.name = task, name
        seats = (task.base,) * task.players
        self.cell = Cell(task.game, task.options, seats, task.seed)
        self.features: dict[str, list[Feature]] = features_of(self.cell, folder, marked)
        self.words = self.cell.form.layout.width
        self.found: list[Strategy] = [task.base]
        self.steps: list[Step] = []
        self.pool: list[dict[str, Rows]] = []
        self.decisions = 0
        self.point = 1.0
        block = play(self.cell, 0, 200, threads=task.threads)
        self.per_match = max(float(block.metrics[-4].mean()), 1.0)
        deals = TRIAL_WORK / (self.per_match * task.players * len(task.held) * 4)
        self.trial = int(max(min(deals, TRIAL), FEWEST_TRIAL))
        if any(one.is_marked for many in self.features.values() for one in many):
            self._choose()

    @property
    def best(self) -> Strategy:
        """The best policy so far."""
        return self.found[-1]

    @property
    def learner(self) -> SeatPolicy:
        """A policy with the features that are recorded."""
        features = {k: tuple(one.function for one in many) for k, many in self.features.items()}
        base = self.task.base.seat_policy(self.task.options)
        return SeatPolicy("recorded", network=Network(self.task.players, features), base=base)

    @property
    def matches(self) -> int:
        """Of how many matches the next step records a decision."""
        cost = 1 if len(self.found) == 1 else LEARNED_COST
        matches = int(WORK / (self.per_match * (1 + TRIES / 2) * cost))
        return max(min(matches, MOST_ROWS), FEWEST_MATCHES)

    def _choose(self) -> None:
        """Leave of a decision's features the marked ones alone, if these explain more than all."""
        recorded = self.recorded(CHOICE, min(self.matches, TO_CHOOSE))
        self.point = worth_of_a_point(*recorded.values())
        ways: list[tuple[str, list[Feature], Job]] = []
        for decision, features in self.features.items():
            rows = recorded[decision]
            marked = [one for one in features if one.is_marked]
            if len(rows.tried) >= FEWEST_ROWS and any(asks_of_move(one.function) for one in marked):
                ways += [
                    (decision, chosen, self._job(decision, chosen, rows, CHOICE))
                    for chosen in (features, marked)
                ]
        explained: dict[str, float] = {}
        found = fit_all([job for _, _, job in ways], self.task.threads)
        for (decision, chosen, _), fitted in zip(ways, found, strict=True):
            if fitted.explained > explained.get(decision, -1.0):
                explained[decision], self.features[decision] = fitted.explained, chosen

    # ------------------------------------------------------------------------------- one step

    def take(self, earlier: Step | None = None) -> Step:
        """Carry out one step, or repeat one whose networks and trial are known."""
        started = time.perf_counter()
        number = len(self.steps)
        self.pool = [*self.pool, self.recorded(number, self.matches)][-POOLED:]
        self.decisions += sum(len(rows.tried) for rows in self.pool[-1].values())
        if number == 0:
            self.point = worth_of_a_point(*self.pool[0].values())
        step = earlier
        if step is None:
            step = self.fitted_and_tried(number)
            step = replace(step, seconds=time.perf_counter() - started)
        self.steps.append(step)
        if step.is_kept:
            self.found.append(self.strategy(step.networks))
        return step

    def recorded(self, number: int, matches: int) -> dict[str, Rows]:
        """Return what a step records, one decision a match, by its kind."""
        task, learner = self.task, self.learner
        shapes = {decision: self._shapes(features) for decision, features in self.features.items()}
        parts: dict[str, list[Rows]] = {decision: [] for decision in shapes}
        seats = self._tables()
        count = -(-matches // len(seats))
        for table, (lineup, learners) in enumerate(seats):
            cell = replace(self.cell, seats=lineup)
            for start in range(0, count, AT_ONCE):
                records = record(
                    cell,
                    number * BETWEEN_STEPS + table * BETWEEN_TABLES + start,
                    min(AT_ONCE, count - start),
                    learner=learner,
                    seats=learners,
                    tries=TRIES,
                    threads=task.threads,
                )
                for decision, of_it in shapes.items():
                    which = program_of(task.game).decisions[decision]
                    rows = records.take(records.decision == which)
                    parts[decision].append(packed(rows, of_it, self.words))
        return {decision: joined(many) for decision, many in parts.items()}

    def _tables(self) -> list[tuple[tuple[Strategy, ...], list[int]]]:
        """Return the line-ups that are recorded, each with the seats of the policy that learns."""
        players, best = self.task.players, self.best
        if self.task.against:
            others = [
                tuple(lineup[k % len(lineup)] for k in range(players - 1))
                for lineup in self.task.against
            ]
            return [
                ((*rest[:seat], best, *rest[seat:]), [seat])
                for rest in others
                for seat in range(players)
            ]
        if len(self.found) == 1:
            return [((best,) * players, list(range(players)))]
        made = []
        for other in self.found[:-1]:
            for held in tables(players):
                for turn in range(players):
                    mine = {(turn + k * players // held) % players for k in range(held)}
                    lineup = tuple(best if seat in mine else other for seat in range(players))
                    made.append((lineup, sorted(mine)))
        return [*made, *[((best,) * players, list(range(players)))] * players]

    def fitted_and_tried(self, number: int) -> Step:
        """Fit networks to all rows, and compare them with the best policy on fresh deals."""
        rows = {
            decision: joined([step[decision] for step in self.pool]) for decision in self.features
        }
        count = sum(len(some.tried) for some in rows.values())
        jobs = {
            decision: self._job(decision, self.features[decision], some, number)
            for decision, some in rows.items()
            if len(some.tried) >= FEWEST_ROWS
        }
        found = fit_all(list(jobs.values()), self.task.threads)
        networks = {
            decision: fitted
            for decision, fitted in zip(jobs, found, strict=True)
            if fitted.explained > 0
        }
        if not networks:
            return Step({}, None, count, 0.0)
        return Step(networks, self.tried(self.strategy(networks), number), count, 0.0)

    def _job(self, decision: str, chosen: list[Feature], rows: Rows, number: int) -> Job:
        """Return what is fitted for a decision, with some of its features."""
        features = self.features[decision]
        results = results_of(rows, self.point, self.task.players)
        places = [features.index(one) for one in chosen]
        seed = (self.task.seed, number, list(self.features).index(decision))
        return Job(self._shapes(features), self.words, places, rows, results, seed)

    def _shapes(self, features: Sequence[Feature]) -> list[Shape]:
        """Return where the words of features stand, those of the state first."""
        shapes, counts, columns = list[Shape](), [0, 0], [0, 0]
        for one in features:
            is_of_move = asks_of_move(one.function)
            most = MOST_MOVES if one.name == "move_" else MOST_VALUES
            at, column = counts[is_of_move] * self.words, columns[is_of_move]
            shapes.append(Shape(one.kind, at, column, is_of_move, most))
            counts[is_of_move] += 1
            columns[is_of_move] += columns_of(one.kind, self.words)
        return shapes

    def parts(self, networks: Mapping[str, Fitted]) -> Learned:
        """Return what a file declares of some networks; its features are `Feature`s."""
        return Learned(
            str(self.task.base),
            self.task.players,
            {
                decision: [(self.features[decision][code[0]], *code[1:]) for code in fitted.codes]
                for decision, fitted in networks.items()
            },
            {decision: fitted.weights for decision, fitted in networks.items()},
        )

    def strategy(self, networks: Mapping[str, Fitted]) -> Strategy:
        """Return the policy of some networks."""
        task, parts = self.task, self.parts(networks)
        functions = {
            decision: [(code[0].function, *code[1:]) for code in codes]
            for decision, codes in parts.features.items()
        }
        network = replace(parts, features=functions).network(program_of(task.game))
        idea = f"learned from {task.base} by `cardlab train`"
        made = Policy(
            task.game.name,
            self.name,
            idea,
            at_random,
            learned=parts,
            network=network,
            base=task.base,
        )
        return Strategy(made)

    def tried(self, candidate: Strategy, number: int) -> Interval:
        """Return what a policy wins more than the best one so far, on deals of this step."""
        first = TRIAL_DEALS + number * BETWEEN_TABLES
        now, before = list[Wins](), list[Wins]()
        for bench in self.benches():
            now += wins_at_tables(bench, candidate, self.trial, first, self.task.held)
            before += wins_at_tables(bench, self.best, self.trial, first, self.task.held)
        return gain(now, before)

    def benches(self) -> list[Bench]:
        """Return who sits beside a policy in its trial."""
        task = self.task
        beside = list(task.against)
        if not beside:
            beside = [(task.base,)] if len(self.found) == 1 else [(task.base,), (self.best,)]
        return [Bench(task.game, task.options, other, task.seed, task.threads) for other in beside]

    # --------------------------------------------------------------------------------- the end

    def strength(self) -> tuple[Wins, ...]:
        """Return what the best policy wins at each table beside the base policy, on fresh deals."""
        task = self.task
        deals = int(max(STRENGTH * self.trial / TRIAL, FEWEST_TRIAL))
        bench = Bench(task.game, task.options, self.benches()[0].opponents, task.seed, task.threads)
        return wins_at_tables(bench, self.best, deals, FRESH_DEALS, task.held)


def train(
    task: Task,
    folder: Path,
    *,
    steps: int | None = None,
    seconds: float | None = None,
    marked: Mapping[str, Function] | None = None,
    name: str = "trained",
    earlier: Sequence[Step] = (),
    watch: Callable[[Training, Step], None] = lambda _training, _step: None,
) -> Training:
    """Train a policy for so many steps, or as many whole ones as fit into some seconds.

    Parameters
    ----------
    earlier : sequence of Step
        The first steps, carried out by a training that was stopped.
    watch : callable
        Called after each step.
    """
    training = Training(task, folder, marked or {}, name)
    spent = longest = 0.0
    while steps is None or len(training.steps) < steps:
        number = len(training.steps)
        if seconds is not None and steps is None and number and spent + longest > seconds:
            break
        step = training.take(earlier[number] if number < len(earlier) else None)
        spent, longest = spent + step.seconds, max(longest, step.seconds)
        watch(training, step)
    return training


def step_document(step: Step) -> dict[str, Any]:
    """Return a step as JSON values."""
    return {
        "networks": {
            decision: {
                "codes": [list(code) for code in fitted.codes],
                "inputs": len(fitted.weights.inputs),
                "weights": fitted.weights.text(),
                "explained": fitted.explained,
                "rows": fitted.rows,
            }
            for decision, fitted in step.networks.items()
        },
        "gain": None if step.gain is None else asdict(step.gain),
        "rows": step.rows,
        "seconds": step.seconds,
    }


def read_step(document: Mapping[str, Any]) -> Step:
    """Return a step that `step_document` has written."""
    networks = {
        decision: Fitted(
            [tuple(code) for code in of_it["codes"]],
            Weights.read(of_it["weights"], int(of_it["inputs"])),
            float(of_it["explained"]),
            int(of_it["rows"]),
        )
        for decision, of_it in document["networks"].items()
    }
    gain = None if document["gain"] is None else Interval(**document["gain"])
    return Step(networks, gain, int(document["rows"]), float(document["seconds"]))
