"""Studies whose rows are made up so that nothing about them is plain: the proofs' material.

`PLANTS` names some thirty studies: the deals, a function that fills in a cell's columns (as
`planted.plant` wants it), and what differs from `conftest.document`. Deals are shared between the
variants of a table and between line-ups, as in play, so that paired estimates have something to
gain; scores follow from the same strengths as the winners.
"""

import zlib

import numpy as np

from simcore.game import get_game
from tests.studies.planted import plant

SPREAD = 20.0
"""Points a unit of strength."""


def lively(
    *,
    seed=1,
    moved=0.3,
    shift=None,
    strength=None,
    first=0.4,
    aborted=0.0,
    coarse=1,
    metric_shift=None,
    cards=1.0,
    aborted_apart=None,
):
    """Return a function that plants matches won by cards, policy, seat and chance.

    moved : share of the matches in which a variant draws the chance anew, by variant or for all.
    shift : by variant, added to the strength of the policy named "variant:policy" or of all.
    coarse : points to which scores are rounded, so that more matches are tied.
    """
    shift, strength, metric_shift = shift or {}, strength or {}, metric_shift or {}
    aborted_apart = aborted_apart or {}

    def rows(cell, columns):
        deals, rotations = columns["match"].shape
        players = cell.players
        shape = (deals, rotations, players)
        here = zlib.crc32(str(sorted(cell.point.items())).encode())
        deal = np.random.default_rng([seed, here, players])
        hand = deal.normal(size=(deals, 1, players)) * cards
        starts = deal.integers(0, players, size=(deals, 1))
        told = np.random.default_rng([seed, here, players, zlib.crc32(cell.lineup.encode())])
        chance = told.normal(size=shape)
        lost = told.random((deals, rotations)) < aborted
        counts = told.poisson(12, size=(20, deals, rotations))
        if cell.variant != "baseline":
            own = np.random.default_rng([seed, zlib.crc32(cell.id.encode()), 7])
            share = moved.get(cell.variant, 0.0) if isinstance(moved, dict) else moved
            share = 0.0 if cell.variant == "same" else share  # a control
            anew = own.random((deals, rotations)) < share
            chance = np.where(anew[..., None], own.normal(size=shape), chance)
            extra = aborted_apart.get(cell.variant, 0.0)
            lost = lost ^ (anew & (own.random((deals, rotations)) < aborted)) | (
                own.random((deals, rotations)) < extra
            )
            fresh = own.poisson(12, size=counts.shape)
            counts = np.where(anew, fresh, counts) + metric_shift.get(cell.variant, 0)
        columns["clauses"] = told.integers(0, 1 << 20, size=(deals, rotations)).astype(np.int32)
        total = hand + chance
        for rotation in range(rotations):
            for seat in range(players):
                policy = cell.seats[(seat + rotation) % players]
                name = policy.split("(")[0]
                total[:, rotation, seat] += strength.get(name, 0.0)
                total[:, rotation, seat] += shift.get(f"{cell.variant}:{name}", 0.0)
        begins = np.broadcast_to(starts, (deals, rotations))
        total += first * (np.arange(players) == begins[..., None])
        total += shift.get(f"{cell.variant}:first", 0.0) * (np.arange(players) == begins[..., None])
        score = (np.round(total * SPREAD / coarse) * coarse).astype(np.int32)
        high = score.max(axis=2, keepdims=True) - score  # of Up, few points are best
        winners = ((high == 0) << np.arange(players)).sum(axis=2)
        columns["first_seat"] = begins.astype(np.uint8)
        columns["aborted"] = lost
        columns["winners"] = winners.astype(np.uint16)
        for seat in range(players):
            columns[f"score_{seat}"] = high[..., seat].astype(np.int32)
        fill(cell, columns, counts)

    return rows


def fill(cell, columns, counts):
    """Fill in a game's metrics, and what every game counts, so that they go together."""
    for place, name in enumerate(get_game(cell.game).metric_names):
        columns[name] = (counts[place] + place).astype(np.int32)
    columns["decisions"] = (counts[17] * 3 + 1).astype(np.int32)
    columns["forced"] = (counts[18] // 2).astype(np.int32)
    length = columns["rounds"] if "rounds" in columns else columns["turns"]
    columns["lead_changes"] = (counts[16] // 4).astype(np.int32)
    columns["comeback"] = np.where(counts[15] % 3 == 0, 0, counts[15] * 2).astype(np.int32)
    columns["last_lead_change"] = np.minimum(counts[14] // 3, length).astype(np.int32)


def rare(rates, seed=3):
    """Return a function in which seat 1 wins as rarely as `rates` says, by variant."""

    def rows(cell, columns):
        shape = columns["match"].shape
        own = np.random.default_rng([seed, zlib.crc32(cell.variant.encode())])
        wins = own.random(shape) < rates.get(cell.variant, rates["baseline"])
        columns["winners"] = np.where(wins, 2, 1).astype(np.uint16)
        starts = np.random.default_rng(seed).integers(0, cell.players, size=(shape[0], 1))
        columns["first_seat"] = np.broadcast_to(starts, shape).astype(np.uint8)

    return rows


def all_win_alike(cell, columns):
    """Plant nothing: seat 0 wins every match."""


PAIR = [{"name": "pair", "seats": ["greedy", "random"], "rotate": True}]
TRIO = [{"name": "trio", "seats": ["greedy", "hoarder", "random"], "rotate": True}]
ALONE = [{"name": "alone", "seats": ["greedy"]}]
DUELS = [
    {"name": f"{one}-{two}", "seats": [one, two], "rotate": True}
    for one, two in (
        ("greedy", "random"),
        ("hoarder", "random"),
        ("shedder", "random"),
        ("greedy", "hoarder"),
        ("greedy", "shedder"),
        ("hoarder", "shedder"),
    )
]
STRENGTH = {"greedy": 0.8, "hoarder": 0.4, "shedder": 0.1, "guard": -0.2, "random": 0.0}
VARIANTS = {
    "dirty": {"dirty_one": "always"},
    "double": {"double_two": "always"},
    "both": {"dirty_one": "always", "double_two": "always"},
    "same": {},
}
TWO = {"players": 2, "rounds": 2}
TEN = {"players": 10, "rounds": 2}
DRAWN = {"greedy": 1, "hoarder": 2, "shedder": 1, "random": 1}
FACTORS = {
    "dirty_one": ["off", "always"],
    "double_two": ["off", "always"],
    "extra_set": [False, True],
}
REVERSED = {"dirty:greedy": -1.6, "both:greedy": -0.5, "dirty:first": 0.3}


# Name -> deals, what fills in the rows, and changes of the document (None takes a key away).
PLANTS = {
    "plain": (400, lively(strength=STRENGTH), {"lineups": TRIO}),
    "many": (3000, lively(strength=STRENGTH, moved=0.1), {"lineups": TRIO, "variants": VARIANTS}),
    "pair": (300, lively(strength=STRENGTH), {"lineups": PAIR}),
    "unrotated": (
        500,
        lively(strength=STRENGTH),
        {"lineups": [{"name": "as_they_sit", "seats": ["greedy", "random", "hoarder"]}]},
    ),
    "alone": (500, lively(first=0.8), {"lineups": ALONE, "variants": VARIANTS}),
    "aborted": (400, lively(strength=STRENGTH, aborted=0.3), {"lineups": TRIO}),
    "aborted_with_variant": (
        500,
        lively(strength=STRENGTH, aborted=0.02, aborted_apart={"dirty": 0.4}),
        {"lineups": PAIR, "variants": VARIANTS},
    ),
    "all_aborted": (60, lively(aborted=1.0), {"lineups": PAIR}),
    "tied": (400, lively(strength=STRENGTH, coarse=30), {"lineups": TRIO}),
    "all_tied": (100, lively(coarse=100_000), {"lineups": PAIR}),
    "two_deals": (2, lively(strength=STRENGTH), {"lineups": PAIR}),
    "one_deal": (1, lively(strength=STRENGTH), {"lineups": PAIR}),
    "thirty_deals": (30, lively(strength=STRENGTH, moved=0.1), {"lineups": PAIR}),
    "certain": (200, all_win_alike, {"lineups": PAIR}),
    "certain_alone": (200, all_win_alike, {"lineups": ALONE}),
    "never_moved": (300, lively(strength=STRENGTH, moved=0.0), {"lineups": PAIR}),
    "rarely_moved": (2000, lively(strength=STRENGTH, moved=0.003), {"lineups": PAIR}),
    "rare": (
        3000,
        rare({"baseline": 0.001, "dirty": 0.004, "same": 0.001}),
        {"options": TWO, "lineups": PAIR},
    ),
    "two_players": (
        600,
        lively(strength=STRENGTH, shift=REVERSED),
        {"options": TWO, "lineups": PAIR, "variants": VARIANTS},
    ),
    "ten_players": (
        120,
        lively(strength=STRENGTH),
        {
            "options": TEN,
            "lineups": [
                {"name": "ten", "seats": ["greedy", "hoarder", "shedder", "guard", "random"] * 2}
            ],
        },
    ),
    "ten_rotated": (
        60,
        lively(strength=STRENGTH, coarse=20),
        {
            "options": TEN,
            "lineups": [{"name": "ten", "seats": ["greedy"] * 3 + ["random"] * 7, "rotate": True}],
        },
    ),
    "reversed": (
        800,
        lively(strength=STRENGTH, shift=REVERSED),
        {"lineups": TRIO, "variants": VARIANTS},
    ),
    "longer": (
        500,
        lively(strength=STRENGTH, metric_shift={"dirty": 5, "double": -3, "both": 1}),
        {"lineups": PAIR, "variants": VARIANTS},
    ),
    "sweep": (
        300,
        lively(strength=STRENGTH, shift={"dirty:greedy": 0.5}),
        {"sweep": {"players": [2, 3, 6]}, "options": {"rounds": 2}, "lineups": PAIR},
    ),
    "two_sweeps": (
        150,
        lively(strength=STRENGTH),
        {
            "options": {},
            "sweep": {"players": [2, 4], "rounds": [2, 3]},
            "lineups": [*PAIR, *ALONE],
        },
    ),
    "duels": (
        400,
        lively(strength=STRENGTH),
        {"options": TWO, "lineups": DUELS, "variants": {"dirty": {"dirty_one": "always"}}},
    ),
    "variants": (
        500,
        lively(strength=STRENGTH, shift=REVERSED, moved={"dirty": 0.2, "double": 0.5, "both": 0.6}),
        {"lineups": PAIR, "variants": VARIANTS},
    ),
    "factors": (
        200,
        lively(strength=STRENGTH, moved=0.4),
        {"lineups": PAIR, "variants": None, "factors": FACTORS},
    ),
    "population": (
        150,
        lively(strength=STRENGTH, moved=0.4),
        {
            "lineups": None,
            "variants": VARIANTS,
            "population": {"policies": DRAWN, "tables": 6},
        },
    ),
    "population_rare": (
        400,
        lively(strength=STRENGTH, moved=0.004),
        {
            "lineups": None,
            "population": {"policies": DRAWN, "tables": 9},
        },
    ),
    "margins": (
        600,
        lively(strength=STRENGTH, moved=0.02),
        {
            "lineups": TRIO,
            "variants": VARIANTS,
            "compare": {"margin": {"score": 2, "plays": 0.5}},
        },
    ),
    "summary": (400, lively(strength=STRENGTH), {"lineups": TRIO, "detail": "summary"}),
    "summary_aborted": (
        500,
        lively(strength=STRENGTH, aborted=0.2, coarse=20),
        {"lineups": PAIR, "variants": VARIANTS, "detail": "summary"},
    ),
    "blocks": (300, lively(strength=STRENGTH), {"lineups": PAIR, "block": 70}),
    "goal": (
        500,
        lively(strength=STRENGTH),
        {"lineups": PAIR, "variants": VARIANTS, "goal": {"half_width": 0.2}},
    ),
}


def planted_as(directory, name, **changes):
    """Write a study of `PLANTS`, with changes beside its own; return its directory."""
    deals, rows, own = PLANTS[name]
    return plant(directory, deals, rows, **{**own, **changes})
