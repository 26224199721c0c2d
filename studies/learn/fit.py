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
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simcore.compiler.networks import FURTHEST, UNIT_ROW, UNITS
from strategies.learned import Code, Weights, inputs_of

if TYPE_CHECKING:  # a process that fits needs no compiler
    from simcore.recording import Records

Array = np.ndarray[Any, Any]

FEWEST_EPOCHS, MOST_EPOCHS = 2, 8
LOOKED_AT = 6_000_000
"""Positions that are looked at in all epochs together, within these bounds."""

BATCH = 1024
RATE = 5e-3
DECAYS = (0.0, 3.0)
"""By how much of the learning rate the weights of inputs shrink with each step (Loshchilov & Hutter
2019, "Decoupled weight decay regularization", ICLR), so that what says nothing of a move loses its
weight. Both are tried: one helps with hundreds of inputs, none with few."""

HELD_OUT = 0.1

MOST_VALUES = 8
"""Values of a feature up to which each is an input of its own. Beyond, it is one measured number:
moves differ by a tenth of what luck adds, so a network of few weights is nearer to the truth."""

MOST_MOVES = 256
"""The same for the number of a move."""

FEWEST_ROWS = 500
"""Positions below which nothing is learned."""

LARGEST = 32_767
"""Whole numbers beyond which features count as this."""


class Shape(NamedTuple):
    """What is known of a feature before it was recorded.

    Attributes
    ----------
    kind : str
        "cards", "whole" or "real".
    at, column : int
        Where its words begin, among those of the state or of a move, and its columns in `Rows`.
    is_of_move : bool
    most : int
        How many values it may have that are inputs of their own.
    """

    kind: str
    at: int
    column: int
    is_of_move: bool
    most: int


def columns_of(kind: str, words: int) -> int:
    """Return how many columns of `Rows` a feature takes, in sets of so many words."""
    return {"cards": 4 * words, "real": 2}.get(kind, 1)


class Rows(NamedTuple):
    """Recorded decisions of one kind, in so little room that a step may have a million.

    Attributes
    ----------
    tried : int8[n]
    is_base, is_over : bool[n, tries]
    share, margin : float32[n, tries]
        As in `Records`; `is_base` marks the base policy's move.
    state : int16[n, columns]
    features : int16[n, tries, columns]
    """

    tried: Array
    is_base: Array
    is_over: Array
    share: Array
    margin: Array
    state: Array
    features: Array


def joined(parts: Sequence[Rows]) -> Rows:
    """Return all rows of several."""
    return Rows(*map(np.concatenate, zip(*parts, strict=True)))


def packed(records: Records, shapes: Sequence[Shape], words: int) -> Rows:
    """Return recorded decisions with the given features."""
    parts = []
    for is_of_move, source in enumerate((records.state, records.features)):
        made = [np.empty((*source.shape[:-1], 0), np.int16)]
        for shape in shapes:
            if shape.is_of_move != bool(is_of_move):
                continue
            wide = words if shape.kind == "cards" else 1
            column = np.ascontiguousarray(source[..., shape.at : shape.at + wide])
            if shape.kind == "whole":
                made.append(np.clip(column, -LARGEST, LARGEST).astype(np.int16))
            elif shape.kind == "real":
                made.append(column.view(np.float64).astype(np.float32).view(np.int16))
            else:
                made.append(column.view(np.int16))
        parts.append(np.concatenate(made, axis=-1))
    return Rows(
        records.tried.astype(np.int8),
        records.move == records.base[:, None],
        records.is_over > 0,
        records.share.astype(np.float32),
        records.margin.astype(np.float32),
        *parts,
    )


class Job(NamedTuple):
    """What is to be fitted.

    Attributes
    ----------
    shapes : sequence of Shape
    words : int
        Words of a set of cards.
    chosen : sequence of int
        The places of the features that are inputs, those of the state first.
    rows : Rows
        Of one decision.
    results : float64[n, tries]
        What came of each move that was tried.
    seed : tuple of int
    """

    shapes: Sequence[Shape]
    words: int
    chosen: Sequence[int]
    rows: Rows
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
    """Turns columns of features into inputs of a network."""

    def __init__(self, job: Job) -> None:
        self.words = job.words
        self.parts: list[list[tuple[int, Code]]] = [[], []]
        data = job.rows
        tried = np.arange(data.is_base.shape[1])[None] < data.tried[:, None]
        for place in job.chosen:
            shape = job.shapes[place]
            own = slice(shape.column, shape.column + columns_of(shape.kind, job.words))
            values = data.features[:, :, own][tried] if shape.is_of_move else data.state[:, own]
            code = (place, *_code_of(shape, values, job.words))
            self.parts[shape.is_of_move].append((shape.column, code))
        self.codes = [code for part in self.parts for _, code in part]
        self.counts = [sum(inputs_of(code) for _, code in part) for part in self.parts]

    def of(self, part: int, columns: Array) -> Array:
        """Return the inputs of features of the state (0) or of moves (1), one row each."""
        rows = np.arange(len(columns))
        made = np.zeros((len(columns), self.counts[part]), np.float32)
        first = 0
        for at, code in self.parts[part]:
            _, kind, low, size = code
            wide = columns_of(kind, self.words)
            own = np.ascontiguousarray(columns[:, at : at + wide])
            if kind == "cards":
                bits = np.unpackbits(own.view(np.uint8), axis=1, bitorder="little")
                made[:, first : first + int(size)] = bits
            elif kind == "one of":
                made[rows, first + np.clip(own[:, 0] - int(low), 0, int(size) - 1)] = 1
            else:
                x = own[:, 0] if kind == "whole" else own.view(np.float32)[:, 0]
                made[:, first] = np.clip((x - low) * size, -FURTHEST, FURTHEST)
            first += inputs_of(code)
        return made


def _code_of(shape: Shape, columns: Array, width: int) -> tuple[str, float, float]:
    """Return what a feature means to a network, by the values that it had."""
    if shape.kind == "cards":
        return "cards", 0, 64 * width
    columns = np.ascontiguousarray(columns)
    if shape.kind == "whole":
        low, high = int(columns.min()), int(columns.max())
        if high - low < shape.most:
            return "one of", low, high - low + 1
    numbers = columns if shape.kind == "whole" else columns.view(np.float32)
    spread = float(numbers.std(dtype=np.float64))
    scale = float(f"{1 / spread:.4g}") if spread > 0 else 0.0
    return shape.kind, float(f"{numbers.mean(dtype=np.float64):.4g}"), scale


def fit_all(jobs: Sequence[Job], processes: int) -> list[Fitted]:
    """Fit several networks, in so many processes at once."""
    with ThreadPoolExecutor(max(1, min(processes, len(jobs)))) as pool:
        return list(pool.map(_elsewhere, jobs))


def _elsewhere(job: Job) -> Fitted:
    start = f"import sys; sys.path[:] = {sys.path!r}; from studies.learn.fit import serve; serve()"
    one = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")
    command = [sys.executable, "-W", "ignore", "-c", start]
    with subprocess.Popen(  # noqa: S603 (Python, with our own code)
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **one}
    ) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        pickle.dump(job, run.stdin, protocol=5)  # straight into the pipe: it may be a gigabyte
        run.stdin.close()
        answer = run.stdout.read()
    if run.returncode:
        raise subprocess.CalledProcessError(run.returncode, command)
    fitted: Fitted = pickle.loads(answer)  # noqa: S301 (from the process started above)
    return fitted


def serve() -> None:
    """Fit the network that the standard input asks for."""
    job = pickle.load(sys.stdin.buffer)  # noqa: S301 (from the process that started this one)
    sys.stdout.buffer.write(pickle.dumps(fit(job)))


def fit(job: Job) -> Fitted:
    """Fit a network to the decisions of one kind, with the decay that explains most."""
    return max((_fit(job, decay) for decay in DECAYS), key=lambda fitted: fitted.explained)


def _fit(job: Job, decay: float) -> Fitted:
    data, results = job.rows, job.results
    rng = np.random.default_rng(job.seed)
    inputs = Inputs(job)
    is_tried = np.arange(results.shape[1])[None] < data.tried[:, None]
    wanted = _differences(results, is_tried)
    order = rng.permutation(len(results))
    held, rest = np.split(order, [int(HELD_OUT * len(order))])
    net = _Net(inputs, rng, decay)
    best: tuple[float, list[Array]] = (-np.inf, net.parameters)
    epochs = min(max(LOOKED_AT // len(rest), FEWEST_EPOCHS), MOST_EPOCHS)
    total = epochs * max(len(rest) // BATCH, 1)
    for _ in range(epochs):
        rest = rng.permutation(rest)
        for start in range(0, max(len(rest) - BATCH, 0) + 1, BATCH):
            rows = rest[start : start + BATCH]
            rate = RATE * max(1 - net.steps / total, 0.0) + RATE / 100
            net.learn(data, rows, wanted[rows], is_tried[rows], rate)
        explained = net.explained(data, held, wanted[held], is_tried[held])
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

    def __init__(self, inputs: Inputs, rng: np.random.Generator, decay: float) -> None:
        self.inputs, self.decay = inputs, decay
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

    def layers(self, data: Rows, rows: Array) -> tuple[Array, Array, Array, Array]:
        """Return the inputs of the state and of the moves, the sums of units, and the worths."""
        tries = data.is_base.shape[1]
        state, of_move, bias, output = self.parameters
        x = self.inputs.of(0, data.state[rows])
        features = data.features[rows].reshape(len(rows) * tries, -1)
        is_base = data.is_base[rows].reshape(-1, 1)
        y = np.concatenate([self.inputs.of(1, features), is_base], axis=1, dtype=np.float32)
        sums = (y @ of_move).reshape(len(rows), tries, UNIT_ROW) + (x @ state + bias)[:, None]
        worth = np.maximum(sums[:, :, :UNITS], 0) @ output + sums[:, :, UNITS]
        return x, y, sums, worth

    def learn(self, data: Rows, rows: Array, wanted: Array, is_tried: Array, rate: float) -> None:
        """Take a step down the gradient of the squared error."""
        x, y, sums, worth = self.layers(data, rows)
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
        for part in self.parameters[:2]:
            part[:] *= 1 - rate * self.decay

    def explained(self, data: Rows, rows: Array, wanted: Array, is_tried: Array) -> float:
        """Return which share of the variance of differences the network explains."""
        left = 0.0
        for part in range(0, len(rows), 4 * BATCH):
            some = slice(part, part + 4 * BATCH)
            worth = self.layers(data, rows[some])[3]
            left += float(((_differences(worth, is_tried[some]) - wanted[some]) ** 2).sum())
        return 1 - left / max(float((wanted**2).sum()), 1e-12)


def worth_of_a_point(*kinds: Records | Rows) -> float:
    """Return by how much the share of the win grows with a point of the margin.

    It is the slope of the share in the margin, of matches that were over at the end of the round:
    so far as a match goes on, what it is worth to be ahead.
    """
    over = np.concatenate([rows.is_over[:, 0] > 0 for rows in kinds])
    share = np.concatenate([rows.share[:, 0] for rows in kinds])[over]
    margin = np.concatenate([rows.margin[:, 0] for rows in kinds])[over]
    if len(share) < 2 or margin.std() == 0:
        return 1.0
    return max(float(np.cov(share, margin)[0, 1] / margin.var(ddof=1, dtype=np.float64)), 0.0)


def results_of(rows: Rows, point: float, players: int) -> Array:
    """Return what came of each move: its share of the win, and what its margin is worth."""
    share = np.where(rows.is_over, rows.share, np.float32(1 / players))
    return share + np.float32(point) * rows.margin
