"""Why a user's policy cannot be compiled: the compiler's words, translated, and their line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from simcore.errors import unknown

WHOLE = "it must return a whole number, whichever way it goes"


class NotCompiledError(Exception):
    """A policy cannot be compiled.

    Attributes
    ----------
    cause : str
        In words.
    file : str
        Where the cause is: the policy's, or that of a function it calls.
    line : int
        Of that file, where the cause is or the function begins.
    """

    def __init__(self, cause: str, file: str, line: int) -> None:
        super().__init__(cause)
        self.cause = cause
        self.file = file
        self.line = line


def translated(  # pragma: compiled only
    error: BaseException, function: Callable[..., Any], records: Sequence[np.dtype[Any]]
) -> NotCompiledError:
    """Return a compiler's error as one that a person reads.

    Parameters
    ----------
    error : exception
        What the compiler raised.
    function : callable
        The policy.
    records : sequence of numpy.dtype
        TABLE and SEAT.
    """
    file, line = _place(error, function)
    return NotCompiledError(_cause(error, records), file, line)


def check_returns(  # pragma: compiled only
    policy: Any, function: Callable[..., Any]
) -> None:
    """Refuse a compiled policy one of whose returns gives anything but a whole number.

    Compiled code would take the whole part of 1.5, and 1 for True.

    Raises
    ------
    NotCompiledError
    """
    from numba.core import ir, types

    annotation = policy.overloads[policy.signatures[0]].type_annotation
    statements = [one for block in annotation.blocks.values() for one in block.body]
    cast = {
        one.target.name: one.value.value.name
        for one in statements
        if isinstance(one, ir.Assign) and isinstance(one.value, ir.Expr) and one.value.op == "cast"
    }
    for one in statements:
        if isinstance(one, ir.Return):
            name = cast.get(one.value.name, one.value.name)
            given = annotation.typemap.get(name)
            if given is not None and not isinstance(given, types.Integer):
                cause = _no_whole_number(str(given))
                raise NotCompiledError(cause, function.__code__.co_filename, one.loc.line)


_KINDS = (
    (r"Optional|omitted|none", "None", ", which a way without `return` gives, too"),
    (r"[aA]rray|nestedarray|[lL]ist|(Uni)?Tuple|[sS]et|[dD]ict", "several", "; take one of them"),
    (r"(Literal.)?(float|complex)", "a fraction", "; int(…) rounds it towards 0"),
    (r"(Literal.)?bool", "True or False", "; choose a move by it with `if`"),
    (r"unicode|Literal.str|bytes", "text", ""),
)


def _no_whole_number(given: str) -> str:
    """Say that a policy returns this type."""
    for form, words, advice in _KINDS:
        if re.match(form, given):
            return f"{WHOLE}, not {words} ({_shorter(given)}){advice}"
    return f"{WHOLE}, not {_shorter(given)}"


_NO_CAUSE = ("Failed in", "During", "File ", "- Resolution", "- ", ">>>", "Overload", "There are")


def _cause(  # pragma: compiled only
    error: BaseException, records: Sequence[np.dtype[Any]]
) -> str:
    """Return why compiling failed, without the compiler's own words as far as that goes."""
    if isinstance(error, KeyError) and error.args:
        known = {name for record in records for name in record.names or ()}
        return str(unknown("field", str(error.args[0]), sorted(known), "of TABLE and SEAT"))
    text = str(error)
    for form, words in _FORMS:
        found = re.search(form, text, re.DOTALL)
        if found:
            return words(*found.groups())
    lines = [line.strip() for line in text.splitlines()]
    told = [line for line in lines if line and not line.startswith(_NO_CAUSE)]
    return _shorter(told[0]) if told else f"{type(error).__name__}: {text}".removesuffix(": ")


def _shorter(given: str) -> str:
    """Return types as the compiler writes them, without what nobody asked for."""
    while (start := given.find("Record(")) >= 0:
        given = f"{given[:start]}a record{_after_bracket(given[start:])}"
    given = re.sub(r"Module\(<module '([^']+)'.*?>\)", r"module \1", given)
    given = re.sub(r"Literal\[\w+\]\(([^()]*)\)", r"\1", given)
    given = re.sub(r"<iv=[^>]*>", "", given)
    given = re.sub(r"Function\(<(?:built-in function|class) '?(\w+)'?>\)", r"\1", given)
    return re.sub(r"type\(\w+\(<function (\S+) at \w+>\)\)", r"\1", given)


def _after_bracket(text: str) -> str:
    """Return what follows the bracket that is opened first and closed."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == ")" and depth == 0:
            return text[place + 1 :]
    return ""


def _not_possible(call: str, given: str = "") -> str:
    return f"{_shorter(call)}{_shorter(given)} is not possible in compiled code"


_FORMS: tuple[tuple[str, Callable[..., str]], ...] = (
    (r"Signature mismatch", lambda: "it must take two arguments, TABLE and SEAT"),
    (
        r"No conversion from (.+?) to int64 for '\$",
        _no_whole_number,
    ),
    (
        r"Can't unify return type|Return type is ambiguous",
        lambda: f"{WHOLE}; now it returns different kinds of things",
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '([^']+?)(?:\.\d+)?'",
        lambda one, other, name: (
            f"{name} is first {_shorter(one)}, then {_shorter(other)}: a name keeps its kind"
        ),
    ),
    (
        r"Use of unsupported NumPy function '([^']+)'",
        lambda name: (
            f"{name} is not known in compiled code, or not with these arguments; "
            "write the loop yourself"
        ),
    ),
    (r"name '(\w+)' is not defined", lambda name: f"name '{name}' is not defined"),
    (
        r"The use of a .*? type, assigned to variable '(\w+)' in globals",
        lambda name: (
            f"{name} of the module is a list or the like, which compiled code cannot "
            "use; make it a tuple or a NumPy array"
        ),
    ),
    (
        r"Untyped global name '([^']+)'.*?Cannot determine Numba type of <class '([^']+)'>",
        lambda name, kind: f"{name} ({_global_kind(kind)}) is not known in compiled code",
    ),
    (r"Untyped global name '([^']+)': (.*?)\n", lambda name, cause: f"{name}: {cause}"),
    (
        r"Unknown attribute:? '?(\w+)'? of type (.+?)\n",
        lambda name, given: f"there is no .{name} of {_shorter(given)} in compiled code",
    ),
    (r"No implementation of function .*?>>> (.+?)\n", _not_possible),
    (
        r"Invalid use of (.+?) with (?:argument\(s\) of type\(s\)|parameters) (\(.+?\))\n",
        _not_possible,
    ),
    (
        r"Cannot bind '.*?' to signature '(.+?)' due to \"\w+: (.+?)\"",
        lambda form, cause: f"a function is called with other arguments than {form}: {cause}",
    ),
    (
        r"unsupported opcode \((\w+)\)",
        lambda code: f"this form of statement has no compiled form ({code})",
    ),
    (
        r"Cannot infer the type of variable '([^']+?)(?:\.\d+)?'",
        lambda name: (
            f"{name} is empty, and nothing tells of what kind its things will be; begin "
            "with a value, as in [0]"
        ),
    ),
    (r"Variable '(\w+)' is not defined", lambda name: f"{name} is used before it has a value"),
    (
        r"Type of variable '[^']*' cannot be determined",
        lambda: "the compiler cannot tell what this gives; write it in several simple statements",
    ),
    (
        r"cell variable",
        lambda: (
            "a function inside the policy uses a name that is given a value later, such as "
            "its own; write it outside, with @kernel above it"
        ),
    ),
    (r"Int value is too large", lambda: "a whole number has at most 64 bits"),
)


def _global_kind(kind: str) -> str:
    kinds = {
        "function": "a plain function: put @kernel, from simcore.jit, above it",
        "builtin_function_or_method": "a function of Python's own",
        "type": "a class",
        "method": "a method",
    }
    return kinds.get(kind, kind)


def _place(  # pragma: compiled only
    error: BaseException, function: Callable[..., Any]
) -> tuple[str, int]:
    """Return file and line of an error in a function; its first line if that is not known."""
    code = function.__code__
    file, text = code.co_filename, str(error)
    lines = dict.fromkeys(number for *_, number in code.co_lines() if number)
    name = re.search(r"name '(\w+)' is not defined", text)
    if isinstance(error, KeyError) or name is not None:
        word = name[1] if name else f".{error.args[0] if error.args else ''}"
        import linecache

        found = [number for number in lines if word in linecache.getline(file, number)]
        return file, min(found, default=code.co_firstlineno)
    # The first place is where the cause is; those after it are on the way there.
    places = re.findall(r'File "([^"]+)", line (\d+)|(?:at|from) (/[^()]*?) \((\d+)\)', text)
    own = [
        int(line or other_line)
        for path, line, other, other_line in places
        if (path or other).endswith(file.rsplit("/", 1)[-1])
    ]
    return file, own[-1] if own else code.co_firstlineno
