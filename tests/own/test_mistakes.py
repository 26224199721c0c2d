"""What an author sees of a mistake: file, line, the line's text, what is wrong, what to write.

Each mistake changes Crazy Eights by a file of rules. What the source tells is told before anything
is played; the rest is told by the first matches, which run as checked Python.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from simcore.batch import Cell, play
from simcore.compiler.program import Refused
from simcore.errors import InputError
from simcore.game import get_game
from simcore.replay import replay
from strategies import parse_strategy, policies
from studies.check import gamecheck

EIGHTS = Path(__file__).resolve().parents[2] / "docs" / "games" / "eights.py"
HEAD = '"""A mistake."""\n\nfrom cardlab.rules import *\n\ngame = "eights.py"\n\n\n'


class Mistake(NamedTuple):
    """A file's text; `# here` marks the line that is told, with what is said of it."""

    text: str
    wrong: str
    instead: str
    lineup: str = "saver"


TOLD = {
    "a local without a value": Mistake(
        """
def next_seat(s, seat):
    if s.step > 1:
        x = 2
    return after(seat, x)  # here
""",
        "`x` has no value yet",
        "give it one before the `if` or the loop",
    ),
    "a local that only a loop gives a value": Mistake(
        """
def next_seat(s, seat):
    for x in s.hand[seat]:
        if x == s.top:
            break
    return after(seat, x)  # here
""",
        "`x` has no value yet",
        "give it one before the `if` or the loop",
    ),
    "a loop with two names": Mistake(
        """
def score(s):
    for seat, cards in enumerate(s.hand):  # here
        s.points[seat] = -len(cards)
""",
        "a loop has one name",
        "`for seat in seats():`",
    ),
    "a loop over numbers": Mistake(
        """
def score(s):
    for one in (0, 1):  # here
        s.points[one] = 1
""",
        "`(0, 1)` is not among what rules are written in",
        "a loop goes over range(2), seats() or a set of cards",
    ),
    "a list": Mistake(
        """
def score(s):
    worths = [worth(card) for card in s.hand[0]]  # here
""",
        "is not among what rules are written in",
        "a set of cards is {card for card in cards if …}",
    ),
    "a function of Python": Mistake(
        """
def apply(usual, s, seat, card):
    print(card)  # here
    usual(s, seat, card)
""",
        "unknown function `print`",
        "`cardlab play` tells a match move by move",
    ),
    "a method of sets": Mistake(
        """
def apply(s, seat, card):
    s.hand[seat].remove(card)  # here
""",
        "unknown function `s.hand[seat].remove`",
        "cards change their place by move(what, from, to)",
    ),
    "try": Mistake(
        """
def score(s):
    try:  # here
        s.points[0] = 1
    except IndexError:
        pass
""",
        "`try` is not among what rules are written in",
        "assignments, if, while, for, return, calls",
    ),
    "recursion": Mistake(
        """
def score(s):
    s.points[0] = down(3)


def down(n):  # here
    return n if n < 1 else down(n - 1)
""",
        "it calls itself (down → down)",
        "write a loop",
    ),
    "an unknown function": Mistake(
        """
def next_seat(s, seat):
    return aftre(seat, s.step)  # here
""",
        "unknown function `aftre`",
        "did you mean `after`?",
    ),
    "an unknown field": Mistake(
        """
def next_seat(s, seat):
    return after(seat, s.stepp)  # here
""",
        "the state has no `stepp`",
        "did you mean `step`?",
    ),
    "an unknown count": Mistake(
        """
def begin_turn(usual, s, seat):
    s.count.truns += 1  # here
    usual(s, seat)
""",
        "no count `truns`",
        "did you mean `turns`?",
    ),
    "a name with a meaning": Mistake(
        """
def next_seat(s, seat):
    o = after(seat, s.step)  # here
    return o
""",
        "`o` has a meaning already",
        "take another name",
    ),
    "a step that the game lacks": Mistake(
        """
def aply(usual, s, seat, card):  # here
    usual(s, seat, card)
""",
        "`aply` wraps a step that the game lacks",
        "did you mean 'apply'?",
    ),
    "a default out of range": Mistake(
        """
wilder = option(14, -1, 12, "rank that fits everywhere")  # here
""",
        "option(14, -1, 12, 'rank that fits everywhere') is refused",
        "a default within its bounds, as in option(7, 1, 10, meaning)",
    ),
    "a set and a number": Mistake(
        """
def legal(s, seat):
    return s.hand[seat] & rank(s.top)  # here
""",
        "mixes a set of cards and a number",
        "the set of one card is {card}",
    ),
    "half a point": Mistake(
        """
def score(s):
    s.points[0] = 0.5  # here
""",
        "the state holds whole numbers",
        "write int(…)",
    ),
    "cards that are assigned": Mistake(
        """
def apply(s, seat, card):
    s.hand[seat] -= {card}  # here
    s.top, s.suit_now = card, suit(card)
""",
        "s.hand[seat] holds cards",
        "they go from one place to another by move() or draw() only",
    ),
    "a peek at a hand": Mistake(
        """
@policy
def peeker(s, seat, moves):
    return lowest(moves - s.hand[after(seat, 1)])  # here
""",
        "a policy reads s.hand[after(seat, 1)]: only its own seat sees that",
        "allowed are s.hand[seat] and len(s.hand[after(seat, 1)])",
        "peeker",
    ),
    "a peek by a helper": Mistake(
        """
def dearest(s, who):
    return max(s.hand[who], key=worth)  # here


@policy
def peeker(s, seat, moves):
    return dearest(s, after(seat, 1))
""",
        "a policy reads s.hand[who]: only its own seat sees that",
        "allowed are s.hand[seat] and len(s.hand[who])",
        "peeker",
    ),
    "a peek as another seat": Mistake(
        """
@policy
def peeker(s, seat, moves):
    for seat in seats():  # here
        if len(s.hand[seat]) == 1:
            return lowest(s.hand[seat])
    return lowest(moves)
""",
        "`seat` is who decides",
        "use another name for others",
        "peeker",
    ),
    "a peek at the stock": Mistake(
        """
@policy
def peeker(s, seat, moves):
    return lowest(moves if 5 in s.stock else moves)  # here
""",
        "a policy reads s.stock: nobody sees that",
        "allowed is len(s.stock)",
        "peeker",
    ),
    "a function without def": Mistake(
        """
worth_of = lambda card: 3  # here


def score(s):
    s.points[0] = worth_of(3)
""",
        "rules call functions",
        "written with `def`",
    ),
    "no moves": Mistake(
        """
def legal(s, seat):  # here
    pass
""",
        "it must return the set of legal moves",
        "s.hand[seat] or {0, 1}",
    ),
    "a number for moves": Mistake(
        """
def legal(s, seat):  # here
    return lowest(s.hand[seat])
""",
        "it must return the set of legal moves",
        "s.hand[seat] or {0, 1}",
    ),
    "all moves for one": Mistake(
        """
@policy
def undecided(s, seat, moves):  # here
    return moves
""",
        "a policy must return one of the moves",
        "a number",
        "undecided",
    ),
    "a policy without moves": Mistake(
        """
@policy
def blind(s, seat):  # here
    return 3
""",
        "policy 'blind' must be",
        "def blind(s, seat, moves)",
        "blind",
    ),
    "an answer to nothing": Mistake(
        """
@answers("saver", to="colour")
def reddest(s, seat, moves):  # here
    return lowest(moves)
""",
        "unknown decision 'COLOUR'",
        "known: MOVE, SUIT",
    ),
    "a decision without steps": Mistake(
        """
(COLOUR,) = decisions("COLOUR")  # here
""",
        "no step `apply_colour`",
        "a decision needs legal_colour(s, seat) and apply_colour(s, seat, move)",
    ),
    "a decision that there is": Mistake(
        """
(SUIT,) = decisions("SUIT")  # here
""",
        "the game decides SUIT already",
        "",
    ),
    "a decision in small letters": Mistake(
        """
(COLOUR,) = decisions("colour")  # here
""",
        "decisions('colour') is refused",
        'names in capital letters, as in (SUIT,) = decisions("SUIT")',
    ),
    "a text worked out": Mistake(
        """
def prepare(o):  # here
    return {"name": "x"}
""",
        "invalid literal for int()",
        "it returns a dict of names with numbers, lists of numbers",
    ),
    "a field without its name": Mistake(
        """
class State:
    many = shown(number, 4)  # here
""",
        "shown(number, …) is refused",
        "per=seat, many=4",
    ),
}
"""What the source tells."""

PLAYED = {
    "a division by zero": Mistake(
        """
def score(s):
    s.points[0] = 7 // len(s.hand[0] - s.hand[0])  # here
""",
        "a division by zero",
        "ask first whether it is one",
    ),
    "an index beyond": Mistake(
        """
def score(s):
    s.points[players] = 1  # here
""",
        "[4] of 4",
        "indices go from 0 to 3",
    ),
    "an index beyond, multiplied": Mistake(
        """
def score(s):
    s.points[players] *= 2  # here
""",
        "[4] of 4",
        "indices go from 0 to 3",
    ),
    "a card that is elsewhere": Mistake(
        """
def apply(s, seat, card):
    move(card, s.hand[after(seat, 1)], s.pile)  # here
    s.top, s.suit_now = card, suit(card)
""",
        "not in s.hand[1], which has ",
        "it is move(what, where it lies, where it goes)",
    ),
    "a card that comes twice": Mistake(
        """
def apply(usual, s, seat, card):
    usual(s, seat, card)
    bring(card, s.stock)  # here
""",
        "which lies in s.pile already",
        "move(what, from, to) moves it",
    ),
    "a loop without end": Mistake(
        """
def begin_turn(s, seat):
    while not legal(s, seat):  # here
        s.passes += 1
""",
        "a loop that does not end",
        "1,000,000 turns of loops in one step",
    ),
    "a range without steps": Mistake(
        """
def begin_turn(usual, s, seat):
    for _ in range(0, 9, 0):  # here
        s.step = 1
    usual(s, seat)
""",
        "range() arg 3 must not be zero",
        "",
    ),
    "an illegal answer": Mistake(
        """
@policy
def wrong(s, seat, moves):  # here
    return 5
""",
        "returned 5, which is no legal move",
        "legal: ",
        "wrong",
    ),
}
"""What is told only when it happens; with the match, for `cardlab play GAME --match M`."""


def written(folder: Path, mistake: Mistake) -> tuple[str, str]:
    """Write the file beside its game; return the changed game's name, and what is said of where."""
    shutil.copy(EIGHTS, folder)
    file = folder / "mistake.py"
    lines = (HEAD + mistake.text.lstrip()).splitlines(keepends=True)
    number, marked = next((n, line) for n, line in enumerate(lines, 1) if "# here" in line)
    file.write_text("".join(lines).replace("  # here", ""))
    source = marked.replace("  # here", "").strip()
    where = rf"mistake\.py, line {number}(, in \w+)?: `{re.escape(source)}`: "
    return f"{folder / 'eights.py'}+{file}", where


def cell_of(name: str, policy: str) -> Cell:
    game = get_game(name)
    options = game.resolve({"draws": 52})
    policies(game)
    return Cell(game, options, (parse_strategy(game, policy),) * 4, seed=1)


@pytest.mark.parametrize("mistake", TOLD.values(), ids=TOLD)
def test_a_mistake_is_told_before_anything_is_played(tmp_path: Path, mistake: Mistake):
    name, where = written(tmp_path, mistake)
    for attempt in (
        lambda: play(cell_of(name, mistake.lineup), 0, 30),
        lambda: list(replay(cell_of(name, mistake.lineup), 0)),
        lambda: list(gamecheck.check_game(name)),
    ):
        with pytest.raises(Refused) as told:
            attempt()
        assert re.search(where, str(told.value)), told.value
        assert mistake.wrong in str(told.value)
        assert mistake.instead in str(told.value).partition(mistake.wrong)[2]


@pytest.mark.parametrize("mistake", PLAYED.values(), ids=PLAYED)
def test_a_mistake_is_told_where_it_happens(tmp_path: Path, mistake: Mistake):
    name, where = written(tmp_path, mistake)
    with pytest.raises(InputError) as told:
        play(cell_of(name, mistake.lineup), 0, 30)
    message = str(told.value)
    if mistake.lineup == "wrong":  # the policy is told in place of its line's text
        where = where.partition(": `")[0]
    assert re.search(where, message), message
    assert mistake.wrong in message
    assert mistake.instead in message.partition(mistake.wrong)[2]
    assert re.search(r"\(match \d+, seed 1\b", message)


ENDLESS = Mistake("def ended(s, seat):  # here\n    return s.passes > 1_000_000_000\n", "", "")


def test_a_match_without_end_is_aborted_and_found_by_check(tmp_path: Path):
    name, _ = written(tmp_path, ENDLESS)
    assert play(cell_of(name, "saver"), 0, 30).aborted.all()
    (table,) = gamecheck.game_tables(name, {"players": 4}, "saver")[:1]
    with pytest.raises(gamecheck.FaultError) as found:
        gamecheck._matches_end(table)
    assert "500 of 500 matches have no end or no winner, as match 0" in str(found.value)


LEAK = Mistake(
    """
class State:
    hint = shown(number)


def begin_turn(usual, s, seat):  # here
    usual(s, seat)
    s.hint = len(s.hand[after(seat, 1)] & of_suit(0))


@policy
def reader(s, seat, moves):
    return lowest(moves) if s.hint > 1 else highest(moves)
""",
    "",
    "",
)


def test_what_rules_show_is_seen_whatever_it_was_taken_from(tmp_path: Path):
    """No mistake: rules may show anything, as a card that is turned up."""
    name, _ = written(tmp_path, LEAK)
    assert not play(cell_of(name, "reader"), 0, 30).aborted.any()


def test_an_option_out_of_range_is_told_with_its_bounds():
    with pytest.raises(InputError, match=r"option wild = .*14.* is refused; allowed: .* -1…12"):
        get_game(str(EIGHTS)).resolve({"wild": 14})


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("players = 2, 7\n", 'players = 2, 7\nbest = "low"\n', r"best = 'low' .*mean 'lowest'\?"),
        ("players = 2, 7\n", "players = 2, 7\nturncap = 9\n", r"line \d+.*mean `turn_cap`\?"),
        ("players = 2, 7\n", "payers = 2, 7\n", r"line \d+: `payers = 2, 7`.*mean `players`\?"),
        ("def next_seat(", "def nextseat(", r"line \d+: `def nextseat.*mean `next_seat`\?"),
        ("def legal_suit(", "def legal_siut(", r"mean `legal_suit`\?|legal_suit"),
    ],
)
def test_a_misspelt_name_is_refused(tmp_path: Path, old: str, new: str, told: str):
    assert old in EIGHTS.read_text()
    file = tmp_path / "eights.py"
    file.write_text(EIGHTS.read_text().replace(old, new))
    with pytest.raises(InputError, match=told):
        get_game(str(file))


def test_a_misspelt_name_in_a_file_of_rules_is_refused(tmp_path: Path):
    extra = tmp_path / "extra.py"
    extra.write_text(
        f'from cardlab.rules import *\n\ngame = "{EIGHTS}"\n\n\n'
        "def draw_on(s, seat):\n    return 0\n"
    )
    with pytest.raises(InputError, match=r"line 6: `def draw_on.*did you mean `draw_one`\?"):
        get_game(f"{EIGHTS}+{extra}")


def test_what_nothing_reads_is_told_by_check(tmp_path: Path):
    text = EIGHTS.read_text()
    file = tmp_path / "eights.py"
    file.write_text(
        text.replace("class State:", 'spare = option(1, 0, 9, "x")\n\n\nclass State:', 1)
    )
    unread = gamecheck._unread(get_game(str(file)))
    assert unread.failed
    assert "nothing reads the option `spare`" in unread.found
    file.write_text(f"{text}\n\ndef greedy(s, seat, moves):\n    return lowest(moves)\n")
    unread = gamecheck._unread(get_game(str(file)))
    assert not unread.failed
    assert "nothing calls `greedy`; a policy is marked with @policy" in unread.found


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "deck = french_deck()",
            'deck = ["A", "B"]',
            r"line \d+: `deck = .*deck = \['A', 'B'\] is refused; allowed: french_deck\(\), .*",
        ),
        ("deck = french_deck()", "deck = skat_deck", r"did you mean `deck = skat_deck\(\)`\?"),
        (
            "from cardlab.rules import *",
            "",
            r"line \d+: `.*`: `\w+` is not imported; write `from cardlab.rules import \*` above",
        ),
        ("class State:", "class Stat:", r"`class Stat:`: .*did you mean `State`\?"),
    ],
)
def test_a_slip_in_a_declaration_is_one_line(tmp_path: Path, old: str, new: str, told: str):
    text = EIGHTS.read_text()
    assert old in text
    file = tmp_path / "eights.py"
    file.write_text(text.replace(old, new))
    with pytest.raises(InputError, match=told) as refused:
        get_game(str(file))
    assert "\n" not in str(refused.value)
