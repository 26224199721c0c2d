"""Phrases of a user's file: what goes wrong in their functions is told with file and line."""

from __future__ import annotations

import functools
import inspect
import traceback
from collections.abc import Callable, Iterator
from typing import Any

from simcore.compiler.plain import RuleError
from simcore.errors import InputError
from simcore.narration.seen import NotSeen


class PhraseError(RuleError):
    """A phrase that cannot be told."""


def guarded(phrase: Any) -> Any:
    """Return a phrase, or several, whose functions name file and line where they fail."""
    if isinstance(phrase, dict):
        return {key: guarded(value) for key, value in phrase.items()}
    if not inspect.isfunction(phrase):
        return phrase

    @functools.wraps(phrase)
    def call(*given: Any) -> Any:
        text = _tried(phrase, lambda: phrase(*given))
        return _each(phrase, text) if inspect.isgenerator(text) else text

    return call


def _each(phrase: Callable[..., Any], texts: Iterator[Any]) -> Iterator[Any]:
    ended = object()
    while (text := _tried(phrase, lambda: next(texts, ended))) is not ended:
        yield text


def _tried(phrase: Callable[..., Any], make: Callable[[], Any]) -> Any:
    try:
        return make()
    except (NotSeen, InputError):
        raise
    except Exception as error:
        file = phrase.__code__.co_filename
        places = traceback.extract_tb(error.__traceback__)
        lines = [place.lineno for place in places if place.filename == file]
        line = lines[-1] if lines else phrase.__code__.co_firstlineno
        kind = type(error).__name__
        raise PhraseError(f"{file}, line {line}, in phrases: {kind}: {error}") from error
