"""House rules and dials of UNO in positions that are laid by hand, for the referee alone."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.referee.uno import UnoReferee
from tests.referee.uno_cards import Options


def unshuffled(cards):
    return cards


def referee_of(hands, top, stock="", shuffle=unshuffled, **options):
    """Return a referee after the deal: these hands (seat 0 begins), this card turned up.

    The cards of ``stock`` come first; the rest of the deck follows in order.
    """
    held = [[card.strip() for card in hand.split(",")] for hand in hands]
    options = {"players": len(hands), "hand_size": len(held[0]), "rounds": 1} | options
    first = [card for turn in zip(*held, strict=True) for card in turn]
    first += [top, *(card.strip() for card in stock.split(",") if card.strip())]
    rest = Counter(Options(**options).deck())
    rest.subtract(first)
    assert min(rest.values()) >= 0
    referee = UnoReferee(options, len(hands) - 1, shuffle)
    referee.start_round([*first, *rest.elements()])
    return referee


def lay(referee, card, **call):
    referee.apply(("play", card), **call)


def where(referee):
    return referee.phase, referee.on_turn


def cards(referee):
    return [len(hand) for hand in referee.hands]


class TestCopiesAndHands:
    def test_copies_make_the_deck(self):
        options = Options(
            zeros=0, numbers=1, draw_twos=4, reverses=0, skips=0, wilds=8, wild_draw_fours=1
        )
        deck = Counter(options.deck())
        assert deck["red 0"] == deck["red skip"] == 0
        assert deck["red 5"] == deck["wild draw four"] == 1
        assert deck["green draw two"] == 4
        assert deck.total() == 4 * (9 + 4) + 9

    @pytest.mark.parametrize(
        "options",
        [
            {"players": 10, "hand_size": 11},
            dict.fromkeys(("zeros", "numbers", "draw_twos", "reverses", "skips", "wilds"), 0)
            | {"players": 2, "hand_size": 1},
            {"last_card": "number", "zeros": 0, "numbers": 0},
            {"numbers": 0, "action_points": 0, "wild_points": 0},
        ],
    )
    def test_a_deck_that_cannot_be_played_is_refused(self, options):
        with pytest.raises(ValueError, match="card"):
            Options(**options)

    def test_with_only_wild_draw_fours_left_all_is_dealt_anew(self):
        shuffled = []

        def shuffle(cards):
            shuffled.append(len(cards))
            return sorted(cards, reverse=True)

        only = dict.fromkeys(("zeros", "numbers", "draw_twos", "reverses", "skips"), 0)
        options = only | {"wilds": 4, "wild_draw_fours": 2, "players": 2, "hand_size": 2}
        referee = UnoReferee(options | {"rounds": 1}, 1, shuffle)
        referee.start_round(["wild"] * 4 + ["wild draw four"] * 2)
        assert shuffled == [6]
        assert referee.hands == [["wild draw four", "wild"]] * 2
        assert (referee.discards, referee.stock) == (["wild"], ["wild"])


class TestNumbers:
    @pytest.mark.parametrize("count", [0, 1, 7])
    def test_a_draw_two_makes_draw_so_many_and_the_turn_is_missed(self, count):
        referee = referee_of(["red draw two, red 1", "red 2, red 3"], "red 9", draw_two_cards=count)
        lay(referee, "red draw two")
        assert where(referee) == ("PLAY", 0)
        assert cards(referee) == [1, 2 + count]

    @pytest.mark.parametrize(("bluff", "drawn"), [("red 1", [3, 0, 0]), ("blue 1", [0, 4, 0])])
    def test_a_challenge_draws_the_own_numbers(self, bluff, drawn):
        hands = [f"wild draw four, {bluff}", "red 2, red 3", "red 4, red 5"]
        referee = referee_of(hands, "red 9", draw_four_cards=3, challenge_penalty=1)
        lay(referee, "wild draw four")
        referee.apply(("colour", "green"))
        referee.apply(("challenge",))
        assert cards(referee) == [1 + drawn[0], 2 + drawn[1], 2]
        assert where(referee) == ("PLAY", 1 if drawn[0] else 2)

    def test_a_penalty_of_no_cards_counts(self):
        referee = referee_of(["red 1, red 2", "red 3, red 4"], "red 9", uno_penalty=0)
        lay(referee, "red 1", forgets=True, noticed=True)
        assert referee.metrics["uno_penalties"] == 1
        assert cards(referee) == [1, 2]

    def test_points(self):
        hands = ["red 1", "wild", "red skip"]
        referee = referee_of(hands, "red 9", action_points=7, wild_points=100)
        lay(referee, "red 1")
        assert referee.totals == [107, 0, 0]


class TestDrawUntilPlayable:
    def test_the_last_card_drawn_may_be_kept(self):
        stock = "green 1, green 2, red 5"
        referee = referee_of(["blue 1", "blue 2"], "red 9", stock, draw="until_playable")
        referee.apply(("draw",))
        assert where(referee) == ("DRAWN", 0)
        assert referee.legal_moves() == [("play", "red 5"), ("keep",)]
        referee.apply(("keep",))
        assert where(referee) == ("PLAY", 1)
        assert cards(referee) == [4, 1]

    def test_a_possible_bluff_ends_it(self):
        stock = "green 1, wild draw four"
        referee = referee_of(["red 1", "blue 2"], "red 9", stock, draw="until_playable")
        referee.apply(("draw",))
        assert referee.drawn_card == "wild draw four"

    def test_when_all_is_drawn_the_turn_passes(self):
        none = dict.fromkeys(("zeros", "draw_twos", "reverses", "wilds", "wild_draw_fours"), 0)
        options = none | {"numbers": 1, "skips": 0, "hand_size": 17, "draw": "until_playable"}
        deck = Options(players=2, rounds=1, **options).deck()
        rest = [card for card in deck if card not in {"red 9", "blue 1"}]
        # The one card left does not go on the red 9.
        referee = UnoReferee({"players": 2, "rounds": 1} | options, 1, unshuffled)
        referee.start_round([*rest, "red 9", "blue 1"])
        referee.apply(("draw",))
        assert where(referee) == ("PLAY", 1)
        assert (cards(referee), referee.idle_turns) == ([18, 17], 0)
        for _ in range(2):
            referee.apply(("draw",))
        assert referee.aborted


class TestMustPlay:
    def test_draw_is_no_move_beside_a_card_that_goes(self):
        hands = ["wild draw four, red 1, blue 2", "red 2, red 3, red 4"]
        referee = referee_of(hands, "red 9", must_play=True)
        assert referee.legal_moves() == [("play", "red 1"), ("play", "wild draw four")]

    def test_what_may_be_laid_without_a_bluff_binds(self):
        hands = ["wild draw four, red 1", "red 3, red 4"]
        referee = referee_of(hands, "blue 9", must_play=True)
        assert referee.legal_moves() == [("play", "wild draw four")]
        referee = referee_of(["red skip", "red 4"], "red 9", must_play=True, last_card="number")
        assert referee.legal_moves() == [("draw",)]

    @pytest.mark.parametrize(
        ("held", "drawn", "moves"),
        [
            ("blue 1", "red 5", [("play", "red 5")]),
            ("blue 1", "wild draw four", [("play", "wild draw four")]),
            ("red skip", "wild draw four", [("play", "wild draw four"), ("keep",)]),
        ],
    )
    def test_a_drawn_card_is_laid_unless_it_is_a_bluff(self, held, drawn, moves):
        options = {"must_play": True, "last_card": "number"}
        referee = referee_of([held, "green 2"], "red 9", drawn, **options)
        referee.apply(("draw",))
        assert referee.legal_moves() == moves


class TestLastCard:
    def test_only_a_number_ends_the_round(self):
        referee = referee_of(["red skip", "wild"], "red 9", last_card="number")
        assert referee.legal_moves() == [("draw",)]
        referee = referee_of(["wild draw four", "red 1"], "red 9", last_card="number")
        assert referee.legal_moves() == [("draw",)]
        referee = referee_of(["red 3", "red 1"], "red 9", last_card="number")
        assert ("play", "red 3") in referee.legal_moves()

    def test_nobody_stacks_or_jumps_in_with_another(self):
        options = {"stacking": "any", "jump_in": True, "last_card": "number"}
        stock = "red draw two, green 1"
        hands = ["red 1", "blue draw two", "red draw two"]
        referee = referee_of(hands, "red 9", stock, **options)
        referee.apply(("draw",))
        lay(referee, "red draw two")
        assert where(referee) == ("PLAY", 2)
        assert cards(referee) == [1, 3, 1]


class TestStacking:
    def test_draw_twos_add_up(self):
        hands = ["red draw two, red 1", "blue draw two, red 2", "red 3, red 4"]
        referee = referee_of(hands, "red 9", stacking="same")
        lay(referee, "red draw two")
        assert where(referee) == ("STACK", 1)
        assert referee.legal_moves() == [("play", "blue draw two"), ("draw",)]
        lay(referee, "blue draw two")
        assert cards(referee) == [1, 1, 6]
        assert where(referee) == ("PLAY", 0)
        assert (referee.metrics["stacks"], referee.metrics["largest_stack"]) == (1, 4)
        assert referee.metrics["turns"] == 2

    def test_a_stack_that_is_not_lengthened_counts_nothing(self):
        hands = ["red draw two, red 1", "blue draw two, red 2"]
        referee = referee_of(hands, "red 9", stacking="same")
        lay(referee, "red draw two")
        referee.apply(("draw",))
        assert cards(referee) == [1, 4]
        assert where(referee) == ("PLAY", 0)
        assert (referee.metrics["stacks"], referee.metrics["largest_stack"]) == (0, 0)

    @pytest.mark.parametrize(
        ("stacking", "moves"),
        [
            ("same", [("draw",)]),
            ("any", [("play", "green draw two"), ("play", "wild draw four"), ("draw",)]),
        ],
    )
    def test_what_goes_on_a_wild_draw_four(self, stacking, moves):
        hands = ["wild draw four, blue 1, blue 2", "red 1, red 2, red 3"]
        second = "red draw two, green draw two, wild draw four"
        hands[1] = second if stacking == "any" else "red draw two, green draw two, red 1"
        referee = referee_of(hands, "red 9", stacking=stacking)
        lay(referee, "wild draw four")
        referee.apply(("colour", "green"))
        referee.apply(("accept",))
        if stacking == "same":
            assert where(referee) == ("PLAY", 0)
            assert cards(referee) == [2, 7]
        else:
            assert where(referee) == ("STACK", 1)
            assert referee.legal_moves() == moves

    def test_a_stacked_wild_draw_four_is_not_challenged(self):
        hands = ["red draw two, red 1", "wild draw four, red 2", "red 3, red 4"]
        referee = referee_of(hands, "red 9", stacking="any")
        lay(referee, "red draw two")
        lay(referee, "wild draw four")  # Beside a red 2.
        assert where(referee) == ("COLOUR", 1)
        referee.apply(("colour", "red"))
        assert cards(referee) == [1, 1, 8]
        assert where(referee) == ("PLAY", 0)
        assert (referee.metrics["wild_draw_fours"], referee.metrics["bluffs"]) == (1, 0)
        assert referee.metrics["largest_stack"] == 6

    @pytest.mark.parametrize(("other", "drawn"), [("red 1", [4, 0]), ("blue 1", [0, 6])])
    def test_after_a_challenge_there_is_no_stack(self, other, drawn):
        hands = [f"wild draw four, {other}", "wild draw four, blue 2", "red 3, red 4"]
        referee = referee_of(hands, "red 9", stacking="any")
        lay(referee, "wild draw four")
        referee.apply(("colour", "green"))
        referee.apply(("challenge",))
        assert cards(referee) == [1 + drawn[0], 2 + drawn[1], 2]
        assert where(referee) == ("PLAY", 1 if drawn[0] else 2)

    def test_the_card_turned_up_is_the_first_of_a_stack(self):
        hands = ["blue draw two, red 1", "red 2, red 3", "red 4, red 5"]
        referee = referee_of(hands, "red draw two", stacking="same")
        assert (*where(referee), referee.metrics["turns"]) == ("STACK", 0, 0)
        lay(referee, "blue draw two")
        assert cards(referee) == [1, 6, 2]
        assert (*where(referee), referee.metrics["turns"]) == ("PLAY", 2, 1)

    def test_a_last_card_makes_the_next_player_draw_the_sum(self):
        hands = ["red draw two, red 1", "blue draw two, green draw two", "blue draw two, wild"]
        referee = referee_of(hands, "red 9", stacking="any", jump_in=True)
        lay(referee, "red draw two")
        lay(referee, "green draw two")
        lay(referee, "blue draw two")
        assert where(referee) == ("PLAY", 1)  # Seat 0 had to draw six.
        assert cards(referee) == [7, 1, 1]
        lay(referee, "blue draw two")
        assert referee.phase == "MATCH_OVER"
        assert referee.metrics["largest_stack"] == 6
        assert cards(referee) == [7, 0, 3]

    def test_a_victim_of_no_cards_may_stack(self):
        hands = ["red draw two, red 1", "blue draw two, red 2"]
        referee = referee_of(hands, "red 9", stacking="same", draw_two_cards=0)
        lay(referee, "red draw two")
        assert where(referee) == ("STACK", 1)


class TestJumpIn:
    def test_the_same_card_is_laid_out_of_turn(self):
        hands = ["red 7, red 1", "red 2, red 3", "red 7, red 4", "red 5, red 6"]
        referee = referee_of(hands, "red 9", jump_in=True)
        lay(referee, "red 7")
        assert where(referee) == ("JUMP", 2)
        assert referee.legal_moves() == [("play", "red 7"), ("decline",)]
        lay(referee, "red 7")
        assert where(referee) == ("PLAY", 3)
        assert (referee.metrics["jump_ins"], referee.metrics["turns"]) == (1, 2)

    def test_the_seat_on_turn_next_is_not_asked_and_the_layer_is_last(self):
        hands = ["red 7, red 7", "red 2, red 7", "red 4, red 8"]
        referee = referee_of(hands, "red 9", jump_in=True, numbers=3)
        lay(referee, "red 7")
        assert where(referee) == ("JUMP", 0)
        referee.apply(("decline",))
        assert where(referee) == ("PLAY", 1)

    def test_asking_begins_anew(self):
        hands = ["red 7, red 1", "red 2, red 3", "red 7, red 4", "red 7, red 6"]
        referee = referee_of(hands, "red 9", jump_in=True, numbers=3)
        lay(referee, "red 7")
        referee.apply(("decline",))
        lay(referee, "red 7")
        assert where(referee) == ("JUMP", 2)  # Who declined before.
        lay(referee, "red 7")
        assert where(referee) == ("PLAY", 3)

    def test_a_skipped_seat_may_jump_in_and_the_skip_acts_from_there(self):
        hands = ["red skip, red 1", "red skip, red 3", "red 7, red 4", "red 7, red 6"]
        referee = referee_of(hands, "red 9", jump_in=True)
        lay(referee, "red skip")
        assert where(referee) == ("JUMP", 1)
        lay(referee, "red skip")
        assert where(referee) == ("PLAY", 3)

    def test_a_draw_two_makes_the_seat_after_the_jumper_draw(self):
        hands = ["red draw two, red 1", "red 2, red 3", "red 5, red 4", "red draw two, red 6"]
        referee = referee_of(hands, "red 9", jump_in=True)
        lay(referee, "red draw two")
        assert where(referee) == ("JUMP", 3)
        assert cards(referee) == [1, 4, 2, 2]
        lay(referee, "red draw two")
        assert cards(referee) == [3, 4, 2, 1]
        assert where(referee) == ("PLAY", 1)

    def test_nobody_jumps_in_upon_the_card_turned_up(self):
        hands = ["red 1, red 2", "red 3, red 9", "red 9, red 4"]
        assert where(referee_of(hands, "red 9", jump_in=True, numbers=3)) == ("PLAY", 0)

    def test_a_wild_is_not_jumped_in_upon(self):
        hands = ["wild, red 1", "red 2, red 3", "wild, red 4"]
        referee = referee_of(hands, "red 9", jump_in=True)
        lay(referee, "wild")
        referee.apply(("colour", "red"))
        assert where(referee) == ("PLAY", 1)

    def test_who_keeps_one_card_must_call(self):
        hands = ["red 7, red 1", "red 2, red 4", "red 7, red 3"]
        referee = referee_of(hands, "red 9", jump_in=True)
        lay(referee, "red 7")
        lay(referee, "red 7", forgets=True, noticed=True)
        assert cards(referee) == [1, 2, 3]


class TestSevenZero:
    def test_a_seven_swaps_hands_before_others_jump_in(self):
        hands = ["red 7, red 1", "red 2, red 3", "red 7, red 4"]
        referee = referee_of(hands, "red 9", seven_zero=True, jump_in=True)
        lay(referee, "red 7")
        assert where(referee) == ("SWAP", 0)
        assert referee.legal_moves() == [("swap", 1), ("swap", 2)]
        referee.apply(("swap", 2))
        assert referee.hands == [["red 7", "red 4"], ["red 2", "red 3"], ["red 1"]]
        assert where(referee) == ("JUMP", 0)
        lay(referee, "red 7")
        assert where(referee) == ("SWAP", 0)
        assert referee.metrics["swaps"] == 1

    @pytest.mark.parametrize("start", ["red 9", "red reverse"])
    def test_a_nought_passes_hands_on_in_the_direction_of_play(self, start):
        hands = ["red 0, red 1", "red 2, red 3", "red 0, red 4"]
        referee = referee_of(hands, start, seven_zero=True, zeros=2)
        layer = referee.on_turn
        lay(referee, "red 0")
        seats = [["red 1"], ["red 2", "red 3"], ["red 0", "red 4"]]
        if start == "red 9":
            assert layer == 0
            assert referee.hands == [seats[2], seats[0], seats[1]]
            assert where(referee) == ("PLAY", 1)
        else:
            assert layer == 2
            assert referee.hands == [["red 2", "red 3"], ["red 4"], ["red 0", "red 1"]]
            assert where(referee) == ("PLAY", 1)

    def test_with_two_players_nobody_chooses(self):
        referee = referee_of(["red 7, red 1", "red 2, red 3"], "red 9", seven_zero=True)
        lay(referee, "red 7", forgets=True, noticed=True)
        assert where(referee) == ("PLAY", 1)
        assert cards(referee) == [2, 3]  # The penalty went along.

    def test_the_last_card_swaps_nothing(self):
        referee = referee_of(["red 7", "red 2", "red 3"], "red 9", seven_zero=True)
        lay(referee, "red 7")
        assert referee.winners == {0}
        assert referee.metrics["swaps"] == 0


class TestAnyChallenger:
    def asked(self, other, **options):
        hands = [
            f"wild draw four, {other}",
            "red 1, red 2",
            "red 3, wild draw four",
            "red 5, red 6",
        ]
        referee = referee_of(hands, "red 9", challenge="any", **options)
        lay(referee, "wild draw four")
        referee.apply(("colour", "green"))
        assert where(referee) == ("CHALLENGE", 1)
        referee.apply(("accept",))
        assert where(referee) == ("CHALLENGE", 2)
        return referee

    def test_a_wrong_challenger_draws_and_the_victim_misses_the_turn(self):
        referee = self.asked("blue 1")
        referee.apply(("challenge",))
        assert cards(referee) == [1, 2, 8, 2]
        assert where(referee) == ("PLAY", 2)

    def test_a_bluffer_draws_and_the_victim_plays(self):
        referee = self.asked("red 1")
        referee.apply(("challenge",))
        assert cards(referee) == [5, 2, 2, 2]
        assert where(referee) == ("PLAY", 1)

    def test_when_nobody_does_the_victim_draws(self):
        referee = self.asked("red 1")
        referee.apply(("accept",))
        assert where(referee) == ("CHALLENGE", 3)
        referee.apply(("accept",))
        assert cards(referee) == [1, 6, 2, 2]
        assert where(referee) == ("PLAY", 2)
