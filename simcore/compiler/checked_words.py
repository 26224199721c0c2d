"""Words as users' code calls them: what may be used wrongly is checked.

Rules and policies of users call `_lowest(s, o, cards)` for `lowest(cards)`, `_add(s, a, b)` for
`a + b`, and so on for all names here. In plain Python `_wrong` raises with its sentence. Compiled
it notes a fault in the state, and something harmless is returned: the match ends, and is played
again as ordinary Python, to tell what was wrong.
"""

# mypy: disable-error-code="name-defined, no-untyped-def"

from __future__ import annotations

import ast

from simcore.words import WORDS

OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "_add",
    ast.Sub: "_sub",
    ast.Mult: "_mul",
    ast.FloorDiv: "_floor",
    ast.Mod: "_mod",
    ast.Div: "_ratio",
    ast.LShift: "_left",
    ast.RShift: "_right",
}
"""Operators that are checked: they take the state, then both sides."""

COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "_lt",
    ast.LtE: "_le",
    ast.Gt: "_gt",
    ast.GtE: "_ge",
    ast.Eq: "_eq",
    ast.NotEq: "_ne",
}
"""Comparisons that are exact: of a float and a whole number that floats do not hold, too. They are
instructions, and take both sides only."""


# --------------------------------------------------------------------------------------- operators


def _add(s, a, b):
    if rarely(not _sum_fits(a, b)):
        _wrong(s, _beyond(a, b, a + b))
    return _plus(a, b)


def _sub(s, a, b):
    if rarely(not _difference_fits(a, b)):
        _wrong(s, _beyond(a, b, a - b))
    return _minus(a, b)


def _mul(s, a, b):
    if rarely(not _product_fits(a, b)):
        _wrong(s, _beyond(a, b, f"{a} × {b}"))
    return _times(a, b)


def _floor(s, a, b):
    if rarely(b == 0):
        _wrong(s, "a division by zero; ask first whether it is one")
        return 0
    if rarely(b == -1):
        return _sub(s, 0, a)
    return _divided(a, b)


def _mod(s, a, b):
    if rarely(b == 0):
        _wrong(s, "a division by zero; ask first whether it is one")
        return 0
    if rarely(b == -1):
        return 0
    return _modulo(a, b)


def _ratio(s, a, b):
    if rarely(not (_exact(a, 0.0) and _exact(b, 0.0))):
        _wrong(s, _beyond(b if _exact(a, 0.0) else a, 0.0, ""))
    if rarely(b == 0):
        _wrong(s, "a division by zero; ask first whether it is one")
        return 0.0
    return _float(a) / _float(b)


def _left(s, a, b):
    if rarely(b < 0 or b >= 64):
        _wrong(s, f"<< {b}: from 0 to 63")
        return 0
    return _shl(a, b)


def _right(s, a, b):
    if rarely(b < 0):
        _wrong(s, f">> {b}: from 0 on")
        return 0
    return _number(a) >> min(b, 63)


def _whole(s, value):
    if rarely(not _fits(value)):
        _wrong(s, f"int({value}): whole numbers have 64 bits")
        return 0
    return _int(value)


def _abs(s, value):
    if rarely(not _difference_fits(0, value)):
        _wrong(s, _beyond(0, value, abs(value)))
        return 0
    return abs(value)


def _max(s, a, b):
    if rarely(not _exact(a, b)):
        _wrong(s, _beyond(a, b, ""))
    return max(a, b)


def _min(s, a, b):
    if rarely(not _exact(a, b)):
        _wrong(s, _beyond(a, b, ""))
    return min(a, b)


# ------------------------------------------------------------- indices, and what the state can hold


def _index(s, at, count):
    at = _number(at)
    if rarely(at < 0 or at >= count):
        _wrong(s, f"[{at}] of {count}: indices go from 0 to {count - 1}")
        return 0
    return at


def _small(s, value, count):
    if rarely(value < 0 or value >= count):
        _wrong(s, f"{value} of {count}: from 0 to {count - 1}")
        return 0
    return value


def _short(s, value):
    if rarely(value < -2147483648 or value > 2147483647):
        _wrong(s, f"{value} is beyond 32 bits")
        return 0
    return value


def _bound(s, bound):
    bound = _number(bound)
    if rarely(bound < 1):
        _wrong(s, f"a number below {bound} is to be drawn")
        return 1
    if rarely(bound > 4294967296):
        _wrong(s, f"below(s, …, {bound}): from 1 to {1 << 32}")
        return 1
    return bound


def _stride(s, step):
    if rarely(step == 0):
        _wrong(s, "range() arg 3 must not be zero: the loop would not end")
        return 1
    return step


def _card(s, item):
    """Return a card as the set of itself; a set as it is."""
    if rarely(not _is_card(item, _NUMBERS)):
        _wrong(s, _no_card(item))
        return _none()
    return _item(item)


# ------------------------------------------------------------------------------- sets, bits, seats


def _some(s, is_some):
    """Tell whether there is any; note a fault where the lowest or highest of nothing is wanted."""
    if rarely(not is_some):
        _wrong(s, "the lowest or highest of nothing; ask first whether there is any")
    return is_some


def _lowest(s, o, cards):
    return lowest(cards) if _some(s, bool(cards)) else 0


def _highest(s, o, cards):
    return highest(cards) if _some(s, bool(cards)) else 0


def _lowest_bit(s, o, word):
    return lowest_bit(word) if _some(s, word != 0) else 0


def _highest_bit(s, o, word):
    return highest_bit(word) if _some(s, word != 0) else 0


def _nth(s, o, cards, index):
    if rarely(index < 0 or index >= len(cards)):
        _wrong(s, f"nth(cards, {index}) of {len(cards)}: from 0 to {len(cards) - 1}")
        return 0
    return nth(cards, index)


def _nth_bit(s, o, word, index):
    if rarely(index < 0 or index >= popcount(word)):
        _wrong(s, f"nth(cards, {index}) of {popcount(word)}: from 0 to {popcount(word) - 1}")
        return 0
    return nth_bit(word, index)


def _shr(s, o, word, places):
    if rarely(places < 0 or places >= 64):
        _wrong(s, f"shr by {places}: from 0 to 63")
        return 0
    return shr(word, places)


def _of_suit(s, o, suit):
    return of_suit(suit) if 0 <= suit < _SUITS else _none()


def _of_rank(s, o, rank):
    return of_rank(rank) if 0 <= rank < _RANKS else _none()


def _after(s, o, seat, steps):
    if rarely(steps < 0 - o.players or steps > o.players):
        _wrong(s, f"after(seat, {steps}) of {o.players} players: from -{o.players} to {o.players}")
        return 0
    return _modulo(_plus(seat, steps), o.players)


def _seat(s, o, seat):
    if rarely(seat < 0 or seat >= o.players):
        _wrong(s, f"seat {seat} of {o.players}: from 0 to {o.players - 1}")
        return 0
    return seat


def _others(s, o, seat):
    return others(o, _seat(s, o, seat))


def _team(s, o, seat):
    return team(o, _seat(s, o, seat))


def _partners(s, o, seat):
    return partners(o, _seat(s, o, seat))


def _partner(s, o, seat):
    return partner(o, _seat(s, o, seat))


# --------------------------------------------------------------------------------- random numbers


def _below(s, o, stream, bound):
    return below(s, stream, _bound(s, bound))


def _below_from(s, o, stream, half, bound):
    return below_from(s, stream, _index(s, half, 4294967296), _bound(s, bound))


# ------------------------------------------------------------------------ cards from place to place


def _move(s, o, what, source, target):
    cards = _card(s, what)
    if rarely(bool(cards - source.cards)):
        _wrong(s, _elsewhere("move", "", cards, source))
    move(cards, source, target)


def _draw(s, o, source, target, count):
    card = -1
    for _ in range(count):
        if rarely(not source.cards):
            _wrong(s, f"draw() from {source}, which is empty; ask first whether a card is left")
            break
        card = _draw_one(s, source, target)
    return card


def _bring(s, o, what, place):
    cards = _card(s, what)
    if rarely(bool(cards & _lying(s, o))):
        _wrong(s, _already(s, cards & _lying(s, o)))
    bring(cards, place)


def _insert(s, o, what, source, target, k):
    if rarely(bool(_card(s, what) - source.cards)):
        _wrong(s, _elsewhere("insert", ", k", _card(s, what), source))
    insert(s, o, what, source, target, k)


def _bring_into(s, o, what, place):
    if rarely(bool(_card(s, what) & _lying(s, o))):
        _wrong(s, _already(s, _card(s, what) & _lying(s, o)))
    _bring_ordered(s, what, place)


def _look(s, o, seat, place, k):
    look(s, _seat(s, o, seat), place, k)


def _seen(s, o, seat, place, k):
    return seen(s, o, _seat(s, o, seat), place, k)


# ------------------------------------------------------------------------------------ what is next


def _ask(s, o, seat, decision):
    if rarely(seat < 0 or seat >= o.players):
        _wrong(
            s,
            f"seat {seat} of {o.players} is asked; who sits further on is after(seat, 1)",
        )
        seat = 0
    if rarely(decision < 2 or decision >= 2 + _DECISIONS):
        _wrong(s, f"no decision has the number {decision}")
        decision = 2
    ask(s, seat, decision)


def _end_match(s, o, winners):
    if rarely(winners < 0 or winners >= (1 << o.players)):
        _wrong(s, _no_winners(winners, o.players))
        winners = 1
    for seat in range(o.players):
        if ((winners >> seat) & 1) != 0 and (_TEAM[seat] & all_seats(o) & ~winners) != 0:
            _wrong(s, f"end_match(s, {winners}): a team wins together, as in bits(team({seat}))")
    end_match(s, winners)


def _best_seats(s, o, lowest):
    _same_totals(s, o)
    return best_seats(s, o, lowest)


def _note_leaders(s, o, lowest, changes):
    _same_totals(s, o)
    note_leaders(s, o, lowest, changes)
    for seat in range(o.players):
        s.deficits[seat] = _short(s, s.deficits[seat])


def _same_totals(s, o):
    """Note a fault where the seats of a team have different totals."""
    _seldom()
    for seat in range(o.players):
        mate = lowest_bit(_TEAM[seat])
        if s.scores[seat] != s.scores[mate]:
            _wrong(s, _unequal(mate, seat, s.scores[mate], s.scores[seat]))


def _need_one(s, o, nothing):
    """Note a fault where the best of nothing was asked for."""
    if rarely(nothing):
        _wrong(s, "the least or most of nothing; ask first whether there is any")


def _need_next(s, o, decision):
    """Note a fault where a move asks nobody, and ends neither round nor match."""
    if rarely(s.phase == -1):
        _wrong(s, f"{_applied(decision)} asks nobody, and ends neither round nor match")


CHECKED = {name for name in WORDS.values() if f"_{name}" in globals()}
"""Words that have a checked form."""
