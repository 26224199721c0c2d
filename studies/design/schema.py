"""The JSON Schema of a study file, for editors: its keys, from `Study`.

Options are any name and value here: `check_study` and `studies.design.cells` check them.
"""

from __future__ import annotations

from typing import Any

from simcore.game import game_names
from studies.design.study import Study

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_NOT_IN_FILES = ("name", "document")


def study_schema() -> dict[str, Any]:
    """Return the schema of a study file (JSON Schema, draft 2020-12)."""
    schema = Study.model_json_schema()
    properties = {
        key: part for key, part in schema["properties"].items() if key not in _NOT_IN_FILES
    }
    properties["game"] = {**properties["game"], "enum": list(game_names())}
    return {
        "$schema": DRAFT,
        "title": "cardlab study",
        "type": "object",
        "additionalProperties": False,
        "required": schema["required"],
        "properties": properties,
        "$defs": {
            name: {key: value for key, value in part.items() if key != "description"}
            for name, part in schema["$defs"].items()
        },
    }
