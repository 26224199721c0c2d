"""UP & DOWN: every policy is legal and repeatable, and each plays by its idea."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from simcore.batch import Cell, play
from simcore.errors import PolicyError
from strategies import Param, Policy, Strategy, make_strategy, parse_lineup, policies
from tests.updown.position import UPDOWN, Position

POLICIES = [policy for policy in policies(UPDOWN) if not policy.takes_policy]
OPTIONS = [{}, {"rounds": 3}, {"tie_round": True}, {"players": 2, "seating": "adjacent"}]
STAKE = {"players": 3}


def cell(lineup: str, seed: int = 3, **options: object) -> Cell:
    resolved = UPDOWN.resolve(options)
    strategies = parse_lineup(UPDOWN, lineup)
    players = int(resolved["players"])
    seats = tuple(itertools.islice(itertools.cycle(strategies), players))
    return Cell(UPDOWN, resolved, seats, seed)


def corners(policy: Policy) -> list[Strategy]:
    """Return the policy with defaults, and with each parameter at its bounds."""
    changes = [{p.name: bound} for p in policy.params for bound in (p.low, p.high)]
    return [make_strategy(policy, change) for change in ({}, *changes)]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_all_policies_are_legal(players: int, options: dict[str, object]) -> None:
    resolved = UPDOWN.resolve({"players": players} | options)
    names = [policy.name for policy in POLICIES]
    for first in range(len(names)):
        lineup = ",".join((names[first:] + names[:first])[: int(resolved["players"])])
        # An illegal move would be an error that names it.
        assert not play(cell(lineup, **resolved), 0, 300).aborted.any()


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_a_policy_is_legal_at_every_bound(policy: Policy) -> None:
    for strategy, players in itertools.product(corners(policy), (2, 3, 4)):
        play(Cell(UPDOWN, UPDOWN.resolve({"players": players}), (strategy,) * players, 8), 0, 300)


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_same_seed_same_rows(policy: Policy) -> None:
    once, again = (play(cell(f"{policy.name},eager", seed=6), 0, 50) for _ in range(2))
    other = play(cell(f"{policy.name},eager", seed=7), 0, 50)
    assert np.array_equal(once.scores, again.scores)
    assert not np.array_equal(once.scores, other.scores)


@pytest.mark.parametrize("policy", POLICIES[1:], ids=lambda policy: policy.name)
def test_better_than_random(policy: Policy) -> None:
    assert np.mean(play(cell(f"{policy.name},random,random,random"), 0, 2000).winners == 1) > 0.65
    assert np.mean(play(cell(f"{policy.name},random", players=2), 0, 2000).winners == 1) > 0.95


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_colours_do_not_matter(policy: Policy, players: int) -> None:
    """With all seats alike nobody has an advantage but the first leader."""
    block = play(cell(policy.name, players=players), 0, 20_000)
    scores = block.scores.mean(axis=1)
    assert np.ptp(scores) < 0.12


def test_an_illegal_move_names_policy_and_place() -> None:
    def stubborn(s, seat, moves, a):
        return 63

    stubborn_policy = Policy("updown", "stubborn", "", stubborn, (Param("a", 0, 0, 1, ""),))
    seats = (Strategy(stubborn_policy), *parse_lineup(UPDOWN, "random,random,random"))
    with pytest.raises(PolicyError, match=r"stubborn.*63"):
        play(Cell(UPDOWN, UPDOWN.resolve({}), seats, 1), 0, 10)


def choosing(hand: str, **position: object) -> Position:
    """Seat 0 chooses a card; its colour is ROSE, the opponents' hands are as good as unknown."""
    left = len(hand.split())
    filler = ["F2 F3 F4 F5 F6 F8 F9", "M2 M3 M4 M5 M6 M8 M9", "H2 H3 H4 H5 H6 H8 H9"]
    others = [" ".join(cards.split()[:left]) for cards in filler]
    return Position(hand, *others, choosing=True, **position)


class TestEager:
    def test_the_best_card_that_can_win(self) -> None:
        assert choosing("R9 R11 F12 H7", trump=7).choice("eager") == "H7"
        assert choosing("R9 R11 F12", trump=7).choice("eager") == "R11"
        assert choosing("R9 R11 F2", trump=7, face="DOWN").choice("eager") == "R9"

    def test_else_the_least_useful(self) -> None:
        assert choosing("F12 F5 H2", trump=7).choice("eager") == "F5"

    @pytest.mark.parametrize(
        ("hand", "face", "change"),
        [
            ("R2 F6 M7 H8", "UP", "flip"),
            ("R3 F6 M12 H8", "UP", "half"),
            ("R6 F12 M7 H8", "UP", "three"),
            ("R6 F9 M9 H2", "DOWN", "quarter"),
        ],
    )
    def test_changes_for_the_best_card(self, hand: str, face: str, change: str) -> None:
        p = Position(hand, "F2 F3 F4 F5", "M2 M3 M4 M5", face=face)
        assert p.choice("eager") == change


class TestSaver:
    def test_saves_trumps(self) -> None:
        early = choosing("R9 R3 F12 H7 F5 F6 F8", trump=7)
        assert early.choice("saver(late=3)") == "R9"
        assert early.choice("saver(late=7)") == "H7"

    def test_not_from_the_pot(self) -> None:
        p = choosing("R9 R3 F12 H7 F5 F6 F8", trump=7, pot=1)
        assert p.choice("saver(late=3)") == "H7"
        assert p.choice("saver(late=3,pot=2)") == "R9"

    def test_nor_leaves_the_own_colour_to_chance(self) -> None:
        assert choosing("F12 H7 F5 F4", trump=7).choice("saver(late=3)") == "F5"


class TestSpoiler:
    def test_cancels_what_others_want(self) -> None:
        # MONOKEL 12 and so on are unseen: somebody would like to play a 12.
        assert choosing("F12 H5 M5", trump=7).choice("spoiler") == "F12"
        assert choosing("F12 H5 M2", trump=7, face="DOWN").choice("spoiler") == "M2"

    def test_what_they_cannot_have_it_need_not(self) -> None:
        p = choosing("F12 H5 M11", trump=7, played="R12 M12 H12")
        assert p.choice("spoiler") == "M11"

    def test_goes_for_the_trick_if_it_can(self) -> None:
        assert choosing("F12 R5 M5", trump=7).choice("spoiler") == "R5"


class TestShaper:
    def test_changes_for_what_nobody_beats(self) -> None:
        # ROSE 11 is higher, but three 12s are unseen; nothing beats FEDER 10 once all are played.
        p = Position("R9 F2 M10 H6", "F3", "M3", "H3", played="R12 F12 H12 R11 F11 H11")
        assert p.choice("shaper") == "half"
        p = Position("M11 H4 R5 F8", "F3", "M3", "H3", face="UP")
        assert p.choice("shaper(better=0)") == "half"


class TestCounter:
    def test_a_card_whose_equals_are_gone(self) -> None:
        assert choosing("R12 R11 F5", trump=7).choice("counter") == "R12"
        # Three 12s may cancel, but nobody has another 11.
        gone = "F11 M11 H11"
        assert choosing("R12 R11 F5", trump=7, played=gone).choice("counter") == "R11"
        gone = "F11 M11 H11 F12 M12"
        assert choosing("R12 R11 F5", trump=7, played=gone).choice("counter") == "R11"

    def test_whoever_played_them(self) -> None:
        p = choosing("R12 R11 F5", trump=7, played="F11 M11 H11")
        p.s.played[2], p.s.played[0] = p.s.played[0], p.s.played[2]
        assert p.choice("counter") == "R11"

    def test_not_for_a_hopeless_one(self) -> None:
        p = choosing("R2 F5 H5", trump=7)
        assert p.choice("counter(chance=0.5)") == "F5"
        assert p.choice("counter(chance=0)") == "R2"

    def test_changes_by_the_cards_played(self) -> None:
        # Nothing beats HUT 9 by now, and no other 9 is left.
        gone = "R9 F9 M9 R10 F10 M10 R11 F11 M11 R12 F12 M12"
        p = Position("R8 F8 M8 H9", "F2 F3", "M2 M3", "H2 H3", played=gone)
        assert p.choice("counter") == "quarter"

    def test_rolls_when_nothing_else_can_win(self) -> None:
        # Without a card of any other rank but 7 it has a good chance of a trump 7.
        p = Position("R7 F7 M7 H7", "F2 F3 F4 F5", "M2 M3 M4 M5", "H2 H3 H4 H5", trump=12)
        assert p.choice("all_rounder(keen=20)") == "roll"


class TestBanker:
    def test_fills_the_pot_before_it_leads(self) -> None:
        p = choosing("R6 F12 M5", trump=7, leader=3)
        assert p.choice("banker(chance=0.9)") == "F12"
        assert p.choice("banker(chance=0)") == "R6"

    def test_not_before_others_lead(self) -> None:
        assert choosing("R6 F12 M5", trump=7, leader=2).choice("banker(chance=0.9)") == "R6"

    def test_nor_in_the_last_trick(self) -> None:
        hands = ("R6 F12", "F2 F3", "M2 M3")
        p = Position(*hands, choosing=True, leader=2)
        assert p.choice("banker(chance=0.9)") == "F12"
        p.s.trick = p.plain.values["hand_size"] - 1
        assert p.choice("banker(chance=0.9)") == "R6"


class TestDodger:
    def test_a_card_without_equals(self) -> None:
        p = choosing("R12 R11 F5", trump=7, played="F11 M11 H11")
        assert p.choice("dodger(equal=1)") == "R11"
        assert p.choice("dodger(equal=0)") == "R12"


class TestAllRounder:
    def test_saves_a_trump(self) -> None:
        p = choosing("R12 F7 F5 F6 H5 H6 M5", trump=7, played="F12 M12 H12", leader=1)
        assert p.choice("all_rounder(trump=2)") == "R12"
        assert choosing("F7 F5", trump=7, leader=1).choice("all_rounder(trump=0)") == "F7"
        assert (
            choosing("F7 F5 F6 H5 H6 M5", trump=7, leader=1).choice("all_rounder(trump=5)") != "F7"
        )

    def test_takes_the_pot_with_it(self) -> None:
        p = choosing("R3 F7 F5 F6 H5 H6 M5", trump=7, pot=4, leader=1)
        assert p.choice("all_rounder") == "F7"

    @pytest.mark.parametrize(("cancel", "card"), [(0, "R6"), (1, "F12"), (2, "F12")])
    def test_cancels_before_its_own_lead(self, cancel: int, card: str) -> None:
        p = choosing("R6 F12 M5", trump=7, leader=3)
        assert p.choice(f"all_rounder(cancel={cancel},chance=1)") == card

    @pytest.mark.parametrize(("cancel", "card"), [(0, "M5"), (1, "M5"), (2, "F12")])
    def test_or_always_when_it_cannot_win(self, cancel: int, card: str) -> None:
        assert choosing("F12 M5", trump=7, leader=1).choice(f"all_rounder(cancel={cancel})") == card
