"""Rules options: their values, checks and words.

An `Option` turns text from the command line or a value from a study file into a checked value, or
raises `InputError` with the option, the value and the allowed values. Combinations are checked by
the game (`Game.complete`).
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from simcore.errors import InputError
from simcore.files import read_regular

Value = bool | int | float | str | list[float] | None
Options = dict[str, Value]

_TRUE = ("true", "yes", "on", "1")
_FALSE = ("false", "no", "off", "0")


@dataclass(frozen=True)
class Option:
    """An option of the rules.

    Attributes
    ----------
    name, default, meaning
        As shown by `cardlab games`.
    rule : str
        Mark of the clause or ruling that it belongs to; marks H… are house rules, which the rule
        text does not have.
    """

    name: str
    default: Value
    meaning: str
    rule: str

    @property
    def house(self) -> bool:
        """Whether the option is a house rule, not in the rule text."""
        return self.rule.startswith("H")

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        raise NotImplementedError

    def parse(self, value: object) -> Value:
        """Return the checked value; text is parsed as on the command line.

        Raises
        ------
        InputError
            If the value is not allowed.
        """
        raise NotImplementedError

    def number(self, value: Value) -> int | None:
        """Return a checked value as a whole number; None if a single number cannot represent it."""
        del value
        return None

    def refuse(self, value: object) -> InputError:
        """Build the error for a value that is not allowed."""
        shown = repr(value) if isinstance(value, str) else show(value)
        return InputError(f"option {self.name} = {shown} is refused; allowed: {self.allowed}")


@dataclass(frozen=True, kw_only=True)
class IntOption(Option):
    """A whole number in a range, or none if that is allowed."""

    low: int = 0
    high: int
    none_allowed: bool = False

    @property
    def allowed(self) -> str:
        return f"a whole number {self.low}…{self.high}" + (", or none" if self.none_allowed else "")

    def parse(self, value: object) -> Value:
        if self.none_allowed and _is_none(value):
            return None
        number = _whole(value)
        if number is None or not self.low <= number <= self.high:
            raise self.refuse(value)
        return number

    def number(self, value: Value) -> int:
        """Return the number; 0 for none."""
        assert value is None or isinstance(value, int)
        return value or 0


@dataclass(frozen=True, kw_only=True)
class ChoiceOption(Option):
    """A choice between words."""

    values: tuple[str, ...]

    @property
    def allowed(self) -> str:
        return ", ".join(self.values)

    def parse(self, value: object) -> Value:
        if isinstance(value, str) and value.strip() in self.values:
            return value.strip()
        raise self.refuse(value)

    def number(self, value: Value) -> int:
        """Return the index of a word in `values`."""
        return self.values.index(str(value))


@dataclass(frozen=True, kw_only=True)
class BoolOption(Option):
    """True or false, or none if that is allowed."""

    none_allowed: bool = False

    @property
    def allowed(self) -> str:
        return "true, false" + (", or none" if self.none_allowed else "")

    def parse(self, value: object) -> Value:
        if self.none_allowed and _is_none(value):
            return None
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.strip().lower() in _TRUE:
            return True
        if isinstance(value, str) and value.strip().lower() in _FALSE:
            return False
        raise self.refuse(value)

    def number(self, value: Value) -> int:
        """Return 1 for true, 0 for false or none."""
        return int(value is True)


@dataclass(frozen=True, kw_only=True)
class ProbabilityOption(Option):
    """A probability: one number for all seats or, if allowed, one for each seat."""

    per_seat: bool = False

    @property
    def allowed(self) -> str:
        return "a number 0…1" + (", or one for each seat (0.1,0,0,0.2)" if self.per_seat else "")

    def parse(self, value: object) -> Value:
        if self.per_seat and isinstance(value, str) and "," in value:
            value = [part for part in value.strip().strip("[]()").split(",") if part.strip()]
        if self.per_seat and isinstance(value, Sequence) and not isinstance(value, str):
            return [self._number(part, value) for part in value]
        return self._number(value, value)

    def _number(self, part: object, value: object) -> float:
        try:
            number = math.nan if isinstance(part, bool) else float(part)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            raise self.refuse(value) from None
        if not 0.0 <= number <= 1.0:
            raise self.refuse(value)
        return number


@dataclass(frozen=True, kw_only=True)
class FileOption(Option):
    """A choice between words, or the path of a text file with the user's data.

    Attributes
    ----------
    values : tuple of str
        The words; a file with the same name is written "./name".
    contents : str
        A description of the file's contents.
    check : callable
        Checks the file's text; raises `ValueError` that says what is wrong, and where.
    """

    values: tuple[str, ...]
    contents: str
    check: Callable[[str], object]

    @property
    def allowed(self) -> str:
        return f"{', '.join(self.values)}, or the path of {self.contents}"

    def parse(self, value: object) -> Value:
        if not isinstance(value, str) or not value.strip() or "\0" in value:
            raise self.refuse(value)
        if value.strip() in self.values:
            return value.strip()
        try:
            self.check(read_text(value))
        except ValueError as error:
            raise InputError(
                f"option {self.name} = {value!r} is refused: {error}; allowed: {self.allowed}"
            ) from None
        return value

    def fingerprint(self, value: str) -> str:
        """Return a hash of the file's contents; words are returned as they are."""
        if value in self.values:
            return value
        return hashlib.blake2b(read_text(value).encode(), digest_size=16).hexdigest()


def rows_of(table: str) -> list[list[str]]:
    """Return the rows of a table, whose columns stand between bars; indented lines continue one."""
    lines = re.sub(r"\n[ ]+", " ", table.strip()).splitlines()
    return [[part.strip() for part in line.split(" | ")] for line in lines]


def options_of(table: str) -> tuple[Option, ...]:
    """Return the options of a table: name, default, allowed values, mark of the rules, meaning.

    Allowed are whole numbers, "0…10" or "0…10, none"; "true, false", perhaps with none; "0.0…1.0",
    or "0.0…1.0 each" for a probability of each seat; or the words of a choice.
    """
    return tuple(_option_of(*row) for row in rows_of(table))


def _option_of(name: str, default: str, allowed: str, rule: str, meaning: str) -> Option:
    option: Option
    values, none = tuple(allowed.split(", ")), allowed.endswith(", none")
    low, is_range, high = values[0].partition("…")
    if allowed.startswith("0.0…1.0"):
        option = ProbabilityOption(name, 0.0, meaning, rule, per_seat=allowed.endswith(" each"))
    elif is_range:
        option = IntOption(name, 0, meaning, rule, low=int(low), high=int(high), none_allowed=none)
    elif values[0] == "true":
        option = BoolOption(name, False, meaning, rule, none_allowed=none)
    else:
        option = ChoiceOption(name, "", meaning, rule, values=values)
    return replace(option, default=option.parse(default))


LARGEST_FILE = 1 << 20


def read_text(path: str) -> str:
    """Return the text of a small file.

    Raises
    ------
    ValueError
        If the file does not exist, cannot be read, is too large or is not UTF-8 text.
    """
    try:
        content = read_regular(path, LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise ValueError(f"the file is larger than {LARGEST_FILE:,} bytes")
        return content.decode("utf-8-sig")
    except FileNotFoundError:
        raise ValueError("there is no such file") from None
    except UnicodeDecodeError:
        raise ValueError("the file is no UTF-8 text") from None
    except OSError as error:
        raise ValueError(f"the file cannot be read ({error.strerror})") from None


def _is_none(value: object) -> bool:
    return value is None or (isinstance(value, str) and value.strip().lower() == "none")


def _whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and len(value) <= 24:
        try:
            return int(value.strip().replace("_", ""))
        except ValueError:
            return None
    return None


def show(value: object) -> str:
    """Write an option's value as on the command line: none, true, 0.1,0,0."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ",".join(show(part) for part in value)
    if isinstance(value, float):
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    return str(value)


def show_all(options: Mapping[str, object]) -> str:
    """Write options as name=value, comma-separated."""
    return ", ".join(f"{name}={show(value)}" for name, value in options.items())
