"""Functions beside Guess, some named as words of the language or its translation are."""

from typing import NamedTuple

FAR = {70}
HUGE = [2**70, 1]
PREFIX = [5, 6, 7]


def bump(s):
    s.last += 1
    return s.last


def reset(s, value):
    s.last = value
    return value


def drawn(s):
    s.last += 1
    return {below(s, CHANCE, 8), s.last & 15}


def nothing(s):
    s.last += 1


def sometimes(card):
    if card:
        return 1


def bad_o(o):
    return o


def max(a, b):
    return a - b


def word_of(größe):
    ß = größe * 2
    return ß


def more(s):
    return bump(s) > 2


def two_values(s):
    return bump(s), drawn(s)


def first(s, low):
    return low + second(s)


def second(s):
    return low(s)


def low(s):
    return len(s.laid)


class Pair(NamedTuple):
    a: int
    b: cardset


def worth(pair: Pair):
    return pair.a + len(pair.b)
