"""Learned policies: features of the language, and the weights of a network as text.

`cardlab train` writes files that declare one. A feature is a function of the state and a seat, or
of these and a move; or the name of a function of the game. Beside it stands what it means to the
network: a set of cards ("cards", one input each), one of several whole numbers ("one of", the
lowest and how many), or a measured number ("real", its mean and 1 / its standard deviation).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simcore.compiler import networks
from simcore.compiler.networks import (
    CARDS_CODE,
    ONE_OF_CODE,
    REAL_CODE,
    UNIT_ROW,
    UNITS,
    WHOLE_CODE,
)
from simcore.compiler.program import Program
from simcore.compiler.seat_policy import Network, asks_of_move
from simcore.errors import InputError, unknown
from strategies.params import quoted

Code = tuple[Any, str, float, float]
"""A feature (a function, or the name of one), "cards", "one of", "whole" or "real", two numbers."""

KINDS = {"cards": CARDS_CODE, "one of": ONE_OF_CODE, "whole": WHOLE_CODE, "real": REAL_CODE}
LARGEST = 32_767
WIDEST = 4
"""Words of the widest set of cards."""


@dataclass(frozen=True)
class Weights:
    """What a network has learned for one decision.

    Attributes
    ----------
    inputs : float64[n, UNITS + 1]
        To the units and straight to the result; the last input is the base policy's move.
    bias : float64[UNITS + 1]
    output : float64[UNITS]
    """

    inputs: np.ndarray
    bias: np.ndarray
    output: np.ndarray

    def text(self) -> str:
        """Return the weights as text: three scales, then whole numbers of two bytes."""
        scales, parts = list[str](), list[np.ndarray]()
        for part in (self.inputs, self.bias, self.output):
            scale = float(f"{max(float(np.abs(part).max(initial=0.0)), 1e-9) / LARGEST:.6g}")
            scales.append(repr(scale))
            whole = np.clip(np.rint(part / scale), -LARGEST, LARGEST)
            parts.append(whole.astype("<i2").ravel())
        return " ".join([*scales, base64.b85encode(np.concatenate(parts).tobytes()).decode()])

    @classmethod
    def read(cls, text: str, inputs: int) -> Weights:
        """Return the weights of a text; raise ValueError if it is none of so many inputs."""
        *scales, data = text.split(maxsplit=3)
        whole = np.frombuffer(base64.b85decode(re.sub(r"\s", "", data)), "<i2").astype(np.float64)
        ends = [inputs * UNIT_ROW, (inputs + 1) * UNIT_ROW]
        if len(whole) != ends[1] + UNITS:
            raise ValueError(f"{len(whole)} weights")
        parts = np.split(whole, ends)
        first, bias, output = (part * float(x) for part, x in zip(parts, scales, strict=True))
        return cls(first.reshape(inputs, UNIT_ROW), bias, output)


@dataclass(frozen=True)
class Learned:
    """A learned policy as a file declares it.

    Attributes
    ----------
    base : str
        The strategy that it begins with, as in a line-up.
    players : int
        For how many it was trained; with others it plays like `base`.
    features : mapping of sequence of Code
        By decision.
    weights : mapping of Weights
        By decision; none where it was only begun.
    record : mapping
        How it was trained, and how strong it was found.
    """

    base: str
    players: int
    features: Mapping[str, Sequence[Code]]
    weights: Mapping[str, Weights]
    record: Mapping[str, Any] = field(default_factory=dict)

    def network(self, program: Program) -> Network:
        """Return the network in a game."""
        functions: dict[str, tuple[Callable[..., Any], ...]] = {}
        for decision, codes in self.features.items():
            if decision not in program.decisions:
                raise unknown("decision", decision, tuple(program.decisions))
            found = [_function(program, code[0]) for code in codes]
            functions[decision] = tuple(sorted(found, key=asks_of_move))
        return Network(self.players, functions, tuple(self._numbers(program)))

    def _numbers(self, program: Program) -> list[float]:
        """Return the network as `networks` reads it."""
        numbers: list[float] = [0] * networks.MOST_DECISIONS
        for decision, weights in self.weights.items():
            codes = self.features[decision]
            functions = [_function(program, code[0]) for code in codes]
            order = sorted(range(len(codes)), key=lambda k: asks_of_move(functions[k]))
            part, of_move = len(numbers), sum(map(asks_of_move, functions))
            numbers[program.decisions[decision]] = part
            at = part + networks.CODES + networks.CODE * len(codes)
            inputs, bias = len(weights.inputs), at + weights.inputs.size
            numbers += [len(codes) - of_move, of_move, at, bias, bias + UNIT_ROW, inputs - 1]
            firsts = np.cumsum([0, *(inputs_of(code) for code in codes)]).tolist()
            for k in order:
                _, kind, low, size = codes[k]
                number = float if kind in ("whole", "real") else int
                numbers += [KINDS[kind], firsts[k], number(low), number(size), 0]
            for part_ in (weights.inputs, weights.bias, weights.output):
                numbers += map(float, part_.ravel())
        numbers[networks.SCRATCH] = len(numbers)
        most = max((len(codes) for codes in self.features.values()), default=0)
        return numbers + [0] * (2 * UNIT_ROW + WIDEST * (most + 1))


def inputs_of(code: Code) -> int:
    """Return how many inputs of a network a feature is."""
    return int(code[3]) if code[1] in ("cards", "one of") else 1


def _function(program: Program, feature: Any) -> Any:
    """Return the function of a feature, which may be named."""
    if not isinstance(feature, str):
        return feature
    found = program.space.get(feature)
    if not callable(found):
        known = [name for name, value in program.space.items() if callable(value)]
        raise unknown("feature", feature, known, f"of {program.game.name}")
    return found


def declared(
    base: str,
    players: int,
    features: Mapping[str, Sequence[Code]],
    weights: Mapping[str, str],
    record: Mapping[str, Any] | None = None,
) -> Learned:
    """Return a learned policy as a file declares it, checked.

    Raises
    ------
    InputError
        If features and weights do not fit.
    """
    for decision, codes in features.items():
        untyped: Sequence[Any] = codes  # a file may say anything
        for code in untyped:
            if not isinstance(code, tuple) or len(code) != 4 or code[1] not in KINDS:
                raise InputError(
                    f"feature {quoted(code)} of {decision} is refused; allowed: (function, "
                    f"kind, number, number), the kind one of {', '.join(map(repr, KINDS))}"
                )
    read: dict[str, Weights] = {}
    for decision, text in weights.items():
        if decision not in features:
            raise unknown("decision", decision, tuple(features), "of the features")
        inputs = sum(map(inputs_of, features[decision])) + 1
        try:
            read[decision] = Weights.read(text, inputs)
        except ValueError as error:
            raise InputError(
                f"weights of {decision} are refused ({error}); allowed: the text that `cardlab "
                f"train` writes for {inputs} inputs"
            ) from None
    return Learned(base, players, features, read, record or {})
