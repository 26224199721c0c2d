"""Errors that a person reads: one exception for everything wrong with what was asked.

Input is checked once, at the border (command line, study file, `batch.simulate`). Kernels
never raise; they return a status.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """Something asked for cannot be done; the message names it, its value and what is allowed."""


class PolicyError(InputError):
    """A policy returned a move that is not legal."""


class UnsteadyError(PolicyError):
    """A policy plays other matches on copies of its records than on the records themselves."""


class DataError(InputError):
    """Stored results are damaged, foreign or belong to another study."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most like `name`, or None when none is similar."""
    matches = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return matches[0] if matches else None


def unknown(kind: str, name: object, known: Iterable[str], where: str = "") -> InputError:
    """Build the error for a name that is not known.

    Parameters
    ----------
    kind : str
        What the name should be: "policy", "option", "study key".
    name : object
        The name as given.
    known : iterable of str
        The names that are known, in the order to list them.
    where : str
        Where it was looked for, as in "for up".
    """
    names = list(known)
    guess = nearest(str(name), names)
    place = f" {where}" if where else ""
    hint = f"; did you mean {guess!r}?" if guess else ";"
    return InputError(f"unknown {kind} {str(name)!r}{place}{hint} known: {', '.join(names)}")
