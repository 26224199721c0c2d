"""The cells of a study: sweep × variants × line-ups, each with its options resolved.

A cell is a set of rules with a strategy in each seat. Its identity is a hash of what decides
its matches; names of variants and line-ups are labels. Nothing is played here.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from simcore.catalogue import get_game
from simcore.errors import InputError, nearest
from simcore.game import Game
from simcore.options import Options, show, show_all
from strategies import Policies, parse_lineup, seat_lineup
from studies.measures import BASELINE, game_of

if TYPE_CHECKING:
    from studies.design.keys import Lineup, OptionTable
    from studies.design.study import Study

MOST_CELLS = 100_000
ID_LENGTH = 12

Point = dict[str, object]


@dataclass(frozen=True)
class StudyCell:
    """One cell of a study.

    Attributes
    ----------
    id : str
        Hash of game, options, seats, rotations and seed.
    variant, lineup : str
        Names in the study; the variant with the unchanged rules is "baseline".
    point : dict
        The sweep's values, by sweep key.
    options : dict
        All options, resolved.
    seats : tuple of str
        The strategy of each seat at rotation 0, written out with its parameters.
    rotations : int
        Each match number is played at rotations 0 … rotations - 1; at rotation r, seat s is held
        by `seats[(s + r) % players]`.
    described : Game or None
        A game of a user's file as a study directory describes it (`studies.measures.game_of`).
    policies : Policies or None
        Those that its seats name; None: those of the session.
    general : bool
        As in `simcore.batch.Cell`: whether the options of some cell of the study are unusual.
    """

    id: str
    game: str
    variant: str
    lineup: str
    point: Point = field(hash=False)
    options: Options = field(hash=False)
    seats: tuple[str, ...]
    rotations: int
    seed: int
    described: Game | None = field(default=None, compare=False, repr=False)
    policies: Policies | None = field(default=None, compare=False, repr=False)
    general: bool = field(default=False, compare=False, repr=False)

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.seats)

    @property
    def group(self) -> tuple[str, str]:
        """Line-up and sweep point, which a variant's cell shares with its baseline."""
        return self.lineup, self.point_text

    @property
    def point_text(self) -> str:
        """The sweep point as text; empty without a sweep."""
        return show_all(self.point)

    @property
    def label(self) -> str:
        """The cell in words, for messages."""
        point = f", {self.point_text}" if self.point else ""
        return f"{self.variant}, line-up {self.lineup}{point}"


def option_names(cells: Sequence[StudyCell]) -> list[str]:
    """Return the options of some cells; options added by rule files come last."""
    names = dict.fromkeys(name for cell in cells for name in game_of(cell).option_names)
    first = game_of(cells[0]).original.option_names
    return sorted(names, key=lambda name: name not in first)


def expand(study: Study, policies: Policies | None = None) -> list[StudyCell]:
    """Return the cells: for every sweep point and line-up the baseline, then its variants.

    Parameters
    ----------
    study : Study
    policies : Policies, optional
        Default: those of the session.
    """
    # Models of studies take long to be imported, and a match by itself has a cell, too.
    from studies.design.factors import factor_variants, levels_of
    from studies.design.population import study_lineups

    game = get_game(study.game)
    levels = levels_of(study, game)
    variants: dict[str, OptionTable] = {BASELINE: {}, **study.changes}
    variants |= factor_variants(study, levels)
    lineups = study_lineups(study, game, policies)
    _check_size(study, len(variants) * len(lineups))
    for name, value in study.options.items():
        with _lists_told(("options", name), value):
            game.parse_option(name, value)
    games = dict.fromkeys(variants, game)
    for variant, changes in study.changes.items():
        with _located(f"variant {variant!r}"):
            games[variant] = get_game(study.game_of(variant))
        for name, value in changes.items():
            with _located(f"variant {variant!r}"), _lists_told(("variants", name), value):
                games[variant].parse_option(name, value)
    points = list(_sweep_points(study, game))
    cells: list[StudyCell] = []
    taken: set[str] = set()
    players = 0
    seen: set[tuple[str, str, str]] = set()
    for point in points:
        for lineup in lineups:
            for variant, changes in variants.items():
                if variant != BASELINE and not lineup.variants:
                    continue
                cell = _cell(study, games[variant], point, lineup, variant, changes, policies)
                if variant == BASELINE:
                    players = cell.players
                _refuse_other_players(study, cell, players)
                if (cell.variant, *cell.group) in seen:
                    continue  # differs only in a parameter that this line-up does not have
                seen.add((cell.variant, *cell.group))
                cells.append(_with_own_id(cell, taken))
    _check_parameters_used(study, lineups, cells)
    tables = {(cell.variant, cell.players) for cell in cells}
    usual = {table: games[table[0]].resolve({"players": table[1]}) for table in tables}
    general = any(cell.options != usual[cell.variant, cell.players] for cell in cells)
    return [replace(cell, general=general) for cell in cells]


def _refuse_other_players(study: Study, cell: StudyCell, players: int) -> None:
    """Refuse a variant with another number of players if it must be played with its baseline."""
    if cell.players != players and (study.goal is not None or not study.rows):
        raise InputError(
            f"variant {cell.variant!r} changes option players from {players} to {cell.players}: "
            "its matches cannot be paired with the baseline's, as a goal and rows = false "
            "need; allowed: any other option; sweep numbers of players instead, as in [sweep] "
            "players = [2, 3, 4]"
        )


def _cell(
    study: Study,
    game: Game,
    point: Point,
    lineup: Lineup,
    variant: str,
    changes: Mapping[str, object],
    policies: Policies | None,
) -> StudyCell:
    swept = {key: value for key, value in point.items() if "." not in key}
    where = f"cell {variant}, line-up {lineup.name}"
    where += f", {show_all(point)}" if point else ""
    first = (
        {name: levels[0] for name, levels in study.factors.levels.items()} if study.factors else {}
    )
    given = {**study.options, **first, **swept, **changes}
    with _located(where):
        options = game.resolve(given)
    players = options["players"]
    assert isinstance(players, int)
    held = lineup.held(players)
    texts = [_with_parameters(seat, point) for seat in held]
    with _located(where):
        seats = tuple(map(str, seat_lineup(parse_lineup(game, texts, policies), players)))
    rotations = period(seats) if lineup.rotate else 1
    content: dict[str, object] = {
        "game": game.name,
        "options": options,
        "seats": seats,
        "rotations": rotations,
        "seed": study.seed,
    }
    # A deck or colour file may change under the same path, so its content is part of the identity.
    if files := game.files(options):
        content["files"] = files
    # A parameter of a policy that sits elsewhere does not distinguish points of this line-up.
    kept = {
        key: value
        for key, value in point.items()
        if "." not in key or any(_takes(seat, key) for seat in held)
    }
    return StudyCell(
        id=_digest(content),
        game=game.name,
        variant=variant,
        lineup=lineup.name,
        point=kept,
        options=options,
        seats=seats,
        rotations=rotations,
        seed=study.seed,
        policies=policies,
    )


def _sweep_points(study: Study, game: Game) -> Iterator[Point]:
    """Yield the points of a study's sweep, option values checked; raise InputError."""
    axes: list[list[object]] = []
    for key, values in study.sweep.items():
        checked: list[object] = []
        for value in values:
            if "." in key:
                if isinstance(value, list):
                    raise InputError(
                        f"sweep key {key!r} = {show(value)!r} is refused; allowed: numbers"
                    )
                parsed: object = value
            else:
                with _located("sweep"), _lists_told(("sweep", key), value):
                    parsed = game.parse_option(key, value)[1]
            if show(parsed) in map(show, checked):
                raise InputError(
                    f"sweep key {key!r} has the value {show(parsed)} twice; allowed: each once"
                )
            checked.append(parsed)
        axes.append(checked)
    for values_here in itertools.product(*axes):
        yield dict(zip(study.sweep, values_here, strict=True))


def _check_size(study: Study, cells_a_point: int) -> None:
    count = math.prod(len(values) for values in study.sweep.values())
    count *= cells_a_point
    if count > MOST_CELLS:
        raise InputError(
            f"the study has {count:,} cells (sweep × variants × line-ups); allowed: at most "
            f"{MOST_CELLS:,}"
        )


def _with_parameters(seat: str, point: Point) -> str:
    """Return a seat's text with the swept parameters of its policy added."""
    added = [
        f"{key.partition('.')[2]}={show(value)}"
        for key, value in point.items()
        if _takes(seat, key)
    ]
    if not added:
        return seat
    name, _, rest = seat.partition("(")
    inside = rest.rstrip().removesuffix(")").strip()
    return f"{name.strip()}({', '.join([inside, *added] if inside else added)})"


def _takes(seat: str, key: str) -> bool:
    """Return whether a sweep key sets a parameter that the seat's text leaves open."""
    policy, dot, parameter = key.partition(".")
    name, _, rest = seat.partition("(")
    given = re.findall(r"(\w+)\s*=", rest)
    return bool(dot) and name.strip() == policy.strip() and parameter.strip() not in given


def _check_parameters_used(
    study: Study, lineups: Sequence[Lineup], cells: Sequence[StudyCell]
) -> None:
    for key in study.sweep:
        if "." in key and not any(key in cell.point for cell in cells):
            policy = key.partition(".")[0]
            seated = dict.fromkeys(
                seat.partition("(")[0].strip() for lineup in lineups for seat in lineup.seats
            )
            guess = None if policy in seated else nearest(policy, seated)
            raise InputError(
                f"sweep key {key!r} changes no seat: no line-up has the policy {policy!r} with "
                "this parameter left open;"
                + (f" did you mean {guess!r}?" if guess else "")
                + ' allowed: "policy.parameter" of a policy that sits in a line-up '
                f"({', '.join(seated)}), or an option"
            )


def period(seats: tuple[str, ...]) -> int:
    """Return the number of distinct rotations of the seats."""
    return next(
        shift
        for shift in range(1, len(seats) + 1)
        if len(seats) % shift == 0 and seats[shift:] + seats[:shift] == seats
    )


def _digest(content: object) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=ID_LENGTH // 2).hexdigest()


def _with_own_id(cell: StudyCell, taken: set[str]) -> StudyCell:
    """Return the cell with an id that no other cell of the study has.

    Cells of equal content under different labels (an A/A control, two line-ups that are equal at
    this number of players) are played separately.
    """
    if cell.id in taken:
        cell = replace(cell, id=_digest([cell.id, cell.variant, *cell.group]))
    taken.add(cell.id)
    return cell


@contextmanager
def _lists_told(keys: tuple[str, str], value: object) -> Iterator[None]:
    """Add to refusals raised inside where lists belong."""
    from studies.design.study import lists_belong

    try:
        yield
    except InputError as error:
        if not isinstance(value, list):
            raise
        raise InputError(f"{error}{lists_belong(keys, value)}") from None


@contextmanager
def _located(where: str) -> Iterator[None]:
    """Add the place to refusals raised inside."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def describe(cells: list[StudyCell]) -> str:
    """Describe the numbers of cells, variants, line-ups and sweep points."""
    parts = [
        (len({cell.variant for cell in cells}) - 1, "variant"),
        (len({cell.lineup for cell in cells}), "line-up"),
        (len({cell.point_text for cell in cells}), "sweep point"),
    ]
    words = [f"{count} {name}{'' if count == 1 else 's'}" for count, name in parts if count]
    return f"{len(cells)} cell{'' if len(cells) == 1 else 's'} ({', '.join(words)})"
