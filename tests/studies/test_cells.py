from collections import Counter

import pytest

from studies.design.cells import _digest, expand
from tests.studies.conftest import study


def test_product_of_sweep_variants_and_lineups():
    cells = expand(
        study(
            options={},
            sweep={"players": [2, 4], "rounds": [1, 2, 3]},
            lineups=[{"name": "a", "seats": ["random"]}, {"name": "b", "seats": ["greedy"]}],
        )
    )
    assert len(cells) == 2 * 3 * 3 * 2
    assert Counter(cell.variant for cell in cells) == {"baseline": 12, "dirty": 12, "same": 12}
    assert len({cell.id for cell in cells}) == len(cells)
    assert {cell.players for cell in cells} == {2, 4}


def test_identity_is_content_not_labels():
    one = expand(study())
    renamed = expand(
        study(
            title="other",
            matches=7,
            variants={"new": {"dirty_one": "always"}},
            lineups=[{"name": "x", "seats": ["greedy", "random"], "rotate": True}],
        )
    )
    assert [cell.id for cell in one[:2]] == [cell.id for cell in renamed]
    for change in ({"seed": 6}, {"options": {"players": 4}}):
        assert not {cell.id for cell in one} & {cell.id for cell in expand(study(**change))}


def test_identity_does_not_depend_on_process_or_machine():
    # Another value here makes every study directory that exists one of "another study".
    assert _digest({"b": [1, None, 0.5], "a": "up"}) == "ab29f08a99aa"


def test_variant_without_change_is_a_cell_of_its_own():
    base, _, same = expand(study())
    assert (base.options, base.seats) == (same.options, same.seats)
    assert base.id != same.id


def test_defaults_follow_what_the_variant_gives():
    cells = expand(study(options={"players": 3}, variants={"up300": {"points_limit": 300}}))
    assert [cell.options["rounds"] for cell in cells] == [6, None]


@pytest.mark.parametrize(
    ("seats", "players", "rotations"),
    [
        (["random"], 4, 1),
        (["greedy", "random"], 4, 2),
        (["greedy", "random"], 3, 3),
        (["greedy", "random", "random"], 3, 3),
        (["greedy", "greedy", "random", "random"], 4, 4),
    ],
)
def test_only_distinct_rotations_are_played(seats, players, rotations):
    lineups = [{"name": "x", "seats": seats, "rotate": True}]
    cells = expand(study(options={"players": players}, lineups=lineups))
    assert {cell.rotations for cell in cells} == {rotations}


def test_swept_parameter_reaches_the_seats_that_leave_it_open():
    key = "hoarder.threshold"
    cells = expand(
        study(
            variants={},
            sweep={key: [1, 2]},
            lineups=[
                {"name": "own", "seats": ["hoarder", "hoarder(threshold=4)", "random"]},
                {"name": "none", "seats": ["random"]},
            ],
        )
    )
    own = [cell for cell in cells if cell.lineup == "own"]
    assert len({cell.seats[0] for cell in own}) == 2
    assert len({cell.seats[1] for cell in own}) == 1
    assert [cell.point for cell in cells if cell.lineup == "none"] == [{}]


def test_variant_that_fixes_a_swept_option_keeps_a_cell_at_each_point():
    cells = expand(
        study(sweep={"dirty_one": ["off", "always"]}, variants={"f": {"dirty_one": "forehand"}})
    )
    assert Counter(cell.point_text for cell in cells if cell.variant == "f") == {
        "dirty_one=off": 1,
        "dirty_one=always": 1,
    }
