"""Laws that every frame keeps, over planted, lopsided studies: each kills a kind of fault."""

import numpy as np
import polars as pl
import pytest

from studies.answers.frame import KINDS, answers
from studies.store.opened import open_study
from tests.studies.planted import (
    PAIR,
    PLANTS,
    STRENGTH,
    VARIANTS,
    lively,
    plant,
    planted_as,
)

SOME = [
    "many",
    "alone",
    "aborted_with_variant",
    "all_aborted",
    "all_tied",
    "two_deals",
    "one_deal",
    "certain",
    "rarely_moved",
    "rare",
    "ten_rotated",
    "reversed",
    "two_sweeps",
    "duels",
    "factors",
    "population_rare",
    "margins",
    "summary_aborted",
]


@pytest.fixture(scope="module")
def frames(tmp_path_factory):
    """Return a function that gives the frame of a study of `plants.PLANTS`."""
    made = {}

    def of(name):
        if name not in made:
            directory = planted_as(tmp_path_factory.mktemp("laws") / name, name)
            stored = open_study(directory)
            margins = (stored.study.compare.margin if stored.study.compare else None) or {}
            made[name] = answers(
                stored.cells, stored.totals, study=stored.study, margins=dict(margins)
            ).frame
        return made[name]

    return of


def holm(p_values):
    """Return Holm's correction as his paper has it: the least so that all smaller ones hold."""
    corrected = []
    for own in p_values:
        steps = [
            min(1.0, other * sum(one >= other for one in p_values))
            for other in p_values
            if other <= own
        ]
        corrected.append(max(steps))
    return corrected


@pytest.mark.whole_only("ten_rotated", "two_sweeps", "population_rare")
@pytest.mark.parametrize("name", SOME)
def test_corrected_p_values_are_holms_over_the_family(frames, name):
    frame = frames(name)
    tested = frame.filter(pl.col("p").is_not_null())
    alone = tested.filter(pl.col("p_holm").is_null())
    assert not alone.height, alone
    for (family,), rows in tested.group_by("family"):
        assert family, rows
        told = rows["p"].to_numpy()
        if rows["low_all"].null_count() < rows.height:  # by inverting the simultaneous bounds
            corrected = rows["p_holm"].to_numpy()
            assert (corrected >= told).all()
            assert (corrected <= np.minimum(told * rows.height, 1) + 1e-12).all()
            continue
        chosen = np.random.default_rng(len(told)).permutation(len(told))[:150]
        expected = np.array([max_of_steps(told, told[one]) for one in chosen])
        assert rows["p_holm"].to_numpy()[chosen] == pytest.approx(expected, abs=1e-12), family


def max_of_steps(told, own):
    below = np.unique(told[told <= own])
    return max(min(1.0, one * np.sum(told >= one)) for one in below)


def test_holms_correction_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert [max_of_steps(np.array([0.01, 0.04, 0.03]), p) for p in (0.01, 0.04, 0.03)] == (
        pytest.approx([0.03, 0.06, 0.06])
    )


@pytest.mark.whole_only("ten_rotated", "two_sweeps", "population_rare")
@pytest.mark.parametrize("name", SOME)
def test_intervals_hold_their_estimates(frames, name):
    frame = frames(name)
    told = frame.filter(pl.col("estimate").is_not_null())
    for low, high in (("low", "high"), ("low_all", "high_all")):
        beside = told.filter(
            (pl.col(low) > pl.col("estimate") + 1e-9) | (pl.col(high) < pl.col("estimate") - 1e-9)
        ).filter(pl.col("kind") != "quantile")
        assert not beside.height, beside
    wider = told.filter(
        (pl.col("low_all") > pl.col("low") + 1e-9) | (pl.col("high_all") < pl.col("high") - 1e-9)
    )
    assert not wider.height, wider
    untold = frame.filter(pl.col("estimate").is_null())
    assert untold["low"].null_count() == untold["high"].null_count() == untold.height
    assert untold["p"].null_count() == untold.height, untold
    assert set(frame["kind"]) <= KINDS.keys()
    for column in ("estimate", "low", "high", "p", "p_holm"):
        assert not frame[column].is_nan().any(), column
        assert not frame[column].is_infinite().any(), column


@pytest.mark.whole_only("two_sweeps")
@pytest.mark.parametrize("name", ["many", "reversed", "duels", "two_sweeps", "margins", "aborted"])
def test_intervals_and_tests_say_the_same(frames, name):
    """Where 0 is tested; exact tests of few deals err to the safe side."""
    told = frames(name).filter(
        pl.col("kind").is_in(["change", "difference", "interaction"]) & pl.col("p").is_not_null()
    )
    told = told.filter(pl.col("low").is_not_null() & pl.col("high").is_not_null())
    excludes = (pl.col("low") > 0) | (pl.col("high") < 0)
    against = told.filter((excludes & (pl.col("p") > 0.13)) | (~excludes & (pl.col("p") < 0.03)))
    assert told.height > 10
    assert not against.height, against.select(
        "who", "number", "estimate", "low", "high", "p", "deals", "baseline"
    ).rows()


@pytest.mark.whole_only("two_sweeps")
@pytest.mark.parametrize("name", ["duels", "many", "two_sweeps"])
def test_payoffs_of_two_add_to_one(frames, name):
    frame = frames(name)
    sweep = frame.columns[: frame.columns.index("lineup")]
    told = frame.filter(pl.col("kind") == "payoff")
    assert told.height
    found = {
        (*(row[key] for key in sweep), row["who"], row["against"]): row
        for row in told.iter_rows(named=True)
    }
    for (*point, who, against), row in found.items():
        other = found[*point, against, who]
        assert row["estimate"] + other["estimate"] == pytest.approx(1, abs=1e-12)
        assert row["low"] + other["high"] == pytest.approx(1, abs=1e-9)
        assert 0 <= row["low"] <= row["high"] <= 1


def test_payoffs_are_the_win_rates_where_the_two_meet(frames):
    frame = frames("duels")
    levels = frame.filter(kind="level", variant="baseline", number="win_rate")
    for row in frame.filter(kind="payoff").iter_rows(named=True):
        one, two = (row[name].removeprefix("policy ") for name in ("who", "against"))
        table = levels.filter(pl.col("lineup").is_in([f"{one}-{two}", f"{two}-{one}"]))
        own = table.filter(who=f"policy {one}")["estimate"].item()
        assert row["estimate"] == pytest.approx(own, abs=1e-9)


def test_a_ladder_goes_down(frames):
    """From the strongest on, each pair's difference is that of the two and not below 0."""
    frame = frames("duels").filter(kind="strength")
    ladder = {row["who"]: row for row in frame.filter(against="").iter_rows(named=True)}
    values = [row["estimate"] for row in ladder.values()]
    assert len(values) == 4
    assert values == sorted(values, reverse=True)
    assert sum(values) == pytest.approx(0, abs=1e-9)
    assert next(iter(ladder)) == "policy greedy"  # planted so
    pairs = frame.filter(pl.col("against") != "")
    assert pairs.height == 6
    for row in pairs.iter_rows(named=True):
        gap = ladder[row["who"]]["estimate"] - ladder[row["against"]]["estimate"]
        assert row["estimate"] == pytest.approx(gap, abs=1e-9)
        assert row["estimate"] >= 0


def test_shares_add_up(frames):
    """Win rates of positions and, by seats held, of policies add to 1; changes to 0."""
    for name in ("many", "aborted_with_variant", "ten_rotated"):
        frame = frames(name).filter(pl.col("number") == "win_rate", pl.col("against") == "")
        positions = frame.filter(pl.col("who").str.starts_with("position"))
        for (_, kind), rows in positions.group_by("variant", "kind"):
            total = {"level": 1, "after": 1, "change": 0}[kind]
            assert rows["estimate"].sum() == pytest.approx(total, abs=1e-9)
    shares = frames("duels").filter(kind="variance")
    for _, rows in shares.group_by("lineup"):
        assert rows["estimate"].sum() == pytest.approx(1, abs=1e-9)


def test_win_rates_are_tested_against_the_even_share(frames):
    """Of ten players a tenth, of two a half: p is 1 at the even share and not at others."""
    for name, even in (("ten_rotated", 0.1), ("two_players", 0.5)):
        told = frames(name).filter(kind="level", variant="baseline", number="win_rate")
        for row in told.iter_rows(named=True):
            outside = row["low"] > even or row["high"] < even
            assert outside == (row["p"] < 0.05) or 0.03 < row["p"] < 0.07, row


def test_blocks_and_their_order_do_not_matter(tmp_path):
    told = []
    for place, block in enumerate((None, 64, 97)):
        changes = {} if block is None else {"block": block}
        directory = plant(
            tmp_path / str(place), 1500, lively(strength=STRENGTH), lineups=PAIR, **changes
        )
        stored = open_study(directory)
        told.append(answers(stored.cells, stored.totals, study=stored.study).frame)
    assert told[0].equals(told[1])
    assert told[0].equals(told[2])


def test_names_of_seats_do_not_matter(tmp_path):  # noqa: C901 (a study turned by a seat)
    """Who sits where is told by rotation and seat; the same matches told from another seat."""

    def turned(cell, columns):
        own(cell, columns)
        if cell.lineup != "turned":
            return
        players = cell.players
        columns["first_seat"] = ((columns["first_seat"] + 1) % players).astype(np.uint8)
        mask = columns["winners"].astype(np.int64)
        columns["winners"] = ((mask << 1 | mask >> (players - 1)) & ((1 << players) - 1)).astype(
            np.uint16
        )
        scores = [columns[f"score_{seat}"] for seat in range(players)]
        for seat in range(players):
            columns[f"score_{seat}"] = scores[(seat - 1) % players]

    class Same:
        def __init__(self, cell):
            self.cell = cell

        def __getattr__(self, name):
            if name == "lineup":
                return "straight"
            if name == "seats":
                return ("greedy", "hoarder", "random")
            if name == "id":
                return self.cell.variant
            return getattr(self.cell, name)

    plain = lively(strength=STRENGTH, aborted=0.1)

    def own(cell, columns):
        plain(Same(cell), columns)

    lineups = [
        {"name": "straight", "seats": ["greedy", "hoarder", "random"], "rotate": True},
        {"name": "turned", "seats": ["random", "greedy", "hoarder"], "rotate": True},
    ]
    stored = open_study(plant(tmp_path / "study", 300, turned, lineups=lineups))
    frame = answers(stored.cells, stored.totals, study=stored.study).frame
    kinds = ("level", "change", "after")
    frame = frame.filter(pl.col("kind").is_in(kinds) & (pl.col("number") != "unrelated"))
    keys = ["variant", "kind", "who", "number", "against"]
    one, two = (
        frame.filter(lineup=name).sort(keys).select(*keys, "estimate", "low", "high", "p")
        for name in ("straight", "turned")
    )
    one = one.filter(pl.col("against") == "")
    two = two.filter(pl.col("against") == "")
    assert one.select(keys).equals(two.select(keys))
    for column in ("estimate", "low", "high", "p"):
        first, second = one[column].to_numpy(), two[column].to_numpy()
        assert np.allclose(first, second, atol=1e-9, equal_nan=True), column


def test_every_plant_is_one_of_its_kind():
    assert len(PLANTS) >= 30
    assert {"same", "dirty"} <= VARIANTS.keys()
