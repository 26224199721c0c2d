"""UP & DOWN: its options, metrics and clauses. The rules stand in RULES.md beside this file."""

from __future__ import annotations

from simcore.errors import InputError
from simcore.game import Game, Metric, clauses_of
from simcore.options import Options, options_of

SEATINGS = ("opposite", "adjacent")

OPTIONS = options_of(
    """
players | 4 | 2…4 | R1 | players
rounds | 1 | 1…1000 | R19 | rounds of a match
tie_round | false | true, false | R20 | further rounds of all players until one alone has the most
    tricks
seating | opposite | opposite, adjacent | C3 | at which sides of the U&D card two players sit
hand_cards | none | 1…22, none | H1 | cards dealt to each; none: 15, 14, 11 for 2, 3, 4 players; at
    most 22, 14, 11
trump | dice | dice, none | H2 | whether the dice name a trump, or no card is one
leader_change | must | must, may | H3 | whether the leader must change the rules or may leave them
    as they are
cancelling | all | all, eligible | H4 | which cards of equal value cancel each other: all, or only
    those that could win
next_leader | clockwise | clockwise, winner | H5 | who leads next: the next player clockwise, or who
    won the trick
last_pot | lost | lost, carried | H6 | whether the pot left at the end of a round is lost or goes
    into the next round
pot_tricks | true | true, false | H7 | tricks without a winner go into the pot; false: they are lost
    at once
last_trick | single | single, double | H8 | whether the last trick of a round counts as one trick or
    as two
"""
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

CLAUSES = clauses_of(
    """
further_rounds | rounds | a second round was played that broke no tie
tie_round | tie_round | a further round was played because of a tie
adjacent | seating | two players sat at adjacent sides of the card
hand_cards | hand_cards | other hands were dealt than the rule text's
no_trump | trump | no card was trump
kept | leader_change | a leader left the rules as they were
eligible | cancelling | a trick was decided otherwise than if all cards cancelled
winner_leads | next_leader | a winner led who was not the next clockwise
carried_pot | last_pot | a round began with the pot of the one before
lost_at_once | pot_tricks | a trick was lost that would be in the pot
doubled | last_trick | a last trick counted double
"""
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
