"""Options under which ways to play are compared."""

from tests.updown.following import UPDOWN

VARIANTS = [
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"players": 2, "seating": "adjacent"},
    {"players": 2, "rounds": 5, "tie_round": True},
    {"players": 3, "tie_round": True},
    {"players": 4, "rounds": 3},
    {"players": 2, "hand_cards": 22},
    {"players": 3, "hand_cards": 5, "trump": "none"},
    {"players": 4, "hand_cards": 9, "leader_change": "may"},
    {"players": 4, "cancelling": "eligible", "next_leader": "winner"},
    {"players": 3, "rounds": 3, "last_pot": "carried", "leader_change": "may", "trump": "none"},
    {"players": 2, "pot_tricks": False, "rounds": 2, "next_leader": "winner"},
    {"players": 4, "last_trick": "double", "rounds": 2, "last_pot": "carried"},
]


def has_dials(options):
    """Tell whether something is agreed that is not in the rule text."""
    return any(option.house and option.name in options for option in UPDOWN.options)
