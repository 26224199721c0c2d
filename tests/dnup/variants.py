"""Options under which what is built in is compared with the same when called."""

VARIANTS = {
    "defaults": {},
    "two": {"players": 2},
    "two, set returned": {"players": 2, "win_on_playing": False},
    "two, many rounds": {"players": 2, "rounds_to_win": 7},
    "three": {"players": 3},
    "five": {"players": 5},
    "two, deck c": {"players": 2, "deck": "c"},
    "three, deck c": {"players": 3, "deck": "c"},
    "deck c": {"deck": "c"},
    "five, deck c": {"players": 5, "deck": "c"},
    "one marker": {"markers_to_win": 1},
    "many markers": {"players": 3, "markers_to_win": 9},
    "cap": {"turn_cap": 100},
    "two, cap": {"players": 2, "turn_cap": 100},
    "kept sides": {"players": 5, "turn_on_taking": False, "equal_beats": True},
    "passes": {"players": 3, "turn_hand": False, "take_up": False},
    "two, equal": {"players": 2, "equal_beats": True, "take_up": False, "round_start": "winner"},
}
