"""Draw and pass: a card that was drawn is not laid in the same turn."""

from cardlab.rules import *

game = "uno"


def legal_drawn(usual, s, seat):
    return {KEEP}
