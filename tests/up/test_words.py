"""What a spectator is told: every kind of event, in words."""

from __future__ import annotations

import json

import pytest

from simcore.batch import Cell
from simcore.catalogue import get_game
from simcore.events import RoundStart
from simcore.narration.teller import Teller
from simcore.phrases import match_in_words
from simcore.replay import replay
from tests.games import rows
from tests.up.following import UP
from tests.up.players import HASTY
from tests.up.position import Position, before_deal, dealt, pack_of, plain_of, position
from tests.up.rows import Rows

words = Teller(get_game("up"))
NAMES = ("Ann", "Bob", "Cy")
DIRTY = "the dirty one (each 1 left over counts 30)"


@pytest.fixture
def any_layout(any_layout, monkeypatch):
    """Let words know all cards that a layout names."""
    monkeypatch.setattr(words, "_plain_of", lambda s: plain_of(json.dumps(s.options)))
    return any_layout


in_any_layout = pytest.mark.usefixtures("any_layout")


@in_any_layout
class TestTold(rows.Told, Rows):
    words = words
    rows = """
    three cards | hand 7 7 7 1 1; tower 9 | 7 7 7 | Ann lays three 7s on the 9.
    an 8        | hand 8 1 1; tower 9     | 8     | Ann lays an 8 on the 9.
    an 11       | hand 11 1 1             | 11    | Ann leads an 11.
    open cards  | hand 1; open 5 5 4; tower 9
        | open 5 5 | Ann lays two 5s from the open cards on the 9.
    a collapse  | hand 10 1 1; tower 9 7
        | 10 | Ann lays a 10 on the 7, which is too heavy: the tower collapses, and Ann takes \
               10 9 7.
    a minus two | hand -2 1 1; tower 7
        | -2 | Ann lays a "-2" on the 7: the tower now bears at most 5.
    two of them | hand -2 -2 1 1; tower 7
        | -2 -2 | Ann lays two "-2" cards on the 7: the tower now bears at most 3.
    one too many | hand -2 1 1; tower 2
        | -2 | Ann lays a "-2" on the 2, which would leave 0: the tower collapses, and Ann \
               takes 2 -2.
    a clear card | hand clear 1 1; tower 9 8
        | clear | Ann lays a clear card on the 8, which takes 9 8 out of the game.
    to lead with | hand clear 1 1
        | clear | Ann leads a clear card, which takes only itself out of the game.
    a hidden card | hand 1; hidden 8 5; tower 9 | blind | Ann turns up a 5 on the 9.
    one to lead with | hand 1; hidden 8 5       | blind | Ann turns up a 5 to lead with.
    a hidden minus two | hand 1; hidden 8 -2
        | blind | Ann turns up a "-2" to lead with, takes it into the hand and must play another \
                  card.
    as the last card | hidden -2; tower 1
        | blind | Ann turns up a "-2" on the 1 as the very last card, which ends the round.
    nothing to lead | hand -2 -2 | pass | Ann has nothing that may lead and passes the lead.
    on a minus two | hand -2 1 1; tower 9; seat 1 hand 3 2 1
        | -2, 3 | Bob lays a 3 on the "-2" (at most 7).
    a minus two as a two | hand -2 2 1 1; tower 9; double_two = "always"
        | 2 2 | Ann lays two 2s on the 9.
    the cap on plays | hand 1 1 1; tower 9; plays = 99; play_cap = 100
        | 1 | Ann lays a 1 on the 9.
        | After 100 plays the round has reached its cap: the match is aborted.
    nobody can lead | hand -2; seat 1 hand -2; players = 2 | pass, pass, pass, pass, pass
        | Ann has nothing that may lead and passes the lead.
        | Nobody has a card that may lead: the match is aborted.
    last card | hand 5 1; tower 9 | 5 | Ann lays a 5 on the 9. | Ann says "last card".
    forgotten
        | hand 5 1; tower 9; seat 1 hand 4 3 2; seat 2 hand 3 2 1; forget_last_card = [1.0, 0, 0]
        | 5 | Ann lays a 5 on the 9. | Ann forgets to say it is the last card and will lose a turn.
    not lost yet
        | hand 5 1; tower 9; seat 1 hand 4 3 2; seat 2 hand 3 2 1; forget_last_card = [1.0, 0, 0]
        | 5, 4 | Bob lays a 4 on the 5.
    lost then
        | hand 5 1; tower 9; seat 1 hand 4 3 2; seat 2 hand 3 2 1; forget_last_card = [1.0, 0, 0]
        | 5, 4, 3 | Cy lays a 3 on the 4. | Ann loses this turn.
    forgotten and lost at once | hand 5 1; tower 9; lost = (1, 2); forget_last_card = 1.0
        | 5 | Ann lays a 5 on the 9. | Ann forgets to say it is the last card and will lose a turn.
        | Bob loses this turn. | Cy loses this turn. | Ann loses this turn.
    said although others lose a turn | hand 5 1; tower 9; lost = (1, 2)
        | 5 | Ann lays a 5 on the 9. | Ann says "last card".
        | Bob loses this turn. | Cy loses this turn.
    forgotten after a clear card | hand clear 1; tower 9; forget_last_card = 1.0
        | clear | Ann lays a clear card on the 9, which takes 9 out of the game.
        | Ann forgets to say it is the last card and will lose a turn.
    points | hand 5; seat 1 hand 4 1; seat 1 hidden clear; seat 2 open 10; scores = (30, 1, 12)
        | 5, score | Round 1 is over.
        | Ann is out with a credit of 10, 20 points in all.
        | Bob has left in hand: 4 1; hidden: clear (55 points), 56 points in all.
        | Cy has left open: 10 (10 points), 22 points in all. | Ann is ahead.
    eighty | hidden -2; seat 1 hand 1; seat 2 hand 2; scores = (90, 0, 0)
        | blind, score | Round 1 is over. | Ann is out with a credit of 80, 10 points in all.
        | Bob has left in hand: 1 (1 point), 1 point in all.
        | Cy has left in hand: 2 (2 points), 2 points in all. | Bob is ahead.
    cards | hand 5; seat 1 hand 4; seat 2 hand 3 3; scoring = "cards"
        | 5, score | Round 1 is over. | Ann is out, 0 cards in all.
        | Bob has left in hand: 4 (1 card), 1 card in all.
        | Cy has left in hand: 3 3 (2 cards), 2 cards in all. | Ann is ahead.
    matches | hand 5; seat 1 hand 4; seat 2 hand 3 3; scoring = "matches"; scores = (0, 1, 0)
        | 5, score | Round 1 is over. | Ann is out and gets a matchstick, 1 matchstick in all.
        | Bob has left in hand: 4, 1 matchstick in all.
        | Cy has left in hand: 3 3, 0 matchsticks in all. | Ann and Bob are ahead.
    """


@in_any_layout
class TestDeal:
    def test_an_ordinary_card_at_the_cut(self):
        cards = pack_of(Position(3, {}))
        cards.remove("7")
        p = dealt([*cards, "7"], dealer=1, players=3)
        lines = list(words.round_in_words(RoundStart(p.s), NAMES))
        assert lines[:2] == ["Round 1: Bob deals.", "Ann cuts and finds a 7."]
        for seat, name in enumerate(NAMES):
            hand, shown = p.hand(seat), p.open(seat)
            assert lines[2 + seat].startswith(
                f"{name} has in hand: {hand}; open: {shown}; hidden: "
            )

    def test_a_special_card_at_the_cut(self):
        cards = pack_of(Position(3, {"extra_set": True}))
        cards.remove("-2")
        p = before_deal([*cards, "-2"], dealer=1, players=3, extra_set=True, dirty_one="always")
        lines = list(words.round_in_words(RoundStart(p.s), NAMES))
        assert lines == ["Round 1: Bob deals.", 'Ann cuts and finds a "-2".']
        lines = p.told(words, NAMES, "keep")
        assert lines[0] == "Ann keeps it."
        assert lines[4].startswith("13 cards lie aside: ")
        assert lines[5] == "Each 1 left over counts 30 (dirty one)."

    @pytest.mark.parametrize(
        ("choice", "left"), [("keep", range(38, 51)), ("return", range(39, 52))]
    )
    def test_the_extra_cards_are_those_left_over(self, choice, left):
        cards = pack_of(Position(3, {"extra_set": True}))
        p = before_deal(cards, dealer=0, players=3, extra_set=True)
        aside = p.told(words, NAMES, choice)[4].partition(": ")[2].rstrip(".")
        assert sorted(aside.split()) == sorted(cards[place] for place in left)

    @pytest.mark.parametrize(
        ("move", "line"),
        [
            ("none", "nothing."),
            ("dirty", f"{DIRTY}."),
            ("dirty double", f'{DIRTY} and the double two (each "-2" is a 2).'),
        ],
    )
    def test_announcements(self, move, line):
        cards = pack_of(Position(3, {}))
        options = {"dirty_one": "forehand", "double_two": "forehand"}
        p = dealt(cards, dealer=1, players=3, **options)
        assert p.told(words, NAMES, move) == [f"Cy announces {line}"]


@pytest.mark.parametrize(
    ("winners", "line"),
    [
        (0b001, "One round is played: Ann wins with 20 points, the fewest; Bob has 7, Cy has 7."),
        (
            0b110,
            "One round is played: Bob and Cy share the win with 7 points, the fewest; Ann has 20.",
        ),
        (0, "Nobody wins."),
    ],
)
def test_the_winners(winners, line):
    p = position(hand="5", scores=(20, 7, 7), rounds=1)
    p.s.winners = winners
    p.s.aborted = winners == 0
    assert match_in_words(words, p.s, NAMES) == line


@in_any_layout
@pytest.mark.parametrize(
    ("tower", "heavy"),
    [
        ("3", {"lay a 4, too heavy: you take the tower (3)"}),
        ("2", {f"lay {card}, too heavy: you take the tower (2)" for card in ('a "-2"', "a 4")}),
        ("4", set()),
    ],
)
def test_a_move_under_which_the_tower_collapses_is_told_as_such(tower, heavy):
    p = position(hand="4 2 1 -2 clear", tower=tower)
    assert {line for line in p.moves_in_words(words) if "too heavy" in line} == heavy


@in_any_layout
def test_moves_to_choose_from():
    p = position(hand="7 7 -2 -2 clear 11", hidden="8", tower="9")
    assert sorted(p.moves_in_words(words)) == [
        'lay a "-2"',
        "lay a 7",
        "lay a clear card",
        "lay an 11, too heavy: you take the tower (9)",
        'lay two "-2" cards',
        "lay two 7s",
        "turn up a hidden card",
    ]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"double_two": "forehand", "dirty_one": "forehand"},
        {"extra_set": True, "minus_two": False, "scoring": "cards"},
        {"forget_last_card": 0.7, "scoring": "matches"},
        {"players": 7, "play_cap": 100},
    ],
)
def test_whole_matches_are_told_and_skips_agree_with_the_records(options):
    resolved = UP.resolve({"players": 3, "rounds": 2} | options)
    cell = Cell(UP, resolved, (HASTY,) * int(resolved["players"]), 3)
    lines = list(replay(cell, 1))
    forgotten = sum("forgets" in line for line in lines)
    assert sum("loses this turn" in line for line in lines) <= forgotten
    assert (forgotten > 0) == bool(options.get("forget_last_card"))
    starts = [line for line in lines if line.startswith("Round") and "deals" in line]
    assert 1 <= len(starts) <= 2
