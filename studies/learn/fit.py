"""Fit a small network to recorded decisions, in NumPy.

What is fitted is by how much the result of a move differs from the mean of the moves that were
tried in the same position: the luck of the deal and the strength of the position are in no
difference, and need not be learned. One layer of 32 rectified linear units stands beside a linear
part. Gradients are those of Adam (Kingma & Ba 2015, "Adam: a method for stochastic optimization",
ICLR), with a learning rate that falls to zero. The epoch that explains held-out positions best is
taken. Fits run in processes of their own, in which NumPy computes on one thread: small products are
slower on two, and their last digits would depend on how many there are.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from simcore.compiler.networks import FURTHEST, UNIT_ROW, UNITS
from simcore.recording import Records
from strategies.learned import Code, Weights, inputs_of

Array = np.ndarray[Any, Any]

FEWEST_EPOCHS, MOST_EPOCHS = 2, 8
LOOKED_AT = 2_000_000
"""Positions that are looked at in all epochs together, within these bounds."""

BATCH = 1024
RATE = 5e-3
HELD_OUT = 0.1

MOST_VALUES = 32
"""Values of a feature up to which each is an input of its own."""

MOST_MOVES = 256
"""The same for the number of a move."""

FEWEST_ROWS = 500
"""Positions below which nothing is learned."""


class Shape(NamedTuple):
    """What is known of a feature before it was recorded.

    Attributes
    ----------
    kind : str
        "cards", "whole" or "real".
    at : int
        Where its words begin, among those of the state or of a move.
    is_of_move : bool
    most : int
        How many values it may have that are inputs of their own.
    """

    kind: str
    at: int
    is_of_move: bool
    most: int


class Job(NamedTuple):
    """What is to be fitted.

    Attributes
    ----------
    shapes : sequence of Shape
    words : int
        Words of a set of cards.
    chosen : sequence of int
        The places of the features that are inputs, those of the state first.
    records : Records
        Of one decision.
    results : float64[n, tries]
        What came of each move that was tried.
    seed : tuple of int
    """

    shapes: Sequence[Shape]
    words: int
    chosen: Sequence[int]
    records: Records
    results: Array
    seed: tuple[int, ...]


@dataclass(frozen=True)
class Fitted:
    """A network, and how much of what was held out it explains.

    Attributes
    ----------
    codes : list of Code
        With the place of the feature, those of the state first.
    weights : Weights
        As they are written and read again.
    explained : float
        Share of the variance of differences, of positions that were held out.
    rows : int
        Positions that it was fitted to.
    """

    codes: list[Code]
    weights: Weights
    explained: float
    rows: int


class Inputs:
    """Turns the words of features into inputs of a network."""

    def __init__(self, job: Job) -> None:
        self.words = job.words
        self.parts: list[list[tuple[int, Code]]] = [[], []]
        records = job.records
        tried = np.arange(records.move.shape[1])[None] < records.tried[:, None]
        for place in job.chosen:
            shape = job.shapes[place]
            source = records.features[tried] if shape.is_of_move else records.state
            code = (place, *_code_of(shape, source[:, shape.at], job.words))
            self.parts[shape.is_of_move].append((shape.at, code))
        self.codes = [code for part in self.parts for _, code in part]
        self.counts = [sum(inputs_of(code) for _, code in part) for part in self.parts]

    def of(self, part: int, words: Array) -> Array:
        """Return the inputs of features of the state (0) or of moves (1), one row of words each."""
        rows = np.arange(len(words))
        made = np.zeros((len(words), self.counts[part]), np.float32)
        first = 0
        for at, code in self.parts[part]:
            _, kind, low, size = code
            column = words[:, at]
            if kind == "cards":
                raw = np.ascontiguousarray(words[:, at : at + self.words]).view(np.uint8)
                made[:, first : first + int(size)] = np.unpackbits(raw, axis=1, bitorder="little")
            elif kind == "one of":
                made[rows, first + np.clip(column - int(low), 0, int(size) - 1)] = 1
            else:
                x = column if kind == "whole" else np.ascontiguousarray(column).view(np.float64)
                made[:, first] = np.clip((x - low) * size, -FURTHEST, FURTHEST)
            first += inputs_of(code)
        return made


def _code_of(shape: Shape, column: Array, width: int) -> tuple[str, float, float]:
    """Return what a feature means to a network, by the values that it had."""
    if shape.kind == "cards":
        return "cards", 0, 64 * width
    column = np.ascontiguousarray(column)
    if shape.kind == "whole":
        low, high = int(column.min()), int(column.max())
        if high - low < shape.most:
            return "one of", low, high - low + 1
    numbers = column.astype(np.float64) if shape.kind == "whole" else column.view(np.float64)
    spread = float(numbers.std())
    scale = float(f"{1 / spread:.4g}") if spread > 0 else 0.0
    return shape.kind, float(f"{numbers.mean():.4g}"), scale


def fit_all(jobs: Sequence[Job], processes: int) -> list[Fitted]:
    """Fit several networks, in so many processes at once."""
    with ThreadPoolExecutor(max(1, min(processes, len(jobs)))) as pool:
        return list(pool.map(_elsewhere, jobs))


def _elsewhere(job: Job) -> Fitted:
    start = f"import sys; sys.path[:] = {sys.path!r}; from studies.learn.fit import serve; serve()"
    one = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")
    run = subprocess.run(  # noqa: S603 (Python, with our own code)
        [sys.executable, "-W", "ignore", "-c", start],
        input=pickle.dumps(job, protocol=5),
        stdout=subprocess.PIPE,
        env={**os.environ, **one},
        check=True,
    )
    fitted: Fitted = pickle.loads(run.stdout)  # noqa: S301 (from the process started above)
    return fitted


def serve() -> None:
    """Fit the network that the standard input asks for."""
    job = pickle.load(sys.stdin.buffer)  # noqa: S301 (from the process that started this one)
    sys.stdout.buffer.write(pickle.dumps(fit(job)))


def fit(job: Job) -> Fitted:
    """Fit a network to the decisions of one kind."""
    records, results = job.records, job.results
    rng = np.random.default_rng(job.seed)
    inputs = Inputs(job)
    is_tried = np.arange(results.shape[1])[None] < records.tried[:, None]
    wanted = _differences(results, is_tried)
    order = rng.permutation(len(results))
    held, rest = np.split(order, [int(HELD_OUT * len(order))])
    net = _Net(inputs, rng)
    best: tuple[float, list[Array]] = (-np.inf, net.parameters)
    epochs = min(max(LOOKED_AT // len(rest), FEWEST_EPOCHS), MOST_EPOCHS)
    total = epochs * max(len(rest) // BATCH, 1)
    for _ in range(epochs):
        rest = rng.permutation(rest)
        for start in range(0, max(len(rest) - BATCH, 0) + 1, BATCH):
            rows = rest[start : start + BATCH]
            rate = RATE * max(1 - net.steps / total, 0.0) + RATE / 100
            net.learn(records, rows, wanted[rows], is_tried[rows], rate)
        explained = net.explained(records, held, wanted[held], is_tried[held])
        if explained > best[0]:
            best = explained, [part.copy() for part in net.parameters]
    for part, (_, square) in zip(best[1], net.moments, strict=True):
        part[square == 0] = 0  # what never occurred has learned nothing
    state, of_move, bias, output = (part.astype(np.float64) for part in best[1])
    weights = Weights(np.concatenate([state, of_move]), bias, output)
    as_written = Weights.read(weights.text(), len(weights.inputs))
    return Fitted(inputs.codes, as_written, best[0], len(results))


def _differences(results: Array, is_tried: Array) -> Array:
    """Return results less the mean of their row, 0 where nothing was tried."""
    mean = np.where(is_tried, results, 0).sum(1) / is_tried.sum(1)
    return np.where(is_tried, results - mean[:, None], 0).astype(np.float32)


class _Net:
    """A network while it is fitted; its parameters are those of `Weights`, inputs in two parts."""

    def __init__(self, inputs: Inputs, rng: np.random.Generator) -> None:
        self.inputs = inputs
        state, of_move = inputs.counts[0], inputs.counts[1] + 1  # the last: the base's move
        scale = np.sqrt(1.0 / max(len(inputs.codes), 1))
        self.parameters = [
            (rng.normal(size=(state, UNIT_ROW)) * scale).astype(np.float32),
            (rng.normal(size=(of_move, UNIT_ROW)) * scale).astype(np.float32),
            np.zeros(UNIT_ROW, np.float32),
            (rng.normal(size=UNITS) * np.sqrt(0.3 / UNITS)).astype(np.float32),
        ]
        for part in self.parameters[:2]:
            part[:, UNITS] = 0
        self.moments = [(np.zeros_like(part), np.zeros_like(part)) for part in self.parameters]
        self.steps = 0

    def layers(self, records: Records, rows: Array) -> tuple[Array, Array, Array, Array]:
        """Return the inputs of the state and of the moves, the sums of units, and the worths."""
        tries = records.move.shape[1]
        state, of_move, bias, output = self.parameters
        x = self.inputs.of(0, records.state[rows])
        features = records.features[rows].reshape(len(rows) * tries, -1)
        is_base = records.move[rows] == records.base[rows][:, None]
        y = np.column_stack([self.inputs.of(1, features), is_base.reshape(-1, 1)])
        y = y.astype(np.float32)
        sums = (y @ of_move).reshape(len(rows), tries, UNIT_ROW) + (x @ state + bias)[:, None]
        worth = np.maximum(sums[:, :, :UNITS], 0) @ output + sums[:, :, UNITS]
        return x, y, sums, worth

    def learn(
        self, records: Records, rows: Array, wanted: Array, is_tried: Array, rate: float
    ) -> None:
        """Take a step down the gradient of the squared error."""
        x, y, sums, worth = self.layers(records, rows)
        error = _differences(worth, is_tried) - wanted
        error = (_differences(error, is_tried) / is_tried.sum())[:, :, None]
        active = np.maximum(sums[:, :, :UNITS], 0)
        back = np.concatenate(
            [error * self.parameters[3] * (active > 0), error], axis=2, dtype=np.float32
        )
        of_state = back.sum(1)
        slopes = [
            x.T @ of_state,
            y.T @ back.reshape(-1, UNIT_ROW),
            of_state.sum(0),
            (active * error).sum((0, 1)),
        ]
        self.steps += 1
        for part, slope, (mean, square) in zip(self.parameters, slopes, self.moments, strict=True):
            mean[:] += 0.1 * (slope - mean)
            square[:] += 0.001 * (slope * slope - square)
            step = mean / (1 - 0.9**self.steps)
            part[:] -= rate * step / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)

    def explained(self, records: Records, rows: Array, wanted: Array, is_tried: Array) -> float:
        """Return which share of the variance of differences the network explains."""
        left = 0.0
        for part in range(0, len(rows), 4 * BATCH):
            some = slice(part, part + 4 * BATCH)
            worth = self.layers(records, rows[some])[3]
            left += float(((_differences(worth, is_tried[some]) - wanted[some]) ** 2).sum())
        return 1 - left / max(float((wanted**2).sum()), 1e-12)


def worth_of_a_point(records: Records) -> float:
    """Return by how much the share of the win grows with a point of the margin.

    It is the slope of the share in the margin, of matches that were over at the end of the round:
    so far as a match goes on, what it is worth to be ahead.
    """
    over = records.is_over[:, 0] > 0
    share, margin = records.share[over, 0], records.margin[over, 0]
    if len(share) < 2 or margin.std() == 0:
        return 1.0
    return max(float(np.cov(share, margin)[0, 1] / margin.var(ddof=1)), 0.0)


def results_of(records: Records, point: float, players: int) -> Array:
    """Return what came of each move: its share of the win, and what its margin is worth."""
    share = np.where(records.is_over > 0, records.share, 1 / players)
    return share + point * records.margin
