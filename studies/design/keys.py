"""Tables of a study file with their own keys, and the values of these keys."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PositiveFloat

from simcore.errors import InputError, unknown
from simcore.game import Game
from studies.design.document import parse_list

MOST_TABLES = 1_000
LARGEST_WEIGHT = 1_000_000


def _printable(text: str) -> str:
    """Refuse characters that would change how a terminal or a page shows the rest."""
    if not text.isprintable():
        raise ValueError("not printable")
    return text


Line = Annotated[str, AfterValidator(_printable)]
Name = Annotated[Line, Field(min_length=1, max_length=80)]
Scalar = bool | int | float | str
OptionValue = Scalar | list[int | float]
OptionTable = dict[str, OptionValue]
OptionValues = Annotated[
    list[OptionValue],
    BeforeValidator(parse_list, json_schema_input_type=list[OptionValue] | Scalar),
]
"""A list; a bare value is a list of one."""


class Table(BaseModel):
    """A table of a study file, which accepts only its declared keys and types."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, allow_inf_nan=False, defer_build=True
    )


class Lineup(Table):
    """Who plays: strategies by seat, repeated round the table."""

    name: Name = Field(description="a short name, in one line")
    seats: Annotated[
        list[Name], BeforeValidator(parse_list, json_schema_input_type=list[Name] | Name)
    ] = Field(
        min_length=1, max_length=64, description='a list of policies, as in ["greedy", "random"]'
    )
    rotate: bool = Field(default=False, description="true (every deal in each rotation), false")
    variants: bool = Field(default=True, description="false (the unchanged rules alone), true")

    def held(self, players: int) -> list[str]:  # noqa: ARG002 (see `population.DrawnLineup`)
        """Return the strategies that sit at a table of so many players."""
        return self.seats


class Goal(Table):
    """The goal at which cells stop; see `studies.run.plan`."""

    half_width: float = Field(gt=0, lt=1, description="a number between 0 and 1, as in 0.002")


class Compare(Table):
    """Settings for `cardlab compare`.

    Margins of equivalence are changes up to which two sets of rules count as equivalent. They
    should be fixed before anything is played; `cardlab compare --margin` takes their place.
    """

    margin: PositiveFloat | dict[Name, PositiveFloat] | None = Field(
        default=None,
        description="a number above 0 (of win rate, 0.01 is a point), or a table of name = number "
        "as in { win_rate = 0.01, score = 5 }",
    )
    reference: Name | None = Field(
        default=None,
        description="the name of a line-up: the one that answers are about first",
    )
    seconds: PositiveFloat | None = Field(
        default=None,
        description="how many seconds a turn takes at a table of people (a play, a trick: what the "
        "game's length is counted in), as in 15",
    )
    about: list[Name] = Field(
        default_factory=list,
        description='what the study asks about first, besides its measures: "another_winner", '
        '"win_rate" (of the first seat), or the game\'s length, as in ["another_winner"]',
    )


class MeasureTable(Table):
    """A measure defined by a study: a ratio of two sums; see `studies.measures`."""

    value: Line = Field(description='an SQL expression of a match\'s columns, as in "turns > 60"')
    of: Line | None = Field(
        default=None,
        description='"matches", "decided", or an expression: what it is a share or a mean of',
    )
    low: float | None = Field(default=None, description="the least that a match can give")
    high: float | None = Field(default=None, description="the most that a match can give")
    meaning: Line = Field(default="", description="a text in one line")


class Factors(Table):
    """Options with levels, played in all combinations; see `studies.design.factors`."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, OptionValues] = Field(init=False)

    design: Literal["full"] = Field(default="full", description='"full" (all combinations)')

    @property
    def levels(self) -> dict[str, list[OptionValue]]:
        """The levels of each option, as in the file."""
        return dict(self.__pydantic_extra__)


class Population(Table):
    """A population from which tables are drawn; see `studies.design.population`."""

    policies: dict[Name, Annotated[float, Field(gt=0, le=LARGEST_WEIGHT)]] = Field(
        min_length=1,
        description="a table of policy = weight (above 0), as in { greedy = 2, shedder = 1 }",
    )
    tables: int = Field(
        ge=1, le=MOST_TABLES, description=f"how many are drawn, a whole number 1…{MOST_TABLES:_}"
    )
    alike: bool = Field(
        default=False, description="true (all seats of a table play alike), false (seat by seat)"
    )

    @property
    def names(self) -> list[str]:
        """The names of the tables, as line-ups."""
        return [f"table {number + 1}" for number in range(self.tables)]


# ---- margins of equivalence

WIN_RATE = "win_rate"
MARGINS = (WIN_RATE, "score")
"""Numbers that can have a margin, besides the game's metrics."""

_OLDER = {"win_share": WIN_RATE}


def named_margins(margin: float | Mapping[str, float] | None) -> dict[str, float]:
    """Return margins by the names of the frame; a bare number is a margin of the win rate."""
    if margin is None:
        return {}
    if not isinstance(margin, Mapping):
        return {WIN_RATE: margin}
    return {_OLDER.get(name, name): value for name, value in margin.items()}


def frame_margins(compare: Compare | None) -> dict[str, float]:
    """Return a study's margins."""
    return named_margins(compare.margin if compare else None)


def check_margins(game: Game, margins: Mapping[str, float]) -> Mapping[str, float]:
    """Return margins of equivalence, checked."""
    allowed = (*MARGINS, *game.metric_names)
    for name, margin in margins.items():
        if name not in allowed:
            raise unknown("margin", name, allowed, f"of {game.name}")
        if not 0 < margin < math.inf:
            raise InputError(f"margin {name} = {margin!r} is refused; allowed: a number above 0")
    return margins
