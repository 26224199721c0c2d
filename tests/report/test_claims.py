"""What a report says agrees with the table under it: planted studies of every kind.

Each study is read twice: by the report, whose sentences are looked at, and from its own grids.
"""

import re

import numpy as np
import pytest

from studies.balance import measure
from studies.plots.seats import mark
from studies.report import build
from studies.report.content import Grid
from tests.studies.planted import plant, winners_by

LIKE = {"name": "like", "seats": ["greedy"]}
DUEL = {"name": "duel", "seats": ["greedy", "random"], "rotate": True}


def section(report, name):
    return next(own for own in report.sections if own.name == name)


def said(report, name):
    return " ".join(section(report, name).sentences)


def grid(report, name, beginning):
    return next(
        item
        for item in section(report, name).items
        if isinstance(item, Grid) and item.caption.startswith(beginning)
    )


def column(table, name):
    return [row[table.columns.index(name)] for row in table.rows]


def planted(directory, matches, shares=None, aborted=0.0, seed=1, players=3, lineups=(LIKE,)):
    """Plant winners by seat, and matches aborted by lot."""
    shares = shares or (1 / players,) * players

    def rows(cell, columns):
        shape = columns["winners"].shape
        place = sum(map(ord, cell.lineup))
        columns["winners"] = winners_by(shares, shape, seed + place)
        rng = np.random.default_rng(seed + 1)
        columns["aborted"][:] = rng.random(shape) < aborted

    return plant(
        directory, matches, rows, lineups=list(lineups), variants={}, options={"players": players}
    )


SEATS = [
    (400, None, 0.0, 3),
    (400, None, 0.3, 3),
    (400, (0.45, 0.3, 0.25), 0.3, 3),
    (4000, (0.36, 0.33, 0.31), 0.1, 3),
    (4000, None, 0.9, 3),
    (50, None, 0.0, 2),
    (4000, (0.27, 0.25, 0.24, 0.24), 0.2, 4),
    (20, (0.9, 0.1), 0.5, 2),
]


@pytest.mark.parametrize("case", range(len(SEATS)))
def test_seats_sentence_figure_and_table_agree(tmp_path, case):
    """A seat is said to differ just where the figure marks it and p is below 0.05."""
    matches, shares, aborted, players = SEATS[case]
    directory = planted(tmp_path, matches, shares, aborted, 7 + case, players)
    report = build(directory)
    (table,) = measure(directory).tables
    marked = [place for place in range(players) if mark(table.positions, place)]
    text = said(report, "seats")
    names = ("the seat that begins", "the second seat", "the third seat", "the fourth seat")
    for place, name in enumerate(names[:players]):
        assert (f"{name} wins" in text) == (place in marked), text
    assert ("no seat has an advantage" in text or "no advantage of a seat" in text) == (not marked)
    assert bool(marked) == (table.positions.p < 0.05)
    shown = grid(report, "seats", "Win rate")
    assert column(shown, "decided")[0] == f"{table.decided:,}"
    assert sum(own.estimate for own in table.positions.win_share) == pytest.approx(1)
    assert ("of all were aborted" in text) == (aborted > 0)
    if not marked:
        reach = max(
            max(own.high - 1 / players, 1 / players - own.low) for own in table.positions.win_share
        )
        assert f"{100 * reach:.1f} points" in text


def test_aborted_matches_are_no_advantage_of_a_seat(tmp_path):
    """Those who begin win 16 % of all matches of three, and a third of those that are decided."""
    report = build(planted(tmp_path, 6000, None, 0.52, 3))
    assert "there is a" not in said(report, "seats")
    assert "from the even 33.3 %" in said(report, "seats") or "even: 33.3 %" in said(
        report, "seats"
    )


@pytest.mark.parametrize("aborted", [0.0, 0.3, 1.0])
def test_drama_is_of_decided_matches(tmp_path, aborted):
    """Aborted ones change the lead a hundred times here; nobody is told of that."""

    def rows(_, columns):
        shape = columns["winners"].shape
        columns["winners"] = winners_by((1 / 3,) * 3, shape, 5)
        columns["aborted"][:] = np.random.default_rng(6).random(shape) < aborted
        changes = np.random.default_rng(7).integers(0, 2, shape)
        columns["lead_changes"] = np.where(columns["aborted"], 100, changes).astype(np.int32)

    report = build(plant(tmp_path, 2000, rows, lineups=[LIKE], variants={}))
    text = said(report, "drama")
    if aborted == 1:
        assert "nobody wins any of 2,000 matches" in text
        return
    assert re.search(r"the lead changes 0\.(4[789]|50|51|52|53)", text), text
    assert ("among decided matches" in text) == (aborted > 0)
    shown = grid(report, "drama", "Lead changes")
    assert column(shown, "matches") == [f"{measure(tmp_path).tables[0].decided:,}"]


@pytest.mark.parametrize("lengths", [(10, 20), (10,), (10, 11, 12, 13)])
def test_lengths_hold_by_counting(tmp_path, lengths):
    """So many of 100 take at most so many, however the lengths are bunched."""

    def rows(_, columns):
        shape = columns["winners"].shape
        rng = np.random.default_rng(8)
        columns["plays"] = rng.choice(lengths, size=shape).astype(np.int32)

    directory = plant(tmp_path, 1000, rows, lineups=[LIKE], variants={})
    text = said(build(directory), "length")
    plays = measure(directory).tables[0].lengths[0].counts
    for of, at_most in re.findall(r"(half|95 in 100|99 in 100)[^,]*? at most (\d+)", text):
        part = {"half": 0.5, "95 in 100": 0.95, "99 in 100": 0.99}[of]
        assert sum(n for at, n in plays.items() if at <= int(at_most)) >= part * 1000
    assert ("every match takes 10 plays" in text) == (len(lengths) == 1)
    assert "takes more than" not in text


@pytest.mark.parametrize("share", [0.0, 0.02, 0.1, 0.6])
def test_comebacks_of_no_points_are_not_spoken_of(tmp_path, share):
    def rows(_, columns):
        shape = columns["winners"].shape
        behind = np.random.default_rng(9).random(shape) < share
        columns["comeback"] = np.where(behind, 25, 0).astype(np.int32)

    text = said(build(plant(tmp_path, 3000, rows, lineups=[LIKE], variants={})), "drama")
    assert "from 0 " not in text
    assert ("25 points or more in one of twenty" in text) == (share >= 0.1)
    assert ("No winner was ever behind" in text) == (share == 0)


def duels(directory, chances, matches=600, players=2, aborted=0.0):
    """Plant duels: what each seat of the first counts against one of the second."""

    def rows(cell, columns):
        chance = chances[cell.lineup]
        for rotation in range(cell.rotations):
            seats = [cell.seats[(seat + rotation) % players] for seat in range(players)]
            first = cell.seats[0]
            weights = np.array([chance if name == first else 1 - chance for name in seats])
            seed = 10 * sum(map(ord, cell.lineup)) + rotation
            won = winners_by(weights / weights.sum(), (matches,), seed)
            columns["winners"][:, rotation] = won
        shape = columns["aborted"].shape
        columns["aborted"][:] = np.random.default_rng(11).random(shape) < aborted

    lineups = [
        {"name": name, "seats": name.split("-"), "rotate": True, "variants": False}
        for name in chances
    ]
    return plant(
        directory, matches, rows, lineups=lineups, variants={}, options={"players": players}
    )


@pytest.mark.parametrize("aborted", [0.0, 0.3])
@pytest.mark.parametrize(("players", "even"), [(3, 66.7), (4, None), (5, 60.0), (2, None)])
def test_what_is_even_is_named_where_seats_are_unequal(tmp_path, players, even, aborted):
    chances = {"greedy-random": 0.85}
    report = build(duels(tmp_path, chances, 500, players, aborted))
    for text in (said(report, "luck"), " ".join(report.answer)):
        told = re.search(r"greedy beats random in [\d.]+ % \([\d.]+–[\d.]+\) of ([^;]*)", text)[1]
        assert (f"(even: {even} %" in text) == (even is not None)
        assert told.startswith("decided matches" if aborted else "matches")
        assert ("of all were aborted" in text) == (aborted > 0)
    shown = grid(report, "policies", "All duels")
    assert column(shown, "even %") == [f"{even or 50.0:.1f}"]
    # The matrix is per seat: chance against 1 - chance, whatever the seats.
    duel = measure(tmp_path).duels[0]
    assert duel.per_seat.low < 0.85 < duel.per_seat.high
    assert (duel.p < 0.05) == (not duel.share.low <= duel.even <= duel.share.high)


def test_equal_policies_at_unequal_seats_are_not_told_apart(tmp_path):
    """Two of three seats win two of three matches: that is no beating."""
    report = build(duels(tmp_path, {"guard-random": 0.5}, 300, 3))
    text = said(report, "luck")
    assert "which is stronger of" in text
    assert "beats" not in text
    assert "No policy here is shown to be dominated" not in text  # two policies: no matrix
    assert "hardly any skill shows" in text


def test_a_step_against_the_order_of_the_ladder_is_told(tmp_path):
    """A ring: the ladder needs some order, and one step goes against it, clearly."""
    chances = {"guard-greedy": 0.7, "greedy-random": 0.7, "guard-random": 0.3}
    report = build(duels(tmp_path, chances, 600))
    text = said(report, "luck")
    told = re.findall(r"(\w+) beats (\w+) in", text)
    assert set(told) <= {("guard", "greedy"), ("greedy", "random"), ("random", "guard")}
    assert "cannot be told" not in text


@pytest.mark.parametrize(("players", "aborted"), [(2, 0.0), (4, 0.0), (4, 0.3), (3, 0.0)])
def test_a_policy_that_always_wins_is_all_that_policy_can_explain(tmp_path, players, aborted):
    report = build(duels(tmp_path, {"greedy-random": 1.0}, 800, players, aborted))
    text = said(report, "luck")
    shown = re.search(r"policy explains ([\d.]+) % \(([\d.]+)–[\d.]+\) of what one that", text)
    assert float(shown[1]) == pytest.approx(100, abs=8 if players == 3 else 0.1)
    assert 85 < float(shown[2]) < 99.9  # 800 deals do not exclude that it loses one in a thousand
    assert "it is a game of skill" in text
    assert ("have an aborted match" in text) == (aborted > 0)
    parts = grid(report, "luck", "Variance of the win")
    assert column(parts, "always wins")[0] == {2: "100.0", 3: "25.0", 4: "33.3"}[players]


def test_skill_reaches_the_stroke_where_a_policy_always_wins(tmp_path):
    from studies.plots import variance_bars

    found = measure(duels(tmp_path, {"greedy-random": 1.0}, 800, 4)).tables[0]
    chart = variance_bars([("own", found.luck.win)])
    marks = {key.label: key for key in chart.named()}
    skill, rest = marks["skill (policy)"], marks["how the match went"]
    assert skill.width == pytest.approx(100 / 3, abs=0.4)
    assert rest.x + rest.width == pytest.approx(100, abs=1)
    assert marks["a policy that always wins"].x == pytest.approx([100 / 3] * 2)


def test_parts_below_nothing_are_shown_as_such(tmp_path):
    """Whoever loses a deal in one rotation wins it in the other: cards count against the seat."""

    def rows(_, columns):
        won = np.random.default_rng(12).integers(2, size=len(columns["winners"]))
        columns["winners"][:, 0] = 1 << won
        columns["winners"][:, 1] = 1 << (1 - won)

    directory = plant(tmp_path, 400, rows, lineups=[DUEL], variants={}, options={"players": 2})
    report = build(directory)
    text = said(report, "luck")
    assert "the cards dealt explain nothing" in text
    assert "more than all, as another part is estimated below 0" in text
    assert "stand left of 0" in " ".join(
        item.caption for item in section(report, "luck").items if not isinstance(item, Grid)
    )
    parts = grid(report, "luck", "Variance of the win")
    assert column(parts, "cards")[0].startswith("-")


def test_who_is_rated_first_is_ahead_of_each_other_one(tmp_path):
    """Superlatives rest on the difference to the rival, not on two intervals side by side."""
    chances = {"guard-greedy": 0.5, "greedy-random": 0.8, "guard-random": 0.8}
    report = build(duels(tmp_path, chances, 600))
    text = said(report, "policies")
    assert "is rated first, +" not in text
    assert re.search(r"cannot be told which of (guard and greedy|greedy and guard) is rated", text)


def test_strengths_give_way_to_pairings_that_contradict_them(tmp_path):
    """Greedy gains most against random, yet loses to guard: pairings say who beats whom."""
    chances = {"guard-greedy": 0.60, "greedy-random": 0.95, "guard-random": 0.62}
    report = build(duels(tmp_path, chances, 1200))
    text = said(report, "policies")
    assert "One strength a policy does not fit these matches (p < 0.001)" in text
    assert "payoffs) are to be believed, not the strengths" in text
    assert "guard beats greedy (payoff +" in text
    assert "greedy is rated first" not in text
    picture = next(
        own for own in section(report, "policies").items if own.caption[:8] == "Plackett"
    )
    assert "they do not fit these matches" in picture.caption


@pytest.mark.parametrize("matches", [3, 50])
def test_few_matches_make_nobody_the_choice(tmp_path, matches):
    chances = {"guard-greedy": 0.999, "greedy-random": 0.999, "guard-random": 0.999}
    report = build(duels(tmp_path, chances, matches))
    text = said(report, "policies")
    assert ("takes guard, always" in text) == (matches == 50)


def test_one_policy_or_equal_ones_are_not_compared(tmp_path):
    report = build(planted(tmp_path / "one", 50))
    assert [own.name for own in report.sections if own.name in ("luck", "policies")] == []
    report = build(duels(tmp_path / "equal", {"guard-greedy": 0.5}, 50))
    assert "50 deals are too few" in said(report, "luck")
