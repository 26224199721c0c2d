"""The words in which a policy says how it plays (`Policy.spec`), checked: users write some."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

from simcore.errors import InputError
from simcore.records import SPEC_WORDS

PlaySpec = Callable[[Sequence[float]], Sequence[int]]

_INT64 = range(-(1 << 63), 1 << 63)


def words_of(spec: PlaySpec, values: Sequence[float], whose: str) -> tuple[int, ...]:
    """Return how a policy plays with these parameter values.

    Raises
    ------
    InputError
        If there are too many words, one of them is no whole number of 64 bits, or `spec` fails.
    """
    allowed = f"allowed: a sequence of at most {SPEC_WORDS} whole numbers of 64 bits"
    try:
        found = spec(values)
    except Exception as error:  # noqa: BLE001 - a user's function
        said = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise InputError(f"the spec of {whose} fails for {list(values)}: {said}") from None
    try:
        words = tuple(map(operator.index, found))
    except TypeError:
        raise InputError(f"the spec of {whose} is refused: {found!r}; {allowed}") from None
    if len(words) > SPEC_WORDS or any(word not in _INT64 for word in words):
        raise InputError(f"the spec of {whose} is refused: {found!r}; {allowed}")
    return words
