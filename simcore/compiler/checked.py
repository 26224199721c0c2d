"""What users' code may do wrong while it runs, as functions over numbers that note a fault.

Where ordinary Python stops with an error, compiled code cannot. So in units that users have
written, a word that may be used wrongly calls one of these functions. They write 1 to `fault` of
the state and return something harmless; the match ends, and is played again as ordinary Python,
which tells what happened, and where (`plain`). The games of cardlab are compiled without.
"""

from __future__ import annotations

from typing import NamedTuple

BOOL, FLOAT, INT = "b", "f", "n"

LEAST, MOST = -(1 << 63), (1 << 63) - 1
HALF = 1 << 31


class Check(NamedTuple):
    """A function: names of its parameters, its text, and the kind of all its numbers."""

    params: str
    text: str
    kind: str = INT
    returns: str = INT


CHECKS = {
    "index_": Check(
        "at count",
        """
if rarely(at < 0 or at >= count):
    s.fault = 1
    return 0
return at
""",
    ),
    "add_": Check(
        "a b",
        """
total = wadd(a, b)
if rarely(((a ^ total) & (b ^ total)) < 0):
    s.fault = 1
return total
""",
    ),
    "subtract_": Check(
        "a b",
        """
rest = wadd(a, wadd(~b, 1))
if rarely(((a ^ b) & (a ^ rest)) < 0):
    s.fault = 1
return rest
""",
    ),
    "multiply_": Check(
        "a b",
        f"""
product = wmul(a, b)
if rarely((wadd(a, {HALF}) >> 32) != 0 or (wadd(b, {HALF}) >> 32) != 0):
    if a == -1:
        if b == {LEAST}:
            s.fault = 1
    elif a != 0:
        if divided_by(product, a) != b or modulo(product, a) != 0:
            s.fault = 1
return product
""",
    ),
    "divide_": Check(
        "a b",
        f"""
if rarely(b == 0 or (b == -1 and a == {LEAST})):
    s.fault = 1
    return 0
return divided_by(a, b)
""",
    ),
    "modulo_": Check(
        "a b",
        """
if rarely(b == 0 or b == -1):
    if b == 0:
        s.fault = 1
    return 0
return modulo(a, b)
""",
    ),
    "ratio_": Check(
        "a b",
        """
if rarely(b == 0.0):
    s.fault = 1
    return 0.0
return a / b
""",
        FLOAT,
        FLOAT,
    ),
    "left_": Check(
        "a places",
        """
if rarely(places < 0 or places > 63):
    s.fault = 1
    return 0
return a << places
""",
    ),
    "right_": Check(
        "a places",
        """
if rarely(places < 0):
    s.fault = 1
    return 0
return a >> min(places, 63)
""",
    ),
    "shr_": Check(
        "a places",
        """
if rarely(places < 0 or places > 63):
    s.fault = 1
    return 0
return shr(a, places)
""",
    ),
    "whole_": Check(
        "a",
        f"""
if rarely(not (a >= {float(LEAST)!r} and a < {-float(LEAST)!r})):
    s.fault = 1
    return 0
return cut(a)
""",
        FLOAT,
    ),
    "bound_": Check(
        "bound",
        f"""
if rarely(bound < 1 or bound > {1 << 32}):
    s.fault = 1
    return 1
return bound
""",
    ),
    "short_": Check(
        "a",
        f"""
if rarely((wadd(a, {HALF}) >> 32) != 0):
    s.fault = 1
    return 0
return a
""",
    ),
    "winners_": Check(
        "seats",
        """
if rarely(seats < 1 or seats >= (1 << o.players)):
    s.fault = 1
    return 1
return seats
""",
    ),
    "after_": Check(
        "seat steps",
        """
if rarely(steps < 0 - o.players or steps > o.players):
    s.fault = 1
    return 0
return modulo(wadd(seat, steps), o.players)
""",
    ),
}
"""By name. Each takes the state and the options first."""


def of_words(name: str, count: int) -> Check:
    """Return a check of a set of cards of so many words: `lowest_`, `highest_` or `nth_`."""
    words = [f"w{place}" for place in range(count)]
    nothing = f"({' | '.join(words)}) == 0"
    if name == "nth_":
        size = " + ".join(f"popcount({word})" for word in words)
        return Check(
            " ".join([*words, "index"]),
            f"if rarely(index < 0 or index >= {size}):\n    s.fault = 1\n    return 0\n"
            "return VALUE",
        )
    return Check(
        " ".join(words), f"if rarely({nothing}):\n    s.fault = 1\n    return 0\nreturn VALUE"
    )
