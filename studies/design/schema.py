"""The JSON Schema of a study file, for editors: keys from `Study`, options from every game.

It knows less than `check_study` and `studies.design.cells`, which judge combinations, too.
"""

from __future__ import annotations

from typing import Any

from simcore.game import Game, game_names, get_game
from simcore.options import (
    BoolOption,
    ChoiceOption,
    FileOption,
    IntOption,
    Option,
    ProbabilityOption,
)
from studies.design.study import RULES, TITLE, Study

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_NOT_IN_FILES = ("name", "document")

Schema = dict[str, Any]


def study_schema() -> Schema:
    """Return the schema of a study file (JSON Schema, draft 2020-12)."""
    whole = Study.model_json_schema()
    properties = {
        key: part for key, part in whole["properties"].items() if key not in _NOT_IN_FILES
    }
    properties["game"] = {**properties["game"], "enum": list(game_names())}
    return {
        "$schema": DRAFT,
        "title": "cardlab study",
        "type": "object",
        "additionalProperties": False,
        "required": whole["required"],
        "properties": properties,
        "allOf": [_of_game(get_game(name)) for name in game_names()],
        "$defs": {
            **{name: _without_doc(part) for name, part in whole["$defs"].items()},
            **{f"{name}_options": _options(get_game(name)) for name in game_names()},
            **{f"{name}_variant": _variant(get_game(name)) for name in game_names()},
        },
    }


def _without_doc(part: Schema) -> Schema:
    return {key: value for key, value in part.items() if key != "description"}


def _of_game(game: Game) -> Schema:
    options = {"$ref": f"#/$defs/{game.name}_options"}
    swept = {option.name: _several(_value(option), 1) for option in game.options}
    parameter = _several({"type": "number"}, 1)
    return {
        "if": {"properties": {"game": {"const": game.name}}, "required": ["game"]},
        "then": {
            "properties": {
                "options": options,
                "variants": {"additionalProperties": {"$ref": f"#/$defs/{game.name}_variant"}},
                "factors": {
                    "properties": {"design": {}, **_levels(game)},
                    "additionalProperties": False,
                },
                "sweep": {
                    "properties": swept,
                    "patternProperties": {r"\.": parameter},
                    "additionalProperties": False,
                },
            }
        },
    }


def _levels(game: Game) -> Schema:
    return {option.name: _several(_value(option), 2) for option in game.options}


def _several(value: Schema, fewest: int) -> Schema:
    """Return what takes a list of values; one alone where one is enough."""
    listed = {"type": "array", "minItems": fewest, "items": value}
    return {"anyOf": [listed, value]} if fewest == 1 else listed


def _options(game: Game) -> Schema:
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {option.name: _value(option) for option in game.options},
    }


def _variant(game: Game) -> Schema:
    title = {"type": "string", "minLength": 1, "maxLength": 80, "description": "for reports"}
    options = _options(game)
    rules = {"type": "string", "description": "the path of a file of rules of your own"}
    own = {TITLE: title, RULES: rules}
    return {**options, "properties": {**own, **options["properties"]}}


def _value(option: Option) -> Schema:
    """Return what an option takes, with its meaning and default."""
    told = {"description": f"{option.meaning}: {option.allowed}", "default": option.default}
    forms: list[Schema] = []
    match option:
        case IntOption():
            forms.append({"type": "integer", "minimum": option.low, "maximum": option.high})
        case ChoiceOption():
            forms.append({"enum": list(option.values)})
        case BoolOption():
            forms.append({"type": "boolean"})
        case ProbabilityOption():
            chance: Schema = {"type": "number", "minimum": 0, "maximum": 1}
            forms.append(chance)
            if option.per_seat:
                forms.append({"type": "array", "items": chance})
        case FileOption():
            forms.append({"type": "string"})
        case _:
            return told
    if getattr(option, "none_allowed", False):
        forms.append({"const": "none"})
    return {**told, **(forms[0] if len(forms) == 1 else {"anyOf": forms})}
