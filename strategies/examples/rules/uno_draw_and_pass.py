"""Draw and pass: a drawn card may not be laid in the same turn."""

from cardlab.rules import *

game = "uno"


def legal_drawn(usual, s, seat):
    return {KEEP}
