"""The plain-Python referee follows the kernel through thousands of matches under every option."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.games.upordown.colours import cyclic_colours
from tests.dials import with_dials
from tests.players import RANDOM_PLAYER
from tests.side_by_side import cell_of
from tests.upordown.following import UPORDOWN, Follower
from tests.upordown.players import BUILDER, picker_of

PLAYERS = (2, 3, 4, 5, 6)
COLOUR_FILES = {
    "printed": cyclic_colours(),
    "two": ("black", "white") * 63,
    "twelve": tuple(f"colour {card * card % 127 % 12}" for card in range(1, 127)),
    "blocks": tuple("abcdefg"[card // 18] for card in range(126)),
}
VARIANTS = {
    "plain": {},
    "columns_1": {"columns": 1},
    "columns_2": {"columns": 2},
    "columns_4": {"columns": 4},
    "columns_5": {"columns": 5},
    "columns_6": {"columns": 6},
    "hidden": {"open_pile": False},
    "hidden_columns_1": {"open_pile": False, "columns": 1},
    "two": {"colours": "two"},
    "twelve": {"colours": "twelve"},
    "blocks_hidden": {"colours": "blocks", "open_pile": False, "columns": 4},
}
MATCHES = 16
"""By variant and number of players (with the other tests some 1000); every fifth at random."""
PARTS = {"few": range(1), "more": range(1, MATCHES)}
"""The few are played by default, the others in the tier `whole`."""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return the paths of files of colours by name."""
    folder = tmp_path_factory.mktemp("colours")
    for name, colours in COLOUR_FILES.items():
        (folder / name).write_text("\n".join(colours), encoding="utf-8")
    return {name: str(folder / name) for name in COLOUR_FILES}


def with_file(options, files):
    """Name the file of colours."""
    colours = options.get("colours", "cyclic")
    return options | ({} if colours == "cyclic" else {"colours": files[colours]})


@pytest.mark.whole_but("few-plain-[25]", "few-*-3")
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("part", PARTS)
def test_referee_agrees(part, variant, players, files):
    options = with_file(VARIANTS[variant] | {"players": players}, files)
    for match in PARTS[part]:
        player = RANDOM_PLAYER if match % 5 == 4 else BUILDER
        Follower(cell_of(UPORDOWN, options, player, seed=1), match).run()


@pytest.mark.whole_but("3")
@pytest.mark.parametrize("players", PLAYERS)
def test_referee_agrees_in_every_rotation(players):
    cell = cell_of(UPORDOWN, {"players": players}, BUILDER, RANDOM_PLAYER, seed=1)
    for match in range(players):
        Follower(cell, match, rotation=match).run()


@pytest.mark.whole
@given(data=st.data())
def test_referee_agrees_under_any_combination(data, files):
    """Dials are among them. Some append whenever they can, some like the first or last move."""
    draw = data.draw
    options = {
        "players": draw(st.integers(2, 6)),
        "columns": draw(st.integers(1, 6)),
        "open_pile": draw(st.booleans()),
    }
    options = with_dials(draw, UPORDOWN, options)
    options["colours"] = draw(st.sampled_from(["cyclic", *COLOUR_FILES]))
    whim = draw(st.sampled_from([0.02, 0.1, 0.5, 1.0]))
    players = [BUILDER, RANDOM_PLAYER, picker_of(whim, last=False), picker_of(whim, last=True)]
    seats = draw(st.permutations(players))
    seed = draw(st.integers(0, 2**63 - 1))
    cell = cell_of(UPORDOWN, with_file(options, files), *seats, seed=seed)
    Follower(cell, draw(st.integers(0, 2**40))).run()
