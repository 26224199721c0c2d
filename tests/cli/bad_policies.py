"""Files of policies that must be refused: what beginners write.

The line that a refusal is to name ends with `#!`; a file without one has no such line.
"""

from __future__ import annotations

HEAD = """import math
import random
import numpy as np
import strategies
from simcore.games.up.moves import nth_move
from simcore.jit import kernel
from strategies import Param, policy

COUNT = 0
SEEN = []
WEIGHTS = [1, 2, 3]
TABLE = {1: 2}
ARRAY = np.arange(5)

"""

DECORATOR = '@policy("up", idea="wrong")\n'


def body(text: str, above: str = "", head: str = "def bad(table, seat):") -> str:
    """Return a file with a policy of these lines."""
    lines = "\n".join(f"    {line}" for line in text.splitlines())
    return f"{HEAD}{above}\n{DECORATOR}{head}\n{lines}\n"


def param(text: str) -> str:
    """Return a file with a policy that has these parameters."""
    return (
        f'{HEAD}@policy("up", idea="wrong", params=[{text}])  #!\n'
        "def bad(table, seat):\n    return nth_move(table, seat, 0)\n"
    )


def whole(text: str) -> str:
    """Return a file of these lines, below the usual imports."""
    return f"{HEAD}{text}\n"


FIRST = "return nth_move(table, seat, 0)"

TEXTS = {
    # What the text of a function says.
    "global": (body(f"global COUNT  #!\nCOUNT += 1\n{FIRST}"), "`global COUNT`"),
    "nonlocal": (
        whole(
            'def make():\n    n = 0\n    @policy("up", idea="x")\n    def bad(table, seat):\n'
            "        nonlocal n  #!\n        n += 1\n        return n\n    return bad\nmake()"
        ),
        "`nonlocal`",
    ),
    "import": (body(f"import math  #!\n{FIRST}"), "top of the file"),
    "from import": (body(f"from math import floor  #!\n{FIRST}"), "top of the file"),
    "open": (body('x = open("log.txt")  #!\nreturn 0'), "files are not read"),
    "with open": (body('with open("log.txt") as f:  #!\n    return 0'), "`with` is not"),
    "yield": (body("yield 1  #!"), "`yield`"),
    "yield from": (body("yield from (1, 2)  #!"), "`yield`"),
    "f-string": (body('name = f"{seat.index}"  #!\nreturn len(name)'), "f-string"),
    "f-string of an error": (body('raise ValueError(f"{seat.index}")  #!'), "f-string"),
    "print": (body(f"print(seat.index)  #!\n{FIRST}"), "nothing is printed"),
    "input": (body('return int(input("move? "))  #!'), "nobody is asked"),
    "eval": (body('return eval("1")  #!'), "runs no text"),
    "exec": (body('exec("x = 1")  #!\nreturn 1'), "runs no text"),
    "globals": (body('globals()["COUNT"] = 1  #!\nreturn 1'), "not possible"),
    "exit": (body("exit(1)  #!"), "does not end the program"),
    "try": (body("try:  #!\n    return seat.moves[99]\nexcept IndexError:\n    return 0"), "`try`"),
    "try finally": (body("try:  #!\n    return 1\nfinally:\n    pass"), "`try`"),
    "class inside": (body("class Card:  #!\n    pass\nreturn 1"), "a class"),
    "generator": (body("return sum(x for x in range(3))  #!"), "a generator"),
    "dict comprehension": (body("d = {i: i for i in range(3)}  #!\nreturn d[0]"), "dicts and sets"),
    "set comprehension": (body("return len({i for i in range(3)})  #!"), "dicts and sets"),
    "match": (
        body("match (1, 2):\n    case [a, b]:  #!\n        return a\nreturn 0"),
        "`match` takes numbers",
    ),
    "del": (body("x = 1\ndel x  #!\nreturn 1"), "`del`"),
    "async": (body(FIRST, head="async def bad(table, seat):"), "`async`"),
    "await": (body("await seat", head="async def bad(table, seat):"), "`async`"),
    "list appended to": (body(f"SEEN.append(1)  #!\n{FIRST}"), "SEEN is a list"),
    "list read": (body("return WEIGHTS[0]  #!"), "make it a tuple"),
    "list written to": (body(f"WEIGHTS[0] = 5  #!\n{FIRST}"), "WEIGHTS"),
    "dict read": (body("return TABLE[1]  #!"), "TABLE is a dict"),
    "array written to": (body(f"ARRAY[0] += 1  #!\n{FIRST}"), "outside of the policy"),
    "attribute of the function": (body(f"bad.calls += 1  #!\n{FIRST}"), "outside of the policy"),
    "attribute of a module": (body(f"math.count = 1  #!\n{FIRST}"), "outside of the policy"),
    "closure": (
        whole(
            'def make(kept):\n    @policy("up", idea="x")\n    def bad(table, seat):\n'
            "        kept.append(1)  #!\n        return 1\nmake([])"
        ),
        "kept is a list",
    ),
    "recursion": (body("return bad(table, seat)  #!"), "cannot call itself"),
    "recursion of a helper": (
        body("return fall(3)", "@kernel\ndef fall(n):\n    return fall(n - 1)  #!\n"),
        "fall calls fall",
    ),
    "recursion of two": (
        body(
            "return one(3)",
            "@kernel\ndef one(n):\n    return two(n)\n\n"
            "@kernel\ndef two(n):\n    return one(n)  #!\n",
        ),
        "one calls two calls one",
    ),
    "recursion of two policies": (
        body(
            "return other(table, seat)  #!",
            '@policy("up", idea="x")\ndef other(table, seat):\n    return bad(table, seat)\n',
        ),
        "calls",
    ),
    "recursion inside": (
        body("def down(n):  #!\n    return down(n - 1)\nreturn down(3)"),
        "down calls itself",
    ),
    "recursion of a lambda": (
        body("down = lambda n: down(n - 1)  #!\nreturn down(3)"),
        "down calls itself",
    ),
    "plain helper": (
        body("return helper(seat)  #!", "def helper(seat):\n    return 0\n"),
        "put @kernel",
    ),
    "helper with try": (
        body(
            "return helper(seat)",
            "@kernel\ndef helper(seat):\n    try:  #!\n        return 1\n"
            "    except Exception:\n        return 0\n",
        ),
        "`try`",
    ),
    "unknown name": (body("return nth_movee(table, seat, 0)  #!"), "did you mean 'nth_move'?"),
    "unknown attribute of numpy": (body("return np.foo(seat.moves)  #!"), "has no 'foo'"),
    # What is no function of two arguments.
    "one argument": (body("return 0", head="def bad(table):"), "two arguments"),
    "three arguments": (body("return 0", head="def bad(table, seat, k=3):"), "(table, seat, k=3)"),
    "any arguments": (body("return 0", head="def bad(*args):"), "two arguments"),
    "keywords": (body("return 0", head="def bad(table, seat, *, k=1):"), "two arguments"),
    "class": (
        whole('@policy("up", idea="x", name="bad")\nclass Bad:\n    pass'),
        "cannot be compiled (class)",
    ),
    "instance": (
        whole(
            "class Bad:\n    def __call__(self, table, seat):\n        return 0\n"
            'policy("up", idea="x", name="bad")(Bad())'
        ),
        "cannot be compiled (Bad)",
    ),
    "partial": (
        whole(
            "import functools\ndef three(k, table, seat):\n    return k\n"
            'policy("up", idea="x", name="bad")(functools.partial(three, 3))'
        ),
        "cannot be compiled (partial)",
    ),
    "method": (
        whole(
            'class Bad:\n    @policy("up", idea="x")\n    def bad(self, table, seat):\n'
            "        return 0"
        ),
        "two arguments",
    ),
    "wrapped": (
        whole(
            "import functools\ndef loud(function):\n    @functools.wraps(function)\n"
            "    def wrapper(*args):\n        return function(*args)\n    return wrapper\n"
            f"{DECORATOR}@loud\ndef bad(table, seat):\n    return 0"
        ),
        "two arguments",
    ),
    "cached": (
        whole(
            f"import functools\n{DECORATOR}@functools.lru_cache\ndef bad(table, seat):\n"
            "    return 0"
        ),
        "(_lru_cache_wrapper)",
    ),
    "number": (whole('policy("up", idea="x", name="bad")(7)  #!'), "cannot be compiled (int)"),
    "lambda without a name": (
        whole('policy("up", idea="x")(lambda table, seat: 0)  #!'),
        "policy name '<lambda>' is refused",
    ),
    # What the file itself does.
    "sys.exit": (whole("import sys\nsys.exit(3)  #!"), "with status 3"),
    "sys.exit without a status": (whole("import sys\nsys.exit()  #!"), "with status 0"),
    "sys.exit with a text": (whole('import sys\nsys.exit("bye")  #!'), "with status 1 ('bye')"),
    "exit while read": (whole("raise SystemExit(0)  #!"), "with status 0"),
    "syntax": (whole("def bad(table, seat)  #!\n    return 0"), "expected ':'"),
    "indentation": (whole("def bad(table, seat):\nreturn 0  #!"), "indented block"),
    "tabs": (whole("if 1:\n        x = 1\n\ty = 2  #!"), "inconsistent use of tabs"),
    "unclosed": (whole("x = (1,  #!\n"), "never closed"),
    "bytes that are no text": (b"x = '\xff\xfe'\n", "utf-8"),
    "null bytes": (b"x = 1\0\n", "null bytes"),
    "unknown encoding": (b"# coding: klingon\nx = 1\n", "klingon"),
    "nothing": ("", "registers no policy"),
    "no policy": (whole("def bad(table, seat):\n    return 0"), "registers no policy"),
    "decorator without brackets": (
        whole("@policy  #!\ndef bad(table, seat):\n    return 0"),
        "idea",
    ),
    "decorator without a game": (
        whole('@policy(idea="x")  #!\ndef bad(table, seat):\n    return 0'),
        "game",
    ),
    "unknown game": (
        whole('@policy("upp", idea="x")  #!\ndef bad(table, seat):\n    return 0'),
        "did you mean 'up'",
    ),
    "unknown word of the decorator": (
        whole('@policy("up", idea="x", tune=1)  #!\ndef bad(table, seat):\n    return 0'),
        "tune",
    ),
    "idea is a number": (
        whole('@policy("up", idea=1)  #!\ndef bad(table, seat):\n    return 0'),
        "idea 1 of policy 'bad' is refused",
    ),
    "name taken": (
        whole('@policy("up", idea="x")  #!\ndef greedy(table, seat):\n    return 0'),
        "'greedy' is taken",
    ),
    "name with capitals": (
        whole('@policy("up", idea="x")  #!\ndef Bad(table, seat):\n    return 0'),
        "policy name 'Bad' is refused",
    ),
    "spec is a number": (
        whole(
            'from strategies import spec_policy\n\nspec_policy("up", idea="x", name="bad")(3)  #!'
        ),
        "spec 3 of policy 'bad' is refused",
    ),
    "error while read": (whole("x = 1 / 0  #!"), "ZeroDivisionError: division by zero"),
    "module that is not there": (whole("import cardgames  #!"), "No module named 'cardgames'"),
    "name that is not there": (
        whole("from simcore.games.up.moves import move_nth  #!"),
        "cannot import name 'move_nth'",
    ),
    "endless recursion while read": (
        whole("def down():\n    return down()  #!\ndown()"),
        "RecursionError",
    ),
    "an error that cannot be written": (
        whole("class E(Exception):\n    def __str__(self):\n        raise E\nraise E  #!"),
        ": E",
    ),
    "an error beyond Exception": (
        whole("class E(BaseException):\n    pass\nraise E('x\\ny\\x1b')  #!"),
        "E: x",
    ),
    # Parameters.
    "default outside": (param('Param("p", 3, 0, 1, "x")'), "default 3 of parameter 'p' is refused"),
    "default is NaN": (param('Param("p", float("nan"), 0, 1, "x")'), "default nan"),
    "bound is NaN": (param('Param("p", 0, float("nan"), 1, "x")'), "lowest value nan"),
    "bound is infinite": (param('Param("p", 0, 0, math.inf, "x")'), "highest value inf"),
    "low above high": (param('Param("p", 0, 1, 0, "x")'), "is above its highest"),
    "a text as default": (param('Param("p", "0.5", 0, 1, "x")'), "default '0.5'"),
    "a text as bound": (param('Param("p", 0, "0", 1, "x")'), "lowest value '0'"),
    "true as default": (param('Param("p", True, 0, 1, "x")'), "default True"),
    "name twice": (
        param('Param("p", 0, 0, 1, "x"), Param("p", 1, 0, 1, "y")'),
        "2 parameters 'p'",
    ),
    "name with brackets": (param('Param("p(q", 0, 0, 1, "x")'), "parameter name 'p(q' is refused"),
    "name is a number": (param('Param(1, 0, 0, 1, "x")'), "parameter name 1 is refused"),
    "meaning forgotten": (param('Param("p", 0, 0, 1)'), "meaning"),
    "meaning is a number": (param('Param("p", 0, 0, 1, 2)'), "meaning 2"),
    "parameter is a number": (param("3"), "parameter 3 of policy 'bad' is refused"),
    "too many parameters": (
        param('*[Param(f"p{i}", 0, 0, 1, "x") for i in range(99)]'),
        "99 parameters",
    ),
}
"""By name: the file, and what the refusal must say; found before anything is compiled."""

COMPILED = {
    "a fraction": (body("return 1.5  #!"), "not a fraction (float64)"),
    "a fraction sometimes": (
        body("if seat.index > 1:\n    return 1\nreturn 2.5  #!"),
        "not a fraction (float64)",
    ),
    "a quotient": (body("return seat.move_count / 2  #!"), "not a fraction (float64)"),
    "a parameter": (body("return seat.params[0]  #!"), "not a fraction (float64)"),
    "true or false": (body("return seat.move_count > 2  #!"), "not True or False"),
    "a text": (body('return "a"  #!'), "not text"),
    "None": (body("return None  #!"), "not None"),
    "nothing sometimes": (body("if seat.move_count > 100:\n    return 1"), "not None"),
    "None sometimes": (
        body("x = None\nfor i in range(3):\n    if seat.index == i:\n        x = i\nreturn x  #!"),
        "not None",
    ),
    "a tuple": (body("return (1, 2)  #!"), "not several ("),
    "a list": (body("return [1]  #!"), "not several ("),
    "an array": (body("return seat.moves  #!"), "not several ("),
    "unknown field": (body("return table.caap  #!"), "did you mean 'cap'"),
    "unsupported by numba": (
        body("return np.apply_along_axis(len, 0, seat.params)  #!"),
        "numpy.apply_along_axis is not known",
    ),
    "text and number": (body('x = "a" + 1  #!\nreturn 1'), "add(a, 1) is not possible"),
    "method of an array": (body("return seat.params.tolist()[0]  #!"), "no .tolist"),
    "any": (body("return int(any(seat.params))  #!"), "any (a function of Python's own)"),
    "module": (body("return random.choice(seat.params)  #!"), "choice"),
    "mixed dict": (body('x = {1: [], "b": 2}  #!\nreturn len(x)'), "cannot be compiled"),
    "kinds of a name": (
        body('x = 1\nif seat.index:\n    x = "a"\nreturn len(x)'),
        "a name keeps its kind",
    ),
    "text to number": (body('return int("three")  #!'), "int("),
    "helper with other arguments": (
        body("return helper(seat, 1, 2)  #!", "@kernel\ndef helper(seat):\n    return 0\n"),
        "other arguments",
    ),
    "the table": (body("return table  #!"), "way it goes, not a record"),
    "the table and the seat": (body("return (table, seat)  #!"), "not several (Tuple(a record, a"),
    "a function": (body("return nth_move  #!"), "not nth_move"),
    "length of the table": (body("return len(table)  #!"), "len(a record) is not possible"),
    "an empty list": (body("x = []  #!\nreturn len(x)"), "x is empty"),
    "used before": (body("x += 1  #!\nreturn x"), "used before it has a value"),
    "clock": (body("return int(time.time())  #!", "import time\n"), "no .time of module time in"),
    "sys.exit in play": (body("sys.exit(3)  #!", "import sys\n"), "no .exit of module sys in"),
    "class of constants": (
        body("return Config.X  #!", "class Config:\n    X = 3\n"),
        "Config (a class) is not known",
    ),
    "huge number": (body("return 2**80 + (1 << 70)"), "64 bits"),
}
"""The same, told by the compiler."""

GOOD = (
    HEAD
    + """
import numba
from functools import lru_cache

LIMIT = 3
ORDER = (3, 1, 2)
POWERS = 2 ** np.arange(8)

class Notes:
    \"\"\"Not used by a policy.\"\"\"

@lru_cache
def prepared():
    with open(__file__) as file:
        return len(file.read())

SIZE = prepared()

@kernel
def larger(a, b):
    if a > b:
        return a
    return b

@numba.njit
def twice(a):
    return larger(a, a) * 2

@policy("up", idea="calls helpers")
def helped(table, seat):
    return nth_move(table, seat, larger(0, twice(seat.move_count) // 2 - 1))

@policy("up", idea="reads constants")
def constant(table, seat):
    global COUNT
    return nth_move(table, seat, (COUNT + ORDER[1] + POWERS[2] + LIMIT + SIZE) % seat.move_count)

@policy("up", idea="has annotations")
def annotated(table: "Table", seat: "Seat") -> int:
    best: "Card" = 0
    return nth_move(table, seat, best)

@policy("up", idea="asks NumPy and math")
def numeric(table, seat):
    values = np.array([math.sqrt(i) for i in range(seat.move_count)])
    order = np.argsort(-values)
    return nth_move(table, seat, int(order[0]) if values.max() > 1 else np.argmin(values))

@policy("up", idea="has a function inside")
def nested(table, seat):
    def score(i):
        return -i * i
    best = 0
    for i in range(1, seat.move_count):
        if score(i) > score(best):
            best = i
    return nth_move(table, seat, best)

@policy("up", idea="keeps a list and a dict of its own")
def collecting(table, seat):
    seen = [0]
    count = {0: 1}
    for i in range(seat.move_count):
        seen.append(i)
        count[i] = count.get(i, 0) + 1
    return nth_move(table, seat, len(seen) - 2 + 0 * len(count))

@policy("up", idea="gives up")
def raising(table, seat):
    assert seat.move_count > 0
    if seat.move_count > 1000:
        raise ValueError("too many")
    return nth_move(table, seat, np.uint8(0))

@policy("up", idea="was compiled before")
@numba.njit
def compiled(table, seat):
    return nth_move(table, seat, 0)

def make(which):
    @policy("up", idea="made by a function", name=f"made_{which}")
    def made(table, seat):
        return nth_move(table, seat, which * 0)
    return made

make(1)
make(2)
policy("up", idea="a lambda", name="short")(lambda table, seat: nth_move(table, seat, 0))

@policy("up", idea="takes numbers", params=[Param("p", np.float64(0.5), 0, 1, "x"),
                                            Param("q", 2, 2, 2, "only one value")])
def numbered(table, seat):
    return nth_move(table, seat, int(seat.params[0]))
"""
)
"""Policies that are unusual, and allowed."""
