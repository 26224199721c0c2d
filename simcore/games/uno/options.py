"""UNO: its options, metrics and clauses. The rules stand in RULES.md beside this file."""

from __future__ import annotations

from collections.abc import Mapping
from operator import mul

from simcore.errors import InputError
from simcore.game import Clause, Game, Metric
from simcore.options import (
    BoolOption,
    ChoiceOption,
    IntOption,
    Options,
    ProbabilityOption,
    Value,
    show,
)

COLOUR_COUNT = 4
MOST_COPIES, MOST_WILDS = 4, 8
"""The most equal cards with a colour, and without, that a deck can have [H2] [H3] [H4]."""

OPTIONS = (
    IntOption(name="players", default=4, low=2, high=10, meaning="players", rule="C2"),
    IntOption(
        name="target",
        default=500,
        low=1,
        high=100_000,
        meaning="points that end the match",
        rule="R20",
    ),
    IntOption(
        name="rounds",
        default=None,
        low=1,
        high=1000,
        none_allowed=True,
        meaning="a fixed number of rounds instead of the target (1: a single round)",
        rule="C27",
    ),
    ChoiceOption(
        name="scoring",
        default="winner_takes",
        values=("winner_takes", "own_cards"),
        meaning="the winner of a round gets the points of all cards left, "
        "or each is charged its own, and the lowest total wins",
        rule="R21",
    ),
    ChoiceOption(
        name="challenge",
        default="victim",
        values=("victim", "off", "any"),
        meaning="who must draw may challenge a wild draw four, or only legal ones may be laid, "
        "or any player may challenge",
        rule="C12",
    ),
    ChoiceOption(
        name="reverse_two_players",
        default="skip",
        values=("skip", "none"),
        meaning="what a reverse does with two players",
        rule="C6",
    ),
    ProbabilityOption(
        name="forget_uno",
        default=0.0,
        per_seat=True,
        meaning='probability that a seat forgets to call "UNO"',
        rule="C15",
    ),
    ProbabilityOption(
        name="notice_uno",
        default=1.0,
        meaning="probability that a forgotten call is noticed in time",
        rule="C15",
    ),
    IntOption(
        name="turn_cap",
        default=5000,
        low=100,
        high=1_000_000_000,
        meaning="turns in one round that end the match as aborted",
        rule="C24",
    ),
    IntOption(
        name="hand_size", default=7, low=1, high=20, meaning="cards dealt to each", rule="H1"
    ),
    IntOption(
        name="zeros", default=1, high=MOST_COPIES, meaning="copies of 0 in each colour", rule="H2"
    ),
    IntOption(
        name="numbers",
        default=2,
        high=MOST_COPIES,
        meaning="copies of each of 1 to 9 in each colour",
        rule="H2",
    ),
    IntOption(
        name="draw_twos", default=2, high=MOST_COPIES, meaning="draw twos in each colour", rule="H3"
    ),
    IntOption(
        name="reverses", default=2, high=MOST_COPIES, meaning="reverses in each colour", rule="H3"
    ),
    IntOption(name="skips", default=2, high=MOST_COPIES, meaning="skips in each colour", rule="H3"),
    IntOption(name="wilds", default=4, high=MOST_WILDS, meaning="wilds in the deck", rule="H4"),
    IntOption(
        name="wild_draw_fours",
        default=4,
        high=MOST_WILDS,
        meaning="wild draw fours in the deck",
        rule="H4",
    ),
    IntOption(
        name="draw_two_cards",
        default=2,
        high=10,
        meaning="cards that a draw two makes draw",
        rule="H5",
    ),
    IntOption(
        name="draw_four_cards",
        default=4,
        high=10,
        meaning="cards that a wild draw four makes draw",
        rule="H6",
    ),
    IntOption(
        name="challenge_penalty",
        default=2,
        high=10,
        meaning="cards more that a wrong challenger draws",
        rule="H7",
    ),
    IntOption(
        name="uno_penalty",
        default=2,
        high=10,
        meaning="cards for a forgotten call that is noticed",
        rule="H8",
    ),
    IntOption(
        name="action_points",
        default=20,
        high=1000,
        meaning="points of a draw two, reverse or skip",
        rule="H9",
    ),
    IntOption(
        name="wild_points",
        default=50,
        high=1000,
        meaning="points of a wild or a wild draw four",
        rule="H9",
    ),
    ChoiceOption(
        name="draw",
        default="one",
        values=("one", "until_playable"),
        meaning="who draws on turn draws one card, or until one can be played; by choice as well, "
        "so random play fills its hands (combine it with must_play, or with policies)",
        rule="H10",
    ),
    BoolOption(
        name="must_play",
        default=False,
        meaning="nobody draws who can lay a card without a bluff",
        rule="H11",
    ),
    ChoiceOption(
        name="last_card",
        default="any",
        values=("any", "number"),
        meaning="which card may be laid as the last one",
        rule="H12",
    ),
    ChoiceOption(
        name="stacking",
        default="off",
        values=("off", "same", "any"),
        meaning="who must draw may lay a draw card instead: a like one, or any",
        rule="H13",
    ),
    BoolOption(
        name="jump_in",
        default=False,
        meaning="whoever holds the same card may lay it out of turn",
        rule="H14",
    ),
    BoolOption(
        name="seven_zero",
        default=False,
        meaning="a 7 swaps hands with another seat, a 0 passes all hands on",
        rule="H15",
    ),
)

COPIES = ("zeros", "numbers", "draw_twos", "reverses", "skips", "wilds", "wild_draw_fours")
"""The options that say how many cards of a kind the deck has."""

USUAL = {option.name: option.default for option in OPTIONS}

METRICS = (
    Metric("rounds", "rounds completed"),
    Metric("turns", "times somebody was on turn"),
    Metric("cards_drawn", "cards drawn from the stock into a hand"),
    Metric("reshuffles", "times the discard pile became the stock"),
    Metric("wild_draw_fours", "wild draw fours laid"),
    Metric("bluffs", "wild draw fours laid illegally"),
    Metric("challenges", "wild draw fours challenged"),
    Metric("caught", "challenges won"),
    Metric("uno_penalties", 'penalties for a forgotten "UNO"'),
    Metric("lead_changes", "rounds after which other seats are ahead than before"),
    Metric("stacks", "cards laid on a stack of draw cards"),
    Metric("largest_stack", "the most cards due by a stack of two or more"),
    Metric("jump_ins", "cards laid out of turn"),
    Metric("swaps", "hands swapped by a 7, and passed on by a 0"),
)

CLAUSES = (
    Clause("end", "the target or the number of rounds ended the match", ("target", "rounds")),
    Clause("scoring", "everybody is charged the own cards", ("scoring",)),
    Clause(
        "challenge",
        "a wild draw four was laid, but on no stack, or an illegal one could not be",
        ("challenge",),
    ),
    Clause("reverse_two", "a reverse was laid with two players", ("reverse_two_players",)),
    Clause("forgotten", 'somebody forgot to call "UNO"', ("forget_uno", "notice_uno")),
    Clause("turn_cap", "a round reached the cap on turns", ("turn_cap",)),
    Clause("hand_size", "other than seven cards were dealt to each", ("hand_size",)),
    Clause("copies", "the deck had other cards", COPIES),
    Clause("draw_two_cards", "a draw two made draw other than two cards", ("draw_two_cards",)),
    Clause(
        "draw_four_cards",
        "a wild draw four was laid that makes draw other than four cards",
        ("draw_four_cards",),
    ),
    Clause(
        "challenge_penalty",
        "a wrong challenger drew other than two cards more",
        ("challenge_penalty",),
    ),
    Clause("uno_penalty", "a forgotten call cost other than two cards", ("uno_penalty",)),
    Clause("points", "a card left had other points", ("action_points", "wild_points")),
    Clause("draw", "somebody drew more than one card until one could be played", ("draw",)),
    Clause("must_play", "somebody had to lay a card", ("must_play",)),
    Clause("last_card", "a card could not be laid as the last one", ("last_card",)),
    Clause("stacking", "a draw card could be laid on another instead of drawing", ("stacking",)),
    Clause("jump_in", "somebody could lay a card out of turn", ("jump_in",)),
    Clause("seven_zero", "hands were swapped or passed on", ("seven_zero",)),
)


def complete(options: Options, given: frozenset[str]) -> None:
    """Refuse decks that cannot be dealt or played.

    With a number of rounds the target has no meaning; any other combination can be played.
    """
    copies = copies_of(options)
    players, hand_size = _whole(options, "players"), _whole(options, "hand_size")
    cards = sum(copies)
    if cards < players * hand_size + 1:
        most = (cards - 1) // players
        typed = ", ".join(name for name in COPIES if name in given) or "numbers, wilds, …"
        raise InputError(
            f"option hand_size = {hand_size} is refused with players = {players}: it takes "
            f"{players} × {hand_size} + 1 cards, and the deck has {cards}; allowed: "
            + (f"1…{most}, or " if most else "")
            + f"a deck of more cards ({typed})"
        )
    if cards == copies[-1]:
        raise InputError(
            f"option wild_draw_fours = {cards} is refused where the deck has no other card: none "
            "could be turned up first; allowed: one more card (numbers, wilds, …)"
        )
    if options["last_card"] == "number" and not (options["zeros"] or options["numbers"]):
        raise InputError(
            "option last_card = 'number' is refused without number cards: nobody could go out; "
            "allowed: any, or zeros or numbers = 1…4"
        )
    if options["rounds"] is None and not _deck_points(options, copies):
        raise InputError(
            f"option target = {show(options['target'])} is refused with a deck without points: "
            "nobody could reach it; allowed: rounds = 1…1000, or cards with points (numbers, "
            "action_points, wild_points)"
        )


def copies_of(options: Mapping[str, Value]) -> list[int]:
    """Return how many cards of each kind (see `cards`) the deck has [R1] [C2]."""
    zeros, numbers, *actions, wilds, wild_draw_fours = (_whole(options, name) for name in COPIES)
    return [*[zeros, *[numbers] * 9, *actions] * COLOUR_COUNT, wilds, wild_draw_fours]


def usual(name: str) -> int:
    """Return the default of an option that is a whole number."""
    return _whole(USUAL, name)


def _whole(options: Mapping[str, Value], name: str) -> int:
    number = options[name]
    assert isinstance(number, int)
    return number


def _deck_points(options: Options, copies: list[int]) -> int:
    """Return the points of all cards of a deck."""
    colour = [*range(10), *[_whole(options, "action_points")] * 3]
    return sum(map(mul, copies, [*colour * COLOUR_COUNT, *[_whole(options, "wild_points")] * 2]))


GAME = Game(
    name="uno",
    title="UNO H2O To Go",
    kind="shedding by matching colour or face, to 500 points",
    options=OPTIONS,
    complete=complete,
    metrics=METRICS,
    clauses=CLAUSES,
    first_seat_meaning="the first dealer's left neighbour",
    best_score="highest",
    best_score_turned=("scoring", "own_cards"),
    one_coupling="",
)
