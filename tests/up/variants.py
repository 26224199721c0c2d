"""Options under which lanes are compared with matches one by one."""

VARIANTS = {
    "defaults": {},
    "two": {"players": 2},
    "three": {"players": 3},
    "extra set": {"players": 3, "extra_set": True},
    "declared": {"dirty_one": "forehand", "double_two": "forehand"},
    "always": {"dirty_one": "always"},
    "without minus two": {"minus_two": False, "rounds": 3},
    "cards": {"scoring": "cards"},
    "matches": {"scoring": "matches", "deal_passes": False},
    "limit": {"rounds": None, "points_limit": 60},
    "extra set, four": {"extra_set": True},
    "five": {"players": 5},
    "six, without minus two": {"players": 6, "minus_two": False},
    "eight, declared": {"players": 8, "dirty_one": "forehand", "double_two": "forehand"},
    "ten": {"players": 10},
    "ten, extra set": {"players": 10, "extra_set": True},
    "ten, cap": {"players": 10, "play_cap": 150},
    "ten, extra set, low cap": {"players": 10, "extra_set": True, "play_cap": 150},
    "low cap": {"play_cap": 100},
    "cap": {"play_cap": 250},
    "double two": {"double_two": "always"},
    "single cards first": {"multiples_in_first_lap": False},
    "forgetful": {"forget_last_card": 0.5},
    "forgetful, low cap": {"forget_last_card": [0.9, 0.2], "players": 2, "play_cap": 100},
    "six, all rare": {
        "players": 6,
        "double_two": "forehand",
        "multiples_in_first_lap": False,
        "forget_last_card": 0.3,
    },
}

RARE = tuple(VARIANTS)[-5:]
"""Those with rules of which lanes leave something to matches one by one, or know it only there."""
