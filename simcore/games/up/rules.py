"""Up: what options say of a turn; here alone they are read for it.

What must know more takes more time, in lanes most of all: there every step is computed whether it
is chosen or not. So rules that are rare come in groups, and who calls says which to read; of the
others the compiler knows that they are the usual ones.
"""

from __future__ import annotations

import functools
import operator
from typing import Any, NamedTuple

import numpy as np

from simcore.games.up.cards import USUAL_DECK, Deck
from simcore.jit import inline_kernel


class Rules(NamedTuple):
    """What options say of a turn, in fields of TABLE of the same names."""

    multiples_in_first_lap: Any
    minus_two_collapse: Any
    minus_two_lead: Any
    restart_open: Any
    four_clear: Any


USUAL = Rules(1, 0, 0, 0, 0)
"""The rules where no option is set."""

TEXT_VARIANTS, SPECIAL_CARDS, HOUSE_RULES, FIRST_TURNS = (np.int64(1 << bit) for bit in range(4))
"""Groups of rules other than these, a bit each: the double two and single cards in the first turn;
another number of special cards; all others; and, where a match by itself does not ask for it
otherwise, what a first turn is. Whoever plays few matches of many kinds waits for the compiler, so
there are not more of them. (Of plain numbers Numba would compile all that is given them for each.)
"""

NO_RARE_RULES = np.int64(0)
GROUPS = (TEXT_VARIANTS, SPECIAL_CARDS, HOUSE_RULES)
RARE_RULES = TEXT_VARIANTS | SPECIAL_CARDS | HOUSE_RULES

RARE_WITH_USUAL_CARDS = TEXT_VARIANTS | HOUSE_RULES
"""Where a match by itself plays with usual cards; to ask which they are all else would wait for."""


@inline_kernel
def rules_of(table, rare):
    """Return the rules of a match; the usual ones but for groups of `rare` ones."""
    house = rare & HOUSE_RULES
    lap = table.multiples_in_first_lap if rare & TEXT_VARIANTS else USUAL.multiples_in_first_lap
    return Rules(
        multiples_in_first_lap=np.int64(lap),
        minus_two_collapse=np.int64(table.minus_two_collapse if house else 0),
        minus_two_lead=np.int64(table.minus_two_lead if house else 0),
        restart_open=np.int64(table.restart_open if house else 0),
        four_clear=np.int64(table.four_clear if house else 0),
    )


@inline_kernel
def deck_of(table, rare):
    """Return which cards are "-2" and clear cards in this round; see `rules_of`."""
    cards = rare & SPECIAL_CARDS
    return Deck(
        double=np.int64(table.double if rare & TEXT_VARIANTS else 0),
        minus_twos=np.int64(table.minus_twos if cards else USUAL_DECK.minus_twos),
        clears=np.int64(table.clears if cards else USUAL_DECK.clears),
        counted=np.int64(0),
    )


@inline_kernel
def rare_in_round(table):
    """Return the groups of rules other than the usual ones that are in force in this round."""
    return table.rare | (TEXT_VARIANTS if table.double else 0)


@inline_kernel
def rare_later(table):
    """Tell by a number that is not 0 whether there are any once no first turn is to come.

    Of `TEXT_VARIANTS` that is the double two, which `rare` does not name.
    """
    return (table.rare & ~TEXT_VARIANTS) | np.int64(table.double)


def rare_rules(table: Any) -> int:
    """Return the groups of which options say anything but the usual; not compiled.

    The double two is not among them: it is in force in some rounds.
    """
    groups = dict.fromkeys(USUAL._fields, HOUSE_RULES)
    groups["multiples_in_first_lap"] = TEXT_VARIANTS
    groups |= dict.fromkeys(("minus_twos", "clears"), SPECIAL_CARDS)
    usual = USUAL._asdict() | USUAL_DECK._asdict()
    rare = (group for name, group in groups.items() if int(table[name]) != usual[name])
    return functools.reduce(operator.or_, rare, 0)
