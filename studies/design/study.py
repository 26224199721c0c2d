"""The study file, checked key by key.

A study is a TOML document (its form: docs/reference/study-file.md). `load_study` reads one from a
file or from the library that ships with cardlab, and checks it. Options and line-ups are only
checked for their form here; `studies.design.cells` resolves them against the game's rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any, cast

from pydantic import BaseModel, Field, ValidationError

from simcore.catalogue import get_game
from simcore.errors import DataError, InputError, nearest, unknown
from simcore.files import read_regular
from simcore.game import Game, game_names
from simcore.records import COMMON_COUNTS
from studies.design.document import read_document, shorten
from studies.design.keys import (
    Compare,
    Factors,
    Goal,
    Line,
    Lineup,
    MeasureTable,
    Name,
    OptionTable,
    OptionValues,
    Population,
    Table,
    check_margins,
    named_margins,
)
from studies.manifest import read_manifest
from studies.measures import BASELINE, Measure, parse_measures

LIBRARY = Path(__file__).parent.parent / "library"
STUDY, CELLS = "study.toml", "cells.parquet"
"""Files by which a study directory is recognised."""

TITLE, RULES = "title", "rules"
"""Keys of a variant that are not options: its title in a report, and a rule file."""

MATCH_COLUMNS = ("match", "rotation", "first_seat", "winners", "aborted")
"""Columns of every game's matches, besides scores, metrics and `simcore.records.COMMON_COUNTS`."""

LARGEST_SEED = 2**63 - 1
LARGEST_MATCHES = 10**12
LARGEST_BLOCK = 10**8
SCHEMA = "https://json-schema.org/draft/2020-12/schema"


class Study(Table):
    """A checked study.

    Attributes
    ----------
    matches : int
        Match numbers (deals) of each cell; a rotated cell plays each once in every rotation.
    options, sweep, variants, factors
        As in the file, by name; the game has not resolved the values yet.
    population : Population or None
        A population from which tables are drawn besides `lineups`; see `studies.design.population`.
    goal : Goal or None
        The precision at which cells stop early; `matches` is then the maximum.
    compare : Compare or None
        Margins of equivalence, the reference line-up, seconds per turn; they may be changed after
        playing.
    measures : dict or str
        Measures of each match besides the game's metrics; `study_measures` has them parsed.
    rows : bool
        Whether a row per match is stored, or sums over blocks alone.
    block : int or None
        Match numbers per part; by default from `studies.run.blocks`.
    name : str
        Name of the file or the library entry, and of the default output directory.
    document : dict
        The document as run, all `--set` changes applied.
    """

    title: Line = Field(default="", description="a text in one line")
    game: str = Field(description="one of " + ", ".join(game_names()))
    rules: Line | list[Line] | None = Field(
        default=None,
        description='the path of a file of rules of one\'s own, as in "pairs.py", or a list of '
        "them; in a variant: the file that it adds",
    )
    seed: int = Field(default=1, ge=0, le=LARGEST_SEED, description="a whole number 0…2^63 - 1")
    matches: int = Field(
        default=10_000,
        ge=1,
        le=LARGEST_MATCHES,
        description=f"a whole number 1…{LARGEST_MATCHES:_}",
    )
    options: OptionTable = Field(default={}, description="a table of option = value")
    sweep: dict[str, OptionValues] = Field(
        default={},
        description='a table of option = [values] or "policy.parameter" = [values]',
    )
    variants: dict[Name, OptionTable] = Field(
        default={},
        description="a table of name = { option = value }, names in one line; title = a text for "
        "reports",
    )
    factors: Factors | None = Field(
        default=None,
        description="a table of design and option = [levels], the first that of unchanged rules",
    )
    lineups: list[Lineup] = Field(
        default=[],
        description="one [[lineups]] table or more, with name, seats, rotate; none: random play, "
        "or the tables of [population]",
    )
    population: Population | None = Field(
        default=None,
        description="a table with policies (a weight for each) and tables (how many are drawn)",
    )
    goal: Goal | None = Field(default=None, description="a table with half_width")
    compare: Compare | None = Field(
        default=None, description="a table with margin, reference, seconds"
    )
    measures: dict[Name, Line | MeasureTable] | Line = Field(
        default={},
        description='a table of name = "expression of a match\'s columns" (SQL), as in long = '
        '"turns > 60", or name = { value = "…", of = "…", low, high, meaning }; or the path of a '
        "Python file, each public function of which is a measure",
    )
    rows: bool = Field(
        default=True, description="true (a row for each match), false (sums over blocks alone)"
    )
    block: int | None = Field(
        default=None,
        ge=1,
        le=LARGEST_BLOCK,
        description=f"match numbers a part, a whole number 1…{LARGEST_BLOCK:_}",
    )
    name: str = Field(default="", exclude=True)
    document: dict[str, Any] = Field(default={}, exclude=True)
    described: dict[str, Any] = Field(default={}, exclude=True)

    @property
    def known_game(self) -> Game:
        """The game, from the description in the study's directory or loaded by name."""
        game: Game = self.described.get(self.game) or get_game(self.game)
        return game

    @cached_property
    def study_measures(self) -> tuple[Measure, ...]:
        """The measures of the study."""
        if isinstance(self.measures, str):
            return parse_measures(functions_of(self.measures))
        tables = {
            name: table if isinstance(table, str) else table.model_dump(exclude_none=True)
            for name, table in self.measures.items()
        }
        return parse_measures(tables, _columns(self.known_game))

    @property
    def changes(self) -> dict[str, OptionTable]:
        """The changes of each variant: option -> value."""
        return {
            name: {key: value for key, value in table.items() if key not in (TITLE, RULES)}
            for name, table in self.variants.items()
        }

    def game_of(self, variant: str) -> str:
        """Return the game that a variant plays, with its rule file if it has one."""
        return changed_game(self.game, self.variants[variant].get(RULES))

    @property
    def titles(self) -> dict[str, str]:
        """The titles of variants, if given."""
        return {name: str(table[TITLE]) for name, table in self.variants.items() if TITLE in table}


def changed_game(game: str, rules: object) -> str:
    """Return the name of a game with rule files added."""
    if rules is None:
        return game
    # The compiler, which parses rule files, is imported only if there are any.
    from simcore.userfiles.rule_overrides import with_rules

    listed: list[Any] = rules if isinstance(rules, list) else [rules]
    if not listed or not all(isinstance(path, str) for path in listed):
        raise InputError(
            f"study key rules = {shorten(_written(rules))} is refused; allowed: the path of a "
            'file, as in "pairs.py", or a list of them'
        )
    return with_rules(game, listed)


def _game_played(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the name of a document's game, with the rule files that change it."""
    game = document.get("game")
    if not isinstance(game, str):
        return {}
    return {"game": changed_game(game, document.get(RULES))}


def functions_of(path: str) -> dict[str, object]:
    """Return the public functions of a Python file, by name: measures of a study."""
    from simcore.userfiles.loading import load_user_file
    from simcore.userfiles.user_games import file_at

    if not path.endswith(".py"):
        raise InputError(
            f"study key measures = {path!r} is refused; allowed: a table, or the path of a Python "
            "file, as in measures.py"
        )
    try:
        loaded = load_user_file("measures", file_at(path))
    except InputError as error:
        raise InputError(f"study key measures: {error}") from None
    functions: dict[str, object] = {
        name: value
        for name, value in vars(loaded.module).items()
        if isinstance(value, FunctionType)
        and not name.startswith("_")
        and value.__module__ == loaded.module.__name__
    }
    for name, value in functions.items():
        value.__dict__["identity"] = f"{name} {loaded.digest}"  # see `studies.measures.identity`
    if not functions:
        raise InputError(
            f"study key measures: {path} has no function; allowed: one for each measure, which "
            "takes the columns of a block of matches and returns an array"
        )
    return functions


def _columns(game: Game) -> list[str]:
    scores = [f"score_{seat}" for seat in range(game.players.high)]
    return [*MATCH_COLUMNS, *scores, *game.metric_names, *COMMON_COUNTS]


_KEYS = tuple(key for key in Study.model_fields if key not in ("name", "document", "described"))


def library_names() -> list[str]:
    """Return the names of the studies that ship with cardlab."""
    return sorted(path.stem for path in LIBRARY.glob("*.toml"))


def find_study(where: str) -> Path:
    """Return the file of a study given by path or by its name in the library."""
    path = Path(where)
    try:
        is_directory, is_file = path.is_dir(), path.is_file()
        has_study = is_directory and (path / STUDY).is_file()
    except (OSError, ValueError) as error:
        raise InputError(f"study {shorten(where)!r} cannot be read: {error}") from None
    if is_file:
        return path
    if is_directory and where not in library_names():
        raise InputError(
            f"study {shorten(where)!r} is a directory; allowed: a study file (TOML)"
            + (f", as in {path / STUDY}" if has_study else "")
        )
    if where in library_names():
        return LIBRARY / f"{where}.toml"
    guess = nearest(where.removesuffix(".toml"), library_names())
    raise InputError(
        f"study {shorten(where)!r} is neither a file nor in the library"
        + (f"; did you mean {guess!r}?" if guess else ";")
        + f" known: {', '.join(library_names())}"
    )


def load_study(where: str) -> Study:
    """Read and check a study."""
    document, name, place = study_document(where)
    return check_study(document, name=name, where=place)


def study_document(where: str) -> tuple[dict[str, Any], str, str]:
    """Return the document of a study that is not checked yet, its name, and where it is."""
    path = find_study(where)
    _check_unchanged(path)
    return read_document(path), path.stem, str(path)


def directory_of(path: Path) -> Path | None:
    """Return the study directory of a `study.toml`; None for any other file."""
    return path.parent if path.name == STUDY and (path.parent / CELLS).is_file() else None


def _check_unchanged(path: Path) -> None:
    """Refuse the `study.toml` of a study directory if it was modified."""
    if directory_of(path) is None:
        return
    manifest = read_manifest(path.parent)
    if manifest is None or STUDY not in manifest.files:
        return
    try:
        why = manifest.fault(STUDY, read_regular(path))
    except OSError:
        return  # reading the document says why
    if why:
        raise DataError(
            f"{path} is damaged ({why}), or was changed by hand. To run the study as it was, "
            f"give the file that it came from, with --out {path.parent}; to run a changed one, "
            "change keys with --set, or copy the file to another place"
        )


def check_study(
    document: Mapping[str, Any],
    *,
    name: str = "",
    where: str = "",
    stored: bool = False,
    described: Mapping[str, Game] | None = None,
) -> Study:
    """Check a document and return the study.

    Parameters
    ----------
    stored : bool
        Whether it was checked and run before, so that a file of measures may be missing.
    described : mapping of str to Game, optional
        The games of users' files, as a study directory describes them.
    """
    place = f"in study {where}" if where else "in the study"
    document = _with_rows(document, place)
    _refuse_removed(document, place)
    _refuse_unknown_keys(document, place)
    try:
        study = Study.model_validate(
            {
                **document,
                **_game_played(document),
                "name": name,
                "document": dict(document),
                "described": dict(described or {}),
            }
        )
    except ValidationError as error:
        raise _refusal(error, document, place) from None
    if study.compare:
        _check_compare(study, place)
    if BASELINE in study.variants:
        raise InputError(
            f"study key variants.{BASELINE} is refused {place}: this name is that of the "
            "unchanged rules, which are always played; allowed: any other name"
        )
    _check_titles(study, place)
    _check_lineups(study, place)
    for key, values in study.sweep.items():
        if not values:
            raise InputError(
                f"study key sweep.{key} = [] is refused {place}; allowed: one value or more"
            )
    if not stored:
        _check_given_once(study, place)
        try:
            study.study_measures  # noqa: B018 (reading them refuses what is none)
        except InputError as error:
            raise InputError(f"{error} ({place})") from None
    return study


def _check_lineups(study: Study, place: str) -> None:
    names = [lineup.name for lineup in study.lineups]
    names += study.population.names if study.population else []
    for lineup, count in Counter(names).items():
        if count > 1:
            raise InputError(
                f"study key lineups.name = {lineup!r} is refused {place}: two line-ups have this "
                "name; allowed: a name for each"
            )


def _check_given_once(study: Study, place: str) -> None:
    """Refuse an option value that no cell would have, because the option is swept."""
    for name in study.options.keys() & study.sweep.keys():
        values = shorten(_written(study.sweep[name]))
        raise InputError(
            f"study key options.{name} = {_written(study.options[name])} is refused {place}: "
            f"sweep.{name} = {values} sets this option; allowed: one of the two"
        )


def _check_titles(study: Study, place: str) -> None:
    for variant, table in study.variants.items():
        title = table.get(TITLE, "-")
        if not isinstance(title, str) or not title.isprintable() or not 0 < len(title) <= 80:
            raise InputError(
                f"study key variants.{variant}.{TITLE} = {title!r} is refused {place}; allowed: a "
                "text of at most 80 letters in one line"
            )


def _check_compare(study: Study, place: str) -> None:
    assert study.compare
    named = study.compare.reference
    drawn = study.population.names if study.population else []
    known = [lineup.name for lineup in study.lineups] + drawn
    if named is not None and named not in known:
        raise unknown("line-up", named, known, f"(study key compare.reference, {place})")
    try:
        check_margins(study.known_game, named_margins(study.compare.margin))
    except InputError as error:
        raise InputError(f"study key compare.margin is refused {place}: {error}") from None


_REMOVED = {
    "coupling": "the k-th card from the stock is the same whoever draws it",
    "sensitivity": "which options matter is told by [factors], with every level of each",
    "goal.anytime": "a cell stops once its ordinary intervals are narrow, without it",
    "goal.best": "compare ranks policies and variants, each with its interval",
}


_DETAIL = {"matches": True, "summary": False}
"""Values of `detail`, the older name of `rows`."""


def _with_rows(document: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Return a document with `rows` in place of its older name."""
    document = dict(document)
    if "detail" not in document:
        return document
    detail = document.pop("detail")
    if "rows" in document or detail not in _DETAIL:
        raise InputError(
            f"study key detail = {shorten(_written(detail))} is refused {place}; allowed: rows = "
            'true (detail = "matches"), or rows = false (detail = "summary"), once'
        )
    return document if _DETAIL[detail] else {**document, "rows": False}


def _refuse_removed(document: Mapping[str, Any], place: str) -> None:
    """Refuse removed keys, and name their replacements."""
    for key, instead in _REMOVED.items():
        node: object = document
        for part in key.split("."):
            node = node.get(part) if isinstance(node, Mapping) else None
        if node is not None:
            raise InputError(f"study key {key} is refused {place}: there is none now; {instead}")


def _refuse_unknown_keys(document: Mapping[str, Any], place: str) -> None:
    for key in document:
        if key in _KEYS:
            continue
        game = document.get("game")
        if isinstance(game, str) and game in game_names() and key in get_game(game).option_names:
            raise InputError(
                f"unknown study key {key!r} {place}; did you mean 'options.{key}'? "
                f"known: {', '.join(_KEYS)}"
            )
        raise unknown("study key", shorten(key), _KEYS, place)


def _refusal(error: ValidationError, document: Mapping[str, Any], place: str) -> InputError:
    errors = error.errors(include_url=False)
    first = next((error for error in errors if error["type"] == "extra_forbidden"), errors[0])
    keys: list[str] = []
    node: Any = document
    for part in first["loc"]:
        known = range(len(node)) if isinstance(node, list) else node
        if isinstance(node, list | Mapping) and part in known:
            node = cast("Any", node)[part]
        elif first["type"] in ("missing", "extra_forbidden"):
            node = None
        else:
            break  # the rest of the location is pydantic's, not the document's
        keys.append(str(part))
    key = ".".join(keys)
    if first["type"] == "extra_forbidden":
        table = f"in {'.'.join(keys[:-1])} {place}"
        known = list(_TABLES.get(keys[0], Study).model_fields)
        return unknown("study key", shorten(keys[-1]), known, table)
    allowed = _allowed(keys, document)
    if first["type"] == "missing":
        return InputError(f"study key {key} is missing {place}; allowed: {allowed}")
    value = shorten(_written(node))
    depth = {"options": 2, "variants": 3, "sweep": 3}.get(keys[0])
    hint = lists_belong(keys, node) if isinstance(node, list) and len(keys) == depth else ""
    return InputError(f"study key {key} = {value} is refused {place}; allowed: {allowed}{hint}")


def lists_belong(keys: Sequence[str], values: Sequence[object]) -> str:
    """Return a hint where lists belong, for the refusal of a list at these keys."""
    if keys[0] == "sweep":
        return ". [sweep] takes one list of values for each key, with no lists in it"
    listed = shorten(", ".join(_written(value) for value in values), 40)
    return f". Lists of values, each to be played, belong under [sweep]: {keys[-1]} = [{listed}]"


def _written(node: object) -> str:
    if isinstance(node, bool):
        return str(node).lower()
    try:
        return repr(node)
    except (RecursionError, ValueError):
        return "something too large to write"


_TABLES: dict[str, type[BaseModel]] = {
    "lineups": Lineup,
    "population": Population,
    "goal": Goal,
    "compare": Compare,
    "factors": Factors,
    "measures": MeasureTable,
}

_VALUES = {
    "options": "a value of that option: a word, a number, true, false",
    "variants": 'a table of option = value, as in { dirty_one = "always" }',
    "sweep": "a list of values, as in [2, 3, 4]",
    "factors": 'a list of levels, as in ["off", "always"]',
}
"""What the keys of a table take that names options."""


def _allowed(keys: list[str], document: Mapping[str, Any]) -> str:
    """Return the allowed values of the deepest described key on a path."""
    at, game = keys[0], document.get("game")
    if len(keys) == {"options": 2, "variants": 3}.get(at) and game in game_names():
        for option in get_game(game).options:
            if option.name == keys[-1]:
                return option.allowed
    table = _TABLES.get(at)
    for key in reversed(keys):
        if table is not None and key in table.model_fields:
            return table.model_fields[key].description or ""
    if at in _VALUES and len(keys) > 1:
        return _VALUES[at]
    return Study.model_fields[at].description or "" if at in Study.model_fields else ""


def study_schema() -> dict[str, Any]:
    """Return the schema of a study file (JSON Schema, draft 2020-12), for editors.

    Options are any name and value there: `check_study` and `studies.design.cells` check them.
    """
    schema = Study.model_json_schema()
    properties = {key: schema["properties"][key] for key in _KEYS}
    properties["game"] = {**properties["game"], "enum": list(game_names())}
    return {
        "$schema": SCHEMA,
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
