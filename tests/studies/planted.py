"""Study directories with planted rows: the truth is known, nothing is played.

`PLANTS` names some thirty studies, made up so that nothing about them is plain: the deals, what
fills in a cell's columns, and what differs from `conftest.document`. Deals are shared between the
variants of a table and between line-ups, as in play, so that paired estimates have something to
gain; scores follow from the same strengths as the winners.
"""

import zlib
from types import MappingProxyType

import numpy as np

from simcore.catalogue import get_game
from simcore.records import COMMON_COUNTS
from studies.design.cells import expand
from studies.store.opened import open_study
from studies.store.parts import Encoded, as_array, encode, part_metadata, read_part
from studies.store.totals import block_totals, encode_block
from studies.store.writing import writing
from tests.studies.conftest import study, table

SCORE = 50
"""Of everybody who does not win; a winner has 0."""

SPREAD = 20.0
"""Points a unit of strength."""

STRENGTH = MappingProxyType(
    {"greedy": 0.8, "hoarder": 0.4, "shedder": 0.1, "guard": -0.2, "random": 0.0}
)
NOBODY = MappingProxyType({})


def plant(directory, matches, rows, **changes):
    """Write a study of `matches` deals a cell, in matches or (detail="summary") in sums.

    `rows(cell, columns)` fills in the columns of a cell, arrays of shape (deals, rotations) with
    everybody beaten by seat 0; scores follow from the winners afterwards, unless it gives some.
    With `block` there are several parts.
    """
    planned = study(matches=matches, **changes)
    cells = expand(planned)
    bases = {}
    with writing(directory, planned, cells) as writer:
        writer.describe({"title": "Planted"})
        for cell in cells:
            columns = columns_of(cell, matches, rows)
            base, before = bases.setdefault(cell.group, (cell, columns))  # baselines come first
            for start in range(0, matches, planned.block or matches):
                stop = min(start + (planned.block or matches), matches)
                block, base_block = flat(columns, start, stop), flat(before, start, stop)
                count = stop - start
                if not planned.rows:
                    played = [(cell, block)]
                    totals = block_totals(base, base_block, played, planned.study_measures)
                    content = encode_block(cell, start, count, totals[cell.id], "planted")
                else:
                    content = encode(block, part_metadata(cell, start, count, "planted"))
                writer.keep(Encoded(cell, start, count, content))
    return directory


def columns_of(cell, matches, rows):
    """Return the columns of a cell as `rows` plants them, arrays of shape (deals, rotations)."""
    shape = (matches, cell.rotations)
    columns = {
        "match": np.broadcast_to(np.arange(matches)[:, None], shape).astype(np.int64),
        "rotation": np.broadcast_to(np.arange(cell.rotations), shape).astype(np.int8),
        "first_seat": np.zeros(shape, np.uint8),
        "winners": np.ones(shape, np.uint16),
        "aborted": np.zeros(shape, bool),
    }
    for name in (*get_game(cell.game).metric_names, *COMMON_COUNTS):
        columns[name] = np.full(shape, 10, np.int32)
    rows(cell, columns)
    columns["winners"] = np.where(columns["aborted"], 0, columns["winners"]).astype(np.uint16)
    for seat in range(cell.players):
        lost = columns["winners"] >> seat & 1 == 0
        columns.setdefault(f"score_{seat}", np.where(lost, SCORE, 0).astype(np.int32))
    return columns


def flat(columns, start, stop):
    """Return deals [start, stop) in the order of (match, rotation)."""
    return {
        name: np.ascontiguousarray(values[start:stop]).ravel() for name, values in columns.items()
    }


def tile(played, directory, times, deals_a_part=25_000):
    """Write a study whose cells hold the matches of a played one `times` times over."""
    stored = open_study(played)
    with writing(directory, stored.study, stored.cells) as writer:
        writer.describe({})
        for cell in stored.cells:
            parts = [read_part(part) for part in stored.parts[cell.id]]
            once = {
                name: np.concatenate([as_array(part[name]) for part in parts])
                for name in parts[0].column_names
            }
            deals = len(once["match"]) // cell.rotations
            for first in range(0, deals * times, deals_a_part):
                count = min(deals_a_part, deals * times - first)
                match = np.repeat(np.arange(first, first + count), cell.rotations)
                rows = (match % deals) * cell.rotations + np.tile(np.arange(cell.rotations), count)
                columns = {name: values[rows] for name, values in once.items()} | {"match": match}
                content = encode(columns, part_metadata(cell, first, count, "tiled"))
                writer.keep(Encoded(cell, first, count, content))


# ---- rows


def all_win_alike(cell, columns):
    """Plant nothing: seat 0 wins every match."""


def winners_by(shares, shape, seed):
    """Return winners drawn with these probabilities by seat."""
    seats = np.random.default_rng(seed).choice(len(shares), size=shape, p=shares)
    return (1 << seats).astype(np.uint16)


def rare(rates, seed=3):
    """Return a function in which seat 1 wins as rarely as `rates` says, by variant."""

    def rows(cell, columns):
        shape = columns["match"].shape
        luck = np.random.default_rng([seed, zlib.crc32(cell.variant.encode())])
        wins = luck.random(shape) < rates.get(cell.variant, rates["baseline"])
        columns["winners"] = np.where(wins, 2, 1).astype(np.uint16)
        starts = np.random.default_rng(seed).integers(0, cell.players, size=(shape[0], 1))
        columns["first_seat"] = np.broadcast_to(starts, shape).astype(np.uint8)

    return rows


def lively(
    *,
    seed=1,
    moved=0.3,
    shift=NOBODY,
    strength=STRENGTH,
    first=0.4,
    aborted=0.0,
    coarse=1,
    metric_shift=NOBODY,
    aborted_apart=NOBODY,
):
    """Return a function that plants matches won by cards, policy, seat and chance.

    moved : share of the matches in which a variant draws the chance anew, by variant or for all.
    shift : by variant, added to the strength of the policy named "variant:policy" or of all.
    coarse : points to which scores are rounded, so that more matches are tied.
    """

    def rows(cell, columns):
        deals, rotations = columns["match"].shape
        players = cell.players
        shape = (deals, rotations, players)
        point = [seed, zlib.crc32(str(sorted(cell.point.items())).encode()), players]
        deal = np.random.default_rng(point)
        hand = deal.normal(size=(deals, 1, players))
        starts = np.broadcast_to(deal.integers(0, players, size=(deals, 1)), (deals, rotations))
        table_luck = np.random.default_rng([*point, zlib.crc32(cell.lineup.encode())])
        chance = table_luck.normal(size=shape)
        lost = table_luck.random((deals, rotations)) < aborted
        counts = table_luck.poisson(12, size=(20, deals, rotations))
        if cell.variant != "baseline":
            luck = np.random.default_rng([seed, zlib.crc32(cell.id.encode()), 7])
            share = moved.get(cell.variant, 0.0) if isinstance(moved, dict) else moved
            share = 0.0 if cell.variant == "same" else share  # a control
            anew = luck.random((deals, rotations)) < share
            chance = np.where(anew[..., None], luck.normal(size=shape), chance)
            lost = lost ^ (anew & (luck.random((deals, rotations)) < aborted))
            lost |= luck.random((deals, rotations)) < aborted_apart.get(cell.variant, 0.0)
            counts = np.where(anew, luck.poisson(12, size=counts.shape), counts)
            counts += metric_shift.get(cell.variant, 0)
        columns["clauses"] = table_luck.integers(0, 1 << 20, (deals, rotations)).astype(np.int32)
        total = hand + chance
        for rotation in range(rotations):
            for seat in range(players):
                policy = cell.seats[(seat + rotation) % players].split("(")[0]
                total[:, rotation, seat] += strength.get(policy, 0.0)
                total[:, rotation, seat] += shift.get(f"{cell.variant}:{policy}", 0.0)
        begins = np.arange(players) == starts[..., None]
        total += first * begins
        total += shift.get(f"{cell.variant}:first", 0.0) * begins
        score = (np.round(total * SPREAD / coarse) * coarse).astype(np.int32)
        behind = score.max(axis=2, keepdims=True) - score  # of Up, few points are best
        columns["first_seat"] = starts.astype(np.uint8)
        columns["aborted"] = lost
        winners = ((behind == 0) << np.arange(players)).sum(axis=2)
        columns["winners"] = winners.astype(np.uint16)
        for seat in range(players):
            columns[f"score_{seat}"] = behind[..., seat].astype(np.int32)
        fill_counts(cell, columns, counts)

    return rows


def fill_counts(cell, columns, counts):
    """Fill in a game's metrics, and what every game counts, so that they go together."""
    for place, name in enumerate(get_game(cell.game).metric_names):
        columns[name] = (counts[place] + place).astype(np.int32)
    columns["decisions"] = (counts[17] * 3 + 1).astype(np.int32)
    columns["forced"] = (counts[18] // 2).astype(np.int32)
    length = columns["rounds"] if "rounds" in columns else columns["turns"]
    columns["lead_changes"] = (counts[16] // 4).astype(np.int32)
    columns["comeback"] = np.where(counts[15] % 3 == 0, 0, counts[15] * 2).astype(np.int32)
    columns["last_lead_change"] = np.minimum(counts[14] // 3, length).astype(np.int32)


# ---- studies

PAIR = [table("pair", "greedy", "random")]
TRIO = [table("trio", "greedy", "hoarder", "random")]
ALONE = [{"name": "alone", "seats": ["greedy"]}]
SEATED = [{"name": "as_they_sit", "seats": ["greedy", "random", "hoarder"]}]
TEN = [{"name": "ten", "seats": ["greedy", "hoarder", "shedder", "guard", "random"] * 2}]
DUELS = [
    table(f"{strong}-{weak}", strong, weak)
    for strong, weak in (
        ("greedy", "random"),
        ("hoarder", "random"),
        ("shedder", "random"),
        ("greedy", "hoarder"),
        ("greedy", "shedder"),
        ("hoarder", "shedder"),
    )
]
VARIANTS = {
    "dirty": {"dirty_one": "always"},
    "double": {"double_two": "always"},
    "both": {"dirty_one": "always", "double_two": "always"},
    "same": {},
}
FACTORS = {
    "dirty_one": ["off", "always"],
    "double_two": ["off", "always"],
    "extra_set": [False, True],
}
REVERSED = {"dirty:greedy": -1.6, "both:greedy": -0.5, "dirty:first": 0.3}
DRAWN = {"greedy": 1, "hoarder": 2, "shedder": 1, "random": 1}
OF_TWO = {"players": 2, "rounds": 2}
OF_TEN = {"players": 10, "rounds": 2}
ABORTED_APART = {"aborted": 0.02, "aborted_apart": {"dirty": 0.4}}
MOVED = {"dirty": 0.2, "double": 0.5, "both": 0.6}
LONGER = {"dirty": 5, "double": -3, "both": 1}
RARE = {"baseline": 0.001, "dirty": 0.004, "same": 0.001}


def drawn(tables, **changes):
    return {"lineups": None, "population": {"policies": DRAWN, "tables": tables}, **changes}


def between(lineups, **changes):
    """Return changes of a document: line-ups, and all variants beside each other."""
    return {"lineups": lineups, "variants": VARIANTS, **changes}


# Name -> deals, what fills in the rows, and changes of the document (None takes a key away).
PLANTS = {
    "plain": (400, lively(), {"lineups": TRIO}),
    "many": (3000, lively(moved=0.1), between(TRIO)),
    "pair": (300, lively(), {"lineups": PAIR}),
    "unrotated": (500, lively(), {"lineups": SEATED}),
    "alone": (500, lively(strength=NOBODY, first=0.8), between(ALONE)),
    "aborted": (400, lively(aborted=0.3), {"lineups": TRIO}),
    "aborted_with_variant": (500, lively(**ABORTED_APART), between(PAIR)),
    "all_aborted": (60, lively(strength=NOBODY, aborted=1.0), {"lineups": PAIR}),
    "tied": (400, lively(coarse=30), {"lineups": TRIO}),
    "all_tied": (100, lively(strength=NOBODY, coarse=100_000), {"lineups": PAIR}),
    "two_deals": (2, lively(), {"lineups": PAIR}),
    "one_deal": (1, lively(), {"lineups": PAIR}),
    "thirty_deals": (30, lively(moved=0.1), {"lineups": PAIR}),
    "certain": (200, all_win_alike, {"lineups": PAIR}),
    "certain_alone": (200, all_win_alike, {"lineups": ALONE}),
    "never_moved": (300, lively(moved=0.0), {"lineups": PAIR}),
    "rarely_moved": (2000, lively(moved=0.003), {"lineups": PAIR}),
    "rare": (3000, rare(RARE), {"options": OF_TWO, "lineups": PAIR}),
    "two_players": (600, lively(shift=REVERSED), between(PAIR, options=OF_TWO)),
    "ten_players": (120, lively(), {"options": OF_TEN, "lineups": TEN}),
    "ten_rotated": (
        60,
        lively(coarse=20),
        {"options": OF_TEN, "lineups": [table("ten", *["greedy"] * 3, *["random"] * 7)]},
    ),
    "reversed": (800, lively(shift=REVERSED), between(TRIO)),
    "longer": (500, lively(metric_shift=LONGER), between(PAIR)),
    "sweep": (
        300,
        lively(shift={"dirty:greedy": 0.5}),
        {"sweep": {"players": [2, 3, 6]}, "options": {"rounds": 2}, "lineups": PAIR},
    ),
    "two_sweeps": (
        150,
        lively(),
        {"options": {}, "sweep": {"players": [2, 4], "rounds": [2, 3]}, "lineups": PAIR + ALONE},
    ),
    "duels": (
        400,
        lively(),
        {"options": OF_TWO, "lineups": DUELS, "variants": {"dirty": VARIANTS["dirty"]}},
    ),
    "variants": (500, lively(shift=REVERSED, moved=MOVED), between(PAIR)),
    "factors": (200, lively(moved=0.4), {"lineups": PAIR, "variants": None, "factors": FACTORS}),
    "population": (150, lively(moved=0.4), drawn(4, variants=VARIANTS)),
    "population_rare": (400, lively(moved=0.004), drawn(9)),
    "margins": (
        600,
        lively(moved=0.02),
        between(TRIO, compare={"margin": {"score": 2, "plays": 0.5}}),
    ),
    "summary": (400, lively(), {"lineups": TRIO, "detail": "summary"}),
    "summary_aborted": (500, lively(aborted=0.2, coarse=20), between(PAIR, detail="summary")),
    "blocks": (300, lively(), {"lineups": PAIR, "block": 70}),
    "goal": (500, lively(), between(PAIR, goal={"half_width": 0.2})),
}


def planted_as(directory, name, **changes):
    """Write a study of `PLANTS`, with changes beside its own; return its directory."""
    deals, rows, plant_changes = PLANTS[name]
    return plant(directory, deals, rows, **{**plant_changes, **changes})
