"""What rules cannot say, and what to write instead: the advice in refusals, by what is refused."""

from __future__ import annotations

KEYWORDS = {
    "FunctionDef": "def",
    "AsyncFunctionDef": "async def",
    "ClassDef": "class",
    "Delete": "del",
    "ImportFrom": "import",
}
"""Keywords of statements whose classes have other names."""

MUST_RETURN = {
    "legal": "it must return the set of legal moves, as in s.hand[seat] or {0, 1}, on every way",
    "count": "it must return how many moves there are, on every way",
    "nth": "it must return the number of a move, on every way",
}
"""What the steps of a decision must return."""

NO_CHOICE = "a policy must return one of the moves, a number"

_TABLE = (
    "; a table of numbers is a constant of the file, and what changes is declared in `State`, as "
    "in shown(number, many=4)"
)

SYNTAX = {
    "FunctionDef": "; write it beside the other functions",
    "Import": "; import at the top of the file",
    "ImportFrom": "; import at the top of the file",
    "List": _TABLE,
    "Dict": _TABLE,
    "ListComp": f"; a set of cards is {{card for card in cards if …}}{_TABLE}",
    "DictComp": _TABLE,
    "Lambda": "; write a function, with a name",
    "NamedExpr": "; assign on a line of its own",
    "Slice": "; one index at a time",
    "GeneratorExp": "; it stands in sum(…), any(…), all(…), max(…) or min(…)",
    "Tuple": "; a loop goes over range(2), seats() or a set of cards, as in {0, 1}",
}
"""Advice for syntax that rules do not have, by the class of the node."""

FUNCTIONS = {
    "print": "`cardlab play` tells a match move by move",
    "sorted": "a loop over a set begins with the lowest card; max(cards, key=…) finds the best",
    "enumerate": "loop over range(…), with an index",
    "zip": "loop over range(…), with an index",
    "round": "write int(x + 0.5)",
    **dict.fromkeys(
        ("random", "randint", "randrange", "choice", "shuffle"),
        "below(s, CHANCE, n) draws a number, draw(place, place) a card; policies draw with "
        "below(s, SEAT(seat), n)",
    ),
    **dict.fromkeys(
        ("add", "remove", "discard", "append", "pop", "clear", "update"),
        "cards change their place by move(what, from, to) or draw(from, to); sets are made with "
        "| & - ^",
    ),
}
"""Advice for functions of Python that rules do not have, by name."""

INDICES = ("no index", "one index", "two indices")
"""Numbers of indices in words."""

NO_TEAMS = "the game has no teams; write teams = 2 beside players, or as many as there are"
NO_TABLE = "a table holds numbers of 64 bits, in rows of the same length"
NO_STATE = "the state is handed on as `s`"
AS_MANY = "assign as many values as names"
TAKEN = "`{}` has a meaning already; take another name"
NO_MATRIX = "`@` is not compiled; multiply, or use a table"
NO_ZERO = "a division by zero"
NO_INDEX = "{} is nothing that has an index"
NOT_A_RULE = "`{}` is not among what rules are written in{}"

NO_MIX = (
    "it mixes a set of cards and a number, or has no meaning for sets; they have & | - ^, and the "
    "set of one card is {card}"
)
NO_ORDER = (
    "sets of cards are compared with == and != and other sets only; all of a is in b if `not a - b`"
)
NO_NUMBER = "a set of cards where a number is wanted: len(…), lowest(…), sum(…) give one"
NO_SET = "a number where a set of cards is wanted; of one card it is {card}"
NO_FLOAT = "the state holds whole numbers; write int(…), or // for a division"
"""What is said of values of another kind, by Numba's types and in plain Python."""
