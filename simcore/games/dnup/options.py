"""dnup: its options, metrics and clauses. The rules stand in RULES.md beside this file."""

from __future__ import annotations

from simcore.errors import InputError
from simcore.game import Game, Metric, clauses_of
from simcore.games.dnup.deck import PROFILES, parse_deck
from simcore.options import FileOption, Options, options_of, show

OPTIONS = (
    *options_of("""
players | 4 | 2…5 | R1 | players
"""),
    FileOption(
        "deck",
        "a",
        "a, c: two reconstructions; or the cards of the real box",
        "C1",
        values=PROFILES,
        contents=(
            'a deck file: 40 lines such as "2/7", "1/5 *" (the star), "1/2 smile", "1/3 neutral", '
            '"1/9 frown"'
        ),
        check=parse_deck,
    ),
    *options_of(
        """
markers_to_win | 4 | 1…100, none | R15 | markers that win the match (3 to 5 players)
rounds_to_win | 2 | 1…100, none | R21 | rounds that win the match (2 players)
win_on_playing | true | true, false, none | C23 | the last card wins the round though the own other
    set comes back (2 players)
turn_cap | 1000 | 100…1000000 | C28 | actions in one round that end the match as aborted
first_out_markers | 2 | 0…10, none | H1 | markers of who is out first (3 to 5 players)
second_out_markers | 1 | 0…10, none | H1 | markers of who is out second (3 to 5 players)
turn_on_taking | true | true, false | H2 | cards that go from the table to a hand are turned
take_up | true | true, false | H3 | action C, to take up a set, is allowed
turn_hand | true | true, false | H4 | action D, to turn the hand, is allowed; who then can do
    nothing passes
equal_beats | false | true, false | H5 | a set of equal value beats, too
round_start | star | star, winner | H6 | later rounds start with the star card's holder, or who was
    out first in the last
"""
    ),
)

METRICS = (
    Metric("rounds", "rounds begun"),
    Metric("turns", "actions"),
    Metric("sets_played", "actions A: sets played"),
    Metric("cards_added", "actions B: cards added to the sets of others"),
    Metric("sets_taken", "actions C: sets taken up"),
    Metric("turns_over", "actions D: hands turned"),
    Metric("sets_beaten", "sets sent back or discarded by a higher one"),
    Metric("largest_set", "cards of the largest set"),
    Metric("lead_changes", "completed rounds after which other seats are ahead than before"),
    Metric("passes", "turns (with 2 players moves) of a seat without a legal action"),
)

CLAUSES = clauses_of(
    """
deck | deck | a deck other than profile a was dealt
goal | markers_to_win, rounds_to_win | the goal was reached
set_returned | win_on_playing | the last hand card sent the own other set back
turn_cap | turn_cap | a round reached the cap on actions
other_markers | first_out_markers, second_out_markers | who was out first or second got other
    markers than 2 or 1
kept_side | turn_on_taking | cards came to a hand without being turned
no_taking | take_up | a set lay that nobody could take up
no_turning | turn_hand | no hand could be turned
equal_beaten | equal_beats | a set was beaten by one of equal value
winner_started | round_start | a round began with another seat than the star card's holder
"""
)

_OWN = {
    "3 to 5 players": {
        "markers_to_win": "a whole number 1…100",
        "first_out_markers": "a whole number 0…10",
        "second_out_markers": "a whole number 0…10",
    },
    "2 players": {"rounds_to_win": "a whole number 1…100", "win_on_playing": "true, false"},
}
"""Options that exist at one table size only, with their allowed values."""


def complete(options: Options, given: frozenset[str]) -> None:
    """Set the options of the other table size to none, and refuse them if given."""
    many, two = _OWN
    here, wanted = (two, many) if options["players"] == 2 else (many, two)
    for name in _OWN[wanted]:
        if name in given and options[name] is not None:
            raise InputError(
                f"option {name} = {show(options[name])} is refused with players = "
                f"{options['players']}: it belongs to the game of {wanted}; allowed: none"
            )
        options[name] = None
    for name, allowed in _OWN[here].items():
        if options[name] is None:
            raise InputError(
                f"option {name} = none is refused with players = {options['players']}; "
                f"allowed: {allowed}"
            )
    if options["first_out_markers"] == options["second_out_markers"] == 0:
        raise InputError(
            "options first_out_markers = 0 and second_out_markers = 0 are refused together: nobody "
            "would ever win; allowed: 1…10 for one of them or both"
        )


GAME = Game(
    name="dnup",
    title="dnup",
    kind="shedding; sets of two-way cards that beat each other",
    options=OPTIONS,
    complete=complete,
    metrics=METRICS,
    clauses=CLAUSES,
    first_seat_meaning="who holds the star card in the first round",
    best_score="highest",
    assumptions=(
        (
            "the deck is reconstructed, as the 40 cards are published nowhere: 4 players depend on "
            "every pair of values being there once, 5 also on which four come twice; results for 2 "
            "and 3 players are the least certain (compare deck = a with deck = c)"
        ),
        "each card is dealt either way up with probability 1/2",
    ),
)
