"""What users' code may do wrong while it runs, as functions over numbers that note a fault.

Where ordinary Python stops with an error, compiled code cannot. So in units that users have
written, a word that may be used wrongly calls one of these functions. They write 1 to `fault` of
the state and return something harmless; the match ends, and is played again as ordinary Python,
which says what happened, and where (`plain`). The games of cardlab are compiled without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:  # the words of compiled code
    from simcore.compiler.numba_code import (  # noqa: TC004
        cut,
        divided_by,
        modulo,
        rarely,
        shr,
        wadd,
        wmul,
    )

State: TypeAlias = Any
Options: TypeAlias = Any

LEAST, MOST = -(1 << 63), (1 << 63) - 1
LEAST_REAL, BEYOND_REAL = float(LEAST), -float(LEAST)
HALF = 1 << 31
MOST_BOUND = 1 << 32


def index_(s: State, o: Options, at: int, count: int) -> int:
    """Return an index, 0 for one that is out of range."""
    if rarely(at < 0 or at >= count):
        s.fault = 1
        return 0
    return at


def add_(s: State, o: Options, a: int, b: int) -> int:
    """Add two 64-bit integers; note a fault on overflow."""
    total = wadd(a, b)
    if rarely(((a ^ total) & (b ^ total)) < 0):
        s.fault = 1
    return total


def subtract_(s: State, o: Options, a: int, b: int) -> int:
    """Return a difference of 64 bits."""
    rest = wadd(a, wadd(~b, 1))
    if rarely(((a ^ b) & (a ^ rest)) < 0):
        s.fault = 1
    return rest


def multiply_(s: State, o: Options, a: int, b: int) -> int:
    """Return a product of 64 bits; of numbers of 32 bits nothing is to be checked."""
    product = wmul(a, b)
    if rarely((wadd(a, HALF) >> 32) != 0 or (wadd(b, HALF) >> 32) != 0):
        if a == -1:
            if b == LEAST:
                s.fault = 1
        elif a != 0:  # noqa: SIM102
            if divided_by(product, a) != b or modulo(product, a) != 0:
                s.fault = 1
    return product


def divide_(s: State, o: Options, a: int, b: int) -> int:
    """Return a quotient, rounded down."""
    if rarely(b == 0 or (b == -1 and a == LEAST)):
        s.fault = 1
        return 0
    return divided_by(a, b)


def modulo_(s: State, o: Options, a: int, b: int) -> int:
    """Return the remainder, with the sign of the divisor; note a fault for divisor 0."""
    if rarely(b == 0 or b == -1):  # noqa: PLR1714
        if b == 0:
            s.fault = 1
        return 0
    return modulo(a, b)


def ratio_(s: State, o: Options, a: float, b: float) -> float:
    """Return a quotient of floats."""
    if rarely(b == 0.0):
        s.fault = 1
        return 0.0
    return a / b


def left_(s: State, o: Options, a: int, places: int) -> int:
    """Return a number shifted to the left."""
    if rarely(places < 0 or places > 63):
        s.fault = 1
        return 0
    return a << places


def right_(s: State, o: Options, a: int, places: int) -> int:
    """Return a number shifted to the right, with its sign."""
    if rarely(places < 0):
        s.fault = 1
        return 0
    return a >> min(places, 63)


def shr_(s: State, o: Options, a: int, places: int) -> int:
    """Return a word shifted to the right; zeros come in."""
    if rarely(places < 0 or places > 63):
        s.fault = 1
        return 0
    return shr(a, places)


def whole_(s: State, o: Options, a: float) -> int:
    """Truncate a float to an integer; note a fault and return 0 if it does not fit."""
    if rarely(not (a >= LEAST_REAL and a < BEYOND_REAL)):
        s.fault = 1
        return 0
    return cut(a)


def bound_(s: State, o: Options, bound: int) -> int:
    """Return the bound of a random number; note a fault and return 1 if it is out of range."""
    if rarely(bound < 1 or bound > MOST_BOUND):
        s.fault = 1
        return 1
    return bound


def short_(s: State, o: Options, a: int) -> int:
    """Return a number of 32 bits, as rows have them."""
    if rarely((wadd(a, HALF) >> 32) != 0):
        s.fault = 1
        return 0
    return a


def winners_(s: State, o: Options, seats: int) -> int:
    """Return the winners, as bits: at least one, and seats of the table."""
    if rarely(seats < 1 or seats >= (1 << o.players)):
        s.fault = 1
        return 1
    return seats


def after_(s: State, o: Options, seat: int, steps: int) -> int:
    """Return the seat some steps further on."""
    if rarely(steps < 0 - o.players or steps > o.players):
        s.fault = 1
        return 0
    return modulo(wadd(seat, steps), o.players)
