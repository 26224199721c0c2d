"""A policy of one's own for Up: `cardlab simulate up --strategies strategies/examples/up.py`."""

from simcore.games.up.cards import HIGHEST
from simcore.games.up.table import PLAY
from strategies import Param, policy
from strategies.up_moves import lay_heavy_or_rescue, say_nothing


@policy(
    "up",
    idea="lays open cards before its hand while the tower bears much",
    params=[Param("cap", 8, 0, 11, "lowest cap that is much")],
)
def opener(table, seat):
    """Lay open cards while that is easy."""
    if table.phase != PLAY:
        return say_nothing(table)
    easy = table.cap == 0 or table.cap >= seat.params[0]
    return lay_heavy_or_rescue(table, seat, HIGHEST if easy else 0)
