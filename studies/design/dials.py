"""`[sensitivity]`: which options and parameters are turned, over which levels.

A dial is an option of the game or a parameter of a policy ("policy.parameter"). Two numbers are the
ends of a range: all whole numbers from one to the other for an option that counts, any number
between them for a chance or a parameter. Any other list holds the levels. All levels, or all
numbers of a range, are as likely; what they tell is in `studies.stats.sensitivity`, which knows no
order of levels, so words are levels like numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from simcore.errors import InputError
from simcore.game import Game
from simcore.options import IntOption, ProbabilityOption, show

PLAYERS = "players"
DIGITS = 6
"""Significant digits of a number between the ends of a range."""

FEWEST_SAMPLES, MOST_SAMPLES = 16, 65_536


class Sensitivity(BaseModel):
    """Which outcome, over which dials; see `studies.design.dials`."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True, allow_inf_nan=False)
    __pydantic_extra__: dict[str, list[bool | int | float | str]] = Field(init=False)

    outcome: str = Field(
        min_length=1,
        max_length=80,
        description='a metric of the game, as in "turns", "win_share.POLICY", "score.POLICY", '
        '"another_winner", or "aborted"',
    )
    samples: int = Field(
        default=256,
        ge=FEWEST_SAMPLES,
        le=MOST_SAMPLES,
        description=f"base points, a whole number {FEWEST_SAMPLES}…{MOST_SAMPLES:_}; rounded up to "
        "a power of two",
    )

    @property
    def ranges(self) -> dict[str, list[bool | int | float | str]]:
        """The range or levels of each dial, as in the file."""
        return dict(self.__pydantic_extra__)


@dataclass(frozen=True)
class Dial:
    """An option or a policy's parameter, and what it may be.

    Attributes
    ----------
    name : str
        As in the study.
    levels : tuple
        Its values; of a range any number goes through (`continuous`) the two ends.
    """

    name: str
    levels: tuple[object, ...]
    continuous: bool = False

    def at(self, place: float) -> object:
        """Return the value at a place from 0 to below 1."""
        if not self.continuous:
            return self.levels[min(int(place * len(self.levels)), len(self.levels) - 1)]
        low, high = self.levels
        assert isinstance(low, int | float)
        assert isinstance(high, int | float)
        return float(f"{low + place * (high - low):.{DIGITS}g}")

    @property
    def words(self) -> str:
        """The levels in words."""
        if self.continuous or (len(self.levels) > 2 and self._counts):
            return f"{show(self.levels[0])}…{show(self.levels[-1])}"
        return ", ".join(show(value) for value in self.levels)

    @property
    def _counts(self) -> bool:
        first, last = self.levels[0], self.levels[-1]
        if not isinstance(first, int) or not isinstance(last, int):
            return False
        return self.levels == tuple(range(first, last + 1))


def dials_of(
    ranges: Mapping[str, list[bool | int | float | str]],
    game: Game,
    taken: Mapping[str, Collection[str]],
) -> list[Dial]:
    """Return the dials of a study, their values checked by the game.

    Parameters
    ----------
    taken : mapping of str to collection of str
        Keys of other tables of the study, which a dial may not be, too.

    Raises
    ------
    InputError
        If there is none, or an option, a parameter or a level is refused.
    """
    if not ranges:
        raise InputError(
            "sensitivity: no option or parameter is given; allowed: option = [low, high] or "
            '[levels], "policy.parameter" = [low, high]'
        )
    for name in ranges:
        if name == PLAYERS:
            raise InputError(
                "sensitivity: option 'players' is refused: tables of other sizes have other "
                "seats; allowed: any other option; players = [2, 3, 4] under [sweep]"
            )
        for table, keys in taken.items():
            if name in keys:
                raise InputError(
                    f"sensitivity: {name!r} stands under {table}, too; allowed: in one of the two"
                )
    try:
        return [_dial(game, name, values) for name, values in ranges.items()]
    except InputError as error:
        raise InputError(f"sensitivity: {error}") from None


def _dial(game: Game, name: str, values: list[bool | int | float | str]) -> Dial:
    policy, dot, parameter = name.partition(".")
    levels: tuple[object, ...]
    if dot:
        from strategies import parse_strategy

        for value in values:
            parse_strategy(game, f"{policy}({parameter}={show(value)})")
        levels = tuple(values)
        is_range = len(values) == 2
        if not all(isinstance(value, int | float) for value in values):
            raise InputError(
                f"{name!r} = [{', '.join(map(show, values))}] is refused; allowed: numbers, two "
                "for a range"
            )
    else:
        levels = tuple(game.parse_option(name, value)[1] for value in values)
        (option,) = (one for one in game.options if one.name == name)
        ends = len(levels) == 2 and None not in levels
        is_range = ends and isinstance(option, ProbabilityOption)
        if ends and isinstance(option, IntOption):
            low, high = levels
            assert isinstance(low, int)
            assert isinstance(high, int)
            _check_range(name, low, high)
            return Dial(name, tuple(range(low, high + 1)))
    if is_range:
        low, high = levels
        assert isinstance(low, int | float)
        assert isinstance(high, int | float)
        _check_range(name, low, high)
    if len(levels) < 2 or len({show(value) for value in levels}) < len(levels):
        raise InputError(
            f"{name!r} has the levels {', '.join(map(show, levels)) or 'none'}; allowed: two or "
            "more, each once"
        )
    return Dial(name, levels, is_range)


def _check_range(name: str, low: float, high: float) -> None:
    if low >= high:
        raise InputError(
            f"{name!r} = [{show(low)}, {show(high)}] is refused; allowed: two numbers, the smaller "
            "one first"
        )
