"""A study as a document: built in Python, read from a file or the library, written as TOML."""

from __future__ import annotations

import copy
import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.catalogue import get_game
from simcore.errors import InputError
from studies.design.document import assign, parse_list, refuse_twice, shorten
from studies.operations.arguments import MATCHES_HIGH, Rules, whole_number

if TYPE_CHECKING:
    import polars as pl

    from studies.design.study import Study as Checked


class Study:
    """What to play: a game, options, a sweep, variants, line-ups.

    The keys are those of a study file; `cardlab.schema()` describes them all. Only `game` is
    required: the defaults are 10,000 deals and random play in all seats.

    Parameters
    ----------
    document : mapping, optional
        The content of a study file.
    name : str
        Name of the default directory for results.
    **keys
        Further keys, which override those in `document`.

    Attributes
    ----------
    name : str
    document : dict
        As given, with lists, tables, numbers and text only.
    checked
        The same with every key checked, in the form that the inside uses.

    Examples
    --------
    >>> import cardlab
    >>> study = cardlab.Study(
    ...     game="up", matches=100, variants={"dirty": {"dirty_one": "always"}},
    ...     lineups=[{"name": "all", "seats": ["greedy", "shedder"], "rotate": True}])
    >>> cardlab.Study.from_toml(study.to_toml()) == study
    True
    >>> study.cells().select("variant", "players", "rotations").rows()
    [('baseline', 4, 2), ('dirty', 4, 2)]
    """

    def __init__(
        self, document: Mapping[str, object] | None = None, /, *, name: str = "", **keys: object
    ) -> None:
        if document is not None and not isinstance(document, Mapping):
            raise InputError(
                f"study {shorten(repr(document))} is refused; allowed: a mapping, as in a study "
                "file"
            )
        merged = {**(document or {}), **keys}
        self.document: dict[str, Any] = {
            str(key): plain(value) for key, value in merged.items() if value is not None
        }
        self.name = name
        self.checked = check(self.document, name)

    @classmethod
    def read(cls, where: str | Path, *, trust: bool = False) -> Study:
        """Return the study in a file, or with this name in the library (`cardlab.studies()`).

        Parameters
        ----------
        where : str or Path
        trust : bool
            Of the `study.toml` of a study directory: whether the files of games and rules that the
            directory keeps may be run where the original ones are gone.
        """
        document, name, _ = _read(where, trust=trust)
        return cls(document, name=name)

    @classmethod
    def from_toml(cls, text: str, name: str = "") -> Study:
        """Return the study in a TOML text."""
        from studies.design.document import parse_document

        return cls(parse_document(text, "text"), name=name)

    def to_toml(self) -> str:
        """Return the text of a study file; `from_toml` reads it back."""
        import tomli_w

        return tomli_w.dumps(self.document)

    def write(self, path: str | Path) -> Path:
        """Write a study file, replacing an existing one; return the path."""
        file = Path(path)
        try:
            file.write_text(self.to_toml(), encoding="utf-8")
        except OSError as error:
            raise InputError(f"study {str(file)!r} cannot be written: {error.strerror}") from None
        return file

    def changed(self, changes: Mapping[str, object]) -> Study:
        """Return the study with keys changed, as `cardlab run --set` does.

        Parameters
        ----------
        changes : mapping of str to value
            Values by dotted key; a line-up is addressed by its name or number.
        """
        document = copy.deepcopy(self.document)
        for key, value in changes.items():
            assign(document, key, plain(value))
        return Study(document, name=self.name)

    def cells(self) -> pl.DataFrame:
        """Return the cells, one per row.

        Returns
        -------
        polars.DataFrame
            `cell` (hash of everything that determines its matches), `variant`, `lineup`, `point`
            (the sweep's values as text), `players`, `seats` (list of strategies), `rotations`,
            `matches` (rotations × deals).
        """
        import polars as pl

        from studies.design.cells import expand

        study = self.checked
        rows = [
            {
                "cell": cell.id,
                "variant": cell.variant,
                "lineup": cell.lineup,
                "point": cell.point_text,
                "players": cell.players,
                "seats": list(cell.seats),
                "rotations": cell.rotations,
                "matches": cell.rotations * study.matches,
            }
            for cell in expand(study)
        ]
        return pl.DataFrame(rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Study) and self.document == other.document

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Study {self.name or 'without a name'}: {self._head()}>"

    def _head(self) -> str:
        study = self.checked
        return f"{study.title or study.game}; {study.matches:,} match numbers a cell"

    def _repr_html_(self) -> str:
        head, text = html.escape(self._head()), html.escape(self.to_toml())
        return f'<div><p>{head}</p><pre style="white-space: pre-wrap">{text}</pre></div>'


Players = int | str | Sequence[int] | None
"""Numbers of players in place of a study's; text as in "2,4"."""


def check(document: Mapping[str, Any], name: str = "", where: str = "") -> Checked:
    """Return a document's study with every key checked."""
    from studies.design.study import check_study

    return check_study(copy.deepcopy(document), name=name, where=where)


def _read(where: str | Path, *, trust: bool) -> tuple[dict[str, Any], str, str]:
    """Return the document of a study file, its name, and where it is; nothing is checked yet."""
    from studies.design.study import directory_of, study_document
    from studies.store.opened import prepare_files

    directory = directory_of(Path(where))
    if directory is not None:
        prepare_files(directory, "playing its study", trust=trust)
    return study_document(str(where))


def checked_study(
    study: str | Path | Mapping[str, object] | Study,
    directory: str | Path | None = None,
    *,
    matches: int | str | None = None,
    players: Players = None,
    set: Mapping[str, object] | None = None,
    rules: Rules = None,
    trust: bool = False,
) -> tuple[Checked, Path]:
    """Return the study, changed as the parameters say, and the directory of its results.

    Each file of rules adds a variant with its name. The document is checked once, with all changes;
    whoever comes later trusts it.
    """
    from studies.run.run import default_directory
    from studies.store.files import locate

    where = str(study) if isinstance(study, str | Path) else ""
    files = [rules] if isinstance(rules, str | Path) else [*(rules or ())]
    changes = {**(set or {})} | {f"variants.{Path(file).stem}.rules": str(file) for file in files}
    unchanged = not changes and players is None and matches is None
    if isinstance(study, Study) and unchanged:
        parsed = study.checked
    else:
        if isinstance(study, str | Path):
            document, name, place = _read(study, trust=trust)
        else:
            given = study if isinstance(study, Study) else Study(study)
            document, name, place = copy.deepcopy(given.document), given.name, ""
        if players is not None:
            for key in ("options.players", "sweep.players"):
                refuse_twice(changes, key, f"players={players} and set")
            changes = {**_at_players(document, players), **changes}
        if matches is not None:
            count = whole_number("matches", matches, 1, MATCHES_HIGH)
            refuse_twice(set or (), "matches", f"matches={count} and set")
            changes["matches"] = count
        for key, value in changes.items():
            assign(document, key, plain(value))
        parsed = check(document, name, "" if changes else place)
    return parsed, locate(directory) if directory else default_directory(parsed, where)


def _at_players(
    document: Mapping[str, Any], players: int | str | Sequence[int]
) -> dict[str, object]:
    """Return the change of a study's numbers of players."""
    counts = parse_list(players)
    if not isinstance(counts, Sequence) or not counts:
        raise InputError(
            f"players {shorten(repr(players))} is refused; allowed: a number, or several as in 2,4"
        )
    seats = get_game(str(document.get("game"))).players
    numbers = [whole_number("players", count, seats.low, seats.high) for count in counts]
    swept = document.get("sweep")
    if len(numbers) > 1 or (isinstance(swept, Mapping) and "players" in swept):
        return {"sweep.players": numbers}
    return {"options.players": numbers[0]}


def plain(value: object) -> object:
    """Return a value in TOML types: lists for tuples, Python numbers, "none" for None."""
    if value is None:
        return "none"
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | range):
        return [plain(part) for part in value]
    if isinstance(value, Path):
        return str(value)
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return plain(value.tolist())
    return copy.deepcopy(value)
