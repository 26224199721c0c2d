"""Errors in the user's input, whose messages a person reads.

Input is checked once, at the border (command line, study file, `batch.simulate`). Kernels
never raise; they return a status.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """A refused input; the message has its name, its value and the allowed values."""


class PolicyError(InputError):
    """A policy returned a move that is not legal."""


class UnsteadyError(PolicyError):
    """Compiled and interpreted play of a policy differ."""


class DataError(InputError):
    """Stored results are damaged, foreign or belong to another study."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most similar to `name`, or None."""
    matches = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return matches[0] if matches else None


def unknown(kind: str, name: object, known: Iterable[str], where: str = "") -> InputError:
    """Build the error for an unknown name.

    Parameters
    ----------
    kind : str
        What the name should be: "policy", "option", "study key".
    name : object
        The name as given.
    known : iterable of str
        The known names, in the order to list them.
    where : str
        Where the name was looked up, as in "for up".
    """
    names = list(known)
    guess = nearest(str(name), names)
    place = f" {where}" if where else ""
    hint = f"; did you mean {guess!r}?" if guess else ";"
    return InputError(f"unknown {kind} {str(name)!r}{place}{hint} known: {', '.join(names)}")
