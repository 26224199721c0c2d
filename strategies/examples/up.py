"""A policy of one's own for Up: `cardlab simulate up --strategies strategies/examples/up.py`."""

from simcore.games.up.cards import HIGHEST
from simcore.games.up.spec import NO_CAP, play_spec
from strategies import Param, spec_policy
from strategies.up import HEAVY_OR_RESCUE


@spec_policy(
    "up",
    idea="lays open cards before its hand while the tower bears much",
    params=[Param("cap", 8, 0, 11, "lowest cap that is much")],
)
def opener(params):
    """Lay open cards while that is easy."""
    easy = (params[0], NO_CAP)
    return play_spec(HEAVY_OR_RESCUE, per_open_within=HIGHEST, cap=easy)
