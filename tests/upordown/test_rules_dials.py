"""House rules and dials, and what is refused. Tests bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from simcore.compiler.state import ROUND_OVER
from simcore.errors import InputError
from tests.upordown.following import UPORDOWN
from tests.upordown.position import Position, placing, position
from tests.upordown.rows import Rows


class TestHouseRules(Rows):
    rows = """
    [H1] a full hand is laid and drawn in order
            | hand 11 12 13 14 15 16 17 18; hand_cards = 8; face_up 53 4; face_down 5 6
        by value       | | | listed = 11, 12, 13, 14, 15, 16, 17, 18
        the first card | | 11 | hand = 12 13 14 15 16 17 18
        the last card  | circle 10 20 30 40 50 52
            | 18 | hand = 11 12 13 14 15 16 17
            | upper, new, face up | hand = 11 12 13 14 15 16 17 53
    [H2] a neighbour is taken in a circle of any size | players = 5; face_up 3 4; face_down 5 6
        15 in 2, lower | circle 10 20; hand 15 54 | 15, lower | s.taken_card = 10; circle = 15 20
        15 in 2, upper | circle 10 20; hand 15 54 | 15, upper | s.taken_card = 20; circle = 10 15
        5 in 2, lower | circle 10 20; hand 5 54 | 5, lower | s.taken_card = 20; circle = 5 10
        5 in 2, upper | circle 10 20; hand 5 54 | 5, upper | s.taken_card = 10; circle = 5 20
        25 in 2, lower | circle 10 20; hand 25 54 | 25, lower | s.taken_card = 20; circle = 10 25
        25 in 2, upper | circle 10 20; hand 25 54 | 25, upper | s.taken_card = 10; circle = 20 25
        62 in 7, lower | circle 1 10 20 63 64 65 90; hand 62 54
            | 62, lower | s.taken_card = 20; circle = 1 10 62 63 64 65 90
        62 in 7, upper | circle 1 10 20 63 64 65 90; hand 62 54
            | 62, upper | s.taken_card = 63; circle = 1 10 20 62 64 65 90
        63 in 7, lower | circle 1 10 20 62 64 65 90; hand 63 54
            | 63, lower | s.taken_card = 62; circle = 1 10 20 63 64 65 90
        63 in 7, upper | circle 1 10 20 62 64 65 90; hand 63 54
            | 63, upper | s.taken_card = 64; circle = 1 10 20 62 63 65 90
        64 in 7, lower | circle 1 10 20 62 63 65 90; hand 64 54
            | 64, lower | s.taken_card = 63; circle = 1 10 20 62 64 65 90
        1 in 7, lower | circle 2 10 20 62 64 65 90; hand 1 54
            | 1, lower | s.taken_card = 90; circle = 1 2 10 20 62 64 65
        1 in 7, upper | circle 2 10 20 62 64 65 90; hand 1 54
            | 1, upper | s.taken_card = 2; circle = 1 10 20 62 64 65 90
        126 in 7, lower | circle 2 10 20 62 64 65 90; hand 126 54
            | 126, lower | s.taken_card = 90; circle = 2 10 20 62 64 65 126
        126 in 7, upper | circle 2 10 20 62 64 65 90; hand 126 54
            | 126, upper | s.taken_card = 2; circle = 10 20 62 64 65 90 126
        40 in 12, upper | circle 1 2 3 4 5 6 7 8 9 10 11 12; hand 40 54
            | 40, upper | s.taken_card = 1; circle = 2 3 4 5 6 7 8 9 10 11 12 40
    [H4] a card goes to both ends | insert = "both_ends"
        before rising ones  | card 10; display 20 30 | append 1 | columns = 10 20 30; clause insert
        after them          | card 40; display 20 30 | append 1 | columns = 20 30 40
            |               | no clause insert
        before falling ones | card 40; display 30 20 | append 1 | columns = 40 30 20; clause insert
        after them          | card 10; display 30 20 | append 1 | columns = 30 20 10
            |               | no clause insert
        it scores as ever   | card 1; display 7 13   | append 1 | scores 0 = 9
        it goes on with a 9 | card 9; display 10 20 30  | | may append 1
        not with an 11      | card 11; display 10 20 30 | | may not append 1
        nor with a 29       | card 29; display 10 20 30 | | may not append 1
        but with a 31       | card 31; display 10 20 30 | | may append 1
    [H4] a card goes anywhere | insert = "anywhere"
        between rising ones  | card 25; display 20 30 | append 1 | columns = 20 25 30; clause insert
        between falling ones | card 25; display 30 20 | append 1 | columns = 30 25 20; clause insert
        before three | card 10; display 20 30 40
            | append 1 | columns = 10 20 30 40; clause insert
        before three that fall | card 45; display 40 30 20
            | append 1 | columns = 45 40 30 20; clause insert
        between three | card 35; display 40 30 20
            | append 1 | columns = 40 35 30 20; clause insert
        at the end | card 40; display 20 30
            | append 1 | columns = 20 30 40; no clause insert
        it scores as ever | card 8; display 7 13 | append 1 | scores 0 = 6
    [C24] the second card lies after the first | card 10; display 20
        under both_ends | insert = "both_ends" | append 1 | columns = 20 10; no clause insert
        under anywhere  | insert = "anywhere"  | append 1 | columns = 20 10; no clause insert
        and settles the way for good | card 25; display 20 10; insert = "anywhere"
            | append 1 | columns = 25 20 10
    [H5] points of a card given up | card 10; display 20 30 40, 5
        ten less  | discard_points = -10 | | scores 0 = 4 | give up 1 | scores 0 = -28; discards = 3
        none      | discard_points = 0   | | scores 0 = 4 | give up 1 | scores 0 = 2; discards = 3
        as usual  | discard_points = 1   | | scores 0 = 4 | give up 1 | scores 0 = 5; discards = 3
        ten       | discard_points = 10  | | scores 0 = 4 | give up 1 | scores 0 = 32; discards = 3
    [H6] given up by force only | give_up = "forced"; columns = 2
        not if it fits        | card 40; display 20 30, 9 8 | | listed = append 1
        freely otherwise      | card 40; display 20 30, 9 8; give_up = "free"
            | | listed = append 1, give up 1, give up 2
        if it fits nowhere any column | card 10; display 20 30, 8 7
            | | listed = give up 1, give up 2
        not while a place is free | card 10; display 20 30 | | listed = new
        nor if it fits too        | card 40; display 20 30 | | listed = append 1, new
        never where every card fits | card 25; display 20 30; columns = 1; insert = "anywhere"
            | | listed = append 1
    [H7] a column given up loses its points
        of colours | card 10; display 1 7 13 14; scoring = "colour"; columns = 1
            | give up 1 | scores 0 = 5
    """


@pytest.mark.parametrize("cards", [1, 2, 7, 8])
def test_h1_everybody_is_dealt_so_many(cards):
    p = Position(3, {"hand_cards": cards})
    assert [len(p.hand(seat).split()) for seat in range(3)] == [cards] * 3
    assert sum(p.s.pile_cards) == 78 - 6 - 3 * cards
    assert p.clause("hand_cards")


@pytest.mark.parametrize(
    ("players", "options", "turns"),
    [
        pytest.param(2, {"hand_cards": 1}, 48, id="[H1] a single card is laid without a choice"),
        pytest.param(
            2, {"hand_cards": 8, "circle": 2, "highest_card": 18}, 16, id="[H1] no card is drawn"
        ),
        *((4, {"circle": cards}, 102 - cards) for cards in (2, 5, 7, 12)),
        (3, {"highest_card": 24}, 18),
        pytest.param(3, {"highest_card": 25}, 19, id="[C23] the first seat has a turn more"),
        (3, {"highest_card": 26}, 20),
    ],
)
def test_a_match_is_played_to_the_last_card(players, options, turns):
    p = Position(players, options)
    circle = [int(card) for card in p.circle.split()]
    assert len(circle) == options.get("circle", 6)
    assert circle == sorted(circle)
    assert sum(p.s.pile_cards) == turns - players * options.get("hand_cards", 3)
    p.finish()
    assert len(p.circle.split()) == len(circle)
    assert p.metric("turns") == turns
    assert p.hand() == ""
    # Of turns that do not divide the first seats have one more, and the lap cut short counts.
    laps, more = divmod(turns, players)
    assert [p.placed(seat) for seat in range(players)] == [
        laps + (seat < more) for seat in range(players)
    ]
    assert p.s.laps == laps + (more > 0)


def all_cards(p: Position) -> list[int]:
    """List every card of a position, wherever it is."""
    cards = [int(card) for card in p.circle.split()]
    cards += list(p.s.taken)
    for seat in range(len(p.s.hand)):
        cards += list(p.s.hand[seat])
        cards += [int(card) for column in p.columns(seat) for card in column.split()]
    return [*cards, *p.pile(0), *p.pile(1)]


@pytest.mark.parametrize("highest", [24, 61, 126])
def test_h3_the_cards_from_1_on_are_in_play(highest):
    p = Position(3, {"highest_card": highest})
    assert sorted(all_cards(p)) == list(range(1, highest + 1))
    assert p.clause("highest_card")


@pytest.mark.parametrize(
    ("column", "card", "ways"),
    [
        ("20 30", 10, {"both_ends", "anywhere"}),
        ("20 30", 25, {"anywhere"}),
        ("20 30", 40, {"end", "both_ends", "anywhere"}),
        ("30 20", 40, {"both_ends", "anywhere"}),
        ("30 20", 10, {"end", "both_ends", "anywhere"}),
        ("30 20", 25, {"anywhere"}),
        ("20", 10, {"end", "both_ends", "anywhere"}),
        ("20", 40, {"end", "both_ends", "anywhere"}),
    ],
)
def test_h4_where_a_card_fits(column, card, ways):
    for insert in ("end", "both_ends", "anywhere"):
        assert placing(card, column, insert=insert).listed.count("append 1") == (insert in ways)


@pytest.mark.parametrize(("move", "clause"), [("give up 1", True), ("append 1", False)])
def test_h5_it_comes_into_play_with_a_card_given_up(move, clause):
    p = placing(45, "20 30 40", "5", discard_points=0).play(move)
    p.plain.finish_match(p.s)
    assert p.clause("discard_points") == clause


def test_h5_scores_may_be_negative_and_the_least_negative_leads():
    p = Position(2, {"discard_points": -10, "columns": 1}).finish()
    best = max(p.scores)
    assert best < 0
    assert p.s.winners == sum(1 << seat for seat in range(2) if p.scores[seat] == best)


@pytest.mark.parametrize(
    ("scoring", "points"), [("colour_times_length", 12), ("length", 4), ("colour", 9)]
)
def test_h7_what_a_column_scores(scoring, points):
    p = position(display=["1 7 13 14"], scoring=scoring, discard_points=2)
    assert p.scores[0] == p.points(0, 0) == points
    p.plain.finish_match(p.s)
    assert p.metric("best_column") == points


MANY = ["many"] * 115 + [f"one {n}" for n in range(11)]


@pytest.fixture
def many_colours(tmp_path):
    """Return the path of a file with too many cards of a colour for a long column."""
    file = tmp_path / "colours.txt"
    file.write_text("\n".join(MANY))
    return str(file)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        pytest.param({"players": 1}, ["players"], id="[R2] two to six players"),
        ({"players": 7}, ["players"]),
        (
            {"players": 4, "hand_cards": 8, "highest_card": 30},
            [
                "highest_card = 30 is refused",
                "38 cards are dealt; allowed: highest_card 38…126, or hand_cards 1…6",
            ],
        ),
        (
            {"players": 6, "circle": 12, "highest_card": 12},
            ["30 cards are dealt; allowed: highest_card 30…126"],
        ),
        *(
            ({"highest_card": value}, ["allowed: a whole number 12…126, or none"])
            for value in (0, 11, 127)
        ),
        (
            {"scoring": "length"},
            [
                "scoring = 'length' is refused with discard_points = 1",
                "allowed: another discard_points (-10…0, 2…10)",
            ],
        ),
        pytest.param(
            {"colours": "many", "players": 2, "highest_card": 126, "circle": 2},
            ["with 62 turns of a player", "allowed: at most 10 colours"],
            id="[C25] colours that cannot be counted",
        ),
    ],
)
def test_what_is_refused(options, words, many_colours):
    given = options | ({"colours": many_colours} if "colours" in options else {})
    with pytest.raises(InputError) as refusal:
        UPORDOWN.resolve(given)
    assert "\n" not in str(refusal.value)
    for part in words:
        assert part in str(refusal.value)


def test_what_is_allowed(many_colours):
    assert UPORDOWN.resolve({"players": 4, "hand_cards": 6, "highest_card": 30})
    assert UPORDOWN.resolve({"scoring": "length", "discard_points": 0})
    options = {"colours": many_colours, "players": 5, "highest_card": 126, "circle": 2}
    assert UPORDOWN.resolve(options)


def test_c25_of_twelve_colours_as_many_as_there_may_be(tmp_path):
    file = tmp_path / "colours.txt"
    file.write_text("\n".join(["many"] * 30 + [f"one {n % 11}" for n in range(96)]))
    column = " ".join(map(str, range(1, 31)))
    p = position(display=[column, "31 32 33"], colours=str(file))
    assert p.scores[0] == 900 + 3


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2, "circle": 12, "hand_cards": 8, "insert": "anywhere"},
        {"players": 3, "circle": 2, "hand_cards": 1, "insert": "both_ends", "give_up": "forced"},
        {"players": 6, "highest_card": 60, "circle": 7, "discard_points": -3},
    ],
)
def test_cards_are_conserved_after_every_move(options):
    p = Position(int(options["players"]), options)
    step = 0
    while p.s.phase != ROUND_OVER:
        given_up = sum(map(len, p.s.discards))
        assert len(set(all_cards(p))) == len(all_cards(p)) == p.card_count - given_up
        moves = p.plain.moves(p.s)
        p.plain.apply(p.s, moves[step * 7 % len(moves)])
        step += 1
