"""Users' files of a study: stored beside its rows, described as data, run only with permission.

A directory may come from anybody. Its games and measures are described as data, so that its results
can be read without running a file. The files themselves are stored, too: with `trust` they replace
missing files that the study names, so that it can be continued and checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from simcore.game import Game
from studies.design.study import RULES as RULES_KEY
from studies.design.study import Study, changed_game
from studies.manifest import Manifest, damaged, read_named
from studies.measures import Measure, describe_measures, read_measures
from studies.store.files import first_line
from studies.store.provenance import PROVENANCE

if TYPE_CHECKING:
    from simcore.userfiles.loading import UserFile
    from strategies.registry import Policies
    from studies.design.cells import StudyCell

FOLDER = "rules"
FILES, GAMES, MEASURES = "game_files", "games", "measures"
"""Keys of `provenance.json`: the original path of each stored file; descriptions of games and of
measures."""


# ---- writing


def user_files(study: Study, cells: Sequence[StudyCell]) -> dict[str, UserFile]:
    """Return the files of games, rules and measures of a study, by their paths in the study."""
    games = {cell.game for cell in cells if ".py" in cell.game}
    if not games and not isinstance(study.measures, str):
        return {}
    # The compiler, which knows users' files, is imported where there are any.
    from simcore.catalogue import get_game
    from simcore.userfiles.loading import loaded_file
    from simcore.userfiles.rule_overrides import files_of
    from simcore.userfiles.user_games import file_at

    kept = {path: file for game in sorted(games) for path, file in files_of(get_game(game)).items()}
    if isinstance(study.measures, str):
        _ = study.study_measures  # loads the file
        kept[study.measures] = loaded_file(file_at(study.measures))
    return kept


def kept_files(files: Mapping[str, UserFile]) -> tuple[dict[str, str], dict[str, bytes]]:
    """Return the stored name of each path, and the content of all stored files by name.

    A file that imports others of its folder is stored with them in a separate folder.
    """
    names: dict[str, str] = {}
    contents: dict[str, bytes] = {}
    for path, file in files.items():
        name = f"{FOLDER}/{PurePath(path).name}"
        if file.imports or name in contents:
            folder = f"{FOLDER}/{file.digest[:12]}"
            name = f"{folder}/{PurePath(path).name}"
            contents |= {f"{folder}/{other}": held for other, held in file.imports.items()}
        names[path] = name
        contents[name] = file.content
    return names, contents


def describe(study: Study, cells: Sequence[StudyCell]) -> dict[str, Any]:
    """Return the descriptions of users' games and measures for `provenance.json`."""
    from simcore.catalogue import get_game
    from strategies import session

    names = dict.fromkeys(
        name for name in (study.game, *(cell.game for cell in cells)) if ".py" in name
    )
    described: dict[str, Any] = {}
    if names:
        policies = cells[0].policies or session()
        described[GAMES] = {name: _described(get_game(name), policies) for name in names}
    if isinstance(study.measures, str):
        described[MEASURES] = describe_measures(study.study_measures)
    return described


def _described(game: Game, policies: Policies) -> dict[str, Any]:
    from simcore.described import describe_game

    known = policies.of(game)
    looks = {name: policy.looks_at(game) for name, policy in known.items()}
    return describe_game(
        game,
        {name: policy.idea for name, policy in known.items()},
        {name: len(things) for name, things in looks.items() if things is not None},
    )


# ---- reading


@dataclass(frozen=True)
class Described:
    """The descriptions of users' games and measures in a directory.

    Attributes
    ----------
    games : dict of str to Game
    measures : tuple of Measure, or None
        None if the study has no file of measures, or does not describe it.
    """

    games: Mapping[str, Game]
    measures: tuple[Measure, ...] | None


def read_described(document: Mapping[str, Any], directory: Path) -> Described:
    """Return the descriptions of games and measures in a directory's `provenance.json`."""
    from simcore.described import read_description

    try:
        games = {
            str(name): read_description(record) for name, record in document.get(GAMES, {}).items()
        }
        measures = document.get(MEASURES)
        return Described(games, None if measures is None else read_measures(measures))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise damaged(directory / PROVENANCE, first_line(error)) from None


def games_named(document: Mapping[str, Any]) -> list[str]:
    """Return the names of users' games in a study's document."""
    game = document.get("game")
    if not isinstance(game, str):
        return []
    base = changed_game(game, document.get(RULES_KEY))
    variants = document.get("variants")
    tables = variants.values() if isinstance(variants, dict) else ()
    names = [base]
    names += [
        changed_game(base, table.get(RULES_KEY)) for table in tables if isinstance(table, dict)
    ]
    return [name for name in dict.fromkeys(names) if ".py" in name]


# ---- leave to run


def code_of(
    document: Mapping[str, Any], study: Mapping[str, Any], directory: Path
) -> dict[str, Path]:
    """Return the files that playing matches of a directory would run: path in the study -> file.

    The file that the study names, if it exists; otherwise the one stored in the directory.
    """
    kept = document.get(FILES)
    names = dict(kept) if isinstance(kept, dict) else {}
    if isinstance(study.get("measures"), str):
        names.setdefault(study["measures"], "")
    if games := games_named(study):
        from simcore.userfiles.rule_overrides import parts_of

        for part in (part for game in games for part in parts_of(game) if part.endswith(".py")):
            names.setdefault(part, "")
    return {
        path: Path(path) if Path(path).exists() or not name else directory / str(name)
        for path, name in names.items()
    }


def refuse_untrusted(why: str, files: Sequence[Path]) -> InputError:
    """Return the refusal to run files of a directory."""
    listed = ", ".join(map(str, files))
    return InputError(
        f"{why}, and code from a directory is not run unless you trust it. It would run: {listed}. "
        "If you know who wrote that, add --trust (in Python trust=True)"
    )


def check_trust(
    document: Mapping[str, Any], study: Mapping[str, Any], directory: Path, why: str
) -> None:
    """Refuse to run files that come from the directory itself.

    Files at the paths that the study names are the user's and may be run.
    """
    inside = [
        file
        for file in code_of(document, study, directory).values()
        if file.resolve().is_relative_to(directory.resolve())
    ]
    if inside:
        raise refuse_untrusted(why, inside)


def stand_in_files(manifest: Manifest, directory: Path, document: Mapping[str, Any]) -> None:
    """Use the files stored in a trusted directory in place of missing ones."""
    kept = document.get(FILES)
    for path, name in kept.items() if isinstance(kept, dict) else ():
        if Path(path).exists() or name not in manifest.files:
            continue
        from simcore.userfiles.user_games import stand_in

        folder = str(PurePath(name).parent)
        beside = [
            other
            for other in manifest.files
            if other == name or (folder != FOLDER and str(PurePath(other).parent) == folder)
        ]
        contents = {}
        for other in beside:
            content, why = read_named(manifest, directory, other)
            if why:
                raise damaged(directory / other, why)
            contents[PurePath(path).name if other == name else PurePath(other).name] = content
        stand_in(path, contents)
