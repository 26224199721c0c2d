"""Write a learned policy as a file that any command takes, with its weights and its record."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from pprint import pformat
from typing import Any

from strategies.learned import Learned, Weights
from studies.learn.features import HEADER, Feature

WIDTH = 100
IMPORTED = "from cardlab import learned\n"


def policy_file(
    game: str,
    name: str,
    idea: str,
    parts: Learned,
    prose: Iterable[str],
    *,
    record: Mapping[str, Any],
) -> str:
    """Return the text of a policy file.

    Parameters
    ----------
    game : str
        Its name, or the name of its file.
    parts : Learned
        Whose features are `Feature`s.
    prose : iterable of str
        Paragraphs that say how it was trained and how strong it is.
    record : mapping
        The same as data.
    """
    every = {code[0]: None for codes in parts.features.values() for code in codes}
    imports: dict[str, list[str]] = {}
    for one in every:
        if one.source.startswith("from "):
            imports.setdefault(one.source.split()[1], []).append(one.name)
    functions = {one.source: None for one in every if one.source.startswith("def ")}
    features = "".join(
        f'        "{decision}": [\n{"".join(map(_code, codes))}        ],\n'
        for decision, codes in parts.features.items()
    )
    weights = "".join(
        f'        "{decision}": """\n{_wrapped(of_it)}\n""",\n'
        for decision, of_it in parts.weights.items()
    )
    title = f"{name}: {idea}."
    told = "\n\n".join(textwrap.fill(part, WIDTH) for part in (title, *prose))
    return (
        f'"""{told}\n"""\n\n'
        f"{IMPORTED}{HEADER}"
        + "".join(map(_import, imports, imports.values()))
        + "".join(f"\n\n{source}" for source in functions)
        + f"\n\nlearned(\n    {game!r},\n    name={name!r},\n    idea={idea!r},\n"
        f"    base={parts.base!r},\n    players={parts.players},\n"
        f"    features={{\n{features}    }},\n    weights={{\n{weights}    }},\n"
        f"    record={_indented(record)},\n)\n"
    )


def as_built_in(text: str, name: str) -> str:
    """Return a policy file as a module of `strategies.experts`, where the policy is `expert`."""
    head, _, declared = text.partition("\n\nlearned(\n")
    head = head.replace(f'"""{name}: ', '"""expert: ', 1)
    head = head.replace(f"{IMPORTED}{HEADER}", f"{HEADER}from strategies.learned import declared\n")
    parts = declared[declared.index("    base=") :]
    return f"{head}\n\nLEARNED = declared(\n{parts}"


def _import(module: str, names: list[str]) -> str:
    listed = "".join(f"    {name},\n" for name in sorted(names))
    return f"from {module} import (\n{listed})\n"


def _code(code: tuple[Any, ...]) -> str:
    feature, kind, low, size = code
    name = said(feature)
    return f'            ({name}, "{kind}", {low!r}, {size!r}),\n'


def said(feature: Feature) -> str:
    """Return how a file names a feature: a function of the game's by a text."""
    return feature.name if feature.source else repr(feature.name)


def _wrapped(weights: Weights) -> str:
    text = weights.text()
    return "\n".join(text[k : k + WIDTH] for k in range(0, len(text), WIDTH))


def _indented(record: Mapping[str, Any]) -> str:
    shown = pformat(dict(record), width=WIDTH - 8, sort_dicts=False)
    return textwrap.indent(shown, "    ").strip()
