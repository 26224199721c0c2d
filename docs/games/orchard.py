"""Orchard: all pick fruit together before the raven is there.

Four trees bear ten pieces each. A die with six sides decides a turn: on a colour one piece is taken from its
tree, if any is left; on the raven it comes a step nearer; on the basket the seat takes two pieces from
whichever trees it likes. All have saved the fruit if the trees are empty before the raven has made nine steps.

Who plays together wins together, or nobody does. How often the table wins is known exactly for three ways of
using a basket (`tests/own/alone_orchard.py`): 68.40 % from the fullest tree, 63.20 % from any, 53.24 % from the
emptiest.
"""

from cardlab.rules import *

players = 1, 4
teams = 1  # all win together
fruit = option(10, 1, 20, "pieces on each tree")
raven_steps = option(9, 1, 20, "steps of the raven")
basket = option(2, 1, 3, "pieces taken for a basket")

TREES = 4
RAVEN = 4  # the sides of the die: the trees, the raven, the basket


class State:
    tree = shown(number, many=TREES)
    raven = shown(number)  # steps that it has still to make
    left = shown(number)  # pieces still to be taken for a basket


def deal(s):
    s.left = 0
    s.raven = raven_steps
    for k in range(TREES):
        s.tree[k] = fruit


def total(s):
    return sum(s.tree[k] for k in range(TREES))


def begin_turn(s, seat):
    if s.left:
        return
    die = below(s, CHANCE, 6)
    if die < TREES:
        s.tree[die] -= s.tree[die] > 0
    elif die == RAVEN:
        s.raven -= 1
    else:
        s.left = min(basket, total(s))


def legal(s, seat):
    return {k for k in range(TREES) if s.left and s.tree[k]}


def apply(s, seat, tree):
    s.tree[tree] -= 1
    s.left -= 1


def next_seat(s, seat):
    return seat if s.left else after(seat, 1)


def ended(s, seat):
    return not s.raven or not total(s)


def score(s):
    if total(s):
        end_match(s, 0)


def name_move(s, tree):
    return f"pick from tree {tree + 1}"


phrases = {
    "numbers": {"left": {2: "a basket"}, "raven": "the raven has {new} steps to go"},
}


@policy
def fullest(s, seat, moves):
    """Pick from the fullest tree."""
    return max(moves, key=lambda k: s.tree[k])


@policy
def emptiest(s, seat, moves):
    """Pick from the emptiest tree."""
    return min(moves, key=lambda k: s.tree[k])
