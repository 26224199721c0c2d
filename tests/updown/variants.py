"""Options under which ways to play are compared."""

VARIANTS = [
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"players": 2, "seating": "adjacent"},
    {"players": 2, "rounds": 5, "tie_round": True},
    {"players": 3, "tie_round": True},
    {"players": 4, "rounds": 3},
]
