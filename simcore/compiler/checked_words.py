"""Words as users' code calls them: what may be used wrongly is checked.

Rules and policies of users call `_lowest(s, o, cards)` for `lowest(cards)`, and so on for all names
here. In plain Python `_wrong` raises with its sentence. Compiled it notes a fault in the state, and
something harmless is returned: the match ends, and is played again as ordinary Python, to tell what
was wrong. The operators of users' code are in `instructions`; `OPERATORS` lists them.
"""

# mypy: disable-error-code="name-defined, no-untyped-def"

from __future__ import annotations

import ast

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
"""Comparisons that are checked: of a float and a whole number that floats do not hold."""


# ------------------------------------------------------------------------------- sets, bits, seats


def _lowest(s, o, cards):
    if rarely(not cards):
        _wrong(s, "the lowest or highest of nothing; ask first whether there is any")
        return 0
    return lowest(cards)


def _highest(s, o, cards):
    if rarely(not cards):
        _wrong(s, "the lowest or highest of nothing; ask first whether there is any")
        return 0
    return highest(cards)


def _nth(s, o, cards, index):
    if rarely(index < 0 or index >= len(cards)):
        _wrong(s, f"nth(cards, {index}) of {len(cards)}: from 0 to {len(cards) - 1}")
        return 0
    return nth(cards, index)


def _lowest_bit(s, o, word):
    if rarely(word == 0):
        _wrong(s, "the lowest or highest of nothing; ask first whether there is any")
        return 0
    return lowest_bit(word)


def _highest_bit(s, o, word):
    if rarely(word == 0):
        _wrong(s, "the lowest or highest of nothing; ask first whether there is any")
        return 0
    return highest_bit(word)


def _nth_bit(s, o, word, index):
    if rarely(index < 0 or index >= popcount(word)):
        _wrong(s, f"nth(cards, {index}) of {popcount(word)}: from 0 to {popcount(word) - 1}")
        return 0
    return nth_bit(word, index)


def _of_suit(s, o, suit):
    return of_suit(suit) if 0 <= suit < _SUITS else _none()


def _of_rank(s, o, rank):
    return of_rank(rank) if 0 <= rank < _RANKS else _none()


def _after(s, o, seat, steps):
    if rarely(steps < 0 - o.players or steps > o.players):
        _wrong(s, f"after(seat, {steps}) of {o.players} players: from -{o.players} to {o.players}")
        return 0
    return _modulo(_wadd(seat, steps), o.players)


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


def _draw(s, o, source, target):
    if rarely(not source.cards):
        _wrong(s, f"draw() from {source}, which is empty; ask first whether a card is left")
        return 0
    return _draw_one(s, source, target)


def _draw_count(s, o, source, target, count):
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
