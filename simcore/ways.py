"""Which ways of playing a block are allowed: in lanes where that is quicker, or not at all.

Rows do not depend on it. Whoever measures one way, or doubts the other, switches lanes off.
"""

from __future__ import annotations

import os

from simcore.errors import InputError

VARIABLE = "CARDLAB_LANES"
ON, OFF = "on", "off"


def lanes_allowed() -> bool:
    """Return whether blocks may be played in lanes: not where the environment says `off`.

    Raises
    ------
    InputError
        If the environment says neither `on` nor `off`.
    """
    text = os.environ.get(VARIABLE) or ON
    if text not in (ON, OFF):
        raise InputError(
            f"{VARIABLE} = {text[:60]!r} is refused; allowed: {ON} (many matches side by side "
            f"where that is quicker), {OFF} (one match after another)"
        )
    return text == ON
