"""Laws that every frame keeps, over planted, lopsided studies: each kills a kind of fault."""

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from studies.answers.frame import KINDS
from tests.studies.conftest import frame_of, table
from tests.studies.planted import PAIR, PLANTS, lively, plant

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
OF_SOME = pytest.mark.parametrize("name", SOME)
LARGE = pytest.mark.whole_only(
    *("ten_rotated", "two_sweeps", "population_rare", "reversed", "rarely_moved", "alone")
)


def keys_of(frame):
    """Return the columns that name a row."""
    point = frame.columns[: frame.columns.index("lineup")]
    return [*point, "lineup", "variant", "kind", "who", "number", "against"]


# ---- every row


@LARGE
@OF_SOME
def test_corrected_p_values_are_holms_over_the_family(planted_frame, name):
    frame = planted_frame(name)
    tested = frame.filter(pl.col("p").is_not_null())
    assert tested["p_holm"].null_count() == 0
    assert (tested["family"] != "").all()
    assert frame.filter(family="")["p"].null_count() == frame.filter(family="").height
    for (family,), rows in tested.group_by("family"):
        p, corrected = rows["p"].to_numpy(), rows["p_holm"].to_numpy()
        if rows["low_all"].null_count() < rows.height:  # by inverting the simultaneous bounds
            assert (corrected >= p).all()
            assert (corrected <= np.minimum(p * rows.height, 1) + 1e-12).all()
        else:
            order = np.argsort(p)
            holm = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
            assert corrected[order] == pytest.approx(np.minimum(holm, 1), abs=1e-12), family


@LARGE
@OF_SOME
def test_rows_are_named_once_and_hold_their_estimates(planted_frame, name):
    frame = planted_frame(name)
    assert not frame.select(keys_of(frame)).is_duplicated().any()
    assert set(frame["kind"]) <= KINDS.keys()
    for column in ("estimate", "low", "high", "p", "p_holm"):
        assert frame[column].drop_nulls().is_finite().all(), column
    inside = frame.filter(pl.col("kind") != "quantile")
    for low, middle, high in (
        ("low", "estimate", "high"),
        ("low_all", "estimate", "high_all"),
        ("low_all", "low", "low"),
        ("high", "high", "high_all"),
    ):
        apart = inside.filter(
            (pl.col(low) > pl.col(middle) + 1e-9) | (pl.col(high) < pl.col(middle) - 1e-9)
        )
        assert not apart.height, apart
    untold = frame.filter(pl.col("estimate").is_null())
    for column in ("low", "high", "p"):
        assert untold[column].null_count() == untold.height, untold


@LARGE
@OF_SOME
def test_a_change_is_what_is_after_less_the_baseline_and_a_control_changes_nothing(
    planted_frame, name
):
    frame = planted_frame(name)
    keys = [key for key in keys_of(frame) if key != "kind"]
    changes = frame.filter(kind="change")
    both = changes.join(frame.filter(kind="after"), on=keys, suffix="_after")
    assert both.height == changes.height
    gaps = both["estimate_after"] - both["baseline"] - both["estimate"]
    assert gaps.drop_nulls().abs().max() in (None, pytest.approx(0, abs=1e-9))
    if name == "rare":  # its control is drawn anew
        return
    control = frame.filter(variant="same")
    assert (control.filter(kind="change")["estimate"].drop_nulls() == 0).all()
    assert control.filter(kind="change")["p"].null_count() == control.filter(kind="change").height
    another = control.filter(number="another_winner", kind="level")
    assert (another["count"] == 0).all()
    assert (another["low"].drop_nulls() == 0).all()
    assert (another["high"].drop_nulls() > 0).all()


def test_equivalence_is_told_of_changes_and_differences(planted_frame):
    rows = planted_frame("margins").filter(pl.col("p_equivalent").is_not_null())
    assert set(rows["kind"]) == {"change", "difference"}
    assert (rows["equivalent"] == (rows["p_equivalent"] <= 0.05)).all()


@pytest.mark.whole_but("pair", "certain", "rarely_moved", "thirty_deals", "two_deals", "longer")
@pytest.mark.parametrize("name", PLANTS)
def test_p_is_below_an_error_where_the_interval_leaves_the_tested_value_out(planted, name):
    stored = planted(name)
    players = {(cell.lineup, *cell.point.values()): len(cell.seats) for cell in stored.cells}
    point = list(stored.cells[0].point)
    for level in (0.8, 0.95, 0.99):
        tested = frame_of(stored, level=level).filter(pl.col("p").is_not_null())
        assert tested.height
        for row in tested.iter_rows(named=True):
            null = 0.5 if row["kind"] == "payoff" else 0.0
            if row["kind"] == "level":  # a win rate, against the even share
                null = 1 / players[row["lineup"], *(row[key] for key in point)]
            for p, low, high in (("p", "low", "high"), ("p_holm", "low_all", "high_all")):
                if p == "p_holm" and row[low] is None and row[high] is None:
                    continue
                # An end that is missing leaves nothing out.
                outside = (row[low] is not None and row[low] > null) or (
                    row[high] is not None and row[high] < null
                )
                assert outside == (row[p] < 1 - level), row


# ---- rows that belong together


def test_shares_add_up(planted_frame, planted):
    """Win rates of positions and, by seats held, of policies add to 1; changes to 0."""
    for name in ("many", "aborted_with_variant", "ten_rotated"):
        seats = planted(name).cells[0].seats
        held = {f"policy {policy}": seats.count(policy) for policy in seats}
        frame = planted_frame(name).filter(number="win_rate", against="")
        for start in ("policy", "position"):
            rows = frame.filter(pl.col("who").str.starts_with(start))
            for (_, kind), group in rows.group_by("variant", "kind"):
                shares = group["estimate"] * pl.Series([held.get(who, 1) for who in group["who"]])
                total = {"level": 1, "after": 1, "change": 0}[kind]
                assert shares.sum() == pytest.approx(total, abs=1e-9), (name, start, kind)
    shares = planted_frame("duels").filter(kind="variance")
    for _, rows in shares.group_by("lineup"):
        assert rows["estimate"].sum() == pytest.approx(1, abs=1e-9)


@pytest.mark.whole_only("two_sweeps")
@pytest.mark.parametrize("name", ["duels", "many", "two_sweeps"])
def test_payoffs_of_two_add_to_one(planted_frame, name):
    frame = planted_frame(name)
    point = frame.columns[: frame.columns.index("lineup")]
    payoffs = {
        (*(row[key] for key in point), row["who"], row["against"]): row
        for row in frame.filter(kind="payoff").iter_rows(named=True)
    }
    assert payoffs
    for (*place, who, against), row in payoffs.items():
        other = payoffs[*place, against, who]
        assert row["estimate"] + other["estimate"] == pytest.approx(1, abs=1e-12)
        assert row["low"] + other["high"] == pytest.approx(1, abs=1e-9)
        assert 0 <= row["low"] <= row["high"] <= 1


def test_payoffs_are_the_win_rates_where_the_two_meet(planted_frame):
    frame = planted_frame("duels")
    levels = frame.filter(kind="level", variant="baseline", number="win_rate")
    for row in frame.filter(kind="payoff").iter_rows(named=True):
        names = [row[name].removeprefix("policy ") for name in ("who", "against")]
        meeting = levels.filter(pl.col("lineup").is_in(["-".join(names), "-".join(names[::-1])]))
        rate = meeting.filter(who=row["who"])["estimate"].item()
        assert row["estimate"] == pytest.approx(rate, abs=1e-9)


def test_a_ladder_goes_down(planted_frame):
    """From the strongest on, each pair's difference is that of the two and not below 0."""
    frame = planted_frame("duels").filter(kind="strength")
    ladder = dict(frame.filter(against="").select("who", "estimate").iter_rows())
    assert len(ladder) == 4
    assert list(ladder.values()) == sorted(ladder.values(), reverse=True)
    assert sum(ladder.values()) == pytest.approx(0, abs=1e-9)
    assert next(iter(ladder)) == "policy greedy"  # planted so
    pairs = frame.filter(pl.col("against") != "")
    assert pairs.height == 6
    for row in pairs.iter_rows(named=True):
        gap = ladder[row["who"]] - ladder[row["against"]]
        assert row["estimate"] == pytest.approx(gap, abs=1e-9)
        assert row["estimate"] >= 0


# ---- what does not matter


def test_blocks_and_their_order_do_not_matter(tmp_path):
    frames = [
        frame_of(plant(tmp_path / str(block), 1100, lively(), lineups=PAIR, block=block))
        for block in (None, 97)
    ]
    assert frames[0].equals(frames[1])


def test_names_of_seats_do_not_matter(tmp_path):
    """Who sits where is told by rotation and seat; the same matches told from another seat."""
    straight = table("straight", "greedy", "hoarder", "random")
    plain = lively(aborted=0.1)

    def rows(cell, columns):
        names = {"lineup": "straight", "seats": straight["seats"], "id": cell.variant}
        kept = {key: getattr(cell, key) for key in ("game", "variant", "point", "players")}
        plain(SimpleNamespace(**names, **kept), columns)
        if cell.lineup == "turned":
            columns["first_seat"] = ((columns["first_seat"] + 1) % 3).astype(np.uint8)
            mask = columns["winners"].astype(np.int64)
            columns["winners"] = ((mask << 1 | mask >> 2) & 0b111).astype(np.uint16)
            scores = [columns[f"score_{seat}"] for seat in range(3)]
            for seat in range(3):
                columns[f"score_{seat}"] = scores[(seat - 1) % 3]

    turned = table("turned", "random", "greedy", "hoarder")
    frame = frame_of(plant(tmp_path / "study", 300, rows, lineups=[straight, turned]))
    frame = frame.filter(
        pl.col("kind").is_in(["level", "change", "after"]) & (pl.col("number") != "unrelated"),
        against="",
    )
    keys = ["variant", "kind", "who", "number"]
    first, second = (frame.filter(lineup=name).sort(keys) for name in ("straight", "turned"))
    assert first.select(keys).equals(second.select(keys))
    for column in ("estimate", "low", "high", "p"):
        sides = first[column].to_numpy(), second[column].to_numpy()
        assert np.allclose(*sides, atol=1e-9, equal_nan=True), column
