"""What a study directory says of itself: `study.toml` and `provenance.json`, sealed and checked.

Everybody reads the two through this module, so a file that was damaged or changed by hand is
named, wherever it would have been used. A directory that is older than seals has none; what its
files say is checked for its form all the same.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from simcore.errors import DataError, InputError
from studies.design.margins import named_margins
from studies.design.overrides import shorten
from studies.design.study import CELLS, STUDY, Study, check_study
from studies.seal import BLANK, BROKEN, KEY, holds, seal
from studies.store.parts import first_line, write_aside

PROVENANCE = "provenance.json"
_SEAL_LINE = f"\n# {BLANK}\n"


class _Table(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)


class StoredGoal(_Table):
    """The goal that the last run had."""

    half_width: float = Field(gt=0, lt=1)
    anytime: bool = True
    best: bool = False


class StoredStanding(_Table):
    """How a contestant stood when its cell stopped."""

    where: str
    name: str
    leader: str
    spared: int = Field(ge=0)
    matches: int = Field(ge=0)


class StoredStop(_Table):
    """Why a cell is as long as it is; intervals are estimate, low, high."""

    why: Literal["goal", "behind", "matches", "interrupted"]
    deals: int = Field(ge=0)
    goal_reached_at: int | None = Field(default=None, ge=0)
    intervals: dict[str, Annotated[list[float], Field(min_length=3, max_length=3)]] = {}
    contest: StoredStanding | None = None


class StoredStops(_Table):
    """How the cells ended, by cell id."""

    goal: StoredGoal | None
    cells: dict[str, StoredStop]


def _printable(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable())


Words = Annotated[str, AfterValidator(_printable)]


class Provenance(_Table):
    """`provenance.json`; other keys are for people.

    Attributes
    ----------
    title, cardlab, source, time : str
        Of the study and its last run; empty where nothing is told.
    runs : list
        What `studies.store.provenance.describe_run` told of each run.
    stops : StoredStops or None
        None when the last run was killed.
    """

    title: Words = ""
    cardlab: Words = ""
    source: Words = "?"
    time: Words = "?"
    runs: list[dict[str, Any]] = []
    stops: StoredStops | None = None


def read_provenance(directory: Path) -> Provenance:
    """Return what `provenance.json` tells; nothing where there is none.

    Raises
    ------
    DataError
        If it is damaged.
    """
    try:
        return Provenance.model_validate(provenance_document(directory))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(map(str, first["loc"]))
        why = f"key {key}: {first['msg']}" if key else first["msg"]
        raise damaged(directory / PROVENANCE, shorten(why, 120)) from None


def provenance_document(directory: Path) -> dict[str, Any]:
    """Return `provenance.json` as it stands; empty where there is none.

    Raises
    ------
    DataError
        If it is damaged.
    """
    return sealed_document(directory / PROVENANCE)


def write_provenance(directory: Path, document: Mapping[str, Any]) -> None:
    """Write `provenance.json`, in place of one that is there."""
    write_sealed(directory / PROVENANCE, document)


def sealed_document(path: Path) -> dict[str, Any]:
    """Return a JSON object that carries a seal; empty where there is no such file.

    Raises
    ------
    DataError
        If it is damaged.
    """
    content = _sound(path)
    if content is None:
        return {}
    try:
        told = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise damaged(path, first_line(error)) from None
    if not isinstance(told, dict):
        raise damaged(path, "it is no JSON object")
    told.pop(KEY, None)
    return told


def write_sealed(path: Path, document: Mapping[str, Any]) -> None:
    """Write a JSON object with a seal, in place of one that is there."""
    content = json.dumps({**document, KEY: BLANK}, indent=1, ensure_ascii=False, default=str)
    write_aside(path, seal(content.encode()), replace=True)


def read_study(directory: Path) -> Study | None:
    """Return the study of a directory as it was run last; None where there is no `study.toml`.

    Raises
    ------
    DataError
        If that file is damaged.
    """
    path = directory / STUDY
    content = _sound(path)
    if content is None:
        return None
    try:
        return check_study(tomllib.loads(content.decode()))
    except InputError as error:
        raise damaged(path, str(error)) from None
    except (ValueError, RecursionError) as error:
        raise damaged(path, first_line(error)) from None


def stored_margins(directory: Path) -> dict[str, float]:
    """Return the margins that the study of a directory gives, from its `study.toml`.

    Raises
    ------
    DataError
        If that file is damaged.
    """
    study = read_study(directory)
    return named_margins(study.compare.margin) if study is not None and study.compare else {}


def write_study(directory: Path, document: Mapping[str, Any]) -> None:
    """Write `study.toml`, in place of one that is there."""
    import tomli_w

    content = tomli_w.dumps(document) + _SEAL_LINE
    write_aside(directory / STUDY, seal(content.encode()), replace=True)


def unsealed(directory: Path) -> list[Path]:
    """Return which of the three files beside the matches are missing or carry no seal."""
    paths = [directory / name for name in (CELLS, STUDY, PROVENANCE)]
    return [path for path in paths if _state(path) is None]


def faults(directory: Path) -> list[tuple[Path, str]]:
    """Return which of the two files are damaged, and why."""
    found = []
    for name, read in ((STUDY, read_study), (PROVENANCE, read_provenance)):
        try:
            read(directory)
        except DataError as error:
            found.append((directory / name, str(error)))
    return found


def damaged(path: Path, why: str) -> DataError:
    """Return the error for a file beside the matches that cannot be used."""
    return DataError(
        f"{path} is damaged ({why}), or was changed by hand. Running the study again writes it "
        "anew; the matches stay"
    )


def _sound(path: Path) -> bytes | None:
    """Return what a file holds; None where there is none."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise damaged(path, first_line(error)) from None
    if holds(content) is False:
        raise damaged(path, BROKEN)
    return content


def _state(path: Path) -> bool | None:
    """Return whether a file fits its seal; None where it has none, or there is no file."""
    try:
        return holds(path.read_bytes())
    except OSError:
        return None
