"""Files of games and rules that a study keeps beside its rows, so that it can be told anywhere.

The file that a study names is read where it is there; what was kept stands in for it elsewhere, on
another machine, or after it was deleted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studies.manifest import Manifest, read_manifest, read_named
from studies.store.provenance import PROVENANCE

if TYPE_CHECKING:
    from studies.design.cells import StudyCell

FOLDER = "rules"
RECORD = "game_files"
"""The key of `provenance.json` that says which path each of them stands for."""


def files_of_games(cells: Sequence[StudyCell]) -> dict[str, tuple[str, bytes]]:
    """Return the files by which the games of cells are played: path -> kept name, content."""
    games = {cell.game for cell in cells if ".py" in cell.game}
    if not games:
        return {}
    # The compiler, which knows files of games, is imported where there are any.
    from simcore.compiler.rule_overrides import file_of, parts_of

    paths = dict.fromkeys(part for game in games for part in parts_of(game) if ".py" in part)
    found: dict[str, tuple[str, bytes]] = {}
    for path in paths:
        taken = {name for name, _ in found.values()}
        name, number = f"{FOLDER}/{Path(path).name}", 1
        while name in taken:
            number += 1
            name = f"{FOLDER}/{Path(path).stem}-{number}.py"
        found[path] = name, file_of(path).read_bytes()
    return found


def stand_in_files(manifest: Manifest, directory: Path, document: Mapping[str, Any]) -> None:
    """Let the files that a study kept stand in for those that are not there."""
    kept = document.get(RECORD)
    for path, name in kept.items() if isinstance(kept, dict) else ():
        if Path(path).is_file() or name not in manifest.files:
            continue
        from simcore.compiler.user_games import stand_in

        content, why = read_named(manifest, directory, name)
        if not why:
            stand_in(path, content)


def files_at_hand(directory: Path) -> None:
    """Let the files that the study of a directory kept stand in, before its study file is read."""
    manifest = read_manifest(directory)
    if manifest is not None and PROVENANCE in manifest.files:
        content, why = read_named(manifest, directory, PROVENANCE)
        if not why:
            stand_in_files(manifest, directory, json.loads(content))
