"""An example policy for Up: `cardlab simulate up --strategies strategies/examples/up.py`."""

from simcore.games.up.rules import CUT, DECLARE
from simcore.language import lowest
from strategies import Param, policy
from strategies.up import HEAVY_OR_RESCUE, cap_of, first_in_order, heaviest, keep


@policy(
    "up",
    idea="lays open cards before its hand while the tower bears much",
    params=[Param("cap", 8, 0, 11, "lowest cap that is much")],
)
def opener(s, seat, moves, cap):
    """Lay open cards while the tower bears high values."""
    if s.phase == CUT:
        return keep(s, seat, moves)
    if s.phase == DECLARE:
        return lowest(moves)
    before = 11 if cap_of(s) >= cap else 0
    return first_in_order(s, seat, HEAVY_OR_RESCUE, heaviest(s, seat, before))
