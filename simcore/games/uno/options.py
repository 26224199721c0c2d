"""UNO: its options, metrics and clauses. The rules stand in RULES.md beside this file."""

from __future__ import annotations

from collections.abc import Mapping
from operator import mul

from simcore.errors import InputError
from simcore.game import Game, Metric, clauses_of
from simcore.options import Options, Value, options_of, show

COLOUR_COUNT = 4
MOST_COPIES, MOST_WILDS = 4, 8
"""The most equal coloured and the most equal wild cards that a deck can have [H2] [H3] [H4]."""

OPTIONS = options_of(
    f"""
players | 4 | 2…10 | C2 | players
target | 500 | 1…100000 | R20 | points that end the match
rounds | none | 1…1000, none | C27 | a fixed number of rounds instead of the target (1: a single
    round)
scoring | winner_takes | winner_takes, own_cards | R21 | the winner of a round gets the points of
    all cards left, or each is charged its own, and the lowest total wins
challenge | victim | victim, off, any | C12 | who must draw may challenge a wild draw four, or only
    legal ones may be laid, or any player may challenge
reverse_two_players | skip | skip, none | C6 | what a reverse does with two players
forget_uno | 0 | 0.0…1.0 each | C15 | probability that a seat forgets to call "UNO"
notice_uno | 1 | 0.0…1.0 | C15 | probability that a forgotten call is noticed in time
turn_cap | 5000 | 100…1000000000 | C24 | turns in one round that end the match as aborted
hand_size | 7 | 1…20 | H1 | cards dealt to each
zeros | 1 | 0…{MOST_COPIES} | H2 | copies of 0 in each colour
numbers | 2 | 0…{MOST_COPIES} | H2 | copies of each of 1 to 9 in each colour
draw_twos | 2 | 0…{MOST_COPIES} | H3 | draw twos in each colour
reverses | 2 | 0…{MOST_COPIES} | H3 | reverses in each colour
skips | 2 | 0…{MOST_COPIES} | H3 | skips in each colour
wilds | 4 | 0…{MOST_WILDS} | H4 | wilds in the deck
wild_draw_fours | 4 | 0…{MOST_WILDS} | H4 | wild draw fours in the deck
draw_two_cards | 2 | 0…10 | H5 | cards that a draw two makes draw
draw_four_cards | 4 | 0…10 | H6 | cards that a wild draw four makes draw
challenge_penalty | 2 | 0…10 | H7 | cards more that a wrong challenger draws
uno_penalty | 2 | 0…10 | H8 | cards for a forgotten call that is noticed
action_points | 20 | 0…1000 | H9 | points of a draw two, reverse or skip
wild_points | 50 | 0…1000 | H9 | points of a wild or a wild draw four
draw | one | one, until_playable | H10 | who draws on turn draws one card, or until one can be
    played; by choice as well, so random play fills its hands (combine it with must_play, or with
    policies)
must_play | false | true, false | H11 | nobody draws who can lay a card without a bluff
last_card | any | any, number | H12 | which card may be laid as the last one
stacking | off | off, same, any | H13 | who must draw may lay a draw card instead: a like one, or
    any
jump_in | false | true, false | H14 | whoever holds the same card may lay it out of turn
seven_zero | false | true, false | H15 | a 7 swaps hands with another seat, a 0 passes all hands on
pairs | false | true, false | H16 | two equal cards with a colour may be laid at once
packs | 1 | 1…2 | H17 | packs shuffled together
"""
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

CLAUSES = clauses_of(
    """
end | target, rounds | the target or the number of rounds ended the match
scoring | scoring | everybody is charged the own cards
challenge | challenge | a wild draw four was laid, but on no stack, or an illegal one could not be
reverse_two | reverse_two_players | a reverse was laid with two players
forgotten | forget_uno, notice_uno | somebody forgot to call "UNO"
turn_cap | turn_cap | a round reached the cap on turns
hand_size | hand_size | other than seven cards were dealt to each
copies | zeros, numbers, draw_twos, reverses, skips, wilds, wild_draw_fours, packs | the deck had
    other cards
draw_two_cards | draw_two_cards | a draw two made draw other than two cards
draw_four_cards | draw_four_cards | a wild draw four was laid that makes draw other than four cards
challenge_penalty | challenge_penalty | a wrong challenger drew other than two cards more
uno_penalty | uno_penalty | a forgotten call cost other than two cards
points | action_points, wild_points | a card left had other points
draw | draw | somebody drew more than one card until one could be played
must_play | must_play | somebody had to lay a card
last_card | last_card | a card could not be laid as the last one
stacking | stacking | a draw card could be laid on another instead of drawing
jump_in | jump_in | somebody could lay a card out of turn
seven_zero | seven_zero | hands were swapped or passed on
pairs | pairs | two equal cards could be laid at once
"""
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
