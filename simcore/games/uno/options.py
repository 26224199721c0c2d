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
"""The most equal coloured and the most equal wild cards that a deck can have [H2] [H3] [H4]."""

OPTIONS = (
    IntOption("players", 4, "players", "C2", low=2, high=10),
    IntOption("target", 500, "points that end the match", "R20", low=1, high=100_000),
    IntOption(
        "rounds",
        None,
        "a fixed number of rounds instead of the target (1: a single round)",
        "C27",
        low=1,
        high=1000,
        none_allowed=True,
    ),
    ChoiceOption(
        "scoring",
        "winner_takes",
        "the winner of a round gets the points of all cards left, "
        "or each is charged its own, and the lowest total wins",
        "R21",
        values=("winner_takes", "own_cards"),
    ),
    ChoiceOption(
        "challenge",
        "victim",
        "who must draw may challenge a wild draw four, or only legal ones may be laid, "
        "or any player may challenge",
        "C12",
        values=("victim", "off", "any"),
    ),
    ChoiceOption(
        "reverse_two_players",
        "skip",
        "what a reverse does with two players",
        "C6",
        values=("skip", "none"),
    ),
    ProbabilityOption(
        "forget_uno", 0.0, 'probability that a seat forgets to call "UNO"', "C15", per_seat=True
    ),
    ProbabilityOption(
        "notice_uno", 1.0, "probability that a forgotten call is noticed in time", "C15"
    ),
    IntOption(
        "turn_cap",
        5000,
        "turns in one round that end the match as aborted",
        "C24",
        low=100,
        high=1_000_000_000,
    ),
    IntOption("hand_size", 7, "cards dealt to each", "H1", low=1, high=20),
    IntOption("zeros", 1, "copies of 0 in each colour", "H2", high=MOST_COPIES),
    IntOption("numbers", 2, "copies of each of 1 to 9 in each colour", "H2", high=MOST_COPIES),
    IntOption("draw_twos", 2, "draw twos in each colour", "H3", high=MOST_COPIES),
    IntOption("reverses", 2, "reverses in each colour", "H3", high=MOST_COPIES),
    IntOption("skips", 2, "skips in each colour", "H3", high=MOST_COPIES),
    IntOption("wilds", 4, "wilds in the deck", "H4", high=MOST_WILDS),
    IntOption("wild_draw_fours", 4, "wild draw fours in the deck", "H4", high=MOST_WILDS),
    IntOption("draw_two_cards", 2, "cards that a draw two makes draw", "H5", high=10),
    IntOption("draw_four_cards", 4, "cards that a wild draw four makes draw", "H6", high=10),
    IntOption("challenge_penalty", 2, "cards more that a wrong challenger draws", "H7", high=10),
    IntOption("uno_penalty", 2, "cards for a forgotten call that is noticed", "H8", high=10),
    IntOption("action_points", 20, "points of a draw two, reverse or skip", "H9", high=1000),
    IntOption("wild_points", 50, "points of a wild or a wild draw four", "H9", high=1000),
    ChoiceOption(
        "draw",
        "one",
        "who draws on turn draws one card, or until one can be played; by choice as well, "
        "so random play fills its hands (combine it with must_play, or with policies)",
        "H10",
        values=("one", "until_playable"),
    ),
    BoolOption("must_play", False, "nobody draws who can lay a card without a bluff", "H11"),
    ChoiceOption(
        "last_card",
        "any",
        "which card may be laid as the last one",
        "H12",
        values=("any", "number"),
    ),
    ChoiceOption(
        "stacking",
        "off",
        "who must draw may lay a draw card instead: a like one, or any",
        "H13",
        values=("off", "same", "any"),
    ),
    BoolOption("jump_in", False, "whoever holds the same card may lay it out of turn", "H14"),
    BoolOption(
        "seven_zero", False, "a 7 swaps hands with another seat, a 0 passes all hands on", "H15"
    ),
    BoolOption("pairs", False, "two equal cards with a colour may be laid at once", "H16"),
    IntOption("packs", 1, "packs shuffled together", "H17", low=1, high=2),
)

COPIES = ("zeros", "numbers", "draw_twos", "reverses", "skips", "wilds", "wild_draw_fours")
"""The options that set the number of copies of a card."""

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
    Clause("copies", "the deck had other cards", (*COPIES, "packs")),
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
    Clause("pairs", "two equal cards could be laid at once", ("pairs",)),
)


def complete(options: Options, given: frozenset[str]) -> None:
    """Refuse decks that cannot be dealt or played.

    With `rounds` set the target has no meaning; every other combination can be played.
    """
    packs = options["packs"]
    assert isinstance(packs, int)
    for name in COPIES:
        most = MOST_WILDS if name.startswith("wild") else MOST_COPIES
        if packs * _whole(options, name) > most:
            raise InputError(
                f"option packs = {packs} is refused with {name} = {show(options[name])}: there can "
                f"be {most} in all packs; allowed: packs = 1, or {name} = 0…{most // packs}"
            )
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


def copies_of(given: Mapping[str, Value]) -> list[int]:
    """Return the number of copies of each kind in the deck [R1] [C2] [H17]."""
    packs = _whole(given, "packs")
    options = {name: packs * _whole(given, name) for name in COPIES}
    numbers = [options["zeros"], *[options["numbers"]] * 9]
    actions = [options["draw_twos"], options["reverses"], options["skips"]]
    wild = [options["wilds"], options["wild_draw_fours"]]
    return [*(numbers + actions) * COLOUR_COUNT, *wild]


def usual(name: str) -> int:
    """Return the default of an option that is a whole number."""
    return _whole(USUAL, name)


def _whole(options: Mapping[str, Value], name: str) -> int:
    number = options[name]
    assert isinstance(number, int)
    return number


def _deck_points(options: Options, copies: list[int]) -> int:
    """Return the total points of a deck."""
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
)
