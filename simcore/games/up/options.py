"""Up: its options, metrics and clauses. The rules stand in RULES.md beside this file."""

from __future__ import annotations

from simcore.errors import InputError
from simcore.game import Game, Metric, clauses_of
from simcore.options import Options, Value, options_of, show

NUMBERS = 11
HAND_CARDS = 5
TABLE_CARDS = 4
MOST_CARDS = 200
COUNTING = ("dirty_one_points", "minus_two_points", "clear_points", "out_credit", "blind_credit")
"""Options that set points and credits."""

OPTIONS = options_of(
    f"""
players | 4 | 2…10 | R1 | players
rounds | 6 | 1…1000, none | C34 | rounds of a match (none when points_limit is set)
points_limit | none | 1…1000000000, none | R31 | the match ends when somebody has more points than
    this (Up300: 300)
dirty_one | off | off, always, forehand | R32 | each 1 counts 30
double_two | off | off, always, forehand | R33 | each "-2" is an ordinary 2
minus_two | true | true, false | R34 | "-2" cards are in the pack
extra_set | false | true, false | R35 | one more set is shuffled in
scoring | points | points, cards, matches | R30 | card values, number of cards, or one matchstick a
    round for the first out
multiples_in_first_lap | true | true, false | C8 | equal cards may be laid together in a player's
    first turn
deal_passes | true | true, false | C1 | the deal moves on each round
forget_last_card | 0 | 0.0…1.0 each | C30 | probability that a seat forgets to
    announce its last card
play_cap | 2000 | 100…1000000 | C40 | plays in one round that end the match as aborted
hand_cards | none | 1…12, none | H1 | cards of a hand (none: 5, one fewer without "-2", one fewer
    without clear cards)
table_cards | {TABLE_CARDS} | 1…6 | H2 | hidden cards of each player, and open cards upon them
minus_two_cards | 1 | 0…4 | H3 | "-2" in each set
clear_cards | 1 | 0…4 | H4 | clear cards in each set
minus_two_points | 20 | 0…1000 | H5 | points of a "-2" left over
clear_points | 50 | 0…1000 | H5 | points of a clear card left over
dirty_one_points | 30 | 0…1000 | H5 | points of a 1 left over with the dirty one
out_credit | 10 | 0…1000 | H6 | credit of who is out first
blind_credit | 80 | 0…1000 | H6 | credit instead of it for a "-2" turned up as the last card
minus_two_collapse | one | one, any | H7 | "-2" that may make a tower collapse: one on a cap of 1 or
    2, or any number
minus_two_lead | false | true, false | H8 | "-2" may lead, as on a tower that bears 11
restart_open | false | true, false | H9 | who leads anew in the own first turn may do so with open
    cards
four_clear | false | true, false | H10 | four equal numbers on top take the tower out of the game
"""
)

USUAL_VALUES = {option.name: option.default for option in OPTIONS}

METRICS = (
    Metric("rounds", "rounds completed"),
    Metric("plays", "times somebody laid or turned up cards"),
    Metric("collapses", "towers that collapsed"),
    Metric("clears", "clear cards that took effect"),
    Metric("minus_twos", '"-2" cards laid on a tower without collapse'),
    Metric("blind_plays", "hidden cards turned up"),
    Metric("largest_pickup", "most cards taken by one collapse"),
    Metric("blind_minus_two_finishes", 'rounds ended by turning up a "-2" (credit of 80)'),
    Metric("lead_changes", "rounds after which other seats are ahead than before"),
    Metric("four_clears", "towers that four equal cards took out of the game"),
)

CLAUSES = clauses_of(
    """
limit | points_limit, rounds | the points limit ended the match
dirty_one | dirty_one | a 1 was counted as 30
double_two | double_two | a round was played with every "-2" as a 2
minus_two | minus_two | a "-2" lowered a tower or was left over, or there was none
extra_set | extra_set | a round was played with the extra set
scoring | scoring | children's scoring was used
first_turn_multiples | multiples_in_first_lap | equal cards were laid together in a first turn, or
    could not be
same_dealer | deal_passes | the same seat dealt again
lost_turn | forget_last_card | a turn was lost for a forgotten announcement
play_cap | play_cap | a round reached the cap on plays
hand_cards | hand_cards | hands had another number of cards
table_cards | table_cards | another number of cards lay on the table
special_cards | minus_two_cards, clear_cards | sets had another number of "-2" (but some), or of
    clear cards
points | minus_two_points, clear_points, dirty_one_points | a card left over counted other points
    than by the rule text
credit | out_credit, blind_credit | another credit than by the rule text was booked
minus_two_collapse | minus_two_collapse | a tower collapsed under "-2" that the rule text would not
    let be laid
minus_two_lead | minus_two_lead | a "-2" led
restart_open | restart_open | an open card led anew in a first turn
four_clear | four_clear | four equal cards took a tower out of the game
"""
)


def complete(options: Options, given: frozenset[str]) -> None:
    """Fill in `rounds`, and refuse combinations of options without meaning."""
    _agree_on_minus_twos(options, given)
    if options["points_limit"] is not None and "rounds" not in given:
        options["rounds"] = None
    if options["points_limit"] is None and options["rounds"] is None:
        raise InputError(
            "option rounds = none is refused without points_limit: the match would never end; "
            "allowed: rounds 1…1000, or points_limit"
        )
    if options["minus_two"] is False and options["double_two"] != "off":
        typed = "minus_two" if "minus_two" in given else "minus_two_cards"
        allowed = {"minus_two": "true", "minus_two_cards": "1…4"}[typed]
        raise InputError(
            f"option {typed} = {show(options[typed])} is refused with "
            f'double_two = {options["double_two"]}: there is no "-2" to play as a 2; '
            f"allowed: double_two = off, or {typed} = {allowed}"
        )
    if options["dirty_one"] != "off" and options["scoring"] != "points":
        raise InputError(
            f"option dirty_one = {options['dirty_one']} is refused with "
            f"scoring = {options['scoring']}: no card counts its value, so no 1 can count 30; "
            "allowed: dirty_one = off, or scoring = points"
        )
    _refuse_values_that_do_not_count(options)
    _refuse_a_pack_too_small(options)
    if options["scoring"] == "matches" and options["points_limit"] is not None:
        raise InputError(
            f"option points_limit = {options['points_limit']} is refused with "
            "scoring = matches: there are no points; allowed: none, or another scoring"
        )


def _agree_on_minus_twos(options: Options, given: frozenset[str]) -> None:
    """Make `minus_two` and `minus_two_cards` agree [H3]."""
    if options["minus_two"] is (options["minus_two_cards"] != 0):
        return
    if {"minus_two", "minus_two_cards"} <= given:
        raise InputError(
            f"option minus_two_cards = {options['minus_two_cards']} is refused with "
            f'minus_two = {show(options["minus_two"])}: one says that there is no "-2", the '
            "other that there are some; allowed: minus_two = "
            f"{show(not options['minus_two'])}, or minus_two_cards = "
            f"{'1…4' if options['minus_two'] else '0'}"
        )
    if "minus_two_cards" in given:
        options["minus_two"] = options["minus_two_cards"] != 0
    else:
        options["minus_two_cards"] = int(bool(options["minus_two"]))


def _refuse_values_that_do_not_count(options: Options) -> None:
    """Refuse card values and credits with children's scoring, which has none [R30] [H5] [H6]."""
    if options["scoring"] == "points":
        return
    for option in OPTIONS:
        if option.name in COUNTING and options[option.name] != option.default:
            raise InputError(
                f"option {option.name} = {options[option.name]} is refused with "
                f"scoring = {options['scoring']}: there are no card values and no credits; "
                f"allowed: {option.name} = {option.default}, or scoring = points"
            )


def cards_of_pack(options: Options) -> int:
    """Return the number of cards in the pack [R1] [R2] [H3] [H4]."""
    sets = integer(options["players"]) + bool(options["extra_set"])
    return sets * (NUMBERS + integer(options["minus_two_cards"]) + integer(options["clear_cards"]))


def cards_of_hand(options: Options) -> int:
    """Return the number of cards dealt to a hand [R6] [R34] [H1]."""
    if options["hand_cards"] is not None:
        return integer(options["hand_cards"])
    without = (options["minus_two_cards"] == 0) + (options["clear_cards"] == 0)
    return HAND_CARDS - without


def integer(value: Value) -> int:
    """Return an option's value as an int."""
    assert isinstance(value, int)
    return value


def _refuse_a_pack_too_small(options: Options) -> None:
    """Refuse hands larger than the pack, and a pack larger than the state holds [H1] [H2] [H4]."""
    players, pack = integer(options["players"]), cards_of_pack(options)
    hand, table_cards = cards_of_hand(options), 2 * integer(options["table_cards"])
    if players * (hand + table_cards) > pack:
        refusal = f"option table_cards = {options['table_cards']} is refused"
        if options["hand_cards"] is not None:
            refusal = f"option hand_cards = {hand} is refused with table_cards = "
            refusal += str(options["table_cards"])
        raise InputError(
            f"{refusal}: {players} players need {players * (hand + table_cards)} cards, "
            f"and the pack has {pack}; allowed: at most {pack // players} for each, or more cards "
            "by extra_set, minus_two_cards or clear_cards"
        )
    if pack > MOST_CARDS:
        raise InputError(
            f"option clear_cards = {options['clear_cards']} is refused with minus_two_cards = "
            f"{options['minus_two_cards']}, players = {players} and extra_set = true: "
            f"{pack} cards are more than the records hold; allowed: clear_cards = 0…3, "
            "minus_two_cards = 0…3, or extra_set = false"
        )


GAME = Game(
    name="up",
    title="Up",
    kind="shedding; a tower of falling weights",
    options=OPTIONS,
    complete=complete,
    metrics=METRICS,
    clauses=CLAUSES,
    first_seat_meaning="the first dealer's left neighbour",
    best_score_turned=("scoring", "matches"),
)
