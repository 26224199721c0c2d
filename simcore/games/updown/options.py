"""UP & DOWN: its options, metrics and clauses. The rules stand in RULES.md beside this file."""

from __future__ import annotations

from simcore.errors import InputError
from simcore.game import Clause, Game, Metric
from simcore.options import BoolOption, ChoiceOption, IntOption, Options

SEATINGS = ("opposite", "adjacent")

OPTIONS = (
    IntOption("players", 4, "players", "R1", low=2, high=4),
    IntOption("rounds", 1, "rounds of a match", "R19", low=1, high=1000),
    BoolOption(
        "tie_round",
        False,
        "further rounds of all players until one alone has the most tricks",
        "R20",
    ),
    ChoiceOption(
        "seating",
        "opposite",
        "at which sides of the U&D card two players sit",
        "C3",
        values=SEATINGS,
    ),
    IntOption(
        "hand_cards",
        None,
        "cards dealt to each; none: 15, 14, 11 for 2, 3, 4 players; at most 22, 14, 11",
        "H1",
        low=1,
        high=22,
        none_allowed=True,
    ),
    ChoiceOption(
        "trump",
        "dice",
        "whether the dice name a trump, or no card is one",
        "H2",
        values=("dice", "none"),
    ),
    ChoiceOption(
        "leader_change",
        "must",
        "whether the leader must change the rules or may leave them as they are",
        "H3",
        values=("must", "may"),
    ),
    ChoiceOption(
        "cancelling",
        "all",
        "which cards of equal value cancel each other: all, or only those that could win",
        "H4",
        values=("all", "eligible"),
    ),
    ChoiceOption(
        "next_leader",
        "clockwise",
        "who leads next: the next player clockwise, or who won the trick",
        "H5",
        values=("clockwise", "winner"),
    ),
    ChoiceOption(
        "last_pot",
        "lost",
        "whether the pot left at the end of a round is lost or goes into the next round",
        "H6",
        values=("lost", "carried"),
    ),
    BoolOption(
        "pot_tricks",
        True,
        "tricks without a winner go into the pot; false: they are lost at once",
        "H7",
    ),
    ChoiceOption(
        "last_trick",
        "single",
        "whether the last trick of a round counts as one trick or as two",
        "H8",
        values=("single", "double"),
    ),
)

HAND_SIZES = {2: 15, 3: 14, 4: 11}
"""Hand sizes by number of players, from the rule text [R3]."""

CARDS = 44

METRICS = (
    Metric("rounds", "rounds completed"),
    Metric("tricks", "tricks played, with or without a winner"),
    Metric("pots", "tricks without a winner"),
    Metric("lost_tricks", "tricks left in the pot at the end of a round"),
    Metric("largest_pot", "most tricks taken with one win beyond its own"),
    Metric("flips", "times a leader turned the U&D card over"),
    Metric("rotations", "times a leader rotated the U&D card"),
    Metric("rolls", "times a leader rolled for a new trump"),
    Metric("trump_wins", "tricks won by a trump"),
    Metric("lead_changes", "tricks after which other seats are ahead than before"),
    Metric("kept", "times a leader left the rules as they were"),
)

CLAUSES = (
    Clause("further_rounds", "a second round was played that broke no tie", ("rounds",)),
    Clause("tie_round", "a further round was played because of a tie", ("tie_round",)),
    Clause("adjacent", "two players sat at adjacent sides of the card", ("seating",)),
    Clause("hand_cards", "other hands were dealt than the rule text's", ("hand_cards",)),
    Clause("no_trump", "no card was trump", ("trump",)),
    Clause("kept", "a leader left the rules as they were", ("leader_change",)),
    Clause(
        "eligible", "a trick was decided otherwise than if all cards cancelled", ("cancelling",)
    ),
    Clause("winner_leads", "a winner led who was not the next clockwise", ("next_leader",)),
    Clause("carried_pot", "a round began with the pot of the one before", ("last_pot",)),
    Clause("lost_at_once", "a trick was lost that would be in the pot", ("pot_tricks",)),
    Clause("doubled", "a last trick counted double", ("last_trick",)),
)


def complete(options: Options, given: frozenset[str]) -> None:
    """Refuse a seating or hand size impossible with these players [C3] [H1], and check the pot."""
    del given
    players = int(options["players"])  # type: ignore[arg-type]
    if options["seating"] != SEATINGS[0] and players != 2:
        raise InputError(
            f"option seating = {options['seating']!r} is refused with players = {players}: "
            "only two players can sit in more than one way; "
            "allowed: players = 2, or seating = opposite"
        )
    hand_cards = options["hand_cards"]
    most = CARDS // players
    if isinstance(hand_cards, int) and hand_cards > most:
        raise InputError(
            f"option hand_cards = {hand_cards} is refused with players = {players}: the pack has "
            f"{CARDS} cards; allowed: hand_cards = 1…{most}, or none"
        )
    _check_pot(options)


def _check_pot(options: Options) -> None:
    """Refuse a carried pot that cannot exist [H6]."""
    if options["last_pot"] == "lost":
        return
    if not options["pot_tricks"]:
        raise InputError(
            "option last_pot = 'carried' is refused with pot_tricks = false: there is no pot; "
            "allowed: last_pot = lost, or pot_tricks = true"
        )
    if options["rounds"] == 1 and not options["tie_round"]:
        raise InputError(
            "option last_pot = 'carried' is refused with rounds = 1 and tie_round = false: no "
            "round follows that the pot could go into; allowed: last_pot = lost, or rounds = "
            "2…1000, or tie_round = true"
        )


GAME = Game(
    name="updown",
    title="UP & DOWN",
    kind="trick-taking under changing rules, simultaneous choice",
    options=OPTIONS,
    complete=complete,
    metrics=METRICS,
    clauses=CLAUSES,
    first_seat_meaning="the first trick leader",
    best_score="highest",
    assumptions=(
        "values 2 to 12 once in each colour; the order of the colours round the card has no effect",
    ),
    assumptions_at=((2, "two players sit opposite each other unless seating says otherwise"),),
)
