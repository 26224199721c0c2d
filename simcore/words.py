"""The words that rules and policies are written in, each defined once.

A word is an ordinary function: Numba compiles it together with the rules that call it, and in plain
Python it runs as it is (`simcore.compiler`). The options `o` and the state as `state` are
parameters that rules do not write: the compiler fills them in. Words without a body are
instructions of the processor (`compiler.instructions`) or rewritten where they are called
(`compiler.rewrite`); their docstring says what they do.

Rules import words from `simcore.language`, where calling one outside of a match is refused.
"""

# mypy: disable-error-code="empty-body, no-any-return, name-defined, no-untyped-def"

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

Word = Callable[..., Any]

NO_CARD = -1

WORDS: dict[Any, str] = {}
"""The words of the language, as rules import them, by the functions that stand for them."""

BODIES: dict[str, Callable[..., Any]] = {}
"""What each word does, by name; those without a body are not among them."""

HIDDEN = ("state", "o")
"""Parameters that rules do not write."""

EFFECTS: set[str] = set()
"""Words that change the state, or what is drawn next."""


def language_word(function: Word) -> Word:
    """Register a word; rules import a function in its place that is refused outside of a match."""

    @wraps(function)
    def stand_in(*_args: Any, **_named: Any) -> Any:
        raise RuntimeError("a word of rules, which has a meaning only where rules are played")

    signature = inspect.signature(function)
    shown = [param for name, param in signature.parameters.items() if name not in HIDDEN]
    stand_in.__dict__["__signature__"] = signature.replace(parameters=shown)
    WORDS[stand_in] = function.__name__
    if function.__code__.co_names or function.__code__.co_consts != (function.__doc__, None):
        BODIES[function.__name__] = function
    return stand_in


def action(function: Word) -> Word:
    """Register a word that changes the state, or what is drawn next."""
    EFFECTS.add(function.__name__)
    return language_word(function)


# ---------------------------------------------------------------------------- what happens next


@action
def ask(s, seat, decision):
    """Let a seat decide something next."""
    s.seat = seat
    s.phase = decision


@action
def end_round(s):
    """End the round; `score_round` follows."""
    s.phase = 1


@action
def end_match(s, winners):
    """End the match; `winners` has a bit for each seat that wins, and is 0 where all lose."""
    s.winners = winners
    s.phase = 0


@action
def abort(s):
    """End the match without a winner."""
    s.winners = 0
    s.aborted = 1
    s.phase = 0


# ------------------------------------------------------------------------------ counts and scores


@action
def note(s, clause):
    """Note that a clause came into play."""
    s.count.clauses = s.count.clauses | clause


@action
def note_if(s, clause, condition):
    """Note that a clause came into play, if that is so."""
    s.count.clauses = s.count.clauses | (clause if condition else 0)


@action
def note_leaders(s, o, lowest, changes="lead_changes"):
    """Note who leads after a round, and by how much the others are behind."""
    _seldom()
    best = _best_score(s, o, lowest)
    leaders = 0
    for seat in range(o.players):
        behind = max(best - s.scores[seat], s.scores[seat] - best)
        s.deficits[seat] = max(s.deficits[seat], behind)
        leaders = leaders | ((1 << seat) if s.scores[seat] == best else 0)
    if leaders != s.leaders:
        if s.leaders != 0:
            changes.number = changes.number + 1
        s.count.last_lead_change = s.round_number
    s.leaders = leaders


@action
def note_lead_change(s, number):
    """Note that since the round (trick, lap) of this number the same seats have led."""
    s.count.last_lead_change = number


@language_word
def best_seats(s, o, lowest):
    """Return the seats with the best total, as bits."""
    best = _best_score(s, o, lowest)
    found = 0
    for seat in range(o.players):
        found = found | ((1 << seat) if s.scores[seat] == best else 0)
    return found


def _best_score(s, o, lowest):
    """Return the best total."""
    best = s.scores[0]
    for seat in range(1, o.players):
        best = min(best, s.scores[seat]) if lowest else max(best, s.scores[seat])
    return best


@language_word
def because(reason, *values):
    """Tell what decided, for `--why`."""


@language_word
def weigh(move, worth):
    """Tell what a move was found worth, for `--why`."""


# ------------------------------------------------------------------------------------------ seats


@language_word
def seats():
    """Return the seats, for a loop."""


@language_word
def all_seats(o):
    """Return all seats, as bits."""
    return (1 << o.players) - 1


@language_word
def after(o, seat, steps):
    """Return the seat some steps further on, clockwise; back where that is below 0."""
    seat = seat + steps
    if seat >= o.players:
        seat = seat - o.players
    if seat < 0:
        seat = seat + o.players
    return seat


@language_word
def team(o, seat):
    """Return the seats of a seat's team, itself among them, as a set."""
    return cards_in(_TEAM[seat] & all_seats(o))


@language_word
def partners(o, seat):
    """Return the other seats of a seat's team, as a set."""
    return cards_in(_TEAM[seat] & all_seats(o) & ~(1 << seat))


@language_word
def partner(o, seat):
    """Return the other seat of a seat's team, where teams have two."""
    return lowest_bit(_TEAM[seat] & all_seats(o) & ~(1 << seat))


@language_word
def others(o, seat):
    """Return all other seats, as a set."""
    return cards_in(all_seats(o) & ~(1 << seat))


# --------------------------------------------------------------------------------- random numbers


@action
def below(s, stream, bound):
    """Draw a number from 0 … bound − 1, each with the same probability."""
    return _scaled(stream, shr(_next(stream), 32), bound)


@action
def word(s, stream):
    """Draw 64 random bits."""
    return _next(stream)


@action
def uniform(s, stream):
    """Draw a number from 0 to 1."""
    return _float(shr(_next(stream), 11)) * 1.1102230246251565e-16


@action
def below_from(s, stream, half, bound):
    """Turn 32 random bits into a number below `bound`; now and then more are drawn."""
    return _scaled(stream, half, bound)


@language_word
def SEAT(seat):
    """Return a seat's own stream."""


def _next(stream):
    """Draw 64 bits from a stream, as `simcore.rng` says."""
    a = stream[0]
    b = stream[1]
    result = _plus(rotl(_plus(a, b), 17), a)
    b = b ^ a
    stream[0] = rotl(a, 49) ^ b ^ _times(b, 2097152)
    stream[1] = rotl(b, 28)
    return result


def _scaled(stream, half, bound):
    """Return a number below a bound, from 32 random bits or the next ones."""
    product = half * bound
    if rarely((product & 4294967295) < bound):
        product = _scaled_again(stream, product, bound)
    return shr(product, 32)


def _scaled_again(stream, product, bound):
    _seldom()
    threshold = _modulo(4294967296 - bound, bound)
    while (product & 4294967295) < threshold:
        product = shr(_next(stream), 32) * bound
    return product


def _mix(word):
    word = _times(word ^ shr(word, 30), -4658895280553007687)
    word = _times(word ^ shr(word, 27), -7723592293110705685)
    return word ^ shr(word, 31)


def _key(seed, match):
    """Return what the streams of a match have in common."""
    return _mix(_plus(_mix(_plus(seed, -7046029254386353131)), _times(match, -3372029247567499371)))


def _open(stream, s, number, purpose):
    """Open a stream of a match, by the number of the round and its purpose."""
    step = _plus(_times(number, 32), purpose + 1)
    other = _plus(s._seed ^ -7046029254386353131, _times(step, -2696494805208442699))
    word = s._key ^ _mix(other)
    stream[0] = word
    stream[1] = other ^ _mix(word)


# ------------------------------------------------------------------------ cards from place to place


@action
def move(what, source, target):
    """Move a card or a set of cards from one place to another."""
    cards = _item(what)
    source.cards = source.cards - cards
    target.cards = target.cards | cards


@action
def draw(state, source, target, count=1):
    """Draw cards at random from one place to another; return the one, or the last."""
    card = -1
    left = len(source.cards)
    for _ in range(count):
        card = nth(source.cards, below(state, state._DEAL, left))
        move(card, source, target)
        left = left - 1
    return card


def _draw_one(state, source, target):
    card = nth(source.cards, below(state, state._DEAL, len(source.cards)))
    move(card, source, target)
    return card


@action
def bring(what, place):
    """Bring cards into the game, in `deal` only."""
    place.cards = place.cards | _item(what)


# ---------------------------------------------------------------------------------- ordered places


@language_word
def top(state, place, k=0):
    """Return the card on top of an ordered place, or the one below k others."""
    size = len(place.cards)
    if k < 0 or k >= size:
        _wrong(state, f"card {k} from the top of {size}: from 0, the top card")
        return 0
    return place.order[size - 1 - k]


@language_word
def bottom(state, place):
    """Return the lowest card of an ordered place."""
    return top(state, place, len(place.cards) - 1)


@action
def insert(state, o, what, source, target, k):
    """Move a card or a set of cards into an ordered place, below k of its cards."""
    rest = _card(state, what) & source.cards
    while rest:
        card = lowest(rest)
        rest = _without_lowest(rest)
        _lay(state, target, card, _taken(state, o, source, card), k)


def _draw_top(state, o, source, target, count):
    """Draw so many cards from an ordered place: those on top; return the last one."""
    card = -1
    for _ in range(count):
        if not source.cards:
            _wrong(state, f"draw() from {source}, which is empty; ask first whether a card is left")
            break
        card = top(state, source, 0)
        _lay(state, target, card, _taken(state, o, source, card), 0)
    return card


def _draw_into(state, o, source, target, count):
    """Draw so many cards at random into an ordered place; return the last one."""
    card = -1
    for _ in range(count):
        size = len(source.cards)
        if size == 0:
            _wrong(state, f"draw() from {source}, which is empty; ask first whether a card is left")
            break
        card = nth(source.cards, below(state, state._DEAL, size))
        _lay(state, target, card, _taken(state, o, source, card), 0)
    return card


def _bring_ordered(state, what, place):
    rest = _card(state, what)
    while rest:
        _lay(state, place, lowest(rest), 0, 0)
        rest = _without_lowest(rest)


def _taken(state, o, place, card):
    """Take a card away from a place that it lies in; return the seats that have seen it."""
    seats = _viewers(o, state, place)
    if _is_ordered(place):
        last = len(place.cards) - 1
        at = last
        while at > 0 and place.order[at] != card:
            at = at - 1
        seats = seats | place.seen[at]
        while at < last:
            place.order[at] = place.order[at + 1]
            place.seen[at] = place.seen[at + 1]
            at = at + 1
    place.cards = place.cards - _item(card)
    return seats


def _lay(state, place, card, seats, k):
    """Lay a card, which some seats have seen, below k others where there is an order."""
    if _is_ordered(place):
        size = len(place.cards)
        if k < 0 or k > size or size >= _room(place):
            _wrong(state, f"below {k} cards of {size}: from 0, on top, to {size}")
            return
        at = size
        while at > size - k:
            place.order[at] = place.order[at - 1]
            place.seen[at] = place.seen[at - 1]
            at = at - 1
        place.order[at] = card
        place.seen[at] = seats
    place.cards = place.cards | _item(card)


@action
def cut(state, place, k):
    """Put the k cards on top of an ordered place below the others."""
    size = len(place.cards)
    if k < 0 or k > size:
        _wrong(state, f"cut(…, {k}) of {size} cards: from 0 to {size}")
        return
    _turn(place, 0, size - k - 1)
    _turn(place, size - k, size - 1)
    _turn(place, 0, size - 1)


def _turn(place, first, last):
    """Turn the order of some cards round."""
    while first < last:
        card, seats = place.order[first], place.seen[first]
        place.order[first], place.seen[first] = place.order[last], place.seen[last]
        place.order[last], place.seen[last] = card, seats
        first = first + 1
        last = last - 1


@action
def shuffle(state, place):
    """Give an ordered place a random order, of which nobody has seen anything."""
    size = len(place.cards)
    last = size - 1
    while last > 0:
        other = below(state, state._DEAL, last + 1)
        card = place.order[last]
        place.order[last] = place.order[other]
        place.order[other] = card
        last = last - 1
    for at in range(size):
        place.seen[at] = 0


@action
def look(state, seat, place, k):
    """Let a seat see the card below k others of an ordered place."""
    _show(state, place, k, 1 << seat)


@action
def reveal(state, o, place, k):
    """Let all seats see the card below k others of an ordered place."""
    _show(state, place, k, all_seats(o))


def _show(state, place, k, seats):
    at = len(place.cards) - 1 - k
    if k < 0 or at < 0:
        _wrong(state, f"card {k} from the top of {len(place.cards)}: from 0, the top card")
        return
    place.seen[at] = place.seen[at] | seats


@language_word
def seen(state, o, seat, place, k):
    """Return the card below k others, if the seat has seen it there; else `NO_CARD`."""
    at = len(place.cards) - 1 - k
    if k < 0 or at < 0:
        return -1
    if (((place.seen[at] | _viewers(o, state, place)) >> seat) & 1) == 0:
        return -1
    return place.order[at]


# ----------------------------------------------------------------------------------- sets of cards


@language_word
def lowest(cards):
    """Return the lowest card of a set."""


@language_word
def highest(cards):
    """Return the highest card of a set."""


@language_word
def lower(cards, card):
    """Return the cards of a set that are lower than a card."""


@language_word
def higher(cards, card):
    """Return the cards of a set that are higher than a card."""


@language_word
def nth(cards, index):
    """Return a card of a set by its place in ascending order, from 0."""


@language_word
def of_suit(suit):
    """Return all cards of a suit."""


@language_word
def of_rank(rank):
    """Return all cards of a rank; none of a rank below 0."""


@language_word
def rank(card):
    """Return a card's rank."""
    return card & ((1 << _SHIFT) - 1)


@language_word
def suit(card):
    """Return a card's suit."""
    return (card & _OF_A_PACK) >> _SHIFT


@language_word
def kinds(cards):
    """Return which cards there are of any pack, as cards of the first."""


@language_word
def bits(cards):
    """Return a set of cards below 64 as a word."""


@language_word
def cards_in(word):
    """Return the set of cards that a word has bits of."""


# ------------------------------------------------------------------------------- bits of a number


@language_word
def popcount(word):
    """Return how many bits are set."""


@language_word
def lowest_bit(word):
    """Return the number of the lowest set bit."""


@language_word
def highest_bit(word):
    """Return the number of the highest set bit."""


@language_word
def nth_bit(word, index):
    """Return the number of a set bit, counted from the lowest, from 0."""


@language_word
def deposit(pattern, word):
    """Return those of the set bits of a word whose places are set in a pattern."""


@language_word
def extract(word, mask):
    """Return the bits of a word at the set bits of a mask, side by side."""


@language_word
def shr(word, places):
    """Return a word shifted to the right; zeros come in."""


@language_word
def rotl(word, places):
    """Return a word rotated to the left."""


@language_word
def rarely(condition):
    """Return a condition that seldom holds."""
