"""A template for your own game: a small game that runs, to be changed."""

from __future__ import annotations

from pathlib import Path

from simcore.errors import InputError
from studies.design.document import shorten

BEGINNING = '''"""{title}: lay a card of the same suit or rank; be the first to lay all."""

from cardlab.rules import *

# The deck: also skat_deck(), numbered(60), or one of your own, as in
# cards_of(suits=("red", "blue"), ranks=range(1, 10)).
deck = french_deck()
players = 2, 5  # fewest, most

# What can be changed without touching the rules: default, lowest, highest, meaning.
hand_size = option(5, 1, 9, "cards dealt to each")


# What lies on the table, and who sees it: hidden from all, own to a seat, shown to all.
class State:
    stock = hidden(all_cards)  # the whole deck when a round begins
    hand = own(cards)  # one for each seat: s.hand[seat]
    pile = shown(cards)
    top = shown(card)
    passes = shown(number)  # in a row


def deal(s):
    for seat in seats():
        draw(s.stock, s.hand[seat], hand_size)
    s.top = draw(s.stock, s.pile)
    s.passes = 0


def legal(s, seat):
    """Return the cards that may be laid; without any the turn passes."""
    return s.hand[seat] & (of_suit(suit(s.top)) | of_rank(rank(s.top)))


def begin_turn(s, seat):
    if not legal(s, seat) and s.stock:
        draw(s.stock, s.hand[seat])
    s.passes = 0 if legal(s, seat) else s.passes + 1


def apply(s, seat, card):
    move(card, s.hand[seat], s.pile)
    s.top = card


def next_seat(s, seat):
    return after(seat, 1)


def ended(s, seat):
    return not s.hand[seat] or s.passes == players


def score(s):
    """Give each seat its points of the round; most points win."""
    for seat in seats():
        s.points[seat] = -len(s.hand[seat])


# Who plays: `random` and `search` are there for nothing, others are functions like this.
@policy
def highest_rank(s, seat, moves):
    """Lay the card of the highest rank."""
    return max(moves, key=rank)
'''


def new(path: str | Path) -> Path:
    """Write a template for your own game: a small game that runs, with comments.

    Parameters
    ----------
    path : path
        The file to write, ending in .py; it must not exist yet.

    Returns
    -------
    Path
        The file.

    Examples
    --------
    >>> cardlab.new("my_game.py").name
    'my_game.py'
    """
    file = Path(path)
    if file.suffix != ".py" or not file.stem:
        raise InputError(f"file {shorten(str(path))!r} is refused; allowed: a name as in mygame.py")
    title = file.stem.replace("_", " ").replace("-", " ").capitalize()
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(BEGINNING.replace("{title}", title))
    except FileExistsError:
        raise InputError(f"file {str(path)!r} is there already and is kept; give another") from None
    except OSError as error:
        raise InputError(f"file {str(path)!r} cannot be written: {error.strerror}") from None
    return file
