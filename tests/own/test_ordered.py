"""Places whose cards lie in an order: top, bottom, cut, shuffled, face down and looked at."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import cardlab
from simcore.batch import Cell, play
from simcore.compiler.plain import Match
from simcore.compiler.state import Pile
from simcore.errors import InputError
from simcore.events import Step
from simcore.game import get_game
from strategies import parse_strategy, policies
from studies.check.gamecheck import check_game, exchanged

GAME = '''"""Rows: each seat has a row face down; cards are looked at, taken, put back and cut."""

from cardlab.rules import *

deck = DECK
players = 2, 3


class State:
    stock = hidden(ordered)
    row = hidden(ordered, per=seat)
    spare = own(ordered, many=2)
    hand = own(cards)
    waste = shown(ordered)
    mark = shown(number)


def deal(s):
    bring(all_cards, s.stock)
    shuffle(s.stock)
    for one in seats():
        draw(s.stock, s.row[one], 4)
        draw(s.stock, s.hand[one], 2)
        draw(s.stock, s.spare[one][1], 2)
        look(one, s.row[one], 1)
    draw(s.stock, s.waste)
    s.mark = 0


def legal(s, seat):
    return {0, 1, 2, 3, 4, 5, 6}


def apply(s, seat, way):
    if way == 0:
        cut(s.stock, len(s.stock) // 3)
    elif way == 1 and s.hand[seat]:
        insert(lowest(s.hand[seat]), s.hand[seat], s.row[seat], 2)
    elif way == 2:
        insert(top(s.row[seat], 1), s.row[seat], s.stock, len(s.stock))
        draw(s.stock, s.hand[seat])
    elif way == 3:
        reveal(s.row[seat], 0)
        move(s.hand[seat], s.hand[seat], s.spare[seat][0])
    elif way == 4:
        for k in range(2):
            move(s.spare[seat][k], s.spare[seat][k], s.waste)
    elif way == 5:
        look(seat, s.stock, 0)
        move(top(s.waste), s.waste, s.stock)
        move(bottom(s.stock), s.stock, s.waste)
    else:
        while len(s.waste) > 1:
            draw(s.waste, s.stock)
    s.mark = s.mark * 31 + top(s.stock) + 7 * bottom(s.row[seat]) + 3 * len(s.spare[seat][0])
    s.mark = s.mark * 31 + seen(seat, s.stock, 0) + 5 * seen(after(seat, 1), s.row[seat], 0)
    s.mark = (s.mark * 31 + top(s.stock, len(s.stock) // 2)) % 1_000_003


def ended(s, seat):
    return len(s.stock) < 6 or s.steps > 30 or len(s.row[seat]) < 2


def score(s):
    s.points[s.seat] = s.mark % 1000


@policy
def watcher(s, seat, moves):
    """Takes what it knows to be high."""
    c = seen(seat, s.stock, 0)
    if c != NO_CARD and rank(c) > 4:
        return 2
    if top(s.waste) > 20 and seen(seat, s.row[seat], 0) == NO_CARD:
        return 5
    if s.spare[seat][1] and rank(top(s.spare[seat][1])) > 3:
        return 3
    return nth(moves, below(s, SEAT(seat), len(moves)))
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.py").write_text(GAME.replace("DECK", "french_deck()"))
    return tmp_path


def cell_of(*lineup: str, players: int = 2) -> Cell:
    game = get_game("rows.py")
    policies(game)
    seats = tuple(parse_strategy(game, lineup[seat % len(lineup)]) for seat in range(players))
    return Cell(game, game.resolve({"players": players}), seats, seed=1)


def test_a_pile_is_a_list_with_what_each_seat_has_seen():
    chance = random.Random(3)  # noqa: S311 (no secret)
    pile, model = Pile(), list[tuple[int, int]]()
    out = list(range(40))
    for _ in range(3000):
        k = chance.randrange(len(model) + 1)
        match chance.choice(["in", "out", "cut", "look"]):
            case "in" if out:
                card, seats = out.pop(chance.randrange(len(out))), chance.randrange(8)
                pile = pile.with_card(card, k, seats)
                model.insert(k, (card, seats))
            case "out" if model:
                card, seats = model.pop(k % len(model))
                pile, found = pile.without(card)
                assert found == seats
                out.append(card)
            case "cut":
                pile, model = pile.cut(k), model[k:] + model[:k]
            case "look" if model:
                k %= len(model)
                pile = pile.with_seen(k, 2)
                model[k] = model[k][0], model[k][1] | 2
        assert [pile.top(k) for k in range(len(pile))] == [card for card, _ in model]
        assert list(reversed(pile.seen)) == [seats for _, seats in model]
        assert set(pile) == {card for card, _ in model}


@pytest.mark.whole
@pytest.mark.parametrize(
    "deck", ["french_deck()", "cards_of('abc', range(9), packs=2)", "numbered(200)"]
)
def test_compiled_piles_are_those_of_python(deck: str, folder: Path):
    (folder / "rows.py").write_text(GAME.replace("DECK", deck))
    found = {one.test: one for one in check_game("rows.py")}
    assert not [one for one in found.values() if one.failed]
    assert found["compiled"].verdict == found["hidden cards"].verdict == "passed"
    assert len(set(play(cell_of("random"), 0, 500).scores[0])) > 200


def test_who_has_seen_a_card_is_kept(folder: Path):
    match = Match(cell_of("random"), 2)
    known = 0
    for event in match.events():
        if not isinstance(event, Step):
            continue
        s, seat = event.s, event.seat
        for word in range(1, 5):
            other = s.copy()
            match.plain.deal_unseen(other, seat, (word, 3))
            for mine, theirs in zip((s.stock, *s.row), (other.stock, *other.row), strict=True):
                assert mine.seen == theirs.seen
                for card, new, seats in zip(mine.order, theirs.order, mine.seen, strict=True):
                    assert card == new or not seats >> seat & 1
                    known += seats >> seat & 1
            assert other.spare[seat] == s.spare[seat]
            assert [p.order for p in other.spare[seat]] == [p.order for p in s.spare[seat]]
            every = [*other.stock, *other.waste, *(c for row in other.row for c in row)]
            every += [c for pair in other.spare for p in pair for c in p]
            every += [c for hand in other.hand for c in hand]
            assert sorted(every) == sorted(get_game("rows.py").rules().deck.cards)
    assert known > 50


@pytest.mark.whole
def test_search_decides_by_what_its_seat_has_seen(folder: Path):
    match = Match(cell_of("search(rollouts=8)", "random"), 0)
    chance, asked = random.Random(1), 0  # noqa: S311 (no secret)
    for event in match.events():
        if isinstance(event, Step) and event.chosen and event.seat == 0:
            other = exchanged(match, event.s, chance)
            assert match.ask(event.moves, event.s.copy()) == match.ask(event.moves, other)
            asked += 1
    assert asked > 3


def read(text: str) -> str:
    """Return the game with a policy that reads something."""
    game = GAME.replace("DECK", "french_deck()")
    return f"{game}\n\n@policy\ndef spy(s, seat, moves):\n    {text}\n    return lowest(moves)\n"


REFUSED = {
    "the top of a hidden pile": ("x = top(s.stock)", "nobody sees that; allowed is len"),
    "a hidden row": ("x = bottom(s.row[seat])", r"and seen\(seat, s\.row\[seat\], k\)"),
    "what another has seen": ("x = seen(after(seat, 1), s.stock, 0)", "nobody sees that"),
    "another's own pile": ("x = top(s.spare[after(seat, 1)][0])", "only its own seat sees that"),
    "looking": ("look(seat, s.stock, 0)", "a policy calls look: who decides changes nothing"),
    "a cut": ("cut(s.stock, 1)", "a policy calls cut"),
}


@pytest.mark.parametrize("wrong", REFUSED)
def test_a_policy_knows_what_its_seat_has_seen(wrong: str, folder: Path):
    text, told = REFUSED[wrong]
    (folder / "rows.py").write_text(read(text))
    with pytest.raises(InputError, match=rf"rows\.py, line \d+, in spy.*{told}"):
        cardlab.play("rows.py", lineup="spy")


WRONG = {
    "no order": ("top(s.stock) + 7", "top(s.hand[seat]) + 7", "s.hand.* has no order; declare it"),
    "below more cards than there are": ("s.row[seat], 2)", "s.row[seat], 9)", "below 9 cards of"),
    "a card that is not there": ("top(s.stock, len(s.stock) // 2)", "top(s.stock, 90)", "card 90"),
    "a cut too deep": ("len(s.stock) // 3)", "99)", r"cut\(…, 99\) of"),
    "a field": ("waste = shown(ordered)", "waste = shown(orderd)", "orderd"),
    "no deck": ("deck = french_deck()\n", "", "the game has no deck, whose cards"),
    "assigned": ("    s.mark = 0\n", "    s.mark = 0\n    s.stock = set()\n", "move.* or draw"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_used_wrongly_is_told(wrong: str, folder: Path):
    old, new, told = WRONG[wrong]
    game = GAME.replace("DECK", "french_deck()")
    assert old in game
    (folder / "rows.py").write_text(game.replace(old, new))
    with pytest.raises(InputError, match=rf"(?s)rows\.py.*{told}"):
        _ = [cardlab.play("rows.py", match=number) for number in range(20)]


@pytest.mark.whole
@pytest.mark.parametrize("wrong", ["below more cards than there are", "a cut too deep"])
def test_compiled_matches_tell_it_too(wrong: str, folder: Path):
    old, new, told = WRONG[wrong]
    (folder / "rows.py").write_text(GAME.replace("DECK", "french_deck()").replace(old, new))
    with pytest.raises(InputError, match=told):
        cardlab.simulate("rows.py", matches=500)


def test_a_transcript_shows_the_order(folder: Path):
    told = cardlab.play("rows.py", lineup="random", players=2).lines
    (row,) = [line for line in told if line.startswith("    row (from the top): seat 0 (random) ")]
    s = next(iter(Match(cell_of("random"), 0).events())).s
    deck = get_game("rows.py").rules().deck
    assert " ".join(deck.name(card) for card in reversed(s.row[0].order)) in row


def test_a_transcript_says_what_lies_on_top_now(folder: Path):
    steps = [event for event in Match(cell_of("random"), 3).events() if isinstance(event, Step)]
    told = [line for line in cardlab.play("rows.py", players=2, match=3) if ". seat " in line]
    deck, tops = get_game("rows.py").rules().deck, 0
    for step, line in zip(steps, told, strict=True):
        before, now = (s.waste.order[-1:] for s in (step.s, step.after.s))
        wanted = f"waste {deck.name(now[0])} on top" if now else "waste empty"
        assert (wanted in line) == (before != now)
        tops += before != now
    assert tops > 3


GUESS = '''"""Guess: each seat has looked at the top card, sees its partner's, and guesses."""

from cardlab.rules import *

deck = cards_of(("red", "blue"), range(1, 11))
players = 4
teams = 2
what = option("top", ("top", "partner"), "whose suit is guessed")


class State:
    stock = hidden(ordered)
    hand = own(cards, to=partners)
    right = shown(number, per=seat)


def deal(s):
    bring(all_cards, s.stock)
    shuffle(s.stock)
    for one in seats():
        draw(s.stock, s.hand[one])
        s.right[one] = 0
    for one in seats():
        look(one, s.stock, 0)


def legal(s, seat):
    return {0, 1}


def apply(s, seat, suit_now):
    card = top(s.stock) if what == "top" else lowest(s.hand[partner(seat)])
    s.right[seat] = suit(card) == suit_now


def ended(s, seat):
    return s.steps == players


def score(s):
    for one in seats():
        s.points[one] = s.right[one]
'''


@pytest.mark.whole
@pytest.mark.parametrize("what", ["top", "partner"])
def test_search_keeps_what_its_seat_has_seen(what: str, folder: Path):
    (folder / "guess.py").write_text(GUESS)
    game = get_game("guess.py")
    policies(game)
    seats = tuple(parse_strategy(game, "search(rollouts=16)") for _ in range(4))
    block = play(Cell(game, game.resolve({"what": what}), seats, seed=1), 0, 60)
    assert (block.scores == 2).all()
