"""`cardlab schema`: what a study file may hold, for editors."""

from __future__ import annotations


def schema() -> None:
    """Print the JSON Schema of a study file, with the options of every game.

    With it an editor checks and completes a study: cardlab schema > study.schema.json, and
    '#:schema study.schema.json' in the first line of the study beside it.
    """
    from studies.design.schema import schema_text

    print(schema_text(), end="")
